"""The experiments on sample efficiency: they repeat themselves, the rules are kept."""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_claims.experiments import efficiency
from course_claims.experiments.efficiency import EXPERIMENTS
from course_claims.rules import row
from course_lib.analysis.statistics import t_interval


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_an_experiment_names_each_row_once(key, quick):
    rows = quick(key)
    names = [(r["model"], r["condition"], r["metric"]) for r in rows]
    assert len(set(names)) == len(names)
    assert all(math.isfinite(r["value"]) for r in rows)


def test_an_experiment_repeats_itself(quick):
    assert quick("convergence") == EXPERIMENTS["convergence"](seed=1, quick=True)


def test_the_first_update_at_the_target_counts():
    curve = [0.2, 0.5, 0.4, 0.6]
    step = efficiency.EVERY
    assert efficiency.until(curve, 0.5) == 2 * step
    assert efficiency.until(curve, 0.55) == 4 * step
    assert efficiency.until(curve, 0.7) == 5 * step  # never: one step more


# -- data multipliers ------------------------------------------------------------------


def task(plain, model, seeds=3, labels=(10, 100, 1000)):
    """Return curves of some seeds that differ by a hair."""
    spread = 1e-3 * np.arange(seeds)[:, None]
    scores = {"TF-IDF": np.array(plain) + spread, "biLM": np.array(model) + spread}
    return efficiency.Curves(np.array(labels, dtype=float), scores)


def test_a_model_that_is_ten_times_as_quick_has_multiplier_ten():
    found = efficiency.worth(task([0.5, 0.6, 0.7], [0.6, 0.7, 0.8]))
    assert found.multiplier.estimate == pytest.approx(10)
    assert found.multiplier.low == pytest.approx(10, rel=0.1)
    assert found.bound == ""


def test_equal_curves_have_multiplier_one():
    assert efficiency.worth(task([0.5, 0.6, 0.7], [0.5, 0.6, 0.7])).multiplier[0] == 1


def test_what_lies_outside_of_the_measurements_is_a_bound():
    quick = efficiency.worth(task([0.3, 0.4, 0.5], [0.6, 0.7, 0.8]))
    slow = efficiency.worth(task([0.7, 0.8, 0.9], [0.2, 0.3, 0.4]))
    assert (quick.multiplier.estimate, quick.bound) == (100, "at least")
    assert (slow.multiplier.estimate, slow.bound) == (1, "at most")
    assert quick.multiplier == (100, 100, math.inf)
    assert slow.multiplier == (1, 0, 1)


def test_the_interval_of_a_multiplier_is_student_s():
    """Scores that rise by 0.1 for ten times the labels: 0.1 is a factor of ten."""
    shifts = np.array([0.01, -0.01, 0.02, -0.02, 0.0])[:, None]
    scores = {"TF-IDF": np.tile([0.4, 0.5, 0.6, 0.7], (5, 1))}
    scores["biLM"] = scores["TF-IDF"] + 0.1 + shifts
    labels = np.array([10.0, 100, 1000, 10_000])
    found = efficiency.worth(efficiency.Curves(labels, scores), k=2).multiplier
    half = 10 * t_interval(shifts.ravel()).high  # in powers of ten
    ends = [10 * 10**-half, 10 * 10**half]
    assert found == pytest.approx((10, *ends), rel=0.03)
    assert found.low <= ends[0] and found.high >= ends[1]


def test_a_multiplier_that_only_some_seeds_bound_has_an_open_end():
    wide = task([0.5, 0.6, 0.7], [0.45, 0.55, 0.65])
    wide.scores["biLM"] += 0.2 * np.array([[-1], [0], [1]])
    found = efficiency.worth(wide).multiplier
    assert found.low == 0 and found.high == math.inf


def test_one_seed_has_no_interval():
    assert math.isnan(
        efficiency.worth(task([0.5, 0.6], [0.6, 0.7], 1, (10, 100)))[0].low
    )


def few(plain, model, seeds=(1, 2)):
    """Write rows of few_labels for tasks whose curves rise to 1."""
    rows = []
    for k, shares in enumerate(zip(plain, model, strict=True)):
        for share in efficiency.SHARES:
            about = f"task{k}: {share:.0%}"
            rows.append(row("", about, "labels", 100 * share))
            for name, at in zip(("TF-IDF", "biLM"), shares, strict=True):
                score = 1.0 if share == 1 else at
                rows.append(row(name, about, "score", score))
    return [{"seed": seed, **r} for seed in seeds for r in rows]
