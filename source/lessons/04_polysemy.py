# %% [markdown] key="title" lang="en"
# # 04 · One vector is not enough
#
# After this lesson you can
#
# * say what a single static vector does to a word with several senses, and which part of
#   that is a theorem;
# * make a **pseudoword**, a word whose senses are known for certain, and measure with it;
# * read a list of nearest neighbours without being misled by it;
# * explain how Chinese word segmentation hides the very ambiguity that examples are meant
#   to show;
# * use pre-trained word embeddings as the first layer of a model, frozen or fine-tuned, and
#   measure which works better with how many labels.
#
# Running time, measured on two cores: about two minutes (quick profile: under one). The
# paper: Arora, Li, Liang, Ma, Risteski, *Linear algebraic structure of word senses, with
# applications to polysemy*, TACL 2018 (first version 2016).

# %% [markdown] key="title" lang="zh" follows="fb11c743"
# # 04 · 一个向量不够用
#
# 学完本课，你能够
#
# * 说清一个词有几个义项时，它唯一的静态向量会变成什么样，其中哪一部分是可以证明的；
# * 造一个**伪词**，也就是义项完全已知的词，并拿它来做测量；
# * 读近邻表而不受它误导；
# * 解释中文分词为什么偏偏把大家爱举的歧义例子藏了起来；
# * 把预训练的词嵌入当作模型的第一层，冻结或者微调，并测出标注多少时哪一种更好。
#
# 在双核电脑上实测约两分钟（精简规模不到一分钟）。论文：Arora、Li、Liang、Ma、Risteski，*Linear algebraic structure of word senses, with applications to polysemy*，TACL 2018（初稿 2016）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import itertools
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
from course_claims.experiments import polysemy
from course_lib import data
from course_lib.analysis import geometry, senses
from course_lib.text.tokenise import words_zh
from course_lib.widgets import one_vector
from course_lib.worlds import worlds
from course_lib.worlds.pseudowords import blend

_ = torch.manual_seed(4)
tables = {name: course_lib.load(f"static-{name}") for name in ("en", "zh")}

# %% [markdown] key="owner" lang="en"
# ## 1 · Which sense owns the vector?
#
# *The bank raised its rates. They sat on the bank and fished.* One word form with several
# meanings is called **polysemous**, and each meaning is a **sense**. In lessons 01 to 03
# *bank* has one row in the table, and therefore one list of nearest neighbours. Guess
# first: how many of the twenty words nearest to it have to do with a river?
#
# To settle this without judging by eye we need labelled sentences, and the course has some
# in which the sense is known. The mean of the other words' vectors serves as a crude vector
# of a sentence (lesson 00). The mean of all sentences with the same sense is the
# **centroid** of that sense. Each neighbour is assigned to the sense whose centroid is
# nearest. As a control the same rule sorts the 3,000 most common words, most of which have
# nothing to do with the word in question.

# %% [markdown] key="owner" lang="zh" follows="a214485f"
# ## 1 · 这个向量归谁？
#
# “削了个苹果吃”，“苹果又出了新手机”。同一个词形有几种意思，叫作**一词多义**，每一种意思是一个**义项**。在第 01 至 03 课里，“苹果”在表里只占一行，因此也只有一张近邻表。请先猜一猜：离它最近的二十个词里，有几个和手机有关？
#
# 这个问题不能凭眼睛判断，需要标好义项的例句，课程正好附带了一批。我们把一句话里其他词的向量取平均，当作这句话的粗略向量（第 00 课）；再把同一义项的所有句子取平均，得到这个义项的**质心**。一个近邻离哪个质心最近，就归入哪个义项。作为对照，再用同样的规则把最常见的 3000 个词也分一遍，它们大多和要考察的词毫不相干。

# %% key="owner-count"
def owners(words, word, table, annotated):
    """Count how many of some words lie nearest to each sense of a word."""
    contexts = senses.context_average(table, annotated, table.vector_size)  # (N, D)
    contexts = senses.unit(contexts - contexts.mean(axis=0))  # minus what all share
    mine = {s.sense for s in annotated if s.word == word}
    labels = np.array([s.sense if s.word == word else "" for s in annotated])
    centroids = {sense: contexts[labels == sense].mean(axis=0) for sense in mine}
    common = table.vectors[:5000].mean(axis=0)
    rows = senses.unit(np.array([table[w] for w in words]) - common)
    nearest = (rows @ senses.unit([*centroids.values()]).T).argmax(axis=1)
    return Counter(list(centroids)[i] for i in nearest)


def shares(word, counts):
    """Write counts in per cent, the largest first."""
    return t(", ", "，").join(
        f"{data.sense_name(word, sense, t.language)} {n / counts.total():.0%}"
        for sense, n in counts.most_common()
    )


found = []
for language, words in {"en": ["bank", "play"], "zh": ["苹果", "小米", "打"]}.items():
    table, annotated = tables[language], data.senses(language)
    for word in words:
        near = [w for w, _ in table.most_similar(word, topn=20)]
        judge = word, table, annotated
        cells = (word, t(", ", "，").join(near[:5]), shares(word, owners(near, *judge)),
                 shares(word, owners(table.index_to_key[:3000], *judge)))  # fmt: skip
        found.append(cells)
heads = t(("word", "nearest words", "20 nearest", "control: 3,000 common words"),
          ("词", "最近的词", "最近的 20 个", "对照：3000 个常见词"))  # fmt: skip
display(HTML(claims.table([dict(zip(heads, cells)) for cells in found])))

# %% [markdown] key="owner-seen" lang="en"
# The control words are divided among the senses; the twenty nearest neighbours mostly are
# not. With the vectors that ship, one sense of *bank* has nearly the whole list, and so has
# one sense of 苹果 (*apple*, a fruit or a company), of 小米 (*millet*, a grain or a company)
# and of 打 (*to hit*, *to play*, *to phone* …). Only *play* is shared by several senses.
#
# Which sense wins is decided by the training text, not by the order of senses in a
# dictionary. The Chinese vectors were trained largely on shop reviews, and fruit is one of
# the categories; so here 苹果 is a fruit. Hardly anybody reviews millet, so 小米 is a phone.
# Another corpus might reverse that.
#
# The map below shows the same words. Each point is a sentence, placed by the mean of its
# other words. The star is the word's own vector: there is only one of it, and it lies in the
# same place whichever sentence you choose.

# %% [markdown] key="owner-seen" lang="zh" follows="2814338a"
# 对照组的词分散在各个义项里，最近的二十个词却大多集中在一个义项。用课程附带的向量，“苹果”的近邻几乎全归一个义项，“小米”“打”和英语的 bank（银行；河岸）也是这样，只有 play（比赛；演奏；戏剧）由几个义项分享。
#
# 哪个义项占上风，取决于训练语料里谁出现得多，与词典里的排列次序无关。中文向量读了大量网购评论，其中一类正是水果，所以这里的“苹果”是水果；而这些评论里很少有人谈五谷杂粮，“小米”于是成了手机。换一份语料，结果可能正好相反。
#
# 下面的图画的是同样几个词。每个点是一个句子，位置由句中其他词的平均向量决定；星号是这个词自己的向量，它只有一个，无论选中哪一句都停在原处。

# %% key="owner-map"
one_vector(tables, [*data.senses("en"), *data.senses("zh")], t.language)

# %% [markdown] key="pseudoword" lang="en"
# ## 2 · What the mixture is made of
#
# Is the vector of *bank* a mean of two vectors, one for each sense? We cannot check, because
# those two were never learned. So we construct a word whose senses are known. Take two
# ordinary words, *water* and *money*, and replace both by `watermoney`, with nine occurrences
# of *water* for every one of *money*. Such a **pseudoword** hides which of the two words
# stood there, while we keep a record of it (Gale, Church and Yarowsky 1992; Schütze 1992).

# %% [markdown] key="pseudoword" lang="zh" follows="0f6025da"
# ## 2 · 混在一起的是什么
#
# “苹果”的向量，是不是“水果的苹果”和“公司的苹果”两个向量的平均？这无法检验，因为那两个向量从来没有单独学过。我们可以造一个义项已知的词：取两个普通的词，比如“比赛”和“银行”，在文本里都改写成“比赛银行”，每九个“比赛”配一个“银行”。（“银行”本来只有一个意思，正好拿来做实验。）这样的**伪词**遮住了原来的词，而我们留着记录（Gale、Church、Yarowsky，1992；Schütze，1992）。

# %% key="pseudoword-make"
def read(language, words):
    """Read sentences in small letters until they hold so many words."""
    texts = (c.documents() for c in polysemy.corpora(language))
    documents = itertools.chain.from_iterable(texts)
    sentences = []
    unit = t(" words", " 词")
    with tqdm(total=words, unit=unit, unit_scale=True, file=sys.stdout) as bar:
        for sentence in itertools.chain.from_iterable(documents):
            if bar.n == words:
                break
            sentences.append([word.lower() for word in sentence])
            bar.update(min(len(sentence), words - bar.n))
    return sentences


sentences = read(t.language, course_lib.by_profile(1_000_000, 300_000))
names = [corpus.name for corpus in polysemy.corpora(t.language)]
print(t("text:", "语料："), ", ".join(names), f"({sum(map(len, sentences)):,})")

frequent, rare = t(("water", "money"), ("比赛", "银行"))
made = worlds.pseudowords(sentences, frequent, rare, ratio=(9, 1))
name = made.senses[0].word
for one in made.senses[:4]:
    i = one.target_index
    print(f"[{one.sense}]", " ".join(one.tokens[max(0, i - 6) : i + 7]))

# %% [markdown] key="count" lang="en"
# **The part that is a theorem.** Let $n(w, c)$ be the number of times that the word $c$
# stands near $w$. Whatever stood near either part stands near the pseudoword, so the counts
# add up, and the context distribution of the pseudoword is the mean of its parts' context
# distributions, weighted by their shares:
#
# $$P(c \mid ab) = s\,P(c \mid a) + (1 - s)\,P(c \mid b), \qquad s = \frac{n(a)}{n(a) + n(b)},$$
#
# where $n(a)$ is the number of words counted near $a$. This holds exactly, without training
# and without noise. But vectors are not probabilities. Levy and Goldberg (2014) showed that
# skip-gram with $k$ negative samples tends to
# $v_w \cdot u_c = \log \frac{P(c \mid w)}{P(c)} - \log k$, where $u_c$ is the output vector of
# $c$ (lesson 02's $v'_c$). The fraction is a log-ratio, the **pointwise mutual information**
# of lesson 03, and the logarithm of a mean is not the mean of the logarithms. Let us look at
# words that stand near the *rare* part only.

