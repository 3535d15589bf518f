"""A vocabulary numbers words by frequency, and comes back from a file as it was."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_claims.experiments.unknown_words import with_slips
from course_lib.analysis import controls
from course_lib.analysis.tagging import spans
from course_lib.text import documents, pairs
from course_lib.text.batches import read_text, spell_sentences
from course_lib.text.characters import char_table
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.training.plug_in import as_words
from course_lib.training.translate import bleu, token_accuracy, without_vowels
from course_lib.worlds.pseudowords import blend
from course_lib.worlds.rivertown import Rivertown
from course_lib.worlds.worlds import pseudowords

# Real text holds characters that some programs take for the end of a line.
LINE_ENDS = ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
TOKENS = st.text(
    st.one_of(
        st.sampled_from([*LINE_ENDS, " ", "\t", "\ufeff", "果"]),
        st.characters(exclude_categories=["Cs"], exclude_characters="\n"),
    ),
    max_size=8,
).filter(lambda word: word != UNK)


def test_the_most_frequent_word_comes_first_after_unk():
    words = Counter({"the": 9, "bank": 3, "river": 5})
    assert Vocabulary.from_counts(words, size=10).words == [
        UNK,
        "the",
        "river",
        "bank",
    ]


def test_ties_go_in_alphabetical_order_however_they_were_counted():
    one = Vocabulary.from_counts(Counter("cab"), size=10)
    other = Vocabulary.from_counts(Counter("bca"), size=10)
    assert one.words == other.words == [UNK, "a", "b", "c"]


def test_size_counts_unk():
    vocabulary = Vocabulary.from_counts(Counter("aaabbc"), size=3)
    assert len(vocabulary) == 3
    assert vocabulary.words == [UNK, "a", "b"]


def test_rare_words_can_be_left_out():
    vocabulary = Vocabulary.from_counts(Counter("aaabbc"), size=10, min_count=2)
    assert vocabulary.words == [UNK, "a", "b"]


def test_a_text_that_says_unk_itself_does_not_number_it_twice():
    sentences = [["a", UNK, "a"], [UNK, UNK]]
    assert Vocabulary.from_sentences(sentences, size=10).words == [UNK, "a"]


def test_words_outside_are_number_0():
    vocabulary = Vocabulary([UNK, "bank"])
    assert vocabulary.encode(["bank", "quay", UNK]) == [1, 0, 0]
    assert vocabulary.decode([1, 0]) == ["bank", UNK]
    assert "bank" in vocabulary
    assert "quay" not in vocabulary


@given(st.lists(TOKENS, unique=True, max_size=10))
def test_encode_and_decode_are_inverses_on_known_words(words):
    vocabulary = Vocabulary([UNK, *words])
    assert vocabulary.decode(vocabulary.encode(words)) == words
    assert vocabulary.encode(vocabulary.words) == list(range(len(vocabulary)))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "first word"),
        (["the", UNK], "first word"),
        ([UNK, "the", "the"], "twice"),
    ],
)
def test_what_cannot_be_a_vocabulary_is_refused(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        Vocabulary(words)


@given(words=st.lists(TOKENS, unique=True, max_size=10))
def test_saved_and_loaded_it_is_the_same(tmp_path_factory, words):
    path = tmp_path_factory.mktemp("vocabulary") / "vocabulary.txt"
    Vocabulary([UNK, *words]).save(path)
    assert Vocabulary.load(path).words == [UNK, *words]


@pytest.mark.parametrize("token", ["", " ", *LINE_ENDS, "a\rb", "a\u2028b"])
def test_odd_tokens_survive_the_file(tmp_path, token):
    Vocabulary([UNK, "a", token, "z"]).save(tmp_path / "v.txt")
    assert Vocabulary.load(tmp_path / "v.txt").words == [UNK, "a", token, "z"]


def test_half_an_emoji_survives_the_file(tmp_path):
    """JSON of a social network may cut an emoji, of two halves, in the middle."""
    Vocabulary([UNK, "\ud83d", "a"]).save(tmp_path / "v.txt")
    assert Vocabulary.load(tmp_path / "v.txt").words == [UNK, "\ud83d", "a"]


def test_a_token_that_would_become_two_is_not_written(tmp_path):
    with pytest.raises(ValueError, match=r"'new\\nline'"):
        Vocabulary([UNK, "new\nline"]).save(tmp_path / "v.txt")
    assert not (tmp_path / "v.txt").exists()


def test_the_file_is_one_word_a_line_in_utf8(tmp_path):
    Vocabulary([UNK, "苹果", "bank"]).save(tmp_path / "v.txt")
    assert (tmp_path / "v.txt").read_bytes() == "<unk>\n苹果\nbank\n".encode()


@pytest.mark.parametrize(
    "content", [b"", b"the\nbank\n", b"<unk>\na\na\n", b"<unk>\n\xff\n"]
)
def test_another_file_is_refused_by_name(tmp_path, content):
    (tmp_path / "v.txt").write_bytes(content)
    with pytest.raises(ValueError, match=r"v\.txt is damaged"):
        Vocabulary.load(tmp_path / "v.txt")


CALLS = {
    "numbering": lambda words: Vocabulary([UNK, "a"]).encode(words),
    "counting": lambda words: Vocabulary.from_sentences([words], size=9),
    "a text": lambda words: read_text([[words]]),
    "a text, one level short": lambda words: read_text([words]),
    "a batch": lambda words: spell_sentences([["a"], words]),
    "characters": char_table,
    "a document": lambda words: documents.number([words], Vocabulary([UNK, "a"])),
    "lines": lambda words: pairs.Lines([words], pairs.vocabulary_of([["a"]])),
    "tags": lambda words: spans(words),
    "slips": lambda words: with_slips([words], 1.0, seed=0),
    "shuffled": lambda words: controls.shuffle_words([[words]], seed=0),
    "scattered": lambda words: controls.scatter_words([[words]], seed=0),
    "respelt": lambda words: controls.respell([[words]], seed=0),
    "pseudowords": lambda words: pseudowords([words], "a", "b"),
    "blends": lambda words: blend([words], []),
    "in a world": lambda words: Rivertown("en").log_probability([words] * 4),
    "translations": lambda words: token_accuracy([words], [words]),
    "BLEU": lambda words: bleu([words], [["the", "bank"]], characters=False),
    "vowels": without_vowels,
    "a task's text": as_words,
}


@pytest.mark.parametrize("read", CALLS.values(), ids=CALLS.keys())
def test_a_string_is_no_list_of_words(read):
    """Python would go through its letters, and every number after that be wrong."""
    with pytest.raises(TypeError, match="is a string.*give a list of tokens"):
        read("the bank")


def test_a_sentence_in_place_of_sentences_is_told_what_is_missing():
    with pytest.raises(TypeError, match="a list of tokens, for each sentence, and"):
        spell_sentences(["the", "bank"])


def test_a_size_without_room_for_a_word_is_refused():
    with pytest.raises(ValueError, match="no room for a word"):
        Vocabulary.from_counts(Counter("aab"), size=0)
    with pytest.raises(ValueError, match="no room for a word"):
        pairs.vocabulary_of([["a"]], 2)  # the marks alone
    assert pairs.vocabulary_of([["a"]], 3).words == [UNK, "<S>", "</S>"]
