# %% [markdown] key="title" lang="en"
# # 00 · Start here: one word, many meanings, and how to read a claim
#
# After this lesson you can
#
# * tell whether your installation works, and which texts and models it has at hand;
# * say what one vector per word does to a word with several meanings;
# * turn an accuracy into errors, give a difference its interval, and say what
#   *significantly* means;
# * say how far a language model is from the best possible, where that is known;
# * choose a baseline, and say why "90 % of full performance" proves little;
# * compute a data multiplier and read a claim card.
#
# Running time, measured on one core: 20 seconds (quick profile: 11), about twice that
# where other programs are busy. No network is needed.

# %% [markdown] key="title" lang="zh" follows="70e7a3a8"
# # 00 · 从这里开始：一词多义，以及怎样读一个论断
#
# 学完本课，你能够
#
# * 判断环境是否装好，手头有哪些语料和模型；
# * 说清楚“一个词一个向量”对多义词意味着什么；
# * 把准确率换算成错误率，给差值配上区间，并说清“显著”是什么意思；
# * 在知道底线的世界里，说出语言模型离最好还有多远；
# * 选对基线，并说明“达到全量性能的 90%”为什么说明不了什么；
# * 计算数据倍数，读懂一张论断卡。
#
# 单核实测运行时间：27 秒（精简规模 15 秒），将近一半用于分词；机器上有别的程序在忙时，大约要翻一倍。全程不需要联网。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import importlib.metadata
import itertools
import os
import platform
import sys
import textwrap
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from tqdm import tqdm

import course_claims as claims
from course_lib import checkpoints, data
from course_lib.analysis import senses, statistics
from course_lib.models import ngram
from course_lib.text.tokenise import TOKENISERS
from course_lib.training import matmul_seconds
from course_lib.worlds import rivertown

# %% [markdown] key="check" lang="en"
# ## 1 · Is everything there?
#
# The next cell looks around and changes nothing. *GF/s* are billions of additions and
# multiplications a second in a product of two matrices, which is what training spends
# its time on. The running times in this course were measured at about 100 GF/s in
# float32 on one thread; with 50, expect twice the time. (bfloat16 keeps 8 bits of
# precision instead of 24; some processors are faster with it, some slower.)
#
# A corpus "to download" is no fault: every lesson also runs on what ships with the
# course.
#
# A cell that only draws or prints is shown closed; click on the three dots to read it.

# %% [markdown] key="check" lang="zh" follows="5995b82b"
# ## 1 · 东西都齐了吗？
#
# 下面这格代码只查看，不改动任何东西。*GF/s* 指做矩阵乘法时每秒完成多少个十亿次加法和乘法，训练的时间主要就花在这上面。本课程给出的运行时间，是在单线程 float32 约 100 GF/s 的机器上测的；你的机器如果只有 50，时间大约翻一倍。（bfloat16 的有效位数是 8 位，float32 是 24 位；有的处理器用它更快，有的反而更慢。）
#
# 语料标着“待下载”不算问题：每一课都能只靠随课程附带的数据跑完。
#
# 只管画图或打印的代码格默认折叠，点一下三个小点就能展开。

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
PLACE = {"at hand": "手头已有", "to download": "待下载"}  # for the Chinese edition
corpora = {}
for row in data.available():
    corpora.setdefault((row.language, row.where), []).append(row.name)
for (language, where), names in sorted(corpora.items()):
    head = t(f"corpora, {language}, {where}:", f"语料 {language}，{PLACE.get(where, where)}：")  # fmt: skip
    say(head, ", ".join(names))

# %% [markdown] key="thread" lang="en"
# ## 2 · The thread of this course: one word, many meanings
#
# > She paid the cheque in at the **bank**.
# >
# > She pulled the canoe up on the **bank**.
#
# You did not hesitate, because you read the other words too. A table of word vectors
# cannot: it has one row for *bank*, whatever stands around it. If $v(w)$ is the row of
# word $w$, then for any two sentences $c_1, c_2$
#
# $$v(\textit{bank}, c_1) = v(\textit{bank}, c_2) = v(\textit{bank}).$$
#
# From NNLM (2003) to GloVe (2014) representations were of this *static* kind. From
# context2vec (2016) and TagLM (2017) to ELMo (2018) and BERT (2019) they became
# *contextual*: a vector for each occurrence, computed from its sentence. This course
# builds both and measures what changes.
#
# A crude contextual vector can be had at once: take the average of the *other* words'
# vectors. For the occurrence at place $k$ of a sentence $w_1,\dots,w_T$
#
# $$c_k = \frac{1}{T-1} \sum_{j \neq k} v(w_j).$$
#
# The code, from the library that all lessons share:

# %% [markdown] key="thread" lang="zh" follows="e9778116"
# ## 2 · 贯穿全课的线索：一词多义
#
# > 他洗了一个**苹果**，边走边吃。
# >
# > 他卖掉**苹果**的股票，买了辆车。
#
# 你一眼就看得出两个“苹果”不是一回事，因为你把旁边的词也读进去了。词向量表做不到：不管上下文是什么，“苹果”只占一行。设 $v(w)$ 是词 $w$ 的那一行，那么对任意两个句子 $c_1$、$c_2$，
#
# $$v(\text{苹果}, c_1) = v(\text{苹果}, c_2) = v(\text{苹果})$$
#
# 从 NNLM（2003）到 GloVe（2014），词的表示都是这样*静态*的。到了 context2vec（2016）、TagLM（2017）、ELMo（2018）、BERT（2019），表示变成了*上下文相关*的：词每出现一次，就根据所在的句子算一个向量。这门课把两种都亲手搭一遍，并且量一量究竟变了什么。
#
# 最粗糙的上下文向量现在就能算：把句中*其他*词的向量取平均。句子 $w_1,\dots,w_T$ 中位置 $k$ 上的那个词，它的上下文向量是
#
# $$c_k = \frac{1}{T-1} \sum_{j \neq k} v(w_j)$$
#
# 代码取自各课共用的程序库：

# %% key="context-average"
course_lib.source(senses.context_average)

# %% [markdown] key="count-vectors" lang="en"
# The word vectors come from counting: note how often each word stands in each passage of
# a text, and compress that table to 100 numbers a word with a singular value
# decomposition (latent semantic analysis, Deerwester et al. 1990). Nothing here is
# labelled; it is the oldest form of pre-training in this course. In a mean, a word that
# stands everywhere should count little. So the length of each vector is set to the word's
# *idf* (inverse document frequency), which grows with the logarithm of (all passages /
# passages that have the word).

# %% [markdown] key="count-vectors" lang="zh" follows="3fbf0776"
# 词向量用数数的办法得到：统计每个词在文本的各个段落里出现多少次，再用奇异值分解把这张表压缩成每词 100 个数（潜在语义分析，Deerwester 等，1990）。这里没有用到任何标注，可以说是本课程里最古老的一种“预训练”。求平均时，到处都出现的词应当少占分量，所以每个词的向量长度按它的 *idf*（逆文档频率）来定：有这个词的段落越少，idf 越大，随“段落总数 ÷ 有这个词的段落数”的对数增长。


# %% key="count"
def passages(corpus, tokens, length=5):
    """Cut running text into passages of a few sentences, all in lower case."""
    sentences = []
    with tqdm(total=tokens, unit="word", unit_scale=True, file=sys.stdout) as bar:
        for sentence in itertools.chain.from_iterable(corpus.documents()):
            sentences.append([word.lower() for word in sentence])
            bar.update(min(len(sentence), tokens - bar.n))
            if bar.n == tokens:
                break
    return [
        list(itertools.chain.from_iterable(sentences[i : i + length]))
        for i in range(0, len(sentences), length)
    ]


