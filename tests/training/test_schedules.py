"""Schedules: their closed forms at points that can be worked out by hand."""

from __future__ import annotations

import pytest

from course_lib.training.schedules import constant, cosine, linear, slanted, stlr

pytestmark = pytest.mark.no_gpu


@pytest.mark.parametrize(
    ("t", "rate"),
    [
        (0, 0.01 / 32),  # the lowest
        (50, 0.01 * (1 + 0.5 * 31) / 32),  # half way up
        (100, 0.01),  # the highest, after a tenth of the steps
        (550, 0.01 * (1 + 0.5 * 31) / 32),  # half way down
        (1000, 0.01 / 32),  # and back
    ],
)
def test_stlr_at_five_points(t, rate):
    assert stlr(t, 1000) == pytest.approx(rate)


def test_the_rise_and_the_fall_are_straight_lines():
    rates = [stlr(t, 200, cut_frac=0.25) for t in range(201)]
    steps = [b - a for a, b in zip(rates, rates[1:], strict=False)]
    assert steps[:50] == pytest.approx([steps[0]] * 50)
    assert steps[50:] == pytest.approx([steps[50]] * 150)
    assert steps[0] / -steps[50] == pytest.approx(3)  # three times as steep


def test_too_few_steps_for_a_rise_say_how_many_are_needed():
    with pytest.raises(ValueError, match="at least 10 steps"):
        stlr(3, 9)


def test_shares_lie_between_nothing_and_the_whole_rate():
    for schedule in (slanted, constant, linear, cosine):
        shares = [schedule(i / 100) for i in range(101)]
        assert max(shares) == pytest.approx(1)
        assert min(shares) >= 0
    assert slanted(0.1) == pytest.approx(1)
    assert cosine(0.5) == pytest.approx(linear(0.5)) == pytest.approx(0.5)
