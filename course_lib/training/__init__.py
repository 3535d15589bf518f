"""The one visible training loop, its schedules, and the recipes of the checkpoints."""

from __future__ import annotations

import torch


def device() -> torch.device:
    """Return the best device at hand: CUDA, else Apple's MPS, else the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")
