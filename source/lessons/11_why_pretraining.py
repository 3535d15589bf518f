# %% [markdown] key="title" lang="en"
# # 11 · Why does pre-training work?
#
# After this lesson you can
#
# * name three explanations of why pre-training helps, and say what each one predicts;
# * build controls that take away one thing at a time: word order, words, what was learned;
# * tell a better start from regularisation, by looking at test loss at *equal* training loss;
# * measure how far fine-tuning moves each layer, and hold it back with L2-SP;
# * construct a task for which a pre-trained representation is the wrong one.
#
# Running time: about two minutes of one core (quick profile: under one).
# The papers: Erhan et al., *Why does unsupervised pre-training help deep learning?* (JMLR 2010),
# and Li, Grandvalet and Davoine, *Explicit inductive bias for transfer learning with convolutional networks* (ICML
# 2018).

# %% [markdown] key="title" lang="zh" follows="13b48301"
# # 11 · 预训练为什么有用？
#
# 学完本课，你能够
#
# * 说出预训练有用的三种解释，以及每种解释预言了什么；
# * 设计对照，一次只拿掉一样东西：词序、词的身份、学到的东西；
# * 在训练损失*相同*的地方比较测试损失，从而分清“起点好”和“正则化”；
# * 量出微调把每一层带了多远，并用 L2-SP 把它拉住；
# * 造一个任务，让预训练的表示恰好帮不上忙。
#
# 运行时间：单核约两分钟（精简规模不到一分钟）。论文：Erhan 等，*Why does unsupervised pre-training help deep learning?*（JMLR 2010）；Li、Grandvalet、Davoine，*Explicit inductive bias for transfer learning with convolutional networks*（ICML 2018）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

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
from course_claims.experiments import better_start, frozen_states, why
from course_lib import data
from course_lib.analysis import controls, probing_tasks, statistics

_ = torch.manual_seed(11)
REAL, SHUFFLED, SCATTERED, RENAMED, PERMUTED, UNTRAINED = why.CONTROLS
NAMES = {
    REAL: t("real text", "真实文本"),
    SHUFFLED: t("shuffled words", "句内打乱"),
    SCATTERED: t("scattered words", "全文打散"),
    RENAMED: t("renamed words", "词换了名"),
    PERMUTED: t("permuted weights", "权重打乱"),
    UNTRAINED: t("untrained", "未训练"),
}
INK = dict(zip(NAMES, ("#0072B2", "#E69F00", "#CC79A7", "#56B4E9", "#D55E00", "#666666"), strict=True))  # fmt: skip
MARKER = dict(zip(NAMES, "os^vDX", strict=True))


def count_seeds(rows):
    """Say how many seeds there are."""
    n = len({row["seed"] for row in rows})
    print(t(f"{n} seed(s); bars: 95 % intervals", f"{n} 个种子；短线为 95% 区间"))


# %% [markdown] key="three" lang="en"
# ## 1 · One effect, three explanations
#
# A text classifier gets 100 labelled texts. Begin with random numbers, and it is right in some share
# of the cases; begin with a language model's numbers, and it is right more often. Lessons 05-10
# showed *that* this happens. Popular accounts give three reasons *why*, often in one breath:
#
# | explanation | in words | what it predicts |
# |---|---|---|
# | **a better start** | training begins closer to a good solution | it gets there in fewer steps |
# | **a regulariser** | of all solutions that fit the labels, it ends in one that generalises | at *equal training loss*, the test loss is lower |
# | **transfer** | the model already knows something about language | the knowledge can be read out of the frozen model, and depends on what was in the text |
#
# They are not rivals: each may be true in part. But they are different claims, so each needs its own
# measurement. The first two come from work on vision: Erhan et al. (2010) pre-trained with
# autoencoders and restricted Boltzmann machines, asked "optimisation or regularisation?", and found
# mostly the second. The third is what people say about *language* models.

# %% [markdown] key="three" lang="zh" follows="87bbb324"
# ## 1 · 一个效果，三种解释
#
# 给文本分类器 100 条标注。从随机数开始训练，它能答对一部分；从语言模型的参数开始，答对的更多。第 05 至 10 课已经看到，*确实*如此。至于*为什么*，流行文章给出三条理由，常常一口气说完：
#
# | 解释 | 意思 | 它预言什么 |
# |---|---|---|
# | **起点更好** | 训练一开始就离好的解更近 | 到达同样的水平，步数更少 |
# | **正则化** | 能拟合标注的解很多，它落在泛化好的那一个 | *训练损失相同*时，测试损失更低 |
# | **知识迁移** | 模型已经懂了一些语言 | 冻结的模型里读得出这些知识，而且取决于读过什么文本 |
#
# 三者并不互斥，可能各对一部分。但它们是不同的论断，必须分开来测。前两条出自视觉研究：Erhan 等（2010）用自编码器和受限玻尔兹曼机做预训练，追问“是优化，还是正则化？”，答案主要是后者。第三条，是人们对*语言*模型的说法。

# %% [markdown] key="controls" lang="en"
# ## 2 · Controls: take away one thing
#
# A doctor who wants to know what in a pill works gives some patients a pill without it. Our pills are
# texts and models. First, texts. A short one, and what the controls make of it:

# %% [markdown] key="controls" lang="zh" follows="b95da5de"
# ## 2 · 对照：一次拿掉一样
#
# 医生想知道一种药里哪种成分起作用，就让一部分病人吃不含这种成分的药。我们的“药”是文本和模型。先看文本：同一小段话，在各种对照里变成了什么样：

# %% key="controls-texts"
little = t(
    [[["the", "bank", "by", "the", "river", "was", "muddy"], ["he", "sat", "on", "it"]]],
    [[["他", "买", "了", "一", "斤", "苹果"], ["苹果", "又", "大", "又", "红"]]],
)  # fmt: skip
course_lib.source(controls.shuffle_words, controls.scatter_words)
makers = {
    NAMES[REAL]: lambda d: d,
    NAMES[SHUFFLED]: lambda d: controls.shuffle_words(d, seed=1),
    NAMES[SCATTERED]: lambda d: controls.scatter_words(d, seed=1),
    t("letters shuffled, the same way each time", "词内字符打乱，每次一样"): lambda d: controls.respell(d, seed=4),
    t("letters shuffled, differently each time", "词内字符打乱，每次不同"): lambda d: controls.respell(d, seed=4, consistent=False),
}  # fmt: skip
for name, make in makers.items():
    print(f"{name:<42}", " | ".join(" ".join(sentence) for sentence in make(little)[0]))

# %% [markdown] key="controls-letters" lang="en"
# **What to see.** *Shuffled words* keep every sentence's words: what it is about stays, syntax goes. *Scattered
# words* keep only how often each word occurs.
#
# And shuffled letters? For a model with a character network (lesson 06) that would be a control. Ours
# reads *word numbers*. If each word is misspelt the same way everywhere, it gets the same number everywhere:
# not one bit of its input changes. If it is misspelt differently each time, nearly every token is
# `<unk>`, and nothing is left to read. Both controls are empty, and we leave them out. What a
# word-level model *can* lose is which word is which. So we take the trained model and give every word the
# vector of another one: **renamed words**. (A test proves that this is what training on a text
# with exchanged words would give.) It knows how words follow one another, under wrong names.

# %% [markdown] key="controls-letters" lang="zh" follows="b5359c9e"
# **看什么。** *句内打乱*保住了每句话的词：讲的是什么还在，语法没了。*全文打散*只保住每个词出现多少次。
#
# 那么打乱词里面的字符呢？对带字符网络的模型（第 06 课），这算一种对照。我们的模型读的却是*词的编号*：同一个词处处都错成一个样，编号还是同一个，输入一个比特也没变；每次错得不一样，几乎每个词都成了 `<unk>`，就什么也读不到了。两种都起不到对照的作用，所以不用。词级模型*能*失去的，是“哪个词是哪个词”。于是我们把训练好的模型拿来，让每个词换上别的词的向量：这就是**词换了名**。（有一个测试证明：在互换了词的文本上训练，得到的正是这个模型。）词与词怎样接续，它还懂，只是名字全错了。

