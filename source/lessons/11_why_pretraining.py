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
# * 设计对照，一次只拿掉一样东西，比如词序、词的身份或学到的参数；
# * 在训练损失*相同*的地方比较测试损失，从而分清“起点更好”和“正则化”；
# * 量出微调让每一层移动了多远，并用 L2-SP 把它拉住；
# * 构造一个预训练的表示帮不上忙的任务。
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
# A text classifier gets 100 labelled texts. Trained from random numbers it is right in some share of the cases, and
# trained from a language model's parameters it is right more often. Lessons 05-10 showed *that* this happens. Popular accounts
# give three reasons *why*, often in one breath:
#
# | explanation | in words | what it predicts |
# |---|---|---|
# | **a better start** (of the optimisation) | training begins closer to a good solution | it gets there in fewer steps |
# | **regularisation** | of all solutions that fit the labels, training ends in one that generalises | at *equal training loss*, the test loss is lower |
# | **transfer** (of knowledge) | the model already knows something about language | the knowledge can be read out of the frozen model, and depends on what was in the text |
#
# Each of them may be true in part. But they are different claims, so each needs its own measurement. The first two come from work
# on vision: Erhan et al. (2010) pre-trained with autoencoders and restricted Boltzmann machines, asked whether
# optimisation or regularisation explains the gain, and found mostly the second. The third is what people say about *language* models,
# which learn by **self-supervision**, from text alone.

# %% [markdown] key="three" lang="zh" follows="1a85bc1a"
# ## 1 · 一个效果，三种解释
#
# 给文本分类器 100 条标注。从随机参数开始训练，它能答对一部分；从语言模型的参数开始训练，答对的更多。第 05 至 10 课已经看到*确实*如此。至于*为什么*，流行文章给出三条理由，常常一口气说完：
#
# | 解释 | 意思 | 它预言什么 |
# |---|---|---|
# | **起点更好**（优化） | 训练一开始就离好的解更近 | 达到同样的水平所需的步数更少 |
# | **正则化** | 能拟合标注的解很多，训练落在泛化好的那一个 | *训练损失相同*时，测试损失更低 |
# | **知识迁移** | 模型已经懂了一些语言 | 冻结的模型里读得出这些知识，而且取决于读过什么文本 |
#
# 三种解释可能各对一部分，但它们是不同的论断，必须分开来测。前两种出自视觉研究。Erhan 等（2010）用自编码器和受限玻尔兹曼机做预训练，追问增益来自优化还是来自正则化，答案主要是后者。第三种是人们对*语言*模型的说法，这类模型只靠文本作**自监督**学习。

# %% [markdown] key="controls" lang="en"
# ## 2 · Controls: take away one thing
#
# To find out which ingredient of a pill works, a doctor gives some patients a pill without it. Such a comparison is a **control**. Our pills are
# texts and models. We begin with a short text and what the controls make of it.

# %% [markdown] key="controls" lang="zh" follows="82ef2799"
# ## 2 · 对照：一次拿掉一样
#
# 医生想知道一种药里哪种成分起作用，就让一部分病人吃不含这种成分的药，这样的比较叫作**对照**。我们的“药”是文本和模型。先看一小段文本在各种对照里变成了什么样子。

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
    print(f"{name}:", " | ".join(" ".join(sentence) for sentence in make(little)[0]))

# %% [markdown] key="controls-letters" lang="en"
# *Shuffled words* keep the words of every sentence, so that its subject remains and its syntax is lost. *Scattered
# words* keep only how often each word occurs.
#
# For a model with a character network (lesson 06), shuffled letters would be a control as well. Ours reads *word
# numbers*. A word that is misspelt the same way everywhere has the same number everywhere, and the model's input does
# not change at all; if it is misspelt differently each time, nearly every token is `<unk>`, and nothing is left to
# read. So we leave both out. What a word-level model *can* lose is which word is which. For **renamed words**
# we take the trained model and give every word the vector of another one. (A test proves that training on a text with
# exchanged words would give the same model.) It knows how words follow one another, under wrong names.

# %% [markdown] key="controls-letters" lang="zh" follows="4b70a5b2"
# *句内打乱*保住了每句话的词，所以讲的是什么还在，语法却没了。*全文打散*只保住每个词出现多少次。
#
# 对于带字符网络的模型（第 06 课），打乱词里面的字符也是一种对照。我们的模型读的却是*词的编号*。同一个词如果处处都错成一个样，编号还是同一个，模型的输入毫无变化；如果每次错得不一样，几乎每个词都成了**未登录词** `<unk>`，就什么也读不到了。所以这两种都不用。词级模型*能*失去的，是“哪个词是哪个词”。为此我们拿来训练好的模型，让每个词换上另一个词的向量，这就是**词换了名**。（有一个测试证明，在互换了词的文本上训练，得到的正是这个模型。）词与词怎样接续，它还懂，只是名字全错了。

