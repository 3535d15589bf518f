"""Lesson 15: the cloze ladder on real text, and two worlds whose optimum is known.

All readers of models/cloze.py answer the same questions: which word is in the gap? In
the ladder they learn from the same text, and each answers equally many questions: a
language model asks at every word, a masked one at 15 %, so it reads the text more
often.
In the worlds the question is one of two words, each half of the time, so that chance is
0.5. The language models learn from every word there, the others from the gap alone:
with random gaps a masked model needs far longer to find an exclusive or.

cloze_ladder   each rung against the one below (CBOW over unigram, context2vec over
               CBOW, biLM product over context2vec, masked LM over biLM product), in
               log perplexity; and the same when the words around the gap are shuffled,
               which CBOW cannot notice (a test)
xor_world      readers of one side, their product, readers of both sides and CBOW,
               where only both cues together determine the word; and what a linear
               reader and a small network find in the states of the two one-sided models
cue_worlds     readers of one side and the masked model, where the cue stands on the
               left, and where it stands on the right
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from torch import nn

from course_lib import data
from course_lib.models import cloze
from course_lib.models.context2vec import MARKS, number_words, pad
from course_lib.text.batches import IGNORE
from course_lib.text.characters import BOS, EOS
from course_lib.text.epochs import Epochs, in_batches, n_batches, share
from course_lib.text.examples import SenseSentence
from course_lib.text.vocabulary import Vocabulary
from course_lib.training.loop import train
from course_lib.worlds import worlds

from ..ledger import gain
from ..rules import beginnings, gain_in, row

SHARE = 0.15  # of the words, that a masked LM is asked for at a time
RUNGS = ("unigram", "CBOW", "context2vec", "biLM product", "masked LM")
RATES = {"masked LM": 3e-3}  # of learning; where there is none it is
RATE = 5e-3


class Questions(Epochs):
    """Batches of rows with gaps.

    rows: sentences in numbers between their marks
    share: which share of the words is asked for, drawn anew in each epoch
    places: instead, one place of each row, always the same
    Words that the vocabulary lacks are never asked for.
    """

    unit = "questions"  # what a training counts

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        share: float = 0.15,
        places: Sequence[int] | None = None,
        size: int = 32,
        seed: int = 0,
    ):
        self.rows, self.share, self.places = rows, share, places
        self.size, self.seed = size, seed

    def __len__(self) -> int:
        return n_batches(len(self.rows), self.size)

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Shuffle the rows; twenty batches at a time, put alike lengths together."""
        lengths, found = np.array([len(row) for row in self.rows]), []
        for part in in_batches(rng.permutation(len(lengths)), 20 * self.size):
            part = part[np.argsort(lengths[part], kind="stable")]
            found += in_batches(part, self.size)
        return [found[i] for i in rng.permutation(len(found))]

    def at(self, step: int, part: int = 0, parts: int = 1):
        """Return a step's rows (B, T), and the words asked for (B, T), else IGNORE."""
        epoch, place = divmod(step, len(self))
        chosen = share(self.epoch(epoch)[place], part, parts)
        tokens = pad([self.rows[i] for i in chosen])  # (B, T)
        gaps = torch.zeros_like(tokens, dtype=torch.bool)
        if self.places is None:
            rng = np.random.default_rng((self.seed, step, part))
            gaps = torch.from_numpy(rng.random(tokens.shape) < self.share)
        else:
            gaps[torch.arange(len(chosen)), torch.tensor(self.places)[chosen]] = True
        return tokens, torch.where(gaps & (tokens >= MARKS), tokens, IGNORE)


def reader(name: str, D: int) -> nn.Module:
    """Make a reader; context2vec is the ladder's third rung, see `cloze.Around`."""
    return {
        "CBOW": lambda: cloze.Bag(),
        "forward LM": lambda: cloze.Side(D, "left"),
        "backward LM": lambda: cloze.Side(D, "right"),
        "context2vec": lambda: cloze.Around(D),
        "masked LM": lambda: cloze.Masked(D),
    }[name]()


LEARNED = ("CBOW", "forward LM", "backward LM", "context2vec", "masked LM")


