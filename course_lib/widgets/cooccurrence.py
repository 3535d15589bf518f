"""Cooccurrence: the table that GloVe is fitted to, its ratios and its weights.

What is shown is what was counted, in the whole vocabulary: totals, probabilities and
the histogram take in every word, though only 200 of them travel with the widget.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import numpy as np
import traitlets
from scipy.sparse import csr_array

from course_lib.figures import OKABE_ITO, course_style, png, register_font
from course_lib.models.glove import GloVe, ratios

from . import kit

COOCCURRENCE = kit.words("cooccurrence")
TABLE = 200  # words whose counts travel
STEP = 3e-4  # counts are sent as whole numbers of such steps of log x: 0.03 % exact
FEW = 5  # a ratio of fewer counts than this, taken together, is hollow
DECADE = 12  # bars of the histogram for each power of ten
START = {"view": "beyond", "pair": 0, "x_max": 100.0, "alpha": 0.75, "window": 0}


class Cooccurrence(anywidget.AnyWidget):
    """Heat map, ratios and weights; `cooccurrence` makes one."""

    _esm = kit.module("cooccurrence")
    _css = kit.style("cooccurrence")
    data = traitlets.Dict().tag(sync=True)  # counts, labels, language: never changes
    window = traitlets.Int(START["window"]).tag(sync=True)  # the rest: the reader's
    view = traitlets.Unicode(START["view"]).tag(sync=True)
    pair = traitlets.Int(START["pair"]).tag(sync=True)
    i = traitlets.Int(0).tag(sync=True)
    j = traitlets.Int(1).tag(sync=True)
    k = traitlets.Int(2).tag(sync=True)
    cell = traitlets.List([0, 1]).tag(sync=True)
    x_max = traitlets.Float(START["x_max"]).tag(sync=True)
    alpha = traitlets.Float(START["alpha"]).tag(sync=True)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {n: getattr(self, n) for n in ("data", *START, "i", "j", "k", "cell")}
        page = kit.twin("cooccurrence", state, snapshot(self.data), self.data["alt"])
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def cooccurrence(
    X: csr_array | Mapping[int, csr_array],
    words: Sequence[str],
    shown: Sequence[Sequence[str]],
    pairs: Mapping[tuple[str, str], Sequence[str]],
    language: str = "en",
) -> Cooccurrence:
    """Show a table of counts, ratios of its rows, and how GloVe weighs its cells.

    X: (V, V) counts of `models.glove.cooccurrences`, or {window: X} with two or three
    of them; words (V): the vocabulary; shown: groups of words for the heat map, side by
    side; pairs: {(i, j): [k, …]}, words to compare and the words that tell them apart,
    the first pair at first; language: of the labels, "en" or "zh".
    """
    windows = X if isinstance(X, Mapping) else {0: X}
    check(windows, words, shown, pairs, language)
    ids = {word: row for row, word in enumerate(words)}
    first = next(iter(windows.values()))
    rows = choose_table(first, ids, shown, pairs)
    place = {words[row]: n for n, row in enumerate(rows)}
    ends = np.cumsum([len(group) for group in shown])
    data = {
        "words": [words[row] for row in rows],
        "shown": ends.tolist(),  # where each group of the first words ends
        "tongue": "zh" if kit.is_chinese("".join(place)) else "en",
        "pairs": [
            {"i": place[i], "j": place[j], "probes": [place[k] for k in probes]}
            for (i, j), probes in pairs.items()
        ],
        "windows": [describe(one, rows, window) for window, one in windows.items()],
        "step": STEP,
        "few": FEW,
        "language": language,
        "text": COOCCURRENCE[language],
    }
    data |= story(data, first, rows)
    start = data["pairs"][0]
    return Cooccurrence(data=data, i=start["i"], j=start["j"], **data["start"])


def check(
    windows: Mapping[int, csr_array],
    words: Sequence[str],
    shown: Sequence[Sequence[str]],
    pairs: Mapping[tuple[str, str], Sequence[str]],
    language: str,
) -> None:
    """Refuse what does not fit together, and say what does not."""
    if language not in COOCCURRENCE:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    if not 1 <= len(windows) <= 3:
        raise ValueError(f"there are {len(windows)} windows; give one to three")
    for X in windows.values():
        if X.shape != (len(words), len(words)):
            raise ValueError(
                f"X has shape {X.shape} for {len(words)} words; "
                "give the words of the vocabulary that it was counted with"
            )
    flat = [word for group in shown for word in group]
    if len(set(flat)) < len(flat) or not 4 <= len(flat) <= 36 or len(shown) < 2:
        raise ValueError(
            f"shown has {len(shown)} groups and {len(flat)} words; give at least two "
            "groups and 4 to 36 different words altogether"
        )
    if not pairs or not all(len(probes) > 1 for probes in pairs.values()):
        raise ValueError("pairs needs at least one pair, with two probe words or more")
    known, X = set(words), next(iter(windows.values()))
    asked = dict.fromkeys([*flat, *wanted(pairs)])
    if missing := [word for word in asked if word not in known]:
        raise ValueError(f"not in the vocabulary: {', '.join(missing)}")
    seen = dict(zip(words, X.sum(axis=1), strict=True))
    if alone := [word for word in asked if not seen[word]]:
        raise ValueError(f"never near another word in X: {', '.join(alone)}")


def wanted(pairs: Mapping[tuple[str, str], Sequence[str]]) -> list[str]:
    """List the words of the pairs and their probes."""
    return [word for both, probes in pairs.items() for word in (*both, *probes)]


def choose_table(
    X: csr_array,
    ids: Mapping[str, int],
    shown: Sequence[Sequence[str]],
    pairs: Mapping[tuple[str, str], Sequence[str]],
) -> list[int]:
    """Return the numbers of the words that travel, those of the heat map first.

    The places left go to strong neighbours of these, each in turn naming its next one:
    strong by (X - E) / sqrt(E), where E is the count that chance would give.
    """
    heat = [ids[word] for group in shown for word in group]
    rows = dict.fromkeys([*heat, *(ids[word] for word in wanted(pairs))])
    totals = X.sum(axis=1)  # (V,)
    expected = np.outer(totals[heat], totals) / totals.sum()  # (heat, V)
    counted = X[heat].toarray()
    strength = (counted - expected) / np.sqrt(np.maximum(expected, 1e-9))
    order = np.argsort(-strength, axis=1, kind="stable")[:, :TABLE]  # (heat, 200)
    for ranked in order.T:  # everybody's first, then everybody's second, …
        for word, row in enumerate(ranked):
            if len(rows) < TABLE and counted[word, row] > 0:
                rows.setdefault(int(row))
    return list(rows)


def describe(X: csr_array, rows: Sequence[int], window: int) -> dict[str, Any]:
    """Write what one window's counts show, ready for JSON."""
    table = X[rows][:, rows].toarray()  # (rows, rows)
    x = X.tocoo().data
    x = x[x > 0]
    bins = np.ceil(np.log10(x) * DECADE - 1e-9).astype(int)  # 1 ends its bar
    low = int(bins.min())
    held = np.bincount(bins - low)
    means = np.bincount(bins - low, weights=x) / np.maximum(held, 1)
    return {
        "window": window,
        "counts": encode(table),
        "totals": [float(f"{total:.6g}") for total in X.sum(axis=1)[rows]],
        "total": float(X.sum()),
        "seen": len(x),
        "low": low,
        "bars": held.tolist(),
        "means": [float(f"{mean:.4g}") for mean in means],
    }


