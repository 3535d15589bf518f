"""OneVector: the sentences of a word, and the one static vector that they all share.

A point is the mean of the static vectors of the sentence's other words, so that what
it shows is the context. All numbers are measured in full dimension.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from course_lib.analysis.senses import context_average, majority, sense_accuracy, unit
from course_lib.data.senses import sense_name
from course_lib.figures import OKABE_ITO, course_style, png, register_font

from . import kit, maps
from .kit import percent, split

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

ONE_VECTOR = kit.words("one_vector")
NEAREST = 10  # words near the star that the table lists
WORDS = ("bank", "play", "苹果", "打")


class OneVector(anywidget.AnyWidget):
    """A map for each language, side by side; `one_vector` makes one."""

    _esm = kit.module("one_vector")
    _css = kit.style("one_vector")
    data = traitlets.Dict().tag(sync=True)  # words, labels, languages: never changes
    shown = traitlets.List().tag(sync=True)  # which word each map shows
    selected = traitlets.List().tag(sync=True)  # which sentence of each word
    senses = traitlets.Bool(True).tag(sync=True)  # are they shown?
    pull = traitlets.Float(0.0).tag(sync=True)  # 0: at the contexts; 1: on the star

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        names = ("data", "shown", "selected", "senses", "pull")
        state = {name: getattr(self, name) for name in names}
        words = [self.data["words"][i] for i in self.shown]
        alt = self.data["text"]["gap"].join(word["alt"] for word in words)
        picture = snapshot(words, self.data["language"])
        page = kit.twin("one_vector", state, picture, alt)
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def one_vector(
    vectors: Mapping[str, KeyedVectors],
    sentences: Sequence[Any],
    language: str = "en",
    words: Sequence[str] = WORDS,
) -> OneVector:
    """Show that all sentences of a word share one static vector.

    vectors: gensim's, by language ("en", "zh"); sentences: as `data.senses` gives
    them, of these languages; words: those to choose from, the first of each language
    shown first; language: of the labels, whose own map comes first.
    """
    if language not in ONE_VECTOR:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    described = [
        describe(word, vectors[name], sentences, language)
        for name in sorted(vectors, key=lambda name: name != language)
        for word in words
        if tongue(word) == name
    ]
    if not described:
        raise ValueError(
            f"none of the words {', '.join(words)} is of a language that `vectors` "
            f"has: {', '.join(vectors) or 'none'}"
        )
    tongues = [word["language"] for word in described]
    return OneVector(
        data={"words": described, "text": ONE_VECTOR[language], "language": language},
        shown=[tongues.index(name) for name in dict.fromkeys(tongues)],
        selected=[word["example"] for word in described],
    )


def tongue(word: str) -> str:
    """Say which language a word is of: "zh" if it holds a Chinese character."""
    return "zh" if kit.is_chinese(word) else "en"


def describe(
    word: str, vectors: KeyedVectors, sentences: Sequence[Any], language: str
) -> dict[str, Any]:
    """Measure all that the map of one word shows, ready to be written as JSON."""
    own = [s for s in sentences if s.word == word]  # N of them
    senses = [sense_name(word, s.sense, language) for s in own]
    check(word, vectors, senses)
    contexts = context_average(vectors, own, vectors.vector_size)  # (N, D)
    names = list(dict.fromkeys(senses))  # in order of appearance
    kinds = np.array([names.index(sense) for sense in senses])  # (N)
    means = np.stack(
        [contexts[kinds == kind].mean(axis=0) for kind in range(len(names))]
    )
    points, star, share = places(contexts, vectors[word])
    shown = {
        "word": word,
        "language": tongue(word),
        "senses": names,
        "sense": kinds.tolist(),
        "sentences": [split(s.tokens, s.target_index) for s in own],
        "dimension": vectors.vector_size,
        "points": points.round(3).tolist(),
        "star": star.round(3).tolist(),
        "share": round(share, 4),
        "neighbours": neighbours(word, vectors, means),
        "values": scores(word, contexts, senses),
    }
    shown |= guide(shown, contexts, means, ONE_VECTOR[language])
    return shown


def check(word: str, vectors: KeyedVectors, senses: Sequence[str]) -> None:
    """Refuse a word that the map cannot show, and say why."""
    if word not in vectors:
        raise ValueError(f"{word!r} has no vector of its own; choose another word")
    kinds = len(set(senses))
    if not 2 <= kinds <= len(maps.MARKS):
        raise ValueError(
            f"{word!r} has {len(senses)} sentences of {kinds} senses; the map tells "
            f"2 to {len(maps.MARKS)} senses apart"
        )


def places(
    contexts: np.ndarray, star: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Place the contexts by PCA and lay the star onto the same plane.

    (N, D) and (D,) -> (N, 2) and (2,) within [-1, 1], and the contexts' share of
    variance. The star has no part in the fit: far from all contexts, it would take
    one of the two axes for itself.
    """
    directions = unit(contexts)  # (N, D)
    centre = directions.mean(axis=0)  # (D,)
    axes, share = maps.principal_axes(directions - centre)
    points = (directions - centre) @ axes.T  # (N, 2)
    place = (unit(star[None])[0] - centre) @ axes.T  # (2,)
    reach = max(np.abs(points).max(), np.abs(place).max(), 1e-12)
    return points / reach, place / reach, share


