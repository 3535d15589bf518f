"""The page of progress says what the saved notebooks say, and counts nothing else."""

from __future__ import annotations

import json

import own_copy
import progress
import pytest


@pytest.fixture
def copy(course, tmp_path):
    own_copy.update(course / "notebooks", tmp_path)
    return tmp_path


def save(path, change) -> None:
    """Change the cells of a notebook and save it, as JupyterLab does."""
    content = json.loads(path.read_bytes())
    for cell in content["cells"]:
        change(cell)
    path.write_text(json.dumps(content), encoding="utf-8")


def run(cell, outputs=()) -> None:
    if cell["cell_type"] == "code":
        cell["execution_count"], cell["outputs"] = 1, list(outputs)


def test_at_first_nothing_is_done(copy):
    for language, lesson in (("en", "03 · GloVe"), ("zh", "03 · GloVe：")):
        text = progress.page(copy / language, language)
        assert lesson in text and "✓" not in text
        rows = [line for line in text.splitlines() if line.startswith("| [")]
        assert len(rows) == 17 and all("](" in row for row in rows)


def test_a_lesson_is_done_when_every_cell_was_run_without_an_error(copy):
    path = copy / "en/03_glove.ipynb"
    save(path, run)
    assert progress.progress(path).complete
    assert "1 of 16 lessons" in progress.page(copy / "en", "en")
    error = {"output_type": "error", "ename": "E", "evalue": "", "traceback": []}
    save(path, lambda cell: run(cell, [error]))
    assert progress.progress(path).cells.done == 0


def test_an_exercise_is_done_when_checks_passed_and_answers_are_written(copy):
    path = copy / "zh/exercises/03_glove.ipynb"
    save(path, run)
    found = progress.progress(path)
    assert found.checks.done == found.checks.all == 4
    assert found.written.done == 0 and not found.complete
    save(path, lambda c: progress.is_marked(c) and c.update(source="因为……"))
    assert progress.progress(path).complete


def test_a_check_that_failed_has_not_passed(copy):
    path = copy / "en/exercises/03_glove.ipynb"
    error = {"output_type": "error", "ename": "WrongAnswer", "evalue": ""}
    save(path, lambda cell: run(cell, [error] if progress.is_marked(cell) else []))
    assert progress.progress(path).checks.done == 0


def test_a_newer_version_has_a_row_of_its_own_and_a_broken_file_does_no_harm(copy):
    lesson = copy / "en/03_glove.ipynb"
    lesson.with_stem("03_glove_new").write_bytes(lesson.read_bytes())
    lesson.write_bytes(b"{cut off")
    text = progress.page(copy / "en", "en")
    assert "(new version)](03_glove_new.ipynb)" in text
    assert "](03_glove.ipynb)" in text and "0 of 16 lessons" in text


def test_both_pages_are_written(copy):
    progress.refresh(copy)
    assert "16 课学完了 0 课" in (copy / "zh/progress.md").read_text(encoding="utf-8")
    assert "0 of 16 lessons" in (copy / "en/progress.md").read_text(encoding="utf-8")
