"""Lesson 10: the stages and the techniques of ULMFiT."""

from __future__ import annotations

from collections.abc import Callable

from course_lib.analysis.statistics import (
    Interval,
    relative_error_reduction,
    t_interval,
)

from .. import ledger, rules
from ..claim_card import Card, Pick, Rows, Text
from ..experiments import tagging, ulmfit, ulmfit_techniques
from ..outcome import CONVENTION, Hypothesis
from ..rules import Effects, over

LESSON = "10_ulmfit"
PAPER: Text = ("the paper", "论文")
TASKS = {
    "imdb": ("IMDb, film reviews", "IMDb 影评（英文）"),
    "qc": ("TREC-6, questions", "TREC-6 问题类型（英文）"),
    "sentence_polarity": ("film review sentences", "影评单句（英文）"),
    "chnsenticorp": ("hotel reviews (zh)", "酒店评论（中文）"),
    "categories": ("shoppers' reviews, of what? (zh)", "购物评论，买了什么（中文）"),
    "online_shopping": ("shoppers' reviews, good? (zh)", "购物评论，好评差评（中文）"),
    "tnews": ("headlines, 15 topics (zh)", "新闻标题，十五类（中文）"),
    "rivertown-en-sentiment": ("Rivertown's reviews", "河湾镇评论（英文）"),
}
TAGGED = {
    "conll2000": ("CoNLL-2000, phrases", "CoNLL-2000 短语（英文）"),
    "msra": ("MSRA, names (zh)", "MSRA 名称（中文）"),
}
FROZEN = "AWD-LSTM, frozen"
ELMOS_WAY = {
    FROZEN: ("the same networks", "同样的网络"),
    "ELMo": ("ELMo", "ELMo"),
}
PARTS = {
    "discr": ("discriminative rates", "判别式学习率"),
    "stlr": ("the slanted triangle", "斜三角"),
    "freez": ("gradual unfreezing", "逐层解冻"),
}
SCHEDULES = {
    "constant": ("over a constant rate", "比恒定学习率"),
    "linear": ("over a straight line", "比线性下降"),
    "cosine": ("over the cosine", "比余弦"),
}
FACTORS = {
    "1": ("over 1 (no difference)", "比 1（各层相同）"),
    "1.5": ("over 1.5", "比 1.5"),
    "5": ("over 5", "比 5"),
}
WAYS = {
    "full": ("all layers at once", "所有层一起"),
    "gradual": ("gradual unfreezing", "逐层解冻"),
}
GAIN: Text = ("gain, points", "增益（百分点）")


def places(of: dict[str, Text]) -> dict[str, Text]:
    """Name a task together with something else: "qc, 1.5", in both languages."""
    return {
        f"{task}, {key}": (f"{en}, {more[0]}", f"{zh}，{more[1]}")
        for task, (en, zh) in TASKS.items()
        for key, more in of.items()
    }


LABELLED = places(
    {f"{n} labels": (f"{n} labels", f"{n} 条标注") for n in (25, 40, 100, 500, 1000)}
)


def hundred_labels(old: str) -> Callable[[Rows], dict[str, Interval]]:
    """Return a function: what all stages gain over a model, with 100 labels."""

    def gains(rows: Rows) -> dict[str, Interval]:
        found = rules.gains(rows, "accuracy", "all stages", old)
        few = {place: gain for place, gain in found.items() if " 100 " in place}
        return few or found

    return gains


def both_directions(rows: Rows) -> dict[str, Interval]:
    """Return what the average of both directions gains over forward alone."""
    return rules.gains(rows, "accuracy", "ensemble", "forward")


def main_effect(part: str) -> Callable[[Rows], dict[str, Interval]]:
    """Return a function: a technique's main effect in each task."""
    return lambda rows: {
        task: t_interval(ulmfit_techniques.effects(rows, task)[part])
        for task in rules.beginnings(rows)
    }


def schedule_above_others(rows: Rows) -> dict[str, Interval]:
    """Return by how much the schedule's main effect exceeds both others'."""
    found = {}
    for task in rules.beginnings(rows):
        of = ulmfit_techniques.effects(rows, task)
        for other in ("discr", "freez"):
            pairs = zip(of["stlr"], of[other], strict=True)
            found[f"{task}, {other}"] = t_interval([a - b for a, b in pairs])
    return found


def over_schedules(rows: Rows) -> dict[str, Interval]:
    """Return what the triangle gains over each other schedule, by task."""
    found = {}
    for task in rules.beginnings(rows):
        for other in SCHEDULES:
            a, b = ({"condition": f"{task}: {way}"} for way in ("stlr", other))
            found[f"{task}, {other}"] = ledger.gain(rows, "accuracy", a, b)
    return found


def rises(rows: Rows) -> dict[str, Interval]:
    """Return by how much log perplexity on general text rises, by task and policy."""
    return {
        f"{task}, {way}": t_interval(
            [*ulmfit_techniques.forgotten(rows, task, way).values()]
        )
        for task in rules.beginnings(rows)
        for way in WAYS
    }


def hundred(rows: Rows, t: Pick) -> Rows:
    """Compare 100 labels with all stages with 1000 from scratch, and with TF-IDF."""
    spans, found = ledger.over_seeds(ulmfit.later(rows), "accuracy"), []
    heads = t(
        ("all stages, 100", "from scratch, 1000", "TF-IDF, 100", "TF-IDF, 1000"),
        ("三个阶段，100 条", "从零训练，1000 条", "TF-IDF，100 条", "TF-IDF，1000 条"),
    )
    for task in dict.fromkeys(c.partition(", ")[0] for c in rules.conditions(rows)):
        few, many = (f"{task}, {n} labels" for n in (100, 1000))
        models = (
            ("all stages", few),
            ("from scratch", many),
            ("TF-IDF", few),
            ("TF-IDF", many),
        )
        if set(models) <= spans.keys():
            cells = (f"{100 * spans[place].estimate:.1f}" for place in models)
            name = t(*TASKS.get(task, (task, task)))
            found.append(
                {
                    t("accuracy, %", "准确率（%）"): name,
                    **dict(zip(heads, cells, strict=True)),
                }
            )
    return found or [
        {
            t("accuracy, %", "准确率（%）"): t(
                "no task with 1000 labels", "没有测过 1000 条标注的任务"
            )
        }
    ]