# %% [markdown] key="count" lang="zh" follows="526718c5"
# **可以证明的部分。** 用 $n(w, c)$ 表示词 $c$ 在 $w$ 附近出现的次数。原来在任何一个词附近的，现在都在伪词附近，次数直接相加，所以伪词的上下文分布就是两个原词的上下文分布按份额的加权平均：
#
# $$P(c \mid ab) = s\,P(c \mid a) + (1 - s)\,P(c \mid b), \qquad s = \frac{n(a)}{n(a) + n(b)}$$
#
# 其中 $n(a)$ 是在 $a$ 附近数到的总词数。这个等式严格成立，既不涉及训练，也没有噪声。可是向量不是概率。Levy 与 Goldberg（2014）证明，用 $k$ 个负样本的 skip-gram 会趋向 $v_w \cdot u_c = \log \frac{P(c \mid w)}{P(c)} - \log k$，其中 $u_c$ 是 $c$ 的输出向量，也就是第 02 课的 $v'_c$。式中的对数比就是第 03 课的**点互信息**，而平均数的对数并不等于对数的平均数。以下把伪词里出现得多的原词（“比赛”）叫作*高频词*，出现得少的（“银行”）叫作*低频词*，先来看只在低频词附近出现的词。

# %% key="count-check"
def near(occurrences, window=5):
    """Count the words that stand near the targets of some sentences."""
    counts = Counter()
    for s in occurrences:
        i = s.target_index
        counts.update(
            s.tokens[max(0, i - window) : i] + s.tokens[i + 1 : i + window + 1]
        )
    return counts


n_all = near(made.senses)
n_frequent, n_rare = (
    near([s for s in made.senses if s.sense == part]) for part in (frequent, rare)
)
s = n_frequent.total() / n_all.total()
for c in n_all:
    mean = s * n_frequent[c] / n_frequent.total() + (1 - s) * n_rare[c] / n_rare.total()
    assert math.isclose(n_all[c] / n_all.total(), mean)

words = Counter(itertools.chain.from_iterable(sentences))
only_rare = [
    c
    for c, _ in n_rare.most_common()
    if not n_frequent[c] and words[c] > 5 and c not in (rare, name)
]
found = []
for c in only_rare[:3]:
    p = words[c] / words.total()
    alone, mixed = n_rare[c] / n_rare.total(), n_all[c] / n_all.total()
    cells = (
        c,
        f"{alone:.3f}",
        f"{mixed:.3f}",
        f"{math.log(alone / p):.1f}",
        f"{math.log(mixed / p):.1f}",
    )
    found.append(cells)
heads = t(("near", f"P(c | {rare})", f"P(c | {name})", f"log-ratio, {rare}", f"log-ratio, {name}"),
          ("附近的词", f"P(c | {rare})", f"P(c | {name})", f"对数比，{rare}", f"对数比，{name}"))  # fmt: skip
display(HTML(claims.table([dict(zip(heads, cells)) for cells in found])))
print(t("the share of the rare part:", "低频词的份额："), f"{1 - s:.3f},",
      t("its logarithm:", "它的对数："), f"{math.log(1 - s):.1f}")  # fmt: skip

# %% [markdown] key="laws" lang="en"
# As the theorem says, the probability of a word that belongs only to the rare part shrinks
# to about a tenth. Its log-ratio merely changes by the constant $\log(1 - s)$: of some five
# nats more than two remain. This gives two rival predictions for the *vector* of a word with
# a rare sense:
#
# * **weighting by occurrences**: the vector is the mean of its parts, weighted by share; a
#   sense with a tenth of the occurrences has a tenth of the weight;
# * **weighting by logarithm**: the rare part keeps much more than its share. Arora and
#   colleagues found this for vectors that are close to such log-ratios:
#   $v_{ab} \approx \alpha v_a + \beta v_b$ with $\alpha \approx 1$ and
#   $\beta \approx 1 - c\,\log_{10} r$, where $r$ is the ratio of the frequencies and $c$ is
#   about one half.
#
# Which of them describes a skip-gram model that makes a few passes over a small text? To
# answer that we need many pseudowords, and all three vectors must come from the same
# training. The function `blend` therefore leaves both words half of their occurrences (the
# same number for each) and mixes among the other half.

# %% [markdown] key="laws" lang="zh" follows="f6f2711a"
# 正如定理所说，只属于低频词的那些词，概率缩到了大约十分之一；它们的对数比却只加上一个常数 $\log(1 - s)$，原来有五个奈特左右，加完还剩两个多。于是，对带有罕见义项的词的*向量*，就有两种相互竞争的预测：
#
# * **按次数加权**：向量是两个原词向量按份额的加权平均，次数占一成的义项，权重也是一成；
# * **按对数加权**：低频词在向量中的权重远高于它的出现比例。Arora 等人在接近这种对数比的向量上测到的正是这样：$v_{ab} \approx \alpha v_a + \beta v_b$，其中 $\alpha \approx 1$，$\beta \approx 1 - c\,\log_{10} r$，$r$ 是两词的频率之比，$c$ 约为二分之一。
#
# 只在一份小语料上读几遍的 skip-gram，符合哪一种？要回答这个问题，需要许多伪词，而且三个向量必须出自同一次训练。为此，函数 `blend` 给两个词各留一半出现次数（留得一样多），只混合另一半。

# %% key="blend"
course_lib.source(blend, geometry.mixing_weights)


class Watched(list):
    """A text with a bar for each time that gensim reads it: to count, then to learn."""

    def __iter__(self):
        unit = t(" sentences", " 句")
        return iter(tqdm(super().__iter__(), total=len(self), unit=unit, file=sys.stdout))


seed = 1
blends = polysemy.draw(sentences, pairs=5, seed=seed)
vectors = polysemy.train(Watched(blend(sentences, blends, seed)), seed)
measured = [m for _, m in polysemy.measure_blends(vectors, blends)]


def median_pair(ratio):
    """Return the pair of this ratio whose weight is the median: no choice by eye."""
    weights = {pair: m["weight"] for pair, m in zip(blends, measured) if pair.ratio == ratio}
    return sorted(weights, key=weights.get)[len(weights) // 2]


for ratio in ((1, 1), (9, 1)):
    pair = median_pair(ratio)
    print(f"\n{ratio[0]} : {ratio[1]}")
    for word in (pair.first, pair.name, pair.second):
        near_it = [w for w, _ in vectors.most_similar(word, topn=60) if w.isalpha()]
        print(f"  {word:16}", ", ".join(near_it[:7]))

# %% [markdown] key="figure" lang="en"
# Now the vector of each pseudoword is fitted by its parts, $v_{ab} \approx x\,v_a + y\,v_b$,
# by least squares after subtracting the mean of all vectors. The weight of the frequent part
# is $x / (x + y)$. (Of the five pairs at a ratio, the lists above show the one with the
# median weight.) Crosses are the run above. Points with error bars come from a larger
# experiment that is stored with the course, in which every random seed has other pairs,
# other draws and other initial values. The dashed line is what weighting by logarithm
# predicts. The points at the far right are a control, 1 : 0: a second name for the same word,
# whose weight should be 1.
#
# <details><summary>How the dashed line is computed</summary>
#
# Take words that stand near one part only, with a log-ratio of $M = 5$ nats. In the mixture
# $M + \log s$ of it is left for the frequent part and $M + \log(1 - s)$ for the rare part, so the
# weight of the frequent part is $\frac{M + \log s}{2M + \log s + \log(1 - s)}$. Arora's formula is
# close to that: 0.66 at 9 : 1, where the line has 0.64.
#
# </details>

# %% [markdown] key="figure" lang="zh" follows="5930ff71"
# 现在用两个原词的向量去拟合每个伪词的向量，$v_{ab} \approx x\,v_a + y\,v_b$，做法是先减去全体向量的均值，再用最小二乘，高频词的权重就是 $x / (x + y)$。（每个比例有五对词，上面的近邻表选的是权重居中的那一对。）叉号是刚才这一次训练；带误差线的点来自随课程保存的一个更大的实验，其中每个随机种子的词对、抽样和初值都不同。虚线是“按对数加权”的预测。最右边的点是对照 1 : 0，也就是同一个词的另一个名字，权重应当是 1。
#
# <details><summary>虚线是怎样算出来的</summary>
#
# 设一个词只在一方附近出现，在那里的对数比是 $M = 5$ 个奈特；混合之后，高频词这边剩 $M + \log s$，低频词那边剩 $M + \log(1 - s)$，所以高频词的权重是 $\frac{M + \log s}{2M + \log s + \log(1 - s)}$。Arora 等人的公式与此接近：9 : 1 处是 0.66，虚线是 0.64。
#
# </details>

# %% key="figure-draw" fold=true
kept = [
    row
    for row in claims.card("frequent-sense-dominates").rows
    if row["model"] == f"pseudowords {t.language}"
]
seeds = len({row["seed"] for row in kept})
grid = np.linspace(0.5, 0.98, 50)
M = 5.0  # nats: the log-ratio of a word that is tied to its part
log_law = (M + np.log(grid)) / (2 * M + np.log(grid) + np.log(1 - grid))

figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.9), sharex=True, layout="constrained")
metrics = {
    "weight": t("weight in the vector", "在向量里的权重"),
    "neighbours": t("share of the ten neighbours", "在十个近邻里的份额"),
}
for axis, (metric, label) in zip(axes, metrics.items()):
    here = [(m["share"], m[metric]) for m in measured]
    axis.plot(
        *zip(*here),
        "x",
        color="0.6",
        ms=5,
        label=t("this run, one pseudoword", "本次训练，一个伪词"),
    )
    means = claims.over_seeds(kept, metric)
    x = [a / (a + b) for _, ratio in means for a, b in [map(int, ratio.split(":"))]]
    y, low, high = np.array(list(means.values())).T
    axis.errorbar(x, y, [y - low, high - y], fmt="o", color="black", capsize=3,
                  label=t(f"mean, {seeds} seeds, 95 %", f"平均，{seeds} 个种子，95%"))  # fmt: skip
    axis.plot(
        [0.5, 1], [0.5, 1], color="0.4", lw=1, label=t("by occurrences", "按次数加权")
    )
    axis.set_xlabel(
        t("frequent part's share of the occurrences", "高频词占出现次数的份额")
    )
    axis.set_ylabel(label)
axes[0].plot(grid, log_law, "--", color="C4", label=t("by logarithm", "按对数加权"))
axes[0].set_ylim(0.2, 1.3)
axes[1].set_ylim(-0.05, 1.1)
axes[0].legend(fontsize=8, loc="upper left")
course_lib.show(
    figure,
    alt=t(
        "Left: fitted weight of the frequent part against its share of the occurrences; the "
        "means lie near the diagonal. Right: its share of the ten neighbours, which jumps "
        "from one half to nearly one.",
        "左图：高频词的拟合权重随其出现份额的变化，均值靠近对角线。右图：高频词在十个近邻里的份额，"
        "从一半一下子跳到接近全部。",
    ),
)

# %% [markdown] key="figure-seen" lang="en"
# In the left panel the means lie close to the diagonal: at this size the vector is, to a first
# approximation, the mean of its parts weighted *by occurrences*, and far from the dashed line.
# The list of neighbours in the right panel behaves differently: from 3 : 1 on, about nine in ten
# belong to the frequent part. A vector that is three quarters *water* lies among the neighbours
# of *water*. The other quarter moves it a little, but hardly any word from the surroundings of
# *money* comes near enough to enter the list. So a list of neighbours is a winner-takes-all view
# of a mixture. What section 1 showed is true and still misleading: the rare sense is in the
# vector, and the list hardly shows it. (The quick profile reads too little text: there the
# crosses scatter widely, even at the control.)

