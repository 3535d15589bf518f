"""Make a probabilistic grammar without recursion out of Rivertown's data files."""

from __future__ import annotations

import difflib
import itertools
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from course_lib.data.notation import Notation, Production, Token, read_notation

__all__ = ["Grammar", "Member", "Rule", "Token", "read_grammar"]


class Rule(NamedTuple):
    """One way to rewrite a symbol: its probability, then tokens and other symbols."""

    probability: float
    body: tuple[Token | str, ...]


class Member(NamedTuple):
    """Someone who may be cast in a document, under every form of reference."""

    probability: float
    forms: dict[str, Token]  # "hero" -> Ann, "hero:subj" -> she …


@dataclass
class Grammar:
    """The rules of one language, and the choices made once for a document."""

    rules: dict[str, list[Rule]] = field(default_factory=dict)
    topics: dict[str, float] = field(default_factory=dict)
    lengths: dict[int, float] = field(default_factory=dict)
    general: float = 0.0
    cast: dict[str, list[Member]] = field(default_factory=dict)
    vowel: set[str] = field(default_factory=set)
    consonant: set[str] = field(default_factory=set)


def read_grammar(folder: Path | str) -> Grammar:
    """Read a language's folder; ValueError names the file, the line and the cure."""
    written = read_notation(folder)
    grammar = Grammar(
        topics=normalised(written.topics),
        lengths=normalised(written.lengths),
        general=written.general,
        cast=choose_cast(written),
        vowel=written.vowel,
        consonant=written.consonant,
    )
    linker = Linker(written, grammar)
    for topic in grammar.topics:
        linker.symbol(f"{topic}.Opening", f"{topic}.grammar")
        linker.symbol(f"{topic}.S", f"{topic}.grammar")
        for role in grammar.cast:
            if not introduces(grammar, f"{topic}.Opening", role):
                complaint = f"an Opening does not name {{{role}}}"
                raise ValueError(f"{topic}.grammar: {complaint}")
    if grammar.general:
        linker.symbol("general.S", "general.grammar")
    return grammar


def normalised(weights: dict) -> dict:
    """Scale weights to sum to one."""
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def choose_cast(written: Notation) -> dict[str, list[Member]]:
    """List who may play each role, with the pronouns that then stand for them."""
    cast: dict[str, list[Member]] = {}
    for where, role, category, pronouns in written.roles:
        if category not in written.categories:
            raise ValueError(f"{where}: no category {category} in lexicon.tsv")
        slots = {}
        for form, word in (pair.split("=") for pair in pronouns):
            slots[f"{role}:{form}"] = Token(word, "PRON", word)
        for weight, forms in written.categories[category]:
            [name] = next(iter(forms.values()))
            cast.setdefault(role, []).append(Member(weight, {role: name} | slots))
    for role, members in cast.items():
        total = sum(member.probability for member in members)
        cast[role] = [Member(weight / total, forms) for weight, forms in members]
    return cast


def introduces(grammar: Grammar, symbol: str, role: str) -> bool:
    """Tell whether every derivation of a symbol contains the name of a role."""
    return symbol == role or all(
        any(isinstance(x, str) and introduces(grammar, x, role) for x in rule.body)
        for rule in grammar.rules.get(symbol, [Rule(1.0, ())])
    )


