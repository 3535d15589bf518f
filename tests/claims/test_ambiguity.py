"""Words that share a name, and what the rule makes of what vectors then add."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch

from course_claims.experiments import ambiguity, transfer
from course_claims.experiments.shipped import tagged
from course_lib.analysis.word_tests import keyed
from course_lib.worlds import rivertown


@pytest.fixture(scope="module")
def sentences():
    documents = rivertown.text("en", 20_000, seed=1)
    return [[word.lower() for word in s] for d in documents for s in d]


@pytest.mark.parametrize("k", [2, 4])
def test_k_words_of_like_frequency_share_a_name(sentences, k):
    called = ambiguity.names_for(sentences, k, seed=1)
    counts = Counter(word for s in sentences for word in s)
    sizes = Counter(called.values())
    assert Counter(sizes.values())[k] >= len(sizes) - 1  # the last name may have fewer
    assert set(sizes) <= set(called)
    assert max(counts[w] for w in called) <= sum(counts.values()) / 1000
    assert min(counts[w] for w in called) >= 5
    ratios = [counts[w] / counts[name] for w, name in called.items()]
    assert all(1 / 4 < ratio < 4 for ratio in ratios)
    assert called != ambiguity.names_for(sentences, k, seed=2)


def test_alone_no_word_changes_its_name(sentences):
    called = ambiguity.names_for(sentences, 1, seed=1)
    assert all(word == name for word, name in called.items())


def test_a_task_is_renamed_word_by_word():
    task = transfer.prepare("rivertown-en-sentiment", transfer.SMALL)
    words = task.vocabulary.words
    called = {"good": "bad", "bad": "bad"}
    new = ambiguity.rename(task, called)
    assert "good" not in new.vocabulary.words
    for before, after in zip(
        task.ready["test"].texts[0], new.ready["test"].texts[0], strict=True
    ):
        told = [called.get(w := words[i].lower(), w) for i in before[before > 0]]
        assert told == [new.vocabulary.words[i] for i in after[after > 0]]
    assert torch.equal(new.ready["test"].labels, task.ready["test"].labels)


def test_tagging_on_names_is_easy_for_rows_that_know_the_tags():
    """Rows that say each word's tag leave little to learn; drawn ones have it all."""
    sentences = tagged("rivertown-en-pos")
    tags = sorted({tag for s in sentences for tag in s.tags})
    known = {
        word.lower(): np.eye(100, dtype=np.float32)[tags.index(tag)]
        for s in sentences
        for word, tag in zip(s.tokens, s.tags, strict=True)
    }
    table = keyed(list(known), np.stack(list(known.values())))
    found = ambiguity.of_tags("en", {}, table, 1, seed=1, quick=True)
    score = {row["model"]: row["value"] for row in found}
    assert score["pre-trained"] > score["random"] + 0.1
    assert {row["condition"] for row in found} == {"rivertown-en-pos: 1"}


def rows(helps: dict[str, tuple[float, float]]) -> list[dict]:
    """Accuracies with which vectors add so much, alone and when pairs share a name."""
    return [
        {"seed": seed, "model": way, "condition": f"{task}: {k}"}
        | {"metric": "accuracy", "value": 0.5 + seed / 100 + more}
        for seed in range(1, 6)
        for task, both in helps.items()
        for k, added in zip((1, 2), both, strict=True)
        for luck in [k * (seed % 3 - 1) / 1000]
        for way, more in (("random", 0), ("pre-trained", added + luck))
    ]