# %% [markdown] key="controls-models" lang="en"
# The last two controls are models that have read nothing. For **permuted weights** the numbers in each tensor of the trained model
# are put into a random order. Their mean, spread and extremes stay the same, so if pre-training helped only by giving
# the numbers a suitable *size*, this model would be as good as the original. The **untrained** model has fresh random numbers.

# %% [markdown] key="controls-models" lang="zh" follows="47081138"
# 最后两种对照是什么也没读过的模型。**权重打乱**是把训练好的模型每个张量里的数随机换位，它们的平均值、分散程度、最大最小值都不变。如果预训练的好处只是让参数的*大小*合适，这个模型就该和原来的一样好。**未训练**的模型用的是全新的随机数。

# %% key="controls-code"
course_lib.source(controls.permute)

# %% [markdown] key="pretrain" lang="en"
# Now we pre-train. A small AWD-LSTM (lesson 09, two layers) reads Rivertown; a second one reads the same text
# with shuffled words, and a third one with scattered words. Sizes, tokens and first random numbers are the same. (The models
# are kept on disk, so that the cell takes no time when it runs again.)

# %% [markdown] key="pretrain" lang="zh" follows="796ce66a"
# 现在来预训练。一个小 AWD-LSTM（第 09 课，两层）读河湾镇的文本，第二个读同样的文本但句内打乱，第三个读全文打散的。它们的大小、词数和最初的随机数都一样。（训练结果存在硬盘上，再次运行时不花时间。）

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
# The table is best read from the bottom. *Untrained* has a perplexity of about the size of the vocabulary, because all words are equally likely.
# From there to *scattered words* the gain is frequencies; from there to *shuffled words*, what the words of one
# sentence tell about each other; from there to *real text*, word order. *Permuted
# weights* have the right sizes in the wrong places and gain nothing. *Renamed words* knows as much as the real model, but about
# other words. It is confident and wrong, which costs more than not knowing.

# %% [markdown] key="pretrain-seen" lang="zh" follows="23d7d3df"
# 这张表最好从下往上读。*未训练*的困惑度差不多等于词表大小，因为所有词一样可能。从它到*全文打散*，进步来自词频；再到*句内打乱*，来自同一句话里的词互相透露的信息；再到*真实文本*，来自词序。*权重打乱*的参数大小合适，却都不在原来的位置上，所以一无所得。*词换了名*懂得和真的一样多，只是张冠李戴；它信心十足却猜错了，代价比不知道还大。

# %% [markdown] key="transfer" lang="en"
# ## 3 · Transfer: what can be read out?
#
# We begin with the transfer explanation. Nothing is fine-tuned: the encoders are **frozen**, and a linear **probe** (lesson 08)
# answers four questions.
#
# 1. **Topic.** Which of twelve topics is this document about?
# 2. **Tag.** What part of speech is the word just read?
# 3. **Tag to come.** What part of speech is the *next* word? It has not been read yet, so only syntax can tell.
# 4. **Exchanged?** In “the muddy **was bank**”, have the last two neighbours changed places? The state is taken after
#    the second one. The two words are the same in either order, so only the order can tell; chance is one half.
#
# The explanation predicts more than that real text is best. It predicts a *pattern*: shuffled words
# should keep the topic and lose questions 3 and 4.

# %% [markdown] key="transfer" lang="zh" follows="94d16c5b"
# ## 3 · 迁移：能读出什么？
#
# 先看“知识迁移”。这里什么都不微调，编码器全部**冻结**，由线性**探针**（第 08 课）回答四个问题。
#
# 1. **话题。** 这篇文档是十二个话题里的哪一个？
# 2. **词性。** 刚读到的词是什么词性？
# 3. **下一个词性。** *下一个*词是什么词性？这个词还没读到，只能靠语法来推。
# 4. **对调了吗？** “他 买 **一 了** 斤 苹果”里，这两个相邻的词是不是对调过？状态取在第二个词之后。不管对没对调，词都是这两个，只有次序能说明问题；随机水平是二分之一。
#
# “迁移”预言的不只是真实文本最好，而是一个*格局*：句内打乱的应当保住话题，丢掉第 3、4 项。

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
for name, question in tqdm(asked.items(), unit=t(" questions", " 题"), file=sys.stdout):
    answers[name] = frozen_states.ask(question, models, setting.vocabulary, PLACES, seed=1)
