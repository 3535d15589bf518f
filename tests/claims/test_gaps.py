"""Ten words for a gap: what each model sees of the sentence, and what it answers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import course_lib
from course_claims import gaps
from course_lib.text.batches import IGNORE, spell_sentences
from course_lib.text.characters import BOS, EOS
from course_lib.text.pieces import CLS, MASK, SEP

from .test_embedders import make

SENTENCE = ["money", "sat", "bank", "lent", "the"]
CHOICES = ["bank", "money", "lent", "sat"]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("static", True, True),
        ("context2vec", True, True),
        ("AWD-LSTM", True, False),
        ("GPT", True, False),
        ("BERT", True, True),
    ],
)
def test_no_model_sees_the_word_that_stood_there(name, before, after):
    """Change the word in the gap, one before it, one after it: do the scores change?"""
    fit = make(name).fit
    plain = fit(SENTENCE, 2, CHOICES)
    assert plain.shape == (len(CHOICES),)
    for place, expected in ((2, False), (0, before), (4, after)):
        changed = list(SENTENCE)
        known = "money" if place == 2 else "bank"  # the two that the static table has
        changed[place] = known if name == "static" else "by"
        moved = np.abs(fit(changed, 2, CHOICES) - plain).max() > 1e-6
        assert moved == expected, place


def test_static_vectors_prefer_the_word_that_points_where_the_others_point():
    vectors = {
        "a": np.array([1.0, 0]),
        "b": np.array([0, 2.0]),
        "c": np.array([5.0, 1]),
    }
    scores = gaps.static(vectors, 2)(
        ["a", "?", "a", "unknown"], 1, ["b", "c", "a", "d"]
    )
    assert scores[2] > scores[1] > scores[0] == scores[3] == 0


def test_the_bilm_adds_what_its_two_losses_say():
    """The loss with one target is -log p of that word, in each direction."""
    encoder = course_lib.load("elmo-en")
    words, place = (
        ["He", "took", "the", "money", "to", "the", "bank", "yesterday", "."],
        6,
    )
    said = gaps.bilm(encoder)(words, place, ["bank", "river"])
    tokens = spell_sentences([[BOS, *words, EOS]])
    for word, score in zip(("bank", "river"), said, strict=True):
        targets = torch.full((2, 1, len(words) + 2), IGNORE)
        (number,) = encoder.vocabulary.encode([word])
        targets[0, 0, place], targets[1, 0, place + 2] = number, number
        losses = encoder.model(tokens, targets)[1]
        assert score == pytest.approx(-losses.sum().item(), abs=1e-4)


def test_gpt_sums_over_the_pieces_of_a_word():
    """The loss at a word's pieces, once more by the model itself."""
    model, pieces = course_lib.load("gpt-en")
    left, choices = (
        ["she", "put", "the", "money", "in", "the"],
        ["bank", "xylophonists"],
    )
    said = gaps.gpt(model, pieces)([*left, "?", "again"], 6, choices)
    assert len(pieces.encode(["xylophonists"])) > 1
    for word, score in zip(choices, said, strict=True):
        row = torch.tensor([[gaps.START, *pieces.encode([*left, word])]])
        targets = torch.full_like(row, IGNORE)
        n = len(pieces.encode([word]))
        targets[0, -n - 1 : -1] = row[0, -n:]
        loss = model(row, targets)[1].item()
        assert score == pytest.approx(-n * loss, abs=1e-3)


def test_bert_adds_up_what_it_says_behind_its_masks():
    """Its masked loss is the mean over a word's pieces, all hidden at once."""
    model, pieces = course_lib.load("bert-en")
    left, right = ["she", "put", "the", "money", "in", "the"], ["again", "."]
    choices = ["bank", "xylophonists"]
    said = gaps.bert(model, pieces)([*left, "?", *right], len(left), choices)
    assert len(pieces.encode(["xylophonists"])) > 1
    before, after = pieces.encode(left), pieces.encode(right)
    for word, score in zip(choices, said, strict=True):
        cut = pieces.encode([word])
        row = torch.tensor([[CLS, *before, *[MASK] * len(cut), *after, SEP]])
        targets = torch.full((1, *row.shape), IGNORE)
        targets[0, 0, 1 + len(before) :][: len(cut)] = torch.tensor(cut)
        loss = model(row, targets)[1].item()
        assert score == pytest.approx(-len(cut) * loss, abs=1e-3)


def test_a_gap_has_its_word_first_and_others_as_frequent():
    by_frequency = [f"{'abcdefghij'[i // 1000]}{'x' * (i % 1000)}" for i in range(8000)]
    rng = np.random.default_rng(0)
    sentences = [[by_frequency[i] for i in rng.integers(0, 8000, 9)] for _ in range(99)]
    found = gaps.draw(sentences, by_frequency, seed=1)
    assert 90 < len(found) <= 99  # nearly every sentence has a word of that frequency
    rank = {word: i for i, word in enumerate(by_frequency)}
    for gap in found:
        assert gap.words[gap.place] == gap.choices[0]
        assert len(set(gap.choices)) == gaps.CHOICES
        right, *others = (rank[word] for word in gap.choices)
        assert gaps.RANKS[0] <= right < gaps.RANKS[1]
        assert max(abs(right - other) for other in others) <= 5 * gaps.CHOICES
    assert gaps.draw(sentences, by_frequency, seed=1) == found
    assert gaps.draw([["unknown"]], by_frequency, seed=1) == []


def test_an_oracle_is_always_right_and_who_cannot_tell_is_right_by_chance():
    some = [gaps.Gap(["a", "b"], 1, ["b", "x", "y", "z"])] * 5
    knowing = gaps.accuracy(lambda *gap: np.array([w == "b" for w in gap[2]]), some)
    blind = gaps.accuracy(lambda *gap: np.zeros(4), some)
    wrong = gaps.accuracy(lambda *gap: np.arange(4), some)
    assert (knowing, blind, wrong) == (1.0, 0.25, 0.0)
