"""The checks of assignment 10, ULMFiT, and the mistakes that people make.

What is right is computed the slow way, step by step and place by place; the options of
these functions make the mistakes.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from torch import nn

from course_lib.grading.checks import Mistake, Task

STLR = Task("10.stlr")
RATES = Task("10.rates")
UNFREEZE = Task("10.unfreeze")
POOL = Task("10.pool")
EFFECTS = Task("10.effects", tolerance=1e-4)  # also of torch in float32
TASKS = {task.name: task for task in (STLR, RATES, UNFREEZE, POOL, EFFECTS)}


# 1. Up fast, down slowly


def triangle(
    T, cut_frac, ratio, eta_max, first=0, whole=math.floor,
    rise=lambda t, cut: t / cut,
    fall=lambda t, cut, T, cut_frac: (t - cut) / (cut * (1 / cut_frac - 1)),
    rate=lambda p, ratio, top: top * (1 + p * (ratio - 1)) / ratio,
):  # fmt: skip
    """Go through the steps one by one; the options make mistakes. Shape: (T,)."""
    cut, found = whole(T * cut_frac), []
    for t in range(first, T + first):
        p = rise(t, cut) if t < cut else 1 - fall(t, cut, T, cut_frac)
        found.append(rate(p, ratio, eta_max))
    return np.array(found)


def slanted(*numbers) -> tuple:
    return numbers, triangle(*numbers)


@STLR.check("the example", "题中的例子")
def example_triangle(answer: Callable, rng: np.random.Generator) -> None:
    rising = [0.01, 0.165, 0.32]
    falling = [0.01 * (1 + 31 * (1 - k / 18)) for k in range(1, 18)]
    STLR.compare(answer, [((20, 0.1, 32, 0.32), rising + falling)])


@STLR.check("other lengths", "别的步数")
def other_lengths(answer: Callable, rng: np.random.Generator) -> None:
    cases = (27, 0.1, 32, 0.01), (38, 0.1, 16, 1.0), (47, 0.25, 8, 0.5), (60, 0.2, 4, 2)
    STLR.compare(answer, [slanted(*case) for case in cases])


@STLR.check("random schedules", "随机的步数", hidden=True)
def random_lengths(answer: Callable, rng: np.random.Generator) -> None:
    for cut_frac in (0.1, 0.2, 0.25, 0.1, 0.2):
        steps = round(1 / cut_frac)
        T = steps * int(rng.integers(2, 9)) + int(rng.integers(steps // 2 + 1, steps))
        ratio, top = int(rng.integers(2, 50)), float(rng.uniform(0.001, 2))
        STLR.compare(answer, [slanted(T, cut_frac, ratio, top)])


STLR.mistakes += [
    Mistake(
        "counts_from_one",
        "Your first step is t = 1; the steps are t = 0, …, T − 1.",
        "你的第一步是 t = 1；应当是 t = 0, …, T − 1。",
        partial(triangle, first=1),
    ),
    Mistake(
        "rounded_cut",
        "You round T · cut_frac; the brackets ⌊ ⌋ cut off what follows the point.",
        "你把 T · cut_frac 四舍五入了；⌊ ⌋ 是舍去小数部分。",
        partial(triangle, whole=round),
    ),
    Mistake(
        "unfloored_cut",
        "Your cut is not a whole number: the brackets ⌊ ⌋ are missing.",
        "你的 cut 不是整数：漏了取整 ⌊ ⌋。",
        partial(triangle, whole=float),
    ),
    Mistake(
        "to_zero",
        "This is eta_max · p, which begins at 0. The lowest rate is eta_max / ratio.",
        "这是 eta_max · p，从 0 开始。最低的学习率应是 eta_max / ratio。",
        partial(triangle, rate=lambda p, ratio, top: top * p),
    ),
    Mistake(
        "peak_too_high",
        "The factor is ratio − 1, not ratio: at p = 1 the rate must be eta_max.",
        "要乘的是 ratio − 1，不是 ratio：p = 1 时学习率必须是 eta_max。",
        partial(triangle, rate=lambda p, ratio, top: top * (1 + p * ratio) / ratio),
    ),
    Mistake(
        "symmetric",
        "It falls as fast as it rises; the fall has 1/cut_frac − 1 times the steps.",
        "下降和上升一样快了。下降的步数应是上升的 1/cut_frac − 1 倍。",
        partial(triangle, fall=lambda t, cut, T, cut_frac: (t - cut) / cut),
    ),
    Mistake(
        "over_the_rest",
        "You let it fall over the T − cut steps that are left. That is sensible, but "
        "the formula has cut · (1/cut_frac − 1), which is less unless T · cut_frac is "
        "whole.",
        "你让它在剩下的 T − cut 步里降完。这很合理，但公式写的是 "
        "cut · (1/cut_frac − 1)；T · cut_frac 不是整数时，后者更小。",
        partial(triangle, fall=lambda t, cut, T, cut_frac: (t - cut) / (T - cut)),
    ),
    Mistake(
        "over_all_steps",
        "The fall is divided by T: then it never comes down.",
        "下降段除以了 T：这样降不到底。",
        partial(triangle, fall=lambda t, cut, T, cut_frac: (t - cut) / T),
    ),
    Mistake(
        "never_rises",
        "The rise is missing: for t < cut take p = t / cut.",
        "没有上升段：t < cut 时，p = t / cut。",
        partial(triangle, rise=lambda t, cut: 1.0),
    ),
    Mistake(
        "whole_numbers",
        "You divide whole numbers (//): p then is 0 until the peak. Use /.",
        "你用了整除（//）：到顶之前 p 一直是 0。应当用 /。",
        partial(triangle, rise=lambda t, cut: t // cut),
    ),
    Mistake(
        "only_p",
        "This is p. The rate is eta_max · (1 + p (ratio − 1)) / ratio.",
        "这是 p。学习率是 eta_max · (1 + p (ratio − 1)) / ratio。",
        partial(triangle, rate=lambda p, ratio, top: p),
    ),
]


# 2. Each layer its rate


def layer_of(name: str) -> int:
    """Return how high a parameter's layer is: words 0, LSTMs 1, 2, …, head 10^6."""
    if name.startswith("head"):
        return 10**6
    found = re.match(r"encoder\.lstms\.(\d+)\.", name)
    return int(found[1]) + 1 if found else 0


