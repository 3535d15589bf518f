"""Training a biLM with its state carried on gives what plain reading would give."""

import numpy as np
import pytest
import torch
from tqdm import tqdm

from course_lib.models.bilm import BiLM, BiLMConfig, ProjectedLSTM
from course_lib.text.batches import IGNORE, Batches, read_text
from course_lib.text.characters import char_table
from course_pretraining.carried import (
    Layer,
    Training,
    Windows,
    begin,
    product,
    widen,
)

CPU = torch.device("cpu")


def some_documents(n: int = 30) -> list[list[list[str]]]:
    rng = np.random.default_rng(3)
    return [
        [[f"w{w}" for w in rng.integers(40, size=rng.integers(1, 9))] for _ in range(5)]
        for _ in range(n)
    ]


@pytest.fixture
def training() -> Training:
    """A small biLM over 30 documents, in single precision and without dropout."""
    documents = some_documents()
    text = read_text(documents, 16)
    counts = np.array([len(read_text([d], 16).starts) for d in documents])
    words = text.vocabulary(100)
    sizes = {
        "cells": 12,
        "projection": 8,
        "filters": [[1, 4], [2, 4]],
        "samples": 9,
        "dropout": 0.0,
    }
    torch.manual_seed(0)
    model = BiLM(BiLMConfig(**sizes), len(words))
    model.token_layer.requires_grad_(False)
    table = torch.from_numpy(char_table(text.words).astype(np.int64))
    windows = Windows(text, counts, words, CPU)
    made = Training([model], [windows], [model.token_layer(table)], rows=4)
    made.dtype = torch.float32
    made.sampling = [(len(words), torch.ones(len(words)))]
    made.text, made.words = text, words
    return made


