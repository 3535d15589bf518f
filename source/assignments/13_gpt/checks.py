"""The checks of assignment 13, GPT, and the mistakes that people make.

What is right is computed the slow way, place by place; the options of these functions
make the mistakes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import torch

from course_lib.grading.checks import Mistake, Task

ATTEND = Task("13.attend")
HEADS = Task("13.heads")
SEES = Task("13.sees")
ROWS = Task("13.rows")
OBJECTIVE = Task("13.objective")
TASKS = {task.name: task for task in (ATTEND, HEADS, SEES, ROWS, OBJECTIVE)}


def normal(rng: np.random.Generator, *shape: int) -> torch.Tensor:
    """Return random numbers in double precision."""
    return torch.from_numpy(rng.normal(size=shape))


# 1. Attention that does not look ahead


def looked(
    q, k, v,
    hidden=lambda i, j: j > i,
    scale=lambda H, T, d: d**0.5,
    blank=-math.inf,
    late=False,
    over=2,
    turned=False,
    give=lambda weights, v: weights @ v,
):  # fmt: skip
    """Fill the table of scores place by place; the options make mistakes."""
    H, T, d = q.shape
    scores, mask = torch.zeros(H, T, T).double(), torch.zeros(T, T, dtype=torch.bool)
    for i in range(T):
        for j in range(T):
            pair = (k[:, i] * q[:, j]) if turned else (q[:, i] * k[:, j])  # (H, d)
            scores[:, i, j] = pair.sum(dim=1) / scale(H, T, d)
            mask[i, j] = hidden(i, j)
    if not late:
        scores = scores.masked_fill(mask, blank)
    weights = scores.softmax(dim=over)
    if late:
        weights = weights.masked_fill(mask, 0.0)
    return give(weights, v)


def three(rng: np.random.Generator, H: int, T: int, d: int) -> tuple:
    """Return a case: queries, keys and values, and what is found."""
    inputs = tuple(normal(rng, H, T, d) for _ in range(3))
    return inputs, looked(*inputs).numpy()


@ATTEND.check("the example", "题中的例子")
def example_attend(answer: Callable, rng: np.random.Generator) -> None:
    q, k, v = ([1.0, 2.0], [0.0, math.log(3)], [4.0, 8.0])
    inputs = tuple(torch.tensor(x).double().view(1, 2, 1) for x in (q, k, v))
    ATTEND.compare(answer, [(inputs, [[[4.0], [7.6]]])])


@ATTEND.check("several heads and dimensions", "多个头、多维")
def several_attend(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (1, 4, 3), (2, 5, 4), (3, 2, 6)
    q = normal(rng, 2, 4, 3)
    q = q * 300**0.5 * 3**0.25 / q.norm(dim=2, keepdim=True)
    far = q, -q, normal(rng, 2, 4, 3)  # places find themselves with -300
    cases = [three(rng, *size) for size in sizes]
    ATTEND.compare(answer, [*cases, (far, looked(*far).numpy())])


@ATTEND.check("random texts", "随机的文本", hidden=True)
def random_attend(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, 6, 3), (4, 3, 5), (1, 8, 2), (3, 5, 7)
    ATTEND.compare(answer, [three(rng, *size) for size in sizes])


ATTEND.mistakes += [
    Mistake(
        "not_low_enough",
        "What is hidden gets a low score that is not low enough where all the others "
        "are low, too: take −∞.",
        "你给遮住的位置一个很低的分数，可是别的分数也都很低时，它就不够低了：要用 −∞。",
        partial(looked, blank=-20.0),
    ),
    Mistake(
        "looks_ahead",
        "Nothing is hidden: place 0 finds something of place 1, which has yet to come.",
        "什么都没有遮住：位置 0 看到了还没出现的位置 1。",
        partial(looked, hidden=lambda i, j: False),
    ),
    Mistake(
        "blind_to_itself",
        "A place must see itself: hide j > i, not j ≥ i. Else place 0 sees nothing.",
        "每个位置要看得见自己：遮住 j > i，不是 j ≥ i；否则位置 0 什么也看不见。",
        partial(looked, hidden=lambda i, j: j >= i),
    ),
    Mistake(
        "hides_the_past",
        "You hide what is before (j < i). Hide what comes after.",
        "你遮住了前面的（j < i）；该遮的是后面的。",
        partial(looked, hidden=lambda i, j: j < i),
    ),
    Mistake(
        "not_scaled",
        "The scores are not divided by √d.",
        "分数没有除以 √d。",
        partial(looked, scale=lambda H, T, d: 1.0),
    ),
    Mistake(
        "scaled_by_d",
        "You divide by d; it should be √d.",
        "你除以了 d；应当是 √d。",
        partial(looked, scale=lambda H, T, d: d),
    ),
    Mistake(
        "multiplied",
        "You multiply by √d; divide by it.",
        "你乘了 √d；应当除以它。",
        partial(looked, scale=lambda H, T, d: d**-0.5),
    ),
    Mistake(
        "scaled_by_time",
        "You divide by the root of T, the number of places; d is the last dimension.",
        "你除以了位置数 T 的平方根；d 是最后一维。",
        partial(looked, scale=lambda H, T, d: T**0.5),
    ),
    Mistake(
        "scaled_by_all_heads",
        "You divide by √(H·d). Each head has d dimensions, and knows of no other.",
        "你除以了 √(H·d)。每个头只有 d 维，不管别的头。",
        partial(looked, scale=lambda H, T, d: (H * d) ** 0.5),
    ),
    Mistake(
        "zero_is_not_nothing",
        "A score of 0 is not a weight of 0: e⁰ = 1. Hidden scores must be −∞.",
        "分数为 0 不等于权重为 0：e⁰ = 1。遮住的分数应当是 −∞。",
        partial(looked, blank=0.0),
    ),
    Mistake(
        "hidden_too_late",
        "You set weights to 0 after the softmax: the rest no longer adds up to 1. Hide "
        "the scores before it.",
        "你在 softmax 之后才把权重清零：剩下的加起来不再是 1。应当在它之前遮住分数。",
        partial(looked, late=True),
    ),
    Mistake(
        "softmax_over_queries",
        "Your softmax runs over the queries (dim=1). Each query shares out its own "
        "attention: over the keys, dim=2.",
        "你的 softmax 是沿查询（dim=1）做的。每个查询分配自己的注意力：应沿键，dim=2。",
        partial(looked, over=1),
    ),
    Mistake(
        "exchanged",
        "Queries and keys have changed places: row i belongs to query i.",
        "查询和键弄反了：第 i 行属于查询 i。",
        partial(looked, turned=True),
    ),
    Mistake(
        "only_weights",
        "These are the weights; they are still to be multiplied with the values.",
        "这是权重；还要乘上值。",
        partial(looked, give=lambda weights, v: weights),
    ),
]


# 2. Heads side by side


def apart(x, H):
    """Give each head its neighbouring dimensions. Shape: (T, D) to (H, T, D/H)."""
    d = x.shape[1] // H
    return torch.stack([x[:, h * d : (h + 1) * d] for h in range(H)])


def together(found):
    """Lay the heads side by side. Shape: (H, T, D/H) to (T, D)."""
    return torch.cat(list(found), dim=1)


def by_heads(x, H, look, split=apart, join=together, give=lambda found, x: found):
    """Split, look, join; the options make mistakes."""
    return give(join(look(split(x, H))), x)


def busy(h: torch.Tensor) -> torch.Tensor:
    """Treat every head, place and dimension differently, whatever the shape is."""
    head = torch.arange(1, len(h) + 1).double()[:, None, None]
    return h.cumsum(dim=1) * head + h.flip(2) ** 2


def same_again(h: torch.Tensor) -> torch.Tensor:
    return h


def split_up(rng: np.random.Generator, T: int, H: int, d: int, look=busy) -> tuple:
    """Return a case: vectors, heads and a look, and what is found."""
    inputs = normal(rng, T, H * d), H, look
    return inputs, by_heads(*inputs).numpy()


@HEADS.check("nothing changes", "什么也不做")
def nothing_changes(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 2, 2), (4, 3, 2)
    HEADS.compare(answer, [split_up(rng, *size, same_again) for size in sizes])


@HEADS.check("heads that look around", "各头各看各的")
def looking_heads(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 2, 4), (5, 4, 2), (2, 3, 5), (4, 1, 3)
    HEADS.compare(answer, [split_up(rng, *size) for size in sizes])


@HEADS.check("random sizes", "随机的大小", hidden=True)
def random_heads(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (6, 2, 3), (3, 5, 2), (4, 3, 4), (5, 2, 7)
    HEADS.compare(answer, [split_up(rng, *size) for size in sizes])


def interleaved(x, H):
    return x.reshape(len(x), -1, H).permute(2, 0, 1)


def in_turns(found):
    return found.permute(1, 2, 0).reshape(found.shape[1], -1)


def cut_anyhow(x, H):
    return x.reshape(H, len(x), -1)


def glued_anyhow(found):
    return found.reshape(found.shape[1], -1)


def one_by_one(x, H, look):
    return together([look(part[None])[0] for part in apart(x, H)])


def all_in_one(x, H, look):
    return look(x[None])[0]


def first_head(x, H, look):
    return torch.cat([look(apart(x, H))[0]] * H, dim=1)


def by_places(x, H, look):
    found = look(apart(x, H).transpose(0, 1))  # (T, H, D/H)
    return together(found.transpose(0, 1))


HEADS.mistakes += [
    Mistake(
        "cut_anyhow",
        "`view(H, T, …)` has the right shape and the wrong contents: a head gets whole "
        "rows of some places. Split the last dimension, `view(T, H, …)`, then "
        "transpose.",
        "`view(H, T, …)` 形状对了，内容错了：一个头拿到的是某些位置的整行。"
        "应当拆最后一维 `view(T, H, …)`，再转置。",
        partial(by_heads, split=cut_anyhow, join=glued_anyhow),
    ),
    Mistake(
        "glued_anyhow",
        "The way back lacks a transpose: (H, T, d) must become (T, H, d) before the "
        "heads are joined.",
        "合并时漏了转置：(H, T, d) 要先变成 (T, H, d)，再把各头接起来。",
        partial(by_heads, join=glued_anyhow),
    ),
    Mistake(
        "cut_anyhow_only",
        "You take it apart wrongly and put it together rightly: for "
        "`look = lambda h: h` it is not even x. Split the last dimension, "
        "`view(T, H, …)`, and transpose.",
        "拆得不对，合得对：`look = lambda h: h` 时连 x 都得不到。"
        "应当拆最后一维 `view(T, H, …)`，再转置。",
        partial(by_heads, split=cut_anyhow),
    ),
    Mistake(
        "in_turns",
        "Your heads take the dimensions in turns (a, c and b, d). They take "
        "neighbours: a, b and c, d.",
        "你的各头是轮流取维的（a、c 和 b、d）；应当取相邻的：a、b 和 c、d。",
        partial(by_heads, split=interleaved, join=in_turns),
    ),
    Mistake(
        "joined_in_turns",
        "You split neighbours and join in turns: the dimensions come back in another "
        "order.",
        "拆的时候取相邻的维，合的时候却轮流放：各维的次序变了。",
        partial(by_heads, join=in_turns),
    ),
    Mistake(
        "backwards",
        "The heads come back in reverse order.",
        "各头拼回去的次序反了。",
        partial(by_heads, join=lambda found: together(found.flip(0))),
    ),
    Mistake(
        "added_up",
        "You add the heads up; they are laid side by side.",
        "你把各头加起来了；应当并排放。",
        partial(by_heads, join=lambda found: found.sum(dim=0)),
    ),
    Mistake(
        "averaged",
        "You average the heads; they are laid side by side.",
        "你对各头取了平均；应当并排放。",
        partial(by_heads, join=lambda found: found.mean(dim=0)),
    ),
    Mistake(
        "one_head_at_a_time",
        "`look` is called for each head alone; then it cannot know which head it is. "
        "Hand it all heads at once, shape (H, T, D/H).",
        "你给每个头单独调用了 `look`，它就不知道这是第几个头。"
        "应当把所有头一起交给它，形状 (H, T, D/H)。",
        one_by_one,
    ),
    Mistake(
        "not_split",
        "`look` got one head with all dimensions: nothing is split.",
        "`look` 拿到的是一个头、全部的维：没有拆开。",
        all_in_one,
    ),
    Mistake(
        "only_the_first",
        "All parts are those of the first head.",
        "每一段都是第一个头的。",
        first_head,
    ),
    Mistake(
        "places_first",
        "`look` got (T, H, D/H); it takes (H, T, D/H).",
        "`look` 拿到的是 (T, H, D/H)；它要的是 (H, T, D/H)。",
        by_places,
    ),
    Mistake(
        "residual",
        "You have added x. That comes later, in the block; here only what was found is "
        "returned.",
        "你加上了 x。那是后面块里的事；这里只返回所得。",
        partial(by_heads, give=lambda found, x: found + x),
    ),
]


# 3. Who sees whom?


class Reader:
    """A function from (T, D) to (T, D) that sees what its mask says, in its own way.

    kinds: "plain"     y_i = Σ_j M_ij x_j, with random factors of both signs
           "balanced"  each y_i adds up to 0, whatever x is
           "last"      only the last feature looks around, at the others' first
           "first"     only the first feature looks around, at the others' last
           "faint"     what others contribute is a billionth
    """

    def __init__(self, mask: np.ndarray, kind: str, rng: np.random.Generator):
        self.mask, self.kind = torch.from_numpy(mask).double(), kind
        factors = rng.uniform(0.5, 1.5, mask.shape) * rng.choice([-1, 1], mask.shape)
        self.factors = torch.from_numpy(factors)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        matrix = self.mask * self.factors  # (T, T)
        own = torch.diag(matrix.diagonal())
        if self.kind in ("last", "first"):
            here, there = (-1, 0) if self.kind == "last" else (0, -1)
            around = ((matrix - own) @ x[:, there])[:, None]  # (T, 1)
            place = torch.zeros(1, x.shape[1]).double()
            place[0, here] = 1
            return own @ x + around * place
        if self.kind == "faint":
            matrix = own + 1e-9 * (matrix - own)
        found = matrix @ x
        return found - found.flip(1) if self.kind == "balanced" else found

    def __repr__(self) -> str:
        return f"{self.kind} function {self.mask.tolist()}, {self.factors.tolist()}"


def slopes(f, x):
    """Return all derivatives, one output after the other. Shape: (T, D, T, D)."""
    T, D = x.shape
    found = torch.zeros(T, D, T, D).double()
    for i in range(T):
        for a in range(D):
            inputs = x.clone().requires_grad_()
            found[i, a] = torch.autograd.grad(f(inputs)[i, a], inputs)[0]
    return found


def seen(f, x, judge=lambda s: (s != 0).any(dim=3).any(dim=1)):
    """Judge who sees whom from the derivatives; the options make mistakes."""
    return judge(slopes(f, x)).double()


def causal(T: int) -> np.ndarray:
    return np.tril(np.ones((T, T)))


def masks(T: int) -> list[np.ndarray]:
    """Return who sees whom, five ways."""
    leak = causal(T)
    leak[1, T - 1] = 1
    bag, shifted = np.ones((T, T)), np.tril(np.ones((T, T)), -1)
    shifted[0, 0] = 1
    return [causal(T), leak, bag, shifted, np.eye(T)]


def reader(rng: np.random.Generator, mask: np.ndarray, kind: str, D: int) -> tuple:
    """Return a case: a function and a text, and who sees whom."""
    return (Reader(mask, kind, rng), normal(rng, len(mask), D)), mask


def in_the_example(x: torch.Tensor) -> torch.Tensor:
    return torch.stack([x[0], x[0] + x[1], 3 * x[2]])


def multiplied(x: torch.Tensor) -> torch.Tensor:
    return torch.stack([x[0], x[0] * x[1], x[1] * x[2]])


@SEES.check("the example", "题中的例子")
def example_sees(answer: Callable, rng: np.random.Generator) -> None:
    right = [[1, 0, 0], [1, 1, 0], [0, 0, 1]]
    SEES.compare(answer, [((in_the_example, normal(rng, 3, 2)), right)])


@SEES.check("places that are multiplied", "位置之间相乘")
def multiplied_sees(answer: Callable, rng: np.random.Generator) -> None:
    right = [[1, 0, 0], [1, 1, 0], [0, 1, 1]]  # at zeros every derivative is 0
    SEES.compare(answer, [((multiplied, normal(rng, 3, 2)), right)])


@SEES.check("causal or not", "有没有往后看")
def causal_or_not(answer: Callable, rng: np.random.Generator) -> None:
    SEES.compare(answer, [reader(rng, mask, "plain", 3) for mask in masks(4)])


@SEES.check("functions that hide it", "藏得深的函数")
def hidden_dependence(answer: Callable, rng: np.random.Generator) -> None:
    kinds = "balanced", "last", "faint", "first"
    leak = masks(5)[1]
    SEES.compare(answer, [reader(rng, leak, kind, 4) for kind in kinds])


@SEES.check("random masks", "随机的掩码", hidden=True)
def random_sees(answer: Callable, rng: np.random.Generator) -> None:
    cases = []
    for kind in ("plain", "last", "faint", "balanced", "first", "plain"):
        mask = (rng.random((6, 6)) < 0.5).astype(float)
        np.fill_diagonal(mask, 1)
        mask[0, 5], mask[5, 0] = 1, 0
        cases.append(reader(rng, mask, kind, 4))
    SEES.compare(answer, cases)


def values_not_zero(f, x):
    return (f(x)[:, None] != 0).any(dim=2).double().expand(-1, len(x))


def never_reset(f, x):
    return (slopes(f, x).abs().sum(dim=(1, 3)).cumsum(dim=0) > 0).double()


def without_looking(f, x):
    return torch.ones(len(x), len(x)).tril().double()


def off_diagonal(s):
    found = (s != 0).any(dim=3).any(dim=1)
    return found & ~torch.eye(len(s), dtype=torch.bool)


SEES.mistakes += [
    Mistake(
        "at_zeros",
        "You take the derivative at zeros; where places are multiplied, it is 0 there. "
        "Take it at x.",
        "你在全零处求导；位置之间相乘时，那里的导数是 0。应当在 x 处求导。",
        lambda f, x: (
            (torch.autograd.functional.jacobian(f, torch.zeros_like(x)) != 0)
            .any(dim=3)
            .any(dim=1)
            .double()
        ),
    ),
    Mistake(
        "turned_round",
        "Rows and columns are exchanged: row i is the output, column j the input.",
        "行和列反了：第 i 行是输出，第 j 列是输入。",
        partial(seen, judge=lambda s: (s != 0).any(dim=3).any(dim=1).T),
    ),
    Mistake(
        "cancelled",
        "You add up the numbers of y_i before taking the derivative. Where they always "
        "have the same sum you see nothing. Take each by itself.",
        "你先把 y_i 的各个数加起来再求导；它们的和若永远不变，你就什么也看不见。"
        "应当一个一个来。",
        partial(seen, judge=lambda s: (s.sum(dim=1) != 0).any(dim=2)),
    ),
    Mistake(
        "first_output",
        "You look at the first number of y_i only; another one may see more.",
        "你只看了 y_i 的第一个数；别的数可能看得更多。",
        partial(seen, judge=lambda s: (s[:, 0] != 0).any(dim=2)),
    ),
    Mistake(
        "first_input",
        "You look at the first number of x_j only; y_i may depend on another one.",
        "你只看了 x_j 的第一个数；y_i 可能依赖别的数。",
        partial(seen, judge=lambda s: (s[..., 0] != 0).any(dim=1)),
    ),
    Mistake(
        "only_upwards",
        "A negative derivative is one, too: ask for ≠ 0, not for > 0.",
        "导数为负也是有导数：要问 ≠ 0，不是 > 0。",
        partial(seen, judge=lambda s: (s > 0).any(dim=3).any(dim=1)),
    ),
    Mistake(
        "too_coarse",
        "You take small derivatives for 0. A mask makes them exactly 0; a little is a "
        "leak.",
        "你把很小的导数当成了 0。掩码会让导数恰好是 0；有一点点就是泄漏。",
        partial(seen, judge=lambda s: (s.abs() > 1e-4).any(dim=3).any(dim=1)),
    ),
    Mistake(
        "sizes",
        "These are sizes of derivatives; return 1 where there is one, and 0 elsewhere.",
        "这是导数的大小；有导数的地方返回 1，其余返回 0。",
        partial(seen, judge=lambda s: s.pow(2).sum(dim=(1, 3)).sqrt()),
    ),
    Mistake(
        "sums",
        "These are sums of derivatives, which may cancel, and they are not 0 or 1.",
        "这是导数之和，可能互相抵消，而且不是 0 或 1。",
        partial(seen, judge=lambda s: s.sum(dim=(1, 3))),
    ),
    Mistake(
        "all_at_once",
        "All rows are alike: you take the derivative of all outputs together. Which "
        "output it was is then lost.",
        "每一行都一样：你把所有输出放在一起求导，就分不出是哪个输出了。",
        partial(
            seen,
            judge=lambda s: (
                (s != 0).any(dim=3).any(dim=1).any(dim=0).expand(len(s), -1)
            ),
        ),
    ),
    Mistake(
        "never_reset",
        "The gradients of earlier outputs are still there: set `x.grad` to None (or 0) "
        "before each.",
        "前面输出的梯度还留着：每次之前要把 `x.grad` 清掉。",
        never_reset,
    ),
    Mistake(
        "not_itself",
        "An output may see its own place; you always leave the diagonal empty.",
        "输出可以看见自己的位置；你总让对角线为空。",
        partial(seen, judge=off_diagonal),
    ),
    Mistake(
        "without_looking",
        "This is what a causal model should give. Find out whether this one does.",
        "这是因果模型应有的答案。要查的是眼前这一个是不是。",
        without_looking,
    ),
    Mistake(
        "values",
        "You ask whether the outputs are 0. Ask whether their derivatives are.",
        "你问的是输出是不是 0；该问的是它们的导数。",
        values_not_zero,
    ),
]


# 4. Four tasks as rows


def write(
    kind, texts,
    start=(1,), between=(2,), end=(3,),
    orders=lambda a, b: [(a, b), (b, a)],
    choices=lambda question, answers: [(question, answer) for answer in answers],
    pad=lambda row, n: row + [0] * (n - len(row)),
):  # fmt: skip
    """Write the rows of an example; the options make mistakes. Shape: (R, T)."""
    if kind in ("classification", "entailment"):
        found = [tuple(texts)]
    elif kind == "similarity":
        found = orders(*texts)
    else:
        found = choices(texts[0], texts[1:])
    rows = []
    for parts in found:
        row = [*start, *parts[0]]
        for part in parts[1:]:
            row += [*between, *part]
        rows.append([*row, *end])
    longest = max(map(len, rows))
    return [pad(row, longest) for row in rows]


def text(rng: np.random.Generator, most: int = 5) -> list[int]:
    return rng.integers(10, 60, size=rng.integers(1, most + 1)).tolist()


def one_of(rng: np.random.Generator, kind: str) -> tuple:
    """Return a case: an example of a kind, and its rows."""
    n = {"classification": 1, "entailment": 2, "similarity": 2}.get(kind)
    texts = [text(rng) for _ in range(n or int(rng.integers(3, 6)))]
    texts[-1] = text(rng) + [7]  # never as long as nothing, and unlike the others
    return (kind, texts), write(kind, texts)


KINDS = ("classification", "entailment", "similarity", "choice")


@ROWS.check("one kind after the other", "逐类检查")
def each_kind(answer: Callable, rng: np.random.Generator) -> None:
    cases = [
        ("classification", [[10, 11]]),
        ("entailment", [[10, 11, 12], [13]]),
        ("similarity", [[10, 11, 12], [13]]),
        ("similarity", [[15, 11], [12, 13, 14]]),
        ("choice", [[10, 11], [12], [13, 14]]),
        ("choice", [[10], [11, 12, 13], [14], [15, 16]]),
    ]
    ROWS.compare(answer, [(case, write(*case)) for case in cases])


@ROWS.check("random examples", "随机的例子", hidden=True)
def random_rows(answer: Callable, rng: np.random.Generator) -> None:
    ROWS.compare(answer, [one_of(rng, kind) for kind in (*KINDS, *KINDS)])


def in_front(row, n):
    return [0] * (n - len(row)) + row


def inside(row, n):
    return row[:-1] + [0] * (n - len(row)) + row[-1:]


def in_one_row(question, answers):
    return [(question, *answers)]


ROWS.mistakes += [
    Mistake(
        "sorted_first",
        "The given order comes first, not the alphabetical one.",
        "先写给定的次序，而不是按大小排好的次序。",
        partial(write, orders=lambda a, b: [sorted((a, b)), sorted((a, b))[::-1]]),
    ),
    Mistake(
        "no_start",
        "The start mark (1) is missing.",
        "少了开始标记（1）。",
        partial(write, start=()),
    ),
    Mistake(
        "no_extract",
        "The extract mark (3) is missing: it is its vector that decides.",
        "少了提取标记（3）：作判断的正是它的向量。",
        partial(write, end=()),
    ),
    Mistake(
        "no_delimiter",
        "Nothing stands between the two texts: the delimiter (2) is missing.",
        "两段文本之间什么也没有：少了分隔标记（2）。",
        partial(write, between=()),
    ),
    Mistake(
        "swapped_marks",
        "Start (1) and extract (3) have changed places.",
        "开始标记（1）和提取标记（3）弄反了。",
        partial(write, start=(3,), end=(1,)),
    ),
    Mistake(
        "extract_between",
        "You put the extract mark (3) between the texts as well; there belongs the "
        "delimiter (2).",
        "两段文本之间你也写了提取标记（3）；那里应当是分隔标记（2）。",
        partial(write, between=(3,)),
    ),
    Mistake(
        "starts_again",
        "The second text begins with a start mark. One row has one start.",
        "第二段文本又写了开始标记。一行只有一个开始。",
        partial(write, between=(2, 1)),
    ),
    Mistake(
        "not_padded",
        "The rows have different lengths: fill the shorter ones up behind with 0.",
        "各行长短不一：短的要在后面补 0。",
        partial(write, pad=lambda row, n: row),
    ),
    Mistake(
        "padded_in_front",
        "You pad in front. Then the words stand at other places than those that the "
        "model has learned; pad behind.",
        "你在前面补了 0。词的位置就跟模型学过的不一样了；应当补在后面。",
        partial(write, pad=in_front),
    ),
    Mistake(
        "padded_inside",
        "You pad before the extract mark: then it reads the padding. Pad behind it.",
        "你补在了提取标记之前：它就会读到填充。应当补在它后面。",
        partial(write, pad=inside),
    ),
    Mistake(
        "one_order",
        "A similarity has no order: write both rows.",
        "相似任务不分先后：两行都要写。",
        partial(write, orders=lambda a, b: [(a, b)]),
    ),
    Mistake(
        "other_order_first",
        "The given order comes first; you begin with the other one.",
        "给定的次序在前；你先写了另一种。",
        partial(write, orders=lambda a, b: [(b, a), (a, b)]),
    ),
    Mistake(
        "same_order_twice",
        "Both rows of a similarity have the same order.",
        "相似任务的两行次序一样。",
        partial(write, orders=lambda a, b: [(a, b), (a, b)]),
    ),
    Mistake(
        "answers_in_one_row",
        "All answers stand in one row. Each gets a row, and a score of its own.",
        "所有答案写在了一行里。每个答案要有自己的一行、自己的分数。",
        partial(write, choices=in_one_row),
    ),
    Mistake(
        "answer_first",
        "The answer stands before the question.",
        "答案写到问题前面去了。",
        partial(write, choices=lambda q, answers: [(a, q) for a in answers]),
    ),
    Mistake(
        "question_forgotten",
        "The rows of a choice have no question in them.",
        "多项选择的行里没有写问题。",
        partial(write, choices=lambda q, answers: [(a,) for a in answers]),
    ),
]


# 5. The loss of fine-tuning


def tuned(
    scores, classes, predicted, rows, weight,
    ahead=1,
    counts=lambda row, place, target: target != 0,
    mean=lambda losses, B: sum(map(sum, losses)) / sum(map(len, losses)),
    whole=lambda task, model, weight: task + weight * model,
    surprise=lambda scores, right: scores.logsumexp(0) - scores[right],
    task_mean=lambda losses: sum(losses) / len(losses),
):  # fmt: skip
    """Go through the batch place by place; the options make mistakes."""
    B, T, _ = predicted.shape
    task = [surprise(scores[b], classes[b]) for b in range(B)]
    model = [
        [
            surprise(predicted[b, t], rows[b, t + ahead])
            for t in range(max(0, -ahead), min(T, T - ahead))
            if counts(rows[b], t, rows[b, t + ahead])
        ]
        for b in range(B)
    ]
    return whole(task_mean(task), mean(model, B), weight)


def batch(
    rng: np.random.Generator, B: int, T: int, K: int, V: int, weight: float,
    size: float = 2,
):  # fmt: skip
    """Return a case: a batch whose rows have different lengths, and its loss."""
    rows = torch.from_numpy(rng.integers(1, V, (B, T)))
    for b in range(B):
        rows[b, max(2, T - 2 * b) :] = 0
    rows = rows[torch.from_numpy(rng.permutation(B))]
    classes = torch.from_numpy(rng.integers(0, K, B))
    scores, predicted = 2 * normal(rng, B, K), size * normal(rng, B, T, V)
    inputs = scores, classes, predicted, rows, weight
    return inputs, float(tuned(*inputs))


@OBJECTIVE.check("the example", "题中的例子")
def example_objective(answer: Callable, rng: np.random.Generator) -> None:
    rows = torch.tensor([[1, 10, 3]])
    chances = torch.full((1, 3, 12), 0.05).double()
    chances[0, 0, 10], chances[0, 1, 3] = 0.25, 0.5
    chances[0, 0, 0] += 1 - chances[0, 0].sum()
    chances[0, 1, 0] = 0.0
    chances[0, 2] = 1 / 12
    scores = torch.zeros(1, 2).double()
    inputs = scores, torch.tensor([1]), chances.clamp(min=1e-300).log(), rows, 0.5
    OBJECTIVE.compare(answer, [(inputs, 1.75 * math.log(2))])


@OBJECTIVE.check("batches with padding", "有填充的批")
def padded_batches(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 6, 2, 9, 0.5), (4, 8, 5, 12, 0.3), (2, 5, 3, 7, 2.0)
    sure = batch(rng, 4, 8, 3, 9, 1.0, size=20)  # and often wrong
    OBJECTIVE.compare(answer, [sure, *(batch(rng, *size) for size in sizes)])


@OBJECTIVE.check("random batches", "随机的批", hidden=True)
def random_batches(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 7, 4, 8, 0.7), (5, 9, 2, 11, 0.2), (4, 6, 6, 9, 1.5), (3, 8, 3, 6, 0.0)
    OBJECTIVE.compare(answer, [batch(rng, *size) for size in sizes])


def mean_of_rows(losses, B):
    return sum(sum(of) / len(of) for of in losses) / B


OBJECTIVE.mistakes += [
    Mistake(
        "small_number_added",
        "You add a small number before the logarithm, and improbable pieces become "
        "too cheap. Compute the logarithm from the scores (log_softmax).",
        "你在取对数前加了一个小数，概率极小的词片就便宜了。应当直接由分数算对数"
        "（log_softmax）。",
        partial(
            tuned,
            surprise=lambda scores, right: -(scores.softmax(0)[right] + 1e-12).log(),
        ),
    ),
    Mistake(
        "predicts_itself",
        "The target of place t is the piece at t: it stands in the input. The target "
        "is the next one.",
        "位置 t 的目标成了 t 处的词片：它就在输入里。目标应当是下一个。",
        partial(tuned, ahead=0),
    ),
    Mistake(
        "predicts_the_past",
        "You shifted the wrong way: place t predicts the piece before it.",
        "移位的方向反了：位置 t 预测了它前面的那片。",
        partial(tuned, ahead=-1),
    ),
    Mistake(
        "padding_counts",
        "Padding is predicted as well. Leave out targets that are 0.",
        "连填充也算成预测目标了。目标为 0 的要去掉。",
        partial(tuned, counts=lambda row, place, target: True),
    ),
    Mistake(
        "one_padding_too_many",
        "You ask whether the input at t is padding. Ask whether the target is: "
        "after the last piece padding is still predicted once.",
        "你问的是 t 处的输入是不是填充；该问目标是不是。"
        "否则最后一片之后还会预测一次填充。",
        partial(tuned, counts=lambda row, place, target: row[place] != 0),
    ),
    Mistake(
        "sum_of_pieces",
        "The language model's loss is a sum; take the mean over the pieces.",
        "语言模型的损失成了总和；应当对词片取平均。",
        partial(tuned, mean=lambda losses, B: sum(map(sum, losses))),
    ),
    Mistake(
        "over_rows",
        "You divide the language model's sum by the number of rows; divide by the "
        "number of pieces that are predicted.",
        "你把语言模型的总和除以了行数；应当除以被预测的词片数。",
        partial(tuned, mean=lambda losses, B: sum(map(sum, losses)) / B),
    ),
    Mistake(
        "mean_of_means",
        "You take the mean of each row first. Then a piece in a short row weighs more; "
        "all pieces of the batch weigh the same.",
        "你先对每行求了平均：短行里的词片就更重了。整批的每个词片应当一样重。",
        partial(tuned, mean=mean_of_rows),
    ),
    Mistake(
        "weight_on_the_task",
        "λ stands before the language model's loss, not before the task's.",
        "λ 要乘在语言模型的损失上，不是任务的损失上。",
        partial(tuned, whole=lambda task, model, weight: weight * task + model),
    ),
    Mistake(
        "shared_out",
        "You share the weight out: (1 − λ) for the task. The task's loss counts whole.",
        "你把权重分摊了：任务乘了 (1 − λ)。任务的损失应当全算。",
        partial(
            tuned,
            whole=lambda task, model, weight: (1 - weight) * task + weight * model,
        ),
    ),
    Mistake(
        "not_weighted",
        "λ is missing: the two losses are simply added.",
        "少了 λ：两个损失直接加起来了。",
        partial(tuned, whole=lambda task, model, weight: task + model),
    ),
    Mistake(
        "only_the_task",
        "This is the task's loss alone.",
        "这只是任务的损失。",
        partial(tuned, whole=lambda task, model, weight: task),
    ),
    Mistake(
        "only_the_model",
        "This is the language model's loss alone.",
        "这只是语言模型的损失。",
        partial(tuned, whole=lambda task, model, weight: weight * model),
    ),
    Mistake(
        "no_minus",
        "The sign is wrong: a loss is −ln p, and it falls when p rises.",
        "符号错了：损失是 −ln p，p 越大它越小。",
        partial(tuned, surprise=lambda scores, right: scores.log_softmax(0)[right]),
    ),
    Mistake(
        "scores_are_no_chances",
        "You take the scores as they are. They go through a softmax first.",
        "你直接用了分数。要先过 softmax。",
        partial(tuned, surprise=lambda scores, right: -scores[right]),
    ),
]
