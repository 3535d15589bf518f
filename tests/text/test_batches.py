"""Windows hold the whole text, batches hold every window, targets are neighbours."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from course_lib.text.batches import (
    IGNORE,
    Batches,
    read_text,
    spell,
    spell_sentences,
)
from course_lib.text.characters import BOS, EOS, WIDTH, char_ids, char_table
from course_lib.text.pairs import Lines, vocabulary_of
from course_lib.text.vocabulary import UNK, Vocabulary

WORDS = st.sampled_from(["bank", "a", "苹果", "x" * 60, "", ".", "play", "to"])
SENTENCES = st.lists(WORDS, max_size=9)
DOCUMENTS = st.lists(st.lists(SENTENCES, max_size=5), max_size=4).filter(
    lambda documents: any(s for d in documents for s in d)
)


def spelled(tokens, b: int) -> list[list[int]]:
    """Read one row of a batch back, as full rows of 50 character ids."""
    words = tokens.characters[tokens.positions[b, : tokens.lengths[b]]]  # (T, C)
    padding = WIDTH - words.shape[1]
    return np.pad(words, ((0, 0), (0, padding)), constant_values=261).tolist()


def windows(text) -> list[list[str]]:
    """Read a text's windows back as words."""
    pairs = zip(text.starts, text.lengths, strict=True)
    return [[text.words[i] for i in text.ids[s : s + n]] for s, n in pairs]


def small_text(n_documents: int = 9, seed: int = 0):
    """Make documents of random sentences, over words of unequal frequency."""
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(30)]
    weights = 1 / np.arange(1, 31)
    documents = [
        [
            list(rng.choice(words, rng.integers(1, 9), p=weights / weights.sum()))
            for _ in range(rng.integers(1, 8))
        ]
        for _ in range(n_documents)
    ]
    return read_text(documents, window=16)


# -- spelling a batch ------------------------------------------------------------


@given(st.lists(st.lists(WORDS, min_size=1, max_size=7), min_size=1, max_size=5))
@example([["a"], ["a", "a", "bank"]])
def test_each_distinct_word_is_spelled_once_and_every_word_can_be_read_back(sentences):
    tokens = spell_sentences(sentences)
    assert len(tokens.characters) == len({w for s in sentences for w in s})
    assert tokens.lengths.tolist() == [len(s) for s in sentences]
    assert tokens.positions.shape == (len(sentences), max(map(len, sentences)))
    for b, sentence in enumerate(sentences):
        assert spelled(tokens, b) == [char_ids(word).tolist() for word in sentence]


def test_the_characters_are_as_wide_as_the_longest_word():
    tokens = spell_sentences([["a", "bank"]])
    assert tokens.characters.shape == (2, 6)  # b a n k and two marks


def test_padding_points_at_a_word_that_is_there_anyway():
    """So it costs the character CNN nothing; nobody may look at it, see the biLM."""
    tokens = spell_sentences([["to", "play"], ["a"]])
    assert tokens.positions[1, 1] == 0
    assert tokens.characters.shape[0] == 3


def test_words_outside_the_batch_are_not_spelled():
    table = char_table(["a", "b", "c", "d"])
    tokens = spell([np.array([3, 1]), np.array([1])], table)
    assert len(tokens.characters) == 2
    assert spelled(tokens, 0) == [char_ids("d").tolist(), char_ids("b").tolist()]


# -- windows -----------------------------------------------------------------------


@given(DOCUMENTS, st.integers(3, 12))
def test_the_windows_hold_every_word_once_and_in_order(documents, window):
    text = read_text(documents, window)
    said = [w for part in windows(text) for w in part if w not in (BOS, EOS)]
    assert said == [w for d in documents for s in d for w in s]
    assert text.n_tokens == len(said)


@given(DOCUMENTS, st.integers(3, 12))
def test_the_windows_lie_end_to_end(documents, window):
    text = read_text(documents, window)
    ends = text.starts + text.lengths
    assert text.starts[0] == 0
    assert ends[-1] == len(text.ids)
    assert (text.starts[1:] == ends[:-1]).all()


@given(DOCUMENTS, st.integers(3, 12))
def test_a_window_is_whole_sentences_between_marks(documents, window):
    for part in windows(read_text(documents, window)):
        assert len(part) <= window
        inside = " ".join(part).split(f"{EOS} {BOS}")
        assert part[0] == BOS
        assert part[-1] == EOS
        assert part.count(BOS) == part.count(EOS) == len(inside)
        for before, after in zip(part, part[1:], strict=False):
            assert (before == EOS) == (after == BOS), "a word outside the marks"
            assert (before, after) != (BOS, EOS), "a sentence without a word"


@given(st.lists(st.integers(1, 20), min_size=1, max_size=6), st.integers(3, 12))
def test_no_window_crosses_documents(sizes, window):
    documents = [[[f"document{i}"] * n] for i, n in enumerate(sizes)]
    for part in windows(read_text(documents, window)):
        assert len(set(part) - {BOS, EOS}) == 1


def test_short_sentences_share_a_window_and_a_long_one_is_cut():
    document = [["a", "b"], ["c"], ["d", "e", "f", "g", "h", "i", "j"]]
    assert [" ".join(part) for part in windows(read_text([document], 8))] == [
        "<S> a b </S> <S> c </S>",  # the next sentence would make it 7 + 8
        "<S> d e f g h i </S>",  # six words and two marks
        "<S> j </S>",
    ]


def test_an_empty_corpus_is_refused():
    for nothing in ([], [[]], [[[]]]):
        with pytest.raises(ValueError, match="no sentence"):
            read_text(nothing)


