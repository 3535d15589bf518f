"""What a language model has learned is asked by pairs that frequency cannot decide."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from course_claims.experiments import awd_lstm
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.text.characters import BOS, EOS
from course_lib.text.vocabulary import Vocabulary

LANGUAGES = ("en", "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_right_and_wrong_pairs_have_the_same_words(language):
    for kind, every in awd_lstm.crossed(language).items():
        assert kind in awd_lstm.KINDS and len(set(every)) == len(every) > 20
        for *right, c, d in every:
            words = [
                Counter(w for s in pair for w in s.split()) for pair in (right, (c, d))
            ]
            assert words[0] == words[1]
            assert {*right} != {c, d}


def test_the_first_pair_is_the_right_one():
    en, zh = (awd_lstm.crossed(language) for language in LANGUAGES)
    sentences = {s for a, b, *_ in en["grammar"] for s in (a, b)}
    assert "the keys near the door are old" in sentences
    assert "the key near the doors are old" not in sentences
    sentences = {s for a, b, *_ in en["common sense"] for s in (a, b)}
    assert "a mouse is smaller than a horse" in sentences
    assert "a mouse is bigger than a horse" not in sentences
    sentences = {s for a, b, *_ in zh["grammar"] for s in (a, b)}
    assert "前面 有 一条 河" in sentences and "前面 有 一本 河" not in sentences


def test_a_sentences_likelihood_is_that_of_its_words_one_by_one():
    vocabulary = Vocabulary(["<unk>", BOS, EOS, "a", "b", "c"])
    torch.manual_seed(0)
    model = AWDLSTM(AWDConfig(embedding=8, hidden=8, layers=1), len(vocabulary)).eval()
    sentences = ["a b c", "b", "c c a", "a"]
    found = awd_lstm.log_likelihoods(model, vocabulary, sentences)
    for sentence, value in zip(sentences, found, strict=True):
        ids, slow = vocabulary.encode([BOS, *sentence.split(), EOS]), 0.0
        for k in range(1, len(ids)):
            with torch.no_grad():
                top = model(torch.tensor([ids[:k]])).top[0, -1]
                slow += float(model.logits(top).log_softmax(dim=0)[ids[k]])
        assert value == pytest.approx(slow, abs=1e-4)


def test_the_experiment_repeats_itself_and_draws_other_pairs_with_another_seed():
    once = awd_lstm.minimal_pairs(seed=1, quick=True)
    assert once == awd_lstm.minimal_pairs(seed=1, quick=True)
    assert {r["condition"] for r in once} == {*awd_lstm.KINDS}
    assert all(0 <= r["value"] <= 1 for r in once)


def test_a_model_that_overfits_may_stop_early(monkeypatch):
    """What counts is the lowest perplexity on the way; the last is kept beside it."""
    monkeypatch.setattr(awd_lstm, "perplexities", lambda *_: [300.0, 120.0, 190.0])
    found = {r["metric"]: r["value"] for r in awd_lstm.awd_regularisers(1, quick=True)}
    assert found == {"perplexity": 120.0, "at the end": 190.0}


def test_a_long_training_is_looked_at_on_the_way(monkeypatch):
    texts = awd_lstm.texts(5000)
    monkeypatch.setattr(awd_lstm, "EPOCHS", 5)
    monkeypatch.setattr(awd_lstm, "texts", lambda words: texts)
    config = AWDConfig(**awd_lstm.SIZES)
    found = awd_lstm.perplexities(config, seed=1, quick=False)
    assert len(found) == 3  # before the first epoch, after the fourth, at the end
    assert found[0] > found[1] > found[2] > 1


def rows_of(values: dict[str, list[float]]) -> list[dict]:
    return [
        {
            "seed": seed,
            "model": "AWD-LSTM",
            "condition": condition,
            "metric": "perplexity",
            "value": value,
        }
        for condition, found in values.items()
        for seed, value in enumerate(found)
    ]
