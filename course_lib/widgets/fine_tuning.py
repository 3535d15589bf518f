"""FineTuning: compose ULMFiT's third stage, and see which settings were measured.

The learning rate of each layer at each step follows from closed forms, which the page
computes by itself. What a setting brings does not: the page shows the runs that it is
given, and no number between them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import numpy as np
import traitlets

from course_lib.analysis.statistics import over_seeds
from course_lib.figures import OKABE_ITO, course_style, png, register_font
from course_lib.training.fine_tune import FACTOR, POLICIES
from course_lib.training.schedules import constant, cosine, linear, slanted

from . import kit
from .kit import percent

FINE_TUNING = kit.words("fine_tuning")
TASKS = FINE_TUNING.pop("tasks")  # by the names that papers call them
LAYERS = 5  # of a classifier: words, three LSTMs, the head
RATE = 0.01  # the highest layer's, at its highest
PER_EPOCH = 10  # steps that the picture has
EPOCHS = 8  # to begin with: as many as the saved runs have, or fewer
STEP = 35  # to begin with: the lowest layer is still frozen
SCHEDULES = {"constant": constant, "linear": linear, "cosine": cosine, "stlr": slanted}
PAPER = {"schedule": "stlr", "policy": "gradual", "factor": FACTOR}
SHAPE = {"cut_frac": 0.1, "ratio": 32}  # of the paper's STLR, and of all saved runs
# What each experiment changes; the rest is as in PAPER.
EXPERIMENTS = {
    "ulmfit_policies": "policy",
    "ulmfit_schedules": "schedule",
    "ulmfit_factor": "factor",
    "ulmfit_factorial": None,
}
METRICS = ("accuracy", "perplexity")
TOURS = {
    "plain": {"schedule": "constant", "policy": "full", "factor": 1.0},
    "ulmfit": PAPER,
    "odd": {"schedule": "cosine", "policy": "chain-thaw", "factor": 4.0},
}


class FineTuning(anywidget.AnyWidget):
    """Rates of each layer over the steps, above saved runs; see `fine_tuning`."""

    _esm = kit.module("fine_tuning")
    _css = kit.style("fine_tuning")
    data = traitlets.Dict().tag(sync=True)  # runs and labels: never changes
    schedule = traitlets.Unicode(PAPER["schedule"]).tag(sync=True)
    cut_frac = traitlets.Float(SHAPE["cut_frac"]).tag(sync=True)
    ratio = traitlets.Float(SHAPE["ratio"]).tag(sync=True)
    factor = traitlets.Float(PAPER["factor"]).tag(sync=True)
    policy = traitlets.Unicode(PAPER["policy"]).tag(sync=True)
    epochs = traitlets.Int(EPOCHS).tag(sync=True)
    step = traitlets.Int(STEP).tag(sync=True)  # that the table is of
    task = traitlets.Int(0).tag(sync=True)  # whose runs are shown

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        names = ("data", "epochs", "step", "task", *PAPER, *SHAPE)
        state = {name: getattr(self, name) for name in names}
        page = kit.twin("fine_tuning", state, snapshot(self.data), self.data["alt"])
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def fine_tuning(rows: Mapping[str, list[dict]], language: str = "en") -> FineTuning:
    """Compose a fine-tuning, and look up what was measured of it.

    rows: of each experiment in EXPERIMENTS, with seed, condition, metric and value; one
    without rows is named as not measured; language: of the labels, "en" or "zh".
    """
    if language not in FINE_TUNING:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    text = FINE_TUNING[language]
    found = {key: runs(key, rows.get(key, []), text) for key in EXPERIMENTS}
    measured = [run for own in found.values() for run in own]
    data = {
        "layers": text["layers"].split("|"),
        "rate": RATE,
        "per_epoch": PER_EPOCH,
        "paper": PAPER,
        "shape": SHAPE,
        "experiments": list(found),
        "missing": [key for key, own in found.items() if not own],
        "runs": measured,
        "tasks": list(dict.fromkeys(run["task"] for run in measured)),
        "text": text,
        "language": language,
    }
    data["titles"] = [TASKS.get(task, task) for task in data["tasks"]]
    data["tours"] = [tour(name, text) for name in TOURS]
    return FineTuning(data=data | {"alt": described(data)})


# -- the saved runs --------------------------------------------------------------------


def runs(key: str, rows: list[dict], text: dict[str, str]) -> list[dict[str, Any]]:
    """List an experiment's settings with what they gave."""
    counts = Counter((row["condition"], row["metric"]) for row in rows)
    if sum(counts.values()) > len({(*r.values(),)[:4] for r in rows}):
        raise ValueError(f"{key} has several rows of a condition with one seed")
    found = {metric: over_seeds(rows, metric) for metric in METRICS}

    def summary(model: str, condition: str, metric: str) -> list | None:
        interval = found[metric].get((model, condition))
        if interval is None:
            return None
        ends = [round(x, 4) if math.isfinite(x) else None for x in interval]
        return [*ends, counts[condition, metric]]

    listed = []
    for model, condition in found["accuracy"]:
        task, _, title = condition.rpartition(": ")
        values = {m: summary(model, condition, m) for m in METRICS}
        values["before"] = summary(model, f"{task}: before", "perplexity")
        if not values["before"]:  # after what? A perplexity alone tells nothing
            values["perplexity"] = None
        about = {"experiment": key, "task": task, "name": name(title, text)}
        listed.append(about | setting(key, title) | values)
    return listed


