"""Lesson 14: what masking, next sentences and both sides bring to a tiny BERT.

The encoders are those of tiny_bert.py, which tells of the twins: each way is
pre-trained once, and what the twins differ by, two ways may differ by for nothing. A
condition (a task, fine-tuned or frozen) says something only where a pre-trained BERT
is better than the same network untrained.

bert_masking   Four policies: [MASK] / another piece / as it was, in per cent. Chunks,
               fine-tuned and frozen (a linear reader of both layers side by side), and
               the sentiment of reviews, fine-tuned
bert_ablation  No NSP; left to right without NSP. Fine-tuned on chunks, sentiment,
               questions (does this sentence answer it?) and pairs of sentences (of one
               document?). Whether NSP itself was learned is asked of about 1,600
               held-out pairs
bert_features  The checkpoint bert-en, real chunks (CoNLL-2000), 500 sentences to learn
               from. A linear reader of frozen layers, or fine-tuned. (The paper: six
               ways, named entities, a biLSTM as the reader.)
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from course_lib import checkpoints, data
from course_lib.analysis.probes import linear
from course_lib.analysis.tagging import span_f1
from course_lib.models.bert import (
    BERT,
    Classifier,
    TokenClassifier,
    cut_to_fit,
    join,
)
from course_lib.text.batches import IGNORE
from course_lib.text.examples import Tagged
from course_lib.text.pairs import lay_out
from course_lib.text.pieces import PAD, Pieces, PieceText
from course_lib.text.tokenise import words_en
from course_lib.training.fine_tune_bert import (
    Row,
    Sequences,
    layers,
    predicted,
    tagged_row,
)
from course_lib.training.loop import train

from ..labelled_rows import LabelledRows
from ..rules import row
from .tiny_bert import (
    ABLATED,
    CONTEXT,
    FULL,
    POLICIES,
    SMALL,
    UNTRAINED,
    Amounts,
    Pretraining,
    TownText,
    blank,
    measured_on,
    pretrained,
    town,
    word_counts,  # noqa: F401 (found here as well)
)

# -- tasks -----------------------------------------------------------------------------


class RowTask(NamedTuple):
    """Rows and their targets, to learn from and to be asked; classes or tags by name.

    Targets are numbers: one for a row, or one for each piece, IGNORE where none is.
    """

    name: str
    classes: list[str]
    rows: list[Row]
    targets: list
    asked: list[Row]
    right: list


@functools.cache
def both_splits(name: str) -> tuple[list, list]:
    """Load what a task set has to learn from and to be asked."""
    task = data.load(name)
    return task.split("train"), task.split("test")


def chosen(train: Sequence, test: Sequence, n: int, asked: int, seed: int) -> tuple:
    """Draw n examples to learn from by the seed; what is asked is always the same."""
    order = np.random.default_rng(seed).permutation(len(train))[:n]
    fixed = np.random.default_rng(0).permutation(len(test))[:asked]
    return [train[i] for i in order], [test[i] for i in fixed]


def tagging(
    name: str, parts: Sequence[Sequence[Tagged]], pieces: Pieces, context: int
) -> RowTask:
    """Ask for a tag at each word. parts: examples to learn from, and to be asked."""
    tags = sorted({tag for part in parts for example in part for tag in example.tags})
    columns = []
    for part in parts:
        written = (tagged_row(pieces, e, tags, context) for e in part)
        columns += map(list, zip(*written, strict=True))
    return RowTask(name, tags, *columns)


def classes(name: str, parts: Sequence[Sequence[tuple[Row, str]]]) -> RowTask:
    """Ask for the class of a row. parts: rows with their labels, as in `tagging`."""
    names = sorted({label for part in parts for _, label in part})
    columns = []
    for part in parts:
        columns += [[row for row, _ in part], [names.index(y) for _, y in part]]
    return RowTask(name, names, *columns)


def prepare(setting: TownText, name: str, sizes: Amounts, seed: int) -> RowTask:
    """Write a task of Rivertown in pieces.

    No name and no pattern of a sentence is both learned from and asked; the pairs of
    "same document" are drawn from documents that were held out.
    """
    pieces = setting.pieces
    if name == "same document":
        return classes(name, same_document(setting.unseen, sizes, seed))
    splits = both_splits(f"rivertown-en-{name}")
    if name == "chunks":
        parts = chosen(*splits, sizes.sentences, sizes.asked, seed)
        return tagging(name, parts, pieces, CONTEXT)
    parts = chosen(*splits, sizes.labels, sizes.asked, seed)

    def written(example: NamedTuple) -> Row:
        one, *other = (pieces.encode(words_en(text)) for text in example[:-1])
        if other:
            return join(*cut_to_fit(one, *other, CONTEXT - 3))
        return join(one[2 - CONTEXT :])  # the end of a review says most

    return classes(name, [[(written(e), e.label) for e in part] for part in parts])


def same_document(text: PieceText, sizes: Amounts, seed: int) -> list[list[tuple]]:
    """Draw pairs of sentences: of one document, but no neighbours, or of two.

    Those to learn from stand in the first half of the documents, those to be asked in
    the second half.
    """
    sentences = np.split(text.ids, text.sentences[1:-1])
    of = np.repeat(np.arange(len(text.documents) - 1), np.diff(text.documents))
    first, found = of < of[-1] / 2, []
    for half, n, s in ((first, sizes.labels, seed), (~first, sizes.asked, 0)):
        usable, rng = np.where(half, of, -1), np.random.default_rng((s, n))
        found.append([pair_of(sentences, usable, rng) for _ in range(n)])
    return found


def pair_of(sentences: list, of: np.ndarray, rng: np.random.Generator) -> tuple:
    """Draw one pair and its label. of: each sentence's document, -1: not to be used."""
    same, here = bool(rng.integers(2)), np.flatnonzero(of >= 0)
    while True:
        one = int(rng.choice(here))
        far = (of == of[one]) if same else (of >= 0) & (of != of[one])
        far[max(0, one - 1) : one + 2] = False
        if far.any():  # not so in a document of two sentences
            break
    other = int(rng.choice(np.flatnonzero(far)))
    pair = cut_to_fit(sentences[one], sentences[other], CONTEXT - 3)
    return join(*pair), "same" if same else "different"


