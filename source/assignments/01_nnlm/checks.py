"""The checks of assignment 01, counts and the NNLM, and the mistakes made in it.

Where possible the truth comes first: the probabilities of a text's words are chosen,
then cut up into what a model says; a mixture is made of shares whose mean is known.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from statistics import geometric_mean

import numpy as np
import torch

from course_lib.grading.checks import Task, numbers, require

KNESER_NEY = Task("01.kneser_ney")
FAIR = Task("01.fair_perplexity")
NNLM = Task("01.nnlm", tolerance=1e-3)  # 32-bit numbers, scores in the hundreds
TABLE = Task("01.table_gradient", tolerance=1e-4)
WEIGHT = Task("01.best_weight", tolerance=1e-3)
TASKS = {t.name: t for t in (KNESER_NEY, FAIR, NNLM, TABLE, WEIGHT)}


# 1. Interpolated Kneser-Ney for pairs of words


def share(pairs, first=None, second=None) -> float:
    """Return the share of pairs that begin and end so."""
    fitting = [p for p in pairs if first in (None, p[0]) and second in (None, p[1])]
    return len(fitting) / len(pairs)


def kneser_ney(text, u, w, D, take=None, give=None, lower=None, unseen=None):
    """Return P(w | u); any part of the right calculation can be replaced.

    take: what is taken off c(u w); give(pairs after u): the mass for the lower order;
    lower: its P(w); unseen: the answer where nothing follows u
    """
    pairs = list(itertools.pairwise(text))
    after = [pair for pair in pairs if pair[0] == u]
    lower = share(set(pairs), second=w) if lower is None else lower
    if not after:
        return lower if unseen is None else unseen
    seen = after.count((u, w))
    left = seen - (min(seen, D) if take is None else take)
    given = give(after) if give else D * len(set(after))
    return (left + given * lower) / len(after)


def asked(text: list, D: float = 0.75) -> list:
    """Return the cases of all pairs of words, also after a word that is not there."""
    words = sorted(set(text))
    pairs = itertools.product([*words, "never"], words)
    return [((text, u, w, D), kneser_ney(text, u, w, D)) for u, w in pairs]


ENGLISH = ["we", "saw", "San", "Francisco", "and", "San", "Francisco", "saw", "us"]
CHINESE = ["爱", "吃", "葡", "萄", "就", "买", "葡", "萄", "吃"]


@KNESER_NEY.check("the examples", "题中的例子")
def francisco(answer: Callable, rng: np.random.Generator) -> None:
    queries = (ENGLISH, "saw", "Francisco", 0.75), (CHINESE, "吃", "萄", 0.75)
    KNESER_NEY.compare(answer, [(query, 0.75 / 7) for query in queries])


@KNESER_NEY.check("other pairs of words", "别的词对")
def other_pairs(answer: Callable, rng: np.random.Generator) -> None:
    KNESER_NEY.compare(answer, (asked(ENGLISH) + asked(CHINESE))[::3])


@KNESER_NEY.check("random texts", "随机的文本", hidden=True)
def random_texts(answer: Callable, rng: np.random.Generator) -> None:
    for end in ("new", "a", "打"):
        text = rng.choice(list("aaabbcd打"), size=rng.integers(12, 30)).tolist()
        cases = asked([*text, end], D=float(rng.uniform(0.1, 0.9)))
        KNESER_NEY.compare(answer, [cases[i] for i in rng.permutation(len(cases))[:15]])


@KNESER_NEY.mistake(
    "The lower order counts how *often* w occurs; ask after how many different words.",
    "低一阶数了 w 出现*多少次*；要数的是它跟在多少种不同的词后面。",
)
def unigrams_below(text, u, w, D):
    return kneser_ney(text, u, w, D, lower=text.count(w) / len(text))


@KNESER_NEY.mistake(
    "The lower order counts the words *after* w; count those before it, N(. w).",
    "低一阶数了 w *后面*有多少种词；要数的是它前面的，即 N(· w)。",
)
def words_after(text, u, w, D):
    kinds = set(itertools.pairwise(text))
    return kneser_ney(text, u, w, D, lower=share(kinds, first=w))


@KNESER_NEY.mistake(
    "N(. w) is divided by the number of pairs; divide by that of *different* pairs.",
    "N(· w) 除以了词对的总数；应当除以*不同*词对的数目。",
)
def divided_by_tokens(text, u, w, D):
    kinds = {pair for pair in itertools.pairwise(text) if pair[1] == w}
    return kneser_ney(text, u, w, D, lower=len(kinds) / (len(text) - 1))


@KNESER_NEY.mistake(
    "The counts stay whole: take D off each before you hand that mass on.",
    "计数没有打折扣：先从每个计数里扣掉 D，才有概率可分。",
)
def not_discounted(text, u, w, D):
    return kneser_ney(text, u, w, D, take=0)


@KNESER_NEY.mistake(
    "A pair that was never seen gets 0 - D; use max(c - D, 0).",
    "没见过的词对成了 0 - D；请用 max(c - D, 0)。",
)
def below_zero(text, u, w, D):
    return kneser_ney(text, u, w, D, take=D)


@KNESER_NEY.mistake(
    "What is taken off is lost: the second term hands it to the lower order.",
    "扣下的概率不见了：第二项要把它分给低一阶。",
)
def not_handed_on(text, u, w, D):
    return kneser_ney(text, u, w, D, give=lambda after: 0)


@KNESER_NEY.mistake(
    "You ask the lower order for unseen pairs only (back-off); interpolation adds it "
    "always.",
    "你只在词对没见过时才用低一阶（那叫回退）；插值是每次都加上。",
)
def backed_off(text, u, w, D):
    seen = (u, w) in itertools.pairwise(text)
    return kneser_ney(text, u, w, D, give=(lambda after: 0) if seen else None)


@KNESER_NEY.mistake(
    "D was taken off once for each *different* word after u: D N(u .), not D c(u .).",
    "u 后面每*种*词扣一次 D：应当是 D N(u ·)，不是 D c(u ·)。",
)
def tokens_handed_on(text, u, w, D):
    return kneser_ney(text, u, w, D, give=lambda after: D * len(after))


@KNESER_NEY.mistake(
    "These are plain relative frequencies, nothing is smoothed.",
    "这只是相对频率，没有做任何平滑。",
)
def relative_frequency(text, u, w, D):
    return kneser_ney(text, u, w, D, take=0, give=lambda after: 0, unseen=0.0)


@KNESER_NEY.mistake(
    "c(u .) is not how often u occurs: the last word of the text begins no pair.",
    "c(u ·) 不是 u 出现的次数：文本的最后一个词后面没有词，不算词对的开头。",
)
def last_word_counted(text, u, w, D):
    p = kneser_ney(text, u, w, D)
    return p * text[:-1].count(u) / text.count(u) if u in text else p


@KNESER_NEY.mistake(
    "If nothing follows u in the text, P(w | u) is that of the lower order, not 0.",
    "u 在文本里没有后文时，P(w | u) 就取低一阶的概率，不是 0。",
)
def zero_if_unseen(text, u, w, D):
    return kneser_ney(text, u, w, D, unseen=0.0)


# 2. Perplexity that cannot be lowered by saying <unk>


def told(rng: np.random.Generator, n: int, rare: float, others: int) -> tuple:
    """Return the case of n words; a share of them `rare`, of `others` unknown words."""
    known = [f"w{i}" for i in range(int(rng.integers(3, 9)))]
    unknown = [f"rare{i}" for i in range(others)]
    words, log_probs, inverse = [], [], []
    for hidden in rng.random(n) < rare:
        words.append(str(rng.choice(unknown[:4] if hidden else known)))
        p = rng.uniform(0.02, 0.9)  # of <unk>, if the word is hidden behind it
        log_probs.append(math.log(p))
        inverse.append((others if hidden else 1) / p)
    return (words, log_probs, {*known}, {*known, *unknown}), geometric_mean(inverse)


@FAIR.check("the examples", "题中的例子")
def sixty_seven_words(answer: Callable, rng: np.random.Generator) -> None:
    cases = []
    for text, known in (
        ("the ocelot saw the cat", {"the", "saw", "cat"}),
        ("小猫 看见 穿山甲 和 小猫", {"小猫", "看见", "和"}),
    ):
        words = text.split()
        logs = [math.log(1 / 4 if word in known else 1 / 2) for word in words[:-1]]
        language = {*words, *(f"animal{i}" for i in range(67 - len({*words})))}
        inputs = words, [*logs, math.log(1 / 8)], known, language
        cases.append((inputs, 2 ** (16 / 5)))
    FAIR.compare(answer, cases)


@FAIR.check("several unknown words, one, and none", "几个、一个和没有未知词")
def shares(answer: Callable, rng: np.random.Generator) -> None:
    cases = (0.4, 40), (0.7, 9), (0.4, 1), (0.0, 5)
    FAIR.compare(answer, [told(rng, 20, rare, others) for rare, others in cases])


@FAIR.check("random texts", "随机的文本", hidden=True)
def random_words(answer: Callable, rng: np.random.Generator) -> None:
    cases = [told(rng, int(rng.integers(9, 60)), 0.4, n) for n in (4, 30, 500)]
    FAIR.compare(answer, [*cases, told(rng, 6, 1.0, 20)])


def fair(words, log_probs, known, language, charge=None, choices=None, left_out=False):
    """Return the perplexity; any part of the right calculation can be replaced.

    charge(unknown words): how often the cost is paid; choices: among how many words
    """
    unknown = [word for word in words if word not in known]
    charges = (charge or len)(unknown)
    cost = charges * math.log(choices or len(language - known))
    n = len(words) - left_out * len(unknown)
    return math.exp((cost - sum(log_probs)) / max(n, 1))


@FAIR.mistake(
    "Whoever says <unk> must still say *which* word. (It stands in `words` as itself.)",
    "说了 <unk>，还要说清*是哪个词*。（它在 `words` 里是原词，不是 <unk>。）",
)
def unfair(*inputs):
    return fair(*inputs, charge=lambda unknown: 0)


@FAIR.mistake(
    "The unknown words are left out: then the hardest words of a text cost nothing.",
    "你跳过了未知词：这样一来，文本里最难的词反而不算数了。",
)
def skipped(words, log_probs, known, language):
    pairs = zip(words, log_probs, strict=True)
    logs = [log for word, log in pairs if word in known]
    return math.exp(-sum(logs) / max(len(logs), 1))


@FAIR.mistake(
    "The cost of the unknown words is counted, but N leaves them out.",
    "未知词的代价算进去了，词数 N 里却没有它们。",
)
def divided_by_known(*inputs):
    return fair(*inputs, left_out=True)


@FAIR.mistake(
    "<unk> says already that it is no known word: choose among all_words - known.",
    "<unk> 已经说明它不是已知词：只要在 all_words - known 里挑。",
)
def among_all(*inputs):
    return fair(*inputs, choices=len(inputs[3]))


@FAIR.mistake(
    "You choose among the unknown words of this text; nobody told the model these.",
    "你只在这段文本的未知词里挑；可是模型事先并不知道有哪些。",
)
def among_the_texts_own(*inputs):
    return fair(*inputs, choices=len({*inputs[0]} - inputs[2]) or 1)


@FAIR.mistake(
    "The cost is paid once for each different word; it is due every time.",
    "每种未知词只付了一次代价；每次出现都要付。",
)
def paid_once(*inputs):
    return fair(*inputs, charge=lambda unknown: len(set(unknown)))


@FAIR.mistake(
    "The sign of the cost is wrong: to say which word makes the text less likely.",
    "代价的符号反了：要说清是哪个词，整段文本的概率只会更小。",
)
def refunded(*inputs):
    return fair(*inputs, charge=lambda unknown: -len(unknown))


@FAIR.mistake("This is in nats per word; take exp.", "这是每词多少奈特；还要取 exp。")
def no_exp(*inputs):
    return math.log(fair(*inputs))


@FAIR.mistake(
    "You raise 2 to a number of nats; `log_probs` are natural logarithms, of base e.",
    "你用了 2 作底；`log_probs` 是自然对数，底应当是 e。",
)
def base_two(*inputs):
    return 2 ** no_exp(*inputs)


@FAIR.mistake(
    "You choose among the words that the model *knows*; behind <unk> stands another.",
    "你在模型*认识*的词里挑；<unk> 背后是它不认识的词。",
)
def among_known(*inputs):
    return fair(*inputs, choices=len(inputs[2]))


# 3. The network of equation 1


def scores(contexts, C, H, d, U, b, W=None, rows=lambda x: x, squash=torch.tanh):
    """Return y of equation 1; rows: what becomes of the looked-up (B, n-1, m)."""
    x = rows(C[contexts]).flatten(1)
    y = b + squash(d + x @ H.T) @ U.T
    return y if W is None else y + x @ W.T


def normal(*inputs, **parts):
    return torch.log_softmax(scores(*inputs, **parts), dim=1)


def network(rng: np.random.Generator, B, n, m, h, V, direct=True, size=1.0) -> tuple:
    """Return a case of random matrices with n words of context."""
    shapes = (V, m), (h, n * m), (h,), (V, h), (V,), (V, n * m)
    C, H, d, U, b, W = (torch.from_numpy(rng.normal(size=shape)) for shape in shapes)
    contexts = torch.from_numpy(rng.integers(V, size=(B, n)))
    matrices = (C, H / math.sqrt(m), d, size * U, size * b, size * W)[: 5 + direct]
    inputs = contexts, *(matrix.float() for matrix in matrices)
    return inputs, normal(contexts, *matrices)


@NNLM.check("the example", "题中的例子")
def two_words(answer: Callable, rng: np.random.Generator) -> None:
    C, H, d, U = ([[1], [-1]], [[1, 2]], [0], [[1], [0]])
    matrices = [torch.tensor(x).float() for x in (C, H, d, U, [0, 0])]
    expected = np.array([[-math.tanh(1), 0], [0, -math.tanh(1)]])
    expected -= math.log(1 + math.exp(-math.tanh(1)))
    NNLM.compare(answer, [((torch.tensor([[0, 1], [1, 0]]), *matrices), expected)])


@NNLM.check("without W", "没有 W 时")
def no_direct(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, 2, 3, 4, 5), (4, 3, 2, 5, 6)
    NNLM.compare(answer, [network(rng, *size, direct=False) for size in sizes])


@NNLM.check("with W", "有 W 时")
def with_direct(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 2, 3, 4, 5), (5, 4, 2, 3, 7), (2, 3, 3, 2, 4)
    NNLM.compare(answer, [network(rng, *size) for size in sizes])


@NNLM.check("scores in the hundreds", "几百的分数")
def large_scores(answer: Callable, rng: np.random.Generator) -> None:
    inputs, expected = network(rng, 3, 2, 2, 4, 6, size=300.0)
    require(
        bool((abs(numbers(answer, *inputs)) < np.inf).all()),
        "Some log P are infinite or NaN: exp of a large score is infinite, and a small "
        "probability becomes 0, of which log is -inf. Do not form P at all: log P is "
        "y - log(sum(exp(y))), with the row's largest score taken off y first.",
        "有的 log P 成了无穷大或 NaN：分数大时 exp 是无穷大，概率太小时又成了 0，"
        "取对数得负无穷。不要先算 P：log P 就是 y - log(sum(exp(y)))，"
        "先把 y 减去这一行的最大分数。",
        "overflow",
    )
    NNLM.compare(answer, [(inputs, expected)])


@NNLM.check("random sizes", "随机的大小", hidden=True)
def random_sizes(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers(2, 9, size=(5, 5)).tolist()
    cases = [network(rng, *size) for size in sizes[:4]]
    one = network(rng, 1, 2, 3, 4, 5)  # a batch of one context
    NNLM.compare(answer, [*cases, one, network(rng, *sizes[4], direct=False)])


@NNLM.mistake(
    "The words of x are in the wrong order: keep that of the row in `contexts`.",
    "x 里各词的次序不对：应当和 `contexts` 那一行的次序相同。",
)
def words_turned(*inputs):
    return normal(*inputs, rows=lambda x: x.flip(1))


@NNLM.mistake(
    "x holds the first feature of each word, then the second …: keep words together.",
    "x 先放各词的第一个特征，再放第二个……：应当一个词的特征放在一起。",
)
def features_mixed(*inputs):
    return normal(*inputs, rows=lambda x: x.transpose(1, 2))


@NNLM.mistake(
    "tanh is missing: without it the two layers are one linear layer.",
    "少了 tanh：没有它，两层就等于一个线性层。",
)
def no_tanh(*inputs):
    return normal(*inputs, squash=lambda z: z)


@NNLM.mistake("W is given but not used: add Wx.", "给了 W 却没有用：要加上 Wx。")
def without_W(*inputs):
    return normal(*inputs[:6])


@NNLM.mistake(
    "These are the scores y; we ask for log P: apply log-softmax.",
    "这是分数 y；要的是 log P：还要做 log-softmax。",
)
def only_scores(*inputs):
    return scores(*inputs)


@NNLM.mistake("We ask for log P, not for P.", "要的是 log P，不是 P。")
def probabilities(*inputs):
    return normal(*inputs).exp()


@NNLM.mistake(
    "The softmax runs over the batch (dim=0); it belongs over the words (dim=1).",
    "softmax 沿着批（dim=0）做了；应当沿着词表（dim=1）做。",
)
def over_the_batch(*inputs):
    return torch.log_softmax(scores(*inputs), dim=0)


@NNLM.mistake(
    "The scores go through tanh, too; only the hidden layer does.",
    "分数也过了一遍 tanh；只有隐藏层才用 tanh。",
)
def scores_squashed(*inputs):
    return torch.log_softmax(torch.tanh(scores(*inputs)), dim=1)


@NNLM.mistake(
    "The bias b of the scores is missing.", "少了 b：算分数时还要加上偏置 b。"
)
def without_b(contexts, C, H, d, U, b, W=None):
    return normal(contexts, C, H, d, U, 0 * b, W)


@NNLM.mistake(
    "d is added to what comes out of tanh; it belongs to what goes in.",
    "d 加在了 tanh 的结果上；应当在做 tanh 之前加。",
)
def d_outside(contexts, C, H, d, U, b, W=None):
    return normal(contexts, C, H, 0 * d, U, b, W, squash=lambda z: z.tanh() + d)


# 4. Which rows of C learn: the gradient through a look-up


def looked_up(rng: np.random.Generator, B: int, n: int, m: int, V: int) -> tuple:
    """Return a case in which a word repeats; the truth is a one-hot product."""
    contexts = rng.integers(V, size=(B, n))
    contexts[-1, -1] = contexts[0, 0]
    gradient = rng.normal(size=(B, n * m))
    expected = np.eye(V)[contexts.ravel()].T @ gradient.reshape(B * n, m)  # (V, m)
    inputs = torch.from_numpy(contexts), torch.from_numpy(gradient).float(), V
    return inputs, expected


@TABLE.check("the example", "题中的例子")
def eight_numbers(answer: Callable, rng: np.random.Generator) -> None:
    gradient = torch.arange(1.0, 9.0).reshape(2, 4)
    expected = np.array([[3, 4], [0, 0], [8, 10], [5, 6], [0, 0]])
    TABLE.compare(answer, [((torch.tensor([[2, 0], [3, 2]]), gradient, 5), expected)])


@TABLE.check("words that repeat", "重复出现的词")
def repeated(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (4, 3, 2, 7), (3, 4, 3, 20), (5, 2, 4, 8)
    TABLE.compare(answer, [looked_up(rng, *size) for size in sizes])


@TABLE.check("random sizes", "随机的大小", hidden=True)
def random_batches(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers((2, 2, 2, 8), (7, 5, 6, 15), size=(5, 4)).tolist()
    TABLE.compare(answer, [looked_up(rng, *size) for size in sizes])


def added(contexts, gradient, V, how=sum):
    """Give each word `how` of its pieces of the gradient (B, n-1, m)."""
    pieces = gradient.reshape(contexts.numel(), -1)
    table = torch.zeros(V, pieces.shape[1], dtype=gradient.dtype)
    for word in contexts.unique():
        table[word] = how(pieces[contexts.flatten() == word])
    return table


@TABLE.mistake(
    "A repeated word keeps one piece only: `G[ids] += …` writes each row once. Add up.",
    "重复的词只留下了一份：`G[ids] += …` 对每行只写一次。要把各份相加。",
)
def last_one_wins(*inputs):
    return added(*inputs, how=lambda pieces: pieces[-1])


@TABLE.mistake(
    "You average over the places where a word stands; gradients add up.",
    "你对一个词出现的各处求了平均；梯度应当相加。",
)
def averaged(*inputs):
    return added(*inputs, how=lambda pieces: pieces.mean(0))


@TABLE.mistake(
    "The gradient is divided by the batch size; the loss has seen to that already.",
    "你又除以了批的大小；损失那里已经除过了。",
)
def divided_by_batch(contexts, gradient, V):
    return added(contexts, gradient, V) / len(contexts)


@TABLE.mistake(
    "A row of `gradient` is cut up wrongly: the first m numbers are the first word's.",
    "`gradient` 的一行切错了：开头的 m 个数属于第一个词。",
)
def cut_across(contexts, gradient, V):
    B, n = contexts.shape
    return added(contexts, gradient.reshape(B, -1, n).transpose(1, 2), V)


@TABLE.mistake(
    "Only the last word of each context learns; all of them do.",
    "只有每个上下文的最后一个词在学；应当每个词都学。",
)
def only_the_nearest(contexts, gradient, V):
    m = gradient.shape[1] // contexts.shape[1]
    return added(contexts[:, -1:], gradient[:, -m:], V)


@TABLE.mistake(
    "This is minus the gradient, a step; we ask for the gradient.",
    "这是负的梯度，即更新的方向；要的是梯度本身。",
)
def a_step(*inputs):
    return -added(*inputs)


@TABLE.mistake(
    "Only the rows of words that occur are there; C has V rows, the others get 0.",
    "只有出现过的词的行；C 有 V 行，其余各行的梯度是 0。",
)
def only_seen_rows(contexts, gradient, V):
    return added(contexts, gradient, V)[contexts.unique()]


@TABLE.mistake(
    "A word gets the gradient of all places of its context; it gets that of its own.",
    "一个词得到了整个上下文的梯度；它只该得到自己那个位置的。",
)
def whole_context(contexts, gradient, V):
    B, n = contexts.shape
    whole = gradient.reshape(B, n, -1).sum(1, keepdim=True)
    return added(contexts, whole.repeat(1, n, 1), V)


# 5. The best mixture of two models


def two_models(rng: np.random.Generator, T: int = 80, alike: bool = False) -> tuple:
    """Return a case whose best weight is known, for it is the mean of p's shares.

    With p = s m / w and q = (1 - s) m / (1 - w), s is p's share in the mixture m.
    alike: the shares of most words are near w
    """
    less, more = rng.uniform(0.15, 0.3), rng.uniform(0.6, 0.9)
    s = rng.beta(*rng.permutation([8, 32] if alike else [less, more]), T)
    s[:2] = 0, 1  # a word that only one of them knows
    w = s.mean()
    m = rng.uniform(0.001, 1, T) * min(w, 1 - w)
    return (s * m / w, (1 - s) * m / (1 - w)), w


@WEIGHT.check("the example", "题中的例子")
def four_words(answer: Callable, rng: np.random.Generator) -> None:
    p, q = np.array([0.4, 0.4, 0.4, 0.0]), np.array([0.0, 0.0, 0.0, 0.1])
    WEIGHT.compare(answer, [((p, q), 0.75)])


@WEIGHT.check("models that err in different places", "错在不同地方的两个模型")
def different(answer: Callable, rng: np.random.Generator) -> None:
    WEIGHT.compare(answer, [two_models(rng) for _ in range(5)])


@WEIGHT.check("one model is better everywhere", "其中一个处处更好")
def everywhere(answer: Callable, rng: np.random.Generator) -> None:
    p = rng.uniform(0.01, 0.9, 60)
    q = p * rng.uniform(0.1, 0.6, 60)
    WEIGHT.compare(answer, [((p, q), 1), ((q, p), 0)])


@WEIGHT.check("random models", "随机的模型", hidden=True)
def random_models(answer: Callable, rng: np.random.Generator) -> None:
    sizes = rng.integers(40, 300, size=6).tolist()
    WEIGHT.compare(answer, [two_models(rng, T) for T in sizes])


@WEIGHT.check("models that are much alike", "很像的两个模型")
def much_alike(answer: Callable, rng: np.random.Generator) -> None:
    short = (np.array([0.5, 0.1]), np.array([0.1, 0.3])), 0.625
    WEIGHT.compare(answer, [short, *(two_models(rng, 300, alike=True) for _ in "1234")])


def shares_of(p, q, w):
    return w * p / (w * p + (1 - w) * q)


def em(p, q, w=0.5, shares=shares_of, rounds=60):
    """Repeat: the weight becomes the mean share."""
    for _ in range(rounds):
        w = shares(p, q, w).mean()
    return w


def on_a_grid(p, q, points):
    """Return the best of some weights, evenly spaced from 0 to 1."""
    with np.errstate(divide="ignore"):
        grid = np.linspace(0, 1, points)
        return max(grid, key=lambda w: np.log(w * p + (1 - w) * q).sum())


@WEIGHT.mistake(
    "This is one step from 1/2: put the new weight in, and repeat until it stays.",
    "这只是从 1/2 走了一步：要把新权重代回去，反复做到不再变化。",
)
def one_step(p, q):
    return em(p, q, rounds=1)


@WEIGHT.mistake(
    "You count at how many words p is larger; a word is not won, it is shared.",
    "你数了有多少个词上 p 更大；一个词不是判给谁，而是按份额分。",
)
def votes(p, q):
    return (p > q).mean()


@WEIGHT.mistake(
    "This is the weight of q; p's is wanted.", "这是 q 的权重；要的是 p 的。"
)
def weight_of_q(p, q):
    return em(q, p)


@WEIGHT.mistake(
    "You compare the mean probabilities; what counts is the product over all words.",
    "你比较的是平均概率；要紧的是所有词的概率之积。",
)
def by_means(p, q):
    return p.mean() / (p.mean() + q.mean())


@WEIGHT.mistake(
    "A grid of hundredths is too coarse: the weight is wanted to within 0.001.",
    "以 0.01 为间隔的网格太粗：权重要精确到 0.001。",
)
def hundredths(p, q):
    return on_a_grid(p, q, 101)


@WEIGHT.mistake(
    "You try tenths only: the weight is wanted to within 0.001.",
    "你只试了 0.1 的整数倍：权重要精确到 0.001。",
)
def tenths(p, q):
    return on_a_grid(p, q, 11)


@WEIGHT.mistake(
    "In the shares the weight of q is missing: w p / (w p + (1 - w) q).",
    "份额里少了 q 的权重：应当是 w p / (w p + (1 - w) q)。",
)
def q_unweighted(p, q):
    return em(p, q, shares=lambda p, q, w: w * p / (w * p + q))


@WEIGHT.mistake(
    "You stop too early. Where the models are much alike, a round moves the weight by "
    "little: go on until it stays.",
    "停得太早。两个模型很像时，每一轮权重只移动一点：要一直做到它不再变。",
)
def twenty_rounds(p, q):
    return em(p, q, rounds=20)


@WEIGHT.mistake(
    "The weight begins at 0 or 1: there it stays, or 0 / 0 makes NaN. Begin between.",
    "权重从 0 或 1 出发：要么停在那里，要么 0 / 0 得 NaN。要从中间出发。",
)
def began_at_the_end(p, q):
    return em(p, q, w=1.0)
