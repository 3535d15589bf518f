"""The experiments on pre-trained seq2seq: what is compared, and how it is judged."""

from __future__ import annotations

import pytest

from course_claims import rules
from course_claims.experiments import seq2seq
from course_lib.training import translate


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / "claims-seq2seq"
    monkeypatch.setenv("COURSE_CACHE", str(folder))


def row(model, condition, value, seed, metric="BLEU"):
    return {"seed": seed, **rules.row(model, condition, metric, value)}


@pytest.mark.parametrize("key", seq2seq.EXPERIMENTS)
def test_every_experiment_runs_in_a_small_version(key, quick):
    rows = quick(key)
    assert len({(r["model"], r["condition"], r["metric"]) for r in rows}) == len(rows)
    for r in rows:
        assert set(r) == {"model", "condition", "metric", "value"}
        assert 0 <= r["value"] <= (1e5 if r["metric"] in ("source", "target") else 100)


def test_every_row_of_the_ablation_changes_one_thing():
    full = seq2seq.ABLATION["full"]
    assert full == translate.TranslatorSettings()
    for title, way in seq2seq.ABLATION.items():
        changed = [f for f in way._fields if getattr(way, f) != getattr(full, f)]
        expected = {"full": 0, "neither": 2}.get(title, 1)
        assert len(changed) == expected, title
    decoder, encoder = (
        set(seq2seq.ABLATION[f"only the {side}"].parts)
        for side in ("decoder", "encoder")
    )
    assert not decoder & encoder and decoder | encoder == set(full.parts)


def test_rows_are_the_same_for_the_same_seed(quick):
    assert quick("dai_le") == seq2seq.dai_le(1, quick=True)


def curves(plain: float, joint: float) -> list[dict]:
    """Perplexities that grow by these factors, a little different in each seed."""
    rows = []
    for seed in range(1, 6):
        for title, factor in (("without LM loss", plain), ("full", joint)):
            for side in ("source", "target"):
                for step, p in ((0, 10), (200, 10 * factor + 0.1 * seed)):
                    rows.append(row(title, f"a, step {step}", p, seed, side))
    return rows


@pytest.mark.whole
def test_each_way_has_the_rate_that_is_best_on_the_development_pairs():
    sizes = translate.SMALL
    task = translate.prepare("rivertown", sizes)
    # Without test pairs it runs, too: they have no say in the choice.
    task = task._replace(pairs={k: task.pairs[k] for k in ("train", "dev")})
    models = translate.language_models(task, sizes)
    about = task, models, 60, 1, translate.TranslatorSettings(steps=60)
    alone = {}
    for rate in (1e-5, 1.6e-2):
        model, found = seq2seq.best(*about, rates=(rate,))
        assert found == rate
        alone[rate] = translate.score(model, task, "dev")["BLEU"]
    assert alone[1e-5] != alone[1.6e-2]
    assert seq2seq.best(*about, rates=tuple(alone))[1] == max(alone, key=alone.get)
