"""What crosses the wall between an answer and its judge: JSON and .npy, nothing else.

Both sides use this file. A value becomes JSON in which arrays are numbered, and a list
of arrays in NumPy's .npy format. Neither format can hold code, so reading them runs
none. A pickle can: a grader that unpickles what a student's process wrote does what it
is told there.

    frame = length of JSON, length of arrays (8 bytes each), JSON, arrays

What is no plain data (a function, a module) is left to `other`, which each side brings:
it stays where it is, and a number goes in its place.
"""

from __future__ import annotations

import io
import json
import math
import struct
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

HEADER = struct.Struct("<QQ")
JSON_BYTES, ARRAY_BYTES = 4 << 20, 32 << 20  # the most that a judge reads
DEEPEST = 50
TABLE = 64  # a dictionary of so many equal arrays travels as one
MOST_KEYS = 10_000  # numbers can be chosen so that as dictionary keys they collide
GENERATORS = ("PCG64", "PCG64DXSM", "SFC64")  # without places that can be forged


class NotPlain(TypeError):
    """Say that a value or a message cannot cross."""


def nothing_else(*what: Any) -> Any:
    """Refuse whatever is not plain data."""
    raise NotPlain(f"{what[0] if isinstance(what[0], str) else type(what[0])}")


def pack(value: Any, other: Callable = nothing_else) -> bytes:
    """Return a frame; other(value, encode) gives JSON for what is not plain data."""
    arrays: list[bytes] = []
    tree = encode(value, arrays, other)
    text = json.dumps([tree, [len(a) for a in arrays]]).encode()
    data = b"".join(arrays)
    return HEADER.pack(len(text), len(data)) + text + data


def unpack(text: bytes, data: bytes, other: Callable = nothing_else) -> Any:
    """Return the value of a frame; raise NotPlain if it is none."""
    try:
        tree, sizes = json.loads(text)
        arrays, at = [], 0
        for size in sizes:
            if type(size) is not int or not 0 <= size <= len(data) - at:
                raise NotPlain("the arrays have other sizes")
            arrays.append(data[at : at + size])
            at += size
        return decode(tree, arrays, other)
    except NotPlain:
        raise
    except Exception as error:  # whatever a forged message leads to
        raise NotPlain(f"{type(error).__name__}: {error}"[:200]) from None


def send(stream: BinaryIO, frame: bytes) -> None:
    stream.write(frame)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[bytes, bytes]:
    """Read a frame without any limit, as the inside may; EOFError at the end."""
    head = stream.read(HEADER.size)
    if len(head) < HEADER.size:
        raise EOFError
    first, second = HEADER.unpack(head)
    return stream.read(first), stream.read(second)


def encode(value: Any, arrays: list[bytes], other: Callable, depth: int = 0) -> Any:
    """Return JSON: what it has itself, and lists [kind, …] for everything else."""
    if depth > DEEPEST:
        raise NotPlain("nested too deeply")
    if value is None or type(value) in (bool, int, float, str):
        return value

    def inner(part: Any) -> Any:
        return encode(part, arrays, other, depth + 1)

    if isinstance(value, np.ndarray | np.generic):
        kind = "array" if isinstance(value, np.ndarray) else "number"
        return [kind, add_array(np.asarray(value), arrays)]
    if is_tensor(value):
        array = (
            (
                value.float()
                if value.dtype.itemsize < 4 and value.dtype.is_floating_point
                else value
            )
            .detach()
            .cpu()
            .numpy()
        )
        return ["tensor", add_array(array, arrays), bool(value.requires_grad)]
    if isinstance(value, np.random.Generator):
        return ["generator", json.loads(json.dumps(value.bit_generator.state))]
    for name, kind in (("list", list), ("tuple", tuple), ("set", set | frozenset)):
        if isinstance(value, kind):
            return [name, [inner(part) for part in value]]
    if isinstance(value, dict):
        if is_table(value):
            rows = np.stack(list(value.values()))
            return ["table", [inner(key) for key in value], add_array(rows, arrays)]
        return ["dict", [[inner(key), inner(value[key])] for key in value]]
    return other(value, inner)


def decode(tree: Any, arrays: list[bytes], other: Callable, depth: int = 0) -> Any:
    """Return the value; other(kind, *rest, decode) gives what is not plain data."""
    if depth > DEEPEST:
        raise NotPlain("nested too deeply")
    if not isinstance(tree, list | dict):
        return tree

    def inner(part: Any) -> Any:
        return decode(part, arrays, other, depth + 1)

    match tree:
        case ["set" | "dict" | "table", list(parts), *_] if len(parts) > MOST_KEYS:
            raise NotPlain(f"more than {MOST_KEYS} keys")
        case ["list", list(parts)]:
            return [inner(part) for part in parts]
        case ["tuple", list(parts)]:
            return tuple(inner(part) for part in parts)
        case ["set", list(parts)]:
            return {inner(part) for part in parts}
        case ["dict", list(pairs)]:
            return {inner(key): inner(value) for key, value in pairs}
        case ["table", list(keys), int(i)]:
            rows = take_array(arrays, i)
            return {inner(k): row.copy() for k, row in zip(keys, rows, strict=True)}
        case ["array", int(i)]:
            return take_array(arrays, i)
        case ["number", int(i)]:
            return take_array(arrays, i)[()]
        case ["tensor", int(i), bool(gradient)]:
            import torch

            return torch.from_numpy(take_array(arrays, i)).requires_grad_(gradient)
        case ["generator", dict(state)] if state["bit_generator"] in GENERATORS:
            made = np.random.Generator(getattr(np.random, state["bit_generator"])())
            made.bit_generator.state = state
            return made
        case [str(), *_]:
            return other(*tree, inner)
    raise NotPlain("neither a value nor a list with a kind")


def is_tensor(value: Any) -> bool:
    """Tell whether a value is a tensor; torch is not imported for the question."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_table(value: dict) -> bool:
    """Tell whether a dictionary holds many arrays of one shape and type."""
    if len(value) < TABLE:
        return False
    kinds = {
        (v.shape, v.dtype) if type(v) is np.ndarray else None
        for v in dict.values(value)
    }
    return len(kinds) == 1 and None not in kinds


def add_array(array: np.ndarray, arrays: list[bytes]) -> int:
    """Append an array as .npy, with its own order of axes; return its number."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    arrays.append(file.getvalue())
    return len(arrays) - 1


def take_array(arrays: list[bytes], number: int) -> np.ndarray:
    """Return an array of a message, once: a forged one could ask for it endlessly."""
    data, arrays[number] = arrays[number], b""
    return read_array(data)


def read_array(data: bytes) -> np.ndarray:
    """Return the array of a .npy; the header is believed only if the size agrees."""
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise NotPlain("another version of .npy")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
    count, rest = math.prod(shape), data[file.tell() :]
    if dtype.kind not in "biufcU" or count * dtype.itemsize != len(rest):
        raise NotPlain(f"an array of {dtype} that is not what its header says")
    # (0, 1, N) has no numbers, but a sum over it has N.
    if math.prod(max(1, length) for length in shape) * dtype.itemsize > ARRAY_BYTES:
        raise NotPlain(f"an array of shape {shape}"[:200])
    flat = np.frombuffer(rest, dtype).copy()  # (count,), writable
    return flat.reshape(shape, order="F" if fortran else "C")
