# %% [markdown] key="title" lang="en"
# # 03 · GloVe: from counts to vectors
#
# After this lesson you can
#
# * fill in the **co-occurrence matrix** that GloVe is fitted to, and say why most of its counts are
#   noise;
# * explain why a *ratio* of two probabilities says more than either of them;
# * get from ratios to $w_i^\top \tilde w_k + b_i + \tilde b_k = \log X_{ik}$, step by step;
# * write down the weighted cost, minimise it with AdaGrad, and say what the weights are for;
# * name a simple baseline that is hard to beat, and say why neither it nor GloVe is a language
#   model.
#
# Running time, measured on one core: two minutes (quick profile: twenty seconds). The paper:
# Pennington, Socher, Manning, *GloVe: Global vectors for word representation*, EMNLP 2014.

# %% [markdown] key="title" lang="zh" follows="4106c714"
# # 03 · GloVe：从共现数到词向量
#
# 学完本课，你能够
#
# * 填出 GloVe 要拟合的**共现矩阵**，并说出填进去的数为什么大半是噪声；
# * 解释为什么两个概率的*比值*，比其中任何一个都说明问题；
# * 从比值一步步推到 $w_i^\top \tilde w_k + b_i + \tilde b_k = \log X_{ik}$；
# * 写出加权的损失，用 AdaGrad 训练，并说出权重有什么用；
# * 举出一条简单却很难超过的基线，并说明为什么它和 GloVe 都不是语言模型。
#
# 运行时间（实测）：单核约两分钟（精简规模约二十秒）。论文：Pennington、Socher、Manning，*GloVe: Global vectors for word representation*，EMNLP 2014。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import copy
import math
import sys
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_lib import data
from course_lib.analysis import statistics, word_tests
from course_lib.analysis.neighbours import nearest
from course_lib.models import glove
from course_lib.text.documents import limited
from course_lib.text.vocabulary import Vocabulary

# %% [markdown] key="count" lang="en"
# ## 1 · Who stands near whom
#
# word2vec goes through the text and takes a small step at each word. It meets the same pair again and again and
# learns a little each time. GloVe turns this round: **count first, learn afterwards**. It reads the text only once,
# to fill a **co-occurrence matrix** $X$ with a row and a column for each word: $X_{ik}$ says how often $k$ stood near
# $i$.
#
# "Near" means in the same sentence and within a **window** of a few words on either side. An adjacent word counts 1,
# and one that is $d$ words away counts only $1/d$, because it says less about $i$. Take the sentence *cold snow fell
# on snow* and a window of 3. Fill in the first row of $X$ by hand, then run the cell.

# %% [markdown] key="count" lang="zh" follows="c72248f1"
# ## 1 · 谁和谁挨得近
#
# word2vec 顺着文本往下读，每读到一个词就迈一小步，同一对词反复遇到，每次学一点。GloVe 反过来，**先计数，再学习**。它只读一遍文本，填好一个**共现矩阵** $X$，每个词占一行，也占一列，$X_{ik}$ 表示 $k$ 在 $i$ 附近出现过多少次。
#
# “附近”指的是在同一句话里，而且左右相距不超过一个**窗口**。紧挨着的词算 1 次，离得远的词和 $i$ 的关系弱一些，距离为 $d$ 时只算 $1/d$ 次。窗口取 3，请先自己填出“小 雪 落 在 雪 上”的第一行，再运行。

# %% key="count-by-hand"
sentence = t("cold snow fell on snow", "小 雪 落 在 雪 上").split()
small = Vocabulary.from_sentences([sentence], size=10)
X_small = glove.cooccurrences([small.encode(sentence)], len(small), window=3).toarray()
order = [small.ids[word] for word in dict.fromkeys(sentence)]  # as in the sentence
rows = [
    {"": small.words[i]} | {small.words[k]: f"{X_small[i, k]:.3g}" for k in order}
    for i in order
]
display(HTML(claims.table(rows)))
course_lib.source(glove.cooccurrences)

# %% [markdown] key="text" lang="en"
# The matrix is symmetric: if $k$ is near $i$, then $i$ is near $k$. *Snow* occurs twice, so its row adds up the
# neighbours of both places, and *snow* is even its own neighbour.
#
# ## 2 · A matrix almost empty, and the rest mostly noise
#
# Now a real text: all the news and general prose at hand, up to five million words.

# %% [markdown] key="text" lang="zh" follows="d9a716fa"
# 矩阵是对称的，因为 $k$ 在 $i$ 附近，$i$ 就在 $k$ 附近。“雪”出现了两次，它那一行是两处的邻居加在一起，其中还有它自己。
#
# ## 2 · 几乎全空，填上的又大半是噪声
#
# 换成真实文本，把手边的新闻和评论都用上，一共三百多万词。

# %% key="text-read"
WANTED = {
    "en": ("brown", "bbc", "reuters", "abc", "masc_tagged"),
    "zh": ("msra", "online_shopping"),
}[t.language]
names = list(filter(data.at_hand, WANTED)) or [data.best(t.language).name]
limit = course_lib.by_profile(
    full=2_500_000, quick=t(100_000, 300_000)
)  # words of each corpus
sentences = [
    [word.lower() for word in sentence]
    for name in tqdm(names, unit=t(" corpora", " 份语料"), file=sys.stdout)
    for document in limited(data.load(name).documents(), limit)
    for sentence in document
]
V = course_lib.by_profile(full=12_000, quick=5_000)
tokens = Counter(word for sentence in sentences for word in sentence)
vocabulary = Vocabulary.from_counts(tokens, size=V, min_count=5)
V = len(vocabulary)
encoded = [vocabulary.encode(sentence) for sentence in sentences]
watched = tqdm(encoded, unit=t(" sentences", " 句"), unit_scale=True, file=sys.stdout)
X = glove.cooccurrences(watched, V, window=10)
x = np.sort(X.tocoo().data)[::-1]  # all counts, the largest first

print(
    ", ".join(names), f"{sum(tokens.values()):,}", t("words; V =", "词；V ="), f"{V:,}"
)
print(
    t("pairs that ever met:", "碰过面的词对："), f"{len(x):,}", f"({len(x) / V**2:.1%})"
)
print(
    t("of them counted at most once:", "其中共现数不超过 1 的："),
    f"{(x <= 1).mean():.0%}",
)

# %% key="tail-picture" fold=true
at = np.unique(np.geomspace(1, len(x), 400).astype(int)) - 1
figure, ax = plt.subplots(figsize=(7.0, 3.4))
ax.loglog(at + 1, x[at], color="C0")
once = int((x > 1).sum())
ax.axvspan(once, len(x), color="0.9", label=t("counted at most once", "共现数不超过 1"))
ids = vocabulary.ids
top = np.argmax(X.tocoo().data)
marked = [tuple(rows[top] for rows in X.tocoo().coords)]
for i, k in t((("oil", "prices"), ("summer", "hot")), (("苹果", "好吃"), ("书", "读"))):
    if i in ids and k in ids and X[ids[i], ids[k]]:
        marked.append((ids[i], ids[k]))
for form, (i, k) in zip("os^", marked):
    rank = int((x > X[i, k]).sum()) + 1
    ax.plot(rank, X[i, k], form, color="C1")
    pair = f"{vocabulary.words[i]} – {vocabulary.words[k]}"
    ax.annotate(pair, (rank, X[i, k]), xytext=(6, 6), textcoords="offset points")
