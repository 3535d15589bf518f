"""Find the files of a corpus on this machine, or download them once, whole.

A file is looked for in the folder COURSE_DATA, then in the course's own cache;
NLTK's in NLTK_DATA and NLTK's usual places. A download arrives under a temporary
name, is checked, and only then gets its own: nothing half-done is ever read.
"""

from __future__ import annotations

import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tarfile import TarError
from typing import NamedTuple

NLTK_INDEX = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/index.xml"
CONNECT, READ = 5, 30  # seconds to wait for a server, and for its next bytes
# What this process has loaded, by name: the ledger writes it down beside its results.
# Of what ships with the course, the file.
USED: dict[str, Path | None] = {}


class DataNotAtHand(FileNotFoundError):
    """A corpus is not on this machine and cannot be fetched now."""


class DamagedData(ValueError):
    """A file of a corpus is cut off, changed, or not in the format it should have."""


class Repository(NamedTuple):
    """The texts of one GitHub repository at a pinned commit.

    texts: an expression for the paths, inside the repository, of what is kept
    archive: the address of its zip, with {name} and {commit}
    """

    name: str
    commit: str
    texts: str
    archive: str


class File(NamedTuple):
    """One public file: where it lies, where it comes from, what it hashes to.

    `url` None means NLTK's downloader, or `parts`: the repositories that a zip is put
    together from. `hashes` begin with the public file's; with `any_version`, a sound
    archive of another version is used, with a warning.
    """

    path: str
    url: str | None = None
    hashes: tuple[str, ...] = ()
    any_version: bool = False
    parts: tuple[Repository, ...] = ()


def fetch(file: File) -> Path:
    """Return the path of a verified file, downloading it if need be."""
    if path := find(file):
        _verify(path, file, path.stat().st_size, path.stat().st_mtime_ns)
        return path
    if file.parts:
        path = _put_together(file)
    else:
        path = _download_nltk(file) if file.url is None else _download(file)
    try:
        _verify(path, file, path.stat().st_size, path.stat().st_mtime_ns)
    except DamagedData:
        path.unlink(missing_ok=True)
        raise
    return path


def find(file: File) -> Path | None:
    """Return where a file is on this machine, or None; touch no network."""
    for folder in places(file):
        if (folder / file.path).is_file():
            return folder / file.path
    return None


def places(file: File) -> list[Path]:
    """List the folders that may hold a file; a download goes into the first."""
    import pooch

    own = [Path(pooch.os_cache("text-representations-course"))]
    if "COURSE_DATA" in os.environ:
        own.insert(0, Path(os.environ["COURSE_DATA"]))
    if file.url is not None or file.parts:
        return own
    named = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    folders = [*own, Path.home()]
    return [*map(Path, filter(None, named)), *(p / "nltk_data" for p in folders)]


def _download(file: File) -> Path:
    """Download one file with pooch, which checks the hash before it renames."""
    import pooch
    import requests

    folder = places(file)[0]
    pooch.get_logger().setLevel("WARNING")
    print(f"Downloading {file.path} from {file.url} …")
    try:
        name = pooch.retrieve(
            file.url,
            known_hash=None if file.any_version else file.hashes[0],
            path=folder / Path(file.path).parent,
            fname=Path(file.path).name,
            downloader=pooch.HTTPDownloader(timeout=(CONNECT, READ)),
        )
    except requests.RequestException as error:
        raise DataNotAtHand(_how_to_get(file, folder, error)) from None
    except ValueError as error:
        raise DamagedData(
            f"{file.url} gave something other than the file expected ({error}). "
            "Nothing was kept. Try again; if it stays so, the public file has changed."
        ) from error
    except OSError as error:
        raise DataNotAtHand(_cannot_write(folder, error)) from None
    return Path(name)


def _download_nltk(file: File) -> Path:
    """Download one corpus with NLTK's downloader, into a folder of its own first."""
    import requests

    folder = places(file)[0]
    target = folder / file.path
    try:
        requests.head(NLTK_INDEX, timeout=CONNECT)  # NLTK itself would wait minutes
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            import nltk

            nltk.download(target.stem, temporary, quiet=True, raise_on_error=True)
            os.replace(Path(temporary, file.path), target)
    except (requests.RequestException, ValueError) as error:
        raise DataNotAtHand(_how_to_get(file, folder, error)) from None
    except OSError as error:
        raise DataNotAtHand(_cannot_write(folder, error)) from None
    return target


