"""Lesson 10: what each stage and each technique of ULMFiT brings, on small tasks.

A general language model (awdlstm-en, awdlstm-zh), tuned on a task's own texts without
their labels (stage 2, once a task), then a classifier with few labels (stage 3, once a
seed: the seed draws the labelled documents, the head and all noise). The rules were
fixed before the runs; differences are taken within a seed. Most claims are about gains,
over several tasks and numbers of labels:
    supported    the gain is surely above 0 in more than half of them
    overstated   in some, but not in more than half
    wrong        in none
ulmfit_labels       "three stages beat a classifier from scratch", "stage 2 helps"
ulmfit_curve        how many labels the others need for the same (English: questions)
ulmfit_curve_zh     the same in Chinese (shoppers' reviews). With these two and the
                    first, "100 labels do what ten times as many do from scratch":
                    supported if they are surely worse in no task, overstated if in
                    some, wrong if in all (at first only the first experiment was
                    asked; the curves, one of which disagrees, were added afterwards)
ulmfit_factorial    "discriminative rates / STLR / gradual unfreezing help" (the main
                    effect); "X matters most" is supported if X's main effect is surely
                    above both others' in more than half of the tasks
ulmfit_schedules    "STLR beats the usual schedules", each of three in each task
                    "the three together fine-tune better than none"
ulmfit_factor       "the rate should fall by 2.6 from layer to layer": supported if 2.6
                    is surely better than every other factor in more than half of the
                    tasks, overstated if than some, else wrong
ulmfit_policies     "fine-tuning forgets": the perplexity on general text rises
                    "gradual unfreezing prevents forgetting": supported if it rises
                    surely less than half as much as with full fine-tuning in more than
                    half of the tasks, overstated if surely less in some, else wrong
ulmfit_stage2       how much text stage 2 needs; no claim
ulmfit_directions   "one direction is enough": wrong if a forward and a backward
                    classifier together are surely better in more than half of the
                    tasks, overstated if in some, else supported
Surely: the 95 % interval over seeds excludes 0. The perplexity after fine-tuning is
taken in the logarithm.
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
import sys
from collections.abc import Sequence

from course_lib import data
from course_lib.analysis.baselines import classify as without_pretraining
from course_lib.analysis.statistics import Interval, t_interval
from course_lib.models.awd_lstm import AWDLSTM, Remembering
from course_lib.text.batches import Text, read_text
from course_lib.text.streams import Streams
from course_lib.training import schedules
from course_lib.training.fine_tune import predict
from course_lib.training.loop import evaluate
from course_lib.training.pretrain import RECIPES, documents
from course_lib.training.stages import (
    FULL,
    SMALL,
    ULMFIT,
    Task,
    Way,
    accuracy,
    drawn,
    general,
    learn,
    prepare,
    score,
    scratch,
    shortened,
    tuned,
)

from ..ledger import gain

QUICK = Way(epochs=1, steps=3)

# -- the experiments -------------------------------------------------------------------

LABELLED = {  # tasks, and how many labels they are tried with
    "imdb": (100,),
    "qc": (25, 100, 500),
    "sentence_polarity": (100, 1000),
    "chnsenticorp": (100,),
    "tnews": (100, 1000),
}
TECHNIQUES = (("qc", 500), ("tnews", 500))  # short texts: many ways to compare
PARTS = ("discr", "stlr", "freez")


def row(model: str, condition: str, metric: str, value: float) -> dict:
    """Write a row for the ledger."""
    about = {"model": model, "condition": condition, "metric": metric}
    return about | {"value": float(value)}


def at_hand(chosen: Sequence[tuple], quick: bool) -> list[tuple]:
    """Return (name, n) pairs; quick: Rivertown's reviews, which every clone has."""
    return [("rivertown-en-sentiment", 40)] if quick else list(chosen)


