"""What is kept on disk is whole, or it is not there.

Whatever the course writes has a name of its own until it is whole, beside its place:
nobody reads half a file, two notebooks may write the same one, and Ctrl-C leaves none.
What can be made again lies in the cache. Where that takes no files, it is made each
time; where the disk is full, an error says what to do.

python -m course_lib cache            where the cache is, and how large
python -m course_lib cache --clear    without what was computed
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

if TYPE_CHECKING:
    from torch import nn

KINDS = ("bert", "features", "scoreboard", "seq2seq", "ulmfit", "why")
SEAL = 32  # bytes at the end of a file: the SHA-256 of all before them
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
MOVE = "set COURSE_CACHE to a folder that you can write to, with room"


class DiskFull(OSError):
    """A file does not fit on its disk."""


def home() -> Path:
    """Return the cache's folder, which COURSE_CACHE in the environment moves."""
    import pooch

    moved = os.environ.get("COURSE_CACHE")
    return Path(moved or pooch.os_cache("text-representations-course"))


def place(kind: str) -> Path:
    """Return the cache's folder for one kind of what is computed."""
    if kind not in KINDS:
        raise KeyError(f"no kind {kind!r} is cached; there are {', '.join(KINDS)}")
    return home() / kind


# -- writing ---------------------------------------------------------------------------


@contextmanager
def whole(path: Path, size: int = 0) -> Iterator[BinaryIO]:
    """Open a file for writing; it is there when all of it is written, or never.

    size: its bytes, if they are known: a disk without room for them is an error now
    Errors: DiskFull, which names the folder, the size and the cure; OSError.
    """
    # Kernels in two containers may have the same process number.
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        usage = shutil.disk_usage(path.parent)
        if usage.total and usage.free < size:  # some network disks do not tell
            raise no_room(path, size)
        with open(part, "w+b") as file:
            yield file
        part.replace(path)
    except OSError as error:
        if error.errno not in FULL or isinstance(error, DiskFull):
            raise
        there = part.stat().st_size if part.exists() else 0
        raise no_room(path, max(size, there)) from None
    finally:
        with suppress(OSError):
            part.unlink()


def no_room(path: Path, size: int) -> DiskFull:
    """Say that a file does not fit on its disk, and what to do."""
    return DiskFull(
        errno.ENOSPC,
        f"No space left on the disk of {path.parent}: {path.name} takes {size:,} bytes "
        "or more. Make room (`python -m course_lib cache` shows what the course has "
        f"computed, with --clear it is deleted), or {MOVE}",
    )


def write(files: Mapping[Path, bytes]) -> None:
    """Write files, in this order, and none before all of them are on the disk.

    Errors: as `whole`.
    """
    with ExitStack() as waiting:
        for path, content in reversed(files.items()):
            file = waiting.enter_context(whole(path, len(content)))
            file.write(content)
            file.flush()


def damaged(path: Path, why: object, cure: str = "") -> ValueError:
    """Say which file is damaged, and what to do."""
    ours = (
        f"restore it with git, or delete {path.parent} if it was made on this machine"
    )
    return ValueError(f"{path} is damaged ({why}); {cure or ours}")


# -- the cache -------------------------------------------------------------------------


def recall(path: Path, make: Callable[[], bytes], read: Callable[[bytes], Any]) -> Any:
    """Return what a file keeps; if it is not there, or damaged, make it and keep it.

    An error in `make`, Ctrl-C too, keeps nothing. What follows is the same whether it
    was made now or long ago: it is read back, and torch's random numbers go on as if
    nothing had been made. Errors: DiskFull.
    """
    import torch

    with suppress(OSError):
        content = path.read_bytes()
        content, seal = content[:-SEAL], content[-SEAL:]
        if hashlib.sha256(content).digest() == seal:
            return read(content)
        say_damaged(path)
    with torch.random.fork_rng():
        content = make()
    if takes_files(path.parent):
        write({path: content + hashlib.sha256(content).digest()})
    return read(content)


def say_damaged(path: Path) -> None:
    """Say which file of the cache is damaged, and what happens now."""
    print(f"{path} is damaged: what it kept is computed again.")


def takes_files(folder: Path) -> bool:
    """Tell whether files can be written in a folder; if not, say once what that means.

    On a full disk they cannot either, but there the writing itself says so.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        if error.errno not in FULL:
            say_once(
                f"{folder} takes no files ({error.strerror}): what is computed now is "
                f"not kept. To keep it, {MOVE}; `python -m course_lib cache` shows it."
            )
            return False
    return True


@cache
def say_once(message: str) -> None:
    """Print a message, if this process has not printed it before."""
    print(message)


def trained(model: nn.Module, path: Path, train: Callable[[], Any]) -> nn.Module:
    """Return a model with the weights that `path` keeps, or train it and keep them."""
    import torch

    def make() -> bytes:
        train()
        file = io.BytesIO()
        torch.save(model.state_dict(), file)
        return file.getvalue()

    def read(content: bytes) -> Any:
        model.load_state_dict(torch.load(io.BytesIO(content), weights_only=True))
        return model.eval()

    return recall(path, make, read)


def arrays(path: Path, make: Callable[[], dict[str, np.ndarray]]) -> dict:
    """Return the arrays that `path` keeps, or make them and keep them."""

    def to_bytes() -> bytes:
        file = io.BytesIO()
        np.savez(file, **make())
        return file.getvalue()

    return recall(path, to_bytes, lambda content: dict(np.load(io.BytesIO(content))))


def clear() -> None:
    """Delete what was computed."""
    for kind in KINDS:
        shutil.rmtree(place(kind), ignore_errors=True)


def report() -> str:
    """Say where the cache is, and how large each part of it."""
    lines = [f"{home()}   (COURSE_CACHE moves it, --clear deletes these parts)"]
    for kind in KINDS:
        size = sum(p.stat().st_size for p in place(kind).rglob("*") if p.is_file())
        lines.append(f"{size / 2**20:9,.1f} MB  {kind}")
    return "\n".join(lines)
