"""List the papers that a lesson says to read, and to which no link leads.

    python tools/papers.py

Each point of the section "What to read next" is read, in both languages. A link is one
to a DOI, to arXiv or to the ACL Anthology.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import sources

COURSE = Path(__file__).resolve().parent.parent
SECTION = re.compile(r"^##+ .*(?:read next|to read|接下来读|读什么)", re.M | re.I)
POINT = re.compile(r"^\* (.+(?:\n(?!\* |#|\n).+)*)", re.MULTILINE)
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
LINK = re.compile(r"doi\.org|arxiv\.org|aclanthology\.org", re.IGNORECASE)


def without_link(path: Path) -> Iterator[str]:
    """Yield the papers of a lesson, by language, that have no link."""
    for cell in sources.read(path):
        if cell.kind != "markdown" or not (section := SECTION.search(cell.text)):
            continue
        for match in POINT.finditer(cell.text[section.end() :]):
            words = " ".join(match[1].split())
            if YEAR.search(words) and not LINK.search(words):
                yield f"{path.stem} ({cell.language}): {words[:90]}"


if __name__ == "__main__":
    lessons = sorted((COURSE / "source/lessons").glob("*.py"))
    found = [line for path in lessons for line in without_link(path)]
    print(*found, sep="\n")
    print(f"{len(found)} papers without a link", file=sys.stderr)
