"""SentenceProbe: what it says of a sentence is what the model says of it."""

from __future__ import annotations

import json
import re
import string
from typing import NamedTuple

import numpy as np
import pytest
import torch

from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.vocabulary import Vocabulary
from course_lib.widgets import sentence_probe
from course_lib.widgets.probe import LIMIT, OPENINGS, VOTERS


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the probe reads."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


TEXTS = {
    "en": {
        "river": ("we sat on the bank of the river", "the bank was wet and steep"),
        "money": ("the bank lent her money", "she asked her bank for a loan"),
    },
    "zh": {
        "水果": ("这 个 苹果 又 甜 又 脆", "我 吃 了 一 个 苹果"),
        "公司": ("苹果 发布 了 新 手机", "他 买 了 苹果 的 电脑"),
    },
}
WORDS = {"en": "bank", "zh": "苹果"}


def uses(language: str) -> list[Use]:
    """Return eight sentences of each sense."""
    rows = []
    for sense, texts in TEXTS[language].items():
        for number in range(8):
            tokens = [*texts[number % 2].split(), f"{number}"]
            rows.append(
                Use(WORDS[language], sense, tokens, tokens.index(WORDS[language]))
            )
    return rows


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    """Return a small biLM; nobody has trained it, but it reads from both sides."""
    torch.manual_seed(0)
    filters = [[1, 8], [2, 8], [3, 8]]
    config = BiLMConfig(cells=32, projection=16, filters=filters)
    return Encoder(
        BiLM(config, 20), Vocabulary(["<unk>", *string.ascii_lowercase[:19]])
    )


@pytest.fixture(scope="module")
def probes(encoder):
    """Return the widget of each language."""
    return {
        name: sentence_probe(encoder, word, uses(name), language=name)
        for name, word in WORDS.items()
    }


def ask(widget, **question) -> dict:
    """Put a question as the page does, and return the answer."""
    number = widget.answer.get("number", 0) + 1
    widget.asked = {"number": number, "word": widget.data["word"], **question}
    assert widget.answer["number"] == number
    return json.loads(json.dumps(widget.answer))  # what the page gets


def cosine(a, b) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_a_dropped_word_is_the_sentence_read_without_it(probes, encoder):
    shown = ask(probes["en"], text="Our bank is near the old mill")["sentence"]
    words = shown["words"]
    assert words == ["Our", "bank", "is", "near", "the", "old", "mill"]
    assert shown["variants"].keys() == {"", "0", "2", "3", "4", "5", "6"}
    [whole] = encoder.encode([words])
    for key, variant in shown["variants"].items():
        rest = [word for i, word in enumerate(words) if str(i) != key]
        [read] = encoder.encode([rest])
        for layer in range(3):
            a, b = whole[layer, 1], read[layer, rest.index("bank")]
            half = len(a) // 2
            expected = [
                cosine(a, b),
                cosine(a[:half], b[:half]),
                cosine(a[half:], b[half:]),
            ]
            assert variant[0]["moved"][layer] == pytest.approx(
                1 - np.array(expected), abs=1e-3
            )


def test_each_half_sees_only_its_own_side_and_layer_0_none(probes):
    for widget in probes.values():
        for sentence in widget.data["sentences"]:
            for key, variant in sentence["variants"].items():
                for target, place in zip(sentence["targets"], variant, strict=True):
                    moved = np.array(place["moved"])  # (L+1, 3): forward, backward last
                    assert (moved[0] == 0).all()
                    if key:
                        blind = 1 if int(key) > target else 2
                        assert (moved[:, blind] == 0).all()
                        if abs(int(key) - target) == 1:  # the word next to it
                            assert moved[1:, 3 - blind].min() > 0


def test_the_star_lies_where_the_examples_own_vectors_would(probes):
    """A sentence that is an example itself: its star lies on that example's point."""
    data = probes["en"].data
    for sentence in data["sentences"][1:]:  # after the one with the word twice
        number = [use.tokens for use in uses("en")].index(sentence["words"])
        for layer, points in enumerate(data["frames"]):
            star = sentence["variants"][""][0]["points"][layer]
            assert star == pytest.approx(points[number], abs=2e-3)


