# %% [markdown] key="title" lang="en"
# # 00 · Start here: one word, many meanings, and how to read a claim
#
# > She paid the cheque in at the **bank**.
# >
# > She pulled the canoe up on the **bank**.
#
# You did not hesitate over either sentence, because you read the other words too. Can a
# model do that? Run the next two cells and drag the slider. Each point is one sentence
# with *bank* (or 苹果, or another word that you choose); its colour and shape show the
# sense that the word has there. At layer 0 the model knows only how the word is spelled.
# The layers above have read the whole sentence.
#
# Running time, measured on one core: 15 seconds (quick profile: 12), about twice that
# where other programs are busy. No network is needed.

# %% [markdown] key="title" lang="zh" follows="e193d198"
# # 00 · 从这里开始：一词多义，以及怎样读一个论断
#
# > 他洗了一个**苹果**，边走边吃。
# >
# > 他卖掉**苹果**的股票，买了辆车。
#
# 两个“苹果”不是一回事，你一眼就看得出来，因为旁边的词你也读了。模型做得到吗？运行下面两格代码，然后拖动滑块。图上每个点是一个含有“苹果”的句子（也可以换别的词），颜色和形状表示这个词在句中的义项。第 0 层的模型只认得这个词的写法，往上各层则读过整句话。
#
# 单核实测运行时间为 15 秒（精简规模 12 秒），机器上有别的程序在忙时大约要翻一倍。全程不需要联网。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

# %% key="moving-map"
from course_lib import data, widgets
from course_lib.analysis import senses

WORDS = {"en": ["bank", "play"], "zh": ["苹果", "花"]}
uses = {
    language: [s for s in data.senses(language) if s.word in words]
    for language, words in WORDS.items()
}
layers = {  # from the course's own small ELMo models, one a language; the rest: lesson 06
    language: senses.without_place(
        senses.read_twice(course_lib.load(f"elmo-{language}"), sentences), sentences
    )
    for language, sentences in uses.items()
}  # (L+1, N, D) for each language
widgets.sense_maps(layers, uses, t.language)

# %% [markdown] key="moved" lang="en"
# At layer 0 all the sentences with *bank* lie on one point, because one spelling has one
# vector. Higher up the points move apart, and they gather by sense: clearly for 苹果,
# less clearly for *bank*. The score beside the map says how well (it asks each sentence's nearest neighbour).
# (The model has read each sentence twice, and what tells only *where* in its sentence the word stands is
# subtracted; lesson 06 says why, and shows the map without both.)
# This course is about that movement: where it comes from, who found it, and how to
# measure it without fooling oneself.
#
# After this lesson you can
#
# * say what one vector per word does to a word with several meanings;
# * compare a score with the right baseline;
# * say how far a language model is from the best possible, where that is known;
# * turn an accuracy into errors, give it an interval, and say what *significantly* means;
# * read a claim card;
# * tell what your installation has at hand.
#
# You need Python and some linear algebra. If *softmax*, *gradient* or *Adam* are new to you,
# [one page](../../docs/en/prerequisites.md) has two paragraphs on each; lesson 01 is the
# first that needs them.

# %% [markdown] key="moved" lang="zh" follows="fa5ad8cb"
# 在第 0 层，所有含“苹果”的句子都叠在一个点上，因为写法相同，向量就相同。往上走，点渐渐散开，并按义项聚到一起，“苹果”聚得清楚，*bank* 差一些；聚得怎样，看图旁的分数（拿每一句的最近邻来算）。（这里模型把每句读了两遍，只反映词在句中*位置*的成分也减去了；为什么要这样做，不这样做又是什么样，见第 06 课。）这门课讲的就是这种移动：它从哪里来，是谁发现的，又怎样测量才不至于自己骗自己。
#
# 学完本课，你能够
#
# * 说清楚“一个词一个向量”对多义词意味着什么；
# * 为一个分数选对基线；
# * 在熵已知的人造语言上，说出语言模型离下界还有多远；
# * 把准确率换算成错误率，给它配上置信区间，并说清“显著”是什么意思；
# * 读懂一张论断卡；
# * 查看自己的环境里有哪些语料和模型。
#
# 学这门课要会 Python，懂一点线性代数。如果没听说过 softmax、梯度或者 Adam，[预备知识](../../docs/zh/prerequisites.md)一页里各有两段说明；最早用到它们的是第 01 课。

# %% key="imports" fold=true
import importlib.metadata
import os
import platform
import textwrap

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display

import course_claims as claims
from course_lib import checkpoints, data
from course_lib.analysis import senses, statistics
from course_lib.data.senses import sense_name
from course_lib.models import ngram
from course_lib.training import matmul_seconds
from course_lib.worlds import rivertown

# %% [markdown] key="thread" lang="en"
# ## 1 · A vector for a word, or for an occurrence
#
# A word with several meanings is **polysemous**, and each of its meanings is a
# **sense**. A table of **word vectors** (or **word embeddings**) has one row for *bank*,
# whatever stands around it. If $v(w)$ is the row of word $w$, then for any two sentences
# $c_1, c_2$
#
# $$v(\textit{bank}, c_1) = v(\textit{bank}, c_2) = v(\textit{bank}).$$
#
# From NNLM (2003) to GloVe (2014) representations were **static** in this way. From
# context2vec (2016) and TagLM (2017) to ELMo (2018) and BERT (2019) they became
# **contextual**: each occurrence gets a vector of its own, computed from its sentence.
# You will build both kinds.
#
# A simple contextual vector needs no new model at all. Take the average of the *other*
# words' static vectors: for the occurrence at position $k$ of a sentence $w_1,\dots,w_T$
#
# $$c_k = \frac{1}{T-1} \sum_{j \neq k} v(w_j).$$
#
# Here it is in the library that all lessons share:

# %% [markdown] key="thread" lang="zh" follows="9a106379"
# ## 1 · 一个词一个向量，还是每次出现各有一个
#
# 一个词有好几个意思，叫作**一词多义**，其中每个意思是一个**义项**。**词向量**（也叫**词嵌入**）表里，“苹果”只占一行，不管上下文是什么。设 $v(w)$ 是词 $w$ 的那一行，那么对任意两个句子 $c_1$、$c_2$，
#
# $$v(\text{苹果}, c_1) = v(\text{苹果}, c_2) = v(\text{苹果})$$
#
# 从 NNLM（2003）到 GloVe（2014），词的表示都是这样**静态**的。到了 context2vec（2016）、TagLM（2017）、ELMo（2018）和 BERT（2019），表示变成了**上下文相关**的：同一个词每出现一次，就根据所在的句子另算一个向量。这两种表示，你都会亲手搭一遍。
#
# 最简单的上下文向量甚至用不着新模型，只要把句中*其他*词的静态向量取平均。对句子 $w_1,\dots,w_T$ 中位置 $k$ 上的词，
#
# $$c_k = \frac{1}{T-1} \sum_{j \neq k} v(w_j)$$
#
# 在各课共用的程序库里，它是这样写的：

