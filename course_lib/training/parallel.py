"""Train one model in several processes, on one machine or many (torchrun).

    torchrun --nproc-per-node 8 -m course_lib pretrain elmo-en --minutes 60

Every process holds the whole model and reads its share of each batch; the gradients
are averaged (by torch's DistributedDataParallel), so all take the same step. It is the
step that one process would take with the whole batch, but for what is drawn (dropout,
BERT's masks). Without torchrun, nothing happens here.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from . import device


@contextmanager
def together():
    """Meet the other processes that torchrun has started, and part at the end."""
    if "RANK" not in os.environ or distributed.is_initialized():
        yield
        return
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield
    finally:
        distributed.destroy_process_group()


def place() -> tuple[int, int]:
    """Return this process's number and how many there are: (0, 1) when alone."""
    if not distributed.is_initialized():
        return 0, 1
    return distributed.get_rank(), distributed.get_world_size()


def joined(model: nn.Module) -> nn.Module:
    """Wrap a model so that its gradients are the mean over all processes."""
    if place()[1] == 1:
        return model
    # A batch without rare words leaves their part of the softmax without a gradient.
    return DistributedDataParallel(model, find_unused_parameters=True)


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


@contextmanager
def first_goes_first():
    """Let the first process through alone; the others then find what it has made."""
    if place()[0] > 0:
        distributed.barrier()
    yield
    if place()[0] == 0 and place()[1] > 1:
        distributed.barrier()