# %% [markdown] key="controls-models" lang="en"
# The last two controls are models that read nothing. **Permuted weights**: in each tensor of the
# trained model the numbers are put into a random order. Their mean, spread and extremes stay: if the good of
# pre-training is only that numbers get a suitable *size*, this model must be as good. **Untrained**:
# fresh random numbers.

# %% [markdown] key="controls-models" lang="zh" follows="4d00a4da"
# 最后两种对照是什么也没读过的模型。**权重打乱**：把训练好的模型每个张量里的数随机换位。平均值、分散程度、最大最小值都不变：如果预训练的好处只是让数的*大小*合适，这个模型就该一样好。**未训练**：全新的随机数。

# %% key="controls-code"
course_lib.source(controls.permute)

# %% [markdown] key="pretrain" lang="en"
# Now we pre-train. A small AWD-LSTM (lesson 09, two layers) reads Rivertown; a second one reads the same text
# with shuffled words; a third one with scattered words. Same sizes, same tokens, same first random numbers. (They
# are kept on disk: the second time this cell takes no time.)

# %% [markdown] key="pretrain" lang="zh" follows="8844be35"
# 现在来预训练。一个小 AWD-LSTM（第 09 课，两层）读河湾镇的文本；第二个读同样的文本，但句内打乱；第三个读全文打散的。大小一样，词数一样，最初的随机数也一样。（训练结果存在硬盘上：第二次运行不再花时间。）

# %% key="pretrain-run"
from course_lib.models.awd_lstm import Remembering
from course_lib.text.batches import read_text
from course_lib.text.streams import Streams
from course_lib.training.loop import evaluate

LABELS, STEPS, PLACES = course_lib.by_profile(
    full=(120, 150, (1200, 600)), quick=(24, 12, (300, 200))
)
setting = course_lib.by_profile(
    full=why.town(t.language, 120_000, 2), quick=why.town(t.language)
)
began = time.perf_counter()
models = why.encoders(setting, seed=1)
print(t("seconds:", "秒数："), round(time.perf_counter() - began),
      t("parameters:", "参数："), f"{sum(p.numel() for p in models[REAL].parameters()):,}")  # fmt: skip
unread = read_text(setting.topics["test"][0][:60], window=sys.maxsize)


def perplexity(model):
    """Return the perplexity on unread real text."""
    streams = Streams(unread, setting.vocabulary, rows=4)
    return math.exp(evaluate(Remembering(model), streams).item())


claims.show_table(
    [t("encoder", "编码器"), t("perplexity on real text", "真实文本上的困惑度")],
    [(NAMES[k], f"{perplexity(model):,.0f}") for k, model in models.items()],
)

# %% [markdown] key="pretrain-seen" lang="en"
# **What to see.** Read the table from below. Untrained: about as many as there are words, all of them equally likely. From
# there to *scattered words* it is only frequencies that were learned; from there to *shuffled words*, what the words of one
# sentence tell about each other; from there to *real text*, their order. Which of these steps is the largest? *Permuted
# weights* are numbers of the right sizes, none of them in its place. *Renamed* knows as much as the real one, about other
# words: being sure and wrong costs more than not knowing.

# %% [markdown] key="pretrain-seen" lang="zh" follows="6b3bee87"
# **看什么。** 从下往上读这张表。未训练：差不多等于词表大小，所有词一样可能。从它到*全文打散*，学到的只有词频；再到*句内打乱*，是同一句话里的词互相透露的东西；再到*真实文本*，是词序。哪一步最大？*权重打乱*的，数的大小都合适，却没有一个在原来的位置上。*词换了名*的懂得和真的一样多，只是张冠李戴：信心十足却猜错了，代价比干脆不知道还大。

# %% [markdown] key="transfer" lang="en"
# ## 3 · Transfer: what can be read out?
#
# Take the transfer explanation first. Nothing is fine-tuned: the encoders are frozen, and a linear reader
# (lesson 08's probe) is asked four things.
#
# 1. **Topic.** Which of twelve topics has this document?
# 2. **Tag.** Which part of speech has the word just read?
# 3. **Tag to come.** Which part of speech has the *next* word? It has not been read yet: only syntax can tell.
# 4. **Exchanged?** In “the muddy **was bank**”, have the last two neighbours changed places? The state is taken after
#    the second one. Exchanged or not, it is the same two words: only their order can tell, and chance is one half.
#
# The transfer explanation predicts more than "real text wins". It predicts a *pattern*: shuffled words
# should keep the topic and lose 3 and 4.

# %% [markdown] key="transfer" lang="zh" follows="4163ed12"
# ## 3 · 迁移：能读出什么？
#
# 先看“知识迁移”。什么都不微调：编码器冻结，用线性的读取器（第 08 课的探针）问四件事。
#
# 1. **话题。** 这篇文档是十二个话题里的哪一个？
# 2. **词性。** 刚读到的词是什么词性？
# 3. **下一个词性。** *下一个*词是什么词性？这个词还没读到，只能靠语法来推。
# 4. **对调了吗？** “他 买 **一 了** 斤 苹果”：这两个相邻的词是不是对调过？状态取在第二个词之后。单看这两个词，哪个都不稀奇，只有次序能说明问题；瞎猜能对一半。
#
# “迁移”预言的不只是“真实文本最好”，而是一个*格局*：句内打乱的应当保住话题，丢掉第 3、4 项。

# %% key="transfer-run"
course_lib.source(probing_tasks.bigram_shift)
ASKED = {
    "topic": t("topic", "话题"),
    "tag": t("tag", "词性"),
    "tag to come": t("tag to come", "下一个词性"),
    "exchanged": t("exchanged?", "对调了吗"),
}
tagged = setting.tagged[:3000]
answers = {"topic": frozen_states.topic_answers(setting, models, LABELS, seed=1)}
asked = {
    "tag": probing_tasks.word_tags(tagged, 1, 0),
    "tag to come": probing_tasks.word_tags(tagged, 1, 1),
    "exchanged": probing_tasks.bigram_shift(tagged, 1),
}
for name, question in tqdm(asked.items(), file=sys.stdout):
    answers[name] = frozen_states.ask(question, models, setting.vocabulary, PLACES, seed=1)
ROWS = NAMES | {
    "words alone": t("words alone, no encoder", "只看词，没有编码器"),
    "majority": t("always the commonest", "总猜最常见的"),
}


def heat(table, title):
    """Draw accuracies of encoders (rows) on questions (columns) as shades."""
    rows = [name for name in ROWS if name in table["tag"]]
    grid = np.array([[100 * table[q][name] for q in ASKED] for name in rows])
    figure, ax = plt.subplots(figsize=(6.4, 3.4))
    low, high = grid.min(axis=0), grid.max(axis=0)
    ax.imshow((grid - low) / (high - low + 1e-9), cmap="Blues", aspect="auto", vmax=1.4)
    for i, j in itertools.product(*map(range, grid.shape)):
        ax.text(j, i, f"{grid[i, j]:.0f}", ha="center", va="center")
    ax.set_xticks(range(len(ASKED)), ASKED.values())
    ax.set_yticks(range(len(rows)), [ROWS[name] for name in rows])
    ax.axhline(len(NAMES) - 0.5, color="0.3", lw=1)
    ax.set_title(title, fontsize=10)
    course_lib.show(
        figure,
        alt=t(
            "A table of accuracies: six encoders and two readers without an encoder in the rows, four "
            "questions in the columns. Shades are by column.",
            "准确率表：各行是六个编码器和两种不用编码器的做法，各列是四个问题，深浅按列。",
        ),
    )


heat(answers, t("this run: Rivertown, accuracy, %", "本次运行：河湾镇，准确率（%）"))

