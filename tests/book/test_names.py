"""Which lessons teach which name, found by reading the notebooks."""

from __future__ import annotations

import nbformat
import pytest
from bookmaking import names
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook


@pytest.fixture(scope="session")
def library(course):
    """Read the names of course_lib."""
    return names.read_library(course)


def uses(library, *cells):
    """Return what one made-up lesson uses: (name, heading, shown)."""
    made = [
        new_markdown_cell(text[1:], id=f"prose-{n}")
        if text.startswith("%")
        else new_code_cell(text, id=f"code-{n}")
        for n, text in enumerate(cells)
    ]
    found = names.taught(library, {"77_test": new_notebook(cells=made)})
    return {path: (rows[0].heading, rows[0].shown) for path, rows in found.items()}


def test_the_names_are_those_of_the_package(library):
    import importlib
    import inspect

    assert len(library.names) > 300
    for path, name in list(library.names.items())[::40]:
        module, _, short = path.rpartition(".")
        thing = getattr(importlib.import_module(module), short)
        # getdoc takes the indentation away, as the book does.
        assert (inspect.getdoc(thing) or "")[:30] == name.doc[:30]


def test_shown_code_counts_more_than_a_call_before_it(library):
    found = uses(
        library,
        "%# First",
        "from course_lib.models import elmo\nelmo.ScalarMix(3)",
        "%## Second",
        "import course_lib\ncourse_lib.source(elmo.ScalarMix.forward)",
    )
    assert found["course_lib.models.elmo.ScalarMix"] == ("Second", True)
    assert found["course_lib.source"] == ("Second", False)


def test_an_alias_and_a_room_that_offers_a_name_are_followed(library):
    found = uses(
        library,
        "%# One",
        "from course_lib import data\nfrom course_lib.training import schedules as s",
        "data.senses('en')\ns.stlr(1, 10)\nnumpy.load('x')\ndata.nothing",
    )
    assert set(found) == {
        "course_lib.data.senses.senses",
        "course_lib.training.schedules.stlr",
    }


def test_the_lessons_themselves_teach_the_main_models(library, course):
    files = sorted(course.glob("notebooks/en/*.ipynb"))
    notebooks = {file.stem: nbformat.read(file, 4) for file in files}
    taught = names.taught(library, notebooks)
    where = {
        path: {use.stem[:2] for use in rows if use.shown}
        for path, rows in taught.items()
    }
    assert "06" in where["course_lib.models.bilm.BiLM"]
    assert "03" in where["course_lib.models.glove.GloVe"]
    assert "10" in where["course_lib.training.schedules.stlr"]
    cells = {stem: {cell.id for cell in n.cells} for stem, n in notebooks.items()}
    for rows in taught.values():
        assert all(use.key in cells[use.stem] for use in rows)
