"""Senses as frequent as one likes: exact, and nothing else changes."""

from __future__ import annotations

import collections
import itertools
import math

import pytest

from course_lib.worlds.rivertown import Rivertown
from course_lib.worlds.tilt import sense_shares

# In the wood one may sit on a bank; in the town there are both kinds.
FILES = {
    "lexicon.tsv": """category\tpos\twords
-\tDET\ta the
-\tPUNCT\t.
-\tVERB\tsee/saw/seen sleep/slept/slept
-\tNOUN\towl bank#river bank#money
girl\tPROPN\tAnn Eve
""",
    "common.grammar": """cast hero girl
plan Opening Sentence
sentences 2:1 3:1
everywhere general:0.2
Sentence
  {S} .
Place:b
  the bank#:b
feature b river:1 money:3
""",
    "wood.grammar": """topic wood 1
Opening
  {hero} slept .
S
  {hero} saw the bank#river
  2: {hero} slept
""",
    "general.grammar": """S
  the owl saw the bank#river
""",
    "town.grammar": """topic town 2
Opening
  {hero} saw the bank#money .
S
  {hero} saw the {Bank}
  {hero} slept
Bank
  bank#money
  owl
  2: bank#river . the bank#money
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("banks")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    """A place drawn once for a document, sometimes a bank, named again and again."""
    new = tmp_path_factory.mktemp("harbour")
    spots = "spot\tNOUN\tquay cliff bank#river\n"
    town = FILES["town.grammar"].replace(
        "saw the bank#money .", "saw the {place} and the bank#money ."
    )
    town = town.replace("town 2\n", "town 2\ncast place spot\n")
    changed = FILES | {
        "lexicon.tsv": FILES["lexicon.tsv"] + spots + "-\tCCONJ\tand\n",
        "town.grammar": town + "  owl saw the {place}\n",
    }
    for name, text in changed.items():
        (new / name).write_text(text)
    return new


def sentences(world, symbol, forms):
    """List what a symbol can become: words with senses, and the probability."""
    if not isinstance(symbol, str):
        return [(((symbol.word, symbol.sense),), 1.0)]
    if symbol in forms:
        return [(((forms[symbol].word, forms[symbol].sense or None),), 1.0)]
    found = []
    for p, body in world.grammar.rules[symbol]:
        parts = [sentences(world, item, forms) for item in body]
        for choice in itertools.product(*parts):
            words = tuple(itertools.chain(*(words for words, _ in choice)))
            found.append((words, p * math.prod(q for _, q in choice)))
    return found


def counted(world) -> collections.Counter:
    """Count the senses of "bank" by going through every derivation."""
    senses = collections.Counter()
    for cast in itertools.product(*world.grammar.cast.values()):
        forms = {slot: token for member in cast for slot, token in member.forms.items()}
        chance = math.prod(member.probability for member in cast)
        for topic, share in world.grammar.topics.items():
            for part, times in (("Opening", 1.0), ("Sentence", 1.5)):
                for p, symbol in world.grammar.starts(topic, part):
                    for words, q in sentences(world, symbol, forms):
                        for _, sense in words:
                            senses[sense] += chance * share * times * p * q
    del senses[None]
    return senses


@pytest.mark.parametrize("where", ["folder", "harbour"])
def test_sense_shares_are_those_of_all_derivations(where, request):
    world = Rivertown("en", request.getfixturevalue(where))
    senses = counted(world)
    for sense, share in sense_shares(world.grammar, "bank").items():
        assert share == pytest.approx(senses[sense] / senses.total())


def test_shares_come_as_asked_although_a_cast_keeps_its_chances(harbour):
    world = Rivertown("en", harbour, senses={"bank": {"river": 0.4, "money": 0.6}})
    senses = counted(world)
    assert senses["river"] / senses.total() == pytest.approx(0.4)
    assert world.grammar.cast == Rivertown("en", harbour).grammar.cast


@pytest.mark.parametrize("river", [0.25, 0.3, 0.45])
def test_the_senses_come_as_often_as_asked(folder, river):
    world = Rivertown(
        "en", folder, senses={"bank": {"river": river, "money": 1 - river}}
    )
    senses = counted(world)
    assert senses["river"] / senses.total() == pytest.approx(river)


def test_among_sentences_with_the_same_senses_none_becomes_likelier(folder):
    forms = Rivertown("en", folder).grammar.cast["hero"][0].forms
    plain, tilted = (
        dict(sentences(world, "town.Sentence", forms))
        for world in (
            Rivertown("en", folder),
            Rivertown("en", folder, senses={"bank": {"river": 0.4, "money": 0.6}}),
        )
    )
    ratios = collections.defaultdict(set)
    for words, p in plain.items():
        senses = tuple(sense for _, sense in words if sense)
        ratios[senses].add(round(tilted[words] / p, 9))
    assert all(len(found) == 1 for found in ratios.values())
    assert len(set.union(*ratios.values())) > 1
    assert sum(tilted.values()) == pytest.approx(1.0)


def test_a_tilted_world_knows_its_probabilities(folder):
    world = Rivertown("en", folder, senses={"bank": {"river": 2, "money": 3}})
    for document in itertools.islice(world.documents(seed=1), 50):
        exact = world.log_probability(document)
        assert exact == pytest.approx(document.log_probability)


def test_wrong_senses_are_named(folder):
    for shares in ({"river": 1}, {"river": 1, "money": 1, "data": 1}, {}):
        with pytest.raises(ValueError, match="'bank' has money, river; give each"):
            Rivertown("en", folder, senses={"bank": shares})
    with pytest.raises(ValueError, match="cannot come as"):  # Openings need money
        Rivertown("en", folder, senses={"bank": {"river": 9, "money": 1}})
    with pytest.raises(ValueError, match="'owl' has no senses here"):
        Rivertown("en", folder, senses={"owl": {"bird": 1}})
