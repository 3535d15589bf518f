"""MathJax, fetched once by npm and kept: the book itself asks no other machine."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

VERSION = "3.2.2"
SHA256 = "1b9c0a1c44df864e915690558e72adb9cc5203360daefd385084ced3b6c64c09"
SCRIPT = "tex-svg.js"  # one file: it draws formulas as pictures and needs no fonts


class CannotFetch(Exception):
    """Say why there is no MathJax, and what to do."""


def fetch(folder: Path) -> Path:
    """Return a folder that holds MathJax's script and licence; fetch them if needed.

    Whoever fetches at the same time works beside this in a folder of its own.
    """
    ready = folder / f"mathjax-{VERSION}"
    if not (ready / SCRIPT).exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            package = folder / f"mathjax-{VERSION}.tgz"
            if not package.exists():
                package = pack(Path(own))
            check(package)
            part = unpack(package, Path(own))
            try:
                part.rename(ready)
            except OSError:
                if not (ready / SCRIPT).exists():  # nobody else was faster
                    raise
    return ready


def pack(folder: Path) -> Path:
    """Let npm fetch the package, from whatever registry it is set up for."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotFetch(
            "the book's formulas need MathJax, and npm fetches it: install npm"
        )
    command = [npm, "pack", f"mathjax@{VERSION}", "--pack-destination", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=120, text=True)
    except subprocess.TimeoutExpired as error:
        raise CannotFetch(f"npm did not fetch mathjax@{VERSION} in 120 s") from error
    except subprocess.CalledProcessError as error:
        raise CannotFetch(
            f"npm could not fetch mathjax@{VERSION} (no network?):\n{error.stderr}"
        ) from error
    return folder / f"mathjax-{VERSION}.tgz"


def check(package: Path) -> None:
    """Refuse a package that is not the one this version is known by."""
    found = hashlib.sha256(package.read_bytes()).hexdigest()
    if found != SHA256:
        package.unlink()
        raise CannotFetch(
            f"{package.name} was damaged or changed: its SHA-256 is {found}, not "
            f"{SHA256}. It has been deleted; run the command again"
        )


def unpack(package: Path, folder: Path) -> Path:
    """Take the script and the licence out of the package, into a folder in `folder`."""
    part = folder / "unpacked"
    part.mkdir()
    with tarfile.open(package) as archive:
        for inside, name in ((f"es5/{SCRIPT}", SCRIPT), ("LICENSE", "LICENSE.mathjax")):
            text = archive.extractfile(f"package/{inside}").read()
            (part / name).write_bytes(text)
    return part
