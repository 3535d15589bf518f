"""AWD-LSTM: an ordinary LSTM language model, with dropout wherever it does not hurt.

The model inside ULMFiT. Its parts are three LSTM layers between one embedding table
that also is the softmax ("tied"); what made it good is how it is regularised.
Source: Merity et al. 2017. The dropouts are fastai's for language models (Howard &
Ruder 2018 have word 0.05, input 0.4, weight 0.5, between 0.3 and output 0.4, which
fastai keeps for the classifier); the layers are smaller. The checkpoints were trained
with Adam (NT-ASGD is in `training.nt_asgd`), and with a softmax estimated from a sample
(`samples`).

The parameters, for those who bring weights from elsewhere (L layers, V words):
    embedding.weight                      (V, E)   also the softmax
    bias                                  (V,)     of the softmax
    lstms.l.weight_ih_l0, .weight_hh_l0   (4 H_l, input), (4 H_l, H_l), gates i f g o
    lstms.l.bias_ih_l0, .bias_hh_l0       (4 H_l,)
with H_l = `hidden`, but E in the last layer. fastai calls them 0.encoder.weight,
1.decoder.bias, 0.rnns.l.module.weight_ih_l0, 0.rnns.l.weight_hh_l0_raw and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

from ..text.batches import IGNORE
from .sampled_softmax import sampled_loss, summed_loss

State = list[tuple[torch.Tensor, torch.Tensor]]  # (h, c) of each layer, (1, B, H) each


@dataclass
class AWDConfig:
    """The sizes of an AWD-LSTM and how much of what is dropped.

    embedding E, hidden H, layers L; `dropped` scales all five dropouts at once
    alpha, beta: how much AR and TAR count;  tied: the softmax is the word vectors
    samples: words that the softmax is estimated from in training; 0: all words
    """

    embedding: int = 160
    hidden: int = 400
    layers: int = 3
    dropped: float = 1.0
    word: float = 0.02  # whole words of the table
    input: float = 0.25  # the embedded text
    weight: float = 0.2  # the recurrent matrices
    between: float = 0.15  # from one layer to the next
    output: float = 0.1  # before the softmax
    alpha: float = 2.0
    beta: float = 1.0
    tied: bool = True
    samples: int = 0


class AWDOutputs(NamedTuple):
    """What a stack of LSTMs has read.

    raw:     the output of each layer, (B, T, H_l)
    top:     the last layer's output after its dropout, (B, T, E)
    state:   (h, c) of each layer after the last token
    penalty: α AR + β TAR, to be added to the loss in training; 0 otherwise
    """

    raw: list[torch.Tensor]
    top: torch.Tensor
    state: State
    penalty: torch.Tensor


def locked_dropout(x: torch.Tensor, p: float) -> torch.Tensor:
    """Drop the same features at every step. Shape: (B, T, D), and again.

    Ordinary dropout draws a new mask each step; a recurrent network can average that
    noise away over time. Source: Gal & Ghahramani 2016, "variational dropout".
    """
    mask = F.dropout(x.new_ones(x.shape[0], 1, x.shape[2]), p)  # (B, 1, D)
    return x * mask


def embedding_dropout(table: torch.Tensor, p: float) -> torch.Tensor:
    """Drop whole words: their rows are zero wherever they occur. Shape: (V, E)."""
    return table * F.dropout(table.new_ones(len(table), 1), p)  # (V, E) * (V, 1)


def run_with_dropped_weights(
    lstm: nn.LSTM, x: torch.Tensor, state: tuple | None, p: float
) -> tuple[torch.Tensor, tuple]:
    """Run an LSTM whose recurrent weights have been thinned out, once for all steps.

    Shape: (B, T, D) to (B, T, H). DropConnect on the hidden-to-hidden matrix: a weight
    that is dropped is missing at every step of this window. Source: Merity et al.
    2017, section 2.
    """
    thinned = {"weight_hh_l0": F.dropout(lstm.weight_hh_l0, p)}  # (4H, H)
    return functional_call(lstm, thinned, (x, state))


def activity(
    top: torch.Tensor, raw: torch.Tensor, alpha: float = 2.0, beta: float = 1.0
) -> torch.Tensor:
    """Punish large outputs (AR) and outputs that jump from step to step (TAR).

    α L2(m ∘ h_t) + β L2(h_t − h_t+1), as mean squares. Source: Merity et al. 2017,
    section 4; the mask m is that of the dropout on the last layer's output.
    """
    jumps = raw[:, 1:] - raw[:, :-1]  # (B, T-1, E)
    tar = jumps.pow(2).mean() if jumps.numel() else raw.new_zeros(())
    return alpha * top.pow(2).mean() + beta * tar


class AWDLSTM(nn.Module):
    """Words in, the next words out; called again with its state, it reads on."""

    def __init__(self, config: AWDConfig, vocabulary_size: int):
        super().__init__()
        self.config = config
        E, H, L = config.embedding, config.hidden, config.layers
        self.embedding = nn.Embedding(vocabulary_size, E)
        self.bias = nn.Parameter(torch.zeros(vocabulary_size))
        if not config.tied:
            self.separate = nn.Parameter(torch.zeros(vocabulary_size, E))
        sizes = [E, *[H] * (L - 1), E]
        self.lstms = nn.ModuleList(
            nn.LSTM(*io, batch_first=True) for io in pairwise(sizes)
        )
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)

    def forward(
        self,
        tokens: torch.Tensor,
        targets: torch.Tensor | None = None,
        state: State | None = None,
    ):
        """Read tokens (B, T) from a state; None is an empty one. Return `AWDOutputs`.

        Given targets (B, T), IGNORE where there is none, return the loss (1,) as well,
        in nats per token.
        """
        reading = self.read(tokens, state)
        if targets is None:
            return reading
        return reading, self.loss(reading.top, targets).reshape(1)

    def read(self, tokens: torch.Tensor, state: State | None = None) -> AWDOutputs:
        """Run the LSTM layers over tokens (B, T)."""
        c = self.config
        scale = c.dropped if self.training else 0.0  # of every dropout
        table = embedding_dropout(self.embedding.weight, scale * c.word)  # (V, E)
        x = locked_dropout(F.embedding(tokens, table), scale * c.input)  # (B, T, E)
        raw, after = [], []
        for depth, lstm in enumerate(self.lstms):
            before = state[depth] if state else None
            x, last = run_with_dropped_weights(lstm, x, before, scale * c.weight)
            raw.append(x)  # (B, T, H_l)
            after.append(last)
            final = depth == len(self.lstms) - 1
            x = locked_dropout(x, scale * (c.output if final else c.between))
        penalty = x.new_zeros(())
        if self.training:
            penalty = activity(x, raw[-1], c.alpha, c.beta)
        return AWDOutputs(raw, x, after, penalty)

    @property
    def softmax(self) -> torch.Tensor:
        """The words' vectors as outputs, (V, E)."""
        return self.embedding.weight if self.config.tied else self.separate

    def logits(self, top: torch.Tensor) -> torch.Tensor:
        """Score every word as the next one. Shape: (..., E) to (..., V)."""
        return F.linear(top, self.softmax, self.bias)

    def loss(self, top: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log p(target) over the positions that have a target."""
        here = targets != IGNORE  # (B, T)
        top, targets = top[here], targets[here]  # (N, E), (N,)
        parameters = (self.softmax, self.bias)
        if self.training and self.config.samples:
            return sampled_loss(top, targets, *parameters, self.config.samples)
        return summed_loss(top, targets, *parameters) / len(targets)


class Remembering(nn.Module):
    """An AWD-LSTM that goes on, at each call, where the last call has stopped.

    The state is carried, its history is not: gradients end where a window begins
    (truncated backpropagation through time). Training and evaluation both begin with
    an empty memory, and so does a batch with another number of rows.
    """

    def __init__(self, model: AWDLSTM):
        super().__init__()
        self.model = model
        self.state: State | None = None

    def train(self, mode: bool = True):
        self.state = None
        return super().train(mode)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor):
        """Read the next window (B, T); return its `AWDOutputs` and the loss (1,)."""
        if self.state and self.state[0][0].shape[1] != len(tokens):
            self.state = None
        reading, losses = self.model(tokens, targets, self.state)
        self.state = [(h.detach(), c.detach()) for h, c in reading.state]
        return reading, losses


def check_beginning(ids: Sequence[int], temperature: float) -> None:
    """Raise ValueError if a text cannot go on from here, or not at that temperature."""
    if any(isinstance(i, str) for i in ids):
        raise ValueError("these are words; give their numbers: vocabulary.encode(…)")
    if not len(ids):
        raise ValueError("nothing to go on from; begin with the number of <S>")
    if not 0 <= temperature < float("inf"):
        raise ValueError(
            f"temperature is {temperature}; give 0 (the likeliest) or more"
        )


def draw_next(logits: torch.Tensor, temperature: float) -> int:
    """Draw a word by its score, (V,); at temperature 0 take the likeliest."""
    if temperature < 1e-6:  # as good as 0; the quotient may be too large for a number
        return int(logits.argmax())
    return int(torch.multinomial((logits / temperature).softmax(dim=0), 1))


@torch.no_grad()
def generate(
    model: AWDLSTM, ids: Sequence[int], n: int, temperature: float = 1.0
) -> list[int]:
    """Continue a text by n words, drawn one by one; `<unk>`, word 0, is never drawn.

    temperature: below 1 the model keeps to likely words, above 1 it ventures more; at
        0 it takes the likeliest. Errors: ValueError if it is below 0, or ids are empty
    """
    check_beginning(ids, temperature)
    model.eval()
    where = model.bias.device
    reading = model(torch.tensor([ids], device=where))
    found = []
    for _ in range(n):
        logits = model.logits(reading.top[0, -1]).float()  # (V,)
        logits[0] = -torch.inf
        found.append(draw_next(logits, temperature))
        reading = model(torch.tensor([found[-1:]], device=where), state=reading.state)
    return found
