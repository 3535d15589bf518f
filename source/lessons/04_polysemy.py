# %% [markdown] key="title" lang="en"
# # 04 · One vector is not enough
#
# After this lesson you can
#
# * say what one vector does to a word with two senses, and which part of it is a theorem;
# * make a pseudoword, a word whose senses are certain, and measure with it;
# * read a list of nearest neighbours without being fooled by it;
# * explain why a Chinese segmenter hides the very ambiguity that examples are made of;
# * use word vectors as the first layer of a model, frozen or fine-tuned, and measure which
#   is better with how many labels;
# * say what vision did first, and where the comparison with it holds.
#
# Running time, measured on two cores: two to two and a half minutes (quick profile: under
# one). The paper: Arora, Li, Liang, Ma, Risteski, *Linear algebraic
# structure of word senses, with applications to polysemy*, TACL 2018 (first version 2016).

# %% [markdown] key="title" lang="zh" follows="6bfed1de"
# # 04 · 一个向量不够用
#
# 学完本课，你能够
#
# * 说清一个词有两个义项时，它唯一的向量会变成什么样，其中哪一部分是可以证明的；
# * 造一个“伪词”，也就是义项完全已知的词，并拿它来做测量；
# * 看近邻表而不上它的当；
# * 解释为什么分词器偏偏把大家爱举的歧义例子藏了起来；
# * 把词向量当作模型的第一层，冻结或者微调，并测出标注多少时哪个更好；
# * 说出图像领域先做了什么，这个类比在哪里成立。
#
# 在双核电脑上实测两分钟多（精简规模不到一分钟）。论文：Arora、Li、Liang、Ma、Risteski，*Linear algebraic structure of word senses, with applications to polysemy*，TACL 2018（初稿 2016）。

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
from course_lib.analysis.statistics import t_interval
from course_lib.text.tokenise import words_zh
from course_lib.widgets import one_vector
from course_lib.worlds import worlds
from course_lib.worlds.pseudowords import blend

_ = torch.manual_seed(4)
tables = {name: course_lib.load(f"static-{name}") for name in ("en", "zh")}

# %% [markdown] key="owner" lang="en"
# ## 1 · Which sense owns the vector?
#
# *The bank raised its rates. They sat on the bank and fished.* In lessons 01 to 03 *bank*
# has one row, and so one list of nearest words. Guess first: of the twenty words nearest
# to it, how many have to do with a river?
#
# A guess needs a judge who is not us. The course has sentences in which the sense is
# known. The mean of the other words' vectors is a crude vector of a sentence (lesson 00);
# the mean of a sense's sentences is the **centroid** of that sense. A neighbour goes to
# the sense whose centroid is nearest. Is the judge fair? As a control he also sorts the
# 3,000 commonest words, most of which have nothing to do with the word in question.

# %% [markdown] key="owner" lang="zh" follows="b4f7ceb0"
# ## 1 · 这个向量归谁？
#
# “削了个苹果吃”，“苹果又出了新手机”。在第 01 至 03 课里，“苹果”只占一行，也就只有一张近邻表。先猜一猜：离它最近的二十个词里，有几个和手机有关？
#
# 光猜不行，得有个不偏心的裁判。课程附带一批标好义项的例句。把一句里其他词的向量取平均，就是这句话的粗略向量（第 00 课）；再把同一义项的句子取平均，就得到这个义项的**质心**。近邻离哪个质心近，就归哪个义项。这个裁判公平吗？作为对照，让他把最常见的 3000 个词也分一遍，这些词大多和要考察的词毫不相干。


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
# **What to see.** The control is split more or less evenly; the twenty nearest are not.
# With the vectors that ship, one sense of *bank* has nearly the whole list, one of 苹果
# (*apple*; a fruit or a company), of 小米 (*millet*; a grain or a company) and of 打
# (*to hit*, *to play*, *to phone* …) too. *Play* is shared by its senses.
#
# Which sense wins? Not the one in the dictionary's first line, but the one in the text.
# The English vectors have read the news and a lot of film reviews. The Chinese ones have
# read shop reviews, one category of which is fruit: in them 苹果 stands in 3,665 reviews
# of fruit and in 186 of tablets, computers and phones. So here it is a fruit, and 小米,
# nobody's favourite grain in these texts, is a phone.
#
# The map shows the same. Each point is a sentence, placed by its averaged context; the
# star is the word's own vector, the same for all of them.

# %% [markdown] key="owner-seen" lang="zh" follows="4cdd8edc"
# **看什么。** 对照组大致平分，最近的二十个词却不是。用课程附带的向量，“苹果”的近邻几乎全归一个义项，“小米”“打”、英语的 bank（银行；河岸）也一样；play（比赛；演奏；戏剧）则由几个义项分享。
#
# 哪个义项胜出？不看词典里谁排第一，要看语料里谁出现得多。中文向量读了大量网购评论，其中一类正是水果：“苹果”出现在 3665 条水果评论里，而平板、电脑、手机的评论里总共只有 186 条。所以在这里，“苹果”是水果；而这些评论里很少有人谈五谷杂粮，偶尔有一碗“小米粥”，也被切成了另一个词，“小米”就成了手机。换一份语料，结果可能正好反过来。
#
# 下面的图说的是同一件事。每个点是一个句子，按其他词的平均向量摆放；星号是这个词自己的向量，所有句子共用这一个。

# %% key="owner-map"
one_vector(tables, [*data.senses("en"), *data.senses("zh")], t.language)

# %% [markdown] key="pseudoword" lang="en"
# ## 2 · What the mixture is made of
#
# Is the vector of *bank* a mean of two vectors, one for each sense? Nobody can say: the
# two were never learned. So we make a word whose senses are known. Take two ordinary
# words, *water* and *money*, and write `watermoney` for both: nine times for *water*, once
# for *money*. Such a **pseudoword** hides which of the two stood there, and we remember it
# (Gale, Church and Yarowsky 1992; Schütze 1992).

# %% [markdown] key="pseudoword" lang="zh" follows="337a7a1b"
# ## 2 · 混在一起的是什么
#
# “苹果”的向量，是不是“水果的苹果”和“公司的苹果”两个向量的平均？没法回答，因为这两个向量从来没有单独学过。那就造一个义项已知的词：拿两个普通的词，比如“比赛”和“银行”，都改写成“比赛银行”，每九个“比赛”配一个“银行”。（“银行”本来只有一个意思，正好拿来做实验。）这样的**伪词**遮住了原来是哪个词，而我们心里有数（Gale、Church、Yarowsky，1992；Schütze，1992）。

# %% key="pseudoword-make"
def read(language, words):
    """Read sentences in small letters until they hold so many words."""
    texts = (c.documents() for c in polysemy.corpora(language))
    documents = itertools.chain.from_iterable(texts)
    sentences = []
    with tqdm(total=words, unit="word", unit_scale=True, file=sys.stdout) as bar:
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
# **The part that is a theorem.** Write $n(w, c)$ for how often the word $c$ stands near
# $w$. Near the pseudoword stands what stood near either part, so counts add up, and its
# contexts are the parts' contexts weighted by share:
#
# $$P(c \mid ab) = s\,P(c \mid a) + (1 - s)\,P(c \mid b), \qquad s = \frac{n(a)}{n(a) + n(b)}.$$
#
# ($n(a)$ counts the words near $a$.) No training, no noise: a frequency-weighted mean,
# exactly. But vectors are not probabilities. Levy and Goldberg (2014) showed what
# skip-gram with $k$ negative samples tends to:
# $v_w \cdot u_c = \log \frac{P(c \mid w)}{P(c)} - \log k$ ($u_c$ is the vector of $c$ as an
# answer, lesson 02's $v'_c$). And the logarithm of a mean is not the mean of the logarithms.
# Look at words that stand near the *rare* part only.

# %% [markdown] key="count" lang="zh" follows="f18ef855"
# **可以证明的部分。** 用 $n(w, c)$ 表示词 $c$ 在 $w$ 附近出现的次数。伪词附近的词，就是两个原词附近的词合在一起，次数直接相加，所以它的上下文分布是两者按份额的加权平均：
#
# $$P(c \mid ab) = s\,P(c \mid a) + (1 - s)\,P(c \mid b), \qquad s = \frac{n(a)}{n(a) + n(b)}$$
#
# （$n(a)$ 是 $a$ 附近的总词数。）这里没有训练，也没有噪声，严格相等。可是向量不是概率。Levy 与 Goldberg（2014）证明，用 $k$ 个负样本的 skip-gram 会趋向 $v_w \cdot u_c = \log \frac{P(c \mid w)}{P(c)} - \log k$（$u_c$ 是 $c$ 当答案时的向量，就是第 02 课的 $v'_c$），而平均数的对数并不等于对数的平均数。把掺在一起的两个词里出现得多的那个叫*多数派*（这里是“比赛”），出现得少的叫*少数派*（“银行”）。来看只在少数派附近出现的词。


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
print(t("the share of the rare part:", "少数派的份额："), f"{1 - s:.3f},",
      t("its logarithm:", "它的对数："), f"{math.log(1 - s):.1f}")  # fmt: skip

