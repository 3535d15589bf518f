"""What became of every submission: a row each, and a picture of the class.

graded       as it was handed in
repaired     graded, after a repair that is named
stopped      graded; something ran into a limit or ended its process: what, and why
unreadable   could not be read: no mark, and why
not judged   there is no verdict yet
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

from . import gradebook
from .classroom import Classroom, ClassroomError
from .words import visible

ROW = ("assignment", "student", "status", "why", "score", "out_of", "by_hand", "given")
ROW += ("hours_late", "penalty")
TEST = ("assignment", "student", "task", "score", "out_of", "mistake", "failed", "why")
ORDER = ("not judged", "unreadable", "stopped", "repaired", "graded")


def rows(room: Classroom, assignment: str) -> tuple[list[dict], list[dict]]:
    """Return a row for each submission, and one for each of its tests."""
    table, tests = [], []
    given = gradebook.by_hand(room.root, assignment)
    late = gradebook.lateness(room.root, assignment)
    for student, found in room.collected(assignment).items():
        verdicts = {
            path.stem: room.verdict(path)
            for path in room.notebooks(assignment, student)
        }
        shown = {"assignment": assignment, "student": found["student"]}
        line = shown | row(room, assignment, found, verdicts)
        hours, cost = late.get(student, (0, 0))
        line |= {
            "hours_late": f"{hours:.1f}" if hours else "",
            "penalty": f"{cost:g}" if cost else "",
        }
        table.append(line | {"given": points_given(given.get(student, []))})
        for verdict in filter(None, verdicts.values()):
            tests += [shown | as_row(test) for test in verdict["tests"]]
    return table, tests


def statuses(room: Classroom, assignment: str) -> dict[str, dict]:
    """Return the rows by the students' folders; none before anything was collected."""
    try:
        names = room.collected(assignment)
    except ClassroomError:
        return {}
    return dict(zip(names, rows(room, assignment)[0], strict=True))


def row(room: Classroom, assignment: str, found: dict, verdicts: dict) -> dict:
    """Return the status of a submission, the reasons, and its points."""
    statuses, why, score = [], [], None
    for name, about in found["notebooks"].items():
        verdict = verdicts.get(name)
        reasons = list(about["notes"])
        if about["status"] == "unreadable":
            statuses.append("unreadable")
        elif verdict is None:
            statuses.append("not judged")
        else:
            statuses.append("stopped" if verdict["stops"] else about["status"])
            reasons += verdict["stops"] + raised(verdict)
            score = (score or 0) + sum(test["score"] for test in verdict["tests"])
        prefix = f"{name}: " if len(found["notebooks"]) > 1 else ""
        why += [prefix + reason for reason in reasons]
    status = min(statuses, key=ORDER.index)
    marked, by_hand = points(room, assignment)
    return {
        "status": status,
        "why": "; ".join([*found.get("times", []), *why, *found["files"]])[:500],
        "score": "" if score is None or status == "not judged" else f"{score:g}",
        "out_of": f"{marked:g}",
        "by_hand": f"{by_hand:g}",
    }


def points_given(marks: list[list]) -> str:
    """Return the sum of the points that a person gave, or "" if none were given."""
    found = [points for _, points, _ in marks if points is not None]
    return f"{sum(found):g}" if found else ""


def points(room: Classroom, assignment: str) -> tuple[float, float]:
    """Return how many points the judge gives, and how many a person."""
    judged = by_hand = 0.0
    for path in (room.root / "exercises" / assignment).glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            about = cell["metadata"].get("nbgrader", {})
            if about.get("grade") and about.get("solution"):
                by_hand += about["points"]
            elif about.get("grade"):
                judged += about["points"]
    return judged, by_hand


def as_row(test: dict) -> dict:
    return {
        "task": test["task"],
        "score": f"{test['score']:g}",
        "out_of": f"{test['points']:g}",
        "mistake": test["mistake"],
        "failed": "; ".join(test["failed"]),
        "why": test["error"] or test["stopped"],
    }


def raised(verdict: dict) -> list[str]:
    """Return a line for each cell that ended with an error of its own."""
    return [
        f"{name}: {kind}: {' '.join(words.split())[:100]}"
        for name, kind, words, _ in verdict["errors"]
        if kind != "Stopped"  # that stands among the stops
    ]


