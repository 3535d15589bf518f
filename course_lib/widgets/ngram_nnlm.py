"""NgramNNLM: what counting, smoothed counting and the network say comes next.

Every number is that of the training text and of the model given, over the whole
vocabulary; the page shows the first few words of each ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from course_lib.analysis.neighbours import nearest
from course_lib.figures import course_style, png, register_font
from course_lib.models.ngram import KneserNey
from course_lib.text.tokenise import words_en, words_zh
from course_lib.text.vocabulary import UNK, Vocabulary

from . import kit

if TYPE_CHECKING:
    from course_lib.models.nnlm import NNLM

NGRAM_NNLM = kit.words("ngram_nnlm")
ORDERS = (2, 3, 4, 5)  # of the counts
TOP = 8  # words that a ranking shows
CANDIDATES = 50  # words tried in the place of one of the context's
COLOURS = {"ml": "#0072B2", "kn": "#56B4E9", "network": "#E69F00"}


class NgramNNLM(anywidget.AnyWidget):
    """Three rankings of the next word side by side; `ngram_nnlm` makes one."""

    _esm = kit.module("ngram_nnlm")
    _css = kit.style("ngram_nnlm")
    data = traitlets.Dict().tag(sync=True)  # contexts, labels: never changes
    context = traitlets.Int(0).tag(sync=True)  # the next three: what the reader changes
    order = traitlets.Int(3).tag(sync=True)
    word = traitlets.Unicode("").tag(sync=True)
    typed = traitlets.Unicode("").tag(sync=True)  # sent by the page …
    answer = traitlets.Dict().tag(sync=True)  # … and what Python says to it
    kernel = traitlets.Bool(True).tag(sync=True)  # is there one to ask?
    predictors: Predictors | None = None

    @traitlets.observe("typed")
    def reply(self, change: dict[str, Any]) -> None:
        """Describe the context that the reader typed."""
        words = split(change["new"], self.predictors.vocabulary, self.data["tongue"])
        if change["new"].strip():
            said = self.predictors.describe(words or [UNK])  # who asks gets an answer
            self.answer = said | {"typed": change["new"]}

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        contexts = self.data["contexts"]
        number = min(self.context, len(contexts) - 1)  # a typed one stays in its page
        shown = contexts[number], str(self.order)
        state = {name: getattr(self, name) for name in ("data", "order", "word")}
        state |= {"context": number, "typed": "", "answer": {}, "kernel": False}
        picture, alt = snapshot(*shown, self.data), alt_text(*shown, self.data)
        page = kit.twin("ngram_nnlm", state, picture, alt)
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def ngram_nnlm(
    train: Sequence[str],
    model: NNLM,
    vocabulary: Vocabulary,
    contexts: Sequence[Sequence[str]],
    language: str = "en",
) -> NgramNNLM:
    """Show what n-gram counts and a network say about the next word.

    train: the words that the model was trained on, in order; vocabulary: of the model,
    whose other words count as `<unk>`; contexts: what stands before the next word, four
    words or more each; language: of the labels, "en" or "zh".
    """
    check(train, model, vocabulary, contexts, language)
    predictors = Predictors(vocabulary.encode(train), model, vocabulary)
    described = [predictors.describe(list(words)) for words in contexts]
    data = {
        "contexts": described,
        "text": NGRAM_NNLM[language],
        "language": language,
        "tongue": "zh" if kit.is_chinese("".join(train[:1000])) else "en",
        "orders": ORDERS,
        "tokens": len(train),
        "vocabulary": len(vocabulary),
        "reads": model.n - 1,
    }
    data["tours"] = guide(data)
    first = data["tours"][1]  # what was never seen is the story
    widget = NgramNNLM(data=data, **{k: first[k] for k in ("context", "order", "word")})
    widget.predictors = predictors
    return widget


def check(
    train: Sequence[str],
    model: NNLM,
    vocabulary: Vocabulary,
    contexts: Sequence[Sequence[str]],
    language: str,
) -> None:
    """Refuse what does not fit together, and say what does not."""
    if language not in NGRAM_NNLM:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    if isinstance(train, str) or not all(isinstance(word, str) for word in train[:9]):
        raise ValueError(
            "train must be a list of words; numbers become words by "
            "vocabulary.decode(train), a text by text.tokenise.words_en(train)"
        )
    rows = model.C.num_embeddings
    if rows != len(vocabulary):
        raise ValueError(
            f"the model has {rows} words, the vocabulary {len(vocabulary)}; give the "
            "vocabulary that the model was trained with"
        )
    if len(train) < max(ORDERS):
        raise ValueError(f"train has {len(train)} words; counting needs a text")
    if not 2 <= len(contexts) <= 10:
        raise ValueError(f"there are {len(contexts)} contexts; give 2 to 10")
    least = max(*ORDERS, model.n) - 1
    for words in contexts:
        if isinstance(words, str) or len(words) < least:
            raise ValueError(
                f"the context {words!r} must be a list of {least} words or more"
            )


class Predictors:
    """The counts of each order and the network, over one vocabulary."""

    def __init__(self, train: list[int], model: NNLM, vocabulary: Vocabulary):
        """Count the n-grams of the text, whose end may follow, too: V + 1."""
        V = len(vocabulary)
        self.counts = {n: KneserNey([train], n, vocabulary=V + 1) for n in ORDERS}
        self.model, self.vocabulary = model, vocabulary
        self.C = model.C.weight.detach().cpu().numpy()  # (V, m)

    def describe(self, words: list[str]) -> dict[str, Any]:
        """Measure all that the widget shows of one context, ready for JSON."""
        least = max(*ORDERS, self.model.n) - 1
        words = [UNK] * (least - len(words)) + words
        ids = self.vocabulary.encode(words)
        network, last = self.network(ids), ids[1 - max(ORDERS) :]
        near = {word: nearest(self.C, self.C[word], CANDIDATES) for word in set(last)}
        orders = {n: self.count(ids[1 - n :]) for n in ORDERS}
        rankings = [network]
        rankings += [order[kind] for order in orders.values() for kind in ("ml", "kn")]
        shown = list(dict.fromkeys([0, *(word for p in rankings for word in top(p))]))
        return {
            "words": words,
            "known": [word in self.vocabulary for word in words],
            "shown": self.vocabulary.decode(shown),
            "network": ranking(network, shown),
            "orders": {
                str(n): {
                    "seen": int(order["seen"]),
                    "kinds": int(np.count_nonzero(order["ml"])),
                    "back": order["back"],
                    "ml": ranking(order["ml"], shown),
                    "kn": ranking(order["kn"], shown),
                    "near": self.lenders(ids[1 - n :], near),
                }
                for n, order in orders.items()
            },
        }

    def network(self, ids: list[int]) -> np.ndarray:
        """Return the network's P of each next word. Shape: (V,)."""
        import torch

        place = self.model.C.weight.device
        window = torch.tensor([ids[1 - self.model.n :]], device=place)  # (1, n-1)
        with torch.no_grad():
            scores = self.model.eval()(window)[0]  # (V,)
        return scores.softmax(0).double().cpu().numpy()

    def count(self, ids: list[int]) -> dict[str, Any]:
        """Return each word's share of what followed (0: nothing did), and its P."""
        model, [seen] = self.counts[len(ids) + 1], self.seen([ids])
        ngrams = [(*ids, word) for word in range(len(self.vocabulary))]
        shorter = [ids[1 - n :] for n in ORDERS if n <= len(ids) + 1]
        back = [len(context) for context in shorter if self.seen([context])[0]]
        return {
            "seen": seen,
            "ml": model.counts.of(model.encode(ngrams)) / max(seen, 1),  # (V,)
            "kn": model.probabilities(ngrams),  # (V,)
            "back": max(back, default=0),  # words of the longest context seen
        }

    def seen(self, contexts: list[list[int]]) -> np.ndarray:
        """Return how often each context, all of one length, was followed by any word.

        Shape: (contexts).
        """
        model = self.counts[len(contexts[0]) + 1]
        ids = model.encode([[*context, 0] for context in contexts])  # (contexts, n)
        return model.counts.after(ids[:, :-1])

    def lenders(self, ids: list[int], near: dict[int, list]) -> list[dict[str, Any]]:
        """Find contexts that were seen and differ in one word, the nearest in C."""
        tried = [
            (cosine, place, [*ids[:place], other, *ids[place + 1 :]])
            for place, word in enumerate(ids)
            for other, cosine in near[word]
            if cosine > 0 and other not in (word, 0)
        ]
        often = self.seen([changed for *_, changed in tried]) if tried else []
        found = [(*one, int(n)) for one, n in zip(tried, often, strict=True) if n]
        return [
            {
                "words": self.vocabulary.decode(changed),
                "place": place,
                "seen": seen,
                "cosine": round(cosine, 2),
            }
            for cosine, place, changed, seen in sorted(found, reverse=True)[:3]
        ]


