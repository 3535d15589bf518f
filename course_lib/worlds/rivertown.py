"""Rivertown: a small generated town whose language is known exactly.

A document has a topic, people and things that stay the same in it, and a plan: an
opening, a meeting, a number of sentences of its topic (now and then one that could
stand anywhere), a closing. Everything is drawn from a probabilistic grammar without
recursion in which no text has two derivations, so the log-probability of any text and
the entropy of the language are exact: on fresh text, no model's perplexity per token
can stay below `math.exp(Rivertown(language).entropy_per_token())`.
"""

from __future__ import annotations

import functools
import itertools
import math
from bisect import bisect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.text.vocabulary import listed
from course_lib.worlds.chart import Chart, moments
from course_lib.worlds.grammar import Token, read_grammar
from course_lib.worlds.splits import SPLITS
from course_lib.worlds.tilt import tilt

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


class LabelledText(NamedTuple):
    """An example of a task: its label, its tokens, log-probability of all choices."""

    label: str
    tokens: list[Token]
    log_probability: float


class Choice(NamedTuple):
    """Outcomes ready to be drawn: running sum and logarithms of their probabilities."""

    cumulative: list[float]
    logs: list[float]
    outcomes: list


class Rivertown:
    """One language of Rivertown: draw documents, and know their probability.

    split: "train", "dev" or "test" leaves only the names and the patterns of sentences
        that belong to it; None is the whole language
    senses: how often a word's senses come, {"bank": {"river": 9, "finance": 1}}
    """

    def __init__(
        self,
        language: str,
        folder: Path | str | None = None,
        *,
        split: str | None = None,
        senses: dict[str, dict[str, float]] | None = None,
    ):
        """Read `data/rivertown/<language>`, or the grammar in another folder."""
        if folder is None and language not in ("en", "zh"):
            raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
        if split not in (None, *SPLITS):
            raise ValueError(f"split is {split!r}; there are {', '.join(SPLITS)}")
        self.language = language
        self.grammar = read_grammar(folder or FOLDER / language, split)
        for word, shares in (senses or {}).items():
            tilt(self.grammar, word, shares)
        self._rules = {
            symbol: choice_of((rule.probability, rule.body) for rule in rules)
            for symbol, rules in self.grammar.rules.items()
        }
        self._topics = choice_of((p, name) for name, p in self.grammar.topics.items())
        self._lengths = choice_of(
            (p, length) for length, p in self.grammar.lengths.items()
        )
        self._casts = {role: choice_of(of) for role, of in self.grammar.cast.items()}

    # -- drawing ----------------------------------------------------------------------

    def documents(self, tokens: int = 200_000, seed: int = 0) -> Iterator[Document]:
        """Yield whole documents until they hold at least `tokens` tokens."""
        draw = uniforms(seed)
        rules = dict(self._rules)  # ours: each document adds what is cast in it
        while tokens > 0:
            topic, log_topic = pick(self._topics, draw)
            length, log_length = pick(self._lengths, draw)
            total = log_topic + log_length
            for role in self.grammar.roles(topic):
                forms, log = pick(self._casts[role], draw)
                total += log
                rules |= {slot: choice_of([(1.0, (forms[slot],))]) for slot in forms}
            sentences = []
            for part in self.grammar.parts(length):
                sentence = self._sentence(topic, part, rules, draw)
                sentences.append(sentence)
                total += sentence.log_probability
                tokens -= len(sentence.tokens)
            yield Document(topic, sentences, total)

    def _sentence(self, topic: str, part: str, rules, draw) -> Sentence:
        """Draw who speaks (the topic, or a file for all topics), then the words."""
        starts = self.grammar.starts(topic, part)
        symbol, log = starts[0][1], 0.0
        if len(starts) > 1:
            symbol, log = pick(choice_of(starts), draw)
        tokens: list[Token] = []
        log += expand(symbol, rules, draw, tokens)
        return Sentence(self._spell(tokens), log)

    def examples(self, task: str, n: int, seed: int = 0) -> Iterator[LabelledText]:
        """Yield n examples of a task that has a grammar; labels come alike often."""
        draw = uniforms(seed)
        tasks = self.grammar.tasks
        if task not in tasks:
            raise ValueError(f"no task {task!r} here; there are {', '.join(tasks)}")
        starts = tasks[task]
        labels = choice_of((1 / len(starts), label) for label in starts)
        for _ in range(n):
            label, total = pick(labels, draw)
            rules = dict(self._rules)
            scope = starts[label].split(".")[0]
            for role in self.grammar.roles(scope):
                forms, log = pick(self._casts[role], draw)
                total += log
                rules |= {slot: choice_of([(1.0, (forms[slot],))]) for slot in forms}
            tokens: list[Token] = []
            total += expand(starts[label], rules, draw, tokens)
            spelt = map(self._spell, split_after(tokens, {*".?!。？！", "|||"}))
            yield LabelledText(label, [*itertools.chain(*spelt)], total)

    # -- spelling: a capital letter first, a/an by sound; both can be undone ----------

    def _spell(self, tokens: list[Token]) -> list[Token]:
        """Write a sentence as people do."""
        if self.language != "en":
            return tokens
        for i in range(len(tokens) - 1):
            if tokens[i].word == "a" and self._vowel_sound(tokens[i + 1].word):
                tokens[i] = tokens[i]._replace(word="an")
        at = first_word([token.word for token in tokens])
        word = tokens[at].word
        tokens[at] = tokens[at]._replace(word=word[0].upper() + word[1:])
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
        at = first_word(words)
        first = words[at]
        lower = first[0].lower() + first[1:]
        readings[at] = tuple({first, lower}) if not first[0].islower() else ()
        for i, reading in enumerate(readings[:-1]):
            article = "an" if self._vowel_sound(words[i + 1]) else "a"
            kept = [word for word in reading if word not in ("a", "an")]
            readings[i] = (*kept, "a") if article in reading else tuple(kept)
        return readings

    def vocabulary(self) -> set[str]:
        """Return every word that a text may contain, in every way it may be spelt."""
        rules = self.grammar.rules.values()
        tokens = {x for of in rules for _, body in of for x in body if type(x) is Token}
        for members in self.grammar.cast.values():
            tokens |= {token for member in members for token in member.forms.values()}
        words = {token.word for token in tokens}
        if self.language == "en":
            words |= {"an", "An"} | {word[0].upper() + word[1:] for word in words}
        return words

    # -- knowing ----------------------------------------------------------------------

    def log_probability(self, document: Document | list[list[str]]) -> float:
        """Return the exact log-probability (nats) of a document's text.

        Sums over every topic, cast and derivation that could have produced the text;
        `-inf` if none could. Takes a Document or lists of words.
        """
        if isinstance(document, Document):
            document = [sentence.words for sentence in document.sentences]
        if len(document) not in self.grammar.lengths or not all(document):
            return -math.inf
        length = self.grammar.lengths[len(document)]
        texts = [self._unspell(listed(words)) for words in document]
        total = -math.inf
        for topic, share in self.grammar.topics.items():
            for forms, casting in self._possible_casts(topic, texts):
                terms = [share, length, casting]
                parts = zip(self.grammar.parts(len(document)), texts, strict=True)
                for part, text in parts:
                    chart = Chart(self.grammar, forms, text)
                    starts = self.grammar.starts(topic, part)
                    terms.append(sum(p * chart.probability(s) for p, s in starts))
                    if not terms[-1]:
                        break
                if all(terms):
                    total = np.logaddexp(total, sum(map(math.log, terms)))
        return float(total)

    def _possible_casts(self, topic: str, texts: list):
        """Yield the casts whose names stand where the plan introduces them."""
        candidates = []
        for role in self.grammar.roles(topic):
            introduction = texts[self.grammar.introduced[role]]
            present = {word for reading in introduction for word in reading}
            candidates.append(
                [
                    member
                    for member in self.grammar.cast[role]
                    if any(
                        token.word in present
                        for slot, token in member.forms.items()
                        if token.pos != "PRON"
                    )
                ]
            )
        for cast in itertools.product(*candidates):
            forms = {slot: token for m in cast for slot, token in m.forms.items()}
            yield forms, math.prod(member.probability for member in cast)

    def entropy_per_token(self) -> float:
        """Return the exact entropy of the language in nats per token.

        The entropy of a document divided by its expected length: what a long text costs
        per token, ends of sentences and documents included.
        """
        known = moments(self.grammar)
        entropy = entropy_of(self._topics) + entropy_of(self._lengths)
        expected_tokens = 0.0
        for topic, share in self.grammar.topics.items():
            cast = (self._casts[role] for role in self.grammar.roles(topic))
            entropy += share * sum(map(entropy_of, cast))
            for part, count in self.grammar.expected_parts().items():
                starts = self.grammar.starts(topic, part)
                tokens = sum(p * known[symbol][0] for p, symbol in starts)
                nats = sum(p * known[symbol][1] for p, symbol in starts)
                expected_tokens += share * count * tokens
                entropy += share * count * (nats + entropy_of(choice_of(starts)))
        return entropy / expected_tokens


