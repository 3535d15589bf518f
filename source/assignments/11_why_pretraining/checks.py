"""The checks of assignment 11, why pre-training works, and the mistakes people make.

What is right is computed the slow way, word by word and step by step; the options of
these functions make the mistakes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import torch

from course_lib.grading.checks import Mistake, Task

SHUFFLE = Task("11.shuffle")
KEPT = Task("11.kept")
DESCEND = Task("11.descend")
DISTANCES = Task("11.distances")
AT_LEVEL = Task("11.at_level")
TASKS = {t.name: t for t in (SHUFFLE, KEPT, DESCEND, DISTANCES, AT_LEVEL)}


# 1. Shuffle within sentences


def cut(words, lengths) -> list[list]:
    """Cut a row of words into its sentences."""
    words, found = list(np.asarray(words)), []
    for n in np.asarray(lengths):
        found.append(words[:n])
        words = words[n:]
    return found


def by_keys(
    words, lengths, keys, order=sorted, sentences=lambda lengths: lengths,
    take=lambda sentence, places: [sentence[i] for i in places],
):  # fmt: skip
    """Sort each sentence's words by their keys; the options make mistakes. (N,)"""
    lengths, found = sentences(np.asarray(lengths)), []
    for sentence, own in zip(cut(words, lengths), cut(keys, lengths), strict=True):
        places = order(range(len(sentence)), key=lambda i: own[i])
        found += take(sentence, places)
    return np.array(found)


def inverse(sentence, places):
    return [sentence[places.index(i)] for i in range(len(places))]


def whole_sentences(words, lengths, keys):
    """Shuffle the sentences, by the key of their first word."""
    texts, own = cut(words, lengths), cut(keys, lengths)
    order = sorted(range(len(texts)), key=lambda i: own[i][0])
    return np.concatenate([texts[i] for i in order])


def one_order(words, lengths, keys):
    """Use the first keys for every sentence."""
    return np.concatenate([
        [s[i] for i in np.argsort(np.asarray(keys)[: len(s)])]
        for s in cut(words, lengths)
    ])  # fmt: skip


def one_swap(words, lengths, keys):
    """Exchange the word of the smallest key with the first."""
    found = []
    for s, own in zip(cut(words, lengths), cut(keys, lengths), strict=True):
        i = int(np.argmin(own))
        s[0], s[i] = s[i], s[0]
        found += s
    return np.array(found)


def text(rng: np.random.Generator, *lengths: int) -> tuple:
    """Return a case: words, the lengths of their sentences, a key for each word."""
    N = sum(lengths)
    case = rng.permutation(100)[:N] + 10, np.array(lengths), rng.random(N)
    return case, by_keys(*case)


@SHUFFLE.check("the example", "题中的例子")
def example_shuffle(answer: Callable, rng: np.random.Generator) -> None:
    words, keys = np.array([7, 8, 9, 5, 6]), np.array([0.9, 0.1, 0.5, 0.3, 0.2])
    case = words, np.array([3, 2]), keys
    SHUFFLE.compare(answer, [(case, [8, 9, 7, 6, 5])])


