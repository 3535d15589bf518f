"""The checks of assignment 16, the claim check, and the mistakes that people make.

What is right is computed the slow way; the options of these functions make the
mistakes. The evidence is the course's own, as it stands in the ledger, and that of
other laboratories, whose rows are invented; on the former the claim cards agree.
"""

from __future__ import annotations

import functools
import math
import operator
import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import special, stats

from course_claims.cards.start_here import TABLE_1
from course_claims.exhibits import EXPERIMENTS, measured, papers
from course_claims.outcome import OUTCOMES
from course_lib.grading.checks import (
    Failure,
    Mistake,
    Spy,
    Task,
    WrongAnswer,
    numbers,
    require,
)

GAP = Task("16.gap", tolerance=1e-5)
OUTCOME = Task("16.outcome")
FLIPS = Task("16.flips")
LEDGER = Task("16.ledger_check")
PAPER = Task("16.paper_check", tolerance=1e-4)
TASKS = {task.name: task for task in (GAP, OUTCOME, FLIPS, LEDGER, PAPER)}

RAN = OUTCOMES[:4]  # what our runs say, sections 2 to 4
TOLD = ("false", "imprecise", "right")  # what a source says, section 5
WORDS = (*RAN, *TOLD)
ALPHA = 0.05


# 1. A difference, seed by seed

SIDE = ("metric", "model", "condition")


def series(rows, side, keys=SIDE) -> list[tuple[int, float]]:
    """Return (seed, value) of the rows of one side, in their order."""
    of = operator.itemgetter(*keys)
    wanted = of(dict(zip(SIDE, side, strict=True)))
    return [(row["seed"], row["value"]) for row in rows if of(row) == wanted]


def by_seed(a, b):
    b = dict(b)
    return [x - b[seed] for seed, x in a if seed in b]


def by_place(a, b):
    return [x - y for (_, x), (_, y) in zip(a, b, strict=False)]


def zero_if_absent(a, b):
    a, b = dict(a), dict(b)
    return [a.get(seed, 0.0) - b.get(seed, 0.0) for seed in sorted({*a, *b})]


@functools.lru_cache(maxsize=100)
def t_quantile(level: float, n: int) -> float:
    return float(stats.t.ppf(level, n - 1))


def difference(
    rows, new, old, keys=SIDE, pair=by_seed, sign=1, ddof=1, root=math.sqrt,
    level=0.975, t=t_quantile,
    count=lambda d, a, b: len(d),
):  # fmt: skip
    """Compute mean, both ends and number of seeds by hand; the options make mistakes.

    One seed has no interval: its ends are nan.
    """
    a = series(rows, new, keys)
    line = isinstance(old, int | float)
    b = [(seed, float(old)) for seed, _ in a] if line else series(rows, old, keys)
    d = [sign * x for x in pair(a, b)]
    n = len(d)
    if n < 2:
        return np.array([d[0] if d else math.nan, math.nan, math.nan, n])
    mean = sum(d) / n
    s = math.sqrt(sum((x - mean) ** 2 for x in d) / (n - ddof))
    half = t(level, n) * s / root(n)
    return np.array([mean, mean - half, mean + half, count(d, a, b)])


def two_groups(rows, new, old):
    """Forget that the sides belong together seed by seed."""
    if isinstance(old, int | float):
        return difference(rows, new, old)
    a, b = ([x for _, x in series(rows, side)] for side in (new, old))
    # Welch's interval, by hand: scipy's test never ends where somebody replaced np.any.
    u, v = (float(np.var(side, ddof=1)) / len(side) for side in (a, b))
    freedom = (u + v) ** 2 / (u**2 / (len(a) - 1) + v**2 / (len(b) - 1) + 1e-300)
    gap = float(np.mean(a) - np.mean(b))
    half = float(stats.t.ppf(0.975, max(freedom, 1.0))) * math.sqrt(u + v)
    return np.array([gap, gap - half, gap + half, len(a)])


def two_intervals(rows, new, old):
    """Compare the interval of one mean with the interval of the other."""
    if isinstance(old, int | float):
        return difference(rows, new, old)
    mean, low, high, n = difference(rows, new, 0.0)
    other, lowest, highest, _ = difference(rows, old, 0.0)
    return np.array([mean - other, low - highest, high - lowest, n])


def invented(rng: np.random.Generator, seeds: int, alone: int = 0) -> tuple:
    """Return rows of two metrics, models and conditions; and two of the sides.

    Seeds are easy or hard for all; `alone` of them lack a row on one of the sides.
    """
    metrics, models, conditions = ("F1", "loss"), ("new", "old"), ("en", "zh")
    numbers_of = rng.permutation(40)[:seeds].tolist()
    of_seed = rng.normal(0, 0.2, size=seeds)
    rows = []
    for metric in metrics:
        for model in models:
            for condition in conditions:
                level = rng.uniform(0.3, 0.7)
                for k, seed in enumerate(numbers_of):
                    value = round(float(level + of_seed[k] + rng.normal(0, 0.03)), 4)
                    row = {"seed": seed, "model": model, "condition": condition}
                    rows.append(row | {"metric": metric, "value": value})
    metric, condition = str(rng.choice(metrics)), str(rng.choice(conditions))
    new, old = ((metric, model, condition) for model in models)
    lonely = {(s, *(new, old)[k % 2]) for k, s in enumerate(numbers_of[:alone])}
    rows = [r for r in rows if (r["seed"], *(r[key] for key in SIDE)) not in lonely]
    return [rows[i] for i in rng.permutation(len(rows))], new, old


def gaps_of(rng, sizes=((5, 0), (6, 0), (7, 2), (9, 1))) -> list[tuple]:
    cases = [invented(rng, seeds, alone) for seeds, alone in sizes]
    cases += [(rows, new, 0.5) for rows, new, _ in cases[:2]]
    cases += [(rows, old, new) for rows, new, old in cases[2:3]]
    rows, (metric, model, here), _ = cases[1]
    there = {"en": "zh", "zh": "en"}[here]
    cases.append((rows, (metric, model, here), (metric, model, there)))
    return [(case, difference(*case)) for case in cases]


EXAMPLE = [
    {"seed": seed, "model": model, "condition": "en", "metric": "F1", "value": value}
    for model, values in (("B", (0.52, 0.63, 0.70)), ("A", (0.50, 0.60, 0.66)))
    for seed, value in enumerate(values, start=1)
]


@GAP.check("the example", "题中的例子")
def example_gap(answer: Callable, rng: np.random.Generator) -> None:
    new, old = ("F1", "B", "en"), ("F1", "A", "en")
    lines = [(EXAMPLE[::-1], new, line) for line in (0.6, 0, 1)]
    cases = [(EXAMPLE, new, old), *lines]
    GAP.compare(answer, [(case, difference(*case)) for case in cases])


@GAP.check("other rows", "别的记录")
def other_rows(answer: Callable, rng: np.random.Generator) -> None:
    GAP.compare(answer, gaps_of(rng))


@GAP.check("random rows", "随机的记录", hidden=True)
def random_rows(answer: Callable, rng: np.random.Generator) -> None:
    GAP.compare(answer, gaps_of(rng) + gaps_of(rng))


