"""Rivertown: a small generated town whose language is known exactly.

A document has a topic, a protagonist and a number of sentences. Its first sentence
comes from the topic's `Opening`, each later one from the topic's `S` or, now and then,
from that of the topic `general`. Everything is drawn from a probabilistic grammar
without recursion in which no text has two derivations, so the log-probability of any
text and the entropy of the language are exact: on fresh text, no model's perplexity per
token can stay below `math.exp(World(language).entropy_per_token())`.
"""

from __future__ import annotations

import functools
import itertools
import math
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.data.chart import Chart, moments
from course_lib.data.grammar import Token, read_grammar

FOLDER = Path(__file__).resolve().parents[2] / "data" / "rivertown"


class Sentence(NamedTuple):
    """Tokens with gold labels; log-probability (nats) of the choices that made them."""

    tokens: list[Token]
    log_probability: float

    @property
    def words(self) -> list[str]:
        """The sentence as plain strings."""
        return [token.word for token in self.tokens]


class Document(NamedTuple):
    """A topic and its sentences; log-probability (nats) of all choices made."""

    topic: str
    sentences: list[Sentence]
    log_probability: float


class Table(NamedTuple):
    """Outcomes ready to be drawn: running sum and logarithms of their probabilities."""

    cumulative: list[float]
    logs: list[float]
    outcomes: list


class World:
    """One language of Rivertown: draw documents, and know their probability."""

    def __init__(self, language: str, folder: Path | str | None = None):
        """Read `data/rivertown/<language>`, or the grammar in another folder."""
        self.language = language
        self.grammar = read_grammar(folder or FOLDER / language)
        self._rules = {
            symbol: table((rule.probability, rule.body) for rule in rules)
            for symbol, rules in self.grammar.rules.items()
        }
        self._topics = table((p, name) for name, p in self.grammar.topics.items())
        self._lengths = table((p, length) for length, p in self.grammar.lengths.items())
        self._casts = [table(members) for members in self.grammar.cast.values()]

    # -- drawing ----------------------------------------------------------------------

    def documents(self, tokens: int = 200_000, seed: int = 0) -> Iterator[Document]:
        """Yield whole documents until they hold at least `tokens` tokens."""
        draw = uniforms(seed)
        rules = dict(self._rules)  # ours: each document adds the people cast in it
        while tokens > 0:
            topic, log_topic = pick(self._topics, draw)
            length, log_length = pick(self._lengths, draw)
            total = log_topic + log_length
            for members in self._casts:
                forms, log = pick(members, draw)
                total += log
                rules |= {slot: table([(1.0, (forms[slot],))]) for slot in forms}
            sentences = []
            for position in range(length):
                sentence = self._sentence(topic, position == 0, rules, draw)
                sentences.append(sentence)
                total += sentence.log_probability
                tokens -= len(sentence.tokens)
            yield Document(topic, sentences, total)

    def _sentence(self, topic: str, first: bool, rules, draw) -> Sentence:
        """Draw who speaks (the topic, or `general`), then the words."""
        starts = self._starts(topic, first)
        symbol, log = starts[0][1], 0.0
        if len(starts) > 1:
            symbol, log = pick(table(starts), draw)
        tokens: list[Token] = []
        log += expand(symbol, rules, draw, tokens)
        return Sentence(self._spell(tokens), log)

    def _starts(self, topic: str, first: bool) -> list[tuple[float, str]]:
        """List the symbols a sentence may start from, with their probabilities."""
        if first:
            return [(1.0, f"{topic}.Opening")]
        general = self.grammar.general
        if not general:
            return [(1.0, f"{topic}.S")]
        return [(1 - general, f"{topic}.S"), (general, "general.S")]

    # -- spelling: a capital letter first, a/an by sound; both can be undone ----------

    def _spell(self, tokens: list[Token]) -> list[Token]:
        """Write a sentence as people do."""
        if self.language != "en":
            return tokens
        for i in range(len(tokens) - 1):
            if tokens[i].word == "a" and self._vowel_sound(tokens[i + 1].word):
                tokens[i] = tokens[i]._replace(word="an")
        word = tokens[0].word
        tokens[0] = tokens[0]._replace(word=word[0].upper() + word[1:])
        return tokens

    def _vowel_sound(self, word: str) -> bool:
        """Tell whether a word takes `an`: by its first letter, unless it is listed."""
        if word in self.grammar.vowel:
            return True
        return word[0] in "aeiouAEIOU" and word not in self.grammar.consonant

    def _unspell(self, words: list[str]) -> list[tuple[str, ...]]:
        """List, word by word, what the grammar may have produced; () if nothing."""
        readings: list[tuple[str, ...]] = [(word,) for word in words]
        if self.language != "en":
            return readings
        first = words[0]
        lower = first[0].lower() + first[1:]
        readings[0] = tuple({first, lower}) if not first[0].islower() else ()
        for i, reading in enumerate(readings[:-1]):
            article = "an" if self._vowel_sound(words[i + 1]) else "a"
            kept = [word for word in reading if word not in ("a", "an")]
            readings[i] = (*kept, "a") if article in reading else tuple(kept)
        return readings

    # -- knowing ----------------------------------------------------------------------

    def log_probability(self, document: Document | list[list[str]]) -> float:
        """Return the exact log-probability (nats) of a document's text.

        Sums over every topic, cast and derivation that could have produced the text;
        `-inf` if none could. Takes a Document or lists of words.
        """
        if isinstance(document, Document):
            document = [sentence.words for sentence in document.sentences]
        length = self.grammar.lengths.get(len(document), 0.0)
        texts = [self._unspell(words) for words in document]
        total = -math.inf
        for forms, casting in self._possible_casts(texts[0]):
            charts = [Chart(self.grammar, forms, text) for text in texts]
            for topic, share in self.grammar.topics.items():
                terms = [share, length, casting]
                for position, chart in enumerate(charts):
                    starts = self._starts(topic, position == 0)
                    terms.append(sum(p * chart.probability(s) for p, s in starts))
                    if not terms[-1]:
                        break
                if all(terms):
                    total = np.logaddexp(total, sum(map(math.log, terms)))
        return float(total)

    def _possible_casts(self, opening: list[tuple[str, ...]]):
        """Yield the casts whose names stand in the opening: it introduces them all."""
        present = {word for reading in opening for word in reading}
        candidates = [
            [m for m in members if m.forms[role].word in present]
            for role, members in self.grammar.cast.items()
        ]
        for cast in itertools.product(*candidates):
            forms = {slot: token for m in cast for slot, token in m.forms.items()}
            yield forms, math.prod(member.probability for member in cast)

    def entropy_per_token(self) -> float:
        """Return the exact entropy of the language in nats per token.

        The entropy of a document divided by its expected length: what a long text costs
        per token, ends of sentences and documents included.
        """
        known = moments(self.grammar)
        expected_tokens = entropy = 0.0
        mean_length = sum(p * n for n, p in self.grammar.lengths.items())
        choices = [self._topics, self._lengths, *self._casts]
        entropy += sum(entropy_of(choice) for choice in choices)
        for topic, share in self.grammar.topics.items():
            for first, count in ((True, 1.0), (False, mean_length - 1)):
                starts = self._starts(topic, first)
                tokens = sum(p * known[symbol][0] for p, symbol in starts)
                nats = sum(p * known[symbol][1] for p, symbol in starts)
                expected_tokens += share * count * tokens
                entropy += share * count * (nats + entropy_of(table(starts)))
        return entropy / expected_tokens


