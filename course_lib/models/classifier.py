"""A text classifier on top of a language model: ULMFiT's third stage.

The document is read window by window, the state carried; all its outputs are pooled
into [last; max; mean]; two small layers decide.
Source: Howard & Ruder 2018, section 3.3. Departure: the encoder keeps the dropouts of
its language model, a small part of the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import nn

from ..text.streams import BPTT
from .awd_lstm import AWDLSTM, AWDOutputs


class Scores(NamedTuple):
    """The classes' scores (B, K), and what training adds to the loss: the penalty."""

    logits: torch.Tensor
    penalty: torch.Tensor


def concat_pool(outputs: torch.Tensor, here: torch.Tensor) -> torch.Tensor:
    """Pool a document's outputs into [h_T; maxpool(H); meanpool(H)].

    Shape: (B, T, E) and (B, T) bool to (B, 3E). Places that are not `here`, such as
    padding, are in none of the three. The marked places of a row are consecutive.
    """
    places = torch.arange(here.shape[1], device=here.device)  # (T,)
    last = torch.where(here, places, -1).amax(dim=1)  # (B,)
    h_T = outputs[torch.arange(len(outputs), device=here.device), last]  # (B, E)
    outside = ~here[:, :, None]  # (B, T, 1)
    highest = outputs.masked_fill(outside, -torch.inf).amax(dim=1)  # (B, E)
    # mean: (B, E)
    mean = outputs.masked_fill(outside, 0).sum(dim=1) / here.sum(dim=1, keepdim=True)
    return torch.cat([h_T, highest, mean], dim=1)  # (B, 3E)


class TextClassifier(nn.Module):
    """An AWD-LSTM, pooling, and two layers; documents in, scores of the classes out.

    memory: tokens before a document's end whose outputs are pooled (BPT3C). Gradients
        end with the window in which the batch's earliest pooled token stands; what
        stands before it is read only for the state
    """

    def __init__(
        self,
        encoder: AWDLSTM,
        n_classes: int,
        memory: int = 1400,
        dropouts: Sequence[float] = (0.4, 0.1),
        width: int = 50,
    ):
        super().__init__()
        self.encoder, self.memory = encoder, memory
        pooled = 3 * encoder.config.embedding
        self.head = nn.Sequential(
            nn.BatchNorm1d(pooled),
            nn.Dropout(dropouts[0]),
            nn.Linear(pooled, width, bias=False),  # the next layer's norm has a shift
            nn.ReLU(),
            nn.BatchNorm1d(width),
            nn.Dropout(dropouts[1]),
            nn.Linear(width, n_classes, bias=False),  # none either, as in fastai
        )

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Score documents (B, T), padded at the end with -1. Return logits (B, K).

        Given the classes (B,), return the loss (1,) as well, in nats per document.
        Errors: ValueError for an empty document, or a single one in training.
        """
        outputs, here, penalty = self.read(tokens)
        logits = self.head(concat_pool(outputs.float(), here))  # (B, K)
        if targets is None:
            return logits
        loss = nn.functional.cross_entropy(logits, targets)
        return Scores(logits, penalty), loss.reshape(1)

    def read(self, tokens: torch.Tensor) -> tuple:
        """Read documents (B, T) window by window.

        Return the outputs (B, S, E) of the windows that are remembered, which of these
        places count (B, S), and the mean penalty of a window, padding counted.
        """
        ends = (tokens >= 0).sum(dim=1, keepdim=True)  # (B, 1)
        if not ends.all() or (self.training and len(tokens) < 2):
            raise ValueError(
                "a document is empty, or alone in a batch to learn from: no place to "
                "pool, no variance; use `documents.number`, and give two or more"
            )
        places = torch.arange(tokens.shape[1], device=tokens.device)  # (T,)
        here = (places < ends) & (places >= ends - self.memory)  # (B, T)
        first = int(here.any(dim=0).nonzero()[0]) // BPTT * BPTT
        state, readings = None, []
        for begin in range(0, tokens.shape[1], BPTT):
            window = tokens[:, begin : begin + BPTT].clamp(min=0)  # (B, 70 at most)
            with torch.set_grad_enabled(torch.is_grad_enabled() and begin >= first):
                reading: AWDOutputs = self.encoder(window, state=state)
            state = reading.state
            if begin >= first:
                readings.append(reading)
        outputs = torch.cat([reading.top for reading in readings], dim=1)  # (B, S, E)
        penalty = torch.stack([reading.penalty for reading in readings]).mean()
        return outputs, here[:, first:], penalty
