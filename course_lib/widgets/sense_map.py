"""SenseMap: one word's sentences move from layer to layer, with a live sense score.

What is measured (scores, neighbours, ties) uses every dimension; only the picture is
two-dimensional, and it says how much of the variance it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import numpy as np
import traitlets

from course_lib.analysis.senses import majority, sense_accuracy
from course_lib.data.senses import sense_name
from course_lib.figures import OKABE_ITO, course_style, png, register_font

from . import kit, maps
from .kit import is_chinese, percent, split
from .maps import MARKS, wilson

SENSE_MAP = kit.words("sense_map")


class SenseMap(anywidget.AnyWidget):
    """The layer slider; `sense_map` and `sense_maps` make one."""

    _esm = kit.module("sense_map")
    _css = kit.style("sense_map")
    data = traitlets.Dict().tag(sync=True)  # words, labels, language: never changes
    shown = traitlets.List().tag(sync=True)  # which word each map shows
    layer = traitlets.Float(0.0).tag(sync=True)  # of all maps together
    selected = traitlets.List().tag(sync=True)  # which sentence of each word
    view = traitlets.Unicode("pca").tag(sync=True)  # or "axes", of all maps together
    opening = traitlets.Bool(False).tag(sync=True)  # play once, as soon as it is seen

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        words = [self.data["words"][i] for i in self.shown]
        picture = snapshot(words, self.data["language"])
        names = ("data", "shown", "layer", "selected", "view", "opening")
        state = {name: getattr(self, name) for name in names}
        alt = self.data["text"]["gap"].join(word["alt"] for word in words)
        page = kit.twin("sense_map", state, picture, alt)
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def sense_map(
    layers: np.ndarray,
    senses: Sequence[str],
    sentences: Sequence[Sequence[str]],
    target_indices: Sequence[int],
    word: str,
    language: str = "en",
) -> SenseMap:
    """Show one word's uses on a map with a layer slider.

    layers (L+1, N, D): the word's vector in each of N sentences, layer 0 first;
    senses (N): the gold sense of each; sentences (N): its tokens; target_indices (N):
    where among them the word stands; language: of the labels, "en" or "zh".
    """
    return build({word: (layers, senses, sentences, target_indices)}, language)


def sense_maps(
    layers: np.ndarray | Mapping[str, np.ndarray],
    sentences: Sequence[Any] | Mapping[str, Sequence[Any]],
    language: str = "en",
    words: Sequence[str] | None = None,
) -> SenseMap:
    """Show several words, with a button for each; two languages side by side.

    sentences (N): as `data.senses` gives them; layers (L+1, N, D): as
    `analysis.senses.target_vectors` makes them from these sentences. Both by language,
    {"en": …, "zh": …}: one slider moves a map of each, that of `language` first.
    words: those to choose from; all that the sentences have if none are named.
    """
    if not isinstance(layers, Mapping):
        layers, sentences = {language: layers}, {language: sentences}
    if layers.keys() != sentences.keys():
        raise ValueError(
            f"layers are of {sorted(layers)}, sentences of {sorted(sentences)}; both "
            "need the same languages"
        )
    uses = {}
    for name in sorted(layers, key=lambda name: name != language):
        uses |= uses_by_word(layers[name], sentences[name], words)
    for word in words or ():
        if word not in uses:
            raise ValueError(f"none of the sentences is marked as one of {word!r}")
    return build(uses, language, side_by_side=len(layers) > 1)


def uses_by_word(
    layers: np.ndarray, sentences: Sequence[Any], words: Sequence[str] | None
) -> dict[str, tuple]:
    """Sort one language's sentences by word, in the order of `words`."""
    if len(sentences) == 0 or np.shape(layers)[1:2] != (len(sentences),):
        raise ValueError(
            f"layers has shape {np.shape(layers)} for {len(sentences)} sentences; "
            "make it with target_vectors(encoder, sentences) from the same sentences"
        )
    uses = {}
    for word in words or dict.fromkeys(s.word for s in sentences):
        here = [i for i, s in enumerate(sentences) if s.word == word]
        own = [sentences[i] for i in here]
        senses, tokens = [s.sense for s in own], [s.tokens for s in own]
        if own:
            places = [s.target_index for s in own]
            uses[word] = (layers[:, here], senses, tokens, places)
    return uses


