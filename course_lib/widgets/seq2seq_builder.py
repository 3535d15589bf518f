"""Seq2SeqBuilder: plug parts of two language models into a translator.

Which tensor starts from which language model follows from the names, so the page finds
it by itself, for the tensors of the model given. What a setting brings does not: the
page shows the ablation that it is given, and no number between its rows. The paper's
figures stand apart; they are of another task.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import anywidget
import torch
import traitlets

from course_lib.analysis.statistics import gain, over_seeds
from course_lib.figures import OKABE_ITO, course_style, png, register_font
from course_lib.models.seq2seq import EVERYTHING, Seq2Seq

from . import kit

if TYPE_CHECKING:
    from course_lib.training.translate import TranslatorSettings

SEQ2SEQ_BUILDER = kit.words("seq2seq_builder")
EXPERIMENTS = ("seq2seq_ablation", "seq2seq_pairs")
BASELINE = "no network"
SWITCHES = ("joint", "residual", "both_layers")
TOURS = {"whole": "full", "blind": "without softmax", "late": "no pre-training"}
# The paper's section 3.1; which row of ours is set up alike, if one is.
PAPER = {
    "full": ("full", "0"),
    "decoder": ("only the decoder", "−1.0"),
    "encoder": ("only the encoder", "−1.6"),
    "softmax": ("without softmax", "−1.6"),
    "none": ("no pre-training", "−2.0"),
    "text": (None, None),
    "joint": ("without LM loss", None),
    "extras": (None, None),
}


class Seq2SeqBuilder(anywidget.AnyWidget):
    """A translator's parts and where each starts; see `seq2seq_builder`."""

    _esm = kit.module("seq2seq_builder")
    _css = kit.style("seq2seq_builder")
    data = traitlets.Dict().tag(sync=True)  # tensors, results: never changes
    parts = traitlets.List(traitlets.Unicode(), list(EVERYTHING)).tag(sync=True)
    joint = traitlets.Bool(True).tag(sync=True)
    residual = traitlets.Bool(True).tag(sync=True)
    both_layers = traitlets.Bool(True).tag(sync=True)
    task = traitlets.Int(0).tag(sync=True)  # whose results are shown

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        state = {n: getattr(self, n) for n in ("data", "parts", *SWITCHES, "task")}
        page = kit.twin("seq2seq_builder", state, snapshot(self.data), self.data["alt"])
        return kit.add_html(super()._repr_mimebundle_(**kwargs), page)


def seq2seq_builder(
    model: Seq2Seq,
    rows: Mapping[str, list[dict]],
    ways: Mapping[str, TranslatorSettings],
    language: str = "en",
) -> Seq2SeqBuilder:
    """Build a translator of the model's size, and look up what was measured of it.

    model: whose tensors are shown; its values are not read; rows: of each experiment in
    EXPERIMENTS, with seed, model (a way's name), condition (a task), metric and value;
    none if it was not run; ways: of the ablation, by name, "full" and those of TOURS
    among them; language: of the labels, "en" or "zh".
    """
    if language not in SEQ2SEQ_BUILDER:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    text, found = SEQ2SEQ_BUILDER[language], tensors(model)
    shares = counted(found)
    runs = measured(rows, ways)
    data = {
        "tensors": found,
        "rows": {name: setting(way) for name, way in ways.items()},
        "baseline": BASELINE,
        "runs": runs,
        "tasks": [[key, named(key, text)] for key in runs],
        "paper": paper(text),
        "text": text,
        "language": language,
    }
    data["tours"] = [
        {"label": text[name], "say": text[f"{name}_say"].format(**shares), "row": row}
        for name, row in TOURS.items()
    ]
    return Seq2SeqBuilder(data=data | {"alt": described(data)})


# -- tensors ---------------------------------------------------------------------------


def tensors(model: Seq2Seq) -> list[dict[str, Any]]:
    """List a model's tensors with their shapes: with one layer seen, and with both.

    part: which part of a language model can fill a tensor, "" if none can
    """
    words = [lm.embedding.num_embeddings for lm in (model.source, model.target)]
    width = model.source.embedding.embedding_dim
    with torch.device("meta"):  # shapes, no numbers
        kinds = [Seq2Seq(*words, width, both_layers=both) for both in (False, True)]
    found = []
    for name, one in kinds[0].named_parameters():
        part = ".".join(name.split(".")[:2])
        shapes = [list(one.shape), list(kinds[1].get_parameter(name).shape)]
        own = part if part in EVERYTHING else ""
        found.append({"name": name, "part": own, "shapes": shapes})
    return found


def counted(found: list[dict[str, Any]]) -> dict[str, str]:
    """Count parameters by origin, with everything plugged in and both layers seen."""
    totals = dict.fromkeys(("source", "target", "random"), 0)
    for one in found:
        totals[one["part"].partition(".")[0] or "random"] += math.prod(one["shapes"][1])
    whole = sum(totals.values())
    said = {f"{key}_p": f"{n:,}" for key, n in totals.items()}
    return said | {f"{k}_share": kit.percent(n / whole) for k, n in totals.items()}


# -- what was measured -----------------------------------------------------------------


def setting(way: TranslatorSettings) -> dict[str, Any]:
    """Write a way of the ablation as the widget's controls have it."""
    extras = {"residual": way.extras, "both_layers": way.extras}
    return {"parts": list(way.parts), "joint": way.joint, **extras}


