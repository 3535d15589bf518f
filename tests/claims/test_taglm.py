"""The TagLM experiments: words and characters fit, halves are right, rules are kept."""

from __future__ import annotations

import numpy as np
import pytest

from course_claims.experiments import taglm
from course_claims.experiments.taglm import EXPERIMENTS, PARTS, SHARES, WAYS
from course_claims.rules import row
from course_lib.data.catalogue import at_hand


@pytest.fixture(scope="module")
def town() -> taglm.TaggingTask:
    """Prepare a small part of Rivertown's chunks, which are always there."""
    return taglm.prepare("rivertown-en-chunks", small=True)


@pytest.fixture(scope="module")
def msra() -> taglm.TaggingTask:
    if not at_hand("msra"):
        pytest.skip("msra is not at hand: set COURSE_DATA")
    return taglm.prepare("msra", small=True)


# -- the task sets ---------------------------------------------------------------------


def test_a_task_is_cut_to_size(town):
    sizes = {split: len(examples) for split, examples in town.splits.items()}
    assert sizes == taglm.SMALL


def test_parts_that_are_cut_off_have_no_sentence_in_common(msra):
    seen = [{tuple(x.tokens) for x in of} for of in msra.splits.values()]
    assert not seen[0] & seen[1] and not seen[0] & seen[2] and not seen[1] & seen[2]


def test_each_character_is_tagged_and_knows_its_word(msra):
    for split, examples in msra.splits.items():
        every = zip(examples, msra.for_lm[split], msra.where[split], strict=True)
        for example, words, where in every:
            assert len(example.tokens) == len(example.tags) == len(where)
            for token, number in zip(example.tokens, where, strict=True):
                assert token[:-1] in words[number]
            assert "".join(token[:-1] for token in example.tokens) == "".join(words)


def test_marks_tell_where_words_begin_and_end():
    marked = taglm.mark(["我", "爱", "北京", "天安门", "人民大会堂"])
    assert " ".join(marked) == "我S 爱S 北B 京E 天B 安I 门E 人B 民I 大I 会I 堂E"


def test_a_sentence_that_segmentation_changes_stays_as_it_is():
    characters = ["我", "　", "们"]  # the wide space is lost
    assert taglm.segment(characters) == characters


def test_labels_are_drawn_once_and_fewer_are_among_more(town):
    few, many = (taglm.labelled_rows(town, share, seed=1) for share in (0.1, 0.5))
    assert len(few) == 10 and len(many) == 50 and set(few) < set(many)
    assert taglm.labelled_rows(town, 0.1, seed=1) == few
    assert taglm.labelled_rows(town, 0.1, seed=2) != few


# -- the states ------------------------------------------------------------------------


class Numbers:
    """Layers that say where they come from: 100 * layer + position, and the half."""

    def states(self, words: list[str]) -> np.ndarray:
        T = len(words)
        layers = 100 * np.arange(3)[:, None, None] + np.arange(T)[:, None]  # (3, T, 1)
        halves = np.repeat([0.25, 0.75], 2)  # forward twice, backward twice
        return (layers + halves).astype(np.float16)  # (3, T, 4)


@pytest.fixture
def known_layers(monkeypatch):
    def layers(encoder, sentences):
        return [encoder.states(s) for s in sentences]

    monkeypatch.setattr(taglm, "features", layers)


def test_forward_is_the_first_half_of_the_top_layer(town, known_layers):
    words = town.for_lm["dev"][0]
    found = {
        way: taglm.states(town, "dev", Numbers(), way)[0]
        for way in ("forward", "both", "layer 0")
    }
    t = np.arange(len(words))[:, None]
    assert np.array_equal(found["forward"], np.repeat(200 + t + 0.25, 2, axis=1))
    assert np.array_equal(found["both"][:, :2], found["forward"])
    assert np.array_equal(found["both"][:, 2:], np.repeat(200 + t + 0.75, 2, axis=1))
    assert found["layer 0"].max() < len(words)


def test_each_character_gets_the_states_of_its_word(msra, known_layers):
    found = taglm.states(msra, "dev", Numbers(), "both")
    for states, where in zip(found, msra.where["dev"], strict=True):
        assert np.array_equal(states[:, 0], 200 + where + 0.25)


def test_a_language_model_of_the_labelled_text_knows_its_words_only(town):
    sentences = town.for_lm["train"][:20]
    encoder = taglm.read_only(sentences, seed=0, steps=3)
    assert set(encoder.vocabulary.words[1:]) <= {w for s in sentences for w in s}
    (layers,) = encoder.encode([sentences[0]])
    assert layers.shape[1] == len(sentences[0]) and np.isfinite(layers).all()


# -- the experiments and the rules -----------------------------------------------------


@pytest.mark.parametrize("key", [key for key in EXPERIMENTS if "taglm" in key])
def test_every_experiment_runs_in_a_small_version(key, quick):
    found = quick(key)
    models = {r["model"] for r in found}
    assert models == (set(PARTS) if key == "taglm_parts" else {*WAYS, "window"})
    assert all(0 <= r["value"] <= 1 for r in found)
    assert len({(r["model"], r["condition"]) for r in found}) == len(found)


def told(**scores) -> list[dict]:
    """Return rows of three seeds, each way with its score and a little noise."""
    return [
        {"seed": seed, **row(name, "task: 10", "f1", score + 0.001 * noise)}
        for way, score in scores.items()
        for name in [way.replace("_", " ")]
        for seed, noise in enumerate((0, 1, -1) if way == "both" else (-1, 0, 1))
    ]


def test_both_ways_of_reading_a_context_name_senses_better_than_never(quick):
    rows = quick("context2vec_or_average")
    assert [r["model"] for r in rows] == ["context2vec", "average"]
    assert all(0 < r["value"] <= 1 for r in rows)


def test_one_percent_to_all_labels():
    assert SHARES[0] == 0.01 and SHARES[-1] == 1
