"""Known answers to assignment 12, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import torch
from torch.nn import functional as F

# 1. context


def one_query_at_a_time(q, first, top, lengths):
    out = torch.zeros(q.shape[0], q.shape[1], 2 * q.shape[2], dtype=q.dtype)
    for b in range(len(q)):
        n = int(lengths[b])
        for i in range(q.shape[1]):
            alpha = torch.softmax(top[b, :n] @ q[b, i], dim=0)
            seen = torch.cat([first[b, :n], top[b, :n]], dim=1)
            out[b, i] = alpha @ seen
    return out


def with_einsum(q, first, top, lengths):
    q, first, top = q.numpy(), first.numpy(), top.numpy()
    scores = np.einsum("btd,bsd->bts", q, top)
    behind = np.arange(top.shape[1])[None, None] >= lengths.numpy()[:, None, None]
    scores = np.where(behind, -1e30, scores)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    alpha = e / e.sum(-1, keepdims=True)
    return np.concatenate(
        [np.einsum("bts,bsd->btd", alpha, h) for h in (first, top)], 2
    )


def weights_then_renormalised(q, first, top, lengths):
    # Masking after the softmax is right if the rest is made to add up to 1 again.
    alpha = (q @ top.mT).softmax(-1)
    alpha = alpha * (torch.arange(top.shape[1]) < lengths[:, None])[:, None]
    alpha = alpha / alpha.sum(-1, keepdim=True)
    print(alpha.shape)  # costs nothing
    return torch.cat([torch.bmm(alpha, first), torch.bmm(alpha, top)], dim=-1)


# 2. copied


def with_a_new_dictionary(model, source, target, parts):
    new = dict(model)
    for part in parts:
        side, _, rest = part.partition(".")
        lm = source if side == "source" else target
        for name, tensor in lm.items():
            wanted = not rest or f"{name}.".startswith(f"{rest}.")
            if wanted and f"{side}.{name}" in model:
                new[f"{side}.{name}"] = tensor
    return [tensor.sum().item() for tensor in new.values()]


def with_pieces(model, source, target, parts):
    wanted = [part.split(".") for part in parts]
    out = []
    for name, value in model.items():
        pieces = name.split(".")
        if any(pieces[: len(w)] == w for w in wanted):
            lm = {"source": source, "target": target}[pieces[0]]
            value = lm[".".join(pieces[1:])]
        out.append(value.sum())
    return torch.stack(out)


def with_set_of_prefixes(model, source, target, parts):
    chosen, sums = set(parts), np.zeros(len(model))
    for i, (name, tensor) in enumerate(model.items()):
        pieces = name.split(".")
        prefixes = {".".join(pieces[: k + 1]) for k in range(len(pieces))}
        side = source if name.startswith("source.") else target
        sums[i] = (side[name[7:]] if prefixes & chosen else tensor).sum()
    return sums


def _copied(model, source, target, parts, wanted, choose=None, rename=None):
    sums = []
    for name, tensor in model.items():
        if any(wanted(name, part) for part in parts):
            lm = (choose or _side)(name, source, target)
            tensor = lm.get((rename or _short)(name), tensor)
        sums.append(float(tensor.sum()))
    return sums


def _side(name, source, target):
    return source if name.split(".")[0] == "source" else target


def _short(name):
    return name.split(".", 1)[-1]


def _belongs(name, part):
    return name == part or name.startswith(part + ".")


def list_of_copied(model, source, target, parts):
    sums = _copied(model, source, target, parts, _belongs)
    return [s for s, n in zip(sums, model, strict=True)
            if any(_belongs(n, p) for p in parts)]  # fmt: skip


# 3. joint


def with_cross_entropy(logits, targets):
    return sum(
        F.cross_entropy(x.flatten(0, 1), y.flatten(), ignore_index=-100)
        for x, y in zip(logits, targets, strict=True)
    )


def with_numpy(logits, targets):
    total = 0
    for x, y in zip(logits, targets, strict=True):
        x, y = x.numpy(), y.numpy()
        log_z = np.log(np.exp(x).sum(-1))
        own = np.take_along_axis(x, np.maximum(y, 0)[..., None], 2)[..., 0]
        total += (log_z - own)[y >= 0].mean()
    return total


def word_after_word(logits, targets):
    total = 0.0
    for x, y in zip(logits, targets, strict=True):
        costs = []
        for b in range(y.shape[0]):
            for i in range(y.shape[1]):
                if y[b, i] != -100:
                    costs.append(-x[b, i].softmax(0)[y[b, i]].log())
        total = total + torch.stack(costs).mean()
    return total


# 4. bleu


def with_sacrebleu(found, right):
    import sacrebleu

    texts = [[" ".join(map(str, s)) for s in side] for side in (found, right)]
    return sacrebleu.corpus_bleu(texts[0], [texts[1]], tokenize="none").score


def with_logarithms(found, right):
    c, r = sum(len(s) for s in found), sum(len(s) for s in right)
    log = min(0.0, 1 - r / c)
    for n in (1, 2, 3, 4):
        hits, total = _counts(found, right, n)
        log += math.log(hits / total) / 4
    return 100 * math.exp(log)


def with_lists(found, right):
    p = []
    for n in range(1, 5):
        hits = total = 0
        for f, r in zip(found, right, strict=True):
            left = [tuple(r[i : i + n]) for i in range(len(r) - n + 1)]
            for i in range(len(f) - n + 1):
                total += 1
                if tuple(f[i : i + n]) in left:
                    left.remove(tuple(f[i : i + n]))  # each can be hit once
                    hits += 1
        p.append(hits / total)
    c, r = len(sum(found, [])), len(sum(right, []))
    short = math.exp(1 - r / c) if c < r else 1
    return torch.tensor(100 * short * np.prod(p) ** 0.25)


def _grams(s, n):
    return Counter(tuple(s[i : i + n]) for i in range(len(s) - n + 1))


def _counts(found, right, n, clip=True):
    hits = total = 0
    for f, r in zip(found, right, strict=True):
        a, b = _grams(f, n), _grams(r, n)
        hits += sum(min(k, b[g]) if clip else k * (g in b) for g, k in a.items())
        total += sum(a.values())
    return hits, total


def every_prefix_replaced(model, source, target, parts):
    sums = []
    for name, tensor in model.items():
        if any(name == part or name.startswith(part + ".") for part in parts):
            side = name.split(".")[0]
            inner = name.replace(side + ".", "")
            tensor = {"source": source, "target": target}[side][inner]
        sums.append(tensor.sum())
    return sums


RIGHT = {
    "12.context": [one_query_at_a_time, with_einsum, weights_then_renormalised],
    "12.copied": [with_a_new_dictionary, with_pieces, with_set_of_prefixes],
    "12.joint": [with_cross_entropy, with_numpy, word_after_word],
    "12.bleu": [with_sacrebleu, with_logarithms, with_lists],
}

WRONG = {
    "12.copied": {
        "only_the_copied": [list_of_copied],
        "": [every_prefix_replaced],
    },
}