# -- the fast part: for single draws, plain lists and bisection beat NumPy -------------


def table(weighted) -> Table:
    """Prepare (probability, outcome) pairs for drawing."""
    pairs = [(p, outcome) for p, outcome in weighted]
    cumulative = list(itertools.accumulate(p for p, _ in pairs))
    cumulative[-1] = 1.0  # against rounding: a draw is always below one
    return Table(cumulative, [math.log(p) for p, _ in pairs], [o for _, o in pairs])


def entropy_of(choice: Table) -> float:
    """Return the entropy of one draw, in nats."""
    return -sum(math.exp(log) * log for log in choice.logs)


def uniforms(seed: int, block: int = 1 << 16) -> Callable[[], float]:
    """Return a function that gives uniform numbers, drawn from NumPy in blocks."""
    generator = np.random.default_rng(seed)
    blocks = (generator.random(block).tolist() for _ in itertools.count())
    return itertools.chain.from_iterable(blocks).__next__


def pick(choice: Table, draw) -> tuple:
    """Draw an outcome; return it with the logarithm of its probability."""
    index = bisect(choice.cumulative, draw())
    return choice.outcomes[index], choice.logs[index]


def expand(symbol: str, rules, draw, tokens: list[Token]) -> float:
    """Rewrite a symbol down to words, added to `tokens`; return the log-probability."""
    cumulative, logs, bodies = rules[symbol]
    index = bisect(cumulative, draw()) if len(logs) > 1 else 0
    total = logs[index]
    for item in bodies[index]:
        if item.__class__ is str:
            total += expand(item, rules, draw, tokens)
        else:
            tokens.append(item)
    return total


# -- as a corpus -----------------------------------------------------------------------


@dataclass(frozen=True)
class RivertownCorpus:
    """Rivertown's documents as lists of sentences, each a list of words."""

    name: str
    language: str
    tokens: int
    seed: int

    def documents(self) -> Iterator[list[list[str]]]:
        """Yield the documents, the same ones every time."""
        for document in world(self.language).documents(self.tokens, self.seed):
            yield [sentence.words for sentence in document.sentences]


@functools.cache
def world(language: str) -> World:
    """Read a language once."""
    return World(language)


def corpus(language: str, tokens: int = 200_000, seed: int = 0) -> RivertownCorpus:
    """Return about `tokens` tokens of Rivertown in English ("en") or Chinese ("zh")."""
    return RivertownCorpus(f"rivertown-{language}", language, tokens, seed)