def write_tables(room: Classroom, assignment: str) -> list[dict]:
    """Write submissions and tests as tables, and the picture; return the rows."""
    table, tests = rows(room, assignment)
    folder = room.root / "report"
    folder.mkdir(exist_ok=True)
    save(folder / f"{assignment}.csv", ROW, table)
    save(folder / f"{assignment}_tasks.csv", TEST, tests)
    draw(
        folder / f"{assignment}.png",
        assignment,
        table,
        tests,
        seconds(room, assignment),
    )
    answers(room, assignment, folder / "answers" / assignment)
    return table


def answers(room: Classroom, assignment: str, folder: Path) -> None:
    """Write each submission's answers as a script, for a tool that compares them."""
    trees = {"boilerplate/release": "exercises", "code/THE_SOLUTION": "solutions"}
    sources = {
        name: sorted((room.root / tree / assignment).glob("*.ipynb"))
        for name, tree in trees.items()
    }
    for student in room.collected(assignment):
        sources[f"code/{student}"] = list(room.notebooks(assignment, student))
    for name, paths in sources.items():
        notebooks = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
        cells = [c for n in notebooks for c in n["cells"] if c["cell_type"] == "code"]
        target = folder / f"{name}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
        target.write_text(text + "\n", encoding="utf-8")


def save(path: Path, columns: tuple, table: list[dict]) -> None:
    """Write a table; a text that a spreadsheet would take for a formula is quoted."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        out = csv.DictWriter(file, columns)
        out.writeheader()
        for line in table:
            out.writerow({k: quoted(v) for k, v in line.items()})


def quoted(value: object) -> object:
    """Put ' before what a spreadsheet would run: neither a number nor Moodle's "-".

    A wide sign counts as the narrow one; a table that is read in a terminal holds no
    commands for it.
    """
    if not isinstance(value, str):
        return value
    first = r"[=+@\t\r\n＝＋－＠]|-(?!$|[\d.]+$)"
    return f"'{visible(value)}" if re.match(first, value) else visible(value)


def seconds(room: Classroom, assignment: str) -> list[float]:
    """Return how long each notebook took."""
    students = room.collected(assignment)
    paths = [p for student in students for p in room.notebooks(assignment, student)]
    return [v["seconds"] for v in map(room.verdict, paths) if v]


def draw(path: Path, title: str, table: list, tests: list, times: list) -> None:
    """Draw scores, difficulty of the tasks, frequent mistakes, and time."""
    from matplotlib.figure import Figure

    from course_lib.figures import use_course_style

    use_course_style("en")
    figure = Figure(figsize=(11, 7), layout="constrained")
    (scores, tasks), (mistakes, time) = figure.subplots(2, 2)
    statuses = Counter(line["status"] for line in table)
    said = ", ".join(f"{statuses[s]} {s}" for s in reversed(ORDER) if statuses[s])
    figure.suptitle(f"{title}: {len(table)} submissions ({said})")
    known = [float(line["score"]) for line in table if line["score"]]
    most = float(table[0]["out_of"]) if table else 1
    scores.hist(known, bins=[i - 0.5 for i in range(int(most) + 2)])
    scores.yaxis.get_major_locator().set_params(integer=True)
    scores.set(xlabel=f"score, out of {most:g}", ylabel="submissions")
    solved, asked = Counter(), Counter()
    for test in tests:
        asked[test["task"]] += 1
        solved[test["task"]] += test["score"] == test["out_of"]
    names = list(asked)[::-1]
    tasks.barh(names, [100 * solved[n] / asked[n] for n in names])
    tasks.set(xlabel="solved by (% of notebooks)", xlim=(0, 100))
    made = Counter((t["task"], t["mistake"]) for t in tests if t["mistake"])
    often = made.most_common(8)[::-1]
    mistakes.barh([" ".join(key) for key, _ in often], [n for _, n in often])
    mistakes.set(xlabel="how often a known mistake was made")
    mistakes.xaxis.get_major_locator().set_params(integer=True)
    time.hist(times, bins=20)
    time.set(xlabel="seconds for a notebook", ylabel="notebooks")
    figure.savefig(path, dpi=120)
