"""Lesson 04: one vector for several senses; word vectors as a first layer."""

from __future__ import annotations

import functools
import itertools

import torch
from torch.nn import functional as F

from course_lib.analysis.statistics import Interval, t_interval
from course_lib.models import pair
from course_lib.text.tokenise import words_zh

from .. import ledger, rules
from ..card_page import signed
from ..claim_card import Card, Pick, Rows
from ..experiments import ambiguity, polysemy, transfer
from ..outcome import CONVENTION, Hypothesis
from ..rules import only

LESSON = "04_polysemy"
FALSE_FRIENDS = (
    "他感冒了，需要打针。",
    "他在球场上打篮球。",
    "她给妈妈打电话。",
    "苹果公司发布了新产品。",
)
RIVER, MONEY = ("河边", "岸边", "河岸"), ("贷款", "存款", "账户")
TITLES = {
    "rivertown-en-questions": ("questions, Rivertown (en)", "河湾镇问答（英文）"),
    "rivertown-zh-questions": ("questions, Rivertown (zh)", "河湾镇问答（中文）"),
    "sentence_polarity": ("film reviews (en)", "影评褒贬（英文）"),
    "waimai": ("food delivery (zh)", "外卖评论（中文）"),
    "qc": ("TREC questions (en)", "TREC 问题类型（英文）"),
    "subjectivity": ("subjective or plot (en)", "主观句还是情节（英文）"),
    "tnews": ("headlines, 15 topics (zh)", "新闻标题，15 类（中文）"),
    "chnsenticorp": ("hotel reviews (zh)", "酒店评论（中文）"),
}
LANGUAGES = {
    "pseudowords en": ("English", "英文"),
    "pseudowords zh": ("Chinese", "中文"),
}
RIVALS = {
    "from scratch": ("minus a net from scratch", "减从头训练"),
    "four layers frozen": ("minus four layers, frozen", "减四层冻结"),
    "untrained": ("minus an untrained first layer", "减未训练的第一层"),
}
TAGS = {
    "treebank": ("part of speech (en)", "词性（英文）"),
    "zh_gsdsimp": ("part of speech (zh)", "词性（中文）"),
}
BLENDS = {
    f"{model} {a}:{b}": (f"{a} : {b}, {title[0]}", f"{a} : {b}，{title[1]}")
    for model, title in LANGUAGES.items()
    for a, b in polysemy.RATIOS
}
LABELLED = {  # 1, 10 and 100 % of the examples; the headlines are few
    (task, n): (f"{TITLES[task][0]}, {n:,} labels", f"{TITLES[task][1]}，{n:,} 条标注")
    for task in transfer.POINTS
    for n in ((12, 118, 1185) if task == "tnews" else (40, 400, 4000))
}

# What two cards, here and in lesson 08, say of the speed of a training.
UPDATES = {
    "hypothesis": Hypothesis(
        20,
        ("a tenth of the updates from random vectors", "随机向量所需更新次数的一成"),
    ),
    "effect": ("updates saved", "省下的更新次数"),
    "scale": 1.0,
    "digits": 0,
}


def nearer_to_frequent(rows: Rows) -> dict[str, Interval]:
    """Return by how much a vector is nearer to the frequent part than to the rare."""
    found = ledger.over_seeds(rows, "nearer")
    return {
        f"{model} {ratio}": span
        for (model, ratio), span in found.items()
        if ratio != "1:0"
    }


def three_times(rows: Rows) -> dict[str, Interval]:
    """Return how many times the seconds of one training it takes, minus three."""
    found = ledger.over_seeds(rows, "times")
    return {place: Interval(*(x - 3 for x in of)) for (_, place), of in found.items()}


def beyond_one_and_a_half(rows: Rows) -> dict[tuple, Interval]:
    """Return what word vectors add, in points, minus one and a half."""
    return rules.shifted(transfer.points, 1.5)(rows)


def dominance(rows: Rows, t: Pick) -> Rows:
    """Show nearness, weight and neighbours at each unequal ratio, in both languages."""
    heads = t(
        (
            "frequent : rare",
            "cosine: frequent minus rare",
            "weight minus share",
            "neighbours",
        ),
        ("高频 : 低频", "余弦：高频词减低频词", "权重减份额", "近邻份额"),
    )
    metrics = ("nearer", "excess", "neighbours")
    means = [polysemy.by_language(rows, metric) for metric in metrics]
    found = []
    for model, title in LANGUAGES.items():
        for k, ratio in enumerate(polysemy.UNEQUAL):
            nearer, excess, share = (of[model][k] for of in means)
            cells = (signed(nearer, 2), signed(excess, 2), f"{share.estimate:.2f}")
            found.append(
                dict(zip(heads, (f"{ratio}, {t(*title)}", *cells), strict=True))
            )
    return found


