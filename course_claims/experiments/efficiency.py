"""Lesson 08: how soon, and with how few labels, a biLM's layers are of use.

A seed draws the labels, and differences are taken within it.

convergence        updates of the same tagger until it is as good as it ever gets on
                   random word vectors, in each language, on four inputs
few_labels         scores with shares of the labels, from 1 % to all, of the biLM's
                   frozen vectors and of methods without pre-training
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from course_lib import data
from course_lib.analysis import baselines, probes
from course_lib.analysis.statistics import Interval, labels_needed, t_interval
from course_lib.text.tokenise import TOKENISERS

from ..rules import row
from .shipped import LANGUAGES, encoder, table, tag_sets, tagged

SHARES = (0.01, 0.03, 0.1, 0.2, 0.5, 1.0)  # of the labels


# -- how soon --------------------------------------------------------------------------

INPUTS = ("random", "static", "untrained biLM", "biLM")
RATES = (3e-3, 1e-2)
UPDATES, EVERY = 300, 10


class SmallTagger(nn.Module):
    """One bidirectional LSTM and a linear layer, on words or on given vectors."""

    def __init__(self, size: int, tags: int, rows: torch.Tensor | None):
        """rows: a table (V, D) that is trained with the rest, or None for vectors."""
        super().__init__()
        self.rows = None if rows is None else nn.Parameter(rows.clone())
        self.lstm = nn.LSTM(size, 48, bidirectional=True, batch_first=True)
        self.out = nn.Linear(96, tags)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Score the tags. Shape: (B, T) ids or (B, T, D) vectors to (B, T, K)."""
        x = x if self.rows is None else F.embedding(x, self.rows)
        return self.out(self.lstm(x)[0])


def convergence(seed: int, quick: bool = False) -> list[dict]:
    """Count a tagger's updates on four inputs, each at the better of two rates.

    The seed draws sentences, batches and parameters. Metrics: the best accuracy, and
    the updates until it is as good as random word vectors ever get.
    """
    sizes, updates = ((40, 20), 20) if quick else ((400, 120), UPDATES)
    rows = []
    for language in ("en",) if quick else LANGUAGES:
        name = f"rivertown-{language}-pos" if quick else tag_sets(language)[0]
        parts = probes.split_by_sentence(tagged(name), *sizes, seed)
        curves = {}
        for model, (inputs, start) in tagger_inputs(parts, language, seed).items():
            rates = RATES[-1:] if quick else RATES
            tried = [
                learn_tags(inputs, start, parts, rate, seed, updates) for rate in rates
            ]
            curves[model] = tried
            rows.append(row(model, name, "best accuracy", max(map(max, tried))))
        target = max(map(max, curves["random"]))
        for model, tried in curves.items():
            soonest = min(until(curve, target) for curve in tried)
            rows.append(row(model, name, "updates", soonest))
    return rows


def tagger_inputs(parts: Sequence, language: str, seed: int) -> dict[str, tuple]:
    """Return, for each of INPUTS, the inputs of both parts and a table, if any.

    Words that training lacks have row 0. Pre-trained rows, and layers, are scaled to
    deviation 1, as random rows have it; the biLM's layers are averaged.
    """
    words = ["", *sorted({w for s in parts[0] for w in s.tokens})]
    place = {w: i for i, w in enumerate(words)}
    ids = [
        [torch.tensor([place.get(w, 0) for w in s.tokens]) for s in p] for p in parts
    ]
    known, draw = table(language), np.random.default_rng(seed)
    random = draw.normal(size=(len(words), known.vector_size))
    given = np.stack([known[w] if w in known else 0 * random[0] for w in words])
    tables = [torch.tensor(t / t.std(), dtype=torch.float32) for t in (random, given)]
    found = {"random": (ids, tables[0]), "static": (ids, tables[1])}
    trained = encoder(language)
    fresh = probes.untrained(trained, seed)
    for model, network in (("untrained biLM", fresh), ("biLM", trained)):
        layers = [network.encode([s.tokens for s in part]) for part in parts]
        means = [[torch.from_numpy(x.mean(axis=0)) for x in part] for part in layers]
        spread = torch.cat(means[0]).std(dim=0)
        found[model] = [[x / spread for x in part] for part in means], None
    return found


