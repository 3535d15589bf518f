"""What a person has marked stays settled when a submission is recorded again.

After each of its runs nbgrader asks a person to look again at every mark that a person
gave. That is right where the answer is another one, or the judge now says something
else; where nothing changed, as after a mended check of another task, it is work for
nothing, and a mark that waits is not handed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbgrader.apps.api import NbGraderAPI

from . import gradebook
from .classroom import Classroom
from .intake import is_answer, name
from .plain import typed


def seen(room: Classroom, assignment: str, student: str) -> dict[str, tuple]:
    """Return, by cell, what a person's settled mark is about."""
    recorded = gradebook.recorded(room.root, assignment)
    found = {}
    for path in notebooks(room, assignment, student):
        for cell, text in texts(path):
            judged, given, waits = recorded.get((student, cell), gradebook.NOTHING)
            if given is not None and not waits:
                found[cell] = (text, judged)
    return found


def keep(
    api: NbGraderAPI, room: Classroom, assignment: str, student: str, before: dict
) -> None:
    """Settle again the marks of which nothing has changed."""
    if not before:
        return
    after = {
        cell: (path.stem, text)
        for path in notebooks(room, assignment, student)
        for cell, text in texts(path)
    }
    with api.gradebook as book:
        for cell, (text, judged) in before.items():
            notebook, now = after.get(cell, ("", None))
            if now != text:
                continue
            grade = book.find_grade(cell, notebook, assignment, student)
            if grade.auto_score == judged:
                grade.needs_manual_grade = False
        book.db.commit()


def notebooks(room: Classroom, assignment: str, student: str) -> list[Path]:
    return sorted((room.root / "autograded" / student / assignment).glob("*.ipynb"))


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each marked cell and what its mark is about.

    That is its own text if it is an answer, and all answers if it is a test.
    """
    cells = nbformat.read(path, as_version=4).cells
    everything = "\n".join(typed(cell.source) for cell in cells if is_answer(cell))
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            text = typed(cell.source) if is_answer(cell) else everything
            yield name(cell), text