# %% [markdown] key="figure-seen" lang="zh" follows="9185a4cf"
# 左图里的均值紧挨着对角线。在这个规模上，伪词的向量近似就是两个原词*按次数*的加权平均，离虚线很远。右图的近邻表却是另一回事：从 3 : 1 起，近邻里大约十个有九个归高频词。一个向量有四分之三是“比赛”，就落在“比赛”的近邻中间；另外四分之一只把它推开一点点，“银行”周围几乎没有哪个词近到能够上榜。所以近邻表显示的只是赢家，而不是混合的比例。第 1 节看到的并没有错，却容易误导人：低频的义项就在向量里，只是表上几乎看不出来。（精简规模读的文本太少，叉号散得很开，连对照也不例外。）

# %% key="checks" fold=true
def line(kept, model, metric="weight"):
    """Return a model's means at 2:1 to 9:1, with intervals, as cells of a table."""
    means = claims.over_seeds(kept, metric)
    return [f"{means[model, ratio]:.2f}" for ratio in polysemy.UNEQUAL]


pseudowords = claims.card("frequent-sense-dominates").rows
town_senses, longer = map(
    claims.measured, ("frequent_sense_rivertown", "frequent_sense_training")
)
lines = {
    t("weighting by occurrences", "按次数加权"): ["0.67", "0.75", "0.83", "0.90"],
    t("pseudowords, English", "伪词，英语"): line(pseudowords, "pseudowords en"),
    t("pseudowords, Chinese", "伪词，中文"): line(pseudowords, "pseudowords zh"),
    t("true senses, Rivertown, English", "真义项，河湾镇，英语"): line(town_senses, "Rivertown en"),
    t("true senses, Rivertown, Chinese", "真义项，河湾镇，中文"): line(town_senses, "Rivertown zh"),
    t("1M words of English, 5 passes", "一百万词英语，读 5 遍"): line(longer, "5 epochs"),
    t("1M words of English, 20 passes", "一百万词英语，读 20 遍"): line(longer, "20 epochs"),
}  # fmt: skip
heads = t("weight of the frequent part", "高频词的权重"), *polysemy.UNEQUAL
rows = claims.table([dict(zip(heads, (k, *v))) for k, v in lines.items()])
title = t("Optional: true senses, and longer training", "选读：换成真义项，延长训练")
display(HTML(f"<details><summary>{title}</summary>{rows}</details>"))

# %% [markdown] key="dominates" lang="en"
# <details><summary>Optional: what the table says</summary>
#
# Two further checks are stored with the course. One uses true senses, labelled in the course's
# generated Rivertown text, instead of merged words. The other makes four times as many passes:
# if short training is what keeps the vectors from weighting by logarithm, longer training should
# bring them closer to it. Compare each line with the first. With true senses the frequent sense
# weighs somewhat less than its share, a small step in the direction of the logarithm. Four times
# as many passes move the weights by 0.05 on average [0.02, 0.07] in the same direction, nowhere
# near the dashed line.
#
# </details>
#
# Arora and colleagues measured their law with another method on all of Wikipedia. A small
# skip-gram model does not follow it; how much of the difference is due to the text and how much
# to the method we do not know.
#
# Does the frequent sense *dominate* the vector, then? The card tests a minimal version of the
# claim, that the vector is nearer to the frequent part than to the rare one. Its table adds
# the weights and the neighbours.

# %% [markdown] key="dominates" lang="zh" follows="5cb547bb"
# <details><summary>选读：表里看到什么</summary>
#
# 课程还存着另外两项核对的结果。一项不用合并的词，而用课程自己生成的“河湾镇”文本里标了义项的多义词。另一项把训练遍数加到四倍：如果是训练太短，向量才没有走到“按对数加权”那一步，那么多训练几遍就应当更接近它。把每一行和第一行比较。换成真正的义项，高频义项的权重比它的份额略低，朝“按对数加权”挪了一小步。训练遍数加到四倍，权重朝同一方向平均也只挪了 0.05 [0.02, 0.07]，离虚线还很远。
#
# </details>
#
# Arora 等人的规律是用另一种方法、在整个维基百科上测到的，小规模的 skip-gram 并不服从它；这个差别有多少来自语料、多少来自方法，我们不知道。
#
# 那么，常见的义项到底算不算*主导*了这个向量？卡片检验的只是最低限度的说法，即向量离高频词比离低频词更近；权重和近邻另列在它的表里。

# %% key="dominates-card" fold=true
claims.card("frequent-sense-dominates").show(t)

# %% [markdown] key="lost" lang="en"
# ## 3 · What is lost, and where it still is
#
# Given that the rare sense is in the vector, can we tell from the vector which sense a
# particular *sentence* means? This task is called **word sense disambiguation**, and the
# answer is no, again by a theorem. A rule that reads only the word's vector $v_w$ reads the same
# numbers at every occurrence, so it gives the same answer every time. Its accuracy is the share
# of the sense that it always names, and at best that is the most frequent one:
#
# $$\max_f \Pr\big[f(v_w) = \text{sense}\big] = \max_j \Pr[\text{sense} = j].$$
#
# The other words, however, differ from sentence to sentence. We try both sources of
# information, first on the pseudoword at nine to one, whose labels are certain.

# %% [markdown] key="lost" lang="zh" follows="4e568613"
# ## 3 · 丢了什么，又还在哪里
#
# 既然罕见义项就在向量里，看着这个向量，能不能说出某一*句*里用的是哪个义项？这个任务叫**词义消歧**。答案是不能，而且同样可以证明。凡是只看词向量 $v_w$ 的规则，每次读到的都是同一串数，因此每次给出同样的回答；它的准确率等于它总猜的那个义项的份额，最好也不过是最常见义项的份额：
#
# $$\max_f \Pr\big[f(v_w) = \text{义项}\big] = \max_j \Pr[\text{义项} = j]$$
#
# 句中其他的词却随句子而变。两种信息来源都来试一试，先用九比一的伪词，它的标签绝对可靠。

# %% key="lost-pseudoword"
table = tables[t.language]
labels = np.array([s.sense for s in made.senses])
context = senses.context_average(table, made.senses, table.vector_size)  # (N, D)
hits = {
    t("the word's own vector, best rule", "只看词自己的向量，最好的规则"): labels == frequent,
    t("averaged context, nearest centroid", "静态上下文平均，最近质心"): senses.centroid_hits(context, labels),
}  # fmt: skip
heads = t(
    ("rule", "all", frequent, rare),
    ("规则", "全部", frequent, rare),
)
parts = np.isin(labels, (frequent, rare)), labels == frequent, labels == rare
rows = [
    (name, *(f"{hit[part].mean():.2f}" for part in parts)) for name, hit in hits.items()
]
rows.append((t("occurrences", "次数"), *(int(part.sum()) for part in parts)))
display(HTML(claims.table([dict(zip(heads, row)) for row in rows])))

# %% [markdown] key="lost-seen" lang="en"
# The first rule is right nine times out of ten without having learned anything: it never finds
# the rare sense. Whoever reports accuracy on unbalanced senses should therefore report the
# **majority-class baseline** beside it, or each sense separately. The averaged context has
# read no more text than the word's own vector and is made of the same kind of static
# vectors, but of those of the *neighbours*. That is where the information about this
# sentence is. Next, the same comparison on the annotated sentences of the course.

# %% [markdown] key="lost-seen" lang="zh" follows="9407346e"
# 第一条规则十次对九次，却什么也没有学会，因为低频的义项它一次也找不出来。所以义项不平衡的时候，报告准确率就应当同时给出**多数类基线**，或者把每个义项分开报。静态上下文平均并没有多读语料，用的也是静态向量，只不过是*邻居*的向量，而关于这一句的信息正在那里。下面在课程的例句上作同样的比较。

# %% key="lost-sentences"
annotated = data.senses(t.language)
known = {s.word: table[s.word] for s in annotated if s.word in table}
nothing = np.zeros(table.vector_size)  # for a word without a row; any constant would do
own = np.stack([known.get(s.word, nothing) for s in annotated])  # (N, D)
context = senses.context_average(table, annotated, table.vector_size)  # (N, D)
own_name = t("the word's own static vector", "词自己的静态向量")
averages = {
    own_name: senses.macro(senses.by_word(own, annotated)),
    t("averaged static context", "静态上下文平均"): senses.macro(
        senses.by_word(context, annotated)
    ),
}
most = averages[own_name]["majority"]
print(t("sentences:", "句数："), len(annotated))
for name, row in averages.items():
    print(f"{name:28} {row['nearest_centroid']:.3f}")
print(t("always the most frequent sense:", "总猜最常见的义项："), f"{most:.3f}")

# %% [markdown] key="segmentation" lang="en"
# With real ambiguous words the result is the same. The word's own vector is at chance level,
# because all sentences are equally near to each other, and ties are broken at random. The mean
# of the *other* words' vectors is far above the majority. This **averaged static context** is
# the baseline that every contextual model of this course has to beat.
#
# ## 4 · Chinese: the segmenter hides it
#
# 打 *dǎ* is the favourite example of a Chinese word with many senses: 打针 *to give an
# injection*, 打篮球 *to play basketball*, 打电话 *to phone*. Chinese is written without
# spaces, so **word segmentation** has to decide what a word is before any word can have a
# vector. Here is what the usual segmenter, jieba, decides. (If you do not read Chinese, watch
# only where the spaces fall around 打 and around 苹果 *apple*.)

# %% [markdown] key="segmentation" lang="zh" follows="aa6771c3"
# 换成真正的多义词，结果也一样。只看词自己的向量，所有例句一样近，平局随机裁定，成绩就停在随机水平；*其他*词的平均向量则远远超过“总猜最常见的义项”。以后每一个上下文模型，都得先胜过这个**静态上下文平均**。
#
# ## 4 · 分词器把歧义藏起来了
#
# 讲一词多义，大家爱举“打”的例子：打针、打篮球、打电话。可是中文的词与词之间没有空格，一个词要有向量，先得由**分词**决定什么算一个词。下面是常用的分词器 jieba 切出来的结果，请留意“打”和“苹果”前后的空格落在哪里。

# %% key="segment"
EXAMPLES = """他感冒了，需要打针。
他在球场上打篮球。
她给妈妈打电话。
苹果公司发布了新产品。
他打了我一下。
他打了两针。
我买了一个苹果。""".splitlines()
for example in EXAMPLES:
    print(" ".join(words_zh(example)))

# %% [markdown] key="segment-count" lang="en"
# In the first four sentences the "ambiguous" word does not occur at all: 打针 is a word with
# a row of its own, and so is 苹果公司 (*Apple Inc.*). A word-level model never meets the
# ambiguity that these examples are meant to show. It does meet it in the last three. (Another
# favourite, 银行 *bank*, is not ambiguous: a riverbank is 河岸. That example was translated from
# English word for word.) How often does a character stand alone as a word in real text?

# %% [markdown] key="segment-count" lang="zh" follows="4a02eb57"
# 前四句里根本没有“打”和“苹果”这两个词，因为“打针”自成一词，有自己的一行，“苹果公司”也是。词级模型遇不到这几个例子想说明的歧义，只有在后三句里才遇得到。（另一个常举的例子“银行”根本没有歧义，河岸叫“河岸”“河边”；有两个意思的是英语的 bank，那个例子是逐词翻译来的。）真实文本里，一个字独立成词的情形占多少呢？

