"""Lesson 12: two language models in a translator, and in a classifier."""

from __future__ import annotations

from collections.abc import Callable

from course_lib.analysis.statistics import Interval, t_interval

from .. import rules
from ..claim_card import Card, Pick, Rows, Text
from ..experiments import seq2seq
from ..outcome import Hypothesis
from ..rules import Effects, over

LESSON = "12_seq2seq"
PAPER: Text = ("Ramachandran et al. 2017", "Ramachandran 等（2017）")
TASKS = {
    "rivertown": ("Rivertown, English to Chinese", "河湾镇（英译中）"),
    "vowels": ("vowels (English)", "元音（英文）"),
}
SIDES = {
    "source": ("source language", "源语言"),
    "target": ("target language", "目标语言"),
}
LOSSES = {
    "without LM loss": ("no joint loss", "无联合损失"),
    "full": ("joint loss", "有联合损失"),
}
BEGINS = {
    "language model": ("from a language model", "从语言模型开始"),
    "autoencoder": ("from an autoencoder", "从自编码器开始"),
    "language model, joint loss": (
        "from a language model, joint loss",
        "从语言模型开始，联合损失",
    ),
}
PAIRS = {
    f"{task}, {n} pairs": (f"{en}, {n} pairs", f"{zh}，{n} 个句对")
    for task, (en, zh) in TASKS.items()
    for n in (60, *seq2seq.FEW.values())
}
RISES = {
    f"{task}, {side}, {loss}": (f"{en}, {of[0]}, {how[0]}", f"{zh}，{of[1]}，{how[1]}")
    for task, (en, zh) in TASKS.items()
    for side, of in SIDES.items()
    for loss, how in LOSSES.items()
}
HALVES = {
    f"{task}, {side}": (f"{en}, {of[0]}", f"{zh}，{of[1]}")
    for task, (en, zh) in TASKS.items()
    for side, of in SIDES.items()
}
BLEU: Text = ("difference in BLEU", "BLEU 之差")


def difference(new: str, old: str) -> Callable[[Rows], dict[str, Interval]]:
    """Return a function: by how much one row of the ablation is above another."""
    return lambda rows: rules.gains(rows, "BLEU", new, old)


def halved(rows: Rows) -> dict[str, Interval]:
    """Return half of what is forgotten without the joint loss, minus that with it."""
    found = rises(rows)
    return {
        place.removesuffix(", full"): Interval(
            *(
                a / 2 - b
                for a, b in zip(
                    found[place.replace("full", "without LM loss")], of, strict=True
                )
            )
        )
        for place, of in found.items()
        if place.endswith("full")
    }


