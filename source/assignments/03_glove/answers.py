"""Known answers to assignment 03, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import torch
from scipy.sparse import coo_array

# 1. cooccurrences


def place_by_place(sentences, V, window):
    X = np.zeros((V, V))
    for words in sentences:
        for centre in range(len(words)):
            for d in range(1, window + 1):
                if centre - d >= 0:
                    X[words[centre], words[centre - d]] += 1 / d
                if centre + d < len(words):
                    X[words[centre], words[centre + d]] += 1 / d
    return X


def half_and_transpose(sentences, V, window):
    rows, columns, weights = [], [], []
    for s in sentences:
        for a in range(len(s)):
            for c in range(a + 1, min(a + window + 1, len(s))):
                rows.append(s[a])
                columns.append(s[c])
                weights.append(1 / (c - a))
    X = coo_array((weights, (rows, columns)), shape=(V, V)).toarray()
    return X + X.T


def in_a_dictionary(sentences, V, window):
    found = defaultdict(float)
    for s in sentences:
        for a, i in enumerate(s):
            print("word", i)  # costs nothing
            for c, k in enumerate(s):
                if a != c and abs(a - c) <= window:
                    found[i, k] += 1 / abs(a - c)
    return [[found[i, k] for k in range(V)] for i in range(V)]


def with_one_hot_vectors(sentences, V, window):
    X = torch.zeros(V, V, dtype=torch.float64)
    for s in sentences:
        x = torch.eye(V, dtype=torch.float64)[torch.tensor(s, dtype=torch.long)]
        for d in range(1, window + 1):
            near = x[:-d].T @ x[d:] / d
            X += near + near.T
    return X


def _pairs(sentences, window):
    """Yield both words of each pair of places, from left to right, and the distance."""
    for s in sentences:
        for a in range(len(s)):
            for c in range(a + 1, min(a + window + 1, len(s))):
                yield s[a], s[c], c - a


def _table(pairs, V, weight=lambda d: 1 / d):
    X = np.zeros((V, V))
    for i, k, d in pairs:
        X[i, k] += weight(d)
        X[k, i] += weight(d)
    return X


def to_the_right_only(sentences, V, window):
    X = np.zeros((V, V))
    for i, k, d in _pairs(sentences, window):
        X[i, k] += 1 / d
    return X


def to_the_left_only(sentences, V, window):
    return to_the_right_only(sentences, V, window).T


def squared_distance(sentences, V, window):
    return _table(_pairs(sentences, window), V, lambda d: 1 / d**2)


# 2. ratios


def word_by_word(X, i, j):
    found = []
    for k in range(len(X)):
        p, q = X[i][k] / sum(X[i]), X[j][k] / sum(X[j])
        if q == 0:
            found.append(math.nan if p == 0 else math.inf)
        else:
            found.append(p / q)
    return found


def in_torch(X, i, j):
    P = torch.tensor(X)
    P = P / P.sum(dim=1, keepdim=True)
    return P[i] / P[j]


def counts_first(X, i, j):
    found = np.full(len(X), np.nan)
    found[X[i] > 0] = np.inf
    known = X[j] > 0
    found[known] = X[i][known] / X[j][known] * (X[j].sum() / X[i].sum())
    return found


def of_columns(X, i, j):
    P = X / np.maximum(X.sum(axis=0), 1e-300)  # the table is symmetric
    return np.where(P[:, j] > 0, P[:, i], P[:, i] * np.inf) / np.where(
        P[:, j] > 0, P[:, j], 1
    )


def a_tiny_number(X, i, j):
    return X[i] / X[i].sum() / (X[j] / X[j].sum() + 1e-10)


def zero_where_undefined(X, i, j):
    p, q = X[i] / X[i].sum(), X[j] / X[j].sum()
    return np.divide(p, q, out=np.zeros_like(p), where=q > 0)


def nan_to_num(X, i, j):
    return np.nan_to_num(in_torch(X, i, j).numpy())


def infinite_everywhere(X, i, j):
    p, q = X[i] / X[i].sum(), X[j] / X[j].sum()
    return np.where(q > 0, p / np.where(q > 0, q, 1), np.inf)


def nan_to_one(X, i, j):
    found = in_torch(X, i, j)
    found[found.isnan()] = 1
    return found


def geometric(X, i, j):
    return np.sqrt(in_torch(X, i, j))


# 3. glove_loss


def two_loops(X, w, w_tilde, b, b_tilde, x_max, alpha):
    J = 0
    for i in range(len(X)):
        for k in range(len(X)):
            if X[i, k] > 0:
                f = (X[i, k] / x_max) ** alpha if X[i, k] < x_max else 1
                error = np.dot(w[i], w_tilde[k]) + b[i] + b_tilde[k] - np.log(X[i, k])
                J += f * error**2
    return J


def _errors(X, w, w_tilde, b, b_tilde):
    """Return the errors of all pairs, 0 where nothing was counted."""
    log = np.log(np.where(X > 0, X, 1))
    return (w @ w_tilde.T + b[:, None] + b_tilde[None, :] - log) * (X > 0)


def whole_matrices(X, w, w_tilde, b, b_tilde, x_max, alpha):
    f = np.clip(X / x_max, 0, 1) ** alpha
    return np.sum(f * _errors(X, w, w_tilde, b, b_tilde) ** 2)


def masked_in_torch(X, w, w_tilde, b, b_tilde, x_max, alpha):
    X, w, w_tilde, b, b_tilde = map(torch.tensor, (X, w, w_tilde, b, b_tilde))
    met = X > 0
    scores = (w @ w_tilde.T + b.unsqueeze(1) + b_tilde)[met]
    f = torch.where(x_max > X, (X / x_max) ** alpha, 1.0)[met]
    return (f * (scores - X[met].log()).pow(2)).sum()


# 4. pair_gradient


def by_autograd(w, w_tilde, b, b_tilde, x, x_max, alpha):
    D = len(w)
    p = torch.tensor([*w, *w_tilde, b, b_tilde], requires_grad=True)
    score = p[:D].dot(p[D : 2 * D]) + p[-2:].sum()
    f = min((x / x_max) ** alpha, 1)
    (f * (score - math.log(x)) ** 2).backward()
    return p.grad


def number_by_number(w, w_tilde, b, b_tilde, x, x_max, alpha):
    error = b + b_tilde - math.log(x)
    for one, other in zip(w, w_tilde, strict=True):
        error += one * other
    weight = 1 if x >= x_max else (x / x_max) ** alpha
    gradient = [2 * weight * error * other for other in w_tilde]
    gradient += [2 * weight * error * one for one in w]
    return [*gradient, 2 * weight * error, 2 * weight * error]


def by_differences(w, w_tilde, b, b_tilde, x, x_max, alpha):
    p, D, h = np.concatenate([w, w_tilde, [b, b_tilde]]), len(w), 1e-3

    def loss(p):
        score = p[:D] @ p[D:-2] + p[-2] + p[-1]
        return np.minimum(x / x_max, 1) ** alpha * (score - np.log(x)) ** 2

    # Exact for a polynomial of degree 2 in each single number.
    return [(loss(p + e) - loss(p - e)) / (2 * h) for e in h * np.eye(len(p))]


def _g(w, w_tilde, b, b_tilde, x, x_max, alpha):
    error = np.dot(w, w_tilde) + b + b_tilde - np.log(x)
    return 2 * np.minimum((x / x_max) ** alpha, 1) * error


def _stacked(g, w, w_tilde):
    return np.concatenate([g * w_tilde, g * w, [g, g]])


def biases_first(*given):
    gradient = _stacked(_g(*given), *given[:2])
    return np.concatenate([gradient[-2:], gradient[:-2]])


RIGHT = {
    "03.cooccurrences": [
        place_by_place,
        half_and_transpose,
        in_a_dictionary,
        with_one_hot_vectors,
    ],
    "03.ratios": [word_by_word, in_torch, counts_first, of_columns],
    "03.glove_loss": [two_loops, whole_matrices, masked_in_torch],
    "03.pair_gradient": [by_autograd, number_by_number, by_differences],
}

WRONG = {
    "03.cooccurrences": {
        "one_sided": [to_the_right_only, to_the_left_only],
        "": [squared_distance],
    },
    "03.ratios": {
        "no_infinity": [a_tiny_number, zero_where_undefined, nan_to_num],
        "no_nan": [infinite_everywhere, nan_to_one],
        "": [geometric],
    },
    "03.pair_gradient": {
        "": [biases_first],
    },
}
