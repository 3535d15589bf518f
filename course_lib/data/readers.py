"""Read documents of running text: one short generator for each corpus.

A document is a list of sentences, a sentence a list of tokens. Every reader
yields documents in one fixed order: that of the file, or of sorted file names.
Chinese readers take `unit`: "words" (jieba) or "characters".
"""

from __future__ import annotations

import csv
import html
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from course_lib.data.files import DamagedData, sound, text_lines
from course_lib.text.tokenise import characters_zh, sentences, words_en, words_zh

Document = list[list[str]]
NOT_TEXT = re.compile(r"(?i)(readme|contents|cats\.txt|categories\.txt|stopwords|olac)")
DOUBLED = re.compile(r"([.,:;?!]) \1(?= |$)")  # Brown writes "; ;" and "? ?"


def english(text: str) -> Document:
    """Tokenise one English text."""
    return [words_en(sentence) for sentence in sentences(text)]


def chinese(text: str, unit: str = "words") -> Document:
    """Tokenise one Chinese text into words or characters."""
    units = {"words": words_zh, "characters": characters_zh}
    if unit not in units:
        raise ValueError(f"unit is {unit!r}; Chinese text has {' or '.join(units)}")
    split = units[unit]
    return [split(sentence) for sentence in sentences(text, "zh")]


def members(path: Path, encoding: str, inside: str = "") -> Iterator[tuple[str, str]]:
    """Yield (name, text) of a zip's text files whose name contains `inside`."""
    with sound(path), zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith("/") or NOT_TEXT.match(name.rpartition("/")[2]):
                continue
            if inside in name:
                lines = archive.read(name).splitlines(keepends=True)
                if encoding == "utf-8":
                    text = "".join(text_lines(lines, f"{path}: {name}"))
                else:
                    text = b"".join(lines).decode(encoding)
                yield name, text.replace("\r\n", "\n")


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, or of the one file in a zip."""
    with sound(path):
        if path.suffix == ".zip":
            archive = zipfile.ZipFile(path)
            with archive, archive.open(archive.namelist()[0]) as raw:
                yield from text_lines(raw, path)
        else:
            with path.open("rb") as raw:
                yield from text_lines(raw, path)


def csv_rows(path: Path, *columns: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line number, row) of a CSV file that must have the columns given."""
    rows = csv.DictReader(lines(path))
    missing = [c for c in columns if c not in (rows.fieldnames or ())]
    if missing:
        raise DamagedData(
            f"{path}, line 1: no column {', '.join(missing)} (found: "
            f"{', '.join(rows.fieldnames or ()) or 'nothing'}). "
            "Delete the file and download it again."
        )
    for row in rows:
        if any(row[column] is None for column in columns):
            raise DamagedData(
                f"{path}, line {rows.line_num}: fewer than the "
                f"{len(rows.fieldnames)} columns {', '.join(rows.fieldnames)}. "
                "Repair the line, or delete the file and download it again."
            )
        yield rows.line_num, row


def known_category(category: str | None, met: set, path: Path) -> None:
    """Raise ValueError if a category was asked for that no review of a file is of."""
    if category is not None and category not in met:
        there = sorted(met - {None}) or "none"
        raise ValueError(f"no category {category!r} in {path}; there are: {there}")


def json_rows(path: Path, *columns: str) -> Iterator[dict]:
    """Yield the objects of a JSON-lines file that must have the columns given."""
    for number, line in enumerate(lines(path), start=1):
        try:
            row = json.loads(line)
            missing = [column for column in columns if column not in row]
        except (json.JSONDecodeError, TypeError) as error:
            raise DamagedData(f"{path}, line {number}: not JSON ({error})") from error
        if missing:
            raise DamagedData(f"{path}, line {number}: no {', '.join(missing)}")
        yield row


def brown(path: Path) -> Iterator[Document]:
    """Read the Brown corpus: 500 samples of about 2,000 words (word/tag)."""
    for _, text in members(path, "ascii"):
        document = []
        for line in filter(str.strip, text.splitlines()):
            words = " ".join(item.rpartition("/")[0] for item in line.split())
            document.append(words_en(DOUBLED.sub(r"\1", words)))
        yield document


