"""n-gram language models: additive smoothing and interpolated Kneser-Ney.

The models that the neural language model of 2003 had to beat, and still the quickest
way to see how much of a text its nearest words explain.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Iterable

START = "<s>"  # stands before a sequence; it is never predicted
END = "</s>"  # predicted after a sequence


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
        """Count the n-grams of sequences of tokens; `vocabulary` is V."""
        self.order, self.vocabulary, self.alpha = order, vocabulary, alpha
        self.counts: collections.Counter[tuple] = collections.Counter()
        for tokens in sequences:
            self.counts.update(self.ngrams(tokens))
        self.context = sums(self.counts)

    def ngrams(self, tokens: list[str]) -> Iterable[tuple[str, ...]]:
        """Yield the n-gram that ends in each token, and the one that ends in END."""
        padded = [START] * (self.order - 1) + tokens + [END]
        return zip(*(padded[k:] for k in range(self.order)), strict=False)

    def probability(self, *ngram: str) -> float:
        """Return P(last word | the words before it)."""
        above = self.counts[ngram] + self.alpha
        return above / (self.context[ngram[:-1]] + self.alpha * self.vocabulary)

    def nats(self, tokens: list[str]) -> float:
        """Return -log P of a sequence with its END."""
        return -sum(math.log(self.probability(*ngram)) for ngram in self.ngrams(tokens))

    def loss(self, sequences: Iterable[list[str]]) -> float:
        """Return nats per token; the token END counts in the nats, not in the tokens.

        So the sum of what all tokens cost is that of the whole text, and the loss can
        be compared with an entropy per token.
        """
        nats = tokens = 0.0
        for sequence in sequences:
            nats += self.nats(sequence)
            tokens += len(sequence)
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
        self.levels = []  # from the highest order down: counts, c(h), N(h .), D
        counts = self.counts
        for n in range(order, 0, -1):
            types = sums(dict.fromkeys(counts, 1))
            self.levels.append((counts, sums(counts), types, discount(counts)))
            if n > 1:
                counts = collections.Counter(ngram[1:] for ngram in counts)

    def probability(self, *ngram: str) -> float:
        """Return P(last word | the words before it), from the lowest order up."""
        p = 1 / self.vocabulary
        for n, (counts, total, types, d) in enumerate(reversed(self.levels), start=1):
            part = ngram[-n:]
            if seen := total.get(part[:-1], 0):
                p *= d * types[part[:-1]] / seen
                p += max(counts.get(part, 0) - d, 0.0) / seen
        return p


def sums(counts: dict[tuple, int]) -> dict[tuple, int]:
    """Sum the counts of n-grams that share all but the last word."""
    totals: collections.Counter[tuple] = collections.Counter()
    for ngram, count in counts.items():
        totals[ngram[:-1]] += count
    return totals


def discount(counts: dict[tuple, int]) -> float:
    """Return D = n1 / (n1 + 2 n2): about what a count is too high by.

    0.5 where no n-gram has one of the two counts, as in a short text.
    """
    n1, n2 = (sum(1 for c in counts.values() if c == k) for k in (1, 2))
    return n1 / (n1 + 2 * n2) if n1 and n2 else 0.5
