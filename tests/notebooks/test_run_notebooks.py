"""Executing the lessons: what counts as a failure, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
import run_notebooks
import torch
from nbformat.v4 import new_code_cell, new_notebook

pytestmark = pytest.mark.whole


@pytest.fixture
def lesson(tmp_path: Path):
    """Return a function that writes a notebook of these cells and gives its path."""

    def write(**cells: str) -> Path:
        path = tmp_path / "en" / "06_demo.ipynb"
        path.parent.mkdir()
        made = [new_code_cell(source, id=key) for key, source in cells.items()]
        nbformat.write(new_notebook(cells=made), path)
        return path

    return write


def run(path: Path, *arguments: str) -> int:
    return run_notebooks.main([str(path), *arguments])


def test_a_lesson_runs_in_its_own_folder_with_its_profile(lesson, tmp_path, capsys):
    path = lesson(
        where="import os, pathlib; print(pathlib.Path.cwd().name)",
        profile="print(os.environ['COURSE_PROFILE'])",
    )
    kept = tmp_path / "executed"
    assert run(path, "--profile", "quick", "--keep", str(kept)) == 0
    executed = nbformat.read(kept / "en/06_demo.ipynb", as_version=4)
    assert [cell.outputs[0].text for cell in executed.cells] == ["en\n", "quick\n"]
    assert nbformat.read(path, as_version=4).cells[0].outputs == []  # not touched
    table = capsys.readouterr().out
    assert "en/06_demo .. " in table  # a dot per cell
    assert "Profile quick" in table and "together" in table


FAILURES = {
    "raised": ("one = 1\nnone = one / 0", ["ZeroDivisionError", "none = one / 0"]),
    "wrote to stderr": ("import warnings; warnings.warn('old')", ["UserWarning: old"]),
    "ended the Python process": ("import os; os._exit(1)", []),
    "did not finish within 2 s": ("import time; time.sleep(60)", []),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_names_the_cell_and_shows_why(lesson, failure, capsys):
    source, details = FAILURES[failure]
    path = lesson(fine="print('fine')", culprit=source)
    assert run(path, "--timeout", "2") == 1
    shown = capsys.readouterr()
    assert f"en/06_demo: cell 'culprit' {failure}" in shown.err
    assert all(detail in shown.err for detail in details)
    assert "FAILED" in shown.out


def test_a_tensor_forgotten_on_the_cpu_fails_where_there_is_a_gpu(lesson, capsys):
    path = lesson(
        load="import torch; from course_lib.training import device",
        forget="torch.ones(2, device=device()) + torch.ones(2)",
    )
    assert run(path) == (1 if torch.cuda.is_available() else 0)
    assert run(path, "--pretend-gpu") == 1
    assert "cell 'forget' raised" in capsys.readouterr().err


def test_two_at_a_time_wait_for_each_other_and_are_reported_in_order(tmp_path, capsys):
    """Each waits until the other has begun: one after the other they would fail."""
    for mine, other in (("a", "b"), ("b", "a")):
        begun, wanted = (str(tmp_path / f"{name} begun") for name in (mine, other))
        source = (
            f"import pathlib, time; pathlib.Path({begun!r}).touch()\n"
            f"for _ in range(600):\n"
            f"    if pathlib.Path({wanted!r}).exists(): break\n"
            f"    time.sleep(0.1)\n"
            f"else: raise TimeoutError('alone')"
        )
        cells = [new_code_cell(source, id="meet")]
        nbformat.write(new_notebook(cells=cells), tmp_path / f"{mine}.ipynb")
    paths = [str(tmp_path / f"{name}.ipynb") for name in "ab"]
    assert run_notebooks.main([*paths, "--jobs", "2"]) == 0
    table = capsys.readouterr().out.split("Profile")[1]
    assert table.index("/a ") < table.index("/b ")


def test_a_course_without_notebooks_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run_notebooks, "COURSE", tmp_path)
    assert run_notebooks.main([]) == 1
    assert "make build" in capsys.readouterr().out


def test_a_stop_while_the_copy_is_written_leaves_the_old_one(lesson, monkeypatch):
    def half(content, path):
        Path(path).write_text("{", encoding="utf-8")
        raise KeyboardInterrupt

    path = lesson(fine="print('fine')")
    kept = path.parent.parent / "executed"
    monkeypatch.setattr(run_notebooks, "attempt", lambda *_: "")
    run_notebooks.execute(path, 2, kept)
    monkeypatch.setattr(nbformat, "write", half)
    with pytest.raises(KeyboardInterrupt):
        run_notebooks.execute(path, 2, kept)
    copy = nbformat.read(kept / "en/06_demo.ipynb", as_version=4)
    assert copy.cells[0].source == "print('fine')"


def test_a_kernel_that_dies_before_the_first_cell_is_a_failure(lesson, monkeypatch):
    def dead(client):
        raise run_notebooks.DeadKernelError("Kernel died")

    monkeypatch.setattr(run_notebooks.NotebookClient, "execute", dead)
    complaint = run_notebooks.execute(lesson(fine="1"), 2, None).complaint
    assert "(none yet)" in complaint and "ended the Python process" in complaint


def test_a_notebook_that_is_not_there_is_named_before_anything_runs(
    lesson, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(run_notebooks, "attempt", lambda *_: pytest.fail("it ran"))
    assert run(lesson(fine="1"), str(tmp_path / "none.ipynb")) == 1
    assert "none.ipynb is not there" in capsys.readouterr().err
