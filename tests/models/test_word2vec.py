"""word2vec: the vectorised step against a slow one and against autograd; the sampling
against its formulas; and whether vectors learn what they should from a tiny text.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.models import word2vec
from course_lib.models.word2vec import METHODS, NONE, Word2Vec

V, D = 12, 5
CENTRES = torch.tensor([3, 7, 3])
CONTEXTS = torch.tensor([[1, 2, NONE, 4], [NONE, NONE, 9, NONE], [2, 2, 8, 10]])
NEGATIVES = torch.tensor([[5, 6], [7, 5], [11, 11]])  # 7 is a centre's own word


def a_model() -> Word2Vec:
    """Return a small model in double precision whose contexts are not zero."""
    model = Word2Vec(V, D, seed=1, dtype=torch.float64)
    model.contexts += torch.randn(V, D, dtype=torch.float64)
    return model


def questions(method: str, row: int) -> list[list[int]]:
    """Return the words that are given together, for each question about a centre."""
    words = [w for w in CONTEXTS[row].tolist() if w != NONE]
    return [words] if method == "CBOW" else [[w] for w in words]


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def slow_step(model: Word2Vec, method: str, lr: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both matrices after a step: question by question, answer by answer."""
    vectors, contexts = model.vectors.numpy(), model.contexts.numpy()
    new_vectors, new_contexts = vectors.copy(), contexts.copy()
    for row, centre in enumerate(CENTRES.tolist()):
        for words in questions(method, row):
            v = sum(vectors[w] for w in words) / len(words)
            false = [n for n in NEGATIVES[row].tolist() if n != centre]
            for answer, true in [(centre, 1), *((n, 0) for n in false)]:
                g = sigmoid(contexts[answer] @ v) - true
                new_contexts[answer] -= lr * g * v
                for w in words:
                    new_vectors[w] -= lr * g * contexts[answer] / len(words)
    return new_vectors, new_contexts