class ClozeTask(NamedTuple):
    """A text to learn from, and questions: one gap in each of some other sentences."""

    vocabulary: Vocabulary
    rows: list[list[int]]
    asked: list[list[int]]
    places: list[int]

    @property
    def counts(self) -> np.ndarray:
        """How often each word occurs in the text, (V,)."""
        return np.bincount(np.concatenate(self.rows), minlength=len(self.vocabulary))

    @property
    def right(self) -> torch.Tensor:
        """The words that stood in the gaps, as columns of what readers say, (N,)."""
        pairs = zip(self.asked, self.places, strict=True)
        return torch.tensor([row[place] - cloze.MARKS for row, place in pairs])


# -- the ladder ------------------------------------------------------------------------


def corpus_task(
    name: str, words: int, seed: int, size: int = 4000, n: int = 2000
) -> ClozeTask:
    """Cut a corpus into text to learn from and n questions, by document.

    words: about so many to learn from; size: of the vocabulary
    """
    options = {"tokens": 2 * words} if name.startswith("rivertown") else {}
    documents = list(data.load(name, **options).documents())
    order = np.random.default_rng(seed).permutation(len(documents))
    split = len(order) // 10
    unread, read = (
        [[w.lower() for w in s[:60]] for i in part for s in documents[i] if s]
        for part in (order[:split], order[split:])
    )
    total = np.cumsum([len(s) for s in read])
    read = read[: int(np.searchsorted(total, words)) + 1]
    vocabulary = number_words(read, size)
    rows, others = (
        [vocabulary.encode([BOS, *s, EOS]) for s in of] for of in (read, unread)
    )
    return ClozeTask(vocabulary, rows, *questions(others, n, seed))


def questions(rows: list[list[int]], n: int, seed: int) -> tuple[list, list[int]]:
    """Choose n rows and one known word of each."""
    rng, found = np.random.default_rng(seed), []
    for i in rng.permutation(len(rows)):
        known = [t for t, word in enumerate(rows[i]) if word >= cloze.MARKS]
        if known and len(found) < n:
            found.append((rows[i], int(rng.choice(known))))
    return [row for row, _ in found], [place for _, place in found]


def shuffled(gaps: ClozeTask, seed: int, window: int = 5) -> ClozeTask:
    """Shuffle the words around each gap, as far as CBOW looks."""
    rng, rows = np.random.default_rng(seed), []
    for words, place in zip(gaps.asked, gaps.places, strict=True):
        near = range(max(1, place - window), min(len(words) - 1, place + window + 1))
        near = np.array([t for t in near if t != place], dtype=int)
        mixed = np.array(words)
        mixed[near] = mixed[rng.permutation(near)]
        rows.append(mixed.tolist())
    return gaps._replace(asked=rows)


def train_ladder(
    gaps: ClozeTask,
    seed: int,
    passes: float = 2,
    D: int = 64,
    names: Sequence = LEARNED,
) -> dict[str, cloze.Cloze]:
    """Train each rung on the same text; the masked LM passes so much more often."""
    found = {}
    for name in names:
        share, often = (SHARE, passes / SHARE) if name == "masked LM" else (1.0, passes)
        torch.manual_seed(seed)
        found[name] = cloze.Cloze(reader(name, D), gaps.counts, D)
        asked = Questions(gaps.rows, share, seed=seed)
        rate = RATES.get(name, RATE)
        train(found[name], asked, epochs=often, learning_rate=rate)
    return found


def log_probabilities(
    models: dict[str, cloze.Cloze], gaps: ClozeTask
) -> dict[str, torch.Tensor]:
    """Return what each rung says at the gaps: logarithms of probabilities (N, V - 3).

    The unigram model needs no training, and the product none of its own.
    """
    alone = cloze.unigram(gaps.counts)  # (V - 3,)
    found = {"unigram": alone.expand(len(gaps.asked), -1)}
    for name, model in models.items():
        found[name] = cloze.answers(model, gaps.asked, gaps.places)
    if {"forward LM", "backward LM"} <= set(models):
        sides = found["forward LM"], found["backward LM"]
        found["biLM product"] = cloze.product(*sides, alone)
    return found


