"""SenseMap: what it shows is what was measured, and all of it travels along."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import binomtest

from course_lib.widgets import SenseMap, sense_map, sense_maps
from course_lib.widgets.sense_map import percent, split, wilson


def slow_accuracy(vectors, senses) -> float:
    """Let each sentence ask its nearest other; ties share the answer equally."""
    right = 0.0
    for i, own in enumerate(vectors):
        cosines = {
            j: own @ v / np.linalg.norm(own) / np.linalg.norm(v)
            for j, v in enumerate(vectors)
            if j != i
        }
        best = max(cosines.values())
        tied = [j for j, cosine in cosines.items() if best - cosine < 1e-6]
        right += sum(senses[j] == senses[i] for j in tied) / len(tied)
    return right / len(vectors)


def html_of(widget: SenseMap) -> str:
    """Return what a page without a kernel gets."""
    bundle, _ = widget._repr_mimebundle_()
    return bundle["text/html"]


def test_accuracy_is_that_of_a_slow_reference_at_every_layer(uses):
    layers, senses, *_ = uses
    word = sense_map(*uses, "bank").data["words"][0]
    for vectors, shown in zip(layers, word["scores"], strict=True):
        assert shown["nearest"] == pytest.approx(
            slow_accuracy(vectors, senses), abs=1e-4
        )


def test_without_context_the_score_is_what_ties_give(uses):
    """24 equal vectors, 8 of each sense: 7 of the 23 others have one's own sense."""
    word = sense_map(*uses, "bank").data["words"][0]
    assert word["scores"][0]["nearest"] == pytest.approx(7 / 23, abs=1e-4)


def test_the_score_does_not_depend_on_the_picture(make_uses):
    """Dimensions that the map cannot show still count."""
    layers, senses, sentences, targets = make_uses(count=30)
    loud = np.zeros((3, 30, 2))
    loud[1:, :, 0] = np.random.default_rng(0).normal(size=30) * 20
    wide = np.concatenate([layers, loud], axis=2)  # (3, N, D + 2)
    word = sense_map(wide, senses, sentences, targets, "bank").data["words"][0]
    top = slow_accuracy(wide[-1], senses)
    assert word["scores"][-1]["nearest"] == pytest.approx(top, abs=1e-4)


def test_majority_is_the_share_of_the_commonest_sense(uses):
    layers, _, sentences, targets = uses
    senses = ["money"] * 18 + ["river"] * 6
    word = sense_map(layers, senses, sentences, targets, "bank").data["words"][0]
    assert word["majority"] == 0.75


@pytest.mark.parametrize(("right", "count"), [(0, 20), (7, 20), (66, 72), (72, 72)])
def test_the_interval_is_wilsons(right, count):
    result = binomtest(right, count).proportion_ci(method="wilson")
    expected = (result.low, result.high)
    assert wilson(right / count, count) == pytest.approx(expected, abs=1e-4)


def test_frames_and_neighbours_cover_every_sentence_and_layer(uses):
    word = sense_map(*uses, "bank").data["words"][0]
    assert np.shape(word["frames"]) == (3, 24, 2)
    assert np.shape(word["neighbours"][2]) == (24, 3, 2)
    assert word["ties"][0] == [23] * 24
    assert word["piles"] == [[list(range(24))], [], []]


def test_what_to_try_follows_what_was_measured(uses):
    word = sense_map(*uses, "bank").data["words"][0]
    scores = [values["nearest"] for values in word["scores"]]
    best = 1 + int(np.argmax(scores[1:]))
    before, add, hard = word["tours"][best - 1]
    assert [before["layer"], add["layer"], hard["layer"]] == [0, best, best]
    assert percent(scores[0]) in before["say"] and "sentences: 1." in before["say"]
    assert percent(scores[best]) in add["say"]
    chosen = hard["selected"]
    neighbour = word["neighbours"][best][chosen][0][0]
    wrong = word["sense"][neighbour] != word["sense"][chosen]
    assert ("wrong" in hard["label"]) == wrong


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the map reads."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


def test_several_words_come_in_the_order_given_each_with_its_own_vectors(make_uses):
    one, two = make_uses(), make_uses(seed=1)
    rows = [Use("play", *row) for row in zip(*one[1:], strict=True)]
    rows += [Use("苹果", *row) for row in zip(*two[1:], strict=True)]
    mixed = np.random.default_rng(0).permutation(48)
    mixed = np.concatenate([[0], mixed[mixed != 0]])  # "play" first
    layers = np.concatenate([one[0], two[0]], axis=1)[:, mixed]
    widget = sense_maps(layers, [rows[i] for i in mixed], "zh")
    first, second = widget.data["words"]
    assert (first["word"], first["language"]) == ("play", "en")
    assert (second["word"], second["language"]) == ("苹果", "zh")
    alone = sense_map(*two, "苹果", "zh").data["words"][0]
    assert second["scores"] == alone["scores"]
    with pytest.raises(ValueError, match="for 47 sentences; .*target_vectors"):
        sense_maps(layers, rows[1:])


