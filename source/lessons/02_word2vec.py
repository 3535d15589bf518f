# %% [markdown] key="title" lang="en"
# # 02 · word2vec: prediction made cheap
#
# After this lesson you can
#
# * say where the network of 2003 spends its time, and what may go if only the vectors matter;
# * turn a text into training pairs, in both directions: CBOW and skip-gram;
# * write the loss of negative sampling, its gradient, and one step of training;
# * explain why frequent words are subsampled, and what the power 0.75 is for;
# * judge word vectors: *similar* is not *related*, and an analogy score depends on a rule;
# * give a score, or a difference of scores, a bootstrap interval.
#
# Running time, measured on two cores: under two minutes (quick profile: a quarter of one).
# Papers:
# Mikolov, Chen, Corrado, Dean, *Efficient estimation of word representations in vector
# space*, arXiv 1301.3781, here "2013a"; Mikolov, Sutskever, Chen, Corrado, Dean,
# *Distributed representations of words and phrases and their compositionality*, NIPS
# 2013, here "2013b".

# %% [markdown] key="title" lang="zh" follows="e830619f"
# # 02 · word2vec：让预测变得便宜
#
# 学完本课，你能够
#
# * 说出 2003 年的网络把时间花在哪里；如果只要词向量，哪些东西可以不要；
# * 把一段文本变成训练用的词对，两个方向都会：CBOW 和 skip-gram；
# * 写出负采样的损失、它的梯度，以及训练的一步；
# * 解释为什么要对常用词下采样，0.75 这个指数有什么用；
# * 评判词向量：“相近”不等于“相关”，类比题的分数还取决于一条规矩；
# * 用自助法给一个分数或者两个分数之差配上区间。
#
# 在双核电脑上实测不到两分钟（精简规模约十五秒）。论文：Mikolov、Chen、Corrado、Dean，*Efficient estimation of word representations in vector space*，arXiv 1301.3781，下文称 2013a；Mikolov、Sutskever、Chen、Corrado、Dean，*Distributed representations of words and phrases and their compositionality*，NIPS 2013，下文称 2013b。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import math
import sys
import time
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_lib import data
from course_lib.analysis import word_tests
from course_lib.models import nnlm, word2vec
from course_lib.text.documents import limited
from course_lib.text.vocabulary import Vocabulary

rng = np.random.default_rng(2)
_ = torch.manual_seed(2)

# %% [markdown] key="slow" lang="en"
# ## 1 · What made it slow
#
# Lesson 01 trained a network for some two minutes on about a million words. The news text
# that 2013a read has six billion. Where does the time go? Count the
# multiplications for *one* predicted word (2013a, eq. 2):
#
# $$Q = N \times D + N \times D \times H + H \times V,$$
#
# with $N$ words of context, $D$ features each, $H$ hidden units, $V$ words to choose from.
# (The first term is only a look-up.) The network of lesson 01 had $N=4$, $D=60$, $H=100$,
# $V=10{,}000$.

# %% [markdown] key="slow" lang="zh" follows="bf32f659"
# ## 1 · 慢在哪里
#
# 第 01 课的网络，一百来万词练了两分钟上下，而 2013a 要读的新闻有六十亿词。时间花到哪里去了？数一数预测*一个*词要做多少次乘法（2013a 公式 2）：
#
# $$Q = N \times D + N \times D \times H + H \times V,$$
#
# 其中上文有 $N$ 个词，每个词 $D$ 个特征，隐藏层 $H$ 个单元，候选词 $V$ 个。（第一项其实只是查表。）第 01 课的网络是 $N=4$，$D=60$，$H=100$，$V=10{,}000$。

# %% key="slow-count"
N, D, H, V = 4, 60, 100, 10_000
terms = {  # multiplications for one word, and the parameters behind them
    t("N × D, look up C", "N × D，查表 C"): (N * D, V * D),
    t("N × D × H, hidden layer", "N × D × H，隐藏层"): (N * D * H, N * D * H),
    t("H × V, output U", "H × V，输出层 U"): (H * V, H * V),
}
head = t(("term", "multiplications", "share", "parameters"),
         ("项", "乘法次数", "占比", "参数"))  # fmt: skip
total = sum(times for times, _ in terms.values())
rows = [
    dict(zip(head, (name, f"{times:,}", f"{times / total:.1%}", f"{size:,}")))
    for name, (times, size) in terms.items()
]
display(HTML(claims.table(rows)))

# %% [markdown] key="drop" lang="en"
# Nearly all the work, and most of the parameters, are in the last line: to
# predict one word, the model scores *every* word, because probabilities must add up to one.
# But suppose that nobody needs the prediction and only the by-product matters, the matrix $C$ of word
# vectors. Then three things may go:
#
# 1. **The probability.** No sum over $V$ words is needed if something cheaper also makes good vectors.
# 2. **The hidden layer.** Without it, the score of two words is the inner product of their vectors.
# 3. **Word order, and the rule against looking ahead.** A language model may not see the words to
#    the right. A model that only has to produce vectors may.
#
# 2013a dropped the second and the third; its softmax became a **hierarchical softmax**, a tree of about
# $\log_2 V$ yes-or-no decisions. 2013b dropped the first. This lesson builds what was left, so
# little that 1.6 billion words took less than a day, as the abstract of 2013a says.

# %% [markdown] key="drop" lang="zh" follows="84cb5ba5"
# 计算几乎全在最后一行，参数也大半在那里：概率加起来得等于一，所以预测一个词，就要给*所有*的词打分。可是，假如谁也不要这个预测，要的只是那个副产品，即词向量矩阵 $C$，那么有三样东西可以不要：
#
# 1. **概率。** 只要有更便宜的办法也能练出好向量，就不必对 $V$ 个词求和。
# 2. **隐藏层。** 去掉隐藏层，两个词向量直接作内积。
# 3. **词序，以及“不许看后文”的限制。** 语言模型不能偷看右边的词；只为得到词向量的模型可以看。
#
# 2013a 去掉了第二样和第三样，它的 softmax 换成了**层次 softmax**，即一棵二叉树，每次只作大约 $\log_2 V$ 次二选一；2013b 去掉了第一样。本课搭的就是剩下的部分。剩得这样少，按 2013a 摘要里的说法，十六亿词不到一天就学完了。

# %% [markdown] key="pairs" lang="en"
# ## 2 · A training example is a pair of words
#
# *She drank hot coffee from a small white cup.* Pick a word, the **centre word**, and look a
# few words to each side: these are its **context words**. The centre makes a pair with each of them.

# %% [markdown] key="pairs" lang="zh" follows="36156e53"
# ## 2 · 一个训练样本就是一对词
#
# “她端起杯子喝了一口热咖啡。”任取一个词，叫作**中心词**，向左右各看几个词，这些是它的**上下文词**。中心词和每个上下文词各成一对。

# %% key="pairs-print"
example = {
    "en": "she drank hot coffee from a small white cup".split(),
    "zh": "她 端起 杯子 喝 了 一口 热 咖啡".split(),
}[t.language]
for i, centre in enumerate(example):
    context = example[max(0, i - 2) : i] + example[i + 1 : i + 3]
    print(f"{centre:8}", "  ".join(f"({centre}, {word})" for word in context))

# %% [markdown] key="corpus" lang="en"
# The model will see nothing but such pairs: no sentence and no grammar. Now the same for
# a real text, in small letters, with the words that occur five times or more, 18,000 at most. Rarer
# words are left out *before* the windows are laid, so that their neighbours move together.

# %% [markdown] key="corpus" lang="zh" follows="2906d950"
# 模型看到的只有这样的词对，没有句子，也没有语法。现在换成真实的文本，只留出现五次以上的词，最多 18,000 个。更少见的词*先*去掉再铺窗口，所以它们两边的词会靠到一起。
#
# 中文还多一个问题：什么算“一个词”由分词软件决定，分法不同，词对就不同。这件事留到第 04 课。

# %% key="corpus-read"
corpus = data.best(t.language)
limit = course_lib.by_profile(full=1_500_000, quick=120_000)
text = [
    [word.lower() for word in sentence]
    for document in tqdm(limited(corpus.documents(), limit), unit=t(" texts", " 篇"), file=sys.stdout)
    for sentence in document
]
tally = Counter(word for sentence in text for word in sentence)
vocabulary = Vocabulary.from_counts(tally, size=18_000, min_count=5)
sentences = [vocabulary.encode(sentence) for sentence in text]
counts = np.array([0] + [tally[word] for word in vocabulary.words[1:]])  # (V,)
print(f"{sum(tally.values()):,}", t("words, of them", "个词，其中"), f"{counts.sum():,}",
      t("of the vocabulary; V =", "个在词表里；V ="), len(vocabulary))  # fmt: skip

# %% [markdown] key="dynamic" lang="en"
# How far should a window reach? Distant words matter less than near ones. Instead of
# weighting them, the paper draws the reach of each window anew, $R$ from $1, \dots, C$ with
# equal chances. ($C$ is here the largest reach, as in the paper, and no longer the matrix;
# ours is 5.) A neighbour at distance $d$ is in the window if $R \ge d$, that is, with
# probability $(C-d+1)/C$. The code treats a whole text at once, shifting it once
# for every distance.

# %% [markdown] key="dynamic" lang="zh" follows="cdf582e9"
# 窗口该多大？远的词不如近的词要紧。论文没有给它们加权，而是每到一个中心词就重新抽一次窗口的大小，$R$ 从 $1, \dots, C$ 里等概率地抽（这里的 $C$ 沿用论文的记号，指最大的窗口，我们取 5，不再是前面的词向量表）。距离为 $d$ 的词，只有 $R \ge d$ 时才落进窗口，概率是 $(C-d+1)/C$。下面的代码一次处理整段文本，每种距离把文本错开一次。

# %% key="dynamic-code"
course_lib.source(word2vec.windows)
stretch = [word for sentence in sentences for word in sentence if word][:50_000]
one_sentence = np.zeros(len(stretch), dtype=int)  # as if the text had no full stops
centres, contexts = word2vec.windows(np.array(stretch), one_sentence, 5, rng)
print(t("centres and contexts:", "中心词和上下文："), centres.shape, contexts.shape)

# %% key="dynamic-picture" fold=true
places = np.array([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5])
used = (contexts != word2vec.NONE).mean(axis=0)  # (10,)
figure, ax = plt.subplots(figsize=(6.4, 3.0))
ax.bar(places, used, width=0.7, label=t("counted in the text", "文本里数出来的"))
ax.plot(places, (6 - abs(places)) / 5, "o", color="C1", label="(C − d + 1) / C")
ax.set_xlabel(t("place, seen from the centre", "相对于中心词的位置"))
ax.set_ylabel(t("share of windows that reach it", "窗口够得着的比例"))
ax.set_xticks(places)
ax.set_ylim(0, 1.3)
ax.legend(loc="upper right")
course_lib.show(
    figure,
    alt=t(
        "Bars for the places -5 to 5 around the centre: all windows reach the nearest "
        "word, and a fifth fewer with every further step.",
        "中心词左右各五个位置的柱形图：紧挨着的词每个窗口都够得着，每远一步少五分之一。",
    ),
)

