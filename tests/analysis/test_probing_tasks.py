"""Probing tasks: what is asked is what the sentence says, and no word gives it away."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib import data
from course_lib.analysis import probing_tasks


@pytest.fixture(scope="module")
def tagged() -> list:
    return data.load("rivertown-en-pos").split("train")


def test_exchanged_neighbours_are_as_frequent_as_others(tagged):
    question = probing_tasks.bigram_shift(tagged[:600], seed=1)
    share = np.mean([label == "exchanged" for label in question.labels])
    assert 0.4 < share < 0.6
    for sentence, place, pair in zip(
        question.sentences, question.places, question.words, strict=True
    ):
        assert pair == (f"left {sentence[place - 1]}", f"right {sentence[place]}")


def test_the_tag_to_come_is_not_the_tag_of_the_word(tagged):
    here, there = (probing_tasks.word_tags(tagged[:100], 1, k) for k in (0, 1))
    assert here.sentences == there.sentences and here.places == there.places
    first = next(s for s in tagged if len(s.tokens) >= 5)
    assert here.labels[0] == first.tags[here.places[0]]
    assert there.labels[0] == first.tags[here.places[0] + 1]
