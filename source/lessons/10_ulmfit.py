# %% [markdown] key="title" lang="en"
# # 10 · ULMFiT: fine-tuning a whole language model
#
# After this lesson you can
#
# * take a general language model to a task in three stages, and say what each one learns;
# * write the slanted triangular schedule, rates for every layer, and gradual unfreezing;
# * pool a long document, and say which of its words receive a gradient;
# * compare a classifier with 100 labels fairly, and put the gain into labels;
# * read a 2³ factorial: main effects, interactions, and what no slogan contains;
# * measure how much a model has forgotten instead of guessing it.
#
# Running time: about three minutes of one core (quick profile: under one).
# The paper: Howard and Ruder, *Universal Language Model Fine-tuning for Text
# Classification* (arXiv January 2018, ACL July 2018).

# %% [markdown] key="title" lang="zh" follows="664093ca"
# # 10 · ULMFiT：微调整个语言模型
#
# 学完本课，你能够
#
# * 分三个阶段把通用语言模型用到一个任务上，并说清每个阶段学了什么；
# * 写出斜三角学习率调度、逐层学习率和逐层解冻；
# * 对长文档做池化，并说清哪些词收得到梯度；
# * 用 100 条标注公平地比较分类器，并把优势折算成标注数；
# * 读懂 2³ 析因表：主效应、交互作用，以及口号里没有的东西；
# * 用测量代替猜测，说出一个模型忘了多少。
#
# 运行时间：单核约三分钟（精简规模不到一分钟）。论文：Howard 与 Ruder，*Universal Language Model Fine-tuning for Text Classification*（2018 年 1 月上 arXiv，7 月在 ACL 发表）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import copy
import itertools
import math
import sys
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_claims.experiments import ulmfit, ulmfit_techniques
from course_lib import data
from course_lib.analysis import baselines, statistics
from course_lib.text.batches import read_text
from course_lib.text.streams import Streams
from course_lib.training import fine_tune as tuning
from course_lib.training import schedules, stages

_ = torch.manual_seed(10)
FULL = course_lib.by_profile(full=True, quick=False)
wanted, town = t("imdb", "chnsenticorp"), f"rivertown-{t.language}-sentiment"
NAME = wanted if FULL and data.at_hand(wanted) else town
LABELS = course_lib.by_profile(full=100, quick=40)
sizes = course_lib.by_profile(
    full=stages.StageSizes(train=1000, test=200, words=150_000),
    quick=stages.StageSizes(train=200, test=60, words=6_000),
)
print(t("reviews in this run:", "本次所用评论："), NAME)
print(t("they are read and split, some 10 seconds …", "正在读入并划分，约 10 秒……"))
task = stages.prepare(NAME, sizes)

# %% [markdown] key="stages" lang="en"
# ## 1 · One review, three stages
#
# Here is a review, as the model will see it, with the label that somebody gave it.

# %% [markdown] key="stages" lang="zh" follows="2d93d5ae"
# ## 1 · 一条评论，三个阶段
#
# 先看一条评论。这是模型将要读到的样子，后面是有人给它打的标签。

# %% key="stages-review"
shortest = min(range(50), key=lambda i: sum(map(len, task.documents["train"][i])))
review = task.documents["train"][shortest]
print(" ".join(word for sentence in review for word in sentence))
print("→", task.splits["train"][shortest].label)
print(len(task.splits["train"]), t("such reviews may be labelled;", "条这样的评论可供标注；"),
      f"{task.text.n_tokens:,}", t("words of reviews without labels", "个词的评论没有标注"))  # fmt: skip

# %% [markdown] key="stages-idea" lang="en"
# Labels are dear, text is cheap. A label is worth one bit here; but a review of 200 words
# holds 200 next words to predict. ULMFiT spends them in this order:
#
# 1. **General text.** Train a language model on as much text as there is. Once, for all tasks.
# 2. **The task's text, without labels.** Go on training the same language model on it.
# 3. **The labels.** Put a small new head on the language model, and train both.
#
# Lessons 05-08 froze the language model and read features out of it. Here nothing stays
# frozen: *all* layers become the task's. What makes that difficult is the subject of the paper.

# %% [markdown] key="stages-idea" lang="zh" follows="b7988a32"
# 标注贵，文本便宜。在这里，一个标签只值一个比特；而一条 200 词的评论，就有 200 个“下一个词”可以预测。ULMFiT 按下面的次序把它们用起来：
#
# 1. **通用文本。** 有多少文本就用多少，训练一个语言模型。只做一次，各个任务通用。
# 2. **任务的文本，不要标签。** 接着训练同一个语言模型。
# 3. **标签。** 在语言模型上面加一个小小的新分类头，两者一起训练。
#
# 第 05 至 08 课把语言模型冻结起来，只读它的特征。这里什么也不一直冻着：*所有*的层都归任务所有。难就难在这里，这也正是论文的主题。

# %% key="stages-picture" fold=true
parts = [t("words", "词向量"), *(f"LSTM {k}" for k in (1, 2, 3))]
columns = [
    (
        t("1 · general text", "1 · 通用文本"),
        t("softmax", "softmax"),
        t("next word", "下一个词"),
        0,
    ),
    (
        t("2 · the task's text", "2 · 任务的文本"),
        t("softmax", "softmax"),
        t("next word", "下一个词"),
        1,
    ),
    (t("3 · labels", "3 · 标签"), t("head", "分类头"), t("class", "类别"), 2),
]
shades = [
    "#DDDDDD",
    "#9CC9E8",
    "#4C8FC4",
    "#F2C572",
]  # new, after 1, after 2, only in 3
figure, ax = plt.subplots(figsize=(8.2, 3.6))
for k, (title, top, goal, stage) in enumerate(columns):
    for level, name in enumerate([*parts, top]):
        new = stage == 2 and level == len(parts)
        box = plt.Rectangle(
            (3 * k, level),
            2,
            0.8,
            facecolor=shades[3 if new else stage],
            edgecolor="0.3",
        )
        ax.add_patch(box)
        ax.text(3 * k + 1, level + 0.4, name, ha="center", va="center", fontsize=9)
    ax.text(3 * k + 1, len(parts) + 1.35, goal, ha="center", va="center")
    ax.annotate("", (3 * k + 1, len(parts) + 1.15), (3 * k + 1, len(parts) + 0.8),
                arrowprops={"arrowstyle": "->"})  # fmt: skip
    ax.text(3 * k + 1, -0.45, title, ha="center", va="center", fontsize=10)
    if k:
        ax.annotate(
            "",
            (3 * k - 0.1, 1.9),
            (3 * k - 0.9, 1.9),
            arrowprops={"arrowstyle": "->", "lw": 2},
        )
        ax.text(3 * k - 0.5, 2.15, t("weights", "权重"), ha="center", fontsize=8)
ax.set_xlim(-0.3, 8.3)
ax.set_ylim(-0.8, len(parts) + 1.7)
ax.set_axis_off()
course_lib.show(
    figure,
    alt=t(
        "Three stacks of layers side by side, for the three stages. The weights are handed on; in the "
        "third stage a new head stands in place of the softmax.",
        "三个阶段各一摞层，左右排列，权重依次传下去；第三阶段用新的分类头代替 softmax。",
    ),
)

# %% [markdown] key="stages-seen" lang="en"
# **What to see.** From left to right the weights are handed on, and only the orange box is
# new. Word vectors (lessons 02-04) would hand on the lowest box alone.

# %% [markdown] key="stages-seen" lang="zh" follows="1e3469f7"
# **看什么。** 权重从左往右传下去，只有橙色的一块是新的。换成词向量（第 02 至 04 课），传下去的只有最底下的一块。

# %% [markdown] key="stage1" lang="en"
# ## 2 · Stage 1: read widely
#
# The paper's general text is WikiText-103: 28,595 articles, 103 million words. (Not "one billion
# words", as some accounts have it; that is another corpus, which ELMo's authors used.) Ours is
# smaller, and so is the model: the AWD-LSTM of lesson 09, which ships with the course. Its
# text has no review of this lesson's task in it, and no label of any task.

# %% [markdown] key="stage1" lang="zh" follows="acce1653"
# ## 2 · 第一阶段：博览
#
# 论文用的通用文本是 WikiText-103：28595 篇文章，1.03 亿词。（不是有些文章说的“十亿词”，那是另一个语料，ELMo 的作者用过。）我们的文本少得多，模型也小得多：就是第 09 课的 AWD-LSTM，随课程提供。它的文本里没有本课任务的评论，也没有任何任务的标签。

# %% key="stage1-run"
from course_lib.models.awd_lstm import Remembering, generate
from course_lib.training.loop import evaluate

general, known = course_lib.load(f"awdlstm-{t.language}")
print(t("parameters:", "参数："), f"{sum(p.numel() for p in general.parameters()):,};",
      t("words:", "词表："), f"{len(known):,}")  # fmt: skip


def continued(model, vocabulary, start, n=30):
    """Let a language model go on with a text, at temperature 0.7."""
    torch.manual_seed(10)
    found = generate(model, vocabulary.encode(start), n, temperature=0.7)
    return " ".join([*start[1:], *vocabulary.decode(found)])


START = ["<S>", *t("i think the", "我 觉得 这家").split()]
print(continued(general, known, START))

# %% [markdown] key="stage1-seen" lang="en"
# **What to see.** Grammar more or less, sense hardly, and the tone of news and old books. It
# has not read reviews. (`</S>` ends a sentence.)

# %% [markdown] key="stage1-seen" lang="zh" follows="0d480634"
# **看什么。** 语法大体还行，意思说不通，口气像新闻、像书面语。它读过网购和外卖的评价，没读过这一课要分类的评论。（`</S>` 是句末。）

# %% [markdown] key="stage2" lang="en"
# ## 3 · Stage 2: read what the task reads
#
# Reviews have words that general text lacks, and the softmax can only say words of its own
# list. So the list is changed first. A word that both lists have keeps its vector; a new one
# begins at the mean of all vectors, because nothing better is known about it.

# %% [markdown] key="stage2" lang="zh" follows="c77f5be1"
# ## 3 · 第二阶段：读任务要读的文本
#
# 评论里有些词，通用文本里没有；而 softmax 只能说自己词表里的词。所以先换词表。两张表都有的词，保留原来的向量；新词从所有向量的平均开始，因为对它还一无所知。

# %% key="stage2-words"
course_lib.source(tuning.with_vocabulary)
model = tuning.with_vocabulary(general, known, task.vocabulary)
new = [word for word in task.vocabulary.words if word not in known]
print(t("words in the new list:", "新词表："), f"{len(task.vocabulary):,};",
      t("of these new:", "其中新词："), f"{len(new):,}")  # fmt: skip
print(t("the commonest new ones:", "最常见的新词："), ", ".join(new[:12]))

# %% [markdown] key="stage2-measure" lang="en"
# How well does it know reviews? Its perplexity on reviews that it will not train on. And, for
# later, its perplexity on *general* text. Both with the new list: perplexities over different
# lists cannot be compared. Nor can our two texts be compared with each other: a word that the list
# lacks counts as `<unk>`, and the more of them there are, the easier the guess. Compare before and
# after, on the same text.

# %% [markdown] key="stage2-measure" lang="zh" follows="adf7d5a2"
# 它对评论有多熟？看它在不参加训练的评论上的困惑度。为了后面用，再记下它在*通用*文本上的困惑度。两个都用新词表：词表不同，困惑度不能比。两种文本之间也不能比：词表没有的词一律算 `<unk>`，这样的词越多，越好猜。只能拿同一种文本的前后来比。

# %% key="stage2-before"
words = course_lib.by_profile(full=5000, quick=1500)
elsewhere = ulmfit_techniques.elsewhere(t.language, words, quick=not data.at_hand(t("brown", "msra")))
unread = stages.shortened(read_text(task.documents["test"], window=sys.maxsize), words)
TEXTS = {t("reviews", "评论"): unread, t("general text", "通用文本"): elsewhere}