ROWS = NAMES | {
    "words alone": t("words alone, no encoder", "只看词，没有编码器"),
    "majority": t("majority class", "多数类"),
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
# The shades compare within a column. In the last two columns, check whether anything but
# the model of real text is above *untrained*; in the first, how much of the way from *untrained* to *real text* the shuffled words go. Below the line, counting words
# without any encoder is on some questions better than all six encoders, so "better than untrained" does not mean "good". A control may even
# fall *below* "untrained": random vectors keep all words apart, and training for mere frequencies may push them together.
#
# One run with few sentences is noisy, and the quick profile is too small to show anything. The next picture has the stored experiment: a million words of
# English news and the Brown corpus, five topics, tags of the treebank. The encoders are pre-trained once, so the
# intervals tell how the answers vary with labels and probes, not with another pre-training.
#
# <details><summary>Why are the stored experiments of this lesson in English only?</summary>
#
# They need a million words of running text, documents with topics and a tagged treebank, all in one word segmentation. The course's Chinese
# text is segmented by jieba, its Chinese treebank (GSD) by another standard, so that many treebank words would be unknown to the model, and a
# difference between controls could come from that. Nothing here is claimed for Chinese; the live runs on Rivertown exist in both languages.
#
# </details>

# %% [markdown] key="transfer-seen" lang="zh" follows="d0d646f2"
# 颜色深浅按列比较。后两列要看的是，除了读真实文本的那个，还有没有谁高过*未训练*；第一列要看的是，从*未训练*到*真实文本*这段路，句内打乱的走了多少。横线以下是不用编码器、只数词的做法，在有的问题上比六个编码器都强，可见“比未训练好”不等于“好”。对照甚至可能*低于*“未训练”，因为随机向量至少让每个词各不相同，而只为词频训练却可能把词挤到一处。
#
# 一次运行、句子又少，噪声不小，精简规模更是什么也显不出来。下一张图是存好的实验，用一百万词的英文新闻和 Brown 语料，五个话题，词性取自树库。编码器只预训练了一次，所以区间反映的是换一批标注和探针会差多少，而不是再预训练一次会差多少。
#
# <details><summary>本课存好的实验为什么只有英文的？</summary>
#
# 这些实验需要一百万词的连续文本、带话题的文档和标了词性的树库，而且三者的分词必须一致。课程的中文文本用 jieba 分词，中文树库（GSD）用的是另一套分词标准，许多树库里的词模型会不认识，对照之间的差别就可能来自分词。所以这里没有对中文下任何结论；现场在河湾镇上做的实验则两种语言都有。
#
# </details>

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
# The model of real text is above every control in all four questions, but on the topic it is far below words alone,
# without an encoder. A control that lies below the real model has lost something that this question needs. (That the intervals of a control and
# of "untrained" overlap would not show that nothing is left.) The predicted pattern did not come: shuffled words are *below* untrained in the topic, too (41 % against 48
# %). In sentences without order this small encoder has not learned what a text is about. Each text was read in one
# pre-training only, so the card that asks it says "cannot tell".
#
# Sinha et al. (2021) did the same at full size. They pre-trained RoBERTa (a BERT that is trained longer, lesson 14) on
# 16 GB of text, real or shuffled, and fine-tuned it. Their numbers (development sets, median of five seeds):
#
# | pre-trained on | MNLI | QQP | RTE | CoLA |
# |---|---|---|---|---|
# | real text | 86.1 | 91.3 | 74.6 | 61.4 |
# | words of a sentence shuffled | 82.6 | 91.0 | 69.0 | 35.2 |
# | words of the whole corpus shuffled | 71.9 | 85.5 | 54.0 | 0.0 |
#
# Without word order, telling whether two questions mean the same (QQP) loses next to nothing; telling whether
# one sentence follows from another (MNLI, RTE) loses a few points; telling whether a sentence is grammatical (CoLA)
# loses nearly half. So most of what pre-training brings to these *benchmarks* does not need the order of words in its
# text. (Fine-tuning read ordered text, and may have supplied some of it.)

# %% [markdown] key="transfer-paper" lang="zh" follows="01eae737"
# 四个问题上，读真实文本的模型都高于所有对照，不过话题这一问它远不如不用编码器、只看词的做法。哪种对照低于真实文本，就说明它失去了这个问题需要的东西。（对照与“未训练”的区间重叠，则不能说明什么也没剩下。）预言的格局没有出现：在话题上，句内打乱的也*低于*未训练的（41% 对 48%）。没有词序，这个小编码器就没有学会一篇文本在讲什么。每种文本只做过一次预训练，所以问这件事的论断卡上写的是“看不出”。
#
# Sinha 等（2021）在真实规模上做了同样的事。他们用 16 GB 文本（真实的或打乱的）预训练 RoBERTa（训练得更久的 BERT，见第 14 课），再微调。他们的数字（开发集，五个种子的中位数）如下：
#
# | 预训练文本 | MNLI | QQP | RTE | CoLA |
# |---|---|---|---|---|
# | 真实文本 | 86.1 | 91.3 | 74.6 | 61.4 |
# | 句内词序打乱 | 82.6 | 91.0 | 69.0 | 35.2 |
# | 整个语料的词打散 | 71.9 | 85.5 | 54.0 | 0.0 |
#
# 没有词序，判断两个问句是不是同一个意思（QQP）几乎不吃亏，判断一句话能不能由另一句推出（MNLI、RTE）丢几个点，判断句子合不合语法（CoLA）则丢了将近一半。可见预训练给这些*评测*带来的好处，大半用不着预训练文本的词序。（微调读的是词序完好的文本，也许补上了一部分。）

# %% [markdown] key="better" lang="en"
# ## 4 · A better start?
#
# Now we fine-tune from four of the encoders, with the same labels, head, order of batches and rate; every layer
# learns. Only the start of the encoder differs. On the way we test the classifier on the texts that it trains with
# *and* on others. There are two tasks, because a start may be good for one task and not for another: the topic of a document, and
# whether two neighbours in a sentence have been exchanged.
#
# What is the loss at step 0? With $K$ classes a random head is no better than a guess, so it
# is about $\ln K$ nats from *every* start: here $\ln 12 = 2.48$ and $\ln 2 = 0.69$. "A better start" cannot mean a lower
# loss at the start. It means that the way down is shorter.

# %% [markdown] key="better" lang="zh" follows="e7b22674"
# ## 4 · 起点更好？
#
# 现在从其中四个编码器出发作微调，标注、分类头、批次的次序和学习率都相同，每一层都学，不同的只是编码器的起点。途中既测训练用的文本，*也*测别的文本。任务有两个，因为一个起点可能对这个任务好，对那个任务不好：一个是文档的话题，另一个是句子里有没有两个相邻的词对调过。
#
# 第 0 步的损失是多少？有 $K$ 个类别时，随机的分类头等于随机猜测，所以从*哪个*起点出发都大约是 $\ln K$ 奈特，这里是 $\ln 12 = 2.48$ 和 $\ln 2 = 0.69$。因此“起点更好”不可能是说开始时损失更低，而是说下降的路更短。

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
# The left column counts steps, which the first explanation is about. Compare it with section 3: a model from which the frozen probe reads nothing
# need not be a better start either. If numbers of the right size were enough, the curve of the permuted weights would rise as soon as the real one.
# This is one seed at one rate, and a rate may suit one start better than another, so the stored runs (English news, treebank) have two rates.

# %% [markdown] key="better-seen" lang="zh" follows="bf4b3c93"
# 左边一列数的是步数，也就是第一种解释所说的东西。可以同第 3 节对照着看，冻结时读不出东西的模型，微调时也未必是更好的起点。如果参数大小合适就够了，权重打乱的曲线应当和真实文本的升得一样早。这只是一个种子、一个学习率，而某个学习率可能偏向某个起点，所以存好的实验（英文新闻、树库）用了两个学习率。

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
# For topics, the answer depends on when during training you look. After 40 steps the real start is ahead of the untrained
# one by 14 points at the lower rate [12, 17] and by 20 at the higher [13, 27]. After 120 steps a difference cannot be told at the lower rate, and
# at the higher one the untrained network is ahead, with 61 against 55 %. With this small model pre-training thus gives a *faster*
# start; a better end is not seen at either rate. The card below asks when the untrained network's best is reached; that is at the end, so the card does not
# see the head start. (In lesson 08 convergence was faster by the same measure, but there a frozen ELMo fed a tagger that had to learn everything else.) At the lower rate the
# permuted weights have about half of the head start (7 points [4, 10]), which may come from the size of the numbers alone.
#
# In the other task only the real model leaves chance (50 %), and not by much: 54.6 % at the higher rate [52, 57]. The untrained
# one does not learn the task, so its "best" is one lucky step, and how soon another model reaches that means nothing. On the card this task does not count.

# %% [markdown] key="better-stored-seen" lang="zh" follows="8d3fafd1"
# 在话题任务上，结论取决于在训练的哪一步去看。第 40 步，真实文本比未训练领先，低学习率下领先 14 个百分点 [12, 17]，高学习率下领先 20 个 [13, 27]。到第 120 步，低学习率下分不出高下，高学习率下反而是未训练领先，61% 对 55%。所以对这么小的模型，预训练的好处是起步*快*；两个学习率下，都没有看到更好的终点。下面的论断卡问的是何时追上未训练的最好成绩，而那已经是终点，所以它看不见起步时的领先。（第 08 课用同样的量法，收敛确实更快；不过那里是冻结的 ELMo 供给一个其余部分全要从头学的标注器。）低学习率下，权重打乱的也领先 7 个百分点 [4, 10]，约占一半，这一半也许只是因为参数的大小合适。
#
# 在另一个任务上，只有真实文本离开了 50% 的随机水平，离得也不远，高学习率下是 54.6% [52, 57]。未训练的模型没有学会这个任务，它的“最好成绩”不过是碰巧的一步，别的模型几步追上它说明不了什么，所以这个任务在论断卡上不计。

# %% [markdown] key="regular" lang="en"
# ## 5 · Regularisation?
#
# A network that learns its labelled texts by heart reaches a training loss near 0 from every start. Then the better
# start no longer matters, and still one of the networks may be better on new texts. This is the test of Erhan et
# al., and the *right* column of the first picture in section 4 shows it: loss on unseen texts against loss on the training texts.
# Along a vertical line all networks fit their training texts equally well. If pre-training were only a
# faster way down, all curves would coincide: same training loss, same test loss. A curve that runs
# *lower* has found another kind of solution. That is what a regulariser does: it prefers some of the solutions that
# fit equally well.

# %% [markdown] key="regular" lang="zh" follows="adf8fae7"
# ## 5 · 正则化？
#
# 一个网络把有标注的文本背得烂熟，训练损失就接近 0，从哪个起点出发都做得到。这时起点好坏已经不再重要，可是其中某一个网络在新文本上仍可能更好。这正是 Erhan 等人的检验，看第 4 节*第一张图的右边一列*，也就是未见文本的损失对训练文本的损失。在同一条竖线上，各个网络对训练文本拟合得一样好。如果预训练只是让损失降得更快，几条曲线应当重合，训练损失相同，测试损失也相同。走得*更低*的那条，找到的是另一类解。正则化的作用就在于此，它在拟合得一样好的解里偏爱其中一些。

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
# In the right panels, at equal training loss, the real start has a lower test loss on the topics than the untrained one, by 0.31 nats
# [0.15, 0.48] with 40 labels and 0.24 [0.12, 0.36] with 160; with 640 a difference cannot be told. Yet in the left panels the untrained
# network has the higher accuracy with 160 and 640 labels: a regulariser need not give the better classifier.
#
# The middle panels show the gap to training accuracy. Such a gap can mislead, because a model
# that has not even learned its training texts has a small gap, too. So the right panels compare at equal training loss, where they can.
# The frozen encoder is the strictest regulariser of all, because it cannot move; it never gets down to 0.2 with 160 and 640 labels. Its points
# stand there at the lowest training loss that it reaches, 0.3 to 1.0, and cannot be compared with the others.

# %% [markdown] key="regular-seen" lang="zh" follows="97fa5b7f"
# 右边的小图在训练损失相同处比较。话题任务上，真实文本的测试损失低于未训练，40 条标注时低 0.31 奈特 [0.15, 0.48]，160 条时低 0.24 [0.12, 0.36]，640 条时分辨不出。可是看左边的小图，160 条和 640 条时反而是未训练的准确率更高，可见正则化未必带来更好的分类器。
#
# 中间的小图是测试与训练准确率之差。这个差会误导人，因为连训练文本都没学会的模型，差距也小。所以右边的小图尽量在训练损失相同的地方比较。冻结的编码器是最严的正则化，因为它根本不能动；用 160 条和 640 条标注时，它的训练损失降不到 0.2，图上的点只好取在它达到的最低处（0.3 到 1.0），不能和别的比较。

# %% [markdown] key="anchor" lang="en"
# ## 6 · Nothing holds it back, unless you do
#
# Some accounts say that fine-tuning *constrains* the parameters to stay near the pre-trained ones, $\theta_0$. The loss
# has no such term: the distance stays short only because the steps are small and few. The constraint can be
# added, though. Say that one weight began at 1.0 and stands at 1.3. With $\alpha = 0.1$ it costs
# $0.05 \cdot 0.3^2 = 0.0045$ nats, and it is pulled back with a force of $0.1 \cdot 0.3 = 0.03$. This is **L2-SP**
# ("starting point"; Li et al. 2018), for all weights $w$ that were pre-trained:
#
# $$\Omega(w) = \frac{\alpha}{2} \lVert w - w^0 \rVert_2^2, \qquad \nabla\Omega(w) = \alpha\,(w - w^0).$$
#
# **Weight decay** is the same with $w^0 = 0$, so it pulls away from what was learned. (The new head was not pre-trained. Here it is left alone; the
# paper gives it weight decay.)
#
# <details><summary>For those who know Bayes</summary>
#
# Beside a loss that is summed over the labels, $-\Omega$ is, up to a constant, the logarithm of a **prior**: before seeing a label, I believe that the
# solution lies near $w^0$ with variance $1/\alpha$. Many labels should outweigh it.
#
# </details>

# %% [markdown] key="anchor" lang="zh" follows="2dff8b21"
# ## 6 · 没有东西拉住它，除非你来拉
#
# 有的文章说，微调把参数*约束*在预训练的值 $\theta_0$ 附近。损失函数里并没有这一项，参数走不远只是因为步子小、步数少。不过，可以把这个约束加进去。比方说，某个权重从 1.0 出发，现在到了 1.3。取 $\alpha = 0.1$，代价是 $0.05 \cdot 0.3^2 = 0.0045$ 奈特，往回拉的力是 $0.1 \cdot 0.3 = 0.03$。这就是 **L2-SP**（SP 即 starting point，起点；Li 等，2018），对所有预训练过的权重 $w$：
#
# $$\Omega(w) = \frac{\alpha}{2} \lVert w - w^0 \rVert_2^2, \qquad \nabla\Omega(w) = \alpha\,(w - w^0)$$
#
# **权重衰减**就是 $w^0 = 0$ 的情形，它把参数拉离已经学到的东西。（新的分类头没有预训练过，这里不管它，论文里给它权重衰减。）
#
# <details><summary>写给懂贝叶斯的读者</summary>
#
# 如果损失按各条标注之和来算，$-\Omega$ 与**先验**的对数只差一个常数：还没看标注时，我相信解在 $w^0$ 附近，方差是 $1/\alpha$。标注多了，应当盖过它。
#
# </details>

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
# In rows 1-3 the distance follows the rate and the number of steps, so it is these that keep fine-tuning near its start. In rows 4-6 the
# way gets shorter as the pull gets stronger. Weight decay is called a regulariser, too, but it *moves the model away* from its start.
# The stored sweep, which has several
# seeds, can tell whether a shorter way makes a better classifier.

# %% [markdown] key="anchor-seen" lang="zh" follows="8a2d9aae"
# 前三行里，距离随学习率和步数而变，可见让微调留在起点附近的就是这两样。第四到六行里，拉得越紧，走得越近。权重衰减也叫正则化，却把模型*带离*了起点。走得近，分类器是否就好？存好的那组实验有多个种子，可以用来回答。

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
        color = {"topic": "black", "exchanged": "#8B4513"}[task] if end == "the start" else "#D2A679"
        label = t(f"{TASKS[task]}, {n}, to {end}", f"{TASKS[task]}，{n} 条，" + {"the start": "拉向起点", "zero": "拉向零"}[end])  # fmt: skip
        for ax, of, scale in ((axes[0], spans, 100), (axes[1], gone, 1)):
            y = np.array([tuple(of[REAL, name]) for name in names]) * scale
            bars = np.nan_to_num([y[:, 0] - y[:, 1], y[:, 2] - y[:, 0]])
            ax.errorbar(range(len(names)), y[:, 0], bars, fmt=look, ms=4, capsize=3, label=label, color=color)  # fmt: skip
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
# On the right, each tenfold pull to the start leaves less than half of the way, while the pull to zero
# drags the weights far off. On the left, the strongest pull costs eighteen points on the topics with 640 labels and four with 40. Even the
# strength that is best on 200 other texts (with 640 labels always the weakest) costs 2.4 points [1.4, 3.3]; with 40 labels, and
# on the exchanged words, neither a gain nor a loss can be told. Does the pull at least behave as a
# *prior*, which gives way when labels are many? On the topics it does: with more labels a weaker pull is chosen, by 0.9 powers of ten [0.4, 1.4].
# The exchanged words say nothing, because with 40 labels they are at chance however strong the pull. Li et al. report gains with large image networks;
# our small language model shows none.

# %% [markdown] key="anchor-stored-seen" lang="zh" follows="c9eeb814"
# 右图里，往起点的拉力每大十倍，参数移动的距离就缩到不足一半；往零拉，权重则被拖得很远。左图里，话题任务用最紧的拉力，640 条标注时损失十八个百分点，40 条时损失四个。就算用另外 200 条文本来挑拉力（640 条标注时挑中的总是最松的一档），也还要损失 2.4 个百分点 [1.4, 3.3]；40 条标注时，以及“对调了吗”这个任务上，是得是失分辨不出。那么它至少像*先验*那样，标注一多就让位吗？话题任务是这样，标注多了，挑中的拉力小 0.9 个数量级 [0.4, 1.4]。“对调了吗”说明不了什么，因为只有 40 条标注时，怎么拉都停在随机水平。Li 等人在大的图像网络上得到了提升，我们这个小语言模型上没有看到。

# %% [markdown] key="all" lang="en"
# ## 7 · One representation for everything?
#
# "One general **representation** serves all **downstream tasks**." A next-word model keeps what helps to predict the next word. It may
# forget everything else, and a task may need just that. So let us *design* two failures:
#
# * **discarded**: which of eight words stood *first* in a text of 25 words? The model has read it, but 24 words later it
#   is of little use for the next word;
# * **never seen**: does this word have an even number of letters? The model reads word *numbers*, so the letters are not in
#   its input at all.
#
# For a fair comparison, each question also gets a classifier made for it, which sees the first word or the
# number of letters. Both are trivial, and right.

# %% [markdown] key="all" lang="zh" follows="cd6d735b"
# ## 7 · 一种表示通吃？
#
# “一种通用的**表示**，适用于所有**下游任务**。”预测下一个词的模型，留下的是对预测下一个词有用的东西；别的都可以忘掉，而某个任务要的也许恰恰是那些。所以我们来*设计*两种失败：
#
# * **丢掉了的**：25 个词的文本，*第一个*词是八个词里的哪一个？模型读到过它，可是 24 个词之后，它对预测下一个词已经没什么用了；
# * **从没见过的**：这个词最后一个字的编码（Unicode 码位）是偶数吗？模型读的是*词的编号*，字形和编码根本不在输入里。
#
# 为了公平，每个问题都另配一个专用的分类器，一个看第一个词，一个看编码的二进制数位。两个都极简单，也都答得对。

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
    frozen_states.DEDICATED: t("made for the question", "专用的分类器"),
}  # fmt: skip
claims.show_table(
    [t("accuracy, %", "准确率（%）"), t("topic (1 of 12)", "话题（12 选 1）"),
     t("first word (1 of 8)", "第一个词（8 选 1）"), t("even number of letters", "编码是偶数（2 选 1）")],
    [(title, *(f"{100 * of[key]:.0f}" for of in found)) for key, title in TITLES.items()],
)  # fmt: skip

