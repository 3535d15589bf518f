# %% [markdown] key="title" lang="en"
# # 05 · A language model as an adviser: context2vec and TagLM
#
# After this lesson you can
#
# * compute a vector for the *gap* in a sentence, and find words that fill it;
# * explain why the tags of a sentence should be chosen together, and do it with the forward
#   algorithm and the Viterbi algorithm;
# * build a sequence tagger that reads the states of a frozen language model, joined at one
#   of three places;
# * measure what those states are worth with 1, 10 and 100 % of the labels, against fair controls.
#
# Running time, measured on two cores: two minutes (quick profile: half a minute).
# The papers: Melamud, Goldberger, Dagan, *context2vec*, CoNLL 2016; Peters, Ammar,
# Bhagavatula, Power, *Semi-supervised sequence tagging with bidirectional language models*,
# ACL 2017. The system of the second paper is **TagLM**, a language-model-*augmented sequence
# tagger*.

# %% [markdown] key="title" lang="zh" follows="6c3b56e4"
# # 05 · 请语言模型当顾问：context2vec 与 TagLM
#
# 学完本课，你能够
#
# * 为句子里的一个*空缺*位置计算向量，并找出能填进去的词；
# * 说清一句话的标签为什么要放在一起选，并且会用前向算法和维特比算法来选；
# * 搭一个序列标注器，让它读取冻结的语言模型的状态，接入的位置有三种；
# * 在 1%、10%、100% 的标注下，用公平的对照测出这些状态值多少分。
#
# 在双核电脑上实测两分多钟（精简规模约半分钟）。论文：Melamud、Goldberger、Dagan，*context2vec*，CoNLL 2016；Peters、Ammar、Bhagavatula、Power，*Semi-supervised sequence tagging with bidirectional language models*，ACL 2017。后一篇的系统叫 **TagLM**，意思是“用语言模型*增强的序列标注器*”。

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
from course_claims.experiments import polysemy, taglm
from course_lib import data
from course_lib.analysis import senses
from course_lib.analysis.statistics import paired_bootstrap

_ = torch.manual_seed(5)
annotated = data.senses(t.language)
table = course_lib.load(f"static-{t.language}")  # word vectors, lesson 02

# %% [markdown] key="gap" lang="en"
# ## 1 · The vector of a gap
#
# Lesson 04 ended with a wish for layers that read words *in context* and can be learned without
# labels. Cover a word and read the rest:
#
# > She sat on the ____ and watched the river go by.
# >
# > She went to the ____ and asked for a loan.
#
# Nobody needs to see the covered word to know that these are two different senses of *bank*. So
# let us compute a vector for the gap. The average of the other words' vectors, our baseline
# since lesson 00, is one possibility, but it cannot tell *the dog bit ____* from *____ bit the
# dog*. For that a model has to read the words in order.
#
# A **recurrent neural network** (RNN) reads one word after another and passes a **hidden state**
# $h$ on from word to word. An **LSTM** (long short-term memory) is a recurrent network that also
# carries a **memory cell** $m$. At word $t$, let $z = [x_t; h_{t-1}]$ be the word's vector
# and the last hidden state, laid end to end. From $z$ the LSTM computes an **input gate** $i$, a
# **forget gate** $f$ and an **output gate** $o$, all between 0 and 1, and new content $g$. Each has
# its own weight matrix $W$ and bias $b$, and $\sigma$ is the logistic function:
#
# $$\begin{aligned} i &= \sigma(W_i z + b_i), & f &= \sigma(W_f z + b_f), \\
# o &= \sigma(W_o z + b_o), & g &= \tanh(W_g z + b_g). \end{aligned}$$
#
# The forget gate decides what is kept, the input gate what is added, the output gate what is shown
# ($\odot$ multiplies elementwise):
#
# $$m_t = f \odot m_{t-1} + i \odot g, \qquad h_t = o \odot \tanh(m_t).$$
#
# Where $f = 1$ and $i = 0$, the memory passes a word unchanged, so what was read long ago can be
# kept. Hence $h_t$ may hold anything that was read up to word $t$, and nothing that comes after
# it. (Papers write $c_t$ for the memory cell; we need that letter for the vector of the gap.)
#
# ![In one step of an LSTM the memory runs straight from left to right, multiplied by the forget gate f and increased by input gate i times candidate g, while all four are computed from z = [x; h] and the output gate o shows tanh of the memory as the new state h.](drawing:lstm_cell)
#
# **context2vec** runs one LSTM from the left up to the gap and another from the right down to it,
# which together are called a **bidirectional LSTM** (BiLSTM). A **multilayer perceptron** (MLP),
# here two dense layers with a ReLU between them, joins the two states:
#
# $$c_t = \mathrm{MLP}\big(\,[\,\overrightarrow{\mathrm{LSTM}}(w_1 \dots w_{t-1});\
# \overleftarrow{\mathrm{LSTM}}(w_T \dots w_{t+1})\,]\,\big).$$
#
# The two LSTMs have parameters of their own, and $w_t$ does not occur in the formula. Where should
# $c_t$ lie? It should be near the vector $u$ of the word that stood in the gap, and far from those of
# $k$ words drawn at random. This is skip-gram's **negative sampling** loss (lesson 02), with a
# whole sentence in the place of one word:
#
# $$-\log\sigma(c_t \cdot u_{w_t}) - \sum_{i=1}^{k}\log\sigma(-c_t \cdot u_{n_i}),
# \qquad n_i \sim p(n) \propto \mathrm{count}(n)^{3/4}.$$
#
# Contexts and words then live in *one* space, in which the words nearest to a gap are those that
# could fill it. Learning of this kind, with the text itself as the answer, is **self-supervised**.
#
# ![One LSTM reads from the left up to the gap, another from the right down to it; an MLP joins their two states into the gap's vector c, which is pulled near the vector of the word that stood there and pushed away from those of k = 10 words drawn at random.](drawing:context2vec)

# %% [markdown] key="gap" lang="zh" follows="e1f2c1e3"
# ## 1 · 空缺的向量
#
# 第 04 课结束时留下一个愿望：有一些层，能把词放在*上下文里*读，而且不用标注就能学会。先把一个词盖住，读剩下的部分：
#
# > 她 削 了 一个 ____ 给 孩子 吃 。
# >
# > ____ 发布 了 一款 新手机 。
#
# 不用看被盖住的词，就知道这两个“苹果”不是一回事。我们就为这个空缺位置计算一个向量。把其他词的向量平均一下，是第 00 课以来的基线，可是平均不管次序，“猫 追 \_\_\_\_”和“\_\_\_\_ 追 猫”在它眼里一样。要分清这两句，模型就得按次序读。
#
# **循环神经网络**（RNN）一个词一个词地读，并把一个**隐状态** $h$ 从前一个词传到后一个词。**LSTM**（长短期记忆网络）是一种循环神经网络，它还带着一个**记忆单元** $m$。读到第 $t$ 个词时，把词的向量 $x_t$ 和上一步的隐状态首尾相接，记作 $z = [x_t; h_{t-1}]$。由 $z$ 算出取值在 0 到 1 之间的**输入门** $i$、**遗忘门** $f$ 和**输出门** $o$，以及一份新内容 $g$，它们各有自己的权重矩阵 $W$ 和偏置 $b$，$\sigma$ 是 logistic 函数：
#
# $$\begin{aligned} i &= \sigma(W_i z + b_i), & f &= \sigma(W_f z + b_f), \\
# o &= \sigma(W_o z + b_o), & g &= \tanh(W_g z + b_g) \end{aligned}$$
#
# 遗忘门决定保留什么，输入门决定添加什么，输出门决定露出什么（$\odot$ 是逐元素相乘）：
#
# $$m_t = f \odot m_{t-1} + i \odot g, \qquad h_t = o \odot \tanh(m_t)$$
#
# 如果在某一处 $f = 1$、$i = 0$，记忆就原样越过这个词，很早读到的东西也能一直留着。所以 $h_t$ 里可以有读到第 $t$ 个词为止的一切内容，而后面的内容一点也没有。（论文里记忆单元写作 $c_t$，我们要把这个字母留给空缺的向量。）
#
# ![LSTM 的一步：记忆从左到右笔直穿过，只乘上遗忘门 f，再加上输入门 i 与候选内容 g 的乘积；三个门和 g 都由 z = [x; h] 算出，输出门 o 让 tanh(m) 露出来，成为新的状态 h。](drawing:lstm_cell)
#
# **context2vec** 用一个 LSTM 从左边读到空缺为止，另一个从右边读到空缺为止，两者合称**双向 LSTM**（BiLSTM）；再用一个**多层感知机**（MLP，这里是两个全连接层，中间一个 ReLU）把两个状态合起来：
#
# $$c_t = \mathrm{MLP}\big(\,[\,\overrightarrow{\mathrm{LSTM}}(w_1 \dots w_{t-1});\
# \overleftarrow{\mathrm{LSTM}}(w_T \dots w_{t+1})\,]\,\big)$$
#
# 两个 LSTM 的参数互相独立，而且公式里没有 $w_t$。那么 $c_t$ 应该落在哪里？它应当靠近原来站在空缺里的那个词的向量 $u$，远离随机抽来的 $k$ 个词。这就是 skip-gram 的**负采样**损失（第 02 课），只不过 skip-gram 拿一个词去预测，这里拿整句话去预测：
#
# $$-\log\sigma(c_t \cdot u_{w_t}) - \sum_{i=1}^{k}\log\sigma(-c_t \cdot u_{n_i}),
# \qquad n_i \sim p(n) \propto \mathrm{count}(n)^{3/4}$$
#
# 于是上下文和词处在*同一个*空间里，离空缺最近的词，就是能填进去的词。像这样让文本自己充当答案的学习，叫作**自监督**学习。
#
# ![一个 LSTM 从左边读到空缺为止，另一个从右边读到空缺为止；MLP 把两个状态合成空缺的向量 c，让它靠近原来那个词的向量，远离随机抽来的 k = 10 个词的向量。](drawing:context2vec)

