"""Link the terms of the glossary in a lesson, each where its prose first uses it.

Under the pointer a link says what its term means; it leads to docs/{en,zh}/glossary.md,
in the book to its own page of the glossary.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat

DOCS = Path(__file__).resolve().parents[1] / "docs"
sys.path.insert(0, str(DOCS))

from bookmaking import glossary  # noqa: E402
from bookmaking.editions import pick  # noqa: E402

# What is no running prose: code, formulas, headings, HTML, links.
NEVER = r"""
    ^```.*?^``` | `[^`\n]+` | \$\$.*?\$\$ | \$[^$\n]+\$ | ^\#[^\n]*
  | ^[ ]{0,3}<[^\n]*(?:\n[^\n]+)* | <[^>\n]+> | !?\[[^]]*\]\([^)]*\)
"""
STARS = r"\*{0,3}"  # of emphasis; a link takes them in if they stand on both sides


def link_terms(
    edition: list[nbformat.NotebookNode], known: list[glossary.Term], language: str
) -> None:
    """Link the terms in the cells of a lesson, which are changed."""
    pattern, owner = glossary.pattern(known, language)
    found = re.compile(
        f"(?xsm:{NEVER})|(?P<before>{STARS})(?P<term>{pattern.pattern})(?P<after>{STARS})",
        re.MULTILINE,
    )
    seen: set[glossary.Term] = set()

    def linked(match: re.Match) -> str:
        if not match["term"] or match["before"] != match["after"]:
            return match[0]
        term = glossary.owner_of(match["term"], owner)
        if term in seen:
            return match[0]
        seen.add(term)
        return f'[{match[0]}]({address(term, language)} "{hint(term, language)}")'

    for cell in edition:
        if cell.cell_type == "markdown":
            cell.source = found.sub(linked, cell.source)


def address(term: glossary.Term, language: str) -> str:
    """Return where a lesson finds the entry of a term."""
    return f"../../docs/{language}/glossary.md#{term.target}"


def hint(term: glossary.Term, language: str) -> str:
    """Say what a term means, and what it is called in the other language."""
    said = pick(language, f"{term.zh}: {term.means}", f"{term.en}：{term.zh_means}")
    return re.sub(r"[*`|]", "", said).replace('"', "'")


def terms(course: Path) -> list[glossary.Term]:
    """Return the terms of a course; none if it has no glossary."""
    file = course / "docs/glossary.toml"
    return glossary.read(file) if file.exists() else []


def page(known: list[glossary.Term], language: str) -> str:
    """Write the glossary as a page of its own, as Jupyter and a web site show it.

    It names the lessons without links: those to notebooks/ lead a student out of work/.
    """
    text = glossary.page(known, language, stems=[])
    return re.sub(r"\{#(\S+) \.glossary-entry\}\n", r'<a id="\1"></a>', text) + "\n"
