"""Trained models in folders: weights, vocabulary, sizes, and a model card.

model.safetensors   the parameters, in half precision, or the matrices in 8 bits
vocabulary.txt      the words, or pieces, that the softmax predicts, one a line
config.json         the sizes of the model
README.md           the model card: data, tokens seen, perplexity, seed, time

Those that others have released are read by a package of its own, course_released.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors.torch import save as to_bytes

from .. import DATA, kept
from ..data import files
from ..models.awd_lstm import AWDLSTM, AWDConfig
from ..models.bert import BERT, BERTConfig
from ..models.bilm import BiLM, BiLMConfig, Encoder
from ..models.gpt import GPT, GPTConfig
from ..text.pieces import Pieces
from ..text.vocabulary import Vocabulary
from .weights import fit, read_sizes, read_weights

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

CHECKPOINTS = DATA / "checkpoints"


def names() -> list[str]:
    """List the checkpoints that are at hand."""
    return sorted(path.parent.name for path in CHECKPOINTS.glob("*/model.safetensors"))


def load(name: str) -> Any:
    """Load a checkpoint by name, or from a folder that `save` wrote, or a released one.

    Returns an `Encoder` for a biLM, an `AWDLSTM` and its `Vocabulary` for an AWD-LSTM,
    a `GPT` or a `BERT` and its `Pieces`, gensim's `KeyedVectors` for static vectors.
    What others have released: "minilm", or a folder or file; see course_released.
    Errors: KeyError if there is no such checkpoint, FileNotFoundError if a file of it
    is missing, ValueError if its weights do not fit its sizes or a file is damaged.
    """
    if str(name) not in ("", *names()) and (read := released().formats.find(name)):
        return read()
    folder = folder_of(name)
    if folder.parent == CHECKPOINTS:
        files.USED[folder.name] = folder / "model.safetensors"
    config = read_sizes(folder / "config.json")
    weights = read_weights(folder / "model.safetensors")
    if "heads" in config:
        return transformer(config, weights, folder)
    vocabulary = Vocabulary.load(folder / "vocabulary.txt")
    if "size" in config:
        return static_vectors(vocabulary, weights["vectors"].numpy())
    if "hidden" in config:
        model = AWDLSTM(sized(AWDConfig, config, folder), len(vocabulary))
        fit(model, weights, folder)
        return model.eval(), vocabulary
    model = BiLM(sized(BiLMConfig, config, folder), len(vocabulary))
    fit(model, weights, folder)
    return Encoder(model.eval(), vocabulary)


def released() -> ModuleType:
    """Return the package of released models.

    It stands above this one, on whose models it builds; so it is imported here, the one
    place where course_lib looks up, and only when a name is none of the course's own.
    """
    import course_released.formats

    return course_released


def transformer(config: dict, weights: dict, folder: Path) -> tuple:
    """Build a GPT, the one whose softmax may be sampled, or a BERT; and its pieces."""
    pieces = Pieces.load(folder / "vocabulary.txt")
    if "samples" in config:
        model = GPT(sized(GPTConfig, config, folder), len(pieces))
    else:
        model = BERT(sized(BERTConfig, config, folder), len(pieces))
    fit(model, weights, folder)
    return model.eval(), pieces


def folder_of(name: str) -> Path:
    """Find a checkpoint that ships, or that a folder holds, or raise KeyError."""
    folder = CHECKPOINTS / name if (CHECKPOINTS / name).is_dir() else Path(name)
    if not (folder / "model.safetensors").exists():
        at_hand = ", ".join(names()) or "none"
        raise KeyError(
            f"no checkpoint {name!r}; at hand: {at_hand}. `make pretrain MODEL=…` "
            "trains one"
        )
    return folder


def sized(kind: type, config: dict[str, Any], folder: Path) -> Any:
    """Make a model's config of the sizes that were read."""
    try:
        return kind(**config)
    except TypeError as error:
        raise kept.damaged(folder / "config.json", error) from None


def static_vectors(vocabulary: Vocabulary, vectors: np.ndarray) -> KeyedVectors:
    """Build gensim's word vectors. Shape: (V, D); row 0, `<unk>`, is left out."""
    from gensim.models import KeyedVectors

    words = KeyedVectors(vectors.shape[1])
    words.add_vectors(vocabulary.words[1:], vectors[1:])
    return words


def save(
    model: BiLM | AWDLSTM | GPT | BERT,
    vocabulary: Vocabulary | Pieces | Any,
    folder: str | Path,
    in_8_bits: bool = False,
) -> None:
    """Write a trained model as a checkpoint, its parameters in half precision.

    in_8_bits: its matrices in float8 instead, with three binary digits after the first:
        half the size, and `awdlstm-en` predicts Brown as well up to 0.1 %; not those
        of a biLM's token layer, whose rounding all words' vectors would show
    A released one, with its own pieces, is written as it was released, by
    course_released.huggingface.save, which also writes ours so that others open it.
    Errors: ValueError if half precision cannot hold one of them, or it is nan.
    """
    if not isinstance(vocabulary, Vocabulary | Pieces):
        return released().huggingface.save(model, vocabulary, folder)
    sizes = asdict(model.config)
    write(model.state_dict(), vocabulary, sizes, Path(folder), in_8_bits)


def write(
    weights: dict[str, torch.Tensor],
    vocabulary: Vocabulary | Pieces,
    sizes: dict,
    folder: Path,
    in_8_bits: bool = False,
) -> None:
    """Write the three files that `load` reads, all or nothing.

    Errors: ValueError that names a tensor with a number beyond half precision, or nan.
    """
    rounded = {name: halved(w, name) for name, w in weights.items()}
    if in_8_bits:
        rounded = {name: in_float8(w, name) for name, w in rounded.items()}
    text = json.dumps(sizes, indent=1) + "\n"
    parts = {
        "vocabulary.txt": vocabulary.to_bytes(),
        "config.json": text.encode(),
        # The weights last: where they are, the others are as well.
        "model.safetensors": to_bytes(rounded),
    }
    kept.write({folder / name: content for name, content in parts.items()})


def halve(model: torch.nn.Module) -> None:
    """Round a model's parameters to what `save` and `load` would make of them."""
    weights = model.state_dict().items()
    model.load_state_dict({name: halved(w, name) for name, w in weights})


def halved(weights: torch.Tensor, name: str) -> torch.Tensor:
    """Return weights in half precision, which ends at 65,504."""
    half = weights.half().contiguous().cpu()
    lost = weights.cpu()[~half.isfinite()]
    if len(lost):
        raise ValueError(
            f"{name} holds {float(lost[0]):g}, which half precision cannot; training "
            "has diverged: go on from an earlier state, with a lower learning rate"
        )
    return half


def in_float8(weights: torch.Tensor, name: str) -> torch.Tensor:
    """Round a matrix to 8 bits, which end at 448; a vector, so small, stays.

    Source: Micikevicius et al. 2022, "FP8 formats for deep learning", E4M3.
    """
    spelled = name.startswith("token_layer.")
    if spelled or weights.dim() < 2 or weights.abs().max() > 448:
        return weights
    return weights.to(torch.float8_e4m3fn)
