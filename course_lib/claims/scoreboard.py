"""The scoreboard: the same probe for every model of the course.

The probe: sentences with an ambiguous word whose sense is known (`data.senses`). A
model writes a vector for the word in each sentence; how often is the sense named right,
by the nearest centroid and by the nearest other sentence (`analysis.senses`)?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import data
from ..analysis.senses import by_word, context_average, macro
from . import table


def context_scores(vectors: Any, language: str) -> dict[str, float]:
    """Measure the mean of the static vectors of a sentence's other words.

    vectors: gensim's KeyedVectors. (The word's own static vector is the same in every
    sentence: it can only name the majority.) The means are over words.
    """
    sentences = data.senses(language)
    averages = context_average(vectors, sentences, vectors.vector_size)  # (N, D)
    return macro(by_word(averages, sentences))


def board(scores: Mapping[str, dict[str, float]], t: Callable[[str, str], str]) -> str:
    """Write the scores of some models as an HTML table, the majority last."""
    head = (
        t("averaged over words", "各词平均"),
        t("nearest centroid", "最近质心"),
        t("nearest neighbour", "最近邻"),
    )
    rows = [
        (name, f"{row['nearest_centroid']:.3f}", f"{row['nearest_neighbour']:.3f}")
        for name, row in scores.items()
    ]
    most = f"{next(iter(scores.values()))['majority']:.3f}"
    rows.append((t("always the majority", "总猜多数义项"), most, most))
    return table([dict(zip(head, row, strict=True)) for row in rows])
