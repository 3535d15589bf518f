"""Labelled documents as batches of padded word numbers, for a text classifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from .characters import BOS, EOS
from .vocabulary import Vocabulary

PAD = -1  # no word's number


def number(
    document: Sequence[Sequence[str]], vocabulary: Vocabulary, backward: bool = False
) -> np.ndarray:
    """Number a document's words: `<S>`, its sentences, `</S>` after each. Shape: (T,).

    As a language model's `Streams` have it, so that a classifier on top of one reads
    what that one has learned to read.
    """
    words = [BOS, *(w for sentence in document for w in (*sentence, EOS))]
    ids = np.array(vocabulary.encode(words), dtype=np.int64)
    return ids[::-1].copy() if backward else ids


def pad(documents: Sequence[np.ndarray]) -> torch.Tensor:
    """Lay numbered documents side by side. Shape: (B, T), PAD behind the short ones."""
    rows = [torch.from_numpy(document) for document in documents]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)


class Documents:
    """Batches of documents and their classes, alike lengths together.

    documents: numbered, see `number`;  labels: their classes, 0 … K-1
    The order of the batches depends only on the seed and the epoch.
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
        self.rows, self.seed = rows, seed
        self._order: tuple[int, list[np.ndarray]] = (-1, [])

    def __len__(self) -> int:
        return -(-len(self.labels) // self.rows)  # rounded up

    def order(self, epoch: int) -> list[np.ndarray]:
        """Return the document numbers of each batch.

        Equally large batches: one of a single document has no variance for a batch
        norm to learn from.
        """
        if self._order[0] != epoch:
            rng = np.random.default_rng((self.seed, epoch))
            shuffled = rng.permutation(len(self.labels))
            pools = np.array_split(shuffled, -(-len(self) // 16))  # 16 batches each
            lengths = np.array([len(document) for document in self.documents])
            by_length = [p[np.argsort(lengths[p], kind="stable")] for p in pools]
            batches = np.array_split(np.concatenate(by_length), len(self))
            self._order = (epoch, [batches[i] for i in rng.permutation(len(batches))])
        return self._order[1]

    def at(
        self, step: int, part: int = 0, parts: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a step's documents (B, T) and classes (B,)."""
        epoch, position = divmod(step, len(self))
        chosen = self.order(epoch)[position][part::parts]
        tokens = pad([self.documents[i] for i in chosen])
        return tokens, torch.from_numpy(self.labels[chosen])

    def pace(self, step: int) -> float:
        """Return 1: every batch is worth the same learning rate. See `Streams`."""
        return 1.0

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Yield every batch once, in the order of epoch 0."""
        for step in range(len(self)):
            yield self.at(step)
