"""NNLM: the equation read literally, and what a window can and cannot see."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
import torch

from course_lib.models.nnlm import NNLM, best_weight, log_probabilities, mix, windows

V, N = 11, 4


@pytest.fixture(params=[False, True], ids=["no direct connections", "direct"])
def model(request) -> NNLM:
    torch.manual_seed(0)
    return NNLM(V, N, m=5, h=7, direct=request.param).double()


def test_the_scores_are_those_of_the_paper_s_equation(model):
    context = [3, 1, 4]
    p = {name: value.detach().numpy() for name, value in model.named_parameters()}
    x = np.concatenate([p["C.weight"][word] for word in context])
    y = p["U.bias"] + p["U.weight"] @ np.tanh(p["H.bias"] + p["H.weight"] @ x)
    if "W.weight" in p:
        y = y + p["W.weight"] @ x
    found = model(torch.tensor([context]))[0].detach().numpy()
    assert np.allclose(found, y)


def test_a_row_of_c_is_what_a_one_hot_vector_picks(model):
    one_hot = torch.eye(V, dtype=torch.float64)
    assert torch.equal(one_hot @ model.C.weight, model.C(torch.arange(V)))


def test_the_loss_is_minus_the_mean_log_probability(model):
    contexts, targets = torch.randint(V, (6, N - 1)), torch.randint(V, (6,))
    chances = model(contexts).softmax(1)
    assert torch.allclose(chances.sum(1), torch.ones(6, dtype=torch.float64))
    picked = chances[torch.arange(6), targets]
    assert torch.allclose(model(contexts, targets)[1], -picked.log().mean())


def test_the_gradient_reaches_only_the_words_of_the_window(model):
    model(torch.tensor([[3, 1, 4]]), torch.tensor([5]))[1].backward()
    touched = model.C.weight.grad.abs().sum(1).nonzero()[:, 0].tolist()
    assert touched == [1, 3, 4]  # not 5: it is scored by U, not looked up


def test_windows_are_all_runs_of_n_words():
    ids = torch.arange(7)
    contexts, targets = windows(ids, 3)
    assert contexts.tolist() == [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]
    assert targets.tolist() == [2, 3, 4, 5, 6]


def test_what_is_older_than_the_window_changes_nothing(model):
    ids = torch.randint(V, (12,))
    changed = ids.clone()
    changed[0] = (ids[0] + 1) % V
    before, after = log_probabilities(model, ids), log_probabilities(model, changed)
    assert not torch.equal(before[0], after[0])  # the first window holds word 0
    assert torch.equal(before[1:], after[1:])
    assert torch.equal(log_probabilities(model, ids, batch=2), before)


def trained(text, n, steps=300):
    torch.manual_seed(0)
    model = NNLM(2, n, m=4, h=8)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        model(*windows(text, n))[1].backward()
        optimizer.step()
    return -float(log_probabilities(model, text).mean())


def test_it_learns_what_its_window_holds_and_nothing_else():
    # Each bit is the exclusive or of the two before it: a bigram sees one of them.
    bits = [0, 1]
    for _ in range(400):
        bits.append(bits[-1] ^ bits[-2])
    text = torch.tensor(bits)
    assert trained(text, n=3) < 0.01
    one_before = [[b for a, b in itertools.pairwise(bits) if a == k] for k in (0, 1)]
    entropy = sum(
        -after.count(b) * math.log(after.count(b) / len(after))
        for after in one_before
        for b in set(after)
    ) / (len(bits) - 1)
    assert trained(text, n=2) == pytest.approx(entropy, abs=0.01)


def test_a_mixture_is_a_weighted_mean_of_probabilities():
    p, q = torch.tensor([0.5, 0.1]), torch.tensor([0.1, 0.9])
    assert torch.allclose(mix(p.log(), q.log(), 0.25).exp(), 0.25 * p + 0.75 * q)
    assert torch.equal(mix(p.log(), q.log(), 0.0), q.log())


def test_the_best_weight_is_the_best_of_a_fine_grid():
    generator = torch.Generator().manual_seed(1)
    p, q = torch.rand(2, 500, generator=generator).clamp(0.01).log()
    found = best_weight(p, q)
    grid = [k / 1000 for k in range(1, 1000)]
    best = max(grid, key=lambda weight: float(mix(p, q, weight).mean()))
    assert found == pytest.approx(best, abs=0.01)
    assert best_weight(p, p - 1.0) > 0.99  # always the better one


def test_log_probabilities_keep_the_precision_of_the_model(model):
    ids = torch.arange(40) % V
    contexts, targets = windows(ids, N)
    wanted = model(contexts).log_softmax(1)[torch.arange(len(targets)), targets]
    found = log_probabilities(model, ids, batch=7)
    assert found.dtype == torch.float64
    assert torch.allclose(found, wanted, rtol=1e-12)


MEASURED = """
import torch
from resource import RUSAGE_SELF, getrusage
from course_lib.models.nnlm import NNLM, log_probabilities
model, peak = NNLM(20_000, 5), lambda: getrusage(RUSAGE_SELF).ru_maxrss
before = peak()
log_probabilities(model, torch.zeros(9000, dtype=torch.long))
print((peak() - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere in other units, or not")
def test_a_long_text_needs_the_memory_of_a_small_part_of_it():
    """All its (T, V) scores would be 720 MB."""
    command = [sys.executable, "-c", MEASURED]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(run.stdout) < 600  # with parts of 4,096 rows: 1,263


def test_a_text_shorter_than_a_window_is_refused():
    with pytest.raises(ValueError, match="2 words has no window of 5"):
        windows(torch.tensor([1, 2]), 5)
    with pytest.raises(ValueError, match="order 0"):
        NNLM(9, 0)
    for context in ([[1, 2, 3]], [1, 2]):  # n words in place of n - 1; no batch
        with pytest.raises(ValueError, match=r"order 3 reads 2 words, \(B, 2\)"):
            NNLM(9, 3)(torch.tensor(context))
