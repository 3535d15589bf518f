"""Lesson 07: what ELMo's layers add to a task, mixed how, and plugged in where.

A frozen biLM, six task sets with 500 labels, a small model that is the same but for
ELMo. A seed draws the labels, the first parameters and the order, and differences are
taken within it.

elmo_mixing, elmo_mixing_zh   no ELMo, the token layer, the top layer, the mean of the
                              layers, a learned mix
elmo_weights, elmo_weights_zh what a mix learns under three penalties, and with layer
                              norm: compared is the mean layer of the tagging task with
                              that of the other tasks
elmo_placement                the learned mix at the input, at the output, at both
domain_tuning                 the biLM as it ships, and after reading the task's text
tied_or_independent           one biLM, and two models of one direction each that share
                              nothing: held-out perplexity of either direction

`sense_gains` reads layers_pos_wsd (lesson 08): the better of layers 1 and 2 beside
layer 0 and beside the averaged static context.
"""

from __future__ import annotations

import functools
import itertools
import math
import tempfile
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from course_lib import data
from course_lib.analysis.statistics import (
    Interval,
    relative_error_reduction,
    t_interval,
)
from course_lib.models import plugged
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.text.batches import Batches, read_text
from course_lib.training.domain import tune
from course_lib.training.loop import evaluate
from course_lib.training.plug_in import (
    FULL,
    PENALTIES,
    PLACEMENTS,
    SMALL,
    WAYS,
    PlugIn,
    PlugInSizes,
    Ready,
    learn,
    loaded,
    prepare,
    ready,
)

from ..rules import (
    by_seed,
    conditions,
    gain_in,
    gains,
    row,
)

TASKS = {
    "en": ("conll2000", "sentence_polarity", "rte"),
    "zh": ("msra", "waimai", "rivertown-zh-questions"),
}
TOWN = {  # what stands in for a task that is not on this machine
    "conll2000": "rivertown-en-chunks",
    "sentence_polarity": "rivertown-en-sentiment",
    "rte": "rivertown-en-questions",
    "msra": "rivertown-zh-entities",
    "waimai": "rivertown-zh-sentiment",
}


# -- the experiments -------------------------------------------------------------------


def compare_ways(
    names: Sequence[str], ways: Mapping[str, PlugIn], seed: int, sizes: PlugInSizes
) -> list[dict]:
    """Train each way on each task; return scores, and weights and γ of learned mixes.

    A task's rows are metric "score"; "weight" and "gamma" of a mix at the input;
    "norm", the mean length of a layer's vectors, which the weights multiply.
    """
    found = []
    for name in names:
        made = loaded(name, sizes)
        found += norms(made)
        for title, way in ways.items():
            model, test = learn(made, way, seed, sizes)
            found.append(row(title, name, "score", test))
            if way.layers == "all" and "input" in model.mixes:
                found += weights_of(model, title, name)
    return found


def weights_of(model: plugged.Plugged, title: str, name: str) -> list[dict]:
    """Return what a learned mix at the input came to."""
    mix = model.mixes["input"]
    weights = [
        row(title, f"{name}: layer {k}", "weight", weight)
        for k, weight in enumerate(mix.weights.tolist())
    ]
    return [*weights, row(title, name, "gamma", mix.gamma.item())]


def norms(made: Ready) -> list[dict]:
    """Return the mean length of each layer's vectors over a task's dev set."""
    layers = [text.layers for texts in made.texts["dev"] for text in texts]
    every = np.concatenate(layers, axis=1).astype(np.float32)  # (L+1, N, D)
    lengths = np.linalg.norm(every, axis=2).mean(axis=1)  # (L+1,)
    return [
        row("biLM", f"{made.task.name}: layer {k}", "norm", length)
        for k, length in enumerate(lengths)
    ]


def elmo_mixing(seed: int, quick: bool = False, language: str = "en") -> list[dict]:
    """Measure no ELMo, one layer, all alike, and a learned mix, at the input."""
    return on_tasks(language, WAYS, seed, quick)


