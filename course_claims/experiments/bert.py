"""Lesson 14: what masking, next sentences and both sides bring to a tiny BERT.

Two layers of 96 dimensions read eighteen million pieces of Rivertown English once for
each way of pre-training: about five minutes of one core, kept on disk, the same for all
seeds. The seed draws the labelled examples, the heads and all noise; so the intervals
are not over pre-trainings. In their place the standard BERT is pre-trained a second
time with another start ("80/10/10 again"): what these twins differ by, two ways may
differ by for nothing. For a long time a masked model learns little but how frequent the
pieces are, and only then what their neighbours say; when, is partly luck. With batches
of 16 rows and six million pieces the twins were just passing that point (perplexities
of 69 and 201). With 64 rows and three times this rate "80/20/0" never passed it; at
this rate it does after 1,300 steps. A way whose loss rises is an error. The pieces are
those of a million words, read twelve times: of 300,000 words, read 35 times, the
left-to-right model learned much by heart (a perplexity of 7 on them, of 20 on others),
the masked ones did not.

The rules were fixed before the runs. Differences are taken within a seed. Surely
better: the 95 % interval over seeds lies above 0, and above the mean difference of the
twins. A condition (a task, fine-tuned or frozen) counts only if the standard BERT is
there surely better than the same network untrained: where pre-training brings nothing,
no ablation of it says anything. If no condition of a claim counts, or no case of its
rule applies, the claim is untested.

bert_masking   Four policies: [MASK] / another piece / as it was, in per cent. Chunks,
               fine-tuned and frozen (a linear reader of both layers side by side), and
               the sentiment of reviews, fine-tuned.
               "the 80/10/10 rule repairs the mismatch that [MASK] makes": frozen;
               supported if 80/10/10 is surely better than 100 % [MASK], wrong if surely
               worse
               "fine-tuning hardly cares how one masks": supported if each policy's
               difference from 80/10/10 lies surely within 2 points, wrong if one is
               surely more than 2 points away (and than the twins)
bert_ablation  No NSP; left to right without NSP. Fine-tuned on chunks, sentiment,
               questions (does this sentence answer it?) and pairs of sentences (of one
               document?).
               "NSP does not matter": wrong if leaving it out is surely worse in some
               condition, supported if in all of them the difference lies surely
               within 2 points. Untested if NSP itself was not learned: no more than
               55 % of the held-out pairs right (there are about 1,600)
               "both sides are better than left to right" (both without NSP): supported
               if surely in more than half of the conditions, overstated if in some,
               wrong if surely worse in some and better in none
bert_features  The checkpoint bert-en, real chunks (CoNLL-2000), 500 sentences to learn
               from. A linear reader of frozen layers, or fine-tuned. (The paper: six
               ways, named entities, a biLSTM as the reader.)
               "BERT works as well with frozen features": supported if fine-tuned is
               surely less than 1 point above the last four layers side by side,
               overstated if surely more than 1 point
               "the last layer is not the best one": supported if the last four side by
               side are surely better than the last, wrong if surely worse
"""

from __future__ import annotations

import copy
import functools
import hashlib
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from course_lib import checkpoints, data
from course_lib.analysis.probes import linear
from course_lib.analysis.statistics import Interval
from course_lib.analysis.tagging import span_f1
from course_lib.models.bert import (
    BERT,
    STANDARD,
    BERTConfig,
    Classifier,
    MaskedPairs,
    Masking,
    Tagger,
    cut_to_fit,
    join,
)
from course_lib.text.batches import IGNORE, Text, read_text
from course_lib.text.examples import Tagged
from course_lib.text.pieces import Labelled, Pieces, PieceText
from course_lib.text.tokenise import words_en
from course_lib.training import bf16_pays
from course_lib.training.features import cache
from course_lib.training.fine_tune_bert import (
    Row,
    Sequences,
    predicted,
    tagged_row,
    word_layers,
)
from course_lib.training.loop import evaluate, train

from ..ledger import gain

# -- ways of pre-training --------------------------------------------------------------


class Way(NamedTuple):
    """What is asked in pre-training. masking None: the next piece, left to right.

    start: the seed of the parameters, the pairs and the masks
    """

    masking: Masking | None = STANDARD
    next_sentence: bool = True
    start: int = 0


