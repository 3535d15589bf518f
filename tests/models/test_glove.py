"""GloVe: counts and steps beside slow ones, and what the vectors mean."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from course_lib.models.glove import GloVe, cooccurrences, matchings, ratios

V, D = 12, 4


@pytest.fixture(scope="module")
def sentences() -> list[list[int]]:
    """Draw sentences of 0 to 14 word numbers; 0 is `<unk>`, and low ones frequent."""
    generator = np.random.default_rng(0)
    chances = 1 / np.arange(1, V + 1)
    chances /= chances.sum()
    lengths = generator.integers(0, 15, 60)
    return [generator.choice(V, n, p=chances).tolist() for n in lengths]


@pytest.fixture(scope="module")
def X(sentences) -> csr_array:
    return cooccurrences(sentences, V, window=3)


def count_slowly(sentences, window, size=V):
    """Go from word to word and look at its neighbours, left and right."""
    X = np.zeros((size, size))
    for sentence in sentences:
        known = [word for word in sentence if word != 0]
        for here, word in enumerate(known):
            for there, context in enumerate(known):
                if here != there and abs(here - there) <= window:
                    X[word, context] += 1 / abs(here - there)
    return X


@pytest.mark.parametrize("window", [1, 3, 20])
@pytest.mark.parametrize("chunk", [1, 50, 10**6])
def test_counts_are_those_of_looking_at_every_word(sentences, window, chunk):
    X = cooccurrences(iter(sentences), V, window=window, chunk=chunk)
    assert np.allclose(X.toarray(), count_slowly(sentences, window), rtol=1e-13)


def test_counts_of_a_sentence_by_hand():
    X = cooccurrences([[1, 2, 0, 3], [1]], V=4, window=2).toarray()
    assert X[1, 2] == X[2, 1] == 1
    assert X[2, 3] == 1  # <unk> is taken out, and its neighbours close up
    assert X[1, 3] == 1 / 2
    assert X.sum() == 2 * (1 + 1 + 1 / 2)  # nothing reaches into the next sentence


def test_no_text_gives_no_counts():
    for nothing in ([], [[]], [[0, 0, 0]], [[1]]):
        assert cooccurrences(nothing, V).nnz == 0


def test_a_word_number_that_the_vocabulary_lacks_is_an_error():
    with pytest.raises(IndexError, match=f"word number {V} is outside"):
        cooccurrences([[1, 2, V]], V)
    with pytest.raises(IndexError, match="word number -1 is outside"):
        cooccurrences([[1, -1, 2]], V)
    with pytest.raises(TypeError, match="no list of word numbers: vocabulary.encode"):
        cooccurrences([["the", "cat"]], V)


def peak_memory(tokens: int) -> int:
    """Return the most bytes held at once while that many tokens stream past."""
    generator = np.random.default_rng(0)
    stream = (generator.integers(1, 50, 20).tolist() for _ in range(tokens // 20))
    tracemalloc.start()
    cooccurrences(stream, 50, window=5, chunk=2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_longer_text_takes_no_more_memory():
    peak_memory(200_000)  # what is made once, such as caches, does not count
    assert peak_memory(200_000) < 1.2 * peak_memory(20_000)


def test_ratios_are_those_of_the_counts():
    ice, steam, solid, gas, water, fashion = range(1, 7)
    X = np.zeros((7, 7))
    X[ice, [solid, gas, water]] = 8, 1, 11
    X[steam, [gas, water]] = 4, 6
    found = ratios(csr_array(X), ice, steam, [solid, gas, water, fashion])
    assert np.allclose(found[0], [0.4, 0.05, 0.55, 0])
    assert np.allclose(found[1], [0, 0.4, 0.6, 0])
    assert found[2, 0] == np.inf  # solid never stood near steam
    assert np.allclose(found[2, 1:3], [0.125, 0.55 / 0.6])
    assert np.isnan(found[2, 3])  # fashion stood near neither


def test_ratios_of_a_word_that_was_never_counted_are_an_error(X):
    with pytest.raises(ValueError, match="word number 0 has no neighbours"):
        ratios(X, 1, 0, [2, 3])


def test_the_weight_grows_with_the_count_up_to_one():
    model = GloVe(V, D, x_max=100)
    weights = model.weight(np.array([0.0, 100 / 16, 99.0, 100.0, 1e6]))
    assert weights[:2].tolist() == pytest.approx([0, 1 / 8])  # 16^(3/4) = 8
    assert weights[2] < 1
    assert weights[3:].tolist() == [1, 1]


def test_groups_hold_every_pair_once_and_no_word_or_context_twice(X):
    groups = matchings(X, seed=1)
    rebuilt = np.zeros((V, V))
    for i, k, x in groups:
        assert len(set(i)) == len(i) == len(set(k))
        rebuilt[i, k] += x
    assert np.array_equal(rebuilt, X.toarray())
    assert sum(len(x) for *_, x in groups) == X.nnz
    assert max(len(x) for *_, x in groups) > V // 2  # they are not all single pairs


def one_by_one(groups):
    """Cut groups into single pairs, in the same order."""
    pairs = [np.concatenate(column) for column in zip(*groups, strict=True)]
    return [tuple(column[p : p + 1] for column in pairs) for p in range(len(pairs[0]))]


def train_slowly(model: GloVe, pairs, epochs: int):
    """Let torch find the gradient of each pair's cost in all V x V costs."""
    P = [torch.tensor(p) for p in (model.w, model.w_tilde, model.b, model.b_tilde)]
    rates = (model.eta, model.eta, 1.0, 1.0)
    G = [torch.ones_like(p) for p in P]
    costs = []
    for i, k, x in pairs * epochs:
        for p in P:
            p.requires_grad_()
        w, w_tilde, b, b_tilde = P
        errors = w @ w_tilde.T + b[:, None] + b_tilde - np.log(float(x[0]))  # (V, V)
        f = min(float(x[0]) / model.x_max, 1) ** model.alpha
        cost = (f * errors**2 / 2)[int(i[0]), int(k[0])]
        costs.append(cost.item())
        steps = torch.autograd.grad(cost, P)
        with torch.no_grad():
            for n, (rate, step) in enumerate(zip(rates, steps, strict=True)):
                P[n] = P[n] - rate * step / G[n].sqrt()
                G[n] += (rate * step) ** 2
    return [p.numpy() for p in P], np.reshape(costs, (epochs, -1)).mean(axis=1)


