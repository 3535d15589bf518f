"""The experiments on ELMo's mixes: what they tell, and that the rules are kept."""

from __future__ import annotations

import pytest

from course_claims import rules
from course_claims.experiments import mixing
from course_claims.rules import row
from course_lib.training import plug_in
from course_lib.training.plug_in import SMALL, PlugIn

WAYS = ("baseline", "token layer", "top layer", "uniform mix", "learned mix")


def ledger_of(*rows: tuple, noise: float = 1e-4) -> list[dict]:
    """Write rows of three seeds that differ by a hair, in one direction only."""
    return [
        {"seed": seed, **row(model, condition, metric, value + seed * noise * k)}
        for k, (model, condition, metric, value) in enumerate(rows)
        for seed in (1, 2, 3)
    ]


def scores(*tasks: tuple[float, ...], ways=WAYS) -> list[dict]:
    """Write the scores of some tasks, one number a way."""
    return ledger_of(
        *(
            (way, f"task {k}", "score", value)
            for k, values in enumerate(tasks)
            for way, value in zip(ways, values, strict=True)
        )
    )


# -- the rules -------------------------------------------------------------------------


def test_error_reductions_are_shares_of_the_baselines_error():
    paper = scores((0.811, 0, 0, 0, 0.858), (0.88, 0, 0, 0, 0.887))
    found = mixing.error_reductions(paper)
    assert found["task 0"].estimate == pytest.approx(0.249, abs=5e-3)
    assert found["task 1"].estimate == pytest.approx(0.058, abs=1e-2)


def weights(*tasks: tuple, ways=("λ = 0.001", "layer norm")) -> list[dict]:
    """Write learned weights, three a task and way, and a score for each task."""
    return ledger_of(
        *((ways[0], f"task {k}", "score", 0.5) for k in range(len(tasks))),
        *(
            (way, f"task {k}: layer {j}", "weight", share)
            for k, task in enumerate(tasks)
            for way, shares in zip(ways, task, strict=True)
            for j, share in enumerate(shares)
        ),
        noise=1e-6,
    )


def test_the_mean_layer_is_where_the_weights_balance():
    rows = weights(((0.2, 0.3, 0.5), (1, 0, 0)))
    found = mixing.mean_layer(rows, "λ = 0.001", "task 0")
    assert found.keys() == {1, 2, 3} and found[1] == pytest.approx(1.3, abs=1e-4)
    assert mixing.mean_layer(rows, "layer norm", "task 0")[2] == pytest.approx(
        0, abs=1e-4
    )


# -- the experiments, small ------------------------------------------------------------


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """Keep the features of these tests out of the course's cache."""
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path))
    plug_in.loaded.cache_clear()


def test_ways_are_compared_on_the_same_task_and_mixes_tell_their_weights(own_cache):
    name = "rivertown-en-chunks"
    ways = {"none": PlugIn(place="none"), "mix": PlugIn(), "top": PlugIn("top")}
    rows = mixing.compare_ways([name], ways, 1, SMALL)
    again = mixing.compare_ways([name], {"mix": PlugIn()}, 1, SMALL)
    assert [r for r in rows if r["model"] in ("mix", "biLM")] == again
    assert [r["model"] for r in rows if r["metric"] == "score"] == list(ways)
    assert all(0 <= r["value"] <= 1 for r in rows if r["metric"] == "score")
    shares = [r["value"] for r in rows if r["metric"] == "weight"]
    assert len(shares) == 3 and sum(shares) == pytest.approx(1)
    assert len([r for r in rows if r["metric"] == "norm" and r["value"] > 0]) == 3
    assert rules.conditions(rows, "score") == [name]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_two_independent_directions_have_more_parameters(own_cache, language):
    rows = mixing.tied_or_independent(seed=1, quick=True, language=language)
    size = {r["model"]: r["value"] for r in rows if r["metric"] == "parameters"}
    assert size["tied"] < size["independent"] < 2 * size["tied"]
    found = [(r["model"], r["condition"]) for r in rows if r["metric"] == "perplexity"]
    assert len(set(found)) == 4
    assert all(r["value"] > 1 for r in rows)
