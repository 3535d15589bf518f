"""All models look alike to the scoreboard: a vector for each word, in each layer."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import course_lib
from course_claims import embedders
from course_lib.analysis.senses import target_vectors
from course_lib.data import senses
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.bert import BERT, BERTConfig
from course_lib.models.context2vec import Context2Vec, number_words
from course_lib.models.gpt import GPT, GPTConfig
from course_lib.text.pieces import Pieces
from course_lib.text.vocabulary import Vocabulary

TEXT = [
    s.split() for s in ("She sat by the bank .", "Money !", "The bank lent money .")
]


def pieces() -> Pieces:
    from collections import Counter

    return Pieces.learn(Counter(word.lower() for s in TEXT for word in s), 60)


def make(name: str) -> embedders.Embedder:
    """Make a small reader with random weights."""
    torch.manual_seed(0)
    words = Vocabulary.from_sentences([[w.lower() for w in s] for s in TEXT], 20)
    if name == "static":
        return embedders.static({"bank": np.ones(4), "money": np.zeros(4)}, 4)
    if name == "context2vec":
        small = [[w.lower() for w in s] for s in TEXT]
        return embedders.context2vec(
            Context2Vec(number_words(small * 2, 20), 8, 8).eval()
        )
    if name == "AWD-LSTM":
        return embedders.awd_lstm(AWDLSTM(AWDConfig(8, 12), len(words)).eval(), words)
    cut = pieces()
    sizes = {"layers": 2, "dimension": 8, "heads": 2, "context": 32}
    if name == "GPT":
        return embedders.gpt(GPT(GPTConfig(**sizes), len(cut)).eval(), cut)
    return embedders.bert(BERT(BERTConfig(**sizes), len(cut)).eval(), cut)


NAMES = ("static", "context2vec", "AWD-LSTM", "GPT", "BERT")


@pytest.mark.parametrize("name", NAMES)
def test_each_layer_has_a_vector_for_each_word(name):
    reader = make(name)
    found = list(reader.read(TEXT))
    assert [len(layers) for layers in found] == [len(reader.layers)] * len(TEXT)
    for words, layers in zip(TEXT, found, strict=True):
        assert [len(layer) for layer in layers] == [len(words)] * len(layers)


@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_gives_the_same_alone_and_in_company(name):
    reader = make(name)
    together, (alone,) = list(reader.read(TEXT))[2], reader.read(TEXT[2:])
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "before", "itself", "after"),
    [
        ("static", False, True, False),
        ("context2vec", True, False, True),
        ("AWD-LSTM", True, True, False),
        ("GPT", True, True, False),
        ("BERT", True, True, True),
    ],
)
def test_what_a_words_vector_depends_on(name, before, itself, after):
    """Change one word; does the top layer at "bank" (place 1) change?"""
    reader = make(name)
    sentence = ["money", "bank", "lent", "money", "the"]

    def vector(*words: str) -> np.ndarray:
        (layers,) = reader.read([list(words)])
        return layers[min(1, len(layers) - 1)][1]

    plain = vector(*sentence)
    for place, expected in ((0, before), (1, itself), (3, after)):
        changed = list(sentence)
        changed[place] = "sat"
        assert bool(np.abs(vector(*changed) - plain).max() > 1e-6) == expected, place


def test_words_beyond_the_positions_of_a_transformer_are_zeros_not_an_error():
    (layers,) = make("BERT").read([["bank"] * 100])
    assert layers[0].shape == (100, 8)
    assert np.abs(layers[0][0]).max() > 0 == np.abs(layers[0][99]).max()


def test_the_bilm_is_read_as_lesson_06_reads_it():
    encoder = course_lib.load("elmo-en")
    some = senses("en")[:5]
    wanted = target_vectors(encoder, some)  # (L+1, N, D)
    for i, layers in enumerate(embedders.bilm(encoder).read([s.tokens for s in some])):
        at_target = np.stack([layer[some[i].target_index] for layer in layers])
        np.testing.assert_allclose(at_target[:-1], wanted[:, i], atol=1e-5)
        np.testing.assert_allclose(at_target[-1], wanted[:, i].mean(axis=0), atol=1e-5)


def test_nothing_of_a_gradient_is_left_behind():
    next(iter(make("GPT").read(TEXT)))
    assert torch.is_grad_enabled()