# %% key="gap-code"
from course_lib.models.context2vec import Context2Vec, Gaps, number_words
from course_lib.training import loop

course_lib.source(Context2Vec)

# %% [markdown] key="gap-train" lang="en"
# The authors trained on a very large corpus of the web. We train on what can be read in a minute,
# so the results are only a first taste. The cell prints which text it is. After that the model
# fills gaps. To avoid picking examples that look good, the table takes the first sentence of each of
# the first eight ambiguous words in the course's annotated sentences, and beside the words that
# the model proposes it shows the rank of the word that really stood there.

# %% [markdown] key="gap-train" lang="zh" follows="f8d259a6"
# 原论文用的是很大的网络语料，我们只用一分钟能读完的文本，所以结果只能算初步体验，用了什么语料下面会打印出来。训练之后让模型填空。为了避免专挑好看的例子，下表一律取课程例句里前八个多义词各自的第一句，除了模型提出的词，还列出原来那个词排在第几名。

# %% key="gap-live"
sentences = polysemy.read(t.language, course_lib.by_profile(300_000, 30_000))
names = [corpus.name for corpus in polysemy.corpora(t.language)]
print(t("text:", "语料："), ", ".join(names), f"({sum(map(len, sentences)):,})")

torch.manual_seed(5)
model = Context2Vec(number_words(sentences, 15_000))
began = time.perf_counter()
batches = Gaps(sentences, model.vocabulary, seed=5)
run = loop.train(model, batches, epochs=course_lib.by_profile(3, 1))
first, last = (np.mean([nats for _, nats in part]) for part in (run.losses[:5], run.losses[-5:]))
print(t("loss of a word, at first and at last:", "每个词的损失，开头和结尾："), round(first, 2), round(last, 2),
      t("seconds:", "秒："), round(time.perf_counter() - began))  # fmt: skip

# %% key="gap-fill"
first = {s.word: s for s in reversed(annotated)}  # the first sentence of each word
among = min(3000, len(model.vocabulary)) - 3  # candidates: the commonest words
rows = []
for word in [*dict.fromkeys(s.word for s in annotated)][:8]:
    tokens, at = [w.lower() for w in first[word].tokens], first[word].target_index
    (context,) = model.contexts([tokens], [at])
    found = [filler for filler, _ in model.fillers(context, k=among)]
    rank = f"{found.index(tokens[at]) + 1:,}" if tokens[at] in found else t("none", "无")
    gap = " ".join([*tokens[:at], "____", *tokens[at + 1 :]])
    rows.append((gap, t(", ", "、").join(found[:5]), tokens[at], rank))
heads = t(("gap", "five nearest words", "was there", f"its rank of {among:,}"),
          ("空缺", "最近的五个词", "原来的词", f"它的名次（共 {among:,}）"))  # fmt: skip
display(HTML(claims.table([dict(zip(heads, row)) for row in rows])))

# %% [markdown] key="gap-leak" lang="en"
# With so little text the model has learned hardly more than a bit of grammar. After *the* it proposes nouns,
# and often the same ones, whatever the sentence is about; the word that stood there is mostly far down the
# list. (The quick profile shows even less.) The section *Predict, change, explain* returns to this.
#
# Does $c_t$ really not depend on word $t$? The gradient can tell. In the grid below, row $t$ and
# column $s$ say whether the context of position $t$ depends on word $s$. (The first and the last
# column are the sentence marks `<S>` and `</S>`.)

# %% [markdown] key="gap-leak" lang="zh" follows="f6bea7e0"
# 文本这么少，模型学到的不过是一点语法，它提出的词大多和句子的意思关系不大，原来那个词多半排得很靠后。（精简规模下更是如此。）“预测、改动、解释”一节还会回到这一点。
#
# $c_t$ 真的不依赖第 $t$ 个词吗？用梯度就能检验。下面的方格图里，第 $t$ 行、第 $s$ 列表示位置 $t$ 的上下文是否依赖第 $s$ 个词。（最左和最右两列是句子标记 `<S>` 和 `</S>`。）

# %% key="gap-leak-picture" fold=true
from course_lib.analysis.influence import influence

tokens = t("the cat sat on the mat", "猫 坐 在 门口 的 垫子 上").split()
ids = torch.tensor([model.vocabulary.encode(["<S>", *tokens, "</S>"])])
lengths = torch.tensor([ids.shape[1]])
seen = influence(lambda x: model.read(x, lengths), model.words(ids))  # (T, T+2)
T = len(tokens)
figure, axis = plt.subplots(figsize=(4.6, 3.4))
axis.imshow(seen > 0, cmap="Blues", vmin=0, vmax=1.4)
axis.set_xticks(range(T + 2), ["<S>", *tokens, "</S>"], rotation=60)
axis.set_yticks(range(T), tokens)
axis.set(
    xlabel=t("word that is read", "读到的词"), ylabel=t("context of", "谁的上下文")
)
course_lib.show(
    figure,
    alt=t(
        "A grid of contexts by words: everything is filled except each word's own cell.",
        "上下文对词的方格图：除了每个词自己那一格，其余都有颜色。",
    ),
)
own = seen[range(T), range(1, T + 1)]
print(
    t("largest influence of the word itself:", "词对自己的最大影响："), float(own.max())
)
assert own.max() == 0 < seen.sum()

# %% [markdown] key="gap-senses" lang="en"
# Every cell is filled except the word's own: the context is the whole sentence without the word.
# (The biLM of lesson 06 differs in this, since its state at $t$ *has* read word $t$.)
#
# Now for the course's common test, **word sense disambiguation**: can the sense of the hidden word be
# told from $c_t$? The opponent is the average of the static vectors that ship, which were trained on
# far more text. The card adds a fairer comparison, in which both read the same 200,000 words, with
# several seeds.

# %% [markdown] key="gap-senses" lang="zh" follows="26931a59"
# 除了词自己那一格，其余都有颜色，可见上下文就是整句话去掉这个词。（第 06 课的 biLM 与此不同，它在位置 $t$ 的状态是*读过*第 $t$ 个词的。）
#
# 接着做全课程共用的测试，即**词义消歧**：只看 $c_t$，能不能说出被盖住的词是哪个义项？对手是随课程发布的静态向量的平均，它们读过的语料比这里多得多。卡片里另有一组更公平的比较，两边读同样的二十万词，并换几个随机种子各跑一遍。

# %% key="gap-board" fold=true
vectors = model.contexts(
    [[w.lower() for w in s.tokens] for s in annotated],
    [s.target_index for s in annotated],
)
average = senses.context_average(table, annotated, table.vector_size)


