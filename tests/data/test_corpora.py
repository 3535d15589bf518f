"""Real corpora have the sizes that their authors publish."""

import itertools
from collections import Counter

import pytest

from course_lib import data
from course_lib.data.catalogue import at_hand
from course_lib.data.entries import CATALOGUE


def load(name, **options):
    """Load a real corpus, or skip: it does not ship with the course."""
    if not at_hand(name):
        pytest.skip(f"{name} is not at hand: set COURSE_DATA and NLTK_DATA")
    return data.load(name, **options)


REAL_TEXT = [n for n, e in CATALOGUE.items() if e.text and e.files]


@pytest.mark.parametrize("name", REAL_TEXT)
def test_documents_are_lists_of_sentences_of_tokens(name):
    for document in itertools.islice(load(name).documents(), 20):
        assert document
        for sentence in document:
            assert sentence
            assert all(token and token == token.strip() for token in sentence)


@pytest.mark.parametrize("name", REAL_TEXT)
def test_documents_come_in_the_same_order_every_time(name):
    corpus = load(name)
    first, again = (list(itertools.islice(corpus.documents(), 5)) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("name", "documents"),
    [("brown", 500), ("reuters", 10788), ("bbc", 2225), ("movie_reviews", 2000)],
)
def test_text_corpora_have_their_known_number_of_documents(name, documents):
    assert sum(1 for _ in load(name).documents()) == documents


@pytest.mark.parametrize(
    ("name", "splits"),
    [
        ("movie_reviews", {"all": 2000}),
        ("sentence_polarity", {"all": 10662}),
        ("subjectivity", {"all": 10000}),
        ("qc", {"train": 5452, "test": 500}),
        ("rte", {"train": 567 + 400 + 800, "test": 800 + 800 + 800}),
        ("treebank", {"all": 3914}),
        ("conll2000", {"train": 8936, "test": 2012}),
        ("en_ewt", {"dev": 2001, "test": 2077}),
        ("zh_gsdsimp", {"dev": 500, "test": 500}),
        ("senseval", {"hard": 4333, "interest": 2368, "line": 4146, "serve": 4378}),
        ("chnsenticorp", {"all": 7765}),
        ("waimai", {"all": 11987}),
        ("tnews", {"test": 2010}),
        ("eprstmt", {"train": 160, "dev": 160, "test": 610, "unlabelled": 19565}),
    ],
)
def test_task_sets_have_their_known_number_of_examples(name, splits):
    task = load(name)
    assert {split: len(task.split(split)) for split in splits} == splits


@pytest.mark.parametrize("name", ["treebank", "conll2000", "en_ewt", "zh_gsdsimp"])
def test_every_token_has_a_tag(name):
    task = load(name)
    for sentence in task.split(task.splits[-1]):
        assert len(sentence.tokens) == len(sentence.tags) > 0
        assert all(sentence.tokens) and all(sentence.tags)


def test_penn_sample_has_its_known_number_of_tokens():
    assert sum(len(s.tokens) for s in load("treebank").split("all")) == 94084


def test_imdb_is_balanced_and_without_markup():
    for split in ("train", "test"):
        examples = load("imdb").split(split)
        assert Counter(e.label for e in examples) == {"pos": 12500, "neg": 12500}
        assert not any("<br />" in example.text for example in examples)


def test_trec_has_six_coarse_and_fifty_fine_classes():
    coarse = load("qc").split("train") + load("qc").split("test")
    fine = load("qc", fine=True).split("train") + load("qc", fine=True).split("test")
    assert len({example.label for example in coarse}) == 6
    assert len({example.label for example in fine}) == 50


def test_senseval_targets_are_forms_of_the_word():
    for word in ("hard", "interest", "line", "serve"):
        for sentence in load("senseval").split(word)[:200]:
            target = sentence.tokens[sentence.target_index].lower()
            assert target.startswith(word[:-1])


def test_apples_are_fruit_in_one_category_and_a_brand_in_the_other():
    for category in ("水果", "平板"):
        reviews = load("online_shopping", category=category).split("all")
        assert len(reviews) == 10000
        assert any("苹果" in review.text for review in reviews)


def test_chinese_text_comes_in_words_or_characters():
    words = next(load("waimai").documents())
    characters = next(load("waimai", unit="characters").documents())
    assert ["".join(s) for s in words] == ["".join(s) for s in characters]
    assert all(len(token) == 1 for s in characters for token in s)


def test_msra_tags_are_well_formed():
    for sentence in load("msra").split("all")[:2000]:
        before = "O"
        for tag in sentence.tags:
            assert not tag.startswith("I-") or before[1:] == tag[1:]
            before = tag
