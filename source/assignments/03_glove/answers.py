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


def plain_counts(sentences, V, window):
    return _table(_pairs(sentences, window), V, lambda d: 1)


def to_the_right_only(sentences, V, window):
    X = np.zeros((V, V))
    for i, k, d in _pairs(sentences, window):
        X[i, k] += 1 / d
    return X


def to_the_left_only(sentences, V, window):
    return to_the_right_only(sentences, V, window).T


def one_long_text(sentences, V, window):
    return _table(_pairs([sum(sentences, [])], window), V)


def range_without_its_end(sentences, V, window):
    X = np.zeros((V, V))
    for s in sentences:
        for d in range(1, window):
            for a in range(len(s) - d):
                X[s[a], s[a + d]] += 1 / d
                X[s[a + d], s[a]] += 1 / d
    return X


def range_too_long(sentences, V, window):
    return _table(_pairs(sentences, window + 1), V)


def enumerated_from_zero(sentences, V, window):
    return _table(_pairs(sentences, window), V, lambda d: 1 / (d + 1))


def like_word2vec(sentences, V, window):
    return _table(_pairs(sentences, window), V, lambda d: (window - d + 1) / window)


def both_ways_and_both_cells(sentences, V, window):
    X = np.zeros((V, V))
    for s in sentences:
        for a, i in enumerate(s):
            for c, k in enumerate(s):
                if 0 < abs(a - c) <= window:
                    X[i, k] += 1 / abs(a - c)
                    X[k, i] += 1 / abs(a - c)
    return X


def mirrored_without_the_diagonal(sentences, V, window):
    X = to_the_right_only(sentences, V, window)
    return X + X.T - np.diag(X.diagonal())


def assigned_instead_of_added(sentences, V, window):
    X = np.zeros((V, V))
    for s in sentences:
        for a in range(len(s)):
            for c in range(max(0, a - window), min(len(s), a + window + 1)):
                if a != c:
                    X[s[a], s[c]] = 1 / abs(a - c)
    return X


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


def only_the_counts(X, i, j):
    return X[i] / X[j]


def over_all_counts(X, i, j):
    P = X / X.sum()
    return P[i] / P[j]


def j_over_i(X, i, j):
    return in_torch(X, j, i)


def exchanged_the_sums(X, i, j):
    return (X[i] / X[j].sum()) / (X[j] / X[i].sum())


def subtracted(X, i, j):
    return X[i] / X[i].sum() - X[j] / X[j].sum()


def took_the_log(X, i, j):
    return torch.log(in_torch(X, i, j))


def added_one(X, i, j):
    X = X + 1
    return X[i] / X[i].sum() / (X[j] / X[j].sum())


def divided_by_the_number(X, i, j):
    n = (X > 0).sum(axis=1)
    return (X[i] / n[i]) / (X[j] / n[j])


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


def forgot_to_divide(X, i, j):
    return X[i] / X[i].sum()


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


def _weight(X, x_max, alpha):
    return np.minimum((X / x_max) ** alpha, 1)


def _loss(X, w, w_tilde, b, b_tilde, x_max, alpha):
    errors = _errors(X, w, w_tilde, b, b_tilde)
    return (_weight(X, x_max, alpha) * errors**2).sum()


def half_the_squares(*given):
    return 0.5 * _loss(*given)


def averaged_over_pairs(X, *given):
    return _loss(X, *given) / (X > 0).sum()


def forgot_the_cap(X, w, w_tilde, b, b_tilde, x_max, alpha):
    f = (X / x_max) ** alpha
    return (f * _errors(X, w, w_tilde, b, b_tilde) ** 2).sum()


def all_pairs_alike(X, w, w_tilde, b, b_tilde, x_max, alpha):
    return np.square(_errors(X, w, w_tilde, b, b_tilde)).sum()


def weighted_the_error(X, w, w_tilde, b, b_tilde, x_max, alpha):
    f = _weight(X, x_max, alpha)
    return np.linalg.norm(f * _errors(X, w, w_tilde, b, b_tilde)) ** 2


def knew_the_paper(X, w, w_tilde, b, b_tilde, x_max=100, alpha=0.75):
    return _loss(X, w, w_tilde, b, b_tilde, 100, 3 / 4)


def forgot_the_biases(X, w, w_tilde, b, b_tilde, x_max, alpha):
    f, met = _weight(X, x_max, alpha), X > 0
    return (f * (w @ w_tilde.T - np.log(np.where(met, X, 1))) ** 2)[met].sum()


def forgot_the_log(X, w, w_tilde, b, b_tilde, x_max, alpha):
    scores = w @ w_tilde.T + b[:, None] + b_tilde
    return (_weight(X, x_max, alpha) * (scores - X) ** 2).sum()


