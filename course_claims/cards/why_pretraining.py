"""Lesson 11: why pre-training works."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from course_lib.analysis.statistics import Interval, t_interval

from .. import rules
from ..claim_card import Card, Rows, Text
from ..experiments import better_start, frozen_states, perplexity
from ..experiments.control_encoders import PERMUTED, REAL, SHUFFLED, UNTRAINED
from ..experiments.frozen_states import DEDICATED
from ..outcome import CONVENTION, Hypothesis

LESSON = "11_why_pretraining"
TASKS = {"topic": ("topic", "话题"), "exchanged": ("exchanged?", "对调了吗")}
QUESTIONS = TASKS | {
    "tag": ("tag", "词性"),
    "tag to come": ("tag to come", "下一个词性"),
    "first word": ("first word", "第一个词"),
    "even letters": ("even number of letters?", "字母数是偶数吗"),
}
RATED = {
    f"{task}, rate {rate:g}": (f"{en}, rate {rate:g}", f"{zh}，学习率 {rate:g}")
    for task, (en, zh) in TASKS.items()
    for rate in better_start.RATES
}
LABELLED = {
    f"{task}, {n} labels": (f"{en}, {n} labels", f"{zh}，{n} 条标注")
    for task, (en, zh) in TASKS.items()
    for n in (12, 24, *better_start.COUNTS)
}
STOPPED = {
    f"{language}, {measure}, {n} readings": (
        f"{en}, {measure}: {n} readings, not {before}",
        f"{zh}，{what}：{n} 遍比 {before} 遍",
    )
    for language, en, zh in (("en", "English", "英文"), ("zh", "Chinese", "中文"))
    for measure, what in zip(perplexity.MEASURES, ("词性", "义项"), strict=True)
    for before, n in itertools.pairwise(perplexity.STOPS)
}
WAYS = {
    "faster": ("four times the rate", "学习率四倍"),
    "slower": ("a quarter of the rate (turned round)", "学习率四分之一（取反）"),
    "shorter": ("a quarter of the steps (turned round)", "步数四分之一（取反）"),
}
OVER = {
    f"{question}, {rival}": (f"{en}, over {of[0]}", f"{zh}，比{of[1]}")
    for question, (en, zh) in QUESTIONS.items()
    for rival, of in (
        (UNTRAINED, ("untrained", "未训练的")),
        (PERMUTED, ("permuted weights", "权重打乱的")),
        (f"{REAL}, last state", ("the last state", "最后的状态")),
        (f"{REAL}, pooled", ("all states pooled", "所有状态池化")),
    )
}


def intervals(values: Mapping[str, Sequence[float]]) -> dict[str, Interval]:
    """Return the mean of each place's differences over seeds, with its interval."""
    return {place: t_interval(of) for place, of in values.items()}


def saved(name: str) -> Callable[[Rows], dict[str, Interval]]:
    """Return a function: how many steps fewer than the untrained model one needs."""

    def effects(rows: Rows) -> dict[str, Interval]:
        pairs = itertools.product(TASKS, better_start.RATES)
        return intervals(
            {
                f"{task}, rate {rate:g}": of[UNTRAINED] - of[name]
                for (task, rate), of in zip(
                    pairs, better_start.starts(rows), strict=True
                )
            }
        )

    return effects


def at_equal_loss(rows: Rows) -> dict[str, Interval]:
    """Return by how much the test loss is lower, at equal training loss."""
    found = {}
    for here in better_start.everywhere(rows):
        of = rules.by_model(rows, f"loss at {better_start.LEVEL} nats", here)
        found[here] = of[UNTRAINED] - of[REAL]
    return intervals(found)


def tuning_gains(rows: Rows) -> dict[str, Interval]:
    """Return what fine-tuning gains over freezing, by the number of labels."""
    found = {}
    for here in better_start.everywhere(rows):
        of = rules.by_model(rows, "accuracy", here)
        found[here] = of[REAL] - of[better_start.FROZEN]
    return intervals(found)


def further(rows: Rows) -> dict[str, Interval]:
    """Return by how much further the encoder moves with more rate and more steps."""
    few = better_start.places(rows, "exchanged")[0]
    moved = {
        name: rules.by_model(rows, "moved: all", f"{few}: {name}")[REAL]
        for name in ("no pull", *WAYS)
    }
    base = moved.pop("no pull")
    return intervals(
        {
            name: of - base if name == "faster" else base - of
            for name, of in moved.items()
        }
    )


def pulled(rows: Rows) -> dict[str, Interval]:
    """Return what a pull to the start gains, by the number of labels."""
    return intervals(
        {
            here: better_start.pull_gain(rows, here)
            for here in better_start.everywhere(rows)
        }
    )