# %% key="context-average"
course_lib.source(senses.context_average)

# %% [markdown] key="compared" lang="en"
# ## 2 · Compared with what?
#
# The map showed points that move apart. Do they part *by sense*? To measure that, take one
# sentence out, average the vectors of the remaining ones for each sense, and name the sense whose average, or **centroid**, has the largest **cosine** with the sentence that was taken out. The share of
# right answers is a number, and a number means something only beside a **baseline**:
#
# * the **majority baseline** reads nothing and always names the most frequent sense;
# * the average from section 1 needs only static vectors (here those of skip-gram, lesson 02).

# %% [markdown] key="compared" lang="zh" follows="f6d93764"
# ## 2 · 跟什么比？
#
# 图上的点散开了，可它们是*按义项*散开的吗？要测量这一点，就每次取出一个句子，把剩下的句子按义项求平均向量，看取出的这句与哪个义项的平均向量（即**质心**）**余弦**最大，就判作哪个义项。答对的比例是一个数，而一个数只有跟**基线**放在一起才有意义：
#
# * **多数类基线**什么也不读，一律回答最常见的义项；
# * 第 1 节的平均向量只用到静态词向量（这里用第 02 课要讲的 skip-gram）。

# %% key="scores"
vectors = course_lib.load(f"static-{t.language}")  # skip-gram: a row for each word
annotated = [
    s._replace(tokens=[w.lower() for w in s.tokens]) for s in data.senses(t.language)
]
contexts = senses.context_average(vectors, annotated, vectors.vector_size)  # (N, D)

heads = t(
    ("word", "sentences", "majority", "ELMo, layer 0", "layer 1", "layer 2",
     "average of the other words"),
    ("词", "句数", "多数类", "ELMo 第 0 层", "第 1 层", "第 2 层", "其他词的平均"),
)  # fmt: skip
table = []
for word in WORDS[t.language]:
    mine = [i for i, s in enumerate(uses[t.language]) if s.word == word]
    labels = [uses[t.language][i].sense for i in mine]
    own = [i for i, s in enumerate(annotated) if s.word == word]  # the same sentences
    shares = [senses.majority(labels)]
    for x in (*layers[t.language][:, mine], contexts[own]):
        shares.append(senses.sense_accuracy(x, labels)["nearest_centroid"])
    cells = word, len(mine), *(f"{share:.0%}" for share in shares)
    table.append(dict(zip(heads, cells, strict=True)))
display(HTML(claims.table(table)))

# %% [markdown] key="scores-seen" lang="en"
# Layer 0 does no better than the majority, as it must: all its points coincide. The
# upper layers are far above it. Now look at the last column. For *bank* the plain average, which needs no
# language model at all, has 87 %, where ELMo has 90 to 92: of 60 sentences, two or three. So most of what
# the map shows *can* be had more cheaply. A map that looks impressive and a score far above the majority do not show
# what the model's layers are worth. The average is a strong baseline, and every later lesson meets it
# again; lesson 06 asks when a language model passes it.
#
# The average ignores order: *dog bites man* has the same vector as *man bites dog*.

# %% [markdown] key="scores-seen" lang="zh" follows="251e4ad3"
# 第 0 层不比多数类好，这是必然的，因为所有的点都重合在一起。往上两层则高出一大截，可见图上的移动确有其事。再看最后一栏：“苹果”一行，简单平均根本不用语言模型，也有 89%，ELMo 是 95%，61 句里只差四句。可见图上看到的，大半用便宜得多的办法也能得到。图好看、分数远超多数类，都还说明不了模型的那几层值多少。简单平均是一条很强的基线，以后每一课都会遇到它；语言模型什么时候能超过它，是第 06 课的问题。
#
# 不过，取平均丢掉了词序：“狗咬人”和“人咬狗”的向量完全一样。

# %% [markdown] key="town" lang="en"
# ## 3 · A floor that is known
#
# How good could a system be at best? For real text nobody knows. So the course brings a
# language for which it *is* known: **Rivertown**, a small town in English and Chinese whose
# every text is drawn from a grammar that we wrote. Because we drew the text, its parts of
# speech, senses, names and topics are certain, and so is its probability. Real text decides
# what an idea is worth; Rivertown tells us whether we have understood it.
#
# Here is a document, chosen by a rule: the first one that seed 0 draws. Words with several
# senses carry theirs in brackets. Some sentences are odd, for a grammar knows which words go
# together but not what is likely in the world.

# %% [markdown] key="town" lang="zh" follows="1b2fc063"
# ## 3 · 熵已知的人造语言
#
# 一个系统最好能好到什么程度？对真实的文本，谁也不知道。所以课程自带一种*知道*答案的语言：**河湾镇**。这座中英双语的小镇上，每一篇文章都从我们写的语法里抽出来。既然是我们抽的，词性、义项、人名地名、主题就都确定无疑，文本的概率也算得出来。一个想法值不值得用，要由真实文本来定；我们有没有弄懂它，可以到河湾镇检验。
#
# 下面这篇文章不是挑出来的，而是随机种子 0 抽到的第一篇。多义词的义项标在方括号里。有些句子读来有点怪，因为语法只管词能不能搭配，不管世上会不会有这样的事。

# %% key="town-document"
town = rivertown.world(t.language)
document = next(iter(town.documents(tokens=10_000, seed=0)))
for sentence in document.sentences:
    print(*(
        x.word + (f"[{sense_name(x.word, x.sense, t.language)}]" if x.sense else "")
        for x in sentence.tokens
    ))  # fmt: skip
tokens = sum(len(sentence.tokens) for sentence in document.sentences)
nats = -town.log_probability(document)  # exact: the grammar knows every way to write it
print(f"\n-log P = {nats:.1f}", t("nats,", "奈特，"), t(f"{nats / tokens:.2f} per token", f"每个词 {nats / tokens:.2f}"))  # fmt: skip

# %% [markdown] key="floor" lang="en"
# A **language model** gives every text a probability. The better it is, the more probable
# fresh text is to it, and the lower its loss, the **cross-entropy** in nats per token (a
# token is a word or a mark; a nat is the unit of $-\log P$ with the natural logarithm, as the
# bit is with base 2):
#
# $$\text{loss} = -\frac{1}{N} \log P(w_1 \dots w_N).$$
#
# Its exponential is the **perplexity**: the loss is as large as if the model had to choose
# among that many equally likely words at each step. On average no model can have a loss
# below the language's own **entropy**, and here the entropy can be computed exactly. It is
# the floor.
#
# How close do simple counts come? An **n-gram model** predicts a word from the $n - 1$ words
# before it (lesson 01 explains how). Every model below must spread its probability over all
# the words that Rivertown can produce, so that none gains by calling a rare word "unknown". (The ends of sentences and documents are
# predicted, too: their nats count, while $N$ counts words and marks only.)

