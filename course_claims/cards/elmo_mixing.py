"""Lesson 07: ELMo's layers, mixed and plugged in."""

from __future__ import annotations

import functools
import itertools
import math

import torch

from course_lib.analysis.statistics import Interval, relative_error_reduction
from course_lib.models.elmo import ScalarMix

from .. import ledger, rules
from ..card_page import signed
from ..claim_card import Card, Pick, Rows
from ..experiments import gamma, mixing
from ..experiments.shipped import encoder
from ..outcome import Hypothesis
from ..rules import above_chance, over
from .start_here import TABLE_1, reductions

LESSON = "07_elmo_mixing"
TITLES = {
    "conll2000": ("chunks, CoNLL-2000", "英文组块 CoNLL-2000"),
    "sentence_polarity": ("film reviews", "英文影评褒贬"),
    "rte": ("entailment, RTE", "英文文本蕴含 RTE"),
    "msra": ("entities, MSRA (zh)", "实体，MSRA"),
    "waimai": ("food delivery (zh)", "外卖评论褒贬"),
    "rivertown-zh-questions": ("questions, Rivertown (zh)", "问答，河湾镇"),
}
MIXED = ("elmo_mixing", "elmo_mixing_zh")
WEIGHTED = ("elmo_weights", "elmo_weights_zh")
KINDS = {
    "λ = 0.001": ("as they are", "原样"),
    "layer norm": ("with layer norm", "层归一化"),
}


def six_tasks(t: Pick) -> Rows:
    """Show the paper's six gains, the smallest relative error reduction first."""
    heads = t(("task", "points", "errors gone"), ("任务", "点数", "错误减少"))
    reduced = reductions()
    return [
        dict(
            zip(
                heads,
                (
                    task,
                    f"{TABLE_1[task][2] - TABLE_1[task][1]:+.1f}",
                    f"{reduced[task]:.1%}",
                ),
                strict=True,
            )
        )
        for task in sorted(reduced, key=reduced.get)
    ]


