"""word2vec: CBOW and skip-gram with negative sampling (Mikolov et al. 2013).

The softmax over all words is gone, and with it the language model: a word and a word
near it are told from k random words by k + 1 yes-or-no questions. What remains is a
matrix of vectors, learned from a text almost as fast as one can read it.
Sources: arXiv 1301.3781 (2013a: the two models); NIPS 2013 (2013b: the sampling).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import torch
from torch.nn import functional as F
from tqdm import tqdm

from .glove import chunks

METHODS = ("skip-gram", "CBOW")
NONE = -1  # a place of a window where no word stands
BATCH = 256  # centres in a step at most; more are no faster
CHUNK = 20_000  # words read at a time, so that no text is too long for the memory


class Word2Vec:
    """Two vectors for each word: one when it is given, one when it is the answer.

    V: words; D: dimensions
    vectors (V, D): the result; drawn evenly from -1 / 2D … 1 / 2D at first
    contexts (V, D): the answers' vectors, zero at first; given up in the end
    """

    def __init__(self, V: int, D: int = 100, seed: int = 0, dtype=torch.float32):
        """Make both matrices, as the released code does."""
        if V < 1 or D < 1:
            raise ValueError(f"{V} words, {D} dimensions: give one or more of each")
        generator = torch.Generator().manual_seed(seed)
        self.vectors = (torch.rand(V, D, generator=generator, dtype=dtype) - 0.5) / D
        self.contexts = torch.zeros(V, D, dtype=dtype)

    def step(self, method: str, centres, contexts, negatives, lr: float) -> float:
        """Take a step of gradient descent; return the mean loss per answer before it.

        Shape: centres (B,), contexts (B, G) with NONE, negatives (B, k): word numbers.
        CBOW is given the mean of a context, skip-gram each of its words in turn; the
        centre is the true answer. Words that are given, here `contexts`, have rows v of
        `self.vectors`; answers have rows u of `self.contexts`. The loss of a given v
        (2013b, eq. 4): -log s(u_centre . v) - sum_k log s(-u_k . v), with
        s(x) = 1 / (1 + exp(-x)).
        Its gradient by a score u . v is s(score) - 1 if u is true, else s(score).

        Departures: the released code, too, gives the context and asks for the centre
        (the paper's skip-gram does the reverse; over a text both ask the same pairs);
        only here the pairs of one centre share their k negatives, which is faster. In
        CBOW each of C words in the window gets a C-th of the gradient, as it should for
        a mean; the released code, and gensim, give each the whole (Irsoy et al. 2021).
        """
        there = (contexts != NONE).to(self.vectors.dtype)[:, :, None]  # (B, G, 1)
        rows = contexts.clamp(min=0)  # (B, G)
        part = there  # what share a word has in what is given
        if method == "CBOW":
            part = there / there.sum(1, keepdim=True)  # (B, G, 1)
        given = self.vectors[rows] * part  # (B, G, D)
        if method == "CBOW":  # (B, 1, D) and (B, 1, 1)
            given, there = given.sum(1, keepdim=True), there.amax(1, keepdim=True)
        # From here on G' is G for skip-gram and 1 for CBOW.
        answers = torch.cat([centres[:, None], negatives], dim=1)  # (B, 1+k)
        u = self.contexts[answers]  # (B, 1+k, D)
        score = given @ u.mT  # (B, G', 1+k)
        true = F.one_hot(torch.tensor(0), answers.shape[1])  # (1+k,): 1 for the first
        fair = (answers != centres[:, None]) | true.bool()  # (B, 1+k)
        counts = there * fair[:, None]  # (B, G', 1+k): no negative is the true answer
        # The loss is -log s(±score), (B, G', 1+k).
        loss = F.softplus((1 - 2 * true) * score) * counts
        g = (torch.sigmoid(score) - true) * counts  # (B, G', 1+k)
        for_u, for_vectors = g.mT @ given, (g @ u) * part  # (B, 1+k, D), (B, G, D)
        self.contexts.index_add_(0, answers.flatten(), for_u.flatten(0, 1), alpha=-lr)
        self.vectors.index_add_(0, rows.flatten(), for_vectors.flatten(0, 1), alpha=-lr)
        return float(loss.sum() / there.sum())


def keep_probability(counts: np.ndarray, t: float = 1e-4) -> np.ndarray:
    """Return which share of a word's occurrences stays: min(1, sqrt(t / f)).

    counts (V,) gives the frequencies f. Frequent words teach little each time they are
    met. Source: 2013b, eq. 5, where t is about 1e-5, for a billion words; the released
    code uses sqrt(t / f) + t / f. Shape: (V,).
    """
    f = np.asarray(counts, dtype=float) / np.sum(counts)
    with np.errstate(divide="ignore"):
        return np.minimum(1, np.sqrt(t / f))


def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    """Return how often each word is drawn as a negative: counts ** power, normalised.

    Between as frequent as in the text (power 1) and all alike (0). Source: 2013b,
    section 2.2. Shape: (V,) to (V,). Errors: ValueError if no word occurs.
    """
    if not np.any(counts):
        raise ValueError(
            "no word of the vocabulary but `<unk>` and marks occurs in this text: "
            "give more text, or a vocabulary with a lower min_count"
        )
    counts = np.asarray(counts, dtype=float)
    raised = np.where(counts > 0, counts**power, 0)  # 0 ** 0 is 1
    return raised / raised.sum()


def windows(
    words: np.ndarray, sentence: np.ndarray, window: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return each word that has a neighbour, and its neighbours, NONE where none is.

    The reach of each window is drawn from 1 … window, so that near words count more
    often, and it ends where the sentence does.
    Shape: (N,), and which sentence each word is of, (N,); to (M,) and (M, 2 window).
    """
    reach = rng.integers(1, window + 1, size=len(words))  # (N,)
    contexts = np.full((len(words), 2 * window), NONE)  # (N, 2 window)
    for distance in range(1, min(window, len(words) - 1) + 1):
        left, right = slice(None, -distance), slice(distance, None)
        same = sentence[left] == sentence[right]
        before, after = window - distance, window + distance - 1  # their columns
        seen = same & (reach[right] >= distance)
        contexts[right, before] = np.where(seen, words[left], NONE)
        seen = same & (reach[left] >= distance)
        contexts[left, after] = np.where(seen, words[right], NONE)
    some = (contexts != NONE).any(axis=1)
    return words[some], contexts[some]


def batches(
    pieces: list[tuple], window: int, k: int, keep: np.ndarray, noise: np.ndarray,
    size: int, rng: np.random.Generator,
) -> Iterator[tuple[int, list[tuple]]]:  # fmt: skip
    """Yield for each piece of text its words read, and (centres, contexts, negatives).

    pieces: words and their sentences, as `glove.chunks` cuts them; keep, noise (V,);
    size: of a batch. Errors: ValueError for a window or negatives below 1
    """
    if window < 1 or k < 1:
        raise ValueError(f"window {window}, negatives {k}: give 1 or more of each")
    edges = noise.cumsum()
    edges[-1] = 1.0  # rounding must not leave a gap at the top
    for words, sentence in pieces:
        stay = rng.random(len(words)) < keep[words]
        centres, near = windows(words[stay], sentence[stay], window, rng)
        drawn = edges.searchsorted(rng.random((len(centres), k)), side="right")
        order = rng.permutation(len(centres))  # a batch is not all about one topic
        parts = (torch.from_numpy(a[order]).long() for a in (centres, near, drawn))
        yield len(words), list(zip(*(part.split(size) for part in parts), strict=True))


def train(
    model: Word2Vec, sentences: Iterable[Sequence[int]], counts: np.ndarray, *,
    method: str = "skip-gram", window: int = 5, negatives: int = 5, t: float = 1e-4,
    power: float = 0.75, epochs: int = 5, lr: float = 0.025, seed: int = 0,
    watch: Callable[[float, float], None] | None = None,
) -> None:  # fmt: skip
    """Read a text `epochs` times; the learning rate falls in a line to nothing.

    sentences: word numbers; number 0, `<unk>`, is left out. counts (V,): how often
        each word occurs in them
    watch: called 20 times at most with the share that is done and the mean loss since
    Stopped by an interrupt, the model keeps what it has learned.
    Errors: ValueError for a method that there is not, or if there is no known word.
    """
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; there are {' and '.join(METHODS)}")
    rng, done, told, losses = np.random.default_rng(seed), 0, 0, []
    counts = np.array(counts)
    counts[0] = 0  # `<unk>` is neither read nor drawn
    noise, keep = noise_distribution(counts, power), keep_probability(counts, t)
    # A batch adds up a word's steps, all from where it was before. Were it the centre
    # more than once or so in each batch, it would jump too far, and in the end to nan.
    kept = keep * counts / np.dot(keep, counts)  # (V,): shares of what is left
    size = int(np.clip(1 / kept.max(), 1, BATCH))
    pieces = list(chunks(sentences, CHUNK))
    total = epochs * sum(len(words) for words, _ in pieces)
    if epochs and not total:
        raise ValueError("no known word in these sentences, though counts has some")
    with tqdm(total=total, unit="word", unit_scale=True, file=sys.stdout) as bar:
        for _ in range(epochs):
            for read, found in batches(
                pieces, window, negatives, keep, noise, size, rng
            ):
                rate = lr * max(1 - done / total, 1e-4)
                losses += [model.step(method, *batch, rate) for batch in found]
                done += read
                bar.update(read)
                if losses and watch and done >= total * (told + 1) / 20:
                    watch(done / total, float(np.mean(losses)))
                    told, losses = told + 1, []