def elmo_weights(seed: int, quick: bool = False, language: str = "en") -> list[dict]:
    """Measure what a mix learns under three penalties, and with layer norm."""
    return on_tasks(language, PENALTIES, seed, quick)


def elmo_placement(seed: int, quick: bool = False, language: str = "en") -> list[dict]:
    """Measure ELMo at the input, at the output, and at both."""
    return on_tasks(language, PLACEMENTS, seed, quick)


def on_tasks(language: str, ways: Mapping[str, PlugIn], seed: int, quick: bool) -> list:
    """Compare ways on the tasks of a language, or in seconds on two small ones."""
    if quick:
        names = [TOWN.get(name, name) for name in TASKS[language]][::2]
        return compare_ways(names, ways, seed, SMALL)
    return compare_ways(TASKS[language], ways, seed, FULL)


TINY = BiLMConfig(
    cells=96, projection=32, filters=[[1, 16], [2, 32], [3, 64]], cutoffs=[500, 2000]
)


TINY_TEXT = {"en": ("brown", 70), "zh": ("msra", 7000)}  # about 160,000 words each


def tied_or_independent(
    seed: int, quick: bool = False, language: str = "en"
) -> list[dict]:
    """Train a biLM, and two models of one direction each that share nothing.

    Each direction sees the same batches. Returned are the held-out perplexities, by
    direction, and the numbers of parameters.
    """
    name, most = TINY_TEXT[language]
    name, most = (f"rivertown-{language}", 70) if quick else (name, most)
    documents = [*itertools.islice(data.load(name).documents(), most)]
    outside = [d for k, d in enumerate(documents) if k % 7]  # of what is held out
    text, held = read_text(outside), read_text(documents[::7])
    vocabulary = text.vocabulary(200 if quick else 5000)
    batches = Batches(text, vocabulary, rows=32, seed=seed)
    test, found = Batches(held, vocabulary, rows=32), []
    for title, models in {"tied": [(0, 1)], "independent": [(0,), (1,)]}.items():
        parameters = 0
        for directions in models:
            torch.manual_seed(seed)
            model = BiLM(TINY, len(vocabulary))
            for k, stack in enumerate((model.forward_stack, model.backward_stack)):
                stack.requires_grad_(k in directions)  # else it is no part of the model
            lower(model, batches, directions, 3 if quick else 200)
            parameters += sum(p.numel() for p in model.parameters() if p.requires_grad)
            losses = evaluate(model, test)  # (2,)
            for k in directions:
                name = ("forward", "backward")[k]
                found.append(row(title, name, "perplexity", losses[k].exp()))
        found.append(row(title, "both", "parameters", parameters))
    return found


def lower(model: BiLM, batches: Batches, directions: tuple[int, ...], steps: int):
    """Lower the losses of some directions with Adam; the rate was not tuned."""
    learned = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(learned, lr=5e-3, fused=True)
    model.train()
    for step in range(steps):
        _, losses = model(*batches.at(step))
        optimizer.zero_grad()
        losses[list(directions)].sum().backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
    model.eval()


def domain_tuning(seed: int, quick: bool = False) -> list[dict]:
    """Train the biLM that ships on a task's text, without labels; then freeze it.

    Returned are perplexities on the test text and scores, before and after. The test
    text was not trained on.
    """
    from course_lib.checkpoints import load

    name, sizes = (TOWN["conll2000"], SMALL) if quick else ("conll2000", FULL)
    task, vectors = prepare(name, sizes), load("static-en")
    unlabelled = [e.tokens for e in data.load(name).split("train")]
    unlabelled = unlabelled[: 100 if quick else 3000]
    encoder = load("elmo-en")
    test = [[r.words for [r] in task.readings["test"]]]
    test = Batches(read_text(test), encoder.vocabulary, rows=32)
    found = []
    for title in ("as it ships", "tuned"):
        if title == "tuned":
            tune(encoder, unlabelled, seed)
        for k, loss in enumerate(evaluate(encoder.model, test)):
            direction = ("forward", "backward")[k]
            found.append(row(title, direction, "perplexity", loss.exp()))
        with tempfile.TemporaryDirectory() as folder:  # nobody needs them again
            made = ready(task, encoder, vectors, folder)
            for way in ("top layer", "learned mix"):
                _, test_score = learn(made, WAYS[way], seed, sizes)
                found.append(row(title, way, "score", test_score))
    return found