def hits(x):
    """One number a sentence: was its sense named rightly by the nearest centroid?"""
    found = []
    for word in dict.fromkeys(s.word for s in annotated):
        rows = [i for i, s in enumerate(annotated) if s.word == word]
        found.append(senses.centroid_hits(x[rows], [annotated[i].sense for i in rows]))
    return np.concatenate(found)


ahead = paired_bootstrap(hits(average), hits(vectors))
heads = t(("nearest centroid", "difference, 95 %"), ("最近质心", "差，95%"))
difference = t("context2vec minus average", "context2vec 减平均")
here = [dict(zip(heads, (difference, f"{ahead:+.3f}")))]
claims.card("context2vec_beats_average").show(t, here)

# %% [markdown] key="crf" lang="en"
# ## 2 · Tags that must fit together
#
# The next task is **sequence tagging**, one tag for each word. To mark spans such as names, one
# uses the **BIO scheme**: tag **B** begins a span, **I** continues it, **O** is outside. Suppose
# that a network gives each word a score for each tag, called an **emission score**:
#
# | | in | New | York |
# |---|---|---|---|
# | O | **3** | 0 | 0 |
# | B | 0 | 1 | 1 |
# | I | 0 | **1.5** | **2** |
#
# The best tag of each word on its own gives **O I I**, a span that continues without having begun.
# *New* by itself looks a little more like the middle of a name than like its beginning. No single
# word is wrong; the *sequence* is. So we score pairs of neighbouring tags, too, by **transition
# scores** $A$. Let $A_{O,I}=-4$ (a span does not start with I), $A_{B,I}=1$, let a sentence that
# starts with I cost 4, and let all else be 0. The score of a sequence is the sum
#
# $$s(x, y) = b_{y_1} + \sum_t P_{t, y_t} + \sum_{t>1} A_{y_{t-1}, y_t} + e_{y_T},$$
#
# where $P$ is the table above with a row for each word, $b$ scores the first tag ($b_I = -4$) and
# $e$ the last. O B I gets $3 + 1 + (1 + 2) = 7$, while O I I gets only $3 + (-4 + 1.5) + 2 = 2.5$.
#
# This is a linear-chain **conditional random field** (CRF). It turns scores into probabilities by a
# softmax over *whole sequences*, $p(y \mid x) = e^{s(x,y)} / Z$, where the normaliser $Z$ is called
# the **partition function**. Here there are $3^3 = 27$ sequences; a sentence of 25 words with 20
# tags has $20^{25}$. Two algorithms, both of them **dynamic programming**, make it unnecessary to
# write them down.
#
# ![A BiLSTM reads three words and a dense layer gives each word an emission score for the tags O, B and I; transition scores stand on the lines between neighbouring tags, and the thick path O B I has the highest sum, 7.](drawing:bilstm_crf)

# %% [markdown] key="crf" lang="zh" follows="23dd907e"
# ## 2 · 标签要放在一起选
#
# 下一个任务是**序列标注**，即给每个字一个标签。要标出人名、地名这样的实体，常用 **BIO 标注法**：标签 **B** 是实体的第一个字，**I** 是后面的每一个字，**O** 是实体以外的字。设网络给每个字的每种标签打一个分，称为**发射分数**：
#
# | | 在 | 北 | 京 |
# |---|---|---|---|
# | O | **3** | 0 | 0 |
# | B | 0 | 1 | 1 |
# | I | 0 | **1.5** | **2** |
#
# 每个字各挑最高分，得到 **O I I**，一个没有开头的实体。单看“北”字，它接在别的字后面（湖北、河北、东北）的可能，还略大于当开头的可能。哪个字单独看都不算错，错在*连起来*。所以相邻的标签也要打分，这就是**转移分数** $A$。设 $A_{O,I}=-4$（实体不能从 I 开始），$A_{B,I}=1$，句子以 I 开头扣 4 分，其余都是 0。一串标签的总分是
#
# $$s(x, y) = b_{y_1} + \sum_t P_{t, y_t} + \sum_{t>1} A_{y_{t-1}, y_t} + e_{y_T},$$
#
# 其中 $P$ 就是上面那张表，只是每个字占一行；$b$ 给第一个标签打分（$b_I = -4$），$e$ 给最后一个标签打分。O B I 得 $3 + 1 + (1 + 2) = 7$ 分，O I I 只有 $3 + (-4 + 1.5) + 2 = 2.5$ 分。
#
# 这就是线性链**条件随机场**（CRF）。它对*整串*标签做 softmax，把分数变成概率 $p(y \mid x) = e^{s(x,y)} / Z$，分母 $Z$ 称为**配分函数**。这里一共只有 $3^3 = 27$ 串；要是一句 40 个字、7 种标签，就有 $7^{40}$ 串，无法逐一写出。好在有两个算法可用，它们都属于**动态规划**。
#
# ![BiLSTM 读三个字，全连接层给每个字的标签 O、B、I 各打一个发射分数；相邻标签之间的连线上是转移分数，粗线 O B I 是总分最高的路径，得 7 分。](drawing:bilstm_crf)

# %% key="crf-example"
from course_lib.models.crf import CRF

words, tags = t("in New York", "在 北 京").split(), ["O", "B", "I"]
P = torch.tensor([[3.0, 0, 0], [0, 1, 1.5], [0, 1, 2]])  # (T, K)
crf = CRF(n_tags=3)
with torch.no_grad():
    crf.transitions[0, 2] = -4.0  # from O to I
    crf.transitions[1, 2] = 1.0  # from B to I
    crf.start[2] = -4.0
mask = torch.ones(1, 3, dtype=torch.bool)
best = crf.decode(P[None], mask)[0]
print(t("each word on its own:", "各挑各的："), [tags[k] for k in P.argmax(1)])
print(t("together:            ", "放在一起："), [tags[k] for k in best])
course_lib.source(CRF)

# %% [markdown] key="viterbi" lang="en"
# **The Viterbi algorithm, by hand.** At each word and for each tag $j$, write down the best score of
# any beginning that *ends with tag $j$ here*. The first column is $3, 0, -4$. From then on, find the
# best way to arrive at each tag:
#
# * *New*, O: from O, $3 + 0 + 0 = 3$. B: from O, $3 + 0 + 1 = 4$. I: from O it would be
#   $3 - 4 + 1.5 = 0.5$, from B it is $0 + 1 + 1.5 = 2.5$. Keep 2.5, *and remember B*.
# * *York*, O: from B, 4. B: from B, 5. I: from B, $4 + 1 + 2 = 7$; from I $2.5 + 0 + 2 = 4.5$.
#
# The best end is I with 7. It came from B, which came from O. Each step takes nine sums, so
# $K^2 T$ sums replace $K^T$ sequences.
#
# **The forward algorithm** takes the same walk and differs only in how it combines: where Viterbi keeps
# the largest value, it adds all of them up,
# $\alpha_{t,j} = P_{t,j} + \log\sum_i e^{\alpha_{t-1,i} + A_{i,j}}$.
# For *New*, I, this is $\log(e^{-1} + e^{1} + e^{-4}) + 1.5 = 2.63$. At the end it yields $\log Z$, and
# the loss of the correct tags, their **negative log-likelihood**, is $\log Z - s(x, y)$. Its gradient is
# worth knowing: for each tag at each word it is *expected minus observed*.

# %% [markdown] key="viterbi" lang="zh" follows="54339329"
# **维特比算法，手算一遍。** 在每个字处，对每个标签 $j$ 写下*到这里为止、以标签 $j$ 结尾*的所有开头里最高的分数。第一列是 $3, 0, -4$。往后，每个标签都要找出“从哪里来最划算”：
#
# * “北”，O：从 O 来，$3 + 0 + 0 = 3$。B：从 O 来，$3 + 0 + 1 = 4$。I：从 O 来只有 $3 - 4 + 1.5 = 0.5$，从 B 来是 $0 + 1 + 1.5 = 2.5$。记下 2.5，*还要记住是从 B 来的*。
# * “京”，O：从 B 来，4。B：从 B 来，5。I：从 B 来，$4 + 1 + 2 = 7$；从 I 来是 $2.5 + 0 + 2 = 4.5$。
#
# 末尾最高的是 I，7 分。它从 B 来，B 又从 O 来。每一步只算九个和，不必写出 27 串，所以 $K^T$ 串变成了 $K^2 T$ 个和。
#
# **前向算法**走的是同一条路，只是汇合的方式不同。维特比算法留下最大的，前向算法把所有的加起来，$\alpha_{t,j} = P_{t,j} + \log\sum_i e^{\alpha_{t-1,i} + A_{i,j}}$。“北”的 I 这一格是 $\log(e^{-1} + e^{1} + e^{-4}) + 1.5 = 2.63$。走到末尾就得到 $\log Z$，正确标签的损失（**负对数似然**）是 $\log Z - s(x, y)$。它的梯度值得记住：对每个字的每种标签，都是*期望减去观测*。

