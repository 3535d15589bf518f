"""A training step of the course's biLM at the size of the shipped checkpoint."""

from __future__ import annotations

import plain
import texts
import torch
from harness import BFLOAT16, COUNTED, FLOAT32, Race, device, main
from torch import nn
from torch.nn import functional as F

from course_lib.models.bilm import BiLM, BiLMConfig, reverse
from course_lib.text.batches import IGNORE, Batches, Tokens
from course_lib.text.characters import WIDTH
from course_lib.training import bf16_pays

CONFIG = BiLMConfig(dropout=0.0)  # so that both sides give the same loss
TINY = BiLMConfig(1, 6, 4, [[1, 4], [2, 4]], cutoffs=[5, 10], dropout=0.0)


class FullSoftmax(BiLM):
    """The biLM with one softmax over all words, its loss exact and in pieces."""

    def __init__(self, config: BiLMConfig, vocabulary_size: int):
        super().__init__(config, vocabulary_size)
        self.softmax = nn.Linear(config.projection, vocabulary_size)

    def loss(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log p(target), 500 rows at a time."""
        here = targets != IGNORE
        pieces = zip(states[here].split(500), targets[here].split(500), strict=True)
        sums = [F.cross_entropy(self.softmax(x), y, reduction="sum") for x, y in pieces]
        return torch.stack(sums).sum() / here.sum()


def naive_losses(model: BiLM, tokens: Tokens, targets: torch.Tensor) -> torch.Tensor:
    """Compute both losses the plain way: every token's CNN, all logits at once.

    Indexing a step at a time, as most people write it: see `course_lib.models.bilm`.
    """
    missing = WIDTH - tokens.characters.shape[1]
    wide = F.pad(tokens.characters, (0, missing), value=261)  # (U, 50)
    x = plain.every_token(model.token_layer, wide[tokens.positions])  # (B, T, P)
    losses = []
    for stack, y in zip(
        (model.forward_stack, model.backward_stack), targets, strict=True
    ):
        mirrored = stack is model.backward_stack
        h = reverse(x, tokens.lengths) if mirrored else x
        for depth, lstm in enumerate(stack):
            out = plain.indexed_steps(lstm, h)
            h = out + h if depth else out
        h = reverse(h, tokens.lengths) if mirrored else h
        if isinstance(model.softmax, nn.Linear):
            logits = model.softmax(h).flatten(0, 1)  # (B T, V)
            losses.append(F.cross_entropy(logits, y.flatten(), ignore_index=IGNORE))
        else:
            losses.append(model.softmax(h[y != IGNORE], y[y != IGNORE]).loss)
    return torch.stack(losses)


def step(losses_of, optimizer: torch.optim.Optimizer, bf16: bool = False):
    """Return a function that takes a training step as the course's loop does."""

    def take() -> torch.Tensor:
        with torch.autocast(device().type, BFLOAT16, enabled=bf16):
            losses = losses_of()
        optimizer.zero_grad()
        losses.mean().backward()
        parameters = optimizer.param_groups[0]["params"]
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        return losses

    return take


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare a batch and the models; a rate of 0 keeps their weights as they are."""
    torch.manual_seed(0)
    config = TINY if tiny else CONFIG
    text = texts.text(2000 if tiny else 2e5)
    vocabulary = text.vocabulary(60 if tiny else 30_000)
    V = len(vocabulary) if tiny else 30_000  # Brown alone has too few: pad the softmax
    rows = 3 if tiny else 8 if small else 64
    batch = [part.to(device()) for part in Batches(text, vocabulary, rows).at(0)]
    tokens, targets = batch
    n = int((targets != IGNORE).sum()) // 2

    def sides(kind: type[BiLM], bf16: bool = False):
        model = kind(config, V).to(device())
        adam = torch.optim.Adam(model.parameters(), lr=0.0, fused=True)
        ours = step(lambda: model(tokens, targets)[1], adam, bf16)
        return ours, step(lambda: naive_losses(model, tokens, targets), adam)

    full, naive_full = sides(FullSoftmax)
    banded, naive_banded = sides(BiLM)
    bf16 = bf16_pays()  # as course_pretraining chooses
    quick, _ = sides(BiLM, bf16=bf16)
    size = {"amount": n, "unit": "tokens"}
    other = "Another softmax, so another loss: both exact and normalised."
    return [
        Race("biLM step, same mathematics, full softmax", full, naive_full, 2.5, **size,
             floor=COUNTED),
        Race("biLM step, same mathematics, softmax in bands", banded, naive_banded, 2.5,
             **size, floor=COUNTED),
        Race("biLM step as shipped (bands, bf16 if it pays) against naive full softmax",
             quick, naive_full, 4, **size, floor=COUNTED,
             dtype=BFLOAT16 if bf16 else FLOAT32, tolerance=None, note=other),
    ]  # fmt: skip


if __name__ == "__main__":
    main(races)
