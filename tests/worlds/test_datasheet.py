"""The datasheet's baselines, on tasks so small that the right number is plain."""

from __future__ import annotations

import dataclasses

import pytest
from datasheet import baseline, disambiguate

from course_lib.text.examples import Example, SenseSentence, Translation


@dataclasses.dataclass
class Task:
    kind: str
    examples: dict
    language: str = "en"

    def split(self, name):
        return self.examples[name]


def test_a_text_is_classified():
    train = [Example("good", "pos")] * 3 + [Example("bad", "neg")] * 2
    test = [Example("bad", "neg")] * 4 + [Example("good", "pos")]
    found = baseline(Task("classification", {"train": train, "test": test}))
    assert found == {"majority": pytest.approx(0.2), "TF-IDF": pytest.approx(1.0)}


def test_each_word_has_a_classifier_of_its_own():
    def sentence(word, sense, cue):
        return SenseSentence(word, sense, "NOUN", [cue, word], 1, "left")

    bank = [sentence("bank", "river", "wet"), sentence("bank", "money", "rich")] * 4
    bat = [sentence("bat", "animal", "rich")] * 4  # the same cue, another word
    task = Task("senses", {"train": bank + bat, "test": [*bank[:2], bat[0]]})
    found = baseline(task)
    assert found["TF-IDF"] == 1.0
    assert found["majority"] == pytest.approx(2 / 3)


def test_the_nearest_sentence_s_translation_is_scored_by_bleu():
    train = [
        Translation(
            ["he", "eats", "a", "red", "apple"], ["他", "吃", "一个", "红", "苹果"]
        ),
        Translation(
            ["she", "sold", "the", "old", "boat"], ["她", "卖", "了", "旧", "船"]
        ),
    ]
    same = baseline(Task("translation", {"train": train, "test": train}))
    assert same["nearest"] == pytest.approx(1.0)
    other = [
        Translation(
            ["he", "eats", "a", "green", "apple"], ["他", "吃", "一个", "青", "梨"]
        )
    ]
    found = baseline(Task("translation", {"train": train, "test": other * 2}))
    assert 0.0 <= found["nearest"] < 0.6


def test_words_without_a_test_or_without_a_lesson():
    """What is not asked for counts nothing; what was not learned is not known."""
    bank, play = (
        SenseSentence(word, "sense", "NOUN", ["a", word], 1, "")
        for word in ("bank", "play")
    )
    assert disambiguate([bank, bank, play], [bank], "en")["TF-IDF"] == 1.0
    assert disambiguate([bank, bank], [bank, play], "en")["TF-IDF"] == 0.5
