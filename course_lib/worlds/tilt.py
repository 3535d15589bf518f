"""Make a sense of a word rarer or more frequent, and leave the rest as it is.

If every use of a sense multiplies the weight of a sentence by a factor, the senses'
shares shift while, among the sentences that use one sense, none becomes likelier than
another: exponential tilting. In a grammar without recursion it is exact. Words that are
cast for a whole document are counted, but keep their chances: one choice there stands
in many sentences.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter

from course_lib.worlds.grammar import Grammar, Rule, Token, index_words

STEPS = 500


def tilt(grammar: Grammar, word: str, shares: dict[str, float]) -> None:
    """Change a grammar so that a word's senses come in the given proportions.

    Raises ValueError if `shares` does not give each sense of the word a positive share,
    or if no factor leads there: an Opening that must name a bank names it always.
    """
    symbols = symbols_with(grammar, word)
    had = sense_shares(grammar, word, symbols)
    if shares.keys() != had.keys() or min(shares.values(), default=0) <= 0:
        known = ", ".join(sorted(had)) or "no senses here"
        raise ValueError(f"{word!r} has {known}; give each a share above 0: {shares}")
    total = sum(shares.values())
    for _ in range(STEPS):
        had = sense_shares(grammar, word, symbols)
        factors = {sense: shares[sense] / total / had[sense] for sense in shares}
        if max(abs(math.log(factor)) for factor in factors.values()) < 1e-9:
            index_words(grammar)
            return
        reweigh(grammar, word, factors, symbols)
    raise ValueError(
        f"the senses of {word!r} cannot come as {shares}: some sentences need them; "
        f"after {STEPS} steps they come as {had}"
    )


def symbols_with(grammar: Grammar, word: str) -> list[str]:
    """List the symbols that may become a text with the word, from the top down.

    Each stands before those in its productions. What leads to such a symbol is one too,
    so nothing else need be looked at again.
    """
    may = dict.fromkeys(cast_senses(grammar, word), True)
    slots = set(may)

    def visit(symbol: str) -> bool:
        if symbol not in may:
            bodies = [rule.body for rule in grammar.rules.get(symbol, [])]
            items = [item for body in bodies for item in body]
            inside = [visit(item) for item in items if isinstance(item, str)]
            here = any(isinstance(x, Token) and x.lemma == word for x in items)
            may[symbol] = here or any(inside)
        return may[symbol]

    for symbol in grammar.rules:
        visit(symbol)
    found = [symbol for symbol in may if may[symbol] and symbol not in slots]
    return found[::-1]


def cast_senses(grammar: Grammar, word: str) -> dict[str, dict[str, float]]:
    """Return, by the name of a part that a word may be cast in, its senses' chances."""
    found: dict[str, dict[str, float]] = {}
    for member in itertools.chain(*grammar.cast.values()):
        for slot, token in member.forms.items():
            if token.lemma == word and token.sense:
                chances = found.setdefault(slot, {})
                before = chances.get(token.sense, 0.0)
                chances[token.sense] = before + member.probability
    return found


def sense_shares(
    grammar: Grammar, word: str, symbols: list[str] | None = None
) -> dict[str, float]:
    """Return how often each sense of a word comes, as shares that sum to one. Exact.

    symbols: what `symbols_with` lists, if it is known already
    """
    uses = dict.fromkeys(symbols or symbols_with(grammar, word), 0.0)
    for topic, share in grammar.topics.items():
        for part, count in grammar.expected_parts().items():
            for p, symbol in grammar.starts(topic, part):
                if symbol in uses:
                    uses[symbol] += share * count * p
    counts: Counter[str] = Counter()
    slots = cast_senses(grammar, word)
    for symbol in uses:
        for p, body in grammar.rules[symbol]:
            for item in body:
                if item in uses:
                    uses[item] += uses[symbol] * p
                elif isinstance(item, Token) and item.sense and item.lemma == word:
                    counts[item.sense] += uses[symbol] * p
                for sense, q in slots.get(item, {}).items():
                    counts[sense] += uses[symbol] * p * q
    total = sum(counts.values())
    return {sense: count / total for sense, count in counts.items()}


def reweigh(
    grammar: Grammar, word: str, factors: dict[str, float], symbols: list[str]
) -> None:
    """Multiply a derivation's weight by a factor for each use of a sense of a word.

    z[A], the sum of the weights of all that A can become, is found from the bottom up;
    a rule A -> B c then has the probability p z[B] factor(c) / z[A].
    """
    z: dict[str, float] = {}

    def weight(item: Token | str) -> float:
        if isinstance(item, str):
            return z.get(item, 1.0)
        return factors.get(item.sense, 1.0) if item.lemma == word else 1.0

    for symbol in reversed(symbols):
        rules = [
            Rule(p * math.prod(map(weight, body)), body)
            for p, body in grammar.rules[symbol]
        ]
        z[symbol] = sum(p for p, _ in rules)
        grammar.rules[symbol] = [Rule(p / z[symbol], body) for p, body in rules]
