"""Sequence to sequence with attention, built around two language models.

    h^1, h^N   encoder: the source language model's LSTM, and a second one above it
    s^1, s^N   decoder: the target language model's LSTM, and a second one above it
    α_i        softmax over i of q_t · h_i^N,  q_t = W_q s_t^N
    c_t        [Σ α_i h_i^1; Σ α_i h_i^N]      one set of weights, two layers
    o_t        s_t^1 + W_o [s_t^N; c_t]        s_t^1 is the residual connection
    p(y_t)     softmax(W o_t + b)              the target language model's softmax

The two language models are parts of the network, with their own names, so that what
comes from pre-training can be copied by name (`initialise`).
Source: Ramachandran, Liu & Le 2017. Departures: one LSTM above each language model, not
two; no projections; the paper does not say how the context enters, ours goes through
W_o; the decoder begins in an empty state, as its language model does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

from ..text.batches import IGNORE
from ..text.pairs import PairBatch

State = tuple[torch.Tensor, torch.Tensor]  # (h, c) of an LSTM, (1, B, D) each
EVERYTHING = tuple(
    f"{side}.{part}"
    for side in ("source", "target")
    for part in ("embedding", "lstm", "softmax")
)


class LanguageModel(nn.Module):
    """Words in, one LSTM, the next words out. V words, vectors of D numbers."""

    def __init__(self, n_words: int, width: int = 128, dropout: float = 0.2):
        super().__init__()
        self.embedding = nn.Embedding(n_words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.softmax = nn.Linear(width, n_words)
        self.dropout = nn.Dropout(dropout)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)

    def read(self, tokens: torch.Tensor, state: State | None = None) -> tuple:
        """Run the LSTM over tokens (B, T), PAD behind. Return h (B, T, D), its state.

        What stands behind a sentence cannot change what came before it.
        """
        x = self.dropout(self.embedding(tokens.clamp(min=0)))  # (B, T, D)
        return self.lstm(x, state)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Score every word as the next one: logits (B, T, V).

        Given targets (B, T), return h (B, T, D) and the loss (1,), in nats per token.
        """
        h, _ = self.read(tokens)
        if targets is None:
            return self.softmax(self.dropout(h))
        return h, self.loss(h, targets)

    def loss(self, h: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log p(target) over the positions that have a target."""
        here = targets != IGNORE  # (B, T)
        logits = self.softmax(self.dropout(h[here]))  # (N, V)
        return F.cross_entropy(logits.float(), targets[here]).reshape(1)


def nats(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean of -log p(target), nats per token. Shape: (B, T, V) to (1,)."""
    flat = logits.flatten(0, 1).float()  # (B·T, V)
    return F.cross_entropy(flat, targets.flatten(), ignore_index=IGNORE).reshape(1)


def attend(
    q: torch.Tensor, layers: Sequence[torch.Tensor], here: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Look at a source: return the contexts (B, T, L·D) and the weights (B, T, S).

    q: the queries (B, T, D);  layers: the encoder's outputs, (B, S, D) each. The last
    one alone decides on the weights; all are averaged with them.
    here: (B, S), False where there is only padding; its weight is 0.
    """
    scores = q @ layers[-1].transpose(1, 2)  # (B, T, S)
    scores = scores.masked_fill(~here[:, None], -torch.inf)
    weights = scores.softmax(dim=2)  # each row adds up to 1
    return torch.cat([weights @ h for h in layers], dim=2), weights


class Encoded(NamedTuple):
    """What a decoder sees of a source: layers, (B, S, D) each; here: (B, S)."""

    layers: list[torch.Tensor]
    here: torch.Tensor

    def repeat(self, n: int) -> Encoded:
        """Return a single source n times."""
        return Encoded(
            [h.expand(n, -1, -1) for h in self.layers], self.here.expand(n, -1)
        )


class Decoded(NamedTuple):
    """What a decoder gives.

    logits:  (B, T, V);  weights: (B, T, S), the attention
    states:  of its two LSTMs after the last word
    penalty: the language models' losses, to be added in training; 0 without any
    """

    logits: torch.Tensor
    weights: torch.Tensor
    states: tuple[State, State]
    penalty: torch.Tensor | float = 0.0


class Seq2Seq(nn.Module):
    """Encoder, attention, decoder; two LSTMs each, the lower ones language models.

    residual: whether s^1 goes directly to the softmax, as in the language model
    both_layers: whether c_t has the encoder's first layer, or only the top one
    """

    def __init__(
        self, source_words: int, target_words: int, width: int = 128,
        dropout: float = 0.2, residual: bool = True, both_layers: bool = True,
    ):  # fmt: skip
        super().__init__()
        self.residual, self.both_layers = residual, both_layers
        self.source = LanguageModel(source_words, width, dropout)
        self.target = LanguageModel(target_words, width, dropout)
        self.encoder_top = nn.LSTM(width, width, batch_first=True)
        self.decoder_top = nn.LSTM(width, width, batch_first=True)
        self.query = nn.Linear(width, width, bias=False)  # W_q
        inputs = (3 if both_layers else 2) * width  # [s^N; c^1; c^N]
        self.output = nn.Linear(inputs, width, bias=False)  # W_o
        self.dropout = nn.Dropout(dropout)

    def encode(self, source: torch.Tensor) -> Encoded:
        """Read sources (B, S), PAD behind."""
        first, _ = self.source.read(source)  # h^1, (B, S, D)
        top, _ = self.encoder_top(self.dropout(first))  # h^N, (B, S, D)
        return Encoded([first, top] if self.both_layers else [top], source >= 0)

    def decode(
        self, target: torch.Tensor, encoded: Encoded, states: tuple | None = None
    ) -> Decoded:
        """Read targets (B, T) from the decoder's states; score the next words."""
        lower, upper = states or (None, None)
        first, lower = self.target.read(target, lower)  # s^1, (B, T, D)
        top, upper = self.decoder_top(self.dropout(first), upper)  # s^N, (B, T, D)
        # c_t (B, T, D or 2D) and α (B, T, S)
        context, weights = attend(self.query(top), encoded.layers, encoded.here)
        o = self.output(self.dropout(torch.cat([top, context], dim=2)))  # (B, T, D)
        if self.residual:
            o = first + o
        logits = self.target.softmax(self.dropout(o))  # (B, T, V)
        return Decoded(logits, weights, (lower, upper))

    def forward(self, batch: PairBatch, targets: torch.Tensor | None = None):
        """Score the next words of a batch's target sides; return what `decode` does.

        Given targets (B, T), return the loss (1,) as well, in nats per token; the
        losses of the two language models, if there is text for them, are the penalty.
        """
        decoded = self.decode(batch.target, self.encode(batch.source))
        if targets is None:
            return decoded
        if batch.alone:
            own, other = batch.alone[:2], batch.alone[2:]
            joint = self.source(*own)[1] + self.target(*other)[1]  # weighted equally
            decoded = decoded._replace(penalty=joint.squeeze())
        return decoded, nats(decoded.logits, targets)


@torch.no_grad()
def initialise(
    model: Seq2Seq, source: LanguageModel, target: LanguageModel,
    parts: Collection[str] = EVERYTHING,
) -> dict[str, str]:  # fmt: skip
    """Copy parts of two language models into a seq2seq model.

    parts: some of EVERYTHING, such as "source.lstm"; the rest stays as it is
    Return where each tensor comes from: "source", "target" or "random".
    Errors: ValueError for a part that a language model does not have.
    """
    if unknown := set(parts) - set(EVERYTHING):
        raise ValueError(f"{sorted(unknown)}: the parts are {', '.join(EVERYTHING)}")
    models, origin = {"source": source, "target": target}, {}
    for name, tensor in model.named_parameters():
        side, _, rest = name.partition(".")
        origin[name] = "random"
        if f"{side}.{rest.partition('.')[0]}" in parts:
            tensor.copy_(models[side].get_parameter(rest))
            origin[name] = side
    return origin


# -- writing a translation -------------------------------------------------------------


@torch.no_grad()
def greedy(
    model: Seq2Seq, source: torch.Tensor, begin: int, end: int, limit: int = 40
) -> list[list[int]]:
    """Translate sources (B, S), word by word the likeliest; at most `limit` words."""
    model.eval()
    encoded, states = model.encode(source), None
    words = torch.full((len(source), 1), begin, device=source.device)
    found = []
    for _ in range(limit):
        decoded = model.decode(words, encoded, states)
        states, words = decoded.states, decoded.logits.argmax(dim=2)  # (B, 1)
        found.append(words[:, 0].tolist())
        if all(end in row for row in zip(*found, strict=True)):
            break
    rows = [list(row) for row in zip(*found, strict=True)]
    return [row[: row.index(end)] if end in row else row for row in rows]
