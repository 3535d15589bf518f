"""Known answers to assignment 13, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch.nn import functional as F

# 1. attend


def torchs_own(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def head_by_head(q, k, v):
    found = torch.zeros_like(v)
    for h in range(len(q)):
        for i in range(q.shape[1]):
            scores = torch.stack([q[h, i] @ k[h, j] for j in range(i + 1)])
            weights = torch.softmax(scores / math.sqrt(q.shape[-1]), dim=0)
            found[h, i] = weights @ v[h, : i + 1]
    return found


def with_numpy(q, k, v):
    q, k, v = (x.numpy() for x in (q, k, v))
    scores = np.einsum("hid,hjd->hij", q, k) / np.sqrt(q.shape[2])
    scores = np.exp(scores - scores.max()) * np.tri(q.shape[1])
    print(scores.shape)  # costs nothing
    return scores / scores.sum(axis=2, keepdims=True) @ v


def _attend(q, k, v, mask=None, scale=None, dim=-1):
    scores = q @ k.mT / (math.sqrt(q.shape[-1]) if scale is None else scale)
    T = q.shape[1]
    if mask is None:
        mask = torch.ones(T, T).tril() == 0
    return scores.masked_fill(mask, float("-inf")).softmax(dim) @ v


def quite_soft(q, k, v):
    return _attend(q, k, v, scale=3 * q.size(-1) ** 0.5)


# 2. heads


def with_chunks(x, H, look):
    found = look(torch.stack(x.chunk(H, dim=1)))
    return torch.cat([*found], dim=1)


def with_permutes(x, H, look):
    T, D = x.shape
    parts = x.reshape(T, H, -1).permute(1, 0, 2)
    return look(parts).permute(1, 0, 2).contiguous().view(T, D)


def with_einsum(x, H, look):
    d = x.shape[1] // H
    found = look(torch.stack([x[:, i : i + d] for i in range(0, x.shape[1], d)]))
    out = torch.empty_like(x)
    for h in range(H):
        out[:, h * d : (h + 1) * d] = found[h]
    return out


def reversed_split(x, H, look):
    return with_chunks(x.flip(1), H, look)


# 3. sees


def by_backward(f, x):
    x = x.clone().requires_grad_()
    T, D = x.shape
    found = torch.zeros(T, T)
    for i in range(T):
        for a in range(D):
            x.grad = None
            f(x)[i, a].backward()
            found[i] += (x.grad != 0).any(dim=1)
    return found.clamp(max=1)


def with_random_weights(f, x):
    # A random sum of the outputs does not cancel.
    x = x.detach().requires_grad_(True)
    rows = []
    for i in range(len(x)):
        some = torch.rand(x.shape[1], dtype=x.dtype) + 0.5
        (slope,) = torch.autograd.grad((f(x)[i] * some).sum(), x)
        rows.append(slope.abs().sum(dim=1) > 0)
    return torch.stack(rows).int()


def by_numpy(f, x):
    slopes = torch.autograd.functional.jacobian(f, x).numpy()
    return (np.abs(slopes).max(axis=(1, 3)) > 0).astype(int)


def _slopes(f, x):
    return torch.autograd.functional.jacobian(f, x)


def columns_first(f, x):
    return (_slopes(f, x) != 0).any(3).any(1).T


def grad_piles_up(f, x):
    x = x.clone().requires_grad_()
    found = []
    for i in range(len(x)):
        for a in range(x.shape[1]):
            f(x)[i, a].backward()
        found.append((x.grad.abs().sum(dim=1) > 0).int())
    return torch.stack(found)


def as_it_should_be(f, x):
    return np.tri(len(x))


def only_neighbours(f, x):
    return by_numpy(f, x) * (np.tri(len(x), k=1) - np.tri(len(x), k=-2))


# 4. rows


def case_by_case(kind, texts):
    if kind == "classification":
        return [[1] + texts[0] + [3]]
    if kind == "entailment":
        return [[1] + texts[0] + [2] + texts[1] + [3]]
    if kind == "similarity":
        a, b = texts
        return [[1] + a + [2] + b + [3], [1] + b + [2] + a + [3]]
    found = [[1] + texts[0] + [2] + answer + [3] for answer in texts[1:]]
    while len({len(row) for row in found}) > 1:
        min(found, key=len).append(0)
    return found


def with_a_table(kind, texts):
    pairs = {
        "classification": [texts],
        "entailment": [texts],
        "similarity": [texts, texts[::-1]],
        "choice": [[texts[0], answer] for answer in texts[1:]],
    }[kind]
    found = [[1, *sum(([2, *part] for part in pair), [])[1:], 3] for pair in pairs]
    table = np.zeros((len(found), max(map(len, found))), dtype=int)
    for line, row in zip(table, found, strict=True):
        line[: len(row)] = row
    return table


def with_torch(kind, texts):
    orders = [texts] if len(texts) < 3 else [[texts[0], a] for a in texts[1:]]
    if kind == "similarity":
        orders.append([texts[1], texts[0]])
    found = []
    for texts in orders:
        row = [1]
        for text in texts:
            row += [*text, 2]
        found.append(torch.tensor(row[:-1] + [3]))
    return torch.nn.utils.rnn.pad_sequence(found, batch_first=True)


def _rows(kind, texts, start=(1,), between=(2,), end=(3,), orders=None, back=None):
    pairs = {
        "classification": [texts],
        "entailment": [texts],
        "similarity": [texts, texts[::-1]],
        "choice": [[texts[0], answer] for answer in texts[1:]],
    } | (orders or {})
    found = []
    for pair in pairs[kind]:
        row = [*start, *pair[0]]
        for other in pair[1:]:
            row += [*between, *other]
        found.append([*row, *end])
    back = back or (lambda row, zeros: row + zeros)
    longest = max(len(row) for row in found)
    return [back(row, [0] * (longest - len(row))) for row in found]


def padded_with_extract(kind, texts):
    return _rows(kind, texts, back=lambda row, zeros: row + [3] * len(zeros))


# 5. objective


def with_a_mask(scores, classes, predicted, rows, weight):
    task = F.cross_entropy(scores, classes)
    logs = predicted[:, :-1].log_softmax(dim=2)
    targets = rows[:, 1:]
    chosen = logs.gather(2, targets[:, :, None])[:, :, 0]
    real = (targets != 0).double()
    return task - weight * (chosen * real).sum() / real.sum()


def with_loops(scores, classes, predicted, rows, weight):
    task = 0.0
    for line, right in zip(scores, classes, strict=True):
        task -= torch.log(torch.exp(line[right]) / torch.exp(line).sum()) / len(classes)
    losses = []
    for b in range(len(rows)):
        for t in range(1, rows.shape[1]):
            if rows[b, t] > 0:
                line = predicted[b, t - 1]
                losses.append(torch.logsumexp(line, 0) - line[rows[b, t]])
    return task + weight * sum(losses) / len(losses)


def with_ignored_targets(scores, classes, predicted, rows, weight):
    targets = rows.roll(-1, dims=1)
    targets[:, -1] = 0
    targets[targets == 0] = -100
    model = F.cross_entropy(predicted.transpose(1, 2), targets)
    return (F.cross_entropy(scores, classes) + weight * model).item()


def _objective(scores, classes, predicted, rows, weight, **changes):
    task = F.cross_entropy(scores, classes)
    logs = F.cross_entropy(
        predicted[:, :-1].mT, rows[:, 1:], ignore_index=0, reduction="none"
    )  # (B, T-1)
    real = rows[:, 1:] != 0
    return task, logs, real


def zeros_count_in_the_mean(*inputs):
    task, logs, real = _objective(*inputs)
    return task + inputs[-1] * logs.mean()


RIGHT = {
    "13.attend": [torchs_own, head_by_head, with_numpy],
    "13.heads": [with_chunks, with_permutes, with_einsum],
    "13.sees": [by_backward, with_random_weights, by_numpy],
    "13.rows": [case_by_case, with_a_table, with_torch],
    "13.objective": [with_a_mask, with_loops, with_ignored_targets],
}

WRONG = {
    "13.attend": {
        "": [quite_soft],
    },
    "13.heads": {
        "": [reversed_split],
    },
    "13.sees": {
        "turned_round": [columns_first],
        "never_reset": [grad_piles_up],
        "without_looking": [as_it_should_be],
        "": [only_neighbours],
    },
    "13.rows": {
        "": [padded_with_extract],
    },
    "13.objective": {
        "": [zeros_count_in_the_mean],
    },
}
