"""Which occurrences stand nearest to one occurrence of a word?"""

from __future__ import annotations

import numpy as np

from .senses import unit


def nearest(vectors: np.ndarray, query: np.ndarray, k: int = 5) -> list[tuple]:
    """Return (row, cosine) of the k rows nearest to a query, the nearest first.

    Shape: (N, D) rows, (D,) query. A query that is one of the rows finds itself.
    """
    cosines = unit(vectors) @ unit(query[None])[0]  # (N,)
    best = np.argsort(-cosines, kind="stable")[:k]
    return [(int(i), float(cosines[i])) for i in best]
