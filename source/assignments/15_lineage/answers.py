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


def two_groups(mine, theirs):
    result = stats.ttest_ind(mine, theirs).confidence_interval(0.95)
    return [mine.mean() - theirs.mean(), result.low, result.high]


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


def all_is_well(log, budget):
    return [0, 0, 0, 0, 0]


def every_test_with_every_other(log, budget):
    what = [event[0] for event in log]
    chosen, first = log[what.index("choose")][1], what.index("test")
    labels = {chosen: {}, "TF-IDF": {}}
    for event, method, seed, number, _ in log:
        if event == "test":
            labels[method].setdefault(seed, []).append(number)
    mine, theirs = labels[chosen], labels["TF-IDF"]
    return (
        min(len(mine), len(theirs)) < 5,
        mine.keys() != theirs.keys()
        or any(len({*mine[seed], *theirs[seed]}) > 1 for seed in mine),
        what.index("choose") > first,
        any(len(of) > 1 for m in labels.values() for of in m.values())
        or "dev" in what[first:],
        max(event[-1] for event in log) > budget,
    )


RIGHT = {
    "15.cbow": [in_one_line, with_torch, by_counting],
    "15.product": [with_arrays, with_logarithms, step_by_step],
    "15.optimum": [sums_and_maxima, every_rule, with_torch_sums],
    "15.gain": [with_scipy, by_statistics, paired_test],
    "15.audit": [line_by_line, with_sets, in_helpers, every_test_with_every_other],
}

WRONG = {
    "15.cbow": {
        "": [mean_of_everything],
    },
    "15.product": {
        "": [stronger_side],
    },
    "15.optimum": {
        "": [always_certain],
    },
    "15.gain": {
        "not_paired": [two_groups],
        "": [no_interval],
    },
    "15.audit": {
        "runs_for_seeds": [counts_runs],
        "": [all_is_well],
    },
}
