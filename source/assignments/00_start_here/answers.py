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


def divided_by_the_new_error(old, new):
    return (new - old) / max(100 - new, 1e-300) * 100


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


def five_percent_each_side(a, b, rng, rounds=10_000):
    return np.quantile(_means(b - a, rng, rounds), [0.05, 0.95])


def one_sigma(a, b, rng, rounds=10_000):
    means = _means(b - a, rng, rounds)
    return means.mean() - means.std(), means.mean() + means.std()


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


def turned_round(a, b, rng, rounds=10_000):  # the "basic" bootstrap
    low, high = np.quantile(_means(b - a, rng, rounds), [0.025, 0.975])
    return 2 * (b - a).mean() - high, 2 * (b - a).mean() - low


def always_ten_thousand(a, b, rng, rounds=10_000):
    return all_draws_at_once(a, b, rng)


def one_error_twice(a, b, rng, rounds=10_000):
    means = _means(b - a, rng, rounds)
    return (b - a).mean() + means.std() * np.array([-1.96, 1.96])


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
        "share_of_new_error": [divided_by_the_new_error],
        "": [always_the_example],
    },
    "00.majority_accuracy": {
        "": [pooled],
    },
    "00.paired_interval": {
        "unpaired": [drew_twice],
        "ninety": [five_percent_each_side],
        "one_standard_error": [one_sigma],
        "half_the_items": [drew_half],
        "a_minus_b": [first_minus_second],
        "b_alone": [only_b],
        "in_percent": [in_points],
        "high_low": [high_first],
        "percent_or_fraction": [percentile_of_fractions],
        "global_random": [its_own_generator],
        "ignores_rng": [its_own_seed],
        "normal_curve": [one_error_twice],
        "ignores_rounds": [always_ten_thousand],
        "": [smallest_and_largest, turned_round],
    },
    "00.data_multiplier": {
        "": [ratio_of_scores],
    },
}