# %% [markdown] key="all-seen" lang="en"
# Each column has its own chance level (1/12, 1/8, 1/2), and the two failures have different cures. What the last state has *discarded* may still be had: keep all states
# and pool them, or fine-tune until the LSTM remembers. No training can bring back what was *never in the
# input*, since the words
# asked for were not in training and only their numbers are seen. That needs another input, characters (lesson 06). In the
# first column, the last line is the rival that any "general representation" has to meet: a classifier made for the task.

# %% [markdown] key="all-seen" lang="zh" follows="ceecfbc5"
# 三列各有自己的随机水平（1/12、1/8、1/2），两种失败的补救办法也不同。最后的状态*丢掉了的*还有办法，可以把所有状态留着做池化，或者继续微调，让 LSTM 学会记住。*输入里从来没有的*，怎么训练也要不回来，因为问的都是训练里没有的词，看到的只有编号。它需要换一种输入，即字符（第 06 课）。第一列的最后一行是任何“通用表示”都得面对的对手，也就是专为这个任务做的分类器。

# %% [markdown] key="cards" lang="en"
# ## 8 · Claim cards
#
# The cards test the three explanations and a popular sentence about fine-tuning. Each card has two verdicts. *As told*: is it what the source says? *In our
# runs*: what came out here, by one rule for all cards. Ours are a small model and a small corpus, and every encoder was pre-trained
# once, so they can show that an explanation fails *here*, and no more. More claims about this lesson are on the book's claims page, or in
# `python -m course_lib claims list`.

