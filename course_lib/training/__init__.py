"""The one visible training loop, its schedules, and the recipes of the checkpoints."""

from __future__ import annotations

import time

import torch


def device() -> torch.device:
    """Return the best device at hand: CUDA, else Apple's MPS, else the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def bf16_pays() -> bool:
    """Measure whether this machine multiplies bfloat16 faster than single precision.

    True on recent processors and GPUs; elsewhere bfloat16 is emulated, and slow.
    """
    seconds = []
    for dtype in (torch.float32, torch.bfloat16):
        x = torch.ones(512, 512, dtype=dtype, device=device())
        times = []
        for _ in range(5):
            start = time.perf_counter()
            (x @ x).sum().item()  # .item() waits for the result
            times.append(time.perf_counter() - start)
        seconds.append(min(times))
    return seconds[1] < 0.8 * seconds[0]
