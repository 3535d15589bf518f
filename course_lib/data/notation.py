"""Read Rivertown's data files: a lexicon in a table, rules in plain text.

A folder holds one language: `lexicon.tsv`, `common.grammar`, one `.grammar` file for
each topic. data/rivertown/README.md explains how they are written. What is read here is
still text; grammar.py makes rules of it.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from course_lib.data.inflection import inflect

# Within a category, the word of rank r weighs 1 / (r + shift): Zipf's law as Mandelbrot
# amended it, so that the first word does not crowd out the others.
ZIPF_SHIFT = 2.7
DIRECTIVES = {"topic", "general", "sentences", "cast", "feature", "vowel", "consonant"}


class Token(NamedTuple):
    """One word with its gold labels; `sense` is None unless the word is polysemous."""

    word: str
    pos: str
    lemma: str
    sense: str | None = None


class Entry(NamedTuple):
    """A lexicon entry: its weight; by form (sg, pl, past …) its token, or several."""

    weight: float
    forms: dict[str, tuple[Token, ...]]


class Production(NamedTuple):
    """A line under a symbol: where it stands, its weight, its text."""

    where: str
    weight: float
    text: str


class Role(NamedTuple):
    """A line `cast`: a part in every document, who may play it, their pronouns."""

    where: str
    name: str
    category: str
    pronouns: list[str]


@dataclass
class Notation:
    """A language as written: its words, its productions, its settings."""

    categories: dict[str, list[Entry]] = field(default_factory=dict)
    readings: dict[str, list[Token]] = field(default_factory=dict)  # by spelling
    productions: dict[str, list[Production]] = field(default_factory=dict)
    glued: dict[str, str] = field(default_factory=dict)  # one-word symbols: their POS
    features: dict[str, dict[str, float]] = field(default_factory=dict)
    roles: list[Role] = field(default_factory=list)
    topics: dict[str, float] = field(default_factory=dict)
    lengths: dict[int, float] = field(default_factory=dict)
    general: float = 0.0
    vowel: set[str] = field(default_factory=set)
    consonant: set[str] = field(default_factory=set)
    lines: int = 0  # productions as written, before features multiply them


def read_notation(folder: Path | str) -> Notation:
    """Read a language's folder; ValueError names the file, the line and the cure."""
    written = Notation()
    read_lexicon(Path(folder) / "lexicon.tsv", written)
    paths = sorted(Path(folder).glob("*.grammar"))
    paths.sort(key=lambda path: path.stem != "common")  # it declares the features
    for path in paths:
        read_rules(path, written)
    return written


def read_lexicon(path: Path, written: Notation) -> None:
    """Read rows `category, pos, words`; words stand in order of frequency."""
    rows = path.read_text(encoding="utf-8").splitlines()
    for number, row in enumerate(rows[1:], start=2):
        if not row.strip() or row.startswith("#"):
            continue
        cells = row.split("\t")
        if len(cells) != 3:
            raise ValueError(
                f"{path.name}, line {number}: {len(cells)} cells instead of 3 "
                "(category, pos, words), separated by tabs"
            )
        for entry in cells[2].split():
            add_entry(written, cells[0], cells[1], entry)


def add_entry(written: Notation, category: str, pos: str, text: str) -> None:
    """Add `word/form/form#sense*factor` to a category; `town_hall` is two tokens."""
    text, _, factor = text.partition("*")
    text, _, sense = text.partition("#")
    spelt = text.split("/")
    forms = {}
    for form, words in inflect(spelt, pos).items():
        pairs = zip(words.split("_"), spelt[0].split("_"), strict=True)
        forms[form] = tuple(Token(w, pos, lemma, sense or None) for w, lemma in pairs)
        if len(forms[form]) == 1:
            readings = written.readings.setdefault(words, [])
            readings += [token for token in forms[form] if token not in readings]
    entries = written.categories.setdefault(category, [])
    weight = float(factor or 1) / (len(entries) + 1 + ZIPF_SHIFT)
    entries.append(Entry(weight, forms))


def read_rules(path: Path, written: Notation) -> None:
    """Read one file: directives, symbols, and below them indented productions."""
    head = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}, line {number}"
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            head = "" if line.split()[0] in DIRECTIVES else line.strip()
            if not head:
                obey(line.split(), where, written)
        elif head:
            add_production(written, path.stem, head, line.strip(), where)
        else:
            raise ValueError(f"{where}: a production without a symbol above it")


def obey(words: list[str], where: str, written: Notation) -> None:
    """Obey a directive such as `topic finance 2` or `sentences 3:1 4:2`."""
    name, rest = words[0], words[1:]
    if name == "topic":
        written.topics[rest[0]] = float(rest[1])
    elif name == "general":
        written.general = float(rest[0])
    elif name == "sentences":
        written.lengths = {int(n): float(w) for n, w in weighted(rest)}
    elif name == "feature":
        written.features[rest[0]] = {v: float(w) for v, w in weighted(rest[1:])}
    elif name == "cast":
        written.roles.append(Role(where, rest[0], rest[1], rest[2:]))
    else:  # vowel, consonant: words whose sound their spelling hides
        getattr(written, name).update(rest)


def weighted(items: list[str]) -> list[list[str]]:
    """Split `a:3 b:2` into pairs."""
    return [item.split(":") for item in items]


def add_production(
    written: Notation, scope: str, head: str, text: str, where: str
) -> None:
    """Note a production, once for each value of the features in it."""
    written.lines += 1
    weight = re.match(r"(\d+(?:\.\d+)?): +", text)
    text = text[weight.end() :] if weight else text
    head, _, glue = head.partition("/")
    for values, share in bindings(written.features, head, text):
        symbol = f"{scope}.{bind(head, values)}"
        share *= float(weight[1]) if weight else 1.0
        production = Production(where, share, bind(text, values))
        written.productions.setdefault(symbol, []).append(production)
        if glue:
            written.glued[symbol] = glue


def bindings(features: dict[str, dict[str, float]], head: str, text: str):
    """Yield values for the features in a production, with their probability.

    A feature of the head is given from above; one that stands only in the body is drawn
    here, with the weights of its declaration.
    """
    given = set(re.findall(r":(\w+)", head)) & features.keys()
    drawn = set(re.findall(r"\{[^}]*:(\w+)\}", text)) & features.keys() - given
    names = sorted(given | drawn)
    for values in itertools.product(*(features[name] for name in names)):
        share = 1.0
        for name, value in zip(names, values, strict=True):
            if name in drawn:
                share *= features[name][value] / sum(features[name].values())
        yield dict(zip(names, values, strict=True)), share


def bind(text: str, values: dict[str, str]) -> str:
    """Replace features by their values: `Person:n` becomes `Person:sg`."""
    return re.sub(
        r":(\w+)(?=\}|$)", lambda found: ":" + values.get(found[1], found[1]), text
    )
