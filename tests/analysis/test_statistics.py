"""A gain, an interval and a multiplier mean what the lesson says that they mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.analysis.statistics import (
    Interval,
    data_multiplier,
    labels_needed,
    paired_bootstrap,
    relative_error_reduction,
    resample,
)

FAST = 1_000  # resamples: enough for a test


def right_or_wrong(rng: np.random.Generator, n: int, gain: float):
    """Draw two systems' hits on n examples; they share what makes an example hard."""
    hardness = rng.random(n)
    a = hardness + 0.1 * rng.normal(size=n) < 0.8
    b = hardness + 0.1 * rng.normal(size=n) < 0.8 + gain
    return a, b


# -- relative error reduction ---------------------------------------------------------


@pytest.mark.parametrize(
    ("baseline", "new", "printed"),
    [(88.0, 88.7, 5.8), (81.1, 85.8, 24.9), (81.4, 84.6, 17.2), (67.2, 70.4, 9.8)],
)
def test_it_gives_the_figures_that_the_elmo_paper_prints(baseline, new, printed):
    assert 100 * relative_error_reduction(baseline, new, best=100) == pytest.approx(
        printed, abs=0.05
    )


@given(st.floats(0, 0.99), st.floats(0, 1))
def test_taking_the_reduction_away_from_the_error_leaves_the_new_error(old, new):
    reduction = relative_error_reduction(old, new)
    assert (1 - old) * (1 - reduction) == pytest.approx(1 - new, abs=1e-9)


def test_the_same_points_are_worth_more_where_fewer_errors_are_left():
    assert relative_error_reduction(0.9, 0.92) > 3 * relative_error_reduction(0.6, 0.62)


def test_it_is_1_for_a_perfect_system_and_negative_for_a_worse_one():
    assert relative_error_reduction(0.7, 1.0) == pytest.approx(1)
    assert relative_error_reduction(0.7, 0.4) == pytest.approx(-1)


def test_a_baseline_without_errors_is_refused():
    with pytest.raises(ValueError, match="no error is left"):
        relative_error_reduction(88.0, 88.7)  # percentages, but best is 1


# -- the paired bootstrap -------------------------------------------------------------


def test_it_agrees_with_the_normal_approximation_on_many_examples():
    a, b = right_or_wrong(np.random.default_rng(0), 4_000, gain=0.02)
    difference = b.astype(float) - a
    half = 1.96 * difference.std() / math.sqrt(len(a))
    found = paired_bootstrap(a, b)
    assert found.estimate == pytest.approx(difference.mean())
    assert found.low == pytest.approx(found.estimate - half, abs=0.1 * half)
    assert found.high == pytest.approx(found.estimate + half, abs=0.1 * half)


def test_95_of_100_intervals_hold_the_true_difference():
    rng = np.random.default_rng(1)
    hits, experiments, true = 0, 200, 0.25
    for _ in range(experiments):
        a = rng.normal(size=100)
        b = a + true + rng.normal(size=100)
        found = paired_bootstrap(a, b, times=FAST)
        hits += found.low <= true <= found.high
    # If 95 % is right, fewer than 180 or all 200 happens once in some 500 times.
    assert 180 <= hits <= 199


def test_two_equal_systems_differ_by_exactly_nothing():
    a, _ = right_or_wrong(np.random.default_rng(2), 50, gain=0)
    assert paired_bootstrap(a, a, times=FAST) == (0, 0, 0)


def test_exchanging_the_systems_mirrors_the_interval():
    a, b = right_or_wrong(np.random.default_rng(3), 80, gain=0.1)
    there, back = paired_bootstrap(a, b, times=FAST), paired_bootstrap(b, a, times=FAST)
    mirrored = (-back.estimate, -back.high, -back.low)
    assert there == pytest.approx(mirrored, abs=1e-12)


def test_pairing_narrows_the_interval_of_systems_that_fail_on_the_same_examples():
    rng = np.random.default_rng(4)
    a, b = right_or_wrong(rng, 400, gain=0.05)
    paired = paired_bootstrap(a, b, times=FAST)
    strangers = paired_bootstrap(rng.permutation(a), b, times=FAST)
    assert paired.high - paired.low < 0.7 * (strangers.high - strangers.low)


