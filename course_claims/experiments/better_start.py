"""Lesson 11: is what was pre-trained a better start, and does it regularise?

A classifier begins as each of the encoders of why.py, where the texts and
both tasks are told. Differences are taken within a seed.

why_start       From each model all layers are fine-tuned with 160 labels, at two rates.
                "It is a better start", "it is only a better scale of the numbers": in
                how many steps the trained and the permuted model get as far as the
                untrained one does at its best.
why_regularise  40, 160, 640 labels, 200 steps, from the real and the untrained model,
                and with the real one frozen.
                "It regularises": the loss on unseen texts where that on the labelled
                ones first is as low as .2 nats (Erhan et al. 2010 look at equal
                training loss). "It overfits less": training minus test accuracy.
                "Freeze with few labels, fine-tune with many": fine-tuned minus frozen.
why_l2sp        Fine-tuning with a penalty of every strength, to the start or to zero.
                "Fine-tuning keeps the parameters near the pre-trained ones": how far
                they move with other rates and fewer steps. "An explicit pull to the
                start helps", "pre-training is a prior": the strength is chosen on 200
                other texts, its accuracy minus that without a pull; and whether a
                weaker one is chosen with more labels.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from course_lib.models.awd_lstm import AWDLSTM
from course_lib.models.classifier import TextClassifier
from course_lib.training.anchored import distances
from course_lib.training.curves import Plan, Point, loss_and_accuracy, training_curve

from ..rules import by_model, row
from .why import (
    REAL,
    UNTRAINED,
    Setting,
    drawn,
    encoders,
    setting_of,
    tasks,
)

FROZEN = f"{REAL}, frozen"


# -- fine-tuning, watched --------------------------------------------------------------


def follow(
    setting: Setting, encoder: AWDLSTM, n: int, seed: int, plan: Plan
) -> tuple[list[Point], TextClassifier]:
    """Train a classifier on n labelled texts of a setting; test it on the way."""
    chosen, _ = drawn(setting, n, seed)
    right = setting.topics["test"][1]
    seen = setting.numbered("train", chosen), setting.topics["train"][1][chosen]
    unseen = setting.numbered("test", range(len(right))), right
    return training_curve(encoder, seen, unseen, seed, plan)


def at_level(points: Sequence[Point], level: float) -> float:
    """Return the loss on unseen texts where that on the seen ones first is so low.

    Between two looks both go in a straight line; if it never is, at the lowest point.
    """
    for a, b in itertools.pairwise(points):
        if a.seen_loss > level >= b.seen_loss:
            part = (a.seen_loss - level) / (a.seen_loss - b.seen_loss)
            return a.loss + part * (b.loss - a.loss)
    return min(points, key=lambda point: point.seen_loss).loss


# -- the experiments -------------------------------------------------------------------

RATES = (1e-3, 4e-3)
COUNTS = (40, 160, 640)
STRENGTHS = (0.001, 0.01, 0.1)
LEVEL = 0.2  # nats: the training loss at which test losses are compared
MARKS = (0, 10, 20, 30, 40, 60, 80, 100, 130, 160)


def steps_to(points: Sequence[Point], accuracy: float) -> int:
    """Return after how many steps an accuracy is first seen; twice the end if never."""
    reached = [point.step for point in points if point.accuracy >= accuracy]
    return reached[0] if reached else 2 * points[-1].step


def why_start(seed: int, quick: bool = False) -> list[dict]:
    """Fine-tune from every control; see how soon the untrained one's best is met."""
    setting, found = setting_of(quick), []
    n, steps = (24, 4) if quick else (160, 120)
    models = encoders(setting, seed)
    for (task, of), rate in itertools.product(tasks(setting).items(), RATES):
        plan = Plan(rate, steps, MARKS)
        curves = {k: follow(of, m, n, seed, plan)[0] for k, m in models.items()}
        target = max(point.accuracy for point in curves[UNTRAINED])
        for name, points in curves.items():
            about = f"{task}, rate {rate:g}"
            value = steps_to(points, target)
            found.append(row(name, about, "steps to target", value))
            for point in points:
                here = name, f"{about}, step {point.step}"
                found.append(row(*here, "loss", point.loss))
                found.append(row(*here, "training loss", point.seen_loss))
                found.append(row(*here, "accuracy", point.accuracy))
    return found


def why_regularise(seed: int, quick: bool = False) -> list[dict]:
    """Compare training and test at growing numbers of labels, and at equal training."""
    setting, found = setting_of(quick), []
    steps, marks = (4, (0, 2)) if quick else (200, MARKS)
    models = encoders(setting, seed, (REAL, UNTRAINED))
    models[FROZEN] = models[REAL]
    counts = (12, 24) if quick else COUNTS
    for (task, of), n in itertools.product(tasks(setting).items(), counts):
        for name, model in models.items():
            plan = Plan(steps=steps, marks=marks, frozen=name == FROZEN)
            points, _ = follow(of, model, n, seed, plan)
            end, about = points[-1], (name, f"{task}, {n} labels")
            found += [
                row(*about, "accuracy", end.accuracy),
                row(*about, "training accuracy", end.seen_accuracy),
                row(*about, "loss", end.loss),
                row(*about, "training loss", end.seen_loss),
                row(*about, f"loss at {LEVEL} nats", at_level(points, LEVEL)),
            ]
    return found


