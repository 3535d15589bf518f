"""What all batches have in common: an order for each epoch, and one step after another.

A class of batches has a `seed` and a length, and says what an epoch consists of,
`draw(rng)`, and how a part of it becomes tensors: `batch(chosen)`, or an `at` of its
own. A base class, against the custom of this course: nine classes would otherwise say
the same things.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


class Epochs:
    """Batches that depend on nothing but the seed, the epoch and the step."""

    unit = "tok"  # what a training counts
    _epoch: tuple[int, Any] = (-1, None)

    def epoch(self, number: int) -> Any:
        """Return what an epoch consists of; the last one asked for is kept."""
        if self._epoch[0] != number:
            rng = np.random.default_rng((self.seed, number))
            self._epoch = number, self.draw(rng)
        return self._epoch[1]

    def at(self, step: int, part: int = 0, parts: int = 1) -> tuple:
        """Return the batch of a step; when an epoch is over, the next one begins.

        part, parts: the share of one of several processes
        """
        epoch, place = divmod(step, len(self))
        return self.batch(share(self.epoch(epoch)[place], part, parts))

    def pace(self, step: int) -> float:
        """Return 1: every batch is worth the same learning rate. See `Streams`."""
        return 1.0

    def __iter__(self) -> Iterator[tuple]:
        """Yield every batch once, in the order of epoch 0."""
        for step in range(len(self)):
            yield self.at(step)


def share(rows: Any, part: int, parts: int) -> Any:
    """Return a process's part of the rows of a batch, one of `parts`.

    Of fewer rows than processes each takes all (and all count them as read).
    """
    return rows[part::parts] if len(rows) >= parts else rows


def n_batches(n: int, rows: int) -> int:
    """Return how many batches n examples make, `rows` in each but the last.

    Errors: ValueError if either is 0: there would be nothing to read.
    """
    if n < 1 or rows < 1:
        raise ValueError(f"{n} examples, {rows} in a batch: give at least one of each")
    return -(-n // rows)


def in_batches(rows: np.ndarray, size: int) -> list[np.ndarray]:
    """Cut rows into batches of `size`; the last one may have fewer."""
    return np.split(rows, range(size, len(rows), size))


def alike(lengths: np.ndarray, n: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Draw n batches of row numbers, about equally large, alike lengths together.

    Sixteen batches are shuffled, then sorted by length, and the batches shuffled.
    """
    pools = np.array_split(rng.permutation(len(lengths)), -(-n // 16))
    pools = [pool[np.argsort(lengths[pool], kind="stable")] for pool in pools]
    batches = np.array_split(np.concatenate(pools), n)
    return [batches[i] for i in rng.permutation(n)]
