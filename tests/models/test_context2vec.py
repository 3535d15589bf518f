"""context2vec: the context of a position does not know the word that stands there."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from course_lib.analysis.influence import influence
from course_lib.models.context2vec import Context2Vec, batches, number_words, pad, train
from course_lib.text.characters import BOS, EOS

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


def numbered(model: Context2Vec, *sentences) -> tuple[torch.Tensor, torch.Tensor]:
    return pad([model.vocabulary.encode([BOS, *s, EOS]) for s in sentences])


# -- the leak test ---------------------------------------------------------------------


def test_a_context_depends_on_every_word_but_its_own(model):
    ids, lengths = numbered(model, SENTENCES[0])
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


def slow_loss(model: Context2Vec, ids, lengths, negatives) -> float:
    """Add up the questions one by one, after the formula."""

    def log_s(x) -> float:
        return -math.log(1 + math.exp(-float(x)))

    contexts, u = model(ids, lengths).detach(), model.targets.weight.detach()
    losses = []
    for b, length in enumerate(lengths.tolist()):
        for t in range(length - 2):
            word, c = int(ids[b, t + 1]), contexts[b, t]
            if word == 0:
                continue
            false = [n for n in negatives[b, t].tolist() if n != word]
            losses.append(-log_s(c @ u[word]) - sum(log_s(-(c @ u[n])) for n in false))
    return sum(losses) / len(losses)


def test_the_loss_is_that_of_the_questions_one_by_one(model):
    ids, lengths = numbered(model, SENTENCES[0], ["cat", "whale", "sat"])
    generator = torch.Generator().manual_seed(0)
    V = len(model.vocabulary)
    negatives = torch.randint(3, V, (2, 6, 4), generator=generator)
    negatives[0, 0, 0] = ids[0, 1]  # the answer itself, which must not count as wrong
    found = model.loss(ids, lengths, negatives).item()
    assert found == pytest.approx(slow_loss(model, ids, lengths, negatives), rel=1e-5)


def test_words_and_contexts_share_a_space_after_training():
    """Cats purr and dogs bark: the gap is filled by what stands after it."""
    torch.manual_seed(0)
    text = []
    for animal, sound in (("cat", "purrs"), ("dog", "barks")):
        for when in ("now", "today", "again"):
            text += [f"the {animal} {sound} {when}".split()] * 4
    model = Context2Vec(number_words(text, 50), D=12, hidden=8)
    losses = train(model, text, epochs=150, negatives=3, lr=2e-2)
    assert losses[-1] < losses[0]
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
    names = [word for word, _ in model.fillers(context, k=len(model.vocabulary) - 3)]
    assert not {"<unk>", BOS, EOS} & set(names)


def test_every_sentence_is_read_once():
    rows = [[i] * (i % 7 + 1) for i in range(200)]
    read = [row for batch in batches(rows, np.random.default_rng(0)) for row in batch]
    assert sorted(read) == sorted(rows)
