"""ULMFiT from end to end: a task set, its three stages, one score.

task = prepare("qc")
encoder = tuned(task)                   stage 1, loaded; stage 2, kept on disk
model = learn(task, encoder, n=100, seed=1)                            stage 3
score(task, model)
"""

from __future__ import annotations

import functools
import hashlib
import math
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch

from .. import checkpoints, data, kept
from ..data.held_out import hold_out
from ..data.readers import Document
from ..models.awd_lstm import AWDLSTM
from ..models.classifier import TextClassifier
from ..text.batches import Text, read_text
from ..text.documents import Documents, number
from ..text.examples import Example
from ..text.streams import Streams, vocabulary_of
from ..text.vocabulary import Vocabulary
from . import schedules
from .fine_tune import as_document, fine_tune, predict, with_vocabulary

CATEGORIES = ["书籍", "平板", "手机", "水果", "洗发水"]
CATEGORIES += ["热水器", "蒙牛", "衣服", "计算机", "酒店"]


class StageSizes(NamedTuple):
    """How much of a task is used: examples with labels, words for stage 2."""

    train: int = 4000
    test: int = 1000
    words: int = 3_000_000
    epochs: float = 2.0  # of stage 2


FULL = StageSizes()
SMALL = StageSizes(train=100, test=60, words=4000, epochs=1.0)


# -- a task ----------------------------------------------------------------------------


class ClassificationTask(NamedTuple):
    """A classification task: documents of words, their classes, text without labels.

    splits: examples (text, label) of "train" and "test"
    documents: the same in words; labels: the same as numbers
    text: what stage 2 may read, the unlabelled and the training texts
    backward: whether the models read from the end of a text to its beginning
    """

    name: str
    language: str
    classes: list[str]
    splits: dict[str, list[Example]]
    documents: dict[str, list[Document]]
    labels: dict[str, np.ndarray]
    text: Text
    vocabulary: Vocabulary
    backward: bool = False

    def numbered(self, split: str) -> list[np.ndarray]:
        """Return a split's documents as the models read them, (T,) each."""
        found = self.documents[split]
        return [number(d, self.vocabulary, self.backward) for d in found]


@functools.cache
def prepare(name: str, sizes: StageSizes = FULL) -> ClassificationTask:
    """Load a task in documents; what is whole is split, the same way for every seed.

    Errors: ValueError if a test label is not among the training examples; take more of
    them.
    """
    found, language = examples(name)
    found = hold_out(found, {"test": sizes.test})
    loose = [*found.get("unlabelled", []), *found["train"]]
    splits = {k: found[k][: getattr(sizes, k)] for k in ("train", "test")}
    read = {k: [as_document(e.text, language) for e in of] for k, of in splits.items()}
    classes = sorted({e.label for e in splits["train"]})
    labels = {k: np.array([classes.index(e.label) for e in splits[k]]) for k in splits}
    text = read_text(up_to(loose, language, sizes.words), window=sys.maxsize)
    vocabulary = vocabulary_of(text, 20_000)
    return ClassificationTask(
        name, language, classes, splits, read, labels, text, vocabulary
    )


def examples(name: str) -> tuple[dict[str, list[Example]], str]:
    """Return a task's splits and its language; "categories" are online_shopping's."""
    if name == "categories":
        found = []
        for category in CATEGORIES:
            reviews = data.load("online_shopping", category=category).split("all")
            found += [Example(review.text, category) for review in reviews]
        return {"all": found}, "zh"
    task = data.load(name)
    return {split: task.split(split) for split in task.splits}, task.language


def up_to(found: Sequence[Example], language: str, words: int):
    """Yield documents until they hold so many words."""
    read = 0
    for example in found:
        if read >= words:
            return
        document = as_document(example.text, language)
        read += sum(map(len, document))
        yield document


# -- the three stages ------------------------------------------------------------------


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


def shortened(text: Text, words: float) -> Text:
    """Keep the first documents of a text, about so many words."""
    ends = text.starts + text.lengths
    keep = max(1, int((ends <= words * len(text.ids) / text.n_tokens).sum()))
    end = ends[keep - 1]
    return Text(text.words, text.ids[:end], text.starts[:keep], text.lengths[:keep])


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


def drawn(task: ClassificationTask, n: int, seed: int) -> np.ndarray:
    """Draw n labelled documents, at least one of each class where there is room."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(task.labels["train"]))
    labels = task.labels["train"][order]
    first = np.unique(labels, return_index=True)[1]
    rest = np.setdiff1d(np.arange(len(order)), first)
    return order[np.concatenate([rng.permutation(first), rest])[:n]]


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