GAP.mistakes += [
    Mistake(
        "zero_is_no_line",
        "`old` may be the number 0; `if old:` takes it for nothing.",
        "`old` 可以是数 0；`if old:` 会把它当成什么都没给。",
        lambda rows, new, old: (
            difference(rows, new, old)
            if old else difference(rows, new, new) * [0, 0, 0, 1]
        ),
    ),
    Mistake(
        "pooled",
        "You pool rows of different conditions: that makes more rows, not more seeds. "
        "A side is one metric, one model *and* one condition.",
        "你把不同条件下的记录混在一起了：那样只是行数多了，种子并没有多。一侧是一个"
        "指标、一个模型、*一个条件*。",
        partial(difference, keys=("metric", "model"), pair=by_place),
    ),
    Mistake(
        "other_metric",
        "You mix rows of different metrics; points of F1 and nats of loss have no "
        "common mean.",
        "你把不同指标的记录混在一起了；F1 的点数和损失的奈特没有共同的平均。",
        partial(difference, keys=("model", "condition"), pair=by_place),
    ),
    Mistake(
        "by_place",
        "You pair the first row with the first, the second with the second. The rows "
        "stand in any order: pair equal seeds.",
        "你拿第一行配第一行，第二行配第二行。记录的次序是随意的：要让种子相同的配对。",
        partial(difference, pair=by_place),
    ),
    Mistake(
        "two_intervals",
        "You compare the interval of one mean with that of the other. They may overlap "
        "widely while one side wins with every seed: take the interval of the "
        "*differences*.",
        "你拿一个平均值的区间去比另一个平均值的区间。哪怕每个种子都是同一侧赢，这两个"
        "区间也可以大片重叠：要算*差*的区间。",
        two_intervals,
    ),
    Mistake(
        "two_groups",
        "You treat the sides as two unrelated groups. Within a seed they had the same "
        "data: take differences first.",
        "你把两侧当成不相干的两组。同一个种子里，两侧用的是同样的数据：应当先求差。",
        two_groups,
    ),
    Mistake(
        "absent_is_zero",
        "A seed that one side lacks has no difference; you count what is absent as 0.",
        "一侧没有的种子，就没有差；你把缺的当成 0 了。",
        partial(difference, pair=zero_if_absent),
    ),
    Mistake(
        "wrong_way_round",
        "The difference is new minus old; yours has the other sign.",
        "差是 new 减 old；你的符号反了。",
        partial(difference, sign=-1),
    ),
    Mistake(
        "normal",
        "1.96 is for many seeds; with so few take Student's t with n − 1 degrees of "
        "freedom.",
        "1.96 适用于种子很多的时候；这么少，要用自由度 n − 1 的 t 分布。",
        partial(difference, t=lambda level, n: 1.959964),
    ),
    Mistake(
        "one_sided",
        "2.5 % must be left out at *each* end: the quantile is that of 0.975.",
        "*两*端各留出 2.5%：分位点应是 0.975。",
        partial(difference, level=0.95),
    ),
    Mistake(
        "divided_by_n",
        "The standard deviation of a sample divides by n − 1 (`ddof=1`).",
        "样本标准差要除以 n − 1（`ddof=1`）。",
        partial(difference, ddof=0),
    ),
    Mistake(
        "spread_of_one_seed",
        "The mean of n seeds varies less than one seed: divide by the root of n.",
        "n 个种子的平均，比单个种子波动小：要除以 n 的平方根。",
        partial(difference, root=lambda n: 1),
    ),
    Mistake(
        "rows_for_seeds",
        "The last number is that of the *pairs*; you count the rows of both sides.",
        "最后一个数是*配成了几对*；你数的是两侧一共几行。",
        partial(difference, count=lambda d, a, b: len(a) + len(b)),
    ),
]  # fmt: skip


# 2. One rule for all claims


class Code(int):
    """A word as a number: its place in WORDS."""


def coded(value: Any) -> Any:
    """Turn a word into its number, and any other into a failure."""
    if value is None or isinstance(value, Code | Failure):
        return value
    if isinstance(value, str) and value in WORDS:
        return Code(WORDS.index(value))
    words = ", ".join(WORDS)
    what = repr(value) if isinstance(value, str) else f"a {type(value).__name__}"
    return Failure(
        f"word {what}"[:80],
        f"returned {what[:60]}; the words that can be asked for are {words}.",
        f"返回了 {what[:60]}；能用的词是：{words}。",
    )


def hearing(answer: Callable, listen: Callable[[Any], Any]) -> Spy:
    """Return an answer whose outputs are turned into numbers by `listen`."""
    seen = answer.seen if isinstance(answer, Spy) else []
    return Spy(lambda *inputs: listen(answer(*inputs)), seen)


def compare_words(task: Task, answer: Callable, cases: Iterable[tuple]) -> None:
    """Compare verdicts; say in words, and with the inputs, where they differ."""
    witness, cases = hearing(answer, coded), list(cases)
    before = len(witness.seen)
    try:
        task.compare(witness, cases)
    except WrongAnswer as error:
        if "; expected" not in str(error):
            raise
        for inputs, right, got in witness.seen[before:]:
            if float(right) != float(got):
                name, call = task.name[3:], ", ".join(map(shortly, inputs))
                said, wanted = WORDS[int(got)], WORDS[int(right)]
                line = f"  returned / 返回: {said}; expected / 应为: {wanted}"
                text = f"{name}({call})\n{line}"
                raise WrongAnswer(text, compared=True) from None
        raise


def shortly(value: Any) -> str:
    """Write differences with three digits."""
    if not isinstance(value, list):
        return repr(value)
    rows = (", ".join(f"{x:.3g}" for x in row) for row in value)
    return f"[{', '.join(f'[{row}]' for row in rows)}]"


def t_tail(distance: float, n: int) -> float:
    """Return how often Student's t is as large by chance.

    As stats.t.sf does, without looking at its arguments, which takes far longer.
    """
    return float(special.stdtr(n - 1, -distance))


def above(values: list[float], border: float = 0.0, tail=t_tail) -> float:
    """Return the p value of “the mean is above the border”, by hand."""
    n = len(values)
    mean = sum(values) / n
    error = math.sqrt(sum((x - mean) ** 2 for x in values) / (n - 1) / n)
    return tail((mean - border) / error, n)


def flipped(values: list[float]) -> list[float]:
    return [-x for x in values]


def two_sided(values: list[float], tail=t_tail) -> float:
    """Return the p value of “the mean is not 0”."""
    return min(1.0, 2 * min(above(values, 0, tail), above(flipped(values), 0, tail)))


def step_by_step(p: list[float]) -> list[float]:
    """Correct p values as Holm does: the smallest of m times m, then times m - 1 …"""
    found, highest = [0.0] * len(p), 0.0
    for rank, k in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        highest = max(highest, min(1.0, (len(p) - rank) * p[k]))
        found[k] = highest
    return found


def without_running_maximum(p: list[float]) -> list[float]:
    found = [0.0] * len(p)
    for rank, k in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        found[k] = min(1.0, (len(p) - rank) * p[k])
    return found


def times_m(p: list[float]) -> list[float]:
    return [min(1.0, len(p) * x) for x in p]


def both_one_sided(values: list[float], least: float) -> float:
    """Return the p value of “the mean is nearer to 0 than `least`”."""
    return max(above(values, -least), above(flipped(values), -least))


def ruled(
    differences, of_interest, test=two_sided, correct=step_by_step,
    small=both_one_sided, enough=lambda some, n: 2 * some > n,
    one_enough=False, downs_count=True, nothing="cannot tell", correct_small=None,
) -> Code:  # fmt: skip
    """Apply the rule of `course_claims.outcome` by hand; the options make mistakes."""
    differences = [[float(x) for x in row] for row in differences]
    n = len(differences)
    p = correct([test(row) for row in differences])
    signs = [
        0 if x >= ALPHA else 1 if sum(row) > 0 else -1
        for x, row in zip(p, differences, strict=True)
    ]
    up, down = signs.count(1), signs.count(-1) * downs_count
    again = correct_small or correct
    tiny = again([small(row, of_interest) for row in differences]) if small else []
    too_small = sum(x < ALPHA for x in tiny)
    if up:
        most = one_enough or enough(up, n)
        word = "reproduced" if most and not down else "mixed"
    elif down:
        word = "contradicted" if enough(down, n) else "mixed"
    else:
        word = "contradicted" if enough(too_small, n) else nothing
    return Code(WORDS.index(word))


