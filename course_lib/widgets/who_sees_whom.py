"""WhoSeesWhom: four ways of looking at a sentence, and what models guess in a gap.

Which vector has read which word follows from how the stacks are built; the guesses are
those of the models given, computed beforehand, so that no kernel is needed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import torch
import traitlets

from course_lib.figures import course_style, png, register_font
from course_lib.text.batches import spell_sentences
from course_lib.text.characters import BOS, EOS
from course_lib.text.pieces import CLS, MARKS, MASK, SEP, UNK, Pieces

from . import kit

if TYPE_CHECKING:
    from course_lib.models.bert import BERT
    from course_lib.models.bilm import Encoder

WHO_SEES_WHOM = kit.words("who_sees_whom")
WAYS = ("left", "halves", "open", "masked")
TOP = 5  # guesses that a list shows
BOUNDS = ("‹S›", "‹/S›")  # at both ends of a sentence
TOURS = {"leak": "open", "half": "halves", "mask": "masked"}
Guesses = dict[str, Any]  # words [[word, p], …], p and rank of the word itself


class WhoSeesWhom(anywidget.AnyWidget):
    """Squares of vectors by words, above the models' guesses; see `who_sees_whom`."""

    _esm = kit.module("who_sees_whom")
    _css = kit.style("who_sees_whom")
    data = traitlets.Dict().tag(sync=True)  # sentences, labels: never changes
    sentence = traitlets.Int(0).tag(sync=True)
    slot = traitlets.Int(0).tag(sync=True)  # which word is to be predicted
    way = traitlets.Unicode(WAYS[0]).tag(sync=True)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {n: getattr(self, n) for n in ("data", "sentence", "slot", "way")}
        words = self.data["sentences"][self.sentence]["words"]
        slot = state["slot"] = min(self.slot, len(words) - 1)  # as the page does
        picture = snapshot(words, slot, self.data["language"])
        alt = described(words, slot, self.data["text"])
        page = kit.twin("who_sees_whom", state, picture, alt)
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def who_sees_whom(
    sentences: Sequence[tuple[Sequence[str], int]],
    masked: Callable[[Sequence[str]], list[Guesses]] | None = None,
    halves: Callable[[Sequence[str]], dict[str, list[Guesses]]] | None = None,
    language: str = "en",
) -> WhoSeesWhom:
    """Show who has read what, and what models guess.

    sentences: (words, which of them is to be predicted first); masked: `by_bert(…)`,
    halves: `by_bilm(…)`, each left out where there is no such model; language: of the
    labels, "en" or "zh".
    """
    if language not in WHO_SEES_WHOM:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    text, shown = WHO_SEES_WHOM[language], []
    for words, slot in sentences:
        if isinstance(words, str) or not 0 <= slot < len(words):
            raise ValueError(
                f"a sentence needs a list of words and the number of one of them; it "
                f"has {words!r} and {slot}"
            )
        guesses = halves(words) if halves else {}
        if masked:
            guesses["masked"] = masked(words)
        tongue = "zh" if kit.is_chinese("".join(words)) else "en"
        about = {"words": list(words), "first": slot, "language": tongue}
        shown.append(about | {"guesses": guesses})
    if not shown:
        raise ValueError("give at least one sentence: (words, which one to predict)")
    tours = [
        {"label": text[name], "say": text[f"{name}_tour"], "way": way}
        for name, way in TOURS.items()
    ]
    data = {"sentences": shown, "text": text, "language": language, "tours": tours}
    data |= {"ways": list(WAYS), "bounds": list(BOUNDS)}
    return WhoSeesWhom(data=data, slot=shown[0]["first"])


# -- who has read what -----------------------------------------------------------------


def reads(way: str, size: int) -> np.ndarray:
    """Say which vector has read which word, the sentence's ends among them.

    way: "left", "right", or anything else: both sides. Shape: (size, size) bool,
    vector by word. The page computes the same by itself.
    """
    everything = np.ones((size, size), dtype=bool)
    return {"left": np.tril, "right": np.triu}.get(way, lambda x: x)(everything)


def predictors(way: str, slot: int) -> dict[str, int]:
    """Say which vectors predict the word `slot`, counted with the left end as 0."""
    return {
        "left": {"left": slot},
        "halves": {"left": slot, "right": slot + 2},
        "open": {"open": slot},
        "masked": {"masked": slot + 1},
    }[way]


# -- what models guess -----------------------------------------------------------------


def by_bilm(encoder: Encoder) -> Callable[[Sequence[str]], dict[str, list[Guesses]]]:
    """Return what asks both halves of a biLM at each word, and their product.

    The product of the two probabilities, divided by its sum. Bayes' rule divides by
    p(w) as well (`models.cloze.product`), which a biLM alone does not have: frequent
    words, counted from both sides, come out too high.
    """

    @torch.no_grad()
    def ask(words: Sequence[str]) -> dict[str, list[Guesses]]:
        model, names = encoder.model, encoder.vocabulary.words
        top = model(spell_sentences([[BOS, *words, EOS]]))[-1, 0]  # (T+2, 2P)
        left, right = top.float().chunk(2, dim=1)
        # The state before a word predicts it forward, the state behind it backward.
        forward = model.softmax.log_prob(left[:-2]).double()  # (T, V)
        backward = model.softmax.log_prob(right[2:]).double()
        both = (forward + backward).log_softmax(dim=1)
        tables = {"forward": forward, "backward": backward, "product": both}
        return {
            kind: [
                guesses(names, p.numpy(), encoder.vocabulary.ids.get(word))
                for p, word in zip(table.exp(), words, strict=True)
            ]
            for kind, table in tables.items()
        }

    return ask