def over_controls(rows: Rows) -> dict[str, Interval]:
    """Return what the real model gains over two controls, question by question."""
    found = {}
    for question in frozen_states.QUESTIONS:
        of = rules.by_model(rows, "accuracy", question)
        for rival in (UNTRAINED, PERMUTED):
            found[f"{question}, {rival}"] = of[REAL] - of[rival]
    return intervals(found)


def kept_without_order(rows: Rows) -> dict[str, Interval]:
    """Return what shuffled words keep beyond one half of the real gain."""
    names = ("topic", "tag to come", "exchanged")
    return intervals({name: frozen_states.over_half(rows, name) for name in names})


def below_made(rows: Rows) -> dict[str, Interval]:
    """Return by how much a reader made for a question is above the one model."""
    found = {}
    for question in dict.fromkeys(row["condition"] for row in rows):
        of = rules.by_model(rows, "accuracy", question)
        for vector in (f"{REAL}, last state", f"{REAL}, pooled"):
            found[f"{question}, {vector}"] = of[DEDICATED] - of[vector]
    return intervals(found)


ERHAN: Text = (
    "Erhan et al. 2010, on images of digits and shapes: networks pre-trained with autoencoders reach a lower test error, and at equal "
    "training cost a lower test cost; the effect looks like regularisation, less so with unlimited data.",
    "Erhan 等（2010），数字和形状图像：用自编码器预训练的网络，测试误差更低；训练代价相同时，测试代价也更低。像正则化；数据无限时，没那么明显。",
)
POINTS: Text = ("gain, points", "增益（百分点）")
CARDS = (
    Card(
        key="better-start",
        lesson=LESSON,
        as_told="imprecise",
        systems=("why",),
        claim=(
            "Pre-training helps because it is a better start.",
            "预训练有用，是因为起点更好。",
        ),
        quoted=(
            "S0",
            (
                "As when one looks for a restaurant from the centre of a town: the start is nearer to the goal.",
                "好比在陌生城市找餐厅，从市中心出发，离目标更近。",
            ),
        ),
        paper=(
            "Peters et al. 2018 (section 5.4): with ELMo, SRL reaches in 10 epochs what took 486 without it.",
            "Peters 等（2018，5.4 节）：语义角色标注，不用 ELMo 要 486 轮，用了 10 轮就达到。",
        ),
        why=(
            "Fewer steps to the untrained start's best accuracy; two tasks, two rates, 160 labels.",
            "达到“未训练”起点的最好成绩，少用多少步；两个任务，两个学习率，160 条标注。",
        ),
        experiments=("why_start",),
        effects=saved(REAL),
        hypothesis=Hypothesis(
            20,
            (
                "a tenth of the 200 steps and more that an untrained start takes",
                "未经训练的起点要走两百多步，取其一成",
            ),
        ),
        effect=("steps fewer than untrained", "比未训练的少用步数"),
        scale=1.0,
        digits=0,
        names=RATED,
    ),
    Card(
        key="only-scale",
        lesson=LESSON,
        systems=("why",),
        claim=(
            "It is only that the numbers have a better scale.",
            "好处不过是数的大小合适。",
        ),
        source=("a fair suspicion", "合理的怀疑"),
        paper=(
            "Not measured in the papers of this lesson.",
            "本课的论文没有测。",
        ),
        why=(
            "The trained weights, permuted within each tensor. Supported if they surely save more than half of what the real ones save.",
            "拿训练好的权重，在每个张量内打乱。省下的步数确实超过真权重所省的一半，才算站得住。",
        ),
        experiments=("why_start",),
        effects=saved(PERMUTED),
        hypothesis=Hypothesis(
            20,
            (
                "a tenth of the 200 steps and more that an untrained start takes",
                "未经训练的起点要走两百多步，取其一成",
            ),
        ),
        effect=(
            "steps fewer than untrained, permuted weights",
            "权重打乱的，比未训练的少用步数",
        ),
        scale=1.0,
        digits=0,
        names=RATED,
    ),
    Card(
        key="regulariser",
        lesson=LESSON,
        as_told="imprecise",
        systems=("why",),
        claim=("Pre-training is a regulariser.", "预训练是一种正则化。"),
        quoted=(
            "S0",
            (
                "What pre-training knows acts like a soft constraint, and so the model does not fit the noise of a small task.",
                "预训练的先验知识像一道软约束，让模型不去拟合任务数据里的噪声。",
            ),
        ),
        paper=ERHAN,
        why=(
            f"Real against untrained, where the training loss is {better_start.LEVEL} nats.",
            f"在训练损失 {better_start.LEVEL} 奈特处，比较真实文本和未训练。",
        ),
        experiments=("why_regularise",),
        effects=at_equal_loss,
        hypothesis=Hypothesis(
            0.05, ("0.05 nats: our convention", "0.05 奈特，本课的约定")
        ),
        effect=("test loss lower by, nats", "测试损失低多少（奈特）"),
        scale=1.0,
        digits=2,
        names=LABELLED,
    ),
    Card(
        key="overfits-less",
        lesson=LESSON,
        as_told="imprecise",
        systems=("why", "few labels"),
        claim=(
            "With few labels a deep network overfits, and pre-training narrows the gap.",
            "标注少，深的网络就过拟合；预训练能缩小这个差距。",
        ),
        quoted=(
            "S1",
            (
                "All deep networks share a weakness: with few labelled data they overfit easily. Pre-training is the remedy.",
                "所有深层网络都有一个弱点：监督数据一少，就很容易过拟合；预训练正是解药。",
            ),
        ),
        paper=(
            "Ramachandran et al. 2017 give it as their motive. They put the gain in translation down to better "
            "generalisation, that in summaries to better optimisation; on the test sets, they say, both generalise better.",
            "Ramachandran 等（2017）以此为动机。他们把翻译的提升归于泛化变好，把摘要的归于优化变好；又说在测试集上，两个任务的泛化都更好。",
        ),
        why=(
            "The gap between training and test accuracy: untrained less real. A network that learns its labels by heart from either start has "
            "the gap that its test accuracy leaves.",
            "训练准确率和测试准确率之差：未训练的减去真实文本的。如果两种起点都能把标注背下来，差距就由测试准确率决定。",
        ),
        experiments=("why_regularise",),
        effects=lambda rows: intervals(better_start.overfitting(rows)),
        hypothesis=Hypothesis(1, CONVENTION),
        effect=("gap narrower by, points", "差距缩小（百分点）"),
        names=LABELLED,
    ),
    Card(
        key="frozen-or-tuned",
        lesson=LESSON,
        as_told="imprecise",
        systems=("frozen or tuned", "few labels"),
        claim=(
            "With few labels freeze, with many fine-tune.",
            "标注少就冻结，标注多就微调。",
        ),
        paper=(
            "Howard and Ruder 2018, table 7: only the last layer learning is worse than full fine-tuning on all three sets but one "
            "(6.49 / 16.09 / 8.38 against 6.87 / 6.86 / 5.81).",
            "Howard 与 Ruder（2018，表 7）：只训练最后一层是 6.49 / 16.09 / 8.38，全部微调是 6.87 / 6.86 / 5.81；三个数据集里，前者只在一个上更好。",
        ),
        why=("Same encoder, head and labels.", "编码器、分类头、标注都相同。"),
        experiments=("why_regularise",),
        effects=tuning_gains,
        hypothesis=Hypothesis(
            1,
            CONVENTION,
            claimed=lambda place: {"40": -1, "640": 1}.get(place.split()[-2]),
        ),
        effect=("fine-tuned less frozen, points", "微调减冻结（百分点）"),
        names=LABELLED,
    ),
    Card(
        key="stays-near",
        lesson=LESSON,
        as_told="false",
        systems=("why", "forgetting"),
        claim=(
            "Fine-tuning constrains the parameters to stay near the pre-trained ones.",
            "微调把参数约束在预训练的值附近。",
        ),
        quoted=(
            "S0",
            (
                "Pre-training lays a constraint on the model: its parameters cannot go far from the pre-trained ones.",
                "预训练等于加了约束：参数不能离预训练的值太远。",
            ),
        ),
        paper=(
            "Li et al. 2018 begin from the opposite: apart from the start and early stopping, nothing in fine-tuning retains what was learned.",
            "Li 等（2018）的出发点正相反：除了起点和提前停止，微调里没有任何机制保住学到的东西。",
        ),
        why=(
            "Wrong if the distance surely follows the rate and the number of steps: then these hold it back, and no constraint.",
            "距离确实随学习率、随步数而变，就判为错误：拉住参数的是步子，不是什么约束。",
        ),
        experiments=("why_l2sp",),
        effects=further,
        hypothesis=Hypothesis(0.01, CONVENTION, claimed=lambda place: -1),
        effect=("moved further, in ‖θ₀‖", "多移动的距离（以 ‖θ₀‖ 为单位）"),
        scale=1.0,
        digits=2,
        names=WAYS,
    ),
    Card(
        key="pull-helps",
        lesson=LESSON,
        as_told="right",
        systems=("why", "forgetting"),
        claim=(
            "An explicit pull to the start (L2-SP) makes a better classifier.",
            "把“往起点拉”写进损失（L2-SP），分类器更好。",
        ),
        source=("Li et al. 2018", "Li 等（2018）"),
        paper=(
            "On images, with residual networks: L2-SP is better than weight decay on the data sets they tried, most with few examples.",
            "图像，残差网络：在他们试过的数据集上，L2-SP 比权重衰减好，样本少时最明显。",
        ),
        why=(
            "Strength chosen on 200 other texts; gain over no pull.",
            "拉力用另外 200 条文本来选；看比不拉高多少。",
        ),
        experiments=("why_l2sp",),
        effects=pulled,
        hypothesis=Hypothesis(1, CONVENTION),
        effect=POINTS,
        names=LABELLED,
    ),
    Card(
        key="strong-prior",
        lesson=LESSON,
        as_told="opinion",
        systems=("why", "few labels"),
        claim=(
            "Pre-training is a prior: it rules when labels are few, and gives way when they are many.",
            "预训练是先验：标注少，先验说了算；标注多，数据说了算。",
        ),
        quoted=(
            "S0",
            (
                "Seen as Bayes would, pre-training gives a strong prior and the task the likelihood; the fewer the labels, the more the prior decides.",
                "从贝叶斯的角度看，预训练给出强先验，任务数据给出似然；数据越少，先验的分量越重。",
            ),
        ),
        paper=(
            "A picture, in no paper of this lesson. L2-SP is the prior written down: a normal distribution around the start.",
            "这是一种说法，本课的论文里都没有。L2-SP 就是把先验写明：以起点为中心的正态分布。",
        ),
        why=(
            "If so, other texts should choose a weaker pull with 640 labels than with 40. Three strengths, a power of ten apart; a pull that "
            "changes nothing is chosen at random.",
            "果真如此，用 640 条标注时，验证文本选出的拉力就该比 40 条时弱。拉力有三档，相差十倍；如果拉不拉都一样，选哪一档就全凭运气。",
        ),
        experiments=("why_l2sp",),
        effects=lambda rows: intervals(better_start.weaker_pull(rows)),
        hypothesis=Hypothesis(
            0.5, ("half a power of ten: our convention", "半个数量级，本课的约定")
        ),
        effect=("weaker by, powers of ten", "减弱多少个数量级"),
        scale=1.0,
        names=TASKS,
    ),
    Card(
        key="knowledge",
        lesson=LESSON,
        as_told="right",
        systems=("why",),
        claim=(
            "Pre-training transfers knowledge of language.",
            "预训练迁移的是语言知识。",
        ),
        quoted=(
            "S3",
            (
                "In essence pre-training packs much linguistic knowledge from endless raw text into a network.",
                "预训练的本质，是把海量文本里的语言学知识抽出来，编进网络。",
            ),
        ),
        paper=(
            "Peters et al. 2018b: from biLMs, morphology, local syntax and longer-range semantics can be read out, by layer.",
            "Peters 等（2018b）：从 biLM 的各层，能读出词法、局部句法和较长距离的语义。",
        ),
        why=(
            "Surely better than permuted and than untrained, question by question.",
            "逐个问题，确实好过权重打乱的，也好过未训练的。",
        ),
        experiments=("why_transfer",),
        effects=over_controls,
        hypothesis=Hypothesis(1, CONVENTION),
        effect=POINTS,
        names=OVER,
    ),
    Card(
        key="without-order",
        lesson=LESSON,
        as_told="right",
        systems=("why", "language model"),
        claim=(
            "Without word order, pre-training keeps topics and loses syntax.",
            "没有词序的预训练，保住话题，丢掉语法。",
        ),
        source=(
            "our expectation, after Sinha et al. 2021",
            "我们的预期，参照 Sinha 等（2021）",
        ),
        paper=(
            "QQP 91.26 to 91.01, CoLA 61.4 to 35.15 (RoBERTa, real to shuffled text).",
            "QQP 从 91.26 到 91.01，CoLA 从 61.4 到 35.15（RoBERTa，真实文本到句内打乱）。",
        ),
        why=(
            "More than half of the gain kept in the topic (above 0), less than half in the other two (below 0).",
            "话题上保住一半以上的增益（大于 0），另两问不到一半（小于 0）。",
        ),
        experiments=("why_transfer",),
        effects=kept_without_order,
        hypothesis=Hypothesis(
            1, CONVENTION, claimed=lambda place: 1 if place == "topic" else -1
        ),
        effect=(
            f"kept by {SHUFFLED}, less one half, points",
            "句内打乱保住的，减去一半（百分点）",
        ),
        names=QUESTIONS,
    ),
    Card(
        key="one-for-all",
        lesson=LESSON,
        as_told="imprecise",
        systems=("why",),
        claim=(
            "One general representation serves all tasks.",
            "一种通用表示，适用于所有任务。",
        ),
        quoted=(
            "S0",
            (
                "The success of the paradigm supports the assumption that there is one general representation of language, of use to all tasks.",
                "这一范式的成功，支持了一个假设：有一种通用的语言表示，对各种任务都有用。",
            ),
        ),
        paper=(
            "Peters et al. 2018: six tasks gain, by 5.8 to 24.9 % of the error. They were chosen; nobody looked for one that loses.",
            "Peters 等（2018）：六个任务都有提高，错误减少 5.8% 到 24.9%。任务是挑出来的，没有人去找会吃亏的任务。",
        ),
        why=(
            "Two of our three questions were designed to fail. Above 0: a simple reader that sees what the question needs is better.",
            "三个问题里，有两个是专为失败设计的。大于 0：只看所需信息的简单读取器更好。",
        ),
        experiments=("why_for_all",),
        effects=below_made,
        hypothesis=Hypothesis(5, CONVENTION, claimed=lambda place: -1),
        effect=(
            "made for the question, ahead by, points",
            "专用的读取器领先（百分点）",
        ),
        names=OVER,
    ),
    Card(
        key="last-state-is-enough",
        lesson=LESSON,
        as_told="imprecise",
        systems=("pooling",),
        claim=(
            "The state after the last word has read everything, so it is enough to classify a text.",
            "最后一个词之后的状态已经读过全文，用它来分类就够了。",
        ),
        source=("a common belief about LSTMs", "对 LSTM 的常见看法"),
        paper=(
            "ULMFiT does not rely on it: its classifier sees the last state beside the maximum and the mean of all states (concat pooling); "
            "as far as we know no run is without them.",
            "ULMFiT 不这么做：分类器除了最后的状态，还看所有状态的最大值和平均（拼接池化）；据我们所知，没有去掉它们的实验。",
        ),
        why=(
            "One frozen model, three questions; all states pooled against the last one alone. The rule is younger than the measurement.",
            "同一个冻结的模型，三个问题；比较所有状态池化和只用最后的状态。这条规则是测完之后才定的。",
        ),
        experiments=("why_for_all",),
        effects=lambda rows: intervals(frozen_states.pooled_gains(rows)),
        hypothesis=Hypothesis(1, CONVENTION, claimed=lambda place: -1),
        effect=("pooling gains, points", "池化的增益（百分点）"),
        names=QUESTIONS,
    ),
    Card(
        key="better-lm-better-vectors",
        lesson=LESSON,
        as_told="imprecise",
        systems=("language model", "why"),
        claim=(
            "The lower a language model's perplexity, the better its vectors.",
            "语言模型的困惑度越低，它的向量就越好。",
        ),
        source=("a common assumption", "常见的假定"),
        paper=(
            "ELMo's own perplexity was 39.7, averaged over both directions, a larger model's 30.0 (CNN-BIG-LSTM): the authors took the worse "
            "and smaller one.",
            "ELMo 的困惑度是 39.7（两个方向平均），更大的 CNN-BIG-LSTM 是 30.0：作者选了差一些、小一些的那个。",
        ),
        why=(
            "One biLM of each language, stopped after 1, 3 and 9 readings of 120,000 words. From its frozen vectors a probe tells parts of speech, the nearest mean "
            "tells senses. The perplexity falls every time (English 425, 322, 218; Chinese 364, 299, 206), and mostly it pays; but Chinese gains nothing sure from the "
            "first fall. Models that differ in size or in their text are another question.",
            "每种语言一个 biLM，读同样的 12 万词，读完 1 遍、3 遍、9 遍时各停一次。用冻结的向量认词性（探针）、认义项（最近的均值）。困惑度一次比一次低"
            "（英文 425、322、218，中文 364、299、206），多半也有用；可是中文的第一次下降，换不来什么确实的好处。大小不同、语料不同的模型之间能不能比，是另一个问题。",
        ),
        experiments=("perplexity_and_vectors",),
        effects=lambda rows: {
            place: gap
            for parts, gap in perplexity.gains_by_stop(rows).items()
            if (place := ", ".join(parts)) in STOPPED
        },
        hypothesis=Hypothesis(1, CONVENTION),
        effect=("gain on the stop before, points", "比上一次停下时高出（百分点）"),
        names=STOPPED,
    ),
)