def test_an_example_is_not_asked_for_its_own_sense(probes, encoder):
    data, rows = probes["en"].data, uses("en")
    layers = encoder.encode([row.tokens for row in rows])
    sentence = data["sentences"][1]
    own = [row.tokens for row in rows].index(sentence["words"])
    for layer in range(3):
        vectors = [x[layer, r.target_index] for x, r in zip(layers, rows, strict=True)]
        [here] = sentence["variants"][""]
        assert own not in here["near"][layer]
        cosines = {
            i: cosine(vectors[own], v) for i, v in enumerate(vectors) if i != own
        }
        best = sorted(cosines.values(), reverse=True)[:VOTERS]
        assert here["cosines"][layer] == pytest.approx(best, abs=1e-3)
        for kind, sense in enumerate(data["senses"]):
            others = [
                v / np.linalg.norm(v)
                for i, v in enumerate(vectors)
                if rows[i].sense == sense and i != own
            ]
            expected = cosine(np.mean(others, axis=0), vectors[own])
            assert here["senses"][layer][kind] == pytest.approx(expected, abs=1e-3)


def test_without_context_all_examples_tie(probes):
    for widget in probes.values():
        _, *known = widget.data["sentences"]
        ties = [s["variants"][""][0]["ties"][0] for s in known]
        assert ties == [15] * len(ties)  # all of 16 but the sentence itself
        typed = ask(widget, text=f"a {widget.data['word']} b")["sentence"]
        assert typed["variants"][""][0]["ties"][0] == 16


def test_several_words_can_be_dropped_at_once(probes, encoder):
    widget = probes["en"]
    words = ["our", "bank", "is", "near", "the", "mill"]
    [variant] = ask(widget, words=words, targets=[1], dropped=[0, 3, 4])["variant"]
    [again] = ask(widget, text="bank is mill")["sentence"]["variants"][""]
    for key in ("points", "near", "cosines", "senses"):
        assert variant[key] == again[key]
    [whole], [rest] = encoder.encode([words]), encoder.encode([["bank", "is", "mill"]])
    moved = 1 - cosine(whole[2, 1], rest[2, 0])
    assert variant["moved"][2][0] == pytest.approx(moved, abs=1e-3)


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "   ", "no word yet"),
        (
            "en",
            "nothing of the kind",
            "None of the words that have annotated sentences",
        ),
        ("en", "the embankment is high", "only a part of “embankment”"),
        ("en", "bank " * 500, f"500 words; at most {LIMIT}"),
        ("zh", "", "还没有写字"),
        ("zh", "我吃了一个梨", "句子里没有标注过的词"),
        ("zh", "苹果" * 500, "个词"),
    ],
)
def test_what_cannot_be_read_gets_an_answer_and_loses_nothing(
    probes, language, text, words
):
    widget = probes[language]
    good = ask(widget, text=f"1 {WORDS[language]} 2")["sentence"]
    answer = ask(widget, text=text)
    assert words in answer["problem"]
    assert answer["sentence"] == good
    assert not re.search("[{}]", answer["problem"])


def test_a_chinese_word_stuck_in_another_is_cut_out_by_spaces(encoder):
    rows = [Use("打", s, ["我", "打", w], 1) for s, w in [("a", "门"), ("b", "球")] * 4]
    widget = sentence_probe(encoder, "打", rows, language="zh")
    answer = ask(widget, text="他打电话给我")
    assert "jieba 把它和旁边的字合成了“打电话”" in answer["problem"]
    words = ask(widget, text=answer["fix"])["sentence"]["words"]
    assert words[:3] == ["他", "打", "电话"]


def test_a_capital_letter_does_not_hide_the_word(probes):
    shown = ask(probes["en"], text="Bank or river?")["sentence"]
    assert (shown["targets"], shown["words"]) == ([0], ["Bank", "or", "river", "?"])


def test_the_lesson_may_name_the_sentences_to_begin_with(encoder):
    texts = ["the bank is steep", "her bank lent money"]
    widget = sentence_probe(encoder, "bank", uses("en"), texts)
    assert [" ".join(s["words"]) for s in widget.data["sentences"]] == texts
    with pytest.raises(ValueError, match="'no such word': None of the words"):
        sentence_probe(encoder, "bank", uses("en"), ["no such word"])


