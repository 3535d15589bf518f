"""Lesson 09: AWD-LSTM, its regularisers, and what a language model has learned."""

from __future__ import annotations

import numpy as np

from course_lib.analysis.statistics import Interval

from .. import ledger
from ..claim_card import Card, Pick, Rows
from ..outcome import CONVENTION, Hypothesis

LESSON = "09_awd_lstm"
PARTS = {
    "none": ("all of them", "全部"),
    "without weight-drop": ("weight-drop", "weight-drop"),
    "without locked dropout": ("locked dropout", "锁定 dropout"),
    "without embedding dropout": ("embedding dropout", "嵌入 dropout"),
    "without tying": ("tied weights", "共享权重"),
    "without AR/TAR": ("AR / TAR", "AR / TAR"),
    "without varied windows": ("varied windows", "长短不一的窗口"),
}
KINDS = {
    "grammar": ("grammar (agreement, measure words)", "语法（主谓一致、量词）"),
    "meaning": ("meaning (which words go together)", "语义（词的搭配）"),
    "common sense": (
        "common sense (which is larger, heavier, faster …)",
        "常识（谁大、谁重、谁快……）",
    ),
}
PAIRS = {
    f"{kind}, awdlstm-{language}": (f"{named[0]}, {en}", f"{zh}，{named[1]}")
    for kind, named in KINDS.items()
    for language, en, zh in (("en", "English", "英文"), ("zh", "Chinese", "中文"))
}


def taken_away(rows: Rows) -> dict[str, Interval]:
    """Return by how much perplexity rises without each regulariser, and without all."""
    whole = {"condition": "all"}
    return {
        key: ledger.gain(rows, "perplexity", {"condition": key}, whole) for key in PARTS
    }


def above_chance(rows: Rows) -> dict[str, Interval]:
    """Return the share of right pairs minus one half, by kind and language."""
    return {
        f"{kind}, {model}": Interval(*(value - 0.5 for value in span))
        for (model, kind), span in ledger.over_seeds(rows, "right").items()
    }


def sampled(t: Pick) -> Rows:
    """Estimate a softmax's sum from samples of words: the sum, and its logarithm."""
    rng = np.random.default_rng(9)
    z = np.exp(rng.normal(scale=2.0, size=10_000))  # e to the scores of V words
    found = []
    for n in (20, 200, 2000):
        drawn = z[rng.integers(len(z), size=(500, n))].mean(axis=1) * len(z)  # (500,)
        ratio = drawn / z.sum()
        nats = np.log(ratio).mean()
        heads = t(
            (
                "words in the sample",
                "mean of the estimated sum ÷ true sum",
                "error of the loss, nats",
                "perplexity × ",
            ),
            (
                "抽样的词数",
                "估计的和 ÷ 真正的和，平均",
                "损失的误差（奈特）",
                "困惑度乘以",
            ),
        )
        cells = (f"{n:,}", f"{ratio.mean():.2f}", f"{nats:+.3f}", f"{np.exp(nats):.2f}")
        found.append(dict(zip(heads, cells, strict=True)))
    return found


