"""Trained models in folders: weights, vocabulary, sizes, and a model card.

    model.safetensors   the parameters, in half precision
    vocabulary.txt      the words that the softmax predicts, one a line
    config.json         the sizes of the model
    README.md           the model card: data, tokens seen, perplexity, seed, time
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from . import DATA
from .models.bilm import BiLM, BiLMConfig, Encoder
from .text.vocabulary import Vocabulary

CHECKPOINTS = DATA / "checkpoints"


def names() -> list[str]:
    """List the checkpoints that are at hand."""
    return sorted(path.parent.name for path in CHECKPOINTS.glob("*/model.safetensors"))


def load(name: str) -> Encoder:
    """Load a checkpoint by name, or from a folder that `save` wrote.

    Errors: KeyError if there is no such checkpoint, ValueError if its weights do not
    fit its sizes or its file is damaged.
    """
    folder = CHECKPOINTS / name if (CHECKPOINTS / name).is_dir() else Path(name)
    if not (folder / "model.safetensors").exists():
        at_hand = ", ".join(names()) or "none"
        raise KeyError(f"no checkpoint {name!r}; at hand: {at_hand}")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    vocabulary = Vocabulary.load(folder / "vocabulary.txt")
    model = BiLM(BiLMConfig(**config), len(vocabulary))
    try:
        weights = load_file(folder / "model.safetensors")
    except SafetensorError as error:
        path = folder / "model.safetensors"
        raise ValueError(f"{path} is damaged ({error}); restore it with git") from None
    fit(model, {name: w.float() for name, w in weights.items()}, folder)
    return Encoder(model.eval(), vocabulary)


def fit(model: torch.nn.Module, weights: dict[str, torch.Tensor], folder: Path) -> None:
    """Copy weights into a model; name the first tensor that does not fit."""
    wanted = {name: tuple(p.shape) for name, p in model.state_dict().items()}
    found = {name: tuple(w.shape) for name, w in weights.items()}
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            raise ValueError(
                f"{folder}/model.safetensors, tensor {name}: the model of config.json "
                f"has {wanted.get(name, 'no such tensor')}, the file has "
                f"{found.get(name, 'no such tensor')}"
            )
    model.load_state_dict(weights)


def save(model: BiLM, vocabulary: Vocabulary, folder: str | Path, card: str) -> None:
    """Write a trained biLM as a checkpoint, its parameters in half precision."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    half = {k: v.half().contiguous() for k, v in model.state_dict().items()}
    save_file(half, folder / "model.safetensors")
    vocabulary.save(folder / "vocabulary.txt")
    config = json.dumps(asdict(model.config), indent=1)
    (folder / "config.json").write_text(config + "\n", encoding="utf-8")
    (folder / "README.md").write_text(card, encoding="utf-8")
