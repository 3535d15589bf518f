"""The learned mix, on layers of which one is known to have the answer."""

from __future__ import annotations

import numpy as np
import pytest

from course_claims.experiments import learned_mix
from course_lib.text.examples import Example, Tagged

TAGS, RIGHT = ("NOUN", "VERB", "ADJ"), 1


class OneLayerKnows:
    """An encoder whose layer RIGHT has the word's tag in it; the others are noise."""

    def __init__(self):
        self.draw = np.random.default_rng(0)

    def encode(self, sentences):
        return list(self.stream(sentences))

    def stream(self, sentences):
        for words in sentences:
            x = self.draw.normal(size=(3, len(words), 8)).astype(np.float32)
            for i, word in enumerate(words):
                x[RIGHT, i, :3] = 3 * (np.array(TAGS) == word)
            yield x


def sentences(n: int, seed: int) -> list[Tagged]:
    words = np.random.default_rng(seed).choice(TAGS, size=(n, 5)).tolist()
    return [Tagged(row, row) for row in words]


def test_tags_are_told_and_the_layer_that_has_them_gets_the_weight():
    parts = sentences(60, 1), sentences(30, 2)
    score, s = learned_mix.of_tags(OneLayerKnows(), parts, seed=0, quick=False)
    assert score > 0.95
    assert sum(s) == pytest.approx(1)
    assert s[RIGHT] > 0.5


def test_texts_are_told_by_the_mean_of_that_layer():
    def texts(n: int, seed: int) -> list[Example]:
        labels = np.random.default_rng(seed).choice(TAGS, size=n)
        return [Example(f"{tag} {tag} {tag}", tag) for tag in labels]

    parts = texts(100, 1), texts(50, 2)
    found = learned_mix.of_texts(OneLayerKnows(), parts, "en", quick=True)
    score, s = found["sentiment 100"]
    assert score > 0.95
    assert s[RIGHT] > 0.5


def test_the_order_of_the_layers_does_not_matter():
    """Turned round, the same scores come out, and the weights turned round."""

    class TurnedRound(OneLayerKnows):
        def stream(self, sentences):
            return (x[::-1] for x in super().stream(sentences))

    parts = sentences(60, 1), sentences(30, 2)
    one, s = learned_mix.of_tags(OneLayerKnows(), parts, seed=0, quick=True)
    other, turned = learned_mix.of_tags(TurnedRound(), parts, seed=0, quick=True)
    assert other == pytest.approx(one)
    assert turned == pytest.approx(s[::-1], abs=1e-3)