def ulmfit_labels(seed: int, quick: bool = False) -> list[dict]:
    """Compare the stages at growing numbers of labels, and with no pre-training."""
    sizes, found = SMALL if quick else FULL, []
    pairs = [(name, n) for name, counts in LABELLED.items() for n in counts]
    for name, n in at_hand(pairs, quick):
        task = prepare(name, sizes)
        condition = f"{name}, {n} labels"
        train = [task.splits["train"][i] for i in drawn(task, n, seed)]
        plain = without_pretraining(train, task.splits["test"], task.language)
        found += [row(m, condition, "accuracy", v) for m, v in plain.items()]
        way = QUICK if quick else ULMFIT
        # From scratch there is nothing to protect: all layers learn, at one rate.
        whole = way._replace(policy="full", factor=1.0)
        encoders = {
            "from scratch": (scratch(task, seed), whole),
            "without stage 2": (general(task), way),
            "all stages": (tuned(task, sizes), way),
        }
        for title, (encoder, how) in encoders.items():
            model = learn(task, encoder, n, seed, how)
            found.append(row(title, condition, "accuracy", score(task, model)))
    return found


def learning_curve(
    name: str, counts: Sequence[int], seed: int, quick: bool
) -> list[dict]:
    """Compare all stages with no pre-training, from few labels to many."""
    sizes = SMALL if quick else FULL._replace(train=counts[-1])
    task, found = prepare(name, sizes), []
    way = QUICK if quick else ULMFIT
    encoders = {  # from scratch as in ulmfit_labels
        "from scratch": (scratch(task, seed), way._replace(policy="full", factor=1.0)),
        "all stages": (tuned(task, sizes), way),
    }
    for n in counts:
        condition = f"{name}, {n} labels"
        train = [task.splits["train"][i] for i in drawn(task, n, seed)]
        plain = without_pretraining(train, task.splits["test"], task.language)
        found += [row(m, condition, "accuracy", v) for m, v in plain.items()]
        for title, (encoder, how) in encoders.items():
            model = learn(task, copy.deepcopy(encoder), n, seed, how)
            found.append(row(title, condition, "accuracy", score(task, model)))
    return found


def ulmfit_curve(seed: int, quick: bool = False) -> list[dict]:
    """Sort questions (TREC-6) with 25 labels up to all 5,452."""
    counts = (25, 50, 100, 200, 500, 1000, 5452)
    if quick:
        return learning_curve("rivertown-en-sentiment", (20, 40), seed, quick)
    return learning_curve("qc", counts, seed, quick)


def ulmfit_curve_zh(seed: int, quick: bool = False) -> list[dict]:
    """Tell from shoppers' reviews what they have bought, and whether they like it."""
    if quick:
        return learning_curve("rivertown-zh-sentiment", (20, 40), seed, quick)
    counts = {
        "categories": (25, 50, 100, 200, 500, 1000),
        "online_shopping": (100, 1000),
    }
    curves = (learning_curve(name, n, seed, quick) for name, n in counts.items())
    return list(itertools.chain(*curves))


def compare_ways(ways: dict[str, Way], seed: int, quick: bool) -> list[dict]:
    """Train all stages with each way of fine-tuning, on the tasks of TECHNIQUES."""
    sizes, found = SMALL if quick else FULL, []
    for name, n in at_hand(TECHNIQUES, quick):
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


def perplexity(task: Task, model: AWDLSTM, quick: bool) -> float:
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
        ways[title] = Way(
            policy="gradual" if freez else "full",
            schedule=schedules.slanted if slanted else schedules.constant,
            factor=2.6 if discr else 1.0,
        )
    return compare_ways(ways, seed, quick)


def ulmfit_schedules(seed: int, quick: bool = False) -> list[dict]:
    """Train with four schedules, the rest as ULMFiT has it."""
    names = {"stlr": "slanted"} | {k: k for k in ("constant", "linear", "cosine")}
    ways = {k: Way(schedule=getattr(schedules, name)) for k, name in names.items()}
    return compare_ways(ways, seed, quick)


def ulmfit_factor(seed: int, quick: bool = False) -> list[dict]:
    """Train with rates that lie further and further apart from layer to layer."""
    ways = {f"{factor:g}": Way(factor=factor) for factor in (1.0, 1.5, 2.6, 5.0)}
    return compare_ways(ways, seed, quick)


def ulmfit_policies(seed: int, quick: bool = False) -> list[dict]:
    """Train with the four policies of unfreezing, the rest as ULMFiT has it."""
    names = ("full", "last", "gradual", "chain-thaw")
    return compare_ways({k: Way(policy=k) for k in names}, seed, quick)


