"""The biLM: two language models that share words and never see each other."""

import itertools
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.analysis.influence import influence
from course_lib.models.bilm import (
    BiLM,
    BiLMConfig,
    Encoder,
    ProjectedLSTM,
    batches,
    reverse,
)
from course_lib.text.batches import IGNORE, Batches, Tokens, read_text, spell_sentences
from course_lib.text.characters import BOS, EOS, char_table
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.training import device


def split(text: str) -> list[str]:
    return text.split()


SENTENCES = [
    split("<S> the otter slipped off the bank </S>"),
    split("<S> 她 咬 了 一口 苹果 </S>"),
    ["<S>", "play", "</S>"],
]


def small_bilm(vocabulary_size=20, seed=0, double=True, **options) -> BiLM:
    """Make an untrained biLM, in float64 so that equal means equal."""
    torch.manual_seed(seed)
    sizes = {"cells": 6, "projection": 4, "filters": [[1, 3], [2, 4]], "char_size": 3}
    config = BiLMConfig(**{**sizes, "cutoffs": [5, 12], **options})
    model = BiLM(config, vocabulary_size).eval()
    return model.double() if double else model


def scale(module: nn.Module, factor: float) -> None:
    """Make all weights larger, so that the clipping has something to do."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter *= factor


# -- the LSTM, against a slow one in NumPy ---------------------------------------


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def slow_lstm(lstm: ProjectedLSTM, x: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Read (T, I) cell by cell; return (T, P), and how often c and h were clipped."""
    W, bias = (p.detach().numpy() for p in lstm.from_input.parameters())
    U, P = lstm.from_past.weight.detach().numpy(), lstm.project.weight.detach().numpy()
    D = P.shape[1]
    h, c = np.zeros(P.shape[0]), np.zeros(D)
    outputs, clipped = [], [0, 0]
    for x_t in x:
        new_c = np.empty(D)
        exposed = np.empty(D)
        for d in range(D):
            i, f, g, o = (
                W[k * D + d] @ x_t + bias[k * D + d] + U[k * D + d] @ h
                for k in range(4)  # input gate, forget gate, candidate, output gate
            )
            cell = sigmoid(f) * c[d] + sigmoid(i) * np.tanh(g)
            new_c[d] = min(max(cell, -lstm.clip), lstm.clip)
            exposed[d] = sigmoid(o) * np.tanh(new_c[d])
            clipped[0] += abs(cell) > lstm.clip
        c = new_c
        projected = P @ exposed
        h = np.clip(projected, -lstm.clip, lstm.clip)
        clipped[1] += (np.abs(projected) > lstm.clip).sum()
        outputs.append(h)
    return np.array(outputs), *clipped


@pytest.mark.parametrize(("factor", "clip"), [(1, 3.0), (4, 3.0), (4, 0.4)])
def test_the_lstm_equals_a_slow_one(factor, clip):
    torch.manual_seed(factor)
    lstm = ProjectedLSTM(input_size=5, cells=7, projection=3, clip=clip).double()
    scale(lstm, factor)
    x = torch.randn(2, 30, 5, dtype=torch.float64)
    found = lstm(x).detach().numpy()
    clipped = np.zeros(2, int)
    for b in range(2):
        expected, *counts = slow_lstm(lstm, x[b].numpy())
        np.testing.assert_allclose(found[b], expected, rtol=0, atol=1e-12)
        clipped += counts
    if factor > 1:  # else a model without clipping would pass as well
        assert (clipped > 0).all(), "neither the cells nor the outputs were clipped"


def test_an_lstm_goes_on_from_its_state():
    """Reading in two goes is reading in one, if the state is carried over."""
    lstm = ProjectedLSTM(5, cells=7, projection=3, clip=1.0, projection_clip=0.2)
    lstm = lstm.double()
    scale(lstm, 4)
    x = torch.randn(2, 9, 5, dtype=torch.float64)
    whole, end = lstm.forward_with_state(x)
    first, state = lstm.forward_with_state(x[:, :4])
    second, last = lstm.forward_with_state(x[:, 4:], state)
    exact = {"rtol": 0, "atol": 1e-12}
    torch.testing.assert_close(torch.cat([first, second], dim=1), whole, **exact)
    torch.testing.assert_close(last, end, **exact)
    assert end[1].abs().max() == 1.0, "no cell was clipped"
    assert whole.abs().max() == 0.2, "no output was clipped"


