"""WindowSampler: its numbers are word2vec's, and all of the vocabulary travels."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from course_lib.models.word2vec import keep_probability, noise_distribution
from course_lib.widgets import kit, window_sampler
from course_lib.widgets.window_sampler import (
    BARS,
    MOST,
    START,
    counts_of,
    every_pair,
    facts,
    plain,
    spread,
)

SENTENCE = ["the", "w50", "w3", "unheard", "w400", "the", "w7", "w120"]


@pytest.fixture(scope="module")
def counts() -> Counter:
    """Count 500 words as Zipf would have them, "the" the first."""
    named = {f"w{rank}": 100_000 // rank for rank in range(2, 501)}
    return Counter({"the": 100_000, "<unk>": 5_000, **named})


@pytest.fixture
def widget(counts):
    return window_sampler(counts, [SENTENCE, SENTENCE[::-1]])


def state_of(widget, **changes):
    """Return what a text about the widget's state reads, with some changes."""
    return {name: getattr(widget, name) for name in ("data", *START)} | changes


def html_of(widget) -> str:
    return widget._repr_mimebundle_()[0]["text/html"]


def test_all_words_travel_from_frequent_to_rare_with_their_counts(counts, widget):
    words = widget.data["words"].split("\n")
    assert dict(zip(words, counts_of(widget.data), strict=True)) == {
        word: n for word, n in counts.items() if word != "<unk>"
    }
    assert list(counts_of(widget.data)) == sorted(counts_of(widget.data), reverse=True)


def test_the_sentence_s_words_are_found_by_rank(widget):
    words = widget.data["words"].split("\n")
    for sentence, ranks in zip(
        widget.data["sentences"], widget.data["ranks"], strict=True
    ):
        found = [words[rank] if rank >= 0 else "unheard" for rank in ranks]
        assert found == sentence


def test_what_is_said_is_what_word2vec_does(counts, widget):
    known = np.array([n for word, n in counts.most_common() if word != "<unk>"])
    keep, noise = keep_probability(known, 1e-5), noise_distribution(known, 0.5)
    values = facts(state_of(widget, t=1e-5, power=0.5))
    assert values["frequent"] == values["common"] == "the"
    assert values["rare"] == "w400" and values["scarce"] == "w500"
    assert values["frequent_keep"] == kit.chance(keep[0])
    assert values["common_noise"] == kit.chance(noise[0])
    assert values["scarce_noise"] == kit.chance(noise[-1])
    ranks = [rank for rank in widget.data["ranks"][0] if rank >= 0]
    assert values["expected"] == plain(keep[ranks].sum()) and values["known"] == 7


def test_all_pairs_of_a_centre_skip_words_outside_the_vocabulary(widget):
    assert every_pair(state_of(widget, centre=2)) == ["the", "w50", "w400", "the"]
    assert every_pair(state_of(widget, centre=0)) == ["w50", "w3"]
    assert every_pair(state_of(widget, centre=0, window=8)) == [
        word for word in SENTENCE[1:] if word != "unheard"
    ]
    assert every_pair(state_of(widget, centre=3)) == []


def test_it_starts_with_a_word_that_stays(counts):
    """Of those that stay most, the one nearest to the middle."""
    counts = counts | {"seldom": 1, "hardly": 1}
    sentence = ["seldom", "the", "the", "hardly", "the", "the", "the"]
    widget = window_sampler(counts, [sentence])
    assert widget.centre == 3 and widget.t == 1e-4


@pytest.mark.parametrize("V", [12, 13, 30, 500, 20_000])
def test_a_dozen_words_reach_from_the_first_to_the_last(V):
    ranks = spread(V)
    assert len(set(ranks)) == BARS and ranks == sorted(ranks)
    assert ranks[0] == 0 and ranks[-1] == V - 1


def test_a_centre_beyond_a_shorter_sentence_is_its_last_word(counts):
    widget = window_sampler(counts, [SENTENCE, SENTENCE[:4]])
    widget.centre, widget.sentence = 7, 1
    assert '"centre":3' in html_of(widget)


def test_things_to_try_change_what_they_talk_about(widget):
    for sentence, tours in enumerate(widget.data["tours"]):
        pairs, thin, flat = tours
        assert pairs["set"]["t"] == 1 and not pairs["set"]["dynamic"]
        own = state_of(widget, **pairs["set"])
        assert f"{len(every_pair(own))} pairs" in pairs["say"]
        assert thin["set"]["t"] == 1e-5 and "0.00001" in thin["say"]
        assert flat["set"]["power"] == 1 and "all 500 words" in flat["say"]
        assert all(tour["set"]["sentence"] == sentence for tour in tours)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_picture_without_scripts_says_the_numbers(counts, language):
    widget = window_sampler(counts, [SENTENCE], language)
    alt = re.search(r'<img alt="([^"]+)"', html_of(widget))[1]
    values = facts(state_of(widget))
    for name in ("frequent_keep", "rare_keep", "common_noise", "scarce_noise", "pairs"):
        assert str(values[name]) in alt
    assert "{" not in alt and "w500" in alt


def test_the_largest_vocabulary_makes_a_page_below_300_kb():
    """As many words as are allowed, of seven letters, and Zipf's counts."""
    counts = {f"w{rank:06}": 5 + 10**6 // rank for rank in range(1, MOST + 1)}
    widget = window_sampler(counts, [list(counts)[:15]] * 3)
    assert len(html_of(widget).encode()) < 300_000


def test_what_does_not_fit_together_is_refused(counts):
    few, many = dict(counts.most_common(9)), {f"w{i}": 5 for i in range(MOST + 1)}
    cases = [
        ((few, [SENTENCE]), "9 words; the widget shows 12"),
        ((many, [SENTENCE]), "if n >= 5"),
        ((counts | {"never": 0}, [SENTENCE]), "'never'"),
        ((counts | {"two\nlines": 3}, [SENTENCE]), "lines"),
        ((counts, []), "0 sentences"),
        ((counts, [SENTENCE] * 7), "7 sentences"),
        ((counts, ["a sentence"]), "must be a list"),
        ((counts, [SENTENCE[:3]]), "4 to 30"),
        ((counts, [["un", "heard", "of", "the"]]), "fewer than 2"),
        ((counts, [SENTENCE], "fr"), "'en' and 'zh'"),
    ]
    for given, message in cases:
        with pytest.raises(ValueError, match=message):
            window_sampler(*given)
