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


def one_big_sort(words, lengths, keys):
    return words[np.argsort(keys)]


def scattered(words, lengths, keys):
    return _by_sentence(words, lengths, keys, lambda w, k: w[k.argsort().argsort()])


def backwards(words, lengths, keys):
    return _by_sentence(words, lengths, keys, lambda w, k: w[np.argsort(-k)])


def moves_sentences(words, lengths, keys):
    ends = np.cumsum(lengths)[:-1]
    own = [k[0] for k in np.split(keys, ends)]
    return np.concatenate([np.split(words, ends)[i] for i in np.argsort(own)])


def first_keys_for_all(words, lengths, keys):
    return _by_sentence(words, lengths, keys, lambda w, k: w[keys[: len(w)].argsort()])


def alphabet(words, lengths, keys):
    return _by_sentence(words, lengths, keys, lambda w, k: np.sort(w))


def indices(words, lengths, keys):
    return _by_sentence(words, lengths, keys, lambda w, k: np.argsort(k))


def forgets_the_end(words, lengths, keys):
    return with_a_loop(words, lengths[:-1], keys)


def smallest_first(words, lengths, keys):
    def change(w, k):
        w = w.copy()
        i = k.argmin()
        w[0], w[i] = w[i], w[0]
        return w

    return _by_sentence(words, lengths, keys, change)


def mirror(words, lengths, keys):
    return _by_sentence(words, lengths, keys, lambda w, k: w[::-1])


def nothing(words, lengths, keys):
    return words.copy()


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


def exactly_the_same(words, new, lengths):
    return np.mean(_bags(words, new, lengths, tuple)), _share(words, new, lengths)


def one_long_row(words, new, lengths):
    whole = [len(words)]
    return np.mean(_bags(words, new, lengths)), _share(words, new, whole)


def different_pairs(words, new, lengths):
    old, other = set(_pairs(words, lengths)), set(_pairs(new, lengths))
    return np.mean(_bags(words, new, lengths)), len(old & other) / len(old)


def without_direction(words, new, lengths):
    found = _share(words, new, lengths, lambda pair: frozenset(pair))
    return np.mean(_bags(words, new, lengths)), found


def at_its_place(words, new, lengths):
    old, other = _pairs(words, lengths), _pairs(new, lengths)
    same = [a == b for a, b in zip(old, other, strict=True)]
    return np.mean(_bags(words, new, lengths)), np.mean(same)


def mean_share(words, new, lengths):
    found = []
    for a, b in zip(_cut(words, lengths), _cut(new, lengths), strict=True):
        if len(a) > 1:
            found.append(_share(np.array(a), np.array(b), [len(a)]))
    return np.mean(_bags(words, new, lengths)), np.mean(found)


def jaccard(words, new, lengths):
    old, other = (Counter(_pairs(row, lengths)) for row in (words, new))
    found = (old & other).total() / (old | other).total()
    return np.mean(_bags(words, new, lengths)), found


def over_words(words, new, lengths):
    old, other = (Counter(_pairs(row, lengths)) for row in (words, new))
    return np.mean(_bags(words, new, lengths)), (old & other).total() / len(words)


def weighted(words, new, lengths):
    same = np.array(_bags(words, new, lengths))
    return same @ lengths / sum(lengths), _share(words, new, lengths)


def lost(words, new, lengths):
    return [1 - x for x in crossing_off(words, new, lengths)]


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


def _descend(w0, c, goal, eta, alpha, steps, pull, penalty=None, start=1.0):
    w = start * np.array(w0)
    for _ in range(steps):
        w = w - eta * (c * (w - goal) + pull(w))
    penalty = penalty or (lambda w: alpha / 2 * np.sum((w - w0) ** 2))
    return [penalty(w), *w]


def weight_decay(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: alpha * w,
                    lambda w: alpha / 2 * np.sum(w**2))  # fmt: skip


def decays(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: alpha * w)


def halved(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: alpha / 2 * (w - w0))


def doubled(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: 2 * alpha * (w - w0))


def no_half(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: alpha * (w - w0),
                    lambda w: alpha * np.sum((w - w0) ** 2))  # fmt: skip


def driven_away(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: alpha * (w0 - w))


def plain(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: 0 * w)


def from_nothing(w0, c, goal, eta, alpha, steps):
    pull = lambda w: alpha * (w - w0)  # noqa: E731
    return _descend(w0, c, goal, eta, alpha, steps, pull, start=0.0)


def norm(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: alpha * (w - w0),
                    lambda w: alpha / 2 * np.linalg.norm(w - w0))  # fmt: skip


def mean_penalty(w0, c, goal, eta, alpha, steps):
    return _descend(w0, c, goal, eta, alpha, steps, lambda w: alpha * (w - w0),
                    lambda w: alpha / 2 * np.mean((w - w0) ** 2))  # fmt: skip


def old_penalty(w0, c, goal, eta, alpha, steps):
    before = in_closed_form(w0, c, goal, eta, alpha, steps - 1)
    return [before[0], *in_closed_form(w0, c, goal, eta, alpha, steps)[1:]]


def slope_twice(w0, c, goal, eta, alpha, steps):
    return _descend(w0, 2 * c, goal, eta, alpha, steps, lambda w: alpha * (w - w0))


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


def _long(tensors):
    return torch.cat([x.flatten() for x in tensors]).norm().item()


def way_only(before, after):
    return [_long([after[n] - before[n] for n in names]) for names in _layers(before)]