def neighbours(
    word: str, vectors: KeyedVectors, means: np.ndarray
) -> list[dict[str, Any]]:
    """List the star's nearest words, each with the sense that it is closest to.

    means (S, D): the mean context of each sense; closest is the highest cosine.
    """
    found = []
    for name, cosine in vectors.most_similar(word, topn=NEAREST):
        to_sense = unit(means) @ unit(vectors[name][None])[0]  # (S,)
        second, best = np.sort(to_sense)[-2:]
        lead = {"sense": int(to_sense.argmax()), "lead": round(float(best - second), 3)}
        found.append({"word": name, "cosine": round(float(cosine), 3)} | lead)
    return found


def scores(word: str, contexts: np.ndarray, senses: Sequence[str]) -> dict[str, Any]:
    """Measure what the star can know of the senses, and what the contexts know."""
    commonest, most = Counter(senses).most_common(1)[0]
    centroid = sense_accuracy(contexts, senses)["nearest_centroid"]
    low, high = maps.wilson(centroid, len(senses))
    shares = {"centroid": centroid, "low": low, "high": high}
    shares["majority"] = majority(senses)  # all that equal vectors allow
    counts = {"n": len(senses), "most": most, "senses": len(set(senses))}
    said = {name: percent(share) for name, share in shares.items()}
    return said | counts | {"word": word, "commonest": commonest}


def guide(
    shown: dict[str, Any], contexts: np.ndarray, means: np.ndarray, text: dict[str, str]
) -> dict[str, Any]:
    """Choose the first sentence, three things to try, and the words for the picture."""
    names, kinds = shown["senses"], shown["sense"]
    near = Counter(word["sense"] for word in shown["neighbours"])
    order = sorted(range(len(names)), key=lambda kind: -near[kind])
    leader, least = order[0], order[-1]
    cosines = unit(contexts) @ unit(means).T  # (N, S)

    def tallied(counts: Counter) -> str:
        both = ({"sense": names[kind], "count": counts[kind]} for kind in order)
        return text["list"].join(text["count"].format(**one) for one in both)

    values = shown["values"] | {
        "k": len(shown["neighbours"]),
        "dimension": shown["dimension"],
        "leader": names[leader],
        "least": names[least],
        "top": near[leader],
        "bottom": near[least],
        "tally": tallied(near),
        "tallied": tallied(Counter(kinds)),
        "near": text["list"].join(word["word"] for word in shown["neighbours"][:5]),
    }
    agree = 2 * near[leader] > len(shown["neighbours"])
    second = "lost" if agree else "even"
    tours = ("one_star", second, "blind")
    return {
        "example": clearest(leader, cosines, kinds),
        "other": clearest(least, cosines, kinds),
        "say": [text[f"{tour}_say"].format(**values) for tour in tours],
        "tally": values["tally"],
        "alt": text["alt"].format(**values),
    }


def clearest(kind: int, cosines: np.ndarray, kinds: Sequence[int]) -> int:
    """Find the sentence of a sense whose context is most like that sense alone.

    cosines (N, S): of each context with the mean context of each sense
    """
    others = np.delete(cosines, kind, axis=1).max(axis=1)  # (N)
    margins = np.where(np.equal(kinds, kind), cosines[:, kind] - others, -np.inf)
    return int(margins.argmax())


def snapshot(words: Sequence[dict[str, Any]], language: str) -> bytes:
    """Draw the maps of the words side by side (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    text = ONE_VECTOR[language]
    style = course_style(language) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 3.9))
        panels = figure.subplots(1, len(words), squeeze=False)[0]
        for axes, word in zip(panels, words, strict=True):
            draw_panel(axes, word, text)
        return png(figure)


def draw_panel(axes: Any, word: dict[str, Any], text: dict[str, str]) -> None:
    """Draw one word's sentences and its star."""
    points, kinds = np.array(word["points"]), np.array(word["sense"])
    for kind, name in enumerate(word["senses"]):
        style = {"marker": maps.MARKS[kind], "color": OKABE_ITO[kind]}
        own = points[kinds == kind]  # (its sentences, 2)
        axes.scatter(
            *own.T, s=34, edgecolor="white", linewidth=0.5, label=name, **style
        )
    style = {"marker": "*", "color": "black", "edgecolor": "white", "s": 260}
    name = text["star"].format(**word["values"])
    axes.scatter(*word["star"], linewidth=0.8, label=name, **style)
    axes.set_title(text["title"].format(**word["values"]))
    axes.set(xticks=[], yticks=[])
    axes.set_aspect("equal", adjustable="datalim")
    axes.spines[:].set(visible=True, color="lightgrey")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3)
