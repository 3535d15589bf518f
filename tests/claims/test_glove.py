"""Is GloVe a language model? What the experiment's numbers are made of, and exact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit

from course_claims.experiments import glove
from course_claims.experiments.glove import PairScores

V, D, N = 40, 6, 300


@pytest.fixture(scope="module")
def scores() -> PairScores:
    draw = np.random.default_rng(0)
    return PairScores(*(draw.normal(size=s) for s in ((V, D), (V, D), (V,), (V,))))


@pytest.fixture(scope="module")
def pairs() -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(1)
    return draw.integers(1, V, N), draw.integers(1, V, N)


@pytest.fixture(scope="module")
def text() -> list[int]:
    """Draw a text whose words are the more frequent the lower their number."""
    draw = np.random.default_rng(2)
    chances = 1 / np.arange(1, V + 1)
    return draw.choice(V, 4000, p=chances / chances.sum()).tolist()


def every_word(log_p) -> np.ndarray:
    """Ask for the log probability of each known word after word 3."""
    return log_p(np.full(V - 1, 3), np.arange(1, V))


def test_unknown_words_are_neither_given_nor_asked_for():
    given, following = glove.known_pairs([0, 5, 6, 0, 7, 8, 9])
    assert given.tolist() == [5, 7, 8] and following.tolist() == [6, 8, 9]


def test_what_is_forced_to_be_a_distribution_is_one(scores, text):
    counts = np.bincount(text, minlength=V)
    forced = every_word(lambda i, k: glove.log_softmax(scores, i, k))
    assert np.exp(forced).sum() == pytest.approx(1)
    assert np.exp(glove.log_unigram(counts)).sum() == pytest.approx(1)
    bigram = every_word(lambda i, k: glove.log_bigram(text, V, i, k))
    assert np.exp(bigram).sum() == pytest.approx(1)


def test_a_softmax_of_many_pairs_is_that_of_each(scores, pairs, monkeypatch):
    monkeypatch.setattr(glove, "BLOCK", 7)  # several blocks, the last one not full
    found = glove.log_softmax(scores, *pairs)
    for i, k, log_p in zip(*pairs, found, strict=True):
        row = np.exp(scores.w[i] @ scores.w_tilde.T + scores.b[i] + scores.b_tilde)
        assert log_p == pytest.approx(math.log(row[k] / row[1:].sum()))


def test_the_bias_of_the_given_word_changes_nothing(scores, pairs):
    """b_i is the same for every k: the softmax cannot see it."""
    other = scores._replace(b=scores.b + 5)
    expected = glove.log_softmax(scores, *pairs)
    assert np.allclose(glove.log_softmax(other, *pairs), expected)


def test_noise_comes_back_in_as_often_as_it_was_drawn(scores, text):
    """Scores of 0 for every pair: what is left is the noise itself."""
    counts = np.bincount(text, minlength=V)
    flat = PairScores(*(np.zeros_like(part) for part in scores))
    found = np.exp(every_word(lambda i, k: glove.log_softmax(
        glove.add_frequency(flat, counts), i, k
    )))  # fmt: skip
    raised = counts[1:] ** 0.75
    assert np.allclose(found, raised / raised.sum())


def test_sums_are_those_of_every_pair(scores, text):
    found = glove.added_up({"GloVe": scores, "skip-gram": scores}, text, V)
    table = scores.w @ scores.w_tilde.T + scores.b[:, None] + scores.b_tilde
    sigmas = expit(table)[1:, 1:].sum(axis=1)
    assert found["skip-gram", "", "sum, 50 %"] == pytest.approx(np.median(sigmas))
    X = glove.counted(text, V).toarray()[1:, 1:]
    met = np.where(X > 0, np.exp(table)[1:, 1:], 0).sum(axis=1)
    ratio = np.median(met / X.sum(axis=1))
    assert found["GloVe", "", "sum of the met / X_i, 50 %"] == pytest.approx(ratio)


def test_text_in_pieces_is_the_text():
    ids = list(range(2500))
    cut = glove.pieces(ids)
    assert sum(cut, []) == ids and [len(part) for part in cut] == [1000, 1000, 500]


@pytest.fixture
def rows(quick) -> list[dict]:
    return quick("glove_is_a_language_model")


def value(rows: list[dict], model: str, metric: str, condition: str = "") -> float:
    keys = {"model": model, "metric": metric, "condition": condition}
    [row] = [row for row in rows if keys.items() <= row.items()]
    return row["value"]


def test_a_run_has_every_number_that_the_card_shows(rows):
    assert {"model", "condition", "metric", "value"} == set(rows[0])
    assert all(math.isfinite(row["value"]) for row in rows)
    for model in ("GloVe", "skip-gram"):
        low, middle, high = (
            value(rows, model, f"sum, {share} %") for share in (5, 50, 95)
        )
        assert low <= middle <= high


def test_what_counts_and_context_are_worth(rows):
    """Large effects only: frequencies beat guessing, and a bigram beats frequencies."""
    uniform, unigram, bigram = (
        value(rows, model, "perplexity") for model in ("uniform", "unigram", "bigram")
    )
    assert bigram < unigram / 2 < unigram < uniform / 2
