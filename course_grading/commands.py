"""The commands of `python -m course_lib grade`; docs/en/grading.md explains them.

    release ASSIGNMENT   make it ready to be handed out, in exercises/
    check NOTEBOOK       for students: what is wrong with a file before handing it in
    collect ASSIGNMENT   raw/STUDENT/ASSIGNMENT/ -> submitted/, repaired where needed
    judge ASSIGNMENT     test the answers behind a wall -> verdicts/
    record ASSIGNMENT    verdicts -> nbgrader's gradebook, feedback and grades.csv
    report ASSIGNMENT    a row each and a picture -> report/
    feedback ASSIGNMENT  give the feedback pages back, through nbgrader's exchange
    written ASSIGNMENT   a page to mark written answers by: rubric, samples, comments
    regrade ASSIGNMENT   after a check was mended: which marks change, before they do
    export FORMAT        the marks for canvas, moodle, or a spreadsheet (marks)

With --exchange, `release` hands out and `collect` takes in through the exchange, too.
Each can be run again: what is done is not done twice.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import nbformat
from tqdm import tqdm

from . import intake
from .classroom import COURSE, Classroom, ClassroomError
from .sandbox import NoSandbox, available
from .words import visible

LOUD = """
!!  TRUSTED CLASS ONLY: students' code runs without a sandbox. It can read and change
!!  your files and use the network. Marks cannot be forged by the usual tricks, but by
!!  code that reaches the files of this class.
"""


def main(arguments: list[str]) -> int:
    """Run one of the commands; return 0 if all is well."""
    options = parser().parse_args(arguments)
    command = {
        "release": release_all,
        "check": check_file,
        "collect": collect_all,
        "judge": judge_all,
        "record": record_all,
        "report": report_all,
        "feedback": feedback_all,
        "written": written_all,
        "regrade": regrade_all,
        "export": export_all,
    }[options.command]
    try:
        return command(options) or 0
    except (ClassroomError, NoSandbox, intake.Unreadable, OSError) as error:
        say(f"grade {options.command}: {error}", file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m course_lib grade",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = made.add_subparsers(dest="command", required=True)
    names = "release collect judge record report feedback written regrade export"
    for name in names.split():
        one = commands.add_parser(name)
        if name == "export":
            add_export(one)
        else:
            one.add_argument("assignments", nargs="+", metavar="ASSIGNMENT")
        one.add_argument("--class", dest="room", default=".", help="the class's folder")
        if name in ("release", "collect", "feedback"):
            one.add_argument(
                "--exchange",
                nargs="?",
                const="",
                default="" if name == "feedback" else None,
                metavar="FOLDER",
                help="nbgrader's exchange: the one that it is set to, or FOLDER",
            )
        if name == "regrade":
            one.add_argument("--task", metavar="NN.name", help="no other may change")
            one.add_argument("--confirm", action="store_true", help="change the marks")
        if name in ("judge", "regrade"):
            one.add_argument(
                "--executor", type=executor, default="local", help="dask://HOST:PORT"
            )
            one.add_argument("--processes", type=int, default=os.cpu_count() or 1)
            one.add_argument("--trust-everyone", action="store_true", help="no sandbox")
        if name == "judge":
            one.add_argument(
                "--shard", type=shard, metavar="I/N", help="every N-th job, from I"
            )
            one.add_argument("--again", action="store_true", help="also what stopped")
    commands.add_parser("check").add_argument("notebook", type=Path)
    return made


def add_export(one: argparse.ArgumentParser) -> None:
    one.add_argument("format", choices=("canvas", "moodle", "marks"))
    one.add_argument(
        "assignments", nargs="*", metavar="ASSIGNMENT", help="all, if none"
    )
    one.add_argument("--to", type=Path, help="the file; export/FORMAT.csv if not given")
    one.add_argument(
        "--unfinished",
        action="store_true",
        help="also marks whose written answers wait for a person",
    )
    one.add_argument("--language", choices=("en", "zh"), default="en")


def executor(text: str) -> str:
    """Return the name of an engine that can judge."""
    if text != "local" and not re.fullmatch(r"dask://.+", text):
        raise argparse.ArgumentTypeError(f"{text!r}: use local or dask://HOST:PORT")
    return text


def shard(text: str) -> tuple[int, int]:
    """Return I and N of "I/N": I counts from 0."""
    if found := re.fullmatch(r"(\d+)/(\d+)", text):
        first, step = int(found[1]), int(found[2])
        if first < step:
            return first, step
    raise argparse.ArgumentTypeError(f"{text!r}: use I/N, as 0/4, 1/4, 2/4, 3/4")


def say(*lines: str, **options) -> None:
    """Print; what came from a student stays text in the terminal, too."""
    print(*map(visible, map(str, lines)), **options)


def release_all(options: argparse.Namespace) -> None:
    """Make the students' version, and tell the gradebook about it."""
    room = Classroom(options.room)
    room.create()
    for assignment in options.assignments:
        room.copy_source(assignment)
        run_nbgrader(room, "generate_assignment", assignment, "--force")
        room.add_visible_checks(assignment)
        for path in (room.root / "exercises" / assignment).glob("*.ipynb"):
            list(room.cells(nbformat.read(path, as_version=4)))  # all can be judged
        if options.exchange is not None:
            hand_out(room, assignment, options.exchange)
        else:
            say(f"hand out {room.root / 'exercises' / assignment}")
        (room.root / "raw").mkdir(exist_ok=True)
    if options.exchange is None:
        say(f"put what is handed in into {room.root / 'raw'}/STUDENT/ASSIGNMENT/")