# %% [markdown] key="laws" lang="en"
# **What to see.** The probability of a word that belongs to the rare part alone shrinks
# to a tenth, as the theorem says. To its log-ratio a constant is added, $\log(1 - s)$,
# which is negative: of five nats more than two remain. So there are two predictions for the *vector* of a word with a
# rare sense:
#
# * **by occurrences**: it is the parts' mean, weighted by share; one in ten counts one tenth;
# * **by logarithm**: the rare part keeps much more than its share. Arora and colleagues
#   found this for vectors close to such log-ratios: $v_{ab} \approx \alpha v_a + \beta v_b$
#   with $\alpha \approx 1$ and $\beta \approx 1 - c\,\log_{10} r$, where $r$ is the ratio
#   of the frequencies and $c$ about one half.
#
# Which is right for skip-gram, stopped after a few passes over a small text? We need
# many pseudowords, and all three vectors from one training. `blend` leaves both words
# half of their occurrences (as many for either), and mixes among the other half.

# %% [markdown] key="laws" lang="zh" follows="f7ea5bc6"
# **看什么。** 只属于少数派的词，概率缩到十分之一，正如定理所说；它的对数比却只加上一个常数 $\log(1 - s)$，这是个负数：原来有五个奈特，加完还剩两个多。于是，对带有罕见义项的词的*向量*，就有两种预测：
#
# * **按次数**：它是两个原词向量按份额的加权平均，占一成就算一成；
# * **按对数**：少数派保住的比它的份额多得多。Arora 等人在接近这种对数比的向量上测到的正是这样：$v_{ab} \approx \alpha v_a + \beta v_b$，其中 $\alpha \approx 1$，$\beta \approx 1 - c\,\log_{10} r$，$r$ 是两词的频率之比，$c$ 约为二分之一。
#
# 只在一份小语料上读几遍就停下来的 skip-gram，服从哪一条？要回答，得有许多伪词，而且三个向量要出自同一次训练。`blend` 给两个词各留一半出现次数（留得一样多），只混合另一半。

# %% key="blend"
course_lib.source(blend, geometry.mixing_weights)


class Watched(list):
    """A text with a bar for each time that gensim reads it: to count, then to learn."""

    def __iter__(self):
        return iter(tqdm(super().__iter__(), total=len(self), file=sys.stdout))


seed = 1
blends = polysemy.draw(sentences, pairs=5, seed=seed)
vectors = polysemy.train(Watched(blend(sentences, blends, seed)), seed)
measured = [m for _, m in polysemy.measure_blends(vectors, blends)]
for ratio in ((1, 1), (9, 1)):
    pair = next(pair for pair in blends if pair.ratio == ratio)
    print(f"\n{ratio[0]} : {ratio[1]}")
    for word in (pair.first, pair.name, pair.second):
        near_it = [w for w, _ in vectors.most_similar(word, topn=60) if w.isalpha()]
        print(f"  {word:16}", ", ".join(near_it[:7]))

# %% [markdown] key="figure" lang="en"
# The vector of each pseudoword is now fitted by its parts, $v_{ab} \approx x\,v_a + y\,v_b$
# (least squares, after taking off the mean of all vectors), and the frequent part's weight
# is $x / (x + y)$. Crosses are this run. Points with bars are several seeds of a larger
# run that is kept with the course: other pairs, other draws, other starts.
#
# The dashed line is the law by logarithm, for words that stand near one part only and have a
# log-ratio of $M = 5$ nats there. In the mixture $M + \log s$ of it is left if the part is the
# frequent one, $M + \log(1 - s)$ if it is the rare one, so that the frequent part weighs
# $\frac{M + \log s}{2M + \log s + \log(1 - s)}$. (Arora's formula gives nearly the same: 0.66
# at 9 : 1, the line 0.64.) On the far right stands a control, 1 : 0, a second name for one and
# the same word: its weight should be 1.

# %% [markdown] key="figure" lang="zh" follows="56acbed1"
# 现在用两个原词的向量去拟合每个伪词的向量，$v_{ab} \approx x\,v_a + y\,v_b$（先减去全体向量的均值，再用最小二乘），多数派的权重就是 $x / (x + y)$。叉号是刚才这一次；带误差线的点来自随课程保存的一个更大的实验，用了好几个随机种子，每个种子的词对、抽样和初值都不同。
#
# 虚线是“按对数”那条规律：设一个词只在某一方附近出现，在那里的对数比是 $M = 5$ 个奈特；混合之后，多数派的词剩 $M + \log s$，少数派的词剩 $M + \log(1 - s)$，所以多数派的权重是 $\frac{M + \log s}{2M + \log s + \log(1 - s)}$。（Arora 等人的公式算出来差不多：9 : 1 处是 0.66，虚线是 0.64。）最右边是对照 1 : 0：同一个词的另一个名字，权重应当是 1。

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
        label=t("this run, one pseudoword", "本次，一个伪词"),
    )
    means = claims.over_seeds(kept, metric)
    x = [a / (a + b) for _, ratio in means for a, b in [map(int, ratio.split(":"))]]
    y, low, high = np.array(list(means.values())).T
    axis.errorbar(x, y, [y - low, high - y], fmt="o", color="C0", capsize=3,
                  label=t(f"mean, {seeds} seeds, 95 %", f"平均，{seeds} 个种子，95%"))  # fmt: skip
    axis.plot(
        [0.5, 1], [0.5, 1], color="black", lw=1, label=t("by occurrences", "按次数")
    )
    axis.set_xlabel(
        t("frequent part's share of the occurrences", "多数派占出现次数的份额")
    )
    axis.set_ylabel(label)
axes[0].plot(grid, log_law, "--", color="C1", label=t("by logarithm", "按对数"))
axes[0].set_ylim(0.2, 1.3)
axes[1].set_ylim(-0.05, 1.1)
axes[0].legend(fontsize=8, loc="upper left")
course_lib.show(
    figure,
    alt=t(
        "Left: fitted weight of the frequent part against its share of the occurrences; the "
        "means lie near the diagonal. Right: its share of the ten neighbours, which jumps "
        "from one half to nearly one.",
        "左图：多数派的拟合权重随其出现份额的变化，均值靠近对角线。右图：多数派在十个近邻里的份额，"
        "从一半一下子跳到接近全部。",
    ),
)

# %% [markdown] key="figure-seen" lang="en"
# **What to see.** On the left the means lie close to the diagonal: at this size the vector
# is, to a first approximation, the mean of its parts *by occurrences*, and far from the
# dashed line. On the right the list of neighbours does something else: from 3 : 1 on, about
# nine in ten belong to the frequent part. A vector that is three quarters *water* lies
# among the neighbours of water; the other quarter moves it a little, and hardly a word
# of *money* is near enough to get onto the list. The list is a winner-takes-all view of a
# mixture. So what section 1 showed is true and misleading: the rare sense is in the
# vector, and the list hardly shows it. (The quick profile reads too little: there the
# crosses are all over the place, also at the control on the far right, which should be 1.)
#
# Two checks, also kept. True senses, which Rivertown labels, instead of merged words; and
# four times as many passes over the text: if a short training is what keeps the vector
# from the logarithm's law, a longer one should move it there.