def pooled_tasks(differences, of_interest):
    """Throw the differences of all comparisons together, as if they were one."""
    return ruled([[x for row in differences for x in row]], of_interest)


def by_means(differences, of_interest):
    """Look at the signs of the means alone."""
    return ruled(
        differences, of_interest, test=lambda row: 0.0, correct=lambda p: p, small=None
    )


# Kinds of comparisons: the two-sided p of Student's t, the sign of the mean, and the
# standard error as a share of the smallest effect of interest.
KINDS = {
    "up": (0.0004, 1, 0.3), "down": (0.0004, -1, 0.3), "around": (0.4, 1, 1.0),
    "small": (0.8, 1, 0.05), "first": (0.012, 1, 1.0), "second": (0.02, 1, 1.0),
    "third": (0.034, 1, 1.0), "weak": (0.03, 1, 1.0), "weaker": (0.043, 1, 1.0),
    "just small": (0.9, 1, 0.3), "lower": (0.075, -1, 0.6), "almost": (0.075, 1, 1.0),
    "nearly": (0.115, 1, 1.0), "weak down": (0.03, -1, 1.0),
    "nearly small": (0.9, 1, 0.3),
}  # fmt: skip
PATTERNS = (
    ("up",), ("down",), ("around",), ("small",), ("weak",), ("almost",), ("nearly",),
    ("up", "up", "around"), ("up", "around", "around"), ("weak", "weaker"),
    ("weak", "around"), ("up", "up", "down"), ("down", "down", "up"),
    ("down", "down", "around"), ("down", "around", "around"), ("up", "small", "small"),
    ("small", "small", "around"), ("small", "around", "around"), ("up", "up", "up"),
    ("first", "second", "third"), ("up", "around"), ("small", "around"),
    ("around", "around", "around"), ("weak down", "around", "around"), ("up", "down"),
    ("lower",),
)  # fmt: skip


def comparison(
    rng: np.random.Generator, kind: str, least: float, n: int = 0
) -> list[float]:
    """Return differences of n seeds, or five to eight, that are of a kind, exactly."""
    p, sign, share = KINDS[kind]
    n = n or (5 if kind in ("almost", "nearly") else int(rng.integers(5, 9)))
    z = rng.normal(size=n)
    z = (z - z.mean()) / z.std(ddof=1) * math.sqrt(n)  # a standard error of 1
    t = float(stats.t.isf(p / 2, n - 1))
    return [float(x) for x in share * least * (z + sign * t)]


# p values of step 2: none of two is too small, all three are, none of three is.
SMALL = (0.03, 0.04), (0.012, 0.02, 0.034), (0.02, 0.0225, 0.04)


def around_zero(
    rng: np.random.Generator, p: float, least: float, n: int = 6
) -> list[float]:
    """Return n differences of mean 0 whose p value of step 2 is p, exactly."""
    z = rng.normal(size=n)
    z = (z - z.mean()) / z.std(ddof=1) * math.sqrt(n)  # a standard error of 1
    return (least / float(stats.t.isf(p, n - 1)) * z).tolist()


def rulings(rng: np.random.Generator) -> list[tuple]:
    """Return cases of each pattern; what would matter differs from case to case."""
    cases = [([around_zero(rng, p, 0.5) for p in ps], 0.5) for ps in SMALL]
    for kinds in PATTERNS:
        least = round(float(rng.uniform(0.005, 2)), 3)
        kinds = rng.permutation(kinds).tolist()
        cases.append(([comparison(rng, kind, least) for kind in kinds], least))
    return [(case, ruled(*case)) for case in cases]


EXAMPLES = {
    "up": [1.2, 0.9, 1.4, 1.1, 0.8],
    "open": [1.2, -0.7, 0.9, -1.1, 0.6],
    "flat": [0.03, -0.05, 0.04, 0.01, -0.02],
    "down": [-1.0, -1.3, -0.8, -1.1, -0.9],
}


@OUTCOME.check("the examples", "题中的例子")
def example_outcome(answer: Callable, rng: np.random.Generator) -> None:
    cases = [("up",), ("up", "open"), ("open",), ("flat",), ("up", "down"), ("down",)]
    asked = [([EXAMPLES[kind] for kind in kinds], 0.5) for kinds in cases]
    compare_words(OUTCOME, answer, [(case, ruled(*case)) for case in asked])


@OUTCOME.check("other differences", "别的差")
def other_differences(answer: Callable, rng: np.random.Generator) -> None:
    gap = np.array([0.2, -0.2, 0.3, -0.3, 0.0])  # too small, with p = 0.035
    small = float(stats.t.isf(0.035, 4) * stats.sem(gap))
    near = [gap.tolist()], small
    compare_words(OUTCOME, answer, [*rulings(rng), (near, ruled(*near))])


@OUTCOME.check("random differences", "随机的差", hidden=True)
def random_differences(answer: Callable, rng: np.random.Generator) -> None:
    compare_words(OUTCOME, answer, rulings(rng) + rulings(rng))


OUTCOME.mistakes += [
    Mistake(
        "twice_the_larger",
        "In step 2 the p value is the larger of the two, not twice that: each of the "
        "tests is one-sided.",
        "第 2 步的 p 值是两个中较大的那个，不用乘 2：两个检验都是单侧的。",
        partial(ruled, small=lambda row, least: 2 * both_one_sided(row, least)),
    ),
    Mistake(
        "by_means",
        "You look at the means. A mean above 0 may be chance: ask for p < 0.05.",
        "你看的是平均值。平均大于 0 可能只是碰巧：要看 p < 0.05。",
        by_means,
    ),
    Mistake(
        "null_refutes",
        "Nothing is significant: that refutes nothing. It is “cannot tell”, unless the "
        "effects are *shown* to be smaller than what would matter.",
        "没有一个显著，并没有推翻什么，是 cannot tell；除非*证明*了效应比算数的还小。",
        partial(ruled, small=None, nothing="contradicted"),
    ),
    Mistake(
        "never_too_small",
        "If an effect is significantly nearer to 0 than what would matter, in more "
        "than half of the comparisons, the claim is contradicted, too.",
        "要是过半的比较里，效应显著地比算数的还小，也算 contradicted。",
        partial(ruled, small=None),
    ),
    Mistake(
        "small_by_mean",
        "That the mean is small is not enough: both one-sided tests must reject.",
        "光是平均值小还不够：两个单侧检验都要拒绝。",
        partial(ruled, small=lambda row, least: float(
            abs(sum(row)) > least * len(row))),
    ),
    Mistake(
        "one_border",
        "To be nearer to 0 than what would matter, an effect must be below it *and* "
        "above its negative.",
        "要比算数的还小，就得既低于它，*又*高于它的相反数。",
        partial(ruled, small=lambda row, least: above(row, -least)),
    ),
    Mistake(
        "not_corrected",
        "You ask several times, so that one p below 0.05 may be chance: correct the p "
        "values as Holm does.",
        "问了好几次，碰巧总会有一个 p 小于 0.05：要用 Holm 的办法校正。",
        partial(ruled, correct=lambda p: p),
    ),
    Mistake(
        "small_not_corrected",
        "The p values of step 2 are a list, too: correct it as Holm does.",
        "第 2 步的 p 值也是一列：同样要用 Holm 的办法校正。",
        partial(ruled, correct_small=lambda p: p),
    ),
    Mistake(
        "bonferroni",
        "You multiply every p by the number of comparisons. Holm multiplies the "
        "smallest by m, the next by m − 1, and so on.",
        "你把每个 p 都乘以比较的个数了。Holm 是最小的乘 m，下一个乘 m − 1，依次类推。",
        partial(ruled, correct=times_m),
    ),
    Mistake(
        "not_monotone",
        "Of Holm's corrected values none is smaller than the one before it.",
        "Holm 校正之后，后一个不能比前一个小。",
        partial(ruled, correct=without_running_maximum),
    ),
    Mistake(
        "one_sided",
        "The question is whether the mean differs from 0, in either direction: double "
        "the tail.",
        "问的是平均值和 0 有没有差别，两个方向都算：尾部要乘以 2。",
        partial(ruled, test=lambda row: min(above(row), above(flipped(row)))),
    ),
    Mistake(
        "normal",
        "With so few seeds take Student's t, not the normal distribution.",
        "种子这么少，要用 t 分布，不能用正态分布。",
        partial(ruled, test=partial(
            two_sided, tail=lambda distance, n: float(stats.norm.sf(distance)))),
    ),
    Mistake(
        "one_is_enough",
        "One comparison of several is not more than half.",
        "好几个比较里只有一个，算不上过半。",
        partial(ruled, one_enough=True),
    ),
    Mistake(
        "all_needed",
        "More than half is enough; you ask for all.",
        "过半就够了；你要求的是全部。",
        partial(ruled, enough=lambda some, n: some == n),
    ),
    Mistake(
        "half_is_enough",
        "Half is not *more* than half.",
        "一半不是*过*半。",
        partial(ruled, enough=lambda some, n: 2 * some >= n),
    ),
    Mistake(
        "losses_ignored",
        "Some comparison is significantly below 0: then it is mixed at best.",
        "有比较显著小于 0，最多算 mixed。",
        partial(ruled, downs_count=False),
    ),
    Mistake(
        "pooled_tasks",
        "You throw the differences of all comparisons together. The rule asks each of "
        "them.",
        "你把各个比较的差混在一起了。规则是一个一个地问的。",
        pooled_tasks,
    ),
]  # fmt: skip


