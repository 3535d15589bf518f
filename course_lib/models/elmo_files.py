"""The two files of a released ELMo: its options as JSON, its weights as HDF5.

The released models were trained with TensorFlow, which names, turns and orders the
same numbers differently: matrices are (inputs, outputs), the gates of an LSTM stand in
another order, and the 1 that makes a new LSTM remember is added when it runs.
Source: the released code, bilm-tf and AllenNLP, read as a specification.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import h5py
import torch
from torch import nn

from .. import kept
from ..text.characters import N_CHARACTERS, WIDTH
from .bilm import BiLMConfig, ProjectedLSTM


def is_size(value: Any) -> bool:
    """Tell whether a value is a whole number above 0; true and "2" are none."""
    return type(value) is int and value > 0


def is_clip(value: Any) -> bool:
    """Tell whether a value is a number above 0, or left out."""
    return value is None or (type(value) in (int, float) and value > 0)


def are_filters(value: Any) -> bool:
    """Tell whether a value lists pairs of sizes: [[width, how many], …]."""
    pairs = value if isinstance(value, list) else []
    sizes = [
        f for f in pairs if isinstance(f, list) and [*map(is_size, f)] == [True] * 2
    ]
    return len(sizes) == len(pairs) > 0


OPTIONS = {  # and what their values must be
    "lstm/dim": is_size,
    "lstm/projection_dim": is_size,
    "lstm/n_layers": is_size,
    "lstm/use_skip_connections": (True, False).__contains__,
    "lstm/cell_clip": is_clip,
    "lstm/proj_clip": is_clip,
    "char_cnn/embedding/dim": is_size,
    "char_cnn/filters": are_filters,
    "char_cnn/n_highway": lambda value: not value or is_size(value),
    "char_cnn/activation": ["relu", "tanh"].__contains__,
    "char_cnn/max_characters_per_token": is_size,
}


def read_options(path: Path) -> dict:
    """Read an options file.

    Errors: FileNotFoundError; ValueError if it is no JSON, or an option is missing or
    is not what it must be.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no options file {path}")
    try:
        options = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON ({error}); fetch it again") from None
    for name, fits in OPTIONS.items():
        value = options
        for part in name.split("/"):
            value = value.get(part) if isinstance(value, dict) else None
        if not fits(value):
            raise ValueError(
                f"{path}: option {name} is missing, or not what it must be "
                f"({json.dumps(value)}); take the options file that was released with "
                "the weights of a character-based biLM"
            )
    return options


def options_of(config: BiLMConfig) -> dict:
    """Say the sizes of a biLM of this course in the words of an options file."""
    return {
        "lstm": {
            "n_layers": config.layers,
            "dim": config.cells,
            "projection_dim": config.projection,
            "cell_clip": config.clip,
            "proj_clip": config.clip,
            "use_skip_connections": True,
        },
        "char_cnn": {
            "embedding": {"dim": config.char_size},
            "filters": config.filters,
            "n_highway": config.n_highway,
            "activation": "relu",
            "n_characters": N_CHARACTERS,
            "max_characters_per_token": WIDTH,
        },
    }


class Piece(NamedTuple):
    """A part of a tensor of the file, and the view of our parameters that holds it.

    path, shape: the tensor's name in the file, and its whole shape
    where:       the part, as an index
    view:        ours, shaped as the part; writing into it sets the parameter
    plus:        what the released code adds to the numbers of the file
    """

    path: str
    shape: tuple[int, ...]
    where: Any
    view: torch.Tensor
    plus: float = 0.0


def whole(path: str, view: torch.Tensor) -> Piece:
    """Make the piece that is a whole tensor of the file."""
    return Piece(path, tuple(view.shape), ..., view)


