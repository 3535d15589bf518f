"""Spans and their F1, on sentences small enough to count by hand."""

from __future__ import annotations

import pytest

from course_lib.analysis.tagging import span_f1, spans


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("B-NP I-NP O B-VP", {(0, 2, "NP"), (3, 4, "VP")}),
        ("B-NP B-NP", {(0, 1, "NP"), (1, 2, "NP")}),
        ("O I-NP I-NP", {(1, 3, "NP")}),  # continues nothing, so it begins
        ("B-NP I-VP", {(0, 1, "NP"), (1, 2, "VP")}),
        ("O O", set()),
    ],
)
def test_spans(tags, expected):
    assert spans(tags.split()) == expected


def test_f1_counts_whole_spans():
    gold = [["B-PER", "I-PER", "O", "B-LOC"]]
    assert span_f1(gold, gold) == 1.0
    half = [["B-PER", "O", "O", "B-LOC"]]  # the name is cut short: one of two is right
    assert span_f1(gold, half) == pytest.approx(0.5)
    assert span_f1(gold, [["O", "O", "O", "B-LOC"]]) == pytest.approx(2 / 3)
    assert span_f1(gold, [["O", "O", "O", "O"]]) == 0.0


def test_guesses_that_are_too_few_are_not_scored():
    with pytest.raises(ValueError, match="sentence 1 has 2 tags and 1 guesses"):
        span_f1([["O"], ["B-X", "O"]], [["O"], ["B-X"]])
