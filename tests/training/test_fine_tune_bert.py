"""What is labelled inside a row: where the targets stand, and what the layers are."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_claims.experiments.bert import word_layers
from course_lib.models.bert import (
    BERT,
    BERTConfig,
    Classifier,
    SpanFinder,
    TokenClassifier,
    join,
)
from course_lib.text.batches import IGNORE
from course_lib.text.examples import Tagged
from course_lib.text.pairs import lay_out
from course_lib.text.pieces import CLS, MARKS, PAD, SEP, Pieces
from course_lib.training.fine_tune_bert import (
    Sequences,
    layers,
    predicted,
    tagged_row,
)
from course_lib.training.loop import train

PIECES = Pieces([*MARKS, "the", "cat", "s", "##at", "##s", "on"])
EXAMPLE = Tagged(["The", "cats", "sat"], ["B-NP", "I-NP", "B-VP"])
TAGS = ["B-NP", "B-VP", "I-NP"]


def small(causal: bool = False) -> BERT:
    torch.manual_seed(0)
    return BERT(BERTConfig(2, 16, 2, context=12, causal=causal), len(PIECES)).eval()


@pytest.mark.no_gpu
def test_a_tag_stands_at_the_first_piece_of_its_word():
    row, targets = tagged_row(PIECES, EXAMPLE, TAGS, context=12)
    assert [PIECES.words[i] for i in row[1:-1]] == ["the", "cat", "##s", "s", "##at"]
    assert (row[0], row[-1]) == (CLS, SEP)
    assert targets == [IGNORE, 0, 2, IGNORE, 1, IGNORE, IGNORE]


@pytest.mark.no_gpu
def test_a_word_is_left_out_whole_if_it_does_not_fit():
    row, targets = tagged_row(PIECES, EXAMPLE, TAGS, context=6)
    assert len(row) == len(targets) == 5  # the second piece of "sat" has no room
    assert sum(y != IGNORE for y in targets) == 2


@pytest.mark.no_gpu
def test_an_epoch_has_every_row_once_with_its_targets():
    rows = [join([9, 10 + i % 3]) + [SEP] * i for i in range(7)]
    targets = [[IGNORE, i, *[IGNORE] * (len(r) - 2)] for i, r in enumerate(rows)]
    batches = Sequences(rows, targets, size=3, seed=1)
    for epoch in (0, 1):
        seen = {}
        for step in range(3):
            tokens, wanted = batches.at(epoch * 3 + step)
            assert tokens.shape == wanted.shape
            for x, y in zip(tokens.tolist(), wanted.tolist(), strict=True):
                seen[y[1]] = [i for i in x if i != PAD]
        assert seen == dict(enumerate(rows))
    again = Sequences(rows, targets, size=3, seed=1)
    assert torch.equal(batches.at(1)[0], again.at(1)[0])
    with pytest.raises(ValueError, match="7 rows and 6 targets"):
        Sequences(rows, targets[:-1])


@pytest.mark.no_gpu
@pytest.mark.parametrize("causal", [False, True])
def test_the_last_layer_is_the_models_own_and_the_first_knows_no_context(causal):
    model = small(causal)
    tokens = lay_out([join([9, 10, 11]), join([9])], PAD)
    found = layers(model, tokens)
    assert found.shape == (3, 2, 5, 16)
    with torch.no_grad():
        torch.testing.assert_close(found[-1], model(tokens))
        torch.testing.assert_close(found[0], model.embed(tokens))


@pytest.mark.no_gpu
def test_a_words_layers_are_those_of_its_first_piece():
    model = small()
    pairs = [tagged_row(PIECES, EXAMPLE, TAGS, 12)]
    pairs.append((join([9]), [IGNORE, 1, IGNORE]))
    rows, targets = zip(*pairs, strict=True)
    found = word_layers(model, rows, targets)
    assert found.shape == (3, 4, 16)  # three words and one
    alone = layers(model, torch.tensor([rows[0]]))[:, 0, [1, 2, 4]].numpy()
    np.testing.assert_allclose(found[:, :3], alone, atol=1e-5)


@pytest.mark.no_gpu
def test_what_is_predicted_does_not_depend_on_the_batch():
    rows = [join([9, 10]), join([11]), join([9, 12, 13, 10])]
    tags, classes = TokenClassifier(small(), 3), Classifier(small(), 3)
    for model in (tags, classes):
        one, together = predicted(model, rows, batch=1), predicted(model, rows)
        assert all(np.array_equal(a, b) for a, b in zip(one, together, strict=True))
    assert [len(x) for x in predicted(tags, rows)] == [4, 3, 6]


def test_tags_and_spans_are_learned_by_the_courses_own_loop():
    """Is it a cat? And: the answer is the cat."""
    rng = np.random.default_rng(0)
    texts = [rng.integers(9, 15, size=5).tolist() for _ in range(40)]
    for text in texts:
        text[rng.integers(5)] = 10
    rows = [join(text) for text in texts]
    targets = [[IGNORE, *(int(i == 10) for i in text), IGNORE] for text in texts]
    model = TokenClassifier(small(), 2)
    train(model, Sequences(rows, targets), epochs=20, learning_rate=3e-3)
    said = predicted(model, rows)
    hits = [s[1:-1] == y[1:-1] for s, y in zip(said, targets, strict=True)]
    assert np.mean(hits) > 0.95

    pairs = [join([9], text) for text in texts]
    ends = [[3 + text.index(10)] * 2 for text in texts]
    finder = SpanFinder(small())
    run = train(finder, Sequences(pairs, ends), epochs=20, learning_rate=3e-3)
    assert run.losses[-1][1] < run.losses[0][1] / 2


def test_tags_that_do_not_fit_their_tokens_are_refused():
    with pytest.raises(ValueError, match="2 tokens and 1 tags"):
        tagged_row(PIECES, Tagged(["the", "cat"], ["B-NP"]), TAGS, 16)