def layer_rates(
    names, eta, factor, key=layer_of, rate=lambda eta, f, below: eta / f**below
):
    """Rank the layers, then give each its rate; the options make mistakes."""
    ranks = sorted({key(name) for name in names})
    top = len(ranks) - 1
    return np.array([rate(eta, factor, top - ranks.index(key(n))) for n in names])


def upwards(names, eta, factor):
    return layer_rates(names, eta, factor, key=lambda name: -layer_of(name))


def like_the_softmax(name):
    return 10**6 if name == "encoder.bias" else layer_of(name)


def in_steps(names, eta, factor):
    order = sorted(names, key=layer_of)  # parameter by parameter
    return [eta / factor ** (len(names) - 1 - order.index(name)) for name in names]


def parameters(layers: int) -> list[str]:
    """List the names of a classifier's parameters, as PyTorch has them."""
    kinds = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    lstms = [f"encoder.lstms.{i}.{kind}" for i in range(layers) for kind in kinds]
    head = ["head.0.weight", "head.0.bias", "head.2.weight", "head.6.weight"]
    return ["encoder.embedding.weight", "encoder.bias", *lstms, *head]


def named(rng: np.random.Generator, layers: int) -> tuple:
    """Return a case: the names in any order, a rate and a factor."""
    names = parameters(layers)
    names = [names[i] for i in rng.permutation(len(names))]
    # Large, so that the rate of the lowest layer is more than a rounding error.
    case = names, float(rng.uniform(10, 100)), float(rng.uniform(1.2, 2.6))
    return case, layer_rates(*case)


@RATES.check("the example", "题中的例子")
def example_rates(answer: Callable, rng: np.random.Generator) -> None:
    names = ["encoder.bias", "encoder.lstms.0.weight_hh_l0", "head.2.weight"]
    names += ["encoder.embedding.weight", "encoder.lstms.1.bias_ih_l0", "head.0.bias"]
    right = [0.008, 0.04, 1.0, 0.008, 0.2, 1.0]
    RATES.compare(answer, [((names, 1.0, 5.0), right)])


@RATES.check("a real classifier", "真实的分类器")
def three_layers(answer: Callable, rng: np.random.Generator) -> None:
    names = parameters(3)
    case = names, 0.01, 2.6
    RATES.compare(answer, [(case, layer_rates(*case)), named(rng, 4), named(rng, 12)])