# -- teaching --------------------------------------------------------------------------


def fine_tuned(
    encoder: BERT, task: RowTask, sizes: Amounts, seed: int, rate: float
) -> float:
    """Teach a copy of an encoder a task; return its score on what is asked."""
    torch.manual_seed(seed)
    encoder, K = copy.deepcopy(encoder), len(task.classes)
    if inside(task):
        model: nn.Module = TokenClassifier(encoder, K)
        batches = Sequences(task.rows, task.targets, 16, seed)
    else:
        model = Classifier(encoder, K)
        batches = LabelledRows([[row] for row in task.rows], task.targets, 16, seed)
    train(model, batches, sizes.lessons / len(batches), learning_rate=rate)
    return score(task, predicted(model, task.asked))


def frozen(
    encoder: BERT, task: RowTask, pick: Callable[[np.ndarray], np.ndarray], seed: int,
    steps: int,
) -> float:  # fmt: skip
    """Read tags out of layers that stay as they are; return the score.

    pick: makes the reader's input (N, F) of all layers (L+1, N, D)
    """
    known = pick(word_layers(encoder, task.rows, task.targets))
    asked = pick(word_layers(encoder, task.asked, task.right))
    labels = np.concatenate([np.array(t)[np.array(t) != IGNORE] for t in task.targets])
    [said] = linear(known[None], labels[None], asked[None], seed, steps)  # (N,)
    counts = [sum(y != IGNORE for y in t) for t in task.right]
    return f1(task, np.split(said, np.cumsum(counts)[:-1]))


def word_layers(
    model: BERT, rows: Sequence[Row], targets: Sequence[Row], batch: int = 64
) -> np.ndarray:
    """Return every layer at each piece that has a target. Shape: (L+1, N, D)."""
    found = []
    for i in range(0, len(rows), batch):
        states = layers(model, lay_out(rows[i : i + batch], PAD))  # (L+1, B, T, D)
        here = lay_out(targets[i : i + batch], IGNORE) != IGNORE  # (B, T)
        found.append(states[:, here].numpy())  # (L+1, n, D)
    return np.concatenate(found, axis=1)


def inside(task: RowTask) -> bool:
    """Say whether a task asks for something at each word, and not of the row."""
    return isinstance(task.right[0], list)


