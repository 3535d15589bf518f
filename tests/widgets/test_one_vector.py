"""OneVector: one star a word, and what it can and cannot know of the senses."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import numpy as np
import pytest
from gensim.models import KeyedVectors

import course_lib
from course_lib import data
from course_lib.widgets import OneVector, one_vector
from course_lib.widgets.kit import percent


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the map reads."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


TOPICS = {
    "en": {"bank": {"river": "water shore boat fish", "money": "loan cash rate debt"}},
    "zh": {"苹果": {"水果": "甜 树 吃 香", "公司": "手机 股价 新款 发布"}},
}


def made_up(
    language: str = "en", lean: float = 0.8, size: int = 30, dimension: int = 20
) -> tuple[KeyedVectors, list[Use]]:
    """Make vectors of two topics, and one word's sentences, two thirds of the second.

    lean: how far the word's own vector lies towards the second topic.
    """
    draw, names, rows, uses = np.random.default_rng(0), [], [], []
    [(word, topics)] = TOPICS[language].items()
    common, *centres = draw.normal(size=(3, dimension))
    for centre, (sense, text) in zip(centres, topics.items(), strict=True):
        topic = text.split()
        names += topic
        rows += list(common + centre + 0.4 * draw.normal(size=(len(topic), dimension)))
        for number in range(size // 3 if centre is centres[0] else size - size // 3):
            tokens = [
                *draw.choice(topic, size=3),
                "xyzzy",
                str(number),
            ]  # unknown words
            place = int(draw.integers(4))
            uses.append(
                Use(word, sense, [*tokens[:place], word, *tokens[place:]], place)
            )
    names.append(word)
    rows.append(common + (1 - lean) * centres[0] + lean * centres[1])
    vectors = KeyedVectors(dimension)
    vectors.add_vectors(names, np.array(rows, dtype=np.float32))
    return vectors, uses


def make(language="en", lean=0.8, **options) -> OneVector:
    """Make the widget of one word in each language."""
    both = {name: made_up(name, lean, **options) for name in ("en", "zh")}
    uses = [use for _, own in both.values() for use in own]
    vectors = {name: words for name, (words, _) in both.items()}
    return one_vector(vectors, uses, language, ("bank", "苹果"))


def html_of(widget: OneVector) -> str:
    """Return what a page without a kernel gets."""
    return widget._repr_mimebundle_()[0]["text/html"]


def contexts_of(vectors: KeyedVectors, uses: list[Use]) -> np.ndarray:
    """Average the known other words of each sentence, the slow way."""
    return np.array([
        np.mean([vectors[t] for i, t in enumerate(use.tokens)
                 if i != use.target_index and t in vectors], axis=0)
        for use in uses
    ])  # fmt: skip


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine of two vectors."""
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_no_rule_that_sees_only_the_star_beats_the_majority():
    """All sentences look alike to it, so that it must answer all of them alike."""
    word = make().data["words"][0]
    senses = [word["senses"][kind] for kind in word["sense"]]
    best = max(np.mean([s == answer for s in senses]) for answer in word["senses"])
    assert word["values"]["majority"] == percent(best) == "67%"
    assert word["values"]["commonest"] == "money" and word["values"]["most"] == 20


def test_the_contexts_know_what_the_star_does_not():
    """Here topic words are unmistakable; leaving one out changes no answer."""
    word = make().data["words"][0]
    vectors, uses = made_up()
    contexts = contexts_of(vectors, uses)
    right = 0
    for i, use in enumerate(uses):
        rest = [j for j in range(len(uses)) if j != i]
        directions = contexts / np.linalg.norm(contexts, axis=1, keepdims=True)
        means = {
            sense: directions[[j for j in rest if uses[j].sense == sense]].mean(axis=0)
            for sense in ("river", "money")
        }
        best = max(means, key=lambda sense: cosine(means[sense], contexts[i]))
        right += best == use.sense
    assert word["values"]["centroid"] == percent(right / len(uses))
    assert right / len(uses) > 0.9


def test_neighbours_and_their_senses_are_those_of_the_full_dimension():
    word = make().data["words"][0]
    vectors, uses = made_up()
    contexts = contexts_of(vectors, uses)
    means = [
        contexts[[use.sense == sense for use in uses]].mean(axis=0)
        for sense in word["senses"]
    ]
    names = [w for w in vectors.index_to_key if w != "bank"]
    slow = sorted(names, key=lambda w: -cosine(vectors[w], vectors["bank"]))
    assert [near["word"] for near in word["neighbours"]] == slow
    for near in word["neighbours"]:
        own = vectors[near["word"]]
        assert near["cosine"] == pytest.approx(cosine(own, vectors["bank"]), abs=6e-4)
        to_sense = [cosine(own, mean) for mean in means]
        assert near["sense"] == int(np.argmax(to_sense))
        low, high = sorted(to_sense)
        assert near["lead"] == pytest.approx(high - low, abs=6e-4)


def test_in_two_dimensions_points_and_star_lose_nothing():
    """The map is then the vectors themselves: scaled to length 1, turned, shifted."""
    vectors, uses = made_up(dimension=2)
    word = one_vector({"en": vectors}, uses, "en", ["bank"]).data["words"][0]
    real = np.vstack([contexts_of(vectors, uses), vectors["bank"]])
    real /= np.linalg.norm(real, axis=1, keepdims=True)
    shown = np.array([*word["points"], word["star"]])
    wide, narrow = (np.linalg.norm(x[:, None] - x, axis=2) for x in (real, shown))
    np.testing.assert_allclose(wide / wide.max(), narrow / narrow.max(), atol=3e-3)
    assert word["share"] == 1


