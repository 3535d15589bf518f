"""The checks of assignment 06, the biLM, and the mistakes made in it.

Where possible the truth is known by construction: a network is wired so that one knows
which state depends on which token, a recurrence is a matrix that can be transposed.
"""

from __future__ import annotations

import functools
import math
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from statistics import geometric_mean

import numpy as np
import torch
import torch.nn.functional as F

from course_lib.analysis.senses import sense_accuracy
from course_lib.grading.checks import Task, numbers, require
from course_lib.text.characters import char_ids as reference_char_ids

CHAR_IDS = Task("06.char_ids")
SEES = Task("06.sees")
TWO_DIRECTIONS = Task("06.two_directions", tolerance=1e-4)
PERPLEXITY = Task("06.perplexity", tolerance=1e-4)
NEAREST_SENSE = Task("06.nearest_sense", tolerance=1e-6)
ALL = (CHAR_IDS, SEES, TWO_DIRECTIONS, PERPLEXITY, NEAREST_SENSE)
TASKS = {task.name: task for task in ALL}


# 1. Character ids of a word, as ELMo has them

LETTERS = "abcxyzABCXYZ0189'-éüßñøλжя花打苹果小米杜鹃，。🙂🌱"


def random_word(rng: np.random.Generator, longest: int) -> str:
    return "".join(rng.choice(list(LETTERS), size=rng.integers(1, longest)).tolist())


def spelled(*words: str) -> list:
    return [((word,), reference_char_ids(word)) for word in words]


@CHAR_IDS.check("the examples", "题中的例子")
def example_words(answer: Callable, rng: np.random.Generator) -> None:
    as_written = "cafe\N{COMBINING ACUTE ACCENT}", "\N{LATIN SMALL LIGATURE FI}t"
    CHAR_IDS.compare(
        answer, spelled("bank", "花", "Bank", "café", *as_written, " a\u3000")
    )


@CHAR_IDS.check("words longer than the row", "放不下的长词")
def long_words(answer: Callable, rng: np.random.Generator) -> None:
    exact, one_more = "a" * 48, "b" * 49
    cut_inside = "a" + "杜鹃花" * 6, "ab" + "杜鹃花" * 6  # 48 is a multiple of 3
    words = exact, one_more, "xyz" * 30, "杜鹃花" * 6, *cut_inside
    CHAR_IDS.compare(answer, spelled(*words))


@CHAR_IDS.check("sentence marks", "句首和句尾标记")
def marks(answer: Callable, rng: np.random.Generator) -> None:
    CHAR_IDS.compare(answer, spelled("<S>", "</S>", "<s>", "S", "<S>.", "x</S>"))


@CHAR_IDS.check("random words", "随机的词", hidden=True)
def random_words(answer: Callable, rng: np.random.Generator) -> None:
    words = [random_word(rng, longest) for longest in (6, 6, 6, 20, 20, 70)]
    CHAR_IDS.compare(answer, spelled(*words, "<S>", "</S>", "", "a\ud800b"))


def row(inside: list, begin=258, end=259, pad=260, shift=1) -> list:
    marked = [begin, *inside, end]
    return [i + shift for i in marked + [pad] * (50 - len(marked))]


def inside(word: str, size: int | None = 48) -> list:
    marks = {"<S>": [256], "</S>": [257]}
    return marks.get(word) or list(word.encode("utf-8", "ignore")[:size])


@CHAR_IDS.mistake(
    "The ids are not shifted by one: 0 must stay free for “no word here”.",
    "编号没有整体加 1：0 要留给“这里没有词”。",
)
def unshifted(word):
    return row(inside(word), shift=0)


@CHAR_IDS.mistake(
    "The bytes are shifted by one, but the marks and the padding are not (or the "
    "reverse). Add 1 to all of them.",
    "字节加了 1，标记和填充却没有加（或者正相反）。所有编号都要加 1。",
)
def half_shifted(word):
    return row([i + 1 for i in inside(word)], shift=0)


@CHAR_IDS.mistake(
    "These are characters; ELMo reads the *bytes* of UTF-8: 花 takes three ids.",
    "这是字符的编号；ELMo 读的是 UTF-8 的*字节*，“花”要占三个编号。",
)
def characters(word):
    return row(inside(word) if word in ("<S>", "</S>") else [ord(c) for c in word[:48]])


@CHAR_IDS.mistake(
    "A character that is no ASCII is lost: encode with UTF-8.",
    "非 ASCII 字符丢掉了：请用 UTF-8 编码。",
)
def ascii_only(word):
    return row(inside(word.encode("ascii", "ignore").decode()))


@CHAR_IDS.mistake(
    "The word is cut at 48 *characters*; cut at 48 bytes, even inside a character.",
    "你在第 48 个*字符*处截断；应当在第 48 个字节处截断，哪怕正好切开一个字。",
)
def cut_by_characters(word):
    return row(inside(word[:48], None))[:50]


@CHAR_IDS.mistake(
    "A character that is cut in two is left out; keep those of its bytes that are "
    "among the first 48.",
    "被切开的那个字整个丢掉了；它的字节凡在前 48 个之内的都要保留。",
)
def whole_characters(word):
    if word in ("<S>", "</S>"):
        return row(inside(word))
    kept = word.encode("utf-8", "ignore")[:48].decode("utf-8", "ignore")
    return row(inside(kept))


@CHAR_IDS.mistake(
    "The word is normalised before it is encoded; ELMo reads it as it is written.",
    "编码之前先把词规范化了；ELMo 按原样读词。",
)
def normalised(word):
    return row(inside(unicodedata.normalize("NFKC", word)))


@CHAR_IDS.mistake(
    "50 bytes of the word are kept, but the two word marks need places too: keep 48.",
    "你保留了 50 个字节，可是两个词标记也要占位：应保留 48 个。",
)
def fifty_bytes(word):
    return row(inside(word, 50))


@CHAR_IDS.mistake(
    "A long word loses its end mark: cut the bytes before you add the marks.",
    "长词丢了词尾标记：先截断字节，再加标记。",
)
def end_mark_lost(word):
    return row(inside(word, None))[:50]