# %% key="crf-check"
sequences = list(itertools.product(range(3), repeat=3))
scores = {
    y: float(crf.score(P[None], torch.tensor([y]), mask).detach()) for y in sequences
}
log_Z = float(crf.partition(P[None], mask).detach())
brute = math.log(sum(math.exp(s) for s in scores.values()))
print(t("forward algorithm:", "前向算法："), f"log Z = {log_Z:.6f};",
      t("all 27 written out:", "27 串全写出来："), f"{brute:.6f}")  # fmt: skip
for y in sorted(scores, key=scores.get, reverse=True)[:4]:
    print(
        "  ",
        " ".join(tags[k] for k in y),
        f"{scores[y]:5.1f}",
        f"p = {math.exp(scores[y] - log_Z):.3f}",
    )
assert math.isclose(log_Z, brute, rel_tol=1e-5) and max(
    scores, key=scores.get
) == tuple(best)

# %% key="trellis" fold=true
value = torch.empty(3, 3)  # Viterbi's best value at each word for each tag
value[0] = crf.start.detach() + P[0]
came = {}
for i in (1, 2):
    ways = value[i - 1][:, None] + crf.transitions.detach()
    value[i] = ways.max(0).values + P[i]
    came |= {(i, j): int(ways[:, j].argmax()) for j in range(3)}
p = crf.marginals(P[None], mask)[0]  # (T, K)
figure, axis = plt.subplots(figsize=(6.4, 3.6))
for i, a, b in itertools.product((1, 2), range(3), range(3)):
    chosen = came[i, b] == a
    on_path = (best[i - 1], best[i]) == (a, b)
    axis.plot([i - 1, i], [-a, -b], color="C4" if on_path else "0.35" if chosen else "0.85",
              lw=3.5 if on_path else 1.6 if chosen else 1, zorder=1)  # fmt: skip
for i, k in itertools.product(range(3), range(3)):
    axis.scatter(i, -k, s=700 + 1800 * float(p[i, k]), color="white", zorder=2,
                 edgecolors="C4" if best[i] == k else "0.3", linewidths=2.5 if best[i] == k else 1)  # fmt: skip
    axis.text(i, -k, f"{float(value[i, k]):g}", ha="center", va="center", zorder=3)
axis.set_xticks(range(3), words)
axis.set_yticks([0, -1, -2], tags)
axis.set(
    xlim=(-0.4, 2.4), ylim=(-2.5, 0.5), xlabel=t("word", "字"), ylabel=t("tag", "标签")
)
course_lib.show(
    figure,
    alt=t(
        "A trellis of three words by three tags. The best path goes from O over B to I with "
        "the values 3, 4, 7; dark lines show where each cell's best value came from.",
        "三个字、三种标签的网格。最优路径是 O、B、I，格子里的值是 3、4、7；深色的线表示每一格的最大值从哪里来。",
    ),
)

# %% [markdown] key="trellis-see" lang="en"
# The circles contain Viterbi's values. A dark line shows where a value came from, a light line was tried
# and dropped, and the thick line is the path that is found by walking back from the best end. The
# size of a circle is the **marginal probability** of the tag at that word, which is the gradient of
# $\log Z$ with respect to that score (the *expected* of "expected minus observed").
#
# ## 3 · The tagger, and where the states are joined
#
# The tagger of Peters et al. is a **BiLSTM-CRF**. A word enters as $x_t = [c_t; w_t]$, a vector
# computed from its characters by a small char-CNN (lesson 06 explains it) and its word vector. (Here
# $c_t$ is the paper's letter for the characters, and not the gap's vector of section 1.) Two
# bidirectional LSTM layers read the sentence (for entities the paper uses GRUs, a related kind of RNN), a
# dense layer makes emission scores, and a CRF chooses. The word vectors are all that this tagger has
# from text without labels; its *layers* start at random. With few labelled sentences it sees few contexts.
#
# The adviser is a language model that has read millions of words. For each word we take its top state
# $g_t = [\overrightarrow{h}_t; \overleftarrow{h}_t]$ and concatenate it with what the tagger has. The
# language model stays frozen and the labels train only the tagger, which is called the
# **feature-based** approach. Since unlabelled and labelled text are both used, the method is
# **semi-supervised**. The tagger's next layer reads 512 more numbers for each word; where that is an
# LSTM, the parameters nearly double, not counting the word vectors. There are three places:
#
# | `place` | what the next layer reads |
# |---|---|
# | "input" | $[c_t; w_t; g_t]$ |
# | "after first" | $[h_{1,t}; g_t]$: the paper's choice |
# | "after second" | $[h_{2,t}; g_t]$, straight to the scores |
#
# Popular accounts say that TagLM feeds the states to the tagger's *input*. That was one of the variants
# that the paper tried.
#
# ![On the left, from bottom to top, a tagger: characters and word vectors, two BiLSTM layers, a dense layer with a CRF, tags; on the right a frozen language model in grey, whose states g can be joined to the tagger's input, after its first layer, which is the paper's choice, or after its second.](drawing:taglm)

# %% [markdown] key="trellis-see" lang="zh" follows="40bfef41"
# 圆圈里是维特比的分数。深色的线表示这个分数从哪里来，浅色的线试过但被放弃了，粗线则是从最好的末尾往回走得到的路径。圆圈的大小是这个字取这种标签的**边际概率**，它等于 $\log Z$ 对这个分数的梯度，也就是上面说的“期望”。
#
# ## 3 · 标注器，以及状态接在哪里
#
# Peters 等人的标注器是 **BiLSTM-CRF**。一个词以 $x_t = [c_t; w_t]$ 的形式进来，前一半由一个小的字符卷积从它的字符算出（第 06 课细讲），后一半是词向量（沿用论文的记号，这里的 $c_t$ 来自字符，不是第 1 节里空缺的向量）。两层双向 LSTM 读句子（论文的实体标注器用的是同类的 GRU），一个全连接层给出发射分数，CRF 来选标签。这个标注器从无标注文本里得到的只有词向量，上面的*层*都从随机值开始；标注的句子少，它见过的上下文就少。
#
# 顾问则是读过两千万词左右的语言模型。对每个词，取它顶层的状态 $g_t = [\overrightarrow{h}_t; \overleftarrow{h}_t]$，拼到标注器已有的向量上。语言模型保持冻结，标注只用来训练标注器，这叫**基于特征**的做法；因为无标注和有标注的文本都用上了，所以又称**半监督**学习。和原来相比，标注器的下一层每个词要多读 512 个数；如果下一层是 LSTM，参数就差不多翻倍（不算词向量）。拼接的位置有三种：
#
# | `place` | 下一层读到的 |
# |---|---|
# | "input" | $[c_t; w_t; g_t]$ |
# | "after first" | $[h_{1,t}; g_t]$：论文的选择 |
# | "after second" | $[h_{2,t}; g_t]$，直接去打分 |
#
# 流行文章说 TagLM 把状态拼到标注器的*输入*上，其实那只是论文试过的方案之一。
#
# **中文的两个麻烦。** MSRA 的实体标在*字*上，而我们的语言模型读的是*词*。办法是先用 jieba 分词，再把词的状态发给它的每个字。这样一来，带语言模型的标注器就知道了词的边界，比较并不公平；所以每个字都带上它在词里的位置（B 开头、I 中间、E 末尾、S 单独成词），不带语言模型的也一样。另外，这个语言模型读过的语料里就有 MSRA 的文本，包括测试句，当然没有标签；这相当于事先见过考卷上的课文，只是没见过答案。
#
# ![左边从下到上是标注器：字符和词向量、两层 BiLSTM、全连接层与 CRF、标签；右边灰色的是冻结的语言模型，它的状态 g 可以拼到三个位置：输入、第一层之后（论文的选择）、第二层之后。](drawing:taglm)

