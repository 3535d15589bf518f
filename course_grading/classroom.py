"""A class: one folder that holds all that is not public, and what is where in it.

secret               the seed of the hidden inputs; whoever has it can foresee them
nbgrader_config.py   nbgrader's own commands work in this folder
own_config.py        an instructor's own settings of nbgrader, such as late penalties
solutions/A, exercises/A    as the course has them; exercises/A is handed out
private/             an instructor's own: solutions/A, tasks_NN.py with checks, and
                     visible_NN.py with those of them that are handed out
raw/STUDENT/A        what was handed in; never changed
submitted/, autograded/, feedback/, gradebook.db    nbgrader's
intake/A.json        who handed in, and what had to be repaired
verdicts/KEY.json    one for each different notebook; KEY says what went into it
report/              tables and a picture
"""

from __future__ import annotations

import ast
import functools
import hashlib
import hmac
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from tqdm import tqdm

from course_lib.grading import library

from . import dependencies, harmless, intake
from .apart import Apart, TooMuch

COURSE = Path(__file__).resolve().parents[1]
CONFIG = """

# Marks come from verdicts/; no command of nbgrader runs a student's code here.
from course_grading.record import PREPROCESSORS, GradesTable  # noqa: E402

c.Autograde.autograde_preprocessors = PREPROCESSORS
c.ExportApp.plugin_class = GradesTable

# This file is made anew by `grade release`. What you set yourself stands in another.
load_subconfig("own_config.py")  # noqa: F821 (nbgrader defines it)
"""


class ClassroomError(ValueError):
    """Say what is wrong with a class's folder and what to do."""


