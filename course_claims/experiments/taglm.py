"""Lesson 05: what the states of a language model add to a tagger (TagLM).

Six claims. F1 is that of whole spans; differences are taken within a seed, where all
had the same labels.

gain         "a language model's states make a tagger better": both directions minus
             none, for each number of labels
directions   "two directions are better than one": both minus the forward one alone
own_text     "what helps is the text without labels, not a second network": the language
             model that ships minus one that has read the labelled sentences only; and
             that one minus none
place        "the states belong after the first layer": minus at the input, minus after
             the second
alone        "the states are all that the tagger needs": without words, characters and
             LSTM, minus the whole tagger, and minus the tagger without states
context2vec  "a context read by an LSTM beats an average of word vectors": the sense
             accuracy of context2vec minus that of averaged skip-gram, on the same text
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from course_lib import data
from course_lib.analysis import senses
from course_lib.analysis.baselines import guess_from_window
from course_lib.analysis.statistics import Interval
from course_lib.analysis.tagging import span_f1
from course_lib.models import context2vec
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.models.pair import first_layer
from course_lib.models.tagger import ROWS, TaggedSentences, Tagger, fit
from course_lib.text.batches import Batches, read_text
from course_lib.text.examples import Tagged
from course_lib.text.tokenise import words_zh
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.training.features import features
from course_lib.training.loop import train

from ..rules import gains, row
from . import polysemy
from .transfer import vectors_for

# Sentences; `train` is "100 %". MSRA has more than 53,000 left after dev and test: the
# cap keeps one seed affordable. CoNLL-2000's train and test are the official ones.
SIZES = {"train": 8436, "dev": 500, "test": 2012}
SIZES_ZH = {"train": 4000, "dev": 500, "test": 1500}
SMALL = {"train": 100, "dev": 40, "test": 40}
SHARES = (0.01, 0.1, 1.0)  # of the labels
WAYS = ("none", "forward", "both")
PARTS = ("none", "both", "input", "after second", "alone", "layer 0", "labelled text")
TASKS = {
    "en": ("conll2000", "rivertown-en-chunks"),
    "zh": ("msra", "rivertown-zh-entities"),
}


# -- the tasks -------------------------------------------------------------------------


class TaggingTask(NamedTuple):
    """A tagging task: what the tagger reads, and what the language model reads.

    splits: Tagged examples; for_lm: the words of each of their sentences
    where: which word each token of the example is in
    """

    name: str
    language: str
    splits: dict[str, list[Tagged]]
    for_lm: dict[str, list[list[str]]]
    where: dict[str, list[np.ndarray]]


def best_task(language: str) -> str:
    """Return the name of the real task set if it is at hand, else Rivertown's."""
    return next(filter(data.at_hand, TASKS[language]))


