"""What a student sees below a check that failed, in a real kernel; how it is marked."""

from __future__ import annotations

import re

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade

ANSWERS = {
    "right": "return [x / 2 for x in p]",
    "wrong": "return p",
    "unwritten": "raise NotImplementedError",
    "raises": "return helper(p)",
}
TASK = """
from course_lib.grading.checks import Task, run
half = Task("90.half")

@half.check("half of it", "一半")
def _(answer, rng):
    half.compare(answer, [(([4.0, 2.0],), [2.0, 1.0])])

def check(answer):
    problem = run(half, answer, 0, hidden=False)[2]
    if problem:
        raise problem.with_traceback(None)

def helper(p):
    return p["no such key"]
"""


@pytest.fixture(scope="module")
def cells() -> dict:
    """Run a check of every answer as nbgrader would; return the cells it leaves."""
    mark = {"grade": True, "grade_id": "t", "points": 2, "schema_version": 3}
    mark |= {"locked": True, "solution": False, "task": False, "cell_type": "code"}
    notebook = new_notebook(cells=[new_code_cell(TASK)])
    for body in ANSWERS.values():
        code = f"def half_of(p):\n    {body}\n\ncheck(half_of)"
        notebook.cells.append(new_code_cell(code, metadata={"nbgrader": mark}))
    NotebookClient(notebook, allow_errors=True).execute()
    return dict(zip(ANSWERS, notebook.cells[1:], strict=True))


def shown(cell) -> str:
    """Return what stands below a cell as its error, without colours."""
    (error,) = (o for o in cell.outputs if o.output_type == "error")
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error.traceback))


def test_a_right_answer_shows_no_error_and_gets_its_points(cells):
    assert cells["right"].outputs == []
    assert determine_grade(cells["right"])[0] == 2


@pytest.mark.parametrize("name", ["wrong", "unwritten", "raises"])
def test_a_failed_check_gets_no_points_though_no_frame_of_ours_is_shown(name, cells):
    assert determine_grade(cells[name])[0] == 0
    text = shown(cells[name])
    assert text.startswith("half of it / 一半")
    assert "checks.py" not in text and "raise problem" not in text


@pytest.mark.parametrize("name", ["wrong", "unwritten"])
def test_a_wrong_result_shows_its_message_and_nothing_else(name, cells):
    assert "Traceback" not in shown(cells[name])


def test_an_answer_that_breaks_shows_the_line_of_its_own_code(cells):
    text = shown(cells["raises"])
    assert 'p["no such key"]' in text and "TypeError" in text
    assert text.count("Traceback") == 1