def test_the_star_has_no_part_in_the_fit():
    """Wherever the word's own vector lies, its sentences stay where they are."""
    shapes = []
    for lean in (0.0, 1.0, 30.0):
        points = np.array(make(lean=lean).data["words"][0]["points"])
        apart = np.linalg.norm(points[:, None] - points, axis=2)
        shapes.append(apart / apart.max())
    np.testing.assert_allclose(shapes[0], shapes[1], atol=5e-3)
    np.testing.assert_allclose(shapes[0], shapes[2], atol=5e-3)


def test_the_sense_that_lost_is_the_one_that_the_star_is_far_from():
    for lean, lost in ((0.95, "river"), (0.05, "money")):
        word = many_neighbours(lean).data["words"][0]
        assert f"means “{lost}”" in word["say"][1]
        other = word["sense"][word["other"]]
        assert word["senses"][other] == lost
        assert word["senses"][word["sense"][word["example"]]] != lost


def many_neighbours(lean: float) -> OneVector:
    """Make ten more words of each topic, so that a star has ten of one sense."""
    vectors, uses = made_up(lean=lean)
    draw = np.random.default_rng(1)
    for topic in ("water", "loan"):
        near = vectors[topic] + 0.1 * draw.normal(size=(10, 20))
        vectors.add_vectors([f"{topic}{i}" for i in range(10)], near.astype("float32"))
    return one_vector({"en": vectors}, uses, "en", ["bank"])


def test_neighbours_that_disagree_evenly_are_not_said_to_lean():
    """With four words of each topic and no others, the neighbours are four and four."""
    word = make(lean=0.5).data["words"][0]
    tally = [near["sense"] for near in word["neighbours"]]
    assert tally.count(0) == tally.count(1) == 4
    assert "do not agree" in word["say"][1] and "river 4" in word["say"][1]


def test_each_language_has_its_map_and_the_readers_own_comes_first():
    for language, first in (("en", "bank"), ("zh", "苹果")):
        widget = make(language)
        words = widget.data["words"]
        assert [words[i]["word"] for i in widget.shown][0] == first
        assert {word["language"] for word in words} == {"en", "zh"}
        assert widget.selected == [word["example"] for word in words]


def test_one_language_alone_is_one_map():
    """Words of the other language are left out, with the default ones too."""
    vectors, uses = made_up()
    widget = one_vector({"en": vectors}, uses, "en", ("bank", "苹果"))
    assert len(widget.shown) == 1 and len(widget.data["words"]) == 1


def test_the_first_word_of_each_language_is_shown_first():
    (en, uses), (zh, others) = made_up("en"), made_up("zh")
    en.add_vectors(["play"], np.ones((1, 20), dtype=np.float32))
    also = [use._replace(word="play") for use in uses]
    widget = one_vector(
        {"zh": zh, "en": en}, [*others, *also, *uses], "en", ("苹果", "play", "bank")
    )
    assert [w["word"] for w in widget.data["words"]] == ["play", "bank", "苹果"]
    assert widget.shown == [0, 2]


def test_sentences_read_as_they_are_written():
    vectors, uses = made_up("zh")
    uses[0] = Use("苹果", "水果", ["这", "苹果", "甜", "。"], 1)
    word = one_vector({"zh": vectors}, uses, "zh", ["苹果"]).data["words"][0]
    assert word["sentences"][0] == ["这", "苹果", "甜。"]


def test_a_sentence_without_any_known_word_is_still_a_point():
    vectors, uses = made_up()
    uses[0] = Use("bank", "river", ["bank", "!"], 0)
    word = one_vector({"en": vectors}, uses, "en", ["bank"]).data["words"][0]
    assert np.isfinite(word["points"]).all()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_of_the_picture_say_the_numbers(language):
    widget = make(language)
    alt = re.search(r'<img alt="([^"]+)"', html_of(widget))[1]
    for word in widget.data["words"]:
        assert word["word"] in alt
        assert word["values"]["majority"] in alt and word["values"]["centroid"] in alt


def test_what_does_not_fit_is_named():
    vectors, uses = made_up()
    alone = [use for use in uses if use.sense == "river"]
    cases = [
        ((uses, "fr", ["bank"]), "'fr'.*'en' and 'zh'"),
        ((uses, "en", ["苹果"]), "none of the words 苹果 .* has: en"),
        ((uses, "en", ["bench"]), "'bench' has no vector of its own"),
        ((uses, "en", ["loan"]), "'loan' has 0 sentences of 0 senses"),
        ((alone, "en", ["bank"]), "'bank' has 10 sentences of 1 senses"),
    ]
    for arguments, message in cases:
        with pytest.raises(ValueError, match=message):
            one_vector({"en": vectors}, *arguments)


def test_the_courses_own_vectors_and_sentences_fit_below_300_kb():
    """Four words, 345 sentences, and what is said of them is what is true of them."""
    vectors = {name: course_lib.load(f"static-{name}") for name in ("en", "zh")}
    sentences = [*data.senses("en"), *data.senses("zh")]
    widget = one_vector(vectors, sentences)
    assert [word["word"] for word in widget.data["words"]] == [
        "bank",
        "play",
        "苹果",
        "打",
    ]
    assert len(json.dumps(widget.data, ensure_ascii=False).encode()) < 100_000
    assert len(html_of(widget).encode()) < 300_000
    for word in widget.data["words"]:
        own = [s.sense for s in sentences if s.word == word["word"]]
        most = max(own.count(sense) for sense in set(own))
        assert word["values"]["majority"] == percent(most / len(own))
        assert len(word["neighbours"]) == 10