# %% [markdown] key="figure-seen" lang="zh" follows="914e8d78"
# **看什么。** 左图里，均值紧挨着对角线：在这个规模上，向量近似就是两个原词*按次数*的加权平均，离虚线很远。右图的近邻表却是另一回事：从 3 : 1 起，近邻里大约十个有九个归多数派。一个向量有四分之三是“比赛”，就落在“比赛”的近邻中间；另外四分之一只把它推开一点点，“银行”那边几乎没有哪个词近到能上榜。近邻表是赢者通吃，向量不是。所以第 1 节看到的没有错，却容易误导人：少数派的义项就在向量里，只是表上几乎看不出来。（精简规模读得太少，叉号到处都是，连最右边本该等于 1 的对照也散开了。）
#
# 另外做了两项核对，结果也存着：不用合并的词，改用河湾镇里真正标了义项的多义词；把语料的遍数加到四倍：假如是训练太短，向量才没有走到对数那条规律上，那么多读几遍就该挪过去。


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
    t("by occurrences", "按次数"): ["0.67", "0.75", "0.83", "0.90"],
    t("pseudowords, English", "伪词，英语"): line(pseudowords, "pseudowords en"),
    t("pseudowords, Chinese", "伪词，中文"): line(pseudowords, "pseudowords zh"),
    t("true senses, Rivertown, English", "真义项，河湾镇，英语"): line(town_senses, "Rivertown en"),
    t("true senses, Rivertown, Chinese", "真义项，河湾镇，中文"): line(town_senses, "Rivertown zh"),
    t("1M words of English, 5 passes", "一百万词英语，读 5 遍"): line(longer, "5 epochs"),
    t("1M words of English, 20 passes", "一百万词英语，读 20 遍"): line(longer, "20 epochs"),
}  # fmt: skip
heads = t("weight of the frequent part", "多数派的权重"), *polysemy.UNEQUAL
display(HTML(claims.table([dict(zip(heads, (k, *v))) for k, v in lines.items()])))

# %% [markdown] key="dominates" lang="en"
# **What to see.** Compare each line with the first. With true senses the frequent one weighs somewhat less than
# its share: a step from the diagonal towards the logarithm, and no more than a step. Twenty passes, on a million
# words, make the vectors noisier (in our first seed their cosine with the best mix fell from about 0.92 to 0.56)
# and move the weights a little that way, by 0.05 on average [0.02, 0.07], nowhere near the law. So the
# logarithm's law, measured by its authors with another method on all of Wikipedia, is not what a small skip-gram
# does; we do not know how much of the difference is due to the text and how much to the method.
#
# Does the frequent sense *dominate* the vector, then? It depends on what the word is to mean. The card
# counts the least of it: is the vector nearer to the frequent part than to the rare one? Its table
# adds the weights and the neighbours.

# %% [markdown] key="dominates" lang="zh" follows="771180ca"
# **看什么。** 每一行都和第一行比。换成真正的义项，多数派的权重比份额低一些：从对角线朝对数那边挪了一步，也只是一步。一百万词读二十遍，向量的噪声大了（第一个种子里，与最佳混合的余弦从 0.92 左右降到 0.56），权重朝那边平均只挪了 0.05 [0.02, 0.07]，离那条规律还远得很。可见对数那条规律是作者用另一种方法、在整个维基百科上测到的，小规模的 skip-gram 并不服从它；差别里有几分来自语料、几分来自方法，我们不知道。
#
# 那么，常见的义项到底算不算*主导*了这个向量？要看“主导”是什么意思。卡片只计最起码的一层：向量是不是离多数派更近；权重和近邻列在表里。


# %% key="dominates-card" fold=true
claims.card("frequent-sense-dominates").show(t)

# %% [markdown] key="lost" lang="en"
# ## 3 · What is lost, and where it still is
#
# The rare sense is in the vector. Can one then tell from the vector which sense a
# *sentence* means? No, and this is a theorem again. A rule that reads the word's vector
# reads the same numbers at every occurrence, so it gives the same answer every time. Its
# accuracy is the share of the sense that it always names, at best the most frequent one's:
#
# $$\max_f \Pr\big[f(v_w) = \text{sense}\big] = \max_j \Pr[\text{sense} = j].$$
#
# The other words of the sentence are free to differ. First our pseudoword at nine to one,
# with labels that are certain, then the course's sentences.

# %% [markdown] key="lost" lang="zh" follows="dba97b5c"
# ## 3 · 丢了什么，又还在哪里
#
# 罕见义项就在向量里。那么，看着这个向量，能不能说出某一*句*里是哪个义项？不能，这又是可以证明的。凡是只看词向量的规则，每次读到的都是同一串数，回答也就每次都一样。它的准确率等于它总猜的那个义项的份额，最好也不过是最常见的那个：
#
# $$\max_f \Pr\big[f(v_w) = \text{义项}\big] = \max_j \Pr[\text{义项} = j]$$
#
# 句中其他的词却可以各不相同。先看九比一的伪词，它的标签绝对可靠；再看课程的例句。

# %% key="lost-pseudoword"
table = tables[t.language]
labels = np.array([s.sense for s in made.senses])
context = senses.context_average(table, made.senses, table.vector_size)  # (N, D)
hits = {
    t("the word's own vector, best rule", "只看词自己的向量，最好的规则"): labels == frequent,
    t("averaged context, nearest centroid", "静态上下文平均，最近质心"): senses.centroid_hits(context, labels),
}  # fmt: skip
heads = t(
    ("rule", "all", f"[{frequent}]", f"[{rare}]"),
    ("规则", "全部", f"［{frequent}］", f"［{rare}］"),
)
parts = np.isin(labels, (frequent, rare)), labels == frequent, labels == rare
rows = [
    (name, *(f"{hit[part].mean():.2f}" for part in parts)) for name, hit in hits.items()
]
rows.append((t("occurrences", "次数"), *(int(part.sum()) for part in parts)))
display(HTML(claims.table([dict(zip(heads, row)) for row in rows])))

# %% [markdown] key="lost-seen" lang="en"
# **What to see.** The first rule is right nine times in ten and has learned nothing: it
# never finds the rare sense. Whoever reports accuracy on lopsided senses should report the
# majority beside it, or each sense on its own. The averaged context has read no more text
# than the word's vector; it is made of the same kind of static vectors, only those of the
# *neighbours*. That is where the information is.

# %% [markdown] key="lost-seen" lang="zh" follows="9fa9a9c5"
# **看什么。** 第一条规则十次对九次，却什么也没学会：少数派一次也找不出来。义项一边倒的时候，报准确率就该同时报“总猜多数”的成绩，或者把每个义项分开报。静态上下文平均并没有多读什么语料，用的也是静态向量，只不过是*邻居*的向量。信息就在那里。

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
# **What to see.** The same on true words: the word's own vector is at chance, because all
# its occurrences are equally near and a coin decides; the mean of the *other* words'
# vectors is far above the majority. That mean is the opponent which every contextual model
# of this course has to beat.
#
# ## 4 · Chinese: the segmenter hides it
#
# 打 *dǎ* is the favourite example of a Chinese word with many senses: 打针 *to give an
# injection*, 打篮球 *to play basketball*, 打电话 *to phone*. Chinese is written without
# spaces, so before a word has a vector somebody must decide what a word is. Here is what
# the usual segmenter, jieba, decides. (For readers without Chinese: only watch where the
# spaces fall around 打 and around 苹果 *apple*. Imagine English without spaces, and a
# program that returns *playpiano* and *playfootball* as words.)

# %% [markdown] key="segmentation" lang="zh" follows="e5f85f0d"
# **看什么。** 换成真正的多义词也一样：只看词自己的向量，所有例句一样近，只能抛硬币，成绩等于瞎猜；*其他*词的平均向量则远远超过“总猜最常见的”。以后每一个上下文模型，都得先胜过这个平均。
#
# ## 4 · 分词器把歧义藏起来了
#
# 讲一词多义，大家爱举“打”：打针、打篮球、打电话。可是中文不用空格，词要有向量，先得有人决定什么算一个词。来看常用的分词器 jieba 怎么切，注意“打”和“苹果”前后的空格落在哪里。

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
# In the first four the "ambiguous" word is not there: 打针 is a word with a row of its
# own, 苹果公司 (*Apple Inc.*) too. A word-level model never meets the ambiguity that the
# examples are meant to show. It does in the last three. How often is that in real text?
#
# (Another favourite, 银行 *bank*, is not ambiguous at all: a riverbank is 河岸. The example was
# translated from English, word for word.)

# %% [markdown] key="segment-count" lang="zh" follows="dd13275b"
# 前四句里根本没有“打”和“苹果”这两个词：“打针”自成一词，有自己的一行，“苹果公司”也是。词级模型压根碰不到这几个例子想说明的歧义。后三句里它才碰得到。真实文本里，这种情形占多少？
#
# （另一个常举的例子“银行”根本没有歧义：河岸叫“河岸”“河边”。有两个意思的是英语的 bank，那个例子是逐词翻译来的。）

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
# **What to see.** 打 stands alone in a small part of its occurrences: we measured 15 % in
# a million words of news (MSRA). 火 *fire* hardly ever does. (In Rivertown, the course's
# generated text, polysemous words are written as words of their own, so there the shares
# are higher.)
#
# One way out is to give up words and learn a vector for each **character**. Nothing in
# skip-gram has to change: a sentence is a list of tokens, and now they are characters.