def cloze_ladder(seed: int, quick: bool = False) -> list[dict]:
    """Measure every rung on the same gaps, and with the words around shuffled."""
    names = ("rivertown-en",) if quick else ("brown", "msra")
    words, passes = (3000, 0.15) if quick else (80_000, 2)
    found = []
    for name in names:
        gaps = corpus_task(name, words, seed, n=100 if quick else 2000)
        models = train_ladder(gaps, seed, passes)
        for condition, of in (
            (name, gaps),
            (f"{name}, shuffled", shuffled(gaps, seed)),
        ):
            for rung, log_p in log_probabilities(models, of).items():
                nats = -log_p[torch.arange(len(of.right)), of.right].mean()
                hits = (log_p.argmax(dim=1) == of.right).float().mean()
                found.append(row(rung, condition, "log perplexity", nats))
                found.append(row(rung, condition, "accuracy", hits))
    return found


# -- the worlds ------------------------------------------------------------------------


def reveal(sentence: SenseSentence) -> list[str]:
    """Return the tokens with the word that the pseudoword stands for in its place.

    What a language model reads in order to learn to predict that word.
    """
    i = sentence.target_index
    return [*sentence.tokens[:i], sentence.sense, *sentence.tokens[i + 1 :]]


def world_task(world: worlds.World, seed: int, train_on: int, test: int) -> tuple:
    """Return a world's sentences as gaps, and the place of the gap in each row read.

    The hidden words are revealed: what is asked for is in the text, as in any text.
    """
    seen = world.sentences(train_on, seed=2 * seed)
    unseen = world.sentences(test, seed=2 * seed + 1)
    vocabulary = number_words([reveal(s) for s in seen], 10_000)
    rows, asked = (
        [vocabulary.encode([BOS, *reveal(s), EOS]) for s in of] for of in (seen, unseen)
    )
    places = [s.target_index + 1 for s in unseen]
    return ClozeTask(vocabulary, rows, asked, places), [
        s.target_index + 1 for s in seen
    ]


def choices(log_p: torch.Tensor, gaps: ClozeTask, world: worlds.World) -> np.ndarray:
    """Say where the likelier of a world's two words is right, (N,) bool."""
    ids = gaps.vocabulary.encode(worlds.LEXICONS[world.language].classes)
    two = torch.tensor(ids) - cloze.MARKS
    return (two[log_p[:, two].argmax(dim=1)] == gaps.right).numpy()


def learn_world(
    gaps: ClozeTask, slots: Sequence[int], seed: int, epochs: float, D: int = 32,
    names: Sequence[str] = LEARNED,
) -> dict[str, cloze.Cloze]:  # fmt: skip
    """Train readers on a world: language models on every word, others at the slots."""
    found = {}
    for name in names:
        everywhere = name.endswith("ward LM")
        torch.manual_seed(seed)
        found[name] = cloze.Cloze(reader(name, D), gaps.counts, D)
        asked = Questions(
            gaps.rows, 1.0, places=None if everywhere else slots, seed=seed
        )
        rate = RATES.get(name, 2 * RATE)
        train(found[name], asked, epochs=epochs, learning_rate=rate)
    return found


@torch.no_grad()
def sides(
    models: dict[str, cloze.Cloze], rows: Sequence, places: Sequence
) -> np.ndarray:
    """Return the states of both language models at each gap, side by side: (N, 2D)."""
    tokens = cloze.pad(rows)  # (N, T)
    lengths = cloze.row_lengths(tokens)  # (N,)
    gaps = torch.zeros_like(tokens, dtype=torch.bool)
    gaps[torch.arange(len(rows)), torch.tensor(places)] = True
    both = (models[name] for name in ("forward LM", "backward LM"))
    found = [of.reader(of.words(tokens), lengths, gaps) for of in both]
    return torch.cat(found, dim=1).numpy()


