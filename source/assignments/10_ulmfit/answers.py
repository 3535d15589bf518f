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


def from_one(T, cut_frac, ratio, eta_max):
    return _stlr(T, cut_frac, ratio, eta_max, steps=range(1, T + 1))


def nearest_whole_number(T, cut_frac, ratio, eta_max):
    return _stlr(T, cut_frac, ratio, eta_max, cut=round(T * cut_frac))


def broken_step(T, cut_frac, ratio, eta_max):
    return _stlr(T, cut_frac, ratio, eta_max, cut=T * cut_frac)


def without_ratio(T, cut_frac, ratio, eta_max):
    return [(x * ratio - eta_max) / (ratio - 1)
            for x in _stlr(T, cut_frac, ratio, eta_max)]  # fmt: skip


def ratio_not_minus_one(T, cut_frac, ratio, eta_max):
    cut = T * cut_frac // 1
    t = np.arange(T)
    p = np.minimum(t / cut, 1 - (t - cut) / (cut * (1 / cut_frac - 1)))
    return eta_max * (1 + p * ratio) / ratio


def a_tent(T, cut_frac, ratio, eta_max):
    return _stlr(T, cut_frac, ratio, eta_max, fall=math.floor(T * cut_frac))


def to_the_end(T, cut_frac, ratio, eta_max):
    cut = int(T * cut_frac)
    return _stlr(T, cut_frac, ratio, eta_max, fall=T - cut)


def over_everything(T, cut_frac, ratio, eta_max):
    return _stlr(T, cut_frac, ratio, eta_max, fall=T)


def no_warm_up(T, cut_frac, ratio, eta_max):
    rates = _stlr(T, cut_frac, ratio, eta_max)
    cut = int(T * cut_frac)
    return [eta_max] * cut + rates[cut:]


