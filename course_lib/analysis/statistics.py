"""How large is a difference, how sure are we of it, and how many labels is it worth?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats


class Interval(NamedTuple):
    """An estimate and the two ends of an interval around it."""

    estimate: float
    low: float
    high: float

    def __format__(self, spec: str) -> str:
        """Write all three numbers alike: f"{interval:.2f}" is 0.70 [0.10, 1.30]."""
        middle, low, high = (format(number, spec) for number in self)
        return f"{middle} [{low}, {high}]"


def relative_error_reduction(baseline: float, new: float, best: float = 1.0) -> float:
    """Return the share of the baseline's error that the new system removes.

    Negative if the new system is worse. `best` is a perfect score: 1, or 100 for
    percentages. Errors: ValueError if the baseline leaves no error to remove.
    """
    if baseline >= best:
        raise ValueError(
            f"the baseline scores {baseline}: no error is left below {best}; give "
            "best=100 for percentages"
        )
    return (new - baseline) / (best - baseline)


def resample(
    statistic: Callable[[np.ndarray], float], n: int, times: int, seed: int = 0
) -> np.ndarray:
    """Return the values that a statistic takes on resampled data, `times` of them.

    The statistic gets n row numbers drawn with replacement from 0 to n - 1.
    Source: Efron 1979 (the bootstrap).
    """
    rng = np.random.default_rng(seed)
    return np.array([statistic(rng.integers(n, size=n)) for _ in range(times)])


def interval(estimate: float, draws: np.ndarray, level: float = 0.95) -> Interval:
    """Cut the same share off both ends of resampled values (percentile interval)."""
    outside = (1 - level) / 2
    low, high = np.quantile(draws, [outside, 1 - outside])
    return Interval(float(estimate), float(low), float(high))


def t_interval(values: Sequence[float], level: float = 0.95) -> Interval:
    """Return the mean of independent runs with Student's interval (Student 1908).

    For a handful of seeds, where a bootstrap is too narrow; nan ends with one value.
    """
    values = np.asarray(values, dtype=float)
    mean, n = float(values.mean()), len(values)
    if n < 2:
        return Interval(mean, math.nan, math.nan)
    half = stats.t.ppf((1 + level) / 2, n - 1) * values.std(ddof=1) / math.sqrt(n)
    return Interval(mean, mean - float(half), mean + float(half))


def over_seeds(
    rows: list[dict], metric: str, by: tuple[str, ...] = ("model", "condition")
) -> dict[tuple, Interval]:
    """Return the mean of a metric over seeds, with its interval, for each group."""
    groups: dict[tuple, list[float]] = {}
    for row in rows:
        if row["metric"] == metric:
            groups.setdefault(tuple(row[c] for c in by), []).append(row["value"])
    return {group: t_interval(values) for group, values in groups.items()}


def gain(rows: list[dict], metric: str, new: dict, old: dict) -> Interval:
    """Return by how much one condition is above another, seed by seed.

    new, old: the columns that name each, such as {"model": "skip-gram"}. Within a seed
    both had the same text, so that it is their difference that has an interval.
    Errors: ValueError if they do not have the same seeds, one row each.
    """

    def column(wanted: dict) -> dict[int, float]:
        found = [
            row
            for row in rows
            if row["metric"] == metric and wanted.items() <= row.items()
        ]
        values = {row["seed"]: row["value"] for row in found}
        if len(values) < len(found):
            raise ValueError(f"{metric} of {wanted}: several rows with the same seed")
        return values

    a, b = column(old), column(new)
    if a.keys() != b.keys() or not a:
        raise ValueError(f"{metric}: {new} has seeds {[*b]}, {old} has {[*a]}")
    return t_interval([b[seed] - a[seed] for seed in a])


def paired_bootstrap(
    a: Sequence, b: Sequence, level: float = 0.95, times: int = 10_000, seed: int = 0
) -> Interval:
    """Return how much better B is than A on the same examples, with an interval.

    a, b: (N,) scores of each example, such as right (1) or wrong (0). What is drawn
    is an example with both its scores, because a hard one is hard for both systems.
    Errors: ValueError if the two are not scores of the same examples, one or more.
    Source: Koehn 2004.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.ndim != 1 or a.shape != b.shape or not a.size:
        raise ValueError(
            f"scores of shape {a.shape} and {b.shape}; give one number for each "
            "example, for the same examples in the same order"
        )
    difference = b - a  # (N,)
    draws = resample(lambda rows: difference[rows].mean(), len(a), times, seed)
    return interval(difference.mean(), draws, level)


def labels_needed(counts: Sequence, scores: Sequence, target: float) -> float:
    """Return with how many labels a learning curve first reaches a score.

    counts: (K,) rising numbers of labels; scores: (K,) what they gave. Between two
    measurements the score is taken to rise in a straight line with log(labels); a dip
    is noise and is passed over. nan where nothing was measured: the curve begins above
    the target or never gets there, or it gets there from a measurement with 0 labels,
    whose logarithm there is not. Errors: ValueError for counts that do not rise, below
    0, or not as many as scores.
    """
    if not 0 < len(counts) == len(scores) or np.any(np.diff([0, *counts]) < 0):
        raise ValueError(
            f"counts {[*counts]} for {len(scores)} scores; give one rising number of "
            "labels, 0 or more, for each score"
        )
    reached = np.maximum.accumulate(np.asarray(scores, dtype=float))  # (K,)
    if not reached[0] <= target <= reached[-1]:
        return math.nan
    k = int(np.searchsorted(reached, target))  # the first measurement at the target
    if reached[k] == target:
        return float(counts[k])
    if not counts[k - 1]:
        return math.nan
    part = (target - reached[k - 1]) / (reached[k] - reached[k - 1])
    return float(counts[k - 1] * (counts[k] / counts[k - 1]) ** part)


def data_multiplier(
    counts: Sequence, baseline: Sequence, model: Sequence, target: float
) -> float:
    """Return how many of the baseline's labels one label of the model's is worth.

    counts: (K,) numbers of labels; baseline, model: (K,) their learning curves. Below
    1 the model needs more labels than the baseline; nan as in `labels_needed`; inf if
    the model needs none.
    """
    needed = labels_needed(counts, baseline, target)
    ours = labels_needed(counts, model, target)
    return needed / ours if ours else math.inf if needed > 0 else math.nan
