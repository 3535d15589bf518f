"""Tests of word vectors, tested with vectors whose answers are known."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from course_lib.analysis import word_tests

# A world of two features: sex and rank. The analogies hold exactly.
ROYAL = {
    "man": (1, 0, 0.2),
    "woman": (-1, 0, 0.2),
    "king": (1, 3, 0.2),
    "queen": (-1, 3, 0.2),
    "apple": (0, 0, 5),
}


def royal():
    return word_tests.keyed(list(ROYAL), np.array(list(ROYAL.values()), dtype=float))


def test_the_sets_are_whole():
    sizes = [len(word_tests.similarity_pairs(name)) for name in word_tests.SETS]
    assert sizes == [353, 999]
    questions = word_tests.analogy_questions()
    assert sum(map(len, questions.values())) == 19_544
    assert sum(len(q) for s, q in questions.items() if s.startswith("gram")) == 10_675
    assert questions["capital-common-countries"][0] == (
        "Athens", "Greece", "Baghdad", "Iraq",
    )  # fmt: skip


def test_a_set_that_there_is_not_is_named():
    with pytest.raises(KeyError, match="WordSim-353"):
        word_tests.similarity_pairs("WordSim")


def all_pairs(score):
    """Score all ten pairs of the royal world."""
    return [(a, b, score(a, b)) for a, b in itertools.combinations(ROYAL, 2)]


def test_ranks_count_not_values():
    """Spearman's rho is 1 for any scores in the same order as the cosines."""
    vectors = royal()
    same = all_pairs(lambda a, b: math.exp(9 * vectors.similarity(a, b)))
    upside_down = [(a, b, -score) for a, b, score in same]
    assert word_tests.correlation(vectors, same).rho == pytest.approx(1)
    assert word_tests.correlation(vectors, upside_down).rho == pytest.approx(-1)


def test_pairs_without_vectors_are_left_out_and_counted():
    pairs = all_pairs(lambda a, b: len(a) * len(b))
    found = word_tests.correlation(royal(), [*pairs, ("man", "cabbage", 9)])
    assert (found.covered, found.total) == (10, 11)
    assert found[:3] == word_tests.correlation(royal(), pairs)[:3]
    few = word_tests.correlation(royal(), pairs[:9])
    assert few.covered == 9
    assert math.isnan(few.rho)


def test_the_interval_holds_the_estimate_and_narrows_with_more_pairs():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(400)]
    vectors = word_tests.keyed(words, rng.normal(size=(400, 8)))
    pairs = [
        (a, b, vectors.similarity(a, b) + rng.normal(scale=0.3))
        for a, b in zip(words[::2], words[1::2], strict=True)
    ]
    many, few = (word_tests.correlation(vectors, pairs[:n]) for n in (200, 20))
    for found in (many, few):
        assert found.low <= found.rho <= found.high
    assert many.high - many.low < few.high - few.low


def noisy(pairs, noise, seed):
    """Make vectors whose cosines follow the scores of some pairs, with some noise."""
    rng = np.random.default_rng(seed)
    angles = [math.acos(s / 10) + noise * rng.normal() for *_, s in pairs]
    rows = [(1, 0)] * len(pairs) + [(math.cos(x), math.sin(x)) for x in angles]
    words = [a for a, *_ in pairs] + [b for _, b, _ in pairs]
    return word_tests.keyed(words, np.array(rows))


def test_a_lead_is_the_difference_of_both_rhos_on_the_pairs_of_both():
    pairs = [(f"a{i}", f"b{i}", 10 * i / 60) for i in range(60)]
    good, bad = noisy(pairs, 0.1, seed=1), noisy(pairs[:50], 0.5, seed=2)
    found = word_tests.lead(good, bad, pairs)
    one, other = (word_tests.correlation(v, pairs[:50]) for v in (good, bad))
    assert found.estimate == pytest.approx(one.rho - other.rho)
    assert 0 < found.low < found.estimate < found.high
    turned = word_tests.lead(bad, good, pairs)
    assert turned == pytest.approx((-found.estimate, -found.high, -found.low))
    assert word_tests.lead(good, good, pairs) == (0, 0, 0)


def test_a_lead_may_be_clear_where_the_two_intervals_overlap():
    pairs = [(f"a{i}", f"b{i}", 10 * i / 200) for i in range(200)]
    rng = np.random.default_rng(3)
    hard = [(a, b, min(9.9, max(0, s + 2.5 * rng.normal()))) for a, b, s in pairs]
    one, other = noisy(hard, 0.0, seed=4), noisy(hard, 0.2, seed=5)
    first, second = (word_tests.correlation(v, pairs) for v in (one, other))
    assert first.low < second.high
    assert word_tests.lead(one, other, pairs).low > 0


def test_a_lead_over_a_handful_of_pairs_has_no_interval():
    pairs = [(f"a{i}", f"b{i}", float(i)) for i in range(9)]
    vectors = noisy(pairs, 0.0, seed=1)
    assert all(map(math.isnan, word_tests.lead(vectors, vectors, pairs)))
    assert all(map(math.isnan, word_tests.lead(royal(), royal(), [])))


def test_words_are_found_however_they_are_spelled():
    vectors = word_tests.keyed(["paris", "Berlin", "US", "us"], np.eye(4))
    spelled = [word_tests.spelling(vectors, w) for w in ("Paris", "berlin", "US", "x")]
    assert spelled == ["paris", "Berlin", "US", None]


def test_an_exact_analogy_is_solved_and_one_with_an_unknown_word_is_not_asked():
    questions = {
        "royal": [("man", "king", "woman", "queen"), ("Man", "Woman", "King", "Queen")],
        "vegetable": [("man", "cabbage", "woman", "queen")],
    }
    found = word_tests.analogies(royal(), questions)
    assert found == {"royal": (2, 2), "vegetable": (0, 0)}


def test_without_exclusion_a_query_word_wins_where_the_offset_is_short():
    """Three words close together: b - a + c is still nearest to c."""
    near = {"a": (1, 0), "b": (1, 0.1), "c": (0, 1), "d": (0.5, 1)}
    vectors = word_tests.keyed(list(near), np.array(list(near.values())))
    question = [("a", "b", "c", "d")]
    assert word_tests.answers(vectors, question) == ["d"]
    assert word_tests.answers(vectors, question, exclude=False) == ["c"]


def test_answers_agree_with_gensim_s():
    """gensim excludes the query words as well, and ranks b - a + c the same way."""
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(50)]
    vectors = word_tests.keyed(words, rng.normal(size=(50, 6)))
    questions = [tuple(rng.choice(words, size=4, replace=False)) for _ in range(300)]
    ours = word_tests.answers(vectors, questions)
    theirs = [
        vectors.most_similar(positive=[b, c], negative=[a], topn=1)[0][0]
        for a, b, c, _ in questions
    ]
    assert ours == theirs
