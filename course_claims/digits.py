"""A small image net, and another one that begins with some of its layers.

Pre-training as it was first done, in vision. Source: Yosinski et al. 2014.
"""

from __future__ import annotations

import torch
from torch import nn


def digit_net() -> nn.Sequential:
    """Build a net of five layers for images of 8 by 8 points and five classes.

    Shape: (B, 1, 8, 8) to (B, 5). Layers 1-3 are convolutions, 4 and 5 full.
    """
    return nn.Sequential(
        nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU()),  # (B, 16, 8, 8)
        nn.Sequential(nn.Conv2d(16, 32, 3), nn.ReLU(), nn.MaxPool2d(2)),  # (…, 3, 3)
        nn.Sequential(nn.Conv2d(32, 32, 3), nn.ReLU(), nn.Flatten()),  # (B, 32)
        nn.Sequential(nn.Linear(32, 64), nn.ReLU()),  # (B, 64)
        nn.Linear(64, 5),  # (B, 5)
    )


def take_over(base: nn.Sequential, n: int, way: str, seed: int) -> nn.Sequential:
    """Return a fresh net whose first n layers are those of `base`, frozen or not.

    way: "frozen", "fine-tuned", or "untrained", which freezes the fresh layers instead
    """
    torch.manual_seed(1000 + seed)  # the same fresh net for every n and way
    net = digit_net()
    for layer, known in zip(net[:n], base[:n], strict=True):
        if way != "untrained":
            layer.load_state_dict(known.state_dict())
        layer.requires_grad_(way == "fine-tuned")
    return net
