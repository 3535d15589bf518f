"""The demonstration on the first page, and the models that all pages may run.

The map of *apple* and 苹果 begins at layer 0 and plays once; below it a sentence can be
typed, and the page itself reads it. What it needs for that stands in the book's folder
`models`, once for both editions.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

WORDS = {"en": ("apple", "bank"), "zh": ("苹果", "花")}
INPUTS = (
    "course_lib/widgets",
    "course_lib/analysis/senses.py",
    "data/senses",
    "docs/bookmaking/page_models.py",
)
MODELS = {"en": "elmo-en", "zh": "elmo-zh"}


def demonstration(course: Path, folder: Path) -> tuple[dict[str, str], Path]:
    """Return each edition's widgets as HTML, and the folder with the models' files.

    Both are made anew if their inputs changed.
    """
    made = folder / f"front_{fingerprint(course)}"
    if not made.exists():
        folder.mkdir(parents=True, exist_ok=True)
        half_done = Path(tempfile.mkdtemp(prefix="front_unfinished_", dir=folder))
        for name, text in measured().items():
            (half_done / name).parent.mkdir(parents=True, exist_ok=True)
            (half_done / name).write_text(text, encoding="utf-8")
        try:
            half_done.rename(made)
        except OSError:  # another process was quicker
            shutil.rmtree(half_done)
    pages = {name: (made / f"{name}.html").read_text("utf-8") for name in WORDS}
    return pages, made / "models"


def fingerprint(course: Path) -> str:
    """Hash all that the demonstration is made of."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    models = [f"data/checkpoints/{name}" for name in MODELS.values()]
    for name in (*INPUTS, *models):
        start = course / name
        for file in [start] if start.is_file() else sorted(start.rglob("*.*")):
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()[:12]


def measured() -> dict[str, str]:
    """Return {file: text}: a page's widgets for each edition, and the models."""
    import course_lib
    from course_lib import data, widgets
    from course_lib.analysis.senses import read_twice, without_place

    from . import page_models

    encoders = {name: course_lib.load(model) for name, model in MODELS.items()}
    examples = {name: data.senses(name) for name in MODELS}
    shown = {n: [s for s in examples[n] if s.word in WORDS[n]] for n in WORDS}
    layers = {  # (L+1, N, D); what lesson 06 does so that no half is empty
        n: without_place(read_twice(encoders[n], shown[n]), shown[n]) for n in WORDS
    }
    found = {}
    for name in WORDS:
        moving = widgets.sense_maps(layers, shown, name, sum(WORDS.values(), ()))
        moving.layer, moving.opening = 0.0, True
        word = WORDS[name][0]
        probe = widgets.sentence_probe(encoders, word, examples, language=name)
        parts = [w._repr_mimebundle_()[0]["text/html"] for w in (moving, probe)]
        found[f"{name}.html"] = "\n".join(parts)
    files = page_models.word_files(probe.probes)
    for encoder in encoders.values():
        files |= page_models.files(encoder)
    return found | {f"models/{name}": text for name, text in files.items()}
