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


def _run(x, W, U):
    h, found = 0 * U[0], []
    for vector in x:
        h = np.tanh(W @ vector + U @ h)
        found.append(h)
    return np.array(found)


def tossed_in_the_loop(x, W, U, coins, p, training):
    h, found = np.zeros(len(U)), []
    for vector in x:
        V = U * coins(U.shape) / (1 - p) if training else U
        h = np.tanh(W @ vector + V @ h)
        found.append(h)
    return np.array(found)


def ordinary_dropout(x, W, U, coins, p, training):
    h, found = np.zeros(len(U)), []
    for vector in x:
        if training:
            h = h * coins(h.shape) / (1 - p)
        h = np.tanh(W @ vector + U @ h)
        found.append(h)
    return np.array(found)


def variational_state(x, W, U, coins, p, training):
    mask = coins(len(U)) / (1 - p) if training else 1.0
    h, found = np.zeros(len(U)), []
    for vector in x:
        h = np.tanh(W @ vector + U @ (mask * h))
        found.append(h)
    return np.array(found)


def thinned_the_input(x, W, U, coins, p, training):
    return _run(x, W * coins(W.shape) / (1 - p) if training else W, U)


def thinned_both(x, W, U, coins, p, training):
    if training:
        W = W * coins(W.shape) / (1 - p)
        U = U * coins(U.shape) / (1 - p)
    return _run(x, W, U)


def forgot_to_scale(x, W, U, coins, p, training):
    return _run(x, W, U * coins(U.shape) if training else U)


def over_p(x, W, U, coins, p, training):
    return _run(x, W, U * coins(U.shape) / p if training else U)


def times_one_minus_p(x, W, U, coins, p, training):
    return _run(x, W, U * coins(U.shape) * (1 - p) if training else U)


def always_dropping(x, W, U, coins, p, training):
    return _run(x, W, U * coins(U.shape) / (1 - p))


def as_in_2014(x, W, U, coins, p, training):
    return _run(x, W, U * coins(U.shape) if training else U * (1 - p))


def ones_are_dropped(x, W, U, coins, p, training):
    return _run(x, W, U * (1 - coins(U.shape)) / (1 - p) if training else U)


def state_in_front(x, W, U, coins, p, training):
    V = U * coins(U.shape) / (1 - p) if training else U
    return _run(x, W, V.T)


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


def _locked(x, mask, p, training):
    return x * mask / (1 - p) if training else x


def same_shape_as_x(x, coins, p, training):
    return _locked(x, coins(x.shape), p, training)


def one_mask(x, coins, p, training):
    return _locked(x, coins(x.shape[2]), p, training)


def time_first(x, coins, p, training):
    return _locked(x, coins(x.shape[1:]), p, training)


def dropped_words(x, coins, p, training):
    return _locked(x, coins(*x.shape[:2], 1), p, training)


def dropped_texts(x, coins, p, training):
    return _locked(x, coins(len(x), 1, 1), p, training)


def _mask(x, coins):
    return coins((x.shape[0], 1, x.shape[2]))


def zeros_and_ones(x, coins, p, training):
    return x * _mask(x, coins) if training else x


def divided_by_p(x, coins, p, training):
    return x * _mask(x, coins) / p if training else x


def multiplied(x, coins, p, training):
    return x * _mask(x, coins) * (1 - p) if training else x


def never_off(x, coins, p, training):
    return x * _mask(x, coins) / (1 - p)


def scaled_later(x, coins, p, training):
    return x * _mask(x, coins) if training else x * (1 - p)


def dropped_the_kept(x, coins, p, training):
    return x * (_mask(x, coins) == 0) / (1 - p) if training else x


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


def wrong_way_round(total, u, z, bptt):
    mean = lambda c: bptt if c > 0.95 else bptt / 2  # noqa: E731
    return _rows(_windows(total, u, z, bptt, mean=mean), bptt)


def halved_everything(total, u, z, bptt):
    length = lambda m, n: max(5, round(m * (1 + 5 * n / bptt)))  # noqa: E731
    return _rows(_windows(total, u, z, bptt, length=length), bptt)


def with_int(total, u, z, bptt):
    length = lambda m, n: max(5, int(m + 5 * n))  # noqa: E731
    return _rows(_windows(total, u, z, bptt, length=length), bptt)


