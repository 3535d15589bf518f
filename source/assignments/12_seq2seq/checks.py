"""The checks of assignment 12, seq2seq, and the mistakes that people make.

What is right is computed the slow way, place by place and word by word; the options of
these functions make the mistakes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import torch

from course_lib.grading.checks import Mistake, Task

CONTEXT = Task("12.context")
COPIED = Task("12.copied")
JOINT = Task("12.joint")
BLEU = Task("12.bleu")
TASKS = {task.name: task for task in (CONTEXT, COPIED, JOINT, BLEU)}


# 1. Attention to two layers


def shares(scores):
    """Return the softmax of some scores. Shape: (S,)."""
    e = np.exp(scores - np.max(scores))
    return e / e.sum()


def looked(
    q, first, top, lengths, keys=lambda first, top: top, seen=lambda n, S: n,
    weigh=lambda scores, n: shares(scores), scale=lambda D: 1.0,
    join=lambda a, b: (a, b),
):  # fmt: skip
    """Attend query by query; the options make mistakes. Shape: (B, T, 2D)."""
    q, first, top = (np.asarray(x, dtype=float) for x in (q, first, top))
    found = []
    for b, length in enumerate(np.asarray(lengths)):
        n = seen(int(length), top.shape[1])
        of = keys(first[b], top[b])[:n]
        rows = []
        for query in q[b]:
            alpha = weigh(of @ query * scale(len(query)), int(length))
            rows.append(np.concatenate(join(alpha @ first[b, :n], alpha @ top[b, :n])))
        found.append(rows)
    return np.array(found)


def whole(n, S):
    return S


def separate(q, first, top, lengths):
    """Give each layer weights of its own."""
    D = top.shape[2]
    lower = looked(q, first, top, lengths, keys=lambda first, top: first)
    return np.concatenate([lower[..., :D], looked(q, first, top, lengths)[..., D:]], -1)


def over_queries(q, first, top, lengths):
    """Take the softmax over the wrong axis: over the queries."""
    scores = np.asarray(q) @ np.asarray(top).transpose(0, 2, 1)
    here = np.arange(top.shape[1]) < np.asarray(lengths)[:, None]
    alpha = np.exp(scores - scores.max(axis=1, keepdims=True)) * here[:, None]
    alpha = alpha / np.maximum(alpha.sum(axis=1, keepdims=True), 1e-300)
    return np.concatenate([alpha @ np.asarray(first), alpha @ np.asarray(top)], -1)


def masked_later(scores, n):
    return shares(scores) * (np.arange(len(scores)) < n)


def masked_with_zero(scores, n):
    return shares(np.where(np.arange(len(scores)) < n, scores, 0))


def attention_case(rng: np.random.Generator, B: int, T: int, S: int, D: int) -> tuple:
    """Return a case: every row but one has padding, with large numbers in it."""
    q, first, top = (rng.normal(size=(B, n, D)) for n in (T, S, S))
    lengths = rng.integers(1, S, size=B)
    lengths[0] = S
    padding = np.arange(S) >= lengths[:, None]
    for layer in (first, top):
        layer[padding] = rng.normal(size=(int(padding.sum()), D)) * 3 + 2
    case = *(torch.from_numpy(x) for x in (q, first, top)), torch.from_numpy(lengths)
    return case, looked(*case)


@CONTEXT.check("the example", "题中的例子")
def example_context(answer: Callable, rng: np.random.Generator) -> None:
    q = torch.tensor([[[0.5, 0.0]]], dtype=torch.float64)
    first = torch.tensor([[[1.0, 0], [0, 1], [7, 7]]], dtype=torch.float64)
    top = torch.tensor([[[2.0, 0], [0, 2], [9, 9]]], dtype=torch.float64)
    a = math.e / (math.e + 1)
    right = [[[a, 1 - a, 2 * a, 2 - 2 * a]]]
    CONTEXT.compare(answer, [((q, first, top, torch.tensor([2])), right)])


@CONTEXT.check("other sentences", "别的句子")
def other_sentences(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 2, 5, 3), (2, 4, 6, 2), (4, 3, 4, 5)
    (q, first, top, lengths), _ = attention_case(rng, 3, 2, 5, 3)
    low = torch.full_like(q, -100), first, top.abs() + 0.5, lengths  # below -150
    cases = [attention_case(rng, *size) for size in sizes]
    CONTEXT.compare(answer, [*cases, (low, looked(*low))])


@CONTEXT.check("random sentences", "随机的句子", hidden=True)
def random_sentences(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (3, 5, 7, 4), (5, 2, 4, 3), (2, 3, 6, 5)
    CONTEXT.compare(answer, [attention_case(rng, *size) for size in sizes])


CONTEXT.mistakes += [
    Mistake(
        "padding_is_seen",
        "Padding gets a weight: `lengths` is not used.",
        "填充也分到了权重：没有用 `lengths`。",
        partial(looked, seen=whole),
    ),
    Mistake(
        "masked_after_the_softmax",
        "You set the weights of padding to 0 after the softmax: they no longer add up "
        "to 1. Set the scores to −∞ before it.",
        "你在 softmax 之后才把填充的权重改成 0：加起来不到 1 了。应当在 softmax 之前"
        "把分数设为 −∞。",
        partial(looked, seen=whole, weigh=masked_later),
    ),
    Mistake(
        "masked_with_zero",
        "A score of 0 is not a weight of 0: exp(0) = 1. Set the scores of padding to "
        "−∞.",
        "分数为 0 不等于权重为 0：exp(0) = 1。填充的分数应设为 −∞。",
        partial(looked, seen=whole, weigh=masked_with_zero),
    ),
    Mistake(
        "asks_the_first_layer",
        "The weights come from the first layer; the last one, `top`, decides.",
        "你的权重来自第一层；应当由最高层 `top` 决定。",
        partial(looked, keys=lambda first, top: first),
    ),
    Mistake(
        "two_sets_of_weights",
        "Each layer has weights of its own with you. They are computed once, from "
        "`top`, and used for both.",
        "你给每层各算了一组权重。应当只用 `top` 算一次，两层共用。",
        separate,
    ),
    Mistake(
        "last_layer_first",
        "The order is [c¹; c^N]: the first layer's context comes first.",
        "次序是 [c¹; c^N]：第一层的上下文在前。",
        partial(looked, join=lambda a, b: (b, a)),
    ),
    Mistake(
        "last_layer_twice",
        "Both halves are the last layer's context.",
        "两半都是最高层的上下文。",
        partial(looked, join=lambda a, b: (b, b)),
    ),
    Mistake(
        "scaled",
        "You divide the scores by √D. Transformers do; this paper does not.",
        "你把分数除以了 √D。Transformer 这样做，这篇论文没有。",
        partial(looked, scale=lambda D: D**-0.5),
    ),
    Mistake(
        "no_softmax",
        "These are sums weighted with the raw scores: the softmax is missing.",
        "你直接用分数加权了：漏了 softmax。",
        partial(looked, weigh=lambda scores, n: scores),
    ),
    Mistake(
        "hard_choice",
        "You take the best place alone. The softmax gives each place a share.",
        "你只取了最好的一个位置。softmax 会给每个位置一份。",
        partial(looked, weigh=lambda scores, n: np.eye(len(scores))[np.argmax(scores)]),
    ),
    Mistake(
        "softmax_over_the_queries",
        "The softmax runs over the queries; each query's weights must add up to 1.",
        "你的 softmax 是沿着查询做的；每个查询的权重加起来应为 1。",
        over_queries,
    ),
    Mistake(
        "summed_layers",
        "You add the two contexts; put them behind each other: 2D numbers.",
        "你把两个上下文加起来了；应当前后拼接，共 2D 个数。",
        partial(looked, join=lambda a, b: (a + b,)),
    ),
]  # fmt: skip


# 2. Copy by name


def belongs(name: str, part: str) -> bool:
    return name == part or name.startswith(part + ".")


def transplant(
    model, source, target, parts, wanted=belongs, every=any,
    rename=lambda name: name.partition(".")[2],
    choose=lambda name, source, target: source if name.startswith("source") else target,
    result=lambda tensor: float(tensor.sum()),
):  # fmt: skip
    """Go through the names; the options make mistakes. Shape: (len(model),)."""
    sums = []
    for name, tensor in model.items():
        if every(wanted(name, part) for part in parts):
            donor = choose(name, source, target)
            tensor = donor.get(rename(name), tensor)
        sums.append(result(tensor))
    return np.array(sums)


def only_copied(model, source, target, parts):
    """Leave out what stays as it is."""
    sums = transplant(model, source, target, parts)
    copied = [any(belongs(name, part) for part in parts) for name in model]
    return sums[copied]


def by_name(model, source, target, parts):
    """Sort the names."""
    sums = transplant(model, source, target, parts)
    return [s for _, s in sorted(zip(model, sums, strict=True))]


def with_new_names(model, source, target, parts):
    """Take names over, too, that the translator lacks."""
    new = dict(model)
    for part in parts:
        side, _, rest = part.partition(".")
        for name, tensor in (source if side == "source" else target).items():
            if not rest or belongs(name, rest):
                new[f"{side}.{name}"] = tensor
    return [float(tensor.sum()) for tensor in new.values()]


NAMES = ("embedding.weight", "lstm.weight", "lstm.bias", "lstm2.weight",
         "softmax.weight", "softmax.bias")  # fmt: skip
ABOVE = ("top.lstm.weight", "attention.query", "source_gate.weight", "output")


def networks(rng: np.random.Generator, parts: list[str]) -> tuple:
    """Return a case: a translator, two language models, the parts to copy."""

    def tensor():
        return torch.from_numpy(rng.normal(size=rng.integers(1, 4, size=2)))

    names = [f"{side}.{name}" for side in ("source", "target") for name in NAMES]
    order = rng.permutation([*names, *ABOVE])
    model = {str(name): tensor() for name in order}
    case = model, {n: tensor() for n in NAMES}, {n: tensor() for n in NAMES}, parts
    return case, transplant(*case)


@COPIED.check("the example", "题中的例子")
def example_copied(answer: Callable, rng: np.random.Generator) -> None:
    numbers = {"source.lstm.weight": 1, "target.lstm.weight": 2}
    numbers |= {"target.softmax.bias": 3, "top.lstm.weight": 4}
    source = {"lstm.weight": 10, "softmax.bias": 11}
    target = {"lstm.weight": 20, "softmax.bias": 21}
    dictionaries = [
        {name: torch.tensor([float(x)]).double() for name, x in of.items()}
        for of in (numbers, source, target)
    ]
    parts = ["source.lstm", "target.softmax"]
    COPIED.compare(answer, [((*dictionaries, parts), [10, 2, 21, 4])])


@COPIED.check("other parts", "别的部分")
def other_parts(answer: Callable, rng: np.random.Generator) -> None:
    chosen = (
        ["source.lstm", "target.lstm", "target.softmax"],
        ["target.embedding", "source.softmax"],
        ["source.lstm.bias", "target.lstm"],
        ["source.lstm", "target.softmax.bias"],
        [],
    )
    (model, source, target, parts), _ = networks(rng, ["source.inner"])
    model["source.inner.source.weight"] = torch.zeros(2).double()
    source["inner.source.weight"] = torch.from_numpy(rng.normal(size=2))
    again = model, source, target, parts  # the prefix comes again within the name
    (model, *rest), _ = networks(rng, ["target.lstm", "source.softmax"])
    kept = {n: x for n, x in model.items() if not n.startswith("source.softmax")}
    lacking = kept, *rest  # the language model has more than the translator
    cases = [(case, transplant(*case)) for case in (again, lacking)]
    cases += [networks(rng, parts) for parts in (["source"], *chosen)]
    COPIED.compare(answer, cases)


@COPIED.check("random parts", "随机的部分", hidden=True)
def random_parts(answer: Callable, rng: np.random.Generator) -> None:
    parts = ["source.embedding", "source.softmax", "target.embedding"]
    parts += ["target.softmax", "source.lstm", "target.lstm"]
    parts += ["source.lstm.weight", "target.softmax.weight"]
    for n in (2, 3, 4, 5):
        some = [str(part) for part in rng.choice(parts, size=n, replace=False)]
        COPIED.compare(answer, [networks(rng, ["source.lstm", "target.lstm", *some])])
        COPIED.compare(answer, [networks(rng, some)])


COPIED.mistakes += [
    Mistake(
        "a_beginning_is_enough",
        "`source.lstm2.weight` begins with `source.lstm`, but does not belong to that "
        "part: a dot must follow.",
        "`source.lstm2.weight` 以 `source.lstm` 开头，却不属于这个部分："
        "后面必须是一个点。",
        partial(transplant, wanted=lambda name, part: name.startswith(part)),
    ),
    Mistake(
        "part_of_a_word",
        "You look for the part's last name anywhere: `top.lstm.weight` and the other "
        "side have it, too.",
        "你只找部分名字的最后一段：`top.lstm.weight` 和另一侧也有它。",
        partial(transplant, wanted=lambda name, part: part.split(".", 1)[1] in name),
    ),
    Mistake(
        "only_the_whole_name",
        "You copy only where the name is the part. A part such as `source.lstm` has "
        "several tensors: `source.lstm.weight` and so on.",
        "你只在名字与部分完全相同时才复制。`source.lstm` 这样的部分包括好几个张量："
        "`source.lstm.weight` 等等。",
        partial(transplant, wanted=lambda name, part: name == part),
    ),
    Mistake(
        "never_the_whole_name",
        "A part may be a whole name, such as `source.lstm.bias`: that belongs to "
        "itself.",
        "部分也可以就是完整的名字，比如 `source.lstm.bias`：它属于它自己。",
        partial(transplant, wanted=lambda name, part: name.startswith(part + ".")),
    ),
    Mistake(
        "languages_exchanged",
        "Source and target are exchanged: `source.x` comes from the source model.",
        "源和目标弄反了：`source.x` 应来自源语言模型。",
        partial(transplant, choose=lambda name, source, target: (
            target if name.startswith("source") else source)),
    ),
    Mistake(
        "one_model_for_both",
        "Everything comes from the source model; `target.x` comes from the target's.",
        "全都来自源语言模型了；`target.x` 应来自目标语言模型。",
        partial(transplant, choose=lambda name, source, target: source),
    ),
    Mistake(
        "nothing_is_copied",
        "Nothing is copied. The language models call `source.x` only `x`: take the "
        "side off the name.",
        "什么也没有复制。语言模型里 `source.x` 只叫 `x`：要去掉表示哪一侧的前缀。",
        partial(transplant, rename=lambda name: name),
    ),
    Mistake(
        "everything_is_copied",
        "`parts` is not used: everything that a language model has is copied.",
        "没有用到 `parts`：凡是语言模型有的都复制了。",
        partial(transplant, wanted=lambda name, part: True, every=lambda x: True,
                choose=lambda name, source, target: {
                    "source": source, "target": target}.get(name.split(".")[0], {})),
    ),
    Mistake(
        "the_others",
        "You copy what is *not* in the parts.",
        "你复制的正好是*不*在列表里的。",
        partial(transplant, every=lambda found: not any(found),
                choose=lambda name, source, target: {
                    "source": source, "target": target}.get(name.split(".")[0], {})),
    ),
    Mistake(
        "only_the_copied",
        "Return a number for every entry of `model`, also for those that stay.",
        "`model` 的每一项都要返回一个数，没有变的也要。",
        only_copied,
    ),
    Mistake(
        "with_new_names",
        "You also take over what the translator has not; return one number for each "
        "entry of `model`, and no more.",
        "翻译器里没有的，你也复制了过来；`model` 有几项，就返回几个数。",
        with_new_names,
    ),
    Mistake(
        "in_another_order",
        "The numbers must come in the order of `model`; yours are sorted by name.",
        "次序应同 `model` 一致；你的是按名字排的。",
        by_name,
    ),
    Mistake(
        "means",
        "These are means; the sums are asked for.",
        "这是平均；要的是和。",
        partial(transplant, result=lambda tensor: float(tensor.mean())),
    ),
]  # fmt: skip


# 3. Three losses


def three_means(
    logits, targets, base=math.e, start=0, use=(0, 1, 2), skip=-100,
    mean=lambda costs, right: sum(costs) / len(costs), join=sum, sign=-1.0,
):  # fmt: skip
    """Go through all places; the options make mistakes."""
    found = []
    for k in use:
        scores = np.asarray(logits[k], dtype=float).reshape(-1, logits[k].shape[-1])
        right = np.asarray(targets[k]).ravel()
        costs = []
        for row, y in zip(scores[start:], right[start:], strict=True):
            if y != skip:
                log_p = row[y if y >= 0 else 0] - row.max()
                log_p -= math.log(np.exp(row - row.max()).sum())
                costs.append(sign * log_p / math.log(base))
        found.append(mean(costs, right))
    return np.array(join(found))


def all_together(logits, targets):
    """Take one mean over the words of all three."""
    counts = [int((y != -100).sum()) for y in targets]
    means = three_means(logits, targets, join=list)
    return np.array(np.dot(means, counts) / sum(counts))


def by_sentence(logits, targets):
    """Take the mean of the sentences' means."""
    total = 0.0
    for scores, right in zip(logits, targets, strict=True):
        rows = [
            three_means([scores[b : b + 1]], [right[b : b + 1]], use=(0,))
            for b in range(len(right))
        ]
        total += np.mean(rows)
    return np.array(total)


