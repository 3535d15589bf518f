"""WindowSampler: which questions word2vec asks about one sentence.

Frequencies, and what follows from them, are those of the counts given. The draws are
made in the page, from a draw's number, so that each can be seen again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import anywidget
import numpy as np
import traitlets

from course_lib.figures import OKABE_ITO, course_style, png, register_font
from course_lib.text.vocabulary import UNK

from . import kit

WINDOW_SAMPLER = kit.words("window_sampler")
MOST = 18_000  # words of the vocabulary: all of them travel
BARS = 12
START = {
    "sentence": 0, "centre": 0, "window": 2, "dynamic": True, "t": 1e-4,
    "power": 0.75, "negatives": 5, "draw": 1,
}  # fmt: skip


class WindowSampler(anywidget.AnyWidget):
    """Window, subsampling and noise of one sentence; `window_sampler` makes one."""

    _esm = kit.module("window_sampler")
    _css = kit.style("window_sampler")
    data = traitlets.Dict().tag(sync=True)  # words, labels: never changes
    sentence = traitlets.Int(START["sentence"]).tag(sync=True)  # the rest: the reader's
    centre = traitlets.Int(START["centre"]).tag(sync=True)
    window = traitlets.Int(START["window"]).tag(sync=True)
    dynamic = traitlets.Bool(START["dynamic"]).tag(sync=True)
    t = traitlets.Float(START["t"]).tag(sync=True)
    power = traitlets.Float(START["power"]).tag(sync=True)
    negatives = traitlets.Int(START["negatives"]).tag(sync=True)
    draw = traitlets.Int(START["draw"]).tag(sync=True)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {name: getattr(self, name) for name in ("data", *START)}
        last = len(self.data["sentences"][self.sentence]) - 1
        state["centre"] = min(self.centre, last)  # as the page does
        alt = facts(state)["alt"]
        page = kit.twin("window_sampler", state, snapshot(state), alt)
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def window_sampler(
    counts: Mapping[str, int], sentences: Sequence[Sequence[str]], language: str = "en"
) -> WindowSampler:
    """Show what word2vec makes of a sentence: window, thinning out, noise.

    counts: how often each word of the vocabulary occurs in the text; `<unk>` is left
    out, as in training; sentences: lists of words, of which those that are not in
    counts are shown as left out; language: of the labels, "en" or "zh".
    """
    counts = {word: int(n) for word, n in counts.items() if word != UNK}
    check(counts, sentences, language)
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    ranks = {word: rank for rank, word in enumerate(ordered)}
    text = "".join(word for sentence in sentences for word in sentence)
    data = {
        "words": "\n".join(ordered),  # the most frequent first
        "runs": [[n, len(list(run))] for n, run in groupby(map(counts.get, ordered))],
        "sentences": [list(sentence) for sentence in sentences],
        "ranks": [[ranks.get(word, -1) for word in words] for words in sentences],
        "bars": spread(len(ordered)),
        "language": language,
        "tongue": "zh" if kit.is_chinese(text) else "en",
        "text": WINDOW_SAMPLER[language],
    }
    data["centres"] = [best_centre(data, i) for i in range(len(sentences))]
    data["tours"] = guide(data)
    return WindowSampler(data=data, centre=data["centres"][0])


def check(
    counts: Mapping[str, int], sentences: Sequence[Sequence[str]], language: str
) -> None:
    """Refuse what does not fit together, and say what does not."""
    if language not in WINDOW_SAMPLER:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    if len(counts) < BARS:
        raise ValueError(f"counts has {len(counts)} words; the widget shows {BARS}")
    if len(counts) > MOST:
        raise ValueError(
            f"counts has {len(counts):,} words; all travel in the page, so give "
            f"{MOST:,} at most: {{word: n for word, n in counts.items() if n >= 5}}"
        )
    wrong = [word for word, n in counts.items() if n < 1 or "\n" in word]
    if wrong:
        raise ValueError(
            f"counts has a word that never occurs, or a line: {wrong[0]!r}"
        )
    if not 1 <= len(sentences) <= 6:
        raise ValueError(f"there are {len(sentences)} sentences; give 1 to 6")
    for words in sentences:
        if isinstance(words, str) or not 4 <= len(words) <= 30:
            raise ValueError(f"the sentence {words!r} must be a list of 4 to 30 words")
        if sum(word in counts for word in words) < 2:
            raise ValueError(
                f"of the sentence {words!r} counts knows fewer than 2 words"
            )


def spread(V: int) -> list[int]:
    """Choose ranks from the first word to the last, evenly by their logarithm."""
    ranks = np.geomspace(1, V, BARS).round().astype(int)  # (12,)
    for i in range(1, BARS):
        ranks[i] = max(ranks[i], ranks[i - 1] + 1)  # at the top they would coincide
    return [int(min(rank, V - BARS + i + 1)) - 1 for i, rank in enumerate(ranks)]


def counts_of(data: dict[str, Any]) -> np.ndarray:
    """Return all counts, the highest first. Shape: (V,)."""
    return np.repeat(*np.array(data["runs"]).T)


def best_centre(data: dict[str, Any], sentence: int) -> int:
    """Choose a word near the middle among those that stay in most draws."""
    from course_lib.models.word2vec import keep_probability

    keep = keep_probability(counts_of(data), START["t"])
    ranks = data["ranks"][sentence]
    likely = {i: keep[rank] for i, rank in enumerate(ranks) if rank >= 0}
    best = [i for i, p in likely.items() if p > 0.8 * max(likely.values())]
    return min(best, key=lambda i: abs(i - (len(ranks) - 1) / 2))


def guide(data: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Write three things to try with each sentence, from its own numbers."""
    text, tours = data["text"], []
    quiet = {"dynamic": False, "window": 2}
    for sentence, centre in enumerate(data["centres"]):
        here = START | {"data": data, "sentence": sentence, "centre": centre}
        steps = {
            "pairs_try": ("pairs_say", quiet | {"t": 1.0}),
            "thin": ("thin_say", quiet | {"t": 1e-5}),
            "flat": ("flat_say", {"power": 1.0}),
        }
        tours.append(
            [
                {
                    "label": text[label],
                    "say": text[say].format(**facts(here | change | {"power": 0.75})),
                    "set": START | {"sentence": sentence, "centre": centre} | change,
                }
                for label, (say, change) in steps.items()
            ]
        )
    return tours


