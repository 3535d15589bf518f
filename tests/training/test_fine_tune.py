"""Fine-tuning: which layers learn, how fast, and what a new vocabulary keeps."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch

from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from course_lib.models.classifier import TextClassifier
from course_lib.text.batches import read_text
from course_lib.text.documents import Documents
from course_lib.text.streams import Streams, vocabulary_of
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.training.fine_tune import (
    POLICIES,
    as_document,
    chain_thaw,
    discriminative,
    fine_tune,
    gradual,
    layer_groups,
    predict,
    thaw,
    with_vocabulary,
)
from course_lib.training.loop import evaluate


def language_model(words: int = 40) -> AWDLSTM:
    torch.manual_seed(0)
    return AWDLSTM(AWDConfig(embedding=6, hidden=10), words)


def classifier() -> TextClassifier:
    torch.manual_seed(1)
    return TextClassifier(language_model(), n_classes=2)


def labelled(n: int = 64, seed: int = 0) -> Documents:
    """Make documents that hold word 7 if they are of class 1."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    made = [rng.integers(8, 40, rng.integers(3, 9)) for _ in labels]
    for document, label in zip(made, labels, strict=True):
        if label:
            document[rng.integers(len(document))] = 7
    return Documents(made, labels, rows=8)


# -- layers and their rates ------------------------------------------------------------


@pytest.mark.no_gpu
@pytest.mark.parametrize("model", [language_model(), classifier()])
def test_every_parameter_is_in_exactly_one_layer(model):
    found = [id(p) for group in layer_groups(model) for p in group]
    assert sorted(found) == sorted(map(id, model.parameters()))


@pytest.mark.no_gpu
def test_each_layer_learns_2_6_times_as_fast_as_the_one_below():
    groups = discriminative(layer_groups(classifier()), rate=0.01)
    rates = [group["lr"] for group in groups]
    assert rates[-1] == 0.01
    assert [b / a for a, b in zip(rates, rates[1:], strict=False)] == pytest.approx(
        [2.6] * 4
    )


@pytest.mark.no_gpu
def test_adam_forgets_as_fast_as_in_the_paper(steps_of_optimisers):
    """Howard & Ruder 2018, section 4.1: β1 = 0.7, β2 = 0.99."""
    fine_tune(classifier(), labelled(), epochs=1)
    assert {group["betas"] for group in steps_of_optimisers} == {(0.7, 0.99)}


