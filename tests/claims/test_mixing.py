"""The experiments on ELMo's mixes: what they tell, and that the rules are kept."""

from __future__ import annotations

import math

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


def test_the_rule_on_the_last_layer():
    rule = mixing.verdict_on_last_layer
    most, little = (0.5, 0.6, 0.68, 0.65, 0.7), (0.5, 0.6, 0.52, 0.65, 0.7)
    no_gain = (0.5, 0.5, 0.5, 0.4, 0.4)
    assert rule(scores(most, most, little)) == "supported"
    assert rule(scores(most, little)) == "overstated"
    assert rule(scores(little, little)) == "wrong"
    assert rule(scores(no_gain)) == "untested"
    assert rule(scores(most, no_gain)) == "supported"  # only where the mix helps
    beyond = mixing.beyond_half(scores(most), "task 0")
    assert beyond.estimate == pytest.approx(0.18 - 0.1, abs=2e-3)


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


def test_the_rule_on_weights():
    low, high = (0.2, 0.6, 0.2), (0.1, 0.3, 0.6)
    names = dict(zip(("task 0", "task 1", "task 2"), mixing.TASKS["en"], strict=True))

    def rule(rows: list[dict]) -> str:
        named = ((r, *r["condition"].partition(":")) for r in rows)
        renamed = [{**r, "condition": names[a] + b + c} for r, a, b, c in named]
        return mixing.verdict_on_both_weights(renamed)

    assert rule(weights((low, low), (high, high), (high, high))) == "supported"
    assert rule(weights((low, low), (high, low), (low, low))) == "overstated"
    assert rule(weights((high, high), (low, low), (low, low))) == "wrong"


@pytest.mark.parametrize(
    "tasks, verdict",
    [
        (((0.6, 0.6, 0.7), (0.6, 0.5, 0.55)), "supported"),
        (((0.6, 0.6, 0.7), (0.6, 0.5, 0.5), (0.6, 0.5, 0.5)), "overstated"),
        (((0.6, 0.8, 0.7), (0.7, 0.5, 0.6), (0.7, 0.5, 0.6)), "overstated"),
        (((0.7, 0.5, 0.6), (0.7, 0.5, 0.6)), "wrong"),
    ],
)
def test_the_rule_on_placement(tasks, verdict):
    rows = scores(*tasks, ways=("input", "output", "both"))
    assert mixing.verdict_on_placement(rows) == verdict


@pytest.mark.parametrize(
    "forward, backward, verdict",
    [
        (110, 110, "supported"),
        (90, 90, "wrong"),
        (90, 110, "overstated"),
        (100, 110, "overstated"),
    ],
)
def test_the_rule_on_tying(forward, backward, verdict):
    rows = ledger_of(
        ("independent", "forward", "perplexity", 100),
        ("independent", "backward", "perplexity", 100),
        ("tied", "forward", "perplexity", forward),
        ("tied", "backward", "perplexity", backward),
        noise=0,
    )
    for r in rows:  # seeds that differ, and on both sides where there is no difference
        r["value"] += (-1) ** r["seed"] * (0.1 if r["model"] == "tied" else 0)
    assert mixing.verdict_on_tying(rows) == verdict
    cost = mixing.cost_of_tying(rows)["backward"]
    assert cost.estimate == pytest.approx(math.log(backward / 100), abs=1e-2)


@pytest.mark.parametrize(
    "first, second, verdict",
    [(0.1, 0.1, "supported"), (0.1, 0.0, "overstated"), (0.1, -0.1, "overstated"),
     (-0.1, -0.1, "wrong")],
)  # fmt: skip
def test_the_rule_on_the_learned_mix_and_a_rival(first, second, verdict):
    tasks = [(0.5, 0.6, 0.7, 0.7, 0.7 + gap) for gap in (first, second)]
    rows = scores(*tasks, tasks[0])
    if second == 0:  # level, by construction: the hair's breadth is taken out
        rows = [r | {"value": round(r["value"], 2)} for r in rows]
    if verdict == "overstated":
        rows = [r for r in rows if r["condition"] != "task 2"]
    assert mixing.verdict_on_mix(rows, "top layer") == verdict


@pytest.mark.parametrize(
    "top, mix, verdict",
    [(0.1, 0.1, "supported"), (0.1, -0.1, "overstated"), (-0.1, -0.1, "wrong")],
)
def test_the_rule_on_tuning(top, mix, verdict):
    rows = ledger_of(
        ("as it ships", "top layer", "score", 0.5),
        ("tuned", "top layer", "score", 0.5 + top),
        ("as it ships", "learned mix", "score", 0.5),
        ("tuned", "learned mix", "score", 0.5 + mix),
    )
    assert mixing.verdict_on_tuning(rows) == verdict


@pytest.mark.parametrize(
    "over_words, over_context, verdict",
    [(0.1, 0.1, "supported"), (0.1, -0.1, "overstated"), (-0.1, 0.1, "wrong")],
)
def test_the_rule_on_senses_takes_the_better_contextual_layer(
    over_words, over_context, verdict
):
    rows = ledger_of(
        *(
            (model, f"WSD senses-{language}", "accuracy", value)
            for language in ("en", "zh")
            for model, value in {
                "layer 0": 0.6 - over_words,
                "layer 1": 0.6 if language == "en" else 0.4,
                "layer 2": 0.4 if language == "en" else 0.6,
                "averaged static context": 0.6 - over_context,
            }.items()
        )
    )
    assert mixing.verdict_on_senses(rows) == verdict


def test_one_seed_decides_nothing():
    rows = scores((0.5, 0.6, 0.68, 0.65, 0.7), (0.5, 0.6, 0.68, 0.65, 0.7))
    assert mixing.verdict_on_last_layer(rows) == "supported"
    one = [r for r in rows if r["seed"] == 1]
    assert rules.n_seeds(one) == 1
    for rule in (
        mixing.verdict_on_last_layer,
        mixing.verdict_on_placement,
        mixing.verdict_on_tying,
    ):
        assert rule(one) == "untested"


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
