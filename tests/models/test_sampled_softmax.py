"""The sampled softmax: right on average, exact with all words, its gradient too."""

import math

import pytest
import torch
from torch.nn import functional as F

from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.models.sampled_softmax import (
    PIECE,
    WordSoftmax,
    draw,
    inclusion,
    sampled_cross_entropy,
    sampled_loss,
)
from course_lib.text.batches import Batches, read_text


def scene(N=30, V=50, P=8, seed=0):
    """Return states, targets, weight and bias, with gradients asked for."""
    torch.manual_seed(seed)
    states = torch.randn(N, P, requires_grad=True)
    targets = torch.randint(V, (N,))
    weight = torch.randn(V, P, requires_grad=True)
    bias = torch.randn(V, requires_grad=True)
    return states, targets, weight, bias


def test_a_sample_has_distinct_words_each_as_often_as_it_should():
    q = inclusion(50, 12)
    assert q.sum().item() == pytest.approx(12)
    assert q[0] == 1 and (q.diff() <= 0).all()
    counts = torch.zeros(50)
    for _ in range(2000):
        drawn, probability = draw(50, 12)
        assert len(drawn.unique()) == 12
        torch.testing.assert_close(probability, q[drawn].float())
        counts[drawn] += 1
    error = (q * (1 - q) / 2000).sqrt() + 1e-9
    assert ((counts / 2000 - q).abs() < 5 * error).all()


@pytest.mark.parametrize("N", [9, PIECE, 2 * PIECE + 7])
@pytest.mark.parametrize("samples", [20, 50])
def test_the_fast_one_equals_the_plain_one(N, samples):
    """The same draw, the same loss and gradients, up to bfloat16's three digits."""
    states, targets, weight, bias = inputs = scene(N)
    leaves = (states, weight, bias)
    torch.manual_seed(1)
    slow = sampled_loss(*inputs, samples)
    expected = torch.autograd.grad(3 * slow, leaves)
    torch.manual_seed(1)
    fast = sampled_cross_entropy(*inputs, samples)
    found = torch.autograd.grad(3 * fast, leaves)
    torch.testing.assert_close(fast, slow, rtol=0, atol=0.02)
    for one, other in zip(found, expected, strict=True):
        assert (one - other).norm() < 0.01 * other.norm()


def test_with_all_words_drawn_it_is_exact():
    states, targets, weight, bias = inputs = scene()
    exact = F.cross_entropy(F.linear(states, weight, bias), targets)
    torch.testing.assert_close(sampled_loss(*inputs, samples=50), exact)
    found = sampled_cross_entropy(*inputs, samples=50)
    torch.testing.assert_close(found, exact, rtol=0, atol=0.02)


def test_the_sum_is_right_on_average():
    """E[Z] over many samples is Z, for each target: nothing is counted twice."""
    states, targets, weight, bias = scene(N=4)
    scores = F.linear(states, weight, bias).detach()
    for n in range(4):
        row, target = states[n : n + 1], targets[n : n + 1]
        each = [sampled_loss(row, target, weight, bias, 9).exp() for _ in range(3000)]
        z = torch.stack(each).detach() * scores[n, targets[n]].exp()
        error = z.std() / len(z) ** 0.5
        assert abs(z.mean() - scores[n].exp().sum()) < 5 * error


def test_the_probabilities_sum_to_one_and_give_the_loss():
    softmax = WordSoftmax(8, 700, samples=100).eval()
    states, targets = torch.randn(1200, 8), torch.randint(700, (1200,))
    log_p = softmax.log_prob(states)
    torch.testing.assert_close(log_p.exp().sum(1), torch.ones(1200))
    expected = -log_p.gather(1, targets[:, None]).mean()
    torch.testing.assert_close(softmax(states, targets), expected)


def test_it_begins_with_zipfs_law():
    log_p = WordSoftmax(8, 1000, samples=100).log_prob(torch.zeros(1, 8))[0]
    assert math.isclose((log_p[9] - log_p[99]).item(), math.log(10), rel_tol=1e-4)


def test_a_bilm_with_a_sampled_softmax_learns_by_heart_what_it_reads():
    """It is trained with the estimate and judged by the exact loss.

    The estimate is noisy, so the rate falls to 0 at the end, as in a real training.
    """
    words = [[f"w{i}{j}" for i in range(6)] for j in range(8)]
    text = read_text([[sentence] for sentence in words])
    vocabulary = text.vocabulary(99)
    ((tokens, targets),) = Batches(text, vocabulary, rows=8)
    torch.manual_seed(0)
    sizes = {"cells": 32, "projection": 16, "filters": [[1, 8], [2, 8]], "dropout": 0.0}
    model = BiLM(BiLMConfig(**sizes, samples=32), len(vocabulary))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 400)
    begin = model.eval()(tokens, targets)[1]
    for _ in range(400):
        optimizer.zero_grad()
        model.train()(tokens, targets)[1].mean().backward()
        optimizer.step()
        falling.step()
    end = model.eval()(tokens, targets)[1]
    floor = math.log(8) / 6  # one word of six is a guess among eight
    assert (begin > 3).all()
    assert (end > floor - 1e-3).all()
    assert (end < floor + 0.1).all()
