"""GloVe: word vectors from a table of counts (Pennington, Socher and Manning 2014).

Count once how often words stand near each other; then fit vectors whose products are
the logarithms of the counts. It is a weighted regression, not a language model: nothing
in it is a probability of a word, and it has no perplexity.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from scipy.sparse import coo_array, csr_array


def cooccurrences(
    sentences: Iterable[Sequence[int]], V: int, window: int = 10, chunk: int = 1_000_000
) -> csr_array:
    """Return X: X[i, j] sums 1 / distance over all times that i and j stood close.

    sentences: word numbers below V; a window ends where its sentence ends. Number 0,
        `<unk>`, is left out first, so that its neighbours move together
    chunk: words counted at a time. The memory needed is that of a chunk and of the
        pairs that occur, not that of the text
    Shape: (V, V), symmetric. Errors: IndexError for a word number outside 0 … V - 1;
    ValueError for a window without a neighbour. Source: section 4.2.
    """
    if window < 1:
        raise ValueError(f"a window of {window} holds no neighbour; give 1 or more")
    X = csr_array((V, V))
    for words, sentence in chunks(sentences, chunk):
        if len(words) and not 0 < words.min() <= words.max() < V:
            wrong = words.min() if words.min() < 0 else words.max()
            raise IndexError(
                f"word number {wrong} is outside 0 … {V - 1}: "
                "encode the sentences with the vocabulary whose size V is"
            )
        for distance in range(1, min(window, len(words) - 1) + 1):
            left, right = words[:-distance], words[distance:]
            near = sentence[:-distance] == sentence[distance:]
            pairs = left[near], right[near]
            weights = np.full(len(pairs[0]), 1 / distance)
            X += coo_array((weights, pairs), shape=(V, V)).tocsr()  # adds up repeats
    return X + X.T  # each pair was met from its left word only


def chunks(
    sentences: Iterable[Sequence[int]], size: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the known words of about `size` tokens, and which sentence each is of.

    Shape: (N,) and (N,). A sentence is never cut.
    """
    words, lengths = array("i"), []

    def gather():
        known = np.array(words)  # (tokens,)
        sentence = np.repeat(np.arange(len(lengths)), lengths)  # (tokens,)
        return known[known != 0], sentence[known != 0]  # (N,), (N,)

    for sentence in sentences:
        try:
            words.extend(sentence)
        except TypeError:
            what = f"{sentence!r:.60} is no list of word numbers"
            raise TypeError(f"{what}: vocabulary.encode(sentence) gives one") from None
        lengths.append(len(sentence))
        if len(words) >= size:
            yield gather()
            words, lengths = array("i"), []
    yield gather()


def ratios(X: csr_array, i: int, j: int, probes: Sequence[int]) -> np.ndarray:
    """Return P(k|i), P(k|j) and P(k|i) / P(k|j) for each probe word k (table 1).

    P(k|i) = X_ik / X_i is the share of k in what was counted around i. The ratio is inf
    where k never stood near j, nan where it stood near neither. Shape: (3, probes).
    Errors: ValueError if i or j has no neighbours at all, as `<unk>` has none.
    """
    rows = X[[i, j]].toarray()  # (2, V)
    totals = rows.sum(axis=1, keepdims=True)  # (2, 1)
    for word, total in zip((i, j), totals[:, 0], strict=True):
        if not total:
            raise ValueError(
                f"word number {word} has no neighbours in these counts: "
                "is the word in the vocabulary (0 is `<unk>`)?"
            )
    P = rows[:, probes] / totals  # (2, probes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([P[0], P[1], P[0] / P[1]])  # (3, probes)


