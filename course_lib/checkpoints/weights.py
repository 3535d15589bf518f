"""Files of weights and sizes, read with care: what is wrong is named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from .. import kept

AGAIN = "fetch it again"  # the cure for a file that others made


def read_sizes(path: Path, cure: str = "") -> dict[str, Any]:
    """Read the sizes of a model."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise kept.damaged(path, error, cure) from None
    if not isinstance(found, dict):
        raise kept.damaged(path, f"it holds {found!r}, not names with sizes", cure)
    return found


def read_weights(path: Path, cure: str = "") -> dict[str, torch.Tensor]:
    """Read the tensors of a file, in single precision."""
    try:
        weights = {name: w.float() for name, w in load_file(path).items()}
    except SafetensorError as error:
        raise kept.damaged(path, error, cure) from None
    check_finite(weights, path, cure)
    return weights


def check_finite(weights: Mapping[str, torch.Tensor], path: Path, cure: str) -> None:
    """Raise ValueError that names a tensor with a number that is not finite."""
    for name, w in weights.items():
        if not w.isfinite().all():
            raise kept.damaged(path, f"{name} holds a number that is not finite", cure)


def compare(
    wanted: Mapping[str, torch.Tensor], found: Mapping[str, torch.Tensor], path: Path
) -> None:
    """Raise ValueError that names the first tensor that does not fit, both shapes."""
    for name in sorted(wanted.keys() | found.keys()):
        one, other = (
            tuple(side[name].shape) if name in side else "no such tensor"
            for side in (wanted, found)
        )
        if one != other:
            raise ValueError(
                f"{path}, tensor {name}: the model of config.json has {one}, the file "
                f"has {other}"
            )


def fit(model: torch.nn.Module, weights: dict[str, torch.Tensor], folder: Path) -> None:
    """Copy weights into a model; name the first tensor that does not fit."""
    compare(model.state_dict(), weights, folder / "model.safetensors")
    model.load_state_dict(weights)