# %% key="segment-table"
if t.language != "zh":
    sentences_zh = read("zh", course_lib.by_profile(1_000_000, 100_000))
else:
    sentences_zh = sentences
counts = Counter(itertools.chain.from_iterable(sentences_zh))
print(", ".join(c.name for c in polysemy.corpora("zh")), f"{counts.total():,}")
heads = t(("character", "occurrences", "a word by itself", "inside words, the commonest", "different words"),
          ("字", "出现次数", "独立成词", "在词里（最常见的）", "不同的词"))  # fmt: skip
found = []
for character in "打花火头":
    holders = Counter(
        {w: n * w.count(character) for w, n in counts.items() if character in w}
    )
    inside = ", ".join(w for w, _ in holders.most_common(7) if w != character)
    alone = f"{holders[character] / max(1, holders.total()):.0%}"
    found.append((character, holders.total(), alone, inside, len(holders)))
display(HTML(claims.table([dict(zip(heads, cells)) for cells in found])))

# %% [markdown] key="characters" lang="en"
# 打 stands alone in only a small part of its occurrences; in a million words of news (MSRA) we
# measured 15 %. For 火 *fire* it is less still. (Rivertown, the generated text, writes
# polysemous words as words of their own, so its shares are higher.)
#
# One way out is to give up words and learn a vector for each **character**. Nothing in
# skip-gram has to change: a sentence is a list of **tokens**, and now the tokens are characters.

# %% [markdown] key="characters" lang="zh" follows="ffdfc700"
# “打”独立成词的只占一小部分，我们在一百万词的新闻（MSRA）里测得 15%，“火”就更少了。（河湾镇是生成的文本，多义词都写成独立的词，那里的比例会高些。）
#
# 一条出路是放弃词，给每个**字**学一个向量。skip-gram 一行也不用改，因为句子本来就是一串**词元**（token），现在只是把词元换成字。

# %% key="characters-train"
spelt = [
    [c for word in s for c in ([word] if word.isascii() else word)]
    for s in sentences_zh
]
character_vectors = polysemy.train(Watched(spelt), seed, epochs=3)
if t.language == "zh":
    word_vectors = vectors
else:
    word_vectors = polysemy.train(Watched(sentences_zh), seed, epochs=3)
for character in "打花葡蝴针":
    for title, kv in (
        (t("as a character:", "作为字："), character_vectors),
        (t("as a word:", "作为词："), word_vectors),
    ):
        known = character in kv
        near_it = kv.most_similar(character, topn=30) if known else []
        print(character, title, " ".join([w for w, _ in near_it if w.isalpha()][:10]))

spread = Counter(
    c for w, n in counts.items() if n >= 5 for c in set(w) if not c.isascii()
)
common = Counter(itertools.chain.from_iterable(spelt)).most_common(500)
middle = np.median([spread[c] for c, _ in common if not c.isascii()])
print(t("in how many words (5 times or more) does a common character stand? median:",
        "一个常用字出现在多少个词（至少 5 次）里？中位数："), int(middle))  # fmt: skip

# %% [markdown] key="characters-seen" lang="en"
# Now every 打 is met, whatever word it is in. But something is lost as well. A character's
# nearest neighbours are often the other halves of its words: with a million words of MSRA
# (one seed) the nearest to 葡 was 萄, its partner in 葡萄 *grape*, and 蝴 found 蝶 (蝴蝶
# *butterfly*). And the mixture of section 2 gets more parts: in that text the median one of the
# 500 most common characters occurs in 39 different words. Words hide the ambiguity in their
# spelling, characters put all of it into one vector, and neither solves the problem. Lesson
# 06 reads characters *and* the sentence.

# %% [markdown] key="characters-seen" lang="zh" follows="9a529a60"
# 这样一来，无论“打”在哪个词里，模型都会遇到它。可也有丢掉的东西。一个字的近邻往往是词里的另一半：用一百万词的 MSRA 新闻（一个随机种子），离“葡”最近的字是“萄”，离“蝴”最近的是“蝶”。第 2 节的混合也变得更杂，最常见的 500 个字里，居中的那个在这份语料里出现在 39 个不同的词中。词把歧义藏进写法，字把所有歧义塞进同一个向量，两种办法都没有解决问题。第 06 课的模型既读词里的*字*，又读*整句*。

# %% [markdown] key="b-first-layer" lang="en"
# ## 5 · Word embeddings are a pre-trained first layer
#
# In spite of this fault, word vectors, also called **word embeddings**, were used everywhere,
# and they helped. A table of embeddings is called the **embedding layer** of a network, but it
# looks like a lookup. In what sense is it a layer? Take *the bank and the river*, five words in
# which *the* occurs twice.
#
# Write each word as a **one-hot** row, so that the sentence is a matrix $X$ of size $T \times V$
# with $X_{t,i_t} = 1$. Let $C$ be the table, $V \times D$. Then row $t$ of the product is a row of
# the table,
#
# $$(XC)_t = \sum_i X_{t,i}\,C_i = C_{i_t},$$
#
# so the lookup is a linear layer without a bias, whose weights are $C$. It also *learns* like
# one. If $G$ is the gradient of the loss $L$ with respect to $XC$, then
#
# $$\frac{\partial L}{\partial C} = X^{\top} G, \qquad
#   \frac{\partial L}{\partial C_i} = \sum_{t:\,i_t = i} G_t.$$
#
# A word that occurs twice receives the sum of both gradients, and a word that does not occur
# receives none.

# %% [markdown] key="b-first-layer" lang="zh" follows="4ed88ee2"
# ## 5 · 词嵌入就是预训练好的第一层
#
# 尽管有这个毛病，词向量（也叫**词嵌入**）在当年仍然被广泛使用，而且确实有帮助。一张词向量表在网络里叫作**嵌入层**，可它看上去只是查表，凭什么说它是一层？拿“我 吃 苹果 你 吃 梨”来说，六个词，“吃”出现两次。
#
# 每个词写成一行**独热**向量，整句就是一个 $T \times V$ 的矩阵 $X$，其中 $X_{t,i_t} = 1$。设 $C$ 是那张表，大小为 $V \times D$。乘积的第 $t$ 行就是表里的一行：
#
# $$(XC)_t = \sum_i X_{t,i}\,C_i = C_{i_t},$$
#
# 所以查表就是一个没有偏置的线性层，权重是 $C$。它*学习*起来也和线性层一样。记损失 $L$ 对 $XC$ 的梯度为 $G$，则
#
# $$\frac{\partial L}{\partial C} = X^{\top} G, \qquad
#   \frac{\partial L}{\partial C_i} = \sum_{t:\,i_t = i} G_t$$
#
# 出现两次的词收到两份梯度之和，没有出现的词一点也收不到。

# %% key="b-lookup"
from torch.nn import functional as F

from course_claims.experiments import transfer
from course_lib.analysis.neighbours import nearest
from course_lib.models import pair

sentence = t("the bank and the river", "我 吃 苹果 你 吃 梨").split()
shelf = sorted({*sentence, *t(["apple", "money"], ["打", "小米"])})  # V words
ids = torch.tensor([shelf.index(word) for word in sentence])  # (T,)
X = F.one_hot(ids, len(shelf)).double()  # (T, V)
G = torch.randn(len(ids), 4).double()  # from the layers above, whatever they are

by_product, by_lookup = (torch.randn(len(shelf), 4).double() for _ in range(2))
by_lookup.copy_(by_product)  # the same C twice, (V, D)
for matrix in (by_product, by_lookup):
    matrix.requires_grad_()
product, looked_up = X @ by_product, F.embedding(ids, by_lookup)  # (T, D)
product.backward(G)
looked_up.backward(G)
print(t("same output:  ", "输出相同："), torch.equal(product, looked_up))
gradient = by_lookup.grad
print(t("same gradient:", "梯度相同："), torch.allclose(by_product.grad, gradient))
print(t("it is X'G:    ", "就是 X'G："), torch.allclose(gradient, X.T @ G))

# %% key="b-lookup-picture" fold=true
panels = {
    "$X$": (X, sentence, shelf),
    "$C$": (by_product.detach(), shelf, None),
    "$XC$": (product.detach(), sentence, None),
    r"$\partial L\,/\,\partial C = X^{\top} G$": (by_lookup.grad, shelf, None),
}
widths = [part.shape[1] for part, *_ in panels.values()]
figure, axes = plt.subplots(1, 4, figsize=(8.6, 3.4), width_ratios=widths)
for ax, (title, (part, rows, columns)) in zip(axes, panels.items(), strict=True):
    ax.imshow(part, cmap="PuOr", vmin=-2.5, vmax=2.5)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_xticks(range(len(columns or [])), columns or [], rotation=t(90, 0))
    ax.set_title(title)
    ax.set_xlabel(t("words", "词表") if columns else "D")
course_lib.show(
    figure,
    alt=t(
        "Four matrices: one-hot rows X, table C, their product, which repeats rows of C, "
        "and the gradient of C, which is empty for words that are not in the sentence.",
        "四个矩阵：独热向量 X、表 C、两者的乘积（就是 C 的若干行），以及 C 的梯度：句中没有的词，"
        "那一行是空的。",
    ),
)

# %% [markdown] key="b-pair" lang="en"
# Every row of $XC$ is a row of $C$, and *the* gives the same row twice. In the gradient on the
# right, the rows of words that are not in the sentence are blank. So to load word embeddings is
# to start training with one layer whose weights were learned elsewhere, on text without labels.
# It is **pre-training**, of *one* layer.
#
# ## 6 · Frozen or fine-tuned?
#
# A task for which pre-trained parts are used is called a **downstream task**. Ours is typical of
# that time: given a question and a sentence, decide whether the one answers the other. The model
# is as small as possible. A text is the mean of its words' vectors, $u$ for the question and $v$
# for the sentence. They are compared by four vectors laid end to end, where $\odot$ multiplies
# elementwise, and a hidden layer decides:
#
# $$h = \tanh\big(H\,[\,u;\; v;\; |u - v|;\; u \odot v\,] + d\big), \qquad
#   P = \mathrm{softmax}(U h + b).$$
#
# There are three ways to treat $C$; Kim (2014) calls them rand, static and non-static:
#
# * **random**: the rows are initialised at random and trained with the rest;
# * **frozen**: the rows are word vectors and are not trained;
# * **fine-tuned**: the rows start as word vectors and are trained with the rest.

# %% [markdown] key="b-pair" lang="zh" follows="7d2bb309"
# $XC$ 的每一行都是 $C$ 的一行，“吃”那两行一模一样；在最右边的梯度里，句中没有的词那几行是空白。所以加载词嵌入，就是让一层的权重带着别处（没有标注的文本）学来的值开始训练。这就是**预训练**，只不过预训练的只有*一层*。
#
# ## 6 · 冻结还是微调？
#
# 用上预训练成果的任务叫作**下游任务**。我们选一个当年的典型：给定一个问题和一个句子，判断后者是不是前者的答案。模型尽可能小：一段文本就是其中各词向量的平均，问题记作 $u$，句子记作 $v$；用四个向量首尾相接来作比较（$\odot$ 是逐元素相乘），再由一个隐藏层判断：
#
# $$h = \tanh\big(H\,[\,u;\; v;\; |u - v|;\; u \odot v\,] + d\big), \qquad
#   P = \mathrm{softmax}(U h + b)$$
#
# 对 $C$ 有三种处理办法，Kim（2014）分别称作 rand、static、non-static：
#
# * **随机**：各行随机初始化，和其余参数一起训练；
# * **冻结**：各行就是词向量，不再训练；
# * **微调**：各行从词向量出发，和其余参数一起训练。

