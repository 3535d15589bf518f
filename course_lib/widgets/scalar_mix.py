"""ScalarMixView: weigh the layers of a biLM, and see what a task makes of the mix.

The task is the sense set of the course: name the sense whose mean vector is nearest,
each occurrence left out of its own mean, in full dimension. It is scored beforehand on
a grid of weights; the page shows the measured mix that is nearest to the reader's.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import anywidget
import numpy as np
import traitlets

from course_lib.analysis.senses import centroid_hits, majority
from course_lib.data.senses import sense_name
from course_lib.figures import OKABE_ITO, course_style, png, register_font

from . import kit, maps
from .kit import percent

SCALAR_MIX = kit.words("scalar_mix")
STEPS = 9  # of the grid: weights are multiples of 1 / STEPS, also 1 / LAYERS
LAYERS = 3  # the corners of the triangle
OFFERED = 4  # words, unless the lesson names some
TOURS = ("taglm", "equal", "gamma")  # things to try


class ScalarMixView(anywidget.AnyWidget):
    """Sliders for s and gamma over a triangle of scores; `scalar_mix` makes one."""

    _esm = kit.module("scalar_mix")
    _css = kit.style("scalar_mix")
    data = traitlets.Dict().tag(sync=True)  # words, scores, labels: never changes
    word = traitlets.Int(0).tag(sync=True)  # the other four: what the reader changes
    s = traitlets.List([0.0] * LAYERS).tag(sync=True)  # before the softmax
    gamma = traitlets.Float(1.0).tag(sync=True)
    every = traitlets.Bool(True).tag(sync=True)  # score of all words, or of this one?

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {n: getattr(self, n) for n in ("data", "word", "s", "gamma", "every")}
        page = kit.twin("scalar_mix", state, snapshot(self.data), self.data["alt"])
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def scalar_mix(
    layers: np.ndarray,
    sentences: Sequence[Any],
    language: str = "en",
    words: Sequence[str] | None = None,
    learned: Sequence[float] | None = None,
) -> ScalarMixView:
    """Mix the three layers of a biLM by hand, with the sense score of each mix.

    layers (3, N, D): as `analysis.senses.target_vectors` makes them from sentences (N);
    words: those that the map offers, else the first four; the score is averaged over
    all words that the sentences have; learned: weights after the softmax that a task
    has learned, marked by a star; language: of the labels, "en" or "zh".
    """
    layers = np.asarray(layers, dtype=np.float64)
    check(layers, sentences, language, learned)
    known = dict.fromkeys(s.word for s in sentences)
    rows = {w: [i for i, s in enumerate(sentences) if s.word == w] for w in known}
    senses = {word: [sentences[i].sense for i in here] for word, here in rows.items()}
    scores = {word: mixed_scores(layers[:, rows[word]], senses[word]) for word in rows}
    offered = {word: [sentences[i] for i in rows[word]] for word in chosen(words, rows)}
    data = {
        "words": [
            describe(word, layers[:, rows[word]], own, language, scores[word])
            for word, own in offered.items()
        ],
        "grid": np.rint(STEPS * simplex()).astype(int).tolist(),  # (G, 3)
        "steps": STEPS,
        "scores": rounded(np.mean(list(scores.values()), axis=0)),
        "majority": float(np.mean([majority(names) for names in senses.values()])),
        "count": len(rows),
        "n": len(sentences),
        "dimension": layers.shape[2],
        "lengths": np.linalg.norm(layers, axis=2).mean(axis=1).round(2).tolist(),
        "learned": [float(w) for w in learned] if learned is not None else None,
        "text": SCALAR_MIX[language],
        "language": language,
    }
    return ScalarMixView(data=data | guide(data))


def chosen(words: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """Return the words that the map offers: those named, else the first few."""
    for word in words or ():
        if word not in known:
            raise ValueError(f"none of the sentences is marked as one of {word!r}")
    return list(words or known)[: None if words else OFFERED]


def check(
    layers: np.ndarray,
    sentences: Sequence[Any],
    language: str,
    learned: Sequence[float] | None,
) -> None:
    """Refuse what does not fit together, and say what does not."""
    if language not in SCALAR_MIX:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    if layers.ndim != 3 or layers.shape[:2] != (LAYERS, len(sentences)):
        raise ValueError(
            f"layers has shape {layers.shape} for {len(sentences)} sentences; the "
            f"triangle needs ({LAYERS}, {len(sentences)}, dimensions), as "
            "target_vectors(encoder, sentences) makes it"
        )
    if not np.isfinite(layers).all():
        raise ValueError("layers holds values that are not finite")
    weights = np.asarray([1 / LAYERS] * LAYERS if learned is None else learned)
    if (
        weights.shape != (LAYERS,)
        or (weights < 0).any()
        or abs(weights.sum() - 1) > 0.01
    ):
        raise ValueError(
            f"learned is {weights.tolist()}; give {LAYERS} weights after the softmax, "
            "which sum to 1"
        )
    kinds = {(s.word, s.sense) for s in sentences}
    for word in {s.word for s in sentences}:
        count = sum(word == other for other, _ in kinds)
        if not 2 <= count <= len(maps.MARKS):
            raise ValueError(
                f"{word!r} has {count} senses; the map tells 2 to {len(maps.MARKS)} "
                "apart"
            )


def simplex() -> np.ndarray:
    """List all weights in steps of a ninth that sum to 1. Shape: (G, 3)."""
    numbers = itertools.product(range(STEPS + 1), repeat=LAYERS)
    return np.array([k for k in numbers if sum(k) == STEPS]) / STEPS


def mixed_scores(layers: np.ndarray, senses: Sequence[str]) -> np.ndarray:
    """Score every mix of the grid. Shape: (3, N, D) and N senses to (G,)."""
    mixes = np.tensordot(simplex(), layers, axes=1)  # (G, N, D)
    return np.array([centroid_hits(mix, senses).mean() for mix in mixes])


def rounded(scores: np.ndarray) -> list[float]:
    """Write scores with four digits."""
    return [round(float(score), 4) for score in scores]


def describe(
    word: str, layers: np.ndarray, own: Sequence[Any], language: str, scores: np.ndarray
) -> dict[str, Any]:
    """Place one word's sentences, layer by layer, so that places mix as vectors do.

    (3, N, D) to frames (3, N, 2). One linear map for all layers, without the scaling
    that other maps have: the place of the mix is the mix of the places.
    """
    centred = layers - layers.mean(axis=1, keepdims=True)  # (3, N, D)
    axes, share = maps.principal_axes(centred.reshape(-1, layers.shape[2]))
    frames = centred @ axes.T  # (3, N, 2)
    names = list(dict.fromkeys(s.sense for s in own))
    return {
        "word": word,
        "language": "zh" if kit.is_chinese(word) else "en",
        "senses": [sense_name(word, name, language) for name in names],
        "sense": [names.index(s.sense) for s in own],
        "sentences": [kit.split(s.tokens, s.target_index) for s in own],
        "frames": (frames / max(np.abs(frames).max(), 1e-12)).round(3).tolist(),
        "share": round(share, 4),
        "majority": majority([s.sense for s in own]),
        "scores": rounded(scores),
    }


def guide(data: dict[str, Any]) -> dict[str, Any]:
    """Name the mixes worth a row, three things to try, and the picture's words."""
    text, grid, scores = data["text"], np.array(data["grid"]), np.array(data["scores"])
    best = int(scores.argmax())
    corners = [
        int(np.flatnonzero(grid[:, layer] == STEPS)[0]) for layer in range(LAYERS)
    ]
    middle = int(nearest(grid / STEPS, [1 / LAYERS] * LAYERS))
    alone = [scores[corner] for corner in corners]
    top = int(np.argmax(alone))
    values = {
        "best": "/".join(f"{k / STEPS:.2f}" for k in grid[best]),
        "best_score": percent(scores[best]),
        "equal": percent(scores[middle]),
        "last": LAYERS - 1,
        "last_score": percent(alone[-1]),
        "top": top,
        "top_score": percent(alone[top]),
        "count": data["count"],
        "majority": percent(data["majority"]),
        "mixes": len(grid),
        "alone": text["list"].join(
            text["alone"].format(layer=layer, score=percent(score))
            for layer, score in enumerate(alone)
        ),
    }
    tours = [
        {"label": text[name], "say": text[f"{name}_say"].format(**values)}
        for name in TOURS
    ]
    alt = text["alt"].format(**values)
    return {
        "best": best,
        "corners": corners,
        "middle": middle,
        "tours": tours,
        "alt": alt,
    }


