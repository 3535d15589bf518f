"""Lesson 12: what two language models bring to an encoder and a decoder.

Two tasks, few pairs: Rivertown sentences from English into Chinese, and the vowels of
real English. The language models are trained once a task; the seed draws the pairs and
everything random. In the ablation and with fewer or more pairs, each way learns at
each of three rates, and the one with the highest BLEU on the development pairs counts:
no way is asked at a rate that suits another. "No network" is what can be done with the
pairs alone; a task says nothing of ways that stay below it.

seq2seq_ablation    everything pre-trained, with the joint loss ("full"), against the
                    same without one part, and against no pre-training
seq2seq_pairs       full and no pre-training, with fewer pairs and with more
seq2seq_forgetting  the perplexities of both language models inside the translator,
                    with the joint loss and without, as it is fine-tuned
dai_le              an LSTM that classifies reviews, from three beginnings: a language
                    model, an autoencoder, nothing; and with a joint loss. The seed
                    draws the labels, and each beginning is trained anew
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from course_lib import data
from course_lib.analysis.baselines import classify as without_pretraining
from course_lib.analysis.statistics import Interval, t_interval
from course_lib.models.classifier import Scores
from course_lib.models.seq2seq import EVERYTHING, LanguageModel, Seq2Seq
from course_lib.text.batches import IGNORE
from course_lib.text.characters import BOS
from course_lib.text.documents import Documents
from course_lib.text.pairs import Sentence, vocabulary_of
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import translate
from course_lib.training.fine_tune import as_document, predict
from course_lib.training.loop import train
from course_lib.training.translate import FULL, SMALL, TranslatorSettings

from ..ledger import gain
from ..rules import beginnings, row

SOURCE, TARGET = EVERYTHING[:3], EVERYTHING[3:]
WITHOUT_SOFTMAX = tuple(p for p in EVERYTHING if p != "target.softmax")
ABLATION = {
    "full": TranslatorSettings(),
    "only the decoder": TranslatorSettings(parts=TARGET),
    "only the encoder": TranslatorSettings(parts=SOURCE),
    "without softmax": TranslatorSettings(parts=WITHOUT_SOFTMAX),
    "without LM loss": TranslatorSettings(joint=False),
    "without extras": TranslatorSettings(extras=False),
    "no pre-training": TranslatorSettings(parts=()),
    "neither": TranslatorSettings(parts=(), joint=False),
}
FEW = {"rivertown": 1000, "vowels": 300}  # pairs of the ablation
AMOUNTS = {"rivertown": (300, 2000), "vowels": (100, 1000)}
RATES = (4e-3, 8e-3, 1.6e-2)  # each way has the best of them
STEPS = {"rivertown": 600, "vowels": 300}  # of fine-tuning


def tasks(quick: bool) -> Iterator[tuple]:
    """Yield each task and its language models; quick: Rivertown, which ships."""
    names, sizes = (("rivertown",), SMALL) if quick else (tuple(FEW), FULL)
    for name in names:
        task = translate.prepare(name, sizes)
        yield task, translate.language_models(task, sizes)


def timed(way: TranslatorSettings, name: str, quick: bool) -> TranslatorSettings:
    """Return a way with a task's number of steps; quick: hardly any."""
    return way._replace(steps=3 if quick else STEPS[name])


def scored(task, models, n: int, seed: int, ways: dict, quick: bool) -> list[dict]:
    """Train each way on n pairs; return its scores and its rate, and a baseline's."""
    simple = translate.without_network(task, translate.drawn(task, n, seed))
    scores = {"no network": translate.compared(simple, task)}
    for title, way in ways.items():
        way, rates = timed(way, task.name, quick), RATES[:1] if quick else RATES
        model, rate = best(task, models, n, seed, way, rates)
        scores[title] = translate.score(model, task) | {"rate": rate}
    condition = f"{task.name}, {n} pairs"
    return [
        row(title, condition, metric, value)
        for title, of in scores.items()
        for metric, value in of.items()
    ]


def best(
    task, models, n: int, seed: int, way: TranslatorSettings, rates
) -> tuple[Seq2Seq, float]:
    """Train at several rates; return the best on the development pairs, and its rate.

    The test pairs have no say, so that their score is of sentences never looked at.
    """
    found = []
    for rate in rates:
        model = translate.learn(task, n, seed, way._replace(rate=rate), models)
        found.append((translate.score(model, task, "dev")["BLEU"], rate, model))
    _, rate, model = max(found, key=lambda tried: tried[0])
    return model, rate