def test_a_layer_is_two_projected_lstms_and_so_is_its_gradient():
    T, B, Q, D, P = 6, 3, 5, 11, 4
    torch.manual_seed(1)
    pair = [ProjectedLSTM(Q, D, P, 3.0) for _ in range(2)]
    parts = [p for lstm in pair for p in lstm.parameters()]
    x = torch.randn(T, 2, B, Q, requires_grad=True)
    state, weights = (torch.randn(2, B, P), torch.randn(2, B, D)), torch.randn(2, B, P)

    def gradients(outputs):
        return torch.autograd.grad((outputs * weights).sum(), [x, *parts])

    plain = torch.stack([
        lstm.forward_with_state(x[:, d].transpose(0, 1), [s[d] for s in state])[0]
        for d, lstm in enumerate(pair)
    ]).permute(2, 0, 1, 3)  # (T, 2, B, P)  # fmt: skip
    inputs, past, project = (
        torch.stack([getattr(lstm, name).weight.T for lstm in pair])
        for name in ("from_input", "from_past", "project")
    )
    bias = torch.stack([lstm.from_input.bias for lstm in pair])
    gates = product(x.transpose(0, 1).reshape(2, T * B, Q), inputs) + bias[:, None]
    gates = gates.view(2, T, B, -1).transpose(0, 1).contiguous()
    ours, _ = Layer.apply(gates, past, project, *state, 3.0, torch.float32)
    assert torch.allclose(ours, plain, atol=1e-6)
    for one, other in zip(gradients(ours), gradients(plain), strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_every_window_is_read_and_goes_on_only_within_its_document(training):
    [windows] = training.windows
    order, goes_on = windows.epoch(np.random.default_rng(0), rows=4)
    place = {w: (d, i) for d, of in enumerate(windows.documents)
             for i, w in enumerate(of)}  # fmt: skip
    assert len(set(order[:, 0].ravel())) == order[:, 0].size  # none is read twice
    assert len(place) - order[:, 0].size < 4  # and hardly any is left out
    assert not goes_on[0].any() and 0.3 < goes_on.mean() < 0.8
    for direction, way in enumerate((1, -1)):
        for step, row in zip(*goes_on[:, direction].nonzero(), strict=True):
            before, here = order[step - 1 : step + 1, direction, row]
            d, i = place[before]
            assert place[here] == (d, i + way)


def test_the_loss_from_empty_states_is_the_biLMs_own(training):
    windows = torch.tensor([[0, 5, 9, 13], [2, 5, 7, 8]])
    training.next(windows, torch.zeros(2, 4, 1), rate=0.0)
    batches = Batches(training.text, training.words, rows=4)
    model = training.models[0].eval()
    for direction, chosen in enumerate(windows.numpy()):
        tokens, targets = batches.batch(chosen)
        n = (targets[direction] != IGNORE).sum()
        own = model(tokens, targets)[1][direction] * n
        assert training.losses[0, direction].item() == pytest.approx(
            own.item(), rel=1e-4
        )


@pytest.mark.parametrize("direction", [0, 1])
def test_a_window_begins_where_the_one_before_it_ended(training, direction):
    [windows] = training.windows
    first = next(d for d in windows.documents if len(d) > 1)[:2]
    path = first if direction == 0 else first[::-1]
    for step, w in enumerate(path):
        chosen = torch.full((2, 4), int(w))
        training.next(chosen, torch.full((2, 4, 1), float(step > 0)), rate=0.0)
    starts, lengths = training.text.starts[first], training.text.lengths[first]
    ids = training.text.ids[starts[0] : starts[0] + lengths.sum()]
    if direction == 1:
        ids = ids[::-1].copy()
    x = training.vectors[0][torch.from_numpy(ids.astype(np.int64))][None]  # (1, T, P)
    model = training.models[0]
    lstm = (model.forward_stack, model.backward_stack)[direction][0]
    for kept, state in zip(
        training.states[0], lstm.forward_with_state(x)[1], strict=True
    ):
        assert torch.allclose(kept[direction], state.expand(4, -1), atol=1e-5)


def test_a_loss_that_is_no_number_stops_the_training(training):
    with torch.no_grad():
        training.models[0].softmax.weight[0, 0] = float("nan")
    training.next(*next(training.windows[0].batches(0, 4))[:2], rate=0.0)
    with pytest.raises(FloatingPointError, match="no number"):
        training.tell(tqdm(disable=True))


def test_two_models_read_together_learn_what_each_learns_alone():
    """Each has its own text, loss and gradient."""

    def some(seed: int):
        text = read_text(some_documents(seed), 16)
        words = text.vocabulary(100)
        torch.manual_seed(seed)
        sizes = {"cells": 12, "projection": 8, "filters": [[1, 4]], "samples": 999}
        model = BiLM(BiLMConfig(**sizes, dropout=0.0), len(words))
        counts = np.full(seed, 1)
        counts[-1] = len(text.starts) - counts[:-1].sum()
        return *begin(text, counts, model, words), model

    def trained(*seeds: int) -> list[BiLM]:
        windows, vectors, models = zip(*map(some, seeds), strict=True)
        training = Training(list(models), list(windows), list(vectors), rows=4)
        training.dtype = torch.float32
        for step in range(5):
            chosen = torch.arange(4) + step
            carry = torch.full((2 * len(seeds), 4, 1), float(step > 0))
            training.next(chosen.expand(2 * len(seeds), 4), carry, rate=0.01)
        return models

    together, alone = trained(20, 30), (*trained(20), *trained(30))
    for one, other in zip(together, alone, strict=True):
        for p, q in zip(one.parameters(), other.parameters(), strict=True):
            assert torch.allclose(p, q, atol=1e-5)


def test_a_wider_model_begins_with_the_same_states():
    model = BiLM(BiLMConfig(cells=12, projection=8, filters=[[1, 4]], samples=9), 50)
    wide = widen(model, 20).eval()
    text = read_text(some_documents(), 16)
    tokens, _ = Batches(text, text.vocabulary(50), rows=4).batch(np.arange(4))
    assert wide.config.cells == 20
    assert torch.allclose(wide(tokens), model.eval()(tokens), atol=1e-6)
