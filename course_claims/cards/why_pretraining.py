"""Lesson 11: why pre-training works."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from course_lib.analysis.statistics import Interval, t_interval

from .. import rules
from ..claim_card import Card, Rows, Text
from ..experiments import better_start, frozen_states, perplexity
from ..experiments.frozen_states import DEDICATED
from ..experiments.why import PERMUTED, REAL, SHUFFLED, UNTRAINED
from ..outcome import CONVENTION, Hypothesis
from ..rules import Effects

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


# -- where something was learned: above a guess, which needs no network ----------------

GUESSED = {"topic": 0.2, "exchanged": 0.5, "first word": 0.125, "even letters": 0.5}


def untrained_above_guess(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return how far the untrained start gets above where it began, a guess.

    The best that it gets to is the target of the others.
    """
    found = {}
    for task, rate in itertools.product(TASKS, better_start.RATES):
        here = f"{task}, rate {rate:g}"
        looks = [c for c in rules.conditions(rows) if c.startswith(f"{here}, step ")]
        first, *_, last = sorted(looks, key=lambda c: int(c.split()[-1]))
        began, ended = (
            rules.by_model(rows, "accuracy", c)[UNTRAINED] for c in (first, last)
        )
        found[here, UNTRAINED] = t_interval(ended - began)
    return found


def over_guess(*models: str) -> Effects:
    """Return a function: how far some models are above a guess, by number of labels."""
    return lambda rows: {
        (here, model): t_interval(
            rules.by_model(rows, "accuracy", here)[model]
            - GUESSED[here.partition(",")[0]]
        )
        for here in better_start.everywhere(rows)
        for model in models
    }


