"""Pseudowords in vectors: the measures know the answer where it was put in by hand."""

from __future__ import annotations

import string
from collections import Counter

import numpy as np
import pytest
from gensim.models import KeyedVectors

from course_claims.experiments import polysemy
from course_claims.experiments.polysemy import RATIOS, measure
from course_lib.analysis.statistics import Interval
from course_lib.worlds import rivertown
from course_lib.worlds.pseudowords import blend

ABOVE, AROUND, BELOW = (Interval(x, x - 0.1, x + 0.1) for x in (0.5, 0.0, -0.5))


def space(share: float, shift: float = 0.0) -> KeyedVectors:
    """Return vectors in which "mix" is exactly share * "one" + (1 - share) * "two".

    Each part has 52 words around it; `shift` is added to all vectors alike.
    """
    rng = np.random.default_rng(5)
    one, two = rng.normal(size=(2, 40))
    names = [f"{part}{c}" for part in ("near", "far") for c in string.ascii_letters]
    around = [
        (one if name.startswith("near") else two) + 0.3 * rng.normal(size=40)
        for name in names
    ]
    vectors = [one, two, *around]
    centre = np.mean(vectors, axis=0)
    vectors = [v - centre for v in vectors]
    mixed = share * vectors[0] + (1 - share) * vectors[1]
    vectors += [mixed, -mixed]  # the second keeps the mean at zero
    found = KeyedVectors(40)
    names = ["one", "two", *names, "mix", "opposite"]
    found.add_vectors(names, np.array(vectors, dtype=np.float32) + shift)
    return found


@pytest.fixture(scope="module")
def town_text():
    """Return small-letter sentences of Rivertown, which is always there."""
    documents = rivertown.text("en", tokens=100_000, seed=4)
    return [[w.lower() for w in s] for document in documents for s in document]


# -- the measures ----------------------------------------------------------------------


@pytest.mark.parametrize("share", [1.0, 0.9, 0.75, 0.5])
@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_a_known_mixture_is_measured_as_such_also_if_all_vectors_are_shifted(
    share, shift
):
    found = measure(space(share, shift), "mix", "one", "two", share)
    assert found["weight"] == pytest.approx(share, abs=1e-3)
    assert found["excess"] == pytest.approx(0, abs=1e-3)
    assert found["cos_best_mix"] == pytest.approx(1, abs=1e-4)
    assert found["cos_by_share"] == pytest.approx(1, abs=1e-4)


def test_the_neighbours_belong_to_the_part_that_weighs_more():
    # A share of 0.9 in the vector is all of the list: the nearest take all.
    assert measure(space(0.9), "mix", "one", "two", 0.9)["neighbours"] == 1
    assert measure(space(0.1), "mix", "one", "two", 0.1)["neighbours"] == 0


def test_neither_part_nor_a_pseudoword_counts_as_a_neighbour():
    vectors = space(0.9)
    vectors.add_vectors(["one~", "one+two"], np.stack([vectors["one"]] * 2))
    assert len(polysemy.sides(vectors, "mix", "one", "two")) == 10


def test_rows_average_the_pseudowords_of_a_condition():
    found = [
        ("1:1", {"weight": 0.4}),
        ("1:1", {"weight": 0.6}),
        ("9:1", {"weight": 0.9}),
    ]
    values = {r["condition"]: r["value"] for r in polysemy.rows("m", found)}
    assert values == {"1:1": pytest.approx(0.5), "9:1": pytest.approx(0.9)}


def lines(**metrics: float) -> list[dict]:
    """Write rows of three seeds at each ratio; they differ by a hair."""
    return [
        {
            "seed": seed,
            "model": "pseudowords",
            "condition": f"{a}:{b}",
            "metric": metric,
            "value": value + 1e-3 * seed * (metric > "cos_c"),
        }
        for a, b in RATIOS
        for metric, value in metrics.items()
        for seed in (1, 2, 3)
    ]


def test_occurrences_go_to_the_heap_of_their_part():
    """Two parts whose neighbours have nothing in common are told apart completely."""
    vectors = space(0.5)
    near = [f"near{c}" for c in "abcdef"], [f"far{c}" for c in "abcdef"]
    plain = [[*words, part] for words, part in zip(near, ("one", "two"), strict=True)]
    plain = plain * 6
    text = [[*sentence[:-1], "one+two"] for sentence in plain]
    pair = polysemy.Blend("one", "two", (1, 1))
    named, share = polysemy.in_heaps(text, plain, [pair], vectors, seed=1)
    assert share == 1
    ends = {(line[-1], words[-1]) for line, words in zip(named, plain, strict=True)}
    assert ends == {("one+two/0", "one"), ("one+two/1", "two")}
    assert all(
        line[:-1] == words[:-1] for line, words in zip(named, plain, strict=True)
    )


# -- the experiment --------------------------------------------------------------------


def test_drawn_pairs_are_equally_frequent_and_share_no_word(town_text):
    blends = polysemy.draw(town_text, pairs=4, seed=1)
    counts = Counter(word for sentence in town_text for word in sentence)
    words = [word for pair in blends for word in pair[:2]]
    assert len(set(words)) == len(words) == 2 * 4 * len(RATIOS)
    assert Counter(pair.ratio for pair in blends) == dict.fromkeys(RATIOS, 4)
    for pair in blends:
        assert 0.5 < counts[pair.first] / counts[pair.second] < 2


def test_training_repeats_exactly(town_text):
    first, second = (polysemy.train(town_text[:2000], seed=3, epochs=1) for _ in "ab")
    assert first.index_to_key == second.index_to_key
    assert np.array_equal(first.vectors, second.vectors)


def test_a_second_name_for_one_word_lies_nearer_to_it_than_to_another(town_text):
    blends = [b for b in polysemy.draw(town_text, 8, 2) if b.ratio == (1, 0)]
    vectors = polysemy.train(blend(town_text, blends, seed=2), seed=2, epochs=30)
    nearer = [m["nearer"] for _, m in polysemy.measure_blends(vectors, blends)]
    assert np.mean(nearer) > 0.2  # measured: 0.84 to 0.87 (three seeds)


def test_a_sense_is_written_to_its_word_and_only_where_asked():
    documents = list(rivertown.world("zh").documents(20_000, seed=1))
    plain = polysemy.spell(documents, ["花"], "{0.lemma}")
    marked = polysemy.spell(documents, ["花"], "{0.lemma}/{0.sense}")
    seen = Counter()
    for old, new in zip(sum(plain, []), sum(marked, []), strict=True):
        assert new == old or old == "花"
        seen[new] += old == "花"
    assert seen["花/flower"] and seen["花/spend"]


def test_rivertown_gives_each_word_of_two_senses_once_at_the_ratio_asked_for():
    found = list(polysemy.town("zh", tokens=40_000, seed=1))
    assert len(found) == len(polysemy.TOWN["zh"])
    for ratio, measures in found:
        a, b = map(int, ratio.split(":"))
        assert measures["share"] == pytest.approx(a / (a + b), abs=0.12)
