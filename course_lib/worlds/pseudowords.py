"""Many pseudowords at once, beside the words that they are made of.

blend(sentences, [Blend("door", "banana", (9, 1))])   nine doors for each banana

Two words get one name, "door+banana", for a part of their occurrences; the rest keep
their own names, so that one training gives all three vectors in one space. (One
pseudoword with every occurrence labelled: `worlds.pseudowords`.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from course_lib.text.vocabulary import listed


class Blend(NamedTuple):
    """Two words that get one name; ratio (9, 1): nine of the first, one of the second.

    (1, 0) is a control: a second name for the first word alone.
    """

    first: str
    second: str
    ratio: tuple[int, int]

    @property
    def name(self) -> str:
        """The pseudoword."""
        return f"{self.first}+{self.second}"


def blend(
    sentences: Iterable[Sequence[str]], blends: Sequence[Blend], seed: int = 0
) -> list[list[str]]:
    """Rewrite a text with pseudowords in it; which occurrences change is drawn.

    With n occurrences of the rarer of the two words, n // 2 of either word keep their
    own name: the two vectors are learned from equally much text. Of as many others the
    pseudoword takes what `ratio` asks, all of the commoner part. What is left over
    becomes "door~": no part of the comparison, but no context is lost.
    Errors: ValueError if a word is in two blends, or too rare for its ratio.
    """
    text = [list(listed(s, number)) for number, s in enumerate(sentences)]
    words = [word for blend in blends for word in blend[:2]]
    if len(set(words)) < len(words):
        raise ValueError("a word stands in two blends; each needs words of its own")
    places: dict[str, list] = {word: [] for word in words}
    for i, sentence in enumerate(text):
        for j, word in enumerate(sentence):
            if word in places:
                places[word].append((i, j))
    rng = np.random.default_rng(seed)
    for pair in blends:
        own = min(len(places[pair.first]), len(places[pair.second])) // 2
        times = own // max(pair.ratio)
        if not times or min(pair.ratio) < 0:
            raise ValueError(f"{pair}: too rare, with {own} occurrences to give away")
        for word, share in zip(pair[:2], pair.ratio, strict=True):
            taken = own + times * share
            for k, at in enumerate(rng.permutation(len(places[word]))[own:], own):
                i, j = places[word][at]
                text[i][j] = pair.name if k < taken else f"{word}~"
    return text
