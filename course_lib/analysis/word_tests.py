"""Tests of word vectors: do they know which words are alike, and man : king = woman : ?

The English test sets come with gensim: WordSim-353 asks how related two words are
(coffee and cup are), SimLex-999 how similar (coffee and tea), the analogies are those
of Mikolov et al. 2013. There is none for Chinese among them.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import spearmanr

from .senses import unit
from .statistics import Interval, interval, resample

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

SETS = {"WordSim-353": "wordsim353.tsv", "SimLex-999": "simlex999.txt"}


class Correlation(NamedTuple):
    """Spearman's rho with a 95 % interval, and how many of the pairs it rests on."""

    rho: float
    low: float
    high: float
    covered: int
    total: int


def keyed(words: Sequence[str], vectors: np.ndarray) -> KeyedVectors:
    """Put words and their vectors (V, D) into gensim's KeyedVectors."""
    from gensim.models import KeyedVectors

    found = KeyedVectors(vectors.shape[1])
    found.add_vectors(list(words), np.asarray(vectors, dtype=np.float32))
    return found


def similarity_pairs(name: str) -> list[tuple[str, str, float]]:
    """Read the pairs of "WordSim-353" or "SimLex-999" and the mean of people's scores.

    Errors: KeyError for another name.
    """
    from gensim.test.utils import datapath

    if name not in SETS:
        raise KeyError(f"no word pairs {name!r}; there are {', '.join(SETS)}")
    with open(datapath(SETS[name]), encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        rows = [row[:3] for row in csv.reader(lines, delimiter="\t")]
    return [(a, b, float(score)) for a, b, score in rows]


def spelling(vectors: KeyedVectors, word: str) -> str | None:
    """Return how the vectors spell a word: as it is, small or with a capital; or None.

    Some vectors keep capitals and some do not; the test sets should fit both.
    """
    forms = (word, word.lower(), word.capitalize())
    return next((form for form in forms if form in vectors), None)


def correlation(
    vectors: KeyedVectors, pairs: Sequence[tuple[str, str, float]]
) -> Correlation:
    """Correlate the ranks of the cosines with those of people's scores (Spearman).

    Pairs with a word that has no vector are left out: always say how many. The interval
    is a bootstrap over pairs. With fewer than ten pairs there is none: nan.
    """
    known = [
        (x, y, s)
        for a, b, s in pairs
        if (x := spelling(vectors, a)) and (y := spelling(vectors, b))
    ]
    if len(known) < 10:
        return Correlation(math.nan, math.nan, math.nan, len(known), len(pairs))
    ours = np.array([vectors.similarity(a, b) for a, b, _ in known])  # (pairs,)
    people = np.array([score for *_, score in known])  # (pairs,)

    def rho(rows: np.ndarray) -> float:
        return spearmanr(ours[rows], people[rows]).statistic

    all_rows = np.arange(len(known))
    found: Interval = interval(rho(all_rows), resample(rho, len(known), times=1_000))
    return Correlation(*found, len(known), len(pairs))


def lead(
    new: KeyedVectors, old: KeyedVectors, pairs: Sequence[tuple[str, str, float]]
) -> Interval:
    """Return by how much one table's rho is above another's, on the pairs of both.

    The bootstrap is paired, because what is hard for one table tends to be hard for the
    other: its interval can leave out 0 though those of the two overlap. With fewer than
    ten pairs there is none: nan. Source: Koehn 2004.
    """
    rows = []  # the cosine in one table, in the other, and people's score
    for a, b, score in pairs:
        words = [(v, spelling(v, a), spelling(v, b)) for v in (new, old)]
        if all(x and y for _, x, y in words):
            rows.append([*(v.similarity(x, y) for v, x, y in words), score])
    if len(rows) < 10:
        return Interval(math.nan, math.nan, math.nan)

    def difference(drawn: np.ndarray) -> float:
        ours, theirs, people = np.array(rows)[drawn].T
        return spearmanr(ours, people).statistic - spearmanr(theirs, people).statistic

    draws = resample(difference, len(rows), times=1_000)
    return interval(difference(np.arange(len(rows))), draws)


def analogy_questions() -> dict[str, list[tuple[str, str, str, str]]]:
    """Read the 19,544 analogies, a : b = c : d, by section; "gram…" are syntactic."""
    from gensim.test.utils import datapath

    sections: dict[str, list[tuple[str, str, str, str]]] = {}
    with open(datapath("questions-words.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith(":"):
                questions = sections.setdefault(line[1:].strip(), [])
            else:
                questions.append(tuple(line.split()))
    return sections


def answers(
    vectors: KeyedVectors,
    questions: Sequence[tuple[str, str, str, str]],
    exclude: bool = True,
) -> list[str | None]:
    """Answer a : b = c : ? with the word nearest to b - a + c (3CosAdd).

    exclude: never answer a, b or c, as everyone does and few say; without it the answer
        mostly is b or c
    The answer is None where a word of the question, or d, has no vector (`spelling`).
    Source: Mikolov, Yih, Zweig 2013; the name is Levy and Goldberg's (2014).
    """
    table = unit(vectors.vectors).astype(np.float32)  # (V, D)
    spelled = [[spelling(vectors, word) for word in words] for words in questions]
    found: list[str | None] = [None] * len(questions)
    covered = [i for i, words in enumerate(spelled) if None not in words]
    for start in range(0, len(covered), 256):  # scores of all words need memory
        part = covered[start : start + 256]
        rows = np.array(
            [[vectors.key_to_index[w] for w in spelled[i][:3]] for i in part]
        )
        a, b, c = (table[column] for column in rows.T)  # (B, D) each
        cosines = (b - a + c) @ table.T  # (B, V), but for a factor of each row
        if exclude:
            np.put_along_axis(cosines, rows, -np.inf, axis=1)
        for i, best in zip(part, cosines.argmax(axis=1), strict=True):
            found[i] = vectors.index_to_key[best]
    return found


def analogies(
    vectors: KeyedVectors,
    questions: dict[str, list[tuple[str, str, str, str]]],
    exclude: bool = True,
) -> dict[str, tuple[int, int]]:
    """Return of each section how many analogies are right and how many are covered."""
    result = {}
    for section, asked in questions.items():
        given = answers(vectors, asked, exclude)
        covered = [(x, d) for x, (*_, d) in zip(given, asked, strict=True) if x]
        right = sum(word.lower() == d.lower() for word, d in covered)
        result[section] = right, len(covered)
    return result