# %% [markdown] key="transfer-seen" lang="en"
# **What to see.** Compare *within* a column; shades do so. Look at the last two columns first: is anybody
# but the model of real text above its controls? Then at the topic: how much of the way from "untrained" to
# "real text" do shuffled words go? And read the line below: on some questions simple counting of words, without
# any encoder, is better than all six. "Better than untrained" does not mean "good".
# A control may even fall *below* "untrained": random vectors keep all words apart, and training for mere frequencies may push
# them together. Damaged knowledge can be worse than none.
#
# One run with few sentences is noisy, and the quick profile is too small to show anything. The next picture has the stored experiment: a million words of
# English news and the Brown corpus, five topics, tags of the treebank. The encoders are pre-trained once, so the
# intervals tell how the answers vary with labels and readers, not with another pre-training.

# %% [markdown] key="transfer-seen" lang="zh" follows="69b7084a"
# **看什么。** 要在*同一列*里比较，颜色深浅就是按列的。先看最后两列：除了读真实文本的那个，还有谁超出了对照？再看话题：从“未训练”到“真实文本”这段路，句内打乱的走了多少？别忘了横线以下：有的问题，不用编码器、只数词，就比六个都强。“比未训练好”不等于“好”。对照甚至可能*低于*“未训练”：随机向量至少让每个词各不相同，只为词频而训练，却可能把词挤到一块。残缺的知识，有时还不如没有。
#
# 一次运行、句子又少，噪声不小；精简规模更是什么也显不出来。下一张图是存好的实验：一百万词的英文新闻和 Brown 语料，五个话题，词性用树库的。编码器只预训练了一次，所以区间说的是标注和读取器不同会差多少，不是再预训练一次会差多少。

# %% key="transfer-stored" fold=true
transferred = claims.card("knowledge").rows
if transferred:
    spans = claims.over_seeds(transferred, "accuracy")
    shown_rows = [*NAMES, "words alone"]
    figure, axes = plt.subplots(1, 4, figsize=(9.6, 3.2), sharey=True)
    for ax, (question, label) in zip(axes, ASKED.items(), strict=True):
        for y, name in enumerate(shown_rows):
            middle, low, high = (100 * v for v in spans[name, question])
            bars = np.nan_to_num([[middle - low], [high - middle]])
            ax.errorbar([middle], [y], xerr=bars, fmt=MARKER.get(name, "+"),
                        color=INK.get(name, "black"), capsize=3)  # fmt: skip
        ax.set_title(label, fontsize=10)
        ax.set_xlabel(t("accuracy, %", "准确率（%）"))
        ax.grid(axis="x", alpha=0.3)
    axes[0].set_yticks(range(len(shown_rows)), [ROWS[name] for name in shown_rows])
    axes[0].invert_yaxis()
    course_lib.show(
        figure,
        alt=t(
            "Four panels, one a question: the accuracy of each encoder and of words alone, with intervals.",
            "四个小图，每个问题一个：各编码器以及“只看词”的准确率，带区间。",
        ),
    )
    count_seeds(transferred)

# %% [markdown] key="transfer-paper" lang="en"
# **What to see.** Read each panel from the real model down. Where a control is below it, what was taken away is of use
# for this question. How a control lies beside "untrained" is another matter: that two intervals overlap does not show that
# nothing is left. The predicted pattern did not come: shuffled words are *below* untrained in the topic, too (41 % against 48
# %). In sentences without order this small encoder has not learned what a text is about; and each text was read in one
# pre-training only, so the card that asks it says "cannot tell".
#
# The same idea at full size: Sinha et al. (2021) pre-trained RoBERTa (a BERT that is trained longer, lesson 14) on
# 16 GB of text, real or shuffled, and fine-tuned. Their numbers (development sets, median of five seeds):
#
# | pre-trained on | MNLI | QQP | RTE | CoLA |
# |---|---|---|---|---|
# | real text | 86.1 | 91.3 | 74.6 | 61.4 |
# | words of a sentence shuffled | 82.6 | 91.0 | 69.0 | 35.2 |
# | words of the whole corpus shuffled | 71.9 | 85.5 | 54.0 | 0.0 |
#
# Without the order of words, telling whether two questions mean the same (QQP) loses next to nothing; telling whether
# one sentence follows from another (MNLI, RTE) loses a few points; telling whether a sentence is grammatical (CoLA)
# loses nearly half. Most of what these *benchmarks* reward is not syntax. It is about the tasks as much as about the
# models.

# %% [markdown] key="transfer-paper" lang="zh" follows="e81f5192"
# **看什么。** 每个小图都从真实文本往下看。哪种对照比它低，它拿掉的东西对这个问题就有用。对照同“未训练”怎么样，是另一回事：两个区间重叠，不说明什么也没剩下。预言的格局没有出现：话题这一问，句内打乱的也*低于*未训练的（41% 对 48%）。没有词序，这个小编码器就没有学会一篇文本在讲什么；何况每种文本只做过一次预训练，所以问这件事的卡片上写的是“看不出”。
#
# 同样的想法，放大到真实规模：Sinha 等（2021）用 16 GB 文本（有真实的，有打乱的）预训练 RoBERTa（训练得更久的 BERT，见第 14 课），再微调。他们的数字（开发集，五个种子的中位数）：
#
# | 预训练文本 | MNLI | QQP | RTE | CoLA |
# |---|---|---|---|---|
# | 真实文本 | 86.1 | 91.3 | 74.6 | 61.4 |
# | 句内词序打乱 | 82.6 | 91.0 | 69.0 | 35.2 |
# | 整个语料的词打散 | 71.9 | 85.5 | 54.0 | 0.0 |
#
# 判断两个问句是不是同一个意思（QQP），没有词序也几乎不吃亏；判断一句话能不能由另一句推出（MNLI、RTE），丢几个点；判断句子合不合语法（CoLA），丢了将近一半。可见这些*评测*考的，大半不是语法。这既是模型的事，也是任务的事。

# %% [markdown] key="better" lang="en"
# ## 4 · A better start?
#
# Now fine-tune. From four of the encoders: same labels, same head, same order of batches, same rate, every layer
# learns. What differs is where the encoder begins. On the way we test the classifier, on the texts it trains with
# *and* on others. And we do it for two tasks, because a start is a start *for something*: the topic of a document, and
# whether two neighbours in a sentence have been exchanged.
#
# A detail first. What is the loss at step 0? With $K$ classes a head of random numbers is no better than a guess, so it
# is about $\ln K$ nats, from *every* start: here $\ln 12 = 2.48$ and $\ln 2 = 0.69$. "A better start" cannot mean a lower
# loss at the start. It means that the way down is shorter.

# %% [markdown] key="better" lang="zh" follows="4fb94ad1"
# ## 4 · 起点更好？
#
# 现在来微调。从其中四个编码器出发：标注相同，分类头相同，批次的次序相同，学习率相同，每一层都学。不同的只是编码器从哪里开始。途中随时测试：既测训练用的文本，*也*测别的文本。任务做两个，因为起点总是*对某件事*而言的起点：一个是文档的话题，一个是句子里有没有两个相邻的词对调过。
#
# 先注意一个细节：第 0 步的损失是多少？有 $K$ 个类别，分类头又是随机数，那就和瞎猜一样，大约 $\ln K$ 奈特，从*哪个*起点都如此；这里是 $\ln 12 = 2.48$ 和 $\ln 2 = 0.69$。所以“起点更好”不可能是说开始时损失更低，而是说下山的路更短。

# %% key="better-run"
from course_lib.training.curves import Plan, training_curve

