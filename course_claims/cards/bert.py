"""Lesson 14: BERT, its masks, its pairs of sentences, its layers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from course_lib.analysis.influence import influence
from course_lib.analysis.statistics import Interval, relative_error_reduction
from course_lib.models.bert import BERT, BERTConfig, mask_pieces
from course_lib.models.transformer import Transformer
from course_lib.text.batches import IGNORE
from course_lib.text.pieces import MARKS

from .. import ledger, rules
from ..claim_card import Card, Pick, Rows, Text
from ..experiments.tiny_bert import STANDARD_BERT, TWIN
from ..outcome import Hypothesis
from ..rules import only, over

LESSON = "14_bert"
PAPER: Text = ("Devlin et al. 2019", "Devlin 等（2019）")
TASKS = {
    "chunks, fine-tuned": ("chunks, fine-tuned", "组块，微调"),
    "chunks, frozen": ("chunks, frozen", "组块，冻结"),
    "sentiment, fine-tuned": ("sentiment, fine-tuned", "情感，微调"),
    "questions, fine-tuned": ("does it answer? fine-tuned", "是不是答案，微调"),
    "same document, fine-tuned": ("same document? fine-tuned", "同一文档吗，微调"),
}
POLICIES = {
    "100/0/0": ("always [MASK]", "总用 [MASK]"),
    "80/20/0": ("80 [MASK], 20 another", "80% [MASK]，20% 换成别的"),
    "0/100/0": ("always another piece", "总换成别的词片"),
}
COMPARED = (
    TASKS
    | {
        f"{task}: twins": (f"{en}: the twins", f"{zh}：双胞胎之差")
        for task, (en, zh) in TASKS.items()
    }
    | {
        f"{task}: {policy}": (f"{en}: {of[0]}", f"{zh}：{of[1]}")
        for task, (en, zh) in TASKS.items()
        for policy, of in POLICIES.items()
    }
)
READERS = {
    "input": ("input (no context)", "输入（无上下文）"),
    "last": ("last layer", "最后一层"),
    "second-to-last": ("second to last", "倒数第二层"),
    "sum of the last four": ("sum of the last four", "最后四层相加"),
    "last four side by side": ("last four side by side", "最后四层拼接"),
    "mean of all": ("mean of all", "各层平均"),
}


def differences(
    new: str, old: str, how: str = ""
) -> Callable[[Rows], dict[str, Interval]]:
    """Return a function: by how much one way is above another, and the twins.

    how: the ending of the conditions that are asked for
    """

    def effects(rows: Rows) -> dict[str, Interval]:
        found = {}
        for c in rules.conditions(rows, "score"):
            if c.endswith(how):
                found[c] = rules.gain_in(rows, "score", new, old, c)
                found[f"{c}: twins"] = rules.gain_in(
                    rows, "score", TWIN, STANDARD_BERT, c
                )
        return found

    return effects


def policies(rows: Rows) -> dict[str, Interval]:
    """Return by how much each policy is above 80/10/10, fine-tuned, and the twins."""
    found = {}
    for c in rules.conditions(rows, "score"):
        if c.endswith("fine-tuned"):
            for policy in POLICIES:
                found[f"{c}: {policy}"] = rules.gain_in(
                    rows, "score", policy, STANDARD_BERT, c
                )
            found[f"{c}: twins"] = rules.gain_in(rows, "score", TWIN, STANDARD_BERT, c)
    return found


def tuned_over(rows: Rows) -> dict[str, Interval]:
    """Return by how much fine-tuning is above each reader of frozen layers."""
    one = {"model": "fine-tuned", "condition": "fine-tuned"}
    return {
        name: ledger.gain(rows, "score", one, {"model": name, "condition": "frozen"})
        for name in READERS
    }


def over_last(rows: Rows) -> dict[str, Interval]:
    """Return by how much each reader is above the last layer alone."""
    return {
        name: rules.gain_in(rows, "score", name, "last", "frozen")
        for name in READERS
        if name != "last"
    }


# -- facts -----------------------------------------------------------------------------


def leak(t: Pick) -> Rows:
    """Ask by a gradient whether a state has read the word that it must say."""
    T, D, hidden = 7, 16, 3

    def masked(x: torch.Tensor) -> torch.Tensor:
        x = x.clone()
        x[:, hidden] = 1.0  # the same whatever stood there
        return two_sided(x)[0]

    with torch.random.fork_rng():  # a notebook's own draws stay as they were
        torch.manual_seed(14)
        x = torch.randn(1, T, D)
        one_sided, two_sided = (
            Transformer(2, D, 2, causal=c).eval() for c in (True, False)
        )
        ways = {
            t("left to right, the next word", "从左到右，猜下一个词"): (lambda x: one_sided(x)[0], hidden - 1),
            t("both sides, the next word", "两侧都看，猜下一个词"): (lambda x: two_sided(x)[0], hidden - 1),
            t("both sides, a masked word", "两侧都看，猜被遮的词"): (masked, hidden),
        }  # fmt: skip
        found = {w: influence(r, x)[state, hidden] for w, (r, state) in ways.items()}
    heads = t(
        ("a Transformer that sees", "influence of the answer"),
        ("Transformer 的看法", "答案的影响"),
    )
    return [
        dict(zip(heads, (way, f"{float(size):.2g}"), strict=True))
        for way, size in found.items()
    ]


def pieces(t: Pick) -> Rows:
    """Mask rows of pieces, and count the vectors that say which text a piece is of."""
    rng = np.random.default_rng(14)
    rows = rng.integers(len(MARKS), 1000, size=(500, 128))
    targets = mask_pieces(rows, 1000, rng)[1]
    with torch.random.fork_rng():
        small = BERT(BERTConfig(1, 8, 1, 128), 1000)
    head = t("in our code", "在我们的代码里")
    lines = {
        t("pieces (not words) that are asked for", "要猜的词片（不是词）"): f"{np.mean(targets != IGNORE):.1%}",
        t("segment vectors, however many sentences", "段向量，不管有几句话"): len(small.segment.weight),
    }  # fmt: skip
    return [{head: name, "": value} for name, value in lines.items()]


def questions_asked(t: Pick) -> Rows:
    """Count the questions of one pass over a million pieces."""
    heads = t(
        (
            "asked",
            "questions a pass (1M pieces)",
            "passes for 1M questions",
        ),
        ("问多少", "一百万词片读一遍，问几次", "问满一百万次，读几遍"),
    )
    lines = (
        (t("every piece (left to right)", "每个词片（从左到右）"), 1.0),
        (t("15 % (masked)", "15%（掩码）"), 0.15),
    )
    return [
        dict(zip(heads, (name, f"{1e6 * share:,.0f}", f"{1 / share:.1f}"), strict=True))
        for name, share in lines
    ]


def larger(t: Pick) -> Rows:
    """Work out which share of the error the larger model takes away."""
    gone = relative_error_reduction(79.8, 87.8, best=100)
    heads = t(
        ("MRPC, dev (the paper's numbers)", "error taken away"),
        ("MRPC，开发集（论文的数字）", "减少的错误"),
    )
    return [dict(zip(heads, ("79.8 → 87.8", f"{gone:.0%}"), strict=True))]


TABLE_7: Text = (
    "Table 7, entities (dev): embeddings 91.0, last layer 94.9, second to last 95.6, weighted sum of the last four 95.9, last four side by side 96.1, "
    "weighted sum of all 95.5, fine-tuned 96.4. Its reader is a biLSTM of two layers.",
    "表 7，实体识别（开发集）：嵌入层 91.0，最后一层 94.9，倒数第二层 95.6，最后四层加权和 95.9，最后四层拼接 96.1，所有层加权和 95.5，微调 96.4。"
    "它的读取器是两层 biLSTM。",
)
POINTS: Text = ("difference, points", "差（百分点）")
CARDS = (
    Card(
        key="gpt-plus-two-directions",
        lesson=LESSON,
        as_told="false",
        systems=("BERT", "MLM", "lineage"),
        claim=(
            "GPT with two directions is BERT; ELMo with a Transformer is BERT.",
            "GPT 加双向就是 BERT；ELMo 换成 Transformer 就是 BERT。",
        ),
        quoted=(
            "S3",
            (
                "Give GPT's pre-training both directions, and you have BERT; put a Transformer into ELMo, and you have BERT as well.",
                "把 GPT 的预训练换成双向就得到 BERT；把 ELMo 的特征抽取器换成 Transformer，也得到 BERT。",
            ),
        ),
        paper=(
            "A two-sided Transformer cannot be trained to predict the next word: each word would see itself through the others (section 3.1). "
            "Two one-sided ones joined on top are twice as dear and strictly less powerful (5.1). Transformer biLMs had been tried (Peters et al. "
            "2018b). What is new is the objective.",
            "两侧都看的 Transformer 没法拿来训练预测下一个词：每个词会经由别的词间接看到自己（3.1 节）。两个单向的到顶层才拼，代价加倍，而且严格弱于双向的（5.1 节）。"
            "用 Transformer 做 biLM 早就有人试过（Peters 等，2018b）。真正新的是训练目标。",
        ),
        why=(
            "Our column is a gradient: above 0, the state has read the word that it is asked for. Something else must be asked: a masked word.",
            "我们的一列是梯度：大于 0，就是这个状态已经读过要它猜的词。得换一个问题来问：被遮住的词。",
        ),
        facts=leak,
    ),
    Card(
        key="fifteen-per-cent-of-words",
        lesson=LESSON,
        as_told="false",
        systems=("BERT", "MLM"),
        claim=(
            "BERT masks 15 % of the words, and adds a sentence embedding.",
            "BERT 遮住 15% 的词，并加上句子嵌入。",
        ),
        quoted=(
            "S3",
            (
                "15 % of the words are taken out at random; a word's input is the sum of its position's, its own and its sentence's embedding.",
                "随机抠掉 15% 的单词；输入是位置、单词、句子三个嵌入之和。",
            ),
        ),
        paper=(
            "15 % of the WordPiece tokens in each sequence (3.1). A learned segment vector says whether a token belongs to A or B: two vectors in all.",
            "每个序列里 15% 的 WordPiece 词片（3.1 节）。学来的段向量表示一个词片属于 A 还是 B：总共两个向量。",
        ),
        why=(
            "A rare word of four pieces is asked for piece by piece, and its rest may stand there. A segment may have many sentences.",
            "一个切成四片的生僻词，是一片一片来猜的，其余几片可能就在旁边。一段里也可以有许多句话。",
        ),
        facts=pieces,
    ),
    Card(
        key="fifteen-per-cent-slower",
        lesson=LESSON,
        as_told="imprecise",
        systems=("MLM",),
        claim=(
            "A masked language model is asked for 15 % of the pieces only, so it learns six or seven times as slowly.",
            "掩码语言模型每次只问 15% 的词片，所以学得要慢六七倍。",
        ),
        source=("a natural conclusion", "顺理成章的推论"),
        paper=(
            "It converges somewhat more slowly than left to right, but is ahead in accuracy almost at once (MNLI after equally many steps).",
            "收敛比从左到右稍慢，但准确率几乎一开始就领先（MNLI，步数相同）。",
        ),
        why=(
            "The count is right, the conclusion does not follow: in the paper the masked model was ahead almost at once. In our ladder of lesson 15, "
            "after equally many questions, it fills more gaps correctly than the forward language model, which sees one side only, but its loss is higher; "
            "and that one is another network, an LSTM.",
            "数没有数错，推论却不成立：论文里，掩码模型几乎一开始就领先。第 15 课的梯子上，回答同样多的问题，它猜对的空缺比只看一侧的前向语言模型多，损失却更高；不过那是另一种网络，LSTM。",
        ),
        facts=questions_asked,
    ),
    Card(
        key="mask-mismatch",
        lesson=LESSON,
        as_told="right",
        systems=("MLM", "BERT"),
        claim=(
            "The 80/10/10 rule repairs the mismatch that [MASK] makes.",
            "80/10/10 的规则弥补了 [MASK] 造成的不一致。",
        ),
        source=PAPER,
        quoted=(
            "S3",
            (
                "In pre-training the model sees many [MASK]s, in use none; to avoid this problem only 80 % are masked, 10 % exchanged, 10 % left.",
                "训练时满眼 [MASK]，使用时却没有；为此只遮 80%，10% 换成别的词，10% 不动。",
            ),
        ),
        paper=(
            "Table 8, always [MASK] against 80/10/10: entities from frozen features 94.0 against 94.9; fine-tuned 94.9 against 95.4 and MNLI 84.3 against 84.2.",
            "表 8，总用 [MASK] 对 80/10/10：冻结特征做实体识别，94.0 对 94.9；微调则是 94.9 对 95.4，MNLI 84.3 对 84.2。",
        ),
        why=(
            "80/10/10 minus always [MASK]. Only frozen layers count, for fine-tuning can repair a mismatch by itself. Our BERTs have two layers of 96 dimensions and a million words of Rivertown, a made-up English from which the tasks are taken, too; the paper's has 3.3 billion words. Each way was pre-trained once. The seeds draw labels and heads, and say nothing of another pre-training: in an earlier one of the same recipes 80/10/10 was 1.1 points ahead, in this one it is as much behind.",
            "80/10/10 减去总用 [MASK]。只有冻结的一项算数，因为微调自己就能弥补不一致。我们的 BERT 有两层、96 维，读一百万词的河湾镇英文（人造的语言，任务也出自那里）；论文读 33 亿词。每种办法只预训练了一次。种子抽的是标注和分类头，换一次预训练会怎样，它们没有说：同样的配方，上一次是 80/10/10 领先 1.1 个点，这一次却落后同样多。",
        ),
        experiments=("bert_masking",),
        effects=differences(STANDARD_BERT, "100/0/0"),
        hypothesis=Hypothesis(
            0.45,
            (
                "half of the 0.9 of frozen features, table 8",
                "表 8 冻结特征上的 0.9 的一半",
            ),
            claimed=only("chunks, frozen"),
            once=True,
        ),
        effect=POINTS,
        names=COMPARED,
    ),
    Card(
        key="robust-to-masking",
        lesson=LESSON,
        as_told="right",
        systems=("MLM", "frozen or tuned"),
        claim=(
            "Fine-tuning hardly cares how one masks.",
            "只要微调，怎么遮都差不多。",
        ),
        source=PAPER,
        paper=(
            'Table 8, six policies: MNLI 83.6 to 84.4, entities fine-tuned 94.8 to 95.4; "surprisingly robust". Always another piece is lowest on MNLI.',
            "表 8，六种办法：MNLI 83.6 到 84.4，实体微调 94.8 到 95.4；作者说“出人意料地稳健”。MNLI 上，总换成别的词片最低。",
        ),
        why=(
            "Each policy minus 80/10/10, fine-tuned. Only the chunks count: on sentiment the untrained network is better. BERTs of two layers and 96 dimensions, a million words of Rivertown, a made-up English from which the tasks are taken, too; each policy was pre-trained once, so the seeds say nothing of another pre-training. “Always another piece” is 16.9 points behind because it has hardly begun to use the context (perplexity 234); an earlier one of the same recipe had (69), and was 3.6 behind.",
            "各种办法减去 80/10/10，只看微调。只有组块算数：情感任务上，没训练过的网络更好。BERT 有两层、96 维，读一百万词的河湾镇英文（人造的语言，任务也出自那里）；每种办法只预训练了一次，换一次会怎样，种子没有说。“总换成别的词片”低 16.9 个点，是因为它几乎还没开始利用上下文（困惑度 234）；同样的配方上一次学会了（69），只低 3.6 个点。",
        ),
        experiments=("bert_masking",),
        effects=policies,
        hypothesis=Hypothesis(
            0.8,
            (
                "as much as the six policies differ in the paper on MNLI, table 8",
                "论文表 8 里，六种办法在 MNLI 上相差这么多",
            ),
            claimed=lambda place: (
                place.startswith("chunks, fine-tuned") and "twins" not in place
            ),
            alike=True,
            once=True,
        ),
        effect=POINTS,
        names=COMPARED,
    ),
    Card(
        key="next-sentence",
        lesson=LESSON,
        as_told="imprecise",
        systems=("NSP",),
        claim=(
            "Next sentence prediction does not matter.",
            "下一句预测无关紧要。",
        ),
        quoted=(
            "S3",
            (
                "Predicting the next sentence has no great influence on the whole and depends on the task; it can basically be left aside.",
                "预测下一句对整体影响不大，跟具体任务有关，基本不影响大局。",
            ),
        ),
        paper=(
            "Table 5, without NSP: QNLI 88.4 to 84.9, MNLI 84.4 to 83.9, SQuAD 88.5 to 87.9, others by 0.2 or less. RoBERTa (2019) later did as well without it: "
            "it depends on the set-up.",
            "表 5，去掉 NSP：QNLI 从 88.4 降到 84.9，MNLI 84.4 到 83.9，SQuAD 88.5 到 87.9，其余不超过 0.2。后来 RoBERTa（2019）不用它也一样好：要看怎么训练。",
        ),
        why=(
            "With NSP minus without, fine-tuned. BERTs of two layers and 96 dimensions, texts and tasks of Rivertown, a made-up English, each pre-trained once, so the seeds say nothing of another pre-training: these two twins have learned NSP (72 % of the pairs right), of an earlier pair one had not (50 %). Only the chunks count, a task of single sentences; NSP should matter for pairs, and there neither way is above the untrained network.",
            "有 NSP 减去没有，都经过微调。BERT 有两层、96 维，文本和任务都出自人造的河湾镇英文，每种只预训练了一次，换一次会怎样，种子没有说：这对双胞胎都学会了 NSP（句对答对 72%），上一对里却有一个没学会（50%）。算数的只有组块，那是单句任务；NSP 本该对句对有用，而在句对任务上，两者都没有超过没训练过的网络。",
        ),
        experiments=("bert_ablation",),
        effects=differences(STANDARD_BERT, "no NSP"),
        hypothesis=Hypothesis(
            0.25,
            (
                "half of the 0.5 points of MNLI, table 5",
                "表 5 里 MNLI 的 0.5 个点的一半",
            ),
            claimed=lambda place: "twins" not in place,
            alike=True,
            once=True,
            learned=over("score", ["80/10/10", "no NSP"], "untrained"),
        ),
        effect=POINTS,
        names=COMPARED,
    ),
    Card(
        key="both-sides",
        lesson=LESSON,
        as_told="right",
        systems=("BERT", "GPT", "MLM"),
        claim=(
            "Looking both ways beats left to right.",
            "两侧都看，胜过从左到右。",
        ),
        source=PAPER,
        quoted=(
            "S3",
            (
                "Compared with GPT, the language model of both directions did most, above all in tasks that need what follows.",
                "跟 GPT 相比，起主要作用的是双向语言模型，需要看下文的任务尤其如此。",
            ),
        ),
        paper=(
            "Table 5, both without NSP: MNLI 83.9 against 82.1, QNLI 84.9 against 84.3, MRPC 86.5 against 77.5, SST-2 92.6 against 92.1, SQuAD 87.9 against 77.8. "
            "A biLSTM on top of left to right: SQuAD 84.9, MRPC 75.7.",
            "表 5，两者都不用 NSP：MNLI 83.9 对 82.1，QNLI 84.9 对 84.3，MRPC 86.5 对 77.5，SST-2 92.6 对 92.1，SQuAD 87.9 对 77.8。"
            "从左到右的上面再加 biLSTM：SQuAD 84.9，MRPC 75.7。",
        ),
        why=(
            "Masked minus left to right, both without NSP; the left-to-right one stays so in fine-tuning. BERTs of two layers and 96 dimensions, a million words of Rivertown, a made-up English from which the tasks are taken, too; the paper's has 3.3 billion words. Each was pre-trained once. Only the chunks count, and they speak for both sides by more than the twins differ; of “does it answer?” neither network has learned anything (neither is above the untrained one). But twins are one pair, and the seeds say nothing of another pre-training.",
            "掩码减去从左到右，都没有 NSP；从左到右的那个，微调时也只看左边。BERT 有两层、96 维，读一百万词的河湾镇英文（人造的语言，任务也出自那里），论文读 33 亿词；每种只预训练了一次。算数的只有组块，那里是两侧都看的好，差大于双胞胎之差；“是不是答案”上，两个网络都没学到东西（都没有超过没训练过的）。可双胞胎只有一对，换一次预训练会怎样，种子没有说。",
        ),
        experiments=("bert_ablation",),
        effects=differences("no NSP", "left to right, no NSP"),
        hypothesis=Hypothesis(
            0.25,
            (
                "half of the 0.5 points of SST-2, table 5",
                "表 5 里 SST-2 的 0.5 个点的一半",
            ),
            claimed=lambda place: "twins" not in place,
            once=True,
            learned=over("score", ["no NSP", "left to right, no NSP"], "untrained"),
        ),
        effect=POINTS,
        names=COMPARED,
    ),
    Card(
        key="frozen-features",
        lesson=LESSON,
        as_told="right",
        systems=("feature-based", "frozen or tuned", "BERT"),
        claim=(
            "BERT works about as well with frozen features.",
            "冻结起来只取特征，BERT 也差不多一样好。",
        ),
        source=PAPER,
        paper=TABLE_7,
        why=(
            "Fine-tuned minus the last four layers side by side, frozen: the claim is right if fine-tuning is not ahead, and here it is behind. bert-en has four layers, so these are all of them, and 3.4 million parameters; the task is chunks, 500 sentences to learn from, with a linear reader. The paper's is names, with a biLSTM. One checkpoint: of another one the seeds say nothing.",
            "微调减去冻结的最后四层拼接：只要微调不领先，这个说法就对；在这里，微调落后。bert-en 只有四层，所以那就是全部；参数三百四十万，任务是组块，用 500 句来学，读取器是线性的。论文是命名实体，用 biLSTM 来读。只有一个检查点，换一个会怎样，种子没有说。",
        ),
        experiments=("bert_features",),
        effects=tuned_over,
        hypothesis=Hypothesis(
            0.3,
            ("the paper's difference", "论文里的差"),
            claimed={"last four side by side": -1}.get,
        ),
        effect=("fine-tuned over the frozen, points", "微调比冻结的高（百分点）"),
        names=READERS,
    ),
    Card(
        key="not-the-last-layer",
        lesson=LESSON,
        as_told="right",
        systems=("feature-based", "layers", "BERT"),
        claim=(
            "The last layer is not the best one to read.",
            "最后一层并不是最该读的。",
        ),
        source=PAPER,
        paper=TABLE_7,
        why=(
            "Four ways to read bert-en's frozen layers, each minus the last layer alone: four layers, 3.4 million parameters, chunks, 500 sentences to learn from, a linear reader. The paper reads names from a far larger BERT with a biLSTM. One checkpoint: of another one the seeds say nothing.",
            "读 bert-en 冻结各层的四种办法，各减去只读最后一层：四层，参数三百四十万，任务是组块，用 500 句来学，读取器是线性的。论文读的是命名实体，BERT 大得多，用 biLSTM 来读。只有一个检查点，换一个会怎样，种子没有说。",
        ),
        experiments=("bert_features",),
        effects=over_last,
        hypothesis=Hypothesis(
            0.6,
            ("half of the paper's 1.2", "论文的 1.2 的一半"),
            claimed=only(
                "second-to-last",
                "sum of the last four",
                "last four side by side",
                "mean of all",
            ),
        ),
        effect=("over the last layer, points", "比最后一层高（百分点）"),
        names=READERS,
    ),
    Card(
        key="bigger-is-better",
        lesson=LESSON,
        as_told="right",
        systems=("BERT", "few labels"),
        claim=(
            "A larger model is better, even on very small data sets.",
            "模型越大越好，数据集很小也一样。",
        ),
        source=PAPER,
        paper=(
            "MRPC from 79.8 with the smallest to 87.8 with the largest model tried, all amply pre-trained.",
            "MRPC：试过的最小模型 79.8，最大的 87.8，都做了充分的预训练。",
        ),
        why=(
            "Our column only divides the paper's numbers. To test it, one needs much more text than a laptop reads: with little text, larger models may well be worse.",
            "我们的一列只是拿论文的数字算一算。要检验，得读的文本远不是一台笔记本读得完的；文本少的时候，大模型反而更差也不奇怪。",
        ),
        facts=larger,
    ),
    Card(
        key="bert-generates",
        lesson=LESSON,
        as_told="opinion",
        systems=("BERT", "seq2seq"),
        claim=(
            "BERT can easily be made to translate and to write: begin encoder and decoder with it.",
            "让 BERT 做翻译、写作也不难：用它初始化编码器和解码器就行。",
        ),
        quoted=(
            "S3",
            (
                "The paper does not say so, but with a little thought: a Transformer encoder and a Transformer decoder, both initialised by pre-training.",
                "论文没提，但稍微想想就知道：编码器、解码器都用 Transformer，各用预训练来初始化。",
            ),
        ),
        paper=(
            "Not tried; the paper's four kinds of tasks have no generation among them.",
            "没有试过；论文的四类任务里没有生成。",
        ),
        why=(
            "The idea of lesson 12 with another encoder. But BERT has never learned to go on from what stands on the left, so “easily” is the question. Too large for two cores.",
            "这是第 12 课的思路，换了编码器。可是 BERT 从没学过只凭左边往下写，“不难”二字正是要打问号的。两个核做不了。",
        ),
    ),
    Card(
        key="best-on-eleven",
        lesson=LESSON,
        as_told="right",
        systems=("BERT",),
        claim=(
            "BERT was the best on eleven tasks.",
            "BERT 在十一项任务上都是最好的。",
        ),
        quoted=(
            "S3",
            (
                "On eleven tasks of many kinds it is the best so far, on some by far.",
                "在 11 个各种类型的任务上达到目前最好，有些提升极大。",
            ),
        ),
        paper=(
            "The abstract says so. Pre-training had 3.3 billion words.",
            "摘要里这么说。预训练用了 33 亿词。",
        ),
        why=(
            "A list of results, of the largest model and of one month. It cannot be repeated here; what we can repeat, on a small scale, are single differences.",
            "这是最大的模型在某一个月里的成绩单，在这里重复不了；能在小规模上重复的，是一处一处的差别。",
        ),
    ),
)