def hundred_against_thousand(rows: Rows) -> dict[str, Interval]:
    """Return all stages with 100 labels minus from scratch with 1,000, by task."""
    rows, found = ulmfit.later(rows), {}
    for task in dict.fromkeys(c.partition(", ")[0] for c in rules.conditions(rows)):
        few, many = (
            rules.by_seed(rows, model, f"{task}, {n} labels", "accuracy")
            for model, n in (("all stages", 100), ("from scratch", 1000))
        )
        both = few.keys() & many.keys()
        if both:
            found[task] = t_interval([few[seed] - many[seed] for seed in sorted(both)])
    return found


def few_or_many_over_words(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return how far both networks of `hundred_against_thousand` are above TF-IDF."""
    rows, found = ulmfit.later(rows), {}
    for task in hundred_against_thousand(rows):
        for model, n in (("all stages", 100), ("from scratch", 1000)):
            ours, bag = (
                rules.by_seed(rows, name, f"{task}, {n} labels", "accuracy")
                for name in (model, "TF-IDF")
            )
            both = sorted(ours.keys() & bag.keys())
            found[task, model] = t_interval([ours[seed] - bag[seed] for seed in both])
    return found


def elmos_way(rows: Rows) -> dict[str, Interval]:
    """Return how far frozen language models under a tagger are above ULMFiT."""
    return {
        f"{name}, {way}": gain
        for way in ELMOS_WAY
        for name, gain in rules.gains(rows, "F1", way, "ULMFiT").items()
    }


def less_than_half_as_much(rows: Rows) -> dict[str, Interval]:
    """Return half of what full fine-tuning forgets minus what gradual does."""
    found = {}
    for task in rules.beginnings(rows):
        full, gradual = (ulmfit_techniques.forgotten(rows, task, way) for way in WAYS)
        found[task] = t_interval([full[seed] / 2 - gradual[seed] for seed in full])
    return found


def networks(effects: Effects) -> Effects:
    """Return effects of networks alone, where a baseline is among the rows."""
    return lambda rows: effects(
        [row for row in rows if row["model"] not in ("TF-IDF", "majority")]
    )


def over_bag_of_words(rows: Rows) -> dict[tuple[str, str], Interval]:
    """Return how far fine-tuned networks are above TF-IDF with the same labels."""
    found = {}
    for name in rules.conditions(rows, "accuracy"):
        task = name.replace(":", ",").partition(",")[0]
        bag = rules.by_seed(rows, "TF-IDF", f"{task}: bag of words", "accuracy")
        for model in ("ULMFiT", "forward", "ensemble"):
            ours = rules.by_seed(rows, model, name, "accuracy")
            if both := sorted(ours.keys() & bag.keys()):
                found[task, f"{name}, {model}"] = t_interval(
                    [ours[seed] - bag[seed] for seed in both]
                )
    return found


# -- facts -----------------------------------------------------------------------------


def reduced(old: float, new: float) -> str:
    """Write which share of an error rate, in per cent, is gone."""
    return f"{relative_error_reduction(100 - old, 100 - new, best=100):.0%}"


def two_ways(t: Pick) -> Rows:
    """Set the error that stage 2 takes away beside what the care in stage 3 does."""
    steps = {
        t("stage 2: none → with all techniques", "第二阶段：没有 → 用全部技术"): ((6.99, 5.00), (6.38, 5.69), (6.09, 5.38)),
        t("stage 2: none → plain", "第二阶段：没有 → 普通微调"): ((6.99, 5.86), (6.38, 6.54), (6.09, 5.61)),
        t("stage 3: all layers at once → ULMFiT", "第三阶段：所有层一起 → ULMFiT"): ((6.87, 5.00), (6.86, 5.69), (5.81, 5.38)),
    }  # fmt: skip
    head = t("error taken away (the paper's numbers)", "减少的错误（论文的数字）")
    sets = ("IMDb", "TREC-6", "AG")
    return [
        {
            head: step,
            **{name: reduced(*pair) for name, pair in zip(sets, pairs, strict=True)},
        }
        for step, pairs in steps.items()
    ]


def ensemble(t: Pick) -> Rows:
    """Work out what the second direction brought on IMDb."""
    return [
        {
            t("IMDb, test error", "IMDb，测试错误率"): t(
                "one direction → two", "单向 → 双向"
            ),
            t("paper, %", "论文（%）"): "5.30 → 4.58",
            t("error taken away", "减少的错误"): reduced(5.30, 4.58),
        }
    ]


def sizes(t: Pick) -> Rows:
    """Set the corpora side by side that are mixed up."""
    lines = (
        (t("WikiText-103 (ULMFiT)", "WikiText-103（ULMFiT）"), "103,000,000", t("28,595 articles, in order", "28,595 篇文章，句子有先后")),
        (t("1B Word Benchmark (ELMo)", "1B Word Benchmark（ELMo）"), t("about 800,000,000", "约 800,000,000"), t("sentences, shuffled", "单句，顺序已打乱")),
    )  # fmt: skip
    heads = t(("corpus", "words", "what it is"), ("语料", "词数", "是什么"))
    return [dict(zip(heads, line, strict=True)) for line in lines]


def dates(t: Pick) -> Rows:
    """List what was public when."""
    lines = (
        (t("autumn 2017", "2017 年秋"), t("ELMo, anonymous submission to ICLR 2018", "ELMo，匿名投稿 ICLR 2018")),
        (t("January 2018", "2018 年 1 月"), t("ULMFiT on arXiv", "ULMFiT 上 arXiv")),
        (t("February 2018", "2018 年 2 月"), t("ELMo on arXiv", "ELMo 上 arXiv")),
        (t("June 2018", "2018 年 6 月"), t("ELMo at NAACL", "ELMo 在 NAACL 发表")),
        (t("15-20 July 2018", "2018 年 7 月 15–20 日"), t("ULMFiT at ACL", "ULMFiT 在 ACL 发表")),
    )  # fmt: skip
    return [{t("when", "时间"): when, t("what", "事件"): what} for when, what in lines]


FORGETS: Text = (
    "Forgetting is inferred from validation errors that rise late in training, with “Full” and not with ULMFiT (figure 4). "
    "What the language model still knows was not measured.",
    "遗忘是从训练后期回升的验证错误率推断的：Full 会回升，ULMFiT 不会（图 4）。语言模型还记得多少，没有测。",
)
CARDS = (
    Card(
        key="three-stages",
        lesson=LESSON,
        as_told="right",
        systems=("ULMFiT",),
        claim=("Three stages beat training from scratch.", "三个阶段胜过从零训练。"),
        source=PAPER,
        quoted=(
            "S0",
            (
                "ULMFiT had the best results of its time on several text classification sets, with far fewer labels.",
                "ULMFiT 在好几个文本分类数据集上做到了当时最好，要的标注也少得多。",
            ),
        ),
        paper=(
            "Classifier from scratch 9.93 / 13.36 / 6.81, ULMFiT 5.00 / 5.69 / 5.38 (validation error on IMDb / TREC-6 / AG, table 7). "
            "The gain over the best earlier result on TREC-6 is not significant, as the paper says itself.",
            "从零训练 9.93 / 13.36 / 6.81，ULMFiT 5.00 / 5.69 / 5.38（IMDb / TREC-6 / AG 的验证错误率，表 7）。"
            "论文自己也说，在 TREC-6 上超过前人的那一点并不显著。",
        ),
        why=(
            "All three stages minus the same network from scratch, with the same 100 "
            "labels. The paper's model read 103 million words, ours 6.6 million in "
            "English and 2.3 million in Chinese, at 5.8 million parameters. Where "
            "neither network is above TF-IDF (IMDb, TNEWS) nothing counts. On the "
            "card dai-le of lesson 12 pre-training reads far less and no network "
            "is above TF-IDF, so nothing could be tried there.",
            "三个阶段减去同样的网络从零训练，用同样的 100 条标注。论文的模型读过 1.03 亿词；"
            "我们的只有 580 万参数，英文读过 660 万词，中文 230 万。两个网络都不比 TF-IDF 强的任务（IMDb、"
            "TNEWS）不计。第 12 课的 dai-le 卡片里，预训练读得少得多，哪个网络都没有超过 TF-IDF，"
            "所以那里等于没有测。",
        ),
        experiments=("ulmfit_labels",),
        effects=hundred_labels("from scratch"),
        hypothesis=Hypothesis(
            2.5,
            (
                "half of the 4.93 points of IMDb, table 7",
                "表 7 里 IMDb 的 4.93 个点的一半",
            ),
            learned=over("accuracy", ["all stages", "from scratch"], "TF-IDF"),
        ),
        effect=GAIN,
        names=LABELLED,
    ),
    Card(
        key="stage-two",
        lesson=LESSON,
        as_told="right",
        systems=("ULMFiT",),
        claim=(
            "Stage 2, tuning the language model on the task's text, helps the classifier.",
            "第二阶段，在任务的文本上微调语言模型，对分类有帮助。",
        ),
        quoted=(
            "S0",
            (
                "Medical texts are written in another way than Wikipedia; reading many of them, without labels, makes the model familiar with it.",
                "医疗文本和维基百科的写法不同；先读大量没有标注的医疗文章，模型就熟悉了。",
            ),
        ),
        paper=(
            "Table 6: without it 6.99 / 6.38 / 6.09, with it 5.00 / 5.69 / 5.38; but plain full tuning 5.86 / 6.54 / 5.61, on "
            "TREC-6 worse than without.",
            "表 6：没有它 6.99 / 6.38 / 6.09，有它 5.00 / 5.69 / 5.38；但普通的全部微调是 5.86 / 6.54 / 5.61，在 TREC-6 上比没有还差。",
        ),
        why=(
            "All three stages minus stages 1 and 3, with the same 100 labels; stage 2 "
            "reads the task's own texts, 3 million words of reviews at most. Where "
            "neither network is above TF-IDF (IMDb, TNEWS) nothing counts.",
            "三个阶段减去只有第一、三阶段的，用同样的 100 条标注；第二阶段读任务自己的文本，"
            "最多三百万词影评。两个网络都不比 TF-IDF 强的任务（IMDb、TNEWS）不计。",
        ),
        experiments=("ulmfit_labels",),
        effects=hundred_labels("without stage 2"),
        hypothesis=Hypothesis(
            1,
            (
                "half of the 1.99 points of IMDb, table 6",
                "表 6 里 IMDb 的 1.99 个点的一半",
            ),
            learned=over("accuracy", ["all stages", "without stage 2"], "TF-IDF"),
        ),
        effect=GAIN,
        names=LABELLED,
    ),
    Card(
        key="hundred-labels",
        lesson=LESSON,
        as_told="right",
        systems=("ULMFiT", "few labels"),
        claim=(
            "With ULMFiT, 100 labels do what ten times as many do from scratch.",
            "用 ULMFiT，100 条标注顶得上从零训练的十倍。",
        ),
        source=PAPER,
        paper=(
            "From scratch it takes 10 times (IMDb) and 20 times (AG) the labels; with all unlabelled text in stage 2, 100 and 50 "
            "times (section 5, figure 3). The rival is the same network from scratch, not a linear model.",
            "从零训练要 10 倍（IMDb）、20 倍（AG）的标注；第二阶段用上全部无标注文本，则是 100 倍和 50 倍（第 5 节，图 3）。"
            "对手是同样的网络从零训练，不是线性模型。",
        ),
        why=(
            "All three stages with 100 labels minus the same network from scratch "
            "with 1,000. Our stage 2 has read all the texts of the task, up to three "
            "million words; in the paper's factor of ten it had read the 100 labelled "
            "texts alone, and with all the text the factor was 100 (IMDb) and 50 (AG). "
            "A task counts where one of the two is above TF-IDF with the "
            "same labels: elsewhere neither has beaten a bag of words.",
            "三个阶段用 100 条标注，减去同样的网络从零训练用 1,000 条。我们的第二阶段读过任务的全部文本"
            "（至多三百万词）；论文里的十倍，第二阶段只读那 100 条有标注的，读全部文本时是"
            "100 倍（IMDb）和 50 倍（AG）。两者之中有一个胜过用同样标注的 TF-IDF，"
            "这个任务才算数：否则两者都没有胜过词袋模型。",
        ),
        experiments=("ulmfit_labels", "ulmfit_curve", "ulmfit_curve_zh"),
        shown=hundred,
        effects=hundred_against_thousand,
        names=TASKS,
        hypothesis=Hypothesis(2, CONVENTION, learned=few_or_many_over_words),
        effect=(
            "100 labels with all stages minus 1,000 from scratch, points",
            "三个阶段 100 条，减去从零训练 1000 条（百分点）",
        ),
    ),
    Card(
        key="stage-two-main-work",
        lesson=LESSON,
        as_told="false",
        systems=("ULMFiT",),
        claim=(
            "ULMFiT's main work is its second stage, tuning the language model on a domain.",
            "ULMFiT 的主要工作就是第二阶段，在领域文本上微调语言模型。",
        ),
        quoted=(
            "S3",
            (
                "The weight of the paper lies on the language model of the domain, which is not a good idea, because a domain has little text; this is why it is limited to classification.",
                "论文的重点放在领域语言模型上，这不是个好主意，因为领域语料多不了；它只做分类，也是这一步造成的。",
            ),
        ),
        paper=(
            "What it calls new are the three techniques of fine-tuning. Table 6: without stage 2 6.99 / 6.38 / 6.09, with it 5.00 / 5.69 / 5.38. "
            "Table 7: stage 3 with all layers at once 6.87 / 6.86 / 5.81, with all techniques 5.00 / 5.69 / 5.38.",
            "论文自称的新东西，是三种微调技术。表 6：没有第二阶段 6.99 / 6.38 / 6.09，有它 5.00 / 5.69 / 5.38。"
            "表 7：第三阶段所有层一起微调 6.87 / 6.86 / 5.81，用上全部技术 5.00 / 5.69 / 5.38。",
        ),
        why=(
            "The techniques in stage 3 take away about as much of the error as stage 2 does, more on TREC-6 and less on AG. And stage 2 itself, "
            "done without them, is worth little more than half as much on IMDb, and nothing on TREC-6. That the stage limits ULMFiT to "
            "classification is nowhere tested.",
            "第三阶段用上这些技术，减少的错误和第二阶段差不多：TREC-6 上更多，AG 上更少。第二阶段本身不用这些技术，好处在 IMDb 上只剩一半多，在 TREC-6 上一点不剩。"
            "至于“这一步把它限制在分类上”，哪里都没有检验过。",
        ),
        facts=two_ways,
    ),
    Card(
        key="ulmfit-below-elmo",
        lesson=LESSON,
        as_told="opinion",
        systems=("ULMFiT", "ELMo"),
        claim=(
            "ULMFiT is at least a class less important than ELMo.",
            "论重要性，ULMFiT 比 ELMo 至少差一档。",
        ),
        quoted=(
            "S3",
            (
                "ULMFiT is good work, but more involved and narrower; a matter of taste, the author admits, he finds ELMo the more beautiful.",
                "ULMFiT 也不错，但又繁琐又窄；作者承认这是口味问题，他觉得 ELMo 更漂亮。",
            ),
        ),
        paper=(
            "Neither paper measures itself against the other. ULMFiT's says in words that fixed features limit ELMo, and that it needs custom architectures.",
            "两篇论文没有拿数字互相比。ULMFiT 只在文字里说：固定的特征限制了 ELMo 的用处，而且 ELMo 要专门设计的结构。",
        ),
        why=(
            "Importance is no quantity. What can be said: ELMo's way, frozen features, became rare; fine-tuning the whole network, with a "
            "warm-up and small rates, is what one does today.",
            "重要性不是能测的量。能说的是：ELMo 那种冻结特征的用法后来少见了；整个网络一起微调，先预热、学习率放小，今天仍是通行的做法。",
        ),
    ),
    Card(
        key="ulmfit-tagging",
        lesson=LESSON,
        as_told="false",
        systems=("ULMFiT", "ELMo"),
        claim=(
            "On tagging and question answering ULMFiT is weaker than ELMo.",
            "在序列标注和问答上，ULMFiT 不如 ELMo。",
        ),
        quoted=(
            "S0",
            (
                "Made for classification, it does less well than ELMo on tagging or question answering.",
                "它是为分类设计的，做序列标注、问答，效果不及 ELMo。",
            ),
        ),
        paper=(
            "Never tried there. The authors call tagging straightforward, and leave entailment and questions open.",
            "没有试过。作者说序列标注照做即可，蕴含和问答则留待以后。",
        ),
        why=(
            "F1 of a frozen language model under a BiLSTM tagger, ELMo's way, minus "
            "that of ULMFiT, with the same labelled sentences. ELMo and the AWD-LSTMs "
            "were each pre-trained once, and ours are small and unlike (19.6 million "
            "parameters, 240 million tokens; two of 5.8, 21 to 45). "
            "So what counts is the same two AWD-LSTMs used in either way; ELMo itself "
            "is drawn beside them. Question answering we did not try.",
            "照 ELMo 的用法，把语言模型冻结、上面接 BiLSTM 标注器，得到的 F1 减去 ULMFiT 的，"
            "标注的句子相同。ELMo 和两个 AWD-LSTM 都只预训练过一次，规模小，也不一样（一个 1960 万参数，"
            "读过两亿四千万个词；两个各 580 万参数，读过两千一百万到四千五百万）。所以算数的是同样两个 AWD-LSTM 的两种用法，"
            "ELMo 本身画在旁边。问答没有试。",
        ),
        experiments=("ulmfit_tagging",),
        effects=elmos_way,
        hypothesis=Hypothesis(
            0.5, CONVENTION, claimed=lambda place: place.endswith(FROZEN) or None
        ),
        effect=(
            "ELMo's way minus ULMFiT, points of F1",
            "ELMo 的用法减 ULMFiT（F1 百分点）",
        ),
        names={
            f"{task}, {n} sentences, {way}": (
                f"{en}, {n} sentences, {of[0]}",
                f"{zh}，{n} 句，{of[1]}",
            )
            for task, (en, zh) in TAGGED.items()
            for n in tagging.LABELLED
            for way, of in ELMOS_WAY.items()
        },
    ),
    Card(
        key="diverse-corpus",
        lesson=LESSON,
        as_told="opinion",
        systems=("ULMFiT",),
        claim=(
            "A corpus as diverse as possible is ideal for general pre-training.",
            "通用预训练，语料越多样越好。",
        ),
        quoted=(
            "S0",
            (
                "Stage 1 is about generality; Wikipedia is ideal because it covers science, history, culture and geography.",
                "第一阶段讲究通用；维基百科什么都有，科技、历史、文化、地理，所以最理想。",
            ),
        ),
        paper=(
            "The authors used one corpus, and leave more diverse ones to future work; they expect that these would help.",
            "作者只用了一个语料，说更多样的语料留待以后研究，并预计会有帮助。",
        ),
        why=(
            "It needs several pre-trainings of one size, on text of one kind and of many. What two cores can repeat is too small: in a trial "
            "(one seed; novels, news, radio reports, film reviews, and a mixture; 300,000 words each; three tasks, 100 labels) a small AWD-LSTM that had read any "
            "of them was hardly anywhere better than one that had read nothing. Where reading does not help, nobody can tell which text helps most.",
            "要检验，得用同样的词数，在单一文本和混合文本上各预训练几次。两个核能重复做的规模太小：试过一次（一个种子；小说、新闻、广播稿、影评，外加混合，各 30 万词；三个任务，各 100 条标注），"
            "小 AWD-LSTM 不管读了哪一种，几乎处处都不比什么也没读的强。读了都没用，也就分不出读哪一种最有用。",
        ),
    ),
    Card(
        key="a-billion-words",
        lesson=LESSON,
        as_told="false",
        systems=("ULMFiT",),
        claim=(
            "ULMFiT was pre-trained on a billion words of Wikipedia.",
            "ULMFiT 是在维基百科的十亿词上预训练的。",
        ),
        quoted=(
            "S0",
            (
                "Stage 1 reads about a billion words of general text, such as Wikipedia.",
                "第一阶段读的是通用语料，例如维基百科，约十亿词。",
            ),
        ),
        paper=(
            "WikiText-103: 28,595 articles, 103 million words (section 3.1).",
            "WikiText-103：28,595 篇文章，1.03 亿词（3.1 节）。",
        ),
        why=(
            "Ten times too many. The corpus with a billion in its name is ELMo's, and has no documents.",
            "多说了十倍。名字里带“10 亿”的是 ELMo 的语料，而且里面没有整篇文章。",
        ),
        facts=sizes,
    ),
    Card(
        key="ulmfit-before-elmo",
        lesson=LESSON,
        as_told="false",
        systems=("ULMFiT", "ELMo"),
        claim=(
            "ULMFiT appeared at ACL in January 2018, months before ELMo at NAACL in March.",
            "ULMFiT 2018 年 1 月在 ACL 发表，比 3 月 NAACL 上的 ELMo 早几个月。",
        ),
        quoted=(
            "S0",
            (
                "ELMo is of March 2018, at NAACL; a few months earlier, in January, ULMFiT was presented at ACL. (S3 has April for ULMFiT.)",
                "ELMo 是 2018 年 3 月在 NAACL 上的；几个月前的 1 月，ULMFiT 在 ACL 上提出。（S3 说 ULMFiT 是 4 月。）",
            ),
        ),
        paper=(
            "The dates on arXiv and of the conferences.",
            "arXiv 上和会议的日期。",
        ),
        why=(
            "Two manuscripts of the same winter, neither the other's forerunner; both conferences came in summer.",
            "两篇稿子出在同一个冬天，谁也不是谁的前身；两个会都开在夏天。",
        ),
        facts=dates,
    ),
    Card(
        key="discriminative-rates",
        lesson=LESSON,
        as_told="imprecise",
        systems=("discriminative rates",),
        claim=("Lower layers must learn more slowly.", "低层必须学得慢些。"),
        source=PAPER,
        quoted=(
            "S0",
            (
                "Lower layers hold what all tasks share and should change little, upper ones may change much.",
                "低层是各任务共有的特征，应该少动；高层可以多动。",
            ),
        ),
        paper=(
            "Full 6.87 / 6.86 / 5.81, with discr 5.57 / 6.21 / 5.62; but Freez + discr 5.39 / 5.86 / 6.04, worse on AG than Freez alone (5.81).",
            "Full 是 6.87 / 6.86 / 5.81，加 discr 是 5.57 / 6.21 / 5.62；但 Freez + discr 是 5.39 / 5.86 / 6.04，在 AG 上还不如单用 Freez（5.81）。",
        ),
        why=(
            "Main effect in a 2³ factorial with 500 labels: the mean of four "
            "combinations with it minus that of four without. One rate, 0.01, in all "
            "eight cells; the paper used 0.001 wherever the layers have no rates of "
            "their own. A rate that high in every layer favours whatever slows the "
            "lower layers down, which is this technique. TNEWS does not count: a bag "
            "of words with the same 500 labels is as good there or better.",
            "500 条标注的 2³ 析因表里的主效应：用了它的四种组合的平均，减去没用的四种。"
            "八种组合用同一个学习率 0.01；论文里凡是不用判别式学习率的，用的是 0.001。"
            "所有层都学这么快，凡是让低层慢下来的办法都占便宜，而这正是它的作用。TNEWS 不计："
            "在那里，词袋模型用同样的 500 条标注，成绩不比它差。",
        ),
        experiments=("ulmfit_factorial", "ulmfit_bag_of_words"),
        effects=networks(main_effect("discr")),
        hypothesis=Hypothesis(
            0.3,
            (
                "half of the 0.65 points of TREC-6, table 7",
                "表 7 里 TREC-6 的 0.65 个点的一半",
            ),
            learned=over_bag_of_words,
        ),
        effect=GAIN,
        names=TASKS,
    ),
    Card(
        key="factor-2.6",
        lesson=LESSON,
        as_told="imprecise",
        systems=("discriminative rates",),
        claim=(
            "The learning rate should fall by a factor of 2.6 from layer to layer.",
            "学习率应该逐层除以 2.6。",
        ),
        source=PAPER,
        paper=(
            "Chosen by trial (section 3.2); no table has another factor.",
            "凭试验选定（3.2 节）；表里没有别的倍数。",
        ),
        why=(
            "The accuracy with a factor of 2.6 between the rates of neighbouring "
            "layers minus that with another factor, 500 labels, the head at 0.01 in "
            "all; 1 means one rate for all layers, for which the paper took 0.001. "
            "TNEWS does not count: a bag of words with the same 500 labels is as good "
            "there or better.",
            "相邻两层学习率之比取 2.6 的准确率，减去取别的比值的；500 条标注，分类头的学习率都是 0.01。"
            "比值 1 就是各层相同，论文这时用的是 0.001。TNEWS 不计：在那里，词袋模型用同样的 500 条标注，"
            "成绩不比它差。",
        ),
        experiments=("ulmfit_factor", "ulmfit_bag_of_words"),
        effects=networks(ulmfit_techniques.factor_gains),
        hypothesis=Hypothesis(
            0.3,
            (
                "half of the 0.65 points of TREC-6 that discriminative rates bring, table 7",
                "表 7 里判别式学习率在 TREC-6 上带来 0.65 个点，取其一半",
            ),
            learned=over_bag_of_words,
        ),
        effect=("gain of 2.6, points", "2.6 的增益（百分点）"),
        names=places(FACTORS),
    ),
    Card(
        key="gradual-unfreezing",
        lesson=LESSON,
        as_told="imprecise",
        systems=("unfreezing",),
        claim=(
            "Gradual unfreezing makes a better classifier.",
            "逐层解冻能得到更好的分类器。",
        ),
        quoted=(
            "S0",
            (
                "Unfreezing from the top, layer by layer, keeps fine-tuning stable and gives the model time to adapt.",
                "从顶层起一层一层解冻，微调才稳定，模型也有时间慢慢适应。",
            ),
        ),
        paper=(
            "On its own 6.37 / 6.86 / 5.81, full fine-tuning 6.87 / 6.86 / 5.81: no difference on two of three sets.",
            "单独用是 6.37 / 6.86 / 5.81，全部微调是 6.87 / 6.86 / 5.81：三个数据集里有两个毫无差别。",
        ),
        why=(
            "Main effect in a 2³ factorial with 500 labels: the mean of four "
            "combinations with it minus that of four without. One rate, 0.01, in all "
            "eight cells; the paper used 0.001 wherever the layers have no rates of "
            "their own. In four of the eight cells the lower layers would get that "
            "rate from the first step, which favours what keeps them frozen for a "
            "while. TNEWS does not count: a bag of words with the same 500 labels is "
            "as good there or better.",
            "500 条标注的 2³ 析因表里的主效应：用了它的四种组合的平均，减去没用的四种。"
            "八种组合用同一个学习率 0.01；论文里凡是不用判别式学习率的，用的是 0.001。"
            "不用判别式学习率的那四种组合里，低层也学得这么快，先冻住几轮的办法就占便宜。"
            "TNEWS 不计：在那里，词袋模型用同样的 500 条标注，成绩不比它差。",
        ),
        experiments=("ulmfit_factorial", "ulmfit_bag_of_words"),
        effects=networks(main_effect("freez")),
        hypothesis=Hypothesis(
            0.25,
            (
                "half of the 0.5 points of IMDb, table 7",
                "表 7 里 IMDb 的 0.5 个点的一半",
            ),
            learned=over_bag_of_words,
        ),
        effect=GAIN,
        names=TASKS,
    ),
    Card(
        key="stlr",
        lesson=LESSON,
        as_told="imprecise",
        systems=("STLR",),
        claim=(
            "The slanted triangle is better than the usual schedules.",
            "斜三角胜过常用的调度。",
        ),
        source=PAPER,
        quoted=(
            "S0",
            (
                "A quick rise and a slow fall of the rate proved better than what is usually done.",
                "学习率快升慢降，实践证明比常用的衰减办法好。",
            ),
        ),
        paper=(
            "Freez + stlr 5.04 / 6.02 / 5.35, Freez + cosine 5.70 / 6.38 / 5.29: better on two, worse on AG.",
            "Freez + stlr 是 5.04 / 6.02 / 5.35，Freez + 余弦是 5.70 / 6.38 / 5.29：两个更好，AG 上更差。",
        ),
        why=(
            "The slanted triangle minus each other schedule, 500 labels, the rest as "
            "in ULMFiT, all at the same highest rate of 0.01. A common peak favours "
            "the schedules that spend less time at it: the constant one never comes "
            "down, and with a lower rate of its own it might do better. The paper "
            "gave rates without discr 0.001. TNEWS does not count: a bag of words "
            "with the same 500 labels is as good there or better.",
            "斜三角减去其他每种调度，500 条标注，其余照 ULMFiT，最高学习率都是 0.01。"
            "最高值相同，对在高处停得短的调度有利：恒定的那种一直不降，要是给它单独挑一个小些的学习率，"
            "也许会好。论文里，不用判别式学习率时用 0.001。TNEWS 不计：在那里，词袋模型用同样的 500 条标注，"
            "成绩不比它差。",
        ),
        experiments=("ulmfit_schedules", "ulmfit_bag_of_words"),
        effects=networks(over_schedules),
        hypothesis=Hypothesis(
            0.2,
            (
                "half of the 0.36 points of TREC-6, table 7",
                "表 7 里 TREC-6 的 0.36 个点的一半",
            ),
            learned=over_bag_of_words,
        ),
        effect=GAIN,
        names=places(SCHEDULES),
    ),
    Card(
        key="most-important",
        lesson=LESSON,
        as_told="imprecise",
        systems=("STLR", "discriminative rates", "unfreezing"),
        claim=(
            "Of the three techniques the schedule matters most.",
            "三种技术里，调度最要紧。",
        ),
        source=("a common reading of table 7", "对表 7 的常见读法"),
        paper=(
            "On top of Freez it is the largest single step on IMDb (6.37 to 5.04) and AG (5.81 to 5.35), not on TREC-6 (discr: 6.86 to "
            "5.86). The table has not all eight combinations, and no intervals.",
            "在 Freez 之上，它在 IMDb（6.37 到 5.04）和 AG（5.81 到 5.35）是最大的一步，在 TREC-6 上不是（discr：6.86 到 5.86）。"
            "表里没有全部八种组合，也没有区间。",
        ),
        why=(
            "The triangle's main effect minus that of each other technique, in the 2³ "
            "factorial with 500 labels. One rate, 0.01, in all eight cells; the paper "
            "used 0.001 wherever the layers have no rates of their own. TNEWS does "
            "not count: a bag of words with the same 500 labels is as good there or "
            "better.",
            "500 条标注的 2³ 析因表里，斜三角的主效应减去另外两种的。八种组合用同一个学习率 0.01；"
            "论文里凡是不用判别式学习率的，用的是 0.001。TNEWS 不计：在那里，词袋模型用同样的 500 条标注，"
            "成绩不比它差。",
        ),
        experiments=("ulmfit_factorial", "ulmfit_bag_of_words"),
        effects=networks(schedule_above_others),
        hypothesis=Hypothesis(0.5, CONVENTION, learned=over_bag_of_words),
        effect=(
            "main effect of the triangle minus another's, points",
            "斜三角的主效应减去另一种的（百分点）",
        ),
        names=places(PARTS),
    ),
    Card(
        key="techniques-together",
        lesson=LESSON,
        as_told="right",
        systems=("ULMFiT", "discriminative rates", "STLR", "unfreezing"),
        claim=(
            "The three techniques together make a better classifier than plain fine-tuning.",
            "三种技术一起用，比普通微调分类更好。",
        ),
        source=PAPER,
        quoted=(
            "S0",
            (
                "Not only three stages in a row: with its techniques transfer works far better.",
                "不只是把三个阶段串起来：加上这几项技术，迁移的效果好得多。",
            ),
        ),
        paper=(
            "All layers at once 6.87 / 6.86 / 5.81, all three techniques 5.00 / 5.69 / 5.38 (table 7).",
            "所有层一起微调 6.87 / 6.86 / 5.81，三种技术都用 5.00 / 5.69 / 5.38（表 7）。",
        ),
        why=(
            "All three minus none of them, 500 labels, after the same stage 2, with "
            "the same number of steps. Both sides have the rate 0.01, but without the "
            "techniques the paper took 0.001: our plain fine-tuning is at a "
            "disadvantage, and a part of the gain may be the rate. TNEWS does not "
            "count: a bag of words with the same 500 labels is as good there or "
            "better.",
            "三种全用减去一种不用，500 条标注，第二阶段相同，步数相同。两边的学习率都是 0.01，"
            "而论文里不用这些技术时是 0.001：我们的普通微调吃了亏，增益里可能有一部分是学习率的缘故。"
            "TNEWS 不计：在那里，词袋模型用同样的 500 条标注，成绩不比它差。",
        ),
        experiments=("ulmfit_factorial", "ulmfit_bag_of_words"),
        effects=networks(ulmfit_techniques.together_gains),
        hypothesis=Hypothesis(
            0.6,
            (
                "half of the 1.17 points of TREC-6, table 7",
                "表 7 里 TREC-6 的 1.17 个点的一半",
            ),
            learned=over_bag_of_words,
        ),
        effect=GAIN,
        names=TASKS,
    ),
    Card(
        key="fine-tuning-forgets",
        lesson=LESSON,
        as_told="imprecise",
        systems=("forgetting", "ULMFiT"),
        claim=(
            "Fine-tuning all layers makes the network forget catastrophically.",
            "微调所有的层，网络会灾难性地遗忘。",
        ),
        quoted=(
            "S0",
            (
                "Updating all layers from the first step, large gradients may destroy what pre-training has learned.",
                "一上来就更新所有层，梯度太大，会毁掉预训练学到的东西。",
            ),
        ),
        paper=FORGETS,
        why=(
            "Log perplexity on general text after stage 3 minus before it, all layers "
            "at once, with ULMFiT's rates and schedule and 500 labels. With one rate "
            "of 0.01 and no schedule the perplexity rises more than tenfold (lesson 10, "
            "section 7). What counts here is that something is forgotten; whether it is a "
            "catastrophe, the accuracy must say, and it speaks against it: 83.6 % on TREC-6, "
            "1.7 points above gradual unfreezing, which forgets less.",
            "第三阶段之后通用文本上的对数困惑度，减去之前的；所有层一起微调，学习率和调度照 ULMFiT，"
            "500 条标注。要是各层都用 0.01、又不用调度，困惑度会升到十倍以上（第 10 课第 7 节）"
            "。这里计入的只是忘没忘；算不算灾难，要看准确率，而准确率并没有垮：TREC-6 上是 83.6%，"
            "比忘得少些的逐层解冻还高 1.7 个点。",
        ),
        experiments=("ulmfit_policies",),
        effects=rises,
        hypothesis=Hypothesis(
            10,
            ("a tenth of a nat: our convention", "0.1 奈特，本课的约定"),
            claimed=lambda place: place.endswith("full"),
        ),
        effect=("rise of log perplexity, 0.01 nats", "对数困惑度上升（0.01 奈特）"),
        digits=0,
        names=places(WAYS),
    ),
    Card(
        key="unfreezing-prevents-forgetting",
        lesson=LESSON,
        as_told="imprecise",
        systems=("unfreezing", "forgetting"),
        claim=(
            "Gradual unfreezing prevents catastrophic forgetting.",
            "逐层解冻可以防止灾难性遗忘。",
        ),
        source=PAPER,
        quoted=(
            "S0",
            (
                "Against catastrophic forgetting only the last layer is trained at first, then one more at a time.",
                "为防灾难性遗忘，先只训练最后一层，再一层层往下放开。",
            ),
        ),
        paper=FORGETS,
        why=(
            "To prevent is more than to lessen: half of the rise in log perplexity "
            "with all layers at once minus the whole rise with gradual unfreezing; "
            "above 0 more than half of the forgetting is gone. Rates and schedule are "
            "ULMFiT's on both sides; the paper measured no perplexity afterwards.",
            "“防止”比“减轻”要求高：所有层一起微调时对数困惑度涨幅的一半，减去逐层解冻的涨幅；"
            "大于 0，才算挡住了一大半遗忘。两边都用 ULMFiT 的学习率和调度；论文没有测事后的困惑度。",
        ),
        experiments=("ulmfit_policies",),
        effects=less_than_half_as_much,
        hypothesis=Hypothesis(
            10, ("a tenth of a nat: our convention", "0.1 奈特，本课的约定")
        ),
        effect=(
            "half of what all layers at once forget minus what gradual unfreezing does, 0.01 nats",
            "所有层一起遗忘的一半，减去逐层解冻遗忘的（0.01 奈特）",
        ),
        digits=0,
        names=TASKS,
    ),
    Card(
        key="one-directional",
        lesson=LESSON,
        as_told="false",
        systems=("ULMFiT", "pooling"),
        claim=(
            "ULMFiT is one-directional; two directions came only with BERT.",
            "ULMFiT 是单向的，到 BERT 才有双向。",
        ),
        quoted=(
            "S0",
            (
                "It reads from left to right only, which limits it; BERT later removed the limit.",
                "它只能从左往右读，受了限制；后来 BERT 才解决。",
            ),
        ),
        paper=(
            "All main results average a forward and a backward classifier: IMDb test error 5.30 to 4.58. What came with BERT is one single model in "
            "which a prediction sees both sides.",
            "主要结果都是前向、后向两个分类器的平均：IMDb 测试错误率从 5.30 降到 4.58。BERT 带来的是：同一个模型的一次预测能看到两侧。",
        ),
        why=(
            "This is about what the paper did; what the second direction brings here, "
            "the card one-direction-is-enough says.",
            "这里说的是论文的做法。第二个方向在我们这里带来多少，见 one-direction-is-enough 那张卡片。",
        ),
        facts=ensemble,
    ),
    Card(
        key="one-direction-is-enough",
        lesson=LESSON,
        as_told="false",
        systems=("ULMFiT", "pooling"),
        claim=(
            "For classification, one direction of reading is enough.",
            "做分类，单向读就够了。",
        ),
        source=("a fair suspicion", "合理的怀疑"),
        paper=(
            "On IMDb the second direction lowers the test error from 5.30 to 4.58, at twice the cost.",
            "IMDb 上，第二个方向把测试错误率从 5.30 降到 4.58，代价加倍。",
        ),
        why=(
            "The average of a forward and a backward classifier minus the forward one "
            "alone. “Enough” says that the difference is too small to matter. Our "
            "language models have 5.8 million parameters each. TNEWS and IMDb do not "
            "count: a bag of words with the same labels is as good there or better.",
            "前向、后向两个分类器的平均，减去单用前向。“就够了”的意思是，差别小到不要紧。"
            "我们的语言模型各有 580 万参数。TNEWS 和 IMDb 不计：在那里，词袋模型用同样的标注，"
            "成绩不比它差。",
        ),
        experiments=("ulmfit_directions", "ulmfit_bag_of_words"),
        effects=networks(both_directions),
        hypothesis=Hypothesis(
            0.35,
            ("half of the 0.72 points of IMDb", "论文里 IMDb 的 0.72 个点的一半"),
            alike=True,
            learned=over_bag_of_words,
        ),
        effect=("both directions over forward, points", "双向比前向（百分点）"),
        names=LABELLED,
    ),
)