course_lib.source(training_curve)
START = (REAL, SHUFFLED, PERMUTED, UNTRAINED)
TASKS = {"topic": ASKED["topic"], "exchanged": ASKED["exchanged"]}
both_tasks = why.tasks(setting)
SHOWN = {"topic": LABELS, "exchanged": 4 * LABELS}  # sentences are short: more of them
marks = tuple(range(0, STEPS, max(1, STEPS // 10)))
how = Plan(rate=4e-3, steps=STEPS, marks=marks)
curves = {
    task: {name: better_start.follow(of, models[name], SHOWN[task], 1, how)[0] for name in START}
    for task, of in both_tasks.items()
}


def four(axes):
    """Name the axes: steps and accuracy on the left, losses on the right."""
    for left, right, task in zip(axes[:, 0], axes[:, 1], TASKS.values(), strict=True):
        left.set_ylabel(task + t(" · accuracy, %", " · 准确率（%）"))
        right.set_ylabel(t("loss on unseen texts", "未见文本上的损失"))
        right.invert_xaxis()
    axes[1, 0].set_xlabel(t("steps of training", "训练步数"))
    axes[1, 1].set_xlabel(
        t("loss on the texts trained with, nats", "训练文本上的损失（奈特）")
    )
    axes[1, 1].legend(fontsize=8)


figure, axes = plt.subplots(2, 2, figsize=(9.4, 6))
for pair, of in zip(axes, curves.values(), strict=True):
    for name, points in of.items():
        look = {
            "color": INK[name],
            "marker": MARKER[name],
            "ms": 4,
            "label": NAMES[name],
        }
        pair[0].plot(
            [p.step for p in points], [100 * p.accuracy for p in points], **look
        )
        pair[1].plot([p.seen_loss for p in points], [p.loss for p in points], **look)
four(axes)
course_lib.show(
    figure,
    alt=t(
        "Two tasks. Left: accuracy on unseen texts against steps, from four starts. Right: loss on unseen texts "
        "against loss on the training texts of the same runs; training goes from left to right.",
        "两个任务。左：四个起点在未见文本上的准确率随步数的变化。右：同样的训练中，未见文本的损失随训练文本的损失的变化，从左向右训练。",
    ),
)
lines = []
for task, of in curves.items():
    target = max(point.accuracy for point in of[UNTRAINED])
    for name, points in of.items():
        steps = better_start.steps_to(points, target)
        lines.append((TASKS[task], NAMES[name], f"{points[0].loss:.2f}",
                      steps if steps <= points[-1].step else t("not reached", "没追上")))  # fmt: skip
claims.show_table([t("task", "任务"), t("start", "起点"), t("loss at step 0", "第 0 步的损失"),
            t("steps to the untrained one's best", "追上“未训练”最好成绩的步数")], lines)  # fmt: skip

# %% [markdown] key="better-seen" lang="en"
# **What to see.** The left column: steps, the first explanation. In which task does the real model's curve rise sooner?
# Compare with section 3: what a frozen model does not show, it need not be a better start for. And the
# permuted one's: if numbers of the right size were the secret, it would rise as soon. One seed, one rate; a rate may
# suit one start better than another, so the stored runs (English news, treebank) have two.

# %% [markdown] key="better-seen" lang="zh" follows="5f1b1165"
# **看什么。** 左边一列看步数，也就是第一种解释：在哪个任务上，真实文本的曲线升得更早？同第 3 节对照着看：冻结时读不出的东西，微调时也未必是更好的起点。再看权重打乱的：如果秘诀只是数的大小合适，它就该升得一样早。这只是一个种子、一个学习率；某个学习率可能偏向某个起点，所以存好的实验（英文新闻、树库）用了两个。

# %% key="better-stored" fold=true
started = claims.card("better-start").rows
if started:
    figure, axes = plt.subplots(2, 2, figsize=(9.4, 6), sharey="row")
    spans = claims.over_seeds(started, "accuracy")
    for ax, (task, rate) in zip(
        axes.flat, itertools.product(TASKS, better_start.RATES), strict=True
    ):
        for name in NAMES:
            of = sorted(
                (int(about.rpartition(" ")[2]), span)
                for (model, about), span in spans.items()
                if model == name and about.startswith(f"{task}, rate {rate:g},")
            )
            ax.plot([step for step, _ in of], [100 * span.estimate for _, span in of],
                    color=INK[name], marker=MARKER[name], ms=4, label=NAMES[name])  # fmt: skip
        ax.set_title(
            TASKS[task] + t(f", rate {rate:g}", f"，学习率 {rate:g}"), fontsize=10
        )
        ax.set_xlabel(t("steps of training", "训练步数"))
    for ax in axes[:, 0]:
        ax.set_ylabel(t("accuracy on unseen texts, %", "未见文本的准确率（%）"))
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=6, fontsize=8)
    course_lib.show(
        figure,
        alt=t(
            "Mean test accuracy against steps from six starts, in two tasks, at two learning rates.",
            "六个起点的平均测试准确率随步数的变化，两个任务，两个学习率。",
        ),
    )
    n_seeds = len({row["seed"] for row in started})
    print(t(f"means over {n_seeds} seeds", f"{n_seeds} 个种子的平均"))

# %% [markdown] key="better-stored-seen" lang="en"
# **What to see.** Of the topic, *when* you look decides the answer. After 40 steps the real start is ahead of the untrained
# one by 14 points at the lower rate [12, 17], and by 20 at the higher [13, 27]. After 120 steps a difference cannot be told at the lower rate, and
# at the higher one the untrained network is ahead, 61 to 55 %. So with this small model pre-training is a *faster*
# start, and no better end. The card below asks when the untrained network's best is reached, which comes at the end, and so it does not
# see the head start. (In lesson 08 convergence was faster by the same measure; but there a frozen ELMo fed a tagger that had to learn everything else.) The permuted weights have
# about half of the head start at the lower rate (7 points [4, 10]): that much may come from the size of the numbers alone.
#
# In the other task only the real model leaves the coin's 50 %, and not by much: 54.6 % at the higher rate [52, 57]. The untrained
# one does not learn it, so its "best" is one lucky step, and how soon somebody reaches that means nothing. On the card this task does not count.

# %% [markdown] key="better-stored-seen" lang="zh" follows="c8e9a191"
# **看什么。** 话题这个任务，*在哪一步看*，决定了结论是什么。第 40 步，真实文本比“未训练”领先：低学习率 14 个百分点 [12, 17]，高学习率 20 个 [13, 27]。到第 120 步，低学习率下分不出高下；高学习率下反而是“未训练”领先，61% 对 55%。所以对这么小的模型，预训练是起步*快*，终点并不更好。下面的卡片问的是何时追上“未训练”的最好成绩，而那已经是终点了，起步时的领先它看不见。（第 08 课用同样的量法，收敛确实快了；不过那里是冻结的 ELMo 供给一个其余全要从头学的标注器。）低学习率下，权重打乱的也领先 7 个百分点 [4, 10]，约占一半：这一半，也许只是因为数的大小合适。
#
# 另一个任务上，只有真实文本离开了抛硬币的 50%，离得也不远：高学习率下 54.6% [52, 57]。“未训练”没有学会，它的“最好成绩”不过是碰巧的一步，谁几步追上它，说明不了什么，所以卡片上这个任务不计。

# %% [markdown] key="regular" lang="en"
# ## 5 · A regulariser?
#
# A network that learns its labelled texts by heart has a training loss near 0 from every start. Then the better
# start no longer matters, and still one of them may be better on new texts. So look at the *right* column of the
# first picture in section 4 (loss on unseen texts against loss on the training texts). It is the test of Erhan et
# al.: follow a vertical line, where all networks fit their training texts equally well. If pre-training were only a
# faster way down, all curves would lie on one another: same training loss, same test loss. A curve that runs
# *lower* has found another kind of solution. That is what a regulariser does: it prefers some of the solutions that
# fit equally well.

# %% [markdown] key="regular" lang="zh" follows="e2e70389"
# ## 5 · 正则化？
#
# 一个网络把有标注的文本背得烂熟，训练损失接近 0，从哪个起点都做得到。这时起点好坏已经无所谓了，可是在新文本上，仍可能有一个更好。所以要看第 4 节*第一张图的右边一列*（未见文本的损失，对训练文本的损失）。这是 Erhan 等人的检验：沿着一条竖线看，线上的网络对训练文本拟合得一样好。如果预训练只是下山更快，几条曲线应当重合：训练损失相同，测试损失也相同。走得*更低*的那条，找到的是另一类解。这正是正则化的作用：在拟合得一样好的解里，偏爱其中一些。

# %% key="regular-table"
level = course_lib.by_profile(full=better_start.LEVEL, quick=0.6)
claims.show_table(
    [t("task", "任务"), t("start", "起点"),
     t(f"test loss where training loss is {level}", f"训练损失到 {level} 时的测试损失"),
     t("training accuracy at the end, %", "最后的训练准确率（%）"), t("test accuracy at the end, %", "最后的测试准确率（%）")],
    [(TASKS[task], NAMES[k], f"{better_start.at_level(points, level):.2f}", f"{100 * points[-1].seen_accuracy:.0f}",
      f"{100 * points[-1].accuracy:.0f}") for task, of in curves.items() for k, points in of.items()],
)  # fmt: skip
regular = claims.card("regulariser").rows
MORE = NAMES | {better_start.FROZEN: t("real text, frozen", "真实文本，冻结")}
if regular:
    figure, axes = plt.subplots(2, 3, figsize=(10.4, 5.8))
    for line, task in zip(axes, TASKS, strict=True):
        here = better_start.places(regular, task)
        counts = [int(text.split()[1]) for text in here]
        for name in (REAL, better_start.FROZEN, UNTRAINED):
            look = {"color": INK.get(name, "#009E73"), "marker": MARKER.get(name, "P"), "ms": 5}  # fmt: skip
            test, train, loss = (
                [claims.by_model(regular, metric, text)[name] for text in here]
                for metric in ("accuracy", "training accuracy", f"loss at {better_start.LEVEL} nats")
            )  # fmt: skip
            gap = [100 * (b - a) for a, b in zip(test, train, strict=True)]
            for ax, values in zip(line, ([100 * x for x in test], gap, loss), strict=True):  # fmt: skip
                found = np.array([tuple(statistics.t_interval(v)) for v in values])
                bars = np.nan_to_num(
                    [found[:, 0] - found[:, 1], found[:, 2] - found[:, 0]]
                )
                ax.errorbar(
                    counts, found[:, 0], bars, capsize=3, label=MORE[name], **look
                )
                ax.set_xscale("log")
                ax.set_xticks(counts, counts)
                ax.minorticks_off()
        line[0].set_ylabel(TASKS[task])
    heads = (
        t("test accuracy, %", "测试准确率（%）"),
        t("training − test accuracy, points", "训练 − 测试准确率（百分点）"),
        t(f"test loss at training loss {better_start.LEVEL}", f"训练损失 {better_start.LEVEL} 处的测试损失"),
    )  # fmt: skip
    for ax, low, label in zip(axes[0], axes[1], heads, strict=True):
        ax.set_title(label, fontsize=9)
        low.set_xlabel(t("labels", "标注数"))
    axes[0, 0].legend(fontsize=7)
    course_lib.show(
        figure,
        alt=t(
            "For two tasks, against the number of labels: test accuracy, the gap between training and test "
            "accuracy, and the test loss at equal training loss; for a real, a frozen real and an untrained start.",
            "两个任务，横轴是标注数：测试准确率、训练与测试准确率之差、训练损失相同处的测试损失；起点有真实文本、真实文本冻结和未训练。",
        ),
    )
    count_seeds(regular)

# %% [markdown] key="regular-seen" lang="en"
# **What to see.** In the stored runs: does the gap close as labels grow, and from which start is it
# smallest? Mind a trap in the middle panel: a model that has not even learned its training texts has a small
# gap, too. That is why the right panel compares at equal training loss, where it can: the frozen encoder,
# the strictest regulariser of all because it cannot move, never gets down to 0.2 with 160 and 640 labels. Its points
# stand there at the lowest training loss that it reaches, 0.3 to 1.0, and are not to be compared with the others.

# %% [markdown] key="regular-seen" lang="zh" follows="21c560f7"
# **看什么。** 看存好的实验：标注变多，差距是不是在缩小？哪个起点的差距最小？中间的小图有个陷阱：连训练文本都没学会的模型，差距也小。所以右边的小图尽量在训练损失相同的地方比。冻结的编码器是最严的正则化，因为它根本不能动：用 160 条和 640 条标注时，它的训练损失降不到 0.2，图上的点只好取在它达到的最低处（0.3 到 1.0），不能和别的比。

# %% [markdown] key="anchor" lang="en"
# ## 6 · Nothing holds it back, unless you do
#
# Some accounts say that fine-tuning *constrains* the parameters to stay near the pre-trained ones, $\theta_0$. Read the
# loss: there is no such term. Small steps, and few of them, keep the way short; that is all. It can be
# asked for, though. Say one weight began at 1.0 and stands at 1.3. With $\alpha = 0.1$ it costs
# $0.05 \cdot 0.3^2 = 0.0045$ nats, and it is pulled back with a force of $0.1 \cdot 0.3 = 0.03$. That is **L2-SP**
# ("starting point"; Li et al. 2018), for all weights $w$ that were pre-trained:
#
# $$\Omega(w) = \frac{\alpha}{2} \lVert w - w^0 \rVert_2^2, \qquad \nabla\Omega(w) = \alpha\,(w - w^0).$$
#
# Weight decay is the same with $w^0 = 0$: it pulls towards *nothing known*. To a Bayesian, $-\Omega$ is, but for a
# constant, the logarithm of a prior (beside a loss summed over the labels): before I see a label, I believe that the solution lies near $w^0$, with variance
# $1/\alpha$. Many labels should outweigh it. (The head was not pre-trained: here it is left alone; the paper
# gives it weight decay.)

# %% [markdown] key="anchor" lang="zh" follows="cbf941db"
# ## 6 · 没有东西拉住它，除非你来拉
#
# 有的文章说，微调把参数*约束*在预训练的值 $\theta_0$ 附近。看看损失函数：没有这一项。步子小，步数少，自然走不远，如此而已。不过，可以把这个要求写进去。比方说，某个权重从 1.0 出发，现在到了 1.3。取 $\alpha = 0.1$，代价是 $0.05 \cdot 0.3^2 = 0.0045$ 奈特，往回拉的力是 $0.1 \cdot 0.3 = 0.03$。这就是 **L2-SP**（SP 即 starting point，起点；Li 等，2018），对所有预训练过的权重 $w$：
#
# $$\Omega(w) = \frac{\alpha}{2} \lVert w - w^0 \rVert_2^2, \qquad \nabla\Omega(w) = \alpha\,(w - w^0)$$
#
# 权重衰减就是 $w^0 = 0$ 的情形：往*一无所知*的地方拉。在贝叶斯派看来，$-\Omega$ 就是先验的对数（差一个常数；损失按各条标注之和算）：还没看标注，我就相信解在 $w^0$ 附近，方差 $1/\alpha$。标注多了，应当盖过它。（分类头没有预训练过：这里不管它，论文里给它权重衰减。）

# %% key="anchor-run"
from course_lib.training import anchored

course_lib.source(anchored.l2_sp)
ways = {
    t("no pull", "不拉"): {},
    t("no pull, a quarter of the rate", "不拉，学习率四分之一"): {"rate": 1e-3},
    t("no pull, a quarter of the steps", "不拉，步数四分之一"): {"steps": STEPS // 4},
    "L2-SP, α = 0.001": {"alpha": 0.001},
    "L2-SP, α = 0.01": {"alpha": 0.01},
    "L2-SP, α = 0.1": {"alpha": 0.1},
    t("weight decay, α = 0.01", "权重衰减，α = 0.01"): {"alpha": 0.01, "to_zero": True},
}
lines, moved = [], {}
for name, changes in ways.items():
    plan = Plan(**({"rate": 4e-3, "steps": STEPS} | changes))
    points, classifier = better_start.follow(
        both_tasks["exchanged"], models[REAL], SHOWN["exchanged"], 1, plan
    )
    moved[name] = anchored.distances(classifier.encoder, models[REAL])
    lines.append(
        (name, *(f"{100 * v:.0f}" for v in moved[name].values()),
         f"{100 * points[-1].seen_accuracy:.0f}", f"{100 * points[-1].accuracy:.0f}")
    )  # fmt: skip
places = {
    "words": t("words", "词向量"),
    "LSTM 1": "LSTM 1",
    "LSTM 2": "LSTM 2",
    "all": t("all", "全部"),
}
claims.show_table([t("moved, % of ‖θ₀‖", "移动，占 ‖θ₀‖ 的 %"), *places.values(), t("training accuracy, %", "训练准确率（%）"),
            t("test accuracy, %", "测试准确率（%）")], lines)  # fmt: skip

# %% [markdown] key="anchor-seen" lang="en"
# **What to see.** Rows 1-3: the distance follows the rate and the number of steps. So it is these that keep
# fine-tuning near its start, and nothing else. Rows 4-6: the stronger the pull, the shorter the way. Weight decay
# *moves the model away* from where it began, although it is called a regulariser, too. Does a shorter way mean a
# better classifier? Look at the last column, and then at the stored sweep, which has seeds.

# %% [markdown] key="anchor-seen" lang="zh" follows="c34b6334"
# **看什么。** 前三行：距离随学习率和步数而变。让微调留在起点附近的就是这两样，没有别的。第四到六行：拉得越紧，走得越近。权重衰减也叫正则化，却把模型*带离*起点。走得近，分类器就好吗？看最后一列；再看存好的那组实验，它有多个种子。

# %% key="anchor-stored" fold=true
pulled = claims.card("pull-helps").rows
if pulled:
    spans = claims.over_seeds(pulled, "accuracy")
    gone = claims.over_seeds(pulled, "moved: all")
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.6))
    series = [
        (here, end) for task in TASKS for here in better_start.places(pulled, task)
        for end in (("the start", "zero") if task == "exchanged" else ("the start",))
    ]  # fmt: skip
    for (here, end), look in zip(
        series, ("^:", "^-", "o:", "s:", "o-", "s-"), strict=True
    ):
        names = [
            f"{here}: no pull",
            *(f"{here}: to {end}, {a:g}" for a in better_start.STRENGTHS),
        ]
        task, n, _ = here.replace(",", "").split()
        label = t(f"{TASKS[task]}, {n}, to {end}", f"{TASKS[task]}，{n} 条，" + {"the start": "拉向起点", "zero": "拉向零"}[end])  # fmt: skip
        for ax, of, scale in ((axes[0], spans, 100), (axes[1], gone, 1)):
            y = np.array([tuple(of[REAL, name]) for name in names]) * scale
            bars = np.nan_to_num([y[:, 0] - y[:, 1], y[:, 2] - y[:, 0]])
            ax.errorbar(range(len(names)), y[:, 0], bars, fmt=look, ms=4, capsize=3, label=label)  # fmt: skip
    for ax in axes:
        ax.set_xticks(range(4), [0, *better_start.STRENGTHS])
        ax.set_xlabel(t("strength of the pull, α", "拉力 α"))
    axes[0].set_ylabel(t("accuracy on unseen texts, %", "未见文本的准确率（%）"))
    axes[1].set_ylabel("‖θ − θ₀‖ / ‖θ₀‖")
    axes[1].legend(fontsize=6)
    course_lib.show(
        figure,
        alt=t(
            "Test accuracy and distance moved against the strength of a pull to the start or to zero, in two "
            "tasks, for few and for many labels.",
            "两个任务、标注少或多时，测试准确率和移动距离随拉力的变化：拉向起点或拉向零。",
        ),
    )
    count_seeds(pulled)

# %% [markdown] key="anchor-stored-seen" lang="en"
# **What to see.** Right: each tenfold pull to the start leaves less than half of the way, while the pull to zero
# drags the weights far off. Left: on the topics the strongest pull costs eighteen points with 640 labels and four with 40. Even the
# strength that is best on 200 other texts (with 640 labels always the weakest) costs 2.4 points against none [1.4, 3.3]; with 40 labels, and
# on the exchanged words, a gain or a loss cannot be told. Is it at least a
# *prior*, that gives way when labels are many? On the topics it is: with more labels a weaker pull is chosen, by 0.9 powers of ten [0.4, 1.4].
# The exchanged words say nothing, for with 40 labels they are at chance, however strong the pull. Li et al. report gains with large image networks;
# our small language model did best without.

# %% [markdown] key="anchor-stored-seen" lang="zh" follows="c9c692a7"
# **看什么。** 右图：往起点拉，拉力每大十倍，剩下的路不到一半；往零拉，权重反而被拖得老远。左图：话题任务上，拉得最紧，用 640 条标注时损失十八个百分点，40 条时损失四个。就算用另外 200 条文本来挑拉力（640 条标注时挑中的总是最松的一档），比起不拉也还损失 2.4 个百分点 [1.4, 3.3]；40 条标注时，还有“对调了吗”，是得是失看不出来。那么它至少像个*先验*，标注一多就让位吗？话题任务是这样：标注多了，挑的拉力小 0.9 个数量级 [0.4, 1.4]。“对调了吗”说明不了什么：只有 40 条标注时，怎么拉都等于瞎猜。Li 等人在大的图像网络上得到了提升；我们这个小语言模型，不拉最好。

# %% [markdown] key="all" lang="en"
# ## 7 · One representation for everything?
#
# "One general representation serves all tasks." A next-word model keeps what helps to guess the next word. It may
# forget everything else, and a task may need just that. So let us *design* failures. Two kinds:
#
# * **discarded**: which of eight words stood *first* in a text of 25 words? The model has read it, but 24 words later it
#   is of little use for the next word;
# * **never seen**: has this word an even number of letters? The model reads word *numbers*. The letters are not in
#   its input at all.
#
# For a fair comparison, each question also gets a reader that was made for it: one that sees the first word, or the
# number of letters. Both are trivial, and right.

# %% [markdown] key="all" lang="zh" follows="f3da020e"
# ## 7 · 一种表示通吃？
#
# “一种通用表示，适用于所有任务。”预测下一个词的模型，留下的是对猜下一个词有用的东西；别的都可以忘掉，而某个任务要的也许恰恰是那些。所以我们来*设计*失败。两种：
#
# * **丢掉了的**：25 个词的文本，*第一个*词是八个词里的哪一个？模型读到过它，可是 24 个词之后，它对猜下一个词没什么用了；
# * **从没见过的**：这个词最后一个字的编码（Unicode 码位）是偶数吗？模型读的是*词的编号*，字形、编码根本不在输入里。
#
# 为了公平，每个问题都另配一个专用的读取器：一个看第一个词，一个看编码的二进制数位。两个都极简单，也都答得对。

# %% key="all-run"
EPOCHS = course_lib.by_profile(full=200, quick=10)
both = {name: models[name] for name in (REAL, UNTRAINED)}
found = [{}]
for last, title in ((True, "last state"), (False, "pooled")):
    topic = frozen_states.topic_answers(setting, both, LABELS, 1, last)
    found[0] |= {f"{name}, {title}": topic[name] for name in both}
found[0] |= {
    frozen_states.DEDICATED: topic["words alone"],
    "fine-tuned": curves["topic"][REAL][-1].accuracy,
}
for ask_for in (frozen_states.opening_word, frozen_states.even_letters):
    task = ask_for(setting, seed=1)
    found.append(frozen_states.designed(setting, both, task, seed=1))
    found[-1]["fine-tuned"] = frozen_states.tuned(setting, models[REAL], *task[:2], 1, EPOCHS)
TITLES = {
    f"{REAL}, last state": t("frozen, state after the last word", "冻结，最后一个词之后的状态"),
    f"{REAL}, pooled": t("frozen, all states pooled", "冻结，所有状态池化"),
    f"{UNTRAINED}, pooled": t("untrained, all states pooled", "未训练，所有状态池化"),
    "fine-tuned": t("fine-tuned", "微调"),
    frozen_states.DEDICATED: t("made for the question", "专用的读取器"),
}  # fmt: skip
claims.show_table(
    [t("accuracy, %", "准确率（%）"), t("topic (1 of 12)", "话题（12 选 1）"),
     t("first word (1 of 8)", "第一个词（8 选 1）"), t("even number of letters", "编码是偶数（2 选 1）")],
    [(title, *(f"{100 * of[key]:.0f}" for of in found)) for key, title in TITLES.items()],
)  # fmt: skip

# %% [markdown] key="all-seen" lang="en"
# **What to see.** Read each column against its chance (1/12, 1/8, 1/2). The two failures differ in their cure. How much of
# the first word is left in the last state? What the state has *discarded* may still be had: keep all states and pool them, or
# fine-tune until the LSTM remembers. What was *never in the input* no training can bring back: the words asked for were not
# in training, and nothing but their numbers is seen. That needs another input, characters (lesson 06). And compare the
# first column with its last line: a reader made for the task is a rival that any "general representation" has to meet.

# %% [markdown] key="all-seen" lang="zh" follows="bff38645"
# **看什么。** 每一列都要同瞎猜比（1/12、1/8、1/2）。两种失败，药方不同。最后的状态里，第一个词还剩多少？状态*丢掉了的*，还有办法：把所有状态留着做池化，或者微调，让 LSTM 学会记住。*输入里从来没有的*，怎么训练也要不回来：问的都是训练里没有的词，看到的只有编号。它需要换一种输入：字符（第 06 课）。再拿第一列同它最后一行比：专为任务做的读取器，是任何“通用表示”都得面对的对手。

# %% [markdown] key="cards" lang="en"
# ## 8 · Claim cards
#
# Three explanations and a popular sentence about fine-tuning. Each card has two verdicts. *As told*: is it what the source says? *In our
# runs*: what came out here, by one rule for all cards. Our column is a small model and a small corpus, and every encoder was pre-trained
# once: it can show that an explanation fails *here*, and no more.
#
# More claims about this lesson (freeze or fine-tune, L2-SP, the last state, perplexity and vectors): the book's claims page, or
# `python -m course_lib claims list`.

# %% [markdown] key="cards" lang="zh" follows="14560c17"
# ## 8 · 论断卡
#
# 三种解释，还有一句关于微调的流行说法。每张卡片有两个结论：“转述”说的是，这句话是不是出处的原意；“我们的实验”说的是这里做出来怎样，所有卡片用同一条规则。我们这一列是小模型、小语料，每个编码器只预训练过一次：它能说明某种解释在*这里*不成立，仅此而已。
#
# 关于本课的更多论断（冻结还是微调、L2-SP、最后的状态、困惑度和向量），见本书的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="cards-run" fold=true
for key in ("better-start", "regulariser", "knowledge", "stays-near"):
    claims.card(key).show(t)

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The probe of every lesson, with this lesson's question: does the AWD-LSTM that ships with the course keep senses apart
# because of *what it has learned*? Beside it stand its own controls. (The vectors of its last layer.)

# %% [markdown] key="scoreboard" lang="zh" follows="f4262720"
# ## 记分牌
#
# 每课都做的那个测试，这次带着本课的问题：课程自带的 AWD-LSTM 能分开义项，靠的是不是*学到的东西*？旁边是它自己的几种对照。（用最后一层的向量。）

# %% key="scoreboard-row"
from course_lib.analysis import senses

general, known = course_lib.load(f"awdlstm-{t.language}")
annotated = data.senses(t.language)


def at_target(model):
    """Return the last layer's output at the ambiguous word. Shape: (N, E)."""
    small = [[word.lower() for word in s.tokens] for s in annotated]
    size = model.config.embedding
    rows = frozen_states.states(model, known, small)
    return np.stack(
        [
            x[s.target_index, -size:].numpy()
            for x, s in zip(rows, annotated, strict=True)
        ]
    )


board = {}
readers = {
    t("AWD-LSTM as shipped", "AWD-LSTM，随课程提供"): general,
    NAMES[RENAMED]: controls.rename(general, 1),
    NAMES[PERMUTED]: controls.permute(general, 1),
    NAMES[UNTRAINED]: controls.untrained(general, 1),
}
for label, model in tqdm(readers.items(), file=sys.stdout):
    board[label] = senses.macro(senses.by_word(at_target(model), annotated))
static = course_lib.load(f"static-{t.language}")
board[t("averaged static context", "静态上下文平均")] = claims.context_scores(static, t.language)  # fmt: skip
display(HTML(claims.sense_table(board, t)))

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "11")

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** Two starts need about as many steps to fit the labelled texts. At equal
# training loss the pre-trained one has the lower loss on new texts. Which explanation
# does that support?
#
# <details><summary>A. A better start.</summary>
#
# Not quite: that would show in *fewer steps*. Here they are equal.
#
# </details>
#
# <details><summary>B. Transfer of knowledge.</summary>
#
# Not quite: it may be behind the result, but for that the control must be another: what
# can be read out, and does it depend on the text that was read?
#
# </details>
#
# <details><summary>C. A regulariser.</summary>
#
# Right. Of the solutions that fit the labels equally well it has found one that
# generalises. Whether that is due to knowledge of language, the picture does not say.
#
# </details>
#
# ---
#
# **2.** With 12 classes an untrained classifier has a loss of about 2.48 nats at step
# 0. And one on a pre-trained encoder?
#
# <details><summary>A. Clearly less: it has the better start.</summary>
#
# Not quite: the encoder may know much, but the head cannot read it yet.
#
# </details>
#
# <details><summary>B. About 2.48</summary>
#
# Right. The head is new in both, and a head of random numbers guesses: ln 12 nats. "A
# better start" means a shorter way down, not a lower beginning.
#
# </details>
#
# <details><summary>C. Clearly more: its numbers fit another task.</summary>
#
# Not quite: a fresh head of small random numbers hardly takes sides, whatever comes
# from below.
#
# </details>
#
# ---
#
# **3.** An encoder was pre-trained on text with the words of each sentence shuffled. On
# which question should it come closest to the one that has read real text?
#
# <details><summary>A. The part of speech of the <em>next</em> word.</summary>
#
# Not quite: only syntax can tell, and syntax is what shuffling has destroyed.
#
# </details>
#
# <details><summary>B. The topic of a document.</summary>
#
# Right. Which words stand together is still there. Transfer predicts such a *pattern*,
# not only "real text wins".
#
# </details>
#
# <details><summary>C. Whether two neighbours have been exchanged.</summary>
#
# Not quite: in its training text all neighbours had been exchanged.
#
# </details>
#
# ---
#
# **4.** A frozen model that reads word numbers cannot say whether a *new* word has an
# even number of letters. What helps?
#
# <details><summary>A. Fine-tuning it on this question.</summary>
#
# Not quite: for the words it trains on, perhaps, by heart. The words asked about were
# not in training.
#
# </details>
#
# <details><summary>B. Pooling all states instead of taking the last.</summary>
#
# Not quite: that helps where the state has *discarded* something. Here it never came
# in.
#
# </details>
#
# <details><summary>C. Another input: characters.</summary>
#
# Right. What was never in the input no training can bring back.
#
# </details>
#
# <details><summary>D. More text in pre-training.</summary>
#
# Not quite: more word numbers hold no more letters.
#
# </details>
#
# ---
#
# **5.** After fine-tuning, an encoder is 3 % of its length away from θ₀. "Fine-tuning
# constrains the parameters to stay near." What do you say?
#
# <details><summary>A. Small steps, and few of them, lead nowhere far; nothing in the
# loss held it.</summary>
#
# Right. In section 6 the distance follows the rate and the number of steps. L2-SP would
# hold it: it adds α/2 ‖w − w⁰‖².
#
# </details>
#
# <details><summary>B. So it is, as the 3 % show.</summary>
#
# Not quite: the distance shows where it ended, not what held it.
#
# </details>
#
# <details><summary>C. The pre-trained weights were nearly best for the task
# already.</summary>
#
# Not quite: possible, but 3 % does not show it. Section 6 changes only the rate, and
# the distance changes with it.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="1255eae7"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 两个起点要把标注拟合好，用的步数差不多。可是在训练损失相同的地方，预训练的那个在新文本上损失更低。这支持哪种解释？
#
# <details><summary>A. 起点更好。</summary>
#
# 再想想：那应当表现为*步数更少*，这里步数差不多。
#
# </details>
#
# <details><summary>B. 知识迁移。</summary>
#
# 再想想：背后也许有它，但要说这话，得换一种对照：冻结时读得出什么，和读过什么文本有没有关系。
#
# </details>
#
# <details><summary>C. 正则化。</summary>
#
# 对。拟合得一样好的解很多，它落在泛化好的那一个。至于是不是因为懂语言，这张图没有说。
#
# </details>
#
# ---
#
# **2.** 12 个类别，未训练的编码器加新分类头，第 0 步的损失约 2.48 奈特。换成预训练的编码器呢？
#
# <details><summary>A. 明显更低，因为起点更好。</summary>
#
# 再想想：编码器也许懂得很多，可新分类头还读不出来。
#
# </details>
#
# <details><summary>B. 明显更高，因为它是为别的任务学的。</summary>
#
# 再想想：新分类头的数很小，底下传来什么，它都几乎不偏向谁。
#
# </details>
#
# <details><summary>C. 还是约 2.48</summary>
#
# 对。分类头都是新的，只能瞎猜，就是 ln 12。“起点更好”说的是下山的路更短，不是一开始就站得更低。
#
# </details>
#
# ---
#
# **3.** “词换了名”的模型，懂得和真的一样多，只是每个词用了别的词的向量。它在真实文本上的困惑度为什么比*未训练*的还高？
#
# <details><summary>A. 换名的时候，学到的东西都丢了。</summary>
#
# 再想想：什么也没丢。词与词怎样接续，它照样懂，只是安错了名字。
#
# </details>
#
# <details><summary>B. 它信心十足，却猜错了，比不知道更吃亏。</summary>
#
# 对。未训练的给每个词差不多的概率；它却把大半概率押在错的词上，对的词只分到一点点，对数损失就很大。
#
# </details>
#
# <details><summary>C. 词表变了，困惑度不能比。</summary>
#
# 再想想：词表没有变，还是那些词，只是向量互换了。
#
# </details>
#
# ---
#
# **4.** 读过*全文打散*的文本，编码器学到了什么？
#
# <details><summary>A. 只有词频。</summary>
#
# 对。“苹果”出现多少次还在；它和“又大又红”在一起，还是和“新手机”在一起，已经看不出来了。
#
# </details>
#
# <details><summary>B. 词频和话题。</summary>
#
# 再想想：话题靠的是同一篇里哪些词在一起，打散到全文就没有了。句内打乱才保得住。
#
# </details>
#
# <details><summary>C. 什么也没学到，和未训练一样。</summary>
#
# 再想想：困惑度比未训练低得多：常用词和少见词，它分得清。
#
# </details>
#
# ---
#
# **5.** 微调之后，编码器离 θ₀ 只有 3%。“可见微调会把参数约束在附近。”你怎么说？
#
# <details><summary>A. 步子小、步数少，自然走不远；损失里没有哪一项拉住它。</summary>
#
# 对。第 6 节里，距离随学习率和步数变。真要拉住，就用 L2-SP，加上 α/2 ‖w − w⁰‖²。
#
# </details>
#
# <details><summary>B. 说得对，3% 就是证据。</summary>
#
# 再想想：3% 说的是走到了哪里，没说是什么拉住了它。
#
# </details>
#
# <details><summary>C. 说明预训练的参数对这个任务已经差不多最好了。</summary>
#
# 再想想：有这种可能，但 3% 证明不了。第 6 节只改学习率，距离就跟着变。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>1. From a pre-trained start a classifier needs 20 steps, from a random one 100; after 500 steps both are
# equally good on new texts. Which explanations does this support?</summary>
# The first: fewer steps. It speaks against regularisation, as far as 500 steps are equal training. It says
# nothing about knowledge.
# </details>
#
# <details><summary>2. A network with a gap of 2 points between training and test is better regularised than one with 20.
# True?</summary>
# Not if it is at 52 % and 50 %. Compare where both fit the training texts equally well.
# </details>
#
# <details><summary>3. Why is "shuffle the letters of each word" no control for a word-level model?</summary>
# Done consistently it renames words, and the numbers of words stay the same; done inconsistently it makes every word
# unknown. For a character-level model it is a real control.
# </details>
#
# <details><summary>4. Permuted weights need as many steps as random ones, give or take one. Which explanation does that speak against?</summary>
# That a suitable size of the numbers is all that helps: the interval has no room for a gain of interest. What stands where matters.
# </details>
#
# <details><summary>5. A model pre-trained on shuffled text does well on your benchmark. What follows?</summary>
# That this benchmark can be done without what shuffling destroys. It does not follow that word order is useless,
# nor that the model knows syntax.
# </details>