def test_the_marks_are_not_words_of_the_vocabulary():
    text = read_text([[["a", "a", "b"], ["a", UNK]]])
    assert text.vocabulary(size=10).words == [UNK, "a", "b"]
    assert text.vocabulary(size=10, min_count=2).words == [UNK, "a"]


def test_the_unknown_share_is_of_running_words():
    text = read_text([[["a", "a", "a", "b"], ["c"]]])
    assert text.unknown(Vocabulary([UNK, "a"])) == pytest.approx(2 / 5)
    assert text.unknown(text.vocabulary(99)) == 0


# -- batches -----------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 4, 1000])
@pytest.mark.parametrize("epoch", [0, 1, 7])
def test_an_epoch_holds_every_window_once(rows, epoch):
    text = small_text()
    batches = Batches(text, text.vocabulary(20), rows)
    order = batches.draw(np.random.default_rng(epoch), pool=3)
    assert sorted(np.concatenate(order)) == list(range(len(text.starts)))
    assert len(order) == len(batches)
    assert all(1 <= len(part) <= rows for part in order)


def test_the_order_depends_on_seed_and_epoch_and_on_nothing_else():
    text = small_text()

    def order(seed, epoch):
        fresh = Batches(text, text.vocabulary(20), rows=4, seed=seed)
        return [part.tolist() for part in fresh.epoch(epoch)]

    np.random.seed(1)
    first = order(0, 0)
    np.random.seed(2)
    assert order(0, 0) == first
    assert order(0, 1) != first
    assert order(1, 0) != first


def test_every_corpus_and_epoch_has_its_own_order_also_in_turn():
    """The order of an epoch is kept for the next step; another's must not be used."""
    few, many = small_text(3), small_text(9)
    one, other = (Batches(t, t.vocabulary(20), rows=4) for t in (few, many))
    expected = [part.tolist() for part in one.epoch(0)]
    assert len(other.epoch(0)) != len(expected)
    assert [part.tolist() for part in one.epoch(1)] != expected
    assert [part.tolist() for part in one.epoch(0)] == expected


def test_rows_of_a_batch_are_of_similar_length():
    text = small_text(60)
    batches = Batches(text, text.vocabulary(20), rows=8)

    def padding(order):
        lengths = [text.lengths[part] for part in order]
        return sum(int((n.max() - n).sum()) for n in lengths)

    shuffled = np.random.default_rng(0).permutation(len(text.starts))
    unsorted = [shuffled[i : i + 8] for i in range(0, len(shuffled), 8)]
    assert padding(batches.epoch(0)) < 0.5 * padding(unsorted)


@pytest.mark.parametrize("seed", range(3))
def test_targets_are_the_neighbours_and_never_a_mark(seed):
    """By the slow way: for each place of each row, who stands next to it?"""
    text = small_text(seed=seed)
    vocabulary = text.vocabulary(10)  # 20 of the 30 words are <unk>
    batches = Batches(text, vocabulary, rows=4, seed=seed)
    for part in batches.epoch(0):
        tokens, targets = batches.batch(part)
        assert targets.shape == (2, *tokens.positions.shape)
        for b, w in enumerate(part):
            words = windows(text)[w]
            assert spelled(tokens, b) == [char_ids(word).tolist() for word in words]
            for t in range(targets.shape[2]):
                following = words[t + 1] if t + 1 < len(words) else BOS
                previous = words[t - 1] if 0 < t < len(words) else BOS
                for direction, word in enumerate((following, previous)):
                    mark = word in (BOS, EOS)
                    expected = IGNORE if mark else vocabulary.encode([word])[0]
                    assert targets[direction, b, t] == expected


def test_both_directions_predict_each_word_of_the_text_once():
    text = small_text()
    vocabulary = text.vocabulary(20)
    counted = Counter(vocabulary.encode(text.words[i] for i in text.ids if i > 1))
    found = [Counter(), Counter()]
    for _, targets in Batches(text, vocabulary, rows=4):
        for direction, y in enumerate(targets):
            found[direction].update(y[y != IGNORE].tolist())
    assert found == [counted, counted]


def test_iterating_twice_gives_the_same_batches():
    text = small_text()
    batches = Batches(text, text.vocabulary(20), rows=4)
    for (one, y), (other, z) in zip(batches, batches, strict=True):
        assert all(map(torch.equal, one, other))
        assert torch.equal(y, z)


def test_words_of_another_text_are_unknown_to_the_vocabulary():
    """Held-out text has its own numbers; targets are the training vocabulary's."""
    vocabulary = Vocabulary([UNK, "river", "bank"])
    held_out = read_text([[["bank", "quay"]]])
    ((_, targets),) = Batches(held_out, vocabulary, rows=1)
    assert targets[0, 0].tolist() == [2, 0, IGNORE, IGNORE]
    assert targets[1, 0].tolist() == [IGNORE, IGNORE, 2, 0]


@pytest.mark.parametrize("window", [0, 2])
def test_a_window_has_room_for_a_word_and_its_marks(window):
    with pytest.raises(ValueError, match="no room for a word"):
        read_text([[["a", "b"]]], window=window)
    assert read_text([[["a", "b"]]], window=3).lengths.tolist() == [3, 3]


@pytest.mark.parametrize(("sentences", "rows"), [([], 4), ([["a"]], 0)])
def test_there_is_no_batch_of_nothing(sentences, rows):
    lines = Lines(sentences, vocabulary_of([["a"]]), rows=rows)
    with pytest.raises(ValueError, match="give at least one of each"):
        lines.at(0)


@pytest.mark.parametrize("sentences", [[], [["a"], []]])
def test_no_word_no_spelling(sentences):
    with pytest.raises(ValueError, match="without a word"):
        spell_sentences(sentences)


def test_a_width_without_room_for_a_byte_is_refused():
    with pytest.raises(ValueError, match="no room for a byte"):
        char_table(["a"], 2)
