"""One rule says what our runs say of a claim, and a null result never refutes it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from course_claims import outcome as rule
from course_claims.outcome import outcome
from course_lib.analysis.statistics import t_interval

SEEDS = st.lists(st.floats(-5, 5), min_size=2, max_size=10)
TASKS = st.dictionaries(st.sampled_from("abcdef"), SEEDS, min_size=1)


def around(mean: float, seeds: int = 10) -> list[float]:
    """Return values with this mean and a standard deviation of about 0.1."""
    return [mean + 0.1 * x for x in np.linspace(-1.5, 1.5, seeds)]


def test_the_words_mean_what_they_say():
    up, flat, down = around(1.0), around(0.01), around(-1.0)
    assert outcome({}, 0.5) == "not tried"
    assert outcome({"a": up, "b": up, "c": flat}, 0.5) == "reproduced"
    assert outcome({"a": up, "b": flat, "c": flat}, 0.5) == "mixed"
    assert outcome({"a": up, "b": up, "c": down}, 0.5) == "mixed"
    assert outcome({"a": down, "b": down, "c": up}, 0.5) == "mixed"
    assert outcome({"a": down, "b": down, "c": flat}, 0.5) == "contradicted"
    # Shown to be smaller than what would matter, or only not shown to be there.
    assert outcome({"a": flat, "b": flat}, 0.5) == "contradicted"
    assert outcome({"a": flat, "b": flat}, 0.02) == "cannot tell"


def test_a_claim_that_things_are_alike_is_shown_by_smallness_and_refuted_by_size():
    flat, large, unsure = around(0.01), around(1.0), around(0.45)
    assert outcome({"a": flat, "b": flat, "c": unsure}, 0.5, alike=True) == "reproduced"
    assert outcome({"a": large, "b": large}, 0.5, alike=True) == "contradicted"
    assert outcome({"a": flat, "b": large}, 0.5, alike=True) == "mixed"
    # Significantly above 0, but neither nearer to it than 0.5 nor further away.
    assert outcome({"a": around(0.5)}, 0.5, alike=True) == "cannot tell"
    assert rule.too_small({"a": unsure}, 0.5) == set()


@given(TASKS, st.floats(0.01, 1))
@settings(deadline=None)
def test_alike_knows_no_direction(tasks, of_interest):
    turned = {task: [-x for x in values] for task, values in tasks.items()}
    ours, theirs = (outcome(of, of_interest, alike=True) for of in (tasks, turned))
    assert ours == theirs


def test_a_claim_of_several_parts_needs_them_all():
    up, flat = around(1.0), around(0.01)
    most = {"grammar": up, "meaning": up, "common sense": flat}
    assert outcome(most, 0.001) == "reproduced"
    assert outcome(most, 0.001, every=True) == "mixed"
    assert outcome({"grammar": up, "meaning": up}, 0.001, every=True) == "reproduced"


@given(TASKS, st.floats(0, 0.001))
@settings(deadline=None)
def test_when_all_intervals_hold_0_nothing_can_be_told(tasks, of_interest):
    spans = [t_interval(values) for values in tasks.values()]
    if all(span.low <= 0 <= span.high for span in spans):
        wide = {t: v for t, v in tasks.items() if np.std(v) > 0.01}
        expected = "cannot tell" if wide else "not tried"
        assert outcome(wide, of_interest) == expected


@given(TASKS, st.floats(0.01, 1))
@settings(deadline=None)
def test_the_opposite_claim_has_the_opposite_outcome(tasks, of_interest):
    turned = {task: [-x for x in values] for task, values in tasks.items()}
    ours, theirs = outcome(tasks, of_interest), outcome(turned, of_interest)
    if ours == "reproduced":
        assert theirs == "contradicted"
    if "cannot tell" in (ours, theirs):
        assert ours == theirs


@given(SEEDS)
def test_one_task_is_a_t_test_of_the_mean(values):
    if np.std(values) > 1e-6:
        span = t_interval(values)
        if min(abs(span.low), abs(span.high)) > 1e-9:
            significant = not span.low <= 0 <= span.high
            assert (rule.p_two_sided(values) < 0.05) == significant
            expected = stats.ttest_1samp(values, 0).pvalue
            assert rule.p_two_sided(values) == pytest.approx(expected, rel=1e-6)


def test_holm_corrects_step_by_step():
    corrected = rule.holm({"a": 0.01, "b": 0.04, "c": 0.03})
    assert corrected == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})


def test_asking_in_more_tasks_needs_more_evidence():
    close = around(0.08)  # p about 0.03 alone
    assert 0.01 < rule.p_two_sided(close) < 0.05
    assert outcome({"a": close}, 1e-6) == "reproduced"
    others = {str(k): around(0.0) for k in range(4)}
    assert outcome({"a": close, **others}, 1e-6) == "cannot tell"


def test_runs_without_any_spread_are_exact():
    assert outcome({"a": [0.3, 0.3, 0.3]}, 0.1) == "reproduced"
    assert outcome({"a": [0.0, 0.0, 0.0]}, 0.1) == "contradicted"
    assert outcome({"a": [0.3]}, 0.1) == "cannot tell"


def test_an_effect_of_the_detectable_size_is_found_in_four_of_five_experiments():
    values = stats.zscore(np.arange(10.0), ddof=1)  # a standard deviation of 1
    size = rule.smallest_detectable(values)
    draws = np.random.default_rng(0).normal(size, 1, size=(4000, 10))
    found = np.mean([rule.p_two_sided(row) < 0.05 for row in draws])
    assert found == pytest.approx(0.8, abs=0.04)
    assert rule.smallest_detectable([0.3]) == math.inf