# %% [markdown] key="floor" lang="zh" follows="054661bc"
# **语言模型**给每一段文本一个概率。模型越好，没见过的文本在它看来就越有可能，损失也就越低。这里的损失是**交叉熵**，即平均每个词元（词语或标点）多少**奈特**（nat）；$-\log P$ 取自然对数时以奈特为单位，正如以 2 为底时以比特为单位：
#
# $$\text{损失} = -\frac{1}{N} \log P(w_1 \dots w_N)$$
#
# 对损失取指数就是**困惑度**，意思是模型好像每一步都要在这么多个同样可能的词里挑一个。平均而言，任何模型的损失都不会低于语言自身的**熵**，而河湾镇的熵可以精确算出来，这就是下界。
#
# 光靠计数能离下界多近？**n 元模型**用前面 $n - 1$ 个词预测下一个词（做法见第 01 课）。下面每个模型都要把概率分给河湾镇可能出现的所有词，谁也不能把生僻词当作“未登录词”而占便宜。（句子和文章的结尾也要预测，奈特数里有它们，$N$ 只数词语和标点。）

# %% key="floor-measured"
course_lib.source(rivertown.Rivertown.entropy_per_token)


def lines(tokens, seed):
    """Read documents as sequences of words, a newline after each sentence."""
    corpus = data.load(f"rivertown-{t.language}", tokens=tokens, seed=seed)
    return [[w for s in doc for w in [*s, "\n"]] for doc in corpus.documents()]


train = lines(course_lib.by_profile(full=300_000, quick=60_000), seed=1)
fresh = lines(20_000, seed=2)
words = sum(word != "\n" for doc in fresh for word in doc)
V = len(town.vocabulary()) + 2  # and the ends of sentences and of documents
loss = {}  # nats per word
for n in (1, 2, 3):
    model = ngram.KneserNey(train, n, vocabulary=V)
    loss[t(f"{n}-gram", f"{n} 元")] = sum(map(model.nats, fresh)) / words
drawn = town.documents(20_000, seed=2)  # the same text, with its exact probability
loss[t("grammar", "语法")] = -sum(d.log_probability for d in drawn) / words
floor = town.entropy_per_token()
for name, nats in [*loss.items(), (t("entropy", "熵"), floor)]:
    print(f"{name:8} {nats:5.2f} {t('nats', '奈特')}   {t('perplexity', '困惑度')} {np.exp(nats):7.1f}")

# %% key="floor-figure" fold=true
figure, ax = plt.subplots(figsize=(7.0, 2.6))
for place, nats in enumerate(reversed(loss.values())):
    ax.barh(place, np.exp(nats), color="C0" if place else "C2")
    ax.text(np.exp(nats) * 1.05, place, f"{np.exp(nats):.1f}", va="center")
ax.set_yticks(range(len(loss)), list(reversed(loss)))
ax.axvline(np.exp(floor), color="black", linestyle=":")
ax.set_xscale("log")
ax.set_xlim(1, 3 * np.exp(max(loss.values())))
ax.set_xlabel(
    t(
        "perplexity on fresh text (log scale; dotted: the floor)",
        "新文本上的困惑度（对数刻度；点线为下界）",
    )
)
course_lib.show(
    figure,
    alt=t(
        "Bars of the perplexity of 1-, 2- and 3-gram models and of the grammar itself; "
        "only the grammar's bar ends at the dotted line of the floor.",
        "一元、二元、三元模型和语法本身的困惑度条形图；只有语法的条恰好到达下界。",
    ),
)

# %% [markdown] key="floor-seen" lang="en"
# Single words leave a perplexity of about a thousand, one word of context about 130, two
# about 80 (the quick profile reads a fifth of the text, and its numbers are higher). The
# grammar's own perplexity is about 5, which is its entropy, up to the luck of this sample.
# What lies between 80 and 5 is what a better model could still learn: who the hero is, what
# the document is about, how long sentences are built. If a model reports less than 5 on
# fresh text, something is wrong: it has seen the text before, or rare words cost it nothing.
#
# So a model's loss has two parts, what the model does not know and what cannot be known.
# Only the first can be removed. In Rivertown we can tell them apart; in real text we cannot.

# %% [markdown] key="floor-seen" lang="zh" follows="5306fbb9"
# 只看单个词的频率，困惑度有一千多；看前一个词，降到一百六十左右；看前两个词，降到八十左右（精简规模只读五分之一的文本，数字会更大）。语法自己的困惑度不到 5，与熵相符，出入只来自这份样本的偶然性。八十与五之间的差距，是更好的模型还能学的东西：主人公是谁，文章在讲什么，长句怎样组织。假如有模型在没见过的文本上报告的困惑度低于下界，那一定有问题，不是它早就读过这份文本，就是生僻词没有计入代价。
#
# 可见损失由两部分组成：一部分是模型还不知道的，另一部分是谁也不可能知道的，能消除的只有前者。在河湾镇，这两部分分得开；在真实文本里，分不开。

# %% [markdown] key="errors" lang="en"
# ## 4 · How to read a claim
#
# ### Points or errors?
#
# ELMo's paper reports six tasks. On SNLI the score rises from 88.0 to 88.7, on SQuAD from
# 81.1 to 85.8. To compare such gains, ask which share of the *errors* went away: on SNLI 0.7
# of 12.0, that is 5.8 %; on SQuAD 4.7 of 18.9, that is 24.9 %.
#
# (The tasks. SQuAD: find the answer to a question in a text. SNLI: does one sentence
# follow from another? SRL, semantic role labelling: who did what to whom? Coref: which
# expressions mean the same thing? NER: names of persons, places, organisations. SST-5:
# how good is a film, in five steps, from one sentence?)
#
# With the error $e = 100 - \text{score}$, the **relative error reduction** is
#
# $$r = \frac{e_\text{baseline} - e_\text{new}}{e_\text{baseline}}.$$

# %% [markdown] key="errors" lang="zh" follows="555b7b19"
# ## 4 · 怎样读一个论断
#
# ### 涨了几个点，还是少错了几成？
#
# ELMo 论文报告了六项任务，其中 SNLI 从 88.0 升到 88.7，SQuAD 从 81.1 升到 85.8。要比较它们，就要问*错误*少了几成：SNLI 原有 12.0 的错误，少了 0.7，即 5.8%；SQuAD 原有 18.9，少了 4.7，即 24.9%。
#
# （六项任务分别是：SQuAD，在文章里找出问题的答案；SNLI，一句话能不能由另一句推出；SRL（语义角色标注），谁对谁做了什么；Coref（共指），哪些说法指的是同一样东西；NER，人名、地名、机构名；SST-5，从一句影评看褒贬，分五档。）
#
# 记错误率 $e = 100 - \text{得分}$，**相对错误率下降**就是
#
# $$r = \frac{e_\text{基线} - e_\text{新}}{e_\text{基线}}$$

# %% key="error-reduction"
course_lib.source(statistics.relative_error_reduction)

