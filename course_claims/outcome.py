"""What our runs say of a claim: one rule for every measured effect.

A claim says that something helps. In each task that counts, an effect is measured with
several seeds: what is compared differs only in what the claim is about, and a seed's
difference is one value. Differences are written in the claimed direction: above 0 the
claim is right.

reproduced      significantly above 0 in more than half of the tasks, below 0 in none
contradicted    significantly below 0 in more than half; or above 0 in none, and in more
                than half significantly nearer to 0 than the smallest effect of interest
mixed           significantly above or below 0, in too few for the above, or both ways
cannot tell     none of these: more seeds, or larger models, might show either
not tried       nothing was measured, or nothing was learned in any task

Of a claim that two things are alike, "above 0" is: significantly nearer to 0 than the
smallest effect of interest; and "below 0": significantly further from it.

Significantly: p < 0.05 in Student's t test over seeds, with Holm's correction over the
tasks. So a null result never speaks against a claim; only two things do, an effect in
the other direction and one that is shown to be too small to matter. Sources: Student
1908; Holm 1979; Schuirmann 1987 (two one-sided tests).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

OUTCOMES = ("reproduced", "contradicted", "mixed", "cannot tell", "not tried")
ALPHA = 0.05
Place = Hashable  # a task, or a task and what is compared there
Differences = Mapping[Place, Sequence[float]]  # of each task, one value a seed


@dataclass(frozen=True)
class Hypothesis:
    """What a claim says of some effects; written down before all seeds are pooled.

    of_interest  the smallest effect that would matter, in the unit that a card shows
    since        why it is that, in English and Chinese: half of what the paper found
    claimed      place to its direction: 1 above 0, -1 below; 0 or None: it is shown,
                 but does not count
    alike        the claim is that there is no difference of interest
    every        the claim is one of all places together: "grammar and meaning and …"
    once         what is compared was pre-trained once, for all seeds: they say nothing
                 of another pre-training, so nothing can be told
    learned      rows to {(task, what is compared): how far it is above a baseline that
                 needs no network}; where nothing is, nothing was learned
    """

    of_interest: float
    since: tuple[str, str]
    claimed: Callable[[Place], int | None] = lambda place: 1
    alike: bool = False
    every: bool = False
    once: bool = False
    learned: Callable | None = None


CONVENTION = ("our convention", "本课的约定")


def outcome(
    differences: Differences,
    of_interest: float,
    alike: bool = False,
    every: bool = False,
) -> str:
    """Say what came out, see `Hypothesis`; differences in the claimed direction.

    Tasks with a single seed count as measured, but nothing can be told from them.
    """
    if not differences:
        return "not tried"
    small = too_small(differences, of_interest)
    if alike:
        up, down = small, too_large(differences, of_interest)
    else:
        up, down = directions(differences)
    half = len(differences) / 2
    if up and not down:
        enough = len(up) == len(differences) if every else len(up) > half
        return "reproduced" if enough else "mixed"
    if down:
        return "contradicted" if len(down) > half and not up else "mixed"
    return "contradicted" if len(small) > half and not alike else "cannot tell"


def directions(differences: Differences) -> tuple[set, set]:
    """Return the tasks that are significantly above 0, and those below."""
    p = holm({task: p_two_sided(of) for task, of in differences.items()})
    found = {task: np.mean(of) for task, of in differences.items() if p[task] < ALPHA}
    up = {task for task, mean in found.items() if mean > 0}
    return up, found.keys() - up


def too_small(differences: Differences, of_interest: float) -> set:
    """Return the tasks whose effect is significantly between -δ and δ.

    δ is the smallest effect of interest. Two one-sided tests: both must reject.
    """
    p = holm(
        {
            task: max(p_above(of, -of_interest), p_above(np.negative(of), -of_interest))
            for task, of in differences.items()
        }
    )
    return {task for task in p if p[task] < ALPHA}


def too_large(differences: Differences, of_interest: float) -> set:
    """Return the tasks whose effect is significantly above δ or below -δ."""
    p = holm(
        {
            task: min(
                1.0,
                2
                * min(p_above(of, of_interest), p_above(np.negative(of), of_interest)),
            )
            for task, of in differences.items()
        }
    )
    return {task for task in p if p[task] < ALPHA}


def p_two_sided(values: Sequence[float]) -> float:
    """Return how often a mean as far from 0 comes by chance if the true one is 0."""
    return min(1.0, 2 * min(p_above(values, 0.0), p_above(np.negative(values), 0.0)))


def p_above(values: Sequence[float], border: float) -> float:
    """Return how often a mean as high comes by chance if the true one is `border`.

    1 if there are fewer than two values. Values without any spread are taken as exact.
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return 1.0
    error = values.std(ddof=1) / math.sqrt(len(values))
    distance = values.mean() - border
    if error <= 1e-12 * max(1.0, abs(border)):
        return 0.0 if distance > 1e-12 else 1.0
    return float(stats.t.sf(distance / error, len(values) - 1))


def holm(p: Mapping[Place, float]) -> dict[Place, float]:
    """Return p values corrected for asking so many questions at once (Holm 1979).

    The smallest of m is multiplied by m, the next by m - 1 and so on, and none becomes
    smaller than the one before it.
    """
    corrected, highest = {}, 0.0
    for rank, name in enumerate(sorted(p, key=p.__getitem__)):
        highest = max(highest, min(1.0, (len(p) - rank) * p[name]))
        corrected[name] = highest
    return corrected


def smallest_detectable(
    values: Sequence[float], tasks: int = 1, power: float = 0.8
) -> float:
    """Return the true effect that so many seeds would have found, with this chance.

    From the spread of the values, for the strictest step of Holm's correction over so
    many tasks; inf if there are fewer than two values. The t approximation of Cohen
    1988: (t at 1 - α/2 + t at the power) standard errors.
    """
    n = len(values)
    if n < 2:
        return math.inf
    error = float(np.std(values, ddof=1)) / math.sqrt(n)
    ends = stats.t.ppf([1 - ALPHA / (2 * tasks), power], n - 1)
    return float(ends.sum() * error)
