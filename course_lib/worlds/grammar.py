"""Make a probabilistic grammar without recursion out of Rivertown's data files."""

from __future__ import annotations

import difflib
import itertools
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from course_lib.worlds.notation import Notation, Production, Role, Token, read_notation
from course_lib.worlds.splits import deal, pool, pooled

__all__ = ["Grammar", "Member", "Rule", "Token", "read_grammar"]


class Rule(NamedTuple):
    """One way to rewrite a symbol: its probability, then tokens and other symbols."""

    probability: float
    body: tuple[Token | str, ...]


class Member(NamedTuple):
    """Who or what may be cast in a document, under every form of reference."""

    probability: float
    forms: dict[str, Token]  # "hero" -> Ann, "hero:subj" -> she …


@dataclass
class Grammar:
    """The rules of one language, and the choices made once for a document.

    tasks: by task and label, the symbol that examples with this label start from
    plan: the parts of a document, in order; the one called "Sentence" is repeated
    everywhere: the files whose sentences may stand in any document, and how often
    cast: by role ("hero" in all documents, "river.vessel" in those about the river)
    introduced: by role, the place in the plan where every document names it
    words: for a symbol that always gives one word, its words' probabilities
    """

    rules: dict[str, list[Rule]] = field(default_factory=dict)
    topics: dict[str, float] = field(default_factory=dict)
    tasks: dict[str, dict[str, str]] = field(default_factory=dict)
    lengths: dict[int, float] = field(default_factory=dict)
    plan: list[str] = field(default_factory=list)
    everywhere: dict[str, float] = field(default_factory=dict)
    cast: dict[str, list[Member]] = field(default_factory=dict)
    introduced: dict[str, int] = field(default_factory=dict)
    words: dict[str, dict[str, float]] = field(default_factory=dict)
    vowel: set[str] = field(default_factory=set)
    consonant: set[str] = field(default_factory=set)

    def roles(self, topic: str) -> list[str]:
        """List the roles that a document about a topic has."""
        return [r for r in self.cast if "." not in r or r.startswith(f"{topic}.")]

    def parts(self, length: int) -> list[str]:
        """List what each sentence of a document of that length is: Opening …"""
        plan = self.plan
        at = plan.index("Sentence")
        return [*plan[:at], *["Sentence"] * (length - len(plan) + 1), *plan[at + 1 :]]

    def starts(self, topic: str, part: str) -> list[tuple[float, str]]:
        """List the symbols a sentence may start from, with their probabilities."""
        if part != "Sentence":
            return [(1.0, f"{topic}.{part}")]
        shared = self.everywhere
        own = 1 - sum(shared.values())
        return [
            (own, f"{topic}.{part}"),
            *((p, f"{s}.{part}") for s, p in shared.items()),
        ]

    def expected_parts(self) -> dict[str, float]:
        """Return how many sentences of each part a document has on average."""
        lengths = self.lengths.items()
        parts = dict.fromkeys(self.plan, 1.0)
        mean_length = sum(p * n for n, p in lengths)
        return parts | {"Sentence": mean_length - len(parts) + 1}


def read_grammar(folder: Path | str, split: str | None = None) -> Grammar:
    """Read a language's folder, or only what belongs to train, dev or test.

    Most mistakes give a ValueError that names the file, the line and the cure.
    """
    written = read_notation(folder)
    check_plan(written)
    grammar = Grammar(
        topics=normalised(written.topics),
        tasks=written.tasks,
        lengths=normalised(written.lengths),
        plan=written.plan,
        everywhere=written.everywhere,
        cast=choose_cast(written, split),
        introduced={key(r): written.plan.index(r.part) for r in written.roles},
        vowel=written.vowel,
        consonant=written.consonant,
    )
    linker = Linker(written, grammar, split)
    for topic in grammar.topics:
        for part in grammar.plan:
            linker.start(topic, part)
        check_introductions(grammar, topic)
    for scope in grammar.everywhere:
        linker.start(scope, "Sentence")
    for task, starts in grammar.tasks.items():
        for symbol in starts.values():
            linker.symbol(symbol, f"task {task}")
    index_words(grammar)
    return grammar


