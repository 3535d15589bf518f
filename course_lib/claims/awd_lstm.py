"""Lesson 09: what each regulariser of AWD-LSTM is worth, taken away one at a time.

A small model and a small text, so that there is something to regularise: the first
50,000 words of the Brown corpus (without it, Rivertown), eight epochs of them.

awd_regularisers   "the regularisers are what makes an LSTM a good language model"
    supported    without all of them the perplexity is surely higher, and so it is
                 without any one of more than half of them
    overstated   surely higher without all of them, or without some of them
    wrong        surely higher in no case
Surely: the interval of the difference, within a seed, excludes 0.
"""

from __future__ import annotations

import functools
import math
import sys

import numpy as np
import torch

from .. import data
from ..models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from ..text.batches import Text, read_text
from ..text.streams import BPTT, Streams, vocabulary_of
from ..training import bf16_pays
from ..training.loop import evaluate, train
from .ledger import gain

SIZES = {"embedding": 64, "hidden": 128}
LOCKED = {"input": 0.0, "between": 0.0, "output": 0.0}
WITHOUT = {
    "weight-drop": {"weight": 0.0},
    "locked dropout": LOCKED,
    "embedding dropout": {"word": 0.0},
    "tying": {"tied": False},
    "AR/TAR": {"alpha": 0.0, "beta": 0.0},
    "varied windows": {},
}


@functools.cache
def texts(words: int) -> tuple[Text, Text]:
    """Return a text to learn from, and one of a fifth of its size to measure on."""
    try:
        corpus = data.load("brown")
    except data.DataNotAtHand:
        corpus = data.load("rivertown-en", tokens=2 * words)
    parts: tuple[list, list] = ([], [])
    read = [0, 0]
    for number, document in enumerate(corpus.documents()):
        part = int(number % 6 == 5)
        if read[part] < (words, words // 5)[part]:
            parts[part].append([[w.lower() for w in s] for s in document])
            read[part] += sum(map(len, document))
    training, held_out = (read_text(part, window=sys.maxsize) for part in parts)
    return training, held_out


def perplexity(config: AWDConfig, seed: int, quick: bool, varied: bool = True) -> float:
    """Train a language model and return its perplexity on the held-out text."""
    training, held_out = texts(5000 if quick else 50_000)
    vocabulary = vocabulary_of(training, 5000)
    torch.manual_seed(seed)
    model = Remembering(AWDLSTM(config, len(vocabulary)))
    streams = Streams(training, vocabulary, rows=20, seed=seed)
    if not varied:
        steps = int(streams.lengths.sum())
        streams.lengths = np.diff([*range(0, steps, BPTT), steps])
    epochs = 1 if quick else 8
    train(model, streams, epochs, learning_rate=4e-3, bf16=bf16_pays())
    return math.exp(evaluate(model, Streams(held_out, vocabulary, rows=8)).item())


def awd_regularisers(seed: int, quick: bool = False) -> list[dict]:
    """Train with all regularisers, without each of them, and with none."""
    nothing = {key: v for part in WITHOUT.values() for key, v in part.items()}
    settings = {"all": {}}
    settings |= {f"without {name}": part for name, part in WITHOUT.items()}
    settings |= {"none": nothing}
    found = []
    for condition, part in settings.items():
        varied = condition not in ("without varied windows", "none")
        value = perplexity(AWDConfig(**SIZES | part), seed, quick, varied)
        about = {"model": "AWD-LSTM", "condition": condition, "metric": "perplexity"}
        found.append({**about, "value": value})
    return found


def regularisers_verdict(rows: list[dict]) -> str:
    """Apply the rule above."""

    def worse(condition: str) -> bool:
        without = {"condition": condition}
        return gain(rows, "perplexity", without, {"condition": "all"}).low > 0

    single = [worse(f"without {name}") for name in WITHOUT]
    if worse("none") and sum(single) > len(single) / 2:
        return "supported"
    return "overstated" if worse("none") or any(single) else "wrong"


EXPERIMENTS = {"awd_regularisers": awd_regularisers}