def perplexities(model):
    """Return the perplexity on each text, in the task's vocabulary."""
    return [
        math.exp(
            evaluate(Remembering(model), Streams(text, task.vocabulary, rows=8)).item()
        )
        for text in TEXTS.values()
    ]


def unknown(text):
    """Return which share of a text is not in the list."""
    return np.mean(np.array(task.vocabulary.encode(text.words))[text.ids] == 0)


history = {t("after stage 1", "第一阶段后"): perplexities(model)}
print({name: round(p) for name, p in zip(TEXTS, *history.values(), strict=True)})
print(
    t("not in the list:", "词表没有的："),
    {name: f"{unknown(text):.0%}" for name, text in TEXTS.items()},
)

# %% [markdown] key="stage2-train" lang="en"
# Now the training, with the two techniques of the next section: each layer at its own rate, and a
# rate that rises fast and falls slowly. Watch the bar: the loss is the language model's own.
# Nobody has looked at a label yet.

# %% [markdown] key="stage2-train" lang="zh" follows="a905cb6a"
# 现在训练，用上下一节的两种技术：每层各有学习率；学习率快升慢降。看着进度条：损失还是语言模型自己的。到此为止，谁也没看过一个标签。

# %% key="stage2-run"
rows = 32 if task.text.n_tokens > 50_000 else 4
_ = torch.manual_seed(10)
run = tuning.fine_tune(
    model, Streams(task.text, task.vocabulary, rows), epochs=1, rate=4e-3
)
tuned = model
history[t("after stage 2", "第二阶段后")] = perplexities(tuned)
print(t("seconds:", "秒数："), round(run.seconds))
claims.show_table([t("perplexity", "困惑度"), *TEXTS],
           [(when, *(f"{p:.0f}" for p in found)) for when, found in history.items()])  # fmt: skip
print(continued(tuned, task.vocabulary, START))

# %% [markdown] key="stage2-seen" lang="en"
# **What to see.** On reviews the perplexity falls. A part of that is only the new words, whose
# vectors were all alike; the rest is the manner of reviews. Compare the two continuations. And
# look at the second column: what has it done to general text? Section 8 comes back to it.
#
# The paper's stage 2 (table 6, validation errors on IMDb / TREC-6 / AG, the last one news in four
# topics): from 6.99 / 6.38 / 6.09 without it to 5.00 / 5.69 / 5.38 with it. But *plain* fine-tuning
# of all layers at one rate made TREC-6 worse, 6.54. The picture shows what we measured: the
# accuracy with 100 labels, when stage 2 has read more and more reviews.

# %% [markdown] key="stage2-seen" lang="zh" follows="b4cee684"
# **看什么。** 评论上的困惑度降了。其中一部分只是新词的功劳，它们的向量原先全都一样；余下的是评论的口气。把两段续写比一比。再看第二列：通用文本上怎么样了？第 8 节还要回来看它。
#
# 论文里第二阶段的结果（表 6，IMDb / TREC-6 / AG 的验证错误率，AG 是四类新闻）：没有它是 6.99 / 6.38 / 6.09，有它是 5.00 / 5.69 / 5.38。可是*普通*的微调，所有层一个学习率，反而把 TREC-6 弄到 6.54，更差了。下图是我们测的：第二阶段读的评论越来越多，用 100 条标注能得多少分。

# %% key="stage2-stored" fold=true
TASKS = {
    "imdb": t("IMDb, film reviews", "IMDb 影评（英文）"),
    "qc": t("TREC-6, questions", "TREC-6 问题类型（英文）"),
    "sentence_polarity": t("film review sentences", "影评单句（英文）"),
    "chnsenticorp": t("hotel reviews (zh)", "酒店评论（中文）"),
    "tnews": t("headlines, 15 topics (zh)", "新闻标题，十五类（中文）"),
    "categories": t("shopping: what was bought? (zh)", "购物评论：买的是什么？"),
    "online_shopping": t("shopping: good or bad? (zh)", "购物评论：好评差评？"),
}


def split_condition(rows, between):
    """Cut "imdb, 100 labels" or "qc: discr" in two; tasks in the order of the file."""
    pairs = dict.fromkeys(tuple(r["condition"].split(between, 1)) for r in rows)
    table = {}
    for name, rest in pairs:
        table.setdefault(name, []).append(rest)
    return table


def band(ax, x, spans, style, label):
    """Draw means with their intervals, in per cent."""
    y = 100 * np.array([tuple(span) for span in spans])  # (N, 3)
    bars = np.nan_to_num([y[:, 0] - y[:, 1], y[:, 2] - y[:, 0]])
    ax.errorbar(x, y[:, 0], bars, fmt=style, ms=4, capsize=3, label=label)


def count_seeds(rows):
    """Say how many seeds there are."""
    n = len({row["seed"] for row in rows})
    print(t(f"{n} seed(s); bars: 95 % intervals", f"{n} 个种子；短线为 95% 区间"))


amounts = claims.kept("ulmfit_stage2", t)
if amounts:
    spans = claims.over_seeds(amounts, "accuracy", by=("condition",))
    figure, ax = plt.subplots(figsize=(6.2, 3.4))
    for name, rest in split_condition(amounts, ", ").items():
        found = sorted((int(text.split()[0]), text) for text in rest)
        band(ax, [max(n, 1000) for n, _ in found], [spans[(f"{name}, {text}",)] for _, text in found],
             "o-", TASKS.get(name, name))  # fmt: skip
    amount = sorted(
        {
            int(text.split()[0])
            for rest in split_condition(amounts, ", ").values()
            for text in rest
        }
    )
    ax.set_xscale("log")
    ax.set_xticks(
        [max(n, 1000) for n in amount], [f"{n:,}" for n in amount], fontsize=8
    )
    ax.minorticks_off()
    ax.set_xlabel(
        t(
            "words that stage 2 has read",
            "第二阶段读过的词数",
        )
    )
    ax.set_ylabel(t("accuracy, %", "准确率（%）"))
    ax.legend(fontsize=8)
    course_lib.show(
        figure,
        alt=t(
            "Accuracy with 100 labels against the number of words that stage 2 has read, on a "
            "logarithmic axis, with intervals.",
            "用 100 条标注的准确率随第二阶段词数的变化，横轴为对数，带区间。",
        ),
    )
    count_seeds(amounts)

# %% [markdown] key="stage2-stored-seen" lang="en"
# **What to see.** Does a line rise, and where does it begin to? The intervals say whether these
# seeds can tell.

# %% [markdown] key="stage2-stored-seen" lang="zh" follows="7935c0ff"
# **看什么。** 曲线涨不涨，从哪里开始涨？这几个种子分不分得出来，要看区间。

# %% [markdown] key="stlr" lang="en"
# ## 4 · Three ways to be careful
#
# ### The slanted triangle
#
# The paper calls it *slanted triangular learning rates* (**stlr**). Say a training has 1,000 steps.
# The first step is taken at a rate of 0.0003, step 50 at 0.005, step 100 at the full 0.01; then it
# goes down again slowly: 0.005 at step 550, 0.0003 at the end. Up fast, to find a region that suits
# the task; down slowly, to settle there. Why up at all? At the beginning the head is random, and what
# it sends down is noise. In the paper's symbols (equation 3), for step $t$ of $T$, with
# $cut\_frac = 0.1$, $ratio = 32$, $\eta_{max} = 0.01$:
#
# $$cut = \lfloor T \cdot cut\_frac \rfloor, \qquad
#   p = \begin{cases} t / cut & \text{if } t < cut \\
#   1 - \dfrac{t - cut}{cut \cdot (1/cut\_frac - 1)} & \text{otherwise,} \end{cases} \qquad
#   \eta_t = \eta_{max} \cdot \frac{1 + p \cdot (ratio - 1)}{ratio}.$$

# %% [markdown] key="stlr" lang="zh" follows="d65161a3"
# ## 4 · 三种小心的办法
#
# ### 斜三角
#
# 论文叫*斜三角学习率*（slanted triangular learning rates，简写 **stlr**）。假设训练 1000 步。第一步的学习率是 0.0003，第 50 步 0.005，第 100 步到顶，0.01；然后慢慢往下走：第 550 步 0.005，最后 0.0003。升得快，好赶紧找到适合任务的区域；降得慢，好在那里安顿下来。为什么要先升？一开始分类头是随机的，它往下传的只是噪声。用论文的记号（式 3），对 $T$ 步中的第 $t$ 步，$cut\_frac = 0.1$，$ratio = 32$，$\eta_{max} = 0.01$：
#
# $$cut = \lfloor T \cdot cut\_frac \rfloor, \qquad
#   p = \begin{cases} t / cut & t < cut \\
#   1 - \dfrac{t - cut}{cut \cdot (1/cut\_frac - 1)} & \text{否则} \end{cases} \qquad
#   \eta_t = \eta_{max} \cdot \frac{1 + p \cdot (ratio - 1)}{ratio}$$

# %% key="stlr-picture"
course_lib.source(schedules.stlr)
print([round(schedules.stlr(step, 1000), 4) for step in (0, 50, 100, 550, 1000)])
SCHEDULES = {
    "stlr": (schedules.slanted, t("slanted triangle", "斜三角")),
    "constant": (schedules.constant, t("constant", "恒定")),
    "linear": (schedules.linear, t("linear", "线性")),
    "cosine": (schedules.cosine, t("cosine", "余弦")),
}
progress = np.linspace(0, 1, 401)
figure, ax = plt.subplots(figsize=(6.2, 3))
for (schedule, label), style in zip(
    SCHEDULES.values(), ("-", ":", "--", "-."), strict=True
):
    ax.plot(progress, [schedule(x) for x in progress], style, lw=2, label=label)
ax.set_xlabel(t("part of the training that is done", "训练进度"))
ax.set_ylabel(t("share of the rate", "占最高学习率的份额"))
ax.legend(fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Four schedules: a slanted triangle that peaks at a tenth of the way, a constant, a straight "
        "line down, and half a wave of the cosine.",
        "四种调度：在十分之一处到顶的斜三角、恒定、直线下降、半个余弦波。",
    ),
)

# %% [markdown] key="stlr-seen" lang="en"
# **What to see.** After the peak the triangle is nearly the straight line. What is special about it
# is the first tenth.

# %% [markdown] key="stlr-seen" lang="zh" follows="3fa9bcaa"
# **看什么。** 过了顶点，斜三角跟直线几乎一样。它特别的地方，就在最前面的十分之一。

# %% [markdown] key="discr" lang="en"
# ### A rate for each layer
#
# The paper calls it *discriminative fine-tuning* (**discr**). Its assumption comes from vision
# (lesson 04): low layers hold what is the same in all text, high ones what is special to a task.
# (Lesson 08 did not find the layers so neatly divided.) So the lower, the slower. With a rate of
# 0.01 for the head, the LSTM below it gets $0.01/2.6 = 0.0038$, the next 0.0015, then 0.0006, and
# the words 0.0002. In the paper's symbols, with the parameters $\theta^l$ of layer $l$:
#
# $$\theta_t^l = \theta_{t-1}^l - \eta^l \cdot \nabla_{\theta^l} J(\theta), \qquad
#   \eta^{l-1} = \eta^l / 2.6.$$
#
# The 2.6 was found by trial; section 7 tries others.
#
# ### One layer more in each epoch
#
# The paper calls it *gradual unfreezing* (**freez**). In the first epoch only the head learns, in the
# second the top LSTM as well, and so on: by the time a gradient reaches the lower layers, it says
# something. A trap for programmers: an optimiser that was made from the parameters that can learn *now*
# never hears of the others. Here it is given all of them at once; one without a gradient is passed
# over.
#
# ![Three stacks of layers from left to right, one for each stage of ULMFiT: the language model of general text is trained on with the task's text, then its layers are copied once more and a new head takes the place of the softmax; in stages 2 and 3 the learning rate falls by a factor of 2.6 from each layer to the one below (in stage 2 the word vectors are also the softmax, and learn as the top), and in stage 3 one more layer begins to learn in each epoch, the head first.](drawing:ulmfit_stages)