def parameters(model: GloVe) -> list[np.ndarray]:
    return [model.w, model.w_tilde, model.b, model.b_tilde]


def test_training_in_groups_is_training_pair_by_pair(X):
    groups = matchings(X)
    model = GloVe(V, D, x_max=5, dtype=np.float64)
    expected, costs = train_slowly(model, one_by_one(groups), epochs=3)
    assert [model.epoch(groups) for _ in range(3)] == pytest.approx(costs)
    for found, slow in zip(parameters(model), expected, strict=True):
        assert np.allclose(found, slow, rtol=0, atol=1e-12)


def test_single_precision_is_close_to_double(X):
    groups, models = matchings(X), [GloVe(V, D, dtype=t) for t in ("f4", "f8")]
    for model in models:
        for _ in range(3):
            model.epoch(groups)
    assert models[0].vectors.dtype == np.float32
    assert np.allclose(models[0].vectors, models[1].vectors, atol=1e-5)


@pytest.fixture(scope="module")
def fitted() -> tuple[np.ndarray, GloVe]:
    """Train on counts that D dimensions and biases can explain without an error."""
    generator = np.random.default_rng(0)
    half = generator.normal(size=(V, D)) / 2
    bias = generator.normal(size=V)
    X = np.exp(half @ half.T + bias[:, None] + bias)
    model = GloVe(V, D, x_max=1e-9, eta=0.5, dtype=np.float64)  # all weights are 1
    groups = matchings(csr_array(X))
    for _ in range(3000):
        model.epoch(groups)
    return X, model


def test_differences_of_vectors_are_ratios_of_counts(fitted):
    X, model = fitted
    ice, steam = 3, 5
    difference = model.w_tilde @ (model.w[ice] - model.w[steam])  # (V,)
    difference += model.b[ice] - model.b[steam]
    assert np.allclose(np.exp(difference), X[ice] / X[steam], rtol=0.01)


def test_it_is_a_regression_on_counts_not_a_language_model(fitted):
    X, model = fitted
    scores = model.w @ model.w_tilde.T + model.b[:, None] + model.b_tilde  # (V, V)
    assert np.allclose(np.exp(scores), X, rtol=0.01)  # counts come back,
    assert not np.allclose(np.exp(scores).sum(1), 1, atol=0.5)  # no probabilities