CARDS = (
    Card(
        key="awd-regularisers",
        lesson=LESSON,
        as_told="right",
        systems=("AWD-LSTM",),
        claim=(
            "The regularisers are what makes a plain LSTM a state-of-the-art language model.",
            "普通的 LSTM 之所以成为最好的语言模型，靠的就是正则化。",
        ),
        source=("the paper's own thesis", "论文自己的主张"),
        quoted=(
            "S0",
            (
                "ULMFiT's network is a carefully tuned LSTM with several kinds of regularisation.",
                "ULMFiT 用的是一个精心调过的 LSTM，带有好几种正则化。",
            ),
        ),
        paper=(
            "57.3 on the Penn Treebank, 65.8 on WikiText-2, both the best published then; a table of the paper takes "
            "the parts away one at a time.",
            "Penn Treebank 上 57.3，WikiText-2 上 65.8，都是当时发表的最好成绩；论文有一张表，逐一去掉各部分。",
        ),
        why=(
            "Perplexity without one part, or without all, minus that with all of "
            "them, each run at the lowest point on its way, as if it had been stopped "
            "there. A small model reads 50,000 words of Brown 48 times; the paper's "
            "is far larger, and so is its text. One of the ten networks without any "
            "part never learned more than word frequencies, which makes the interval "
            "of the first line wide. Two parts taken away together were not tried.",
            "去掉一样或者全部去掉的困惑度，减去样样都有的；各取一路上最低的一点，相当于在那里提前停下。"
            "我们用一个小模型把 Brown 语料的五万词读 48 遍，论文的模型和文本都大得多。"
            "全部去掉的十个网络里，有一个始终只学会词频，所以第一行的区间很宽。两样一起去掉的情形没有试。",
        ),
        experiments=("awd_regularisers",),
        effects=taken_away,
        hypothesis=Hypothesis(2, CONVENTION),
        effect=("rise of perplexity without it", "去掉之后困惑度升高多少"),
        scale=1.0,
        names=PARTS,
    ),
    Card(
        key="grammar-meaning-common-sense",
        lesson=LESSON,
        as_told="imprecise",
        systems=("language model", "AWD-LSTM", "why"),
        claim=(
            "To predict the next word, a language model must learn grammar, meaning and common sense.",
            "要预测下一个词，语言模型就必须学会语法、语义和常识。",
        ),
        quoted=(
            "S0",
            (
                "The task is simple, but who wants to do it well must come to know grammar, meaning and the world.",
                "任务虽然简单，要做好却非得懂语法、懂语义、懂常识不可。",
            ),
        ),
        paper=(
            "Not tested in ULMFiT's paper. Peters et al. (2018b) read syntax and coreference out of biLMs; of common sense they say nothing.",
            "ULMFiT 的论文没有检验。Peters 等（2018b）从 biLM 里读出了句法和指代；常识没有涉及。",
        ),
        why=(
            "Two right sentences against the same two with one word exchanged, so "
            "that frequent words gain nothing: the share of right pairs minus one "
            "half, which is chance. The two models that ship with the course (5.8 "
            "million parameters; 43 and 21 million words read, repetitions included) were pre-trained once "
            "each, and the common sense is 41 pairs in either language; the seeds say "
            "nothing about other pairs or models. What would help the prediction is "
            "not always what so small a model learns.",
            "两句对的，同互换了一个词的两句比，常见词因此占不到便宜；量的是答对的比例减去一半，"
            "一半就是随机水平。用的是随课程提供的两个模型（各 580 万参数，英文读过 4300 万词，"
            "中文 2100 万，含重复），各只预训练过一次；常识题两种语言都只有 41 题。"
            "换一批题、换一个模型会怎样，这些种子说明不了。对预测有帮助的东西，这么小的模型未必学得到。",
        ),
        experiments=("minimal_pairs",),
        effects=above_chance,
        hypothesis=Hypothesis(5, CONVENTION, every=True),
        effect=("right pairs above chance, points", "答对的比例高出随机水平（百分点）"),
        names=PAIRS,
    ),
    Card(
        key="sampled-softmax-scores",
        lesson=LESSON,
        as_told="false",
        systems=("language model",),
        claim=(
            "A model that was trained with a sampled softmax may be scored with it, too.",
            "用抽样 softmax 训练的模型，打分时也可以用它。",
        ),
        source=("a common mistake", "常见的错误"),
        paper=(
            "Nobody's claim; AWD-LSTM has the full softmax. Sampling is this course's short cut in training.",
            "没有论文这么说；AWD-LSTM 用的是完整的 softmax。抽样是本课程训练时抄的近路。",
        ),
        why=(
            "The sum is right on average. The loss has its logarithm, and the mean of a logarithm lies below the logarithm of the mean: "
            "the fewer words in the sample, the better a model seems. (Scores drawn from a normal distribution.)",
            "和平均起来是对的；可是损失用的是它的对数，而对数的平均低于平均的对数：抽的词越少，模型看起来越好。（分数取自正态分布。）",
        ),
        facts=sampled,
    ),
)
