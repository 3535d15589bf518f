"""Probing tasks: what can be read out of a state at one place of a sentence?

Which tag has the word just read, and which one the word to come; and were two
neighbours exchanged? Source: Conneau et al. 2018, who call the last one bigram shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Question(NamedTuple):
    """What is asked of single places: sentences, a place in each, a label, some words.

    words: all that a reader without any encoder is given
    """

    sentences: list[list[str]]
    places: list[int]
    labels: list[str]
    words: list[tuple[str, ...]]


def word_tags(tagged: Sequence, seed: int, to_come: int) -> Question:
    """Ask for the tag of one word of each sentence, or of the one that follows it."""
    rng = np.random.default_rng(seed)
    long = [s for s in tagged if len(s.tokens) >= 5]
    places = [int(rng.integers(2, len(s.tokens) - 1)) for s in long]
    sentences = [[word.lower() for word in s.tokens] for s in long]
    labels = [s.tags[i + to_come] for s, i in zip(long, places, strict=True)]
    words = [(s[i],) for s, i in zip(sentences, places, strict=True)]
    return Question(sentences, places, labels, words)


def bigram_shift(tagged: Sequence, seed: int) -> Question:
    """Exchange two neighbours in half of the sentences; ask after the second word."""
    rng, found = np.random.default_rng(seed), Question([], [], [], [])
    for s in tagged:
        words = [word.lower() for word in s.tokens]
        if len(words) < 5:
            continue
        i, change = int(rng.integers(2, len(words) - 1)), bool(rng.integers(2))
        if words[i] == words[i - 1]:
            continue
        if change:
            words[i - 1 : i + 1] = words[i], words[i - 1]
        pair = f"left {words[i - 1]}", f"right {words[i]}"
        about = words, i, "exchanged" if change else "as it was", pair
        for column, value in zip(found, about, strict=True):
            column.append(value)
    return found
