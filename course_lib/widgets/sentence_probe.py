"""SentenceProbe: type a sentence, drop one of its words, and see the vector move.

The model reads the sentence once as it is and once without each of its other words.
All numbers are measured in full dimension; the map only shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from course_lib.analysis.senses import sense_accuracy, target_vectors, unit
from course_lib.data.senses import sense_name
from course_lib.figures import OKABE_ITO, course_style, png, register_font
from course_lib.text.tokenise import words_en, words_zh

from . import kit, maps

if TYPE_CHECKING:
    from course_lib.models.bilm import Encoder

SENTENCE_PROBE = kit.words("sentence_probe")
LIMIT = 30  # words of a sentence: each is dropped once, while the reader waits
NEAREST = 4  # examples that the table lists
OFFERED = 3  # sentences to begin with, unless the lesson names some


class SentenceProbe(anywidget.AnyWidget):
    """A sentence among the examples of its word; `sentence_probe` makes one."""

    _esm = kit.module("sentence_probe")
    _css = kit.style("sentence_probe")
    data = traitlets.Dict().tag(sync=True)  # examples, sentences, labels: never changes
    sentence = traitlets.Int(0).tag(
        sync=True
    )  # the next three: what the reader changes
    dropped = traitlets.List().tag(sync=True)
    layer = traitlets.Int(0).tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)  # sent by the page …
    answer = traitlets.Dict().tag(sync=True)  # … and what Python says to it
    kernel = traitlets.Bool(True).tag(sync=True)  # is there one to ask?
    probe: Probe | None = None

    @traitlets.observe("asked")
    def reply(self, change: dict[str, Any]) -> None:
        """Measure the sentence typed, or one without several of its words."""
        asked = change["new"]
        own = {k: v for k, v in self.answer.items() if k == "sentence"}  # never lost
        if "text" in asked:
            found, problem = self.probe.read(asked["text"])
            said = {"problem": problem} if problem else {"sentence": found}
        else:
            said = {"variant": self.probe.variant(asked)}
        self.answer = own | said | {"number": asked["number"]}

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {name: getattr(self, name) for name in ("data", "layer")}
        state |= {"asked": {}, "answer": {}, "kernel": False, "dropped": []}
        state["sentence"] = min(self.sentence, len(self.data["sentences"]) - 1)
        picture = snapshot(self.data)
        page = kit.twin("sentence_probe", state, picture, self.data["alt"])
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def sentence_probe(
    encoder: Encoder,
    word: str,
    examples: Sequence[Any],
    sentences: Sequence[str] | None = None,
    language: str = "en",
) -> SentenceProbe:
    """Show where a word's vector lies in a sentence, and what each word does to it.

    encoder: a biLM, as `course_lib.load("elmo-en")` gives it; examples: as
    `data.senses` gives them, those of `word` are taken; sentences: some to begin with,
    else the clearest example of each sense; language: of the labels, "en" or "zh".
    """
    if language not in SENTENCE_PROBE:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    probe = Probe(encoder, word, [s for s in examples if s.word == word], language)
    offered = [probe.read(text) for text in sentences or ()]
    for text, (_, problem) in zip(sentences or (), offered, strict=True):
        if problem:
            raise ValueError(f"{text!r}: {problem}")
    described = [found for found, _ in offered] or probe.clearest()
    data = probe.map() | {"sentences": described, "text": probe.text}
    data |= {"language": language, "tongue": probe.tongue, "best": probe.best}
    data |= guide(data)
    widget = SentenceProbe(data=data, layer=probe.best, sentence=data["example"][0])
    widget.probe = probe
    return widget


class Probe:
    """A word's examples, measured once, and the model that reads other sentences."""

    def __init__(
        self, encoder: Encoder, word: str, examples: Sequence[Any], language: str
    ):
        """Encode the examples: N of them, of S senses."""
        senses = [sense_name(word, s.sense, language) for s in examples]
        self.names = list(dict.fromkeys(senses))
        if not 2 <= len(self.names) <= len(maps.MARKS):
            raise ValueError(
                f"{word!r} has {len(senses)} examples of {len(self.names)} senses; the "
                f"map tells 2 to {len(maps.MARKS)} senses apart"
            )
        self.encoder, self.word, self.examples = encoder, word, examples
        self.language, self.text = language, SENTENCE_PROBE[language]
        self.tongue = "zh" if kit.is_chinese(word) else "en"
        self.forms = {s.tokens[s.target_index].lower() for s in examples} | {word}
        self.layers = target_vectors(encoder, examples).astype(float)  # (L+1, N, D)
        self.directions = np.stack([unit(layer) for layer in self.layers])
        self.sense = np.array([self.names.index(sense) for sense in senses])  # (N)
        self.plane = maps.plane(self.layers)
        self.scores = [
            sense_accuracy(layer, senses)["nearest_centroid"] for layer in self.layers
        ]
        self.best = 1 + int(np.argmax(self.scores[1:]))  # of those that read context
        self.cut(word)  # jieba reads its lexicon now, not when somebody waits

    def map(self) -> dict[str, Any]:
        """Return the examples as the map shows them, ready to be written as JSON."""
        split = [kit.split(s.tokens, s.target_index) for s in self.examples]
        return {
            "word": self.word,
            "senses": self.names,
            "sense": self.sense.tolist(),
            "examples": split,
            "dimension": self.layers.shape[2],
            "frames": self.plane.place(self.layers).round(3).tolist(),
            "share": round(self.plane.share, 4),
            "scores": [round(score, 4) for score in self.scores],
            "majority": float(np.bincount(self.sense).max() / len(self.sense)),
        }

    def cut(self, text: str) -> list[str]:
        """Cut a text into words as the model's training text was."""
        return words_zh(text) if self.tongue == "zh" else words_en(text)

    def read(self, text: str) -> tuple[dict[str, Any], str]:
        """Measure a sentence: what the page shows of it, or what is wrong with it."""
        words = self.cut(text)
        at = [i for i, word in enumerate(words) if word.lower() in self.forms]
        values = {"word": self.word, "n": len(words), "limit": LIMIT}
        if not words:
            return {}, self.text["empty"].format(**values)
        if len(words) > LIMIT:
            return {}, self.text["long"].format(**values)
        if at:
            return self.describe(words, at[0]), ""
        inside = [word for word in words if self.word in word]
        problem = "glued" if inside else "missing"
        values |= {"inside": next(iter(inside), ""), "cut": " / ".join(words)}
        return {}, self.text[problem].format(**values)

    def clearest(self) -> list[dict[str, Any]]:
        """Describe the clearest example of each sense, the commonest senses first."""
        cosines = maps.cosine_tables(self.layers)[self.best]  # (N, N)
        margins, _ = maps.sense_margins(cosines, self.sense)  # (N)
        long = np.array([len(s.tokens) > LIMIT for s in self.examples])
        often = np.argsort(-np.bincount(self.sense), kind="stable")[:OFFERED]
        rows = [
            np.where((self.sense == kind) & ~long, margins, -np.inf).argmax()
            for kind in often
        ]
        found = [self.examples[i] for i in rows]
        return [self.describe(s.tokens, s.target_index) for s in found]

    def describe(self, words: Sequence[str], target: int) -> dict[str, Any]:
        """Measure a sentence as it is and without each of its other words."""
        drops = [(), *((i,) for i in range(len(words)) if i != target)]
        vectors = self.encode(words, target, drops)  # (L+1, M, D)
        same = (s for s in range(len(self.examples)) if self.is_example(s, words))
        own = next(same, None)
        variants = self.measure(vectors, vectors[:, :1], own)
        keys = [",".join(map(str, drop)) for drop in drops]
        return {
            "words": list(words),
            "target": target,
            "variants": dict(zip(keys, variants, strict=True)),
        }

    def variant(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Measure a sentence without several of its words."""
        words, target = asked["words"], asked["target"]
        vectors = self.encode(words, target, [(), asked["dropped"]])  # (L+1, 2, D)
        same = (s for s in range(len(self.examples)) if self.is_example(s, words))
        return self.measure(vectors[:, 1:], vectors[:, :1], next(same, None))[0]

    def is_example(self, number: int, words: Sequence[str]) -> bool:
        """Say whether this sentence is an example itself."""
        return list(self.examples[number].tokens) == list(words)

    def encode(
        self, words: Sequence[str], target: int, drops: Sequence[Sequence[int]]
    ) -> np.ndarray:
        """Return the target's vectors without some words. Shape: (L+1, M, D)."""
        kept = [[i for i in range(len(words)) if i not in drop] for drop in drops]
        layers = self.encoder.encode([[words[i] for i in rest] for rest in kept])
        at = [rest.index(target) for rest in kept]
        picked = [x[:, i] for x, i in zip(layers, at, strict=True)]  # each (L+1, D)
        return np.stack(picked, axis=1).astype(float)

    def measure(
        self, vectors: np.ndarray, whole: np.ndarray, own: int | None
    ) -> list[dict[str, Any]]:
        """Measure vectors (L+1, M, D) against the examples and the whole sentence.

        whole (L+1, 1, D); own: the example that the sentence is, left out of all.
        """
        points = self.plane.place(vectors)  # (L+1, M, 2)
        directions = np.stack([unit(layer) for layer in vectors])
        cosines = directions @ self.directions.transpose(0, 2, 1)  # (L+1, M, N)
        if own is not None:
            cosines[:, :, own] = -np.inf
        near = np.argsort(-cosines, axis=2, kind="stable")[:, :, :NEAREST]
        best = np.take_along_axis(cosines, near, axis=2)  # (L+1, M, NEAREST)
        ties = (best[:, :, :1] - cosines < maps.TIE).sum(axis=2)  # (L+1, M)
        to_senses = directions @ self.centroids(own).transpose(0, 2, 1)  # (L+1, M, S)
        moved = distances(vectors, whole)  # (L+1, M, 3)
        return [
            {
                "points": points[:, m].round(3).tolist(),
                "near": near[:, m].tolist(),
                "cosines": best[:, m].round(3).tolist(),
                "ties": ties[:, m].tolist(),
                "senses": to_senses[:, m].round(3).tolist(),
                "moved": moved[:, m].round(3).tolist(),
            }
            for m in range(vectors.shape[1])
        ]

    def centroids(self, own: int | None) -> np.ndarray:
        """Return the direction of each sense's mean. Shape: (L+1, S, D)."""
        kept = np.arange(len(self.sense)) != (-1 if own is None else own)
        means = [
            self.directions[:, kept & (self.sense == kind)].sum(axis=1)
            for kind in range(len(self.names))
        ]  # each (L+1, D)
        return np.stack([unit(layer) for layer in np.stack(means, axis=1)])


def distances(vectors: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return 1 - cosine: of the vectors, their forward and their backward halves.

    (L+1, M, D) and (L+1, 1, D) to (L+1, M, 3).
    """
    half = vectors.shape[2] // 2
    parts = [slice(None), slice(half), slice(half, None)]
    found = []
    for part in parts:
        a, b = vectors[:, :, part], whole[:, :, part]
        lengths = np.linalg.norm(a, axis=2) * np.linalg.norm(b, axis=2)
        cosine = (a * b).sum(axis=2) / np.maximum(lengths, 1e-12)
        found.append(np.abs(1 - cosine))  # rounding may pass 1
    return np.stack(found, axis=2)


def guide(data: dict[str, Any]) -> dict[str, Any]:
    """Choose three things to try and the words for the picture, from what was measured.

    The first is the drop that changes the nearest sense and moves the vector most, or
    if none changes it, the one that moves it most.
    """
    text, best, drops = data["text"], data["best"], single_drops(data["sentences"])

    def weight(drop: tuple[int, int, dict]) -> tuple[bool, float]:
        whole = data["sentences"][drop[0]]["variants"][""]
        changes = first_sense(drop[2], best) != first_sense(whole, best)
        return changes, drop[2]["moved"][best][0]

    place, key, _ = strongest = max(drops, key=weight)
    sentence = data["sentences"][place]
    after = [drop for drop in drops if drop[1] > data["sentences"][drop[0]]["target"]]
    before = [drop for drop in drops if drop not in after]
    side = max(after or before, key=lambda drop: drop[2]["moved"][best][0])
    values = facts(data, *strongest[:2])

    def tour(label: str, say: str, at: tuple, layer: int) -> dict[str, Any]:
        said = text[say].format(**facts(data, *at[:2]))
        where = {"sentence": at[0], "dropped": [at[1]], "layer": layer}
        return {"label": text[label], "say": said} | where

    changes = "flip_say" if weight(strongest)[0] else "pull_say"
    tours = [
        tour("pull", changes, strongest, best),
        tour("side", "after_say" if after else "before_say", side, best),
        tour("zero", "zero_say", strongest, 0),
    ]
    alt = text["alt"].format(**values, sentence=joined(sentence["words"]))
    return {"tours": tours, "example": [place, key], "alt": alt}


def single_drops(sentences: list[dict[str, Any]]) -> list[tuple[int, int, dict]]:
    """List each sentence's number, the word that is left out, and what comes of it."""
    drops = [
        (place, int(key), variant)
        for place, sentence in enumerate(sentences)
        for key, variant in sentence["variants"].items()
        if key
    ]
    if not drops:
        raise ValueError("the sentences hold no word that could be dropped")
    return drops


def first_sense(variant: dict[str, Any], layer: int) -> int:
    """Return the sense whose centroid is nearest."""
    return int(np.argmax(variant["senses"][layer]))


def facts(data: dict[str, Any], place: int, key: int) -> dict[str, Any]:
    """Collect the numbers that a text about one dropped word may name."""
    sentence, best = data["sentences"][place], data["best"]
    whole, variant = (sentence["variants"][name] for name in ("", str(key)))
    moved = variant["moved"][best]
    return {
        "word": data["word"],
        "drop": sentence["words"][key],
        "others": len(sentence["words"]) - 1,
        "layer": best,
        "pull": f"{moved[0]:.2f}",
        "forward": f"{moved[1]:.2f}",
        "backward": f"{moved[2]:.2f}",
        "was": data["senses"][first_sense(whole, best)],
        "now": data["senses"][first_sense(variant, best)],
        "zero": f"{variant['moved'][0][0]:.2f}",
    }


def joined(words: Sequence[str]) -> str:
    """Write the words of a sentence as it reads."""
    return "".join(kit.split(words, 0))


def snapshot(data: dict[str, Any]) -> bytes:
    """Draw the map with one word dropped, and what each word does (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    place, key = data["example"]
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 3.9))
        left, right = figure.subplots(1, 2, width_ratios=[3, 2])
        draw_map(left, data, data["sentences"][place]["variants"], str(key))
        left.set_title(data["text"]["title"].format(**facts(data, place, key)), size=9)
        draw_pulls(right, data, data["sentences"][place])
        return png(figure)


def draw_map(axes: Any, data: dict[str, Any], variants: dict, key: str) -> None:
    """Draw the examples, the word's place in the sentence, and where it goes."""
    best = data["best"]
    points, kinds = np.array(data["frames"][best]), np.array(data["sense"])
    for kind, name in enumerate(data["senses"]):
        look = {"marker": maps.MARKS[kind], "color": OKABE_ITO[kind], "alpha": 0.7}
        own = points[kinds == kind]  # (its examples, 2)
        axes.scatter(*own.T, s=30, edgecolor="white", linewidth=0.5, label=name, **look)
    start, end = (variants[name]["points"][best] for name in ("", key))
    axes.scatter(*start, s=60, facecolor="white", edgecolor="black", zorder=3)
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-", "linewidth": 1.5})
    look = {"marker": "*", "color": "black", "edgecolor": "white", "zorder": 4}
    you = data["text"]["you"].format(word=data["word"])
    axes.scatter(*end, s=240, label=you, **look)
    axes.set(xticks=[], yticks=[])
    axes.set_aspect("equal", adjustable="datalim")
    axes.spines[:].set(visible=True, color="lightgrey")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3)


def draw_pulls(axes: Any, data: dict[str, Any], sentence: dict[str, Any]) -> None:
    """Draw how far the vector moves without each word."""
    variants, words = sentence["variants"], sentence["words"]
    pulls = [
        variants[str(i)]["moved"][data["best"]][0] if i != sentence["target"] else 0
        for i in range(len(words))
    ]
    names = [f"[{w}]" if i == sentence["target"] else w for i, w in enumerate(words)]
    axes.barh(range(len(words)), pulls, color=OKABE_ITO[0])
    axes.set_yticks(range(len(words)), names, size=8 if len(words) < 18 else 6)
    axes.set(ylim=(len(words) - 0.5, -0.5), xlim=(0, max(pulls) * 1.1 or 1))
    axes.set_title(data["text"]["pulls"].format(layer=data["best"]), size=9)
    axes.tick_params(axis="y", length=0)