# Peters et al. 2018, table 1: test scores of the best system before, the authors' own
# baseline, and the baseline with ELMo. SNLI and SST-5: accuracy; the others: F1.
TABLE_1 = {
    "SQuAD": (84.4, 81.1, 85.8),
    "SNLI": (88.6, 88.0, 88.7),
    "SRL": (81.7, 81.4, 84.6),
    "Coref": (67.2, 67.2, 70.4),
    "NER": (91.93, 90.15, 92.22),
    "SST-5": (53.7, 51.4, 54.7),
}
gains = {
    task: statistics.relative_error_reduction(baseline, new, best=100)
    for task, (_, baseline, new) in TABLE_1.items()
}
table = [
    {
        t("task", "任务"): task,
        t("baseline", "基线"): baseline,
        t("with ELMo", "加上 ELMo"): new,
        t("points", "涨点"): f"{new - baseline:.1f}",
        t("errors gone", "错误减少"): f"{gains[task]:.1%}",
        t("points over best before", "比此前最好高"): f"{new - before:+.1f}",
    }
    for task, (before, baseline, new) in TABLE_1.items()
]
display(HTML(claims.table(table)))

# %% key="error-figure" fold=true
figure, ax = plt.subplots(figsize=(7.0, 3.4))
for place, task in enumerate(sorted(gains, key=gains.get)):
    _, baseline, new = TABLE_1[task]
    ax.barh(place, 100 - new, color="lightgrey")
    ax.barh(place, new - baseline, left=100 - new, color="C0")
    note = t(f"{gains[task]:.1%} gone", f"少错 {gains[task]:.1%}")
    ax.text(100 - baseline + 0.6, place, note, va="center")
ax.set_yticks(range(len(gains)), sorted(gains, key=gains.get))
ax.set_xlim(0, 60)
ax.set_xlabel(
    t("error, 100 − score (blue: gone)", "错误率，即 100 − 得分（蓝色：消除的部分）")
)
course_lib.show(
    figure,
    alt=t(
        "Bars of the baseline's error on six tasks, the part that ELMo removes in blue: "
        "a quarter of SQuAD's bar, a twentieth of SNLI's.",
        "六项任务的基线错误率条形图，ELMo 消除的部分为蓝色：SQuAD 约四分之一，SNLI 约二十分之一。",
    ),
)

# %% [markdown] key="errors-seen" lang="en"
# SST-5 and SRL gain almost the same number of points (3.3 and 3.2), but SST-5's bar is more
# than twice as long: 6.8 % of its errors are gone, against 17.2 %. SNLI, often called ELMo's
# most impressive result, is the smallest gain of the six in points and in errors. (For NER
# the paper prints 2.06 points; its rounded scores give 2.07.)
#
# The table leaves three questions open. First, over whom? The gains are over the *authors'
# own* baseline; over the best system before, SNLI gained 0.1, which is less than the spread of
# 0.17 that the paper gives. Second, is it a count? An "error" is one for accuracy only; F1
# (lesson 05) mixes what was found wrongly and what was missed. Third, can all errors be
# removed? Where people disagree on 10 % of the answers, no system will come much above 90.

# %% [markdown] key="errors-seen" lang="zh" follows="ceb263b5"
# SST-5 和 SRL 涨的点数几乎一样（3.3 和 3.2），但 SST-5 的条长出一倍还多，所以前者只少错 6.8%，后者少错 17.2%。常被说成“最亮眼”的 SNLI，无论看点数还是看错误，都是六项里最小的。（NER 一项论文写的是 2.06 个点，用它四舍五入后的得分相减是 2.07。）
#
# 这张表还留下三个问题。第一，跟谁比？涨幅是相对*作者自己的*基线；若与此前最好的系统比，SNLI 只高 0.1，还不如论文给出的波动（0.17）大。第二，错误数得出来吗？只有对准确率才数得出来，F1 把找错的和漏掉的合在一起算（第 05 课）。第三，错误都能消除吗？如果人与人之间有 10% 的答案不一致，哪个系统也很难明显超过 90。

# %% [markdown] key="sure" lang="en"
# ### How sure is a difference?
#
# A test set is a sample, and another one would have given another score. If a system is right
# on a share $p$ of $n$ examples, its 95 % **confidence interval** reaches about
#
# $$\pm\, 1.96 \sqrt{\frac{p\,(1-p)}{n}}$$
#
# around $p$. The next cell says how wide that is at ELMo's 88 %.

# %% [markdown] key="sure" lang="zh" follows="15ad94e0"
# ### 差别有多可靠？
#
# 测试集只是一份样本，换一份，得分就会变。设一个系统在 $n$ 个样本上答对的比例是 $p$，它的 95% **置信区间**大约是 $p$ 加减
#
# $$1.96 \sqrt{\frac{p\,(1-p)}{n}}$$
#
# 准确率为 88% 时，这个区间有多宽？下面算一算。

# %% key="half-width"
def half_width(p, n):
    """Return half the width of the 95 % interval of an accuracy p on n examples."""
    return 1.96 * np.sqrt(p * (1 - p) / n)


for n in (100, 500, 2_000, 10_000, 50_000):
    print(f"n = {n:6,}   88 % ± {100 * half_width(0.88, n):.1f}")

# %% [markdown] key="significant" lang="en"
# With 500 examples the interval is about six points wide, and SNLI's gain of 0.7 would be lost
# in it. SNLI's test set has about 10,000 pairs, and even there 0.7 is about the half-width of
# *one* score. Four times the examples halve the interval. Two systems tested on the *same*
# examples can be compared more sharply, because a hard example is hard for both (lesson 02 does so).
#
# In this course a difference is called **significant** if a difference this large would turn
# up less than once in twenty times by chance alone, that is, if there were in truth none. For a single
# comparison that means: the 95 % interval of the difference does not contain 0. Three warnings
# go with the word.
#
# * It says nothing about size. With enough examples a tenth of a point is significant and
#   matters to nobody. Decide beforehand which difference would matter to you.
# * *Not significant* means that a difference cannot be told from chance, not that there is none.
#   So say how large an effect you would have found.
# * If twenty pairs of equal systems are compared, one difference comes out "significant" on
#   average. Whoever asks many questions must ask more of each (for example with Holm's
#   correction).
#
# An interval also has a source. The one above asks what another *test set* would give. Another
# training run, with another **random seed**, is a different question, and to answer it one has to train again.
# On the claim cards of this course, intervals are over seeds.

