"""The models that ship, each loaded once, and the tagged sentences at hand."""

from __future__ import annotations

import functools

import course_lib
from course_lib import data

LANGUAGES = ("en", "zh")


@functools.cache
def encoder(language: str):
    """Load the biLM of a language, once."""
    return course_lib.load(f"elmo-{language}")


@functools.cache
def table(language: str):
    """Load the static vectors of a language, once."""
    return course_lib.load(f"static-{language}")


@functools.cache
def tagged(name: str) -> tuple:
    """Return all tagged sentences of a task set, whatever its splits."""
    task = data.load(name)
    return tuple(s for part in task.splits for s in task.split(part))


def tag_sets(language: str) -> list[str]:
    """Name the sets of tagged sentences at hand; else Rivertown."""
    real = {"en": ["treebank", "en_ewt"], "zh": ["zh_gsdsimp"]}[language]
    return [n for n in real if data.at_hand(n)] or [f"rivertown-{language}-pos"]