# %% [markdown] key="dynamic-see" lang="en"
# The bars agree with the formula: the nearest word is always used, the fifth only once in five
# times. Drawing the reach therefore *is* a weighting, and it saves work.
#
# The next picture lays windows for you. Move the centre, change the reach, draw again.
# Its lower half belongs to section 5: which words are subsampled, and
# which noise words are drawn. Come back to it then.

# %% [markdown] key="dynamic-see" lang="zh" follows="a1298c15"
# 柱子与公式相符：紧挨着的词次次都用上，第五个词五次才用上一次。所以随机抽取窗口大小本身*就是*加权，还省了计算。
#
# 下面这张图替你铺窗口。移动中心词，改窗口大小，再抽一次试试。图的下半部分属于第 5 节，显示哪些词被下采样丢掉，抽到了哪些噪声词，到时候再回来看。

# %% key="window-widget"
from course_lib.widgets import window_sampler

fit_for_show = [
    sentence
    for sentence in text
    if 10 <= len(sentence) <= 18 and set(sentence) <= vocabulary.ids.keys()
]
shown = [*fit_for_show[:: 1 + len(fit_for_show) // 4][:4], example]
known = {word: tally[word] for word in vocabulary.words[1:]}
window_sampler(known, shown, language=t.language)

# %% [markdown] key="directions" lang="en"
# ## 3 · The same pairs, two directions
#
# A pair can be asked in two ways. **CBOW** (continuous bag of words) is given the context
# and predicts the centre. It averages the context vectors, and because an average
# does not know in which order the words stood, it is called a *bag*. **Skip-gram** is given one word and
# predicts another one near it, pair by pair.

# %% [markdown] key="directions" lang="zh" follows="bcbd93d2"
# ## 3 · 同样的词对，两个方向
#
# 同一批词对有两种问法。**CBOW**（连续词袋）已知上下文，预测中心词。它把上下文的向量求平均，而平均数不知道词原来的次序，所以叫“袋”。**skip-gram** 已知一个词，预测它旁边的一个词，一对一对地问。

# %% key="directions-print"
i = 3 if t.language == "en" else 2
centre, context = example[i], example[i - 2 : i] + example[i + 1 : i + 3]
print("CBOW      ", f"{' + '.join(context)}  →  {centre}")
for word in context:
    print("skip-gram ", f"{centre}  →  {word}")

# %% [markdown] key="directions-cost" lang="en"
# Where CBOW has one question, skip-gram has as many as the window has words. So CBOW is
# faster, while in skip-gram each pair gets an answer of its own instead of a share in an
# average. Section 10 measures which vectors are better.
#
# One detail follows the released code: its skip-gram is given the *context*
# word and predicts the centre. Each pair of neighbours is met from both ends, so over a
# whole text the same pairs are asked.

# %% [markdown] key="directions-cost" lang="zh" follows="06762164"
# CBOW 只问一道题的地方，窗口里有几个词，skip-gram 就要问几道。所以 CBOW 快，而 skip-gram 里每一对词都单独算一题，不用和别的词平摊。哪种向量更好，第 10 节会测。
#
# 公开发布的代码有个小地方和论文不同，我们照代码来做：它的 skip-gram 给出的是*上下文*里的词，预测的是中心词。相邻的两个词会各当一次中心词，所以读完整段文本，问到的词对是一样的。

# %% [markdown] key="negative" lang="en"
# ## 4 · From a choice among V to k + 1 yes-or-no questions
#
# Every word $w$ has two vectors: the **input embedding** $v_w$ for when it is given, and the
# **output embedding** $v'_w$ for when it is the answer. Their inner product says how well two
# words go together. A softmax would turn the products
# into probabilities (2013b, eq. 2; $w_I$ is the word given, $w_O$ the answer, $W$ the size of
# the vocabulary, our $V$),
#
# $$p(w_O \mid w_I) = \frac{\exp({v'_{w_O}}^{\!\top} v_{w_I})}
#   {\sum_{w=1}^{W} \exp({v'_w}^{\!\top} v_{w_I})},$$
#
# but this has the sum over all words again. **Negative sampling** asks something
# easier: did a pair stand in the text, or was it made up? For each true
# pair (*coffee*, *cup*) draw $k$ **noise words** at random, which gives (*coffee*, *treaty*), (*coffee*, *of*), …,
# and learn to say yes to the first and no to the others. With the **sigmoid** $\sigma(x) = 1/(1+e^{-x})$ as
# probability of a yes, one maximises (eq. 4; the loss is its negative)
#
# $$\log \sigma({v'_{w_O}}^{\!\top} v_{w_I}) + \sum_{i=1}^{k}
#   \mathbb{E}_{w_i \sim P_n(w)} \Big[\log \sigma(-{v'_{w_i}}^{\!\top} v_{w_I})\Big].$$
#
# ($P_n$ is the distribution of the noise words, see section 5. In place of the expectation the code uses
# the $k$ words that were drawn.)
#
# The gradient is simple. For every product $s$ it is $\sigma(s) - y$: what
# the model says minus what is true ($y = 1$ for the true pair, $0$ for noise). Hence
#
# $$\frac{\partial\,\text{loss}}{\partial v'_w} = (\sigma(s_w) - y_w)\, v_{w_I}, \qquad
#   \frac{\partial\,\text{loss}}{\partial v_{w_I}} = \sum_{w} (\sigma(s_w) - y_w)\, v'_w .$$
#
# True pairs are pulled together and made-up pairs pushed apart; a question that the model already
# answers well changes almost nothing. The cell below checks the formulas against automatic differentiation.
#
# ![Two panels side by side: CBOW looks up the context words, averages their vectors and is asked for the centre; skip-gram looks up the centre and is asked for each context word; in both, the answer's vector is told from those of k = 5 noise words by yes-or-no questions.](drawing:cbow_skip_gram)

# %% [markdown] key="negative" lang="zh" follows="6c3c25bd"
# ## 4 · 从“V 里挑一”到 k + 1 道是非题
#
# 每个词 $w$ 有两个向量：作为已知词时用**输入向量** $v_w$，作为答案时用**输出向量** $v'_w$，两者的内积表示两个词合不合得来。用 softmax 可以把内积变成概率（2013b 公式 2；$w_I$ 是已知词，$w_O$ 是答案，$W$ 是词表大小，也就是我们的 $V$）：
#
# $$p(w_O \mid w_I) = \frac{\exp({v'_{w_O}}^{\!\top} v_{w_I})}
#   {\sum_{w=1}^{W} \exp({v'_w}^{\!\top} v_{w_I})},$$
#
# 可是这样又要对所有词求和。**负采样**问的问题容易些：一对词是文本里真有的，还是随手拼的？对每个真词对（咖啡，杯子），随机抽 $k$ 个**噪声词**来拼假的，得到（咖啡，条约）、（咖啡，的）等等，真的应答“是”，假的应答“否”。答“是”的概率取 **sigmoid** 函数 $\sigma(x) = 1/(1+e^{-x})$，要最大化的是（公式 4，损失是它的相反数）
#
# $$\log \sigma({v'_{w_O}}^{\!\top} v_{w_I}) + \sum_{i=1}^{k}
#   \mathbb{E}_{w_i \sim P_n(w)} \Big[\log \sigma(-{v'_{w_i}}^{\!\top} v_{w_I})\Big]$$
#
# （$P_n$ 是抽噪声词的分布，见第 5 节。代码里不算期望，就用抽到的那 $k$ 个词。）
#
# 梯度很简单。对每个内积 $s$，它就是 $\sigma(s) - y$，即模型的回答减去事实（真词对 $y = 1$，噪声 $y = 0$）。于是
#
# $$\frac{\partial\,\text{损失}}{\partial v'_w} = (\sigma(s_w) - y_w)\, v_{w_I}, \qquad
#   \frac{\partial\,\text{损失}}{\partial v_{w_I}} = \sum_{w} (\sigma(s_w) - y_w)\, v'_w$$
#
# 真词对互相拉近，假词对互相推开；模型已经答得好的题，几乎什么也不改。下面用自动求导来核对这两个公式。
#
# ![左右两幅图：CBOW 查出上下文各词的向量，求平均，问中心词；skip-gram 查出中心词的向量，逐个问上下文的词；两边都用是非题，把答案的向量和 k = 5 个噪声词的向量区分开。](drawing:cbow_skip_gram)

# %% key="gradient-check"
torch.manual_seed(2)
v = torch.randn(8, dtype=torch.float64, requires_grad=True)  # (D,): the given word
u = torch.randn(6, 8, dtype=torch.float64, requires_grad=True)  # (1+k, D): their v'
y = torch.tensor([1.0, 0, 0, 0, 0, 0], dtype=torch.float64)  # the first is true

s = u @ v  # (1+k,)
loss = -(y * torch.sigmoid(s).log() + (1 - y) * torch.sigmoid(-s).log()).sum()
loss.backward()  # automatic

error = (torch.sigmoid(s) - y).detach()  # (1+k,): by hand, from here on
by_hand = error @ u.detach(), torch.outer(error, v.detach())  # (D,), (1+k, D)
for name, ours, theirs in (("v", by_hand[0], v.grad), ("v'", by_hand[1], u.grad)):
    apart = float((ours - theirs).abs().max())
    print(f"{name:3}", t("largest difference:", "最大差异："), f"{apart:.1e}")

# %% [markdown] key="cost" lang="en"
# What does it cost? Instead of $V$ products there are $k + 1$; the paper found 5 to 20 noise words
# useful for small texts and 2 to 5 enough for large ones. We time both, forward and backward
# through lesson 01's network and one step of skip-gram, for vocabularies of different size.

# %% [markdown] key="cost" lang="zh" follows="359c78f7"
# 代价是多少？$V$ 个内积变成了 $k + 1$ 个；按论文的说法，小语料宜用 5 到 20 个噪声词，大语料 2 到 5 个就够。下面给第 01 课的网络（前向加反向一次）和 skip-gram 的一步计时，词表从小到大。


# %% key="cost-run"
B = 256


def network_step(V):
    """Make a function that runs lesson 01's network forward and backward on B words."""
    network = nnlm.NNLM(V)
    given, target = torch.randint(V, (B, 4)), torch.randint(V, (B,))
    return lambda: network(given, target)[1].backward()


def skip_gram_step(V):
    """Make a function that takes a step of skip-gram: B centres, 6 words around each."""
    model = word2vec.Word2Vec(V, 100)
    batch = [torch.randint(V, shape) for shape in ((B,), (B, 6), (B, 5))]
    return lambda: model.step("skip-gram", *batch, 0.025)


def microseconds(step, answers, times=5):
    """Run a step a few times; return the fastest, in processor time an answer."""
    found = []
    for _ in range(times):
        begun = time.process_time()
        step()
        found.append(time.process_time() - begun)
    return 1e6 * min(found) / answers


sizes = [1_000, 3_000, 10_000, 30_000]
price = {
    "NNLM": [microseconds(network_step(V), B) for V in sizes],
    "skip-gram": [microseconds(skip_gram_step(V), 6 * B) for V in sizes],
}

# %% key="cost-picture" fold=true
METHODS = "NNLM", "skip-gram", "CBOW", "GloVe", "fastText"
COLOURS = {name: f"C{k}" for k, name in enumerate(METHODS)}  # in all figures
figure, ax = plt.subplots(figsize=(6.4, 3.2))
for (name, values), mark in zip(price.items(), "os"):
    ax.loglog(sizes, values, marker=mark, color=COLOURS[name], label=name)
ax.set_xlabel(t("words in the vocabulary, V", "词表大小 V"))
ax.set_ylabel(t("microseconds per predicted word", "预测一个词要多少微秒"))
ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
ax.minorticks_off()
ax.legend()
course_lib.show(
    figure,
    alt=t(
        "Both axes logarithmic. The time of the network per predicted word rises with the "
        "vocabulary; that of skip-gram with five noise words stays about level.",
        "双对数坐标。神经网络预测一个词的时间随词表增大；skip-gram 用五个噪声词，时间大致不变。",
    ),
)
print(t("times cheaper at V = 30,000:", "V = 30,000 时，NNLM 的代价是 skip-gram 的多少倍："),
      round(price["NNLM"][-1] / price["skip-gram"][-1]))  # fmt: skip

# %% [markdown] key="not-a-lm" lang="en"
# The network's cost grows with the vocabulary; that of negative sampling
# hardly does. The price is the probability: $k+1$ separate answers need not add up to
# 1. Skip-gram with negative sampling (**SGNS**) is **not a language model**, and it has no
# perplexity. (A card in section 11 adds the answers up.)
#
# ## 5 · Which noise, and which words to skip
#
# Word frequencies are very uneven (**Zipf's law**). The next cell counts how many of the most
# frequent words make up half of the text; in Brown, with punctuation, it is 71 of 47,388. Two
# corrections follow.
#
# **Noise.** Drawn evenly from the vocabulary, most noise words would be rare, and easy
# to reject. Drawn as often as they occur, nearly one in ten would be *the* or *of*. The paper
# takes something between, counts raised to the power $3/4$:
#
# $$P_n(w) = \frac{\text{count}(w)^{3/4}}{\sum_{w'} \text{count}(w')^{3/4}}.$$
#
# It "outperformed significantly" both extremes, the paper says, without a table.
#
# **Subsampling.** *France* next to *Paris* is informative, *France* next to *the* hardly.
# So every occurrence of a word is dropped with probability (2013b, eq. 5)
#
# $$P(w_i) = 1 - \sqrt{t / f(w_i)},$$
#
# where $f$ is the word's share of the text and $t$ a threshold. Words rarer than $t$ all
# stay. And because words are dropped before the windows are laid, the windows of the rest
# reach further. (The paper's $t$ is typically $10^{-5}$, for a billion words. Ours is
# $10^{-4}$: this text is too small to drop more.)

# %% [markdown] key="not-a-lm" lang="zh" follows="999e4d9c"
# 神经网络的代价随词表增长，负采样的几乎不变。为此付出的是概率：$k+1$ 个互不相干的回答，加起来不必等于 1。所以带负采样的 skip-gram（**SGNS**）**不是语言模型**，没有困惑度可言。（第 11 节有张卡片真把这些回答加了起来。）
#
# ## 5 · 抽哪些噪声，跳过哪些词
#
# 词的频率极不均匀（**齐普夫定律**）。下面这格会数出，多少个最常见的词就占去一半篇幅：MSRA 的新闻连标点在内用了 81,266 个不同的词，其中 310 个就占一半。于是有两处修正。
#
# **噪声。** 从词表里均匀地抽，抽到的大多是生僻词，太容易看出是假的；按出现次数抽，每七个里就有一个是逗号或者“的”。论文取两者之间，用计数的 $3/4$ 次方：
#
# $$P_n(w) = \frac{\text{count}(w)^{3/4}}{\sum_{w'} \text{count}(w')^{3/4}}$$
#
# 论文说它“明显胜过”两个极端，但没有给出表格。
#
# **下采样。** “咖啡”挨着“杯子”能说明一些问题，“咖啡”挨着“的”几乎什么也不说明。所以一个词每次出现，都以下面的概率丢掉（2013b 公式 5）：
#
# $$P(w_i) = 1 - \sqrt{t / f(w_i)},$$
#
# $f$ 是这个词在文本里的占比，$t$ 是阈值，比 $t$ 还少见的词全部留下。因为丢词在铺窗口之前，剩下的词能看得更远。（论文的 $t$ 通常取 $10^{-5}$，用于十亿词的语料；我们的文本太小，不能再多丢，所以取 $10^{-4}$。）

# %% key="noise-code"
course_lib.source(word2vec.noise_distribution, word2vec.keep_probability)
keep = word2vec.keep_probability(counts)
noise = {power: word2vec.noise_distribution(counts, power) for power in (1.0, 0.75)}
head = [t("word", "词"), t("share of the text", "占文本"),
        t("share of the noise", "占噪声"), t("stays", "留下")]  # fmt: skip
words = t("the of he man water river bank boat", "的 在 中国 孩子 黄河 苹果")
watched = [word for word in words.split() if word in vocabulary.ids]
rows = []
for word in watched:
    i = vocabulary.ids[word]
    shares = noise[1.0][i], noise[0.75][i], keep[i]
    rows.append(dict(zip(head, (word, *(f"{share:.2%}" for share in shares)))))
display(HTML(claims.table(rows)))
print(t("of all words in the text there stay", "文本里的词留下"),
      f"{(keep * counts).sum() / counts.sum():.0%}")  # fmt: skip
ordered = np.sort(list(tally.values()))[::-1].cumsum()  # the most frequent words first
half = int(np.searchsorted(ordered, ordered[-1] / 2)) + 1
print(t(f"half of the text: {half} of {len(ordered):,} different words",
        f"占去一半篇幅的词：{len(ordered):,} 个里的 {half} 个"))  # fmt: skip

# %% key="noise-picture" fold=true
figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.4))
rank = np.arange(1, len(counts))
labels = {1.0: t("as in the text", "照原样"), 0.75: t("power 0.75", "0.75 次方")}
for power, style in ((1.0, "-"), (0.75, "--")):
    left.loglog(rank, noise[power][1:], style, label=labels[power])
