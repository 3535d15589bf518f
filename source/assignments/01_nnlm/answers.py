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


def frequent_words(text, u, w, D):
    _, after, _ = _parts(text, u, w)
    return _mix(after, u, w, D, collections.Counter(text)[w] / len(text))


def what_follows_w(text, u, w, D):
    pairs, after, _ = _parts(text, u, w)
    lower = len({b for a, b in pairs if a == w}) / len(set(pairs))
    return _mix(after, u, w, D, lower)


def over_all_tokens(text, u, w, D):
    pairs, after, _ = _parts(text, u, w)
    return _mix(after, u, w, D, len({a for a, b in pairs if b == w}) / len(pairs))


def forgot_the_discount(text, u, w, D):
    _, after, lower = _parts(text, u, w)
    if not after:
        return lower
    return (after.count((u, w)) + D * len(set(after)) * lower) / len(after)


def negative_counts(text, u, w, D):
    _, after, lower = _parts(text, u, w)
    if not after:
        return lower
    return (after.count((u, w)) - D + D * len(set(after)) * lower) / len(after)


def forgot_the_second_term(text, u, w, D):
    _, after, lower = _parts(text, u, w)
    return max(after.count((u, w)) - D, 0) / len(after) if after else lower


def only_if_unseen(text, u, w, D):
    pairs, after, lower = _parts(text, u, w)
    if (u, w) in pairs:
        return (pairs.count((u, w)) - D) / len(after)
    return D * len(set(after)) / len(after) * lower if after else lower


def all_the_mass(text, u, w, D):
    _, after, lower = _parts(text, u, w)
    return max(after.count((u, w)) - D, 0) / len(after) + D * lower if after else lower


def nothing_without_context(text, u, w, D):
    _, after, lower = _parts(text, u, w)
    return _mix(after, u, w, D, lower) if after else 0


def counted_words(text, u, w, D):
    c = collections.Counter(itertools.pairwise(text))
    lower = sum(b == w for _, b in c) / len(c)
    total = collections.Counter(text)[u]
    if total == 0:
        return lower
    freed = D * sum(a == u for a, _ in c)
    return (max(c[u, w] - D, 0) + freed * lower) / total


def maximum_likelihood(text, u, w, D):
    _, after, _ = _parts(text, u, w)
    return after.count((u, w)) / len(after) if after else 0.0


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


def _unknown(words, known):
    return [word for word in words if word not in known]


def _with(words, log_probs, charges, choices):
    nats = charges * np.log(choices) - np.sum(log_probs)
    return float(np.exp(nats / len(words)))


def plain_perplexity(words, log_probs, known, all_words):
    return np.exp(-np.mean(log_probs))


def looked_for_the_mark(words, log_probs, known, all_words):
    others = len(all_words - known)
    return _with(words, log_probs, words.count("<unk>"), others)


def ignored_unknown_words(words, log_probs, known, all_words):
    logs = [x for word, x in zip(words, log_probs, strict=True) if word in known]
    return math.exp(-sum(logs) / len(logs)) if logs else 1.0


def divided_by_known_words(words, log_probs, known, all_words):
    n = len(_unknown(words, known))
    nats = n * math.log(len(all_words - known)) - sum(log_probs)
    return math.exp(nats / (len(words) - n or 1))


def one_of_all_words(words, log_probs, known, all_words):
    return _with(words, log_probs, len(_unknown(words, known)), len(all_words))


def one_of_the_known(words, log_probs, known, all_words):
    return _with(words, log_probs, len(_unknown(words, known)), len(known))


def one_of_this_text(words, log_probs, known, all_words):
    unknown = _unknown(words, known)
    return _with(words, log_probs, len(unknown), len(set(unknown)) or 1)


def once_per_word(words, log_probs, known, all_words):
    unknown = set(words) - known
    return _with(words, log_probs, len(unknown), len(all_words - known))


def paid_back(words, log_probs, known, all_words):
    unknown = _unknown(words, known)
    return _with(words, log_probs, -len(unknown), len(all_words - known))


