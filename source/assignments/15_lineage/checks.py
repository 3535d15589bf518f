"""The checks of assignment 15, lineage and capstone, and the mistakes that people make.

What is right is computed the slow way, place by place; the options of these functions
make the mistakes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import stats

from course_lib.grading.checks import Mistake, Task

CBOW = Task("15.cbow")
PRODUCT = Task("15.product")
OPTIMUM = Task("15.optimum")
GAIN = Task("15.gain", tolerance=1e-5)
AUDIT = Task("15.audit")
TASKS = {task.name: task for task in (CBOW, PRODUCT, OPTIMUM, GAIN, AUDIT)}


# 1. A bag of neighbours


def softmax(scores):
    raised = [math.exp(score - max(scores)) for score in scores]
    return [x / sum(raised) for x in raised]


def bag(
    words, answers, context, weigh=lambda t, n: 1 / n, pick=list, say=softmax,
    given="words", asked="answers",
):  # fmt: skip
    """Add up the neighbours one by one; the options make mistakes. Shape: (V,)."""
    tables = {"words": np.asarray(words), "answers": np.asarray(answers)}
    context = pick(context)
    c = np.zeros(tables[given].shape[1])
    for t, word in enumerate(context):
        c = c + weigh(t, len(context)) * tables[given][word]
    return np.array(say([float(u @ c) for u in tables[asked]]))


def neighbours(rng: np.random.Generator, V: int, D: int, n: int) -> tuple:
    """Return a case: words around a gap, one of them twice."""
    context = rng.permutation(V)[: n - 1].tolist()
    context.insert(int(rng.integers(1, n - 1)), context[0])
    case = rng.normal(size=(V, D)), rng.normal(size=(V, D)), context
    return case, bag(*case)


@CBOW.check("the example", "题中的例子")
def example_bag(answer: Callable, rng: np.random.Generator) -> None:
    words = np.array([[1.0, 0], [0, 1], [3, 0], [0, 0]])
    answers = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
    right = np.exp([0, 1, 1, 2]) / np.exp([0, 1, 1, 2]).sum()
    CBOW.compare(answer, [((words, answers, [2, 1, 1, 0]), softmax([0, 1, 0.5, 1.5]))])
    CBOW.compare(answer, [((words, 2 * answers, [0, 1]), right)])


@CBOW.check("other windows", "别的窗口")
def other_windows(answer: Callable, rng: np.random.Generator) -> None:
    CBOW.compare(answer, [neighbours(rng, 9, 4, n) for n in (3, 4, 6)])


@CBOW.check("any order of the window", "窗口内的词任意换序")
def any_order(answer: Callable, rng: np.random.Generator) -> None:
    (words, answers, context), right = neighbours(rng, 7, 3, 4)
    orders = itertools.islice(itertools.permutations(context), 0, None, 5)
    CBOW.compare(answer, [((words, answers, [*o]), right) for o in orders])


@CBOW.check("random windows", "随机的窗口", hidden=True)
def random_windows(answer: Callable, rng: np.random.Generator) -> None:
    CBOW.compare(answer, [neighbours(rng, 8, 3, n) for n in (3, 5, 7)])


CBOW.mistakes += [
    Mistake(
        "summed",
        "You add up the vectors; CBOW takes their mean.",
        "你把向量加了起来；CBOW 取的是平均。",
        partial(bag, weigh=lambda t, n: 1.0),
    ),
    Mistake(
        "each_word_once",
        "A word that stands in the window twice counts twice.",
        "在窗口里出现两次的词，要算两次。",
        partial(bag, pick=lambda context: sorted(set(context))),
    ),
    Mistake(
        "by_place",
        "Nearer or earlier words weigh more with you: then the order of the window "
        "matters. In CBOW all weigh the same.",
        "你让近的或靠前的词权重更大：窗口的次序就有关系了。CBOW 里各词权重相同。",
        partial(bag, weigh=lambda t, n: (n - t) / (n * (n + 1) / 2)),
    ),
    Mistake(
        "last_word",
        "Only the last word of the window is used.",
        "只用到了窗口里的最后一个词。",
        partial(bag, pick=lambda context: context[-1:]),
    ),
    Mistake(
        "one_table",
        "The answers have a table of their own: score against `answers`.",
        "答案有自己的一张表：应当和 `answers` 算内积。",
        partial(bag, asked="words"),
    ),
    Mistake(
        "tables_swapped",
        "The tables are swapped: the window is read from `words`, and scored against "
        "`answers`.",
        "两张表用反了：窗口从 `words` 里取，再和 `answers` 算内积。",
        partial(bag, given="answers", asked="words"),
    ),
    Mistake(
        "scores",
        "These are the scores; the softmax is missing.",
        "这是内积；还没有做 softmax。",
        partial(bag, say=list),
    ),
    Mistake(
        "not_normalised",
        "You raise e to the scores, but do not divide by the sum.",
        "取了指数，没有除以总和。",
        partial(bag, say=lambda s: [math.exp(x) for x in s]),
    ),
    Mistake(
        "logarithms",
        "These are logarithms of probabilities; return the probabilities.",
        "这是概率的对数；请返回概率。",
        partial(bag, say=lambda s: [math.log(p) for p in softmax(s)]),
    ),
    Mistake(
        "yes_or_no",
        "A sigmoid answers yes or no for each word on its own, as in negative "
        "sampling. Here the words compete: softmax.",
        "sigmoid 对每个词各答“是”或“否”，那是负采样。这里各词要竞争：用 softmax。",
        partial(bag, say=lambda s: [1 / (1 + math.exp(-x)) for x in s]),
    ),
]  # fmt: skip


# 2. Two sides, multiplied


def multiplied(
    left, right, alone, of=lambda x, y, p: x * y / p, share=lambda x: x / x.sum()
):  # fmt: skip
    """Combine the answers word by word; the options make mistakes. Shape: (V,)."""
    rows = zip(left, right, alone, strict=True)
    return share(np.array([of(*row) for row in rows]))


def answered(rng: np.random.Generator, V: int) -> tuple:
    case = tuple(rng.exponential(size=V) + 0.05 for _ in range(3))
    case = tuple(p / p.sum() for p in case)
    return case, multiplied(*case)


@PRODUCT.check("the example", "题中的例子")
def example_product(answer: Callable, rng: np.random.Generator) -> None:
    case = [np.array(p) for p in ([0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.5, 0.25, 0.25])]
    PRODUCT.compare(answer, [(tuple(case), np.array([20, 36, 40]) / 96)])


@PRODUCT.check("other answers", "别的回答")
def other_answers(answer: Callable, rng: np.random.Generator) -> None:
    (left, right, alone), _ = answered(rng, 5)
    left, right, alone = (  # a rare word, which both sides make likelier
        np.append((1 - p) * x[:4] / x[:4].sum(), p)
        for x, p in ((left, 1e-3), (right, 1e-3), (alone, 1e-6))
    )
    rare = (left, right, alone), multiplied(left, right, alone)
    PRODUCT.compare(answer, [rare, *(answered(rng, V) for V in (2, 4, 9))])


@PRODUCT.check("a side that knows nothing", "一侧毫无线索")
def silent_side(answer: Callable, rng: np.random.Generator) -> None:
    (left, _, alone), _ = answered(rng, 5)
    cases = [((left, alone, alone), left), ((alone, left, alone), left)]
    PRODUCT.compare(answer, cases)


@PRODUCT.check("random answers", "随机的回答", hidden=True)
def random_answers(answer: Callable, rng: np.random.Generator) -> None:
    PRODUCT.compare(answer, [answered(rng, V) for V in (3, 5, 8, 20)])


PRODUCT.mistakes += [
    Mistake(
        "rare_words_raised",
        "You raise small numbers before you divide; a rare word is then punished.",
        "你在除之前把很小的数抬高了；罕见的词就吃了亏。",
        lambda left, right, alone: multiplied(left, right, np.maximum(alone, 1e-3)),
    ),
    Mistake(
        "not_normalised",
        "What you return does not add up to 1.",
        "返回的数加起来不是 1。",
        partial(multiplied, share=lambda x: x),
    ),
    Mistake(
        "frequency_counted_twice",
        "Both sides know how frequent a word is. Without the division by p(w) that is "
        "counted twice.",
        "两侧都知道一个词有多常见。不除以 p(w)，词频就算了两遍。",
        partial(multiplied, of=lambda x, y, p: x * y),
    ),
    Mistake(
        "times_the_unigram",
        "Divide by p(w); you multiply by it.",
        "应当除以 p(w)，你乘上了它。",
        partial(multiplied, of=lambda x, y, p: x * y * p),
    ),
    Mistake(
        "divided_twice",
        "Divide by p(w) once, not once for each side.",
        "p(w) 只除一次，不是每侧各除一次。",
        partial(multiplied, of=lambda x, y, p: x * y / p**2),
    ),
    Mistake(
        "mixture",
        "This is the mean of the two. A mean lets one side talk where the other has "
        "excluded a word; multiply.",
        "这是两者的平均。一侧已经排除的词，平均之后另一侧还能抬起来；应当相乘。",
        partial(multiplied, of=lambda x, y, p: (x + y) / 2),
    ),
    Mistake(
        "geometric_mean",
        "You take the root: that halves what each side knows.",
        "你开了根号：两侧的线索都被打了对折。",
        partial(multiplied, of=lambda x, y, p: math.sqrt(x * y)),
    ),
    Mistake(
        "one_side",
        "Only one side is used.",
        "只用了一侧。",
        partial(multiplied, of=lambda x, y, p: x),
    ),
    Mistake(
        "ratios_added",
        "You add what the sides say beyond the unigram; multiply.",
        "你把两侧超出一元模型的部分加了起来；应当相乘。",
        partial(multiplied, of=lambda x, y, p: x / p + y / p),
    ),
    Mistake(
        "logarithms",
        "These are logarithms; return probabilities.",
        "这是对数；请返回概率。",
        lambda *case: np.log(multiplied(*case)),
    ),
]  # fmt: skip


# 3. The best that any reader can do


def best(joint, reader, bet=max, weigh=lambda p, seen: p, total=sum):
    """Try all bets for each thing that a reader may see; the options make mistakes."""
    joint = np.asarray(joint)
    K, L, R = joint.shape
    seen: dict = {}
    for y, a, b in itertools.product(range(K), range(L), range(R)):
        key = {"left": a, "right": b, "both": (a, b), "neither": 0}[reader]
        seen.setdefault(key, [0.0] * K)[y] += float(joint[y, a, b])
    return total([weigh(bet(of), sum(of)) for of in seen.values()])


def three(joint, order=("left", "right", "both"), say=lambda x: x, **options):
    return np.array([say(best(joint, reader, **options)) for reader in order])


def summed_late(joint):
    """Choose with both sides in sight, and then forget one."""
    both = best(joint, "both")
    return np.array([both, both, both])


def at_most_one(joint):
    left, right, _ = three(joint)
    return np.array([left, right, max(left, right)])


def flat(joint):
    """Take every class for equally likely before looking."""
    joint = np.asarray(joint)
    share = joint.sum(axis=(1, 2), keepdims=True)
    return three(joint / share / len(joint))


XOR = np.array([[[0.25, 0], [0, 0.25]], [[0, 0.25], [0.25, 0]]])


def world(rng: np.random.Generator, K: int, L: int, R: int) -> tuple:
    joint = rng.exponential(size=(K, L, R)) ** 2
    joint = joint / joint.sum()
    return (joint,), three(joint)


@OPTIMUM.check("the example", "题中的例子")
def example_world(answer: Callable, rng: np.random.Generator) -> None:
    joint = np.array([[[0.3, 0.1], [0.1, 0.0]], [[0.0, 0.1], [0.1, 0.3]]])
    OPTIMUM.compare(answer, [((joint,), (0.8, 0.8, 0.8)), ((XOR,), (0.5, 0.5, 1))])


@OPTIMUM.check("other worlds", "别的世界")
def other_worlds(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, 3, 3), (3, 2, 4), (4, 3, 2)
    OPTIMUM.compare(answer, [world(rng, *size) for size in sizes])


@OPTIMUM.check("random worlds", "随机的世界", hidden=True)
def random_worlds(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, 2, 2), (3, 3, 2), (2, 4, 3), (5, 2, 3)
    OPTIMUM.compare(answer, [world(rng, *size) for size in sizes])


OPTIMUM.mistakes += [
    Mistake(
        "sides_swapped",
        "Left and right are swapped: the axes are class, left cue, right cue.",
        "左右反了：三个轴依次是类别、左线索、右线索。",
        partial(three, order=("right", "left", "both")),
    ),
    Mistake(
        "peeks",
        "Your one-sided readers choose with both cues in sight. First add up over the "
        "cue that a reader does not see, then choose.",
        "你的单侧读取器选择时看到了两侧的线索。应当先对看不见的线索求和，再选。",
        summed_late,
    ),
    Mistake(
        "better_side",
        "A reader of both sides can do more than the better one of them: it may bet "
        "anew for each *pair* of cues.",
        "看两侧的读取器，比只看较好的一侧还能做得更多：每*一对*线索都可以另下赌注。",
        at_most_one,
    ),
    Mistake(
        "never_looks",
        "This is the share of the commonest class: it does not look at the cue.",
        "这是最常见类别的比例：没有看线索。",
        partial(three, order=("neither", "neither", "neither")),
    ),
    Mistake(
        "cues_equally_likely",
        "You average P(class | cue) over the cues. They are not equally likely: weigh "
        "each by its probability.",
        "你对各线索的 P(类别 | 线索) 取了平均。线索出现的机会不同，要按概率加权。",
        partial(three, weigh=lambda p, seen: p / seen if seen else 0.0,
                total=lambda of: sum(of) / len(of)),
    ),
    Mistake(
        "classes_equally_likely",
        "You take the classes for equally likely. How likely they are is in the table.",
        "你当各类别机会相等了。它们各有多大机会，表里写着。",
        flat,
    ),
    Mistake(
        "error_rates",
        "These are error rates; return accuracies.",
        "这是错误率；请返回准确率。",
        partial(three, say=lambda x: 1 - x),
    ),
    Mistake(
        "worst",
        "You take the smallest probability in each case: the worst reader.",
        "你在每种情形里取了最小的概率：那是最差的读取器。",
        partial(three, bet=min),
    ),
    Mistake(
        "draws_its_answer",
        "Your reader draws its answer with P(class | cue). The best one always says "
        "the likeliest.",
        "你的读取器按 P(类别 | 线索) 抽签作答。最好的读取器总答最可能的那个。",
        partial(three, bet=lambda of: (
            sum(p * p for p in of) / sum(of) if sum(of) else 0.0)),
    ),
    Mistake(
        "likeliest_case",
        "You take the likeliest single case; add up over all that the reader may see.",
        "你只取了最可能的一种情形；应当把读取器可能看到的都加起来。",
        partial(three, total=max),
    ),
]  # fmt: skip


# 4. How much better, and how sure


def t_quantile(degrees, level=0.975):
    return float(stats.t.ppf(level, degrees))


def spread_of(values, ddof=1):
    mean = sum(values) / len(values)
    return math.sqrt(sum((x - mean) ** 2 for x in values) / (len(values) - ddof))


def paired(mine, theirs, t=lambda n: t_quantile(n - 1), ddof=1, root=math.sqrt, sign=1):
    """Compute the interval by hand; the options make mistakes. Shape: (3,)."""
    d = [sign * (a - b) for a, b in zip(mine, theirs, strict=True)]
    n = len(d)
    mean, half = sum(d) / n, t(n) * spread_of(d, ddof) / root(n)
    return np.array([mean, mean - half, mean + half])


def unpaired(mine, theirs):
    """Forget that both had the same labelled texts."""
    n = len(mine)
    mean = sum(mine) / n - sum(theirs) / n
    error = math.sqrt((spread_of(mine) ** 2 + spread_of(theirs) ** 2) / n)
    half = error * t_quantile(2 * n - 2)
    return np.array([mean, mean - half, mean + half])


def extremes(mine, theirs):
    d = np.asarray(mine) - np.asarray(theirs)
    return np.array([d.mean(), d.min(), d.max()])


def seeds(rng: np.random.Generator, n: int) -> tuple:
    """Return a case: easy and hard draws, and a small difference within each."""
    level = rng.uniform(0.55, 0.85, size=n)
    mine = level + rng.normal(0.02, 0.02, size=n)
    case = mine.round(3), level.round(3)
    return case, paired(*case)


@GAIN.check("the example", "题中的例子")
def example_gain(answer: Callable, rng: np.random.Generator) -> None:
    mine, theirs = [0.74, 0.71, 0.80, 0.68, 0.77], [0.70, 0.69, 0.77, 0.68, 0.73]
    GAIN.compare(answer, [((np.array(mine), np.array(theirs)), paired(mine, theirs))])


@GAIN.check("other scores", "别的成绩")
def other_scores(answer: Callable, rng: np.random.Generator) -> None:
    GAIN.compare(answer, [seeds(rng, n) for n in (5, 6, 8, 10)])


@GAIN.check("random scores", "随机的成绩", hidden=True)
def random_scores(answer: Callable, rng: np.random.Generator) -> None:
    GAIN.compare(answer, [seeds(rng, n) for n in (5, 7, 9, 10)])


GAIN.mistakes += [
    Mistake(
        "not_paired",
        "You compare two groups of seeds. Both methods had the same labelled texts: "
        "take the difference within each seed first.",
        "你把两组种子当成不相干的来比。两种方法用的是同一批标注文本："
        "应当先在每个种子内求差。",
        unpaired,
    ),
    Mistake(
        "normal",
        "1.96 is for many seeds; with so few take Student's t with n − 1 degrees of "
        "freedom.",
        "1.96 适用于种子很多的时候；这么少，要用自由度 n − 1 的 t 分布。",
        partial(paired, t=lambda n: 1.959964),
    ),
    Mistake(
        "one_sided",
        "2.5 % must be left out at *each* end: the quantile is that of 0.975.",
        "*两*端各留出 2.5%：分位点应是 0.975。",
        partial(paired, t=lambda n: t_quantile(n - 1, 0.95)),
    ),
    Mistake(
        "degrees",
        "The degrees of freedom are n − 1, not n.",
        "自由度是 n − 1，不是 n。",
        partial(paired, t=t_quantile),
    ),
    Mistake(
        "divided_by_n",
        "The standard deviation of a sample divides by n − 1 (`ddof=1`).",
        "样本标准差要除以 n − 1（`ddof=1`）。",
        partial(paired, ddof=0),
    ),
    Mistake(
        "spread_of_one_seed",
        "The mean of n seeds varies less than one seed: divide by the root of n.",
        "n 个种子的平均，比单个种子波动小：要除以 n 的平方根。",
        partial(paired, root=lambda n: 1),
    ),
    Mistake(
        "no_root",
        "Divide by the *root* of n.",
        "应当除以 n 的*平方根*。",
        partial(paired, root=lambda n: n),
    ),
    Mistake(
        "wrong_way_round",
        "The gain is mine minus TF-IDF's; yours has the other sign.",
        "优势是自己的方法减去 TF-IDF；你的符号反了。",
        partial(paired, sign=-1),
    ),
    Mistake(
        "extremes",
        "The smallest and the largest difference are no interval for the mean.",
        "最小和最大的差，不是平均值的区间。",
        extremes,
    ),
    Mistake(
        "half_widths",
        "Return the two ends; you return the mean and half of the width.",
        "请返回两个端点；你返回的是平均和半宽。",
        lambda mine, theirs: paired(mine, theirs)[[0, 2, 2]]
        - np.array([0, 1, 1]) * paired(mine, theirs)[0],
    ),
]  # fmt: skip


# 5. Was the protocol kept?

ORDER = ("seeds", "paired", "choice_first", "once", "budget")


def rules(
    log, budget, fewest=5, count=lambda seeds: len(set(seeds)), of_both=True,
    what_counts=("test",), compare=lambda a, b: a != b, late=lambda log, first: any(
        event[0] == "dev" for event in log[first:]),
    twice=True, slow=lambda log, budget: any(e[4] > budget for e in log),
    before=lambda choice, first: first < choice,
):  # fmt: skip
    """Read a log line by line; the options make mistakes. Shape: (5,) of 0 and 1."""
    what = [event[0] for event in log]
    chosen = log[what.index("choose")][1]
    both = (chosen, "TF-IDF")
    tested = {m: [e for e in log if e[0] in what_counts and e[1] == m] for m in both}
    sets = {m: {e[2]: e[3] for e in of} for m, of in tested.items()}
    first = what.index("test")
    tests = [(e[1], e[2]) for e in log if e[0] == "test"]
    few = [count([e[2] for e in tested[m]]) < fewest for m in both[: 1 + of_both]]
    return np.array([
        any(few),
        compare(sets[chosen], sets["TF-IDF"]),
        before(what.index("choose"), first),
        (twice and len(set(tests)) < len(tests)) or late(log, first),
        slow(log, budget),
    ], dtype=float)  # fmt: skip


def kept(rng: np.random.Generator, n: int) -> list[tuple]:
    """Write the log of a study that keeps all the rules."""
    seeds = rng.permutation(40)[:n].tolist()
    sets = {seed: int(rng.integers(1000, 9999)) for seed in seeds}
    methods = ["TF-IDF", "static", "ULMFiT"][: int(rng.integers(2, 4))]

    def runs(what, names):
        return [
            (what, m, s, sets[s], round(float(rng.uniform(1, 9)), 1))
            for s in seeds
            for m in names
        ]

    choice = methods[-1]
    log = [*runs("dev", methods), ("choose", choice, -1, 0, 0.0)]
    return [*log, *runs("test", ["TF-IDF", choice])]


def too_few(log, rng):
    last = log[-1][2]
    return [event for event in log if event[2] != last]


def repeats_a_seed(log, rng):
    """Leave one seed out, and test another twice in its place, with its own set."""
    last, (seed, labels) = log[-1][2], log[-3][2:4]
    return [(*e[:2], seed, labels, e[4]) if e[0] == "test" and e[2] == last else e
            for e in log]  # fmt: skip


def other_labels(log, rng):
    """Give one method another set for one seed, in all of its runs."""
    run = log[-1][:3]
    return [(*e[:3], e[3] + 1, e[4]) if e[:3] == run else e for e in log]


def baseline_short(log, rng):
    return [e for e in log if not (e[:2] == ("test", "TF-IDF") and e[2] == log[-1][2])]


def chosen_late(log, rng):
    at = [e[0] for e in log].index("choose")
    later = at + int(rng.integers(1, 4))
    return [*log[:at], *log[at + 1 : later + 1], log[at], *log[later + 1 :]]


def tries_again(log, rng):
    return [*log, ("dev", log[-1][1], log[-1][2], log[-1][3], 3.0)]


def tests_again(log, rng):
    at = [e[0] for e in log].index("choose") + int(rng.integers(1, 5))
    return [*log, (*log[at][:4], 2.5)]


def too_slow(log, rng):
    at = int(rng.integers(0, len(log)))
    at = 0 if log[at][0] == "choose" else at
    return [*log[:at], (*log[at][:4], 31.5), *log[at + 1 :]]


def exchanged(log):
    """Let the chosen method's tests take the sets of two seeds the wrong way round."""
    one, other = log[-1], log[-3]
    sets = {one[2]: other[3], other[2]: one[3]}
    return [(*e[:3], sets[e[2]], e[4]) if e[:2] == one[:2] and e[2] in sets else e
            for e in log]  # fmt: skip


