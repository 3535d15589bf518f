"""Lesson 11: why does pre-training help? The encoders that its experiments compare.

A small AWD-LSTM reads a million words of English twice (BBC news without the test
articles, and Brown); so do two others whose text has been taken apart, and three more
models are made without any training: see analysis.controls. These pre-trainings take
about a CPU minute each, are done once and kept: the intervals are over labels, heads,
noise and probes, not over pre-trainings. The seed draws the labelled texts. Two tasks
are fine-tuned: the topic of the first 30 words of a news article, one of five; and
whether two neighbours in a treebank sentence (18 words at most) were exchanged. A pilot
with seed 1 was seen before the stored runs (transfer, for_all, regularise); after it,
exchanged sentences were limited to 18 words, because with longer ones every start
stayed at chance. So stored runs take other seeds.

better_start.py and frozen_states.py have the experiments.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from course_lib import checkpoints, data, kept
from course_lib.analysis import controls
from course_lib.analysis.probing_tasks import bigram_shift
from course_lib.data import readers
from course_lib.data.entries import BBC
from course_lib.data.files import fetch
from course_lib.data.readers import Document
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from course_lib.text.batches import read_text
from course_lib.text.documents import number
from course_lib.text.streams import Streams, vocabulary_of
from course_lib.text.vocabulary import Vocabulary
from course_lib.training.loop import train
from course_lib.worlds.rivertown import world

from ..stages import fingerprint

REAL, SHUFFLED, SCATTERED = "real text", "shuffled words", "scattered words"
RENAMED, PERMUTED, UNTRAINED = "renamed words", "permuted weights", "untrained"
CONTROLS = (REAL, SHUFFLED, SCATTERED, RENAMED, PERMUTED, UNTRAINED)


class Setting(NamedTuple):
    """What an encoder reads, and what it is asked.

    text: for pre-training;  topics: (documents, labels) of "train" and "test"
    tagged: sentences with tags;  epochs, rows: of pre-training
    """

    language: str
    text: list[Document]
    topics: dict[str, tuple[list[Document], np.ndarray]]
    tagged: list
    vocabulary: Vocabulary
    config: AWDConfig
    epochs: int = 2
    rows: int = 16

    def numbered(self, split: str, rows: Sequence[int]) -> list[np.ndarray]:
        """Return some of a split's documents as the models read them."""
        documents = self.topics[split][0]
        return [number(documents[i], self.vocabulary) for i in rows]


def small_letters(document: Document) -> Document:
    """Write all words in small letters, as the models read them."""
    return [[word.lower() for word in sentence] for sentence in document]


def opening(document: Document, words: int = 30) -> Document:
    """Return the first words of a document."""
    kept, room = [], words
    for sentence in document:
        kept.append(sentence[:room])
        room -= len(kept[-1])
        if room <= 0:
            break
    return kept


@functools.cache
def news(words: float = 1e6) -> Setting:
    """Return the setting of the claims: English news and Brown, five topics."""
    articles = [
        (small_letters(readers.english(text.replace("\n", "\n\n"))), name.split("/")[1])
        for name, text in readers.members(fetch(BBC), "latin-1")
    ]
    rng = np.random.default_rng(0)
    articles = [articles[i] for i in rng.permutation(len(articles))]
    parts = {"test": articles[:400], "train": articles[400:]}
    names = sorted({label for _, label in articles})
    topics = {
        split: ([opening(d[1:]) for d, _ in of],  # [0] is the headline
                np.array([names.index(label) for _, label in of]))
        for split, of in parts.items()
    }  # fmt: skip
    read = [d for d, _ in parts["train"]]
    read += [small_letters(d) for d in data.load("brown").documents()]
    text = first([read[i] for i in rng.permutation(len(read))], words)
    return Setting("en", text, topics, data.load("treebank").split("all"),
                   vocabulary_of(read_text(text, window=sys.maxsize), 10_000),
                   AWDConfig(64, 128, layers=2, dropped=0.1, samples=500))  # fmt: skip


