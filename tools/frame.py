"""What the build adds to the prose of a lesson: how long it takes, where to go on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import first_uses
import nbformat
from nbformat.v4 import new_markdown_cell
from sources import Cell, SourceError

PER_MINUTE = {"en": 200, "zh": 350}  # words; characters
CODE_CELL = 0.5  # minutes for one that is open
LONGEST, MOST_WORDS = 35, 3500
BEGINNINGS = {"en": ("Lessons: ", "For this lesson: "), "zh": ("各课：", "本课：")}
FOOTER = "links"  # the key of the cell with the links
TIME = re.compile(r"^.*(?:Running time|运行时间|实测)", re.MULTILINE)
NOT_READ = r"^```.*?^```|\$\$.*?\$\$|</?[a-z][^>]*>|\]\([^)]*\)|https?://\S+"
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
WORDS = {"en": r"[^\W_][\w'’.,-]*", "zh": r"[\u4e00-\u9fff]|[A-Za-z0-9][\w.,-]*"}

Names = dict[str, dict[str, str]]  # lesson -> language -> its heading


# -- reading time ----------------------------------------------------------------------


def length(cells: list[Cell], language: str) -> tuple[int, int]:
    """Count words of English prose, or characters of Chinese: open and folded ones."""
    prose = "\n\n".join(cell.text for cell in cells if cell.language == language)
    folded = "\n\n".join(FOLDED.findall(prose))
    return _count(FOLDED.sub(" ", prose), language), _count(folded, language)


def _count(text: str, language: str) -> int:
    read = re.sub(NOT_READ, " ", text, flags=re.DOTALL | re.MULTILINE)
    return len(re.findall(WORDS[language], re.sub(r"\$[^$\n]+\$", " x ", read)))


def reading_minutes(cells: list[Cell], language: str) -> tuple[int, int]:
    """Return how many minutes it takes to read what is open, and what is folded.

    Open are prose and code; code that is folded only draws, and nobody has to read it.
    """
    code = sum(cell.kind == "code" and not cell.options.get("fold") for cell in cells)
    opened, folded = (words / PER_MINUTE[language] for words in length(cells, language))
    return max(1, round(opened + CODE_CELL * code)), round(folded)


def too_long(name: str, cells: list[Cell]) -> Iterator[str]:
    """Say in which language the open part takes too long to read in one sitting."""
    for language in PER_MINUTE:
        minutes, words = reading_minutes(cells, language)[0], length(cells, language)[0]
        if minutes > LONGEST or (language == "en" and words > MOST_WORDS):
            unit = {"en": "words", "zh": "characters"}[language]
            yield (
                f"{name} ({language}): {minutes} minutes to read, {words:,} {unit}; "
                f"better {LONGEST} minutes and {MOST_WORDS:,} words at most"
            )


def with_reading_time(text: str, minutes: tuple[int, int], language: str) -> str:
    """Write the reading time before the running time, or at the end of a title cell."""
    said = reading_time(*minutes, language)
    found = TIME.search(text)
    if not found:
        return f"{text}\n\n{said}"
    gap = {"en": "\n", "zh": ""}[language]
    return text[: found.start()] + said + gap + text[found.start() :]


def reading_time(opened: int, folded: int, language: str) -> str:
    """Say the minutes for what is open, and those more for all that is folded."""
    unit = "minute" if opened == 1 else "minutes"
    said = {"en": f"Reading: about {opened} {unit}", "zh": f"阅读约 {opened} 分钟"}
    if folded:
        said["en"] += f", and {folded} more for all that is folded"
        said["zh"] += f"，折叠的部分全部打开另需约 {folded} 分钟"
    return said[language] + {"en": ".", "zh": "。"}[language]


# -- links -----------------------------------------------------------------------------


def headings(lessons: dict[str, list[Cell]]) -> Names:
    """Return the first heading of each lesson in both languages."""
    found: Names = {}
    for stem, cells in lessons.items():
        prose = [cell for cell in cells if cell.kind == "markdown"]
        for cell in reversed(prose):  # so that the first one stays
            if heading := re.match(r"# (.+)", cell.text):
                found.setdefault(stem, {})[cell.language] = heading[1]
    return found


def book_address(course: Path) -> str:
    """Return where the book is published, as pyproject.toml says, or ""."""
    file = course / "pyproject.toml"
    about = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return about.get("project", {}).get("urls", {}).get("Book", "").rstrip("/")


def links(course: Path, stem: str, names: Names, language: str) -> dict[str, str]:
    """Return {address: words} of what belongs to a lesson; paths from its folder."""
    stems = sorted(names)
    at = stems.index(stem)
    found = {}
    if at:
        found[f"{stems[at - 1]}.ipynb"] = f"← {names[stems[at - 1]][language]}"
    if at + 1 < len(stems):
        found[f"{stems[at + 1]}.ipynb"] = f"{names[stems[at + 1]][language]} →"
    if (course / f"source/assignments/{stem}/notebook.py").exists():
        words = {"en": "Exercises", "zh": "练习"}
        found[f"exercises/{stem}.ipynb"] = words[language]
    sheet = f"docs/{language}/sheets/{stem}.md"
    if (course / sheet).exists():
        found[f"../../{sheet}"] = {"en": "Cheat sheet", "zh": "速查页"}[language]
    if (course / "docs/glossary.toml").exists():
        words = {"en": "Glossary", "zh": "术语表"}
        found[f"../../docs/{language}/glossary.md"] = words[language]
    if address := book_address(course):
        words = {"en": "This lesson in the book", "zh": "网页版"}
        found[f"{address}/{language}/lessons/{stem}.html"] = words[language]
    return found


def footer(
    found: dict[str, str], edition: list[nbformat.NotebookNode], language: str
) -> str:
    """Write the links that the prose of a lesson does not have yet."""
    prose = "\n".join(c.source for c in edition if c.cell_type == "markdown")
    new = {to: words for to, words in found.items() if f"]({to}" not in prose}
    on = [f"[{words}]({to})" for to, words in new.items() if set(words) & set("←→")]
    more = [f"[{words}]({to})" for to, words in new.items() if words not in "".join(on)]
    rows = zip(BEGINNINGS[language], (on, more), strict=True)
    return "\n\n".join(begin + " · ".join(row) for begin, row in rows if row)


def framed(
    course: Path,
    stem: str,
    lessons: dict[str, list[Cell]],
    edition: list[nbformat.NotebookNode],
    language: str,
) -> list[nbformat.NotebookNode]:
    """Return an edition with its reading time and links: terms, and where to go on."""
    if any(cell.id == FOOTER for cell in edition):
        raise SourceError(f"{stem}: the key '{FOOTER}' is the build's; choose another")
    title = next((c for c in edition if c.cell_type == "markdown"), None)
    if title:
        minutes = reading_minutes(lessons[stem], language)
        title.source = with_reading_time(title.source, minutes, language)
    found = links(course, stem, headings(lessons), language)
    text = footer(found, edition, language)
    if terms := first_uses.terms(course):
        first_uses.link_terms(edition, terms, language)
    return [*edition, *([new_markdown_cell(text, id=FOOTER)] if text else [])]