def three(rng: np.random.Generator, size: float = 2, gaps: bool = False) -> tuple:
    """Return a case: three batches with padding, of different sizes.

    gaps: whether the places that do not count may stand before others
    """
    logits, targets = [], []
    for _ in range(3):
        B, T, V = (int(rng.integers(n, 7)) for n in (2, 4, 3))
        logits.append(torch.from_numpy(size * rng.normal(size=(B, T, V))))
        y = rng.integers(0, V, size=(B, T))
        lengths = rng.integers(1, T, size=B)
        lengths[0], lengths[1] = T, 1
        y[np.arange(T) >= lengths[:, None]] = -100
        targets.append(torch.from_numpy(rng.permuted(y, axis=1) if gaps else y))
    return (logits, targets), three_means(logits, targets)


@JOINT.check("the example", "题中的例子")
def example_joint(answer: Callable, rng: np.random.Generator) -> None:
    logits = [torch.zeros(1, n, 2).double() for n in (2, 3, 4)]
    targets = [torch.tensor([[0, 1, -100, -100][:n]]) for n in (2, 3, 4)]
    JOINT.compare(answer, [((logits, targets), 3 * math.log(2))])


@JOINT.check("other batches", "别的批次")
def other_batches(answer: Callable, rng: np.random.Generator) -> None:
    cases = [three(rng, 15), three(rng, gaps=True)]
    JOINT.compare(answer, [*cases, *(three(rng) for _ in range(4))])


