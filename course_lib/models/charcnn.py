"""A word vector computed from the word's characters.

Convolutions look for character patterns ("-ing", "un-"), max pooling keeps the
strongest match of each, highway layers mix them, and a projection makes the result as
narrow as the LSTM wants. It knows no context and needs no vocabulary.
Source: Kim et al. 2016; Peters et al. 2018, section 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import nn

from ..text.characters import N_CHARACTERS, PAD, WIDTH


class Highway(nn.Module):
    """Let a gate choose, feature by feature, between a new value and the old one."""

    def __init__(self, size: int):
        super().__init__()
        self.transform = nn.Linear(size, size)
        self.gate = nn.Linear(size, size)
        nn.init.constant_(self.gate.bias, -2.0)  # begin by mostly keeping the input

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return g * relu(W_t x + b_t) + (1 - g) * x, g = sigmoid(W_g x + b_g).

        Shape: (U, F) to (U, F). Source: Srivastava et al. 2015, equation 3.
        """
        g = torch.sigmoid(self.gate(x))
        return g * torch.relu(self.transform(x)) + (1 - g) * x


class CharCNN(nn.Module):
    """Characters of a word in, one vector of size `projection` out.

    filters: pairs (width in characters, number of filters of that width)
    width, activation: characters a word and the function after pooling, "relu" or
    "tanh"; both stand in the options file of a released ELMo
    """

    def __init__(
        self,
        filters: Sequence[tuple[int, int]],
        projection: int,
        char_size: int = 16,
        n_highway: int = 1,
        width: int = WIDTH,
        activation: str = "relu",
    ):
        super().__init__()
        self.embedding = nn.Embedding(N_CHARACTERS, char_size, padding_idx=0)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(char_size, n, kernel_size=width) for width, n in filters
        )
        size = sum(n for _, n in filters)
        self.highways = nn.Sequential(*(Highway(size) for _ in range(n_highway)))
        self.projection = nn.Linear(size, projection)
        self.widest = max(width for width, _ in filters)
        self.width, self.activation = width, getattr(torch, activation)

    def forward(self, characters: torch.Tensor) -> torch.Tensor:
        """Compute the vectors of distinct words.

        Shape: (U, C) character ids to (U, P). C may be smaller than `width`: past the
        longest word there is only padding, all windows of it are equal, and a maximum
        needs to see just one of them. So `widest` more columns are enough, exactly.
        """
        missing = min(self.widest, self.width - characters.shape[1])
        characters = F.pad(characters, (0, missing), value=PAD)  # (U, C + widest)
        x = self.embedding(characters).transpose(1, 2)  # (U, char_size, C + widest)
        pooled = [conv(x).amax(dim=2) for conv in self.convolutions]  # each (U, n)
        features = self.activation(torch.cat(pooled, dim=1))  # (U, F)
        return self.projection(self.highways(features))  # (U, P)
