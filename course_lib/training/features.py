"""A frozen encoder's features, computed once and kept on disk.

Whoever does not train the biLM gets the same layers for a sentence in every epoch and
for every seed. So they are computed once, in half precision, and read back afterwards:
the way in which ELMo was used most.
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from .. import kept
from ..models.bilm import Encoder

KEEP = 3 * 2**30  # bytes; what was not used for longest goes first


def features(
    encoder: Encoder, sentences: Sequence[Sequence[str]], folder: str | Path = None
) -> list[np.ndarray]:
    """Return each sentence's layers, from the disk if they were computed before.

    folder: where they are kept; by default the course's cache
    Shape of each: (L+1, T, 2P) float16, T words: `encoder.encode` in half precision.
    They are read from the disk when they are used (a memory map), and are read-only.
    """
    if not any(map(len, sentences)):  # no word: nothing to keep
        return [layers.astype(np.float16) for layers in encoder.encode(sentences)]
    folder = Path(folder or kept.place("features"))
    path = folder / f"{fingerprint(encoder, sentences)}.npy"
    N = sum(map(len, sentences))
    stored = read(path, N)
    if stored is None:
        if kept.takes_files(folder):
            compute(encoder, sentences, path)
            tidy(folder, path)
            stored = np.load(path, mmap_mode="r")
        else:
            stored = np.concatenate([*encoded(encoder, sentences)])
            stored.flags.writeable = False
    now = time.time_ns()  # finer than the system's own clock of files
    with suppress(OSError):  # others' files, or none
        os.utime(path, ns=(now, now))  # used now
    ends = np.cumsum([len(sentence) for sentence in sentences])
    # A sentence's numbers lie together on the disk: (T, L+1, 2P).
    return [one.transpose(1, 0, 2) for one in np.split(stored, ends[:-1])]


def fingerprint(encoder: Encoder, sentences: Sequence[Sequence[str]]) -> str:
    """Return a hash that changes with any weight, any size and any word."""
    digest = hashlib.sha256(repr(encoder.model.config).encode())
    for name, weight in sorted(encoder.model.state_dict().items()):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(weight.float().cpu().numpy()))
    for sentence in sentences:
        digest.update(repr(list(sentence)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def read(path: Path, n_words: int) -> np.ndarray | None:
    """Open what was kept, (N, L+1, 2P), or return None if it cannot be used."""
    if not path.exists():
        return None
    try:
        stored = np.load(path, mmap_mode="r")  # fails if the file is too short
        if stored.ndim == 3 and len(stored) == n_words and stored.dtype == np.float16:
            return stored
    except (ValueError, EOFError, OSError):
        pass
    kept.say_damaged(path)
    return None


def encoded(
    encoder: Encoder, sentences: Sequence[Sequence[str]]
) -> Iterator[np.ndarray]:
    """Yield each sentence's layers as they lie on the disk, (T, L+1, 2P) float16."""
    for layers in encoder.stream(sentences):
        yield layers.transpose(1, 0, 2).astype(np.float16)


def compute(encoder: Encoder, sentences: Sequence[Sequence[str]], path: Path) -> None:
    """Encode the sentences and write the file, all or nothing.

    Errors: OSError if the disk is full. (Written through a memory map it would end the
    process.)
    """
    c, N = encoder.model.config, sum(map(len, sentences))
    shape = (N, c.layers + 1, 2 * c.projection)
    header = {"descr": "<f2", "fortran_order": False, "shape": shape}
    with kept.whole(path, 2 * math.prod(shape)) as file:
        np.lib.format.write_array_header_1_0(file, header)
        for layers in encoded(encoder, sentences):
            file.write(layers.tobytes())  # in the order of its axes


def tidy(folder: Path, new: Path) -> None:
    """Delete the features that were not used for longest, down to KEEP bytes."""
    found = {}
    for path in folder.glob("*.npy"):
        with suppress(OSError):  # another process has just deleted it
            found[path] = path.stat()
    total = found.pop(new).st_size
    for path in sorted(found, key=lambda path: -found[path].st_mtime):
        total += found[path].st_size
        if total > KEEP:
            with suppress(OSError):  # in use (Windows), or another process was faster
                path.unlink()