def check_plan(written: Notation) -> None:
    """Raise ValueError unless documents can be made as common.grammar says."""
    plan = written.plan
    if plan.count("Sentence") != 1:
        raise ValueError("common.grammar: write `plan Opening Sentence …` (once)")
    if min(written.lengths, default=0) < len(plan) - 1:
        raise ValueError(f"common.grammar: `sentences` too few for {' '.join(plan)}")
    for role in written.roles:
        if role.part not in plan:
            raise ValueError(f"{role.where}: {role.part} is not in `plan`")


def check_introductions(grammar: Grammar, topic: str) -> None:
    """Raise ValueError unless each role is named where the plan introduces it."""
    for role in grammar.roles(topic):
        part = grammar.plan[grammar.introduced[role]]
        if not introduces(grammar, f"{topic}.{part}", role):
            complaint = f"not every {part} names {{{role.split('.')[-1]}}}"
            raise ValueError(f"{topic}.grammar: {complaint}")


def normalised(weights: dict) -> dict:
    """Scale weights to sum to one."""
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def key(role: Role) -> str:
    """Name a role as the rules do: "hero", or "river.vessel" for a topic's own."""
    return role.name if role.scope == "common" else f"{role.scope}.{role.name}"


def choose_cast(written: Notation, split: str | None) -> dict[str, list[Member]]:
    """List who may play each role, with the pronouns that then stand for them."""
    cast: dict[str, list[Member]] = {}
    for role in written.roles:
        if role.category not in written.categories:
            raise ValueError(f"{role.where}: no category {role.category} in a .tsv")
        name = key(role)
        slots = {}
        for form, word in (pair.split("=") for pair in role.pronouns):
            slots[f"{name}:{form}"] = Token(word, "PRON", word)
        members = cast.setdefault(name, [])
        for weight, forms in pooled(written.categories[role.category], split):
            if any(len(words) != 1 for words in forms.values()):
                raise ValueError(f"{role.where}: only single words can be cast")
            own = {f"{name}:{form}": word for form, [word] in forms.items()}
            own[name] = next(iter(own.values()))
            members.append(Member(weight, own | slots))
        if not members:
            raise ValueError(f"{role.where}: no {role.category} belongs to {split}")
    for role, members in cast.items():
        total = sum(member.probability for member in members)
        cast[role] = [Member(weight / total, forms) for weight, forms in members]
    return cast


def introduces(grammar: Grammar, symbol: str, role: str) -> bool:
    """Tell whether every derivation of a symbol names a role (a pronoun does not)."""
    forms = grammar.cast[role][0].forms
    if symbol in forms:
        return forms[symbol].pos != "PRON"
    return all(
        any(isinstance(x, str) and introduces(grammar, x, role) for x in rule.body)
        for rule in grammar.rules.get(symbol, [Rule(1.0, ())])
    )


def index_words(grammar: Grammar) -> None:
    """Find the symbols that always give one word, for looking words up quickly."""
    for symbol, rules in grammar.rules.items():
        if all(len(r.body) == 1 and isinstance(r.body[0], Token) for r in rules):
            words: dict[str, float] = {}
            for probability, [token] in rules:
                words[token.word] = words.get(token.word, 0.0) + probability
            grammar.words[symbol] = words


