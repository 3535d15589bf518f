# %% [markdown] key="title" lang="en"
# # 05 · A language model as an adviser: context2vec and TagLM
#
# After this lesson you can
#
# * give a vector to the *gap* in a sentence, and find words that fill it;
# * say why tags should be chosen together, and do it: forward algorithm and Viterbi;
# * build a tagger that listens to a frozen language model, at one of three places;
# * measure what that is worth with 1, 10 and 100 % of the labels, against fair controls.
#
# Running time, measured on two cores: two minutes (quick profile: half a minute).
# The papers: Melamud, Goldberger, Dagan, *context2vec*, CoNLL 2016; Peters, Ammar,
# Bhagavatula, Power, *Semi-supervised sequence tagging with bidirectional language models*,
# ACL 2017. Its system is TagLM: a language-model-*augmented sequence tagger*.

# %% [markdown] key="title" lang="zh" follows="9a4cbed5"
# # 05 · 请语言模型当顾问：context2vec 与 TagLM
#
# 学完本课，你能够
#
# * 给句子里的一个*空格*算出向量，并找出能填进去的词；
# * 说清标签为什么要放在一起选，并且会选：前向算法和维特比算法；
# * 搭一个序列标注器，让它听取冻结的语言模型的意见，接入的位置有三种；
# * 在 1%、10%、100% 的标注下，用公平的对照测出这位顾问值多少分。
#
# 在双核电脑上实测两分多钟（精简规模约半分钟）。论文：Melamud、Goldberger、Dagan，*context2vec*，CoNLL 2016；Peters、Ammar、Bhagavatula、Power，*Semi-supervised sequence tagging with bidirectional language models*，ACL 2017。后者的系统叫 TagLM，意思是“用语言模型*增强的序列标注器*”。

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
# Lesson 04 ended with a wish: layers that read words *in context*, learned without labels.
# Cover a word and read the rest:
#
# > She sat on the ____ and watched the river go by.
# >
# > She went to the ____ and asked for a loan.
#
# Nobody needs to see the word to know that it is another *bank*. So let us compute a vector
# of the gap. An average of the other words is one (our baseline since lesson 00). But an
# average cannot tell *the dog bit ____* from *____ bit the dog*. For that one must read in
# order.
#
# An **LSTM** is a *recurrent* network: it reads one word after another and carries a memory
# $m$ and a state $h$ along. At word $t$, let $z = [x_t; h_{t-1}]$ be the word's vector and the
# last state, laid end to end. From $z$ it computes three gates between 0 and 1 and some new
# content $g$, each with a matrix $W$ and a bias $b$ of its own, learned with the rest:
#
# $$\begin{aligned} i &= \sigma(W_i z + b_i), & f &= \sigma(W_f z + b_f), \\
# o &= \sigma(W_o z + b_o), & g &= \tanh(W_g z + b_g). \end{aligned}$$
#
# $f$ says what to keep, $i$ what to add, $o$ what to show ($\odot$ multiplies number by number):
#
# $$m_t = f \odot m_{t-1} + i \odot g, \qquad h_t = o \odot \tanh(m_t).$$
#
# Where $f = 1$ and $i = 0$, the memory goes past a word unchanged, and what was read long ago is
# kept. So $h_t$ may hold anything that was read up to word $t$, and nothing of what comes later.
# (Papers call the memory $c_t$; we need that letter for the vector of the gap.)
#
# **context2vec** runs one LSTM from the left up to the gap, another from the right down to it,
# and joins their states by two dense layers with a ReLU between (an MLP):
#
# $$c_t = \mathrm{MLP}\big(\,[\,\overrightarrow{\mathrm{LSTM}}(w_1 \dots w_{t-1});\
# \overleftarrow{\mathrm{LSTM}}(w_T \dots w_{t+1})\,]\,\big).$$
#
# The two LSTMs have parameters of their own. Look at the indices: $w_t$ is not there. Where
# should $c_t$ lie? Near the vector $u$ of the word that did stand in the gap, and far from $k$
# words drawn at random. That is the loss of skip-gram (lesson 02), with a whole sentence
# where skip-gram has one word:
#
# $$-\log\sigma(c_t \cdot u_{w_t}) - \sum_{i=1}^{k}\log\sigma(-c_t \cdot u_{n_i}),
# \qquad n_i \sim p(n) \propto \mathrm{count}(n)^{3/4}.$$
#
# So contexts and words live in *one* space: the nearest words to a gap are those that could
# fill it.
#
# ![In one step of an LSTM the memory runs straight from left to right, multiplied by the forget gate f and increased by input gate i times candidate g, while all four are computed from z = [x; h] and the output gate o shows tanh of the memory as the new state h.](drawing:lstm_cell)
#
# ![One LSTM reads from the left up to the gap, another from the right down to it; an MLP joins their two states into the gap's vector c, which is pulled near the vector of the word that stood there and pushed away from those of k = 10 words drawn at random.](drawing:context2vec)