def log1p(X, w, w_tilde, b, b_tilde, x_max, alpha):
    scores = w @ w_tilde.T + b[:, None] + b_tilde
    return (_weight(X, x_max, alpha) * (scores - np.log1p(X)) ** 2).sum()


def nan_from_the_zeros(X, w, w_tilde, b, b_tilde, x_max, alpha):
    scores = w @ w_tilde.T + b[:, None] + b_tilde
    return (_weight(X, x_max, alpha) * (scores - np.log(X)) ** 2).sum()


def one_table_of_vectors(X, w, w_tilde, b, b_tilde, x_max, alpha):
    return _loss(X, w, w, b, b_tilde, x_max, alpha)


def absolute_errors(X, w, w_tilde, b, b_tilde, x_max, alpha):
    errors = np.abs(_errors(X, w, w_tilde, b, b_tilde))
    return (_weight(X, x_max, alpha) * errors).sum()


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


def gradient_of_half_the_loss(*given):
    return _stacked(_g(*given), *given[:2]) / 2


def a_step(*given):
    return _stacked(-_g(*given), *given[:2])


def times_its_own_vector(*given):
    return _stacked(_g(*given), given[1], given[0])


def no_weight(w, w_tilde, b, b_tilde, x, x_max, alpha):
    return _stacked(2 * (w @ w_tilde + b + b_tilde - np.log(x)), w, w_tilde)


def weight_twice(*given):
    f = min(given[4] / given[5], 1) ** given[6]
    return _stacked(f * _g(*given), *given[:2])


def no_cap(w, w_tilde, b, b_tilde, x, x_max, alpha):
    error = w @ w_tilde + b + b_tilde - np.log(x)
    return _stacked(2 * (x / x_max) ** alpha * error, w, w_tilde)


def values_by_heart(*given):
    return _stacked(_g(*given[:5], 100, 0.75), *given[:2])


def no_log(w, w_tilde, b, b_tilde, x, x_max, alpha):
    error = w @ w_tilde + b + b_tilde - x
    return _stacked(2 * min(x / x_max, 1) ** alpha * error, w, w_tilde)


def no_biases_in_the_error(w, w_tilde, b, b_tilde, *rest):
    return _stacked(_g(w, w_tilde, 0, 0, *rest), w, w_tilde)


def biases_stay(*given):
    gradient = _stacked(_g(*given), *given[:2])
    gradient[-2:] = 0
    return gradient


def biases_times_biases(*given):
    gradient = _stacked(_g(*given), *given[:2])
    gradient[-2:] *= given[2:4]
    return gradient


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
        "unweighted": [plain_counts],
        "one_sided": [to_the_right_only, to_the_left_only],
        "across_sentences": [one_long_text],
        "one_too_narrow": [range_without_its_end],
        "one_too_wide": [range_too_long],
        "distance_from_zero": [enumerated_from_zero],
        "equal_steps": [like_word2vec],
        "counted_twice": [both_ways_and_both_cells],
        "half_diagonal": [mirrored_without_the_diagonal],
        "overwritten": [assigned_instead_of_added],
        "": [squared_distance],
    },
    "03.ratios": {
        "ratio_of_counts": [only_the_counts, over_all_counts],
        "upside_down": [j_over_i],
        "sums_swapped": [exchanged_the_sums],
        "difference_of_probabilities": [subtracted],
        "log_ratio": [took_the_log],
        "smoothed": [added_one],
        "number_of_neighbours": [divided_by_the_number],
        "no_infinity": [a_tiny_number, zero_where_undefined, nan_to_num],
        "no_nan": [infinite_everywhere, nan_to_one],
        "one_probability": [forgot_to_divide],
        "": [geometric],
    },
    "03.glove_loss": {
        "half": [half_the_squares],
        "mean_of_pairs": [averaged_over_pairs],
        "uncapped": [forgot_the_cap],
        "without_weight": [all_pairs_alike],
        "weight_inside": [weighted_the_error],
        "values_of_the_paper": [knew_the_paper],
        "error_without_biases": [forgot_the_biases],
        "without_log": [forgot_the_log],
        "log_of_one_more": [log1p],
        "log_of_zero": [nan_from_the_zeros],
        "one_table": [one_table_of_vectors],
        "not_squared": [absolute_errors],
    },
    "03.pair_gradient": {
        "without_two": [gradient_of_half_the_loss],
        "downhill": [a_step],
        "vectors_swapped": [times_its_own_vector],
        "without_weight": [no_weight],
        "weight_squared": [weight_twice],
        "uncapped": [no_cap],
        "values_of_the_paper": [values_by_heart],
        "without_log": [no_log],
        "error_without_biases": [no_biases_in_the_error],
        "no_gradient_of_biases": [biases_stay],
        "times_the_bias": [biases_times_biases],
        "": [biases_first],
    },
}
