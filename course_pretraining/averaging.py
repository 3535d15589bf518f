"""A running average of a model's weights: as good as a lower learning rate at the end.

With it the rate can be held where it is, so a training has no planned end: whoever
goes on later begins from the average.
Source: Polyak & Juditsky 1992; as an exponential average, Tarvainen & Valpola 2017.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch


def hold(progress: float, warm_up: float = 0.01) -> float:
    """Rise from 0 to 1 in the first `warm_up` of the way, then stay: a schedule."""
    return min(progress / warm_up, 1.0)


def keep_average(optimizer: torch.optim.Adam, horizon: int) -> None:
    """Let an optimizer average each weight over about its last `horizon` steps.

    The average is part of the optimizer's state, and saved and resumed with it. In the
    beginning it is over fewer steps, so that it forgets the untrained weights.
    """

    def after_step(optimizer: torch.optim.Optimizer, *_) -> None:
        for p, state in averages(optimizer):
            share = max(1 / horizon, 9 / (9 + int(state["step"])))
            state.setdefault("average", p.detach().clone()).lerp_(p.detach(), share)

    optimizer.register_step_post_hook(after_step)


def averages(optimizer: torch.optim.Optimizer) -> Iterator[tuple[torch.Tensor, dict]]:
    """Yield each weight that has been trained, and its state."""
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p in optimizer.state:
                yield p, optimizer.state[p]


@torch.no_grad()
def take_average(optimizer: torch.optim.Optimizer) -> None:
    """Put the averages in the place of the weights."""
    for p, state in averages(optimizer):
        p.copy_(state["average"])