# %% [markdown] key="gap" lang="zh" follows="7f01516f"
# ## 1 · 空格的向量
#
# 第 04 课结束时留下一个愿望：有一些层，能把词放在*上下文里*读，而且不用标注就能学会。先把一个词盖住，读剩下的：
#
# > 她 削 了 一个 ____ 给 孩子 吃 。
# >
# > ____ 发布 了 一款 新手机 。
#
# 不用看那个词，就知道两个“苹果”不是一回事。那就给这个空格算一个向量。把其他词的向量平均一下，是一种办法（第 00 课以来的基线）。可是平均不管次序：“猫 追 \_\_\_\_”和“\_\_\_\_ 追 猫”在它眼里一样。要分清，就得按次序读。
#
# **LSTM** 是一种循环网络：一个词一个词地读，随身带着一份记忆 $m$ 和一个状态 $h$。读到第 $t$ 个词时，把词的向量 $x_t$ 和上一步的状态首尾相接，记作 $z = [x_t; h_{t-1}]$，由它算出三个 0 到 1 之间的门，和一份新内容 $g$（各有各的矩阵 $W$ 和偏置 $b$，和别的参数一起学）：
#
# $$\begin{aligned} i &= \sigma(W_i z + b_i), & f &= \sigma(W_f z + b_f), \\
# o &= \sigma(W_o z + b_o), & g &= \tanh(W_g z + b_g) \end{aligned}$$
#
# $f$ 定留什么，$i$ 定添什么，$o$ 定露出什么（$\odot$ 是逐个数相乘）：
#
# $$m_t = f \odot m_{t-1} + i \odot g, \qquad h_t = o \odot \tanh(m_t)$$
#
# 某一处若 $f = 1$、$i = 0$，记忆就原样越过这个词，很早读到的东西也能一直留着。所以 $h_t$ 里可以有读到第 $t$ 个词为止的一切，后面的却一点也没有。（论文里记忆写作 $c_t$；这个字母，我们要留给空格的向量。）
#
# **context2vec** 用两个 LSTM，一个从左边读到空格为止，另一个从右边读到空格为止，再用两个全连接层（中间一个 ReLU，合称 MLP）把两个状态合起来：
#
# $$c_t = \mathrm{MLP}\big(\,[\,\overrightarrow{\mathrm{LSTM}}(w_1 \dots w_{t-1});\
# \overleftarrow{\mathrm{LSTM}}(w_T \dots w_{t+1})\,]\,\big)$$
#
# 两个 LSTM 的参数各是各的。看下标：里面没有 $w_t$。$c_t$ 应该落在哪里？要靠近原来站在空格里的那个词的向量 $u$，远离随机抽来的 $k$ 个词。这就是 skip-gram 的负采样损失（第 02 课），只不过 skip-gram 拿一个词去猜，这里拿整句话去猜：
#
# $$-\log\sigma(c_t \cdot u_{w_t}) - \sum_{i=1}^{k}\log\sigma(-c_t \cdot u_{n_i}),
# \qquad n_i \sim p(n) \propto \mathrm{count}(n)^{3/4}$$
#
# 于是上下文和词住在*同一个*空间里：离空格最近的词，就是能填进去的词。
#
# ![LSTM 的一步：记忆从左到右笔直穿过，只乘上遗忘门 f，再加上输入门 i 与候选内容 g 的乘积；三个门和 g 都由 z = [x; h] 算出，输出门 o 让 tanh(m) 露出来，成为新的状态 h。](drawing:lstm_cell)
#
# ![一个 LSTM 从左边读到空格为止，另一个从右边读到空格为止；MLP 把两个状态合成空格的向量 c，让它靠近原来那个词的向量，远离随机抽来的 k = 10 个词的向量。](drawing:context2vec)