# -- the experiments -------------------------------------------------------------------


def seq2seq_ablation(seed: int, quick: bool = False) -> list[dict]:
    """Leave out one part of the method at a time."""
    found = []
    for task, models in tasks(quick):
        n = 60 if quick else FEW[task.name]
        found += scored(task, models, n, seed, ABLATION, quick)
    return found


def seq2seq_pairs(seed: int, quick: bool = False) -> list[dict]:
    """Train with fewer pairs than in the ablation, and with more."""
    ways = {k: ABLATION[k] for k in ("full", "no pre-training")}
    found = []
    for task, models in tasks(quick):
        for n in (40, 80) if quick else AMOUNTS[task.name]:
            found += scored(task, models, n, seed, ways, quick)
    return found


def seq2seq_forgetting(seed: int, quick: bool = False) -> list[dict]:
    """Follow the two language models' perplexities through fine-tuning."""
    found = []
    for task, models in tasks(quick):
        n = 60 if quick else FEW[task.name]
        for title in ("full", "without LM loss"):
            way = timed(ABLATION[title], task.name, quick)
            found += followed(task, models, seed, title, way, n)
    return found


def followed(
    task, models, seed: int, title: str, way: TranslatorSettings, n: int
) -> list[dict]:
    """Fine-tune, and note the perplexities about eight times on the way.

    A language model is asked alone: its words, its LSTM, its softmax, no attention.
    """
    found = []

    def note(model, steps: int) -> None:
        for i, side in enumerate(("source", "target")):
            about = getattr(model, side), task.held_out[i], task.vocabularies[i]
            p = translate.perplexity(*about)
            found.append(row(title, f"{task.name}, step {steps}", side, p))

    model = translate.begin(task, way, models, seed)
    note(model, 0)
    per_epoch = math.ceil(n / translate.ROWS)
    every = max(1, way.steps // per_epoch // 8)

    def at_epoch(epoch: int) -> None:
        if epoch and epoch % every == 0:
            note(model, epoch * per_epoch)

    translate.fine_tune(model, task, n, seed, way, at_epoch)
    note(model, way.steps)
    bleu = translate.score(model, task)["BLEU"]
    found.append(row(title, f"{task.name}, step {way.steps}", "BLEU", bleu))
    return found


# -- Dai and Le ------------------------------------------------------------------------


REVIEWS = {"en": "sentence_polarity", "zh": "waimai"}


class LastState(nn.Module):
    """An LSTM reads a text; its last output decides. Source: Dai & Le 2015.

    lm: where the words' vectors and the LSTM come from. A sequence autoencoder has the
        same parts: it is a language model that has read each text twice.
    joint: how much the language model's loss counts beside the labels, in training
    """

    def __init__(self, lm: LanguageModel, n_classes: int, joint: float = 0.0):
        super().__init__()
        self.lm, self.joint = lm, joint
        linear = nn.Linear(lm.lstm.hidden_size, n_classes)
        self.head = nn.Sequential(nn.Dropout(0.2), linear)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Score texts (B, T), PAD behind: logits (B, K).

        Given the classes (B,), return `Scores` and the loss (1,).
        """
        h, _ = self.lm.read(tokens)  # (B, T, D)
        last = (tokens >= 0).sum(dim=1) - 1  # (B,)
        if (last < 0).any():
            raise ValueError("a text has no word to read; put <S> before it")
        h_T = h[torch.arange(len(h), device=h.device), last]  # (B, D)
        logits = self.head(h_T)
        if targets is None:
            return logits
        penalty = logits.new_zeros(())
        if self.joint and self.training:
            following = torch.where(tokens >= 0, tokens, IGNORE)[:, 1:]  # (B, T-1)
            penalty = self.joint * self.lm.loss(h[:, :-1], following).squeeze()
        return Scores(logits, penalty), F.cross_entropy(logits, targets).reshape(1)


def dai_le(seed: int, quick: bool = False, language: str = "en") -> list[dict]:
    """Begin an LSTM classifier as a language model, as an autoencoder, at random."""
    town = f"rivertown-{language}-sentiment"
    name, n = (town, 40) if quick else (REVIEWS[language], 500)
    split, text, vocabulary = reviews(name, 120 if quick else 6000)
    sizes = FULL._replace(epochs=1.0 if quick else 3.0)
    order = np.random.default_rng(seed).permutation(len(split["train"]))
    train_on, condition = [split["train"][i] for i in order[:n]], f"{name}, {n} labels"
    plain = without_pretraining(train_on, split["test"], language)
    found = [row(model, condition, "accuracy", v) for model, v in plain.items()]
    begins = {
        "no pre-training": (None, 0.0),
        "language model": (False, 0.0),
        "autoencoder": (True, 0.0),
        "language model, joint loss": (False, 1.0),
    }
    for title, (twice, joint) in begins.items():
        torch.manual_seed(seed)
        lm = LanguageModel(len(vocabulary))
        if twice is not None:
            lm = translate.language_model(text, vocabulary, sizes, twice)
        torch.manual_seed(seed)
        model = LastState(lm, n_classes=2, joint=joint)
        epochs = 2 if quick else 10
        labelled = documents(train_on, vocabulary, seed, language)
        train(model, labelled, epochs, learning_rate=2e-3)
        tests = documents(split["test"], vocabulary, seed, language)
        probabilities = predict(model, tests.documents)
        right = (probabilities.argmax(axis=1) == tests.labels).mean()
        found.append(row(title, condition, "accuracy", right))
    return found


@functools.cache
def reviews(name: str, most: int) -> tuple[dict, list[Sentence], Vocabulary]:
    """Split short reviews; return them, the training texts in words, and the words."""
    task = data.load(name)
    every = [e for split in task.splits for e in task.split(split)]
    every = [every[i] for i in np.random.default_rng(0).permutation(len(every))]
    split = {"test": every[: most // 6], "train": every[most // 6 : most]}
    text = [words_of(example, task.language) for example in split["train"]]
    return split, text, vocabulary_of(text, 4000)


def words_of(example, language: str) -> Sentence:
    """Return a review as one list of words."""
    found = as_document(example.text, language)
    return [word for sentence in found for word in sentence]


def documents(
    examples: list, vocabulary: Vocabulary, seed: int, language: str
) -> Documents:
    """Number some reviews, as the language models read them, and their labels."""
    texts = (words_of(e, language) for e in examples)
    read = [np.array(vocabulary.encode([BOS, *words])) for words in texts]
    return Documents(read, [int(e.label == "pos") for e in examples], seed=seed)


# -- differences -----------------------------------------------------------------------


def gaps(rows: list[dict]) -> dict[str, Interval]:
    """Return, in each task, the gain with the fewest pairs minus with the most."""
    found = {}
    for task in beginnings(rows, ", "):
        of: dict[int, dict[int, float]] = {}
        for r in rows:
            name, _, pairs = r["condition"].partition(", ")
            sign = {"full": 1, "no pre-training": -1}.get(r["model"], 0)
            if name == task and r["metric"] == "BLEU":
                by_amount = of.setdefault(r["seed"], {})
                n = int(pairs.split()[0])
                by_amount[n] = by_amount.get(n, 0.0) + sign * r["value"]
        found[task] = t_interval([g[min(g)] - g[max(g)] for g in of.values()])
    return found


def risen(rows: list[dict], title: str) -> dict[tuple[str, str], list[float]]:
    """Return by how much each log perplexity has risen, seed by seed."""
    found: dict[tuple[str, str], list[float]] = {}
    of: dict[tuple, dict[int, float]] = {}
    for r in rows:
        if r["model"] == title and r["metric"] in ("source", "target"):
            task, _, step = r["condition"].partition(", step ")
            key = task, r["metric"], r["seed"]
            of.setdefault(key, {})[int(step)] = math.log(r["value"])
    for (task, side, _), curve in sorted(of.items()):
        rise = curve[max(curve)] - curve[0]
        found.setdefault((task, side), []).append(rise)
    return found


def accuracy_gain(rows: list[dict], new: str, old: str) -> Interval:
    """Return by how much the accuracy of Dai and Le's classifier is higher."""
    return gain(rows, "accuracy", {"model": new}, {"model": old})


EXPERIMENTS = {
    "seq2seq_ablation": seq2seq_ablation,
    "seq2seq_pairs": seq2seq_pairs,
    "seq2seq_forgetting": seq2seq_forgetting,
    "dai_le": dai_le,
}
