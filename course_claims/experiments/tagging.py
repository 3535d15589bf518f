"""Lesson 10: ULMFiT's way on a tagging task, beside ELMo's.

The paper calls tagging a straightforward extension of its method; here is one. Both
directions' AWD-LSTMs read the sentence, their outputs at a word lie side by side, two
small layers decide; stage 2 and stage 3 are as for documents. Phrases (English) and
names (Chinese, the words that jieba cuts: a word has its first character's tag).

    no language model  lesson 07's tagger: word vectors, how a word is written, a BiLSTM
    ELMo               the same, with the learned mix of the frozen biLM beside them
    AWD-LSTM, frozen   the same, with both AWD-LSTMs' outputs beside them
    ULMFiT             all stages, both directions fine-tuned
    ULMFiT, no stage 2 without a look at the task's text, as ELMo; but the Chinese
                       checkpoints of both have read MSRA's sentences, without the names
    ULMFiT, forward    the forward one alone: it has not seen what comes after a word

Compared are ELMo's way and ULMFiT's, for each task and number of labelled sentences:
ELMo itself, and the two AWD-LSTMs in its place, which have the same pre-training as
ULMFiT. How long the plugged taggers learn was set after a pilot (seed 100, English,
dev), and so was "no stage 2" added; ULMFiT's settings are those for documents.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from course_lib import checkpoints
from course_lib.analysis.tagging import span_f1
from course_lib.models.awd_lstm import AWDLSTM
from course_lib.models.classifier import Scores
from course_lib.text.batches import IGNORE, read_text
from course_lib.text.documents import number
from course_lib.text.pieces import PAD
from course_lib.text.streams import vocabulary_of
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import plug_in
from course_lib.training.fine_tune import POLICIES, discriminative, layer_groups, thaw
from course_lib.training.fine_tune_bert import Row, Sequences, predicted
from course_lib.training.loop import train

from .. import stages
from ..rules import row
from .mixing import TOWN
from .ulmfit import QUICK

TASKS = ("conll2000", "msra")
LABELLED = (100, 500)  # sentences
UNLABELLED = 8000  # sentences that stage 2 reads
ROUNDS = 30  # of the plugged taggers; the best one on dev is kept
PLUGGED = {
    "no language model": plug_in.WAYS["baseline"],
    "ELMo": plug_in.WAYS["learned mix"],
    "AWD-LSTM, frozen": plug_in.WAYS["learned mix"],
}
FINE_TUNED = {  # with stage 2? and do they read backward?
    "ULMFiT": (True, (False, True)),
    "ULMFiT, no stage 2": (False, (False, True)),
    "ULMFiT, forward": (True, (False,)),
}


# -- the model -------------------------------------------------------------------------


class WordTagger(nn.Module):
    """AWD-LSTMs and two small layers: rows in, scores of the tags of each word out.

    directions: reads forward; reads forward, reads backward. Each has its own memory,
    but they have the same words. A row numbers them from 1; 0 stands behind short rows.
    """

    def __init__(self, directions: Sequence[AWDLSTM], n_tags: int, width: int = 50):
        super().__init__()
        self.directions = nn.ModuleList(directions)
        read = sum(one.config.embedding for one in directions)
        self.head = nn.Sequential(
            nn.Dropout(0.4),
            nn.Linear(read, width),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(width, n_tags),
        )

    def forward(self, rows: torch.Tensor, targets: torch.Tensor | None = None):
        """Score the tags at each place. Shape: (B, T) to (B, T, K).

        Given targets (B, T), IGNORE where there is none, return the loss (1,) as well,
        in nats per word.
        """
        outputs, penalty = self.read(rows)
        logits = self.head(outputs)  # (B, T, K)
        if targets is None:
            return logits
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return Scores(logits, penalty), loss.reshape(1)

    def read(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Lay what the directions say of a place side by side, (B, T, E) or (B, T, 2E).

        Return their mean penalty as well.
        """
        places = torch.arange(rows.shape[1], device=rows.device)  # (T,)
        ends = (rows != PAD).sum(dim=1, keepdim=True)  # (B, 1)
        turned = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
        orders = (places.expand_as(turned), turned)  # each undoes itself
        outputs, penalties = [], []
        for one, order in zip(self.directions, orders, strict=False):
            reading = one((rows - 1).clamp(min=0).gather(1, order))
            wide = order[:, :, None].expand_as(reading.top)
            outputs.append(reading.top.gather(1, wide))  # (B, T, E)
            penalties.append(reading.penalty)
        return torch.cat(outputs, dim=2), torch.stack(penalties).mean()