def very_short_ones(total, u, z, bptt):
    length = lambda m, n: max(0, round(m + 5 * n))  # noqa: E731
    return _rows(_windows(total, u, z, bptt, length=length), bptt)


def beyond_the_end(total, u, z, bptt):
    found, done = [], 0
    while done < total:
        k = len(found)
        found.append(max(5, round((bptt / 2 if u[k] > 0.95 else bptt) + 5 * z[k])))
        done += found[-1]
    return _rows(found, bptt)


def dropped_the_end(total, u, z, bptt):
    return _rows(_windows(total, u, z, bptt)[:-1], bptt)


def same_rate(total, u, z, bptt):
    return [(n, 1) for n in _windows(total, u, z, bptt)]


def short_ones_faster(total, u, z, bptt):
    return [(n, bptt / n) for n in _windows(total, u, z, bptt)]


def beside_its_own_mean(total, u, z, bptt):
    means = [bptt / 2 if c > 0.95 else bptt for c in u]
    lengths = _windows(total, u, z, bptt)
    return [(n, n / m) for n, m in zip(lengths, means, strict=False)]


def rate_before_the_draw(total, u, z, bptt):
    rates = [0.5 if c > 0.95 else 1.0 for c in u]
    return list(zip(_windows(total, u, z, bptt), rates, strict=False))


def rate_then_length(total, u, z, bptt):
    return [(n / bptt, n) for n in _windows(total, u, z, bptt)]


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


def _tar(h):
    return np.mean((h[:, 1:] - h[:, :-1]) ** 2) if h.shape[1] > 1 else 0.0


def jumps_with_mask(h, m, alpha, beta):
    return alpha * np.mean((m * h) ** 2) + beta * _tar(m * h)


def maskless(h, m, alpha, beta):
    return alpha * np.mean(h**2) + beta * _tar(h)


def mask_on_tar(h, m, alpha, beta):
    return alpha * np.mean(h**2) + beta * _tar(h * m)


def absolute(h, m, alpha, beta):
    tar = np.abs(np.diff(h, axis=1)).mean() if h.shape[1] > 1 else 0.0
    return alpha * np.abs(m * h).mean() + beta * tar


def l2_norms(h, m, alpha, beta):
    tar = np.linalg.norm(np.diff(h, axis=1), axis=2).mean() if h.shape[1] > 1 else 0.0
    return alpha * np.linalg.norm(m * h, axis=2).mean() + beta * tar


def added_up(h, m, alpha, beta):
    return alpha * np.sum((m * h) ** 2) + beta * np.sum(np.diff(h, axis=1) ** 2)


def squared_norms(h, m, alpha, beta):
    return with_diff(h, m, alpha, beta) * h.shape[2]


def exchanged(h, m, alpha, beta):
    return beta * np.mean((m * h) ** 2) + alpha * _tar(h)


def divided_by_all(h, m, alpha, beta):
    tar = np.sum(np.diff(h, axis=1) ** 2) / h.size
    return alpha * np.mean((m * h) ** 2) + beta * tar


def rolled(h, m, alpha, beta):
    tar = np.mean((h - np.roll(h, 1, axis=1)) ** 2)
    return alpha * np.mean((m * h) ** 2) + beta * tar


def axis_zero(h, m, alpha, beta):
    return alpha * np.mean((m * h) ** 2) + beta * np.mean(np.diff(h, axis=0) ** 2)


def mean_of_nothing(h, m, alpha, beta):
    return alpha * np.mean((m * h) ** 2) + beta * np.mean(np.diff(h, axis=1) ** 2)


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


def _begun(losses, rule):
    return next((t for t in range(len(losses)) if rule(t, losses[t])), None)


def _mean_from(weights, every, t, extra=0):
    return weights[-1] if t is None else weights[every * (t + 1) - 1 + extra :].mean(0)


def worse_than_before(weights, losses, every, n):
    t = _begun(losses, lambda t, v: t and v > losses[t - 1])
    return _mean_from(weights, every, t)


def plain_early_stopping(weights, losses, every, n):
    t = _begun(losses, lambda t, v: t and v > min(losses[:t]))
    return _mean_from(weights, every, t)


def beside_a_single_one(weights, losses, every, n):
    t = _begun(losses, lambda t, v: t > n and v > losses[t - n - 1])
    return _mean_from(weights, every, t)