def hand_out(room: Classroom, assignment: str, where: str) -> None:
    """Put an assignment where students fetch it."""
    from . import exchange

    there = exchange.settings(where)
    run_nbgrader(room, "release_assignment", assignment, "--force", *there)
    course = exchange.folder(room, where)
    exchange.close_inbound(course)
    say(f"handed out: {course / 'outbound' / assignment}")


def run_nbgrader(room: Classroom, *arguments: str) -> None:
    """Run one of nbgrader's commands in a class's folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=room.root,
        env={**os.environ, "PATH": path},  # it starts alembic by its bare name
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise ClassroomError(f"nbgrader {arguments[0]}:\n{done.stderr[-3000:]}")


def check_file(options: argparse.Namespace) -> int:
    """Tell a student what intake would repair, and what the visible checks say.

    As for a class: with what was handed out alone, behind the wall if one is there.
    """
    from .judge import judge

    room = Classroom(COURSE)
    try:
        cells, notes = intake.read(options.notebook)
    except intake.Unreadable as error:
        raise intake.Unreadable(f"{options.notebook}: {error}") from None
    path = released(options.notebook, {cell.name for cell in cells} - {""})
    built, repairs = intake.rebuild(nbformat.read(path, 4), cells)
    say(*[f"! {note}" for note in notes + repairs], sep="\n", end="\n\n")
    room.seed = lambda task: 0
    job = room.job(path) | {"hidden": False, "private": "", "trusted": not available()}
    verdict = judge({**job, "cells": list(room.cells(built))})
    for name, kind, words, _ in verdict["errors"]:
        say(f"{name}: {kind}: {words}")
    for test in verdict["tests"]:
        say(f"\n{test['name']}\n{test['text']}")
    failed = [test["name"] for test in verdict["tests"] if test["failed"]]
    say("failed:", ", ".join(failed) if failed else "nothing; you can hand it in")
    return 1 if failed or verdict["errors"] else 0


def released(notebook: Path, names: set[str]) -> Path:
    """Return the course's exercise that has most of these cells."""

    def common(path: Path) -> int:
        return len(names & {intake.name(c) for c in nbformat.read(path, 4).cells})

    made = max(COURSE.glob("exercises/*/*.ipynb"), key=common)
    if not common(made):
        raise ClassroomError(
            f"{notebook} is no exercise of this course. If it is your "
            "teacher's own, run its cells from the top: the checks are in them."
        )
    return made


def collect_all(options: argparse.Namespace) -> None:
    """Rebuild what was handed in."""
    room = Classroom(options.room)
    room.secret()
    for assignment in options.assignments:
        if options.exchange is not None:
            take_in(room, assignment, options.exchange)
        found = room.collect(assignment)
        notes = [n for f in found.values() for n in f["notebooks"].values()]
        count = Counter(about["status"] for about in notes)
        say(f"{assignment}: {len(found)} submissions; notebooks and folders:", end=" ")
        say(", ".join(f"{n} {status}" for status, n in count.items()) or "none")
    for line in room.misplaced():
        say(f"! not taken: {line}")


def take_in(room: Classroom, assignment: str, where: str) -> None:
    """Copy what is new in the exchange to raw/."""
    from . import exchange

    new, notes = exchange.take_in(room, assignment, exchange.folder(room, where))
    say(f"{assignment}: {new} new in the exchange")
    for note in notes:
        say(f"! {note}")


def feedback_all(options: argparse.Namespace) -> None:
    """Give the feedback pages of `record` to the students who handed in."""
    from . import exchange

    room = Classroom(options.room)
    exchange.folder(room, options.exchange)
    for assignment in options.assignments:
        room.collected(assignment)
        by_hand = exchange.without_secret(room, assignment)
        run_nbgrader(
            room, "release_feedback", assignment, *exchange.settings(options.exchange),
            f"--CourseDirectory.student_id_exclude={','.join(by_hand)}",
        )  # fmt: skip
        say(f"{assignment}: given back through the exchange")
        if by_hand:
            say(f"! give feedback/ to them yourself: {', '.join(by_hand)}")
        if waiting := exchange.waiting(room, assignment):
            say(f"! an answer waits for your mark: {', '.join(waiting)}")


