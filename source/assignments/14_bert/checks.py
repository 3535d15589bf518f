"""The checks of assignment 14, BERT, and the mistakes that people make.

What is right is computed the slow way, place by place; the options of these functions
make the mistakes. Dice and coins are given as inputs, so that every answer has one
right output and nothing is left to chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from course_lib.grading.checks import Mistake, Task

ROW = Task("14.row")
HIDE = Task("14.hide")
PAIRS = Task("14.pairs")
SPAN = Task("14.span")
LEAKS = Task("14.leaks")
PARITY = Task("14.parity")
TASKS = {task.name: task for task in (ROW, HIDE, PAIRS, SPAN, LEAKS, PARITY)}
CLS, SEP, MASK, MARKS, NONE = 2, 3, 4, 9, -100


# 1. The input has three parts


def three_parts(
    one, other, cls=(CLS,), first_end=(SEP,), end=(SEP,), alone=False,
    segment=lambda place, cut: int(place >= cut), moved=0,
    position=lambda place, cut: place,
):  # fmt: skip
    """Write pieces, segments, positions; the options make mistakes. Shape: (3, T)."""
    first = [*cls, *one, *first_end]
    second = [*other, *end] if len(other) or alone else []
    cut = len(first) + moved
    places = range(len(first) + len(second))
    segments = [segment(place, cut) for place in places]
    positions = [position(place, cut) for place in places]
    return np.array([first + second, segments, positions])


def texts(rng: np.random.Generator, *sizes: int) -> tuple:
    """Return a case: texts of so many pieces, and what is right."""
    given = tuple(rng.integers(MARKS, 60, n).tolist() for n in sizes)
    return given, three_parts(*given)


@ROW.check("the example", "题中的例子")
def example_row(answer: Callable, rng: np.random.Generator) -> None:
    right = [[2, 20, 21, 3, 30, 3], [0, 0, 0, 0, 1, 1], [0, 1, 2, 3, 4, 5]]
    ROW.compare(answer, [(([20, 21], [30]), right)])


@ROW.check("one text, two texts", "一段文本，两段文本")
def other_rows(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 4), (5, 2), (4, 0), (1, 0)
    ROW.compare(answer, [texts(rng, *size) for size in sizes])


@ROW.check("random texts", "随机的文本", hidden=True)
def random_rows(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [(int(a), int(b)) for a, b in rng.integers(1, 9, (6, 2))]
    ROW.compare(answer, [texts(rng, *size) for size in [*sizes, (7, 0)]])


ROW.mistakes += [
    Mistake(
        "sep_in_b",
        "The first [SEP] belongs to segment A (0); you begin B with it.",
        "第一个 [SEP] 属于片段 A（0）；你从它就开始算 B 了。",
        partial(three_parts, moved=-1),
    ),
    Mistake(
        "no_last_sep",
        "There is a [SEP] at the end of B, too.",
        "B 的末尾也有一个 [SEP]。",
        partial(three_parts, end=()),
    ),
    Mistake(
        "no_first_sep",
        "The [SEP] between A and B is missing.",
        "A 和 B 之间漏了 [SEP]。",
        partial(three_parts, first_end=()),
    ),
    Mistake(
        "no_cls",
        "A row begins with [CLS].",
        "一行以 [CLS] 开头。",
        partial(three_parts, cls=()),
    ),
    Mistake(
        "empty_b",
        "If there is no second text, there is no second [SEP] either.",
        "没有第二段文本时，也没有第二个 [SEP]。",
        partial(three_parts, alone=True),
    ),
    Mistake(
        "positions_restart",
        "Positions do not begin again in B: a row has one count.",
        "位置到了 B 不重新数：整行一个编号。",
        partial(three_parts, position=lambda p, cut: p - cut if p >= cut else p),
    ),
    Mistake(
        "positions_from_one",
        "Positions are counted from 0.",
        "位置从 0 数起。",
        partial(three_parts, position=lambda p, cut: p + 1),
    ),
    Mistake(
        "segments_one_two",
        "Segments are numbered 0 and 1, not 1 and 2.",
        "片段的编号是 0 和 1，不是 1 和 2。",
        partial(three_parts, segment=lambda p, cut: 1 + int(p >= cut)),
    ),
    Mistake(
        "one_segment",
        "All pieces are in segment 0; those of B belong to segment 1.",
        "所有词片都算成了片段 0；B 的词片属于片段 1。",
        partial(three_parts, segment=lambda p, cut: 0),
    ),
    Mistake(
        "cls_alone",
        "[CLS] is in segment A, numbered 0, like the pieces behind it.",
        "[CLS] 属于片段 A，编号 0，和后面的词片一样。",
        partial(three_parts, segment=lambda p, cut: -1 if p == 0 else int(p >= cut)),
    ),
]


# 2. Masking


def throw(
    tokens, u, dice, others, share=0.15, mask=0.8, swap=0.9,
    markable=lambda token: token >= MARKS, choice=lambda u, die: u,
    target=lambda token, new, chosen: token,
    swapped=lambda token, other: other, kept=lambda token, other: token,
):  # fmt: skip
    """Go from place to place; the options make mistakes. Shape: (2, T)."""
    read, targets = [], []
    for token, a, b, other in zip(tokens, u, dice, others, strict=True):
        chosen = markable(token) and choice(a, b) < share
        new = token
        if chosen and b < mask:
            new = MASK
        elif chosen and b < swap:
            new = swapped(token, other)
        elif chosen:
            new = kept(token, other)
        read.append(new)
        wanted = chosen and target(token, new, chosen) is not None
        targets.append(target(token, new, chosen) if wanted else NONE)
    return np.array([read, targets])


def everywhere(tokens, u, dice, others):
    read = throw(tokens, u, dice, others)[0]
    return np.array([read, tokens])


def thrown(rng: np.random.Generator, T: int) -> tuple:
    """Return a case: a row with marks in it, and dice; enough of each outcome."""
    tokens = rng.integers(MARKS, 70, T)
    tokens[0], tokens[T // 2], tokens[-1] = CLS, SEP, SEP
    u, dice = rng.random(T), rng.random(T)
    u[[0, T // 2, -1]] = rng.random(3) * 0.15  # marks would be chosen, too
    inside = [i for i in range(1, T - 1) if i != T // 2]
    places = rng.permutation(inside)[:9]
    u[places] = rng.random(9) * 0.149
    dice[places[:6]] = np.array([0, 0.3, 0.82, 0.85, 0.92, 0.95])
    dice[places[:6]] += 0.04 * rng.random(6)
    # On the borders: below is below. The smallest piece is no mark.
    dice[places[6:8]], tokens[places[8]], u[places[0]] = (0.8, 0.9), MARKS, 0.15
    dice[[0, T // 2, -1]] = 0.79 * rng.random(3)
    given = tokens, u, dice, rng.integers(MARKS, 70, T)
    return given, throw(*given)


@HIDE.check("the example", "题中的例子")
def example_hide(answer: Callable, rng: np.random.Generator) -> None:
    tokens, others = (
        np.array([2, 20, 21, 22, 23, 3]),
        np.array([50, 51, 52, 53, 54, 55]),
    )
    u = np.array([0.01, 0.10, 0.14, 0.05, 0.60, 0.90])
    dice = np.array([0.2, 0.5, 0.85, 0.95, 0.1, 0.3])
    right = [[2, 4, 52, 22, 23, 3], [NONE, 20, 21, 22, NONE, NONE]]
    HIDE.compare(answer, [((tokens, u, dice, others), right)])


@HIDE.check("longer rows", "更长的行")
def longer_rows(answer: Callable, rng: np.random.Generator) -> None:
    cases = [thrown(rng, T) for T in (16, 25, 40)]
    (tokens, *dice), _ = thrown(rng, 20)
    tokens[10] = 5  # a special token that is none of the three with a name
    HIDE.compare(answer, [*cases, ((tokens, *dice), throw(tokens, *dice))])


@HIDE.check("random rows", "随机的行", hidden=True)
def random_dice(answer: Callable, rng: np.random.Generator) -> None:
    HIDE.compare(answer, [thrown(rng, int(T)) for T in rng.integers(14, 60, 6)])


HIDE.mistakes += [
    Mistake(
        "two_marks_only",
        "All numbers below 9 are special tokens, not only [CLS] and [SEP].",
        "小于 9 的编号都是特殊词元，不只是 [CLS] 和 [SEP]。",
        partial(throw, markable=lambda token: token not in (CLS, SEP)),
    ),
    Mistake(
        "marks_too",
        "You mask [CLS] and [SEP]: marks (numbers below 9) are never chosen.",
        "你把 [CLS]、[SEP] 也遮了：标记（编号小于 9）从不选中。",
        partial(throw, markable=lambda token: True),
    ),
    Mistake(
        "targets_everywhere",
        "You ask for every piece. Where nothing was chosen the target is -100.",
        "你每个词片都要预测。没选中的位置，目标是 -100。",
        everywhere,
    ),
    Mistake(
        "target_after",
        "The target is what stood there *before*, not what is read now.",
        "目标是*原来*的词片，不是现在读到的。",
        partial(throw, target=lambda token, new, chosen: new),
    ),
    Mistake(
        "kept_not_asked",
        "A chosen piece that stays as it is is to be predicted as well.",
        "选中而原样不动的词片，也要预测。",
        partial(
            throw,
            target=lambda token, new, chosen: None if new == token else token,
        ),
    ),
    Mistake(
        "only_masks_asked",
        "You ask only where [MASK] stands; all chosen pieces are to be predicted.",
        "你只在 [MASK] 处提问；凡选中的都要预测。",
        partial(
            throw,
            target=lambda token, new, chosen: token if new == MASK else None,
        ),
    ),
    Mistake(
        "always_mask",
        "You always put [MASK]: only where `dice` is below 0.8 (it is not `u` that "
        "decides; u is below 0.15 there anyway).",
        "你一律换成 [MASK]：只有 `dice` 小于 0.8 时才换"
        "（不看 `u`，那里的 u 本来就小于 0.15）。",
        partial(throw, mask=1.1),
    ),
    Mistake(
        "swap_and_keep_swapped",
        "From 0.8 to 0.9 another piece is put there, from 0.9 on it stays; you have it "
        "the other way round.",
        "0.8 到 0.9 是换成别的词片，0.9 以上才原样不动；你弄反了。",
        partial(
            throw, swapped=lambda token, other: token, kept=lambda token, other: other
        ),
    ),
    Mistake(
        "never_kept",
        "From 0.9 on the piece stays as it is; you replace it.",
        "`dice` 在 0.9 以上，词片原样不动；你把它换掉了。",
        partial(throw, swap=1.1),
    ),
    Mistake(
        "never_swapped",
        "From 0.8 to 0.9 another piece is put there; with you it stays.",
        "`dice` 在 0.8 到 0.9 之间，要换成别的词片；你没有换。",
        partial(throw, swap=0.8),
    ),
    Mistake(
        "chosen_by_the_second_die",
        "A piece is chosen if u < 0.15; you look at `dice` for that.",
        "u < 0.15 才算选中；你看的却是 `dice`。",
        partial(throw, choice=lambda u, die: die),
    ),
    Mistake(
        "eighty_five",
        "You choose 85 % of the pieces. Chosen are those with u below 0.15.",
        "你选中了 85% 的词片。u 小于 0.15 的才选中。",
        partial(throw, choice=lambda u, die: 1 - u, share=0.85),
    ),
]


# 3. Does B follow A?


def sentence_pairs(
    documents, coins, draws, across=False, ours=False, label=lambda follows: follows,
    heads=lambda coin: coin < 0.5, index=math.floor, skip=False, numbered=None,
    wrong_too=True,
):  # fmt: skip
    """Go through the neighbours in turn; the options make mistakes. Shape: (N, 3)."""
    found, n = [], 0
    flat = [(d, s) for d, document in enumerate(documents) for s in document]
    for (d, one), (e, two) in zip(flat, flat[1:], strict=False):
        if d != e and not across:
            continue
        if n >= len(coins):
            break
        others = [s for f, s in flat if ours or f != d]
        if skip:
            others = [s for f, s in flat if f == d and s not in (one, two)] or others
        if heads(coins[n]):
            found.append((one, two, int(label(True))))
        elif wrong_too:
            i = min(index(draws[n] * len(others)), len(others) - 1)
            found.append((one, others[i], int(label(False))))
        n += 1
    return np.array(found)


def library(rng: np.random.Generator, *sizes: int) -> tuple:
    """Return a case: documents of so many sentences, coins and draws for each pair."""
    names = rng.permutation(np.arange(100, 100 + sum(sizes)))
    cuts = np.cumsum(sizes)[:-1]
    documents = [part.tolist() for part in np.split(names, cuts)]
    n = sum(max(size - 1, 0) for size in sizes)
    coins = rng.permutation(np.linspace(0.03, 0.98, n))  # heads and tails, both
    given = documents, coins.tolist(), (0.02 + 0.96 * rng.random(n)).tolist()
    return given, sentence_pairs(*given)


@PAIRS.check("the example", "题中的例子")
def example_pairs(answer: Callable, rng: np.random.Generator) -> None:
    documents = [[10, 11, 12], [20, 21], [30]]
    right = [(10, 11, 1), (11, 30, 0), (20, 12, 0)]
    PAIRS.compare(answer, [((documents, [0.3, 0.9, 0.5], [0.1, 0.8, 0.6]), right)])


@PAIRS.check("other documents", "别的文档")
def other_documents(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (4, 3, 5), (2, 6), (1, 5, 4, 2)
    alike = [[10, 11], [10, 11], [12, 10]]  # the same sentences again
    twice = alike, [0.9, 0.8, 0.7], [0.1, 0.4, 0.9]
    cases = [library(rng, *size) for size in sizes]
    PAIRS.compare(answer, [*cases, (twice, sentence_pairs(*twice))])


@PAIRS.check("random documents", "随机的文档", hidden=True)
def random_documents(answer: Callable, rng: np.random.Generator) -> None:
    for n in (2, 3, 4, 5, 6):
        sizes = [*rng.integers(1, 7, n - 2).tolist(), 4, 5]
        PAIRS.compare(answer, [library(rng, *sizes)])


def other_than_this_one(documents, coins, draws):
    """Leave out all documents that are equal to the one at hand."""
    rows = []
    for document in documents:
        rest = [s for d in documents if d != document for s in d]
        for a, b in zip(document, document[1:], strict=False):
            k = len(rows)
            drawn = rest[int(draws[k] * len(rest))]
            rows.append((a, b, 1) if coins[k] < 0.5 else (a, drawn, 0))
    return np.array(rows)


PAIRS.mistakes += [
    Mistake(
        "equal_documents",
        "Another document counts as another one even if its sentences are the same.",
        "另一篇文档即使句子完全相同，也算另一篇。",
        other_than_this_one,
    ),
    Mistake(
        "across_borders",
        "You pair the last sentence of a document with the first one of the next.",
        "你把一个文档的末句和下一个文档的首句配成了对。",
        partial(sentence_pairs, across=True),
    ),
    Mistake(
        "own_document_too",
        "A wrong B comes from *other* documents; you draw from all of them.",
        "错的 B 取自*别的*文档；你在全部文档里抽了。",
        partial(sentence_pairs, ours=True),
    ),
    Mistake(
        "own_document_only",
        "A wrong B comes from other documents, not from A's own.",
        "错的 B 取自别的文档，不是 A 自己的文档。",
        partial(sentence_pairs, skip=True),
    ),
    Mistake(
        "labels_turned",
        "1 says that B follows, 0 that it does not; you have it the other way round.",
        "1 表示 B 是下文，0 表示不是；你弄反了。",
        partial(sentence_pairs, label=lambda follows: not follows),
    ),
    Mistake(
        "coin_turned",
        "B follows if the coin is *below* 0.5.",
        "硬币*小于* 0.5 时，B 才是下文。",
        partial(sentence_pairs, heads=lambda coin: coin >= 0.5),
    ),
    Mistake(
        "always_follows",
        "With you B always follows: then there is nothing to predict.",
        "你的 B 总是下文：那就没什么可预测的了。",
        partial(sentence_pairs, heads=lambda coin: True),
    ),
    Mistake(
        "only_followers",
        "You leave out the pairs whose B does not follow.",
        "B 不是下文的那些对，你漏掉了。",
        partial(sentence_pairs, wrong_too=False),
    ),
    Mistake(
        "rounded_up",
        "Sentence number ⌊draw · n⌋, counted from 0: you round up.",
        "取第 ⌊draw · n⌋ 句，从 0 数起：你向上取整了。",
        partial(sentence_pairs, index=math.ceil),
    ),
    Mistake(
        "rounded",
        "Sentence number ⌊draw · n⌋: the brackets cut off, they do not round.",
        "取第 ⌊draw · n⌋ 句：⌊ ⌋ 是舍去小数，不是四舍五入。",
        partial(sentence_pairs, index=round),
    ),
    Mistake(
        "without_labels",
        "Return three numbers a pair: A, B and the label.",
        "每一对返回三个数：A、B 和标签。",
        lambda *given: sentence_pairs(*given)[:, :2],
    ),
]


# 4. Where is the answer?


def spans(
    begin, end, first, longest, last=None, order=lambda i, j: i <= j,
    room=lambda i, j, longest: j - i < longest, worth=lambda a, b: a + b,
    give=lambda i, j: (i, j), least=-math.inf,
):  # fmt: skip
    """Try every pair of places; the options make mistakes. Shape: (2,)."""
    best, found = least, (first, first)
    for i in range(first, len(begin)):
        for j in range(first if last is None else last, len(end)):
            if not (order(i, j) and room(i, j, longest)):
                continue
            if worth(begin[i], end[j]) > best:
                best, found = worth(begin[i], end[j]), give(i, j)
    return np.array(found)


def each_alone(begin, end, first, longest):
    return np.array([np.argmax(begin[first:]), np.argmax(end[first:])]) + first


def begin_first(begin, end, first, longest):
    i = first + int(np.argmax(begin[first:]))
    return np.array([i, i + int(np.argmax(end[i : i + longest]))])


def end_first(begin, end, first, longest):
    j = first + int(np.argmax(end[first:]))
    low = max(first, j - longest + 1)
    return np.array([low + int(np.argmax(begin[low : j + 1])), j])


def scored(rng: np.random.Generator, T: int, trap: str) -> tuple:
    """Return a case whose likeliest span is hidden behind a trap."""
    first, longest = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    begin, end = rng.normal(size=(2, T))
    i = int(rng.integers(first + 3, T - longest - 3))
    j = i + longest - 1
    begin[i], end[j] = 8 + rng.random(2)
    if trap == "crossed":  # the two highest are in the wrong order
        end[i - 2] = 10 + rng.random()
        begin[T - 1] = 9.5
    if trap == "long":  # the two highest are too far apart, by one place
        end[j + 1] = 10 + rng.random()
    if trap == "far":
        end[j + 2] = 10 + rng.random()
    if trap == "question":  # the best of all stand in the question
        begin[0], end[first - 1] = 20 + rng.random(2)
    if trap == "negative":  # a product of two low scores is high
        begin[i - 1], end[i] = -12 - rng.random(2)
    given = begin, end, first, longest
    return given, spans(*given)


def crowded(rng: np.random.Generator, T: int = 60) -> tuple:
    """Return a case with over twenty better ends before the span, and begins behind."""
    (begin, end), i = rng.normal(size=(2, T)), T // 2
    end[:i], begin[i + 2 :] = 9 + rng.random(i), 9 + rng.random(T - i - 2)
    begin[i], end[i + 1] = 8 + rng.random(2)
    given = begin, end, 3, 4
    return given, spans(*given)


TRAPS = ("", "crossed", "long", "far", "question", "negative")


@SPAN.check("the example", "题中的例子")
def example_span(answer: Callable, rng: np.random.Generator) -> None:
    begin = np.array([9.0, 1.0, 0.0, 2.0, 5.0, 1.0])
    end = np.array([9.0, 0.0, 6.0, 1.0, 2.0, 3.0])
    cases = [(2, 3, (4, 5)), (2, 1, (4, 4)), (0, 6, (0, 0)), (1, 6, (4, 5))]
    SPAN.compare(answer, [((begin, end, f, n), right) for f, n, right in cases])


@SPAN.check("cases that are traps", "设了陷阱的情形")
def traps(answer: Callable, rng: np.random.Generator) -> None:
    cases = [scored(rng, 18, trap) for trap in TRAPS * 2]
    (begin, end, *rest), right = scored(rng, 18, TRAPS[0])
    low = (begin - 20, end - 20, *rest), right  # every sum is negative
    SPAN.compare(answer, [*cases, low, crowded(rng)])


@SPAN.check("random scores", "随机的分数", hidden=True)
def random_scores(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers(16, 30, 3)
    SPAN.compare(answer, [scored(rng, int(T), trap) for T in sizes for trap in TRAPS])


SPAN.mistakes += [
    Mistake(
        "more_than_zero",
        "Your search begins with the sum 0, but all sums may be negative: begin at −∞.",
        "你找最大的和是从 0 开始的，可是所有的和都可能为负：要从 −∞ 开始。",
        partial(spans, least=0),
    ),
    Mistake(
        "each_alone",
        "You take the best begin and the best end, each on its own; together they may "
        "be no span.",
        "你把最好的起点和最好的终点各取各的；凑在一起未必是一段。",
        each_alone,
    ),
    Mistake(
        "begin_first",
        "You fix the best begin first; a lower begin with a much better end may win.",
        "你先定下最好的起点；起点差一点、终点好得多的，可能才是最好的。",
        begin_first,
    ),
    Mistake(
        "end_first",
        "You fix the best end first; a lower end with a much better begin may win.",
        "你先定下最好的终点；终点差一点、起点好得多的，可能才是最好的。",
        end_first,
    ),
    Mistake(
        "end_before_begin",
        "Your end may stand before the begin: i ≤ j is needed.",
        "你的终点可能在起点之前：必须 i ≤ j。",
        partial(spans, order=lambda i, j: True),
    ),
    Mistake(
        "no_single",
        "An answer may be a single piece: i = j is allowed.",
        "答案可以只有一个词片：i = j 也行。",
        partial(spans, order=lambda i, j: i < j),
    ),
    Mistake(
        "one_too_long",
        "Your answers have one piece too many: from i to j there are j − i + 1.",
        "你的答案多了一个词片：从 i 到 j 共有 j − i + 1 个。",
        partial(spans, room=lambda i, j, longest: j - i <= longest),
    ),
    Mistake(
        "one_too_short",
        "Your answers have at most longest − 1 pieces; longest is allowed.",
        "你的答案最多 longest − 1 个词片；应当允许 longest 个。",
        partial(spans, room=lambda i, j, longest: j - i < max(1, longest - 1)),
    ),
    Mistake(
        "any_length",
        "You forgot `longest`.",
        "你忘了 `longest`。",
        partial(spans, room=lambda i, j, longest: True),
    ),
    Mistake(
        "from_the_question",
        "The answer must lie in the paragraph, from place `first` on.",
        "答案必须在段落里，从位置 `first` 开始。",
        lambda begin, end, first, longest: spans(begin, end, 0, longest),
    ),
    Mistake(
        "product",
        "Scores are added: they are logarithms but for a constant. You multiply.",
        "分数要相加：它们是对数（只差一个常数）。你用了乘法。",
        partial(spans, worth=lambda a, b: a * b),
    ),
    Mistake(
        "end_excluded",
        "The end is the place of the last piece, not the one behind it.",
        "终点是最后一个词片的位置，不是它后面那个。",
        partial(spans, give=lambda i, j: (i, j + 1)),
    ),
    Mistake(
        "counted_in_the_paragraph",
        "Count places in the whole row, not from the beginning of the paragraph.",
        "位置按整行来数，不是从段落开头数。",
        lambda begin, end, first, longest: spans(begin, end, first, longest) - first,
    ),
]


# 5. Find the leak


def reached(layers, keep=True, turned=False, order=lambda layers: layers):
    """Follow what each place has read, from the lowest layer up. Shape: (T, T)."""
    T = len(layers[0])
    knows = [{j} for j in range(T)]
    for layer in order(layers):
        knows = [
            set().union(
                knows[i] if keep else set(),
                *(
                    knows[j]
                    for j in range(T)
                    if (layer[j][i] if turned else layer[i][j])
                ),
            )
            for i in range(T)
        ]
    return np.array([[j in known for j in range(T)] for known in knows])


def leaky(
    layers, hidden, predicts, reach=reached, hides=lambda hidden, i, j: hidden[j],
    asked=lambda wanted: wanted >= 0,
):  # fmt: skip
    """Say where an answer leaks; the options make mistakes. Shape: (T,)."""
    table, found = reach(layers), []
    for i, wanted in enumerate(predicts):
        leak = asked(wanted) and table[i][wanted] and not hides(hidden, i, wanted)
        found.append(int(leak))
    return np.array(found)


def only_top(layers):
    return reached(layers[-1:])


def only_lowest(layers):
    return reached(layers[:1])


def any_layer(layers):
    return np.any(np.array(layers, bool), axis=0) | np.eye(len(layers[0]), dtype=bool)


def stack_of(rng: np.random.Generator, T: int, L: int) -> tuple:
    """Return a case: random layers, some words hidden, some predicted."""
    layers = [(rng.random((T, T)) < 1.3 / T).astype(int) for _ in range(L)]
    hidden = (rng.random(T) < 0.3).astype(int)
    predicts = rng.integers(-1, T, T)
    predicts[0], predicts[1] = -1, 1
    hidden[1] = 0
    given = layers, hidden, predicts
    return given, leaky(*given)


def famous(T: int) -> list[tuple]:
    """Return the stacks of the course: GPT, a leak, BERT, a leaky and a good biLM."""
    left, both = np.tri(T, dtype=int), np.ones((T, T), dtype=int)
    none, following = np.zeros(T, dtype=int), np.append(np.arange(1, T), -1)
    some = (np.arange(T) % 3 == 1).astype(int)
    asked = np.where(some, np.arange(T), -1)
    cases = [
        ([left] * 3, none, following),
        ([both] * 2, none, following),
        ([both] * 2, some, asked),
        ([both] * 2, none, asked),
        ([both, left], none, following),  # as in nn.LSTM(bidirectional, 2 layers)
        ([left, left.T], none, following),
    ]
    return [(case, leaky(*case)) for case in cases]


@LEAKS.check("the example", "题中的例子")
def example_leaks(answer: Callable, rng: np.random.Generator) -> None:
    lower = [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    upper = [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    layers = [np.array(lower), np.array(upper)]
    cases = [
        (([0, 0, 0], [2, 2, 1]), [1, 1, 0]),
        (([0, 0, 1], [2, 2, 1]), [0, 0, 0]),
        (([0, 1, 0], [2, 2, 1]), [1, 1, 0]),  # a hidden place passes on what it read
        (([0, 0, 0], [0, -1, 0]), [1, 0, 1]),
    ]
    LEAKS.compare(
        answer,
        [((layers, *map(np.array, given)), right) for given, right in cases],
    )


@LEAKS.check("stacks of the course", "课上的几种网络")
def known_stacks(answer: Callable, rng: np.random.Generator) -> None:
    LEAKS.compare(answer, [*famous(6), *(stack_of(rng, 6, 3) for _ in range(6))])


@LEAKS.check("random stacks", "随机的网络", hidden=True)
def random_stacks(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [(int(T), L) for T in rng.integers(5, 9, 3) for L in (1, 2, 3, 4)]
    LEAKS.compare(answer, [stack_of(rng, *size) for size in sizes * 2])


def not_read_through(layers, hidden, predicts):
    """Let a hidden place pass on nothing of what it has read."""
    shown = 1 - np.array(hidden)  # (T,)
    return leaky([np.array(layer) * shown for layer in layers], hidden, predicts)


LEAKS.mistakes += [
    Mistake(
        "not_read_through",
        "A hidden place has no word of its own, but it reads others and passes on what "
        "it read.",
        "遮住的位置没有自己的词，可是它会读别的位置，并把读到的传下去。",
        not_read_through,
    ),
    Mistake(
        "top_layer_only",
        "You look at the top layer only; what it reads has read others below.",
        "你只看了最高一层；它读的那些位置，在下面已经读过别的了。",
        partial(leaky, reach=only_top),
    ),
    Mistake(
        "lowest_layer_only",
        "You look at the lowest layer only; upper layers pass on what was read there.",
        "你只看了最低一层；上面各层会把读到的再传下去。",
        partial(leaky, reach=only_lowest),
    ),
    Mistake(
        "any_layer",
        "A path through several places, one layer after the other, leaks too.",
        "一层接一层、经过几个位置绕过来的路，也会泄漏。",
        partial(leaky, reach=any_layer),
    ),
    Mistake(
        "no_residual",
        "A place keeps what it has (the residual path): it always reads itself.",
        "一个位置会保留自己已有的东西（残差连接）：它总读得到自己。",
        partial(leaky, reach=partial(reached, keep=False)),
    ),
    Mistake(
        "upside_down",
        "You begin with the highest layer; the first of the list is the lowest.",
        "你从最高层开始了；列表的第一个是最低层。",
        partial(leaky, reach=partial(reached, order=lambda layers: layers[::-1])),
    ),
    Mistake(
        "turned_round",
        "layers[l][i][j] says that i reads j; you have it the other way round.",
        "layers[l][i][j] 表示 i 读 j；你弄反了。",
        partial(leaky, reach=partial(reached, turned=True)),
    ),
    Mistake(
        "hidden_forgotten",
        "A hidden word is not in the input: it cannot leak.",
        "遮住的词不在输入里：它泄漏不了。",
        partial(leaky, hides=lambda hidden, i, j: False),
    ),
    Mistake(
        "own_place_hidden",
        "What counts is whether the *answer's* place is hidden, not the place of the "
        "state that predicts it.",
        "要看*答案*所在的位置遮没遮，不是做预测的那个位置。",
        partial(leaky, hides=lambda hidden, i, j: hidden[i]),
    ),
    Mistake(
        "nothing_asked",
        "Where nothing is predicted (-1) nothing leaks; -1 is not the last place.",
        "不预测的地方（-1）谈不上泄漏；-1 不是指最后一个位置。",
        partial(leaky, asked=lambda wanted: True),
    ),
    Mistake(
        "upside_of_answer",
        "1 says that the answer leaks, 0 that it does not.",
        "1 表示泄漏，0 表示没有泄漏。",
        lambda *given: 1 - leaky(*given),
    ),
]


# 6. Load a released layer


PREFIX, HEADS = "encoder.layer", 2


def their_layer(theirs, k, x, part=lambda name: name, ends=("weight", "bias"),
                moved=0, turned=(), eps=1e-12):  # fmt: skip
    """Compute a layer from released names, place by place; the options make mistakes.

    part: which name is looked up for a name;  ends: the two of a LayerNorm;  turned:
    names whose matrix is transposed
    """

    def get(name, *ends):
        name = f"{PREFIX}.{k + moved}.{part(name)}"
        found = next(f"{name}.{end}" for end in ends if f"{name}.{end}" in theirs)
        return theirs[found]

    def linear(name, v):
        w = get(name, "weight")
        w = w.T if name in turned else w
        return np.array([row @ v for row in w]) + get(name, "bias")

    def norm(name, v):
        v = (v - v.mean()) / math.sqrt(v.var() + eps)
        first, second = ("weight", "gamma"), ("bias", "beta")
        if ends == ("bias", "weight"):
            first, second = second, first
        return get(name, *first) * v + get(name, *second)

    def gelu(v):
        return v / 2 * (1 + np.tanh(0.79788456 * (v + 0.044715 * v**3)))

    of = {p: [linear(f"attention.self.{p}", v) for v in x]
          for p in ("query", "key", "value")}  # fmt: skip
    d, found = x.shape[1] // HEADS, []
    for t, v in enumerate(x):
        looked = []
        for head in (slice(h * d, (h + 1) * d) for h in range(HEADS)):
            asks = of["query"][t][head] / math.sqrt(d)
            near = [asks @ key[head] for key in of["key"]]
            share = np.exp(np.array(near) - max(near))
            share /= share.sum()
            looked += list(share @ np.array([value[head] for value in of["value"]]))
        v = norm("attention.output.LayerNorm",
                 v + linear("attention.output.dense", np.array(looked)))  # fmt: skip
        inner = gelu(linear("intermediate.dense", v))
        found.append(norm("output.LayerNorm", v + linear("output.dense", inner)))
    return np.array(found)


def released(rng: np.random.Generator, k: int, D: int, inner: int, old: bool) -> tuple:
    """Return a case: a file with the layers 0, k - 1, k and 10 k, and what is right."""
    shapes = {f"attention.self.{p}": (D, D) for p in ("query", "key", "value")}
    shapes |= {"attention.output.dense": (D, D), "intermediate.dense": (inner, D)}
    shapes |= {"output.dense": (D, inner)}
    theirs = {"embeddings.word_embeddings.weight": rng.normal(size=(9, D))}
    for layer in sorted({0, max(k - 1, 0), k, k + 1, 10 * k}):
        at = f"{PREFIX}.{layer}"
        for name, shape in shapes.items():
            theirs[f"{at}.{name}.weight"] = rng.normal(size=shape)
            theirs[f"{at}.{name}.bias"] = rng.normal(size=shape[0])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            for end in ("gamma", "beta") if old else ("weight", "bias"):
                theirs[f"{at}.{name}.{end}"] = rng.normal(1.0, 0.5, D)
    given = theirs, k, rng.normal(size=(4, D))
    return given, their_layer(*given)


@PARITY.check("layer 0 of a small file", "小文件的第 0 层")
def first_layer(answer: Callable, rng: np.random.Generator) -> None:
    PARITY.compare(answer, [released(rng, 0, 6, 8, False)])


@PARITY.check("a layer among others", "许多层当中的一层")
def a_layer(answer: Callable, rng: np.random.Generator) -> None:
    PARITY.compare(answer, [released(rng, 1, 6, 10, False) for _ in range(3)])


@PARITY.check("a square feed-forward layer", "前馈层恰好是方阵")
def square_layer(answer: Callable, rng: np.random.Generator) -> None:
    PARITY.compare(answer, [released(rng, 1, 6, 6, False) for _ in range(3)])


@PARITY.check("an older file", "较早的文件")
def old_file(answer: Callable, rng: np.random.Generator) -> None:
    PARITY.compare(answer, [released(rng, 1, 6, 6, True) for _ in range(2)])


@PARITY.check("random files", "随机的文件", hidden=True)
def random_files(answer: Callable, rng: np.random.Generator) -> None:
    ks = rng.integers(0, 4, 4).tolist()
    PARITY.compare(
        answer, [released(rng, k, 8, 8, old) for k in ks for old in (False, True)]
    )


def swapped(one: str, other: str) -> Callable:
    """Return a function that takes one name for the other."""
    return lambda name: {one: other, other: one}.get(name, name)


def without_bias(theirs, k, x):
    bare = {n: w * 0 if n.endswith("dense.bias") else w for n, w in theirs.items()}
    return their_layer(bare, k, x)


QUERY, KEY, VALUE = (f"attention.self.{p}" for p in ("query", "key", "value"))
NORMS = "attention.output.LayerNorm", "output.LayerNorm"
PARITY.mistakes += [
    Mistake(
        "query_key_swapped",
        "The first third is the query, the second the key; you have them the other "
        "way round.",
        "前三分之一是 query，中间是 key；你把这两份对调了。",
        partial(their_layer, part=swapped(QUERY, KEY)),
    ),
    Mistake(
        "key_value_swapped",
        "The second third is the key, the last the value; you have swapped them.",
        "中间三分之一是 key，最后是 value；你把这两份对调了。",
        partial(their_layer, part=swapped(KEY, VALUE)),
    ),
    Mistake(
        "value_first",
        "Query, key, value from top to bottom; you have value first.",
        "从上到下是 query、key、value；你把 value 放在了最前面。",
        partial(their_layer, part=swapped(QUERY, VALUE)),
    ),
    Mistake(
        "norms_swapped",
        "The LayerNorm behind attention is after_looking, the one behind the "
        "feed-forward layer is after_thinking.",
        "注意力后面的 LayerNorm 是 after_looking，前馈层后面的才是 after_thinking。",
        partial(their_layer, part=swapped(*NORMS)),
    ),
    Mistake(
        "one_norm_twice",
        "Each of the two LayerNorms has numbers of its own; you take one twice.",
        "两个 LayerNorm 各有各的数；你把同一个用了两次。",
        partial(their_layer, part=lambda name: name.replace(*NORMS)),
    ),
    Mistake(
        "gamma_beta_swapped",
        "gamma is the weight of a LayerNorm, beta its bias.",
        "gamma 是 LayerNorm 的 weight，beta 是 bias。",
        partial(their_layer, ends=("bias", "weight")),
    ),
    Mistake(
        "matrices_turned",
        "A linear weight is (outputs, inputs) on both sides: do not transpose it.",
        "线性层的权重两边都是（输出，输入）：不要转置。",
        partial(
            their_layer,
            turned=(
                QUERY,
                KEY,
                VALUE,
                "attention.output.dense",
                "intermediate.dense",
                "output.dense",
            ),
        ),  # fmt: skip
    ),
    Mistake(
        "attention_turned",
        "The matrices of attention are (outputs, inputs), too: do not transpose them.",
        "注意力的矩阵也是（输出，输入）：不要转置。",
        partial(their_layer, turned=(QUERY, KEY, VALUE, "attention.output.dense")),
    ),
    Mistake(
        "wrong_layer",
        "You read another layer: layer k has the number k, counted from 0.",
        "你读了别的层：第 k 层的编号就是 k，从 0 数起。",
        partial(their_layer, moved=1),
    ),
    Mistake(
        "always_layer_0",
        "You read layer 0 whatever k is.",
        "不管 k 是几，你读的都是第 0 层。",
        lambda theirs, k, x: their_layer(theirs, 0, x),
    ),
    Mistake(
        "no_bias",
        "The biases belong to it, too.",
        "偏置也要带上。",
        without_bias,
    ),
]