# %% key="b-pair-code"
quick_sizes = transfer.SMALL | {"train": 300}
sizes = course_lib.by_profile(full=transfer.SIZES, quick=quick_sizes)
with tqdm(total=2, unit=t(" models", " 个模型"), file=sys.stdout) as bar:
    questions = transfer.prepare(f"rivertown-{t.language}-questions", sizes)
    bar.update()
    town = transfer.vectors_for(questions, course_lib.by_profile(300_000, 20_000))
    bar.update()
answered = {"yes": t("yes", "是"), "no": t("no", "否")}
for label in questions.classes:
    for example in [e for e in questions.raw["train"] if e.label == label][:3]:
        print(f"{answered[label]:4} {example.first}  |  {example.second}")
net = pair.begin(questions, "frozen", town, seed=0)
total = sum(p.numel() for p in net.parameters())
print(t("parameters:", "参数："), f"{total:,};",
      t("in C:", "在 C 里的："), f"{net.C.weight.numel() / total:.1%}")  # fmt: skip
course_lib.source(pair.PairModel, pair.compare, pair.begin)

# %% [markdown] key="b-live" lang="en"
# Counted in parameters, nearly the whole model is pre-trained; counted in layers, it is one of
# three. How words combine, and what the question asks for, has to be learned from labels.
#
# The questions come from Rivertown, so the labels are certain, and no name and no sentence
# pattern of the test set was seen in training. The vectors come from Rivertown text without
# labels. Beside it stands a task on real text with the vectors that ship: short film reviews, if
# they are at hand. (A single text has one mean, so $H$ reads $u$ alone.)
#
# The three variants share everything but $C$: the same labelled examples and the same
# initialisation of the other layers. The learning rate and the moment to stop are chosen
# separately for each on a development set of 500 examples, a luxury for somebody with 40
# labels. The two baselines, logistic regression on **TF-IDF** features and the majority class,
# do without it.

# %% [markdown] key="b-live" lang="zh" follows="51b3911d"
# 按参数个数算，几乎整个模型都预训练过；按层数算，只是三层里的一层。词怎样合成句子、问题问的是什么，还得从标注里学。
#
# 问答取自河湾镇，所以标注不会错，而且测试句里的人名和句型训练时都没有出现过；词向量也从河湾镇没有标注的文本学来。旁边再放一个真实任务，手头有外卖评论就用它，词向量用课程附带的。（只有一段文本时，平均也只有一个，$H$ 只读 $u$。）附带的词向量训练时读过这些评论的文字，只是没见过标注，这对冻结和微调可能都略有好处。
#
# 除了 $C$ 以外，三种做法全都一样：同样的标注，其余各层同样的初值。学习率和停止的时机各自在 500 条的开发集上选定。只有 40 条标注的人其实拿不出这样的开发集，不过三种做法都受益于它；两个基线，即 **TF-IDF** 特征上的逻辑回归和多数类，则没有用到它。

# %% key="b-live-run"
real_name = t("sentence_polarity", "waimai")
use_real = data.at_hand(real_name) and course_lib.by_profile(full=True, quick=False)
small_name = f"rivertown-{t.language}-sentiment"
real = transfer.prepare(real_name if use_real else small_name, sizes)
vectors = {task.name: transfer.vectors_for(task, course_lib.by_profile(300_000, 20_000))
           for task in (questions, real)}  # fmt: skip
rates = course_lib.by_profile(full=transfer.RATES, quick=transfer.RATES[-1:])
counts = course_lib.by_profile(full=(40, 400, 4000), quick=(30, 300))
live = []
for task, n in tqdm(
    [*itertools.product((questions, real), counts)], unit=t(" sizes", " 组"), file=sys.stdout
):
    live += transfer.curves(task, vectors[task.name], [n], seed=0, rates=rates)

WAYS = {  # of what `transfer.curves` measures
    "random": t("random", "随机"),
    "frozen": t("frozen", "冻结"),
    "fine-tuned": t("fine-tuned", "微调"),
    "TF-IDF": "TF-IDF",
    "majority": t("majority", "多数类"),
}
TITLES = {
    "rivertown-en-questions": t("questions, Rivertown (en)", "河湾镇问答（英文）"),
    "rivertown-zh-questions": t("questions, Rivertown (zh)", "河湾镇问答（中文）"),
    small_name: t("sentiment, Rivertown", "河湾镇褒贬"),
    "sentence_polarity": t("film reviews (en)", "影评褒贬（英文）"),
    "waimai": t("food delivery (zh)", "外卖评论（中文）"),
}
found = {}
for row in live:
    found.setdefault(row["condition"], {})[row["model"]] = f"{row['value']:.3f}"
lines = []
for condition, line in found.items():
    task_name, n = condition.split(": ")
    of = {t("task", "任务"): TITLES[task_name], t("labels", "标注数"): n}
    lines.append(of | {WAYS[way]: line[way] for way in WAYS})
display(HTML(claims.table(lines)))

# %% [markdown] key="b-moved" lang="en"
# Each line of the table is one number of labels. Compare which of the three variants is ahead
# with few labels and with many, and compare all of them with the last two columns: a network
# that stays below TF-IDF with logistic regression has gained nothing.
#
# This is a single seed; many follow below. First, what does fine-tuning *do* to the rows of
# $C$? It is often said to keep the parameters near the pre-trained ones. Nothing in the loss
# does that, though small steps and an early stop may have this effect. The next cell fine-tunes
# on the labelled texts and measures how far each row has moved.

# %% [markdown] key="b-moved" lang="zh" follows="c7dbd4a9"
# 表里每一行是一种标注数。请比较标注少和标注多时三种做法各是谁领先，再和最后两列比较：网络要是还不如 TF-IDF 加逻辑回归，就没有带来任何好处。
#
# 这只是一个种子，许多种子的结果紧接着就来。先看一件事：微调对 $C$ 的各行*做了什么*？常有人说，微调会把参数约束在预训练值附近。损失函数里并没有这样一项，不过步子小、停得早，倒可能有这个效果。下面用有标注的文本微调，再测量每一行移动了多远。

# %% key="b-moved-run"
tuned = pair.begin(real, "fine-tuned", vectors[real.name], seed=0)
before = tuned.C.weight.detach().clone()  # (V, D)
train, dev = real.ready["train"], real.ready["dev"]
score = pair.fit(tuned, train, dev, lr=3e-3, seed=0)
after = tuned.C.weight.detach()
moved = (after - before).norm(dim=1) / before.norm(dim=1).clamp(min=1e-9)  # (V,)
met = torch.bincount(train.texts[0].flatten(), minlength=len(moved))  # (V,) times
groups = {"0": met == 0, "1-5": (met > 0) & (met < 6), "> 50": met > 50}
groups = {name: rows[1:] for name, rows in groups.items()}  # row 0 is <unk>
for name, rows in groups.items():
    label = t(f"words met {name} times", f"训练中出现 {name} 次的词")
    how_far = float(moved[1:][rows].mean())
    print(label, t("moved by", "平均移动了自身长度的"), f"{how_far:.0%}")

known = [w for w in t(("bad", "ugly"), ("难吃", "失望")) if w in real.vocabulary]
frequent = [i for i in range(1, len(met)) if met[i] >= 10]  # (N,)
for word in known[:1]:
    for title, C in ((t("before", "微调前"), before), (t("after", "微调后"), after)):
        rows = C[frequent].numpy()
        near = nearest(rows, C[real.vocabulary.ids[word]].numpy(), k=8)
        names = [real.vocabulary.words[frequent[i]] for i, _ in near]
        print(word, title, ", ".join(name for name in names if name != word))

# %% [markdown] key="b-curves" lang="en"
# A row moves when its word occurs in training; the row of a word that does not occur stays
# *exactly* where it was. So fine-tuning can separate neighbours: words of the few labelled
# texts move to where the task wants them, while their synonyms stay behind and then appear in
# the test set. Frozen rows stay together. With many labels fewer words are left behind, and the
# task may rearrange them: *bad* and *good* are neighbours among word vectors, because they occur
# in the same contexts, and for sentiment they should not be (Kim 2014, table 3).
#
# From this follows an often-heard rule: *freeze with few labels, fine-tune with many*. If it is
# right, frozen is ahead with 1 % of the labels and fine-tuned with all of them in each of the
# four tasks below.

# %% [markdown] key="b-curves" lang="zh" follows="acb80be3"
# 训练中出现过的词，它那一行才会动；没有出现过的词*一丝不动*。于是微调可能把近邻拆散：有标注的那几条文本里的词被拉到任务需要的地方，它们的同义词却留在原地，偏偏在测试集里出现。冻结时，它们还在一起。标注多了，落下的词就少，任务也可以重新安排它们：“好吃”和“难吃”因为出现在同样的上下文里，在词向量中是近邻，判断褒贬时却不该是（Kim 2014，表 3）。
#
# 由此有了一条常见的经验：*标注少就冻结，标注多就微调*。如果它成立，下面四项任务里，只有 1% 标注时应当都是冻结领先，标注用足时应当都是微调领先。

# %% key="b-curves-picture" fold=true
freezing = claims.card("frozen-or-fine-tuned").rows
n_seeds = len({row["seed"] for row in freezing})
spans = claims.over_seeds(freezing, "accuracy")
tasks = transfer.label_counts(freezing)
figure, axes = plt.subplots(2, 2, figsize=(8.4, 6.4), sharex=True)
for ax, (task, numbers) in zip(axes.flat, tasks.items(), strict=True):
    for (way, label), style in zip(WAYS.items(), ("o--", "s-", "^-", ":", "-")):
        found = np.array([spans[way, f"{task}: {n}"] for n in numbers])  # (K, 3)
        if way == "majority":
            ax.axhline(100 * found[-1, 0], color="lightgrey", zorder=0, label=label)
            continue
        color = "black" if way == "TF-IDF" else None
        [drawn] = ax.plot(numbers, 100 * found[:, 0], style, color=color, label=label)
        if way != "TF-IDF":
            band = 100 * found[:, 1:].clip(0, 1).T  # (2, K)
            ax.fill_between(numbers, *band, color=drawn.get_color(), alpha=0.15)
    ax.set_title(TITLES[task], fontsize=10)
    ax.set_xscale("log")
    ax.set_xticks(numbers, numbers)
    ax.minorticks_off()
    floor = 100 * spans["majority", f"{task}: {numbers[-1]}"].estimate
    tops = [100 * s.estimate for (_, name), s in spans.items() if name.startswith(task)]
    ax.set_ylim(floor - 8, max(tops) + 5)
for ax in axes[1]:
    ax.set_xlabel(t("labelled examples", "标注条数"))
for ax in axes[:, 0]:
    ax.set_ylabel(t("test accuracy, %", "测试准确率（%）"))