@pytest.mark.no_gpu
def test_policies_thaw_what_they_say():
    table = {
        name: [list(choose(epoch, 3)) for epoch in range(5)]
        for name, choose in POLICIES.items()
    }
    assert table["full"] == [[0, 1, 2]] * 5
    assert table["last"] == [[2]] * 5
    assert table["gradual"] == [[2], [1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    assert table["chain-thaw"] == [[2], [0], [1], [0, 1, 2], [0, 1, 2]]
    assert gradual(0, 5) == range(4, 5) == chain_thaw(0, 5)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_optimiser_moves_the_layers_of_the_policy_and_no_other(policy):
    """Epoch by epoch: a layer that was thawed really learns, a frozen one stays."""
    for epochs in (1, 2, 3):
        model = classifier()
        before = [p.detach().clone() for p in model.parameters()]
        groups = layer_groups(model)
        fine_tune(model, labelled(), epochs=epochs, policy=policy)
        after = dict(zip(map(id, model.parameters()), before, strict=True))
        thawed = {d for e in range(epochs) for d in POLICIES[policy](e, len(groups))}
        for depth, group in enumerate(groups):
            moved = any(not torch.equal(p, after[id(p)]) for p in group)
            assert moved == (depth in thawed), (epochs, depth)
        assert all(p.requires_grad for p in model.parameters())  # none stays frozen


@pytest.mark.no_gpu
def test_a_frozen_layer_has_no_gradient():
    model = classifier()
    groups = layer_groups(model)
    thaw(groups, range(4, 5))
    tokens, labels = labelled().at(0)
    model(tokens, labels)[1].backward()
    assert all(p.grad is None for p in model.encoder.parameters())
    assert all(p.grad is not None for p in model.head.parameters())


@pytest.mark.no_gpu
def test_what_cannot_be_fine_tuned_is_refused():
    with pytest.raises(ValueError, match="'frozen'; there are full, last, gradual"):
        fine_tune(classifier(), labelled(), epochs=1, policy="frozen")
    with pytest.raises(ValueError, match="labels like 'pos'; number the classes"):
        Documents([np.array([3, 4])], ["pos"])


@pytest.mark.no_gpu
def test_no_layer_stays_frozen_when_a_run_is_stopped():
    model = classifier()

    def stopped(progress: float) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fine_tune(model, labelled(), epochs=2, policy="gradual", schedule=stopped)
    assert all(p.requires_grad for p in model.parameters())


# -- a new vocabulary ------------------------------------------------------------------


@pytest.mark.no_gpu
def test_shared_words_keep_their_vectors_and_new_ones_are_the_mean():
    old = Vocabulary([UNK, "river", "bank", "loan"])
    new = Vocabulary([UNK, "loan", "actor", "bank"])
    model = language_model(4)
    with torch.no_grad():
        model.bias.copy_(torch.tensor([1.0, 2, 3, 6]))
    found = with_vocabulary(model, old, new)
    table, C = found.embedding.weight, model.embedding.weight
    assert torch.equal(table[[0, 1, 3]], C[[0, 3, 2]])
    torch.testing.assert_close(table[2], C.mean(dim=0))
    assert found.bias.tolist() == [1, 6, 3, 3]


@pytest.mark.no_gpu
def test_a_text_of_shared_words_scores_the_same_with_the_new_numbers():
    """Up to the softmax, which has other words to choose from."""
    old = Vocabulary([UNK, "river", "bank", "loan"])
    new = Vocabulary([UNK, "loan", "bank", "river"])
    model = language_model(4).eval()
    found = with_vocabulary(model, old, new).eval()
    text = ["bank", "loan", "river", "actor"]
    here, there = (torch.tensor([v.encode(text)]) for v in (new, old))
    torch.testing.assert_close(found(here).top, model(there).top)


# -- learning --------------------------------------------------------------------------


def test_a_classifier_learns_which_documents_hold_a_word():
    """Large: from chance to nearly all of new documents."""
    model = classifier()
    fine_tune(model, labelled(400), epochs=10, rate=0.03, factor=1.0)
    unseen = labelled(200, seed=5)
    probabilities = predict(model, unseen.documents)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    assert (probabilities.argmax(axis=1) == unseen.labels).mean() > 0.9


def test_predictions_do_not_depend_on_the_batch_or_the_order():
    model, found = classifier(), labelled()
    whole = predict(model, found.documents)
    turned = predict(model, found.documents[::-1], rows=3)[::-1]
    np.testing.assert_allclose(whole, turned, atol=1e-6)


def test_a_language_model_learns_a_new_text():
    """A text in which every word says what comes next: from V guesses to nearly one."""
    cycle = [[[f"w{i}" for i in range(20)]] for _ in range(200)]
    text = read_text(cycle, window=sys.maxsize)
    vocabulary = vocabulary_of(text, 100)
    model = AWDLSTM(AWDConfig(embedding=16, hidden=32, dropped=0.3), len(vocabulary))
    streams = Streams(text, vocabulary, rows=8)
    before = evaluate(Remembering(model), streams).item()
    fine_tune(model, streams, epochs=40, rate=0.01, factor=1.0)
    assert before > 2.5
    assert evaluate(Remembering(model), streams).item() < 0.5


@pytest.mark.no_gpu
def test_texts_are_cut_as_the_checkpoints_read_them():
    assert as_document("It's good. I'd go!", "en") == [
        ["it", "'s", "good", "."],
        ["i", "'d", "go", "!"],
    ]
    assert as_document("iPhone 很好。再买！", "zh") == [
        ["iphone", "很", "好", "。"],
        ["再", "买", "！"],
    ]


def test_one_labelled_document_is_too_few():
    """A batch norm has nothing to compare it with."""
    batches = Documents([np.array([1, 3, 2])], [0])
    with pytest.raises(ValueError, match="alone in a batch.*give two or more"):
        fine_tune(classifier(), batches, 1)