# %% [markdown] key="discr" lang="zh" follows="9bfac409"
# ### 每层各有学习率
#
# 论文叫 discriminative fine-tuning，简写 **discr**。它的假设来自视觉（第 04 课）：低层装的是所有文本共有的东西，高层装的是某个任务特有的。（第 08 课里，各层分得并没有这么清楚。）所以越低，学得越慢。分类头的学习率若是 0.01，它下面的 LSTM 就是 $0.01/2.6 = 0.0038$，再往下 0.0015、0.0006，词向量只有 0.0002。用论文的记号，$\theta^l$ 是第 $l$ 层的参数：
#
# $$\theta_t^l = \theta_{t-1}^l - \eta^l \cdot \nabla_{\theta^l} J(\theta), \qquad
#   \eta^{l-1} = \eta^l / 2.6$$
#
# 2.6 是试出来的；第 7 节会试试别的数。
#
# ### 每轮多解冻一层
#
# 论文叫*逐层解冻*（gradual unfreezing，简写 **freez**）：第一轮只有分类头学，第二轮加上最高的 LSTM，依此类推：等梯度传到低层时，它已经言之有物了。写程序的人要当心一个陷阱：优化器如果只用*此刻*能学的参数来建，就永远不知道还有别的参数。这里一开始就把所有参数都交给它；没有梯度的，它会跳过。
#
# ![从左到右三摞层，是 ULMFiT 的三个阶段：读通用文本的语言模型接着读任务的文本，然后各层再复制一次，新的分类头代替 softmax；第 2、3 阶段，每低一层，学习率就除以 2.6（第 2 阶段的词向量同时是 softmax，按最高层的学习率学）；第 3 阶段从分类头开始，每轮多解冻一层。](drawing:ulmfit_stages)

# %% key="grid-picture"
course_lib.source(tuning.discriminative, tuning.gradual)
EPOCHS, LAYERS = 7, [*parts, t("head", "分类头")]


def rate_grid(policy, factor, schedule):
    """Return each layer's mean rate in each epoch. Shape: (5, EPOCHS), nan: frozen."""
    groups = tuning.discriminative([[]] * 5, 0.01, factor)
    share = [
        np.mean([schedule((e + u) / EPOCHS) for u in np.linspace(0, 1, 51)])
        for e in range(EPOCHS)
    ]
    grid = np.outer([group["lr"] for group in groups], share)
    for epoch in range(EPOCHS):
        frozen = [d for d in range(5) if d not in tuning.POLICIES[policy](epoch, 5)]
        grid[frozen, epoch] = np.nan
    return grid


grids = {
    t("plain: all layers, one rate", "普通微调：所有层，一个学习率"): rate_grid(
        "full", 1, schedules.constant
    ),
    "ULMFiT": rate_grid("gradual", tuning.FACTOR, schedules.slanted),
}
figure, axes = plt.subplots(1, 2, figsize=(9.2, 3.2), sharey=True)
for ax, (title, grid) in zip(axes, grids.items(), strict=True):
    ax.imshow(
        np.log10(grid),
        origin="lower",
        aspect="auto",
        cmap="Blues",
        vmin=-5.2,
        vmax=-1.6,
    )
    for layer, epoch in itertools.product(range(5), range(EPOCHS)):
        rate = grid[layer, epoch]
        text, ink = f"{1000 * rate:.2g}", "white" if rate > 0.002 else "black"
        text = "·" if np.isnan(rate) else text
        ax.text(epoch, layer, text, color=ink, ha="center", va="center", fontsize=8)
    ax.set_title(title, fontsize=10)
    ax.set_xlabel(t("epoch", "轮"))
axes[0].set_yticks(range(5), LAYERS)
course_lib.show(
    figure,
    alt=t(
        "Two grids of layers by epochs with learning rates. Left: 10 everywhere. Right: a staircase, "
        "the head from epoch 0, one layer more in each epoch, smaller rates below and towards the end.",
        "两个“层 × 轮”的学习率网格。左：处处是 10。右：阶梯形，分类头从第 0 轮开始，每轮多一层，越低、越往后越小。",
    ),
)

# %% [markdown] key="grid-seen" lang="en"
# **What to see.** Mean learning rates in thousandths; a dot is frozen. On the right the words move
# in the last epochs only, at less than a hundredth of the rate on the left. Three techniques, all
# of them brakes on the lower layers: they may well do each other's work. Section 7 asks.

# %% [markdown] key="grid-seen" lang="zh" follows="8cd2f4c5"
# **看什么。** 数字是平均学习率（千分之几），点表示冻结。右图里，词向量只在最后几轮才动，而且学习率不到左图的百分之一。三种技术都是给低层踩刹车，很可能彼此重复。第 7 节来查。

# %% [markdown] key="widget" lang="en"
# Compose a fine-tuning yourself: which layer learns when, and how fast. Where the composition is one that was
# measured, the runs are shown beside it, with what the model forgot.

# %% [markdown] key="widget" lang="zh" follows="b2e5a8b7"
# 自己编排一次微调：哪一层什么时候学，学多快。如果这种编排正好测过，旁边会显示测得的结果，还有模型忘了多少。

# %% key="widget-run"
from course_lib.widgets.fine_tuning import EXPERIMENTS, fine_tuning

fine_tuning({key: claims.kept(key, t) for key in EXPERIMENTS}, t.language)

# %% [markdown] key="pool" lang="en"
# ## 5 · From outputs to a class
#
# ### Last, highest, mean
#
# The language model leaves an output for every word. Say there are three words and two features:
# $(1, -5)$, $(6, -7)$, $(2, -9)$. The last output has read everything, but long ago read is half
# forgotten, and the word that decides (*dull*, *wonderful*) may stand anywhere. So the classifier is
# given three views of $H = \{h_1, \dots, h_T\}$:
#
# $$h_c = [\,h_T,\ \text{maxpool}(H),\ \text{meanpool}(H)\,],$$
#
# here $(2, -9)$, $(6, -5)$ and $(3, -7)$. In a batch, short documents are padded; padding must be in
# none of the three. We check that on a real classifier: two reviews in one batch, and each alone.

# %% [markdown] key="pool" lang="zh" follows="d7f16e79"
# ## 5 · 从输出到类别
#
# ### 最后、最大、平均
#
# 语言模型给每个词留下一个输出。假设三个词，两个特征：$(1, -5)$、$(6, -7)$、$(2, -9)$。最后一个输出读过全文，可是早先读的已忘了大半，而决定褒贬的词（“糟糕”“超值”）可能在任何地方。所以分类器拿到 $H = \{h_1, \dots, h_T\}$ 的三个侧面：
#
# $$h_c = [\,h_T,\ \text{maxpool}(H),\ \text{meanpool}(H)\,],$$
#
# 这里是 $(2, -9)$、$(6, -5)$ 和 $(3, -7)$。一批里短的文档要填充，三样都不能混进填充。拿真的分类器检查一下：两条评论放在一批里，和各自单独读。

# %% key="pool-run"
from course_lib.models.classifier import TextClassifier, concat_pool
from course_lib.text.documents import Documents, pad

course_lib.source(concat_pool)
outputs = torch.tensor(
    [[[1.0, -5.0], [6.0, -7.0], [2.0, -9.0], [99.0, 99.0]]]
)  # (1, 4, 2)
print(concat_pool(outputs, torch.tensor([[True, True, True, False]])).tolist())

torch.manual_seed(0)
fresh = TextClassifier(copy.deepcopy(tuned), len(task.classes)).eval()
pair = sorted(task.numbered("test")[:20], key=len)[::19]
with torch.no_grad():
    together = fresh(pad(pair))  # (2, K)
    alone = torch.cat([fresh(pad([one])) for one in pair])
print(t("words:", "词数："), [len(one) for one in pair],
      t("largest difference:", "最大差别："), f"{float((together - alone).abs().max()):.1e}")  # fmt: skip

# %% [markdown] key="bpt3c" lang="en"
# ### Which words get a gradient?
#
# A review of 1,000 words is read in windows of 70, the state carried from window to window.
# Backpropagation through all of it needs the memory for all of it. The paper's *BPT3C* stops
# somewhere: gradients go back to the windows whose outputs were pooled, and the words before
# them only set the state. Here `memory` says how many words from the end that is.
#
# To see it, give the classifier 350 words of which none occurs twice. Then a gradient in the table
# of words is the gradient at one place.

# %% [markdown] key="bpt3c" lang="zh" follows="343ce673"
# ### 哪些词收得到梯度？
#
# 一条 1000 词的评论，每次读 70 个词的一窗，状态从一窗传到下一窗。要让梯度传遍全文，就得为全文留足内存。论文的 *BPT3C* 在某处打住：梯度只回到输出参与了池化的那些窗，更早的词只管把状态传下来。这里用 `memory` 表示从结尾数起多少个词。
#
# 想看清楚，就给分类器 350 个各不相同的词。这样，词向量表里某一行的梯度，就是某个位置的梯度。

# %% key="bpt3c-run"
long = torch.randperm(len(task.vocabulary) - 3)[:350][None] + 3  # (1, 350)
reach = {}
for memory in (1400, 140):
    fresh.memory = memory
    fresh.zero_grad()
    _, loss = fresh(long, torch.tensor([0]))
    loss.backward()
    reach[memory] = fresh.encoder.embedding.weight.grad[long[0]].norm(dim=1)  # (350,)
    print(
        f"memory = {memory}:",
        int((reach[memory] > 0).sum()),
        t("of 350 words", "/ 350 个词收到梯度"),
    )

figure, ax = plt.subplots(figsize=(7.4, 3))
for (memory, size), style in zip(reach.items(), ("-", "--"), strict=True):
    size = torch.where(size > 0, size, torch.nan)
    ax.plot(size / reach[1400].max(), style, label=f"memory = {memory}")
for border in range(70, 350, 70):
    ax.axvline(border, color="0.8", lw=0.8, zorder=0)
ax.set_yscale("log")
ax.set_xlabel(
    t(
        "place in the document (lines: windows of 70)",
        "文档中的位置（竖线：每窗 70 词）",
    )
)
ax.set_ylabel(t("size of the gradient", "梯度大小（相对值）"))
ax.legend(fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Size of the gradient at each of 350 places. With a long memory every place has one; with a "
        "memory of 140 only the last two windows.",
        "350 个位置上的梯度大小。memory 长时处处都有；memory 为 140 时只有最后两窗有。",
    ),
)

# %% [markdown] key="bpt3c-seen" lang="en"
# **What to see.** The broken line ends where the memory does; before it there is nothing, though those
# words were read. The solid line goes on to the first word, because every place is pooled, not only
# the last.

# %% [markdown] key="bpt3c-seen" lang="zh" follows="5f7b3f5c"
# **看什么。** 虚线到 memory 用尽的地方就断了，再往前没有梯度，虽然那些词也读过。实线一直到第一个词，因为每个位置都参与了池化，不只是最后一个。

# %% [markdown] key="stage3" lang="en"
# ## 6 · Stage 3: learn the labels, live
#
# The encoder from stage 2, a new head, and a handful of labels. Beside it, with the same labels and
# the same test reviews:
#
# * always the commonest class;
# * TF-IDF with logistic regression, which has seen no other text and takes a second;
# * the same network **from scratch**: all layers random, all of them trained from the start at one
#   rate, because there is nothing in them to protect.

# %% [markdown] key="stage3" lang="zh" follows="feb35cff"
# ## 6 · 第三阶段：现场学标签
#
# 第二阶段的编码器，一个新的分类头，再加少量标签。旁边再摆上几个对手，用同样的标签、同样的测试评论：
#
# * 总猜最多的类；
# * TF-IDF 加逻辑回归，没有读过别的文本，一秒就够；
# * 同样的网络**从零训练**：各层都是随机的，而且从一开始就用同一个学习率全部训练，因为里面没有什么需要保护。