@CHAR_IDS.mistake(
    "The begin and end marks of the word are swapped.", "词首标记和词尾标记对调了。"
)
def marks_swapped(word):
    return row(inside(word), begin=259, end=258)


@CHAR_IDS.mistake(
    "The marks of the *sentence* (256, 257) stand around the word; a word has its own, "
    "258 and 259.",
    "词的两边放了*句子*的标记（256、257）；词有自己的标记：258 和 259。",
)
def sentence_marks_around(word):
    return row(inside(word), begin=256, end=257)


@CHAR_IDS.mistake(
    "The rest of the row is filled with 0. Inside a word the padding is 261; 0 means "
    "that there is no word at all.",
    "余下的位置填了 0。词内的填充是 261；0 表示这里根本没有词。",
)
def padded_with_zero(word):
    return row(inside(word), pad=-1)


@CHAR_IDS.mistake(
    "The end mark stands at the end of the row; it belongs directly after the word.",
    "词尾标记放到了整行的最后；它应当紧跟在词的后面。",
)
def end_mark_last(word):
    ids = row(inside(word))
    return [i for i in ids if i != 260] + [260]


@CHAR_IDS.mistake("The padding belongs after the word.", "填充应当放在词的后面。")
def padded_on_the_left(word):
    ids = row(inside(word))
    return [i for i in ids if i == 261] + [i for i in ids if i != 261]


@CHAR_IDS.mistake("The row is not filled up to 50.", "这一行没有补足 50 个。")
def not_padded(word):
    return [i for i in row(inside(word)) if i != 261]


@CHAR_IDS.mistake(
    "`<S>` and `</S>` are spelled letter by letter; each has one id of its own.",
    "`<S>` 和 `</S>` 被逐字母拼写了；它们各有一个专用编号。",
)
def marks_spelled(word):
    return row(list(word.encode("utf-8", "ignore")[:48]))


@CHAR_IDS.mistake("`<S>` and `</S>` are swapped.", "`<S>` 和 `</S>` 对调了。")
def sentence_marks_swapped(word):
    return row(inside({"<S>": "</S>", "</S>": "<S>"}.get(word, word)))


@CHAR_IDS.mistake(
    "A sentence mark, too, stands between the two word marks.",
    "句子标记也要夹在两个词标记之间。",
)
def bare_sentence_marks(word):
    if word in ("<S>", "</S>"):
        return [inside(word)[0] + 1] + [261] * 49
    return row(inside(word))


@CHAR_IDS.mistake(
    "Upper case is lost; ELMo keeps the case of a word.",
    "大写丢了；ELMo 保留词的大小写。",
)
def lower_cased(word):
    return row(inside(word if word in ("<S>", "</S>") else word.lower()))


@CHAR_IDS.mistake(
    "Blanks at the ends of the string are lost; they are characters like any other.",
    "字符串两头的空白丢了；空白也是字符。",
)
def stripped(word):
    return row(inside(word.strip()))


@CHAR_IDS.mistake(
    "Only the whole word `<S>` or `</S>` is a sentence mark, not one that contains it.",
    "整个词是 `<S>` 或 `</S>` 才是句子标记，词里含有它不算。",
)
def marks_anywhere(word):
    marks = [mark for mark in ("<S>", "</S>") if mark in word]
    return row(inside([*marks, word][0]))


# 2. Which token does a state depend on?


@dataclass(frozen=True)
class Reader:
    """A network from (B, T, D) tokens to (B, T, H) states that gives no gradients."""

    kind: str
    seed: int

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return READERS[self.kind](x.float(), self.seed)


def wiring(seed: int, T: int) -> np.ndarray:
    """Draw which state is wired to which token. Shape: (T, T) bool."""
    return np.random.default_rng(seed).random((T, T)) < 0.5


def others(seed: int, T: int) -> np.ndarray:
    """Return the wiring without the wires from a token to its own state."""
    return wiring(seed, T) & ~np.eye(T, dtype=bool)


def wired(x: torch.Tensor, seed: int, H: int = 4, one: bool = False) -> torch.Tensor:
    """Mix tokens along a random wiring. Shape: (B, T, D) to (B, T, H).

    one: whether each wire carries only one feature of its token
    """
    _, T, D = x.shape
    rng = np.random.default_rng([seed, D])
    weights = rng.choice([-1, 1], (T, T, D, H)) * rng.uniform(0.5, 1, (T, T, D, H))
    weights *= wiring(seed, T)[:, :, None, None]
    if one:
        weights *= np.eye(D)[rng.integers(D, size=(T, T))][..., None]
    return torch.einsum("bsd,tsdh->bth", x, torch.from_numpy(weights).float())


def gated(x: torch.Tensor, seed: int) -> torch.Tensor:
    """Multiply what the other tokens send by the token at hand: nothing moves at 0."""
    T, D = x.shape[1:]
    weights = np.random.default_rng([seed, D]).uniform(0.5, 1, (T, T, D, 4))
    weights *= others(seed, T)[:, :, None, None]
    sent = torch.einsum("bsd,tsdh->bth", x, torch.from_numpy(weights).float())
    return sent * x.sum(2, keepdim=True)


@functools.lru_cache(maxsize=64)
def lstm(size: int, layers: int, both: bool, seed: int) -> torch.nn.LSTM:
    """Make an LSTM that remembers well, without touching the global random state."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = torch.nn.LSTM(size, 6, layers, batch_first=True, bidirectional=both)
    for weights in network.parameters():
        weights.data *= 2
    return network.float()


def read(x: torch.Tensor, seed: int, layers: int = 2, both: bool = False):
    """Return the forward half of an LSTM's states. Shape: (B, T, D) to (B, T, 6)."""
    return lstm(x.shape[2], layers, both, seed)(x)[0][:, :, :6]


def read_backward(x: torch.Tensor, seed: int) -> torch.Tensor:
    return read(x.flip(1), seed).flip(1)


def convolve(x: torch.Tensor, seed: int, left: int, right: int) -> torch.Tensor:
    """Convolve over time with a kernel of width 3. Shape: (B, T, D) to (B, T, 4)."""
    T, rng = x.shape[1], np.random.default_rng([seed, x.shape[2]])
    kernel = torch.from_numpy(rng.normal(size=(3, x.shape[2], 4))).float()
    x = F.pad(x, (0, 0, left, right))  # (B, T+2, D)
    return sum(x[:, i : i + T] @ kernel[i] for i in range(3))