# 3. Does one seed decide?


@dataclass(frozen=True)
class Rule:
    """A rule for two sides, which needs no smallest number of seeds."""

    new: tuple
    old: tuple | float

    def __call__(self, rows: list[dict]) -> str:
        mean, low, high, _ = difference(rows, self.new, self.old)
        if low > 0:
            return "reproduced"
        return "contradicted" if high < 0 else "cannot tell"


@dataclass(frozen=True)
class Average:
    """A rule that takes all rows together."""

    line: float

    def __call__(self, rows: list[dict]) -> str:
        above = np.mean([row["value"] for row in rows]) > self.line
        return "reproduced" if above else "cannot tell"


def left_out(
    rows, rule, without=lambda rows, seed, gone: [r for r in rows if r["seed"] != seed],
    counts=lambda now, was: now != was, order=sorted,
    say=lambda found, seeds: found,
):  # fmt: skip
    """Judge again without each seed; the options make mistakes."""
    seeds = order(dict.fromkeys(row["seed"] for row in rows))
    was, found, gone = rule(rows), [], []
    for seed in seeds:
        gone.append(seed)
        if counts(rule(without(rows, seed, gone)), was):
            found.append(seed)
    return np.array(say(found, seeds), dtype=float)


def unsteady(rng: np.random.Generator, flips: int, seeds: int = 6) -> tuple:
    """Return rows of two sides where up to so many seeds decide the verdict.

    From two on, two at least do, and the rows do not name them in ascending order.
    """
    for _ in range(3000):
        rows, new, old = invented(rng, seeds)
        sides = {new, old}
        rows = [r for r in rows if tuple(r[key] for key in SIDE) in sides]
        shift = difference(rows, new, old)[0] + rng.choice([-1, 1]) * rng.uniform(
            0.01, 0.06)  # fmt: skip
        for row in rows:
            if tuple(row[key] for key in SIDE) == old:
                row["value"] = round(float(row["value"] + shift), 4)
        case = rows, Rule(new, old)
        found = left_out(*case)
        few = min(flips, 2) <= len(found) <= flips and len(found) < seeds
        if few and (len(found) < 2 or any(left_out(*case, order=list) != found)):
            return case
    raise RuntimeError("no rows like this")


def decided_by_one(rng: np.random.Generator) -> list[tuple]:
    cases = [unsteady(rng, *of) for of in ((0,), (1,), (3,), (5, 7), (4,), (0, 5))]
    return [(case, left_out(*case)) for case in cases]


@FLIPS.check("the example", "题中的例子")
def example_flips(answer: Callable, rng: np.random.Generator) -> None:
    new, old = ("F1", "B", "en"), ("F1", "A", "en")
    gains = {4: 0.02, 9: 0.03, 2: 0.03, 7: 0.02, 5: -0.01}
    rows = [
        {"seed": seed, "model": model, "condition": "en", "metric": "F1",
         "value": 0.5 + (gain if model == "B" else 0)}
        for model in "AB" for seed, gain in gains.items()
    ]  # fmt: skip
    case = rows, Rule(new, old)
    FLIPS.compare(answer, [(case, left_out(*case))])


@FLIPS.check("other rows and rules", "别的记录和规则")
def other_flips(answer: Callable, rng: np.random.Generator) -> None:
    high = [
        {"seed": seed, "model": model, "condition": "en", "metric": "F1",
         "value": 0.8 if seed == 7 else 0.5}
        for model in "AB" for seed in (4, 7, 2, 9)
    ]  # fmt: skip
    together = high, Average(0.52)  # one of seed 7's rows alone decides nothing
    FLIPS.compare(answer, [*decided_by_one(rng), (together, left_out(*together))])


@FLIPS.check("random rows and rules", "随机的记录和规则", hidden=True)
def random_flips(answer: Callable, rng: np.random.Generator) -> None:
    FLIPS.compare(answer, decided_by_one(rng))


def row_by_row(rows, rule):
    """Leave out one row after the other."""
    was = rule(rows)
    kept = [(rows[:i] + rows[i + 1 :], row["seed"]) for i, row in enumerate(rows)]
    return np.array(sorted({s for of, s in kept if rule(of) != was}), dtype=float)


FLIPS.mistakes += [
    Mistake(
        "row_by_row",
        "You leave out one row at a time; leave out all rows of a seed.",
        "你每次只去掉一行；应当去掉一个种子的所有行。",
        row_by_row,
    ),
    Mistake(
        "keeps_one",
        "You judge by one seed alone. Leave one out, and judge by all the others.",
        "你只拿一个种子来判。应当去掉一个，用其余的来判。",
        partial(left_out, without=lambda rows, seed, gone: [
            r for r in rows if r["seed"] == seed]),
    ),
    Mistake(
        "not_put_back",
        "You leave out one seed after the other and put none back. Leave out *one* at "
        "a time.",
        "你一个接一个地去掉种子，没有放回来。每次只去掉*一个*。",
        partial(left_out, without=lambda rows, seed, gone: [
            r for r in rows if r["seed"] not in gone]),
    ),
    Mistake(
        "first_so_many",
        "You judge by the first seeds, then by more and more of them. That is what "
        "“add seeds until it fits” does.",
        "你先用前几个种子判，再一个个地加。那正是“加到合适为止”的做法。",
        partial(left_out, without=lambda rows, seed, gone: [
            r for r in rows if r["seed"] in gone]),
    ),
    Mistake(
        "not_reproduced",
        "You look for outcomes that are not “reproduced”. Unstable means another "
        "outcome than with all seeds, whichever that is.",
        "你找的是“不是 reproduced”的结果。不稳，指的是和用全部种子时的结果不一样，"
        "不管那是哪一个。",
        partial(left_out, counts=lambda now, was: now != "reproduced"),
    ),
    Mistake(
        "the_stable_ones",
        "These are the seeds without which the verdict stays the same.",
        "这些是去掉之后结论不变的种子。",
        partial(left_out, counts=lambda now, was: now == was),
    ),
    Mistake(
        "places",
        "Return the seeds, not their places in a list.",
        "请返回种子，不是它们在列表里的位置。",
        partial(left_out, say=lambda found, seeds: [seeds.index(s) for s in found]),
    ),
    Mistake(
        "how_many",
        "Return which seeds, not how many.",
        "请返回是哪些种子，不是有几个。",
        partial(left_out, say=lambda found, seeds: len(found)),
    ),
    Mistake(
        "yes_or_no",
        "Return which seeds, not whether there are any.",
        "请返回是哪些种子，不是有没有。",
        partial(left_out, say=lambda found, seeds: bool(found)),
    ),
    Mistake(
        "one_of_them",
        "You stop at the first seed that decides; go on to the others.",
        "你找到第一个能左右结论的种子就停了；后面的也要查。",
        partial(left_out, say=lambda found, seeds: found[:1]),
    ),
    Mistake(
        "seed_for_each_row",
        "A seed stands in several rows; name it once.",
        "一个种子占好几行；只报一次。",
        partial(left_out, say=lambda found, seeds: sorted(found * 2)),
    ),
    Mistake(
        "as_they_come",
        "Sort the seeds; the rows stand in any order.",
        "种子要从小到大排；记录的次序是随意的。",
        partial(left_out, order=list),
    ),
]  # fmt: skip