def mixed(rows: Rows) -> dict[str, Interval]:
    """Return the lead of the mix by shares, under "language ratio"."""
    return {" ".join(place): gap for place, gap in polysemy.mix_gains(rows).items()}


def heaps(rows: Rows, t: Pick) -> Rows:
    """Show what vectors of clusters of contexts gain and cost."""
    heads = t(
        (
            "pseudowords",
            "in the right cluster",
            "cosine with the part: two minus one",
            "times the seconds",
        ),
        ("伪词", "分对的", "与原词的余弦：两个减一个", "耗时倍数"),
    )
    spans = [ledger.over_seeds(rows, m) for m in ("agreement", "gain", "times")]
    return [
        dict(
            zip(
                heads,
                (
                    t(*LANGUAGES[f"pseudowords {place[1]}"]),
                    f"{spans[0][place].estimate:.0%}",
                    signed(spans[1][place], 2),
                    f"{spans[2][place].estimate:.1f}",
                ),
                strict=True,
            )
        )
        for place in spans[0]
    ]


def doses(rows: Rows, t: Pick) -> Rows:
    """Show what vectors add when more and more words share a name."""
    heads = (t("task", "任务"),) + tuple(
        t(
            f"help in points, {k} word{'s' * (k > 1)} a name",
            f"帮助（百分点），{k} 个词一个名字",
        )
        for k in ambiguity.TOGETHER
    )
    tasks = ambiguity.lost(rows)
    found = []
    for task in tasks:
        helps = [ambiguity.help_of(rows, task, k) for k in ambiguity.TOGETHER]
        cells = [signed(t_interval([100 * x for x in of.values()])) for of in helps]
        found.append(dict(zip(heads, (t(*(TITLES | TAGS)[task]), *cells), strict=True)))
    return found


def segmented(t: Pick) -> Rows:
    """Show which of the examples' words the segmenter returns."""
    cut = [word for example in FALSE_FRIENDS for word in words_zh(example)]
    heads = t(
        ("token", "among the words that jieba returns"),
        ("记号", "jieba 切出的词里有没有"),
    )
    answer = {True: t("yes", "有"), False: t("no", "没有")}
    asked = ("打针", "打篮球", "打电话", "苹果公司", "打", "苹果")
    return [
        dict(zip(heads, (word, answer[word in cut]), strict=True)) for word in asked
    ]


@functools.cache
def near_yinhang() -> tuple[bool, ...]:
    """Say of each of the 20 words nearest to 银行 whether it is nearer to a river."""
    from course_lib.checkpoints import load

    vectors = load("static-zh")
    known = [word for word in (*RIVER, *MONEY) if word in vectors]
    return tuple(
        max(known, key=lambda k: vectors.similarity(word, k)) in RIVER
        for word, _ in vectors.most_similar("银行", topn=20)
    )


def sides_of_yinhang(t: Pick) -> Rows:
    """Count the nearest words on either side."""
    judged = near_yinhang()
    heads = t(
        ("20 words nearest to 银行", "number"), ("离“银行”最近的 20 个词", "个数")
    )
    money = t(
        "nearer to 贷款, 存款, 账户 (loan, deposit, account)", "更近“贷款、存款、账户”"
    )
    river = t("nearer to 河边, 岸边, 河岸 (riverside)", "更近“河边、岸边、河岸”")
    lines = ((money, judged.count(False)), (river, judged.count(True)))
    return [dict(zip(heads, line, strict=True)) for line in lines]