left.axhline(1 / len(rank), color="C2", linestyle=":", label=t("all alike", "一律相等"))
left.set_xlabel(t("rank of the word, by frequency", "词的频率排名"))
left.set_ylabel(t("share of the noise words", "占噪声词的比例"))
left.legend()
frequency = counts[1:] / counts.sum()
right.semilogx(frequency, keep[1:], color="C0")
for k, word in enumerate(watched):
    i = vocabulary.ids[word]
    right.plot(frequency[i - 1], keep[i], "o", color="C1", markersize=5)
    below = k % 2 and keep[i] > 0.1
    aside = {"xytext": (-6, -11), "ha": "right"} if below else {"xytext": (5, 4)}
    place = frequency[i - 1], keep[i]
    right.annotate(word, place, textcoords="offset points", **aside)
right.set_xlabel(t("share of the text, f", "占文本的比例 f"))
right.set_ylabel(t("share of its occurrences that stay", "留下的比例"))
right.set_ylim(0, 1.2)
course_lib.show(
    figure,
    alt=t(
        "Left, logarithmic: the share of noise falls with a word's rank, steeply for raw "
        "counts, less so for the power 0.75, not at all if all are alike. Right: words up "
        "to a share of 0.0001 all stay, the most frequent mostly go.",
        "左图双对数：噪声占比随排名下降，照原样最陡，0.75 次方缓一些，一律相等是横线。右图：占比不到"
        "万分之一的词全部留下，最常见的词大半丢掉。",
    ),
)

# %% [markdown] key="noise-see" lang="en"
# On the left the dashed line is flatter: frequent words give up
# some of their share to rare ones. On the right the commonest words lose nearly all their
# occurrences, and those below one in ten thousand keep all. In the picture of section 2 you
# can change both $t$ and the power, and watch the sentence thin out.

# %% [markdown] key="noise-see" lang="zh" follows="b4ecfe3e"
# 左图的虚线更平，说明常用词让出一些份额给少见的词。右图里，最常见的词丢掉了绝大部分，占比不到万分之一的词原样保留。回到第 2 节的图，可以调节 $t$ 和指数，看句子怎样变稀。

# %% [markdown] key="step" lang="en"
# ## 6 · One step
#
# Here is all of it in code. The method takes a batch of centres with their contexts and
# updates both matrices. Its docstring names one departure from the original: the pairs of one
# centre share their noise words, which saves memory traffic.

# %% [markdown] key="step" lang="zh" follows="9dd1bbe8"
# ## 6 · 走一步
#
# 把以上各点全写成代码，就是下面这个方法。它取一批中心词和它们的上下文，更新两个矩阵。和原版有一处不同，注释里写明了：同一个中心词的各个词对共用一组噪声词，这样可以少读写一些内存。

# %% key="step-code"
course_lib.source(word2vec.Word2Vec.step)

# %% [markdown] key="slow-step" lang="en"
# Fast code hides mistakes. So here is the same step written as slowly and plainly as
# possible, one pair after another and one answer after another, for five pairs:
# centre 2 with two words of context and centre 5 with three.
#
# One choice has to be made. Should the second pair see what the first has changed? In the
# released code it does. In a batch it does not: all gradients are taken at the same old values. The
# function can do both.

# %% [markdown] key="slow-step" lang="zh" follows="f882d51d"
# 快的代码容易藏错。所以把同一步再写一遍，写得尽量慢、尽量直白，一对一对来，一个答案一个答案来。五个词对就够比较了，其中 2 号中心词带两个上下文词，5 号带三个。
#
# 有一点要先定：第二对词该不该看到第一对刚改过的值？公开发布的代码里看得到；成批计算则看不到，全部梯度都在旧值上取。下面的函数两种都能算。


# %% key="slow-step-code"
def slow_step(old, pairs, noise, lr, at_once):
    """Move both matrices pair by pair; `at_once`: all gradients at the old values."""
    new = vectors, contexts = [matrix.clone() for matrix in old]
    v, u = old if at_once else new
    for given, true in pairs:
        g = [(true, torch.sigmoid(u[true] @ v[given]) - 1)]
        g += [(w, torch.sigmoid(u[w] @ v[given])) for w in noise[true]]
        slope = sum(error * u[w] for w, error in g)  # (D,)
        was = v[given].clone()  # (D,): before this pair
        for w, error in g:
            contexts[w] -= lr * error * was
        vectors[given] -= lr * slope
    return new


five = [(0, 2), (1, 2), (3, 5), (4, 5), (0, 5)]  # (given, true): centres 2 and 5
noise_of = {2: [6, 7, 8], 5: [9, 7, 1]}
model = word2vec.Word2Vec(10, 20, seed=2, dtype=torch.float64)
model.vectors.normal_()
model.contexts.normal_()
before = model.vectors.clone(), model.contexts.clone()
slow = slow_step(before, five, noise_of, 0.025, at_once=True)
in_turn = slow_step(before, five, noise_of, 0.025, at_once=False)
batch = [[2, 5], [[0, 1, -1], [3, 4, 0]], list(noise_of.values())]  # -1: no word there
_ = model.step("skip-gram", *(torch.tensor(part) for part in batch), 0.025)
fast = model.vectors, model.contexts
for name, other in (
    (t("slow, all at the old values", "慢，全用旧值"), slow),
    (t("slow, each after the last", "慢，一对接一对"), in_turn),
    (t("no step at all", "一步也不走"), before),
):
    apart = max(float((a - b).abs().max()) for a, b in zip(fast, other))
    print(t("fast and ", "快的与“") + name + t("", "”"), f"{apart:.1e}")

