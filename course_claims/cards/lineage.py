"""Lesson 15: from CBOW to the masked language model."""

from __future__ import annotations

from collections.abc import Callable

from course_lib.analysis.statistics import Interval

from .. import ledger, rules
from ..claim_card import Card, Pick, Rows, Text
from ..experiments import lineage
from ..outcome import Hypothesis
from ..rules import only

LESSON = "15_lineage"
READERS = {
    "unigram": ("unigram", "一元模型"),
    "CBOW": ("CBOW", "CBOW"),
    "forward LM": ("forward LM", "前向语言模型"),
    "backward LM": ("backward LM", "后向语言模型"),
    "biLM product": ("biLM product", "biLM 乘积"),
    "context2vec": ("context2vec", "context2vec"),
    "masked LM": ("masked LM", "掩码语言模型"),
    "linear probe": ("linear probe on both states", "两侧状态上的线性探针"),
    "MLP probe": ("small network on both states", "两侧状态上的小网络"),
}
TEXTS = {
    "brown": ("Brown", "Brown（英文）"),
    "msra": ("MSRA (zh)", "MSRA（中文）"),
    "rivertown-en": ("Rivertown (en)", "河湾镇（英文）"),
}
SIDES = {
    "cue left": ("cue on the left", "线索在左"),
    "cue right": ("cue on the right", "线索在右"),
}
STEPS = {
    f"{text}, {above}": (
        f"{en}: {READERS[below][0]} → {READERS[above][0]}",
        f"{zh}：{READERS[below][1]} → {READERS[above][1]}",
    )
    for text, (en, zh) in TEXTS.items()
    for below, above in zip(lineage.RUNGS, lineage.RUNGS[1:], strict=False)
}
PLACES = READERS | SIDES
PLACES |= {
    "CBOW minus masked LM": ("CBOW minus masked LM", "CBOW 减去掩码语言模型"),
    "biLM product minus masked LM": (
        "biLM product minus masked LM",
        "biLM 乘积减去掩码语言模型",
    ),
}
CHANCE = 0.5
ABOVE: Text = ("accuracy above chance (50), points", "准确率比随机水平（50%）高出的百分点")
NATS: Text = ("log perplexity falls by, nats", "对数困惑度下降（奈特）")


def above_chance(*names: str) -> Callable[[Rows], dict[str, Interval]]:
    """Return a function: how far above chance readers are in the XOR world."""

    def effects(rows: Rows) -> dict[str, Interval]:
        of = ledger.over_seeds(rows, "accuracy")
        return {
            name: Interval(*(value - CHANCE for value in of[name, "xor"]))
            for name in names
        }

    return effects


def minus_masked(name: str, *shown: str) -> Callable[[Rows], dict[str, Interval]]:
    """Return a function: a reader minus the masked LM; readers above chance."""

    def effects(rows: Rows) -> dict[str, Interval]:
        both = rules.gain_in(rows, "accuracy", name, "masked LM", "xor")
        return above_chance(*shown)(rows) | {f"{name} minus masked LM": both}

    return effects


def masked_over_probes(rows: Rows) -> dict[str, Interval]:
    """Return by how much the masked LM is above what is read from both states."""
    return {
        name: rules.gain_in(rows, "accuracy", "masked LM", name, "xor")
        for name in ("linear probe", "MLP probe")
    }


def lost_by_one_side(rows: Rows) -> dict[str, Interval]:
    """Return what a masked LM is above the one-directional one that sees no cue."""
    blind = {"cue left": "backward LM", "cue right": "forward LM"}
    return {
        side: rules.gain_in(rows, "accuracy", "masked LM", name, side)
        for side, name in blind.items()
    }


def rung_by_rung(rows: Rows) -> dict[str, Interval]:
    """Return what each step of the ladder gains, in each text."""
    return {", ".join(place): gain for place, gain in lineage.steps(rows).items()}


def shuffled(rows: Rows) -> dict[str, Interval]:
    """Return what the masked LM loses when the words around are shuffled."""
    return dict(lineage.disturbed(rows, "masked LM"))


def tried_before(t: Pick) -> Rows:
    """List what was public when on Transformers that read both ways."""
    lines = (
        (t("June 2017", "2017 年 6 月"), t("the Transformer, for translation", "Transformer，用于翻译")),
        (t("February 2018", "2018 年 2 月"), t("ELMo: a biLM of LSTMs", "ELMo：LSTM 的 biLM")),
        (t("August 2018", "2018 年 8 月"), t("Peters et al.: biLMs of LSTMs, of convolutions and of Transformers, compared", "Peters 等：LSTM、卷积、Transformer 三种 biLM 的比较")),
        (t("October 2018", "2018 年 10 月"), "BERT"),
    )  # fmt: skip
    return [{t("when", "时间"): when, t("what", "事件"): what} for when, what in lines]


