"""Make a sense of a word rarer or more frequent, and leave the rest as it is.

If every use of a sense multiplies the weight of a sentence by a factor, the senses'
shares shift while, among the sentences that use one sense, none becomes likelier than
another: exponential tilting. In a grammar without recursion it is exact.
"""

from __future__ import annotations

import math

from course_lib.data.grammar import Grammar, Rule, Token, index_words

STEPS = 500


def tilt(grammar: Grammar, word: str, shares: dict[str, float]) -> None:
    """Change a grammar so that a word's senses come in the given proportions.

    Raises ValueError if `shares` does not give each sense of the word a positive share,
    or if no factor leads there: an Opening that must name a bank names it always.
    """
    had = sense_shares(grammar, word)
    if shares.keys() != had.keys() or min(shares.values(), default=0) <= 0:
        known = ", ".join(sorted(had)) or "no senses here"
        raise ValueError(f"{word!r} has {known}; give each a share above 0: {shares}")
    total = sum(shares.values())
    for _ in range(STEPS):
        had = sense_shares(grammar, word)
        factors = {sense: shares[sense] / total / had[sense] for sense in shares}
        if max(abs(math.log(factor)) for factor in factors.values()) < 1e-9:
            index_words(grammar)
            return
        reweigh(grammar, word, factors)
    raise ValueError(
        f"the senses of {word!r} cannot come as {shares}: some sentences need them; "
        f"after {STEPS} steps they come as {had}"
    )


def sense_shares(grammar: Grammar, word: str) -> dict[str, float]:
    """Return how often each sense of a word comes, as shares that sum to one. Exact."""
    counts: dict[str, float] = {}
    for symbol, times in expected_uses(grammar).items():
        for p, body in grammar.rules[symbol]:
            for token in body:
                if isinstance(token, Token) and token.sense and token.lemma == word:
                    counts[token.sense] = counts.get(token.sense, 0.0) + times * p
    total = sum(counts.values())
    return {sense: count / total for sense, count in counts.items()}


def expected_uses(grammar: Grammar) -> dict[str, float]:
    """Return how often a document uses each symbol on average."""
    uses = dict.fromkeys(from_the_top(grammar), 0.0)
    for topic, share in grammar.topics.items():
        for part, count in grammar.expected_parts().items():
            for p, symbol in grammar.starts(topic, part):
                uses[symbol] += share * count * p
    for symbol in uses:
        for p, body in grammar.rules[symbol]:
            for item in body:
                if item in uses:
                    uses[item] += uses[symbol] * p
    return uses


def from_the_top(grammar: Grammar) -> list[str]:
    """List the symbols, each before those in its productions."""
    done: dict[str, None] = {}

    def visit(symbol: str) -> None:
        if symbol in done or symbol not in grammar.rules:  # a role is no symbol
            return
        for _, body in grammar.rules[symbol]:
            for item in body:
                if isinstance(item, str):
                    visit(item)
        done[symbol] = None

    for symbol in grammar.rules:
        visit(symbol)
    return list(done)[::-1]


def reweigh(grammar: Grammar, word: str, factors: dict[str, float]) -> None:
    """Multiply a derivation's weight by a factor for each use of a sense of a word.

    z[A], the sum of the weights of all that A can become, is found from the bottom up;
    a rule A -> B c then has the probability p z[B] factor(c) / z[A].
    """
    z: dict[str, float] = {}

    def weight(item: Token | str) -> float:
        if isinstance(item, str):
            return z.get(item, 1.0)
        return factors.get(item.sense, 1.0) if item.lemma == word else 1.0

    for symbol in reversed(from_the_top(grammar)):
        rules = [
            Rule(p * math.prod(map(weight, body)), body)
            for p, body in grammar.rules[symbol]
        ]
        z[symbol] = sum(p for p, _ in rules)
        grammar.rules[symbol] = [Rule(p / z[symbol], body) for p, body in rules]
