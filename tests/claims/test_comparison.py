"""The comparison of static vectors: equal text, equal size, tests that can fail."""

from __future__ import annotations

import collections

import numpy as np
import pytest

from course_claims.experiments import comparison
from course_lib.text.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def town():
    sentences = comparison.text(("rivertown-en",), limit=10_000)
    counts = collections.Counter(word for s in sentences for word in s)
    return sentences, Vocabulary.from_counts(counts, size=1_000, min_count=3)


def test_the_text_is_small_letters_and_no_longer_than_asked(town):
    sentences, _ = town
    assert 10_000 <= sum(map(len, sentences)) < 10_200
    assert all(word == word.lower() for s in sentences for word in s)


@pytest.mark.parametrize("method", comparison.METHODS)
def test_every_method_gives_every_word_a_vector_of_the_same_size(method, town):
    sentences, vocabulary = town
    vectors = comparison.train(method, sentences, vocabulary, seed=1, steps=20)
    assert vectors.shape == (len(vocabulary), comparison.D)
    assert np.isfinite(vectors).all()
    assert (np.linalg.norm(vectors[1:], axis=1) > 0).all()


def test_vectors_made_to_order_pass_the_tests_and_random_ones_do_not():
    """Words that share a vector with their analogue solve one section completely."""
    words = ["<unk>", "good", "better", "bad", "worse", "tiger", "cat", "jaguar"]
    vocabulary = Vocabulary(words)
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(len(words), 20))
    step = 3 * rng.normal(size=20)
    vectors[2], vectors[4] = vectors[1] + step, vectors[3] + step
    found = comparison.tests(vocabulary, vectors)
    assert found["covered analogies, syntactic"] == 2  # good : better = bad : worse
    assert found["analogies, syntactic"] == found["analogies"] == 1
    assert found["covered analogies, semantic"] == 0
    assert found["covered pairs WordSim-353"] >= 3  # tiger with cat, tiger and jaguar


@pytest.fixture
def on_the_towns_text(monkeypatch):
    """Let the quick version of an experiment read what is on every machine."""
    monkeypatch.setattr(comparison, "CORPORA", ("rivertown-en",))


def test_each_method_is_asked_the_same_things_once(on_the_towns_text):
    rows = comparison.EXPERIMENTS["cbow_or_skip_gram"](1, quick=True)
    cbow, skip_gram = (
        [r["metric"] for r in rows if r["model"] == method]
        for method in ("CBOW", "skip-gram")
    )
    assert cbow == skip_gram and len(rows) == 2 * len(cbow)
    assert len(set(cbow)) == len(cbow)


def test_left_in_the_words_of_a_question_answer_it(on_the_towns_text):
    rows = comparison.EXPERIMENTS["analogy_words_left_in"](1, quick=True)
    found = {(r["condition"], r["metric"]): r["value"] for r in rows}
    assert len(found) == len(rows) == 4
    assert all(0 <= value <= 1 for value in found.values())
    own = "a word of the question"
    assert found["left out", own] == 0 < found["left in", own]


# -- the rules -------------------------------------------------------------------------


def rows_of(values: dict[tuple[str, str, str], float]) -> list[dict]:
    """Write rows of three seeds that differ by a hair, by model, condition, metric."""
    return [
        {
            "seed": seed,
            "model": model,
            "condition": condition,
            "metric": metric,
            "value": value + 1e-4 * seed * k,
        }
        for k, ((model, condition, metric), value) in enumerate(values.items())
        for seed in (1, 2, 3)
    ]


def two_methods(metrics: dict[str, tuple[float, float]]) -> list[dict]:
    """Write what CBOW and skip-gram score in each of some tests."""
    return rows_of(
        {
            (model, "", metric): value
            for metric, both in metrics.items()
            for model, value in zip(("CBOW", "skip-gram"), both, strict=True)
        }
    )
