"""How a learning rate rises and falls: the shares of it, over a training.

Each takes the progress, from 0 to 1, and returns which share of its own rate every
group of parameters is trained with.
"""

from __future__ import annotations

import math


def stlr(
    t: float, T: float, cut_frac: float = 0.1, ratio: float = 32, eta_max: float = 0.01
) -> float:
    """Return the slanted triangular learning rate of step t of T.

    A short rise in the first `cut_frac` of the steps, then a long fall, from
    eta_max / ratio to eta_max and back. As in the paper, the last rates are too low,
    even below 0, where T · cut_frac is not whole; `slanted` has T = 1000.
    Source: Howard & Ruder 2018, equation 3.
    Errors: ValueError if there are too few steps for a rise.
    """
    cut = math.floor(T * cut_frac)
    if cut < 1:
        raise ValueError(
            f"{T} steps and cut_frac {cut_frac}: the rise would have no step; train "
            f"for at least {math.ceil(1 / cut_frac)} steps"
        )
    p = t / cut if t < cut else 1 - (t - cut) / (cut * (1 / cut_frac - 1))
    return eta_max * (1 + p * (ratio - 1)) / ratio


def slanted(progress: float) -> float:
    """Return STLR's share: a thousand steps are fine enough for any training."""
    return stlr(1000 * progress, 1000, eta_max=1.0)


def constant(progress: float) -> float:
    """Return the whole rate, always."""
    return 1.0


def linear(progress: float) -> float:
    """Fall in a straight line from the whole rate to nothing."""
    return 1 - progress


def cosine(progress: float) -> float:
    """Fall along half a wave of the cosine: slowly, fast, slowly."""
    return (1 + math.cos(math.pi * progress)) / 2
