"""context2vec: the context of a position does not know the word that stands there."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from course_lib.analysis.influence import influence
from course_lib.models.context2vec import Context2Vec, Gaps, number_words, pad
from course_lib.text.batches import IGNORE
from course_lib.text.characters import BOS, EOS
from course_lib.training.loop import train

SENTENCES = [
    ["the", "cat", "sat", "on", "the", "mat"],
    ["the", "dog", "sat", "on", "the", "rug"],
    ["a", "cat", "saw", "the", "dog"],
    ["it", "rained"],
]


@pytest.fixture
def model() -> Context2Vec:
    torch.manual_seed(0)
    vocabulary = number_words(SENTENCES * 2, 50)
    return Context2Vec(vocabulary, D=12, hidden=8).eval()


def numbered(model: Context2Vec, *sentences) -> torch.Tensor:
    return pad([model.vocabulary.encode([BOS, *s, EOS]) for s in sentences])


# -- the leak test ---------------------------------------------------------------------


def test_a_context_depends_on_every_word_but_its_own(model):
    ids = numbered(model, SENTENCES[0])
    lengths = torch.tensor([ids.shape[1]])
    seen = influence(lambda x: model.read(x, lengths), model.words(ids))  # (T, T+2)
    T = len(SENTENCES[0])
    own = torch.eye(T + 2, dtype=torch.bool)[1:-1]  # column t+1 is word t: <S> is first
    assert torch.equal(seen == 0, own)


def test_another_word_at_the_position_gives_the_same_context(model):
    cat, dog = ["the", "cat", "sat"], ["the", "dog", "sat"]
    a, b = (model.contexts([s], [1]) for s in (cat, dog))
    assert np.array_equal(a, b)
    assert not np.allclose(model.contexts([cat], [0]), model.contexts([dog], [0]))


def test_the_order_of_the_context_counts(model):
    a, b = (
        model.contexts([s.split()], [2]) for s in ("the cat sat on", "cat the sat on")
    )
    assert not np.allclose(a, b)  # an average of the other words could not tell


def test_padding_and_neighbours_in_the_batch_change_nothing(model):
    positions = [len(s) - 1 for s in SENTENCES]
    together = model.contexts(SENTENCES, positions)
    for s, t, c in zip(SENTENCES, positions, together, strict=True):
        assert np.allclose(model.contexts([s], [t])[0], c, atol=1e-6)


def test_a_sentence_of_one_word_has_the_context_of_its_marks(model):
    marks = torch.tensor([[i] for i in model.vocabulary.encode([BOS, EOS])])
    begin, end = model.words(marks)  # (1, D) each
    joined = torch.cat([model.left(begin)[0], model.right(end)[0]], dim=1)  # (1, 2H)
    found = model.contexts([["cat"]], [0])
    assert np.allclose(found, model.join(joined).detach(), atol=1e-6)


# -- the loss --------------------------------------------------------------------------


def slow_loss(model: Context2Vec, ids: torch.Tensor, targets: torch.Tensor) -> float:
    """Add up the questions one by one, after the formula."""

    def log_s(x) -> float:
        return -math.log(1 + math.exp(-float(x)))

    contexts, u = model(ids).detach(), model.targets.weight.detach()
    losses = []
    for row, asked in zip(contexts, targets.tolist(), strict=True):
        for c, (word, *others) in zip(row, asked, strict=True):
            if word != IGNORE:
                wrong = [log_s(-(c @ u[n])) for n in others if n != IGNORE]
                losses.append(-log_s(c @ u[word]) - sum(wrong))
    return sum(losses) / len(losses)


def test_the_loss_is_that_of_the_questions_one_by_one(model):
    text = [SENTENCES[0], ["cat", "whale", "sat"]]
    ids, targets = Gaps(text, model.vocabulary, k=4).at(0)
    assert (targets == IGNORE).any()
    found = model(ids, targets)[1].item()
    assert found == pytest.approx(slow_loss(model, ids, targets), rel=1e-5)


def test_every_known_word_is_asked_for_and_no_answer_is_called_wrong(model):
    text = [SENTENCES[0], ["cat", "whale", "sat"]]
    ids, targets = Gaps(text, model.vocabulary, k=200).at(0)
    asked, others = targets[:, :, 0], targets[:, :, 1:]
    known = ids[:, 1:-1] > 2
    assert torch.equal(asked, torch.where(known, ids[:, 1:-1], IGNORE))
    assert not (others == asked[:, :, None])[known].any()
    assert (others[~known] == IGNORE).all()


def test_words_are_drawn_by_frequency_to_the_three_quarters():
    text = [["often"] * 16, ["seldom", "seldom", "often"]]
    words = number_words(text, 50)
    gaps = Gaps(text, words, k=4000)
    targets = torch.cat([gaps.at(0)[1][:, t] for t in range(3)])
    drawn = targets[targets[:, 0] == words.encode(["seldom"])[0]][0, 1:]
    n_often = int((drawn == words.encode(["often"])[0]).sum())  # the rest is the answer
    share = 17**0.75 / (17**0.75 + 2**0.75)
    assert n_often == pytest.approx(4000 * share, abs=5 * (4000 * 0.25) ** 0.5)


def test_words_and_contexts_share_a_space_after_training():
    """Cats purr and dogs bark: the gap is filled by what stands after it."""
    torch.manual_seed(0)
    text = []
    for animal, sound in (("cat", "purrs"), ("dog", "barks")):
        for when in ("now", "today", "again"):
            text += [f"the {animal} {sound} {when}".split()] * 4
    model = Context2Vec(number_words(text, 50), D=12, hidden=8)
    batches = Gaps(text, model.vocabulary, k=3)
    run = train(model, batches, epochs=150, learning_rate=2e-2)
    assert run.losses[-1][1] < run.losses[0][1]
    for animal, sound in (("cat", "purrs"), ("dog", "barks")):
        gap = f"the ? {sound} now".split()
        (context,) = model.contexts([gap], [1])
        assert model.fillers(context, k=1)[0][0] == animal


# -- the words -------------------------------------------------------------------------


def test_the_marks_have_numbers_and_rare_words_have_none():
    vocabulary = number_words(SENTENCES, 50)
    assert vocabulary.words[:3] == ["<unk>", BOS, EOS]
    assert "cat" in vocabulary and "rained" not in vocabulary  # once is too rare


def test_marks_and_unknown_words_fill_no_gap(model):
    (context,) = model.contexts([SENTENCES[0]], [1])
    names = [word for word, _ in model.fillers(context, k=len(model.vocabulary))]
    assert not {"<unk>", BOS, EOS} & set(names)


def test_every_sentence_is_read_once_in_each_epoch():
    text = [["a", *("bcdefg"[: i % 7])] for i in range(200)]
    gaps = Gaps(text, number_words(text, 50))
    for epoch in range(2):
        rows = np.concatenate(gaps.epoch(epoch))
        assert sorted(rows) == list(range(200))


def test_a_place_behind_the_sentence_has_no_context():
    model = Context2Vec(number_words([["a", "b"]] * 2, 9))
    for position in (2, -1):
        with pytest.raises(ValueError, match=f"no position {position} in a sentence"):
            model.contexts([["a", "b"], ["a", "b", "a"]], [position, 1])


def test_a_sentence_in_one_string_is_refused():
    model = Context2Vec(number_words([["a", "b"]] * 2, 9))
    with pytest.raises(TypeError, match="is a string"):
        model.contexts(["a b"], [0])
