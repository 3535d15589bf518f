"""Word vectors in the files in which the world keeps them; gensim reads them.

word2vec   "3000000 300" in the first line, then text or binary; also fastText's .vec
GloVe      text without a first line of its own
fastText   .bin, with the vectors of character n-grams: every word has a vector
gensim     what its `save` wrote, a pickle: only from somebody whom you trust
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from course_lib import kept
from course_lib.checkpoints.weights import AGAIN

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

FASTTEXT = (793712314).to_bytes(4, "little")  # how a .bin of fastText begins
PICKLE = b"\x80"
ENDINGS = (".txt", ".vec", ".bin", ".kv", ".model", ".wordvectors", ".gz")


def candidates(folder: Path) -> list[Path]:
    """Return the files of a folder that may hold vectors, by their endings."""
    return sorted(p for p in folder.glob("*") if p.suffix in ENDINGS)


def load(path: Path) -> KeyedVectors:
    """Load word vectors from a file, or from a folder with one such file.

    Errors: ValueError if it has no known format, is damaged, or the folder has several.
    """
    if path.is_dir():
        found = candidates(path)
        if len(found) != 1:
            names = ", ".join(p.name for p in found)
            raise ValueError(f"{path} has several such files; give one: {names}")
        path = found[0]
    kind = kind_of(path)
    try:
        return read(path, kind)
    except Exception as error:  # gensim's have no class of their own
        raise kept.damaged(path, f"as {kind}: {error}", AGAIN) from None


def read(path: Path, kind: str) -> KeyedVectors:
    """Read a file of a known format."""
    from gensim.models import KeyedVectors
    from gensim.models.fasttext import load_facebook_vectors

    if kind == "fastText":
        return load_facebook_vectors(str(path))
    if kind == "gensim":
        found = KeyedVectors.load(str(path))
        return getattr(found, "wv", found)
    binary, headless = kind == "word2vec, binary", kind == "GloVe"
    return KeyedVectors.load_word2vec_format(
        str(path), binary=binary, no_header=headless
    )


def kind_of(path: Path) -> str:
    """Tell a file's format by its first bytes, or raise ValueError."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        start = file.read(1 << 16)
    if start.startswith(FASTTEXT):
        return "fastText"
    if start.startswith(PICKLE):
        return "gensim"
    first, _, rest = start.partition(b"\n")
    sizes = first.split()
    if len(sizes) == 2 and all(s.isdigit() for s in sizes):
        second = rest.partition(b"\n")[0]
        text = len(second.split()) == int(sizes[1]) + 1 and is_number(second)
        return "word2vec, text" if text else "word2vec, binary"
    if len(sizes) > 2 and is_number(first):
        return "GloVe"
    raise ValueError(
        f"{path} begins with {first[:40]!r}: no word vectors of word2vec, GloVe, "
        "fastText or gensim, and no model that the course knows"
    )


def is_number(line: bytes) -> bool:
    """Tell whether a line ends with a number."""
    try:
        float(line.split()[-1])
    except (ValueError, IndexError):
        return False
    return True