# %% [markdown] key="characters" lang="zh" follows="8a698aea"
# **看什么。** “打”独立成词的只占一小部分：我们在一百万词的新闻（MSRA）里测得 15%；“火”就更少了。（河湾镇是生成的文本，多义词都写成独立的词，那里的比例会高些。）
#
# 一条出路是不要词了，给每个**字**学一个向量。skip-gram 一行也不用改：句子本来就是一串记号，现在记号换成字。

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
# **What to see.** Now every 打 is met, in every word. And something is lost. With a million
# words of MSRA's news (one seed) the character nearest to 葡 was 萄, its partner in 葡萄
# *grape*; 蝴 found 蝶 (蝴蝶 *butterfly*) and 针 found 灸 (针灸 *acupuncture*). A character's
# neighbours are often the other halves of its words, or characters that write foreign
# names: after 萄, 葡 had no fruit among its nearest ten, because in the news 葡萄牙 is
# *Portugal*. And the mixture of section 2 gets more parts: in that text the middle one of
# the 500 commonest characters stands in 39 different words. Words hide the ambiguity in
# their spelling; characters put all of it into one vector. Neither solves it. Lesson 06
# reads characters *and* the sentence.

# %% [markdown] key="characters-seen" lang="zh" follows="d12e8e3d"
# **看什么。** 这样一来，每个“打”都碰到了，不管它在哪个词里。可也有丢掉的东西。用一百万词的 MSRA 新闻（一个随机种子），离“葡”最近的字是“萄”，离“蝴”最近的是“蝶”，离“针”最近的是“灸”：一个字的近邻，常常是词里的另一半，或者同样用来音译外国名字的字。“葡”的前十个近邻里，除了“萄”再没有一种水果，因为新闻里说的是葡萄牙。而且第 2 节的混合变得更杂：最常见的 500 个字，居中的那个在这份语料里要出现在 39 个不同的词中。词把歧义藏进了写法，字则把所有歧义塞进同一个向量，谁也没有解决问题。第 06 课的模型既读词里的*字*，又读*整句*。

# %% [markdown] key="b-first-layer" lang="en"
# ## 5 · A word vector is a pre-trained first layer
#
# The vectors have a fault; they were used all the same, and with profit. How? Accounts
# say: a table of word vectors is a pre-trained *layer*. It looks like a lookup. Take
# *the bank and the river*: five words, and *the* stands twice.
#
# Write each word as a one-hot row, so that the sentence is a matrix $X$ of size
# $T \times V$ with $X_{t,i_t} = 1$. Let $C$ be the table, $V \times D$. Then row $t$ of
# the product is a row of the table,
#
# $$(XC)_t = \sum_i X_{t,i}\,C_i = C_{i_t},$$
#
# so the lookup is a linear layer without a bias, whose weights are $C$. It also *learns*
# like one. If $G$ is the gradient of the loss $L$ by $XC$, then
#
# $$\frac{\partial L}{\partial C} = X^{\top} G, \qquad
#   \frac{\partial L}{\partial C_i} = \sum_{t:\,i_t = i} G_t.$$
#
# A word that stands twice gets both gradients; a word that is not there gets none.

# %% [markdown] key="b-first-layer" lang="zh" follows="41a53754"
# ## 5 · 词向量就是预训练好的第一层
#
# 词向量有毛病，大家还是照用，而且用得有赚头。怎么用的？常见的说法是：词向量表就是预训练好的一*层*网络。可它看上去只是查表。拿“我 吃 苹果 你 吃 梨”来说，六个词，“吃”出现两次。
#
# 每个词写成一行独热向量，整句就是一个 $T \times V$ 的矩阵 $X$，其中 $X_{t,i_t} = 1$。设 $C$ 是那张表，大小 $V \times D$。乘积的第 $t$ 行就是表里的一行：
#
# $$(XC)_t = \sum_i X_{t,i}\,C_i = C_{i_t},$$
#
# 所以查表就是一个没有偏置的线性层，权重是 $C$。它*学习*起来也和线性层一样。记损失 $L$ 对 $XC$ 的梯度为 $G$，则
#
# $$\frac{\partial L}{\partial C} = X^{\top} G, \qquad
#   \frac{\partial L}{\partial C_i} = \sum_{t:\,i_t = i} G_t$$
#
# 出现两次的词，两份梯度都收；没出现的词，一点也收不到。

# %% key="b-imports"
from torch.nn import functional as F

from course_claims.experiments import transfer
from course_lib.analysis.neighbours import nearest
from course_lib.models import digits, pair

# %% key="b-lookup"
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

# %% [markdown] key="b-share" lang="en"
# **What to see.** Every row of $XC$ is a row of $C$; *the* gives the same row twice. In the
# gradient on the right the words that the sentence does not have are blank.
#
# So the account is right: to load word vectors is to begin training with one layer's
# weights learned elsewhere, on text without labels. It is pre-training, of *one* layer.
# How much of a model is that? Here is the model of the next section, counted.

# %% [markdown] key="b-share" lang="zh" follows="ccd0b225"
# **看什么。** $XC$ 的每一行都是 $C$ 的一行，“吃”那两行一模一样。右边的梯度里，句中没有的词是空白。
#
# 所以这个说法成立：加载词向量，就是让一层的权重带着别处（没有标注的文本）学来的值开始训练。这是预训练，只不过只训了*一层*。这一层在模型里占多少？拿下一节的模型数一数。

# %% key="b-share-table"
quick_sizes = transfer.SMALL | {"train": 300}
sizes = course_lib.by_profile(full=transfer.SIZES, quick=quick_sizes)
with tqdm(total=2, file=sys.stdout) as bar:
    questions = transfer.prepare(f"rivertown-{t.language}-questions", sizes)
    bar.update()
    town = transfer.vectors_for(questions, course_lib.by_profile(300_000, 20_000))
    bar.update()
model = pair.begin(questions, "frozen", town, seed=0)
parts = {
    t("first layer C", "第一层 C"): (model.C, t("word vectors", "词向量")),
    t("hidden layer H", "隐藏层 H"): (model.hidden, t("nothing", "从零开始")),
    t("output layer U", "输出层 U"): (model.out, t("nothing", "从零开始")),
}
counts = [sum(p.numel() for p in part.parameters()) for part, _ in parts.values()]
heads = t(("layer", "parameters", "share", "begins with"),
          ("层", "参数", "占比", "起点"))  # fmt: skip
cells = [
    (name, f"{n:,}", f"{n / sum(counts):.1%}", origin)
    for n, (name, (_, origin)) in zip(counts, parts.items(), strict=True)
]
display(HTML(claims.table([dict(zip(heads, line)) for line in cells])))

# %% [markdown] key="b-pair" lang="en"
# Count parameters, and nearly the whole model was pre-trained. Count layers, and it is one
# of three. What the words are is known; how to put them together, and what the question
# is, the model must learn from labels alone.
#
# ## 6 · Frozen or fine-tuned?
#
# The standard picture of that time: a question, a sentence, and a network that says
# whether the one answers the other. Ours is as small as it can be. A text is the mean of
# its words' vectors, $u$ for the question and $v$ for the sentence; they are compared by
# four vectors laid end to end ($\odot$ multiplies number by number); a hidden layer decides:
#
# $$h = \tanh\big(H\,[\,u;\; v;\; |u - v|;\; u \odot v\,] + d\big), \qquad
#   P = \mathrm{softmax}(U h + b).$$
#
# $C$ can begin and go on in three ways (Kim 2014 has the names rand, static, non-static):
#
# * **random**: rows are drawn, and trained with the rest;
# * **frozen**: rows are word vectors, and stay;
# * **fine-tuned**: rows are word vectors, and are trained with the rest.