def test_an_untrained_lstm_remembers():
    """The forget gates begin at sigmoid(1) = 0.73, the other gates at one half."""
    lstm = ProjectedLSTM(input_size=5, cells=7, projection=3, clip=3.0)
    assert lstm.from_input.bias.tolist() == [0.0] * 7 + [1.0] * 7 + [0.0] * 14


# -- the whole model, against a slow one ----------------------------------------


def slow_bilm(model: BiLM, words: list[str]) -> np.ndarray:
    """Compute the layers of one sentence on its own, the backward half mirrored."""
    characters = torch.from_numpy(char_table(words))  # every word, all 50 columns
    x = model.token_layer(characters).detach().numpy()  # (T, P)
    layers = [np.concatenate([x, x], axis=1)]
    forward, backward = x, x[::-1]
    pairs = zip(model.forward_stack, model.backward_stack, strict=True)
    for depth, (right, left) in enumerate(pairs):
        h, mirrored_h = slow_lstm(right, forward)[0], slow_lstm(left, backward)[0]
        forward = h + forward if depth else h  # a residual path from layer 2 on
        backward = mirrored_h + backward if depth else mirrored_h
        layers.append(np.concatenate([forward, backward[::-1]], axis=1))
    return np.stack(layers)  # (L+1, T, 2P)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_a_batch_equals_one_slow_sentence_at_a_time(layers):
    """One test for padding, mirroring, residuals and spelling each word once."""
    model = small_bilm(layers=layers)
    scale(model.forward_stack, 3)
    scale(model.backward_stack, 3)
    found = model(spell_sentences(SENTENCES)).detach().numpy()
    assert found.shape == (layers + 1, 3, 8, 8)
    for b, words in enumerate(SENTENCES):
        expected = slow_bilm(model, words)
        np.testing.assert_allclose(
            found[:, b, : len(words)], expected, rtol=0, atol=1e-12
        )


def test_layer_0_knows_no_context():
    model = small_bilm()
    tokens = spell_sentences([["the", "bank", "the"], ["bank", "play", "the"]])
    layer = model(tokens)[0]
    assert torch.equal(layer[0, 0], layer[0, 2])
    assert torch.equal(layer[0, 1], layer[1, 0])
    assert torch.equal(layer[..., :4], layer[..., 4:])  # the same vector, twice


# -- no leak ----------------------------------------------------------------------


def assert_one_sided(layers_of, x: torch.Tensor) -> None:
    """Fail if a forward state depends on a later token, or a backward on an earlier.

    layers_of: maps token vectors (1, T, P) to a list of layers (1, T, 2P). The
    gradient is exactly zero where there is no path, whatever the weights are.
    """
    for number in range(len(layers_of(x))):
        forward = influence(lambda x, n=number: layers_of(x)[n].chunk(2, dim=2)[0], x)
        backward = influence(lambda x, n=number: layers_of(x)[n].chunk(2, dim=2)[1], x)
        assert not forward.triu(1).any(), f"layer {number} knows the next words"
        assert not backward.tril(-1).any(), f"layer {number} knows the words before"
        # And they do read: else a layer that ignores its input would pass.
        assert forward[torch.tril(torch.ones_like(forward)) > 0].all()
        assert backward[torch.triu(torch.ones_like(backward)) > 0].all()


def context_layers(model: BiLM):
    """Return layers 1 to L of a biLM as a function of its token vectors."""

    def layers_of(x: torch.Tensor) -> list[torch.Tensor]:
        positions = torch.arange(x.shape[1])[None]  # (1, T): T distinct words
        characters = torch.zeros(x.shape[1], 1, dtype=torch.long)
        tokens = Tokens(characters, positions, torch.tensor([x.shape[1]]))
        hook = model.token_layer.register_forward_hook(lambda *_: x[0])
        layers = model(tokens)
        hook.remove()
        return list(layers[1:])

    return layers_of


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_no_state_knows_what_it_has_to_predict(layers):
    model = small_bilm(layers=layers)
    x = torch.randn(1, 6, 4, dtype=torch.float64)
    assert_one_sided(context_layers(model), x)


def test_the_tempting_one_liner_leaks():
    """Its second layer reads both halves of the first, so each half sees all words."""
    lstm = nn.LSTM(4, 4, num_layers=2, bidirectional=True, batch_first=True).double()
    x = torch.randn(1, 6, 4, dtype=torch.float64)
    with pytest.raises(AssertionError, match="knows the next words"):
        assert_one_sided(lambda x: [lstm(x)[0]], x)


