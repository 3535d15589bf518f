"""Are GloVe and skip-gram language models? The claim of lesson 03.

Their scores are no probabilities. Here they are made into some by force, and compared
with models that were made for it, on the same words: those of a held-out text that are
known and come after a known word (`<unk>` has no vector in either).

Two things are measured: what a model's own numbers add up to over all words (exp of
the score for GloVe, its sigmoid for skip-gram; the median of all given words), and,
where a softmax forces them to add up to 1, the perplexity beside that of bigrams.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logsumexp

from course_lib import data
from course_lib.analysis.statistics import Interval, t_interval
from course_lib.models import glove, ngram, word2vec

from ..rules import by_seed, row
from .language_models import split

D = 100
BLOCK = 500  # given words at a time: their scores of all words need memory


class PairScores(NamedTuple):
    """What a model says of a pair (i, k): w_i . w~_k + b_i + b~_k.

    Shape: w, w_tilde (V, D); b, b_tilde (V,).
    """

    w: np.ndarray
    w_tilde: np.ndarray
    b: np.ndarray
    b_tilde: np.ndarray

    def of(self, given: np.ndarray) -> np.ndarray:
        """Return the scores of all words but `<unk>`. Shape: (B,) to (B, V-1)."""
        product = self.w[given] @ self.w_tilde[1:].T  # (B, V-1)
        return product + self.b[given, None] + self.b_tilde[1:]


def glove_is_a_language_model(seed: int, quick: bool = False) -> list[dict]:
    """Return perplexities and sums of one run; the seed is that of both models.

    On Brown, split as in the NNLM's paper; on Rivertown if there is no Brown, or quick.
    """
    corpus = "brown" if data.at_hand("brown") and not quick else "rivertown-en"
    (train, _, test), V = split(corpus, 40_000 if quick else 1_170_000)
    counts = np.bincount(train, minlength=V)  # (V,)
    given, following = known_pairs(test)
    models = {
        "GloVe": fit_glove(train, V, seed, epochs=3 if quick else 15),
        "skip-gram": fit_skip_gram(train, V, seed, epochs=1 if quick else 5),
    }
    found = {
        ("uniform", ""): np.full(len(given), -math.log(V - 1)),
        ("unigram", ""): log_unigram(counts)[following - 1],
        ("bigram", ""): log_bigram(train, V, given, following),
    }
    for name, scores in models.items():
        found[name, "softmax"] = log_softmax(scores, given, following)
    with_noise = add_frequency(models["skip-gram"], counts)
    found["skip-gram", "softmax and noise"] = log_softmax(with_noise, given, following)
    values = {
        (*key, "perplexity"): math.exp(-float(log_p.mean()))
        for key, log_p in found.items()
    } | added_up(models, train, V)
    rows = [row(*about, value) for about, value in values.items()]
    return [*rows, row("", corpus, "pairs", len(given))]


def known_pairs(ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return each known word that a known word follows, and that word. Shape: (N,)."""
    words = np.array(ids)
    known = (words[:-1] > 0) & (words[1:] > 0)
    return words[:-1][known], words[1:][known]


def pieces(ids: list[int], length: int = 1000) -> list[list[int]]:
    """Cut a text, so that it fits the memory piece by piece."""
    return [ids[at : at + length] for at in range(0, len(ids), length)]


def fit_glove(train: list[int], V: int, seed: int, epochs: int) -> PairScores:
    """Fit GloVe to the counts of a text, in windows of ten words to each side."""
    X = counted(train, V)
    model = glove.GloVe(V, D, x_max=10.0, seed=seed)
    groups = glove.matchings(X, seed)
    for _ in range(epochs):
        model.epoch(groups)
    return PairScores(model.w, model.w_tilde, model.b, model.b_tilde)


def counted(train: list[int], V: int):
    """Return the counts X (V, V) that GloVe is fitted to."""
    return glove.cooccurrences(pieces(train), V, window=10)


def fit_skip_gram(train: list[int], V: int, seed: int, epochs: int) -> PairScores:
    """Train skip-gram with negative sampling on a text; it has no biases."""
    model = word2vec.Word2Vec(V, D, seed=seed)
    counts = np.bincount(train, minlength=V)
    word2vec.train(model, pieces(train), counts, epochs=epochs, seed=seed)
    zeros = np.zeros(V, dtype=np.float32)
    return PairScores(model.vectors.numpy(), model.contexts.numpy(), zeros, zeros)