# %% [markdown] key="b-pair" lang="zh" follows="231d4ac1"
# 按参数个数算，几乎整个模型都预训练过；按层数算，只是三层里的一层。词是什么，模型已经知道；词怎样合成句子、问题问的是什么，只能从标注里学。
#
# ## 6 · 冻结还是微调？
#
# 当年的典型用法：一个问题、一个句子，网络判断后者是不是前者的答案。我们的网络能多小就多小。一段文本就是其中各词向量的平均，问题记作 $u$，句子记作 $v$；用四个向量首尾相接来作比较（$\odot$ 是逐个数相乘），再由一个隐藏层判断：
#
# $$h = \tanh\big(H\,[\,u;\; v;\; |u - v|;\; u \odot v\,] + d\big), \qquad
#   P = \mathrm{softmax}(U h + b)$$
#
# $C$ 怎样开始、之后动不动，有三种做法（Kim 2014 称作 rand、static、non-static）：
#
# * **随机**：各行随机取值，和别的参数一起训练；
# * **冻结**：各行就是词向量，不再动；
# * **微调**：各行从词向量出发，和别的参数一起训练。

# %% key="b-pair-code"
for label in questions.classes:
    for example in [e for e in questions.raw["train"] if e.label == label][:3]:
        print(f"{label:4} {example.first}  |  {example.second}")
course_lib.source(pair.PairModel.forward, pair.compare, pair.begin)

# %% [markdown] key="b-live" lang="en"
# Questions come from Rivertown: the labels are certain, and no name and no pattern of a
# test sentence was seen in training. The vectors come from Rivertown text without labels.
# Beside it stands real text, with the vectors that ship: short film reviews if they are at
# hand. (A single text has one mean, so $H$ reads $u$ alone. In the Chinese edition it is
# food-delivery reviews, whose words, not labels, the vectors have read before.)
#
# The three ways share everything but $C$: the same labelled examples, the same beginning
# of the other layers. Learning rate and moment to stop are chosen on the dev set (validation
# examples, apart from those of training and test), for each separately. A remark on that: 500
# dev examples are a luxury for somebody who has 40 labels. All three ways enjoy it; the two
# baselines (TF-IDF with logistic regression, and majority) do not.

# %% [markdown] key="b-live" lang="zh" follows="c13e377d"
# 问答取自河湾镇：标注不会错，测试句里的人名和句型训练时都没出现过。词向量也从河湾镇没有标注的文本学来。旁边再放一个真实任务：手头有外卖评论就用它，词向量用课程附带的。（只有一段文本时，平均也只有一个，$H$ 只读 $u$。）附带的词向量训练时读过这些评论的文字，只是没见过标注；这对冻结和微调都略有好处。
#
# 三种做法除了 $C$ 以外全都一样：同一批标注，其余各层同样的起点。学习率和停止的时机都在开发集上选，各选各的。这里要坦白一点：只有 40 条标注的人，哪来 500 条的开发集？好在三种做法都沾了光；两个基线（TF-IDF 加逻辑回归、总猜多数类）没有。

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
for task, n in tqdm([*itertools.product((questions, real), counts)], file=sys.stdout):
    live += transfer.curves(task, vectors[task.name], [n], seed=0, rates=rates)

WAYS = {  # of what `transfer.curves` measures
    "random": t("random", "随机"),
    "frozen": t("frozen", "冻结"),
    "fine-tuned": t("fine-tuned", "微调"),
    "TF-IDF": "TF-IDF",
    "majority": t("majority", "多数类"),
}


def lines_of(rows):
    """Arrange accuracies in lines: a task and a number of labels, a column each way."""
    found = {}
    for row in rows:
        found.setdefault(row["condition"], {})[row["model"]] = f"{row['value']:.3f}"
    head = t("task: labels", "任务：标注数")
    return [
        {head: condition} | {WAYS[way]: line[way] for way in WAYS}
        for condition, line in found.items()
    ]


display(HTML(claims.table(lines_of(live))))

# %% [markdown] key="b-moved" lang="en"
# **What to see.** Read the lines from left to right and note who is first, then look
# whether it is the same with few labels as with many. And look at the last two columns: a
# network that stays below TF-IDF with logistic regression has nothing to boast of.
#
# One seed is an anecdote; many seeds come next. First, what does fine-tuning *do* to the
# rows? Accounts say that it keeps the parameters near the pre-trained ones. Nothing in the
# loss does. Small steps and an early stop may.

# %% [markdown] key="b-moved" lang="zh" follows="1c8c7b23"
# **看什么。** 一行一行横着看，谁排第一；再看标注少的时候和多的时候，第一是不是同一个。最后两列也别放过：网络要是还不如 TF-IDF 加逻辑回归，就没什么可夸的。
#
# 一个随机种子只能当故事听，许多种子的结果紧接着就来。先看一件事：微调对这些行*做了什么*？有人说，微调会把参数约束在预训练值附近。损失函数里并没有这样一项；步子小、停得早，倒可能有这个效果。

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
# **What to see.** A row is moved when its word is met; a word that training lacks stays
# *exactly* where it was. So fine-tuning can tear neighbours apart: the words of the few
# labelled texts go where the task wants them, their synonyms stay behind, and at test time
# the synonyms come. Frozen rows stay together. With many labels fewer words are left
# behind, and the task may sort them: in word vectors *bad* and *good* are neighbours,
# because they stand in the same places; for sentiment they should not be (Kim 2014,
# table 3).
#
# That suggests a piece of advice often given: *freeze with few labels, fine-tune with many*.
# If it is right, frozen is ahead with 1 % of the labels, and fine-tuned with all of them, in
# each of these four tasks.

# %% [markdown] key="b-curves" lang="zh" follows="8ecfb4b5"
# **看什么。** 训练中出现过的词，它那一行才会动；没出现过的，*一丝不动*。于是微调可能把近邻拆散：有标注的那几条文本里的词被拉到任务想要的地方，它们的同义词留在原地，偏偏测试时来的就是同义词。冻结的话，大家还在一起。标注多了，落下的词就少，任务也可以重新安排它们：在词向量里，意思相反的词（“好吃”和“难吃”）因为出现在同样的位置而成了邻居，判断褒贬时却不该是（Kim 2014，表 3）。
#
# 由此有了一条常见的经验：*标注少就冻结，标注多就微调*。照这么说，下面四项任务里，1% 标注时应当都是冻结领先，标注用足时应当都是微调领先。

# %% key="b-curves-picture" fold=true
TITLES = {
    "rivertown-en-questions": t("questions, Rivertown (en)", "河湾镇问答（英文）"),
    "rivertown-zh-questions": t("questions, Rivertown (zh)", "河湾镇问答（中文）"),
    "sentence_polarity": t("film reviews (en)", "影评褒贬（英文）"),
    "waimai": t("food delivery (zh)", "外卖评论（中文）"),
    "qc": t("TREC questions (en)", "TREC 问题类型（英文）"),
    "subjectivity": t("subjective or plot (en)", "主观句还是情节（英文）"),
    "tnews": t("headlines, 15 topics (zh)", "新闻标题，15 类（中文）"),
    "chnsenticorp": t("hotel reviews (zh)", "酒店评论（中文）"),
}


def seeds_note(n):
    """Say what lines and bars of a picture are."""
    note = f"mean and 95 % interval over {n} seeds", f"{n} 个种子的平均与 95% 区间"
    print(t(*note))


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
seeds_note(n_seeds)

# %% key="b-crossing" fold=true
for task, numbers in tasks.items():
    ahead = {
        n: spans["fine-tuned", f"{task}: {n}"].estimate
        > spans["frozen", f"{task}: {n}"].estimate
        for n in numbers
    }
    steps = itertools.pairwise(numbers)
    turns = ", ".join(f"{a} – {b}" for a, b in steps if ahead[a] != ahead[b])
    always = WAYS["fine-tuned" if ahead[numbers[0]] else "frozen"]
    crossing = (f"the lead changes between {turns} labels",
                f"标注数 {turns} 之间领先者易手")  # fmt: skip
    none = f"no crossing: {always} is ahead", f"没有交叉：始终是{always}领先"
    print(f"{TITLES[task]}: {t(*(crossing if turns else none))}")

# %% [markdown] key="b-curves-seen" lang="en"
# **What to see.** For film reviews the advice comes out as given. For food delivery the curves
# have the same shape; who is ahead with all labels cannot be told. The two question tasks say
# something else: there frozen learns next to nothing, whatever the number of labels.
# Fine-tuned rows get ahead of random ones in English from 1,200 labels on, by four to five
# points; in Chinese nowhere significantly. Why? Look at the rows.

