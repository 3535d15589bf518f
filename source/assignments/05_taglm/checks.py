"""The checks of assignment 05, CRFs and language models as features, and its mistakes.

Truth by brute force where possible: every tag sequence is written out and scored. The
readers of task 5 are built from a table that says what each feature depends on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from course_lib.grading.checks import Mistake, Task

PARTITION = Task("05.log_partition", tolerance=1e-5)  # also of torch in float32
VITERBI = Task("05.viterbi")
SCORES = Task("05.tag_scores")
FEATURES = Task("05.lm_features")
LEAK = Task("05.later_words_seen")
TASKS = {task.name: task for task in (PARTITION, VITERBI, SCORES, FEATURES, LEAK)}


# 1 and 2. The forward algorithm and Viterbi, against all tag sequences


def total(y, scores, A, start, end):
    """Return the score of one tag sequence, term by term."""
    pairs = sum(A[a, b] for a, b in itertools.pairwise(y))
    words = sum(scores[t, k] for t, k in enumerate(y))
    return start[y[0]] + words + pairs + end[y[-1]]


def every(scores):
    """Return all tag sequences of a sentence. Shape: (K ** T, T)."""
    T, K = scores.shape
    return np.array(list(itertools.product(range(K), repeat=T)))


def log_sum(x):
    """Return log sum exp without overflow."""
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def all_totals(*case):
    return np.array([total(y, *case) for y in every(case[0])])


def partition(*case):
    return log_sum(all_totals(*case))


def best(*case):
    return every(case[0])[np.argmax(all_totals(*case))]


def crf(rng: np.random.Generator, T: int, K: int, size: float = 1.0) -> tuple:
    """Return the scores of a random CRF: of words, of pairs, of start and end."""
    shapes = (T, K), (K, K), (K,), (K,)
    return tuple(size * rng.normal(size=shape) for shape in shapes)


def decided(rng: np.random.Generator, T: int, K: int) -> tuple:
    """Return a CRF in which one sequence is clearly the best."""
    while True:
        case = crf(rng, T, K, 2.0)
        second, first = np.sort(all_totals(*case))[-2:]
        if first - second > 1e-3:
            return case


EXAMPLE = (
    np.log([[3.0, 1], [1, 1]]),
    np.log([[1.0, 1], [1, 4]]),
    np.zeros(2),
    np.zeros(2),
)


@PARTITION.check("the example", "题中的例子")
def example_sum(answer: Callable, rng: np.random.Generator) -> None:
    PARTITION.compare(answer, [(EXAMPLE, np.log(11))])


@PARTITION.check("one word, two words", "一个词，两个词")
def short_sums(answer: Callable, rng: np.random.Generator) -> None:
    cases = [crf(rng, T, K) for T, K in ((1, 3), (2, 2), (2, 4))]
    PARTITION.compare(answer, [(case, partition(*case)) for case in cases])


@PARTITION.check("against all sequences", "和全部序列相比")
def sums(answer: Callable, rng: np.random.Generator) -> None:
    cases = [crf(rng, T, K) for T, K in ((3, 3), (5, 2), (4, 4))]
    PARTITION.compare(answer, [(case, partition(*case)) for case in cases])


@PARTITION.check("large scores", "很大的分数")
def large_sums(answer: Callable, rng: np.random.Generator) -> None:
    cases = [crf(rng, 4, 3, 400.0), crf(rng, 5, 2, 900.0)]
    # Tag 1 is far behind after the step to word 1, and in front with its score.
    late = np.array([[0.0, 0], [-500, 500], [0, 0]]) + rng.normal(size=(3, 2))
    cases.append((late, np.array([[400.0, -400]] * 2), np.zeros(2), np.zeros(2)))
    PARTITION.compare(answer, [(case, partition(*case)) for case in cases])


@PARTITION.check("random sentences", "随机的句子", hidden=True)
def random_sums(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [rng.integers((1, 2), (6, 5)).tolist() for _ in range(8)]
    cases = [crf(rng, T, K) for T, K in sizes]
    PARTITION.compare(answer, [(case, partition(*case)) for case in cases])


def forward(
    scores, A, start, end, add=lambda x: log_sum(x), turn=False, first=1.0, last=1.0
):
    """Run the forward algorithm; the options make mistakes."""
    A = A.T if turn else A
    alpha = first * start + scores[0]
    for row in scores[1:]:
        alpha = np.array([add(alpha + A[:, j]) + row[j] for j in range(len(row))])
    return add(alpha + last * end)


def in_probabilities(scores, A, start, end):
    """Add up without logarithms, as far as numbers reach."""
    with np.errstate(all="ignore"):
        a = np.exp(start + scores[0])
        for row in scores[1:]:
            a = (a @ np.exp(A)) * np.exp(row)
        return np.log((a * np.exp(end)).sum())


PARTITION.mistakes += [
    Mistake(
        "transitions_turned",
        "A is turned around: A[i, j] is the score of going from tag i to tag j, so "
        "column j belongs to the new tag.",
        "A 的行列用反了：A[i, j] 是从标签 i 转到标签 j 的分数，第 j 列对应新标签。",
        partial(forward, turn=True),
    ),
    Mistake(
        "no_start",
        "The score of the first tag, `start`, is missing.",
        "漏了第一个标签的起始分 `start`。",
        partial(forward, first=0.0),
    ),
    Mistake(
        "no_end",
        "The score of the last tag, `end`, is missing.",
        "漏了最后一个标签的结束分 `end`。",
        partial(forward, last=0.0),
    ),
    Mistake(
        "no_borders",
        "Both `start` and `end` are missing.",
        "`start` 和 `end` 都漏了。",
        partial(forward, first=0.0, last=0.0),
    ),
    Mistake(
        "the_best_only",
        "This is the score of the best sequence alone; add up exp(score) over all.",
        "这只是最好的那条序列的分数；应当对所有序列的 exp(分数) 求和。",
        partial(forward, add=np.max),
    ),
    Mistake(
        "word_by_word",
        "Every word is normalised on its own; the pairs of tags do not count.",
        "每个词各自归一化了，相邻标签的分数没有算进去。",
        lambda scores, *_: sum(map(log_sum, scores)),
    ),
    Mistake(
        "not_the_logarithm",
        "This is Z; return its logarithm.",
        "这是 Z 本身；请返回它的对数。",
        lambda *case: np.exp(partition(*case)),
    ),
    Mistake(
        "overflow",
        "exp of a large score is infinite. Stay with logarithms: log-sum-exp subtracts "
        "the largest number first.",
        "分数一大，exp 就成了无穷。应当一直用对数计算：log-sum-exp 先减去最大的数。",
        in_probabilities,
    ),
    Mistake(
        "mean_not_sum",
        "You average over the tags that come before; add them up.",
        "你对前一个标签取了平均；应当求和。",
        partial(forward, add=lambda x: log_sum(x) - np.log(len(x))),
    ),
    Mistake(
        "last_word_missing",
        "The last word is missing: the loop ends one word too early.",
        "漏了最后一个词：循环少走了一步。",
        lambda scores, *rest: forward(scores[: max(len(scores) - 1, 1)], *rest),
    ),
    Mistake(
        "one_number_a_tag",
        "This is one number for each tag of the last word; add these up, too.",
        "这里最后一个词的每种标签各有一个数；还要把它们也加起来。",
        lambda scores, A, start, end: [
            forward(scores, A, start, np.where(only, end, -np.inf))
            for only in np.eye(len(A), dtype=bool)
        ],
    ),
]


@VITERBI.check("the example", "题中的例子")
def example_path(answer: Callable, rng: np.random.Generator) -> None:
    VITERBI.compare(answer, [(EXAMPLE, [1, 1])])


@VITERBI.check("one word, two words", "一个词，两个词")
def short_paths(answer: Callable, rng: np.random.Generator) -> None:
    cases = [decided(rng, T, K) for T, K in ((1, 3), (2, 2), (2, 4))]
    one = [1.0, 0.9, 0], [0, 3.0, 0], [0, 0, 3.2]  # the borders decide about a word
    words, start, end = map(np.array, one)
    cases.append((words[None], np.zeros((3, 3)), start, end))
    cases.append((EXAMPLE[0] - 20, *EXAMPLE[1:]))  # every score is below 0
    VITERBI.compare(answer, [(case, best(*case)) for case in cases])


@VITERBI.check("against all sequences", "和全部序列相比")
def paths(answer: Callable, rng: np.random.Generator) -> None:
    cases = [decided(rng, T, K) for T, K in ((3, 3), (5, 2), (4, 4), (5, 3), (5, 3))]
    # Two ways lead to tag 1; together they weigh more than the best one, to tag 0.
    words, A = np.log([[3, 2.2, 2], [1, 1, 1]]), np.log(np.full((3, 3), 0.01))
    A[[0, 1, 2], [0, 1, 1]] = 0
    cases.append((words, A, np.zeros(3), np.zeros(3)))
    VITERBI.compare(answer, [(case, best(*case)) for case in cases])


@VITERBI.check("random sentences", "随机的句子", hidden=True)
def random_paths(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [rng.integers((3, 2), (7, 4)).tolist() for _ in range(12)]
    cases = [decided(rng, T, K) for T, K in sizes]
    VITERBI.compare(answer, [(case, best(*case)) for case in cases])


def trellis(scores, A, start, end, turn=False, first=1.0, last=1.0):
    """Return the best values, (T, K), and where they came from; options as above."""
    A = A.T if turn else A
    values, back = [first * start + scores[0]], []
    for row in scores[1:]:
        ways = values[-1][:, None] + A  # (K, K)
        back.append(ways.argmax(axis=0))
        values.append(ways.max(axis=0) + row)
    return np.array(values), back, last * end


def followed(*case, **options):
    """Follow the pointers back; the options make mistakes."""
    values, back, end = trellis(*case, **options)
    path = [int((values[-1] + end).argmax())]
    for source in reversed(back):
        path.append(int(source[path[-1]]))
    return path[::-1]


def greedy(scores, A, start, end):
    """Decide from left to right and never look back."""
    path = [int((start + scores[0]).argmax())]
    for t, row in enumerate(scores[1:], 1):
        ending = end if t == len(scores) - 1 else 0
        path.append(int((A[path[-1]] + row + ending).argmax()))
    return path


def by_marginals(*case):
    """Take the likeliest tag at each position, summed over all sequences."""
    sequences, totals = every(case[0]), all_totals(*case)
    p = np.exp(totals - totals.max())
    tags = range(case[0].shape[1])
    shares = [[p[column == k].sum() for k in tags] for column in sequences.T]
    return np.argmax(shares, axis=1)


def never_negative(scores, A, start, end):
    """Begin each search for a maximum at 0."""
    values, back = start + scores[0], []
    for row in scores[1:]:
        ways = values[:, None] + A
        back.append(np.where(ways.max(axis=0) > 0, ways.argmax(axis=0), 0))
        values = ways.max(axis=0).clip(min=0) + row
    path = [int((values + end).argmax())]
    for source in reversed(back):
        path.append(int(source[path[-1]]))
    return path[::-1]


def by_sums(scores, A, start, end):
    """Add up the ways to a tag, as the forward algorithm does."""
    values, back = start + scores[0], []
    for row in scores[1:]:
        ways = values[:, None] + A
        back.append(ways.argmax(axis=0))
        values = np.logaddexp.reduce(ways, axis=0) + row
    path = [int((values + end).argmax())]
    for source in reversed(back):
        path.append(int(source[path[-1]]))
    return path[::-1]


VITERBI.mistakes += [
    Mistake(
        "sums",
        "You add up all ways to a tag, as in task 1. Here only the best way counts: "
        "take the largest.",
        "你像第 1 题那样把通向一个标签的各条路加了起来。这里只看最好的一条：取最大的。",
        by_sums,
    ),
    Mistake(
        "borders_of_one_word",
        "A sentence of one word has a start and an end, too.",
        "只有一个词的句子也有起始分和结束分。",
        lambda scores, *rest: (
            best(scores, *rest) if len(scores) > 1 else [scores[0].argmax()]
        ),
    ),
    Mistake(
        "never_negative",
        "Your search for the best value begins at 0, and all values may be negative: "
        "begin at minus infinity.",
        "你找最大值是从 0 开始的，可是所有的值都可能为负：要从负无穷开始。",
        never_negative,
    ),
    Mistake(
        "word_by_word",
        "You take the best tag of each word on its own; the pairs do not count.",
        "你给每个词单独挑了最好的标签，相邻标签的分数没有算进去。",
        lambda scores, *_: scores.argmax(axis=1),
    ),
    Mistake(
        "greedy",
        "You decide from left to right and never take a tag back. A later word may "
        "make another beginning better: keep the best value of *every* tag.",
        "你从左到右一个一个定下来，再不回头。后面的词可能使另一种开头更好："
        "应当给*每个*标签都保留最优值。",
        greedy,
    ),
    Mistake(
        "no_way_back",
        "You take the best tag of each column of the trellis. The path must be "
        "followed back from the end, by where each maximum came from.",
        "你取了网格里每一列的最大值。应当从末尾出发，沿着每个最大值的来处往回走。",
        lambda *case: trellis(*case)[0].argmax(axis=1),
    ),
    Mistake(
        "transitions_turned",
        "A is turned around: A[i, j] is the score of going from tag i to tag j.",
        "A 的行列用反了：A[i, j] 是从标签 i 转到标签 j 的分数。",
        partial(followed, turn=True),
    ),
    Mistake(
        "no_start",
        "The score of the first tag, `start`, is missing.",
        "漏了第一个标签的起始分 `start`。",
        partial(followed, first=0.0),
    ),
    Mistake(
        "no_end",
        "The score of the last tag, `end`, is missing.",
        "漏了最后一个标签的结束分 `end`。",
        partial(followed, last=0.0),
    ),
    Mistake(
        "from_the_end",
        "The path is reversed: it was followed from the last word to the first.",
        "路径反了：它是从最后一个词走到第一个词的，还要倒过来。",
        lambda *case: best(*case)[::-1],
    ),
    Mistake(
        "marginals",
        "You take the likeliest tag at each position. That is another question: the "
        "sequence of these tags need not be a likely sequence.",
        "你取了每个位置上概率最大的标签。那是另一个问题：这些标签连起来，"
        "未必是概率大的序列。",
        by_marginals,
    ),
    Mistake(
        "the_score",
        "Return the tags, not their score.",
        "请返回标签，而不是它们的分数。",
        lambda *case: all_totals(*case).max(),
    ),
]


# 3. Where the features are joined


def layer(x, W):
    """Mix each word with both neighbours: a toy recurrent layer, as in the notebook."""
    zero = np.zeros((1, x.shape[1]))
    around = np.concatenate([zero, x[:-1]]) + np.concatenate([x[1:], zero])
    return np.tanh((x + 0.5 * around) @ W)


def joined(
    x, g, place, W1, W2, W3,
    put=lambda place: place, join=lambda h, g: np.concatenate([h, g], axis=1),
    mix=layer,
):  # fmt: skip
    """Score the tags; the options make mistakes. Shape: (T, K)."""
    place = put(place)
    for at, W in (("input", W1), ("after first", W2)):
        x = mix(join(x, g) if place == at else x, W)
    return (join(x, g) if place == "after second" else x) @ W3


def network(rng: np.random.Generator, place: str, T: int, sizes: tuple) -> tuple:
    """Return inputs whose matrices have the shapes that the place asks for."""
    D, F, H, K = sizes
    more = {at: F * (at == place) for at in ("input", "after first", "after second")}
    inputs = D + more["input"], H + more["after first"], H + more["after second"]
    x, g = rng.normal(size=(T, D)), rng.normal(size=(T, F))
    weights = (
        rng.normal(size=(n, out)) / 2 for n, out in zip(inputs, (H, H, K), strict=True)
    )
    return x, g, place, *weights


PLACES = ("input", "after first", "after second")


@SCORES.check("each place once", "三个位置各一次")
def each_place(answer: Callable, rng: np.random.Generator) -> None:
    cases = [network(rng, place, 4, (3, 2, 5, 3)) for place in PLACES]
    SCORES.compare(answer, [(case, joined(*case)) for case in cases])


@SCORES.check("features as wide as the words", "特征和词一样宽")
def equal_widths(answer: Callable, rng: np.random.Generator) -> None:
    cases = [network(rng, place, 3, (4, 4, 4, 2)) for place in PLACES]
    SCORES.compare(answer, [(case, joined(*case)) for case in cases])


@SCORES.check("random sizes", "随机的大小", hidden=True)
def random_sizes(answer: Callable, rng: np.random.Generator) -> None:
    for place in (*PLACES, *PLACES):
        case = network(
            rng, place, *(int(rng.integers(1, 7)), (*rng.integers(1, 6, 4),))
        )
        SCORES.compare(answer, [(case, joined(*case))])


def one_lower(place):
    return {"after first": "input", "after second": "after first"}.get(place, place)


SCORES.mistakes += [
    Mistake(
        "features_in_front",
        "The features stand in front; they are joined *behind*: [h; g].",
        "特征拼在了前面；应当拼在*后面*：[h; g]。",
        partial(joined, join=lambda h, g: np.concatenate([g, h], axis=1)),
    ),
    Mistake(
        "always_input",
        "The features always enter at the input; `place` says where.",
        "特征总是拼在输入处；应当看 `place`。",
        partial(joined, put=lambda place: "input"),
    ),
    Mistake(
        "always_after_first",
        "The features always enter after the first layer; `place` says where.",
        "特征总是拼在第一层之后；应当看 `place`。",
        partial(joined, put=lambda place: "after first"),
    ),
    Mistake(
        "too_late",
        "The features enter later than `place` says; it is right only at the last one.",
        "特征进来得比 `place` 说的晚；只有最后一个位置是对的。",
        partial(joined, put=lambda place: "after second"),
    ),
    Mistake(
        "one_place_too_low",
        "“After” a layer means: join to its output, not to its input.",
        "某层“之后”是指拼到这一层的输出上，而不是它的输入上。",
        partial(joined, put=one_lower),
    ),
    Mistake(
        "added",
        "The features are added; they must be joined, so that the next matrix has rows "
        "of its own for them.",
        "你把特征加了上去；应当拼接，让下一个矩阵有专门的行来处理它们。",
        partial(joined, join=lambda h, g: h + g),
    ),
    Mistake(
        "along_the_words",
        "The features are joined as further words (axis 0); join them to each word "
        "(axis 1).",
        "你把特征当作更多的词接在了后面（axis 0）；应当接到每个词上（axis 1）。",
        partial(joined, join=lambda h, g: np.concatenate([h, g], axis=0)),
    ),
    Mistake(
        "left_out",
        "The features are nowhere.",
        "特征哪儿也没有用上。",
        partial(joined, put=lambda place: ""),
    ),
    Mistake(
        "no_layers",
        "The layers are plain products; call `layer`.",
        "每一层只做了矩阵乘法；请调用 `layer`。",
        partial(joined, mix=lambda x, W: x @ W),
    ),
]


# 4. Which numbers of a biLM's layers TagLM takes


def taken(layers, way):
    """Return TagLM's features of a sentence."""
    top = layers[-1]
    return top[:, : top.shape[1] // 2] if way == "forward" else top


def some_layers(rng: np.random.Generator, L: int, T: int, P: int, way: str) -> tuple:
    """Return the layers of a biLM, (L+1, T, 2P); the lowest is the same twice."""
    layers = rng.normal(size=(L + 1, T, 2 * P))
    layers[0, :, P:] = layers[0, :, :P]
    return layers, way


@FEATURES.check("the example", "题中的例子")
def example_layers(answer: Callable, rng: np.random.Generator) -> None:
    layers = np.array([[[1, 1.0], [2, 2]], [[3, 4], [5, 6]], [[7, 8], [9, 10]]])
    right = {"forward": [[7], [9]], "both": [[7, 8], [9, 10]]}
    FEATURES.compare(answer, [((layers, way), right[way]) for way in right])


@FEATURES.check("other sizes", "别的大小")
def other_layers(answer: Callable, rng: np.random.Generator) -> None:
    sizes = ((2, 4, 3), (1, 2, 2), (3, 5, 4))
    cases = [some_layers(rng, *n, way) for n in sizes for way in ("forward", "both")]
    FEATURES.compare(answer, [(case, taken(*case)) for case in cases])


@FEATURES.check("random sizes", "随机的大小", hidden=True)
def random_layers(answer: Callable, rng: np.random.Generator) -> None:
    for way in ("forward", "both") * 4:
        case = some_layers(rng, *rng.integers((1, 2, 2), (5, 7, 6)).tolist(), way)
        FEATURES.compare(answer, [(case, taken(*case))])


def halved(layers, way, cut=lambda top, P: top[:, :P], layer=lambda layers: layers[-1]):
    """Take features; the options make mistakes."""
    top = layer(layers)
    return cut(top, top.shape[1] // 2) if way == "forward" else top


FEATURES.mistakes += [
    Mistake(
        "backward_half",
        "This is the backward half; the forward half comes first.",
        "这是后向的一半；前向的一半在前面。",
        partial(halved, cut=lambda top, P: top[:, P:]),
    ),
    Mistake(
        "every_second",
        "You take every second number. The halves stand one behind the other: the "
        "first P numbers are the forward state.",
        "你隔一个取了一个。两半是一前一后放的：前 P 个数是前向状态。",
        partial(halved, cut=lambda top, P: top[:, ::2]),
    ),
    Mistake(
        "lowest_layer",
        "This is layer 0, which has not read the sentence. TagLM takes the top layer.",
        "这是第 0 层，它没有读过句子。TagLM 取的是顶层。",
        partial(halved, layer=lambda layers: layers[0]),
    ),
    Mistake(
        "middle_layer",
        "This is layer 1; TagLM takes the top layer, however many there are.",
        "这是第 1 层；不管有几层，TagLM 取的都是顶层。",
        partial(halved, layer=lambda layers: layers[1]),
    ),
    Mistake(
        "mean_of_layers",
        "You average the layers: that is ELMo's idea, a year later. TagLM takes the "
        "top one.",
        "你把各层平均了：那是一年后 ELMo 的想法。TagLM 只取顶层。",
        partial(halved, layer=lambda layers: layers.mean(axis=0)),
    ),
    Mistake(
        "all_layers",
        "All layers are joined; TagLM takes the top one.",
        "你把各层都拼了起来；TagLM 只取顶层。",
        partial(halved, layer=lambda layers: np.concatenate(layers, axis=1)),
    ),
    Mistake(
        "always_both",
        "`way` is ignored: forward means half of the numbers.",
        "没有理会 `way`：前向只要一半的数。",
        lambda layers, way: layers[-1],
    ),
    Mistake(
        "always_forward",
        "`way` is ignored: both means all numbers of the top layer.",
        "没有理会 `way`：双向要顶层的全部。",
        lambda layers, way: taken(layers, "forward"),
    ),
    Mistake(
        "half_of_the_words",
        "You cut the sentence in half; cut the numbers of each word.",
        "你把句子切成了两半；应当切的是每个词的那些数。",
        lambda layers, way: (
            layers[-1][: len(layers[-1]) // 2] if way == "forward" else layers[-1]
        ),
    ),
    Mistake(
        "sum_of_halves",
        "The two halves are added; keep the forward one alone.",
        "你把两半加了起来；只要前向的一半。",
        partial(halved, cut=lambda top, P: top[:, :P] + top[:, P:]),
    ),
]


# 5. Find the leak


def unit_vectors(x):
    """Make each word as long as 1; the rounding must not tell how long it was."""
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return np.round(x / np.maximum(lengths, 1e-9), 9)


# What a reader makes of a word with the numbers x, and d, how much each of them counts
WORDS = {
    "squares": lambda x, d: (x @ d) ** 2,
    "directions": lambda x, d: unit_vectors(x) @ d,
    "differences": lambda x, d: x @ (d - d.mean()),
    "one": lambda x, d: x[:, -1] * d[-1],
}


@dataclass
class Reader:
    """A model (T, D) to (T, F) whose feature t depends on word s where its weight is.

    kind: "sum" adds the words up, "product" multiplies, so that a zero hides the
    others; "first feature", "last feature" and "faint" add up and show it there alone,
    or hardly; "rounded": what is not seen moves it, too, by less than 1e-8; others as
    in WORDS: what is read of a word
    """

    weights: list[list[float]]  # (T, T), 0 where there is no dependence
    direction: list[float]  # (D,), how much each number of a word counts
    kind: str

    def __call__(self, x):
        x, direction = np.asarray(x, dtype=float), np.array(self.direction)
        values = WORDS.get(self.kind, np.matmul)(x, direction)  # (T,)
        rows = []
        for weights in self.weights:
            seen = [w * v for w, v in zip(weights, values, strict=True) if w]
            h = np.sum(seen)
            if self.kind == "product":  # the root keeps it from getting tiny
                h = np.prod(np.sign(seen) * np.abs(seen) ** (1 / max(len(seen), 1)))
            rows.append(h)
        h = np.array(rows)[:, None]  # (T, 1)
        if self.kind == "faint":  # nothing moves a number by more than 8e-6
            return 1 + 4e-6 * np.sin(h * 1000 * np.sqrt(np.arange(2, 14)))
        if self.kind == "rounded":
            h = h + 4e-9 * np.sin(1000 * x.sum())
        alone = {"first feature": [0.3, 0, 0, 0], "last feature": [0, 0, 0, 0.3]}
        return h * alone.get(self.kind, [0.1, -0.1, 0.3, -0.3])


def reader(rng: np.random.Generator, table: np.ndarray, D: int, kind: str) -> Reader:
    """Make a reader that depends on what a table says, (T, T)."""
    T = len(table)
    weights = rng.uniform(0.5, 1.5, size=(T, T)) * rng.choice([-1, 1], size=(T, T))
    direction = rng.uniform(0.5, 1.5, size=D) * rng.choice([-1, 1], size=D)
    direction[0] += D  # so that the numbers of a word count differently
    return Reader((table * weights).tolist(), direction.tolist(), kind)


def tables(T: int) -> dict[str, np.ndarray]:
    """Return what an honest forward model sees, and some that leak."""
    past, now = np.tril(np.ones((T, T))), np.eye(T)
    one = past.copy()
    one[T // 2, T - 1] = 1  # one position sees the last word
    return {
        "honest": past,
        "before": past - now,
        "next": np.clip(past + np.eye(T, k=1), 0, 1),
        "stacked": np.ones((T, T)),
        "one": one,
        "backward": past.T,
        "nearest": now + np.eye(T, k=2) * (T > 2),
    }


def reading(rng: np.random.Generator, name: str, T: int, D: int, kind: str) -> tuple:
    """Return a case, and how many later words each feature has seen."""
    table = tables(T)[name]
    return (reader(rng, table, D, kind), T, D), np.triu(table, 1).sum(axis=1)


@LEAK.check("an honest forward model, and a stacked one", "老实的前向模型，和叠起来的")
def plain_readers(answer: Callable, rng: np.random.Generator) -> None:
    names = ("honest", "stacked", "next")
    LEAK.compare(answer, [reading(rng, name, 4, 3, "sum") for name in names])


@LEAK.check("rare and hidden leaks", "罕见的、藏起来的泄漏")
def hidden_leaks(answer: Callable, rng: np.random.Generator) -> None:
    kinds = ("one", "sum"), ("next", "one"), ("stacked", "product"), ("before", "sum")
    kinds += (("stacked", "faint"), ("honest", "faint"))
    kinds += (("stacked", "first feature"), ("stacked", "last feature"))
    kinds += (("honest", "rounded"), ("next", "rounded"))
    LEAK.compare(answer, [reading(rng, name, 5, 3, kind) for name, kind in kinds])


@LEAK.check("random readers", "随机的模型", hidden=True)
def random_readers(answer: Callable, rng: np.random.Generator) -> None:
    for name in tables(3):
        T, D = rng.integers((3, 2), (7, 5)).tolist()
        for kind in (
            "sum",
            "product",
            "first feature",
            "last feature",
            "faint",
            "rounded",
            *WORDS,
        ):
            LEAK.compare(answer, [reading(rng, name, T, D, kind)])


def probed(
    read, T, D,
    later=lambda t, s: s > t, begin=lambda rng, T, D: rng.normal(size=(T, D)),
    change=lambda row, rng: row + rng.normal(size=len(row)),
    differs=lambda a, b: bool((np.abs(a - b) > 1e-7).any()), turn=False,
):  # fmt: skip
    """Change one word after another; the options make mistakes. Shape: (T,)."""
    rng = np.random.default_rng(0)
    x = begin(rng, T, D)
    before, counts = read(x), np.zeros(T)
    for s in range(T):
        other = x.copy()
        other[s] = change(x[s], rng)
        after = read(other)
        for t in range(T):
            if differs(before[t], after[t]) and later(t, s):
                counts[s if turn else t] += 1
    return counts


def first_number(row, rng):
    other = row.copy()
    other[0] += 1
    return other


LEAK.mistakes += [
    Mistake(
        "itself_counted",
        "The word itself counts as later; a forward state may have read it.",
        "你把这个词自己也算成了后面的词；前向状态本来就可以读过它。",
        partial(probed, later=lambda t, s: s >= t),
    ),
    Mistake(
        "earlier_words",
        "You count the words *before*; those a forward model may see.",
        "你数的是*前面*的词；那些本来就可以看。",
        partial(probed, later=lambda t, s: s < t),
    ),
    Mistake(
        "all_words",
        "You count all words that the feature has seen; count the later ones.",
        "你数的是特征看过的所有词；只要数后面的。",
        partial(probed, later=lambda t, s: True),
    ),
    Mistake(
        "next_word_only",
        "Only the next word is tried; a leak may come from farther away.",
        "你只试了下一个词；泄漏也可能来自更远的地方。",
        partial(probed, later=lambda t, s: s == t + 1),
    ),
    Mistake(
        "by_the_word",
        "You count for each word by how many earlier positions it is seen; count for "
        "each position how many later words it sees.",
        "你数的是每个词被前面几个位置看到；应当数每个位置看到了后面几个词。",
        partial(probed, turn=True),
    ),
    Mistake(
        "summed_features",
        "You compare sums of the features; two changes may cancel. Compare them number "
        "by number.",
        "你比较的是特征之和；两个变化可能互相抵消。应当逐个数比较。",
        partial(probed, differs=lambda a, b: abs(a.sum() - b.sum()) > 1e-7),
    ),
    Mistake(
        "compared_exactly",
        "You compare the states exactly; a change below 1e-8 is only rounding. Ask for "
        "a change above, say, 1e-7.",
        "你要求两个状态完全相等；小于 1e-8 的变化只是舍入误差。可以规定变化超过 1e-7 "
        "才算数。",
        partial(probed, differs=lambda a, b: bool((a != b).any())),
    ),
    Mistake(
        "one_number_changed",
        "You change the first number of a word only; the model may read another.",
        "你只改了词向量的第一个数；模型读的可能是别的数。",
        partial(probed, change=first_number),
    ),
    Mistake(
        "same_to_all",
        "You add the same to all numbers of a word; the model may read differences. "
        "Replace the word by other random numbers.",
        "你给一个词的各个数都加了同一个数；模型读的可能是它们的差。应当换成另一组随机数。",
        partial(probed, change=lambda row, rng: row + 1),
    ),
    Mistake(
        "turned_round",
        "You turn a word into its negative; the model may read squares. Replace the "
        "word by other random numbers.",
        "你把一个词变成了它的相反数；模型读的可能是平方。应当换成另一组随机数。",
        partial(probed, change=lambda row, rng: -row),
    ),
    Mistake(
        "scaled",
        "You make a word longer or shorter; the model may read directions only. "
        "Replace the word by other random numbers.",
        "你把一个词的向量拉长或缩短；模型可能只看方向。应当换成另一组随机数。",
        partial(probed, change=lambda row, rng: 2 * row),
    ),
    Mistake(
        "only_large_changes",
        "You overlook small changes: whatever is above rounding counts. (np.allclose "
        "and np.isclose let each number change by 1e-5 of its size, unless rtol=0.)",
        "你漏掉了小的变化：只要超出舍入误差就算。（np.allclose 和 np.isclose 默认容许"
        "每个数变动自身的 1e-5，除非设 rtol=0。）",
        partial(probed, differs=lambda a, b: abs(a - b).max() > 1e-4),
    ),
    Mistake(
        "one_feature",
        "You compare one number of the state only; another may have moved.",
        "你只比较了状态里的一个数；变的可能是别的数。",
        partial(probed, differs=lambda a, b: a[0] != b[0]),
    ),
    Mistake(
        "all_features",
        "You ask whether *all* numbers of the state have moved; one is enough.",
        "你要求状态里的数*全都*变了；有一个变了就算。",
        partial(probed, differs=lambda a, b: bool((a != b).all())),
    ),
    Mistake(
        "from_zeros",
        "You begin from zeros. Where words are multiplied, as gates do, a zero hides "
        "the change; begin from random numbers.",
        "你从全零出发。像门那样把词相乘的地方，零会把变化藏起来；应当从随机数出发。",
        partial(probed, begin=lambda rng, T, D: np.zeros((T, D))),
    ),
    Mistake(
        "yes_or_no",
        "Return the number of later words, not whether there is one.",
        "请返回后面的词的个数，而不是有没有。",
        lambda *case: np.sign(probed(*case)),
    ),
]