@RATES.check("random classifiers", "随机的分类器", hidden=True)
def random_layers(answer: Callable, rng: np.random.Generator) -> None:
    RATES.compare(answer, [named(rng, layers) for layers in (1, 2, 5, 8, 11)])


RATES.mistakes += [
    Mistake(
        "upside_down",
        "Upside down: the highest layer, the head, has η; the lower, the slower.",
        "上下颠倒了：最高层（分类头）用 η，越低学得越慢。",
        upwards,
    ),
    Mistake(
        "one_too_many",
        "You divide once too often: the highest layer has η itself.",
        "多除了一次：最高层用的就是 η。",
        partial(layer_rates, rate=lambda eta, f, below: eta / f ** (below + 1)),
    ),
    Mistake(
        "multiplied",
        "Lower layers learn more *slowly*: divide by the factor, do not multiply.",
        "低层学得更*慢*：应当除以 factor，不是乘。",
        partial(layer_rates, rate=lambda eta, f, below: eta * f**below),
    ),
    Mistake(
        "linear",
        "You divide by factor · depth. Each layer has the rate of the one above, "
        "divided by the factor *again*: a power.",
        "你除以了 factor · 层差。每往下一层，就在上一层的学习率上*再*除以一次 "
        "factor：是乘方。",
        partial(layer_rates, rate=lambda eta, f, below: eta / max(1, f * below)),
    ),
    Mistake(
        "per_parameter",
        "You go down at each parameter. All parameters of a layer have the same rate.",
        "你每过一个参数就降一次。同一层的所有参数学习率相同。",
        in_steps,
    ),
    Mistake(
        "head_is_no_layer",
        "The head shares the rate of the highest LSTM. It is a layer of its own.",
        "分类头和最高的 LSTM 用了同一个学习率。分类头自成一层。",
        lambda names, eta, factor: layer_rates(
            names, eta, factor,
            lambda n: min(layer_of(n), max(map(layer_of, set(names) - heads(names)))),
        ),
    ),
    Mistake(
        "words_are_no_layer",
        "The words share the rate of the lowest LSTM. They are a layer of their own, "
        "the lowest.",
        "词向量和最低的 LSTM 用了同一个学习率。词向量自成一层，是最低的一层。",
        partial(layer_rates, key=lambda name: max(1, layer_of(name))),
    ),
    Mistake(
        "bias_on_top",
        "`encoder.bias` belongs to the words: a classifier has no softmax over them.",
        "`encoder.bias` 属于词向量那一层：分类器里没有对词的 softmax。",
        partial(layer_rates, key=like_the_softmax),
    ),
    Mistake(
        "alphabetical",
        "You sort the names as text: there \"10\" comes before \"2\".",
        "你按文本给名字排了序：那样 “10” 排在 “2” 前面。",
        partial(layer_rates, key=lambda name: (
            len(str(layer_of(name))) > 6, layer_of(name) > 0, str(layer_of(name) - 1))),
    ),
]  # fmt: skip


def heads(names) -> set[str]:
    return {name for name in names if name.startswith("head")}


# 3. One more layer in each epoch


def thaw_and_train(
    model, x, y, eta, epochs, thawed=lambda epoch, L: range(max(0, L - 1 - epoch), L),
    forget=True, loss_of=nn.functional.mse_loss, moved=lambda a, b: (b - a).norm(),
):  # fmt: skip
    """Take each step by hand; the options make mistakes. Shape: (L,)."""
    layers = [list(layer.parameters()) for layer in model]
    before = [torch.cat([p.detach().flatten() for p in of]) for of in layers]
    flat = [p for of in layers for p in of]
    sums = [torch.zeros_like(p) for p in flat]
    for epoch in range(epochs):
        gradients = torch.autograd.grad(loss_of(model(x), y), flat)
        learn = {id(p) for d in thawed(epoch, len(layers)) for p in layers[d]}
        with torch.no_grad():
            for k, (p, g) in enumerate(zip(flat, gradients, strict=True)):
                if id(p) in learn:  # a frozen one gets no gradient
                    sums[k] = g if forget else sums[k] + g
                    p -= eta * sums[k]
    after = [torch.cat([p.detach().flatten() for p in of]) for of in layers]
    return torch.stack([moved(a, b) for a, b in zip(before, after, strict=True)])


