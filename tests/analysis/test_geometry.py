"""Cosines within words and sentences: identities, invariances, and the slow way."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from course_lib.analysis import geometry


@pytest.fixture
def rng():
    """Return a generator that is the same in every test."""
    return np.random.default_rng(0)


def cosine(u, v):
    return u @ v / np.linalg.norm(u) / np.linalg.norm(v)


def test_the_mean_cosine_is_that_of_all_pairs(rng):
    x = rng.normal(size=(7, 3)) + 1
    pairs = [cosine(u, v) for u, v in itertools.combinations(x, 2)]
    assert geometry.mean_cosine(x) == pytest.approx(np.mean(pairs))
    lengths = rng.uniform(0.1, 9, size=(7, 1))
    assert geometry.mean_cosine(x * lengths) == pytest.approx(np.mean(pairs))


def test_a_static_layer_has_self_similarity_one(rng):
    words = rng.choice(["of", "river", "bank"], size=60)
    x = rng.normal(size=(3, 8))[[["of", "river", "bank"].index(w) for w in words]]
    assert geometry.self_similarity(x, words) == pytest.approx(1)
    assert geometry.self_similarity(x + rng.normal(size=x.shape), words) < 0.9


def test_rare_words_are_left_out(rng):
    words = ["of"] * 5 + ["river"] * 2
    x = rng.normal(size=(7, 4))
    assert geometry.self_similarity(x, words) == geometry.mean_cosine(x[:5])
    assert np.isnan(geometry.self_similarity(x, words, least=6))


def test_directions_spread_evenly_have_no_anisotropy_and_a_common_one_much(rng):
    x, words = rng.normal(size=(2000, 50)), [f"w{i}" for i in range(2000)]
    assert geometry.anisotropy(x, words, seed=0) == pytest.approx(0, abs=0.01)
    assert geometry.anisotropy(x + 2, words, seed=0) > 0.7


def test_frequent_words_do_not_make_a_layer_look_narrow(rng):
    # Nine tenths of the tokens are one word, whose vectors are all alike.
    words = ["of"] * 900 + [f"w{i}" for i in range(100)]
    x = np.vstack([np.ones((900, 30)), rng.normal(size=(100, 30))])
    assert abs(geometry.anisotropy(x, words, seed=0)) < 0.05


def test_a_shift_raises_self_similarity_but_not_what_is_beyond_chance(rng):
    # Words that have nothing in common with themselves, in a layer that points one way.
    words = rng.choice([f"w{i}" for i in range(40)], size=2000).tolist()
    sentences = np.split(rng.normal(size=(2000, 50)) + 1, 100)
    found = geometry.measure(sentences, words, seed=0)
    assert found["self-similarity"] > 0.4
    assert found["self-similarity, beyond"] == pytest.approx(0, abs=0.05)


def test_within_a_sentence_is_one_if_all_words_are_alike(rng):
    alike = [np.tile(rng.normal(size=6), (T, 1)) for T in (1, 3, 8)]
    assert geometry.intra_sentence(alike) == pytest.approx(1)
    apart = [np.eye(4)]
    assert geometry.intra_sentence(apart) == pytest.approx(0.5)  # 1 / sqrt(4)


def test_weights_of_a_mixture_are_found_exactly():
    parts = np.random.default_rng(0).normal(size=(2, 100))
    assert geometry.mixing_weights(
        np.array([0.8, 0.3]) @ parts, parts
    ) == pytest.approx([0.8, 0.3])
