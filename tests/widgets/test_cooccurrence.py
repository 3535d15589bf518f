"""Cooccurrence: what it shows is what was counted, and all of it travels along."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.sparse import csr_array

from course_lib.models.glove import GloVe, cooccurrences, ratios
from course_lib.widgets import cooccurrence
from course_lib.widgets.cooccurrence import (
    amount,
    blocks,
    decode,
    factor,
    held_by_rare,
    lean,
)

GROUPS = [["river", "water", "boat"], ["bank", "money", "loan"], ["the", "of"]]
PAIRS = {
    ("river", "money"): ["water", "loan", "the", "boat"],
    ("boat", "bank"): ["water", "money"],
}


@pytest.fixture(scope="module")
def words() -> list[str]:
    named = [word for group in GROUPS for word in group]
    return ["<unk>", *named, *(f"word{n}" for n in range(400))]


@pytest.fixture(scope="module")
def counted(words) -> dict[int, csr_array]:
    """Count sentences about one of two topics, with function words in all of them."""
    draw, V = np.random.default_rng(0), len(words)
    sentences = []
    for n in range(1500):
        topic = draw.choice([1, 2, 3] if n % 2 else [4, 5, 6], 4)
        others = draw.integers(9, V, 4)
        mixed = [*topic, *others, 7, 8]
        sentences.append([mixed[i] for i in draw.permutation(10)])
    return {window: cooccurrences(sentences, V, window) for window in (5, 2)}


@pytest.fixture(scope="module")
def data(words, counted) -> dict:
    return cooccurrence(counted, words, GROUPS, PAIRS).data


def html_of(widget) -> str:
    """Return what a page without a kernel gets."""
    bundle, _ = widget._repr_mimebundle_()
    return bundle["text/html"]


def numbers_of(data: dict, words: list[str]) -> list[int]:
    return [words.index(word) for word in data["words"]]


def test_the_counts_that_travel_are_those_of_the_table(data, words, counted):
    rows = numbers_of(data, words)
    for number, X in enumerate(counted.values()):
        table = X[rows][:, rows].toarray()
        found = decode(data, number)
        assert np.allclose(found, table, rtol=2e-4)
        assert np.array_equal(found == 0, table == 0)


def test_totals_take_in_the_words_that_do_not_travel(data, words, counted):
    window, X = data["windows"][0], counted[5]
    rows = numbers_of(data, words)
    assert len(rows) == 200 < len(words)
    assert np.allclose(window["totals"], X.sum(axis=1)[rows], rtol=1e-5)
    assert window["total"] == pytest.approx(X.sum())
    assert window["seen"] == sum(window["bars"]) == X.nnz


def test_groups_come_first_and_the_words_of_the_pairs_are_all_there(data):
    shown = [word for group in GROUPS for word in group]
    assert data["words"][: len(shown)] == shown and data["shown"] == [3, 6, 8]
    assert len(set(data["words"])) == 200
    first = data["pairs"][0]
    assert [data["words"][k] for k in first["probes"]] == PAIRS["river", "money"]


def test_places_left_go_to_words_that_stand_near_more_often_than_by_chance(words):
    """Words 100 … 104 stand beside "loan" alone; all others go with every word."""
    X = np.ones((len(words), len(words)))
    loan, near = words.index("loan"), range(100, 105)
    X[loan, near] = X[near, loan] = 30
    table = cooccurrence(csr_array(X), words, GROUPS, PAIRS).data["words"]
    assert {words[n] for n in near} <= set(table)


def test_bars_hold_the_counts_that_they_say(data, counted):
    """A bar ends with its upper edge, so that "at most once" is a sum of bars."""
    window, x = data["windows"][0], counted[5].tocoo().data
    rare = sum(window["bars"][: 1 - window["low"]])
    assert rare == (x <= 1 + 1e-9).sum()
    for bar, mean in enumerate(window["means"]):
        low, high = (10 ** ((window["low"] + bar + d) / 12) for d in (-1, 0))
        if window["bars"][bar]:
            assert low * 0.999 <= mean <= high * 1.001


@pytest.mark.parametrize("alpha", [0.0, 0.75])
def test_the_share_of_rare_pairs_in_the_weight_is_that_of_every_pair(
    data, counted, alpha
):
    x = counted[5].tocoo().data
    weights = GloVe(1, 1, alpha=alpha).weight(x)
    exact = weights[x <= 1 + 1e-9].sum() / weights.sum()
    found = held_by_rare(data["windows"][0], alpha=alpha)
    assert found == pytest.approx(exact, abs=0.003)


def test_the_stories_ratios_are_those_of_the_counts(data, words, counted):
    i, j, *probes = (
        words.index(w) for w in ("river", "money", *PAIRS["river", "money"])
    )
    expected = ratios(counted[5], i, j, probes)[2]
    for word, ratio in zip(PAIRS["river", "money"], expected, strict=True):
        assert f"{word} {factor(ratio)}" in data["alt"]
    assert "“loan” for money" in data["tours"][1]["say"]
    assert "“the” comes nearest to 1" in data["tours"][1]["say"]


def test_a_probe_with_few_counts_is_not_told_about(words):
    """ "boat" was near river once and never near money: ∞, yet no evidence."""
    X = np.ones((len(words), len(words)))
    river, money, boat, of = map(words.index, ("river", "money", "boat", "of"))
    X[river, boat], X[money, boat], X[river, of] = 1, 0, 30
    X = csr_array(np.maximum(X, X.T))
    X[money, boat] = X[boat, money] = 0
    pairs = {("river", "money"): ["boat", "the", "of", "water"]}
    X[river, words.index("water")] = X[river, words.index("the")] = 8
    said = cooccurrence(X, words, GROUPS, pairs).data["tours"][1]["say"]
    assert "boat" not in said and "“of” speaks for river" in said


def test_too_few_counts_make_no_ratio_worth_telling():
    leaning = lean(np.array([100.0, np.inf, 0.0, np.nan]), np.array([4, 50, 50, 0]))
    assert leaning[0] == 0 and leaning[3] == 0
    assert leaning[1] == -leaning[2] > 10


def test_groups_show_where_words_meet_more_often_than_by_chance(words, counted, data):
    rows = numbers_of(data, words)
    inside, across, cell = blocks(counted[5], rows, data["shown"])
    assert inside > 2 * across
    assert cell[0] != cell[1]
    assert np.searchsorted([3, 6, 8], cell[0], "right") == np.searchsorted(
        [3, 6, 8], cell[1], "right"
    )


def test_chance_alone_gives_one_everywhere(words):
    """X_ik = X_i X_k / total: nothing is left beyond frequency."""
    frequency = np.arange(1, len(words) + 1.0)
    X = csr_array(np.outer(frequency, frequency))
    inside, across, _ = blocks(X, [*range(1, 9)], [3, 6, 8])
    assert inside == pytest.approx(1) and across == pytest.approx(1)


def test_it_starts_with_the_first_pair_and_a_probe_of_the_readers_own(words):
    widget = cooccurrence(csr_array(np.ones((409, 409))), words, GROUPS, PAIRS)
    names = widget.data["words"]
    assert (names[widget.i], names[widget.j]) == ("river", "money")
    assert names[widget.k] not in ("river", "money", *PAIRS["river", "money"])
    assert (widget.x_max, widget.alpha) == (100, 0.75)  # the paper's


@pytest.mark.parametrize(
    ("x", "text"), [(0, "0"), (0.05, "0.05"), (39.61, "39.6"), (12345.6, "12,300")]
)
def test_counts_are_written_with_three_digits(x, text):
    assert amount(x) == text


def test_ratios_are_written_with_two_digits():
    values = (8.94, 0.0849, 118.2, 999.6, np.inf, 0.0, np.nan)
    expected = ["8.9", "0.085", "120", "1,000", "∞", "0", "–"]
    assert [factor(value) for value in values] == expected


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_of_the_picture_say_the_ratios(words, counted, language):
    alt = cooccurrence(counted, words, GROUPS, PAIRS, language).data["alt"]
    assert "river" in alt and "water" in alt


def test_three_windows_and_no_empty_cell_stay_below_300_kb(words):
    """The worst case: 200 words that all stood near each other, 36 on the map."""
    draw = np.random.default_rng(0)
    full = np.exp(draw.normal(2, 3, size=(409, 409)))
    X = csr_array(np.maximum(full + full.T, 0.1))
    shown = [words[n : n + 6] for n in range(1, 37, 6)]
    widget = cooccurrence({10: X, 5: X, 2: X}, words, shown, PAIRS)
    assert len(json.dumps(widget.data, ensure_ascii=False).encode()) < 300_000
    assert len(html_of(widget).encode()) < 300_000


def test_what_does_not_fit_together_is_refused(words, counted):
    X = counted[5]
    cases = [
        ((X[:5, :5], words, GROUPS, PAIRS), "X has shape .* for 409 words"),
        (({}, words, GROUPS, PAIRS), "there are 0 windows"),
        ((X, words, GROUPS[:1], PAIRS), "1 groups"),
        ((X, words, [["river", "river"], ["of", "the"]], PAIRS), "4 to 36 different"),
        ((X, words, GROUPS, {}), "at least one pair"),
        ((X, words, GROUPS, {("river", "bank"): ["of"]}), "two probe words"),
        ((X, words, [["river", "wa ter"], ["of", "the"]], PAIRS), "not in .*: wa ter"),
        ((X, words, [["river", "<unk>"], ["of", "the"]], PAIRS), "never near .*<unk>"),
    ]
    for given, message in cases:
        with pytest.raises(ValueError, match=message):
            cooccurrence(*given)
    with pytest.raises(ValueError, match="'fr'.*'en' and 'zh'"):
        cooccurrence(X, words, GROUPS, PAIRS, "fr")