def _put_together(file: File) -> Path:
    """Download repositories one by one and keep their texts, in one zip."""
    import requests

    folder = places(file)[0]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            whole = Path(temporary, file.path)
            with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
                for part in file.parts:
                    _keep_texts(part, Path(temporary, "part.zip"), archive)
            os.replace(whole, folder / file.path)
    except requests.RequestException as error:
        raise DataNotAtHand(_how_to_get(file, folder, error)) from None
    except OSError as error:
        raise DataNotAtHand(_cannot_write(folder, error)) from None
    return folder / file.path


def _keep_texts(part: Repository, path: Path, archive: zipfile.ZipFile) -> None:
    """Download one repository and copy its texts, under its name, into an archive."""
    import requests

    url = part.archive.format(name=part.name, commit=part.commit)
    print(f"Downloading {part.name} from {url} …")
    with requests.get(url, timeout=(CONNECT, READ), stream=True) as answer:
        answer.raise_for_status()
        with path.open("wb") as file:
            for piece in answer.iter_content(1 << 20):
                file.write(piece)
    with sound(path), zipfile.ZipFile(path) as downloaded:
        for name in downloaded.namelist():
            inside = name.partition("/")[2]  # without the folder NAME-COMMIT
            if re.fullmatch(part.texts, inside):
                target = f"{part.name.partition('/')[2]}/{inside}"
                archive.writestr(target, downloaded.read(name))


def _how_to_get(file: File, folder: Path, error: Exception) -> str:
    """Say what is missing and the ways to get it."""
    if file.parts:
        return (
            f"{file.path} is not on this machine and cannot be put together now "
            f"({type(error).__name__}). With a network, run the cell again, or set "
            f"COURSE_DATA to a folder that holds {file.path}, made from the public "
            f"repositories {', '.join(part.name for part in file.parts)}. "
            "The lessons run without it, on what ships with the course."
        )
    if file.url is None:
        name = Path(file.path).stem
        variable = "NLTK_DATA"
        command = f"python -m nltk.downloader {name} -d '{folder}'"
    else:
        variable = "COURSE_DATA"
        command = f"curl -L --create-dirs -o '{folder / file.path}' {file.url}"
    return (
        f"{file.path} is not on this machine and cannot be downloaded now "
        f"({type(error).__name__}). With a network, run the cell again or\n"
        f"    {command}\n"
        f"or set {variable} to a folder that holds {file.path}. "
        "The lessons run without it, on what ships with the course."
    )


def _cannot_write(folder: Path, error: OSError) -> str:
    """Say that a folder takes no files, and the cure."""
    return (
        f"cannot write to {folder} ({error}). Set COURSE_DATA (and NLTK_DATA for "
        "NLTK's corpora) to a folder that you can write to."
    )


@cache
def _verify(path: Path, file: File, size: int, modified: int) -> None:
    """Check a file's hash, once per process for as long as it does not change."""
    import pooch

    kinds = {hash_.partition(":")[0] for hash_ in file.hashes}
    if {f"{kind}:{pooch.file_hash(path, kind)}" for kind in kinds} & {*file.hashes}:
        return
    if not file.any_version:
        raise DamagedData(
            f"{path} ({size:,} bytes) is cut off or another version: its hash is not "
            f"{' or '.join(file.hashes)}. Delete it and run again to download it."
        )
    with sound(path), zipfile.ZipFile(path) as archive:
        if broken := archive.testzip():
            raise zipfile.BadZipFile(f"{broken} inside it is damaged")


@contextmanager
def sound(path: Path) -> Iterator[None]:
    """Turn the many ways an archive can be broken into one error that helps."""
    try:
        yield
    except (zipfile.BadZipFile, TarError, EOFError, zlib.error) as error:
        raise DamagedData(
            f"{path} cannot be read to its end ({error}): a cut download? "
            "Delete it and run again to download it."
        ) from error


def text_lines(raw: Iterable[bytes], name: str | Path) -> Iterator[str]:
    """Decode lines of UTF-8, dropping a byte order mark.

    Raises DamagedData that names the file and the line that is not UTF-8.
    """
    for number, line in enumerate(raw, start=1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise DamagedData(
                f"{name}, line {number}: not UTF-8 at byte {error.start + 1} of the "
                "line. Save the file as UTF-8, or delete it and download it again."
            ) from error
        yield text.removeprefix("\ufeff") if number == 1 else text
