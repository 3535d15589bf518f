"""Tuning a biLM on a task's text: it knows that text better, and rests afterwards."""

from __future__ import annotations

import torch

from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.batches import Batches, read_text
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import domain
from course_lib.training.loop import evaluate

TINY = BiLMConfig(cells=96, projection=32, filters=[[1, 16], [2, 32]], cutoffs=[500])


def test_tuning_lowers_the_perplexity_of_the_text_it_is_tuned_to():
    lines = ["the otter ate the fish".split(), "the fish slept".split()] * 40  # noqa: SIM905
    vocabulary = Vocabulary.from_sentences(lines, size=50)
    torch.manual_seed(0)
    encoder = Encoder(BiLM(TINY, len(vocabulary)), vocabulary)
    batches = Batches(read_text([lines[:4]]), vocabulary, rows=4)
    before = evaluate(encoder.model, batches)
    domain.tune(encoder, lines, seed=0)
    assert not encoder.model.training  # dropout is off again
    assert (evaluate(encoder.model, batches) < before).all()