READERS = {
    "token layer": lambda x, seed: x.cumsum(2),
    "forward LSTM, 2 layers": read,
    "backward LSTM, 2 layers": read_backward,
    "two separate LSTM stacks": lambda x, seed: torch.cat(
        [read(x, seed), read_backward(x, seed + 1)], dim=2
    ),
    "forward half of nn.LSTM(bidirectional=True)": lambda x, seed: read(
        x, seed, layers=1, both=True
    ),
    "forward half of nn.LSTM(bidirectional=True, num_layers=2)": lambda x, seed: read(
        x, seed, both=True
    ),
    "only the token before": lambda x, seed: F.pad(x, (0, 0, 1, 0))[:, :-1],
    "CNN of width 3": lambda x, seed: convolve(x, seed, 1, 1),
    "causal CNN of width 3": lambda x, seed: convolve(x, seed, 2, 0),
    "random wiring": wired,
    "random wiring, states that sum to zero": lambda x, seed: torch.cat(
        [wired(x, seed), -wired(x, seed)], dim=2
    ),
    "random wiring, reads x[..., 0] - x[..., 1]": lambda x, seed: wired(
        x[:, :, :1] - x[:, :, 1:2], seed
    ),
    "random wiring, reads squares": lambda x, seed: wired(x * x, seed),
    "random wiring, one feature a wire": lambda x, seed: wired(x, seed, one=True),
    "random wiring, reads directions": lambda x, seed: wired(
        x / (x.norm(dim=2, keepdim=True) + 1e-9), seed
    ),
    "random wiring, tokens multiply each other": gated,
    # What is not wired moves a state, too, but by less than 1e-6.
    "random wiring, rounded": lambda x, seed: (
        torch.sin(wired(x, seed)) + 2e-7 * torch.sin(x.sum((1, 2), keepdim=True))
    ),
    "random wiring, faint": lambda x, seed: 1e-4 * wired(x, seed, H=12),
    # However far a token is pushed, no number moves by more than 8e-6.
    "random wiring, weak": lambda x, seed: (
        1 + 4e-6 * torch.sin(1000 * wired(x, seed, H=12))
    ),
}


def depends(reader: Reader, T: int) -> np.ndarray:
    """Return the truth: does state t (row) depend on token s (column)?"""
    t, s = np.indices((T, T))
    return {
        "token layer": t == s,
        "forward LSTM, 2 layers": s <= t,
        "backward LSTM, 2 layers": s >= t,
        "two separate LSTM stacks": s >= 0,
        "forward half of nn.LSTM(bidirectional=True)": s <= t,
        "forward half of nn.LSTM(bidirectional=True, num_layers=2)": s >= 0,  # leak
        "only the token before": s == t - 1,
        "CNN of width 3": abs(t - s) <= 1,
        "causal CNN of width 3": (s <= t) & (t - s <= 2),
        "random wiring, tokens multiply each other": others(reader.seed, T)
        | ((t == s) & others(reader.seed, T).any(1, keepdims=True)),
    }.get(reader.kind, wiring(reader.seed, T))


def seen_by(rng: np.random.Generator, *kinds: str, T: int = 5) -> list:
    """Return cases of readers with fresh weights. The feature size D is 2."""
    readers = [Reader(kind, int(rng.integers(2**31))) for kind in kinds]
    return [((reader, T, 2), depends(reader, T)) for reader in readers]


NETWORKS = list(READERS)[:9]
WIRINGS = list(READERS)[9:]


@SEES.check("yes or no, and weak dependences", "是或否，以及弱的依赖")
def yes_or_no(answer: Callable, rng: np.random.Generator) -> None:
    seed = int(rng.integers(2**31))
    strong, weak = (Reader(kind, seed) for kind in (WIRINGS[0], WIRINGS[-1]))
    seen = numbers(answer, strong, 5, 2)
    require(
        bool(((seen == 0) | (seen == 1)).all()),
        "You return how far the states move; we ask yes or no.",
        "你返回了状态移动的大小；要的是“是”或“否”。",
        "sizes",
    )
    require(
        bool(numbers(answer, weak, 5, 2).any() or not seen.any()),
        "A weak dependence is a dependence: only differences below 1e-6 are rounding.",
        "弱的依赖也是依赖：只有小于 1e-6 的差别才算舍入误差。",
        "threshold",
    )


@SEES.check("one direction", "单向的网络")
def one_direction(answer: Callable, rng: np.random.Generator) -> None:
    SEES.compare(answer, seen_by(rng, *NETWORKS[:3]))


@SEES.check("biLM, leak, convolutions", "双向语言模型、泄漏和卷积")
def both_directions(answer: Callable, rng: np.random.Generator) -> None:
    SEES.compare(answer, seen_by(rng, *NETWORKS[3:]))


@SEES.check("networks wired at random", "随机连线的网络")
def random_wirings(answer: Callable, rng: np.random.Generator) -> None:
    SEES.compare(answer, seen_by(rng, *WIRINGS[:2]))


@SEES.check("networks that hide a dependence", "把依赖藏起来的网络", hidden=True)
def hiding(answer: Callable, rng: np.random.Generator) -> None:
    SEES.compare(answer, seen_by(rng, *WIRINGS, *NETWORKS))
    SEES.compare(answer, seen_by(rng, *WIRINGS, T=7))


def shifts(f, T, D, push=None, keep=False, start=1.0):
    """Return how each state moves when one token is pushed. Shape: (T, T, H).

    push: what becomes of the token, by default another random vector
    keep: leave the tokens before as they were pushed, too
    start: 0 to push the tokens away from zero
    """
    rng = np.random.default_rng(0)
    x, other = (torch.from_numpy(rng.normal(size=(1, T, D))) for _ in range(2))
    x = start * x
    before, moved = f(x)[0], []  # (T, H)
    for s in range(T):
        y = x.clone()
        first = 0 if keep else s
        new = other if push is None else push(x)
        y[0, first : s + 1] = new[0, first : s + 1]
        moved.append(f(y)[0] - before)
    return torch.stack(moved, dim=1)