def nearest(grid: np.ndarray, weights: Sequence[float]) -> int:
    """Find the mix of the grid (G, 3) that is nearest to these weights (3)."""
    return int(np.square(grid - np.asarray(weights)).sum(axis=1).argmin())


def corner_places() -> np.ndarray:
    """Return where the layers stand in the picture of the triangle. Shape: (3, 2)."""
    return np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])


def snapshot(data: dict[str, Any]) -> bytes:
    """Draw the triangle of scores, and those of single layers and mixes (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 3.4))
        left, right = figure.subplots(1, 2)
        draw_triangle(left, figure, data)
        draw_rows(right, data)
        return png(figure)


def draw_triangle(axes: Any, figure: Any, data: dict[str, Any]) -> None:
    """Draw every mix of the grid, coloured by its score."""
    text, grid = data["text"], np.array(data["grid"]) / STEPS  # (G, 3)
    places = grid @ corner_places()  # (G, 2)
    # Layer 0 alone knows no context: it would take the whole scale for itself.
    low = min(s for i, s in enumerate(data["scores"]) if i != data["corners"][0])
    look = {"cmap": "cividis", "vmin": low, "s": 60}
    points = axes.scatter(*places.T, c=data["scores"], **look)
    axes.scatter(*places[data["best"]], s=160, facecolor="none", edgecolor="black")
    if data["learned"]:
        place = np.array(data["learned"]) @ corner_places()
        axes.scatter(*place, marker="*", s=160, color="black", edgecolor="white")
    for layer, (x, y) in enumerate(corner_places()):
        name = text["corner"].format(layer=layer)
        below = {"va": "bottom" if y else "top", "ha": "center"}
        axes.text(x, y + (0.06 if y else -0.06), name, **below)
    axes.set(xlim=(-0.2, 1.2), ylim=(-0.2, 1.05), xticks=[], yticks=[], aspect="equal")
    axes.spines[:].set_visible(False)
    axes.set_title(text["title"].format(count=data["count"]), size=9)
    ends = [low, max(data["scores"])]
    bar = figure.colorbar(points, ax=axes, shrink=0.7, extend="min", ticks=ends)
    bar.ax.set_yticklabels([percent(score) for score in ends])


def draw_rows(axes: Any, data: dict[str, Any]) -> None:
    """Draw the scores of single layers, the equal and the best mix."""
    text, scores = data["text"], data["scores"]
    names = [text["only"].format(layer=layer) for layer in range(LAYERS)]
    names += [text["all_equal"], text["best"]]
    values = [scores[i] for i in (*data["corners"], data["middle"], data["best"])]
    axes.barh(range(len(values)), values, color=OKABE_ITO[0])
    for row, value in enumerate(values):
        axes.text(value + 0.02, row, percent(value), va="center")
    axes.axvline(data["majority"], color="black", linestyle="--")
    axes.set_yticks(range(len(values)), names)
    axes.set(xlim=(0, 1.1), ylim=(len(values) - 0.5, -0.5), xticks=[])
    axes.set_xlabel(text["bars"].format(majority=percent(data["majority"])))
    axes.tick_params(length=0)
