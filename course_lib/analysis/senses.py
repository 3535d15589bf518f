"""Do vectors keep the senses of a word apart?

Every measure leaves one occurrence out and asks the others; similarity is the cosine
in the full dimension, never a distance in a picture. All numbers are expected values:
where several neighbours are equally near, each has the same chance to be asked. So
vectors that are all alike, as in a layer that knows no context, score at chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..text.characters import BOS, EOS

TIE = 1e-6  # cosines this close are equal: float32 knows about seven digits


def unit(vectors: np.ndarray) -> np.ndarray:
    """Scale each row to length 1; a row of zeros stays. Shape: (N, D) to (N, D)."""
    vectors = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms > 0, norms, 1)


def expected_hits(similarity: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return each row's chance that its best column is right, ties shared equally.

    Shape: (N, M) similarities, -inf where a column may not be asked; (N, M) bool;
    to (N,).
    """
    best = similarity >= similarity.max(axis=1, keepdims=True) - TIE  # (N, M)
    return (best & right).sum(axis=1) / best.sum(axis=1)


def neighbour_hits(vectors: np.ndarray, senses: Sequence[str]) -> np.ndarray:
    """Ask each occurrence's nearest other occurrence for its sense.

    Shape: (N, D) and N labels to (N,): 1 where that is right, 0 where not.
    """
    senses = np.asarray(senses)
    x = unit(vectors)
    similarity = x @ x.T  # (N, N)
    np.fill_diagonal(similarity, -np.inf)
    return expected_hits(similarity, senses[:, None] == senses)


def centroid_hits(vectors: np.ndarray, senses: Sequence[str]) -> np.ndarray:
    """Name the sense whose mean vector is nearest to each occurrence.

    The occurrence in question is taken out of its own mean first. Shape: (N, D) and
    N labels to (N,): 1 where that is right, 0 where not.
    Source: Peters et al. 2018, section 5.3, word sense disambiguation.
    """
    senses = np.asarray(senses)
    names, label = np.unique(senses, return_inverse=True)  # (S,), (N,)
    x = unit(vectors)
    member = np.eye(len(names))[label]  # (N, S)
    sums, counts = member.T @ x, member.sum(axis=0)  # (S, D), (S,)
    dots, squares = x @ sums.T, (sums**2).sum(axis=1)  # (N, S), (S,)
    # Leaving x out of its own sum s: x.(s - x) = x.s - x.x, and likewise its length.
    own = member * (x * x).sum(axis=1, keepdims=True)  # (N, S)
    lengths = np.sqrt(np.maximum(squares - 2 * dots * member + own, 0))
    # Opposite vectors cancel: what rounding leaves of their sum is no direction.
    similarity = np.where(lengths > TIE, dots - own, 0) / np.maximum(lengths, TIE)
    similarity[(counts - member) == 0] = -np.inf  # nobody is left of that sense
    return expected_hits(similarity, member.astype(bool))


def triple_hits(vectors: np.ndarray, senses: Sequence[str]) -> np.ndarray:
    """Ask whether an occurrence is nearer to one of its own sense than to another's.

    Of each occurrence, the share of all such pairs (one of its sense, one of another)
    in which that is so; a tie is half a hit, nan means that there is no pair. Chance is
    one half, however frequent the senses are. Shape: (N, D) and N labels to (N,).
    """
    senses = np.asarray(senses)
    x = unit(vectors)
    similarity = x @ x.T  # (N, N)
    same = senses[:, None] == senses  # (N, N)
    other = ~same
    np.fill_diagonal(same, False)
    ahead = similarity[:, :, None] - similarity[:, None, :]  # (N, N, N)
    won = (ahead > TIE) + 0.5 * (np.abs(ahead) <= TIE)
    pairs = same.sum(axis=1) * other.sum(axis=1)  # (N,)
    hits = np.einsum("njk,nj,nk->n", won, same, other)  # (N,)
    return np.divide(hits, pairs, out=np.full(len(x), np.nan), where=pairs > 0)


def majority(senses: Sequence[str]) -> float:
    """Return the accuracy of always naming the most frequent sense."""
    counts = np.unique(np.asarray(senses), return_counts=True)[1]
    return float(counts.max() / counts.sum())


def sense_accuracy(vectors: np.ndarray, senses: Sequence[str]) -> dict[str, float]:
    """Measure one word's occurrences both ways. Shape: (N, D) and N labels.

    Errors: ValueError if the labels do not match the rows, or are fewer than two.
    """
    if len(vectors) != len(senses) or len(set(senses)) < 2:
        raise ValueError(
            f"{len(vectors)} vectors and {len(senses)} labels of "
            f"{len(set(senses))} senses; give one label a vector, of at least 2 senses"
        )
    return {
        "nearest_neighbour": float(neighbour_hits(vectors, senses).mean()),
        "nearest_centroid": float(centroid_hits(vectors, senses).mean()),
    }


