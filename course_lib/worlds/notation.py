"""Read Rivertown's data files: words in tables, rules in plain text.

A folder holds one language: `lexicon.tsv` and `common.grammar`, and for each topic a
`.grammar` file and perhaps a `.tsv` of its own words. data/rivertown/README.md explains
how they are written. What is read here is still text; grammar.py makes rules of it.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from course_lib.worlds.inflection import inflect

# Within a category, the word of rank r weighs 1 / (r + shift): Zipf's law as Mandelbrot
# amended it, so that the first word does not crowd out the others.
ZIPF_SHIFT = 2.7
DIRECTIVES = {
    "topic", "task", "everywhere", "plan", "sentences", "cast", "feature", "patterns",
    "vowel", "consonant",
}  # fmt: skip


class Token(NamedTuple):
    """One word with its gold labels.

    sense: None unless the word is polysemous; entity: PER, LOC or ORG in a name
    cue: whether the word was written to tell the sense of another one
    """

    word: str
    pos: str
    lemma: str
    sense: str | None = None
    entity: str | None = None
    cue: bool = False


class LexiconEntry(NamedTuple):
    """A lexicon entry: its weight; by form (sg, pl, past …) its token, or several."""

    weight: float
    forms: dict[str, tuple[Token, ...]]


class Production(NamedTuple):
    """A line under a symbol: where it stands, its weight, its text."""

    where: str
    weight: float
    text: str


class Role(NamedTuple):
    """A line `cast`: a part in documents, who may play it, their pronouns.

    scope: the topic whose documents have it, or "common"
    part: the part of the plan in which every document introduces it
    """

    where: str
    scope: str
    name: str
    category: str
    pronouns: list[str]
    part: str


@dataclass
class Notation:
    """A language as written: its words, its productions, its settings.

    readings: by spelling and by table (a topic's own, or "lexicon"), the tokens
    """

    categories: dict[str, list[LexiconEntry]] = field(default_factory=dict)
    readings: dict[str, dict[str, list[Token]]] = field(default_factory=dict)
    productions: dict[str, list[Production]] = field(default_factory=dict)
    glued: dict[str, str] = field(default_factory=dict)  # one-word symbols: their POS
    features: dict[str, dict[str, float]] = field(default_factory=dict)
    roles: list[Role] = field(default_factory=list)
    topics: dict[str, float] = field(default_factory=dict)
    tasks: dict[str, dict[str, str]] = field(default_factory=dict)  # label: symbol
    everywhere: dict[str, float] = field(default_factory=dict)
    plan: list[str] = field(default_factory=list)
    lengths: dict[int, float] = field(default_factory=dict)
    patterns: dict[str, set[str]] = field(default_factory=dict)  # by file
    vowel: set[str] = field(default_factory=set)
    consonant: set[str] = field(default_factory=set)
    lines: int = 0  # productions as written, before features multiply them


def read_notation(folder: Path | str) -> Notation:
    """Read a language's folder; most mistakes give a ValueError that names the cure."""
    written = Notation()
    tables = sorted(Path(folder).glob("*.tsv"))
    tables.sort(key=lambda path: path.stem != "lexicon")  # its readings come first
    for path in tables:
        read_words(path, written)
    paths = sorted(Path(folder).glob("*.grammar"))
    paths.sort(key=lambda path: path.stem != "common")  # it declares the features
    for path in paths:
        read_rules(path, written)
    return written


def read_words(path: Path, written: Notation) -> None:
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
            add_entry(written, path.stem, cells[0], cells[1], entry)


def add_entry(
    written: Notation, table: str, category: str, pos: str, text: str
) -> None:
    """Add `word/form/form#sense*factor` to a category; `town_hall` is two tokens.

    `book=书/本` adds the Chinese word, and its measure word, as the forms zh and m.
    """
    text, _, factor = text.partition("*")
    text, _, translation = text.partition("=")
    text, _, sense = text.partition("#")
    pos, _, entity = pos.partition("@")
    labels = sense or None, entity or None
    spelt = text.split("/")
    forms = {}
    for form, words in inflect(spelt, pos).items():
        pairs = zip(words.split("_"), spelt[0].split("_"), strict=True)
        forms[form] = tuple(Token(w, pos, lemma, *labels) for w, lemma in pairs)
        if len(forms[form]) == 1:
            readings = written.readings.setdefault(words, {}).setdefault(table, [])
            readings += [token for token in forms[form] if token not in readings]
    both = zip(("zh", "m"), translation.split("/"), strict=False)
    for form, words in both if translation else ():
        forms[form] = tuple(Token(word, pos, word) for word in words.split("_"))
    entries = written.categories.setdefault(category, [])
    weight = float(factor or 1) / (len(entries) + 1 + ZIPF_SHIFT)
    entries.append(LexiconEntry(weight, forms))


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
                obey(line.split(), path.stem, where, written)
        elif head:
            add_production(written, path.stem, head, line.strip(), where)
        else:
            raise ValueError(f"{where}: a production without a symbol above it")


def obey(words: list[str], scope: str, where: str, written: Notation) -> None:
    """Obey a directive such as `topic finance 2` or `sentences 3:1 4:2`."""
    name, rest = words[0], words[1:]
    if name == "topic":
        written.topics[rest[0]] = float(rest[1])
    elif name == "task":
        labels = dict(pair.split(":") for pair in rest[1:])
        written.tasks[rest[0]] = {k: f"{scope}.{v}" for k, v in labels.items()}
    elif name == "everywhere":
        written.everywhere = weighted(rest)
    elif name == "sentences":
        written.lengths = {int(n): weight for n, weight in weighted(rest).items()}
    elif name == "feature":
        written.features[rest[0]] = weighted(rest[1:])
    elif name == "cast":
        pronouns = [word for word in rest[2:] if "=" in word]
        part = "".join(word for word in rest[2:] if "=" not in word) or "Opening"
        written.roles.append(Role(where, scope, *rest[:2], pronouns, part))
    elif name == "plan":
        written.plan = rest
    elif name == "patterns":
        written.patterns[scope] = set(rest)
    else:  # vowel, consonant: words whose sound their spelling hides
        getattr(written, name).update(rest)


def weighted(items: list[str]) -> dict[str, float]:
    """Read `a:3 b:2`."""
    return {name: float(weight) for name, weight in (x.split(":") for x in items)}


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
    body = re.findall(r"(?:\{[^}]*|#):(\w+)", text)  # {Noun:n} and bank#:b
    drawn = set(body) & features.keys() - given
    names = sorted(given | drawn)
    for values in itertools.product(*(features[name] for name in names)):
        share = 1.0
        for name, value in zip(names, values, strict=True):
            if name in drawn:
                share *= features[name][value] / sum(features[name].values())
        yield dict(zip(names, values, strict=True)), share


def bind(text: str, values: dict[str, str]) -> str:
    """Replace features by their values: `Person:n` becomes `Person:sg`.

    `bank#:b` becomes `bank#river` likewise: the feature's value is the sense.
    """
    text = re.sub(r"#:(\w+)", lambda x: "#" + values.get(x[1], ":" + x[1]), text)
    return re.sub(r":(\w+)(?=\}|$)", lambda x: ":" + values.get(x[1], x[1]), text)
