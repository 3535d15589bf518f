"""Labelled examples in word pieces, in batches: what GPT and BERT learn a task from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from course_lib.text.epochs import Epochs, in_batches, n_batches
from course_lib.text.pieces import pad


class LabelledRows(Epochs):
    """Batches of labelled examples, each one or several rows of pieces.

    examples: lists of rows of piece numbers, as `gpt` and `bert` write them; all have
        equally many;  labels: classes 0 … K-1
    """

    unit = "examples"  # what a training counts

    def __init__(
        self,
        examples: Sequence[Sequence[Sequence[int]]],
        labels: Sequence[int],
        rows: int = 16,
        seed: int = 0,
    ):
        if len(examples) != len(labels) or not len(labels):
            raise ValueError(
                f"{len(examples)} examples and {len(labels)} labels: give one label to "
                "each example, and at least one example"
            )
        if len({len(example) for example in examples}) > 1:
            raise ValueError(
                "some examples have more rows than others; give all as many"
            )
        self.examples, self.labels = examples, np.asarray(labels)
        self.rows, self.seed = rows, seed

    def __len__(self) -> int:
        return n_batches(len(self.labels), self.rows)

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Return the example numbers of each batch."""
        return in_batches(rng.permutation(len(self.labels)), self.rows)

    def batch(self, chosen: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Return examples (B, R, T), padded with PAD, and their classes (B,)."""
        tokens = pad([self.examples[i] for i in chosen])
        return tokens, torch.from_numpy(self.labels[chosen])