def encode(table: np.ndarray) -> str:
    """Write a symmetric table (n, n) as text: two bytes a cell of its upper half.

    Zero is 0, and a count x is 1 + log(1000 x) / STEP: from 0.001 to 300,000.
    """
    upper = table[np.triu_indices(len(table))]  # (n (n+1) / 2,)
    with np.errstate(divide="ignore"):
        steps = 1 + np.log(1000 * upper) / STEP
    codes = np.where(upper > 0, np.clip(np.round(steps), 1, 65535), 0)
    return base64.b64encode(codes.astype("<u2").tobytes()).decode()


def story(data: dict, X: csr_array, rows: Sequence[int]) -> dict[str, Any]:
    """Choose where to start and what to try, with the numbers that were counted."""
    text, pair, words = COOCCURRENCE[data["language"]], data["pairs"][0], data["words"]
    i, j, probes = pair["i"], pair["j"], pair["probes"]
    found = ratios(X, rows[i], rows[j], rows)[2]  # (words,)
    together = X[[rows[i], rows[j]]][:, rows].sum(axis=0)
    known = lean(found, together)
    solid = [k for k in probes if together[k] >= FEW]
    order = sorted(solid if len(solid) > 1 else probes, key=lambda k: known[k])
    low, high = order[0], order[-1]
    even = min(order[1:-1] or order, key=lambda k: abs(known[k]))
    others = [k for k in range(len(words)) if k not in (i, j, *probes)]
    strongest = max(others, key=lambda k: abs(known[k]), default=high)
    inside, across, cell = blocks(X, rows, data["shown"])
    values = {
        "i": words[i], "j": words[j], "n": data["shown"][-1],
        "inside": amount(inside, 2), "across": amount(across, 2),
        "flat": kit.percent(held_by_rare(data["windows"][0], alpha=0.0)),
        "held": kit.percent(held_by_rare(data["windows"][0])),
        "ratios": text["list"].join(
            text["alt_ratio"].format(k=words[k], ratio=factor(found[k])) for k in probes
        ),
    }  # fmt: skip
    for name, k in zip(("high", "low", "even"), (high, low, even), strict=True):
        values |= {name: words[k], f"{name}_ratio": factor(found[k])}
    moves = {"groups": {"view": "count"}, "telling": {"k": strongest}}
    moves["weightless"] = {"alpha": 0.0}
    tours = [
        {"label": text[name], "say": text[f"{name}_say"].format(**values), "set": move}
        for name, move in moves.items()
    ]
    start = {"k": next(iter(others), high), "cell": cell}
    return {"alt": text["alt"].format(**values), "tours": tours, "start": start}


