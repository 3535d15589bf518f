"""Training curves: train a classifier, and test it on the way.

To compare two starts it does not suffice to look at the end: which one is there sooner?
And which one is better on unseen texts when both fit the labelled ones equally well?
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from ..models.awd_lstm import AWDLSTM
from ..models.classifier import TextClassifier
from ..text.documents import Documents
from . import schedules
from .anchored import anchored
from .fine_tune import layer_groups, predict, thaw
from .loop import train

# numbered texts, (T,) each; (N,)
LabelledTexts = tuple[Sequence[np.ndarray], np.ndarray]


class Plan(NamedTuple):
    """How a classifier is trained, and when it is tested.

    steps: how many;  marks: after which it is tested, besides the end
    frozen: whether the language model stays as it is
    alpha, to_zero: the strength of a pull, and where to, see `anchored`
    """

    rate: float = 4e-3
    steps: int = 200
    marks: tuple[int, ...] = ()
    frozen: bool = False
    alpha: float = 0.0
    to_zero: bool = False


class Point(NamedTuple):
    """What a classifier can do after some steps, in nats per text and shares right.

    seen: on the texts that it is trained with; otherwise on the test texts
    """

    step: int
    seen_loss: float
    loss: float
    seen_accuracy: float
    accuracy: float


def loss_and_accuracy(
    model: TextClassifier, texts: LabelledTexts
) -> tuple[float, float]:
    """Return a classifier's loss in nats per text, and its accuracy."""
    documents, labels = texts
    probabilities = predict(model, documents)  # (N, K)
    right = probabilities[np.arange(len(labels)), labels]
    loss = -np.log(np.maximum(right, 1e-9)).mean()
    return float(loss), float((probabilities.argmax(axis=1) == labels).mean())


def training_curve(
    encoder: AWDLSTM, seen: LabelledTexts, unseen: LabelledTexts, seed: int, plan: Plan
) -> tuple[list[Point], TextClassifier]:
    """Train a classifier on labelled texts, and test it on the way.

    Every layer learns at the same rate, from every start: what differs is the start.
    """
    torch.manual_seed(seed)
    batches = Documents(*seen, rows=16, seed=seed)
    classes = 1 + int(max(seen[1].max(), unseen[1].max()))
    model = TextClassifier(copy.deepcopy(encoder), classes)
    groups, marks, found = layer_groups(model), list(plan.marks), []
    thaw(groups, range(len(groups) - 1 if plan.frozen else 0, len(groups)))

    def tested(step: int) -> Point:
        (seen_loss, seen_right), (loss, right) = (
            loss_and_accuracy(model, texts) for texts in (seen, unseen)
        )
        return Point(step, seen_loss, loss, seen_right, right)

    def look(epoch: int) -> None:
        step = epoch * len(batches)
        if marks and step >= marks[0]:
            marks[:] = [mark for mark in marks if mark > step]
            found.append(tested(step))

    adam = torch.optim.Adam(model.parameters(), plan.rate, betas=(0.7, 0.99))
    with anchored(model, plan.alpha, plan.to_zero):
        run = train(model, batches, plan.steps / len(batches), optimizer=adam,
                    schedule=schedules.linear, at_epoch=look)  # fmt: skip
    return [*found, tested(run.step)], model