def test_two_languages_stand_side_by_side_each_measured_as_alone(make_uses):
    made = {"en": make_uses(), "zh": make_uses(seed=1)}
    names = {"en": "play", "zh": "苹果"}
    rows = {
        name: [Use(names[name], *row) for row in zip(*parts[1:], strict=True)]
        for name, parts in made.items()
    }
    layers = {name: parts[0] for name, parts in made.items()}
    widget = sense_maps(layers, rows, "zh")
    assert [word["word"] for word in widget.data["words"]] == ["苹果", "play"]
    assert widget.shown == [0, 1]
    for word in widget.data["words"]:
        alone = sense_map(*made[word["language"]], word["word"], "zh").data["words"][0]
        assert word == alone
    assert all(word["alt"] in html_of(widget) for word in widget.data["words"])
    with pytest.raises(ValueError, match="same languages"):
        sense_maps({"en": layers["en"]}, rows)
    with pytest.raises(ValueError, match=r"models of \[2, 3\] layers"):
        sense_maps({"en": layers["en"][:2], "zh": layers["zh"]}, rows)


def test_words_to_choose_from_come_in_the_order_named(make_uses):
    layers, *parts = make_uses()
    words = ["bank", "play", "right"]
    rows = [Use(words[i // 8], *row) for i, row in enumerate(zip(*parts, strict=True))]
    widget = sense_maps(layers, rows, words=["right", "bank"])
    assert [word["word"] for word in widget.data["words"]] == ["right", "bank"]
    assert widget.shown == [0]
    with pytest.raises(ValueError, match="one of 'bass'"):
        sense_maps(layers, rows, words=["bank", "bass"])


def test_it_starts_at_the_top_layer_where_the_story_is(uses):
    widget = sense_map(*uses, "bank")
    assert widget.layer == 2 and widget.shown == [0]
    assert widget.selected == [widget.data["words"][0]["example"]]


@pytest.mark.parametrize(
    ("tokens", "index", "parts"),
    [
        (["the", "bank", "."], 1, ["the ", "bank", "."]),
        (["Banks", "do", "n't", "lend"], 0, ["", "Banks", " don't lend"]),
        (["我们", "吃", "苹果", "。"], 2, ["我们吃", "苹果", "。"]),
        (["It", "'s", "a", "play"], 3, ["It's a ", "play", ""]),
    ],
)
def test_sentences_read_as_they_are_written(tokens, index, parts):
    assert split(tokens, index) == parts


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_of_the_picture_say_the_scores(uses, language):
    widget = sense_map(*uses, "bank", language)
    alt = re.search(r'<img alt="([^"]+)"', html_of(widget))[1]
    for values in widget.data["words"][0]["scores"]:
        assert percent(values["nearest"]) in alt
    assert "bank" in alt


def test_three_words_of_eighty_long_sentences_stay_below_300_kb(make_uses):
    layers, senses, *_ = make_uses(count=240, dimension=64)
    words = ["unforgettable"] * 20
    rows = [
        Use(["bank", "play", "apple"][i // 80], sense, words, 3)
        for i, sense in enumerate(senses)
    ]
    widget = sense_maps(layers, rows)
    assert [len(word["sense"]) for word in widget.data["words"]] == [80, 80, 80]
    assert len(json.dumps(widget.data, ensure_ascii=False).encode()) < 300_000
    assert len(html_of(widget).encode()) < 300_000


def changed(uses, place, value):
    """Return the uses with one of their four parts replaced."""
    return [value if i == place else part for i, part in enumerate(uses)]


def test_uses_that_do_not_fit_together_are_refused(uses):
    layers, senses, sentences, targets = uses
    nan = layers.copy()
    nan[1, 2, 3] = np.nan
    cases = [
        (0, layers[:1], "two layers at least"),
        (0, layers[0], "two layers at least"),
        (0, nan, "not finite"),
        (1, senses[:-1], "24 vectors a layer, 23 senses"),
        (1, ["money"] * 24, "has 1 senses"),
        (1, [f"sense {i}" for i in range(24)], "has 24 senses"),
        (2, sentences[:-1], "23 sentences"),
        (2, ["a bank"] * 24, "needs a list of tokens"),
        (3, [6] * 24, "sentence 0 of 'bank' needs .* target index"),
    ]
    for place, value, message in cases:
        with pytest.raises(ValueError, match=message):
            sense_map(*changed(uses, place, value), "bank")