# %% [markdown] key="questions" lang="zh" follows="b42c1229"
# ## 检查一下自己
#
# <details><summary>1. 同样一个分类器，从预训练的起点出发要练 20 步，从随机起点出发要练 100 步；到第 500 步，两者在新文本上一样好。这支持哪种解释？</summary>
# 支持第一种：步数少。如果 500 步算是同等的训练，它不利于“正则化”这一种。至于“知识”，它什么也没说。
# </details>
#
# <details><summary>2. 训练和测试只差 2 个点的网络，比差 20 个点的正则化得好。对吗？</summary>
# 要是它的两个数是 52% 和 50%，就不对。应当在两者对训练文本拟合得一样好的地方比。
# </details>
#
# <details><summary>3. 对词级模型，“打乱每个词里的字符”为什么不算对照？</summary>
# 每次打乱得一样，只是给词改了名，编号照旧；每次不一样，词就都成了生词。对字符级模型，它才是真正的对照。
# </details>
#
# <details><summary>4. 权重打乱之后，要走的步数和随机的一样多，上下不差一步。这对哪种解释不利？</summary>
# “数的大小合适就行”这一种：区间这么窄，容不下算得上数的好处。哪个数在哪个位置，是要紧的。
# </details>
#
# <details><summary>5. 用打乱的文本预训练，模型在你的评测上成绩不错。能推出什么？</summary>
# 能推出：这个评测不需要打乱所毁掉的东西。推不出词序没用，也推不出模型懂语法。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Erhan et al. (2010): the picture of test cost against training cost, and the online experiment.
# * Li, Grandvalet and Davoine (2018): L2-SP and its relatives.
# * Sinha et al. (2021), *Masked language modeling and the distributional hypothesis: order word matters pre-training for
#   little*; Abdou et al. (2022), *Word order does matter (and shuffled language models know it)*: an answer.
# * Hewitt and Liang (2019), on what a probe proves.
# * Lesson 12 pre-trains *two* networks, an encoder and a decoder. The exercises: `exercises/11_why_pretraining`.

# %% [markdown] key="reading" lang="zh" follows="4dc1abd7"
# ## 接下来读什么
#
# * Erhan 等（2010）：测试代价对训练代价的那张图，以及在线学习的实验。
# * Li、Grandvalet、Davoine（2018）：L2-SP 和它的几个变体。
# * Sinha 等（2021），*Masked language modeling and the distributional hypothesis: order word matters pre-training for little*；Abdou 等（2022），*Word order does matter (and shuffled language models know it)*：一篇回应。
# * Hewitt 与 Liang（2019）：探针能证明什么。
# * 第 12 课要预训练*两个*网络：编码器和解码器。练习：`exercises/11_why_pretraining`。