def network(rng: np.random.Generator, L: int, epochs: int, D: int = 3) -> tuple:
    """Return a case: a model, inputs, targets, a rate and a number of epochs."""
    with torch.random.fork_rng():
        torch.manual_seed(int(rng.integers(2**31)))
        model = nn.Sequential(*[nn.Linear(D, D) for _ in range(L)]).double()
        x, y = torch.randn(2, 6, D).double()
    return model, x, y, 0.2, epochs


def copied(model: nn.Sequential) -> nn.Sequential:
    """Copy a model, so that a case's own stays as it is."""
    found = nn.Sequential(*[nn.Linear(*layer.weight.shape[::-1]) for layer in model])
    found.double().load_state_dict(model.state_dict())
    return found


def trained(rng: np.random.Generator, L: int, epochs: int) -> tuple:
    model, *rest = network(rng, L, epochs)
    return (model, *rest), thaw_and_train(copied(model), *rest).numpy()


@UNFREEZE.check("the example", "题中的例子")
def example_unfreeze(answer: Callable, rng: np.random.Generator) -> None:
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1)).double()
    with torch.no_grad():
        for layer in model:
            layer.weight.fill_(1)
            layer.bias.fill_(0)
    x = torch.ones(1, 1).double()
    right = 0.336 * math.sqrt(2), 0.64 * math.sqrt(2)
    UNFREEZE.compare(answer, [((model, x, 3 * x, 0.1, 2), right)])


@UNFREEZE.check("deeper networks", "更深的网络")
def deeper(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, 1), (3, 2), (4, 3), (3, 6)
    UNFREEZE.compare(answer, [trained(rng, *size) for size in sizes])


@UNFREEZE.check("random networks", "随机的网络", hidden=True)
def random_networks(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, 4), (3, 5), (5, 3), (4, 7), (5, 5)
    UNFREEZE.compare(answer, [trained(rng, *size) for size in sizes])


def from_below(epoch, L):
    return range(min(L, epoch + 1))


UNFREEZE.mistakes += [
    Mistake(
        "never_reached_the_optimiser",
        "Only the highest layer ever moves. Setting `requires_grad` is not enough: an "
        "optimiser that was built from the trainable parameters alone never hears of "
        "those thawed later. Give it all parameters, or add a group in each epoch.",
        "始终只有最高层在动。光设 `requires_grad` 不够：优化器如果只用当时可训练的参数"
        "来建，后来解冻的参数它根本不知道。应当一开始就把所有参数交给它，"
        "或者每轮加一个参数组。",
        partial(thaw_and_train, thawed=lambda epoch, L: range(L - 1, L)),
    ),
    Mistake(
        "all_at_once",
        "All layers learn from the first epoch: nothing is frozen.",
        "所有层从第一轮就在学：没有冻结。",
        partial(thaw_and_train, thawed=lambda epoch, L: range(L)),
    ),
    Mistake(
        "from_below",
        "You thaw the lowest layer first. Begin with the highest.",
        "你先解冻了最低层。应当从最高层开始。",
        partial(thaw_and_train, thawed=from_below),
    ),
    Mistake(
        "one_at_a_time",
        "A layer freezes again when the next one is thawed. It goes on learning.",
        "下一层解冻时，上一层又被冻住了。它应当继续学。",
        partial(thaw_and_train,
                thawed=lambda epoch, L: range(L - 1 - epoch, L - epoch)[: L - epoch]),
    ),
    Mistake(
        "one_epoch_late",
        "The second layer from above learns from epoch 1 on, an epoch sooner than "
        "yours.",
        "从上往下数第二层，第 1 轮就该开始学，你晚了一轮。",
        partial(thaw_and_train,
                thawed=lambda epoch, L: range(max(0, L - max(1, epoch)), L)),
    ),
    Mistake(
        "one_epoch_early",
        "In epoch 0 only the highest layer learns; with you two do.",
        "第 0 轮只有最高层学；你让两层学了。",
        partial(thaw_and_train,
                thawed=lambda epoch, L: range(max(0, L - 2 - epoch), L)),
    ),
    Mistake(
        "gradients_pile_up",
        "The gradients of earlier epochs are still there: call `zero_grad` before "
        "each step.",
        "前几轮的梯度还留着：每一步之前要 `zero_grad`。",
        partial(thaw_and_train, forget=False),
    ),
    Mistake(
        "counts_below_zero",
        "When all layers are thawed, your index runs below 0, and Python then counts "
        "from the end: most layers are frozen again.",
        "全部解冻之后，你的下标成了负数，Python 就从末尾数起：大部分层又被冻住了。",
        partial(thaw_and_train, thawed=lambda epoch, L: range(L)[L - 1 - epoch :]),
    ),
    Mistake(
        "sum_of_squares",
        "Your loss is the sum of the squares; take their mean.",
        "你的损失是平方和；应当取平均。",
        partial(thaw_and_train, loss_of=partial(nn.functional.mse_loss,
                                                reduction="sum")),
    ),
    Mistake(
        "squared_distance",
        "These are squared distances; take the root.",
        "这是距离的平方；要开方。",
        partial(thaw_and_train, moved=lambda a, b: ((b - a) ** 2).sum()),
    ),
    Mistake(
        "from_the_top",
        "The distances come from the highest layer down; list the lowest layer first.",
        "你从最高层往下列了；应当先列最低层。",
        lambda *case: thaw_and_train(*case).flip(0),
    ),
]  # fmt: skip


