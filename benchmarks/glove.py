"""GloVe: counting pairs of words, and an epoch over the counts."""

from __future__ import annotations

import copy
from collections import Counter

import numpy as np
import texts
from harness import Race, main

from course_lib.models.glove import GloVe, cooccurrences, matchings

WINDOW = 10


def counted(sentences: list[list[int]]) -> int:
    """Return how many pairs a window of 10 holds, both orders as one."""
    lengths = [sum(w != 0 for w in s) for s in sentences]
    return sum(max(0, n - d) for n in lengths for d in range(1, WINDOW + 1))


def loop(sentences: list[list[int]], V: int) -> list[float]:
    """Count with a dictionary, pair by pair."""
    found: Counter = Counter()
    for sentence in sentences:
        known = [w for w in sentence if w]
        for at, word in enumerate(known):
            for distance, other in enumerate(known[at + 1 : at + 1 + WINDOW], 1):
                found[word, other] += 1 / distance
                found[other, word] += 1 / distance
    return [found[key] for key in sorted(found)]


def one_by_one(model: GloVe, groups: list[tuple]) -> float:
    """Go through the pairs of each group one after the other."""
    cost = 0.0
    for i, k, x in groups:
        for at in range(len(x)):
            one = slice(at, at + 1)
            cost += model.step(i[one], k[one], x[one].astype(np.float32))
    return cost


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare numbered sentences and the groups of pairs."""
    text = texts.text(2000 if tiny else 2e5 if small else 8e5)
    vocabulary = text.vocabulary(100 if tiny else 10_000)
    documents = texts.documents(text.n_tokens)
    sentences = [vocabulary.encode(s) for d in documents for s in d]
    V, some = len(vocabulary), sentences[: len(sentences) // 20]
    X = cooccurrences(sentences, V, WINDOW)
    groups = matchings(X)
    few = groups[: max(1, len(groups) // 500)]
    model = GloVe(V, 10 if tiny else 100)
    pairs, some_pairs = sum(len(x) for *_, x in few), counted(some)

    def fresh() -> GloVe:
        rows = copy.copy(model)
        for name in model.G:
            setattr(rows, name, getattr(model, name).copy())
        rows.G = {name: g.copy() for name, g in model.G.items()}
        return rows

    def result(train) -> list:
        learned = fresh()
        train(learned)
        return [learned.w[:50], learned.w_tilde[:50]]

    def table() -> list[float]:
        found = cooccurrences(some, V, WINDOW).tocoo()
        order = np.lexsort((found.coords[1], found.coords[0]))
        return found.data[order].tolist()

    work = {"unit": "pairs", "kind": "rate", "goal": 1e6}
    moved = 4 * 2 * 2 * 2 * model.w.shape[1]  # float32; words, contexts; G; there, back
    part = groups[:: 20 if small else 5]  # a share of an epoch
    everything = sum(len(x) for *_, x in part)
    return [
        Race("GloVe counting", lambda: cooccurrences(sentences, V, WINDOW).nnz,
             amount=counted(sentences), **work,
             floor=(0, 24 * counted(sentences)),
             note="The authors' C program is not at hand."),
        Race("GloVe counting against a dictionary", table, lambda: loop(some, V), 2,
             amount=some_pairs, unit="pairs"),
        Race("GloVe epoch, 100 dimensions", lambda: model.epoch(part),
             amount=everything, **work, floor=(0, moved * everything)),
        Race("GloVe epoch against one pair at a time", lambda: result(
             lambda m: m.epoch(few)), lambda: result(lambda m: one_by_one(m, few)), 20,
             amount=pairs, unit="pairs",
             note="Both copy the model first, so that every round begins alike."),
    ]  # fmt: skip


if __name__ == "__main__":
    main(races)
