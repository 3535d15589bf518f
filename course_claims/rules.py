"""What the rules of the claims share: the ledger's rows, differences, verdicts.

A rule is about differences within a seed, where both sides had the same text or labels.
"Surely" means that their 95 % interval over seeds excludes 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from course_lib.analysis.statistics import Interval, t_interval

from .ledger import gain

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


def above_zero(values: Sequence[float]) -> bool:
    """Say whether the interval of the mean of some values, a seed each, is above 0."""
    return t_interval(values).low > 0


# -- verdicts --------------------------------------------------------------------------


def verdict(held: Sequence[bool], everywhere: bool = False) -> str:
    """Say what follows from the cases in which a claim held.

    supported    in more than half of them (everywhere: in all of them)
    overstated   in some, but not in so many
    wrong        in none
    """
    enough = all(held) if everywhere else 2 * sum(held) > len(held)
    if enough:
        return "supported"
    return "overstated" if any(held) else "wrong"


def ahead_in_most(gaps: Iterable[Interval]) -> str:
    """Say "supported" if most gains are surely above 0 and none is surely below.

    "overstated" if some is surely above 0, else "wrong".
    """
    gaps = list(gaps)
    found = verdict([gap.low > 0 for gap in gaps])
    behind = any(gap.high < 0 for gap in gaps)
    return "overstated" if found == "supported" and behind else found


def opposite(found: str) -> str:
    """Return the verdict on a claim that denies what was asked."""
    return {"supported": "wrong", "wrong": "supported"}.get(found, found)
