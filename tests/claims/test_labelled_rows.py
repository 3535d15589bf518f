"""Labelled examples in batches: each once an epoch, with its own label."""

from __future__ import annotations

import pytest
import torch

from course_claims.labelled_rows import LabelledRows
from course_lib.text.pieces import EXTRACT, START


def test_an_epoch_has_every_example_once():
    examples = [[[START, 9 + i, EXTRACT]] for i in range(10)]
    batches = LabelledRows(examples, list(range(10)), rows=4)
    for epoch in (0, 1):
        steps = range(epoch * len(batches), (epoch + 1) * len(batches))
        seen = [batches.at(step) for step in steps]
        labels = torch.cat([labels for _, labels in seen])
        assert sorted(labels.tolist()) == list(range(10))
        for tokens, classes in seen:
            assert torch.equal(tokens[:, 0, 1], classes + 9)


def test_as_many_labels_as_examples():
    with pytest.raises(ValueError, match="1 examples and 2 labels"):
        LabelledRows([[[1]]], [0, 1])


def test_examples_have_equally_many_rows():
    with pytest.raises(ValueError, match="more rows than others"):
        LabelledRows([[[1], [2]], [[3]]], [0, 1])