# %% [markdown] key="cards" lang="zh" follows="f565fabd"
# ## 8 · 论断卡
#
# 三种解释，还有一句关于微调的流行说法。每张卡片有两个结论，“转述”说的是这句话是不是出处的原意，“我们的实验”说的是这里做出来怎样，所有卡片用同一条规则。我们用的是小模型、小语料，每个编码器只预训练过一次，所以只能说明某种解释在*这里*不成立，仅此而已。关于本课的更多论断，见本书的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="cards-run" fold=true
for key in ("better-start", "regulariser", "knowledge", "stays-near"):
    claims.card(key).show(t)

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The probe of every lesson is used here for this lesson's question: does the AWD-LSTM that ships with the course keep senses apart
# because of *what it has learned*? Beside it stand its own controls, with the vectors of the last layer.

# %% [markdown] key="scoreboard" lang="zh" follows="ce0b45c5"
# ## 记分牌
#
# 每课都做的那个测试，这次带着本课的问题：课程自带的 AWD-LSTM 能分开义项，靠的是不是*学到的东西*？旁边是它自己的几种对照，用的都是最后一层的向量。

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
for label, model in tqdm(readers.items(), unit=t(" models", " 个模型"), file=sys.stdout):
    board[label] = senses.macro(senses.by_word(at_target(model), annotated))