def top(p: np.ndarray) -> list[int]:
    """Return the words with the highest P: not `<unk>`, and none with P = 0."""
    best = 1 + np.argsort(-p[1:], kind="stable")[:TOP]  # ties: the more frequent first
    return [int(word) for word in best if p[word] > 0]


def ranking(p: np.ndarray, shown: list[int]) -> dict[str, list]:
    """Say which of the words shown come first, and P and rank of each.

    Word 0, `<unk>`, stands for many words and takes no rank from the others.
    """
    higher = len(p) - 1 - np.searchsorted(np.sort(p[1:]), p[shown], side="right")
    return {
        "top": [shown.index(word) for word in top(p)],
        "p": [float(f"{p[word]:.4g}") for word in shown],
        "rank": (1 + higher).tolist(),
    }


def split(text: str, vocabulary: Vocabulary, tongue: str) -> list[str]:
    """Cut what a reader typed into words, small if only so they are known; keep 12."""
    if tongue == "zh":
        words = text.split() if " " in text.strip() else words_zh(text)
    else:
        words = words_en(text)
    small = [word if word in vocabulary else word.lower() for word in words]
    pairs = zip(words, small, strict=True)
    return [low if low in vocabulary else word for word, low in pairs][-12:]


def guide(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Choose three things to try, from what was measured."""
    text, contexts = data["text"], data["contexts"]
    seen = {
        n: [context["orders"][str(n)]["seen"] for context in contexts] for n in ORDERS
    }
    sure = [
        max((here["kn"]["p"][i] for i in here["ml"]["top"]), default=0)
        for here in (context["orders"]["3"] for context in contexts)
    ]
    most = int(np.argmax(np.minimum(seen[3], 10) + np.array(sure)))
    rare, order = min((min(seen[n]), n) for n in ORDERS[1:])
    least = seen[order].index(rare)
    fall = np.log1p(seen[2]) - np.log1p(seen[5])
    fall[[most, least]] -= 100  # another context, if there is one
    drop = int(np.argmax(fall))

    def tour(label: str, say: str, context: int, order: int, by: str) -> dict[str, Any]:
        values = facts(contexts[context], str(order), data)
        chosen = contexts[context]["orders"][str(order)] | contexts[context]
        word = next(iter(chosen[by]["top"]), 0)
        return {
            "label": text[label],
            "say": text[say].format(**values),
            "context": context,
            "order": order,
            "word": contexts[context]["shown"][word],
        }

    return [
        tour("enough", "enough_say" if seen[3][most] else "starved_say", most, 3, "ml"),
        tour("never", "rare_say" if rare else "never_say", least, order, "network"),
        tour("longer", "longer_say", drop, max(ORDERS), "network"),
    ]


def facts(context: dict[str, Any], order: str, data: dict[str, Any]) -> dict[str, Any]:
    """Collect the numbers that a text about one context and order may name."""
    here = context["orders"][order]
    parts = {"ml": here["ml"], "kn": here["kn"], "network": context["network"]}
    values = {
        f"seen{n}": f"{context['orders'][n]['seen']:,}" for n in context["orders"]
    }
    for name, part in parts.items():
        first = next(iter(part["top"]), 0)
        values[f"{name}_word"] = context["shown"][first]
        values[f"{name}_p"] = kit.chance(part["p"][first])
    m = int(order) - 1
    back = " ".join(context["words"][len(context["words"]) - here["back"] :])
    counted = parts["ml"]["p"][next(iter(parts["ml"]["top"]), 0)] * here["seen"]
    return values | {
        "h": " ".join(context["words"][-m:]),
        "seen": f"{here['seen']:,}",
        "kinds": f"{here['kinds']:,}",
        "counted": f"{round(counted):,}",
        "back": back or "…",
        "tokens": f"{data['tokens']:,}",
        "vocabulary": f"{data['vocabulary']:,}",
        "reads": data["reads"],
    }


def alt_text(context: dict[str, Any], order: str, data: dict[str, Any]) -> str:
    """Say in words what the snapshot shows."""
    text, here = data["text"], context["orders"][order]
    values = facts(context, order, data)

    def best(part: dict[str, list]) -> str:
        return text["list"].join(
            text["quote"].format(word=context["shown"][i], p=kit.chance(part["p"][i]))
            for i in part["top"][:3] or [0]
        )

    return text["alt" if here["seen"] else "alt_never"].format(
        **values,
        context=" ".join(context["words"]),
        ml=best(here["ml"]),
        kn=best(here["kn"]),
        network=best(context["network"]),
    )


def snapshot(context: dict[str, Any], order: str, data: dict[str, Any]) -> bytes:
    """Draw the three rankings side by side (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    text, here = data["text"], context["orders"][order]
    parts = {"ml": here["ml"], "kn": here["kn"], "network": context["network"]}
    widest = max(part["p"][i] for part in parts.values() for i in part["top"])
    title = text["title"].format(context=" ".join(context["words"]), n=order)
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 2.9))
        figure.suptitle(title)
        panels = figure.subplots(1, len(parts))
        for axes, (name, part) in zip(panels, parts.items(), strict=True):
            rows = part["top"] or context["network"]["top"]  # never seen: zeros
            values = [part["p"][i] for i in rows]
            axes.barh(range(len(rows)), values, color=COLOURS[name])
            for row, p in enumerate(values):
                axes.text(p + 0.02 * widest, row, kit.chance(p), va="center")
            axes.set_yticks(range(len(rows)), [context["shown"][i] for i in rows])
            axes.set(xlim=(0, 1.3 * widest), xticks=[], ylim=(TOP - 0.5, -0.5))
            axes.set_title(text[name], size=9)
            axes.tick_params(length=0)
            axes.spines["bottom"].set_visible(False)
        return png(figure)
