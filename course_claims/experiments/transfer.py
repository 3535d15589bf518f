"""Lesson 04: a first layer from word vectors, and the layers of an image net.

Three claims; differences are taken within a seed, where all had the same labels.

frozen_or_fine_tuned     "with few labels freeze, with many fine-tune": fine-tuned minus
                         frozen, with 1 % of the labels and with all
word_vectors_add_points  "word vectors add 1 to 2 points", for each task and number of
                         labels: the better way on dev minus rows drawn at random
vision_layers            "the low layers of an image net are general", with most labels:
                         the first layer, frozen, minus a net trained from scratch,
                         minus four layers, frozen, and minus an untrained first layer

"Word vectors make training converge faster" is asked of the rows of
efficiency.convergence: the updates that a tagger needs to be as good as with random
vectors, minus those that it needs with static ones.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from course_lib import data
from course_lib.analysis.baselines import classify
from course_lib.analysis.statistics import Interval
from course_lib.data.held_out import hold_out, labelled
from course_lib.models import pair
from course_lib.models.pair import TextTask
from course_lib.text.tokenise import TOKENISERS
from course_lib.text.vocabulary import Vocabulary

from ..digits import digit_net, take_over
from ..ledger import gain
from ..rules import gain_in, gains, row

SIZES = {"train": 4000, "dev": 500, "test": 2000}  # examples, at most
SMALL = {"train": 300, "dev": 200, "test": 200}
RATES = (1e-3, 3e-3, 1e-2)  # learning rates to choose from
SHARES = (0.01, 0.03, 0.1, 0.3, 1.0)  # of the labels
WAYS = ("random", "frozen", "fine-tuned")
CURVES = (
    "rivertown-en-questions", "sentence_polarity",
    "rivertown-zh-questions", "waimai",
)  # fmt: skip
POINTS = (
    "qc", "sentence_polarity", "subjectivity",
    "tnews", "chnsenticorp", "waimai",
)  # fmt: skip


# -- word vectors as a first layer -----------------------------------------------------


def prepare(name: str, sizes: Mapping[str, int] = SIZES) -> TextTask:
    """Load a task set, split it where it is whole, and number its words and classes.

    The splits are the same for every seed. The vocabulary has the words of all splits,
    as a table of vectors has: a word that training lacks keeps the row it began with.
    """
    task = data.load(name)
    raw = hold_out(labelled(task), {k: sizes[k] for k in ("dev", "test")})
    raw = {split: of[: sizes[split]] for split, of in raw.items()}
    texts = {split: sides(of, task.language) for split, of in raw.items()}
    every = (text for of in texts.values() for side in of for text in side)
    vocabulary = Vocabulary.from_sentences(every, size=10**9)
    classes = sorted({example.label for of in raw.values() for example in of})
    ready = {}
    for split, of in raw.items():
        labels = torch.tensor([classes.index(example.label) for example in of])
        encoded = tuple(pair.encode(side, vocabulary) for side in texts[split])
        ready[split] = pair.Examples(encoded, labels)
    return TextTask(name, task.language, raw, ready, vocabulary, classes)


def sides(examples: Sequence, language: str) -> list[list[list[str]]]:
    """Return the tokens of the texts; of pairs, of the first texts and the second."""
    columns = zip(*(example[:-1] for example in examples), strict=True)
    return [[TOKENISERS[language](text) for text in column] for column in columns]


@functools.cache
def town_vectors(language: str, tokens: int = 300_000) -> Mapping:
    """Learn skip-gram vectors (gensim) from Rivertown text, which has no labels."""
    from gensim.models import Word2Vec

    space = {"en": " ", "zh": ""}[language]
    documents = data.load(f"rivertown-{language}", tokens=tokens, seed=1).documents()
    text = [
        TOKENISERS[language](space.join(s)) for document in documents for s in document
    ]
    sizes = {"vector_size": 100, "window": 5, "negative": 5, "sample": 1e-4}
    return Word2Vec(text, sg=1, min_count=2, workers=1, seed=0, epochs=5, **sizes).wv


def vectors_for(task: TextTask, tokens: int = 300_000) -> Mapping:
    """Return word vectors: Rivertown's for its tasks, else those that ship."""
    if task.name.startswith("rivertown"):
        return town_vectors(task.language, tokens)
    from course_lib.checkpoints import load

    return load(f"static-{task.language}")