def learned_from_pairs(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return how far translators are above what needs no network, by task."""
    return {
        (place.partition(", ")[0], f"{place}, {model}"): gain
        for (place, model), gain in over(
            "BLEU", ["full", "no pre-training"], "no network"
        )(rows).items()
    }


def above_bag(*models: str) -> Effects:
    """Return a function: how far classifiers are above TF-IDF; for all that is asked."""
    known = over("accuracy", models, "TF-IDF")
    places = ("language model", "autoencoder", "language model, joint loss")
    return lambda rows: {
        (place, model): gain
        for (_, model), gain in known(rows).items()
        for place in places
    }


def rises(rows: Rows) -> dict[str, Interval]:
    """Return by how much each log perplexity rises, with the joint loss and without."""
    return {
        f"{task}, {side}, {loss}": t_interval(values)
        for loss in LOSSES
        for (task, side), values in seq2seq.risen(rows, loss).items()
    }


def over_random(rows: Rows) -> dict[str, Interval]:
    """Return what each start of Dai and Le's gains over no pre-training."""
    ways = tuple(BEGINS)[:2]
    return {w: seq2seq.accuracy_gain(rows, w, "no pre-training") for w in ways}


def over_start(rows: Rows) -> dict[str, Interval]:
    """Return what the joint loss gains over the language model's start alone."""
    way = "language model, joint loss"
    return {way: seq2seq.accuracy_gain(rows, way, "language model")}


def rouge(t: Pick) -> Rows:
    """Subtract the paper's numbers: translation, and summaries."""
    lines = (
        (t("translation, newstest2014, BLEU, one model", "翻译，newstest2014，BLEU，单模型"), "24.0 − 22.7", 24.0 - 22.7),
        (t("translation, newstest2015, BLEU, one model", "翻译，newstest2015，BLEU，单模型"), "27.0 − 25.7", 27.0 - 25.7),
        (t("summaries, ROUGE-1", "摘要，ROUGE-1"), "32.56 − 32.49", 32.56 - 32.49),
        (t("summaries, ROUGE-2", "摘要，ROUGE-2"), "11.89 − 11.84", 11.89 - 11.84),
        (t("summaries, ROUGE-L", "摘要，ROUGE-L"), "29.44 − 29.47", 29.44 - 29.47),
        (t("summaries, ROUGE-1, over temporal attention", "摘要，ROUGE-1，比时间注意力"), "32.56 − 35.46", 32.56 - 35.46),
    )  # fmt: skip
    heads = t(
        ("the paper's numbers", "pre-trained minus rival", "difference"),
        ("论文的数字", "预训练减对手", "差"),
    )
    return [
        dict(zip(heads, (what, numbers, f"{gap:+.2f}"), strict=True))
        for what, numbers, gap in lines
    ]


def venue(t: Pick) -> Rows:
    """Say where the paper appeared, and on which data."""
    lines = (
        (t("place", "发表于"), "ICLR 2017", "EMNLP 2017 (D17-1039)"),
        (t("translation", "翻译"), t("CNN and Daily Mail", "CNN 和 Daily Mail"), t("WMT, English → German", "WMT 英译德")),
        (t("summaries", "摘要"), t("CNN and Daily Mail", "CNN 和 Daily Mail"), t("CNN/Daily Mail", "CNN/Daily Mail")),
    )  # fmt: skip
    heads = t(("", "as told", "in the paper"), ("", "文章说", "论文里"))
    return [dict(zip(heads, line, strict=True)) for line in lines]


FORGETS: Text = (
    "The drop in BLEU is explained by forgetting; how much the language models forgot was not reported.",
    "BLEU 的下降被解释为遗忘；两个语言模型忘了多少，论文没有报告。",
)
IMDB: Text = (
    "IMDb error: none 13.50, language model 7.64, autoencoder 7.24, joint training 14.70 %.",
    "IMDb 错误率（%）：无预训练 13.50，语言模型 7.64，自编码器 7.24，联合训练 14.70。",
)
OURS: Text = (
    "1,000 pairs of Rivertown or 300 of vowels and language models of 128 cells, trained once for all seeds; the paper has four million "
    "pairs and 4,096 cells.",
    "我们有河湾镇 1000 个句对或元音 300 个句对，语言模型 128 个单元，各种子共用一次训练；论文是四百万个句对、4096 个单元。",
)
NEITHER: Text = (
    "Neither is above what needs no network, so nothing was learned that could decide; it would take more pairs and larger models.",
    "两者都没有超过不用网络的办法，可见没学到足以定夺的东西；要定夺，得有更多的句对、更大的模型。",
)


def joined(*texts: Text) -> Text:
    """Put sentences behind each other, in both languages."""
    english, chinese = zip(*texts, strict=True)
    return " ".join(english), "".join(chinese)


CARDS = (
    Card(
        key="encoder-and-decoder",
        lesson=LESSON,
        as_told="right",
        systems=("seq2seq",),
        claim=(
            "Pre-training encoder and decoder improves a translator.",
            "预训练编码器和解码器，翻译会更好。",
        ),
        source=PAPER,
        quoted=(
            "S1",
            (
                "Two language models give encoder and decoder their first weights, and the result is far better than with labelled pairs alone.",
                "用两个语言模型的权重初始化编码器和解码器，大大超过只用监督数据的模型。",
            ),
        ),
        paper=(
            "English → German, newstest2014 / 2015: 21.3 / 24.3 without, 24.0 / 27.0 with, single models, 1.3 above the best earlier single model (an earlier ensemble of twelve had 24.7 / 27.6).",
            "英译德，newstest2014 / 2015，单模型：无预训练 21.3 / 24.3，有预训练 24.0 / 27.0；比此前最好的单模型高 1.3（此前十二个模型合起来是 24.7 / 27.6）。",
        ),
        why=joined(
            (
                "Everything pre-trained minus nothing pre-trained, both with the joint loss, as in the paper.",
                "全部预训练减去都不预训练，两者都有联合损失，和论文一样。",
            ),
            OURS,
            (
                "Neither is above what needs no network, so this pair decides nothing. Without the joint loss both are above it on "
                "Rivertown, and there pre-training brings 2.7 BLEU [1.0, 4.3] (lesson 12); the card does not count that pair.",
                "两者都没有超过不用网络的办法，所以这一对定不了什么。去掉联合损失，河湾镇上两者都超过了它，"
                "预训练多得 2.7 BLEU [1.0, 4.3]（见第 12 课）；这张卡片不计那一对。",
            ),
        ),
        experiments=("seq2seq_ablation",),
        effects=difference("full", "no pre-training"),
        hypothesis=Hypothesis(
            1.3,
            ("half of the paper's 2.7", "论文的 2.7 的一半"),
            learned=over("BLEU", ["full", "no pre-training"], "no network"),
        ),
        effect=BLEU,
        scale=1.0,
        names=PAIRS,
    ),
    Card(
        key="beat-all",
        lesson=LESSON,
        as_told="imprecise",
        systems=("seq2seq",),
        claim=(
            "The method beat all the strongest systems, in translation and in summaries.",
            "这个方法在翻译和摘要上都超过了当时所有最强的系统。",
        ),
        quoted=(
            "S1",
            (
                "In translation from English to German and in summaries it surpassed the strongest methods of the time.",
                "英译德和摘要，都胜过了当时的最强算法。",
            ),
        ),
        paper=(
            "Translation: single models 1.3 BLEU above the best single ones before; five together have 24.7 and 28.1, the best "
            "earlier twelve 24.7 and 27.6. Summaries, ROUGE-1/2/L: 32.56 / 11.89 / 29.44 against 32.49 / 11.84 / 29.47 of Nallapati et al.'s "
            "baseline; with temporal attention that one had 35.46 / 13.30 / 32.65. People preferred its summaries to those of the same "
            "model without pre-training, 83 to 29 of 200.",
            "翻译：单模型比此前最好的单模型高 1.3 BLEU；五个合起来是 24.7 和 28.1，此前最好的十二个合起来是 24.7 和 27.6。摘要，ROUGE-1/2/L：32.56 / 11.89 / 29.44，"
            "Nallapati 等的基线是 32.49 / 11.84 / 29.47，加上时间注意力是 35.46 / 13.30 / 32.65。人工评价是同没有预训练的同一模型比：200 篇里，83 篇胜，29 篇负。",
        ),
        why=(
            "Nearly true of translation. In the automatic scores of summaries it drew with an earlier system's baseline and lost to that "
            "system's full version.",
            "翻译大致如此。摘要的自动评分，同前人的基线打平，还输给了前人的完整系统。",
        ),
        facts=rouge,
    ),
    Card(
        key="iclr-and-one-data-set",
        lesson=LESSON,
        as_told="false",
        systems=("seq2seq",),
        claim=(
            "Pre-trained seq2seq was shown at ICLR 2017, on CNN and Daily Mail articles for both tasks.",
            "预训练 seq2seq 发表在 ICLR 2017，两个任务用的都是 CNN 和 Daily Mail 的文章。",
        ),
        quoted=(
            "S1",
            (
                "A paper of ICLR 2017; translation and summaries were tried on CNN and Daily Mail articles.",
                "ICLR 2017 的论文，翻译和摘要都在 CNN、Daily Mail 的文章上做。",
            ),
        ),
        paper=(
            "EMNLP 2017, pages 383-391; WMT English → German for translation, CNN/Daily Mail for summaries.",
            "EMNLP 2017，383–391 页；翻译用 WMT 英译德，摘要用 CNN/Daily Mail。",
        ),
        why=(
            "Two data sets. Where a paper appeared, its first page says.",
            "数据集有两个。发表在哪里，看论文首页就知道。",
        ),
        facts=venue,
    ),
    Card(
        key="summaries-generalise",
        lesson=LESSON,
        as_told="imprecise",
        systems=("seq2seq", "why"),
        claim=(
            "In summaries, too, the pre-trained encoder makes the model generalise better.",
            "在摘要任务上，也是编码器的预训练让模型泛化得更好。",
        ),
        quoted=(
            "S1",
            (
                "For summaries the encoder's pre-training is what brings the large gain and the better generalisation.",
                "摘要的大幅提升和更好的泛化，来自编码器的预训练。",
            ),
        ),
        paper=(
            "The encoder's pre-training matters most there. The authors suggest that the gain comes from better optimisation; they also "
            "say that on both tasks the method generalises better to the test set.",
            "那里确实是编码器的预训练最要紧。作者认为这份提升来自优化变好；同时也说，两个任务上，测试集上的泛化都更好了。",
        ),
        why=(
            "The article has the right part, and leaves out the reason that the authors suggest. Which of the two it is, the training loss "
            "would tell; lesson 11 does it so.",
            "部件说对了，漏掉的是作者给出的原因。到底是哪一个，看训练损失就知道，第 11 课就是这么做的。",
        ),
    ),
    Card(
        key="decoder-matters-more",
        lesson=LESSON,
        as_told="imprecise",
        systems=("seq2seq",),
        claim=(
            "The decoder's pre-training matters more than the encoder's.",
            "预训练解码器比预训练编码器更要紧。",
        ),
        source=PAPER,
        paper=(
            "Translation: only the decoder −1.0, only the encoder −1.6. Summaries: the other way round.",
            "翻译：只预训练解码器 −1.0，只预训练编码器 −1.6。摘要正好相反。",
        ),
        why=joined(
            (
                "Only the decoder pre-trained minus only the encoder.",
                "只预训练解码器减去只预训练编码器。",
            ),
            OURS,
            NEITHER,
        ),
        experiments=("seq2seq_ablation",),
        effects=difference("only the decoder", "only the encoder"),
        hypothesis=Hypothesis(
            0.3,
            ("half of the paper's 0.6", "论文的 0.6 的一半"),
            learned=over(
                "BLEU", ["only the decoder", "only the encoder"], "no network"
            ),
        ),
        effect=BLEU,
        scale=1.0,
        names=PAIRS,
    ),
    Card(
        key="softmax-matters",
        lesson=LESSON,
        as_told="right",
        systems=("seq2seq",),
        claim=("The softmax must be pre-trained, too.", "softmax 也必须预训练。"),
        source=PAPER,
        quoted=(
            "S1",
            (
                "The decoder's softmax, too, begins as the target language model's, to make the later training more efficient.",
                "为了后续训练更高效，解码器的 softmax 也用目标语言模型的来初始化。",
            ),
        ),
        paper=(
            "Without it −1.6, nearly as bad as no pre-training (−2.0).",
            "不预训练它是 −1.6，同完全不预训练（−2.0）差不多。",
        ),
        why=joined(
            (
                "Everything pre-trained minus everything but the target softmax.",
                "全部预训练减去“除目标侧 softmax 外都预训练”。",
            ),
            OURS,
            NEITHER,
        ),
        experiments=("seq2seq_ablation",),
        effects=difference("full", "without softmax"),
        hypothesis=Hypothesis(
            0.8,
            ("half of the paper's 1.6", "论文的 1.6 的一半"),
            learned=over("BLEU", ["full", "without softmax"], "no network"),
        ),
        effect=BLEU,
        scale=1.0,
        names=PAIRS,
    ),
    Card(
        key="joint-loss",
        lesson=LESSON,
        as_told="right",
        systems=("joint loss", "seq2seq"),
        claim=(
            "The language models' loss is a strong regulariser: without it the gain is lost.",
            "语言模型的损失是强正则化：没有它，增益就没了。",
        ),
        source=PAPER,
        quoted=(
            "S1",
            (
                "Training on the average of both losses improves the model markedly.",
                "把两种损失平均起来一起训练，效果显著提高。",
            ),
        ),
        paper=(
            "Pre-training without it was as bad as no pre-training with it. But Dai and Le's joint training hurt (14.70 against 7.24 % error), and GPT's "
            "auxiliary loss did not help on average (74.7 with, 75.0 without).",
            "预训练了而不用它，同用了它而不预训练一样差。但 Dai 与 Le 的联合训练有害（错误率 14.70%，不联合是 7.24%）；GPT 的辅助损失平均也没有帮助（用 74.7，不用 75.0）。",
        ),
        why=joined(
            (
                "Everything pre-trained, with the joint loss minus without it.",
                "全部预训练，有联合损失减去没有。",
            ),
            OURS,
            (
                "Rivertown counts: without the joint loss the translator is above what needs no network. On the vowels neither comes near it.",
                "算数的是河湾镇：不用联合损失的翻译器超过了不用网络的办法；在元音任务上，两者都差得远。",
            ),
        ),
        experiments=("seq2seq_ablation",),
        effects=difference("full", "without LM loss"),
        hypothesis=Hypothesis(
            1.0,
            ("half of the paper's 2.0", "论文的 2.0 的一半"),
            learned=over("BLEU", ["full", "without LM loss"], "no network"),
        ),
        effect=BLEU,
        scale=1.0,
        names=PAIRS,
    ),
    Card(
        key="small-but-steady",
        lesson=LESSON,
        as_told="right",
        systems=("attention", "seq2seq"),
        claim=(
            "Residual connection and attention to both layers: small, but steady gains.",
            "残差连接和多层注意力：贡献小，但稳定。",
        ),
        quoted=(
            "S1",
            (
                "Two further improvements are small but stable: the residual connection and attention to several layers.",
                "另有两处改进，贡献小而稳定：残差连接和多层注意力。",
            ),
        ),
        paper=(
            "“Minor but consistent improvements” in early experiments; no number is given for them alone.",
            "早期实验里“改进小而一致”；没有单独给出数字。",
        ),
        why=joined(
            (
                "Everything minus everything without both; what each of the two is worth, this does not ask.",
                "全部减去两样都不用；两样各值多少，这里没有问。",
            ),
            OURS,
            NEITHER,
        ),
        experiments=("seq2seq_ablation",),
        effects=difference("full", "without extras"),
        hypothesis=Hypothesis(
            0.5,
            (
                "our convention, for the paper gives no number",
                "本课的约定，论文没有给出数字",
            ),
            learned=over("BLEU", ["full", "without extras"], "no network"),
        ),
        effect=BLEU,
        scale=1.0,
        names=PAIRS,
    ),
    Card(
        key="fewer-pairs",
        lesson=LESSON,
        as_told="right",
        systems=("seq2seq", "few labels"),
        claim=("The fewer pairs, the larger the gain.", "句对越少，增益越大。"),
        source=PAPER,
        paper=(
            "2.0 BLEU with all four million pairs, 3.8 with a fifth of them.",
            "用全部四百万句对是 2.0 BLEU，用五分之一是 3.8。",
        ),
        why=(
            "Gain with the fewest pairs minus gain with the most: 300 and 2,000 of Rivertown, 100 and 1,000 of vowels; the paper's fifth is 800,000. No network is above what needs none, so nothing was learned that could decide; it would take more pairs and larger models.",
            "句对最少时的增益减去最多时的：河湾镇 300 和 2000 对，元音 100 和 1000 对；论文的五分之一是八十万对。没有一个网络超过不用网络的办法，可见没学到足以定夺的东西；要定夺，得有更多的句对、更大的模型。",
        ),
        experiments=("seq2seq_pairs",),
        effects=seq2seq.gaps,
        hypothesis=Hypothesis(
            0.9,
            ("half of the paper's 1.8", "论文的 1.8 的一半"),
            learned=learned_from_pairs,
        ),
        effect=BLEU,
        scale=1.0,
        names=TASKS,
    ),
    Card(
        key="pairs-make-forget",
        lesson=LESSON,
        as_told="imprecise",
        systems=("forgetting", "seq2seq"),
        claim=(
            "Fine-tuning on pairs makes the language models forget.",
            "用句对微调，语言模型会遗忘。",
        ),
        source=PAPER,
        quoted=(
            "S1",
            (
                "Fine-tuned directly, the model quickly becomes worse at its old task, most of all with little data.",
                "直接微调，模型在原来的语言模型任务上会急速变差，数据少时尤其如此。",
            ),
        ),
        paper=FORGETS,
        why=(
            "How far each language model inside the translator, asked alone about other sentences, gets worse in fine-tuning without the joint loss; with it, for comparison. Models of 128 cells, 1,000 pairs or 300; the paper infers forgetting from BLEU.",
            "翻译器里的两个语言模型，单独拿别的句子来问：没有联合损失时，微调之后差了多少；有联合损失的也画出来对照。模型 128 个单元，句对 1000 或 300 个；论文是从 BLEU 推断遗忘的。",
        ),
        experiments=("seq2seq_forgetting",),
        effects=rises,
        hypothesis=Hypothesis(
            10,
            ("a tenth of a nat: our convention", "0.1 奈特，本课的约定"),
            claimed=lambda place: place.endswith("without LM loss"),
        ),
        effect=("rise of log perplexity, 0.01 nats", "对数困惑度上升（0.01 奈特）"),
        digits=0,
        names=RISES,
    ),
    Card(
        key="joint-loss-prevents",
        lesson=LESSON,
        as_told="imprecise",
        systems=("joint loss", "forgetting"),
        claim=("The joint loss prevents forgetting.", "联合损失可以防止遗忘。"),
        source=PAPER,
        quoted=(
            "S1",
            (
                "To avoid catastrophic forgetting both losses are trained together.",
                "为避免灾难性遗忘，两种损失一起训练。",
            ),
        ),
        paper=FORGETS,
        why=(
            "Half of the rise without the joint loss minus the rise with it: above 0, the joint loss takes away more than half of the forgetting. Whether the translations become better is another question; on Rivertown they become worse.",
            "没有联合损失时涨幅的一半，减去有联合损失时的涨幅：大于 0，就是遗忘少了一半以上。译得是不是更好，则是另一个问题；在河湾镇上，反而更差。",
        ),
        experiments=("seq2seq_forgetting",),
        effects=halved,
        hypothesis=Hypothesis(
            10, ("a tenth of a nat: our convention", "0.1 奈特，本课的约定")
        ),
        effect=(
            "half of what is forgotten without the joint loss, minus that with it, 0.01 nats",
            "没有联合损失时遗忘的一半，减去有它时的（0.01 奈特）",
        ),
        digits=0,
        names=HALVES,
    ),
    Card(
        key="dai-le",
        lesson=LESSON,
        as_told="right",
        systems=("Dai & Le",),
        claim=(
            "An LSTM that begins as a language model or as an autoencoder is the better classifier.",
            "从语言模型或自编码器开始的 LSTM，分类更好。",
        ),
        source=("Dai and Le 2015", "Dai 与 Le（2015）"),
        paper=IMDB,
        why=(
            "Each start minus none. LSTMs of 128 cells, 5,000 short reviews to read, 500 of them labelled; theirs read up to 75,000 long ones, 25,000 labelled. No LSTM is above TF-IDF, so nothing was learned that could decide. Lesson 10's three stages did help with few labels: they begin with general text, and these two starts read the task's texts alone.",
            "两种起点各减去无预训练。LSTM 有 128 个单元，读 5000 条短评，其中 500 条有标注；论文读到 75,000 篇长评，25,000 篇有标注。没有一个 LSTM 超过 TF-IDF，可见没学到足以定夺的东西。第 10 课的三个阶段在标注很少时确有帮助，那是先读了通用文本；这里的两种起点只读任务自己的文本。",
        ),
        experiments=("dai_le",),
        effects=over_random,
        hypothesis=Hypothesis(
            3,
            ("half of the 5.9 points of IMDb", "论文里 IMDb 的 5.9 个点的一半"),
            learned=above_bag("language model", "autoencoder", "no pre-training"),
        ),
        effect=("gain over no pre-training, points", "比无预训练高（百分点）"),
        names=BEGINS,
    ),
    Card(
        key="dai-le-joint",
        lesson=LESSON,
        as_told="false",
        systems=("Dai & Le", "joint loss"),
        claim=("A joint loss helps in fine-tuning.", "微调时加联合损失有好处。"),
        source=(
            "a generalisation from Ramachandran et al.",
            "由 Ramachandran 等推而广之",
        ),
        paper=IMDB,
        why=(
            "From a language model, with its loss minus without it; theirs was an autoencoder's. LSTMs of 128 cells, 5,000 short reviews to read, 500 of them labelled. Neither is above TF-IDF, so nothing was learned that could decide.",
            "从语言模型开始，加它的损失减去不加；论文加的是自编码器的。LSTM 有 128 个单元，读 5000 条短评，其中 500 条有标注。两者都没有超过 TF-IDF，可见没学到足以定夺的东西。",
        ),
        experiments=("dai_le",),
        effects=over_start,
        hypothesis=Hypothesis(
            3.7,
            (
                "half of the 7.5 points by which IMDb became worse",
                "论文里 IMDb 变差的 7.5 个点的一半",
            ),
            learned=above_bag("language model, joint loss", "language model"),
        ),
        effect=("gain of the joint loss, points", "联合损失的增益（百分点）"),
        names=BEGINS,
    ),
)
