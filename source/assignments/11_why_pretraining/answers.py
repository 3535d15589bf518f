"""Known answers to assignment 11: right ones, and wrong ones with their mistakes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import torch

# 1. shuffle


def with_a_loop(words, lengths, keys):
    found, begin = [], 0
    for n in lengths:
        part = range(begin, begin + n)
        found += [words[i] for i in sorted(part, key=lambda i: keys[i])]
        begin += n
    return found


def with_split(words, lengths, keys):
    ends = np.cumsum(lengths)[:-1]
    parts = zip(np.split(words, ends), np.split(keys, ends), strict=True)
    return np.concatenate([w[np.argsort(k)] for w, k in parts])


def keys_far_apart(words, lengths, keys):
    # Keys lie in [0, 1): with the sentence's number added, one sort does it.
    sentence = torch.repeat_interleave(
        torch.arange(len(lengths)), torch.tensor(lengths)
    )
    return torch.tensor(words)[(sentence + torch.tensor(keys)).argsort()]


def _by_sentence(words, lengths, keys, change):
    ends = np.cumsum(lengths)[:-1]
    parts = zip(np.split(words, ends), np.split(keys, ends), strict=True)
    return np.concatenate([change(w, k) for w, k in parts])


def forgets_the_end(words, lengths, keys):
    return with_a_loop(words, lengths[:-1], keys)


def own_random_numbers(words, lengths, keys):
    rng = np.random.default_rng(1)
    return _by_sentence(words, lengths, keys, lambda w, k: rng.permutation(w))


# 2. kept


def _cut(row, lengths):
    return [list(part) for part in np.split(np.asarray(row), np.cumsum(lengths)[:-1])]


def _bags(words, new, lengths, bag=Counter):
    pairs = zip(_cut(words, lengths), _cut(new, lengths), strict=True)
    return [bag(a) == bag(b) for a, b in pairs]


def _pairs(row, lengths):
    return [(s[i], s[i + 1]) for s in _cut(row, lengths) for i in range(len(s) - 1)]


def crossing_off(words, new, lengths):
    left, hits = _pairs(new, lengths), 0
    total = _pairs(words, lengths)
    for pair in total:
        if pair in left:
            left.remove(pair)
            hits += 1
    same = _bags(words, new, lengths)
    return [sum(same) / len(same), hits / len(total)]


def with_a_table(words, new, lengths):
    V = max(words.max(), new.max()) + 1
    tables, counts = [], []
    for row in (words, new):
        table = np.zeros((V, V))
        for a, b in _pairs(row, lengths):
            table[a, b] += 1
        tables.append(table)
        counts.append([np.bincount(s, minlength=V) for s in _cut(row, lengths)])
    same = [np.array_equal(a, b) for a, b in zip(*counts, strict=True)]
    return np.array([np.mean(same), np.minimum(*tables).sum() / tables[0].sum()])


def with_sorting(words, new, lengths):
    same = [
        sorted(a) == sorted(b)
        for a, b in zip(_cut(words, lengths), _cut(new, lengths), strict=True)
    ]
    old, other = sorted(_pairs(words, lengths)), sorted(_pairs(new, lengths))
    i = j = hits = 0
    while i < len(old) and j < len(other):
        if old[i] == other[j]:
            hits, i, j = hits + 1, i + 1, j + 1
        elif old[i] < other[j]:
            i += 1
        else:
            j += 1
    return torch.tensor([np.mean(same), hits / len(old)])


def _share(words, new, lengths, change=lambda pair: pair):
    old, other = (Counter(map(change, _pairs(row, lengths))) for row in (words, new))
    return (old & other).total() / old.total()


def with_sets(words, new, lengths):
    return np.mean(_bags(words, new, lengths, set)), _share(words, new, lengths)


def numbers_not_shares(words, new, lengths):
    old, other = (Counter(_pairs(row, lengths)) for row in (words, new))
    return sum(_bags(words, new, lengths)), (old & other).total()


def only_whether_it_occurs(words, new, lengths):
    other = set(_pairs(new, lengths))
    hits = [pair in other for pair in _pairs(words, lengths)]
    return np.mean(_bags(words, new, lengths)), np.mean(hits)


# 3. descend


def with_autograd(w0, c, goal, eta, alpha, steps):
    start, c, goal = (torch.from_numpy(np.array(x)).double() for x in (w0, c, goal))
    w = start.clone().requires_grad_()

    def penalty():
        return alpha / 2 * (w - start).square().sum()

    optimizer = torch.optim.SGD([w], lr=eta)
    for _ in range(steps):
        optimizer.zero_grad()
        ((c / 2 * (w - goal) ** 2).sum() + penalty()).backward()
        optimizer.step()
    return torch.cat([penalty().reshape(1), w])


def in_closed_form(w0, c, goal, eta, alpha, steps):
    # Each weight goes towards its own balance by the same factor in every step.
    rest = (c * goal + alpha * w0) / (c + alpha)
    w = rest + (1 - eta * (c + alpha)) ** steps * (w0 - rest)
    return np.concatenate([[alpha / 2 * np.sum((w - w0) ** 2)], w])


def weight_by_weight(w0, c, goal, eta, alpha, steps):
    weights, penalty = [], 0.0
    for a, b, g in zip(w0, c, goal, strict=True):
        away = 0.0  # how far from the start
        for _ in range(steps):
            away -= eta * (b * (a + away - g) + alpha * away)
        weights.append(a + away)
        penalty += away * away * alpha / 2
    return [penalty, *weights]


def weights_first(w0, c, goal, eta, alpha, steps):
    return np.roll(in_closed_form(w0, c, goal, eta, alpha, steps), -1)


# 4. distances


def _layers(before):
    layers = {}
    for name in before:
        parts = name.split(".")
        depth = int(parts[1]) + 1 if parts[0] == "lstms" else 0
        layers.setdefault(depth, []).append(name)
    return [layers[depth] for depth in sorted(layers)]


def with_sums(before, after):
    found = []
    for names in _layers(before):
        far = sum(((after[n] - before[n]) ** 2).sum() for n in names)
        found.append(torch.sqrt(far / sum((before[n] ** 2).sum() for n in names)))
    return torch.stack(found)


def with_numpy(before, after):
    found = []
    for names in _layers(before):
        a, b = (np.concatenate([d[n].numpy().ravel() for n in names])
                for d in (before, after))  # fmt: skip
        found.append(np.linalg.norm(b - a) / np.linalg.norm(a))
    return found


def norms_of_norms(before, after):
    # The norm of a layer is the norm of its parameters' norms.
    def length(tensors):
        return torch.stack([x.norm() for x in tensors]).norm().item()

    return [
        length([after[n] - before[n] for n in names])
        / length([before[n] for n in names])
        for names in _layers(before)
    ]


def added_norms(before, after):
    return [
        sum((after[n] - before[n]).norm() for n in names)
        / sum(before[n].norm() for n in names)
        for names in _layers(before)
    ]


def root_mean_square(before, after):
    return [
        float(torch.cat([(after[n] - before[n]).flatten() for n in names])
              .square().mean().sqrt())
        for names in _layers(before)
    ]  # fmt: skip


# 5. at_level


def look_by_look(seen, unseen, level):
    for k in range(len(seen) - 1):
        if seen[k + 1] <= level:
            share = (seen[k] - level) / (seen[k] - seen[k + 1])
            return (1 - share) * unseen[k] + share * unseen[k + 1]
    return None


def with_interp(seen, unseen, level):
    k = np.flatnonzero(seen <= level)[0]
    return np.interp(level, [seen[k], seen[k - 1]], [unseen[k], unseen[k - 1]])


def by_halving(seen, unseen, level):
    k = next(i for i, x in enumerate(seen) if x <= level)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if seen[k - 1] + middle * (seen[k] - seen[k - 1]) > level:
            low = middle
        else:
            high = middle
    return torch.lerp(torch.tensor(unseen[k - 1]), torch.tensor(unseen[k]), high)


def _place(seen, level):
    return int(np.flatnonzero(seen <= level)[0])


def middle(seen, unseen, level):
    k = _place(seen, level)
    return (unseen[k - 1] + unseen[k]) / 2


def the_level(seen, unseen, level):
    return level


def where_test_is_low(seen, unseen, level):
    return np.interp(level, np.sort(unseen), seen[np.argsort(unseen)])


RIGHT = {
    "11.shuffle": [with_a_loop, with_split, keys_far_apart],
    "11.kept": [crossing_off, with_a_table, with_sorting],
    "11.descend": [with_autograd, in_closed_form, weight_by_weight],
    "11.distances": [with_sums, with_numpy, norms_of_norms],
    "11.at_level": [look_by_look, with_interp, by_halving],
}

WRONG = {
    "11.shuffle": {
        "without_the_last": [forgets_the_end],
        "": [own_random_numbers],
    },
    "11.kept": {
        "sets_of_words": [with_sets],
        "counts": [numbers_not_shares],
        "": [only_whether_it_occurs],
    },
    "11.descend": {
        "": [weights_first],
    },
    "11.distances": {
        "sum_of_norms": [added_norms],
        "": [root_mean_square],
    },
    "11.at_level": {
        "training_loss": [the_level],
        "": [where_test_is_low],
    },
}
