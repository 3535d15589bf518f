"""Seq2seq from two language models, from end to end: a task, its stages, its scores.

task = prepare("rivertown")
models = language_models(task)                 from text without pairs, kept on disk
way = TranslatorSettings()                     the paper's
model = begin(task, way, models, seed=1)       copied by name, the rest at random
fine_tune(model, task, n=500, seed=1, way=way)
score(model, task)                             BLEU and token accuracy

"rivertown"  English sentences and what they are in Chinese, from one grammar
"vowels"     English words without their vowels, and the words; the text is real
"""

from __future__ import annotations

import functools
import hashlib
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer

from .. import data, kept
from ..models.seq2seq import EVERYTHING, LanguageModel, Seq2Seq, greedy, initialise
from ..text.characters import BOS, EOS
from ..text.documents import PAD
from ..text.pairs import Lines, Pairs, Sentence, lay_out, vocabulary_of
from ..text.vocabulary import Vocabulary, listed
from ..worlds.synchronous import pair_grammar
from . import on_device
from .loop import Run, evaluate, train

Pair = tuple[Sentence, Sentence]
NOTHING = "∅"  # what is left of a word of vowels only
ROWS = 16  # pairs in a step; of untranslated sentences half as many


# -- tasks -----------------------------------------------------------------------------


class PairSizes(NamedTuple):
    """How much of a task is used: pairs, and sentences without a translation."""

    train: int = 2000
    dev: int = 200
    test: int = 300
    alone: int = 10_000
    epochs: float = 4.0  # of the language models


FULL = PairSizes()
SMALL = PairSizes(train=100, dev=10, test=20, alone=120, epochs=3.0)


class TranslationTask(NamedTuple):
    """Sentence pairs in splits, text of each side, and one vocabulary for each.

    text: sentences of the source language and of the target language, each read alone;
        in "rivertown" no sentence of the one is a translation of the other's, in
        "vowels" all are
    held_out: as `text`, for perplexities
    characters: whether BLEU counts characters, as it must for Chinese, or words
    """

    name: str
    pairs: dict[str, list[Pair]]
    text: tuple[list[Sentence], list[Sentence]]
    held_out: tuple[list[Sentence], list[Sentence]]
    vocabularies: tuple[Vocabulary, Vocabulary]
    characters: bool = False


@functools.cache
def prepare(name: str, sizes: PairSizes = FULL) -> TranslationTask:
    """Make a task: its pairs do not overlap with each other or with its text.

    Errors: ValueError for a name that is none of the two.
    """
    tasks = {"rivertown": rivertown, "vowels": vowels}
    if name not in tasks:
        raise ValueError(f"no task {name!r}; there are {', '.join(tasks)}")
    return tasks[name](sizes)


def rivertown(sizes: PairSizes) -> TranslationTask:
    """Draw English-Chinese pairs, and for the text each side of other pairs alone."""
    n, grammar = sizes.train + sizes.dev + sizes.test, pair_grammar()
    generator, seen, drawn = random.Random(1), set(), []
    for wanted in (n, sizes.alone + 500, sizes.alone + 500):
        found = []
        while len(found) < wanted:
            pair = grammar.pair(generator)
            if tuple(pair.en) not in seen:
                seen.add(tuple(pair.en))
                found.append((pair.en, pair.zh))
        drawn.append(found)
    text = [en for en, _ in drawn[1]], [zh for _, zh in drawn[2]]
    task = assembled("rivertown", drawn[0], text, sizes, 10**9)
    return task._replace(characters=True)


def vowels(sizes: PairSizes) -> TranslationTask:
    """Take short English sentences of frequent words; the source has no vowels."""
    names = list(filter(data.at_hand, ("brown", "abc", "gutenberg")))
    found = (d for n in names or ["rivertown-en"] for d in data.load(n).documents())
    short = {tuple(w.lower() for w in s): None for d in found for s in d if len(s) < 13}
    known = vocabulary_of(short, 2500)
    kept = [s for s in short if len(s) > 3 and all(word in known for word in s)]
    order = np.random.default_rng(0).permutation(len(kept))
    kept = [kept[i] for i in order]
    n = sizes.train + sizes.dev + sizes.test
    rest = kept[n : n + sizes.alone + 500]
    text = [without_vowels(s) for s in rest], rest
    pairs = [(without_vowels(s), s) for s in kept[:n]]
    return assembled("vowels", pairs, text, sizes, 2500)