SINS = (too_few, other_labels, baseline_short, chosen_late, tries_again, tests_again,
        too_slow, repeats_a_seed)  # fmt: skip


def logs(rng: np.random.Generator, n: int = 5) -> list[tuple]:
    """Return cases: a good log, one with each sin, and some with two."""
    budget, cases = 30.0, [kept(rng, n), kept(rng, n + 2)]
    cases += [sin(kept(rng, n), rng) for sin in SINS]
    for _ in range(3):
        one, other = rng.choice(len(SINS) - 1, 2, replace=False)
        cases.append(SINS[other](SINS[one](kept(rng, n), rng), rng))
    cases.append([(*e[:4], 30.0) if e[0] == "test" else e for e in kept(rng, n)])
    good = kept(rng, n)
    at = [e[0] for e in good].index("choose")
    cases += [
        exchanged(kept(rng, n)),
        # All seeds have the same texts: equal numbers, equal sets.
        [e if e[0] == "choose" else (*e[:3], 7, e[4]) for e in kept(rng, n)],
        # On dev after the choice, but before the first test: that is allowed.
        [*good[: at + 1], good[0], *good[at + 1 :]],
        # The choice between TF-IDF's first test and its own: too late.
        [*good[:at], good[at + 1], good[at], *good[at + 2 :]],
    ]
    return [((log, budget), rules(log, budget)) for log in cases]


