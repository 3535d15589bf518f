"""Frozen features: what the encoder gives, computed once, and never another's."""

from __future__ import annotations

import copy
import os

import numpy as np
import pytest
import torch

from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import features as module
from course_lib.training.features import features

pytestmark = pytest.mark.no_gpu

LINES = (
    "the otter slipped off the bank",
    "她 咬 了 一口 苹果",
    "",
    "play",
    "the bank raised its rates again and again",
)
SENTENCES = [line.split() for line in LINES]


class Counting(Encoder):
    """An encoder that counts the sentences that it has to read."""

    read = 0

    def stream(self, sentences, rows=32):
        for sentence in sentences:
            self.read += 1
            yield from super().stream([sentence], rows)


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    sizes = {"cells": 6, "projection": 4, "filters": [[1, 3], [2, 4]], "char_size": 3}
    vocabulary = Vocabulary.from_sentences(SENTENCES, size=99)
    model = BiLM(BiLMConfig(**sizes, cutoffs=[5]), len(vocabulary))
    return Counting(model, vocabulary)


def test_they_are_the_encoders_layers_to_half_precision_in_order(encoder, tmp_path):
    found = features(encoder, SENTENCES, tmp_path)
    for sentence, layers, one in zip(
        SENTENCES, encoder.encode(SENTENCES), found, strict=True
    ):
        assert one.dtype == np.float16
        assert one.shape == (3, len(sentence), 8) == layers.shape
        np.testing.assert_allclose(one, layers, rtol=1e-3, atol=1e-4)


def test_the_second_call_reads_what_the_first_one_wrote(encoder, tmp_path):
    first = features(encoder, SENTENCES, tmp_path)
    again = features(encoder, SENTENCES, tmp_path)
    assert encoder.read == len(SENTENCES)
    assert all(map(np.array_equal, first, again))
    assert len(list(tmp_path.iterdir())) == 1  # nothing half-done stays behind


def test_another_weight_another_size_or_another_word_is_not_mistaken(encoder, tmp_path):
    features(encoder, SENTENCES, tmp_path)
    trained = copy.deepcopy(encoder)
    with torch.no_grad():
        next(iter(trained.model.backward_stack.parameters()))[0, 0] += 1e-4
    clipped = copy.deepcopy(encoder)
    clipped.model.config.clip = 0.01
    moved = [["the otter", "slipped"], *SENTENCES[1:]]
    joined = [SENTENCES[0] + SENTENCES[1], *SENTENCES[2:]]
    for other, sentences in (
        (trained, SENTENCES),
        (clipped, SENTENCES),
        (encoder, moved),
        (encoder, joined),
        (encoder, SENTENCES[::-1]),
    ):
        before = other.read
        assert len(features(other, sentences, tmp_path)) == len(sentences)
        assert other.read == before + len(sentences)


def test_a_damaged_file_is_computed_again_with_a_plain_message(
    encoder, tmp_path, capsys
):
    right = [x.copy() for x in features(encoder, SENTENCES, tmp_path)]
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    for broken in (whole[:-20], whole[:10], b"", b"not numbers"):
        file.unlink()
        file.write_bytes(broken)
        again = features(encoder, SENTENCES, tmp_path)
        assert "is damaged: what it kept is computed again" in capsys.readouterr().out
        assert all(map(np.array_equal, right, again))
    assert file.read_bytes() == whole


def test_a_full_disk_is_an_error_before_the_work_or_in_it(encoder, tmp_path, full_disk):
    """Through a memory map it would be the end of the kernel."""
    with full_disk(200), pytest.raises(OSError, match=r"No space .* bytes .*COURSE_C"):
        features(encoder, SENTENCES, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no /dev/null")
def test_without_a_folder_that_takes_files_they_are_computed(encoder, tmp_path):
    found = features(encoder, SENTENCES, "/dev/null/features")
    for one, other in zip(found, features(encoder, SENTENCES, tmp_path), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_folder_that_is_only_read_is_used(encoder, tmp_path):
    features(encoder, SENTENCES, tmp_path)
    before = encoder.read
    tmp_path.chmod(0o555)
    try:
        assert len(features(encoder, SENTENCES, tmp_path)) == len(SENTENCES)
    finally:
        tmp_path.chmod(0o755)
    assert encoder.read == before


def test_a_failure_leaves_nothing_behind(encoder, tmp_path):
    with pytest.raises(TypeError, match="is a string"):
        features(encoder, [*SENTENCES, "a string"], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_was_not_used_for_longest_makes_room(encoder, tmp_path, monkeypatch):
    for n in range(1, 4):
        features(encoder, SENTENCES[:n], tmp_path)
    size = sum(file.stat().st_size for file in tmp_path.iterdir())
    features(encoder, SENTENCES[:1], tmp_path)  # used again
    monkeypatch.setattr(module, "KEEP", size)
    features(encoder, SENTENCES, tmp_path)
    before = encoder.read
    features(encoder, SENTENCES[:1], tmp_path)
    features(encoder, SENTENCES, tmp_path)
    assert encoder.read == before
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= size


def test_no_sentences_no_features(encoder, tmp_path):
    assert features(encoder, [], tmp_path) == []
    [empty] = features(encoder, [[]], tmp_path)
    assert empty.shape == (3, 0, 8) and empty.dtype == np.float16