def count_vectors(passages, size=100):
    """Return {word: vector}: words that stand in the same passages become similar."""
    counter = TfidfVectorizer(analyzer=list, min_df=3, sublinear_tf=True)
    table = counter.fit_transform(passages)  # (passages, V)
    axes = TruncatedSVD(size, random_state=0).fit(table).components_.T  # (V, D)
    weighted = senses.unit(axes) * counter.idf_[:, None]  # (V, D)
    return dict(zip(counter.get_feature_names_out(), weighted, strict=True))


read = passages(data.best(t.language), course_lib.by_profile(1_500_000, 300_000))
vectors = count_vectors(read)
annotated = [
    s._replace(tokens=[w.lower() for w in s.tokens]) for s in data.senses(t.language)
]
contexts = senses.context_average(vectors, annotated, size=100)  # (N, D)
print(t("words with a vector:", "有向量的词数："), len(vectors))
print(t("sense sentences:", "义项例句数："), len(annotated))

# %% [markdown] key="look" lang="en"
# The course ships sentences in which the sense of one word is known. Here are all those
# with *bank*. Each point is one sentence; its place says how similar its context vector
# is to the *other* sentences of either sense. The star is the static vector of *bank*.

# %% [markdown] key="look" lang="zh" follows="366eb922"
# 课程附带一批例句，其中一个词的义项是标好的。下图是所有含“苹果”的例句：一个点是一句，它的位置表示这句的上下文向量与两种义项的*其他*例句各有多像。星号是“苹果”的静态向量。

# %% key="map" fold=true
word = t("bank", "苹果")
NAMES = {"river": "river", "finance": "money", "fruit": "水果", "company": "公司"}
rows = [i for i, s in enumerate(annotated) if s.word == word]
labels = np.array([annotated[i].sense for i in rows])
names = np.unique(labels)


def cosines_to_senses(x, labels):
    """Return each row's cosine to the mean of each sense, itself left out. (N, S)"""
    x, found = senses.unit(x), []
    for i in range(len(x)):
        others = np.arange(len(x)) != i
        rests = [x[(labels == name) & others] for name in np.unique(labels)]
        means = [rest.mean(axis=0) for rest in rests]  # (S, D)
        found.append(senses.unit(means) @ x[i])  # (S,)
    return np.array(found)


places = cosines_to_senses(contexts[rows], labels)
means = [contexts[rows][labels == name].mean(axis=0) for name in names]
star = senses.unit(means) @ senses.unit(vectors[word][None])[0]  # (2,)

figure, ax = plt.subplots(figsize=(5.2, 5.0))
for name, marker in zip(names, "os", strict=True):
    here = places[labels == name]
    ax.scatter(*here.T, marker=marker, alpha=0.8, label=NAMES[name])
ax.scatter(
    *star, marker="*", s=260, color="black", label=t("static vector", "静态向量")
)
ends = [min(places.min(), star.min()) - 0.05, places.max() + 0.05]
ax.plot(ends, ends, color="grey", linewidth=1)
first, second = (NAMES[name] for name in names)
ax.set_xlabel(t(f"cosine with “{first}” sentences", f"与“{first}”例句的余弦"))
ax.set_ylabel(t(f"cosine with “{second}” sentences", f"与“{second}”例句的余弦"))
ax.legend(loc="lower right")
margin = (places[:, 0] - places[:, 1]) * np.where(labels == names[0], 1, -1)
course_lib.show(
    figure,
    alt=t(
        f"Scatter plot of {len(rows)} sentences with bank: {(margin > 0).mean():.0%} lie "
        "on their own sense's side of the diagonal; the static vector is one star.",
        f"{len(rows)} 个含“苹果”例句的散点图：{(margin > 0).mean():.0%} 落在对角线上自己义项的"
        "一侧；静态向量只是一颗星。",
    ),
)
share = f"{(margin > 0).mean():.1%}"
print(t("on the right side of the line:", "落在正确一侧的比例："), share)
chance = senses.majority(labels)
print(t("always the more frequent sense:", "总猜更常见的义项："), f"{chance:.1%}")
worst = annotated[rows[margin.argmin()]]
print(t("furthest on the wrong side:", "错得最远的一句："), " ".join(worst.tokens))

# %% [markdown] key="seen" lang="en"
# **What to see.** The two senses lean to the two sides of the line. Read the sentence
# that is furthest on the wrong side: which of its words led the average astray? The
# static vector is one star for all sentences: whichever side it is on, it is wrong for
# every sentence of the other sense.
#
# The average has no word order: *dog bites man* is *man bites dog*. It is a strong
# yardstick nevertheless, and lesson 06 holds ELMo's language model against it.

# %% [markdown] key="seen" lang="zh" follows="781398a4"
# **看什么。** 两种义项的点各偏向对角线的一侧。读一读错得最远的那句：是哪些词把平均值带偏了？静态向量从头到尾就一颗星：它落在哪一侧，另一种义项的句子就全错。
#
# 取平均丢掉了词序：“狗咬人”和“人咬狗”完全一样。尽管如此，它仍是一把很硬的尺子，第 06 课就拿它来衡量 ELMo 的语言模型。

# %% [markdown] key="errors" lang="en"
# ## 3 · Points or errors?
#
# ELMo's paper reports six tasks. On SNLI the score rises from 88.0 to 88.7, on SQuAD from
# 81.1 to 85.8. To compare them, ask which share of the *errors* went away: on SNLI 0.7 of
# 12.0 are gone, that is 5.8 %; on SQuAD 4.7 of 18.9, that is 24.9 %.
#
# (The tasks. SQuAD: find the answer to a question in a text. SNLI: does one sentence
# follow from another? SRL, semantic role labelling: who did what to whom? Coref: which
# expressions mean the same thing? NER: names of persons, places, organisations. SST-5:
# how good is a film, in five steps, from one sentence?)
#
# With the error $e = 100 - \text{score}$, the **relative error reduction** is
#
# $$r = \frac{e_\text{baseline} - e_\text{new}}{e_\text{baseline}}.$$

# %% [markdown] key="errors" lang="zh" follows="441a2727"
# ## 3 · 涨了几个点，还是少错了几成？
#
# ELMo 论文报告了六项任务。SNLI 从 88.0 升到 88.7，SQuAD 从 81.1 升到 85.8。想比较它们，就要问*错误*少了几成：SNLI 原有 12.0 的错误，少了 0.7，即 5.8%；SQuAD 原有 18.9，少了 4.7，即 24.9%。
#
# （六项任务分别是。SQuAD：在文章里找出问题的答案；SNLI：一句话能不能由另一句推出；SRL（语义角色标注）：谁对谁做了什么；Coref（共指）：哪些说法指的是同一样东西；NER：人名、地名、机构名；SST-5：从一句影评看褒贬，分五档。）
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
# **What to see.** SST-5 and SRL gain almost the same number of points (3.3 and 3.2), but
# SST-5's bar is more than twice as long: 6.8 % of its errors are gone, against 17.2 %.
# SNLI, often called ELMo's most impressive result, is the smallest gain of the six in
# points and in errors. (For NER the paper prints 2.06 points; its rounded scores give
# 2.07.)
#
# Three things the table still does not say. The gain is over the *authors' own* baseline:
# over the best system before, SNLI gained 0.1, less than the spread of 0.17 that the
# paper gives. "Error" is a plain count for accuracy only; for F1, which weighs what was
# found wrongly and what was missed (lesson 05), it is a manner of speaking. And not every
# error can be removed: where people disagree on 10 % of the answers, no system comes much
# above 90.