def build(
    uses: dict[str, tuple], language: str, side_by_side: bool = False
) -> SenseMap:
    """Make the widget of {word: (layers, senses, sentences, target_indices)}."""
    if language not in SENSE_MAP:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    words = [describe(word, *parts, language) for word, parts in uses.items()]
    depths = {len(word["frames"]) for word in words}
    if len(depths) > 1:
        raise ValueError(
            f"one slider cannot move models of {sorted(depths)} layers; give models "
            "with equally many"
        )
    tongues = [word["language"] for word in words]
    first = [tongues.index(name) for name in dict.fromkeys(tongues)]
    return SenseMap(
        data={"words": words, "text": SENSE_MAP[language], "language": language},
        shown=first if side_by_side else [0],
        layer=float(depths.pop() - 1),  # the top, where the story is
        selected=[word["example"] for word in words],
    )


def describe(
    word: str,
    layers: np.ndarray,
    senses: Sequence[str],
    sentences: Sequence[Sequence[str]],
    target_indices: Sequence[int],
    language: str,
) -> dict[str, Any]:
    """Measure all that the map of one word shows, ready to be written as JSON."""
    layers = np.asarray(layers, dtype=np.float64)  # (L+1, N, D)
    check(word, layers, senses, sentences, target_indices)
    senses = [sense_name(word, sense, language) for sense in senses]
    names = list(dict.fromkeys(senses))  # in order of appearance
    frames, share = maps.aligned_frames(layers)
    axes = maps.sense_axes(layers, np.array([names.index(sense) for sense in senses]))
    cosines = maps.cosine_tables(layers)  # (L+1, N, N)
    near = [maps.nearest(table) for table in cosines]
    shown = {
        "word": word,
        "language": "zh" if is_chinese(word) else "en",
        "senses": names,
        "sense": [names.index(sense) for sense in senses],
        "sentences": list(map(split, sentences, target_indices)),
        "dimension": layers.shape[2],
        "frames": frames.round(3).tolist(),
        "share": round(share, 4),
        "axes": {
            "frames": axes.frames.round(3).tolist(),
            "anchors": axes.anchors.round(3).tolist(),
            "exact": axes.exact,
        },
        "neighbours": [named for named, _ in near],
        "ties": [ties for _, ties in near],
        "piles": [maps.piles(table) for table in cosines],
        "scores": [score(layer, senses) for layer in layers],
        "majority": majority(senses),
    }
    shown["alt"] = alt_text(shown, SENSE_MAP[language])
    return shown | guide(shown, cosines, SENSE_MAP[language])


def check(
    word: str,
    layers: np.ndarray,
    senses: Sequence[str],
    sentences: Sequence[Sequence[str]],
    target_indices: Sequence[int],
) -> None:
    """Refuse uses that do not fit together, and say what does not."""
    if layers.ndim != 3 or layers.shape[0] < 2:
        raise ValueError(
            f"layers of {word!r} has shape {layers.shape}; it needs (layers, "
            "sentences, dimensions) with two layers at least"
        )
    if not np.isfinite(layers).all():
        raise ValueError(f"layers of {word!r} holds values that are not finite")
    count = layers.shape[1]
    given = {"senses": senses, "sentences": sentences, "target_indices": target_indices}
    for name, values in given.items():
        if len(values) != count:
            raise ValueError(f"{word!r}: {count} vectors a layer, {len(values)} {name}")
    kinds = len(set(senses))
    if not 2 <= kinds <= len(MARKS):
        raise ValueError(
            f"{word!r} has {kinds} senses; the map tells 2 to {len(MARKS)} apart"
        )
    for row, (tokens, index) in enumerate(zip(sentences, target_indices, strict=True)):
        if isinstance(tokens, str) or not 0 <= index < len(tokens):
            raise ValueError(
                f"sentence {row} of {word!r} needs a list of tokens and a target index "
                f"within it; it has {tokens!r} and {index}"
            )


def score(vectors: np.ndarray, senses: Sequence[str]) -> dict[str, float]:
    """Measure how well (N, D) vectors tell the senses, with a 95 % interval."""
    accuracy = sense_accuracy(vectors, list(senses))
    low, high = wilson(accuracy["nearest_neighbour"], len(senses))
    values = {
        "nearest": accuracy["nearest_neighbour"],
        "centroid": accuracy["nearest_centroid"],
        "low": low,
        "high": high,
    }
    return {name: round(float(value), 4) for name, value in values.items()}


