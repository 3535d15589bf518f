"""The checks of assignment 02, word2vec and its tests, and the mistakes made in it.

The truth is defined slowly: all places of a sentence, one word after another, autograd
on the loss, vectors made for a cosine that was chosen first.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F

from course_lib.grading.checks import Task

PAIRS = Task("02.pairs")
SAMPLING = Task("02.sampling")
SGNS = Task("02.sgns_gradient", tolerance=1e-5)  # also of torch in float32
ANALOGY = Task("02.analogy")
SIMILARITY = Task("02.similarity_test", tolerance=1e-4)
TASKS = {t.name: t for t in (PAIRS, SAMPLING, SGNS, ANALOGY, SIMILARITY)}


# 1. The training pairs of a sentence, each centre with a window of its own


def chosen(sentence, sizes, near=lambda i, j, size: i != j and abs(i - j) <= size):
    """Return all pairs of places that are near enough. Shape: (pairs, 2)."""
    n = range(len(sentence))
    places = [(i, j) for i in n for j in n if near(i, j, sizes[i])]
    return [(sentence[i], sentence[j]) for i, j in places]


def cut(rng: np.random.Generator, n: int, largest: int = 4) -> tuple:
    """Return the case of a sentence of n words, some of which occur twice."""
    sentence = rng.integers(max(3, n // 2), size=n).tolist()
    sizes = rng.integers(1, largest + 1, size=n).tolist()
    return (sentence, sizes), np.array(chosen(sentence, sizes))


@PAIRS.check("the example", "题中的例子")
def four_words(answer: Callable, rng: np.random.Generator) -> None:
    expected = [(5, 2), (2, 5), (2, 7), (2, 5), (7, 2), (7, 5), (5, 5), (5, 2), (5, 7)]
    PAIRS.compare(answer, [(([5, 2, 7, 5], [1, 2, 1, 3]), np.array(expected))])


@PAIRS.check("longer sentences", "更长的句子")
def longer(answer: Callable, rng: np.random.Generator) -> None:
    PAIRS.compare(answer, [cut(rng, 9), cut(rng, 14), cut(rng, 8, largest=1)])


@PAIRS.check("windows larger than the sentence", "比句子还大的窗口")
def short(answer: Callable, rng: np.random.Generator) -> None:
    PAIRS.compare(answer, [(([3, 4], [5, 9]), np.array([(3, 4), (4, 3)])), cut(rng, 3)])


@PAIRS.check("random sentences", "随机的句子", hidden=True)
def random_sentences(answer: Callable, rng: np.random.Generator) -> None:
    lengths = rng.integers(5, 30, size=6).tolist()
    PAIRS.compare(answer, [cut(rng, n, largest=7) for n in lengths])


@PAIRS.mistake(
    "A word is paired with itself: leave the centre's own place out.",
    "词和自己配成了一对：要去掉中心词自己的位置。",
)
def with_itself(sentence, sizes):
    return chosen(sentence, sizes, lambda i, j, size: abs(i - j) <= size)


@PAIRS.mistake(
    "The same word at *another* place is a context, too: compare places, not words.",
    "*别的*位置上的同一个词也是上下文：要比较位置，不是比较词。",
)
def without_equal_words(sentence, sizes):
    return [pair for pair in chosen(sentence, sizes) if pair[0] != pair[1]]


@PAIRS.mistake(
    "The last word of the window is missing on the right: range ends before its end.",
    "右边少了窗口的最后一个词：range 不含终点。",
)
def right_end_lost(sentence, sizes):
    return chosen(sentence, sizes, lambda i, j, n: i != j and -n <= j - i < n)


@PAIRS.mistake(
    "Only the words after the centre are there; the window has two sides.",
    "只有中心词后面的词；窗口有左右两边。",
)
def only_after(sentence, sizes):
    return chosen(sentence, sizes, lambda i, j, size: 0 < j - i <= size)


@PAIRS.mistake(
    "The window is that of the *context* word; it is the centre's size that counts.",
    "用成了*上下文*词的窗口；应当看中心词的窗口。",
)
def size_of_context(sentence, sizes):
    return chosen(sentence, sizes, lambda i, j, _: i != j and abs(i - j) <= sizes[j])


@PAIRS.mistake(
    "All centres have the same window; each has its own, sizes[i].",
    "所有中心词的窗口都一样大；应当各用各的 sizes[i]。",
)
def one_size(sentence, sizes):
    return chosen(sentence, [max(sizes)] * len(sizes))


@PAIRS.mistake(
    "The pairs are (context, centre); the centre comes first.",
    "你给的是（上下文，中心词）；中心词在前。",
)
def context_first(sentence, sizes):
    return [pair[::-1] for pair in chosen(sentence, sizes)]


@PAIRS.mistake(
    "A negative place wraps round to the end of the sentence: begin at max(0, …).",
    "负的位置绕到了句尾：要从 max(0, …) 开始。",
)
def wrapped(sentence, sizes):
    n = len(sentence)
    near = [[i + d for d in range(-s, s + 1) if d] for i, s in enumerate(sizes)]
    return [(sentence[i], sentence[j]) for i in range(n) for j in near[i] if j < n]


@PAIRS.mistake(
    "Equal pairs were merged, as in a set; each counts as often as it occurs, and in "
    "the order of the sentence.",
    "相同的词对合并了，像是用了集合；出现几次就要算几次，并保持句子里的次序。",
)
def merged(sentence, sizes):
    return np.unique(chosen(sentence, sizes), axis=0)


@PAIRS.mistake(
    "Centres near the ends have no pairs; a window that does not fit is cut off there, "
    "the rest of it counts.",
    "靠近句首句尾的中心词没有词对；窗口放不下时只截掉伸出去的部分，其余照算。",
)
def only_whole_windows(sentence, sizes):
    n = len(sentence)
    fits = [min(i, n - 1 - i) >= size for i, size in enumerate(sizes)]
    return chosen(sentence, [s * fit for s, fit in zip(sizes, fits, strict=True)])


# 2. What is left out, and what noise is drawn


def counted(rng: np.random.Generator, V: int) -> tuple:
    """Return the case of a vocabulary with few frequent and many rare words."""
    counts = np.ceil(1000 * rng.uniform(0.1, 1) / np.arange(1, V + 1) ** 1.2)
    counts = rng.permutation(counts)
    t, power = float(rng.uniform(0.005, 0.05)), float(rng.uniform(0.2, 0.9))
    keep = [min(1, math.sqrt(t * counts.sum() / c)) for c in counts]
    weights = [math.exp(power * math.log(c)) for c in counts]
    noise = [w / math.fsum(weights) for w in weights]
    return (counts, t, power), np.array([keep, noise])


@SAMPLING.check("the example", "题中的例子")
def five_words(answer: Callable, rng: np.random.Generator) -> None:
    counts = np.array([81.0, 16.0, 1.0, 1.0, 1.0])
    expected = [[1 / 9, 1 / 4, 1, 1, 1], np.array([27, 8, 1, 1, 1]) / 38]
    SAMPLING.compare(answer, [((counts, 0.01, 0.75), np.array(expected))])


@SAMPLING.check("larger vocabularies", "更大的词表")
def larger(answer: Callable, rng: np.random.Generator) -> None:
    (counts, *rest), expected = counted(rng, 12)
    whole = (counts.astype(int), *rest), expected
    SAMPLING.compare(answer, [whole, *(counted(rng, V) for V in (6, 15, 40))])


@SAMPLING.check("random counts", "随机的计数", hidden=True)
def random_counts(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers(5, 100, size=5).tolist()
    SAMPLING.compare(answer, [counted(rng, V) for V in sizes])


def drawn(counts, t, power, keep=None, noise=None):
    """Return both rows; either can be replaced by another function of the counts."""
    f = counts / counts.sum()
    kept = np.minimum(1, np.sqrt(t / f)) if keep is None else keep(f)
    weights = counts**power
    return np.stack([kept, weights / weights.sum() if noise is None else noise(f)])


@SAMPLING.mistake(
    "This is the probability that a word is *left out*; we ask for its staying.",
    "这是一个词被*丢掉*的概率；要的是它留下来的概率。",
)
def left_out(counts, t, power):
    return drawn(counts, t, power, lambda f: np.maximum(0, 1 - np.sqrt(t / f)))


@SAMPLING.mistake("The root is missing: sqrt(t / f).", "少了根号：sqrt(t / f)。")
def no_root(counts, t, power):
    return drawn(counts, t, power, lambda f: np.minimum(1, t / f))


@SAMPLING.mistake(
    "Some probabilities to stay are above 1: take min(1, …).",
    "有的留存概率大于 1：要取 min(1, …)。",
)
def above_one(counts, t, power):
    return drawn(counts, t, power, lambda f: np.sqrt(t / f))


@SAMPLING.mistake(
    "f is a share of all words: divide the count by the sum of the counts.",
    "f 是在全部词里所占的比例：要用计数除以计数的总和。",
)
def count_for_share(counts, t, power):
    return drawn(counts, t, power, lambda f: np.minimum(1, np.sqrt(t / counts)))


@SAMPLING.mistake(
    "This is the formula of the published program, not that of the paper (eq. 5).",
    "这是当年公开的程序里的公式，不是论文式 (5)。",
)
def of_the_program(counts, t, power):
    return drawn(counts, t, power, lambda f: np.minimum(1, np.sqrt(t / f) + t / f))


@SAMPLING.mistake(
    "The noise has no power: counts ** power, and then the shares.",
    "噪声分布没有取幂：先算 counts ** power，再求比例。",
)
def no_power(counts, t, power):
    return drawn(counts, t, power, noise=lambda f: f)


@SAMPLING.mistake(
    "The noise does not sum to 1: take the power first, then divide by the new sum.",
    "噪声分布的和不是 1：先取幂，再除以取幂后的总和。",
)
def sum_not_one(counts, t, power):
    return drawn(counts, t, power, noise=lambda f: f**power)


@SAMPLING.mistake(
    "The noise is drawn from the subsampled counts; take the original ones.",
    "噪声取自下采样之后的计数；应当用原来的计数。",
)
def noise_of_the_kept(counts, t, power):
    kept = (counts * drawn(counts, t, power)[0]) ** power
    return drawn(counts, t, power, noise=lambda f: kept / kept.sum())


@SAMPLING.mistake(
    "The two arrays are swapped: first the probabilities to stay, then the noise.",
    "两个数组的次序反了：先是留下的概率，后是噪声。",
)
def noise_in_front(counts, t, power):
    return drawn(counts, t, power)[::-1]


@SAMPLING.mistake(
    "All words are equally likely as noise; the frequent ones should come more often.",
    "噪声里每个词的机会都一样；常见的词应当更容易抽到。",
)
def even_noise(counts, t, power):
    return drawn(counts, t, power, noise=lambda f: 0 * f + 1 / f.size)


# 3. The gradients of skip-gram with negative sampling


def model(
    rng: np.random.Generator, V: int, D: int, k: int, repeat=True, most=0.0
) -> tuple:
    """Return a case of two tables; the truth is autograd's, of the loss (eq. 4).

    most: the largest score that any word has with the centre, 0 for any
    """
    arrays = rng.normal(size=(2, V, D))
    context, *others = rng.permutation(V).tolist()
    if most:
        arrays[0] *= most / np.abs(arrays[1] @ arrays[0, others[0]]).max()
    negatives = rng.choice(others, size=k, replace=False).tolist()
    negatives += negatives[:1] * repeat
    vectors, contexts = (torch.tensor(x, requires_grad=True) for x in arrays)
    v = vectors[others[0]]
    loss = -F.logsigmoid(contexts[context] @ v)
    loss = loss - F.logsigmoid(-contexts[negatives] @ v).sum()
    gradients = torch.autograd.grad(loss, (vectors, contexts))
    inputs = (*arrays, others[0], context, rng.permutation(negatives).tolist())
    return inputs, torch.stack(gradients)


@SGNS.check("the example", "题中的例子")
def three_words(answer: Callable, rng: np.random.Generator) -> None:
    vectors = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    contexts = np.array([[1.0, 2.0], [0.0, 1.0], [0.0, 3.0]])
    expected = [[[0, 2.5], [0, 0], [0, 0]], [[0, 0], [-1, 0], [2, 0]]]
    SGNS.compare(answer, [((vectors, contexts, 0, 1, [2, 2]), np.array(expected))])


@SGNS.check("negatives that differ", "各不相同的负例")
def different(answer: Callable, rng: np.random.Generator) -> None:
    cases = [model(rng, 6, 3, k, repeat=False) for k in (1, 4)]
    SGNS.compare(answer, cases)


@SGNS.check("a negative drawn twice", "抽到两次的负例")
def twice(answer: Callable, rng: np.random.Generator) -> None:
    SGNS.compare(answer, [model(rng, 6, 3, k) for k in (1, 2, 4)])


@SGNS.check("random tables", "随机的词向量表", hidden=True)
def random_tables(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers((7, 2, 2), (15, 9, 6), size=(5, 3)).tolist()
    # Scores beyond 6, but not beyond 37, where 1 - sigmoid(x) is 0 for a computer.
    large = model(rng, 20, 8, 12, most=25)
    SGNS.compare(answer, [large, *(model(rng, *size) for size in sizes)])


def by_hand(
    vectors, contexts, centre, context, negatives, labels=(1, 0), read=None, scale=1
):
    """Return both gradients; any part of the right calculation can be replaced.

    read: the table from which the words' vectors are read; scale: of the negatives
    """
    read = contexts if read is None else read
    gradient = np.zeros((2, *vectors.shape))
    words = [context, *negatives]
    for place, word in enumerate(words):
        p = 1 / (1 + np.exp(-vectors[centre] @ read[word]))
        error = scale * (p - labels[1]) if place else p - labels[0]
        gradient[0, centre] += error * read[word]
        gradient[1, word] += error * vectors[centre]
    return gradient


@SGNS.mistake(
    "A negative that was drawn twice counts twice, for both tables.",
    "抽到两次的负例要算两次，两张表都是。",
)
def without_repeats_drawn(*inputs):
    return by_hand(*inputs[:4], list(dict.fromkeys(inputs[4])))


@SGNS.mistake(
    "In the table of contexts a repeated negative counts once: `+=` with a list of "
    "rows writes each row once.",
    "在上下文那张表里，重复的负例只算了一次：用一列行号做 `+=`，每行只写一次。",
)
def row_written_once(*inputs):
    gradient, negatives = by_hand(*inputs), inputs[4]
    for word in set(negatives):
        gradient[1, word] /= negatives.count(word)
    return gradient


@SGNS.mistake(
    "The sign is wrong: this is the direction in which the loss *falls*.",
    "符号反了：这是损失*下降*的方向。",
)
def downhill(*inputs):
    return -by_hand(*inputs)


@SGNS.mistake(
    "The negatives are averaged; the loss adds them up.",
    "你对负例求了平均；损失里是相加。",
)
def mean_of_negatives(*inputs):
    return by_hand(*inputs, scale=1 / len(inputs[4]))


@SGNS.mistake(
    "The negatives are pulled nearer like the context word; they are pushed away: the "
    "error is sigmoid(u v), without - 1.",
    "负例也像上下文词那样被拉近了；它们应当被推开：误差是 sigmoid(u v)，不减 1。",
)
def all_positive(*inputs):
    return by_hand(*inputs, labels=(1, 1))


@SGNS.mistake(
    "The negatives have no gradient; they are pushed away.",
    "负例没有梯度；它们应当被推开。",
)
def only_the_context(*inputs):
    return by_hand(*inputs, scale=0)


@SGNS.mistake(
    "All vectors are read from one table; the centre has its own, `vectors`, the other "
    "words theirs, `contexts`.",
    "所有向量都取自一张表；中心词用 `vectors`，其他词用 `contexts`。",
)
def one_table(*inputs):
    return by_hand(*inputs, read=inputs[0])


@SGNS.mistake(
    "The centre keeps the last word's part only: add up the parts of all words.",
    "中心词只留下了最后一个词的那一份：要把各词的相加。",
)
def last_part_only(*inputs):
    gradient = by_hand(*inputs)
    gradient[0] -= by_hand(*inputs[:4], inputs[4][:-1])[0]
    return gradient


@SGNS.mistake(
    "The two gradients are swapped: first that by `vectors`, then that by `contexts`.",
    "两个梯度的次序反了：先是对 `vectors` 的，后是对 `contexts` 的。",
)
def tables_swapped(*inputs):
    return by_hand(*inputs)[::-1]


@SGNS.mistake(
    "The answers yes and no are exchanged: the context word is the one that really "
    "stands there.",
    "“是”和“否”弄反了：真正出现在那里的是上下文词，不是负例。",
)
def labels_exchanged(*inputs):
    return by_hand(*inputs, labels=(0, 1))


# 4. Analogies by 3CosAdd


def cosines(x, y):
    return x @ y / np.linalg.norm(x, axis=-1) / np.linalg.norm(y)


def best(score, hidden=(), value=-np.inf):
    """Return the place of the largest score, some places set to another value."""
    return np.where(np.isin(range(len(score)), hidden), value, score).argmax()


def added(vectors, a, b, c, signs=(-1, 1, 1)):
    """Return the sum of three cosines for each word. Shape: (V,)."""
    three = zip(signs, (a, b, c), strict=True)
    return sum(sign * cosines(vectors, vectors[word]) for sign, word in three)


def question(rng: np.random.Generator, exclude: bool, V: int = 9) -> tuple:
    """Return a case whose best word is well ahead of the next."""
    while True:
        vectors = rng.normal(size=(V, 3)) * rng.uniform(0.2, 4, size=(V, 1))
        a, b, c = words = rng.permutation(V)[:3].tolist()
        score = added(vectors, a, b, c)
        first = best(score, words if exclude else ())
        rest = np.delete(score, [first, *(words if exclude else ())])
        if score[first] > rest.max() + 0.02:
            return (vectors, a, b, c, exclude), first


KINGDOM = [[4, 1, 0], [4, -1, 0], [3, 1, 2], [2, -1, 4], [0, 1, 3]]


@ANALOGY.check("the example", "题中的例子")
def queen(answer: Callable, rng: np.random.Generator) -> None:
    inputs = np.array(KINGDOM, dtype=float), 0, 2, 1
    ANALOGY.compare(answer, [((*inputs, True), 3), ((*inputs, False), 2)])


@ANALOGY.check("excluding the words of the question", "排除题目里的词")
def excluding(answer: Callable, rng: np.random.Generator) -> None:
    ANALOGY.compare(answer, [question(rng, True) for _ in range(12)])


@ANALOGY.check("excluding nothing", "什么也不排除")
def with_all(answer: Callable, rng: np.random.Generator) -> None:
    ANALOGY.compare(answer, [question(rng, False) for _ in range(12)])


@ANALOGY.check("nothing is similar", "没有一个相近的")
def nothing_similar(answer: Callable, rng: np.random.Generator) -> None:
    vectors = np.array([[1.0, 0.1], [1.0, 0.3], [-3.0, -1.0], [1.0, 0.2]])
    against = np.array([[1.0, 0.1], [-1.0, 0.0], [-3.0, -1.0], [1.0, 0.2]])  # -2.97
    cases = [((x, 1, 0, 3, True), 2) for x in (vectors, against)]
    ANALOGY.compare(answer, cases)


@ANALOGY.check("random questions", "随机的问题", hidden=True)
def random_questions(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers(6, 20, size=30).tolist()
    ANALOGY.compare(answer, [question(rng, V % 2 > 0, V) for V in sizes])


@ANALOGY.mistake(
    "The words of the question are not excluded although `exclude` is true.",
    "`exclude` 为真，题目里的词却没有排除。",
)
def never_excluded(vectors, a, b, c, exclude):
    return best(added(vectors, a, b, c))


@ANALOGY.mistake(
    "The words of the question are excluded although `exclude` is false.",
    "`exclude` 为假，题目里的词却排除了。",
)
def always_excluded(vectors, a, b, c, exclude):
    return best(added(vectors, a, b, c), (a, b, c))


@ANALOGY.mistake(
    "Only one of the three words is excluded; all of them are.",
    "三个词只排除了一个；应当全部排除。",
)
def only_c_excluded(vectors, a, b, c, exclude):
    return best(added(vectors, a, b, c), (c,) if exclude else ())


@ANALOGY.mistake(
    "The word a is not excluded; all three words of the question are.",
    "词 a 没有排除；题目里的三个词都要排除。",
)
def a_not_excluded(vectors, a, b, c, exclude):
    return best(added(vectors, a, b, c), (b, c) if exclude else ())


@ANALOGY.mistake(
    "Excluded words get a score such as 0, but all others may be lower: use -inf.",
    "被排除的词得了 0 之类的分数，可是别的词可能都更低：请用 -inf。",
)
def excluded_as_zero(vectors, a, b, c, exclude):
    return best(added(vectors, a, b, c), (a, b, c) if exclude else (), 0.0)


@ANALOGY.mistake(
    "The offset is the wrong way round: b - a + c, what b has and a has not.",
    "方向反了：应当是 b - a + c，即 b 有而 a 没有的。",
)
def reversed_offset(vectors, a, b, c, exclude):
    score = added(vectors, a, b, c, signs=(1, -1, 1))
    return best(score, (a, b, c) if exclude else ())


@ANALOGY.mistake(
    "b - a + c is made of vectors of different lengths: first bring all to length 1.",
    "b - a + c 用了长短不一的向量：要先把所有向量变成长度 1。",
)
def raw_offset(vectors, a, b, c, exclude):
    target = vectors[b] - vectors[a] + vectors[c]
    return best(cosines(vectors, target), (a, b, c) if exclude else ())


@ANALOGY.mistake(
    "These are dot products: long vectors win. Divide by the lengths.",
    "这是点积，长的向量占便宜：要除以长度。",
)
def dot_products(vectors, a, b, c, exclude):
    score = vectors @ (vectors[b] - vectors[a] + vectors[c])
    return best(score, (a, b, c) if exclude else ())


@ANALOGY.mistake(
    "You look for the smallest distance to b - a + c; we ask for the largest sum of "
    "cosines, which do not depend on lengths.",
    "你找的是离 b - a + c 距离最小的词；要的是余弦之和最大的词，余弦与长短无关。",
)
def smallest_distance(vectors, a, b, c, exclude):
    gap = vectors - vectors[b] + vectors[a] - vectors[c]
    return best(-(gap**2).sum(axis=1), (a, b, c) if exclude else ())


@ANALOGY.mistake(
    "cos(x, a) is not taken off: you look for what is near b and near c.",
    "没有减去 cos(x, a)：你找的只是离 b 和 c 都近的词。",
)
def without_a(vectors, a, b, c, exclude):
    score = added(vectors, a, b, c, signs=(0, 1, 1))
    return best(score, (a, b, c) if exclude else ())


# 5. A word similarity test, with what it does not cover


def ranks(numbers) -> np.ndarray:
    """Return the rank of each number; equal numbers share the mean of their ranks."""
    x = np.asarray(numbers)
    below, equal = (f(x[:, None], x).sum(1) for f in (np.greater, np.equal))
    return below + (equal + 1) / 2


def correlation(a, b) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def spearman(a, b) -> float:
    return correlation(ranks(a), ranks(b))


def judged(rng: np.random.Generator, n: int, missing: int) -> tuple:
    """Return the case of n pairs, of which some have a word without a vector."""
    cosine = rng.uniform(-0.95, 0.95, size=n)
    human = np.round(2 * cosine + rng.normal(size=n) + 5)  # many are tied
    human[-2:] = 3, 7  # both covered: without any spread there is no correlation
    vectors, pairs = {}, []
    for i in rng.permutation(n).tolist():
        x, other = np.linalg.qr(rng.normal(size=(4, 2)))[0].T  # at right angles
        y = cosine[i] * x + math.sqrt(1 - cosine[i] ** 2) * other
        words = [f"left{i}", f"right{i}"]
        pairs.append((*words, float(human[i])))
        known = words if i >= missing else [[], words[:1], words[1:]][i % 3]
        two = dict(zip(words, (x, y), strict=True))
        vectors |= {word: two[word] * rng.uniform(0.2, 5) for word in known}
    rho = spearman(cosine[missing:], human[missing:])
    return (vectors, pairs), np.array([rho, 1 - missing / n])


@SIMILARITY.check("the examples", "题中的例子")
def cups(answer: Callable, rng: np.random.Generator) -> None:
    directions = np.array([[1.0, 0.0], [3.0, 1.0], [4.0, 3.0], [3.0, 4.0]])
    cases = []
    for text in ("cup mug coffee bowl goblet", "杯子 茶杯 咖啡 碗 觥"):
        cup, *others = text.split()
        vectors = dict(zip([cup, *others[:3]], directions, strict=True))
        scores = zip(others, (9.0, 2.0, 6.0, 8.5), strict=True)
        pairs = [(cup, other, score) for other, score in scores]
        cases.append(((vectors, pairs), np.array([0.5, 0.75])))
    SIMILARITY.compare(answer, cases)


@SIMILARITY.check("all words covered", "所有的词都有向量")
def all_covered(answer: Callable, rng: np.random.Generator) -> None:
    SIMILARITY.compare(answer, [judged(rng, n, 0) for n in (8, 12)])


@SIMILARITY.check("words without a vector", "没有向量的词")
def not_covered(answer: Callable, rng: np.random.Generator) -> None:
    SIMILARITY.compare(answer, [judged(rng, 12, k) for k in (1, 3, 5)])


@SIMILARITY.check("random tests", "随机的测试", hidden=True)
def random_tests(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers((8, 0), (16, 5), size=(5, 2)).tolist()
    SIMILARITY.compare(answer, [judged(rng, *size) for size in sizes])


def tested(vectors, pairs, near=cosines, correlate=spearman):
    """Return (rho, covered share); the calculation's parts can be replaced."""
    covered = [p for p in pairs if p[0] in vectors and p[1] in vectors]
    found = [near(vectors[x], vectors[y]) for x, y, _ in covered]
    rho = correlate(found, [score for *_, score in covered])
    return np.array([rho, len(covered) / len(pairs)])


