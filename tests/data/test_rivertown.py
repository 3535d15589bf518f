"""Rivertown: what is said to be exact is compared with counting every possibility."""

from __future__ import annotations

import collections
import itertools
import math

import numpy as np
import pytest

from course_lib.data.grammar import read_grammar
from course_lib.data.inflection import inflect
from course_lib.data.rivertown import FOLDER, Document, World, corpus

LANGUAGES = ("en", "zh")
OPEN = {"ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"}
CLOSED = {"ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ"}
UNIVERSAL = OPEN | CLOSED | {"PUNCT", "SYM", "X"}
SENSES = {
    "en": {
        "bank": {"finance", "river"},
        "play": {"theatre", "game", "music"},
        "apple": {"fruit", "company"},
        "match": {"game", "fire", "correspond"},
        "bat": {"animal", "sport"},
        "spring": {"season", "water", "coil"},
        "light": {"illumination", "weight", "ignite"},
        "star": {"sky", "celebrity"},
        "letter": {"mail", "alphabet"},
        "plant": {"vegetation", "factory"},
    },
    "zh": {
        "苹果": {"fruit", "company"},
        "打": {"call", "play", "hit", "fetch"},
        "包袱": {"bundle", "burden", "punchline"},
        "花": {"flower", "spend"},
        "火": {"fire", "anger", "popular"},
        "出口": {"exit", "export", "utter"},
        "东西": {"thing", "east_west"},
        "意思": {"meaning", "fun", "feeling"},
        "小米": {"grain", "company"},
        "杜鹃": {"bird", "flower"},
        "黄牛": {"cattle", "scalper"},
        "算账": {"accounts", "revenge"},
    },
}