# %% [markdown] key="slow-step-see" lang="en"
# The first number is rounding error: the batch and the slow step agree. The
# second is not zero, because word 0 is given twice and answers recur, but it
# is small beside the step itself (the third). That is the price of handling many pairs
# at once, and it grows with the size of the batch.
#
# ## 7 · Train both
#
# What remains is to read the text pass by pass, while the **learning rate** falls
# linearly to zero. Vectors have 100 dimensions, windows reach 5 words, and there are 5 noise words;
# the first rate is 0.025 for skip-gram and 0.05 for CBOW, as in the released code. (With CBOW
# that code, and gensim, moves each word of the window by the whole gradient of the mean; ours moves it by
# its share.)

# %% [markdown] key="slow-step-see" lang="zh" follows="40eb0609"
# 第一个数只是舍入误差，说明成批的一步和慢的一步结果一致。第二个数不是零，因为 0 号词两次作为已知词，同样的答案也反复出现，不过和一步本身的大小（第三个数）相比很小。这就是许多词对一起算的代价，批越大，代价越大。
#
# ## 7 · 两个都练
#
# 剩下的就是一遍一遍地读文本，**学习率**线性地降到零。向量 100 维，窗口最多 5 个词，噪声词 5 个；起始学习率照公开发布的代码，skip-gram 取 0.025，CBOW 取 0.05。（练 CBOW 时，那份代码和 gensim 都让窗口里每个词走平均向量的整个梯度，我们只走各自的一份。）

# %% key="train-run"
from course_lib.widgets import Snapshots, vectors_training

course_lib.source(word2vec.train)
D, EPOCHS = 100, 10
RATES = course_lib.by_profile(
    full={"skip-gram": 0.025, "CBOW": 0.05},  # as in the released code
    quick={"skip-gram": 0.1, "CBOW": 0.4},  # a shorter text needs longer steps
)
ON_MAP = slice(1, 3001)  # the commonest words, without <unk>


def fit(method):
    """Train a model; return it with snapshots of its commonest words."""
    model = word2vec.Word2Vec(len(vocabulary), D, seed=1)
    kept = [(0.0, math.nan, model.vectors[ON_MAP].numpy().copy())]

    def watch(done, loss):
        kept.append((done, loss, model.vectors[ON_MAP].numpy().copy()))

    options = {"method": method, "epochs": EPOCHS, "lr": RATES[method], "seed": 1}
    word2vec.train(model, sentences, counts, watch=watch, **options)
    done, losses, snapshots = zip(*kept)
    words_read = [share * EPOCHS * counts.sum() for share in done]
    return model, Snapshots(np.stack(snapshots), words_read, losses)


trained, runs = {}, {}
for method in ("skip-gram", "CBOW"):
    print(method)
    trained[method], runs[method] = fit(method)

# %% [markdown] key="train-map" lang="en"
# During training we kept the vectors of 3,000 words, some twenty times. Drag the slider
# from the first moment, when all is random, to the end. The map is one fixed projection to
# two dimensions; the neighbours in the list are found in all 100. Two lines above the map say what came out, so that
# nobody has to judge by eye: of the coloured groups of words, how many have a larger mean cosine among themselves than with
# any other group, at the start and at the end.

# %% [markdown] key="train-map" lang="zh" follows="6a54a837"
# 训练的时候，我们把 3,000 个词的向量存了二十来次。把滑块从全是随机数的那一刻拖到最后。地图始终是同一个二维投影，列表里的近邻则是在全部 100 维里找的。图上方的两行数字说明结果，免得只凭眼睛看：着色的几组词里，有几组的组内平均余弦高于它与任何别的组的平均余弦，先是训练开始时，再是结束时。

# %% key="train-widget" fold=true
GROUPS = {
    "en": {
        "money": "money pay paid buy cost tax dollars income market price bills",
        "river": "river water lake sea valley hills coast island beach boat bridge",
        "family": "mother father wife husband son daughter brother sister uncle child",
        "numbers": "two three four five six seven eight nine ten twenty",
        "arts": "music art jazz poetry dance stage artist songs poet literature",
        "war": "war army military soldiers weapons enemy battle troops officer",
    },
    "zh": {
        "体育": "比赛 冠军 球队 教练 队员 足球 决赛 运动员 联赛 队",
        "经济": "企业 市场 投资 资金 银行 贷款 贸易 出口 金融 生产",
        "国家": "美国 日本 法国 德国 英国 俄罗斯 印度 韩国 加拿大 意大利",
        "家人": "父亲 母亲 孩子 儿子 女儿 妻子 丈夫 妈妈",
        "军事": "军队 战争 武器 导弹 战斗 部队 军事 敌人",
        "天气": "小雨 多云 晴 气温 阴 阵雨 小雪 风",
    },
}[t.language]
BETWEEN = t({"bank": ("money", "river")}, {"打": ("体育", "军事")})
words_on_map = vocabulary.words[ON_MAP]
groups = {name: [w for w in words.split() if w in words_on_map]
          for name, words in GROUPS.items()}  # fmt: skip
groups = {name: words for name, words in groups.items() if len(words) >= 3}
if len(groups) < 2:  # a text of another kind: its own words, whatever they are
    names = t(("frequent", "less frequent"), ("常用", "较少"))
    groups = dict(zip(names, (words_on_map[:30], words_on_map[300:330])))
between = {word: two for word, two in BETWEEN.items()
           if word in words_on_map and set(two) <= groups.keys()}  # fmt: skip
place = {word: i for i, word in enumerate(words_on_map)}


def own_group(vectors):
    """Count the groups whose words have their largest mean cosine with their own."""
    x = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)  # (N, D)
    rows = [x[[place[word] for word in words]] for words in groups.values()]
    alike = np.array([[(a @ b.T).mean() for b in rows] for a in rows])  # (G, G)
    for i, a in enumerate(rows):  # without each word's cosine with itself, which is 1
        alike[i, i] = (alike[i, i] * len(a) - 1) / (len(a) - 1)
    return int((alike.argmax(axis=1) == np.arange(len(rows))).sum())


for method, (snapshots, *_) in runs.items():
    counted = " → ".join(f"{own_group(snapshots[i])} / {len(groups)}" for i in (0, -1))
    print(f"{method:10}", t("groups nearest to themselves:", "离自己最近的组："), counted)
vectors_training(runs, words_on_map, groups, between, language=t.language)

# %% [markdown] key="speed" lang="en"
# ## 8 · How fast is that?
#
# The usual library is gensim, whose inner loop is compiled C. Ours is Python
# that hands whole batches to torch. We compare them on the same text with the same settings, one pass, one thread,
# and count processor time, which other programs do not disturb.

# %% [markdown] key="speed" lang="zh" follows="8e44ef54"
# ## 8 · 这算快吗？
#
# 大家常用的库是 gensim，它最里层的循环是编译好的 C 代码；我们的是 Python，整批整批地交给 torch 去算。下面用同样的文本、同样的设置读一遍，单线程，计处理器时间，免得受别的程序干扰。


# %% key="speed-run"
from gensim.models import Word2Vec as Gensim

known_text = [[w for w in sentence if w in vocabulary] for sentence in text]


def speed(work):
    """Return how many words a second of processor time some work reads."""
    begun = time.process_time()
    work()
    return counts.sum() / (time.process_time() - begun)


def ours(method):
    """Make a function that reads the text once with our code."""
    model = word2vec.Word2Vec(len(vocabulary), D, seed=1)
    return lambda: word2vec.train(model, sentences, counts, method=method, epochs=1)


def gensims(method):
    """Make a function that reads the text once with gensim."""
    peer = Gensim(vector_size=D, window=5, negative=5, sample=1e-4, min_count=1,
                  sg=int(method == "skip-gram"), workers=1, seed=1)  # fmt: skip
    peer.build_vocab(known_text)
    return lambda: peer.train(known_text, total_examples=len(known_text), epochs=1)


head = [t("method", "方法"), t("ours, words/s", "我们，词/秒"),
        t("gensim, words/s", "gensim，词/秒"), t("ratio", "比值")]  # fmt: skip
rows = []
for method in ("skip-gram", "CBOW"):
    a, b = speed(ours(method)), speed(gensims(method))
    rows.append(dict(zip(head, (method, f"{a:,.0f}", f"{b:,.0f}", f"{a / b:.2f}"))))
display(HTML(claims.table(rows)))

# %% [markdown] key="judge" lang="en"
# On Brown we measured six tenths of gensim's speed for skip-gram and a quarter for CBOW: not bad
# for a page of Python, and a reason to use gensim for large texts. The two do not do quite the same work: gensim draws
# fresh noise for every pair, and its subsampling rule is a little milder, $\sqrt{t/f} + t/f$.
#
# ## 9 · Are they any good?
#
# ### Neighbours
#
# First by eye: the **nearest neighbours** by cosine in the two models just trained, and in a larger one that ships with the course,
# gensim's skip-gram on more text (`data/checkpoints` has its card).

# %% [markdown] key="judge" lang="zh" follows="94ec9b37"
# 英文版在 Brown 上我们测得：skip-gram 是 gensim 的六成，CBOW 是四分之一。一页 Python 能跑成这样不算差，文本大了还是该用 gensim。两边的计算并不完全一样，gensim 给每个词对都抽新的噪声，下采样的公式也略宽松，是 $\sqrt{t/f} + t/f$。
#
# ## 9 · 练得好不好？
#
# ### 近邻
#
# 先用眼睛看按余弦算的**最近邻**，除了刚练好的两个模型，还有一个随课程发布的大一些的模型，即 gensim 的 skip-gram，读的文本更多（模型卡在 `data/checkpoints`）。

# %% key="neighbours"
mine = {
    method: word_tests.keyed(vocabulary.words[1:], model.vectors[1:].numpy())
    for method, model in trained.items()
}
english = {"static-en": course_lib.load("static-en")}
chinese = {"static-zh": course_lib.load("static-zh")}
here = english if t.language == "en" else chinese
here |= mine  # so english (or chinese) has all three from here on
for word in t("river bank music doctor apple", "苹果 小米 打 比赛 医院").split():
    print(word)
    for name, vectors in here.items():
        if word in vectors:
            near = vectors.most_similar(word, topn=7, restrict_vocab=10_000)
            print(f"    {name:10}", t(", ", "、").join(w for w, _ in near))
        else:
            print(f"    {name:10}", t("fewer than 5 in its text", "文本里不到 5 次"))

