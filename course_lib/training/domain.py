"""Tune a biLM on the text of a task before it is frozen: no labels are needed.

Source: Peters et al. 2018, section 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ..models.bilm import Encoder
from ..text.batches import Batches, read_text
from .loop import train
from .schedules import constant


def tune(encoder: Encoder, sentences: Sequence[Sequence[str]], seed: int) -> None:
    """Go through sentences once with the language model's own loss, at a low rate."""
    torch.manual_seed(seed)  # of the dropout
    text = read_text([sentences])
    batches = Batches(text, encoder.vocabulary, rows=32, seed=seed)
    encoder.model.requires_grad_(True)
    train(encoder.model, batches, learning_rate=5e-4, schedule=constant)
