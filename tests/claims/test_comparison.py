"""The comparison of static vectors: equal text, equal size, tests that can fail."""

from __future__ import annotations

import collections

import numpy as np
import pytest

from course_lib.claims import comparison
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
