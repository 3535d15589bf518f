"""Words as character ids, exactly as the reference ELMo encodes them.

A word is its UTF-8 *bytes* between two word marks, in a row of 50. Every word has
such a row, also one that no vocabulary has ever seen.
Source: Peters et al. 2018, section 3.4; the numbers are those of the released models.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .vocabulary import listed

WIDTH = 50  # characters of a word, marks included
N_CHARACTERS = 262  # 256 bytes, five marks, and 0 for "no token here"

BOS, EOS = "<S>", "</S>"  # sentence marks, as tokens

# All ids are shifted by one, so that 0 is free for sentence padding.
_BOS, _EOS, _WORD_BEGIN, _WORD_END, PAD = (i + 1 for i in range(256, 261))


def char_ids(word: str, width: int = WIDTH) -> np.ndarray:
    """Encode one word.

    Shape: (50,) int64: word mark, up to 48 bytes, word mark, padding. The sentence
    marks `<S>` and `</S>` have one character of their own. A lone surrogate, which
    UTF-8 cannot express, is dropped. `width`: all models of the paper have 50.
    """
    if word == BOS:
        inside = [_BOS]
    elif word == EOS:
        inside = [_EOS]
    else:
        inside = [byte + 1 for byte in word.encode("utf-8", "ignore")[: width - 2]]
    row = np.full(width, PAD, dtype=np.int64)  # (50,)
    marked = [_WORD_BEGIN, *inside, _WORD_END]
    row[: len(marked)] = marked
    return row


def char_table(words: Iterable[str], width: int = WIDTH) -> np.ndarray:
    """Encode many words, one a row. Shape: (number of words, 50) int64."""
    if width < 3:
        raise ValueError(f"a width of {width} has no room for a byte and two marks")
    rows = [char_ids(word, width) for word in listed(words)]
    return np.stack(rows) if rows else np.empty((0, width), dtype=np.int64)


def longest(table: np.ndarray) -> int:
    """Return how many columns of a (U, 50) table hold more than padding."""
    used = (table != PAD).any(axis=0)
    return int(used.nonzero()[0].max()) + 1 if used.any() else 0
