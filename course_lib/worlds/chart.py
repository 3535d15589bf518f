"""Exact probabilities of sentences under a grammar without recursion."""

from __future__ import annotations

import math

from course_lib.worlds.grammar import Grammar, Rule, Token


class Chart:
    """Inside probabilities of one sentence (Baker 1979), found top down.

    `words[i]` lists what word i may have been before capitals were put in; `cast` maps
    the slots of a role to the one token that fills them in this document.
    """

    def __init__(self, grammar: Grammar, cast: dict[str, Token], words):
        self.rules = grammar.rules
        self.lexical = grammar.words
        self.cast = cast
        self.words = words
        self.known: dict[tuple[str, int], dict[int, float]] = {}

    def probability(self, symbol: str) -> float:
        """Return P(symbol derives the whole sentence), over all its derivations."""
        return self.ends(symbol, 0).get(len(self.words), 0.0)

    def ends(self, symbol: str, start: int) -> dict[int, float]:
        """Map each end to P(symbol derives the words from `start` to it)."""
        if (symbol, start) not in self.known:
            found: dict[int, float] = {}
            if symbol in self.lexical:
                found = self.look_up(self.lexical[symbol], start)
            else:
                for rule in self.options(symbol):
                    for end, inside in self.follow(rule, start).items():
                        found[end] = found.get(end, 0.0) + inside
            self.known[symbol, start] = found
        return self.known[symbol, start]

    def look_up(self, words: dict[str, float], start: int) -> dict[int, float]:
        """Do the same for a symbol that gives one word, without trying them all."""
        if start == len(self.words):
            return {}
        inside = sum(words.get(word, 0.0) for word in self.words[start])
        return {start + 1: inside} if inside else {}

    def options(self, symbol: str) -> list[Rule]:
        """List the rules of a symbol; a role has one, its token."""
        if symbol in self.cast:
            return [Rule(1.0, (self.cast[symbol],))]
        return self.rules[symbol]

    def follow(self, rule: Rule, start: int) -> dict[int, float]:
        """Walk through a right-hand side: where can it end, and how probably?"""
        reached = {start: rule.probability}
        for item in rule.body:
            onward: dict[int, float] = {}
            for at, so_far in reached.items():
                if isinstance(item, str):
                    steps = self.ends(item, at)
                elif at < len(self.words) and item.word in self.words[at]:
                    steps = {at + 1: 1.0}
                else:
                    continue
                for end, inside in steps.items():
                    onward[end] = onward.get(end, 0.0) + so_far * inside
            reached = onward
            if not reached:
                break
        return reached


def moments(grammar: Grammar) -> dict[str, tuple[float, float]]:
    """Map each symbol to its expected length (tokens) and its entropy (nats).

    H(A) = sum over rules of p (-log p + the entropies of the symbols on the right),
    because what a symbol becomes is drawn independently of what stands around it.
    """
    known: dict[str, tuple[float, float]] = {}

    def visit(symbol: str) -> tuple[float, float]:
        if symbol not in known:
            length = entropy = 0.0
            for p, body in grammar.rules.get(symbol, [Rule(1.0, (CAST,))]):
                parts = [(1.0, 0.0) if isinstance(x, Token) else visit(x) for x in body]
                length += p * sum(part[0] for part in parts)
                entropy += p * (sum(part[1] for part in parts) - math.log(p))
            known[symbol] = length, entropy
        return known[symbol]

    for symbol in grammar.rules:
        visit(symbol)
    return known


CAST = Token("", "", "")  # stands for a role: one token, and no choice left