@SHUFFLE.check("other texts", "别的文本")
def other_texts(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (4, 1, 5), (6,), (2, 7, 3, 4)
    SHUFFLE.compare(answer, [text(rng, *size) for size in sizes])


@SHUFFLE.check("random texts", "随机的文本", hidden=True)
def random_texts(answer: Callable, rng: np.random.Generator) -> None:
    for _ in range(5):
        SHUFFLE.compare(answer, [text(rng, *rng.integers(1, 8, size=5))])


SHUFFLE.mistakes += [
    Mistake(
        "across_sentences",
        "Words wander from one sentence into another. Sort within each sentence.",
        "词从一句跑到了另一句。应当在每句之内排序。",
        partial(by_keys, sentences=lambda lengths: [int(np.sum(lengths))]),
    ),
    Mistake(
        "inverse_order",
        "You send word i to place order[i]; the word that comes i-th is order[i].",
        "你把第 i 个词放到了第 order[i] 位；应当是第 i 位取第 order[i] 个词。",
        partial(by_keys, take=inverse),
    ),
    Mistake(
        "descending",
        "The largest key comes first with you; the smallest should.",
        "你把最大的键排在最前了；应当最小的在前。",
        partial(by_keys, order=lambda r, key: sorted(r, key=key, reverse=True)),
    ),
    Mistake(
        "sentences_not_words",
        "You put the sentences into another order and leave the words in them.",
        "你打乱的是句子的次序，句内的词没有动。",
        whole_sentences,
    ),
    Mistake(
        "same_order",
        "Every sentence gets the order of the first keys. Each word has its own key.",
        "每个句子都用了最前面那些键的次序。每个词有它自己的键。",
        one_order,
    ),
    Mistake(
        "sorted_words",
        "You sort the words by their numbers. Sort them by their keys.",
        "你按词的编号排序了。应当按键排序。",
        lambda words, lengths, keys: by_keys(words, lengths, words),
    ),
    Mistake(
        "places",
        "These are the places of the words, not the words.",
        "这是词的位置，不是词。",
        partial(by_keys, take=lambda sentence, places: places),
    ),
    Mistake(
        "without_the_last",
        "The last sentence is missing.",
        "少了最后一句。",
        partial(by_keys, sentences=lambda lengths: lengths[:-1]),
    ),
    Mistake(
        "one_exchange",
        "Only one word of each sentence changes places with the first. Sort them all.",
        "每句只有一个词和第一个词换了位。应当全部排序。",
        one_swap,
    ),
    Mistake(
        "turned_round",
        "You turn the sentences round. The keys decide.",
        "你把句子倒过来了。次序应由键决定。",
        partial(by_keys, order=lambda r, key: list(r)[::-1]),
    ),
    Mistake(
        "untouched",
        "The text is as it was.",
        "文本没有变。",
        partial(by_keys, order=lambda r, key: list(r)),
    ),
]  # fmt: skip


# 2. What was kept?


def pairs_of(sentence) -> list[tuple]:
    return list(zip(sentence, sentence[1:], strict=False))


def shares(
    words, new, lengths, bag=Counter, pairs=pairs_of, count=Counter,
    of=lambda common, a, b: common / a,
    sentences=lambda same, lengths: sum(same) / len(same),
):  # fmt: skip
    """Return two shares, sentence by sentence; the options make mistakes."""
    old, other = cut(words, lengths), cut(new, lengths)
    same = [bag(a) == bag(b) for a, b in zip(old, other, strict=True)]
    a, b = (count(pair for s in part for pair in pairs(s)) for part in (old, other))
    common = sum(min(n, b.get(pair, 0)) for pair, n in a.items())
    kept = of(common, sum(a.values()), sum(b.values()))
    return np.array([sentences(same, np.asarray(lengths)), kept])


def over_borders(words, new, lengths):
    first = shares(words, new, lengths)[0]
    whole = [int(np.sum(lengths))]
    return np.array([first, shares(words, new, whole)[1]])


def in_place(words, new, lengths):
    """Count a pair as kept only where it stood."""
    first, total, kept = shares(words, new, lengths)[0], 0, 0
    for a, b in zip(cut(words, lengths), cut(new, lengths), strict=True):
        total += len(a) - 1
        kept += sum(x == y for x, y in zip(pairs_of(a), pairs_of(b), strict=True))
    return np.array([first, kept / total])


def by_sentence(words, new, lengths):
    """Take the mean of the sentences' shares."""
    first, found = shares(words, new, lengths)[0], []
    for a, b in zip(cut(words, lengths), cut(new, lengths), strict=True):
        if len(a) > 1:
            here = Counter(pairs_of(a)) & Counter(pairs_of(b))
            found.append(here.total() / (len(a) - 1))
    return np.array([first, np.mean(found)])


def damaged(rng: np.random.Generator) -> tuple:
    """Return a case: a text, a damaged one, lengths; words and pairs often repeat."""
    lengths = rng.integers(1, 8, size=9)
    lengths[:2] = 5, 6
    words = rng.integers(10, 14, size=int(lengths.sum()))
    words[:5] = words[0], words[0], words[1], words[0], words[0]
    texts = cut(words, lengths)
    new = [list(rng.permutation(s)) if rng.random() < 0.6 else list(s) for s in texts]
    new[1][0] = 14  # a word that the sentence does not have
    i, k = (int(j) for j in rng.choice(np.arange(2, 9), 2, replace=False))
    new[i][0], new[k][0] = new[k][0], new[i][0]
    # A sentence that has the same different words, but not as often.
    doubled = [10, 10, 11, 12], [10, 11, 11, 12]
    words = np.concatenate([words, doubled[0]])
    new = np.concatenate([*new, doubled[1]])
    case = words, new, np.append(lengths, 4)
    return case, shares(*case)


@KEPT.check("the example", "题中的例子")
def example_kept(answer: Callable, rng: np.random.Generator) -> None:
    words = np.array([1, 2, 3, 1, 2, 4, 5, 6])
    new = np.array([3, 1, 2, 2, 1, 5, 4, 7])
    KEPT.compare(answer, [((words, new, np.array([5, 3])), (1 / 2, 2 / 6))])


@KEPT.check("other texts", "别的文本")
def other_damage(answer: Callable, rng: np.random.Generator) -> None:
    same_sum = np.array([1, 5, 6, 2]), np.array([1, 4, 7, 2]), np.array([4])
    cases = [damaged(rng) for _ in range(4)]
    KEPT.compare(answer, [*cases, (same_sum, (0, 0))])


@KEPT.check("random texts", "随机的文本", hidden=True)
def random_damage(answer: Callable, rng: np.random.Generator) -> None:
    KEPT.compare(answer, [damaged(rng) for _ in range(8)])


KEPT.mistakes += [
    Mistake(
        "sets_of_words",
        "You compare which words occur in a sentence, not how often each does.",
        "你比的是句子里有哪些词，没有比每个词出现几次。",
        partial(shares, bag=set),
    ),
    Mistake(
        "order_counts",
        "A sentence counts as kept with you only if its order is the same, too.",
        "次序也一样的句子你才算保住；这里只看词，不看次序。",
        partial(shares, bag=list),
    ),
    Mistake(
        "across_borders",
        "Pairs across the border of two sentences are no neighbours here.",
        "跨越句子边界的两个词，在这里不算相邻。",
        over_borders,
    ),
    Mistake(
        "sets_of_pairs",
        "A pair that stood twice and now stands once is kept once. Count occurrences.",
        "原来出现两次、现在出现一次的词对，只保住一次。要数出现次数。",
        partial(shares, count=lambda pairs: dict.fromkeys(pairs, 1)),
    ),
    Mistake(
        "either_direction",
        "(a, b) and (b, a) are different pairs: the order is what is asked after.",
        "(a, b) 和 (b, a) 是不同的词对：问的正是次序。",
        partial(shares, pairs=lambda s: [tuple(sorted(p)) for p in pairs_of(s)]),
    ),
    Mistake(
        "same_place",
        "A pair may stand elsewhere now. Count pairs, wherever they are.",
        "词对可以换到别的位置。数词对，不管它在哪里。",
        in_place,
    ),
    Mistake(
        "mean_of_sentences",
        "You average over sentences; of all pairs of the text, which share is kept?",
        "你对句子求了平均；应当问：全文所有词对里，保住了多大一份？",
        by_sentence,
    ),
    Mistake(
        "of_both",
        "You divide by all different occurrences in both texts; divide by those of the "
        "first.",
        "你除以了两个文本合起来的词对数；应当除以原文的。",
        partial(shares, of=lambda common, a, b: common / (a + b - common)),
    ),
    Mistake(
        "of_words",
        "You divide by the number of words. A sentence of n words has n − 1 pairs.",
        "你除以了词数。n 个词的句子有 n − 1 个词对。",
        lambda words, new, lengths: shares(
            words, new, lengths, of=lambda common, a, b: common / len(words)),
    ),
    Mistake(
        "words_not_sentences",
        "The first share is of sentences; yours weighs them by their lengths.",
        "第一个数是句子的份额；你按句长加权了。",
        partial(shares, sentences=lambda same, n: float(np.sum(same * n) / n.sum())),
    ),
    Mistake(
        "what_was_lost",
        "These are the shares that were lost.",
        "这是丢掉的份额。",
        lambda *case: 1 - shares(*case),
    ),
    Mistake(
        "counts",
        "These are counts; divide them.",
        "这是个数，还要除一下。",
        partial(shares, of=lambda common, a, b: common,
                sentences=lambda same, lengths: sum(same)),
    ),
]  # fmt: skip


# 3. A pull to the start


def pulled(
    w0, c, goal, eta, alpha, steps, start=lambda w0: w0, anchor=lambda w, w0: w0,
    force=lambda alpha, away: alpha * away, curve=lambda c, away: c * away,
    penalty=lambda alpha, away: alpha / 2 * np.sum(away**2), sign=1.0,
):  # fmt: skip
    """Take each step by hand; the options make mistakes. Return penalty, then w."""
    w0, c, goal = (np.asarray(x, dtype=float) for x in (w0, c, goal))
    w = np.array(start(w0), dtype=float)
    for _ in range(int(steps)):
        held = anchor(w, w0)
        pull = sign * force(alpha, w - held)
        w = w - eta * (curve(c, w - goal) + pull)
    return np.array([penalty(alpha, w - anchor(w, w0)), *w])


def decayed(w0, c, goal, eta, alpha, steps):
    """Pull to zero, but name the penalty of the start."""
    w = pulled(w0, c, goal, eta, alpha, steps, anchor=lambda w, w0: 0 * w0)[1:]
    return np.array([alpha / 2 * np.sum((w - np.asarray(w0)) ** 2), *w])


def one_penalty_late(w0, c, goal, eta, alpha, steps):
    before = pulled(w0, c, goal, eta, alpha, max(0, steps - 1))
    return np.array([before[0], *pulled(w0, c, goal, eta, alpha, steps)[1:]])


def valley(rng: np.random.Generator, steps: int, D: int = 4) -> tuple:
    """Return a case: a start, a bowl, its lowest point, a rate, a pull, steps."""
    w0, goal = rng.normal(size=(2, D)) + np.array([[2.0], [-1.0]])
    case = w0, rng.uniform(0.5, 2, D), goal, 0.2, float(rng.uniform(0.4, 1.5)), steps
    return case, pulled(*case)


@DESCEND.check("the example", "题中的例子")
def example_descend(answer: Callable, rng: np.random.Generator) -> None:
    case = np.array([1.0, 0.0]), np.array([1.0, 2.0]), np.array([3.0, 1.0]), 0.1, 0.5, 2
    DESCEND.compare(answer, [(case, (0.06485, 1.37, 0.35))])


@DESCEND.check("other starts", "别的起点")
def other_starts(answer: Callable, rng: np.random.Generator) -> None:
    DESCEND.compare(answer, [valley(rng, steps) for steps in (1, 3, 8)])


@DESCEND.check("random starts", "随机的起点", hidden=True)
def random_starts(answer: Callable, rng: np.random.Generator) -> None:
    DESCEND.compare(answer, [valley(rng, steps, 3) for steps in (2, 4, 5, 9)])


DESCEND.mistakes += [
    Mistake(
        "to_zero",
        "You pull to 0, that is weight decay, and measure from 0. Pull to w0.",
        "你往 0 拉，也从 0 量起，那是权重衰减。应当往 w0 拉。",
        partial(pulled, anchor=lambda w, w0: 0 * w0),
    ),
    Mistake(
        "decay",
        "The penalty is right, but the pull goes to 0: its gradient is α (w − w0).",
        "罚项对了，但拉力是往 0 拉的：梯度是 α (w − w0)。",
        decayed,
    ),
    Mistake(
        "half_the_pull",
        "The ½ of the penalty cancels against the 2 of the square: the gradient is "
        "α (w − w0).",
        "罚项里的 ½ 和平方求导出来的 2 抵消：梯度是 α (w − w0)。",
        partial(pulled, force=lambda alpha, away: alpha / 2 * away),
    ),
    Mistake(
        "twice_the_pull",
        "The pull is twice too strong: the ½ belongs to the penalty, so its gradient "
        "is α (w − w0).",
        "拉力大了一倍：罚项里有 ½，梯度是 α (w − w0)。",
        partial(pulled, force=lambda alpha, away: 2 * alpha * away),
    ),
    Mistake(
        "without_the_half",
        "The ½ of the penalty is missing.",
        "罚项漏了 ½。",
        partial(pulled, penalty=lambda alpha, away: alpha * np.sum(away**2)),
    ),
    Mistake(
        "pushes",
        "The pull has the wrong sign: it drives w away from the start.",
        "拉力的符号反了：它在把 w 推离起点。",
        partial(pulled, sign=-1.0),
    ),
    Mistake(
        "no_pull",
        "There is no pull in your steps: this is plain fine-tuning.",
        "你的每一步里都没有拉力：这是普通的微调。",
        partial(pulled, force=lambda alpha, away: 0 * away),
    ),
    Mistake(
        "from_zero",
        "You begin at 0. Fine-tuning begins at w0.",
        "你从 0 开始。微调从 w0 开始。",
        partial(pulled, start=lambda w0: 0 * w0),
    ),
    Mistake(
        "not_squared",
        "The penalty is a norm with you; it is the norm squared.",
        "你的罚项用了范数；应当是范数的平方。",
        partial(pulled,
                penalty=lambda alpha, away: alpha / 2 * np.sqrt(np.sum(away**2))),
    ),
    Mistake(
        "mean_of_squares",
        "The penalty is a sum over all weights, not a mean.",
        "罚项对所有权重求和，不是求平均。",
        partial(pulled, penalty=lambda alpha, away: alpha / 2 * np.mean(away**2)),
    ),
    Mistake(
        "one_step_late",
        "The penalty is that of the step before the last.",
        "罚项是倒数第二步的。",
        one_penalty_late,
    ),
    Mistake(
        "twice_the_slope",
        "The slope of c/2 (w − goal)² is c (w − goal).",
        "c/2 (w − goal)² 的斜率是 c (w − goal)。",
        partial(pulled, curve=lambda c, away: 2 * c * away),
    ),
]  # fmt: skip


# 4. How far each layer has moved


def layer_of(name: str) -> str:
    """Return the layer of a parameter: "" for the words, "0", "1" … for the LSTMs."""
    parts = name.split(".")
    return parts[1] if parts[0] == "lstms" else ""


def gone(
    before, after, layer=layer_of, size=lambda a, b: np.sum(a**2),
    square=lambda x: np.sum(x**2), root=np.sqrt, share=lambda far, size: far / size,
):  # fmt: skip
    """Add up squares by layer; the options make mistakes. Shape: (1 + L,)."""
    far, long = {}, {}
    for name in before:
        a, b = (np.asarray(x[name]).astype(float) for x in (before, after))
        key = layer(name)
        far[key] = far.get(key, 0.0) + square(b - a)
        long[key] = long.get(key, 0.0) + size(a, b)
    order = sorted(far, key=lambda key: int(key or -1))
    return np.array([share(root(far[key]), root(long[key])) for key in order])


def by_parameter(before, after, mix=np.mean):
    """Take the mean of the parameters' own shares in each layer."""
    found: dict[str, list] = {}
    for name in before:
        a, b = (np.asarray(x[name]).astype(float) for x in (before, after))
        found.setdefault(layer_of(name), []).append(
            np.sqrt(np.sum((b - a) ** 2)) / np.sqrt(np.sum(a**2))
        )
    return np.array([mix(found[k]) for k in sorted(found, key=lambda k: int(k or -1))])


def everywhere(before, after):
    return gone(before, after, layer=lambda name: "")


def tensors(numbers: dict) -> dict[str, torch.Tensor]:
    return {name: torch.tensor(x, dtype=torch.float64) for name, x in numbers.items()}


def tuned(rng: np.random.Generator, L: int) -> tuple:
    """Return a case: a model's parameters before and after, in any order."""
    sizes = {"embedding.weight": (6, 3), "bias": (6,)}
    for depth in range(L):
        shapes = {"weight_ih": (8, 3), "weight_hh": (8, 2), "bias_ih": 8, "bias_hh": 8}
        sizes |= {f"lstms.{depth}.{name}_l0": shape for name, shape in shapes.items()}
    names = [list(sizes)[i] for i in rng.permutation(len(sizes))]
    before = {n: rng.normal(size=sizes[n]) * rng.uniform(0.5, 3) + 1 for n in names}
    after = {
        n: x + rng.normal(size=x.shape) * rng.uniform(0.2, 2) for n, x in before.items()
    }
    case = tensors(before), tensors(after)
    return case, gone(*case)


@DISTANCES.check("the example", "题中的例子")
def example_distances(answer: Callable, rng: np.random.Generator) -> None:
    names = "embedding.weight", "bias", "lstms.0.weight_hh_l0"
    before, after = ([[3, 0]], [4], [2]), ([[3, 3]], [0], [1])
    case = tuple(tensors(dict(zip(names, x, strict=True))) for x in (before, after))
    DISTANCES.compare(answer, [(case, (1.0, 0.5))])


@DISTANCES.check("other models", "别的模型")
def other_models(answer: Callable, rng: np.random.Generator) -> None:
    DISTANCES.compare(answer, [tuned(rng, L) for L in (2, 3, 12)])


@DISTANCES.check("random models", "随机的模型", hidden=True)
def random_models(answer: Callable, rng: np.random.Generator) -> None:
    DISTANCES.compare(answer, [tuned(rng, L) for L in (1, 4, 2, 11)])


DISTANCES.mistakes += [
    Mistake(
        "not_relative",
        "Divide by the length that the layer had before: ‖θ − θ0‖ / ‖θ0‖.",
        "还要除以这一层原来的长度：‖θ − θ0‖ / ‖θ0‖。",
        partial(gone, share=lambda far, size: far),
    ),
    Mistake(
        "beside_the_end",
        "You divide by the length at the end; divide by that at the start.",
        "你除以了最后的长度；应当除以开始时的长度。",
        partial(gone, size=lambda a, b: np.sum(b**2)),
    ),
    Mistake(
        "mean_of_parameters",
        "You average the shares of a layer's parameters. Put all its numbers into one "
        "vector.",
        "你对一层里各个参数的比值求了平均。应当把这一层所有的数并成一个向量。",
        by_parameter,
    ),
    Mistake(
        "largest_parameter",
        "This is the parameter of each layer that moved most.",
        "这是每层里移动最大的那个参数。",
        partial(by_parameter, mix=np.max),
    ),
    Mistake(
        "sum_of_norms",
        "You add up the norms of a layer's parameters. Add up the squares, then take "
        "the root.",
        "你把各参数的范数相加了。应当先把平方相加，再开方。",
        partial(gone, square=lambda x: np.sqrt(np.sum(x**2)), root=lambda x: x,
                size=lambda a, b: np.sqrt(np.sum(a**2))),
    ),
    Mistake(
        "squared",
        "The roots are missing: these are squares.",
        "没有开方：这是平方。",
        partial(gone, root=lambda x: x),
    ),
    Mistake(
        "absolute_values",
        "You add up absolute values. A vector's length is the root of its squares.",
        "你把绝对值相加了；向量的长度是平方和再开方。",
        partial(gone, square=lambda x: np.sum(abs(x)), root=lambda x: x,
                size=lambda a, b: np.sum(abs(a))),
    ),
    Mistake(
        "bias_forgotten",
        "The softmax's `bias` belongs to the words.",
        "softmax 的 `bias` 属于词向量那一层。",
        lambda before, after: gone(
            {k: v for k, v in before.items() if k != "bias"}, after),
    ),
    Mistake(
        "alphabetical",
        "You sort the layers as text: there \"10\" comes before \"2\".",
        "你按文本给层排了序：那样 “10” 排在 “2” 前面。",
        lambda before, after: gone(before, after)[
            [0, *(1 + int(k) for k in sorted(
                {layer_of(n) for n in before} - {""}))]],
    ),
    Mistake(
        "words_last",
        "The words come first.",
        "词向量应排在最前。",
        lambda before, after: np.roll(gone(before, after), -1),
    ),
    Mistake(
        "from_the_top",
        "The lowest layer comes first.",
        "最低的一层应排在最前。",
        lambda before, after: gone(before, after)[::-1],
    ),
    Mistake(
        "all_at_once",
        "This is one number for the whole model. One for each layer, please.",
        "这是整个模型的一个数。应当每层一个数。",
        everywhere,
    ),
]  # fmt: skip


# 5. At equal training loss


def between(a, b, level):
    """Return how far from a to b the level lies, 0 to 1."""
    return (a - level) / (a - b)


def crossing(
    seen, unseen, level, part=between, found=lambda places: places[0],
    mix=lambda a, b, share: a + share * (b - a),
):  # fmt: skip
    """Go through the looks one by one; the options make mistakes."""
    seen, unseen = np.asarray(seen, dtype=float), np.asarray(unseen, dtype=float)
    places = [
        k for k in range(1, len(seen)) if seen[k - 1] > level >= seen[k]
    ]  # the look at which it is as low for the first time since the last
    k = found(places)
    share = part(seen[k - 1], seen[k], level)
    return np.array(float(mix(unseen[k - 1], unseen[k], share)))


def training(rng: np.random.Generator, repeats: bool = True) -> tuple:
    """Return a case: losses that fall, rise over the level again, and fall."""
    level = float(rng.uniform(0.4, 0.6))
    falls = [2.2, 1.5, level + rng.uniform(0.1, 0.4), level - rng.uniform(0.05, 0.2)]
    again = [level + rng.uniform(0.05, 0.3), level - rng.uniform(0.1, 0.25), 0.1]
    seen = np.array(falls + (again if repeats else [level / 2]))
    unseen = np.round(rng.uniform(0.8, 2.2, len(seen)), 3)
    case = seen, unseen, level
    return case, crossing(*case)


@AT_LEVEL.check("the example", "题中的例子")
def example_level(answer: Callable, rng: np.random.Generator) -> None:
    case = np.array([2.0, 0.6, 0.2, 0.1]), np.array([2.1, 1.2, 1.0, 1.3]), 0.5
    AT_LEVEL.compare(answer, [(case, 1.15)])


@AT_LEVEL.check("other trainings", "别的训练过程")
def other_trainings(answer: Callable, rng: np.random.Generator) -> None:
    exact = np.array([1.0, 0.5, 0.2]), np.array([1.5, 1.1, 1.4]), 0.5
    early = np.array([1.0, 0.4, 0.2, 0.1]), np.array([1.5, 0.9, 1.4, 1.0]), 0.5
    touched = np.array([1.0, 0.5, 0.8, 0.2]), np.array([1.5, 1.1, 1.4, 0.9]), 0.5
    bumpy = np.array([1.2, 0.7, 0.9, 0.1]), np.array([1.5, 1.1, 1.4, 1.0]), 0.5
    cases = [(exact, 1.1), (early, 1.0), (touched, 1.1), (bumpy, 1.2)]
    AT_LEVEL.compare(answer, [training(rng), training(rng, repeats=False), *cases])


@AT_LEVEL.check("random trainings", "随机的训练过程", hidden=True)
def random_trainings(answer: Callable, rng: np.random.Generator) -> None:
    AT_LEVEL.compare(answer, [training(rng) for _ in range(5)])


AT_LEVEL.mistakes += [
    Mistake(
        "only_below",
        "As low as the level is low enough; you wait until it is below.",
        "和这个值一样低就够了；你却要等到比它更低。",
        lambda seen, unseen, level: crossing(seen, unseen, np.nextafter(level, -1)),
    ),
    Mistake(
        "lowest_so_far",
        "You put the lowest loss so far in place of a look that was higher; the line "
        "begins at the look before.",
        "有一次损失升高了，你用此前的最低值代替了它；直线要从前一次检查画起。",
        lambda seen, unseen, level: crossing(
            np.minimum.accumulate(seen), unseen, level
        ),
    ),
    Mistake(
        "next_look",
        "You take the look after the crossing. Between two looks, go in a straight "
        "line.",
        "你取了越过之后的那一次。两次之间应当按直线插值。",
        partial(crossing, part=lambda a, b, level: 1.0),
    ),
    Mistake(
        "look_before",
        "You take the look before the crossing. Between two looks, go in a straight "
        "line.",
        "你取了越过之前的那一次。两次之间应当按直线插值。",
        partial(crossing, part=lambda a, b, level: 0.0),
    ),
    Mistake(
        "halfway",
        "You always take the middle of the two looks. How near is the level to each?",
        "你总是取两次的正中。要看水平离哪一次更近。",
        partial(crossing, part=lambda a, b, level: 0.5),
    ),
    Mistake(
        "nearest_look",
        "You take the nearer of the two looks. Between them, go in a straight line.",
        "你取了较近的一次。两次之间应当按直线插值。",
        partial(crossing, part=lambda a, b, level: float(between(a, b, level) > 0.5)),
    ),
    Mistake(
        "last_crossing",
        "The loss crosses the level more than once; the first time counts.",
        "损失不止一次越过这个水平；要取第一次。",
        partial(crossing, found=lambda places: places[-1]),
    ),
    Mistake(
        "wrong_way_round",
        "Your weights are the wrong way round: near the first look, the first counts "
        "most.",
        "两个权重反了：靠近前一次，就该多取前一次。",
        partial(crossing, part=lambda a, b, level: 1 - between(a, b, level)),
    ),
    Mistake(
        "training_loss",
        "This is the training loss, which is the level itself. Which test loss belongs "
        "to it?",
        "这是训练损失，就等于那个水平。要的是与它对应的测试损失。",
        lambda seen, unseen, level: np.array(float(level)),
    ),
    Mistake(
        "best_test_loss",
        "This is the lowest test loss: chosen by the test set, and not at equal "
        "training.",
        "这是最低的测试损失：是拿测试集挑的，也不是训练程度相同处。",
        lambda seen, unseen, level: np.array(float(np.min(unseen))),
    ),
    Mistake(
        "final_loss",
        "This is the test loss at the end of training.",
        "这是训练结束时的测试损失。",
        lambda seen, unseen, level: np.array(float(np.asarray(unseen)[-1])),
    ),
    Mistake(
        "share_not_loss",
        "This is how far between the two looks the crossing lies, not the loss there.",
        "这是越过的位置在两次之间的比例，不是那里的损失。",
        partial(crossing, mix=lambda a, b, share: share),
    ),
    Mistake(
        "gap",
        "This is the gap, test minus training loss. The test loss itself is asked for.",
        "这是差距，测试损失减训练损失。问的是测试损失本身。",
        lambda seen, unseen, level: crossing(seen, unseen, level) - level,
    ),
]  # fmt: skip
