"""The map on the first page: the layer slider over the models that ship."""

from __future__ import annotations

import hashlib
from pathlib import Path

WORDS = {"en": ("play", "bank"), "zh": ("苹果", "花")}
INPUTS = ("course_lib/widgets", "course_lib/analysis/senses.py", "data/senses")


def sense_maps(course: Path, folder: Path) -> dict[str, str]:
    """Return the widget of each edition as HTML; made anew if its inputs changed."""
    mark = fingerprint(course)
    files = {name: folder / f"map_{name}_{mark}.html" for name in ("en", "zh")}
    if not all(file.exists() for file in files.values()):
        folder.mkdir(parents=True, exist_ok=True)
        for language, text in measured().items():
            files[language].write_text(text, encoding="utf-8")
    return {name: file.read_text(encoding="utf-8") for name, file in files.items()}


def fingerprint(course: Path) -> str:
    """Hash all that the map is made of."""
    found = hashlib.sha256(repr(WORDS).encode())
    for name in (*INPUTS, "data/checkpoints/elmo-en", "data/checkpoints/elmo-zh"):
        start = course / name
        for file in [start] if start.is_file() else sorted(start.rglob("*.*")):
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()[:12]


def measured() -> dict[str, str]:
    """Read the sentences of both languages with the course's small biLMs."""
    import course_lib
    from course_lib import data, widgets
    from course_lib.analysis.senses import target_vectors

    layers, sentences = {}, {}
    for name, words in WORDS.items():
        own = [use for use in data.senses(name) if use.word in words]
        sentences[name] = own
        layers[name] = target_vectors(
            course_lib.load(f"elmo-{name}"), own
        )  # (L+1, N, D)
    shown = {name: widgets.sense_maps(layers, sentences, name) for name in ("en", "zh")}
    return {name: w._repr_mimebundle_()[0]["text/html"] for name, w in shown.items()}
