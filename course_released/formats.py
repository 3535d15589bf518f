"""Which released model is it? By what its folder holds, or by its first bytes.

a folder with a config.json that has a model_type    BERT, GPT-1, GPT-2
a .pth or .h5 file, itos*.pkl beside it              fast.ai's AWD-LSTM
*options*.json and a .hdf5 file                      ELMo
any other file                                       word vectors
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from course_lib.models.elmo import ELMoBiLM

from . import catalogue, fastai, huggingface, vectors
from .catalogue import MODELS, Model
from .fetch import check


def find(name: str | Path) -> Callable[[], Any] | None:
    """Return the function that loads a released model, by name or from its folder.

    None if that is nothing released. Errors: KeyError for one that is not at hand;
    ValueError for one that is no longer as it was fetched.
    """
    path = catalogue.folder_of(str(name))
    if path and isinstance(MODELS[str(name)], Model):
        check(str(name), path)
    path = path or Path(name)
    read = recognised(path)
    return read and partial(read, path)


def recognised(path: Path) -> Callable[[Path], Any] | None:
    """Return the function that loads what is there; None if it is nothing released."""
    if path.is_file():
        return fastai.load if fastai.is_weights(path) else vectors.load
    if (path / "config.json").is_file():
        with suppress(ValueError):  # a damaged file is named when it is read
            config = json.loads((path / "config.json").read_text(encoding="utf-8"))
            if isinstance(config, dict) and "model_type" in config:
                return huggingface.load
        return None
    if any(path.glob("*options*.json")) and any(path.glob("*.hdf5")):
        return elmo
    if any(fastai.is_weights(file) for file in path.glob("*")):
        return fastai.load
    return vectors.load if vectors.candidates(path) else None


def elmo(folder: Path) -> ELMoBiLM:
    """Load the released ELMo of a folder: its options and its weights."""
    options = only([*folder.glob("*options*.json")], folder)
    return ELMoBiLM.from_official(options, only([*folder.glob("*.hdf5")], folder))


def only(found: list[Path], folder: Path) -> Path:
    """Return the one file, or raise ValueError."""
    if len(found) != 1:
        names = ", ".join(sorted(path.name for path in found))
        raise ValueError(f"{folder} holds several models ({names}); keep one of them")
    return found[0]
