"""VectorsTraining: word vectors while they are being trained, snapshot by snapshot.

All snapshots of a run are seen from one side: they share the axes of the training
itself, and one PCA is fitted to all of them. No snapshot is rotated to fit another.
A rotation fitted to 60 words in 100 dimensions could make random vectors look like
trained ones; and it would have nothing to correct, for training hardly turns the axes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import anywidget
import numpy as np
import traitlets
from scipy.linalg import orthogonal_procrustes

from course_lib.analysis.senses import neighbour_hits, unit
from course_lib.figures import OKABE_ITO, course_style, png, register_font

from . import kit, maps
from .kit import is_chinese, percent

VECTORS_TRAINING = kit.words("vectors_training")
NEAREST = 5  # words that the table lists
MOST_SNAPSHOTS, MOST_WORDS = 25, 72  # else more than 300 kB would travel
CLEAR = 0.05  # by how much a mean cosine must be higher for the text to say so
SEVERAL = -1  # the group of a word of several senses


class Snapshots(NamedTuple):
    """Word vectors at S moments of one training run, the untouched start first.

    vectors (S, N, D): rows of the same N words; steps (S,): words of text read so
    far; losses (S,): mean loss since the snapshot before, nan where there is none.
    """

    vectors: np.ndarray
    steps: Sequence[float]
    losses: Sequence[float]


class VectorsTraining(anywidget.AnyWidget):
    """A map with a slider over training; `vectors_training` makes one."""

    _esm = kit.module("vectors_training")
    _css = kit.style("vectors_training")
    data = traitlets.Dict().tag(sync=True)  # runs, words, labels: never changes
    method = traitlets.Int(0).tag(sync=True)  # the other three: what the reader changes
    moment = traitlets.Float(0.0).tag(sync=True)
    selected = traitlets.Int(0).tag(sync=True)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {n: getattr(self, n) for n in ("data", "method", "moment", "selected")}
        picture = snapshot(self.data, self.method)
        page = kit.twin("vectors_training", state, picture, self.data["alt"])
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def vectors_training(
    runs: Mapping[str, Snapshots],
    words: Sequence[str],
    groups: Mapping[str, Sequence[str]],
    between: Mapping[str, Sequence[str]] | None = None,
    language: str = "en",
) -> VectorsTraining:
    """Show how word vectors find their places, one button for each run.

    runs: by the name of the method; words (N): those of the snapshots' rows. groups:
    the words of the map by group, which say what order is; all other rows are only
    candidates for nearest words. between: words of several senses, each with the two
    groups of its senses. language: of the labels, "en" or "zh".
    """
    between = dict(between or {})
    check(runs, words, groups, between, language)
    data = {"language": language, "text": VECTORS_TRAINING[language]}
    rows, data["senses"] = places(words, groups, between)
    data["kinds"] = [s[0] if len(s) == 1 else SEVERAL for s in data["senses"]]  # (M)
    data["words"] = [words[i] for i in rows]
    data |= {
        "groups": list(groups),
        "chance": chance(data["kinds"]),
        "vocabulary": len(words),
        "tongue": "zh" if is_chinese("".join(data["words"])) else "en",
    }
    data["runs"] = [
        measure(run, rows, data["kinds"]) | {"name": name} for name, run in runs.items()
    ]
    turn_alike([run["frames"] for run in data["runs"]])
    for run in data["runs"]:
        run["tours"] = tours(data, run)
    data["alt"] = alt_text(data)
    end, word = len(data["runs"][0]["order"]) - 1, first_of_several(data)
    return VectorsTraining(data=packed(data), moment=float(end), selected=word)


def places(
    words: Sequence[str], groups: Mapping, between: Mapping
) -> tuple[list[int], list[list[int]]]:
    """Order the words: their rows, the M of the map first; and the groups of those M.

    Those of several senses come last, so that their stars are drawn over the rest.
    """
    number = {name: kind for kind, name in enumerate(groups)}
    senses = {word: [number[g]] for g, members in groups.items() for word in members}
    senses |= {word: [number[g] for g in two] for word, two in between.items()}
    row = {word: i for i, word in enumerate(words)}
    shown = [row[word] for word in senses]
    return shown + sorted(set(range(len(words))) - set(shown)), list(senses.values())


def first_of_several(data: dict[str, Any]) -> int:
    """Return the first word of several senses, or the first of all."""
    return data["kinds"].index(SEVERAL) if SEVERAL in data["kinds"] else 0


def chance(kinds: Sequence[int]) -> float:
    """Return how often a word drawn at random is of the same group as a given one."""
    sizes = np.bincount([kind for kind in kinds if kind != SEVERAL])
    return float((sizes * (sizes - 1)).sum() / sizes.sum() / (sizes.sum() - 1))


def measure(run: Snapshots, rows: list[int], kinds: Sequence[int]) -> dict[str, Any]:
    """Measure all that the map shows of one run, in full dimension.

    rows (N): the words' rows, the M of the map first; kinds (M): their groups.
    """
    M, kinds = len(kinds), np.asarray(kinds)
    grouped = kinds != SEVERAL
    member = np.eye(kinds.max() + 1)[kinds] * grouped[:, None]  # (M, G)
    directions = [unit(vectors[rows]) for vectors in run.vectors]  # S of (N, D)
    frames, share = maps.aligned_frames(np.stack([x[:M] for x in directions]))
    near, cosines, groups, order = [], [], [], []
    for x in directions:
        table = x[:M] @ x.T  # (M, N)
        named, _ = maps.nearest(table, NEAREST)
        named = [found + [[-1, 0.0]] * (NEAREST - len(found)) for found in named]
        near.append([[i for i, _ in found] for found in named])
        cosines.append([[cosine for _, cosine in found] for found in named])
        sums = table[:, :M] @ member - member * table.diagonal()[:, None]  # (M, G)
        groups.append(sums / (member.sum(0) - member))  # without the word itself
        order.append(float(neighbour_hits(x[:M][grouped], kinds[grouped]).mean()))
    return {
        "steps": [float(step) for step in run.steps],
        "losses": [None if math.isnan(loss) else float(loss) for loss in run.losses],
        "order": order,
        "share": round(share, 4),
        "dimension": directions[0].shape[1],
        "frames": frames,  # (S, M, 2)
        "near": np.array(near),  # (S, M, NEAREST): -1 where a tie leaves none
        "cosines": np.array(cosines),  # (S, M, NEAREST)
        "means": np.array(groups),  # (S, M, G)
    }


def turn_alike(frames: Sequence[np.ndarray]) -> None:
    """Turn the pictures of all runs so that their ends look alike, in place.

    (S, M, 2) each. In the plane there is one angle to choose, and a mirror: that
    changes no distance, and cannot make one picture out of another.
    """
    for own in frames[1:]:
        turn, _ = orthogonal_procrustes(own[-1], frames[0][-1])  # (2, 2)
        own[:] = own @ turn


def packed(data: dict[str, Any]) -> dict[str, Any]:
    """Make the tables small, and leave out the words that nothing names."""
    used = np.unique(np.concatenate([run["near"].ravel() for run in data["runs"]]))
    M = len(data["kinds"])
    kept = [*range(M), *(int(i) for i in used if i >= M)]
    new = np.full(len(data["words"]) + 1, -1)  # its last place is that of -1
    new[kept] = np.arange(len(kept))
    small = {"words": [data["words"][i] for i in kept], "runs": []}
    for run in data["runs"]:
        tables = {name: maps.pack(run[name]) for name in ("frames", "cosines", "means")}
        tables["near"] = maps.pack(new[run["near"]], 1)
        for name in ("order", "losses"):
            tables[name] = [x if x is None else round(x, 4) for x in run[name]]
        small["runs"].append(run | tables)
    return data | small


def tours(data: dict[str, Any], run: dict[str, Any]) -> list[dict[str, Any]]:
    """Choose three things to try, from what was measured."""
    text, order, last = data["text"], run["order"], len(run["order"]) - 1
    rise = order[-1] - order[0]
    half = next(i for i, x in enumerate(order) if x >= order[0] + rise / 2 or i == last)
    third, selected, values = story(data, run)
    values |= {
        "read": thousands(run["steps"][0]),
        "order": percent(order[0]),
        "chance": percent(data["chance"]),
        "near": nearest_words(data, run, 0, selected),
        "before": percent(order[0]),
        "after": percent(order[-1]),
        "half": half,
        "last": last,
    }

    def tour(label: str, say: str, moments: list[int]) -> dict[str, Any]:
        words = {"label": text[label], "say": text[say].format(**values)}
        return words | {"moments": moments, "selected": selected}

    return [
        tour("start", "start_say", [0]),
        tour("learn", "learn_say" if rise >= 0.1 else "stuck_say", [0, last]),
        tour(third, f"{third}_say", [last]),
    ]


def story(data: dict[str, Any], run: dict[str, Any]) -> tuple[str, int, dict[str, str]]:
    """Say where the last snapshot leaves a word between two groups: (text, word, …)."""
    means, kinds = run["means"][-1], np.array(data["kinds"])  # (M, G), (M)
    if SEVERAL in kinds:
        word = first_of_several(data)
        one, two = data["senses"][word]
        others = [g for g in range(means.shape[1]) if g not in (one, two)]
        best = max(others, key=lambda g: means[word, g], default=None)
        if best is None:  # there are no other groups
            return "pair", word, named(data, word, means, one, two, two)
        lead = min(means[word, one], means[word, two]) - means[word, best]
        kind = "middle" if lead >= CLEAR else "leaning"
        return kind, word, named(data, word, means, one, two, best)
    rivals = means.copy()  # (M, G)
    rivals[np.arange(len(kinds)), kinds] = -np.inf
    margins = means[np.arange(len(kinds)), kinds] - rivals.max(axis=1)  # (M)
    word = int(margins.argmin())
    one, best = int(kinds[word]), int(rivals[word].argmax())
    kind = "odd" if margins[word] < 0 else "edge"
    return kind, word, named(data, word, means, one, one, best)


def named(data: dict, word: int, means: np.ndarray, *groups: int) -> dict[str, str]:
    """Name a word and three groups, with its mean cosine to each."""
    names, values = ("one", "two", "next"), ("first", "second", "third")
    said = {"word": data["words"][word]}
    said |= {name: data["groups"][g] for name, g in zip(names, groups, strict=True)}
    cosines = (f"{means[word, g]:.2f}" for g in groups)
    return said | dict(zip(values, cosines, strict=True))


def nearest_words(data: dict, run: dict, moment: int, word: int) -> str:
    """List the nearest words of one word at one snapshot."""
    near = [data["words"][i] for i in run["near"][moment, word] if i >= 0]
    return data["text"]["list"].join(near) or "–"


def thousands(number: float) -> str:
    """Write a number of words: 1,234,567."""
    return f"{round(number):,}"


def alt_text(data: dict[str, Any]) -> str:
    """Say in words what the snapshot shows, and what the other run gives."""
    text, said = data["text"], []
    for run in data["runs"]:
        values = {
            "before": percent(run["order"][0]),
            "after": percent(run["order"][-1]),
        }
        said.append(text["alt_order"].format(method=run["name"], **values))
    means = data["runs"][0]["means"][-1]  # (M, G)
    places = "".join(
        text["alt_place"].format(**named(data, word, means, *senses, senses[0]))
        for word, senses in enumerate(data["senses"])
        if len(senses) == 2
    )
    return text["alt"].format(
        n=len(data["kinds"]),
        groups=len(data["groups"]),
        method=data["runs"][0]["name"],
        orders=(" " if data["language"] == "en" else "").join(said),
        chance=percent(data["chance"]),
        places=places,
    )


def check(
    runs: Mapping[str, Snapshots],
    words: Sequence[str],
    groups: Mapping[str, Sequence[str]],
    between: Mapping[str, Sequence[str]],
    language: str,
) -> None:
    """Refuse what does not fit together, and say what does not."""
    if language not in VECTORS_TRAINING:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    if not 2 <= len(groups) <= len(maps.MARKS):
        raise ValueError(
            f"{len(groups)} groups; the map tells 2 to {len(maps.MARKS)} apart"
        )
    shown = [*between, *(word for members in groups.values() for word in members)]
    twice = sorted({word for word in shown if shown.count(word) > 1})
    absent = sorted(set(shown) - set(words))
    small = [name for name, members in groups.items() if len(members) < 2]
    wrong = [w for w, two in between.items() if len({*two} & {*groups}) != 2]
    for found, problem in (
        (twice, "stand twice in `groups` and `between`; keep each once"),
        (absent, "are not among `words`; leave them out of `groups` and `between`"),
        (small, "have fewer than two words; give each group two at least"),
        (wrong, "need the names of two groups in `between`"),
    ):
        if found:
            raise ValueError(f"these {problem}: {', '.join(found)}")
    if len(shown) > MOST_WORDS:
        raise ValueError(f"{len(shown)} words on the map; it has room for {MOST_WORDS}")
    if not runs:
        raise ValueError("runs is empty; give one run or more, each with a name")
    for name, run in runs.items():
        check_run(name, run, len(words))
    lengths = {name: len(run.steps) for name, run in runs.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"runs with different numbers of snapshots: {lengths}")


def check_run(name: str, run: Snapshots, count: int) -> None:
    """Refuse a run whose three parts do not fit together."""
    shape = np.shape(run.vectors)
    if len(shape) != 3 or not 2 <= shape[0] <= MOST_SNAPSHOTS or shape[1] != count:
        raise ValueError(
            f"snapshots of {name!r} have shape {shape}; they need (snapshots, "
            f"{count} words, dimensions), with 2 to {MOST_SNAPSHOTS} snapshots"
        )
    if not len(run.steps) == len(run.losses) == shape[0]:
        raise ValueError(
            f"{name!r}: {shape[0]} snapshots, {len(run.steps)} steps and "
            f"{len(run.losses)} losses"
        )
    if np.any(np.diff(run.steps) <= 0):
        raise ValueError(f"steps of {name!r} must rise: {list(run.steps)}")
    if not np.isfinite(run.vectors).all():
        raise ValueError(
            f"snapshots of {name!r} hold values that are not finite: the training "
            "diverged; try a lower learning rate"
        )


def snapshot(data: dict[str, Any], method: int) -> bytes:
    """Draw the first and the last snapshot of a run side by side (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    text, run = data["text"], data["runs"][method]
    frames = maps.unpack(run["frames"]).reshape(len(run["steps"]), -1, 2)
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 4.1))
        values = {"n": len(data["kinds"]), "method": run["name"]}
        figure.suptitle(text["title"].format(**values))
        for axes, moment in zip(figure.subplots(1, 2), (0, -1), strict=True):
            draw_panel(axes, data, frames[moment], np.abs(frames).max())
            values = {"read": thousands(run["steps"][moment])}
            values["order"] = percent(run["order"][moment])
            axes.set_title(text["panel"].format(**values), size=9)
        handles, names = axes.get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=4)
        return png(figure)