# 4. Claims that were measured

STATIC = ("CBOW", "skip-gram")
TEXTS = ("masc_tagged", "zh_gsdsimp")
SAME = "same part of speech"


ONE, FOUR = (f"{n} layers, 90 labels" for n in (1, 4))

# What each claim says, as comparisons (new, old) in one experiment: new is above old;
# and the smallest difference that would matter. A side is (metric, model, condition).
CLAIMS: dict[str, tuple[str, list[tuple], float]] = {
    "similar-words": (
        "cbow_or_skip_gram",
        [(("SimLex-999", m, ""), ("WordSim-353", m, "")) for m in STATIC],
        0.05,
    ),
    "vision-layers": (
        "vision_layers",
        [
            (("accuracy", "frozen", ONE), ("accuracy", "frozen", FOUR)),
            (("accuracy", "frozen", ONE), ("accuracy", "untrained", ONE)),
        ],
        0.01,
    ),
    "pos-kept": (
        "pos_kept",
        [
            ((SAME, "layer 2", text), (SAME, rival, text))
            for text in TEXTS
            for rival in ("static", "averaged static context")
        ],
        0.01,
    ),
    "stlr": (
        "ulmfit_schedules",
        [
            (("accuracy", "ULMFiT", "qc: stlr"), ("accuracy", "ULMFiT", f"qc: {other}"))
            for other in ("constant", "linear", "cosine")
        ],
        0.002,
    ),
    "masked-lm-is-cbow": (
        "xor_world",
        [(("accuracy", "CBOW", "xor"), ("accuracy", "masked LM", "xor"))],
        0.05,
    ),
    "causal-loses": (
        "cue_worlds",
        [
            (
                ("accuracy", "masked LM", "cue right"),
                ("accuracy", "forward LM", "cue right"),
            ),
            (
                ("accuracy", "masked LM", "cue left"),
                ("accuracy", "backward LM", "cue left"),
            ),
        ],
        0.05,
    ),
}


def sides(claim: str) -> list[tuple]:
    """Return the sides that a claim's comparisons have."""
    both = [side for pair in CLAIMS[claim][1] for side in pair]
    return list(dict.fromkeys(both))


def key_of(row: Any) -> tuple:
    """Return what identifies a row, or nothing if it is none."""
    try:
        return (*(str(row[k]) for k in SIDE), int(row["seed"]), float(row["value"]))
    except (TypeError, KeyError, ValueError, IndexError):
        return ()


def paired(rows, new, old, keys=SIDE, pair=by_seed) -> list[float]:
    """Return new minus old, seed by seed; the options make mistakes."""
    return pair(series(rows, new, keys), series(rows, old, keys))


def measured_outcome(claim, ledger, of=paired, judge=ruled, pick=lambda c: c):
    """Judge a claim by its comparisons; the options make mistakes."""
    experiment, comparisons, least = CLAIMS[claim]
    rows = ledger[experiment]
    return judge([of(rows, *pair) for pair in pick(comparisons)], least)


@functools.lru_cache(maxsize=100)
def of_the_course(claim: str) -> Code | None:
    """Return the outcome on the course's own rows; None if a single seed decides it.

    The claim cards say the same (a test): they are not asked here because they load
    every experiment.
    """
    experiment = CLAIMS[claim][0]
    rows = measured(experiment)
    found = measured_outcome(claim, {experiment: rows})
    without = [
        measured_outcome(claim, {experiment: rest})
        for seed in {row["seed"] for row in rows}
        if (rest := [row for row in rows if row["seed"] != seed])
    ]
    return found if all(other == found for other in without) else None


def shown_by(claim: str, ledger: dict) -> tuple[str, str]:
    """Say in both languages what the evidence shows, and leave the outcome open."""
    experiment, comparisons, least = CLAIMS[claim]
    all_of = [paired(ledger[experiment], *pair) for pair in comparisons]
    p = step_by_step([two_sided(of) for of in all_of])
    tiny = step_by_step([both_one_sided(of, least) for of in all_of])
    up = sum(x < ALPHA and sum(of) > 0 for x, of in zip(p, all_of, strict=True))
    down = sum(x < ALPHA and sum(of) < 0 for x, of in zip(p, all_of, strict=True))
    small, n = sum(x < ALPHA for x in tiny), len(all_of)
    return (
        f"{claim}: {n} comparison{'s' * (n != 1)} in {experiment}. In these rows "
        f"{up} are significantly above 0, {down} below, and {small} significantly "
        f"nearer to 0 than {least:g}. Compare that with yours.",
        f"{claim}：要在 {experiment} 里做 {n} 个比较。在这些记录里，"
        f"显著大于 0 的 {up} 个，显著小于 0 的 {down} 个，"
        f"显著地比 {least:g} 更接近 0 的 {small} 个。"
        f"同你算的对一对。",
    )


def two_parts(found: Any, what: Callable[[Any], bool], en: str, zh: str) -> tuple:
    """Return a verdict and its evidence; raise WrongAnswer at a bad form."""
    pair = isinstance(found, tuple | list) and len(found) == 2
    require(pair and what(found[1]), en, zh, "not_a_pair")
    return tuple(found)


def called(answer: Callable, *inputs: Any) -> Any:
    """Call an answer; an exception in it, or None, becomes a WrongAnswer.

    Its inputs, whole ledgers, are copied by pickle, faster than by deepcopy.
    """
    kept: list[Any] = []
    packed = pickle.dumps(inputs)

    def listen() -> Any:
        kept.append(answer(*pickle.loads(packed)))
        return None if kept[0] is None else 0

    numbers(listen)
    return kept[0]


def check_claim(answer: Callable, claim: str, ledger: dict, right: Code) -> None:
    """Compare a verdict, then look through the rows that are cited for it."""
    found = called(answer, claim, ledger)
    rows: Any = None
    if not isinstance(found, Code):
        found, rows = two_parts(
            found,
            lambda part: isinstance(part, list | tuple),
            "Return two things: a verdict, and the list of rows that it rests on.",
            "请返回两样东西：一个结论，和它所依据的记录（列表）。",
        )
    said = Spy(lambda *_: coded(found), hearing(answer, coded).seen)
    part = {(experiment := CLAIMS[claim][0]): ledger[experiment]}
    try:
        LEDGER.compare(said, [((claim, part), right)])
    except WrongAnswer as error:
        if isinstance(coded(found), Failure):
            raise
        text = "\n".join(shown_by(claim, ledger))
        raise WrongAnswer(text, "verdict", compared=True) from error.__cause__
    if rows is not None:
        check_rows(claim, ledger, rows)