axes[0, 0].legend(fontsize=8, ncols=2)
course_lib.show(
    figure,
    alt=t(
        "Learning curves of random, frozen and fine-tuned first layers on four tasks, from "
        "1 % to all labels, with TF-IDF and majority.",
        "四项任务上随机、冻结、微调三种第一层的学习曲线，标注从 1% 到全部，并画出 TF-IDF 和多数类。",
    ),
)
print(t(f"mean and 95 % interval over {n_seeds} seeds", f"{n_seeds} 个种子的平均与 95% 区间"))

# %% [markdown] key="b-curves-seen" lang="en"
# On film reviews the rule holds as stated. On food delivery the curves have the same shape, but
# which variant is ahead with all labels cannot be told. The two question tasks look different:
# frozen vectors learn next to nothing, however many labels there are. Fine-tuned rows are
# ahead of random ones in English from 1,200 labels on, by about four to five points, and in
# Chinese nowhere significantly. Why? The next cell compares a few rows.

# %% [markdown] key="b-curves-seen" lang="zh" follows="c55d6c0d"
# 在影评上，这条经验原样成立。在外卖评论上曲线形状相同，只是标注用足时谁领先看不出来。两个问答任务则完全不同：不管标注多少，冻结几乎什么也学不到；微调在英文上从 1200 条标注起领先随机初始化，大约领先四五个百分点，在中文上则没有哪一处显著领先。原因何在？下一格比较几行向量。

# %% key="b-why"
some = t(("Henry Victor", "suitcase umbrella", "Henry suitcase"),
         ("国强 建军", "雨伞 灯笼", "国强 雨伞"))  # fmt: skip
first, second = questions.ready["test"].texts
answers = questions.ready["test"].labels == questions.classes.index("yes")
for way in ("random", "frozen"):
    rows = pair.begin(questions, way, town, seed=0).C
    print(WAYS[way])
    for words in map(str.split, some):
        a, b = rows.weight[questions.vocabulary.encode(words)]
        print(
            "  ", *words, t("cosine", "余弦"), f"{torch.cosine_similarity(a, b, 0):.2f}"
        )
    both = torch.cosine_similarity(rows(first), rows(second))  # (N,)
    print(t("   question and its answer:", "   问题和它的答案："), f"{both[answers].mean():.2f},",
          t("and another sentence:", "和别的句子："), f"{both[~answers].mean():.2f}")  # fmt: skip

# %% [markdown] key="b-why-seen" lang="en"
# Word vectors put words of the same kind in the same place. That is their strength: what was
# learned about *dull* also holds for *boring*. It is their weakness when the question is *which
# one*: to these rows Henry and Victor are the same man. (Vectors learned from so little text
# also share a large common part, which section 2 had to subtract; here it brings all cosines
# close to 1; how much of the failure is due to that was not separated.) Random rows know nothing about any word, but no two of them are alike, so a word
# that occurs in both texts shows in $u \odot v$. Fine-tuning has to pull apart what pre-training
# put together.
#
# TF-IDF is the baseline to beat. Where it is on top with all labels, no first layer makes up for a
# mean that ignores word order; our TF-IDF also counts pairs of neighbouring words and so keeps
# some of it. (In the question tasks it is also told which words the two texts share.)

# %% [markdown] key="b-why-seen" lang="zh" follows="0322d920"
# 词向量把同类的词放在一处。这是它的长处，从“难吃”学到的东西对“难喝”也管用。可要是问的偏偏是*哪一个*，这就成了短处：在这些行看来，“国强”和“建军”就是同一个人。（文本这么少，学出来的词向量还都带着一大块公共成分，第 2 节就得先把它减掉；在这里它让所有余弦都接近 1；失败有几分是因为它，没有分开测。）随机的行对哪个词都一无所知，但任意两行都不相像，所以一个词要是两段文本里都有，$u \odot v$ 上就看得出来。微调必须先把预训练拢到一起的词拆开。
#
# 真正要超过的基线是 TF-IDF。标注用足之后，哪里还是它领先，哪里换什么样的第一层都弥补不了“取平均丢掉词序”的损失；我们的 TF-IDF 也数相邻的词对（中文是相邻的字），多少保留了一点词序。（在问答任务里，它还直接得知问句和句子共有哪些词。）

# %% key="b-freeze-card" fold=true
claims.card("frozen-or-fine-tuned").show(t)

# %% [markdown] key="b-vision" lang="en"
# Three further questions are answered in short below; their cards are on the book's claims page.
#
# <details><summary>Optional: how many points do word vectors add?</summary>
#
# "One or two points" is often said, as if it were a property of word vectors. We measured the
# gain over random rows on six tasks, three of them among Kim's seven, taking the better of frozen
# and fine-tuned on the development set. With 1 or 10 % of the labels the gain is 2 to 16
# points. With all labels it is 0.3 to 2.5, except for the Chinese headlines (7.9), of which
# there are few. Kim's table 2 has 2.4 to 6.1 points for fine-tuned vectors, with all labels and vectors trained on 100
# billion words. So the first question to such a number is: with how many labels?
#
# </details>
#
# <details><summary>Optional: is ambiguity the reason why word vectors help so little?</summary>
#
# A language without ambiguous words does not exist, but we can make English *more* ambiguous.
# Words of about the same frequency are paired at random, and from then on both are written
# alike, in the text that the vectors are learned from and in the task; or four words share a
# name. (The most common words keep theirs.) If one vector for several meanings is what limits
# word vectors, most of their help should now disappear.
#
# Only tasks in which vectors help significantly to begin with can answer this: two part-of-speech
# taggers, the headlines and the question types. There the help falls with every doubling, so
# ambiguity does cost something. But the taggers lose only about a third of the help with pairs,
# significantly less than half, and with four meanings a name the vectors still help them.
# Ambiguity is *a* reason; nothing here shows that it is *the* reason. ULMFiT's authors name
# another one: only the first layer is pre-trained.
#
# </details>
#
# <details><summary>Optional: what did vision do first?</summary>
#
# Freezing and fine-tuning came from vision, where a whole *stack* of layers is taken over. The
# usual explanation is that low layers find edges, which occur everywhere, and high layers what
# the task is about. Yosinski et al. (2014) tested it: train a network on half of the ImageNet
# classes, copy its first $n$ layers, put new ones on top and train on the other half. If layer $n$
# is **general**, a frozen copy does as well as a network trained from scratch; if it is
# **specific**, it does worse.
#
# We did the same on a small scale: a network of five layers learns the digits 0 to 4 (images of
# 8 × 8 points), and its first 1 to 4 layers are used for 5 to 9. The table below has the
# results. Frozen copies get worse with depth, as in the paper. But with 90 labelled images a
# digit an *untrained* first layer, or two, does as well as a trained one, to within a point, and so do
# logistic regression without any layers and all the fine-tuned copies. (With 3 a digit ten seeds cannot
# tell.) A data set this easy shows how the experiment is designed, and cannot show that low layers are
# general. That trained layers have learned something shows a little when three are frozen, and plainly
# only when four are.
#
# </details>

# %% [markdown] key="b-vision" lang="zh" follows="a111a678"
# 关于本节还有三个问题，下面简要回答；附有全部数字的卡片在本书的“论断”一页。
#
# <details><summary>选读：用上词向量，究竟能涨多少？</summary>
#
# 流行的说法是“一两个点”，好像这是词向量自带的属性。我们在六项任务上测了它比随机初始化多出的百分点，其中三项就在 Kim 的七项之列，冻结和微调谁在开发集上好就算谁的。标注只有 1% 或 10% 时，涨 2 到 16 个点；标注用足时涨 0.3 到 2.5 个点，只有新闻标题例外（7.9），它的标注本来就少。Kim 的表 2 里，微调的词向量涨 2.4 到 6.1 个点，标注用足，词向量来自一千亿词。所以见到这样的数，应当先问标注有多少。
#
# </details>
#
# <details><summary>选读：词向量帮助有限，原因是一词多义吗？</summary>
#
# 没有多义词的语言并不存在，但我们可以让语言*更加*多义。把频率差不多的词随机两两配对，从此写成同一个词，训练词向量的语料里这么写，任务里也这么写；或者四个词共用一个名字。（最常见的词不改。）如果词向量受限的原因真是“几个意思一个向量”，它的帮助这时应当失去大半。
#
# 能据以判断的，只有词向量原本就有显著帮助的任务：两个词性标注、新闻标题和问题类型。在那里，歧义每加一倍，帮助平均就降一截，可见歧义确实有代价。不过配对之后，词性标注只失去大约三分之一的帮助，显著低于一半；四个意思挤在一个名字里，词向量对它们仍然有用。歧义是原因*之一*，但这里没有证据说明它就是*主要*原因。ULMFiT 的作者提出的是另一条：预训练的只有第一层。
#
# </details>
#
# <details><summary>选读：图像领域先做了什么？</summary>
#
# 冻结和微调都来自图像领域，那里搬用的是整*叠*的层。通常的解释是，低层找的是到处都有的边缘和线条，高层找的是任务要的东西。Yosinski 等（2014）检验了这个解释：用 ImageNet 一半的类别训练网络，取它的前 $n$ 层，上面换成新的层，再用另一半类别训练。如果第 $n$ 层是**通用**的，冻结照搬就和从头训练一样好；如果它是**专用**的，就会变差。
#
# 我们做了一个缩小版：五层的网络先学数字 0 到 4（8 × 8 个点的图像），再把它的前 1 到 4 层用于 5 到 9，结果列在下面的表里。冻结照搬的层越多，成绩越差，这和论文一致。可是每个数字有 90 张标注图时，*未训练*的第一层甚至前两层，和训练过的相差不到一个点，一层也没有的逻辑回归和微调的几种也都是这样。（只有 3 张时，十个种子分不出高下。）这样容易的数据只能演示实验怎样设计，不能证明低层通用。训练过的层学到了东西，冻结三层时略能看出，冻结四层时才看得分明。
#
# </details>

# %% key="b-vision-table" fold=true
vision = claims.card("vision-layers").rows
KINDS = {
    "from scratch": t("from scratch", "从头训练"),
    "linear": t("logistic regression on pixels", "像素上的逻辑回归"),
    "frozen": t("taken over, frozen", "搬用，冻结"),
    "fine-tuned": t("taken over, fine-tuned", "搬用，微调"),
    "untrained": t("untrained, frozen", "未训练，冻结"),
}
found = {}
for (kind, condition), span in claims.over_seeds(vision, "accuracy").items():
    layers, labelled = (int(part.split()[0]) for part in condition.split(", "))
    if labelled in (3, 90):
        found.setdefault((labelled, kind), {})[layers] = f"{100 * span.estimate:.1f}"
heads = t(("labels a digit", "network", "no layer"), ("每个数字的标注", "网络", "不搬")) + tuple(
    t(f"{n} layer{'s' * (n > 1)}", f"{n} 层") for n in range(1, 5)
)  # fmt: skip
lines = [
    dict(zip(heads, (n, KINDS[kind], *(found[n, kind].get(k, "") for k in range(5)))))
    for n in (3, 90)
    for kind in KINDS
]
title = t("Optional: the digits 5 to 9, accuracy in %, mean of ten seeds",
          "选读：数字 5 到 9 的准确率（%），十个种子的平均")  # fmt: skip
