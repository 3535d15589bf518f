"""Plug a frozen biLM into a task: the task set in numbers, one training, one score.

What the task's model reads and how long it is trained are the same for every way of
using the biLM, and for none. `models.plugged` is the model.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch

from .. import data
from ..analysis.tagging import span_f1
from ..data.held_out import hold_out, labelled
from ..models import plugged
from ..models.bilm import Encoder
from ..models.pair import first_layer
from ..text.tokenise import TOKENISERS, words_zh
from ..text.vocabulary import Vocabulary, listed
from .features import features

# -- a task set, as the biLM reads it and as the task's model does ---------------------


class PlugInSizes(NamedTuple):
    """How many examples there are; of `train`, the seed draws those with labels."""

    train: int = 1000
    dev: int = 200
    test: int = 1000
    labelled: int = 500
    rounds: int = 10  # through the labelled examples


FULL = PlugInSizes()
SMALL = PlugInSizes(train=60, dev=20, test=40, labelled=40, rounds=2)
LONGEST = 50  # words of a text that are read; a longer sentence to tag is left out
BATCH = 16


class AlignedText(NamedTuple):
    """A text: the words that the biLM reads, and the units that the task is about.

    Units are the words, or the single characters where entities are tagged in Chinese;
    `at` says to which word a unit belongs, (T,).
    """

    words: list[str]
    units: list[str]
    at: list[int]


class PlugInTask(NamedTuple):
    """A task set in splits: the readings of each example, and its label or tags."""

    name: str
    language: str
    kind: str
    classes: list[str]
    readings: dict[str, list[tuple[AlignedText, ...]]]
    labels: dict[str, list]

    @property
    def score(self) -> str:
        """Say in what the task is scored."""
        return "F1" if self.kind == "tagging" else "accuracy"


@functools.cache
def prepare(name: str, sizes: PlugInSizes = FULL) -> PlugInTask:
    """Load a task set and split it where it is whole; the same for every seed."""
    task = data.load(name)
    raw = hold_out(
        labelled(task),
        {"dev": sizes.dev, "test": sizes.test},
        fits=lambda e: task.kind != "tagging" or len(e.tokens) <= LONGEST,
    )
    raw = {k: raw[k][: getattr(sizes, k)] for k in ("train", "dev", "test")}
    read = {k: [readings(e, task) for e in of] for k, of in raw.items()}
    labels = {k: [e[-1] for e in of] for k, of in raw.items()}
    every = itertools.chain.from_iterable(labels.values())
    if task.kind == "tagging":
        every = itertools.chain.from_iterable(every)
    return PlugInTask(name, task.language, task.kind, sorted({*every}), read, labels)


def readings(example: NamedTuple, task: data.TaskSet) -> tuple[AlignedText, ...]:
    """Cut an example's text, or its two texts, into words; leave out the label."""
    if task.kind != "tagging":
        return tuple(as_words(TOKENISERS[task.language](text)) for text in example[:-1])
    if task.language == "zh" and max(map(len, example.tokens)) == 1:
        return (as_characters(example.tokens),)
    return (as_words(example.tokens),)


def as_words(words: Sequence[str]) -> AlignedText:
    """Read words, as far as they are read; each is a unit."""
    words = list(listed(words)[:LONGEST])
    return AlignedText(words, words, [*range(len(words))])


def as_characters(characters: Sequence[str]) -> AlignedText:
    """Read the words that Chinese characters make up; each character is a unit.

    The biLM was trained on words. A character gets the layers of the word it is in.
    """
    words = words_zh("".join(characters))
    at = [i for i, word in enumerate(words) for _ in word]
    return AlignedText(words, list(characters), at)


def marks(reading: AlignedText) -> list[list[str]]:
    """Describe how each unit is written, as taggers did before they were pre-trained.

    The unit, its last letters, its shape (Xx, 9-x …), and whether a word begins there.
    """
    begins = [i != j for i, j in itertools.pairwise([-1, *reading.at])]
    found = []
    for unit, first in zip(reading.units, begins, strict=True):
        shape = re.sub("[a-z]+", "x", re.sub("[A-Z]+", "X", re.sub(r"\d+", "9", unit)))
        ends = (f"-{unit[-n:]}" for n in (1, 2, 3))
        found.append([unit, *ends, f"{shape[:5]} {first}"])
    return found


