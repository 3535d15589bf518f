"""The catalogue: load a corpus by its name, wherever it is.

load("brown").documents()     running text: documents of sentences of tokens
load("imdb").split("train")   labelled examples; .documents() gives their text
best("en")                    the best running text at hand, without the network
available()                   what there is, and what is on this machine
at_hand("brown")              whether it can be loaded without the network
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from course_lib.data import files
from course_lib.data.entries import CATALOGUE, Entry
from course_lib.data.files import DamagedData, fetch, find
from course_lib.data.readers import Document


@dataclass(frozen=True)
class Corpus:
    """Running text: documents, which are lists of sentences of tokens."""

    name: str
    language: str
    _text: Callable[[], Iterator[Document]] = field(repr=False)

    def documents(self) -> Iterator[Document]:
        """Yield the documents, in the same order every time."""
        return self._text()


@dataclass(frozen=True)
class TaskSet:
    """Labelled examples in splits; `kind` says what an example is.

    classification: Example(text, label)    pair: Pair(first, second, label)
    tagging: Tagged(tokens, tags)           senses: SenseSentence
    translation: Translation(source, target)
    """

    name: str
    language: str
    kind: str
    splits: tuple[str, ...]
    _task: Callable[[str], Iterator[NamedTuple]] = field(repr=False)
    _text: Callable[[], Iterator[Document]] | None = field(repr=False)

    def split(self, name: str) -> list[NamedTuple]:
        """Return the examples of one split."""
        if name not in self.splits:
            raise ValueError(f"{self.name} has the splits {', '.join(self.splits)}")
        return list(self._task(name))

    def documents(self) -> Iterator[Document]:
        """Yield the texts as documents of tokens.

        Of imdb all but the test split's; of a set with a file for each split only the
        last one's (unlabelled); else all.
        """
        if self._text is None:
            raise ValueError(f"{self.name} is not running text; see data.available()")
        return self._text()


def load(name: str, **options) -> Corpus | TaskSet:
    """Load a corpus, from this machine or else from its public source.

    Options depend on the corpus: Chinese text takes unit="words" or "characters",
    online_shopping category="水果", qc fine=True, Rivertown tokens, seed and senses.
    Raises DataNotAtHand if it cannot be had, DamagedData if its file is broken.
    """
    entry = find_entry(name)
    _check_options(name, entry, options)
    files.USED[name] = None
    paths = [fetch(file) for file in entry.files] or [None]
    with_text = paths[-1:] if entry.task else paths
    text = entry.text and partial(
        _read, name, entry.text, *with_text, **_accepted(entry.text, options)
    )
    if entry.task is None:
        return Corpus(name, entry.language, text)
    by_split = dict(zip(entry.splits, paths * len(entry.splits), strict=False))
    accepted = _accepted(entry.task, options)

    def task(split: str) -> Iterator[NamedTuple]:
        return _read(name, entry.task, by_split[split], split, **accepted)

    return TaskSet(name, entry.language, entry.kind, entry.splits, task, text)


def _read(name: str, reader: Callable, *given, **options) -> Iterator:
    """Yield what a reader finds; say which file it is that holds something else.

    With options a ValueError says what is wrong with them, and passes.
    """
    paths, found = [x for x in given if isinstance(x, Path)], False
    try:
        for row in reader(*given, **options):
            yield row
            found = True
        if paths and not found:
            raise EOFError("nothing in it")
    except (ValueError, LookupError, AttributeError, SyntaxError, EOFError) as error:
        told = isinstance(error, DamagedData) or options and type(error) is ValueError
        if told or not paths:
            raise
        raise DamagedData(
            f"{paths[-1]} is not {name} as the course reads it ({error}): delete it "
            "and run again"
        ) from error


def _accepted(reader: Callable, options: dict) -> dict:
    """Pick the options that a reader knows: its keyword-only parameters."""
    known = inspect.getfullargspec(reader).kwonlyargs
    return {key: value for key, value in options.items() if key in known}


def _check_options(name: str, entry: Entry, options: dict) -> None:
    """Refuse an option that no reader of this corpus knows."""
    both = [reader for reader in (entry.text, entry.task) if reader]
    known = {k for reader in both for k in inspect.getfullargspec(reader).kwonlyargs}
    if unknown := set(options) - known:
        raise TypeError(
            f"{name} has no option {', '.join(sorted(unknown))}; "
            f"it has {', '.join(sorted(known)) or 'none'}"
        )


CHINESE_SIZES = {  # of the Chinese texts, for readers of Chinese
    "msra": "55,289 句，3 MB",
    "chid": "6,509 段，3 MB",
    "online_shopping": "62,773 条评论，10 类商品，4 MB",
    "tnews": "24,293 条标题，4 MB",
    "eprstmt": "20,495 条评论，3 MB",
    "chnsenticorp": "7,765 条酒店评论，3 MB",
    "waimai": "11,987 条外卖评论，1 MB",
    "gold-miner": "软件文章，6M 字",
    "lctt": "自由软件文章，10M 字",
    "weekly": "科技周刊，2M 字",
    "howtocook": "菜谱，0.1M 字",
    "iflytek": "应用简介，2M 字",
    "csl": "论文摘要，2M 字",
    "csldcp": "论文摘要，2M 字",
    "cmrc2018": "中文维基百科的段落",
    "cmrc2019": "故事",
    "rivertown-zh": "造出来的语言，要多长有多长",
}


def best(language: str) -> Corpus | TaskSet:
    """Load the best running text at hand, and say in one line which that is.

    Touches no network; without real text it is Rivertown, which always works.
    """
    texts = [
        name
        for name, entry in CATALOGUE.items()
        if entry.language == language and entry.text and at_hand(name)
    ]
    if not texts:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    name = texts[0]
    if language == "zh":
        print(f"本次所用语料：{name}（{CHINESE_SIZES[name]}）")
    else:
        print(f"Text in this run: {name} ({CATALOGUE[name].size})")
    return load(name)


def at_hand(name: str) -> bool:
    """Tell whether a corpus can be loaded without the network.

    Its files are on this machine, or it needs none.
    """
    return all(find(file) for file in find_entry(name).files)


def find_entry(name: str) -> Entry:
    """Return what the catalogue says of a corpus. Errors: ValueError for no corpus."""
    if name not in CATALOGUE:
        close = difflib.get_close_matches(name, CATALOGUE, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise ValueError(f"no corpus {name!r}. {hint}data.available() lists them.")
    return CATALOGUE[name]


class Row(NamedTuple):
    """One line of what `available` shows."""

    name: str
    language: str
    kind: str
    where: str
    size: str
    terms: str


@dataclass(frozen=True)
class Table:
    """Rows that print as a table."""

    rows: list[Row]
    footer: str = ""

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        lines = [Row._fields, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        padded = (map(str.ljust, line, widths) for line in lines)
        return "\n".join(["  ".join(line).rstrip() for line in padded] + [self.footer])


def available(language: str | None = None) -> Table:
    """List the corpora, of one language or of both, and what is on this machine."""
    rows = [
        Row(name, entry.language, entry.kind, _where(name), entry.size, entry.terms)
        for name, entry in CATALOGUE.items()
        if language in (None, entry.language)
    ]
    return Table(
        rows,
        "\n'to download': data.load(name) does it once. Or set COURSE_DATA (and "
        "NLTK_DATA\nfor NLTK's corpora) to a folder that already holds the files.",
    )


def _where(name: str) -> str:
    """Say in a word where a corpus is."""
    if not CATALOGUE[name].files:
        return "ships"
    return "at hand" if at_hand(name) else "to download"
