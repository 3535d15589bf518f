"""Which inputs does a state depend on? Ask the gradient."""

from __future__ import annotations

from collections.abc import Callable

import torch


def influence(
    read: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor
) -> torch.Tensor:
    """Measure how strongly each state depends on each input.

    read: maps a sequence (1, T, I) to its states (1, T, H).
    Shape: (T, T); row t, column s is the size of the gradient of state t with respect
    to input s. Exactly zero where nothing leads from input s to state t, or where all
    that does is clipped at this x.
    """
    x = x.detach().requires_grad_()
    states = read(x)[0]  # (T, H)
    # A random mixture of the H numbers: their plain sum could hide two that cancel.
    mixed = states @ torch.randn_like(states[0])  # (T,)
    rows = [torch.autograd.grad(m, x, retain_graph=True)[0][0] for m in mixed]
    return torch.stack(rows).norm(dim=2)  # (T, T, I) to (T, T)