@pytest.mark.parametrize("method", METHODS)
def test_the_vectorised_step_is_the_slow_one(method):
    model = a_model()
    vectors, contexts = slow_step(model, method, lr=0.1)
    model.step(method, CENTRES, CONTEXTS, NEGATIVES, lr=0.1)
    np.testing.assert_allclose(model.vectors, vectors, rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.contexts, contexts, rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_gradient_in_closed_form_is_that_of_autograd(method):
    model = a_model()
    vectors = model.vectors.clone().requires_grad_()
    contexts = model.contexts.clone().requires_grad_()
    losses = []
    for row, centre in enumerate(CENTRES.tolist()):
        for words in questions(method, row):
            v = vectors[words].mean(0)
            loss = -torch.log(torch.sigmoid(contexts[centre] @ v))
            for negative in NEGATIVES[row].tolist():
                if negative != centre:
                    loss = loss - torch.log(torch.sigmoid(-contexts[negative] @ v))
            losses.append(loss)
    torch.stack(losses).sum().backward()
    before = model.vectors.clone(), model.contexts.clone()
    mean = model.step(method, CENTRES, CONTEXTS, NEGATIVES, lr=0.5)
    assert mean == pytest.approx(torch.stack(losses).mean().item())
    torch.testing.assert_close(before[0] - model.vectors, 0.5 * vectors.grad)
    torch.testing.assert_close(before[1] - model.contexts, 0.5 * contexts.grad)


def test_for_one_given_word_the_two_methods_are_the_same():
    alone = torch.tensor([[4, NONE], [NONE, 1], [9, NONE]])
    models = [a_model() for _ in METHODS]
    models[1].contexts[:] = models[0].contexts
    for model, method in zip(models, METHODS, strict=True):
        model.step(method, CENTRES, alone, NEGATIVES, lr=0.1)
    torch.testing.assert_close(models[0].vectors, models[1].vectors)


def test_a_first_loss_is_that_of_coin_tosses():
    """With all answers' vectors at zero, every question is open: log 2 each."""
    model = Word2Vec(V, D)
    negatives = torch.tensor([[5, 6], [8, 5], [11, 1]])
    loss = model.step("skip-gram", CENTRES, CONTEXTS, negatives, lr=0.1)
    assert loss == pytest.approx(3 * math.log(2))


def test_frequent_words_are_thinned_out_and_rare_ones_are_not():
    counts = np.array([0, 90_000, 9_999, 1])
    keep = word2vec.keep_probability(counts, t=1e-3)
    assert keep[1] == pytest.approx(math.sqrt(1e-3 / 0.9))
    assert keep[2] == pytest.approx(math.sqrt(1e-3 / 0.09999))
    assert keep[0] == keep[3] == 1


def test_the_power_moves_the_noise_from_the_text_s_frequencies_to_equal_ones():
    counts = np.array([16, 81, 1])
    assert word2vec.noise_distribution(counts, 1) == pytest.approx(counts / 98)
    assert word2vec.noise_distribution(counts, 0) == pytest.approx([1 / 3] * 3)
    assert word2vec.noise_distribution([0, 5, 3], 0) == pytest.approx([0, 0.5, 0.5])
    assert word2vec.noise_distribution(counts) == pytest.approx(
        np.array([8, 27, 1]) / 36
    )


@given(
    lengths=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    window=st.integers(1, 4),
    seed=st.integers(0, 99),
)
@settings(max_examples=50, deadline=None)
def test_a_window_holds_the_words_within_its_reach_and_its_sentence(
    lengths, window, seed
):
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    words = np.arange(1, len(sentence) + 1)  # every word is its place
    rng = np.random.default_rng(seed)
    reach = np.random.default_rng(seed).integers(1, window + 1, size=len(words))
    expected = {}
    for place, word in enumerate(words):
        offsets = [*range(-window, 0), *range(1, window + 1)]
        row = [
            words[place + o]
            if 0 <= place + o < len(words)
            and sentence[place + o] == sentence[place]
            and abs(o) <= reach[place]
            else NONE
            for o in offsets
        ]
        if set(row) != {NONE}:
            expected[word] = row
    centres, contexts = word2vec.windows(words, sentence, window, rng)
    assert dict(zip(centres.tolist(), contexts.tolist(), strict=True)) == expected


def two_towns(n: int) -> list[list[int]]:
    """Return sentences that only use the words 1-5, or only 6-10."""
    rng = np.random.default_rng(0)
    start = rng.choice([1, 6], size=n)
    return [(first + rng.integers(0, 5, size=8)).tolist() for first in start]


@pytest.mark.parametrize(("method", "lr"), [("skip-gram", 0.05), ("CBOW", 0.2)])
def test_words_that_keep_company_end_up_together(method, lr):
    sentences = two_towns(2_000)
    counts = np.bincount(np.concatenate(sentences), minlength=11)
    model = Word2Vec(11, 10)
    word2vec.train(model, sentences, counts, method=method, lr=lr, t=1.0, epochs=3)
    v = torch.nn.functional.normalize(model.vectors[1:], dim=1)
    cosines = v @ v.T
    within = torch.stack([cosines[:5, :5], cosines[5:, 5:]]).min()
    assert within > 0.8
    assert cosines[:5, 5:].max() < 0.5


def test_a_seed_makes_a_run_and_unknown_words_have_no_part_in_it():
    sentences = [[*s, 0] for s in two_towns(200)]
    counts = np.bincount(np.concatenate(sentences), minlength=11)
    models = [Word2Vec(11, 4, seed=3) for _ in range(2)]
    start = models[0].vectors[0].clone()
    for model in models:
        word2vec.train(model, sentences, counts, epochs=1, seed=7)
    assert torch.equal(models[0].vectors, models[1].vectors)
    assert torch.equal(models[0].vectors[0], start)
    assert not models[0].contexts[0].any()


def test_the_share_of_unknown_words_in_the_noise_goes_to_no_other_word(monkeypatch):
    """<unk> may be a tenth of a text: it is not drawn, and no other word instead."""
    drawn = []
    step = Word2Vec.step

    def spy(self, method, centres, contexts, negatives, lr):
        drawn.append(negatives.flatten())
        return step(self, method, centres, contexts, negatives, lr)

    monkeypatch.setattr(Word2Vec, "step", spy)
    counts = np.array([50_000, 1_000, 1_000, 1_000, 1_000])
    sentences = np.random.default_rng(0).integers(1, 5, size=(500, 8)).tolist()
    word2vec.train(Word2Vec(5, 2), sentences, counts, t=1.0, epochs=1)
    shares = torch.cat(drawn).bincount(minlength=5) / sum(map(len, drawn))
    assert shares[0] == 0
    assert shares[1:] == pytest.approx(np.full(4, 0.25), abs=0.02)  # 20,000 draws


def test_the_learning_rate_falls_in_a_line(monkeypatch):
    """So short a text is one piece, and a piece has one rate: one an epoch."""
    sentences, rates, step = two_towns(200), [], Word2Vec.step

    def spy(self, method, centres, contexts, negatives, lr):
        rates.append(lr)
        return step(self, method, centres, contexts, negatives, lr)

    monkeypatch.setattr(Word2Vec, "step", spy)
    counts = np.bincount(np.concatenate(sentences), minlength=11)
    word2vec.train(Word2Vec(11, 2), sentences, counts, t=1.0, epochs=4, lr=0.04)
    assert list(dict.fromkeys(rates)) == pytest.approx([0.04, 0.03, 0.02, 0.01])


def test_a_run_can_be_watched_and_stopped():
    sentences = two_towns(20_000)
    counts = np.bincount(np.concatenate(sentences), minlength=11)
    model, seen = Word2Vec(11, 4), []

    def watch(done: float, loss: float) -> None:
        seen.append((done, loss))
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        word2vec.train(model, sentences, counts, t=1.0, epochs=4, watch=watch)
    shares = [done for done, _ in seen]
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] < 0.7
    assert model.contexts.any()  # what was learned is still there


def test_a_method_that_there_is_not_is_named():
    with pytest.raises(ValueError, match="skip-gram and CBOW"):
        word2vec.train(Word2Vec(3, 2), [[1, 2]], np.ones(3), method="cbow")


@pytest.mark.parametrize(
    ("sentences", "counts"),
    [([], [0, 0, 0]), ([[0, 0, 0]], [3]), ([[0, 0]], [2, 0, 0]), ([], [0, 4, 4])],
    ids=["no text", "no vocabulary", "only unknown words", "the text of no counts"],
)
def test_a_text_without_a_known_word_teaches_nothing_and_says_so(sentences, counts):
    with pytest.raises(ValueError, match="no (known )?word"):
        word2vec.train(Word2Vec(len(counts), 4), sentences, np.array(counts))


@pytest.mark.parametrize("sizes", [{"window": 0}, {"negatives": 0}])
def test_without_neighbours_or_negatives_there_is_no_question(sizes):
    with pytest.raises(ValueError, match="give 1 or more"):
        word2vec.train(Word2Vec(3, 4), [[1, 2]], np.array([0, 1, 1]), **sizes)


@pytest.mark.parametrize("sizes", [(0, 4), (3, 0)])
def test_a_matrix_without_a_number_is_refused(sizes):
    with pytest.raises(ValueError, match="give one or more of each"):
        Word2Vec(*sizes)
