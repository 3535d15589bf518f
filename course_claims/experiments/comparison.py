"""Five ways to word vectors on the same text: what each costs and what each knows.

The claims of lesson 02, with differences within a seed.

cbow_or_skip_gram      "CBOW is better on syntax, skip-gram on meaning" (the accounts'
                       summary of table 3 of Mikolov et al. 2013a): CBOW minus skip-gram
                       on syntactic analogies, skip-gram minus CBOW on semantic ones.
                       "The nearest words mean the same", on the same rows: Spearman's
                       rho with WordSim-353 (is it related?) minus that with SimLex-999
                       (is it alike?)
analogy_words_left_in  "king - man + woman = queen": the right answers when the words of
                       the question are allowed, minus half of those when they are not
text_or_dimensions     "the quality of vectors depends mainly on the size of the text":
                       all of it and 25 numbers a word, minus a tenth and 250: what ten
                       times the text gives minus what ten times the numbers give
"""

from __future__ import annotations

import collections
import functools
import time
from collections.abc import Callable

import numpy as np

from course_lib import data
from course_lib.analysis import word_tests
from course_lib.analysis.statistics import Interval
from course_lib.models import glove
from course_lib.text.vocabulary import Vocabulary

from ..ledger import gain
from ..rules import row
from . import language_models

CORPORA = ("brown", "reuters", "bbc", "abc", "masc_tagged")  # 5 million words together
D = 100
METHODS = ("NNLM", "CBOW", "skip-gram", "GloVe", "fastText")


def text(corpora=CORPORA, limit: float = float("inf")) -> list[list[str]]:
    """Return the sentences of some corpora in small letters, `limit` words of each."""
    sentences = []
    for name in corpora:
        words = 0
        for document in data.load(name).documents():
            for sentence in document:
                sentences.append([word.lower() for word in sentence])
                words += len(sentence)
            if words >= limit:
                break
    return sentences


def static_comparison(
    seed: int, quick: bool = False, methods: tuple[str, ...] = METHODS
) -> list[dict]:
    """Train each method once and test its vectors; rows of model, metric and value.

    Metrics: Spearman's rho and covered pairs of both word-pair sets; the share of right
    analogies, all, semantic and syntactic, and how many are covered; CPU seconds.
    """
    limit, steps = (20_000, 50) if quick else (float("inf"), 600)
    sentences = text(CORPORA[:1] if quick else CORPORA, limit)
    counts = collections.Counter(word for s in sentences for word in s)
    vocabulary = Vocabulary.from_counts(counts, size=30_000, min_count=5)
    rows = []
    for method in methods:
        begun = time.process_time()
        vectors = train(method, sentences, vocabulary, seed, steps)  # (V, D)
        spent = time.process_time() - begun
        found = {"CPU seconds": spent} | tests(vocabulary, vectors)
        rows += [row(method, "", metric, value) for metric, value in found.items()]
    return rows


def train(
    method: str, sentences: list, vocabulary: Vocabulary, seed: int, steps: int
) -> np.ndarray:
    """Return the vectors (V, D) that a method learns; row 0, `<unk>`, means nothing."""
    if method in ("NNLM", "GloVe"):
        encoded = [vocabulary.encode(s) for s in sentences]
        if method == "NNLM":
            ids = [i for sentence in encoded for i in sentence]
            model = language_models.fit(ids, len(vocabulary), seed, steps, m=D)
            return model.C.weight.detach().numpy()
        return train_glove(encoded, len(vocabulary), seed)
    from gensim.models import FastText, Word2Vec

    known = [[word for word in s if word in vocabulary.ids] for s in sentences]
    make: Callable = Word2Vec
    if method == "fastText":
        make = functools.partial(FastText, bucket=200_000)  # 2 million need 800 MB
    sizes = {"vector_size": D, "window": 5, "negative": 5, "sample": 1e-4, "epochs": 5}
    # Learning rates of the released code: 0.05 for CBOW, else 0.025.
    kind = {"sg": 0, "alpha": 0.05} if method == "CBOW" else {"sg": 1, "alpha": 0.025}
    model = make(known, min_count=1, workers=1, seed=seed, **sizes, **kind)
    found = np.zeros((len(vocabulary), D), dtype=np.float32)
    for word, number in vocabulary.ids.items():
        if word in model.wv:
            found[number] = model.wv[word]
    return found


def train_glove(encoded: list[list[int]], V: int, seed: int) -> np.ndarray:
    """Fit GloVe; w + w~ as in the paper. Shape: (V, D).

    The paper's x_max = 100 and eta = 0.05 are for billions of words; these did well in
    a small search on reviews, a text that is not among these.
    """
    X = glove.cooccurrences(encoded, V, window=10)
    model = glove.GloVe(V, D, x_max=10.0, eta=0.1, seed=seed)
    groups = glove.matchings(X, seed)
    for _ in range(10):
        model.epoch(groups)
    return model.vectors


def tests(vocabulary: Vocabulary, vectors: np.ndarray) -> dict[str, float]:
    """Return what word vectors (V, D) score on the English tests."""
    known = word_tests.keyed(vocabulary.words[1:], vectors[1:])
    found = {}
    for name in word_tests.SETS:
        result = word_tests.correlation(known, word_tests.similarity_pairs(name))
        found |= {name: result.rho, f"covered pairs {name}": result.covered}
    sections = word_tests.analogies(known, word_tests.analogy_questions())
    kinds = {
        "analogies": list(sections),
        "analogies, semantic": [s for s in sections if not s.startswith("gram")],
        "analogies, syntactic": [s for s in sections if s.startswith("gram")],
    }
    for kind, names in kinds.items():
        right, covered = np.sum([sections[name] for name in names], axis=0)
        found |= {kind: float(right / max(covered, 1)), f"covered {kind}": int(covered)}
    return found


