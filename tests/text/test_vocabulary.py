"""A vocabulary numbers words by frequency, and comes back from a file as it was."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.text.vocabulary import UNK, Vocabulary

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
