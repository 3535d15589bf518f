"""ULMFiT from end to end, as the experiments do it: a task, its stages, one score.

task = prepare("qc")
encoder = tuned(task)                   stage 1, loaded; stage 2, kept on disk
model = learn(task, encoder, n=100, seed=1)                            stage 3
score(task, model)
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch

from course_lib import checkpoints, kept
from course_lib.models.awd_lstm import AWDLSTM
from course_lib.models.classifier import TextClassifier
from course_lib.text.batches import Text
from course_lib.text.documents import Documents
from course_lib.text.streams import Streams
from course_lib.training import schedules
from course_lib.training.fine_tune import fine_tune, predict, with_vocabulary
from course_lib.training.stages import (
    FULL,
    ClassificationTask,
    StageSizes,
    drawn,
    prepare,  # noqa: F401 (found here as well)
    shortened,
)

SMALL = StageSizes(train=100, test=60, words=4000, epochs=1.0)


# -- stages 1 and 2 --------------------------------------------------------------------


def general(task: ClassificationTask) -> AWDLSTM:
    """Return stage 1's model, with the task's vocabulary."""
    name = f"awdlstm-{task.language}" + ("-backward" if task.backward else "")
    model, vocabulary = checkpoints.load(name)
    return with_vocabulary(model, vocabulary, task.vocabulary)


def scratch(task: ClassificationTask, seed: int) -> AWDLSTM:
    """Return a model of the same sizes that has read nothing."""
    torch.manual_seed(seed)
    return AWDLSTM(general(task).config, len(task.vocabulary))


def tuned(
    task: ClassificationTask, sizes: StageSizes = FULL, words: float = math.inf
) -> AWDLSTM:
    """Return stage 2's model: tuned on the task's texts, at most so many words of them.

    Kept on disk, because it is the same for every seed of stage 3.
    """
    model = general(task)
    text = shortened(task.text, words)
    about = (sizes.epochs, task.backward)
    path = kept.place("ulmfit") / f"{fingerprint(model, text, about)}.pt"
    torch.manual_seed(0)
    rows = 64 if text.n_tokens > 200_000 else 16 if text.n_tokens > 10_000 else 4
    streams = Streams(text, task.vocabulary, rows, backward=task.backward)

    def tune() -> None:
        fine_tune(model, streams, sizes.epochs, rate=4e-3)
        checkpoints.halve(model)

    return kept.trained(model, path, tune)


def fingerprint(model: AWDLSTM, text: Text, about: tuple) -> str:
    """Name what decides how a language model comes out of stage 2."""
    digest = hashlib.sha256(f"{model.config} {about}".encode())
    for weight in model.state_dict().values():
        digest.update(weight.numpy().tobytes())
    digest.update(text.ids.tobytes())
    return digest.hexdigest()[:16]


# -- stage 3 ---------------------------------------------------------------------------


class StageThree(NamedTuple):
    """How stage 3 is done; policy, schedule, factor and rate are ULMFiT's by default.

    epochs, steps: at least so many; few labels are read more often
    """

    policy: str = "gradual"
    schedule: Callable[[float], float] = schedules.slanted
    factor: float = 2.6
    rate: float = 0.01
    memory: int = 280
    epochs: int = 8
    steps: int = 200


ULMFIT = StageThree()


def learn(
    task: ClassificationTask,
    encoder: AWDLSTM,
    n: int,
    seed: int,
    way: StageThree = ULMFIT,
) -> TextClassifier:
    """Train a classifier on n labelled documents, drawn by the seed."""
    torch.manual_seed(seed)
    chosen = drawn(task, n, seed)
    numbered = task.numbered("train")
    read = [numbered[i] for i in chosen]
    batches = Documents(read, task.labels["train"][chosen], rows=16, seed=seed)
    model = TextClassifier(encoder, len(task.classes), memory=way.memory)
    epochs = max(way.epochs, math.ceil(way.steps / len(batches)))
    how = {"policy": way.policy, "schedule": way.schedule, "factor": way.factor}
    fine_tune(model, batches, epochs, rate=way.rate, **how)
    return model


def accuracy(task: ClassificationTask, probabilities: np.ndarray) -> float:
    """Return the share of the test documents whose likeliest class (N, K) is right."""
    return float((probabilities.argmax(axis=1) == task.labels["test"]).mean())


def score(task: ClassificationTask, model: TextClassifier) -> float:
    """Return a classifier's accuracy on the test documents."""
    return accuracy(task, predict(model, task.numbered("test")))
