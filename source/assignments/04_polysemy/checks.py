"""The checks of assignment 04, one word with several senses, and its mistakes.

Truth by construction where possible: a pseudoword is mixed with a weight that is chosen
first, a character is counted while the text is written, autograd takes the step. Task 3
has a file of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from own_example import OWN

from course_lib.grading.checks import Mistake, Task

MIXING = Task("04.mixing_weight")
STATIC = Task("04.static_scores")
STEP = Task("04.train_step")
CHARACTER = Task("04.alone_and_inside")
TASKS = {task.name: task for task in (MIXING, STATIC, OWN, STEP, CHARACTER)}


# 1. How much of each part is in the vector of a pseudoword?


def mixed(rng: np.random.Generator, D: int, weight: float) -> tuple:
    """Return a case: a known mixture, and something at right angles to it."""
    u, v, rest = rng.normal(size=(3, D)) * rng.uniform(0.5, 3, size=(3, 1))
    line = u - v
    rest -= (rest @ line) / (line @ line) * line
    return (weight * u + (1 - weight) * v + rest, u, v), weight


@MIXING.check("the example", "题中的例子")
def example_mixture(answer: Callable, rng: np.random.Generator) -> None:
    u, v = np.array([4.0, 0]), np.array([0.0, 2])
    cases = [((np.array(p), u, v), 0.75) for p in ([3, 0.5], [3.5, 1.5])]
    MIXING.compare(answer, cases)


@MIXING.check("mixtures with something else in them", "混有别的成分的向量")
def with_a_rest(answer: Callable, rng: np.random.Generator) -> None:
    MIXING.compare(answer, [mixed(rng, 5, w) for w in (0.9, 0.5, 0.2, 0, 1, 1.3)])


@MIXING.check("random mixtures", "随机的混合", hidden=True)
def random_mixtures(answer: Callable, rng: np.random.Generator) -> None:
    weights = [*rng.uniform(0, 1, size=6), *rng.uniform(1.1, 1.5, 6), -0.2]
    MIXING.compare(answer, [mixed(rng, D, float(w)) for D, w in enumerate(weights, 2)])


def length(x):
    return math.sqrt(x @ x)


def along(p, u, v):
    return (p - v) @ (u - v) / ((u - v) @ (u - v))


MIXING.mistakes += [
    Mistake(
        "of_the_second",
        "This is the weight of the second part; we ask for that of the first.",
        "这是第二个成分的权重；要的是第一个的。",
        lambda p, u, v: 1 - along(p, u, v),
    ),
    Mistake(
        "onto_the_first",
        "You project on u alone, as if v were not there. Subtract v first: the mixture "
        "is v + a (u - v).",
        "你只往 u 上投影，好像没有 v 一样。先减去 v：混合是 v + a (u - v)。",
        lambda p, u, v: p @ u / (u @ u),
    ),
    Mistake(
        "two_weights",
        "You fit two free weights. It is a single number: the parts get a and 1 - a.",
        "你拟合了两个自由的权重。其实只有一个数：两个成分的权重是 a 和 1 - a。",
        lambda p, u, v: np.linalg.lstsq(np.stack([u, v], 1), p, rcond=None)[0][0],
    ),
    Mistake(
        "not_squared",
        "Divide by the *square* of the length of u - v.",
        "应当除以 u - v 的长度的*平方*。",
        lambda p, u, v: along(p, u, v) * length(u - v),
    ),
    Mistake(
        "by_distances",
        "You compare distances. That is right only if the vector lies exactly between "
        "its parts; minimise the squared distance to the mixture.",
        "你比较的是距离。只有向量恰好在两个成分的连线上才对；"
        "应当使它到混合向量的距离的平方最小。",
        lambda p, u, v: length(p - v) / (length(p - u) + length(p - v)),
    ),
    Mistake(
        "of_unit_vectors",
        "The vectors are scaled to length 1 first; take them as they are.",
        "你先把向量缩放到了长度 1；请按原样使用。",
        lambda p, u, v: along(*(x / length(x) for x in (p, u, v))),
    ),
    Mistake(
        "clipped",
        "The weight is cut to 0 … 1. A fit may lie outside, and that says something.",
        "权重被限制在 0 到 1 之间。拟合的结果可以在外面，这本身就是信息。",
        lambda p, u, v: min(max(along(p, u, v), 0), 1),
    ),
    Mistake(
        "mean_of_ratios",
        "You average the ratios of the components. Where u and v nearly agree, such a "
        "ratio is noise.",
        "你把各个分量的比值平均了。在 u 和 v 几乎相等的分量上，这个比值只是噪声。",
        lambda p, u, v: np.mean((p - v) / (u - v)),
    ),
    Mistake(
        "by_cosines",
        "You compare how similar the pseudoword is to each part. Ask which mixture is "
        "nearest to it: minimise the squared distance.",
        "你比较的是伪词与两个成分各有多相似。要问的是哪个混合离它最近："
        "使距离的平方最小。",
        lambda p, u, v: 1 / (1 + p @ v * length(u) / (p @ u * length(v))),
    ),
    Mistake(
        "in_an_array",
        "Return the number itself, not an array with one number in it.",
        "请返回这个数本身，不要返回只装着一个数的数组。",
        lambda p, u, v: [along(p, u, v)],
    ),
]


# 2. What can one vector a word know about senses?


def mode(labels):
    return max(sorted(set(labels)), key=labels.count)


def share(labels, label):
    return labels.count(label) / len(labels)


def scored(
    sentences,
    most=lambda same, every: mode(same),
    near=lambda sense, rest, every: share(rest, sense),
):
    """Score sentence by sentence, the slow way; the options make mistakes. Shape: (2,).

    same: senses of the word's sentences; rest: without this one; every: of all words
    """
    every, found = [sense for _, sense in sentences], []
    for i, (word, sense) in enumerate(sentences):
        same = [s for w, s in sentences if w == word]
        rest = [s for j, (w, s) in enumerate(sentences) if w == word and j != i]
        found.append((sense == most(same, every), near(sense, rest, every)))
    return np.mean(found, axis=0)


def labelled(rng: np.random.Generator, sizes: Sequence[Sequence[int]]) -> tuple:
    """Return a case; sizes: for each word, how many sentences its senses have."""
    made = [
        (f"word {word}", sense)
        for word, counts in enumerate(sizes)
        for sense, n in enumerate(rng.permutation(counts).tolist(), 1)
        for _ in range(n)
    ]
    made = [made[i] for i in rng.permutation(len(made))]
    return (made,), scored(made)


@STATIC.check("the example", "题中的例子")
def example_scores(answer: Callable, rng: np.random.Generator) -> None:
    bank, apple = [("bank", s) for s in (1, 2)], [("apple", s) for s in (1, 2)]
    made = [bank[0], bank[0], apple[0], bank[1], bank[0], apple[1]]
    STATIC.compare(answer, [((made,), (4 / 6, 2 / 6))])


@STATIC.check("several words", "多个词")
def several_words(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [[(3, 5)], [(9, 1, 2), (4, 3)], [(2, 1), (6, 3), (1, 1, 5)]]
    STATIC.compare(answer, [labelled(rng, size) for size in sizes])


@STATIC.check("random sentences", "随机的句子", hidden=True)
def random_sentences(answer: Callable, rng: np.random.Generator) -> None:
    for words in (2, 4, 6):
        few = [rng.integers(1, 5, size=rng.integers(2, 5)) for _ in range(words)]
        STATIC.compare(answer, [labelled(rng, [*few, (1, 2, 9)])])


STATIC.mistakes += [
    Mistake(
        "one_majority",
        "You take the most frequent sense of *all* sentences. A static vector knows "
        "which word it is: take it for each word.",
        "你取了*全部*句子里最多的义项。静态向量知道是哪个词：要对每个词分别取。",
        partial(scored, most=lambda same, every: mode(every)),
    ),
    Mistake(
        "mean_of_words",
        "You average over the words. Average over the sentences: each counts the same.",
        "你按词求了平均。应当按句子求平均：每个句子一样重。",
        lambda sentences: np.mean(
            [scored([s for s in sentences if s[0] == w]) for w in dict(sentences)], 0
        ),
    ),
    Mistake(
        "its_own_neighbour",
        "A sentence is counted among its own neighbours: of n sentences of a sense, "
        "n - 1 are left.",
        "一个句子被算成了自己的邻居：某个义项有 n 句，除去自己还剩 n - 1 句。",
        partial(scored, near=lambda sense, rest, _: share([*rest, sense], sense)),
    ),
    Mistake(
        "all_are_neighbours",
        "The neighbours are sought among all words. Sentences of the same word have "
        "cosine 1; those of another word are farther away.",
        "你在所有的词里找邻居。同一个词的句子余弦为 1，别的词没有这么近。",
        partial(
            scored,
            near=lambda sense, _, every: (every.count(sense) - 1) / (len(every) - 1),
        ),
    ),
    Mistake(
        "first_neighbour",
        "The first of the tied neighbours is asked, so the score depends on the order "
        "of the sentences. Give each tied neighbour the same chance.",
        "你总问并列邻居里的第一个，句子换个次序分数就变。并列的邻居应当机会均等。",
        partial(scored, near=lambda sense, rest, _: rest[0] == sense),
    ),
    Mistake(
        "neighbours_vote",
        "The tied neighbours vote. But one of them is drawn, and it is right with the "
        "share of its sense.",
        "你让并列的邻居投票。其实是从中抽一个：答对的机会就是该义项所占的比例。",
        partial(scored, near=lambda sense, rest, _: sense == mode(rest)),
    ),
    Mistake(
        "equal_chance",
        "For the neighbour you take 1 divided by the number of senses; but senses are "
        "not equally frequent.",
        "最近邻的分数你取了义项数分之一；可是各义项并不一样多。",
        partial(scored, near=lambda sense, rest, _: 1 / len({*rest, sense})),
    ),
    Mistake(
        "scores_swapped",
        "The two scores are swapped: first the majority, then the neighbour.",
        "两个分数的次序反了：先是多数义项，后是最近邻。",
        lambda sentences: scored(sentences)[::-1],
    ),
    Mistake(
        "only_the_first",
        "Only the first score is there; return that of the nearest neighbour, too.",
        "只有第一个分数；还要返回最近邻的分数。",
        lambda sentences: scored(sentences)[0],
    ),
    Mistake(
        "in_per_cent",
        "These are per cent; return shares between 0 and 1.",
        "这是百分数；请返回 0 和 1 之间的比例。",
        lambda sentences: scored(sentences) * 100,
    ),
]


# 4. One step of training, with a frozen first layer and without


def by_autograd(E, W, words, label, rate, frozen):
    """Take the step as torch does. Shape: (V + K, D)."""
    E, W = (torch.tensor(x, requires_grad=True) for x in (E, W))
    scores = W @ F.embedding(torch.tensor(words), E).mean(dim=0)  # (K,)
    F.cross_entropy(scores, torch.tensor(label)).backward()
    new = E if frozen else E - rate * E.grad
    return torch.cat([new, W - rate * W.grad])


def bag(rng: np.random.Generator, V: int, D: int, K: int, n: int, frozen: bool):
    """Return a case of a sentence of n words, the first of which comes twice."""
    E, W = rng.normal(size=(V, D)), rng.normal(size=(K, D))
    words = rng.integers(V, size=n - 1).tolist()
    case = E, W, [*words, words[0]], int(rng.integers(K)), rng.uniform(0.1, 2), frozen
    return case, by_autograd(*case)


@STEP.check("the example, frozen and not", "题中的例子：冻结和不冻结")
def example_step(answer: Callable, rng: np.random.Generator) -> None:
    E, W = np.array([[2.0, 0], [0, 2], [1, 1]]), np.eye(2)
    case, head = (E, W, [0, 1], 0, 1.0), [[1.5, 0.5], [-0.5, 0.5]]
    moved = [[2.25, -0.25], [0.25, 1.75], [1, 1], *head]
    STEP.compare(answer, [((*case, True), [*E, *head]), ((*case, False), moved)])


@STEP.check("a frozen first layer", "冻结的第一层")
def frozen_layer(answer: Callable, rng: np.random.Generator) -> None:
    STEP.compare(answer, [bag(rng, 6, 3, 2, n, True) for n in (3, 5)])


@STEP.check("a first layer that is trained", "参与训练的第一层")
def trained_layer(answer: Callable, rng: np.random.Generator) -> None:
    STEP.compare(answer, [bag(rng, 6, 3, K, n, False) for K, n in ((2, 3), (4, 6))])


@STEP.check("random sentences and sizes", "随机的句子和大小", hidden=True)
def random_steps(answer: Callable, rng: np.random.Generator) -> None:
    for frozen in (True, False, False):
        V, D, K, n = rng.integers((4, 2, 2, 2), (12, 6, 5, 9)).tolist()
        STEP.compare(answer, [bag(rng, V, D, K, n, frozen)])


def softmax(z):
    return np.exp(z) / np.exp(z).sum()


def met(words, V):
    return np.bincount(words, minlength=V)


def stepped(
    E, W, words, label, rate, frozen,
    moves=lambda frozen: (not frozen, True), soft=softmax, shared=len, pooled=len,
    rows=met, head=lambda old, new: old,
):  # fmt: skip
    """Take the step by hand; the options make mistakes. Shape: (V + K, D)."""
    h = E[words].sum(axis=0) / pooled(words)  # (D,)
    error = soft(W @ h) - np.eye(len(W))[label]  # (K,)
    E_moves, W_moves = moves(frozen)
    new = W - rate * W_moves * np.outer(error, h)
    slope = head(W, new).T @ error / shared(words)  # (D,)
    return np.vstack([E - rate * E_moves * np.outer(rows(words, len(E)), slope), new])


def one(words):
    return 1


STEP.mistakes += [
    Mistake(
        "never_frozen",
        "E moves although it is frozen.",
        "E 是冻结的，却动了。",
        partial(stepped, moves=lambda frozen: (True, True)),
    ),
    Mistake(
        "all_frozen",
        "Only E is frozen; the head W is always trained.",
        "冻结的只是 E；输出层 W 总要训练。",
        partial(stepped, moves=lambda frozen: (not frozen, not frozen)),
    ),
    Mistake(
        "frozen_reversed",
        "`frozen` is used the wrong way round.",
        "`frozen` 的意思用反了。",
        partial(stepped, moves=lambda frozen: (frozen, True)),
    ),
    Mistake(
        "met_once",
        "A word that comes twice moves twice as far. `E[words] -= …` keeps only one of "
        "the two; see np.subtract.at, or take a loop.",
        "出现两次的词要移动两倍。`E[words] -= …` 只算其中一次；可以用 np.subtract.at，"
        "或者写循环。",
        partial(stepped, rows=lambda words, V: met(words, V) > 0),
    ),
    Mistake(
        "every_row",
        "Rows of words that are not in the sentence move; their gradient is 0.",
        "句子里没有的词也动了；它们的梯度是 0。",
        partial(stepped, rows=lambda words, V: np.ones(V)),
    ),
    Mistake(
        "head_already_new",
        "The gradient of E is taken with the *new* W. Compute both gradients first, "
        "then move.",
        "算 E 的梯度时用了*新的* W。应当先算好所有梯度，再移动。",
        partial(stepped, head=lambda old, new: new),
    ),
    Mistake(
        "uphill",
        "You walk uphill: subtract rate times the gradient.",
        "方向反了：应当减去步长乘梯度。",
        lambda E, W, words, label, rate, frozen: stepped(
            E, W, words, label, -rate, frozen
        ),
    ),
    Mistake(
        "summed",
        "The words are added up; h is their *mean*.",
        "你把词向量加了起来；h 是它们的*平均*。",
        partial(stepped, pooled=one, shared=one),
    ),
    Mistake(
        "not_shared",
        "Each of the n words has only 1/n of h: the gradient of its row has the factor "
        "1/n.",
        "n 个词里每个只占 h 的 1/n：它那一行的梯度要乘 1/n。",
        partial(stepped, shared=one),
    ),
    Mistake(
        "no_softmax",
        "The error is the *softmax* of the scores, minus 1 at the label.",
        "误差是得分的 *softmax*，再在标签处减 1。",
        partial(stepped, soft=lambda z: z),
    ),
    Mistake(
        "head_on_top",
        "W stands above E; E comes first.",
        "W 放在了 E 的上面；应当先放 E。",
        lambda E, W, *rest: np.roll(stepped(E, W, *rest), len(W), axis=0),
    ),
    Mistake(
        "two_tables",
        "You return two tables; return one, E above W.",
        "你返回了两张表；请叠成一张，E 在上，W 在下。",
        lambda E, *rest: np.split(stepped(E, *rest), [len(E)]),
    ),
]


# 5. A character as a word, and inside words


def cut(rng: np.random.Generator, character: str, alone: int, inside: int) -> tuple:
    """Return the case of a text in which the character stands so often."""
    words = [character] * alone
    while inside:
        n = int(rng.integers(1, min(inside, 2) + 1))
        word = [character] * n + rng.choice(list("针球水电话字包气"), 3 - n).tolist()
        words.append("".join(rng.permutation(word)))
        inside -= n
    words += ["他", "喜欢", "，"] * 3
    words = [words[i] for i in rng.permutation(len(words))]
    ends = sorted(rng.integers(len(words), size=3).tolist())
    pairs = zip([0, *ends], [*ends, len(words)], strict=True)
    return [words[start:end] for start, end in pairs], character


@CHARACTER.check("the example", "题中的例子")
def example_text(answer: Callable, rng: np.random.Generator) -> None:
    text = "他 打 水 ， 护士 打针 。", "孩子 们 打打闹闹 。"
    sentences = [sentence.split() for sentence in text]
    CHARACTER.compare(
        answer, [((sentences, "打"), (1, 3)), ((sentences, "花"), (0, 0))]
    )


@CHARACTER.check("other texts", "别的文本")
def other_texts(answer: Callable, rng: np.random.Generator) -> None:
    counts = (5, 0), (0, 4), (2, 9), (7, 3)
    cases = [(cut(rng, c, *n), n) for c in "打花" for n in counts]
    again = [["打针", "打", "打针"], ["打针"], ["打打停停打打"]]  # and a long word
    CHARACTER.compare(answer, [*cases, ((again, "打"), (1, 7))])


@CHARACTER.check("random texts", "随机的文本", hidden=True)
def random_texts(answer: Callable, rng: np.random.Generator) -> None:
    for character in "打花行意":
        counts = rng.integers(1, 15, size=2).tolist()
        CHARACTER.compare(answer, [(cut(rng, character, *counts), counts)])


def tally(sentences, c, among=lambda words: words, inside=lambda w, c: w.count(c)):
    """Count both; the options make mistakes."""
    words = among([word for sentence in sentences for word in sentence])
    return words.count(c), sum(inside(w, c) for w in words if w != c)


CHARACTER.mistakes += [
    Mistake(
        "each_word_once",
        "A word that comes again counts again, with the characters inside it.",
        "同一个词再次出现，它里面的字要再数一次。",
        lambda sentences, c: (
            tally(sentences, c)[0],
            tally(sentences, c, among=lambda w: [*{*w}])[1],
        ),
    ),
    Mistake(
        "words_counted",
        "You count the words in which it stands; in 打打闹闹 it stands twice.",
        "你数的是含有这个字的词；在“打打闹闹”里它出现了两次。",
        partial(tally, inside=lambda w, c: c in w),
    ),
    Mistake(
        "alone_is_inside",
        "Where it stands alone it is counted as inside, too.",
        "单独成词的也被算进了词内。",
        lambda *case: (tally(*case)[0], sum(tally(*case))),
    ),
    Mistake(
        "counts_swapped",
        "The two numbers are swapped: first alone, then inside.",
        "两个数的次序反了：先是单独成词，后是在词内。",
        lambda *case: tally(*case)[::-1],
    ),
    Mistake(
        "different_words",
        "Every word is counted once; we ask how often it occurs in the text.",
        "每个词只算了一次；要数的是它在文本里出现了多少次。",
        partial(tally, among=lambda words: list(set(words))),
    ),
    Mistake(
        "at_the_start",
        "Inside a word means anywhere in it, not only at its start.",
        "在词内是指在词的任何位置，不只是开头。",
        partial(tally, inside=lambda w, c: w.startswith(c)),
    ),
    Mistake(
        "sentences_counted",
        "You count sentences; count occurrences.",
        "你数的是句子；应当数出现的次数。",
        lambda sentences, c: np.sum([np.sign(tally([s], c)) for s in sentences], 0),
    ),
    Mistake(
        "shares",
        "These are shares; return both counts.",
        "这是比例；请返回两个计数。",
        lambda *case: np.divide(tally(*case), max(sum(tally(*case)), 1)),
    ),
]
