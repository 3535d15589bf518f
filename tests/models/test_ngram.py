"""n-gram models: true probabilities, and the formulas read literally."""

from __future__ import annotations

import collections
import math
import random

import pytest

from course_lib.models.ngram import END, KneserNey, NGram

WORDS = ["a", "b", "c", "d"]
V = len(WORDS) + 2  # END, and a word that was never seen


@pytest.fixture(scope="module")
def text() -> list[list[str]]:
    """Draw sequences in which d is frequent but comes after c only."""
    generator = random.Random(0)

    def sequence():
        words = generator.choices("aabbc", k=generator.randint(1, 9))
        return [w for word in words for w in (["c", "d"] if word == "c" else [word])]

    return [sequence() for _ in range(300)]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("model", [NGram, KneserNey])
def test_the_probabilities_after_any_context_sum_to_one(text, model, order):
    ngram = model(text, order, vocabulary=V)
    for context in (["<s>"] * 3, ["a", "b", "c"], ["d", "d", "d"], ["x", "b", "a"]):
        history = context[3 - (order - 1) :] if order > 1 else []
        total = sum(ngram.probability(*history, w) for w in [*WORDS, END, "x"])
        assert total == pytest.approx(1.0)


def test_additive_smoothing_is_counting(text):
    model = NGram(text, 2, vocabulary=V, alpha=0.5)
    pairs = [pair for s in text for pair in zip(["<s>", *s], [*s, END], strict=True)]
    both, first = pairs.count(("a", "b")), sum(pair[0] == "a" for pair in pairs)
    assert model.probability("a", "b") == pytest.approx((both + 0.5) / (first + 3))


def literally(text, history, word):
    """Compute Kneser-Ney trigrams from the definitions, recounting every time."""
    tokens = [["<s>", "<s>", *s, END] for s in text]
    trigrams = collections.Counter(
        tuple(s[i : i + 3]) for s in tokens for i in range(len(s) - 2)
    )
    bigrams = collections.Counter(gram[1:] for gram in set(trigrams))
    unigrams = collections.Counter(gram[1:] for gram in set(bigrams))

    def level(counts, h, lower):
        n1, n2 = (sum(c == k for c in counts.values()) for k in (1, 2))
        d = n1 / (n1 + 2 * n2) if n1 and n2 else 0.5
        after = {gram: c for gram, c in counts.items() if gram[:-1] == h}
        total = sum(after.values())
        if not total:
            return lower
        seen = max(after.get((*h, word), 0) - d, 0)
        return seen / total + d * len(after) / total * lower

    p = level(unigrams, (), 1 / V)
    p = level(bigrams, history[1:], p)
    return level(trigrams, history, p)


def test_kneser_ney_is_what_its_formula_says(text):
    model = KneserNey(text, 3, vocabulary=V)
    for history in (("a", "b"), ("c", "d"), ("<s>", "<s>"), ("<s>", "a"), ("x", "a")):
        for word in [*WORDS, END, "x"]:
            expected = literally(text, history, word)
            assert model.probability(*history, word) == pytest.approx(expected)


def test_a_word_seen_after_one_word_only_is_unlikely_after_another(text):
    # d is frequent: additive smoothing would expect it anywhere.
    kneser_ney, counts = KneserNey(text, 2, vocabulary=V), NGram(text, 1, vocabulary=V)
    assert counts.probability("d") > 0.1
    assert kneser_ney.probability("x", "d") < 0.5 * counts.probability("d")


def test_the_loss_is_the_whole_text_s_nats_per_token(text):
    model = KneserNey(text, 3, vocabulary=V)
    nats = -sum(
        math.log(model.probability(*gram)) for s in text for gram in model.ngrams(s)
    )
    assert model.loss(text) == pytest.approx(nats / sum(map(len, text)))
