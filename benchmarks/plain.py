"""ELMo's network written down as the paper says it, without any thought of time.

The same weights as the course's, read by a straightforward program: the character CNN
runs for every token over all 50 positions, padding too; the LSTM takes one step after
the other, each with products of its own; a row that is over drops out of the batch.
That is how the implementations that students meet do it.
"""

from __future__ import annotations

import torch

from course_lib.models.bilm import ProjectedLSTM, reverse
from course_lib.models.charcnn import CharCNN


def every_token(cnn: CharCNN, ids: torch.Tensor) -> torch.Tensor:
    """Run the character CNN for each place of a batch. (B, T, 50) to (B, T, P)."""
    return cnn(ids.flatten(0, 1)).unflatten(0, ids.shape[:2])


def step_by_step(
    lstm: ProjectedLSTM, x: torch.Tensor, lengths: torch.Tensor
) -> torch.Tensor:
    """Run one layer, longest row first. Shape: (B, T, P) and (B,) to (B, T, P).

    At each step only the rows that go on are read, as with a packed sequence.
    """
    order = lengths.argsort(descending=True)
    x, lengths = x[order], lengths[order]
    B, D, P = len(x), lstm.project.in_features, lstm.project.out_features
    h, c = x.new_zeros(B, P), x.new_zeros(B, D)
    found = []
    for t in range(x.shape[1]):
        n = int((lengths > t).sum())  # rows that go on
        z = lstm.from_input(x[:n, t]) + lstm.from_past(h[:n])  # (n, 4D)
        i, f, g, o = z.chunk(4, dim=1)
        new = torch.sigmoid(f) * c[:n] + torch.sigmoid(i) * torch.tanh(g)
        c = torch.cat([new.clamp(-lstm.clip, lstm.clip), c[n:]])
        out = lstm.project(torch.sigmoid(o) * torch.tanh(c[:n]))  # (n, P)
        out = out.clamp(-lstm.projection_clip, lstm.projection_clip)
        h = torch.cat([out, h[n:]])
        found.append(torch.cat([out, x.new_zeros(B - n, P)]))
    return torch.stack(found, dim=1)[order.argsort()]


def bilm(model, ids: torch.Tensor, lengths: torch.Tensor) -> list[list[torch.Tensor]]:
    """Run both stacks over marked ids (B, T, 50); the layers of each, (B, T, P)."""
    x = every_token(model.token_layer, ids)
    places = torch.arange(x.shape[1], device=x.device)  # (T,)
    x = x * (places < lengths[:, None]).to(x)[:, :, None]
    both = []
    for stack, turn in ((model.forward_stack, False), (model.backward_stack, True)):
        y, layers = reverse(x, lengths) if turn else x, [x]
        for depth, lstm in enumerate(stack):
            out = step_by_step(lstm, y, lengths)
            y = out + y if depth else out
            layers.append(reverse(y, lengths) if turn else y)
        both.append(layers)
    return both


def indexed_steps(lstm: ProjectedLSTM, x: torch.Tensor) -> torch.Tensor:
    """Run one layer over all rows, padding too, a step at a time by its index.

    Shape: (B, T, P) to (B, T, P). Autograd fills a zero tensor as large as x for every
    `x[:, t]`.
    """
    B, D, P = len(x), lstm.project.in_features, lstm.project.out_features
    h, c = x.new_zeros(B, P), x.new_zeros(B, D)
    found = []
    for t in range(x.shape[1]):
        i, f, g, o = (lstm.from_input(x[:, t]) + lstm.from_past(h)).chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        c = c.clamp(-lstm.clip, lstm.clip)
        h = lstm.project(torch.sigmoid(o) * torch.tanh(c))
        h = h.clamp(-lstm.projection_clip, lstm.projection_clip)
        found.append(h)
    return torch.stack(found, dim=1)
