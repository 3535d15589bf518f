"""Sense accuracy, against slow loops, and where its value is known beforehand."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course_lib.analysis.senses import (
    by_word,
    centroid_hits,
    context_average,
    expected_hits,
    macro,
    majority,
    neighbour_hits,
    place,
    read_twice,
    sense_accuracy,
    target_vectors,
    triple_hits,
    triples_by_word,
    without_place,
)
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.vocabulary import Vocabulary


class Sentence(NamedTuple):
    """As much of a sense sentence as the measures look at."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


def cosine(a, b) -> float:
    lengths = np.sqrt(a @ a) * np.sqrt(b @ b)
    return a @ b / lengths if lengths > 0 else 0.0


def best(scores: dict) -> list:
    """Return all keys whose score is the highest, or as good as."""
    return [k for k, score in scores.items() if score >= max(scores.values()) - 1e-6]


def slow_neighbours(x, labels) -> list[float]:
    """Ask, for each occurrence, every other one; ties share the vote."""
    chances = []
    for i in range(len(x)):
        asked = best({j: cosine(x[i], x[j]) for j in range(len(x)) if j != i})
        chances.append(np.mean([labels[j] == labels[i] for j in asked]))
    return chances


def slow_centroids(x, labels) -> list[float]:
    """Compute all means anew for each occurrence, without it."""
    x = [row / (np.sqrt(row @ row) or 1) for row in x.astype(float)]
    chances = []
    for i in range(len(x)):
        means = {}
        for sense in set(labels):
            others = [x[j] for j in range(len(x)) if labels[j] == sense and j != i]
            if others:
                means[sense] = np.mean(others, axis=0).round(12)  # 1e-17 is 0
        asked = best({sense: cosine(x[i], mean) for sense, mean in means.items()})
        chances.append(np.mean([sense == labels[i] for sense in asked]))
    return chances


@st.composite
def labelled_vectors(draw):
    """Draw vectors with small whole numbers, so that ties and zeros are common."""
    n, d = draw(st.integers(2, 9)), draw(st.integers(1, 3))
    number = st.integers(-2, 2)
    rows = st.lists(number, min_size=d, max_size=d)
    x = draw(st.lists(rows, min_size=n, max_size=n))
    labels = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    return np.array(x, dtype=np.float32), labels


@settings(max_examples=200)
@given(labelled_vectors())
def test_one_nearest_neighbour_equals_a_slow_loop(example):
    x, labels = example
    assert neighbour_hits(x, labels) == pytest.approx(slow_neighbours(x, labels))


HALF = [[1, 0], [1, 0], [2, 1]]
OPPOSITE = np.array([*np.negative(HALF), [0, 0], [1, 0], *HALF])


@settings(max_examples=200)
@given(labelled_vectors())
@example((OPPOSITE.astype(np.float32), list("cccaaccc")))  # the mean of c is 0
def test_the_nearest_centroid_equals_a_slow_loop(example):
    x, labels = example
    assert centroid_hits(x, labels) == pytest.approx(slow_centroids(x, labels))


@pytest.mark.parametrize("seed", range(5))
def test_both_equal_the_slow_loops_on_ordinary_vectors(seed):
    rng = np.random.default_rng(seed)
    labels = rng.choice(list("abc"), 30)
    x = rng.normal(size=(30, 4)) + np.eye(4)[[ord(c) % 4 for c in labels]]
    x *= rng.uniform(0.1, 10, (30, 1))  # only the direction counts
    assert neighbour_hits(x, labels) == pytest.approx(slow_neighbours(x, labels))
    assert centroid_hits(x, labels) == pytest.approx(slow_centroids(x, labels))
    assert 0 < neighbour_hits(x, labels).mean() < 1  # there are hits and misses


def test_ties_share_the_vote():
    """Row 0 is as near to 1, of its own sense, as to 2 and 3, which are not."""
    similarity = np.array([[-np.inf, 0.5, 0.5, 0.5 - 1e-9, 0.1]])
    right = np.array([[True, True, False, False, True]])
    assert expected_hits(similarity, right) == pytest.approx([1 / 3])