ax.set_xlabel(t("rank of the pair", "词对的名次"))
ax.set_ylabel(t("count X", "共现数 X"))
ax.legend(loc="lower left")
course_lib.show(
    figure,
    alt=t(
        f"Counts of {len(x):,} pairs by rank, both axes logarithmic: from {x[0]:,.0f} "
        f"down to {x[-1]:.1f}; from rank {once:,} on they are at most 1.",
        f"{len(x):,} 对词的共现数按名次排列，两轴都取对数：从 {x[0]:,.0f} 一直降到 "
        f"{x[-1]:.1f}；从第 {once:,} 名起不超过 1。",
    ),
)

# %% [markdown] key="log" lang="en"
# The counts span nearly six powers of ten. At the top left are pairs of **function words** and punctuation marks, which say
# little about meaning. At the bottom right, in grey, are the pairs counted at most once, which may be due to chance. What we want
# lies in between.
#
# Each end has its own remedy. For the top it is **logarithms**: the step from 1 to 10 is then as large as the one
# from 1,000 to 10,000, so pairs of function words no longer dominate. For the bottom it is **weights**, in section 5.
#
# ## 3 · Ratios
#
# How do *ice* and *steam* differ? Let $P(k|i) = X_{ik} / X_i$, with $X_i = \sum_k X_{ik}$, be the **co-occurrence
# probability**: the share of $k$ in all that was counted around $i$. In the paper's six billion words
# $P(\textit{solid}|\textit{ice})$ is about two in ten thousand. The number alone does not say whether that is much;
# its ratio to $P(\textit{solid}|\textit{steam})$ does. The paper's table 1 gives a ratio of 8.9 for *solid*, which
# goes with ice, and of 0.085 for *gas*, which goes with steam. For *water*, which goes with both, it is 1.36; for
# *fashion*, which goes with neither, 0.96. Whatever the two words share cancels out, and what is left tells them
# apart.
#
# Six billion words contain enough about steam; ours contain hardly anything. So we ask about words that are frequent
# enough in our text.

# %% [markdown] key="log" lang="zh" follows="d14b201a"
# 共现数大约跨了六个数量级。左上方是虚词和标点组成的词对，说明不了词义；右下方的灰色部分共现数不超过 1，也许纯属偶然。有用的词对在中间。
#
# 两头各有对策。对高的一头取**对数**，这样从 1 到 10 和从 1,000 到 10,000 一样远，虚词就不再独占优势；对低的一头加**权重**，第 5 节再讲。
#
# ## 3 · 比值
#
# “苹果”和“牛奶”差在哪里？令 $P(k|i) = X_{ik} / X_i$，其中 $X_i = \sum_k X_{ik}$，这就是**共现概率**，即 $i$ 周围的全部计数里 $k$ 所占的份额。单看 $P(\text{甜}|\text{苹果})$ 这个数，不知道是大是小，除以 $P(\text{甜}|\text{牛奶})$ 就清楚了。比值远大于 1，说明“甜”偏向苹果，远小于 1 则偏向牛奶；和两边都有关的词（比如“味道”），以及和两边都无关的词，比值都在 1 附近。两个词的共同之处约掉了，剩下的正是它们的区别。
#
# 论文举的例子是“冰”（ice）和“蒸汽”（steam），计数来自六十亿词的语料。在表 1 里，“固体”的比值是 8.9，“气体”是 0.085，“水”是 1.36，毫不相干的“时装”是 0.96。我们的语料小得多，只能挑出现次数够多的词来问。

# %% key="ratio-table"
PAIRS = {
    "en": {
        ("summer", "winter"): "hot last cold weather season company",
        ("oil", "wheat"): "crude barrels tonnes harvest prices imports",
        ("father", "mother"): "his he her she family old",
        ("river", "theatre"): "boat ferry stage actor the",  # Rivertown
        ("apple", "match"): "tree sold team coach the",
    },
    "zh": {
        ("苹果", "牛奶"): "甜 好吃 喝 蒙牛 味道 包装",
        ("书", "衣服"): "读 作者 颜色 穿 喜欢 质量",
        ("手机", "酒店"): "屏幕 电池 房间 前台 不错 电话",
        ("苹果", "比赛"): "树 吃 球 教练 的",  # 河湾镇
        ("爸爸", "老师"): "妈妈 教 英语 学生 的",
    },
}[t.language]
counted = dict(zip(vocabulary.words, X.sum(axis=1)))
pairs = {}
for (i, j), probes in PAIRS.items():
    probes = [k for k in probes.split() if counted.get(k)]
    if counted.get(i) and counted.get(j) and len(probes) > 3:
        pairs[i, j] = probes


def thin(pair):
    """Say whether fewer than three probes of a pair were counted five times."""
    i, j = (ids[word] for word in pair)
    return sum(X[i, ids[k]] + X[j, ids[k]] >= 5 for k in pairs[pair]) < 3


pairs = {pair: pairs[pair] for pair in sorted(pairs, key=thin)[:3]}

for (i, j), probes in pairs.items():
    found = glove.ratios(X, ids[i], ids[j], [ids[k] for k in probes])
    head = "k", f"X({i}, k)", f"X({j}, k)", f"P(k|{i}) / P(k|{j})"
    rows = [
        (k, f"{X[ids[i], ids[k]]:.1f}", f"{X[ids[j], ids[k]]:.1f}", f"{ratio:.3g}")
        for k, ratio in zip(probes, found[2])
    ]
    display(HTML(claims.table([dict(zip(head, row)) for row in rows])))

# %% [markdown] key="widget" lang="en"
# Where the counts are large enough, the ratios are clear: between *summer* and *winter* we measured 15.8 for *hot*,
# 0.011 for *cold* and 0.84 for *season*. A ratio that rests on a count below five or so is mostly luck. If one of the
# two counts is zero, the ratio is 0 or infinite (`inf`) and its logarithm does not exist, a problem for section 5.
#
# Now look at a larger piece of the matrix. The widget opens with "beyond frequency", which shows how many times as
# often as by chance two words met. Press the three views one after the other, then change the words in the table on the right.
# Beyond frequency, the groups of words stand out as squares on the diagonal; in the raw counts they do not.

# %% [markdown] key="widget" lang="zh" follows="f6c983d9"
# 共现数足够大时，比值很清楚。我们测得，“苹果”对“牛奶”，“好吃”是 14，“喝”不到 0.001，“味道”是 1.4。共现数只有四五次甚至更少的，比值多半靠运气；有一边的共现数是零，比值就成了 0 或无穷大（`inf`），对数根本不存在，这个问题留到第 5 节解决。
#
# 再来看矩阵里更大的一块。最先显示的是“除去词频”，颜色表示两个词在一起的次数是随机情形的多少倍。请依次按一遍三种显示，再换一换右边表里的词。在“除去词频”里，同组的词在对角线上连成方块，在原始的共现数里则看不出来。

# %% key="widget-cooccurrence" fold=true
from course_lib.widgets import cooccurrence

GROUPS = {
    "en": (
        "father mother son daughter wife", "summer winter hot cold snow",
        "music song band album singer", "football team coach players match",
        "oil crude barrels gas opec", "disease patients hospital doctor treatment",
        "river boat ferry fish brook", "theatre stage actor act director",
        "apple trees orchard stall tree", "phone laptop tablet radio television",
    ),
    "zh": (
        "苹果 水果 新鲜 甜 好吃", "牛奶 蒙牛 喝 奶粉 奶", "书 作者 内容 故事 读",
        "衣服 颜色 面料 裤子 穿", "酒店 房间 前台 早餐 入住", "比赛 球队 冠军 足球 队员",
        "爸爸 妈妈 哥哥 姐姐 弟弟", "老师 学生 英语 教 学", "手机 电话 公司 小米 一台",
    ),
}[t.language]  # fmt: skip
groups = [[w for w in group.split() if counted.get(w)] for group in GROUPS]
groups = [group for group in groups if len(group) > 3][:6]
watched = tqdm(encoded, unit=t(" sentences", " 句"), unit_scale=True, file=sys.stdout)
narrow = glove.cooccurrences(watched, V, window=2)
cooccurrence({10: X, 2: narrow}, vocabulary.words, groups, pairs, t.language)

