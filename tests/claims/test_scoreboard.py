"""The scoreboard's probe, with vectors whose score is known beforehand."""

from __future__ import annotations

import collections
import re

import numpy as np

import course_lib
from course_claims import embedders, rules, scoreboard_table
from course_claims.experiments import scoreboard
from course_lib import data
from course_lib.analysis.word_tests import keyed
from course_lib.text.examples import Tagged
from course_pretraining.pretrain import tokens_seen


def english(en, zh):
    return en


def test_vectors_that_know_the_senses_score_everything_and_equal_ones_the_majority():
    """A word beside one sense only gets that sense as its vector; or all are alike."""
    sentences = data.senses("en")
    beside = collections.defaultdict(set)
    for s in sentences:
        for word in s.tokens:
            beside[word].add((s.word, s.sense))
    senses = sorted(set().union(*beside.values()))
    telling = {word: found for word, found in beside.items() if len(found) == 1}
    rows = [senses.index(*found) for found in telling.values()]
    knowing = keyed(list(telling), np.eye(len(senses))[rows])
    knowing = scoreboard_table.context_scores(knowing, "en")
    assert knowing["nearest_centroid"] > 0.9
    blind = keyed(list(beside), np.ones((len(beside), 2)))
    blind = scoreboard_table.context_scores(blind, "en")
    assert blind["nearest_neighbour"] < knowing["majority"] + 0.05


def test_the_board_has_a_row_a_model_and_the_majority_last():
    scores = {"nearest_centroid": 0.5, "nearest_neighbour": 0.25, "majority": 0.125}
    for column in (0, 1):
        page = scoreboard_table.sense_table(
            {"NNLM": scores}, lambda *texts, c=column: texts[c]
        )
        assert page.count("<tr>") == 3
        assert page.index("0.500") < page.index("0.250") < page.index("0.125")


def test_every_model_is_asked_the_same():
    words = {w for s in data.senses("en") for w in s.tokens}
    lot = np.random.default_rng(0)
    reader = embedders.static({w.lower(): lot.normal(size=8) for w in sorted(words)}, 8)
    rows = scoreboard.asked("lot", reader, "en", seed=1, quick=True)
    found = {r["condition"]: r["value"] for r in rows}
    assert found.keys() == {
        "senses en", "POS en", "chunks en", "sentiment 100 en",
        "cloze en", "tokens read en", "parameters en", "ms per token en",
    }  # fmt: skip
    assert found["parameters en"] == 8 * len({w.lower() for w in words})
    others = scoreboard.without_models("en", seed=1, quick=True)
    assert {r["condition"] for r in others} <= found.keys()


def test_no_choice_in_a_gap_is_a_word_that_some_model_does_not_know():
    """<unk> stands for many words: it would be too good an answer."""
    shared = scoreboard.shared_words("en", quick=True)
    assert "bank" in shared and len(shared) == len(set(shared)) > 100
    for name in ("elmo-en", "awdlstm-en"):
        model = course_lib.load(name)
        known = model.vocabulary if name == "elmo-en" else model[1]
        assert 0 not in known.encode(shared)


def test_what_a_model_has_read_is_on_its_card_or_counted():
    words = sum(len(s) for s in scoreboard.read_here("en", quick=True)[0])
    assert scoreboard.tokens_read("skip-gram", "en", quick=True) == 5 * words
    assert scoreboard.tokens_read("GloVe", "en", quick=True) == words
    assert scoreboard.tokens_read("random", "en", quick=True) == 0
    card = tokens_seen("elmo-en")
    assert scoreboard.tokens_read("biLM", "en") == card > 25e6


def test_a_reader_that_knows_the_tag_has_the_tag():
    """The oracle: its vector is the tag itself."""
    parts = scoreboard.sentences_of("rivertown-en-pos", (60, 30), seed=1)
    gold = {tuple(s.tokens): s.tags for part in parts for s in part}
    names = sorted({tag for tags in gold.values() for tag in tags})

    def read(sentences):
        for words in sentences:
            tags = gold[tuple(words)]
            yield [np.array([[tag == n for n in names] for tag in tags], dtype=float)]

    oracle = embedders.Embedder(("",), read, None, 0, lambda *gap: np.zeros(10))
    assert scoreboard.tag_scores(oracle, parts, 1, steps=300) == [1.0]


def test_no_sentence_is_learned_from_and_asked_about():
    learn, ask = scoreboard.sentences_of("rivertown-en-pos", (40, 20), seed=3)
    assert (len(learn), len(ask)) == (40, 20)
    assert not {tuple(s.tokens) for s in learn} & {tuple(s.tokens) for s in ask}
    assert max(len(s.tokens) for s in learn + ask) <= scoreboard.LONGEST


def test_a_lesson_shows_the_models_that_are_known_by_then():
    rows = [
        {"seed": s, **rules.row(m, "POS en", "score", 0.9 + s / 100)}
        for m in ("GPT, block 1", "CBOW", "biLM, layer 0") for s in (1, 2)
    ]  # fmt: skip
    early, late = (scoreboard_table.as_html(rows, english, n) for n in ("06", "15"))
    assert "CBOW" in early and "biLM" in early and "GPT" not in early
    assert late.index("CBOW") < late.index("biLM") < late.index("GPT")
    top = [*rows, {"seed": 1, **rules.row("biLM, layer 2", "POS en", "score", 0.5)}]
    taglm = scoreboard_table.as_html(top, english, "05")  # which reads that layer
    assert "layer 2" in taglm and "layer 0" not in taglm
    assert "91.5 ±" in late


def test_the_chinese_board_is_in_chinese_but_for_the_models_own_names():
    asked = ["senses", *(kind for tongue, kind in scoreboard.PROBES if tongue == "zh")]
    asked.remove("sentiment")
    asked += [f"sentiment {n}" for n in scoreboard.LABELS]
    asked += ["cloze", "tokens read", "parameters", "ms per token"]
    called = {
        "random": "随机向量",
        "majority": "总猜最常见的",
        "context2vec": "context2vec",
        "biLM, mean of layers": "biLM，各层平均",
        "biLM, learned mix": "biLM，学出来的混合",
        "AWD-LSTM, layer 3": "AWD-LSTM，第 3 层",
        "GPT, block 4": "GPT，第 4 块",
    }
    rows = [
        {"seed": 1, **rules.row(model, f"{kind} zh", "score", 0.5)}
        for model in called for kind in asked
    ]  # fmt: skip
    page = scoreboard_table.as_html(rows, lambda en, zh: zh, "15")
    heads = re.findall(r"<th[^>]*>([^<]*)", page)
    assert len(heads) == 1 + len(asked)
    assert all(re.search("[一-鿿]", head) for head in heads)
    assert not re.search("[A-Za-z]", "".join(heads))
    assert all(f">{name}<" in page for name in called.values())
    assert not set(re.findall(r">([^<]+)<", page)) & {*asked, *called} - {"context2vec"}


def test_characters_become_words_and_a_name_keeps_its_place():
    sentence = Tagged([*"我在北京大学"], ["O", "O", "B-ORG", "I-ORG", "I-ORG", "I-ORG"])
    found = scoreboard.in_words(sentence)
    assert "".join(found.tokens) == "我在北京大学"
    assert len(found.tokens) == len(found.tags) < 6
    assert [tag for tag in found.tags if tag.startswith("B-")] == ["B-ORG"]
    assert found.tags[:2] == ["O", "O"]
