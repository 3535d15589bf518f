"""SentenceProbe: type a sentence, drop one of its words, and see the vector move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from course_lib.figures import OKABE_ITO, course_style, png, register_font

from . import in_page, kit, maps
from .probe import Probes

if TYPE_CHECKING:
    from course_lib.models.bilm import Encoder

SENTENCE_PROBE = kit.words("sentence_probe")


class SentenceProbe(anywidget.AnyWidget):
    """A sentence among the examples of its word; `sentence_probe` makes one."""

    _esm = kit.module("sentence_probe")
    _css = kit.style("sentence_probe")
    data = traitlets.Dict().tag(sync=True)  # examples, sentences, labels: never changes
    # The next three are what the reader changes.
    sentence = traitlets.Int(0).tag(sync=True)
    dropped = traitlets.List().tag(sync=True)
    layer = traitlets.Int(0).tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)  # sent by the page …
    answer = traitlets.Dict().tag(sync=True)  # … and what Python says to it
    kernel = traitlets.Bool(True).tag(sync=True)  # is there one to ask?
    probes: Probes | None = None

    @traitlets.observe("asked")
    def reply(self, change: dict[str, Any]) -> None:
        """Measure the sentence typed, or one without several of its words."""
        asked = change["new"]
        kept = {k: v for k, v in self.answer.items() if k in ("sentence", "map")}
        if "text" in asked:
            said = self.probes.read(asked["text"], asked["word"])
        elif "dropped" in asked:
            said = {"variant": self.probes.of(asked["word"]).variant(asked)}
        else:
            said = self.probes.example(asked["word"])
        self.answer = kept | said | {"number": asked["number"]}

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {name: getattr(self, name) for name in ("data", "layer")}
        state |= {"asked": {}, "answer": {}, "kernel": False, "dropped": []}
        state["sentence"] = min(self.sentence, len(self.data["sentences"]) - 1)
        page = kit.twin("sentence_probe", state, snapshot(self.data), self.data["alt"])
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def sentence_probe(
    encoder: Encoder | Mapping[str, Encoder],
    word: str,
    examples: Sequence[Any] | Mapping[str, Sequence[Any]],
    sentences: Sequence[str] | None = None,
    language: str = "en",
) -> SentenceProbe:
    """Show where a word's vector lies in a sentence, and what each word does to it.

    encoder: a biLM, as `course_lib.load("elmo-en")` gives it; examples: as
    `data.senses` gives them. It opens with those of `word`; a sentence typed may hold
    any of the annotated words. Both by language, {"en": …, "zh": …}, if words of two
    languages shall be read. sentences: some to begin with, else the clearest examples
    of the three commonest senses, after one with the word twice for those of
    `probe.OPENINGS`; language: of the labels, "en" or "zh".
    """
    if language not in SENTENCE_PROBE:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    if not isinstance(examples, Mapping):
        tongue = "zh" if kit.is_chinese(word) else "en"
        encoder, examples = {tongue: encoder}, {tongue: examples}
    probes = Probes(encoder, examples, language)
    probe, text = probes.of(word), SENTENCE_PROBE[language]
    offered = [probes.read(text, word) for text in sentences or ()]
    for sentence, said in zip(sentences or (), offered, strict=True):
        if "problem" in said:
            raise ValueError(f"{sentence!r}: {said['problem']}")
    described = [said["sentence"] for said in offered] or probe.openings()
    data = probe.map() | {"sentences": described, "text": text, "language": language}
    data["words"] = [[name, probes.tongues[name]] for name in probes.uses]
    data["models"] = {name: in_page.mark(one) for name, one in encoder.items()}
    data["mark"] = in_page.marked(probe.examples)
    data |= guide(data)
    widget = SentenceProbe(data=data, layer=probe.best)
    widget.probes = probes
    return widget


def guide(data: dict[str, Any]) -> dict[str, Any]:
    """Choose three things to try and the words for the picture, from what was measured.

    The first is the drop that changes the nearest sense and moves the vector most, or
    if none changes it, the one that moves it most.
    """
    text, best, drops = data["text"], data["best"], single_drops(data["sentences"])

    def weight(drop: tuple[int, int, dict]) -> tuple[bool, float]:
        whole = data["sentences"][drop[0]]["variants"][""][0]
        changes = first_sense(drop[2], best) != first_sense(whole, best)
        return changes, drop[2]["moved"][best][0]

    place, key, _ = strongest = max(drops, key=weight)
    sentence = data["sentences"][place]
    after = [
        drop for drop in drops if drop[1] > data["sentences"][drop[0]]["targets"][0]
    ]
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
        (place, int(key), variant[0])  # of the word's first place
        for place, sentence in enumerate(sentences)
        for key, variant in sentence["variants"].items()
        if key
    ]
    if not drops:
        raise ValueError("the sentences hold no word that could be dropped")
    return drops


def first_sense(variant: dict[str, Any], layer: int) -> int:
    """Return the sense for which most of the nearest examples vote."""
    return variant["said"][layer]


def facts(data: dict[str, Any], place: int, key: int) -> dict[str, Any]:
    """Collect the numbers that a text about one dropped word may name."""
    sentence, best = data["sentences"][place], data["best"]
    whole, variant = (sentence["variants"][name][0] for name in ("", str(key)))
    moved = variant["moved"][best]
    return {
        "word": data["word"],
        "drop": sentence["words"][key],
        "others": len(sentence["words"]) - len(sentence["targets"]),
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
    start, end = (variants[name][0]["points"][best] for name in ("", key))
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
    """Draw how far the vector moves without each word, the strongest first."""
    words = sentence["words"]
    pulls = {
        words[int(key)] + " " * int(key): places[0]["moved"][data["best"]][0]
        for key, places in sentence["variants"].items()
        if key
    }  # spaces keep two that are alike apart
    names = sorted(pulls, key=pulls.get, reverse=True)
    longest = [pulls[name] for name in names]
    axes.barh(range(len(names)), longest, color=OKABE_ITO[0])
    axes.set_yticks(range(len(names)), names, size=8 if len(names) < 18 else 6)
    axes.set(ylim=(len(names) - 0.5, -0.5), xlim=(0, max(longest) * 1.1 or 1))
    axes.set_title(data["text"]["pulls"].format(layer=data["best"]), size=9)
    axes.tick_params(axis="y", length=0)