# %% key="gap-code"
from course_lib.models.context2vec import Context2Vec, Gaps, number_words
from course_lib.training import loop

course_lib.source(Context2Vec.read, Context2Vec.loss)

# %% [markdown] key="gap-train" lang="en"
# The authors read a very large corpus of the web. We read what a minute allows, so expect a
# taste, not the dish. The cell says which text it is.

# %% [markdown] key="gap-train" lang="zh" follows="7b361220"
# 原论文用的是很大的网络语料，我们只读一分钟能读完的，尝个味道，别指望是一桌菜。用的是什么语料，下面会打印出来。

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
gaps = {
    "en": ["he was born in [] .", "she went to the [] and asked for a loan .",
           "the company said its [] rose .", "they sat on the [] and watched the river ."],
    "zh": ["我 在 网上 买 了 一本 [] 。", "这个 [] 很 好吃 。",
           "他 出生 在 [] 。", "她 削 了 一个 [] 给 孩子 吃 。"],
}[t.language]  # fmt: skip
for gap in gaps:
    tokens = gap.split()
    (context,) = model.contexts([tokens], [tokens.index("[]")])
    found = [word for word, _ in model.fillers(context, k=7)]
    print(gap.replace("[]", "____"), "→", t(", ", "、").join(found))

# %% [markdown] key="gap-leak" lang="en"
# Does $c_t$ really not see word $t$? The gradient knows. Row $t$, column $s$: does the
# context of position $t$ depend on word $s$? (The first and the last column are the marks
# `<S>` and `</S>`.)

# %% [markdown] key="gap-leak" lang="zh" follows="0b40622b"
# $c_t$ 真的没有看到第 $t$ 个词吗？问梯度就知道。第 $t$ 行、第 $s$ 列表示：位置 $t$ 的上下文依不依赖第 $s$ 个词。（最左和最右两列是句子标记 `<S>` 和 `</S>`。）

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
# **What to see.** Every cell is filled but the word's own: the context is all of the
# sentence except the word. (Compare the biLM of lesson 06, whose state at $t$ *has* read
# word $t$.)
#
# Now the test of the course: can the sense of the hidden word be told from $c_t$? The
# opponent is the average of static vectors that ship; they were learned from far more text.
# The card adds a fairer pair, several times: both read the same 200,000 words.

# %% [markdown] key="gap-senses" lang="zh" follows="04d93e0b"
# **看什么。** 除了词自己那一格，其余都有颜色：上下文就是整句话减去这个词。（可以和第 06 课的 biLM 比较，它在位置 $t$ 的状态是*读过*第 $t$ 个词的。）
#
# 接着做全课程共用的测试：只看 $c_t$，能不能说出被盖住的词是哪个义项？对手是随课程发布的静态向量的平均，它们读过的语料比这里多得多。卡片里另有一组公平的比较，换几个随机种子各跑一遍：两边读同样的二十万词。

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
# Now a task: find the spans. Tag **B** begins a span, **I** continues it, **O** is outside.
# A network gives each word a score for each tag:
#
# | | in | New | York |
# |---|---|---|---|
# | O | **3** | 0 | 0 |
# | B | 0 | 1 | 1 |
# | I | 0 | **1.5** | **2** |
#
# Take the best tag of each word: **O I I**. A span that goes on without having begun! *New*
# alone looks a little more like the middle of a name than like its beginning; no word is
# wrong by itself, the *sequence* is. So score pairs, too: let $A_{O,I}=-4$ (a span does not
# start with I), $A_{B,I}=1$, a sentence starting with I cost 4, and all else 0. The score of
# a sequence is a sum,
#
# $$s(x, y) = b_{y_1} + \sum_t P_{t, y_t} + \sum_{t>1} A_{y_{t-1}, y_t} + e_{y_T},$$
#
# and O B I gets $3 + 1 + (1 + 2) = 7$, O I I only $3 + (-4 + 1.5) + 2 = 2.5$. ($P$ is the table
# above, with a row here for each word; $b$ scores the first tag, $b_I = -4$, and $e$ the last.)
#
# This is a **conditional random field** (CRF). It makes probabilities of scores by a softmax
# over *whole sequences*, $p(y \mid x) = e^{s(x,y)} / Z$. Here there are $3^3 = 27$ of them,
# in a sentence of 25 words with 20 tags $20^{25}$. Two old algorithms spare us from writing
# them down.
#
# ![A BiLSTM reads three words and a dense layer gives each word an emission score for the tags O, B and I; transition scores stand on the lines between neighbouring tags, and the thick path O B I has the highest sum, 7.](drawing:bilstm_crf)

