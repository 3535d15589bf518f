"""Divide Rivertown between train, dev and test, so that nothing can be remembered.

A name belongs to one split, and so does each pattern of a sentence: what a model meets
at test time was said by nobody in training, in no sentence of training's making.
"""

from __future__ import annotations

import collections
import re
import zlib

from course_lib.worlds.notation import LexiconEntry, Production

SPLITS = ("train", "dev", "test")
TURNS = ("train", "test", "train", "dev", "train")  # of five, how many each split has


def pool(name: str) -> str:
    """Return the split that a name belongs to, by a checksum of its spelling."""
    return TURNS[zlib.crc32(name.encode()) % len(TURNS)]


def pooled(entries: list[LexiconEntry], split: str | None) -> list[LexiconEntry]:
    """Leave out the names that belong to another split."""
    if split is None:
        return entries
    first = [next(iter(entry.forms.values()))[0] for entry in entries]
    return [
        entry
        for entry, token in zip(entries, first, strict=True)
        if not token.entity or pool(token.word) == split
    ]


def deal(productions: list[Production], split: str) -> list[Production]:
    """Keep a symbol's productions that belong to a split.

    They are dealt out in turn as they stand in the file, those with the same senses
    among themselves, so that each split gets some of each. What features make of one
    line stays together.
    """
    turns: dict[str, str] = {}
    dealt: collections.Counter[tuple] = collections.Counter()
    for line in productions:
        if line.where not in turns:
            senses = tuple(sorted(re.findall(r"\w+#\w+", line.text)))
            turns[line.where] = TURNS[dealt[senses] % len(TURNS)]
            dealt[senses] += 1
    return [line for line in productions if turns[line.where] == split]
