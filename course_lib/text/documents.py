"""Labelled documents as batches of padded word numbers, for a text classifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch

from .characters import BOS, EOS
from .epochs import Epochs, alike, n_batches
from .vocabulary import Vocabulary, listed

PAD = -1  # no word's number


def limited(documents: Iterable, tokens: float) -> Iterator:
    """Yield documents until they hold `tokens` tokens."""
    seen = 0
    for document in documents:
        if seen >= tokens:
            return
        seen += sum(map(len, document))
        yield document


def number(
    document: Sequence[Sequence[str]], vocabulary: Vocabulary, backward: bool = False
) -> np.ndarray:
    """Number a document's words: `<S>`, its sentences, `</S>` after each. Shape: (T,).

    As a language model's `Streams` have it, so that a classifier on top of one reads
    what that one has learned to read.
    """
    words = [BOS, *(w for s in document for w in (*listed(s), EOS))]
    ids = np.array(vocabulary.encode(words), dtype=np.int64)
    return ids[::-1].copy() if backward else ids


def pad(documents: Sequence[np.ndarray]) -> torch.Tensor:
    """Lay numbered documents side by side. Shape: (B, T), PAD behind the short ones."""
    rows = [torch.from_numpy(document) for document in documents]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)


class Documents(Epochs):
    """Batches of documents and their classes, alike lengths together.

    documents: numbered, see `number`;  labels: their classes, 0 … K-1
    """

    unit = "documents"  # what a training counts

    def __init__(
        self,
        documents: Sequence[np.ndarray],
        labels: Sequence[int],
        rows: int = 16,
        seed: int = 0,
    ):
        if len(documents) != len(labels) or not len(labels):
            raise ValueError(
                f"{len(documents)} documents and {len(labels)} labels: give one label "
                "to each document, and at least one document"
            )
        self.documents, self.labels = documents, np.asarray(labels)
        if self.labels.dtype.kind not in "iu":
            raise ValueError(f"labels like {labels[0]!r}; number the classes, from 0")
        self.rows, self.seed = rows, seed

    def __len__(self) -> int:
        return n_batches(len(self.labels), self.rows)

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Return the document numbers of each batch.

        Equally large batches: one of a single document has no variance for a batch
        norm to learn from.
        """
        lengths = np.array([len(document) for document in self.documents])
        return alike(lengths, len(self), rng)

    def batch(self, chosen: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Return documents (B, T) and their classes (B,)."""
        tokens = pad([self.documents[i] for i in chosen])
        return tokens, torch.from_numpy(self.labels[chosen])
