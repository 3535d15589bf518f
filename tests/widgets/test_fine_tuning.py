"""FineTuning: rates as a real fine-tuning has them, and only runs that were made."""

from __future__ import annotations

import itertools
import json
import re

import numpy as np
import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from course_lib.analysis.statistics import t_interval
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.classifier import TextClassifier
from course_lib.text.documents import Documents
from course_lib.training.fine_tune import FACTOR, POLICIES, fine_tune
from course_lib.training.schedules import constant, cosine, slanted
from course_lib.widgets.fine_tuning import PER_EPOCH, fine_tuning, rates

SEEDS = range(1, 6)


def row(seed: int, condition: str, metric: str, value: float) -> dict:
    about = {"model": "ULMFiT", "condition": condition, "metric": metric}
    return {"seed": seed, **about, "value": value}


def made_up(titles: list[str], seeds=SEEDS) -> list[dict]:
    """Return what an experiment with these settings might have measured."""
    rng, rows = np.random.default_rng(0), []
    for seed, task in itertools.product(seeds, ("qc", "chnsenticorp")):
        rows.append(row(seed, f"{task}: before", "perplexity", 80 + rng.normal()))
        for title in titles:
            value = 0.7 + 0.02 * rng.normal()
            rows.append(row(seed, f"{task}: {title}", "accuracy", round(value, 5)))
            value = 300 + 10 * rng.normal()
            rows.append(row(seed, f"{task}: {title}", "perplexity", round(value, 3)))
    return rows


@pytest.fixture
def measured() -> dict[str, list[dict]]:
    """Return the rows of two of the four experiments."""
    factorial = made_up(["none", "discr", "discr+stlr+freez"])
    return {"ulmfit_policies": made_up([*POLICIES]), "ulmfit_factorial": factorial}


# -- rates -----------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_the_rates_are_those_that_the_optimiser_gets(policy):
    """Watch a real fine-tuning with as many steps: who learns, and how fast."""
    torch.manual_seed(0)
    model = TextClassifier(AWDLSTM(AWDConfig(embedding=2, hidden=2), 9), n_classes=2)
    rng = np.random.default_rng(0)
    read = [rng.integers(0, 9, 4) for _ in range(2 * PER_EPOCH)]
    batches = Documents(read, np.arange(len(read)) % 2, rows=2)
    seen = []

    def note(adam, *_):
        groups = adam.param_groups
        learns = [any(p.grad is not None for p in g["params"]) for g in groups]
        seen.append([g["lr"] for g in groups] * np.array(learns))

    epochs, watch = 6, register_optimizer_step_pre_hook(note)
    try:
        fine_tune(model, batches, epochs, factor=1.7, policy=policy)
    finally:
        watch.remove()
    expected = rates(slanted, policy, 1.7, epochs)
    np.testing.assert_allclose(np.array(seen).T, expected, rtol=1e-12)


def test_the_rates_of_two_neighbouring_layers_have_the_factor():
    shown = rates(cosine, "full", FACTOR, 3)
    np.testing.assert_allclose(shown[1:] / shown[:-1], FACTOR)
    assert 0.99 * 0.01 < shown.max() < 0.01


def test_the_same_for_all_layers_with_factor_1_and_no_schedule():
    assert (rates(constant, "full", 1.0, 4) == 0.01).all()


# -- runs ------------------------------------------------------------------------------


def test_a_run_has_the_mean_and_the_interval_of_its_seeds(measured):
    data, rows = fine_tuning(measured).data, measured["ulmfit_policies"]
    for run in data["runs"][:8]:
        assert run["experiment"] == "ulmfit_policies"
        for metric, condition in [
            ("accuracy", f"{run['task']}: {run['policy']}"),
            ("perplexity", f"{run['task']}: {run['policy']}"),
            ("before", f"{run['task']}: before"),
        ]:
            named = {"condition": condition, "metric": metric}
            if metric == "before":
                named["metric"] = "perplexity"
            values = [r["value"] for r in rows if named.items() <= r.items()]
            assert len(values) == 5
            expected = [*t_interval(values), 5]
            assert run[metric] == pytest.approx(expected, abs=1e-4)