class Numbers(NamedTuple):
    """A text in numbers: rows of words (T,), of marks (T, M), layers (L+1, T, D)."""

    words: np.ndarray
    marks: np.ndarray
    layers: np.ndarray


class Ready(NamedTuple):
    """A task set in numbers, and the tables that the task's model begins with."""

    task: PlugInTask
    texts: dict[str, list[list[Numbers]]]
    C: torch.Tensor  # (V, S)
    n_marks: int


def ready(task: PlugInTask, encoder: Encoder, vectors: Mapping, folder=None) -> Ready:
    """Number the words and the marks of a task, and fetch its frozen features.

    folder: where features are kept, see `training.features`
    """
    every = [r for of in task.readings.values() for texts in of for r in texts]
    vocabulary = Vocabulary.from_sentences((r.words for r in every), size=10**9)
    known = (m for texts in task.readings["train"] for r in texts for m in marks(r))
    known = Vocabulary.from_sentences(known, size=10**9, min_count=2)
    stored = iter(features(encoder, [r.words for r in every], folder))

    def numbers(reading: AlignedText) -> Numbers:
        words = np.array(vocabulary.encode(reading.words), dtype=int)
        rows = np.array([known.encode(m) for m in marks(reading)], dtype=int)
        layers = next(stored)
        whole = reading.at == [*range(len(reading.words))]
        layers = layers if whole else layers[:, reading.at]  # a copy, not on the disk
        return Numbers(words[reading.at], rows, layers)

    texts = {
        k: [[numbers(r) for r in e] for e in of] for k, of in task.readings.items()
    }
    return Ready(task, texts, first_layer(vocabulary, vectors, 0), len(known))


@functools.cache
def loaded(name: str, sizes: PlugInSizes = FULL) -> Ready:
    """Prepare a task set with the models that ship."""
    from ..checkpoints import load

    task = prepare(name, sizes)
    language = task.language
    return ready(task, load(f"elmo-{language}"), load(f"static-{language}"))


# -- one run of one way ----------------------------------------------------------------


class PlugIn(NamedTuple):
    """How ELMo is used: which layers, where, and how the mix is kept in check."""

    layers: str = "all"  # or "token", "top", "mean": one layer, nothing to learn but γ
    place: str = "input"
    lambda_: float = 0.001  # the paper's choice for most tasks
    do_layer_norm: bool = False
    gamma: float = plugged.GAMMA  # where γ begins
    learns_gamma: bool = True


WAYS = {
    "baseline": PlugIn("token", "none"),
    "token layer": PlugIn("token"),
    "top layer": PlugIn("top"),
    "uniform mix": PlugIn("mean"),
    "learned mix": PlugIn(),
}
PENALTIES = {
    "λ = 0": PlugIn(lambda_=0.0),
    "λ = 0.001": PlugIn(),
    "λ = 1": PlugIn(lambda_=1.0),
    "layer norm": PlugIn(do_layer_norm=True),
}
PLACEMENTS = {place: PlugIn(place=place) for place in plugged.PLACES if place != "none"}


def chosen(layers: np.ndarray, which: str) -> np.ndarray:
    """Pick what the mix gets to see. Shape: (L+1, T, D) to the same or (1, T, D)."""
    if which == "mean":
        return layers.mean(axis=0, dtype=np.float32, keepdims=True)
    return {"token": layers[:1], "top": layers[-1:], "all": layers}[which]


def collate(texts: Sequence[Numbers], which: str) -> plugged.PaddedSentences:
    """Lay texts side by side, padded with 0."""
    B, T = len(texts), max(len(text.words) for text in texts)
    first = chosen(texts[0].layers, which)
    words, mask = np.zeros((B, T), int), np.zeros((B, T), bool)
    rows = np.zeros((B, T, texts[0].marks.shape[1]), int)
    layers = np.zeros((len(first), B, T, first.shape[2]), np.float32)
    for b, text in enumerate(texts):
        t = len(text.words)
        words[b, :t], rows[b, :t], mask[b, :t] = text.words, text.marks, True
        layers[:, b, :t] = chosen(text.layers, which)
    return plugged.PaddedSentences(*map(torch.from_numpy, (words, rows, layers, mask)))


