"""The checks of assignment 03, GloVe, and the mistakes made in it.

The truth comes from slow references: counts are added up pair by pair of places,
a sum is written as a loop, and a gradient is left to autograd.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import torch

from course_lib.grading.checks import Mistake, Task, numbers, require

COUNTS = Task("03.cooccurrences")
RATIOS = Task("03.ratios")
LOSS = Task("03.glove_loss")
GRADIENT = Task("03.pair_gradient", tolerance=1e-5)  # also of torch in float32
TASKS = {task.name: task for task in (COUNTS, RATIOS, LOSS, GRADIENT)}


# 1. Which words stand near each other


def count(sentences, V, window, weight=lambda d, n: abs(d) <= n and 1 / abs(d)):
    """Add up the weights of all pairs of places in a sentence. Shape: (V, V).

    weight: what a neighbour adds that stands d places on (negative: before the word)
    """
    X = np.zeros((V, V))
    for sentence in sentences:
        for place, i in enumerate(sentence):
            for other, k in enumerate(sentence):
                if other != place:
                    X[i, k] += weight(other - place, window)
    return X


def text(rng: np.random.Generator, sentences: int, V: int, window: int) -> tuple:
    """Return the case of a random text; some sentences are short, one is empty."""
    lengths = [0, 1, *rng.integers(2, 12, size=sentences)]
    made = [rng.integers(V, size=length).tolist() for length in lengths]
    return (made, V, window), count(made, V, window)


@COUNTS.check("the table is symmetric", "表是对称的")
def symmetric(answer: Callable, rng: np.random.Generator) -> None:
    X = numbers(answer, [[0, 1, 2, 3, 4]], 5, 3)
    require(X.shape == (5, 5), "Return a (V, V) table.", "请返回 (V, V) 的表。")
    require(
        X[0, 1] == X[1, 0] and X[1, 3] == X[3, 1],
        "The table is not symmetric: look to the left *and* to the right of a word.",
        "表不对称：一个词的左边和右边*都*要看。",
        "one_sided",
    )


@COUNTS.check("the example", "题中的例子")
def example_counts(answer: Callable, rng: np.random.Generator) -> None:
    half = [[0, 1, 0.5, 0], [1, 0, 1, 0], [0.5, 1, 0, 0], [0, 0, 0, 0]]
    COUNTS.compare(answer, [(([[0, 1, 2], [3]], 4, 2), half)])


@COUNTS.check("several sentences, words that come again", "多个句子，重复出现的词")
def words_again(answer: Callable, rng: np.random.Generator) -> None:
    made = [[0, 0, 1], [2, 1, 2, 3, 2, 0], [], [3]]
    cases = [((made, 4, n), count(made, 4, n)) for n in (1, 2, 3, 10)]
    cases.append(((made, 6, 2), count(made, 6, 2)))  # two words do not come
    COUNTS.compare(answer, cases)


@COUNTS.check("random texts", "随机的文本", hidden=True)
def random_texts(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [(3, 5, 2), (6, 8, 4), (6, 4, 5), (2, 30, 3), (8, 6, 10)]
    COUNTS.compare(answer, [text(rng, *size) for size in sizes])


@COUNTS.mistake(
    "The table is as large as the words that came; it has V rows and columns.",
    "表的大小取决于出现过的词；它应当有 V 行 V 列。",
)
def as_large_as_the_words(sentences, V, window):
    return count(sentences, max(map(max, filter(None, sentences))) + 1, window)


@COUNTS.mistake(
    "Every neighbour adds 1; it should add 1 / distance.",
    "每个邻词都加了 1；应当加“距离分之一”。",
)
def unweighted(sentences, V, window):
    return count(sentences, V, window, lambda d, n: abs(d) <= n)


@COUNTS.mistake(
    "The window runs on into the next sentence; it ends where the sentence ends.",
    "窗口跨到了下一句；句子结束，窗口也就结束。",
)
def across_sentences(sentences, V, window):
    return count([[i for sentence in sentences for i in sentence]], V, window)


@COUNTS.mistake(
    "The window is one word too narrow: a neighbour `window` places away counts.",
    "窗口窄了一个词：相隔 `window` 个位置的邻词也要算。",
)
def one_too_narrow(sentences, V, window):
    return count(sentences, V, window - 1)


@COUNTS.mistake(
    "The window is one word too wide: the farthest neighbour is `window` places away.",
    "窗口宽了一个词：最远的邻词相隔 `window` 个位置。",
)
def one_too_wide(sentences, V, window):
    return count(sentences, V, window + 1)


@COUNTS.mistake(
    "You weigh with 1 / (distance + 1); the next word has distance 1 and adds 1.",
    "你用的权重是 1 / (距离 + 1)；紧邻的词距离为 1，应当加 1。",
)
def distance_from_zero(sentences, V, window):
    return count(sentences, V, window, lambda d, n: abs(d) <= n and 1 / (abs(d) + 1))


@COUNTS.mistake(
    "Your weight falls in equal steps, as in word2vec on average; GloVe takes "
    "1 / distance.",
    "你的权重按等差下降，那是 word2vec 的平均效果；GloVe 用“距离分之一”。",
)
def equal_steps(sentences, V, window):
    return count(sentences, V, window, lambda d, n: max(0, n + 1 - abs(d)) / n)


@COUNTS.mistake(
    "Each pair is counted twice. If you walk through all words and look both ways, "
    "fill in one cell a time, not two.",
    "每一对都数了两次。如果逐词向两边看，每次只填一格，不要填两格。",
)
def counted_twice(sentences, V, window):
    return 2 * count(sentences, V, window)


@COUNTS.mistake(
    "The diagonal is half of what it should be: in “very very”, each of the two stands "
    "near the other.",
    "对角线只有应有的一半：“很 很”里，两个词互为邻词。",
)
def half_diagonal(sentences, V, window):
    X = count(sentences, V, window)
    return X - np.diag(np.diag(X)) / 2


@COUNTS.mistake(
    "A pair that comes again overwrites what was there: add to it.",
    "再次出现的词对把原来的数覆盖了：应当累加。",
)
def overwritten(sentences, V, window):
    X = np.zeros((V, V))
    for s in sentences:
        for a, i in enumerate(s):
            for c in range(max(0, a - window), min(len(s), a + window + 1)):
                if c != a:
                    X[i, s[c]] = 1 / abs(c - a)
    return X


# 2. Ratios of probabilities, with zeros


def ratio(X, i, j):
    """Divide P(k|i) by P(k|j), word by word."""
    found = []
    for near_i, near_j in zip(X[i], X[j], strict=True):
        if near_j:
            found.append(near_i * sum(X[j]) / (near_j * sum(X[i])))
        else:
            found.append(math.inf if near_i else math.nan)
    return found


def table(rng: np.random.Generator, V: int) -> np.ndarray:
    """Draw symmetric counts with zeros; word 0 has more neighbours than word 1."""
    X = rng.uniform(0.2, 40, (V, V)) * (rng.random((V, V)) < 0.5)
    for word, share in ((0, 0.7), (1, 0.4)):
        near = rng.permutation(V - 2) < share * (V - 2)
        X[word, 2:] = rng.uniform(0.2, 40, V - 2) * near
    X[0, :2], X[1, :2] = (3, 1), (1, 0)
    return np.triu(X) + np.triu(X, 1).T


@RATIOS.check("the example, with its zeros", "题中的例子，包括其中的零")
def example_ratios(answer: Callable, rng: np.random.Generator) -> None:
    X = np.zeros((6, 6))
    X[0, 2:], X[1, 2:] = (5, 0, 3, 0), (0, 3, 1, 0)
    X = np.maximum(X, X.T)
    found = numbers(answer, X, 0, 1)
    if found.shape == (6,) and abs(found[4] - 1.5) < 1e-6:  # right where nothing is 0
        require(
            bool(found[2] == math.inf),
            "A word that stands near i and never near j has an infinite ratio: return "
            "math.inf there, neither 0 nor a large number.",
            "只出现在 i 旁边、从不出现在 j 旁边的词，比值是无穷大：请返回 math.inf，"
            "不是 0，也不是一个大数。",
            "no_infinity",
        )
        require(
            bool(found[5] != found[5]),
            "A word that stands near neither tells nothing: return math.nan there.",
            "在两者旁边都没出现过的词说明不了什么：请返回 math.nan。",
            "no_nan",
        )
    expected = [math.nan, math.nan, math.inf, 0, 1.5, math.nan]
    RATIOS.compare(answer, [((X, 0, 1), expected)])


@RATIOS.check("two random words", "任意两个词")
def two_words(answer: Callable, rng: np.random.Generator) -> None:
    X = table(rng, 9)
    RATIOS.compare(answer, [((X, i, j), ratio(X, i, j)) for i, j in ((0, 1), (1, 0))])


@RATIOS.check("random tables", "随机的表", hidden=True)
def random_tables(answer: Callable, rng: np.random.Generator) -> None:
    for V in (6, 12, 30):
        X = table(rng, V)
        pairs = ((0, 1), (1, 0), (0, 0))
        RATIOS.compare(answer, [((X, i, j), ratio(X, i, j)) for i, j in pairs])


def quotient(above, below):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(above, below)


@RATIOS.mistake(
    "This is the ratio of the counts. A frequent word stands near everything: divide "
    "each row by its sum first.",
    "这是计数之比。常见的词在什么旁边都多：要先把每一行除以它的总和。",
)
def ratio_of_counts(X, i, j):
    return quotient(X[i], X[j])


@RATIOS.mistake(
    "The ratio is upside down: P(k|i) stands above, P(k|j) below.",
    "比值颠倒了：P(k|i) 在上，P(k|j) 在下。",
)
def upside_down(X, i, j):
    return np.array(ratio(X, j, i))


@RATIOS.mistake(
    "The two sums are swapped: the row of i is divided by the sum of i.",
    "两个总和用反了：i 的那一行要除以 i 的总和。",
)
def sums_swapped(X, i, j):
    return quotient(X[i] * X[i].sum(), X[j] * X[j].sum())


@RATIOS.mistake(
    "This is a difference; we ask *how many times* as likely.", "这是差；要的是*几倍*。"
)
def difference_of_probabilities(X, i, j):
    return X[i] / X[i].sum() - X[j] / X[j].sum()


@RATIOS.mistake(
    "This is the logarithm of the ratio; here we want the ratio itself.",
    "这是比值的对数；这里要的是比值本身。",
)
def log_ratio(X, i, j):
    with np.errstate(divide="ignore"):
        return np.log(ratio(X, i, j))


@RATIOS.mistake(
    "1 was added to every count (smoothing). That invents neighbours: leave zeros as "
    "they are.",
    "每个计数都加了 1（平滑）。这等于编造邻词：零就让它是零。",
)
def smoothed(X, i, j):
    return ratio(X + 1, i, j)


@RATIOS.mistake(
    "You divide by the *number* of different neighbours; divide by the sum of the "
    "counts in the row.",
    "你除以了不同邻词的*个数*；应当除以这一行计数的总和。",
)
def number_of_neighbours(X, i, j):
    sizes = np.count_nonzero(X, axis=1)
    return quotient(X[i] / sizes[i], X[j] / sizes[j])


@RATIOS.mistake(
    "This is P(k|i) alone; it is still to be compared with P(k|j).",
    "这只是 P(k|i)；还要和 P(k|j) 相比。",
)
def one_probability(X, i, j):
    return quotient(X[i], sum(X[i]))


# 3 and 4. What GloVe minimises, and its gradient


def f(x, x_max, alpha):
    return min(1, x / x_max) ** alpha


def cost(
    X, w, w_tilde, b, b_tilde, x_max, alpha,
    weight=f, log=math.log, biased=True, square=lambda f, error: f * error**2,
):  # fmt: skip
    """Return eq. 8 of the paper, pair by pair; the options make mistakes."""
    total = 0.0
    for (i, k), x in np.ndenumerate(X):
        if x:
            score = sum(w[i] * w_tilde[k]) + biased * (b[i] + b_tilde[k])
            total += square(weight(x, x_max, alpha), score - log(x))
    return total


def slope(
    w, w_tilde, b, b_tilde, x, x_max, alpha,
    weight=f, log=math.log, biased=True, of_bias=(1, 1),
):  # fmt: skip
    """Return the gradient for one pair, as a basis of mistakes. Shape: (2D + 2,)."""
    error = w @ w_tilde + biased * (b + b_tilde) - log(x)
    return 2 * weight(x, x_max, alpha) * error * np.array([*w_tilde, *w, *of_bias])


BOTH = (
    (
        "uncapped",
        "f is not capped: where X is larger than x_max, f is 1.",
        "f 没有封顶：X 大于 x_max 时，f 等于 1。",
        {"weight": lambda x, x_max, alpha: (x / x_max) ** alpha},
    ),
    (
        "without_weight",
        "The weight f is missing: every pair counts the same.",
        "少了权重 f：每一对都一样重。",
        {"weight": lambda *_: 1},
    ),
    (
        "values_of_the_paper",
        "You use x_max = 100 and alpha = 3/4 whatever is given.",
        "不管给的是什么，你都用了 x_max = 100 和 alpha = 3/4。",
        {"weight": lambda x, *_: f(x, 100, 0.75)},
    ),
    (
        "error_without_biases",
        "The biases are missing in the error: both are added to the product.",
        "误差里少了偏置：乘积还要加上两个偏置。",
        {"biased": False},
    ),
    (
        "without_log",
        "The error is measured from the count itself; it should be from its logarithm.",
        "误差是和计数本身比的；应当和它的对数比。",
        {"log": float},
    ),
    (
        "log_of_one_more",
        "You take log(1 + X). Take log(X), and leave the cells with X = 0 out.",
        "你用了 log(1 + X)。应当用 log(X)，并略去 X = 0 的格子。",
        {"log": math.log1p},
    ),
)
LOSS.mistakes += [Mistake(*m, partial(cost, **options)) for *m, options in BOTH]
GRADIENT.mistakes += [Mistake(*m, partial(slope, **options)) for *m, options in BOTH]


def setting(rng: np.random.Generator, V: int, D: int, zeros: float = 0.4) -> tuple:
    """Draw a case of the loss; about half of the counts lie above x_max."""
    X = np.exp(rng.uniform(-1, 4, (V, V))) * (rng.random((V, V)) >= zeros)
    X[0] = rng.permutation([0.5, 1.5, *[30] * V])[:V]
    vectors, biases = rng.normal(size=(2, V, D)), rng.normal(size=(2, V))
    return X, *vectors, *biases, rng.uniform(4, 12), rng.uniform(0.3, 0.9)


def settings(rng: np.random.Generator, *sizes: tuple) -> list:
    made = [setting(rng, *size) for size in sizes]
    return [(case, cost(*case)) for case in made]


@LOSS.check("the example: one pair", "题中的例子：一对词")
def example_loss(answer: Callable, rng: np.random.Generator) -> None:
    X, zeros = np.array([[0.0, 16], [0, 0]]), np.zeros((2, 3))
    case = X, zeros, zeros, np.zeros(2), np.zeros(2), 81, 0.75
    LOSS.compare(answer, [(case, 8 / 27 * math.log(16) ** 2)])


@LOSS.check("a perfect fit costs nothing", "完全拟合时损失为零")
def perfect(answer: Callable, rng: np.random.Generator) -> None:
    X, w, w_tilde, b, b_tilde, *rest = setting(rng, 4, 2)
    X = np.exp(w @ w_tilde.T + b[:, None] + b_tilde) * (X > 0)
    LOSS.compare(answer, [((X, w, w_tilde, b, b_tilde, *rest), 0)])


@LOSS.check("a whole table", "整张表")
def whole_table(answer: Callable, rng: np.random.Generator) -> None:
    LOSS.compare(answer, settings(rng, (3, 2), (5, 4), (4, 3, 0)))


@LOSS.check("random tables", "随机的表", hidden=True)
def random_losses(answer: Callable, rng: np.random.Generator) -> None:
    LOSS.compare(answer, settings(rng, *rng.integers(2, 9, size=(5, 2)).tolist()))


@LOSS.mistake(
    "This is half of the sum. Some programs minimise the half, eq. 8 has none.",
    "这是总和的一半。有的程序优化的是一半，但式 (8) 里没有这个一半。",
)
def half(*case):
    return cost(*case) / 2


@LOSS.mistake(
    "This is the mean over the pairs; the loss is their sum.",
    "这是各对的平均；损失是它们的和。",
)
def mean_of_pairs(X, *case):
    return cost(X, *case) / np.count_nonzero(X)


@LOSS.mistake(
    "The weight is squared with the error: first square the error, then multiply by f.",
    "权重和误差一起平方了：先把误差平方，再乘以 f。",
)
def weight_inside(*case):
    return cost(*case, square=lambda f, error: (f * error) ** 2)


@LOSS.mistake(
    "log(0) is -inf, and 0 · inf is nan: only the cells with X > 0 belong to the sum.",
    "log(0) 是 -inf，0 · inf 是 nan：只有 X > 0 的格子才算进去。",
)
def log_of_zero(X, *case):
    return cost(X, *case) if (X > 0).all() else math.nan


@LOSS.mistake(
    "Both vectors come from `w`; that of the second word, k, is in `w_tilde`.",
    "两个向量都取自 `w`；第二个词 k 的向量在 `w_tilde` 里。",
)
def one_table(X, w, w_tilde, *rest):
    return cost(X, w, w, *rest)


@LOSS.mistake(
    "You add up absolute errors; the errors should be squared.",
    "你加的是误差的绝对值；误差应当平方。",
)
def not_squared(*case):
    return cost(*case, square=lambda f, error: f * abs(error))


def pair(rng: np.random.Generator, D: int, x: float) -> tuple:
    """Return the case of one pair of count x; autograd knows its gradient."""
    parameters = *rng.normal(size=(2, D)), *rng.normal(size=2).tolist()
    x_max, alpha = float(rng.uniform(5, 20)), float(rng.uniform(0.3, 0.9))
    w, w_tilde, b, b_tilde = leaves = [
        torch.tensor(p, dtype=torch.float64, requires_grad=True) for p in parameters
    ]
    loss = f(x, x_max, alpha) * (w @ w_tilde + b + b_tilde - math.log(x)) ** 2
    right = [g.reshape(-1) for g in torch.autograd.grad(loss, leaves)]
    return (*parameters, x, x_max, alpha), torch.cat(right)


@GRADIENT.check("the example", "题中的例子")
def example_gradient(answer: Callable, rng: np.random.Generator) -> None:
    g = 16 / 27 * (2 - math.log(16))
    inputs = np.array([1.0, 0]), np.array([2.0, 1]), 0.0, 0.0, 16, 81, 0.75
    GRADIENT.compare(answer, [(inputs, [2 * g, g, g, 0, g, g])])


@GRADIENT.check("rare pairs and frequent ones", "少见的词对和常见的词对")
def rare_and_frequent(answer: Callable, rng: np.random.Generator) -> None:
    GRADIENT.compare(answer, [pair(rng, 3, x) for x in (0.2, 3.0, 30.0, 500.0)])


@GRADIENT.check("random pairs", "随机的词对", hidden=True)
def random_pairs(answer: Callable, rng: np.random.Generator) -> None:
    counts = np.exp(rng.uniform(-2, 6, size=12)).tolist()
    GRADIENT.compare(answer, [pair(rng, int(rng.integers(1, 9)), x) for x in counts])


@GRADIENT.mistake(
    "The factor 2 from the square is missing (or the loss was halved).",
    "平方求导得到的因子 2 丢了（或者把损失减半了）。",
)
def without_two(*case):
    return slope(*case) / 2


@GRADIENT.mistake(
    "The sign is reversed: this is the step downhill, the gradient points uphill.",
    "符号反了：这是下降的方向，梯度指向上升的方向。",
)
def downhill(*case):
    return -slope(*case)


@GRADIENT.mistake(
    "The gradient of w is a multiple of w_tilde, and the reverse: yours are swapped.",
    "w 的梯度是 w_tilde 的倍数，反之亦然：你的两个对调了。",
)
def vectors_swapped(w, w_tilde, *rest):
    return slope(w_tilde, w, *rest)


@GRADIENT.mistake(
    "f stands in it twice: f is not squared in the loss, so it stays as it is.",
    "f 出现了两次：损失里 f 没有平方，求导后保持原样。",
)
def weight_squared(*case):
    return slope(*case, weight=lambda *given: f(*given) ** 2)


@GRADIENT.mistake(
    "The gradients of the biases are missing: a bias is a parameter, too.",
    "少了偏置的梯度：偏置也是参数。",
)
def no_gradient_of_biases(*case):
    return slope(*case, of_bias=(0, 0))


@GRADIENT.mistake(
    "The gradient of a bias is multiplied by the bias; its derivative is 1.",
    "偏置的梯度又乘上了偏置本身；它的导数是 1。",
)
def times_the_bias(*case):
    return slope(*case, of_bias=case[2:4])
