"""What a page of the book, which has no kernel, reads of a biLM: `page/bilm.js`.

The book writes it into files (docs/bookmaking/page_models.py). A widget names the model
and the sentences that it was made of, so that a page does not take those of others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import torch

    from course_lib.models.bilm import Encoder


def tensors(encoder: Encoder) -> dict[str, torch.Tensor]:
    """Return the weights that read, as the page wants them; the softmax only predicts.

    A convolution (n, E, width) becomes (n, width * E): one row times a window.
    """
    found = {}
    for name, weight in encoder.model.state_dict().items():
        if not name.startswith("softmax."):
            rows = weight.transpose(1, 2).flatten(1) if weight.ndim == 3 else weight
            found[name] = rows.detach().cpu()
    return found


def mark(encoder: Encoder) -> str:
    """Name a model by its weights: the page's files of another one do not fit."""
    found = hashlib.sha256(json.dumps(sizes(encoder)).encode())
    for weight in tensors(encoder).values():
        found.update(halves(weight.numpy()))
    return found.hexdigest()[:16]


def marked(examples: Sequence[Any]) -> str:
    """Name annotated sentences by what they say: vectors of others do not fit."""
    rows = [[s.tokens, s.target_index, s.sense] for s in examples]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def sizes(encoder: Encoder) -> dict[str, Any]:
    """Return the sizes that the page needs."""
    names = ("layers", "projection", "filters", "char_size", "n_highway", "clip")
    config = asdict(encoder.model.config)
    return {name: config[name] for name in names}


def halves(values: np.ndarray) -> bytes:
    """Write numbers in half precision, as the checkpoints that ship keep them."""
    return np.ascontiguousarray(values, dtype="<f2").tobytes()
