"""Draw the pictures of the README from the models that ship (`make figures`)."""

from __future__ import annotations

from pathlib import Path

import course_lib
from course_lib import data
from course_lib.analysis.senses import target_vectors
from course_lib.widgets.sense_map import describe, snapshot

DOCS = Path(__file__).resolve().parents[1] / "docs"


def sense_map(word: str, language: str) -> None:
    """Draw every layer of one word's uses, as the widget of lesson 06 shows them."""
    uses = [s for s in data.senses(language) if s.word == word]
    layers = target_vectors(course_lib.load(f"elmo-{language}"), uses)  # (L+1, N, D)
    senses, tokens, where = (
        [getattr(s, name) for s in uses] for name in ("sense", "tokens", "target_index")
    )
    shown = describe(word, layers, senses, tokens, where, language)
    DOCS.mkdir(exist_ok=True)
    (DOCS / f"sense_map_{language}.png").write_bytes(snapshot([shown], language))
    print(shown["alt"])


if __name__ == "__main__":
    sense_map("play", "en")
    sense_map("苹果", "zh")