def by_bert(model: BERT, pieces: Pieces) -> Callable[[Sequence[str]], list[Guesses]]:
    """Return what asks a BERT at each word, with all of the word's pieces masked."""
    never = torch.zeros(len(pieces))
    never[: len(MARKS)] = -torch.inf

    @torch.no_grad()
    def ask(words: Sequence[str]) -> list[Guesses]:
        cut, found = pieces.pieces_of(words), []
        for k, own in enumerate(cut):
            before = [CLS, *itertools.chain(*cut[:k])]
            row = [*before, *[MASK] * len(own), *itertools.chain(*cut[k + 1 :]), SEP]
            h = model.eval()(torch.tensor([row]))[0]  # (T, D)
            here = h[len(before) : len(before) + len(own)]  # (n, D)
            p = (model.logits(here).float() + never).softmax(dim=1).numpy()  # (n, V)
            found.append(
                guesses(pieces.words, p[0], None if own == [UNK] else own[0])
                if len(own) == 1
                else guesses_in_pieces(pieces, p, own)
            )
        return found

    return ask


def guesses(names: Sequence[str], p: np.ndarray, own: int | None) -> Guesses:
    """List the likeliest words (V,), and how the word itself fares, if it is known."""
    top = np.argsort(-p, kind="stable")[:TOP]
    listed = [[names[i], digits(p[i])] for i in top]
    if own is None:
        return {"words": listed, "p": None, "rank": None}
    return {"words": listed, "p": digits(p[own]), "rank": 1 + int((p > p[own]).sum())}


def guesses_in_pieces(pieces: Pieces, p: np.ndarray, own: Sequence[int]) -> Guesses:
    """List the likeliest words of n pieces (n, V), each guessed on its own.

    Their probability is the product: a masked model has no other way of saying it.
    """
    each = [np.argsort(-row, kind="stable")[:TOP] for row in p]
    together = [
        (float(np.prod([row[i] for row, i in zip(p, ids, strict=True)])), ids)
        for ids in itertools.product(*each)
    ]
    together.sort(key=lambda pair: -pair[0])
    listed = [["".join(pieces.decode(i)), digits(chance)] for chance, i in together]
    itself = float(np.prod([row[i] for row, i in zip(p, own, strict=True)]))
    return {"words": listed[:TOP], "p": digits(itself), "rank": None}


def digits(p: float) -> float:
    """Round a probability to four digits that count."""
    return float(f"{p:.4g}")


# -- the picture without scripts -------------------------------------------------------


def described(words: Sequence[str], slot: int, text: dict[str, str]) -> str:
    """Say in words what the picture shows."""
    sentence = "".join(kit.split(words, slot))
    values = {"word": words[slot], "sentence": sentence, "others": len(words) - 1}
    values |= {"before": slot, "after": len(words) - 1 - slot}
    return text["alt"].format(**values)


def snapshot(words: Sequence[str], slot: int, language: str) -> bytes:
    """Draw the squares of all four ways side by side (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    text = WHO_SEES_WHOM[language]
    style = course_style(language) | {"savefig.dpi": 100, "font.size": 8}
    panels = [("left", "left"), ("halves", "left"), ("halves", "right")]
    panels += [("open", "open"), ("masked", "masked")]
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 2.4))
        figure.suptitle(text["title"].format(word=words[slot]))
        for axes, (way, side) in zip(figure.subplots(1, 5), panels, strict=True):
            draw_square(axes, words, slot, way, side)
            half = {"left": "forward", "right": "backward"}
            name = text[half[side] if way == "halves" else way]
            axes.set_title(wrapped(name), size=7)
        figure.axes[0].set_ylabel(text["rows"])
        figure.axes[0].set_xlabel(text["columns"])
        return png(figure)


def wrapped(name: str) -> str:
    """Break a title in two lines where it can be broken."""
    for mark in (", ", "，"):
        name = name.replace(mark, mark.strip() + "\n")
    return name


def draw_square(
    axes: Any, words: Sequence[str], slot: int, way: str, side: str
) -> None:
    """Draw who has read what, the vector that predicts and the answer marked."""
    seen = reads(side, len(words) + 2).astype(float)
    if way == "masked":
        seen[:, slot + 1] = 0  # the word is not there to be read
    axes.imshow(seen, cmap="Blues", vmin=0, vmax=1.6)
    row, last = predictors(way, slot)[side], len(words) + 1
    axes.plot([-0.5, last + 0.5], [row - 0.5, row - 0.5], color="#D55E00", lw=1)
    axes.plot([-0.5, last + 0.5], [row + 0.5, row + 0.5], color="#D55E00", lw=1)
    axes.plot(slot + 1, row, marker="x", color="black", ms=5)
    axes.set(xticks=[], yticks=[])