def score(task: RowTask, said: Sequence) -> float:
    """Return the accuracy of classes, or F1 of the spans that tags mark."""
    if not inside(task):
        return float(np.mean(np.array(said) == np.array(task.right)))
    pairs = zip(said, task.right, strict=True)
    return f1(task, [s[np.array(right) != IGNORE] for s, right in pairs])


def f1(task: RowTask, said: Sequence[np.ndarray]) -> float:
    """Return F1 of the spans, given the tags that were said of each row's words."""
    gold = [[task.classes[y] for y in right if y != IGNORE] for right in task.right]
    return span_f1(gold, [[task.classes[k] for k in of] for of in said])


# -- the experiments -------------------------------------------------------------------

RATE = 1e-3  # of fine-tuning a tiny BERT; not tuned


def encoders(
    ways: dict[str, Pretraining], sizes: Amounts, seed: int
) -> dict[str, BERT]:
    """Pre-train in each way; and have the same network untrained."""
    setting = town(sizes)
    found = {name: pretrained(setting, sizes, way) for name, way in ways.items()}
    return found | {UNTRAINED: blank(setting, sizes, seed)}


def compare(
    ways: dict[str, Pretraining], names: Sequence[str], sizes: Amounts, seed: int
) -> list[dict]:
    """Fine-tune what each way has pre-trained on some tasks; report what it learned."""
    setting, found = town(sizes), []
    tasks = [prepare(setting, name, sizes, seed) for name in names]
    for name, encoder in encoders(ways, sizes, seed).items():
        if name in ways:
            learned = measured_on(
                setting.unseen, len(setting.pieces), encoder, ways[name]
            )
            found += [row(name, "held out", m, value) for m, value in learned.items()]
        for task in tasks:
            value = fine_tuned(encoder, task, sizes, seed, RATE)
            found.append(row(name, f"{task.name}, fine-tuned", "score", value))
    return found


def bert_masking(seed: int, quick: bool = False) -> list[dict]:
    """Compare policies of masking, fine-tuned and frozen."""
    sizes = SMALL if quick else FULL
    found = compare(POLICIES, ["chunks", "sentiment"], sizes, seed)
    task = prepare(town(sizes), "chunks", sizes, seed)
    for name, encoder in encoders(POLICIES, sizes, seed).items():
        steps = 20 if quick else 600
        value = frozen(encoder, task, side_by_side(2), seed, steps)
        found.append(row(name, "chunks, frozen", "score", value))
    return found


def bert_ablation(seed: int, quick: bool = False) -> list[dict]:
    """Leave out the next sentence, the right side, or both."""
    names = ["chunks", "sentiment", "questions", "same document"]
    return compare(ABLATED, names, SMALL if quick else FULL, seed)


def side_by_side(n: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return what lays the last n layers side by side: (L+1, N, D) to (N, n D)."""
    return lambda x: np.concatenate(x[-n:], axis=-1)


PICKS = {
    "input": lambda x: x[0],
    "last": lambda x: x[-1],
    "second-to-last": lambda x: x[-2],
    "sum of the last four": lambda x: x[-4:].sum(axis=0),
    "last four side by side": side_by_side(4),
    "mean of all": lambda x: x.mean(axis=0),
}


def bert_features(seed: int, quick: bool = False) -> list[dict]:
    """Read chunks out of frozen layers, or fine-tune. quick: Rivertown, a tiny BERT."""
    if quick:
        sizes, name = SMALL, "rivertown-en-chunks"
        encoder, pieces = blank(town(sizes), sizes, seed), town(sizes).pieces
    else:
        sizes, name = FULL._replace(sentences=500), "conll2000"
        encoder, pieces = checkpoints.load("bert-en")
    parts = chosen(*both_splits(name), sizes.sentences, sizes.asked, seed)
    task = tagging("chunks", parts, pieces, encoder.config.context)
    steps = 20 if quick else 600
    found = [
        row(name, "frozen", "score", frozen(encoder, task, pick, seed, steps))
        for name, pick in PICKS.items()
    ]
    value = fine_tuned(encoder, task, sizes, seed, rate=5e-4)
    return [*found, row("fine-tuned", "fine-tuned", "score", value)]


EXPERIMENTS = {
    "bert_masking": bert_masking,
    "bert_ablation": bert_ablation,
    "bert_features": bert_features,
}