# %% [markdown] key="crf" lang="zh" follows="696a4cb8"
# ## 2 · 标签要放在一起选
#
# 现在来看一个任务：找出实体。标签 **B** 是实体的第一个字，**I** 是后面的每一个字，**O** 是实体以外的字。网络给每个字的每种标签打分：
#
# | | 在 | 北 | 京 |
# |---|---|---|---|
# | O | **3** | 0 | 0 |
# | B | 0 | 1 | 1 |
# | I | 0 | **1.5** | **2** |
#
# 每个字各挑最高分：**O I I**。一个没有开头的实体！单看“北”字，接在别的字后面（湖北、河北、东北）的可能，还略大于当开头的可能。哪个字单独看都不算错，错在*连起来*。所以相邻的标签也要打分：$A_{O,I}=-4$（实体不能从 I 开始），$A_{B,I}=1$，句子以 I 开头扣 4 分，其余都是 0。一串标签的总分是
#
# $$s(x, y) = b_{y_1} + \sum_t P_{t, y_t} + \sum_{t>1} A_{y_{t-1}, y_t} + e_{y_T},$$
#
# O B I 得 $3 + 1 + (1 + 2) = 7$ 分，O I I 只有 $3 + (-4 + 1.5) + 2 = 2.5$ 分。（$P$ 就是上面那张表，只是每个字占一行；$b$ 给第一个标签打分，$b_I = -4$；$e$ 给最后一个标签打分。）
#
# 这就是**条件随机场**（CRF）。它对*整串*标签做 softmax，把分数变成概率：$p(y \mid x) = e^{s(x,y)} / Z$。这里一共 $3^3 = 27$ 串；要是一句 40 个字、7 种标签，就有 $7^{40}$ 串，写到天荒地老也写不完。好在有两个老算法。
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
course_lib.source(CRF.partition, CRF.decode)

# %% [markdown] key="viterbi" lang="en"
# **Viterbi, by hand.** Write the best score of any beginning that *ends with tag $j$ here*.
# First column: $3, 0, -4$. Then for each tag the best way to come:
#
# * *New*, O: from O, $3 + 0 + 0 = 3$. B: from O, $3 + 0 + 1 = 4$. I: from O it would be
#   $3 - 4 + 1.5 = 0.5$, from B it is $0 + 1 + 1.5 = 2.5$. Keep 2.5, *and remember B*.
# * *York*, O: from B, 4. B: from B, 5. I: from B, $4 + 1 + 2 = 7$; from I $2.5 + 0 + 2 = 4.5$.
#
# The best end is I with 7. It came from B, which came from O. Nine sums a step, not 27
# sequences: $K^2 T$ in place of $K^T$.
#
# **The forward algorithm** is the same walk with another way to unite: where Viterbi keeps
# the largest, it adds all up, $\alpha_{t,j} = P_{t,j} + \log\sum_i e^{\alpha_{t-1,i} + A_{i,j}}$.
# For *New*, I: $\log(e^{-1} + e^{1} + e^{-4}) + 1.5 = 2.63$. At the end it has
# $\log Z$, and the loss of the right tags is $\log Z - s(x, y)$. Its gradient is worth
# knowing: for each tag at each word, *expected minus observed*.

