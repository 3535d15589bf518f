"""One question, many readers: which word stands in the gap?

    Bag        CBOW: the mean of the words around the gap         word2vec, 2013
    Side       an LSTM reads up to the gap: a language model      NNLM 2003 … GPT 2018
    product    the answers of two such, left and right, combined  biLM: ELMo, 2018
    Around     both LSTMs, joined by a small network              context2vec, 2016
    Masked     a Transformer sees all but the gap: a masked LM    BERT, 2018

All are learned in the same way here, with a softmax over the same words, so that they
differ in nothing but how they read. Departures: word2vec and context2vec have negative
sampling in place of the softmax; BERT reads word pieces, of what it asks for it hides
80 % only, and its softmax shares its vectors with the input.

A row is a sentence in numbers, `<S> w_1 … w_n </S>`, see `context2vec.number_words`.
Shapes: B batch, T time, D dimension, N gaps, V words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ..text.batches import IGNORE
from .bilm import reverse
from .context2vec import END, MARKS, pad, row_lengths  # noqa: F401 (END for readers)
from .transformer import Transformer


class Cloze(nn.Module):
    """A reader, the words' vectors below it, and a softmax over all words above it.

    reader: called with word vectors (B, T, D), lengths (B,) and gaps (B, T) bool;
        returns a vector for each gap, (N, D), and must not look into it
    counts: (V,) how often each word occurs; the softmax begins with these, so that
        no reader has to find out first which words are frequent
    """

    def __init__(self, reader: nn.Module, counts: np.ndarray, D: int = 64):
        super().__init__()
        self.words = nn.Embedding(len(counts), D)  # a word as part of a context
        self.answers = nn.Embedding(len(counts), D)  # a word as the answer
        for table in (self.words, self.answers):
            nn.init.normal_(table.weight, std=0.1)
        self.bias = nn.Parameter(unigram(counts))
        self.reader = reader

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor):
        """Ask for the words that are targets. Shape: (B, T), (B, T), IGNORE elsewhere.

        Return the logarithm of each word's probability (N, V - 3), and the loss (1,),
        in nats per gap.
        """
        gaps = targets != IGNORE
        c = self.reader(self.words(tokens), row_lengths(tokens), gaps)  # (N, D)
        scores = F.linear(c, self.answers.weight[MARKS:], self.bias)  # (N, V-3)
        log_p = scores.log_softmax(dim=1)
        return log_p, F.nll_loss(log_p, targets[gaps] - MARKS).reshape(1)


def unigram(counts: np.ndarray) -> torch.Tensor:
    """Return the logarithm of each word's share. Shape: (V,) to (V - 3,)."""
    counts = torch.as_tensor(np.asarray(counts)[MARKS:]).float()
    if not counts.any():
        raise ValueError("no word but `<unk>` and marks was counted; give more text")
    return (counts / counts.sum()).clamp(min=1e-9).log()


# -- the readers -----------------------------------------------------------------------


class Bag(nn.Module):
    """The mean of the vectors of at most `window` words on each side of the gap.

    Nothing else: no weights, no order. Source: Mikolov et al. 2013a, CBOW.
    """

    def __init__(self, window: int = 5):
        super().__init__()
        self.window = window

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, gaps: torch.Tensor):
        """Return the mean of what stands near each gap. Shape: (B, T, D) to (N, D)."""
        place = torch.arange(x.shape[1], device=x.device)  # (T,)
        distance = (place[:, None] - place).abs()  # (T, T)
        near = (distance > 0) & (distance <= self.window)
        word = (place > 0) & (place < lengths[:, None] - 1)  # (B, T): no mark
        taken = (near & word[:, None]).to(x.dtype)  # (B, T, T)
        n = taken.sum(dim=2, keepdim=True).clamp(min=1)  # a gap may stand alone
        return (taken / n @ x)[gaps]  # (N, D)