def test_one_bidirectional_layer_does_not_leak_yet():
    """The leak comes with the second layer: nothing else is wrong with torch's."""
    lstm = nn.LSTM(4, 4, num_layers=1, bidirectional=True, batch_first=True).double()
    assert_one_sided(lambda x: [lstm(x)[0]], torch.randn(1, 6, 4, dtype=torch.float64))


def test_another_ending_changes_no_forward_state_before_it():
    """The same from outside: only words in, only vectors out."""
    beginning, end = split("we sat on the bank"), split("and watched the otter")
    one, other = split("and paid our debt"), split("of our town")
    encoder = Encoder(small_bilm(), Vocabulary([UNK]))
    a, b = encoder.encode([beginning + one, beginning + other])
    n = len(beginning)
    np.testing.assert_allclose(a[:, :n, :4], b[:, :n, :4], rtol=0, atol=1e-6)
    assert np.abs(a[1:, :n, 4:] - b[1:, :n, 4:]).max() > 1e-3  # the backward half does
    a, b = encoder.encode([one + end, other + end])
    n = len(end)
    np.testing.assert_allclose(a[:, -n:, 4:], b[:, -n:, 4:], rtol=0, atol=1e-6)
    assert np.abs(a[1:, -n:, :4] - b[1:, -n:, :4]).max() > 1e-3


# -- the two directions -------------------------------------------------------------


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_reverse_turns_the_words_and_leaves_the_padding(lengths):
    T = max(lengths)
    x = torch.arange(float(len(lengths) * T)).reshape(len(lengths), T, 1)
    turned = reverse(x, torch.tensor(lengths))
    for row, found, n in zip(x[..., 0], turned[..., 0], lengths, strict=True):
        assert found[:n].tolist() == row[:n].tolist()[::-1]
        assert found[n:].tolist() == row[n:].tolist()
    assert torch.equal(reverse(turned, torch.tensor(lengths)), x)


def test_reversing_the_text_swaps_the_directions():
    """Given the same weights, the backward model is the forward one in a mirror."""
    model = small_bilm()
    model.backward_stack.load_state_dict(model.forward_stack.state_dict())
    layers = model(spell_sentences(SENTENCES))
    mirrored = model(spell_sentences([words[::-1] for words in SENTENCES]))
    for b, words in enumerate(SENTENCES):
        forward = layers[:, b, : len(words), :4]
        backward = mirrored[:, b, : len(words), 4:]
        torch.testing.assert_close(forward, backward.flip(1), rtol=0, atol=1e-12)


def test_mirrored_targets_give_mirrored_losses():
    model = small_bilm()
    model.backward_stack.load_state_dict(model.forward_stack.state_dict())
    words = split("the otter slipped off a bank")
    vocabulary = Vocabulary([UNK, *words])

    def losses(sentence):
        batches = Batches(read_text([[sentence]]), vocabulary, rows=1)
        tokens, targets = next(iter(batches))
        # The marks have to swap their roles too, so take them out.
        tokens = spell_sentences([sentence])
        return model(tokens, targets[:, :, 1:-1])[1]

    torch.testing.assert_close(losses(words), losses(words[::-1]).flip(0))


@pytest.mark.parametrize("direction", [0, 1])
def test_token_layer_and_softmax_are_shared_the_lstms_are_not(direction):
    """The loss of one direction trains its own stack, and what both stand on."""
    model = small_bilm()
    text = read_text([[["the", "bank", "of", "the", "river"]]])
    ((tokens, targets),) = Batches(text, text.vocabulary(20), rows=1)
    model(tokens, targets)[1][direction].backward()

    def trained(part: nn.Module) -> bool:
        return any(p.grad is not None and bool(p.grad.any()) for p in part.parameters())

    assert trained(model.token_layer)
    assert trained(model.softmax)
    stacks = [trained(model.forward_stack), trained(model.backward_stack)]
    assert stacks == [direction == 0, direction == 1]


# -- the batch around a sentence does not matter --------------------------------


def test_a_sentence_alone_is_the_same_as_in_a_batch():
    model = small_bilm()
    together = model(spell_sentences(SENTENCES))
    for b, words in enumerate(SENTENCES):
        alone = model(spell_sentences([words]))[:, 0]
        torch.testing.assert_close(
            together[:, b, : len(words)], alone, rtol=0, atol=1e-12
        )


