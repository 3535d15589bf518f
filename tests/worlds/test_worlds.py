"""Worlds of known truth: their optimum, against every sentence and against learners."""

from __future__ import annotations

import collections
import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from course_claims.experiments.lineage import reveal
from course_lib import data
from course_lib.worlds.worlds import (
    LEXICONS,
    cue_world,
    optimum,
    pseudowords,
    xor_world,
)

READERS = ("left", "right", "both")
HARD = {"missing": 0.3, "noise": 0.1, "ratio": (2, 3)}
WORLDS = {
    **{f"cue {side}": lambda side=side, **o: cue_world(side, **o) for side in READERS},
    "xor": xor_world,
}
BREAD, DOOR = "Banana bread again .", "he ate a banana by the door ."
TEXT = [s.split() for s in (BREAD, DOOR, "the door , the door !", "no fruit here .")]


class EveryBranch:
    """Stands in for `random.Random`: goes down every branch of the choices in turn."""

    def __init__(self):
        self.path: list[int] = []

    def choices(self, options, weights=None):
        weights = weights or [1.0] * len(options)
        if self.depth == len(self.path):
            self.path.append(0)
            self.widths.append(len(options))
        i = self.path[self.depth]
        self.depth += 1
        self.probability *= weights[i] / sum(weights)
        return [options[i]]

    def outcomes(self, draw):
        """Yield each thing that `draw(self)` may give, with its probability."""
        self.widths: list[int] = []
        while True:
            self.depth, self.probability = 0, 1.0
            yield draw(self), self.probability
            while self.path and self.path[-1] == self.widths[-1] - 1:
                self.path.pop()
                self.widths.pop()
            if not self.path:
                return
            self.path[-1] += 1


def visible(sentence, reader: str) -> tuple:
    """Return all that a reader sees: every token of its side, the target hidden."""
    i = sentence.target_index
    left, right = tuple(sentence.tokens[:i]), tuple(sentence.tokens[i + 1 :])
    return {"left": left, "right": right, "both": (left, right)}[reader]


def features(sentence, reader: str) -> dict[str, int]:
    """Return its words by side, and for two sides also the pair of the outer words."""
    i, tokens = sentence.target_index, sentence.tokens
    found = {}
    if reader != "right":
        found |= {f"left {token}": 1 for token in tokens[:i]}
    if reader != "left":
        found |= {f"right {token}": 1 for token in tokens[i + 1 :]}
    if reader == "both":
        found[f"pair {tokens[1]} {tokens[-2]}"] = 1
    return found


def learned(world, reader: str, n: int = 4000) -> float:
    """Return the accuracy on n new sentences of a classifier that saw n others."""
    train, test = world.sentences(n, seed=1), world.sentences(n, seed=2)
    columns = DictVectorizer()
    x = columns.fit_transform([features(s, reader) for s in train])
    model = LogisticRegression(C=0.3, max_iter=200).fit(x, [s.sense for s in train])
    x = columns.transform([features(s, reader) for s in test])
    return model.score(x, [s.sense for s in test])


# -- the optimum -----------------------------------------------------------------------


def test_without_noise_the_optimum_is_certainty_or_chance():
    table = {
        name: [optimum(make(), reader) for reader in READERS]
        for name, make in WORLDS.items()
    }
    assert table == {
        "cue left": [1, 0.5, 1],
        "cue right": [0.5, 1, 1],
        "cue both": [1, 1, 1],
        "xor": [0.5, 0.5, 1],
    }


def test_a_second_cue_helps_where_the_first_is_missing():
    # One cue in five absent: bet by a coin there. Both are absent one time in 25.
    world = cue_world("both", missing=0.2)
    assert optimum(world, "left") == pytest.approx(1 - 0.2 / 2)
    assert optimum(world, "both") == pytest.approx(1 - 0.2**2 / 2)


def test_a_second_cue_does_not_help_against_a_noisy_first():
    # When two equally good cues disagree, nothing says which of them is right.
    world = cue_world("both", noise=0.2)
    assert optimum(world, "left") == pytest.approx(0.8)
    assert optimum(world, "both") == pytest.approx(0.8)


def test_xor_needs_both_cues_and_both_right():
    assert optimum(xor_world(missing=0.2), "both") == pytest.approx(1 - 0.36 / 2)
    # Right when both cues are, and also when both are wrong.
    assert optimum(xor_world(noise=0.1), "both") == pytest.approx(0.9**2 + 0.1**2)


