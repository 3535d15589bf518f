"""Bytes or characters: the two spellings, and how the answer is judged."""

from __future__ import annotations

import numpy as np

from course_claims.experiments import spelling
from course_claims.rules import row
from course_lib.text.characters import BOS, EOS, PAD, WIDTH, char_table


def test_a_word_has_one_number_a_character_between_the_marks_of_the_bytes():
    words = [BOS, "苹果", "果", "bank", EOS]
    found = spelling.CodePoints(words).table(words)
    in_bytes = char_table(words)
    assert found.shape == in_bytes.shape == (5, WIDTH)
    assert np.array_equal(found[[0, 4]], in_bytes[[0, 4]])  # the sentence marks
    assert [(row != PAD).sum() for row in found] == [3, 2 + 2, 1 + 2, 4 + 2, 3]
    assert [(row != PAD).sum() for row in in_bytes] == [3, 6 + 2, 3 + 2, 4 + 2, 3]
    assert np.array_equal(found[:, 0], in_bytes[:, 0])  # the mark of a beginning
    assert found[1, 3] == found[2, 2] == in_bytes[2, 4]  # and of an end
    assert found[1, 2] == found[2, 1]  # 果 is the same everywhere
    assert len(set(found[3, 1:5])) == 4  # b, a, n, k


def test_unseen_characters_share_a_number_and_long_words_are_cut():
    points = spelling.CodePoints(["苹果"])
    table = points.table(["梨", "桃", "苹" * 100])
    assert table[0, 1] == table[1, 1] < points.table(["苹"])[0, 1] < points.n
    assert (table[2] != PAD).all() and table[2, -1] == table[0, 2]


def rows(gains: dict[tuple[str, str], float]) -> list[dict]:
    """Perplexities in which characters are so much better, give or take."""
    return [
        {"seed": seed, **row(title, direction, "perplexity", np.exp(log))}
        for direction in spelling.DIRECTIONS
        for title in spelling.SPELLINGS
        for seed in range(1, 6)
        for log in [6 + seed - gains.get((title, direction), 0) * (1 + seed / 10)]
    ]


ALL = [
    (title, direction)
    for title in ("characters", "characters, wide")
    for direction in spelling.DIRECTIONS
]


def test_the_experiment_runs_in_a_small_version_and_repeats_itself(quick, monkeypatch):
    first = quick("bytes_or_characters")
    keys = {(r["model"], r["condition"], r["metric"]) for r in first}
    assert len(keys) == len(first) == 3 * (2 + 1 + 3)
    monkeypatch.setattr(spelling, "SPELLINGS", {"characters": 16})  # alone, the same
    again = spelling.bytes_or_characters(1, quick=True)
    assert again == [r for r in first if r["model"] == "characters"]
