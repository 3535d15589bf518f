"""A softmax over many words, estimated in training from a sample of them.

The sum under the softmax's fraction runs over all V words; in training it is estimated
from S drawn ones: a word that is drawn with probability q stands for 1/q words, so that
the sum is right on average. `sampled_loss` says it in the fewest lines;
`sampled_cross_entropy` gives the same in half the time, up to bfloat16's three digits.
Source: Jean et al. 2015; the weights 1/q are Horvitz & Thompson's, 1952.
"""

from __future__ import annotations

import functools

import torch
from torch import nn
from torch.nn import functional as F

PIECE = 256  # rows whose (PIECE, S) scores stay in the processor's cache


@functools.cache
def inclusion(V: int, samples: int) -> torch.Tensor:
    """Say how likely each word is to be in a sample; they add up to its size. (V,)

    In proportion to 1/rank, about how frequent words are (Zipf), but never above 1: the
    most frequent words are in every sample.
    """
    rank = torch.arange(1, V + 1, dtype=torch.float64)
    scale = float(samples)
    for _ in range(100):  # until the sum is right
        scale *= samples / (scale / rank).clamp(max=1).sum()
    return (scale / rank).clamp(max=1)


def draw(V: int, samples: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw distinct words by their `inclusion`; return them and their q, (S,) each.

    The probabilities lie end to end on a line, and a comb with a tooth at every whole
    number, shifted at random, picks the words it hits. Source: Madow 1949.
    """
    q = inclusion(V, min(samples, V))  # (V,)
    teeth = torch.rand(1, dtype=torch.float64) + torch.arange(min(samples, V))
    drawn = torch.searchsorted(q.cumsum(0), teeth).clamp(max=V - 1)  # (S,)
    return drawn, q[drawn].float()


def sampled_loss(
    states: torch.Tensor,
    targets: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    samples: int,
) -> torch.Tensor:
    """Estimate the mean of -log p(target) from a sample, the same for all rows.

    Shape: (N, P), (N,), weight (V, P), bias (V,), to a scalar. The words stand in the
    order of their frequency.
    """
    drawn, q = (x.to(states.device) for x in draw(len(bias), samples))  # (S,)
    others = F.linear(states, weight[drawn], bias[drawn]).float() - q.log()  # (N, S)
    others = others.masked_fill(drawn == targets[:, None], -torch.inf)
    own = (states * weight[targets]).sum(1).float() + bias[targets]  # (N,)
    every = torch.cat([own[:, None], others], dim=1)  # (N, 1+S)
    return (every.logsumexp(dim=1) - own).mean()


class LogNormaliser(torch.autograd.Function):
    """Sum exp(scores) over the drawn words and the target, and take the logarithm.

    The gradient of a logarithm of a sum is a softmax, known as soon as the sum is: so
    it is worked out on the way, piece by piece, and no (N, S) table is ever kept.
    """

    @staticmethod
    def forward(ctx, states, rows, bias, own, column):
        """Return log(exp(own) + Σ exp(states rows' + bias)) of each row, (N,).

        Shape: states (N, P), drawn rows (S, P), bias (S,), own scores (N,), and in
        which column the target was drawn as well (N,), -1 if it was not: there it
        does not count twice. The products are made in bfloat16, the sums in float32.
        """
        x, w = states.bfloat16(), rows.bfloat16()
        found, to_own = torch.empty_like(own), torch.empty_like(own)
        to_states, to_rows = torch.empty_like(x), torch.zeros_like(rows)
        to_bias = torch.zeros_like(bias)
        for i in range(0, len(x), PIECE):
            here = slice(i, i + PIECE)
            z = (x[here] @ w.T) + bias  # (n, S)
            twice = (column[here] >= 0).nonzero().squeeze(1)
            z[twice, column[here][twice]] = -torch.inf
            top = torch.maximum(z.amax(dim=1), own[here])  # (n,)
            z = z.sub_(top[:, None]).exp_()
            e = (own[here] - top).exp()
            total = z.sum(dim=1) + e
            found[here] = total.log() + top
            p = z.mul_(1 / total[:, None])  # (n, S), probabilities
            to_own[here] = e / total
            to_bias += p.sum(dim=0)
            p = p.bfloat16()
            to_states[here] = p @ w
            to_rows += p.T @ x[here]
        ctx.save_for_backward(to_states, to_rows, to_bias, to_own)
        return found

    @staticmethod
    def backward(ctx, gradient):
        """Scale what `forward` has worked out: the gradient must be alike for all."""
        scale = gradient[0]
        return *(scale * saved for saved in ctx.saved_tensors), None


def sampled_cross_entropy(
    states: torch.Tensor,
    targets: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    samples: int,
) -> torch.Tensor:
    """Estimate what `sampled_loss` does, in half the time. The shapes are the same."""
    drawn, q = (x.to(states.device) for x in draw(len(bias), samples))  # (S,), rising
    place = torch.searchsorted(drawn, targets).clamp(max=len(drawn) - 1)  # (N,)
    column = torch.where(drawn[place] == targets, place, -1)  # of the target, or -1
    states = states.float()
    own = (states * weight[targets]).sum(dim=1) + bias[targets]  # (N,)
    rows, shifted = weight[drawn], bias[drawn] - q.log()  # (S, P), (S,)
    return (LogNormaliser.apply(states, rows, shifted, own, column) - own).mean()


def summed_loss(
    x: torch.Tensor, targets: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    """Return the sum of -log p(target), a few hundred positions at a time.

    So no table of all positions by all words has to be held at once.
    Shape: (N, D), (N,), (V, D) and (V,) to a scalar.
    """
    sums = [
        F.cross_entropy(F.linear(a, weight, bias).float(), b, reduction="sum")
        for a, b in zip(x.split(500), targets.split(500), strict=True)
    ]
    return torch.stack(sums).sum()


class WordSoftmax(nn.Module):
    """A softmax in which every word, rare or not, has a vector as wide as the states.

    weight (V, P) and bias (V,), which begins as Zipf's law would have it; `samples`:
    words that the loss is estimated from in training. Otherwise it is exact.
    """

    def __init__(self, size: int, vocabulary_size: int, samples: int):
        super().__init__()
        rank = torch.arange(1, vocabulary_size + 1)
        self.bias = nn.Parameter(-rank.float().log())
        self.weight = nn.Parameter(torch.empty(vocabulary_size, size))
        nn.init.normal_(self.weight, std=0.5 * size**-0.5)
        self.samples = samples

    def log_prob(self, states: torch.Tensor) -> torch.Tensor:
        """Return the logarithms of all words' probabilities. Shape: (N, P), (N, V)."""
        return F.linear(states, self.weight, self.bias).log_softmax(dim=1)

    def forward(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log p(target), estimated if in training. (N, P), (N,)."""
        parameters = (self.weight, self.bias)
        if self.training and self.samples < len(self.bias):
            return sampled_cross_entropy(states, targets, *parameters, self.samples)
        return summed_loss(states, targets, *parameters) / len(targets)
