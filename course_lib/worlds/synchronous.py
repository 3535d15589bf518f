"""Sentence pairs, English and Chinese, from one grammar that writes both at once.

A production has two sides, `{who} bought {fruit:pl} ||| {who} 买 了 {fruit}`. What a
slot stands for is drawn once and written on both sides, each in its own word order: a
synchronous grammar (Lewis and Stearns 1968; in translation Chiang 2005).
"""

from __future__ import annotations

import functools
import random
import re
from pathlib import Path
from typing import NamedTuple

from course_lib.worlds.notation import LexiconEntry, Production, read_notation
from course_lib.worlds.splits import deal, pooled

FOLDER = Path(__file__).resolve().parents[2] / "data" / "rivertown" / "pairs"
SIDES = ("en", "zh")
START = "pairs.Pair"


class SentencePair(NamedTuple):
    """A sentence in two languages, as tokens; the symbol and line it was made from."""

    en: list[str]
    zh: list[str]
    pattern: str


class PairGrammar:
    """English and Chinese sentences that say the same."""

    def __init__(self, split: str | None = None, folder: Path | str = FOLDER):
        """Read data/rivertown/pairs, all of it or what belongs to a split."""
        written = read_notation(folder)
        patterns = written.patterns.get("pairs", set())
        self.choices: dict[str, list[LexiconEntry | Production]] = dict(
            written.productions
        )
        for symbol, lines in written.productions.items():
            if split and symbol.split(".")[1].split(":")[0] in patterns:
                self.choices[symbol] = deal(lines, split)
        for category, entries in written.categories.items():
            self.choices[category] = pooled(entries, split)
        if empty := [symbol for symbol, found in self.choices.items() if not found]:
            raise ValueError(f"{', '.join(empty)}: nothing belongs to {split}")
        self.weights = {
            symbol: [choice.weight for choice in choices]
            for symbol, choices in self.choices.items()
        }

    def pairs(self, n: int, seed: int = 0) -> list[SentencePair]:
        """Draw n pairs, the same ones every time for the same seed."""
        generator = random.Random(seed)
        return [self.pair(generator) for _ in range(n)]

    def pair(self, generator: random.Random) -> SentencePair:
        """Draw one pair."""
        [line] = generator.choices(self.choices[START], self.weights[START])
        sides = self.expand(line, generator)
        first, *rest = sides["en"]
        english = _articles([first[0].upper() + first[1:], *rest])
        return SentencePair(english, sides["zh"], line.where)

    def expand(self, line: Production, generator) -> dict[str, list[str]]:
        """Write both sides of a production; a slot that stands twice is drawn once."""
        drawn: dict[str, dict[str, list[str]]] = {}
        sides = {}
        for side, text in zip(SIDES, line.text.split("|||"), strict=True):
            words: list[str] = []
            for part in text.split():
                spelt = [self.fill(x, side, drawn, generator) for x in part.split("+")]
                glued = "+" in part
                words += ["".join(w for s in spelt for w in s)] if glued else spelt[0]
            sides[side] = words
        return sides

    def fill(self, part: str, side: str, drawn: dict, generator) -> list[str]:
        """Return the words that a slot stands for on one side, or the word itself."""
        if not part.startswith("{"):
            return [part]
        name, form = _slot(part[1:-1], self.choices)
        if name not in drawn:
            drawn[name] = self.draw(re.sub(r"\.\w+", "", name), generator)
        forms = drawn[name]
        if form and form not in forms:
            raise ValueError(f"{part}: it has the forms {', '.join(forms)}")
        return forms.get(form or side) or next(iter(forms.values()))

    def draw(self, name: str, generator) -> dict[str, list[str]]:
        """Draw what a symbol or a category of words stands for, in all its forms."""
        symbol = f"pairs.{name}" if f"pairs.{name}" in self.choices else name
        [choice] = generator.choices(self.choices[symbol], self.weights[symbol])
        if isinstance(choice, Production):
            return self.expand(choice, generator)
        return {form: [t.word for t in words] for form, words in choice.forms.items()}


def _slot(text: str, choices: dict) -> tuple[str, str]:
    """Split `fruit.2:pl` into what is drawn, `fruit.2`, and the form wanted, `pl`.

    `{NP:pl}` asks for a form of nothing: NP:pl is itself a symbol with productions.
    """
    name, _, form = text.partition(":")
    if f"pairs.{name.partition('.')[0]}:{form}" in choices:
        return text, ""
    return name, form


def _articles(words: list[str]) -> list[str]:
    """Write `an` for `a` before a vowel."""
    return [
        re.sub("^([aA])$", r"\1n", word) if after[0] in "aeiou" else word
        for word, after in zip(words, [*words[1:], "."], strict=True)
    ]


@functools.cache
def pair_grammar(split: str | None = None) -> PairGrammar:
    """Read the grammar once."""
    return PairGrammar(split)