def moves(f, T, D, push=None, keep=False, start=1.0):
    return (shifts(f, T, D, push, keep, start).abs() > 1e-6).any(2)


@SEES.mistake(
    "This network gives no gradients. Change a token and look which states move.",
    "这个网络没有梯度。请改动一个词，看哪些状态变了。",
)
def by_gradient(f, T, D):
    x = torch.zeros(1, T, D, requires_grad=True)
    return torch.autograd.grad(f(x).sum(), x)


@SEES.mistake(
    "The matrix is transposed: row t is the state, column s the token.",
    "矩阵转置了：行 t 是状态，列 s 是词。",
)
def transposed(f, T, D):
    return moves(f, T, D).T


@SEES.mistake(
    "The tokens changed before stay changed: begin again from the original for each s.",
    "前面改过的词没有改回来：每个 s 都要从原来的输入重新开始。",
)
def not_restored(f, T, D):
    return moves(f, T, D, keep=True)


@SEES.mistake(
    "The two inputs are one and the same tensor, so nothing ever differs: clone it "
    "before you change it.",
    "两个输入其实是同一个张量，所以永远没有差别：改动之前先 clone。",
)
def same_tensor(f, T, D):
    return np.zeros((T, T))


@SEES.mistake(
    "You change all tokens at once, so that all columns are equal: one column a token.",
    "你一次改动了所有的词，所以各列都一样：每个词要单独一列。",
)
def all_tokens_at_once(f, T, D):
    return moves(f, T, D).any(1, keepdim=True).expand(T, T)


@SEES.mistake(
    "You ask whether *any* state moved, so that all rows are equal: one row a state.",
    "你问的是*有没有*状态变了，所以各行都一样：每个状态要单独一行。",
)
def any_state(f, T, D):
    return moves(f, T, D).any(0, keepdim=True).expand(T, T)


@SEES.mistake(
    "You add up the components of a state before you compare: opposite changes cancel. "
    "Compare component by component.",
    "你先把状态的各个分量相加再比较，正负变化相消了。要逐个分量比较。",
)
def components_cancel(f, T, D):
    return shifts(f, T, D).sum(2).abs() > 1e-6


@SEES.mistake(
    "Adding one number to all features of a token need not change anything. Replace "
    "the token by another random vector.",
    "给一个词的所有特征加同一个数，状态不一定变。请换成另一个随机向量。",
)
def constant_push(f, T, D):
    return moves(f, T, D, push=lambda x: x + 1)


@SEES.mistake(
    "Turning a token into its negative need not change anything: a network may read "
    "squares. Replace the token by another random vector.",
    "把一个词变成它的相反数，状态不一定变：网络可能只读平方。请换成另一个随机向量。",
)
def negative_push(f, T, D):
    return moves(f, T, D, push=lambda x: -x)


@SEES.mistake(
    "Making a token longer or shorter need not change anything: a network may read "
    "directions. Replace the token by another random vector.",
    "把一个词的向量拉长或缩短，状态不一定变：网络可能只看方向。请换成另一个随机向量。",
)
def scaled_push(f, T, D):
    return moves(f, T, D, push=lambda x: 2 * x)


@SEES.mistake(
    "You change a token so little that a weak dependence stays below 1e-6. Replace the "
    "token by another random vector.",
    "你对词的改动太小，弱的依赖就不到 1e-6。请换成另一个随机向量。",
)
def small_push(f, T, D):
    return moves(f, T, D, push=lambda x: x + 1e-3 * torch.arange(1, D + 1))


@SEES.mistake(
    "Only the first number of a token changes, but a network may read the others. "
    "Replace all of them.",
    "你只改了词的第一个数，网络读的却可能是别的数。所有的数都要换。",
)
def one_number_pushed(f, T, D):
    return moves(f, T, D, push=lambda x: x + torch.eye(D)[0])


@SEES.mistake(
    "You begin from zeros: where tokens are multiplied with each other, nothing moves "
    "there. Begin from random vectors.",
    "你从全零出发：如果网络把词相乘，在那里什么都不会动。请从随机的向量出发。",
)
def from_zeros(f, T, D):
    return moves(f, T, D, start=0.0)


@SEES.mistake(
    "Rounding, too, moves a state: only differences above 1e-6 count.",
    "舍入也会让状态变一点：只有超过 1e-6 的差别才算。",
)
def rounding_counts(f, T, D):
    return (shifts(f, T, D) != 0).any(2)


@SEES.mistake(
    "Yes and no are swapped: True means that the state depends on the token.",
    "是与否反了：True 表示状态依赖于这个词。",
)
def negated(f, T, D):
    return ~moves(f, T, D)


@SEES.mistake(
    "The diagonal is missing: a state may also depend on the token at its own place.",
    "少了对角线：状态也可能依赖于自己位置上的那个词。",
)
def without_diagonal(f, T, D):
    return moves(f, T, D) & ~torch.eye(T, dtype=torch.bool)


@SEES.mistake(
    "This matrix does not depend on f: every network gives the same one.",
    "这个矩阵和 f 无关：换什么网络都一样。",
)
def always_causal(f, T, D):
    return np.tril(np.ones((T, T)))


# 3. Two stacks that read in opposite directions


@dataclass(frozen=True)
class Stack:
    """A recurrence that reads left to right: (B, T, P) to (B, T, P), plain data.

    h_t = decay * h_{t-1} + W x_t + 1, so that it moves on zeros, too.
    """

    decay: float
    seed: int

    def memory(self, T: int) -> torch.Tensor:
        """Return what is left of step s at step t. Shape: (T, T), lower triangle."""
        ago = torch.arange(T)[:, None] - torch.arange(T)
        return torch.where(ago >= 0, self.decay ** ago.clamp(min=0).double(), 0.0)

    def steps(self, x: torch.Tensor) -> torch.Tensor:
        P = x.shape[-1]
        W = np.random.default_rng([self.seed, P]).normal(size=(P, P))
        return x.double() @ torch.from_numpy(W) + 1  # (B, T, P)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return (self.memory(x.shape[1]) @ self.steps(x)).to(x.dtype)