class Side(nn.Module):
    """An LSTM that has read one side of the gap: up to it, or back to it."""

    def __init__(self, D: int, side: Literal["left", "right"]):
        super().__init__()
        self.side = side
        self.lstm = nn.LSTM(D, D, batch_first=True)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, gaps: torch.Tensor):
        """Return what one side knows at each gap. Shape: (B, T, D) to (N, D)."""
        return self.states(x, lengths)[gaps]

    def states(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return what is known *before* each place is read. Shape: (B, T, D) to same.

        The state of the place before, or after; at the edge there is none, 0.
        """
        if self.side == "left":
            return F.pad(self.lstm(x)[0][:, :-1], (0, 0, 1, 0))  # (B, T, D)
        h = reverse(self.lstm(reverse(x, lengths))[0], lengths)  # (B, T, D)
        return F.pad(h[:, 1:], (0, 0, 0, 1))


class Around(nn.Module):
    """Both sides, joined by a small network: see `context2vec.Context2Vec.read`."""

    def __init__(self, D: int):
        super().__init__()
        self.left, self.right = Side(D, "left"), Side(D, "right")
        self.join = nn.Sequential(
            nn.Linear(2 * D, 2 * D), nn.ReLU(), nn.Linear(2 * D, D)
        )

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, gaps: torch.Tensor):
        """Return what both sides know at each gap. Shape: (B, T, D) to (N, D)."""
        sides = [side.states(x, lengths)[gaps] for side in (self.left, self.right)]
        return self.join(torch.cat(sides, dim=1))  # (N, 2D) to (N, D)


class Masked(nn.Module):
    """A Transformer in which every place sees every other; the gaps are hidden.

    One vector, `hole`, stands in all gaps, as [MASK] does in BERT.
    longest: places of a row at most, the two marks among them
    """

    def __init__(self, D: int, layers: int = 2, heads: int = 4, longest: int = 64):
        super().__init__()
        self.hole = nn.Parameter(torch.zeros(D))
        self.position = nn.Embedding(longest, D)
        nn.init.normal_(self.position.weight, std=0.1)
        self.transformer = Transformer(layers, D, heads, dropout=0.0, causal=False)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, gaps: torch.Tensor):
        """Return the top layer at each gap. Shape: (B, T, D) to (N, D)."""
        longest = self.position.num_embeddings
        if x.shape[1] > longest:
            raise ValueError(
                f"a row of {x.shape[1]} places, but this reader has {longest}; cut it"
            )
        place = torch.arange(x.shape[1], device=x.device)  # (T,)
        x = torch.where(gaps[:, :, None], self.hole, x) + self.position(place)
        h = self.transformer(x, padding=place >= lengths[:, None])[0]  # (B, T, D)
        return h[gaps]


def product(
    left: torch.Tensor, right: torch.Tensor, alone: torch.Tensor
) -> torch.Tensor:
    """Combine two one-sided answers: p(w | l) p(w | r) / p(w), normalised.

    That is p(w | l, r) if l and r are independent once w is known, and only then.
    Shape: logarithms (N, V), (N, V), (V,) to (N, V).
    """
    return (left + right - alone).log_softmax(dim=1)


@torch.no_grad()
def answers(
    model: Cloze, rows: Sequence[Sequence[int]], places: Sequence[int]
) -> torch.Tensor:
    """Return what a model says at one gap of each row, in the order given.

    Shape: N rows to (N, V - 3), logarithms of probabilities. Errors: IndexError if an
    unknown word or a mark stands in a gap.
    """
    model.eval()
    where = next(model.parameters()).device
    found = []
    for i in range(0, len(rows), 64):
        tokens = pad(rows[i : i + 64])  # (B, T)
        at = torch.tensor(places[i : i + 64])[:, None]  # (B, 1)
        targets = torch.full_like(tokens, IGNORE).scatter(1, at, tokens.gather(1, at))
        found.append(model(tokens.to(where), targets.to(where))[0].cpu())
    return torch.cat(found)