# %% [markdown] key="errors-seen" lang="zh" follows="cce82956"
# **看什么。** SST-5 和 SRL 涨的点数几乎一样（3.3 和 3.2），但 SST-5 的条长出一倍还多：前者只少错 6.8%，后者少错 17.2%。常被说成“最亮眼”的 SNLI，无论看点数还是看错误，都是六项里最小的。（NER 一项论文写的是 2.06 个点，用它四舍五入后的得分相减是 2.07。）
#
# 这张表还有三件事没说。第一，涨幅是相对*作者自己的*基线：若与此前最好的系统比，SNLI 只高 0.1，还没有论文给出的波动（0.17）大。第二，只有对准确率，“错误”才是实打实数出来的；F1 把找错的和漏掉的合在一起算（第 05 课），对它只能算一种说法。第三，错误并不都能消除：如果人与人之间有 10% 的答案不一致，哪个系统也很难明显超过 90。

# %% [markdown] key="town" lang="en"
# ## 4 · A floor that is known
#
# How good could a system be at best? In real text nobody knows. So the course brings a
# world in which it *is* known: **Rivertown**, a small town in English and Chinese whose
# every text is drawn from a grammar that we wrote. A bank stands near the bank of the
# river, and we know which is which, because we drew it: parts of speech, senses, names and
# topics are certain. Each lesson can fall back on it, and claims about ideas can be
# proved in it. (Real text decides what an idea is worth; Rivertown says whether we have
# understood it.)
#
# Here is a document. Words with several senses carry theirs in brackets.

# %% [markdown] key="town" lang="zh" follows="e5f383a1"
# ## 4 · 知道底线在哪里
#
# 一个系统最好能好到什么程度？在真实的文本里，谁也不知道。所以课程自带一个*知道*答案的世界：**河湾镇**，一座中英双语的小镇，镇上的每一篇文章都从我们写的语法里抽出来。“打”是打水还是打电话，“黄牛”是耕地的还是倒票的，都是我们抽的，自然一清二楚：词性、义项、人名地名、主题全都确定无疑。没有真实语料时，每一课都可以退到这里；关于某个想法的论断，也可以在这里得到证明。（一个想法值不值钱，要看真实文本；我们懂没懂它，河湾镇说了算。）
#
# 下面是一篇文章。多义词的义项标在方括号里。

# %% key="town-document"
town = rivertown.world(t.language)
document = next(
    d for d in town.documents(tokens=10_000, seed=0) if 5 <= len(d.sentences) <= 8
)
print(t("topic:", "主题："), document.topic, "\n")
for sentence in document.sentences:
    print(" ".join(x.word + (f"[{x.sense}]" if x.sense else "") for x in sentence.tokens))
tokens = sum(len(sentence.tokens) for sentence in document.sentences)
nats = -town.log_probability(document)  # exact: the grammar knows every way to write it
print(f"\n-log P = {nats:.1f}", t("nats,", "奈特，"), t(f"{nats / tokens:.2f} per token", f"每个词 {nats / tokens:.2f}"))  # fmt: skip

# %% [markdown] key="floor" lang="en"
# The grammar also gives the probability of any text. The better a language model, the
# higher the probability of fresh text, and the fewer **nats per token** it pays (a token is
# a word or a mark; a nat is the unit of $-\log P$ with the natural logarithm, as the bit is
# with base 2):
#
# $$\text{loss} = -\frac{1}{N} \log P(w_1 \dots w_N).$$
#
# Its exponential is the **perplexity**: as if the model had to choose among that many
# equally likely words at each step. Nobody can pay less on average than the language's
# own **entropy**, and here the entropy has a closed form. That is the floor.
#
# How near does counting come? An n-gram model predicts a word from the $n - 1$ words
# before it (lesson 01 explains how). All of them may use every word that Rivertown can
# produce, so that no word is counted as "unknown" and had for free.

# %% [markdown] key="floor" lang="zh" follows="4afd8298"
# 语法还能给出任何文本的概率。语言模型越好，给新文本的概率就越高，平均每个词（词语或标点）付出的**奈特**（nat）就越少（$-\log P$ 取自然对数时以奈特为单位，正如以 2 为底时以比特为单位）：
#
# $$\text{损失} = -\frac{1}{N} \log P(w_1 \dots w_N)$$
#
# 对它取指数就是**困惑度**：好像模型每一步都要在这么多个同样可能的词里挑一个。平均而言，谁付出的也不会比语言自身的**熵**更少，而这里的熵可以精确算出来。这就是底线。
#
# 光靠数数能离底线多近？n 元模型用前面 $n - 1$ 个词预测下一个词（第 01 课会讲怎么做）。这里所有模型都允许使用河湾镇可能出现的每一个词，谁也不能把生词记作“未知词”蒙混过去。

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
        "新文本上的困惑度（对数刻度；点线：底线）",
    )
)
course_lib.show(
    figure,
    alt=t(
        "Bars of the perplexity of 1-, 2- and 3-gram models and of the grammar itself; "
        "only the grammar's bar ends at the dotted line of the floor.",
        "一元、二元、三元模型和语法本身的困惑度条形图；只有语法的条恰好到达底线。",
    ),
)

# %% [markdown] key="floor-seen" lang="en"
# **What to see.** Single words leave about a thousand choices, one word of context some
# 130, two some 80 (with the quick profile's fifth of the text: more). The grammar's
# own perplexity is what its entropy says, about 5, up to the luck of this sample. What lies between is what
# a better model could still learn: who the hero is, what the document is about, how the
# long sentences are built. No model can pass the dotted line on fresh text by more than
# that luck; if one does, it has seen the text before, or was let off the rare words.
#
# So an error has two parts: what the model does not know, and what cannot be known. Only
# the first can be removed. In Rivertown we can tell them apart; in real text we cannot.

# %% [markdown] key="floor-seen" lang="zh" follows="00c06c26"
# **看什么。** 只看单个词的频率，相当于每步在一千来个词里挑；看前一个词，剩一百六十来个；看前两个词，剩八十来个（精简规模只用五分之一的文本，数字会更大）。语法自己的困惑度正是熵所定的那么多，不到 5，出入只来自这份样本的运气。两者之间的空当，就是更好的模型还能学的：主人公是谁，文章在讲什么，长句子怎样搭起来。在没见过的文本上，谁也越不过那条点线（运气除外）；要是越过了，那它不是偷看过答案，就是没为生词付账。
#
# 可见误差有两部分：模型还不知道的，和谁也不可能知道的。能消除的只有前者。在河湾镇，两者分得开；在真实文本里，分不开。

# %% [markdown] key="baseline" lang="en"
# ## 5 · Compared with what?
#
# "A classifier finds the sense of *hard* with 80 % accuracy." Is that good? In the
# 4,333 contexts of *hard* in NLTK's Senseval corpus one sense makes up 79.7 %: who always
# names it reads nothing and gets 79.7 %. The **majority baseline** answers with the most
# frequent label of the *training* set; it, too, may not look at the test set.
#
# The rest of this lesson needs real predictions. The next cell takes a classification task that is on your
# machine and says which: TREC's questions (six kinds of answer), or else the sense sentences that ship with the
# course. (With these, "always the same of 29 senses" is too easy a baseline, because the sentence gives the word
# away; each word's most frequent sense is right in 44 % of its sentences, on average over the words. A baseline
# should use what is free.)

# %% [markdown] key="baseline" lang="zh" follows="b52335b3"
# ## 5 · 跟什么比？
#
# “某分类器判断 *hard* 的义项，准确率 80%。”算好吗？NLTK 的 Senseval 语料里有 4,333 个含 *hard* 的句子，其中一种义项就占 79.7%：什么都不读，总猜它，也有 79.7%。**多数类基线**总是回答*训练集*里最常见的标签；它和别的系统一样，不许看测试集。
#
# 后面要用到真实的预测。下面这格会找一个你机器上有的分类任务，并告诉你是哪个：外卖评论的好评与差评；没有的话，就用课程附带的义项例句。（用例句时，“三十来个义项里总猜同一个”这条基线太容易超过了，因为是哪个词，句子里明摆着；改成“总猜这个词最常见的义项”，各词平均就有 43%。白给的信息，基线也该用上。）