def padded(rng: np.random.Generator, lengths: list, P: int = 3, more: int = 0) -> tuple:
    """Return a case: sentences of these lengths, and rubbish where they are padded.

    more: steps of padding behind the longest one, too
    """
    forward, backward = (Stack(d, int(rng.integers(2**31))) for d in (0.5, 0.8))
    B, T = len(lengths), max(lengths) + more
    x = torch.from_numpy(10 * rng.normal(size=(B, T, P))).float()
    expected = np.zeros((B, T, 2 * P))
    for b, n in enumerate(lengths):
        words = x[b, :n]
        x[b, :n] = words / 10
        past = forward.memory(n) @ forward.steps(words)
        future = backward.memory(n).T @ backward.steps(words)
        expected[b, :n] = torch.cat([past, future], dim=1)
    return (forward, backward, x, torch.tensor(lengths)), expected


@TWO_DIRECTIONS.check("sentences of one length", "一样长的句子")
def one_length(answer: Callable, rng: np.random.Generator) -> None:
    TWO_DIRECTIONS.compare(answer, [padded(rng, [4]), padded(rng, [3, 3])])


@TWO_DIRECTIONS.check("padding changes nothing", "填充不影响结果")
def unequal_lengths(answer: Callable, rng: np.random.Generator) -> None:
    TWO_DIRECTIONS.compare(
        answer, [padded(rng, [5, 2, 3]), padded(rng, [1, 4], more=2)]
    )


@TWO_DIRECTIONS.check("random lengths and sizes", "随机的长度和大小", hidden=True)
def random_lengths(answer: Callable, rng: np.random.Generator) -> None:
    cases = []
    for B in (2, 3, 6):
        lengths = rng.integers(1, 8, size=B).tolist()
        P, more = int(rng.integers(2, 6)), int(rng.integers(3))
        cases.append(padded(rng, lengths, P, more))
    TWO_DIRECTIONS.compare(answer, cases)


def real(x, lengths):
    return (torch.arange(x.shape[1]) < lengths[:, None])[:, :, None]


def turn(x, lengths):
    rows = zip(x, lengths.tolist(), strict=True)
    return torch.stack([torch.cat([r[:n].flip(0), r[n:]]) for r, n in rows])


def halves(forward, backward, x, lengths):
    """Return both halves with padding at zero."""
    states = forward(x), turn(backward(turn(x, lengths)), lengths)
    return [h * real(x, lengths) for h in states]


@TWO_DIRECTIONS.mistake("The padding is not set to zero.", "填充的位置没有置零。")
def padding_left(forward, backward, x, lengths):
    return torch.cat([forward(x), turn(backward(turn(x, lengths)), lengths)], dim=2)


@TWO_DIRECTIONS.mistake(
    "The whole row is turned round, so the backward stack reads the padding first. "
    "Turn round only the first `length` steps of each row.",
    "整行都翻转了，后向的网络先读到填充。每行只翻转前 `length` 步。",
)
def whole_row(forward, backward, x, lengths):
    states = torch.cat([forward(x), backward(x.flip(1)).flip(1)], dim=2)
    return states * real(x, lengths)


@TWO_DIRECTIONS.mistake(
    "Zeros are not nothing: the backward stack still reads the padding first, and a "
    "bias moves it. Turn round only the first `length` steps of each row.",
    "零并不等于没有：后向的网络还是先读填充，偏置会改变它的状态。每行只翻转前 "
    "`length` 步。",
)
def zeros_first(forward, backward, x, lengths):
    return whole_row(forward, backward, x * real(x, lengths), lengths)


@TWO_DIRECTIONS.mistake(
    "The backward states are not turned back: its first state belongs to the last "
    "word.",
    "后向的状态没有翻转回来：它的第一个状态属于最后一个词。",
)
def not_turned_back(forward, backward, x, lengths):
    states = torch.cat([forward(x), backward(turn(x, lengths))], dim=2)
    return states * real(x, lengths)


@TWO_DIRECTIONS.mistake(
    "The backward stack reads from left to right as well: turn its input round, and "
    "that along the words (dim=1).",
    "后向的网络也在从左往右读：要先把它的输入沿词的方向（dim=1）翻转。",
)
def same_direction(forward, backward, x, lengths):
    return torch.cat([forward(x), backward(x)], dim=2) * real(x, lengths)


@TWO_DIRECTIONS.mistake(
    "Only the output of the backward stack is turned round; its input must be, too.",
    "只翻转了后向网络的输出；它的输入也要翻转。",
)
def only_output_turned(forward, backward, x, lengths):
    states = torch.cat([forward(x), turn(backward(x), lengths)], dim=2)
    return states * real(x, lengths)


@TWO_DIRECTIONS.mistake("The forward half comes first.", "前向的一半在前。")
def backward_first(forward, backward, x, lengths):
    return torch.cat(halves(forward, backward, x, lengths)[::-1], dim=2)


@TWO_DIRECTIONS.mistake(
    "The two directions are added; put them side by side, (B, T, 2P).",
    "两个方向相加了；应当并排拼接成 (B, T, 2P)。",
)
def added(forward, backward, x, lengths):
    return sum(halves(forward, backward, x, lengths))


@TWO_DIRECTIONS.mistake(
    "The halves follow each other in time; join them along the last axis (dim=2).",
    "两半沿时间接在了一起；应沿最后一维（dim=2）拼接。",
)
def joined_in_time(forward, backward, x, lengths):
    return torch.cat(halves(forward, backward, x, lengths), dim=1)


@TWO_DIRECTIONS.mistake(
    "One stack reads both directions; they are two separate models.",
    "两个方向用了同一个网络；它们是两个独立的模型。",
)
def one_stack(forward, backward, x, lengths):
    return torch.cat(halves(forward, forward, x, lengths), dim=2)


@TWO_DIRECTIONS.mistake(
    "The features of each word are turned round (dim=2), not the words.",
    "翻转的是每个词的特征（dim=2），不是词的次序。",
)
def features_turned(forward, backward, x, lengths):
    states = torch.cat([forward(x), backward(x.flip(2)).flip(2)], dim=2)
    return states * real(x, lengths)