STANDARD_BERT, TWIN, UNTRAINED = "80/10/10", "80/10/10 again", "untrained"
TWINS = {STANDARD_BERT: Way(), TWIN: Way(start=1)}
POLICIES = TWINS | {  # [MASK] / another piece / as it was
    "100/0/0": Way(Masking(mask=1.0, random=0.0)),
    "80/20/0": Way(Masking(mask=0.8, random=0.2)),
    "0/100/0": Way(Masking(mask=0.0, random=1.0)),
}
ABLATED = TWINS | {
    "no NSP": Way(next_sentence=False),
    "left to right, no NSP": Way(masking=None, next_sentence=False),
}


class Sizes(NamedTuple):
    """How much is read and taught.

    labels, sentences: texts with a class, and with tags, to learn from; asked: of both
    """

    words: int = 1_000_000
    pieces: int = 1500
    dimension: int = 96
    steps: int = 6000  # of pre-training
    labels: int = 1000
    sentences: int = 200
    asked: int = 500
    lessons: int = 200  # steps of teaching a task


FULL = Sizes()
SMALL = Sizes(16_000, 400, 16, 6, 40, 20, 30, 4)
CONTEXT, ROWS = 48, 64
RATE_OF_READING = 1e-3  # of pre-training


class Setting(NamedTuple):
    """Text for pre-training and text held out, and how both are spelled."""

    pieces: Pieces
    text: PieceText
    unseen: PieceText


@functools.cache
def town(sizes: Sizes) -> Setting:
    """Read Rivertown English, every 20th document held out, in small letters."""
    corpus = data.load("rivertown-en", tokens=sizes.words)
    documents = [[[w.lower() for w in s] for s in d] for d in corpus.documents()]
    parts = ([], [])
    for number, document in enumerate(documents):
        parts[number % 20 == 19].append(document)
    text, unseen = (read_text(part, window=sys.maxsize) for part in parts)
    pieces = Pieces.learn(word_counts(text), sizes.pieces)
    return Setting(pieces, PieceText.of(text, pieces), PieceText.of(unseen, pieces))


def word_counts(text: Text) -> Counter[str]:
    """Count the words of a text, without its two marks."""
    counts = np.bincount(text.ids, minlength=len(text.words))[2:]
    return Counter(dict(zip(text.words[2:], counts.tolist(), strict=True)))


def blank(setting: Setting, sizes: Sizes, seed: int, causal: bool = False) -> BERT:
    """Return a tiny BERT that has read nothing."""
    torch.manual_seed(seed)
    config = BERTConfig(2, sizes.dimension, 4, CONTEXT, causal=causal)
    return BERT(config, len(setting.pieces))


def pretrained(setting: Setting, sizes: Sizes, way: Way) -> BERT:
    """Pre-train a tiny BERT in a way, or load it if that was done before.

    Errors: RuntimeError if its loss rose: of such a BERT nothing can be learned.
    """
    model = blank(setting, sizes, way.start, causal=way.masking is None)
    about = (sizes, way, RATE_OF_READING)
    folder = cache().parent / "bert" / fingerprint(setting, model, about)
    if not (folder / "model.safetensors").exists():
        text, V = setting.text, len(setting.pieces)
        how = (way.start, way.masking, way.next_sentence)
        pairs = MaskedPairs(text, V, CONTEXT, ROWS, *how)
        epochs = sizes.steps / len(pairs)
        rate, bf16 = RATE_OF_READING, bf16_pays()
        run = train(model, pairs, epochs, learning_rate=rate, bf16=bf16)
        if rose([loss for _, loss in run.losses]):
            raise RuntimeError(f"the loss rose: {way} needs a lower rate")
        checkpoints.save(model, setting.pieces, folder)
    return checkpoints.load(str(folder))[0]


def rose(losses: Sequence[float]) -> bool:
    """Tell whether a loss was higher in the last quarter than in the second."""
    quarter = len(losses) // 4
    second, last = losses[quarter : 2 * quarter], losses[-quarter:]
    return sum(last) > sum(second) if quarter else False


def fingerprint(setting: Setting, model: BERT, about: tuple) -> str:
    """Name what decides how a pre-training comes out."""
    digest = hashlib.sha256(repr((model.config, about)).encode())
    digest.update("\n".join(setting.pieces.words).encode())
    digest.update(setting.text.ids.tobytes())
    return digest.hexdigest()[:16]