def facts(state: dict[str, Any]) -> dict[str, Any]:
    """Collect the numbers that a text about one state may name."""
    from course_lib.models.word2vec import keep_probability, noise_distribution

    data, counts = state["data"], counts_of(state["data"])
    words, ranks = data["words"].split("\n"), data["ranks"][state["sentence"]]
    f, keep = counts / counts.sum(), keep_probability(counts, state["t"])  # (V,)
    noise = noise_distribution(counts, state["power"])  # (V,)
    known = [rank for rank in ranks if rank >= 0]
    shown = {
        "frequent": min(known), "rare": max(known),
        "common": data["bars"][0], "scarce": data["bars"][-1],
    }  # fmt: skip
    values = {"vocabulary": f"{len(words):,}", "known": len(known)}
    for name, rank in shown.items():
        values |= {
            name: words[rank],
            f"{name}_f": kit.chance(f[rank]),
            f"{name}_keep": kit.chance(keep[rank]),
            f"{name}_noise": kit.chance(noise[rank]),
            f"{name}_times": plain(noise[rank] / f[rank]),
        }
    pairs = every_pair(state)
    values |= {
        "centre": data["sentences"][state["sentence"]][state["centre"]],
        "pairs": len(pairs),
        "list": data["text"]["list"].join(pairs),
        "expected": plain(sum(keep[rank] for rank in known)),
        **{name: plain(state[name]) for name in ("window", "t", "power")},
    }
    return values | {"alt": data["text"]["alt"].format(**values)}


def every_pair(state: dict[str, Any]) -> list[str]:
    """List the words within the window of the centre, when nothing is dropped."""
    words = state["data"]["sentences"][state["sentence"]]
    ranks, centre = state["data"]["ranks"][state["sentence"]], state["centre"]
    known = [i for i, rank in enumerate(ranks) if rank >= 0]
    if centre not in known:
        return []
    at, window = known.index(centre), state["window"]
    near = known[max(0, at - window) : at] + known[at + 1 : at + 1 + window]
    return [words[i] for i in near]


def plain(number: float) -> str:
    """Write a number with two digits and without an exponent: 1e-05 -> 0.00001."""
    return np.format_float_positional(
        number, 2, unique=False, fractional=False, trim="-"
    )


def snapshot(state: dict[str, Any]) -> bytes:
    """Draw the pairs, the share that stays and the noise (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    data, text, values = state["data"], state["data"]["text"], facts(state)
    words = list(data["sentences"][state["sentence"]])
    words[state["centre"]] = f"[{words[state['centre']]}]"
    pairs = f"{text['title_pairs'].format(**values)} ({values['list']})"
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 3.4))
        figure.suptitle(f"{' '.join(words)}\n{pairs}", size=10)
        left, right = figure.subplots(1, 2)
        draw_keep(left, state)
        draw_noise(right, state)
        return png(figure)


def draw_keep(axes: Any, state: dict[str, Any]) -> None:
    """Draw which share of its occurrences stays of each word of the sentence."""
    from course_lib.models.word2vec import keep_probability

    data = state["data"]
    keep = keep_probability(counts_of(data), state["t"])  # (V,)
    ranks = sorted({rank for rank in data["ranks"][state["sentence"]] if rank >= 0})
    ranks, names = ranks[:BARS], data["words"].split("\n")
    axes.barh(range(len(ranks)), keep[ranks], color=OKABE_ITO[0])
    for row, share in enumerate(keep[ranks]):
        axes.text(share + 0.02, row, kit.chance(share), va="center")
    axes.set_yticks(range(len(ranks)), [names[rank] for rank in ranks])
    axes.set(xlim=(0, 1.2), xticks=[], ylim=(len(ranks) - 0.5, -0.5))
    axes.set_title(f"{data['text']['curve']} (t = {plain(state['t'])})", size=9)


def draw_noise(axes: Any, state: dict[str, Any]) -> None:
    """Draw how often a dozen words occur, and how often they are drawn as noise."""
    from course_lib.models.word2vec import noise_distribution

    data, counts = state["data"], counts_of(state["data"])
    noise = noise_distribution(counts, state["power"])[data["bars"]]  # (12,)
    f = (counts / counts.sum())[data["bars"]]  # (12,)
    rows, names = range(BARS), data["words"].split("\n")
    axes.hlines(rows, f, noise, color=OKABE_ITO[2], linewidth=5)
    axes.plot(f, rows, "o", color="white", markeredgecolor="black")
    axes.plot(noise, rows, "D", color=OKABE_ITO[2], markeredgecolor="black")
    axes.set_yticks(rows, [names[rank] for rank in data["bars"]])
    axes.set(xscale="log", ylim=(BARS - 0.5, -0.5))
    title = f"{data['text']['bars']} ({data['text']['power']} {state['power']:g})"
    axes.set_title(title, size=9)