# %% key="tagger-code"
from course_lib.analysis.tagging import span_f1
from course_lib.models import tagger as taggers

course_lib.source(taggers.Tagger)

# %% [markdown] key="reach" lang="en"
# Why should the place matter? It decides how far the advice can travel. Joined above both LSTM layers,
# $g_t$ reaches only the scores of its own word. Joined below one of them, it reaches the scores of
# all words. The three grids below measure this by gradients.

# %% [markdown] key="reach" lang="zh" follows="f5fdd95e"
# 位置为什么要紧？因为它决定信息能传多远。拼在最上面，$g_t$ 只能影响自己这个词的分数；拼在某层 LSTM 下面，就能影响整句的分数。下面的三个方格图用梯度来验证。

# %% key="reach-picture" fold=true
from course_lib.text.vocabulary import Vocabulary

figure, axes = plt.subplots(1, 3, figsize=(8.4, 3.0), sharey=True)
toy, g = ["w"] * 6, torch.randn(1, 6, 4)
for axis, place in zip(axes, taggers.PLACES):
    one = taggers.Tagger(
        Vocabulary(["<unk>"]), torch.zeros(1, 8), ["O", "B", "I"], 4, place, 8
    ).eval()
    reach = influence(lambda x, one=one: one([toy], x)[0], g)
    axis.imshow(reach / reach.max(), cmap="Blues", vmin=0, vmax=1)
    names_zh = dict(zip(taggers.PLACES, ("输入", "第一层之后", "第二层之后")))
    axis.set(
        title=t(place, names_zh[place]),
        xlabel=t("advice about word s", "关于第 s 个词的信息"),
    )
axes[0].set_ylabel(t("scores of word t", "第 t 个词的分数"))
course_lib.show(
    figure,
    alt=t(
        "Three grids, how strongly scores depend on features: at the input and after the "
        "first layer every cell has some colour, after the second only the diagonal.",
        "三个方格图，分数对特征的依赖程度：拼在输入和第一层之后，每一格都有颜色；拼在第二层之后，只有对角线有。",
    ),
)

# %% [markdown] key="live" lang="en"
# After the second layer only the diagonal is coloured; at the other two places advice about one word
# reaches the scores of every word, most strongly those close by.
#
# ## 4 · Train it, live
#
# The task is **chunking**: to cut a sentence into noun phrases, verb phrases and so on (CoNLL-2000,
# official test set), with a tenth of the labels. A span counts as correct if its start, its end and its
# type are all right. **F1** is the harmonic mean of **precision** (the share of found spans that are
# right) and **recall** (the share of right spans that were found). All taggers get the same labelled
# sentences and the same 500 development sentences for choosing the moment to stop. (Those 500 are
# labelled, too; we do not count them for any of the taggers.)

# %% [markdown] key="live" lang="zh" follows="86526aa2"
# 拼在第二层之后，只有对角线有颜色；在另外两个位置，关于一个词的信息能影响每个词的分数，离得近的影响最大。
#
# ## 4 · 现场训练
#
# 任务是**命名实体识别**，即在 MSRA 的句子里找出人名、地名、机构名，只用十分之一的标注。（“全部标注”在这里是 4000 句：MSRA 有五万多句，为了让实验跑得完，从中均匀抽出 4000 句。）起点、终点、类别全对，才算找对一个实体；**F1** 是**精确率**（找出来的实体有多少是对的）和**召回率**（该找的实体找到了多少）的调和平均。所有标注器用同样的标注句子，也用同样的 500 句开发集来挑选停止的时机。（这 500 句也有标注，但未计入任何一方。）

# %% key="live-train"
quick = course_lib.by_profile(False, True)
name = taglm.TASKS[t.language][1] if quick else taglm.best_task(t.language)
task = taglm.prepare(name, small=quick)
rows = taglm.labelled_rows(task, 0.3 if quick else 0.1, seed=1)
steps = 20 if quick else taglm.steps_for(len(rows))
print(
    name,
    {split: len(of) for split, of in task.splits.items()},
    t("labelled:", "有标注："),
    len(rows),
)

train_set = taggers.TaggedSentences([task.splits["train"][i] for i in rows])
dev, test = (taggers.TaggedSentences(task.splits[split]) for split in ("dev", "test"))
plain = taglm.make(task, train_set, "none", seed=1)
began = time.perf_counter()
with tqdm(total=6, unit=t(" tests", " 次"), file=sys.stdout) as bar:  # `fit` measures six times

    def measured(gold, guessed):
        bar.update()
        return span_f1(gold, guessed)

    on_dev = taggers.fit(plain, train_set, dev, 1, measured, steps)
live = {"none": span_f1([x.tags for x in test.examples], plain.tag(test))}
print(t("F1 on dev, six times:", "开发集 F1，共六次："), [round(x, 3) for x in on_dev],
      t("seconds:", "秒："), round(time.perf_counter() - began))  # fmt: skip

# %% [markdown] key="transitions" lang="en"
# What has the CRF learned about neighbouring tags? The next figure shows $A$. In the columns that begin
# with I one can read which tags may precede them; blue pairs are favoured, red ones are not.

# %% [markdown] key="transitions" lang="zh" follows="fe7acef9"
# CRF 学到了怎样的相邻关系？下图画的是 $A$。在以 I 开头的几列里，可以读出它们前面能接什么标签；蓝色的组合受欢迎，红色的不受欢迎。

# %% key="transitions-picture" fold=true
common = [
    tag for tag in plain.tags if sum(x.tags.count(tag) for x in train_set.examples) > 3
][:12]
at = [plain.tags.index(tag) for tag in common]
A = plain.crf.transitions.detach()[at][:, at]
figure, axis = plt.subplots(figsize=(5.6, 4.6))
image = axis.imshow(A, cmap="RdBu", vmin=-A.abs().max(), vmax=A.abs().max())
axis.set_xticks(range(len(at)), common, rotation=90)
axis.set_yticks(range(len(at)), common)
axis.set(xlabel=t("to", "到"), ylabel=t("from", "从"))
figure.colorbar(image, label=t("score", "分数"))
course_lib.show(
    figure,
    alt=t(
        "The learned scores of neighbouring tags as a grid, blue where a pair is welcome and "
        "red where it is not.",
        "学到的相邻标签分数的方格图：蓝色表示受欢迎的组合，红色表示不受欢迎的组合。",
    ),
)

# %% key="live-advice"
began = time.perf_counter()
for way in tqdm(("forward", "both"), unit=t(" taggers", " 个标注器"), file=sys.stdout):
    live[way] = taglm.learn(task, rows, way, seed=1, steps=steps)
NAMES = {
    "none": t("no language model", "没有语言模型"),
    "forward": t("+ forward states", "+ 前向状态"),
    "both": t("+ both directions", "+ 双向状态"),
    "window": t("linear, no pre-training", "线性模型，无预训练"),
}
heads = t("tagger", "标注器"), "F1"
display(
    HTML(
        claims.table(
            [dict(zip(heads, (NAMES[way], f"{live[way]:.3f}"))) for way in live]
        )
    )
)
print(t("seconds:", "秒："), round(time.perf_counter() - began))

# %% [markdown] key="curve" lang="en"
# One run with one draw of labels is an anecdote and no evidence. The course stores runs with several seeds
# and with 1, 10 and 100 % of the labels. A seed decides which sentences are labelled and how the
# parameters are initialised. The grey line is a linear classifier that looks at a word, its first and last
# letters and its neighbours, without any pre-training. (Entities are a Chinese task, MSRA, capped at 4,000
# labelled sentences. The Chinese language model has read these sentences, those of the test set
# included, without their labels.)

# %% [markdown] key="curve" lang="zh" follows="9a660c9c"
# 一次训练、一次抽样只是个例，不能作为证据。课程里存着多个随机种子、标注为 1%、10%、100% 的结果，种子决定哪些句子有标注、参数怎样初始化。灰线是一个线性分类器，只看这个词（中文是字）、它开头和末尾的一两个字符，以及左右邻居，完全没有预训练。（前面说过，MSRA 的句子，连同测试句，中文语言模型都读过，只是没见过标签。）

# %% key="curve-picture" fold=true
KEYS = {"conll2000": t("chunks, English", "组块，英文"),
        "msra": t("entities, Chinese", "实体，中文")}  # fmt: skip
