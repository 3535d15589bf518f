"""The experiments of lesson 08: they repeat themselves, and the rules are kept."""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_claims.experiments import layers, shipped, unknown_words
from course_claims.rules import row
from course_lib.text.examples import SenseSentence, Tagged

SETS = {"POS": ("POS one", "POS two"), "WSD": ("WSD one", "WSD two", "WSD three")}


@pytest.mark.parametrize("key", layers.EXPERIMENTS | unknown_words.EXPERIMENTS)
def test_an_experiment_names_each_row_once(key, quick):
    rows = quick(key)
    names = [(r["model"], r["condition"], r["metric"]) for r in rows]
    assert len(set(names)) == len(names)
    assert all(math.isfinite(r["value"]) for r in rows)


@pytest.mark.parametrize("key", ["static_identical", "pos_kept"])
def test_an_experiment_repeats_itself(key, quick):
    assert quick(key) == layers.EXPERIMENTS[key](seed=1, quick=True)


# -- parts -----------------------------------------------------------------------------


def test_a_context_is_cut_around_its_target():
    tokens = [f"w{i}" for i in range(60)]
    for target in (0, 5, 30, 59):
        cut = layers.near(SenseSentence("w", "s", "N", tokens, target, ""), width=10)
        assert cut.tokens[cut.target_index] == f"w{target}"
        assert len(cut.tokens) == 1 + min(target, 10) + min(59 - target, 10)


def test_pairs_are_of_one_sense_or_of_two_and_never_of_two_words():
    sentences = [
        SenseSentence(word, sense, "N", [word], 0, "")
        for word in ("bank", "star") for sense in "aab"
    ]  # fmt: skip
    drawn = layers.draw_pairs(sentences, 10, seed=0)
    for kind, of in drawn.items():
        for first, second in of:
            for a, b in zip(first, second, strict=True):
                assert a != b and sentences[a].word == sentences[b].word
                same = sentences[a].sense == sentences[b].sense
                assert same == (kind == "one sense")
    assert [len(a) for a, _ in drawn["one sense"]] == [1, 1]
    assert [len(a) for a, _ in drawn["two senses"]] == [2, 2]


def test_five_seeds_ask_about_each_sentence_once_and_the_next_five_deal_anew():
    sentences = [
        SenseSentence(word, sense, "N", [word], 0, "")
        for word in ("bank", "star") for sense in "ab" * 7
    ]  # fmt: skip
    for first in (1, 11):
        dealt = [layers.fifth(sentences, first + k) for k in range(5)]
        assert np.array_equal(np.sum(dealt, axis=0), np.ones(len(sentences)))
        for asked in dealt:  # 14 of each word among five: two or three each
            words = [
                s.word for s, chosen in zip(sentences, asked, strict=True) if chosen
            ]
            assert {words.count("bank"), words.count("star")} <= {2, 3}
    assert not np.array_equal(layers.fifth(sentences, 1), layers.fifth(sentences, 11))


def test_words_of_two_parts_of_speech_have_enough_of_either():
    text = [("play", "NN"), ("play", "VB"), ("of", "IN"), ("run", "VBZ")]
    sentences = [Tagged([word], [tag]) for word, tag in text for _ in range(8)]
    sentences += [Tagged(["run"], ["NN"])]  # one in nine is too few
    found = layers.two_parts(sentences, words=5, each=12, seed=0)
    assert {s.word for s in found} == {"play"} and len(found) == 12
    assert {s.pos for s in found} <= {"NN", "VB"}


def test_neighbours_stand_beside_each_word_but_not_across_sentences():
    x = np.arange(1.0, 6)[:, None]  # (5, 1): sentences of 2 and 3 words
    found = unknown_words.beside(x, [["a", "b"], ["c", "d", "e"]])
    expected = [[0, 1, 2], [1, 2, 0], [0, 3, 4], [3, 4, 5], [4, 5, 0]]
    np.testing.assert_array_equal(found, expected)


