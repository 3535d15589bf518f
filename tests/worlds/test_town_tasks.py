"""Rivertown's task sets: sound labels, and nothing that leaks from train to test."""

from __future__ import annotations

import collections
import itertools
import re

import pytest

from course_lib import data
from course_lib.worlds import town_tasks
from course_lib.worlds.notation import Production
from course_lib.worlds.rivertown import world
from course_lib.worlds.splits import SPLITS, TURNS, deal, pool

LANGUAGES = ("en", "zh")
TASKS = ("pos", "chunks", "entities", "senses", "topics", "sentiment", "questions")
ALL = [f"rivertown-{language}-{task}" for language in LANGUAGES for task in TASKS]


@pytest.fixture(scope="module", params=LANGUAGES)
def worlds(request):
    """Read a language whole (None) and by splits."""
    return {split: world(request.param, split) for split in (None, *SPLITS)}


def names(grammar) -> dict[str, set[str]]:
    """List the names that each symbol or role may stand for."""
    found = {
        symbol: {rule.body[0].word for rule in grammar.rules[symbol]}
        for symbol in grammar.words
        if any(rule.body[0].entity for rule in grammar.rules[symbol])
    }
    for role, members in grammar.cast.items():
        tokens = [member.forms[role] for member in members]
        if tokens[0].entity:
            found[role] = {token.word for token in tokens}
    return {symbol: words for symbol, words in found.items() if "[" not in symbol}


def patterns(town) -> dict[str, set]:
    """List the bodies of the symbols whose productions are dealt out."""
    marked = re.compile(r"\.(Opening|Meeting|S|Remark|Closing)$")
    topics = town.grammar.topics
    return {
        symbol: {rule.body for rule in rules}
        for symbol, rules in town.grammar.rules.items()
        if marked.search(symbol) and symbol.split(".")[0] in topics
    }


def test_no_name_stands_in_two_splits(worlds):
    whole = names(worlds[None].grammar)
    parts = {split: names(worlds[split].grammar) for split in SPLITS}
    assert sum(map(len, whole.values())) > 1000
    for symbol, words in whole.items():
        theirs = [{w for w in words if pool(w) == split} for split in SPLITS]
        assert set.union(*theirs) == words
        for split, own in zip(SPLITS, theirs, strict=True):
            if symbol in parts[split]:
                assert parts[split][symbol] == own
    everywhere = [set().union(*parts[split].values()) for split in SPLITS]
    for one, other in itertools.combinations(everywhere, 2):
        assert not one & other


def test_no_pattern_of_a_sentence_stands_in_two_splits(worlds):
    whole = patterns(worlds[None])
    parts = [patterns(worlds[split]) for split in SPLITS]
    assert sum(map(len, whole.values())) > 800
    for symbol, bodies in whole.items():
        theirs = [part[symbol] for part in parts]
        assert all(theirs)
        assert set.union(*theirs) == bodies
        assert sum(map(len, theirs)) == len(bodies)


def test_productions_are_dealt_within_their_senses():
    texts = ["the bank#river a", "the bank#river b", "c", "d", "the bank#money e"]
    lines = [Production(f"line {i}", 1.0, text) for i, text in enumerate(texts)]
    kept = {split: [line.text[-1] for line in deal(lines, split)] for split in SPLITS}
    assert kept == {"train": ["a", "c", "e"], "dev": [], "test": ["b", "d"]}
    many = [Production(f"line {i}", 1.0, f"word{i}") for i in range(50)]
    sizes = {split: len(deal(many, split)) for split in SPLITS}
    assert sizes == {split: 10 * TURNS.count(split) for split in SPLITS}


@pytest.mark.parametrize("name", ALL)
def test_a_task_set_is_the_same_every_time_and_no_example_recurs(name):
    task = data.load(name)
    assert task.splits == SPLITS
    sets = {split: task.split(split) for split in SPLITS}
    assert {split: len(sets[split]) for split in SPLITS} == town_tasks.SIZES
    assert sets["test"] == task.split("test")
    texts = {split: {str(example) for example in sets[split]} for split in SPLITS}
    shared = len(texts["train"] & texts["test"])
    assert shared <= 0.01 * len(texts["test"])  # "花 谢 了 。" may be said again


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_labels_come_alike_and_never_with_the_same_text(language):
    for task, labels in (("sentiment", {"pos", "neg"}), ("questions", {"yes", "no"})):
        examples = data.load(f"rivertown-{language}-{task}").split("train")
        counts = collections.Counter(example.label for example in examples)
        assert counts.keys() == labels
        assert min(counts.values()) > 0.45 * len(examples)
        by_label = collections.defaultdict(set)
        for example in examples:
            by_label[example.label].add(tuple(example[:-1]))
        assert not set.intersection(*by_label.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sense_is_in_every_split_with_cues_at_all_distances(language):
    task, town = data.load(f"rivertown-{language}-senses"), world(language)
    ours = {(s.word, s.sense) for s in data.senses(language)}
    for split in SPLITS:
        examples = task.split(split)
        counts = collections.Counter((x.word, x.sense) for x in examples)
        assert ours - counts.keys() == set()
        assert {x.cue for x in examples} == {"left", "right", "both"}
        for x in examples:
            assert x.tokens[x.target_index].lower().startswith(x.word[:2])
    distances = collections.Counter()
    for example in town.examples("senses", 4000, seed=9):
        [at] = [i for i, token in enumerate(example.tokens) if token.sense]
        cues = [i - at for i, token in enumerate(example.tokens) if token.cue]
        distances[min(cues, key=abs)] += 1
    assert {*range(-15, 0), *range(1, 16)} <= distances.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_topic_has_its_sentences(language):
    labels = {x.label for x in data.load(f"rivertown-{language}-topics").split("test")}
    assert len(labels) == 12
    assert labels == set(world(language).grammar.topics)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_marked_and_chunks_cover_them(language):
    chunked = data.load(f"rivertown-{language}-chunks").split("dev")
    named = data.load(f"rivertown-{language}-entities").split("dev")
    tags = {tag for x in named for tag in x.tags}
    assert tags >= {"O", "B-PER", "B-LOC", "B-ORG", "I-ORG"}
    assert ("I-PER" in tags) == (language == "en")  # a Chinese name is one word
    inside = [
        chunk
        for x, y in zip(chunked, named, strict=True)
        for chunk, name in zip(x.tags, y.tags, strict=True)
        if name.endswith("PER")
    ]
    noun_phrases = sum(tag.endswith("NP") for tag in inside)
    assert noun_phrases == len(inside) > 200