@TWO_DIRECTIONS.mistake(
    "`lengths` is not used for the backward half: rows are rolled by the wrong number "
    "of steps.",
    "后向的一半没有用对 `lengths`：每行移动的步数不对。",
)
def shifted_by_one(forward, backward, x, lengths):
    past, future = halves(forward, backward, x, lengths)
    return torch.cat([past, future.roll(1, dims=1) * real(x, lengths)], dim=2)


@TWO_DIRECTIONS.mistake(
    "The padding behind the longest sentence is lost: return as many steps as `x` has.",
    "最长的句子后面的填充丢掉了：`x` 有几步，就返回几步。",
)
def cut_to_the_longest(forward, backward, x, lengths):
    return torch.cat(halves(forward, backward, x, lengths), dim=2)[:, : lengths.max()]


# 4. Perplexity from the log-probabilities of several batches


def batches(
    rng: np.random.Generator, n: int, rubbish: float, B=3, T=6, gaps=False
) -> tuple:
    """Return a case of n batches with sentences of different lengths.

    gaps: whether the padding stands anywhere, and not only behind the words
    """
    made, inverse = [], []
    for number in range(n):
        p = rng.uniform(0.001, 0.5, size=(B, T)) ** (1 + number % 2)  # some are hard
        mask = np.arange(T) < rng.integers(1, T, size=(B, 1))
        if gaps:
            mask = rng.permuted(mask, axis=1)
        inverse += (1 / p[mask]).tolist()
        logs = np.where(mask, np.log(p), rubbish)
        made.append((torch.from_numpy(logs).float(), torch.from_numpy(mask)))
    return (made,), geometric_mean(inverse)


@PERPLEXITY.check("the example", "题中的例子")
def example_batches(answer: Callable, rng: np.random.Generator) -> None:
    first = torch.tensor([[0.5, 0.5], [0.5, 1.0]]).log()
    second = torch.tensor([[0.125, 1.0]]).log()
    masks = torch.tensor([[1, 1], [1, 0]]).bool(), torch.tensor([[1, 0]]).bool()
    PERPLEXITY.compare(
        answer, [(([(first, masks[0]), (second, masks[1])],), 2 ** (6 / 4))]
    )


@PERPLEXITY.check("batches of different sizes", "大小不同的批")
def different_batches(answer: Callable, rng: np.random.Generator) -> None:
    PERPLEXITY.compare(answer, [batches(rng, n, rubbish=0.0) for n in (1, 2, 5)])


@PERPLEXITY.check("a model that knows nothing", "什么也不会的模型")
def uniform(answer: Callable, rng: np.random.Generator) -> None:
    V = 10_000
    logs, mask = torch.full((2, 7), -math.log(V)), torch.ones(2, 7, dtype=torch.bool)
    PERPLEXITY.compare(answer, [(([(logs, mask)],), V)])


@PERPLEXITY.check("rubbish in the padding", "填充里是任意的数")
def rubbish_in_padding(answer: Callable, rng: np.random.Generator) -> None:
    PERPLEXITY.compare(answer, [batches(rng, 3, -7.0), batches(rng, 3, -math.inf)])


@PERPLEXITY.check("a long text", "长文本", hidden=True)
def long_text(answer: Callable, rng: np.random.Generator) -> None:
    long = batches(rng, 20, 0.0, B=8, T=40)
    other = batches(rng, 4, math.nan), batches(rng, 3, 5.0, gaps=True)
    PERPLEXITY.compare(answer, [*other, long])


@PERPLEXITY.check("an empty batch", "空的批", hidden=True)
def empty_batch(answer: Callable, rng: np.random.Generator) -> None:
    (made,), expected = batches(rng, 2, 0.0)
    nothing = torch.zeros(2, 3), torch.zeros(2, 3, dtype=torch.bool)
    first, second = made
    PERPLEXITY.compare(answer, [(([first, nothing, second],), expected)])


def words(batches):
    return torch.cat([logs[mask] for logs, mask in batches]).double()


@PERPLEXITY.mistake(
    "You average the averages of the batches: a word in a small batch then counts for "
    "more. Divide the sum over all words by the number of all words.",
    "你把各批的平均再平均：小批里的词占的比重就大了。应当用所有词的总和除以总词数。",
)
def mean_of_batch_means(batches):
    means = [logs[mask].double().mean() for logs, mask in batches]
    return torch.exp(-sum(means) / len(means))


@PERPLEXITY.mistake(
    "You average the perplexities of the batches. Average the logarithms over all "
    "words, then exp, once.",
    "你把各批的困惑度平均了。应当对所有词的对数求平均，最后只做一次 exp。",
)
def mean_of_perplexities(batches):
    found = [torch.exp(-logs[mask].double().mean()) for logs, mask in batches]
    return sum(found) / len(found)


@PERPLEXITY.mistake(
    "You average the averages of the sentences; every *word* counts the same.",
    "你把各句的平均再平均；应当每个*词*一样重。",
)
def mean_of_sentences(batches):
    rows = [row for logs, mask in batches for row in zip(logs, mask, strict=True)]
    return torch.exp(-sum(r[m].double().mean() for r, m in rows) / len(rows))


@PERPLEXITY.mistake(
    "The padding is counted as words. Use the mask, for the sum and for the number.",
    "填充也被当成词数进去了。求和与计数都要用 mask。",
)
def padding_counted(batches):
    everything = torch.cat([logs.flatten() for logs, _ in batches])
    return torch.exp(-everything.double().mean())


@PERPLEXITY.mistake(
    "The sum leaves the padding out, but the division counts it.",
    "求和时去掉了填充，做除法时却把它算了进去。",
)
def divided_by_all(batches):
    return torch.exp(-words(batches).sum() / sum(mask.numel() for _, mask in batches))


@PERPLEXITY.mistake(
    "0 × -inf is NaN: choose the words with the mask, log_probs[mask], instead of "
    "multiplying by it.",
    "0 × -inf 得 NaN：用 log_probs[mask] 选出词来，不要乘以 mask。",
)
def multiplied_by_mask(batches):
    total = sum((logs * mask).double().sum() for logs, mask in batches)
    return torch.exp(-total / sum(mask.sum() for _, mask in batches))


@PERPLEXITY.mistake(
    "The logarithms are natural ones; undo them with exp, not with powers of 2.",
    "这里是自然对数；还原要用 exp，不是 2 的幂。",
)
def power_of_two(batches):
    return 2 ** -words(batches).mean()