def plans(few: int, many: int, steps: int) -> list[tuple[str, int, str, Plan, str]]:
    """List the runs of `why_l2sp`: task, labels, title, plan, and from which model."""
    found = []
    for task, n in itertools.product(("topic", "exchanged"), (few, many)):
        found.append((task, n, "no pull", Plan(steps=steps), REAL))
        # Towards zero in one task only: it is for comparison.
        ends = {"the start": False} | ({"zero": True} if task == "exchanged" else {})
        for (end, to_zero), alpha in itertools.product(ends.items(), STRENGTHS):
            plan = Plan(steps=steps, alpha=alpha, to_zero=to_zero)
            found.append((task, n, f"to {end}, {alpha:g}", plan, REAL))
    ways = {
        "slower": (Plan(1e-3, steps), REAL),
        "faster": (Plan(1.6e-2, steps), REAL),
        "shorter": (Plan(steps=steps // 4), REAL),
        "no pull": (Plan(steps=steps), UNTRAINED),
    }
    return found + [("exchanged", few, k, *way) for k, way in ways.items()]


def why_l2sp(seed: int, quick: bool = False) -> list[dict]:
    """Pull to the start, or to zero; then without a pull, faster, slower, shorter."""
    setting, found = setting_of(quick), []
    models = encoders(setting, seed, (REAL, UNTRAINED))
    sizes = (12, 24, 4) if quick else (COUNTS[0], COUNTS[-1], 200)
    both_tasks = tasks(setting)
    for task, n, title, plan, start in plans(*sizes):
        points, model = follow(both_tasks[task], models[start], n, seed, plan)
        about = start, f"{task}, {n} labels: {title}"
        chosen_by = validated(both_tasks[task], model, n, seed)
        found += [
            row(*about, "accuracy", points[-1].accuracy),
            row(*about, "training accuracy", points[-1].seen_accuracy),
            row(*about, "validation", chosen_by),
        ]
        moved = distances(model.encoder, models[start])
        found += [row(*about, f"moved: {k}", v) for k, v in moved.items()]
    return found


def validated(setting: Setting, model: TextClassifier, n: int, seed: int) -> float:
    """Return a classifier's accuracy on texts that neither trained nor test it."""
    _, others = drawn(setting, n, seed)
    labels = setting.topics["train"][1][others]
    return loss_and_accuracy(model, (setting.numbered("train", others), labels))[1]


# -- what is compared ------------------------------------------------------------------


def starts(rows: list[dict]) -> list[dict[str, np.ndarray]]:
    """Return each model's steps to the target, for each task and rate."""
    pairs = itertools.product(("topic", "exchanged"), RATES)
    return [
        by_model(rows, "steps to target", f"{task}, rate {rate:g}")
        for task, rate in pairs
    ]  # fmt: skip


def places(rows: list[dict], task: str) -> list[str]:
    """List a task's numbers of labels, "topic, 40 labels" …, the smallest first."""
    found = {r["condition"].partition(":")[0] for r in rows}
    of = [text for text in found if text.startswith(f"{task}, ")]
    return sorted(of, key=lambda text: int(text.split()[1]))


def everywhere(rows: list[dict]) -> list[str]:
    """List the numbers of labels of both tasks."""
    return [*places(rows, "topic"), *places(rows, "exchanged")]


def pull_gain(rows: list[dict], here: str) -> np.ndarray:
    """Return what a pull of the strength chosen on other texts gains, seed by seed."""
    names = [f"{here}: to the start, {alpha:g}" for alpha in STRENGTHS]
    chosen, scores = (
        np.stack([by_model(rows, metric, name)[REAL] for name in names])
        for metric in ("validation", "accuracy")
    )  # (strengths, seeds)
    best = chosen.argmax(axis=0)
    gained = scores[best, np.arange(len(best))]
    return gained - by_model(rows, "accuracy", f"{here}: no pull")[REAL]


def overfitting(rows: list[dict]) -> dict[str, np.ndarray]:
    """Return how much narrower the real model's gap is than the untrained one's.

    The gap: accuracy on the labelled texts less that on unseen ones, seed by seed.
    """
    found = {}
    for here in everywhere(rows):
        seen, unseen = (
            by_model(rows, metric, here) for metric in ("training accuracy", "accuracy")
        )
        gap = {name: seen[name] - unseen[name] for name in (REAL, UNTRAINED)}
        found[here] = gap[UNTRAINED] - gap[REAL]
    return found


def chosen_pull(rows: list[dict], here: str) -> np.ndarray:
    """Return the decimal logarithm of the strength that the other texts choose."""
    names = [f"{here}: to the start, {alpha:g}" for alpha in STRENGTHS]
    chosen = np.stack([by_model(rows, "validation", name)[REAL] for name in names])
    return np.log10(np.array(STRENGTHS)[chosen.argmax(axis=0)])


def weaker_pull(rows: list[dict]) -> dict[str, np.ndarray]:
    """Return by how many powers of ten the pull is weaker with more labels, by task."""
    found = {}
    for task in ("topic", "exchanged"):
        few, *_, many = places(rows, task)
        found[task] = chosen_pull(rows, few) - chosen_pull(rows, many)
    return found


EXPERIMENTS = {
    "why_start": why_start,
    "why_regularise": why_regularise,
    "why_l2sp": why_l2sp,
}
