"""Read running text out of marked-up sources: textbooks, novels, Chinese articles.

A document is a chapter, a module of a textbook, or an article. Only prose is kept:
formulas, tables, code, exercises, glossaries, lists of links and metadata are not.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from course_lib.data.files import DamagedData
from course_lib.data.readers import Document, chinese, json_rows, lines, members
from course_lib.text.tokenise import sentences, straighten, words_en

Element = ElementTree.Element
GAP = "\ufffc"  # stands where something that is not text was
TYPOGRAPHY = str.maketrans(
    {"—": "--", "…": "...", "‑": "-", "\u2060": "", "\ufeff": "", "\u00ad": ""}
)
# Of CNXML. A link without text is a number that the printed book fills in.
FORMULA = {"math", "equation", "code"}
ASIDE = {"footnote", "note-ref", "media", "figure", "table", "iframe"}
NOT_PROSE = FORMULA | ASIDE | {"exercise", "glossary", "metadata"}
APPARATUS = re.compile(  # in a section's class or title
    r"(?i)objective|outcome|question|exercise|problem|practice|check|quiz|test prep"
    r"|referenc|resource|reading|research|endnote|link|teacher|key.(?:term|equation)"
)
END_OF_TEXT = re.compile(r"""[.!?:;]['")\]]*$""")


def trees(path: Path, suffix: str) -> Iterator[Element]:
    """Parse the XML files of a zip, in the order of their names."""
    for name, text in members(path, "utf-8", suffix):
        try:
            yield ElementTree.fromstring(text.encode())
        except ElementTree.ParseError as error:
            raise DamagedData(
                f"{path}: {name} is not well-formed XML ({error}). "
                "Delete the file and run again to download it."
            ) from error


def kind(element: Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def inner_text(element: Element) -> str:
    """Return an element's text, with a GAP for each formula and unwritten number."""
    found = [element.text or ""]
    for child in element:
        name = kind(child)
        if name in FORMULA or (name == "link" and not "".join(child.itertext())):
            found.append(GAP)
        elif name not in ASIDE:
            found.append(inner_text(child))
        found.append(child.tail or "")
    return "".join(found)


def prose(paragraphs: Iterator[str]) -> Document:
    """Tokenise paragraphs; leave out headings, and the sentences with a GAP."""
    found = []
    for paragraph in paragraphs:
        text = straighten(" ".join(paragraph.translate(TYPOGRAPHY).split()))
        if END_OF_TEXT.search(text):
            found += [words_en(s) for s in sentences(text) if GAP not in s]
    return found


def openstax(path: Path) -> Iterator[Document]:
    """Read OpenStax textbooks (CNXML): a module a document, without its apparatus."""

    def paragraphs(element: Element) -> Iterator[str]:
        for child in element:
            title = "".join(e.text or "" for e in child if kind(e) == "title")
            if kind(child) in NOT_PROSE:
                continue
            if kind(child) in ("para", "item"):
                yield inner_text(child)
            elif not APPARATUS.search(f"{child.get('class')} {title}"):
                yield from paragraphs(child)

    for tree in trees(path, "index.cnxml"):
        if document := prose(paragraphs(tree)):
            yield document


def standard_ebooks(path: Path) -> Iterator[Document]:
    """Read Standard Ebooks (XHTML): a chapter a document."""
    for tree in trees(path, ".xhtml"):
        found = (inner_text(e) for e in tree.iter() if kind(e) == "p")
        if document := prose(found):
            yield document


# Of Markdown, in this order.
BLOCKS = re.compile(r"^(```|~~~).*?^\1[^\n]*$|^(?: {4}|\t).*$|<!--.*?-->", re.M | re.S)
MARKUP = [
    (re.compile(r"!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]"), ""),  # a picture
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),  # a link
    (re.compile(r"<rt>.*?</rt>|<[^<>]*>"), ""),  # the gloss of a word, and tags
    (re.compile(r"https?://[\w./?=&%#~:+-]*"), ""),
    (re.compile(r"^[\s>]*(?:[-*+]|\d+\.)?\s+|\\(?=[^\w\s])|[*`]+", re.M), ""),
]
HAN = re.compile(r"[\u4e00-\u9fff]")
CLAUSE = re.compile(r"[，。！？；]")
NOTICE = re.compile(  # of translators and editors, in every article
    r"掘金|译者|校对|LCTT|Linux\s*中国|Pull request|永久链接|周五发布|本杂志|谁在招人"
)


def articles(path: Path, *, unit: str = "words") -> Iterator[Document]:
    """Read Chinese articles in Markdown, one a document, their prose only.

    A line is prose if most of it is Chinese and a clause ends in it; headings, notices
    of the translators, and articles that are not translated fall away.
    """
    for _, text in members(path, "utf-8", ".md"):
        text = BLOCKS.sub("", text)
        for pattern, instead in MARKUP:
            text = pattern.sub(instead, text)
        kept = [line.strip() for line in text.split("\n") if is_prose(line)]
        if kept:
            yield chinese("\n".join(kept), unit)


def is_prose(line: str) -> bool:
    """Tell whether a line of Markdown is a Chinese sentence, not a heading or code."""
    solid = "".join(line.split())
    mostly = 2 * len(HAN.findall(solid)) > len(solid)
    return bool(mostly and CLAUSE.search(solid) and not NOTICE.search(line)) and (
        not line.startswith(("#", "|", "["))
    )


def fields(column: str) -> Callable[..., Iterator[Document]]:
    """Make the reader of one field of JSON lines, each a document, from all files."""

    def read(*paths: Path, unit: str = "words") -> Iterator[Document]:
        for path in paths:
            for row in json_rows(path, column):
                if row[column].strip():
                    yield chinese(row[column], unit)

    return read


def whole_json(path: Path) -> list | dict:
    """Parse a file that is one JSON value."""
    try:
        return json.loads("".join(lines(path)))
    except json.JSONDecodeError as error:
        raise DamagedData(
            f"{path}, line {error.lineno}: not JSON ({error.msg}): a cut download? "
            "Delete it and run again to download it."
        ) from error


def cmrc2018(*paths: Path, unit: str = "words") -> Iterator[Document]:
    """Read the paragraphs of the Chinese Wikipedia that CMRC 2018 asks about."""
    for path in paths:
        for row in whole_json(path):
            yield chinese(needed(row, "context_text", path), unit)


def cmrc2019(*paths: Path, unit: str = "words") -> Iterator[Document]:
    """Read CMRC 2019's stories without the sentences that have a gap ([BLANK1])."""
    for path in paths:
        for row in needed(whole_json(path), "data", path):
            whole = sentences(needed(row, "context", path), "zh")
            kept = [s for s in whole if "[BLANK" not in s]
            if kept:
                yield chinese("\n".join(kept), unit)


def needed(row: dict, column: str, path: Path) -> Any:
    """Return a field that must be there."""
    if column not in row:
        raise DamagedData(
            f"{path}: an entry without {column}. "
            "Delete the file and run again to download it."
        )
    return row[column]