# %% [markdown] key="significant" lang="zh" follows="c58d59b4"
# 只有 500 个样本时，区间宽约六个点，SNLI 那 0.7 点会被淹没。SNLI 的测试集约有一万对句子，即便如此，0.7 也只和*一个*得分的区间半宽差不多。样本多到四倍，区间才窄一半。如果两个系统在*同一批*样本上测，比较起来会更灵敏，因为难的样本对双方都难（做法见第 02 课）。
#
# 本课程说一个差别**显著**，意思是：假如两边其实一样好，单凭偶然，二十次里还不到一次会差出这么多。只作一次比较时，这等于说差值的 95% 置信区间不含 0。用这个词要记住三点。
#
# * 显著不等于大。样本足够多，差 0.1 个点也能显著，却谁也不在乎，所以要事先想好差多少才有意义。
# * 不显著是说“与偶然分不开”，不是说“没有差别”。还应当交代，多大的效应才查得出来。
# * 拿二十对一样好的系统来比，平均会比出一个“显著”。一次问的问题多了，对每个问题的要求就得提高（比如用 Holm 校正）。
#
# 区间还要看是对什么而言的。上面的区间问的是换一份*测试集*会怎样；换一个**随机种子**重新训练会怎样，是另一个问题，只有真的再训练几次才能回答。本课程的论断卡上，区间都是对种子而言的。

# %% [markdown] key="share" lang="en"
# ### A share of one's own best
#
# Popular accounts say that with 10 to 20 % of the labels ELMo reaches 80 to 90 % of its full
# performance. If $s(n)$ is the score with $n$ labels (drawn over $n$, it is the **learning
# curve**) and $N$ is all of them, that is the statistic
#
# $$q(f) = \frac{s(fN)}{s(N)}.$$
#
# It prefers the poorer system. One that goes from 56 to 63 has a share of 89 %; one that goes
# from 70 to 90 has only 78 %, although it is better with few labels and with many. And where
# the majority has 60 and the full system 75, reading nothing at all already has 80 %. The question to ask
# is how many labels the idea *saves*: with how many does the baseline reach the same
# score? Lesson 08 measures that as the **data multiplier**.

# %% [markdown] key="share" lang="zh" follows="21bc213a"
# ### 占自己最好成绩的几成
#
# 不少文章说，ELMo 用 10%～20% 的标注就能达到全量性能的 80%～90%。记 $s(n)$ 为用 $n$ 条标注的得分（随 $n$ 画出来就是**学习曲线**），$N$ 为全部标注数，这个指标就是
#
# $$q(f) = \frac{s(fN)}{s(N)}$$
#
# 它偏爱差的系统。从 56 涨到 63 的，比例是 89%；从 70 涨到 90 的，只有 78%，可后者无论标注多少都更好。再比如全量得分是 75，而多数类就有 60，那么什么都不读也占到 80%。真正该问的是这个想法*省下*了多少标注，也就是基线要多少标注才能达到同样的分数。第 08 课会把它测出来，叫作**数据倍数**。

# %% [markdown] key="card" lang="en"
# ## 5 · A claim card
#
# Each lesson tests what is said about its subject on cards like the two below. What the paper
# measured and what we measure stand in separate columns and are never averaged or
# subtracted, because the models and the data differ by factors of hundreds. For the same
# reason a card asks two questions and has a verdict for each.
#
# **As told:** is the sentence what its source says? Papers and exact facts decide, not our runs.
# The verdict is *right*, *imprecise* (partly so), *false*, or *opinion*, which no measurement
# could decide.
#
# **In our runs:** what came out here? An effect is measured in one task or several, mostly
# with ten seeds, and one rule decides for all cards:
#
# | | |
# |---|---|
# | reproduced | significantly as claimed in more than half of the tasks (in all, if the claim is one of all together), the other way in none |
# | contradicted | significantly the other way in more than half of the tasks, as claimed in none; or shown to be too small to matter |
# | mixed | significantly as claimed, or the other way, but in too few of the tasks for a verdict above; or some each way |
# | cannot tell | none of these: more seeds, or larger models, might show either |
# | not tried | nothing was measured, or the models learned nothing in any task |
#
# The card states from which size on an effect would matter: half of the paper's, if it has
# one. A null result refutes nothing; where an effect was not found, the card says how large it
# would have had to be.
#
# The two verdicts need not agree. A paper is not wrong because our model is small, and a
# sentence that stands in no paper may come out here all the same. The two cards below rest on
# papers and arithmetic, so they have only the first verdict. The cards of all lessons are on the
# book's claims page; `python -m course_lib claims list` prints them.

# %% [markdown] key="card" lang="zh" follows="cfe62df6"
# ## 5 · 论断卡
#
# 每一课都用下面这样的卡片检验关于本课内容的各种说法。论文测得的和我们测得的分列两栏，绝不放在一起取平均或相减，因为两边的模型和数据相差几百倍。也正因为如此，一张卡片问两个问题，各有各的结论。
#
# **转述：** 这句话和它所依据的原文相符吗？只看论文和确凿的事实，不看我们的实验。结论是“属实”“不够准确”“不属实”，或者“见仁见智”，也就是没有哪种测量能定夺。
#
# **我们的实验：** 在我们这里测出了什么？一个效应在一个或几个任务上测，大多用十个种子；所有卡片都按同一条规则下结论：
#
# | | |
# |---|---|
# | 重现了 | 过半的任务显著地如论断所说（论断若说的是各项同时成立，则要全部任务），没有一个任务显著相反 |
# | 相反 | 过半的任务显著地与论断相反，没有一个如它所说；或者能证明效应小到不算数 |
# | 不一致 | 有的任务显著地如论断所说，或者显著相反，但不够下上面的结论；或者两个方向都有 |
# | 看不出 | 以上都不是：种子再多些，模型再大些，往哪边偏都有可能 |
# | 没有测 | 没有测，或者哪个任务上都没学到东西 |
#
# 效应多大才算数，写在卡片上；论文有数的，取它的一半。没查出差别，从来不算反驳，这时卡片会交代多大的效应才查得出来。
#
# 两个结论不必一致：我们的模型小，不能说论文就错了；哪篇论文里都没有的话，在我们这里也可能成立。下面两张卡片靠的是论文和算术，所以只有第一个结论。各课的卡片都在网页书的“论断”一页，也可以用 `python -m course_lib claims list` 列出来。


# %% key="card-show" fold=true
claims.card("share-of-full-performance").show(t)
claims.card("over-the-best").show(t)

# %% [markdown] key="knob" lang="en"
# ## 6 · Predict, change, explain
#
# The average of section 1 takes all the other words of the sentence, near and far. Suppose
# that it took only the nearest `NEAR` words on each side. With `NEAR = 1` just the two direct
# neighbours count. Will the senses be told apart better or worse, averaged over all the words
# that the course has annotated? And for which words might the opposite hold? Write your
# prediction down. Then run the cell with 1, 2, 5, 10 and 99.

# %% [markdown] key="knob" lang="zh" follows="ed15a0f5"
# ## 6 · 先预测，再改动，后解释
#
# 第 1 节的平均把句中其他词不分远近一起算。假如只取左右各 `NEAR` 个词呢？`NEAR = 1` 时，就只剩紧挨着的两个词。对课程标注过的全部多义词取平均，义项会分得更清楚，还是更模糊？哪些词可能与多数词相反？先写下你的预测，再依次用 1、2、5、10、99 运行下面这格。

