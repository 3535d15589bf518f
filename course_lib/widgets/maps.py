"""What the maps share: one projection for all frames, and neighbours with ties.

A map has several frames, such as the layers 0 to L of a model or the snapshots of a
training run: (L+1, N, D) are the vectors of N points in each.
"""

from __future__ import annotations

import base64
import math
from typing import NamedTuple

import numpy as np

from course_lib.analysis.senses import TIE, unit

NEIGHBOURS = 3
MARKS = "os^DvP"  # matplotlib's names for the shapes of kit.js


class Plane(NamedTuple):
    """One projection for all layers of some points; others can be laid onto it.

    Each layer is scaled to a mean norm of one, since norms grow with depth, and centred
    on its own mean: else the two axes show how far the layers lie apart, not how the
    sentences of a layer do.
    """

    norms: np.ndarray  # (L+1)
    centres: np.ndarray  # (L+1, D), after scaling
    axes: np.ndarray  # (2, D)
    reach: float  # of the points that it was fitted to
    share: float  # of variance shown

    def centred(self, layers: np.ndarray) -> np.ndarray:
        """Scale and centre each layer. Shape: (L+1, M, D), kept."""
        return layers / self.norms[:, None, None] - self.centres[:, None]

    def place(self, layers: np.ndarray) -> np.ndarray:
        """Lay points onto the plane. Shape: (L+1, M, D) to (L+1, M, 2)."""
        return self.centred(layers) @ self.axes.T / self.reach


def plane(layers: np.ndarray) -> Plane:
    """Fit one PCA to all layers together. Shape: (L+1, N, D)."""
    norms = np.linalg.norm(layers, axis=2).mean(axis=1)  # (L+1)
    norms = np.maximum(norms, 1e-12)
    centres = layers.mean(axis=1) / norms[:, None]  # (L+1, D)
    fitted = Plane(norms, centres, np.zeros((2, layers.shape[2])), 1.0, 1.0)
    centred = fitted.centred(layers)  # (L+1, N, D)
    axes, share = principal_axes(centred.reshape(-1, layers.shape[2]))
    reach = max(np.abs(centred @ axes.T).max(), 1e-12)
    return fitted._replace(axes=axes, reach=reach, share=share)


def aligned_frames(layers: np.ndarray) -> tuple[np.ndarray, float]:
    """Project all layers by one plane; return frames and the share of variance shown.

    (L+1, N, D) -> (L+1, N, 2) within [-1, 1].
    """
    fitted = plane(layers)
    return fitted.place(layers), fitted.share


def principal_axes(centred: np.ndarray) -> tuple[np.ndarray, float]:
    """Find the two directions of most variance, and their share of it.

    (N, D) with mean zero -> (2, D).
    """
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    largest = np.abs(axes[:2]).argmax(axis=1)  # (2): makes the signs of axes definite
    axes = axes[:2] * np.sign(axes[[0, 1], largest])[:, None]  # (2, D)
    total = np.square(sizes).sum()
    share = np.square(sizes[:2]).sum() / total if total > 0 else 1.0
    return axes, float(share)


class SenseAxes(NamedTuple):
    """A picture that agrees with the score: a point lies where it is named."""

    frames: np.ndarray  # (L+1, N, 2) within [-1, 1]
    anchors: np.ndarray  # (S, 2): the direction of each sense from the middle
    exact: bool  # two or three senses: the anchor nearest to a point names its sense


def sense_axes(layers: np.ndarray, sense: np.ndarray) -> SenseAxes:
    """Lay sentences out by their cosines with each sense's mean, leave-one-out.

    (L+1, N, D), (N). Only differences of a sentence's cosines count. Two senses: across
    stands their difference, upwards what varies most beside it. Three: differences of
    three numbers are a plane, with an anchor every 120 degrees. More do not fit into a
    plane: its two directions of most variance.
    """
    cosines = np.stack([left_out_cosines(layer, sense) for layer in layers])
    ahead = cosines - cosines.mean(axis=2, keepdims=True)  # (L+1, N, S)
    S = ahead.shape[2]
    if S == 2:
        anchors = np.array([[-1.0, 0.0], [1.0, 0.0]])
        beside = np.stack([beside_axis(layer, sense) for layer in layers])  # (L+1, N)
        frames = np.stack([(ahead @ anchors)[..., 0], beside], axis=2)  # (L+1, N, 2)
        reach = np.abs(frames).max(axis=(0, 1))  # (2)
    else:
        angles = np.pi * (0.5 - 2 * np.arange(S) / S)  # clockwise, the first one on top
        anchors = np.stack([np.cos(angles), np.sin(angles)], axis=1)  # (S, 2)
        if S > 3:
            anchors = principal_axes(ahead.reshape(-1, S))[0].T
        frames = ahead @ anchors
        reach = np.abs(frames).max()
    return SenseAxes(frames / np.maximum(reach, 1e-12), anchors, S < 4)


