"""Known answers to assignment 00, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import collections
import math
import statistics

import numpy as np

# 1. error_reduction


def error_ratio(old, new):
    return 100 - 100 * (100 - new) / (100 - old)


def points_over_errors(old, new):
    errors = 100.0 - old
    print(f"{errors} % errors, {new - old} points")  # costs nothing
    return (new - old) / errors * 100


def in_numpy(old, new):
    before, after = np.float64(1) - np.array([old, new]) / 100
    return np.float64(100) * (before - after) / before


def only_points(old, new):
    return float(new) - float(old)


def relative_accuracy(old, new):
    return (new / old - 1) * 100


def divided_by_the_new_error(old, new):
    return (new - old) / max(100 - new, 1e-300) * 100


def as_a_fraction(old, new):
    return (new - old) / (100 - old)


def what_remains(old, new):
    return (100 - new) / (100 - old) * 100


def old_minus_new(old, new):
    return (old - new) / (100 - old) * 100


def without_sign(old, new):
    return abs(new - old) / (100 - old) * 100


def never_negative(old, new):
    return max(0.0, (new - old) / (100 - old) * 100)


def to_one_place(old, new):
    return round((new - old) / (100 - old) * 100, 1)


def one_minus_percent(old, new):
    return (new - old) / (1 - old) * 100


def always_the_example(old, new):
    return 100 * 0.7 / 12.0


# 2. majority_accuracy


def with_a_counter(train, test):
    label, _ = collections.Counter(train).most_common(1)[0]
    return sum(answer == label for answer in test) / len(test) * 100


def with_statistics(train, test):
    return 100 * np.mean([label == statistics.mode(train) for label in test])


def by_sorting(train, test):
    train = sorted(train, key=str)
    best, longest, run = None, 0, 0
    for i, label in enumerate(train):
        run = run + 1 if i and label == train[i - 1] else 1
        if run > longest:
            best, longest = label, run
    return test.count(best) * 100 / len(test)


def looked_at_the_test(train, test):
    return collections.Counter(test).most_common(1)[0][1] / len(test) * 100


def scored_the_training_set(train, test):
    return collections.Counter(train).most_common(1)[0][1] / len(train) * 100


def one_over_k(train, test):
    return 100.0 / len(set(train))


def guessed_in_proportion(train, test):
    p = {label: train.count(label) / len(train) for label in train}
    return 100 * sum(p.get(label, 0) for label in test) / len(test)


def maximum(train, test):
    return 100 * test.count(max(train)) / len(test)


def the_first(train, test):
    return 100 * test.count(train[0]) / len(test)


def the_rarest(train, test):
    return 100 * test.count(min(set(train), key=train.count)) / len(test)


def fraction_right(train, test):
    return with_a_counter(train, test) / 100


def how_many_right(train, test):
    return test.count(statistics.mode(train))


def which_label(train, test):
    return statistics.mode(train)


def pooled(train, test):
    return with_a_counter(train + test, test)


# 3. paired_interval


def all_draws_at_once(a, b, rng, rounds=10_000):
    items = rng.integers(0, len(a), (rounds, len(a)))
    means = b[items].mean(axis=1) - a[items].mean(axis=1)
    return np.percentile(means, [2.5, 97.5])


def by_weights(a, b, rng, rounds=10_000):
    n = len(a)
    counts = rng.multinomial(
        n, [1 / n] * n, size=rounds
    )  # how often each item is drawn
    means = sorted((counts @ (b - a) / n).tolist())
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]


def by_choice(a, b, rng, rounds=10_000):
    gaps = np.asarray(b) - np.asarray(a)
    means = [rng.choice(gaps, len(gaps), replace=True).mean() for _ in range(rounds)]
    return [np.quantile(means, 0.025), np.quantile(means, 0.975)]


def _means(d, rng, rounds, n=None):
    items = rng.integers(len(d), size=(rounds, n or len(d)))
    return d[items].mean(axis=1)


def drew_twice(a, b, rng, rounds=10_000):
    return np.quantile(_means(b, rng, rounds) - _means(a, rng, rounds), [0.025, 0.975])


def no_replacement(a, b, rng, rounds=10_000):
    means = [rng.permutation(b - a).mean() for _ in range(500)]
    return np.quantile(means, [0.025, 0.975])


def five_percent_each_side(a, b, rng, rounds=10_000):
    return np.quantile(_means(b - a, rng, rounds), [0.05, 0.95])


def one_sigma(a, b, rng, rounds=10_000):
    means = _means(b - a, rng, rounds)
    return means.mean() - means.std(), means.mean() + means.std()


def of_single_items(a, b, rng, rounds=10_000):
    d = b - a
    return d.mean() - 1.96 * d.std(), d.mean() + 1.96 * d.std()


def drew_half(a, b, rng, rounds=10_000):
    return np.quantile(_means(b - a, rng, rounds, len(a) // 2), [0.025, 0.975])


def first_minus_second(a, b, rng, rounds=10_000):
    return np.quantile(_means(a - b, rng, rounds), [0.025, 0.975])


def only_b(a, b, rng, rounds=10_000):
    return np.quantile(_means(b, rng, rounds), [0.025, 0.975])


def in_points(a, b, rng, rounds=10_000):
    return 100 * np.quantile(_means(b - a, rng, rounds), [0.025, 0.975])


def high_first(a, b, rng, rounds=10_000):
    return np.quantile(_means(b - a, rng, rounds), [0.975, 0.025])


def percentile_of_fractions(a, b, rng, rounds=10_000):
    return np.percentile(_means(b - a, rng, rounds), [0.025, 0.975])


def its_own_generator(a, b, rng, rounds=10_000):
    return all_draws_at_once(a, b, np.random.default_rng(), rounds)


def its_own_seed(a, b, rng, rounds=10_000):
    return all_draws_at_once(a, b, np.random.default_rng(0), rounds)


def smallest_and_largest(a, b, rng, rounds=10_000):
    means = _means(b - a, rng, rounds)
    return means.min(), means.max()


# 4. data_multiplier


def with_interp(baseline, pretrained, score):
    places = []
    for curve in (baseline, pretrained):
        labels, scores = map(np.array, zip(*curve, strict=True))
        above = np.flatnonzero(scores >= score)
        if len(above) == 0 or scores[0] > score:
            return float("nan")
        k = above[0]
        if k == 0:
            places.append(np.log(labels[0]))
            continue
        pair = slice(k - 1, k + 1)
        places.append(np.interp(score, scores[pair], np.log(labels[pair])))
    return np.exp(places[0] - places[1])


def by_powers(baseline, pretrained, score):
    def where(curve):
        before = None
        for labels, reached in curve:
            if reached >= score:
                if before is None:
                    return labels if reached == score else math.nan
                share = (score - before[1]) / (reached - before[1])
                return before[0] * (labels / before[0]) ** share
            before = labels, reached
        return math.nan

    return where(baseline) / where(pretrained)


def by_bisection(baseline, pretrained, score):
    def height(curve, x):
        for (n, low), (m, high) in zip(curve, curve[1:], strict=False):
            if x <= math.log10(m):
                part = (x - math.log10(n)) / math.log10(m / n)
                return low + part * (high - low)
        return curve[-1][1]

    def where(curve):
        if curve[0][1] > score or max(s for _, s in curve) < score:
            return math.nan
        left = math.log10(curve[0][0])
        right = math.log10(next(n for n, s in curve if s >= score))
        for _ in range(100):
            middle = (left + right) / 2
            if height(curve, middle) >= score:
                right = middle
            else:
                left = middle
        return 10**right

    return where(baseline) / where(pretrained)


def _where(curve, score, forward=math.log, back=math.exp):
    if curve[0][1] > score:
        return math.nan
    for (n, low), (m, high) in zip(curve, curve[1:], strict=False):
        if low <= score <= high:
            share = (score - low) / (high - low)
            return back(forward(n) * (1 - share) + forward(m) * share)
    return math.nan


def on_a_linear_scale(baseline, pretrained, score):
    ends = [_where(c, score, float, float) for c in (baseline, pretrained)]
    return ends[0] / ends[1]


def the_wrong_way_round(baseline, pretrained, score):
    return _where(pretrained, score) / _where(baseline, score)


def first_measured_point(baseline, pretrained, score):
    ends = [
        [n for n, s in c if s >= score] or [math.nan] for c in (baseline, pretrained)
    ]
    return ends[0][0] / ends[1][0]


def trusted_interp(baseline, pretrained, score):
    ends = []
    for curve in (baseline, pretrained):
        labels, scores = zip(*curve, strict=True)
        ends.append(np.interp(score, scores, np.log(labels)))
    return np.exp(ends[0] - ends[1])


def prolonged(baseline, pretrained, score):
    ends = []
    for curve in (baseline, pretrained):
        found = _where(curve, score)
        if math.isnan(found):
            (n, low), (m, high) = curve[-2:] if curve[-1][1] < score else curve[:2]
            slope = (high - low) / math.log(m / n)
            found = math.exp(math.log(n) + (score - low) / slope)
        ends.append(found)
    return ends[0] / ends[1]


def left_the_logarithm(baseline, pretrained, score):
    return math.log(_where(baseline, score)) - math.log(_where(pretrained, score))


def log10_then_exp(baseline, pretrained, score):
    ends = [_where(c, score, math.log10, math.exp) for c in (baseline, pretrained)]
    return ends[0] / ends[1]


def how_many_saved(baseline, pretrained, score):
    return _where(baseline, score) - _where(pretrained, score)


def from_behind(baseline, pretrained, score):
    ends = []
    for curve in (baseline, pretrained):
        pieces = list(zip(curve, curve[1:], strict=False))
        found = [_where(list(p), score) for p in pieces[::-1]]
        ends.append(next((x for x in found if not math.isnan(x)), math.nan))
    return ends[0] / ends[1]


def began_at_the_first_point(baseline, pretrained, score):
    ends = [
        c[0][0] if c[0][1] > score else _where(c, score) for c in (baseline, pretrained)
    ]
    return ends[0] / ends[1]


def ratio_of_scores(baseline, pretrained, score):
    return pretrained[0][1] / baseline[0][1]


RIGHT = {
    "00.error_reduction": [error_ratio, points_over_errors, in_numpy],
    "00.majority_accuracy": [with_a_counter, with_statistics, by_sorting],
    "00.paired_interval": [all_draws_at_once, by_weights, by_choice],
    "00.data_multiplier": [with_interp, by_powers, by_bisection],
}

WRONG = {
    "00.error_reduction": {
        "points": [only_points],
        "share_of_accuracy": [relative_accuracy],
        "share_of_new_error": [divided_by_the_new_error],
        "fraction": [as_a_fraction],
        "remaining": [what_remains],
        "reversed_sign": [old_minus_new],
        "magnitude": [without_sign],
        "clipped": [never_negative],
        "rounded": [to_one_place],
        "as_fractions": [one_minus_percent],
        "": [always_the_example],
    },
    "00.majority_accuracy": {
        "from_the_test_set": [looked_at_the_test],
        "on_the_training_set": [scored_the_training_set],
        "equal_chance": [one_over_k],
        "in_proportion": [guessed_in_proportion],
        "largest_label": [maximum],
        "first_label": [the_first],
        "rarest_label": [the_rarest],
        "majority_as_fraction": [fraction_right],
        "number_right": [how_many_right],
        "the_label": [which_label],
        "": [pooled],
    },
    "00.paired_interval": {
        "unpaired": [drew_twice],
        "without_replacement": [no_replacement],
        "ninety": [five_percent_each_side],
        "one_standard_error": [one_sigma],
        "single_items": [of_single_items],
        "half_the_items": [drew_half],
        "a_minus_b": [first_minus_second],
        "b_alone": [only_b],
        "in_percent": [in_points],
        "high_low": [high_first],
        "percent_or_fraction": [percentile_of_fractions],
        "global_random": [its_own_generator],
        "ignores_rng": [its_own_seed],
        "": [smallest_and_largest],
    },
    "00.data_multiplier": {
        "linear_scale": [on_a_linear_scale],
        "upside_down": [the_wrong_way_round],
        "first_point_above": [first_measured_point],
        "clamped": [trusted_interp],
        "extrapolated": [prolonged],
        "logarithm": [left_the_logarithm],
        "mixed_bases": [log10_then_exp],
        "labels_saved": [how_many_saved],
        "last_crossing": [from_behind],
        "from_the_first_point": [began_at_the_first_point],
        "": [ratio_of_scores],
    },
}