# %% [markdown] key="viterbi" lang="zh" follows="977abe23"
# **维特比算法，手算一遍。** 每一格写下：*到这里为止、以标签 $j$ 结尾*的所有开头里最高的分数。第一列是 $3, 0, -4$。往后，每个标签都问一句“从哪里来最划算”：
#
# * “北”，O：从 O 来，$3 + 0 + 0 = 3$。B：从 O 来，$3 + 0 + 1 = 4$。I：从 O 来只有 $3 - 4 + 1.5 = 0.5$，从 B 来是 $0 + 1 + 1.5 = 2.5$。记下 2.5，*还要记住是从 B 来的*。
# * “京”，O：从 B 来，4。B：从 B 来，5。I：从 B 来，$4 + 1 + 2 = 7$；从 I 来是 $2.5 + 0 + 2 = 4.5$。
#
# 末尾最高的是 I，7 分。它从 B 来，B 又从 O 来。每一步只算九个和，不用写 27 串：$K^T$ 变成了 $K^2 T$。
#
# **前向算法**走的是同一条路，只是汇合的方式不同：维特比留下最大的，它把所有的加起来，$\alpha_{t,j} = P_{t,j} + \log\sum_i e^{\alpha_{t-1,i} + A_{i,j}}$。“北”的 I 这一格是 $\log(e^{-1} + e^{1} + e^{-4}) + 1.5 = 2.63$。走到头就得到 $\log Z$，正确标签的损失是 $\log Z - s(x, y)$。它的梯度值得记住：对每个字的每种标签，都是*期望减去观测*。

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
# **What to see.** In the circles stand Viterbi's values. A dark line says where a value came
# from; the thick line is the path that is left when one walks back from the best end. The
# size of a circle is the *probability* of the tag at that word, which is the gradient of
# $\log Z$ by that score (the *expected* of "expected minus observed"). The light lines were
# tried and dropped.
#
# ## 3 · The tagger, and where an adviser may sit
#
# The tagger of Peters et al.: a word enters as its characters (a small char-CNN, lesson 06
# explains it) and its word vector, $x_t = [c_t; w_t]$. (The paper's letters: $c_t$ is here made
# of the characters, it is not the gap's vector of section 1.) Two bidirectional LSTM layers
# (for entities the paper has GRUs, their relatives) read the sentence, a dense layer makes scores, a CRF chooses. Word vectors are all it has from
# text without labels: its *layers* begin at random. With few labelled sentences it sees few
# contexts.
#
# The adviser is a language model that has read millions of words. For each word we take its
# top state $g_t = [\overrightarrow{h}_t; \overleftarrow{h}_t]$ and join it to what the tagger
# has. The language model stays frozen; the labels train only the tagger, whose next layer
# reads 256 numbers more for each word (about half as many parameters again, not counting
# the word vectors). It can be joined at three places:
#
# | `place` | what the next layer reads |
# |---|---|
# | "input" | $[c_t; w_t; g_t]$ |
# | "after first" | $[h_{1,t}; g_t]$: the paper's choice |
# | "after second" | $[h_{2,t}; g_t]$, straight to the scores |
#
# Popular accounts say that TagLM feeds the states to the tagger's *input*. That was one of the
# variants the paper tried.
#
# ![On the left, from bottom to top, a tagger: characters and word vectors, two BiLSTM layers, a dense layer with a CRF, tags; on the right a frozen language model in grey, whose states g can be joined to the tagger's input, after its first layer, which is the paper's choice, or after its second.](drawing:taglm)

# %% [markdown] key="trellis-see" lang="zh" follows="9ada631e"
# **看什么。** 圆圈里是维特比的分数。深色的线表示这个分数从哪里来；从最好的末尾往回走，剩下的就是那条粗线。圆圈的大小是这个字取这种标签的*概率*，它等于 $\log Z$ 对这个分数的梯度，也就是上面说的“期望”。浅色的线试过，但被放弃了。
#
# ## 3 · 标注器，以及顾问坐在哪里
#
# Peters 等人的标注器：一个词进来，带着它的字符（经过一个小的字符卷积，第 06 课细讲）和词向量，$x_t = [c_t; w_t]$（沿用论文的记号：这里的 $c_t$ 来自字符，不是第 1 节里空格的向量）；两层双向 LSTM（论文的实体标注器用的是它的近亲 GRU）读句子，一个全连接层打分，CRF 来选。它从无标注文本里得到的只有词向量，上面的*层*都从随机值开始；标注的句子少，它见过的上下文就少。
#
# 顾问则是读过几百万词的语言模型。对每个词，取它顶层的状态 $g_t = [\overrightarrow{h}_t; \overleftarrow{h}_t]$，拼到标注器已有的向量上。语言模型保持冻结，标注只用来训练标注器；和原来相比，下一层每个词要多读 256 个数（不算词向量，参数多了差不多一半）。拼接的位置有三种：
#
# | `place` | 下一层读到的 |
# |---|---|
# | "input" | $[c_t; w_t; g_t]$ |
# | "after first" | $[h_{1,t}; g_t]$：论文的选择 |
# | "after second" | $[h_{2,t}; g_t]$，直接去打分 |
#
# 流行文章说 TagLM 把状态拼到标注器的*输入*上。其实那只是论文试过的方案之一。
#
# **中文的两个麻烦。** MSRA 的实体标在*字*上，而我们的语言模型读的是*词*。办法是先用 jieba 分词，词的状态发给它的每个字。这样一来，带顾问的标注器就知道了词的边界，不公平；所以每个字都带上它在词里的位置（B 开头、I 中间、E 末尾、S 单独成词），不带顾问的也一样。另外，这个语言模型读过的语料里就有 MSRA 的文本，包括测试句（当然没有标签）；这相当于事先见过考卷上的课文，只是没见过答案。
#
# ![左边从下到上是标注器：字符和词向量、两层 BiLSTM、全连接层与 CRF、标签；右边灰色的是冻结的语言模型，它的状态 g 可以拼到三个位置：输入、第一层之后（论文的选择）、第二层之后。](drawing:taglm)