@SIMILARITY.mistake(
    "A pair without vectors is scored 0: leave it out, and report the covered share.",
    "没有向量的词对被当成 0 分：应当去掉，再报告覆盖了多少。",
)
def missing_as_zero(vectors, pairs):
    found = [
        cosines(vectors[x], vectors[y]) if x in vectors and y in vectors else 0.0
        for x, y, _ in pairs
    ]
    rho = spearman(found, [score for *_, score in pairs])
    return np.array([rho, tested(vectors, pairs)[1]])


@SIMILARITY.mistake(
    "This is Pearson's correlation of the numbers; Spearman's is that of their ranks.",
    "这是数值的皮尔逊相关；斯皮尔曼相关看的是名次。",
)
def pearson(vectors, pairs):
    return tested(vectors, pairs, correlate=correlation)


@SIMILARITY.mistake(
    "Equal scores get different ranks, by their order; they share the mean rank.",
    "相等的分数按先后得了不同的名次；它们应当取平均名次。",
)
def ties_in_order(vectors, pairs):
    def by_place(a, b):
        return correlation(np.argsort(np.argsort(a)), np.argsort(np.argsort(b)))

    return tested(vectors, pairs, correlate=by_place)


@SIMILARITY.mistake(
    "1 - 6 sum(d^2) / (n (n^2 - 1)) holds only without ties: correlate the ranks.",
    "1 - 6 Σd² / (n(n² - 1)) 只在没有并列时成立：请直接算名次的相关。",
)
def without_ties(vectors, pairs):
    def formula(a, b):
        n, d = len(a), ranks(a) - ranks(b)
        return 1 - 6 * (d @ d) / (n * (n * n - 1))

    return tested(vectors, pairs, correlate=formula)


