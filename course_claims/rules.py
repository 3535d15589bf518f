"""What claims share: the ledger's rows, differences, baselines.

A difference is one within a seed, where both sides had the same text or labels. What
follows from it is decided in `outcome`, and there alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from course_lib.analysis.statistics import Interval, t_interval

from .ledger import gain
from .outcome import Place

Effects = Callable[[Sequence[dict]], Mapping[Place, Interval]]

# -- rows ------------------------------------------------------------------------------


def row(model: str, condition: str, metric: str, value: float) -> dict:
    """Write a row for the ledger."""
    about = {"model": model, "condition": condition, "metric": metric}
    return about | {"value": float(value)}


def conditions(rows: Iterable[dict], metric: str = "") -> list[str]:
    """List the conditions of some rows, or of a metric's, in their order, once each."""
    wanted = (r["condition"] for r in rows if metric in ("", r["metric"]))
    return list(dict.fromkeys(wanted))


def beginnings(rows: Iterable[dict], separator: str = ": ") -> list[str]:
    """List what stands before the separator in the conditions: the tasks, the texts."""
    return list(dict.fromkeys(c.partition(separator)[0] for c in conditions(rows)))


def n_seeds(rows: Iterable[dict]) -> int:
    """Count the seeds."""
    return len({r["seed"] for r in rows})


def by_seed(
    rows: Iterable[dict], model: str, condition: str, metric: str
) -> dict[int, float]:
    """Return the values of a model under a condition, by seed."""
    wanted = (model, condition, metric)
    return {
        r["seed"]: r["value"]
        for r in rows
        if (r["model"], r["condition"], r["metric"]) == wanted
    }


def by_model(
    rows: Iterable[dict], metric: str, condition: str
) -> dict[str, np.ndarray]:
    """Return each model's values of a metric, in the order of the seeds."""
    found: dict[str, dict[int, float]] = {}
    for r in rows:
        if (r["metric"], r["condition"]) == (metric, condition):
            found.setdefault(r["model"], {})[r["seed"]] = r["value"]
    return {k: np.array([of[seed] for seed in sorted(of)]) for k, of in found.items()}


# -- differences -----------------------------------------------------------------------


def gain_in(
    rows: Sequence[dict], metric: str, new: str, old: str, condition: str
) -> Interval:
    """Return by how much one model is above another under a condition."""
    about = {"condition": condition}
    return gain(rows, metric, {"model": new} | about, {"model": old} | about)


def gains(rows: Sequence[dict], metric: str, new: str, old: str) -> dict[str, Interval]:
    """Return by how much one model is above another, by condition."""
    names = conditions(rows, metric)
    return {name: gain_in(rows, metric, new, old, name) for name in names}


def shifted(effects: Effects, by: float) -> Effects:
    """Return effects minus a threshold: above 0 is what is above it."""
    return lambda rows: {
        place: Interval(*(end - by for end in of))
        for place, of in effects(rows).items()
    }


# -- for hypotheses --------------------------------------------------------------------


def only(*places: Place) -> Callable[[Place], int | None]:
    """Return a function: these places count, and the claim says above 0."""
    return dict.fromkeys(places, 1).get


def over(metric: str, models: Iterable[str], baseline: str) -> Effects:
    """Return a function: how far models are above a baseline, for each condition."""
    return lambda rows: {
        (name, model): gain_in(rows, metric, model, baseline, name)
        for name in conditions(rows, metric)
        for model in models
        if by_seed(rows, baseline, name, metric) and by_seed(rows, model, name, metric)
    }


def above_chance(metric: str, chances: dict[str, float]) -> Effects:
    """Return a function: how far all models are above chance, where it is given."""
    return lambda rows: {
        (name, model): t_interval(values - chance)
        for name, chance in chances.items()
        for model, values in by_model(rows, metric, name).items()
    }