# %% key="knob-run"
NEAR = 2  # the knob: how many words on each side are averaged


def nearby(s, near):
    """Cut a sentence down to the target word and the nearest words on each side."""
    first = max(0, s.target_index - near)
    tokens = s.tokens[first : s.target_index + near + 1]
    return s._replace(tokens=tokens, target_index=s.target_index - first)


short = [nearby(s, NEAR) for s in annotated]
x = senses.context_average(vectors, short, vectors.vector_size)  # (N, D)
found = senses.by_word(x, annotated)
for word, row in found.items():
    print(f"{word:10} {row['nearest_centroid']:.0%}")
print(t("mean of all words:", "各词平均："), f"{senses.macro(found)['nearest_centroid']:.1%}")
print(t("majority:", "多数类："), f"{senses.macro(found)['majority']:.1%}")

# %% [markdown] key="knob-answer" lang="en"
# <details><summary>What comes out, and why</summary>
#
# The mean rises with every step: 67 % with one word on each side, 72 % with two, 77 % with
# five, 81 % with ten, 84 % with the whole sentence. The words that give a sense away, such as
# *loan* or *river*, can stand anywhere. *Light* is the exception: 71 % with one word, 55 % with
# the whole sentence. Whether it is a lamp, a weight or a verb shows in the words directly beside it,
# and the average buries them among the rest. A good contextual model has to do both: reach far,
# and know which words matter where.
#
# </details>

# %% [markdown] key="knob-answer" lang="zh" follows="dff34262"
# <details><summary>会出现什么，为什么</summary>
#
# 平均分随 `NEAR` 一路上升：左右各一个词时是 59%，两个词 68%，五个词 75%，十个词 82%，整句 83%。泄露义项的词，比如“手机”“甜”，可能站在句中任何地方。“花”是例外，从头到尾都在 80% 上下：前后紧挨着的“了”“钱”“一朵”，已经说明它是动词还是名词，更远的词帮不上忙。好的上下文模型要两样都做到，既看得远，又知道哪里的词要紧。
#
# </details>

# %% [markdown] key="work" lang="en"
# ## 7 · How to work with the course
#
# **Run and change.** Run the cells in order (Shift-Enter). Change numbers, run again, and
# say beforehand what you expect. Cells that only draw, print or import are shown closed; a
# click on the three dots opens them. `course_lib.source` shows the library's own code.
#
# **Two profiles.** With `COURSE_PROFILE=quick make lab` each lesson takes a minute at most
# and measures with fewer tokens and seeds; without it, up to five minutes. Read numbers
# from the full profile.
#
# **After a restart** of the kernel, click into the section where you want to go on and choose
# *Run ▸ Run All Above Selected Cell*. What the section needs is computed again from the same
# seeds. Where a lesson trains for a set time, the last digits may change.
#
# **Exercises** are in the folder `exercises/`, one notebook a lesson; 00 is a warm-up. After
# `from course_lib.grading import check`, a line such as
# `check("00.error_reduction", my_function)` answers at once, offline, and names the
# mistake if it is a common one.
#
# **Real corpora.** `data.load("brown")` downloads a corpus once, checks it and keeps it;
# lessons then use it by themselves. To keep corpora in a folder of your own, set
# `COURSE_DATA` (and `NLTK_DATA` for NLTK's) before `make lab`. A corpus "to download" is no
# fault: every lesson also runs on what ships with the course.
#
# The next cell says what is there, and changes nothing. *GF/s* are billions of additions and
# multiplications a second in a product of two matrices, on which training spends most of its
# time. The running times in this course were measured at about 100 GF/s in float32 on one
# thread; with 50, expect twice the time.

# %% [markdown] key="work" lang="zh" follows="b374de91"
# ## 7 · 怎样使用这门课
#
# **运行，改动。** 按顺序运行各格（Shift-Enter）。改几个数再运行一遍，动手前先说出你的预期。只管画图、打印或导入的格子默认折叠，点一下三个小点就能展开；`course_lib.source` 显示的是程序库本身的代码。
#
# **两种规模。** 用 `COURSE_PROFILE=quick make lab` 启动，每课最多一分钟，用的词和种子都少一些；不加则每课最多五分钟。要引用数字，请以完整规模为准。
#
# **重启之后**，点进想继续的那一节，选 *Run ▸ Run All Above Selected Cell*（运行上方所有格），前面的东西会用同样的种子重算一遍；有的课按时间训练，末几位数字可能略有出入。
#
# **练习**在 `exercises/` 文件夹里，一课一个，00 是热身。先写 `from course_lib.grading import check`，再写一行 `check("00.error_reduction", 你的函数)`，不联网也能立刻得到回答；如果是常见错误，还会指出错在哪里。
#
# **真实语料。** `data.load("waimai")` 会下载一份语料，校验后存好，只下载一次，以后各课会自动用上。想把语料放在自己的文件夹里，就在 `make lab` 之前设置 `COURSE_DATA`（NLTK 的语料另设 `NLTK_DATA`）。语料标着“待下载”不算问题，每一课都能只靠随课程附带的数据跑完。
#
# 下面这格代码只查看，不改动任何东西。*GF/s* 指做矩阵乘法时每秒完成多少个十亿次加法和乘法，训练的时间主要就花在这上面。本课程给出的运行时间，是在单线程 float32 约 100 GF/s 的机器上测的；你的机器如果只有 50，时间大约翻一倍。

# %% key="check-installation" fold=true
PACKAGES = "torch numpy scipy scikit-learn matplotlib gensim nltk jieba jupyterlab"