both_tasks = claims.card("taglm_gain").rows  # of all seeds
kept = {
    key: [row for row in both_tasks if row["condition"].startswith(key)] for key in KEYS
}
seeds = {key: len({row["seed"] for row in of}) for key, of in kept.items()}
figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.7))
for axis, (key, title) in zip(axes, KEYS.items()):
    spans = claims.over_seeds(kept[key], "f1")
    for way, style in zip(NAMES, ("o-", "^-", "s-", "x:")):
        points = sorted(
            (int(c.split(": ")[1]), s) for (m, c), s in spans.items() if m == way
        )
        if not points:
            continue
        x, y = [n for n, _ in points], np.array([s for _, s in points]).T * 100
        colour = {"color": "0.55"} if way == "window" else {}
        bars = np.nan_to_num(np.stack([y[0] - y[1], y[2] - y[0]]))
        axis.errorbar(x, y[0], bars, fmt=style, capsize=3, label=NAMES[way], **colour)
    counts = sorted({int(c.split(": ")[1]) for _, c in spans})
    axis.set(
        xscale="log", title=title, xlabel=t("labelled sentences", "有标注的句子数")
    )
    axis.set_xticks(counts, [f"{n:,}" for n in counts])
    axis.minorticks_off()
axes[0].set_ylabel(t("F1, %", "F1（%）"))
axes[0].legend(fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "F1 by the number of labelled sentences for chunking and entities: without a "
        "language model, with forward states, with both directions, and a linear model.",
        "组块和实体两个任务上，F1 随标注句子数的变化：没有语言模型、前向状态、双向状态，以及线性模型。",
    ),
)
print(t("seeds:", "种子数："), seeds)

# %% [markdown] key="curve-see" lang="en"
# The states are worth most where labels are fewest: the differences, listed on the card below, shrink as the
# number of labels grows, and are significantly above 0 everywhere. In chunking, a tenth of the labels
# with the states is worth as much as all of them without (93.2 and 93.1 %). The second direction adds
# significantly to the first, except for entities with all labels, where it cannot be told (0.2 points [−0.6, 1.0]). And the grey line is a reminder that a
# pre-trained model first has to beat the best model without pre-training.
#
# ## 5 · Claims, checked
#
# The first card has the gain itself, as differences within a seed.

# %% [markdown] key="curve-see" lang="zh" follows="c0f0c8d9"
# 标注最少的时候，语言模型的状态最有价值。下面卡片上的差随标注增多而变小，但处处显著大于 0。英文组块上，有了这些状态，十分之一的标注就抵得上不用状态时的全部标注（93.2% 和 93.1%）。在前向之外再加后向，还有显著的提高，只有实体任务标注用足时看不出来（0.2 个百分点 [−0.6, 1.0]）。灰线则提醒我们，用了预训练的模型，先要胜过不用预训练的模型里最好的那个。
#
# ## 5 · 逐条核对
#
# 第一张卡片是增益本身，即同一个种子之内的差。

# %% key="cards" fold=true
claims.card("taglm_gain").show(t)

# %% [markdown] key="controls" lang="en"
# Why do the states help? A tagger that reads them also has more parameters and a second network. An
# **ablation** with four controls, on chunking with a tenth of the labels, takes the possible reasons apart:
#
# * **labelled text**: a language model that has read only the labelled sentences (also a smaller one:
#   one layer, 128 numbers a word instead of 512);
# * **layer 0**: the same language model, but its lowest layer, which sees no context;
# * **states alone**: the states, a dense layer and the CRF, without words, characters or LSTM;
# * the other two **places**.

# %% [markdown] key="controls" lang="zh" follows="5c58e2d4"
# 这些状态为什么有用？读取它们的标注器，参数也多了，还多了一个网络。为了把可能的原因分开，做一组**消融**实验，用十分之一的标注，设四种对照。在这里，中文实体（MSRA，400 句）和英文组块（844 句）都测过：
#
# * **只读有标注的文本**：语言模型只读过那些有标注的句子（它也小一些，只有一层，每个词 128 个数，不是 512 个）；
# * **第 0 层**：还是那个语言模型，但取它不看上下文的最低一层；
# * **只有状态**：只用状态、一个全连接层和 CRF，没有词、没有字符、没有 LSTM；
# * 另外两个**位置**。

# %% key="controls-cards" fold=true
parts = t([claims.card("taglm_place").rows],
          [claims.card("taglm_place").chinese, claims.card("taglm_place").rows])  # fmt: skip
LABELS = {
    "none": t("no language model", "没有语言模型"),
    "both": t("both, after first (TagLM)", "双向，第一层之后（TagLM）"),
    "input": t("both, at the input", "双向，输入处"),
    "after second": t("both, after second", "双向，第二层之后"),
    "alone": t("states alone", "只有状态"),
    "layer 0": t("layer 0, no context", "第 0 层，不看上下文"),
    "labelled text": t("model of the labelled text", "只读有标注文本的模型"),
}
spans = [{m: s for (m, _), s in claims.over_seeds(of, "f1").items()} for of in parts]
claims.show_table(
    t(("language model's states", "F1, %"), ("语言模型的状态", "F1（%），中文实体", "F1（%），英文组块")),
    [(LABELS[m], *(f"{100 * of[m].estimate:.1f}" for of in spans)) for m in spans[0]],
)
print(t("seeds:", "种子数："), *(len({row["seed"] for row in of}) for of in parts))
for key in ("taglm_own_text", "taglm_place"):
    claims.card(key).show(t)

# %% [markdown] key="controls-seen" lang="en"
# Of the nine points gained, 3.6 come already with *layer 0*, which sees no context: perhaps a vector made from
# the spelling, trained on millions of words, tells the tagger what kind of word a rare one is (rare words were not looked at apart). Context adds
# 5.6 points [5.4, 5.8]. A language model of the labelled text alone adds 1.2 points [0.3, 2.0], far less
# than nine, so a second network by itself does not explain the gain. (That model is also smaller; how much of the
# rest is due to text and how much to size was not separated.) As to the place, after the first layer is better than at the
# input by a hair, 0.2 points [0.0, 0.3]; after the second is worse by 1.8 [1.6, 2.0], because no LSTM can process the states any more. The states alone come within two points of the whole tagger.

# %% [markdown] key="controls-seen" lang="zh" follows="9538a156"
# 中文实体上，总增益是 8.9 个百分点 [6.3, 11.4]，不看上下文的*第 0 层*占多少看不出来（0.3 [−5.3, 5.9]），上下文添了 8.6 个 [4.5, 12.6]；英文组块的总增益约 9 个百分点，第 0 层占 3.6 个，上下文添 5.6 个 [5.4, 5.8]。第 0 层的向量由写法算出，又在大量文本上训练过，也许罕见词是哪一类词，它能告诉标注器（没有单独测过罕见词）。只读过有标注文本的语言模型，英文添 1.2 个 [0.3, 2.0]，中文添了多少看不出来（+0.8 [−1.1, 2.7]），都远远不到总增益。可见光是多一个网络，解释不了这个增益。（这个模型也小一些，其余的增益多少来自文本、多少来自大小，没有分开测。）至于放在哪里，放在第一层之后比放在输入处，英文好一点点（0.2 个百分点 [0.0, 0.3]），中文看不出来；放到第二层之后则都显著地差，因为那里已经没有 LSTM 来处理这些状态。只用状态，离完整的标注器在英文上差两个百分点，在中文上差大约 5.5 个。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# Every model of the course takes the same test. TagLM does not compute a vector of a word, so the row of
# this lesson is context2vec's.

# %% [markdown] key="scoreboard" lang="zh" follows="ecfe72cc"
# ## 记分牌
#
# 课程里的每个模型都做同一个测试。TagLM 不产生词的向量，所以本课上榜的是 context2vec。

# %% key="scoreboard-row"
scores = {
    t("context2vec, live", "context2vec，现场训练"): senses.macro(
        senses.by_word(vectors, annotated)
    ),
    t("averaged static context", "静态上下文平均"): claims.context_scores(
        table, t.language
    ),
}
display(HTML(claims.sense_table(scores, t)))
print(t("parameters:", "参数："), f"{sum(p.numel() for p in model.parameters()):,}")

# %% [markdown] key="board" lang="en"
# Below are all models so far on the same questions (lesson 01 explains the columns). The board
# is measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="5d849189"
# 下面是到这一课为止的所有模型在同样问题上的成绩，各列的含义见第 01 课；这张榜由各课共用，只测一次。