ARTICLE: Text = ("a popular article", "一篇流行文章")
TAKEN_FURTHER: Text = (
    "a popular article's remark, taken further",
    "把一篇流行文章的话再推一步",
)
CARDS = (
    Card(
        key="masked-lm-is-cbow",
        lesson=LESSON,
        as_told="false",
        systems=("MLM", "CBOW", "lineage"),
        claim=(
            "BERT's masked language model is CBOW over again: it can do no more.",
            "BERT 的掩码语言模型就是 CBOW 的翻版：它做不到更多。",
        ),
        source=TAKEN_FURTHER,
        quoted=(
            "S3",
            (
                "Take the word out and predict it from what stands before and after: in essence that is CBOW, with improved details.",
                "把要预测的词抠掉，用上文和下文来猜：本质上就是 CBOW，只在细节上有改进。",
            ),
        ),
        paper=(
            "BERT's authors name the cloze task (Taylor 1953) as what it is. No paper put both on one ladder.",
            "BERT 的作者说它就是完形填空（Taylor，1953）。没有论文把两者放在同一架梯子上。",
        ),
        why=(
            "CBOW minus the masked model, in a made-up world where a word follows from two cues by exclusive or. A bag adds up its words, and a sum can be right in three of four cells at most. The question is the same; the claim is about more than the question. No paper's task is like this one.",
            "CBOW 减去掩码模型，在一个造出来的世界里：词由两个线索的异或决定。一袋词只会相加，而加法在四格里最多对三格。问题确实是同一个；但这个说法说的不只是问题。没有哪篇论文的任务是这样的。",
        ),
        experiments=("xor_world",),
        effects=minus_masked("CBOW", "CBOW", "masked LM"),
        hypothesis=Hypothesis(
            5,
            (
                "our convention: a fifth of the 25 points that even the best sum must miss",
                "本课的约定：再好的加法也要丢 25 个点，取其五分之一",
            ),
            claimed=only("CBOW minus masked LM"),
            alike=True,
        ),
        effect=ABOVE,
        names=PLACES,
    ),
    Card(
        key="masked-lm-is-cbow-on-little-text",
        lesson=LESSON,
        systems=("MLM", "CBOW"),
        claim=(
            "Trained on little text, a masked language model is CBOW over again: it does not use the order of words.",
            "只读一点点文本的掩码语言模型，就是 CBOW 的翻版：它不用语序。",
        ),
        source=("this lesson, section 5", "本课第 5 节"),
        paper=(
            "As far as we know, never measured at this size.",
            "据我们所知，没有人在这么小的规模上测过。",
        ),
        why=(
            "By how much the loss rises when the words around the gap are shuffled; CBOW's does not rise at all. One masked Transformer a text and seed, 80,000 words read often. What a model can do, and what it has learned to do, are two questions.",
            "打乱空缺周围的词，损失升高多少；CBOW 的一点也不升。每份文本、每个种子训练一个掩码 Transformer，八万词反复读。能做到什么、学会了什么，是两个问题。",
        ),
        experiments=("cloze_ladder",),
        effects=shuffled,
        hypothesis=Hypothesis(
            0.01,
            ("a hundredth of a nat: our convention", "0.01 奈特，本课的约定"),
            alike=True,
        ),
        effect=("log perplexity rises by, nats", "对数困惑度上升（奈特）"),
        scale=1.0,
        digits=3,
        names=TEXTS,
    ),
    Card(
        key="each-rung-is-better",
        lesson=LESSON,
        as_told="imprecise",
        systems=("lineage", "CBOW", "context2vec", "biLM", "MLM"),
        claim=(
            "From CBOW to context2vec, biLM and masked LM, each step sees more and predicts better.",
            "从 CBOW 到 context2vec、biLM、掩码模型，每一步看得更多，也就猜得更准。",
        ),
        source=("the usual story", "通常的讲法"),
        paper=(
            "As far as we know, never measured on the same gaps and the same text.",
            "据我们所知，从没有在同样的空缺、同样的文本上测过。",
        ),
        why=(
            "Loss of the lower rung minus that of the upper one, on the same gaps, after equally many questions: 80,000 words of Brown or of MSRA, small networks. With so little text this is a statement about small texts.",
            "低一级的损失减去高一级的，空缺相同，回答的问题一样多：Brown 或 MSRA 八万词，网络都很小。文本这么少，结论也只管小文本。",
        ),
        experiments=("cloze_ladder",),
        effects=rung_by_rung,
        hypothesis=Hypothesis(
            0.05, ("0.05 nats: our convention", "0.05 奈特，本课的约定"), every=True
        ),
        effect=NATS,
        scale=1.0,
        digits=2,
        names=STEPS,
    ),
    Card(
        key="two-sides-together",
        lesson=LESSON,
        as_told="false",
        systems=("biLM", "MLM", "lineage"),
        claim=(
            "A left-to-right and a right-to-left model together are as good as one that sees both sides.",
            "一个从左到右、一个从右到左，合起来就和同时看两侧的模型一样好。",
        ),
        source=TAKEN_FURTHER,
        quoted=(
            "S3",
            (
                "A bidirectional Transformer is easily had, one would think: replace ELMo's two LSTMs by two Transformers, one for each direction.",
                "要让 Transformer 双向，直观的办法是把 ELMo 的两个 LSTM 换成两个 Transformer，一个管正向，一个管反向。",
            ),
        ),
        paper=(
            "BERT's paper argues that it is strictly less powerful, without an experiment; its LTR model with a BiLSTM on top had "
            "84.9 F1 on SQuAD dev, BERT without NSP 87.9.",
            "BERT 的论文论证说，这样严格弱于双向模型，但没有做实验；LTR 模型加 BiLSTM 在 SQuAD 开发集上 F1 是 84.9，没有 NSP 的 BERT 是 87.9。",
        ),
        why=(
            "The product of both one-sided models minus the masked model, in a made-up world where a word follows from two cues by exclusive or: each side alone knows nothing, whatever the size. Where one side decides, the product is as good.",
            "两个单侧模型的乘积减去掩码模型，在一个造出来的世界里：词由两个线索的异或决定，单看一侧，模型再大也什么都不知道。在一侧说了算的世界里，乘积一样好。",
        ),
        experiments=("xor_world",),
        effects=minus_masked(
            "biLM product",
            "forward LM",
            "backward LM",
            "biLM product",
            "context2vec",
            "masked LM",
        ),
        hypothesis=Hypothesis(
            1.5,
            ("half of the paper's 3.0 on SQuAD", "论文在 SQuAD 上相差 3.0，取其一半"),
            claimed=only("biLM product minus masked LM"),
            alike=True,
        ),
        effect=ABOVE,
        names=PLACES,
    ),
    Card(
        key="concatenation-loses",
        lesson=LESSON,
        as_told="right",
        systems=("biLM", "ELMo", "BERT"),
        claim=(
            "Two one-sided vectors, concatenated, tell less of what both sides mean together than a model that sees both.",
            "两个单侧的向量拼接起来，两侧合起来是什么意思，说得不如同时看两侧的模型清楚。",
        ),
        source=("Devlin et al. 2018, section 5.1", "Devlin 等（2018），5.1 节"),
        quoted=(
            "S3",
            (
                "Joining two directions may well fuse features less than BERT does; that is only a suspicion, no experiment has shown it. (S0 says it as a fact.)",
                "双向拼接，融合特征的能力可能不如 BERT；这只是推测，没有实验证明。（S0 则当作事实来说。）",
            ),
        ),
        paper=(
            "An argument: “strictly less powerful”, because the layers below do not see both sides. The LTR model with a BiLSTM on top had "
            "84.9 F1 on SQuAD dev, BERT without NSP 87.9.",
            "主要是论证：“严格弱于”双向模型，因为下面各层看不到两侧。LTR 模型加 BiLSTM 在 SQuAD 开发集上 F1 是 84.9，没有 NSP 的 BERT 是 87.9。",
        ),
        why=(
            "The masked model minus readers of both one-sided states, frozen and side by side, in the made-up world of exclusive or. A linear reader cannot make one; a small network can, and counts: it is above chance, so much is lost and not all. The one-sided models were never asked for both cues together; the paper argues about the architecture.",
            "掩码模型减去读取器，读取器读的是两侧冻结、拼接的状态；世界是造出来的，词由异或决定。线性的读取器做不出异或；小网络做得出，算数的是它：它高于随机水平，所以丢了许多，没有全丢。两个单侧模型从没被要求把两个线索合起来；论文论证的是结构。",
        ),
        experiments=("xor_world",),
        effects=masked_over_probes,
        hypothesis=Hypothesis(
            1.5,
            ("half of the paper's 3.0 on SQuAD", "论文在 SQuAD 上相差 3.0，取其一半"),
            claimed=only("MLP probe"),
        ),
        effect=("masked LM above, points", "掩码模型高（百分点）"),
        names=PLACES,
    ),
    Card(
        key="causal-loses",
        lesson=LESSON,
        as_told="right",
        systems=("GPT", "MLM", "language model"),
        claim=(
            "A one-directional model loses where what follows decides.",
            "后文说了算的时候，单向模型就输了。",
        ),
        source=ARTICLE,
        quoted=(
            "S3",
            (
                "GPT leaves out what follows the word; in reading comprehension, where both sides are there, it throws much away.",
                "GPT 不看下文，像阅读理解这种上下文都能看的任务，就白白丢掉了很多信息。",
            ),
        ),
        paper=(
            "BERT's ablation, No NSP → left-to-right: MNLI 83.9 → 82.1, SST-2 92.6 → 92.1, SQuAD 87.9 → 77.8 (dev).",
            "BERT 的消融，由“去掉 NSP”再到“从左到右”：MNLI 83.9 → 82.1，SST-2 92.6 → 92.1，SQuAD 87.9 → 77.8（开发集）。",
        ),
        why=(
            "The masked model minus the one-sided model that cannot see the cue, in two made-up worlds where it is certain which side decides. How often real text is like that, they do not say; BERT's ablation has it for tasks.",
            "掩码模型减去看不到线索的单侧模型，在两个造出来的世界里，哪一侧说了算是确定的。真实文本里这种情形有多少，它们没有说；任务上的数字，见 BERT 的消融。",
        ),
        experiments=("cue_worlds",),
        effects=lost_by_one_side,
        hypothesis=Hypothesis(
            5, ("half of the paper's 10.1 on SQuAD", "论文在 SQuAD 上的 10.1 的一半")
        ),
        effect=(
            "masked LM minus the side without the cue, points",
            "掩码模型比看不到线索的一侧高（百分点）",
        ),
        names=PLACES,
    ),
    Card(
        key="transformer-elmo",
        lesson=LESSON,
        as_told="opinion",
        systems=("ELMo", "Transformer", "BERT"),
        claim=(
            "Had ELMo used a Transformer, BERT would have made far less of a stir.",
            "假如 ELMo 用的是 Transformer，BERT 就不会这么轰动了。",
        ),
        source=ARTICLE,
        quoted=(
            "S3",
            (
                "With the Transformer as ELMo's extractor, and with two directions in GPT, there would have been little left for BERT.",
                "ELMo 要是换上 Transformer，GPT 要是改成双向，就没 BERT 多少事了。",
            ),
        ),
        paper=(
            "The first half is history: in August 2018, before BERT, ELMo's authors compared biLMs of LSTMs, convolutions and Transformers. All gave good vectors, at different "
            "speed and accuracy.",
            "前一半已是历史：2018 年 8 月，BERT 之前，ELMo 的作者就比较过 LSTM、卷积、Transformer 三种 biLM。三种的向量都不错，差别在速度和准确率的取舍。",
        ),
        why=(
            "What would have happened cannot be measured. The dates can be looked up.",
            "假如怎样就会怎样，没法测量；日期倒是查得到。",
        ),
        facts=tried_before,
    ),
    Card(
        key="nothing-new-in-bert",
        lesson=LESSON,
        as_told="opinion",
        systems=("BERT", "lineage"),
        claim=(
            "BERT has no great innovation; it gathers what others had found.",
            "BERT 没有多大创新，只是集前人之大成。",
        ),
        source=ARTICLE,
        quoted=(
            "S3",
            (
                "As a model it is nothing special: two stages, a Transformer, CBOW's idea; what counts is that it works so well and serves so many tasks.",
                "从模型上看创新一般：两阶段、Transformer、CBOW 的想法；要紧的是效果好、通用。",
            ),
        ),
        paper=(
            "The authors claim the masked language model and next sentence prediction, and show by ablation what each brings.",
            "作者认为自己的新东西是掩码语言模型和下一句预测，并用消融说明各有多大作用。",
        ),
        why=(
            "How new is new enough? A matter of taste. What can be tested are the parts of the sentence: see the cards on CBOW, on two directions, on NSP.",
            "多新才算新？各有看法。能检验的是句子里的成分：见 CBOW、双向、下一句预测的卡片。",
        ),
    ),
)