class Linker:
    """Turn written productions into rules, following every slot to what it means."""

    def __init__(self, written: Notation, grammar: Grammar, split: str | None):
        self.written = written
        self.grammar = grammar
        self.split = split
        self.open: list[str] = []  # the symbols that are being linked, outermost first

    def start(self, scope: str, part: str) -> str:
        """Build a part of the plan for a topic; what it lacks it has from common."""
        symbol, productions = f"{scope}.{part}", self.written.productions
        if symbol not in productions and f"common.{part}" in productions:
            productions[symbol] = productions[f"common.{part}"]
        return self.symbol(symbol, f"{scope}.grammar")

    def symbol(self, symbol: str, where: str) -> str:
        """Build the rules of a symbol and of everything below it; return the symbol."""
        if symbol in self.open:
            raise ValueError(f"{where}: {symbol} contains itself; rules may not recur")
        if symbol in self.grammar.rules:
            return symbol
        if symbol not in self.written.productions:
            raise ValueError(f"{where}: the symbol {symbol} has no productions")
        self.open.append(symbol)
        build = self.glue if symbol in self.written.glued else self.rule
        rules = [rule for line in self.lines(symbol) for rule in build(symbol, line)]
        total = sum(rule.probability for rule in rules)
        self.grammar.rules[symbol] = [Rule(p / total, body) for p, body in rules]
        self.open.pop()
        return symbol

    def lines(self, symbol: str) -> list[Production]:
        """List a symbol's productions: of a pattern, only those of this split."""
        lines = self.written.productions[symbol]
        scope, name = symbol.split(".", 1)
        patterns = self.written.patterns.get("common", set())
        patterns = self.written.patterns.get(scope, patterns)
        if self.split and name.partition(":")[0] in patterns:
            lines = deal(lines, self.split)
            if not lines:
                raise ValueError(f"{symbol}: too few productions for {self.split}")
        return lines

    def rule(self, symbol: str, line: Production) -> list[Rule]:
        """Turn a production into a rule."""
        scope = symbol.split(".")[0]
        return [Rule(line.weight, self.body(line.text, scope, line.where))]

    def glue(self, symbol: str, line: Production) -> list[Rule]:
        """Turn a production like `{stem}+ford` into the words it can spell."""
        scope, label = symbol.split(".")[0], self.written.glued[symbol]
        pos, _, entity = label.partition("@")
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
            chance = line.weight * math.prod(p for p, _ in choice)
            if not (entity and self.split) or pool(word) == self.split:
                token = Token(word, pos, word, None, entity or None)
                rules.append(Rule(chance, (token,)))
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
                items.append(self.literal(part, scope, where))
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
        for role in (f"{scope}.{name}", name):
            if role.split(":")[0] in self.grammar.cast:
                members = self.grammar.cast[role.split(":")[0]]
                if any(role not in member.forms for member in members):
                    raise ValueError(
                        f"{where}: `cast` gives nobody the form {{{name}}}"
                    )
                return role
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
        entries = pooled(self.written.categories[category], self.split)
        if not entries:
            raise ValueError(f"{where}: no {category} belongs to {self.split}")
        form = form or next(iter(entries[0].forms))
        if any(form not in forms for _, forms in entries):
            raise ValueError(f"{where}: not every {category} has a form {form}")
        total = sum(weight for weight, _ in entries)
        return [Rule(weight / total, forms[form]) for weight, forms in entries]

    def literal(self, part: str, scope: str, where: str) -> Token:
        """Find the labels of a word spelt out, in its file's own table or lexicon.tsv.

        Of several readings `word/POS#sense` says which is meant; `word/POS@LOC` is part
        of a name; `^word` tells the sense of another word.
        """
        rest, _, sense = part.removeprefix("^").partition("#")
        word, slash, pos = rest.partition("/")
        pos, _, entity = pos.partition("@")
        tables = self.written.readings.get(word, {})
        nearest = sorted(tables, key=lambda t: (t != scope, t != "lexicon", t))
        known = [
            token
            for token in itertools.chain(*(tables[table] for table in nearest))
            if (not pos or token.pos == pos) and (not sense or token.sense == sense)
        ]
        senses = sorted({token.sense for token in known if token.sense})
        if len(senses) > 1 or (senses and not sense):
            meant = " or ".join(f"{word}#{name}" for name in senses)
            raise ValueError(f"{where}: which sense? write {meant}")
        if not known and (sense or not slash):
            raise ValueError(f"{where}: {part} is not in a .tsv; add it or tag it")
        token = known[0] if known else Token(word, pos, word)
        if entity:
            token = token._replace(entity=entity)
        return token._replace(cue=part.startswith("^"))
