"""The race of n-grams and network: fair rules, on texts of which all is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from course_claims.experiments import language_models
from course_lib.models import ngram, nnlm


def test_the_split_is_the_paper_s_and_rare_words_are_one():
    (train, valid, test), V = language_models.split("rivertown-en", 20_000, size=300)
    whole = len(train) + len(valid) + len(test)
    shares = [round(len(part) / whole, 2) for part in (train, valid)]
    assert shares == [0.69, 0.17] or shares == [0.68, 0.17]  # 800 and 200 of 1,170
    assert max(train) == V - 1 <= 300
    assert 0 in test


def test_all_models_are_asked_for_the_same_words():
    """Each from the fifth word on, for it is then that the network has its window."""
    ids, N = np.random.default_rng(0).integers(1, 6, size=500).tolist(), 5
    for order in (1, 3, 4):
        model = ngram.KneserNey([ids], order, vocabulary=7)
        grams = [ids[t - order + 1 : t + 1] for t in range(N - 1, 500)]
        slow = [math.log(model.probability(*gram)) for gram in grams]
        assert language_models.log_chances(model, ids).tolist() == pytest.approx(slow)
    network = language_models.fit(ids, 7, seed=1, steps=1)
    assert len(nnlm.log_probabilities(network, torch.tensor(ids))) == 500 - N + 1


def test_on_tossed_dice_nobody_beats_the_die():
    """A die's perplexity is 6: a fair race has no winner below it, up to chance."""
    rng = np.random.default_rng(0)
    parts = [rng.integers(0, 6, size=n).tolist() for n in (4_000, 2_000, 4_000)]
    found = language_models.perplexities(*parts, V=6, seed=1, steps=300)
    assert all(5.9 < value < 8.5 for value in found.values()), found


def test_what_the_window_shows_is_learned():
    """After 0 comes 1, and so on: the loss of both falls to almost nothing."""
    ids = [i % 5 for i in range(3_000)]
    found = language_models.perplexities(ids, ids[:500], ids[:500], 5, 1, steps=400)
    assert all(1 <= value < 1.05 for value in found.values()), found


def test_the_race_is_run_by_four_and_each_comes_in_once(quick):
    rows = quick("nnlm_beats_ngrams")
    runners = ["trigram", "4-gram", "NNLM", "NNLM and trigram"]
    assert [r["model"] for r in rows] == runners
    assert {(r["condition"], r["metric"]) for r in rows} == {
        ("rivertown-en", "perplexity")
    }
    assert all(1 < r["value"] < 10_000 for r in rows)  # V is 10,000 at most


def raced(**perplexities: float) -> list[dict]:
    """Write rows of three seeds and one text; a network's differ by a hair."""
    return [
        {
            "seed": seed,
            "model": name.replace("_", " "),
            "condition": "text",
            "metric": "perplexity",
            "value": value + (0.1 * seed if name.startswith("NNLM") else 0),
        }
        for name, value in perplexities.items()
        for seed in (1, 2, 3)
    ]


def test_the_network_starts_where_its_seed_says():
    ids = np.random.default_rng(0).integers(0, 6, size=600).tolist()
    a, b, c = (language_models.fit(ids, 6, seed, steps=0) for seed in (1, 1, 2))
    assert torch.equal(a.C.weight, b.C.weight)
    assert not torch.equal(a.C.weight, c.C.weight)