# %% [markdown] key="b-curves-seen" lang="zh" follows="1bc9371e"
# **看什么。** 影评上，这条经验原样应验。外卖评论上曲线形状相同，只是标注用足时谁领先，看不出来。两个问答任务却是另一回事：不管标注多少，冻结几乎什么也没学到；微调在英文上要到 1200 条标注才领先随机起步，领先四五个点；在中文上没有哪一处显著领先。为什么？看看那些行。

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
# **What to see.** Word vectors put words of a kind in one place. That is their virtue:
# what was learned about *dull* holds for *boring*. It is their vice where the question is
# *which one*: to these rows Henry and Victor are the same man, and suitcase and umbrella
# the same thing. (In vectors from so little text all words also share a large common part,
# which section 2 had to take off.) Random rows know nothing about any word, but no two of
# them are alike, so that a word found in both texts shows in $u \odot v$. Fine-tuning has to
# pull apart what pre-training put together.
#
# And TF-IDF is the line to beat. Where it is on top with all labels, no first layer made up
# for a mean that forgets the order of words; our TF-IDF counts pairs of neighbouring words,
# too, and so remembers some of it. (In the two tasks with questions it is also told which
# words the question and the sentence share.)

# %% [markdown] key="b-why-seen" lang="zh" follows="2b957fff"
# **看什么。** 词向量把同类的词放在一处。这是长处：从“难吃”学到的东西，对“难喝”也管用。可要是问的偏偏是*哪一个*，这就成了短处：在这些行看来，“国强”和“建军”是同一个人，“雨伞”和“灯笼”是同一样东西。（文本这么少，学出来的词向量还都带着一大块公共成分，第 2 节就得先把它减掉。）随机的行对哪个词都一无所知，但谁和谁都不像，一个词要是两段文本里都有，$u \odot v$ 上就看得出来。微调得先把预训练拢到一起的词拆开。
#
# 另外，TF-IDF 才是要跨过的杆。标注用足之后它还在最上面的地方，说明换哪种第一层都救不了“取平均丢掉词序”这件事；TF-IDF 里的相邻词对（中文用的是相邻的字）多少记住了一点词序。（在两个问答任务里，它还直接拿到了问句和句子共有哪些词。）

# %% key="b-freeze-card" fold=true
claims.card("frozen-or-fine-tuned").show(t)

# %% [markdown] key="b-points" lang="en"
# ### One or two points?
#
# How much do word vectors add at all? Accounts say one or two points, as if that were a
# property of word vectors. Here is the gain over random rows on six tasks, three of them
# among Kim's seven. For each number of labels the better of frozen and fine-tuned *on dev*
# counts.

# %% [markdown] key="b-points" lang="zh" follows="efa72eda"
# ### 一两个点？
#
# 用上词向量，究竟能涨多少？流行的说法是一两个点，好像这是词向量自带的属性。下面是六项任务上比随机起步多出来的点数，其中三项就在 Kim 的七项之列。每个标注数下，冻结和微调谁在*开发集*上好就算谁的。

# %% key="b-points-picture" fold=true
adding = claims.card("word-vectors-add-points").rows
seeds_here = len({row["seed"] for row in adding})
gained = transfer.points(adding)
order = list(dict.fromkeys(task for task, _ in gained))
figure, ax = plt.subplots(figsize=(7.6, 4.6))
ax.axvspan(1, 2, color="C6", alpha=0.6, label=t("one or two points", "一两个点"))
ax.axvline(0, color="black", linewidth=0.8)
names = t(("1 % of the labels", "10 %", "100 %"), ("标注 1%", "10%", "100%"))
for k, (name, marker) in enumerate(zip(names, "o^s", strict=True)):
    spans_k = [[s for (of, _), s in gained.items() if of == task][k] for task in order]
    middle = np.array([s.estimate for s in spans_k])
    reach = np.array([[s.estimate - s.low, s.high - s.estimate] for s in spans_k]).T
    places = np.arange(len(order)) + 0.22 * (1 - k)
    ax.errorbar(middle, places, xerr=reach, fmt=marker, capsize=2, label=name)
ax.set_yticks(range(len(order)), [TITLES[task] for task in order])
ax.set_xlabel(t("gain in test accuracy, points", "测试准确率的增益（百分点）"))
estimates = [s.estimate for s in gained.values()]
ax.set_xlim(min(estimates) - 6, max(estimates) + 8)
ax.legend(fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), ncols=4)
course_lib.show(
    figure,
    alt=t(
        "Gains over random rows with intervals, six tasks and three numbers of labels, "
        "beside the band from one to two points.",
        "六项任务、三种标注数下词向量相对随机起步的增益及区间，旁边是一两个点的色带。",
    ),
)
seeds_note(seeds_here)

# %% [markdown] key="b-points-seen" lang="en"
# **What to see.** Three of the eighteen marks lie in the band, one below it, fourteen
# beyond. With 1 or 10 % of the labels the gain is 2 to 16 points; with all of them it is 0.3
# to 2.5, but for the headlines (7.9), of which there are few. "One or two points" is what
# somebody sees who has many labels. (Kim's table 2 has 2.4 to 6.1 points, with all labels and
# vectors from 100 billion words.) Ask of each such number: with how many labels?

# %% [markdown] key="b-points-seen" lang="zh" follows="a325c12c"
# **看什么。** 十八个点里，三个落在色带内，一个在它左边，十四个在右边。标注只有 1% 或 10% 时，涨 2 到 16 个点；标注用足时涨 0.3 到 2.5 个点，只有新闻标题例外（7.9），它的标注本来就少。“一两个点”是标注很多的人看到的数。（Kim 表 2 是 2.4 到 6.1 个点，标注用足，词向量来自一千亿词。）以后见到这样的数，先问一句：标注了多少？

# %% [markdown] key="b-names" lang="en"
# ### Is ambiguity the reason?
#
# One account knows why the help was smaller than hoped: a word with several meanings has one vector.
# You have seen that it has. But is that the *reason*? ULMFiT's authors name another: only the first layer
# is pre-trained. The test would be a language without ambiguous words, and there is none. The other way
# round is easy: make English *more* ambiguous. Words of about the same frequency are drawn in pairs; from
# now on *letter* and *garden*, say, are both written *letter*, in the text that the vectors are learned from and
# in the task. Each name then has the meanings of two words that have nothing to do with each other; in
# fours, of four. (The commonest words, more than one in a thousand, keep their names.) If one vector for several meanings is what holds word vectors back, they should now be
# held back twice as much.
#
# Four tasks of this section, with a tenth of their labels, and two in which an LSTM (a network that reads a
# sentence word by word, lesson 05) tags parts of speech after 400 sentences. Only those can tell in which
# vectors significantly help as the language is. There pairs should take more than half of the help away. (Tagging
# was added after a look at three seeds of the texts, where vectors hardly help.)

# %% [markdown] key="b-names" lang="zh" follows="0f755081"
# ### 毛病出在多义上吗？
#
# 词向量的帮助不如期望，有一种说法认定原因就是一词多义：几个意思挤在一个向量里。挤在一起，你已经看见了；可这就是*原因*吗？ULMFiT 的作者说的是另一条：预训练的只有第一层。要检验，最好有一种没有多义词的语言，可惜没有。反过来倒容易：让语言*更加*多义。把频率差不多的词随机两两配对，比如“花园”和“邮票”，从此都写作“花园”，语料里这么写，任务里也这么写。于是每个名字都有两个毫不相干的词的意思；四个一组，就有四个词的意思。（最常见的词，也就是每千词里不止出现一次的，名字不动。）要是拖后腿的真是“几个意思一个向量”，现在该加倍地拖。
#
# 任务有六个：四个是这一节里判断文本的，用十分之一的标注；两个是让 LSTM（逐词读句子的网络，见第 05 课）学 400 句之后标词性。只有词向量原本就有显著帮助的任务才说得上话：在那里，配对应当让帮助丢掉一半以上。（标词性的两个任务，是看过判断文本的三个种子之后加的：那里词向量几乎没有帮助。）

# %% key="b-names-picture" fold=true
from course_claims.experiments import ambiguity

renamed = claims.card("polysemy-is-why").rows
doses = ambiguity.TOGETHER
TITLES |= {
    "treebank": t("parts of speech (en)", "词性（英文）"),
    "zh_gsdsimp": t("parts of speech (zh)", "词性（中文）"),
}
figure, ax = plt.subplots(figsize=(6.4, 3.8))
for k, task in enumerate(ambiguity.lost(renamed)):
    helps = [[*ambiguity.help_of(renamed, task, n).values()] for n in doses]
    spans_k = np.array([t_interval(of) for of in helps])  # (K, 3)
    middle, low, high = 100 * spans_k.T
    places = np.arange(len(doses)) + 0.07 * (k - 2.5)
    reach = np.stack([middle - low, high - middle])
    ax.errorbar(places, middle, yerr=reach, marker="o^sDvP"[k], capsize=2, label=TITLES[task])