@pytest.mark.parametrize("n_senses", [2, 3, 4])
def test_vectors_that_are_all_alike_score_at_chance(n_senses):
    """As layer 0 does: it knows the word, and all occurrences are the same word."""
    labels = [f"sense {i % n_senses}" for i in range(12 * n_senses)]
    x = np.tile(np.float32([0.3, -0.7, 0.1]), (len(labels), 1))
    x *= 1 + 1e-7 * np.random.default_rng(0).normal(size=x.shape)  # rounding noise
    found = sense_accuracy(x, labels)
    assert found["nearest_centroid"] == pytest.approx(1 / n_senses)
    # Any other occurrence may be asked: 11 of its own sense, 12 of each other.
    assert found["nearest_neighbour"] == pytest.approx(11 / (12 * n_senses - 1))


def test_a_hit_is_a_probability_even_where_senses_are_unequal():
    """Chance for the neighbour is then the chance to draw one's own sense."""
    labels = ["a"] * 6 + ["b"] * 2
    hits = neighbour_hits(np.ones((8, 3)), labels)
    assert hits == pytest.approx([5 / 7] * 6 + [1 / 7] * 2)


def test_senses_far_apart_score_one():
    rng = np.random.default_rng(0)
    labels = [sense for sense in "abc" for _ in range(10)]
    x = np.repeat(np.eye(3), 10, axis=0) + 0.05 * rng.normal(size=(30, 3))
    assert sense_accuracy(x, labels) == {
        "nearest_neighbour": 1.0,
        "nearest_centroid": 1.0,
    }


def test_an_occurrence_never_votes_for_itself():
    """Random vectors and labels: counting oneself would score far above a half."""
    rng = np.random.default_rng(0)
    scores = [
        list(sense_accuracy(rng.normal(size=(40, 60)), ["a", "b"] * 20).values())
        for _ in range(20)
    ]
    assert np.mean(scores, axis=0) == pytest.approx([0.5, 0.5], abs=0.06)


def test_a_sense_with_one_occurrence_cannot_be_found():
    """Without it nothing is left of its sense; the answer is another, and wrong."""
    x, labels = np.eye(3), ["a", "b", "b"]
    assert centroid_hits(x, labels)[0] == 0
    assert neighbour_hits(x, labels)[0] == 0


@pytest.mark.parametrize("seed", range(10))
def test_a_mean_of_opposite_vectors_has_no_direction(seed):
    """Sense b points everywhere and nowhere; rounding must not make it a direction."""
    a, b, c, d = np.random.default_rng(seed).normal(size=(4, 3))
    x = np.array([a, b, c, d, -c, -d])
    expected = [float(cosine(a, b) > 0)] * 2  # nearer to the other a than to nothing
    assert centroid_hits(x, list("aabbbb"))[:2].tolist() == expected


@given(labelled_vectors(), st.randoms(use_true_random=False))
def test_the_order_of_the_occurrences_does_not_matter(example, random):
    x, labels = example
    order = random.sample(range(len(x)), len(x))
    shuffled = [labels[i] for i in order]
    for hits in (neighbour_hits, centroid_hits):
        assert hits(x[order], shuffled) == pytest.approx(hits(x, labels)[order])


@given(labelled_vectors(), st.sampled_from([0.001, 5.0, 1e4]))
def test_neither_names_nor_lengths_nor_rotations_matter(example, factor):
    x, labels = example
    d = x.shape[1]
    rotation = np.linalg.qr(np.random.default_rng(d).normal(size=(d, d)))[0]
    names = [{"a": "z", "b": "", "c": "other"}[label] for label in labels]
    for hits in (neighbour_hits, centroid_hits):
        assert hits(factor * x @ rotation, names) == pytest.approx(hits(x, labels))


def test_the_majority_line():
    assert majority(["a", "b", "a", "c"]) == 0.5
    assert majority(list("abc")) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("n", "labels"), [(3, ["a", "b"]), (2, ["a", "a"]), (0, [])])