# %% key="task"
def shuffled_split(examples, test_share):
    """Return two parts of the examples, (text, label) pairs, each only once."""
    examples = list(dict.fromkeys(examples))
    order = np.random.default_rng(0).permutation(len(examples))
    cut = round(len(examples) * (1 - test_share))
    return [examples[i] for i in order[:cut]], [examples[i] for i in order[cut:]]


def sense_task(language):
    """Return the sense sentences as (text, word and sense), two thirds for training."""
    sentences = data.senses(language)
    examples = [(" ".join(s.tokens), f"{s.word} = {s.sense}") for s in sentences]
    return shuffled_split(examples, test_share=1 / 3)


def task_at_hand(language):
    """Return the name and the training and test pairs of a task on this machine."""
    name, words = {"en": "qc", "zh": "waimai"}[language], TOKENISERS[language]
    if not data.at_hand(name):
        return f"senses-{language}", sense_task(language)
    task = data.load(name)
    parts = [
        [(" ".join(words(e.text)), e.label) for e in task.split(part)]
        for part in task.splits
    ]
    return name, parts if len(parts) == 2 else shuffled_split(parts[0], 1 / 12)


name, (train, test) = task_at_hand(t.language)
gold = np.array([label for _, label in test])
print(t("task in this run:", "本次所用任务："), name, len(train), "+", len(test))
for example, label in test[:3]:
    print(f"  {label:8s} {example[:70]}")
(majority, _), *_ = Counter(label for _, label in train).most_common(1)
baseline = (gold == majority).mean()
print(t(f"always “{majority}”: {baseline:.1%}", f"总猜“{majority}”：{baseline:.1%}"))

# %% [markdown] key="interval" lang="en"
# ## 6 · How sure are we?
#
# System A counts single words, system B counts words and pairs of neighbouring words.
# Both are logistic regressions on TF-IDF weights, with the same settings. Is B better?
#
# **TF-IDF** weighs a word of a text by how often it stands there (term frequency, by its
# logarithm) times its idf (section 2): high for what is frequent here and rare elsewhere.

# %% [markdown] key="interval" lang="zh" follows="21ac5e81"
# ## 6 · 有多大把握？
#
# 系统 A 只数单个的词，系统 B 既数词也数相邻的两个词。两者都是在 TF-IDF 上做逻辑回归，设置相同。B 更好吗？
#
# **TF-IDF** 给一段文本里的每个词一个权重：它在这里出现得多不多（词频，取对数），乘以它的 idf（第 2 节）；这里常见、别处少见的词，权重就高。


# %% key="two-systems"
def linear_model(classifier, longest=1):
    """Return a classifier of texts by their words, or groups of up to `longest`."""
    counter = TfidfVectorizer(
        tokenizer=str.split,
        token_pattern=None,
        ngram_range=(1, longest),
        sublinear_tf=True,
    )
    return make_pipeline(counter, classifier)


right = {}
for system, longest in tqdm((("A", 1), ("B", 2)), file=sys.stdout):
    model = linear_model(LogisticRegression(C=10, max_iter=1_000), longest)
    model.fit(*zip(*train, strict=True))
    right[system] = model.predict([text for text, _ in test]) == gold  # (N,) bool
for system, hits in right.items():
    print(system, f"{hits.mean():.1%}")
only_a, only_b = right["A"] & ~right["B"], right["B"] & ~right["A"]
print(t("both right:", "都对："), (right["A"] & right["B"]).sum())
print(t("both wrong:", "都错："), (~right["A"] & ~right["B"]).sum())
print(t("only A right:", "只有 A 对："), only_a.sum())
print(t("only B right:", "只有 B 对："), only_b.sum())

# %% [markdown] key="bootstrap" lang="en"
# Only the examples on which exactly one of them is right tell them apart. With
# $a_i, b_i \in \{0, 1\}$ for wrong and right, the difference of the accuracies is the
# mean of $d_i = b_i - a_i$:
#
# $$\bar d = \frac{1}{n}\sum_{i=1}^{n} d_i,$$
#
# and with the standard deviation $s_d$ of the $d_i$ a 95 % interval reaches about
# $1.96\, s_d / \sqrt n$ to either side.
#
# Another test set of the same kind would have given another $\bar d$. We have no other,
# so we draw one from ours: $n$ examples *with replacement*, ten thousand times, and look
# at the middle 95 % of the means. That is the **paired bootstrap** (Koehn 2004): each
# draw takes an example with *both* its results.

# %% [markdown] key="bootstrap" lang="zh" follows="92128097"
# 能分出高下的，只有恰好一方答对的那些样本。用 $a_i, b_i \in \{0, 1\}$ 表示错与对，准确率之差就是 $d_i = b_i - a_i$ 的平均：
#
# $$\bar d = \frac{1}{n}\sum_{i=1}^{n} d_i$$
#
# 设 $d_i$ 的标准差为 $s_d$，95% 区间大约是左右各 $1.96\, s_d / \sqrt n$。
#
# 换一份同类的测试集，$\bar d$ 就会变。我们没有第二份，那就从手头这份里*有放回*地抽 $n$ 个样本，抽一万次，看这一万个平均值中间的 95% 落在哪里。这就是**配对自助法**（paired bootstrap，Koehn 2004）：每抽到一个样本，*两个*系统在它上面的结果一起取。

# %% key="bootstrap-code"
course_lib.source(statistics.paired_bootstrap, statistics.resample)

# %% key="bootstrap-figure" fold=true
d = right["B"].astype(float) - right["A"]  # (N,)
n = len(d)
found = statistics.paired_bootstrap(right["A"], right["B"])
draws = statistics.resample(lambda rows: d[rows].mean(), n, times=10_000)
figure, (left, side) = plt.subplots(1, 2, figsize=(9.0, 3.6))
steps = np.arange(round(n * draws.min()), round(n * draws.max()) + 2) - 0.5
left.hist(100 * draws, bins=100 * steps / n, color="C5")
left.axvline(0, color="black", linestyle=":")
for end in (found.low, found.high):
    left.axvline(100 * end, color="C4")
left.set_xlabel(t("B − A in a resample, points", "重抽样中的 B − A（百分点）"))
left.set_ylabel(t("resamples", "次数"))
sizes = np.geomspace(100, 100_000, 50)
apart = np.sqrt(right["A"].var() + right["B"].var())
half = {
    t("separate examples", "各用各的样本"): 1.96 * apart,
    t("same examples (paired)", "同一批样本（配对）"): 1.96 * d.std(),
}
for (label, width), style in zip(half.items(), ("--", "-"), strict=True):
    side.loglog(sizes, 100 * width / np.sqrt(sizes), style, label=label)
side.axhline(0.7, color="black", linestyle=":")
side.text(110, 0.76, t("SNLI's 0.7 points", "SNLI 的 0.7 个点"))
side.plot(n, 50 * (found.high - found.low), "o", color="C4")
side.set_xticks([100, 1_000, 10_000, 100_000], ["100", "1,000", "10,000", "100,000"])
side.set_yticks([0.2, 0.5, 1, 2, 5, 10], ["0.2", "0.5", "1", "2", "5", "10"])
side.minorticks_off()
side.set_xlabel(t("examples in the test set", "测试集样本数"))
side.set_ylabel(t("half-width of the interval, points", "区间半宽（百分点）"))
side.legend(loc="upper right")
enough = (1.96 * d.std() / 0.007) ** 2
course_lib.show(
    figure,
    alt=t(
        f"Left: histogram of B − A over resamples; its middle 95 % reach from "
        f"{found.low:+.1%} to {found.high:+.1%}. Right: the half-width of the interval "
        f"falls with the square root of the size; 0.7 points need {enough:,.0f} examples.",
        f"左：重抽样得到的 B − A 直方图，中间 95% 从 {found.low:+.1%} 到 {found.high:+.1%}。"
        f"右：区间半宽随样本数的平方根下降，要看清 0.7 点约需 {enough:,.0f} 个样本。",
    ),
)
print(f"B - A = {found:+.1%}, n = {n}")
print(
    t("examples needed to see 0.7 points:", "看清 0.7 点所需的样本数："), round(enough)
)