def pieces(model: nn.Module) -> Iterator[Piece]:
    """Yield what stands where: copied one way it loads, the other way it saves.

    model: an `elmo.ELMoBiLM`; whatever has the parts of a biLM under their names
    """
    cnn = model.token_layer
    # The file has no row for "no token": our character n is its character n - 1.
    yield whole("char_embed", cnn.embedding.weight[1:])  # (261, E)
    for i, convolution in enumerate(cnn.convolutions):
        view = convolution.weight.permute(2, 1, 0)[None]  # (1, width, E, n)
        yield whole(f"CNN/W_cnn_{i}", view)
        yield whole(f"CNN/b_cnn_{i}", convolution.bias)
    for k, highway in enumerate(cnn.highways):
        # What it calls "carry" is the gate that lets the new value in.
        for name, layer in (("transform", highway.transform), ("carry", highway.gate)):
            yield whole(f"CNN_high_{k}/W_{name}", layer.weight.T)
            yield whole(f"CNN_high_{k}/b_{name}", layer.bias)
    yield whole("CNN_proj/W_proj", cnn.projection.weight.T)
    yield whole("CNN_proj/b_proj", cnn.projection.bias)
    for d, stack in enumerate((model.forward_stack, model.backward_stack)):
        for k, lstm in enumerate(stack):
            yield from cell(f"RNN_{d}/RNN/MultiRNNCell/Cell{k}/LSTMCell", lstm)


def cell(path: str, lstm: ProjectedLSTM) -> Iterator[Piece]:
    """Yield the pieces of one LSTM layer. Shapes: W_0 (I+P, 4D), B (4D,), W_P_0 (D, P).

    The input's rows stand above the past's. The four gates stand in the order i, g,
    f, o; in ours, which is torch's, the forget gate f comes before the candidate g.
    """
    W, U, D = lstm.from_input, lstm.from_past, lstm.project.in_features
    rows, size = W.in_features, W.in_features + U.in_features
    for place, gate in enumerate((0, 2, 1, 3)):
        there = slice(place * D, (place + 1) * D)
        here = slice(gate * D, (gate + 1) * D)
        of_input, of_past = (slice(0, rows), there), (slice(rows, size), there)
        yield Piece(f"{path}/W_0", (size, 4 * D), of_input, W.weight[here].T)
        yield Piece(f"{path}/W_0", (size, 4 * D), of_past, U.weight[here].T)
        plus = 1.0 if gate == 1 else 0.0  # the forget gate's
        yield Piece(f"{path}/B", (4 * D,), there, W.bias[here], plus)
    yield whole(f"{path}/W_P_0", lstm.project.weight.T)


@torch.no_grad()
def read_weights(model: nn.Module, path: Path) -> None:
    """Copy the weights of a file into a model.

    Errors: FileNotFoundError; ValueError if the file is damaged, or if a tensor does
    not fit the options, with its name and both shapes.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no weight file {path}")
    name = "the first"
    try:
        with h5py.File(path) as file:
            compare(list(pieces(model)), shapes(file), path)
            for name, _shape, where, view, plus in pieces(model):
                view.copy_(torch.from_numpy(file[name][where]) + plus)
                if not view.isfinite().all():
                    raise OSError("a number is not finite")
    except (OSError, KeyError, RuntimeError, TypeError) as error:  # h5py's, all four
        raise ValueError(
            f"{path} is damaged, or no HDF5 file; tensor {name} cannot be read "
            f"({error}). Fetch the file again"
        ) from None


def shapes(file: h5py.File) -> dict[str, tuple[int, ...]]:
    """Return the name and shape of every tensor of a file."""
    found = {}

    def note(name: str, item: h5py.Group | h5py.Dataset) -> None:
        if isinstance(item, h5py.Dataset):
            found[name] = item.shape

    file.visititems(note)
    return found


def compare(expected: list[Piece], found: dict, path: Path) -> None:
    """Raise a ValueError that names the first tensor that is not as expected."""
    wanted = {piece.path: piece.shape for piece in expected}
    # Tensors for which the options have no use count too: as a layer left out.
    known = {name for name in found if name.startswith(("CNN", "RNN_"))}
    for name in sorted(wanted.keys() | known):
        by_options, in_file = wanted.get(name, "none"), found.get(name, "none")
        if by_options != in_file:
            raise ValueError(
                f"{path}, tensor {name}: the shape by the options is {by_options}, "
                f"the shape in the file is {in_file}; take the options file that was "
                "released with these weights"
            )


@torch.no_grad()
def write_weights(model: nn.Module, path: Path) -> None:
    """Write a model's weights as the released code would have written them.

    All or nothing: a file that is half written would be taken for a damaged one.
    """
    with kept.whole(path) as there, h5py.File(there, "w") as file:
        for name, shape, where, view, plus in pieces(model):
            tensor = file.require_dataset(name, shape, dtype="float32")
            tensor[where] = (view - plus).cpu().numpy()