def lean(ratio: np.ndarray, together: np.ndarray) -> np.ndarray:
    """Return log ratios (words,), 0 where too little was counted to know one."""
    with np.errstate(divide="ignore"):
        found = np.log(ratio)
    limit = math.log(1e6)  # for a word never seen near j, or never near i
    found = np.nan_to_num(found, nan=0.0, posinf=limit, neginf=-limit)
    return np.where(together < FEW, 0.0, found)


def blocks(
    X: csr_array, rows: Sequence[int], ends: Sequence[int]
) -> tuple[float, float, list[int]]:
    """Return how many times chance words meet, within groups and across, and a cell.

    All pairs of a kind are added up first, those never seen too. The cell is the pair
    within a group that was counted most.
    """
    heat = np.array(rows[: ends[-1]])
    totals = X.sum(axis=1)
    counted = X[heat][:, heat].toarray()  # (n, n)
    expected = np.outer(totals[heat], totals[heat]) / totals.sum()
    group = np.searchsorted(ends, np.arange(len(heat)), side="right")
    same = group[:, None] == group
    inside = same & ~np.eye(len(heat), dtype=bool)
    best = np.where(inside, counted, -1).argmax()
    cell = [int(n) for n in np.unravel_index(best, counted.shape)]
    kinds = [counted[kind].sum() / expected[kind].sum() for kind in (inside, ~same)]
    return float(kinds[0]), float(kinds[1]), cell


def held_by_rare(window: Mapping, **weights: float) -> float:
    """Return which share of the weight falls on pairs counted at most once."""
    model = GloVe(1, 1, **weights)  # for its f
    x, many = np.array(window["means"]), np.array(window["bars"])
    total = many * np.where(many, model.weight(x), 0)
    return float(total[: max(0, 1 - window["low"])].sum() / total.sum())


