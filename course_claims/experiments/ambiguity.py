"""Lesson 04: did word vectors disappoint because words have several meanings?

Nobody can take the ambiguity out of a language, but anybody can put more in: words of
about the same frequency are drawn in pairs, or in fours, and get one name, in the text
that the vectors are learned from and in the task. Each name then has all the meanings
of its words, which have nothing to do with each other. The commonest words, with more
than one place in a thousand, keep their names.

What word vectors add to a task: skip-gram vectors as the first layer of a network, less
rows drawn at random. Texts are judged with a tenth of their labels, by the mean of the
rows, frozen or fine-tuned, whichever is better on dev; parts of speech are tagged after
400 sentences, by an LSTM on rows that are fine-tuned. If ambiguity is what held vectors
back, twice the ambiguity must take more than half of their help away, in tasks where
they help as the language is. Tagging was added when three seeds of the texts were
known, and vectors helped with one of them only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from course_lib.analysis import probes
from course_lib.analysis.statistics import Interval, t_interval
from course_lib.models.pair import Examples, TextTask
from course_lib.text.vocabulary import UNK, Vocabulary

from ..rules import beginnings, by_seed, row
from . import polysemy, transfer
from .efficiency import RATES, UPDATES, learn_tags
from .shipped import tag_sets, tagged

TASKS = {"en": ("qc", "sentence_polarity"), "zh": ("tnews", "waimai")}
WORDS = 1_500_000  # of the text that the vectors are learned from
SHARE = 0.1  # of the labels
TOGETHER = (1, 2, 4)  # words that share a name


def ambiguity(seed: int, quick: bool = False) -> list[dict]:
    """Return accuracies by the first layer and by how many words share a name.

    The seed draws who shares a name, the labels, and the parameters.
    """
    found = []
    for language in ("en",) if quick else ("en", "zh"):
        names = ("rivertown-en-sentiment",) if quick else TASKS[language]
        sizes = transfer.SMALL if quick else transfer.SIZES
        tasks = [transfer.prepare(name, sizes) for name in names]
        sentences = polysemy.read(language, 20_000 if quick else WORDS)
        for k in TOGETHER[:2] if quick else TOGETHER:
            called = names_for(sentences, k, seed)
            text = [[called.get(word, word) for word in s] for s in sentences]
            vectors = polysemy.train(text, seed)
            for task in tasks:
                found += of_texts(rename(task, called), vectors, k, seed, quick)
            found += of_tags(language, called, vectors, k, seed, quick)
    return found


def names_for(sentences: list[list[str]], k: int, seed: int) -> dict[str, str]:
    """Let k words of about the same frequency share the name of one of them.

    Words that occur at least five times, but in no more than one place in a thousand.
    """
    counts = Counter(word for sentence in sentences for word in sentence)
    most = counts.total() / 1000
    words = [word for word, n in counts.most_common() if 5 <= n <= most]
    rng, called = np.random.default_rng(seed), {}
    near = 10 * k  # neighbours in the order of frequency, among whom lots are drawn
    for i in range(0, len(words), near):
        lot = rng.permutation(words[i : i + near]).tolist()
        called |= {word: lot[j - j % k] for j, word in enumerate(lot)}
    return called


def rename(task: TextTask, called: Mapping[str, str]) -> TextTask:
    """Write a task's texts with the names, in small letters like the vectors' text."""
    small = [word.lower() for word in task.vocabulary.words[1:]]
    names = [called.get(word, word) for word in small]
    vocabulary = Vocabulary([UNK, *dict.fromkeys(names)])
    number = torch.tensor([0, *vocabulary.encode(names)])  # (V,) old number to new
    ready = {
        split: Examples(tuple(number[text] for text in of.texts), of.labels)
        for split, of in task.ready.items()
    }
    return task._replace(ready=ready, vocabulary=vocabulary)


def of_texts(task: TextTask, vectors, k: int, seed: int, quick: bool) -> list[dict]:
    """Return the accuracy on test of each first layer; "pre-trained" as in `curves`."""
    order = np.random.default_rng(seed).permutation(len(task.raw["train"]))
    rows = torch.from_numpy(order[: round(SHARE * len(order))])
    rates = transfer.RATES[-1:] if quick else transfer.RATES
    both = {
        way: transfer.learn(task, way, vectors, rows, seed, rates)
        for way in transfer.WAYS
    }
    both["pre-trained"] = transfer.better_on_dev(both)
    return [row(way, f"{task.name}: {k}", "accuracy", both[way][1]) for way in both]


def of_tags(
    language: str, called: Mapping[str, str], vectors, k: int, seed: int, quick: bool
) -> list[dict]:
    """Return the best accuracy of a tagger on the way, on each table of rows."""
    name = f"rivertown-{language}-pos" if quick else tag_sets(language)[0]
    sizes, updates = ((40, 20), 20) if quick else ((400, 300), UPDATES)
    parts = probes.split_by_sentence(tagged(name), *sizes, seed)
    small = [[[w.lower() for w in s.tokens] for s in part] for part in parts]
    texts = [[[called.get(w, w) for w in s] for s in part] for part in small]
    names = sorted({word for part in texts for s in part for word in s})
    place = {word: i for i, word in enumerate(names)}
    ids = [[torch.tensor([place[w] for w in s]) for s in part] for part in texts]
    drawn = np.random.default_rng(seed).normal(size=(len(names), vectors.vector_size))
    known = [i for i, word in enumerate(names) if word in vectors]
    given = drawn.copy()
    given[known] = np.stack([vectors[names[i]] for i in known])
    given[known] /= given[known].std()  # as random rows have it
    found = []
    for way, rows in (("random", drawn), ("pre-trained", given)):
        start = torch.tensor(rows, dtype=torch.float32)
        tried = [
            max(learn_tags(ids, start, parts, rate, seed, updates))
            for rate in (RATES[-1:] if quick else RATES)
        ]
        found.append(row(way, f"{name}: {k}", "accuracy", max(tried)))
    return found


# -- what is compared ------------------------------------------------------------------


def help_of(rows: Sequence[dict], task: str, k: int) -> dict[int, float]:
    """Return by seed what vectors add to a task when k words share a name."""
    place = f"{task}: {k}"
    given, drawn = (
        by_seed(rows, way, place, "accuracy") for way in ("pre-trained", "random")
    )
    return {seed: given[seed] - drawn[seed] for seed in given}


def lost(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return how much of the help is gone when pairs share a name, by task."""
    found = {}
    for task in dict.fromkeys(r["condition"].split(": ")[0] for r in rows):
        plain, shared = (help_of(rows, task, k) for k in (1, 2))
        found[task] = t_interval([plain[seed] - shared[seed] for seed in plain])
    return found


def beyond_half(rows: Sequence[dict], task: str) -> Interval:
    """Return by how much what pairs take away exceeds half of the help."""
    plain, shared = (help_of(rows, task, n) for n in (1, 2))
    return t_interval([plain[seed] / 2 - shared[seed] for seed in plain])


def beyond_halves(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return `beyond_half` of each task."""
    return {task: beyond_half(rows, task) for task in beginnings(rows)}


def helped(rows: Sequence[dict]) -> dict[tuple[str, str], Interval]:
    """Return what vectors add to each task when no word shares its name."""
    return {
        (task, "pre-trained"): t_interval([*help_of(rows, task, 1).values()])
        for task in beginnings(rows)
    }


EXPERIMENTS = {"ambiguity": ambiguity}
