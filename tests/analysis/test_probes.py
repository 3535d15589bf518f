"""Probes and their controls: what must hold whatever the vectors are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

import course_lib
from course_claims.experiments.unknown_words import with_slips
from course_lib import data
from course_lib.analysis import probes
from course_lib.analysis.senses import centroid_hits, target_vectors
from course_lib.text.examples import SenseSentence, Tagged


@pytest.fixture
def rng():
    """Return a generator that is the same in every test."""
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def encoder():
    """Load the English biLM."""
    return course_lib.load("elmo-en")


def words_of(x, words, tags) -> probes.Words:
    return probes.Words(
        np.asarray(x, dtype=np.float32), np.array(words), np.array(tags)
    )


# -- splits and reading ----------------------------------------------------------------


def test_no_sentence_stands_on_both_sides_however_often_it_occurs():
    sentences = [Tagged([f"w{i % 20}", "."], ["X", "."]) for i in range(60)]
    train, test = probes.split_by_sentence(sentences, 10, 6, seed=1)
    assert (len(train), len(test)) == (10, 6)
    different = {tuple(s.tokens) for s in train + test}
    assert len(different) == 16
    again = probes.split_by_sentence(sentences, 10, 6, seed=1)
    assert again == (train, test)
    assert probes.split_by_sentence(sentences, 10, 6, seed=2) != (train, test)


def test_too_few_sentences_are_shared_out_in_proportion():
    sentences = [Tagged([f"w{i}"], ["X"]) for i in range(9)]
    train, test = probes.split_by_sentence(sentences, 200, 100, seed=0)
    assert (len(train), len(test)) == (6, 3)


def test_reading_puts_all_words_in_a_row_and_each_keeps_its_vector(encoder):
    sentences = data.load("rivertown-en-pos").split("test")[:3]
    found = probes.read(encoder, sentences)
    layers = encoder.encode([s.tokens for s in sentences])
    N = sum(len(s.tokens) for s in sentences)
    assert found.x.shape == (len(layers[0]), N, layers[0].shape[2])
    at = len(sentences[0].tokens)  # the first word of the second sentence
    assert found.words[at] == sentences[1].tokens[0]
    assert found.tags[at] == sentences[1].tags[0]
    np.testing.assert_array_equal(found.x[:, at], layers[1][:, 0])


def test_the_untrained_network_differs_in_its_numbers_only(encoder):
    fresh, again, other = (probes.untrained(encoder, seed) for seed in (1, 1, 2))
    for name, weight in encoder.model.state_dict().items():
        mine = fresh.model.state_dict()[name]
        assert mine.shape == weight.shape
        assert torch.equal(mine, again.model.state_dict()[name])
    layers = [e.encode([["a", "river"]])[0] for e in (encoder, fresh, other)]
    assert len({x.shape for x in layers}) == 1
    assert not np.allclose(layers[1], layers[0]) and not np.allclose(*layers[1:])


def test_making_an_untrained_network_leaves_the_random_state_alone(encoder):
    before = torch.random.get_rng_state()
    probes.untrained(encoder, 3)
    assert torch.equal(before, torch.random.get_rng_state())


# -- linear probes ---------------------------------------------------------------------


def clusters(rng, N=300, D=6):
    """Return points around three centres and the names of these."""
    names = rng.choice(["ADJ", "NOUN", "VERB"], size=N)
    centres = {name: 3 * rng.normal(size=D) for name in sorted(set(names))}
    return np.stack([centres[n] + rng.normal(size=D) for n in names]), names


def test_a_probe_finds_what_is_linear(rng):
    x, names = clusters(rng)
    said = probes.linear(x[None, :200], names[None, :200], x[None, 200:], 0, steps=200)
    assert np.mean(said[0] == names[200:]) > 0.95


def test_a_probe_is_as_good_as_scikit_learns(rng):
    x = rng.normal(size=(1500, 8))
    names = (x @ rng.normal(size=(8, 4)) + rng.normal(size=(1500, 4))).argmax(axis=1)
    oracle = LogisticRegression(max_iter=500).fit(x[:1000], names[:1000])
    said = probes.linear(x[None, :1000], names[None, :1000], x[None, 1000:], seed=0)
    accuracy = np.mean(said[0] == names[1000:])
    assert accuracy == pytest.approx(oracle.score(x[1000:], names[1000:]), abs=0.02)


def test_problems_that_are_solved_together_do_not_meet(rng):
    x, names = clusters(rng)
    other = rng.permutation(names)
    y = 5 + 100 * rng.normal(size=x.shape)  # another scale, too
    one = probes.linear(x[None, :200], names[None, :200], x[None, 200:], 0, steps=50)
    both = probes.linear(
        np.stack([x, y])[:, :200], np.stack([names, other])[:, :200],
        np.stack([x, y])[:, 200:], 0, steps=50,
    )  # fmt: skip
    np.testing.assert_array_equal(one[0], both[0])


def test_neither_scale_nor_shift_of_a_component_matters(rng):
    x, names = clusters(rng)
    moved = 7 + x * rng.uniform(0.1, 50, size=x.shape[1])
    said = [
        probes.linear(of[None, :200], names[None, :200], of[None, 200:], 0, steps=100)
        for of in (x, moved)
    ]
    assert np.mean(said[0] == said[1]) > 0.99


def test_a_component_that_never_changes_does_no_harm(rng):
    x, names = clusters(rng)
    x[:, 0] = 4.0
    said = probes.linear(x[None, :200], names[None, :200], x[None, 200:], 0, steps=200)
    assert np.mean(said[0] == names[200:]) > 0.9


def test_control_tags_belong_to_words_and_are_as_frequent_as_the_tags():
    words = [f"w{i}" for i in range(2000)]
    tags = ["NOUN"] * 300 + ["VERB"] * 100
    lot = probes.control_tags(words, tags, seed=0)
    assert lot == probes.control_tags(words[::-1], tags, seed=0)  # not of the order
    assert lot.keys() == set(words)
    assert Counter(lot.values())["NOUN"] / 2000 == pytest.approx(0.75, abs=0.04)


def test_vectors_that_only_name_the_word_have_no_selectivity(rng):
    # One-hot vectors: all that a probe can do is to remember, in either task.
    words = rng.choice([f"w{i}" for i in range(12)], size=600)
    own = {f"w{i}": rng.choice(["NOUN", "VERB", "ADJ"]) for i in range(12)}
    x = np.eye(12)[[int(w[1:]) for w in words]][None]
    tags = [own[w] for w in words]
    train = words_of(x[:, :400], words[:400], tags[:400])
    test = words_of(x[:, 400:], words[400:], tags[400:])
    found = probes.accuracies(train, test, seed=0, steps=300)[0]
    assert found["accuracy"] == found["control"] == 1
    assert found["selectivity"] == 0


def test_words_that_were_never_met_are_named_by_chance_in_the_control(rng):
    train = words_of(rng.normal(size=(1, 800, 5)), [f"a{i}" for i in range(800)],
                     rng.choice(["NOUN", "VERB"], size=800))  # fmt: skip
    test = words_of(rng.normal(size=(1, 800, 5)), [f"b{i}" for i in range(800)],
                    rng.choice(["NOUN", "VERB"], size=800))  # fmt: skip
    found = probes.accuracies(train, test, seed=0, steps=100)[0]
    assert found["control"] == pytest.approx(0.5, abs=0.08)


def test_endings_are_those_of_words_that_are_longer():
    words = ["singing", "bring", "ring", "ing", "ringing", "tables", "singing"]
    found = probes.endings(words, length=3, most=1)
    assert found == {"singing": "ing", "bring": "ing", "ringing": "ing"}
    assert probes.endings(["老师", "律师", "师"], 1, 5) == {"老师": "师", "律师": "师"}


# -- senses ----------------------------------------------------------------------------


def bank(sense: str, word: str = "bank") -> SenseSentence:
    return SenseSentence(word, sense, "NOUN", [word], 0, "both")


def test_a_word_without_labels_gets_its_first_sense():
    labelled, x = [bank("money"), bank("river")], np.eye(2)
    asked = [bank("?"), bank("?", "star")]
    first = {"bank": "river", "star": "sky"}
    named = probes.name_senses(x, labelled, np.array([[2.0, 1], [1, 0]]), asked, first)
    assert named == ["money", "sky"]


def test_where_all_are_equally_near_the_first_sense_decides():
    labelled = [bank("a"), bank("b"), bank("c")]
    named = probes.name_senses(np.ones((3, 4)), labelled, np.ones((1, 4)), [bank("?")],
                               {"bank": "b"})  # fmt: skip
    assert named == ["b"]


def test_means_and_single_sentences_can_disagree():
    # The nearest sentence is b's; but b's other one lies far off.
    x = np.array([[1.0, 0.3], [1, 0.4], [1, 0], [-1, 1]])
    labelled = [bank("a"), bank("a"), bank("b"), bank("b")]
    asked, first = np.array([[1.0, 0.1]]), {"bank": "a"}
    means = probes.name_senses(x, labelled, asked, [bank("?")], first)
    single = probes.name_senses(x, labelled, asked, [bank("?")], first, centroids=False)
    assert (means, single) == (["a"], ["b"])


def test_leaving_one_out_by_hand_gives_the_centroid_accuracy(encoder):
    sentences = [s for s in data.senses("en") if s.word == "play"]
    x = target_vectors(encoder, sentences)[2]
    first = {"play": "game"}
    named = [
        probes.name_senses(
            np.delete(x, i, axis=0), sentences[:i] + sentences[i + 1 :],
            x[i : i + 1], [s], first,
        )[0]
        for i, s in enumerate(sentences)
    ]  # fmt: skip
    hits = np.mean([n == s.sense for n, s in zip(named, sentences, strict=True)])
    assert hits == pytest.approx(centroid_hits(x, [s.sense for s in sentences]).mean())


def test_the_first_sense_is_the_commonest():
    sentences = [bank("a"), bank("b"), bank("b"), bank("sky", "star")]
    assert probes.first_senses(sentences) == {"bank": "b", "star": "sky"}


# -- slips and n-grams -----------------------------------------------------------------


@pytest.mark.parametrize("word", ["river", "book", "aaaa", "Bank", "苹果", "打"])
def test_a_slip_is_one_slip(word, rng):
    letters = list("果树河") if word[0] > "z" else list("xyz")
    for _ in range(50):
        new = probes.misspell(word, rng, letters)
        assert new and abs(len(new) - len(word)) <= 1
        if len(word) > 1 and len(set(word)) > 1:
            assert new != word
        if word.isascii():
            assert new[0] == word[0]
        common = Counter(new) & Counter(word)
        assert common.total() >= len(word) - 1


def test_slips_hit_the_share_of_long_words_and_grow_with_it():
    sentences = [["The", "river", "rises", "by", "1000", "feet", "."]] * 400
    found = {share: with_slips(sentences, share, seed=1) for share in (0, 0.2, 0.5, 1)}
    assert found[0][0] == sentences
    for share, (texts, changed) in found.items():
        flat = np.array(changed)
        assert not flat[:, [0, 3, 4, 6]].any()  # short words, numbers, punctuation
        assert flat[:, [1, 2, 5]].mean() == pytest.approx(share, abs=0.05)
        assert ((np.array(texts) != np.array(sentences)) == flat).all()
    few, many = (np.array(found[share][1]) for share in (0.2, 0.5))
    assert (few <= many).all()
    same = np.array(found[0.2][0])[few] == np.array(found[0.5][0])[few]
    assert same.all()


def test_grams_have_marks():
    assert probes.grams("bat", 3, 4) == ["<ba", "bat", "at>", "<bat", "bat>"]
    assert probes.grams("打", 1, 3) == ["<", "打", ">", "<打", "打>", "<打>"]


def test_hashed_grams_know_their_words_and_have_something_for_others():
    table = course_lib.load("static-en")
    small = type(table)(table.vector_size)
    words = [w for w in table.index_to_key if len(w) > 4][:400]
    small.add_vectors(words, np.stack([table[w] for w in words]))
    grams = probes.HashedGrams(small, penalty=0.1)
    found = grams([*words, "unseenly", "unseenely"])
    cosine = (found * np.vstack([small.vectors, np.zeros((2, 100))])).sum(axis=1)
    lengths = np.linalg.norm(found, axis=1)
    fitted = cosine[:400] / lengths[:400] / np.linalg.norm(small.vectors, axis=1)
    assert fitted.mean() > 0.9
    one, other = found[-2] / lengths[-2], found[-1] / lengths[-1]
    assert np.isfinite(found).all() and one @ other > 0.5  # a slip keeps most pieces


def test_tags_that_do_not_fit_their_tokens_are_refused(encoder):
    """A tag too few, and every word after it would have its neighbour's."""
    with pytest.raises(ValueError, match="sentence 0 has 2 tokens and 1 tags"):
        probes.read(encoder, [Tagged(["a", "b"], ["X"])])


def test_half_an_emoji_adds_no_gram():
    assert probes.grams("a\ud83db", 3, 3) == probes.grams("ab", 3, 3)