def any_pull_over_guess(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return how far classifiers with every pull, and with none, are above a guess.

    A task as a whole is as far above it as it is with the fewest labels.
    """
    found = {}
    for task in reversed(TASKS):
        for here in reversed(better_start.places(rows, task)):
            for way in (
                "no pull",
                *(f"to the start, {a:g}" for a in better_start.STRENGTHS),
            ):
                of = rules.by_model(rows, "accuracy", f"{here}: {way}")[REAL]
                found[here, way] = found[task, way] = t_interval(of - GUESSED[task])
    return found


def vectors_over_guess(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return how far both vectors are above a guess, question by question."""
    return {
        (question, vector): t_interval(
            rules.by_model(rows, "accuracy", question)[vector] - GUESSED[question]
        )
        for question in rules.conditions(rows, "accuracy")
        for vector in (f"{REAL}, last state", f"{REAL}, pooled")
    }


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
            "Steps that the untrained start needs to its best accuracy minus those "
            "that the pre-trained one needs to the same; 240 stands for never. A "
            "network of 0.8 million parameters, pre-trained once on a million words, "
            "fine-tuned with 160 labels for 120 steps. Exchanged words do not count: "
            "the untrained network never learns them, so its best is chance. The card "
            "convergence of lesson 08 has another answer, because there a frozen ELMo "
            "feeds a tagger that must learn everything else; here the start is ahead "
            "at step 40, but at step 120 it is no longer seen to be (rate 0.001), or is 6.8 points behind (0.004).",
            "“未训练”达到自己最好成绩的步数，减去预训练的达到同样成绩的步数；240 表示始终没达到。"
            "网络有 80 万参数，在一百万词上只预训练过一次，用 160 条标注微调 120 步。"
            "“对调了吗”不计：未训练的网络一直没学会，它的最好成绩只是碰巧。第 08 课的 convergence 卡片结论不同，"
            "因为那里是冻结的 ELMo 供给一个其余全要从头学的标注器；这里第 40 步时领先，"
            "到第 120 步被追平（学习率 0.001），或者落后 6.8 个点（0.004）。",
        ),
        experiments=("why_start",),
        effects=saved(REAL),
        hypothesis=Hypothesis(
            12,
            (
                "a tenth of the 120 steps that an untrained start takes",
                "未经训练的起点要走 120 步，取其一成",
            ),
            learned=untrained_above_guess,
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
            "The same steps for the trained weights permuted within each tensor: all "
            "sizes are kept, and nothing else. If scale were the secret, they would "
            "do as well as the pre-trained ones. At the rate of 0.001 they need 112 steps more than "
            "these. At 0.004 neither ever gets as far as the untrained start, which tells nothing of "
            "scale, so that line does not count, nor does the task that the untrained network never learns.",
            "同样的步数，换成把训练好的权重在每个张量内打乱：数的大小都在，别的都没了。"
            "如果秘诀只是大小合适，它就该和预训练的一样好。学习率 0.001 时，它比预训练的多用 112 步；0.004 时，两者都始终"
            "达不到未训练的最好成绩，看不出大小有没有用，所以这一行不计；未训练的网络一直没学会的任务也不计。",
        ),
        experiments=("why_start",),
        effects=saved(PERMUTED),
        hypothesis=Hypothesis(
            12,
            (
                "a tenth of the 120 steps that an untrained start takes",
                "未经训练的起点要走 120 步，取其一成",
            ),
            claimed=rules.only("topic, rate 0.001"),
            learned=untrained_above_guess,
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
            f"Test loss of the untrained start minus that of the pre-trained one, where the "
            f"training loss of either first is {better_start.LEVEL} nats: the test of Erhan et al. "
            "on text, with one language model in place of autoencoders, and 40 to 640 labels. "
            "With 40 labels neither network tells exchanged words: that does not count. The level is "
            "reached early. After all 200 steps it is the other way round in the topic, where the "
            "untrained network has the lower test loss (by 0.30 nats with 160 labels, by 0.28 with 640); "
            "of exchanged words the pre-trained one still has (by 0.50 and 0.34).",
            f"训练损失第一次降到 {better_start.LEVEL} 奈特时，未训练的测试损失减去预训练的。"
            "这是把 Erhan 等人的检验用到文本上：一个语言模型代替自编码器，40 到 640 条标注。"
            "只有 40 条时，两个网络都看不出词对调过，不计。这是训练早期的情形。200 步走完，话题上正好反过来，"
            "是未训练的测试损失低（160 条标注低 0.30 奈特，640 条低 0.28）；词对调过没有，仍是预训练的低（0.50 和 0.34）。",
        ),
        experiments=("why_regularise",),
        effects=at_equal_loss,
        hypothesis=Hypothesis(0.05, CONVENTION, learned=over_guess(REAL, UNTRAINED)),
        effect=("test loss lower, nats", "测试损失低多少（奈特）"),
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
            "Training accuracy minus test accuracy: the gap of the untrained start "
            "minus that of the pre-trained one, after 200 steps. A network that has "
            "learned its labels by heart has the gap that its test accuracy leaves, "
            "so a narrower gap is only another name for a better test.",
            "训练准确率减测试准确率是差距；这里是 200 步之后，未训练的差距减去预训练的。"
            "能把标注背下来的网络，差距就由测试准确率决定，“差距小”不过是“测得好”的另一种说法。",
        ),
        experiments=("why_regularise",),
        effects=lambda rows: intervals(better_start.overfitting(rows)),
        hypothesis=Hypothesis(1, CONVENTION, learned=over_guess(REAL, UNTRAINED)),
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
            "Howard and Ruder 2018, table 7: only the last layer learning is worse than full fine-tuning on two of the three sets "
            "(6.49 / 16.09 / 8.38 against 6.87 / 6.86 / 5.81).",
            "Howard 与 Ruder（2018，表 7）：只训练最后一层是 6.49 / 16.09 / 8.38，全部微调是 6.87 / 6.86 / 5.81；三个数据集里，前者只在一个上更好。",
        ),
        why=(
            "Accuracy with all layers fine-tuned minus that with the encoder frozen: "
            "the same encoder, head and labels. With 40 labels the claim expects less "
            "than 0, with 640 more; 160 are shown. The encoder has 0.8 million "
            "parameters and a million words, the paper's 103 million words.",
            "所有层都微调的准确率，减去编码器冻结的；编码器、分类头、标注都相同。按这个说法，"
            "40 条标注时应当小于 0，640 条时大于 0；160 条的只画出来。编码器只有 80 万参数、"
            "一百万词，论文的读过 1.03 亿词。",
        ),
        experiments=("why_regularise",),
        effects=tuning_gains,
        hypothesis=Hypothesis(
            1,
            CONVENTION,
            claimed=lambda place: {"40": -1, "640": 1}.get(place.split()[-2]),
            learned=over_guess(REAL, better_start.FROZEN),
        ),
        effect=("fine-tuned minus frozen, points", "微调减冻结（百分点）"),
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
            "If something held the parameters at a certain distance, a higher rate "
            "would not take them much further; with four times the rate they go nearly "
            "three times as far. (With a quarter of the steps or of the rate they "
            "go less far, but so they would if they were held.) The task has 40 labels "
            "and 200 steps. No term of the loss is there to hold them.",
            "要是真有什么把参数拉住，学习率再高也走不远多少；可是学习率四倍时，走出的距离差不多是原来的三倍。"
            "（步数或学习率只有四分之一时走得近些，但有东西拉住也会这样。）任务是 40 条标注、200 步。损失里本来就没有一项管这件事。",
        ),
        experiments=("why_l2sp",),
        effects=further,
        hypothesis=Hypothesis(0.01, CONVENTION, alike=True),
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
            "Accuracy with L2-SP, its strength chosen on 200 other texts, minus that "
            "without any pull. One language model of 0.8 million parameters and two "
            "tasks of text, where the paper has large image networks. With 40 labels "
            "exchanged words are at chance, however strong the pull: that does not "
            "count.",
            "加 L2-SP（拉力用另外 200 条文本来选）的准确率，减去不拉的。一个 80 万参数的语言模型、"
            "两个文本任务，论文用的是大的图像网络。只有 40 条标注时，词是否对调，怎么拉都在随机水平，"
            "不计。",
        ),
        experiments=("why_l2sp",),
        effects=pulled,
        hypothesis=Hypothesis(1, CONVENTION, learned=any_pull_over_guess),
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
            "The strength of L2-SP that 200 other texts choose with 40 labels minus "
            "the one they choose with 640, in powers of ten; three strengths, a power "
            "of ten apart. A pull that changes nothing is chosen at random, and so it "
            "is with exchanged words and 40 labels, where nothing is learned.",
            "另外 200 条文本在 40 条标注时选出的 L2-SP 拉力，减去 640 条时选出的，单位是数量级；"
            "拉力有三档，相差十倍。拉不拉都一样时，选哪一档全凭运气：40 条标注的“对调了吗”"
            "什么也没学到，就是如此。",
        ),
        experiments=("why_l2sp",),
        effects=lambda rows: intervals(better_start.weaker_pull(rows)),
        hypothesis=Hypothesis(0.5, CONVENTION, learned=any_pull_over_guess),
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
            "What a linear reader tells from the frozen states of a language model "
            "that has read a million words minus what it tells from the same model "
            "untrained, or with its weights permuted; four questions. The language "
            "model was pre-trained once.",
            "一个读过一百万词的语言模型，冻结之后线性读取器能答对多少，减去同一个模型未训练或者权重打乱时的；"
            "四个问题。这个语言模型只预训练过一次。",
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
        as_told="imprecise",
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
            "QQP 91.26 to 91.01, CoLA 61.4 to 35.15, but PAWS, made so that word order decides, only 94.46 to 89.97 (RoBERTa, "
            "real to shuffled text, then fine-tuned). The authors find that syntactic probes, too, do surprisingly well.",
            "QQP 从 91.26 到 91.01，CoLA 从 61.4 到 35.15；专为考词序而编的 PAWS 却只从 94.46 降到 89.97（RoBERTa，真实文本到句内打乱，再微调）。"
            "作者还说，句法探针的成绩也出人意料地好。",
        ),
        why=(
            "Of the gain over untrained that real text brings, how much text with "
            "shuffled sentences keeps, minus one half: the claim expects more than 0 "
            "in the topic and less in the other two. In the topic nothing is kept (41 %; "
            "untrained 48 %). These are two pre-trainings, "
            "done once each on a million words, so no number of seeds tells what two "
            "others would do; Sinha et al. read 16 GB and fine-tune.",
            "真实文本比“未训练”多出的增益，句内打乱的文本保住多少，再减去一半：按这个说法，"
            "话题应当大于 0，另两问小于 0。结果话题一点没保住（41%，未训练的 48%）。比的是两次预训练，各只做过一次（一百万词）"
            "，种子再多也说不出再练两次会怎样；Sinha 等人读了 16 GB，而且是微调。",
        ),
        experiments=("why_transfer",),
        effects=kept_without_order,
        hypothesis=Hypothesis(
            1,
            CONVENTION,
            claimed=lambda place: 1 if place == "topic" else -1,
            once=True,
        ),
        effect=(
            f"kept by {SHUFFLED}, minus one half, points",
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
            "A reader that sees what the question needs minus one that reads the "
            "frozen state: the topic, for which it is a count of words, and two "
            "questions designed to fail. If one representation served all tasks, it "
            "would be about as good in each. The model has 0.8 million parameters; a "
            "large one may keep more of a first word, but no letters that it does not "
            "read.",
            "只看所需信息的专用读取器，减去从冻结的状态里读：话题（专用的就是数词）"
            "，还有两个专为失败设计的问题。一种表示真能通吃，就该在每个问题上都差不多。"
            "模型只有 80 万参数；大模型也许多记得些第一个词，可是没读进去的字母，再大也记不得。",
        ),
        experiments=("why_for_all",),
        effects=below_made,
        hypothesis=Hypothesis(5, CONVENTION, alike=True),
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
            "All states of one frozen model pooled, as in ULMFiT, minus the last one "
            "alone. “Enough” says that the difference is too small to matter. The "
            "number of letters does not count: neither vector knows anything about "
            "it. A network that is fine-tuned may learn to keep in its last state "
            "what a frozen one has dropped.",
            "同一个冻结的模型，所有状态池化（和 ULMFiT 一样），减去只用最后的状态。"
            "“就够了”的意思是，差别小到不要紧。字母数不计，两种向量对它都一无所知。"
            "冻结的模型从最后的状态里丢掉的，微调过的网络也许能学会留住。",
        ),
        experiments=("why_for_all",),
        effects=lambda rows: intervals(frozen_states.pooled_gains(rows)),
        hypothesis=Hypothesis(1, CONVENTION, alike=True, learned=vectors_over_guess),
        effect=("pooled minus last, points", "池化减最后的状态（百分点）"),
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
            "One biLM of each language, pre-trained anew with every seed and stopped "
            "after 1, 3 and 9 readings of 120,000 words; the score of its frozen "
            "vectors at a stop minus that at the stop before. A linear probe tells "
            "parts of speech, the nearest mean tells senses. The perplexity falls "
            "every time (English 426, 323, 219; Chinese 365, 299, 206); what the "
            "first fall brings in Chinese cannot be told. Models that differ in size "
            "or text are another question.",
            "每种语言一个 biLM，每个种子重新预训练，同样的 12 万词读完 1 遍、3 遍、"
            "9 遍时各停一次；看冻结的向量这次停下的成绩减去上次的。探针认词性，最近的均值认义项。"
            "困惑度一次比一次低（英文 426、323、219，中文 365、299、206）；中文第一次下降换来什么，"
            "看不出来。大小不同、语料不同的模型之间能不能比，是另一个问题。",
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