def setting(key: str, title: str) -> dict[str, Any]:
    """Say with which schedule, policy and factor a condition was run."""
    one, parts = EXPERIMENTS[key], set(title.split("+"))
    if one is None and parts <= {"discr", "stlr", "freez", "none"}:
        return {
            "schedule": "stlr" if "stlr" in parts else "constant",
            "policy": "gradual" if "freez" in parts else "full",
            "factor": FACTOR if "discr" in parts else 1.0,
        }
    if one == "factor":
        return PAPER | {"factor": float(title)}
    if title not in {"policy": POLICIES, "schedule": SCHEDULES}.get(one, ()):
        raise ValueError(f"{key}: {title!r} is no setting that this widget knows")
    return PAPER | {one: title}


def name(title: str, text: dict[str, str]) -> str:
    """Name a condition for the reader."""
    return text["join"].join(text.get(part, part) for part in title.split("+"))


# -- the closed forms, for the picture -------------------------------------------------


def rates(
    schedule: Callable[[float], float], policy: str, factor: float, epochs: int
) -> np.ndarray:
    """Return each layer's learning rate at each step, 0 if frozen. Shape: (L, steps).

    The lowest layer comes first; PER_EPOCH steps an epoch. As `training.fine_tune`
    has it; the page computes the same by itself.
    """
    steps = PER_EPOCH * epochs
    share = [schedule((step + 1) / (steps + 1)) for step in range(steps)]  # (steps,)
    own = [RATE / factor ** (LAYERS - 1 - depth) for depth in range(LAYERS)]  # (L,)
    learns = np.zeros((LAYERS, steps))
    for step in range(steps):
        learns[list(POLICIES[policy](step // PER_EPOCH, LAYERS)), step] = 1
    return learns * np.outer(own, share)


def tour(name: str, text: dict[str, str]) -> dict[str, Any]:
    """Name one thing to try, what it sets and what to look for."""
    whole = rates(slanted, PAPER["policy"], FACTOR, EPOCHS).sum(axis=1)  # (L,)
    values = {
        "rate": RATE,
        "factor": FACTOR,
        "epochs": EPOCHS,
        "words": kit.chance(whole[0] / whole[-1]),
        "power": round(FACTOR ** (LAYERS - 1)),
    }
    say = text[f"{name}_say"].format(**values)
    return {"label": text[name], "say": say, "set": TOURS[name] | SHAPE}


# -- the picture without scripts -------------------------------------------------------


def shown_runs(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Choose what the picture shows: the first experiment with its first task."""
    first = data["runs"][:1]
    same = ("experiment", "task")
    return [
        r for r in data["runs"] if [r[k] for k in same] == [first[0][k] for k in same]
    ]


def described(data: dict[str, Any]) -> str:
    """Say in words what the picture shows."""
    text, values = data["text"], {"cut": percent(SHAPE["cut_frac"]), "rate": RATE}
    measured, shown = text["alt_none"], shown_runs(data)
    if shown:
        each = [f"{run['name']} {100 * run['accuracy'][0]:.1f}%" for run in shown]
        found = {"task": data["titles"][0], "values": text["list"].join(each)}
        measured = text["alt_measured"].format(**found)
    values |= {"epochs": EPOCHS, "factor": FACTOR, "measured": measured}
    return text["alt"].format(**values)


def snapshot(data: dict[str, Any]) -> bytes:
    """Draw ULMFiT's learning rates, and the accuracies of some runs (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 3.4))
        left, right = figure.subfigures(1, 2, width_ratios=[5, 4])
        draw_rates(left, data)
        draw_runs(right.subplots(), data)
        return png(figure)


def draw_rates(figure: Any, data: dict[str, Any]) -> None:
    """Draw the schedule above the rates of the layers, which are dark if high."""
    from matplotlib.colors import LogNorm

    text = data["text"]
    top, below = figure.subplots(2, 1, sharex=True, height_ratios=[2, 3])
    shown = rates(slanted, PAPER["policy"], FACTOR, EPOCHS)  # (L, steps)
    moments = (np.arange(shown.shape[1]) + 0.5) / PER_EPOCH  # in epochs
    top.plot(moments, shown[-1])
    top.set_title(text["title"], size=9)
    top.set_ylabel(data["layers"][-1])
    edges = np.arange(shown.shape[1] + 1) / PER_EPOCH
    hidden = np.ma.masked_equal(shown, 0)
    look = {"cmap": "Blues", "norm": LogNorm(1e-6, RATE)}
    mesh = below.pcolormesh(edges, np.arange(LAYERS + 1), hidden, **look)
    below.set_yticks(np.arange(LAYERS) + 0.5, data["layers"])
    below.set_xlabel(text["epochs"])
    figure.colorbar(mesh, ax=[top, below], shrink=0.8)


def draw_runs(axes: Any, data: dict[str, Any]) -> None:
    """Draw the accuracies of one experiment with their intervals."""
    text, shown = data["text"], shown_runs(data)
    if not shown:
        axes.set_axis_off()
        axes.text(0.5, 0.5, text["no_runs"], ha="center")
        return
    for row, run in enumerate(shown):
        mean, low, high, _ = run["accuracy"]
        if low is not None:
            axes.plot([low, high], [row, row], color=OKABE_ITO[0])
        axes.plot(mean, row, "o", color=OKABE_ITO[0])
    axes.set_yticks(range(len(shown)), [run["name"] for run in shown])
    axes.set(ylim=(len(shown) - 0.5, -0.5), xlabel=text["axis"])
    axes.set_title(text["title_measured"].format(task=data["titles"][0]), size=9)
