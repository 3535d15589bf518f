"""What data sets are made of: a text and its class, a sentence and its tags, …"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Example(NamedTuple):
    """A text and its class."""

    text: str
    label: str | None


class Pair(NamedTuple):
    """Two texts and the relation between them."""

    first: str
    second: str
    label: str


class Translation(NamedTuple):
    """A sentence and the same in another language, as tokens."""

    source: list[str]
    target: list[str]


class Tagged(NamedTuple):
    """A sentence with one tag a token."""

    tokens: list[str]
    tags: list[str]


def aligned(sentences: Iterable[Tagged]) -> list[Tagged]:
    """Return tagged sentences as they are.

    Errors: ValueError for one that does not have a tag for each token.
    """
    found = list(sentences)
    for number, s in enumerate(found):
        if len(s.tokens) != len(s.tags):
            raise ValueError(
                f"sentence {number} has {len(s.tokens)} tokens and {len(s.tags)} tags: "
                f"{' '.join(s.tokens)[:40]!r}; give one tag to each token"
            )
    return found


class SenseSentence(NamedTuple):
    """A sentence in which one token, the target, has a known sense.

    `cue` says on which side of the target the disambiguating words stand: left, right
    or both; "none" in `worlds`, "" where nobody knows.
    """

    word: str
    sense: str
    pos: str
    tokens: list[str]
    target_index: int
    cue: str
