"""Find words that students should not meet, by the list in source/terms.toml.

python tools/terms.py        list all of them, also those that may still be there
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

COURSE = Path(__file__).resolve().parent.parent
LIST = "source/terms.toml"
# A source holds both languages, a page one; both are read for every term.
READ = (
    "source/lessons/*.py",
    "source/assignments/*/*.py",
    "docs/*/*.md",
    "docs/*/sheets/*.md",
    "docs/glossary.toml",
    "README*.md",
)


class Term(NamedTuple):
    """A pattern that must not come, what to say instead, and whether that is so yet."""

    language: str
    pattern: re.Pattern
    say: str
    on: bool


def read(course: Path) -> list[Term]:
    """Return the terms of a course; none if it has no list."""
    file = course / LIST
    rows = tomllib.loads(file.read_text("utf-8"))["term"] if file.exists() else []
    return [Term(**row | {"pattern": re.compile(row["pattern"], re.I)}) for row in rows]


def problems(course: Path, everything: bool = False) -> Iterator[str]:
    """Yield where a term stands, with file and line, and what to say instead."""
    known = [term for term in read(course) if term.on or everything]
    for path in sorted(
        {p for form in READ for p in course.glob(form)} if known else ()
    ):
        name = path.relative_to(course).as_posix()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            for term in known:
                if match := term.pattern.search(line):
                    yield f"{name}:{number}: not “{match[0]}”; say: {term.say}"


if __name__ == "__main__":
    found = list(problems(COURSE, everything=True))
    print(*found, sep="\n")
    print(f"{len(found)} places", file=sys.stderr)