# %% key="stage3-run"
from course_lib.models.awd_lstm import AWDLSTM

chosen = stages.drawn(task, LABELS, seed=0)
numbered = task.numbered("train")
learn = [numbered[i] for i in chosen]
ask = task.numbered("test")
n_words = sum(map(len, learn))
most = course_lib.by_profile(full=20, quick=6)
epochs = int(np.clip(140_000 // n_words, 6, most))
print(
    LABELS,
    t("labels,", "条标注，"),
    f"{n_words:,}",
    t("words,", "个词，"),
    epochs,
    t("epochs", "轮"),
)


def stage3(encoder, **how):
    """Train a classifier on the labels; return it, and its accuracy on the test."""
    torch.manual_seed(0)
    classifier = TextClassifier(encoder, len(task.classes), memory=280)
    batches = Documents(learn, task.labels["train"][chosen], rows=16, seed=0)
    tuning.fine_tune(classifier, batches, epochs, rate=0.01, **how)
    found = tuning.predict(classifier, ask).argmax(axis=1)
    return classifier, float(np.mean(found == task.labels["test"]))


began = time.perf_counter()
labelled = [task.splits["train"][i] for i in chosen]
plain = baselines.classify(labelled, task.splits["test"], task.language)
blank = AWDLSTM(tuned.config, len(task.vocabulary))
everything = {"policy": "full", "factor": 1.0}
_, from_scratch = stage3(blank, **everything)
ulm, all_stages = stage3(copy.deepcopy(tuned), policy="gradual")
print(t("seconds:", "秒数："), round(time.perf_counter() - began))

# %% key="stage3-table"
MODELS = {
    "majority": t("commonest class", "总猜最多的类"),
    "TF-IDF": t("TF-IDF + logistic regression", "TF-IDF + 逻辑回归"),
    "from scratch": t("network from scratch", "网络，从零训练"),
    "without stage 2": t("stages 1 and 3", "第一、三阶段"),
    "all stages": t("all three stages", "三个阶段"),
}
scores = {**plain, "from scratch": from_scratch, "all stages": all_stages}
noise = {k: 1.96 * math.sqrt(p * (1 - p) / len(ask)) for k, p in scores.items()}
claims.show_table(
    t((f"{LABELS} labels, one seed", "accuracy, %", "± (only from the test's size)"),
      (f"{LABELS} 条标注，一个种子", "准确率（%）", "±（只算测试题数带来的误差）")),
    [(MODELS[k], f"{100 * p:.1f}", f"{100 * noise[k]:.1f}") for k, p in scores.items()],
)  # fmt: skip

# %% [markdown] key="stage3-seen" lang="en"
# **What to see.** This is **one seed**: one draw of labels, one random head, some two hundred test reviews at most. It
# shows that the machinery runs, and hardly more; another draw may change the order. So the
# picture has many seeds, at growing numbers of labels.

# %% [markdown] key="stage3-seen" lang="zh" follows="d38112e7"
# **看什么。** 这只是**一个种子**：抽一次标注，一个随机的分类头，一两百条测试评论。它说明这一套跑得通，别的说明不了多少；换一次抽样，名次可能就变了。所以下图用多个种子，标注数逐渐增加。

# %% key="labels-picture" fold=true
def counts_of(rows):
    """List each task's numbers of labels, rising."""
    table = split_condition(rows, ", ")
    return {k: sorted({int(v.split()[0]) for v in rest}) for k, rest in table.items()}


def draw_curves(rows, alt):
    """Draw a panel for each task: accuracy against the number of labels."""
    spans, grid = claims.over_seeds(rows, "accuracy"), counts_of(rows)
    columns = min(3, len(grid))
    n_rows = -(-len(grid) // columns)
    figure, axes = plt.subplots(
        n_rows, columns, figsize=(9.4, 2.9 * n_rows + 0.6), squeeze=False
    )
    for ax in axes.flat[len(grid) :]:
        ax.set_axis_off()
    for ax, (name, counts) in zip(axes.flat, grid.items(), strict=False):
        styles = ("k:", "s--", "^-.", "v-", "o-")
        for i, ((key, label), style) in enumerate(
            zip(MODELS.items(), styles, strict=True)
        ):
            if (key, f"{name}, {counts[0]} labels") in spans:
                # Points of a single number of labels would lie on one another.
                beside = 1.1 ** (i - 2) if len(counts) == 1 else 1
                band(
                    ax,
                    [n * beside for n in counts],
                    [spans[key, f"{name}, {n} labels"] for n in counts],
                    style,
                    label,
                )
        ax.set_xscale("log")
        ax.set_xticks(counts, counts, fontsize=7)
        ax.minorticks_off()
        ax.set_title(TASKS.get(name, name), fontsize=9)
    axes[0, 0].set_ylabel(t("accuracy, %", "准确率（%）"))
    axes[-1, 0].set_xlabel(t("labels", "标注数"))
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=5, fontsize=8)
    course_lib.show(figure, alt=alt)
    count_seeds(rows)


curves = claims.card("three-stages").rows
if curves:
    draw_curves(
        curves,
        t(
            "Learning curves on several tasks: the commonest class, TF-IDF, the network from scratch, "
            "without stage 2, and with all stages, with intervals.",
            "几项任务的学习曲线：最多的类、TF-IDF、从零训练、没有第二阶段、三个阶段，带区间。",
        ),
    )

# %% [markdown] key="multiplier" lang="en"
# How many labels is it worth? That needs whole curves: the questions from 25 labels to all 5,452, and shoppers'
# reviews (which of ten things is it about? good or bad?) up to 1,000. Take the score of all three stages with 100
# labels, and read off with how many labels a rival's curve reaches it (lesson 08's *data multiplier*, times 100);
# then again with 500. Each seed has its own curves; the table has the mean over seeds (of the logarithms, because
# multipliers multiply) and its interval.

# %% [markdown] key="multiplier" lang="zh" follows="a669c94b"
# 这值多少条标注？要回答，得有整条曲线：问题分类从 25 条一直到全部 5,452 条，购物评论（说的是十样东西里的哪一样？是好评还是差评？）到 1,000 条。取三个阶段用 100 条标注的得分，看对手的曲线要多少条才到（就是第 08 课的“数据倍数”乘以 100）；500 条再来一次。每个种子各有自己的曲线；表里是各种子的平均（倍数是相乘的，所以取对数来平均）和区间。

# %% key="multiplier-table" fold=true
def needed(name, rival, n):
    """Say with how many labels a rival reaches what all stages reach with n, by seed."""
    counts, found = counts_of(whole)[name], []
    measured = ({row["seed"] for row in whole if row["condition"] == f"{name}, {m} labels"} for m in counts)
    for seed in sorted(set.intersection(*measured)):
        scores = {
            (row["model"], row["condition"]): row["value"]
            for row in whole
            if row["seed"] == seed
        }
        curve = [scores[rival, f"{name}, {m} labels"] for m in counts]
        goal = scores["all stages", f"{name}, {n} labels"]
        found.append(math.log(statistics.labels_needed(counts, curve, goal)))
    if outside := sum(map(math.isnan, found)):
        return t(
            f"outside its curve in {outside} of {len(found)} seeds",
            f"{len(found)} 个种子中有 {outside} 个落在曲线之外",
        )
    middle, low, high = map(math.exp, statistics.t_interval(found))
    return f"{middle:,.0f} [{low:,.0f}, {high:,.0f}]"


CURVES = ("qc", "categories", "online_shopping")  # tasks with whole curves
every = ulmfit.later(claims.card("hundred-labels").rows)
whole = [
    row for row in every
    if row["condition"].partition(", ")[0] in CURVES and row["model"] != "without stage 2"
]  # fmt: skip
if whole:
    draw_curves(
        whole,
        t(
            "Learning curves of sorting questions and shoppers' reviews, from 25 labels up: the commonest class, "
            "TF-IDF, the network from scratch, and all three stages, with intervals.",
            "问题分类和购物评论的学习曲线，从 25 条标注起：最多的类、TF-IDF、从零训练、三个阶段，带区间。",
        ),
    )
    spans, lines = claims.over_seeds(whole, "accuracy"), []
    RIVALS = ("TF-IDF", "from scratch")
    for name, n in itertools.product(counts_of(whole), (100, 500)):
        if n not in counts_of(whole)[name]:
            continue
        score = spans["all stages", f"{name}, {n} labels"].estimate
        others = (needed(name, rival, n) for rival in RIVALS)
        lines.append((TASKS[name], n, f"{100 * score:.1f}", *others))
    claims.show_table(
        [
            t("task", "任务"),
            t("labels", "标注数"),
            t("all stages, %", "三个阶段（%）"),
            *(t(f"labels needed by: {MODELS[r]}", f"{MODELS[r]}需要的标注数") for r in RIVALS),
        ],
        lines,
    )  # fmt: skip

# %% key="paired-picture" fold=true
if whole:
    figure, ax = plt.subplots(figsize=(7.4, 5.2))
    lines = [(name, n) for name, counts in counts_of(every).items() for n in counts]
    lines.sort(key=lambda pair: (pair[0] not in CURVES, list(TASKS).index(pair[0])))
    for y, (name, n) in enumerate(lines):
        of = claims.by_model(every, "accuracy", f"{name}, {n} labels")
        gain = of["all stages"] - of["TF-IDF"]  # within a seed: the same labels
        middle, low, high = (100 * x for x in statistics.t_interval(gain))
        color = f"C{list(TASKS).index(name)}"
        ax.errorbar([middle], [y], xerr=[[middle - low], [high - middle]], fmt="o", ms=4,
                    capsize=3, color=color)  # fmt: skip
    ax.axvline(0, color="0.3", lw=1)
    ax.set_yticks(range(len(lines)), [f"{TASKS[name]}: {n:,}" for name, n in lines], fontsize=7)
    ax.invert_yaxis()
    ax.set_xlabel(t("accuracy: all three stages minus TF-IDF, points", "准确率：三个阶段减 TF-IDF（百分点）"))
    ax.grid(axis="x", alpha=0.3)
    course_lib.show(
        figure,
        alt=t(
            "For each task and number of labels, the accuracy of all three stages minus that of TF-IDF with the "
            "same labels, with intervals. Questions and good or bad lie above 0; what was bought lies above 0 with "
            "few labels and below it with many; headlines lie below.",
            "每个任务、每种标注数，三个阶段的准确率减去用同样标注的 TF-IDF，带区间。问题分类和好评差评在 0 以上；"
            "认买的是什么，标注少时在 0 以上，多时在 0 以下；新闻标题在 0 以下。",
        ),
    )
    count_seeds(every)

# %% [markdown] key="multiplier-seen" lang="en"
# **What to see.** Two rivals, two answers. Against the network from scratch the multiplier is the paper's kind of
# number; against TF-IDF it is the number that a user needs. The picture shows the second one for every task: each
# difference is taken within a seed, between models that had the same labels. Where an interval holds 0, these seeds
# cannot tell.
#
# * **Questions**: ahead, but for 50 and 500 labels, where it cannot be told. With all 5,452 labels the error is 6.6 % [6.1, 7.0]; the paper has 3.6 %.
# * **Good or bad**: ahead with 100 labels and with 1,000. (The Chinese language model had read other shoppers' reviews in
#   stage 1, a near domain; three of the 1,000 test texts, stock phrases, stand there too.)
# * **What was bought**: far ahead with 25 and 50 labels, *behind* from 200 on. To tell a tablet from a shampoo a few
#   words are enough, and with some more labels TF-IDF has seen them all.
# * **Headlines** and **film review sentences**, with 1,000 labels: behind. Here the language model has read too little, or the
#   wrong things.
# * **IMDb**, where the paper shines, cannot be told. Our stage 2 read 3 million words of reviews, twice. A language model that
#   read 9 million six times (8 minutes of a GPU; it does not ship) takes the same classifier 5.9 points above TF-IDF
#   [2.0, 9.7].

# %% [markdown] key="multiplier-seen" lang="zh" follows="d93e3d28"
# **看什么。** 对手不同，答案不同。同从零训练的网络比，是论文里的那种倍数；同 TF-IDF 比，才是使用者要的数。图上画的是后一种，所有任务都在：同一个种子、同样的标注，两个模型的成绩相减。区间跨零的，凭这些种子看不出来。
#
# * **问题分类**：领先，只有 50 条和 500 条时看不出来。用上全部 5,452 条标注，错误率是 6.6% [6.1, 7.0]；论文是 3.6%。
# * **好评差评**：100 条、1,000 条时都领先。（中文语言模型在第一阶段读过别的顾客的评论，领域本来就近；一千条测试文本里有三条客套话，那里也有。）
# * **认买的是什么**：25 条、50 条时遥遥领先，从 200 条起反而*落后*。是平板还是洗发水，看几个词就够了；标注再多一点，这些词 TF-IDF 也都见过了。
# * **新闻标题和影评单句**，1,000 条标注：落后。在这些任务上，语言模型读得太少，或者读得不对路。
# * **IMDb** 是论文最风光的地方，这里却看不出来。我们的第二阶段只读了三百万词的影评，读了两遍。换成一个读过九百万词、读了六遍的语言模型（GPU 上八分钟；不随课程发布），同样的分类器就比 TF-IDF 高 5.9 个百分点 [2.0, 9.7]。

# %% [markdown] key="factorial" lang="en"
# ## 7 · What did each technique bring?
#
# Two techniques first, with invented numbers. Without either 70 %; A alone 72; B alone 70; both 76. Is B
# useless? On its own, yes. Beside A it brings 4. Whoever tests one thing at a time reports one of
# the two numbers. So try *all* combinations, and report
#
# * the **main effect**: the mean with a technique minus the mean without it. A: $(72+76)/2 -
#   (70+70)/2 = 4$; B: $(70+76)/2 - (70+72)/2 = 2$;
# * the **interaction**: half of (effect of B beside A − effect of B without A) $= (4-0)/2 = 2$.
#
# Three techniques make $2^3 = 8$ runs, and every run counts in every effect: in one half of the
# table with a plus, in the other with a minus. Here are the paper's numbers first (table 7,
# validation errors; it has six of the eight combinations, and without *discr* it used a smaller
# rate, 0.001 instead of 0.01):
#
# | paper | IMDb | TREC-6 | AG |
# |---|---|---|---|
# | all layers at once ("Full") | 6.87 | 6.86 | 5.81 |
# | + discr | 5.57 | 6.21 | 5.62 |
# | gradual unfreezing ("Freez") | 6.37 | 6.86 | 5.81 |
# | Freez + discr | 5.39 | 5.86 | 6.04 |
# | Freez + stlr | 5.04 | 6.02 | 5.35 |
# | Freez + cosine instead | 5.70 | 6.38 | 5.29 |
# | Freez + discr + stlr | 5.00 | 5.69 | 5.38 |

# %% [markdown] key="factorial" lang="zh" follows="c385290b"
# ## 7 · 每种技术各带来多少？
#
# 先看两种技术，数字是编的。都不用，70%；只用 A，72；只用 B，70；都用，76。B 没用吗？单独用，没用；和 A 一起用，带来 4 个点。一次只试一样的人，只会报出其中一个数。所以要把*所有*组合都试一遍，然后报告
#
# * **主效应**：用了某种技术的平均减去没用的平均。A：$(72+76)/2 - (70+70)/2 = 4$；B：$(70+76)/2 - (70+72)/2 = 2$；
# * **交互作用**：（有 A 时 B 的效应 − 没有 A 时 B 的效应）的一半，$(4-0)/2 = 2$。
#
# 三种技术就是 $2^3 = 8$ 次实验，每次实验在每个效应里都派上用场：一半带正号，一半带负号。先看论文的数字（表 7，验证错误率；八种组合里有六种，而且不用 *discr* 时学习率小一些，是 0.001 而不是 0.01）：
#
# | 论文 | IMDb | TREC-6 | AG |
# |---|---|---|---|
# | 所有层一起（Full） | 6.87 | 6.86 | 5.81 |
# | + discr | 5.57 | 6.21 | 5.62 |
# | 逐层解冻（Freez） | 6.37 | 6.86 | 5.81 |
# | Freez + discr | 5.39 | 5.86 | 6.04 |
# | Freez + stlr | 5.04 | 6.02 | 5.35 |
# | Freez + 改用余弦 | 5.70 | 6.38 | 5.29 |
# | Freez + discr + stlr | 5.00 | 5.69 | 5.38 |

# %% key="factorial-table" fold=true
PARTS = {
    "discr": t("rates by layer", "逐层学习率"),
    "stlr": t("slanted triangle", "斜三角"),
    "freez": t("gradual unfreezing", "逐层解冻"),
}
EIGHT = [
    "+".join(itertools.compress(PARTS, on)) or "none"
    for on in itertools.product((0, 1), repeat=3)
]


def called(name):
    """Name a task, or a task and what stands behind it, such as its labels."""
    first, *rest = name.split(", ")
    rest = [text.replace("labels", t("labels", "条标注")) for text in rest]
    return t(", ", "，").join([TASKS.get(first, first), *rest])


def shown(span, digits=1):
    """Write a difference in points with its interval, if there are seeds for one."""
    middle, low, high = (100 * x for x in span)
    if np.isnan(low):
        return f"{middle:+.{digits}f}" + t(" (one seed)", "（一个种子）")
    return f"{middle:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"


def networks(key):
    """Return a card's rows, without those of TF-IDF and the commonest class."""
    return [row for row in claims.card(key).rows if row["model"] not in ("TF-IDF", "majority")]


factorial = networks("discriminative-rates")
if factorial:
    mean, left = (
        claims.over_seeds(factorial, metric, by=("condition",))
        for metric in ("accuracy", "perplexity")
    )
    names = claims.beginnings(factorial)
    heading = t("perplexity of general text afterwards: ", "之后读通用文本的困惑度：")
    claims.show_table(
        [*PARTS.values(), *(f"{called(n)} (%)" for n in names), *(heading + called(n) for n in names)],
        [(*("✓" if part in way else "·" for part in PARTS),
          *(f"{100 * mean[(f'{n}: {way}',)].estimate:.1f}" for n in names),
          *(f"{left[(f'{n}: {way}',)].estimate:,.0f}" for n in names)) for way in EIGHT],
    )  # fmt: skip
    before = [f"{called(n)} {left[(f'{n}: before',)].estimate:.0f}" for n in names]
    print(t("perplexity before:", "之前的困惑度："), *before, sep="  ")
    of = {name: ulmfit_techniques.effects(factorial, name) for name in names}
    claims.show_table(
        [t("effect, points", "效应（百分点）"), *map(called, names)],
        [(" × ".join(PARTS[part] for part in subset.split("+")),
          *(shown(statistics.t_interval(of[n][subset])) for n in names)) for subset in of[names[0]]],
    )  # fmt: skip
    for part, label in PARTS.items():
        means = {way: 100 * mean[(f"{names[0]}: {way}",)].estimate for way in EIGHT}
        plus, minus = (
            [x for way, x in means.items() if (part in way) == on]
            for on in (True, False)
        )
        sums = (" + ".join(f"{x:.1f}" for x in four) for four in (plus, minus))
        print(
            f"{called(names[0])} · {label}: ({next(sums)})/4 − ({next(sums)})/4 = {np.mean(plus) - np.mean(minus):+.1f}"
        )
    count_seeds(factorial)

# %% [markdown] key="factorial-seen" lang="en"
# **What to see.** First the intervals: an effect whose interval holds 0 is not known, whatever its
# mean. Then compare the main effects among each other, and the interactions with the main effects: where an
# interaction is as large as a main effect, "the effect of freez" is no single number. On TREC-6 rates by layer and the
# triangle do each other's work: each helps, and their interaction is −2.2 points [−4.2, −0.3].
#
# Mind two things. **One rate for all.** All eight cells learn at 0.01, while the paper took 0.001 wherever the layers have
# no rates of their own. A rate as high as that in every layer favours whatever holds the lower layers back: rates by
# layer, unfreezing, a schedule that comes down. A part of each effect may be the rate; a fair factorial would tune it in each cell.
# **One task of two.** On TNEWS a bag of words with the same 500 labels has 35 %, and every network stays below 30. What helps a network
# there is of little use, so on the claim cards TNEWS does not count.
#
# Then the last columns, the perplexity of general text after the classifier was trained. Here the rows differ by more than ten
# times: without any of the three the language model is all but gone; with all three it rises by a tenth on TREC-6 and by nearly a half on TNEWS. And yet the
# accuracies lie within seven points on TREC-6 and five on TNEWS. What protects the model best, and what classifies best, are two questions; section 8 goes on with the first.

# %% [markdown] key="factorial-seen" lang="zh" follows="41c45fd0"
# **看什么。** 先看区间：区间跨零的效应，平均值再大也说不准。再比较各个主效应，并拿交互作用同主效应比：交互作用和主效应一样大的地方，“逐层解冻的效应”就不是一个数。TREC-6 上，逐层学习率和斜三角做的是同一件事：各自都有用，交互作用却是 −2.2 个百分点 [−4.2, −0.3]。
#
# 有两点要当心。**只用了一个学习率。** 八种组合都用 0.01，而论文里凡是不逐层设学习率的，用的是 0.001。每一层都学这么快，凡是拖住低层的办法就占便宜：逐层学习率、逐层解冻、会降下来的调度都是。每个效应里可能都有一份是学习率的；要公平，得给每种组合单独调学习率。**只有一个任务算数。** TNEWS 上，词袋模型用同样的 500 条标注能到 35%，网络没有一个到 30%。在那里让网络好一点，意义不大，所以论断卡片上 TNEWS 不计。
#
# 最后看右边几列：分类器训练完之后，再读通用文本，困惑度是多少。这里各行能差十倍以上：三样都不用，语言模型几乎毁了；三样全用，TREC-6 上只升一成，TNEWS 上却升了四成多。可是准确率的差别，TREC-6 上不到七个百分点，TNEWS 上不到五个。怎样最能保住模型，怎样分类最准，是两个问题；第 8 节接着讲前一个。

# %% key="schedules-picture" fold=true
sweeps = {
    "ulmfit_schedules": (
        t("schedule", "调度"),
        {k: label for k, (_, label) in SCHEDULES.items()},
    ),
    "ulmfit_factor": (t("factor between two layers", "相邻两层学习率之比"), None),
}
swept = {key: networks(of) for key, of in zip(sweeps, ("stlr", "factor-2.6"), strict=True)}
if all(swept.values()):
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2))
    for ax, (key, (label, names)) in zip(axes, sweeps.items(), strict=True):
        spans_of = claims.over_seeds(swept[key], "accuracy", by=("condition",))
        for i, (name, rest) in enumerate(split_condition(swept[key], ": ").items()):
            rest = [
                text for text in (names or rest) if (f"{name}: {text}",) in spans_of
            ]
            x = np.arange(len(rest)) + 0.12 * i
            band(
                ax,
                x,
                [spans_of[(f"{name}: {text}",)] for text in rest],
                "os^"[i % 3],
                TASKS.get(name, name),
            )
        ax.set_xticks(
            range(len(rest)),
            [names[text] for text in rest] if names else rest,
            fontsize=8,
        )
        ax.set_xlabel(label)
    axes[0].set_ylabel(t("accuracy, %", "准确率（%）"))
    axes[1].legend(fontsize=8)
    course_lib.show(
        figure,
        alt=t(
            "Accuracy with four schedules, and with four factors between the rates of neighbouring "
            "layers, with intervals.",
            "四种调度的准确率，以及相邻两层学习率取四种比值时的准确率，带区间。",
        ),
    )
    count_seeds(swept["ulmfit_factor"])