# %% [markdown] key="derive" lang="en"
# ## 4 · From ratios to vectors
#
# We want vectors from which these ratios can be computed. How? A ratio compares $i$ with $j$, so let it depend on the
# difference $w_i - w_j$. It also depends on $k$. Here $k$ is a context word, so it gets a vector of another kind, the
# **context vector** $\tilde w_k$. The inner product turns the two vectors into a number, and a function $F$ that we
# do not know yet turns this number into the ratio:
#
# $$F\big((w_i - w_j)^\top \tilde w_k\big) = \frac{P(k|i)}{P(k|j)}.$$
#
# There is a difference on the left and a quotient on the right. The function that turns differences into quotients is
# the exponential, so $F = \exp$. Taking logarithms gives
#
# $$w_i^\top \tilde w_k - w_j^\top \tilde w_k = \log P(k|i) - \log P(k|j),$$
#
# which holds for all $i$ and $j$ if $w_i^\top \tilde w_k = \log P(k|i) = \log X_{ik} - \log X_i$. Here $\log X_i$
# depends on $i$ alone, so we replace it by a **bias** $b_i$, which is learned. For symmetry $k$ gets a bias, too.
# This is the model (eq. 7):
#
# $$w_i^\top \tilde w_k + b_i + \tilde b_k = \log X_{ik}.$$
#
# Compare this with the widget. The biases account for what the word frequencies explain. The inner product has to
# explain what is *beyond frequency*, and that is the view in which the groups appeared.

# %% [markdown] key="derive" lang="zh" follows="417a0b22"
# ## 4 · 从比值到向量
#
# 我们想要的词向量，应该能算出这些比值。怎么算？比值是拿 $i$ 和 $j$ 作比较，那就让它取决于差 $w_i - w_j$；它还取决于 $k$，而 $k$ 在这里的身份是上下文词，所以另给它一个**上下文向量** $\tilde w_k$。两个向量作内积，得到一个数，再用一个待定的函数 $F$ 把它变成比值：
#
# $$F\big((w_i - w_j)^\top \tilde w_k\big) = \frac{P(k|i)}{P(k|j)}$$
#
# 左边是差，右边是商。能把差变成商的函数是指数函数，所以 $F = \exp$。两边取对数：
#
# $$w_i^\top \tilde w_k - w_j^\top \tilde w_k = \log P(k|i) - \log P(k|j)$$
#
# 只要 $w_i^\top \tilde w_k = \log P(k|i) = \log X_{ik} - \log X_i$，它对所有的 $i$、$j$ 就都成立。其中 $\log X_i$ 只和 $i$ 有关，可以换成一个要学习的**偏置** $b_i$；为了对称，$k$ 也配一个偏置。这样就得到 GloVe 的模型（论文式 7）：
#
# $$w_i^\top \tilde w_k + b_i + \tilde b_k = \log X_{ik}$$
#
# 拿它和上面的热力图对照，词频能解释的部分归偏置，“除去词频”之后剩下的才要靠内积来解释，而同组的词正是在那里连成方块的。

# %% [markdown] key="weight" lang="en"
# ## 5 · Not every cell deserves to be fitted
#
# Vectors of $D = 50$ dimensions cannot fit all of the millions of cells exactly. A pair that met a thousand times has
# a reliable count, a pair that met once does not, and a pair that never met has no logarithm at all. So the fit is a
# **weighted least squares** regression, in which each squared error has a weight:
#
# $$J = \sum_{i,k} f(X_{ik})\,\big(w_i^\top \tilde w_k + b_i + \tilde b_k - \log
#   X_{ik}\big)^2, \qquad f(x) = \min\big(1, (x / x_{\max})^{\alpha}\big).$$
#
# Three requirements shaped $f$. It is 0 at $x = 0$, so that empty cells cost nothing and need not even be stored. It
# rises, so that rare pairs have little weight. And it stops at 1, so that function words do not dominate. The paper
# sets $x_{\max} = 100$ and found $\alpha = 3/4$ by trial. "Without weights" in the widget shows that the pairs
# counted at most once would otherwise have most of the weight.
#
# Each step of training takes one cell and changes two vectors and two biases. **AdaGrad** divides the gradient of
# each parameter by the root of the *sum* of the squares of its gradients so far: parameters of frequent words, which
# change often, slow down, and those of rare words keep moving.
#
# ![The V by V table log X is approximated by word vectors, V by D, times context vectors, D by V, plus a bias for each row and one for each column, with one cell marked through all of them; below, the weight f(X) rises from 0 and stays at 1 from x_max on.](drawing:glove)

# %% [markdown] key="weight" lang="zh" follows="5ad3b27b"
# ## 5 · 不是每一格都值得拟合
#
# 向量只有 $D = 50$ 维，几百万格不可能全都拟合好。共现过一千次的词对，计数可靠；只共现过一次的，不可靠；从没共现过的，连对数都没有。所以这里用的是**加权最小二乘**，每个平方误差配一个权重：
#
# $$J = \sum_{i,k} f(X_{ik})\,\big(w_i^\top \tilde w_k + b_i + \tilde b_k - \log
#   X_{ik}\big)^2, \qquad f(x) = \min\big(1, (x / x_{\max})^{\alpha}\big)$$
#
# $f$ 要满足三个要求。首先 $f(0) = 0$，空的格子不计损失，连存都不用存；其次随 $x$ 上升，使低频词对的权重很小；最后升到 1 为止，使虚词不至于独占优势。论文取 $x_{\max} = 100$，$\alpha = 3/4$ 则是试出来的。在上面的小工具里按“不加权会怎样”，可以看到大半的权重都归了共现数不超过 1 的词对。
#
# 训练的每一步取一格，更新两个向量和两个偏置。步子多大由 **AdaGrad** 决定，它把每个参数的梯度除以这个参数历次梯度的平方和的平方根。常用词的参数更新得多，步子就越来越小，而低频词的参数还能继续移动。
#
# ![V × V 的共现数表 log X 约等于词向量（V × D）乘上下文向量（D × V），再加上每行、每列各一个偏置，其中一格在各个矩阵里都标了出来；下方，权重 f(X) 从 0 上升，到 x_max 以后保持为 1。](drawing:glove)

# %% key="weight-code"
course_lib.source(glove.GloVe)

# %% [markdown] key="groups" lang="en"
# Updating one cell at a time would be slow in Python. But cells that share neither a row nor a column have no
# parameters in common, so all cells of a "diagonal" can be updated at once, with exactly the same result as one after
# the other. The function `matchings` divides the matrix into such groups. We check this with three cells and a slow
# loop.

# %% [markdown] key="groups" lang="zh" follows="9100913a"
# 用 Python 一格一格地算太慢。不过，既不同行也不同列的格子没有共用的参数，互不影响，所以一条“对角线”上的格子可以同时算，结果和一格一格地算完全一样。函数 `matchings` 把矩阵分成许多这样的组。下面取三格，和一个慢循环的结果对照。

