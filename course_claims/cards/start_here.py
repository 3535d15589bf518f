"""Lesson 00: how to read a claim."""

from __future__ import annotations

from course_lib.analysis.statistics import relative_error_reduction

from ..claim_card import Card, Pick, Rows

LESSON = "00_start_here"
# Peters et al. 2018, table 1: the best system before, the authors' own baseline, and that
# baseline with ELMo. SNLI and SST-5: accuracy; the others: F1.
TABLE_1 = {
    "SQuAD": (84.4, 81.1, 85.8),
    "SNLI": (88.6, 88.0, 88.7),
    "SRL": (81.7, 81.4, 84.6),
    "Coref": (67.2, 67.2, 70.4),
    "NER": (91.93, 90.15, 92.22),
    "SST-5": (53.7, 51.4, 54.7),
}
# Labels that did as well as some other number of them without pre-training (see `paper`).
MULTIPLIERS = (
    ("ELMo, SRL", "1 %", "10 %", 10),
    ("ULMFiT, IMDb", "100", "1,000", 10),
    ("ULMFiT, AG", "100", "2,000", 20),
)


def reductions() -> dict[str, float]:
    """Return the share of the baseline's errors that ELMo removed, by task."""
    return {
        task: relative_error_reduction(baseline, new, best=100)
        for task, (_, baseline, new) in TABLE_1.items()
    }


def multipliers(t: Pick) -> Rows:
    """Show which data multipliers the papers' own learning curves give."""
    heads = t(
        ("from the papers' curves", "labels", "as good as", "data multiplier"),
        ("从论文的曲线看", "标注", "相当于", "数据倍数"),
    )
    return [
        dict(zip(heads, (system, few, many, f"× {times}"), strict=True))
        for system, few, many, times in MULTIPLIERS
    ]


def over_the_best(t: Pick) -> Rows:
    """Show the gain over the authors' baseline and over the best system before."""
    heads = t(
        (
            "task",
            "over the own baseline",
            "over the best before",
            "baseline minus the best",
        ),
        ("任务", "比自己的基线高", "比此前最好的高", "基线减此前最好的"),
    )
    return [
        dict(
            zip(
                heads,
                (task, *(f"{x:+.1f}" for x in (new - own, new - best, own - best))),
                strict=True,
            )
        )
        for task, (best, own, new) in TABLE_1.items()
    ]


CARDS = (
    Card(
        key="share-of-full-performance",
        lesson=LESSON,
        as_told="false",
        systems=("few labels", "ELMo"),
        claim=(
            "With 10 to 20 % of the labels ELMo reaches 80 to 90 % of full performance.",
            "ELMo 只用 10%～20% 的标注，就能达到全量性能的 80%～90%。",
        ),
        quoted=(
            "S0",
            (
                "With ELMo a tenth or a fifth of the labels brings a model to 80 or 90 % of what all "
                "of them used to give; the article says it twice, the second time of ULMFiT as well.",
                "用了 ELMo，10%～20% 的标注就有原先全部标注 80%～90% 的成绩；文中说了两次，第二次连 ULMFiT 也算上。",
            ),
        ),
        paper=(
            "Not this. Peters et al. 2018, section 5.4: semantic role labelling with ELMo and 1 % of "
            "the labels is about as good as the baseline with 10 %; with all labels ELMo passes the "
            "baseline's best score, reached after 486 epochs, in 10.",
            "没有这个数。Peters 等（2018）5.4 节：语义角色标注加上 ELMo 之后，用 1% 的标注约等于基线用 10%；"
            "用全部标注时，基线训练 486 轮才达到的最好成绩，ELMo 10 轮就超过了。",
        ),
        why=(
            "The figure is in neither paper, so the sentence is false as told. Such a share is easy to "
            "reach all the same: lesson 08 measured it (card few-labels), and ours came out above 80 % "
            "in most tasks, in some of them without pre-training. Both verdicts are meant: one is about "
            "what a paper says, the other about what happens. Ask for the data multiplier.",
            "两篇论文里都没有这个数，所以这句转述不属实。可是这样的比例本来就不难达到：第 08 课量过（卡片 few-labels），"
            "多数任务都过了 80%，有的任务不用预训练也过。两个结论并不矛盾，一个说的是论文写了什么，"
            "一个说的是实际会怎样。该问的是数据倍数。",
        ),
        facts=multipliers,
    ),
    Card(
        key="over-the-best",
        lesson=LESSON,
        as_told="imprecise",
        systems=("ELMo",),
        claim=(
            "Simply adding ELMo to the best models of the time improved them clearly on all six tasks.",
            "给当时最好的模型简单地加上 ELMo，六个任务都有明显提升。",
        ),
        quoted=(
            "S0",
            (
                "On six tasks of 2018 just adding ELMo gave the best models of the day a marked gain.",
                "说不用改别的，加上 ELMo，六个任务上的顶尖模型就都上了一个台阶。",
            ),
        ),
        paper=(
            "Table 1 has three columns: the best system before, the authors' own baseline, and that "
            "baseline with ELMo.",
            "表 1 有三栏成绩：此前最好的系统、作者自己的基线、基线加 ELMo。",
        ),
        why=(
            "ELMo was added to the authors' own baselines, and five of the six were below the best "
            "system before. All six end above it, two of them by 0.3 points or less.",
            "ELMo 加在作者自己的基线上，六个基线里有五个不如此前最好的系统。加上之后六个都超过了它，其中两个只高出 "
            "0.3 个点，甚至不到。",
        ),
        facts=over_the_best,
    ),
)
