"""The running text that the benchmarks read: Brown, or else Rivertown, which ships."""

from __future__ import annotations

from itertools import islice

from course_lib import data
from course_lib.data import catalogue
from course_lib.text.batches import Text, read_text


def documents(words: float = 2e5) -> list[list[list[str]]]:
    """Return documents of about so many words; the whole corpus if it is shorter."""
    found, read = [], 0
    for document in corpus():
        if read >= words:
            break
        found.append(document)
        read += sum(map(len, document))
    return found


def corpus():
    """Yield the documents of the corpus."""
    yield from data.load(name()).documents()


def name() -> str:
    """Choose the corpus; nothing is downloaded."""
    return "brown" if catalogue.at_hand("brown") else "rivertown-en"


def sentences(n: int) -> list[list[str]]:
    """Return n sentences of running text."""
    found = (s for d in corpus() for s in d if s)
    return list(islice(found, n))


def text(words: float = 2e5) -> Text:
    """Return running text in windows of whole sentences."""
    return read_text(documents(words))
