"""A word's character ids, against the table of the released ELMo models.

bytes 0 to 255 of the word's UTF-8    1 to 256
<S> and </S>, as one character        257, 258
begin and end of a word               259, 260
padding inside the word's row         261

Everything is shifted by one, so that 0 is free for "no token here".
"""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from course_lib.text.characters import (
    BOS,
    EOS,
    N_CHARACTERS,
    PAD,
    WIDTH,
    char_ids,
    char_table,
    longest,
)

SENTENCE_BEGIN, SENTENCE_END, WORD_BEGIN, WORD_END, PADDING = range(257, 262)

# Any string that Python can hold, lone surrogates too.
WORDS = st.text(st.characters(exclude_categories=[]), max_size=60)


def row(*inside: int) -> list[int]:
    """Write out a whole row by hand: mark, characters, mark, padding up to 50."""
    marked = [WORD_BEGIN, *inside, WORD_END]
    return marked + [PADDING] * (50 - len(marked))


def test_the_sizes_are_those_of_the_released_models():
    # 261 characters were trained; the 262nd, number 0, is "no token".
    assert (WIDTH, N_CHARACTERS, PAD) == (50, 262, PADDING)


@pytest.mark.parametrize(
    ("word", "inside"),
    [
        ("bat", [99, 98, 117]),  # ASCII: b 98, a 97, t 116, each plus one
        ("A", [66]),  # case is kept: A is 65, a would be 97
        ("é", [0xC3 + 1, 0xA9 + 1]),  # two bytes
        ("果", [0xE6 + 1, 0x9E + 1, 0x9C + 1]),  # three bytes
        ("😀", [0xF0 + 1, 0x9F + 1, 0x98 + 1, 0x80 + 1]),  # four bytes
        ("\x00", [1]),  # byte 0 is a character, and not "no token"
        ("", []),  # nothing but the two marks
        ("\ud83d", []),  # half an emoji: UTF-8 cannot say it, it vanishes
        ("a\ud83db", [98, 99]),
        (BOS, [SENTENCE_BEGIN]),  # one character of its own,
        (EOS, [SENTENCE_END]),
        ("<s>", [61, 116, 63]),  # unlike tokens that only look like it
        ("<S", [61, 84]),
        ("<unk>", [61, 118, 111, 108, 63]),
    ],
)
def test_words_by_hand(word, inside):
    assert char_ids(word).tolist() == row(*inside)


def test_a_long_word_keeps_its_first_48_bytes_and_both_marks():
    ids = char_ids("x" * 100)
    assert ids.tolist() == [WORD_BEGIN] + [ord("x") + 1] * 48 + [WORD_END]


def test_sixteen_hanzi_fit_exactly():
    word = "乱" * 16  # 48 bytes
    assert char_ids(word).tolist() == char_ids(word + "七八糟").tolist()
    assert PADDING not in char_ids(word)


def test_a_hanzi_may_be_cut_in_the_middle():
    """One letter and 16 hanzi are 49 bytes; the last hanzi loses its third."""
    ids = char_ids("a" + "果" * 16)
    cut = bytes(int(i) - 1 for i in ids[1:-1])
    assert cut == b"a" + "果".encode() * 15 + b"\xe6\x9e"
    assert ids[-1] == WORD_END


@given(WORDS)
@example("<S>")
@example("")
def test_a_row_is_one_word_between_marks(word):
    ids = char_ids(word)
    assert ids.shape == (50,)
    assert ids.dtype == np.int64
    end = ids.tolist().index(WORD_END)
    assert ids[0] == WORD_BEGIN
    assert (ids[end + 1 :] == PADDING).all()
    assert ids.min() > 0, "0 says that there is no token, but here is one"
    inside = ids[1:end]
    assert ((inside <= SENTENCE_END) & (inside > 0)).all()


@given(WORDS.filter(lambda w: w not in (BOS, EOS)))
def test_short_words_can_be_read_back(word):
    said = word.encode("utf-8", "ignore")
    ids = char_ids(word)
    back = bytes(int(i) - 1 for i in ids if i <= 256)
    assert back == said[:48]


@given(st.lists(WORDS, max_size=5))
def test_a_table_holds_one_word_a_row(words):
    table = char_table(words)
    assert table.shape == (len(words), 50)
    assert table.dtype == np.int64
    for ids, word in zip(table, words, strict=True):
        assert ids.tolist() == char_ids(word).tolist()


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_past_the_longest_word_there_is_only_padding(words):
    table = char_table(words)
    width = longest(table)
    assert (table[:, width:] == PADDING).all()
    assert (table[:, width - 1] != PADDING).any()


def test_the_longest_of_no_words_is_zero():
    assert longest(char_table([])) == 0
