"""Plugging in: nothing leaks, and every unit gets the layers of its own word."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.models.elmo import ScalarMix
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import plug_in
from course_lib.training.plug_in import SMALL, WAYS, PlugIn

# Plugged models are small: they learn where they are made.
pytestmark = pytest.mark.no_gpu

NAMES = ("rivertown-en-chunks", "rivertown-zh-sentiment", "rivertown-en-questions")


@pytest.fixture(scope="module")
def encoder():
    torch.manual_seed(0)
    sizes = {"cells": 6, "projection": 4, "filters": [[1, 3], [2, 4]], "char_size": 3}
    return Encoder(
        BiLM(BiLMConfig(**sizes, cutoffs=[]), 5), Vocabulary(["<unk>", *"abcd"])
    )


@pytest.fixture(scope="module")
def made(encoder, tmp_path_factory):
    """Prepare a small part of each kind of task, with an encoder that knows nothing."""
    folder = tmp_path_factory.mktemp("features")
    return {
        name: plug_in.ready(plug_in.prepare(name, SMALL), encoder, {}, folder)
        for name in NAMES
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_task_is_cut_to_size_and_no_example_stands_in_two_splits(name):
    task = plug_in.prepare(name, SMALL)
    seen = []
    for split in ("train", "dev", "test"):
        assert len(task.readings[split]) == len(task.labels[split])
        assert len(task.labels[split]) == getattr(SMALL, split)
        seen.append({str(e) for e in task.readings[split]})
    assert not seen[0] & seen[1] and not seen[0] & seen[2] and not seen[1] & seen[2]
    assert all(
        len(r.units) == len(r.at) and max(r.at) == len(r.words) - 1
        for texts in task.readings["train"]
        for r in texts
    )


def test_a_chinese_character_gets_the_layers_of_the_word_that_it_is_in():
    reading = plug_in.as_characters("我爱北京天安门")
    assert "".join(reading.words) == "我爱北京天安门"
    assert len(reading.words) < len(reading.units) == 7
    for unit, i in zip(reading.units, reading.at, strict=True):
        assert unit in reading.words[i]


def test_marks_tell_spelling_shape_and_where_a_word_begins():
    reading = plug_in.as_words(["Bank", "banks", "1999", "U.S.", "B"])
    found = dict(zip(reading.units, plug_in.marks(reading), strict=True))
    assert found["Bank"] == ["Bank", "-k", "-nk", "-ank", "Xx True"]
    assert found["banks"][-1] == "x True"
    assert found["1999"][-1] == "9 True" and found["U.S."][-1] == "X.X. True"
    pair = plug_in.AlignedText(["北京"], ["北", "京"], [0, 0])
    assert [m[-1].split()[1] for m in plug_in.marks(pair)] == ["True", "False"]


@pytest.mark.parametrize("name", NAMES)
def test_the_layers_of_an_example_are_those_of_its_own_text(name, made, encoder):
    task = made[name].task
    for i in (0, 7):
        texts = made[name].texts["test"][i]
        for reading, numbers in zip(task.readings["test"][i], texts, strict=True):
            [layers] = encoder.encode([reading.words])
            right = layers[:, reading.at]
            np.testing.assert_allclose(numbers.layers, right, rtol=2e-3, atol=1e-4)
            assert len(numbers.words) == len(numbers.marks) == len(reading.units)


def test_one_layer_or_their_mean_is_what_a_mix_of_one_gets():
    layers = np.arange(24.0).reshape(3, 2, 4)
    assert np.array_equal(plug_in.chosen(layers, "token")[0], layers[0])
    assert np.array_equal(plug_in.chosen(layers, "top")[0], layers[2])
    assert np.array_equal(plug_in.chosen(layers, "all"), layers)
    mean = torch.tensor(plug_in.chosen(layers, "mean"))[:, None]
    mixed = ScalarMix(3)(torch.tensor(layers).float()[:, None])  # untrained: all alike
    torch.testing.assert_close(ScalarMix(1)(mean), mixed)


@pytest.mark.parametrize("name", NAMES)
def test_batches_hold_every_example_once_and_pad_with_what_does_not_count(name, made):
    texts = made[name].texts["train"]
    batches = plug_in.like_lengths(texts, np.random.default_rng(0))
    assert sorted(i for batch in batches for i in batch) == [*range(len(texts))]
    columns = zip(*texts[:5], strict=True)
    for side, column in zip(plug_in.sides(texts[:5], "all"), columns, strict=True):
        for part in (side.words, side.marks.sum(2), side.layers.abs().sum((0, 3))):
            assert not part[~side.mask].any()
        assert side.mask.sum(1).tolist() == [len(text.words) for text in column]


@pytest.mark.parametrize("name", NAMES)
def test_a_run_repeats_itself_and_gives_a_score(name, made):
    way = WAYS["learned mix"]
    first, again = (plug_in.learn(made[name], way, 3, SMALL) for _ in range(2))
    assert first[1] == again[1] and 0 <= first[1] <= 1
    state, same = (model.state_dict() for model, _ in (first, again))
    assert all(torch.equal(state[key], same[key]) for key in state)


def test_a_tag_is_scored_for_its_own_sentence_whatever_the_order(made):
    """A model that names the tags by the words' rows is right everywhere."""
    chunks = made["rivertown-en-chunks"]
    task, texts = chunks.task, chunks.texts["test"]
    of_row = {}
    for [text], tags in zip(texts, task.labels["test"], strict=True):
        of_row |= {tuple(text.words.tolist()): tags}

    class Oracle:
        def __call__(self, sides):
            scores = torch.zeros(*sides[0].words.shape, len(task.classes))
            for b, (row, m) in enumerate(zip(*sides[0][::3], strict=True)):
                for i, tag in enumerate(of_row[tuple(row[m].tolist())]):
                    scores[b, i, task.classes.index(tag)] = 1
            return scores

    assert plug_in.score(Oracle(), chunks, "test", "all") == 1


def test_ways_differ_in_elmo_only():
    assert all(isinstance(way, PlugIn) for way in WAYS.values())
    assert WAYS["baseline"].place == "none"
    assert {way.place for name, way in WAYS.items() if name != "baseline"} == {"input"}


def test_without_labels_there_is_nothing_to_learn(made):
    with pytest.raises(ValueError, match="no label to learn from"):
        plug_in.learn(made[NAMES[0]], WAYS["baseline"], 0, SMALL._replace(labelled=0))