def split_after(tokens: list[Token], marks: set[str]) -> Iterator[list[Token]]:
    """Cut a text into sentences, each with its final mark."""
    sentence: list[Token] = []
    for token in tokens:
        sentence.append(token)
        if token.word in marks:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def first_word(words: list[str]) -> int:
    """Say where a sentence's first word is: speech begins after its quotation mark."""
    return 1 if words[0] == '"' and len(words) > 1 else 0


# -- the fast part: for single draws, plain lists and bisection beat NumPy -------------


def choice_of(weighted) -> Choice:
    """Prepare (probability, outcome) pairs for drawing."""
    pairs = [(p, outcome) for p, outcome in weighted]
    cumulative = list(itertools.accumulate(p for p, _ in pairs))
    cumulative[-1] = 1.0  # against rounding: a draw is always below one
    return Choice(cumulative, [math.log(p) for p, _ in pairs], [o for _, o in pairs])


def entropy_of(choice: Choice) -> float:
    """Return the entropy of one draw, in nats."""
    return -sum(math.exp(log) * log for log in choice.logs)


def uniforms(seed: int, block: int = 1 << 16) -> Callable[[], float]:
    """Return a function that gives uniform numbers, drawn from NumPy in blocks."""
    generator = np.random.default_rng(seed)
    blocks = (generator.random(block).tolist() for _ in itertools.count())
    return itertools.chain.from_iterable(blocks).__next__


def pick(choice: Choice, draw) -> tuple:
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


@functools.cache
def world(language: str, split: str | None = None) -> Rivertown:
    """Read a language once."""
    return Rivertown(language, split=split)


def text(language: str, tokens: int = 200_000, seed: int = 0, senses=None):
    """Yield documents as lists of sentences of words: about `tokens` tokens."""
    town = Rivertown(language, senses=senses) if senses else world(language)
    for document in town.documents(tokens, seed):
        yield [sentence.words for sentence in document.sentences]
