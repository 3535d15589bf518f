"""The one visible training loop, its schedules, fine-tuning, and whole tasks."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


def device() -> torch.device:
    """Return the best device at hand: CUDA, else Apple's MPS, else the CPU.

    COURSE_DEVICE in the environment decides instead: "cpu" leaves a GPU alone.
    Errors: RuntimeError if torch knows no device of this name.
    """
    if "COURSE_DEVICE" in os.environ:
        return torch.device(os.environ["COURSE_DEVICE"])
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


@contextmanager
def on_device(model: nn.Module) -> Iterator[torch.device]:
    """Lend a model to the best device; afterwards it is back where it was.

    So a notebook never has to ask where a model is: what it makes is on the CPU, and a
    model that it did not move is there as well.
    """
    home = next(model.parameters()).device
    try:
        model.to(device())
        yield device()
    finally:
        model.to(home)


@contextmanager
def without_dropout(model: nn.Module) -> Iterator[None]:
    """Switch a model to `eval`; afterwards each part is in the mode that it was in."""
    modes = {part: part.training for part in model.modules()}
    model.eval()
    try:
        yield
    finally:
        model.train(model.training)  # what it remembers is of another text
        for part, mode in modes.items():
            part.training = mode


def bf16_pays() -> bool:
    """Measure whether this machine multiplies bfloat16 faster than single precision.

    True on recent processors and GPUs; elsewhere bfloat16 is emulated, and slow. False
    as well where an LSTM cannot be trained in it: some laptops refuse to.
    """
    single, half = math.inf, math.inf  # seconds
    try:
        for _ in range(8):
            single = min(single, matmul_seconds(torch.float32, times=2))
            half = min(half, matmul_seconds(torch.bfloat16, times=2))
            if half > 4 * single:  # emulated: one look is enough, and takes long
                return False
        with torch.random.fork_rng(devices=[]):  # whoever asks draws as before
            lstm = nn.LSTM(8, 8).to(device(), torch.bfloat16)
        lstm(torch.ones(2, 8).to(lstm.weight_ih_l0))[0].sum().backward()
    except (TypeError, RuntimeError):  # some devices do not know bfloat16 at all
        return False
    return half < 0.8 * single


def matmul_seconds(dtype: torch.dtype, size: int = 512, times: int = 5) -> float:
    """Time a product of two (size, size) matrices; the best of a few times."""
    x = torch.ones(size, size, dtype=dtype, device=device())
    found = []
    for _ in range(times):
        start = time.perf_counter()
        (x @ x).sum().item()  # .item() waits for the result
        found.append(time.perf_counter() - start)
    return min(found)
