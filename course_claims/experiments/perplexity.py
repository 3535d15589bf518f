"""Lesson 11: has the better language model the better vectors?

The models must differ in nothing but how well they predict. So it is one model, stopped
after some, more and all of its training; its frozen vectors are the mean of both layers
of the LSTMs. Compared is each stop with the one before: how well parts of speech and
senses can be told, in both languages, and how far the perplexity has fallen. The size
of the text was set after a pilot (seed 100, English) that took too long; differences
are taken within a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import torch

from course_lib import data
from course_lib.analysis import probes
from course_lib.analysis.senses import by_word, macro, target_vectors
from course_lib.analysis.statistics import Interval
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.batches import Batches, read_text
from course_lib.text.documents import limited
from course_lib.training.loop import evaluate, train

from ..rules import conditions, gain_in, row
from .shipped import LANGUAGES, tag_sets, tagged

STOPS = (1, 3, 9)  # readings of the text
TEXTS = {"en": "brown", "zh": "chid"}
WORDS = 120_000
SMALL = BiLMConfig(
    cells=256, projection=64, filters=[[1, 16], [2, 32], [3, 64]], cutoffs=[500, 2000]
)
MEASURES = ("parts of speech", "senses")


def vectors_on_the_way(seed: int, quick: bool = False) -> list[dict]:
    """Train a biLM of each language; at every stop, measure it and its vectors.

    The seed is the network's, and draws the sentences of the probe.
    """
    return [
        found
        for language in LANGUAGES[: 1 if quick else 2]
        for found in stopped(language, seed, quick)
    ]


def stopped(language: str, seed: int, quick: bool) -> list[dict]:
    """Train on one language; return perplexities and accuracies, a model a stop."""
    real = data.at_hand(TEXTS[language]) and not quick
    name = TEXTS[language] if real else f"rivertown-{language}"
    words = 5_000 if quick else WORDS
    documents = [*limited(data.load(name).documents(), words)]
    text = read_text(d for i, d in enumerate(documents) if i % 10)
    vocabulary = text.vocabulary(10_000)
    batches = Batches(text, vocabulary, rows=32, seed=seed)
    unseen = Batches(read_text(documents[::10]), vocabulary, rows=32)
    torch.manual_seed(seed)
    model = BiLM(SMALL, len(vocabulary))
    encoder, found = Encoder(model, vocabulary), []

    def look(epoch: int) -> None:
        if epoch in STOPS:
            model.eval()
            loss = float(evaluate(model, unseen).mean())  # of both directions
            scores = probe_scores(encoder, language, seed, quick) | {
                "perplexity": exp(loss)
            }
            about = f"{epoch} readings", language
            found.extend(row(*about, metric, value) for metric, value in scores.items())

    train(model, batches, STOPS[-1], schedule=lambda progress: 1.0, at_epoch=look)
    look(STOPS[-1])
    return found


def probe_scores(
    encoder: Encoder, language: str, seed: int, quick: bool
) -> dict[str, float]:
    """Return how often tags and senses are told right from the frozen vectors."""
    name = f"rivertown-{language}-pos" if quick else tag_sets(language)[-1]
    learn, ask = probes.split_by_sentence(tagged(name), 600, 200, seed)
    parts = probes.read(encoder, learn), probes.read(encoder, ask)
    known, asked = (part.x[1:].mean(axis=0, keepdims=True) for part in parts)
    said = probes.linear(known, parts[0].tags[None], asked, seed, 50 if quick else 1000)
    sentences = data.senses(language)[: 120 if quick else None]
    x = target_vectors(encoder, sentences)[1:].mean(axis=0)  # (N, D)
    senses = macro(by_word(x, sentences))["nearest_centroid"]
    return dict(zip(MEASURES, ((said[0] == parts[1].tags).mean(), senses), strict=True))


# -- the verdict -----------------------------------------------------------------------


def gains_by_stop(rows: Sequence[dict]) -> dict[tuple[str, str, str], Interval]:
    """Return what each stop has gained on the one before: by language and measure."""
    names = [f"{n} readings" for n in STOPS]
    return {
        (language, metric, new): gain_in(rows, metric, new, old, language)
        for language in conditions(rows, "perplexity")
        for metric in ("perplexity", *MEASURES)
        for old, new in zip(names, names[1:], strict=False)
    }


EXPERIMENTS = {"perplexity_and_vectors": vectors_on_the_way}
