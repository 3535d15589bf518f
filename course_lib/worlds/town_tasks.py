"""Rivertown's task sets: examples whose labels are certain, because they were drawn.

No name and no pattern of a sentence stands in two splits (see splits.py), so a model
must have understood something to be right at test time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from course_lib.text.examples import Example, Pair, SenseSentence, Tagged, Translation
from course_lib.worlds.chunks import chunk_tags, entity_tags
from course_lib.worlds.notation import Token
from course_lib.worlds.rivertown import LabelledText, world
from course_lib.worlds.splits import SPLITS
from course_lib.worlds.synchronous import pair_grammar

SIZES = {"train": 4000, "dev": 500, "test": 1000}  # examples
SPACE = {"en": " ", "zh": ""}


def seed_of(split: str) -> int:
    """Return the seed that a split's examples are drawn with."""
    return 1 + SPLITS.index(split)


def sentences(language: str, split: str) -> Iterator[list[Token]]:
    """Yield the sentences of a split's documents, as many as it has examples."""
    documents = world(language, split).documents(tokens=10**9, seed=seed_of(split))
    every = (s.tokens for document in documents for s in document.sentences)
    yield from itertools.islice(every, SIZES[split])


def drawn(language: str, task: str, split: str) -> Iterator[LabelledText]:
    """Yield the examples of a task that has a grammar of its own."""
    town = world(language, split)
    return town.examples(task, SIZES[split], seed=seed_of(split))


def written(tokens: list[Token], language: str) -> str:
    """Write tokens as a text."""
    return SPACE[language].join(token.word for token in tokens)


def tagged(language: str, split: str, tags: Callable) -> Iterator[Tagged]:
    """Yield sentences with the tags that a function gives to their tokens."""
    for tokens in sentences(language, split):
        yield Tagged([token.word for token in tokens], tags(tokens))


def pos(language: str, split: str) -> Iterator[Tagged]:
    """Yield sentences with the universal part of speech of each token."""
    return tagged(language, split, lambda tokens: [token.pos for token in tokens])


def chunks(language: str, split: str) -> Iterator[Tagged]:
    """Yield sentences cut into chunks, B-NP, I-NP, B-VP …"""
    return tagged(language, split, lambda tokens: chunk_tags(tokens, language))


def entities(language: str, split: str) -> Iterator[Tagged]:
    """Yield sentences with the names of people, places and organisations."""
    return tagged(language, split, entity_tags)


def topics(language: str, split: str) -> Iterator[Example]:
    """Yield sentences, each with the topic of the document in which it stood."""
    documents = world(language, split).documents(10**9, seed_of(split))
    labelled = (
        Example(written(sentence.tokens, language), document.topic)
        for document in documents
        for sentence in document.sentences
    )
    return itertools.islice(labelled, SIZES[split])


def sentiment(language: str, split: str) -> Iterator[Example]:
    """Yield reviews; the label says whether the reviewer recommends the thing."""
    for example in drawn(language, "sentiment", split):
        yield Example(written(example.tokens, language), example.label)


def questions(language: str, split: str) -> Iterator[Pair]:
    """Yield a question, a sentence, and whether the sentence answers it."""
    for example in drawn(language, "questions", split):
        at = [token.word for token in example.tokens].index("|||")
        parts = example.tokens[:at], example.tokens[at + 1 :]
        yield Pair(*(written(part, language) for part in parts), example.label)


def senses(language: str, split: str) -> Iterator[SenseSentence]:
    """Yield sentences with a polysemous word, its sense, and the side of its cue."""
    for example in drawn(language, "senses", split):
        tokens = example.tokens
        [target] = [i for i, token in enumerate(tokens) if token.sense]
        left = any(token.cue for token in tokens[:target])
        right = any(token.cue for token in tokens[target:])
        cue = "both" if left and right else "left" if left else "right"
        word, words = tokens[target], [token.word for token in tokens]
        yield SenseSentence(word.lemma, word.sense, word.pos, words, target, cue)


def translation(language: str, split: str) -> Iterator[Translation]:
    """Yield sentences with their translation, from `language` to the other one."""
    for pair in pair_grammar(split).pairs(SIZES[split], seed_of(split)):
        both = (pair.en, pair.zh) if language == "en" else (pair.zh, pair.en)
        yield Translation(*both)