def test_four_times_the_examples_halve_the_interval():
    a, b = right_or_wrong(np.random.default_rng(5), 300, gain=0.05)
    one, four = (
        paired_bootstrap(np.tile(a, k), np.tile(b, k), times=5_000) for k in (1, 4)
    )
    assert (one.high - one.low) / (four.high - four.low) == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize("b", [[1, 0], [1, 0, 1, 1], [[1, 0, 1]]])
def test_scores_of_different_examples_are_refused(b):
    with pytest.raises(ValueError, match="same examples"):
        paired_bootstrap([1, 0, 1], b)


def test_no_examples_are_refused():
    with pytest.raises(ValueError, match="one number for each"):
        paired_bootstrap([], [])


def test_a_resample_has_as_many_rows_as_the_data_and_repeats_some():
    sizes = resample(len, n=40, times=20)
    distinct = resample(lambda rows: len(set(rows.tolist())) / 40, n=40, times=500)
    assert (sizes == 40).all()
    assert distinct.mean() == pytest.approx(1 - (1 - 1 / 40) ** 40, abs=0.01)  # 64 %


def test_an_interval_prints_its_three_numbers_alike():
    assert f"{Interval(0.024, 0.002, 0.046):.3f}" == "0.024 [0.002, 0.046]"
    assert f"{Interval(2.4, -0.2, 4.6):+.1f}" == "+2.4 [-0.2, +4.6]"


# -- labels needed, and the data multiplier -------------------------------------------

COUNTS = [100, 1_000, 10_000]


@pytest.mark.parametrize(("target", "needed"), [(60, 100), (65, 10**2.5), (80, 10_000)])
def test_a_curve_is_read_on_a_logarithmic_scale(target, needed):
    assert labels_needed(COUNTS, [60, 70, 80], target) == pytest.approx(needed)


def test_a_dip_does_not_undo_what_was_reached():
    assert labels_needed([1, 2, 4, 8], [50, 70, 60, 80], 65) == pytest.approx(2**0.75)
    assert labels_needed([1, 2, 4, 8], [50, 70, 60, 80], 75) == pytest.approx(
        4 * 2**0.5
    )


@pytest.mark.parametrize("target", [59.9, 80.1])
def test_where_nothing_was_measured_there_is_no_number(target):
    assert math.isnan(labels_needed(COUNTS, [60, 70, 80], target))


@given(st.floats(1.01, 80), st.floats(0.05, 0.95))
def test_a_curve_shifted_by_a_factor_has_that_multiplier_at_every_score(factor, height):
    counts = np.geomspace(1, 10_000, 30)
    baseline = np.log(counts)
    model = np.log(counts * factor)  # with n labels as good as baseline with factor × n
    lowest, highest = model[0], baseline[-1]
    target = lowest + height * (highest - lowest)
    found = data_multiplier(counts, baseline, model, target)
    assert found == pytest.approx(factor, rel=1e-6)


def test_a_model_that_needs_more_labels_has_a_multiplier_below_1():
    assert data_multiplier(COUNTS, [60, 70, 80], [50, 60, 70], 65) == pytest.approx(0.1)


def test_a_curve_that_begins_without_labels_has_no_logarithm_there():
    """A zero-shot score: what was measured is an answer, what lies behind it is not."""
    counts, scores = [0, 100, 1000], [0.5, 0.7, 0.9]
    assert labels_needed(counts, scores, 0.5) == 0
    assert labels_needed(counts, scores, 0.7) == 100
    assert math.isnan(labels_needed(counts, scores, 0.6))
    assert labels_needed(counts, scores, 0.8) == pytest.approx(100 * 10**0.5)
    assert math.isnan(data_multiplier(counts, scores, scores, 0.6))
    assert data_multiplier(counts, [0.4, 0.5, 0.9], scores, 0.5) == math.inf


@pytest.mark.parametrize("counts", [[10], [10, 5], [-1, 5], []])
def test_counts_that_are_no_curve_are_refused(counts):
    with pytest.raises(ValueError, match="one rising number of labels"):
        labels_needed(counts, [0.5, 0.9], 0.7)