# %% key="board-show"
claims.show_scoreboard(t, "05")

# %% [markdown] key="board-seen" lang="en"
# context2vec's vector holds what stands *around* a word and nothing of the word itself, so it is the worst for
# parts of speech. Layer 2 of the biLM, which TagLM adds to a tagger, is well above "each word's commonest tag",
# because it holds both the word and its context. It has also read far more text.

# %% [markdown] key="board-seen" lang="zh" follows="bb1df1d8"
# context2vec 的向量只包含词*周围*的内容，词本身一点也没有，所以词性的成绩垫底。TagLM 加给标注器的是 biLM 的第 2 层，它明显高过“每个词最常见的标签”，词和上下文它都包含，读过的文本也多得多；是哪一样的功劳，这张表分不出来。

# %% [markdown] key="knob" lang="en"
# ## Predict, change, explain
#
# How much of a sentence does the gap's vector need? Below, all but `SIDE` words on either side of the gap
# are cut off, for context2vec and for the average of the static vectors alike, and the senses are
# named again by the nearest centroid. Before you run the cell, predict for each of the two: does it get better
# or worse when `SIDE` goes from 2 to 5, and to 50 (the whole sentence)? Then change the knob and explain.

# %% [markdown] key="knob" lang="zh" follows="5779513a"
# ## 先预测，再改动，后解释
#
# 空缺的向量需要多少上下文？下面把空缺两侧各 `SIDE` 个词以外的部分都截掉，context2vec 和静态向量的平均都只读剩下的，再用最近质心判断义项。运行之前请先预测：`SIDE` 从 2 变到 5，再变到 50（整句）时，两者各会变好还是变差？然后改动旋钮并作出解释。

# %% key="knob-run"
SIDE = 2  # the knob: words that are left on either side of the gap; try 1, 5 and 50

cut = []
for s in annotated:
    start = max(0, s.target_index - SIDE)
    near = [w.lower() for w in s.tokens[start : s.target_index + SIDE + 1]]
    cut.append(s._replace(tokens=near, target_index=s.target_index - start))
read = {
    "context2vec": model.contexts([s.tokens for s in cut], [s.target_index for s in cut]),
    t("average", "静态上下文平均"): senses.context_average(table, cut, table.vector_size),
}
for name, x in read.items():
    print(name, t("names right", "判断正确的比例"), f"{hits(x).mean():.3f}")

# %% [markdown] key="knob-seen" lang="en"
# <details><summary>What comes out, and why</summary>
#
# In our run the average improves with every step: 0.66 of the senses right at `SIDE = 1`, 0.71 at 2, 0.75 at 5
# and 0.81 with the whole sentence. context2vec hardly changes: 0.62 at 1 and at 2, 0.63 at 5 and at 50. So this small
# model reads little more than the words next to the gap, which fits the table of section 1, where it
# often answered *the ____* with the same nouns. The words that betray a topic often stand farther away, and an
# average takes them all in with equal weight. An LSTM *can* carry them along, but it has to learn to, and after three
# passes over 300,000 words this one has not. (More text was not tried.) About the authors' model, trained on a very large corpus, this says nothing.
#
# </details>

# %% [markdown] key="knob-seen" lang="zh" follows="dbe8a77a"
# <details><summary>结果如何，为什么</summary>
#
# 在我们这次训练里，静态上下文平均一步步变好：`SIDE = 1` 时判断对的占 0.57，2 时 0.66，5 时 0.73，读整句时 0.82。context2vec 则几乎不变，始终在 0.52 到 0.53 之间。可见这个小模型读到的只是紧挨着空缺的词，这和第 1 节的表一致，凡是“的 ____”它给出的答案都差不多。透露话题的词往往离得较远，平均把它们一视同仁地算进去；LSTM *能够*把它们带到空缺处，但这是要学的，三十万词读三遍，它还没有学会。（没有试过更多的文本。）原作者的模型用很大的语料训练，这里的结果对它不说明什么。
#
# </details>

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** *They sat on the bank and fished.* *They sat on the pier and fished.*
# context2vec computes a vector for the place of *bank* and one for the place of *pier*.
# How do they compare?
#
# <details><summary>A. They differ, because the words differ.</summary>
#
# Not quite: the vector is that of the *gap*. The word itself is the one thing it does
# not see.
#
# </details>
#
# <details><summary>B. They are exactly the same.</summary>
#
# Right. Both LSTMs stop beside the gap, and all the other words are equal. A biLM's
# state at *bank* would differ: it has read *bank*.
#
# </details>
#
# <details><summary>C. They are similar, because the words are similar.</summary>
#
# Not quite: were the words quite unlike, the vectors would still be the same.
#
# </details>
#
# ---
#
# **2.** A sentence of 25 words, 20 tags: how many sums does Viterbi form, roughly?
#
# <details><summary>A. 20 to the power of 25: all sequences must be compared.</summary>
#
# Not quite: they are compared, but not one by one. Of all beginnings that end with the
# same tag at the same word only the best can be part of the best whole.
#
# </details>
#
# <details><summary>B. 500: each tag of each word once.</summary>
#
# Not quite: that would choose each tag on its own. The transitions join a tag to the
# one before it.
#
# </details>
#
# <details><summary>C. 10,000: for each word, each tag with each tag before
# it.</summary>
#
# Right. 20 × 20 × 25. The forward algorithm walks the same way and adds up where
# Viterbi keeps the largest.
#
# </details>
#
# ---
#
# **3.** TagLM as the paper chose it: the first bidirectional layer gives 200 numbers a
# word, the frozen language models 512. What does the *second* layer of the tagger read?
#
# <details><summary>A. The 512 numbers of the language models.</summary>
#
# Not quite: that is the control "states alone", without the tagger's own words,
# characters and layers.
#
# </details>
#
# <details><summary>B. Characters, word vector and the 512 numbers.</summary>
#
# Not quite: this is "at the input", as popular accounts have it. The paper tried it and
# preferred another place.
#
# </details>
#
# <details><summary>C. 200 numbers: the sum of both, after a projection.</summary>
#
# Not quite: nothing is added up; the two are laid side by side, so that the second
# layer may weigh them itself.
#
# </details>
#
# <details><summary>D. 712 numbers: its first layer's and the states.</summary>
#
# Right. They are joined. That is "after first". From there the second layer can carry
# the advice to the other words.
#
# </details>
#
# ---
#
# **4.** TagLM is two points better than the same tagger without a language model. "So
# text without labels helps." Which control is missing?
#
# <details><summary>A. A language model of the labelled text only.</summary>
#
# Right. Best of the same size: the same extra network, but no further text. What it gives
# is not due to unlabelled text.
#
# </details>
#
# <details><summary>B. The same comparison on a larger test set.</summary>
#
# Not quite: that makes the two points more certain. It does not say where they come
# from.
#
# </details>
#
# <details><summary>C. The same comparison with all the labels.</summary>
#
# Not quite: worth knowing, and a usual question. It shows how the gain shrinks, not
# what causes it.
#
# </details>
#
# ---
#
# **5.** Each word on its own prefers O I I; the CRF says O B I. What did the CRF know
# that the scores of the words did not?
#
# <details><summary>A. That I hardly ever follows O.</summary>
#
# Right. It scores *pairs of tags* and chooses the whole sequence at once. No word was
# wrong by itself.
#
# </details>
#
# <details><summary>B. It has read the whole sentence.</summary>
#
# Not quite: so have the LSTM layers that made the scores. Reading more words is not
# what was lacking.
#
# </details>
#
# <details><summary>C. Nothing: a rule is built in that I must not follow O.</summary>
#
# Not quite: no rule is built in. A transition has a score like everything else; in our
# example we set this one to −4, in training it is learned.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="eddb4dac"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** “猫 追 \_\_\_\_”和“\_\_\_\_ 追 猫”，哪种办法能为这两个空缺算出不同的向量？
#
# <details><summary>A. context2vec。</summary>
#
# 对。左边一个 LSTM、右边一个 LSTM，各按次序读到空缺为止，读到的东西不一样。
#
# </details>
#
# <details><summary>B. 其他词的静态向量取平均。</summary>
#
# 再想想：平均不管次序：两句里的其他词都是“猫”和“追”，结果分毫不差。
#
# </details>
#
# <details><summary>C. 两种都能，因为空缺的位置不同。</summary>
#
# 再想想：取平均的时候，位置根本没有进入计算。
#
# </details>
#
# ---
#
# **2.** 一句 40 个字，7 种标签，维特比大约要算多少个和？
#
# <details><summary>A. 大约 2000 个，每个字 7 × 7 个。</summary>
#
# 对。7 种标签各问一遍 7 种“从哪里来”，再乘 40。前向算法走的是同一条路，只是把“留最大的”换成“全加起来”。
#
# </details>
#
# <details><summary>B. 7 的 40 次方个，每一串都要比。</summary>
#
# 再想想：都比到了，却不用一串一串地比：到同一个字、以同一个标签结尾的那些开头里，只有最好的才可能是最终答案的一部分。
#
# </details>
#
# <details><summary>C. 280 个，每个字的每种标签算一次。</summary>
#
# 再想想：那是各挑各的。相邻标签的分数把一个标签和它前一个标签拴在了一起。
#
# </details>
#
# ---
#
# **3.** 回到“在 北 京”那张打分表。把相邻标签的分数 $A$ 全改成 0，维特比会选哪一串？
#
# <details><summary>A. O I I</summary>
#
# 对。没有了相邻分，总分就是各字分数之和：3 + 1.5 + 2 = 6.5，比 O B I 的 6 高，和各挑各的完全一样。
#
# </details>
#
# <details><summary>B. O B I，因为实体不能从 I 开始。</summary>
#
# 再想想：没有谁写过这条规矩，它全在 $A_{O,I}=-4$ 这个分数里。改成 0，规矩就没有了。
#
# </details>
#
# <details><summary>C. O O O，最稳妥。</summary>
#
# 再想想：后两个字的 O 都是 0 分，总共才 3 分。
#
# </details>
#
# ---
#
# **4.** 按论文的做法搭 TagLM：标注器第一层双向 LSTM 每个词给出 200 个数，冻结的语言模型给出 512 个数。标注器的*第二层*读到什么？
#
# <details><summary>A. 字符、词向量，再加 512 个数。</summary>
#
# 再想想：这是接在“输入处”，流行文章的说法。论文试过，选的却是另一处。
#
# </details>
#
# <details><summary>B. 只有语言模型的 512 个数。</summary>
#
# 再想想：这是“只有状态”那项对照，标注器自己的词、字符和层全没了。
#
# </details>
#
# <details><summary>C. 712 个数，第一层的和语言模型的。</summary>
#
# 对。两者拼在一起，这就是“第一层之后”。接在这里，第二层还能把信息传给别的词。
#
# </details>
#
# ---
#
# **5.** 带语言模型的标注器高出 2 个点。要说“这是无标注文本的功劳”，还缺哪个对照？
#
# <details><summary>A. 再多标一些测试句，区间窄些。</summary>
#
# 再想想：那能让 2 个点更可信，却说不出它从哪里来。
#
# </details>
#
# <details><summary>B. 让语言模型只读那些有标注的句子。</summary>
#
# 对。网络最好一样大，只是没读别的文本。它已经能给的那一份，就不能算在无标注文本头上。
#
# </details>
#
# <details><summary>C. 把标注用足再比一次。</summary>
#
# 再想想：值得做，可它说明的是增益怎样变小，不是增益的来历。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Do you understand it?
#
# <details><summary>1. A language model's forward state at position t has read word t. Is
# that a leak, when it becomes a feature of a tagger?</summary>
#
# No. A leak is seeing the *answer*. The language model's answer was word t+1; the tagger's
# answer is a tag, and no language model ever sees tags. (It may have read the test
# *sentences*, without tags. That is allowed if one says so; better to hold them out.)
# </details>
#
# <details><summary>2. Viterbi gives the best sequence. Why not take the likeliest tag at each
# word instead, by the marginals?</summary>
#
# One may: it makes the fewest wrong *tags*. But the tags need not fit together, and we count
# whole spans.
# </details>
#
# <details><summary>3. What does the CRF add if the two LSTM layers already see the whole
# sentence?</summary>
#
# They see the words, not the tags that their neighbours are about to choose. Where two taggings
# are about equally good, each word would decide on its own, half one and half the other.
# </details>
#
# <details><summary>4. With 100 % of the labels the gain is smaller. Does the language model
# know less then?</summary>
#
# It knows the same. The tagger knows more by itself, and both know the same things.
# </details>
#
# <details><summary>5. The states alone, with a dense layer, are a linear reader of the
# language model. If they come near the full tagger, what follows?</summary>
#
# That the states already hold much of what chunking needs. Lesson 08 makes a method of it:
# probes.
# </details>