def reuters(path: Path) -> Iterator[Document]:
    """Read Reuters newswire: a headline, then indented paragraphs."""
    for _, text in members(path, "latin-1"):
        headline, _, body = html.unescape(text).partition("\n")
        yield english(headline + "\n\n" + re.sub(r"\n {5,}", "\n\n", body))


def gutenberg(path: Path) -> Iterator[Document]:
    """Read the Gutenberg selection: one book a document, _emphasis_ removed."""
    for _, text in members(path, "latin-1"):
        yield english(text.replace("_", ""))


def blocks(path: Path) -> Iterator[Document]:
    """Read files in which a line ends a sentence and a blank line a document."""
    for _, text in members(path, "latin-1"):
        for block in re.split(r"\n\s*\n", html.unescape(text)):
            if block.strip():
                yield english(block.replace("\n", "\n\n"))


def masc(path: Path) -> Iterator[Document]:
    """Read MASC (word_TAG): a line holds one sentence or a few."""
    for _, text in members(path, "utf-8"):
        words = re.sub(r"(\S+)_[^\s_]+(?=\s|$)", r"\1", text)
        yield english(words.replace("\n", "\n\n"))


def movie_reviews(path: Path) -> Iterator[Document]:
    """Read 2,000 film reviews (lower case, one sentence a line)."""
    for _, text in members(path, "ascii"):
        reviewed = text.replace(". . .", "...").splitlines()
        yield [words_en(line) for line in reviewed if line.strip()]


def bbc(path: Path) -> Iterator[Document]:
    """Read BBC news: a headline, then paragraphs."""
    for _, text in members(path, "latin-1"):
        yield english(text.replace("\n", "\n\n"))


def imdb(path: Path) -> Iterator[Document]:
    """Read IMDb's reviews except the labelled test set."""
    for _, text in imdb_texts(path, "train/neg", "train/pos", "train/unsup"):
        yield english(text)


def imdb_texts(path: Path, *folders: str) -> Iterator[tuple[str, str]]:
    """Yield (folder, text) in archive order: sorting would take a second pass."""
    with sound(path), tarfile.open(path) as archive:
        for member in archive:
            folder, _, name = member.name.removeprefix("aclImdb/").rpartition("/")
            if folder in folders and member.isfile():
                raw = archive.extractfile(member).read().splitlines()
                text = "\n".join(text_lines(raw, f"{path}: {member.name}"))
                yield folder, text.replace("<br />", "\n")


def reviews_zh(
    path: Path, *, unit: str = "words", category: str | None = None
) -> Iterator[Document]:
    """Read the column `review` of a CSV file, one review a document."""
    met = set()
    for _, row in csv_rows(path, "review"):
        met.add(row.get("cat"))
        if row["review"].strip() and category in (None, row.get("cat")):
            yield chinese(row["review"].replace("\ufeff", ""), unit)
    known_category(category, met, path)


def msra(path: Path, *, unit: str = "words") -> Iterator[Document]:
    """Read MSRA's sentences (a character and its tag a line), each a document."""
    characters = ""
    for line in lines(path):
        if line.strip():
            characters += line.partition("\t")[0]
        elif characters:
            yield chinese(characters, unit)
            characters = ""


def headlines_zh(path: Path, *, unit: str = "words") -> Iterator[Document]:
    """Read the field `sentence` of JSON lines, each a document."""
    for row in json_rows(path, "sentence"):
        yield chinese(row["sentence"], unit)


def chid(path: Path, *, unit: str = "words") -> Iterator[Document]:
    """Read CHID's passages without the sentences whose idiom is masked (#idiom#)."""
    for row in json_rows(path, "content"):
        kept = [s for s in sentences(row["content"], "zh") if "#idiom#" not in s]
        if kept:
            yield chinese("\n".join(kept), unit)