static = course_lib.load(f"static-{t.language}")
board[t("averaged static context", "静态上下文平均")] = claims.context_scores(static, t.language)  # fmt: skip
display(HTML(claims.sense_table(board, t)))

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 explains the columns); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="d209654a"
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
# not only "real text wins". (In our stored runs it did not come: section 3.)
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

# %% [markdown] key="checkpoint" lang="zh" follows="fa7f05ba"
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
# 对。分类头都是新的，只能随机猜，就是 ln 12。“起点更好”说的是下山的路更短，不是一开始就站得更低。
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
#
# The first: fewer steps. It speaks against regularisation, as far as 500 steps are equal training. It says
# nothing about knowledge.
# </details>
#
# <details><summary>2. A network with a gap of 2 points between training and test is better regularised than one with 20.
# True?</summary>
#
# Not if it is at 52 % and 50 %. Compare where both fit the training texts equally well.
# </details>
#
# <details><summary>3. Why is "shuffle the letters of each word" no control for a word-level model?</summary>
#
# Done consistently it renames words, and the numbers of words stay the same; done inconsistently it makes every word
# unknown. For a character-level model it is a real control.
# </details>
#
# <details><summary>4. Permuted weights need as many steps as random ones, give or take one. Which explanation does that speak against?</summary>
#
# That a suitable size of the numbers is all that helps: the interval has no room for a gain of interest. What stands where matters.
# </details>
#
# <details><summary>5. A model pre-trained on shuffled text does well on your benchmark. What follows?</summary>
#
# That what shuffling destroys need not come from *pre-training* for this benchmark. It does not follow that word order is useless,
# nor that the model knows syntax.
# </details>