@torch.no_grad()
def measured_on(
    text: PieceText, n_pieces: int, model: BERT, way: Way = TWINS[STANDARD_BERT]
) -> dict[str, float]:
    """Measure what was learned: perplexity of what is predicted, and NSP if asked.

    Each with the masks that it learned with. With other masks a figure says how strange
    they are to the model: "100/0/0" was never asked for a piece that it can read.
    """
    pairs = MaskedPairs(text, n_pieces, CONTEXT, 64, 0, way.masking, False)
    found = {"perplexity": math.exp(evaluate(model, pairs).item())}
    if way.next_sentence:
        nothing = Masking(share=0.0)
        pairs = MaskedPairs(text, n_pieces, CONTEXT, 64, 0, nothing)
        right = [
            (model.follows(model.pooled(model(x), x)).argmax(1) == y[1, :, 0]).float()
            for x, y in pairs
        ]
        found["NSP"] = float(torch.cat(right).mean())
    return found


# -- tasks -----------------------------------------------------------------------------


class Task(NamedTuple):
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
) -> Task:
    """Ask for a tag at each word. parts: examples to learn from, and to be asked."""
    tags = sorted({tag for part in parts for example in part for tag in example.tags})
    columns = []
    for part in parts:
        written = (tagged_row(pieces, e, tags, context) for e in part)
        columns += map(list, zip(*written, strict=True))
    return Task(name, tags, *columns)


def classes(name: str, parts: Sequence[Sequence[tuple[Row, str]]]) -> Task:
    """Ask for the class of a row. parts: rows with their labels, as in `tagging`."""
    names = sorted({label for part in parts for _, label in part})
    columns = []
    for part in parts:
        columns += [[row for row, _ in part], [names.index(y) for _, y in part]]
    return Task(name, names, *columns)


def prepare(setting: Setting, name: str, sizes: Sizes, seed: int) -> Task:
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


def same_document(text: PieceText, sizes: Sizes, seed: int) -> list[list[tuple]]:
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
    encoder: BERT, task: Task, sizes: Sizes, seed: int, rate: float
) -> float:
    """Teach a copy of an encoder a task; return its score on what is asked."""
    torch.manual_seed(seed)
    encoder, K = copy.deepcopy(encoder), len(task.classes)
    if inside(task):
        model: nn.Module = Tagger(encoder, K)
        batches = Sequences(task.rows, task.targets, 16, seed)
    else:
        model = Classifier(encoder, K)
        batches = Labelled([[row] for row in task.rows], task.targets, 16, seed)
    train(model, batches, sizes.lessons / len(batches), learning_rate=rate)
    return score(task, predicted(model, task.asked))


