"""From paper to code: every link leads somewhere, and nothing is left out."""

from __future__ import annotations

import importlib
import re

import pytest
import sources
from bookmaking import api, equations, names

ROWS = equations.read()
MENTION = re.compile(
    r"\b(?:[Ee]quations?|[Ee]qs?\.)\s+\(?(\d+)(?:\s*(and|to|,)\s*(\d+))?"
)
# Whose equations a module or a lesson means when it gives a number: by its name.
PAPERS = {
    "nnlm": "Bengio",
    "charcnn": "Srivastava",
    "word2vec": "Mikolov",
    "glove": "Pennington",
    "elmo": "Peters",
    "elmo_mixing": "Peters",
    "schedules": "Howard",
    "ulmfit": "Howard",
    "transformer": "Vaswani",
    "gpt": "Radford",
}


@pytest.fixture(scope="session")
def library(course):
    """Read the names of course_lib."""
    return names.read_library(course)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.paper[:8]} {row.number}")
def test_each_link_leads_to_code_that_exists(row, library):
    assert row.code or row.note, "without code the map must say why"
    assert bool(row.note) == bool(row.zh_note)
    for path in row.code:
        owner = library.resolve(path)
        assert owner, f"{path}: the book has no entry for it"
        module, _, _ = owner.rpartition(".")
        thing = importlib.import_module(module)
        for part in path.removeprefix(module + ".").split("."):
            thing = getattr(thing, part)
        assert callable(thing)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.paper[:8]} {row.number}")
def test_each_link_leads_to_a_cell_that_explains_it(row, course):
    (path,) = course.glob(f"source/lessons/{row.lesson}_*.py")
    cells = [cell for cell in sources.read(path) if cell.key == row.cell]
    assert {cell.language for cell in cells} == {"en", "zh"}
    assert all("$" in cell.text for cell in cells), "no formula stands there"


def numbers(text):
    """List the numbers of the equations that a text names: "3 to 5" are three."""
    for first, word, last in MENTION.findall(text):
        stop = int(last) if last else int(first)
        both = {int(first), stop}
        yield from range(int(first), stop + 1) if word == "to" else sorted(both)


def test_numbers_are_read_as_a_reader_reads_them():
    text = "Source: X 2018, equations 3 to 5; (eq. 7), equations 8 and 9, equality 4"
    assert list(numbers(text)) == [3, 4, 5, 7, 8, 9]


def named_by_docstrings(course):
    for file in sorted(course.glob("course_lib/[!g]*/*.py")):  # not grading
        for number in numbers(file.read_text("utf-8")):
            yield f"{file.stem}.py", file.stem, number


def named_by_lessons(course):
    for file in sorted(course.glob("source/lessons/*.py")):
        for cell in sources.read(file):
            if cell.language == "en":
                for number in numbers(cell.text):
                    yield f"{file.stem}: {cell.key}", file.stem[3:], number


def test_every_number_that_is_named_is_in_the_map(course):
    mapped = {(row.paper.split()[0].rstrip(","), row.number) for row in ROWS}
    missing = []
    for named in (named_by_docstrings, named_by_lessons):
        for place, stem, number in named(course):
            # Lesson 13 begins with the attention of Vaswani et al., equation 1.
            authors = PAPERS.get(stem, f"(PAPERS does not know {stem})")
            if (authors, str(number)) not in mapped:
                missing.append(f"{place} names equation {number} of {authors}")
    assert not missing, "\n".join(missing)


def test_the_pages_of_the_library_list_every_public_name_once(library):
    pages = api.pages(library, {}, "en")
    for room in ("models", "widgets", "analysis"):
        for path in library.names:
            if path.startswith(f"course_lib.{room}."):
                kind = library.names[path].kind
                short = path.rpartition(".")[2]
                assert f"{{py:{kind}}} {short}(" in pages[f"api/{room}.md"], path
    assert pages["api/models.md"].count("{py:class} ScalarMix(") == 1
    assert "Source: Peters et al. 2018, equation 1" in pages["api/models.md"]
