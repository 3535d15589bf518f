"""A pair model whose first layer may be pre-trained: does this answer that question?

A text becomes the mean of its words' rows of C; a small network compares two of them,
or judges one. Only C can be learned from text without labels. The three ways to begin
are those of Kim 2014: rows drawn at random, or word vectors, kept (`freeze`) or not.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ..text.vocabulary import Vocabulary

WORDS = 200  # of a text that are read; what comes after them is left out
BATCH = 50  # examples in a step, as in Kim 2014


class Examples(NamedTuple):
    """Texts as word numbers, padded with 0, and labels: one tensor a side, (N, T)."""

    texts: tuple[torch.Tensor, ...]
    labels: torch.Tensor

    def take(self, rows: torch.Tensor) -> Examples:
        """Return some of the examples, no wider than the longest text needs.

        No text may have a 0, `<unk>`, before its last word: it is taken for padding.
        """
        chosen = [text[rows] for text in self.texts]
        widths = [max(int((text > 0).sum(1).max()), 1) for text in chosen]
        cut = (text[:, :n] for text, n in zip(chosen, widths, strict=True))
        return Examples(tuple(cut), self.labels[rows])


class TextTask(NamedTuple):
    """A task set of texts or pairs: its examples as they are, and ready for `fit`."""

    name: str
    language: str
    raw: dict[str, list]
    ready: dict[str, Examples]
    vocabulary: Vocabulary
    classes: list[str]


class PairModel(nn.Module):
    """Mean of word vectors, comparison, one hidden layer, scores of the classes.

    C: (V, D) the rows to begin with; row 0, `<unk>` and padding, counts for nothing
    texts: 2 for pairs, 1 to judge a single text
    freeze: C stays as it is; else it is trained with the rest
    """

    def __init__(self, C, classes: int = 2, texts: int = 2, hidden=50, freeze=False):
        """Copy C, so that training does not change the caller's vectors."""
        super().__init__()
        self.C = nn.EmbeddingBag.from_pretrained(
            C.clone(), freeze, mode="mean", padding_idx=0
        )
        D = C.shape[1]
        self.hidden = nn.Linear(4 * D if texts == 2 else D, hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, texts: Sequence[torch.Tensor], targets=None):
        """Return scores of the classes, or with `targets` the loss in nats per example.

        Shape: one or two tensors (B, T) of word numbers, to (B, classes).
        """
        means = [self.C(text) for text in texts]  # (B, D) each
        x = compare(*means) if len(means) == 2 else means[0]  # (B, 4D) or (B, D)
        y = self.out(torch.tanh(self.hidden(x)))  # (B, classes)
        return y if targets is None else F.cross_entropy(y, targets)


def compare(u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return [u; v; |u - v|; u * v]: both texts, where they differ, where they agree.

    Shape: (B, D), (B, D) to (B, 4D). Source: Mou et al. 2016; Conneau et al. 2017.
    """
    return torch.cat([u, v, (u - v).abs(), u * v], dim=1)


def first_layer(
    vocabulary: Vocabulary, vectors: Mapping | None, seed: int, spread: float = 0.3
) -> torch.Tensor:
    """Return the rows of C to begin with: drawn, or a word's vector if there is one.

    vectors: word to vector of D = 100 numbers, such as gensim's, or None; they are
        scaled
    spread: standard deviation of the rows, drawn or given, so that neither a word
        without a vector nor a table without vectors stands out (after Kim 2014)
    Shape: (V, D).
    """
    generator = torch.Generator().manual_seed(seed)
    C = spread * torch.randn(len(vocabulary), 100, generator=generator)  # (V, D)
    known = [] if vectors is None else [w for w in vocabulary.words if w in vectors]
    if known:
        found = torch.from_numpy(np.stack([vectors[word] for word in known]))
        C[vocabulary.encode(known)] = spread / found.std() * found  # (known, D)
    C[0] = 0
    return C


def encode(texts: Sequence[Sequence[str]], vocabulary: Vocabulary) -> torch.Tensor:
    """Return word numbers, padded with 0. Shape: (N, T), T at most WORDS."""
    lines = [torch.tensor(vocabulary.encode(text[:WORDS])) for text in texts]
    return nn.utils.rnn.pad_sequence(lines, batch_first=True).long()


def begin(task: TextTask, way: str, vectors: Mapping, seed: int) -> PairModel:
    """Make the model of a task; its upper layers begin alike whatever the way.

    way: "random", or "frozen" or "fine-tuned" if C begins as word vectors
    """
    known = None if way == "random" else vectors
    C = first_layer(task.vocabulary, known, seed)  # (V, D)
    torch.manual_seed(seed)
    texts = len(task.ready["train"].texts)
    return PairModel(C, len(task.classes), texts, freeze=way == "frozen")


@torch.no_grad()
def accuracy(model: PairModel, examples: Examples) -> float:
    """Return the share of examples whose class has the highest score."""
    return float((model(examples.texts).argmax(1) == examples.labels).float().mean())


def fit(
    model: PairModel, train: Examples, dev: Examples, lr: float, seed: int, rounds=10
) -> float:
    """Train with Adam; keep the parameters of the round that was best on `dev`.

    A round goes through all examples, several times where there are few: 11 steps or
    more. Three rounds with a worse score are the last.
    Returns the accuracy on `dev`.
    """
    if not (len(train.labels) and len(dev.labels)):
        raise ValueError("there is no example to learn from, or none to choose by")
    generator = torch.Generator().manual_seed(seed)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(learned, lr=lr, fused=True)
    N, scores, kept = len(train.labels), [], {}
    for _ in range(rounds):
        for _ in range(max(1, 20 * BATCH // N)):
            for rows in torch.randperm(N, generator=generator).split(BATCH):
                batch = train.take(rows)
                optimizer.zero_grad()
                model(batch.texts, batch.labels).backward()
                optimizer.step()
        scores.append(accuracy(model, dev))
        if scores[-1] > max(scores[:-1], default=-1):
            kept = copy.deepcopy(model.state_dict())
        if max(scores) not in scores[-3:]:
            break
    model.load_state_dict(kept)
    return max(scores)
