"""What can be read out of a layer by a simple reader, and what does that prove?

A probe is a small classifier on top of frozen vectors. Its accuracy says that the label
*can* be found there by such a reader, not that the model uses it; and a part of it is
the probe's own memory. So a probe never stands alone here: beside it stand the
commonest tag of each word, the same network untrained, and a control task, which has
random labels (Hewitt and Liang 2019).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional as F

from ..models.bilm import BiLM, Encoder
from ..text.examples import aligned
from ..text.tokenise import composed
from .senses import TIE, unit

STEPS = 1000


class Words(NamedTuple):
    """The words of some sentences in a row: x (L+1, N, D), words and tags (N,)."""

    x: np.ndarray
    words: np.ndarray
    tags: np.ndarray


def read(encoder: Encoder, tagged: Sequence) -> Words:
    """Encode tagged sentences (`tokens`, `tags`) and put their words in a row."""
    layers = encoder.encode([sentence.tokens for sentence in aligned(tagged)])
    words, tags = (np.concatenate(c) for c in zip(*tagged, strict=True))
    return Words(np.concatenate(layers, axis=1), words, tags)


def split_by_sentence(
    sentences: Sequence, train: int, test: int, seed: int
) -> tuple[list, list]:
    """Draw two lists of sentences that have no sentence in common.

    A sentence that occurs several times counts once. If there are too few, both lists
    shrink alike.
    """
    different = list({tuple(s.tokens): s for s in sentences}.values())
    order = np.random.default_rng(seed).permutation(len(different))
    first = min(train, len(different) * train // (train + test))
    rows = order[:first], order[first : first + test]
    return tuple([different[i] for i in part] for part in rows)


def untrained(encoder: Encoder, seed: int) -> Encoder:
    """Return the same network with parameters as they are before any training."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = BiLM(encoder.model.config, len(encoder.vocabulary))
    return Encoder(model, encoder.vocabulary)


# -- linear probes ---------------------------------------------------------------------


def linear(
    x: np.ndarray, labels: np.ndarray, unseen: np.ndarray, seed: int, steps: int = STEPS
) -> np.ndarray:
    """Fit softmax(Wx + b) for P problems at once; return what each says of unseen x.

    Shape: (P, N, D), (P, N) labels, (P, M, D) to (P, M) labels. Adam in small batches:
    scikit-learn's L-BFGS needs five times as long with 45 tags, and ends within two
    tenths of a point. Each component is scaled to mean 0 and deviation 1.
    """
    mean, spread = x.mean(axis=1, keepdims=True), x.std(axis=1, keepdims=True) + 1e-6
    scaled, asked = (
        torch.from_numpy(((part - mean) / spread).astype(np.float32))
        for part in (x, unseen)
    )
    names, numbers = np.unique(labels, return_inverse=True)  # (K,), (P, N)
    y = torch.from_numpy(numbers.reshape(labels.shape))  # NumPy 1 returns them flat
    draw = torch.Generator().manual_seed(seed)
    P, N, D = x.shape
    W = torch.zeros(P, D, len(names), requires_grad=True)
    b = torch.zeros(P, 1, len(names), requires_grad=True)
    adam = torch.optim.AdamW([W, b], lr=0.01, weight_decay=0.1, fused=True)
    slower = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.01, steps)
    for _ in range(steps):
        rows = torch.randint(N, (min(256, N),), generator=draw)
        scores = torch.baddbmm(b, scaled[:, rows], W)  # (P, B, K)
        adam.zero_grad()
        # The sum over problems: none of them sees the others' gradient.
        (P * F.cross_entropy(scores.flatten(0, 1), y[:, rows].flatten())).backward()
        adam.step()
        slower.step()
    with torch.no_grad():
        return names[torch.baddbmm(b, asked, W).argmax(dim=2).numpy()]


def control_tags(words: Sequence[str], tags: Sequence[str], seed: int) -> dict:
    """Give each different word a tag by lot, tags as frequent as in the task.

    Nothing in language leads to such a tag: who names it has memorised the word.
    Source: Hewitt and Liang 2019, section 2.
    """
    rng, different = np.random.default_rng(seed), sorted(set(words))
    return dict(zip(different, rng.choice(tags, len(different)), strict=True))


def accuracies(
    train: Words, test: Words, seed: int, steps: int = STEPS
) -> list[dict[str, float]]:
    """Probe every layer: its accuracy, that of the control task, and selectivity.

    Selectivity is the difference: how far the probe gets beyond its own memory.
    """
    lot = control_tags([*train.words, *test.words], train.tags, seed)
    drawn, right = (np.array([lot[w] for w in part.words]) for part in (train, test))
    L = len(train.x)
    labels = np.stack([train.tags] * L + [drawn] * L)  # (2L, N)
    twice = (np.concatenate([part.x, part.x]) for part in (train, test))
    x, unseen = twice
    said = linear(x, labels, unseen, seed, steps)  # (2L, M)
    task = (said[:L] == test.tags).mean(axis=1)
    memory = (said[L:] == right).mean(axis=1)
    return [
        {"accuracy": float(a), "control": float(c), "selectivity": float(a - c)}
        for a, c in zip(task, memory, strict=True)
    ]