@JOINT.check("random batches", "随机的批次", hidden=True)
def random_batches(answer: Callable, rng: np.random.Generator) -> None:
    JOINT.compare(answer, [three(rng) for _ in range(6)])


def over_all_places(costs, right):
    return sum(costs) / len(right)


def front_of_each_row(logits, targets):
    """Take as many places from the front of a row as count somewhere in it."""
    front = []
    for right in targets:
        counted = (right != -100).sum(dim=1)
        there = torch.arange(right.shape[1]) < counted[:, None]
        front.append(torch.where(there, right.clamp(min=0), -100))
    return three_means(logits, front)


def small_number_added(logits, targets):
    """Add a little to each probability before its logarithm."""

    def costs_of(found, right):
        return np.mean([-math.log(math.exp(-cost) + 1e-9) for cost in found])

    return three_means(logits, targets, mean=costs_of)


JOINT.mistakes += [
    Mistake(
        "front_of_each_row",
        "Which places count, the targets say; they need not stand at the front.",
        "哪些位置计分要看目标；它们不一定都在前面。",
        front_of_each_row,
    ),
    Mistake(
        "small_number_added",
        "You add a small number before the logarithm, and improbable words become too "
        "cheap. Compute the logarithm from the logits (log_softmax).",
        "你在取对数前加了一个小数，概率极小的词就便宜了。应当直接由 logits 算对数"
        "（log_softmax）。",
        small_number_added,
    ),
    Mistake(
        "padding_in_the_mean",
        "You divide by all places. Divide by those that count, whose target is not "
        "−100.",
        "你除以了所有位置的个数。应当除以计分位置的个数，即目标不是 −100 的。",
        partial(three_means, mean=over_all_places),
    ),
    Mistake(
        "sums",
        "These are sums over the words; each of the three is a mean.",
        "这是各词之和；三项都应当是平均。",
        partial(three_means, mean=lambda costs, right: sum(costs)),
    ),
    Mistake(
        "one_mean_of_all_words",
        "You put all words into one mean: then the batch with the most words counts "
        "most. Take three means and add them up.",
        "你把所有词放在一起平均了：词最多的那批就占得最重。应当先求三个平均，再相加。",
        all_together,
    ),
    Mistake(
        "mean_of_the_three",
        "You divide the sum of the three by three.",
        "你把三项之和又除以了三。",
        partial(three_means, join=np.mean),
    ),
    Mistake(
        "without_the_language_models",
        "Only the translations' loss is there; add the two language models'.",
        "只有译文的损失；还要加上两个语言模型的。",
        partial(three_means, use=(0,)),
    ),
    Mistake(
        "without_the_source",
        "One of the three is missing: the source language model's.",
        "三项少了一项：源语言模型的。",
        partial(three_means, use=(0, 2)),
    ),
    Mistake(
        "without_the_target",
        "One of the three is missing: the target language model's.",
        "三项少了一项：目标语言模型的。",
        partial(three_means, use=(0, 1)),
    ),
    Mistake(
        "without_the_pairs",
        "The translations' own loss is missing.",
        "少了译文自己的损失。",
        partial(three_means, use=(1, 2)),
    ),
    Mistake(
        "wrong_sign",
        "The sign: a loss is −log p, and above 0.",
        "符号反了：损失是 −log p，大于 0。",
        partial(three_means, sign=1.0),
    ),
    Mistake(
        "bits",
        "These are bits; take natural logarithms, nats.",
        "这是比特；应取自然对数，即奈特。",
        partial(three_means, base=2),
    ),
    Mistake(
        "padding_as_a_word",
        "Places with the target −100 count with you, as if word 0 stood there.",
        "目标是 −100 的位置你也算了，好像那里是第 0 个词。",
        partial(three_means, skip=None),
    ),
    Mistake(
        "sentence_by_sentence",
        "You average over the sentences' means: a short sentence then counts as much "
        "as a long one. Average over words.",
        "你先对每句求平均，再对句子平均：短句就和长句一样重了。应当直接对词平均。",
        by_sentence,
    ),
]  # fmt: skip