def old_python(T, cut_frac, ratio, eta_max):
    cut = int(T * cut_frac)
    t = np.arange(T)
    p = np.where(t < cut, t // cut, 1 - (t - cut) / (cut * (1 / cut_frac - 1)))
    return eta_max * (1 + p * (ratio - 1)) / ratio


def the_share(T, cut_frac, ratio, eta_max):
    cut = int(T * cut_frac)
    t = np.arange(T)
    return np.minimum(t / cut, 1 - (t - cut) / (cut * (1 / cut_frac - 1)))


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


def turned_round(names, eta, factor):
    return _rates(names, eta, factor, lambda name: -_depth(name))


def even_the_head(names, eta, factor):
    return np.array(_rates(names, eta, factor)) / factor


def grows_downwards(names, eta, factor):
    return eta**2 / np.array(_rates(names, eta, factor))


def factor_times_depth(names, eta, factor):
    below = np.log(eta / np.array(_rates(names, 1.0, factor)) / eta) / np.log(factor)
    below = below.round()
    return np.where(below == 0, eta, eta / np.maximum(factor * below, 1e-9))


def each_tensor(names, eta, factor):
    rates, rate = {}, eta
    for name in reversed(sorted(names, key=_depth)):
        rates[name] = rate
        rate /= factor
    return [rates[name] for name in names]


def head_with_the_lstm(names, eta, factor):
    top = max(_depth(n) for n in names if "lstms" in n)
    return _rates(names, eta, factor, lambda name: min(top, _depth(name)))


def words_with_the_lstm(names, eta, factor):
    return _rates(names, eta, factor, lambda name: max(1, _depth(name)))


def softmax_bias(names, eta, factor):
    return _rates(
        names, eta, factor, lambda n: 1000 if n.endswith("r.bias") else _depth(n)
    )


def sorted_as_text(names, eta, factor):
    groups = sorted({".".join(n.split(".")[:3]) for n in names if "lstms" in n})
    groups = ["words", *groups, "head"]

    def group(name):
        if "lstms" in name:
            return ".".join(name.split(".")[:3])
        return "head" if name.startswith("head") else "words"

    return [eta / factor ** (len(groups) - 1 - groups.index(group(n))) for n in names]


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


def forgot_the_optimiser(model, x, y, eta, epochs):
    old = [[p.detach().clone() for p in layer.parameters()] for layer in model]
    for layer in model[:-1]:
        layer.requires_grad_(False)
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(trainable, lr=eta)
    for epoch in range(epochs):
        for layer in model[max(0, len(model) - 1 - epoch) :]:
            layer.requires_grad_(True)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    return [
        math.sqrt(sum(float((p - q).pow(2).sum()) for p, q in zip(layer.parameters(),
                                                                  of, strict=True)))
        for layer, of in zip(model, old, strict=True)
    ]  # fmt: skip


def feature_extractor(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, lambda d, e, L: d == L - 1)


def plain_fine_tuning(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, lambda d, e, L: True)


def requires_grad_after_the_loss(model, x, y, eta, epochs):
    # The flag is set, but never looked at: gradients are made for all and used.
    old = [[p.detach().clone() for p in layer.parameters()] for layer in model]
    for _ in range(epochs):
        loss = nn.functional.mse_loss(model(x), y)
        gradients = torch.autograd.grad(loss, list(model.parameters()))
        with torch.no_grad():
            for p, g in zip(model.parameters(), gradients, strict=True):
                p -= eta * g
    return [
        float(sum((p - q).pow(2).sum() for p, q in zip(layer.parameters(), of,
                                                       strict=True))) ** 0.5
        for layer, of in zip(model, old, strict=True)
    ]  # fmt: skip


def lowest_first(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, lambda d, e, L: d <= e)


def only_the_newest(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, lambda d, e, L: d == L - 1 - e)


def waits_an_epoch(model, x, y, eta, epochs):
    return _unfreeze(
        model, x, y, eta, epochs, lambda d, e, L: d == L - 1 or _gradual(d, e - 1, L)
    )


def two_to_begin_with(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, lambda d, e, L: _gradual(d, e + 1, L))


def no_zero_grad(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, _gradual, clear=False)


def negative_slice(model, x, y, eta, epochs):
    return _unfreeze(
        model, x, y, eta, epochs, lambda d, e, L: d in range(L)[L - 1 - e :]
    )


def summed_loss(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, _gradual, reduction="sum")


def no_root(model, x, y, eta, epochs):
    return _unfreeze(model, x, y, eta, epochs, _gradual) ** 2


def top_first(model, x, y, eta, epochs):
    return all_in_the_optimiser(model, x, y, eta, epochs)[::-1]


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


def _mask(outputs, lengths):
    return (torch.arange(outputs.shape[1]) < lengths[:, None])[:, :, None]


def _last(outputs, lengths):
    return outputs[torch.arange(len(outputs)), lengths - 1]


def _mean(outputs, lengths):
    return (outputs * _mask(outputs, lengths)).sum(dim=1) / lengths[:, None]


def _high(outputs, lengths):
    return outputs.masked_fill(~_mask(outputs, lengths), -1e9).amax(dim=1)


def minus_one(outputs, lengths):
    parts = outputs[:, -1], _high(outputs, lengths), _mean(outputs, lengths)
    return torch.cat(parts, dim=1)


def off_by_one(outputs, lengths):
    last = _last(outputs, lengths - 1)
    parts = last, _high(outputs, lengths), _mean(outputs, lengths)
    return torch.cat(parts, dim=1)


def where_it_begins(outputs, lengths):
    parts = outputs[:, 0], _high(outputs, lengths), _mean(outputs, lengths)
    return torch.cat(parts, dim=1)


def plain_mean(outputs, lengths):
    parts = _last(outputs, lengths), _high(outputs, lengths), outputs.mean(dim=1)
    return torch.cat(parts, dim=1)


def mean_of_zeros(outputs, lengths):
    mean = (outputs * _mask(outputs, lengths)).mean(dim=1)
    return torch.cat([_last(outputs, lengths), _high(outputs, lengths), mean], dim=1)


def plain_max(outputs, lengths):
    high = outputs.max(dim=1)[0]
    return torch.cat([_last(outputs, lengths), high, _mean(outputs, lengths)], dim=1)


def max_of_zeros(outputs, lengths):
    high = (outputs * _mask(outputs, lengths)).amax(dim=1)
    return torch.cat([_last(outputs, lengths), high, _mean(outputs, lengths)], dim=1)


def no_mask(outputs, lengths):
    return torch.cat([outputs[:, -1], outputs.amax(1), outputs.mean(1)], dim=1)


def last_mean_max(outputs, lengths):
    parts = _last(outputs, lengths), _mean(outputs, lengths), _high(outputs, lengths)
    return torch.cat(parts, dim=1)


def max_and_mean(outputs, lengths):
    return torch.cat([_high(outputs, lengths), _mean(outputs, lengths)], dim=1)


def stacked(outputs, lengths):
    parts = _last(outputs, lengths), _high(outputs, lengths), _mean(outputs, lengths)
    return torch.stack(parts, dim=2).flatten(1)


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


def _both(y):
    return by_signs(y)[3:]


def one_by_one(y):
    return [y[1, 0, 0] - y[0, 0, 0], y[0, 1, 0] - y[0, 0, 0],
            y[0, 0, 1] - y[0, 0, 0], *_both(y)]  # fmt: skip


def ablation(y):
    return [y[1, 1, 1] - y[0, 1, 1], y[1, 1, 1] - y[1, 0, 1],
            y[1, 1, 1] - y[1, 1, 0], *_both(y)]  # fmt: skip


def loss_by_using(y):
    return [-by_signs(y)[0], -by_signs(y)[1], -by_signs(y)[2], *_both(y)]


def totals(y):
    return [
        y[1].sum() - y[0].sum(),
        y[:, 1].sum() - y[:, 0].sum(),
        y[:, :, 1].sum() - y[:, :, 0].sum(),
        *_both(y),
    ]


def from_the_grand_mean(y):
    m = y.mean()
    return [y[1].mean() - m, y[:, 1].mean() - m, y[:, :, 1].mean() - m, *_both(y)]


def whole_difference(y):
    return [*by_signs(y)[:3], *(2 * x for x in _both(y))]


def minus_interactions(y):
    return [*by_signs(y)[:3], *(-x for x in _both(y))]


def together(y):
    pairs = y.mean(axis=2), y.mean(axis=1), y.mean(axis=0)
    return [*by_signs(y)[:3], *(m[1, 1] - m[0, 0] for m in pairs)]


def _cross(m):
    return (m[1, 1] - m[0, 1] - m[1, 0] + m[0, 0]) / 2


def third_off(y):
    return [*by_signs(y)[:3], *map(_cross, (y[:, :, 0], y[:, 0], y[0]))]


def third_on(y):
    return [*by_signs(y)[:3], *map(_cross, (y[:, :, 1], y[:, 1], y[1]))]


def freez_first(y):
    return by_signs(y.T)


def multiplied(y):
    d, s, f = by_signs(y)[:3]
    return [d, s, f, d * s, d * f, s * f]


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
        "counts_from_one": [from_one],
        "rounded_cut": [nearest_whole_number],
        "unfloored_cut": [broken_step],
        "to_zero": [without_ratio],
        "peak_too_high": [ratio_not_minus_one],
        "symmetric": [a_tent],
        "over_the_rest": [to_the_end],
        "over_all_steps": [over_everything],
        "never_rises": [no_warm_up],
        "whole_numbers": [old_python],
        "only_p": [the_share],
        "": [cosine_fall],
    },
    "10.rates": {
        "upside_down": [turned_round],
        "one_too_many": [even_the_head],
        "multiplied": [grows_downwards],
        "linear": [factor_times_depth],
        "per_parameter": [each_tensor],
        "head_is_no_layer": [head_with_the_lstm],
        "words_are_no_layer": [words_with_the_lstm],
        "bias_on_top": [softmax_bias],
        "alphabetical": [sorted_as_text],
        "": [rate_of_each_layer],
    },
    "10.unfreeze": {
        "never_reached_the_optimiser": [forgot_the_optimiser, feature_extractor],
        "all_at_once": [plain_fine_tuning, requires_grad_after_the_loss],
        "from_below": [lowest_first],
        "one_at_a_time": [only_the_newest],
        "one_epoch_late": [waits_an_epoch],
        "one_epoch_early": [two_to_begin_with],
        "gradients_pile_up": [no_zero_grad],
        "counts_below_zero": [negative_slice],
        "sum_of_squares": [summed_loss],
        "squared_distance": [no_root],
        "from_the_top": [top_first],
        "": [weights_only],
    },
    "10.pool": {
        "last_place": [minus_one],
        "one_before_the_last": [off_by_one],
        "first_place": [where_it_begins],
        "padding_in_the_mean": [plain_mean],
        "divided_by_the_row": [mean_of_zeros],
        "padding_in_the_maximum": [plain_max],
        "zero_in_the_maximum": [max_of_zeros],
        "padding_everywhere": [no_mask],
        "other_order": [last_mean_max],
        "two_of_three": [max_and_mean],
        "interleaved": [stacked],
        "": [all_documents_at_once],
    },
    "10.effects": {
        "added_to_none": [one_by_one],
        "left_out_of_all": [ablation],
        "without_minus_with": [loss_by_using],
        "sums": [totals],
        "from_the_middle": [from_the_grand_mean],
        "not_halved": [whole_difference],
        "sign_of_the_interactions": [minus_interactions],
        "both_or_neither": [together],
        "third_switched_off": [third_off],
        "third_switched_on": [third_on],
        "axes_turned": [freez_first],
        "products": [multiplied],
        "": [best_run],
    },
}