def test_what_cannot_be_measured_is_refused(n, labels):
    with pytest.raises(ValueError, match=f"{n} vectors and {len(labels)} labels"):
        sense_accuracy(np.ones((n, 2)), labels)


# -- several words -------------------------------------------------------------------


def sentences(**words: str) -> list[Sentence]:
    """Make sentences: bank="aab" is two occurrences of sense a and one of b."""
    return [
        Sentence(word, sense, ["the", word], 1)
        for word, found in words.items()
        for sense in found
    ]


def test_each_word_is_measured_on_its_own():
    """Two words whose vectors are the same must not vote for each other."""
    s = sentences(bank="aabb", play="aabb")
    x = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1]] * 2, dtype=float)
    x[4:] = x[[4, 6, 5, 7]]  # in play, neighbours are of the other sense
    table = by_word(x, s)
    assert list(table) == ["bank", "play"]
    assert table["bank"]["nearest_neighbour"] == 1.0
    assert table["play"]["nearest_neighbour"] == 0.0
    assert table["bank"]["majority"] == table["play"]["majority"] == 0.5


def test_the_words_may_be_mixed_in_any_order():
    rng = np.random.default_rng(0)
    s, x = (
        sentences(bank="aabbb", play="abcabc", light="ab" * 4),
        rng.normal(size=(19, 3)),
    )
    order = rng.permutation(19)
    mixed = by_word(x[order], [s[i] for i in order])
    for word, row in by_word(x, s).items():
        assert mixed[word] == pytest.approx(row)


def test_the_macro_average_weighs_words_and_not_occurrences():
    often, seldom = "a" * 90 + "b" * 10, "ab"
    table = by_word(np.ones((102, 2)), sentences(often=often, seldom=seldom))
    assert macro(table)["majority"] == pytest.approx((0.9 + 0.5) / 2)
    assert set(macro(table)) == {"nearest_neighbour", "nearest_centroid", "majority"}


# -- where the vectors come from ---------------------------------------------------


HALVES = (slice(0, 4), slice(4, 8))  # forward and backward, of 4 numbers each


class Numbers:
    """An encoder whose vector says which layer, sentence and place it stands for."""

    def encode(self, batch):
        def layers(n, tokens):
            return [[[layer, n, t] for t in range(len(tokens))] for layer in range(3)]

        return [np.array(layers(n, tokens)) for n, tokens in enumerate(batch)]


def test_the_targets_vector_is_taken_from_every_layer():
    s = [Sentence("b", "x", ["a", "b"], 1), Sentence("b", "y", ["b", "c", "d"], 0)]
    x = target_vectors(Numbers(), s)
    assert x.shape == (3, 2, 3)
    for layer in range(3):
        assert x[layer].tolist() == [[layer, 0, 1], [layer, 1, 0]]


def test_read_twice_each_half_knows_the_other_side():
    """Alone, the forward half of *bank* cannot know what follows, nor the other."""
    torch.manual_seed(0)
    sizes = BiLMConfig(cells=8, projection=4, filters=[[1, 8]], cutoffs=[3])
    encoder = Encoder(BiLM(sizes, 8).eval(), Vocabulary(["<unk>", *"abcdefg"]))
    texts = ("a bank of e", "a bank of f", "g bank of e")
    s = [Sentence("bank", "x", text.split(), 1) for text in texts]
    alone, twice = target_vectors(encoder, s)[2], read_twice(encoder, s)[2]  # (3, 8)

    def differs(x, i, j):  # each half, of the sentences i and j
        return [not np.allclose(x[i, h], x[j, h], atol=1e-7) for h in HALVES]

    assert differs(alone, 0, 1) == [False, True]  # another word on the right
    assert differs(alone, 0, 2) == [True, False]  # another word on the left
    assert differs(twice, 0, 1) == differs(twice, 0, 2) == [True, True]