def check_rows(claim: str, ledger: dict, rows: list) -> None:
    """Raise WrongAnswer unless the rows are those of the claim's comparisons."""
    experiment, comparisons, _ = CLAIMS[claim]
    wanted = {side: dict(series(ledger[experiment], side)) for side in sides(claim)}
    allowed = {(*side, s, x) for side in wanted for s, x in wanted[side].items()}
    cited = {key_of(row) for row in rows}
    require(
        bool(rows) and () not in cited,
        f"{claim}: the verdict is right; cite rows of the ledger as they stand there, "
        "as a list of dictionaries.",
        f"{claim}：结论对了；请把账本里的记录原样引出来，放在一个列表里。",
        "no_rows",
    )
    needed = set()
    for new, old in comparisons:
        common = wanted[new].keys() & wanted[old].keys()
        needed |= {(*x, s, wanted[x][s]) for x in (new, old) for s in common}
    missing = {key[:3] for key in needed - cited}
    require(
        not missing,
        f"{claim}: the verdict is right, but rows that it rests on are missing: of "
        f"{len(missing)} of the sides that are compared, not all seeds are cited. A "
        "difference has two sides, and each seed counts.",
        f"{claim}：结论对了，但它所依据的记录没有引全：比较的各侧里，"
        f"有 {len(missing)} 侧没有引全种子。差有两侧，每个种子都算数。",
        "rows_missing",
    )
    require(
        not cited - allowed,
        f"{claim}: the verdict is right, but {len(cited - allowed)} of the cited rows "
        "do not decide it: another metric, model or condition. Cite what the rule "
        "compares, and nothing else.",
        f"{claim}：结论对了，但引的记录里有 {len(cited - allowed)} 行同它无关："
        "是别的指标、模型或条件。只引规则里比较的那些。",
        "rows_too_many",
    )


# Which kinds of comparisons another laboratory finds: the first, the second and so on.
FINDS = (
    ("around",) * 4, ("just small",) * 4, ("up", "up", "up", "around"), ("up",) * 4,
    ("up", "down", "up", "up"), ("just small", "around", "just small", "around"),
    ("just small", "just small", "around", "just small"), ("weak", "weaker") * 2,
    ("down", "down", "around", "down"), ("around", "up", "around", "around"),
    ("lower",) * 4, ("nearly small",) * 4,
)  # fmt: skip


def laboratory(rng: np.random.Generator, finds: tuple | None = None) -> dict:
    """Invent what another laboratory measured: the same columns, other numbers.

    finds: kinds of its comparisons, see KINDS; None: any kinds, and here and there a
    row is lost. Seeds are easy or hard for all sides.
    """
    found = {}
    for claim, (experiment, comparisons, least) in CLAIMS.items():
        n, kinds = int(rng.integers(5, 9)), finds or rng.choice([*KINDS], 4).tolist()
        numbers_of = sorted(rng.permutation(40)[:n].tolist())
        hard = rng.normal(0.5, 0.3, size=n)
        known = dict.fromkeys(tuple(r[k] for k in SIDE) for r in measured(experiment))
        values = {side: hard + rng.normal(0, 0.1, size=n) for side in known}
        for (new, old), kind in zip(comparisons, kinds, strict=False):
            apart = comparison(rng, kind, least, n)
            if kind == "just small":  # around 0; in all such comparisons significantly
                apart = around_zero(rng, 0.03 / len(comparisons), least, n)
            if kind == "nearly small":  # significantly only if nobody corrects
                apart = around_zero(rng, 0.04, least, n)
            values[old] = values[new] - apart
        rows = [
            {**dict(zip(SIDE, side, strict=True)), "seed": seed, "value": float(x)}
            for side, of in values.items()
            for seed, x in zip(numbers_of, of, strict=True)
        ]
        if finds is None and rng.random() < 0.4 and n > 5:
            of = sides(claim)
            lost = (*of[int(rng.integers(len(of)))], numbers_of[-1])
            rows[:] = [r for r in rows if (*(r[k] for k in SIDE), r["seed"]) != lost]
        found[experiment] = [rows[i] for i in rng.permutation(len(rows))]
    return {experiment: found[experiment] for experiment in EXPERIMENTS}


def own_claim(claim: str, en: str, zh: str) -> None:
    """Register the check of one claim with the course's own rows."""

    @LEDGER.check(en, zh)
    def check(answer: Callable, rng: np.random.Generator) -> None:
        ledger = {key: measured(key) for key in EXPERIMENTS}
        if (right := of_the_course(claim)) is not None:
            check_claim(answer, claim, ledger, right)


for _claim, _en, _zh in (
    ("similar-words", "near is alike", "离得近就是意思相近"),
    ("vision-layers", "low and high layers", "低层与高层"),
    ("pos-kept", "the same part of speech", "词性也相同"),
    ("stlr", "the slanted triangle", "斜三角"),
    ("masked-lm-is-cbow", "CBOW over again", "CBOW 的翻版"),
    ("causal-loses", "without what follows", "不看下文"),
):
    own_claim(_claim, _en, _zh)


def check_laboratories(
    answer: Callable, rng: np.random.Generator, all_finds: Iterable
) -> None:
    """Check all claims, also after a failure: the more is said, the surer its name."""
    first = None
    for finds in all_finds:
        ledger = laboratory(rng, finds)
        for claim in CLAIMS:
            try:
                check_claim(answer, claim, ledger, measured_outcome(claim, ledger))
            except WrongAnswer as error:
                first = first or error
    if first:
        raise first


@LEDGER.check("another laboratory", "另一家实验室")
def another_laboratory(answer: Callable, rng: np.random.Generator) -> None:
    check_laboratories(answer, rng, [None, *FINDS[:2]])


@LEDGER.check("more laboratories", "更多实验室", hidden=True)
def more_laboratories(answer: Callable, rng: np.random.Generator) -> None:
    check_laboratories(answer, rng, [*FINDS, None, None])


def by_heart(claim, ledger):
    """Say what the course's own rows say, whatever the rows are."""
    return measured_outcome(claim, {CLAIMS[claim][0]: measured(CLAIMS[claim][0])})


def unpaired(rows, new, old) -> list[float]:
    """Subtract the mean of the other side, as if seeds had nothing in common."""
    rival = [x for _, x in series(rows, old)]
    return [x - sum(rival) / len(rival) for _, x in series(rows, new)]


LEDGER.mistakes += [
    Mistake(
        "by_heart",
        "You say what the course's own rows say, whatever rows you are given. Another "
        "laboratory may find something else: follow the evidence.",
        "不管给你什么记录，你说的都是本课程自己的结果。别的实验室测出来的可能不一样："
        "要跟着证据走。",
        by_heart,
    ),
    Mistake(
        "unpaired",
        "Within a seed both sides had the same data: subtract seed by seed, not the "
        "mean of the other side.",
        "同一个种子里，两侧用的数据相同：要逐个种子求差，不能减去另一侧的平均。",
        partial(measured_outcome, of=unpaired),
    ),
    Mistake(
        "pooled",
        "You pool seeds of different conditions. That makes more numbers, not more "
        "seeds.",
        "你把不同条件下的种子混在一起了。那样只是数字多了，种子并没有多。",
        partial(measured_outcome,
                of=partial(paired, keys=("metric", "model"), pair=by_place)),
    ),
    Mistake(
        "by_means",
        "You look at the means. A mean above 0 may be chance: ask for p < 0.05.",
        "你看的是平均值。平均大于 0 可能只是碰巧：要看 p < 0.05。",
        partial(measured_outcome, judge=by_means),
    ),
    Mistake(
        "null_refutes",
        "Where nothing is significant, nothing is refuted: cannot tell, unless the "
        "effects are shown to be smaller than what would matter.",
        "没有一个显著，就什么也没有推翻：cannot tell；除非证明了效应比算数的还小。",
        partial(measured_outcome,
                judge=partial(ruled, small=None, nothing="contradicted")),
    ),
    Mistake(
        "small_not_corrected",
        "The p values of step 2 are a list, too: correct it as Holm does.",
        "第 2 步的 p 值也是一列：同样要用 Holm 的办法校正。",
        partial(
            measured_outcome, judge=partial(ruled, correct_small=lambda p: p)
        ),
    ),
    Mistake(
        "first_comparison",
        "You look at one comparison only. A claim about several models or texts has "
        "several.",
        "你只看了一个比较。说法涉及几个模型或几种文本，就有几个比较。",
        partial(measured_outcome, pick=lambda comparisons: comparisons[:1]),
    ),
    Mistake(
        "wrong_way_round",
        "The claim says which side is above: the difference is new − old.",
        "说法讲明了哪一侧更高：差是 new − old。",
        partial(measured_outcome, pick=lambda pairs: [pair[::-1] for pair in pairs]),
    ),
]  # fmt: skip