def without_vowels(sentence: Sentence) -> list[str]:
    """Leave the vowels out of each word."""
    return [re.sub("[aeiou]", "", word) or NOTHING for word in listed(sentence)]


def assembled(
    name: str, pairs: list[Pair], text: tuple[list, list], sizes: PairSizes, words: int
) -> TranslationTask:
    """Split the pairs, hold out 500 sentences of the text, number the words."""
    ends = np.cumsum([sizes.test, sizes.dev, sizes.train])
    cut = zip(("test", "dev", "train"), [0, *ends], ends, strict=False)
    splits = {split: pairs[a:b] for split, a, b in cut}
    vocabularies = tuple(
        vocabulary_of([*side, *(pair[i] for pair in splits["train"])], words)
        for i, side in enumerate(text)
    )
    held_out = tuple(side[:500] for side in text)
    return TranslationTask(
        name, splits, tuple(s[500:] for s in text), held_out, vocabularies
    )


# -- the language models ---------------------------------------------------------------


def language_models(
    task: TranslationTask,
    sizes: PairSizes = FULL,
    text: tuple[list, list] | None = None,
) -> tuple[LanguageModel, LanguageModel]:
    """Train a language model of each side's text; kept on disk.

    text: other text than the task's, such as the sentences of the pairs themselves
    """
    return tuple(
        language_model(task.text[i] if text is None else text[i], vocabulary, sizes)
        for i, vocabulary in enumerate(task.vocabularies)
    )


def language_model(
    text: list[Sentence], vocabulary: Vocabulary, sizes: PairSizes, twice: bool = False
) -> LanguageModel:
    """Train a language model, or load it if the same was trained before."""
    torch.manual_seed(0)
    model = LanguageModel(len(vocabulary))
    about = (vocabulary.words, sizes.epochs, twice, model.lstm.hidden_size)
    digest = hashlib.sha256(f"{about} {text}".encode()).hexdigest()[:16]
    lines = Lines(text, vocabulary, rows=32, twice=twice)
    path = kept.place("seq2seq") / f"{digest}.pt"
    return kept.trained(
        model, path, lambda: train(model, lines, sizes.epochs, learning_rate=4e-3)
    )


def perplexity(lm: LanguageModel, text: list[Sentence], words: Vocabulary) -> float:
    """Return a language model's perplexity on some sentences."""
    return math.exp(evaluate(lm, Lines(text, words, rows=100)).item())


# -- fine-tuning -----------------------------------------------------------------------


class TranslatorSettings(NamedTuple):
    """How a seq2seq model begins and learns; the paper's, but for steps and rate.

    parts: what is copied from the language models;  joint: whether their losses stay
    extras: the residual connection and attention to both layers
    steps: of fine-tuning
    rate: the learning rate, of 0.004, 0.008, 0.016 and 0.032 the one at which a model
        *without* pre-training has the highest BLEU on the development pairs (seed 0)
    """

    parts: tuple[str, ...] = EVERYTHING
    joint: bool = True
    extras: bool = True
    steps: int = 600
    rate: float = 1.6e-2


def drawn(task: TranslationTask, n: int, seed: int) -> list[Pair]:
    """Draw n of the training pairs."""
    order = np.random.default_rng(seed).permutation(len(task.pairs["train"]))
    return [task.pairs["train"][i] for i in order[:n]]


def begin(
    task: TranslationTask,
    way: TranslatorSettings,
    models: Sequence[LanguageModel],
    seed: int,
) -> Seq2Seq:
    """Make the model of a task: random, then copied into."""
    torch.manual_seed(seed)
    sizes = [len(vocabulary) for vocabulary in task.vocabularies]
    extras = {"residual": way.extras, "both_layers": way.extras}
    model = Seq2Seq(*sizes, **extras)
    initialise(model, *models, parts=way.parts)
    return model


