"""What maps of contextual vectors share: one projection, and neighbours with ties.

Both take (L+1, N, D): the vectors of N occurrences at layers 0 to L.
"""

from __future__ import annotations

import numpy as np

from course_lib.analysis.senses import TIE, unit

NEIGHBOURS = 3


def aligned_frames(layers: np.ndarray) -> tuple[np.ndarray, float]:
    """Project all layers by one PCA; return frames and the share of variance shown.

    (L+1, N, D) -> (L+1, N, 2) within [-1, 1]. Each layer is scaled to a mean norm of
    one, since norms grow with depth, and centred on its own mean: else the two axes
    show how far the layers lie apart, not how the sentences of a layer do.
    """
    norms = np.linalg.norm(layers, axis=2).mean(axis=1)  # (L+1)
    scaled = layers / np.maximum(norms, 1e-12)[:, None, None]
    centred = scaled - scaled.mean(axis=1, keepdims=True)  # (L+1, N, D)
    pooled = centred.reshape(-1, layers.shape[2])  # ((L+1)·N, D)
    _, sizes, axes = np.linalg.svd(pooled, full_matrices=False)
    largest = np.abs(axes[:2]).argmax(axis=1)  # (2): makes the signs of axes definite
    axes = axes[:2] * np.sign(axes[[0, 1], largest])[:, None]  # (2, D)
    frames = centred @ axes.T  # (L+1, N, 2)
    total = np.square(sizes).sum()
    share = np.square(sizes[:2]).sum() / total if total > 0 else 1.0
    return frames / max(np.abs(frames).max(), 1e-12), float(share)


def cosine_tables(layers: np.ndarray) -> np.ndarray:
    """Compare all occurrences with each other, layer by layer: (L+1, N, N)."""
    directions = np.stack([unit(layer) for layer in layers])  # (L+1, N, D)
    return directions @ directions.transpose(0, 2, 1)


def nearest(cosines: np.ndarray) -> tuple[list[list], list[int]]:
    """List each occurrence's nearest others, and how many tie for the last places.

    cosines (N, N) -> for each occurrence [[index, cosine], …], three or fewer, and the
    number that are equally near and so not named (at ELMo's layer 0: all others).
    """
    named, ties = [], []
    for own, row in enumerate(cosines):
        order = [int(i) for i in np.argsort(-row, kind="stable") if i != own]
        first, rest = order[:NEIGHBOURS], order[NEIGHBOURS:]
        tied = []
        if rest and row[first[-1]] - row[rest[0]] < TIE:
            tied = [i for i in order if abs(row[i] - row[first[-1]]) < TIE]
        named.append([[i, round(float(row[i]), 3)] for i in first if i not in tied])
        ties.append(len(tied))
    return named, ties


def piles(cosines: np.ndarray) -> list[list[int]]:
    """Find occurrences with equal vectors: lists of two indices or more."""
    first = np.argmax(cosines > 1 - TIE, axis=1)  # (N): the first one equal to it
    groups = [np.flatnonzero(first == i).tolist() for i in np.unique(first)]
    return [group for group in groups if len(group) > 1]


def sense_margins(
    cosines: np.ndarray, sense: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compare each one's nearest of its own sense with its nearest of another.

    cosines (N, N), sense (N) -> margins (N), below zero where the nearest neighbour
    has another sense, and the nearest occurrence of another sense (N).
    """
    same = sense[:, None] == sense  # (N, N)
    others = np.where(same, -np.inf, cosines)
    own = np.where(same & ~np.eye(len(sense), dtype=bool), cosines, -np.inf)
    best = own.max(axis=1)  # (N): -inf for the only occurrence of a sense
    margins = np.where(np.isfinite(best), best - others.max(axis=1), 0.0)
    return margins, others.argmax(axis=1)