def draw_panel(
    axes: Any, data: dict[str, Any], points: np.ndarray, reach: float
) -> None:
    """Draw one snapshot (M, 2), on the scale that all share, its stars named."""
    kinds = np.array(data["kinds"])
    for kind, name in enumerate(data["groups"]):
        style = {"marker": maps.MARKS[kind], "color": OKABE_ITO[kind]}
        own = points[kinds == kind]  # (its words, 2)
        axes.scatter(
            *own.T, s=30, edgecolor="white", linewidth=0.5, label=name, **style
        )
    stars = points[kinds == SEVERAL]
    names = data["words"][len(kinds) - len(stars) : len(kinds)]
    if len(stars):
        style = {"marker": "*", "color": "black", "edgecolor": "white", "s": 130}
        axes.scatter(*stars.T, linewidth=0.5, label=data["text"]["several"], **style)
    halo = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5}
    for word, (x, y) in zip(names, stars, strict=True):
        side = {"textcoords": "offset points", "va": "center", "bbox": halo}
        axes.annotate(word, (x, y), (7, 0), size=10, **side)
    limits = (-1.1 * reach, 1.1 * reach)
    axes.set(xlim=limits, ylim=limits, xticks=[], yticks=[], aspect="equal")
    axes.spines[:].set(visible=True, color="lightgrey")
