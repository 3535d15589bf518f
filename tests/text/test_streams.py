"""Parallel streams: every token once, each the target of the one before."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch

from course_lib.text.batches import read_text
from course_lib.text.documents import PAD, Documents, number, pad
from course_lib.text.streams import (
    BPTT,
    Streams,
    vocabulary_of,
    window_lengths,
)


def text(n: int = 300):
    """Make n documents of two sentences; every word says where it stands."""
    rng = np.random.default_rng(0)
    made = (
        [[f"d{d}s{s}w{w}" for w in range(rng.integers(1, 9))] for s in range(2)]
        for d in range(n)
    )
    return read_text(made, window=sys.maxsize)


def streams(**options) -> tuple[Streams, list[str]]:
    whole = text()
    vocabulary = vocabulary_of(whole, 10_000)
    return Streams(whole, vocabulary, rows=4, **options), vocabulary.words


def laid_out(found: Streams, epoch: int = 0) -> torch.Tensor:
    """Put an epoch's windows together again. Shape: (B, steps)."""
    steps = range(epoch * len(found), (epoch + 1) * len(found))
    return torch.cat([found.at(step)[0] for step in steps], dim=1)


def test_every_token_is_read_once_and_documents_stay_whole():
    found, words = streams()
    read = [words[i] for i in laid_out(found).flatten()]
    assert len(read) == len(found.text.ids) - 1 - (len(found.text.ids) - 1) % 4
    real = [w for w in read if w not in ("<S>", "</S>")]
    assert len(set(real)) == len(real)
    begins = [i for i, w in enumerate(read) if w == "<S>"]
    for here, there in zip(begins, begins[1:], strict=False):
        document = read[here + 1 : there]
        assert len({w.partition("s")[0] for w in document if w != "</S>"}) == 1
        assert document.count("</S>") == 2 and document[-1] == "</S>"
        assert document[0].endswith("s0w0")


def test_a_target_is_the_next_token_also_across_windows():
    found, _ = streams()
    tokens = laid_out(found)
    targets = torch.cat([y for _, y in found], dim=1)
    assert torch.equal(tokens[:, 1:], targets[:, :-1])
    assert torch.equal(tokens[1:, 0], targets[:-1, -1])  # and from stream to stream


def test_backward_streams_read_each_text_from_its_end():
    forward, words = streams(seed=1)
    backward, _ = streams(seed=1, backward=True)
    ids = [[words[i] for i in laid_out(s).flatten()] for s in (forward, backward)]
    # The same documents in the opposite order, every one turned around; the streams
    # are cut to the same length, so up to three tokens are lost at either end.
    turned = ids[1][::-1]
    first = turned.index(ids[0][3])
    assert turned[first : first + 500] == ids[0][3:503]


def test_another_epoch_has_another_order_and_the_same_windows():
    found, _ = streams()
    assert not torch.equal(laid_out(found, 0), laid_out(found, 1))
    lengths = [
        sorted(
            found.at(step)[0].shape[1]
            for step in range(e * len(found), (e + 1) * len(found))
        )
        for e in (0, 1)
    ]
    assert lengths[0] == lengths[1]
    again, _ = streams()
    assert torch.equal(laid_out(found, 1), laid_out(again, 1))  # nothing but the seed


def test_windows_are_about_70_long_and_one_in_twenty_about_half():
    lengths = np.array(window_lengths(700_000, np.random.default_rng(0)))
    assert lengths.sum() == 700_000
    short = lengths[:-1] < 52
    assert 0.03 < short.mean() < 0.07
    assert abs(lengths[:-1][~short].mean() - BPTT) < 1
    assert abs(lengths[:-1][short].mean() - BPTT / 2) < 1
    assert 4 < lengths[:-1][~short].std() < 6


def test_the_pace_is_the_windows_length():
    found, _ = streams()
    for step in range(2 * len(found)):
        assert found.pace(step) == found.at(step)[0].shape[1] / BPTT


def test_several_processes_share_the_streams():
    found, _ = streams()
    parts = [found.at(1, part, 2)[0] for part in range(2)]
    assert torch.equal(torch.stack(parts, dim=1).flatten(0, 1), found.at(1)[0])


def test_a_text_too_short_for_its_streams_is_an_error_that_says_so():
    short = read_text([[["one", "two"]]], window=sys.maxsize)
    with pytest.raises(ValueError, match="take fewer rows"):
        Streams(short, vocabulary_of(short, 10), rows=64)


# -- labelled documents ----------------------------------------------------------------


def test_a_classifier_reads_what_the_streams_have():
    whole = read_text([[["a", "b"], ["c"]]], window=sys.maxsize)
    vocabulary = vocabulary_of(whole, 10)
    ids = number([["a", "b"], ["c"]], vocabulary)
    assert vocabulary.decode(ids) == ["<S>", "a", "b", "</S>", "c", "</S>"]
    assert number([["a", "b"], ["c"]], vocabulary, backward=True).tolist() == [
        *ids[::-1]
    ]
    stream = Streams(whole, vocabulary, rows=1)
    assert stream.at(0)[0][0].tolist() == ids[:-1].tolist()


def test_documents_come_once_an_epoch_with_their_own_labels():
    made = [np.full(n % 7 + 1, n) for n in range(50)]
    found = Documents(made, range(50), rows=8)
    for epoch in range(2):
        seen = []
        for step in range(epoch * len(found), (epoch + 1) * len(found)):
            tokens, labels = found.at(step)
            assert 2 <= len(labels) <= 8
            for row, label in zip(tokens, labels, strict=True):
                assert torch.equal(row[row != PAD].unique(), label[None])
                assert (row != PAD).sum() == int(label) % 7 + 1
            seen += labels.tolist()
        assert sorted(seen) == list(range(50))


def test_padding_stands_behind():
    assert pad([np.array([3]), np.array([1, 2])]).tolist() == [[3, PAD], [1, 2]]


def test_documents_need_as_many_labels():
    with pytest.raises(ValueError, match="one label"):
        Documents([np.array([1])], [])


def test_no_stream_at_all_is_refused():
    text = read_text([[["a", "b", "c"]]], window=10**9)
    with pytest.raises(ValueError, match="at least one"):
        Streams(text, vocabulary_of(text, 9), rows=0)
