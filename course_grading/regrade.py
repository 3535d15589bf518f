"""Which recorded marks a new judgement changes, before they change.

A check was mended: the verdicts are out of date, and `judge` makes new ones. What was
recorded is in nbgrader's gradebook, until `record` replaces it; so the two can be
compared. A person's own mark stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat

from . import gradebook, intake
from .classroom import Classroom
from .exporters import write
from .gradebook import NOTHING
from .plain import typed

COLUMNS = (
    "assignment", "student", "task", "before", "after", "out_of", "by_hand", "why",
    "handed_in_again",
)  # fmt: skip


def changes(room: Classroom, assignment: str) -> list[dict]:
    """Return a row for each recorded mark of a test that would become another one."""
    recorded = gradebook.recorded(room.root, assignment)
    found = []
    for student, about in room.collected(assignment).items():
        for path in room.notebooks(assignment, student):
            verdict = room.verdict(path)
            again = handed_in_again(room, path)
            for test in verdict["tests"] if verdict else ():
                before, by_hand, _ = recorded.get((student, test["name"]), NOTHING)
                if before is None or before == test["score"]:
                    continue
                row = {"assignment": assignment, "student": about["student"]}
                row |= {"task": test["task"], "before": before, "after": test["score"]}
                row |= {"out_of": test["points"], "by_hand": by_hand}
                why = test["error"] or test["stopped"] or "; ".join(test["failed"])
                found.append(row | {"why": why, "handed_in_again": again})
    return sorted(found, key=lambda row: (row["task"], row["student"]))


def handed_in_again(room: Classroom, path: Path) -> bool:
    """Tell whether the answers are others than those that were recorded."""
    recorded = room.root / "autograded" / path.relative_to(room.root / "submitted")
    return recorded.exists() and answers(path) != answers(recorded)


def answers(path: Path) -> list[str]:
    cells = nbformat.read(path, as_version=4).cells
    return [typed(cell.source) for cell in cells if intake.is_answer(cell)]


def shown(assignment: str, found: list[dict]) -> Iterator[str]:
    """Yield the lines of a table of the changes, and their sums."""
    if not found:
        yield f"{assignment}: no recorded mark changes"
        return
    up = sum(row["after"] > row["before"] for row in found)
    yield f"{assignment}: {len(found)} marks change, {up} up, {len(found) - up} down"
    for row in found:
        line = f"  {row['task']}  {row['before']:g} -> {row['after']:g}"
        line += f" of {row['out_of']:g}  {row['student']}"
        if row["by_hand"] is not None:
            line += f" (a person gave {row['by_hand']:g}, which stays)"
        if row["handed_in_again"]:
            line += " (handed in again since)"
        yield line + (f": {row['why']}" if row["why"] else "")


def write_changes(room: Classroom, assignment: str, found: list[dict]) -> Path:
    """Write the changes as a table; return where."""
    path = room.root / "report" / f"{assignment}_regrade.csv"
    path.parent.mkdir(exist_ok=True)
    cells = [["" if row[c] is None else row[c] for c in COLUMNS] for row in found]
    write(path, [list(COLUMNS), *cells])
    return path


def refused(found: list[dict], task: str | None) -> str:
    """Say why the changes are not made: other tasks' marks would change, too."""
    others = Counter(row["task"] for row in found if task and row["task"] != task)
    if not others:
        return ""
    counted = ", ".join(f"{name} ({count})" for name, count in others.items())
    return (
        f"marks of other tasks than {task} would change, too: {counted}. Nothing is "
        "changed. If that is what you want, confirm without --task"
    )
