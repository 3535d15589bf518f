"""The Transformer: every position looks at others, and takes what it needs from them.

One file from top to bottom: attention, several heads of it, a block, a stack of blocks.
`causal` decides what a position may see: only itself and what is before it (GPT), or
all (BERT).
Source: Vaswani et al. 2017. Departures, because small models train better so: the
norms stand before the sublayers and once at the end ("pre-norm"), and GELU instead of
ReLU (as GPT and BERT have it). There is no dropout on the attention weights, as in the
paper, but not as in GPT and BERT.

Shapes: B batch, T time, D dimension, H heads, d = D / H.
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional as F

DROPOUT = 0.1  # as GPT and BERT have it, when a task is taught


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, hidden: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return softmax(Q Kᵀ / √d) V, and the softmax: who looks where.

    Shape: (..., T, d) three times to (..., T, d) and (..., T, T); a row of weights
    belongs to a query and adds up to 1. hidden: bool, fits (..., T, T), True where
    a query may not look. Source: Vaswani et al. 2017, equation 1.
    """
    q = q / math.sqrt(q.shape[-1])  # here rather than below: there are fewer numbers
    scores = q @ k.transpose(-2, -1)  # (..., T, T)
    scores = scores.masked_fill(hidden, -torch.inf)  # a weight of exactly 0
    weights = scores.softmax(dim=-1)  # (..., T, T)
    return weights @ v, weights


def future(T: int, device: torch.device | None = None) -> torch.Tensor:
    """Mark what lies after each position. Shape: (T, T) bool, query by key."""
    return torch.ones(T, T, dtype=torch.bool, device=device).triu(diagonal=1)


class SelfAttention(nn.Module):
    """H heads: each looks in its own D/H dimensions; their findings are mixed."""

    def __init__(self, D: int, heads: int):
        super().__init__()
        if D % heads:
            raise ValueError(
                f"{D} dimensions do not split into {heads} heads of equal size"
            )
        self.heads = heads
        self.qkv = nn.Linear(D, 3 * D)  # queries, keys and values of all heads
        self.mix = nn.Linear(D, D)

    def forward(self, x: torch.Tensor, hidden: torch.Tensor):
        """Return what each position has found (B, T, D), and the weights (B, H, T, T).

        hidden: see `attention`; fits (B, H, T, T).
        """
        B, T, D = x.shape
        x = self.qkv(x)  # (B, T, 3D)
        x = x.view(B, T, 3, self.heads, D // self.heads)  # (B, T, 3, H, d)
        q, k, v = x.permute(2, 0, 3, 1, 4)  # (B, H, T, d) each
        found, weights = attention(q, k, v, hidden)
        found = found.transpose(1, 2).reshape(B, T, D)  # the heads side by side
        return self.mix(found), weights


class Block(nn.Module):
    """Self-attention, then a feed-forward network; each is added to what was there."""

    def __init__(self, D: int, heads: int, dropout: float):
        super().__init__()
        self.before_looking, self.before_thinking = nn.LayerNorm(D), nn.LayerNorm(D)
        self.attention = SelfAttention(D, heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(D, 4 * D), nn.GELU(), nn.Linear(4 * D, D)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, hidden: torch.Tensor):
        """Return the new (B, T, D), and the weights (B, H, T, T)."""
        found, weights = self.attention(self.before_looking(x), hidden)
        x = x + self.dropout(found)
        x = x + self.dropout(self.feed_forward(self.before_thinking(x)))
        return x, weights


class Transformer(nn.Module):
    """A stack of blocks. Vectors in, vectors that know their context out."""

    def __init__(
        self, layers: int, D: int, heads: int, dropout: float = 0.1, causal: bool = True
    ):
        super().__init__()
        self.causal = causal
        self.blocks = nn.ModuleList(Block(D, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(D)
        self.apply(start_small)
        for block in self.blocks:
            # 2 L of these are added up; so each begins smaller (Radford et al. 2019).
            for last in (block.attention.mix, block.feed_forward[-1]):
                nn.init.normal_(last.weight, std=0.02 / math.sqrt(2 * layers))

    def forward(self, x: torch.Tensor, padding: torch.Tensor | None = None):
        """Return the top layer (B, T, D), and each block's weights (B, H, T, T).

        padding: (B, T) bool, True where there is no token; nobody looks there
        """
        B, T, _ = x.shape
        hidden = torch.zeros(1, 1, T, T, dtype=torch.bool, device=x.device)
        if self.causal:
            hidden = hidden | future(T, x.device)  # (1, 1, T, T)
        if padding is not None:
            hidden = hidden | padding[:, None, None, :]  # (B, 1, T, T)
        patterns = []
        for block in self.blocks:
            x, weights = block(x, hidden)
            patterns.append(weights)
        return self.norm(x), patterns


def drop(model: nn.Module, share: float = DROPOUT) -> None:
    """Set all dropouts of a model, such as one that was pre-trained without any."""
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = share


def start_small(module: nn.Module) -> None:
    """Draw a layer's weights from N(0, 0.02²), as GPT and BERT begin; biases are 0."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


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