def test_each_condition_is_the_setting_that_its_experiment_ran():
    rows = {
        "ulmfit_policies": made_up(["full", "chain-thaw"]),
        "ulmfit_schedules": made_up(["stlr", "linear"]),
        "ulmfit_factor": made_up(["1", "2.6", "5"]),
        "ulmfit_factorial": made_up(["none", "discr", "stlr+freez"]),
    }
    runs = [r for r in fine_tuning(rows).data["runs"] if r["task"] == "qc"]
    assert [(r["schedule"], r["policy"], r["factor"]) for r in runs] == [
        ("stlr", "full", 2.6),
        ("stlr", "chain-thaw", 2.6),
        ("stlr", "gradual", 2.6),
        ("linear", "gradual", 2.6),
        ("stlr", "gradual", 1),
        ("stlr", "gradual", 2.6),
        ("stlr", "gradual", 5),
        ("constant", "full", 1),
        ("constant", "full", 2.6),
        ("stlr", "gradual", 1),
    ]


def test_the_settings_are_those_of_the_claims():
    """The experiments' ways are what the widget says."""
    from course_claims.experiments import ulmfit
    from course_lib.widgets.fine_tuning import PAPER, RATE, SCHEDULES

    way = ulmfit.ULMFIT
    assert (way.policy, way.factor, way.rate) == (
        PAPER["policy"],
        PAPER["factor"],
        RATE,
    )
    assert way.schedule is SCHEDULES[PAPER["schedule"]]


def test_what_was_not_run_is_named_and_has_no_number(measured):
    data = fine_tuning(measured).data
    assert data["missing"] == ["ulmfit_schedules", "ulmfit_factor"]
    assert data["tasks"] == ["qc", "chnsenticorp"] and len(data["runs"]) == 14
    nothing = fine_tuning({"ulmfit_policies": []}).data
    assert len(nothing["missing"]) == 4 and nothing["runs"] == nothing["tasks"] == []
    assert "not measured yet" in nothing["alt"]


def test_one_seed_has_no_interval():
    shown = fine_tuning({"ulmfit_policies": made_up(["full"], seeds=[3])})
    assert shown.data["runs"][0]["accuracy"][1:] == [None, None, 1]
    assert "NaN" not in json.dumps(shown.data)
    assert shown._repr_mimebundle_()[0]["text/html"]


def test_a_perplexity_needs_one_before():
    rows = [row(1, "qc: full", m, 0.5) for m in ("accuracy", "perplexity")]
    (run,) = fine_tuning({"ulmfit_policies": rows}).data["runs"]
    assert run["accuracy"] and run["perplexity"] is run["before"] is None


def test_what_does_not_fit_is_refused():
    rows = [row(1, "qc: sideways", "accuracy", 0.5)]
    with pytest.raises(ValueError, match="'sideways' is no setting"):
        fine_tuning({"ulmfit_policies": rows})
    rows = 2 * [row(1, "qc: full", "accuracy", 0.5)]
    with pytest.raises(ValueError, match="several rows of a condition"):
        fine_tuning({"ulmfit_policies": rows})


# -- words and size --------------------------------------------------------------------


def test_the_words_name_what_was_measured(measured):
    for language in ("en", "zh"):
        data = fine_tuning(measured, language).data
        for run in data["runs"][:4]:
            assert f"{run['name']} {100 * run['accuracy'][0]:.1f}%" in data["alt"]
    share = rates(slanted, "gradual", FACTOR, 8).sum(axis=1)
    said = fine_tuning(measured).data["tours"][1]["say"]
    words = re.search(r"of the words are ([\d.]+)% of", said)
    assert float(words[1]) == pytest.approx(100 * share[0] / share[-1], rel=0.05)