class GloVe:
    """w_i . w~_k + b_i + b~_k, to be near log X_ik (eq. 7), fitted by AdaGrad.

    V: words; D: dimensions; x_max and alpha: see `weight`; eta: learning rate
    w, b: vectors (V, D) and biases (V,) of words; w_tilde, b_tilde: of contexts
    G: for each of these, 1 + the sum of squares that AdaGrad needs, see `adagrad`
    """

    def __init__(
        self, V: int, D: int = 100, *, x_max=100.0, alpha=0.75, eta=0.05,
        seed: int = 0, dtype=np.float32,
    ):  # fmt: skip
        """Draw parameters evenly from -1 / 2D … 1 / 2D (released code: D + 1 for D)."""
        if V < 1 or D < 1:
            raise ValueError(f"{V} words, {D} dimensions: give one or more of each")
        self.x_max, self.alpha, self.eta = x_max, alpha, eta
        generator = np.random.default_rng(seed)

        def draw(*shape):
            return ((generator.random(shape) - 0.5) / D).astype(dtype)

        self.w, self.w_tilde = draw(V, D), draw(V, D)
        self.b, self.b_tilde = draw(V), draw(V)
        names = ("w", "w_tilde", "b", "b_tilde")
        self.G = {name: np.ones_like(getattr(self, name)) for name in names}

    def weight(self, x: np.ndarray) -> np.ndarray:
        """Return f(x) = (x / x_max)^alpha, but never more than 1 (eq. 9).

        Rare pairs are noisy and count for little; no pair counts for too much. Pairs
        that never occur have f(0) = 0: they are not even stored.
        """
        return np.minimum((x / self.x_max) ** self.alpha, 1)

    def step(self, i: np.ndarray, k: np.ndarray, x: np.ndarray) -> float:
        """Move the parameters of some pairs, and return the cost before, summed.

        Shape: (B,) words, (B,) contexts, (B,) counts; no word and no context twice.
        The cost is half of eq. 8, so that its gradient has no factor 2.
        """
        w, w_tilde = self.w[i], self.w_tilde[k]  # (B, D)
        product = np.einsum("bd,bd->b", w, w_tilde)  # (B,)
        error = product + self.b[i] + self.b_tilde[k] - np.log(x)  # (B,)
        g = self.weight(x) * error  # (B,)
        scaled = (self.eta * g)[:, None]  # (B, 1)
        self.adagrad("w", i, scaled * w_tilde)
        self.adagrad("w_tilde", k, scaled * w)
        self.adagrad("b", i, g)  # no eta: as later versions of the released code
        self.adagrad("b_tilde", k, g)
        return 0.5 * float(g @ error)

    def adagrad(self, name: str, rows: np.ndarray, g: np.ndarray) -> None:
        """Take a step, the smaller the further these parameters have come (AdaGrad).

        Duchi et al. 2011 in the released code's variant: G sums the squares of g, which
        is eta times the gradient (a bias has no eta), starts at 1, and grows after the
        step. For the vectors that equals a learning rate of 1 with G, of the plain
        gradient, starting at 1 / eta^2 = 400.
        Left out: later versions of the released code clip each gradient at 100.
        """
        parameters, G = getattr(self, name), self.G[name]
        before = G[rows]  # (B, D) or (B,)
        parameters[rows] -= g / np.sqrt(before)
        G[rows] = before + g * g

    def epoch(self, groups: list[tuple]) -> float:
        """Go once through all pairs, group by group; return the mean cost of a pair.

        Errors: FloatingPointError if the steps are too long and the cost explodes;
        ValueError if there is no pair.
        """
        if not groups:
            raise ValueError(
                "no two words stand near each other in these counts: give more text, "
                "or a vocabulary with a lower min_count"
            )
        pairs = sum(len(x) for *_, x in groups)
        dtype = self.w.dtype  # counts are float64: they would make the steps slower
        cost = 0.0
        for i, k, x in groups:
            cost += self.step(i, k, x.astype(dtype))
            if not cost < np.inf:
                raise FloatingPointError(
                    f"the cost is {cost}: eta = {self.eta} is too large for these "
                    "counts; make a new model with a smaller one"
                )
        return cost / pairs

    @property
    def vectors(self) -> np.ndarray:
        """Return w + w~ (section 4.2), two views of a word. Shape: (V, D)."""
        return self.w + self.w_tilde


def matchings(X: csr_array, seed: int = 0) -> list[tuple]:
    """Put all pairs (i, k, X_ik) in random groups without a word or context twice.

    The released code takes one pair at a time, in random order. Pairs that share no
    parameters cannot disturb each other, so a whole group at once gives exactly what
    its pairs one after the other give: vectorised, and no approximation. What differs
    is only which orders can be drawn. How: number words and contexts at random, and
    let a group be those with the same (number of i + number of k) mod V, a diagonal
    of X. Source of the idea: Gemulla et al. 2011.
    """
    V = X.shape[0]
    generator = np.random.default_rng(seed)
    of_word, of_context = generator.permutation(V), generator.permutation(V)
    i, k = X.tocoo().coords
    diagonal = (of_word[i] + of_context[k]) % V  # (pairs,)
    order = np.argsort(diagonal)
    ends = np.bincount(diagonal, minlength=V).cumsum()[:-1]
    parts = (np.split(values[order], ends) for values in (i, k, X.tocoo().data))
    return [group for group in zip(*parts, strict=True) if len(group[0])]
