"""NgramNNLM: three rankings that are what the counts, the formula, the network say."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest
import torch

from course_lib.models.ngram import KneserNey
from course_lib.models.nnlm import NNLM
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.widgets import kit, ngram_nnlm
from course_lib.widgets.ngram_nnlm import ORDERS, TOP, ranking, split, top

SEEN = ["a", "child", "ran", "in", "the", "house"]
UNSEEN = ["near", "the", "house", "the", "dog", "slept"]  # no dog ever slept
CONTEXTS = [SEEN, UNSEEN, ["in", "the", "garden", ".", "a", "horse"]]


def made_up_text(sentences: int = 600) -> list[str]:
    """Write sentences about animals; a word in a hundred is never said again."""
    draw, words = np.random.default_rng(0), []
    for number in range(sentences):
        who, did, how, where = (
            list(kinds)[draw.integers(4)]
            for kinds in (
                ("dog", "cat", "horse", "child"),
                ("ran", "slept", "sat", "played"),
                ("in", "near", "behind", "outside"),
                ("house", "garden", "kitchen", "market"),
            )
        )
        if (who, did) != ("dog", "slept"):
            words += [("the", "a")[draw.integers(2)], who, did, how, "the", where, "."]
        if number % 15 == 0:
            words.append(f"rare{number}")
    return words


@pytest.fixture(scope="module")
def text() -> list[str]:
    return made_up_text()


@pytest.fixture(scope="module")
def vocabulary(text) -> Vocabulary:
    return Vocabulary.from_counts(Counter(text), size=100, min_count=2)


@pytest.fixture(scope="module")
def model(text, vocabulary) -> NNLM:
    """Train a small network for a second."""
    torch.manual_seed(0)
    ids = torch.tensor(vocabulary.encode(text))
    model = NNLM(len(vocabulary), n=5, m=8, h=16)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    contexts, targets = ids.unfold(0, 5, 1).split([4, 1], dim=1)
    for _ in range(150):
        optimizer.zero_grad()
        model(contexts, targets[:, 0])[1].backward()
        optimizer.step()
    return model


@pytest.fixture
def widget(text, model, vocabulary):
    return ngram_nnlm(text, model, vocabulary, CONTEXTS)


def after(words: list[str], context: list[str]) -> Counter:
    """Count, slowly, which words followed a context."""
    size = len(context)
    pieces = (words[i : i + size + 1] for i in range(len(words) - size))
    return Counter(piece[-1] for piece in pieces if piece[:-1] == context)


def known(words: list[str], vocabulary: Vocabulary) -> list[str]:
    return vocabulary.decode(vocabulary.encode(words))


@pytest.mark.parametrize("order", ORDERS)
def test_kneser_ney_is_that_of_the_course(text, vocabulary, widget, order):
    """Every word that is shown has the P that `models.ngram` gives it."""
    model = KneserNey([vocabulary.encode(text)], order, vocabulary=len(vocabulary) + 1)
    for shown in widget.data["contexts"]:
        context = vocabulary.encode(shown["words"][1 - order :])
        here = shown["orders"][str(order)]["kn"]
        for word, p in zip(shown["shown"], here["p"], strict=True):
            expected = model.probability(*context, vocabulary.ids[word])
            assert p == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("order", ORDERS)
def test_counts_are_those_of_the_text(text, vocabulary, widget, order):
    words = known(text, vocabulary)
    for shown in widget.data["contexts"]:
        context = known(shown["words"][1 - order :], vocabulary)
        slow, here = after(words, context), shown["orders"][str(order)]
        assert here["seen"] == slow.total() and here["kinds"] == len(slow)
        for word, share in zip(shown["shown"], here["ml"]["p"], strict=True):
            expected = slow[word] / max(slow.total(), 1)
            assert share == pytest.approx(expected, abs=1e-4)


def test_the_network_reads_its_own_number_of_words(text, vocabulary):
    """Of order 3 it reads two words, whatever order the counts have."""
    model = NNLM(len(vocabulary), n=3, m=8, h=16)
    widget = ngram_nnlm(text, model, vocabulary, CONTEXTS)
    shown = widget.data["contexts"][0]
    window = torch.tensor([vocabulary.encode(SEEN[-2:])])
    with torch.no_grad():
        p = model(window).softmax(1)[0]
    expected = [float(p[vocabulary.ids[word]]) for word in shown["shown"]]
    assert shown["network"]["p"] == pytest.approx(expected, rel=1e-3)
    assert widget.data["reads"] == 2


def test_a_ranking_leaves_unknown_words_and_zeros_out():
    p = np.array([0.5, 0.1, 0.0, 0.3, 0.1])
    assert top(p) == [3, 1, 4]  # ties: the more frequent word first
    shown = ranking(p, [0, 3, 4, 2, 1])
    assert shown["top"] == [1, 4, 2]  # where words 3, 1 and 4 are among those shown
    assert shown["rank"] == [1, 1, 2, 4, 2]  # words 4 and 1 share the second place


def test_a_ranking_shows_the_first_words_of_all(widget):
    for shown in widget.data["contexts"]:
        for part in (shown["network"], shown["orders"]["2"]["kn"]):
            assert len(part["top"]) == TOP
            ranks = [part["rank"][i] for i in part["top"]]
            assert ranks[0] == 1 and ranks == sorted(ranks)
            assert UNK not in [shown["shown"][i] for i in part["top"]]


def test_after_an_unseen_context_counting_is_zero_and_the_network_is_not(widget):
    shown = widget.data["contexts"][1]
    here = shown["orders"]["3"]
    assert here["seen"] == 0 and here["ml"]["top"] == []
    assert set(here["ml"]["p"]) == {0}
    assert here["back"] == 1  # Kneser-Ney goes back to "slept" alone
    places = {"in", "near", "behind", "outside"}
    first = [shown["shown"][i] for i in shown["network"]["top"][:4]]
    assert set(first) == places  # what follows "the cat slept", and all others


def test_it_starts_where_the_story_is(widget):
    assert (widget.context, widget.order) == (1, 3)
    shown = widget.data["contexts"][1]
    assert widget.word == shown["shown"][shown["network"]["top"][0]]


def test_lenders_were_seen_and_differ_in_one_word(text, vocabulary, widget):
    words = known(text, vocabulary)
    lenders = widget.data["contexts"][1]["orders"]["3"]["near"]
    assert lenders
    cosines = [one["cosine"] for one in lenders]
    assert cosines == sorted(cosines, reverse=True)
    for one in lenders:
        differ = [a != b for a, b in zip(one["words"], UNSEEN[-2:], strict=True)]
        assert sum(differ) == 1 and differ[one["place"]]
        assert after(words, one["words"]).total() == one["seen"] > 0


def test_what_to_try_follows_what_was_measured(widget):
    enough, never, longer = widget.data["tours"]
    contexts = widget.data["contexts"]
    counted = contexts[enough["context"]]["orders"]["3"]
    assert counted["seen"] > 0 and f"{counted['seen']}×" in enough["say"]
    assert "dog slept” does not occur" in never["say"] and never["context"] == 1
    for order in map(str, ORDERS):
        seen = contexts[longer["context"]]["orders"][order]["seen"]
        assert f"{seen}×" in longer["say"]


def test_where_all_was_seen_the_rarest_is_shown(text, model, vocabulary):
    contexts = [["ran", "in", "the", "house"], ["slept", "near", "the", "garden"]]
    _, never, _ = ngram_nnlm(text, model, vocabulary, contexts).data["tours"]
    assert "all the others get 0" in never["say"]


def test_typed_words_are_answered_like_those_of_the_lesson(widget):
    widget.typed = "In the garden. A horse"
    assert widget.answer["typed"] == "In the garden. A horse"
    expected = widget.data["contexts"][2]
    assert {key: widget.answer[key] for key in expected} == expected


def test_a_short_or_unknown_text_says_so(widget):
    widget.typed = "the zeppelin"
    assert widget.answer["words"] == [UNK, UNK, "the", "zeppelin"]
    assert widget.answer["known"] == [True, True, True, False]
    widget.typed = "  "
    assert widget.answer["typed"] == "the zeppelin"  # nothing asked, nothing said
    widget.typed = "\u200b"  # no word, but the page does not know that and waits
    assert widget.answer["typed"] == "\u200b"


def test_a_typed_text_is_cut_as_its_language_is():
    words = Vocabulary([UNK, "the", "US", "猫", "在", "院子", "里"])
    assert split("The US didn't", words, "en") == ["the", "US", "did", "n't"]
    assert split("猫 在", words, "zh") == ["猫", "在"]
    assert split("猫在院子里", words, "zh") == ["猫", "在", "院子", "里"]
    assert len(split("the " * 50, words, "en")) == 12


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_picture_without_scripts_says_the_numbers(
    text, model, vocabulary, language
):
    widget = ngram_nnlm(text, model, vocabulary, CONTEXTS, language)
    for widget.context, widget.order in ((0, 3), (1, 3), (1, 2)):
        page = widget._repr_mimebundle_()[0]["text/html"]
        alt = re.search(r'<img alt="([^"]+)"', page)[1]
        shown = widget.data["contexts"][widget.context]
        assert " ".join(shown["words"]) in alt and "{" not in alt
        assert f"{widget.data['tokens']:,}" in alt
        for part in (shown["network"], shown["orders"][str(widget.order)]["kn"]):
            assert kit.chance(part["p"][part["top"][0]]) in alt
        said = {"en": "never seen", "zh": "从没见过"}[language]
        assert (said in alt) == ((widget.context, widget.order) == (1, 3))


def test_ten_contexts_of_long_words_stay_below_300_kb(text, model):
    """The words are renamed: the text, and so all counts, stay the same."""
    long = {word: f"{word}-and-unforgettable" for word in set(text)}
    text = [long[word] for word in text]
    vocabulary = Vocabulary.from_counts(Counter(text), size=100, min_count=2)
    contexts = [text[i : i + 10] for i in range(10)]
    widget = ngram_nnlm(text, model, vocabulary, contexts)
    assert len(json.dumps(widget.data, ensure_ascii=False).encode()) < 200_000
    page = widget._repr_mimebundle_()[0]["text/html"]
    assert len(page.encode()) < 300_000


def test_what_does_not_fit_together_is_refused(text, model, vocabulary):
    cases = [
        ((vocabulary.encode(text), model, vocabulary, CONTEXTS), "decode"),
        (("a text", model, vocabulary, CONTEXTS), "list of words"),
        ((text[:3], model, vocabulary, CONTEXTS), "has 3 words"),
        ((text, model, Vocabulary([UNK]), CONTEXTS), "the vocabulary 1"),
        ((text, model, vocabulary, [SEEN]), "1 contexts"),
        ((text, model, vocabulary, [SEEN, ["the"]]), "4 words or more"),
        ((text, model, vocabulary, [SEEN, "the dog"]), "must be a list"),
        ((text, model, vocabulary, CONTEXTS, "fr"), "'en' and 'zh'"),
    ]
    for given, message in cases:
        with pytest.raises(ValueError, match=message):
            ngram_nnlm(*given)
