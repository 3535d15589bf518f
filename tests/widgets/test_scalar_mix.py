"""ScalarMixView: every mix on the triangle is scored as a task would score it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from course_lib.analysis.senses import sense_accuracy
from course_lib.widgets import scalar_mix


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the map reads."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


@pytest.fixture
def given(make_uses) -> tuple[np.ndarray, list[Use]]:
    """Return layers (3, 42, 32) and sentences of two words."""
    rows, layers = [], []
    for seed, (word, count) in enumerate({"bank": 18, "苹果": 24}.items()):
        vectors, senses, sentences, _ = make_uses(count=count, seed=seed)
        layers.append(vectors)
        rows += [
            Use(word, sense, [*tokens[:3], word, *tokens[4:]], 3)
            for sense, tokens in zip(senses, sentences, strict=True)
        ]
    return np.concatenate(layers, axis=1), rows


def test_every_mix_has_the_score_of_its_weighted_sum(given):
    layers, rows = given
    data = scalar_mix(layers, rows).data
    for number in (0, 7, 30, 41, 54):
        weights = np.array(data["grid"][number]) / data["steps"]
        mixed = sum(w * layer for w, layer in zip(weights, layers, strict=True))
        by_word = []
        for shown in data["words"]:
            own = [i for i, row in enumerate(rows) if row.word == shown["word"]]
            accuracy = sense_accuracy(mixed[own], [rows[i].sense for i in own])
            assert shown["scores"][number] == pytest.approx(
                accuracy["nearest_centroid"], abs=1e-4
            )
            by_word.append(accuracy["nearest_centroid"])
        assert data["scores"][number] == pytest.approx(np.mean(by_word), abs=1e-4)


def test_the_grid_is_every_ninth_of_the_triangle_once(given):
    data = scalar_mix(*given).data
    grid = np.array(data["grid"])
    assert grid.shape == (55, 3) and len(np.unique(grid, axis=0)) == 55
    assert (grid.sum(axis=1) == 9).all() and grid.min() == 0
    assert [data["grid"][i] for i in data["corners"]] == [
        [9, 0, 0],
        [0, 9, 0],
        [0, 0, 9],
    ]
    assert data["grid"][data["middle"]] == [3, 3, 3], "“all equal” is measured as it is"
    assert data["scores"][data["best"]] == max(data["scores"])


def test_gamma_changes_no_score(given):
    layers, rows = given
    one, half = scalar_mix(layers, rows).data, scalar_mix(layers / 2, rows).data
    assert one["scores"] == half["scores"]


def test_the_score_is_of_all_words_also_of_those_not_offered(given):
    layers, rows = given
    all_words, one = (
        scalar_mix(layers, rows).data,
        scalar_mix(layers, rows, words=["苹果"]),
    )
    assert [word["word"] for word in one.data["words"]] == ["苹果"]
    assert one.data["scores"] == all_words["scores"] and one.data["count"] == 2


def test_points_mix_as_vectors_do(given):
    """In two dimensions nothing is lost, so that distances say it."""
    layers, rows = given
    flat = layers[:, :18, :2]
    frames = np.array(scalar_mix(flat, rows[:18]).data["words"][0]["frames"])
    centred = flat - flat.mean(axis=1, keepdims=True)
    reach = np.linalg.norm(centred[2]) / np.linalg.norm(frames[2])

    def distances(points):
        return np.linalg.norm(points[:, None] - points, axis=2)

    for weights in ([0.2, 0.5, 0.3], [0, 0, 1], [1, 0, 0]):
        mixed = np.tensordot(weights, flat, axes=1)
        placed = np.tensordot(weights, frames, axes=1)
        assert reach * distances(placed) == pytest.approx(distances(mixed), abs=0.02)


def test_the_texts_name_what_was_measured(given):
    for language in ("en", "zh"):
        data = scalar_mix(*given, language, learned=[0.2, 0.3, 0.5]).data
        percents = [
            f"{np.floor(100 * data['scores'][i] + 0.5):g}%" for i in data["corners"]
        ]
        assert all(percent in data["alt"] for percent in percents)
        assert percents[2] in data["tours"][0]["say"]
        said = [data["alt"], *(tour["say"] for tour in data["tours"])]
        assert not any("{" in text for text in said)


def test_what_does_not_fit_is_refused(given):
    layers, rows = given
    nan = layers.copy()
    nan[1, 2, 3] = np.nan
    cases = [
        ((layers[:2], rows), {}, r"needs \(3, 42, dimensions\)"),
        ((layers, rows[1:]), {}, "for 41 sentences"),
        ((nan, rows), {}, "not finite"),
        ((layers, rows, "fr"), {}, "'en' and 'zh'"),
        ((layers, rows), {"words": ["bass"]}, "one of 'bass'"),
        ((layers, rows), {"learned": [0.5, 0.5]}, "3 weights after the softmax"),
        ((layers, rows), {"learned": [2, -1, 0]}, "3 weights after the softmax"),
        ((layers[:, :1], rows[:1]), {}, "'bank' has 1 senses"),
    ]
    for arguments, options, message in cases:
        with pytest.raises(ValueError, match=message):
            scalar_mix(*arguments, **options)