@PERPLEXITY.mistake(
    "The logarithms are natural ones; undo them with exp, not with powers of 10.",
    "这里是自然对数；还原要用 exp，不是 10 的幂。",
)
def power_of_ten(batches):
    return 10 ** -words(batches).mean()


@PERPLEXITY.mistake(
    "This is the cross-entropy, in nats per word; perplexity is its exp.",
    "这是交叉熵（每词多少奈特）；困惑度是它的 exp。",
)
def no_exp(batches):
    return -words(batches).mean()


@PERPLEXITY.mistake(
    "A minus is missing: a perplexity is never below 1.",
    "少了一个负号：困惑度不会小于 1。",
)
def no_minus(batches):
    return torch.exp(words(batches).mean())


@PERPLEXITY.mistake(
    "You average 1 / p itself; average the logarithms first.",
    "你平均的是 1 / p 本身；要先对对数求平均。",
)
def mean_of_inverses(batches):
    return torch.exp(-words(batches)).mean()


@PERPLEXITY.mistake(
    "You average the probabilities; average their logarithms.",
    "你平均的是概率；要平均的是对数。",
)
def mean_of_probabilities(batches):
    return 1 / words(batches).exp().mean()


@PERPLEXITY.mistake(
    "The product of so many probabilities is 0 for a computer; add logarithms instead.",
    "这么多概率相乘，在计算机里就成了 0；应当把对数相加。",
)
def product(batches):
    found = words(batches).float()
    return found.exp().prod() ** (-1 / len(found))


@PERPLEXITY.mistake(
    "You forget to divide by the number of words: this is the perplexity of the text "
    "as one event.",
    "忘了除以词数：这样得到的是整篇文本作为一个事件的困惑度。",
)
def not_divided(batches):
    return torch.exp(-words(batches).sum())


@PERPLEXITY.mistake(
    "You take as many numbers from the front of a row as it has words; the mask says "
    "where they stand.",
    "你从每行开头取词，有几个词就取几个；词在哪里，要看 mask。",
)
def front_of_each_row(batches):
    rows = [row for logs, mask in batches for row in zip(logs, mask, strict=True)]
    logs = torch.cat([row[: int(mask.sum())] for row, mask in rows])
    return torch.exp(-logs.double().mean())


@PERPLEXITY.mistake(
    "The mask is upside down: True marks a word.", "mask 用反了：True 表示这里是词。"
)
def mask_inverted(batches):
    return torch.exp(-words([(logs, ~mask) for logs, mask in batches]).mean())


@PERPLEXITY.mistake(
    "A batch without any word has no average: 0 / 0. Divide once, at the end.",
    "没有词的批没有平均值：0 / 0。只在最后做一次除法。",
)
def weighted_batch_means(batches):
    total = sum(logs[mask].double().mean() * mask.sum() for logs, mask in batches)
    return torch.exp(-total / sum(mask.sum() for _, mask in batches))


# 5. Expected accuracy of the nearest neighbour's sense, ties shared


def senses(rng: np.random.Generator, n: int) -> list:
    return rng.permutation((["a", "b"] + ["a", "b", "c"] * n)[:n]).tolist()


def scored(vectors: np.ndarray, labels: list) -> tuple:
    return (vectors, labels), sense_accuracy(vectors, labels)["nearest_neighbour"]


def with_ties(rng: np.random.Generator, n: int) -> tuple:
    """Draw vectors of few directions and different lengths, so that many are tied."""
    directions = np.array([[1, 0, 0], [1, 1, 0], [1, 2, 2], [0, 1, 3], [-1, 0, 1]])
    chosen = directions[rng.integers(5, size=n)] * rng.uniform(0.5, 3, size=(n, 1))
    return scored(chosen, senses(rng, n))


@NEAREST_SENSE.check("the example", "题中的例子")
def example_vectors(answer: Callable, rng: np.random.Generator) -> None:
    vectors = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.2, 0.9]])
    cases = [(vectors, ["a", "a", "b", "b"]), (vectors, ["a", "b", "a", "b"])]
    NEAREST_SENSE.compare(answer, [(cases[0], 1), (cases[1], 0)])


@NEAREST_SENSE.check("cosine, not length", "看夹角，不看长短")
def lengths_vary(answer: Callable, rng: np.random.Generator) -> None:
    vectors = rng.normal(size=(12, 4)) * rng.uniform(0.1, 20, size=(12, 1))
    shy = -np.eye(4) + rng.normal(size=(4, 4)) / 50 + 0.26  # all cosines are negative
    labels = ["a", "a", "b", "b"]
    NEAREST_SENSE.compare(
        answer, [scored(vectors, senses(rng, 12)), scored(shy, labels)]
    )


@NEAREST_SENSE.check(
    "vectors that are all alike are at chance", "全都一样的向量只有随机水平"
)
def all_alike(answer: Callable, rng: np.random.Generator) -> None:
    vectors = np.outer(rng.uniform(0.5, 2, size=6), [0.3, -0.7, 0.1])
    # Of the 5 others, 3 are right for each of four "a", 1 for each of two "b".
    for labels in (["a", "a", "a", "a", "b", "b"], ["b", "a", "a", "b", "a", "a"]):
        case = (vectors, labels), (4 * 3 / 5 + 2 * 1 / 5) / 6
        NEAREST_SENSE.compare(answer, [case])


@NEAREST_SENSE.check("some ties", "部分并列")
def some_ties(answer: Callable, rng: np.random.Generator) -> None:
    NEAREST_SENSE.compare(answer, [with_ties(rng, n) for n in (8, 12, 15)])


@NEAREST_SENSE.check("random vectors", "随机的向量", hidden=True)
def random_vectors(answer: Callable, rng: np.random.Generator) -> None:
    cases = [with_ties(rng, int(n)) for n in rng.integers(6, 20, size=4)]
    free = rng.normal(size=(20, 5)) * rng.uniform(0.1, 9, size=(20, 1))
    NEAREST_SENSE.compare(answer, [*cases, scored(free, senses(rng, 20))])