def left_out_cosines(vectors: np.ndarray, sense: np.ndarray) -> np.ndarray:
    """Compare each vector with each sense's mean, without itself. (N, D) to (N, S)."""
    x, member = unit(vectors), np.eye(sense.max() + 1)[sense]  # (N, D), (N, S)
    sums = (member.T @ x)[None] - member[:, :, None] * x[:, None]  # (N, S, D)
    found = np.einsum("nd,nsd->ns", x, sums)
    lengths = np.linalg.norm(sums, axis=2)
    found = found / np.maximum(lengths, TIE)
    found[np.ptp(found, axis=1) < TIE] = 0  # all alike: no sense is ahead
    return found


def beside_axis(vectors: np.ndarray, sense: np.ndarray) -> np.ndarray:
    """Return what varies most beside the axis between two senses. (N, D) to (N)."""
    x = unit(vectors)
    axis = x[sense == 1].mean(axis=0) - x[sense == 0].mean(axis=0)  # (D)
    axis = axis / max(np.linalg.norm(axis), 1e-12)
    rest = x - x.mean(axis=0)
    rest = rest - np.outer(rest @ axis, axis)  # (N, D)
    return rest @ principal_axes(rest)[0][0]


def cosine_tables(layers: np.ndarray) -> np.ndarray:
    """Compare all occurrences with each other, layer by layer: (L+1, N, N)."""
    directions = np.stack([unit(layer) for layer in layers])  # (L+1, N, D)
    return directions @ directions.transpose(0, 2, 1)


def nearest(
    cosines: np.ndarray, count: int = NEIGHBOURS
) -> tuple[list[list], list[int]]:
    """List each point's nearest others, and how many tie for the last places.

    cosines (M, N) of the first M of N points with all of them -> for each of the M
    [[index, cosine], …], `count` or fewer, and the number that are equally near and so
    not named (at ELMo's layer 0: all others).
    """
    named, ties = [], []
    for own, row in enumerate(cosines):
        order = np.argsort(-row, kind="stable")
        order = order[order != own]
        first, rest = order[:count], order[count:]
        tied = np.zeros(len(row), dtype=bool)  # (N)
        if len(rest) and row[first[-1]] - row[rest[0]] < TIE:
            tied = np.abs(row - row[first[-1]]) < TIE
            tied[own] = False
        kept = [int(i) for i in first if not tied[i]]
        named.append([[i, round(float(row[i]), 3)] for i in kept])
        ties.append(int(tied.sum()))
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


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of `count` trials (Wilson, 1927).

    A guide, not a test: sentences that serve as each other's neighbours are not
    independent trials.
    """
    z = 1.96
    weight = 1 + z**2 / count
    middle = (share + z**2 / (2 * count)) / weight
    half = z / weight * math.sqrt(share * (1 - share) / count + (z / count) ** 2 / 4)
    return middle - half, middle + half


def pack(values: np.ndarray, scale: int = 1000) -> str:
    """Write `values` as base64 of 16-bit numbers, for `unpack` of map.js.

    Each is kept to one part in `scale`. JSON needs three times the room, which the
    tables of a training run do not have.
    """
    whole = np.rint(scale * np.asarray(values))
    if np.abs(whole).max(initial=0) > np.iinfo(np.int16).max:
        raise ValueError(f"values reach {np.abs(values).max()}: too much for 16 bits")
    return base64.b64encode(whole.astype("<i2").tobytes()).decode()


def unpack(text: str, scale: int = 1000) -> np.ndarray:
    """Read what `pack` wrote, as one row of numbers."""
    return np.frombuffer(base64.b64decode(text), dtype="<i2") / scale