class Classroom:
    """The folder of a class."""

    def __init__(self, root: Path | str):
        self.root = Path(root).resolve()
        path = self.root / "settings.json"
        self.settings = {"trusted": False, "limits": {}}
        if path.exists():
            self.settings |= json.loads(path.read_text(encoding="utf-8"))

    def keep_settings(self, trusted: bool) -> None:
        """Set how the judge works; marks belong to the settings of the last run."""
        if trusted != self.settings["trusted"]:
            self.settings["trusted"] = trusted
            intake.write_whole(self.root / "settings.json", json.dumps(self.settings))

    def create(self) -> None:
        """Make what is not there yet: the secret and nbgrader's configuration."""
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.root / "secret"
        if not path.exists():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_hex(32) + "\n")
        base = (COURSE / "nbgrader_config.py").read_text(encoding="utf-8")
        intake.write_whole(self.root / "nbgrader_config.py", base + CONFIG)

    def secret(self) -> bytes:
        try:
            return (self.root / "secret").read_bytes().strip()
        except OSError:
            raise ClassroomError(
                f"{self.root} is no class yet: `grade release ASSIGNMENT` makes it one"
            ) from None

    def copy_source(self, assignment: str) -> None:
        """Put an assignment's solved notebooks, and data, where nbgrader looks."""
        for home in (self.root / "private", COURSE):
            source = home / "solutions" / assignment
            if source.is_dir():
                target = self.root / "solutions" / assignment
                shutil.copytree(source, target, dirs_exist_ok=True)
                return
        raise ClassroomError(f"there is no assignment {assignment!r}")

    def add_visible_checks(self, assignment: str) -> None:
        """Hand out an instructor's own visible checks with the notebook."""
        path = self.root / "private" / f"visible_{assignment[:2]}.py"
        module = library.own(path)
        if not module:
            return
        tests = [check for task in module.TASKS.values() for check in task.checks]
        hidden = [check.en for check in tests if check.hidden]
        if hidden:
            raise ClassroomError(f"{path} would hand out hidden checks: {hidden}")
        shutil.copy(path, self.root / "exercises" / assignment)

    def assignments(self) -> list[str]:
        return sorted(p.name for p in (self.root / "exercises").glob("*") if p.is_dir())

    # Handing in

    def collect(self, assignment: str) -> dict[str, dict]:
        """Rebuild every hand-in into submitted/; return what was found, by student."""
        release = self.root / "exercises" / assignment
        if not release.is_dir():
            raise ClassroomError(f"{assignment} is not released: `grade release` first")
        found, disputed = {}, {}
        if self.times(assignment).exists():
            disputed = json.loads(self.times(assignment).read_text(encoding="utf-8"))
        with Apart() as process:
            for folder in tqdm(intake.entries(self.root / "raw"), unit="student"):
                raw = folder / assignment
                if folder.is_symlink() or not os.path.lexists(raw):
                    continue
                student = intake.folder_name(folder.name)
                notebooks, files = self.rebuilt(process, raw, student)
                shown = os.fsencode(folder.name).decode("utf-8", "replace")
                about = {"student": shown, "notebooks": notebooks, "files": files}
                found[student] = about | {"times": disputed.get(student, [])}
        text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
        (self.root / "intake").mkdir(exist_ok=True)
        intake.write_whole(self.root / "intake" / f"{assignment}.json", text + "\n")
        return found

    def times(self, assignment: str) -> Path:
        """Return the file of the hand-ins whose claimed time is not when they came."""
        return self.root / "intake" / f"{assignment}_times.json"

    def rebuilt(
        self, process: Apart, raw: Path, student: str
    ) -> tuple[dict[str, dict], list[str]]:
        """Rebuild a hand-in and render its texts; return notebooks and other files."""
        assignment = raw.name
        release = self.root / "exercises" / assignment
        target = self.root / "submitted" / student / assignment
        try:
            found = process.call(intake.rebuild_submission, raw, release, target)
        except TooMuch as error:
            found = intake.refused(raw, release, target, str(error))
        try:
            process.call(harmless.render, target)
        except TooMuch:
            harmless.forget(target)
            for about in found[0].values():
                about["notes"].append("texts are shown as typed, too long to render")
        return found

    def misplaced(self) -> Iterator[str]:
        """Say of each notebook below raw/ that has no row why it has none."""
        known = {name.lower(): name for name in self.assignments()}
        for student in intake.entries(self.root / "raw"):
            if student.is_symlink() or not os.access(student, os.R_OK):
                yield f"{student.name!r}: a link, or not to be read"
            for path in intake.notebooks_below(student):
                inner = path.relative_to(student).parts
                folder = inner[0] if len(inner) > 1 else ""
                right = known.get(folder.lower(), "")
                if not folder:
                    why = "not in a folder STUDENT/ASSIGNMENT"
                elif not right:
                    why = f"no assignment {folder!r} was released"
                elif folder != right:
                    why = f"the folder should be called {right!r}"
                elif (self.root / "intake" / f"{right}.json").exists():
                    continue  # the row of its submission tells about it
                else:
                    why = f"`grade collect {right}` takes it"
                yield f"{str(path.relative_to(self.root / 'raw'))!r}: {why}"

    def collected(self, assignment: str) -> dict[str, dict]:
        """Return what `collect` found."""
        path = self.root / "intake" / f"{assignment}.json"
        if not path.exists():
            raise ClassroomError(f"nothing of {assignment} is collected yet")
        return json.loads(path.read_text(encoding="utf-8"))

    def notebooks(self, assignment: str, student: str) -> Iterator[Path]:
        """Yield the rebuilt notebooks of a submission."""
        yield from sorted(
            (self.root / "submitted" / student / assignment).glob("*.ipynb")
        )

    # Judging

    def job(self, path: Path) -> dict:
        """Return what the judge needs to know of a rebuilt notebook."""
        notebook = nbformat.read(path, as_version=4)
        release = self.root / "exercises" / path.parent.name
        return {
            "cells": list(self.cells(notebook)),
            **self.settings,
            "hidden": True,
            "private": str(self.root / "private"),
            "release": str(release),
            "files": handed_out(release),
        }

    def cells(self, notebook: NotebookNode) -> Iterator[dict]:
        """Yield the code cells: those to be run, and the tasks to be tested."""
        for number, cell in enumerate(notebook.cells, start=1):
            if cell.cell_type != "code":
                continue
            about = cell.metadata.get("nbgrader", {})
            if not about.get("grade") or about.get("solution"):
                yield {"name": f"cell {number}", "source": cell.source}
                continue
            task, answer = called(cell)
            test = {"name": about["grade_id"], "task": task, "answer": answer}
            yield {**test, "points": about["points"], "seed": self.seed(task)}

    def seed(self, task: str) -> int:
        """Return the seed of a task's hidden inputs: the class's own, kept secret."""
        digest = hmac.new(self.secret(), task.encode(), hashlib.sha256).digest()
        return int.from_bytes(digest[:7], "big")

    def key(self, job: dict) -> str:
        """Return a name for all that a verdict depends on."""
        tasks = {cell["task"] for cell in job["cells"] if "task" in cell}
        code = [grader(task[:2], job["private"]) for task in sorted(tasks)]
        where = {"private": "", "release": ""}  # the same work at another place
        text = json.dumps([{**job, **where}, code], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def verdict_path(self, key: str) -> Path:
        return self.root / "verdicts" / f"{key}.json"

    def verdict(self, path: Path) -> dict | None:
        """Return the verdict on a rebuilt notebook, or None."""
        found = self.verdict_path(self.key(self.job(path)))
        return json.loads(found.read_text(encoding="utf-8")) if found.exists() else None

    def jobs(self, assignments: list[str]) -> dict[str, dict]:
        """Return the jobs by their keys; equal notebooks are one job."""
        found = {}
        for assignment in assignments:
            for student in self.collected(assignment):
                for path in self.notebooks(assignment, student):
                    job = self.job(path)
                    found[self.key(job)] = job
        return dict(sorted(found.items()))


def called(cell: NotebookNode) -> tuple[str, str]:
    """Return the task and the function of a test cell: check("NN.name", function)."""
    for node in ast.walk(ast.parse(cell.source)):
        match node:
            case ast.Call(
                func=ast.Name("check"),
                args=[ast.Constant(str(task)), ast.Name(answer)],
            ):
                return task, answer
    raise ClassroomError(
        f"test cell {cell.metadata.nbgrader.grade_id!r} calls no check(“task”, "
        "function): the judge cannot test it"
    )


def handed_out(release: Path) -> dict[str, str]:
    """Return the digests of the data files of a released assignment."""
    return {
        str(path.relative_to(release)): digest(path, path.stat().st_mtime_ns)
        for path in sorted(release.rglob("*"))
        if path.is_file() and path.suffix not in (".ipynb", ".py", ".pyc")
    }


@functools.lru_cache(maxsize=1000)
def digest(path: Path, changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.lru_cache(maxsize=100)
def grader(number: str, private: str) -> str:
    """Return a digest of what judges an assignment, code and data."""
    files = dependencies.of_verdict(number, private)
    parts = [f"{path.name} {digest(path, path.stat().st_mtime_ns)}" for path in files]
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()
