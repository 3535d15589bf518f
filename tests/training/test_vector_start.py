"""A biLM that begins with skip-gram vectors: its token layer keeps them."""

import numpy as np
import pytest
import torch

from course_lib import data
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.text.batches import Batches, read_text, spell_sentences
from course_lib.text.characters import char_table
from course_pretraining import vector_start
from course_pretraining.vector_start import (
    centred,
    skip_gram,
    spell_further,
    spell_out,
    start_from_vectors,
    start_wider,
)

SENTENCES = [[w.lower() for w in s.tokens] for s in data.senses("en")]
TEXT = read_text([SENTENCES[i : i + 20] for i in range(0, len(SENTENCES), 20)])
SIZES = {"cells": 16, "projection": 8, "filters": [[1, 16], [2, 32], [3, 32]]}


def bilm(words) -> BiLM:
    torch.manual_seed(0)
    return BiLM(BiLMConfig(**SIZES, samples=100), len(words))


def test_words_have_the_numbers_of_the_vocabulary_and_marks_have_none():
    words = TEXT.vocabulary(300)
    read, predicted, known = skip_gram(TEXT, words, size=8)
    assert read.shape == predicted.shape == (300, 8)
    assert not known[0], "<unk> is not read"
    assert known[1:].all()
    assert np.abs(read[known]).min(axis=1).max() > 0


def test_centred_vectors_have_a_mean_of_0_and_a_spread_of_1():
    vectors = np.random.default_rng(0).normal(3, 2, size=(50, 4)).astype(np.float32)
    known = np.arange(50) > 4
    found = centred(vectors, known)[torch.from_numpy(known)]
    torch.testing.assert_close(found.mean(dim=0), torch.zeros(4), atol=1e-5, rtol=0)
    assert abs(float(found.std()) - 1) < 0.02


@pytest.mark.no_gpu
def test_after_the_start_the_model_knows_the_vectors_and_above_it_is_free(monkeypatch):
    """The token layer spells most of them; the softmax has the others as they are."""
    monkeypatch.setattr(vector_start, "SPELLED", 600)
    monkeypatch.setattr(vector_start, "ALONE", 10)
    words = TEXT.vocabulary(300)
    model = bilm(words)
    before = model.forward_stack[0].from_input.weight.detach().clone()
    start_from_vectors(model, TEXT, words, Batches(TEXT, words, rows=16), bf16=False)
    read, predicted, known = skip_gram(TEXT, words, size=8)
    spelled = model.token_layer(torch.from_numpy(char_table(words.words)).long())
    wanted = centred(read, known)
    left = (spelled - wanted)[known].pow(2).mean() / wanted[known].pow(2).mean()
    assert left < 0.5, "half of the vectors' variance, at least, is spelled"
    torch.testing.assert_close(
        model.softmax.weight.detach(), 8**-0.5 * centred(predicted, known)
    )
    assert not torch.equal(model.forward_stack[0].from_input.weight, before)
    fixed = {p for p in model.parameters() if not p.requires_grad}
    assert fixed == set(model.token_layer.parameters())


@pytest.mark.no_gpu
def test_spelling_further_comes_nearer_and_stays_in_its_own_space():
    """Each skip-gram has a space of its own; the token layer keeps to its own."""
    words = TEXT.vocabulary(300)
    model = bilm(words)
    read, _, known = skip_gram(TEXT, words, size=8)
    turn = torch.linalg.qr(torch.randn(8, 8))[0].numpy()
    wanted = centred(read @ turn, known)  # the space of an earlier training
    table = torch.from_numpy(char_table(words.words)).long()

    def left() -> float:
        spelled = model.token_layer.eval()(table)
        return float((spelled - wanted)[known].pow(2).mean().detach())

    torch.manual_seed(1)
    spell_out(model, words, wanted.numpy(), known, steps=200, rows=64, rate=2e-3)
    before = left()
    spell_further(model, TEXT, words, steps=300)
    assert left() < 0.8 * before < 0.8


def test_a_wider_start_spreads_the_words_and_the_states():
    torch.manual_seed(0)
    words = [f"{a}{b}" for a in "abcdefgh" for b in "ijklmnop"]
    model = BiLM(BiLMConfig(cutoffs=[]), 300).eval()
    start_wider(model, torch.from_numpy(char_table(words)))
    layers = model(spell_sentences([words])).detach()  # (L+1, 1, T, 2P)
    assert layers[0].mean().abs() < 0.1
    for layer in layers:
        assert 0.3 < layer.std() < 1.5
