"""Link the papers that lessons and exercises cite, by the table in source/papers.toml.

    python tools/papers.py      list citations to which the table has no paper

A paper is linked where an edition first cites it, and again in "What to read next". A
citation is the authors with the year ("Levy and Goldberg (2014)", "Levy 与 Goldberg
（2014）", "Peters et al. 2018b"), the model with the year, or the title in italics.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import sources
from sources import Cell

COURSE = Path(__file__).resolve().parent.parent
TABLE = "source/papers.toml"
SECTION = re.compile(r"^##+ .*(?:read next|to read|接下来读|读什么)", re.M | re.I)
# Not to be linked: formulas, code, links and pictures, headings, what HTML encloses.
TAKEN = re.compile(
    r"\$\$.*?\$\$|\$[^$\n]+\$|```.*?```|`[^`]*`|!?\[[^\]]*\]\([^)]*\)|^#+ .*?$"
    r"|<summary>.*?</summary>|<[^>]+>",
    re.DOTALL | re.MULTILINE,
)
JOIN = r"\s*(?:, and|,|、|and|&|与|和)\s*"
OTHERS = r"(?:\s+et\s+al\.|\s*等人?)"
YEAR = r"(?:['’]s)?(?:[,，]?\s*{0}(?!\s*年|[\da-z])|\s*[(（]{0}[)）])"
MONTHS = "January|February|March|April|May|June|July|August|September|October"
NO_NAME = rf"(?!(?:[A-Z-]{{3,}}|(?:EMNLP-)?CoNLL|In|{MONTHS}|November|December)\b)"
ANY = re.compile(
    rf"(?<![\w-]){NO_NAME}[A-Z][\w-]+(?:{OTHERS}|(?:{JOIN}[A-Z][\w-]+)*)"
    + YEAR.format(r"(?:19|20)\d\d[a-z]?")
)


class Paper(NamedTuple):
    """A paper of the table; the file says what each field is for."""

    authors: list[str]
    years: list[str]
    title: str
    link: str
    name: str = ""
    et_al: str = ""
    lessons: tuple[str, ...] = ()

    def find(self, text: str, lesson: str) -> re.Match | None:
        """Return where a text without its taken parts first cites the paper."""
        by_title = _italics(self.title).search(text)
        here = not self.lessons or lesson in self.lessons
        by_name = _names(self).search(text) if here else None
        found = [match for match in (by_title, by_name) if match]
        return min(found, key=lambda match: match.start(), default=None)


def _names(paper: Paper) -> re.Pattern:
    """Return the pattern of the authors, or the model's name, with the year."""
    first, years = re.escape(paper.authors[0]), "(?:" + "|".join(paper.years) + ")"
    everyone = JOIN.join(map(re.escape, paper.authors)) + YEAR.format(years)
    short = first + OTHERS + YEAR.format(paper.et_al or years)
    forms = [everyone, short]
    if paper.name:
        forms.append(re.escape(paper.name) + YEAR.format(years))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})")


def _italics(title: str) -> re.Pattern:
    """Return the pattern of a title in italics, whole or up to : or ?."""
    spaced = [re.escape(word) for word in title.split()]
    ends = [n for n, word in enumerate(spaced, 1) if word[-1] in ":?"]
    forms = [r"\s+".join(spaced[:n]).rstrip(":") for n in (len(spaced), *ends)]
    return re.compile(rf"(?<!\*)\*(?:{'|'.join(forms)})\*(?!\*)", re.IGNORECASE)


def read(course: Path) -> list[Paper]:
    """Return the papers of a course; none if it has no table."""
    file = course / TABLE
    rows = tomllib.loads(file.read_text("utf-8"))["paper"] if file.exists() else []
    return [Paper(**row) for row in rows]


def linked(cells: list[Cell], papers: list[Paper], lesson: str) -> list[Cell]:
    """Return cells with the papers linked, in each language; lesson: "06".

    Cells that nbgrader or the class grader knows by a name stay as they are.
    """
    cells = list(cells)
    for language in ("en", "zh"):
        prose = [
            at
            for at, cell in enumerate(cells)
            if (cell.kind, cell.language, cell.role) == ("markdown", language, None)
        ]
        for paper in papers:
            _link_first(cells, [(at, 0) for at in prose], paper, lesson)
            to_read = [(at, SECTION.search(cells[at].text)) for at in prose]
            places = [(at, section.end()) for at, section in to_read if section]
            if not any(f"]({paper.link})" in cells[at].text[n:] for at, n in places):
                _link_first(cells, places, paper, lesson)
    return cells


def _link_first(
    cells: list[Cell], places: list[tuple[int, int]], paper: Paper, lesson: str
) -> None:
    """Link the first citation at or after one of the places, (cell, character)."""
    for at, begin in places:
        text = cells[at].text
        if match := paper.find(_open(text, begin), lesson):
            link = f"[{match[0]}]({paper.link})"
            text = text[: match.start()] + link + text[match.end() :]
            cells[at] = cells[at]._replace(text=text)
            return


def _open(text: str, begin: int = 0) -> str:
    """Blank what must not be linked, and what stands before `begin`."""
    text = " " * begin + text[begin:]
    return TAKEN.sub(lambda match: "\0" * len(match[0]), text)


def unknown(cells: list[Cell], papers: list[Paper], lesson: str) -> Iterator[str]:
    """Yield the citations to which the table has no paper."""
    for cell in cells:
        if cell.kind == "markdown" and cell.language:
            for match in ANY.finditer(_open(cell.text)):
                if not any(paper.find(match[0], lesson) for paper in papers):
                    yield f"{cell.key} ({cell.language}): {' '.join(match[0].split())}"


def files(course: Path) -> dict[Path, str]:
    """Return the sources that cite papers, with the number of their lesson."""
    lessons = {path: path.stem[:2] for path in course.glob("source/lessons/*.py")}
    exercises = course.glob("source/assignments/*/notebook.py")
    return lessons | {path: path.parent.name[:2] for path in exercises}


if __name__ == "__main__":
    table = read(COURSE)
    found = [
        f"{path.relative_to(COURSE)}: {line}"
        for path, lesson in sorted(files(COURSE).items())
        for line in unknown(sources.read(path), table, lesson)
    ]
    print(*found, sep="\n")
    print(f"{len(found)} citations of papers that have no link", file=sys.stderr)
