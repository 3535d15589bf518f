"""A right answer keeps its points in plain nbgrader, whatever it prints.

nbgrader gives a test cell 0 points for a line on stderr, and for an error of the kernel
that cannot send what was printed. So one real kernel runs here, as nbgrader's would.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade

from course_lib.grading import checks

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import tiny_class as tiny  # noqa: E402

KEPT = "import os, subprocess, sys\nkept = sys.stderr"
PRINTS = {
    "half a character": "print('\\ud800')",
    "bytes": "sys.stdout.buffer.write(b'\\xff')",
    "to a stream kept from before": "print('x', file=kept)",
    "to the first stderr": "print('x', file=sys.__stderr__)",
    "past Python": "os.write(2, b'x')",
    "in a program that it starts": "os.system('echo x >&2')",
    "in a program that is given the stream": (
        "subprocess.run(['echo', 'x'], stdout=sys.stdout, stderr=sys.stderr)"
    ),
    "for a terminal": "print('\\x1b[31mx', sys.stdout.encoding.lower())",
    "no more": "sys.stdout.close()",
}


@pytest.fixture(scope="module")
def marked(tmp_path_factory) -> dict[str, float]:
    """Return the points, by what the answer prints, that plain nbgrader gives."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "visible_90.py").write_text(tiny.TASKS, encoding="utf-8")
    cells = [new_code_cell(f"import numpy as np\n{KEPT}")]
    test = next(c for c in tiny.notebook(tiny.RIGHT).cells if c.id == "test_softmax")
    for line in PRINTS.values():
        answer = tiny.RIGHT["softmax"].replace("    e =", f"    {line}\n    e =")
        cells.append(new_code_cell(answer))
        cells.append(new_code_cell(test.source, metadata=test.metadata))
    notebook = new_notebook(cells=cells)
    where = {"metadata": {"path": str(folder)}}
    with pytest.MonkeyPatch.context() as patch:
        # A kernel that finds this does not look past Python, as it does elsewhere.
        patch.delenv("PYTEST_CURRENT_TEST")
        NotebookClient(notebook, resources=where, allow_errors=True).execute()
    points = [determine_grade(cell)[0] for cell in notebook.cells[2::2]]
    return dict(zip(PRINTS, points, strict=True))


@pytest.mark.parametrize("what", PRINTS)
def test_a_right_answer_keeps_its_points_whatever_it_prints(what, marked):
    assert marked[what] == tiny.POINTS["softmax"]


def test_what_cannot_be_encoded_is_shown_as_an_escape():
    with checks.captured_output() as said:
        print("a\ud800b")
        text = said()
    assert text == "a\\ud800b\n"
