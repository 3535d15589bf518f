"""γ learned or not: what is measured, and how the answer is judged."""

from __future__ import annotations

from course_claims.experiments import gamma


def test_only_a_gamma_that_learns_moves_and_the_rate_is_one_of_those_tried(
    monkeypatch,
):
    monkeypatch.setattr(gamma, "TASKS", gamma.TASKS[:1])
    rows = gamma.gamma(1, quick=True)
    ends = {kind: set() for kind in gamma.KINDS}
    for row in rows:
        if row["metric"].startswith("gamma"):
            ends[row["model"]].add(row["value"])
    assert ends["fixed at 1"] == {1.0}
    assert {round(end, 6) for end in ends["fixed at 0.2"]} == {0.2}
    assert 1.0 not in ends["learned from 1"]
    assert 0.2 not in {round(end, 6) for end in ends["learned from 0.2"]}
    chosen = {r["value"] for r in rows if r["metric"] == "rate"}
    assert chosen <= set(gamma.RATES)
    by_rate = {
        (r["model"], r["condition"], r["metric"]): r["value"] for r in rows
    }  # the score is the one at the chosen rate
    for (kind, place, metric), value in by_rate.items():
        if metric == "rate":
            score = by_rate[kind, place, "score"]
            assert by_rate[kind, place, f"score at {value}"] == score