def beside_the_last(weights, losses, every, n):
    t = _begun(losses, lambda t, v: t > n and v > min(losses[t - n : t]))
    return _mean_from(weights, every, t)


def one_check_more(weights, losses, every, n):
    t = _begun(losses, lambda t, v: t >= n and v > min(losses[: t - n + 1]))
    return _mean_from(weights, every, t)


def _right(losses, n):
    return _begun(losses, lambda t, v: t > n and v > min(losses[: t - n]))


def mean_of_all(weights, losses, every, n):
    return weights[-1] if _right(losses, n) is None else weights.mean(axis=0)


def one_step_later(weights, losses, every, n):
    return _mean_from(weights, every, _right(losses, n), extra=1)


def forgot_every(weights, losses, every, n):
    return _mean_from(weights, 1, _right(losses, n))


def one_check_early(weights, losses, every, n):
    return _mean_from(weights, every, _right(losses, n), extra=1 - every)


def no_average(weights, losses, every, n):
    return weights[-1]


def last_trigger(weights, losses, every, n):
    found = None
    for t in range(n + 1, len(losses)):
        if losses[t] > min(losses[: t - n]):
            found = t
    return _mean_from(weights, every, found)


def early_stopping(weights, losses, every, n):
    return weights[every - 1 :: every][np.argmin(losses)]


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
        "new_each_step": [tossed_in_the_loop],
        "on_the_state": [ordinary_dropout],
        "on_the_state_once": [variational_state],
        "on_the_input_matrix": [thinned_the_input],
        "on_both_matrices": [thinned_both],
        "weights_not_scaled": [forgot_to_scale],
        "weights_over_p": [over_p],
        "weights_shrunk": [times_one_minus_p],
        "drops_in_evaluation": [always_dropping],
        "scaled_in_evaluation": [as_in_2014],
        "coins_reversed": [ones_are_dropped],
        "U_transposed": [state_in_front],
        "": [only_the_last],
    },
    "09.locked": {
        "every_step_anew": [same_shape_as_x],
        "all_texts_alike": [one_mask],
        "locked_over_texts": [time_first],
        "whole_steps": [dropped_words],
        "whole_texts": [dropped_texts],
        "features_not_scaled": [zeros_and_ones],
        "features_over_p": [divided_by_p],
        "features_shrunk": [multiplied],
        "on_in_evaluation": [never_off],
        "evaluation_shrunk": [scaled_later],
        "features_reversed": [dropped_the_kept],
        "": [only_the_mask],
    },
    "09.windows": {
        "never_short": [no_short_ones],
        "mostly_short": [wrong_way_round],
        "spread_halved": [halved_everything],
        "cut_off": [with_int],
        "no_minimum": [very_short_ones],
        "over_the_end": [beyond_the_end],
        "end_left_out": [dropped_the_end],
        "constant_rate": [same_rate],
        "rate_upside_down": [short_ones_faster],
        "rate_of_its_mean": [beside_its_own_mean],
        "rate_of_the_draw": [rate_before_the_draw],
        "rate_first": [rate_then_length],
        "": [lengths_only],
    },
    "09.penalty": {
        "jumps_of_the_dropped": [jumps_with_mask],
        "no_mask": [maskless],
        "masks_swapped": [mask_on_tar],
        "not_squared": [absolute],
        "lengths": [l2_norms],
        "sums": [added_up],
        "sums_over_features": [squared_norms],
        "alpha_and_beta": [exchanged],
        "one_jump_too_many": [divided_by_all],
        "round_the_corner": [rolled],
        "from_text_to_text": [axis_zero],
        "no_step_is_nan": [mean_of_nothing],
        "": [forgot_tar],
    },
    "09.nt_average": {
        "any_rise": [worse_than_before, plain_early_stopping],
        "than_one": [beside_a_single_one],
        "than_the_last": [beside_the_last],
        "n_minus_one": [one_check_more],
        "from_the_start": [mean_of_all],
        "after_that_step": [one_step_later],
        "checks_for_steps": [forgot_every],
        "a_check_too_early": [one_check_early],
        "last_weights": [no_average],
        "begun_again": [last_trigger],
        "best_weights": [early_stopping],
        "": [half_of_them],
    },
}
