"""Known answers to assignment 10, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import torch
from torch import nn

# 1. stlr


def with_a_loop(T, cut_frac, ratio, eta_max):
    cut, rates = int(T * cut_frac), []
    for t in range(T):
        p = t / cut
        if t >= cut:
            p = 1 - (t - cut) / (cut * (1 / cut_frac - 1))
        rates.append(eta_max * (1 + p * (ratio - 1)) / ratio)
    return rates


def with_where(T, cut_frac, ratio, eta_max):
    t = np.arange(T)
    cut = np.floor(T * cut_frac)
    p = np.where(t < cut, t / cut, 1 - (t - cut) / (cut / cut_frac - cut))
    return eta_max / ratio * (1 + p * (ratio - 1))


def two_straight_lines(T, cut_frac, ratio, eta_max):
    # From the lowest rate up to the highest, and down again by equal steps.
    low, cut = eta_max / ratio, math.floor(T * cut_frac)
    down = (eta_max - low) / (cut * (1 / cut_frac - 1))
    up = torch.linspace(low, eta_max, cut + 1, dtype=torch.float64)[:-1]
    print(cut)  # costs nothing
    return torch.cat([up, eta_max - down * torch.arange(T - cut)])


def _stlr(T, cut_frac, ratio, eta_max, cut=None, steps=None, fall=None):
    cut = math.floor(T * cut_frac) if cut is None else cut
    fall = fall or cut * (1 / cut_frac - 1)
    steps = range(T) if steps is None else steps
    p = [t / cut if t < cut else 1 - (t - cut) / fall for t in steps]
    return [eta_max * (1 + x * (ratio - 1)) / ratio for x in p]


def no_warm_up(T, cut_frac, ratio, eta_max):
    rates = _stlr(T, cut_frac, ratio, eta_max)
    cut = int(T * cut_frac)
    return [eta_max] * cut + rates[cut:]


def cosine_fall(T, cut_frac, ratio, eta_max):
    t = np.arange(T)
    return eta_max * (1 + np.cos(np.pi * t / T)) / 2


# 2. rates


def by_prefix(names, eta, factor):
    lstms = {name.split(".")[2] for name in names if "lstms" in name}
    found = []
    for name in names:
        if name.startswith("head."):
            depth = 0
        elif "lstms" in name:
            depth = len(lstms) - int(name.split(".")[2])
        else:
            depth = len(lstms) + 1
        found.append(eta / factor**depth)
    return found


def from_top_to_bottom(names, eta, factor):
    # Name the groups, then walk down and divide.
    numbers = sorted(
        {int(n.split(".")[2]) for n in names if ".lstms." in n}, reverse=True
    )
    rate, of = eta, {"head": eta}
    for number in numbers:
        rate /= factor
        of[number] = rate
    of["words"] = rate / factor

    def group(name):
        if name.startswith("head"):
            return "head"
        return int(name.split(".")[2]) if ".lstms." in name else "words"

    return np.array([of[group(name)] for name in names])


def with_logarithms(names, eta, factor):
    depth = torch.tensor([_depth(name) for name in names], dtype=torch.float64)
    top = max(_depth(name) for name in names if "lstms" in name) + 1
    depth[depth > top] = top
    return torch.exp(math.log(eta) - (top - depth) * math.log(factor))


def _depth(name):
    if name.startswith("head"):
        return 1000
    return 1 + int(name.split(".")[2]) if "lstms" in name else 0


def _rates(names, eta, factor, depth=_depth):
    levels = sorted({depth(name) for name in names})
    return [eta / factor ** (len(levels) - 1 - levels.index(depth(n))) for n in names]


def rate_of_each_layer(names, eta, factor):
    return sorted(set(_rates(names, eta, factor)))


# 3. unfreeze


def all_in_the_optimiser(model, x, y, eta, epochs):
    before = [torch.nn.utils.parameters_to_vector(layer.parameters()).detach().clone()
              for layer in model]  # fmt: skip
    optimizer = torch.optim.SGD(model.parameters(), lr=eta)
    for epoch in range(epochs):
        for depth, layer in enumerate(model):
            layer.requires_grad_(depth >= len(model) - 1 - epoch)
        optimizer.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
    after = [torch.nn.utils.parameters_to_vector(m.parameters()) for m in model]
    return [(b - a).norm().item() for a, b in zip(before, after, strict=True)]


def a_group_more(model, x, y, eta, epochs):
    start = [[p.detach().clone() for p in layer.parameters()] for layer in model]
    frozen = list(model)
    model.requires_grad_(False)
    optimizer = None
    for _ in range(epochs):
        if frozen:
            layer = frozen.pop().requires_grad_(True)
            if optimizer is None:
                optimizer = torch.optim.SGD(layer.parameters(), lr=eta)
            else:
                optimizer.add_param_group({"params": [*layer.parameters()]})
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    return torch.stack([
        sum(((p - q) ** 2).sum() for p, q in zip(layer.parameters(), old, strict=True))
        for layer, old in zip(model, start, strict=True)
    ]).sqrt()  # fmt: skip


def new_optimiser_each_epoch(model, x, y, eta, epochs):
    # Plain SGD remembers nothing, so a new one is as good as the old one.
    old = [[p.detach().numpy().copy() for p in layer.parameters()] for layer in model]
    L = len(model)
    for epoch in range(1, epochs + 1):
        learn = [p for layer in model[max(0, L - epoch) :] for p in layer.parameters()]
        model.zero_grad()
        nn.MSELoss()(model(x), y).backward()
        torch.optim.SGD(learn, lr=eta).step()
    distances = []
    for layer, start in zip(model, old, strict=True):
        pairs = zip(layer.parameters(), start, strict=True)
        squares = [np.sum((p.detach().numpy() - q) ** 2) for p, q in pairs]
        distances.append(np.sqrt(sum(squares)))
    return np.array(distances)


def _unfreeze(model, x, y, eta, epochs, learns, clear=True, reduction="mean"):
    old = [[p.detach().clone() for p in layer.parameters()] for layer in model]
    optimizer = torch.optim.SGD(model.parameters(), lr=eta)
    for epoch in range(epochs):
        for depth, layer in enumerate(model):
            layer.requires_grad_(learns(depth, epoch, len(model)))
        if clear:
            optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y, reduction=reduction)
        if loss.requires_grad:
            loss.backward()
        optimizer.step()
    return torch.tensor([
        sum(float(((p - q) ** 2).sum()) for p, q in zip(layer.parameters(), of,
                                                        strict=True)) ** 0.5
        for layer, of in zip(model, old, strict=True)
    ], dtype=torch.float64)  # fmt: skip


def _gradual(depth, epoch, L):
    return depth >= L - 1 - epoch


def weights_only(model, x, y, eta, epochs):
    before = [layer.weight.detach().clone() for layer in model]
    _unfreeze(model, x, y, eta, epochs, _gradual)
    pairs = zip(model, before, strict=True)
    return [(layer.weight - w).norm().item() for layer, w in pairs]


# 4. pool


def row_by_row(outputs, lengths):
    rows = []
    for x, n in zip(outputs, lengths, strict=True):
        x = x[:n]
        rows.append(torch.cat([x[-1], x.amax(dim=0), x.mean(dim=0)]))
    return torch.stack(rows)


def masked(outputs, lengths):
    here = torch.arange(outputs.shape[1]) < lengths[:, None]
    here = here[..., None]
    h = outputs.gather(
        1, (lengths - 1)[:, None, None].expand(-1, 1, outputs.shape[2])
    ).squeeze(1)
    m = outputs.masked_fill(~here, float("-inf")).max(dim=1).values
    return torch.cat([h, m, (outputs * here).sum(1) / lengths[:, None]], dim=1)


def running(outputs, lengths):
    # Like a reader: keep the highest and the sum so far, stop where the text stops.
    x, found = outputs.numpy(), []
    for row, n in zip(x, lengths.tolist(), strict=True):
        high, total = row[0], np.zeros_like(row[0])
        for t in range(n):
            high, total = np.maximum(high, row[t]), total + row[t]
        found.append([*row[n - 1], *high, *total / n])
    return found


def all_documents_at_once(outputs, lengths):
    rows = torch.cat([x[:n] for x, n in zip(outputs, lengths, strict=True)])
    return torch.cat([rows[-1], rows.amax(dim=0), rows.mean(dim=0)])


# 5. effects


def by_signs(y):
    d, s, f = np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij")
    y = np.array(y)
    return [(sign * y).sum() / 4 for sign in (d, s, f, d * s, d * f, s * f)]


def slices(y):
    def mean(*index):
        return y[index].mean()

    every = slice(None)
    discr = mean(1) - mean(0)
    stlr = mean(every, 1) - mean(every, 0)
    freez = mean(every, every, 1) - mean(every, every, 0)
    ds = ((mean(1, 1) - mean(0, 1)) - (mean(1, 0) - mean(0, 0))) / 2
    df = ((mean(1, every, 1) - mean(0, every, 1))
          - (mean(1, every, 0) - mean(0, every, 0))) / 2  # fmt: skip
    sf = ((mean(every, 1, 1) - mean(every, 0, 1))
          - (mean(every, 1, 0) - mean(every, 0, 0))) / 2  # fmt: skip
    return torch.tensor([discr, stlr, freez, ds, df, sf])


def least_squares(y):
    # A straight line through ±1: its slopes are half of the effects.
    rows, values = [], []
    for d in (0, 1):
        for s in (0, 1):
            for f in (0, 1):
                a, b, c = 2 * d - 1, 2 * s - 1, 2 * f - 1
                rows.append([1, a, b, c, a * b, a * c, b * c])
                values.append(float(y[d][s][f]))
    slopes, *_ = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)
    return 2 * slopes[1:]


def best_run(y):
    best = np.unravel_index(y.argmax(), y.shape)
    return [*best, *Counter(best).values()]


RIGHT = {
    "10.stlr": [with_a_loop, with_where, two_straight_lines],
    "10.rates": [by_prefix, from_top_to_bottom, with_logarithms],
    "10.unfreeze": [all_in_the_optimiser, a_group_more, new_optimiser_each_epoch],
    "10.pool": [row_by_row, masked, running],
    "10.effects": [by_signs, slices, least_squares],
}

WRONG = {
    "10.stlr": {
        "never_rises": [no_warm_up],
        "": [cosine_fall],
    },
    "10.rates": {
        "": [rate_of_each_layer],
    },
    "10.unfreeze": {
        "": [weights_only],
    },
    "10.pool": {
        "": [all_documents_at_once],
    },
    "10.effects": {
        "": [best_run],
    },
}