# 5. Claims about numbers and dates in papers

PRINTED = (
    "snli-most-impressive",
    "up-to-25-percent",
    "over-the-best",
    "naacl-march",
    "gpt-pioneered",
)
QUARTER = 0.245  # rounds to 25 %
MARCH = 201803


def table_of(rows) -> tuple[dict, dict]:
    """Sort the papers' rows: {task: {column: value}}, {paper: {what: month}}."""
    table, dates = {}, {}
    for row in rows:
        to = table if row["paper"] == "ELMo, table 1" else dates
        name = row["row"] if to is table else row["paper"].removeprefix("dates, ")
        what = row["column"] if to is table else row["row"]
        to.setdefault(name, {})[what] = row["value"]
    return table, dates


def says(word: str, number: float) -> np.ndarray:
    return np.array([WORDS.index(word), number], dtype=float)


def gone(row, old="baseline", over=lambda old: 100 - old):
    """Return the share of the errors that the new system takes away."""
    return (row["with ELMo"] - row[old]) / over(row[old])


def printed_verdict(
    claim, rows, old="baseline", share=gone, points=lambda row, old: row["with ELMo"]
    - row[old], version="NAACL", others=lambda public: public, count=None,
    strict=True, rise=lambda row, old: (row["with ELMo"] - row[old]) / row[old],
    most=max,
):  # fmt: skip
    """Judge a claim by the papers' numbers; the options make mistakes. Shape: (2,)."""
    table, dates = table_of(rows)
    shares = {task: share(row, old) for task, row in table.items()}
    gains = {task: points(row, old) for task, row in table.items()}
    rest = [task for task in table if task != "SNLI"]
    if claim == "snli-most-impressive":
        more = sum(gains[task] > gains["SNLI"] for task in rest)
        larger = sum(shares[task] > shares["SNLI"] for task in rest)
        word = ("right", "imprecise", "false")[(more > 0) + (larger > 0)]
        return says(word, {None: larger, "points": more}.get(count, larger))
    if claim == "up-to-25-percent":
        score = most(rise(row, old) for row in table.values())
        errors = most(shares.values())
        word = "imprecise" if errors > QUARTER else "false"
        return says("right" if score > QUARTER else word, errors)
    if claim == "over-the-best":
        below = sum(
            row["baseline"] < row["best before"] + (0 if strict else 1e-9)
            for row in table.values()
        )
        above = all(row["with ELMo"] > row["best before"] for row in table.values())
        word = "imprecise" if above else "false"
        return says("right" if not below else word, below)
    if claim == "naacl-march":
        month = dates["ELMo"][version]
        return says("right" if month == MARCH else "false", month)
    public = others(dates["fine-tuned language models"])
    first = min(public.values())
    return says("right" if public.get("GPT") == first else "false", first)


def printed_shows(claim: str, rows: list) -> tuple[str, str]:
    """Say in both languages what the papers show, and leave the verdict open."""
    table, dates = table_of(rows)
    if claim == "snli-most-impressive":
        gains = {
            task: row["with ELMo"] - row["baseline"] for task, row in table.items()
        }
        more = sum(gains[task] > gains["SNLI"] for task in gains)
        larger = sum(gone(row) > gone(table["SNLI"]) for row in table.values())
        return (
            f"{claim}: of the other five tasks {more} gained more points than SNLI, "
            f"and {larger} got rid of a larger share of their errors.",
            f"{claim}：另外五个任务里，点数涨得比 SNLI 多的有 {more} 个，"
            f"错误减少的比例比它大的有 {larger} 个。",
        )
    if claim == "up-to-25-percent":
        rise = max(row["with ELMo"] / row["baseline"] - 1 for row in table.values())
        errors = max(map(gone, table.values()))
        return (
            f"{claim}: the score that rose most rose by {rise:.1%} of what it was; the "
            f"errors that fell most fell by {errors:.1%}. Which of them is “results”?",
            f"{claim}：涨得最多的成绩，涨了原来的 {rise:.1%}；降得最多的错误，"
            f"降了 {errors:.1%}。说“成绩提高”，指的是哪一个？",
        )
    if claim == "over-the-best":
        below = sum(row["baseline"] < row["best before"] for row in table.values())
        above = sum(row["with ELMo"] > row["best before"] for row in table.values())
        return (
            f"{claim}: {below} of the six models to which ELMo was added were below "
            f"the best before; with ELMo {above} of the six are above it.",
            f"{claim}：加上 ELMo 之前，六个模型里有 {below} 个低于此前最好的；"
            f"加上之后，有 {above} 个高于它。",
        )
    if claim == "naacl-march":
        months = ", ".join(f"{what}: {m}" for what, m in dates["ELMo"].items())
        return (
            f"{claim}: the dates are {months}. Which of them is the conference?",
            f"{claim}：日期有 {months}。会议是哪一个？",
        )
    before = dates["fine-tuned language models"]
    earlier = sum(month < before["GPT"] for month in before.values())
    return (
        f"{claim}: {earlier} of the others had fine-tuned a language model before GPT.",
        f"{claim}：在 GPT 之前微调过语言模型的，有 {earlier} 个。",
    )


def library(rng: np.random.Generator, kind: int) -> list[dict]:
    """Invent papers; their `kind` makes claims true that are false elsewhere."""
    table = {}
    # No two gains are equal: rounding would decide which of them is larger.
    gains = rng.choice(np.arange(250, 400), size=len(TABLE_1), replace=False) / 100
    for task, gained in zip(TABLE_1, gains.tolist(), strict=True):
        own = round(float(rng.uniform(55, 85)), 2)
        table[task] = [own + float(rng.uniform(0.2, 2)), own, own + gained]
    if kind == 0:  # a rise by a quarter, of a poor baseline; above nobody's best
        table["NER"] = [60.0, 40.0, float(rng.uniform(51, 59))]
    if kind == 1:  # SNLI first in points, not in errors; own baselines the best
        table["SNLI"] = [49.0, 50.0, float(rng.uniform(58, 60))]
        table["SRL"] = [89.0, 90.0, 93.0]
        table = {t: [min(b, own - 0.5 * (t != "NER")), own, new]
                 for t, (b, own, new) in table.items()}  # fmt: skip
    if kind == 2:  # SNLI first in both, and a quarter of the errors
        table["SNLI"] = [91.5, 80.0, float(rng.uniform(86, 90))]
    if kind == 3:  # one baseline equals the best
        table["Coref"][0] = table["Coref"][1]
    rows = {t: tuple(round(x, 2) for x in of) for t, of in table.items()}
    months = [
        year * 100 + month for year in (2016, 2017, 2018) for month in range(1, 13)
    ]
    drawn = sorted(rng.choice(months, size=7, replace=False).tolist())
    names = ["Dai & Le", "Ramachandran et al.", "ULMFiT"]
    order = ["GPT", *names] if kind in (1, 2) else [*names, "GPT"]
    spare = [m for m in drawn[4:] if m != MARCH] + [201712]
    conference = MARCH if kind in (0, 2) else spare[0]
    elmo = {"arXiv": spare[1], "arXiv, version 2": [MARCH, 201801][kind % 2 == 0],
            "NAACL": conference}  # fmt: skip
    tuned = dict(zip(order, drawn, strict=False))
    made = papers(rows, {"ELMo": elmo, "fine-tuned language models": tuned})
    return [made[i] for i in rng.permutation(len(made))]