# 4. BLEU


def grams(sentence, n: int) -> Counter:
    return Counter(tuple(sentence[i : i + n]) for i in range(len(sentence) - n + 1))


def clipped(found: Counter, right: Counter) -> int:
    return sum(min(n, right[g]) for g, n in found.items())


def corpus_bleu(
    found, right, orders=(1, 2, 3, 4), hits=clipped,
    join=lambda p: math.prod(p) ** (1 / len(p)), total=lambda f, r: sum(f.values()),
    penalty=lambda c, r: min(1.0, math.exp(1 - r / c)), points=100.0,
):  # fmt: skip
    """Count n-grams sentence by sentence; the options make mistakes."""
    precisions = []
    for n in orders:
        pairs = [(grams(f, n), grams(r, n)) for f, r in zip(found, right, strict=True)]
        every = sum(total(*pair) for pair in pairs)
        precisions.append(sum(hits(*pair) for pair in pairs) / every)
    c, r = sum(map(len, found)), sum(map(len, right))
    return np.array(points * penalty(c, r) * join(precisions))


def sentences_mean(found, right):
    return np.mean([corpus_bleu([f], [r]) for f, r in zip(found, right, strict=True)])


def anywhere(found, right):
    """Look for an n-gram in any right sentence."""
    pooled = [sum((grams(r, n) for r in right), Counter()) for n in range(1, 5)]
    product = 1.0
    for n, bag in enumerate(pooled, start=1):
        every = sum((grams(f, n) for f in found), Counter())
        product *= clipped(every, bag) / sum(every.values())
    c, r = sum(map(len, found)), sum(map(len, right))
    return 100 * min(1.0, math.exp(1 - r / c)) * product**0.25