def sides(
    examples: Sequence[Sequence[Numbers]], which: str
) -> list[plugged.PaddedSentences]:
    """Collate the first texts of some examples, and of pairs the second."""
    return [collate(column, which) for column in zip(*examples, strict=True)]


def targets(task: PlugInTask, labels: Sequence) -> torch.Tensor:
    """Number labels, (B,), or tags, (B, T) padded with -1."""
    number = {name: k for k, name in enumerate(task.classes)}
    if task.kind != "tagging":
        return torch.tensor([number[label] for label in labels])
    rows = [torch.tensor([number[tag] for tag in tags]) for tags in labels]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-1)


def like_lengths(examples: Sequence, rng: np.random.Generator) -> list[np.ndarray]:
    """Return shuffled batches of row numbers; those of a batch are about as long."""
    order = rng.permutation(len(examples))
    pieces = [
        sorted(piece, key=lambda i: len(examples[i][0].words))
        for piece in np.array_split(order, math.ceil(len(order) / (8 * BATCH)))
    ]
    batches = np.array_split(np.concatenate(pieces), math.ceil(len(order) / BATCH))
    return [batches[k] for k in rng.permutation(len(batches))]


@torch.no_grad()
def score(model: plugged.Plugged, made: Ready, split: str, which: str) -> float:
    """Return span F1 for tagging, else the accuracy."""
    task, texts = made.task, made.texts[split]
    by_length = sorted(range(len(texts)), key=lambda i: len(texts[i][0].words))
    guesses, gold = [], [task.labels[split][i] for i in by_length]
    for start in range(0, len(texts), 64):
        batch = sides([texts[i] for i in by_length[start : start + 64]], which)
        best = model(batch).argmax(-1)  # (B, T) or (B,)
        if task.kind == "tagging":
            rows = [row[m] for row, m in zip(best, batch[0].mask, strict=True)]
            guesses += [[task.classes[k] for k in row.tolist()] for row in rows]
        else:
            guesses += [task.classes[k] for k in best.tolist()]
    if task.kind == "tagging":
        return span_f1(gold, guesses)
    return float(np.mean([a == b for a, b in zip(gold, guesses, strict=True)]))


def learn(
    made: Ready, way: PlugIn, seed: int, sizes: PlugInSizes = FULL, lr: float = 5e-3
) -> tuple[plugged.Plugged, float]:
    """Train a task's model one way; return it and its score on test.

    The seed draws which examples are labelled, the same for all ways, and the
    parameters. The moment to stop is the best one on dev.
    """
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(made.texts["train"]))[: sizes.labelled]
    texts = [made.texts["train"][i] for i in rows]
    labels = [made.task.labels["train"][i] for i in rows]
    if not texts:
        raise ValueError("no label to learn from; without one, ask the baselines")
    shape = chosen(texts[0][0].layers, way.layers).shape
    torch.manual_seed(seed)
    model = plugged.Plugged(
        made.C, made.n_marks, len(made.task.classes), made.task.kind,
        (shape[0], shape[2]), way.place, way.do_layer_norm,
    )  # fmt: skip
    for mix in model.mixes.values():
        torch.nn.init.constant_(mix.gamma, way.gamma)
        mix.gamma.requires_grad_(way.learns_gamma)

    def batches() -> Iterator[tuple]:
        for batch in like_lengths(texts, rng):
            batch_labels = targets(made.task, [labels[i] for i in batch])
            yield sides([texts[i] for i in batch], way.layers), batch_labels

    def on_dev(model: plugged.Plugged) -> float:
        return score(model, made, "dev", way.layers)

    plugged.fit(model, batches, on_dev, sizes.rounds, lr, way.lambda_)
    return model, score(model, made, "test", way.layers)