def layers_of(model: WordTagger) -> list[list[nn.Parameter]]:
    """List the parameters from the lowest layer up, both directions' together."""
    columns = zip(*map(layer_groups, model.directions), strict=True)
    *lstms, words = ([p for group in column for p in group] for column in columns)
    return [words, *lstms, list(model.head.parameters())]


# -- a task ----------------------------------------------------------------------------


@functools.cache
def prepare(name: str, sizes: plug_in.PlugInSizes) -> plug_in.PlugInTask:
    """Load a task in words; the same for every seed."""
    return by_words(plug_in.prepare(name, sizes))


def by_words(task: plug_in.PlugInTask) -> plug_in.PlugInTask:
    """Give each word one tag: where characters are tagged, its first character's."""
    readings: dict[str, list] = {split: [] for split in task.readings}
    labels: dict[str, list] = {split: [] for split in task.readings}
    for split, examples in task.readings.items():
        for [reading], tags in zip(examples, task.labels[split], strict=True):
            first = [reading.at.index(k) for k in range(len(reading.words))]
            readings[split].append((plug_in.as_words(reading.words),))
            labels[split].append([tags[i] for i in first])
    return task._replace(readings=readings, labels=labels)


def for_stages(
    name: str, sizes: plug_in.PlugInSizes, unlabelled: int
) -> stages.ClassificationTask:
    """Return a task's text without labels, as stages 1 and 2 want it."""
    task = prepare(name, sizes._replace(train=unlabelled))
    documents = [[lower_case(reading.words)] for [reading] in task.readings["train"]]
    text = read_text(documents, window=sys.maxsize)
    vocabulary = vocabulary_of(text, 20_000)
    nothing: dict = {}
    about = (name, task.language, task.classes, nothing, nothing, nothing)
    return stages.ClassificationTask(*about, text, vocabulary)


def lower_case(words: Sequence[str]) -> list[str]:
    """Write words in small letters, as the checkpoints read them."""
    return [word.lower() for word in words]


def written(
    task: plug_in.PlugInTask, split: str, vocabulary: Vocabulary
) -> tuple[list[Row], list[Row]]:
    """Number a split's sentences from 1, and their tags; the two marks have none."""
    rows = [
        (number([lower_case(reading.words)], vocabulary) + 1).tolist()
        for [reading] in task.readings[split]
    ]
    at = {tag: k for k, tag in enumerate(task.classes)}
    tags = task.labels[split]
    return rows, [[IGNORE, *(at[tag] for tag in of), IGNORE] for of in tags]


# -- one run of one way ----------------------------------------------------------------


def fine_tuned(
    directions: Sequence[AWDLSTM],
    task: plug_in.PlugInTask,
    vocabulary: Vocabulary,
    n: int,
    seed: int,
    way: stages.StageThree,
) -> WordTagger:
    """Train a tagger on n labelled sentences, those of `plug_in.learn`: stage 3."""
    torch.manual_seed(seed)
    model = WordTagger(directions, len(task.classes))
    rows, targets = written(task, "train", vocabulary)
    chosen = np.random.default_rng(seed).permutation(len(rows))[:n]
    batches = Sequences(*([of[i] for i in chosen] for of in (rows, targets)), seed=seed)
    groups, choose = layers_of(model), POLICIES[way.policy]
    train(
        model,
        batches,
        max(way.epochs, math.ceil(way.steps / len(batches))),
        optimizer=torch.optim.Adam(
            discriminative(groups, way.rate, way.factor), betas=(0.7, 0.99)
        ),
        schedule=way.schedule,
        at_epoch=lambda epoch: thaw(groups, choose(epoch, len(groups))),
    )
    return model


