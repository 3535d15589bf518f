"""Pseudowords: the ratio is exact, both parts keep as much text, nothing else moves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from course_lib.worlds.pseudowords import Blend, blend

RATIOS = [(1, 0), (1, 1), (2, 1), (1, 3), (5, 1), (9, 1)]


def some_text(seed: int = 0) -> list[list[str]]:
    """Return 400 sentences of twelve words; "a" is the most frequent, "l" the least."""
    draw = random.Random(seed)
    weights = range(24, 12, -1)
    return [draw.choices("abcdefghijkl", weights, k=12) for _ in range(400)]


def pairs_of_words(before, after):
    """List the old and the new word at each place."""
    return [
        pair
        for old, new in zip(before, after, strict=True)
        for pair in zip(old, new, strict=True)
    ]


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_ratio_is_exact(ratio):
    text, pair = some_text(), Blend("b", "g", ratio)
    found = Counter(pairs_of_words(text, blend(text, [pair])))
    merged = found["b", pair.name], found["g", pair.name]
    assert merged[0] * ratio[1] == merged[1] * ratio[0]
    own = found["b", "b"]
    assert own - max(ratio) < max(merged) <= own  # as many as fit


@pytest.mark.parametrize("ratio", RATIOS)
def test_both_parts_keep_their_name_equally_often(ratio):
    text = some_text()
    before = Counter(word for sentence in text for word in sentence)
    after = Counter(w for s in blend(text, [Blend("b", "g", ratio)]) for w in s)
    assert after["b"] == after["g"] == min(before["b"], before["g"]) // 2


def test_no_other_word_changes_and_none_is_lost():
    text = some_text()
    blends = [Blend("a", "b", (3, 1)), Blend("k", "l", (9, 1))]
    allowed = {"a": {"a", "a+b", "a~"}, "b": {"b", "a+b", "b~"}}
    allowed |= {"k": {"k", "k+l", "k~"}, "l": {"l", "k+l", "l~"}}
    for old, new in pairs_of_words(text, blend(text, blends)):
        assert new in allowed.get(old, {old})


def test_the_text_that_is_given_stays_as_it_was():
    text = some_text()
    blend(text, [Blend("a", "b", (1, 1))])
    assert text == some_text()


def test_which_occurrences_change_depends_on_the_seed_alone():
    text, blends = some_text(), [Blend("a", "b", (2, 1))]
    assert blend(text, blends, seed=1) == blend(text, blends, seed=1)
    assert blend(text, blends, seed=1) != blend(text, blends, seed=2)


def test_one_blend_does_not_disturb_another():
    text = some_text()
    both = blend(text, [Blend("a", "b", (2, 1)), Blend("c", "d", (5, 1))])
    after = Counter(word for sentence in both for word in sentence)
    alone = Counter(w for s in blend(text, [Blend("c", "d", (5, 1))]) for w in s)
    assert after["c+d"] == alone["c+d"] and after["c"] == alone["c"]


def test_a_word_in_two_blends_is_refused():
    with pytest.raises(ValueError, match="two blends"):
        blend(some_text(), [Blend("a", "b", (1, 1)), Blend("b", "c", (1, 1))])


@pytest.mark.parametrize(
    "pair", [Blend("a", "absent", (1, 1)), Blend("a", "b", (999, 1))]
)
def test_a_word_that_is_too_rare_is_named(pair):
    with pytest.raises(ValueError, match=pair.second):
        blend(some_text(), [pair])