def first_layer(t: Pick) -> Rows:
    """Compare looking up with multiplying, and count what of a model is pre-trained."""
    torch.manual_seed(4)
    ids, G = torch.tensor([3, 1, 4, 1]), torch.randn(4, 8).double()
    one, two = (torch.randn(6, 8).double() for _ in range(2))
    two.copy_(one)
    for C in (one, two):
        C.requires_grad_()
    product, looked_up = F.one_hot(ids, 6).double() @ one, F.embedding(ids, two)
    product.backward(G)
    looked_up.backward(G)
    net = pair.PairModel(torch.zeros(10_000, 100), 2, 2)
    shares = [sum(p.numel() for p in part.parameters()) for part in (net.C, net)]
    heads = t(("one-hot times C, and a look-up", ""), ("独热乘 C，与查表", ""))
    gap = float((product - looked_up).detach().abs().max())
    steps = float((one.grad - two.grad).abs().max())
    lines = (
        (t("largest difference of the output", "输出最大相差"), f"{gap:.1g}"),
        (t("largest difference of the gradient", "梯度最大相差"), f"{steps:.1g}"),
        (t("layers that are pre-trained", "预训练过的层"), t("1 of 3", "三层里的一层")),
        (
            t(
                "parameters that are (10,000 words, 100 numbers)",
                "预训练过的参数（一万词，100 维）",
            ),
            f"{shares[0] / shares[1]:.0%}",
        ),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


def both_ends(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return fine-tuned minus frozen, with the fewest labels and with all, by task."""
    return {
        (task, end): gap
        for task, pair_ in transfer.ends(rows).items()
        for end, gap in zip(("few", "all"), pair_, strict=True)
    }


def added_points(rows: Rows, t: Pick) -> Rows:
    """Show for each share of the labels the smallest and the largest mean gain."""
    gained = transfer.points(rows)
    tasks = dict.fromkeys(task for task, _ in gained)
    names = t(("1 %", "10 %", "100 %"), ("1%", "10%", "100%"))
    heads = t(
        ("labels", "smallest", "mean of tasks", "largest"),
        ("标注", "最小", "各任务平均", "最大"),
    )
    found = []
    for k, name in enumerate(names):
        means = [
            [s.estimate for (of, _), s in gained.items() if of == task][k]
            for task in tasks
        ]
        cells = (min(means), sum(means) / len(means), max(means))
        found.append(
            dict(zip(heads, (name, *(f"{x:+.1f}" for x in cells)), strict=True))
        )
    return found


def image_nets(t: Pick) -> Rows:
    """Divide the images of ImageNet by its classes, in both of its sizes."""
    heads = t(("", "images", "classes", "images a class"), ("", "图像", "类", "每类"))
    lines = (
        (t("ImageNet, CVPR 2009", "ImageNet，CVPR 2009"), 3_200_000, 5_247),
        (t("the challenge's subset", "竞赛所用的子集"), 1_200_000, 1_000),
    )
    return [
        dict(
            zip(
                heads,
                (name, f"{n:,}", f"{classes:,}", f"{n / classes:.0f}"),
                strict=True,
            )
        )
        for name, n, classes in lines
    ]


def detection(t: Pick) -> Rows:
    """Work out what 30 per cent more, relatively, are in points."""
    new = 53.3
    heads = t(
        (
            "mean average precision",
            "before, at most",
            "gain, points, at least",
            "gain, relative",
        ),
        ("平均精度均值", "此前至多", "提高（百分点），至少", "相对提高"),
    )
    cells = (
        new,
        f"{new / 1.3:.1f}",
        f"{new - new / 1.3:.1f}",
        t("over 30 %", "30% 以上"),
    )
    return [dict(zip(heads, cells, strict=True))]


CARDS = (
    Card(
        key="mixes-senses",
        lesson=LESSON,
        as_told="right",
        systems=("polysemy", "skip-gram"),
        claim=(
            "The vector of an ambiguous word mixes its meanings.",
            "多义词的向量里混着它的几种意思。",
        ),
        quoted=(
            "S3",
            (
                "Contexts of both meanings of bank are put into the same row of numbers, which blends them.",
                "bank 两种意思的上下文都编码进同一行参数，混在了一起。",
            ),
        ),
        paper=(
            "Arora et al. (the authors' account of 2016): random words of Wikipedia merged; the new "
            "vector has a mean cosine of 0.97 with the plane of its parts.",
            "Arora 等（作者 2016 年的介绍）：在维基百科里随机合并两个词，新向量与两个原词所张平面的夹角余弦平均为 0.97。",
        ),
        why=(
            "Pseudowords: two words merged under one name, in at most 2.5 million words of English and "
            "1.5 million of Chinese, against all of Wikipedia in the paper. Above 0 the new vector is "
            "nearer to the mix of its parts, each with its share of the occurrences, than to the "
            "frequent part alone.",
            "伪词：两个词并成一个名字。英文至多 250 万词，中文至多 150 万词，论文用的是整个维基百科。大于 0，"
            "说明新向量离两个原词按次数的混合更近，而不是离高频词自己更近。",
        ),
        experiments=("frequent_sense_dominates", "frequent_sense_dominates_zh"),
        effects=mixed,
        hypothesis=Hypothesis(0.01, CONVENTION),
        effect=("cosine: mix minus frequent part", "余弦：混合减高频词"),
        scale=1.0,
        digits=2,
        names=BLENDS,
    ),
    Card(
        key="frequent-sense-dominates",
        lesson=LESSON,
        as_told="imprecise",
        systems=("polysemy", "skip-gram"),
        claim=(
            "The frequent sense dominates the static vector.",
            "静态向量由常见的义项主导。",
        ),
        quoted=(
            "S3",
            (
                "GloVe's neighbours of play are mostly about sport; that must be because sport has most "
                "of the sentences with play.",
                "GloVe 里 play 的近邻多是体育词，文中断定是因为语料里体育的句子占了上风。",
            ),
        ),
        paper=(
            "Arora et al. (the authors' account of 2016): the rarer part's coefficient is about 1 - 0.5 "
            "log10(ratio), the other's about 1; so a sense 50 times rarer is not swamped.",
            "Arora 等（作者 2016 年的介绍）：较少见的词系数约为 1 - 0.5 log10（比例），另一个约为 1；所以罕见 50 倍的"
            "义项也没有被淹没。",
        ),
        why=(
            "Counted is only whether the vector of a pseudoword is nearer to the frequent part than to the "
            "rare one; it is. How far it dominates, the table says: the list of neighbours is nearly all "
            "the frequent part's, but its weight in the vector is about its share of the occurrences, even "
            "slightly less, and the rest is the rare part's. Skip-gram from a few million words; the paper "
            "has other vectors, from all of Wikipedia.",
            "计入的只有一点：伪词的向量离高频词是不是比离低频词近。近是近，主导到什么程度要看表：近邻表几乎全归"
            "高频词，可它在向量里的权重只是大致等于出现次数的份额，还略低一点，余下的归低频词。我们用几百万词训练 "
            "skip-gram，论文用的是另一种向量、整个维基百科。",
        ),
        experiments=("frequent_sense_dominates", "frequent_sense_dominates_zh"),
        shown=dominance,
        effects=nearer_to_frequent,
        hypothesis=Hypothesis(
            0.06,
            (
                "half of 0.12, what the paper's coefficients give at 2:1 for parts at right angles",
                "两个原词互相垂直时，论文的系数在 2:1 处给出 0.12，取其一半",
            ),
            claimed=lambda place: None if " 1:1" in place else 1,
        ),
        effect=("cosine: frequent part minus rare part", "余弦：高频词减低频词"),
        scale=1.0,
        digits=2,
        names=BLENDS,
    ),
    Card(
        key="sense-vectors",
        lesson=LESSON,
        as_told="opinion",
        systems=("sense vectors", "polysemy"),
        claim=(
            "One vector per sense was tried, but such methods are too costly or too cumbersome.",
            "给每个义项一个向量，也有人试过，但太贵、太麻烦。",
        ),
        quoted=(
            "S3",
            (
                "Researchers proposed many ways out, which in hindsight look too expensive or too fiddly; "
                "none is named.",
                "说不少人想过办法，回头看都太费事；没有点名是哪些。",
            ),
        ),
        paper=(
            "Schütze 1998 and Reisinger and Mooney 2010: cluster the contexts of a word, and give each "
            "cluster a vector. Neither is compared with ELMo.",
            "Schütze（1998）、Reisinger 和 Mooney（2010）：把一个词的上下文聚成几堆，每堆一个向量。都没有和 ELMo 比过。",
        ),
        why=(
            "Two trainings in place of one, with a clustering between them: only the cost is counted, not whether "
            "the method is cumbersome, and three times the seconds of one training is where we call it too much. The "
            "gain is another matter: on 600,000 words the clusters are so mixed that these runs cannot show the vectors "
            "of the senses to be nearer to their parts than the single vector is (third column).",
            "原来学一遍，现在学两遍，中间聚一次类。计入的只有耗时，麻不麻烦没有算：超过一遍的三倍，才算太贵。值不值是另一回事："
            "在 60 万词上，各堆混得厉害，看不出两个义项向量比原来那一个离原词更近（第三列）。",
        ),
        experiments=("clustered_senses",),
        shown=heaps,
        effects=three_times,
        hypothesis=Hypothesis(
            1, ("the seconds of one more training", "相当于再训练一遍")
        ),
        effect=(
            "times the seconds of one training, minus 3",
            "用时是训练一遍的几倍，再减 3",
        ),
        scale=1.0,
        digits=2,
        names={"en": ("English", "英文"), "zh": ("Chinese", "中文")},
    ),
    Card(
        key="polysemy-is-why",
        lesson=LESSON,
        as_told="opinion",
        systems=("polysemy", "feature-based"),
        claim=(
            "Word vectors helped less than hoped because of words with several meanings.",
            "词向量的帮助没有期望的大，原因就在一词多义。",
        ),
        quoted=(
            "S3",
            (
                "Why the gain was not dazzling has a simple answer, a cloud that hung over word vectors "
                "for years: polysemy.",
                "文中把效果不够惊艳归结为一片“乌云”：多义词问题。",
            ),
        ),
        paper=(
            "None that separates this cause from others, as far as we know. ULMFiT's authors name another: "
            "only the first layer is pre-trained.",
            "据我们所知，没有论文把这个原因和别的原因分开。ULMFiT 的作者说的是另一个：预训练的只有第一层。",
        ),
        why=(
            "Ambiguity cannot be taken out of a language, but it can be put in: words are drawn in pairs that "
            "share a name, in the text (1.5 million words) and in the task. If ambiguity is the reason, twice "
            "as much should take away more than half of what the vectors add. Only tasks count in which they "
            "help significantly as the language is; in the others nothing can be lost.",
            "语言里的歧义去不掉，却可以再加：词随机两两配对，共用一个名字，语料（150 万词）里和任务里都这么改。要是毛病"
            "真在歧义，歧义加倍，词向量的帮助就该丢掉一半以上。只计词向量原本就有显著帮助的任务，别的任务无从丢起。",
        ),
        experiments=("ambiguity",),
        shown=doses,
        effects=ambiguity.beyond_halves,
        hypothesis=Hypothesis(1, CONVENTION, learned=ambiguity.helped),
        effect=(
            "help lost minus half of the help, points",
            "失去的帮助减帮助的一半（百分点）",
        ),
        names=TITLES | TAGS,
    ),
    Card(
        key="segmentation-hides",
        lesson=LESSON,
        as_told="false",
        systems=("segmentation", "polysemy"),
        claim=(
            "打针 / 打篮球 and 苹果公司 show that a word vector mixes the senses of 打 and 苹果.",
            "‘打针’‘打篮球’‘苹果公司’说明词向量把‘打’‘苹果’的几个意思混在了一起。",
        ),
        quoted=(
            "S0",
            (
                "打 in 打针 is medical, in 打篮球 sport, and static vectors cannot tell them apart; 苹果公司 "
                "and an apple one buys are the subtler example.",
                "“打针”的“打”是医疗行为，“打篮球”的“打”是运动，静态向量区分不了；更微妙的是“苹果公司”和买来吃的“苹果”。",
            ),
        ),
        paper=("None: a matter of segmentation.", "没有论文：这是分词的问题。"),
        why=(
            "The segmenter returns these examples as single words with rows of their own. Take sentences "
            "in which 打 and 苹果 stand alone, or characters.",
            "分词器把这些例子各切成一个词，各有各的行。要举例，得用“打”“苹果”单独成词的句子，或者改用字。",
        ),
        facts=segmented,
    ),
    Card(
        key="yinhang-is-ambiguous",
        lesson=LESSON,
        as_told="false",
        systems=("segmentation", "polysemy"),
        claim=(
            "银行 is ambiguous: a financial institution or the bank of a river.",
            "‘银行’有歧义：可能指金融机构，也可能指河岸。",
        ),
        quoted=(
            "S0",
            (
                "To understand 银行 one has to look whether money was deposited before it or whether "
                "it stands by a river.",
                "以“银行”为例，说得看前后是“存款到”“账户”，还是“河边的”“岸边”。",
            ),
        ),
        paper=("None.", "没有论文。"),
        why=(
            "The English word bank has both senses, its Chinese translation in the first does not: a "
            "riverbank is 河岸 or 河边. The example was translated word for word. (The list alone would "
            "not prove it, see section 2 of lesson 04; a dictionary does.)",
            "有两个意思的是英语的 bank；“银行”只有一个意思，河岸叫“河岸”“河边”。这个例子是逐词翻译英语教材得来的。"
            "（单凭近邻表证明不了，见第 04 课第 2 节；查词典就知道。）",
        ),
        facts=sides_of_yinhang,
    ),
    Card(
        key="first-layer",
        lesson=LESSON,
        as_told="right",
        systems=("pair model", "feature-based"),
        claim=(
            "To use word vectors is to begin with one pre-trained layer, the first; no higher one can be.",
            "用词向量，等于给第一层装上预训练好的参数；上面各层就管不到了。",
        ),
        quoted=(
            "S3",
            (
                "What looks like a look-up is a layer between one-hot and embedding whose matrix comes "
                "pre-trained; the layers above get nothing.",
                "看上去是查表，其实是独热到嵌入那一层的参数矩阵预训练好了；上面的层什么也没有。",
            ),
        ),
        paper=(
            "ULMFiT's introduction says so, too: word vectors only target a model's first layer.",
            "ULMFiT 的引言也这么说：词向量只管模型的第一层。",
        ),
        why=(
            "Exact: output and gradient are the same numbers. But count what you mean: one layer of "
            "three, and yet most of the parameters.",
            "严格成立：输出和梯度分毫不差。不过要说清数的是什么：三层里的一层，参数却占了大半。",
        ),
        facts=first_layer,
    ),
    Card(
        key="vectors-speed",
        lesson=LESSON,
        as_told="imprecise",
        systems=("skip-gram", "frozen or tuned"),
        claim=(
            "Starting from word vectors instead of random ones makes the network converge faster.",
            "用词向量而不是随机数作初值，网络收敛得更快。",
        ),
        quoted=(
            "S4",
            (
                "Most models of the day began with trained vectors, not with random ones, so that they "
                "converged sooner.",
                "说拿现成的词向量当初值已是通行做法，好处是收敛快。",
            ),
        ),
        paper=(
            "Kim 2014 compares accuracies (table 2), not the number of updates.",
            "Kim（2014）比的是准确率（表 2），没有比更新次数。",
        ),
        why=(
            "The updates that a tagger of parts of speech saves until it is as good as it gets with random "
            "vectors (the experiment of lesson 08). The updates that the vectors themselves took are not "
            "counted.",
            "词性标注器达到随机词向量的最好成绩，少用了多少次更新（第 08 课的实验）。训练词向量本身所用的更新没有算进去。",
        ),
        experiments=("convergence",),
        effects=transfer.fewer_updates,
        **UPDATES,
        names=TAGS,
    ),
    Card(
        key="frozen-or-fine-tuned",
        lesson=LESSON,
        as_told="imprecise",
        systems=("frozen or tuned", "pair model"),
        claim=(
            "With few labels freeze the word vectors; with many, fine-tune them.",
            "标注少，就冻结词向量；标注多，就微调。",
        ),
        source=("common advice", "常见的经验之谈"),
        paper=(
            "Kim 2014, table 2, all labels, static → non-static: MR 81.0 → 81.5, SST-1 45.5 → 48.0, "
            "SST-2 86.8 → 87.2, Subj 93.0 → 93.4, TREC 92.8 → 93.6, CR 84.7 → 84.3, MPQA 89.6 → 89.5. "
            "Few labels were not measured.",
            "Kim（2014）表 2，全部标注，冻结 → 微调：MR 81.0 → 81.5，SST-1 45.5 → 48.0，SST-2 86.8 → 87.2，Subj "
            "93.0 → 93.4，TREC 92.8 → 93.6，CR 84.7 → 84.3，MPQA 89.6 → 89.5。没有测标注少的情形。",
        ),
        why=(
            "The same small network with 1 % of the labels, where frozen should be ahead, and with all, where "
            "fine-tuned should; Kim's is a convolutional net with vectors from 100 billion words. With all labels "
            "fine-tuned is ahead in three of four tasks. With few, frozen is ahead for both kinds of reviews only; "
            "with so few, nothing has been learned about the questions (51 to 54 %, TF-IDF 52 and 54 %). With all labels frozen vectors still "
            "have 53 and 54 %: questions ask which of two like words it is.",
            "同一个小网络，1% 标注时应当是冻结领先，全部标注时应当是微调领先；Kim 用的是卷积网络，词向量来自一千亿词。"
            "标注用足时，四项任务有三项微调领先；标注少时，只有两种评论是冻结领先，问答这时什么也没学到（51%～54%，TF-IDF 是 52% 和 54%）。"
            "标注用足，冻结的在问答上仍只有 53% 和 54%：问的是“相似的词里是哪一个”。",
        ),
        experiments=("frozen_or_fine_tuned",),
        effects=both_ends,
        hypothesis=Hypothesis(
            0.3,
            (
                "half of the mean gain in Kim's table 2, 0.6",
                "Kim 表 2 平均增益 0.6 的一半",
            ),
            claimed=lambda place: {"few": -1, "all": 1}[place[1]],
        ),
        effect=("fine-tuned minus frozen, points", "微调减冻结（百分点）"),
        names={
            (task, end): (f"{TITLES[task][0]}, {en}", f"{TITLES[task][1]}，{zh}")
            for task, (end, en, zh) in itertools.product(
                transfer.CURVES,
                (("few", "1 % of the labels", "1% 标注"), ("all", "all", "全部标注")),
            )
        },
    ),
    Card(
        key="word-vectors-add-points",
        lesson=LESSON,
        as_told="false",
        systems=("frozen or tuned", "feature-based"),
        claim=(
            "Word vectors add one or two points to a task.",
            "用上词向量，下游任务能涨一两个点。",
        ),
        quoted=(
            "S3",
            (
                "Adding them to a task is said to bring one or two points as a rule: useful, not brilliant.",
                "说加到下游任务里一般能提升 1 到 2 个点，有用，但不耀眼。",
            ),
        ),
        paper=(
            "Kim 2014, table 2, random → non-static, all labels: MR 76.1 → 81.5, SST-1 45.0 → 48.0, SST-2 "
            "82.7 → 87.2, Subj 89.6 → 93.4, TREC 91.2 → 93.6, CR 79.8 → 84.3, MPQA 83.4 → 89.5: 2.4 to 6.1 "
            "points, with vectors from 100 billion words.",
            "Kim（2014）表 2，随机 → 微调，全部标注：MR 76.1 → 81.5，SST-1 45.0 → 48.0，SST-2 82.7 → 87.2，Subj 89.6 "
            "→ 93.4，TREC 91.2 → 93.6，CR 79.8 → 84.3，MPQA 83.4 → 89.5：涨 2.4 到 6.1 个点，词向量来自一千亿词。",
        ),
        why=(
            "The better of frozen and fine-tuned on dev, minus random rows, on six tasks with 1, 10 and 100 % "
            "of the labels; the claim names a size, so what is shown is the distance from 1.5 points. Our "
            "vectors come from 5 to 16 million words, Kim's from 100 billion. The number depends on the labels, "
            "the task and the vectors.",
            "六项任务，1%、10%、100% 的标注；开发集上冻结和微调取较好的一个，减去随机的词向量。这句话说的是一个大小，"
            "所以画出的是离 1.5 个点有多远。我们的词向量来自五百多万到一千六百万词，Kim 的来自一千亿词。这个数取决于标注多少、"
            "什么任务、哪份词向量。",
        ),
        experiments=("word_vectors_add_points",),
        shown=added_points,
        effects=beyond_one_and_a_half,
        hypothesis=Hypothesis(
            0.5,
            (
                "“one or two points” is 1.5, give or take half a point",
                "“一两个点”就是 1.5，上下差半个点",
            ),
            alike=True,
        ),
        effect=("gain minus 1.5, points", "增益减 1.5（百分点）"),
        scale=1.0,
        names=LABELLED,
    ),
    Card(
        key="imagenet-2009",
        lesson=LESSON,
        as_told="false",
        systems=("vision",),
        claim=(
            "ImageNet appeared in 2009 with 1.2 million images in 1,000 classes.",
            "ImageNet 2009 年发布，120 万张图，1000 类。",
        ),
        quoted=(
            "S4",
            (
                "At CVPR 2009 the data set is said to have come out with its 1.2 million images in a "
                "thousand classes.",
                "说 CVPR 2009 发布的就是 120 万张、1000 个类别。",
            ),
        ),
        paper=(
            "Deng et al., CVPR 2009: 3.2 million images, 5,247 synsets.",
            "Deng 等，CVPR 2009：320 万张图，5247 个同义词集。",
        ),
        why=(
            "The 1.2 million in 1,000 classes are the subset of the later challenge (ILSVRC): fewer "
            "classes, twice as many images in each.",
            "120 万张、1000 类是后来竞赛（ILSVRC）的子集：类少了，每类的图却多了一倍。",
        ),
        facts=image_nets,
    ),
    Card(
        key="detection-20-percent",
        lesson=LESSON,
        as_told="imprecise",
        systems=("vision",),
        claim=(
            "Features of ImageNet improved object detection on PASCAL VOC by 20 %.",
            "ImageNet 的特征让 PASCAL VOC 上的目标检测提高了 20%。",
        ),
        quoted=(
            "S4",
            (
                "Some scholars, who are not named, are said to have raised the detection rate by 20 %.",
                "说“有学者”把检测率提高了 20%，没有指明是谁。",
            ),
        ),
        paper=(
            "R-CNN (Girshick et al., CVPR 2014): more than 30 % relative to the best result before, to a mean average "
            "precision of 53.3 % on VOC 2012. On VOC 2010 53.7 %, where deformable part models had 33.4 %: 20 points.",
            "R-CNN（Girshick 等，CVPR 2014）：VOC 2012 上比此前最好的相对提高 30% 以上，平均精度均值达到 53.3%。"
            "VOC 2010 上是 53.7%，可变形部件模型是 33.4%：高 20 个点。",
        ),
        why=(
            "The article names no study; this one may be meant. Then its 20 would be points, over one older method on VOC "
            "2010; over the best result on VOC 2012 it is over 30 % relative, in points at least 12. Ask of each gain: points or "
            "per cent, and over what?",
            "文章没有说是哪项研究，也许就是这一项。那么 20 是点数，比的是一种旧方法，在 VOC 2010 上；和 VOC 2012 上此前最好的比，"
            "是相对 30% 以上，换成点数至少 12。见到“提高了百分之几”，先问是点数还是比例、比的是谁。",
        ),
        facts=detection,
    ),
    Card(
        key="vision-layers",
        lesson=LESSON,
        as_told="right",
        systems=("vision", "frozen or tuned"),
        claim=(
            "The low layers of an image network are general, the high ones specific.",
            "图像网络的低层是通用的，高层是任务专用的。",
        ),
        quoted=(
            "S3",
            (
                "The lower a feature, the more it belongs to all images, lines and arcs; the higher, the "
                "more to the task.",
                "低处学到的是线段弧线，什么图像里都有；越往高处，越只为手头的任务服务。",
            ),
        ),
        paper=(
            "Yosinski et al. 2014, 8 layers, two halves of ImageNet: frozen layers 1 and 2 transfer almost "
            "perfectly, 3 slightly worse, 4 to 7 clearly worse, partly because neighbouring layers were "
            "torn apart. Untrained frozen layers fall off at 1 and 2 and are near chance from 3 on. "
            "Fine-tuned, any depth beats from scratch (1.6 % on average).",
            "Yosinski 等（2014），8 层，ImageNet 的两半：冻结第 1、2 层几乎不损失，第 3 层略差，第 4 至 7 层明显变差，"
            "部分原因是相邻的层被拆开了。未训练的层冻结，第 1、2 层就迅速变差，从第 3 层起接近随机水平。微调则不论搬几层都"
            "胜过从头训练（平均 1.6%）。",
        ),
        why=(
            "A net of five layers on 8 × 8 digits, from 0-4 to 5-9. If low layers are general and high ones "
            "specific, one frozen layer must beat four; and if what it has is learned, it must beat an "
            "untrained one, too. It does the first and not the second: on images this small almost any "
            "first layer will do, so that here is no proof of what ImageNet showed.",
            "五层的网络，8×8 的数字图，从 0-4 搬到 5-9。低层通用、高层专用的话，冻结一层应当胜过冻结四层；它有的"
            "东西要是学来的，还应当胜过未训练的一层。前一条做到了，后一条没有：图像这么小，第一层几乎随便什么都行，"
            "所以 ImageNet 上的发现，在这里得不到证明。",
        ),
        experiments=("vision_layers",),
        effects=transfer.layer_gains,
        hypothesis=Hypothesis(
            1, CONVENTION, claimed=only("four layers frozen", "untrained")
        ),
        effect=("first layer, frozen, points", "第一层冻结（百分点）"),
        names=RIVALS,
    ),
)