# %% [markdown] key="schedules-seen" lang="en"
# **What to see.** Left: is the triangle above *all* the others, or only above the constant rate? On TREC-6 none of the three differences can
# be told from 0; in the paper cosine was better on AG (5.29 against 5.35). Right: 1 is no discriminative rates at all. On TREC-6
# 2.6 is better than 5, and worse than 1 and 1.5, with the two other techniques at work. So 2.6 is a choice and not a law; and
# that 1 does so well beside the others, while rates by layer help on average, is the interaction that you saw above.

# %% [markdown] key="schedules-seen" lang="zh" follows="57befe71"
# **看什么。** 左图：斜三角是比*所有*别的都好，还是只比恒定的好？TREC-6 上，三个差都和 0 分不开；论文里，AG 上余弦更好（5.29 对 5.35）。右图：1 就是不用逐层学习率。TREC-6 上，另外两种技术都用着时，2.6 比 5 好，却不如 1 和 1.5。可见 2.6 只是一个选择，不是什么定律。平均起来逐层学习率有用，有另外两种陪着时却是 1 更好：这正是上面看到的交互作用。

# %% [markdown] key="forgetting" lang="en"
# ## 8 · What was forgotten?
#
# "Fine-tuning makes a network forget; gradual unfreezing prevents it." The paper's evidence for forgetting is a
# curve of *validation error* that rises again (its figure 4). But forgetting can be measured directly: take the
# encoder out of the finished classifier, put the old softmax back on top (tied weights, lesson 09: it is the
# table of words, which is still there), and ask for the perplexity on *general* text. We do it for the
# classifier of section 6, and for one that was fine-tuned without any care: all layers, one rate, constant.