display(HTML(f"<details><summary>{title}</summary>{claims.table(lines)}</details>"))

# %% [markdown] key="b-layers-seen" lang="en"
# ## 7 · What this leaves open
#
# Compare what vision took over with what language took over.
#
# | | vision, 2014 | language, mostly until 2018 |
# |---|---|---|
# | taken over | a stack of layers | the first layer |
# | learned from | labelled images | text without labels |
# | starts at random | the last layers | every layer that reads *words together* |
# | the same patch or word with other surroundings | other features from the second layer on | the same vector |
#
# The last two rows belong together. A pre-trained first layer has one row for each word, so
# *bank* enters the network as a mixture (section 2), and the layers that could resolve the
# mixture, because they see the other words, are the ones that start at random.
#
# The table also shows the way out: pre-train the layers *above* the first. They read words in
# context, so they need a task that asks for context and needs no labels, which is called
# **self-supervised** learning. Lesson 01 had such a task: predict the next word from those before
# it. Lesson 05 uses the states of a language model as features, and lesson 06 opens the model up.

# %% [markdown] key="b-layers-seen" lang="zh" follows="098d17b6"
# ## 7 · 还缺什么
#
# 把图像领域搬用的和语言领域搬用的放在一起比较。
#
# | | 图像，2014 年 | 语言，2018 年之前大多如此 |
# |---|---|---|
# | 搬用的是 | 一叠层 | 第一层 |
# | 从哪里学来 | 有标注的图像 | 没有标注的文本 |
# | 随机初始化的是 | 最后几层 | 所有要*把词放在一起读*的层 |
# | 同一小块图、同一个词，换了周围 | 从第二层起特征就不同 | 还是同一个向量 |
#
# 最后两行说的是同一件事。预训练好的第一层里每个词只有一行，“苹果”进入网络时就已经是混在一起的（第 2 节）；而能看到其他词、有可能把混合拆开的那些层，偏偏要从随机值开始。
#
# 出路也在表里，就是把第一层*上面*的层也预训练好。它们读的是上下文里的词，所以需要一个不用标注又离不开上下文的任务，这叫**自监督**学习。第 01 课就有这样一个任务：根据前面的词预测下一个词。第 05 课把语言模型的状态当作特征，第 06 课再把这个模型拆开来看。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# Every model of the course takes the same test. The word's own static vector is the lower bound:
# all sentences are equally near, and ties are broken at random.

# %% [markdown] key="scoreboard" lang="zh" follows="51a0d165"
# ## 记分牌
#
# 课程里的每个模型都做同一个测试。词自己的静态向量是最低一档，因为所有例句一样近，平局只能随机裁定。

# %% key="scoreboard-row"
began = time.perf_counter()
scores = {
    own_name: averages[own_name],
    t("averaged static context", "静态上下文平均"): claims.context_scores(
        tables[t.language], t.language
    ),
}
seconds = time.perf_counter() - began
display(HTML(claims.sense_table(scores, t)))
tokens = sum(len(s.tokens) for s in data.senses(t.language))
print(
    t("parameters:", "参数："),
    f"{tables[t.language].vectors.size:,};",
    t("milliseconds per token, at most:", "每个词的毫秒数，至多："),
    f"{1000 * seconds / tokens:.3f}",
)

# %% [markdown] key="board" lang="en"
# Below are all models so far on the same questions (lesson 01 explains the columns). The board
# is measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="5d849189"
# 下面是到这一课为止的所有模型在同样问题上的成绩，各列的含义见第 01 课；这张榜由各课共用，只测一次。

# %% key="board-show"
claims.show_scoreboard(t, "04")

# %% [markdown] key="knob" lang="en"
# ## Predict, change, explain
#
# Mix two real vectors of the table that ships yourself, without any training, and look at the
# ten nearest words. Before you run the cell, predict: at a share of 0.75, how many of the ten are
# nearer to the first word than to the second? And at 0.5? Then change `SHARE` and the two
# words, and explain what you see. The second line takes the first word's direction off the mixture
# before it looks for neighbours.

# %% [markdown] key="knob" lang="zh" follows="68134389"
# ## 先预测，再改动，后解释
#
# 这一次不用训练，直接把附带词向量表里的两个真实向量混合起来，看离它最近的十个词。运行之前请先预测：份额是 0.75 时，十个里有几个离第一个词更近？份额是 0.5 时呢？然后改动 `SHARE` 和两个词，解释你看到的结果。输出的第二行先从混合里减去第一个词的方向，再找近邻。

# %% key="knob-run"
FIRST, SECOND = t(("water", "money"), ("比赛", "银行"))
SHARE = 0.75  # the knob: try 0.5, 0.6 and 0.9

directions = senses.unit(table.vectors - table.vectors.mean(axis=0))  # (V, D)
a, b = (directions[table.key_to_index[word]] for word in (FIRST, SECOND))  # (D,)
mixture = SHARE * a + (1 - SHARE) * b
for label, v in ((t("mixture:", "混合："), mixture),
                 (t("first word taken off:", "减去第一个词之后："), mixture - (mixture @ a) * a)):  # fmt: skip
    order = [i for i in (-(directions @ v)).argsort()[:12]
             if table.index_to_key[i] not in (FIRST, SECOND)][:10]  # fmt: skip
    nearer = sum(directions[i] @ a > directions[i] @ b for i in order)
    print(label, " ".join(table.index_to_key[i] for i in order))
    print(t(f"   nearer to {FIRST}: {nearer} of 10", f"   离“{FIRST}”更近的：10 个里 {nearer} 个"))

# %% [markdown] key="knob-seen" lang="en"
# <details><summary>What comes out, and why</summary>
#
# At 0.75 all ten words are nearer to *water*, at 0.6 nine of them, and only at 0.5 is the list
# divided, six to four; at 0.4 one is left. So the list turns over between the shares 0.6 and 0.4, and
# outside of them shows next to nothing of the other word. The list answers "what is near this *point*?", and most points
# on the way from one word to the other lie near one end. With the direction of *water* taken
# off, all ten words are nearer to *money*, at every share: that part was in the mixture all the
# time. (For a real word we do not know the direction to take off. Arora and colleagues look for a
# set of directions that serves all words.) Other pairs of words switch elsewhere: a word with
# many close neighbours wins the list even with a smaller share.
#
# </details>

