"""L2-SP: a pull that is nothing at the start, and grows with the distance."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.classifier import TextClassifier
from course_lib.text.documents import Documents
from course_lib.training.anchored import anchored, distances, l2_sp
from course_lib.training.fine_tune import fine_tune


def classifier() -> TextClassifier:
    torch.manual_seed(0)
    encoder = AWDLSTM(AWDConfig(embedding=6, hidden=10, layers=2), 40)
    return TextClassifier(encoder, n_classes=2)


def labelled() -> Documents:
    rng = np.random.default_rng(0)
    texts = [rng.integers(3, 40, 6) for _ in range(32)]
    return Documents(texts, np.arange(32) % 2, rows=8)


@pytest.mark.no_gpu
def test_the_penalty_and_its_gradient_are_those_of_the_formula():
    w = torch.tensor([1.0, 5.0], requires_grad=True)
    w0 = torch.tensor([1.0, 2.0])
    penalty = l2_sp([w], [w0], alpha=0.5)
    assert float(penalty.detach()) == 0.5 / 2 * 9
    penalty.backward()
    assert w.grad.tolist() == [0.0, 0.5 * 3]


@pytest.mark.no_gpu
def test_at_the_start_there_is_no_pull_and_afterwards_none_is_left():
    model = classifier()
    tokens, labels = labelled().at(0)
    model.train()

    def penalty() -> float:
        torch.manual_seed(1)
        return float(model(tokens, labels)[0].penalty.detach())

    plain = penalty()
    with anchored(model, alpha=10.0):
        assert penalty() == pytest.approx(plain)
        with torch.no_grad():
            model.encoder.bias += 1.0
        assert penalty() == pytest.approx(plain + 10 / 2 * 40, rel=1e-4)
    assert penalty() == pytest.approx(plain, rel=1e-4)


@pytest.mark.no_gpu
def test_a_classifier_that_is_only_asked_is_not_disturbed():
    model = classifier().eval()
    tokens, _ = labelled().at(0)
    before = model(tokens)
    with anchored(model, alpha=1.0):
        assert torch.equal(model(tokens), before)


def test_the_stronger_the_pull_the_shorter_the_way():
    moved = []
    for alpha in (0.0, 0.1, 10.0):
        model = classifier()
        start = copy.deepcopy(model.encoder)
        with anchored(model, alpha):
            fine_tune(model, labelled(), epochs=10, factor=1.0)
        moved.append(distances(model.encoder, start)["all"])
    assert moved[0] > moved[1] > moved[2] > 0


def test_pulled_to_zero_a_model_shrinks():
    model = classifier()
    start = copy.deepcopy(model.encoder)
    with anchored(model, 10.0, to_zero=True):
        fine_tune(model, labelled(), epochs=10, factor=1.0)
    after, before = (
        sum(float(p.detach().square().sum()) for p in encoder.parameters())
        for encoder in (model.encoder, start)
    )
    assert after < 0.9 * before


@pytest.mark.no_gpu
def test_distances_are_shares_of_the_length_layer_by_layer():
    model = classifier().encoder
    start = copy.deepcopy(model)
    assert set(distances(model, start).values()) == {0.0}
    with torch.no_grad():
        for parameter in model.lstms[1].parameters():
            parameter *= 3
    found = distances(model, start)
    assert list(found) == ["words", "LSTM 1", "LSTM 2", "all"]
    assert found["LSTM 2"] == pytest.approx(2.0)
    assert found["words"] == found["LSTM 1"] == 0
    assert 0 < found["all"] < 2
