"""What needs no pre-training: the numbers that every other model stands beside.

classify(train, test, "en")                       {"majority": 0.5…, "TF-IDF": …}

A majority always says the commonest label. TF-IDF with logistic regression sees which
words and pairs of words a text has, not their order. Tags are guessed word by word.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier

from course_lib.analysis.tagging import alike, span_f1
from course_lib.text.examples import aligned
from course_lib.text.tokenise import composed

BOTH = "\0"  # between the two texts of a pair, and in no text


def most_common(labels: Iterable) -> Any:
    """Return the label that occurs most often. Errors: ValueError if there is none."""
    found = collections.Counter(labels).most_common(1)
    if not found:
        raise ValueError("there is no example to learn from")
    return found[0][0]


def classify(train: Sequence, test: Sequence, language: str) -> dict[str, float]:
    """Return the accuracy of the commonest label, and of TF-IDF, on texts or pairs."""
    labels = [example.label for example in train]
    right = np.array([example.label for example in test])
    commonest = most_common(labels)
    tfidf = TfIdf(map(text_of, train), labels, language)
    found = tfidf.predict(map(text_of, test))
    return {"majority": np.mean(right == commonest), "TF-IDF": np.mean(right == found)}


def tag(train: Sequence, test: Sequence, language: str) -> dict[str, float]:
    """Return how good three guesses are: their accuracy, for spans their F1.

    majority: the commonest tag for every word
    word's majority: each word's commonest tag; a word that training did not have is
        given what words seen once have most often
    window: what a linear classifier makes of the word, its ends and its neighbours
    """
    seen: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for example in aligned(train):
        for word, label in zip(example.tokens, example.tags, strict=True):
            seen[word][label] += 1
    every = sum(seen.values(), collections.Counter())
    once = sum((c for c in seen.values() if c.total() == 1), collections.Counter())
    commonest, unknown = most_common(every), most_common(once or every)
    best = {word: most_common(counts) for word, counts in seen.items()}
    gold = [example.tags for example in aligned(test)]
    measure = span_f1 if any(label.startswith("B-") for label in every) else accuracy
    return {
        "majority": measure(gold, [[commonest] * len(tags) for tags in gold]),
        "word's majority": measure(
            gold, [[best.get(word, unknown) for word in x.tokens] for x in test]
        ),
        "window": measure(gold, guess_from_window(train, test)),
    }


def guess_from_window(train: Sequence, test: Sequence) -> list[list[str]]:
    """Tag each token on its own, by features like those of Ratnaparkhi (1996)."""
    hashed = FeatureHasher(input_type="string")
    features = hashed.transform(chain.from_iterable(map(window, train)))  # (N, 2**20)
    labels = [label for example in aligned(train) for label in example.tags]
    if len(set(labels)) == 1:  # nothing to tell apart
        return [labels[:1] * len(example.tokens) for example in test]
    model = SGDClassifier(loss="log_loss", alpha=1e-6, random_state=0)
    model.fit(features, labels)
    found = iter(
        model.predict(hashed.transform(chain.from_iterable(map(window, test))))
    )
    return [list(islice(found, len(example.tokens))) for example in test]


def window(example: NamedTuple) -> list[list[str]]:
    """List the features of each token: itself, its ends, the words around it."""
    words = ["", *map(composed, example.tokens), ""]
    return [
        [
            f"word {word}",
            f"shape {word[:1].isupper()} {word[:1].isdigit()} {before == ''}",
            *(f"begins {word[:n]}" for n in (1, 2)),
            *(f"ends {word[-n:]}" for n in (1, 2, 3)),
            f"before {before}",
            f"after {after}",
        ]
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    ]


def accuracy(gold: list[list[str]], guessed: list[list[str]]) -> float:
    """Return the share of tokens whose tag is right."""
    hits = [np.array(one) == np.array(other) for one, other in alike(gold, guessed)]
    return float(np.mean(np.concatenate(hits)))


class TfIdf:
    """TF-IDF of words (Chinese: characters) and pairs of them, then a classifier."""

    def __init__(self, texts, labels: Sequence[str], language: str):
        """Fit both; if there is one label only, it is always the answer.

        A gram counts if two texts have it; if there is no such gram, every one does.
        Errors: ValueError for no texts, without a word, or without a label each.
        """
        texts, labels = list(texts), list(labels)
        self.unit = list if language == "zh" else str.split
        self.vectors = TfidfVectorizer(analyzer=self.grams, sublinear_tf=True, min_df=2)
        if len(texts) != len(labels) or not any(map(self.unit, texts)):
            raise ValueError(
                f"{len(texts)} texts, {len(labels)} labels: give a label to each text, "
                "and a text with a word"
            )
        try:
            features = self.vectors.fit_transform(texts)
        except ValueError:  # nothing is left of so few texts
            features = self.vectors.set_params(min_df=1).fit_transform(texts)
        self.only = labels if len(set(labels)) == 1 else []
        if not self.only:
            self.classifier = LogisticRegression(C=10, max_iter=1000)
            self.classifier.fit(features, labels)

    def grams(self, text: str) -> list[str]:
        """List units and pairs of neighbours; of a pair of texts also what they share.

        A question's own words are marked, so that they differ from the answer's.
        """
        first, *second = (self.unit(part) for part in text.split(BOTH))
        if not second:
            return first + pairs(first)
        both = set(first) & set(second[0])
        shared = [f"both {unit}" for unit in both] + ["both"] * len(both)
        marked = [f"? {gram}" for gram in first + pairs(first)]
        return marked + second[0] + pairs(second[0]) + shared

    def predict(self, texts) -> np.ndarray:
        """Return a label a text."""
        features = self.vectors.transform(texts)
        if self.only:
            return np.array(self.only[:1] * features.shape[0])
        return self.classifier.predict(features)


def pairs(units: list[str]) -> list[str]:
    """List the pairs of neighbours."""
    return [" ".join(pair) for pair in zip(units, units[1:], strict=False)]


def text_of(example: NamedTuple) -> str:
    """Return an example's text, the two texts of a pair, a sentence's tokens."""
    if hasattr(example, "tokens"):
        return " ".join(example.tokens)
    return example.text if hasattr(example, "text") else BOTH.join(example[:2])