def measured(
    rows: Mapping[str, list[dict]], ways: Mapping[str, TranslatorSettings]
) -> dict[str, dict[str, Any]]:
    """Return for each task what each way gave: BLEU, and by how much less than full.

    Each is [mean, low, high, seeds], the ends None with one seed.
    """
    found: dict[str, dict[str, Any]] = {}
    for key in EXPERIMENTS:
        scores = [row for row in rows.get(key, []) if row["metric"] == "BLEU"]
        if unknown := {row["model"] for row in scores} - {*ways, BASELINE}:
            raise ValueError(f"{key}: {sorted(unknown)} are no rows of the ablation")
        counts = Counter((row["model"], row["condition"]) for row in scores)
        for (name, task), span in over_seeds(scores, "BLEU").items():
            own, full = ({"model": m, "condition": task} for m in (name, "full"))
            gap = None if name == "full" else gain(scores, "BLEU", own, full)
            seeds = counts[name, task]
            values = {"bleu": rounded(span, seeds), "gap": gap and rounded(gap, seeds)}
            found.setdefault(task, {})[name] = values
    return found


def rounded(span: Any, seeds: int) -> list:
    """Write an interval for the page: mean, low, high, number of seeds."""
    ends = [round(x, 2) if math.isfinite(x) else None for x in span]
    return [*ends, seeds]


def named(task: str, text: dict[str, str]) -> str:
    """Name a task and its number of pairs for the reader."""
    name, _, pairs = task.partition(", ")
    return text.get(name, task).format(n=pairs.split()[0])


def paper(text: dict[str, str]) -> list[dict[str, Any]]:
    """List what the paper says, row by row."""
    return [
        {
            "name": text[f"paper_{key}"],
            "bleu": bleu or text[f"paper_{key}_bleu"],
            "row": row,
        }
        for key, (row, bleu) in PAPER.items()
    ]


# -- the picture without scripts -------------------------------------------------------


def described(data: dict[str, Any]) -> str:
    """Say in words what the picture shows."""
    text, said = data["text"], data["text"]["alt_none"]
    for task, name in data["tasks"][:1]:
        own = data["runs"][task]
        each = [f"{text[row]} {v['bleu'][0]:.1f}" for row, v in own.items()]
        said = text["alt_measured"].format(task=name, values=text["list"].join(each))
    return text["alt"].format(**counted(data["tensors"]), measured=said)


BOXES = (  # column, row, part
    (1, 0, "source.embedding"), (1, 1, "source.lstm"), (1, 2, "top"),
    (1, 4, "source.softmax"), (2, 2, "attention"),
    (3, 0, "target.embedding"), (3, 1, "target.lstm"), (3, 2, "top"),
    (3, 3, "output"), (3, 4, "target.softmax"),
)  # fmt: skip
ARROWS = (
    ((1, 0), (1, 1)), ((1, 1), (1, 2)), ((1, 1), (2, 2)), ((1, 2), (2, 2)),
    ((2, 2), (3, 3)), ((3, 0), (3, 1)), ((3, 1), (3, 2)), ((3, 2), (3, 3)),
    ((3, 3), (3, 4)),
)  # fmt: skip
FILLS = {"source": "#F2C572", "target": "#9CC9E8", "": "white"}


def snapshot(data: dict[str, Any]) -> bytes:
    """Draw the translator with everything plugged in (PNG)."""
    import matplotlib
    from matplotlib.figure import Figure

    register_font()
    style = course_style(data["language"]) | {"savefig.dpi": 100, "font.size": 9}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(kit.PICTURE_WIDTH / 100, 3.6))
        axes = figure.subplots()
        draw(axes, data["text"])
        axes.set_title(data["text"]["title"], size=10)
        return png(figure)


def draw(axes: Any, text: dict[str, str]) -> None:
    """Draw boxes, what plugs into them, and the arrows between."""
    for (x, y), (to_x, to_y) in ARROWS:
        start, end = (x, y + 0.27), (x, to_y - 0.27)
        if x != to_x:
            start, end = (x + 0.4, y), (to_x - 0.4, to_y)
        axes.annotate("", end, start, arrowprops={"arrowstyle": "->"})
    bow = {"arrowstyle": "->", "color": OKABE_ITO[4], "lw": 2}
    bow["connectionstyle"] = "arc3,rad=0.3"
    axes.annotate("", (3.42, 3.8), (3.42, 1.1), arrowprops=bow)
    axes.text(3.88, 2.6, text["residual"], color=OKABE_ITO[4], va="center")
    for x, y, part in BOXES:
        side, _, name = part.rpartition(".")
        box(axes, x, y, text[name], side)
        if side:
            end = {"source": 0, "target": 4}[side]
            box(axes, end, y, text[name], side)
            axes.plot([end, x], [y, y], color="0.2", lw=3, zorder=0)
    for x, name in enumerate(("source_lm", "encoder", "", "decoder", "target_lm")):
        axes.text(x, -0.7, text.get(name, ""), ha="center")
    axes.set(xlim=(-0.45, 4.45), ylim=(-0.8, 4.35))
    axes.set_axis_off()


def box(axes: Any, x: float, y: float, label: str, side: str) -> None:
    """Draw one part, in its language model's colour; dashed if it starts at random."""
    from matplotlib.patches import Rectangle

    look = {"facecolor": FILLS[side], "edgecolor": "0.2", "ls": "-" if side else "--"}
    axes.add_patch(Rectangle((x - 0.38, y - 0.26), 0.76, 0.52, **look))
    axes.text(x, y, label, ha="center", va="center", size=8)