def test_who_sees_no_cue_bets_on_the_commoner_class():
    assert optimum(cue_world("left", ratio=(1, 9)), "right") == pytest.approx(0.9)
    assert optimum(xor_world(ratio=(1, 9)), "left") == pytest.approx(0.9)


PROBABILITY = st.floats(0, 1)


@given(st.sampled_from(list(WORLDS)), PROBABILITY, PROBABILITY, st.integers(1, 9))
def test_two_sides_are_never_worse_than_one_and_none_worse_than_chance(
    name, missing, noise, times
):
    world = WORLDS[name](missing=missing, noise=noise, ratio=(1, times))
    assert world.joint.sum() == pytest.approx(1)
    assert world.joint.sum(axis=(1, 2))[1] == pytest.approx(times / (1 + times))
    left, right, both = (optimum(world, reader) for reader in READERS)
    rounding = 1e-9
    assert times / (1 + times) <= min(left, right) + rounding
    assert max(left, right) <= both + rounding <= 1 + 2 * rounding


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", WORLDS)
def test_the_optimum_is_that_of_all_sentences(name, language):
    # The obvious way: every sentence that the world can draw, with its probability;
    # a reader sees every token of its side, not just the cue.
    world = WORLDS[name](language=language, distances=(1, 2), **HARD)
    seen = {reader: collections.defaultdict(collections.Counter) for reader in READERS}
    for sentence, probability in EveryBranch().outcomes(world.draw):
        for reader in READERS:
            seen[reader][visible(sentence, reader)][sentence.sense] += probability
    for reader, contexts in seen.items():
        assert sum(c.total() for c in contexts.values()) == pytest.approx(1)
        best = sum(max(c.values()) for c in contexts.values())
        assert optimum(world, reader) == pytest.approx(best)


@pytest.mark.parametrize("name", WORLDS)
def test_a_learner_comes_near_the_optimum_and_never_beats_it(name):
    world = WORLDS[name](**HARD)
    for reader in READERS:
        best, n = optimum(world, reader), 4000
        chance = 3 * math.sqrt(best * (1 - best) / n)  # three standard errors
        assert best - 0.03 < learned(world, reader, n) < best + chance


# -- the sentences ---------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_cues_stand_where_they_are_said_to(language):
    words = LEXICONS[language]
    for sentence in cue_world("both", language, missing=0.5).sentences(500):
        left, right = sentence.tokens[1], sentence.tokens[-2]
        told = [left not in words.left[2], right not in words.right[2]]
        expected = {(1, 1): "both", (1, 0): "left", (0, 1): "right", (0, 0): "none"}
        assert sentence.cue == expected[tuple(told)]
        assert sentence.tokens[sentence.target_index] == sentence.word
        label = words.classes.index(sentence.sense)
        assert not told[0] or left in words.left[label]
        assert not told[1] or right in words.right[label]


def test_every_distance_is_as_likely_as_any_other():
    sentences = cue_world("left", distances=(1, 10)).sentences(5000)
    left = collections.Counter(s.target_index - 1 for s in sentences)
    right = collections.Counter(len(s.tokens) - 2 - s.target_index for s in sentences)
    for count in (left, right):
        assert sorted(count) == list(range(1, 11))
        spread = math.sqrt(5000 * 0.1 * 0.9)
        assert all(abs(n - 500) < 4.5 * spread for n in count.values())


def test_samples_come_as_often_as_the_joint_distribution_says():
    world, n = xor_world(**HARD), 20_000
    words = LEXICONS["en"]
    kinds = [{w: k for k in range(3) for w in side[k]} for side in words[2::3]]
    counts = np.zeros((2, 3, 3))
    for s in world.sentences(n, seed=4):
        cues = kinds[0][s.tokens[1]], kinds[1][s.tokens[-2]]
        counts[words.classes.index(s.sense), *cues] += 1
    spread = np.sqrt(n * world.joint * (1 - world.joint))
    assert (abs(counts - n * world.joint) < 4.5 * spread).all()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_word_has_two_places(language):
    # Otherwise a filler could be taken for a cue, and the optimum would be wrong.
    words = LEXICONS[language]
    groups = [*words.left, *words.right, words.classes, [words.opening, words.stop]]
    groups.append(list(itertools.chain(*words.left_fillers, *words.right_fillers)))
    for one, other in itertools.combinations(map(set, groups), 2):
        assert not one & other