# A world small enough to list. It has every device of the notation, and on purpose two
# ways to say "rose" and a name, Rose, that a capital letter makes look like the flower.
LEXICON = """category\tpos\twords
-\tDET\ta the
-\tPUNCT\t.
-\tVERB\tsee/saw/seen sleep/slept/slept
-\tNOUN\trose owl
girl\tPROPN\tRose Ann
boy\tPROPN\tBob
thing\tNOUN\trose owl*2 hour bank#river bus_stop
plant\tNOUN\trose
stem\tPROPN\tHill Ash
"""
COMMON = """feature n sg:3 pl:1
cast hero girl subj=she
cast hero boy subj=he
sentences 1:1 2:2
general 0.25
vowel hour
Place/PROPN
  3: {stem}+ton
  Oak+{stem}
"""
WOOD = """topic wood 1
Opening
  2: {hero} saw {Thing:n} .
  a {thing} saw {hero} .
S
  {thing} slept .
  {hero:subj} slept .
  {hero} slept .
  {plant} [slept|saw the bank#river] .
Thing:sg
  a {thing:sg}
Thing:pl
  the {thing:pl}
"""
TOWN = """topic town 3
Opening
  {hero} saw {Place} .
S
  {hero} saw {Place} .
  {thing} slept .
"""
GENERAL = """S
  the owl slept .
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> World:
    """Write the small world down as an author would, and read it."""
    folder = tmp_path_factory.mktemp("small")
    texts = {"common": COMMON, "wood": WOOD, "town": TOWN, "general": GENERAL}
    (folder / "lexicon.tsv").write_text(LEXICON)
    for name, text in texts.items():
        (folder / f"{name}.grammar").write_text(text)
    return World("en", folder)


@pytest.fixture(scope="module", params=LANGUAGES)
def world(request) -> World:
    """Read a language of Rivertown."""
    return World(request.param)


@pytest.fixture(scope="module")
def documents(world) -> list[Document]:
    """Draw some 60,000 tokens of it."""
    return list(world.documents(tokens=60_000, seed=5))


def everything(world: World):
    """Yield each document of a small world: its text, and its derivation's probability.

    The obvious way: every topic, length, cast, start symbol and rule in turn.
    """
    grammar = world.grammar

    def derivations(symbol, forms):
        if symbol in forms:
            yield (forms[symbol].word,), 1.0
            return
        for share, body in grammar.rules[symbol]:
            parts = [
                [((x.word,), 1.0)]
                if not isinstance(x, str)
                else [*derivations(x, forms)]
                for x in body
            ]
            for choice in itertools.product(*parts):
                words = tuple(itertools.chain(*(words for words, _ in choice)))
                yield words, share * math.prod(p for _, p in choice)

    def spelt(words):
        words = list(words)
        for i, word in enumerate(words[:-1]):
            if word == "a" and words[i + 1] in ("owl", "hour"):
                words[i] = "an"
        return (words[0].capitalize(), *words[1:])

    choices = (grammar.topics.items(), grammar.lengths.items(), grammar.cast["hero"])
    for (topic, p), (length, q), member in itertools.product(*choices):
        first = [(1.0, f"{topic}.Opening")]
        later = [(0.75, f"{topic}.S"), (0.25, "general.S")]
        sentences = [
            [
                (spelt(words), share * r)
                for share, start in starts
                for words, r in derivations(start, member.forms)
            ]
            for starts in [first, later, later][:length]
        ]
        for choice in itertools.product(*sentences):
            text = tuple(words for words, _ in choice)
            yield text, p * q * member.probability * math.prod(r for _, r in choice)


def repeated_words(grammar) -> list[str]:
    """List words that a symbol made of single words gives twice."""
    found = []
    for rules in grammar.rules.values():
        words = [rule.body[0].word for rule in rules if is_word(rule)]
        found += [word for word, n in collections.Counter(words).items() if n > 1]
    return found


def cap(word: str) -> str:
    return word[:1].upper() + word[1:]


def is_word(rule) -> bool:
    return len(rule.body) == 1 and not isinstance(rule.body[0], str)


def ambiguities(grammar, starts: list[str]) -> list[str]:
    """Find texts with two derivations from the start symbols; none if there are none.

    Two derivations part where a symbol is rewritten by two different rules. From there
    on both are followed side by side, as stacks of what is still to come, through words
    that they share. If one of them ends first, what the other still holds must fit what
    follows in some context; if they come to hold the same, a text has been found.
    Words count as equal whether or not they begin with a capital letter.
    """
    rules = {name: [r.body for r in found] for name, found in grammar.rules.items()}
    rules["?"] = [body for start in starts for body in rules[start]]
    words = {
        name: {cap(rule.body[0].word) for rule in found}
        for name, found in grammar.rules.items()
        if all(map(is_word, found))
    }
    for member in itertools.chain(*grammar.cast.values()):
        for slot, token in member.forms.items():
            words.setdefault(slot, set()).add(cap(token.word))

    def follow(one, other, leftovers):
        """Walk both stacks; note what is left of one; return a text that both give."""
        todo, seen = [(one, other, ())], set()
        while todo:
            a, b, text = todo.pop()
            if (a, b) in seen:
                continue
            seen.add((a, b))
            if a == b:
                return " ".join([*text, *(getattr(x, "word", x) for x in a)])
            if not a or not b:
                leftovers[a or b] = text
                continue
            for stack, rest, order in ((a, b, 1), (b, a, -1)):
                if isinstance(stack[0], str) and stack[0] not in words:
                    for body in rules[stack[0]]:
                        todo.append((*(body + stack[1:], rest)[::order], text))
                    break
            else:
                both = first(a[0]) & first(b[0])
                todo += [(a[1:], b[1:], (*text, min(both)))] if both else []

    def first(item):
        return words[item] if isinstance(item, str) else {cap(item.word)}

    found, parted, todo, seen = [], {}, [("?",)], set()
    while todo:
        stack = todo.pop()
        if not stack or stack in seen:
            continue
        seen.add(stack)
        symbol, rest = stack[0], stack[1:]
        if not isinstance(symbol, str) or symbol in words:
            todo.append(rest)
            continue
        if symbol not in parted:
            parted[symbol] = {}
            for one, other in itertools.combinations(rules[symbol], 2):
                found.append(follow(one, other, parted[symbol]))
        for leftover in parted[symbol]:
            found.append(follow(leftover + rest, rest, {}))
        todo += [body + rest for body in rules[symbol]]
    return [text for text in found if text]


def test_log_probability_is_the_sum_over_all_derivations(small):
    total = collections.Counter()
    for text, probability in everything(small):
        total[text] += probability
    assert sum(total.values()) == pytest.approx(1.0)
    for text, probability in total.items():
        found = small.log_probability([list(words) for words in text])
        assert found == pytest.approx(math.log(probability))


def test_a_text_that_cannot_be_is_impossible(small):
    assert small.log_probability([["Ann", "saw", "an", "owl", "."]]) > -math.inf
    for text in (
        ["Ann", "saw", "a", "owl", "."],  # the article does not fit
        ["ann", "saw", "an", "owl", "."],  # no capital letter
        ["Ann", "saw", "an", "owl"],  # not finished
        ["Mary", "saw", "an", "owl", "."],  # nobody is called so
    ):
        assert small.log_probability([text]) == -math.inf
    assert small.log_probability([["Ann", "saw", "Hillton", "."]] * 3) == -math.inf


def test_a_document_has_one_hero(small):
    same = [["Ann", "saw", "an", "owl", "."], ["Ann", "slept", "."]]
    other = [["Ann", "saw", "an", "owl", "."], ["Bob", "slept", "."]]
    pronoun = [["Ann", "saw", "an", "owl", "."], ["He", "slept", "."]]
    assert small.log_probability(same) > -math.inf
    assert small.log_probability(other) == -math.inf
    assert small.log_probability(pronoun) == -math.inf


def test_entropy_is_that_of_all_derivations(small):
    entropy = tokens = 0.0
    for text, probability in everything(small):
        entropy -= probability * math.log(probability)
        tokens += probability * sum(len(words) for words in text)
    assert small.entropy_per_token() == pytest.approx(entropy / tokens)


def test_samples_come_as_often_as_their_probability_says(small):
    expected = collections.Counter()
    for text, probability in everything(small):
        expected[text] += probability
    drawn = collections.Counter(
        tuple(tuple(sentence.words) for sentence in document.sentences)
        for document in small.documents(tokens=100_000, seed=3)
    )
    count = sum(drawn.values())
    common = [text for text, p in expected.items() if p * count > 50]
    assert len(common) > 20
    for text in common:
        spread = math.sqrt(expected[text] * count)
        assert abs(drawn[text] - expected[text] * count) < 5 * spread


def test_sampling_records_the_exact_log_probability(world, documents):
    # One is the product of the choices made, the other the sum over all derivations of
    # the text: the same, because the next test proves that there is only one.
    for document in documents[:150]:
        exact = world.log_probability(document)
        assert exact == pytest.approx(document.log_probability)


def test_no_text_has_two_derivations(world):
    # So the entropy of the derivations, which has a closed form, is that of the text.
    grammar = world.grammar
    assert not repeated_words(grammar)
    assert not ambiguities(grammar, [f"{topic}.Opening" for topic in grammar.topics])
    for topic in grammar.topics:
        assert not ambiguities(grammar, [f"{topic}.S", "general.S"])


def test_the_search_for_two_derivations_finds_those_of_the_small_world(small):
    # A rose is a thing and a plant there, and with a capital letter also a girl.
    found = ambiguities(small.grammar, ["wood.S", "general.S"])
    assert found == ["Rose slept ."] * 3
    assert not ambiguities(small.grammar, ["town.S", "general.S"])


def test_the_average_sample_converges_to_the_entropy(world):
    entropy = world.entropy_per_token()
    nats, tokens = [], []
    for document in world.documents(tokens=300_000, seed=11):
        nats.append(-document.log_probability)
        tokens.append(sum(len(s.tokens) for s in document.sentences))
    nats, tokens = np.array(nats), np.array(tokens)
    spread = np.std(nats - entropy * tokens) / np.sqrt(len(nats)) / tokens.mean()
    assert abs(nats.sum() / tokens.sum() - entropy) < 4 * spread
    assert spread < 0.01


def test_a_seed_gives_the_same_text_and_another_seed_another(world):
    first, again = (list(world.documents(5000, seed=2)) for _ in range(2))
    assert first == again
    assert first != list(world.documents(5000, seed=3))
    longer = list(world.documents(8000, seed=2))
    assert longer[: len(first)] == first  # more tokens only adds documents


def test_two_readers_at_once_do_not_mix_their_heroes(world):
    alone = list(world.documents(3000, seed=1))
    others = world.documents(9000, seed=2)
    assert alone == [d for d in world.documents(3000, seed=1) if next(others)]


def test_every_token_has_a_part_of_speech(world, documents):
    tokens = [t for d in documents for s in d.sentences for t in s.tokens]
    assert {token.pos for token in tokens} <= UNIVERSAL
    assert all(token.word and " " not in token.word for token in tokens)


def test_every_polysemous_word_is_used_in_each_of_its_senses(world, documents):
    found = collections.defaultdict(collections.Counter)
    for document in documents:
        for sentence in document.sentences:
            for token in sentence.tokens:
                if token.sense:
                    found[token.lemma][token.sense] += 1
    for word, senses in SENSES[world.language].items():
        assert found[word].keys() >= senses
        assert min(found[word][sense] for sense in senses) >= 5


def test_a_polysemous_word_always_carries_its_sense(world, documents):
    for document in documents:
        for sentence in document.sentences:
            for token in sentence.tokens:
                if token.word in SENSES[world.language]:
                    assert token.sense in SENSES[world.language][token.word]


def test_sentences_vary(world, documents):
    sentences = [tuple(s.words) for d in documents for s in d.sentences]
    [(_, most)] = collections.Counter(sentences).most_common(1)
    assert most < 0.01 * len(sentences)
    lengths = [len(sentence) for sentence in sentences]
    assert min(lengths) >= 4
    assert np.percentile(lengths, 5) <= 10 and np.percentile(lengths, 95) >= 18


def test_english_is_spelt_as_people_do():
    listed = read_grammar(FOLDER / "en").consonant | {"hour"}
    for words in itertools.chain(*corpus("en", tokens=20_000).documents()):
        assert words[0][0] == words[0][0].upper()
        for article, word in itertools.pairwise(words):
            if article in ("a", "an"):
                vowel = (word[0].lower() in "aeiou") != (word in listed)
                assert (article == "an") == vowel, word


def test_chinese_words_are_mostly_those_that_jieba_cuts():
    jieba = pytest.importorskip("jieba")
    jieba.setLogLevel(60)
    ours = same = 0
    for document in corpus("zh", tokens=5000).documents():
        for words in document:
            cuts = set(itertools.accumulate(map(len, words)))
            theirs = set(itertools.accumulate(map(len, jieba.cut("".join(words)))))
            ours += len(cuts | theirs)
            same += len(cuts & theirs)
    assert same / ours > 0.9


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_category_of_the_lexicon_is_used(language):
    rows = (FOLDER / language / "lexicon.tsv").read_text(encoding="utf-8").splitlines()
    named = {row.split("\t")[0] for row in rows[1:] if "\t" in row} - {"-"}
    paths = (FOLDER / language).glob("*.grammar")
    rules = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    unused = {n for n in named if f"{{{n}}}" not in rules and f"{{{n}:" not in rules}
    assert {n for n in unused if f"cast hero {n} " not in rules} <= {"女名", "男名"}


def test_a_corpus_gives_documents_of_sentences_of_words():
    text = corpus("en", tokens=2000, seed=4)
    assert (text.name, text.language) == ("rivertown-en", "en")
    documents = list(text.documents())
    assert documents == list(text.documents())
    assert all(isinstance(w, str) for d in documents for s in d for w in s)
    assert 2000 <= sum(len(s) for d in documents for s in d) < 2500


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        ("  {hero} saw {Plaze} .", r"wood.grammar, line 3: .*\{Plaze\}; .*\{Place\}"),
        ("  {hero} zaw Ann .", "line 3: zaw is not in lexicon.tsv; add it or tag it"),
        ("  {hero} saw the bank .", "line 3: which sense\\? write bank#river"),
        ("  {hero} saw {Opening} .", "line 3: .*Opening contains itself"),
        ("  {hero:obj} slept .", "line 3: `cast` gives nobody the form {hero:obj}"),
        ("  {hero} saw {boy:pl} .", "line 3: not every boy has a form pl"),
        ("  Ann slept .", "an Opening does not name {hero}"),
    ],
)
def test_a_mistake_in_a_rule_is_explained(tmp_path, rule, complaint):
    (tmp_path / "lexicon.tsv").write_text(LEXICON)
    (tmp_path / "common.grammar").write_text(COMMON.replace("general 0.25", ""))
    wood = f"topic wood 1\nOpening\n{rule}\nS\n  {{boy}}\n"
    (tmp_path / "wood.grammar").write_text(wood)
    with pytest.raises(ValueError, match=complaint):
        read_grammar(tmp_path)


def test_a_broken_row_of_the_lexicon_is_named(tmp_path):
    (tmp_path / "lexicon.tsv").write_text("category\tpos\twords\nfruit NOUN pear\n")
    with pytest.raises(ValueError, match="lexicon.tsv, line 2: 1 cells instead of 3"):
        read_grammar(tmp_path)


def test_english_inflection():
    assert inflect(["berry"], "NOUN") == {"sg": "berry", "pl": "berries"}
    assert inflect(["child", "children"], "NOUN")["pl"] == "children"
    regular = {"carry": "carries carried carrying", "bake": "bakes baked baking"}
    regular |= {"tie": "ties tied tying", "play": "plays played playing"}
    for verb, expected in regular.items():
        forms = inflect([verb], "VERB")
        assert " ".join(forms[f] for f in ("sg", "past", "ing")) == expected
    stop = inflect(["stop", "stopped"], "VERB")
    assert (stop["part"], stop["ing"]) == ("stopped", "stopping")
    assert inflect(["write", "wrote", "written"], "VERB")["ing"] == "writing"