# -- what is compared ------------------------------------------------------------------


def error_reductions(rows: Sequence[dict], new: str = "learned mix") -> dict:
    """Return the share of the baseline's error that is gone, by task."""
    found = {}
    for task in conditions(rows, "score"):
        old, better = (by_seed(rows, way, task, "score") for way in ("baseline", new))
        shares = [relative_error_reduction(old[s], better[s]) for s in old]
        found[task] = t_interval(shares)
    return found


def beyond_half(rows: Sequence[dict], task: str) -> Interval:
    """Return by how much the last layer's gain exceeds half of the learned mix's."""
    base, top, mix = (
        by_seed(rows, way, task, "score")
        for way in ("baseline", "top layer", "learned mix")
    )
    return t_interval([top[s] - base[s] - (mix[s] - base[s]) / 2 for s in base])


def mean_layer(rows: Sequence[dict], way: str, task: str) -> dict[int, float]:
    """Return the mean layer of a learned mix by seed: the sum over k of k s_k."""
    layers = {r["condition"] for r in rows if r["metric"] == "weight"}
    depth = sum(name.startswith(f"{task}: ") for name in layers)
    columns = [by_seed(rows, way, f"{task}: layer {k}", "weight") for k in range(depth)]
    return {
        seed: sum(k * of[seed] for k, of in enumerate(columns)) for seed in columns[0]
    }


def higher_than_syntax(rows: Sequence[dict]) -> dict[tuple[str, str], Interval]:
    """Return how much higher other tasks' mean layer is than the first one's."""
    syntax, *others = conditions(rows, "score")
    found = {}
    for way in ("λ = 0.001", "layer norm"):
        low = mean_layer(rows, way, syntax)
        for task in others:
            high = mean_layer(rows, way, task)
            found[way, task] = t_interval([high[s] - low[s] for s in low])
    return found


def cost_of_tying(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return tied less independent, in nats per word; above 0 tying costs."""
    found = {}
    for name in ("forward", "backward"):
        tied, alone = (
            by_seed(rows, kind, name, "perplexity") for kind in ("tied", "independent")
        )
        found[name] = t_interval([math.log(tied[s] / alone[s]) for s in tied])
    return found


def mix_gains(rows: Sequence[dict], rival: str) -> dict[str, Interval]:
    """Return by how much the learned mix is ahead of a rival, by task."""
    return gains(rows, "score", "learned mix", rival)


def weights_of_both(rows: Sequence[dict]) -> dict[tuple[str, str], Interval]:
    """Return higher_than_syntax of each language; its first task is syntactic."""
    found = {}
    for language in TASKS.values():
        names = set(language) | {TOWN[name] for name in language if name in TOWN}
        mine = [r for r in rows if r["condition"].split(":")[0] in names]
        found |= higher_than_syntax(mine) if mine else {}
    return found


def tuning_gains(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return how much higher the score is after tuning, by what is read."""
    return gains(rows, "score", "tuned", "as it ships")


def sense_gains(rows: Sequence[dict]) -> dict[tuple[str, str], Interval]:
    """Return the lead of the better contextual layer, by language and rival."""
    found = {}
    for language in ("en", "zh"):
        about = f"WSD senses-{language}"
        second = gain_in(rows, "accuracy", "layer 2", "layer 1", about)
        best = "layer 2" if second.estimate > 0 else "layer 1"
        for rival in ("layer 0", "averaged static context"):
            found[language, rival] = gain_in(rows, "accuracy", best, rival, about)
    return found


EXPERIMENTS = {
    "elmo_mixing": elmo_mixing,
    "elmo_mixing_zh": functools.partial(elmo_mixing, language="zh"),
    "elmo_weights": elmo_weights,
    "elmo_weights_zh": functools.partial(elmo_weights, language="zh"),
    "elmo_placement": elmo_placement,
    "tied_or_independent": tied_or_independent,
    "domain_tuning": domain_tuning,
}