# %% key="tagger-code"
from course_lib.analysis.tagging import span_f1
from course_lib.models import tagger as taggers

course_lib.source(taggers.Tagger.forward, taggers.Tagger.join)

# %% [markdown] key="reach" lang="en"
# Does the place matter? It decides how far the advice can travel. Joined above both LSTM
# layers, $g_t$ reaches only the score of its own word. Joined below one of them, it reaches
# the scores of all.

# %% [markdown] key="reach" lang="zh" follows="c8bc0906"
# 位置有什么要紧？它决定意见能传多远。拼在最上面，$g_t$ 只能影响自己这个词的分数；拼在某层 LSTM 下面，就能传到整句。

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
        xlabel=t("advice about word s", "关于第 s 个词的意见"),
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
# ## 4 · Train it, live
#
# Chunking: cut a sentence into noun phrases, verb phrases and so on (CoNLL-2000, official test
# set), with a tenth of the labels. A span counts if its start, its end and its name are all
# right; F1 is the harmonic mean of precision (which share of the spans found are right) and
# recall (which share of the right spans were found). All taggers get the same labelled
# sentences and the same 500 sentences to choose the best moment by. (Those 500 are labels,
# too. We do not count them, for any of the taggers.)

# %% [markdown] key="live" lang="zh" follows="e32adb74"
# ## 4 · 现场训练
#
# 任务是命名实体：在 MSRA 的句子里找出人名、地名、机构名，只用十分之一的标注。（“全部标注”在这里是 4000 句：MSRA 有五万多句，为了让实验跑得完，从中均匀抽出 4000 句。）起点、终点、类别全对，才算找对一个实体；F1 是精确率（找出来的实体有几成是对的）和召回率（该找的实体找到了几成）的调和平均。所有标注器用同样的标注句子，也用同样的 500 句来挑选该停的时刻。（这 500 句其实也是标注，对谁都没有算进去。）

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
with tqdm(total=6, file=sys.stdout) as bar:  # `fit` measures six times

    def measured(gold, guessed):
        bar.update()
        return span_f1(gold, guessed)

    on_dev = taggers.fit(plain, train_set, dev, 1, measured, steps)
live = {"none": span_f1([x.tags for x in test.examples], plain.tag(test))}
print(t("F1 on dev, six times:", "开发集 F1，共六次："), [round(x, 3) for x in on_dev],
      t("seconds:", "秒："), round(time.perf_counter() - began))  # fmt: skip

# %% [markdown] key="transitions" lang="en"
# What has the CRF learned about neighbours? The cell below shows $A$. Read the columns that
# begin with I: which tags may come before? Blue pairs are welcome, red ones are not.

# %% [markdown] key="transitions" lang="zh" follows="3e96dc82"
# CRF 学到了怎样的邻居关系？下图是 $A$。看以 I 开头的几列：它们前面可以是什么？蓝色的组合受欢迎，红色的不受欢迎。

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
for way in tqdm(("forward", "both"), file=sys.stdout):
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
# One run, one draw of labels: a story, not evidence. The course keeps runs of several seeds,
# with 1, 10 and 100 % of the labels where they were measured. A seed draws which sentences
# have labels and how the parameters begin. The grey line is a linear classifier that looks
# at a word, its ends and its neighbours, with no pre-training at all. (Entities are a
# Chinese task, MSRA, capped at 4,000 labelled sentences. Its sentences, those of the test
# too, were in the Chinese language model's text, without their labels.)

