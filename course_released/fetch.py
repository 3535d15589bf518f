"""Fetch a released model once, whole and checked; afterwards no network is needed.

pooch fetches; a cut download goes on where it stopped, also in the next run (which
the hub's own library no longer does). HF_ENDPOINT names a mirror of the hub. A file
counts when its SHA-256 is that of the catalogue or, where the source gives none, that
of the first fetch.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from course_lib import kept
from course_lib.data.files import CONNECT, READ  # seconds

from .catalogue import MODELS, NOTE, Model, Package, folder_of, places


class NotFetched(OSError):
    """A model cannot be fetched now; the message says why, and what to do."""


class NotTheFile(OSError):
    """A web page came instead of a file."""


def fetch(name: str) -> Path:
    """Return the folder of a model, whole and checked; fetch what is missing.

    Errors: KeyError for an unknown name, or for a package, with the line that installs
    it; NotFetched; ValueError if what came is not the file that is known.
    """
    if name not in MODELS:
        raise KeyError(f"no model {name!r}; there are {', '.join(MODELS)}")
    model = MODELS[name]
    if isinstance(model, Package):
        return folder_of(name)
    folder = next((f for f in places(name) if (f / NOTE).is_file()), places(name)[0])
    known = hashes(model, folder)
    for file, expected in known.items():
        path = folder / file
        if path.is_file() and expected not in (None, sha256_of(path)):
            path.unlink()
        if not path.is_file():
            download(model, file, folder)
    check(name, folder, known)
    found = {file: sha256_of(folder / file) for file in model.files}
    note = {"from": model.home, "revision": model.revision, "sha256": found}
    if not (folder / NOTE).is_file():  # a class's folder may take no files
        kept.write({folder / NOTE: (json.dumps(note, indent=1) + "\n").encode()})
    return folder


def check(name: str, folder: Path, known: dict[str, str | None] | None = None) -> None:
    """Raise ValueError if a file is missing, or is not the one that is known."""
    for file, expected in (known or hashes(MODELS[name], folder)).items():
        path = folder / file
        if not path.is_file():
            raise ValueError(f"{path} is missing; {again(name)}")
        found = sha256_of(path)
        if expected not in (None, found):
            raise ValueError(
                f"{path} is not the file that is known: its SHA-256 is {found}, not "
                f"{expected}. It is damaged, or something on the way, or at its "
                f"source, has changed it; {again(name)}"
            )


def again(name: str) -> str:
    """Say how a model is fetched."""
    return f"`python -m course_lib released {name}` fetches it again"


def hashes(model: Model, folder: Path) -> dict[str, str | None]:
    """Return what each file hashes to: by the catalogue, or as it was first fetched."""
    noted: dict[str, Any] = {}
    if (folder / NOTE).is_file():
        try:
            noted = json.loads((folder / NOTE).read_text(encoding="utf-8"))["sha256"]
        except (ValueError, KeyError, TypeError) as error:
            cure = "delete it; the next fetch writes it anew"
            raise kept.damaged(folder / NOTE, error, cure) from None
    return {file: known or noted.get(file) for file, known in model.files.items()}


def sha256_of(path: Path) -> str:
    """Return a file's hash; read it once, for as long as it does not change."""
    there = path.stat()
    return hash_of(path, there.st_size, there.st_mtime_ns)


@cache
def hash_of(path: Path, size: int, modified: int) -> str:
    """Hash a file."""
    import pooch

    return pooch.file_hash(path)


# -- over the network ------------------------------------------------------------------


def download(model: Model, file: str, folder: Path) -> None:
    """Fetch one file, to its end or not at all. Errors: NotFetched."""
    import pooch

    pooch.get_logger().setLevel("WARNING")
    url, known = address(model, file), model.files[file]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        pooch.retrieve(url, known, file, folder, downloader=go_on)
        if is_page(folder / file):
            (folder / file).unlink()
            raise NotTheFile(url)
    except ValueError as error:  # pooch's, which has deleted it
        raise ValueError(f"{url} is not the file that is known: {error}") from None
    except Exception as error:  # requests', urllib3's, the system's
        raise NotFetched(f"{url}: {explained(error)}") from error


def address(model: Model, file: str) -> str:
    """Return where a file lies: at an address, or on the hub or its mirror."""
    if not model.revision:
        return f"{model.home}/{file}"
    hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    return f"{hub}/{model.home}/resolve/{model.revision}/{file}"


def go_on(url: str, output: str, _: Any) -> None:
    """Download for pooch, from where an earlier try of the same version stopped."""
    import requests
    from tqdm.auto import tqdm

    name, folder = Path(url).name, Path(output).parent
    old = next(folder.glob(f"{name}.*.part"), None)
    start = old.stat().st_size if old else 0
    asked = {"Accept-Encoding": "identity"} | (
        {"Range": f"bytes={start}-"} if start else {}
    )
    with requests.get(url, headers=asked, timeout=(CONNECT, READ), stream=True) as got:
        if old and got.status_code == 416:  # nothing is behind its end
            old.replace(output)
            return
        got.raise_for_status()
        if "html" in got.headers.get("Content-Type", ""):
            raise NotTheFile(got.url)
        version = re.sub(r"\W", "", got.headers.get("ETag", ""))
        part = folder / f"{name}.{version}.part"
        if old and (old != part or got.status_code != 206):
            old.unlink()  # another version, or a server that sends all or nothing
            if got.status_code == 206:
                raise ConnectionError("the source has another version by now")
        size = int(got.headers.get("Content-Length", 0))
        bar = tqdm(total=size, unit="B", unit_scale=True, desc=name)
        with bar, part.open("ab") as file:
            for piece in got.iter_content(1 << 14):
                file.write(piece)
                bar.update(len(piece))
    part.replace(output)


def is_page(path: Path) -> bool:
    """Tell whether a file is a web page."""
    with path.open("rb") as file:
        start = file.read(200).lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html"))


def explained(error: BaseException) -> str:
    """Say what an error of the network means, and what to do."""
    errors = [*causes(error)]
    names = {type(e).__name__ for e in errors}
    codes = [getattr(getattr(e, "response", None), "status_code", None) for e in errors]
    code = next((code for code in codes if code), None)
    if "NotTheFile" in names:
        return (
            "a web page came instead of the file, perhaps the log-in page of this "
            "network, or of a proxy. Open a browser and log in, then run the same "
            "command again"
        )
    if code in (401, 403, 407, 451):
        return (
            f"the answer was {code}, refused: a firewall or proxy of this network, or "
            "the source itself. Try from another network, name a mirror of the hub in "
            "HF_ENDPOINT, or copy the folder from a machine that has it"
        )
    if code:
        return f"the answer was {code} ({errors[-1]}). Try again later"
    if isinstance(error, OSError) and error.errno in kept.FULL:
        return f"no room on the disk ({error}). Make room, then run the command again"
    return (
        f"no connection, or one that was cut ({type(errors[-1]).__name__}: "
        f"{str(errors[-1])[:200]}). Run the same command again: it goes on from there"
    )


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it came from, back to the first."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
