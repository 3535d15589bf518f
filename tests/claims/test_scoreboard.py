"""The scoreboard's probe, with vectors whose score is known beforehand."""

from __future__ import annotations

import collections

import numpy as np

from course_lib import data
from course_lib.analysis.word_tests import keyed
from course_lib.claims import scoreboard


def test_vectors_that_know_the_senses_score_everything_and_equal_ones_the_majority():
    """A word beside one sense only gets that sense as its vector; or all are alike."""
    sentences = data.senses("en")
    beside = collections.defaultdict(set)
    for s in sentences:
        for word in s.tokens:
            beside[word].add((s.word, s.sense))
    senses = sorted(set().union(*beside.values()))
    telling = {word: found for word, found in beside.items() if len(found) == 1}
    rows = [senses.index(*found) for found in telling.values()]
    knowing = keyed(list(telling), np.eye(len(senses))[rows])
    knowing = scoreboard.context_scores(knowing, "en")
    assert knowing["nearest_centroid"] > 0.9
    blind = keyed(list(beside), np.ones((len(beside), 2)))
    blind = scoreboard.context_scores(blind, "en")
    assert blind["nearest_neighbour"] < knowing["majority"] + 0.05


def test_the_board_has_a_row_a_model_and_the_majority_last():
    scores = {"nearest_centroid": 0.5, "nearest_neighbour": 0.25, "majority": 0.125}
    for column in (0, 1):
        page = scoreboard.board({"NNLM": scores}, lambda *texts, c=column: texts[c])
        assert page.count("<tr>") == 3
        assert page.index("0.500") < page.index("0.250") < page.index("0.125")