def test_a_representation_that_sees_the_word_alone_is_the_same_everywhere():
    texts = [[["a", "river", "bank"], ["the", "bank", "rnever"]], [["bank"]]]
    found = unknown_words.representations(texts, "en")
    for name in ("word table", "hashed n-grams", "table, else n-grams", "char-CNN"):
        first, second = found[name]
        np.testing.assert_array_equal(first[2], first[4])
        np.testing.assert_array_equal(first[2], second[0])
    for name in ("table and neighbours", "biLM layer 1"):
        assert not np.allclose(found[name][0][2], found[name][0][4])
    assert not found["word table"][0][5].any()  # unknown
    unknown = found["hashed n-grams"][0][5]
    np.testing.assert_array_equal(found["table, else n-grams"][0][5], unknown)


def test_the_character_network_is_layer_0_of_the_bilm():
    text = [["a", "river", "bank"]]
    chars = unknown_words.representations([text], "en")["char-CNN"][0]
    layer_0 = shipped.encoder("en").encode(text)[0][0]
    np.testing.assert_allclose(chars, layer_0[:, : chars.shape[1]], atol=1e-5)


# -- rules -----------------------------------------------------------------------------


def ledger_of(values: dict[tuple[str, str, str], float], seeds=(1, 2, 3)) -> list[dict]:
    """Write rows of some seeds that differ by a hair."""
    return [
        {"seed": seed, **row(*about, value + (seed % 2) * 1e-4 * len(about[0]))}
        for about, value in values.items()
        for seed in seeds
    ]


def by_layer(pos, wsd, **options):
    """Write accuracies in which layer 1, or 2 for senses, is ahead by so much."""
    values = {}
    for kind, gains in (("POS", pos), ("WSD", wsd)):
        for name, gain in zip(SETS[kind], gains, strict=False):
            low, high = (
                ("layer 2", "layer 1") if kind == "POS" else ("layer 1", "layer 2")
            )
            values[low, name, "accuracy"] = 0.7
            values[high, name, "accuracy"] = 0.7 + gain
    return ledger_of(values, **options)


def noisy(table, grams):
    values = {}
    for metric, about in (("unknown words", "set"), ("misspelt words", "set: 30%")):
        values["char-CNN", about, metric] = 0.7
        values["word table", about, metric] = 0.7 - table
        values["hashed n-grams", about, metric] = 0.7 - grams
    return ledger_of(values)


def alike(identical, gap):
    values = {("static", "en", "identical"): 1.0, ("static", "en", "one less two"): 0.0}
    for model in ("layer 1", "layer 2"):
        values[model, "en", "identical"] = identical
        values[model, "en", "one less two"] = gap
    rows = ledger_of(values)
    for r in rows:  # shares of pairs are exact
        if r["metric"] == "identical":
            r["value"] = round(r["value"], 2)
    return rows


# -- how much of a vector is its sense? ------------------------------------------------


def in_senses(n: int) -> list[SenseSentence]:
    """Return n sentences in each of two senses of one word."""
    return [
        SenseSentence("bank", sense, "N", ["bank"], 0, "")
        for sense in ("money", "river") for _ in range(n)
    ]  # fmt: skip


def test_senses_that_are_all_explain_all_and_senses_by_lot_nothing():
    rng, sentences = np.random.default_rng(0), in_senses(50)
    noise = rng.normal(size=(100, 8))
    apart = np.repeat([[1000.0], [-1000.0]], 50, axis=0) + noise
    assert layers.explained(apart, sentences)[0] == pytest.approx(1, abs=1e-3)
    drawn = [
        layers.explained(rng.normal(size=(100, 8)), sentences)[0] for _ in range(100)
    ]
    assert abs(np.mean(drawn)) < 0.01


def test_a_word_of_one_sense_or_of_few_sentences_is_left_out():
    sentences = in_senses(3)
    assert layers.explained(np.eye(3), sentences[:3]) == []
    assert layers.explained(np.eye(4), [*sentences[:2], *sentences[3:5]]) == []
