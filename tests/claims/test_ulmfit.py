"""The experiments on ULMFiT and AWD-LSTM: what is drawn, what is compared with what."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from course_claims.experiments import awd_lstm, ulmfit, ulmfit_techniques
from course_lib import checkpoints, kept
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.text.streams import vocabulary_of
from course_lib.training import stages
from course_lib.training.stages import SMALL, StageThree

TOWN = "rivertown-en-sentiment"


@pytest.fixture(autouse=True)
def small_checkpoints(monkeypatch, tmp_path_factory):
    """Let the general language models be small and untrained: it is about the rest."""
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path_factory.mktemp("cache")))
    load = checkpoints.load

    def loaded(name):
        if not name.startswith("awdlstm-"):
            return load(name)
        torch.manual_seed(0)
        vocabulary = stages.prepare(TOWN, SMALL).vocabulary
        return AWDLSTM(AWDConfig(embedding=8, hidden=12), len(vocabulary)), vocabulary

    monkeypatch.setattr(checkpoints, "load", loaded)


def test_labels_are_drawn_by_the_seed_and_hold_every_class():
    task = stages.prepare(TOWN, SMALL)
    for seed in range(20):
        chosen = stages.drawn(task, 4, seed)
        assert len(set(chosen)) == 4
        assert set(task.labels["train"][chosen]) == {0, 1}
    assert np.array_equal(stages.drawn(task, 30, 1), stages.drawn(task, 30, 1))
    assert not np.array_equal(stages.drawn(task, 30, 1), stages.drawn(task, 30, 2))
    assert len(stages.drawn(task, 10**6, 0)) == len(task.labels["train"])


def test_stage_2_never_reads_a_test_text():
    task = stages.prepare(TOWN, SMALL)

    def words(document):
        return " ".join(word for sentence in document for word in sentence)

    read = []
    for start, n in zip(task.text.starts, task.text.lengths, strict=True):
        ids = task.text.ids[start : start + n]
        read.append(" ".join(task.text.words[i] for i in ids if i > 1))
    assert set(map(words, task.documents["train"][:5])) <= set(read)
    assert not set(map(words, task.documents["test"])) & set(read)


def test_a_text_is_shortened_by_whole_documents():
    text = stages.prepare(TOWN, SMALL).text
    short = stages.shortened(text, text.n_tokens / 2)
    assert 0.3 < short.n_tokens / text.n_tokens < 0.55
    assert np.array_equal(short.ids, text.ids[: len(short.ids)])
    assert short.starts[-1] + short.lengths[-1] == len(short.ids)
    assert len(vocabulary_of(short, 50)) == 50


def test_a_stage_2_that_was_interrupted_is_done_anew(ctrl_c_in_step_3):
    task = stages.prepare(TOWN, SMALL)
    with ctrl_c_in_step_3():
        stages.tuned(task, SMALL)
    assert not list(kept.home().rglob("*.*"))


def test_stage_2_is_done_once_and_kept(monkeypatch):
    task = stages.prepare(TOWN, SMALL)
    first = stages.tuned(task, SMALL)
    monkeypatch.setattr(stages, "fine_tune", lambda *_, **__: pytest.fail("again"))
    second = stages.tuned(task, SMALL)
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(a, b), "the next run of a notebook must not differ"
    moved = (first.embedding.weight - stages.general(task).embedding.weight).abs().max()
    assert moved > 0.01


@pytest.mark.parametrize(
    "key",
    [*ulmfit.EXPERIMENTS, *ulmfit_techniques.EXPERIMENTS, *awd_lstm.EXPERIMENTS],
)
def test_every_experiment_runs_in_a_small_version(key, quick):
    rows = quick(key)
    assert len({(r["model"], r["condition"], r["metric"]) for r in rows}) == len(rows)
    for row in rows:
        assert set(row) == {"model", "condition", "metric", "value"}
        limit = 1 if row["metric"] == "accuracy" else 1e5
        assert 0 <= row["value"] <= limit


def test_the_factorial_has_every_subset_of_the_techniques(monkeypatch):
    seen = {}
    monkeypatch.setattr(
        ulmfit_techniques, "compare_ways", lambda ways, *_: seen.update(ways)
    )
    ulmfit_techniques.ulmfit_factorial(1)
    assert len(seen) == 8
    assert seen["discr+stlr+freez"] == StageThree()
    nothing = seen["none"]
    assert (nothing.policy, nothing.factor) == ("full", 1.0)
    assert nothing.schedule(0.5) == 1.0


# -- the rules of ULMFiT ---------------------------------------------------------------


def measured(model: str, condition: str, values: list[float], metric="accuracy"):
    about = {"model": model, "condition": condition, "metric": metric}
    return [{**about, "seed": s, "value": v} for s, v in enumerate(values)]


NOISE = [0.00, 0.01, -0.01, 0.005, -0.005]


def around(value: float, scale: float = 1.0) -> list[float]:
    return [value + scale * noise for noise in NOISE]


def test_the_rule_of_stages_and_of_stage_2():
    def rows(gains: list[float]) -> list[dict]:
        return [
            r
            for n, g in enumerate(gains)
            for model, value in (
                ("all stages", 0.7 + g),
                ("without stage 2", 0.7),
                ("from scratch", 0.7),
            )
            for r in measured(model, f"task{n}, 100 labels", around(value, g * 10))
        ]

    for rule in (ulmfit.stages_verdict, ulmfit.stage2_verdict):
        assert rule(rows([0.1, 0.1, 0.0])) == "supported"
        assert rule(rows([0.1, 0.0, 0.0])) == "overstated"
        assert rule(rows([-0.1, 0.0, 0.0])) == "wrong"


def test_the_rule_of_a_hundred_labels():
    def rows(few: list[float]) -> list[dict]:
        return [
            r
            for n, value in enumerate(few)
            for model, labels, v in (
                ("all stages", 100, value),
                ("from scratch", 1000, 0.7),
            )
            for r in measured(model, f"task{n}, {labels} labels", around(v, v))
        ]

    assert ulmfit.hundred_verdict(rows([0.72, 0.8])) == "supported"
    assert ulmfit.hundred_verdict(rows([0.6, 0.8])) == "overstated"
    assert ulmfit.hundred_verdict(rows([0.6, 0.6])) == "wrong"
    twice = rows([0.6, 0.8]) + rows([0.72])  # measured again by a later experiment
    assert ulmfit.hundred_verdict(twice) == "supported"


def factorial(table: dict[str, float]) -> list[dict]:
    """Make runs whose accuracy is .5, plus what each part and each pair adds."""
    rows = []
    for size in range(4):
        for parts in itertools.combinations(ulmfit.PARTS, size):
            value = 0.5 + sum(
                gain for key, gain in table.items() if set(key.split("+")) <= set(parts)
            )
            rows += measured(
                "ULMFiT", f"qc: {'+'.join(parts) or 'none'}", around(value)
            )
    return rows


def test_main_effects_and_interactions_are_those_that_were_put_in():
    of = ulmfit_techniques.effects(factorial({"discr": 0.1, "stlr": 0.04}), "qc")
    means = {key: np.mean(values) for key, values in of.items()}
    assert means["discr"] == pytest.approx(0.1)
    assert means["stlr"] == pytest.approx(0.04)
    for key in ("freez", "discr+stlr", "stlr+freez", "discr+stlr+freez"):
        assert means[key] == pytest.approx(0, abs=1e-12)
    # A gain of .08 that needs both: half of it is seen in each main effect.
    of = ulmfit_techniques.effects(factorial({"discr+stlr": 0.08}), "qc")
    assert np.mean(of["discr"]) == pytest.approx(0.04)
    assert np.mean(of["discr+stlr"]) == pytest.approx(0.04)


def test_the_rules_of_the_techniques():
    rows = factorial({"discr": 0.1, "stlr": 0.04})
    assert ulmfit_techniques.technique_verdict(rows, "discr") == "supported"
    assert ulmfit_techniques.technique_verdict(rows, "freez") == "wrong"
    assert ulmfit_techniques.most_verdict(rows, "discr") == "supported"
    assert ulmfit_techniques.most_verdict(rows, "stlr") == "wrong"


def test_the_rule_of_schedules():
    def rows(stlr: float, cosine: float) -> list[dict]:
        ways = {"stlr": stlr, "constant": 0.6, "linear": 0.6, "cosine": cosine}
        return [
            r
            for k, v in ways.items()
            for r in measured("ULMFiT", f"qc: {k}", around(v))
        ]

    assert ulmfit_techniques.schedules_verdict(rows(0.7, 0.6)) == "supported"
    assert ulmfit_techniques.schedules_verdict(rows(0.6, 0.5)) == "overstated"
    assert ulmfit_techniques.schedules_verdict(rows(0.6, 0.7)) == "wrong"


def test_the_rules_of_forgetting():
    def rows(full: float, gradual: float) -> list[dict]:
        ways = {"before": 100.0, "full": full, "gradual": gradual}
        return [
            r
            for k, v in ways.items()
            for r in measured("ULMFiT", f"qc: {k}", around(v, 10), "perplexity")
        ]

    assert ulmfit_techniques.forgetting_verdict(rows(200, 150)) == "supported"
    assert ulmfit_techniques.forgetting_verdict(rows(90, 90)) == "wrong"
    assert ulmfit_techniques.unfreezing_verdict(rows(200, 110)) == "supported"
    assert ulmfit_techniques.unfreezing_verdict(rows(200, 180)) == "overstated"
    assert ulmfit_techniques.unfreezing_verdict(rows(200, 200)) == "wrong"


def test_the_rule_of_directions():
    def rows(ensembles: list[float]) -> list[dict]:
        return [
            r
            for n, value in enumerate(ensembles)
            for model, v in (("forward", 0.7), ("ensemble", value))
            for r in measured(model, f"task{n}, 100 labels", around(v, v))
        ]

    assert ulmfit.directions_verdict(rows([0.8, 0.8, 0.7])) == "wrong"
    assert ulmfit.directions_verdict(rows([0.8, 0.7, 0.7])) == "overstated"
    assert ulmfit.directions_verdict(rows([0.7, 0.7, 0.7])) == "supported"


def test_the_rule_of_all_three_together():
    assert ulmfit_techniques.together_verdict(factorial({"discr": 0.1})) == "supported"
    assert (
        ulmfit_techniques.together_verdict(factorial({"discr": 0.1, "freez": -0.1}))
        == "wrong"
    )


def test_the_rule_of_the_factor():
    def rows(**accuracy: float) -> list[dict]:
        ways = {"1": 0.6, "1.5": 0.6, "2.6": accuracy["ours"], "5": accuracy["five"]}
        return [
            r
            for k, v in ways.items()
            for r in measured("ULMFiT", f"qc: {k}", around(v))
        ]

    assert ulmfit_techniques.factor_verdict(rows(ours=0.7, five=0.6)) == "supported"
    assert ulmfit_techniques.factor_verdict(rows(ours=0.7, five=0.7)) == "overstated"
    assert ulmfit_techniques.factor_verdict(rows(ours=0.6, five=0.7)) == "wrong"
