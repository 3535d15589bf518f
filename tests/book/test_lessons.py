"""A lesson's page: whose outputs are fresh, and what is cleaned on the way."""

from __future__ import annotations

import hashlib
import io
import tarfile
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from bookmaking import lessons, mathjax
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output


@pytest.fixture
def notebook():
    """Return a small lesson, not executed."""
    prose = new_markdown_cell("# 77 · Title\n\nText.", id="title")
    folded = {"jupyter": {"source_hidden": True}}
    code = new_code_cell("print(1 + 1)", id="sum", metadata=folded)
    return new_notebook(cells=[prose, code])


@pytest.fixture
def executed(notebook, tmp_path):
    """Return the path of its executed copy."""
    copy = nbformat.from_dict(notebook)
    copy.cells[1].execution_count = 1
    copy.cells[1].outputs = [new_output("stream", name="stdout", text="2\n")]
    nbformat.write(copy, tmp_path / "77_title.ipynb")
    return tmp_path / "77_title.ipynb"


def test_outputs_stay_fresh_when_prose_changes_and_not_when_code_does(
    notebook, executed
):
    assert lessons.fresh(notebook, executed)
    notebook.cells[0].source = "# Another title"
    assert lessons.fresh(notebook, executed)
    notebook.cells[1].source = "print(1 + 2)"
    assert not lessons.fresh(notebook, executed)
    assert not lessons.fresh(notebook, executed.with_name("none.ipynb"))


def test_a_copy_that_failed_or_stopped_is_not_fresh(notebook, executed):
    copy = lessons.read(executed)
    copy.cells[1].execution_count = None
    nbformat.write(copy, executed)
    assert not lessons.fresh(notebook, executed)
    copy.cells[1].execution_count = 1
    copy.cells[1].outputs = [new_output("error", ename="E", evalue="", traceback=[])]
    nbformat.write(copy, executed)
    assert not lessons.fresh(notebook, executed)


def test_a_quick_copy_does_not_pass_for_a_full_one(notebook, executed):
    assert lessons.fresh(notebook, executed, "full")  # it does not say what it is
    copy = lessons.read(executed)
    copy.metadata["course"] = {"profile": "quick"}  # as run_notebooks.py writes it
    nbformat.write(copy, executed)
    assert lessons.fresh(notebook, executed, "quick")
    assert not lessons.fresh(notebook, executed, "full")
    page = lessons.page(notebook, lessons.read(executed), "77_title", "en")
    assert "quick profile" in page.cells[1].source


def test_the_page_has_the_prose_of_today_and_the_outputs_of_the_copy(
    notebook, executed
):
    notebook.cells[0].source = "# New title"
    page = lessons.page(notebook, lessons.read(executed), "77_title", "en")
    assert page.cells[0].source == "(lesson-77-title)=\n# New title"
    assert page.cells[1].outputs[0].text == "2\n"
    assert page.cells[1].metadata["tags"] == ["hide-input"]
    assert notebook.cells[1].outputs == []  # the lesson itself is as it was


def test_prose_that_begins_with_a_term_can_be_linked_to_as_well(notebook):
    notebook.cells[0].source = '[Word](../../docs/en/glossary.md#term-w "w") by word.'
    page = lessons.page(notebook, None, "77_title", "en")
    assert page.cells[0].source.startswith("(lesson-77-title)=\n<a class=")


def test_a_lesson_without_outputs_says_so_in_its_language(notebook):
    for language, word in (("en", "without outputs"), ("zh", "没有输出")):
        page = lessons.page(notebook, None, "77_title", language)
        assert word in page.cells[1].source
        assert page.cells[2].outputs == []


def test_a_bar_printed_in_pieces_is_one_line():
    new = nbformat.v4.new_output
    pieces = [new("stream", name="stdout", text=t) for t in ("\r0%", "\r100%", "\n2")]
    picture = new("display_data", data={"text/html": "<svg/>"})
    before, shown, after = lessons.joined([*pieces, picture, pieces[2]])
    assert (before.text, shown, after.text) == ("\r0%\r100%\n2", picture, "\n2")
    assert lessons.clean(before).text == "100%\n2"
    assert pieces[0].text == "\r0%"  # the executed copy is as it was


def test_a_progress_bar_leaves_its_last_state():
    assert lessons.overwritten("0%\r50%\r100%\ndone\n") == "100%\ndone\n"
    assert lessons.overwritten("a line\r\n") == "a line\n"


def test_of_a_widget_the_twin_stays_and_of_code_the_text():
    view = {"application/vnd.jupyter.widget-view+json": {}, "text/html": "<p>twin</p>"}
    kept = lessons.clean(new_output("display_data", data=view))
    assert kept.data == {"text/html": "<p>twin</p>"}
    code = {
        "text/html": '<div class="highlight">…</div>',
        "text/latex": "…",
        "text/plain": "def f():\n    return 1\n",
    }
    kept = lessons.clean(new_output("display_data", data=code))
    assert kept.data == {"text/markdown": "```python\ndef f():\n    return 1\n```"}


def test_a_changed_package_of_mathjax_is_refused_and_deleted(tmp_path):
    package = tmp_path / f"mathjax-{mathjax.VERSION}.tgz"
    package.write_bytes(b"something else")
    with pytest.raises(mathjax.CannotFetch, match="SHA-256"):
        mathjax.fetch(tmp_path)
    assert not package.exists()


def test_several_builds_may_fetch_mathjax_at_once(tmp_path, monkeypatch):
    package = tmp_path / f"mathjax-{mathjax.VERSION}.tgz"
    with tarfile.open(package, "w:gz") as archive:
        for name in (f"package/es5/{mathjax.SCRIPT}", "package/LICENSE"):
            member = tarfile.TarInfo(name)
            member.size = 2_000_000
            archive.addfile(member, io.BytesIO(bytes(member.size)))
    found = hashlib.sha256(package.read_bytes()).hexdigest()
    monkeypatch.setattr(mathjax, "SHA256", found)
    with ThreadPoolExecutor(8) as builds:
        for ready in builds.map(mathjax.fetch, [tmp_path] * 8):
            assert (ready / mathjax.SCRIPT).stat().st_size == 2_000_000
    assert sorted(tmp_path.iterdir()) == [ready, package]


def test_links_between_notebooks_lead_to_pages_of_the_book():
    pages = {"lessons/07_elmo_mixing.ipynb", "sheets/06_elmo_bilm.md"}
    text = (
        "[On](07_elmo_mixing.ipynb) · [sheet](../../docs/en/sheets/06_elmo_bilm.md#x)"
    )
    assert lessons.relinked(text, "en", pages) == (
        "[On](07_elmo_mixing.ipynb) · [sheet](../sheets/06_elmo_bilm.md#x)"
    )


def test_what_the_book_has_no_page_for_is_named_with_its_path():
    text = "[Exercises](exercises/06_elmo_bilm.ipynb), [a](https://example.org/b.md)"
    assert lessons.relinked(text, "zh", ()) == (
        "Exercises (`notebooks/zh/exercises/06_elmo_bilm.ipynb`), "
        "[a](https://example.org/b.md)"
    )


def test_a_picture_is_no_link_to_a_page():
    text = "![a cell](../drawings/cell_en.svg) ![b](b.md)"
    assert lessons.relinked(text, "en", ()) == text