# %% [markdown] key="questions" lang="zh" follows="3ab58d85"
# ## 检查一下自己
#
# <details><summary>1. 语言模型在位置 t 的前向状态读过第 t 个词。拿它做标注器的特征，算泄漏吗？</summary>
#
# 不算。看到*答案*才叫泄漏。语言模型的答案是第 t+1 个词，标注器的答案是标签，而语言模型从来没见过标签。（它可能读过测试*句子*的文本，只是没有标签。说明白了可以接受，留出来不读更好。）
# </details>
#
# <details><summary>2. 维特比给出最好的一整串。为什么不用边际概率，给每个字取概率最大的标签？</summary>
#
# 也可以，那样错的*标签*最少。但这些标签未必接得上，而我们数的是整个实体。
# </details>
#
# <details><summary>3. 两层双向 LSTM 已经看到了整句话，CRF 还能添什么？</summary>
#
# LSTM 看到的是字，看不到邻居正要选的标签。两种标法差不多好时，各选各的，可能一半选这种、一半选那种。“南京市长江大桥”就是例子。
# </details>
#
# <details><summary>4. 标注用到 100% 时，增益变小了。是语言模型懂得少了吗？</summary>
#
# 它懂的没有变。是标注器自己懂得多了，而两者懂的有很多是重复的。
# </details>
#
# <details><summary>5. 只用状态加一个全连接层，等于给语言模型接一个线性分类器。如果它接近完整的标注器，说明什么？</summary>
#
# 说明任务要的东西，状态里大半已经有了。第 08 课会把这种办法发展成“探针”。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Peters, Ammar, Bhagavatula, Power (2017), ACL: the analysis has the three places and the
#   controls.
# * Melamud, Goldberger, Dagan (2016), CoNLL: CBOW and context2vec side by side in a picture.
# * Lample, Ballesteros, Subramanian, Kawakami, Dyer (2016), *Neural architectures for named
#   entity recognition*, NAACL: LSTM and CRF.
# * Lafferty, McCallum, Pereira (2001), *Conditional random fields*, ICML; Viterbi (1967).
# * Peng, Dredze (2015), EMNLP: characters with their places in words, for Chinese entities.
#
# More claims about this lesson: the book's claims page, or `python -m course_lib claims list`.
# Is TagLM the same as ELMo? Does a CRF guarantee that tags fit? Are the states alone enough?
#
# The exercises: `exercises/05_taglm`. TagLM used two independent language models and their top
# layers only. Lesson 06 ties them together and opens them up: ELMo.

# %% [markdown] key="reading" lang="zh" follows="9c25ad2e"
# ## 接下来读什么
#
# * Peters、Ammar、Bhagavatula、Power（2017），ACL：分析一节有三个位置的比较和几种对照。
# * Melamud、Goldberger、Dagan（2016），CoNLL：把 CBOW 和 context2vec 并排画了出来。
# * Lample、Ballesteros、Subramanian、Kawakami、Dyer（2016），*Neural architectures for named entity recognition*，NAACL：LSTM 加 CRF。
# * Lafferty、McCallum、Pereira（2001），*Conditional random fields*，ICML；Viterbi（1967）。
# * Peng、Dredze（2015），EMNLP：中文实体识别里，给每个字带上它在词里的位置。
#
# 关于本课的更多论断，见本书的“论断”一页，或运行 `python -m course_lib claims list`：TagLM 就是 ELMo 吗？加了 CRF 就一定合法吗？只用状态够不够？
#
# 练习：`exercises/05_taglm`。TagLM 用的是两个互相独立的语言模型，而且只取顶层。第 06 课让两个方向共用词层和 softmax，放在一起训练，再把每一层都拿出来用：这就是 ELMo。