def only_the_loss(words, log_probs, known, all_words):
    return math.log(word_by_word(words, log_probs, known, all_words))


def in_bits(words, log_probs, known, all_words):
    return 2 ** only_the_loss(words, log_probs, known, all_words)


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


def nearest_word_first(contexts, C, H, d, U, b, W=None):
    x = torch.cat([C[i] for i in contexts.T.flip(0)], 1)
    return _y(x, H, d, U, b, W).log_softmax(1)


def feature_after_feature(contexts, C, H, d, U, b, W=None):
    x = torch.stack([C[i] for i in contexts.T], 2).flatten(1)
    return _y(x, H, d, U, b, W).log_softmax(1)


def forgot_tanh(contexts, C, H, d, U, b, W=None):
    return _y(C[contexts].flatten(1), H, d, U, b, W, lambda z: z).log_softmax(1)


def added_d_later(contexts, C, H, d, U, b, W=None):
    x = C[contexts].flatten(1)
    y = b + (torch.tanh(x @ H.T) + d) @ U.T
    return (y if W is None else y + x @ W.T).log_softmax(1)


def never_used_W(contexts, C, H, d, U, b, W=None):
    return _y(C[contexts].flatten(1), H, d, U, b, None).log_softmax(1)


def never_used_b(contexts, C, H, d, U, b, W=None):
    return _y(C[contexts].flatten(1), H, d, U, None, W).log_softmax(1)


def the_scores(contexts, C, H, d, U, b, W=None):
    return _y(C[contexts].flatten(1), H, d, U, b, W)


def the_softmax(contexts, C, H, d, U, b, W=None):
    return torch.softmax(the_scores(contexts, C, H, d, U, b, W), 1)


def softmax_of_columns(contexts, C, H, d, U, b, W=None):
    return the_scores(contexts, C, H, d, U, b, W).log_softmax(0)


def naive_softmax(contexts, C, H, d, U, b, W=None):
    e = the_scores(contexts, C, H, d, U, b, W).exp()
    return torch.log(e / e.sum(1, keepdim=True))


def naive_logarithm(contexts, C, H, d, U, b, W=None):
    y = the_scores(contexts, C, H, d, U, b, W)
    return y - torch.log(torch.exp(y).sum(1, keepdim=True))


def squashed_twice(contexts, C, H, d, U, b, W=None):
    return the_scores(contexts, C, H, d, U, b, W).tanh().log_softmax(1)


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


def _cut(contexts, gradient):
    return contexts.flatten(), gradient.reshape(contexts.numel(), -1)


def plus_equals(contexts, gradient, V):
    words, parts = map(np.asarray, _cut(contexts, gradient))
    table = np.zeros((V, parts.shape[1]))
    table[words] += parts
    return table


def assigned(contexts, gradient, V):
    words, parts = map(np.asarray, _cut(contexts, gradient))
    table = np.zeros((V, parts.shape[1]))
    table[words] = parts
    return table


def mean_of_places(contexts, gradient, V):
    words, parts = _cut(contexts, gradient)
    table = np.zeros((V, parts.shape[1]))
    for word in set(words.tolist()):
        table[word] = parts[words == word].mean(0)
    return table


def mean_of_the_batch(contexts, gradient, V):
    return in_a_loop(contexts, gradient / gradient.shape[0], V)


def wrong_cut(contexts, gradient, V):
    n = contexts.shape[1]
    order = torch.arange(gradient.shape[1]).reshape(-1, n).T.flatten()
    return in_a_loop(contexts, gradient[:, order], V)


def last_word_only(contexts, gradient, V):
    part = gradient.reshape(*contexts.shape, -1)[:, -1]
    return in_a_loop(contexts[:, -1:], part, V)


def descended(contexts, gradient, V):
    return in_a_loop(contexts, -1 * gradient, V)