# %% [markdown] key="bootstrap-seen" lang="en"
# **What to see.** Left: if the two solid lines stand on both sides of 0, this test
# set cannot tell which system is better; if both stand on one side but one is close to
# 0, the size of the gain is still open. Right: four times the examples halve the
# interval, and pairing saves examples because a hard example is hard for both systems.
# The round mark is this test set. The dotted line meets the paired one at the number
# printed under the figure. On a test set of 500 a gain of 0.7 points would drown; SNLI's
# has about 10,000 pairs.
#
# **Significantly.** In this course a difference is *significant* if chance alone would seldom
# make one this large: if there were in truth no difference, less than once in twenty times.
# For a single comparison that comes to a 95 % interval that does not hold 0. Three
# warnings belong to the word:
#
# * It says nothing about size. With enough examples a tenth of a point is significant and
#   matters to nobody. So say beforehand from which size on a difference would matter to you.
# * *Not significant* means "cannot be told", not "equal". Say how large a difference you
#   would have found; a larger one is then unlikely, a smaller one is still possible.
# * Who compares twenty pairs of equal systems finds one "significant" difference, on average.
#   Whoever asks many questions at once must ask more of each (for example by Holm's
#   correction).
#
# This interval answers one question only: *what if the test set had been another?* What if
# the training set or the random seed had been another, it does not know. For that one
# trains again, as the learning curves below do. On the claim cards it is the *seeds* over
# which a difference is significant or not.

# %% [markdown] key="bootstrap-seen" lang="zh" follows="c784d503"
# **看什么。** 左图：如果两条竖实线分居 0 的两侧，这份测试集就判断不了谁更好；如果都在同一侧、其中一条却紧挨着 0，那么提高了多少仍然说不准。右图：样本多到四倍，区间窄一半；配对之所以省样本，是因为难的样本对两个系统都难。圆点是这份测试集。横着的点线是 0.7 点，它与实线（配对）相交处，就是看清这么小的差所需的样本数，印在图下。测试集若只有 500 个样本，0.7 点会被淹没；SNLI 的测试集约有 10,000 对句子。
#
# **显著**这个词，本课程只在一种意思上用：假如两边其实一样好，光凭运气，二十次里还不到一次会差出这么多。只作一次比较时，这等于说 95% 区间不含 0。用这个词要记住三点：
#
# * 显著不等于大。样本足够多，差 0.1 个点也能显著，却谁也不在乎。所以要事先说好：差多少才算数。
# * 不显著是“看不出”，不是“一样”。还应当交代：差多少就能查出来。比这更大的差，多半没有；更小的，仍有可能。
# * 拿二十对一样好的系统来比，平均会比出一个“显著”。一次问的问题多了，每个问题的要求就得提高（比如用 Holm 校正）。
#
# 上面这个区间只回答一个问题：*换一份测试集会怎样*？至于换一份训练集、换一个随机种子会怎样，它并不知道。那得重新训练，下面的学习曲线就是这么做的。论断卡上说显著不显著，看的是换*种子*。

# %% [markdown] key="share" lang="en"
# ## 7 · "90 % of full performance with a fifth of the labels"
#
# Popular accounts of ELMo say that with 10 to 20 % of the labels it reaches 80 to 90 % of
# its full performance. If $s(n)$ is the score with $n$ labels and $N$ all of them, the
# statistic is
#
# $$q(f) = \frac{s(fN)}{s(N)}.$$
#
# Before one admires a number, one asks what a system *without* the new idea gets. Here is
# a linear support vector machine on TF-IDF weights: nothing pre-trained, nothing tuned.

# %% [markdown] key="share" lang="zh" follows="028dec66"
# ## 7 · “只用五分之一的标注，就达到全量性能的 90%”
#
# 不少文章说，ELMo 用 10%～20% 的标注就能达到全量性能的 80%～90%。记 $s(n)$ 为用 $n$ 条标注的得分，$N$ 为全部标注数，这个指标就是
#
# $$q(f) = \frac{s(fN)}{s(N)}$$
#
# 在赞叹一个数字之前，先问问*没有*这个新想法的系统能得多少。这里用 TF-IDF 加线性支持向量机：没有任何预训练，也没有调参。

# %% key="curves"
FRACTIONS = np.array([0.1, 0.2, 0.4, 0.7, 1.0])


def learning_curve(train, test, seeds):
    """Return the accuracy with a share of the labels. Shape: (seeds, fractions)."""
    texts, gold = zip(*test, strict=True)
    found = np.empty((seeds, len(FRACTIONS)))
    for seed in tqdm(range(seeds), file=sys.stdout):
        order = np.random.default_rng(seed).permutation(len(train))
        for column, fraction in enumerate(FRACTIONS):
            some = [train[i] for i in order[: round(fraction * len(train))]]
            model = linear_model(LinearSVC()).fit(*zip(*some, strict=True))
            found[seed, column] = (model.predict(texts) == np.array(gold)).mean()
    return found


tasks = {name: (train, test), f"senses-{t.language}": sense_task(t.language)}
seeds = course_lib.by_profile(5, 2)
curves = {key: learning_curve(*task, seeds) for key, task in tasks.items()}
shares = []
for key, (some, others) in tasks.items():
    most = Counter(label for _, label in some).most_common(1)[0][0]
    floor = np.mean([label == most for _, label in others])
    mean = curves[key].mean(axis=0)
    shares.append([floor / mean[-1], *(mean[:2] / mean[-1])])

# %% key="curves-figure" fold=true
figure, (left, side) = plt.subplots(1, 2, figsize=(9.0, 3.6))
for (key, curve), marker in zip(curves.items(), "os", strict=False):
    mean, spread = curve.mean(axis=0), curve.std(axis=0)
    left.errorbar(100 * FRACTIONS, 100 * mean, 100 * spread, marker=marker, label=key)
left.set_xscale("log")
left.set_xticks(100 * FRACTIONS, [f"{100 * f:.0f}" for f in FRACTIONS])
left.minorticks_off()
left.set_xlabel(t("labels, % of all", "标注量（占全部的 %）"))
left.set_ylabel(t("accuracy, %", "准确率（%）"))
left.set_ylim(0, 100)
left.legend(loc="lower right")
kinds = [t("none", "无"), "10 %", "20 %"]
for k, (key, values) in enumerate(zip(tasks, shares, strict=True)):
    bars = side.bar(np.arange(3) + 0.4 * k, 100 * np.array(values), 0.38, label=key)
    side.bar_label(bars, fmt="%.0f", padding=2)
side.axhspan(80, 90, color="grey", alpha=0.3)
side.set_xticks(np.arange(3) + 0.2 * (len(tasks) - 1), kinds)
side.set_xlabel(t("labels used", "所用标注"))
side.set_ylabel(t("share of full accuracy, %", "占全量准确率的比例（%）"))
side.set_ylim(0, 110)
course_lib.show(
    figure,
    alt=t(
        f"Left: learning curves of a linear classifier. Right: on {name} it reaches "
        f"{shares[0][1]:.0%} of its full accuracy with 10 % of the labels and "
        f"{shares[0][2]:.0%} with 20 %; the majority baseline has {shares[0][0]:.0%}.",
        f"左：线性分类器的学习曲线。右：在 {name} 上用 10% 的标注达到全量准确率的 "
        f"{shares[0][1]:.0%}，用 20% 达到 {shares[0][2]:.0%}；多数类基线就有 "
        f"{shares[0][0]:.0%}。",
    ),
)