# %% [markdown] key="forgetting" lang="zh" follows="eed50c12"
# ## 8 · 忘了多少？
#
# “微调会让网络遗忘，逐层解冻可以防止。”论文说的遗忘，证据是*验证错误率*又升上去的曲线（图 4）。其实遗忘可以直接量：从训练好的分类器里取出编码器，把原来的 softmax 装回去（它和词向量表共享权重，见第 09 课，而词向量表还在），再问它在*通用*文本上的困惑度。我们量两个：第 6 节的分类器，和一个毫不小心地微调出来的：所有层，一个学习率，恒定不变。

# %% key="forgetting-run"
careless, careless_score = stage3(
    copy.deepcopy(tuned), schedule=schedules.constant, **everything
)
ULM, CARELESS = (
    t("after stage 3, ULMFiT", "第三阶段后，ULMFiT"),
    t("after stage 3, careless", "第三阶段后，毫不小心"),
)
history[ULM] = perplexities(ulm.encoder)
history[CARELESS] = perplexities(careless.encoder)
accuracy_of = {ULM: all_stages, CARELESS: careless_score}
claims.show_table(
    [t("perplexity (review words)", "困惑度（评论词表）"), *TEXTS, t("accuracy, %", "准确率（%）")],
    [(when, *(f"{p:,.0f}" for p in found), f"{100 * accuracy_of[when]:.1f}" if when in accuracy_of else "")
     for when, found in history.items()],
)  # fmt: skip

# %% [markdown] key="forgetting-seen" lang="en"
# **What to see.** Two things can be lost: general text between stages 1 and 2, and the language as such, reviews
# included, between 2 and 3. Which of them do you find, and how much more without care? (One seed, little text.) And is the classifier that forgot more the worse one? Forgetting is measured in
# perplexity, success in accuracy; that the one harms the other must be shown, not assumed.
#
# Some accounts say that fine-tuning *constrains* the parameters to stay near the pre-trained ones. Nothing in the loss does
# that. Small steps and an early stop have this effect by the way; it can be asked for explicitly (L2-SP, Li et al. 2018:
# add $\frac{\alpha}{2}\lVert \theta - \theta_0 \rVert^2$). How far did each layer go, then?

# %% [markdown] key="forgetting-seen" lang="zh" follows="c324b07b"
# **看什么。** 可能丢掉的有两样：第一到第二阶段，丢的是通用文本；第二到第三阶段，丢的是语言本身，连评论在内。你看到了哪一样？毫不小心的话，又多丢了多少？（一个种子，文本也不多。）再看：忘得多的分类器，成绩就差吗？遗忘用困惑度量，成败用准确率量；前者损害后者，要拿出证据，不能想当然。
#
# 有的文章说，微调把参数*约束*在预训练的值附近。损失里没有任何一项这么做。步子小、停得早，顺带有这个效果；真想约束，可以明说（L2-SP，Li 等，2018：加上 $\frac{\alpha}{2}\lVert \theta - \theta_0 \rVert^2$）。那么，每一层到底走了多远？


# %% key="distance-run"
def distance(before, after):
    """Return how far two sets of parameters are apart, beside the size of the first."""
    pairs = list(zip(before, after, strict=True))
    moved = sum(float((b - a).square().sum()) for a, b in pairs)
    return math.sqrt(moved / sum(float(a.square().sum()) for a, _ in pairs))


LOW = [[tuned.embedding.weight], *(list(lstm.parameters()) for lstm in tuned.lstms)]
with torch.no_grad():
    lines = []
    for name, of in {ULM: ulm, CARELESS: careless}.items():
        encoder = of.encoder
        groups = [
            [encoder.embedding.weight],
            *(list(lstm.parameters()) for lstm in encoder.lstms),
        ]
        lines.append(
            (name, *(f"{distance(a, b):.1%}" for a, b in zip(LOW, groups, strict=True)))
        )
claims.show_table([t("moved in stage 3", "第三阶段移动了"), *parts], lines)

# %% [markdown] key="distance-seen" lang="en"
# **What to see.** The brakes work, and the lower the layer, the harder. That is what the three techniques *do*.
# Whether it is needed, the next table asks, with more seeds and four policies: *full* (all layers at once), *last* (only the
# head), *gradual*, and *chain-thaw* (one layer at a time); rates and schedule are ULMFiT's in all four.

# %% [markdown] key="distance-seen" lang="zh" follows="f017ade7"
# **看什么。** 刹车管用，层越低刹得越狠。这就是三种技术*做*的事。有没有必要，看下一张表，种子更多，四种策略：*full*（所有层一起）、*last*（只训练分类头）、*gradual*（逐层解冻）、*chain-thaw*（一次一层）；四种都用 ULMFiT 的学习率和调度。

# %% key="policies-table" fold=true
policies = claims.card("fine-tuning-forgets").rows
if policies:
    accuracy = claims.over_seeds(policies, "accuracy", by=("condition",))
    lost = claims.over_seeds(policies, "perplexity", by=("condition",))
    claims.show_table(
        t(("task", "policy", "accuracy, %", "perplexity on general text"),
          ("任务", "策略", "准确率（%）", "通用文本上的困惑度")),
        [(TASKS.get(name, name), policy if policy != "before" else t("before", "微调之前"),
          f"{100 * accuracy[(key,)].estimate:.1f}" if (key,) in accuracy else "",
          f"{lost[(key,)]:,.0f}")
         for name, rest in split_condition(policies, ": ").items()
         for policy in sorted(rest, key=lambda text: text != "before")
         for key in [f"{name}: {policy}"]],
    )  # fmt: skip
    count_seeds(policies)

# %% [markdown] key="policies-seen" lang="en"
# **What to see.** *last* forgets nothing: its encoder is frozen. If forgetting were what matters, it would be the
# best classifier. In the paper it was far behind on two tasks of three (16.09 on TREC-6, 8.38 on AG), and gradual
# unfreezing alone had 6.37 / 6.86 / 5.81 against 6.87 / 6.86 / 5.81 with full fine-tuning. On our TREC-6 *last* is 12.5 points
# below *full* [10.2, 14.8], and *gradual*, which forgets less there, is 1.7 below [1.0, 2.5]; on TNEWS, where
# no network is as good as a bag of words, the four cannot be told apart. And compare *full*
# here with the first line of the table in section 7, where the layers have one rate and the rate never falls:
# above all it is the rates by layer that protect the language model (that table's rows with and without them);
# the schedule and unfreezing add to it.

# %% [markdown] key="policies-seen" lang="zh" follows="9447cbe2"
# **看什么。** *last* 什么也不会忘：它的编码器是冻着的。如果要紧的就是不遗忘，它该是最好的分类器。论文里它却在三项任务的两项上落后一大截（TREC-6 上 16.09，AG 上 8.38）；单用逐层解冻是 6.37 / 6.86 / 5.81，全部微调是 6.87 / 6.86 / 5.81。在我们的 TREC-6 上，*last* 比 *full* 低 12.5 个百分点 [10.2, 14.8]；*gradual* 在那里忘得少些，也低 1.7 个 [1.0, 2.5]。TNEWS 上没有一个网络赶得上词袋模型，四种策略也分不出高下。再拿这里的 *full* 同第 7 节那张表的第一行比，那一行各层学习率相同，而且一直不降：最能保住语言模型的是逐层不同的学习率（比较那张表里有它和没有它的各行），调度和逐层解冻再添上一点。

# %% [markdown] key="directions" lang="en"
# ## 9 · Forward and backward
#
# An LSTM language model reads one way. So the authors pre-trained *two*, one that reads from the end, fine-tuned a
# classifier on each, and averaged what they say. If one gives a review 0.6 for *positive* and the other 0.3, the
# ensemble says $(0.6 + 0.3)/2 = 0.45$: negative. All main results of the paper are made in this way; IMDb's test error fell
# from 5.30 to 4.58. In our code it is one line,
# `(predict(forward, documents) + predict(backward, reversed_documents)) / 2`, and it costs everything twice.

# %% [markdown] key="directions" lang="zh" follows="9e8a4dff"
# ## 9 · 前向加后向
#
# LSTM 语言模型只朝一个方向读。所以作者预训练了*两个*，另一个从末尾读起；各自微调一个分类器，再把两者的说法取平均。一条评论，一个认为“好评”的概率是 0.6，另一个认为是 0.3，合起来就是 $(0.6 + 0.3)/2 = 0.45$：差评。论文的主要结果全是这样得来的；IMDb 的测试错误率从 5.30 降到 4.58。我们的代码里这只是一行：`(predict(forward, documents) + predict(backward, reversed_documents)) / 2`，代价是样样都要做两遍。

# %% key="directions-table" fold=true
directions = networks("one-direction-is-enough")
WAYS = {
    "forward": t("forward", "前向"),
    "backward": t("backward", "后向"),
    "ensemble": t("ensemble", "合起来"),
}
if directions:
    by_way = claims.over_seeds(directions, "accuracy")
    names = list(dict.fromkeys(condition for _, condition in by_way))
    claims.show_table(
        [t("accuracy, %", "准确率（%）"), *WAYS.values()],
        [(called(n), *(f"{100 * by_way[way, n].estimate:.1f}" for way in WAYS)) for n in names],
    )  # fmt: skip
    count_seeds(directions)

# %% [markdown] key="directions-seen" lang="en"
# **What to see.** The average has the highest mean in every row: two readers that err in different places. It is significantly above the
# forward one on the questions (2.5 points [1.7, 3.2]) and on the headlines; on IMDb it cannot be told (1.2 [−0.2, 2.6]). Only the questions
# count on the card, for elsewhere a bag of words with the same labels is as good. Whether the second direction
# is worth twice the computation is another question.

# %% [markdown] key="directions-seen" lang="zh" follows="edd4b505"
# **看什么。** 取平均之后，每一行的均值都最高：两个读者错的地方不一样。同前向比，问题分类（高 2.5 个百分点 [1.7, 3.2]）和新闻标题上显著更高，IMDb 上看不出来（1.2 [−0.2, 2.6]）。卡片上只有问题分类算数：另外两个任务上，词袋模型用同样的标注，成绩不比它差。值不值得多花一倍的计算，是另一回事。