def guide(
    shown: dict[str, Any], cosines: np.ndarray, text: dict[str, str]
) -> dict[str, Any]:
    """Choose the first example and, for each layer that reads the sentence, three
    things to try, from what was measured.
    """
    scores = [values["nearest"] for values in shown["scores"]]
    best = 1 + int(np.argmax(scores[1:]))
    stops = [stops_at(layer, shown, cosines, text) for layer in range(1, len(scores))]
    return {"example": stops[best - 1][0]["selected"], "tours": stops}


def stops_at(
    layer: int, shown: dict[str, Any], cosines: np.ndarray, text: dict[str, str]
) -> list[dict[str, Any]]:
    """Choose three things to try with this layer as the goal."""
    scores = [values["nearest"] for values in shown["scores"]]
    margins, other = maps.sense_margins(cosines[layer], np.array(shown["sense"]))
    easy, hard = int(np.argmax(margins)), int(np.argmin(margins))
    count = len(shown["sense"])
    spots = count - sum(len(pile) - 1 for pile in shown["piles"][0])
    first = "no_context_tied" if spots < count else "no_context_free"
    third = "wrong" if margins[hard] < 0 else "close"
    values = {
        "n": count,
        "spots": spots,
        "best": layer,
        "before": percent(scores[0]),
        "after": percent(scores[layer]),
        "majority": percent(shown["majority"]),
        "sense": shown["senses"][shown["sense"][hard]],
        "other": shown["senses"][shown["sense"][other[hard]]],
    }

    def tour(label: str, say: str, to: int, selected: int) -> dict[str, Any]:
        words = {"label": text[label], "say": text[say].format(**values)}
        return words | {"layer": to, "selected": selected}

    return [
        tour("no_context", first, 0, easy),
        tour("context", "context_say", layer, easy),
        tour(third, f"{third}_say", layer, hard),
    ]


def alt_text(shown: dict[str, Any], text: dict[str, str]) -> str:
    """Say in words what the snapshot shows."""
    scores = text["list"].join(
        text["alt_score"].format(layer=layer, nearest=percent(values["nearest"]))
        for layer, values in enumerate(shown["scores"])
    )
    return text["alt"].format(
        word=shown["word"],
        n=len(shown["sense"]),
        senses=len(shown["senses"]),
        scores=scores,
        majority=percent(shown["majority"]),
    )


def snapshot(words: Sequence[dict[str, Any]], language: str) -> bytes:
    """Draw each word's first, middle and last layer side by side (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    text, last = SENSE_MAP[language], len(words[0]["frames"]) - 1
    panels = sorted({0, (last + 1) // 2, last})
    style = course_style(language) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 3.3 * len(words)))
        rows = np.atleast_1d(figure.subfigures(len(words)))
        for row, shown in zip(rows, words, strict=True):
            title = text["title"].format(word=shown["word"], n=len(shown["sense"]))
            row.suptitle(title)
            for axes, layer in zip(row.subplots(1, len(panels)), panels, strict=True):
                draw_panel(axes, shown, layer)
                nearest = percent(shown["scores"][layer]["nearest"])
                title = text["panel"].format(layer=layer, nearest=nearest)
                axes.set_title(title, size=9)
            handles, names = axes.get_legend_handles_labels()
            row.legend(handles, names, loc="outside lower center", ncols=3)
        return png(figure)


def draw_panel(axes: Any, shown: dict[str, Any], layer: int) -> None:
    """Draw one layer's points, on the scale that all layers share."""
    points, sense = np.array(shown["frames"][layer]), np.array(shown["sense"])
    for kind, name in enumerate(shown["senses"]):
        own = points[sense == kind]  # (its sentences, 2)
        style = {"marker": MARKS[kind], "color": OKABE_ITO[kind], "edgecolor": "white"}
        axes.scatter(*own.T, s=34, linewidth=0.5, label=name, **style)
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "grey"}
    for pile in shown["piles"][layer]:
        axes.text(*points[pile[0]], f"×{len(pile)}", ha="center", va="center", bbox=box)
    axes.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), xticks=[], yticks=[], aspect="equal")
    axes.spines[:].set(visible=True, color="lightgrey")
