"""The two editions: their names, and the few phrases that generated pages need."""

from __future__ import annotations

from typing import NamedTuple

LANGUAGES = ("en", "zh")


class Edition(NamedTuple):
    """One language of the book, as Sphinx and its readers call it."""

    language: str
    sphinx: str  # Sphinx's name of the language
    title: str
    other: str  # the other edition, in its own language


EDITIONS = {
    "en": Edition("en", "en", "From word vectors to BERT", "中文"),
    "zh": Edition("zh", "zh_CN", "从词向量到 BERT", "English"),
}


def pick(language: str, en: str, zh: str) -> str:
    """Choose the phrase of one edition."""
    return {"en": en, "zh": zh}[language]