@functools.cache
def prepare(name: str, small: bool = False) -> TaggingTask:
    """Load a task set and cut dev, and test where there is none, off its end.

    Neighbouring sentences are of one document: dev and test are whole stretches, and
    train, if it is too large, is thinned out evenly, so that it is about many things.
    """
    task = data.load(name)
    sizes = SMALL if small else SIZES if task.language == "en" else SIZES_ZH
    raw = {split: task.split(split) for split in task.splits}
    whole = raw.pop("all", None) or raw.pop("train")
    for split in ("test", "dev"):
        if split not in raw:
            whole, raw[split] = whole[: -sizes[split]], whole[-sizes[split] :]
    raw["train"] = whole[:: max(1, len(whole) // sizes["train"])]
    raw = {split: of[: sizes[split]] for split, of in raw.items()}
    lm = {split: [x.tokens for x in of] for split, of in raw.items()}
    if name == "msra":
        lm = {split: list(map(segment, of)) for split, of in lm.items()}
        for split, of in raw.items():
            pairs = zip(lm[split], of, strict=True)
            raw[split] = [Tagged(mark(words), x.tags) for words, x in pairs]
    where = {split: list(map(word_numbers, lm[split], of)) for split, of in raw.items()}
    return TaggingTask(name, task.language, raw, lm, where)


def word_numbers(words: list[str], example: Tagged) -> np.ndarray:
    """Say of each token in which word it is. Shape: (T,)."""
    if len(words) == len(example.tokens):
        return np.arange(len(words))
    return np.repeat(np.arange(len(words)), [len(word) for word in words])


def segment(characters: list[str]) -> list[str]:
    """Cut a sentence of characters into words; each character is one word's."""
    words = words_zh("".join(characters))
    return words if "".join(words) == "".join(characters) else characters


def mark(words: list[str]) -> list[str]:
    """Write each character with its place in its word: 北B 京E, 我S.

    So that every tagger knows where words end, also the one without a language model.
    Source: Peng and Dredze 2015.
    """
    places = {1: "S", 2: "BE"}
    return [
        character + place
        for word in words
        for character, place in zip(
            word, places.get(len(word), f"B{'I' * (len(word) - 2)}E"), strict=True
        )
    ]


# -- the language models' states -------------------------------------------------------


def states(
    task: TaggingTask, split: str, encoder, way: str, rows: Sequence[int] | None = None
) -> list[np.ndarray]:
    """Return a language model's states of each token, (T, P) or (T, 2P) each.

    way: "forward" gives the first half of the top layer, "layer 0" what the model knows
    of a word before it reads the sentence, anything else the whole top layer
    rows: which sentences of the split; by default all
    """
    rows = range(len(task.splits[split])) if rows is None else rows
    layers = features(encoder, [task.for_lm[split][i] for i in rows])  # (L+1, ., 2P)
    layer = 0 if way == "layer 0" else -1
    where = [task.where[split][i] for i in rows]
    tokens = [x[layer][here] for x, here in zip(layers, where, strict=True)]
    P = tokens[0].shape[1] // 2  # the forward half comes first
    return [x[:, :P] for x in tokens] if way == "forward" else tokens


def read_only(sentences: Sequence[list[str]], seed: int, steps: int = 300) -> Encoder:
    """Train a language model on some sentences and nothing else."""
    text = read_text([[s] for s in sentences])
    vocabulary = text.vocabulary(10_000, min_count=2)
    torch.manual_seed(seed)
    small = BiLMConfig(layers=1, cells=128, projection=64, filters=[[3, 64]])
    model = BiLM(small, len(vocabulary))
    batches = Batches(text, vocabulary, ROWS, seed)
    train(model, batches, epochs=steps / len(batches), learning_rate=5e-3)
    return Encoder(model, vocabulary)


# -- the experiments -------------------------------------------------------------------


def make(task: TaggingTask, train: TaggedSentences, way: str, seed: int) -> Tagger:
    """Make the tagger of one of WAYS or PARTS; what they share begins alike.

    It has a vector of every word that is labelled, or that pre-trained vectors know.
    """
    table = vectors_for(task, 20_000 if len(task.splits["train"]) <= 100 else 300_000)
    labelled = {word for x in train.examples for word in x.tokens}
    others = {word for of in task.splits.values() for x in of for word in x.tokens}
    known = {word for word in others if base(task, word) in table}
    words = sorted(labelled | known)
    vocabulary = Vocabulary([UNK, *(w for w in words if w != UNK)])
    vectors = {w: table[base(task, w)] for w in known}
    C = first_layer(vocabulary, vectors, seed)  # (V, D)
    tags = sorted({tag for x in train.examples for tag in x.tags})
    place = way if way in ("input", "after second", "alone") else "after first"
    n = 0 if train.features is None else train.features[0].shape[1]
    torch.manual_seed(seed)
    return Tagger(vocabulary, C, tags, n, place)


def base(task: TaggingTask, token: str) -> str:
    """Return the token without the mark of its place in a word."""
    return token[:-1] if task.name == "msra" else token


def learn(
    task: TaggingTask, rows: Sequence[int], way: str, seed: int, steps: int
) -> float:
    """Train one tagger on some of the labels; return its F1 on test."""
    if way == "labelled text":
        encoder = read_only([task.for_lm["train"][i] for i in rows], seed, steps)
    elif way != "none":
        from course_lib.checkpoints import load

        encoder = load(f"elmo-{task.language}")
    chosen = {"train": rows, "dev": None, "test": None}
    parts = {}
    for split, some in chosen.items():
        examples = task.splits[split]
        examples = examples if some is None else [examples[i] for i in some]
        given = None if way == "none" else states(task, split, encoder, way, some)
        parts[split] = TaggedSentences(examples, given)
    train = parts["train"]
    tagger = make(task, train, way, seed)
    fit(tagger, train, parts["dev"], seed, span_f1, steps)
    gold = [x.tags for x in parts["test"].examples]
    return span_f1(gold, tagger.tag(parts["test"]))


def steps_for(n: int) -> int:
    """Return how many steps there are: four times through, or 200 where few."""
    return max(200, 4 * n // ROWS)


def labelled_rows(task: TaggingTask, share: float, seed: int) -> list[int]:
    """Draw which sentences have labels, the same for all ways; fewer are among more."""
    order = np.random.default_rng(seed).permutation(len(task.splits["train"]))
    return sorted(order[: round(share * len(order))].tolist())


def curves(name: str, seed: int, quick: bool = False) -> list[dict]:
    """Measure WAYS, and a linear tagger without pre-training, by number of labels."""
    task, found = prepare(name, quick), []
    for share in (0.3, 1.0) if quick else SHARES:
        rows = labelled_rows(task, share, seed)
        condition = f"{name}: {len(rows)}"
        steps = 12 if quick else steps_for(len(rows))
        for way in WAYS:
            score = learn(task, rows, way, seed, steps)
            found.append(row(way, condition, "f1", score))
        some, test = [task.splits["train"][i] for i in rows], task.splits["test"]
        score = span_f1([x.tags for x in test], guess_from_window(some, test))
        found.append(row("window", condition, "f1", score))
    return found


def chunks(seed: int, quick: bool = False) -> list[dict]:
    """Measure the curves of chunking, CoNLL-2000 (quick: of Rivertown)."""
    return curves("rivertown-en-chunks" if quick else best_task("en"), seed, quick)


def entities(seed: int, quick: bool = False) -> list[dict]:
    """Measure the curves of Chinese entities, MSRA (quick: of Rivertown)."""
    return curves("rivertown-zh-entities" if quick else best_task("zh"), seed, quick)


def parts(seed: int, quick: bool = False, language: str = "en") -> list[dict]:
    """Measure PARTS with a tenth of the labels: places and controls.

    Of chunking; in Chinese, of entities.
    """
    task = prepare(TASKS[language][1] if quick else best_task(language), quick)
    rows = labelled_rows(task, 0.3 if quick else 0.1, seed)
    steps = 12 if quick else steps_for(len(rows))
    condition = f"{task.name}: {len(rows)}"
    return [
        row(way, condition, "f1", learn(task, rows, way, seed, steps)) for way in PARTS
    ]


# -- what is compared ------------------------------------------------------------------


def better_by(rows: Sequence[dict], new: str, old: str) -> dict[str, Interval]:
    """Return by how many points of F1 one way is above another, by condition."""
    found = gains(rows, "f1", new, old)
    return {name: Interval(*(100 * x for x in gap)) for name, gap in found.items()}


# -- context2vec -----------------------------------------------------------------------


def context2vec_or_average(seed: int, quick: bool = False) -> list[dict]:
    """Name the senses of hidden words by context2vec and by averaged skip-gram.

    Both read the same text; the course's sense sentences are not in it.
    """
    found = []
    for language in ("en",) if quick else ("en", "zh"):
        text = polysemy.read(language, 20_000 if quick else 200_000)
        annotated = data.senses(language)
        small = [s._replace(tokens=[w.lower() for w in s.tokens]) for s in annotated]
        torch.manual_seed(seed)
        model = context2vec.Context2Vec(context2vec.number_words(text, 15_000))
        batches = context2vec.Gaps(text, model.vocabulary, seed=seed)
        train(model, batches, epochs=1 if quick else 3)
        tokens, at = [s.tokens for s in small], [s.target_index for s in small]
        static = polysemy.train(text, seed)
        ways = {
            "context2vec": model.contexts(tokens, at),
            "average": senses.context_average(static, small, static.vector_size),
        }  # (N, D) each
        for way, x in ways.items():
            score = senses.macro(senses.by_word(x, small))["nearest_centroid"]
            found.append(row(way, language, "sense accuracy", score))
    return found


def context_gains(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return context2vec minus the average, by language."""
    return gains(rows, "sense accuracy", "context2vec", "average")


EXPERIMENTS = {
    "context2vec_or_average": context2vec_or_average,
    "taglm_chunks": chunks,
    "taglm_entities": entities,
    "taglm_parts": parts,
}
