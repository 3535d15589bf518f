"""n-gram models: true probabilities, and the formulas read literally."""

from __future__ import annotations

import collections
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from course_lib.models.ngram import END, KneserNey, NGram, discount, keys

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


def test_an_ngram_of_another_length_is_refused(text):
    model = NGram(text, 2, vocabulary=V)
    for wrong in ([["a"], ["a", "b", "c"]], [["a", "b"], "ab"]):
        with pytest.raises(ValueError, match="must be 2 words"):
            model.probabilities(wrong)


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


def test_kneser_ney_worked_out_by_hand():
    """Bigrams of <s> a b a b a c </s>, with five words to choose from.

    ab and ba are there twice, <s>a, ac and c</s> once: D = 3 / (3 + 2 * 2) = 3/7. As
    single words a comes after two others, b, c and </s> after one: D = 3 / (3 + 2 * 1).
    """
    model = KneserNey([[*"ababac"]], 2, vocabulary=5)
    D, D1 = Fraction(3, 7), Fraction(3, 5)
    assert model.discounts == [pytest.approx(float(D1)), pytest.approx(float(D))]
    b = (1 - D1) / 5 + D1 * 4 / 5 / 5  # 5 different bigrams, of 4 words; uniform: 1/5
    a_b = (2 - D) / 3 + D * 2 / 3 * b  # after a: b, b, c
    assert model.probability("a", "b") == pytest.approx(float(a_b))
    assert model.probability("z", "b") == pytest.approx(float(b))  # z: never seen
    b_c = D * 1 / 2 * b  # after b: a, a; as a single word c is as likely as b
    assert model.probability("b", "c") == pytest.approx(float(b_c))


def test_the_discount_weighs_n_grams_seen_twice_by_two():
    assert discount(np.array([1, 1, 1, 2, 2, 7])) == 3 / 7
    assert discount(np.array([2, 2, 7])) == discount(np.array([1, 3])) == 0.5


@pytest.mark.parametrize("model", [NGram, KneserNey])
def test_many_n_grams_at_once_have_the_same_probabilities_as_each_alone(text, model):
    ngram = model(text, 3, vocabulary=V)
    grams = [(h, k, w) for h in "abx" for k in "cdx" for w in [*WORDS, END, "x"]]
    alone = [ngram.probability(*gram) for gram in grams]
    assert ngram.probabilities(grams).tolist() == alone


def test_each_n_gram_has_a_key_of_its_own():
    grid = np.stack(np.meshgrid(*3 * [np.arange(60)]), axis=-1).reshape(-1, 3)
    assert len(np.unique(keys(grid))) == 60**3


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


def test_without_smoothing_what_was_never_seen_is_impossible():
    """Maximum likelihood, the textbook's first model: one new pair, and P is 0."""
    model = NGram([["a", "b"]], 2, vocabulary=3, alpha=0.0)
    assert model.probability("a", "b") == 1.0
    assert model.loss([["b", "a"]]) == math.inf
    assert model.loss([["z", "a"]]) == math.inf
    assert math.isnan(model.probability("z", "a"))  # nothing is known about z


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (lambda: NGram([["a"]], 0, vocabulary=2), "order 0"),
        (lambda: NGram([["a"]], 2, vocabulary=2, alpha=-1), "alpha -1"),
        (lambda: NGram([["a", "b"]], 1, vocabulary=2), "3 different words"),
        (lambda: KneserNey([], 2, vocabulary=2), "no sequence"),
        (lambda: KneserNey([["a"]], 2, vocabulary=2).loss([]), "without a token"),
        (lambda: KneserNey([["a"]], 2, vocabulary=2).probability("a"), "2 words"),
        (lambda: KneserNey([["a"]], 2, vocabulary=2).probabilities(["ab"]), "2 words"),
    ],
)
def test_what_has_no_probability_is_refused(ask, complaint):
    with pytest.raises(ValueError, match=complaint):
        ask()


def test_a_sentence_in_one_string_is_refused():
    model = NGram([["a", "b"]], 2, vocabulary=3)
    for read in (lambda: NGram(["a b"], 2, vocabulary=9), lambda: model.loss(["a b"])):
        with pytest.raises(TypeError, match="is a string.*'a', 'b'"):
            read()