# %% [markdown] key="similar" lang="en"
# On Brown, skip-gram's neighbours of *river* made sense (*valley*, *bay*,
# *mountains*), those of *apple* did not: nine occurrences are not enough. CBOW's were
# poorer throughout, from the same text. The larger model knows all five words. And *bank*?
# A word with two senses gets neighbours of both kinds, or only of the one that its text
# prefers; lesson 04 looks into that.
#
# ### Similar is not related
#
# *Coffee* and *cup* often stand together. They are **related**, but they are not
# **similar**: you drink the one and not the other. Two well-known tests ask people about one
# or the other. WordSim-353 asked how *related* two words are, SimLex-999 how *similar*, and
# explained the difference. The pairs are ranked by the model's cosine and by people's
# scores, and the two rankings are compared (**Spearman's rank correlation** $\rho$). Nine pairs are in both tests:

# %% [markdown] key="similar" lang="zh" follows="476948ee"
# 出现得多的词，近邻看得懂；出现得少的，近邻多半是碰巧。“苹果”在 MSRA 里只有 16 次，“小米”只有 1 次，进不了词表。读得多的那个模型都认识，只是“苹果”是水果还是公司，“小米”是粮食还是手机，要看它读的是什么。有两个义项的词，近邻要么两种都有，要么偏向文本里常用的那一种，第 04 课会细看。
#
# ### 相近不等于相关
#
# “咖啡”和“杯子”老在一起，它们**相关**，但并不**相近**，因为咖啡能喝，杯子不能。有两套著名的英文测试各问其一，WordSim-353 请人评两个词有多*相关*，SimLex-999 请人评有多*相近*，而且讲明了两者的区别。词对按模型的余弦排一次名次，再按人的评分排一次，比较两个名次（**Spearman 等级相关系数** $\rho$）。两套测试里有九对词是共同的。（课程找不到可以随带的中文测试集，所以这里用英文的 static-en。）

# %% key="similar-pairs"
pairs = {name: word_tests.similarity_pairs(name) for name in word_tests.SETS}
scores = {
    name: {frozenset((a.lower(), b.lower())): score for a, b, score in rows}
    for name, rows in pairs.items()
}
related, alike = scores["WordSim-353"], scores["SimLex-999"]
both = related.keys() & alike.keys()
both = sorted(both, key=lambda pair: related[pair] - alike[pair])
print("cup, coffee:", t("WordSim-353 has", "WordSim-353 的评分"),
      related[frozenset(("cup", "coffee"))], t("of 10", "（满分 10）"))  # fmt: skip

# %% key="similar-picture" fold=true
figure, ax = plt.subplots(figsize=(7.0, 3.6))
for place, pair in enumerate(both):
    ax.plot([alike[pair], related[pair]], [place, place], color="0.8", zorder=1)
for (found, mark, colour), label in zip(
    ((alike, "o", "C0"), (related, "s", "C1")),
    t(("similar? (SimLex-999)", "related? (WordSim-353)"),
      ("相近？（SimLex-999）", "相关？（WordSim-353）")),
):  # fmt: skip
    scored = [found[pair] for pair in both]
    ax.plot(scored, range(len(both)), mark, color=colour, label=label)
ax.set_yticks(range(len(both)), [" – ".join(sorted(pair)) for pair in both])
ax.set_xlim(0, 10)
ax.set_xlabel(t("mean score by people", "人的平均评分"))
ax.legend(loc="lower left")
course_lib.show(
    figure,
    alt=t(
        "Nine word pairs with two scores each. Coast and shore score high in both; student "
        "and professor are related but not similar.",
        "九对词，每对两个分数。coast 和 shore 两边都高；student 和 professor 相关但不相近。",
    ),
)

# %% [markdown] key="similar-see" lang="en"
# *Coast* and *shore* score high in both tests; *student* and *professor*, *closet* and
# *clothes*, *man* and *woman* are related but not similar. A pair has only one cosine, so no vectors can agree with both tests on
# these pairs. Which side do ours take?
#
# The table gives each $\rho$ an interval by the **bootstrap**. We have no second test of the same
# kind, so we draw one from the first: as many pairs as it has, *with replacement*. We do this a thousand times,
# compute $\rho$ each time, and report the range of the middle 95 %. No formula
# for the spread is needed.

# %% [markdown] key="similar-see" lang="zh" follows="21636e19"
# coast 和 shore 在两套测试里分数都高；student 和 professor、closet 和 clothes、man 和 woman 相关却不相近。一对词只有一个余弦，在这几对上，任何词向量都不可能同时符合两套测试。我们的向量偏向哪一边？
#
# 表里的 $\rho$ 都带区间，用的是**自助法**。我们没有第二份同类的测试，就从手头这份里*有放回*地抽，抽到一样多的词对为止，算一次 $\rho$；这样重复一千次，取中间 95% 的范围。用自助法不需要知道 $\rho$ 的波动有什么公式。

# %% key="similar-table"
from course_lib.analysis import senses, statistics

course_lib.source(statistics.resample, statistics.interval)
head = [t("vectors", "词向量"), "WordSim-353", t("pairs", "词对"), "SimLex-999",
        t("pairs", "词对") + " "]  # fmt: skip
rows = []
for name, vectors in english.items():
    found = [word_tests.correlation(vectors, pairs[test]) for test in pairs]
    cells = [name]
    for c in found:
        cells += [f"{c.rho:.2f} [{c.low:.2f}, {c.high:.2f}]", f"{c.covered}/{c.total}"]
    rows.append(dict(zip(head, cells)))
display(HTML(claims.table(rows)))

# %% [markdown] key="analogies" lang="en"
# The shipped vectors agree with people better on what is *related* than on
# what is *similar*. Words that share a topic share their contexts, and contexts are all
# that these models know. (Part of the gap may be due to the tests, which have other words and
# other people.) Compare two rows only where about the same pairs are covered, because a small
# vocabulary leaves out the rare words.
#
# ### Analogies, and a rule
#
# *Man is to king as woman is to …?* The paper answers with vectors: take
# $v_{king} - v_{man} + v_{woman}$, in general $v_b - v_a + v_c$, and name the nearest word
# (**3CosAdd**). The famous answer is *queen*. The paper adds: "we discard the
# input question words during this search". What if we do not?

# %% [markdown] key="analogies" lang="zh" follows="24e76ef0"
# 这份向量和人的看法，在“相关”上比在“相近”上更一致。话题相同的词，上下文也相同，而这些模型知道的只有上下文。（差距也有一部分来自测试本身，词不一样，评分的人也不一样。）词表小的模型不用答生僻的词对，所以覆盖的词对差不多时，两行才好比较。
#
# ### 类比题和一条规矩
#
# *男人之于国王，好比女人之于什么？* 论文用向量来答，算出 $v_{king} - v_{man} + v_{woman}$，一般地写作 $v_b - v_a + v_c$，取离它最近的词（**3CosAdd**）。那个出名的答案是 queen（王后）。论文里还有一句：“搜索时去掉题目里的词”。不去掉会怎样？

# %% key="analogies-code"
course_lib.source(word_tests.answers)
english_questions = word_tests.analogy_questions()
every = course_lib.by_profile(full=1, quick=10)  # quick: every tenth question only
kings = [("man", "king", "woman", "queen")]
for exclude in (True, False):
    said = word_tests.answers(english["static-en"], kings, exclude)
    print(t("query words left out:", "去掉题目里的词：") if exclude
          else t("nothing left out:    ", "什么也不去掉："), said)  # fmt: skip

# %% [markdown] key="own-questions" lang="en"
# The paper's 19,544 questions come in 14 sections; those whose name begins with *gram* are
# about grammar, the others about meaning. For Chinese we wrote our own in the same
# way: a list of pairs for each relation, and every two pairs of a list make a question.
# (Questions that share a pair are not independent. An interval computed from the number
# of questions would be far too narrow, so we give none.)
#
# Once the query words are excluded, *queen* might win merely as the nearest remaining neighbour of *woman*
# or of *king*. So two baselines are needed (Linzen 2016): the word nearest to $c$
# alone, and the one nearest to $b$ alone, with the same words excluded.

# %% [markdown] key="own-questions" lang="zh" follows="9c9fd8ff"
# 论文的 19,544 道题分 14 组，组名以 gram 开头的考语法，其余的考意思。中文题是我们自己写的，办法相同，每种关系列一串词对，任意两对拼成一题。中文几乎没有词形变化，所以没有“语法题”，另加了一组量词题，如“书 : 一本 = 汽车 : ？”。（共用一对词的题目彼此不独立，按题数算出来的区间会窄得离谱，所以这里不给区间。）
#
# 题目里的词一去掉，“王后”只要是剩下的词里离“女人”或“国王”最近的，就能胜出，用不着算什么差。所以要配两条基线（Linzen，2016）：同样去掉题目里的词，直接取离 $c$ 最近的，或者离 $b$ 最近的。

# %% key="own-questions-code" fold=true
PAIRS = {
    "首都 capitals": "中国 北京 日本 东京 法国 巴黎 英国 伦敦 德国 柏林 俄罗斯 莫斯科 泰国 曼谷 "
    "意大利 罗马 埃及 开罗 印度 新德里 美国 华盛顿 伊朗 德黑兰 西班牙 马德里 奥地利 维也纳 加拿大 渥太华",
    "省会 provinces": "广东 广州 浙江 杭州 江苏 南京 湖北 武汉 四川 成都 陕西 西安 山东 济南 辽宁 沈阳 "
    "吉林 长春 黑龙江 哈尔滨 湖南 长沙 江西 南昌 福建 福州 云南 昆明 贵州 贵阳 安徽 合肥",
    "家人 family": "爸爸 妈妈 爷爷 奶奶 哥哥 姐姐 弟弟 妹妹 儿子 女儿 父亲 母亲 丈夫 妻子 男人 女人 "
    "老公 老婆 叔叔 阿姨 男孩 女孩 男友 女友",
    "量词 measure words": "书 一本 汽车 一辆 衣服 一件 纸 一张 花 一朵 刀 一把 歌 一首 电影 一部 船 一艘 "
    "信 一封 画 一幅 酒 一瓶 茶 一杯 饭 一碗 公司 一家 学校 一所 比赛 一场 桥 一座",
}


def every_two(words):
    """Make a question of every two pairs: (a, b) and (c, d) give a : b = c : d."""
    pairs = list(zip(words[::2], words[1::2]))
    return [(*x, *y) for x in pairs for y in pairs if x != y]


chinese_questions = {name: every_two(words.split()) for name, words in PAIRS.items()}


def by_kind(sections):
    """Put the English sections into two kinds: meaning and grammar."""
    kinds = {}
    for name, asked in sections.items():
        kind = t("grammar", "语法") if name.startswith("gram") else t("meaning", "意思")
        kinds.setdefault(kind, []).extend(asked[::every])
    return kinds

# %% key="analogies-table"
def nearest_to(vectors, questions, place):
    """Answer with the word nearest to b (place 1) or c (place 2), not a query word."""
    near, found = {}, []
    for question in questions:
        spelled = [word_tests.spelling(vectors, word) for word in question[:3]]
        word = spelled[place]
        if word not in near:  # two more may be query words, so three are enough
            near[word] = [w for w, _ in vectors.most_similar(word, topn=3)]
        found.append(next(w for w in near[word] if w not in spelled))
    return found


