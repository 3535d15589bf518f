"""Word pieces: every word comes back, marks are never words, nothing is read twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import data
from course_lib.text.batches import IGNORE, read_text
from course_lib.text.pieces import (
    END,
    EXTRACT,
    MARKS,
    PAD,
    START,
    UNK,
    Pieces,
    PieceText,
    Windows,
    joins,
    pad,
)

COUNTS = Counter(
    {"play": 50, "playing": 20, "played": 9, "walking": 12, "walked": 5, "a": 90}
)


@pytest.fixture(scope="module")
def town():
    """Return a little of Rivertown in small letters, and 300 pieces of it."""
    documents = [
        [[word.lower() for word in sentence] for sentence in document]
        for document in data.load("rivertown-en", tokens=6000).documents()
    ]
    counts = Counter(word for d in documents for s in d for word in s)
    return documents, Pieces.learn(counts, 300)


def in_pieces(documents, pieces) -> PieceText:
    return PieceText.of(read_text(documents, window=10**9), pieces)


# -- the pieces ------------------------------------------------------------------------


def test_the_most_frequent_pair_is_joined_first_then_the_first_in_the_alphabet():
    """By hand: c d 3 times, then a b and e f, twice each, then cd with its a."""
    counts = Counter({"ef": 2, "cd": 2, "ab": 2, "cda": 1})
    assert [*joins(counts)] == ["cd", "ab", "ef", "cda"]
    assert [*joins(Counter({"aaaa": 1}))] == ["##aa", "##aaa", "aaaa"]


def test_the_same_words_give_the_same_pieces(town):
    """Whatever their order, the run, the hash seed, and how many cores there are."""
    counts = Counter(word for d in town[0] for s in d for word in s)
    turned = Counter(dict(reversed(counts.items())))
    again = [Pieces.learn(c, 300).words for c in [counts, turned] * 4]
    assert all(words == town[1].words for words in again)
    script = (
        "import json, sys; from collections import Counter\n"
        "from course_lib.text.pieces import Pieces\n"
        "print(json.dumps(Pieces.learn(Counter(json.load(sys.stdin)), 300).words))"
    )
    for seed, cores in (("1", "1"), ("2", "4")):
        there = {"PYTHONHASHSEED": seed, "RAYON_NUM_THREADS": cores}
        run = subprocess.run(
            [sys.executable, "-c", script], input=json.dumps(counts),
            env=os.environ | there, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert json.loads(run.stdout) == town[1].words


def test_frequent_words_are_one_piece_and_rare_ones_several():
    pieces = Pieces.learn(COUNTS, 34)
    assert len(pieces.pieces_of(["play"])[0]) == 1
    cut = [pieces.words[i] for i in pieces.encode(["walked"])]
    assert len(cut) > 1
    assert not cut[0].startswith("##")
    assert all(piece.startswith("##") for piece in cut[1:])


def test_pieces_are_numbered_by_frequency_behind_the_marks(town):
    """The sampled softmax of a GPT counts on that."""
    documents, pieces = town
    assert pieces.words[: len(MARKS)] == MARKS
    uses = Counter(pieces.encode(w for d in documents for s in d for w in s))
    found = [uses[i] for i in range(len(MARKS), len(pieces))]
    assert found == sorted(found, reverse=True)
    assert len(pieces) <= 300


def test_a_word_that_begins_like_the_end_of_another_is_still_a_word():
    """Markdown has "##", a programmer "c##": they are no piece's sign."""
    pieces = Pieces.learn(COUNTS + Counter({"#": 9, "###": 4, "c#": 3}), 60)
    for words in (["play", "##ed"], ["a", "##"], ["##", "a"], ["a", "###", "#a"]):
        assert UNK not in pieces.encode(words)
        assert pieces.decode(pieces.encode(words)) == words
    assert pieces.encode(["play", "##ed"]) != pieces.encode(["played"])


def test_half_an_emoji_and_a_split_accent_are_read():
    pieces = Pieces.learn(COUNTS + Counter({"caf\u00e9": 9}), 60)
    assert pieces.pieces_of(["play\ud83d"]) == pieces.pieces_of(["play"])
    assert pieces.pieces_of(["cafe\u0301"]) == pieces.pieces_of(["caf\u00e9"])
    assert pieces.pieces_of(["\ud83d"]) == [[UNK]]


def test_a_sentence_in_one_string_is_no_list_of_words():
    with pytest.raises(TypeError, match="is a string"):
        Pieces.learn(COUNTS, 60).encode("play walked")


def test_words_of_known_characters_come_back(town):
    _, pieces = town
    words = ["bank", "zzzbankzzz", "a", "rivers", "quay"]
    assert UNK not in pieces.encode(words)
    assert pieces.decode(pieces.encode(words)) == words


letters = st.text(alphabet="adeglnipwky", min_size=1, max_size=12)


@given(words=st.lists(letters, max_size=8))
def test_any_words_come_back(words):
    pieces = Pieces.learn(COUNTS, 40)
    assert pieces.decode(pieces.encode(words)) == words


def test_a_strange_character_makes_an_unknown_word(town):
    assert town[1].pieces_of(["苹果", "", "bank"])[:2] == [[UNK], [UNK]]


