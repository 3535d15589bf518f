"""NT-ASGD: plain gradient descent that begins to average its weights when it is stuck.

optimizer = nt_asgd(model, rate=30)
watch = NonMonotone(optimizer)
…                                    a training that calls watch(held_out_loss)
use_average(optimizer)

Near a minimum, steps of a constant size jump around it; their average lies in the
middle. When to begin: once a held-out loss is worse than the best of all checks but the
last n.
Source: Merity et al. 2017, section 3, algorithm 1, with the condition of the authors'
code: the printed one compares with the last n checks (awd-lstm-lm, issue 13).
"""

from __future__ import annotations

import math

import torch
from torch import nn


def nt_asgd(model: nn.Module, rate: float, weight_decay: float = 1.2e-6):
    """Return torch's averaged SGD, not averaging yet, its rate constant.

    A step is taken at the rate that was set before the step before it: where rates
    change, as with `Streams.pace`, each comes one step late.
    """
    options = {"lambd": 0.0, "t0": math.inf, "weight_decay": weight_decay}
    return torch.optim.ASGD(model.parameters(), lr=rate, **options)


class NonMonotone:
    """Start the average once a check is worse than the best of all but the last n."""

    def __init__(self, optimizer: torch.optim.ASGD, n: int = 5):
        self.optimizer, self.n = optimizer, n
        self.logs: list[float] = []
        self.started: int | None = None

    def __call__(self, loss: float) -> bool:
        """Note a held-out loss; return whether the weights are being averaged."""
        early = self.logs[: max(0, len(self.logs) - self.n)]
        if self.started is None and early and loss > min(early):
            state = next(iter(self.optimizer.state.values()))
            self.started = int(state["step"])
            for group in self.optimizer.param_groups:
                group["t0"] = self.started - 1  # torch's counter is one behind
        self.logs.append(loss)
        return self.started is not None


@torch.no_grad()
def use_average(optimizer: torch.optim.ASGD) -> None:
    """Put the average in the place of the weights; without one, they stay the same."""
    for parameter, state in optimizer.state.items():
        parameter.copy_(state["ax"])