@functools.cache
def town(language: str, words: int = 20_000, epochs: int = 2) -> Setting:
    """Return a setting that every clone has: Rivertown, documents of twelve topics."""
    corpus = data.load(f"rivertown-{language}", tokens=words)
    text = [small_letters(document) for document in corpus.documents()]
    parts = {
        k: list(world(language, k).documents(60_000, 1)) for k in ("train", "test")
    }
    names = sorted({document.topic for document in parts["train"]})
    topics = {
        split: ([opening([[t.word.lower() for t in x.tokens] for x in d.sentences])
                 for d in of], np.array([names.index(d.topic) for d in of]))
        for split, of in parts.items()
    }  # fmt: skip
    size = (16, 32) if words < 50_000 else (48, 96)
    return Setting(language, text, topics,
                   data.load(f"rivertown-{language}-pos").split("train"),
                   vocabulary_of(read_text(text, window=sys.maxsize), 5_000),
                   AWDConfig(*size, layers=2, dropped=0.1, samples=500),
                   epochs, rows=8)  # fmt: skip


def first(documents: Sequence[Document], words: float) -> list[Document]:
    """Return the first documents, until they hold so many words."""
    sizes = np.cumsum([sum(map(len, document)) for document in documents])
    return list(documents[: int(np.searchsorted(sizes, words)) + 1])


def pretrained(setting: Setting, text: list[Document]) -> AWDLSTM:
    """Train a language model on a text; kept on disk, as it is the same for all seeds.

    The labelled texts are in the vocabulary of the unchanged text, whatever was read.
    """
    torch.manual_seed(0)
    model = AWDLSTM(setting.config, len(setting.vocabulary))
    read = read_text(text, window=sys.maxsize)
    about = (setting.epochs, setting.rows, setting.vocabulary.words)
    name = fingerprint(model, read, (about, read.words))

    def learn() -> None:
        streams = Streams(read, setting.vocabulary, setting.rows)
        train(Remembering(model), streams, setting.epochs, learning_rate=1e-2)
        checkpoints.halve(model)

    return kept.trained(model, kept.place("why") / f"{name}.pt", learn)


def encoders(
    setting: Setting, seed: int, names: Sequence[str] = CONTROLS
) -> dict[str, AWDLSTM]:
    """Return each control's encoder; those that read are the same for all seeds."""
    real = pretrained(setting, setting.text)
    make = {
        REAL: lambda: real,
        SHUFFLED: lambda: pretrained(setting, controls.shuffle_words(setting.text, 0)),
        SCATTERED: lambda: pretrained(setting, controls.scatter_words(setting.text, 0)),
        RENAMED: lambda: controls.rename(real, seed),
        PERMUTED: lambda: controls.permute(real, seed),
        UNTRAINED: lambda: controls.untrained(real, seed),
    }
    return {name: make[name]() for name in names}


def drawn(setting: Setting, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw n labelled documents, as many of each topic, and 200 others to choose by."""
    labels = setting.topics["train"][1]
    order = np.random.default_rng(seed).permutation(len(labels))
    rank = np.empty(len(order), int)  # how many of its topic were drawn before it
    for topic in np.unique(labels):
        here = labels[order] == topic
        rank[here] = np.arange(here.sum())
    order = order[np.argsort(rank, kind="stable")]
    return order[:n], order[n : n + 200]


def exchange_task(setting: Setting) -> Setting:
    """Let the texts be sentences, and their topics whether neighbours were exchanged.

    The same for every seed, which only draws the labelled ones.
    """
    # In a long sentence one exchange is a needle in a haystack, for any start.
    short = [s for s in setting.tagged if len(s.tokens) <= 18]
    question = bigram_shift(short, seed=0)
    labels = np.array([label == "exchanged" for label in question.labels]).astype(int)
    documents = [[sentence] for sentence in question.sentences]
    order = np.random.default_rng(0).permutation(len(labels))[:2400]
    cut = max(400, len(order) // 6)
    parts = {"test": order[:cut], "train": order[cut:]}
    topics = {k: ([documents[i] for i in of], labels[of]) for k, of in parts.items()}
    return setting._replace(topics=topics)


def tasks(setting: Setting) -> dict[str, Setting]:
    """Return the two tasks that are fine-tuned, by name."""
    return {"topic": setting, "exchanged": exchange_task(setting)}


def setting_of(quick: bool) -> Setting:
    """Return the setting of an experiment; quick: a small one, of Rivertown."""
    return town("en") if quick else news()