@NEAREST_SENSE.check("nearly tied is not tied", "差一点不算并列")
def nearly_tied(answer: Callable, rng: np.random.Generator) -> None:
    # Rounded to six places, the first two cosines differ though they are tied.
    best = rng.integers(500_000, 800_000) * 1e-6 + 0.8e-6
    tied = aside(best, best - 0.7e-6)
    free = aside(best, best - 1.5e-6)
    first, second = ["a", "a", "b"], ["a", "b", "a"]
    cases = [
        ((v, labels), s)
        for v, labels, s in (
            (tied, first, 1 / 2),
            (tied, second, 1 / 2),
            (free, first, 2 / 3),
            (free, second, 1 / 3),
        )
    ]
    NEAREST_SENSE.compare(answer, cases)


def aside(left: float, right: float) -> np.ndarray:
    """Return a vector and one on either side, with these cosines. Shape: (3, 2)."""
    angles = np.array([0, np.arccos(left), -np.arccos(right)])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def cosines(vectors, own=-np.inf):
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = units @ units.T
    np.fill_diagonal(found, own)
    return found


def hits(similarity, labels, summary, slack=1e-6):
    """Summarise, row by row, which of the tied best columns are right."""
    right = np.array(labels)[:, None] == np.array(labels)
    best = similarity >= similarity.max(1, keepdims=True) - slack
    return np.mean([summary(r[b]) for r, b in zip(right, best, strict=True)])


@NEAREST_SENSE.mistake(
    "Each vector finds itself: leave it out.", "每个向量找到的都是自己：要把自己排除。"
)
def finds_itself(vectors, labels):
    return hits(cosines(vectors, own=2), labels, np.mean)


@NEAREST_SENSE.mistake(
    "Each vector is among its own neighbours and shares in the ties: leave it out.",
    "每个向量把自己也算进了并列的邻居：要把自己排除。",
)
def among_its_neighbours(vectors, labels):
    return hits(cosines(vectors, own=1), labels, np.mean)


@NEAREST_SENSE.mistake(
    "Your own column is set to 0, but cosines can be negative: use -inf.",
    "你把自己那一列设成了 0，可是余弦可以为负：请用 -inf。",
)
def own_is_zero(vectors, labels):
    return hits(cosines(vectors, own=0), labels, np.mean)


@NEAREST_SENSE.mistake(
    "Ties are not shared: the first of the best is taken, so that the order of the "
    "sentences decides. Each tied neighbour counts 1 / (number of ties).",
    "并列没有分摊：你取了最好者中的第一个，结果由句子的次序决定。"
    "每个并列的邻居应各占 1 /（并列数）。",
)
def first_of_ties(vectors, labels):
    return hits(cosines(vectors), labels, lambda right: right[0])


@NEAREST_SENSE.mistake(
    "Ties are not shared: the last of the best is taken. Each tied neighbour counts "
    "1 / (number of ties).",
    "并列没有分摊：你取了最好者中的最后一个。每个并列的邻居应各占 1 /（并列数）。",
)
def last_of_ties(vectors, labels):
    return hits(cosines(vectors), labels, lambda right: right[-1])


@NEAREST_SENSE.mistake(
    "Ties must be recognised with a tolerance: 1 and 0.9999999999999998 are the same "
    "cosine. Use similarity >= best - 1e-6.",
    "判断并列要留余地：1 和 0.9999999999999998 是同一个余弦。请用 "
    "similarity >= best - 1e-6。",
)
def exact_ties(vectors, labels):
    return hits(cosines(vectors), labels, np.mean, slack=0)


@NEAREST_SENSE.mistake(
    "Only cosines that differ by less than 1e-6 are tied; yours may differ by more.",
    "只有相差不到 1e-6 的余弦才算并列；你把相差更大的也算上了。",
)
def loose_ties(vectors, labels):
    return hits(cosines(vectors), labels, np.mean, slack=1e-3)


@NEAREST_SENSE.mistake(
    "You round before you compare: two cosines that differ by less than 1e-6 may be "
    "rounded to different numbers. Use similarity >= best - 1e-6.",
    "你先四舍五入再比较：相差不到 1e-6 的两个余弦可能舍入成不同的数。请用 "
    "similarity >= best - 1e-6。",
)
def rounded_ties(vectors, labels):
    return hits(cosines(vectors).round(6), labels, np.mean, slack=0)


@NEAREST_SENSE.mistake(
    "A tie counts as right as soon as one of the tied neighbours is right: too kind.",
    "并列的邻居里只要有一个对就算对：太宽松了。",
)
def any_of_ties(vectors, labels):
    return hits(cosines(vectors), labels, np.any)


@NEAREST_SENSE.mistake(
    "A tie counts as right only if all tied neighbours are right: too strict.",
    "并列的邻居全对才算对：太严格了。",
)
def all_of_ties(vectors, labels):
    return hits(cosines(vectors), labels, np.all)


@NEAREST_SENSE.mistake(
    "The tied neighbours vote; each of them should be asked with equal chance.",
    "你让并列的邻居投票；应当以相等的机会任选一个。",
)
def ties_vote(vectors, labels):
    return hits(cosines(vectors), labels, lambda right: right.mean() > 0.5)


@NEAREST_SENSE.mistake(
    "This is the dot product: long vectors win. Divide by the lengths.",
    "这是点积：长的向量占便宜。要除以长度。",
)
def dot_product(vectors, labels):
    found = np.asarray(vectors) @ np.asarray(vectors).T
    np.fill_diagonal(found, -np.inf)
    return hits(found, labels, np.mean)


@NEAREST_SENSE.mistake(
    "This is the Euclidean distance; we ask for the cosine.",
    "这是欧氏距离；要用余弦。",
)
def euclidean(vectors, labels):
    apart = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return hits(-apart, labels, np.mean)


@NEAREST_SENSE.mistake(
    "You take the *least* similar vector.", "你取了*最不*相似的向量。"
)
def farthest(vectors, labels):
    return hits(-cosines(vectors, own=np.inf), labels, np.mean)


@NEAREST_SENSE.mistake(
    "This is the number of hits; divide by the number of vectors.",
    "这是答对的个数；还要除以向量的个数。",
)
def not_a_share(vectors, labels):
    return len(labels) * hits(cosines(vectors), labels, np.mean)
