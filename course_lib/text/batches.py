"""From documents to batches: windows of whole sentences, sorted by length, padded.

A language model reads a *window*: consecutive sentences of one document, each between
`<S>` and `</S>`. Windows never cross documents, start at a sentence start and end at
a sentence end, so both directions begin from an empty state at a natural place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from .characters import BOS, EOS, char_table, longest
from .epochs import Epochs, in_batches, n_batches
from .vocabulary import Vocabulary, listed

IGNORE = -100  # a target that does not count


def counted(targets: torch.Tensor, losses: torch.Tensor) -> torch.Tensor:
    """Count the targets behind each loss. Shape: (K, B, T) and (K,) to (K,)."""
    return (targets.reshape(len(losses), -1) != IGNORE).sum(dim=1)


class Tokens(NamedTuple):
    """A batch of token sequences whose distinct words are spelled out once.

    characters: (U, C) character ids of the U distinct words, C the longest one's width
    positions:  (B, T) which of the U words stands where; padding repeats word 0
    lengths:    (B,) real tokens in each row
    """

    characters: torch.Tensor
    positions: torch.Tensor
    lengths: torch.Tensor

    def to(self, device: torch.device | str) -> Tokens:
        """Return the same on a device."""
        return Tokens(*(tensor.to(device) for tensor in self))


def spell(rows: Sequence[np.ndarray], table: np.ndarray) -> Tokens:
    """Batch rows of word numbers, given the (V, 50) character table of all words."""
    lengths = np.array([len(row) for row in rows])  # (B,)
    words, inverse = np.unique(np.concatenate(rows), return_inverse=True)  # (U,), (N,)
    characters = table[words]  # (U, 50)
    characters = characters[:, : longest(characters)]  # (U, C)
    positions = np.zeros((len(rows), int(lengths.max())), dtype=np.int64)  # (B, T)
    positions[np.arange(positions.shape[1]) < lengths[:, None]] = inverse
    arrays = (characters.astype(np.int64), positions, lengths)
    return Tokens(*map(torch.from_numpy, arrays))


def spell_sentences(sentences: Sequence[Sequence[str]]) -> Tokens:
    """Batch sentences of strings as they are; put `<S>`, `</S>` around them first.

    Errors: TypeError if a sentence is a string, ValueError if one is empty.
    """
    if not len(sentences) or not all(map(len, sentences)):
        raise ValueError("a sentence without a word cannot be spelled; leave it out")
    ids: dict[str, int] = {}
    rows = [
        np.array([ids.setdefault(w, len(ids)) for w in listed(s, number)])
        for number, s in enumerate(sentences)
    ]
    return spell(rows, char_table(ids))


@dataclass
class Text:
    """A corpus as one long array of word numbers, cut into windows.

    words:   every distinct word, `<S>` and `</S>` first
    ids:     (N,) int32, the running text with its sentence marks
    starts, lengths: (W,) where each window begins in `ids`, and how long it is
    """

    words: list[str]
    ids: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray

    @property
    def n_tokens(self) -> int:
        """Words in the text, sentence marks not counted."""
        return int((self.ids > 1).sum())

    def vocabulary(self, size: int, min_count: int = 1) -> Vocabulary:
        """Number the most frequent words of this text; the marks are not words."""
        counts = np.bincount(self.ids, minlength=len(self.words))
        frequent = zip(self.words[2:], counts[2:].tolist(), strict=True)
        return Vocabulary.from_counts(Counter(dict(frequent)), size, min_count)

    def unknown(self, vocabulary: Vocabulary) -> float:
        """Return the share of the words that a vocabulary does not hold."""
        ids = np.array(vocabulary.encode(self.words))[self.ids]  # (N,)
        return float((ids[self.ids > 1] == 0).mean())


def read_text(documents: Iterable[list[list[str]]], window: int = 64) -> Text:
    """Number the words of documents and cut them into windows of whole sentences.

    A window holds at most `window` tokens, marks included; a longer sentence becomes
    several, and an empty one vanishes: without a word there is nothing to predict.
    """
    if window < 3:
        raise ValueError(f"a window of {window} has no room for a word and two marks")
    numbers = {BOS: 0, EOS: 1}
    pieces, lengths = [], []
    for document in documents:
        room = 0
        for inside in split_long(document, window - 2):
            row = [0, *(numbers.setdefault(w, len(numbers)) for w in inside), 1]
            if len(row) > room:  # begin a new window
                lengths.append(0)
                room = window
            lengths[-1] += len(row)
            room -= len(row)
            pieces.append(np.array(row, dtype=np.int32))
    if not pieces:
        raise ValueError("there is no sentence in these documents")
    ends = np.cumsum(lengths)
    starts = ends - np.array(lengths)
    return Text(list(numbers), np.concatenate(pieces), starts, np.array(lengths))


def split_long(sentences: list[list[str]], size: int) -> Iterator[list[str]]:
    """Yield sentences, the long ones in pieces of at most `size` words."""
    for number, sentence in enumerate(sentences):
        for i in range(0, len(listed(sentence, number)), size):
            yield sentence[i : i + size]


class Batches(Epochs):
    """Batches of windows in an order that depends on nothing but the seed and epoch.

    Alike lengths come together, so that there is little padding; one batch at a time
    is made, so that memory does not grow with the corpus.
    """

    def __init__(self, text: Text, vocabulary: Vocabulary, rows: int, seed: int = 0):
        self.text, self.rows, self.seed = text, rows, seed
        self.table = char_table(text.words).astype(np.int16)  # (words, 50)
        # (words,): the id to predict; the marks are read, but never predicted
        self.target_of = np.array(vocabulary.encode(text.words), dtype=np.int64)
        self.target_of[:2] = IGNORE

    def __len__(self) -> int:
        return n_batches(len(self.text.starts), self.rows)

    def draw(self, rng: np.random.Generator, pool: int = 64) -> list[np.ndarray]:
        """Shuffle the windows, sort them by length in pools, shuffle the batches."""
        batches = []
        windows = rng.permutation(len(self.text.starts))
        for part in in_batches(windows, pool * self.rows):
            part = part[np.argsort(self.text.lengths[part], kind="stable")]
            batches += in_batches(part, self.rows)
        return [batches[i] for i in rng.permutation(len(batches))]

    def batch(self, windows: np.ndarray) -> tuple[Tokens, torch.Tensor]:
        """Return the tokens of some windows and their targets.

        Shape of the targets: (2, B, T). [0] is the next word, for the forward model,
        [1] the word before, for the backward model; IGNORE where there is none.
        """
        rows = [
            self.text.ids[self.text.starts[w] : self.text.starts[w] + n]
            for w, n in zip(windows, self.text.lengths[windows], strict=True)
        ]
        tokens = spell(rows, self.table)
        targets = np.full((2, *tokens.positions.shape), IGNORE, dtype=np.int64)
        for b, row in enumerate(rows):
            words = self.target_of[row]
            targets[0, b, : len(row) - 1] = words[1:]
            targets[1, b, 1 : len(row)] = words[:-1]
        return tokens, torch.from_numpy(targets)