# %% [markdown] key="curve" lang="zh" follows="20a11977"
# 一次运行、一次抽样，只能当故事，当不了证据。课程里存着若干个随机种子的结果，标注为 1%、10%、100%（测过几种就画几种）。种子决定哪些句子有标注、参数从哪里开始。灰线是一个线性分类器，只看这个词、它的首尾和左右邻居，完全没有预训练。（前面说过，MSRA 的句子，连同测试句，中文语言模型都读过，只是没见过标签。）

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
# **What to see.** Advice is worth most where own experience is short: the differences, on the card below, shrink with
# the number of labels and are significantly above 0 everywhere. In chunking a tenth of the labels with the states
# comes close to all of them without (92.6 % against 93.1). The second direction significantly adds to the first, but
# for entities with all labels, where it cannot be told (a difference of 2.3 points would have been found). And look
# where the grey line runs: a model with pre-trained states must first beat the best one without.
#
# ## 5 · Claims, checked
#
# First the gain itself, as differences within a seed.

# %% [markdown] key="curve-see" lang="zh" follows="3e8c6f53"
# **看什么。** 自己经验少的时候，顾问最值钱：下面卡片上的差，标注越多越小，但处处显著大于 0。英文组块上，有了这些状态，十分之一的标注就快赶上不用状态时的全部标注了（92.6% 对 93.1%）。在前向之外再加后向，还有显著的提高，只有实体任务标注用足时看不出来（真差 2.3 个点，是查得出来的）。也看看灰线在哪里：用了预训练的模型，先要赢过不用预训练的模型里最好的那个。
#
# ## 5 · 逐条核对
#
# 先看增益本身：同一个种子之内的差。

# %% key="cards" fold=true
claims.card("taglm_gain").show(t)

# %% [markdown] key="controls" lang="en"
# Why does it help? A tagger with an adviser also has more parameters and a second network.
# Four controls, chunking with a tenth of the labels:
#
# * **labelled text**: a language model that has read the labelled sentences and nothing else (a smaller one: one layer,
#   128 numbers a word in place of 256);
# * **layer 0**: the same language model, but its layer that knows no context;
# * **alone**: the states, a dense layer and the CRF; no words, no characters, no LSTM;
# * the other two **places**.

# %% [markdown] key="controls" lang="zh" follows="aeb3abf9"
# 为什么有用？请了顾问的标注器，参数也多了，还多了一个网络。做四种对照（英文组块，十分之一的标注）：
#
# * **只读有标注的文本**：语言模型只读过那些有标注的句子，别的什么也没读过（它也小一些：只有一层，每个词 128 个数，不是 256 个）；
# * **第 0 层**：还是那个语言模型，但取它不看上下文的那一层；
# * **单独使用**：只有状态、一个全连接层和 CRF，没有词、没有字符、没有 LSTM；
# * 另外两个**位置**。

# %% key="controls-cards" fold=true
parts = claims.card("taglm_place").rows
LABELS = {
    "none": t("no language model", "没有语言模型"),
    "both": t("both, after first (TagLM)", "双向，第一层之后（TagLM）"),
    "input": t("both, at the input", "双向，输入处"),
    "after second": t("both, after second", "双向，第二层之后"),
    "alone": t("states alone", "只有状态"),
    "layer 0": t("layer 0, no context", "第 0 层，不看上下文"),
    "labelled text": t("model of the labelled text", "只读有标注文本的模型"),
}
spans = {m: s for (m, _), s in claims.over_seeds(parts, "f1").items()}
claims.show_table(
    t(("language model's states", "F1, %"), ("语言模型的状态", "F1（%）")),
    [(LABELS[m], f"{100 * s.estimate:.1f}") for m, s in spans.items()],
)
print(t("seeds:", "种子数："), len({row["seed"] for row in parts}))
for key in ("taglm_own_text", "taglm_place"):
    claims.card(key).show(t)