def add_frequency(scores: PairScores, counts: np.ndarray) -> PairScores:
    """Add the log of the noise that a word was drawn from, as often as drawn.

    Negative sampling is at its best where u . v = log P(k|i) - log(noise of k) - log 5
    (Levy and Goldberg 2014), so that this undoes what the sampling took out.
    """
    known = np.array(counts)
    known[0] = 0  # `<unk>` is never drawn
    with np.errstate(divide="ignore"):
        noise = np.log(word2vec.noise_distribution(known))  # (V,): -inf for `<unk>`
    return scores._replace(b_tilde=noise)


def log_unigram(counts: np.ndarray) -> np.ndarray:
    """Return log P of each known word, by how frequent it is. Shape: (V,) to (V-1,)."""
    return np.log(counts[1:] / counts[1:].sum())


def log_bigram(train, V: int, given: np.ndarray, following: np.ndarray) -> np.ndarray:
    """Return log P(following | given) by Kneser-Ney, among known words. Shape: (N,).

    What it keeps for `<unk>` and for the end of the text is shared out to the others,
    as the other models cannot say these either.
    """
    model = ngram.KneserNey([train], 2, vocabulary=V + 1)
    words, where = np.unique(given, return_inverse=True)  # (U,), (N,)
    unknown, end = (
        model.probabilities([(i, k) for i in words.tolist()]) for k in (0, ngram.END)
    )  # (U,), (U,)
    pairs = list(zip(given.tolist(), following.tolist(), strict=True))
    return np.log(model.probabilities(pairs) / (1 - unknown - end)[where])


def log_softmax(
    scores: PairScores, given: np.ndarray, following: np.ndarray
) -> np.ndarray:
    """Return log P(following | given) if exp of the scores is made to add up to 1.

    Shape: (N,), (N,) to (N,).
    """
    words, where = np.unique(given, return_inverse=True)  # (U,), (N,)
    totals = np.concatenate(
        [logsumexp(scores.of(part), axis=1) for part in blocks(words)]
    )  # (U,)
    w, w_tilde = scores.w[given], scores.w_tilde[following]  # (N, D)
    own = np.einsum("nd,nd->n", w, w_tilde)  # (N,)
    return own + scores.b[given] + scores.b_tilde[following] - totals[where]


def blocks(words: np.ndarray) -> list[np.ndarray]:
    """Cut an array of words into parts of BLOCK at most."""
    return np.split(words, range(BLOCK, len(words), BLOCK))


def added_up(
    models: dict[str, PairScores], train: list[int], V: int
) -> dict[tuple, float]:
    """Add up each model's own numbers over all words, for each given word.

    GloVe's is exp of the score, to be near X_ik; that of skip-gram is the sigmoid, the
    chance that a pair is no noise. The median and the middle 90 % of the given words.
    And for GloVe the sum over the words that i did meet, which should be near X_i:
    where X_ik is 0 it was never told anything.
    """
    X, every = counted(train, V), np.arange(1, V)
    X_i = X.sum(axis=1)[1:]  # (V-1,)
    found: dict[tuple, float] = {("GloVe", "", "X_i, 50 %"): float(np.median(X_i))}
    for name, squash in (("GloVe", np.exp), ("skip-gram", expit)):
        sums, met = [], []
        for part in blocks(every):
            numbers = squash(models[name].of(part))  # (B, V-1)
            sums.append(numbers.sum(axis=1))
            met.append((numbers * (X[part].toarray()[:, 1:] > 0)).sum(axis=1))
        for share in (5, 50, 95):
            value = np.percentile(np.concatenate(sums), share)
            found[name, "", f"sum, {share} %"] = float(value)
        if name == "GloVe":
            ratio = np.concatenate(met)[X_i > 0] / X_i[X_i > 0]
            found[name, "", "sum of the met / X_i, 50 %"] = float(np.median(ratio))
    return found


BOTH = ("GloVe", "skip-gram")


def against_bigram(
    rows: list[dict], names: tuple[str, ...] = BOTH
) -> dict[str, Interval]:
    """Return by how much log perplexity is below a bigram's, in nats, by reading."""
    found = {}
    bigram = by_seed(rows, "bigram", "", "perplexity")
    for how in ("softmax", "softmax and noise"):
        for name in names:
            if forced := by_seed(rows, name, how, "perplexity"):
                lower = [math.log(bigram[s] / forced[s]) for s in forced]
                found[f"{name}, {how}"] = t_interval(lower)
    return found


EXPERIMENTS = {"glove_is_a_language_model": glove_is_a_language_model}
