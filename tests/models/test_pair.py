"""The pair model: a lookup is a matrix product, and freezing means what it says."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gensim.models import KeyedVectors

from course_lib.models import pair
from course_lib.models.pair import Examples, PairModel, compare, encode, first_layer
from course_lib.text.vocabulary import Vocabulary

V, D = 9, 4


@pytest.fixture
def C() -> torch.Tensor:
    torch.manual_seed(0)
    C = torch.randn(V, D, dtype=torch.float64)
    C[0] = 0
    return C


@pytest.fixture
def words() -> Vocabulary:
    return Vocabulary(["<unk>", "apple", "bank", "cup"])


def model(C, **options) -> PairModel:
    torch.manual_seed(1)
    return PairModel(C, **options).to(C.dtype)


def some_pairs(N: int = 6) -> Examples:
    generator = torch.Generator().manual_seed(2)
    texts = tuple(torch.randint(1, V, (N, T), generator=generator) for T in (5, 3))
    return Examples(texts, torch.arange(N) % 2)


# -- the first layer is a matrix like any other ----------------------------------------


def test_a_text_is_the_mean_of_one_hot_vectors_times_c(C):
    text = torch.tensor([[3, 1, 4, 1]])
    one_hot = torch.eye(V, dtype=C.dtype)[text]  # (1, T, V)
    assert torch.allclose(model(C).C(text), (one_hot @ C).mean(1))


def test_the_gradient_of_the_lookup_is_that_of_the_product(C):
    tested, text = model(C), torch.tensor([[3, 1, 4, 1]])
    G = torch.randn(1, D, dtype=C.dtype)  # what comes back from the layers above
    tested.C(text).backward(G)
    found = tested.C.weight.grad
    one_hot = torch.eye(V, dtype=C.dtype)[text[0]]  # (T, V)
    assert torch.allclose(found, one_hot.mean(0)[:, None] * G)
    assert torch.allclose(found[1], 2 * found[3])  # a word that stands twice


def test_only_the_words_of_the_batch_get_a_gradient(C):
    tested = model(C)
    texts = [torch.tensor([[3, 1]]), torch.tensor([[5, 0]])]
    tested(texts, torch.tensor([1])).backward()
    touched = tested.C.weight.grad.abs().sum(1).nonzero()[:, 0].tolist()
    assert touched == [1, 3, 5]


def test_unknown_words_and_padding_change_nothing(C):
    tested = model(C)
    plain = tested([torch.tensor([[3, 1]]), torch.tensor([[4]])])
    padded = tested([torch.tensor([[3, 0, 1, 0]]), torch.tensor([[0, 4]])])
    assert torch.allclose(plain, padded)


def test_the_order_of_words_is_lost_and_the_order_of_texts_is_not(C):
    tested = model(C)
    a, b = torch.tensor([[3, 1, 4]]), torch.tensor([[5, 2]])
    assert torch.allclose(tested([a, b]), tested([a.flip(1), b]))
    assert not torch.allclose(tested([a, b]), tested([b, a]))


def test_equal_texts_differ_in_nothing():
    u = torch.randn(3, D)
    same_u, same_v, difference, product = compare(u, u).split(D, dim=1)
    assert torch.equal(same_u, same_v)
    assert not difference.any()
    assert torch.equal(product, u**2)


def test_one_text_or_two(C):
    pairs, single = some_pairs(), model(C, classes=3, texts=1)
    assert model(C)(pairs.texts).shape == (6, 2)
    assert single(pairs.texts[:1]).shape == (6, 3)


def test_the_loss_is_minus_the_mean_log_probability(C):
    tested, pairs = model(C), some_pairs()
    chances = tested(pairs.texts).softmax(1)[torch.arange(6), pairs.labels]
    assert torch.allclose(tested(pairs.texts, pairs.labels), -chances.log().mean())


# -- three ways to begin ---------------------------------------------------------------


def trained(C, freeze: bool) -> PairModel:
    tested = model(C, freeze=freeze)
    pair.fit(tested, some_pairs(), some_pairs(), lr=0.01, seed=0)
    return tested


def test_frozen_rows_stay_and_fine_tuned_rows_move(C):
    pairs = some_pairs()
    met = torch.cat([text.flatten() for text in pairs.texts]).unique()
    never = torch.tensor([i for i in range(V) if i not in met])
    assert torch.equal(trained(C, freeze=True).C.weight, C)
    tuned = trained(C, freeze=False).C.weight
    assert (tuned[met] != C[met]).all()
    assert torch.equal(tuned[never], C[never])


def test_training_does_not_change_the_caller_s_vectors(C):
    before = C.clone()
    trained(C, freeze=False)
    assert torch.equal(C, before)


def test_known_words_get_their_vectors_and_the_others_are_drawn_alike(words):
    vectors = KeyedVectors(100)
    rows = np.random.default_rng(0).normal(scale=5, size=(2, 100))
    vectors.add_vectors(["apple", "cup"], rows.astype(np.float32))
    given, drawn = first_layer(words, vectors, seed=3), first_layer(words, None, seed=3)
    for row, word in ((1, "apple"), (3, "cup")):  # scaled, not turned
        cosine = torch.cosine_similarity(given[row], torch.tensor(vectors[word]), dim=0)
        assert cosine == pytest.approx(1)
    for table in (given[1:], drawn[1:]):
        assert table.std(dim=1).tolist() == pytest.approx([0.3] * 3, rel=0.25)
    assert not given[0].any() and not drawn[0].any()
    assert given.shape == (4, 100)


def test_a_seed_draws_the_same_rows(words):
    assert torch.equal(first_layer(words, None, 3), first_layer(words, None, 3))
    assert not torch.equal(first_layer(words, None, 3), first_layer(words, None, 4))


# -- reading and training --------------------------------------------------------------


def test_texts_become_numbers_padded_with_0(words):
    found = encode([["cup", "apple"], ["river"], []], words)
    assert found.tolist() == [[3, 1], [0, 0], [0, 0]]
    assert encode([["cup"] * 999], words).shape == (1, pair.WORDS)


def test_taking_examples_drops_empty_columns():
    text = torch.tensor([[1, 2, 3], [4, 0, 0], [5, 6, 0]])
    taken = Examples((text,), torch.arange(3)).take(torch.tensor([1, 2]))
    assert taken.texts[0].tolist() == [[4, 0], [5, 6]]
    assert taken.labels.tolist() == [1, 2]


def test_it_learns_whether_two_texts_share_their_words():
    generator = torch.Generator().manual_seed(5)
    first = torch.randint(1, 40, (600, 1), generator=generator)
    other = torch.randint(1, 40, (600, 1), generator=generator)
    labels = torch.arange(600) % 2
    second = torch.where(labels[:, None] == 1, first, other)
    right = (first == second).long()[:, 0]
    parts = [
        Examples((first[a:b], second[a:b]), right[a:b])
        for a, b in ((0, 400), (400, 500), (500, 600))
    ]
    torch.manual_seed(0)
    tested = PairModel(torch.randn(40, 20))
    pair.fit(tested, *parts[:2], lr=0.01, seed=0)
    assert pair.accuracy(tested, parts[2]) > 0.95


def test_the_best_round_stays_and_three_without_a_better_one_are_the_last(
    C, monkeypatch
):
    """The accuracies are told by the test: the second of five rounds is the best."""
    tested, told, seen = model(C), iter([0.2, 0.9, 0.4, 0.3, 0.1]), []

    def accuracy(of, examples) -> float:
        seen.append({name: x.clone() for name, x in of.state_dict().items()})
        return next(told)

    monkeypatch.setattr(pair, "accuracy", accuracy)
    assert pair.fit(tested, some_pairs(), some_pairs(), lr=0.05, seed=0) == 0.9
    assert len(seen) == 5
    kept = tested.state_dict()
    assert all(torch.equal(kept[name], seen[1][name]) for name in kept)
    assert not torch.equal(kept["out.weight"], seen[4]["out.weight"])


def test_no_example_teaches_nothing():
    C, empty = torch.zeros(4, 100), torch.zeros(0, 2, dtype=torch.long)
    nothing = Examples((empty, empty), torch.zeros(0, dtype=torch.long))
    with pytest.raises(ValueError, match="no example to learn from"):
        pair.fit(PairModel(C), nothing, nothing, 1e-3, seed=0)
    with pytest.raises(ValueError, match="none to choose by"):
        pair.fit(PairModel(C), some_pairs(), nothing, 1e-3, seed=0)
