"""Written answers: the rubric beside each answer, samples to calibrate by, comments.

Marks are given in nbgrader's form grader, by a person; nothing here marks prose. The
form grader has what is needed for that: names hidden, a field for points and one for a
comment, keys that go to the same question of the next submission. This page adds what
it has not: formulas and pictures as they were meant (the form grader shows texts as
they were typed), the rubric in view, three answers with marks on which graders can
agree before they begin, and the comments that were given already, to be used again. An
answer has the number here that it has in the form grader.

Samples are in source/assignments/NN_slug/samples.toml, or for an instructor's own
assignment in private/samples_NN.toml: tables by the answer cell's name, with marks (for
each point of the rubric), en and zh, comments_en and comments_zh. A course's assignment
that can have none begins its file with "# No samples: " and the reason.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat

from course_lib.grading import library

from . import gradebook, harmless, pages
from .classroom import Classroom, ClassroomError
from .gradebook import NOTHING
from .intake import is_answer, name
from .pages import LANGUAGES, Part, half
from .plain import typed


class Written(NamedTuple):
    """An answer: its number, id and field in the form grader, its text and its mark."""

    number: int
    id: str
    field: int
    text: str
    html: str  # harmless; "" where there is none
    given: float | None
    comment: str


def samples(room: Classroom, assignment: str) -> dict[str, list[dict]]:
    """Return the sample answers by the answer cells' names.

    Errors: ClassroomError for a sample without a mark and a comment for each point.
    """
    number = assignment[:2]
    own = room.root / "private" / f"samples_{number}.toml"
    path = own if own.exists() else library.file_of("samples", number)
    path = path.with_suffix(".toml")
    if not path.exists():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ClassroomError(f"{path}: {error}") from None
    for cell, listed in found.items():
        for at, sample in enumerate(listed, start=1):
            lengths = {
                len(sample[key]) for key in ("marks", "comments_en", "comments_zh")
            }
            if len(lengths) > 1:
                raise ClassroomError(
                    f"{path}: sample {at} of {cell} needs a mark and a comment in each "
                    "language for every point of the rubric"
                )
    return found


def fields(path: Path) -> dict[str, int]:
    """Return at which place of the form grader's tab order an answer's points stand.

    The first place is the link to the next submission. Then each cell has: points and
    extra credit if it is graded, a comment if it is an answer.
    """
    found, place = {}, 1
    for cell in nbformat.read(path, as_version=4).cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade"):
            found[about["grade_id"]] = place
        place += 2 * bool(about.get("grade")) + bool(about.get("solution"))
    return found


def answers(room: Classroom, assignment: str, part: Part) -> Iterator[Written]:
    """Yield what was written for a question, in the form grader's order."""
    students = gradebook.submissions(room.root, assignment)
    marks = gradebook.recorded(room.root, assignment)
    comments = {
        (student, cell): text
        for student, given in gradebook.by_hand(room.root, assignment).items()
        for cell, _, text in given
        if text
    }
    stub = in_cell(room.root / "exercises" / assignment, part)
    places: Counter = Counter()
    for identity, (student, notebook) in sorted(students.items()):
        path = room.root / "autograded" / student / assignment / f"{notebook}.ipynb"
        if not path.exists():
            continue
        places[notebook] += 1
        where = student, part.cell
        cells = nbformat.read(path, as_version=4).cells
        text = [typed(c.source) for c in cells if is_answer(c) and name(c) == part.cell]
        given = marks.get(where, NOTHING)[1]
        untouched = text == [stub] and given is None
        if not text or untouched:
            continue  # of another notebook, or as it was handed out
        comment = comments.get(where, "")
        field = fields(path)[part.cell]
        made = harmless.rendered(path)
        page = "".join(made.get(c.id, "") for c in cells if name(c) == part.cell)
        number = places[notebook]
        yield Written(number, identity, field, text[0], page, given, comment)


def in_cell(folder: Path, part: Part) -> str:
    """Return what stands in an answer's cell in the notebooks of a folder."""
    for path in sorted(folder.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if is_answer(cell) and name(cell) == part.cell:
                return typed(cell.source)
    return ""


def question(room: Classroom, assignment: str, part: Part, language: str) -> dict:
    """Return all that the page shows of a question."""
    written = list(answers(room, assignment, part))
    solved = room.root / "solutions" / assignment
    listed = samples(room, assignment).get(part.cell, [])
    again = Counter(answer.comment for answer in written if answer.comment)
    return {
        "part": part,
        "title": pages.heading(part.question, language),
        "rubric": harmless.as_html(
            re.sub(r"^#+ .*\n", "", half(part.question, language))
        ),
        "model": flowing(half(in_cell(solved, part), language)),
        "samples": [
            {
                "text": flowing(sample[language]),
                "marks": sample["marks"],
                "comments": sample[f"comments_{language}"],
            }
            for sample in listed
        ],
        "answers": written,
        "comments": again.most_common(),
    }


def flowing(text: str) -> str:
    """Return an author's text with each paragraph on one line; a page breaks it."""
    return re.sub(r"(?<!\n)\n(?!\n|[-*\d])", " ", text.strip())


def write(room: Classroom, assignment: str) -> list[Path]:
    """Write the page in both languages; return where.

    Errors: ClassroomError before anything was recorded: then no answer has a number.
    """
    parts = [part for part in pages.parts(room, assignment) if not part.task]
    if not gradebook.submissions(room.root, assignment):
        raise ClassroomError(f"nothing of {assignment} is recorded yet: `grade record`")
    made = []
    for language in LANGUAGES:
        path = room.root / "report" / f"{assignment}_written.{language}.html"
        found = [question(room, assignment, part, language) for part in parts]
        values = {"assignment": assignment, "questions": found}
        pages.save(path, "written.html.j2", language, "written.js", **values)
        made.append(path)
    return made