# %% [markdown] key="questions" lang="zh" follows="d1aa5803"
# ## 检查一下自己
#
# <details><summary>1. 同样一个分类器，从预训练的起点出发要练 20 步，从随机起点出发要练 100 步；到第 500 步，两者在新文本上一样好。这支持哪种解释？</summary>
#
# 支持第一种：步数少。如果 500 步算是同等的训练，它不利于“正则化”这一种。至于“知识”，它什么也没说。
# </details>
#
# <details><summary>2. 训练和测试只差 2 个点的网络，比差 20 个点的正则化得好。对吗？</summary>
#
# 要是它的两个数是 52% 和 50%，就不对。应当在两者对训练文本拟合得一样好的地方比。
# </details>
#
# <details><summary>3. 对词级模型，“打乱每个词里的字符”为什么不算对照？</summary>
#
# 每次打乱得一样，只是给词改了名，编号照旧；每次不一样，词就都成了生词。对字符级模型，它才是真正的对照。
# </details>
#
# <details><summary>4. 权重打乱之后，要走的步数和随机的一样多，最多相差一步。这对哪种解释不利？</summary>
#
# “数的大小合适就行”这一种：区间这么窄，容不下值得一提的好处。哪个数在哪个位置，是要紧的。
# </details>
#
# <details><summary>5. 用打乱的文本预训练，模型在你的评测上成绩不错。能推出什么？</summary>
#
# 能推出：打乱所毁掉的东西，就这个评测而言，不必来自*预训练*。推不出词序没用，也推不出模型懂语法。
# </details>