@pytest.mark.parametrize("mark", MARKS)
def test_no_word_of_a_text_becomes_a_mark(town, mark):
    """Even when the text spells it: a mark is given by the model's input alone."""
    assert all(i >= len(MARKS) or i == UNK for i in town[1].encode([mark]))


def test_capital_letters_are_small_ones(town):
    assert town[1].encode(["Bank", "RIVER"]) == town[1].encode(["bank", "river"])


def test_pieces_come_back_from_a_file(town, tmp_path):
    town[1].save(tmp_path / "pieces.txt")
    found = Pieces.load(tmp_path / "pieces.txt")
    assert found.words == town[1].words
    assert found.encode(["riverbank"]) == town[1].encode(["riverbank"])


def test_another_file_is_named(tmp_path):
    (tmp_path / "words.txt").write_text("<unk>\nthe\n")
    with pytest.raises(ValueError, match=r"words\.txt is damaged"):
        Pieces.load(tmp_path / "words.txt")


# -- a corpus in pieces ----------------------------------------------------------------


def test_a_text_in_pieces_is_the_same_text(town):
    documents, pieces = town
    text = in_pieces(documents, pieces)
    assert pieces.decode(text.ids) == [w for d in documents for s in d for w in s]
    assert text.n_words == sum(len(s) for d in documents for s in d)
    sentences = [s for d in documents for s in d]
    spans = zip(text.sentences[:-1], text.sentences[1:], strict=True)
    assert [pieces.decode(text.ids[a:b]) for a, b in spans] == sentences
    assert np.diff(text.documents).tolist() == [len(d) for d in documents]


def test_marks_stand_before_documents_and_behind_sentences(town):
    _, pieces = town
    text = in_pieces([[["a", "bank"], ["the", "river"]], [["a"]]], pieces)
    ids, borders = text.marked()
    shown = pieces.decode(ids)
    assert shown == ["<S>", "a", "bank", "</S>", "the", "river", "</S>"] + [
        *["<S>", "a", "</S>"]
    ]
    assert [ids[b] for b in borders[:-1]] == [START, START]
    assert borders[-1] == len(ids)
    assert text.n_marked_words == len(shown)


# -- windows ---------------------------------------------------------------------------


@pytest.mark.parametrize("overlap", [0, 5, 12])
@pytest.mark.parametrize("context", [13, 16])
def test_every_piece_but_the_first_is_predicted_once(town, context, overlap):
    documents, pieces = town
    text = in_pieces(documents[:3], pieces)
    windows = Windows(text, context, rows=4, overlap=overlap)
    targets = np.concatenate([t.numpy().ravel() for _, t in windows])
    targets = targets[targets != IGNORE]
    everything = windows.epoch(0)[0]
    everything = everything[everything != PAD]
    assert sorted(targets) == sorted(everything[1:])
    assert len(everything) == len(text.marked()[0])


def test_a_target_is_the_piece_one_further(town):
    windows = Windows(in_pieces(*town), context=16, rows=4)
    tokens, targets = windows.at(3)
    assert tokens.shape == (4, 16)
    assert torch.equal(tokens[:, 1:], targets[:, :-1])


def test_with_an_overlap_enough_is_known_before(town):
    windows = Windows(in_pieces(*town), context=16, rows=10**6, overlap=8)
    targets = windows.at(0)[1]
    beginning = (targets[:, :8] != IGNORE).any(dim=1)
    assert beginning.sum() == 1, "only the first window predicts from its beginning"


def test_epochs_differ_and_seeds_repeat(town):
    text = in_pieces(*town)
    one, two = (Windows(text, 16, rows=4, seed=1) for _ in range(2))
    assert torch.equal(one.at(5)[0], two.at(5)[0])
    assert not torch.equal(one.at(5)[0], one.at(5 + len(one))[0])
    other = Windows(text, 16, rows=4, seed=2)
    assert not torch.equal(one.at(5)[0], other.at(5)[0])


def test_processes_share_the_windows(town):
    windows = Windows(in_pieces(*town), context=16, rows=5)
    whole, parts = windows.at(2)[0], [windows.at(2, i, 2)[0] for i in range(2)]
    assert torch.equal(whole[0::2], parts[0])
    assert torch.equal(whole[1::2], parts[1])


# -- labelled examples -----------------------------------------------------------------


def test_examples_are_padded_behind():
    found = pad([[[START, 9, EXTRACT], [START, EXTRACT]], [[END], [END, 9, 9, 9]]])
    assert found.shape == (2, 2, 4)
    assert found[0, 1].tolist() == [START, EXTRACT, PAD, PAD]


@pytest.mark.parametrize(("context", "overlap"), [(0, 0), (8, 8), (8, -1)])
def test_a_window_that_would_not_move_on_is_refused(town, context, overlap):
    text = in_pieces(*town)
    with pytest.raises(ValueError, match="overlap"):
        Windows(text, context, overlap=overlap)


def test_pieces_are_found_in_a_text_with_half_an_emoji():
    text = read_text([[["play", "play\ud83d", "\ud83d", "cafe\u0301"]]])
    pieces = Pieces.from_text(text, 60)
    assert pieces.decode(pieces.encode(text.words[2:4])) == ["play", "play"]
    assert pieces.decode(pieces.encode(["caf\u00e9"])) == ["caf\u00e9"]
