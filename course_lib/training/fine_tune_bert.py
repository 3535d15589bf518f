"""What a task needs to be learned on top of a BERT: its rows, its targets, its layers.

The training itself is `loop.train`: a head of models.bert is called like any model.
Here is what is labelled inside a row: a tag for each word, or the two ends of a span.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from ..models.bert import BERT, join
from ..text.batches import IGNORE
from ..text.epochs import Epochs, in_batches, n_batches
from ..text.examples import Tagged, aligned
from ..text.pairs import lay_out
from ..text.pieces import PAD, Pieces

Row = list[int]


# -- rows with targets inside ----------------------------------------------------------


def tagged_row(
    pieces: Pieces, example: Tagged, tags: Sequence[str], context: int
) -> tuple[Row, Row]:
    """Write a sentence as `[CLS] pieces [SEP]`; its tags stand at first pieces.

    Shape: (T,) pieces and (T,) targets, IGNORE at marks and at further pieces. Words
    that the context has no room for are left out.
    Source: Devlin et al. 2019, section 5.3.
    """
    ids: Row = []
    targets: Row = []
    [example] = aligned([example])
    for word, tag in zip(pieces.pieces_of(example.tokens), example.tags, strict=True):
        if len(ids) + len(word) > context - 2:
            break
        ids += word
        targets += [tags.index(tag)] + [IGNORE] * (len(word) - 1)
    return join(ids), [IGNORE, *targets, IGNORE]


class Sequences(Epochs):
    """Batches of rows of pieces, with targets inside or of the whole row.

    targets: as long as the row (tags), or all equally long (the two ends of a span)
    """

    unit = "rows"  # what a training counts

    def __init__(
        self, rows: Sequence[Row], targets: Sequence[Row], size: int = 16, seed: int = 0
    ):
        if len(rows) != len(targets) or not len(rows):
            raise ValueError(
                f"{len(rows)} rows and {len(targets)} targets: give targets to each "
                "row, and at least one row"
            )
        self.rows, self.targets = rows, targets
        self.size, self.seed = size, seed

    def __len__(self) -> int:
        return n_batches(len(self.rows), self.size)

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Return the row numbers of each batch."""
        return in_batches(rng.permutation(len(self.rows)), self.size)

    def batch(self, chosen: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Return rows (B, T), PAD behind, and their targets (B, T) or (B, 2)."""
        tokens = lay_out([self.rows[i] for i in chosen], PAD)
        return tokens, lay_out([self.targets[i] for i in chosen], IGNORE)


@torch.no_grad()
def predicted(model: nn.Module, rows: Sequence[Row], batch: int = 64) -> list:
    """Return a head's highest class: for each row a number, or (T,) for its pieces."""
    model.eval()
    found: list = []
    for i in range(0, len(rows), batch):
        part = rows[i : i + batch]
        best = model(lay_out(part, PAD)).argmax(dim=-1)  # (B,) or (B, T)
        for row, said in zip(part, best, strict=True):
            found.append(said[: len(row)].numpy() if said.ndim else int(said))
    return found


# -- frozen layers ---------------------------------------------------------------------


@torch.no_grad()
def layers(model: BERT, tokens: torch.Tensor) -> torch.Tensor:
    """Return what each layer has of each piece: the input first, the top last.

    Shape: (B, T) to (L+1, B, T, D). As in `Transformer.forward`, the top is normed.
    """
    return model.eval().layers(tokens)