def test_what_stands_in_the_padding_does_not_matter():
    model = small_bilm()
    tokens = spell_sentences(SENTENCES)
    other = tokens.positions.clone()
    for row, n in zip(other, tokens.lengths, strict=True):
        row[n:] = 5
    layers, changed = model(tokens), model(tokens._replace(positions=other))
    for b, n in enumerate(tokens.lengths):
        assert torch.equal(layers[:, b, :n], changed[:, b, :n])


def test_the_loss_of_a_batch_is_the_mean_over_its_words():
    """Not over its rows, and padding does not count."""
    model = small_bilm()
    text = read_text([[["a", "b"]], [["c", "a", "b", "b", "d"]]])
    vocabulary = text.vocabulary(20)
    ((tokens, targets),) = Batches(text, vocabulary, rows=2)
    together = model(tokens, targets)[1]
    rows = Batches(text, vocabulary, rows=1)
    alone = [(model(*row)[1], (row[1][0] != IGNORE).sum()) for row in rows]
    mean = sum(losses * n for losses, n in alone) / 7
    torch.testing.assert_close(together, mean)


# -- the softmax ----------------------------------------------------------------------


@pytest.mark.parametrize("vocabulary_size", [3, 6, 7, 13, 14, 50])
def test_the_probabilities_of_all_words_sum_to_one(vocabulary_size):
    """So a perplexity computed from them is one; with any number of bands."""
    model = small_bilm(vocabulary_size)
    states = 3 * torch.randn(5, 4, dtype=torch.float64)
    log_p = model.softmax.log_prob(states)  # (5, V)
    assert log_p.shape == (5, vocabulary_size)
    torch.testing.assert_close(log_p.exp().sum(1), torch.ones(5).double())


def test_the_loss_is_the_mean_negative_log_probability():
    """Also of more words than one piece of 500 holds, and of places without any."""
    model = small_bilm()
    states = torch.randn(3, 700, 4, dtype=torch.float32)
    targets = torch.randint(20, (3, 700))
    targets[torch.rand(3, 700) < 0.4] = IGNORE
    model.float()
    here = targets != IGNORE
    log_p = model.softmax.log_prob(states[here])  # (N, V)
    expected = -log_p.gather(1, targets[here][:, None]).mean()
    assert int(here.sum()) > 1000
    torch.testing.assert_close(model.loss(states, targets), expected)


def test_the_default_sizes_fit_a_small_vocabulary():
    """A biLM for 300 words needs no bands; it is one plain softmax."""
    model = BiLM(BiLMConfig(cells=4, projection=4, filters=[[1, 3]]), 300)
    log_p = model.softmax.log_prob(torch.zeros(1, 4))
    torch.testing.assert_close(log_p.exp(), torch.full((1, 300), 1 / 300))


def test_an_untrained_model_guesses_evenly():
    """Its loss is log V, when all words are in one band."""
    V = 300
    model = small_bilm(V, projection=16, cutoffs=[])
    text = read_text(
        [[[f"w{i}" for i in range(30 * j, 30 * j + 30)] for j in range(9)]]
    )
    ((tokens, targets),) = Batches(text, text.vocabulary(V), rows=99)
    losses = model(tokens, targets)[1]
    torch.testing.assert_close(
        losses, torch.full_like(losses, math.log(V)), rtol=0, atol=0.1
    )


def test_an_untrained_model_guesses_evenly_within_each_band():
    """A rare word's probability is its band's share of the first band's softmax, and
    its own share of the band; so at the start rare words cost more than log V."""
    model = small_bilm(1000, projection=16, cutoffs=[10, 100])
    states = torch.zeros(1, 16, dtype=torch.float64)
    log_p = model.softmax.log_prob(states)[0]
    first = math.log(10 + 2)  # ten words and two bands
    for band, expected in (
        (slice(0, 10), first),
        (slice(10, 100), first + math.log(90)),
        (slice(100, 1000), first + math.log(900)),
    ):
        torch.testing.assert_close(-log_p[band], torch.full_like(log_p[band], expected))


def test_it_can_learn_a_few_sentences_by_heart():
    """Down to what nobody can know: with which of three sentences a window begins."""
    document = [split("one small otter swam"), split("two grey geese flew")]
    text = read_text([[s] for s in [*document, split("three ripe plums fell")]])
    vocabulary = text.vocabulary(20)
    ((tokens, targets),) = Batches(text, vocabulary, rows=3)
    model = small_bilm(len(vocabulary), cells=24, projection=12, double=False)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    floor = math.log(3) / 4  # one word of four is a guess among three
    for step in range(150):
        losses = model(tokens, targets)[1]
        if step == 0:
            assert (losses > 2).all()
        losses.sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    losses = model(tokens, targets)[1]
    assert (losses > floor - 1e-3).all(), "it knows what it cannot know"
    assert (losses < floor + 0.05).all()