# 4. Last, highest and mean, without padding


def pooled(
    outputs, lengths, last=lambda x, n: x[n - 1], high=lambda x, n: x[:n].max(axis=0),
    mean=lambda x, n: x[:n].mean(axis=0), join=lambda *three: np.concatenate(three),
):  # fmt: skip
    """Pool one document after the other; the options make mistakes. Shape: (B, 3E)."""
    rows = zip(np.asarray(outputs), np.asarray(lengths), strict=True)
    return np.stack([join(last(x, n), high(x, n), mean(x, n)) for x, n in rows])


def zeroed(x, n):
    return np.where(np.arange(len(x))[:, None] < n, x, 0)


def documents(rng: np.random.Generator, B: int, T: int, E: int) -> tuple:
    """Return a case: outputs that may all be negative, large ones in the padding."""
    outputs = rng.normal(size=(B, T, E)) - 1.5
    lengths = rng.integers(2, T, size=B)
    lengths[0] = T if rng.random() < 0.5 else T - 2
    padding = np.arange(T) >= lengths[:, None]  # (B, T)
    outputs[padding] = rng.normal(size=(int(padding.sum()), E)) + 3
    case = torch.from_numpy(outputs), torch.from_numpy(lengths)
    return case, pooled(*case)


@POOL.check("the example", "题中的例子")
def example_pool(answer: Callable, rng: np.random.Generator) -> None:
    outputs = torch.tensor(
        [[[1.0, -5], [3, -7], [2, -6], [9, 9]], [[4, 1], [8, 8], [8, 8], [8, 8]]],
        dtype=torch.float64,
    )
    right = [[2, -6, 3, -5, 2, -6], [4, 1, 4, 1, 4, 1]]
    POOL.compare(answer, [((outputs, torch.tensor([3, 1])), right)])


