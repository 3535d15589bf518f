"""The experiments on ULMFiT and AWD-LSTM: what is drawn, what is compared with what."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from course_claims import stages
from course_claims.experiments import awd_lstm, ulmfit, ulmfit_techniques
from course_claims.stages import SMALL, StageThree
from course_lib import checkpoints, kept
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.text.streams import vocabulary_of
from course_lib.training.stages import drawn, prepare, shortened

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
        vocabulary = prepare(TOWN, SMALL).vocabulary
        return AWDLSTM(AWDConfig(embedding=8, hidden=12), len(vocabulary)), vocabulary

    monkeypatch.setattr(checkpoints, "load", loaded)


def test_labels_are_drawn_by_the_seed_and_hold_every_class():
    task = prepare(TOWN, SMALL)
    for seed in range(20):
        chosen = drawn(task, 4, seed)
        assert len(set(chosen)) == 4
        assert set(task.labels["train"][chosen]) == {0, 1}
    assert np.array_equal(drawn(task, 30, 1), drawn(task, 30, 1))
    assert not np.array_equal(drawn(task, 30, 1), drawn(task, 30, 2))
    assert len(drawn(task, 10**6, 0)) == len(task.labels["train"])


@pytest.mark.parametrize("name", ["rivertown-en", "rivertown-en-pos"])
def test_only_labelled_texts_are_a_task_of_the_three_stages(name):
    with pytest.raises(ValueError, match=f"{name} is .*, not classification"):
        prepare(name, SMALL)


def test_a_test_label_that_training_lacks_is_named():
    with pytest.raises(ValueError, match="no example of .* among the 1 training"):
        prepare(TOWN, SMALL._replace(train=1))


def test_stage_2_never_reads_a_test_text():
    task = prepare(TOWN, SMALL)

    def words(document):
        return " ".join(word for sentence in document for word in sentence)

    read = []
    for start, n in zip(task.text.starts, task.text.lengths, strict=True):
        ids = task.text.ids[start : start + n]
        read.append(" ".join(task.text.words[i] for i in ids if i > 1))
    assert set(map(words, task.documents["train"][:5])) <= set(read)
    assert not set(map(words, task.documents["test"])) & set(read)


def test_a_text_is_shortened_by_whole_documents():
    text = prepare(TOWN, SMALL).text
    short = shortened(text, text.n_tokens / 2)
    assert 0.3 < short.n_tokens / text.n_tokens < 0.55
    assert np.array_equal(short.ids, text.ids[: len(short.ids)])
    assert short.starts[-1] + short.lengths[-1] == len(short.ids)
    assert len(vocabulary_of(short, 50)) == 50


def test_a_stage_2_that_was_interrupted_is_done_anew(ctrl_c_in_step_3):
    task = prepare(TOWN, SMALL)
    with ctrl_c_in_step_3():
        stages.tuned(task, SMALL)
    assert not list(kept.home().rglob("*.*"))


def test_stage_2_is_done_once_and_kept(monkeypatch):
    task = prepare(TOWN, SMALL)
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
