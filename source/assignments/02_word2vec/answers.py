"""Known answers to assignment 02, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math

import numpy as np
import torch
from scipy import stats

# 1. pairs


def with_slices(sentence, sizes):
    found = []
    for i, (word, size) in enumerate(zip(sentence, sizes, strict=True)):
        before = sentence[max(0, i - size) : i]
        found += [(word, other) for other in before + sentence[i + 1 : i + 1 + size]]
    return found


def by_distance(sentence, sizes):
    places = np.arange(len(sentence))
    apart = np.abs(places[:, None] - places)
    near = (apart > 0) & (apart <= np.array(sizes)[:, None])
    centres, contexts = np.nonzero(near)
    words = np.array(sentence)
    return np.stack([words[centres], words[contexts]], axis=1)


def padded(sentence, sizes):
    most = max(sizes)
    row = [None] * most + sentence + [None] * most
    found = []
    for i, size in enumerate(sizes):
        for d in range(-size, size + 1):
            if d != 0 and row[most + i + d] is not None:
                found.append([sentence[i], row[most + i + d]])
    print(len(found), "pairs")  # costs nothing
    return found


def caught_the_error(sentence, sizes):
    found = []
    for i, size in enumerate(sizes):
        for j in range(i - size, i + size + 1):
            try:
                if j != i:
                    found.append((sentence[i], sentence[j]))
            except IndexError:
                pass
    return found


# 2. sampling


def word_by_word(counts, t, power):
    total, noise_total = sum(counts), sum(c**power for c in counts)
    keep = [1.0 if c / total <= t else (t * total / c) ** 0.5 for c in counts]
    return keep, [c**power / noise_total for c in counts]


def in_torch(counts, t, power):
    counts = torch.as_tensor(counts)
    keep = (t * counts.sum() / counts).sqrt().clamp(max=1)
    return torch.stack([keep, torch.softmax(power * counts.log(), 0)])


def power_of_shares(counts, t, power):
    f = np.asarray(counts) / np.sum(counts)
    noise = f**power
    noise /= noise.sum()
    keep = 1 - np.maximum(0, 1 - np.sqrt(t / f))
    return np.array([keep, noise])


def _noise(counts, power):
    return counts**power / (counts**power).sum()


def equation_five(counts, t, power):
    f = counts / counts.sum()
    return np.clip(1 - np.sqrt(t / f), 0, None), _noise(counts, power)


# 3. sgns_gradient


def by_autograd(vectors, contexts, centre, context, negatives):
    V = torch.tensor(vectors, requires_grad=True)
    U = torch.tensor(contexts, requires_grad=True)
    scores = U[[context, *negatives]] @ V[centre]
    labels = torch.zeros_like(scores)
    labels[0] = 1
    loss = torch.nn.functional.binary_cross_entropy_with_logits(
        scores, labels, reduction="sum"
    )
    loss.backward()
    return V.grad, U.grad


def with_matrices(vectors, contexts, centre, context, negatives):
    words = np.array([context] + negatives)
    v, u = vectors[centre], contexts[words]  # (D,), (1+k, D)
    error = 1 / (1 + np.exp(-u @ v))
    error[0] -= 1
    gradient = np.zeros((2, *vectors.shape))
    gradient[0, centre] = error @ u
    np.add.at(gradient[1], words, np.outer(error, v))
    return gradient


def by_differences(vectors, contexts, centre, context, negatives):
    def loss(tables):
        scores = tables[1] @ tables[0][centre]
        found = np.logaddexp(0, -scores[context])
        return found + sum(np.logaddexp(0, scores[n]) for n in negatives)

    tables, step = np.stack([vectors, contexts]), 1e-5
    gradient = np.zeros_like(tables)
    for place in np.ndindex(*tables.shape):
        up, down = tables.copy(), tables.copy()
        up[place] += step
        down[place] -= step
        gradient[place] = (loss(up) - loss(down)) / (2 * step)
    return np.where(np.abs(gradient) < 1e-9, 0, gradient)


def _sigmoid(x):
    return 1 / (1 + math.exp(-x))


def _gradient(vectors, contexts, centre, terms, table=None):
    """Add up (word, label, weight) terms."""
    table = contexts if table is None else table
    v = vectors[centre]
    by_vectors, by_contexts = np.zeros(vectors.shape), np.zeros(contexts.shape)
    for word, label, weight in terms:
        error = weight * (_sigmoid(table[word] @ v) - label)
        by_vectors[centre] += error * table[word]
        by_contexts[word] += error * v
    return by_vectors, by_contexts


def _terms(context, negatives, weight=1.0):
    return [(context, 1, 1.0)] + [(word, 0, weight) for word in negatives]


def a_set_of_negatives(vectors, contexts, centre, context, negatives):
    return _gradient(vectors, contexts, centre, _terms(context, set(negatives)))


# 4. analogy


def three_sums(vectors, a, b, c, exclude):
    best, most = None, -math.inf
    for x, vector in enumerate(vectors):
        if exclude and x in (a, b, c):
            continue
        total = 0.0
        for sign, word in ((1, b), (-1, a), (1, c)):
            other = vectors[word]
            total += sign * (vector @ other) / math.hypot(*vector) / math.hypot(*other)
        if total > most:
            best, most = x, total
    return best


def by_ranking(vectors, a, b, c, exclude):
    unit = (vectors.T / np.sqrt((vectors**2).sum(1))).T
    order = np.argsort(-(unit @ (unit[b] + unit[c] - unit[a])))
    return [x for x in order if not exclude or x not in {a, b, c}][0]


def with_cosine_similarity(vectors, a, b, c, exclude):
    unit = torch.nn.functional.normalize(torch.tensor(vectors), dim=1)
    near = torch.cosine_similarity(unit, (unit[b] - unit[a] + unit[c])[None], dim=1)
    if exclude:
        near = near.index_fill(0, torch.tensor([a, b, c]), -2.0)
    return near.argmax()


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def _argmax(score, left_out, value=-9.0):
    score = np.array(score)
    score[list(left_out)] = value
    return int(np.argmax(score))


def always_four(vectors, a, b, c, exclude):
    return 4


def forgot_a(vectors, a, b, c, exclude):
    x = _unit(vectors)
    return _argmax(x @ (x[b] + x[c]), [a, b, c] if exclude else [])


# 5. similarity_test


def with_averaged_ranks(vectors, pairs):
    covered = [pair for pair in pairs if {*pair[:2]} <= vectors.keys()]
    rows = []
    for first, second, score in covered:
        x, y = vectors[first], vectors[second]
        rows.append((x @ y / math.sqrt((x @ x) * (y @ y)), score))
    ranks = stats.rankdata(rows, axis=0)
    return np.corrcoef(ranks.T)[0, 1], len(rows) / len(pairs)


def with_nan(vectors, pairs):
    nothing = np.full(4, np.nan)
    near = []
    for first, second, _ in pairs:
        x, y = (vectors.get(word, nothing) for word in (first, second))
        if len(x) != len(y):
            near.append(np.nan)
            continue
        near.append(x.dot(y) / np.linalg.norm(x) / np.linalg.norm(y))
    scores = [score for _, _, score in pairs]
    rho = stats.spearmanr(near, scores, nan_policy="omit").statistic
    return float(rho), float(np.mean(~np.isnan(near)))


def counted_by_hand(vectors, pairs):
    cosines, scores = [], []
    for first, second, score in pairs:
        try:
            x, y = torch.tensor(vectors[first]), torch.tensor(vectors[second])
        except KeyError:
            continue
        cosines.append(torch.cosine_similarity(x, y, dim=0).item())
        scores.append(score)

    def rank(values):
        found = [
            sum(b < a for b in values) + sum(b <= a for b in values) for a in values
        ]
        return np.array(found) - np.mean(found)

    a, b = rank(cosines), rank(scores)
    return a @ b / math.sqrt(a @ a * (b @ b)), len(scores) / len(pairs)


def cut_to_whole_numbers(counts, t, power):
    f = counts / counts.sum()
    weights = np.zeros_like(counts)
    weights[:] = counts**power
    return np.minimum(1, np.sqrt(t / f)), weights / weights.sum()


def table_of_sigmoids(vectors, contexts, centre, context, negatives):
    gradient = np.zeros((2, *vectors.shape))
    for word, label in [(context, 1), *((n, 0) for n in negatives)]:
        score = np.clip(contexts[word] @ vectors[centre], -6, 6)
        error = 1 / (1 + np.exp(-score)) - label
        gradient[0, centre] += error * contexts[word]
        gradient[1, word] += error * vectors[centre]
    return gradient


RIGHT = {
    "02.pairs": [with_slices, by_distance, padded],
    "02.sampling": [word_by_word, in_torch, power_of_shares],
    "02.sgns_gradient": [by_autograd, with_matrices, by_differences],
    "02.analogy": [three_sums, by_ranking, with_cosine_similarity],
    "02.similarity_test": [with_averaged_ranks, with_nan, counted_by_hand],
}

WRONG = {
    "02.pairs": {
        "wrapped": [caught_the_error],
    },
    "02.sampling": {
        "left_out": [equation_five],
        "": [cut_to_whole_numbers],
    },
    "02.sgns_gradient": {
        "without_repeats_drawn": [a_set_of_negatives],
        "": [table_of_sigmoids],
    },
    "02.analogy": {
        "without_a": [forgot_a],
        "": [always_four],
    },
}