# %% key="groups-check"
groups_of_pairs = glove.matchings(X)
three = [column[:3] for column in max(groups_of_pairs, key=lambda group: len(group[0]))]
fast = glove.GloVe(V, D=5, dtype=np.float64)
slow, before = copy.deepcopy(fast), fast.w[three[0]].copy()
for i, k, count in zip(*three):
    f = min(1, (count / slow.x_max) ** slow.alpha)
    error = slow.w[i] @ slow.w_tilde[k] + slow.b[i] + slow.b_tilde[k] - math.log(count)
    steps = {
        ("w", i): slow.eta * f * error * slow.w_tilde[k],
        ("w_tilde", k): slow.eta * f * error * slow.w[i],
        ("b", i): f * error,
        ("b_tilde", k): f * error,
    }
    for (name, row), step in steps.items():
        getattr(slow, name)[row] -= step / np.sqrt(slow.G[name][row])
        slow.G[name][row] += step**2
fast.step(*three)
gap = max(np.abs(getattr(fast, n) - getattr(slow, n)).max() for n in fast.G)
print(
    t("cells:", "三格："),
    [f"{vocabulary.words[i]}–{vocabulary.words[k]}" for i, k, _ in zip(*three)],
)
print(t("largest difference:", "最大差异："), gap)
print(t("size of the step:", "步子本身："), np.abs(fast.w[three[0]] - before).max())
assert gap < 1e-12

# %% [markdown] key="train" lang="en"
# Apart from rounding, the difference is zero, so working in groups is not an approximation.
#
# ## 6 · Train it
#
# Training makes fifteen passes over all filled cells. You may stop it with the square button; the vectors then stay
# as they are. With billions of words, the paper uses $x_{\max} = 100$ and a learning rate of 0.05; for a text a
# thousand times smaller we use 10 and 0.1. (We chose these from a handful of settings by looking at the test of
# section 7, which flatters GloVe a little.)

# %% [markdown] key="train" lang="zh" follows="c7c277d8"
# 除了舍入误差，差别是零，可见这里的成批计算不是近似。
#
# ## 6 · 开始训练
#
# 训练把所有非空的格子过十五遍，可以随时按方块键停下，向量就保持当时的样子。论文的语料有几十亿词，取 $x_{\max} = 100$、学习率 0.05；我们的文本小了上千倍，取 10 和 0.1。（这两个数是看着英文版第 7 节的测验，从几组设置里挑出来的，对 GloVe 稍微有利。）

# %% key="train-run"
D, epochs = 50, course_lib.by_profile(full=15, quick=4)
model = glove.GloVe(V, D, x_max=10, eta=0.1, seed=1)
curve, part = [], -(-len(groups_of_pairs) // 20)
try:
    total = epochs * X.nnz
    with tqdm(total=total, unit=t(" pairs", " 对"), unit_scale=True, file=sys.stdout) as bar:
        for _ in range(epochs):
            for at in range(0, len(groups_of_pairs), part):
                portion = groups_of_pairs[at : at + part]  # a twentieth of the cells
                cost = model.epoch(portion)
                bar.update(sum(len(counts) for *_, counts in portion))
                curve.append((bar.n / X.nnz, cost))
except KeyboardInterrupt:
    print(t("stopped: the vectors stay as they are", "已停下，向量保持现在的样子"))

# %% key="fit-picture" fold=true
i, k = X.tocoo().coords
some = np.random.default_rng(0).choice(len(i), min(len(i), 400_000), replace=False)
i, k, counts = i[some], k[some], X.tocoo().data[some]
scores = np.einsum("nd,nd->n", model.w[i], model.w_tilde[k])
scores += model.b[i] + model.b_tilde[k]
figure, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.4))
left.plot(*zip(*curve), color="C0")
left.set_xlabel(t("times through all cells", "过了几遍"))
left.set_ylabel(t("mean cost of a cell", "每格平均损失"))
left.set_ylim(0)
right.hexbin(np.log(counts), scores, gridsize=50, bins="log", cmap="Blues", mincnt=1)
line = [np.log(counts).min(), np.log(counts).max()]
right.plot(line, line, color="C4", linewidth=1)
right.axvline(0, color="0.5", linestyle=":")
right.set_xlabel(t("log of the count", "共现数的对数"))
right.set_ylabel(t("what the model says", "模型给出的值"))
spread = [np.sqrt(np.mean((scores - np.log(counts))[part] ** 2))
          for part in (counts <= 1, counts > 10)]  # fmt: skip
course_lib.show(
    figure,
    alt=t(
        f"Left: the mean cost of a cell falls from {curve[0][1]:.3f} to "
        f"{curve[-1][1]:.3f}. Right: the model's value against the log of the count; the "
        f"typical error is {spread[0]:.2f} for counts up to 1, {spread[1]:.2f} above 10.",
        f"左：每格平均损失从 {curve[0][1]:.3f} 降到 {curve[-1][1]:.3f}。右：模型给出的值与"
        f"共现数的对数；典型误差在共现数不超过 1 时是 {spread[0]:.2f}，超过 10 时是 "
        f"{spread[1]:.2f}。",
    ),
)
print(t("typical error of log X: counts up to 1", "log X 的典型误差：共现数不超过 1 的"),
      f"{spread[0]:.2f},", t("above 10", "超过 10 的"), f"{spread[1]:.2f}")  # fmt: skip

# %% [markdown] key="tests" lang="en"
# On the left, the mean cost falls during training. The figure on the right sorts a sample of the cells into hexagons,
# the darker the more cells; on the line a cell would be fitted exactly. Counts above 1, to the right of the dotted
# line, lie close to the line, and small ones scatter, as the weights intend.
#
# ## 7 · What do the vectors know?
#
# Each word has two vectors, $w$ and $\tilde w$. Because the matrix is symmetric, both learn the same thing from
# different random starts, and the paper adds them. We test the sum and also $w$ alone.
#
# We compare them with a baseline that is older than both GloVe and word2vec. It takes three steps: take the logarithm
# of the widget's "beyond frequency", $\log \frac{X_{ik} \sum X}{X_i X_k}$, called **pointwise mutual information**
# (PMI); replace its negative values by 0 (**PPMI**, positive PMI); and keep the $D$ strongest directions of that
# matrix by a **singular value decomposition** (SVD). There is no training and no learning rate.

# %% [markdown] key="tests" lang="zh" follows="33277eb4"
# 左图里，平均损失随训练下降。右图从矩阵里抽出一部分格子，归进小六边形，颜色越深格子越多，落在线上就是拟合得分毫不差。共现数大于 1 的（点线右边）紧贴着线，小的散开，这正是权重要的效果。
#
# ## 7 · 这些向量知道什么？
#
# 每个词有两个向量，$w$ 和 $\tilde w$。矩阵是对称的，所以两者从不同的随机起点学同样的东西，论文把它们相加，我们既测两者之和，也单测 $w$。
#
# 作比较的基线比 GloVe 和 word2vec 都早，只有三步：取热力图里“除去词频”的对数 $\log \frac{X_{ik} \sum X}{X_i X_k}$，即**点互信息**（PMI）；把负值改成 0（**PPMI**，正点互信息）；再用**奇异值分解**（SVD）保留这个矩阵最强的 $D$ 个方向。它不用训练，也没有学习率。

# %% key="ppmi"
from scipy.sparse import csr_matrix
from sklearn.decomposition import TruncatedSVD


def ppmi_svd(X, D):
    """Return the D strongest directions of the positive PMI of a table: (V, D)."""
    (i, k), totals = X.tocoo().coords, X.sum(axis=1)
    pmi = np.log(X.tocoo().data * totals.sum() / (totals[i] * totals[k]))
    svd = TruncatedSVD(D, random_state=0)
    directions = svd.fit_transform(csr_matrix((np.maximum(pmi, 0), (i, k)), X.shape))
    # U sqrt(S): each direction is stretched less than in U S (Levy et al. 2015)
    return directions / np.sqrt(svd.singular_values_)


