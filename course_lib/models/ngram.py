"""n-gram language models: additive smoothing and interpolated Kneser-Ney.

The models that the neural language model of 2003 had to beat, and still the quickest
way to see how much of a text its nearest words explain. All is counted and looked up
in sorted arrays, many n-grams at once: a dictionary of a million takes seconds and
hundreds of megabytes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from ..text.vocabulary import listed

START = "<s>"  # stands before a sequence; it is never predicted
END = "</s>"  # predicted after a sequence
MIX = np.random.default_rng(0).integers(2**63, size=32, dtype=np.uint64) * 2 + 1


class NGram:
    """Counts of n-grams, and the probabilities that they give by additive smoothing.

    P(w | h) = (c(h w) + alpha) / (c(h) + alpha V), h being the n - 1 words before w
    (Jurafsky and Martin, Speech and Language Processing, ch. 3). `END` is one of the V.
    """

    def __init__(
        self,
        sequences: Iterable[list[str]],
        order: int = 3,
        *,
        vocabulary: int,
        alpha: float = 0.1,
    ):
        """Count the n-grams of sequences of tokens; `vocabulary` is V.

        Errors: ValueError for an order below 1, an alpha below 0, a vocabulary smaller
        than the text's, or no sequence.
        """
        if order < 1 or alpha < 0:
            raise ValueError(
                f"order {order} and alpha {alpha}: an n-gram has 1 word or more, and "
                "nothing less than 0 is added to a count"
            )
        self.order, self.vocabulary, self.alpha = order, vocabulary, alpha
        read = [ngram for tokens in sequences for ngram in self.ngrams(tokens)]
        if not read:
            raise ValueError("there is no sequence here to count n-grams in")
        known = dict.fromkeys(itertools.chain.from_iterable(read))
        self.numbers = {token: number for number, token in enumerate(known)}
        if (V := len(known) - (START in known)) > vocabulary:
            raise ValueError(
                f"vocabulary is {vocabulary}, but there are {V} different words, {END} "
                "among them: the probabilities would not sum to 1"
            )
        self.counts = Counts(*distinct(self.encode(read)))

    def ngrams(self, tokens: list[str]) -> Iterable[tuple[str, ...]]:
        """Yield the n-gram that ends in each token, and the one that ends in END."""
        padded = [START] * (self.order - 1) + [*listed(tokens), END]
        return zip(*(padded[k:] for k in range(self.order)), strict=False)

    def encode(self, ngrams: Sequence[Sequence[str]]) -> np.ndarray:
        """Number the tokens, all that were never seen alike. Shape: (N, n).

        Errors: ValueError if an n-gram does not have n words.
        """
        get, unseen = self.numbers.get, len(self.numbers)
        ids = [get(token, unseen) for ngram in ngrams for token in ngram]
        if {*map(len, ngrams)} - {self.order} or str in {*map(type, ngrams)}:
            raise ValueError(f"{ngrams[:1]}…: each n-gram must be {self.order} words")
        return np.array(ids, dtype=np.int32).reshape(-1, self.order)

    def probabilities(self, ngrams: Sequence[Sequence[str]]) -> np.ndarray:
        """Return P(last word | the words before it) of each n-gram. Shape: (N,).

        nan after words that were never seen, if alpha is 0: nothing is known there.
        """
        ids = self.encode(ngrams)  # (N, n)
        c, total = self.counts.of(ids), self.counts.after(ids[:, :-1])
        with np.errstate(invalid="ignore"):
            return (c + self.alpha) / (total + self.alpha * self.vocabulary)

    def probability(self, *ngram: str) -> float:
        """Return P(last word | the words before it)."""
        return float(self.probabilities([ngram])[0])

    def nats(self, tokens: list[str]) -> float:
        """Return -log P of a sequence with its END; inf if P is 0."""
        p = np.nan_to_num(self.probabilities([*self.ngrams(tokens)]))
        with np.errstate(divide="ignore"):
            return -float(np.log(p).sum())

    def loss(self, sequences: Iterable[list[str]]) -> float:
        """Return nats per token; the token END counts in the nats, not in the tokens.

        So the sum of what all tokens cost is that of the whole text, and the loss can
        be compared with an entropy per token. Errors: ValueError if there is no token.
        """
        nats = tokens = 0.0
        for sequence in sequences:
            nats += self.nats(sequence)
            tokens += len(sequence)
        if not tokens:
            raise ValueError("a text without a token has no loss per token")
        return nats / tokens


class KneserNey(NGram):
    """Interpolated Kneser-Ney smoothing (Kneser and Ney 1995; Chen and Goodman 1999).

    P(w | h) = max(c(h w) - D, 0) / c(h) + D N(h .) / c(h) P(w | h'), where h' is h
    without its first word and N(h .) the number of different words after h. Below the
    highest order c(h w) is not how often h w was seen, but after how many different
    words: "Francisco" is frequent, yet only after "San". Under the unigrams lies the
    uniform distribution 1 / V. D = n1 / (n1 + 2 n2), of each order, from how many
    n-grams have the counts one and two (Ney, Essen and Kneser 1994).
    """

    def __init__(
        self, sequences: Iterable[list[str]], order: int = 3, *, vocabulary: int
    ):
        """Count n-grams of all orders up to `order`."""
        super().__init__(sequences, order, vocabulary=vocabulary, alpha=0.0)
        self.levels = [self.counts]  # from one word to n
        for _ in range(order - 1):
            longer = self.levels[0].ngrams  # each different one counts once
            self.levels.insert(0, Counts(*distinct(longer[:, 1:])))
        self.discounts = [discount(level.counts) for level in self.levels]

    def probabilities(self, ngrams: Sequence[Sequence[str]]) -> np.ndarray:
        """Return P(last word | the words before it) of each n-gram. Shape: (N,)."""
        ids = self.encode(ngrams)  # (N, n)
        p = np.full(len(ids), 1 / self.vocabulary)
        for k, (level, D) in enumerate(zip(self.levels, self.discounts, strict=True)):
            h, hw = ids[:, -k - 1 : -1], ids[:, -k - 1 :]  # (N, k), (N, k+1)
            c, total, kinds = level.of(hw), level.after(h), level.kinds(h)
            seen = total > 0  # else P(w | h) is P(w | h')
            p[seen] *= D * kinds[seen] / total[seen]
            p[seen] += np.maximum(c[seen] - D, 0) / total[seen]
        return p


class Counts:
    """c(h w), c(h) and N(h .) of n-grams of one length, for many h w or h at once."""

    def __init__(self, ngrams: np.ndarray, counts: np.ndarray):
        """Keep n-grams, each once, and their counts. Shape: (N, n), (N,)."""
        self.ngrams, self.counts = ngrams, counts
        self.keys, contexts = keys(ngrams), keys(ngrams[:, :-1])  # (N,), (N,)
        self.contexts, where = np.unique(contexts, return_inverse=True)
        self.words = np.bincount(where)
        self.totals = np.bincount(where, counts).astype(int)

    def of(self, ngrams: np.ndarray) -> np.ndarray:
        """Return c(h w) of each n-gram, 0 if it was not seen. Shape: (M, n) to (M,)."""
        return look_up(self.keys, self.counts, ngrams)

    def after(self, contexts: np.ndarray) -> np.ndarray:
        """Return c(h), how often any word came after h. Shape: (M, n-1) to (M,)."""
        return look_up(self.contexts, self.totals, contexts)

    def kinds(self, contexts: np.ndarray) -> np.ndarray:
        """Return N(h .), how many words came after h. Shape: (M, n-1) to (M,)."""
        return look_up(self.contexts, self.words, contexts)


def keys(ngrams: np.ndarray) -> np.ndarray:
    """Give each n-gram a number, a hash of 64 bits. Shape: (N, n) to (N,).

    That any two of a million have the same one has a chance of 1 in 30 million; as in
    KenLM (Heafield 2011), nothing is done about it.
    """
    return (ngrams.astype(np.uint64) * MIX[: ngrams.shape[1]]).sum(axis=1)


def distinct(ngrams: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the n-grams, each once, by key, and how often they are there."""
    _, first, counts = np.unique(keys(ngrams), return_index=True, return_counts=True)
    return ngrams[first], counts


def look_up(known: np.ndarray, values: np.ndarray, ngrams: np.ndarray) -> np.ndarray:
    """Return the values of n-grams by their sorted keys, 0 for those not known."""
    wanted = keys(ngrams)
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[place] == wanted, values[place], 0)


def discount(counts: np.ndarray) -> float:
    """Return D = n1 / (n1 + 2 n2): about what a count is too high by. Shape: (N,).

    0.5 where no n-gram has one of the two counts, as in a short text.
    """
    n1, n2 = (int((counts == k).sum()) for k in (1, 2))
    return n1 / (n1 + 2 * n2) if n1 and n2 else 0.5
