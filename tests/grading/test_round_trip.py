"""An assignment's way round: released, solved, handed in, marked, given back.

nbgrader itself, in a folder of its own; the gradebook stays there too. The example goes
through the commands that a teacher types. The course's assignments go through the same
steps called from Python, all of them as one notebook, because a command and a kernel
each take seconds to start. Their release alone is tested in tests/notebooks/test_build.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import build
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook

from course_grading.record import nbgrader_api

pytestmark = pytest.mark.whole

COURSE = Path(__file__).resolve().parents[2]
COMMITTED = sorted(COURSE.glob("solutions/*/*.ipynb"))

# An assignment of our own, so that this test says something about every machine
# before it says something about a lesson.
EXAMPLE = """
# %% key="twice" role="answer"
def twice(x):
    ### BEGIN SOLUTION
    doubled_value = x + x
    return doubled_value
    ### END SOLUTION


# %% key="test_numbers" role="test" points=2
assert twice(2) == 4, "twice 2 is 4"
### BEGIN HIDDEN TESTS
assert twice(-1.5) == -3, "twice a negative number is negative"
### END HIDDEN TESTS

# %% key="test_text" role="test" points=1
assert twice("ab") == "abab", "twice also works for text"

# %% [markdown] key="essay" lang="en" role="written" points=3
# Because `+` means something for numbers and for text.

# %% [markdown] key="essay" lang="zh" follows="00000000"
# 因为加号对数字和文本都有意义。
""".lstrip()

WRONG = """
def twice(x):
    return 2 * x if isinstance(x, str) else abs(2 * x)
"""


class Classroom(NamedTuple):
    """A graded assignment: nbgrader's folder and the assignment's name."""

    root: Path
    name: str
    # {student: {test or written cell: (automatic score, most that it can be)}}
    marks: dict[str, dict[str, tuple[float | None, float]]]

    def notebook(self, *folders: str) -> Path:
        return self.root.joinpath(*folders, self.name, f"{self.name}.ipynb")

    def tests(self) -> set[str]:
        """Return the names of the cells that are marked automatically."""
        cells = read(self.notebook("exercises"))["cells"]
        graded = [c for c in cells if c["metadata"].get("nbgrader", {}).get("grade")]
        return {cell["id"] for cell in graded if cell["cell_type"] == "code"}

    def feedback(self, student: str) -> str:
        """Return the text of the page that the student gets back."""
        page = self.notebook("feedback", student).with_suffix(".html")
        return html.unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8")))


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def nbgrader(root: Path, *arguments: str) -> None:
    settings = {"JUPYTER_CONFIG_DIR": str(root / "settings"), "COURSE_PROFILE": "quick"}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=root,
        env={**os.environ, **settings},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-4000:]


def hand_in(room: Classroom, student: str, answers: dict[str, list[str]]) -> None:
    """Fill the answers into the released notebook and hand it in."""
    submission = read(room.notebook("exercises"))
    for cell in submission["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    target = room.notebook("submitted", student)
    target.parent.mkdir(parents=True)
    target.write_text(json.dumps(submission), encoding="utf-8")


def solutions(room: Classroom) -> dict[str, list[str]]:
    """Return the source of each cell that students write, as the teacher wrote it."""
    cells = read(room.notebook("solutions"))["cells"]
    mine = [c for c in cells if c["metadata"].get("nbgrader", {}).get("solution")]
    return {cell["id"]: cell["source"] for cell in mine}


def marks(root: Path, name: str) -> dict[str, dict[str, tuple[float | None, float]]]:
    """Read the gradebook once: opening it starts a program that takes a second."""
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        return {
            one.student_id: {
                grade.name: (grade.auto_score, grade.max_score)
                for grade in one.notebooks[0].grades
            }
            for one in gradebook.assignment_submissions(name)
        }


def new_class(folder: Path) -> Path:
    """Make an empty class with the course's configuration."""
    shutil.copy(COURSE / "nbgrader_config.py", folder)
    return folder