def endings(words: Sequence[str], length: int, most: int) -> dict[str, str]:
    """Return the ending of each different word, if it is among the most common ones.

    The word must be longer than its ending by two letters, or by one character if the
    ending is a single one, as in Chinese.
    """
    longer = 2 if length > 1 else 1
    of = {w: w[-length:] for w in set(words) if len(w) >= length + longer}
    known = {e for e, _ in Counter(of[w] for w in sorted(of)).most_common(most)}
    return {word: ending for word, ending in of.items() if ending in known}


# -- naming senses ---------------------------------------------------------------------


def first_senses(sentences: Sequence) -> dict[str, str]:
    """Return each word's commonest sense, which a dictionary would list first."""
    counts: dict[str, Counter] = {}
    for s in sentences:
        counts.setdefault(s.word, Counter())[s.sense] += 1
    return {word: of.most_common(1)[0][0] for word, of in counts.items()}


def name_senses(
    x: np.ndarray, labelled: Sequence, asked: np.ndarray, sentences: Sequence,
    first: Mapping[str, str], centroids: bool = True,
) -> list[str]:  # fmt: skip
    """Name the sense of each sentence's target by the nearest labelled vector.

    x: (N, D) target vectors of N labelled sentences; asked: (M, D) of M others.
    centroids: ask the mean of each sense, as the paper does, or else single sentences.
    A word without a labelled sentence gets its first sense; so does a tie.
    Source: Peters et al. 2018, section 5.3.
    """
    known: dict[str, list[int]] = {}
    for i, s in enumerate(labelled):
        known.setdefault(s.word, []).append(i)
    named = []
    for vector, s in zip(asked, sentences, strict=True):
        if s.word not in known:
            named.append(first[s.word])
            continue
        senses = np.array([labelled[i].sense for i in known[s.word]])
        rows = unit(x[known[s.word]])  # (n, D)
        if centroids:
            names = np.unique(senses)
            rows, senses = np.stack([rows[senses == k].mean(0) for k in names]), names
        cosines = unit(rows) @ unit(vector[None])[0]
        best = senses[cosines >= cosines.max() - TIE]
        named.append(first[s.word] if first[s.word] in best else best[0])
    return [str(sense) for sense in named]


# -- words that nobody has seen --------------------------------------------------------


def misspell(word: str, rng: np.random.Generator, letters: Sequence[str]) -> str:
    """Make one slip: exchange two neighbours, leave one out, double or replace one.

    word: of two letters or more (Chinese: one); letters: one or more, which may stand
    in for a letter. The first letter stays (in Chinese, where words are short, it need
    not), so that the slip cannot change a capital.
    """
    chinese = ord(word[0]) > 0x2E80
    start = 0 if chinese else 1
    for _ in range(20):  # some slips change nothing: "ll" exchanged is "ll"
        i, slip = int(rng.integers(start, len(word))), int(rng.integers(4))
        new = {
            0: word[: i - 1] + word[i] + word[i - 1] + word[i + 1 :]
            if i > start
            else word,
            1: word[:i] + word[i + 1 :],
            2: word[: i + 1] + word[i:],
            3: word[:i] + str(rng.choice(letters)) + word[i + 1 :],
        }[slip]
        if new and new != word:
            return new
    return word


def grams(word: str, shortest: int, longest: int) -> list[str]:
    """List the n-grams of a word between its marks (Bojanowski et al. 2017)."""
    marked = f"<{composed(word)}>"
    return [
        marked[i : i + n]
        for n in range(shortest, longest + 1)
        for i in range(len(marked) - n + 1)
    ]


class HashedGrams:
    """A vector for any string: of its hashed n-grams, scaled and added, and a constant.

    fastText's idea. The vectors of n-grams are fitted, by least squares, so that known
    words get the word vectors that they have: so both have read the same text, and
    fitting takes seconds (Zhao, Mudgal and Liang 2018, "bag of subwords").
    """

    def __init__(self, vectors, lengths=(3, 5), buckets: int = 2**16, penalty=3.0):
        """Fit to gensim's KeyedVectors."""
        from sklearn.feature_extraction import FeatureHasher
        from sklearn.linear_model import Ridge

        self.lengths = lengths
        self.hash = FeatureHasher(buckets, input_type="string", alternate_sign=False)
        self.fit = Ridge(alpha=penalty, solver="sparse_cg", tol=1e-2, max_iter=100)
        known = vectors.index_to_key[:15_000]  # the commonest; more changes little
        self.fit.fit(self.features(known), np.stack([vectors[w] for w in known]))

    def features(self, words: Sequence[str]):
        """Count the hashed n-grams; rows have length 1. Shape: sparse (N, buckets)."""
        from sklearn.preprocessing import normalize

        return normalize(self.hash.transform(grams(w, *self.lengths) for w in words))

    def __call__(self, words: Sequence[str]) -> np.ndarray:
        """Return a vector each. Shape: (N, D)."""
        return self.fit.predict(self.features(words)).astype(np.float32)