ax.axhline(0, color="black", linewidth=0.8)
ax.set_xticks(range(len(doses)), doses)
ax.set_xlabel(t("words that share a name", "几个词共用一个名字"))
ax.set_ylabel(t("gain over random rows, points", "比随机起步多出的百分点"))
ax.legend(fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
course_lib.show(
    figure,
    alt=t(
        "What word vectors add to six tasks, with intervals, when one, two or four words share "
        "a name.",
        "一个、两个、四个词共用一个名字时，词向量在六项任务上的增益及区间。",
    ),
)
seeds_note(len({row["seed"] for row in renamed}))

# %% [markdown] key="b-names-seen" lang="en"
# **What to see.** Four tasks can tell: both taggers, headlines, and the types of questions. There the help falls on
# average with every doubling. So ambiguity does cost. But a second, unrelated meaning for *every word but the
# commonest* takes only about a third of the help away from the taggers, significantly less than half, and with four meanings a
# name the vectors still help them. With headlines and questions it cannot be told whether it is more or less than a
# half. Ambiguity is *a* reason; that it is *the* reason nothing here shows. (In the two tasks with reviews it
# cannot be told whether vectors help at all, so there is nothing to lose.)

# %% [markdown] key="b-names-seen" lang="zh" follows="302a38f8"
# **看什么。** 说得上话的有四个任务：两个词性标注、新闻标题、问题类型。歧义每加一倍，帮助平均就降一截，可见歧义的确碍事。不过，让*最常见的词以外的每个词*都平添一个毫不相干的意思，标词性的帮助只少了大约三分之一，显著地不到一半；四个意思挤在一个名字里，标词性时词向量照样有用。新闻标题和问题类型丢掉的是多于还是少于一半，看不出来。歧义是*一条*原因；说它就是*那条*原因，这里没有证据。（两个评论任务里看不出词向量有没有帮助，也就无从丢起。）

# %% key="b-names-card" fold=true
claims.card("polysemy-is-why").show(t)

# %% [markdown] key="b-vision" lang="en"
# ## 7 · What vision did first
#
# Freeze or fine-tune, few labels or many: the questions came from vision, where whole
# *stacks* of layers are taken over. Why does it work? *Low layers find edges, which are everywhere; high layers find what the
# task is about.* Yosinski et al. (2014) made a test of this sentence. Train net A on half
# of the ImageNet classes. Take its first $n$ layers, put fresh ones on top, train on the
# other half. If layer $n$ is **general**, a frozen copy does as well as a net trained from
# scratch; if it is **specific** to A, the copy does worse.
#
# We do the same in small: a net of five layers learns the digits 0-4, and we take over 1 to
# 4 of them for 5-9. The images have 8 × 8 points; they come with scikit-learn. Two more
# nets keep us honest: *fine-tuned*, where the copied layers go on learning, and
# *untrained*, where the frozen layers are random.

# %% [markdown] key="b-vision" lang="zh" follows="81c16d31"
# ## 7 · 图像领域先走的一步
#
# 冻结还是微调，标注少还是多，这些问题都是从图像领域来的，那里搬的是整*叠*的层。为什么行得通？通常的解释是：*低层找的是边缘和线条，哪儿都用得着；高层找的是任务要的东西。* Yosinski 等（2014）把这句话变成了实验。用 ImageNet 一半的类别训练网络 A，取它的前 $n$ 层，上面换成新的层，再用另一半类别训练。如果第 $n$ 层是**通用**的，冻结照搬也能和从头训练一样好；如果它是 A **专用**的，就会变差。
#
# 我们做个缩小版：五层的网络先学数字 0-4，然后把它的前 1 到 4 层搬去学 5-9。图像只有 8 × 8 个点，scikit-learn 自带。另外再训两种网络防止自欺：*微调*，搬来的层继续学；*未训练*，冻结的层是随机的。

# %% key="b-digits" fold=true
images, labels, known_rows, new_rows = transfer.digit_split(seed=0)
figure, axes = plt.subplots(1, 10, figsize=(8.4, 1.3))
firsts = [next(i for i in known_rows if labels[i] == k) for k in range(5)]
firsts += [rows[0] for rows in new_rows]
for digit, (ax, i) in enumerate(zip(axes, firsts, strict=True)):
    ax.imshow(images[i, 0], cmap="gray_r")
    ax.axis("off")
    ax.set_title(digit, color="C0" if digit < 5 else "C4")
course_lib.show(
    figure,
    alt=t(
        "One image of each digit, 8 by 8 points; 0 to 4 are learned first, 5 to 9 later.",
        "每个数字一张 8×8 的图：先学 0 到 4，后学 5 到 9。",
    ),
)

# %% key="b-layers-live"
course_lib.source(digits.digit_net, digits.take_over)
quick = course_lib.by_profile(full=False, quick=True)
one_seed, found = [], {}
for n in tqdm(course_lib.by_profile(full=(3, 90), quick=(90,)), file=sys.stdout):
    one_seed += transfer.vision_layers(seed=0, quick=quick, per_class=(n,))
for row in one_seed:
    layers, per_class = row["condition"].split(" layers, ")
    found.setdefault((per_class, row["model"]), {})[layers] = f"{row['value']:.3f}"
KINDS = {
    "linear": t("logistic regression on pixels", "像素上的逻辑回归"),
    "from scratch": t("from scratch", "从头训练"),
    "frozen": t("frozen", "冻结"),
    "fine-tuned": t("fine-tuned", "微调"),
    "untrained": t("untrained, frozen", "未训练，冻结"),
}
head = t("labels a digit; net; layers:", "每个数字的标注；网络；层数：")
lines = [
    {head: f"{labels_each.split()[0]}; {KINDS[kind]}"}
    | {str(n): line.get(str(n), "") for n in range(5)}
    for (labels_each, kind), line in found.items()
]
display(HTML(claims.table(lines)))

# %% [markdown] key="b-layers-curves" lang="en"
# That is one seed. Below are many, with few labels and with many. If the sentence about low
# and high layers holds here, the first layer, frozen, is ahead of four frozen layers, and it
# is ahead of an *untrained* first layer.

# %% [markdown] key="b-layers-curves" lang="zh" follows="203a961a"
# 这是一个种子。下面是许多个种子，标注少和标注多各一张图。“低层通用、高层专用”在这里要是成立，第一层冻结就应当胜过四层都冻结，也应当胜过*未训练*的第一层。

# %% key="b-layers-picture" fold=true
vision = claims.card("vision-layers").rows
seeds_vision = len({row["seed"] for row in vision})
spans = claims.over_seeds(vision, "accuracy")
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.7), sharey=True)
for ax, k in zip(axes, (3, 90), strict=True):
    start = spans["from scratch", f"0 layers, {k} labels"]
    pixels = spans["linear", f"0 layers, {k} labels"]
    ax.axhline(100 * start.estimate, color="black", label=KINDS["from scratch"])
    ax.axhspan(100 * start.low, 100 * start.high, color="black", alpha=0.08)
    linear = {"color": "grey", "linestyle": ":", "label": KINDS["linear"]}
    ax.axhline(100 * pixels.estimate, **linear)
    depths = range(1, 5)
    for way, style in zip(transfer.TAKEN, ("s-", "^-", "o--"), strict=True):
        named = [spans[way, f"{n} layers, {k} labels"] for n in depths]
        middle, low, high = 100 * np.array(named).T  # (4,) each
        reach = np.stack([middle - low, high - middle])
        ax.errorbar(depths, middle, reach, fmt=style, capsize=3, label=KINDS[way])
    ax.set_xticks(depths)
    ax.set_xlabel(t("layers taken over", "搬来的层数"))
    title = f"{k} labelled images a digit", f"每个数字 {k} 张标注图"
    ax.set_title(t(*title), fontsize=10)
axes[0].set_ylabel(t("accuracy on 5-9, %", "5-9 上的准确率（%）"))
axes[0].set_ylim(20, 102)
axes[1].legend(fontsize=8, loc="lower left")
course_lib.show(
    figure,
    alt=t(
        "Accuracy on the digits 5-9 by the number of layers taken over, frozen, fine-tuned "
        "and untrained, with 3 and with 90 labelled images a digit.",
        "搬来 1 到 4 层时在数字 5-9 上的准确率：冻结、微调、未训练三条线，每个数字标注 3 张和 90 张。",
    ),
)
seeds_note(seeds_vision)