def check_printed(answer: Callable, claim: str, rows: list, right: np.ndarray) -> None:
    """Compare a verdict and the number that decides it."""
    found = called(answer, claim, rows)
    if not isinstance(found, np.ndarray):
        word, number = two_parts(
            found,
            lambda part: isinstance(part, int | float) or getattr(part, "ndim", 1) == 0,
            "Return two things: a verdict, and the number that decides.",
            "请返回两样东西：一个结论，和起决定作用的那个数。",
        )
        word = coded(word)
        found = word if isinstance(word, Failure) else np.array([word, float(number)])
    said = Spy(lambda *_: found, hearing(answer, coded).seen)
    try:
        PAPER.compare(said, [((claim, rows), right)])
    except WrongAnswer as error:
        if isinstance(found, Failure):
            raise
        if float(found[0]) != right[0]:
            text = "\n".join(printed_shows(claim, rows))
            raise WrongAnswer(text, "verdict", compared=True) from error.__cause__
        text = (
            f"{claim}: the verdict is right, the number that decides is not "
            f"{found[1]:.6g}. Read once more which number is asked for.\n"
            f"{claim}：结论对了，但起决定作用的数不是 {found[1]:.6g}。"
            "再看一遍要的是哪个数。"
        )
        raise WrongAnswer(text, "number", compared=True) from error.__cause__


def own_print(claim: str, en: str, zh: str) -> None:
    """Register the check of one claim with what the papers say."""

    @PAPER.check(en, zh)
    def check(answer: Callable, rng: np.random.Generator) -> None:
        check_printed(answer, claim, papers(), printed_verdict(claim, papers()))


for _claim, _en, _zh in (
    ("snli-most-impressive", "the most impressive gain", "最出彩的提升"),
    ("up-to-25-percent", "up to a quarter", "最高四分之一"),
    ("over-the-best", "the best models improved", "顶尖模型更上一层"),
    ("naacl-march", "in March at a conference", "三月的会议"),
    ("gpt-pioneered", "who was first", "谁是头一个"),
):
    own_print(_claim, _en, _zh)


@PAPER.check("other papers", "别的论文")
def other_papers(answer: Callable, rng: np.random.Generator) -> None:
    for kind in range(5):
        rows = library(rng, kind)
        for claim in PRINTED:
            check_printed(answer, claim, rows, printed_verdict(claim, rows))
    # SNLI ties with another task in points, and GPT with another paper in its month.
    even = {task: (61.0, 60.0, 64.0) for task in TABLE_1} | {
        "SNLI": (81.0, 80.0, 90.0), "SRL": (61.0, 60.0, 70.0)
    }  # fmt: skip
    months = {"GPT": 201703, "ULMFiT": 201703, "Dai & Le": 201801}
    # ELMo comes before all of them, but is not fine-tuned.
    elmo = {"arXiv": 201601, "arXiv, version 2": 201803, "NAACL": 201806}
    rows = papers(even, {"ELMo": elmo, "fine-tuned language models": months})
    for claim in PRINTED:
        check_printed(answer, claim, rows, printed_verdict(claim, rows))


@PAPER.check("more papers", "更多论文", hidden=True)
def more_papers(answer: Callable, rng: np.random.Generator) -> None:
    for kind in (0, 1, 2, 3, 4) * 2:
        rows = library(rng, kind)
        for claim in PRINTED:
            check_printed(answer, claim, rows, printed_verdict(claim, rows))


def no_tie_allowed(claim, rows):
    """Ask for more than all others, not for no less than any."""
    table, dates = table_of(rows)
    if claim == "gpt-pioneered":
        months = dict(dates["fine-tuned language models"])
        first = months.pop("GPT", math.inf) < min(months.values())
        return says("right" if first else "false", printed_verdict(claim, rows)[1])
    if claim != "snli-most-impressive":
        return printed_verdict(claim, rows)
    snli = table.pop("SNLI")
    gain = snli["with ELMo"] - snli["baseline"]
    more = sum(r["with ELMo"] - r["baseline"] >= gain for r in table.values())
    larger = sum(gone(row) >= gone(snli) for row in table.values())
    word = ("right", "imprecise", "false")[(more > 0) + (larger > 0)]
    return says(word, larger)


def of_all_dates(claim, rows):
    """Take every month for that of a fine-tuned language model."""
    if claim != "gpt-pioneered":
        return printed_verdict(claim, rows)
    _, dates = table_of(rows)
    first = min(month for paper in dates.values() for month in paper.values())
    gpt = dates["fine-tuned language models"]["GPT"]
    return says("right" if gpt == first else "false", first)


PAPER.mistakes += [
    Mistake(
        "of_all_dates",
        "ELMo's own dates are among yours; ask only the fine-tuned language models.",
        "你把 ELMo 自己的日期也算进去了；只看微调过的语言模型。",
        of_all_dates,
    ),
    Mistake(
        "no_tie_allowed",
        "Another that is just as large, or just as early, is neither larger nor "
        "earlier.",
        "另一个一样大、一样早，并不是更大、更早。",
        no_tie_allowed,
    ),
    Mistake(
        "by_heart",
        "You say what the real papers say, whatever rows you are given. Read the "
        "numbers from the rows.",
        "不管给你什么数字，你说的都是真论文里的。请从给的行里读数字。",
        lambda claim, rows: printed_verdict(claim, papers()),
    ),
    Mistake(
        "over_the_score",
        "You divide by the score. The errors are what the score lacks to 100.",
        "你除以的是成绩。错误是成绩离 100 还差的那一截。",
        partial(printed_verdict, share=partial(gone, over=lambda old: old)),
    ),
    Mistake(
        "of_the_new_errors",
        "The share is of the errors that the *baseline* made.",
        "比例是占*基线*的错误的比例。",
        partial(printed_verdict, share=lambda row, old: (
            row["with ELMo"] - row[old]) / (100 - row["with ELMo"])),
    ),
    Mistake(
        "over_the_best_before",
        "ELMo was added to the baseline: its gain is over the baseline, not over the "
        "best system before.",
        "ELMo 是加在基线上的：它的提升要同基线比，不是同此前最好的系统比。",
        partial(printed_verdict, old="best before"),
    ),
    Mistake(
        "the_preprint",
        "You take the preprint's date. The claim is about the conference.",
        "你取的是预印本的日期。说法讲的是会议。",
        partial(printed_verdict, version="arXiv, version 2"),
    ),
    Mistake(
        "equal_is_below",
        "A baseline that equals the best before is not below it.",
        "基线同此前最好的一样高，不算低于它。",
        partial(printed_verdict, strict=False),
    ),
    Mistake(
        "per_cent",
        "Return a share, such as 0.058, not per cent.",
        "请返回比例，例如 0.058，不是百分数。",
        partial(printed_verdict, share=lambda row, old: 100 * gone(row, old),
                rise=lambda row, old: 100 * (row["with ELMo"] / row[old] - 1)),
    ),
    Mistake(
        "counted_in_points",
        "The number for SNLI is the number of tasks with a larger share of *errors* "
        "gone; you count points.",
        "SNLI 要的数，是*错误*减少比例更大的任务有几个；你数的是点数。",
        partial(printed_verdict, count="points"),
    ),
    Mistake(
        "without_gpt",
        "GPT itself is among those that may have been first.",
        "可能是头一个的，也包括 GPT 自己。",
        partial(printed_verdict, others=lambda public: {
            k: v for k, v in public.items() if k != "GPT"}),
    ),
    Mistake(
        "on_average",
        "“Up to” means the largest of the six, not the mean.",
        "“最高”是六个里最大的那个，不是平均。",
        partial(printed_verdict, most=lambda of: float(np.mean(list(of)))),
    ),
]  # fmt: skip