def probes(
    x: np.ndarray, y: np.ndarray, asked: np.ndarray, seed: int
) -> dict[str, np.ndarray]:
    """Learn y from vectors x (N, 2D), with a linear model and a small network.

    Return what each says of `asked` (M, 2D). The network goes on for 60 rounds, however
    long its loss stands still: on an exclusive or it does at first.
    """
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    x, asked = (x - mean) / spread, (asked - mean) / spread
    linear = LogisticRegression(max_iter=1000).fit(x, y)
    network = MLPClassifier(
        (64, 64), alpha=0.1, learning_rate_init=3e-3, random_state=seed
    )
    for _ in range(60):
        network.partial_fit(x, y, classes=np.unique(y))
    models = {"linear probe": linear, "MLP probe": network}
    return {name: model.predict(asked) for name, model in models.items()}


def xor_world(seed: int, quick: bool = False) -> list[dict]:
    """Ask each reader for a word that only both cues together determine."""
    n, test, epochs = (200, 100, 1) if quick else (4000, 4000, 15)
    world = worlds.xor_world(distances=(1, 3))
    gaps, slots = world_task(world, seed, n, test)
    models = learn_world(gaps, slots, seed, epochs)
    found = [
        row(name, "xor", "accuracy", choices(log_p, gaps, world).mean())
        for name, log_p in log_probabilities(models, gaps).items()
    ]
    x, asked = sides(models, gaps.rows, slots), sides(models, gaps.asked, gaps.places)
    wanted = {"": (words_at(gaps.rows, slots), words_at(gaps.asked, gaps.places))}
    for side, place in (("left", 2), ("right", -3)):  # in a row between its marks
        kinds = [kinds_at(of, place, gaps, world) for of in (gaps.rows, gaps.asked)]
        wanted[f", {side} cue"] = tuple(kinds)
    for what, (y, right) in wanted.items():
        for name, guess in probes(x, y, asked, seed).items():
            if name == "linear probe" or not what:
                found.append(
                    row(name + what, "xor", "accuracy", (guess == right).mean())
                )
    return found


def words_at(rows: Sequence, places: Sequence) -> np.ndarray:
    """Return the word at one place of each row, (N,)."""
    return np.array([row[place] for row, place in zip(rows, places, strict=True)])


def kinds_at(
    rows: Sequence, place: int, gaps: ClozeTask, world: worlds.World
) -> np.ndarray:
    """Return of which kind, 0 or 1, the cue at a place of each row is, (N,)."""
    lexicon = worlds.LEXICONS[world.language]
    second = {*lexicon.left[1], *lexicon.right[1]}
    return np.array([gaps.vocabulary.words[row[place]] in second for row in rows])


def cue_worlds(seed: int, quick: bool = False) -> list[dict]:
    """Put what decides on the left, on the right, or on both sides."""
    n, test, epochs = (200, 100, 1) if quick else (4000, 4000, 6)
    names, found = ("forward LM", "backward LM", "masked LM"), []
    for side in ("left", "right", "both"):
        world = worlds.cue_world(side)
        gaps, slots = world_task(world, seed, n, test)
        models = learn_world(gaps, slots, seed, epochs, names=names)
        for name, log_p in log_probabilities(models, gaps).items():
            value = choices(log_p, gaps, world).mean()
            found.append(row(name, f"cue {side}", "accuracy", value))
    return found


# -- differences -----------------------------------------------------------------------


def steps(rows: list[dict]) -> dict[tuple, tuple]:
    """Return each step's gain in log perplexity: (text, rung) to an Interval."""
    found = {}
    for name in beginnings(rows, ","):
        for below, above in itertools.pairwise(RUNGS):
            # The lower rung minus the upper one: above 0 where perplexity falls.
            fall = gain_in(rows, "log perplexity", below, above, name)
            found[name, above] = fall
    return found


def disturbed(rows: list[dict], model: str) -> dict[str, tuple]:
    """Return by how much log perplexity rises with the words around shuffled."""
    of = {"model": model}
    return {
        name: gain(rows, "log perplexity", of | {"condition": f"{name}, shuffled"},
                   of | {"condition": name})
        for name in beginnings(rows, ",")
    }  # fmt: skip


EXPERIMENTS = {
    "cloze_ladder": cloze_ladder,
    "xor_world": xor_world,
    "cue_worlds": cue_worlds,
}