# %% key="b-layers-card" fold=true
claims.card("vision-layers").show(t)

# %% [markdown] key="b-layers-seen" lang="en"
# **What to see.** The frozen line falls with depth: high layers had made up their mind about 0-4. The fine-tuned
# line does not fall when there are 90 labels a digit to repair them with; with 3 it does, by seven points. Without the
# third line we should stop here and believe the sentence about edges. But an *untrained* first layer, even two,
# does as well: on 64 pixels almost any filters will do. That training on 0-4 taught something shows at four
# layers, where trained is far ahead of untrained. And logistic regression, which has no layers at all, keeps up
# with the best. A small example can show the design of a proof without being the proof: that is ImageNet's.
#
# ## 8 · What this leaves open
#
# Put sections 5 to 7 side by side.
#
# | | vision, 2014 | language, mostly until 2018 |
# |---|---|---|
# | what is taken over | a stack of layers | the first layer |
# | what it learned from | labelled images | text without labels |
# | what starts from nothing | the last layers | everything that reads *words together* |
# | the same patch, the same word, with others around it | other features, from the second layer on | the same vector |
#
# The last two rows are one fault seen twice. A pre-trained first layer has one row for each
# word, so *bank* enters as a mixture (section 2); and the layers that could take the
# mixture apart, because they see the other words, are the ones that begin at random.
#
# The way out is in the table too: pre-train the layers *above*. They read words in context,
# so they need a task that can be learned without labels and asks for context. Lesson 01 had
# one: predict the next word from those before it. Lesson 05 takes the states of a language
# model as features; lesson 06 opens the model up.

# %% [markdown] key="b-layers-seen" lang="zh" follows="897b10ad"
# **看什么。** 冻结那条线越往深处越低：高层已经一门心思认 0-4 了。微调那条，每个数字有 90 张标注来纠正时，不往下走；只有 3 张时，也往下走，低了七个百分点。要是没有第三条线，看到这里就会信了“低层找边缘和线条”那句话。可是*未训练*的第一层，甚至前两层，也一样好：总共 64 个点，随便什么滤波器几乎都行。先学 0-4 究竟学到了东西，要到四层才看得出来，那里训练过的远远领先。还有，一层都没有的逻辑回归，和最好的打成平手。小例子可以演示证明该怎么做，却不是证明本身，证明要看 ImageNet。
#
# ## 8 · 还缺什么
#
# 把第 5 到 7 节并排放在一起看。
#
# | | 图像，2014 年 | 语言，2018 年之前大多如此 |
# |---|---|---|
# | 搬来的是 | 一叠层 | 第一层 |
# | 从哪里学来 | 有标注的图像 | 没有标注的文本 |
# | 从零开始的是 | 最后几层 | 所有要*把词放在一起读*的层 |
# | 同一小块图、同一个词，换了周围 | 第二层起特征就不同 | 还是同一个向量 |
#
# 最后两行其实是同一个毛病。预训练好的第一层，每个词只有一行，“苹果”进来时就已经是混在一起的（第 2 节）；而能看到其他词、有本事把它拆开的那些层，偏偏要从随机值开始。
#
# 出路也在表里：把*上面*的层也预训练好。它们读的是上下文里的词，所以需要一个不用标注、又离不开上下文的任务。第 01 课就有一个：根据前面的词预测下一个词。第 05 课把语言模型的状态当特征用，第 06 课把这个模型拆开来看。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The same test for every model of the course; the board grows lesson by lesson. The
# word's own static vector is the floor: all neighbours are equally near, and a fair coin
# decides.

# %% [markdown] key="scoreboard" lang="zh" follows="5cfeeed2"
# ## 记分牌
#
# 课程里的每个模型都做同一个测试，表会一课一课地长下去。词自己的静态向量是最低一档：所有近邻都一样近，只好抛硬币。


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
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "04")

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
# 对。概率乘 0.1，对数就减 2.3。少数派在对数里保住的，远比一成多；可实际学出来的小规模向量，更接近按次数平均。
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
# <details><summary>B. 33%，只能瞎猜</summary>
#
# 再想想：没有信息的时候，瞎猜也不是最好的办法，总猜最常见的更好。
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
# It is what always saying *fruit* gives: 3,665 of 3,851 reviews. On the 186 others it is
# right never.
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

# %% [markdown] key="questions" lang="zh" follows="4eb41288"
# ## 想一想
#
# <details><summary>1. 离一个词最近的 20 个词全属于同一个义项，能不能说它的向量里没有另一个义项？</summary>
#
# 不能。3 : 1 时近邻表已经几乎全归一方，而另一方还占着大约四分之一的权重。要找它，就把向量投影到另一个义项上，或者先把第一个义项减掉。
# </details>
#
# <details><summary>2. 有人用静态向量判断评论里“苹果”的义项，准确率 95%。算好吗？</summary>
#
# 总说“水果”就有这个成绩：3851 条里占 3665 条。剩下的 186 条，它一条也答不对。
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
# * Arora, Li, Liang, Ma, Risteski (2018), *Linear algebraic structure of word senses, with
#   applications to polysemy*, TACL 6: the mixture, and how to take it apart again.
# * Levy, Goldberg (2014), *Neural word embedding as implicit matrix factorization*, NIPS:
#   what skip-gram tends to.
# * Schütze (1998), *Automatic word sense discrimination*, Computational Linguistics 24:
#   averaged contexts and pseudowords, twenty years before ELMo.
# * Reisinger, Mooney (2010), *Multi-prototype vector-space models of word meaning*, NAACL:
#   several vectors for a word, the road not taken here.
#
# More claims about this lesson: the book's claims page, or `python -m course_lib claims list`.
# Is a vector for each sense too costly? Do word vectors make training converge sooner? How
# many images did ImageNet have in 2009?
#
# The exercises: `exercises/04_polysemy`. Then lesson 05, where a vector comes from the
# sentence for the first time.

# %% [markdown] key="reading" lang="zh" follows="c978909e"
# ## 接下来读什么
#
# * Arora、Li、Liang、Ma、Risteski（2018），*Linear algebraic structure of word senses, with applications to polysemy*，TACL 6：义项怎样混在一起，又怎样再拆开。
# * Levy、Goldberg（2014），*Neural word embedding as implicit matrix factorization*，NIPS：skip-gram 趋向什么。
# * Schütze（1998），*Automatic word sense discrimination*，Computational Linguistics 24：比 ELMo 早二十年的上下文平均和伪词。
# * Reisinger、Mooney（2010），*Multi-prototype vector-space models of word meaning*，NAACL：一个词给好几个向量，这里没有走的另一条路。
#
# 关于本课的更多论断，见本书的“论断”一页，或运行 `python -m course_lib claims list`：每个义项一个向量真的太贵吗？用上词向量收敛得更快吗？2009 年的 ImageNet 到底有多少张图？
#
# 练习：`exercises/04_polysemy`。接着是第 05 课，那里第一次由句子算出向量。

# %% [markdown] key="b-reading" lang="en"
# On sections 5 to 8:
#
# * Kim (2014), *Convolutional neural networks for sentence classification*, EMNLP: table 2
#   has the three ways, table 3 what fine-tuning does to *bad* and *good*.
# * Yosinski, Clune, Bengio, Lipson (2014), *How transferable are features in deep neural
#   networks?*, NIPS: the design of section 7, with a control more.
# * Conneau et al. (2017), *Supervised learning of universal sentence representations from
#   natural language inference data*, EMNLP: the four features of the pair model.
# * Peters, Ruder, Smith (2019), *To tune or not to tune?*, RepL4NLP: the same question, once
#   whole networks were pre-trained.

# %% [markdown] key="b-reading" lang="zh" follows="1a214a41"
# 关于第 5 到 8 节：
#
# * Kim（2014），*Convolutional neural networks for sentence classification*，EMNLP：表 2 有三种做法，表 3 看微调对 bad 和 good 做了什么。
# * Yosinski、Clune、Bengio、Lipson（2014），*How transferable are features in deep neural networks?*，NIPS：第 7 节的实验设计，原文还多一个对照。
# * Conneau 等（2017），*Supervised learning of universal sentence representations from natural language inference data*，EMNLP：句对模型的四组特征。
# * Peters、Ruder、Smith（2019），*To tune or not to tune?*，RepL4NLP：整个网络都能预训练之后，同一个问题的答案。