def target_vectors(encoder, sentences: Sequence) -> np.ndarray:
    """Encode sense sentences and keep the target word's vectors.

    Shape: (L+1, N, D) for N sentences, as `data.senses` gives them.
    """
    layers = encoder.encode([s.tokens for s in sentences])
    at_target = [x[:, s.target_index] for x, s in zip(layers, sentences, strict=True)]
    return np.stack(at_target, axis=1)


def read_twice(encoder, sentences: Sequence) -> np.ndarray:
    """Like `target_vectors`, but each half has read the sentence once before.

    Each sentence stands there twice; the forward half is taken from the second copy,
    the backward half from the first. So neither half is one-sided any more: such
    vectors tell senses apart, but nothing may be predicted from them. (The ELMo that
    AllenNLP released carries its states from batch to batch.) Shape: (L+1, N, D).
    """
    found = []
    twice = [[*s.tokens, EOS, BOS, *s.tokens] for s in sentences]
    for x, s in zip(encoder.encode(twice), sentences, strict=True):  # (L+1, T, D)
        first, half = s.target_index, x.shape[2] // 2
        second = first + len(s.tokens) + 2
        found.append(np.concatenate([x[:, second, :half], x[:, first, half:]], axis=1))
    return np.stack(found, axis=1)


def place(sentence) -> str:
    """Say where the target word stands: "first", "inside" or "last".

    A mark of punctuation at the end is no word.
    """
    tokens, i = sentence.tokens, sentence.target_index
    last = len(tokens) - 1 - (not tokens[-1][-1].isalnum())
    return "first" if i == 0 else "last" if i >= last else "inside"


def without_place(vectors: np.ndarray, sentences: Sequence) -> np.ndarray:
    """Subtract from each vector the mean of its word at its place; no sense is asked.

    What rounding leaves of vectors that were alike becomes 0. Shape: (..., N, D) for N
    sentences to the same.
    """
    groups: dict[tuple, list[int]] = {}
    for i, s in enumerate(sentences):
        groups.setdefault((s.word, place(s)), []).append(i)
    found = vectors.copy()
    for rows in groups.values():
        found[..., rows, :] -= vectors[..., rows, :].mean(axis=-2, keepdims=True)
    before, after = (
        np.linalg.norm(x, axis=-1, keepdims=True) for x in (vectors, found)
    )
    return np.where(after > 1e-5 * before, found, 0)


def context_average(vector_of, sentences: Sequence, size: int) -> np.ndarray:
    """Average the static vectors of the other words of each sentence: the baseline.

    vector_of: a mapping from words to (D,) vectors, such as gensim's KeyedVectors;
    words that it does not hold are skipped; size: D. Shape: (N, D).
    """
    rows = []
    for s in sentences:
        others = s.tokens[: s.target_index] + s.tokens[s.target_index + 1 :]
        known = [vector_of[w] for w in others if w in vector_of]
        rows.append(np.mean(known, axis=0) if known else np.zeros(size))
    return np.stack(rows)


def by_word(vectors: np.ndarray, sentences: Sequence) -> dict[str, dict[str, float]]:
    """Measure every word of the sentences on its own. Shape: (N, D), N sentences."""
    found = {}
    for word in dict.fromkeys(s.word for s in sentences):
        here = [i for i, s in enumerate(sentences) if s.word == word]
        senses = [sentences[i].sense for i in here]
        found[word] = sense_accuracy(vectors[here], senses)
        found[word]["majority"] = majority(senses)
    return found


def triples_by_word(vectors: np.ndarray, sentences: Sequence) -> dict[str, float]:
    """Return each word's share of triples in which the same sense is nearer.

    Shape: (N, D), N sentences.
    """
    found = {}
    for word in dict.fromkeys(s.word for s in sentences):
        here = [i for i, s in enumerate(sentences) if s.word == word]
        hits = triple_hits(vectors[here], [sentences[i].sense for i in here])
        found[word] = float(np.nanmean(hits))
    return found


def macro(table: dict[str, dict[str, float]]) -> dict[str, float]:
    """Average a table of `by_word` over its words, each word weighing the same."""
    measures: Iterable[str] = next(iter(table.values()))
    return {m: float(np.mean([row[m] for row in table.values()])) for m in measures}