# -- the words of the question ---------------------------------------------------------


def analogy_words_left_in(seed: int, quick: bool = False) -> list[dict]:
    """Answer every third analogy question twice: its own words left out, and left in.

    Skip-gram of one training; up to 600,000 words of each corpus.
    """
    sentences = text(CORPORA[:1] if quick else CORPORA, 20_000 if quick else 600_000)
    counts = collections.Counter(word for s in sentences for word in s)
    vocabulary = Vocabulary.from_counts(counts, size=30_000, min_count=5)
    vectors = train("skip-gram", sentences, vocabulary, seed, 0)  # (V, D)
    known = word_tests.keyed(vocabulary.words[1:], vectors[1:])
    every = [q for part in word_tests.analogy_questions().values() for q in part][::3]
    rows = []
    for condition, exclude in {"left out": True, "left in": False}.items():
        said = word_tests.answers(known, every, exclude)
        asked = [pair for pair in zip(said, every, strict=True) if pair[0] is not None]
        right = [answer == question[3].lower() for answer, question in asked]
        own = [answer in map(str.lower, question[:3]) for answer, question in asked]
        for metric, hits in {"right": right, "a word of the question": own}.items():
            share = np.mean(hits or [0])
            rows.append(row("skip-gram", condition, metric, share))
    return rows


# -- more text, or longer vectors ------------------------------------------------------


def text_or_dimensions(seed: int, quick: bool = False) -> list[dict]:
    """Train CBOW on a tenth of a text and on all, with 25 and with 250 numbers a word.

    The seed draws the tenth. All are tested on the words that stand in the tenth five
    times; the score is the mean of the rhos with both word-pair sets.
    """
    from gensim.models import Word2Vec

    sentences = text(CORPORA[:1] if quick else CORPORA, 250_000 if quick else 500_000)
    some = np.random.default_rng(seed).random(len(sentences)) < 0.1
    tenth = [s for s, taken in zip(sentences, some, strict=True) if taken]
    counts = collections.Counter(word for s in tenth for word in s)
    words = [word for word, n in counts.items() if n >= 5]
    rows = []
    for condition, of in {"a tenth": tenth, "all": sentences}.items():
        for size in (25, 250):
            sizes = {"vector_size": size, "window": 5, "negative": 5, "sample": 1e-4}
            wv = Word2Vec(
                of, sg=0, alpha=0.05, min_count=5, epochs=5, workers=1, seed=seed,
                **sizes,
            ).wv  # fmt: skip
            known = word_tests.keyed(words, np.stack([wv[word] for word in words]))
            rhos = [
                word_tests.correlation(known, word_tests.similarity_pairs(name)).rho
                for name in word_tests.SETS
            ]
            rows.append(row(f"{size} numbers", condition, "rho", np.mean(rhos)))
    return rows


# -- the effects ---------------------------------------------------------------------

CBOW, SKIP_GRAM = {"model": "CBOW"}, {"model": "skip-gram"}


def syntax_and_meaning(rows: list[dict]) -> dict[str, Interval]:
    """Return CBOW's lead on syntactic analogies, and skip-gram's on semantic ones."""
    return {
        "syntactic": gain(rows, "analogies, syntactic", new=CBOW, old=SKIP_GRAM),
        "semantic": gain(rows, "analogies, semantic", new=SKIP_GRAM, old=CBOW),
    }


def related_or_alike(rows: list[dict]) -> dict[str, Interval]:
    """Return rho with WordSim-353 minus rho with SimLex-999, by method."""
    names = {row["metric"]: row["metric"] for row in rows}
    both = [{**row, "metric": "rho", "condition": names[row["metric"]]} for row in rows]
    related, alike = {"condition": "WordSim-353"}, {"condition": "SimLex-999"}
    return {
        method["model"]: gain(both, "rho", new=method | related, old=method | alike)
        for method in (CBOW, SKIP_GRAM)
    }


def left_in_against_half(rows: list[dict]) -> dict[str, Interval]:
    """Return the right answers with nothing left out, minus half of the others."""
    halved = [
        {**row, "value": row["value"] / (2 if row["condition"] == "left out" else 1)}
        for row in rows
    ]
    out, kept = {"condition": "left out"}, {"condition": "left in"}
    return {"right answers": gain(halved, "right", new=kept, old=out)}


def text_and_size_gains(rows: list[dict]) -> dict[str, Interval]:
    """Return what ten times the text gives, what ten times the numbers do; then both.

    The last is the claim's: more text minus longer vectors.
    """
    corner = {
        (much, size): {"condition": much, "model": f"{size} numbers"}
        for much in ("a tenth", "all")
        for size in (25, 250)
    }
    pairs = {
        "text, 25": (("all", 25), ("a tenth", 25)),
        "text, 250": (("all", 250), ("a tenth", 250)),
        "numbers, a tenth": (("a tenth", 250), ("a tenth", 25)),
        "numbers, all": (("all", 250), ("all", 25)),
        "text minus numbers": (("all", 25), ("a tenth", 250)),
    }
    return {
        name: gain(rows, "rho", new=corner[new], old=corner[old])
        for name, (new, old) in pairs.items()
    }


EXPERIMENTS = {
    "static_comparison": static_comparison,
    "analogy_words_left_in": analogy_words_left_in,
    "text_or_dimensions": text_or_dimensions,
    # The two of the claim, with more seeds than the slower ones can have.
    "cbow_or_skip_gram": functools.partial(
        static_comparison, methods=("CBOW", "skip-gram")
    ),
}