def translations(rng: np.random.Generator, n: int, shorter: bool) -> tuple:
    """Return a case: sentences with repeated words, some changed, cut or prolonged."""
    found, right = [], []
    for k in range(n):
        sentence = rng.integers(0, 6, size=int(rng.integers(8, 13))).tolist()
        other = list(sentence)
        for i in rng.integers(5, len(other), size=1 + k % 2):
            other[i] = int(rng.integers(6, 9))
        if shorter:
            other = other[: len(other) - 1 - k % 2]
        else:  # says a word three times
            other += [other[0]] * 3
        found.append(other)
        right.append(sentence)
    return (found, right), corpus_bleu(found, right)


@BLEU.check("the example", "题中的例子")
def example_bleu(answer: Callable, rng: np.random.Generator) -> None:
    case = [[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 6, 7]]
    precisions = 4 / 5 * 3 / 4 * 2 / 3 * 1 / 2
    BLEU.compare(answer, [(case, 100 * math.exp(1 - 6 / 5) * precisions**0.25)])


@BLEU.check("other translations", "别的译文")
def other_translations(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (1, True), (1, False), (3, True), (4, False)
    cases = [translations(rng, *size) for size in sizes]
    short, long = (translations(rng, n, n > 2)[0] for n in (3, 1))
    both = short[0] + long[0], short[1] + long[1]  # some too short, some too long
    BLEU.compare(answer, [*cases, (both, corpus_bleu(*both))])


@BLEU.check("random translations", "随机的译文", hidden=True)
def random_translations(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (2, True), (3, False), (5, True), (4, False), (1, True)
    BLEU.compare(answer, [translations(rng, *size) for size in sizes])


BLEU.mistakes += [
    Mistake(
        "not_clipped",
        "An n-gram counts at most as often as it stands in the right translation; "
        "with you a repeated word scores again and again.",
        "一个 n 元组最多只能算正确译文里出现的次数；你让重复的词一再得分了。",
        partial(corpus_bleu, hits=lambda f, r: sum(n for g, n in f.items() if g in r)),
    ),
    Mistake(
        "kinds_of_grams",
        "You count different n-grams, each once; count occurrences.",
        "你数的是不同的 n 元组，每种一次；应当数出现的次数。",
        partial(corpus_bleu, hits=lambda f, r: len(f.keys() & r.keys()),
                total=lambda f, r: len(f)),
    ),
    Mistake(
        "mean_of_sentences",
        "This is the mean of the sentences' BLEUs. Add up matches and totals first.",
        "这是逐句 BLEU 的平均。应当先把命中数和总数各自加起来。",
        sentences_mean,
    ),
    Mistake(
        "no_penalty",
        "The brevity penalty is missing: short output is not punished.",
        "漏了长度惩罚：输出短了没有受罚。",
        partial(corpus_bleu, penalty=lambda c, r: 1.0),
    ),
    Mistake(
        "punishes_length",
        "The lengths in the penalty are exchanged: it must punish short output.",
        "惩罚里的两个长度弄反了：该罚的是短的输出。",
        partial(corpus_bleu, penalty=lambda c, r: min(1.0, math.exp(1 - c / r))),
    ),
    Mistake(
        "rewards_length",
        "Your penalty exceeds 1 for long output; it is at most 1.",
        "输出长的时候，你的惩罚大于 1 了；它最多是 1。",
        partial(corpus_bleu, penalty=lambda c, r: math.exp(1 - r / c)),
    ),
    Mistake(
        "linear_penalty",
        "Your penalty is c / r; the formula has exp(1 − r / c).",
        "你的惩罚是 c / r；公式是 exp(1 − r / c)。",
        partial(corpus_bleu, penalty=lambda c, r: min(1.0, c / r)),
    ),
    Mistake(
        "arithmetic_mean",
        "You average the four shares; multiply them and take the fourth root.",
        "你把四个比例做了算术平均；应当相乘，再开四次方。",
        partial(corpus_bleu, join=np.mean),
    ),
    Mistake(
        "no_root",
        "The fourth root is missing.",
        "漏了开四次方。",
        partial(corpus_bleu, join=math.prod),
    ),
    Mistake(
        "three_orders",
        "You stop at triples; n goes up to 4.",
        "你只算到三元组；n 要到 4。",
        partial(corpus_bleu, orders=(1, 2, 3)),
    ),
    Mistake(
        "only_fours",
        "Only the fours count with you; n goes from 1 to 4.",
        "你只算了四元组；n 从 1 到 4。",
        partial(corpus_bleu, orders=(4,)),
    ),
    Mistake(
        "recall",
        "You divide by the n-grams of the right translation; that is recall. BLEU "
        "divides by those of the output.",
        "你除以了正确译文的 n 元组数，那是召回率。BLEU 除以输出的。",
        partial(corpus_bleu, total=lambda f, r: sum(r.values())),
    ),
    Mistake(
        "any_sentence",
        "You look for an n-gram in all right translations; only the sentence's own "
        "counts.",
        "你在所有正确译文里找 n 元组；只能在这一句自己的译文里找。",
        anywhere,
    ),
    Mistake(
        "out_of_one",
        "Return points out of 100, not a share.",
        "要返回百分制的分数，不是比例。",
        partial(corpus_bleu, points=1.0),
    ),
]  # fmt: skip