EXAMPLE = [
    *(("dev", m, s, 70 + s, 2.0) for s in range(5) for m in ("TF-IDF", "mine")),
    ("choose", "mine", -1, 0, 0.0),
    *(("test", m, s, 70 + s, 3.0) for s in range(5) for m in ("TF-IDF", "mine")),
]


@AUDIT.check("the examples", "题中的例子")
def example_audit(answer: Callable, rng: np.random.Generator) -> None:
    again = [*EXAMPLE, ("dev", "mine", 3, 73, 12.0)]
    cases = (EXAMPLE, (0, 0, 0, 0, 0)), (again, (0, 0, 0, 1, 1))
    AUDIT.compare(answer, [((log, 10.0), right) for log, right in cases])


@AUDIT.check("one rule at a time", "一次违反一条")
def one_rule(answer: Callable, rng: np.random.Generator) -> None:
    AUDIT.compare(answer, logs(rng))


@AUDIT.check("random logs", "随机的记录", hidden=True)
def random_logs(answer: Callable, rng: np.random.Generator) -> None:
    AUDIT.compare(answer, [*logs(rng), *logs(rng, 6)])


AUDIT.mistakes += [
    Mistake(
        "runs_for_seeds",
        "You count test runs; count *different* seeds.",
        "你数的是测试次数；要数*不同的*种子。",
        partial(rules, count=len),
    ),
    Mistake(
        "dev_counts",
        "Runs on dev count as tests with you.",
        "你把 dev 上的运行也算成测试了。",
        partial(rules, what_counts=("test", "dev")),
    ),
    Mistake(
        "only_the_chosen",
        "TF-IDF needs five seeds, too.",
        "TF-IDF 也要有五个种子。",
        partial(rules, of_both=False),
    ),
    Mistake(
        "six_seeds",
        "Five seeds are enough.",
        "五个种子就够了。",
        partial(rules, fewest=6),
    ),
    Mistake(
        "seeds_not_sets",
        "Paired means the same labelled texts (the fourth entry), not only the same "
        "seeds.",
        "成对指的是同一批标注文本（第四项），不只是同样的种子。",
        partial(rules, compare=lambda a, b: set(a) != set(b)),
    ),
    Mistake(
        "any_seed",
        "Both methods had the same sets, but not with the same seeds: compare seed by "
        "seed.",
        "两种方法用过的标注集是同一些，但不是同一个种子用同一个：要逐个种子比。",
        partial(rules, compare=lambda a, b: {*a.values()} != {*b.values()}),
    ),
    Mistake(
        "common_seeds_only",
        "A seed with which only one of the two was tested is not paired either.",
        "只测了一种方法的种子，同样不成对。",
        partial(rules, compare=lambda a, b: any(a[s] != b[s] for s in a if s in b)),
    ),
    Mistake(
        "tried_afterwards",
        "A run on dev after the first test breaks the fourth rule as well.",
        "第一次测试之后再在 dev 上试，也违反第四条。",
        partial(rules, late=lambda log, first: False),
    ),
    Mistake(
        "tested_twice",
        "The same method tested twice with the same seed breaks the fourth rule.",
        "同一方法、同一种子测了两遍，违反第四条。",
        partial(rules, twice=False),
    ),
    Mistake(
        "all_together",
        "The budget is for each run, not for all of them together.",
        "预算是每次运行的，不是全部加起来的。",
        partial(rules, slow=lambda log, budget: sum(e[4] for e in log) > budget),
    ),
    Mistake(
        "exactly_the_budget",
        "A run that takes exactly the budget is within it.",
        "恰好用完预算，不算超出。",
        partial(rules, slow=lambda log, budget: any(e[4] >= budget for e in log)),
    ),
    Mistake(
        "kept_not_broken",
        "1 stands for a rule that is broken, 0 for one that is kept.",
        "1 表示违反，0 表示遵守。",
        lambda log, budget: 1 - rules(log, budget),
    ),
    Mistake(
        "last_test",
        "The choice must stand before the *first* test, not before the last.",
        "选择要在*第一次*测试之前，不是最后一次之前。",
        lambda log, budget: np.where(
            np.arange(5) == 2,
            [e[0] for e in log].index("choose") > max(
                i for i, e in enumerate(log) if e[0] == "test"),
            rules(log, budget),
        ),
    ),
]  # fmt: skip
