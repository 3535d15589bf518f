"""How much of a vector is context? Cosines within words, within sentences, at all.

Two vectors of a layer that points mostly one way have a high cosine whatever they
stand for. So each measure is read beside the mean cosine between random words, the
layer's anisotropy, and that is subtracted. Source: Ethayarajh 2019, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .senses import unit


def mean_cosine(x: np.ndarray) -> float:
    """Return the mean cosine over all pairs of different rows. Shape: (N, D), N > 1."""
    total = unit(x).sum(axis=0)  # |sum|^2 counts each pair twice, each row once
    lengths = (unit(x) ** 2).sum()  # N, unless a row is zero
    return float((total @ total - lengths) / (len(x) * (len(x) - 1)))


def anisotropy(x: np.ndarray, words: Sequence[str], seed: int) -> float:
    """Return the mean cosine between different words, one random occurrence of each.

    Shape: (N, D) and N words. 0 where directions are spread evenly.
    """
    order = np.random.default_rng(seed).permutation(len(words))
    one = {words[i]: i for i in order}
    return mean_cosine(x[sorted(one.values())])


def self_similarity(x: np.ndarray, words: Sequence[str], least: int = 5) -> float:
    """Return the mean cosine between occurrences of a word, averaged over words.

    Words that occur `least` times or more; nan if there is none. 1 where context does
    nothing. Shape: (N, D) and N words.
    """
    words = np.asarray(words)
    names, counts = np.unique(words, return_counts=True)
    found = [mean_cosine(x[words == name]) for name in names[counts >= least]]
    return float(np.mean(found)) if found else float("nan")


def intra_sentence(sentences: Sequence[np.ndarray]) -> float:
    """Return the mean cosine of a sentence's words with their mean.

    Shape of each: (T, D). High where the words of a sentence have become alike.
    """
    found = [(unit(x) @ unit(x.mean(axis=0)[None])[0]).mean() for x in sentences]
    return float(np.mean(found, dtype=float))


def measure(
    sentences: Sequence[np.ndarray], words: Sequence[str], seed: int, least: int = 5
) -> dict[str, float]:
    """Measure one layer of some sentences, each (T, D); `words` are all their words.

    "beyond" is what is left of a measure when the layer's anisotropy is taken off.
    """
    x = np.concatenate(sentences)
    base = anisotropy(x, words, seed)
    alike, within = self_similarity(x, words, least), intra_sentence(sentences)
    return {
        "anisotropy": base,
        "self-similarity": alike,
        "self-similarity, beyond": alike - base,
        "within a sentence": within,
        "within a sentence, beyond": within - base,
    }


def mixing_weights(mixed: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Return the weights with which the parts, added, come nearest to the mixture.

    Least squares. Shape: (D,) and (P, D) to (P,).
    """
    return np.linalg.lstsq(parts.T, mixed, rcond=None)[0]