def fine_tune(
    model: Seq2Seq, task: TranslationTask, n: int, seed: int, way: TranslatorSettings,
    at_epoch: Callable[[int], None] = lambda epoch: None,
) -> Run:  # fmt: skip
    """Train on n pairs, drawn by the seed."""
    torch.manual_seed(seed)
    alone = tuple(
        Lines(text, vocabulary, ROWS // 2, seed)
        for text, vocabulary in zip(task.text, task.vocabularies, strict=True)
    )
    pairs = Pairs(
        drawn(task, n, seed), task.vocabularies, ROWS, seed, alone if way.joint else ()
    )
    epochs = way.steps / len(pairs)
    return train(model, pairs, epochs, learning_rate=way.rate, at_epoch=at_epoch)


def learn(
    task: TranslationTask,
    n: int,
    seed: int,
    way: TranslatorSettings,
    models: Sequence[LanguageModel],
) -> Seq2Seq:
    """Begin and fine-tune."""
    model = begin(task, way, models, seed)
    fine_tune(model, task, n, seed, way)
    return model


# -- scores ----------------------------------------------------------------------------


def translate(
    model: Seq2Seq, task: TranslationTask, sources: Sequence[Sentence]
) -> list[list[str]]:
    """Translate sentences, greedily."""
    source, target = task.vocabularies
    begin, end = target.encode([BOS, EOS])
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    found: list[list[str]] = [[] for _ in sources]
    with on_device(model) as where:
        for rows in (order[i : i + 100] for i in range(0, len(order), 100)):
            tokens = lay_out(
                [source.encode([BOS, *listed(sources[i])]) for i in rows], PAD
            )
            # tokens: (B, S)
            written = greedy(model, tokens.to(where), begin, end)
            for i, words in zip(rows, written, strict=True):
                found[i] = target.decode(words)
    return found


def bleu(
    found: Sequence[Sentence], right: Sequence[Sentence], characters: bool
) -> float:
    """Return sacrebleu's BLEU, of one reference, in points out of 100.

    Chinese is joined and cut into characters by sacrebleu; words stay as they are.
    """
    import sacrebleu

    space, cut = ("", "zh") if characters else (" ", "none")
    texts = [[space.join(listed(s)) for s in side] for side in (found, right)]
    # force: texts whose words are cut already are meant to be like that.
    return sacrebleu.corpus_bleu(texts[0], [texts[1]], tokenize=cut, force=True).score


def token_accuracy(found: Sequence[Sentence], right: Sequence[Sentence]) -> float:
    """Return which share of the words is right and in its place.

    Of a place that only one of the two sentences has, nothing is right. Errors:
    ValueError if there is no word.
    """
    both = list(zip(map(listed, found), map(listed, right), strict=True))
    hits = sum(a == b for pair in both for a, b in zip(*pair, strict=False))
    places = sum(max(map(len, pair)) for pair in both)
    if not places:
        raise ValueError("there is no word to compare")
    return hits / places


def score(
    model: Seq2Seq, task: TranslationTask, split: str = "test"
) -> dict[str, float]:
    """Return BLEU and token accuracy on a split's pairs, in points out of 100."""
    found = translate(model, task, [pair[0] for pair in task.pairs[split]])
    return compared(found, task, split)


def compared(
    found: Sequence[Sentence], task: TranslationTask, split: str = "test"
) -> dict[str, float]:
    """Compare translations of a split's sentences with the right ones."""
    right = [pair[1] for pair in task.pairs[split]]
    accuracy = 100 * token_accuracy(found, right)
    return {"BLEU": bleu(found, right, task.characters), "accuracy": accuracy}


def without_network(task: TranslationTask, pairs: Sequence[Pair]) -> list[list[str]]:
    """Translate the test sentences with the pairs alone, in the simplest way.

    Rivertown: what stands beside the most similar source (TF-IDF of its words). Vowels:
    for each word, what stood in its place most often; unseen ones stay as they are.
    """
    if task.name == "rivertown":
        vectors = TfidfVectorizer(analyzer=list)
        seen = vectors.fit_transform(source for source, _ in pairs)  # (N, V)
        unseen = vectors.transform(source for source, _ in task.pairs["test"])
        nearest = np.asarray((unseen @ seen.T).argmax(axis=1)).ravel()
        return [list(pairs[i][1]) for i in nearest]
    counts: dict[str, Counter] = defaultdict(Counter)
    for source, target in pairs:
        for a, b in zip(source, target, strict=True):
            counts[a][b] += 1
    table = {a: of.most_common(1)[0][0] for a, of in counts.items()}
    return [[table.get(a, a) for a in source] for source, _ in task.pairs["test"]]