def learn(
    task: TextTask,
    way: str,
    vectors: Mapping,
    rows: torch.Tensor,
    seed: int,
    rates=RATES,
) -> tuple[float, float]:
    """Train one way on some of the labels; return its accuracies on dev and on test.

    The learning rate and the moment to stop are those that are best on dev.
    """
    train, tried = task.ready["train"].take(rows), []
    for rate in rates:
        model = pair.begin(task, way, vectors, seed)
        dev = pair.fit(model, train, task.ready["dev"], rate, seed)
        tried.append((dev, pair.accuracy(model, task.ready["test"])))
    return max(tried, key=lambda scores: scores[0])


def curves(
    task: TextTask, vectors: Mapping, counts: Sequence[int], seed: int, rates=RATES
) -> list[dict]:
    """Return what each way and each baseline reaches with some numbers of labels.

    The seed draws which examples are labelled, the same for all, and the parameters.
    "pre-trained" is `better_on_dev` of frozen and fine-tuned.
    """
    order = np.random.default_rng(seed).permutation(len(task.raw["train"]))
    found = []
    for n in counts:
        rows = torch.from_numpy(order[:n])
        both = {way: learn(task, way, vectors, rows, seed, rates) for way in WAYS}
        both["pre-trained"] = better_on_dev(both)
        test = {way: accuracy for way, (_, accuracy) in both.items()}
        labelled = [task.raw["train"][i] for i in order[:n]]
        test |= classify(labelled, task.raw["test"], task.language)
        found += [row(way, f"{task.name}: {n}", "accuracy", test[way]) for way in test]
    return found


def better_on_dev(ways: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    """Return the accuracies on dev and test of the way with word vectors to take.

    Whichever of frozen and fine-tuned is better on dev; if neither is, frozen, which
    has less to learn. What is better on test does not matter.
    """
    return max(ways["frozen"], ways["fine-tuned"], key=lambda scores: scores[0])


def of_tasks(names: Sequence[str], shares: Sequence[float], seed: int) -> list[dict]:
    """Return the curves of some task sets."""
    found = []
    for name in names:
        task = prepare(name)
        counts = [round(share * len(task.raw["train"])) for share in shares]
        found += curves(task, vectors_for(task), counts, seed)
    return found


def quick_curves(name: str, seed: int) -> list[dict]:
    """Return the curves of a small part of a task set, in seconds."""
    task = prepare(name, SMALL)
    return curves(task, vectors_for(task, tokens=20_000), (30, 300), seed, RATES[-1:])


def frozen_or_fine_tuned(seed: int, quick: bool = False) -> list[dict]:
    """Measure the curves of a question task and of sentiment, in both languages."""
    if quick:
        return quick_curves("rivertown-en-questions", seed)
    return of_tasks(CURVES, SHARES, seed)


def word_vectors_add_points(seed: int, quick: bool = False) -> list[dict]:
    """Measure what word vectors add on six tasks with 1, 10 and 100 % of the labels.

    The English ones are three of the seven of Kim 2014: TREC, MR and Subj.
    """
    if quick:
        return quick_curves("rivertown-en-sentiment", seed)
    return of_tasks(POINTS, SHARES[::2], seed)


# -- the layers of an image net --------------------------------------------------------

PER_CLASS = (1, 3, 10, 30, 90)  # labelled images of each new digit
HELD_OUT = 70  # images of each new digit to test with
STEPS = 500  # 150 were too few on top of untrained layers (seeds 12 and 13)
TAKEN = ("frozen", "fine-tuned", "untrained")  # how layers are taken over


def digit_split(seed: int) -> tuple[torch.Tensor, torch.Tensor, list, list]:
    """Return images, labels, and rows: of the digits 0-4, and of each of 5-9.

    Shape: (1797, 1, 8, 8) in 0 … 1, (1797,) with 0-4 for either half.
    """
    from sklearn.datasets import load_digits

    images, digits = load_digits(return_X_y=True)
    x = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8) / 16
    order = np.random.default_rng(seed).permutation(len(digits))
    known = order[digits[order] < 5]
    new = [order[digits[order] == digit] for digit in range(5, 10)]
    return x, torch.tensor(digits % 5), known, new