# %% [markdown] key="tags" lang="en"
# ### A tag for each word
#
# A classifier needs one answer for a document, a tagger one for each word: in *the bank raised its rates*, *the* begins a noun
# phrase and *bank* goes on with it. The paper calls this a straightforward extension and did not try it. Popular accounts conclude that ULMFiT is
# weaker there than ELMo. Let us try.
#
# At *bank* the forward network has read *the bank*. What follows may matter as much, and it is the backward one that has read
# it, from the end. So the two outputs at a word are laid side by side, $[\overrightarrow{h}_t; \overleftarrow{h}_t] \in \mathbb{R}^{2E}$,
# and two small layers score the tags; the rest of stage 3 is as before, both networks thawed together
# (`WordTagger` in `course_claims/experiments/tagging.py`). First, what does each know at the word when only the words *after* it change?

# %% [markdown] key="tags" lang="zh" follows="cd921d2b"
# ### 给每个词一个标签
#
# 分类，一篇文档只要一个答案；标注，每个词都要一个：“他 把 苹果 股票 卖 了”里，“苹果”开始一个名词短语，“股票”接着它，“卖”又开始一个动词短语。论文说这样的扩展顺理成章，却没有做；流行文章就断定 ULMFiT 在这上头不如 ELMo。我们来试试。
#
# 读到“苹果”，前向网络只读过“他 把 苹果”。后面的词可能同样要紧，读过它们的是从末尾读起的后向网络。所以把两个网络在一个词上的输出并排放好，$[\overrightarrow{h}_t; \overleftarrow{h}_t] \in \mathbb{R}^{2E}$，再由两个小层给各种标签打分；第三阶段其余的做法照旧，两个网络一起逐层解冻（代码是 `course_claims/experiments/tagging.py` 的 `WordTagger`）。先看一看：只换这个词*后面*的词，两个网络在这个词上的输出各变多少？

# %% key="tags-run"
from course_claims.experiments import tagging
from course_lib.text.documents import number

sides = [course_lib.load(f"awdlstm-{t.language}{end}") for end in ("", "-backward")]
tagger = tagging.WordTagger([model for model, _ in sides], n_tags=3).eval()
numbers = sides[0][1]  # both have the same vocabulary
place = t(1, 2)
sentences = t(
    ["the bank raised its rates", "the bank was steep and muddy"],
    ["他 把 苹果 吃 了", "他 把 苹果 股票 卖 了"],
)
at_word = []
for sentence in sentences:
    ids = number([sentence.split()], numbers) + 1  # 0 is kept for padding
    with torch.no_grad():
        outputs, _ = tagger.read(torch.tensor(ids)[None])  # (1, T + 2, 2E)
    at_word.append(outputs[0, 1 + place].chunk(2))  # after <S>; (E,) of each direction
print(sentences[0].split()[place])
for name, one, other in zip(t(("forward ", "backward"), ("前向", "后向")), *at_word, strict=True):
    print(name, t("cosine", "余弦"), f"{torch.cosine_similarity(one, other, dim=0):.2f}")

# %% [markdown] key="tags-measure" lang="en"
# Now the measurement, stored. Phrases in English (CoNLL-2000) and names in Chinese (MSRA), 100 and 500 labelled sentences. ELMo is used as in
# lesson 07: frozen, its mix beside the word vectors of a BiLSTM tagger. The two AWD-LSTMs are also used in that way, frozen: if *they* are
# as good there as ELMo, then a difference to ULMFiT is not one of the models but of what is done with them.

# %% [markdown] key="tags-measure" lang="zh" follows="22684332"
# 再看存好的测量：英文标短语（CoNLL-2000），中文标名称（MSRA），各用 100 句和 500 句标注。ELMo 照第 07 课的用法：冻结，各层的混合放在 BiLSTM 标注器的词向量旁边。两个 AWD-LSTM 也照这样冻结着用一次：要是*它们*放在那里和 ELMo 一样好，那么同 ULMFiT 的差别就不在模型，而在用法。

# %% key="tags-picture" fold=true
TAGGERS = {
    "no language model": t("no language model", "没有语言模型"),
    "ELMo": t("ELMo, frozen", "ELMo，冻结"),
    "AWD-LSTM, frozen": t("AWD-LSTMs, frozen", "AWD-LSTM，冻结"),
    "ULMFiT, forward": t("ULMFiT, forward only", "ULMFiT，只有前向"),
    "ULMFiT, no stage 2": t("ULMFiT, no stage 2", "ULMFiT，没有第二阶段"),
    "ULMFiT": t("ULMFiT, all stages", "ULMFiT，三个阶段"),
}
TAGGED = {
    "conll2000": t("phrases, English", "短语（英文）"),
    "msra": t("names, Chinese", "名称（中文）"),
}
tagged = claims.card("ulmfit-tagging").rows
if tagged:
    spans = claims.over_seeds(tagged, "F1")
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
    height = np.arange(len(TAGGERS))[::-1]
    for ax, (name, rest) in zip(axes, split_condition(tagged, ", ").items(), strict=True):
        for i, n in enumerate(rest):
            of = [spans[way, f"{name}, {n}"] for way in TAGGERS]
            mean, low, high = 100 * np.array([tuple(span) for span in of]).T  # (6,) each
            bars = np.nan_to_num([mean - low, high - mean])
            label = t(n, n.replace(" sentences", " 句"))
            ax.errorbar(mean, height - 0.15 * i, xerr=bars, fmt="os"[i], ms=4, capsize=3, label=label)
        ax.set_title(TAGGED[name], fontsize=9)
        ax.set_xlabel(t("F1 of spans, %", "片段的 F1（%）"))
    axes[0].set_yticks(height, TAGGERS.values())
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, fontsize=8)
    course_lib.show(
        figure,
        alt=t(
            "F1 of six taggers on English phrases and on Chinese names, with 100 and 500 labelled sentences, with intervals.",
            "六种标注器在英文短语和中文名称上的 F1，100 句和 500 句标注，带区间。",
        ),
    )
    count_seeds(tagged)

# %% [markdown] key="tags-seen" lang="en"
# **What to see.** Above, the forward outputs are the same: it has not read on. Then the picture. With 100 sentences ULMFiT is ahead of
# ELMo, by 5 points on the phrases and 10 on the names; with 500 by 2 on the phrases, and on the names no difference can be told. Is it
# the models? The same two networks, frozen in ELMo's place, are behind it with 100 sentences, and with 500 cannot be told from it. So it is what one does with them: two small layers
# on top and the whole network trained, in place of a frozen one under a new BiLSTM. The backward one is worth 3 to 5 points; without it ULMFiT falls behind ELMo at 500 sentences. Stage 2
# is worth 0.3 points on the phrases, and nothing on the names (the Chinese checkpoints, ELMo's too, have read MSRA's sentences before, without the names). The small models of a course,
# pre-trained once each, do not decide what the large ones would have done; but with both directions nothing here speaks for "weaker".

# %% [markdown] key="tags-seen" lang="zh" follows="a203258d"
# **看什么。** 上面那一步，前向的输出一模一样：后面的词它还没读到。再看图。只有 100 句时，ULMFiT 比 ELMo 高，短语高 5 个点，名称高 10 个点；有了 500 句，短语还高 2 个点，名称就分不出高下了。是模型的缘故吗？同样两个网络，冻结了放在 ELMo 的位置，100 句时不如 ELMo，500 句时同它分不开。可见差别在用法：上面只加两个小层、整个网络一起训练，好过冻结了再在上面新搭一个 BiLSTM。后向网络值 3 到 5 个点；没有它，500 句时 ULMFiT 就落到 ELMo 后面。第二阶段在短语上值 0.3 个点，在名称上没有带来好处（中文的检查点，ELMo 的也一样，早就读过 MSRA 的句子，只是没有名称标注）。课上的小模型各只预训练过一次，定不了当年大模型的高下；不过，只要两个方向都用，这里没有一处说明它“不如”。

# %% [markdown] key="rules" lang="en"
# ## 10 · Claims
#
# Four claims; each card has two verdicts. *As told*: is it what the source says? *In our runs*: what came out here, by one rule
# for all cards, with every seed that was measured. What a card greys does not count: nothing was learned there that a bag of
# words, with the same labels, does not know as well.
#
# More claims about this lesson (100 labels for a thousand, the schedule, the factor 2.6, who was first): the book's claims page, or
# `python -m course_lib claims list`.

# %% [markdown] key="rules" lang="zh" follows="c26bca51"
# ## 10 · 几种说法
#
# 四种说法，每张卡片有两个结论。“转述”说的是，这句话是不是出处的原意；“我们的实验”说的是这里做出来怎样，所有卡片用同一条规则，测过的种子全都算上。卡片上灰色的不计：用同样的标注，词袋模型也做得到那么好，网络等于没学到什么。
#
# 关于本课的更多论断（100 条顶一千条、调度、倍数 2.6、谁先谁后），见本书的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="cards-stages" fold=true
for key in (
    "three-stages", "discriminative-rates",
    "unfreezing-prevents-forgetting", "ulmfit-tagging",
):  # fmt: skip
    claims.card(key).show(t)

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The probe of every lesson: do the vectors of an ambiguous word in its sentences keep the senses apart? The AWD-LSTM reads forward
# only; what stands to the right of the word it cannot know. Two rows: after stage 1, and after stage 2 with the reviews' words.

# %% [markdown] key="scoreboard" lang="zh" follows="7636aaa8"
# ## 记分牌
#
# 每课都做的那个测试：一个多义词在各个句子里的向量，能不能把义项分开？AWD-LSTM 只从左往右读，词右边有什么，它无从知道。两行：第一阶段之后；第二阶段之后，用评论的词表。

# %% key="scoreboard-row"
from course_lib.analysis import senses

annotated = data.senses(t.language)


@torch.no_grad()
def at_target(model, vocabulary):
    """Return each layer's output at the ambiguous word: L arrays (N, H_l)."""
    model.eval()
    ids = [
        np.array(vocabulary.encode(["<S>", *(w.lower() for w in s.tokens)]))
        for s in annotated
    ]
    place = torch.tensor([s.target_index + 1 for s in annotated])
    found = []
    for rows in torch.arange(len(ids)).split(100):
        tokens = pad([ids[i] for i in rows]).clamp(
            min=0
        )  # (B, T); what follows is not read yet
        raw = model(tokens).raw
        found.append([x[torch.arange(len(rows)), place[rows]] for x in raw])
    return [torch.cat(layer).numpy() for layer in zip(*found, strict=True)]


began, board = time.perf_counter(), {}
stages_read = (
    (t("AWD-LSTM, stage 1", "AWD-LSTM，第一阶段"), general, known),
    (t("AWD-LSTM, stage 2", "AWD-LSTM，第二阶段"), tuned, task.vocabulary),
)
for name, of, words in tqdm(stages_read, file=sys.stdout):
    layers = [senses.macro(senses.by_word(x, annotated)) for x in at_target(of, words)]
    best = max(range(3), key=lambda k: layers[k]["nearest_centroid"])
    board[name + t(f", LSTM {best + 1}", f"，LSTM {best + 1}")] = layers[best]