def amount(x: float, digits: int = 3) -> str:
    """Write a count with a few digits: 0.05, 39.6, 12,300."""
    if not x:
        return "0"
    rounded = float(f"{x:.{digits}g}")
    places = max(0, digits - 1 - math.floor(math.log10(rounded)))
    text = f"{rounded:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def factor(ratio: float) -> str:
    """Write a ratio with two digits; "∞" where below it nothing was counted."""
    if math.isnan(ratio):
        return "–"
    return "∞" if math.isinf(ratio) else amount(ratio, 2)


def snapshot(data: dict[str, Any]) -> bytes:
    """Draw the heat map and the first pair's ratios side by side (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 8}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 4.2))
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        draw_map(left, data)
        draw_ratios(right, data)
        return png(figure)


def decode(data: dict[str, Any], window: int = 0) -> np.ndarray:
    """Read the counts as the page does. Shape: (n, n)."""
    n = len(data["words"])
    raw = base64.b64decode(data["windows"][window]["counts"])
    codes = np.frombuffer(raw, dtype="<u2").astype(float)
    table = np.zeros((n, n))
    table[np.triu_indices(n)] = np.where(codes, np.exp((codes - 1) * STEP) / 1000, 0)
    return np.maximum(table, table.T)


def draw_map(axes: Any, data: dict[str, Any]) -> None:
    """Draw log X minus what the frequencies explain; grey where nothing was counted."""
    n, window = data["shown"][-1], data["windows"][0]
    totals = np.array(window["totals"])[:n]
    chance = np.outer(totals, totals) / window["total"]
    with np.errstate(divide="ignore"):
        beyond = np.log(decode(data)[:n, :n] / chance)
    from matplotlib.colors import LinearSegmentedColormap

    ends = (OKABE_ITO[1], "white", OKABE_ITO[0])
    colours = LinearSegmentedColormap.from_list("lean", ends).with_extremes(bad="0.85")
    shown = np.where(np.isfinite(beyond), beyond, np.nan)
    axes.imshow(shown, cmap=colours, vmin=-math.log(50), vmax=math.log(50))
    for end in data["shown"][:-1]:
        axes.axhline(end - 0.5, color="white", lw=2)
        axes.axvline(end - 0.5, color="white", lw=2)
    words = data["words"][:n]
    axes.set_xticks(range(n), words, rotation=90, fontsize=6)
    axes.set_yticks(range(n), words, fontsize=6)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(data["text"]["title_map"].format(n=n), size=9)


def draw_ratios(axes: Any, data: dict[str, Any]) -> None:
    """Draw the ratios of the first pair as bars around 1."""
    pair, table, window = data["pairs"][0], decode(data), data["windows"][0]
    i, j, probes = pair["i"], pair["j"], pair["probes"]
    share = window["totals"][j] / window["totals"][i]
    for row, k in enumerate(probes):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = table[i, k] / table[j, k] * share
            side = np.clip(np.nan_to_num(np.log10(ratio), nan=0), -2, 2)
        few = table[i, k] + table[j, k] < FEW
        colour = OKABE_ITO[0] if side > 0 else OKABE_ITO[1]
        axes.barh(row, side, color="white" if few else colour, edgecolor=colour)
        where = {"ha": "left" if side >= 0 else "right", "va": "center"}
        axes.text(side + math.copysign(0.06, side), row, factor(ratio), **where)
    axes.axvline(0, color="black", lw=0.8)
    words = data["words"]
    axes.set_yticks(range(len(probes)), [words[k] for k in probes], fontsize=9)
    ticks = {-2: "1/100", -1: "1/10", 0: "1", 1: "10", 2: "100"}
    axes.set_xticks(list(ticks), ticks.values())
    axes.set_xlim(-3, 3)
    axes.invert_yaxis()
    title = data["text"]["title_ratios"]
    axes.set_title(title.format(i=words[i], j=words[j]), size=9)
