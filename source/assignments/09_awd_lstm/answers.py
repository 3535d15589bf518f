"""Known answers to assignment 09, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import itertools
import math

import numpy as np
import torch

# 1. weight_drop


def with_torch(x, W, U, coins, p, training):
    x, W, U = (torch.tensor(array) for array in (x, W, U))
    if training:
        U = U * torch.tensor(coins(tuple(U.shape))) / (1 - p)
    h = torch.zeros(U.shape[0], dtype=U.dtype)
    rows = []
    for vector in x.unbind(0):
        h = torch.tanh(W @ vector + U @ h)
        rows.append(h)
    return torch.stack(rows)


def with_inputs_first(x, W, U, coins, p, training):
    H = len(U)
    mask = coins(H, H) / (1 - p) if training else np.ones((H, H))
    a = x @ W.T  # (T, H)
    out = np.zeros_like(a)
    out[0] = np.tanh(a[0])
    for t in range(1, len(a)):
        out[t] = np.tanh(a[t] + (mask * U) @ out[t - 1])
    return out


def number_by_number(x, W, U, coins, p, training):
    H, D = len(U), len(x[0])
    print("H =", H)  # costs nothing
    keep = coins(H * H).reshape(H, H) if training else np.full((H, H), 1 - p)
    h, found = [0.0] * H, []
    for t in range(len(x)):
        h = [
            math.tanh(
                sum(W[i][d] * x[t][d] for d in range(D))
                + sum(U[i][j] * keep[i][j] / (1 - p) * h[j] for j in range(H))
            )
            for i in range(H)
        ]
        found.append(h)
    return found


def only_the_last(x, W, U, coins, p, training):
    return with_inputs_first(x, W, U, coins, p, training)[-1]


# 2. locked


def text_by_text(x, coins, p, training):
    if not training:
        return x
    found = []
    for text in x:
        mask = coins(text.shape[1])
        found.append([row * mask / (1 - p) for row in text])
    return np.array(found)


def repeated(x, coins, p, training):
    B, T, D = x.shape
    mask = np.repeat(coins(B, D)[:, None], T, axis=1) / (1 - p)
    return np.where(training, x * mask, x)


def tensors(x, coins, p, training):
    if training is False:
        return torch.tensor(x)
    B, _, D = x.shape
    mask = torch.as_tensor(coins((B, 1, D)))
    return torch.einsum("btd,bd->btd", torch.tensor(x), mask[:, 0]).div(1 - p)


def _mask(x, coins):
    return coins((x.shape[0], 1, x.shape[2]))


def only_the_mask(x, coins, p, training):
    return _mask(x, coins) / (1 - p)


# 3. windows


def with_a_while(total, u, z, bptt):
    found, done = [], 0
    draws = iter(zip(u, z, strict=True))
    while done != total:
        chance, normal = next(draws)
        length = round((bptt if chance <= 0.95 else bptt / 2) + 5 * normal)
        length = total - done if done + max(length, 5) > total else max(length, 5)
        found += [[length, length / bptt]]
        done += length
    return found


def all_at_once(total, u, z, bptt):
    lengths = np.rint(bptt * np.where(u > 0.95, 0.5, 1.0) + 5 * z).clip(min=5)
    ends = np.minimum(lengths.cumsum(), total)
    lengths = np.diff(ends, prepend=0)
    lengths = lengths[lengths > 0]
    return np.stack([lengths, lengths / bptt], axis=1)


def by_recursion(total, u, z, bptt):
    def rest(left, k):
        if not left:
            return []
        n = bptt - (u[k] > 0.95) * bptt / 2 + 5 * z[k]
        n = int(min(left, max(5, np.floor(n + 0.5))))
        return [(n, n / bptt), *rest(left - n, k + 1)]

    return torch.tensor(rest(total, 0), dtype=torch.float64)


def _windows(total, u, z, bptt, mean=None, length=None):
    mean = mean or (lambda c: bptt / 2 if c > 0.95 else bptt)
    length = length or (lambda m, n: max(5, round(m + 5 * n)))
    found, left = [], total
    for c, n in zip(u, z, strict=True):
        if left <= 0:
            break
        found.append(min(left, length(mean(c), n)))
        left -= found[-1]
    return found


def _rows(lengths, bptt):
    return [(n, n / bptt) for n in lengths]


def no_short_ones(total, u, z, bptt):
    return _rows(_windows(total, u, z, bptt, mean=lambda c: bptt), bptt)


def lengths_only(total, u, z, bptt):
    return _windows(total, u, z, bptt)


# 4. penalty


def with_diff(h, m, alpha, beta):
    jumps = np.diff(h, axis=1)
    still = (jumps**2).sum() / max(jumps.size, 1)
    return alpha * ((h * m) ** 2).mean() + beta * still


def step_by_step(h, m, alpha, beta):
    B, T, D = h.shape
    ar = tar = 0.0
    for b, t in itertools.product(range(B), range(T)):
        ar += np.sum((m[b, 0] * h[b, t]) ** 2) / (B * T * D)
        if t + 1 < T:
            tar += np.sum((h[b, t] - h[b, t + 1]) ** 2) / (B * (T - 1) * D)
    return alpha * ar + beta * tar


def mse(h, m, alpha, beta):
    h, m = torch.tensor(h), torch.tensor(m)
    ar = (m * h).pow(2).mean()
    if h.shape[1] == 1:
        return alpha * ar
    return alpha * ar + beta * torch.nn.functional.mse_loss(h[:, 1:], h[:, :-1])


def axis_zero(h, m, alpha, beta):
    return alpha * np.mean((m * h) ** 2) + beta * np.mean(np.diff(h, axis=0) ** 2)


def forgot_tar(h, m, alpha, beta):
    return alpha * np.mean((m * h) ** 2)


# 5. nt_average


def as_in_the_paper(weights, losses, every, n):
    logs, T, t = [], 0, 0
    for k in range(1, len(weights) + 1):
        if k % every == 0 and T == 0:
            v = losses[t]
            if t > n and v > min(logs[: t - n]):
                T = k
            logs.append(v)
            t += 1
    T = T or len(weights)
    return sum(weights[T - 1 :]) / (len(weights) - T + 1)


def with_running_minimum(weights, losses, every, n):
    best = np.minimum.accumulate(losses)
    stuck = np.flatnonzero(np.array(losses[n + 1 :]) > best[: len(losses) - n - 1])
    if len(stuck) == 0:
        return weights[-1]
    first = every * (stuck[0] + n + 2)
    return np.mean(weights[first - 1 :], axis=0)


def running_average(weights, losses, every, n):
    weights, average, count = torch.tensor(weights), None, 0
    for k, w in enumerate(weights):
        t, late = divmod(k + 1, every)
        early = losses[: max(0, t - 1 - n)]
        if average is None and not late and early and losses[t - 1] > min(early):
            average = torch.zeros_like(w)
        if average is not None:
            count += 1
            average = average + (w - average) / count
    return weights[-1] if average is None else average


def half_of_them(weights, losses, every, n):
    return weights[len(weights) // 2 :].mean(axis=0)


RIGHT = {
    "09.weight_drop": [with_torch, with_inputs_first, number_by_number],
    "09.locked": [text_by_text, repeated, tensors],
    "09.windows": [with_a_while, all_at_once, by_recursion],
    "09.penalty": [with_diff, step_by_step, mse],
    "09.nt_average": [as_in_the_paper, with_running_minimum, running_average],
}

WRONG = {
    "09.weight_drop": {
        "": [only_the_last],
    },
    "09.locked": {
        "": [only_the_mask],
    },
    "09.windows": {
        "never_short": [no_short_ones],
        "": [lengths_only],
    },
    "09.penalty": {
        "from_text_to_text": [axis_zero],
        "": [forgot_tar],
    },
    "09.nt_average": {
        "": [half_of_them],
    },
}