def test_without_place_nothing_is_left_of_what_place_alone_decides():
    """Vectors that are a place's and a sense's, added: what stays is the sense's."""
    texts = ("bank x .", "x bank x .", "x x bank .", "x x bank")
    at = (0, 1, 2, 2)  # first, inside, last, last
    s = [Sentence("bank", sense, text.split(), i)
         for text, i in zip(texts, at, strict=True) for sense in "ab"]  # fmt: skip
    rng = np.random.default_rng(0)
    of_place = dict(
        zip(("first", "inside", "last"), rng.normal(size=(3, 2, 5)), strict=True)
    )
    of_sense = {"a": np.ones(5), "b": -np.ones(5)}
    vectors = np.stack([of_place[place(x)] + of_sense[x.sense] for x in s], axis=1)
    found = without_place(vectors, s)  # two layers at once: (2, 8, 5)
    assert found == pytest.approx(np.stack([[of_sense[x.sense] for x in s]] * 2))


def test_without_place_vectors_that_are_alike_are_alike_to_the_last_digit():
    """A layer that knows no context: what batches round differently is no sense."""
    s = [Sentence("bank", "ab"[i % 2], ["x", "bank", "y"], 1) for i in range(6)]
    noise = 1e-7 * np.random.default_rng(0).normal(size=(6, 9))
    vectors = np.float32(np.linspace(1, 2, 9) + noise)
    assert not without_place(vectors, s).any()


def test_the_baseline_averages_the_other_words():
    vector_of = {"the": [1.0, 0.0], "of": [0.0, 1.0], "bank": [50.0, 50.0]}
    s = Sentence("bank", "x", ["the", "bank", "of", "the", "Zyx"], 1)
    (found,) = context_average(vector_of, [s], size=2)
    assert found == pytest.approx([2 / 3, 1 / 3])  # neither the target nor Zyx


def test_a_second_occurrence_of_the_target_word_is_context():
    vector_of = {"bank": [1.0, 2.0]}
    s = Sentence("bank", "x", ["bank", "to", "bank"], 0)
    assert context_average(vector_of, [s], size=2).tolist() == [[1.0, 2.0]]


def test_a_sentence_of_unknown_words_has_no_direction():
    """Zeros are equally far from everything, so such a sentence is left to chance."""
    s = Sentence("bank", "x", ["bank", "zyx"], 0)
    assert context_average({}, [s], size=3).tolist() == [[0.0, 0.0, 0.0]]
    x = np.vstack([np.zeros(2), np.eye(2), np.eye(2)])
    hits = neighbour_hits(x, list("xxyxy"))
    assert hits[0] == pytest.approx(2 / 4)


# -- triples --------------------------------------------------------------------------


def slow_triples(x, labels) -> list[float]:
    """Go through all triples one by one; nan where there is none."""
    found = []
    for i in range(len(x)):
        won = []
        for j, k in itertools.product(range(len(x)), repeat=2):
            if i != j and labels[j] == labels[i] != labels[k]:
                ahead = cosine(x[i], x[j]) - cosine(x[i], x[k])
                won.append(0.5 if abs(ahead) < 1e-6 else float(ahead > 0))
        found.append(np.mean(won) if won else np.nan)
    return found


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.lists(st.sampled_from("abc"), min_size=2, max_size=9))
def test_triples_equal_a_slow_loop(seed, labels):
    """Whole numbers make ties and rows of zeros."""
    x = np.random.default_rng(seed).integers(-1, 2, (len(labels), 3)).astype(float)
    np.testing.assert_allclose(triple_hits(x, labels), slow_triples(x, labels))


def test_triples_of_separate_senses_are_all_right_and_of_equal_vectors_half():
    labels = ["shore", "money", "shore", "money", "money"]
    apart = np.array([[1.0, 0.0] if s == "shore" else [0.0, 1.0] for s in labels])
    assert triple_hits(apart, labels).tolist() == [1.0] * 5
    assert triple_hits(np.ones((5, 2)), labels).tolist() == [0.5] * 5
    sentences = [Sentence("bank", s, [], 0) for s in labels]
    assert triples_by_word(apart, sentences) == {"bank": 1.0}
    # A sense with one sentence makes no triple of its own, but stands against others'.
    more = [*sentences, Sentence("bank", "row", [], 0)]
    apart = np.vstack([apart, [[-1.0, -1.0]]])
    assert triples_by_word(apart, more) == {"bank": 1.0}
