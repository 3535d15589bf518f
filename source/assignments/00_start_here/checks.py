"""The checks of assignment 00, how to read a claim, and the mistakes made in it.

Expected values are known by construction (a gain is chosen first, then the accuracies
that have it), so that no solution stands here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from course_lib.grading.checks import Task, numbers, require

ERROR_REDUCTION = Task("00.error_reduction")
MAJORITY = Task("00.majority_accuracy")
INTERVAL = Task("00.paired_interval", tolerance=0.05)  # of the interval's half-width
MULTIPLIER = Task("00.data_multiplier")
TASKS = {t.name: t for t in (ERROR_REDUCTION, MAJORITY, INTERVAL, MULTIPLIER)}


# 1. Relative error reduction of two accuracies, both in percent


def with_gain(error: float, percent: float) -> tuple:
    """Return the case in which a percentage of an error disappears."""
    return (100 - error, 100 - error * (1 - percent / 100)), percent


@ERROR_REDUCTION.check("the example, and round numbers", "题中的例子和几个整数")
def round_numbers(answer: Callable, rng: np.random.Generator) -> None:
    cases = [with_gain(20, 50), with_gain(8, 25), with_gain(50, 0), with_gain(10, 100)]
    ERROR_REDUCTION.compare(answer, [((88.0, 88.7), 0.7 / 0.12), *cases])


@ERROR_REDUCTION.check("a system that became worse", "变差了的系统")
def worse(answer: Callable, rng: np.random.Generator) -> None:
    ERROR_REDUCTION.compare(answer, [with_gain(20, -50), with_gain(4, -10)])


@ERROR_REDUCTION.check("any pair of accuracies", "任意一对准确率", hidden=True)
def any_pair(answer: Callable, rng: np.random.Generator) -> None:
    pairs = rng.uniform((2, -60), (60, 95), size=(20, 2)).tolist()
    ERROR_REDUCTION.compare(answer, [with_gain(*pair) for pair in pairs])


@ERROR_REDUCTION.mistake(
    "This is the difference in points. Divide it by the errors there were before.",
    "这是相差的百分点。还要除以原来的错误率。",
)
def points(old, new):
    return new - old


@ERROR_REDUCTION.mistake(
    "You divide by the old accuracy; the question is which share of the old *errors* "
    "is gone.",
    "你除以了原来的准确率；要问的是原来的*错误*少了几成。",
)
def share_of_accuracy(old, new):
    return 100 * (new - old) / old


@ERROR_REDUCTION.mistake(
    "You divide by the new error rate; the reference is the error before.",
    "你除以了新的错误率；应当以原来的错误率为基准。",
)
def share_of_new_error(old, new):
    return 100 * (new - old) / (100 - new) if new != 100 else math.inf


@ERROR_REDUCTION.mistake(
    "This is a fraction; the answer should be in percent, as the accuracies are.",
    "这是小数；准确率用百分数，答案也要用百分数。",
)
def fraction(old, new):
    return 1 - (100 - new) / (100 - old)


@ERROR_REDUCTION.mistake(
    "This is the share of the errors that *remains*; we ask for the share that is "
    "gone.",
    "这是*剩下*的错误所占的比例；要的是消失的那一部分。",
)
def remaining(old, new):
    return 100 * (100 - new) / (100 - old)


@ERROR_REDUCTION.mistake(
    "The sign is the wrong way round: fewer errors are a positive reduction.",
    "正负号反了：错误变少时，结果应为正数。",
)
def reversed_sign(old, new):
    return 100 * (old - new) / (100 - old)


@ERROR_REDUCTION.mistake(
    "A system that became worse has a negative error reduction; keep the sign.",
    "系统变差时，错误率的降幅为负；请保留负号。",
)
def magnitude(old, new):
    return abs(reversed_sign(old, new))


@ERROR_REDUCTION.mistake(
    "A loss must stay visible: do not replace negative values by 0.",
    "变差也要看得出来：不要把负值换成 0。",
)
def clipped(old, new):
    return max(0, -reversed_sign(old, new))


@ERROR_REDUCTION.mistake(
    "Do not round in the function; round when you print.",
    "不要在函数里四舍五入；打印时再取舍。",
)
def rounded(old, new):
    return round(-reversed_sign(old, new), 1)


@ERROR_REDUCTION.mistake(
    "The error is 100 - accuracy here: the accuracies are percentages, not fractions.",
    "这里的错误率是 100 减去准确率：准确率是百分数，不是小数。",
)
def as_fractions(old, new):
    return 100 * (new - old) / (1 - old)


# 2. The accuracy of always answering the most frequent label of the training set

WORDS = ["bank", "play", "苹果", "打", "N", "V", "pos", "neg", "水果", "公司"]


def labelled(rng: np.random.Generator, kinds: int, names: list) -> tuple:
    """Return a training and a test set whose most frequent labels are different."""
    chosen = [names[i] for i in rng.permutation(len(names))[:kinds]]
    counts = 3 + rng.permutation(3 * kinds)[:kinds]  # all different
    frequent, other = int(counts.argmax()), int(counts.argmin())
    in_test = rng.integers(1, 6, size=kinds)
    in_test[other] = in_test.max() + 2
    sets = []
    for sizes in (counts, in_test):
        labels = np.repeat(np.array(chosen, dtype=object), sizes)
        sets.append(rng.permutation(labels).tolist())
    return tuple(sets), 100 * in_test[frequent] / in_test.sum()


@MAJORITY.check("the example", "题中的例子")
def the_example(answer: Callable, rng: np.random.Generator) -> None:
    train, test = ["money", "river", "money"], ["river", "money", "river", "river"]
    MAJORITY.compare(answer, [((train, test), 25)])


@MAJORITY.check("other labels and sizes", "别的标签和大小")
def other_labels(answer: Callable, rng: np.random.Generator) -> None:
    unseen = (["a", "a", "b"], ["b", "b", "c", "c", "c"]), 0
    MAJORITY.compare(answer, [labelled(rng, k, WORDS) for k in (2, 3, 4)] + [unseen])


@MAJORITY.check("numbers as labels", "用数作标签", hidden=True)
def numbers_as_labels(answer: Callable, rng: np.random.Generator) -> None:
    cases = [labelled(rng, k, list(range(10))) for k in (2, 3, 5, 8)]
    MAJORITY.compare(answer, [*cases, *(labelled(rng, k, WORDS) for k in (3, 6))])


def share(labels, label):
    return 100 * sum(other == label for other in labels) / len(labels)


def mode(labels):
    return max(labels, key=lambda label: share(labels, label))


@MAJORITY.mistake(
    "The majority is counted on the test set. A baseline, too, may learn only from the "
    "training set.",
    "你在测试集上数了多数类。基线也只能从训练集里学。",
)
def from_the_test_set(train, test):
    return share(test, mode(test))


@MAJORITY.mistake(
    "This is the accuracy on the training set; measure it on the test set.",
    "这是训练集上的准确率；应当在测试集上算。",
)
def on_the_training_set(train, test):
    return share(train, mode(train))


@MAJORITY.mistake(
    "This is chance with equally frequent labels, 1 divided by the number of labels.",
    "这是各类一样多时的随机水平，即 1 除以类别数。",
)
def equal_chance(train, test):
    return 100 / len(set(train))


@MAJORITY.mistake(
    "This is what guessing in proportion to the training labels gives; always naming "
    "the most frequent one is better.",
    "这是按训练集里各类的比例去猜的结果；总猜最多的那一类更好。",
)
def in_proportion(train, test):
    return sum(share(train, label) * share(test, label) for label in set(train)) / 100


@MAJORITY.mistake(
    "You take the largest label itself, not the most frequent one; see "
    "collections.Counter.",
    "你取的是标签本身的最大者，不是出现最多的；可以用 collections.Counter。",
)
def largest_label(train, test):
    return share(test, max(train))


@MAJORITY.mistake(
    "You take the first label of the training set, not the most frequent one.",
    "你取的是训练集的第一个标签，不是出现最多的。",
)
def first_label(train, test):
    return share(test, train[0])


@MAJORITY.mistake(
    "You take the rarest label of the training set.", "你取的是训练集里最少的标签。"
)
def rarest_label(train, test):
    return share(test, min(train, key=lambda label: share(train, label)))


@MAJORITY.mistake(
    "This is a fraction; the answer should be in percent.",
    "这是小数；答案要用百分数。",
)
def majority_as_fraction(train, test):
    return share(test, mode(train)) / 100


@MAJORITY.mistake(
    "This is the number of right answers; divide by the size of the test set.",
    "这是答对的个数；还要除以测试集的大小。",
)
def number_right(train, test):
    return test.count(mode(train))


@MAJORITY.mistake(
    "You return the label; we ask how often it is right.",
    "你返回了标签；要的是它答对的比例。",
)
def the_label(train, test):
    return mode(train)


# 3. A paired bootstrap interval for the difference of two systems

Z = NormalDist().inv_cdf  # quantiles of the normal distribution


def paired_scores(rng: np.random.Generator, n: int, gap: float = 0.2) -> tuple:
    """Return the case of n items whose 95 % interval is gap - 1 to gap + 1.

    n is even. The items differ much in difficulty, the two systems little on each item.
    """
    half = rng.normal(size=n // 2)
    d = rng.permutation(np.concatenate([half, -half]))  # (n,), mean 0, not skewed
    d = d / d.std() * math.sqrt(n) / Z(0.975) + gap
    a = rng.normal(size=n) * 3 * math.sqrt(n)  # (n,)
    return (a, a + d, np.random.default_rng(rng.integers(2**32))), (gap - 1, gap + 1)


@INTERVAL.check("two numbers, the smaller first", "两个数，小的在前")
def low_and_high(answer: Callable, rng: np.random.Generator) -> None:
    a, b = (rng.permutation(np.arange(320) < k) * 1.0 for k in (192, 240))  # (320,)
    got = numbers(answer, a, b, np.random.default_rng(1))
    require(got.shape == (2,), "Return (low, high).", "请返回 (low, high)。")
    low, high = got.tolist()
    require(low <= high, "The smaller end comes first.", "小的一端在前。", "high_low")
    require(
        high > 0.1499 or low <= 0,  # other intervals are named below
        "Both ends lie below the measured difference, 48 of 320. np.quantile wants "
        "0.025 and 0.975, np.percentile 2.5 and 97.5.",
        "两端都小于实测的差（320 个里差 48 个）。np.quantile 要 0.025 和 0.975，"
        "np.percentile 要 2.5 和 97.5。",
        "percent_or_fraction",
    )


@INTERVAL.check("two equal systems", "两个一样的系统")
def equal_systems(answer: Callable, rng: np.random.Generator) -> None:
    a = rng.permutation(np.arange(60) < 42) * 1.0  # (60,)
    INTERVAL.compare(answer, [((a, a, np.random.default_rng(2)), (0, 0))])


@INTERVAL.check("the width, for 50 and 200 items", "50 个和 200 个样本时的宽度")
def width(answer: Callable, rng: np.random.Generator) -> None:
    INTERVAL.compare(answer, [paired_scores(rng, 50), paired_scores(rng, 200)])


@INTERVAL.check("differences of one side", "偏向一侧的差")
def skewed(answer: Callable, rng: np.random.Generator) -> None:
    # Of 20 items drawn k are one of the two: 0 to 5 in the middle 95 % of the rounds.
    # They are the first and the last, so that nobody can do without these.
    b = 10.0 * np.isin(np.arange(20), (0, 19))  # (20,)
    case = 0 * b, b, np.random.default_rng(rng.integers(2**32))
    INTERVAL.compare(answer, [(case, (0, 2.5))])


@INTERVAL.check("it draws from the given rng", "随机数来自给定的 rng")
def uses_rng(answer: Callable, rng: np.random.Generator) -> None:
    (a, b, _), _ = paired_scores(rng, 50)
    generators = (np.random.default_rng(seed) for seed in (3, 3, 4))
    first, again, other = (numbers(answer, a, b, rng).tolist() for rng in generators)
    require(
        first == again,
        "Two generators with the same seed must give the same interval: draw from "
        "`rng`, nothing else.",
        "种子相同的两个生成器应当给出同一个区间：只从 `rng` 取随机数。",
        "global_random",
    )
    require(
        first != other,
        "Another seed changes nothing: the interval must come from draws with `rng`.",
        "换了种子，结果却不变：区间应当由 `rng` 抽样得出。",
        "ignores_rng",
    )


@INTERVAL.check("as many rounds as are asked for", "要几轮就抽几轮")
def asked_rounds(answer: Callable, rng: np.random.Generator) -> None:
    (a, b, _), _ = paired_scores(rng, 50)
    generators = map(np.random.default_rng, range(16))
    widths = [float(np.ptp(numbers(answer, a, b, rng, 3))) for rng in generators]
    require(
        max(widths) > 1.5 * min(widths),
        "With `rounds=3` there are three differences, now close together, now far "
        "apart; your interval is always as wide: use `rounds`.",
        "`rounds=3` 时只有三个差，有时靠得近，有时离得远；你的区间却总是一样宽："
        "要用上 `rounds`。",
        "ignores_rounds",
    )


@INTERVAL.check("other sizes and differences", "别的样本数和差", hidden=True)
def other_sizes(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers(30, 150, size=2).tolist()
    INTERVAL.compare(answer, [paired_scores(rng, 2 * n) for n in sizes])
    INTERVAL.compare(answer, [paired_scores(rng, 100, gap) for gap in (-6, 4)])


def spread(a, b):
    """Return the mean difference and its standard error."""
    return float((b - a).mean()), float((b - a).std() / math.sqrt(len(a)))


@INTERVAL.mistake(
    "The interval is much too wide: the two systems are resampled separately. Draw "
    "*items*, and take both scores of each item.",
    "区间宽得多：两个系统是分开重抽的。抽的是*样本*，每个样本的两个得分要一起取。",
)
def unpaired(a, b, rng):
    d, error = b.mean() - a.mean(), math.sqrt((a.var() + b.var()) / len(a))
    return d - Z(0.975) * error, d + Z(0.975) * error


@INTERVAL.mistake(
    "The interval has no width: draw *with* replacement, n items out of n.",
    "区间没有宽度：要*有放回*地抽，从 n 个里抽 n 个。",
)
def without_replacement(a, b, rng):
    return spread(a, b)[0], spread(a, b)[0]


@INTERVAL.mistake(
    "This is a 90 % interval; 95 % leaves 2.5 % on each side.",
    "这是 90 % 的区间；95 % 的区间两边各留 2.5 %。",
)
def ninety(a, b, rng):
    d, error = spread(a, b)
    return d - Z(0.95) * error, d + Z(0.95) * error


@INTERVAL.mistake(
    "The interval lies evenly around the difference, as under a normal curve. Return "
    "the ends of the middle 95 % of the rounds, wherever they lie.",
    "区间在实测的差两边一样宽，是按正态曲线算的。要返回的是中间 95% 的轮次的两端，"
    "落在哪里就是哪里。",
)
def normal_curve(a, b, rng):
    d, error = spread(a, b)
    return d - Z(0.975) * error, d + Z(0.975) * error


@INTERVAL.mistake(
    "An item is never drawn: `rng.integers(n)` gives 0 to n - 1 as it is, the upper "
    "end is not in it.",
    "有一道题永远抽不到：`rng.integers(n)` 给出的就是 0 到 n - 1，不含上限。",
)
def one_item_never(a, b, rng):
    d = (b - a)[:-1]
    items = np.random.default_rng(0).integers(len(d), size=(10_000, len(b)))
    return np.quantile(d[items].mean(axis=1), [0.025, 0.975])


@INTERVAL.mistake(
    "This is one standard error each way, a 68 % interval.",
    "这是左右各一个标准误，即 68 % 的区间。",
)
def one_standard_error(a, b, rng):
    d, error = spread(a, b)
    return d - error, d + error


@INTERVAL.mistake(
    "This is the spread of single items; resample the *mean* of n items.",
    "这是单个样本的离散程度；要重抽的是 n 个样本的*平均*。",
)
def single_items(a, b, rng):
    d, error = spread(a, b)
    return tuple(d + z * error * math.sqrt(len(a)) for z in (Z(0.025), Z(0.975)))


@INTERVAL.mistake(
    "You draw half as many items as there are; draw n out of n.",
    "你只抽了一半的样本；要从 n 个里抽 n 个。",
)
def half_the_items(a, b, rng):
    d, error = spread(a, b)
    return tuple(d + z * error * math.sqrt(2) for z in (Z(0.025), Z(0.975)))


@INTERVAL.mistake(
    "The difference is the wrong way round: b minus a.", "差的方向反了：应为 b 减 a。"
)
def a_minus_b(a, b, rng):
    d, error = spread(b, a)
    return d - Z(0.975) * error, d + Z(0.975) * error


@INTERVAL.mistake(
    "This is the interval of b alone; we want that of the difference b - a.",
    "这是 b 自己的区间；要的是差 b - a 的区间。",
)
def b_alone(a, b, rng):
    return a_minus_b(b, 0 * b, rng)


@INTERVAL.mistake(
    "This is 100 times too large: keep the unit of the scores.",
    "大了 100 倍：请保持得分原来的单位。",
)
def in_percent(a, b, rng):
    return tuple(100 * end for end in a_minus_b(b, a, rng))


# 4. How many times as many labels the baseline needs: the data multiplier


def learning_curve(rng: np.random.Generator, score: float, needed: float) -> list:
    """Return a curve, straight over the logarithm, that has a score at `needed`."""
    slope = rng.uniform(2, 12)
    apart = rng.uniform(0.3, 3, size=5)  # the curve is measured at unequal steps
    before = rng.uniform(0.1, apart[:2].sum())  # from the first point to the crossing
    places = math.log(needed) - before + np.concatenate([[0], apart.cumsum()])
    scores = score + slope * (places - math.log(needed))
    return [(math.exp(x), float(y)) for x, y in zip(places, scores, strict=True)]


def two_curves(rng: np.random.Generator) -> tuple:
    """Return the case of two curves whose multiplier is chosen first."""
    score, factor = float(rng.uniform(60, 90)), math.exp(rng.uniform(-1.5, 4))
    needed = float(rng.uniform(50, 500))
    baseline = learning_curve(rng, score, needed * factor)
    return (baseline, learning_curve(rng, score, needed), score), factor


RISING = [(100, 60.0), (1000, 70.0), (10000, 80.0)]


@MULTIPLIER.check("the example", "题中的例子")
def example_curves(answer: Callable, rng: np.random.Generator) -> None:
    pretrained = [(100, 70.0), (400, 80.0)]
    cases = [((RISING, pretrained, 75.0), 10**3.5 / 200)]
    MULTIPLIER.compare(answer, [*cases, ((RISING, RISING, 63.0), 1)])


@MULTIPLIER.check("a score at a measured point", "分数正好落在测量点上")
def at_a_point(answer: Callable, rng: np.random.Generator) -> None:
    pretrained = [(50, 60.0), (200, 70.0), (800, 75.0)]
    cases = [((RISING, pretrained, 70.0), 5), ((RISING, pretrained, 60.0), 2)]
    cases.append(((RISING, pretrained, 75.0), 10**3.5 / 800))  # the last point of one
    peak = [(50, 60.0), (200, 75.0), (800, 65.0)]  # reached, and nowhere passed
    cases.append(((RISING, peak, 75.0), 10**3.5 / 200))
    MULTIPLIER.compare(answer, cases)


@MULTIPLIER.check("no answer where nothing was measured", "没有测到，就没有答案")
def not_measured(answer: Callable, rng: np.random.Generator) -> None:
    early, late = [(100, 72.0), (1000, 90.0)], [(100, 20.0), (1000, 50.0)]
    MULTIPLIER.compare(
        answer,
        [
            ((late, RISING, 75.0), math.nan),  # the baseline never gets there
            ((RISING, late, 75.0), math.nan),
            ((RISING, early, 71.0), math.nan),  # above the score from the start
            ((RISING, [*early[:1], (300, 65.0), *early[1:]], 71.0), math.nan),
        ],
    )


@MULTIPLIER.check("random curves", "随机的曲线", hidden=True)
def random_curves(answer: Callable, rng: np.random.Generator) -> None:
    MULTIPLIER.compare(answer, [two_curves(rng) for _ in range(12)])


@MULTIPLIER.check("curves that fall again", "中途回落的曲线", hidden=True)
def dipping(answer: Callable, rng: np.random.Generator) -> None:
    cases = []
    for _ in range(6):
        (baseline, pretrained, score), factor = two_curves(rng)
        last = baseline[-1][0]
        baseline += [(2 * last, score - 9.0), (5 * last, score + 1.0)]
        cases.append(((baseline, pretrained, score), factor))
    scores = [30.0, 40.0, 50.0, 60.0, 70.0, 55.0, 57.0, 58.0, 59.0, 80.0]
    dip = [(10 * 2**k, score) for k, score in enumerate(scores)]
    cases.append(((dip, [(50, 60.0), (200, 70.0)], 65.0), 80 * 2**0.5 / 100))
    # 75 lies between 59 and 80, not between the 70 before the dip and 80.
    cases.append(((dip, RISING, 75.0), 10 * 2 ** (8 + 16 / 21) / 10**3.5))
    MULTIPLIER.compare(answer, cases)


def crossing(curve, score, scale=math.log, back=math.exp, last=False):
    """Find a crossing of a curve on some scale; NaN if it is not between points."""
    found = math.nan
    for (n, low), (m, high) in zip(curve, curve[1:], strict=False):
        if low <= score <= high and (last or math.isnan(found)):
            part = (score - low) / (high - low)
            found = back(scale(n) + part * (scale(m) - scale(n)))
    return found


@MULTIPLIER.mistake(
    "The curve is above the score at its first point already; where it falls below is "
    "not where it reaches it.",
    "曲线在第一个点就已经超过这个分数；它后来降下去的地方，不是它达到分数的地方。",
)
def falls_through(baseline, pretrained, score):
    def place(curve):
        for (n, low), (m, high) in zip(curve, curve[1:], strict=False):
            if min(low, high) <= score <= max(low, high) and low != high:
                return n * (m / n) ** ((score - low) / (high - low))
        return math.nan

    return place(baseline) / place(pretrained)


@MULTIPLIER.mistake(
    "np.interp wants scores that rise all the way; a curve that falls again confuses "
    "it. Go from point to point.",
    "np.interp 要求分数一路上升；曲线一回落它就乱了。要一段一段地看。",
)
def numpy_interpolation(baseline, pretrained, score):
    def place(curve):
        labels, scores = zip(*curve, strict=True)
        ends = {"left": math.nan, "right": math.nan}
        return math.exp(np.interp(score, scores, np.log(labels), **ends))

    return place(baseline) / place(pretrained)


@MULTIPLIER.mistake(
    "You put the highest score so far in place of a point that fell; the line begins "
    "at the point before.",
    "有的点分数回落了，你用此前的最高分代替了它；直线要从前一个点画起。",
)
def highest_so_far(baseline, pretrained, score):
    ends = []
    for curve in (baseline, pretrained):
        labels, scores = zip(*curve, strict=True)
        highest = np.maximum.accumulate(scores).tolist()
        ends.append(crossing(list(zip(labels, highest, strict=True)), score))
    return ends[0] / ends[1]


@MULTIPLIER.mistake(
    "You interpolate on the number of labels itself. Learning curves are read on a "
    "logarithmic scale: half-way between 1,000 and 10,000 is 3,162, not 5,500.",
    "你直接在标注数上插值。学习曲线要在对数尺度上读：1,000 与 10,000 的中点是 3,162，"
    "不是 5,500。",
)
def linear_scale(baseline, pretrained, score):
    ends = [crossing(c, score, float, float) for c in (baseline, pretrained)]
    return ends[0] / ends[1]


@MULTIPLIER.mistake(
    "The ratio is upside down: what the *baseline* needs, divided by what the "
    "pre-trained model needs.",
    "比值颠倒了：应当用*基线*所需的标注数除以预训练模型所需的。",
)
def upside_down(baseline, pretrained, score):
    return crossing(pretrained, score) / crossing(baseline, score)


@MULTIPLIER.mistake(
    "You take the first measured point that reaches the score; interpolate between it "
    "and the point before.",
    "你取了第一个达到该分数的测量点；应当在它和前一点之间插值。",
)
def first_point_above(baseline, pretrained, score):
    ends = [
        next((n for n, reached in curve if reached >= score), math.nan)
        for curve in (baseline, pretrained)
    ]
    return ends[0] / ends[1]


@MULTIPLIER.mistake(
    "This is a number for a score that a curve never passes: np.interp silently "
    "answers with its first or last point. Return math.nan.",
    "曲线没有经过这个分数，你却给出了数：np.interp 会悄悄用首点或末点代替。"
    "请返回 math.nan。",
)
def clamped(baseline, pretrained, score):
    ends = []
    for curve in (baseline, pretrained):
        sizes, scores = zip(*curve, strict=True)
        ends.append(math.exp(np.interp(score, scores, np.log(sizes))))
    return ends[0] / ends[1]


@MULTIPLIER.mistake(
    "You prolong the last piece of a curve beyond what was measured. Return math.nan.",
    "你把曲线延长到了没有测量的地方。请返回 math.nan。",
)
def extrapolated(baseline, pretrained, score):
    ends = []
    for curve in (baseline, pretrained):
        i = next((i for i, p in enumerate(curve) if p[1] >= score), len(curve) - 1)
        (n, low), (m, high) = curve[max(i, 1) - 1], curve[max(i, 1)]
        ends.append(n * (m / n) ** ((score - low) / (high - low)))
    return ends[0] / ends[1]


@MULTIPLIER.mistake(
    "This is the logarithm of the ratio; undo the logarithm at the end.",
    "这是比值的对数；最后要还原。",
)
def logarithm(baseline, pretrained, score):
    return math.log(crossing(baseline, score) / crossing(pretrained, score))


@MULTIPLIER.mistake(
    "One of your logarithms has base 10 and its inverse has base e (or the reverse).",
    "取对数和还原用的底不一样：一个是 10，一个是 e。",
)
def mixed_bases(baseline, pretrained, score):
    ends = [crossing(c, score, math.log10, math.exp) for c in (baseline, pretrained)]
    return ends[0] / ends[1]


@MULTIPLIER.mistake(
    "This is a difference in labels; we ask *how many times* as many.",
    "这是标注数之差；要问的是*几倍*。",
)
def labels_saved(baseline, pretrained, score):
    return crossing(baseline, score) - crossing(pretrained, score)


@MULTIPLIER.mistake(
    "The curve falls and comes back: the first crossing counts, not the last.",
    "曲线回落后又升上来：以第一次达到为准，不是最后一次。",
)
def last_crossing(baseline, pretrained, score):
    ends = [crossing(c, score, last=True) for c in (baseline, pretrained)]
    return ends[0] / ends[1]


@MULTIPLIER.mistake(
    "A curve that begins above the score has no known crossing; return math.nan.",
    "曲线一开始就高于该分数，交点在哪里并不知道；请返回 math.nan。",
)
def from_the_first_point(baseline, pretrained, score):
    ends = [
        curve[0][0] if curve[0][1] >= score else crossing(curve, score)
        for curve in (baseline, pretrained)
    ]
    return ends[0] / ends[1]