def in_five_ways(vectors, questions):
    """Count the covered questions, and the answers that OUTCOMES names."""
    free = word_tests.answers(vectors, questions, exclude=False)
    known = [i for i, answer in enumerate(free) if answer]
    asked, free = [questions[i] for i in known], [free[i] for i in known]

    def right(answers):
        return sum(x.lower() == d.lower() for x, (*_, d) in zip(answers, asked))

    echoes = [x.lower() in map(str.lower, q[:3]) for x, q in zip(free, asked)]
    return (
        len(asked),
        right(word_tests.answers(vectors, asked)),
        right(nearest_to(vectors, asked, 2)),
        right(nearest_to(vectors, asked, 1)),
        right(free),
        sum(echoes),
    )


OUTCOMES = t(
    (
        "b − a + c, query words left out",
        "only c",
        "only b",
        "b − a + c, nothing left out",
        "answer is a query word",
    ),
    (
        "b − a + c，去掉题目里的词",
        "只用 c",
        "只用 b",
        "b − a + c，什么也不去掉",
        "答的是题目里的词",
    ),
)
head = t(("vectors", "questions", "covered"), ("词向量", "题目", "覆盖")) + OUTCOMES
rows, tested = [], {}
tests = [(english, by_kind(english_questions)), (chinese, chinese_questions)]
for models, kinds in tests:
    for name, vectors in tqdm(models.items(), unit=t(" models", " 个模型"), file=sys.stdout):
        for kind, questions in kinds.items():
            covered, *found = tested[name, kind] = in_five_ways(vectors, questions)
            shares = [f"{n / covered:.1%}" if covered else "–" for n in found]
            title = t(kind.split(" ", 1)[-1], kind.split(" ", 1)[0])
            cells = name, title, f"{covered}/{len(questions)}", *shares
            rows.append(dict(zip(head, cells)))
display(HTML(claims.table(rows)))

# %% key="analogies-picture" fold=true
chosen = {key: n for key, n in tested.items() if key[0].startswith("static")}
figure, ax = plt.subplots(figsize=(7.4, 3.6))
for k, label in enumerate(OUTCOMES[:4]):  # what is right
    heights = [found[k] / max(covered, 1) for covered, *found in chosen.values()]
    places = np.arange(len(chosen)) + 0.2 * (k - 1.5)
    ax.bar(places, heights, width=0.18, label=label, hatch=("", "//", "..", "xx")[k])
names = [kind.split(" ", 1) for _, kind in chosen]  # "首都 capitals" has both
ax.set_xticks(range(len(chosen)), [t(name[-1], name[0]) for name in names])
ax.axvline(1.5, ymax=0.82, color="0.7", linewidth=1)
ax.text(0.5, 0.47, "static-en", ha="center")
ax.text(3.5, 0.47, "static-zh", ha="center")
ax.set_ylim(0, 0.62)
ax.set_ylabel(t("share right", "答对的比例"))
ax.legend(loc="upper center", ncols=2, fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Bars for six kinds of questions: with the query words left out some are right, mostly "
        "more than with the word nearest to c or to b alone; with nothing left out nearly none.",
        "六类题目的柱形图：去掉题目里的词，答对一部分，多半比直接取离 c 或离 b 最近的词要多；什么也不去掉，几乎全错。",
    ),
)

# %% [markdown] key="analogies-see" lang="en"
# With the query words left out, the shipped vectors answer a good part of
# the English questions; with nothing left out, next to none, because some nineteen answers in
# twenty are a word of the question. Does
# the offset $v_b - v_a$ do anything at all? Compare the first bar with the second. The word
# nearest to $c$ alone is right half as often for meaning and a third as often for grammar; the
# word nearest to $b$ alone seldom. So the offset helps, doubling to tripling
# the score, but it does not reach the answer: unless the query words are excluded, the nearest word is one of them.
# (The task at the end asks whether a longer step would.)
# Analogy scores should be reported together with these baselines. (The models of section 7 are
# too small for either way.)
#
# The baselines teach most where they win. In Chinese the family words seemed to go best, with 30 %
# right when we ran it. But the word nearest to $c$ alone was right in 42 %: the nearest neighbour of
# “father” is “mother”, and no arithmetic is needed to find it. For capitals and provinces
# it was right in none, and the word nearest to $b$ in 2 to 3 %; there most of the 7 and 9 % is due to
# the offset.

# %% [markdown] key="analogies-see" lang="zh" follows="c5d13879"
# 去掉题目里的词，随课程发布的向量能答对一部分；什么也不去掉，就几乎全错，多数组里二十个答案有十九个左右是题目里的词（首都一组约六成）。那么差向量 $v_b - v_a$ 到底有没有用？比一比第一根和第二根柱子。英文题里，直接取离 $c$ 最近的词，意思题答对的是它的一半，语法题是三分之一；直接取离 $b$ 最近的，很少答对。可见差向量有用，能让分数变成两三倍；可是它走不到答案，如果不去掉题目里的词，最近的词多半就是它们。（步子迈大一点行不行，留到课末的任务。）报告类比题的分数，应当连同这两条基线一起写上。（第 7 节的两个模型太小，哪种办法都答不上几道。）
#
# 基线赢了的地方最能说明问题。中文的家人一组看上去答得最好，我们运行时对了 30%；可是直接取离 $c$ 最近的词，能对 42%，因为“父亲”的最近邻就是“母亲”，用不着做什么算术。首都和省会两组，只用 $c$ 一道也答不对，只用 $b$ 也不过 2%～3%，那 7% 和 9% 大半才真是差向量的功劳。

# %% [markdown] key="comparison" lang="en"
# ## 10 · Five methods, one text
#
# One run is an anecdote. So five methods were trained five times, with five seeds, on the same
# five million words (Brown, Reuters, BBC news, ABC, MASC), 100 dimensions each, and tested
# in the same way (`course_claims.experiments.comparison` has the code, `data/claims` the numbers). GloVe is
# lesson 03's. **fastText** (Bojanowski et al. 2017) is skip-gram in which the vector of a
# word is a sum over its **character n-grams**: *walking* has *wal*, *alki*, *king*, … The text is the same, but not
# the amount of reading: NNLM is so slow that it takes only 600 steps of 512 words, while the
# others read all of it five times (GloVe goes ten times over its table). The last column gives CPU seconds of the fastest and the slowest run.

# %% [markdown] key="comparison" lang="zh" follows="00ddd1a7"
# ## 10 · 五种方法，一份文本
#
# 只跑一次只是个例。所以我们用五种方法在同样的五百万英文词上（Brown、Reuters、BBC、ABC、MASC）各练了五次，一次一个随机种子，都是 100 维，测法也一样（代码在 `course_claims.experiments.comparison`，数字在 `data/claims`）。GloVe 是第 03 课的主角。**fastText**（Bojanowski 等，2017）是 skip-gram 的变种，一个词的向量由它的**字符 n 元组**相加而成，比如 walking 里有 wal、alki、king 等。文本相同，读的量却不同：NNLM 太慢，只走 600 步，每步 512 个词；其余几种把全文读 5 遍（GloVe 把计数表过 10 遍）。最后一栏是最快一次和最慢一次所用的处理器秒数。

# %% key="comparison-table"
runs_kept = claims.measured("static_comparison")
seeds = {row["seed"] for row in runs_kept}
TESTS = ["WordSim-353", "SimLex-999", "analogies, semantic", "analogies, syntactic"]
titles = t(TESTS, ["WordSim-353", "SimLex-999", "类比，意思", "类比，语法"])
titles = dict(zip(TESTS, titles))
measured = {
    metric: claims.over_seeds(runs_kept, metric, by=("model",))
    for metric in {row["metric"] for row in runs_kept}
}
ways = [name for (name,) in measured["CPU seconds"]]
rows = []
for way in ways:
    cells = {t("vectors", "词向量"): way}
    for test in TESTS:
        cells[titles[test]] = f"{measured[test][way,]:.2f}"
    took = [row["value"] for row in runs_kept
            if (row["metric"], row["model"]) == ("CPU seconds", way)]  # fmt: skip
    cells[t("seconds", "秒数")] = f"{min(took):.0f}–{max(took):.0f}"
    rows.append(cells)
display(HTML(claims.table(rows)))
print(t("seeds:", "随机种子："), len(seeds))
for test, kind in zip(TESTS, ("pairs ", "pairs ", "", "")):
    found = measured[f"covered {kind}{test}"][ways[0],]
    print(t("covered:", "覆盖："), titles[test], round(found.estimate))

# %% key="comparison-picture" fold=true
figure, axes = plt.subplots(1, 4, figsize=(9.6, 2.9), sharey=True)
for ax, test in zip(axes, TESTS):
    for place, way in enumerate(reversed(ways)):
        found = [row["value"] for row in runs_kept
                 if (row["metric"], row["model"]) == (test, way)]  # fmt: skip
        ax.plot(found, [place] * len(found), "o", color=COLOURS[way], alpha=0.7)
    ax.set_title(titles[test], fontsize=10)
    ax.set_xlim(left=min(0, ax.get_xlim()[0]))
    ax.set_xlabel(t("Spearman's rho", "Spearman 相关") if "analog" not in test
                  else t("share right", "答对的比例"))  # fmt: skip
axes[0].set_yticks(range(len(ways)), list(reversed(ways)))
course_lib.show(
    figure,
    alt=t(
        "Four panels, one for each test; in each the five methods with a point for each "
        "seed. The table above has the means.",
        "四幅小图，每个测试一幅；五种办法各有几个点，一个随机种子一个。平均数见上表。",
    ),
)

# %% [markdown] key="comparison-see" lang="en"
# The five runs of a method lie close together (less so for the NNLM, and for GloVe on the
# word pairs), and most methods are further apart than that. The network of 2003 has hardly begun in all its seconds. fastText answers most of the
# syntactic questions and few of the others: *slow* and *slowly* share their spelling, and
# that is most of what "syntactic" tests. Among CBOW, skip-gram and GloVe none
# is best everywhere. Most scores are low because the text is small; the papers read hundreds of
# times more.

# %% [markdown] key="comparison-see" lang="zh" follows="5e569af9"
# 同一种方法的五个点大多挤在一处（NNLM 散一些，GloVe 在词对上也散一些），方法之间的差别多半更大。2003 年的网络花的秒数不少，却刚刚起步。fastText 答对了多数语法题，意思题却没几道，因为 slow 和 slowly 拼写相近，而“语法”题考的多半就是拼写。CBOW、skip-gram、GloVe 三种，没有哪一种样样领先。分数大多不高，因为文本小，论文读的是它的几百倍。

# %% [markdown] key="claims" lang="en"
# ## 11 · Claims
#
# *CBOW is better on syntax, skip-gram on meaning.* For the first card these two were trained with
# ten seeds on the same five million words, and the differences are taken seed by seed. Lesson 00, section 5, explains the card's words.
#
# More claims about this lesson are on the book's claims page; `python -m course_lib claims list` prints them. (Is word2vec the
# same network as NNLM? Does the size of the text decide?)