def test_a_seed_gives_the_same_sentences_and_another_seed_others():
    world = cue_world("left")
    assert world.sentences(50, seed=1) == world.sentences(50, seed=1)
    assert world.sentences(50, seed=1) == world.sentences(80, seed=1)[:50]
    assert world.sentences(50, seed=1) != world.sentences(50, seed=2)


def test_revealing_shows_the_word_itself():
    for sentence in xor_world().sentences(20):
        tokens = reveal(sentence)
        assert tokens[sentence.target_index] in ("baked", "mended")
        tokens[sentence.target_index] = sentence.word
        assert tokens == sentence.tokens


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: cue_world("above"), "side is 'above'; it is 'left', 'right'"),
        (lambda: xor_world("fr"), "language is 'fr'; the course has 'en' and 'zh'"),
        (lambda: xor_world(noise=2), "noise=2: probabilities"),
        (lambda: xor_world(distances=(0, 3)), r"distances=\(0, 3\)"),
        (lambda: xor_world(ratio=(0, 1)), r"ratio=\(0, 1\)"),
        (lambda: optimum(xor_world(), "up"), "reader is 'up'"),
    ],
)
def test_a_mistaken_argument_is_explained(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()


# -- pseudowords -----------------------------------------------------------------------


def test_two_words_become_one_and_the_gold_sense_is_kept():
    text, senses = pseudowords(TEXT, "banana", "door")
    assert " ".join(text[0]) == "bananadoor bread again ."
    assert " ".join(text[1]) == "he ate a bananadoor by the bananadoor ."
    assert text[3] == TEXT[3]
    assert [(s.sense, s.target_index) for s in senses] == [
        ("banana", 0), ("banana", 3), ("door", 6), ("door", 1), ("door", 4),
    ]  # fmt: skip
    assert TEXT[0][0] == "Banana"  # what was given is not changed


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 9), st.integers(0, 99))
def test_the_ratio_is_exact_and_as_much_as_possible_is_merged(a, b, times, seed):
    sentences = [["x", "one"]] * a + [["two", "y"]] * b
    random.Random(seed).shuffle(sentences)
    if b < times:
        with pytest.raises(ValueError, match="too rare"):
            pseudowords(sentences, "one", "two", ratio=(1, times))
        return
    text, senses = pseudowords(sentences, "one", "two", "onetwo", (1, times), seed=seed)
    merged = collections.Counter(s.sense for s in senses)
    assert merged["two"] == times * merged["one"]
    assert merged["one"] == a or merged["two"] + times > b
    # Nothing is lost: the rest stays as it was, and revealing restores the text.
    tokens = collections.Counter(itertools.chain(*text))
    assert tokens["one"] == a - merged["one"] and tokens["two"] == b - merged["two"]
    assert tokens["onetwo"] == len(senses)
    merged_rows = [i for i, row in enumerate(text) if "onetwo" in row]
    for i, sense in zip(merged_rows, senses, strict=True):
        assert reveal(sense) == sentences[i]


def test_some_occurrences_can_be_kept_to_learn_the_words_themselves():
    sentences = [["one"]] * 10 + [["two"]] * 20
    text, _ = pseudowords(sentences, "one", "two", keep=0.5)
    words = collections.Counter(itertools.chain(*text))
    assert words == {"one": 5, "two": 10, "onetwo": 15}


def test_which_occurrences_are_merged_is_drawn_by_the_seed():
    sentences = [["one", str(i)] for i in range(50)] + [["two"]] * 5
    draws = [
        pseudowords(sentences, "one", "two", ratio=(1, 1), seed=s) for s in (1, 1, 2)
    ]
    assert draws[0] == draws[1] != draws[2]


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [("en", "river", "theatre"), ("zh", "老师", "码头")],
)
def test_any_corpus_will_do(language, first, second):
    text = data.load(f"rivertown-{language}", tokens=100_000).documents()
    merged = pseudowords(itertools.chain(*text), first, second, ratio=(1, 1))
    senses = [s.sense for s in merged.senses]
    assert senses.count(first) == senses.count(second) > 5
    for s in merged.senses:
        assert s.tokens[s.target_index] == s.word == first + second


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("banana", "window"), "'banana' occurs 2 times and 'window' 0 times"),
        (("door", "door"), "must be three words"),
        (("banana", "door", "bread"), "'bread' must be three words"),
    ],
)
def test_what_cannot_be_merged_is_explained(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        pseudowords(TEXT, *words)
