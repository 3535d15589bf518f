"""The processes that torchrun has started: they meet, and one may go first."""

from __future__ import annotations

import os
from contextlib import contextmanager

import torch
from torch import distributed

from course_lib.training import parallel


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


@contextmanager
def first_goes_first():
    """Let the first process through alone; the others then find what it has made."""
    if parallel.place()[0] > 0:
        distributed.barrier()
    yield
    if parallel.place()[0] == 0 and parallel.place()[1] > 1:
        distributed.barrier()