def a_quarter(t: Pick) -> Rows:
    """Express the gain on SQuAD in three ways, and against the best system before."""
    best, own, new = TABLE_1["SQuAD"]
    heads = t(("SQuAD, F1", ""), ("SQuAD，F1", ""))
    of_best = relative_error_reduction(best, new, best=100)
    lines = (
        (t("points", "点数"), f"{new - own:+.1f}"),
        (t("of the score", "占原来分数的"), f"{(new - own) / own:.1%}"),
        (
            t("of the own baseline's errors", "占自己基线的错误的"),
            f"{reductions()['SQuAD']:.1%}",
        ),
        (
            t("of the errors of the best before", "占此前最好系统的错误的"),
            f"{of_best:.1%}",
        ),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


def beyond_half(rows: Rows) -> dict[str, Interval]:
    """Return the last layer's gain minus half of the mix's, by task."""
    return {
        task: mixing.beyond_half(rows, task) for task in rules.conditions(rows, "score")
    }


def placed(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return by how much both places beat one, by task."""
    return {
        (task, one): rules.gain_in(rows, "score", "both", one, task)
        for task in rules.conditions(rows, "score")
        for one in ("input", "output")
    }


def by_task(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return how much higher a task's mean layer is than the tagging task's."""
    found = mixing.weights_of_both(rows)
    return {(task, way): higher for (way, task), higher in found.items()}


def in_the_sum(t: Pick) -> Rows:
    """Ask the gradient how much of each layer is in the mix, and compare with s."""
    mix = ScalarMix(3)
    mix.w.data = torch.tensor([0.0, 1.1, 0.4])
    layers = torch.randn(3, 1, 1, 2, requires_grad=True)
    mix(layers)[0, 0, 0].backward()
    heads = t(
        ("layer", "its share s", "gradient of the mix"),
        ("层", "份额 s", "混合对它的梯度"),
    )
    return [
        dict(
            zip(
                heads,
                (k, f"{mix.weights[k]:.2f}", f"{layers.grad[k, 0, 0, 0]:.2f}"),
                strict=True,
            )
        )
        for k in range(3)
    ]


def tuned_on_snli(t: Pick) -> Rows:
    """Work out what tuning on SNLI's text was worth a word."""
    before, after = 72.1, 16.8
    heads = t(
        ("SNLI, perplexity as shipped", "tuned for one epoch", "nats a word"),
        ("SNLI，原样的困惑度", "适应一轮之后", "每词（奈特）"),
    )
    cells = (before, after, f"{math.log(after / before):+.2f}")
    return [dict(zip(heads, cells, strict=True))]


@functools.cache
def size() -> int:
    """Count the parameters of the course's biLM."""
    return sum(p.numel() for p in encoder("en").model.parameters())


def work(t: Pick, epochs: int = 10) -> Rows:
    """Count what a task trains, and how often the biLM reads its text."""
    heads = t(
        (
            "the biLM is",
            "parameters that it adds to training",
            f"readings in {epochs} epochs",
        ),
        ("双向语言模型", "训练时多出的参数", f"{epochs} 轮里读几遍文本"),
    )
    lines = (
        (t("frozen", "冻结"), 4, 1),
        (t("trained, too", "跟着训练"), f"{size() + 4:,}", epochs),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


def sharing(rows: Rows, t: Pick) -> Rows:
    """Show perplexities and sizes of both kinds, and what sharing costs."""
    ppl, sizes = (ledger.over_seeds(rows, m) for m in ("perplexity", "parameters"))
    heads = t(
        ("model", "forward", "backward", "parameters"),
        ("模型", "前向困惑度", "后向困惑度", "参数"),
    )
    titles = {"tied": t("shared", "共享"), "independent": t("independent", "独立")}
    lines = [
        (
            title,
            *(f"{ppl[kind, way].estimate:.1f}" for way in ("forward", "backward")),
            f"{sizes[kind, 'both'].estimate:,.0f}",
        )
        for kind, title in titles.items()
    ]
    cost = [
        signed(Interval(*(100 * x for x in gap)))
        for gap in mixing.cost_of_tying(rows).values()
    ]
    lines.append(
        (t("cost of sharing, 0.01 nats", "共享的代价（0.01 奈特）"), *cost, "")
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


CARDS = (
    Card(
        key="snli-most-impressive",
        lesson=LESSON,
        as_told="false",
        systems=("ELMo",),
        claim=(
            "ELMo's gain on SNLI is the most impressive of the six.",
            "六个任务里，ELMo 在 SNLI 上的提升最惊人。",
        ),
        quoted=(
            "S0",
            (
                "From 88.0 to 88.7 per cent on entailment is called the most impressive gain: it shows a "
                "grasp of deep meaning.",
                "把文本蕴含从 88.0% 到 88.7% 称作最出彩的提升，认为模型由此懂得了深层语义。",
            ),
        ),
        paper=(
            "Table 1: baseline and baseline with ELMo on six tasks; SNLI 88.0 and 88.7 ± 0.17.",
            "表 1：六个任务上的基线和基线加 ELMo；SNLI 是 88.0 和 88.7 ± 0.17。",
        ),
        why=(
            "By the paper's own numbers it is the smallest, in points and in relative error.",
            "按论文自己的数字，它恰恰最小，论点数、论相对错误率都是。",
        ),
        facts=six_tasks,
    ),
    Card(
        key="up-to-25-percent",
        lesson=LESSON,
        as_told="imprecise",
        systems=("ELMo",),
        claim=("ELMo raises results by up to 25 %.", "ELMo 把成绩最多提高了 25%。"),
        quoted=(
            "S3",
            (
                "Six tasks gain by different amounts, the most by about 25 per cent; of what, is not said.",
                "说 6 个任务都有提升，最高达到 25% 左右，没说是什么的 25%。",
            ),
        ),
        paper=(
            "SQuAD: 81.1 to 85.8 F1; table 1 gives it as a relative error reduction of 24.9 %.",
            "SQuAD：F1 从 81.1 到 85.8；表 1 写明是相对错误率下降 24.9%。",
        ),
        why=(
            "25 % is the share of errors that went away, on the best of six tasks, against a baseline of "
            "the authors' own. The score rose by 4.7 points.",
            "25% 是错误减少的比例，取自六个任务里最好的一个，比的还是作者自己的基线。分数涨的是 4.7 个点。",
        ),
        facts=a_quarter,
    ),
    Card(
        key="last-layer-gives-most",
        lesson=LESSON,
        as_told="right",
        systems=("ScalarMix", "ELMo"),
        claim=(
            "The last layer alone gives most of ELMo's gain.",
            "只用最后一层，就有 ELMo 的大部分提升。",
        ),
        source=("Peters et al. 2018, table 2", "Peters 等（2018）表 2"),
        quoted=(
            "S0",
            (
                "The opposite is told: whoever takes the last layer only may miss much that is valuable.",
                "文中说的正相反：只取最后一层，会漏掉不少有价值的东西。",
            ),
        ),
        paper=(
            "Table 2, baseline / last layer / all, λ = 1 / all, λ = 0.001: SQuAD 80.8 / 84.7 / 85.0 / 85.2; "
            "SNLI 88.1 / 89.1 / 89.3 / 89.5; SRL 81.6 / 84.1 / 84.6 / 84.8.",
            "表 2，基线 / 最后一层 / 所有层 λ = 1 / 所有层 λ = 0.001：SQuAD 80.8 / 84.7 / 85.0 / 85.2；SNLI 88.1 / 89.1 "
            "/ 89.3 / 89.5；SRL 81.6 / 84.1 / 84.6 / 84.8。",
        ),
        why=(
            "Above 0 the last layer alone has more than half of the learned mix's gain over no ELMo. Only tasks count in which the "
            "mix helps significantly. A small tagger or classifier on 500 labels, and a biLM whose text has 22 million words (Chinese: 19) "
            "and not 800; the paper has full training sets.",
            "大于 0，说明单用最后一层就拿到了学习混合的提升（比不用 ELMo）的一半以上。只有混合显著有用的任务才计入。我们用 500 条标注训练小模型，"
            "双向语言模型的语料有 2200 万词（中文 1900 万）；论文用全部训练数据，模型读过约 8 亿词。",
        ),
        experiments=MIXED,
        effects=beyond_half,
        hypothesis=Hypothesis(
            0.15,
            ("half of the 0.3 of SNLI, table 2", "表 2 里 SNLI 的 0.3 的一半"),
            learned=over("score", ["learned mix"], "baseline"),
        ),
        effect=(
            "last layer's gain minus half of the mix's, points",
            "最后一层的提升减去混合的一半（百分点）",
        ),
        names=TITLES,
    ),
    Card(
        key="all-layers-better",
        lesson=LESSON,
        as_told="imprecise",
        systems=("ScalarMix", "layers"),
        claim=(
            "All layers, weighted, are clearly better than the top layer alone.",
            "各层加权组合，明显超过只用顶层。",
        ),
        quoted=(
            "S1",
            (
                "A weighting learned for each task also improves the result and clearly passes that of "
                "the top LSTM layer alone.",
                "说按任务学出来的加权，比只取顶层 LSTM 好得多。",
            ),
        ),
        paper=(
            "Table 2, all layers (λ = 0.001) minus the last: SQuAD +0.5, SNLI +0.4, SRL +0.7.",
            "表 2，所有层（λ = 0.001）减去最后一层：SQuAD +0.5，SNLI +0.4，SRL +0.7。",
        ),
        why=(
            "The learned mix beside the top layer alone, on six tasks with 500 labels each. In the paper the step is small beside "
            "what ELMo brings at all. In chunks, where one of that size would be found, the mix is 0.4 points behind, in food delivery 1.3; in the other "
            "tasks, with so few labels and test examples, it would hardly be found.",
            "拿学习混合和只用顶层比，六个任务，各 500 条标注。在论文里，和 ELMo 的总提升比，这一步不大。组块上，这么大的一步查得出来，结果学习混合反而低 0.4 个点，外卖评论低 1.3 个点；别的任务标注和测试例子都少，多半查不出来。",
        ),
        experiments=MIXED,
        effects=functools.partial(mixing.mix_gains, rival="top layer"),
        hypothesis=Hypothesis(
            0.2,
            ("half of the 0.4 of SNLI, table 2", "表 2 里 SNLI 的 0.4 的一半"),
            learned=above_chance("score", {"rte": 0.5}),
        ),
        effect=("learned mix minus top layer, points", "学习混合减顶层（百分点）"),
        names=TITLES,
    ),
    Card(
        key="weights-must-be-learned",
        lesson=LESSON,
        as_told="imprecise",
        systems=("ScalarMix",),
        claim=(
            "The weights of the layers must be learned for each task.",
            "各层的权重要针对每个任务去学。",
        ),
        quoted=(
            "S0",
            (
                "The weights are learned for every task, so that the model decides itself how much each "
                "layer matters.",
                "说每个任务各学一套权重，各层孰轻孰重由模型自己定。",
            ),
        ),
        paper=(
            "Table 2, λ = 0.001 minus λ = 1, which all but forces the mean: SQuAD +0.2, SNLI +0.2, SRL "
            "+0.2.",
            "表 2，λ = 0.001 减去 λ = 1（后者几乎等于取平均）：SQuAD +0.2，SNLI +0.2，SRL +0.2。",
        ),
        why=(
            "The learned mix beside the mean of the layers (with γ), on six tasks with 500 labels each. The paper's step is small. "
            "In chunks ours is 2.2 points; in the other tasks it cannot be told from 0, though the weights move away from the third "
            "with which each begins (of food delivery to .18, .24 and .58).",
            "拿学习混合和各层平均（也乘 γ）比，六个任务，各 500 条标注。论文里这一步很小。我们在组块上是 2.2 个点；别的任务与 0 分不出，虽然权重已经离开了各三分之一的起点（外卖评论走到 0.18、0.24、0.58）。",
        ),
        experiments=MIXED,
        effects=functools.partial(mixing.mix_gains, rival="uniform mix"),
        hypothesis=Hypothesis(
            0.1,
            ("half of the 0.2 of table 2", "表 2 的 0.2 的一半"),
            learned=above_chance("score", {"rte": 0.5}),
        ),
        effect=("learned mix minus mean, points", "学习混合减平均（百分点）"),
        names=TITLES,
    ),
    Card(
        key="layer-weights-by-task",
        lesson=LESSON,
        as_told="false",
        systems=("ScalarMix", "layers"),
        claim=(
            "The learned weights show it: syntactic tasks take the lower layers, semantic tasks the higher.",
            "学到的权重表明：句法任务用低层，语义任务用高层。",
        ),
        quoted=(
            "S0",
            (
                "Experiments are said to show that tasks learn different weights, syntactic ones for the "
                "bottom, semantic ones for the top.",
                "说实验里看得到：句法任务学出的权重偏向低层，语义任务的偏向高层。",
            ),
        ),
        paper=(
            "Figure 2: at the input all tasks favour the first LSTM layer. The finding about "
            "part-of-speech (97.3 at layer 1, 96.8 at layer 2) and word senses (67.4, 69.0) is one of "
            "probes, not of weights.",
            "图 2：接在输入端时，所有任务都偏爱第一层 LSTM。词性（第 1 层 97.3，第 2 层 96.8）和词义（67.4，69.0）的"
            "结论来自探针，不是来自权重。",
        ),
        why=(
            "The mean layer, Σ j·s_j, of a sentence task minus that of the tagging task of the same language, 500 labels each; with layer norm "
            "shares can be compared, as they are they depend on the layers' lengths, too. RTE, which is at chance, does not count. "
            "Three sentence tasks beside one tagging task a language are little to say “all tasks” from.",
            "平均层位是 Σ j·s_j；拿句子任务的减去同一种语言里标注任务的，各 500 条标注。做了层归一化，份额才好互相比；原样的份额还受各层长短左右。"
            "RTE 在随机水平上，不计入。算下来只有三个句子任务，一种语言也只有一个标注任务，推不到“所有任务”。",
        ),
        experiments=WEIGHTED,
        effects=by_task,
        hypothesis=Hypothesis(
            0.1,
            ("a tenth of a layer: our convention", "十分之一层，本课的约定"),
            learned=above_chance("score", {"rte": 0.5}),
        ),
        effect=("mean layer, difference", "平均层位之差"),
        scale=1.0,
        digits=2,
        names={
            (task, way): (
                f"{TITLES[task][0]}, {kind[0]}",
                f"{TITLES[task][1]}，{kind[1]}",
            )
            for (way, kind), task in itertools.product(KINDS.items(), TITLES)
        },
    ),
    Card(
        key="layer-0-outside",
        lesson=LESSON,
        as_told="false",
        systems=("ScalarMix", "char-CNN"),
        claim=(
            "The LSTM layers are weighted and added; the token vector joins the task beside their sum.",
            "加权求和的是各层 LSTM，词层的向量另外和它一起输入任务。",
        ),
        quoted=(
            "S1",
            (
                "The outputs of the LSTM layers, weighted, make the green vector, which goes into the task "
                "together with the yellow one below.",
                "说各层 LSTM 加权得到图中绿色的向量，底下黄色的词向量再和它一同送进任务。",
            ),
        ),
        paper=(
            "Equation 1: the sum runs from j = 0, the token layer, to L. What stands beside the mix is the "
            "task's own word vector.",
            "式 1：求和从 j = 0 开始，第 0 层就是词层，一直到 L。和混合摆在一起的，是任务自己的词向量。",
        ),
        why=(
            "The token layer has its share like the others: ask the gradient.",
            "词层和别的层一样占一份，问梯度就知道。",
        ),
        facts=in_the_sum,
    ),
    Card(
        key="gamma",
        lesson=LESSON,
        as_told="right",
        systems=("ScalarMix",),
        claim=("γ matters: it helps the optimisation.", "γ 很重要：它有助于优化。"),
        source=("Peters et al. 2018, section 3.2", "Peters 等（2018）3.2 节"),
        paper=(
            "No table. Supplement A.2: it matters most with the last layer alone, which without γ came out "
            "well below the baseline on SNLI; on SRL training failed.",
            "没有给表。附录 A.2：只用最后一层时最要紧，去掉 γ，SNLI 远低于基线，SRL 干脆训练不起来。",
        ),
        why=(
            "γ learned from 1 beside γ fixed at 1, each at the best of three rates chosen on dev, on three tasks with 500 labels; γ lets the "
            "model say nothing more, for the next layer's weights could do the same. Our networks train without γ, too; the paper speaks of "
            "larger ones that did not. What did count here is the length that γ starts with: fixed at 0.2 instead of 1, chunks "
            "lose 1.2 points with the last layer and 1.4 with the learned mix.",
            "γ 从 1 学起，和固定为 1 比；各试三种学习率，在开发集上挑最好的；三个任务，各 500 条标注。γ 不会让模型多表达什么，下一层的权重也能做到同样的事。"
            "我们的网络小，没有 γ 也训练得起来；论文说的是更大的网络，去掉 γ 训练不起来。这里要紧的是 γ 从哪里起步：固定为 0.2 而不是 1，"
            "组块只用最后一层低 1.2 个点，用学习混合低 1.4 个点。",
        ),
        experiments=("gamma",),
        effects=gamma.gamma_gains,
        hypothesis=Hypothesis(
            1,
            (
                "our convention: the paper gives no number",
                "论文没有给数，本课约定",
            ),
        ),
        effect=("γ learned minus γ = 1, points", "学 γ 减 γ = 1（百分点）"),
        names={
            f"{task}: {layers}": (
                f"{TITLES[task][0]}: {layers}",
                f"{TITLES[task][1]}：{zh}",
            )
            for task, (layers, zh) in itertools.product(
                gamma.TASKS, (("top layer", "最后一层"), ("learned mix", "学习混合"))
            )
        },
    ),
    Card(
        key="input-and-output",
        lesson=LESSON,
        as_told="imprecise",
        systems=("placement",),
        claim=(
            "ELMo should be plugged in at the input and at the output.",
            "ELMo 应该输入、输出两处都接。",
        ),
        source=("common advice", "常见的经验之谈"),
        paper=(
            "Table 3, input / both / output: SQuAD 85.1 / 85.6 / 84.8, SNLI 88.9 / 89.5 / 88.7, SRL 84.7 / "
            "84.3 / 80.9.",
            "表 3，输入 / 两处 / 输出：SQuAD 85.1 / 85.6 / 84.8，SNLI 88.9 / 89.5 / 88.7，SRL 84.7 / 84.3 / 80.9。",
        ),
        why=(
            "Both places beside the input alone and beside the output alone, on English tasks with 500 labels; the paper has full training "
            "sets. Its gain at both places is in models with attention above the LSTM, which ours do not have.",
            "拿两处都接，分别和只接输入、只接输出比；英文任务，各 500 条标注，论文用全部训练数据。论文里两处都接有提升的，是 LSTM 上面有注意力的模型，我们的没有。",
        ),
        experiments=("elmo_placement",),
        effects=placed,
        hypothesis=Hypothesis(
            0.25,
            ("half of the 0.5 of SQuAD, table 3", "表 3 里 SQuAD 的 0.5 的一半"),
            learned=above_chance("score", {"rte": 0.5}),
        ),
        effect=("both minus one, points", "两处减一处（百分点）"),
        names={
            (task, one): (
                f"{TITLES[task][0]}: minus {one}",
                f"{TITLES[task][1]}：减{zh}",
            )
            for task, (one, zh) in itertools.product(
                itertools.chain(*mixing.TASKS.values()),
                (("input", "输入"), ("output", "输出")),
            )
        },
    ),
    Card(
        key="freezing-saves",
        lesson=LESSON,
        as_told="right",
        systems=("feature-based", "frozen or tuned"),
        claim=(
            "Freezing the biLM saves a great deal of computing.",
            "冻结双向语言模型，能大大减少计算。",
        ),
        quoted=(
            "S0",
            (
                "Only the weights of the layers and the task's model are trained, which is said to cut "
                "the cost by much.",
                "说下游只学层权重和任务自己的部分，因此省下很多计算。",
            ),
        ),
        paper=(
            "BERT's section 5.3 gives the same reason for features: compute an expensive representation "
            "once, then run many cheap models on it.",
            "BERT 论文 5.3 节也拿这个作使用特征的理由：昂贵的表示只算一次，再在上面跑许多便宜的模型。",
        ),
        why=(
            "Provided that the features are kept: a frozen biLM that is run again in every epoch saves "
            "the backward pass only. And nothing below the mix may be trained.",
            "前提是把特征存下来：冻结了却每轮重算，省下的只有反向传播。而且混合以下的部分一概不能再训练。",
        ),
        facts=work,
    ),
    Card(
        key="frozen-as-it-ships",
        lesson=LESSON,
        as_told="imprecise",
        systems=("domain tuning", "frozen or tuned"),
        claim=(
            "ELMo's biLM is used as it ships, frozen.",
            "ELMo 的双向语言模型拿来就用，参数一直冻结。",
        ),
        quoted=(
            "S0",
            (
                "Its parameters are said to stay fixed while a task is trained; a stage for the domain "
                "is told of ULMFiT alone.",
                "说下游训练时参数保持固定；领域适应那一步，只在讲 ULMFiT 时才提到。",
            ),
        ),
        paper=(
            "In most cases the biLM was first trained further on the task's text, for an epoch, and then "
            "frozen (section 3.4 and the supplement).",
            "多数情况下，先在任务的文本上接着训练一轮，然后才冻结（3.4 节和附录）。",
        ),
        why=(
            "Frozen while the task learns: yes. As it ships: mostly not. ELMo had a second stage, too.",
            "任务训练时冻结，这没错；“拿来就用”多半不对。ELMo 也有第二阶段。",
        ),
        facts=tuned_on_snli,
    ),
    Card(
        key="tuning-helps",
        lesson=LESSON,
        as_told="imprecise",
        systems=("domain tuning",),
        claim=(
            "Tuning the biLM on the task's text helps the task.",
            "在任务的文本上先适应一下，任务的成绩就会提高。",
        ),
        source=("our question to the paper", "对论文的追问"),
        paper=(
            "The perplexity falls on all sets where it was tried; what the task gains depends on the "
            "data set: SNLI 88.9 to 89.5 (dev), sentiment about the same (supplement A.1).",
            "试过的数据集上困惑度都下降；任务能涨多少，因数据集而异：SNLI 开发集 88.9 到 89.5，情感分类大致不变（附录 A.1）。",
        ),
        why=(
            "English chunking with 500 labels; the biLM, 19.6 million parameters, first read 3,000 of the task's sentences without labels, "
            "or did not. Its perplexity fell from 114 to 101; that alone does not promise a better score.",
            "英文组块，500 条标注；1960 万参数的双向语言模型先读或不读任务的 3000 句文本（不用标注）。困惑度从 114 降到 101，但单凭这一点，保证不了成绩。",
        ),
        experiments=("domain_tuning",),
        effects=mixing.tuning_gains,
        hypothesis=Hypothesis(
            0.3,
            (
                "half of the 0.6 of SNLI, supplement A.1",
                "附录 A.1 里 SNLI 的 0.6 的一半",
            ),
        ),
        effect=("F1, tuned minus as it ships, points", "F1，适应后减适应前（百分点）"),
        names={
            "top layer": ("top layer", "顶层"),
            "learned mix": ("learned mix", "学习混合"),
        },
    ),
    Card(
        key="tied-or-independent",
        lesson=LESSON,
        systems=("tying", "biLM"),
        claim=(
            "Sharing the token layer and the softmax between the directions makes a biLM predict worse.",
            "两个方向共享词层和 softmax，预测会变差。",
        ),
        source=(
            "our question to accounts that have them independent",
            "对“完全独立”一说的追问",
        ),
        paper=(
            "The paper ties them and does not compare.",
            "论文采用共享，没有做比较。",
        ),
        why=(
            "One biLM beside two models of one direction each that share nothing, on about 160,000 words: Brown, in Chinese the news of MSRA. "
            "215,000 parameters shared, 317,000 independent; 200 steps, so early in training. It says nothing about a large model trained to the end.",
            "一个双向语言模型，和两个互不相干的单向模型比；约 16 万词，英文用 Brown，中文用 MSRA 新闻。共享的 21.5 万参数，独立的 31.7 万；"
            "只训 200 步，还在早期，推不到训练充分的大模型上。",
        ),
        experiments=("tied_or_independent",),
        shown=sharing,
        effects=mixing.cost_of_tying,
        hypothesis=Hypothesis(
            1,
            (
                "a hundredth of the perplexity: our convention",
                "困惑度的百分之一，本课的约定",
            ),
        ),
        effect=(
            "log perplexity higher when shared, 0.01 nats",
            "共享时对数困惑度高出（0.01 奈特）",
        ),
        names={
            "forward": ("forward", "前向"),
            "backward": ("backward", "后向"),
        },
    ),
)
