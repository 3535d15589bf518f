"""The bidirectional language model of ELMo: two one-sided models that share words.

A forward LSTM stack reads left to right and predicts the next word; a backward stack
reads right to left and predicts the word before. They never see each other. They
share the token layer below (characters to vector) and the softmax above.
Source: Peters et al. 2018, sections 3.1 and 3.4; Jozefowicz et al. 2016. Departures:
smaller; sentence marks are read, but not predicted (`text.batches.Batches`); each
window of whole sentences begins from an empty state, where the released model was
trained on windows of 20 tokens with the state carried on; without `samples`, an
adaptive softmax, in training too, for the sampled one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import torch
from torch import nn

from ..text.batches import IGNORE, Tokens, spell_sentences
from ..text.characters import BOS, EOS
from ..text.vocabulary import Vocabulary, listed
from .charcnn import CharCNN
from .sampled_softmax import WordSoftmax

State = tuple[torch.Tensor, torch.Tensor]  # what an LSTM remembers: h (B, P), c (B, D)


@dataclass
class BiLMConfig:
    """The sizes of a biLM; the defaults are small enough for a laptop.

    layers L, LSTM cells D, projection P (each direction's vector), the char-CNN's
    filters, the softmax's frequency bands (`cutoffs`), dropout, and the clip value
    samples: words that the softmax is estimated from in training, then it is as wide
        for rare words as for others; 0: a softmax in bands
    """

    layers: int = 2
    cells: int = 512
    projection: int = 128
    filters: list = field(
        default_factory=lambda: (
            [[1, 32], [2, 32], [3, 64]] + [[width, 128] for width in (4, 5, 6)]
        )
    )
    char_size: int = 16
    n_highway: int = 1
    cutoffs: list = field(default_factory=lambda: [2000, 10000])
    dropout: float = 0.1
    clip: float = 3.0
    samples: int = 0


class ProjectedLSTM(nn.Module):
    """One LSTM layer with a projection, its cell and its output clipped.

    Written out because torch's own layer does not clip. Source: Sak et al. 2014;
    the clipping is that of the released ELMo, where both clips are 3.
    """

    def __init__(
        self,
        input_size: int,
        cells: int,
        projection: int,
        clip: float,
        projection_clip: float | None = None,
    ):
        super().__init__()
        self.from_input = nn.Linear(input_size, 4 * cells)
        self.from_past = nn.Linear(projection, 4 * cells, bias=False)
        self.project = nn.Linear(cells, projection, bias=False)
        self.clip = clip
        self.projection_clip = clip if projection_clip is None else projection_clip
        with torch.no_grad():
            self.from_input.bias.zero_()
            self.from_input.bias[cells : 2 * cells] = 1.0  # remember by default

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Read a sequence from an empty state. Shape: (B, T, I) to (B, T, P)."""
        return self.forward_with_state(x)[0]

    def forward_with_state(
        self, x: torch.Tensor, state: State | None = None
    ) -> tuple[torch.Tensor, State]:
        """Read a sequence from a state, and return the state after it as well.

        Shape: (B, T, I) to (B, T, P). A state is (h (B, P), c (B, D)), as the last
        step left it, padding or not; None is an empty one.
        """
        B, D, P = len(x), self.project.in_features, self.project.out_features
        h, c = state or (x.new_zeros(B, P), x.new_zeros(B, D))
        outputs = []
        # Everything that does not wait for the past, for all steps at once. unbind,
        # not [:, t]: indexing would make autograd fill a whole zero tensor each step.
        for z in self.from_input(x).unbind(dim=1):  # z: (B, 4D)
            i, f, g, o = (z + self.from_past(h)).chunk(4, dim=1)  # each (B, D)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            c = c.clamp(-self.clip, self.clip)
            h = self.project(torch.sigmoid(o) * torch.tanh(c))  # (B, P)
            h = h.clamp(-self.projection_clip, self.projection_clip)
            outputs.append(h)
        return torch.stack(outputs, dim=1), (h, c)  # (B, T, P)


def reverse(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Turn each row's first `length` steps around and leave its padding in place.

    Shape: (B, T, P) and (B,) to (B, T, P). Done twice, it changes nothing.
    """
    t = torch.arange(x.shape[1], device=x.device)  # (T,)
    mirrored = lengths[:, None] - 1 - t  # (B, T)
    source = torch.where(mirrored >= 0, mirrored, t)
    return x.gather(1, source[:, :, None].expand_as(x))


def in_bands(
    size: int, vocabulary_size: int, cutoffs: list[int]
) -> nn.AdaptiveLogSoftmaxWithLoss:
    """Make a softmax in frequency bands: exact and normalised, cheap for rare words.

    A small vocabulary needs no bands; torch wants one, so the last word is alone.
    """
    if vocabulary_size < 2:
        raise ValueError(
            "the vocabulary holds nothing but `<unk>`: give more text, or a lower "
            "min_count"
        )
    bands = [c for c in cutoffs if c < vocabulary_size - 1]
    return nn.AdaptiveLogSoftmaxWithLoss(
        size,
        vocabulary_size,
        bands or [vocabulary_size - 1],
        div_value=2.0,  # each band's vectors are half as wide as the band's before
    )


class BiLM(nn.Module):
    """Characters in, L+1 layers of representations and two language models out."""

    def __init__(self, config: BiLMConfig, vocabulary_size: int):
        super().__init__()
        self.config = config
        P = config.projection
        sizes = (config.filters, P, config.char_size, config.n_highway)
        self.token_layer = CharCNN(*sizes)
        self.forward_stack, self.backward_stack = (
            nn.ModuleList(
                ProjectedLSTM(P, config.cells, P, config.clip)
                for _ in range(config.layers)
            )
            for _direction in range(2)
        )
        if config.samples:
            self.softmax = WordSoftmax(P, vocabulary_size, config.samples)
        else:
            self.softmax = in_bands(P, vocabulary_size, config.cutoffs)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, tokens: Tokens, targets: torch.Tensor | None = None):
        """Return the layers; given targets (2, B, T), return the losses as well.

        Shape of the layers: (L+1, B, T, 2P), forward half first. Layer 0 is the
        context-free token layer, twice, so that all layers are equally wide.
        The losses are (2,), forward and backward, in nats per predicted word.
        """
        words = self.token_layer(tokens.characters)  # (U, P)
        x = words[tokens.positions]  # (B, T, P)
        forward = self.run(self.forward_stack, x)
        mirrored = self.run(self.backward_stack, reverse(x, tokens.lengths))
        backward = [reverse(layer, tokens.lengths) for layer in mirrored]
        pairs = zip([x, *forward], [x, *backward], strict=True)
        layers = torch.stack([torch.cat(pair, dim=2) for pair in pairs])
        # layers: (L+1, B, T, 2P)
        if targets is None:
            return layers
        tops = (forward[-1], backward[-1])
        losses = [self.loss(top, y) for top, y in zip(tops, targets, strict=True)]
        return layers, torch.stack(losses)

    def run(self, stack: nn.ModuleList, x: torch.Tensor) -> list[torch.Tensor]:
        """Run one direction's stack and return each layer's output, (B, T, P) each."""
        outputs = []
        for depth, lstm in enumerate(stack):
            h = lstm(self.dropout(x))
            x = h + x if depth > 0 else h  # a residual path between LSTM layers
            outputs.append(x)
        return outputs

    def loss(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log p(target) over the positions that have a target."""
        here = targets != IGNORE  # (B, T)
        states, targets = self.dropout(states[here]), targets[here]  # (N, P), (N,)
        # Probabilities of rare words do not survive bfloat16's three digits. In
        # pieces, because 500 rows of them stay in the processor's cache.
        with torch.autocast(states.device.type, enabled=False):
            states = states.to(next(self.softmax.parameters()).dtype)
            if self.config.samples:
                return self.softmax(states, targets)
            pieces = zip(states.split(500), targets.split(500), strict=True)
            sums = [self.softmax(x, y).loss * len(y) for x, y in pieces]
            return torch.stack(sums).sum() / len(targets)


class Encoder:
    """A trained biLM and its vocabulary: sentences in, layers out."""

    def __init__(self, model: BiLM, vocabulary: Vocabulary):
        self.model, self.vocabulary = model.eval(), vocabulary

    def encode(self, sentences: Sequence[Sequence[str]], rows: int = 32) -> list:
        """Return the layers of each sentence, in the order given.

        Shape of each: (L+1, T, 2P) float32, T words; layer 0 knows no context. A
        sentence gives the same whatever else is in the batch. Errors: TypeError if a
        sentence is a string, because its characters would be read as words.
        """
        return list(self.stream(sentences, rows))

    def stream(
        self, sentences: Iterable[Sequence[str]], rows: int = 32
    ) -> Iterator[np.ndarray]:
        """Yield what `encode` returns, one sentence at a time.

        At most 16 batches are read ahead, so that neither the text nor its vectors
        have to fit in memory: a million words make 3 GB of them.
        """
        numbered = enumerate(sentences)
        while pool := list(islice(numbered, 16 * rows)):
            yield from self.encode_pool([listed(s, number) for number, s in pool], rows)

    @torch.no_grad()
    def encode_pool(self, sentences: list[Sequence[str]], rows: int) -> list:
        """Encode sentences, alike lengths together: so there is little padding."""
        found: list = [None] * len(sentences)
        where = next(self.model.parameters()).device  # training may have moved it
        for chosen in batches([len(s) for s in sentences], rows):
            tokens = spell_sentences([[BOS, *sentences[i], EOS] for i in chosen])
            layers = self.model(tokens.to(where))  # (L+1, B, T+2, 2P)
            layers = layers.float().cpu().numpy()
            for b, i in enumerate(chosen):
                # (L+1, T, 2P), without the marks
                found[i] = layers[:, b, 1 : len(sentences[i]) + 1].copy()
        return found


def batches(lengths: list[int], rows: int, tokens: int = 8192) -> Iterator[list[int]]:
    """Yield sentence numbers by length, at most so many rows and tokens at a time.

    A batch takes memory by its tokens: 32 sentences of a thousand words would need
    half a gigabyte. A sentence that is too long by itself still comes, alone.
    """
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == rows or (len(batch) + 1) * lengths[i] > tokens):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch
