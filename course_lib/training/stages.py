"""A classification task as ULMFiT's three stages need it.

Its texts without labels for stage 2, its documents and their classes for stage 3, and
one vocabulary. The stages themselves: `fine_tune`; lesson 10 goes through them.
"""

from __future__ import annotations

import functools
import sys
from typing import NamedTuple

import numpy as np

from .. import data
from ..data.held_out import hold_out
from ..data.readers import Document
from ..text.batches import Text, read_text
from ..text.documents import limited, number
from ..text.examples import Example
from ..text.streams import vocabulary_of
from ..text.vocabulary import Vocabulary
from .fine_tune import as_document

CATEGORIES = ["书籍", "平板", "手机", "水果", "洗发水"]
CATEGORIES += ["热水器", "蒙牛", "衣服", "计算机", "酒店"]


class StageSizes(NamedTuple):
    """How much of a task is used: examples with labels, words for stage 2."""

    train: int = 4000
    test: int = 1000
    words: int = 3_000_000
    epochs: float = 2.0  # of stage 2


FULL = StageSizes()


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

    Errors: ValueError if a test label is not among the training examples, or if
    nothing is labelled by text.
    """
    found, language = examples(name)
    found = hold_out(found, {"test": sizes.test})
    loose = [*found.get("unlabelled", []), *found["train"]]
    splits = {k: found[k][: getattr(sizes, k)] for k in ("train", "test")}
    read = {k: [as_document(e.text, language) for e in of] for k, of in splits.items()}
    classes = sorted({e.label for e in splits["train"]})
    if new := {e.label for e in splits["test"]} - {*classes}:
        raise ValueError(
            f"{name}: no example of {', '.join(sorted(new))} among the {sizes.train} "
            "training examples; take more of them"
        )
    labels = {k: np.array([classes.index(e.label) for e in splits[k]]) for k in splits}
    loose = (as_document(e.text, language) for e in loose)
    text = read_text(limited(loose, sizes.words), window=sys.maxsize)
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
    if (kind := getattr(task, "kind", "running text")) != "classification":
        raise ValueError(f"{name} is {kind}, not classification; see data.available()")
    return {split: task.split(split) for split in task.splits}, task.language


# -- parts of it -----------------------------------------------------------------------


def shortened(text: Text, words: float) -> Text:
    """Keep the first documents of a text, about so many words."""
    ends = text.starts + text.lengths
    keep = max(1, int((ends <= words * len(text.ids) / text.n_tokens).sum()))
    end = ends[keep - 1]
    return Text(text.words, text.ids[:end], text.starts[:keep], text.lengths[:keep])


def drawn(task: ClassificationTask, n: int, seed: int) -> np.ndarray:
    """Draw n labelled documents, at least one of each class where there is room."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(task.labels["train"]))
    labels = task.labels["train"][order]
    first = np.unique(labels, return_index=True)[1]
    rest = np.setdiff1d(np.arange(len(order)), first)
    return order[np.concatenate([rng.permutation(first), rest])[:n]]