def frozen(
    encoder: BERT, task: Task, pick: Callable[[np.ndarray], np.ndarray], seed: int,
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


def inside(task: Task) -> bool:
    """Say whether a task asks for something at each word, and not of the row."""
    return isinstance(task.right[0], list)


def score(task: Task, said: Sequence) -> float:
    """Return the accuracy of classes, or F1 of the spans that tags mark."""
    if not inside(task):
        return float(np.mean(np.array(said) == np.array(task.right)))
    pairs = zip(said, task.right, strict=True)
    return f1(task, [s[np.array(right) != IGNORE] for s, right in pairs])


def f1(task: Task, said: Sequence[np.ndarray]) -> float:
    """Return F1 of the spans, given the tags that were said of each row's words."""
    gold = [[task.classes[y] for y in right if y != IGNORE] for right in task.right]
    return span_f1(gold, [[task.classes[k] for k in of] for of in said])


def row(model: str, condition: str, metric: str, value: float) -> dict:
    """Write a row for the ledger."""
    about = {"model": model, "condition": condition, "metric": metric}
    return about | {"value": float(value)}


# -- the experiments -------------------------------------------------------------------

RATE = 1e-3  # of fine-tuning a tiny BERT; not tuned


def encoders(ways: dict[str, Way], sizes: Sizes, seed: int) -> dict[str, BERT]:
    """Pre-train in each way; and have the same network untrained."""
    setting = town(sizes)
    found = {name: pretrained(setting, sizes, way) for name, way in ways.items()}
    return found | {UNTRAINED: blank(setting, sizes, seed)}


def compare(
    ways: dict[str, Way], names: Sequence[str], sizes: Sizes, seed: int
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


# -- the rules -------------------------------------------------------------------------

WITHIN, CLOSE = 0.02, 0.01  # differences that do not matter, see the rules
LEARNED = 0.55  # of the pairs that were held out


def conditions(rows: Sequence[dict]) -> list[str]:
    """List the tasks that were scored, in their order."""
    return list(dict.fromkeys(r["condition"] for r in rows if r["metric"] == "score"))


def above(rows: Sequence[dict], new: str, old: str, condition: str) -> Interval:
    """Return by how much one way's score is above another's under a condition."""
    a, b = ({"model": model, "condition": condition} for model in (new, old))
    return gain(rows, "score", a, b)


def margin(rows: Sequence[dict], condition: str) -> float:
    """Return by how much the twins differ: what a difference must exceed."""
    return abs(above(rows, TWIN, STANDARD_BERT, condition).estimate)


def better(rows: Sequence[dict], new: str, old: str, condition: str) -> bool:
    """Say whether one way is surely better than another, see the rules."""
    return above(rows, new, old, condition).low > margin(rows, condition)


def counting(rows: Sequence[dict], how: str = "") -> list[str]:
    """List the conditions in which pre-training surely helps; how: their ending."""
    ending = (c for c in conditions(rows) if c.endswith(how))
    return [c for c in ending if better(rows, STANDARD_BERT, UNTRAINED, c)]


def mismatch_verdict(rows: Sequence[dict]) -> str:
    """Judge: the 80/10/10 rule repairs the mismatch that [MASK] makes."""
    kept = counting(rows, "frozen")
    if any(better(rows, "100/0/0", STANDARD_BERT, c) for c in kept):
        return "wrong"
    repaired = any(better(rows, STANDARD_BERT, "100/0/0", c) for c in kept)
    return "supported" if repaired else "untested"


def robust_verdict(rows: Sequence[dict]) -> str:
    """Judge: fine-tuning hardly cares how one masks."""
    pairs = [
        (policy, condition)
        for condition in counting(rows, "fine-tuned")
        for policy in POLICIES.keys() - TWINS.keys()
    ]
    for policy, condition in pairs:
        found = above(rows, policy, STANDARD_BERT, condition)
        if max(found.low, -found.high) > max(WITHIN, margin(rows, condition)):
            return "wrong"
    return "supported" if pairs and all_small(rows, pairs) else "untested"


def all_small(rows: Sequence[dict], pairs: Sequence[tuple[str, str]]) -> bool:
    """Say whether each (way, condition) lies surely within 2 points of 80/10/10."""
    found = [above(rows, way, STANDARD_BERT, condition) for way, condition in pairs]
    return all(g.low > -WITHIN and g.high < WITHIN for g in found)


def nsp_verdict(rows: Sequence[dict]) -> str:
    """Judge: NSP does not matter."""
    learned = [r["value"] for r in rows if r["metric"] == "NSP"]
    if min(learned) <= LEARNED:
        return "untested"
    kept = counting(rows)
    if any(better(rows, STANDARD_BERT, "no NSP", c) for c in kept):
        return "wrong"
    small = all_small(rows, [("no NSP", c) for c in kept])
    return "supported" if kept and small else "untested"


def both_sides_verdict(rows: Sequence[dict]) -> str:
    """Judge: both sides are better than left to right."""
    kept, both, left = counting(rows), "no NSP", "left to right, no NSP"
    ahead = sum(better(rows, both, left, c) for c in kept)
    if ahead:
        return "supported" if ahead > len(kept) / 2 else "overstated"
    behind = any(better(rows, left, both, c) for c in kept)
    return "wrong" if behind else "untested"


def tuned_above(rows: Sequence[dict]) -> Interval:
    """Return by how much fine-tuning is above the last four layers, frozen."""
    one = {"model": "fine-tuned", "condition": "fine-tuned"}
    other = {"model": "last four side by side", "condition": "frozen"}
    return gain(rows, "score", one, other)


def frozen_verdict(rows: Sequence[dict]) -> str:
    """Judge: BERT works as well with frozen features."""
    more = tuned_above(rows)
    if more.high < CLOSE:
        return "supported"
    return "overstated" if more.low > CLOSE else "untested"


def last_verdict(rows: Sequence[dict]) -> str:
    """Judge: the last layer is not the best one."""
    more = above(rows, "last four side by side", "last", "frozen")
    if more.low > 0:
        return "supported"
    return "wrong" if more.high < 0 else "untested"


EXPERIMENTS = {
    "bert_masking": bert_masking,
    "bert_ablation": bert_ablation,
    "bert_features": bert_features,
}