def ulmfit_stage2(seed: int, quick: bool = False) -> list[dict]:
    """Give stage 2 more and more of the task's text; 0 words: none."""
    sizes, found = SMALL if quick else FULL, []
    steps = (0, 2000) if quick else (0, 10_000, 100_000, 500_000)
    chosen = (("sentence_polarity", 100), ("chnsenticorp", 100))
    for name, n in at_hand(chosen, quick):
        task = prepare(name, sizes)
        for words in (w for w in steps if w / 2 < task.text.n_tokens):
            encoder = tuned(task, sizes, words) if words else general(task)
            model = learn(task, encoder, n, seed, QUICK if quick else ULMFIT)
            condition = f"{name}, {words} words"
            found.append(row("ULMFiT", condition, "accuracy", score(task, model)))
    return found


def ulmfit_directions(seed: int, quick: bool = False) -> list[dict]:
    """Read forward, backward, and average the two classifiers' probabilities."""
    sizes, found = SMALL if quick else FULL, []
    for name, n in at_hand((*TECHNIQUES, ("imdb", 100)), quick):
        forward = prepare(name, sizes)
        probabilities = {}
        for task in (forward, forward._replace(backward=True)):
            way = QUICK if quick else ULMFIT
            model = learn(task, tuned(task, sizes), n, seed, way)
            title = "backward" if task.backward else "forward"
            probabilities[title] = predict(model, task.numbered("test"))
        probabilities["ensemble"] = sum(probabilities.values()) / 2
        for title, p in probabilities.items():
            value = accuracy(forward, p)
            found.append(row(title, f"{name}, {n} labels", "accuracy", value))
    return found


# -- the rules -------------------------------------------------------------------------


def verdict(sure: Sequence[bool]) -> str:
    """Say what follows from which gains are sure, see the top of this file."""
    if sum(sure) > len(sure) / 2:
        return "supported"
    return "overstated" if any(sure) else "wrong"


def conditions(rows: list[dict]) -> list[str]:
    """List the conditions of some rows, in their order, once each."""
    return list(dict.fromkeys(row["condition"] for row in rows))


def gains(rows: list[dict], new: str, old: str) -> dict[str, Interval]:
    """Return, for each condition that has both models, the gain in accuracy."""
    found = {}
    for condition in conditions(rows):
        a, b = ({"model": m, "condition": condition} for m in (new, old))
        found[condition] = gain(rows, "accuracy", a, b)
    return found


def stages_verdict(rows: list[dict]) -> str:
    """Judge: three stages beat a classifier from scratch."""
    found = gains(rows, "all stages", "from scratch")
    return verdict([g.low > 0 for g in found.values()])


def stage2_verdict(rows: list[dict]) -> str:
    """Judge: stage 2 helps."""
    found = gains(rows, "all stages", "without stage 2")
    return verdict([g.low > 0 for g in found.values()])


def later(rows: list[dict]) -> list[dict]:
    """Return the rows; of those that two experiments measured, the later one's.

    `ulmfit_curve` repeats a task of `ulmfit_labels`, with 1,000 labels and other draws.
    """
    return list(
        {
            (row["model"], row["condition"], row["seed"], row["metric"]): row
            for row in rows
        }.values()
    )


def hundred_verdict(rows: list[dict]) -> str:
    """Judge: 100 labels do what ten times as many do from scratch."""
    rows, worse = later(rows), []
    for condition in conditions(rows):
        task, _, labels = condition.partition(", ")
        if labels == "1000 labels":
            few = {"model": "all stages", "condition": f"{task}, 100 labels"}
            many = {"model": "from scratch", "condition": condition}
            worse.append(gain(rows, "accuracy", few, many).high < 0)
    if not any(worse):
        return "supported"
    return "wrong" if all(worse) else "overstated"


def tasks_of(rows: list[dict]) -> list[str]:
    """List the tasks of rows whose conditions are "TASK: way"."""
    return list(dict.fromkeys(c.partition(": ")[0] for c in conditions(rows)))


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


def technique_verdict(rows: list[dict], part: str) -> str:
    """Judge: one of PARTS helps (its main effect)."""
    found = [t_interval(effects(rows, task)[part]) for task in tasks_of(rows)]
    return verdict([g.low > 0 for g in found])


