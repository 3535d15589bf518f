"""Sentence pairs: what one side says the other says too."""

from __future__ import annotations

import itertools
import re

import pytest

from course_lib import data
from course_lib.worlds.splits import SPLITS, pool
from course_lib.worlds.synchronous import PairGrammar

LEXICON = """category\tpos\twords
fruit\tNOUN\tapple=苹果/个 cherry=樱桃/颗 berry=浆果/粒
person\tPROPN@PER\tAnn=安 Bob=鲍勃 Cora=科拉 Dan=丹 Eve=伊芙 Fay=菲 Gus=古斯 Hal=哈尔
eat\tVERB\teat/ate/eaten=吃 buy/bought/bought=买
place\tNOUN\tbank#river=河岸 bank#money=银行
"""
NAMES = ["Ann", "Bob", "Cora", "Dan", "Eve", "Fay", "Gus", "Hal"]
PAIRS = """patterns Pair
feature n sg:1 pl:1
Pair
  {person} {eat:past} a {fruit} . ||| {person} {eat} 了 一+{fruit:m} {fruit} 。
  {person} {eat:past} {Fruit:n} . ||| {person} {eat} 了 {Fruit:n} 。
  {person} met {person.2} at the {place} . ||| {person} 在 {place} 遇见 {person.2} 。
  the {fruit} that {person} {eat:past} was red . ||| {person} {eat} 的 {fruit} 很 红 。
  at the {place} {person} waited . ||| {person} 在 {place} 等 。
Fruit:sg
  that {fruit} ||| 那+{fruit:m} {fruit}
Fruit:pl
  two {fruit:pl} ||| 两+{fruit:m} {fruit}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lexicon.tsv").write_text(LEXICON, encoding="utf-8")
    (tmp_path / "pairs.grammar").write_text(PAIRS, encoding="utf-8")
    return tmp_path


def test_a_slot_is_drawn_once_for_both_sides(folder):
    chinese = {"apple": "苹果", "cherry": "樱桃", "berry": "浆果"}
    measure = {"苹果": "个", "樱桃": "颗", "浆果": "粒"}
    for pair in PairGrammar(folder=folder).pairs(300, seed=1):
        english = (
            " ".join(pair.en).replace("cherries", "cherry").replace("berries", "berry")
        )
        fruit = [zh for en, zh in chinese.items() if en in english]
        assert fruit == [word for word in pair.zh if word in measure]
        for word, after in zip(pair.zh, pair.zh[1:], strict=False):
            if word[0] in "一两那" and len(word) == 2:
                assert word[1] == measure[after]


def test_the_sides_have_their_own_order_and_senses(folder):
    pairs = PairGrammar(folder=folder).pairs(300, seed=2)
    banks = {pair.zh[2] for pair in pairs if pair.en[:3] == ["At", "the", "bank"]}
    assert banks == {"河岸", "银行"}  # one English word, two Chinese ones
    relative = next(p for p in pairs if "that" in p.en and "was" in p.en)
    assert relative.zh[2] == "的" and relative.en[2] == "that"


def test_english_is_spelt(folder):
    for pair in PairGrammar(folder=folder).pairs(300, seed=3):
        assert pair.en[0][0].isupper()
        assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", " ".join(pair.en))


def test_names_and_patterns_belong_to_one_split(folder):
    seen = {}
    for split in SPLITS:
        pairs = PairGrammar(split, folder).pairs(200, seed=4)
        names = {w for p in pairs for w in p.en if w in NAMES}
        assert {pool(name) for name in names} == {split}
        seen[split] = {pair.pattern for pair in pairs}
    for one, other in itertools.combinations(seen.values(), 2):
        assert not one & other


def test_a_wrong_form_and_an_empty_split_are_named(folder):
    grammar = (folder / "pairs.grammar").read_text(encoding="utf-8")
    wrong = grammar.replace("{person} {eat:past} a", "{person} {eat:pst} a")
    (folder / "pairs.grammar").write_text(wrong, encoding="utf-8")
    with pytest.raises(ValueError, match="eat:pst}: it has the forms base, pl, sg"):
        PairGrammar(folder=folder).pairs(50)
    few = LEXICON.replace(" Dan=丹 Eve=伊芙 Fay=菲 Gus=古斯 Hal=哈尔", "")
    (folder / "lexicon.tsv").write_text(few, encoding="utf-8")
    with pytest.raises(ValueError, match="person: nothing belongs to dev"):
        PairGrammar("dev", folder)


def test_the_same_seed_gives_the_same_pairs():
    assert PairGrammar().pairs(50, seed=5) == PairGrammar().pairs(50, seed=5)
    assert PairGrammar().pairs(50, seed=5) != PairGrammar().pairs(50, seed=6)


def test_the_shipped_pairs_differ_between_splits():
    both = [data.load(f"rivertown-{language}-translation") for language in ("en", "zh")]
    for split in SPLITS:
        for one, other in zip(*(task.split(split) for task in both), strict=True):
            assert (one.source, one.target) == (other.target, other.source)
            assert not re.search(r"[\u4e00-\u9fff]", "".join(one.source))
            assert not re.search(r"[{}|+]", "".join(one.source + one.target))
    patterns = [
        {pair.pattern for pair in PairGrammar(split).pairs(3000)} for split in SPLITS
    ]
    for one, other in itertools.combinations(patterns, 2):
        assert not one & other
    texts = [{tuple(x.source) for x in both[0].split(s)} for s in ("train", "test")]
    assert not texts[0] & texts[1]


def test_an_english_word_with_two_senses_has_two_translations():
    # A dictionary that translates word by word must be wrong about half of these.
    pairs = data.load("rivertown-en-translation").split("train")
    for word, senses in {
        "bank": ("银行", "河岸"),
        "letter": ("信", "字母"),
        "spring": ("春天", "泉水"),
    }.items():
        sentences = ["".join(p.target) for p in pairs if word in p.source]
        for sense in senses:
            assert sum(sense in sentence for sentence in sentences) >= 3