def learn_tags(
    inputs: Sequence, start: torch.Tensor | None, parts: Sequence, rate: float,
    seed: int, updates: int,
) -> list[float]:  # fmt: skip
    """Train a tagger; return its accuracy on the second part every EVERY updates."""
    names = sorted({tag for s in parts[0] for tag in s.tags})
    place = {tag: k for k, tag in enumerate(names)}
    tags = [
        [torch.tensor([place.get(t, -1) for t in s.tags]) for s in p] for p in parts
    ]
    torch.manual_seed(seed)
    size = len(inputs[0][0][0]) if start is None else start.shape[1]
    model = SmallTagger(size, len(names), start)
    adam = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    pad = functools.partial(nn.utils.rnn.pad_sequence, batch_first=True)
    asked, right = pad(inputs[1]), pad(tags[1], padding_value=-100)  # (M, T)
    draw, curve = np.random.default_rng(seed), []
    for update in range(1, updates + 1):
        rows = draw.integers(len(inputs[0]), size=16)
        x = pad([inputs[0][i] for i in rows])  # (16, T) or (16, T, D)
        y = pad([tags[0][i] for i in rows], padding_value=-100)  # (16, T)
        adam.zero_grad()
        F.cross_entropy(model(x).flatten(0, 1), y.flatten()).backward()
        adam.step()
        if update % EVERY == 0:
            with torch.no_grad():
                hits = model(asked).argmax(dim=2) == right
            curve.append(float(hits.sum() / (right != -100).sum()))
    return curve


def until(curve: Sequence[float], target: float) -> int:
    """Return after how many updates a curve is at the target; never: a step more."""
    reached = [k for k, score in enumerate(curve) if score >= target]
    return EVERY * (1 + (reached[0] if reached else len(curve)))


# -- how few ---------------------------------------------------------------------------


def few_labels(seed: int, quick: bool = False) -> list[dict]:
    """Measure learning curves of texts and of tags, with and without pre-training.

    The seed draws the test examples and the labelled ones.
    """
    if quick:
        return text_curves("rivertown-en-topics", 200, 100, seed)
    tasks = [n for n in ("qc", "sentence_polarity", "waimai") if data.at_hand(n)]
    tasks = tasks or [f"rivertown-{language}-sentiment" for language in LANGUAGES]
    rows = [r for name in tasks for r in text_curves(name, 1500, 600, seed)]
    return rows + [r for lang in LANGUAGES for r in tag_curves(lang, 500, 200, seed)]


def text_curves(name: str, train: int, test: int, seed: int) -> list[dict]:
    """Classify texts by the mean of their words' vectors, or by TF-IDF."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    task = data.load(name)
    examples = [e for part in task.splits for e in task.split(part) if e.label]
    order = np.random.default_rng(seed).permutation(len(examples))[: train + test]
    chosen = [examples[i] for i in order]
    learn, ask = chosen[test:], chosen[:test]
    tokens = [TOKENISERS[task.language](e.text)[:60] for e in chosen]
    means = sentence_means(tokens, task.language)
    right, rows = np.array([e.label for e in ask]), []
    for share in SHARES:
        n, about = round(share * len(learn)), f"{name}: {share:.0%}"
        labels = [e.label for e in learn[:n]]
        said = baselines.classify(learn[:n], ask, task.language)
        for model, x in means.items():
            reader = make_pipeline(
                StandardScaler(), LogisticRegression(C=0.01, max_iter=300)
            )
            if len(set(labels)) > 1:
                reader.fit(x[test : test + n], labels)
                said[model] = np.mean(reader.predict(x[:test]) == right)
            else:
                said[model] = said["majority"]
        rows += [row(model, about, "score", value) for model, value in said.items()]
        rows.append(row("", about, "labels", n))
    return rows


def sentence_means(tokens: Sequence[list[str]], language: str) -> dict[str, np.ndarray]:
    """Average the vectors of each sentence's words, static and of all layers.

    Shape: (N, D) each, D of all layers side by side for the biLM.
    """
    known = table(language)
    static = [
        np.mean([known[w] for w in s if w in known] or [0 * known[0]], 0)
        for s in tokens
    ]
    layers = encoder(language).encode([s or ["."] for s in tokens])
    return {
        "static vectors": np.stack(static),
        "biLM": np.stack([x.mean(axis=1).ravel() for x in layers]),
    }


def tag_curves(language: str, train: int, test: int, seed: int) -> list[dict]:
    """Tag words by a probe of layer 1, or by hand-made features of the window."""
    name = tag_sets(language)[0]
    learn, ask = probes.split_by_sentence(tagged(name), train, test, seed)
    known, unseen = (probes.read(encoder(language), part) for part in (learn, ask))
    ends = np.cumsum([len(s.tokens) for s in learn])
    rows = []
    for share in SHARES:
        n = max(1, round(share * len(learn)))
        here, about = slice(int(ends[n - 1])), f"{name}: {share:.0%}"
        x, y = known.x[1][None, here], known.tags[None, here]
        said = probes.linear(x, y, unseen.x[1][None], seed, steps=500)[0]
        found = baselines.tag(learn[:n], ask, language)
        found["biLM"] = np.mean(said == unseen.tags)
        rows += [row(model, about, "score", value) for model, value in found.items()]
        rows.append(row("", about, "labels", int(ends[n - 1])))
    return rows


class Curves(NamedTuple):
    """Learning curves of one task: labels (K,), and each model's scores (S, K)."""

    labels: np.ndarray
    scores: dict[str, np.ndarray]


