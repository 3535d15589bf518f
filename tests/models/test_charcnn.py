"""The character CNN: the shortcuts that save time change nothing."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.models.charcnn import CharCNN, Highway
from course_lib.text.batches import spell_sentences
from course_lib.text.characters import PAD, char_table, longest

FILTERS = [(1, 3), (2, 4), (3, 5), (6, 4)]


def token_layer(seed: int = 0, **options) -> CharCNN:
    """Make one in float64, so that equal means equal."""
    torch.manual_seed(seed)
    return CharCNN(FILTERS, projection=7, char_size=5, **options).double()


def whole(words) -> torch.Tensor:
    """Encode words in full rows of 50 characters."""
    return torch.from_numpy(char_table(words))


def slowly(model: CharCNN, word: str) -> np.ndarray:
    """Compute one word's vector filter by filter, in NumPy, over all 50 columns."""
    x = model.embedding.weight.detach().numpy()[char_table([word])[0]]  # (50, E)
    features = []
    for (width, n), convolution in zip(FILTERS, model.convolutions, strict=True):
        w, bias = (p.detach().numpy() for p in convolution.parameters())
        for f in range(n):  # w[f]: (E, width)
            places = range(50 - width + 1)
            scores = [(x[i : i + width].T * w[f]).sum() + bias[f] for i in places]
            features.append(max(0.0, *scores))  # the best match, if it is positive
    h = np.array(features)  # (F,)
    for highway in model.highways:
        wt, bt = (p.detach().numpy() for p in highway.transform.parameters())
        wg, bg = (p.detach().numpy() for p in highway.gate.parameters())
        g = 1 / (1 + np.exp(-(wg @ h + bg)))
        h = g * np.maximum(wt @ h + bt, 0) + (1 - g) * h
    w, bias = (p.detach().numpy() for p in model.projection.parameters())
    return w @ h + bias


@pytest.mark.parametrize("n_highway", [0, 1, 2])
@pytest.mark.parametrize("word", ["a", "", "bank", "苹果", "x" * 47, "y" * 60])
def test_it_computes_what_the_paper_says(word, n_highway):
    model = token_layer(n_highway=n_highway)
    found = model(whole([word]))[0].detach().numpy()
    assert found == pytest.approx(slowly(model, word), abs=1e-12)


@settings(max_examples=40)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_the_trimmed_width_gives_what_all_50_columns_give(words):
    """Past the longest word all is padding; its windows are equal; max needs one."""
    model, table = token_layer(), whole(words)
    trimmed = table[:, : longest(table.numpy())]
    torch.testing.assert_close(model(trimmed), model(table), rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_bytes", range(40, 49))
def test_the_trimmed_width_is_right_close_to_the_edge(n_bytes):
    """Here fewer columns than the widest filter are left on the right."""
    model, table = token_layer(), whole(["z" * n_bytes])
    trimmed = table[:, : longest(table.numpy())]
    torch.testing.assert_close(model(trimmed), model(table), rtol=0, atol=1e-12)


def test_one_column_less_would_be_wrong():
    """So the columns of padding that the model adds are needed, all of them."""
    model, table = token_layer(), whole(["bat"])
    with torch.no_grad():  # let the widest filter like nothing but padding
        model.convolutions[-1].weight.zero_()
        model.convolutions[-1].weight += model.embedding.weight[PAD, :, None]
        model.convolutions[-1].bias.fill_(0.0)
    width = longest(table.numpy()) + model.widest
    model.widest, full = 0, model(table)  # from here on it adds nothing itself
    torch.testing.assert_close(model(table[:, :width]), full)
    assert not torch.allclose(model(table[:, : width - 1]), full)


def test_a_words_vector_does_not_depend_on_the_other_words():
    model = token_layer()
    together = model(whole(["bank", "a", "x" * 50]))
    alone = torch.cat([model(whole([w])[:, :7]) for w in ("bank", "a")])
    torch.testing.assert_close(together[:2], alone, rtol=0, atol=1e-12)


def test_distinct_words_once_is_every_word_every_time():
    model = token_layer()
    sentences = [["play", "the", "play"], ["the", "bank", "the", "苹果"]]
    tokens = spell_sentences(sentences)
    once = model(tokens.characters)[tokens.positions]  # (B, T, P)
    for b, sentence in enumerate(sentences):
        every = model(whole(sentence))
        torch.testing.assert_close(once[b, : len(sentence)], every, rtol=0, atol=1e-12)


def test_distinct_words_once_has_the_same_gradients():
    """A word that stands three times gets the gradients of all three places."""
    tokens = spell_sentences([["a", "rose", "is", "a", "rose"]])
    every = whole(["a", "rose", "is", "a", "rose"])
    gradients = []
    for vectors in (
        lambda model: model(tokens.characters)[tokens.positions[0]],
        lambda model: model(every),
    ):
        model = token_layer()
        weights = torch.arange(5.0, dtype=torch.float64)[:, None]
        (vectors(model).tanh() * weights).sum().backward()
        gradients.append([p.grad for p in model.parameters()])
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other)


def test_words_with_the_same_first_48_bytes_are_the_same_word():
    model = token_layer()
    one, other = model(whole(["x" * 48 + "ing", "x" * 48 + "ed"]))
    assert torch.equal(one, other)


def test_no_token_is_no_character():
    """Number 0 marks an empty place: its vector is zero and is never trained."""
    model = token_layer()
    assert not model.embedding.weight[0].any()
    model(torch.zeros(1, 50, dtype=torch.long)).sum().backward()
    assert not model.embedding.weight.grad[0].any()


@pytest.mark.parametrize("open_gate", [True, False])
def test_a_highways_gate_chooses_between_new_and_old(open_gate):
    highway = Highway(4).double()
    with torch.no_grad():
        highway.gate.bias.fill_(100.0 if open_gate else -100.0)
    x = torch.randn(3, 4, dtype=torch.float64)
    expected = torch.relu(highway.transform(x)) if open_gate else x
    torch.testing.assert_close(highway(x), expected)


def test_an_untrained_highway_lets_most_of_its_input_through():
    highway = Highway(16)
    share = torch.sigmoid(highway.gate(torch.zeros(1, 16)))  # of the new value
    torch.testing.assert_close(share, torch.full((1, 16), 0.1192), atol=1e-4, rtol=0)
