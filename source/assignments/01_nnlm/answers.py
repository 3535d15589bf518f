"""Known answers to assignment 01, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import collections
import itertools
import math

import numpy as np
import torch
import torch.nn.functional as F
from scipy.optimize import minimize_scalar

# 1. kneser_ney


def with_counters(text, u, w, D):
    c = collections.Counter(zip(text, text[1:], strict=False))
    total = sum(n for (first, _), n in c.items() if first == u)
    lower = len([p for p in c if p[1] == w]) / len(c)
    if total == 0:
        return lower
    kinds = len([p for p in c if p[0] == u])
    return max(c[u, w] - D, 0) / total + D * kinds / total * lower


def with_dictionaries(text, u, w, D):
    after, before = collections.defaultdict(list), collections.defaultdict(set)
    for i in range(len(text) - 1):
        after[text[i]].append(text[i + 1])
        before[text[i + 1]].add(text[i])
    print(after)  # costs nothing
    p = len(before[w]) / sum(map(len, before.values()))
    if u in after:
        words = collections.Counter(after[u])
        p *= sum(min(n, D) for n in words.values()) / words.total()
        p += max(words[w] - D, 0) / words.total()
    return p


def as_a_table(text, u, w, D):
    words = sorted({*text, u})
    counts = np.zeros((len(words), len(words)))
    for first, second in itertools.pairwise(text):
        counts[words.index(first), words.index(second)] += 1
    lower = (counts > 0).sum(0) / (counts > 0).sum()
    row = counts[words.index(u)]
    if row.any():
        lower = (np.maximum(row - D, 0) + D * (row > 0).sum() * lower) / row.sum()
    return lower[words.index(w)]


def _parts(text, u, w):
    """Return the pairs, those after u, and N(. w) / N(. .)."""
    pairs = list(zip(text[:-1], text[1:], strict=True))
    lower = sum(p[1] == w for p in set(pairs)) / len(set(pairs))
    return pairs, [p for p in pairs if p[0] == u], lower


def _mix(after, u, w, D, lower):
    if not after:
        return lower
    c = max(after.count((u, w)) - D, 0)
    return c / len(after) + D * len(set(after)) / len(after) * lower


def nothing_without_context(text, u, w, D):
    _, after, lower = _parts(text, u, w)
    return _mix(after, u, w, D, lower) if after else 0


def u_after_w(text, u, w, D):
    _, after, lower = _parts(text, w, u)
    return _mix(after, w, u, D, lower)


# 2. fair_perplexity


def word_by_word(words, log_probs, known, all_words):
    total = 0.0
    for word, log_p in zip(words, log_probs, strict=True):
        total += log_p
        if word not in known:
            total -= math.log(sum(1 for other in all_words if other not in known))
    return math.exp(-total / len(words))


def with_arrays(words, log_probs, known, all_words):
    unknown = np.array([word not in known for word in words])
    logs = np.array(log_probs) - unknown * np.log(len(all_words) - len(known))
    return np.exp(-logs.mean())


def as_a_product(words, log_probs, known, all_words):
    others = all_words.difference(known)
    p = [math.exp(x) for x in log_probs]
    p = [x if w in known else x / len(others) for w, x in zip(words, p, strict=True)]
    return math.prod(x ** (-1 / len(p)) for x in p)


# 3. nnlm


def as_modules(contexts, C, H, d, U, b, W=None):
    V, m = C.shape
    hidden, output = torch.nn.Linear(*H.shape[::-1]), torch.nn.Linear(*U.shape[::-1])
    hidden.weight.data, hidden.bias.data = H, d
    output.weight.data, output.bias.data = U, b
    x = F.embedding(contexts, C).view(len(contexts), -1)
    y = output(torch.tanh(hidden(x)))
    return F.log_softmax(y if W is None else y + F.linear(x, W), -1)


def one_by_one(contexts, C, H, d, U, b, W=None):
    rows = []
    for context in contexts:
        x = torch.cat([C[i] for i in context])
        y = b + U @ torch.tanh(d + H @ x)
        if W is not None:
            y = y + W @ x
        rows.append(y - y.logsumexp(0))
    return torch.stack(rows)


def in_numpy(contexts, C, H, d, U, b, W=None):
    contexts, C, H, d, U, b = map(np.asarray, (contexts, C, H, d, U, b))
    x = np.eye(len(C))[contexts] @ C  # one-hot vectors
    x = x.reshape(len(x), -1)
    y = b + np.tanh(x @ H.T + d) @ U.T + (0 if W is None else x @ np.asarray(W).T)
    y = y - y.max(1, keepdims=True)
    return y - np.log(np.exp(y).sum(1, keepdims=True))


def _y(x, H, d, U, b, W, inside=torch.tanh):
    y = F.linear(inside(F.linear(x, H, d)), U, b)
    return y if W is None else y + F.linear(x, W)


def the_scores(contexts, C, H, d, U, b, W=None):
    return _y(C[contexts].flatten(1), H, d, U, b, W)


def naive_softmax(contexts, C, H, d, U, b, W=None):
    e = the_scores(contexts, C, H, d, U, b, W).exp()
    return torch.log(e / e.sum(1, keepdim=True))


def naive_logarithm(contexts, C, H, d, U, b, W=None):
    y = the_scores(contexts, C, H, d, U, b, W)
    return y - torch.log(torch.exp(y).sum(1, keepdim=True))


# 4. table_gradient


def in_a_loop(contexts, gradient, V):
    n = contexts.shape[1]
    table = torch.zeros(V, gradient.shape[1] // n)
    for row, g in zip(contexts.tolist(), gradient, strict=True):
        for word, part in zip(row, g.chunk(n), strict=True):
            table[word] += part
    return table


def asked_autograd(contexts, gradient, V):
    C = torch.zeros(V, gradient.shape[1] // contexts.shape[1], requires_grad=True)
    C[contexts].flatten(1).backward(gradient.float())
    return C.grad


def add_at(contexts, gradient, V):
    B, n = contexts.shape
    table = np.zeros((V, gradient.shape[1] // n))
    np.add.at(table, contexts.numpy(), gradient.numpy().reshape(B, n, -1))
    return table


def everything_to_everyone(contexts, gradient, V):
    B, n = contexts.shape
    table = torch.zeros(V, gradient.shape[1] // n).double()
    for b in range(B):
        for word in contexts[b]:
            table[word] += gradient[b].reshape(n, -1).sum(0)
    return table


def transposed(contexts, gradient, V):
    return in_a_loop(contexts, gradient, V).T


# 5. best_weight


def a_thousand_rounds(p, q):
    w = 0.5
    for _ in range(1000):
        share = p * w / (p * w + q * (1 - w))
        w = sum(share) / len(share)
    return w


def by_bisection(p, q):
    low, high = 0.0, 1.0
    while high - low > 1e-6:
        w = (low + high) / 2
        if np.sum((p - q) / (w * p + (1 - w) * q)) > 0:
            low = w
        else:
            high = w
    return low


def by_scipy(p, q):
    def loss(w):
        return -np.log(w * p + (1 - w) * q).mean()

    return minimize_scalar(loss, bounds=(0, 1), method="bounded").x


def in_logarithms(p, q):
    with np.errstate(divide="ignore"):
        p, q = np.log(p), np.log(q)
        w = 0.3
        for _ in range(200):
            both = np.logaddexp(p + np.log(w), q + np.log(1 - w))
            w = np.exp(p + np.log(w) - both).mean()
    return min(max(w, 1e-4), 1 - 1e-4)


@np.errstate(invalid="ignore")
def from_zero(p, q):
    w, before = 0.0, None
    while w != before and not math.isnan(w):
        before, w = w, np.mean(w * p / (w * p + (1 - w) * q))
    return w


def half(p, q):
    return 0.5


RIGHT = {
    "01.kneser_ney": [with_counters, with_dictionaries, as_a_table],
    "01.fair_perplexity": [word_by_word, with_arrays, as_a_product],
    "01.nnlm": [as_modules, one_by_one, in_numpy],
    "01.table_gradient": [in_a_loop, asked_autograd, add_at],
    "01.best_weight": [a_thousand_rounds, by_bisection, by_scipy, in_logarithms],
}

WRONG = {
    "01.kneser_ney": {
        "zero_if_unseen": [nothing_without_context],
        "": [u_after_w],
    },
    "01.nnlm": {
        "overflow": [naive_softmax, naive_logarithm],
    },
    "01.table_gradient": {
        "whole_context": [everything_to_everyone],
        "": [transposed],
    },
    "01.best_weight": {
        "began_at_the_end": [from_zero],
        "": [half],
    },
}