# %% [markdown] key="claims" lang="zh" follows="5a875bcb"
# ## 11 · 几个论断
#
# 先看“CBOW 长于语法，skip-gram 长于语义”。为了这张卡片，两种方法在同样的五百万词上各练了十个种子，差值按种子一个一个地算。卡片上的用语，见第 00 课第 5 节。
#
# 关于本课的其他论断（word2vec 和 NNLM 是不是同一个网络？效果是不是主要看语料大小？）见网页书的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="claims-cards" fold=true
claims.card("cbow-syntax").show(t)

of_static_en = [n for (name, _), n in tested.items() if name == "static-en"]
asked_in_all, *right = (sum(n) for n in zip(*of_static_en))
heads = t(("static-en, all questions", "share"), ("static-en，全部题目", "比例"))
shares = [f"{n / asked_in_all:.1%}" for n in right]
answered = [dict(zip(heads, line)) for line in zip(OUTCOMES, shares)]
claims.card("king-queen").show(t, answered)


def yes_sums(model, words):
    """Add up the probability of a yes over all possible answers to each word."""
    ids = [vocabulary.ids[word] for word in words]
    scores = model.vectors[ids] @ model.contexts[1:].T  # (words, V-1)
    return torch.sigmoid(scores).sum(1).tolist()


heads = t(("given word", "sum of all yes answers"), ("题目", "所有“是”的概率之和"))
given = watched[:3]
totals = yes_sums(trained["skip-gram"], given)
sums = [dict(zip(heads, (w, f"{total:,.0f}"))) for w, total in zip(given, totals)]
claims.card("sgns-language-model").show(t, sums)
claims.card("similar-words").show(t)

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The course's own test has sentences with an ambiguous word whose sense is known. Can a
# representation tell the senses apart (lesson 00, section 2)? A word's own static
# vector is the same in every sentence, so at best it always names the commonest sense. What
# static vectors can do is describe the context: average the vectors of the *other* words of the
# sentence.

# %% [markdown] key="scoreboard" lang="zh" follows="16dfef61"
# ## 记分牌
#
# 课程自己的测试用一批含有多义词的句子，义项已知，看一种表示能不能把义项分开（办法见第 00 课第 2 节）。词自己的静态向量在每一句里都一样，最多只能每次都答最常见的义项。静态向量能做的是描述上下文，也就是把句子里*其他*词的向量平均一下。

# %% key="scoreboard-row"

began = time.perf_counter()
scores = {
    name + t(", averaged context", "，上下文平均"): claims.context_scores(
        vectors, t.language
    )
    for name, vectors in here.items()
}
seconds = (time.perf_counter() - began) / len(here)
display(HTML(claims.sense_table(scores, t)))
tokens = sum(len(sentence.tokens) for sentence in data.senses(t.language))
for name, vectors in here.items():
    print(f"{name:10}", t("parameters:", "参数："), f"{vectors.vectors.size:,}")
print(t("milliseconds per token, at most:", "每个词的毫秒数，至多："),
      f"{1000 * seconds / tokens:.3f}")  # fmt: skip

# %% [markdown] key="paired" lang="en"
# Skip-gram and CBOW answered the *same* sentences. So the interval of their difference comes from the **paired
# bootstrap** (Koehn 2004): whole sentences are drawn, each with both results. With $a_i, b_i \in \{0, 1\}$ for wrong and right,
# the difference is the mean of $d_i = b_i - a_i$, and only the sentences on which exactly one of
# them is right contribute. What makes a sentence hard for both cancels out.

# %% [markdown] key="paired" lang="zh" follows="daafd3ca"
# skip-gram 和 CBOW 答的是*同一批*句子，所以两者之差的区间用**配对自助法**（Koehn，2004）来算，抽的是句子，两个模型在它上面的结果一起取。用 $a_i, b_i \in \{0, 1\}$ 表示错与对，差值就是 $d_i = b_i - a_i$ 的平均，起作用的只有恰好一方答对的那些句子，对双方都难的部分相互抵消。

# %% key="paired-code"
course_lib.source(statistics.paired_bootstrap)
own = data.senses(t.language)
own = [s._replace(tokens=[w.lower() for w in s.tokens]) for s in own]


def sense_hits(vectors):
    """Say for each sentence whether its averaged context names the sense. (N,)"""
    x = senses.context_average(vectors, own, vectors.vector_size)  # (N, D)
    hits = np.zeros(len(own))
    for word in {s.word for s in own}:
        rows = [i for i, s in enumerate(own) if s.word == word]
        hits[rows] = senses.centroid_hits(x[rows], [own[i].sense for i in rows])
    return hits


a, b = sense_hits(mine["CBOW"]), sense_hits(mine["skip-gram"])
ahead = statistics.paired_bootstrap(a, b)
print(t("only CBOW right, only skip-gram right:", "只有 CBOW 对、只有 skip-gram 对："),
      round(float((a > b).sum())), round(float((b > a).sum())))  # fmt: skip
print(t("skip-gram minus CBOW:", "skip-gram 减 CBOW："), f"{ahead:+.1%}", f"n = {len(a)}")

# %% key="paired-picture" fold=true
d = b - a  # (N,)
draws = statistics.resample(lambda rows: d[rows].mean(), len(d), times=10_000)
figure, ax = plt.subplots(figsize=(6.4, 2.8))
ax.hist(100 * draws, bins=40, color="0.7")
ax.axvline(0, color="black", linestyle=":")
for end in (ahead.low, ahead.high):
    ax.axvline(100 * end, color="C4")
ax.set_xlabel(t("skip-gram − CBOW in a resample, points", "重抽样中的 skip-gram − CBOW（百分点）"))
ax.set_ylabel(t("resamples", "次数"))
course_lib.show(
    figure,
    alt=t(
        f"Histogram of the difference over 10,000 resamples; its middle 95 % reach from "
        f"{ahead.low:+.1%} to {ahead.high:+.1%}; a dotted line marks 0.",
        f"一万次重抽样得到的差值的直方图，中间 95% 从 {ahead.low:+.1%} 到 {ahead.high:+.1%}；点线标出 0。",
    ),
)

# %% [markdown] key="board" lang="en"
# The grey bars show how much the difference varies with the choice of sentences. On Brown, skip-gram alone was right on
# 170 sentences and CBOW alone on 57, a difference of 13.0 points [9.6, 16.3]. If 0 lies outside the two solid
# lines, the difference is significant for this choice; if it lies between them, these sentences
# cannot tell the two apart. Another training seed is a different question: the models above are one run each.
#
# **All models so far, the same questions** (lesson 01 explains the columns); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="9044678a"
# 灰色的柱子显示，换一批句子，差值会变多少。我们在 MSRA 上运行时，只有 skip-gram 对的有 164 句，只有 CBOW 对的有 76 句，差值是 9.5 个点，区间 [6.3, 12.7]。如果 0 在两条竖实线之外，差别就对句子的抽取而言是显著的；如果在两线之间，这批句子分不出两者的高下。换一个种子重新训练是另一个问题，上面的模型各只训练了一次。
#
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "02")

# %% [markdown] key="board-seen" lang="en"
# For senses CBOW and skip-gram are clearly above the NNLM, which read much less. For parts of speech they are about as good as
# “each word's commonest tag” (in Chinese not even that), because one vector a word cannot know which role it has here. In the cloze
# they are above chance, 10 %, and far from solving it.

# %% [markdown] key="board-seen" lang="zh" follows="2397f1a4"
# 论义项，CBOW 和 skip-gram 都明显高过 NNLM，不过 NNLM 读得少得多。论词性，它们还不如“每个词最常见的标签”，因为一个词只有一个向量，没法知道它在这一句里起什么作用。完形填空高过随机水平 10%，但离做对还远。

# %% [markdown] key="knob" lang="en"
# ## Predict, change, explain
#
# The offset $v_b - v_a$ helps but does not reach the answer (section 9). Is it merely too short? Then a longer step should arrive. Take
# $v_c + \lambda\,(v_b - v_a)$ with nothing left out, and set the knob $\lambda$ to 0, 1, 1.5, 2, 3 and 10. Predict first:
# which $\lambda$ answers the most family questions, and what goes wrong when it is too large?

# %% [markdown] key="knob" lang="zh" follows="0a6a9af9"
# ## 先预测，再改动，后解释
#
# 第 9 节说，差向量 $v_b - v_a$ 有用，却走不到答案。它只是太短吗？果真如此，步子迈大一点就该走得到。取 $v_c + \lambda\,(v_b - v_a)$，什么也不去掉，把 $\lambda$ 依次调到 0、1、1.5、2、3、10。先预测：哪个 $\lambda$ 答对的家人题最多？$\lambda$ 太大时会错在哪里？

# %% key="knob-run"
STEP = 1.0  # the knob: λ

name = t("static-en", "static-zh")
asked = t(english_questions["family"], chinese_questions["家人 family"])
table = course_lib.load(name)
spelled = [[word_tests.spelling(table, word) for word in q] for q in asked]
ids = np.array([[table.key_to_index[w] for w in q] for q in spelled if all(q)])  # (Q, 4)
units = senses.unit(table.vectors)  # (V, D)
a, b, c = (units[ids[:, k]] for k in range(3))  # (Q, D) each
said = ((c + STEP * (b - a)) @ units.T).argmax(axis=1)  # (Q,): nothing is left out
for label, k in ((t("right (d)", "答对（d）"), 3), ("c", 2), ("b", 1), ("a", 0)):
    print(f"{label:10} {(said == ids[:, k]).mean():.0%}")

# %% [markdown] key="knob-answer" lang="en"
# <details><summary>What comes out, and why</summary>
#
# The right answers go 0, 13, 23, 20, 16 and 1 %. At $\lambda = 1$ the answer is the starting word $c$ in 83 % of the
# questions. A somewhat longer step helps, so shortness is a part of it. But from $\lambda = 2$ on the commonest answer is
# $b$ (44 %, then 51 %), because $v_b - v_a$ is itself close to $v_b$. The step leads away from $c$ and mostly
# past $d$, towards $b$. (With the Chinese vectors it hardly ever stops at $d$: 1 % at best.)
#
# </details>