def test_training_drops_something_out_of_all_but_the_words_themselves():
    model, tokens = small_bilm(dropout=0.5).train(), spell_sentences(SENTENCES)
    one, other = model(tokens), model(tokens)
    assert torch.equal(one[0], other[0])
    assert not torch.equal(one[1:], other[1:])
    states, targets = torch.ones(1, 3, 4).double(), torch.tensor([[1, 2, 3]])
    assert model.loss(states, targets) != model.loss(states, targets)


# -- the encoder ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(small_bilm(double=False, dropout=0.5), Vocabulary([UNK]))


def test_the_encoder_gives_each_sentence_its_layers_in_order(encoder):
    sentences = [s[1:-1] for s in SENTENCES]
    found = encoder.encode(sentences)
    assert [x.shape for x in found] == [(3, 6, 8), (3, 5, 8), (3, 1, 8)]
    for x, words in zip(found, sentences, strict=True):
        assert x.dtype == np.float32
        layers = encoder.model(spell_sentences([[BOS, *words, EOS]]))
        expected = layers[:, 0, 1:-1].detach().numpy()  # without the marks
        np.testing.assert_allclose(x, expected, rtol=0, atol=1e-6)


WORDS = st.sampled_from(["bank", "a", "苹果", "x" * 60, "", "\ud83d", "play", "to"])


@given(st.lists(st.lists(WORDS, max_size=6), max_size=6), st.integers(1, 4))
def test_a_sentence_gives_the_same_whatever_is_beside_it(encoder, sentences, rows):
    together = encoder.encode(sentences, rows=rows)
    assert len(together) == len(sentences)
    for x, sentence in zip(together, sentences, strict=True):
        (alone,) = encoder.encode([sentence])
        assert x.shape == (3, len(sentence), 8)
        np.testing.assert_allclose(x, alone, rtol=0, atol=1e-6)


