"""Perplexity and vectors: what is measured at a stop, and how the answer is judged."""

from __future__ import annotations

import pytest

from course_claims.experiments import perplexity
from course_claims.rules import row

pytestmark = pytest.mark.whole

STOPS = (1, 2)  # fewer readings than the experiment has, which takes its time


@pytest.fixture(scope="module")
def stopped():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(perplexity, "STOPS", STOPS)
        return perplexity.vectors_on_the_way(1, quick=True)


def test_every_stop_has_a_perplexity_and_two_accuracies(stopped):
    found = {(r["model"], r["metric"]): r["value"] for r in stopped}
    assert len(found) == 3 * len(STOPS)
    for (_, metric), value in found.items():
        assert value > 1 if metric == "perplexity" else 0 <= value <= 1


def test_looking_at_the_vectors_on_the_way_changes_nothing(stopped, monkeypatch):
    """Without the first stop, the last model is the same."""
    monkeypatch.setattr(perplexity, "STOPS", STOPS[-1:])
    assert perplexity.vectors_on_the_way(1, quick=True) == [
        r for r in stopped if r["model"] == "2 readings"
    ]


def rows(late: dict[str, float]) -> list[dict]:
    """Vectors and perplexity that get better at every stop; the last step is given.

    late: what the last stop adds, by measure; each seed adds a little of its own
    """
    steps = {"perplexity": -20.0, "parts of speech": 0.1, "senses": 0.1}
    return [
        {"seed": seed, **row(f"{n} readings", language, metric, value)}
        for seed in range(1, 6)
        for language in ("en", "zh")
        for metric, step in steps.items()
        for k, n in enumerate(perplexity.STOPS)
        for last in [late.get(metric, step) if k == 2 else 0]
        for value in [100 + seed + step * min(k, 1) * (1 + seed / 50) + last]
    ]
