"""Controls: what each of them keeps, and what it takes away."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest
import torch

from course_lib import data
from course_lib.analysis import controls
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.text.batches import read_text
from course_lib.text.streams import vocabulary_of

TEXT = list(data.load("rivertown-en", tokens=2000).documents())


def words(documents) -> list[str]:
    return [w for document in documents for sentence in document for w in sentence]


def lengths(documents) -> list[list[int]]:
    return [[len(sentence) for sentence in document] for document in documents]


def model(words: int = 30) -> AWDLSTM:
    torch.manual_seed(0)
    found = AWDLSTM(AWDConfig(embedding=6, hidden=10, layers=2), words)
    with torch.no_grad():
        found.bias.normal_()
    return found.eval()


# -- texts -----------------------------------------------------------------------------


def test_shuffled_sentences_keep_their_words_and_nothing_of_their_order():
    found = controls.shuffle_words(TEXT, seed=1)
    for document, new in zip(TEXT, found, strict=True):
        assert [Counter(s) for s in document] == [Counter(s) for s in new]
    pairs = Counter(zip(words(TEXT), words(TEXT)[1:], strict=False))
    new_pairs = Counter(zip(words(found), words(found)[1:], strict=False))
    assert (pairs & new_pairs).total() < 0.5 * pairs.total()


def test_scattered_words_keep_their_counts_and_the_lengths_of_sentences():
    found = controls.scatter_words(TEXT, seed=1)
    assert Counter(words(found)) == Counter(words(TEXT))
    assert lengths(found) == lengths(TEXT)
    same = [a == b for a, b in zip(words(TEXT), words(found), strict=True)]
    assert np.mean(same) < 0.1


@pytest.mark.parametrize("control", [controls.shuffle_words, controls.scatter_words])
def test_a_text_depends_on_the_seed_and_on_nothing_else(control):
    assert control(TEXT, seed=1) == control(TEXT, seed=1)
    assert control(TEXT, seed=1) != control(TEXT, seed=2)


def test_a_word_level_model_cannot_see_consistent_spelling():
    """The numbers that it reads are the very same: such a control would be empty."""
    plain = read_text(TEXT, window=sys.maxsize)
    other = read_text(controls.respell(TEXT, seed=1), window=sys.maxsize)
    assert np.array_equal(plain.ids, other.ids)
    assert plain.words != other.words


def test_inconsistent_spelling_leaves_hardly_a_word_known():
    other = read_text(controls.respell(TEXT, 1, consistent=False), window=sys.maxsize)
    vocabulary = vocabulary_of(read_text(TEXT, window=sys.maxsize), 5000)
    assert read_text(TEXT, window=sys.maxsize).unknown(vocabulary) == 0
    assert other.unknown(vocabulary) > 0.3
    assert len(other.words) > 1.2 * len(read_text(TEXT, window=sys.maxsize).words)


def test_anagrams_stay_different_words():
    found = controls.respell([[["on", "no", "on", "tar", "rat", "art"]]], seed=3)
    assert len(set(found[0][0])) == 5
    assert found[0][0][0] == found[0][0][2]


# -- models ----------------------------------------------------------------------------


def test_a_renamed_model_reads_the_renamed_text_exactly_as_before():
    """So renaming is what pre-training on a text with exchanged words would give."""
    one = model()
    other = controls.rename(one, seed=1)
    table, new = one.embedding.weight, other.embedding.weight
    # Which old word each new one is: rows are all different.
    old = torch.cdist(new, table).argmin(dim=1)  # (V,)
    assert sorted(old.tolist()) == list(range(30))
    assert old[: controls.MARKS].tolist() == [0, 1, 2]
    name = old.argsort()  # old number to new
    tokens, targets = torch.randint(30, (2, 4, 9))
    _, before = one(tokens, targets)
    _, after = other(name[tokens], name[targets])
    torch.testing.assert_close(after, before)
    assert other(tokens, targets)[1] != before


def test_permuted_tensors_keep_their_values_and_lose_their_places():
    one = model()
    other = controls.permute(one, seed=1)
    for before, after in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(before.flatten().sort()[0], after.flatten().sort()[0])
        assert before.numel() < 5 or not torch.equal(before, after)
    correlation = np.corrcoef(
        one.embedding.weight.detach().flatten(),
        other.embedding.weight.detach().flatten(),
    )[0, 1]
    assert abs(correlation) < 0.3


def test_an_untrained_model_has_the_sizes_and_no_value_of_the_trained_one():
    one = model()
    state = torch.get_rng_state()
    other = controls.untrained(one, seed=5)
    assert torch.equal(torch.get_rng_state(), state)  # and disturbs nobody's noise
    assert [p.shape for p in one.parameters()] == [p.shape for p in other.parameters()]
    assert not torch.equal(one.embedding.weight, other.embedding.weight)
    again = controls.untrained(one, seed=5)
    assert torch.equal(other.embedding.weight, again.embedding.weight)


@pytest.mark.parametrize("control", [controls.rename, controls.permute])
def test_the_model_itself_is_left_alone(control):
    one = model()
    before = one.embedding.weight.detach().clone()
    control(one, seed=1)
    assert torch.equal(one.embedding.weight, before)