@SIMILARITY.mistake(
    "These are dot products: long vectors get large ones. Take the cosine.",
    "这是点积：向量长短会影响结果。请用余弦。",
)
def dots(vectors, pairs):
    return tested(vectors, pairs, near=np.dot)


@SIMILARITY.mistake(
    "These are distances; we ask for the cosine.", "这是距离；要用余弦。"
)
def distances(vectors, pairs):
    return tested(vectors, pairs, near=lambda x, y: np.linalg.norm(x - y))


@SIMILARITY.mistake(
    "The sign is wrong: 1 - cosine is a distance, *small* if two words are similar.",
    "符号反了：1 - 余弦是距离，词越相似，它越*小*。",
)
def cosine_distances(vectors, pairs):
    return tested(vectors, pairs) * [-1, 1]


@SIMILARITY.mistake(
    "This is Kendall's tau; Spearman's is the ordinary correlation of the ranks.",
    "这是肯德尔相关（τ）；斯皮尔曼相关是名次的普通相关系数。",
)
def kendalls_tau(vectors, pairs):
    def tau(a, b):
        x, y = (np.sign(np.subtract.outer(z, z)) for z in (a, b))
        return (x * y).sum() / math.sqrt((x * x).sum() * (y * y).sum())

    return tested(vectors, pairs, correlate=tau)


@SIMILARITY.mistake(
    "The second number should be the *share* of covered pairs.",
    "第二个数应当是有向量的词对所占的*比例*。",
)
def number_covered(vectors, pairs):
    return tested(vectors, pairs) * [1, len(pairs)]


@SIMILARITY.mistake("Return (rho, share), two numbers.", "要返回 (rho, 比例) 两个数。")
def only_rho(vectors, pairs):
    return tested(vectors, pairs)[0]
