"""Batches of sentences and of sentence pairs."""

from __future__ import annotations

import numpy as np
import torch

from course_lib.text.batches import IGNORE
from course_lib.text.documents import PAD
from course_lib.text.pairs import Lines, Pairs, vocabulary_of

ENGLISH = [line.split() for line in ("I see you", "she sings", "you see a red apple")]
CHINESE = [line.split() for line in ("我 看见 你", "她 唱歌", "你 看见 一个 红 苹果")]
EN, ZH = vocabulary_of(ENGLISH), vocabulary_of(CHINESE)


def words(row: torch.Tensor, vocabulary=ZH) -> list[str]:
    return vocabulary.decode(row[row >= 0].tolist())


def many(n: int = 50) -> list[list[str]]:
    return [[f"w{k}" for k in range(1 + i % 9)] for i in range(n)]


def test_the_marks_are_words_and_the_frequent_ones_come_first():
    assert EN.words[:5] == ["<unk>", "<S>", "</S>", "see", "you"]
    assert len(vocabulary_of(ENGLISH, 5)) == 5


def test_a_language_model_reads_a_sentence_and_predicts_it_one_word_ahead():
    tokens, targets = Lines(CHINESE, ZH, rows=3).batch([0, 2])
    assert words(tokens[0]) == ["<S>", "我", "看见", "你"]
    assert words(targets[0]) == ["我", "看见", "你", "</S>"]
    assert tokens.shape == targets.shape == (2, 6)
    assert tokens[0, 4:].eq(PAD).all() and targets[0, 4:].eq(IGNORE).all()


def test_an_autoencoder_reads_a_sentence_and_says_it_again():
    tokens, targets = Lines(CHINESE, ZH, rows=3, twice=True).batch([1])
    assert words(tokens[0]) == ["<S>", "她", "唱歌", "<S>", "她", "唱歌"]
    assert targets[0, :3].eq(IGNORE).all()
    assert words(targets[0]) == ["她", "唱歌", "</S>"]


def test_an_epoch_has_every_sentence_once_and_alike_lengths_together():
    lines = Lines(many(), vocabulary_of(many()), rows=8, seed=1)
    for epoch in range(2):
        assert len(lines.epoch(epoch)) == len(lines)
        assert sorted(np.concatenate(lines.epoch(epoch))) == list(range(50))
    spread = [lines.lengths[rows] for rows in lines.epoch(0)]
    assert max(x.max() - x.min() for x in spread) <= 3
    again = Lines(many(), vocabulary_of(many()), rows=8, seed=1)
    other = Lines(many(), vocabulary_of(many()), rows=8, seed=2)
    assert [x.tolist() for x in lines.epoch(3)] == [x.tolist() for x in again.epoch(3)]
    assert [x.tolist() for x in lines.epoch(3)] != [x.tolist() for x in other.epoch(3)]


def test_a_sentence_stays_with_its_translation():
    pairs = Pairs(list(zip(ENGLISH, CHINESE, strict=True)), (EN, ZH), rows=2)
    met = []
    for batch, targets in pairs:
        for source, target, said in zip(
            batch.source, batch.target, targets, strict=True
        ):
            english, chinese = words(source, EN)[1:], words(target)[1:]
            assert CHINESE[ENGLISH.index(english)] == chinese
            assert words(said) == [*chinese, "</S>"]
            met.append(english)
    assert sorted(met) == sorted(ENGLISH)
    assert pairs.at(0)[0].alone == ()


def test_for_the_joint_loss_each_step_has_text_of_both_sides():
    en, zh = Lines(ENGLISH, EN, rows=1), Lines(CHINESE, ZH, rows=3)
    pairs = Pairs([(ENGLISH[0], CHINESE[0])], (EN, ZH), rows=1, alone=(en, zh))
    for step in range(5):  # the one pair again and again, always with other text
        batch, _ = pairs.at(step)
        expected = [*en.at(step), *zh.at(step)]
        assert all(a.equal(b) for a, b in zip(batch.alone, expected, strict=True))
    assert len({words(pairs.at(step)[0].alone[0][0], EN)[1] for step in range(3)}) == 3
