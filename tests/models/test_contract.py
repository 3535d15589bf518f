"""Every language model is called in one way: `models/__init__.py` says which."""

import math
from typing import NamedTuple

import pytest
import torch
from torch import nn

from course_lib import data
from course_lib.models import gpt, nnlm
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.awd_lstm import generate as awd_generate
from course_lib.models.bert import BERT, BERTConfig, MaskedPairs, best_span
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.models.context2vec import Context2Vec, Gaps, number_words
from course_lib.models.tagger import TaggedSentences, Tagger
from course_lib.text.batches import Batches, counted, read_text
from course_lib.text.examples import Tagged
from course_lib.text.pieces import Pieces, PieceText, Windows
from course_lib.text.streams import Streams, vocabulary_of

SENTENCES = [s.tokens for s in data.senses("en")[:60]]
DOCUMENTS = [SENTENCES[i : i + 10] for i in range(0, 60, 10)]
TEXT = read_text(DOCUMENTS)
PIECES = Pieces.from_text(TEXT, 300)


class Case(NamedTuple):
    """A model, one step of its batches, and its losses when it knows nothing, (K,)."""

    model: nn.Module
    tokens: object
    targets: torch.Tensor
    ignorant: list[float]


def make(name: str) -> Case:
    """Make a small model and one step of what it reads."""
    torch.manual_seed(0)
    words, of_streams = TEXT.vocabulary(500), vocabulary_of(TEXT, 500)
    whole = PieceText.of(read_text(DOCUMENTS, window=10**6), PIECES)
    if name == "NNLM":
        ids = torch.from_numpy(TEXT.ids[:100]).long()
        model = nnlm.NNLM(len(TEXT.words), n=4, m=8, h=8)
        return Case(model, *nnlm.windows(ids, 4), [math.log(len(TEXT.words))])
    if name == "biLM":
        sizes = {"cells": 16, "projection": 8, "filters": [[1, 8], [2, 8]]}
        model = BiLM(BiLMConfig(**sizes), len(words))
        step = Batches(TEXT, words, rows=64).at(0)
        return Case(model, *step, [math.log(len(words))] * 2)
    if name == "AWD-LSTM":
        model = AWDLSTM(AWDConfig(8, 16), len(of_streams))
        step = Streams(TEXT, of_streams, rows=2).at(0)
        return Case(model, *step, [math.log(len(of_streams))])
    if name == "context2vec":
        model = Context2Vec(number_words(SENTENCES, 500), D=8, hidden=8)
        step = Gaps(SENTENCES, model.vocabulary, k=5).at(0)
        return Case(model, *step, [6 * math.log(2)])  # six questions: yes or no?
    if name == "GPT":
        sizes = {"layers": 1, "dimension": 16, "heads": 2, "context": 32}
        model = gpt.GPT(gpt.GPTConfig(**sizes), len(PIECES))
        step = Windows(whole, 32, rows=4).at(0)
        return Case(model, *step, [math.log(len(PIECES))])
    sizes = {"layers": 1, "dimension": 16, "heads": 2, "context": 64}
    model = BERT(BERTConfig(**sizes), len(PIECES))
    step = MaskedPairs(whole, len(PIECES), 64, rows=8).at(0)
    return Case(model, *step, [math.log(len(PIECES)), math.log(2)])


@pytest.mark.parametrize(
    "name", ["NNLM", "biLM", "AWD-LSTM", "context2vec", "GPT", "BERT"]
)
def test_a_model_returns_its_outputs_and_with_targets_its_losses(name):
    """The outputs are the same; the losses are means in nats, one for each task."""
    model, tokens, targets, ignorant = make(name)
    model.eval()
    with torch.no_grad():
        alone = model(tokens)
        outputs, losses = model(tokens, targets)
    alone, outputs = (getattr(x, "top", x) for x in (alone, outputs))
    torch.testing.assert_close(outputs, alone)
    assert losses.shape == (len(ignorant),)
    assert (counted(targets, losses) > 0).all()
    # Before any training it knows nothing, and a guess costs the same everywhere.
    torch.testing.assert_close(losses, torch.tensor(ignorant), rtol=0.15, atol=0)
    model.train()(tokens, targets)[1].mean().backward()
    unused = [n for n, p in model.named_parameters() if p.grad is None]
    assert not unused


@pytest.mark.usefixtures("gpu")
def test_a_model_on_the_gpu_answers_as_one_on_the_cpu():
    """What an answer needs besides the model is made where the model is."""

    def answers(where: str) -> list:
        awd, c2v, reader = (make(n).model for n in ("AWD-LSTM", "context2vec", "GPT"))
        torch.manual_seed(0)
        plain = Tagger(c2v.vocabulary, torch.ones(len(c2v.vocabulary), 4), ["A", "B"])
        for model in (awd, c2v, reader, plain):
            model.to(where)
        untagged = TaggedSentences([Tagged(SENTENCES[0], ["A"] * len(SENTENCES[0]))])
        (context,) = c2v.contexts([SENTENCES[0]], [1])
        return [
            awd_generate(awd, [5, 6], 3, temperature=0),
            gpt.generate(reader, [0, 9], 3, temperature=0),
            [word for word, _ in c2v.fillers(context)],
            plain.tag(untagged),
            best_span(torch.eye(4)[None, :2].to(where)).tolist(),
        ]

    assert answers("cuda") == answers("cpu")
