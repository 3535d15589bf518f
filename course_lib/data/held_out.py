"""Hold out examples for development and test where a task set comes whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from course_lib.data.catalogue import TaskSet


def labelled(task: TaskSet) -> dict[str, list]:
    """Return the examples of a task set by split, without those that have no label."""
    return {split: task.split(split) for split in task.splits if split != "unlabelled"}


def hold_out(
    examples: Mapping[str, Sequence],
    sizes: Mapping[str, int],
    fits: Callable[[Any], bool] = lambda example: True,
) -> dict[str, list]:
    """Shuffle each split, and cut the splits that are missing off the others.

    The shuffling is the same every time, so that no seed of an experiment changes what
    it is tested on. A split that the task set has is kept as it is.
    sizes: the splits that there must be besides "train", and how many examples each
        gets if it is missing; they come off "all", or else off "train"
    fits: which examples are of use
    """
    rng = np.random.default_rng(0)
    found = {k: [of[i] for i in rng.permutation(len(of))] for k, of in examples.items()}
    found = {k: [e for e in of if fits(e)] for k, of in found.items()}
    whole = found.pop("all", None) or found["train"]
    for split, n in sizes.items():
        if split not in found:
            found[split], whole = whole[:n], whole[n:]
    return found | {"train": whole}