@POOL.check("other documents", "别的文档")
def other_documents(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (4, 6, 3), (3, 9, 2), (6, 5, 4)
    (outputs, lengths), right = documents(rng, 4, 6, 3)
    low = (10**6 * outputs, lengths), 10**6 * right  # far below any -1e4
    POOL.compare(answer, [low, *(documents(rng, *size) for size in sizes)])


@POOL.check("random documents", "随机的文档", hidden=True)
def random_documents(answer: Callable, rng: np.random.Generator) -> None:
    POOL.compare(answer, [documents(rng, 5, T, 3) for T in (4, 6, 8, 11)])


POOL.mistakes += [
    Mistake(
        "last_place",
        "You take the last place of the row; for a short document that is padding.",
        "你取了这一行的最后一个位置；短文档那里是填充。",
        partial(pooled, last=lambda x, n: x[-1]),
    ),
    Mistake(
        "one_before_the_last",
        "The last output is one place further: a document of length n ends at n − 1.",
        "最后的输出还要再往后一个位置：长为 n 的文档止于 n − 1。",
        partial(pooled, last=lambda x, n: x[n - 2]),
    ),
    Mistake(
        "first_place",
        "You take the first output. It has read one word; the last has read them all.",
        "你取了第一个输出。它只读过一个词；最后一个才读完了全文。",
        partial(pooled, last=lambda x, n: x[0]),
    ),
    Mistake(
        "padding_in_the_mean",
        "Padding is in the mean.",
        "平均里混进了填充。",
        partial(pooled, mean=lambda x, n: x.mean(axis=0)),
    ),
    Mistake(
        "divided_by_the_row",
        "You leave the padding out of the sum, but divide by the whole length of the "
        "row. Divide by the document's.",
        "求和时去掉了填充，除的却是整行的长度。应当除以文档的长度。",
        partial(pooled, mean=lambda x, n: x[:n].sum(axis=0) / len(x)),
    ),
    Mistake(
        "padding_in_the_maximum",
        "Padding is in the maximum.",
        "最大值里混进了填充。",
        partial(pooled, high=lambda x, n: x.max(axis=0)),
    ),
    Mistake(
        "zero_in_the_maximum",
        "You put 0 in place of the padding. Where all outputs are negative, the "
        "maximum is then 0; put −∞.",
        "你用 0 替换了填充。输出全为负时，最大值就成了 0；应当用 −∞。",
        partial(pooled, high=lambda x, n: (
            zeroed(x, n).max(axis=0) if n < len(x) else x.max(axis=0))),
    ),
    Mistake(
        "ten_in_the_maximum",
        "You put a negative number in place of the padding that is not negative "
        "enough for all outputs; put −∞.",
        "你用一个负数替换了填充，可它对有的输出来说还不够小；应当用 −∞。",
        partial(pooled, high=lambda x, n: (
            np.maximum(x[:n].max(axis=0), -10 if n < len(x) else -np.inf))),
    ),
    Mistake(
        "padding_everywhere",
        "The lengths are not used: padding is in all three.",
        "没有用到长度：三样里都混进了填充。",
        lambda outputs, lengths: pooled(outputs, [outputs.shape[1]] * len(lengths)),
    ),
    Mistake(
        "other_order",
        "The order is last, highest, mean; yours is last, mean, highest.",
        "次序应是：最后、最大、平均；你的是最后、平均、最大。",
        partial(pooled, join=lambda a, b, c: np.concatenate([a, c, b])),
    ),
    Mistake(
        "two_of_three",
        "One of the three is missing: [last; highest; mean] has 3 E numbers.",
        "三样少了一样：[最后; 最大; 平均] 共 3 E 个数。",
        partial(pooled, join=lambda a, b, c: np.concatenate([b, c])),
    ),
    Mistake(
        "interleaved",
        "The three alternate number by number. First all of the last output, then all "
        "of the maxima, then all of the means.",
        "三样逐个数交错排了。应当先放整个最后输出，再放全部最大值，再放全部平均值。",
        partial(pooled, join=lambda *three: np.stack(three, axis=1).ravel()),
    ),
]  # fmt: skip


# 5. Reading a table of eight


def contrasts(
    y, main=lambda high, low: np.mean(high) - np.mean(low),
    both=lambda y11, y10, y01, y00: ((y11 - y01) - (y10 - y00)) / 2,
    settle=lambda y, axes: y.mean(axis=axes), order=(0, 1, 2),
):  # fmt: skip
    """Return three main effects, three interactions; the options make mistakes."""
    y = np.asarray(y, dtype=float).transpose(order)
    found = [main(y.take(1, axis=k), y.take(0, axis=k)) for k in range(3)]
    for pair in ((0, 1), (0, 2), (1, 2)):
        [rest] = {0, 1, 2} - {*pair}
        of = settle(y, rest)  # (2, 2)
        found.append(both(of[1, 1], of[1, 0], of[0, 1], of[0, 0]))
    return np.array(found)


def from_the_bottom(y):
    """Add one technique to none."""
    y = np.asarray(y)
    single = [y[1, 0, 0], y[0, 1, 0], y[0, 0, 1]] - y[0, 0, 0]
    return np.concatenate([single, contrasts(y)[3:]])


def from_the_full(y):
    """Leave one technique out of all."""
    y = np.asarray(y)
    single = y[1, 1, 1] - np.array([y[0, 1, 1], y[1, 0, 1], y[1, 1, 0]])
    return np.concatenate([single, contrasts(y)[3:]])


def eight(rng: np.random.Generator) -> tuple:
    y = np.round(rng.uniform(50, 95, size=(2, 2, 2)), 1)
    return (y,), contrasts(y)


@EFFECTS.check("the example", "题中的例子")
def example_effects(answer: Callable, rng: np.random.Generator) -> None:
    y = np.array([[[70.0, 70], [74, 78]], [[72, 74], [80, 86]]])
    EFFECTS.compare(answer, [((y,), (5, 8, 3, 2, 1, 2))])


@EFFECTS.check("other tables", "别的表")
def other_tables(answer: Callable, rng: np.random.Generator) -> None:
    EFFECTS.compare(answer, [eight(rng) for _ in range(4)])


@EFFECTS.check("random tables", "随机的表", hidden=True)
def random_tables(answer: Callable, rng: np.random.Generator) -> None:
    EFFECTS.compare(answer, [eight(rng) for _ in range(6)])


EFFECTS.mistakes += [
    Mistake(
        "added_to_none",
        "You compare one technique with none. That is its effect in one corner of the "
        "table; the main effect averages over all four.",
        "你拿“只用一种”同“一种不用”比。这只是表的一角；主效应要对四种情况求平均。",
        from_the_bottom,
    ),
    Mistake(
        "left_out_of_all",
        "You leave one technique out of all three. That is its effect in one corner of "
        "the table; the main effect averages over all four.",
        "你从三种全用里去掉一种。这只是表的一角；主效应要对四种情况求平均。",
        from_the_full,
    ),
    Mistake(
        "without_minus_with",
        "The sign of the main effects: with the technique minus without it.",
        "主效应的符号反了：应是用了减去没用。",
        partial(contrasts, main=lambda high, low: np.mean(low) - np.mean(high)),
    ),
    Mistake(
        "sums",
        "You subtract sums of four; subtract their means.",
        "你减的是四个数的和；应当减它们的平均。",
        partial(contrasts, main=lambda high, low: np.sum(high) - np.sum(low)),
    ),
    Mistake(
        "from_the_middle",
        "You compare with the mean of all eight. Compare with the four runs without "
        "the technique: twice as much.",
        "你同八个数的总平均比了。应当同没用这种技术的四次比：是它的两倍。",
        partial(contrasts,
                main=lambda high, low: (np.mean(high) - np.mean(low)) / 2),
    ),
    Mistake(
        "not_halved",
        "The interaction is *half* of the difference between the two effects.",
        "交互作用是两个效应之差的*一半*。",
        partial(contrasts, both=lambda y11, y10, y01, y00: y11 - y10 - y01 + y00),
    ),
    Mistake(
        "sign_of_the_interactions",
        "The sign of the interactions: the effect *with* the other technique, minus "
        "that without.",
        "交互作用的符号反了：应是另一种技术*在*时的效应，减去不在时的。",
        partial(contrasts,
                both=lambda y11, y10, y01, y00: (y10 + y01 - y11 - y00) / 2),
    ),
    Mistake(
        "both_or_neither",
        "This is both techniques against neither: both main effects are still in it.",
        "这是两种都用同两种都不用之差：两个主效应还在里面。",
        partial(contrasts, both=lambda y11, y10, y01, y00: y11 - y00),
    ),
    Mistake(
        "third_switched_off",
        "For the interactions the third technique is always off with you; average over "
        "on and off.",
        "算交互作用时，你让第三种技术一直关着；应当对开和关求平均。",
        partial(contrasts, settle=lambda y, axis: y.take(0, axis=axis)),
    ),
    Mistake(
        "third_switched_on",
        "For the interactions the third technique is always on with you; average over "
        "on and off.",
        "算交互作用时，你让第三种技术一直开着；应当对开和关求平均。",
        partial(contrasts, settle=lambda y, axis: y.take(1, axis=axis)),
    ),
    Mistake(
        "axes_turned",
        "The axes are the other way round: the first index is discr, the last freez.",
        "轴的次序反了：第一个下标是 discr，最后一个是 freez。",
        partial(contrasts, order=(2, 1, 0)),
    ),
    Mistake(
        "products",
        "An interaction is not the product of two main effects: it needs the table.",
        "交互作用不是两个主效应的乘积：要从表里算。",
        lambda y: [*contrasts(y)[:3], *map(
            np.prod, itertools.combinations(contrasts(y)[:3], 2))],
    ),
]  # fmt: skip
