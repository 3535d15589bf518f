"""Tune a biLM on the text of a task before it is frozen: no labels are needed.

Source: Peters et al. 2018, section 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from course_lib.models.bilm import Encoder
from course_lib.text.batches import Batches, read_text


def tune(encoder: Encoder, sentences: Sequence[Sequence[str]], seed: int) -> None:
    """Go through sentences once with the language model's own loss, at a low rate."""
    torch.manual_seed(seed)  # of the dropout
    text = read_text([sentences])
    batches = Batches(text, encoder.vocabulary, rows=32, seed=seed)
    encoder.model.requires_grad_(True)
    optimizer = torch.optim.Adam(encoder.model.parameters(), lr=5e-4, fused=True)
    encoder.model.train()
    for step in range(len(batches)):
        _, losses = encoder.model(*batches.at(step))
        optimizer.zero_grad()
        losses.mean().backward()
        torch.nn.utils.clip_grad_norm_(encoder.model.parameters(), 1.0)
        optimizer.step()
    encoder.model.eval()