tables = {
    "GloVe, w + w~": model.vectors,
    "GloVe, w": model.w,
    "PPMI + SVD": ppmi_svd(X, D),
}
vectors = {
    name: word_tests.keyed(vocabulary.words[1:], table[1:])
    for name, table in tables.items()
}

# %% key="neighbours"
QUERIES = t(
    "summer music oil hospital father three river", "苹果 衣服 书 比赛 日本 三 爸爸"
)
for word in QUERIES.split():
    if word in vocabulary.ids:
        print(word)
        for name in ("GloVe, w + w~", "PPMI + SVD"):
            table = tables[name][1:]
            near = nearest(table, table[vocabulary.ids[word] - 1], k=8)[1:]
            print(
                f"   {name:14}", " ".join(vocabulary.words[row + 1] for row, _ in near)
            )

# %% [markdown] key="numbers" lang="en"
# Neighbours are anecdotes. A standard **intrinsic evaluation** of word vectors is word similarity: WordSim-353 has
# pairs of words with people's judgements of how *related* they are, SimLex-999 of how *similar* (lesson 02). We rank
# the pairs by cosine and by judgement, and compare the two rankings (Spearman's $\rho$).

# %% [markdown] key="numbers" lang="zh" follows="ba5cdadd"
# 近邻只是个例，还需要一种**内在评测**。中文没有像 WordSim-353 那样随手可用的测验，所以我们在训练之前自己出好了题，每道题三个词，问第一个和后两个中的哪一个更近。一半考*话题*（“总统”近“总理”还是近“洗发水”？）；一半考*同类*，其中第三个词常和第一个一起出现，却不是一类（“医生”近“护士”还是近“医院”？）。随机猜能对一半。

# %% key="numbers-table"
TRIPLES = {
    "topic": """
        苹果 水果 酒店, 牛奶 饮料 屏幕, 手机 电话 牛奶, 屏幕 键盘 洗发水, 作者 作家 热水器,
        故事 小说 房间, 颜色 款式 总理, 头发 头皮 经济, 足球 篮球 贷款, 比赛 冠军 面料,
        球队 教练 水果, 总统 总理 洗发水, 日本 韩国 头发, 经济 金融 故事, 银行 贷款 球队,
        农业 粮食 手机, 医院 医生 比赛, 学生 老师 电池, 学校 大学 冠军, 法院 案件 水果,
        音乐 歌曲 贷款, 电影 导演 农业, 火车 铁路 头发, 飞机 机场 作者""",
    "kind": """
        父亲 母亲 家庭, 医生 护士 医院, 老师 教师 学校, 冠军 亚军 比赛, 夏天 冬天 天气,
        北京 上海 首都, 日本 韩国 东京, 俄罗斯 法国 莫斯科, 便宜 贵 价格, 早餐 晚餐 酒店,
        苹果 香蕉 甜, 小说 散文 读, 足球 篮球 球, 总统 总理 选举, 儿子 女儿 家,
        火车 飞机 铁路, 音乐 舞蹈 听, 三 四 次, 今天 昨天 天气, 大 小 问题,
        喝 吃 水, 键盘 鼠标 电脑, 作者 作家 书, 农民 工人 农村""",
}


def triples(known, kind):
    """Return 1 for each triple whose first two words are the nearer, else 0."""
    asked = [triple.split() for triple in TRIPLES[kind].split(",")]
    asked = [triple for triple in asked if all(word in known for word in triple)]
    return [known.similarity(a, b) > known.similarity(a, c) for a, b, c in asked]


def english(known):
    """Return the correlations with both sets, as texts."""
    found = {}
    for name in word_tests.SETS:
        r = word_tests.correlation(known, word_tests.similarity_pairs(name))
        head = f"{name} ({r.covered} / {r.total})"
        found[head] = f"{r.rho:.2f} [{r.low:.2f}, {r.high:.2f}]"
    return found


def chinese(known):
    """Return the shares of right triples with Wilson's intervals, as texts."""
    from course_lib.widgets.sense_map import wilson

    found = {}
    for kind, name in (("topic", "话题"), ("kind", "同类")):
        right = triples(known, kind)
        if right:
            share = np.mean(right)
            low, high = wilson(share, len(right))
            found[f"{name}（{len(right)} / 24 题）"] = (
                f"{share:.2f} [{low:.2f}, {high:.2f}]"
            )
    return found


test = t(english, chinese)
scored = [
    {t("vectors", "向量"): name} | test(known)
    for name, known in tqdm(vectors.items(), unit=t(" tables", " 份"), file=sys.stdout)
]
display(HTML(claims.table(scored)))


def english_lead(new, old):
    """Return the differences of two tables' correlations, on the same pairs."""
    pairs = {name: word_tests.similarity_pairs(name) for name in word_tests.SETS}
    return {name: word_tests.lead(new, old, pairs[name]) for name in pairs}


def chinese_lead(new, old):
    """Return the differences of two tables' shares, on the same triples."""
    found = {}
    for kind, name in (("topic", "话题"), ("kind", "同类")):
        if before := triples(old, kind):
            found[name] = statistics.paired_bootstrap(before, triples(new, kind))
    return found


def show_lead(head, new, old):
    """Print how far one table is ahead of another, both asked the same."""
    print(head)
    for name, difference in t(english_lead, chinese_lead)(new, old).items():
        print(f"   {name:12} {difference:+.2f}")


difference = t("PPMI + SVD minus GloVe, w + w~:", "PPMI + SVD 减去 GloVe，w + w~：")
show_lead(difference, vectors["PPMI + SVD"], vectors["GloVe, w + w~"])

# %% [markdown] key="numbers-see" lang="en"
# On five million words (one seed) GloVe scored 0.37 [0.27, 0.48] on WordSim-353 and PPMI + SVD 0.52 [0.43, 0.61].
# The two intervals overlap. That does not mean that nothing can be told: both tables were asked the *same* pairs,
# and a pair that is hard for one is mostly hard for the other. So the two lines below the table take the difference
# pair by pair (the **paired bootstrap** of lesson 02). On WordSim-353 the baseline is ahead by 0.15 [0.06, 0.24],
# significantly for this choice of pairs; on SimLex-999 it cannot be told, 0.04 [−0.02, 0.09]. Adding $\tilde w$ changed
# little. This is one training on one text, and other seeds or settings are another question. It does show that a
# baseline without any training has to be beaten first. One difference between the two is what they make of an empty
# cell. In the matrix of PPMI it is a 0 and says "these do not go together"; GloVe never looks at it. The paper had a
# text a thousand times larger, which leaves far fewer empty cells among the same words, and 300 dimensions.

# %% [markdown] key="numbers-see" lang="zh" follows="0538e8ad"
# 话题题两边都全对；同类题我们测得（一个随机种子）GloVe 0.75 [0.55, 0.88]，PPMI + SVD 0.79 [0.60, 0.91]。两个区间重叠，可这并不等于什么也分不出来：两份向量答的是*同样*的题，对一方难的题，对另一方多半也难。所以表下面两行逐题相减再求区间（第 02 课的**配对自助法**）。同类题的差是 0.04 [−0.12, 0.21]，24 道题里只有五道是恰好一方答对，还是分不出高下。在英文的五百万词上我们也测过（一个随机种子），WordSim-353 上 GloVe 是 0.37 [0.27, 0.48]，PPMI + SVD 是 0.52 [0.43, 0.61]，区间同样重叠，而在同样的词对上，差是 0.15 [0.06, 0.24]，单就词对的抽取而言，基线显著领先；SimLex-999 上的差是 0.04 [−0.02, 0.09]，分不出高下。这只是在一份文本上训练了一次，换种子、换设置会怎样是另一个问题；不过可以看出，一条不用训练的基线并不容易胜过。两者的区别之一在于怎样看待空的格子，它在 PPMI 的矩阵里是 0，等于说“这两个词合不来”，GloVe 则根本不看它。论文的文本大上千倍，同样的词之间空的格子会少得多，维数也有 300。

