"""Baselines on tasks so small that the right number is plain."""

from __future__ import annotations

import pytest

from course_lib.analysis.baselines import (
    TfIdf,
    classify,
    guess_from_window,
    tag,
)
from course_lib.text.examples import Example, Pair, Tagged


def test_the_majority_is_that_of_training():
    train = [Example("good", "pos")] * 3 + [Example("bad", "neg")] * 2
    test = [Example("bad", "neg")] * 4 + [Example("good", "pos")]
    found = classify(train, test, "en")
    assert found == {"majority": pytest.approx(0.2), "TF-IDF": pytest.approx(1.0)}


def test_a_bag_of_words_sees_pairs_but_no_longer_order():
    train = [Example("a b", "x"), Example("b a", "y")] * 5
    found = classify(train, train, "en")
    assert found["TF-IDF"] == 1.0
    train = [Example("a b a c a", "x"), Example("a c a b a", "y")] * 5
    found = classify(train, train, "en")
    assert found["TF-IDF"] == 0.5


def test_a_pair_is_known_by_what_its_texts_share():
    same = [Pair(f"who saw {w} ?", f"Ann saw {w} .", "yes") for w in "abcdefgh"]
    shifted = zip("abcdefgh", "bcdefgha", strict=True)
    other = [Pair(f"who saw {w} ?", f"Ann saw {v} .", "no") for w, v in shifted]
    test = [
        Pair("who saw x ?", "Ann saw x .", "yes"),
        Pair("who saw a ?", "Ann saw d .", "no"),
    ]
    found = classify((same + other) * 3, test, "en")
    assert found["majority"] == 0.5
    assert found["TF-IDF"] == 1.0


def test_words_get_their_commonest_tag_and_new_words_that_of_rare_ones():
    train = [Tagged(["the", "dog", "saw", "the", "cat"], ["D", "N", "V", "D", "N"])] * 2
    train += [Tagged(["saw", "owl"], ["V", "N"]), Tagged(["saw"], ["N"])]
    test = [Tagged(["the", "eel", "saw", "the", "saw"], ["D", "N", "V", "D", "N"])]
    found = tag(train, test, "en")
    assert found["majority"] == pytest.approx(0.4)
    assert found["word's majority"] == pytest.approx(0.8)


def test_a_window_sees_the_word_before():
    noun, verb = Tagged(["the", "saw"], ["D", "N"]), Tagged(["we", "saw"], ["P", "V"])
    found = tag([noun, verb] * 20, [noun, verb], "en")
    assert found["window"] == 1.0
    assert found["word's majority"] == 0.75


def test_tags_of_spans_are_scored_by_f1():
    train = [Tagged(["Ann", "slept"], ["B-PER", "O"])] * 5
    found = tag(train, train, "en")
    assert found["word's majority"] == found["window"] == 1.0
    assert found["majority"] < 1.0  # one tag for all gives no right span, or too many


# -- little and odd --------------------------------------------------------------------


def test_one_example_a_class_is_enough():
    """A gram must stand in two texts; where none does, each counts."""
    train = [Example("good", "p"), Example("bad", "n")]
    assert classify(train, [Example("bad", "n")], "en")["TF-IDF"] == 1.0


@pytest.mark.parametrize("label", [0, "", "x"])
def test_one_class_is_always_the_answer_whatever_it_is_called(label):
    train = [Example("good a", label), Example("bad a", label)]
    found = classify(train, [Example("a", label)], "en")
    assert found == {"majority": 1.0, "TF-IDF": 1.0}


def test_one_tag_is_always_the_answer():
    train = [Tagged(["a", "b"], ["X", "X"])]
    assert guess_from_window(train, [Tagged(["c"], ["X"])]) == [["X"]]


@pytest.mark.parametrize(
    ("examples", "complaint"),
    [([], "no example to learn from"), ([Example(" ", "x")] * 2, "a text with a word")],
)
def test_nothing_to_learn_from_is_refused(examples, complaint):
    with pytest.raises(ValueError, match=complaint):
        classify(examples, [Example("a", "x")], "en")


def test_a_tab_in_a_text_is_white_space():
    grams = TfIdf(["a b\tc\td"] * 2, ["x", "y"], "en").vectors.vocabulary_
    assert set(grams) == {"a", "b", "c", "d", "a b", "b c", "c d"}


def test_tokens_and_tags_of_different_length_are_refused():
    good, bad = Tagged(["a", "b"], ["X", "O"]), Tagged(["a", "b"], ["X"])
    for train, test in (([good, bad], [good]), ([good], [bad])):
        with pytest.raises(ValueError, match="2 tokens and 1 tags"):
            tag(train, test, "en")


def test_odd_tokens_have_features_too():
    """An empty one, and half an emoji."""
    train = [Tagged(["a", "", "\ud83d"], ["X", "O", "O"])]
    assert guess_from_window(train, train) == [["X", "O", "O"]]
