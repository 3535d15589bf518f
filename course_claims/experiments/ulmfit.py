"""Lesson 10: what each stage of ULMFiT brings, on small tasks.

A general language model (awdlstm-en, awdlstm-zh), tuned on a task's own texts without
their labels (stage 2, once a task), then a classifier with few labels (stage 3, once a
seed: the seed draws the labelled documents, the head and all noise). Differences are
taken within a seed, over several tasks and numbers of labels.

ulmfit_labels       all stages, without stage 2, from scratch, TF-IDF
ulmfit_curve        how many labels the others need for the same (English: questions)
ulmfit_curve_zh     the same in Chinese (shoppers' reviews). With these two and the
                    first, 100 labels with all stages are compared with 1,000 from
                    scratch (at first only the first experiment was asked; the curves
                    were added afterwards)
ulmfit_stage2       how much text stage 2 needs; no claim
ulmfit_reviews      IMDb with the stage 2 that ships: 20 million words, 6.6 times (the
                    others' read three million words, twice); no claim
ulmfit_reviews_zh   shoppers' reviews with the Chinese one: 2.2 million words, 22 times
ulmfit_directions   a forward and a backward classifier, and the average of both
ulmfit_bag_of_words TF-IDF with the same labels as the techniques and the directions
                    have

The techniques of stage 3 are compared in ulmfit_techniques.py.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence

from course_lib import checkpoints
from course_lib.analysis.baselines import classify as without_pretraining
from course_lib.training.fine_tune import predict
from course_lib.training.stages import FULL, ClassificationTask, drawn, prepare

from ..rules import row
from ..stages import (
    SMALL,
    ULMFIT,
    StageThree,
    accuracy,
    general,
    learn,
    score,
    scratch,
    tuned,
)

QUICK = StageThree(epochs=1, steps=3)

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


def tasks_for(chosen: Sequence[tuple], quick: bool) -> list[tuple]:
    """Return (name, n) pairs; quick: Rivertown's reviews, which every clone has."""
    return [("rivertown-en-sentiment", 40)] if quick else list(chosen)


def ulmfit_labels(seed: int, quick: bool = False) -> list[dict]:
    """Compare the stages at growing numbers of labels, and with no pre-training."""
    sizes, found = SMALL if quick else FULL, []
    pairs = [(name, n) for name, counts in LABELLED.items() for n in counts]
    for name, n in tasks_for(pairs, quick):
        task = prepare(name, sizes)
        way = QUICK if quick else ULMFIT
        # From scratch there is nothing to protect: all layers learn, at one rate.
        whole = way._replace(policy="full", factor=1.0)
        encoders = {
            "from scratch": (scratch(task, seed), whole),
            "without stage 2": (general(task), way),
            "all stages": (tuned(task, sizes), way),
        }
        found += compare(task, n, seed, encoders)
    return found


def compare(
    task: ClassificationTask, n: int, seed: int, encoders: Mapping
) -> list[dict]:
    """Return the accuracy of what needs no pre-training, and of stage 3 from encoders.

    encoders: {title: (encoder, way of fine-tuning)}; each is copied
    """
    condition = f"{task.name}, {n} labels"
    train = [task.splits["train"][i] for i in drawn(task, n, seed)]
    scores = without_pretraining(train, task.splits["test"], task.language)
    for title, (encoder, how) in encoders.items():
        model = learn(task, copy.deepcopy(encoder), n, seed, how)
        scores[title] = score(task, model)
    return [row(title, condition, "accuracy", value) for title, value in scores.items()]


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
        found += compare(task, n, seed, encoders)
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


def ulmfit_stage2(seed: int, quick: bool = False) -> list[dict]:
    """Give stage 2 more and more of the task's text; 0 words: none."""
    sizes, found = SMALL if quick else FULL, []
    steps = (0, 2000) if quick else (0, 10_000, 100_000, 500_000)
    chosen = (("sentence_polarity", 100), ("chnsenticorp", 100))
    for name, n in tasks_for(chosen, quick):
        task = prepare(name, sizes)
        for words in (w for w in steps if w / 2 < task.text.n_tokens):
            encoder = tuned(task, sizes, words) if words else general(task)
            model = learn(task, encoder, n, seed, QUICK if quick else ULMFIT)
            condition = f"{name}, {words} words"
            found.append(row("ULMFiT", condition, "accuracy", score(task, model)))
    return found


def ulmfit_reviews(seed: int, quick: bool = False) -> list[dict]:
    """Classify film reviews from awdlstm-en-reviews, which has read almost all."""
    name, counts = ("rivertown-en-sentiment", (40,)) if quick else ("imdb", (100, 500))
    encoder, vocabulary = checkpoints.load("awdlstm-en-reviews")
    task = prepare(name, SMALL if quick else FULL)._replace(vocabulary=vocabulary)
    way = {"all stages": (encoder, QUICK if quick else ULMFIT)}
    return [r for n in counts for r in compare(task, n, seed, way)]


def ulmfit_reviews_zh(seed: int, quick: bool = False) -> list[dict]:
    """Tell good from bad in shoppers' reviews, from awdlstm-zh-reviews.

    It has read all of them without their labels, except those that test it here.
    """
    towns = ("rivertown-zh-sentiment", (40,))
    name, counts = towns if quick else ("online_shopping", (100, 500))
    encoder, vocabulary = checkpoints.load("awdlstm-zh-reviews")
    task = prepare(name, SMALL if quick else FULL)._replace(vocabulary=vocabulary)
    way = {"all stages": (encoder, QUICK if quick else ULMFIT)}
    return [r for n in counts for r in compare(task, n, seed, way)]


def ulmfit_directions(seed: int, quick: bool = False) -> list[dict]:
    """Read forward, backward, and average the two classifiers' probabilities."""
    sizes, found = SMALL if quick else FULL, []
    for name, n in tasks_for((*TECHNIQUES, ("imdb", 100)), quick):
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


def ulmfit_bag_of_words(seed: int, quick: bool = False) -> list[dict]:
    """Classify by TF-IDF, with the labels of the techniques and of the directions."""
    found = []
    for name, n in tasks_for((*TECHNIQUES, ("imdb", 100)), quick):
        task = prepare(name, SMALL if quick else FULL)
        of = compare(task, n, seed, {})
        found += [{**r, "condition": f"{name}: bag of words"} for r in of]
    return found


# -- what is compared ------------------------------------------------------------------


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


EXPERIMENTS = {
    "ulmfit_labels": ulmfit_labels,
    "ulmfit_bag_of_words": ulmfit_bag_of_words,
    "ulmfit_curve": ulmfit_curve,
    "ulmfit_curve_zh": ulmfit_curve_zh,
    "ulmfit_stage2": ulmfit_stage2,
    "ulmfit_reviews": ulmfit_reviews,
    "ulmfit_reviews_zh": ulmfit_reviews_zh,
    "ulmfit_directions": ulmfit_directions,
}