# %% [markdown] key="lm" lang="en"
# ## 8 · Is this a language model?
#
# Popular accounts count GloVe and word2vec among the language models. A **language model** gives every word a
# probability of coming next, and over all words these add up to 1. Ask the model that you have just trained: what do
# its numbers $e^{w_i^\top \tilde w_k + b_i + \tilde b_k}$ add up to, over all $k$?

# %% [markdown] key="lm" lang="zh" follows="cb2ed98c"
# ## 8 · 这是语言模型吗？
#
# 有些文章说，Word2Vec 和 GloVe 通过“做语言模型任务”得到词向量。**语言模型**要为每个词给出它是下一个词的概率，所有词的概率加起来等于 1。不妨问问刚训练好的模型：$e^{w_i^\top \tilde w_k + b_i + \tilde b_k}$ 对所有 $k$ 加起来是多少？

# %% key="lm-sums"
rows = []
for word in [w for w in QUERIES.split() if w in ids][:5]:
    i = ids[word]
    numbers = np.exp(model.w[i] @ model.w_tilde.T + model.b[i] + model.b_tilde)  # (V,)
    met = X[[i]].toarray()[0] > 0  # (V,): the cells of this row that were filled
    values = numbers[1:].sum(), numbers[met].sum(), X[[i]].sum()
    head = t(
        ("all k", "k that i met", "X_i, counted"),
        ("所有 k", "碰过面的 k", "数到的 X_i"),
    )
    rows.append({"i": word} | {h: f"{v:,.0f}" for h, v in zip(head, values)})
display(HTML(claims.table(rows)))

# %% [markdown] key="lm-force" lang="en"
# They do not add up to 1, because they stand for counts. Over the words that $i$ did meet, the sum is about as large
# as $X_i$. Over all words it is larger: an empty cell costs nothing, so there the model may say anything.
#
# One can *force* these numbers into a distribution by dividing by their sum (a softmax of the scores). Then the model
# can be asked to predict the next word, and its **perplexity** compared with that of real language models. We did
# that for both GloVe and skip-gram on Brown, split as in lesson 01, with several seeds. The card shows by how much
# their log perplexity is below that of a bigram model. Above 0, they would do as language models; below 0, counting
# pairs of adjacent words does better.

# %% [markdown] key="lm-force" lang="zh" follows="e691e5d4"
# 加起来不是 1，因为它们代表的是次数。只对共现过的词求和，总和与 $X_i$ 差不多大；对所有词求和就更大，因为空的格子不计损失，模型在那里可以给出任何值。
#
# 也可以*强行*把这些数变成分布，办法是除以总和（对得分作 softmax）。这样就能让它去预测下一个词，再和真正的语言模型比**困惑度**。我们在英文的 Brown 语料上（划分同第 01 课）对 GloVe 和 skip-gram 都这样做了，换几个随机种子各做一遍。卡片上画的是它们的对数困惑度比二元模型低多少。大于 0，说明它们当语言模型也还行；小于 0，说明还不如数一数相邻的词对。

# %% key="claim-card" fold=true
for key in ("glove_is_a_language_model", "global-or-local"):
    claims.card(key).show(t)

# %% [markdown] key="claim-card-seen" lang="en"
# On the first card all three lines lie far below 0 in all ten seeds: GloVe is 1.22 nats behind the bigram model,
# skip-gram 4.09, or 1.45 if the log probability that a word has as noise, which negative sampling takes out of the
# scores (lesson 02, last question), is added back. So the verdict on our runs is *contradicted*: as language models
# these two do worse than counting pairs of adjacent words. The second card has no such verdict, because no run with
# seeds can decide it: its table adds up one sentence in both ways and gets the same counts, so the contrast of
# "global" and "local" is called *imprecise*.

# %% [markdown] key="claim-card-seen" lang="zh" follows="2e1555f4"
# 第一张卡片上，三条线在十个种子里都远远低于 0：GloVe 比二元模型差 1.22 奈特，skip-gram 差 4.09；负采样从得分里减去了各词作为噪声的对数概率（第 02 课最后一问），把它加回去，也还差 1.45。所以“我们的实验”一栏写着“相反”，也就是说，拿它们当语言模型，还不如数一数相邻的词对。第二张卡片没有实验结论，因为它说的事不取决于种子。表里把同一个句子用两种办法各数了一遍，结果一模一样，可见“全局”与“局部”的说法不够准确。

# %% [markdown] key="scoreboard" lang="en"
# ## 9 · Scoreboard
#
# Every lesson has this test: a sentence contains an ambiguous word, and its sense is to be named. The word's own
# static vector is the same in every sentence, so at best it always names the most frequent sense. What can help is
# the average of the vectors of the *other* words in the sentence.

# %% [markdown] key="scoreboard" lang="zh" follows="5e953510"
# ## 9 · 记分牌
#
# 各课共用的测试是这样的：句子里有一个多义词，要说出它的义项。词自己的静态向量在每一句里都一样，最多只能每次都答最常见的义项；帮得上忙的是句中*其他*词的向量的平均。

# %% key="scoreboard-row"

board = {
    name: claims.context_scores(vectors[name], t.language)
    for name in ("GloVe, w + w~", "PPMI + SVD")
}
display(HTML(claims.sense_table(board, t)))

# %% [markdown] key="board" lang="en"
# The next table shows all models so far on the same questions (lesson 01 explains the columns). The board is measured
# once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a1e7e23d"
# 下面是到这一课为止的所有模型在同样问题上的成绩，各列的含义见第 01 课；这张榜由各课共用，只测一次。

# %% key="board-show"
claims.show_scoreboard(t, "03")

# %% [markdown] key="board-seen" lang="en"
# With these settings GloVe is below skip-gram for senses and parts of speech. GloVe read its text once, for counting,
# while skip-gram passed over it five times. The board fixes one setting for each method; section 10 of lesson 02
# compares the two on other tests.

# %% [markdown] key="board-seen" lang="zh" follows="331b55bb"
# 在这样的设置下，GloVe 在义项和词性两项上都低于 skip-gram。GloVe 只读了一遍文本，用来计数，skip-gram 则读了五遍。这张榜上每种方法只有一套设置，在其他测验上的比较见第 02 课第 10 节。

# %% [markdown] key="knob" lang="en"
# ## Predict, change, explain
#
# The counts above were taken with a window of 10 words, and for the widget also with a window of 2. PPMI + SVD can
# make vectors from either. Before you run the cell, predict how the neighbours of a word change with the narrow
# window, and which test profits from it. Then change `WINDOW` and `WORDS`, and explain what you see.

# %% [markdown] key="knob" lang="zh" follows="37f7fb22"
# ## 先预测，再改动，后解释
#
# 上面的共现数是用 10 个词的窗口数的，为了小工具还用 2 个词的窗口数过一遍，两种都可以做出 PPMI + SVD 向量。运行之前请先预测，窗口窄了，一个词的近邻会怎样变化，哪一类题会受益？然后改动 `WINDOW` 和 `WORDS`，并解释你看到的结果。

