"""Known answers to assignment 05, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import itertools

import numpy as np
import torch
from scipy.special import logsumexp

from course_lib.models.crf import CRF


def layer(x, W):  # stands at the top of the notebook
    zero = np.zeros((1, x.shape[1]))
    around = np.concatenate([zero, x[:-1]]) + np.concatenate([x[1:], zero])
    return np.tanh((x + 0.5 * around) @ W)


# 1. log_partition


def from_the_right(scores, A, start, end):
    beta = end
    for row in scores[:0:-1]:
        beta = logsumexp(A + row + beta, axis=1)
    return logsumexp(start + scores[0] + beta)


def every_sequence(scores, A, start, end):
    T, K = scores.shape
    totals = []
    for y in itertools.product(range(K), repeat=T):
        total = start[y[0]] + end[y[-1]] + scores[range(T), y].sum()
        totals.append(total + sum(A[y[t - 1], y[t]] for t in range(1, T)))
    return logsumexp(totals)


def with_torch(scores, A, start, end):
    scores, A, start, end = map(torch.tensor, (scores, A, start, end))
    alpha = start + scores[0]
    for t in range(1, len(scores)):
        alpha = torch.logsumexp(alpha.unsqueeze(1) + A + scores[t], dim=0)
    print(alpha)
    return torch.logsumexp(alpha + end, dim=0)


def by_the_course(scores, A, start, end):
    crf = CRF(len(A)).double()
    crf.transitions.data, crf.start.data, crf.end.data = map(
        torch.tensor, (A, start, end)
    )
    scores = torch.tensor(scores)[None]
    return crf.partition(scores, torch.ones(scores.shape[:2], dtype=torch.bool))[0]


def one_number_a_tag(scores, A, start, end):
    alpha = start + scores[0]
    for row in scores[1:]:
        alpha = logsumexp(alpha[:, None] + A, axis=0) + row
    return alpha + end


# 2. viterbi


def best_of_all(scores, A, start, end):
    T, K = scores.shape

    def total(y):
        pairs = sum(A[a, b] for a, b in zip(y, y[1:], strict=False))
        return start[y[0]] + end[y[-1]] + scores[range(T), y].sum() + pairs

    return max(itertools.product(range(K), repeat=T), key=total)


def whole_paths(scores, A, start, end):
    K = len(A)
    paths = {k: (start[k] + scores[0, k], [k]) for k in range(K)}
    for row in scores[1:]:
        paths = {
            k: max(
                (value + A[path[-1], k] + row[k], [*path, k])
                for value, path in paths.values()
            )
            for k in range(K)
        }
    return np.array(max((v + end[p[-1]], p) for v, p in paths.values())[1])


def viterbi_of_the_course(scores, A, start, end):
    crf = CRF(len(A)).double()
    crf.transitions.data, crf.start.data, crf.end.data = map(
        torch.tensor, (A, start, end)
    )
    scores = torch.tensor(scores)[None]
    return crf.decode(scores, torch.ones(scores.shape[:2], dtype=torch.bool))[0]


def left_to_right(scores, A, start, end):
    path = [np.argmax(scores[0] + start)]
    for t in range(1, len(scores)):
        step = scores[t] + A[path[-1]]
        if t == len(scores) - 1:
            step = step + end
        path.append(np.argmax(step))
    return path


def likeliest_tags(scores, A, start, end):
    x = torch.tensor(scores, requires_grad=True)
    alpha = torch.tensor(start) + x[0]
    for row in x[1:]:
        alpha = torch.logsumexp(alpha[:, None] + torch.tensor(A), 0) + row
    torch.logsumexp(alpha + torch.tensor(end), 0).backward()
    return x.grad.argmax(1)


def one_tag_short(scores, A, start, end):
    return whole_paths(scores, A, start, end)[1:]


# 3. tag_scores


def if_and_else(x, g, place, W1, W2, W3):
    if place == "input":
        return layer(layer(np.concatenate((x, g), 1), W1), W2) @ W3
    h1 = layer(x, W1)
    if place == "after first":
        return layer(np.concatenate((h1, g), 1), W2) @ W3
    return np.concatenate((layer(h1, W2), g), 1) @ W3


def two_products(x, g, place, W1, W2, W3):
    """Rows of their own: [h; g] @ W is h @ W_h + g @ W_g."""

    def spread(h):
        zero = np.zeros_like(h[:1])
        return h + 0.5 * (np.vstack([zero, h[:-1]]) + np.vstack([h[1:], zero]))

    def joined(h, W, mix):
        n = h.shape[1]
        return mix(h) @ W[:n] + (mix(g) @ W[n:] if len(W) > n else 0)

    h1 = np.tanh(joined(x, W1, spread))
    h2 = np.tanh(joined(h1, W2, spread))
    return joined(h2, W3, lambda h: h)


def in_torch(x, g, place, W1, W2, W3):
    steps = [("input", W1), ("after first", W2), ("after second", W3)]
    for at, W in steps:
        if at == place:
            x = torch.cat([torch.as_tensor(x), torch.as_tensor(g)], dim=-1).numpy()
        x = x @ W if W is W3 else layer(x, W)
    return x


def one_layer_less(x, g, place, W1, W2, W3):
    if place == "after second":
        return np.hstack([layer(x, W1), g]) @ W3
    return if_and_else(x, g, place, W1, W2, W3)


# 4. lm_features


def by_shape(layers, way):
    _, _, double = layers.shape
    return layers[-1, :, : {"forward": double // 2, "both": double}[way]]


def by_split(layers, way):
    return np.split(layers[-1], 2, axis=1)[0] if way == "forward" else layers[-1]


def as_a_tensor(layers, way):
    forward, backward = torch.as_tensor(layers)[-1].chunk(2, dim=1)
    return forward if way == "forward" else torch.cat([forward, backward], 1)


# 5. later_words_seen


def one_pair_at_a_time(read, T, D):
    x = np.random.normal(size=(T, D))
    seen = []
    for t in range(T):
        count = 0
        for s in range(t + 1, T):
            other = x.copy()
            other[s] += np.random.normal(size=D)
            count += not np.allclose(read(other)[t], read(x)[t], rtol=0, atol=1e-7)
        seen.append(count)
    return seen


def by_a_table(read, T, D):
    x = np.random.rand(T, D) + 1
    table = np.zeros((T, T))
    for s in range(T):
        other = x.copy()
        other[s] *= 1.7
        table[:, s] = np.abs(read(other) - read(x)).max(axis=1) > 1e-7
    return np.triu(table, k=1).sum(axis=1)


def many_times(read, T, D):
    rng, table = np.random.default_rng(5), np.zeros((T, T), bool)
    for _ in range(4):
        x = rng.uniform(-2, 2, size=(T, D))
        for s in range(T):
            other = x.copy()
            other[s] = rng.uniform(-2, 2, size=D)
            table[:, s] |= (abs(read(x) - read(other)) > 1e-7).any(1)
    return torch.tensor(table).triu(1).sum(1)


def table_of(read, T, D):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(T, D))
    columns = []
    for s in range(T):
        other = x.copy()
        other[s] = rng.normal(size=D)
        columns.append((abs(read(other) - read(x)) > 2e-8).any(axis=1))
    return np.array(columns).T  # (t, s)


def with_itself(read, T, D):
    return np.triu(table_of(read, T, D)).sum(1)


def leaks_or_not(read, T, D):
    return np.triu(table_of(read, T, D), 1).any(1)


def trusted_it(read, T, D):
    return np.zeros(T)


def by_norms_of_changes(read, T, D):
    x = np.random.rand(T, D)
    before, counts = read(x), torch.zeros(T, dtype=torch.long)
    for s in range(1, T):
        other = x.copy()
        other[s] = np.random.rand(D)[::-1] - 0.5
        moved = np.linalg.norm(read(other)[:s] - before[:s], axis=1)
        counts[:s] += torch.from_numpy(moved > 5e-7)
    return counts


def to_the_last_digit(read, T, D):
    x = np.random.rand(T, D)
    before, counts = read(x), []
    for t in range(T):
        count = 0
        for s in range(t + 1, T):
            other = x.copy()
            other[s] = np.random.rand(D) - 0.5
            count += any(read(other)[t] != before[t])
        counts.append(count)
    return counts


def with_a_thousandth(read, T, D):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(T, D))
    table = np.zeros((T, T))
    for s in range(T):
        other = x.copy()
        other[s] = rng.normal(size=D)
        table[:, s] = abs(read(other) - read(x)).max(axis=1) > 0.001
    return np.triu(table, k=1).sum(axis=1)


def one_peak_for_all(scores, A, start, end):
    a = start + scores[0]
    with np.errstate(divide="ignore"):
        for row in scores[1:]:
            ways = a[:, None] + A
            a = ways.max() + np.log(np.exp(ways - ways.max()).sum(axis=0)) + row
    return np.logaddexp.reduce(a + end)


RIGHT = {
    "05.log_partition": [from_the_right, every_sequence, with_torch, by_the_course],
    "05.viterbi": [best_of_all, whole_paths, viterbi_of_the_course],
    "05.tag_scores": [if_and_else, two_products, in_torch],
    "05.lm_features": [by_shape, by_split, as_a_tensor],
    "05.later_words_seen": [
        one_pair_at_a_time,
        many_times,
        by_norms_of_changes,
    ],
}

WRONG = {
    "05.log_partition": {
        "one_number_a_tag": [one_number_a_tag],
        "": [one_peak_for_all],
    },
    "05.viterbi": {
        "greedy": [left_to_right],
        "marginals": [likeliest_tags],
        "": [one_tag_short],
    },
    "05.tag_scores": {
        "": [one_layer_less],
    },
    "05.later_words_seen": {
        "itself_counted": [with_itself],
        "yes_or_no": [leaks_or_not],
        "scaled": [by_a_table],
        "compared_exactly": [to_the_last_digit],
        "only_large_changes": [with_a_thousandth],
        "": [trusted_it],
    },
}
