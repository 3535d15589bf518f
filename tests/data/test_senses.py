"""Sense sentences are checked as they are read."""

import pytest

from course_lib.data import DamagedData, sense_name, senses

HEADER = "word\tsense\tpos\tsentence\ttarget_index\tcue\n"
ROW = "bank\triver\tn\tWe sat on the bank .\t4\tleft\n"


def read(folder, text, encoding="utf-8"):
    (folder / "en.tsv").write_bytes(text.encode(encoding))
    return senses("en", folder)


def test_a_sentence_has_its_target(tmp_path):
    (sentence,) = read(tmp_path, HEADER + ROW)
    assert sentence.tokens[sentence.target_index] == sentence.word == "bank"
    assert (sentence.sense, sentence.pos, sentence.cue) == ("river", "n", "left")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1: the header"),
        (HEADER.replace("\tcue", "") + ROW, "line 1: .*missing: cue"),
        (HEADER + ROW + ROW.replace("\tleft", ""), "line 3: 5 columns instead of 6"),
        (HEADER + ROW.replace("\t4", "\t6"), "line 2: target_index is '6'.*0 to 5"),
        (HEADER + ROW.replace("\t4", "\t-1"), "line 2: target_index is '-1'"),
        (HEADER + ROW.replace("left", "above"), "line 2: cue is 'above'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, complaint):
    with pytest.raises(DamagedData, match=complaint):
        read(tmp_path, text)


def test_another_encoding_is_refused(tmp_path):
    with pytest.raises(DamagedData, match=r"en\.tsv, line 2: not UTF-8"):
        read(tmp_path, HEADER + ROW.replace("sat", "sät"), encoding="latin-1")


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="'en' and 'zh'"):
        senses("fr")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_sentences_that_ship_can_be_read(language):
    assert senses(language)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_sense_has_a_chinese_name_of_its_own(language):
    kinds = {(s.word, s.sense) for s in senses(language)}
    named = {kind: sense_name(*kind, "zh") for kind in kinds}
    assert all("\u4e00" <= name[0] <= "\u9fff" for name in named.values()), named
    assert len({(word, name) for (word, _), name in named.items()}) == len(kinds)
    assert all(sense_name(*kind, "en") == kind[1] for kind in kinds)


def test_a_sense_of_ones_own_keeps_its_name():
    assert sense_name("小米", "pet", "zh") == "pet"