def curves(rows: Sequence[Mapping]) -> dict[str, Curves]:
    """Arrange the rows of few_labels by task; S seeds, K numbers of labels."""
    found = {}
    for task in dict.fromkeys(r["condition"].split(": ")[0] for r in rows):
        mine = [r for r in rows if r["condition"].split(": ")[0] == task]
        labels = grid([r for r in mine if r["metric"] == "labels"])
        scored = [r for r in mine if r["metric"] == "score"]
        models = dict.fromkeys(r["model"] for r in scored)
        scores = {m: grid([r for r in scored if r["model"] == m]) for m in models}
        found[task] = Curves(labels.mean(axis=0), scores)
    return found


def grid(rows: Sequence[Mapping]) -> np.ndarray:
    """Write the values of one model in a line for each seed. Shape: (S, K)."""
    seeds = sorted({r["seed"] for r in rows})
    return np.array([[r["value"] for r in rows if r["seed"] == s] for s in seeds])


def without(task: Curves) -> str:
    """Name what needs no pre-training and is best with all labels of a task."""
    plain = [m for m in ("TF-IDF", "window") if m in task.scores]
    return max(plain, key=lambda m: task.scores[m][:, -1].mean())


class Worth(NamedTuple):
    """A data multiplier; "at least" if the model was there with its fewest labels,
    "at most" if it did not get there with all. An end of the interval is 0 or infinite
    if no number of labels that was measured bounds it."""

    multiplier: Interval
    bound: str


def worth(task: Curves, k: int = -1) -> Worth:
    """Return how many labels of the rest one label of the biLM replaces.

    The target is what the best method without pre-training reaches with the k-th
    number of labels. The interval is Student's over seeds (nan ends for one seed).
    """
    plain, model = task.scores[without(task)], task.scores["biLM"]  # (S, K)
    means, target = model.mean(axis=0), plain.mean(axis=0)[k]
    needed = labels_needed(task.labels, means, target)
    if math.isnan(needed):  # outside of what was measured: the end is a bound
        needed = task.labels[0 if means[0] > target else -1]
    estimate = task.labels[k] / needed
    low = task.labels[k] / task.labels[-1]
    bounds = {task.labels[k] / task.labels[0]: "at least", low: "at most"}
    reached = means.max() >= target
    bound = "" if estimate == low and reached else bounds.get(estimate, "")
    if len(plain) < 2:
        return Worth(Interval(estimate, math.nan, math.nan), bound)
    short, enough = label_bounds(task, k)
    ends = task.labels[k] / enough, task.labels[k] / short if short else math.inf
    return Worth(Interval(estimate, *ends), bound)


def label_bounds(task: Curves, k: int) -> tuple[float, float]:
    """Return with how many labels the biLM is still below the target of `worth`,
    and from how many on above: significantly.

    That is: Student's interval of the difference, within a seed, excludes 0. So both
    stand on what was measured, where a multiplier of each seed, or of each resample,
    often would not. 0 and infinity if it is so with no number of labels.
    """
    model = task.scores["biLM"]  # (S, K)
    target = task.scores[without(task)][:, [k]]  # (S, 1)
    means = model.mean(axis=0)
    model = model + np.maximum.accumulate(means) - means  # as in labels_needed
    tried = np.geomspace(task.labels[0], task.labels[-1], 400)  # (T,)
    at, counts = np.log(tried), np.log(task.labels)
    ahead = np.stack([np.interp(at, counts, curve) for curve in model]) - target
    spans = [t_interval(of) for of in ahead.T]
    below = np.logical_and.accumulate([span.high < 0 for span in spans])
    above = np.logical_and.accumulate([span.low > 0 for span in spans[::-1]])[::-1]
    return (
        float(tried[below][-1]) if below.any() else 0.0,
        float(tried[above][0]) if above.any() else math.inf,
    )


def shares_of_best(task: Curves, model: str) -> np.ndarray:
    """Return a model's scores over its own with all labels. Shape: (K,)."""
    means = task.scores[model].mean(axis=0)
    return means / means[-1]


# -- what is compared ------------------------------------------------------------------


def more_with_few(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return the biLM's gain with 3 % of the labels less that with all, by task.

    Over what needs no pre-training and is best with all labels.
    """
    k, found = SHARES.index(0.03), {}
    for name, task in curves(rows).items():
        gains = task.scores["biLM"] - task.scores[without(task)]  # (S, K)
        found[name] = t_interval(gains[:, k] - gains[:, -1])
    return found


EXPERIMENTS = {"convergence": convergence, "few_labels": few_labels}
