"""Draw the pictures of the README from the models that ship (`make figures`)."""

from __future__ import annotations

from pathlib import Path

from moving_map import inputs, moving_map

import course_lib
from course_lib import data
from course_lib.analysis.senses import read_twice, without_place
from course_lib.widgets.sense_map import describe

COURSE = Path(__file__).resolve().parents[1]


def sense_map(word: str, language: str) -> None:
    """Draw one word's uses on their way through the layers of the biLM that ships."""
    uses = [s for s in data.senses(language) if s.word == word]
    layers = read_twice(course_lib.load(f"elmo-{language}"), uses)  # (L+1, N, D)
    layers = without_place(layers, uses)  # as on the first page of lesson 00
    senses, tokens, where = (
        [getattr(s, name) for s in uses] for name in ("sense", "tokens", "target_index")
    )
    shown = describe(word, layers, senses, tokens, where, language)
    picture = moving_map(shown, language, inputs(COURSE, language))
    file = COURSE / f"docs/sense_map_{language}.svg"
    file.write_text(picture, encoding="utf-8", newline="\n")
    print(shown["alt"])


if __name__ == "__main__":
    sense_map("apple", "en")
    sense_map("苹果", "zh")
