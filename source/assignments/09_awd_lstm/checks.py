"""The checks of assignment 09, AWD-LSTM, and the mistakes that people make.

Dropout is random; so that an answer can be compared number by number, it gets its coins
from the check. The options of the reference functions make the mistakes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from course_lib.grading.checks import Mistake, Task

WEIGHT_DROP = Task("09.weight_drop", tolerance=1e-4)  # also of torch in float32
LOCKED = Task("09.locked")
WINDOWS = Task("09.windows")
PENALTY = Task("09.penalty")
AVERAGE = Task("09.nt_average")
TASKS = {task.name: task for task in (WEIGHT_DROP, LOCKED, WINDOWS, PENALTY, AVERAGE)}


@dataclass
class Coins:
    """Toss coins: arrays of 1 and, with probability p, 0. The same seed, the same."""

    seed: int
    p: float

    def __post_init__(self):
        self.rng = np.random.default_rng(self.seed)

    def __call__(self, *shape) -> np.ndarray:
        """Return coins of a shape, given as one tuple or as numbers."""
        size = shape if len(shape) != 1 or isinstance(shape[0], int) else shape[0]
        return (self.rng.random(tuple(size)) >= self.p).astype(float)


def scaled(mask, p):
    return mask / (1 - p)


def unscaled(mask, p):
    return mask


def shrunk(mask, p):
    return mask * (1 - p)


def nothing_dropped(x, coins, p):
    return x


# 1. A recurrence with a thinned-out matrix


def recurrence(
    x, W, U, coins, p, training, scale=scaled, toss=lambda coins, U: coins(U.shape),
    where="U", again=False, idle=nothing_dropped, multiply=np.matmul,
):  # fmt: skip
    """Run h = tanh(W x + U h), the options make mistakes. Shape: (T, H)."""

    def thinned(matrix):
        return matrix * scale(toss(coins, matrix), p) if training else matrix

    W = thinned(W) if "W" in where else W
    if not training:
        U = idle(U, coins, p)
    kept = thinned(U) if "U" in where else U
    h, found, mask = np.zeros(len(U)), [], np.ones(len(U))
    if where == "h" and training:
        mask = scale(coins(len(U)), p)
    for t, vector in enumerate(x):
        if again and t and training:
            kept = thinned(U) if "U" in where else U
            mask = scale(coins(len(U)), p) if where == "h" else mask
        h = np.tanh(W @ vector + multiply(kept, mask * h))
        found.append(h)
    return np.array(found)


def recurrent_case(rng: np.random.Generator, T, D, H, p, training) -> tuple:
    x, W, U = rng.normal(size=(T, D)), rng.normal(size=(H, D)), rng.normal(size=(H, H))
    coins = Coins(int(rng.integers(1 << 30)), p)
    inputs = x, W / D**0.5, U, coins, p, training
    return inputs, recurrence(x, W / D**0.5, U, Coins(coins.seed, p), p, training)


@WEIGHT_DROP.check("the example", "题中的例子")
def example_weight_drop(answer: Callable, rng: np.random.Generator) -> None:
    x, W = np.ones((3, 1)), np.array([[0.5], [-0.5]])
    U, coins = np.array([[0.4, 0.3], [0.2, 0.1]]), Coins(9, 0.5)  # tosses 1 0, 1 1
    right = recurrence(x, W, U, Coins(9, 0.5), 0.5, True)
    WEIGHT_DROP.compare(answer, [((x, W, U, coins, 0.5, True), right)])


@WEIGHT_DROP.check("training and evaluation", "训练和评估")
def two_modes(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [(6, 3, 4, 0.5, True), (5, 2, 5, 0.3, True), (4, 3, 4, 0.5, False)]
    WEIGHT_DROP.compare(answer, [recurrent_case(rng, *size) for size in sizes])


@WEIGHT_DROP.check("random matrices", "随机的矩阵", hidden=True)
def random_matrices(answer: Callable, rng: np.random.Generator) -> None:
    ps = rng.uniform(0.2, 0.7, size=3)
    cases = [recurrent_case(rng, 7, 2, 6, float(p), True) for p in ps]
    WEIGHT_DROP.compare(answer, [*cases, recurrent_case(rng, 5, 4, 3, 0.4, False)])


WEIGHT_DROP.mistakes += [
    Mistake(
        "new_each_step",
        "You toss new coins at every step. A weight that is dropped is missing in the "
        "whole window: toss once, before the loop.",
        "你每一步都重新抽取。丢掉的权重在整个窗口里都不在：只抛一次，放在循环前面。",
        partial(recurrence, again=True),
    ),
    Mistake(
        "on_the_state",
        "You drop parts of the state h. The coins belong on the *weights*: on the "
        "entries of U.",
        "你丢的是状态 h 的分量。硬币应当落在*权重*上，也就是 U 的每个元素上。",
        partial(recurrence, where="h", again=True),
    ),
    Mistake(
        "on_the_state_once",
        "You drop the same parts of the state h at each step. That takes whole columns "
        "out of U; here every single weight has a coin.",
        "你每一步丢掉 h 的同样几个分量，等于去掉 U 的整列；这里每个权重各有一枚硬币。",
        partial(recurrence, where="h"),
    ),
    Mistake(
        "on_the_input_matrix",
        "You thin out W. It is the recurrent matrix U that the state passes through "
        "again and again.",
        "你丢的是 W 的权重。反复作用在状态上的是循环矩阵 U，应当丢它的。",
        partial(recurrence, where="W"),
    ),
    Mistake(
        "on_both_matrices",
        "You thin out W as well; only the recurrent matrix U is.",
        "你把 W 也一起丢了；只有循环矩阵 U 要丢。",
        partial(recurrence, where="WU"),
    ),
    Mistake(
        "weights_not_scaled",
        "The weights that stay must grow: divide by 1 - p, so that the mean is kept.",
        "留下来的权重要放大：除以 1 - p，平均值才不变。",
        partial(recurrence, scale=unscaled),
    ),
    Mistake(
        "weights_over_p",
        "You divide by p. A weight stays with probability 1 - p: divide by that.",
        "你除以了 p。权重留下的概率是 1 - p，要除以它。",
        partial(recurrence, scale=lambda mask, p: mask / p),
    ),
    Mistake(
        "weights_shrunk",
        "You multiply by 1 - p; divide by it.",
        "你乘了 1 - p；应当除以它。",
        partial(recurrence, scale=shrunk),
    ),
    Mistake(
        "drops_in_evaluation",
        "In evaluation nothing is dropped and nothing is scaled: U as it is.",
        "评估时什么也不丢，也不缩放：U 原样使用。",
        partial(recurrence, idle=lambda U, coins, p: U * coins(U.shape) / (1 - p)),
    ),
    Mistake(
        "scaled_in_evaluation",
        "You scale in evaluation instead of in training. Here training divides by "
        "1 - p, and evaluation takes U as it is.",
        "你把缩放放到了评估里。这里训练时除以 1 - p，评估时 U 原样使用。",
        partial(
            recurrence, scale=unscaled, idle=lambda U, coins, p: U * (1 - p)
        ),
    ),
    Mistake(
        "coins_reversed",
        "You keep what should be dropped: a 1 of the coins means that a weight stays.",
        "你把该丢的留下了：硬币为 1 表示权重留下。",
        partial(recurrence, toss=lambda coins, U: 1 - coins(U.shape)),
    ),
    Mistake(
        "U_transposed",
        "You multiply by U from the wrong side: it is U h, with the matrix in front.",
        "U 乘错了边：应当是 U h，矩阵在左。",
        partial(recurrence, multiply=lambda U, h: h @ U),
    ),
]  # fmt: skip


# 2. Locked dropout


def lock(
    x, coins, p, training, shape=lambda B, T, D: (B, 1, D), scale=scaled,
    toss=lambda coins, shape: coins(shape), idle=nothing_dropped,
):  # fmt: skip
    """Drop features for a whole window; the options make mistakes. Shape: (B, T, D)."""
    if not training:
        return idle(x, coins, p)
    return x * scale(toss(coins, shape(*x.shape)), p)


def locked_case(rng: np.random.Generator, B, T, D, p, training=True) -> tuple:
    x, seed = rng.normal(size=(B, T, D)), int(rng.integers(1 << 30))
    right = lock(x, Coins(seed, p), p, training)
    return (x, Coins(seed, p), p, training), right


@LOCKED.check("the example", "题中的例子")
def example_locked(answer: Callable, rng: np.random.Generator) -> None:
    x, p = np.arange(1.0, 13).reshape(2, 2, 3), 0.5
    right = [[[2, 0, 6], [8, 0, 12]], [[0, 16, 18], [0, 22, 24]]]
    coins = Coins(145, p)  # tosses 1 0 1 for the first text, 0 1 1 for the second
    LOCKED.compare(answer, [((x, coins, p, True), right)])


@LOCKED.check("training and evaluation", "训练和评估")
def locked_modes(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [(2, 5, 4, 0.5), (3, 4, 6, 0.25), (3, 4, 5, 0.5, False)]
    LOCKED.compare(answer, [locked_case(rng, *size) for size in sizes])


@LOCKED.check("random tensors", "随机的张量", hidden=True)
def random_tensors(answer: Callable, rng: np.random.Generator) -> None:
    ps = rng.uniform(0.2, 0.7, size=3)
    cases = [locked_case(rng, *rng.integers(3, 8, size=3), float(p)) for p in ps]
    LOCKED.compare(answer, [*cases, locked_case(rng, 2, 6, 7, 0.4, False)])


LOCKED.mistakes += [
    Mistake(
        "every_step_anew",
        "Every step has coins of its own: that is ordinary dropout. Toss once for all "
        "steps of a text.",
        "每一步各抛各的硬币，那是普通的 dropout。一段文本的所有步共用一次抛的结果。",
        partial(lock, shape=lambda B, T, D: (B, T, D)),
    ),
    Mistake(
        "all_texts_alike",
        "All texts of the batch lose the same features; each has coins of its own.",
        "一批里的所有文本丢了同样的特征；每段文本应当各抛各的。",
        partial(lock, shape=lambda B, T, D: (1, 1, D)),
    ),
    Mistake(
        "locked_over_texts",
        "Your coins are the same for all texts, and new at each step: it should be the "
        "reverse. x has the shape (B, T, D).",
        "你的硬币在各段文本之间共用，每一步却是新的：正好反了。x 的形状是 (B, T, D)。",
        partial(lock, shape=lambda B, T, D: (1, T, D)),
    ),
    Mistake(
        "whole_steps",
        "You drop whole steps, with all their features. Drop features, for all steps.",
        "你丢的是整个时间步，连同它的全部特征。应当丢特征，对所有步都一样。",
        partial(lock, shape=lambda B, T, D: (B, T, 1)),
    ),
    Mistake(
        "whole_texts",
        "You drop whole texts: a coin for each text and *each feature* is needed.",
        "你把整段文本丢掉了：每段文本的*每个特征*都要一枚硬币。",
        partial(lock, shape=lambda B, T, D: (B, 1, 1)),
    ),
    Mistake(
        "features_not_scaled",
        "What stays must grow: divide by 1 - p, so that the mean is kept.",
        "留下来的要放大：除以 1 - p，平均值才不变。",
        partial(lock, scale=unscaled),
    ),
    Mistake(
        "features_over_p",
        "You divide by p. A feature stays with probability 1 - p: divide by that.",
        "你除以了 p。特征留下的概率是 1 - p，要除以它。",
        partial(lock, scale=lambda mask, p: mask / p),
    ),
    Mistake(
        "features_shrunk",
        "You multiply by 1 - p; divide by it.",
        "你乘了 1 - p；应当除以它。",
        partial(lock, scale=shrunk),
    ),
    Mistake(
        "on_in_evaluation",
        "In evaluation x comes back as it is.",
        "评估时 x 原样返回。",
        partial(lock, idle=lambda x, coins, p: lock(x, coins, p, True)),
    ),
    Mistake(
        "evaluation_shrunk",
        "You scale in evaluation instead of in training. Here training divides by "
        "1 - p, and evaluation returns x as it is.",
        "你把缩放放到了评估里。这里训练时除以 1 - p，评估时 x 原样返回。",
        partial(lock, scale=unscaled, idle=lambda x, coins, p: x * (1 - p)),
    ),
    Mistake(
        "features_reversed",
        "You keep what should be dropped: a 1 of the coins means that a feature stays.",
        "你把该丢的留下了：硬币为 1 表示特征留下。",
        partial(lock, toss=lambda coins, shape: 1 - coins(shape)),
    ),
]


# 3. Windows of varied lengths, and their learning rates


def cut(
    total, u, z, bptt, short=lambda u: u > 0.95, spread=lambda mean, bptt: 5,
    whole=round, least=5, trim=lambda length, left: min(length, left),
    rate=lambda length, mean, bptt: length / bptt, keep=lambda rows, total: rows,
):  # fmt: skip
    """Cut a stream into windows; the options make mistakes. Shape: (K, 2)."""
    rows, left = [], total
    for chance, normal in zip(u, z, strict=True):
        if left <= 0:
            break
        mean = bptt / 2 if short(chance) else bptt
        length = max(least, whole(mean + spread(mean, bptt) * normal))
        length = trim(length, left)
        rows.append((length, rate(length, mean, bptt)))
        left -= length
    return np.array(keep(rows, total))


def stream_case(rng: np.random.Generator, bptt: int, K: int, rest: int) -> tuple:
    """Return a case of K windows and a rest; more short windows than in the paper."""
    n = 4 * K
    short = rng.random(n) < 0.4
    short[:2] = rng.permutation([True, False])
    u = np.where(short, rng.uniform(0.955, 1, n), rng.uniform(0.0, 0.94, n))
    z = rng.normal(size=n).clip(-1.47, 1.47)
    if bptt < 20:
        u[0], z[0] = 0.99, -1.2  # a window that would be too short
    total = int(cut(10**6, u, z, bptt)[:K, 0].sum()) + rest
    return (total, u, z, bptt), cut(total, u, z, bptt)


@WINDOWS.check("the example", "题中的例子")
def example_windows(answer: Callable, rng: np.random.Generator) -> None:
    u, z = np.array([0.3, 0.97, 0.5, 0.6, 0.2]), np.array([0.74, -0.64, -1.16, 0.1, 0])
    right = [(74, 74 / 70), (32, 32 / 70), (64, 64 / 70), (30, 30 / 70)]
    WINDOWS.compare(answer, [((200, u, z, 70), right)])


@WINDOWS.check("other streams", "别的文本流")
def other_streams(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (70, 6, 20), (14, 7, 1), (40, 5, 3), (16, 8, 2)
    u, z = np.array([0.99, 0.5, 0.5]), np.array([0.06, 0, 0])
    odd = 30, u, z, 15  # 7.5 + 0.3 is 8, and 7 + 0.3 is 7
    cases = [stream_case(rng, *size) for size in sizes]
    WINDOWS.compare(answer, [*cases, (odd, cut(*odd))])


@WINDOWS.check("random streams", "随机的文本流", hidden=True)
def random_streams(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [(int(b), int(rng.integers(5, 9)), int(rng.integers(1, 5)))
             for b in (12, 18, *rng.integers(25, 90, size=4))]  # fmt: skip
    WINDOWS.compare(answer, [stream_case(rng, *size) for size in sizes])


WINDOWS.mistakes += [
    Mistake(
        "whole_halves",
        "bptt / 2 may end in a half; // loses it. Round only the length.",
        "bptt / 2 可能带半；// 把它丢了。只有长度才取整。",
        lambda total, u, z, bptt: cut(
            total, u, np.where(u > 0.95, z - (bptt % 2) / 10, z), bptt
        ),
    ),
    Mistake(
        "never_short",
        "You have no short windows: where u > 0.95 the mean is bptt / 2.",
        "你没有短窗口：u > 0.95 时，平均长度是 bptt / 2。",
        partial(cut, short=lambda u: False),
    ),
    Mistake(
        "mostly_short",
        "Most of your windows are short. Only where u > 0.95 the mean is bptt / 2.",
        "你的窗口大多是短的。只有 u > 0.95 时，平均长度才是 bptt / 2。",
        partial(cut, short=lambda u: u <= 0.95),
    ),
    Mistake(
        "spread_halved",
        "Your short windows have half the spread as well; it is 5 for all.",
        "短窗口的标准差也被你减半了；所有窗口都是 5。",
        partial(cut, spread=lambda mean, bptt: 5 * mean / bptt),
    ),
    Mistake(
        "cut_off",
        "`int` cuts the fraction off; round to the nearest whole number.",
        "`int` 会把小数部分切掉；应当四舍五入到最近的整数。",
        partial(cut, whole=int),
    ),
    Mistake(
        "no_minimum",
        "A window may not be shorter than 5 tokens, unless the stream ends.",
        "窗口不能短于 5 个词，除非文本流到头了。",
        partial(cut, least=0),
    ),
    Mistake(
        "over_the_end",
        "The last window goes beyond the end: it takes what is left.",
        "最后一个窗口超出了末尾：它只取剩下的部分。",
        partial(cut, trim=lambda length, left: length),
    ),
    Mistake(
        "end_left_out",
        "The last window is missing: it takes what is left, and is shorter.",
        "少了最后一个窗口：它取剩下的部分，短一些。",
        partial(cut, keep=lambda rows, total: rows[:-1]),
    ),
    Mistake(
        "constant_rate",
        "Your rate is the same for all windows; a window of half the usual length has "
        "half the rate.",
        "你的学习率对所有窗口都一样；长度是平常一半的窗口，学习率也减半。",
        partial(cut, rate=lambda length, mean, bptt: 1.0),
    ),
    Mistake(
        "rate_upside_down",
        "Your short windows have *larger* rates: divide the length by bptt.",
        "短窗口的学习率反而*更大*：应当用长度除以 bptt。",
        partial(cut, rate=lambda length, mean, bptt: bptt / length),
    ),
    Mistake(
        "rate_of_its_mean",
        "You compare a short window with bptt / 2; compare all of them with bptt.",
        "短窗口你是和 bptt / 2 比的；所有窗口都要和 bptt 比。",
        partial(cut, rate=lambda length, mean, bptt: length / mean),
    ),
    Mistake(
        "rate_of_the_draw",
        "The rate follows the length that the window really has, not its mean.",
        "学习率要看窗口实际的长度，而不是抽签的平均值。",
        partial(cut, rate=lambda length, mean, bptt: mean / bptt),
    ),
    Mistake(
        "rate_first",
        "Each row is (length, share of the rate), in this order.",
        "每一行是（长度，学习率的倍数），次序不能反。",
        partial(cut, keep=lambda rows, total: [row[::-1] for row in rows]),
    ),
]


# 4. AR and TAR


def activity(
    h, m, alpha, beta, ar=lambda h, m: m * h, tar=lambda h, m: h, power=np.square,
    mean=np.mean, jumps=lambda h: h[:, 1:] - h[:, :-1], over=lambda jumps, h: 1.0,
    none=0.0,
):  # fmt: skip
    """Return AR + TAR; the options make mistakes."""
    moves = jumps(tar(h, m))
    still = mean(power(moves)) * over(moves, h) if moves.size else none
    return alpha * mean(power(ar(h, m))) + beta * still


def norms(h):
    return np.sqrt((h**2).sum(axis=-1))


def activity_case(rng: np.random.Generator, B: int, T: int, D: int) -> tuple:
    p, h = rng.uniform(0.2, 0.6), rng.normal(size=(B, T, D)).cumsum(axis=1)
    m = (rng.random((B, 1, D)) >= p) / (1 - p)
    m[0, 0, :2] = 0, 1 / (1 - p)
    case = h, m, float(rng.uniform(1.5, 3)), float(rng.uniform(0.3, 1.2))
    return case, activity(*case)


@PENALTY.check("the example", "题中的例子")
def example_penalty(answer: Callable, rng: np.random.Generator) -> None:
    h, m = np.array([[[1.0, 2], [1, 4], [2, 4]]]), np.array([[[2.0, 0]]])
    PENALTY.compare(answer, [((h, m, 2.0, 1.0), 8 + 1.25)])


@PENALTY.check("other outputs", "别的输出")
def other_outputs(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, 5, 3), (3, 4, 4), (2, 1, 3), (4, 2, 2)
    PENALTY.compare(answer, [activity_case(rng, *size) for size in sizes])


@PENALTY.check("random outputs", "随机的输出", hidden=True)
def random_outputs(answer: Callable, rng: np.random.Generator) -> None:
    sizes = [rng.integers(2, 7, size=3) for _ in range(5)]
    PENALTY.compare(answer, [activity_case(rng, *size) for size in sizes])


PENALTY.mistakes += [
    Mistake(
        "jumps_of_the_dropped",
        "You take the jumps of the dropped outputs; TAR looks at h as the LSTM gives "
        "it, without the mask.",
        "TAR 你算在了丢过特征的输出上；它看的是 LSTM 给出的 h，不带掩码。",
        partial(activity, tar=lambda h, m: m * h),
    ),
    Mistake(
        "no_mask",
        "You forgot the mask: AR punishes what the softmax sees, m times h.",
        "你漏了掩码：AR 罚的是 softmax 看到的输出，也就是 m 乘 h。",
        partial(activity, ar=lambda h, m: h),
    ),
    Mistake(
        "masks_swapped",
        "The mask is in the wrong place: AR looks at m times h, TAR at h.",
        "掩码放错了地方：AR 看 m 乘 h，TAR 看 h。",
        partial(activity, ar=lambda h, m: h, tar=lambda h, m: m * h),
    ),
    Mistake(
        "not_squared",
        "You average absolute values; average the squares.",
        "你平均的是绝对值；应当平均平方。",
        partial(activity, power=np.abs),
    ),
    Mistake(
        "lengths",
        "You average the lengths of the vectors; here it is the mean of all squared "
        "numbers.",
        "你平均的是向量的长度；这里要的是所有数的平方的平均。",
        partial(activity, power=norms),
    ),
    Mistake(
        "sums",
        "You add the squares up. Take their means, so that the penalty does not grow "
        "with the batch.",
        "你把平方加了起来。应当取平均，惩罚才不会随批的大小变大。",
        partial(activity, mean=np.sum),
    ),
    Mistake(
        "sums_over_features",
        "You add over the features and average over the steps only; average over all.",
        "你对特征求了和，只对时间步取了平均；应当对所有的数取平均。",
        partial(activity, power=lambda h: (h**2).sum(axis=-1)),
    ),
    Mistake(
        "alpha_and_beta",
        "alpha and beta are exchanged: alpha belongs to AR.",
        "alpha 和 beta 用反了：alpha 属于 AR。",
        lambda h, m, alpha, beta: activity(h, m, beta, alpha),
    ),
    Mistake(
        "one_jump_too_many",
        "T steps have T - 1 jumps; you divide by T.",
        "T 步之间只有 T - 1 次跳变；你除以了 T。",
        partial(activity, over=lambda jumps, h: jumps.size / h.size),
    ),
    Mistake(
        "round_the_corner",
        "You also take the jump from the last step back to the first (`roll`).",
        "你把最后一步跳回第一步也算进去了（`roll` 会绕回来）。",
        partial(activity, jumps=lambda h: np.roll(h, -1, axis=1) - h),
    ),
    Mistake(
        "from_text_to_text",
        "You compare neighbouring *texts* of the batch; compare neighbouring steps, "
        "the second axis.",
        "你比的是批里相邻的*文本*；应当比相邻的时间步，也就是第二个轴。",
        partial(activity, jumps=lambda h: h[1:] - h[:-1]),
    ),
    Mistake(
        "no_step_is_nan",
        "A window of one step has no jump: TAR is 0 there, not NaN.",
        "只有一步的窗口没有跳变：这时 TAR 是 0，不是 NaN。",
        partial(activity, none=np.nan),
    ),
]


# 5. NT-ASGD: when to begin averaging, and over what


def no_better(losses, t, n):
    """Tell whether check t is worse than the best but n checks before it."""
    return t > n and losses[t] > min(losses[: t - n])


def triggered(losses, n, stuck=no_better) -> list[int]:
    return [t for t in range(len(losses)) if stuck(losses, t, n)]


def averaged(
    weights, losses, every, n, stuck=no_better, which=0,
    at=lambda t, every: (t + 1) * every - 1,
    result=lambda weights, start: weights[start:].mean(axis=0),
):  # fmt: skip
    """Return the average that NT-ASGD ends with; the options make mistakes."""
    found = triggered(losses, n, stuck)
    if not found:
        return weights[-1]
    return result(weights, at(found[which], every))


def any_rise(losses, t, n):
    return t > 0 and losses[t] > losses[t - 1]


def than_one(losses, t, n):
    return t > n and losses[t] > losses[t - n - 1]


def than_the_last(losses, t, n):
    return t > n and losses[t] > min(losses[t - n : t])


def one_too_late(losses, t, n):
    return t >= n and losses[t] > min(losses[: t - n + 1])


def out_of_patience(losses, t, n):
    """Begin when the best loss is more than n checks old."""
    return t - int(np.argmin(losses[: t + 1])) > n


RULES = (no_better, any_rise, than_one, than_the_last, one_too_late)


def training_case(rng: np.random.Generator, begins: bool) -> tuple:
    """Return a training in which the wrong rules begin at other checks.

    begins: whether the right rule begins at all; if not, a single rise is there
    """
    rivals = RULES if begins else RULES[:2]
    while True:
        C, every, n = (int(rng.integers(*r)) for r in ((14, 20), (2, 5), (2, 5)))
        falling = 4 * np.exp(-np.arange(C) / rng.uniform(2, 6))
        losses = (4 + falling + rng.normal(size=C) * 0.3).round(3).tolist()
        found = triggered(losses, n)
        first, *others = (triggered(losses, n, rule)[:1] for rule in rivals)
        late = begins and (len(found) < 2 or found[0] > C - 3)
        if begins == bool(found) and first not in others and not late:
            break
    weights = rng.normal(size=(C * every, 3)).cumsum(axis=0)
    case = weights, losses, every, n
    return case, averaged(*case)


def never_case(rng: np.random.Generator) -> tuple:
    """Return a training that gets better all the time, but for one small rise."""
    losses = [6.0, 5.0, 5.2, 4.1, 3.5, 3.2, 3.0, 2.9]
    weights = rng.normal(size=(16, 3))
    return (weights, losses, 2, 3), weights[-1]


def twice_stuck_case(rng: np.random.Generator) -> tuple:
    """Return a training that is stuck at two checks and gets better at the last."""
    losses = [6.0, 5.0, 4.0, 3.5, 3.9, 4.4, 4.2, 3.0]
    case = rng.normal(size=(24, 3)), losses, 3, 2
    return case, averaged(*case)


@AVERAGE.check("the example", "题中的例子")
def example_average(answer: Callable, rng: np.random.Generator) -> None:
    weights = np.array([[0.0], [2], [3], [5], [4], [7], [5], [9], [6], [8], [7], [5]])
    losses = [5.0, 4.0, 3.0, 3.5, 4.2, 4.1]
    AVERAGE.compare(answer, [((weights, losses, 2, 2), [20 / 3])])


@AVERAGE.check("other trainings", "别的训练")
def other_trainings(answer: Callable, rng: np.random.Generator) -> None:
    cases = [training_case(rng, True) for _ in range(4)]
    cases += [never_case(rng), twice_stuck_case(rng)]
    losses = [2.0, 1.5, 1.5, 1.5, 1.2, 1.0]  # as bad as before, but never worse
    as_good = rng.normal(size=(12, 2)), losses, 2, 1
    AVERAGE.compare(answer, [*cases, (as_good, as_good[0][-1])])


@AVERAGE.check("random trainings", "随机的训练", hidden=True)
def random_trainings(answer: Callable, rng: np.random.Generator) -> None:
    cases = [training_case(rng, True) for _ in range(6)]
    AVERAGE.compare(answer, [*cases, training_case(rng, False)])


AVERAGE.mistakes += [
    Mistake(
        "not_better",
        "You begin at a loss that is as good as the best before; it must be worse.",
        "损失和以前最好的一样你就开始平均；要更差才开始。",
        partial(
            averaged,
            stuck=lambda losses, t, n: t > n and losses[t] >= min(losses[: t - n]),
        ),
    ),
    Mistake(
        "any_rise",
        "You begin as soon as the loss rises. A single rise may be noise: the last n "
        "checks do not count, compare with the best of those before them.",
        "损失一升你就开始平均。升一次可能只是噪声：最近 n 次不算，"
        "要和更早的检查里最好的比。",
        partial(averaged, stuck=any_rise),
    ),
    Mistake(
        "than_one",
        "You compare with one single check, n + 1 back; compare with the *best* of all "
        "that are at least so old.",
        "你只和 n + 1 次以前的那一次比；应当和那么早以及更早的检查里*最好*的比。",
        partial(averaged, stuck=than_one),
    ),
    Mistake(
        "than_the_last",
        "You compare with the best of the last n checks: just these do not count.",
        "你和最近 n 次里最好的比了：恰恰是这几次不算在内。",
        partial(averaged, stuck=than_the_last),
    ),
    Mistake(
        "out_of_patience",
        "You count the checks since the best one, as early stopping does (patience). "
        "Compare this loss with the best of those more than n checks back.",
        "你数的是最好的那次之后又过了几次，那是早停的做法（patience）。"
        "要拿这次的损失和 n 次以前那些里最好的比。",
        partial(averaged, stuck=out_of_patience),
    ),
    Mistake(
        "n_minus_one",
        "You leave out only n - 1 checks before this one; leave out n.",
        "这次之前你只略过了 n - 1 次检查；应当略过 n 次。",
        partial(averaged, stuck=one_too_late),
    ),
    Mistake(
        "from_the_start",
        "You average all weights from the first step. The early ones are far away; "
        "begin at the step of that check.",
        "你从第一步起全平均了。早期的权重离得很远；应当从那次检查所在的步开始。",
        partial(averaged, result=lambda weights, start: weights.mean(axis=0)),
    ),
    Mistake(
        "after_that_step",
        "The weights of the step of that check belong to the average, too.",
        "那次检查所在的步，它的权重也要算进平均。",
        partial(averaged, at=lambda t, every: (t + 1) * every),
    ),
    Mistake(
        "checks_for_steps",
        "You take the number of the check for that of the step: there are `every` "
        "steps to a check.",
        "你把检查的序号当成了步的序号：每 `every` 步才检查一次。",
        partial(averaged, at=lambda t, every: t),
    ),
    Mistake(
        "a_check_too_early",
        "The first check comes *after* `every` steps, not before the first.",
        "第一次检查在走完 `every` 步*之后*，不是在第一步之前。",
        partial(averaged, at=lambda t, every: t * every),
    ),
    Mistake(
        "last_weights",
        "These are the last weights, not an average.",
        "这是最后的权重，不是平均。",
        lambda weights, losses, every, n: weights[-1],
    ),
    Mistake(
        "begun_again",
        "You begin anew at every check that is no better; the first one decides.",
        "每遇到一次没有变好，你就重新开始；应当由第一次决定。",
        partial(averaged, which=-1),
    ),
    Mistake(
        "best_weights",
        "These are the weights with the lowest held-out loss; return an average.",
        "这是留出损失最低时的权重；应当返回平均。",
        lambda weights, losses, every, n: weights[
            (int(np.argmin(losses)) + 1) * every - 1
        ],
    ),
]
