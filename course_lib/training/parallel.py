"""Train one model in several processes, on one machine or many (torchrun).

    torchrun --nproc-per-node 8 -m course_lib pretrain elmo-en --minutes 60

Every process holds the whole model and reads its part of each batch; the gradients
are averaged (by torch's DistributedDataParallel), so all take the same step. It is the
step that one process would take with the whole batch, but for what is drawn (dropout,
BERT's masks). The loop knows nothing of this. Without torchrun, nothing happens here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from ..text.batches import counted
from ..text.epochs import Epochs
from . import device


def place() -> tuple[int, int]:
    """Return this process's number and how many there are: (0, 1) when alone."""
    if not distributed.is_initialized():
        return 0, 1
    return distributed.get_rank(), distributed.get_world_size()


def shared(model: nn.Module, batches: Epochs) -> tuple[Callable, Epochs | Part]:
    """Give each process the whole model and its part of the batches; alone, all."""
    if place()[1] == 1:
        return model, batches
    return Joined(model), Part(batches)


class Part:
    """A process's part of batches."""

    def __init__(self, batches: Epochs):
        self.batches, self.unit, self.pace = batches, batches.unit, batches.pace

    def __len__(self) -> int:
        return len(self.batches)

    def at(self, step: int) -> tuple:
        """Return a part of the batch of a step."""
        return self.batches.at(step, *place())


class Joined:
    """A model whose gradients are the mean over all processes.

    A mean over the whole batch, not a mean of the processes' means: a process weighs
    as much as it has targets.
    """

    def __init__(self, model: nn.Module):
        # A batch without rare words leaves their part of the softmax without gradient.
        self.model = DistributedDataParallel(model, find_unused_parameters=True)
        self.model.register_comm_hook(self, weighted)
        self.weight = 1.0

    def __call__(self, tokens: Any, targets: torch.Tensor) -> tuple:
        """Return a part's outputs and losses; note what it weighs."""
        outputs, losses = self.model(tokens, targets)
        n = int(counted(targets, losses)[0])
        self.weight = n / total(n)[0]
        return outputs, losses


def weighted(joined, bucket):  # torch reads annotations here, and wants no strings
    """Add up the gradients of all processes, each times its weight."""
    mine = bucket.buffer().mul_(joined.weight)
    done = distributed.all_reduce(mine, async_op=True).get_future()
    return done.then(lambda sums: sums.value()[0])


def total(*numbers: float) -> list[float]:
    """Add up each number over all processes."""
    if place()[1] == 1:
        return list(numbers)
    sums = torch.tensor(numbers, dtype=torch.float64, device=device())
    distributed.all_reduce(sums)
    return sums.tolist()


def first_says(number: float) -> float:
    """Return the number of the first process: on the time, for one, all must agree."""
    return total(number if place()[0] == 0 else 0.0)[0]
