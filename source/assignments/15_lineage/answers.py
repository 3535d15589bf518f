"""Known answers to assignment 15, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter

import numpy as np
import torch
from scipy import stats

# 1. cbow


def in_one_line(words, answers, context):
    z = answers @ words[context].mean(axis=0)
    return np.exp(z - z.max()) / np.exp(z - z.max()).sum()


def with_torch(words, answers, context):
    mean = torch.from_numpy(words)[torch.tensor(context)].mean(dim=0)
    return torch.softmax(torch.from_numpy(answers) @ mean, dim=0)


def by_counting(words, answers, context):
    # How often each word occurs is all that a bag knows.
    count = np.zeros(len(words))
    for word in context:
        count[word] += 1
    z = answers @ (count @ words) / len(context)
    return list(np.exp(z) / np.exp(z).sum())


def _softmax(z):
    e = np.exp(z - np.max(z))
    return e / e.sum()


def no_mean(words, answers, context):
    return _softmax(answers @ words[context].sum(axis=0))


def as_a_set(words, answers, context):
    return _softmax(answers @ words[list(set(context))].mean(axis=0))


def near_words_first(words, answers, context):
    weights = np.arange(len(context), 0, -1.0)
    return _softmax(answers @ (weights @ words[context] / weights.sum()))


def overwritten(words, answers, context):
    for word in context:
        c = words[word]
    return _softmax(answers @ c)


def tied(words, answers, context):
    return _softmax(words @ words[context].mean(axis=0))


def other_way_round(words, answers, context):
    return _softmax(words @ answers[context].mean(axis=0))


def only_scores(words, answers, context):
    return answers @ words[context].mean(axis=0)


def only_exp(words, answers, context):
    return np.exp(answers @ words[context].mean(axis=0))


def log_softmax(words, answers, context):
    return np.log(_softmax(answers @ words[context].mean(axis=0)))


def negative_sampling(words, answers, context):
    return 1 / (1 + np.exp(-(answers @ words[context].mean(axis=0))))


def mean_of_everything(words, answers, context):
    return _softmax(answers @ words.mean(axis=0))


# 2. product


def with_arrays(left, right, alone):
    x = left * right / alone
    return x / np.sum(x)


def with_logarithms(left, right, alone):
    z = torch.from_numpy(np.log(left) + np.log(right) - np.log(alone))
    return z.softmax(dim=0)


def step_by_step(left, right, alone):
    # Bayes: begin with p(w | left), and let the right side speak: p(right | w) ~ ratio.
    belief = list(left)
    for i, (p, q) in enumerate(zip(right, alone, strict=True)):
        belief[i] *= p / q
    return [b / math.fsum(belief) for b in belief]


def _normalise(x):
    return x / x.sum()


def forgot_the_sum(left, right, alone):
    return left * right / alone


def naive(left, right, alone):
    return _normalise(left * right)


def times(left, right, alone):
    return _normalise(left * right * alone)


def both_divided(left, right, alone):
    return _normalise((left / alone) * (right / alone))


def averaged(left, right, alone):
    return (left + right) / 2


def rooted(left, right, alone):
    return _normalise(np.sqrt(left * right))


def only_forward(left, right, alone):
    return left


def sum_of_ratios(left, right, alone):
    return _normalise(left / alone + right / alone)


def log_of_it(left, right, alone):
    return np.log(with_arrays(left, right, alone))


def stronger_side(left, right, alone):
    return _normalise(np.maximum(left, right))


# 3. optimum


def sums_and_maxima(joint):
    return [
        joint.sum(axis=2).max(axis=0).sum(),
        joint.sum(axis=1).max(axis=0).sum(),
        joint.max(axis=0).sum(),
    ]


def every_rule(joint):
    # Brute force indeed: try every function from what is seen to a class.
    K, L, R = joint.shape

    def best(table):  # (K, S)
        rules = itertools.product(range(K), repeat=table.shape[1])
        return max(sum(table[y, s] for s, y in enumerate(rule)) for rule in rules)

    if K ** (L * R) > 100_000:
        both = sum(max(joint[:, i, j]) for i in range(L) for j in range(R))
    else:
        both = best(joint.reshape(K, L * R))
    return best(joint.sum(axis=2)), best(joint.sum(axis=1)), both


def with_torch_sums(joint):
    p = torch.tensor(joint)
    tables = p.sum(dim=2), p.sum(dim=1), p.flatten(1)
    return torch.stack([table.amax(dim=0).sum() for table in tables])


def swapped(joint):
    left, right, both = sums_and_maxima(joint)
    return [right, left, both]


def maximum_first(joint):
    return [joint.max(axis=0).sum(axis=1).sum(), joint.max(0).sum(0).sum(),
            joint.max(axis=0).sum()]  # fmt: skip


def better_of_two(joint):
    left, right, _ = sums_and_maxima(joint)
    return [left, right, max(left, right)]


def majority(joint):
    return [joint.sum(axis=(1, 2)).max()] * 3


def unweighted(joint):
    found = []
    for table in (joint.sum(axis=2), joint.sum(axis=1), joint.reshape(len(joint), -1)):
        seen = table.sum(axis=0)
        found.append(np.mean(table.max(axis=0) / np.where(seen > 0, seen, 1)))
    return found


def balanced(joint):
    share = joint.sum(axis=(1, 2))[:, None, None]
    return sums_and_maxima(joint / share / len(joint))


def errors(joint):
    return 1 - np.array(sums_and_maxima(joint))


def pessimist(joint):
    return [joint.sum(2).min(0).sum(), joint.sum(1).min(0).sum(), joint.min(0).sum()]


def samples(joint):
    tables = joint.sum(axis=2), joint.sum(axis=1), joint.reshape(len(joint), -1)
    return [np.nansum(t**2 / t.sum(axis=0)) for t in tables]


def single_case(joint):
    return [joint.sum(axis=2).max(), joint.sum(axis=1).max(), joint.max()]


def always_certain(joint):
    return [0.5, 0.5, 1.0]


# 4. gain


def with_scipy(mine, theirs):
    d = mine - theirs
    low, high = stats.t.interval(0.95, len(d) - 1, d.mean(), stats.sem(d))
    return d.mean(), low, high


def by_statistics(mine, theirs):
    d = [float(a - b) for a, b in zip(mine, theirs, strict=True)]
    middle = statistics.fmean(d)
    error = statistics.stdev(d) / len(d) ** 0.5
    half = stats.t(len(d) - 1).ppf(0.975) * error
    return [middle, middle - half, middle + half]


def paired_test(mine, theirs):
    result = stats.ttest_rel(mine, theirs)
    interval = result.confidence_interval(0.95)
    return torch.tensor([np.mean(mine) - np.mean(theirs), *interval])


def _gain(d, quantile, error):
    return [d.mean(), d.mean() - quantile * error, d.mean() + quantile * error]


def two_groups(mine, theirs):
    result = stats.ttest_ind(mine, theirs).confidence_interval(0.95)
    return [mine.mean() - theirs.mean(), result.low, result.high]


def two_sigma(mine, theirs):
    d = mine - theirs
    return _gain(d, stats.norm.ppf(0.975), stats.sem(d))


def ninety(mine, theirs):
    d = mine - theirs
    return _gain(d, stats.t.ppf(0.95, len(d) - 1), stats.sem(d))


def n_degrees(mine, theirs):
    d = mine - theirs
    return _gain(d, stats.t.ppf(0.975, len(d)), stats.sem(d))


def numpy_std(mine, theirs):
    d = mine - theirs
    return _gain(d, stats.t.ppf(0.975, len(d) - 1), d.std() / np.sqrt(len(d)))


def one_seed(mine, theirs):
    d = mine - theirs
    return _gain(d, stats.t.ppf(0.975, len(d) - 1), d.std(ddof=1))


def by_n(mine, theirs):
    d = mine - theirs
    return _gain(d, stats.t.ppf(0.975, len(d) - 1), d.std(ddof=1) / len(d))


def minus_mine(mine, theirs):
    return with_scipy(theirs, mine)


def smallest_and_largest(mine, theirs):
    d = mine - theirs
    return d.mean(), d.min(), d.max()


def plus_minus(mine, theirs):
    middle, low, _ = with_scipy(mine, theirs)
    return middle, middle - low, middle - low


def no_interval(mine, theirs):
    return [np.mean(mine - theirs)] * 3


# 5. audit


def line_by_line(log, budget):
    chosen = next(event[1] for event in log if event[0] == "choose")
    labels = {chosen: {}, "TF-IDF": {}}
    few = paired = late = again = slow = 0
    made = tested = False
    for what, method, seed, drawn, seconds in log:
        slow |= seconds > budget
        if what == "choose":
            made = True
            late |= tested
        if what == "dev":
            again |= tested
        if what == "test":
            again |= seed in labels[method]
            labels[method][seed] = drawn
            tested = True
    few = any(len(found) < 5 for found in labels.values())
    paired = labels[chosen] != labels["TF-IDF"]
    assert made
    return [few, paired, late, again, slow]


def with_sets(log, budget):
    what = [event[0] for event in log]
    choose, first = what.index("choose"), what.index("test")
    tests = [event for event in log if event[0] == "test"]
    chosen = log[choose][1]
    mine = {(e[2], e[3]) for e in tests if e[1] == chosen}
    base = {(e[2], e[3]) for e in tests if e[1] == "TF-IDF"}
    twice = max(Counter((e[1], e[2]) for e in tests).values()) > 1
    return np.array([
        min(len({s for s, _ in mine}), len({s for s, _ in base})) < 5,
        mine != base,
        first < choose,
        twice or "dev" in what[first:],
        max(e[4] for e in log) > budget,
    ]).astype(int)  # fmt: skip


def in_helpers(log, budget):
    def place(kind):
        return min(i for i, event in enumerate(log) if event[0] == kind)

    def drawn(method):
        return {e[2]: e[3] for e in log if e[:2] == ("test", method)}

    mine, base = drawn(log[place("choose")][1]), drawn("TF-IDF")
    n_tests = sum(event[0] == "test" for event in log)
    distinct = len({event[:3] for event in log if event[0] == "test"})
    last_dev = max(i for i, event in enumerate(log) if event[0] == "dev")
    return torch.tensor([
        len(mine) < 5 or len(base) < 5,
        set(mine.items()) ^ set(base.items()) != set(),
        place("choose") > place("test"),
        n_tests > distinct or last_dev > place("test"),
        any(seconds > budget for *_, seconds in log),
    ]).int()  # fmt: skip


def _flags(log, budget, **changes):
    found = dict(zip(("seeds", "paired", "choice", "once", "slow"),
                     line_by_line(log, budget), strict=True))  # fmt: skip
    return [int(flag) for flag in (found | changes).values()]


def _tests(log, method=None):
    return [e for e in log if e[0] == "test" and method in (None, e[1])]


def _chosen(log):
    return next(e[1] for e in log if e[0] == "choose")


def counts_runs(log, budget):
    few = min(len(_tests(log, m)) for m in (_chosen(log), "TF-IDF")) < 5
    return _flags(log, budget, seeds=few)


def dev_runs_too(log, budget):
    def sets(method):
        return {e[2]: e[3] for e in log if e[0] in ("dev", "test") and e[1] == method}

    mine, base = sets(_chosen(log)), sets("TF-IDF")
    return _flags(log, budget, seeds=min(len(mine), len(base)) < 5, paired=mine != base)


def chosen_only(log, budget):
    few = len({e[2] for e in _tests(log, _chosen(log))}) < 5
    return _flags(log, budget, seeds=few)


def more_than_five(log, budget):
    few = min(len({e[2] for e in _tests(log, m)}) for m in (_chosen(log), "TF-IDF"))
    return _flags(log, budget, seeds=few <= 5)


def same_seeds(log, budget):
    mine, base = ({e[2] for e in _tests(log, m)} for m in (_chosen(log), "TF-IDF"))
    return _flags(log, budget, paired=mine != base)


def where_both_are(log, budget):
    mine, base = (
        {e[2]: e[3] for e in _tests(log, m)} for m in (_chosen(log), "TF-IDF")
    )
    common = mine.keys() & base.keys()
    return _flags(log, budget, paired=any(mine[s] != base[s] for s in common))


def only_twice(log, budget):
    tests = [e[1:3] for e in _tests(log)]
    return _flags(log, budget, once=len(set(tests)) < len(tests))


def only_afterwards(log, budget):
    what = [e[0] for e in log]
    return _flags(log, budget, once="dev" in what[what.index("test") :])


def total_time(log, budget):
    return _flags(log, budget, slow=sum(e[4] for e in log) > budget)


def at_least(log, budget):
    return _flags(log, budget, slow=max(e[4] for e in log) >= budget)


def good_is_one(log, budget):
    return [1 - flag for flag in _flags(log, budget)]


def before_the_end(log, budget):
    what = [e[0] for e in log]
    last = len(what) - 1 - what[::-1].index("test")
    return _flags(log, budget, choice=what.index("choose") > last)


def all_is_well(log, budget):
    return [0, 0, 0, 0, 0]


RIGHT = {
    "15.cbow": [in_one_line, with_torch, by_counting],
    "15.product": [with_arrays, with_logarithms, step_by_step],
    "15.optimum": [sums_and_maxima, every_rule, with_torch_sums],
    "15.gain": [with_scipy, by_statistics, paired_test],
    "15.audit": [line_by_line, with_sets, in_helpers],
}

WRONG = {
    "15.cbow": {
        "summed": [no_mean],
        "each_word_once": [as_a_set],
        "by_place": [near_words_first],
        "last_word": [overwritten],
        "one_table": [tied],
        "tables_swapped": [other_way_round],
        "scores": [only_scores],
        "not_normalised": [only_exp],
        "logarithms": [log_softmax],
        "yes_or_no": [negative_sampling],
        "": [mean_of_everything],
    },
    "15.product": {
        "not_normalised": [forgot_the_sum],
        "frequency_counted_twice": [naive],
        "times_the_unigram": [times],
        "divided_twice": [both_divided],
        "mixture": [averaged],
        "geometric_mean": [rooted],
        "one_side": [only_forward],
        "ratios_added": [sum_of_ratios],
        "logarithms": [log_of_it],
        "": [stronger_side],
    },
    "15.optimum": {
        "sides_swapped": [swapped],
        "peeks": [maximum_first],
        "better_side": [better_of_two],
        "never_looks": [majority],
        "cues_equally_likely": [unweighted],
        "classes_equally_likely": [balanced],
        "error_rates": [errors],
        "worst": [pessimist],
        "draws_its_answer": [samples],
        "likeliest_case": [single_case],
        "": [always_certain],
    },
    "15.gain": {
        "not_paired": [two_groups],
        "normal": [two_sigma],
        "one_sided": [ninety],
        "degrees": [n_degrees],
        "divided_by_n": [numpy_std],
        "spread_of_one_seed": [one_seed],
        "no_root": [by_n],
        "wrong_way_round": [minus_mine],
        "extremes": [smallest_and_largest],
        "half_widths": [plus_minus],
        "": [no_interval],
    },
    "15.audit": {
        "runs_for_seeds": [counts_runs],
        "dev_counts": [dev_runs_too],
        "only_the_chosen": [chosen_only],
        "six_seeds": [more_than_five],
        "seeds_not_sets": [same_seeds],
        "common_seeds_only": [where_both_are],
        "tried_afterwards": [only_twice],
        "tested_twice": [only_afterwards],
        "all_together": [total_time],
        "exactly_the_budget": [at_least],
        "kept_not_broken": [good_is_one],
        "last_test": [before_the_end],
        "": [all_is_well],
    },
}
