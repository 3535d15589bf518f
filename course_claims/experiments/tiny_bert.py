"""Lesson 14: the tiny BERTs that its experiments compare.

Two layers of 96 dimensions read eighteen million pieces of Rivertown English once for
each way of pre-training: about five minutes of one core, kept on disk, the same for all
seeds. The seed draws the labelled examples, the heads and all noise; so the intervals
are not over pre-trainings. In their place the standard BERT is pre-trained a second
time with another start ("80/10/10 again"): what these twins differ by, two ways may
differ by for nothing. For a long time a masked model learns little but how frequent the
pieces are, and only then what their neighbours say; when, is partly luck. With batches
of 16 rows and six million pieces the twins were just passing that point (perplexities
of 69 and 201). With 64 rows and three times this rate "80/20/0" never passed it; at
this rate it does after 1,300 steps, and "0/100/0" did in one run (69) and not in the
next (234). A way whose loss rises is an error. The pieces are those of a million words,
read twelve times: of 300,000 words, read 35 times, the left-to-right model learned much
by heart (a perplexity of 7 on them, of 20 on others), the masked ones did not.
"""

from __future__ import annotations

import functools
import hashlib
import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from course_lib import checkpoints, data, kept
from course_lib.models.bert import (
    BERT,
    STANDARD,
    BERTConfig,
    MaskedPairs,
    Masking,
)
from course_lib.text.batches import Text, read_text
from course_lib.text.pieces import Pieces, PieceText
from course_lib.training import bf16_pays
from course_lib.training.loop import evaluate, train


class Pretraining(NamedTuple):
    """What is asked in pre-training. masking None: the next piece, left to right.

    start: the seed of the parameters, the pairs and the masks
    """

    masking: Masking | None = STANDARD
    next_sentence: bool = True
    start: int = 0


STANDARD_BERT, TWIN, UNTRAINED = "80/10/10", "80/10/10 again", "untrained"
TWINS = {STANDARD_BERT: Pretraining(), TWIN: Pretraining(start=1)}
POLICIES = TWINS | {  # [MASK] / another piece / as it was
    "100/0/0": Pretraining(Masking(mask=1.0, random=0.0)),
    "80/20/0": Pretraining(Masking(mask=0.8, random=0.2)),
    "0/100/0": Pretraining(Masking(mask=0.0, random=1.0)),
}
ABLATED = TWINS | {
    "no NSP": Pretraining(next_sentence=False),
    "left to right, no NSP": Pretraining(masking=None, next_sentence=False),
}


class Amounts(NamedTuple):
    """How much is read and taught.

    labels, sentences: texts with a class, and with tags, to learn from; asked: of both
    """

    words: int = 1_000_000
    pieces: int = 1500
    dimension: int = 96
    steps: int = 6000  # of pre-training
    labels: int = 1000
    sentences: int = 200
    asked: int = 500
    lessons: int = 200  # steps of teaching a task


FULL = Amounts()
SMALL = Amounts(16_000, 400, 16, 6, 40, 20, 30, 4)
CONTEXT, ROWS = 48, 64
RATE_OF_READING = 1e-3  # of pre-training


class TownText(NamedTuple):
    """Text for pre-training and text held out, and how both are spelled."""

    pieces: Pieces
    text: PieceText
    unseen: PieceText


@functools.cache
def town(sizes: Amounts) -> TownText:
    """Read Rivertown English, every 20th document held out, in small letters."""
    corpus = data.load("rivertown-en", tokens=sizes.words)
    documents = [[[w.lower() for w in s] for s in d] for d in corpus.documents()]
    parts = ([], [])
    for number, document in enumerate(documents):
        parts[number % 20 == 19].append(document)
    text, unseen = (read_text(part, window=sys.maxsize) for part in parts)
    pieces = Pieces.learn(word_counts(text), sizes.pieces)
    return TownText(pieces, PieceText.of(text, pieces), PieceText.of(unseen, pieces))


def word_counts(text: Text) -> Counter[str]:
    """Count the words of a text, without its two marks."""
    counts = np.bincount(text.ids, minlength=len(text.words))[2:]
    return Counter(dict(zip(text.words[2:], counts.tolist(), strict=True)))


def blank(setting: TownText, sizes: Amounts, seed: int, causal: bool = False) -> BERT:
    """Return a tiny BERT that has read nothing."""
    torch.manual_seed(seed)
    config = BERTConfig(2, sizes.dimension, 4, CONTEXT, causal=causal)
    return BERT(config, len(setting.pieces))


def pretrained(setting: TownText, sizes: Amounts, way: Pretraining) -> BERT:
    """Pre-train a tiny BERT in a way, or load it if that was done before.

    Errors: RuntimeError if its loss rose: of such a BERT nothing can be learned.
    """
    model = blank(setting, sizes, way.start, causal=way.masking is None)
    about = (sizes, way, RATE_OF_READING)
    path = kept.place("bert") / f"{cache_key(setting, model, about)}.pt"

    def learn() -> None:
        text, V = setting.text, len(setting.pieces)
        how = (way.start, way.masking, way.next_sentence)
        pairs = MaskedPairs(text, V, CONTEXT, ROWS, *how)
        epochs = sizes.steps / len(pairs)
        rate, bf16 = RATE_OF_READING, bf16_pays()
        run = train(model, pairs, epochs, learning_rate=rate, bf16=bf16)
        if loss_rose([loss for _, loss in run.losses]):
            raise RuntimeError(f"the loss rose: {way} needs a lower rate")
        checkpoints.halve(model)

    return kept.trained(model, path, learn)


def loss_rose(losses: Sequence[float]) -> bool:
    """Tell whether a loss was higher in the last quarter than in the second."""
    quarter = len(losses) // 4
    second, last = losses[quarter : 2 * quarter], losses[-quarter:]
    return sum(last) > sum(second) if quarter else False


def cache_key(setting: TownText, model: BERT, about: tuple) -> str:
    """Name what decides how a pre-training comes out."""
    digest = hashlib.sha256(repr((model.config, about)).encode())
    digest.update("\n".join(setting.pieces.words).encode())
    digest.update(setting.text.ids.tobytes())
    return digest.hexdigest()[:16]


@torch.no_grad()
def measured_on(
    text: PieceText, n_pieces: int, model: BERT, way: Pretraining = TWINS[STANDARD_BERT]
) -> dict[str, float]:
    """Measure what was learned: perplexity of what is predicted, and NSP if asked.

    Each with the masks that it learned with. With other masks a figure says how strange
    they are to the model: "100/0/0" was never asked for a piece that it can read.
    """
    pairs = MaskedPairs(text, n_pieces, CONTEXT, 64, 0, way.masking, False)
    found = {"perplexity": math.exp(evaluate(model, pairs).item())}
    if way.next_sentence:
        nothing = Masking(share=0.0)
        pairs = MaskedPairs(text, n_pieces, CONTEXT, 64, 0, nothing)
        right = [
            (model.follows(model.pooled(model(x), x)).argmax(1) == y[1, :, 0]).float()
            for x, y in pairs
        ]
        found["NSP"] = float(torch.cat(right).mean())
    return found