# %% key="knob-run"
WINDOW = 2  # the knob: 2 or 10
WORDS = t("hospital football winter", "医生 足球 冬天").split()

narrowed = ppmi_svd({2: narrow, 10: X}[WINDOW], D)[1:]  # (V-1, D)
known = word_tests.keyed(vocabulary.words[1:], narrowed)
for word in WORDS:
    if word in known:
        print(word, "→", " ".join(w for w, _ in known.most_similar(word, topn=8)))
display(HTML(claims.table([{t("window", "窗口"): WINDOW} | test(known)])))
difference = t("a window of 10 minus this one:", "窗口 10 减去这个窗口：")
show_lead(difference, vectors["PPMI + SVD"], known)

# %% [markdown] key="knob-seen" lang="en"
# <details><summary>What comes out, and why</summary>
#
# With a window of 10, *hospital* has *medical*, *clinic*, *ill* and *doctor* among its neighbours, words that occur
# in the same stories. With a window of 2 it has *school* and a series of place names, words that fit the same slot,
# such as the one after *in*. *Football* turns from clubs (*barcelona*, *chelsea*) to other sports (*rugby*, *tennis*,
# *golf*). A wide window captures topics; a narrow one captures which words can replace each other. So one expects
# relatedness to profit from the wide window and similarity from the narrow one. WordSim-353 is 0.52 with
# 10 words and 0.48 with 2, SimLex-999 is 0.23 and 0.25. Both differences have the expected sign, yet neither can be
# told from 0, though the pairs are the same: 0.04 [−0.02, 0.11] and −0.02 [−0.06, 0.02]. The neighbours of three
# words are anecdotes.
#
# </details>

# %% [markdown] key="knob-seen" lang="zh" follows="ba208679"
# <details><summary>结果如何，为什么</summary>
#
# 窗口是 10 时，“医生”的近邻是“病人”“针灸”“患者”“医院”“治疗”，都是同一类报道里常见的词；窗口是 2 时换成了“女工”“大夫”“护士”“科学家”，也就是能放在同一个位置上的词（“一名医生”“一名护士”）。“足球”的近邻也从“世界杯”“足球赛”变成“篮球”“乒乓球”“围棋”。宽窗口反映话题，窄窗口反映哪些词能互相替换，所以应当是话题题得益于宽窗口，同类题得益于窄窗口。话题题两种窗口都是满分，看不出差别；同类题在窗口 10 时是 0.79，窗口 2 时是 0.88，方向和预期一致，可是 24 道题只差两道，同样的题上相减是 −0.08 [−0.25, 0.08]，不能据此下结论。三个词的近邻也只是个例。
#
# </details>

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The other options deserve a click
# as well: each is a mistake that people make.
#
# **1.** Between *summer* and *winter*, *season* has a ratio P(k|summer) / P(k|winter)
# of 0.84. What does that mean?
#
# <details><summary>A. <em>Season</em> seldom stands near either of them.</summary>
#
# Not quite: words that go with neither have a ratio near 1, and so do words that go with both. The counts tell
# which case it is.
#
# </details>
#
# <details><summary>B. <em>Season</em> does not tell the two words apart.</summary>
#
# Right. It goes with both about equally well, so it cancels out. *Hot* (15.8) and *cold* (0.011) tell them apart.
#
# </details>
#
# <details><summary>C. 84 % of the <em>seasons</em> stand near
# <em>summer</em>.</summary>
#
# Not quite: a ratio of two shares is not a share. It can be as large as 15.8.
#
# </details>
#
# ---
#
# **2.** Let x_max = 100 and α = 3/4. What is the weight of a pair counted once, and of a
# pair counted 1,000 times?
#
# <details><summary>A. 0.03 and 1</summary>
#
# Right. So it takes thirty such rare pairs to weigh as much as one frequent pair. That is needed in a table in
# which rare pairs are the great majority.
#
# </details>
#
# <details><summary>B. 0.01 and 1</summary>
#
# Not quite: the power is missing. 1 / 100 is 0.01, and 0.01 to the power 3/4 is 0.03.
#
# </details>
#
# <details><summary>C. 0.03 and 5.6</summary>
#
# Not quite: the minimum is missing. Beyond x_max the weight stays at 1; otherwise pairs of function words would
# take nearly all of it.
#
# </details>
#
# <details><summary>D. 1 and 1: each pair is one example</summary>
#
# Not quite: without weights the pairs counted at most once would have most of the say, and they may be due to
# chance.
#
# </details>
#
# ---
#
# **3.** For *oil* the numbers exp(w·w̃ + b + b̃), summed over the words that it met,
# come to about 23,000. What is this sum?
#
# <details><summary>A. About X_i, all that was counted near <em>oil</em>.</summary>
#
# Right. The model is fitted to counts. They are not probabilities, and nothing makes them add up to 1: GloVe is a
# weighted regression, not a language model.
#
# </details>
#
# <details><summary>B. A mistake: the sum should be 1.</summary>
#
# Not quite: this takes GloVe for a language model, as many accounts do. It never predicts a next word.
#
# </details>
#
# <details><summary>C. The perplexity of <em>oil</em>.</summary>
#
# Not quite: a perplexity needs a normalised probability of the next word. Here there is none.
#
# </details>
#
# ---
#
# **4.** On five million words (one seed) GloVe scored 0.37 [0.27, 0.48] on WordSim-353 and PPMI + SVD 0.52 [0.43,
# 0.61]. On the same pairs the difference is 0.15 [0.06, 0.24]. What may we conclude?
#
# <details><summary>A. Counting beats GloVe; the paper is refuted.</summary>
#
# Not quite: the paper had a text a thousand times larger, and 300 dimensions. One small run cannot refute it.
#
# </details>
#
# <details><summary>B. Nothing: the two intervals overlap.</summary>
#
# Not quite: each interval also holds what is common to both, for example how many hard pairs the test has. Where
# both were asked the same, the interval of the *difference* decides.
#
# </details>
#
# <details><summary>C. In this run the baseline knows more about relatedness than GloVe.</summary>
#
# Right. The interval of the difference does not contain 0, so another choice of pairs would hardly turn it round.
# Whether another seed, text or setting would, this run does not say.
#
# </details>
#
# <details><summary>D. GloVe loses because it looks at the whole text, not at
# windows.</summary>
#
# Not quite: its counts come from windows. PPMI + SVD starts from the very same table.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="6bd5e8d5"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** “小 雪 落 在 雪 上”，窗口为 3。表里“落”这一行、“雪”这一列应该填多少？
#
# <details><summary>A. 1.5</summary>
#
# 对。左边的“雪”紧挨着，算 1；右边的“雪”距离是 2，算 1/2。表是对称的，“雪”行“落”列也是 1.5。
#
# </details>
#
# <details><summary>B. 2，“雪”出现了两次。</summary>
#
# 再想想：两次都在窗口里，但远近不同，距离是 2 的只算半次。
#
# </details>
#
# <details><summary>C. 1，只算最近的那次。</summary>
#
# 再想想：窗口里的每一次都要算，只是远的少算一些。
#
# </details>
#
# ---
#
# **2.** 拿“苹果”和“牛奶”比，“味道”的比值 P(k|苹果) / P(k|牛奶) 是 1.4，“好吃”是 14。怎么理解“味道”的 1.4？
#
# <details><summary>A. “味道”很少出现在这两个词旁边。</summary>
#
# 再想想：比值接近 1 有两种情形：和两边都有关，或者和两边都无关。是哪一种，要看共现数。
#
# </details>
#
# <details><summary>B. “味道”和两边都沾边，不大能把它们分开。</summary>
#
# 对。两个词共有的东西在比值里约掉了；离 1 远的“好吃”才说明区别。
#
# </details>
#
# <details><summary>C. “味道”有 1.4 倍的可能是苹果的味道。</summary>
#
# 再想想：比值是两个占比相除，不是可能性；概率也不会超过 1。
#
# </details>
#
# <details><summary>D. “味道”在两个词旁边出现的次数几乎一样多。</summary>
#
# 再想想：相除的是占比，不是次数。“苹果”比“牛奶”常见的话，次数可以差很多。
#
# </details>
#
# ---
#
# **3.** x_max = 100，α = 3/4。共现 1 次的词对和共现 1,000 次的词对，权重各是多少？
#
# <details><summary>A. 0.03 和 1</summary>
#
# 对。(1/100) 的 3/4 次方约是 0.03；超过 x_max 就停在 1。所以三十来对这样的低频词对，才抵得上一对高频的。
#
# </details>
#
# <details><summary>B. 0.01 和 1</summary>
#
# 再想想：漏了 3/4 次方。
#
# </details>
#
# <details><summary>C. 0.03 和 5.6</summary>
#
# 再想想：漏了上限。没有上限，虚词组成的词对就会占去几乎全部权重。
#
# </details>
#
# <details><summary>D. 都是 1，每一对都是一个样本</summary>
#
# 再想想：不加权的话，大半权重归了共现数不超过 1 的词对，而它们的共现也许纯属偶然。
#
# </details>
#
# ---
#
# **4.** 同类题上，我们测得 GloVe 0.75 [0.55, 0.88]，PPMI + SVD 0.79 [0.60, 0.91]，题目相同，一共 24 道；逐题相减是 0.04 [−0.12, 0.21]。能得出什么？
#
# <details><summary>A. PPMI + SVD 更好。</summary>
#
# 再想想：只多对一道题，差的区间里有 0。
#
# </details>
#
# <details><summary>B. 两者一样好。</summary>
#
# 再想想：没看出差别，不等于没有差别。区间里容得下十几个点的差。
#
# </details>
#
# <details><summary>C. 分不出高下，题太少。</summary>
#
# 对。看的是*差*的区间，它含有 0，所以分不出。单凭两个得分的区间重叠，还不能下这个结论：两边答的是同样的题，区间重叠时，差也可能显著。
#
# </details>
#
# ---
#
# **5.** 刚训练好的模型里，$e^{w_i^\top \tilde w_k + b_i + \tilde b_k}$ 对“苹果”共现过的所有词加起来，大约是两万。这个数是什么？
#
# <details><summary>A. 困惑度。</summary>
#
# 再想想：困惑度要先有下一个词的概率，这里没有。
#
# </details>
#
# <details><summary>B. 算错了，总和应该等于 1。</summary>
#
# 再想想：这是把 GloVe 当成语言模型了。它拟合的是次数，不预测下一个词。
#
# </details>
#
# <details><summary>C. “苹果”周围数到的总次数。</summary>
#
# 对。模型拟合的是共现数的对数。GloVe 是加权回归，不是语言模型，并不要求这些数加起来等于 1。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Do you understand it?
#
# <details><summary>1. Why does GloVe not simply fit $X_{ik}$ itself instead of its
# logarithm?</summary>
#
# The largest counts are tens of thousands of times the others, so they alone would decide
# the squared error. And the log of a ratio is a *difference* of logarithms, so only with
# logarithms do differences of vectors stand for ratios.
# </details>
#
# <details><summary>2. $X_{ik} = 0$ for most pairs. What would go wrong if they were fitted,
# say with $\log(X_{ik} + 1)$ and weight 1?</summary>
#
# Even with this small vocabulary there are more than ten times as many empty cells as
# filled ones. They would dominate the fit, and a pass would take more than ten times as
# long. Besides, "never met in this text" does not mean "cannot meet".
# </details>
#
# <details><summary>3. Add the same number to all $b_i$ and subtract it from all $\tilde b_k$.
# What changes?</summary>
#
# Nothing: only their sum appears in the model. So a single bias cannot be read as
# $\log X_i$. Strictly, neither can the difference of two biases be read as that of the
# logarithms: add one vector $v$ to all $\tilde w_k$, subtract $w_i^\top v$ from each $b_i$,
# and again nothing changes.
# </details>
#
# <details><summary>4. "GloVe uses global statistics, word2vec only local windows." How much
# of this is true?</summary>
#
# GloVe's counts come from windows, too. The evidence is the same, but added up before
# learning instead of met pair by pair. Levy and Goldberg (2014) show that skip-gram with
# negative sampling, given enough dimensions, fits the PMI of the same table, minus a
# constant.
# </details>
#
# ## What to read next
#
# * Pennington, Socher, Manning (2014), *GloVe: Global vectors for word representation*,
#   EMNLP, sections 3 and 4.2; compare figure 1 with the widget.
# * Levy, Goldberg (2014), *Neural word embedding as implicit matrix factorization*, NIPS.
# * Levy, Goldberg, Dagan (2015), *Improving distributional similarity with lessons learned
#   from word embeddings*, TACL: when all settings are tuned with equal care, the
#   differences shrink.
# * Lesson 04: what one vector does to a word with two meanings. The exercises:
#   `exercises/03_glove`.