# %% [markdown] key="share-seen" lang="en"
# **What to see.** The grey band is the "80 to 90 %" of the claim. Where many labels are
# at hand (TREC has 5,452) a classifier without pre-training is in it or above it, close
# to 90 %. With 600 sentences for 29 senses it is below. So the statistic follows the
# task, the number of labels and the majority baseline (the bar "none": a system that has
# learned nothing). Worst of all, it prefers the poorer system: one that goes from 50 to
# 56 has a share of 89 %, one that goes from 70 to 90 only 78 %, and the second is better
# with few labels and with many.

# %% [markdown] key="share-seen" lang="zh" follows="c941b26a"
# **看什么。** 灰带就是那句话里的“80%～90%”。标注多的任务（外卖评论有一万多条），没有预训练的分类器就已经在灰带里甚至更高；英文的 TREC-6（5,452 个问句）上，同样的做法也接近 90%。而六百来句、二三十个义项的任务就到不了。可见这个指标跟着任务、标注总数和多数类基线走（看“无”那一组：什么都没学的系统）。最糟的是，它偏爱差的系统：从 50 涨到 56 的，比例是 89%；从 70 涨到 90 的，只有 78%，可后者无论标注多少都更好。

# %% [markdown] key="multiplier" lang="en"
# ## 8 · The data multiplier
#
# Ask instead how many labels the idea *saves*. ELMo's paper: semantic role labelling with
# ELMo and 1 % of the labels does as well as the baseline with 10 %. At that score one
# label replaces ten. In general, with $n(s)$ the number of labels with which a system
# reaches the score $s$,
#
# $$m(s) = \frac{n_\text{baseline}(s)}{n_\text{pre-trained}(s)}.$$
#
# A curve is measured at a few points only; between them we go straight along the
# logarithm of $n$, outside them we say nothing (`nan`).

# %% [markdown] key="multiplier" lang="zh" follows="0c817072"
# ## 8 · 数据倍数
#
# 换个问法：这个想法*省下*了多少标注？ELMo 论文里，语义角色标注用上 ELMo 之后，1% 的标注抵得上基线的 10%。在那个分数上，一条顶十条。一般地，记 $n(s)$ 为某系统达到分数 $s$ 所需的标注数，
#
# $$m(s) = \frac{n_\text{基线}(s)}{n_\text{预训练}(s)}$$
#
# 曲线只在几个点上测过：点与点之间沿 $n$ 的对数走直线，测量范围之外不作回答（`nan`）。

# %% key="multiplier-code"
course_lib.source(statistics.labels_needed, statistics.data_multiplier)

# %% [markdown] key="multiplier-run" lang="en"
# Now one of our own, on the thread of the course. The task: name the sense of a word from
# $k$ labelled sentences a sense, by the nearest mean. The baseline knows the words of the
# labelled sentences and nothing else (but for the idf weights, which are counted in all the
# sentences). The "pre-trained" system has the averaged count
# vectors of section 2, which have seen text without labels. Which sentences are labelled
# is drawn anew with each seed, the same for both.

# %% [markdown] key="multiplier-run" lang="zh" follows="8e252310"
# 现在沿着本课的线索自己算一个。任务：每个义项只给 $k$ 个标注句，按“离哪个义项的均值最近”来判断义项。基线只认识标注句里的词，别的一概不知（只有 idf 权重是在全部例句上数的）；“预训练”的一方用第 2 节的平均计数向量，它读过没有标注的文本。每个种子重新抽取哪些句子有标注，两边抽到的一样。

# %% key="few-labels"
PER_SENSE = [1, 2, 4, 8, 16]


def few_labels(x, labels, k, rng):
    """Return the accuracy of the nearest mean of k labelled rows a sense. x: (N, D)"""
    names = np.unique(labels)
    known = [rng.permutation(np.flatnonzero(labels == s))[:k] for s in names]
    means = senses.unit([x[rows].mean(axis=0) for rows in known])  # (S, D)
    rest = np.setdiff1d(np.arange(len(x)), np.concatenate(known))
    return (names[(x[rest] @ means.T).argmax(axis=1)] == labels[rest]).mean()


def curve_over_words(x, seeds):
    """Return accuracies averaged over all words. Shape: (seeds, counts)."""
    x, found = senses.unit(x), np.zeros((seeds, len(PER_SENSE)))
    words = np.array([s.word for s in annotated])
    labels = np.array([s.sense for s in annotated])
    for word in np.unique(words):
        here = words == word
        for seed, column in np.ndindex(found.shape):
            k, rng = PER_SENSE[column], np.random.default_rng(seed)
            found[seed, column] += few_labels(x[here], labels[here], k, rng)
    return found / len(np.unique(words))


others = [
    s.tokens[: s.target_index] + s.tokens[s.target_index + 1 :] for s in annotated
]
bags = TfidfVectorizer(analyzer=list, sublinear_tf=True).fit_transform(others).toarray()
seeds = course_lib.by_profile(20, 5)
plain, pretrained = curve_over_words(bags, seeds), curve_over_words(contexts, seeds)


def multiplier(rows):
    """Return the multiplier for some of the seeds, at the top score both reach."""
    a, b = plain[rows].mean(axis=0), pretrained[rows].mean(axis=0)
    return statistics.data_multiplier(PER_SENSE, a, b, min(a.max(), b.max()))


draws = statistics.resample(multiplier, seeds, times=1_000)
m = statistics.interval(multiplier(np.arange(seeds)), draws)

# %% key="multiplier-figure" fold=true
figure, ax = plt.subplots()
own = t("words of the labelled sentences", "只认标注句里的词")
counted = t("count vectors from unlabelled text", "来自无标注文本的计数向量")
systems = {own: (plain, "o--"), counted: (pretrained, "s-")}
for label, (scores, style) in systems.items():
    ax.plot(PER_SENSE, 100 * scores.mean(axis=0), style, label=label)
ends = plain.mean(axis=0), pretrained.mean(axis=0)
target = min(end.max() for end in ends)
needed = [statistics.labels_needed(PER_SENSE, end, target) for end in ends]
ax.plot(needed, [100 * target] * 2, color="black", marker="|", linewidth=1)
ax.text(min(needed), 100 * target + 0.4, f"× {m:.1f}  ", ha="right")
floor = senses.macro(senses.by_word(contexts, annotated))["majority"]
ax.axhline(100 * floor, color="black", linestyle=":")
ax.set_xscale("log", base=2)
ax.set_xticks(PER_SENSE, PER_SENSE)
ax.set_xlabel(t("labelled sentences a sense", "每个义项的标注句数"))
ax.set_ylabel(t("sense accuracy, % (mean of words)", "义项准确率（%，各词平均）"))
ax.legend(loc="upper left")
course_lib.show(
    figure,
    alt=t(
        f"Two learning curves over 1 to 16 labelled sentences a sense; at {target:.1%} "
        f"accuracy they are a factor of {m:.1f} apart.",
        f"两条学习曲线，每个义项 1 到 16 个标注句；在准确率 {target:.1%} 处相差 {m:.1f} 倍。",
    ),
)
place = t(f"data multiplier at {target:.1%}:", f"准确率 {target:.1%} 处的数据倍数：")
print(place, f"{m:.1f}")