# %% [markdown] key="damage" lang="en"
# ## Try it: predict, change a knob, explain
#
# The control *permuted weights* destroys the whole model at once. This cell destroys one part of the shipped AWD-LSTM and leaves the
# others as they were trained; then it asks the question of the scoreboard. **Predict** which part can be spared and which cannot. Then **change**
# `PART`, run the cell again, and **explain** the order that you find.

# %% [markdown] key="damage" lang="zh" follows="f24e444c"
# ## 动手：先预测，再调旋钮，然后解释
#
# *权重打乱*这种对照一下子毁掉整个模型。下面的代码只打乱随课程提供的 AWD-LSTM 的一个部分，其余保持训练好的样子，再问记分牌上的那个问题。请先**预测**哪一部分打乱了也无妨、哪一部分不行，再**改动** `PART` 重新运行，然后**解释**你看到的名次。

# %% key="damage-run"
PART = "lstms.2"  # the knob: "embedding", "lstms.0", "lstms.1", "lstms.2" or "lstms" (all three)

damaged = controls.untrained(general, 1)  # the same shapes; every number is replaced
mixed = controls.permute(general, 1).state_dict()
damaged.load_state_dict({k: mixed[k] if k.startswith(PART) else v for k, v in general.state_dict().items()})
row = senses.macro(senses.by_word(at_target(damaged), annotated))
display(HTML(claims.sense_table({t(f"permuted: {PART}", f"打乱：{PART}"): row}, t)))

# %% [markdown] key="damage-answer" lang="en"
# <details><summary>What comes out</summary>
#
# Nearest centroid: undamaged 0.751; with `lstms.2` permuted 0.705, `lstms.1` 0.643, `embedding` 0.542, `lstms.0` 0.508, all three LSTMs 0.474 (always the commonest
# sense: 0.436). By and large, the lower the damage, the worse it is (the word vectors, lowest of all, are the exception). A permuted top layer still receives everything that the layers below have worked out and mixes it at random, and
# a random mixture keeps much of the distance between vectors; a permuted first layer hands random features to layers that were trained for others. So the knowledge
# that the scoreboard measures sits mostly below the top. This is one permutation of one model; try another seed before you trust
# small differences.
#
# </details>

# %% [markdown] key="damage-answer" lang="zh" follows="df4a97a4"
# <details><summary>结果是这样</summary>
#
# 最近质心一栏，完好时 0.623；打乱 `lstms.2` 之后 0.639，`lstms.1` 0.550，`embedding` 0.531，`lstms.0` 0.519，三层 LSTM 全打乱 0.518（永远猜最常见的义项是 0.427）。大体上，打乱的地方越低，损失越大（最底下的词向量是例外）。最高层打乱之后仍能收到下面各层算好的东西，只是随机混合了一遍，而随机混合在很大程度上保留向量之间的远近；最低层打乱之后，上面各层收到的就是它们从未见过的随机特征。可见记分牌量到的知识大半在最高层以下。这只是一个模型的一种打乱法，遇到小的差别，应当换个种子再看。
#
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
