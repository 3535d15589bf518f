"""A linear-chain conditional random field: choose the tags of a sentence together.

The layers below score each tag at each position. The CRF adds a score for each pair of
neighbouring tags, one for beginning and one for ending with a tag, and makes one
distribution over all K ** T tag sequences of it:

    s(x, y) = b[y_1] + sum_t P[t, y_t] + sum_t A[y_t-1, y_t] + e[y_T]
    p(y | x) = exp(s(x, y)) / Z,   Z = sum over all y' of exp(s(x, y'))

Source: Lafferty et al. 2001; on top of an LSTM, Lample et al. 2016, section 2.2.
"""

from __future__ import annotations

import torch
from torch import nn


class CRF(nn.Module):
    """Scores of neighbouring tags, learned; K tags.

    A row of a batch is a sentence; `mask` is True at its words, which come first.
    """

    def __init__(self, n_tags: int):
        super().__init__()
        self.transitions = nn.Parameter(torch.zeros(n_tags, n_tags))  # A[from, to]
        self.start = nn.Parameter(torch.zeros(n_tags))  # b
        self.end = nn.Parameter(torch.zeros(n_tags))  # e

    def forward(
        self, scores: torch.Tensor, tags: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """Return the loss: the mean over the sentences of -log p(tags), in nats.

        Shape: scores P (B, T, K), tags (B, T) numbers (any number where the mask is
        False), mask (B, T) bool; to a scalar. Errors: ValueError for a wrong mask.
        """
        return (self.partition(scores, mask) - self.score(scores, tags, mask)).mean()

    def score(
        self, scores: torch.Tensor, tags: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """Return s(x, y) of one tag sequence for each sentence. Shape: to (B,)."""
        check(scores, mask)
        if tags.shape != mask.shape:
            raise ValueError(f"tags {tuple(tags.shape)}, but mask {tuple(mask.shape)}")
        tags = tags.where(mask, 0)  # whatever marks padding, it is no tag
        chosen = scores.gather(2, tags[:, :, None])[:, :, 0]  # (B, T)
        pairs = self.transitions[tags[:, :-1], tags[:, 1:]]  # (B, T-1)
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1)[:, 0]  # (B,)
        ends = self.start[tags[:, 0]] + self.end[last]  # (B,)
        return ends + chosen.where(mask, 0).sum(1) + pairs.where(mask[:, 1:], 0).sum(1)

    def partition(self, scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return log Z of each sentence: the forward algorithm. Shape: to (B,).

        alpha[t, j] is the log of the sum over all beginnings that end with tag j at t.
        K ** 2 terms a step take the place of K ** T sequences; logarithms, because
        exp(s) of a long sentence is too large for any number format.
        """
        check(scores, mask)
        first, *rest = scores.unbind(1)  # T of (B, K)
        alpha = self.start + first  # (B, K)
        for emit, real in zip(rest, mask.unbind(1)[1:], strict=True):
            paths = alpha[:, :, None] + self.transitions  # (B, K from, K to)
            alpha = (paths.logsumexp(1) + emit).where(real[:, None], alpha)
        return (alpha + self.end).logsumexp(1)

    @torch.no_grad()
    def decode(self, scores: torch.Tensor, mask: torch.Tensor) -> list[list[int]]:
        """Return the best tag sequence of each sentence: the Viterbi algorithm.

        The forward algorithm with a maximum for the sum; `back` remembers where each
        maximum came from.
        """
        check(scores, mask)
        first, *rest = scores.unbind(1)  # T of (B, K)
        best, back = self.start + first, []  # (B, K)
        stay = torch.arange(scores.shape[2], device=scores.device)  # (K,)
        for emit, real in zip(rest, mask.unbind(1)[1:], strict=True):
            value, source = (best[:, :, None] + self.transitions).max(1)  # (B, K)
            best = (value + emit).where(real[:, None], best)
            back.append(source.where(real[:, None], stay))  # padding changes no tag
        path = [(best + self.end).argmax(1)]  # from the last word to the first
        for source in reversed(back):
            path.append(source.gather(1, path[-1][:, None])[:, 0])  # (B,)
        rows = torch.stack(path[::-1], 1).tolist()  # (B, T)
        return [row[:n] for row, n in zip(rows, mask.sum(1).tolist(), strict=True)]

    def marginals(self, scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return p(y_t = k | x): how sure the CRF is of each tag. Shape: (B, T, K).

        It is the gradient of log Z by the scores, so that the backward pass of autograd
        is the backward half of the forward-backward algorithm.
        """
        with torch.enable_grad():
            scores = scores.detach().requires_grad_()
            total = self.partition(scores, mask).sum()
        return torch.autograd.grad(total, scores)[0]


def check(scores: torch.Tensor, mask: torch.Tensor) -> None:
    """Raise ValueError unless the mask fits and is True at the first words of rows."""
    if mask.dtype != torch.bool or mask.shape != scores.shape[:2]:
        raise ValueError(
            f"the mask is {mask.dtype} of shape {tuple(mask.shape)}; scores of shape "
            f"{tuple(scores.shape)} need torch.bool of {tuple(scores.shape[:2])}"
        )
    if not mask[:, 0].all() or (mask[:, 1:] > mask[:, :-1]).any():
        raise ValueError(
            "every row of the mask is True at one word or more, then False: "
            "put the padding last and leave out empty sentences"
        )