def f1(
    model: WordTagger, task: plug_in.PlugInTask, split: str, vocabulary: Vocabulary
) -> float:
    """Return F1 of whole spans."""
    rows, _ = written(task, split, vocabulary)
    said = [[task.classes[k] for k in of[1:-1]] for of in predicted(model, rows)]
    return span_f1(task.labels[split], said)


@torch.no_grad()
def with_outputs_of(
    made: plug_in.Ready, directions: Sequence[AWDLSTM], vocabulary: Vocabulary
) -> plug_in.Ready:
    """Put AWD-LSTMs' outputs, (1, T, 2E), in the place of the biLM's layers."""
    model = WordTagger(directions, len(made.task.classes)).eval()
    texts: dict[str, list] = {}
    for split, examples in made.texts.items():
        rows, _ = written(made.task, split, vocabulary)
        texts[split] = []
        for numbered, [numbers] in zip(rows, examples, strict=True):
            outputs, _ = model.read(torch.tensor([numbered]))  # (1, T + 2, 2E)
            texts[split].append([numbers._replace(layers=outputs[:, 1:-1].numpy())])
    return made._replace(texts=texts)


# -- the experiment --------------------------------------------------------------------


def ulmfit_tagging(seed: int, quick: bool = False) -> list[dict]:
    """Return F1 of each way, with few and with more labelled sentences."""
    found = []
    for name in TASKS:
        for n in (20, 40) if quick else LABELLED:
            place = f"{name}, {n} sentences"
            scores = of_ways(TOWN[name] if quick else name, n, seed, quick)
            found += [row(way, place, "F1", value) for way, value in scores.items()]
    return found


def of_ways(name: str, n: int, seed: int, quick: bool) -> dict[str, float]:
    """Teach the task in each way; return F1 on test."""
    sizes = plug_in.SMALL if quick else plug_in.FULL._replace(rounds=ROUNDS)
    sizes = sizes._replace(labelled=n)
    made, frozen, source = prepared(name, quick)
    found = {}
    for title, how in PLUGGED.items():
        ready = frozen if title == "AWD-LSTM, frozen" else made
        found[title] = plug_in.learn(ready, how, seed, sizes)[1]
    text = stages.SMALL if quick else stages.FULL
    way, words = QUICK if quick else stages.ULMFIT, source.vocabulary
    for title, (stage_2, backwards) in FINE_TUNED.items():
        sources = [source._replace(backward=backward) for backward in backwards]
        directions = [
            stages.tuned(of, text) if stage_2 else stages.general(of) for of in sources
        ]
        model = fine_tuned(directions, made.task, words, n, seed, way)
        found[title] = f1(model, made.task, "test", words)
    return found


@functools.cache
def prepared(name: str, quick: bool) -> tuple:
    """Prepare a task once for all seeds.

    Return it with ELMo's layers, with the AWD-LSTMs' outputs, and its text for stage 2.
    """
    sizes = plug_in.SMALL if quick else plug_in.FULL
    task = prepare(name, sizes)
    source = for_stages(name, sizes, sizes.train if quick else UNLABELLED)
    language = task.language
    elmo, static = (checkpoints.load(f"{k}-{language}") for k in ("elmo", "static"))
    made = plug_in.ready(task, elmo, static)
    names = (f"awdlstm-{language}", f"awdlstm-{language}-backward")
    directions, [words, _] = zip(*map(checkpoints.load, names), strict=True)
    return made, with_outputs_of(made, directions, words), source


EXPERIMENTS = {"ulmfit_tagging": ulmfit_tagging}
