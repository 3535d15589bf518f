"""The cloze ladder: who sees what, exactly; and what each can therefore not learn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from course_claims.experiments.lineage import Questions, reveal
from course_lib.models import cloze
from course_lib.models.cloze import Around, Bag, Cloze, Masked, Side
from course_lib.models.context2vec import END, Context2Vec, number_words
from course_lib.text.batches import IGNORE
from course_lib.text.characters import BOS, EOS
from course_lib.training.loop import train
from course_lib.worlds import worlds

D, V, N = 8, 30, 12  # dimension, words, words of a sentence
PLACE = 6  # the gap, counted with <S>
READERS = {
    "bag": lambda: Bag(window=3),
    "left": lambda: Side(D, "left"),
    "right": lambda: Side(D, "right"),
    "around": lambda: Around(D),
    "masked": lambda: Masked(D),
}
SEES = {  # the places of the row whose word can change the answer
    "bag": {3, 4, 5, 7, 8, 9},
    "left": {1, 2, 3, 4, 5},
    "right": {7, 8, 9, 10, 11, 12},
    "around": set(range(1, 13)) - {PLACE},
    "masked": set(range(1, 13)) - {PLACE},
}


def model(name: str, counts=None) -> Cloze:
    """Make a reader with a softmax that is not all zeros."""
    torch.manual_seed(3)
    found = Cloze(READERS[name](), np.arange(1, V + 1) if counts is None else counts, D)
    torch.nn.init.normal_(found.answers.weight)
    return found.eval()


def sentence(seed: int = 0) -> list[int]:
    words = np.random.default_rng(seed).integers(cloze.MARKS, V, N)
    return [1, *words.tolist(), END]


def answer(of: Cloze, row: list[int], place: int = PLACE) -> torch.Tensor:
    return cloze.answers(of, [row], [place])[0]


# -- who sees what ---------------------------------------------------------------------


@pytest.mark.parametrize("name", READERS)
def test_each_reader_sees_its_places_and_never_the_gap(name):
    row, of = sentence(), model(name)
    before, changes = answer(of, row), set()
    for place in range(1, N + 1):
        other = list(row)
        other[place] = cloze.MARKS + (row[place] + 1 - cloze.MARKS) % (V - cloze.MARKS)
        if not torch.equal(answer(of, other), before):
            changes.add(place)
    assert changes == SEES[name]


@pytest.mark.parametrize("name", READERS)
def test_cbow_is_exactly_invariant_to_the_order_of_its_window_and_no_other_is(name):
    row, of = sentence(), model(name).double()
    before = answer(of, row)
    window = sorted(SEES["bag"])
    moved = []
    for order in itertools.islice(itertools.permutations(window), 1, None, 37):
        other = list(row)
        for place, source in zip(window, order, strict=True):
            other[place] = row[source]
        moved.append(float((answer(of, other) - before).abs().max()))
    if name == "bag":
        assert max(moved) < 1e-14  # the sum of the same numbers in another order
    else:
        assert max(moved) > 1e-4


def test_the_window_ends_where_the_sentence_does():
    # At the first word CBOW has neighbours on the right only: their mean, undiluted.
    of, row = model("bag"), sentence()
    x = of.words.weight[torch.tensor(row[2:5])].mean(dim=0)  # (D,)
    scores = of.answers.weight[cloze.MARKS :] @ x + of.bias
    assert torch.allclose(answer(of, row, 1), scores.log_softmax(0), atol=1e-6)


def test_around_is_the_network_of_context2vec():
    vocabulary = number_words([[str(i) for i in range(40)]] * 2, V)
    theirs = Context2Vec(vocabulary, D, hidden=D).eval()
    mine = Around(D)
    mine.left.lstm, mine.right.lstm = theirs.left, theirs.right
    mine.join = theirs.join
    ids = torch.tensor([sentence(), sentence(1)])
    x, lengths = theirs.words(ids), torch.tensor([N + 2, N + 2])
    gaps = torch.zeros_like(ids, dtype=torch.bool)
    gaps[:, 1:-1] = True
    assert torch.allclose(
        mine(x, lengths, gaps), theirs.read(x, lengths).flatten(0, 1), atol=1e-6
    )


@pytest.mark.parametrize("name", READERS)
def test_what_stands_beside_it_in_the_batch_changes_nothing(name):
    of, long = model(name), sentence()
    short = [*long[:7], END]
    alone = [answer(of, row, 4) for row in (long, short)]
    together = cloze.answers(of, [long, short], [4, 4])
    assert torch.allclose(torch.stack(alone), together, atol=1e-5)


# -- the answers -----------------------------------------------------------------------


def test_without_a_context_a_reader_answers_like_the_unigram_model():
    # A sentence of one word: CBOW has no neighbour, and the mean of nothing is 0.
    counts = np.arange(V) ** 2 + 1
    share = torch.tensor(counts[3:] / counts[3:].sum()).float()
    found = answer(model("bag", counts), [1, 7, END], 1)
    assert torch.allclose(found.exp(), share, atol=1e-6)


def test_the_loss_is_that_of_the_answers():
    of = model("around")
    rows = [sentence(0), sentence(1)]
    tokens, targets = Questions(rows, share=1.0).at(0)
    log_p, loss = of(tokens, targets)
    right = targets[targets != IGNORE] - cloze.MARKS
    assert loss.item() == pytest.approx(-log_p[range(len(right)), right].mean().item())
    assert log_p.shape == (2 * N, V - 3)


def test_the_product_is_bayes_rule_where_the_sides_are_independent():
    # l and r are drawn independently once w is known: so the product is exact.
    rng = np.random.default_rng(0)
    w, l_w, r_w = rng.dirichlet([1] * 5), *rng.dirichlet([1] * 4, size=(2, 5))
    joint = torch.tensor(np.einsum("w,wl,wr->lrw", w, l_w, r_w))  # (4, 4, 5)
    left = joint.sum(1) / joint.sum((1, 2))[:, None]  # (4, 5): p(w | l)
    right = joint.sum(0) / joint.sum((0, 2))[:, None]
    both = joint / joint.sum(2, keepdim=True)
    for i, j in itertools.product(range(4), range(4)):
        found = cloze.product(left[[i]].log(), right[[j]].log(), torch.tensor(w).log())
        assert torch.allclose(found.exp()[0], both[i, j])


def test_the_product_is_normalised_and_two_silent_sides_leave_the_unigram():
    torch.manual_seed(0)
    left, right = torch.randn(2, 7, 20).log_softmax(dim=2)
    alone = torch.randn(20).log_softmax(dim=0)
    total = cloze.product(left, right, alone).exp().sum(dim=1)
    assert torch.allclose(total, torch.ones(7))
    silent = alone.expand(7, -1)
    assert torch.allclose(cloze.product(silent, silent, alone), silent, atol=1e-6)


# -- the questions ---------------------------------------------------------------------


def test_questions_ask_for_known_words_only_and_for_the_share_wanted():
    rows = [sentence(i) for i in range(400)]
    for row in rows[:200]:
        row[3] = 0  # <unk>
    asked = tokens = 0
    for ids, targets in Questions(rows, share=0.3):
        here = targets != IGNORE
        assert (ids[here] >= cloze.MARKS).all() and (ids[here] == targets[here]).all()
        asked, tokens = asked + here.sum(), tokens + (ids >= cloze.MARKS).sum()
    assert tokens == 400 * N - 200
    assert abs(asked / tokens - 0.3) < 4 * (0.3 * 0.7 / tokens) ** 0.5


def test_an_epoch_asks_every_row_once_and_the_next_one_asks_other_words():
    rows = [sentence(i)[: 5 + i % 7] + [END] for i in range(100)]
    questions = Questions(rows, share=0.5, size=8)
    first = [questions.at(i) for i in range(len(questions))]
    again = [Questions(rows, share=0.5, size=8).at(i) for i in range(len(questions))]
    assert all(torch.equal(a[1], b[1]) for a, b in zip(first, again, strict=True))
    read = sorted(
        row[row != 0].tolist() for ids, _ in first for row in ids
    )  # padding is 0
    assert read == sorted(rows)
    later = [questions.at(len(questions) + i)[1] for i in range(len(questions))]
    assert not all(
        a.shape == b[1].shape and torch.equal(a, b[1])
        for a, b in zip(later, first, strict=True)
    )


def test_given_places_are_the_only_ones_asked():
    rows = [sentence(i) for i in range(20)]
    places = [1 + i % N for i in range(20)]
    found = set()
    for ids, targets in Questions(rows, places=places, size=6):
        for row, target in zip(ids.tolist(), targets, strict=True):
            [at] = torch.nonzero(target != IGNORE)[:, 0].tolist()
            found.add((tuple(row), at))
    assert found == {(tuple(r), p) for r, p in zip(rows, places, strict=True)}


# -- what they can learn ---------------------------------------------------------------


def learned(world, name: str, epochs: float) -> float:
    """Return how often a reader that was asked for the hidden word chooses rightly."""
    train_on, test = world.sentences(3000, seed=1), world.sentences(1000, seed=2)
    vocabulary = number_words([reveal(s) for s in train_on], 1000)

    def numbered(found):
        return [vocabulary.encode([BOS, *reveal(s), EOS]) for s in found]

    rows = numbered(train_on)
    counts = np.bincount(np.concatenate(rows), minlength=len(vocabulary))
    torch.manual_seed(0)
    readers = {"bag": lambda: Bag(5), "masked": lambda: Masked(32)}
    side = {"left": lambda: Side(32, "left"), "right": lambda: Side(32, "right")}
    of = Cloze((readers | side)[name](), counts, 32)
    asked = Questions(rows, places=[s.target_index + 1 for s in train_on])
    train(of, asked, epochs=epochs, learning_rate=3e-3)
    said = cloze.answers(of, numbered(test), [s.target_index + 1 for s in test])
    two = torch.tensor([vocabulary.ids[s] - 3 for s in ("baked", "mended")])
    choice = said[:, two].argmax(dim=1).tolist()
    hits = [
        ("baked", "mended")[c] == s.sense for c, s in zip(choice, test, strict=True)
    ]
    return float(np.mean(hits))


def test_a_cue_on_the_right_is_out_of_reach_of_a_causal_model():
    world = worlds.cue_world("right", distances=(1, 3))
    assert abs(learned(world, "left", 2) - 0.5) < 0.06  # 4 standard errors
    assert learned(world, "right", 3) > 0.95
    assert learned(world, "masked", 3) > 0.95


def test_in_the_xor_world_seeing_both_sides_is_not_enough_for_a_bag():
    # A mean, and a sum of scores, add up what the sides say: exclusive or is no sum.
    world = worlds.xor_world(distances=(1, 2))
    assert abs(learned(world, "bag", 2) - 0.5) < 0.06
    assert learned(world, "masked", 12) > 0.95


def test_a_text_of_unknown_words_asks_no_question():
    with pytest.raises(ValueError, match="no word but"):
        Cloze(Bag(), np.array([9, 2, 2]))  # <unk> and the marks


def test_a_row_that_is_too_long_is_refused():
    model = Cloze(Masked(8, longest=4), np.ones(20), 8)
    with pytest.raises(ValueError, match="5 places, but this reader has 4"):
        cloze.answers(model, [[1, 7, 8, 9, END]], [1])


def test_a_row_cut_before_its_end_is_refused():
    model = Cloze(Side(8, "right"), np.ones(20), 8)
    with pytest.raises(ValueError, match="no </S>"):
        cloze.answers(model, [[1, 7, 8, END], [1, 7, 8]], [1, 1])