# %% [markdown] key="knob-seen" lang="zh" follows="7e2c6547"
# <details><summary>结果如何，为什么</summary>
#
# 无论份额是 0.9、0.75 还是 0.5，十个词都离“比赛”更近。份额相等时，近邻表竟然也不是一半对一半，因为“比赛”周围有许多挨得很近的词（队、决赛、赛事），“银行”周围的词没有这么密，而近邻表回答的是“这个*点*附近有什么”。一旦减去“比赛”的方向，十个词就全都离“银行”更近，份额是多少都一样，可见那一部分一直在混合里。（对真实的词，我们并不知道该减去哪个方向；Arora 等人的办法是找一组所有词共用的方向。）换一对词，近邻表在哪个份额上从一边翻到另一边，也会不同：近邻密的词，份额小一些也能占满整张表。
#
# </details>

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** A pseudoword stands three times for *water* and once for *money*. What do we
# find in its skip-gram vector, and in the list of its nearest words?
#
# <details><summary>A. A weight of about three quarters for <em>water</em>, and three
# quarters of the list.</summary>
#
# Not quite: the vector is right. But a list is no mixture: it names the words nearest
# to *one* point, and that point lies among the neighbours of water.
#
# </details>
#
# <details><summary>B. A weight of about nine tenths for <em>water</em>, and nine tenths
# of the list.</summary>
#
# Not quite: this reads the vector off the list. The rare part is in the vector with
# about its share; the list hardly shows it.
#
# </details>
#
# <details><summary>C. A weight of about one half: one word, two senses.</summary>
#
# Not quite: the text decides how much each sense weighs, not the dictionary.
#
# </details>
#
# <details><summary>D. A weight of about three quarters for <em>water</em>, and about
# nine tenths of the list.</summary>
#
# Right. The vector is close to the mean by occurrences. The list is a winner-takes-all
# view of it.
#
# </details>
#
# ---
#
# **2.** In a text 60 % of the occurrences of a word have sense A, 30 % sense B, 10 %
# sense C. A classifier sees nothing but the word's static vector. How accurate can it
# be at best?
#
# <details><summary>A. 60 %</summary>
#
# Right. The vector is the same at every occurrence, so the answer is, too; the best
# constant answer is A. No classifier, however deep, can read more out of it.
#
# </details>
#
# <details><summary>B. 33 %: it can only guess.</summary>
#
# Not quite: guessing evenly is not the best it can do without information. Always
# naming A is better.
#
# </details>
#
# <details><summary>C. 100 %, with enough layers on top.</summary>
#
# Not quite: layers can only work on what comes in. The same input gives the same
# output.
#
# </details>
#
# <details><summary>D. About 80 %, since B and C are in the vector as well.</summary>
#
# Not quite: they are in it, in every sentence. That tells nothing about *this*
# sentence.
#
# </details>
#
# ---
#
# **3.** C is fine-tuned, and the loss of *the bank and the river* takes one plain
# gradient step. Which rows of C change?
#
# <details><summary>A. Four rows; that of <em>the</em> by the sum of two
# gradients.</summary>
#
# Right. A lookup is a product with one-hot rows, and the gradient is the transposed
# product: what stands twice collects twice, what is absent gets nothing.
#
# </details>
#
# <details><summary>B. All rows: C is one matrix.</summary>
#
# Not quite: the gradient of a row that no word of the sentence has looked up is exactly
# 0.
#
# </details>
#
# <details><summary>C. Five rows, one for each place in the sentence.</summary>
#
# Not quite: *the* stands there twice, but it has one row.
#
# </details>
#
# ---
#
# **4.** "Fine-tuning keeps the word vectors close to the pre-trained ones." What in the
# training does that?
#
# <details><summary>A. A penalty on the distance from the starting point.</summary>
#
# Not quite: there is such a method, but it is not what "fine-tuning" means. Look at the
# loss: it has no such term.
#
# </details>
#
# <details><summary>B. The pre-training loss, which still pulls on them.</summary>
#
# Not quite: it is no longer computed. Only the task's loss is.
#
# </details>
#
# <details><summary>C. Nothing in the loss; small steps and an early stop may.</summary>
#
# Right. And rows of words that training lacks do not move at all, while their synonyms
# move away. A penalty on the distance could be added; plain fine-tuning has none.
#
# </details>
#
# ---
#
# **5.** In the two question tasks frozen word vectors learned next to nothing. Why?
#
# <details><summary>A. There were too few labels.</summary>
#
# Not quite: they learned next to nothing with many labels, too.
#
# </details>
#
# <details><summary>B. The vectors come from another kind of text.</summary>
#
# Not quite: they were trained on Rivertown's own text.
#
# </details>
#
# <details><summary>C. The task asks <em>which one</em> of a kind it is.</summary>
#
# Right. Word vectors put words of a kind in one place. To them Henry and Victor are the
# same man. Ask first whether a task lives on what words have in common, then how many
# labels there are.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="fa5e781f"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 有个词只在“银行”旁边出现，从不在“比赛”旁边出现。它对“银行”的对数比是 5.0。九个“比赛”配一个“银行”，掺成“比赛银行”之后，它对这个伪词的对数比大约是多少？
#
# <details><summary>A. 0.5，占一成就剩一成</summary>
#
# 再想想：缩到一成的是概率。对数比不是乘上 0.1，而是加上 0.1 的对数。
#
# </details>
#
# <details><summary>B. 5.0，没有变化</summary>
#
# 再想想：伪词周围绝大多数是“比赛”的邻居，这个词在其中占的份额确实小了。
#
# </details>
#
# <details><summary>C. 2.7</summary>
#
# 对。概率乘 0.1，对数就减 2.3。低频词在对数里保住的远不止一成；可实际学出来的小规模向量，更接近按次数平均。
#
# </details>
#
# <details><summary>D. 负数，因为“比赛”从不和它在一起</summary>
#
# 再想想：只要伪词旁边还有它，而且比凑巧多，对数比就是正的。
#
# </details>
#
# ---
#
# **2.** 一个词的三个义项在文本里各占 60%、30%、10%。有个分类器只看这个词的静态向量，最好能对多少？
#
# <details><summary>A. 60%</summary>
#
# 对。每次读到的都是同一串数，回答也就每次一样；总猜最常见的那个，已经是极限。
#
# </details>
#
# <details><summary>B. 33%，只能随机猜</summary>
#
# 再想想：没有信息的时候，均匀地随机猜不是最好的办法，总猜最常见的更好。
#
# </details>
#
# <details><summary>C. 网络够深就能到 100%</summary>
#
# 再想想：输入一样，输出就一样，再深也变不出信息来。
#
# </details>
#
# <details><summary>D. 大约 80%，因为另外两个义项也在向量里</summary>
#
# 再想想：在是在，可是每一句都在，说明不了*这一句*是哪个。
#
# </details>
#
# ---
#
# **3.** 要给中文读者演示“静态向量把一个词的几个意思混在一起”，下面哪个例子站得住？
#
# <details><summary>A. “苹果”：我买了一个苹果；他卖掉苹果的股票。</summary>
#
# 对。两句里“苹果”都单独成词，查到的是同一行，意思却是水果和公司。
#
# </details>
#
# <details><summary>B. “银行”：去银行存钱；在河边的银行散步。</summary>
#
# 再想想：“银行”只有一个意思，第二句不像中国话。这是照着英语的 bank 逐词翻译出来的。
#
# </details>
#
# <details><summary>C. “打”：他去打针；他在打篮球；她给妈妈打电话。</summary>
#
# 再想想：分词器把“打针”“打篮球”“打电话”各切成一个词，各有各的向量，词级模型根本碰不到单独的“打”。
#
# </details>
#
# <details><summary>D. “苹果公司”：苹果公司发布新品；苹果公司股价上涨。</summary>
#
# 再想想：整个切成一个词，而且两句说的是同一个意思，没有歧义可演示。
#
# </details>
#
# ---
#
# **4.** “微调会把词向量约束在预训练的位置附近。”训练里是什么在起这个作用？
#
# <details><summary>A. 损失里罚距离的那一项。</summary>
#
# 再想想：有一类方法专门加这么一项，但普通的微调没有。回头看看损失函数就知道。
#
# </details>
#
# <details><summary>B. 损失里什么也没有。</summary>
#
# 对。步子小、停得早，倒可能有这个效果。而且没在标注里出现的词一丝不动，它的同义词却被拉走了：“糟糕”留在原地，“难吃”搬了家。
#
# </details>
#
# <details><summary>C. 预训练的损失还在拉着它们。</summary>
#
# 再想想：微调时已经不算预训练的损失了，只算任务的。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Do you understand it?
#
# <details><summary>1. All 20 words nearest to a word belong to one sense. May you conclude
# that the word's other sense is missing from the vector?</summary>
#
# No. At 3 : 1 the list is nearly full of one sense while the other has about a quarter of
# the weight. To find it, project the vector on the other sense, or take off the first.
# </details>
#
# <details><summary>2. A static vector names the sense of 苹果 in reviews with an accuracy of
# 95 %. Is that good?</summary>
#
# It depends on the majority. If 95 % of the reviews mean the fruit, always saying *fruit* gives
# the same accuracy, and the company is never found.
# </details>
#
# <details><summary>3. Why did we leave either part of a pseudoword the same number of
# occurrences under its own name, and why the control 1 : 0?</summary>
#
# A vector learned from fewer occurrences is noisier, and noise makes a fitted weight
# smaller. With equal numbers both weights shrink alike. The control says what a perfect
# result looks like in this training: a second name for the same word does not get cosine 1.
# </details>
#
# <details><summary>4. Construct an example of your own in which a static vector must fail
# and the averaged context succeeds; and one in which both must fail.</summary>
#
# The first: two sentences with the word in two senses and different other words, both
# senses common enough. The second: two sentences with the *same* other words in another
# order, or one sentence that has the word in both senses (*Before the match he struck a
# match*, lesson 00). The exercise asks for one of the first kind and tests it.
# </details>
#
# <details><summary>5. A colleague learns vectors for Chinese words and says that 打 is not
# ambiguous in them. What do you look at?</summary>
#
# At the segmenter: in how many of its occurrences does 打 stand alone, and which senses
# are left there? 打针 and 打电话 are words of their own.
# </details>

# %% [markdown] key="questions" lang="zh" follows="40037c9f"
# ## 检查一下自己
#
# <details><summary>1. 离一个词最近的 20 个词全属于同一个义项，能不能说它的向量里没有另一个义项？</summary>
#
# 不能。3 : 1 时近邻表已经几乎全归一方，而另一方还占着大约四分之一的权重。要找它，就把向量投影到另一个义项上，或者先把第一个义项减掉。
# </details>
#
# <details><summary>2. 有人用静态向量判断评论里“苹果”的义项，准确率 95%。算好吗？</summary>
#
# 要看多数类占多少。如果 95% 的评论说的都是水果，总回答“水果”就有这个成绩，而说公司的那些评论一条也答不对。
# </details>
#
# <details><summary>3. 为什么要给伪词的两个原词留下同样多的出现次数？为什么要有 1 : 0 这个对照？</summary>
#
# 出现得少，学到的向量噪声就大，而噪声会把拟合出来的权重压小。次数一样，两边就压得一样。对照则告诉我们，在这样的训练里满分长什么样：同一个词换个名字再学一遍，余弦也到不了 1。
# </details>
#
# <details><summary>4. 自己造一个例子，让静态向量必错、静态上下文平均能对；再造一个两者都必错的。</summary>
#
# 前者：同一个词以两个义项出现在两句里，其他的词不同，两个义项都够常见。后者：两句的其他词完全一样，只是次序不同，或者同一个词以两个义项出现在一句里。练习里会让你交一个前者那样的例子，并当场检验。
# </details>
#
# <details><summary>5. 有人训练了中文词向量，说“打”在里面没有歧义。你先看什么？</summary>
#
# 看分词：“打”有几成是独立成词的？留在那里的又是哪些义项？“打针”“打电话”都各自成词了。
# </details>

# %% [markdown] key="b-questions" lang="en"
# <details><summary>Somebody replaces the lookup by a real one-hot product and finds that
# training is slower, but that the accuracy is the same to the last digit. Should that
# surprise?</summary>
#
# No. Output and gradient are the same numbers; the product only multiplies a great many
# zeros. (With another order of additions the last bits may differ.)
# </details>
#
# <details><summary>95 % of a model's parameters are pre-trained. Why may it still need as
# many labels as before?</summary>
#
# Parameters are not what a task asks for. The 5 % decide how words are combined and what is
# asked, and they begin at random.
# </details>
#
# <details><summary>A paper fine-tunes word vectors with 100 labels and reports that they
# are worse than frozen ones. What happened to <i>awful</i>, which is in the test set
# only?</summary>
#
# Its row stayed, while *bad* and *terrible*, which were in the 100 texts, moved away. The
# upper layers learned to read the moved rows.
# </details>
#
# <details><summary>A frozen first layer transfers without loss. Is it general?</summary>
#
# Not shown yet: an untrained one may transfer without loss as well, as on our digits. What
# must be compared is a trained layer with an untrained one, at the same depth.
# </details>

# %% [markdown] key="b-questions" lang="zh" follows="881e76d8"
# <details><summary>有人把查表换成真正的独热乘法，发现训练变慢了，准确率却连最后一位都一样。奇怪吗？</summary>
#
# 不奇怪。输出和梯度是同样的数，乘法只是多乘了许许多多个零。（加法的次序不同，最后几个二进制位可能有差别。）
# </details>
#
# <details><summary>一个模型 95% 的参数都预训练过，为什么仍可能要那么多标注？</summary>
#
# 任务要的不是参数的个数。剩下的 5% 决定词怎样合在一起、问的是什么，而它们从随机开始。
# </details>
#
# <details><summary>某论文用 100 条标注微调词向量，结果不如冻结。只在测试集里出现的“糟糕”遇到了什么？</summary>
#
# 它那一行没动，而那 100 条里有的“难吃”“太差”都搬走了。上面的层学会读的，是搬走之后的行。
# </details>
#
# <details><summary>第一层冻结搬过来，一点不损失。它就是通用的吗？</summary>
#
# 还没有证明：未训练的层也可能一点不损失，我们的数字图就是这样。要比的是同一深度上训练过的层和未训练的层。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Arora et al. (2018), TACL 6 (see the top): the mixture, and how to take it apart again.
# * Levy, Goldberg (2014), *Neural word embedding as implicit matrix factorization*, NIPS.
# * Schütze (1998), *Automatic word sense discrimination*, Computational Linguistics 24:
#   averaged contexts and pseudowords, twenty years before ELMo.
# * Kim (2014), *Convolutional neural networks for sentence classification*, EMNLP, tables 2 and 3.
# * Yosinski et al. (2014), *How transferable are features in deep neural networks?*, NIPS.
# * Peters, Ruder, Smith (2019), *To tune or not to tune?*, RepL4NLP: the same question for whole
#   networks.
#
# More claims about this lesson are on the book's claims page (or run
# `python -m course_lib claims list`): is a vector for each sense too costly? Do word vectors make
# training converge sooner? The exercises: `exercises/04_polysemy`.

# %% [markdown] key="reading" lang="zh" follows="885926cf"
# ## 接下来读什么
#
# * Arora 等（2018），TACL 6，题目见本课开头：义项怎样混在一起，又怎样再拆开。
# * Levy、Goldberg（2014），*Neural word embedding as implicit matrix factorization*，NIPS。
# * Schütze（1998），*Automatic word sense discrimination*，Computational Linguistics 24：比 ELMo 早二十年的上下文平均和伪词。
# * Kim（2014），*Convolutional neural networks for sentence classification*，EMNLP，表 2 和表 3。
# * Yosinski 等（2014），*How transferable are features in deep neural networks?*，NIPS。
# * Peters、Ruder、Smith（2019），*To tune or not to tune?*，RepL4NLP：同一个问题，换成整个网络。
#
# 关于本课的更多论断见本书的“论断”一页，也可以运行 `python -m course_lib claims list`：每个义项一个向量真的太贵吗？用上词向量收敛得更快吗？练习在 `exercises/04_polysemy`。