def test_the_encoder_drops_nothing_out(encoder):
    one, other = (encoder.encode([["a", "bank"]])[0] for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_a_string_is_not_a_sentence(encoder):
    with pytest.raises(TypeError, match=r"sentence 1 is a string.*\['The', 'bank'\]"):
        encoder.encode([["The", "bank"], "The bank"])
    with pytest.raises(TypeError, match="sentence 0 is a string"):
        encoder.encode(["The", "bank"])  # one sentence instead of a list of them


def test_the_encoder_works_where_training_left_the_model(gpu):
    model = small_bilm(double=False)
    (expected,) = Encoder(model, Vocabulary([UNK])).encode([["a", "bank"]])
    model = model.to(device())
    assert model.softmax.head.weight.device.type != "cpu"
    (found,) = Encoder(model, Vocabulary([UNK])).encode([["a", "bank"]])
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_a_stream_reads_ahead_a_little_and_no_more():
    """So that neither a long text nor its vectors have to fit in memory."""
    encoder, read = Encoder(small_bilm(), Vocabulary([UNK])), []

    def endless():
        for number in itertools.count():
            read.append(number)
            yield ["w"] * (number % 7)  # some have no word at all

    found = list(itertools.islice(encoder.stream(endless(), rows=2), 40))
    assert len(read) <= 40 + 16 * 2
    expected = encoder.encode([["w"] * (number % 7) for number in range(40)])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


@given(lengths=st.lists(st.integers(0, 50), max_size=30))
def test_batches_hold_every_sentence_once_within_their_limits(lengths):
    found = list(batches(lengths, rows=4, tokens=60))
    assert sorted(itertools.chain(*found)) == list(range(len(lengths)))
    for batch in found:
        longest = max(lengths[i] for i in batch)
        assert len(batch) <= 4
        assert len(batch) == 1 or len(batch) * longest <= 60


def test_one_long_sentence_does_not_make_the_others_as_long(tmp_path):
    """400 sentences as long as the longest would take three gigabytes."""
    script = """
import resource, sys
import course_lib
encoder = course_lib.load("elmo-en")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
short, long = ["the", "bank"] * 10, ["the", "river"] * 300
found = encoder.encode([short] * 200 + [long] + [short] * 199)
assert [len(x[0]) for x in found[199:202]] == [20, 600, 20]
unit = 1 if sys.platform == "darwin" else 1024
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit)
"""
    pytest.importorskip("resource")  # not on Windows
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(run.stdout) < 300e6


# -- the released code ---------------------------------------------------------------

# What the released ELMo code computes with a small model of random weights. Not part
# of the course; it lies beside the real corpora where somebody has put it.
RELEASED = Path(os.environ.get("COURSE_DATA", "nowhere"), "../fixtures/allennlp_elmo")
needs_released = pytest.mark.skipif(
    not RELEASED.is_dir(), reason="no outputs of the released code beside COURSE_DATA"
)


def released_weights() -> dict[str, torch.Tensor]:
    """Read the released layout, TensorFlow's, into our names and layout."""
    file = h5py.File(RELEASED / "lm_weights.hdf5")

    def theirs(name: str) -> torch.Tensor:
        return torch.from_numpy(file[name][()])

    characters = theirs("char_embed")  # (261, E), without a row for "no token"
    nobody = torch.zeros_like(characters[:1])
    ours = {"token_layer.embedding.weight": torch.cat([nobody, characters])}
    for i in range(5):  # (1, width, E, n) to (n, E, width)
        name = f"token_layer.convolutions.{i}"
        ours[f"{name}.weight"] = theirs(f"CNN/W_cnn_{i}")[0].permute(2, 1, 0)
        ours[f"{name}.bias"] = theirs(f"CNN/b_cnn_{i}")
    for k in range(2):  # there "carry" is the gate that lets the new value in
        for part, name in (("transform", "transform"), ("gate", "carry")):
            highway = f"token_layer.highways.{k}.{part}"
            ours[f"{highway}.weight"] = theirs(f"CNN_high_{k}/W_{name}").T
            ours[f"{highway}.bias"] = theirs(f"CNN_high_{k}/b_{name}")
    ours["token_layer.projection.weight"] = theirs("CNN_proj/W_proj").T
    ours["token_layer.projection.bias"] = theirs("CNN_proj/b_proj")
    for d, stack in enumerate(("forward_stack", "backward_stack")):
        for layer in range(2):
            cell = f"RNN_{d}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            i, g, f, o = theirs(f"{cell}/W_0").T.chunk(4)  # their order of the gates
            from_input, from_past = torch.cat([i, f, g, o]).chunk(2, dim=1)
            i, g, f, o = theirs(f"{cell}/B").chunk(4)
            name = f"{stack}.{layer}"
            ours[f"{name}.from_input.weight"] = from_input
            ours[f"{name}.from_input.bias"] = torch.cat([i, f + 1, g, o])
            ours[f"{name}.from_past.weight"] = from_past
            ours[f"{name}.project.weight"] = theirs(f"{cell}/W_P_0").T
    return ours


@pytest.fixture(scope="module")
def released() -> BiLM:
    """Return our biLM with the released weights."""
    filters = [[1, 4], [2, 8], [3, 16], [4, 32], [5, 64]]
    sizes = {"cells": 64, "projection": 16, "char_size": 4, "n_highway": 2}
    model = small_bilm(double=False, filters=filters, **sizes)
    fit = model.load_state_dict(released_weights(), strict=False)
    assert all(name.startswith("softmax") for name in fit.missing_keys)
    assert not fit.unexpected_keys
    return model


@needs_released
def test_the_token_layer_equals_the_released_one(released):
    words = (RELEASED / "vocab_test.txt").read_text(encoding="utf-8").splitlines()
    tokens = spell_sentences([words])
    found = released.token_layer(tokens.characters)[tokens.positions[0]]
    expected = h5py.File(RELEASED / "elmo_token_embeddings.hdf5")["embedding"][()]
    np.testing.assert_allclose(found.detach(), expected, rtol=1e-5, atol=2e-6)


@needs_released
@pytest.mark.parametrize("k", range(3))
def test_the_top_layer_equals_the_released_one(released, k):
    """For the first sentence of each list: the others were read with the state that
    the sentence before had left, and ours begins each with an empty one."""
    lists = json.loads((RELEASED / "sentences.json").read_text(encoding="utf-8"))
    words = lists[k][0].split()
    layers = released(spell_sentences([[BOS, *words, EOS]]))
    forward, backward = h5py.File(RELEASED / f"lm_embeddings_{k}.hdf5")["0"][()]
    expected = np.concatenate([forward, backward], axis=1)
    found = layers[-1, 0, 1:-1].detach()
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=2e-6)