# %% [markdown] key="knob-answer" lang="zh" follows="0df1698a"
# <details><summary>会出现什么，为什么</summary>
#
# 六个 $\lambda$ 答对的比例最高也只有 1%。$\lambda = 1$ 时，88% 的答案是出发的词 $c$，12% 是 $b$；$\lambda = 1.5$ 时各占一半左右；$\lambda = 3$ 时，76% 是 $b$。步子大了，答案只是从 $c$ 换成 $b$，因为差向量 $v_b - v_a$ 本身就接近 $v_b$，所以问题不只是太短。（英文版的家人题里，$\lambda$ 从 1 加到 1.5，答对的从 13% 升到 23%，再往后也是答 $b$ 的最多。）
#
# </details>

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** You add up the probability of a *yes* over all words that might stand beside
# *river*: the sum is 340. What is wrong?
#
# <details><summary>A. The vectors are too long; after normalising them the sum is
# 1.</summary>
#
# Not quite: shorter vectors push every answer towards one half, and the sum towards V /
# 2. Nothing leads to 1.
#
# </details>
#
# <details><summary>B. Nothing.</summary>
#
# Right. Skip-gram with negative sampling answers separate yes-or-no questions. It is no
# language model, though it is often called one.
#
# </details>
#
# <details><summary>C. The training was too short; with time the sum goes to
# 1.</summary>
#
# Not quite: no term of the loss asks for that. Each question is answered on its own.
#
# </details>
#
# <details><summary>D. The softmax was forgotten: divide by 340 and you have the
# language model.</summary>
#
# Not quite: one can force numbers to add up to 1. They were still trained to tell
# neighbours from noise, left and right, not to predict the next word. Lesson 03
# measures how badly that works.
#
# </details>
#
# ---
#
# **2.** A true pair has the product s = 5. A noise pair has the product s = 5, too.
# Which of them is moved more by a step?
#
# <details><summary>A. The true pair, together.</summary>
#
# Not quite: the direction is right, the size is not: the model says *yes* already, so
# little is left to learn.
#
# </details>
#
# <details><summary>B. Both alike, since s is the same.</summary>
#
# Not quite: the gradient is not s but the *error*, and y differs.
#
# </details>
#
# <details><summary>C. The noise pair, apart.</summary>
#
# Right. The gradient is σ(s) − y. For the noise pair that is 0.993 − 0, for the true
# pair 0.993 − 1 = −0.007. What is answered well already changes almost nothing.
#
# </details>
#
# ---
#
# **3.** *the* makes up 6 % of a text. With the threshold t = 0.0001, which share of its
# occurrences stays?
#
# <details><summary>A. about 0.2 %</summary>
#
# Not quite: this is t / f, without the root.
#
# </details>
#
# <details><summary>B. about 96 %</summary>
#
# Not quite: this is the share that is *dropped*: the formula of the paper gives the
# probability of leaving out.
#
# </details>
#
# <details><summary>C. about 4 %</summary>
#
# Right. The root of 0.0001 / 0.06 is 0.041. Rarer words than t all stay, and the
# windows of the rest reach further.
#
# </details>
#
# <details><summary>D. all of them: only noise words are thinned out</summary>
#
# Not quite: two things are mixed up here. Subsampling thins out the text; the power 3/4
# changes how noise is drawn.
#
# </details>
#
# ---
#
# **4.** "Our vectors answer 40 % of the analogy questions: they compute with meanings."
# Which control is missing?
#
# <details><summary>A. The same questions with random vectors.</summary>
#
# Not quite: they would answer next to none. That rules out luck, which is not the issue here.
#
# </details>
#
# <details><summary>B. The same questions with nothing left out.</summary>
#
# Right. Usually the three words of the question are excluded as answers. Where they are
# not, almost every answer of our shipped vectors was one of them. The score belongs to
# the vectors *and* to that rule. (And a second one is missing: how many does the word
# nearest to c alone get right?)
#
# </details>
#
# <details><summary>C. More questions, for a narrower interval.</summary>
#
# Not quite: the number may be exact. The doubt is about what it measures.
#
# </details>
#
# ---
#
# **5.** Your vectors have *coffee* nearer to *cup* than to *tea*. Which test will hold
# that against them?
#
# <details><summary>A. SimLex-999.</summary>
#
# Right. It asked how *similar* they are: you drink coffee and tea, but not the cup.
# Vectors that know only contexts tend to the other side.
#
# </details>
#
# <details><summary>B. WordSim-353.</summary>
#
# Not quite: it asked people how *related* two words are, and coffee and cup stand
# together all the time.
#
# </details>
#
# <details><summary>C. Neither: there is one true nearness of words.</summary>
#
# Not quite: people gave two different answers, because they were asked two different
# things. One cosine a pair cannot agree with both.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="ebc85110"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 给定“黄河”，对词表里的每一个词都问一遍“它会不会在旁边”，再把答“是”的概率全部加起来，得 340。哪里出了错？
#
# <details><summary>A. 没练够，再练下去总和会趋近 1。</summary>
#
# 再想想：损失里没有哪一项要求这个。每道题各答各的。
#
# </details>
#
# <details><summary>B. 没有错。</summary>
#
# 对。带负采样的 skip-gram 答的是一道道互不相干的是非题，谁也没有要求加起来等于 1。它不是语言模型，尽管常有人这么叫它。
#
# </details>
#
# <details><summary>C. 忘了除以总和；除以 340，就得到下一个词的概率。</summary>
#
# 再想想：硬凑成 1 当然可以，但它练的是分辨真邻居和噪声，左右都看，并不是猜下一个词。第 03 课会量一量这样凑出来有多差。
#
# </details>
#
# ---
#
# **2.** 窗口最多 5 个词，每到一个中心词就重抽一次 R，从 1 到 5 等概率。距离为 4 的词，有多大机会用上？
#
# <details><summary>A. 2/5</summary>
#
# 对。R 等于 4 或 5 时才够得着。所以这样抽一抽就等于给近的词加了权。
#
# </details>
#
# <details><summary>B. 1/5</summary>
#
# 再想想：那是距离为 5 的词：只有 R = 5 才够得着。
#
# </details>
#
# <details><summary>C. 4/5</summary>
#
# 再想想：方向反了，越远机会越小。距离为 2 的词才是 4/5。
#
# </details>
#
# <details><summary>D. 1，因为 4 没有超过 5</summary>
#
# 再想想：窗口“最多”5 个词，不是每次都 5 个。
#
# </details>
#
# ---
#
# **3.** “的”占一份文本的 5%，阈值 t = 0.0001。下采样之后，“的”还剩百分之几？
#
# <details><summary>A. 大约 0.2%</summary>
#
# 再想想：这是 t / f，忘了开方。
#
# </details>
#
# <details><summary>B. 大约 95.5%</summary>
#
# 再想想：这是*丢掉*的比例：论文的公式给的是丢弃的概率。
#
# </details>
#
# <details><summary>C. 一个不少，丢的是噪声词</summary>
#
# 再想想：把两件事混了。下采样丢的是文本里的词；3/4 次方改的是噪声怎么抽。
#
# </details>
#
# <details><summary>D. 大约 4.5%</summary>
#
# 对。0.0001 / 0.05 开方是 0.045。剩下的词窗口看得更远，少见的词一个不丢。
#
# </details>
#
# ---
#
# **4.** “北京之于中国，好比东京之于什么？”算出向量之后，如果*不去掉*题目里的三个词，随课程发布的向量多半会答什么？
#
# <details><summary>A. 日本，因为差向量就是“某国的首都”这个关系。</summary>
#
# 再想想：这正是流行的说法。差向量确实有用，可是走不到那里。
#
# </details>
#
# <details><summary>B. 任意一个高频词，和随机水平差不多。</summary>
#
# 再想想：算出来的点离出发的词很近，所以答的并不随机，几乎总是题目里的词。
#
# </details>
#
# <details><summary>C. 题目里的某个词，这里是中国。</summary>
#
# 对。我们测过，像这样由首都问国家的题，十个答案里有九个是题目里的词。平时报告的准确率，是向量和“去掉题目里的词”这条规矩共同的结果。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Do you understand it?
#
# <details><summary>1. CBOW gets a sentence with its words shuffled inside each window.
# What changes?</summary>
#
# Nothing: the mean of the context does not know the order. Skip-gram does not notice
# either, as long as the same pairs are in the window.
# </details>
#
# <details><summary>2. What would training do if there were no noise words?</summary>
#
# Every question would have the answer yes. Making all products large answers them all: the
# vectors grow and grow in one direction, and say nothing.
# </details>
#
# <details><summary>3. *Good* and *bad* are near neighbours in most tables. Is that a
# mistake?</summary>
#
# Not of the training: they stand in the same contexts, and that is all it asks. They are
# related, and even the same kind of word. That they are opposites is not in the pairs.
# </details>
#
# <details><summary>4. What do the products come to, if there is room for every pair to be
# answered perfectly?</summary>
#
# With noise drawn as often as words occur, the best product of a pair is
# $\log \frac{P(w, c)}{P(w) P(c)} - \log k$: how much more often the two meet than chance
# would have it, shifted by $\log k$ (Levy and Goldberg 2014). So word2vec, too, is about
# counts of pairs. Lesson 03 starts from the counts.
# </details>
#
# ## What to read next
#
# * Mikolov, Chen, Corrado, Dean (2013a), arXiv 1301.3781: sections 2 to 4. Mikolov et al.
#   (2013b), NIPS: sections 2 and 3.
# * Levy and Goldberg (2014), *Neural word embedding as implicit matrix factorization*, NIPS.
# * Levy, Goldberg, Dagan (2015), *Improving distributional similarity with lessons learned
#   from word embeddings*, TACL 3: how much of the difference between methods is settings.
# * Hill, Reichart, Korhonen (2015), *SimLex-999*, Computational Linguistics 41: why similar
#   is not related.
# * Linzen (2016), *Issues in evaluating semantic spaces using word analogies*, RepEval: how
#   much of an analogy score needs no offset.
# * Lesson 03: GloVe, the same goal from a table of counts.

# %% [markdown] key="questions" lang="zh" follows="e6099adf"
# ## 检查一下自己
#
# <details><summary>1. 把每个窗口里的上下文打乱了再给 CBOW，会有什么变化？</summary>
#
# 没有变化：求了平均，就不知道次序了。skip-gram 也察觉不到，只要窗口里还是那些词对。
# </details>
#
# <details><summary>2. 如果一个噪声词也不抽，会练成什么样？</summary>
#
# 每道题的答案都是“是”。把所有内积都弄得很大，就全答对了：向量只顾朝一个方向越长越长，什么也没说。
# </details>
#
# <details><summary>3. “高”和“低”往往是近邻。这是毛病吗？</summary>
#
# 不是训练的毛病：它们的上下文一样，而训练只看上下文。它们相关，甚至是同一类词；意思相反这件事，词对里没有写。
# </details>
#
# <details><summary>4. 假如每一对词都能答到最好，内积会等于什么？</summary>
#
# 噪声照词频抽的话，一对词最好的内积是 $\log \frac{P(w, c)}{P(w) P(c)} - \log k$：两个词碰在一起的次数是碰巧的多少倍，取对数，再减去 $\log k$（Levy 和 Goldberg，2014）。所以 word2vec 说到底也是在数词对。第 03 课就从计数说起。
# </details>
#
# ## 接下来读什么
#
# * Mikolov、Chen、Corrado、Dean（2013a），arXiv 1301.3781：第 2 至 4 节。Mikolov 等（2013b），NIPS：第 2、3 节。
# * Levy、Goldberg（2014），*Neural word embedding as implicit matrix factorization*，NIPS。
# * Levy、Goldberg、Dagan（2015），*Improving distributional similarity with lessons learned from word embeddings*，TACL 3：各种办法的差别，有多少其实是设置的差别。
# * Hill、Reichart、Korhonen（2015），*SimLex-999*，Computational Linguistics 41：相近为什么不等于相关。
# * Linzen（2016），*Issues in evaluating semantic spaces using word analogies*，RepEval：类比题的分数里，有多少用不着差向量。
# * 第 03 课：GloVe，同一个目标，从计数表出发。
