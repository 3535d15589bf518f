"""Lesson 15's experiments: what they compare is comparable; and the rules."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_claims.experiments import lineage
from course_lib.models import cloze

EXPECTED = {
    "cloze_ladder": {"unigram", "biLM product", *lineage.LEARNED},
    "xor_world": {
        *("unigram", "biLM product", "linear probe", "MLP probe"),
        *("linear probe, left cue", "linear probe, right cue"),
        *lineage.LEARNED,
    },
    "cue_worlds": {"unigram", "biLM product", "forward LM", "backward LM", "masked LM"},
}


@pytest.mark.parametrize("key", EXPECTED)
def test_the_quick_way_has_all_that_the_rules_ask_for(quick, key):
    rows = quick(key)
    assert {r["model"] for r in rows} == EXPECTED[key]
    by_condition = {}
    for r in rows:
        by_condition.setdefault((r["condition"], r["metric"]), []).append(r["model"])
    for models in by_condition.values():
        assert sorted(models) == sorted(EXPECTED[key])
    assert all(np.isfinite(r["value"]) for r in rows)


def test_shuffling_moves_what_is_around_the_gap_and_nothing_else():
    gaps = lineage.corpus_task("rivertown-en", 2000, seed=0, n=200)
    mixed = lineage.shuffled(gaps, seed=0)
    assert mixed.places == gaps.places and torch.equal(mixed.right, gaps.right)
    for row, other, place in zip(gaps.asked, mixed.asked, gaps.places, strict=True):
        low, high = max(1, place - 5), min(len(row) - 1, place + 6)
        assert row[:low] == other[:low] and row[high:] == other[high:]
        assert sorted(row[low:high]) == sorted(other[low:high])
    assert mixed.asked != gaps.asked


def test_cbow_is_not_disturbed_and_the_others_are(quick):
    values = {
        (r["model"], r["condition"]): r["value"]
        for r in quick("cloze_ladder")
        if r["metric"] == "log perplexity"
    }
    name, mixed = "rivertown-en", "rivertown-en, shuffled"
    rises = {m: values[m, mixed] - values[m, name] for m in EXPECTED["cloze_ladder"]}
    assert abs(rises.pop("CBOW")) < 1e-5 and rises.pop("unigram") == 0
    assert all(abs(rise) > 1e-5 for rise in rises.values())


class Numbered:
    """A corpus in which every document has a word of its own."""

    def documents(self):
        return [[[f"w{d}", "a", f"b{s}"] for s in range(4)] for d in range(100)]


def test_no_question_is_in_the_text_that_was_read(monkeypatch):
    """A document's own word is known if, and only if, the document was read."""
    monkeypatch.setattr(lineage.data, "load", lambda name: Numbered())
    gaps = lineage.corpus_task("numbered", 10**6, seed=3, n=30)
    assert all(row[1] != 0 for row in gaps.rows)
    assert len(gaps.asked) == 30 and all(row[1] == 0 for row in gaps.asked)
    asked = zip(gaps.asked, gaps.places, strict=True)
    assert all(row[place] >= cloze.MARKS for row, place in asked)
    assert lineage.corpus_task("numbered", 10**6, seed=4, n=30).asked != gaps.asked


def test_as_many_words_are_read_as_were_asked_for():
    gaps = lineage.corpus_task("rivertown-en", 5000, seed=3, n=200)
    words = sum(len(row) - 2 for row in gaps.rows)  # without <S> and </S>
    assert 5000 <= words < 5060, "no more than the sentence that makes it enough"


def test_a_linear_probe_cannot_read_an_exclusive_or_and_a_network_can():
    rng = np.random.default_rng(0)
    bits = rng.integers(2, size=(3000, 2))
    x = np.concatenate([bits * 2 - 1, rng.normal(size=(3000, 6))], axis=1)
    y = bits[:, 0] ^ bits[:, 1]
    found = lineage.probes(x[:2000], y[:2000], x[2000:], seed=0)
    right = {name: (guess == y[2000:]).mean() for name, guess in found.items()}
    assert abs(right["linear probe"] - 0.5) < 0.06
    assert right["MLP probe"] > 0.95


# -- the rules -------------------------------------------------------------------------


def measured(values: dict, metric: str = "accuracy", spread: float = 0.01) -> list:
    """Make rows of five seeds around each value."""
    return [
        {"seed": seed, "model": model, "condition": condition, "metric": metric,
         "value": value + spread * (seed - 2)}
        for (model, condition), value in values.items()
        for seed in range(5)
    ]  # fmt: skip


def xor(product=0.5, masked=1.0, mlp=0.5, cbow=0.5) -> list:
    one_sided = {("forward LM", "xor"): 0.5, ("backward LM", "xor"): 0.5}
    rest = {
        ("biLM product", "xor"): product,
        ("masked LM", "xor"): masked,
        ("MLP probe", "xor"): mlp,
        ("CBOW", "xor"): cbow,
    }
    return measured(one_sided | rest)


def ladder(nats: dict, mixed: dict | None = None) -> list:
    values = {(m, "town"): v for m, v in nats.items()}
    values |= {(m, "town, shuffled"): v for m, v in (mixed or nats).items()}
    return measured(values, "log perplexity", spread=0.0)