# %% [markdown] key="multiplier-seen" lang="en"
# **What to see.** The black line is as long as the saving: at its right end one system
# needs that many labels, at its left end the other that few; dotted: each word's most
# frequent sense. A multiplier of 1 says
# that reading unlabelled text was worth nothing, below 1 that it did harm. What you got
# depends on what was read: a million words of general prose (Brown) replace most of the
# labels, a quarter of them (the quick profile) or the small generated town that ships
# with the course far fewer. The interval counts the luck of which sentences were
# labelled, nothing else: other words may give another multiplier.

# %% [markdown] key="multiplier-seen" lang="zh" follows="a7f553e3"
# **看什么。** 黑线有多长，就省了多少：右端是一方所需的标注数，左端是另一方所需的；点线是总猜各词最常见的义项。倍数等于 1，说明读无标注文本没有用；小于 1，说明有害。你得到的数取决于读了什么：同样的做法，读一百多万词的新闻（MSRA）能省下大半标注，只读其中三十万词（精简规模），或者只读课程附带的、自动生成的小镇文本，就省不了多少，甚至帮倒忙。区间只计入“抽到哪些句子来标注”的运气：换一批词，倍数就可能不同。

# %% [markdown] key="card" lang="en"
# ## 9 · A claim card
#
# Each lesson tests what is said about its subject on cards like these. What the paper
# measured and what we measure stand in separate columns and are never averaged or
# subtracted: the models and the data differ by factors of hundreds. For the same reason a
# card asks two questions and has a verdict for each.
#
# **As told:** is the sentence what its source says? Papers and exact facts decide, no run of
# ours: *right*, *imprecise* (partly so), *false*, or an *opinion*, which no measurement could
# decide.
#
# **In our runs:** what came out here? An effect is measured in one task or several, mostly
# with ten seeds, and one rule decides for all cards:
#
# | | |
# |---|---|
# | reproduced | significantly as claimed in more than half of the tasks, the other way in none |
# | contradicted | significantly the other way in more than half of the tasks, as claimed in none; or shown to be too small to matter |
# | mixed | as claimed in some of the tasks but not in more than half, or some each way |
# | cannot tell | none of these: more seeds, or larger models, might show either |
# | not tried | nothing was measured, or the models learned nothing in any task |
#
# From which size on an effect would matter stands on the card: half of the paper's, if it has
# one. A null result never speaks against a claim; where an effect was not found, the card says
# how large it would have had to be.
#
# The two verdicts need not agree. A paper is not wrong because our model is small, and a
# sentence that stands in no paper may come out here all the same. The two cards below rest on
# papers and arithmetic, so they have only the first verdict. The cards of all lessons: the
# book's claims page, or `python -m course_lib claims list`.

# %% [markdown] key="card" lang="zh" follows="dadbea78"
# ## 9 · 论断卡
#
# 每一课都用这样的卡片检验关于本课内容的各种说法。论文测得的和我们测得的分列两栏，绝不放在一起取平均或相减：两边的模型和数据相差几百倍。也正因为如此，一张卡片问两个问题，各有各的结论。
#
# **转述：** 这句话和它所依据的原文相符吗？只看论文和确凿的事实，不看我们的实验。结论是“属实”“不够准确”“不属实”，或者“见仁见智”，也就是没有哪种测量能定夺。
#
# **我们的实验：** 在我们这里测出了什么？一个效应在一个或几个任务上测，大多用十个种子；所有卡片都按同一条规则下结论：
#
# | | |
# |---|---|
# | 重现了 | 过半的任务显著地如论断所说，没有一个任务显著相反 |
# | 相反 | 过半的任务显著地与论断相反，没有一个如它所说；或者能证明效应小到不算数 |
# | 有正有反 | 有的任务如论断所说，但没有过半；或者两个方向都有 |
# | 看不出 | 以上都不是：种子再多些，模型再大些，往哪边偏都有可能 |
# | 没有测 | 没有测，或者哪个任务上都没学到东西 |
#
# 效应多大才算数，写在卡片上：论文有数的，取它的一半。没查出差别，从来不算反驳；这时卡片会交代，多大的效应才查得出来。
#
# 两个结论不必一致：我们的模型小，不能说论文就错了；哪篇论文里都没有的话，在我们这里也可能成立。下面两张卡片靠的是论文和算术，所以只有第一个结论。各课的卡片都在网页书的“论断”一页，也可以用 `python -m course_lib claims list` 列出来。


# %% key="card-show" fold=true
heads = t("labels: none", "标注：无"), "10 %", "20 %"
here = [  # what section 7 measured, a row for each task
    {t("task", "任务"): key, **dict(zip(heads, map("{:.0%}".format, values)))}
    for key, values in zip(tasks, shares, strict=True)
]
claims.card("share-of-full-performance").show(t, here)
claims.card("over-the-best").show(t)

# %% [markdown] key="work" lang="en"
# ## 10 · How to work with the course
#
# **Run and change.** Run the cells in order (Shift-Enter). Change numbers, run again, and
# say beforehand what you expect. Cells show the library's own code; nothing is hidden.
#
# **Two profiles.** With `COURSE_PROFILE=quick make lab` each lesson takes a minute at most
# and measures with fewer tokens and seeds; without it, up to five minutes. Read numbers
# from the full profile.
#
# **After a restart** of the kernel, or the next day: click into the section where you want
# to go on and choose *Run ▸ Run All Above Selected Cell*. What the section needs is
# computed again from the same seeds; with the quick profile that is a minute at most.
# Where a lesson trains for a set time, the last digits may change. Models that ship,
# corpora, and vectors that a lesson once computed and kept on disk are only read.
#
# **Exercises** are in the folder `exercises/`, one notebook a lesson; 00 has a warm-up on
# what you have just read. After `from course_lib.grading import check`, a line such as
# `check("00.error_reduction", my_function)` answers at once, offline, and names the
# mistake if it is a common one.
#
# **Real corpora.** `data.load("brown")` downloads a corpus once, checks it and keeps it;
# lessons then use it by themselves. To keep corpora in a folder of your own, set
# `COURSE_DATA` (and `NLTK_DATA` for NLTK's) before `make lab`. `data.available()` lists
# sizes and terms of use.
#
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