def version(package):
    """Return the installed version of a package, or say that there is none."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return t("missing", "未安装")


def say(head, text):
    """Print a line with a head, wrapped so that it stays on the screen."""
    print(textwrap.fill(text, 88, initial_indent=f"{head}  ", subsequent_indent="    "))


say("Python", f"{platform.python_version()}, {platform.system()} {platform.machine()}")
say(t("packages", "软件包"), ", ".join(f"{p} {version(p)}" for p in PACKAGES.split()))
threads = f"{torch.get_num_threads()} / {os.cpu_count()}"
say(t("threads in use / cores", "使用的线程数 / 核数"), threads)
operations = 2 * 512**3  # of a product of two 512 x 512 matrices
rates = {
    dtype: operations / matmul_seconds(getattr(torch, dtype), size=512) / 1e9
    for dtype in ("float32", "bfloat16")
}
speed = ", ".join(f"{dtype} {rate:.0f} GF/s" for dtype, rate in rates.items())
say(t("matrix product", "矩阵乘法"), speed)
models = ", ".join(checkpoints.names()) or t("none at hand", "手头没有")
say(t("trained models", "训练好的模型"), models)
PLACE = {"at hand": "手头已有", "ships": "随课程附带", "to download": "待下载"}
corpora = {}
for row in data.available():
    corpora.setdefault((row.language, row.where), []).append(row.name)
for (language, where), names in sorted(corpora.items()):
    head = t(f"corpora, {language}, {where}:", f"语料 {language}，{PLACE.get(where, where)}：")  # fmt: skip
    say(head, ", ".join(names))

# %% [markdown] key="lessons" lang="en"
# | | lesson | what you build |
# |---|---|---|
# | 01 | NNLM | n-grams and the neural language model of 2003; vectors as a by-product |
# | 02 | Word2Vec | CBOW, skip-gram, negative sampling |
# | 03 | GloVe | co-occurrence as weighted regression |
# | 04 | polysemy | what static vectors do to senses; frozen or fine-tuned |
# | 05 | TagLM | context2vec, CRF, language-model states as features |
# | 06 | ELMo I | the bidirectional language model |
# | 07 | ELMo II | mixing layers and plugging them in |
# | 08 | ELMo III | what do the layers know? |
# | 09 | AWD-LSTM | a well-regularised language model |
# | 10 | ULMFiT | three stages of fine-tuning |
# | 11 | why | why does pre-training help? Three causes, separated |
# | 12 | seq2seq | pre-trained encoder and decoder |
# | 13 | GPT | one-sided Transformer |
# | 14 | BERT | masked language model |
# | 15 | lineage | one test for all; 100 labels, one decision |

# %% [markdown] key="lessons" lang="zh" follows="7ac86e63"
# | | 课 | 你要搭的东西 |
# |---|---|---|
# | 01 | NNLM | n 元模型与 2003 年的神经网络语言模型；词向量是副产品 |
# | 02 | Word2Vec | CBOW、skip-gram、负采样 |
# | 03 | GloVe | 共现计数的加权回归 |
# | 04 | 多义词 | 静态向量怎样混淆义项；冻结还是微调 |
# | 05 | TagLM | context2vec、CRF、把语言模型的状态当特征 |
# | 06 | ELMo（一） | 双向语言模型 |
# | 07 | ELMo（二） | 各层加权与接入任务 |
# | 08 | ELMo（三） | 各层学到了什么 |
# | 09 | AWD-LSTM | 正则化做足的语言模型 |
# | 10 | ULMFiT | 三阶段微调 |
# | 11 | 为什么 | 预训练为什么有用：把三种原因分开 |
# | 12 | seq2seq | 预训练的编码器与解码器 |
# | 13 | GPT | 单向 Transformer |
# | 14 | BERT | 掩码语言模型 |
# | 15 | 传承 | 同一张考卷考所有模型；一百条标注，一个决定 |

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** An article says that ELMo brought "a gain of up to 25 %". What happened in the
# paper?
#
# <details><summary>A. On SQuAD a quarter of the errors of the authors' own baseline
# went.</summary>
#
# Right. 4.7 of 18.9 is 24.9 %. With a percentage, always ask two things: of what, and
# compared with whom.
#
# </details>
#
# <details><summary>B. On SQuAD the score rose by 25 points.</summary>
#
# Not quite: points and per cent are mixed up. The score rose by 4.7 points, from 81.1
# to 85.8.
#
# </details>
#
# <details><summary>C. On SQuAD a quarter of the errors of the best earlier system
# went.</summary>
#
# Not quite: the right kind of number over the wrong rival. The best earlier system had
# 84.4: from there 1.4 of 15.6 went, about 9 %.
#
# </details>
#
# <details><summary>D. On average over six tasks the scores became a quarter
# higher.</summary>
#
# Not quite: "up to" names the largest of the six, and it is errors that are counted.
# SNLI lost 5.8 % of its errors.
#
# </details>
#
# ---
#
# **2.** System B is 1.2 points better than system A on a test set, and the 95 % interval
# of the difference, for the choice of test examples, is [−0.4, 2.8]. What do you conclude?
#
# <details><summary>A. B is better: most of the interval lies above 0.</summary>
#
# Not quite: a small gain and a small loss are both compatible with these examples. The
# rule "whatever is mostly above 0 counts" would reward systems that were merely lucky.
#
# </details>
#
# <details><summary>B. A and B are equally good.</summary>
#
# Not quite: that no difference was found does not show that there is none. A gain of 2
# points lies in the interval, too.
#
# </details>
#
# <details><summary>C. Trained again with another seed, B would gain between −0.4 and
# 2.8 points.</summary>
#
# Not quite: the interval covers only the choice of test examples. To learn about seeds,
# one has to train again.
#
# </details>
#
# <details><summary>D. This test set cannot tell which of them is better.</summary>
#
# Right. The interval contains 0. A larger test set would make it narrower: four times the
# examples, half the width.
#
# </details>
#
# ---
#
# **3.** A system reaches 88 % of its full accuracy with a tenth of the labels. Its full
# accuracy is 75 %, and always naming the most frequent label gives 60 %. How impressive
# is that?
#
# <details><summary>A. Very: nine tenths of the labels are saved, for a small
# loss.</summary>
#
# Not quite: a share of one's own final score saves no labels. Ask how many labels a
# rival needs for the *same* score.
#
# </details>
#
# <details><summary>B. It cannot be said: the majority alone has 80 %.</summary>
#
# Right. 60 of 75 is 80 %, and 88 % of 75 is 66. What is missing is the same classifier
# without pre-training, at a tenth and at all of the labels.
#
# </details>
#
# <details><summary>C. Hardly: 12 % of the accuracy is lost.</summary>
#
# Not quite: this still takes the share at its word. A poor system, which has little to
# lose, keeps the largest share.
#
# </details>
#
# ---
#
# **4.** On fresh text from Rivertown a model reports a perplexity of 3.5; the entropy
# of the language allows about 5. What is the likely explanation?
#
# <details><summary>A. The measurement is unfair: the model has seen the text, or rare words
# cost it nothing.</summary>
#
# Right. A number below the floor is the sign of a mistake. Look for shared text first,
# then at what saying `<unk>` costs.
#
# </details>
#
# <details><summary>B. The model has understood the town better than the
# grammar.</summary>
#
# Not quite: the grammar *made* the text. On average no model can have a loss below the
# entropy.
#
# </details>
#
# <details><summary>C. The entropy is only an estimate, made from n-grams.</summary>
#
# Not quite: here it has a closed form, computed from the grammar. The n-grams were
# measured against it.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="707f0b15"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 有文章说，ELMo“最多提升了 25%”。论文里到底发生了什么？
#
# <details><summary>A. SQuAD 上，作者自己的基线所犯的错误，少了四分之一。</summary>
#
# 对。18.9 里去掉 4.7，是 24.9%。见到百分比，先问两句：是什么的百分之几？跟谁比？
#
# </details>
#
# <details><summary>B. SQuAD 的得分涨了 25 个点。</summary>
#
# 再想想：点数和百分比混了。得分从 81.1 到 85.8，涨了 4.7 个点。
#
# </details>
#
# <details><summary>C. SQuAD 上，此前最好的系统所犯的错误，少了四分之一。</summary>
#
# 再想想：数没有算错，比的对象错了。此前最好的系统是 84.4，从 15.6 的错误里去掉 1.4，约 9%。
#
# </details>
#
# <details><summary>D. 六项任务平均，少错四分之一。</summary>
#
# 再想想：“最多”说的是六项里最大的那一项；SNLI 只少错了 5.8%。
#
# </details>
#
# ---
#
# **2.** 甲、乙两个系统在同一份 500 条的测试集上：都对 400 条，都错 46 条，只有甲对 24 条，只有乙对 30 条。要看谁更好，起作用的是哪些数？
#
# <details><summary>A. 24 和 30，也就是恰好一方答对的那些。</summary>
#
# 对。差值是 (30 − 24) / 500，即 1.2 个点，全由这 54 条决定。所以在同一批样本上比，比各用各的样本灵敏。
#
# </details>
#
# <details><summary>B. 400，这是两个系统的真本事。</summary>
#
# 再想想：双方都对的样本，对差值的贡献是零。
#
# </details>
#
# <details><summary>C. 四个数都起作用，因为准确率要用到它们。</summary>
#
# 再想想：准确率用到了，可相减时，都对和都错的就抵消了。
#
# </details>
#
# ---
#
# **3.** 甲系统用一成标注得 63，用全部标注得 70；乙系统用一成标注得 72，用全部标注得 90。谁更省标注？
#
# <details><summary>A. 甲：一成标注就达到了自己的 90%，乙只有 80%。</summary>
#
# 再想想：这个比例偏爱差的系统，终点越低，起点就显得越高。
#
# </details>
#
# <details><summary>B. 分不出来，得看两者用的标注占几成。</summary>
#
# 再想想：两者用的标注一样多，而数已经摆在那里，标注少的时候乙好，标注多的时候也是乙好。
#
# </details>
#
# <details><summary>C. 乙：它用一成标注的 72，甲用全部标注也达不到。</summary>
#
# 对。要问的是达到*同样的分数*各需多少标注。在 70 分上，乙连一成都用不了。
#
# </details>
#
# ---
#
# **4.** 在没见过的河湾镇文本上，某模型报告困惑度 3.5，而按语言的熵，最低也将近 5。最可能的解释是什么？
#
# <details><summary>A. 这个模型比语法更懂河湾镇。</summary>
#
# 再想想：文本就是由这套语法生成的。平均而言，任何模型的损失都不会低于熵。
#
# </details>
#
# <details><summary>B. 测得不公平：模型见过这份文本，或者生僻词没有计入代价。</summary>
#
# 对。低于下界的数，本身就是出错的信号。先查训练与测试的文本有没有重叠，再查生僻词是不是都记作了 `<unk>`。
#
# </details>
#
# <details><summary>C. 熵只是用 n 元模型估出来的，有误差。</summary>
#
# 再想想：这里的熵有精确的算式，直接从语法算出；n 元模型是拿来跟它比的。
#
# </details>
#
# <details><summary>D. 样本里恰好多是简单的句子。</summary>
#
# 再想想：偶然性会带来一点出入，但差不了这么多。在两万词的样本上，语法自己的损失和熵几乎一样。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Do you understand it?
#
# <details><summary>1. Accuracy rises from 96 to 97 on one task and from 60 to 64 on
# another. Which gain is larger?</summary>
#
# In points the second (4 against 1), in errors the first: 1 of 4 is 25 %, 4 of 40 is 10 %.
# Say which you mean, and over which baseline.
# </details>
#
# <details><summary>2. System A is right on 80 % of a test set, system B on 80 % of the
# same test set. Are they the same system?</summary>
#
# Not necessarily: they may be right on different examples. The interval of the difference
# depends on how many they disagree on. With none it is exactly 0; with 40 % it is wide.
# </details>
#
# <details><summary>3. A pre-trained model has 95 % of its full accuracy with 10 % of the
# labels. What do you ask next?</summary>
#
# What share the same classifier has without pre-training, what the majority baseline has,
# and, better than either: how many labels the baseline needs to reach the same score.
# </details>
#
# <details><summary>4. The average of the other words separates most sentences by sense. For
# which must it fail, however good the word vectors are?</summary>
#
# For one that has the word in two senses: in *Before the match he struck a match* both
# occurrences have the same other words, and so exactly the same average. Word order
# and distance decide there. An average knows neither; a language model can.
# </details>

# %% [markdown] key="questions" lang="zh" follows="9568a38c"
# ## 检查一下自己
#
# <details><summary>1. 一项任务的准确率从 96 升到 97，另一项从 60 升到 64，哪个提高更大？</summary>
#
# 看点数是后者（4 对 1）；看错误是前者：4 里去掉 1 是 25%，40 里去掉 4 是 10%。要说清用的是哪种算法，比的是哪个基线。
# </details>
#
# <details><summary>2. 系统 A 在某测试集上对了 80%，系统 B 在同一测试集上也对了 80%。它们一样吗？</summary>
#
# 不一定，两者答对的可能是不同的样本。差值的区间有多宽，取决于两者在多少样本上不一致。完全一致时正好是 0，有 40% 不一致时就很宽。
# </details>
#
# <details><summary>3. 某预训练模型用 10% 的标注就达到了自己全量准确率的 95%。接下来该问什么？</summary>
#
# 同样的分类器不做预训练，比例是多少；多数类基线是多少；更好的问题是：基线要多少标注才能达到同样的分数。
# </details>
#
# <details><summary>4. 把其他词取平均，大多数句子就能按义项分开。什么样的句子，词向量再好也必定分不开？</summary>
#
# 同一个词以两种义项出现在一句里，就必定分不开：“他一边啃苹果，一边看苹果的财报”，两个“苹果”的其他词完全相同，平均向量也就分毫不差。这里要靠词序和远近来判断，平均向量两样都不知道，语言模型却能知道。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Peters et al., *Deep contextualized word representations*, NAACL 2018: tables 1 and 2
#   with section 4 of this lesson in mind, and section 5.4 on sample efficiency.
# * Berg-Kirkpatrick, Burkett & Klein, *An Empirical Investigation of Statistical
#   Significance in NLP*, EMNLP-CoNLL 2012: how large a gain has to be.
#
# Then lesson 01, or straight to 06 if you cannot wait for ELMo.

# %% [markdown] key="reading" lang="zh" follows="b2d59169"
# ## 接下来读什么
#
# * Peters 等，*Deep contextualized word representations*，NAACL 2018：对照本课第 4 节看表 1、表 2，再看讲样本效率的 5.4 节。
# * Berg-Kirkpatrick、Burkett 与 Klein，*An Empirical Investigation of Statistical Significance in NLP*，EMNLP-CoNLL 2012：提高多少才算数。
#
# 然后进入第 01 课；等不及想看 ELMo 的，可以直接去第 06 课。
