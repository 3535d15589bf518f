"""Tokenisers lose nothing but white space, and agree with themselves."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from course_lib.text.tokenise import (
    characters_zh,
    composed,
    sentences,
    straighten,
    words_en,
    words_zh,
)

# Random text rarely holds what the rules are about; this alphabet is full of it.
TRICKY = st.text(alphabet="acnotTIMrs'\"`.,:;-_&!?()19$ \n“”‘’é", max_size=40)
TEXT_EN = st.one_of(TRICKY, st.text(max_size=40))
TEXT_ZH = st.text(
    alphabet="我们打苹果的包袱意思。！？…；，“”’」）(a1.\n\u3000 ", max_size=40
)


def solid(text: str) -> str:
    """Take out all white space."""
    return "".join(text.split())


@given(TEXT_EN)
def test_english_words_lose_nothing_but_white_space(text):
    assert "".join(words_en(text)) == solid(straighten(text))


@given(TEXT_EN)
@example("don't_stop cannot_ _cannot x.y.z 'd'x a''b J. 'tis")
def test_tokenising_tokens_again_changes_nothing(text):
    tokens = words_en(text)
    assert words_en(" ".join(tokens)) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't!", "Do n't !"),
        ("They can't, won't, CAN'T", "They ca n't , wo n't , CA N'T"),
        ("I cannot say it's Ann's", "I can not say it 's Ann 's"),
        (
            "we'd've said I'm, you're, they'll",
            "we 'd 've said I 'm , you 're , they 'll",
        ),
        ("“So,” she said", '" So , " she said'),
        ("``So'' it was", '" So " it was'),
        ("Mr. Lee of the U.S. left", "Mr. Lee of the U.S. left"),
        ("J. R. Tolkien and I. Yes", "J. R. Tolkien and I . Yes"),
        ("a well-known O'Neill at AT&T", "a well-known O'Neill at AT&T"),
        ("$1,000.50 at 10:30, 5%", "$ 1,000.50 at 10:30 , 5 %"),
        ("wait... no--never", "wait ... no -- never"),
        ("good.The end", "good . The end"),
    ],
)
def test_english_conventions(text, tokens):
    assert words_en(text) == tokens.split()


@given(TEXT_EN, st.sampled_from(["en", "zh"]))
def test_sentences_together_are_the_text(text, language):
    assert solid("".join(sentences(text, language))) == solid(composed(text))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_accent_belongs_to_its_word_however_it_is_written(form):
    """A Mac's file names and many PDFs write é as e and an accent of its own."""
    text = unicodedata.normalize(form, "The naïve café's re-born")
    assert words_en(text) == ["The", "naïve", "café", "'s", "re-born"]
    assert sentences(unicodedata.normalize(form, "Oh é! Go.")) == ["Oh é!", "Go."]


def test_an_accent_for_which_there_is_no_single_character_does_so_too():
    assert words_en("x\u030c-ray x\u030cy y\u030c, z") == [
        "x\u030c-ray", "x\u030cy", "y\u030c", ",", "z"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "unseen", ["\u00ad", "\u200b", "\u200d", "\u2060", "\ufeff", "\u202a", "\ud83d"]
)
def test_what_has_no_width_is_no_token_and_cuts_no_word(unseen):
    """Soft hyphens, zero-width spaces, marks of direction; and half an emoji."""
    assert words_en(f"{unseen}ba{unseen}nk {unseen} is") == ["bank", "is"]
    assert words_zh(f"苹{unseen}果{unseen}") == ["苹果"]
    assert characters_zh(f"苹{unseen}果") == ["苹", "果"]
    assert sentences(f"It is.{unseen} {unseen}So.") == ["It is.", "So."]


def test_english_sentences_end_where_a_reader_would_say():
    text = 'Mr. Lee met J. R. Low. "Why?" he said. It rained... (So be it.)'
    text += "\n\nTitle\n\nEnd"
    assert sentences(text) == [
        "Mr. Lee met J. R. Low.",
        '"Why?" he said.',
        "It rained...",
        "(So be it.)",
        "Title",
        "End",
    ]


def test_a_wrapped_line_does_not_end_an_english_sentence():
    assert sentences("It was\nlate.") == ["It was\nlate."]


def test_chinese_sentences_keep_their_closing_quotes():
    assert sentences("他说：“走吧。”我没动！真的？\n下一行", "zh") == [
        "他说：“走吧。”",
        "我没动！",
        "真的？",
        "下一行",
    ]


@given(TEXT_ZH)
def test_chinese_tokens_joined_are_the_text(text):
    assert "".join(words_zh(text)) == solid(text)
    assert "".join(characters_zh(text)) == solid(text)


def test_the_segmenter_hides_the_ambiguous_character():
    # 打 is a word of its own in the one and invisible in the other (errata 26).
    assert "打" not in words_zh("他打篮球")
    assert "打" in characters_zh("他打篮球")