@pytest.fixture(scope="module", params=["example", "course"])
def room(request, tmp_path_factory) -> Classroom:
    """Release the assignment, hand in submissions, mark and give back."""
    root = new_class(tmp_path_factory.mktemp(request.param))
    return by_commands(root) if request.param == "example" else by_calls(root)


def by_commands(root: Path) -> Classroom:
    """Take the example through nbgrader's commands."""
    source = root / "source/assignments/example/notebook.py"
    source.parent.mkdir(parents=True)
    source.write_text(EXAMPLE, encoding="utf-8")
    assert build.main(["--course", str(root)]) == 0
    room = Classroom(root, "example", {})
    released = room.notebook("exercises").read_bytes()
    nbgrader(root, "generate_assignment", "example", "--force")
    assert room.notebook("exercises").read_bytes() == released  # the same again
    hand_in(room, "right", solutions(room))
    hand_in(room, "unsolved", {})
    hand_in(room, "wrong", {"twice": WRONG.splitlines(keepends=True)})
    nbgrader(root, "autograde", "example")
    nbgrader(root, "generate_feedback", "example")
    return room._replace(marks=marks(root, "example"))


def by_calls(root: Path) -> Classroom:
    """Take the assignments of the course through the same steps, joined."""
    room = Classroom(root, "course", {})
    target = room.notebook("solutions")
    target.parent.mkdir(parents=True)
    target.write_text(json.dumps(joined(COMMITTED)), encoding="utf-8")
    with nbgrader_api(root) as api, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_PROFILE", "quick")
        done = [api.generate_assignment(room.name)]
        hand_in(room, "right", solutions(room))
        hand_in(room, "unsolved", {})
        for step in (api.autograde, api.generate_feedback):
            done += [step(room.name, student) for student in ("right", "unsolved")]
    assert all(one["success"] for one in done), [one["error"] for one in done][-1]
    return room._replace(marks=marks(root, room.name))


def joined(paths: list[Path]) -> dict:
    """Join notebooks; each begins without the names of those before it."""
    cells = []
    for path in paths:
        number = path.stem[:2]
        cells.append(new_code_cell("%reset -f", id=f"{number}_begin"))
        for cell in read(path)["cells"]:
            cell["id"] = f"{number}_{cell['id']}"
            if about := cell["metadata"].get("nbgrader"):
                about["grade_id"] = f"{number}_{about['grade_id']}"
            cells.append(cell)
    return {**read(paths[0]), "cells": cells}


def test_every_assignment_is_in_the_notebook_of_all(room):
    found = {test[:2] for test in room.tests()}
    assert room.name == "example" or found == {path.stem[:2] for path in COMMITTED}


def test_the_solution_gets_full_marks(room):
    scores = room.marks["right"]
    assert room.tests()
    for test in room.tests():
        assert scores[test][0] == scores[test][1] > 0, test


def test_an_unsolved_notebook_gets_nothing(room):
    scores = room.marks["unsolved"]
    assert {name: score for name, (score, _) in scores.items() if score != 0} == {}


def test_a_person_marks_a_written_answer_if_there_is_one(room):
    scores = room.marks["right"]
    assert all(scores[name][0] is None for name in scores.keys() - room.tests())


def test_the_feedback_names_each_check_and_its_score(room):
    page = room.feedback("unsolved")
    scores = room.marks["unsolved"]
    for test in room.tests():
        heading = rf"Grade cell: {test}\s+Score: 0\.0 / {scores[test][1]}"
        assert re.search(heading, page), test
    assert "NotImplementedError" in page


@pytest.mark.parametrize("room", ["example"], indirect=True)
def test_a_wrong_answer_loses_its_points_and_the_feedback_says_why(room):
    assert room.marks["wrong"]["test_numbers"] == (0, 2)
    assert room.marks["wrong"]["test_text"] == (1, 1)
    page = room.feedback("wrong")
    assert re.search(r"Grade cell: test_numbers\s+Score: 0\.0 / 2\.0", page)
    assert "AssertionError: twice a negative number is negative" in page