def most_verdict(rows: list[dict], part: str) -> str:
    """Judge: one of PARTS matters more than both others."""
    sure = []
    for task in tasks_of(rows):
        of = effects(rows, task)
        more = [
            [a - b for a, b in zip(of[part], of[other], strict=True)]
            for other in PARTS
            if other != part
        ]
        sure.append(all(t_interval(values).low > 0 for values in more))
    return verdict(sure)


def schedules_verdict(rows: list[dict]) -> str:
    """Judge: STLR beats the usual schedules."""
    sure = []
    for task in tasks_of(rows):
        for other in ("constant", "linear", "cosine"):
            a, b = ({"condition": f"{task}: {way}"} for way in ("stlr", other))
            sure.append(gain(rows, "accuracy", a, b).low > 0)
    return verdict(sure)


def forgotten(rows: list[dict], task: str, way: str) -> dict[int, float]:
    """Return by how much log perplexity on general text has risen, seed by seed."""
    of = {
        (r["seed"], r["condition"]): math.log(r["value"])
        for r in rows
        if r["metric"] == "perplexity"
    }
    seeds = sorted({seed for seed, _ in of})
    return {s: of[s, f"{task}: {way}"] - of[s, f"{task}: before"] for s in seeds}


def forgetting_verdict(rows: list[dict]) -> str:
    """Judge: fine-tuning forgets."""
    risen = [forgotten(rows, task, "full").values() for task in tasks_of(rows)]
    return verdict([t_interval(list(values)).low > 0 for values in risen])


def unfreezing_verdict(rows: list[dict]) -> str:
    """Judge: gradual unfreezing prevents forgetting."""
    half, less = [], []
    for task in tasks_of(rows):
        full, slow = (forgotten(rows, task, way) for way in ("full", "gradual"))
        half.append(t_interval([slow[s] - full[s] / 2 for s in full]).high < 0)
        less.append(t_interval([slow[s] - full[s] for s in full]).high < 0)
    if sum(half) > len(half) / 2:
        return "supported"
    return "overstated" if any(less) else "wrong"


def directions_verdict(rows: list[dict]) -> str:
    """Judge: one direction is enough."""
    found = gains(rows, "ensemble", "forward").values()
    opposite = verdict([g.low > 0 for g in found])
    return {"supported": "wrong", "wrong": "supported"}.get(opposite, opposite)


def together_gains(rows: list[dict]) -> dict[str, Interval]:
    """Return, in each task, what all three techniques gain over none of them."""
    found = {}
    for task in tasks_of(rows):
        a, b = ({"condition": f"{task}: {way}"} for way in ("+".join(PARTS), "none"))
        found[task] = gain(rows, "accuracy", a, b)
    return found


def together_verdict(rows: list[dict]) -> str:
    """Judge: the three techniques together fine-tune better than none."""
    return verdict([g.low > 0 for g in together_gains(rows).values()])


def factor_gains(rows: list[dict]) -> dict[str, Interval]:
    """Return what a factor of 2.6 between layers gains over each other one."""
    found = {}
    for task in tasks_of(rows):
        for other in ("1", "1.5", "5"):
            a, b = ({"condition": f"{task}: {way}"} for way in ("2.6", other))
            found[f"{task}, {other}"] = gain(rows, "accuracy", a, b)
    return found


def factor_verdict(rows: list[dict]) -> str:
    """Judge: the rate should fall by 2.6 from layer to layer.

    Supported if 2.6 is surely better than every other factor in more than half of the
    tasks, overstated if surely better than some, wrong if than none.
    """
    sure = {place: g.low > 0 for place, g in factor_gains(rows).items()}
    tasks = tasks_of(rows)
    best = [all(s for at, s in sure.items() if at.startswith(f"{t},")) for t in tasks]
    if sum(best) > len(best) / 2:
        return "supported"
    return "overstated" if any(sure.values()) else "wrong"


EXPERIMENTS = {
    "ulmfit_labels": ulmfit_labels,
    "ulmfit_curve": ulmfit_curve,
    "ulmfit_curve_zh": ulmfit_curve_zh,
    "ulmfit_factorial": ulmfit_factorial,
    "ulmfit_schedules": ulmfit_schedules,
    "ulmfit_factor": ulmfit_factor,
    "ulmfit_policies": ulmfit_policies,
    "ulmfit_stage2": ulmfit_stage2,
    "ulmfit_directions": ulmfit_directions,
}
