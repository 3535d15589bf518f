"""Sentences, and pairs of sentences, as batches of padded word numbers.

A language model reads `<S> w_1 … w_n` and predicts `w_1 … w_n </S>`. An encoder reads
its side of a pair in the same way, and a decoder the other side: each meets what the
language model inside it has learned to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from .batches import IGNORE
from .characters import BOS, EOS
from .documents import PAD
from .epochs import Epochs, alike, n_batches, share
from .vocabulary import UNK, Vocabulary

Sentence = Sequence[str]


class PairBatch(NamedTuple):
    """Sentences and their translations, PAD behind the short ones.

    source: (B, S), `<S> x_1 … x_m`;  target: (B, T), `<S> y_1 … y_n`
    alone: for the joint loss, sentences of each language that nobody has translated:
        the (tokens, targets) of the source language, then of the target language
    """

    source: torch.Tensor
    target: torch.Tensor
    alone: tuple[torch.Tensor, ...] = ()

    def to(self, device: torch.device | str) -> PairBatch:
        """Return the same on a device."""
        alone = tuple(tensor.to(device) for tensor in self.alone)
        return PairBatch(self.source.to(device), self.target.to(device), alone)


def vocabulary_of(sentences: Iterable[Sentence], size: int = 10**9) -> Vocabulary:
    """Number the most frequent words of some sentences; the two marks are words."""
    words = Vocabulary.from_sentences(sentences, size - 2).words
    return Vocabulary([UNK, BOS, EOS, *words[1:]])


def lay_out(rows: Sequence[Sequence[int]], padding: int) -> torch.Tensor:
    """Lay rows of numbers below each other. Shape: (B, T)."""
    tensors = [torch.tensor(row) for row in rows]
    return pad_sequence(tensors, batch_first=True, padding_value=padding)


class Lines(Epochs):
    """Batches of sentences for a language model, alike lengths together.

    twice: for a sequence autoencoder. A sentence is read, then said again: the text
        stands there two times, and only the second time counts.
    """

    def __init__(
        self, sentences: Sequence[Sentence], vocabulary: Vocabulary, rows: int = 32,
        seed: int = 0, twice: bool = False,
    ):  # fmt: skip
        self.numbered = [vocabulary.encode(s) for s in sentences]
        self.lengths = np.array([len(row) for row in self.numbered])
        self.begin, self.end = vocabulary.encode([BOS, EOS])
        self.rows, self.seed, self.twice = rows, seed, twice

    def __len__(self) -> int:
        return n_batches(len(self.numbered), self.rows)

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Return which sentences each batch of an epoch has."""
        return alike(self.lengths, len(self), rng)

    def batch(self, chosen: Iterable[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the tokens (B, T) of some sentences, PAD behind, and the targets."""
        rows = [self.numbered[i] for i in chosen]
        begin, end = [self.begin], [self.end]
        if self.twice:
            read = [begin + row + begin + row for row in rows]
            say = [[IGNORE] * (len(row) + 1) + row + end for row in rows]
        else:
            read, say = [begin + row for row in rows], [row + end for row in rows]
        return lay_out(read, PAD), lay_out(say, IGNORE)


class Pairs(Lines):
    """Batches of sentence pairs; the targets are the words of the second side.

    pairs: (source, target) sentences;  vocabularies: one of each side
    alone: two `Lines`, untranslated sentences of each side for the joint loss: every
        step takes the next batch of them as well
    """

    def __init__(
        self, pairs: Sequence[tuple[Sentence, Sentence]],
        vocabularies: tuple[Vocabulary, Vocabulary], rows: int = 32, seed: int = 0,
        alone: tuple[Lines, ...] = (),
    ):  # fmt: skip
        super().__init__([pair[1] for pair in pairs], vocabularies[1], rows, seed)
        self.sources = Lines([pair[0] for pair in pairs], vocabularies[0])
        self.alone = alone

    def at(self, step: int, part: int = 0, parts: int = 1) -> tuple:
        """Return a step's pairs, a `PairBatch`, and their targets (B, T)."""
        epoch, place = divmod(step, len(self))
        chosen = share(self.epoch(epoch)[place], part, parts)
        target, targets = self.batch(chosen)
        source, _ = self.sources.batch(chosen)
        alone = [tensor for lines in self.alone for tensor in lines.at(step)]
        return PairBatch(source, target, tuple(alone)), targets