def test_what_to_try_follows_what_was_measured(probes):
    for language, widget in probes.items():
        data = widget.data
        best = data["best"]
        pull, side, zero = data["tours"]
        assert zero["layer"] == 0 and pull["layer"] == side["layer"] == best
        place, [key] = pull["sentence"], pull["dropped"]
        variants = data["sentences"][place]["variants"]
        moved = variants[str(key)][0]["moved"][best][0]
        flips = {v[0]["said"][best] for v in (variants[""], variants[str(key)])}
        assert f"{moved:.2f}" in pull["say"]
        if len(flips) == 1:  # nothing changes the sense: then the strongest of all
            every = [
                v[0]["moved"][best][0]
                for s in data["sentences"]
                for v in s["variants"].values()
            ]
            assert moved == max(every)
        assert not any("{" in tour["say"] for tour in data["tours"])
        assert ("“" + data["sentences"][place]["words"][key]) in pull["say"]
        assert widget.layer == best and widget.dropped == [], language


def test_without_a_kernel_all_single_drops_travel_along(probes):
    for language, widget in probes.items():
        page = widget._repr_mimebundle_()[0]["text/html"]
        assert '"asked":{}' in page
        assert WORDS[language] in re.search(r'<img alt="([^"]+)"', page)[1]


def test_a_word_without_two_senses_is_refused(encoder):
    with pytest.raises(ValueError, match="'bark' has 0 examples of 0 senses"):
        sentence_probe(encoder, "bark", uses("en"))
    with pytest.raises(ValueError, match="'fr'.*'en' and 'zh'"):
        sentence_probe(encoder, "bank", uses("en"), language="fr")


def test_two_places_of_a_word_are_two_vectors(probes, encoder):
    """The sentence that it opens with has the word twice, in both languages."""
    for widget in probes.values():
        first = widget.data["sentences"][0]
        assert len(first["targets"]) == 2
        assert "".join(first["words"]) == OPENINGS[first["word"]].replace(" ", "")
        assert (
            not {str(target) for target in first["targets"]} & first["variants"].keys()
        )
        [layers] = encoder.encode([first["words"]])
        for target, place in zip(first["targets"], first["variants"][""], strict=True):
            [own] = [s for s in [ask(widget, text=" ".join(first["words"]))]]
            again = own["sentence"]["variants"][""][first["targets"].index(target)]
            assert again == place
            middle = widget.probes.of(first["word"]).plane.place(layers[:, [target]])
            np.testing.assert_allclose(place["points"], middle[:, 0], atol=1e-3)


def test_the_vote_is_that_of_the_nearest_and_its_worth_is_held_out(probes, encoder):
    data, rows = probes["en"].data, uses("en")
    layers = encoder.encode([row.tokens for row in rows])
    for layer in (1, 2):
        vectors = [x[layer, r.target_index] for x, r in zip(layers, rows, strict=True)]
        right = 0
        for own, vector in enumerate(vectors):
            near = {i: cosine(vector, v) for i, v in enumerate(vectors) if i != own}
            asked = sorted(near, key=near.get, reverse=True)[:VOTERS]
            votes = [rows[i].sense for i in asked]
            right += max(set(votes), key=votes.count) == rows[own].sense
        assert data["worth"][layer] == pytest.approx(right / len(rows), abs=1e-4)
    for sentence in data["sentences"]:
        for place in sentence["variants"][""]:
            for near, votes, said in zip(
                place["near"], place["votes"], place["said"], strict=True
            ):
                kinds = [data["sense"][i] for i in near]
                assert votes == [kinds.count(k) for k in range(len(votes))]
                assert votes[said] == max(votes)


def test_any_annotated_word_of_either_language_is_found(encoder):
    both = {"en": encoder, "zh": encoder}
    rows = {name: uses(name) for name in both}
    widget = sentence_probe(both, "bank", rows)
    assert widget.data["words"] == [["bank", "en"], ["苹果", "zh"]]
    answer = ask(widget, text="他吃了一个苹果")
    assert (answer["sentence"]["word"], answer["map"]["senses"]) == (
        "苹果",
        ["水果", "公司"],
    )
    assert ask(widget, text="an old bank")["map"]["word"] == "bank"
    opening = ask(widget, word="苹果")["sentence"]
    assert "".join(opening["words"]) == OPENINGS["苹果"]
    twice = ask(widget, **opening | {"dropped": [0, 2]})["variant"]
    assert len(twice) == 2