def over_the_end(before, after):
    ends = [_long([after[n] for n in names]) for names in _layers(before)]
    return np.array(way_only(before, after)) / ends


def _each(before, after, names):
    return [((after[n] - before[n]).norm() / before[n].norm()).item() for n in names]


def mean_share_of_tensors(before, after):
    return [np.mean(_each(before, after, names)) for names in _layers(before)]


def maximum(before, after):
    return [max(_each(before, after, names)) for names in _layers(before)]


def added_norms(before, after):
    return [
        sum((after[n] - before[n]).norm() for n in names)
        / sum(before[n].norm() for n in names)
        for names in _layers(before)
    ]


def squares(before, after):
    return np.array(with_numpy(before, after)) ** 2


def city_blocks(before, after):
    return [
        float(sum((after[n] - before[n]).abs().sum() for n in names)
              / sum(before[n].abs().sum() for n in names))
        for names in _layers(before)
    ]  # fmt: skip


def no_bias(before, after):
    kept = {n: x for n, x in before.items() if n != "bias"}
    return with_numpy(kept, after)


def text_order(before, after):
    found = with_numpy(before, after)
    order = sorted(str(k) for k in range(len(found) - 1))
    return [found[0], *(found[int(k) + 1] for k in order)]


def words_at_the_end(before, after):
    first, *rest = with_numpy(before, after)
    return [*rest, first]


def downwards(before, after):
    return with_numpy(before, after)[::-1]


def one_number(before, after):
    return [_long([after[n] - before[n] for n in before]) / _long(before.values())]


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


def after_it(seen, unseen, level):
    return unseen[_place(seen, level)]


def before_it(seen, unseen, level):
    return unseen[_place(seen, level) - 1]


def middle(seen, unseen, level):
    k = _place(seen, level)
    return (unseen[k - 1] + unseen[k]) / 2


def nearer(seen, unseen, level):
    k = _place(seen, level)
    first = seen[k - 1] - level < level - seen[k]
    return unseen[k - 1] if first else unseen[k]


def last_time(seen, unseen, level):
    k = int(np.flatnonzero((seen[:-1] > level) & (seen[1:] <= level))[-1]) + 1
    return look_by_look(seen[k - 1 :], unseen[k - 1 :], level)


def swapped_weights(seen, unseen, level):
    k = _place(seen, level)
    share = (seen[k - 1] - level) / (seen[k - 1] - seen[k])
    return share * unseen[k - 1] + (1 - share) * unseen[k]


def the_level(seen, unseen, level):
    return level


def early_stopping(seen, unseen, level):
    return unseen.min()


def at_the_end(seen, unseen, level):
    return unseen[-1]


def only_the_share(seen, unseen, level):
    k = _place(seen, level)
    return (seen[k - 1] - level) / (seen[k - 1] - seen[k])


def the_gap(seen, unseen, level):
    return look_by_look(seen, unseen, level) - level


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
        "across_sentences": [one_big_sort],
        "inverse_order": [scattered],
        "descending": [backwards],
        "sentences_not_words": [moves_sentences],
        "same_order": [first_keys_for_all],
        "sorted_words": [alphabet],
        "places": [indices],
        "without_the_last": [forgets_the_end],
        "one_exchange": [smallest_first],
        "turned_round": [mirror],
        "untouched": [nothing],
        "": [own_random_numbers],
    },
    "11.kept": {
        "sets_of_words": [with_sets],
        "order_counts": [exactly_the_same],
        "across_borders": [one_long_row],
        "sets_of_pairs": [different_pairs],
        "either_direction": [without_direction],
        "same_place": [at_its_place],
        "mean_of_sentences": [mean_share],
        "of_both": [jaccard],
        "of_words": [over_words],
        "words_not_sentences": [weighted],
        "what_was_lost": [lost],
        "counts": [numbers_not_shares],
        "": [only_whether_it_occurs],
    },
    "11.descend": {
        "to_zero": [weight_decay],
        "decay": [decays],
        "half_the_pull": [halved],
        "twice_the_pull": [doubled],
        "without_the_half": [no_half],
        "pushes": [driven_away],
        "no_pull": [plain],
        "from_zero": [from_nothing],
        "not_squared": [norm],
        "mean_of_squares": [mean_penalty],
        "one_step_late": [old_penalty],
        "twice_the_slope": [slope_twice],
        "": [weights_first],
    },
    "11.distances": {
        "not_relative": [way_only],
        "beside_the_end": [over_the_end],
        "mean_of_parameters": [mean_share_of_tensors],
        "largest_parameter": [maximum],
        "sum_of_norms": [added_norms],
        "squared": [squares],
        "absolute_values": [city_blocks],
        "bias_forgotten": [no_bias],
        "alphabetical": [text_order],
        "words_last": [words_at_the_end],
        "from_the_top": [downwards],
        "all_at_once": [one_number],
        "": [root_mean_square],
    },
    "11.at_level": {
        "next_look": [after_it],
        "look_before": [before_it],
        "halfway": [middle],
        "nearest_look": [nearer],
        "last_crossing": [last_time],
        "wrong_way_round": [swapped_weights],
        "training_loss": [the_level],
        "best_test_loss": [early_stopping],
        "final_loss": [at_the_end],
        "share_not_loss": [only_the_share],
        "gap": [the_gap],
        "": [where_test_is_low],
    },
}