class Linker:
    """Turn written productions into rules, following every slot to what it means."""

    def __init__(self, written: Notation, grammar: Grammar):
        self.written = written
        self.grammar = grammar
        self.open: list[str] = []  # the symbols that are being linked, outermost first

    def symbol(self, symbol: str, where: str) -> str:
        """Build the rules of a symbol and of everything below it; return the symbol."""
        if symbol in self.open:
            raise ValueError(f"{where}: {symbol} contains itself; rules may not recur")
        if symbol in self.grammar.rules:
            return symbol
        if symbol not in self.written.productions:
            raise ValueError(f"{where}: the symbol {symbol} has no productions")
        self.open.append(symbol)
        lines = self.written.productions[symbol]
        total = sum(line.weight for line in lines)
        build = self.glue if symbol in self.written.glued else self.rule
        self.grammar.rules[symbol] = [
            rule for line in lines for rule in build(symbol, line, line.weight / total)
        ]
        self.open.pop()
        return symbol

    def rule(self, symbol: str, line: Production, share: float) -> list[Rule]:
        """Turn a production into a rule."""
        scope = symbol.split(".")[0]
        return [Rule(share, self.body(line.text, scope, line.where))]

    def glue(self, symbol: str, line: Production, share: float) -> list[Rule]:
        """Turn a production like `{stem}+ford` into the words it can spell."""
        scope, pos = symbol.split(".")[0], self.written.glued[symbol]
        parts = []
        for part in line.text.split("+"):
            if part.startswith("{"):
                slot = self.slot(part[1:-1], scope, line.where)
                options = self.grammar.rules[slot]
                parts.append([(p, body[0].word) for p, body in options])
            else:
                parts.append([(1.0, part)])
        rules = []
        for choice in itertools.product(*parts):
            word = "".join(spelt for _, spelt in choice)
            chance = share * math.prod(p for p, _ in choice)
            rules.append(Rule(chance, (Token(word, pos, word),)))
        return rules

    def body(self, text: str, scope: str, where: str) -> tuple[Token | str, ...]:
        """Read the right-hand side: slots, groups of alternatives, words."""
        items: list[Token | str] = []
        for part in re.findall(r"\[[^\]]*\]|\S+", text):
            if part[0] == "{" and part[-1] == "}":
                items.append(self.slot(part[1:-1], scope, where))
            elif part[0] == "[" and part[-1] == "]":
                items.append(self.group(part, scope, where))
            else:
                items.append(self.literal(part, where))
        return tuple(items)

    def group(self, part: str, scope: str, where: str) -> str:
        """Turn `[this|that|]` into a symbol of its own, all alternatives alike."""
        symbol = f"{scope}.{part}"
        if symbol not in self.grammar.rules:
            texts = part[1:-1].split("|")
            bodies = [self.body(text, scope, where) for text in texts]
            self.grammar.rules[symbol] = [Rule(1 / len(texts), body) for body in bodies]
        return symbol

    def slot(self, name: str, scope: str, where: str) -> str:
        """Find what `{name}` means: a role, a symbol here or in common, a category."""
        role = name.split(":")[0]
        if role in self.grammar.cast:
            if any(name not in member.forms for member in self.grammar.cast[role]):
                raise ValueError(f"{where}: `cast` gives nobody the form {{{name}}}")
            return name
        for symbol in (f"{scope}.{name}", f"common.{name}"):
            if symbol in self.written.productions:
                return self.symbol(symbol, where)
        if name not in self.grammar.rules:
            self.grammar.rules[name] = self.words(name, where)
        return name

    def words(self, name: str, where: str) -> list[Rule]:
        """Make the rules of a category in one form, such as `fruit:pl`."""
        category, _, form = name.partition(":")
        if category not in self.written.categories:
            symbols = [symbol.split(".")[-1] for symbol in self.written.productions]
            known = symbols + list(self.written.categories)
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {{{near[0]}}}?" if near else ""
            raise ValueError(f"{where}: no symbol or category {{{name}}}{hint}")
        entries = self.written.categories[category]
        form = form or next(iter(entries[0].forms))
        if any(form not in forms for _, forms in entries):
            raise ValueError(f"{where}: not every {category} has a form {form}")
        total = sum(weight for weight, _ in entries)
        return [Rule(weight / total, forms[form]) for weight, forms in entries]

    def literal(self, part: str, where: str) -> Token:
        """Find the labels of a word spelt out; `word/POS#sense` says which is meant."""
        rest, _, sense = part.partition("#")
        word, slash, pos = rest.partition("/")
        known = [
            token
            for token in self.written.readings.get(word, [])
            if (not pos or token.pos == pos) and (not sense or token.sense == sense)
        ]
        senses = sorted({token.sense for token in known if token.sense})
        if len(senses) > 1 or (senses and not sense):
            meant = " or ".join(f"{word}#{name}" for name in senses)
            raise ValueError(f"{where}: which sense? write {meant}")
        if known:
            return known[0]  # of several parts of speech the lexicon's first
        if slash and not sense:
            return Token(word, pos, word)
        raise ValueError(f"{where}: {part} is not in lexicon.tsv; add it or tag it")
