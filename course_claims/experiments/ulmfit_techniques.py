"""Lesson 10: what each technique of ULMFiT's fine-tuning brings, on small tasks.

Stages 1 and 2 are done (ulmfit.py says how); stage 3 is done in many ways. Differences
are taken within a seed. The head learns at 0.01 in all of them; the paper used 0.001
where the layers have no rates of their own.

ulmfit_factorial    discriminative rates, STLR and gradual unfreezing, with and without
                    each: main effects, one of them minus another, all three minus none
ulmfit_schedules    STLR minus each of three other schedules
ulmfit_factor       a factor of 2.6 from layer to layer minus three other factors
ulmfit_policies     how much the perplexity on general text rises: all layers at once,
                    the last one only, gradually, one at a time

The perplexity after fine-tuning is taken in the logarithm.
"""

from __future__ import annotations

import functools
import itertools
import math
import sys

from course_lib import data
from course_lib.analysis.statistics import Interval
from course_lib.models.awd_lstm import AWDLSTM, Remembering
from course_lib.text.batches import Text, read_text
from course_lib.text.streams import Streams
from course_lib.training import schedules
from course_lib.training.loop import evaluate
from course_lib.training.stages import FULL, ClassificationTask, prepare, shortened
from course_pretraining.recipes import RECIPES, documents

from ..ledger import gain
from ..rules import beginnings, row
from ..stages import SMALL, StageThree, learn, score, tuned
from .ulmfit import PARTS, QUICK, TECHNIQUES, tasks_for


def compare_ways(ways: dict[str, StageThree], seed: int, quick: bool) -> list[dict]:
    """Train all stages with each way of fine-tuning, on the tasks of TECHNIQUES."""
    sizes, found = SMALL if quick else FULL, []
    for name, n in tasks_for(TECHNIQUES, quick):
        task = prepare(name, sizes)
        before = perplexity(task, tuned(task, sizes), quick)
        found.append(row("ULMFiT", f"{name}: before", "perplexity", before))
        for title, way in ways.items():
            if quick:
                way = way._replace(epochs=QUICK.epochs, steps=QUICK.steps)
            model = learn(task, tuned(task, sizes), n, seed, way)
            about = ("ULMFiT", f"{name}: {title}")
            found.append(row(*about, "accuracy", score(task, model)))
            after = perplexity(task, model.encoder, quick)
            found.append(row(*about, "perplexity", after))
    return found


def perplexity(task: ClassificationTask, model: AWDLSTM, quick: bool) -> float:
    """Return a language model's perplexity on general text that it has not read.

    The held-out documents of stage 1, in the task's vocabulary, or Rivertown. How much
    of stage 1 is forgotten.
    """
    text = elsewhere(task.language, 2000 if quick else 10_000, quick)
    streams = Streams(text, task.vocabulary, rows=8)
    return math.exp(evaluate(Remembering(model), streams).item())


@functools.cache
def elsewhere(language: str, words: int, quick: bool) -> Text:
    """Return general text of about so many words."""
    if quick:
        found = data.load(f"rivertown-{language}", tokens=words).documents()
    else:
        found = documents(RECIPES[f"awdlstm-{language}"], held_out=True)
    read, kept = 0, []
    for document in found:
        read += sum(map(len, document))
        kept.append([[word.lower() for word in sentence] for sentence in document])
        if read >= words:
            break
    return shortened(read_text(kept, window=sys.maxsize), words)


def ulmfit_factorial(seed: int, quick: bool = False) -> list[dict]:
    """Train with every subset of the three techniques."""
    ways = {}
    for switches in itertools.product((False, True), repeat=3):
        discr, slanted, freez = switches
        title = "+".join(itertools.compress(PARTS, switches)) or "none"
        ways[title] = StageThree(
            policy="gradual" if freez else "full",
            schedule=schedules.slanted if slanted else schedules.constant,
            factor=2.6 if discr else 1.0,
        )
    return compare_ways(ways, seed, quick)


def ulmfit_schedules(seed: int, quick: bool = False) -> list[dict]:
    """Train with four schedules, the rest as ULMFiT has it."""
    names = {"stlr": "slanted"} | {k: k for k in ("constant", "linear", "cosine")}
    ways = {
        k: StageThree(schedule=getattr(schedules, name)) for k, name in names.items()
    }
    return compare_ways(ways, seed, quick)


def ulmfit_factor(seed: int, quick: bool = False) -> list[dict]:
    """Train with rates that lie further and further apart from layer to layer."""
    ways = {f"{factor:g}": StageThree(factor=factor) for factor in (1.0, 1.5, 2.6, 5.0)}
    return compare_ways(ways, seed, quick)


def ulmfit_policies(seed: int, quick: bool = False) -> list[dict]:
    """Train with the four policies of unfreezing, the rest as ULMFiT has it."""
    names = ("full", "last", "gradual", "chain-thaw")
    return compare_ways({k: StageThree(policy=k) for k in names}, seed, quick)


def effects(rows: list[dict], task: str) -> dict[str, list[float]]:
    """Return each subset's effect on the accuracy, seed by seed: main, and together.

    Of the 2³ runs, those in which an even number of the subset's parts is missing count
    as +1, the others as -1; the sum is divided by 4. For a single part that is the mean
    with it less the mean without it.
    """
    found: dict[str, list[float]] = {}
    table: dict[int, dict[str, float]] = {}
    for r in rows:
        about, _, way = r["condition"].partition(": ")
        if about == task and r["metric"] == "accuracy":
            table.setdefault(r["seed"], {})[way] = r["value"]
    for size in (1, 2, 3):
        for subset in itertools.combinations(PARTS, size):
            found["+".join(subset)] = [
                sum(
                    value * (-1) ** sum(part not in way.split("+") for part in subset)
                    for way, value in runs.items()
                )
                / 4
                for runs in table.values()
            ]
    return found


def forgotten(rows: list[dict], task: str, way: str) -> dict[int, float]:
    """Return by how much log perplexity on general text has risen, seed by seed."""
    of = {
        (r["seed"], r["condition"]): math.log(r["value"])
        for r in rows
        if r["metric"] == "perplexity"
    }
    seeds = sorted({seed for seed, _ in of})
    return {s: of[s, f"{task}: {way}"] - of[s, f"{task}: before"] for s in seeds}


def together_gains(rows: list[dict]) -> dict[str, Interval]:
    """Return, in each task, what all three techniques gain over none of them."""
    found = {}
    for task in beginnings(rows):
        a, b = ({"condition": f"{task}: {way}"} for way in ("+".join(PARTS), "none"))
        found[task] = gain(rows, "accuracy", a, b)
    return found


def factor_gains(rows: list[dict]) -> dict[str, Interval]:
    """Return what a factor of 2.6 between layers gains over each other one."""
    found = {}
    for task in beginnings(rows):
        for other in ("1", "1.5", "5"):
            a, b = ({"condition": f"{task}: {way}"} for way in ("2.6", other))
            found[f"{task}, {other}"] = gain(rows, "accuracy", a, b)
    return found


EXPERIMENTS = {
    "ulmfit_factorial": ulmfit_factorial,
    "ulmfit_schedules": ulmfit_schedules,
    "ulmfit_factor": ulmfit_factor,
    "ulmfit_policies": ulmfit_policies,
}
