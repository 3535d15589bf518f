"""The neural probabilistic language model (Bengio, Ducharme, Vincent, Jauvin 2003).

It predicts a word from the n - 1 words before it, and from no others: a window, like an
n-gram's. What is new is that each word is first looked up in a matrix C of features, so
that what is learned about "the cat ran" helps with "a dog walked". C is a by-product.
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional as F


class NNLM(nn.Module):
    """y = b + W x + U tanh(d + H x), where x is C of the n - 1 words in a row (eq. 1).

    V: words in the vocabulary; n: order, so n - 1 words of context
    m: features of a word; h: hidden units
    direct: whether W, from the features straight to the output, is there; without it
        the model is smaller and learns more slowly, the paper found
    """

    def __init__(self, V: int, n: int = 5, m: int = 60, h: int = 100, direct=False):
        """Make the parameters; W is absent unless `direct`."""
        super().__init__()
        if n < 1:
            raise ValueError(f"order {n} predicts no word; give 1 or more")
        self.n = n
        self.C = nn.Embedding(V, m)
        self.H = nn.Linear((n - 1) * m, h)  # its bias is d
        self.U = nn.Linear(h, V)  # its bias is b
        self.W = nn.Linear((n - 1) * m, V, bias=False) if direct else None
        nn.init.normal_(self.C.weight, std=0.1)

    def forward(self, contexts, targets=None):
        """Return scores of the next word, (B, V).

        Shape of the contexts: (B, n-1) word numbers, the nearest last. Given targets
        (B,), return the loss (1,) as well, in nats per token.
        """
        if contexts.shape[1:] != (self.n - 1,):
            raise ValueError(
                f"contexts of shape {tuple(contexts.shape)}; this model of order "
                f"{self.n} reads {self.n - 1} words, (B, {self.n - 1})"
            )
        x = self.C(contexts).flatten(1)  # (B, (n-1) m)
        y = self.U(torch.tanh(self.H(x)))  # (B, V)
        if self.W is not None:
            y = y + self.W(x)  # (B, V)
        return y if targets is None else (y, F.cross_entropy(y, targets).reshape(1))


def windows(ids: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut a text into contexts of n - 1 words and the words that follow.

    Shape: (T,) to (T-n+1, n-1) and (T-n+1,). Errors: ValueError for a shorter text.
    """
    if not 0 < n <= len(ids):
        raise ValueError(f"a text of {len(ids)} words has no window of {n}")
    every = ids.unfold(0, n, 1)  # (T-n+1, n)
    return every[:, :-1], every[:, -1]


@torch.no_grad()
def log_probabilities(model: NNLM, ids: torch.Tensor, batch: int = 512):
    """Return log P of each word that has n - 1 words before it. Shape: (T-n+1,)."""
    model.eval()
    contexts, targets = windows(ids, model.n)
    # In place and in small parts: between results that stay, the memory of large tables
    # is not always used again.
    found = model.C.weight.new_empty(len(targets))
    for i in range(0, len(targets), batch):
        here = slice(i, i + batch)
        scores = F.log_softmax(model(contexts[here]), dim=1)  # (B, V)
        found[here] = scores.gather(1, targets[here, None])[:, 0]
    return found


def mix(log_p: torch.Tensor, log_q: torch.Tensor, weight: float) -> torch.Tensor:
    """Return log(weight p + (1 - weight) q): two models that err in different places.

    Shape: (T,), (T,) to (T,). The paper mixes its network with a trigram (section 4.2).
    """
    shares = [math.log(w) if w else -math.inf for w in (weight, 1 - weight)]
    return torch.stack([log_p + shares[0], log_q + shares[1]]).logsumexp(0)  # (T,)


def best_weight(log_p: torch.Tensor, log_q: torch.Tensor, steps: int = 100) -> float:
    """Return the weight of p that gives a text the highest probability.

    By expectation-maximisation: a word belongs to p with the share that p has in the
    mixture; the weight is the mean share. Choose it on the validation set.
    """
    weight = 0.5
    for _ in range(steps):
        share = (log_p + math.log(weight) - mix(log_p, log_q, weight)).exp()  # (T,)
        weight = min(max(float(share.mean()), 1e-6), 1 - 1e-6)
    return weight
