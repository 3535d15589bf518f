"""A lesson's terms lead to the glossary: once each, and nothing else changes."""

from __future__ import annotations

import html
import re
from pathlib import Path

import first_uses
import nbformat
import pytest
from bookmaking import glossary, lessons
from markdown_it import MarkdownIt

COURSE = Path(__file__).resolve().parents[2]
STEMS = sorted(path.stem for path in (COURSE / "source/lessons").glob("*.py"))
TERMS = glossary.read()


def linked(text: str, language: str = "en") -> str:
    """Return a cell of prose with its terms linked."""
    cell = nbformat.v4.new_markdown_cell(text)
    first_uses.link_terms([cell], TERMS, language)
    return cell.source


def words(text: str) -> list[str]:
    """List what the links to the glossary are written on."""
    return [m[1] for m in lessons.TERM.finditer(text)]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("stem", STEMS)
def test_each_term_is_linked_once_and_has_its_entry(stem, language):
    path = COURSE / f"notebooks/{language}/{stem}.ipynb"
    prose = [c.source for c in nbformat.read(path, 4).cells if c.cell_type[0] == "m"]
    found = re.findall(r"glossary\.md#([\w-]+) ", "\n".join(prose))
    assert len(found) > 5 and len(found) == len(set(found))
    page = (COURSE / f"docs/{language}/glossary.md").read_text("utf-8")
    assert all(f'<a id="{target}"></a>' in page for target in found)
    read = MarkdownIt("commonmark").enable("table")
    html = "\n".join(map(read.render, prose))
    assert html.count("glossary.md#term-") == len(found), "a link stays raw"


def test_code_formulas_headings_html_and_links_keep_their_words():
    kept = (
        "# A token\n\n`token` and $token$, [a token](x.md), ![token](x.svg)\n\n"
        "```python\ntoken = 1\n```\n\n$$token$$\n\n<div>a token\nand a token</div>"
    )
    assert linked(kept) == kept
    assert words(linked(f"{kept}\n\nA token; this token.")) == ["token"]


def test_emphasis_goes_into_the_link_or_the_term_stays_as_it_is():
    """`**[词元](…)**是` would show its stars: emphasis cannot end between ) and 是."""
    assert linked("**词元**是", "zh").startswith("[**词元**](../../docs/zh/glossary.md")
    assert linked("**词元与**句", "zh") == "**词元与**句"


def test_in_the_book_a_term_leads_to_its_own_glossary():
    page = lessons.relinked(linked("An **LSTM** < 1."), "en", ())
    [term] = [term for term in TERMS if term.en == "LSTM"]
    link = '<a class="glossary-link" href="../glossary.html#term-lstm"'
    assert page.startswith(f"An {link}"), page
    assert html.escape(first_uses.hint(term, "en")) in page
    assert page.endswith(">**LSTM**</a> < 1.")