def judge_all(options: argparse.Namespace) -> int:
    """Judge what has no verdict yet; each verdict is kept as soon as it is there."""
    from .workers import verdicts

    room = Classroom(options.room)
    if options.trust_everyone:
        say(LOUD, file=sys.stderr)
    elif options.executor == "local" and not available():
        raise NoSandbox(
            "bubblewrap is missing or not allowed here (apt install bubblewrap); "
            "docs/en/grading.md says what else you can do"
        )
    room.keep_settings(options.trust_everyone)
    jobs = room.jobs(options.assignments)
    if options.shard:
        first, step = options.shard
        jobs = dict(list(jobs.items())[first::step])
    rest = {k: j for k, j in jobs.items() if is_due(room, k, options.again)}
    room.verdict_path("").parent.mkdir(exist_ok=True)
    faults = 0
    results = verdicts(rest, options.executor, options.processes) if rest else ()
    for key, result in tqdm(results, total=len(rest), unit="notebook"):
        if isinstance(result, Exception):
            faults += 1
            tqdm.write(visible(f"{key}: {type(result).__name__}: {result}"))
        else:
            text = json.dumps(result, indent=1, ensure_ascii=False)
            intake.write_whole(room.verdict_path(key), text + "\n")
    say(f"{len(jobs)} notebooks, {len(rest)} judged now, {faults} faults of the judge")
    return 1 if faults else 0


def is_due(room: Classroom, key: str, again: bool) -> bool:
    """Tell whether a notebook is to be judged: the first time, or again."""
    path = room.verdict_path(key)
    if not path.exists():
        return True
    return again and bool(json.loads(path.read_text(encoding="utf-8"))["stops"])


def record_all(options: argparse.Namespace) -> int:
    """Tell nbgrader the marks; make its feedback and its table.

    The table is made in any case: a person may have given marks since.
    """
    from .record import export, record

    room = Classroom(options.room)
    table, problems, new = room.root / "grades.csv", 0, 0
    for assignment in options.assignments:
        done, failed = record(room, assignment)
        new, problems = new + done, problems + failed
    export(room, table)
    say(f"{new} submissions recorded now, {problems} problems; see {table}")
    return 1 if problems else 0


def report_all(options: argparse.Namespace) -> None:
    """Write the tables and the picture; print how many there are of each status."""
    from . import glance
    from .report import write_tables

    room = Classroom(options.room)
    for assignment in options.assignments:
        table = write_tables(room, assignment)
        glance.write(room, assignment)
        count = Counter(line["status"] for line in table)
        said = ", ".join(f"{n} {status}" for status, n in count.items())
        say(f"{assignment}: {len(table)} submissions: {said}")
    say(f"see {room.root / 'report'}")


def written_all(options: argparse.Namespace) -> None:
    """Write the pages to mark written answers by."""
    from . import written

    room = Classroom(options.room)
    for assignment in options.assignments:
        say(*[f"see {path}" for path in written.write(room, assignment)], sep="\n")


def regrade_all(options: argparse.Namespace) -> int:
    """Judge anew and show which recorded marks change; change them if confirmed."""
    from .regrade import changes, refused, shown, write_changes

    options.shard, options.again = None, False
    if judge_all(options):
        return 1
    room = Classroom(options.room)
    for assignment in options.assignments:
        found = changes(room, assignment)
        path = write_changes(room, assignment, found)
        say(*shown(assignment, found), f"also in {path}", sep="\n")
        if options.confirm and (why := refused(found, options.task)):
            raise ClassroomError(why)
    if options.confirm:
        return record_all(options)
    say("Nothing is changed yet. With --confirm these marks are recorded.")
    return 0


def export_all(options: argparse.Namespace) -> None:
    """Write the marks as another system reads them."""
    from .exporters import FORMATS
    from .record import export

    room = Classroom(options.room)
    if strange := set(options.assignments) - set(room.assignments()):
        raise ClassroomError(f"not released: {', '.join(sorted(strange))}")
    path = (options.to or room.root / "export" / f"{options.format}.csv").resolve()
    path.parent.mkdir(exist_ok=True)
    settings = {"assignment": options.assignments, "unfinished": options.unfinished}
    if options.format == "marks":
        settings["language"] = options.language
    table = export(room, path, FORMATS[options.format], **settings)
    for name, count in table.waiting.items():
        if count:
            done = "included" if options.unfinished else "left out: see --unfinished"
            say(f"{name}: {count} of the marks wait for a person; {done}")
    say(f"see {path}")