static = course_lib.load(f"static-{t.language}")
board[t("averaged static context", "静态上下文平均")] = claims.context_scores(
    static, t.language
)
display(HTML(claims.sense_table(board, t)))
print(t("parameters:", "参数："), f"{sum(p.numel() for p in general.parameters()):,}")

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "10")

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** A shop has 100 labelled reviews and 50,000 without labels. Where do they go in
# ULMFiT?
#
# <details><summary>A. The 50,000 join the general text of stage 1.</summary>
#
# Not quite: then stage 1 would have to be done again for every shop. It is done once,
# for all tasks.
#
# </details>
#
# <details><summary>B. All the texts go into stage 2, the 100 labels into stage
# 3.</summary>
#
# Right. In stage 2 the loss is the language model's: nobody looks at a label, so every
# review can be read, the labelled ones too.
#
# </details>
#
# <details><summary>C. The 50,000 are of no use, as they have no labels.</summary>
#
# Not quite: each holds as many next words to predict as it has words. That is the idea
# of the method.
#
# </details>
#
# ---
#
# **2.** The head learns at a rate of 0.01, and each layer below at the rate above it
# divided by 2.6. Below the head are three LSTMs, and below them the word vectors. Which
# rate do the word vectors get?
#
# <details><summary>A. 0.0038</summary>
#
# Not quite: that is one step down, the top LSTM.
#
# </details>
#
# <details><summary>B. 0.0026: a quarter of 0.01</summary>
#
# Not quite: the rates do not fall in a straight line. Each step divides what the one
# above had.
#
# </details>
#
# <details><summary>C. 0.0002</summary>
#
# Right. Four steps: 0.01 / 2.6⁴. What is the same in all text should hardly move.
#
# </details>
#
# ---
#
# **3.** Accuracy without two techniques 80; with A alone 84; with B alone 83; with both
# 84. What does B do?
#
# <details><summary>A. It brings 3 points, whatever else is used.</summary>
#
# Not quite: that is its effect without A. Beside A it brings nothing.
#
# </details>
#
# <details><summary>B. It brings nothing, with A or without.</summary>
#
# Not quite: that is its effect beside A. Without A it brings 3.
#
# </details>
#
# <details><summary>C. It does A's work where A is missing.</summary>
#
# Right. Main effect 1.5, the mean of 3 and 0; interaction −1.5, half of 0 − 3. Whoever
# reports one number of "the effect of B" has chosen a corner of the table.
#
# </details>
#
# ---
#
# **4.** Validation errors in the paper (IMDb / TREC-6 / AG): all layers at once 6.87 /
# 6.86 / 5.81; gradual unfreezing alone 6.37 / 6.86 / 5.81; only the head 6.49 / 16.09 /
# 8.38. "Gradual unfreezing works because it prevents forgetting." What do the numbers
# say?
#
# <details><summary>A. They confirm it: gradual unfreezing is better than all layers at
# once.</summary>
#
# Not quite: on IMDb only; on the other two the numbers are equal.
#
# </details>
#
# <details><summary>B. By itself it adds little; and the one that can forget nothing is
# far behind on two of three.</summary>
#
# Right. An encoder that stays frozen forgets nothing, and it fails on TREC-6.
# Forgetting must be measured, and its harm must be shown. Beside rates by
# layer unfreezing is better on two of three (5.39, 5.86, 6.04 against 5.57, 6.21, 5.62).
#
# </details>
#
# <details><summary>C. They refute forgetting: it does not exist.</summary>
#
# Not quite: these are classification errors. Whether the language model is still there
# is another measurement: its perplexity.
#
# </details>
#
# ---
#
# **5.** "ULMFiT is one-directional; bidirectionality came with BERT." What is true?
#
# <details><summary>A. All main results average a forward and a backward
# classifier.</summary>
#
# Right. IMDb's test error: 5.30 with one, 4.58 with both. No single prediction of a
# *word* sees both sides, though; that came with BERT.
#
# </details>
#
# <details><summary>B. It is so: its LSTM reads from left to right only.</summary>
#
# Not quite: true of each language model. The paper's main results do not come from one.
#
# </details>
#
# <details><summary>C. It is wrong: its LSTM reads both sides at once, as ELMo's
# does.</summary>
#
# Not quite: neither does. Both have one-sided models that are joined later.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="effbf04c"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 一家外卖平台有 100 条带标签的评论，还有五万条没有标签的。照 ULMFiT 的做法，各用在哪里？
#
# <details><summary>A. 五万条并进第一阶段的通用文本。</summary>
#
# 再想想：那样每来一个任务，第一阶段就得重做。它只做一次，各个任务通用。
#
# </details>
#
# <details><summary>B. 五万条没有标签，哪里都用不上。</summary>
#
# 再想想：每条有多少个词，就有多少个“下一个词”可以预测。这正是这套办法的出发点。
#
# </details>
#
# <details><summary>C. 文本进第二阶段，标签进第三阶段。</summary>
#
# 对。进第二阶段的是全部评论的文本，进第三阶段的是那 100 个标签。第二阶段的损失是语言模型的，谁也不看标签，所以有没有标签都能读。
#
# </details>
#
# ---
#
# **2.** 分类头的学习率是 0.01，往下每层除以 2.6。下面三层 LSTM，再下面是词向量。词向量的学习率是多少？
#
# <details><summary>A. 0.0002</summary>
#
# 对。下了四级，0.01 / 2.6⁴。各种文本共有的东西，几乎不动。
#
# </details>
#
# <details><summary>B. 0.0038</summary>
#
# 再想想：这才下了一级，是最高的那层 LSTM。
#
# </details>
#
# <details><summary>C. 0.0026，四分之一</summary>
#
# 再想想：不是均匀地往下减，而是一级一级地除。
#
# </details>
#
# ---
#
# **3.** 一条评论只有两个词，输出是 (0, 4) 和 (2, −2)，后面是填充。照第 5 节的池化（最后、最大、平均），交给分类头的是什么？
#
# <details><summary>A. (2, −2)</summary>
#
# 再想想：只有最后一个输出。决定褒贬的词可能早就读过去了，所以还要最大和平均。
#
# </details>
#
# <details><summary>B. (1, 1)</summary>
#
# 再想想：只有平均。
#
# </details>
#
# <details><summary>C. (2, −2)、(2, 4)、(1, 1)，一共 6 个数</summary>
#
# 对。最后、最大、平均，首尾相接。最大是逐个特征取的：2 来自第二个词，4 来自第一个词。
#
# </details>
#
# <details><summary>D. (2, −2)、(2, 4)、(0.67, 0.67)</summary>
#
# 再想想：平均时把填充也算了一个位置。三样都不能混进填充。
#
# </details>
#
# ---
#
# **4.** 论文的验证错误率（IMDb / TREC-6 / AG）：所有层一起 6.87 / 6.86 / 5.81；单用逐层解冻 6.37 / 6.86 / 5.81；只训练分类头 6.49 / 16.09 / 8.38。“逐层解冻有效，因为它防止遗忘。”这些数字怎么说？
#
# <details><summary>A. 证实了：逐层解冻比所有层一起好。</summary>
#
# 再想想：只在 IMDb 上好，另外两个一模一样。
#
# </details>
#
# <details><summary>B. 单用它，看不出多大的帮助。</summary>
#
# 对。只训练分类头，编码器冻着，一点也不会忘，三个里却有两个差得远，TREC-6 的错误率高达 16.09%。遗忘要拿来量，它的害处也要拿来量。和逐层学习率合用，三个里有两个更好（5.39、5.86、6.04，对 5.57、6.21、5.62）。
#
# </details>
#
# <details><summary>C. 否定了：根本没有遗忘这回事。</summary>
#
# 再想想：这里量的是分类错误率。忘没忘，要另量语言模型的困惑度。
#
# </details>
#
# ---
#
# **5.** “ULMFiT 是单向的，到 BERT 才有双向。”实际情形是？
#
# <details><summary>A. 主要结果都是前向、后向两个分类器取平均。</summary>
#
# 对。IMDb 的测试错误率，一个是 5.30，两个合起来 4.58。不过预测一个*词*时同时看两边，那确实是后来 BERT 的事。
#
# </details>
#
# <details><summary>B. 确实单向，LSTM 只从左往右读。</summary>
#
# 再想想：单个语言模型是这样，可论文的主要结果不是单个模型得来的。
#
# </details>
#
# <details><summary>C. 说错了，它和 ELMo 一样，一个 LSTM 同时读两边。</summary>
#
# 再想想：两家都没有这样做，都是单向模型，事后再合。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>1. After stage 2 the perplexity on reviews is half of what it was. Which part of that says nothing about
# language?</summary>
# The new words. Their vectors began as copies of one mean; the first gain is to learn how frequent they are. A fair
# comparison gives stage 1 the same list and counts only words that both knew.
# </details>
#
# <details><summary>2. A classifier reads documents of 2,000 words with memory 280. Can a word at the beginning change the
# decision? Can it be learned from?</summary>
# It can change it, through the state. It is in none of the pooled outputs, and no gradient reaches it.
# </details>
#
# <details><summary>3. freez alone brings 0 points, the full method 2 points more than without freez. Which number is "the effect of
# freez"?</summary>
# Neither. They are its effects in two corners of the table; the main effect is the mean over all four corners. That
# these two differ is what interactions are about.
# </details>
#
# <details><summary>4. Your network forgets: perplexity on general text rises tenfold in stage 3. Do you mind?</summary>
# Not for this task, if the accuracy is good. Yes, if the encoder is to serve another task, or if the forgetting goes with overfitting:
# watch the validation error.
# </details>
#
# <details><summary>5. ULMFiT with 100 labels has 80 %, from scratch 60 %, TF-IDF 79 %. What do you tell the customer?</summary>
# The gain over "from scratch" is large and beside the point: nobody would use that. Over TF-IDF it is one point with one
# draw of labels. Repeat it with more draws before paying for a language model.
# </details>

# %% [markdown] key="questions" lang="zh" follows="9175ab71"
# ## 检查一下自己
#
# <details><summary>1. 第二阶段之后，评论上的困惑度减半。其中哪一部分与语言能力无关？</summary>
# 新词那部分。它们的向量一开始都是同一个平均值，最先学到的只是它们有多常见。公平的比较，应当给第一阶段同样的词表，而且只算两者都认识的词。
# </details>
#
# <details><summary>2. 分类器读 2000 词的文档，memory 是 280。开头的词能影响判断吗？能从它学到东西吗？</summary>
# 能影响，通过状态传下来。但它不在池化的输出里，梯度也传不到它。
# </details>
#
# <details><summary>3. 单用逐层解冻带来 0 个点；完整的方法比去掉它多 2 个点。哪个才是“逐层解冻的效应”？</summary>
# 都不是。它们是表的两个角上的效应；主效应是四个角的平均。这两个角不一样，正说明有交互作用。
# </details>
#
# <details><summary>4. 第三阶段之后，通用文本上的困惑度涨到原来的十倍。要紧吗？</summary>
# 对这个任务来说，准确率好就不要紧。如果编码器还要给别的任务用，或者遗忘和过拟合一起出现，就要紧：盯着验证错误率。
# </details>
#
# <details><summary>5. 用 100 条标注，ULMFiT 80%，从零训练 60%，TF-IDF 79%。你怎么对客户说？</summary>
# 比“从零训练”高得多，但这不相干：没有人会那样用。比 TF-IDF 只高一个点，而且标注只抽了一次。多抽几次再说，别急着为语言模型花钱。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Howard and Ruder (2018), sections 3 and 5; look at table 7 again after section 7 of this lesson.
# * Dai and Le (2015), *Semi-supervised sequence learning*: fine-tuning a language model, three years earlier.
# * Felbo et al. (2017), *DeepMoji*: chain-thaw. Li, Grandvalet and Davoine (2018): L2-SP.
# * Gururangan et al. (2020), *Don't stop pretraining*: stage 2 for Transformers.
# * Box, Hunter and Hunter, *Statistics for experimenters*: factorials, with more wit than their reputation.
# * Lesson 11 asks *why* pre-training helps. The exercises: `exercises/10_ulmfit`.

# %% [markdown] key="reading" lang="zh" follows="ba7e7ded"
# ## 接下来读什么
#
# * Howard 与 Ruder（2018），第 3、5 节；学完本课第 7 节，再回头看表 7。
# * Dai 与 Le（2015），*Semi-supervised sequence learning*：早三年就微调语言模型了。
# * Felbo 等（2017），*DeepMoji*：chain-thaw。Li、Grandvalet、Davoine（2018）：L2-SP。
# * Gururangan 等（2020），*Don't stop pretraining*：Transformer 的第二阶段。
# * Box、Hunter、Hunter，*Statistics for experimenters*：析因实验，写得比名声有趣。
# * 第 11 课追问预训练*为什么*有用。练习：`exercises/10_ulmfit`。
