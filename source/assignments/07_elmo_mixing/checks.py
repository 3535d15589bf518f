"""The checks of assignment 07, mixing ELMo's layers and plugging the mix in.

Truth by a slow reference: one word at a time, one number at a time. The biLM of task 4
has a dropout that always drops the same dimensions, so that forgetting eval() gives the
same wrong numbers every time and can be recognised.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from torch import nn

from course_lib.grading.checks import Mistake, Task

MIX = Task("07.scalar_mix")
NORM = Task("07.layer_norm")
PLACE = Task("07.plug_in")
STEP = Task("07.frozen_step", tolerance=1e-5)
GAINS = Task("07.gains")
TASKS = {task.name: task for task in (MIX, NORM, PLACE, STEP, GAINS)}


# 1. The weighted sum


def softmax(w):
    return np.exp(w) / np.exp(w).sum()


def summed(layers, w, gamma):
    """Add up the slow way. Shape: (L+1, T, D) to (T, D)."""
    shares, total = softmax(w), np.zeros(layers.shape[1:])
    for share, layer in zip(shares, layers, strict=True):
        total += gamma * share * layer
    return total


def stack(rng: np.random.Generator, L: int, T: int, D: int) -> tuple:
    """Return a case of L+1 layers of different lengths."""
    layers = rng.normal(size=(L + 1, T, D)) * rng.uniform(0.5, 3, size=(L + 1, 1, 1))
    case = layers, rng.normal(size=L + 1) * 1.5, float(rng.uniform(0.3, 3))
    return case, summed(*case)


@MIX.check("the example", "题中的例子")
def example_mix(answer: Callable, rng: np.random.Generator) -> None:
    layers = np.array([[[2.0, 0]], [[0, 2]], [[4, 4]]])
    case = layers, np.array([0, 0, math.log(2)]), 2.0
    MIX.compare(answer, [(case, [[5.0, 5.0]])])


@MIX.check("three layers, several words", "三层，多个词")
def three_layers(answer: Callable, rng: np.random.Generator) -> None:
    MIX.compare(answer, [stack(rng, 2, T, D) for T, D in ((4, 5), (2, 6), (3, 3))])


@MIX.check("other numbers of layers", "别的层数")
def other_depths(answer: Callable, rng: np.random.Generator) -> None:
    MIX.compare(answer, [stack(rng, L, 4, 3) for L in (1, 3, 5)])


@MIX.check("random sizes", "随机的大小", hidden=True)
def random_mixes(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers((1, 2, 2), (6, 8, 8), size=(6, 3)).tolist()
    MIX.compare(answer, [stack(rng, *size) for size in sizes])


def mixed_by(layers, w, gamma, shares=softmax, first=0):
    """Mix with some rule for the shares; the options make mistakes."""
    return gamma * np.tensordot(shares(w[first:]), layers[first:], axes=1)


MIX.mistakes += [
    Mistake(
        "raw_weights",
        "You multiply by the raw weights. First turn them into shares with a softmax.",
        "你直接乘了原始权重。应当先用 softmax 变成份额。",
        partial(mixed_by, shares=lambda w: w),
    ),
    Mistake(
        "divided_by_their_sum",
        "You divide the weights by their sum; the softmax exponentiates them first. "
        "Raw weights may be negative.",
        "你把权重除以了它们的和；softmax 要先取指数。原始权重可以是负的。",
        partial(mixed_by, shares=lambda w: w / w.sum()),
    ),
    Mistake(
        "without_gamma",
        "The factor gamma is missing.",
        "漏了因子 gamma。",
        lambda layers, w, gamma: mixed_by(layers, w, 1.0),
    ),
    Mistake(
        "gamma_inside",
        "gamma stands before the sum, not inside the softmax: there it would change "
        "the shares and not the length.",
        "gamma 在求和号外面，不在 softmax 里面：放在里面改变的是份额，不是长度。",
        lambda layers, w, gamma: mixed_by(layers, gamma * w, 1.0),
    ),
    Mistake(
        "no_token_layer",
        "The sum begins at j = 0: the token layer is in it.",
        "求和从 j = 0 开始：词层也在里面。",
        partial(mixed_by, first=1),
    ),
    Mistake(
        "plain_mean",
        "This is the mean of the layers; that is right only while w is 0.",
        "这是各层的平均；只有 w 为 0 时才对。",
        partial(mixed_by, shares=lambda w: np.full(len(w), 1 / len(w))),
    ),
    Mistake(
        "exponentials_alone",
        "The exponentials are not divided by their sum; the shares must add up to 1.",
        "取了指数，却没有除以总和；份额加起来应当是 1。",
        partial(mixed_by, shares=np.exp),
    ),
    Mistake(
        "largest_only",
        "You take the layer with the largest weight alone; take some of each.",
        "你只取了权重最大的那一层；每一层都要按份额取。",
        partial(mixed_by, shares=lambda w: np.eye(len(w))[w.argmax()]),
    ),
    Mistake(
        "layers_reversed",
        "The weights and the layers do not go together: w[0] belongs to the token "
        "layer, which is layers[0].",
        "权重和层没有对上：w[0] 是词层 layers[0] 的。",
        lambda layers, w, gamma: mixed_by(layers[::-1], w, gamma),
    ),
    Mistake(
        "halved",
        "You divide by the number of layers as well; the shares already add up to 1.",
        "你又除以了层数；份额加起来已经是 1 了。",
        lambda layers, w, gamma: mixed_by(layers, w, gamma / len(w)),
    ),
]


# 2. Layer norm with a mask


def normed(layers, mask):
    """Normalise the slow way, number by number."""
    result = np.zeros(layers.shape)
    for k, layer in enumerate(layers):
        values = [v for row, m in zip(layer, mask, strict=True) for v in row[m].flat]
        mean = math.fsum(values) / len(values)
        variance = math.fsum((v - mean) ** 2 for v in values) / len(values)
        result[k][mask] = (layer[mask] - mean) / math.sqrt(variance)
    return result


def padded(rng: np.random.Generator, L: int, lengths: list[int], D: int) -> tuple:
    """Return a case of sentences with some lengths; padding holds numbers, too."""
    B, T = len(lengths), max(lengths)
    size = rng.uniform(0.5, 4, size=(L + 1, 1, 1, 1))
    layers = rng.normal(size=(L + 1, B, T, D)) * size + rng.normal(
        size=(L + 1, 1, 1, D)
    )
    mask = np.arange(T) < np.array(lengths)[:, None]
    return (layers, mask), normed(layers, mask)


@NORM.check("the example", "题中的例子")
def example_norm(answer: Callable, rng: np.random.Generator) -> None:
    layers = np.array([[[[1.0, 3], [5, 7], [9, 9]]]])
    mask = np.array([[True, True, False]])
    right = np.array([[[[-3.0, -1], [1, 3], [0, 0]]]]) / math.sqrt(5)
    NORM.compare(answer, [((layers, mask), right)])


@NORM.check("one sentence without padding", "没有填充的一句")
def one_sentence(answer: Callable, rng: np.random.Generator) -> None:
    NORM.compare(answer, [padded(rng, 2, [n], 3) for n in (4, 5)])


@NORM.check("a batch with padding", "有填充的一批")
def a_batch(answer: Callable, rng: np.random.Generator) -> None:
    cases = [padded(rng, L, n, 3) for L, n in ((2, [4, 2, 1]), (1, [3, 5]))]
    NORM.compare(answer, cases)


@NORM.check("random batches", "随机的批", hidden=True)
def random_batches(answer: Callable, rng: np.random.Generator) -> None:
    for _ in range(4):
        lengths = rng.integers(1, 7, size=rng.integers(2, 5)).tolist()
        NORM.compare(answer, [padded(rng, 2, [*lengths, 7, 2], 4)])


def normed_by(
    layers, mask, counted=lambda m: m, over=(1, 2, 3), kept=True, centre=1, less=0,
    root=np.sqrt,
):  # fmt: skip
    """Normalise over some axes of what counts; the options make mistakes."""
    seen = counted(mask)[None, :, :, None] * np.ones(layers.shape)
    with np.errstate(all="ignore"):  # where nothing counts
        n = seen.sum(axis=over, keepdims=True)
        mean = (layers * seen).sum(axis=over, keepdims=True) / n
        variance = (seen * (layers - mean) ** 2).sum(axis=over, keepdims=True) / (
            n - less
        )
        found = (layers - centre * mean) / root(variance)
    return np.where(mask[:, :, None], found, 0.0) if kept else found


NORM.mistakes += [
    Mistake(
        "padding_counted",
        "The padding is counted in the mean and the variance.",
        "填充也被算进了均值和方差。",
        partial(normed_by, counted=np.ones_like),
    ),
    Mistake(
        "padding_left",
        "The padding must come out as 0.",
        "填充的位置应当是 0。",
        partial(normed_by, kept=False),
    ),
    Mistake(
        "padding_as_zeros",
        "You set the padding to 0 and then count it: the sums are right, but they are "
        "divided by too many. Divide by the words times D.",
        "你把填充置零之后仍然算进了个数：和是对的，除数太大了。应当除以词数乘 D。",
        lambda layers, mask: normed_by(
            np.where(mask[:, :, None], layers, 0), mask, counted=np.ones_like
        ),
    ),
    Mistake(
        "word_by_word",
        "You normalise each word by itself, as torch's LayerNorm does. Here a layer "
        "has one mean and one variance for the whole batch.",
        "你对每个词单独归一化，那是 torch 的 LayerNorm。"
        "这里一层只有一个均值、一个方差，整批共用。",
        partial(normed_by, over=3),
    ),
    Mistake(
        "dimension_by_dimension",
        "You normalise each dimension by itself, as batch norm does; take all "
        "dimensions together.",
        "你对每一维单独归一化，那是批归一化；应当所有的维一起算。",
        partial(normed_by, over=(1, 2)),
    ),
    Mistake(
        "sentence_by_sentence",
        "You normalise each sentence by itself; take the whole batch together.",
        "你对每一句单独归一化；应当整批一起算。",
        partial(normed_by, over=(2, 3)),
    ),
    Mistake(
        "layers_together",
        "All layers share one mean and one variance; each layer has its own. "
        "Otherwise a long layer stays long.",
        "各层共用了一个均值和方差；应当每层各算各的，否则长的层还是长。",
        partial(normed_by, over=(0, 1, 2, 3)),
    ),
    Mistake(
        "not_the_root",
        "Divide by the standard deviation, the *root* of the variance.",
        "应当除以标准差，也就是方差的*平方根*。",
        partial(normed_by, root=lambda variance: variance),
    ),
    Mistake(
        "not_centred",
        "The mean is not subtracted.",
        "没有减去均值。",
        partial(normed_by, centre=0),
    ),
    Mistake(
        "one_less",
        "The variance divides by the number of values, not by one less (torch's `std` "
        "and `var` take one less unless told otherwise).",
        "方差除以数的个数，不是个数减一（torch 的 `std`、`var` 默认减一）。",
        partial(normed_by, less=1),
    ),
    Mistake(
        "no_spread",
        "You subtract the mean, but do not divide by the standard deviation.",
        "你减去了均值，却没有除以标准差。",
        partial(normed_by, root=np.ones_like),
    ),
]


# 3. The places


def plugged(x, elmo_in, elmo_out, rnn, place):
    """Lay the mixes where they belong, row by row."""
    rows = [[*a, *b] for a, b in zip(x, elmo_in, strict=True)]
    states = rnn(x if place == "output" else np.array(rows))
    if place == "input":
        return states
    return np.array([[*a, *b] for a, b in zip(states, elmo_out, strict=True)])


def running_sum(x):
    """Add up what came so far: the simplest network with a memory."""
    return np.cumsum(x, axis=0)


def remembering(x):
    """Read left to right with a fading memory; each width has its own weights."""
    W = np.sin(np.arange(1, 4 * x.shape[1] + 1)).reshape(x.shape[1], 4)
    states, h = [], np.zeros(4)
    for row in x:
        h = np.tanh(row @ W + 0.5 * h)
        states.append(h)
    return np.array(states)


def reading(rng: np.random.Generator, rnn: Callable, sizes: tuple) -> list:
    """Return a case for each place; sizes: T, D, and the widths of the mixes."""
    T, *widths = sizes
    x, one, other = (rng.normal(size=(T, D)) for D in widths)
    places = [(x, one, other, rnn, place) for place in ("input", "output", "both")]
    return [(case, plugged(*case)) for case in places]


@PLACE.check("the example", "题中的例子")
def example_places(answer: Callable, rng: np.random.Generator) -> None:
    x, one, other = (np.array([[a], [b]]) for a, b in ((1, 2), (10, 20), (5, 6)))
    right = {
        "input": [[1, 10], [3, 30]],
        "output": [[1, 5], [3, 6]],
        "both": [[1, 10, 5], [3, 30, 6]],
    }
    PLACE.compare(
        answer, [((x, one, other, running_sum, p), r) for p, r in right.items()]
    )


@PLACE.check("another network", "另一个网络")
def another_network(answer: Callable, rng: np.random.Generator) -> None:
    PLACE.compare(answer, reading(rng, remembering, (5, 3, 3, 3)))


@PLACE.check("random sizes", "随机的大小", hidden=True)
def random_places(answer: Callable, rng: np.random.Generator) -> None:
    for rnn in (running_sum, remembering):
        for _ in range(2):
            T, D, P = rng.integers(2, 7, size=3).tolist()
            PLACE.compare(answer, reading(rng, rnn, (T, D, P, P)))


def beside(*parts):
    return np.concatenate(parts, axis=1)


PLACE.mistakes += [
    Mistake(
        "swapped_places",
        "input and output are swapped: the input is what the rnn reads.",
        "input 和 output 反了：input 指 rnn 读的东西。",
        lambda x, a, b, rnn, place: plugged(
            x, a, b, rnn, {"input": "output", "output": "input"}.get(place, place)
        ),
    ),
    Mistake(
        "left_side",
        "ELMo stands on the right of what it is laid beside.",
        "ELMo 应当摆在右边。",
        lambda x, a, b, rnn, place: {
            "input": lambda: rnn(beside(a, x)),
            "output": lambda: beside(b, rnn(x)),
            "both": lambda: beside(b, rnn(beside(a, x))),
        }[place](),
    ),
    Mistake(
        "same_mix_twice",
        "Each place has a mix of its own: elmo_out belongs to the output.",
        "每一处用各自的混合：输出端用 elmo_out。",
        lambda x, a, b, rnn, place: plugged(x, a, a, rnn, place),
    ),
    Mistake(
        "mixes_swapped",
        "elmo_in and elmo_out are swapped.",
        "elmo_in 和 elmo_out 用反了。",
        lambda x, a, b, rnn, place: plugged(x, b, a, rnn, place),
    ),
    Mistake(
        "input_only_in_both",
        "With both, ELMo stands at the output, too.",
        "两处都接时，输出端也要有 ELMo。",
        lambda x, a, b, rnn, place: plugged(
            x, a, b, rnn, "input" if place == "both" else place
        ),
    ),
    Mistake(
        "output_only_in_both",
        "With both, the rnn reads ELMo, too.",
        "两处都接时，rnn 也要读到 ELMo。",
        lambda x, a, b, rnn, place: plugged(
            x, a, b, rnn, "output" if place == "both" else place
        ),
    ),
    Mistake(
        "in_place_of_the_words",
        "ELMo replaces the word vectors; it is laid *beside* them.",
        "ELMo 把词向量换掉了；应当摆在它*旁边*。",
        lambda x, a, b, rnn, place: {
            "input": lambda: rnn(a),
            "output": lambda: beside(rnn(x), b),
            "both": lambda: beside(rnn(a), b),
        }[place](),
    ),
    Mistake(
        "after_not_before",
        "At the input ELMo must be laid beside the word vectors *before* the rnn "
        "reads; you lay it beside the states.",
        "接在输入端，要在 rnn 读*之前*摆到词向量旁边；你摆到了状态旁边。",
        lambda x, a, b, rnn, place: {
            "input": lambda: beside(rnn(x), a),
            "output": lambda: beside(rnn(x), b),
            "both": lambda: beside(rnn(x), a, b),
        }[place](),
    ),
    Mistake(
        "before_not_after",
        "At the output ELMo goes past the rnn, straight to the output layer; you let "
        "the rnn read it.",
        "接在输出端，ELMo 绕过 rnn，直达输出层；你让 rnn 去读它了。",
        lambda x, a, b, rnn, place: {
            "input": lambda: rnn(beside(x, a)),
            "output": lambda: rnn(beside(x, b)),
            "both": lambda: rnn(beside(x, a, b)),
        }[place](),
    ),
    Mistake(
        "below_each_other",
        "You put ELMo below, as further words; put it beside, as further dimensions "
        "(axis 1).",
        "你把 ELMo 接在下面，成了更多的词；应当摆在旁边，成为更多的维（axis 1）。",
        lambda x, a, b, rnn, place: {
            "input": lambda: rnn(np.concatenate([x, a])),
            "output": lambda: np.concatenate([rnn(x), b]),
            "both": lambda: np.concatenate([rnn(np.concatenate([x, a])), b]),
        }[place](),
    ),
]


# 4. A step with the biLM frozen


class FixedDropout(nn.Module):
    """Drop the first half of the dimensions in training, as a real one might."""

    def forward(self, x):
        if not self.training:
            return x
        kept = torch.arange(x.shape[-1]) >= x.shape[-1] // 2
        return 2 * x * kept


def modules(rng: np.random.Generator, I: int, D: int) -> tuple:  # noqa: E741
    """Return a small "biLM", (N, I) to (N, D), and a head, (N, D) to (N, 2)."""
    bilm = nn.Sequential(nn.Linear(I, D), nn.Tanh(), FixedDropout())
    head = nn.Sequential(nn.Linear(D, 4), nn.Tanh(), FixedDropout(), nn.Linear(4, 2))
    for p in (*bilm.parameters(), *head.parameters()):
        p.data = torch.tensor(rng.normal(size=p.shape))
    return bilm, head


def together(bilm, head):
    return torch.cat(
        [p.detach().flatten() for p in (*bilm.parameters(), *head.parameters())]
    )


def stepped(
    bilm, head, x, y, rate, still=True, evaluated=True, trained=(1,), mean=torch.mean,
    practised=True, move=lambda gradient: gradient, order=together,
):  # fmt: skip
    """Take the step with autograd; the options make mistakes."""
    if evaluated:
        bilm.eval()
    head.train(practised)
    parts = [list(bilm.parameters()), list(head.parameters())]
    loss = mean((head(bilm(x)) - y) ** 2)
    gradients = torch.autograd.grad(loss, [*parts[0], *parts[1]], allow_unused=True)
    chosen = {id(p) for k in trained for p in parts[k]}
    if not still:
        chosen |= {id(p) for p in parts[0]}
    with torch.no_grad():
        for p, g in zip([*parts[0], *parts[1]], gradients, strict=True):
            if id(p) in chosen and g is not None:
                p -= rate * move(g)
    return order(bilm, head)


def step_case(rng: np.random.Generator, N: int, I: int, D: int) -> tuple:  # noqa: E741
    """Return a case of N inputs."""
    bilm, head = modules(rng, I, D)
    x, y = torch.tensor(rng.normal(size=(N, I))), torch.tensor(rng.normal(size=(N, 2)))
    rate = float(rng.uniform(0.05, 0.5))
    right = stepped(*copy.deepcopy((bilm, head)), x, y, rate)
    return (bilm, head, x, y, rate), right


@STEP.check("the example", "题中的例子")
def example_step(answer: Callable, rng: np.random.Generator) -> None:
    bilm, head = (nn.Linear(1, 1, bias=False).double() for _ in range(2))
    bilm.weight.data[:], head.weight.data[:] = 2.0, 3.0
    x, y = (torch.tensor([[v]], dtype=torch.double) for v in (1.0, 4.0))
    STEP.compare(answer, [((bilm, head, x, y, 0.1), [2.0, 2.2])])


@STEP.check("a biLM with dropout inside", "里面有 dropout 的模型")
def with_dropout(answer: Callable, rng: np.random.Generator) -> None:
    STEP.compare(answer, [step_case(rng, N, 3, D) for N, D in ((4, 4), (2, 6), (5, 4))])


@STEP.check("random sizes", "随机的大小", hidden=True)
def random_steps(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers((2, 2, 4), (7, 5, 8), size=(4, 3)).tolist()
    STEP.compare(answer, [step_case(rng, *size) for size in sizes])


STEP.mistakes += [
    Mistake(
        "not_evaluating",
        "The biLM is still in training mode: its dropout is on. Frozen also means "
        "eval().",
        "双向语言模型还在训练状态，dropout 开着。冻结还意味着 eval()。",
        partial(stepped, evaluated=False),
    ),
    Mistake(
        "not_frozen",
        "The biLM's parameters moved; eval() does not freeze them (requires_grad "
        "does).",
        "双向语言模型的参数动了；eval() 并不冻结参数（requires_grad 才管这个）。",
        partial(stepped, still=False),
    ),
    Mistake(
        "neither",
        "Nothing is frozen: the biLM's parameters moved, and its dropout was on.",
        "什么都没冻结：双向语言模型的参数动了，dropout 也开着。",
        partial(stepped, still=False, evaluated=False),
    ),
    Mistake(
        "head_frozen_too",
        "Nothing moved. Only the biLM is frozen; the head is trained.",
        "什么都没动。冻结的只是双向语言模型；head 要训练。",
        partial(stepped, trained=()),
    ),
    Mistake(
        "wrong_one_frozen",
        "The head is frozen and the biLM is trained; it is the other way round.",
        "你冻结了 head、训练了双向语言模型；应当反过来。",
        partial(stepped, trained=(0,)),
    ),
    Mistake(
        "head_evaluating",
        "The head reads as at test time, too. Only the biLM is frozen; the head's "
        "dropout stays on.",
        "head 也成了测试状态。冻结的只是双向语言模型；head 的 dropout 要开着。",
        partial(stepped, practised=False),
    ),
    Mistake(
        "summed_loss",
        "The loss is the *mean* of the squared differences, not their sum.",
        "损失是平方差的*平均*，不是总和。",
        partial(stepped, mean=torch.sum),
    ),
    Mistake(
        "uphill",
        "You walk uphill: subtract rate times the gradient.",
        "方向反了：应当减去步长乘梯度。",
        partial(stepped, move=torch.neg),
    ),
    Mistake(
        "head_first",
        "Return the biLM's parameters first, then the head's.",
        "先返回双向语言模型的参数，再返回 head 的。",
        partial(stepped, order=lambda bilm, head: together(head, bilm)),
    ),
    Mistake(
        "without_rate",
        "The gradient is not multiplied by the rate.",
        "梯度没有乘步长。",
        lambda bilm, head, x, y, rate: stepped(bilm, head, x, y, 1.0),
    ),
    Mistake(
        "head_alone",
        "Only the head's parameters are there; return the biLM's, too, in front.",
        "只有 head 的参数；前面还要放双向语言模型的。",
        partial(stepped, order=lambda bilm, head: together(nn.Identity(), head)),
    ),
    Mistake(
        "adam",
        "This is a step of Adam: each number moves by about the rate, whatever its "
        "gradient. Take plain gradient descent.",
        "这是 Adam 的一步：不管梯度多小，每个数都移动约一个学习率。"
        "应当用普通的梯度下降。",
        partial(stepped, move=lambda g: g / (g.abs() + 1e-8)),
    ),
]


# 5. Three ways to report a gain


def reported(baseline, new, previous):
    """Count errors, not scores."""
    errors = {name: 100 - score for name, score in
              (("old", baseline), ("new", new), ("best", previous))}  # fmt: skip
    gone = {k: (errors[k] - errors["new"]) / errors[k] for k in ("old", "best")}
    return errors["old"] - errors["new"], gone["old"], gone["best"]


@GAINS.check("the example", "题中的例子")
def example_gains(answer: Callable, rng: np.random.Generator) -> None:
    GAINS.compare(answer, [((81.1, 85.8, 84.4), (4.7, 4.7 / 18.9, 1.4 / 15.6))])


@GAINS.check("other tasks of the paper", "论文里别的任务")
def paper_gains(answer: Callable, rng: np.random.Generator) -> None:
    table = [(88.0, 88.7, 88.6), (67.2, 70.4, 67.2), (90.15, 92.22, 91.93)]
    GAINS.compare(answer, [(row, reported(*row)) for row in table])


@GAINS.check("losses, too", "也有变差的")
def losses(answer: Callable, rng: np.random.Generator) -> None:
    GAINS.compare(
        answer, [(r, reported(*r)) for r in ((70.0, 65.0, 72.0), (50.0, 60.0, 80.0))]
    )


@GAINS.check("random scores", "随机的分数", hidden=True)
def random_gains(answer: Callable, rng: np.random.Generator) -> None:
    rows = rng.uniform(20, 95, size=(6, 3)).tolist()
    GAINS.compare(answer, [(tuple(row), reported(*row)) for row in rows])


GAINS.mistakes += [
    Mistake(
        "of_the_score",
        "You divide by the old score. Divide by the old *errors*, 100 minus the score.",
        "你除以了旧的分数。应当除以旧的*错误*：100 减分数。",
        lambda b, n, p: (n - b, (n - b) / b, (n - p) / p),
    ),
    Mistake(
        "of_the_new_errors",
        "You divide by the errors of the new system; the share is of the old errors.",
        "你除以了新系统的错误；应当是占旧错误的比例。",
        lambda b, n, p: (n - b, (n - b) / (100 - n), (n - p) / (100 - n)),
    ),
    Mistake(
        "in_per_cent",
        "Return shares: 0.249, not 24.9.",
        "返回比例：0.249，不是 24.9。",
        lambda b, n, p: (n - b, 100 * (n - b) / (100 - b), 100 * (n - p) / (100 - p)),
    ),
    Mistake(
        "out_of_one",
        "The scores go up to 100, not to 1.",
        "满分是 100，不是 1。",
        lambda b, n, p: (n - b, (n - b) / (1 - b), (n - p) / (1 - p)),
    ),
    Mistake(
        "always_the_baseline",
        "The third number compares with the previous best, in its errors and in its "
        "score.",
        "第三个数比的是此前最好的系统，错误和分数都要用它的。",
        lambda b, n, p: (n - b, (n - b) / (100 - b), (n - b) / (100 - p)),
    ),
    Mistake(
        "errors_of_the_baseline",
        "The gain over the previous best is a share of *its* errors, not of the "
        "baseline's.",
        "比此前最好系统的提升，要占*它的*错误的比例，不是基线的。",
        lambda b, n, p: (n - b, (n - b) / (100 - b), (n - p) / (100 - b)),
    ),
    Mistake(
        "shares_swapped",
        "The two shares are swapped: first over the baseline.",
        "两个比例的次序反了：先是相对基线的。",
        lambda b, n, p: (n - b, (n - p) / (100 - p), (n - b) / (100 - b)),
    ),
    Mistake(
        "no_losses",
        "A loss is negative; you return its size, or 0.",
        "变差应当是负数；你返回了绝对值或者 0。",
        lambda b, n, p: (
            abs(n - b),
            abs(n - b) / (100 - b),
            abs(n - p) / (100 - p),
        ),
    ),
    Mistake(
        "signs_reversed",
        "The signs are reversed: a better system has positive gains.",
        "正负号反了：变好应当是正的。",
        lambda b, n, p: (b - n, (b - n) / (100 - b), (p - n) / (100 - p)),
    ),
    Mistake(
        "points_over_the_best",
        "The points are those over the baseline.",
        "点数是比基线高多少点。",
        lambda b, n, p: (n - p, (n - b) / (100 - b), (n - p) / (100 - p)),
    ),
]