# %% [markdown] key="work" lang="zh" follows="bd42de70"
# ## 10 · 怎样使用这门课
#
# **运行，改动。** 按顺序运行各格（Shift-Enter）。改几个数再运行一遍，动手前先说出你的预期。格子里显示的就是程序库本身的代码，没有藏起来的东西。
#
# **两种规模。** 用 `COURSE_PROFILE=quick make lab` 启动，每课最多一分钟，用的词和种子都少一些；不加则每课最多五分钟。要引用数字，请以完整规模为准。
#
# **重启之后**，或者第二天接着学：点进想继续的那一节，选 *Run ▸ Run All Above Selected Cell*（运行上方所有格）。前面的东西会用同样的种子重算一遍，精简规模下最多一分钟；有的课按时间训练，末几位数字可能略有出入。随课附带的模型、下载过的语料、存在磁盘上的特征都直接读取，不会重算。
#
# **练习**在 `exercises/` 文件夹里，一课一个；00 课有一份热身题，内容就是刚读过的这些。先写 `from course_lib.grading import check`，再写一行 `check("00.error_reduction", 你的函数)`，不联网也能立刻得到回答；如果是常见错误，还会指出错在哪里。
#
# **真实语料。** `data.load("waimai")` 会下载一份语料，校验后存好，只下载一次；以后各课会自动用上。想把语料放在自己的文件夹里，就在 `make lab` 之前设置 `COURSE_DATA`（NLTK 的语料另设 `NLTK_DATA`）。`data.available()` 列出各语料的大小和使用条款。
#
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
# Right. 4.7 of 18.9 is 24.9 %. Always ask two things of a percentage: of what, and
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
# **2.** System B is 1.2 points better than system A, with a 95 % interval of [−0.4,
# 2.8] from the paired bootstrap. What do you conclude?
#
# <details><summary>A. B is better: most of the interval lies above 0.</summary>
#
# Not quite: a small gain and a small loss are both compatible with these examples. The
# rule "whatever is mostly above 0 counts" would crown many a lucky system.
#
# </details>
#
# <details><summary>B. A and B are equally good.</summary>
#
# Not quite: not knowing a difference is not knowing that there is none: a gain of 2
# points lies in the interval, too.
#
# </details>
#
# <details><summary>C. Trained again with another seed, B would gain between −0.4 and
# 2.8 points.</summary>
#
# Not quite: the interval knows only the luck of the test set. For seeds one has to
# train again.
#
# </details>
#
# <details><summary>D. This test set cannot tell which of them is better.</summary>
#
# Right. The interval holds 0. A larger test set would make it narrower: four times the
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
# <details><summary>A. It was not fair: the text was known, or rare words came
# cheap.</summary>
#
# Right. A number below the floor is the sign of a mistake. Look for shared text first,
# then at what saying `<unk>` costs.
#
# </details>
#
# <details><summary>B. The model has understood the town better than the
# grammar.</summary>
#
# Not quite: the grammar *made* the text. On average nobody can pay less than the
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
#
# ---
#
# **5.** With 1,000 labels a baseline gets 80 % accuracy, its best. A pre-trained model
# has 80 % with 250 labels and goes on to 85 %. What is the data multiplier at 85 %?
#
# <details><summary>A. 4, as at 80 %.</summary>
#
# Not quite: the multiplier belongs to one score. Carrying it on to another is a guess.
#
# </details>
#
# <details><summary>B. Unknown, <code>nan</code>.</summary>
#
# Right. The baseline's curve ends at 80 %, where the multiplier is 1,000 / 250 = 4.
# Beyond the measured range `data_multiplier` says nothing.
#
# </details>
#
# <details><summary>C. Infinite: the baseline never gets there.</summary>
#
# Not quite: with more labels it might. It was not tried, and "not measured" is not
# "never".
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="f615fdea"
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
# 再想想：数算对了，对手认错了。此前最好的是 84.4，从 15.6 的错误里去掉 1.4，约 9%。
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
# 对。差值是 (30 − 24) / 500，即 1.2 个点，全靠这 54 条。配对自助法抽来抽去，变的也只是它们占多少。
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
# 再想想：这个比例偏爱差的系统：终点越低，起点显得越高。
#
# </details>
#
# <details><summary>B. 分不出来，得看两者用的标注占几成。</summary>
#
# 再想想：两者用的标注一样多，数已经摆在那里了：少的时候乙好，多的时候也是乙好。
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
# 再想想：文本就是语法写出来的。平均而言，谁付出的也不会比熵更少。
#
# </details>
#
# <details><summary>B. 比得不公平：见过这份文本，或生词占了便宜。</summary>
#
# 对。低于底线的数，本身就是出错的信号。先查文本有没有重叠，再查生词是不是都记作了 `<unk>`。
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
# 再想想：运气能差一点，差不了这么多：两万词的样本上，语法自己付出的和熵几乎一样。
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
# depends on how many they disagree on: with none it is exactly 0, with 40 % it is wide.
# </details>
#
# <details><summary>3. Why do we draw pairs, and not the two systems' results
# separately?</summary>
#
# Both were tested on the same examples, and a hard one is hard for both. Drawn separately,
# that common part counts as if it were chance, and the interval comes out too wide.
# </details>
#
# <details><summary>4. A pre-trained model has 95 % of its full accuracy with 10 % of the
# labels. What do you ask next?</summary>
#
# What share the same classifier has without pre-training, what the majority baseline has,
# and, better than either: how many labels the baseline needs to reach the same score.
# </details>
#
# <details><summary>5. In the map of section 2 the average of the other words separates most
# sentences. For which must it fail, however good the word vectors are?</summary>
#
# For one that has the word in two senses: in *Before the match he struck a match* both
# occurrences have the same other words, so exactly the same average. Order and nearness
# decide there, and an average knows neither; a language model can.
# </details>

# %% [markdown] key="questions" lang="zh" follows="f7711755"
# ## 想一想
#
# <details><summary>1. 一项任务的准确率从 96 升到 97，另一项从 60 升到 64，哪个提高更大？</summary>
#
# 看点数是后者（4 对 1）；看错误是前者：4 里去掉 1 是 25%，40 里去掉 4 是 10%。要说清用的是哪种算法，比的是哪个基线。
# </details>
#
# <details><summary>2. 系统 A 在某测试集上对了 80%，系统 B 在同一测试集上也对了 80%。它们一样吗？</summary>
#
# 不一定：两者答对的可能是不同的样本。差值的区间有多宽，取决于两者在多少样本上不一致：完全一致时正好是 0，有 40% 不一致时就很宽。
# </details>
#
# <details><summary>3. 为什么要成对地抽，而不是把两个系统的结果分开抽？</summary>
#
# 两个系统是在同一批样本上测的，难的样本对双方都难。分开抽，就把这部分共同的起伏也当成了偶然，区间会偏宽。
# </details>
#
# <details><summary>4. 某预训练模型用 10% 的标注就达到了自己全量准确率的 95%。接下来该问什么？</summary>
#
# 同样的分类器不做预训练，比例是多少；多数类基线是多少；更好的问题是：基线要多少标注才能达到同样的分数。
# </details>
#
# <details><summary>5. 第 2 节的图里，把其他词取平均，大多数句子就分开了。什么样的句子，词向量再好它也必定分不开？</summary>
#
# 同一个词以两种义项出现在一句里，就必定分不开：“他一边啃苹果，一边看苹果的财报”，两个“苹果”的其他词完全相同，平均值也就分毫不差。这里要靠词序和远近来判断，平均值两样都不知道，语言模型却能知道。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Peters et al., *Deep contextualized word representations*, NAACL 2018: tables 1 and 2
#   with section 3 of this lesson in mind, and section 5.4 on sample efficiency.
# * Howard & Ruder, *Universal Language Model Fine-tuning for Text Classification*, ACL
#   2018: figure 3 shows learning curves that can be read as data multipliers.
# * Koehn, *Statistical Significance Tests for Machine Translation Evaluation*, EMNLP 2004:
#   the paired bootstrap in language technology, in eight pages.
# * Berg-Kirkpatrick, Burkett & Klein, *An Empirical Investigation of Statistical
#   Significance in NLP*, EMNLP-CoNLL 2012: how large a gain has to be.
# * Deerwester et al., *Indexing by Latent Semantic Analysis*, JASIS 1990: word vectors by
#   counting.
#
# Then lesson 01, or straight to 06 if you cannot wait for ELMo.

# %% [markdown] key="reading" lang="zh" follows="3e311bb0"
# ## 接下来读什么
#
# * Peters 等，*Deep contextualized word representations*，NAACL 2018：带着本课第 3 节的眼光看表 1、表 2，再看讲样本效率的 5.4 节。
# * Howard 与 Ruder，*Universal Language Model Fine-tuning for Text Classification*，ACL 2018：图 3 的学习曲线可以直接读出数据倍数。
# * Koehn，*Statistical Significance Tests for Machine Translation Evaluation*，EMNLP 2004：配对自助法在语言技术里的用法，短短八页。
# * Berg-Kirkpatrick、Burkett 与 Klein，*An Empirical Investigation of Statistical Significance in NLP*，EMNLP-CoNLL 2012：提高多少才算数。
# * Deerwester 等，*Indexing by Latent Semantic Analysis*，JASIS 1990：靠数数得到词向量。
#
# 然后进入第 01 课；等不及想看 ELMo 的，可以直接去第 06 课。