def train_net(net: nn.Module, x, labels, seed: int, steps: int) -> nn.Module:
    """Train what is not frozen with Adam, 50 images a step; the rate was not tuned."""
    generator = torch.Generator().manual_seed(seed)
    free = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(free, lr=2e-3, fused=True)
    for _ in range(steps):
        rows = torch.randint(len(labels), (min(50, len(labels)),), generator=generator)
        optimizer.zero_grad()
        F.cross_entropy(net(x[rows]), labels[rows]).backward()
        optimizer.step()
    return net


@torch.no_grad()
def hits(net: nn.Module, x, labels) -> float:
    """Return the share of images whose class has the highest score."""
    return float((net(x).argmax(1) == labels).float().mean())


def linear_on_pixels(x, labels, rows, test) -> float:
    """Return the accuracy of logistic regression on the images as they are."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=10, max_iter=2000)
    model.fit(x[rows].flatten(1), labels[rows])
    return model.score(x[test].flatten(1), labels[test])


def vision_layers(seed: int, quick: bool = False, per_class=PER_CLASS) -> list[dict]:
    """Measure the transfer from the digits 0-4 to 5-9 by layer (Yosinski et al. 2014).

    The seed draws the images to learn from and to test with, and the parameters.
    """
    steps = 50 if quick else STEPS
    x, labels, known, new = digit_split(seed)
    torch.manual_seed(seed)
    base = train_net(digit_net(), x[known], labels[known], seed, steps)
    test = np.concatenate([rows[:HELD_OUT] for rows in new])
    found = []
    for k in per_class[-1:] if quick else per_class:
        rows = np.concatenate([of[HELD_OUT : HELD_OUT + k] for of in new])
        score = linear_on_pixels(x, labels, rows, test)
        found.append(row("linear", f"0 layers, {k} labels", "accuracy", score))
        for way, n in [("from scratch", 0), *itertools.product(TAKEN, range(1, 5))]:
            net = take_over(base, n, way, seed)
            train_net(net, x[rows], labels[rows], seed, steps)
            score = hits(net, x[test], labels[test])
            found.append(row(way, f"{n} layers, {k} labels", "accuracy", score))
    return found


# -- what is compared ------------------------------------------------------------------


def label_counts(rows: Sequence[dict]) -> dict[str, list[int]]:
    """Return the numbers of labels of each task, rising."""
    pairs = {tuple(r["condition"].split(": ")) for r in rows}
    return {
        task: sorted(int(n) for name, n in pairs if name == task)
        for task in dict.fromkeys(r["condition"].split(": ")[0] for r in rows)
    }


def ends(rows: Sequence[dict]) -> dict[str, tuple[Interval, Interval]]:
    """Return fine-tuned minus frozen with the fewest and with all labels, by task."""
    return {
        task: tuple(
            gain_in(rows, "accuracy", "fine-tuned", "frozen", f"{task}: {n}")
            for n in (counts[0], counts[-1])
        )
        for task, counts in label_counts(rows).items()
    }


def points(rows: Sequence[dict]) -> dict[tuple[str, int], Interval]:
    """Return what word vectors add, in points, by task and number of labels."""
    return {
        (task, n): Interval(
            *(
                100 * x
                for x in gain_in(
                    rows, "accuracy", "pre-trained", "random", f"{task}: {n}"
                )
            )
        )
        for task, counts in label_counts(rows).items()
        for n in counts
    }


def layer_gains(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return the three differences of vision_layers."""
    most = max(int(r["condition"].split()[2]) for r in rows)

    def less(old: str, layers: int) -> Interval:
        frozen = {"model": "frozen", "condition": f"1 layers, {most} labels"}
        other = {"model": old, "condition": f"{layers} layers, {most} labels"}
        return gain(rows, "accuracy", frozen, other)

    return {
        "from scratch": less("from scratch", 0),
        "four layers frozen": less("frozen", 4),
        "untrained": less("untrained", 1),
    }


def fewer_updates(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return how many updates static vectors save, by task."""
    return gains(rows, "updates", "random", "static")


EXPERIMENTS = {
    "frozen_or_fine_tuned": frozen_or_fine_tuned,
    "word_vectors_add_points": word_vectors_add_points,
    "vision_layers": vision_layers,
}
