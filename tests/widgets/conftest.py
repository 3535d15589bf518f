"""Made-up uses of one word: senses that part from layer to layer."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # samples.py, for its importers

SENSES = ("river", "money", "row")


def made_up_uses(count: int = 24, dimension: int = 32, seed: int = 0) -> tuple:
    """Return layers (3, N, D), senses, sentences and target indices.

    Layer 0 is the same vector N times, as in ELMo; the senses' centres then move
    apart, while each layer as a whole lies somewhere else and has longer vectors.
    """
    draw = np.random.default_rng(seed)
    sense = np.arange(count) % len(SENSES)
    centres = draw.normal(size=(len(SENSES), dimension))
    layers = [np.tile(draw.normal(size=dimension), (count, 1))]
    for depth, pull in enumerate([0.4, 0.8], start=1):
        noise = draw.normal(size=(count, dimension))
        place = 4 * draw.normal(size=dimension)
        layers.append((1 + depth) * (place + pull * centres[sense] + noise))
    sentences = [["they", "saw", "the", "bank", f"{i}", "."] for i in range(count)]
    return np.stack(layers), [SENSES[k] for k in sense], sentences, [3] * count


@pytest.fixture
def uses() -> tuple:
    """Return made-up uses of "bank"."""
    return made_up_uses()


@pytest.fixture
def make_uses():
    """Return the maker itself, for other sizes."""
    return made_up_uses
