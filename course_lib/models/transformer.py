"""The Transformer: every position looks at others, and takes what it needs from them.

One file from top to bottom: attention, several heads of it, a block, a stack of blocks.
`causal` decides what a position may see: only itself and what is before it (GPT), or
all (BERT).
Source: Vaswani et al. 2017. Departures, because small models train better so: the
norms stand before the sublayers and once at the end ("pre-norm", as in GPT-2), and GELU
instead of ReLU (as GPT and BERT have it). `post_norm` puts the norms where the paper,
GPT-1 and BERT have them. The attention weights have no dropout: the paper names none,
GPT and BERT have it; that matters in training only.

Shapes: B batch, T time, D dimension, H heads, d = D / H.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

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


def places_of(pieces: torch.Tensor, learned: int) -> torch.Tensor:
    """Number the places of rows of pieces. Shape: (B, T) to (T,).

    Errors: ValueError for a row alone, and for more places than a model has learned.
    """
    if pieces.ndim != 2:
        shape = tuple(pieces.shape)
        raise ValueError(f"pieces of shape {shape}; give (B, T): of a row, row[None]")
    if pieces.shape[1] > learned:
        raise ValueError(
            f"{pieces.shape[1]} pieces, but this model has learned {learned} "
            "positions; cut the text shorter"
        )
    return torch.arange(pieces.shape[1], device=pieces.device)


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
    """Self-attention, then a feed-forward network; each is added to what was there.

    inner: width of the feed-forward network; 0: 4 D
    post_norm: x = norm(x + f(x)), as in the paper; else x = x + f(norm(x))
    gelu: "none", the exact x Φ(x), or "tanh", the formula near it that GPT has
    epsilon: is added to a variance before it divides
    """

    def __init__(
        self,
        D: int,
        heads: int,
        dropout: float,
        inner: int = 0,
        post_norm: bool = False,
        gelu: str = "none",
        epsilon: float = 1e-5,
    ):
        super().__init__()
        self.post_norm = post_norm
        one, other = nn.LayerNorm(D, epsilon), nn.LayerNorm(D, epsilon)
        if post_norm:
            self.after_looking, self.after_thinking = one, other
        else:
            self.before_looking, self.before_thinking = one, other
        self.attention = SelfAttention(D, heads)
        inner = inner or 4 * D
        self.feed_forward = nn.Sequential(
            nn.Linear(D, inner), nn.GELU(gelu), nn.Linear(inner, D)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, hidden: torch.Tensor):
        """Return the new (B, T, D), and the weights (B, H, T, T)."""
        if self.post_norm:
            found, weights = self.attention(x, hidden)
            x = self.after_looking(x + self.dropout(found))
            x = self.after_thinking(x + self.dropout(self.feed_forward(x)))
            return x, weights
        found, weights = self.attention(self.before_looking(x), hidden)
        x = x + self.dropout(found)
        x = x + self.dropout(self.feed_forward(self.before_thinking(x)))
        return x, weights


class Transformer(nn.Module):
    """A stack of blocks. Vectors in, vectors that know their context out.

    form: as `Block` takes it: inner, post_norm, gelu, epsilon
    """

    def __init__(
        self,
        layers: int,
        D: int,
        heads: int,
        dropout: float = 0.1,
        causal: bool = True,
        **form,
    ):
        super().__init__()
        self.causal = causal
        self.blocks = nn.ModuleList(
            Block(D, heads, dropout, **form) for _ in range(layers)
        )
        post_norm = form.get("post_norm", False)  # then the last block ends with one
        epsilon = form.get("epsilon", 1e-5)
        self.norm = nn.Identity() if post_norm else nn.LayerNorm(D, epsilon)
        self.apply(start_small)
        if post_norm:
            return  # norms keep the sums small
        for block in self.blocks:
            # 2 L of these are added up; so each begins smaller (Radford et al. 2019).
            for last in (block.attention.mix, block.feed_forward[-1]):
                nn.init.normal_(last.weight, std=0.02 / math.sqrt(2 * layers))

    def forward(self, x: torch.Tensor, padding: torch.Tensor | None = None):
        """Return the top layer (B, T, D), and each block's weights (B, H, T, T).

        padding: (B, T) bool, True where there is no token; nobody looks there
        """
        layers, patterns = self.layers(x, padding)
        return layers[-1], patterns

    def layers(self, x: torch.Tensor, padding: torch.Tensor | None = None):
        """Return the input and what each block makes of it, (B, T, D) L + 1 times.

        And each block's weights, as `forward`. The top is normed.
        """
        B, T, _ = x.shape
        hidden = torch.zeros(1, 1, T, T, dtype=torch.bool, device=x.device)
        if self.causal:
            hidden = hidden | future(T, x.device)  # (1, 1, T, T)
        if padding is not None:
            hidden = hidden | padding[:, None, None, :]  # (B, 1, T, T)
        layers, patterns = [x], []
        for block in self.blocks:
            x, weights = block(x, hidden)
            layers.append(x)
            patterns.append(weights)
        layers[-1] = self.norm(x)
        return layers, patterns


def form(config: Any) -> dict[str, Any]:
    """Return what a config says of `Block`'s form; models of the literature differ."""
    names = "inner", "post_norm", "gelu", "epsilon"
    return {name: getattr(config, name) for name in names}


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
