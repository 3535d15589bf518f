"""The experiments on GPT: what is compared with what, and how a verdict follows."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from course_claims.experiments import gpt
from course_lib.models.gpt import GPTConfig
from course_lib.text.batches import IGNORE
from course_lib.text.pieces import DELIM, EXTRACT, START


@pytest.fixture(scope="module")
def town():
    """Return some of whatever corpus is at hand."""
    return gpt.corpus(4000, 300)


def test_both_read_the_same_pieces(town):
    """An LSTM's streams and a Transformer's windows, each piece and each mark."""
    whole = np.sort(town.training.marked()[0])
    streams = gpt.streams(town.training, town.pieces, rows=1)
    seen = torch.cat([tokens.ravel() for tokens, _ in streams])
    last = streams.epoch(0)[0][0, -1:]
    assert np.array_equal(np.sort([*seen, *last]), whole)
    _, windows = gpt.readers("GPT", town, 0)
    targets = torch.cat([targets.ravel() for _, targets in windows])
    assert (targets != IGNORE).sum() == len(whole) - 1


def test_both_have_equally_many_parameters(town):
    sizes = [
        sum(p.numel() for p in gpt.readers(kind, town, 0)[0].parameters())
        for kind in ("GPT", "LSTM")
    ]
    assert abs(sizes[0] - sizes[1]) < 0.02 * sizes[0]


def test_characters_are_those_of_the_held_out_words(town):
    """With a space after each word, and a mark after each sentence."""
    words = [w for w in town.pieces.decode(town.held_out.ids) if w]
    assert len(words) == town.held_out.n_words
    sentences = len(town.held_out.sentences) - 1
    typed = sum(map(len, words)) + len(words) + sentences
    # A word with a strange character came back as [UNK], of another length.
    assert town.characters == pytest.approx(typed, abs=20 * words.count("[UNK]"))


def test_bits_are_the_losses_shared_out_over_characters(town, monkeypatch):
    """A model that knows nothing spends log2 V bits a piece."""
    monkeypatch.setattr(gpt, "train", lambda *_, **__: None)
    pieces = len(town.held_out.marked()[0]) - 1
    even = math.log2(len(town.pieces)) * pieces / town.characters
    for kind in ("GPT", "LSTM"):
        assert gpt.bits(kind, town, 0, 1.0) == pytest.approx(even, rel=0.1)


def test_an_equal_time_is_longer_for_the_faster_one(town, monkeypatch):
    runs = []
    monkeypatch.setattr(gpt, "corpus", lambda *_: town)
    needs = {"GPT": 1.0, "LSTM": 2.0}
    monkeypatch.setattr(gpt, "seconds_a_piece", lambda kind, _: needs[kind])
    monkeypatch.setattr(
        gpt,
        "bits",
        lambda kind, _, seed, epochs: runs.append((kind, epochs)) or 1.0,
    )
    rows = gpt.gpt_lstm(1)
    assert sorted(runs) == [("GPT", 1.0), ("GPT", 2.0), ("LSTM", 1.0)]
    assert {row["condition"] for row in rows} >= {"equal text", "equal time"}


# -- tasks -----------------------------------------------------------------------------


def test_texts_and_pairs_are_written_as_in_the_paper_and_fit(town):
    for name, marks in (
        ("rivertown-en-sentiment", [START, EXTRACT]),
        ("rivertown-en-questions", [START, DELIM, EXTRACT]),
    ):
        task = gpt.prepare(name, town.pieces, context=24, most=50)
        assert len(task.rows["test"]) == len(task.labels["test"]) == 50
        for (row,) in task.rows["train"][:50]:
            assert len(row) <= 24
            assert [i for i in row if i in (START, DELIM, EXTRACT)] == marks
            assert row[-1] == EXTRACT


def test_no_training_example_is_a_test_example(town):
    task = gpt.prepare("rivertown-en-sentiment", town.pieces)
    read = {str(row) for row in task.rows["train"]}
    assert not read & {str(row) for row in task.rows["test"]}


def test_labels_are_drawn_by_the_seed_and_hold_every_class():
    labels = np.array([0] * 90 + [1] * 5 + [2] * 5)
    for seed in range(20):
        chosen = gpt.drawn(labels, 6, seed)
        assert len(set(chosen)) == 6
        assert set(labels[chosen]) == {0, 1, 2}
        assert np.array_equal(chosen, gpt.drawn(labels, 6, seed))
    assert len(gpt.drawn(labels, 1000, 0)) == 100


def test_fine_tuning_leaves_the_general_model_alone(town):
    torch.manual_seed(0)
    model = gpt.GPT(GPTConfig(1, 16, 2), len(town.pieces))
    before = {name: p.clone() for name, p in model.named_parameters()}
    task = gpt.prepare("rivertown-en-sentiment", town.pieces, most=20)
    way = gpt.FineTuning(steps=2, epochs=1)
    one, again, other = (gpt.learn(model, task, 12, seed, way) for seed in (1, 1, 2))
    for name, p in model.named_parameters():
        assert torch.equal(p, before[name])
    assert torch.equal(one.head.weight, again.head.weight)
    assert not torch.equal(one.head.weight, other.head.weight)
    assert 0 <= gpt.score(task, one) <= 1


# -- verdicts --------------------------------------------------------------------------


def rows_of(values: dict[tuple, float]) -> list[dict]:
    """Return rows of five seeds around the given values; a gap of 0.1 is sure."""
    return [
        {"seed": seed, **gpt.row(*about, value + 0.001 * (seed % 3) * (i % 2))}
        for i, (about, value) in enumerate(values.items())
        for seed in range(1, 6)
    ]


def test_the_quick_way_runs_on_what_ships(quick):
    rows = quick("gpt_ablation")
    models = {row["model"] for row in rows}
    assert models == {"majority", "TF-IDF", *gpt.WAYS}
    assert all(0 <= row["value"] <= 1 for row in rows)