# %% [markdown] key="controls-seen" lang="en"
# **What to see.** Most of the gain comes already with *layer 0*, which knows no context: a vector made from the spelling, learned
# from millions of words, tells the tagger what kind of word a rare one is. Context adds the last two points. A language model of
# the labelled text alone adds one point of the nine: significant, but little; most of the gain needs the further text. (That model is
# smaller, too; what is due to size and what to text was not separated.) As to the place: whether input or first layer is better cannot be
# told; after the second layer is significantly worse, for there no LSTM can work on the advice any more. And the states alone come within two points
# of the whole tagger.

# %% [markdown] key="controls-seen" lang="zh" follows="5f608929"
# **看什么。** 大半的增益，不看上下文的*第 0 层*就已经带来了：由写法算出的向量是从一千多万词里学来的，罕见词是哪一类词，它能告诉标注器。上下文再添最后两个百分点。只读过有标注文本的语言模型，在将近九个点里只占一个：显著，但很少；增益的大头靠的是多读的文本。（它也小一些；几分来自大小，几分来自文本，没有分开测。）至于放在哪里，输入处和第一层之后哪个好，看不出来；放到第二层之后则显著地差，那里已经没有 LSTM 来消化顾问的话了。只用状态，离完整的标注器也只差两个点。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The same test for every model of the course. TagLM is no vector of a word, so the row of
# this lesson is context2vec's.

# %% [markdown] key="scoreboard" lang="zh" follows="3a7d32bf"
# ## 记分牌
#
# 课程里的每个模型都做同一个测试。TagLM 不是词的向量，所以本课上榜的是 context2vec。

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
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "05")

# %% [markdown] key="board-seen" lang="en"
# **What to see.** context2vec's vector holds what stands *around* a word and nothing of the word: so it is the worst for parts of
# speech. The biLM's layer 2, which TagLM adds to a tagger, is well above “each word's commonest tag”: it holds the word and its
# context. It has also read far more.

# %% [markdown] key="board-seen" lang="zh" follows="b3c393fe"
# **看什么。** context2vec 的向量装的是词*周围*的东西，词本身一点也没有，所以词性垫底。TagLM 加给标注器的是 biLM 的第 2 层，它明显高过“每个词最常见的标签”：词和上下文它都装着。不过它读过的文本也多得多。

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
# word, the frozen language models 256. What does the *second* layer of the tagger read?
#
# <details><summary>A. The 256 numbers of the language models.</summary>
#
# Not quite: that is the control "states alone", without the tagger's own words,
# characters and layers.
#
# </details>
#
# <details><summary>B. Characters, word vector and the 256 numbers.</summary>
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
# <details><summary>D. 456 numbers: its first layer's and the states.</summary>
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

# %% [markdown] key="checkpoint" lang="zh" follows="152c0261"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** “猫 追 \_\_\_\_”和“\_\_\_\_ 追 猫”，哪种办法能给这两个空格算出不同的向量？
#
# <details><summary>A. context2vec。</summary>
#
# 对。左边一个 LSTM、右边一个 LSTM，各按次序读到空格为止，读到的东西不一样。
#
# </details>
#
# <details><summary>B. 其他词的静态向量取平均。</summary>
#
# 再想想：平均不管次序：两句里的其他词都是“猫”和“追”，结果分毫不差。
#
# </details>
#
# <details><summary>C. 两种都能，因为空格的位置不同。</summary>
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
# **4.** 按论文的做法搭 TagLM：标注器第一层双向 LSTM 每个词给出 200 个数，冻结的语言模型给出 256 个数。标注器的*第二层*读到什么？
#
# <details><summary>A. 字符、词向量，再加 256 个数。</summary>
#
# 再想想：这是接在“输入处”，流行文章的说法。论文试过，选的却是另一处。
#
# </details>
#
# <details><summary>B. 只有语言模型的 256 个数。</summary>
#
# 再想想：这是“单独使用”那项对照，标注器自己的词、字符和层全没了。
#
# </details>
#
# <details><summary>C. 456 个数，第一层的和语言模型的。</summary>
#
# 对。两者拼在一起，这就是“第一层之后”。接在这里，第二层还能把意见传给别的词。
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
# ## 想一想
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
# LSTM 看到的是字，看不到邻居正要选的标签。两种切法差不多好时，各选各的，可能一半选这种、一半选那种。“南京市长江大桥”就是例子。
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