# %% [markdown] key="questions" lang="zh" follows="d9ff256d"
# ## 检查一下自己
#
# <details><summary>1. GloVe 为什么不直接拟合 $X_{ik}$，而要拟合它的对数？</summary>
#
# 最大的共现数是其他的几万倍，平方误差会几乎全由它们决定。再说，比值的对数就是*对数之差*，取了对数，向量之差才能代表比值。
# </details>
#
# <details><summary>2. 大多数 $X_{ik}$ 是 0。要是把它们也拟合进去，比如用 $\log(X_{ik} + 1)$、权重取 1，会怎样？</summary>
#
# 词表已经这么小了，空的格子仍是非空格子的十几倍，拟合的结果会由它们决定，过一遍的时间也要长这么多倍。何况“这份文本里没碰过面”不等于“不可能碰面”。
# </details>
#
# <details><summary>3. 给所有 $b_i$ 加上同一个数，再从所有 $\tilde b_k$ 里减去它，会有什么变化？</summary>
#
# 没有变化：模型里只出现两者之和。所以单个偏置不能读作 $\log X_i$。严格说，两个词的偏置之差也不行：给所有 $\tilde w_k$ 加上同一个向量 $v$，再从每个 $b_i$ 里减去 $w_i^\top v$，模型同样不变。
# </details>
#
# <details><summary>4. “GloVe 用全局统计，word2vec 只用局部窗口。”这话有几分道理？</summary>
#
# GloVe 的共现数也是从窗口里数来的，证据一样，只不过先加起来再学，而不是遇到一对学一对。Levy 和 Goldberg（2014）证明，维数足够时，带负采样的 skip-gram 拟合的就是同一张表的 PMI 减去一个常数。
# </details>
#
# ## 接下来读什么
#
# * Pennington、Socher、Manning（2014），*GloVe: Global vectors for word representation*，EMNLP：第 3 节和 4.2 节；拿图 1 和上面的小工具对照。
# * Levy、Goldberg（2014），*Neural word embedding as implicit matrix factorization*，NIPS。
# * Levy、Goldberg、Dagan（2015），*Improving distributional similarity with lessons learned from word embeddings*，TACL：设置上一视同仁，差距就小了。
# * 第 04 课：一个词两个意思，一个向量怎么办。练习：`exercises/03_glove`。