FIXTURE = Path(os.environ.get("COURSE_DATA", "nowhere"), "../fixtures/glove")
needs_released = pytest.mark.skipif(
    not FIXTURE.is_dir(), reason="no outputs of the released tools beside COURSE_DATA"
)


@pytest.fixture(scope="module")
def released() -> dict[str, np.ndarray]:
    return dict(np.load(FIXTURE / "glove_tiny.npz"))


@needs_released
def test_counts_are_those_of_the_released_tools_but_for_one(released):
    ids, line = released["corpus_ids(-1=oov)"] + 1, released["corpus_line"]
    lines = [ids[line == n].tolist() for n in range(line.max() + 1)]
    size = int(released["vocab_size"]) + 1  # and <unk>
    window = int(released["window"])
    found = cooccurrences(lines, size, window=window).toarray()
    assert np.allclose(found, count_slowly(lines, window, size), rtol=1e-12, atol=0)
    i, k, expected = (released[f"cooc_{name}"] for name in "ijx")
    assert np.count_nonzero(found) == len(expected)
    found = found[i + 1, k + 1]
    # One count differs: the most frequent word with itself is twice the text's count.
    # By reading, not by running, the released merge_files: the text is so small that
    # the overflow file is empty; reading it fails unnoticed, and the record read
    # before, the first of the other file, goes in once more.
    assert (i[0], k[0]) == (0, 0)
    assert expected[0] == pytest.approx(2 * found[0], rel=1e-12)
    # The others are equal; the last digits hang on the order of adding up.
    assert np.allclose(found[1:], expected[1:], rtol=1e-12, atol=0)


@needs_released
def test_an_epoch_in_the_same_order_is_that_of_the_released_tools(released):
    size, width = int(released["vocab_size"]), int(released["dim"])
    options = {name: float(released[name]) for name in ("x_max", "alpha", "eta")}
    model = GloVe(size, width, dtype=np.float64, **options)
    start = released["init_params"]  # (2V, D+1): words, contexts; the bias is last
    model.w, model.b = start[:size, :-1].copy(), start[:size, -1].copy()
    model.w_tilde, model.b_tilde = start[size:, :-1].copy(), start[size:, -1].copy()
    pairs = one_by_one(
        [(released["train_i"], released["train_j"], released["train_x"])]
    )

    def stacked(w, w_tilde, b, b_tilde):
        return np.block([[w, b[:, None]], [w_tilde, b_tilde[:, None]]])

    for epoch in range(1, 6):
        cost = model.epoch(pairs)
        expected = released["cost_per_pair_epochs_1to5"][epoch - 1]
        assert cost == pytest.approx(expected, abs=1e-6)  # printed with six digits
        if epoch in (1, 5):
            found = stacked(*parameters(model)), stacked(**model.G)
            for name, array in zip(("params", "gradsq"), found, strict=True):
                expected = released[f"{name}_after_{epoch}"]
                assert np.allclose(array, expected, rtol=0, atol=1e-10), name


@pytest.mark.filterwarnings("ignore:overflow|invalid")
def test_steps_that_are_too_long_are_named():
    """A cost that explodes must not end in vectors that are all nan."""
    X = csr_array(np.full((4, 4), 1e6))
    model = GloVe(4, 3, eta=1e6)
    with pytest.raises(FloatingPointError, match="eta = 1000000.0 is too large"):
        for _ in range(50):
            model.epoch(matchings(X))


def test_counts_of_nothing_are_no_regression():
    X = cooccurrences([[0, 1, 0], [2]], 3)  # nobody has a neighbour
    with pytest.raises(ValueError, match="no two words stand near"):
        GloVe(3, 4).epoch(matchings(X))


def test_a_window_of_nothing_is_refused():
    with pytest.raises(ValueError, match="a window of 0 holds no neighbour"):
        cooccurrences([[1, 2]], 3, window=0)


@pytest.mark.parametrize("sizes", [(0, 4), (3, 0)])
def test_a_matrix_without_a_number_is_refused(sizes):
    with pytest.raises(ValueError, match="give one or more of each"):
        GloVe(*sizes)