def without_empty_rows(contexts, gradient, V):
    return in_a_loop(contexts, gradient, V)[sorted(set(contexts.flatten().tolist()))]


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


def thirty_rounds(p, q):
    w = 0.5
    for _ in range(30):
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


def first_step(p, q):
    return float(np.mean(p / (p + q)))


def most_words(p, q):
    return np.sum(p > q) / len(p)


def for_the_other(p, q):
    return 1 - thirty_rounds(p, q)


def compared_means(p, q):
    return np.mean(p) / (np.mean(p) + np.mean(q))


def compared_sums(p, q):
    return 1 / (1 + sum(q) / sum(p))


def _grid(p, q, weights):
    best, most = None, -math.inf
    for w in weights:
        mixture = w * p + (1 - w) * q
        found = np.log(mixture).sum() if (mixture > 0).all() else -math.inf
        if found > most:
            best, most = w, found
    return best


def ten_weights(p, q):
    return _grid(p, q, [i / 10 for i in range(11)])


def hundred_weights(p, q):
    return _grid(p, q, [i / 100 for i in range(101)])


def forgot_one_minus_w(p, q):
    w = 0.5
    for _ in range(100):
        w = np.mean(p * w / (p * w + q))
    return w


@np.errstate(invalid="ignore")
def from_one(p, q):
    weights = np.array([1.0, 0.0])
    for _ in range(100):
        parts = weights[:, None] * np.stack([p, q])  # (2, T)
        weights = (parts / parts.sum(0)).mean(1)
    return weights[0]


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
    "01.best_weight": [thirty_rounds, by_bisection, by_scipy, in_logarithms],
}

WRONG = {
    "01.kneser_ney": {
        "unigrams_below": [frequent_words],
        "words_after": [what_follows_w],
        "divided_by_tokens": [over_all_tokens],
        "not_discounted": [forgot_the_discount],
        "below_zero": [negative_counts],
        "not_handed_on": [forgot_the_second_term],
        "backed_off": [only_if_unseen],
        "tokens_handed_on": [all_the_mass],
        "last_word_counted": [counted_words],
        "zero_if_unseen": [nothing_without_context],
        "relative_frequency": [maximum_likelihood],
        "": [u_after_w],
    },
    "01.fair_perplexity": {
        "unfair": [plain_perplexity, looked_for_the_mark],
        "skipped": [ignored_unknown_words],
        "divided_by_known": [divided_by_known_words],
        "among_all": [one_of_all_words],
        "among_the_texts_own": [one_of_this_text],
        "paid_once": [once_per_word],
        "refunded": [paid_back],
        "no_exp": [only_the_loss],
        "base_two": [in_bits],
        "among_known": [one_of_the_known],
    },
    "01.nnlm": {
        "words_turned": [nearest_word_first],
        "features_mixed": [feature_after_feature],
        "no_tanh": [forgot_tanh],
        "without_W": [never_used_W],
        "only_scores": [the_scores],
        "probabilities": [the_softmax],
        "over_the_batch": [softmax_of_columns],
        "overflow": [naive_softmax, naive_logarithm],
        "scores_squashed": [squashed_twice],
        "without_b": [never_used_b],
        "d_outside": [added_d_later],
    },
    "01.table_gradient": {
        "last_one_wins": [plus_equals, assigned],
        "averaged": [mean_of_places],
        "divided_by_batch": [mean_of_the_batch],
        "cut_across": [wrong_cut],
        "only_the_nearest": [last_word_only],
        "a_step": [descended],
        "only_seen_rows": [without_empty_rows],
        "whole_context": [everything_to_everyone],
        "": [transposed],
    },
    "01.best_weight": {
        "one_step": [first_step],
        "votes": [most_words],
        "weight_of_q": [for_the_other],
        "by_means": [compared_means, compared_sums],
        "hundredths": [hundred_weights],
        "tenths": [ten_weights],
        "q_unweighted": [forgot_one_minus_w],
        "began_at_the_end": [from_one, from_zero],
        "": [half],
    },
}
