# %% [markdown] key="title" lang="en"
# # 08 · What do the layers know?
#
# After this lesson you can
#
# * train a probe and say what its accuracy proves, and what it does not;
# * give a probe its controls: a split without leaks, an untrained network, random labels;
# * read part of speech, sense, spelling and topic out of each layer, and compare;
# * measure how much of a vector is context, when all vectors point one way;
# * say when a character network pays, with numbers;
# * express sample efficiency as a *data multiplier* instead of a slogan.
#
# Running time, measured on two cores: about three minutes (quick profile: under
# one).
# The paper: Peters et al., *Deep contextualized word representations*, NAACL 2018,
# sections 5.3 and 5.4. The control task: Hewitt and Liang (2019).

# %% [markdown] key="title" lang="zh" follows="48bcd413"
# # 08 · 各层学到了什么？
#
# 学完本课，你能够
#
# * 训练一个探针，说清它的准确率证明了什么、没有证明什么；
# * 给探针配上对照：不泄漏的划分、未训练的网络、随机标签；
# * 从每一层读出词性、义项、拼写和话题，再作比较；
# * 在所有向量都偏向同一方向的情况下，测出一个向量里有多少来自上下文；
# * 用数字说明字符网络在什么情况下有用；
# * 用“数据倍数”来表达样本效率，而不是笼统的说法。
#
# 在双核电脑上实测约三分钟（精简规模不到一分钟）。论文：Peters 等，*Deep contextualized word representations*，NAACL 2018，5.3 和 5.4 节。对照任务出自 Hewitt 与 Liang（2019）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import sys
import time
from collections import Counter, defaultdict

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_claims.experiments import efficiency, layers, shipped, unknown_words
from course_lib import data
from course_lib.analysis import baselines, geometry, probes, senses, statistics
from course_lib.analysis.neighbours import nearest
from course_lib.text.tokenise import TOKENISERS

_ = torch.manual_seed(8)
encoder, known = shipped.encoder(t.language), shipped.table(t.language)
LAYERS = [t(f"layer {k}", f"第 {k} 层") for k in range(3)]
sizes = course_lib.by_profile(full=(600, 300), quick=(60, 40))
steps = course_lib.by_profile(full=probes.STEPS, quick=200)

# %% [markdown] key="memory" lang="en"
# ## 1 · A probe that is nearly always right
#
# A **probe** (or diagnostic classifier) is a small classifier on top of vectors that stay as they are. Ours is
# linear: the word at position $k$ has the vector $h_{k,j}$ in layer $j$, and the probe says
#
# $$\hat y_k = \arg\max\ \mathrm{softmax}(W h_{k,j} + b).$$
#
# Only $W$ and $b$ are learned, with **cross-entropy** as the loss, here from sentences with a part of speech for each word.
# We begin with layer 0, which has seen nothing but the spelling. The training and test sentences
# have no sentence in common.

# %% [markdown] key="memory" lang="zh" follows="f8286f25"
# ## 1 · 一个几乎总是答对的探针
#
# **探针**（probe，又称诊断分类器）是架在固定不动的向量上的一个小分类器。我们用线性的：位置 $k$ 的词在第 $j$ 层的向量是 $h_{k,j}$，探针的回答是
#
# $$\hat y_k = \arg\max\ \mathrm{softmax}(W h_{k,j} + b)$$
#
# 需要学习的只有 $W$ 和 $b$，损失是**交叉熵**，标注是句中每个词的词性。先看第 0 层，它只见过词的写法。训练用的句子和测试用的句子没有一句相同。

# %% key="memory-run"
name = shipped.tag_sets(t.language)[0]
learn, ask = probes.split_by_sentence(shipped.tagged(name), *sizes, seed=8)
train, test = (  # (L+1, N, D) each
    probes.read(encoder, part)
    for part in tqdm((learn, ask), unit=t(" parts", " 份"), file=sys.stdout)
)
print(t("sentences from", "句子来自"), f"{name}: {len(learn)} + {len(ask)},",
      t("words:", "词数："), f"{len(train.words):,} + {len(test.words):,}")  # fmt: skip
course_lib.source(probes.linear)

said = probes.linear(train.x[:1], train.tags[None], test.x[:1], seed=8, steps=steps)[0]
print(
    t("part of speech, layer 0:", "词性，第 0 层："),
    f"{np.mean(said == test.tags):.3f}",
)

# %% [markdown] key="control" lang="en"
# That is a good number for a layer without context. Does the layer *know* grammar? Try a task that nobody can
# know: draw a tag **by lot** for every different word, the **control task** of Hewitt and Liang. One word is then
# an adverb wherever it occurs, the next always a plural. Before you run the cell: on which words can the probe be
# right at all?

# %% [markdown] key="control" lang="zh" follows="cd4f298f"
# 对没有上下文的一层来说，这个数不低。那么这一层*懂*语法吗？换一个谁也不可能懂的任务：为每个不同的词**抽签**定一个词性，这就是 Hewitt 与 Liang 的**对照任务**。某个词无论出现在哪里都算副词，另一个词一律算数词。运行之前先想一想，探针在哪些词上有可能答对？

# %% key="control-run"
lot = probes.control_tags([*train.words, *test.words], train.tags, seed=8)
common = [w for w, _ in Counter(train.words.tolist()).most_common() if w.isalpha()]
print("    ".join(f"{word} → {lot[word]}" for word in common[:6]))
drawn, right = (np.array([lot[w] for w in part.words]) for part in (train, test))
guess = probes.linear(train.x[:1], drawn[None], test.x[:1], seed=8, steps=steps)[0]

met = np.isin(test.words, train.words)  # words that training has, too
groups = {
    t("all words", "所有词"): met | True,
    t("met in training", "训练时见过的词"): met,
    t("never met", "没见过的词"): ~met,
}
claims.show_table(
    t(("words", "how many", "part of speech", "by lot", "commonest drawn tag"),
      ("词", "个数", "词性", "抽签", "恒猜最常抽到的")),
    [(group, int(rows.sum()), f"{np.mean((said == test.tags)[rows]):.3f}",
      f"{np.mean((guess == right)[rows]):.3f}",
      f"{max(Counter(right[rows].tolist()).values()) / max(rows.sum(), 1):.3f}")
     for group, rows in groups.items()],
)  # fmt: skip

# %% [markdown] key="control-seen" lang="en"
# With drawn labels the probe is far above chance on words that it has *met*, and at chance on new words, as it
# must be. So a part of the first number, too, may be memory: layer 0 tells words apart, and a list word → tag
# does the rest. The third line of the table is what the spelling itself reveals.
#
# Hence two numbers for every probe, and their difference:
#
# $$\text{selectivity} = \text{accuracy of the task} - \text{accuracy of the control}.$$
#
# The split matters as well. If single *occurrences* are drawn for the test, words of one sentence stand on both
# sides; their contextual vectors have read each other, and the score is too high (**data leakage**). Splitting by
# sentence closes that leak. For a claim about *new words*, keep those words out of training, too.
#
# One thing no probe shows: that the model **uses** what the probe finds. It shows only that such a reader can
# read it out.

# %% [markdown] key="control-seen" lang="zh" follows="b579e376"
# 标签虽是抽签得来的，探针在*见过*的词上仍远高于随机水平，在没见过的词上则只有随机水平，这是理所当然的。可见第一个数里也可能有一部分只是记忆：第 0 层能区分不同的词，再记住一张“词 → 词性”的表就够了。表中第三行才是词的写法本身所透露的。
#
# 所以每个探针要报两个数，以及它们的差：
#
# $$\text{选择性} = \text{任务准确率} - \text{对照任务准确率}$$
#
# 划分方式也很重要。如果不管句子，一处一处地抽取词作测试，同一句的词会分到两边，而它们的上下文向量彼此读过对方，分数就偏高，这叫**数据泄漏**。按句子划分可以堵住这个漏洞。如果要对*没见过的词*下结论，就得把那些词整个留出来，不放进训练。
#
# 还有一点，探针说明不了，那就是模型自己是否**用到**了探针读出的东西。它只说明，用这样的读法、这么多标注，读得出来。

# %% [markdown] key="layers" lang="en"
# ## 2 · Part of speech and senses, layer by layer
#
# Now all layers, each with what a number needs beside it: the most frequent tag; each
# word's most frequent tag; a linear tagger with hand-crafted
# features of the word and its neighbours; and the **same network untrained**, because a random LSTM also mixes the neighbours in.
# (UD is short for Universal Dependencies, a collection of treebanks: sentences of many languages, tagged by one scheme.)

# %% [markdown] key="layers" lang="zh" follows="325d4bf5"
# ## 2 · 逐层看词性和义项
#
# 现在看所有的层，旁边列出一个数应有的全部参照：恒猜最常见的词性；每个词猜它自己最常见的词性；用手工特征（词本身和左右邻词）的线性标注器；还有**同样结构、未经训练的网络**，因为随机的 LSTM 也会把邻词混进来。（UD 指 Universal Dependencies，按同一套规范标注多种语言的树库。）

# %% key="layers-run"
found = baselines.tag(learn, ask, t.language)
fresh = probes.untrained(encoder, seed=8)
parts = probes.read(fresh, learn), probes.read(fresh, ask)
scores, random_scores = (
    probes.accuracies(*read, seed=8, steps=steps)
    for read in tqdm(((train, test), parts), unit=t(" nets", " 个网络"), file=sys.stdout)
)
named = {
    "majority": t("commonest tag", "最常见的词性"),
    "word's majority": t("each word's commonest tag", "每个词最常见的词性"),
    "window": t("linear, hand-made features", "手工特征，线性"),
}
rows = [(named[model], f"{value:.3f}", "", "") for model, value in found.items()]
for title, of in ((t("untrained", "未训练"), random_scores), ("biLM", scores)):
    rows += [
        (f"{title}, {LAYERS[k]}", *(f"{one[m]:.3f}" for m in ("accuracy", "control", "selectivity")))
        for k, one in enumerate(of)
    ]  # fmt: skip
claims.show_table(t(("", "accuracy", "control", "selectivity"),
             ("", "准确率", "对照任务", "选择性")), rows)  # fmt: skip

# %% [markdown] key="layers-seen" lang="en"
# From layer 0 to layer 1 context comes in, and accuracy rises. In the untrained network the same step goes down:
# mixing the neighbours in at random only blurs the word. So the rise is learned: 5.5 points [4.9, 6.1] on the
# Penn Treebank (95 % interval, over test sentences). Layers 1 and 2 cannot be told apart (layer 2 minus layer 1: −0.2 points [−0.6,
# 0.3]); in the paper's table 6 layer 1 is half of a point ahead. Both layers are
# ahead of the hand-crafted features (0.920), which cost no pre-training. (The quick profile is too small for
# this.)
#
# That was one set of sentences, one seed and one biLM. The figure has the stored runs: part of speech on three
# sets in two languages, and senses.

# %% [markdown] key="layers-seen" lang="zh" follows="20f159fc"
# 从第 0 层到第 1 层，上下文进来了，准确率随之上升。在未训练的网络里，同样一步却使准确率下降：随机地混入邻词只会模糊这个词。可见上升的部分是学来的，在 UD 中文上是 7.7 个百分点 [6.6, 8.8]（95% 区间，由重抽测试句得到）。第 2 层与第 1 层孰高孰低则看不出来，相差 −0.1 [−0.9, 0.8]；论文的表 6 里，第 1 层高半个点。还要看参照：这两层（0.823 和 0.822）略高于不用预训练的手工特征（0.816）。（精简规模太小，这些都看不出来。）
#
# 这只是一批句子、一个种子、一个双向语言模型。下图是存好的实验，包括两种语言、三批句子上的词性，还有义项。

# %% key="layers-picture" fold=true
kept = claims.card("layers-pos-wsd").rows  # all seeds
n_seeds = len({row["seed"] for row in kept})
spans = claims.over_seeds(kept, "accuracy")
sets = claims.conditions(kept, "accuracy")
SETS = {
    "treebank": t("Penn Treebank (en)", "宾州树库（英文）"), "en_ewt": t("UD (en)", "UD（英文）"),
    "zh_gsdsimp": t("UD (zh)", "UD（中文）"), "senses-en": t("course, 12 words (en)", "课程例句（英文）"),
    "senses-zh": t("course, 12 words (zh)", "课程例句（中文）"),
    **{word: f"{word}{t(' (Senseval)', '（Senseval）')}" for word in layers.SENSEVAL},
}  # fmt: skip
COLOURS = ("C0", "C1", "C2")  # of layers 0, 1 and 2 in all figures of this lesson
STYLES = {f"layer {k}": ("^so"[k], COLOURS[k], LAYERS[k]) for k in range(3)}
STYLES["untrained, layer 1"] = ("s", "#e3b98a", t("untrained, layer 1", "未训练，第 1 层"))
WITHOUT = {"POS": ("window", t("hand-crafted features", "手工特征")),
           "WSD": ("averaged static context", t("averaged static context", "静态上下文平均"))}  # fmt: skip
figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.6), layout="constrained")
for axis, (kind, (other, label)) in zip(axes, WITHOUT.items(), strict=True):
    mine = [name for name in sets if name.startswith(kind)]
    styles = STYLES | {other: ("D", "gray", label), "majority": ("|", "black", t("most frequent", "恒猜最常见的"))}
    for i, (model, (mark, colour, title)) in enumerate(styles.items()):
        rows = [(row, spans[model, name]) for row, name in enumerate(mine) if (model, name) in spans]
        y = np.array([row for row, _ in rows]) + 0.11 * (i - 2.5)
        x = np.array([span for _, span in rows])  # (sets, 3): estimate, low, high
        axis.errorbar(x[:, 0], y, xerr=np.nan_to_num(np.abs(x[:, 1:] - x[:, :1])).T, fmt=mark,
                      color=colour, ms=6, lw=1, label=title)  # fmt: skip
    axis.set_yticks(range(len(mine)), [SETS[name.removeprefix(kind + " ")] for name in mine])
    axis.invert_yaxis()
    axis.grid(axis="y", alpha=0.3)
    axis.set_xlim(0, 1)
    axis.set_xlabel(t("accuracy", "准确率"))
    axis.set_title(t("part of speech", "词性") if kind == "POS" else t("sense of the word", "词的义项"))
    axis.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3)
course_lib.show(
    figure,
    alt=t(
        "Accuracy of layers 0, 1 and 2 for part of speech (left) and senses (right) on several sets, beside "
        "the untrained network, a baseline without a biLM and the most frequent answer.",
        "第 0、1、2 层在几批数据上的词性（左）和义项（右）准确率，旁边是未训练的网络、不用双向语言模型的基线和最常见的答案。",
    ),
)
print(t(f"mean over {n_seeds} seeds, bars: 95 % interval", f"{n_seeds} 个种子的平均，误差线为 95% 区间"))

# %% [markdown] key="layers-picture-seen" lang="en"
# **Left.** Layers 1 and 2 are 5 to 7 points above layer 0 on all three sets, and ahead of hand-crafted features, by 3 to
# 6 points in English and by 0.7 and 0.8 in Chinese. Between the two layers only UD (en) decides, for layer 1, by 0.6 points [0.3, 0.9].
#
# **Right.** On the course's sentences layer 0 is at chance, and the rival to watch is the averaged context. In English it (0.83) and
# layer 2 (0.84) cannot be told apart; in Chinese it is ahead by 12.1 points [8.1, 16.0]
# (over the first five seeds, which ask about each sentence once). Layer 2 is above layer 1 in all six rows, but the
# interval of the difference excludes zero only for the Chinese sentences, *interest*, *line* and *serve*. In Senseval the word has several forms, *line* and *lines*, and layer 0 sees just these; section 3 comes back to it.

# %% [markdown] key="layers-picture-seen" lang="zh" follows="57d7ebf9"
# **左图。** 三批数据上，第 1、2 层都比第 0 层高 5 到 7 个百分点，也都胜过手工特征，英文高 3 到 6 个点，中文高 0.7 和 0.8 个点。两层之间，只有 UD（英文）分得出高下，第 1 层高 0.6 [0.3, 0.9]。
#
# **右图。** 课程的例句上，第 0 层只有随机水平。最该留意的对手是静态上下文平均：英文里它（0.83）和第 2 层（0.84）分不出高下，中文里它领先 12.1 个点 [8.1, 16.0]（只算前五个种子，每句正好考一遍）。六行里第 2 层都高于第 1 层，但差值的区间不含零的只有中文例句、interest、line 和 serve。Senseval 里同一个词有几种词形（line 和 lines），第 0 层看到的只是词形，第 3 节再谈。

# %% [markdown] key="wsd" lang="en"
# ## 3 · Word sense disambiguation with few labels
#
# Naming the sense of a word in context is **word sense disambiguation** (WSD). The paper's method needs no
# training. For each sense, average the word's vectors in its labelled sentences (the **centroid**) and name the
# sense whose centroid is nearest. If a word has *no* labelled sentence, **back off** to its first sense, the one
# a dictionary lists first:
#
# $$\hat s_k = \begin{cases} \arg\max_{s}\ \cos(h_{k,j},\ \bar h_{s,j}) & \text{if the word has labelled sentences} \\ \text{first sense} & \text{else.}\end{cases}$$
#
# First senses are a hard baseline in ordinary text, where one sense is often much the most frequent. In the paper
# the first sense in WordNet had F1 65.9, layer 1 67.4, layer 2 69.0 (table 5). Here 250 of the course's sentences
# are test sentences, and 6 to 500 others are labelled, drawn from the sentences of all words together. (The
# senses here are equally frequent, so a first sense, taken from outside the test, helps little.)

# %% [markdown] key="wsd" lang="zh" follows="3b53e439"
# ## 3 · 标注很少时的词义消歧
#
# 判断一个词在句中是哪个义项，叫**词义消歧**（WSD）。论文的办法不用训练：对每个义项，把这个词在有标注的例句里的向量取平均，得到**质心**，新句子里的向量离哪个质心最近，就判作哪个义项。如果一个词*一句*标注也没有，就**退回**第一义项，也就是词典里排在最前面的那个：
#
# $$\hat s_k = \begin{cases} \arg\max_{s}\ \cos(h_{k,j},\ \bar h_{s,j}) & \text{该词有带标注的句子} \\ \text{第一义项} & \text{否则}\end{cases}$$
#
# 在普通文本里，往往有一个义项占绝大多数，所以第一义项是个很强的基线。论文里，WordNet 的第一义项，F1 是 65.9，第 1 层 67.4，第 2 层 69.0（表 5）。这里用课程的例句来测，250 句作测试，另取 6 到 500 句有标注，从所有词的例句里一起抽取。（这些例句里各义项一样多，第一义项帮助不大；它取自测试以外的句子。）

# %% key="wsd-run"
course_lib.source(probes.name_senses)
annotated = data.senses(t.language)
at_target = senses.target_vectors(encoder, annotated)  # (L+1, N, D)
context = senses.context_average(known, annotated, known.vector_size)  # (N, D)
vectors = dict(zip(LAYERS, at_target, strict=True))
vectors[t("averaged static context", "静态上下文平均")] = context

rng, draws = np.random.default_rng(8), course_lib.by_profile(full=5, quick=1)
counts, hits = (6, 20, 60, 200, 500), {}
for _ in tqdm(range(draws), unit=t(" draws", " 次"), file=sys.stdout):
    order = rng.permutation(len(annotated))
    asked, pool = order[:250], order[250:]
    first = probes.first_senses([annotated[i] for i in pool])
    right = np.array([annotated[i].sense for i in asked])
    for n in counts:
        labelled = [annotated[i] for i in pool[:n]]
        with_label = {s.word for s in labelled}
        backs_off = np.mean([annotated[i].word not in with_label for i in asked])
        hits.setdefault((n, t("backs off", "退回的比例")), []).append(backs_off)
        for title, x in vectors.items():
            told = probes.name_senses(x[pool[:n]], labelled, x[asked],
                                      [annotated[i] for i in asked], first)  # fmt: skip
            hits.setdefault((n, title), []).append(np.mean(right == told))
columns = [t("backs off", "退回的比例"), *vectors]
claims.show_table([t("labelled sentences", "有标注的句子"), *columns],
           [(n, *(f"{np.mean(hits[n, c]):.3f}" for c in columns)) for n in counts])  # fmt: skip
print(t("always the first sense:", "恒答第一义项："),
      f"{np.mean([first[annotated[i].word] for i in asked] == right):.3f}")  # fmt: skip

# %% [markdown] key="wsd-seen" lang="en"
# In the first rows most words have no labelled sentence and back off, whatever the layer. As labels come in, the
# columns part. Layer 0 stays where it was: it cannot tell one use of a word from another, and ties go to the
# first sense.

# %% [markdown] key="wsd-seen" lang="zh" follows="b2c2dc22"
# 前几行里大多数词一句标注也没有，只好退回第一义项，各层没有区别。标注多起来，各列才分开。第 0 层停在原处，因为它分不出同一个词的不同用法，平局一律判给第一义项。

# %% [markdown] key="senseval" lang="en"
# In real text senses are not equally frequent. Senseval has four English words with thousands of contexts; the
# stored runs label 150 of each. There it matters whether one asks the nearest *centroid* or the nearest *single*
# sentence (**1-NN**): a centroid gives a rare sense as much room as a frequent one, while among single sentences
# the frequent sense has more chances to be near. (No Chinese corpus here has sense labels.)

# %% [markdown] key="senseval" lang="zh" follows="fae474a9"
# 真实文本里，各义项的多少差得很远。Senseval 有四个英语词，每个有几千条上下文，保存的结果里每个词标注 150 条。这时，用最近的*质心*还是最近的*一句*（**1-NN**）就有区别：取质心，罕见义项和常见义项地位相同；逐句寻找，常见义项的句子多，碰巧离得近的机会也多。（课程目录里的中文语料没有义项标注，所以这一部分只有英文。）

# %% key="senseval-table" fold=true
ways = {"accuracy": t("centroid", "质心"), "nearest sentence": "1-NN"}
kept_ways = {metric: claims.over_seeds(kept, metric) for metric in ways}
models = [*(f"layer {k}" for k in range(3)), "averaged static context"]
titles = [*LAYERS, t("averaged static context", "静态上下文平均")]
claims.show_table(
    [t("word", "词"), t("majority", "多数义项"), *(f"{m}: {w}" for m in titles for w in ways.values())],
    [(word, f"{spans['majority', f'WSD {word}'].estimate:.2f}",
      *(f"{kept_ways[metric][model, f'WSD {word}'].estimate:.2f}" for model in models for metric in ways))
     for word in layers.SENSEVAL if ("majority", f"WSD {word}") in spans],
)  # fmt: skip

# %% [markdown] key="senseval-seen" lang="en"
# With centroids layer 2 cannot be told from the most frequent sense for *hard*; for *line* it is 7.1 points above it [3.1, 11.0]. With the
# nearest sentence it is ahead for all four words. Seed by seed it is then ahead of the averaged context, asked
# the same way, as well: by 13.9 points for *hard* [9.4, 18.3] and for *interest* [10.4, 17.4], by 7.3 for *serve* [3.6, 11.0], by 3.6 for *line*
# [0.2, 7.0]. (For *line* and *serve* the averaged context does better with centroids, and from that layer 2 cannot be told.) Layer 0 sees only *line* or *lines*, so its answer is a draw from the sentences with that form.

# %% [markdown] key="senseval-seen" lang="zh" follows="984cc4d8"
# 取质心时，第 2 层在 *hard* 上与恒答最常见的义项分不出高下，在 *line* 上高 7.1 个百分点 [3.1, 11.0]。换成最近的一句，四个词上它都更高。逐个种子地与同样取最近一句的静态上下文平均相比，它也都更高：*hard* 13.9 个百分点 [9.4, 18.3]，*interest* 13.9 [10.4, 17.4]，*serve* 7.3 [3.6, 11.0]，*line* 3.6 [0.2, 7.0]。（*line* 和 *serve* 上，静态上下文平均取质心更好，第 2 层与那个成绩分不出高下。）第 0 层只看得见词形是 *line* 还是 *lines*，它的答案等于从词形相同的句子里随机抽取。

# %% [markdown] key="every-context" lang="en"
# What do more labels bring? Each context of *line* is given the sense of its nearest labelled context, with more and
# more of them labelled. One trap: two contexts cut from the same passage share a piece of text, and are then near for a reason that has nothing to do with
# understanding. So a context is never compared with itself, nor with one that shares six consecutive words.

# %% [markdown] key="every-context" lang="zh" follows="ab84202f"
# 标注再多些会怎样？为 *line* 的每一条上下文找出离它最近的一条有标注的上下文，用那一条的义项作答，标注则越来越多。这里有一个陷阱：两条上下文如果截自同一段文章，就会有一段文字相同，它们离得近与理解无关。所以，凡有连续六个词相同的两条不作比较，一条也不与自己比较。

# %% key="every-context-run" fold=true
hits = {}
if data.at_hand("senseval"):
    every = data.load("senseval").split("line")
    some = np.random.default_rng(8).permutation(len(every))
    some = some[: course_lib.by_profile(full=len(every), quick=200)]
    every = [layers.near(every[i]) for i in some]  # 20 words to either side
    read = shipped.encoder("en").stream([s.tokens for s in every])
    read = tqdm(read, total=len(every), unit=t(" sentences", " 句"), file=sys.stdout)
    at_line = np.stack(
        [h[:, s.target_index] for h, s in zip(read, every, strict=True)], axis=1
    )
    x = dict(zip(LAYERS, at_line, strict=True))  # each (N, D)
    x[t("averaged static context", "静态上下文平均")] = senses.context_average(
        shipped.table("en"), every, 100
    )

    passages = defaultdict(list)
    for i, s in enumerate(every):
        for k in range(len(s.tokens) - 5):
            passages[tuple(s.tokens[k : k + 6])].append(i)
    apart = ~np.eye(len(every), dtype=bool)  # (N, N)
    for same in passages.values():
        apart[np.ix_(same, same)] = False

    labels = np.array([s.sense for s in every])
    right = labels[:, None] == labels  # (N, N)
    counts = [n for n in (50, 150, 500, 1500) if n < len(every)] + [len(every)]
    for title, v in x.items():
        near = np.where(apart, senses.unit(v) @ senses.unit(v).T, -np.inf)
        rng = np.random.default_rng(8)
        for n in counts:
            for _ in range(5):
                labelled = rng.permutation(len(every))[:n]
                hit = senses.expected_hits(near[:, labelled], right[:, labelled])
                hits.setdefault((title, n), []).append(hit.mean())
else:
    print(
        t(
            "Senseval is not on this machine; `python -m course_lib corpora` says how to get it.",
            "本机没有 Senseval；`python -m course_lib corpora` 会说明怎样下载。",
        )
    )

# %% key="every-context-picture" fold=true
if hits:
    figure, axis = plt.subplots(figsize=(7, 4))
    for style, colour, title in zip("^soD", (*COLOURS, "gray"), x, strict=True):
        y = np.array([hits[title, n] for n in counts])  # (counts, draws)
        axis.errorbar(counts, y.mean(axis=1), [y.mean(axis=1) - y.min(axis=1),
                      y.max(axis=1) - y.mean(axis=1)], fmt=style + "-", color=colour, capsize=3, label=title)  # fmt: skip
    top = senses.majority(labels)
    axis.axhline(top, color="black", ls="--", label=t("majority", "多数义项"))
    axis.set_xscale("log")
    axis.set_xticks(counts, [f"{n:,}" for n in counts], minor=False)
    axis.minorticks_off()
    axis.set_xlabel(t("labelled contexts", "有标注的上下文（条）"))
    axis.set_ylabel(t("accuracy, nearest context", "准确率（最近的一条）"))
    axis.legend(fontsize=8, loc=(0.66, 0.12))
    course_lib.show(
        figure,
        alt=t(
            "Accuracy for the six senses of line against the number of labelled contexts, for each layer, "
            "the averaged static context and the majority.",
            "line 六个义项的准确率随标注条数的变化：各层、静态上下文平均、多数义项。",
        ),
    )
    print(t("all labelled, points above the majority:", "全部标注，比多数义项高（百分点）："),
          *(f"{title} {100 * (np.mean(hits[title, len(every)]) - top):+.1f}" for title in x), sep="  ")  # fmt: skip

# %% [markdown] key="every-context-seen" lang="en"
# With 50 labels layers 1 and 2 and the averaged context are 4 to 7 points above the most frequent sense, and much depends on which 50 they are. (Bars: the best and the worst of five draws of
# the labelled contexts.) With all of them layers 1 and 2 were 25 and 26 points above it when we
# measured, the averaged context 17.5: the biLM reads more than a bag of words does.

# %% [markdown] key="every-context-seen" lang="zh" follows="ff350cdf"
# 只标 50 条时，第 1、2 层和静态上下文平均比恒答最常见的义项高 4 到 7 个百分点，结果好坏很大程度上取决于抽到哪 50 条。（误差线是抽五次标注的最好和最差结果。）全部标上之后，我们测得第 1、2 层高出 25 和 26 个百分点，静态上下文平均高出 17.5，可见双向语言模型读出的东西比词袋多。

# %% key="layers-card" fold=true
claims.card("layers-pos-wsd").show(t)

# %% [markdown] key="four" lang="en"
# ## 4 · Four questions to each layer
#
# Two more probes stand at the two ends of a scale from spelling to topic. The **ending** of a word is pure
# spelling; here the test words are *different words* from the training words, or memory would explain everything.
# The **topic** of a whole sentence (from the mean of its words' vectors, on Rivertown) is as far from spelling as
# it gets.

# %% [markdown] key="four" lang="zh" follows="a86d8175"
# ## 4 · 向每一层提四个问题
#
# 再加两个探针，一个在写法这一端，一个在话题那一端。一个词的**词尾字**纯属写法（中文取词的最后一个字，英文取末三个字母），这里的测试词和训练词必须是*不同的词*，否则记忆就足以解释一切。整句话的**话题**（取句中各词向量的平均）离写法最远，题目来自河湾镇。

# %% key="four-run"
length = t(3, 1)
words = np.array([*train.words, *test.words])
x = np.concatenate([train.x, test.x], axis=1)  # (L+1, N, D)
ending = probes.endings(words.tolist(), length, most=20)
_, one_each = np.unique(words, return_index=True)  # one occurrence of each word
one_each = np.array([i for i in one_each if words[i] in ending])
one_each = np.random.default_rng(8).permutation(one_each)
half = len(one_each) // 2
labels = np.array([ending[words[i]] for i in one_each])
told = probes.linear(x[:, one_each[:half]], np.stack([labels[:half]] * 3),
                     x[:, one_each[half:]], seed=8, steps=steps)  # fmt: skip
answers = {
    t("ending of a new word", "新词的词尾字"): (told == labels[half:]).mean(axis=1)
}
floors = [max(Counter(labels[half:]).values()) / len(labels[half:])]

answers[t("part of speech", "词性")] = np.array([one["accuracy"] for one in scores])
floors.append(found["majority"])
by_layer = [senses.macro(senses.by_word(layer, annotated)) for layer in at_target]
answers[t("sense", "义项")] = np.array([one["nearest_centroid"] for one in by_layer])
floors.append(by_layer[0]["majority"])

topics = data.load(f"rivertown-{t.language}-topics")
draw = np.random.default_rng(8)
learned, questions = (
    [of[i] for i in draw.permutation(len(of))[:n]]
    for of, n in (
        (topics.split("train"), 2 * sizes[0]),
        (topics.split("test"), sizes[1]),
    )
)
means = [
    np.stack(
        [
            x.mean(axis=1)
            for x in encoder.encode([TOKENISERS[t.language](e.text) for e in part])
        ],
        axis=1,
    )
    for part in tqdm((learned, questions), unit=t(" parts", " 份"), file=sys.stdout)
]  # each (L+1, sentences, D)
labels, right = (np.array([e.label for e in part]) for part in (learned, questions))
told = probes.linear(means[0], np.stack([labels] * 3), means[1], seed=8, steps=steps)
answers[t("topic of the sentence", "句子的话题")] = (told == right).mean(axis=1)
floors.append(max(Counter(right.tolist()).values()) / len(right))

grid = np.stack([*answers.values()])  # (questions, L+1)
figure, axis = plt.subplots(figsize=(7, 3.2))
share = (grid - np.array(floors)[:, None]) / (1 - np.array(floors)[:, None])
axis.imshow(share, cmap="Blues", vmin=0, vmax=1.3, aspect="auto")
for (i, k), value in np.ndenumerate(grid):
    axis.text(k, i, f"{value:.2f}", ha="center", va="center")
axis.set_xticks(range(3), LAYERS)
axis.set_yticks(
    range(4), [f"{q} ({floor:.2f})" for q, floor in zip(answers, floors, strict=True)]
)
course_lib.show(
    figure,
    alt=t(
        "A table of four questions by three layers, with the accuracy of each; darker is farther "
        "above the majority, which stands in brackets.",
        "四个问题乘三层的表，写着各自的准确率；颜色越深，高出多数类越多，括号里是多数类。",
    ),
)
print(t("TF-IDF on the topics:", "话题，TF-IDF："),
      f"{baselines.classify(learned, questions, t.language)['TF-IDF']:.2f}")  # fmt: skip

# %% [markdown] key="four-seen" lang="en"
# In brackets stands what always giving the most frequent answer would score; the darker a cell, the farther above
# that. Spelling is clearest in layer 0 and fades as context is mixed in. Part of speech and senses both gain from
# layer 0 to layer 1, senses everything that they have. Between layers 1 and 2 nothing can be told: layer 2 has
# −0.2 points more for part of speech [−0.6, 0.3], and for senses 1.4 [−0.8,
# 3.6]. (By the nearest sentence, in section 5, it has 5.1 more [2.2, 8.0].) So this figure does not show "syntax below,
# meaning above"; it shows what is *still* there and what is *already* there. For the
# topic, context adds little: averaged over a sentence, layer 0 has seen every word, too. TF-IDF, below the
# picture, keeps *which* words there were, and an average of a few hundred numbers blurs that.

# %% [markdown] key="four-seen" lang="zh" follows="9de87b3b"
# 括号里是恒猜最常见答案的得分，格子颜色越深，高出它越多。写法在第 0 层最清楚，混进上下文之后逐渐淡去；词性和义项从第 0 层到第 1 层都有提高，义项更是全靠这一步。第 1、2 层之间，中文的双向语言模型论词性看不出差别（第 2 层减第 1 层是 −0.1 个百分点 [−0.9, 0.8]），论义项是第 2 层高，高 3.7 [1.2, 6.2]。（按最近的一句来判断，即第 5 节，高 4.8 [1.6, 7.9]。）可见“语义在上”在这里说得通，“句法在下”却看不出来；图上更清楚的，是什么信息*还*在、什么信息*已经*有了。对话题来说，上下文增加不了多少，因为对整句取平均时，第 0 层也看到了全部的词。图下面的 TF-IDF 记得句中有*哪些*词，把各词平均成几百个数，这一点就模糊了。

# %% [markdown] key="neighbours" lang="en"
# ## 5 · The neighbours of *play*
#
# Table 4 of the paper: GloVe's neighbours of *play* are *playing, game, games, played, players …*, in several
# parts of speech but nearly all of sport. The biLM is given an occurrence, and finds occurrences with the same
# sense and the same part of speech. Here is the same for our models: one occurrence as a verb, one as a noun (the
# first of each in the data), and the nearest *other* words among the tagged sentences above.

# %% [markdown] key="neighbours" lang="zh" follows="c386ebf6"
# ## 5 · “打”的近邻
#
# 论文的表 4 查的是 play：在 GloVe 里，它的近邻是 playing、game、games、played、players……词性好几种，却几乎都和体育有关。双向语言模型查的是句子里的某一次出现，找到的近邻义项相同，词性也相同。我们来查“花”，一次是动词（花钱），一次是名词（花草），都取数据里的第一句，在上面标了词性的句子里找最近的*别的*词；然后再查“打”。

# %% key="neighbours-run"
def coarse(tag):
    """Map the Penn Treebank's tags to universal ones, where it is simple."""
    return {"NN": "NOUN", "VB": "VERB", "JJ": "ADJ", "RB": "ADV"}.get(tag[:2], tag)


tags = np.array([coarse(tag) for tag in (*train.tags, *test.tags)])
for word in t(["play"], ["花", "打"]):
    listed = [w for w, _ in known.most_similar(word, topn=8)]
    print(word, t("static:", "静态："), " ".join(listed), "\n")
    others = np.flatnonzero(words != word)
    for speech in ("VERB", "NOUN"):
        rows = [i for i, s in enumerate(annotated) if (s.word, s.pos) == (word, speech)]
        if not rows:
            continue
        print(t(f"[{speech}]", {"VERB": "【动词】", "NOUN": "【名词】"}[speech]), " ".join(annotated[rows[0]].tokens))
        for k in (1, 2):
            pool = x[k][others]
            near = [others[i] for i, _ in nearest(pool, at_target[k][rows[0]], k=10)]
            same = np.mean(tags[near] == speech)
            print(f"   {LAYERS[k]}:", " ".join(f"{words[i]}" for i in near[:8]),
                  t(f"  same part of speech: {same:.0%}", f"  词性相同：{same:.0%}"))  # fmt: skip
        print()

# %% [markdown] key="neighbours-share" lang="en"
# Two occurrences are an anecdote. So the next cell asks, for every sentence of the course, whether its nearest
# *other* sentence with the same word has the same sense and, for words whose senses differ in part of speech, the
# same part of speech. The word's static vector is the same everywhere, so the expected hit of a random draw is
# counted.

# %% [markdown] key="neighbours-share" lang="zh" follows="5a0f64e8"
# “花”作动词时，近邻大多词性相同，作名词时则大多不同；“打”的近邻大多也是动词。但几次出现只是个例，所以下一格让课程里的每一句都去找含同一个词、离它最近的*另一*句，看义项是否相同；对于各义项词性不同的词，再看词性是否相同。词自己的静态向量处处一样，就按随机抽取的期望来算。

# %% key="neighbours-count"
static = np.ones((len(annotated), 1))
compared = {t("static vector", "静态向量"): static} | vectors
two_speeches = [
    w for w in dict.fromkeys(s.word for s in annotated)
    if len({s.pos for s in annotated if s.word == w}) > 1
]  # fmt: skip


def share_alike(x, word, label):
    """Return how often a word's nearest other sentence has the same label."""
    rows = [i for i, s in enumerate(annotated) if s.word == word]
    return senses.neighbour_hits(
        x[rows], [getattr(annotated[i], label) for i in rows]
    ).mean()


star = t("play", "打")
every = list(dict.fromkeys(s.word for s in annotated))
claims.show_table(
    t(("nearest by", "same sense, play", "same sense, all words", "same part of speech, play",
       f"same part of speech, {len(two_speeches)} words"),
      ("按什么找近邻", "义项相同，“打”", "义项相同，所有词", "词性相同，“打”",
       f"词性相同，{len(two_speeches)} 个词")),
    [(title, f"{share_alike(x, star, 'sense'):.2f}",
      f"{np.mean([share_alike(x, w, 'sense') for w in every]):.2f}",
      f"{share_alike(x, star, 'pos'):.2f}" if star in two_speeches else t("one only", "只有一种"),
      f"{np.mean([share_alike(x, w, 'pos') for w in two_speeches]):.2f}")
     for title, x in compared.items()],
)  # fmt: skip

# %% [markdown] key="neighbours-seen" lang="en"
# In running text (stored runs, 20 words of two parts of speech in each language) layer 2's nearest use has the
# same part of speech in 81 % of English and 77 % of Chinese uses, the averaged context's in 61 and 62 %, chance
# in 55 and 51 %. So the neighbours often agree, but not always; the paper's table shows two picked occurrences.

# %% [markdown] key="neighbours-seen" lang="zh" follows="5d057a8d"
# 换成真实文本（存好的实验，每种语言 20 个兼类词），按第 2 层找到的最近一次出现，词性相同的英文占 81%，中文占 77%；按静态上下文平均是 61% 和 62%，随机水平是 55% 和 51%。可见词性往往相同，但并非总是相同，而论文的表里只是挑出来的两次出现。

# %% [markdown] key="geometry" lang="en"
# ## 6 · How much of a vector is context?
#
# Take ten occurrences of *of*. If a layer gives them vectors with a mean cosine of 0.7, are they
# similar? It depends on how similar *any* two vectors of this layer are. If *of* and
# *river* have a cosine of 0.6, the layer points mostly one way, and 0.7 means little.
# So Ethayarajh (2019) subtracts the mean cosine between random words, the layer's
# **anisotropy**:
#
# $$\text{beyond}(w) = \underset{i \ne j}{\mathrm{mean}}\ \cos(h_i^w, h_j^w) \;-\; \underset{w' \ne w''}{\mathrm{mean}}\ \cos(h^{w'}, h^{w''}).$$
#
# The first mean is the **self-similarity** of a word: 1 if context does nothing. The same
# correction goes for the cosine of a sentence's words with their mean.

# %% [markdown] key="geometry" lang="zh" follows="073e7a0f"
# ## 6 · 一个向量里有多少是上下文？
#
# 拿“的”的十次出现来看。某一层给它们的向量，平均余弦是 0.7，算不算相似？要看这一层里*任意*两个向量有多相似。如果“的”和“河”的余弦也有 0.6，说明整层都偏向一个方向，0.7 就算不了什么。所以 Ethayarajh（2019）减去随机两个词之间的平均余弦，也就是这一层的**各向异性**：
#
# $$\text{净值}(w) = \underset{i \ne j}{\mathrm{mean}}\ \cos(h_i^w, h_j^w) \;-\; \underset{w' \ne w''}{\mathrm{mean}}\ \cos(h^{w'}, h^{w''})$$
#
# 前一项是这个词的**自相似度**，上下文毫无作用时等于 1。句中各词与全句平均的余弦，也这样校正。

# %% key="geometry-run"
course_lib.source(geometry.anisotropy, geometry.self_similarity)
ends = np.cumsum([len(s.tokens) for s in learn])[:-1]
MEASURES = {
    "anisotropy": t("any two words (anisotropy)", "任意两词（各向异性）"),
    "self-similarity": t("the same word", "同一个词"),
    "self-similarity, beyond": t("the same word, beyond", "同一个词，净值"),
    "within a sentence": t("words of a sentence", "同一句的词"),
    "within a sentence, beyond": t("words of a sentence, beyond", "同一句的词，净值"),
}
shapes = {}
for title, part in (("biLM", train), (t("untrained", "未训练"), parts[0])):
    split = [np.split(layer, ends) for layer in part.x]
    shapes[title] = [geometry.measure(s, part.words, seed=8) for s in split]
claims.show_table(
    [t("mean cosine", "平均余弦"), *MEASURES.values()],
    [(f"{title}, {LAYERS[k]}", *(f"{one[m]:.2f}" for m in MEASURES))
     for title, of in shapes.items() for k, one in enumerate(of)],
)  # fmt: skip

figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.6), sharey=True)
for axis, suffix in zip(axes, ("", ", beyond"), strict=True):
    for measure, style in (("self-similarity", "o-C4"), ("within a sentence", "s-C5")):
        axis.plot([one[measure + suffix] for one in shapes["biLM"]], style,
                  label=MEASURES[measure])  # fmt: skip
    if not suffix:
        axis.plot(
            [one["anisotropy"] for one in shapes["biLM"]],
            "k:",
            label=MEASURES["anisotropy"],
        )
    axis.set_xticks(range(3), LAYERS)
    axis.legend(fontsize=8)
axes[0].set_ylabel(t("mean cosine", "平均余弦"))
axes[0].set_title(t("as measured", "直接测得"))
axes[1].set_title(t("beyond any two words", "减去任意两词"))
course_lib.show(
    figure,
    alt=t(
        "Mean cosines by layer: occurrences of one word, words of one sentence, any two words; on "
        "the right with the last one taken off.",
        "各层的平均余弦：同一个词的多次出现、同一句的词、任意两词；右图减去了最后一项。",
    ),
)

# %% [markdown] key="geometry-seen" lang="en"
# The line of *the same word* falls from 1: the higher the layer, the more of the vector is context. It does not
# fall to the dotted line. Between "one vector per word" and "one vector per sense" lies a continuum, and a layer
# that keeps 0.5 beyond chance still knows its word. The untrained network's rows show what any LSTM does without
# learning.

# %% [markdown] key="geometry-seen" lang="zh" follows="84e592b4"
# “同一个词”那条线从 1 往下降，说明层越高，向量里上下文所占的比重越大。但它不会一直降到虚线。“一词一个向量”和“一个义项一个向量”之间是连续的，净值还有零点几的一层，当然还认得出那是哪个词。表中未训练网络的几行则是对照：LSTM 什么也不学，也会是这个样子。

# %% key="geometry-card" fold=true
claims.card("one-vector-per-sense").show(t)

# %% [markdown] key="oov" lang="en"
# ## 7 · Words that nobody has seen
#
# A table has a row for *river* and none for *rievr*; all **out-of-vocabulary** (OOV) words share `<unk>`. A
# character network has a vector for both. But so has a cheaper rival: a table of **hashed character n-grams**
# (fastText), where a word is the sum of its **subwords**. Ours is fitted to the same static vectors, so table and
# n-grams have read the same text.

# %% [markdown] key="oov" lang="zh" follows="58976144"
# ## 7 · 谁也没见过的词
#
# 词表里有“高兴”这一行，没有“高幸”；所有**未登录词**（OOV，即词表外的词）共用一个 `<unk>`。字符网络对两者都能给出向量。不过还有一个更便宜的对手也做得到，那就是**哈希 n-gram** 表（fastText 的想法），一个词等于它各个**子词**之和。我们的 n-gram 是照着同一份静态向量拟合出来的，所以它和词表读过的是同一份文本。

# %% key="oov-words"
course_lib.source(probes.misspell, probes.HashedGrams)
common = [w for w in known.index_to_key[:8000] if len(w) > t(3, 1) and w.isalpha()]
with tqdm(total=3, unit=t(" steps", " 步"), file=sys.stdout) as bar:
    grams = unknown_words.hashed_grams(t.language)
    bar.update()
    by_grams = grams(common)  # (V, D)
    bar.update()
    chars = unknown_words.representations([[common]], t.language)["char-CNN"][0]  # (V, P)
    bar.update()
for word in t(("rievr", "unwatchably", "acress"), ("高幸", "苹果味", "新手機")):
    mine = unknown_words.representations([[[word]]], t.language)["char-CNN"][0][0]
    print(word, t("in the table:", "在词表里："), word in known)
    for title, pool, query in (
        ("char-CNN", chars, mine),
        ("n-grams", by_grams, grams([word])[0]),
    ):
        print(f"   {t(title, {'n-grams': 'n-gram'}.get(title, '字符 CNN')):9}",
              " ".join(common[i] for i, _ in nearest(pool, query, k=6)))  # fmt: skip

# %% [markdown] key="oov-rule" lang="en"
# A test that is fair to all: train the probe of section 1 on clean sentences, and test it on sentences in which 0
# to 30 % of the longer words have a slip (two letters exchanged, one left out, doubled or replaced). Four
# representations see the word alone; two also see its context.

# %% [markdown] key="oov-rule" lang="zh" follows="17dcb173"
# 对各种表示都公平的测法是，用干净的句子训练第 1 节的探针，再用 0 到 30% 的词写错了的句子来测试（中文是两个字以上的词：前后颠倒、漏一个字、重复一个字、换成别的字）。四种表示只看词本身，两种还看上下文。

# %% key="oov-picture" fold=true
noise = claims.card("char-cnn-oov").rows
WAYS = {
    "word table": t("word table", "词表"),
    "hashed n-grams": t("hashed n-grams", "哈希 n-gram"),
    "table, else n-grams": t("table, else n-grams", "词表，查不到用 n-gram"),
    "char-CNN": t("char-CNN", "字符 CNN"),
    "table and neighbours": t("table and neighbours", "词表加左右邻词"),
    "biLM layer 1": t("biLM layer 1", "双向语言模型第 1 层"),
}
found_sets = claims.conditions(noise, "unknown words")
levels = claims.over_seeds(noise, "accuracy")
figure, axes = plt.subplots(1, len(found_sets), figsize=(8.6, 4), squeeze=False)
for axis, name in zip(axes[0], found_sets, strict=True):
    for (way, label), style in zip(
        WAYS.items(), ("o-C3", "s-C4", "^-C5", "D-C0", "o--C3", "D--C1"), strict=True
    ):
        y = [levels[way, f"{name}: {share:.0%}"].estimate for share in unknown_words.SLIPS]
        axis.plot([100 * s for s in unknown_words.SLIPS], y, style, ms=5, label=label)
    axis.set_title(SETS.get(name, name))
    axis.set_xlabel(t("misspelt words, %", "写错的词（%）"))
axes[0][0].set_ylabel(t("accuracy of the POS probe", "词性探针的准确率"))
axes[0][0].legend(fontsize=7)
course_lib.show(
    figure,
    alt=t(
        "Accuracy of a part-of-speech probe against the share of misspelt words, for six "
        "representations, in both languages.",
        "词性探针的准确率随写错的词的比例变化，六种表示，两种语言。",
    ),
)
unknown = claims.over_seeds(noise, "unknown words")
slipped = claims.over_seeds(noise, "misspelt words")
share = claims.over_seeds(noise, "share of unknown words")
heads = [t("accuracy on", "准确率，限于"), *(
    SETS.get(name, name) + t(": ", "：") + kind for name in found_sets
    for kind in t(("not in the table", "misspelt"), ("词表没有的词", "写错的词"))
)]  # fmt: skip
claims.show_table(heads, [
    (label, *(f"{span.estimate:.2f}" for name in found_sets
              for span in (unknown[way, name], slipped[way, f"{name}: 30%"])))
    for way, label in WAYS.items()
])  # fmt: skip
for name in found_sets:
    print(
        SETS.get(name, name),
        t("words that the table lacks:", "词表没有的词占："),
        f"{share['', name].estimate:.1%}",
    )

# %% [markdown] key="oov-seen" lang="en"
# In these stored runs every line falls. The popular claim compares the word table with the char-CNN, which is
# higher in both languages; in English it also loses half as much as the table (5.4 against 10
# points), in Chinese a little less (3.4 against 3.6). Does it take a *network*? The hashed n-grams fall more
# slowly (4.2 and 2.2 points): in English they begin 1.4 points below it and end level, in Chinese they are above it all
# the way. This char-CNN was taught the vectors of words as they are written, not of slips. The dashed lines have context as
# well. In English, with a slip in 30 % of the longer words, table and neighbours give 32 % of the misspelt words
# their tag, the char-CNN 48 %, the hashed n-grams 54 %, and layer 1 of the biLM, which has spelling and context,
# 55 %; in Chinese these are 46, 45, 55 and 51 %.
#
# In English the last letter survives eight slips in ten, the last two six, and they tell much of the part of
# speech. A Chinese word has one or two characters; change one, and half of the word is gone.

# %% [markdown] key="oov-seen" lang="zh" follows="3eb552b6"
# 在存好的实验里，每条线都往下走。流行的说法比较的是词表和字符 CNN。两种语言里字符 CNN 都更高；英文里它的降幅也只有词表的一半（5.4 对 10 个百分点），中文里略小一点（3.4 对 3.6）。接下来的问题是，非用*网络*不可吗？哈希 n-gram 下降得更慢（英文 4.2，中文 2.2）：英文里它开始时比字符 CNN 低 1.4 个点，最后持平；中文里它从头到尾都更高。这个字符 CNN 学的是正确写法的词向量，没有学过笔误。画成虚线的两种还看上下文。中文里，长一点的词错了三成时，词表加左右邻词能认出 46% 的错词的词性，字符 CNN 是 45%，哈希 n-gram 是 55%，写法和上下文都看的 biLM 第 1 层是 51%；英文里依次是 32%、48%、54% 和 55%。
#
# 英语里，十个笔误有八个不碰最后一个字母，六个不碰最后两个，而词尾正好透露词性。中文一个词只有一两个字，换掉一个，半个词就没了。

# %% key="oov-card" fold=true
claims.card("char-cnn-oov").show(t)

# %% [markdown] key="few" lang="en"
# ## 8 · Fewer labels, fewer steps
#
# "With 10-20 % of the labels, pre-trained models reach 80-90 % of the full performance." The sentence is often
# given as ELMo's result. It is not in ELMo's paper, nor in ULMFiT's (lesson 10). What ELMo's paper measured
# (section 5.4, semantic role labelling): with 1 % of the labels as good as the baseline with 10 %; and the
# baseline's best score after 10 epochs instead of 486.
#
# Besides, the statistic is high *without* any pre-training, too. In the stored runs a tenth of the labels gives
# 73 to 94 % of the full performance without pre-training, 81 to 98 % with it.
#
# A better question is how many labels pre-training saves. Suppose that a baseline needs 1,000 labels for a score
# of 80 %, and a pre-trained model 250. Then one label of the model's replaces four of the baseline's. This ratio
# is the **data multiplier**:
#
# $$\text{data multiplier} = n_\text{baseline} \,/\, n_\text{pre-trained},$$
#
# where both $n$ are numbers of labels that give the *same* score. At 1 pre-training saves nothing; below 1 it
# costs labels. Between two learning curves the multiplier is the *horizontal* distance, on a logarithmic axis.
# The picture shows how to read it, on that one of five tasks whose multiplier is the median.

# %% [markdown] key="few" lang="zh" follows="032155ee"
# ## 8 · 更少的标注，更少的步数
#
# “只用 10% 到 20% 的标注，预训练模型就能达到全量数据 80% 到 90% 的性能。”这句话常被当成 ELMo 的结果，其实 ELMo 的论文里没有，ULMFiT（第 10 课）的论文里也没有。ELMo 论文测的是（5.4 节，语义角色标注）用 1% 的标注与基线用 10% 相当，10 轮就达到基线 486 轮的最好成绩。
#
# 何况*不*预训练时，这个统计量也很高。在存好的实验里，用十分之一的标注，不预训练就有全量性能的 73% 到 94%，预训练是 81% 到 98%。
#
# 更好的问法是，预训练省下多少标注。设想基线要用 1000 条标注才得 80 分，预训练模型只要 250 条，那么模型的一条标注就抵基线的四条。这个比值叫作**数据倍数**：
#
# $$\text{数据倍数} = n_\text{基线} \,/\, n_\text{预训练}$$
#
# 其中两个 $n$ 是达到*同一个*分数所用的标注数。倍数是 1，说明预训练没有省下标注；小于 1，说明反而多费。在学习曲线图上，它就是两条曲线之间的*水平*距离，横轴取对数。下图示范怎样读，选的是五项任务里倍数居中的那一项。

# %% key="multiplier-picture" fold=true
few = claims.card("few-labels").rows
few_seeds = len({row["seed"] for row in few})
tasks = efficiency.curves(few)
TASKS = {
    "qc": t("TREC questions (en)", "TREC 问题类型（英文）"),
    "sentence_polarity": t("film reviews (en)", "影评褒贬（英文）"),
    "waimai": t("food delivery (zh)", "外卖评论（中文）"),
    "treebank": t("part of speech (en)", "词性（英文）"),
    "zh_gsdsimp": t("part of speech (zh)", "词性（中文）"),
}
PLAIN = {"TF-IDF": "TF-IDF", "window": t("hand-made features", "手工特征，线性")}

tenth = efficiency.SHARES.index(0.1)
by_worth = sorted(tasks, key=lambda name: efficiency.worth(tasks[name], tenth).multiplier.estimate)
median = by_worth[len(by_worth) // 2]
task, plain = tasks[median], efficiency.without(tasks[median])
rises = {model: 100 * task.scores[model].mean(axis=0) for model in ("biLM", plain)}  # (K,)
target = rises[plain][tenth]
ends = [statistics.labels_needed(task.labels, rises[m], target) for m in ("biLM", plain)]
figure, axis = plt.subplots(figsize=(6.4, 3.2))
for (model, y), style in zip(rises.items(), ("D-C2", "s-k"), strict=True):
    axis.plot(task.labels, y, style, ms=4, label=PLAIN.get(model, model))
axis.axhline(target, color="0.7", linestyle=":")
axis.vlines(ends, min(map(min, rises.values())), target, color="0.7", linestyle=":")
axis.annotate("", (ends[0], target), (ends[1], target), arrowprops={"arrowstyle": "<->"})
axis.set_xscale("log")
axis.set_xlabel(t("labels", "标注数"))
axis.set_ylabel(t("accuracy, %", "准确率（%）"))
axis.set_title(f"{TASKS.get(median, median)}: {ends[1]:.0f} / {ends[0]:.0f} = {ends[1] / ends[0]:.1f}")
axis.legend()
course_lib.show(
    figure,
    alt=t(
        f"Two learning curves. At {target:.0f} % a horizontal arrow leads from the biLM's "
        f"curve, at {ends[0]:.0f} labels, to the other one, at {ends[1]:.0f}.",
        f"两条学习曲线。在 {target:.0f}% 的高度，一支水平的箭头从双向语言模型的曲线（{ends[0]:.0f} 条标注）"
        f"通到另一条曲线（{ends[1]:.0f} 条）。",
    ),
)

# %% [markdown] key="multiplier-seen" lang="en"
# The dotted line is the score of the method without pre-training with a tenth of its labels. The arrow goes from
# the number of labels with which the biLM has that score to that tenth; their ratio stands above. Here are all
# five tasks:

# %% [markdown] key="multiplier-seen" lang="zh" follows="ed3a567a"
# 水平的点线，是不用预训练的方法用十分之一标注得到的分数。箭头一端是 biLM 达到这个分数所用的标注数，另一端就是那十分之一，两者之比写在图的上方。下面是全部五项任务：

# %% key="few-picture" fold=true
columns = 3
figure, axes = plt.subplots(
    -(-len(tasks) // columns), columns, figsize=(9, 5.6), squeeze=False
)
for axis in axes.flat[len(tasks) :]:
    axis.set_axis_off()
for axis, (name, task) in zip(axes.flat, tasks.items(), strict=False):
    shown = {
        "biLM": "biLM",
        efficiency.without(task): PLAIN[efficiency.without(task)],
        "static vectors": t("static vectors", "静态向量"),
    }
    styles = (("D-", "C2"), ("s-", "black"), ("o--", "gray"))
    for (model, label), (style, colour) in zip(shown.items(), styles, strict=True):
        if model in task.scores:
            axis.plot(
                task.labels,
                100 * task.scores[model].mean(axis=0),
                style,
                color=colour,
                ms=4,
                label=label,
            )
    axis.set_xscale("log")
    axis.set_title(TASKS.get(name, name), fontsize=10)
    axis.set_xlabel(t("labels", "标注数"))
    axis.legend(fontsize=7)
axes[0, 0].set_ylabel(t("accuracy, %", "准确率（%）"))
course_lib.show(
    figure,
    alt=t(
        "Learning curves of the biLM's frozen vectors beside a method without pre-training, on "
        "several tasks, with the number of labels on a logarithmic axis.",
        "几项任务上，双向语言模型的冻结向量与不用预训练的方法的学习曲线，横轴是标注数（对数）。",
    ),
)
print(t(f"means over {few_seeds} seed(s)", f"{few_seeds} 个种子的平均"))

# %% key="few-table" fold=true
BOUND = {"": "", "at least": t("at least ", "至少 "), "at most": t("at most ", "至多 ")}


def told_with(span, spec):
    """Write an estimate with its interval, if there are several seeds."""
    several = format(span, spec).replace("inf", "∞")
    return format(span.estimate, spec) if np.isnan(span.low) else several


cells = []
for name, task in tasks.items():
    plain, k = efficiency.without(task), efficiency.SHARES.index(0.1)
    values = [efficiency.worth(task, k), efficiency.worth(task)]
    cells.append((
        TASKS.get(name, name),
        PLAIN[plain],
        f"{efficiency.shares_of_best(task, plain)[k]:.0%} / {efficiency.shares_of_best(task, plain)[k + 1]:.0%}",
        f"{efficiency.shares_of_best(task, 'biLM')[k]:.0%} / {efficiency.shares_of_best(task, 'biLM')[k + 1]:.0%}",
        *(BOUND[value.bound] + told_with(value.multiplier, ".1f") for value in values),
    ))  # fmt: skip
claims.show_table(
    t(("task", "without pre-training", "its share of its best with 10 / 20 %",
       "the biLM's share of its best with 10 / 20 %", "data multiplier, at its score with 10 %",
       "with all"),
      ("任务", "不用预训练的方法", "它用 10% / 20% 标注，达到自身最好成绩的", "biLM 用 10% / 20% 标注，达到自身最好成绩的",
       "数据倍数：以它用 10% 时的分数为准", "以用全部标注时为准")),
    cells,
)  # fmt: skip

# %% [markdown] key="few-seen" lang="en"
# The two columns in the middle differ little: with 20 % of the labels the rival, too, has 80 % of its best in all
# five tasks, with 10 % in three. A slogan that fits the rival as well explains nothing. The multipliers do differ,
# from task to task and from target to target: one label of the biLM is worth 1.8 of TF-IDF for questions, and
# seven or more of the hand-crafted tagger's for part of speech; at its score with all labels it is worth twelve for
# English parts of speech and 1.3 for Chinese ones. So no single number could be *the* sample efficiency
# of pre-training. (Averaged static vectors, dashed, are pre-trained as well.) What the five curves share is that
# the gain grows as labels get fewer: from all labels down to 3 % of them, the biLM's lead grows by 6 to 20
# points.
#
# <details><summary>How to read the intervals</summary>
#
# "At least" means that the biLM was there with its fewest labels, "at most" that it did not get there with all it
# had. The intervals are Student's, over the seeds: an interval contains every multiplier at which the two scores
# do not differ significantly. An end of 0.0 or ∞ says that nothing we measured bounds it on that side. Ten seeds
# fix some multipliers within a factor of two, others hardly at all. Where curves cross, a multiplier above 1 with
# few labels goes with one below 1 with many.
#
# </details>

# %% [markdown] key="few-seen" lang="zh" follows="0a6685ff"
# 中间两列区别不大：用 20% 的标注，对手在五项任务上也都达到自身最好成绩的八成，用 10% 时是三项。一种说法放在对手身上同样成立，就什么也没有解释。数据倍数则确有区别，既随任务变，也随目标变：在问题分类上，biLM 的一条标注只抵 TF-IDF 的 1.8 条，在词性标注上却抵手工特征的七条以上；换成用全部标注时的分数，英文词性抵十二条，中文词性只抵 1.3 条。所以没有哪一个数可以叫作预训练的“样本效率”。（虚线的静态向量平均同样是预训练来的。）五条曲线的共同点是，标注越少，增益越大。标注从全部减到 3%，biLM 比对方多出的优势增加 6 到 20 个点。
#
# <details><summary>区间怎样读</summary>
#
# “至少”表示 biLM 用最少的标注就已经达到，“至多”表示它用完手里的标注也没有达到。区间是对种子计算的学生氏区间，由使双方得分无显著差异的全部倍数组成。一端是 0.0 或 ∞，表示我们测过的标注数在这一边定不下界限。十个种子，有的倍数能确定到两倍以内，有的几乎定不下来。两条曲线若是相交，标注少时倍数大于 1，标注多时就小于 1。
#
# </details>

# %% key="few-cards" fold=true
claims.card("few-labels").show(t)

# %% [markdown] key="fewer-steps" lang="en"
# And fewer steps? The same small tagger is trained on four inputs, until it is as good as it ever gets on random word vectors:

# %% [markdown] key="fewer-steps" lang="zh" follows="c109e530"
# 那么步数呢？同一个小标注器用四种输入分别训练，直到达到它用随机词向量所能得到的最好成绩：

# %% key="fewer-steps-table" fold=true
soon = claims.card("convergence").rows
updates, highest = (claims.over_seeds(soon, metric) for metric in ("updates", "best accuracy"))
INPUTS = {
    "random": t("random word vectors", "随机词向量"),
    "static": t("pre-trained word vectors", "预训练词向量"),
    "untrained biLM": t("untrained biLM, frozen", "未训练的 biLM，冻结"),
    "biLM": t("biLM, frozen", "biLM，冻结"),
}
claims.show_table(
    [t("input", "输入"), *(
        f"{TASKS[name]}{t(': ', '：')}{what}" for name in claims.conditions(soon)
        for what in t(("updates", "its best, %"), ("更新次数", "最好成绩，%"))
    )],
    [[label, *(
        cell for name in claims.conditions(soon)
        for cell in (
            t("never", "达不到") if updates[way, name].estimate > efficiency.UPDATES
            else f"{updates[way, name].estimate:.0f}",
            f"{100 * highest[way, name].estimate:.1f}",
        )
    )] for way, label in INPUTS.items() if soon],
)  # fmt: skip

# %% [markdown] key="fewer-steps-seen" lang="en"
# In the stored runs the biLM needs 17 updates (English) and 22 (Chinese) where random vectors need more than 200,
# but pre-trained word vectors, with 41 and 81, save most of them already. The updates of the pre-training are not
# counted. And sooner does not mean better in the end: in lesson 11, which fine-tunes whole networks on topics,
# the pre-trained start is ahead early and no longer at the end.

# %% [markdown] key="fewer-steps-seen" lang="zh" follows="bff05f1b"
# 存好的实验里，biLM 只要 17 次（英文）和 22 次（中文）更新，随机向量要 200 多次；不过预训练词向量只要 41 次和 81 次，已经省下了大半。预训练本身的更新没有算进去。而且更快不等于最后更好：第 11 课在话题任务上微调整个网络，预训练的起点开头领先，到最后就不再领先。

# %% [markdown] key="released" lang="en"
# ## Optional: what changes with scale?
#
# The same questions to a released BERT, MiniLM (22 M parameters, lesson 06), on English sentences: which layer knows the part of
# speech, and do its vectors point one way? Predict both curves: does a model that has read far more still know parts of
# speech best in the middle?

# %% [markdown] key="released" lang="zh" follows="10478c22"
# ## 选做：规模变大，什么会变？
#
# 用英文句子向公开发布的 BERT（第 06 课的 MiniLM，两千两百万个参数）问同样的问题：哪一层最懂词性？它的向量是不是也偏向一个方向？请先画出你猜的两条曲线。读过多得多的文本之后，最懂词性的还是中间的层吗？

# %% key="released-run" fold=true
from course_released.whole_words import reader

if released := reader(t, "minilm"):
    english = probes.split_by_sentence(
        shipped.tagged(shipped.tag_sets("en")[0]), *sizes, seed=8
    )
    ends = np.cumsum([len(s.tokens) for s in english[0]])[:-1]
    rows = []
    for title, one in (("biLM", shipped.encoder("en")), ("MiniLM", released)):
        two = [probes.read(one, part) for part in tqdm(english, desc=title, file=sys.stdout)]
        tags = probes.accuracies(*two, seed=8, steps=steps)
        for k, layer in enumerate(two[0].x):
            shape = geometry.measure(np.split(layer, ends), two[0].words, seed=8)
            rows.append((f"{title} {k}", f"{tags[k]['accuracy']:.3f}",
                         f"{shape['anisotropy']:.2f}", f"{shape['self-similarity']:.2f}"))  # fmt: skip
    claims.show_table(t(("", "part of speech", "any two words", "the same word"),
                        ("", "词性", "任意两词", "同一个词")), rows)  # fmt: skip

# %% [markdown] key="released-seen" lang="en"
# What stays: context helps. In MiniLM a middle layer is the best for parts of speech: in our run it has 0.882 at layer 0, 0.934 at layer 2 and
# 0.830 at layer 6, below its own input (its top was trained for the meaning of sentences, which may be why). The biLM, whose top predicts words, loses nothing there: 0.890, 0.944 and 0.943. Nor is
# the larger model ahead here. (MiniLM reads small letters only; the biLM also sees capitals, which mark names.) Neither points strongly one way: any two words have a cosine of
# 0.01 to 0.17 in MiniLM and of 0.03 to 0.14 in the biLM.

# %% [markdown] key="released-seen" lang="zh" follows="fa2e2ce0"
# 不变的是：上下文有用。MiniLM 论词性是中间的层最好，我们跑的那次，第 0 层是 0.882，第 2 层 0.934，第 6 层只有 0.830，比它自己的输入还低（顶层是为整句的意思训练的，这也许就是原因）。biLM 的顶层用来预测词，词性并不吃亏，三层依次是 0.890、0.944、0.943。可见论词性，大模型也没有更好。（MiniLM 只读小写字母，biLM 却看得见标志专名的大写。）两者都不怎么偏向一个方向：任意两词的余弦，MiniLM 是 0.01 到 0.17，biLM 是 0.03 到 0.14。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The same probe for every model of the course. This lesson's row is its better layer.

# %% [markdown] key="scoreboard" lang="zh" follows="ebef08d6"
# ## 记分牌
#
# 课程里的每个模型都做同一个测试。本课的一行取表现较好的那一层。

# %% key="scoreboard-row"
began = time.perf_counter()
encoder.encode([s.tokens for s in annotated[:128]])
per_token = (time.perf_counter() - began) / sum(len(s.tokens) for s in annotated[:128])
best = max((1, 2), key=lambda k: by_layer[k]["nearest_centroid"])
context_name = t("averaged static context", "静态上下文平均")
display(HTML(claims.sense_table({
    f"biLM, {LAYERS[best]}": by_layer[best],
    context_name: senses.macro(senses.by_word(context, annotated)),
}, t)))  # fmt: skip
print(
    t("parameters:", "参数："),
    f"{sum(p.numel() for p in encoder.model.parameters()):,};",
    t("milliseconds per token:", "每个词的毫秒数："),
    f"{1000 * per_token:.2f}",
)

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 explains the columns), measured once for all lessons.

# %% [markdown] key="board" lang="zh" follows="81a2a2bd"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "08")

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** A probe for part of speech: layer 1 accuracy 0.85, control 0.62; layer 2
# accuracy 0.83, control 0.45. Which of the two owes less to memory?
#
# <details><summary>A. Layer 1: 0.85 is more than 0.83.</summary>
#
# Not quite: the comparison leaves out what the probe can do by learning words by heart:
# 0.62 on labels from a lottery.
#
# </details>
#
# <details><summary>B. Layer 2: its selectivity is 0.38, against 0.23.</summary>
#
# Right. Nearly the same accuracy, with far less success on labels that mean nothing.
#
# </details>
#
# <details><summary>C. Neither: a control above chance shows that the probe is
# broken.</summary>
#
# Not quite: on words met in training a control *should* be above chance. That is the
# point of measuring it.
#
# </details>
#
# ---
#
# **2.** Occurrences of words (not sentences) are split at random into a training and a
# test part, and the probe reads layer 2. What is wrong with the result?
#
# <details><summary>A. It is too high: the vectors have read each other.</summary>
#
# Right. Words of one sentence are on both sides. Split by sentence, or by document. And
# for a claim about new words, keep those words out of training altogether.
#
# </details>
#
# <details><summary>B. Nothing, since no word occurrence is in both parts.</summary>
#
# Not quite: true of the occurrences. But in layer 2 the vector of a test word has read
# its training neighbours, and they have read it.
#
# </details>
#
# <details><summary>C. It is too low: the probe sees torn sentences.</summary>
#
# Not quite: a probe looks at one vector at a time. It does not read sentences.
#
# </details>
#
# ---
#
# **3.** For every task a learned mix puts most weight on layer 1. A probe finds word
# senses better in layer 2 than in layer 1. Do these contradict each other?
#
# <details><summary>A. Yes: the weights prove that meaning is in layer 1.</summary>
#
# Not quite: weights depend on the lengths of the layers, on their neighbours, and on
# the model above. They do not say what a layer contains.
#
# </details>
#
# <details><summary>B. Yes: one of the two has too few seeds.</summary>
#
# Not quite: more seeds make both numbers more certain. They would still be answers to
# different questions.
#
# </details>
#
# <details><summary>C. No: the two answer different questions.</summary>
#
# Right. A probe asks what can be read out of one layer on its own; a weight says how
# much of it one model took. The saying "syntax takes the low layers, meaning the high
# ones" mixes them up.
#
# </details>
#
# ---
#
# **4.** Layer P: a word's occurrences have a mean cosine of 0.70, any two words 0.62.
# Layer Q: 0.55 and 0.10. In which layer is more of a vector due to the word itself?
#
# <details><summary>A. P: 0.70 is more than 0.55.</summary>
#
# Not quite: in P *everything* is alike. 0.62 of the 0.70 is the common direction.
#
# </details>
#
# <details><summary>B. Q: 0.45 beyond any two words, against 0.08.</summary>
#
# Right. A cosine means something only beside that of two words drawn at random.
#
# </details>
#
# <details><summary>C. The same: both are above one half.</summary>
#
# Not quite: a cosine has no fixed scale. The layer's own level, its anisotropy, is the
# zero.
#
# </details>
#
# ---
#
# **5.** Suppose a probe has 0.82 on layer 0 and 0.90 on layer 1. In the *untrained*
# network of the same shape it is 0.76 and 0.80. What did pre-training add to the step
# from layer 0 to layer 1?
#
# <details><summary>A. 8 points: layer 1 is that much better.</summary>
#
# Not quite: a random LSTM also mixes the neighbours in. That part of the step needs no
# training.
#
# </details>
#
# <details><summary>B. 10 points: 0.90 minus 0.80.</summary>
#
# Not quite: that is what training added to layer 1 as a whole, the trained spelling of
# layer 0 included. The question was the *step*.
#
# </details>
#
# <details><summary>C. About 4 points: the untrained step is 4 already.</summary>
#
# Right. This is what the untrained network is there for: it shows what the architecture
# does by itself.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="70421415"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 词性探针：第 1 层准确率 0.85，对照任务 0.62；第 2 层准确率 0.83，对照任务 0.45。哪一层的成绩更少靠死记硬背？
#
# <details><summary>A. 第 1 层，0.85 比 0.83 高。</summary>
#
# 再想想：这样比，就没有扣掉光靠记词就能得的分：抽签的标签它也对了 0.62。
#
# </details>
#
# <details><summary>B. 都不能信，对照任务居然高于随机水平。</summary>
#
# 再想想：训练时见过的词，对照任务本来就该高于随机水平。测的就是这个。
#
# </details>
#
# <details><summary>C. 第 2 层，它的选择性高。</summary>
#
# 对。0.38 对 0.23。准确率差不多，可是在抽签得来的标签上，第 2 层的探针背下来的少得多。
#
# </details>
#
# ---
#
# **2.** 一句“他 花 了 很多 钱 买 花”，里面的词被随机分到了训练和测试两边，探针读的是第 2 层。这样测出的准确率有什么问题？
#
# <details><summary>A. 偏高，同一句的词分在两边，向量彼此“见过面”。</summary>
#
# 对。应该按句子或按文章来分。要谈没见过的词，还得把那些词整个留出来。
#
# </details>
#
# <details><summary>B. 没问题，没有哪个词同时在两边。</summary>
#
# 再想想：位置是分开了，可第 2 层的向量读过整句：测试词的向量里有训练词，反过来也一样。
#
# </details>
#
# <details><summary>C. 偏低，句子被拆散，探针看不到上下文了。</summary>
#
# 再想想：探针一次只看一个向量，本来就不读句子。
#
# </details>
#
# ---
#
# **3.** 学出来的混合在各个任务上都给第 1 层最大的权重；探针却说判断义项第 2 层更好。矛盾吗？
#
# <details><summary>A. 矛盾，权重说明语义其实在第 1 层。</summary>
#
# 再想想：权重受各层向量的模长、层与层有多相似、上面接的模型左右，说明不了哪一层里有什么。
#
# </details>
#
# <details><summary>B. 不矛盾，回答的是两个问题。</summary>
#
# 对。探针问的是单独一层能读出什么，权重说的是某个模型从中取了多少。“句法任务用低层、语义任务用高层”就是把两者混为一谈。
#
# </details>
#
# <details><summary>C. 矛盾，总有一个是种子太少测错了。</summary>
#
# 再想想：多跑几个种子，两个数都会更准，可它们回答的仍是两个问题。
#
# </details>
#
# ---
#
# **4.** 甲层：“的”的各次出现，平均余弦 0.70；随便两个词 0.62。乙层：0.55 和 0.10。哪一层的向量里，属于这个词自己的东西更多？
#
# <details><summary>A. 甲层，0.70 更高。</summary>
#
# 再想想：甲层里谁和谁都像，0.70 里有 0.62 是公共的方向。
#
# </details>
#
# <details><summary>B. 乙层，净值更高。</summary>
#
# 对。0.45 对 0.08。一个余弦是高是低，要拿随便两个词的余弦作零点来量。
#
# </details>
#
# <details><summary>C. 一样，都过了 0.5。</summary>
#
# 再想想：余弦没有固定的刻度，各层的零点不同。
#
# </details>
#
# ---
#
# **5.** 有人把“高兴”误写成了“高幸”。要判断这个词的词性，指望什么最靠得住？
#
# <details><summary>A. 词表，里面有“高兴”。</summary>
#
# 再想想：词表里没有“高幸”，它和所有生词共用一个 `<unk>`，查不出什么。
#
# </details>
#
# <details><summary>B. 写法和上下文一起看。</summary>
#
# 对。“他 今天 很 ____”，空着也多半猜得出是形容词；没写错的那个“高”再帮一把。存好的实验里，对写错的词，两样都看的 biLM 第 1 层显著胜过字符 CNN，词表加左右邻词的则和字符 CNN 分不出高下。
#
# </details>
#
# <details><summary>C. 只看写法：字符 CNN 对任何写法都有向量。</summary>
#
# 再想想：有向量不等于向量对头。两个字换掉一个，半个词就没了；英语的笔误多半还留着词尾，中文没有这样的便宜。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>A hospital has 30,000 labelled reports and hears that "10 % are
# enough". What do you ask?</summary>
#
# Enough for which score? What does TF-IDF reach with 10 %? What is the data multiplier on a task like theirs,
# with its interval? And what do the missing points cost?
# </details>

# %% [markdown] key="questions" lang="zh" follows="afcab44f"
# ## 检查一下自己
#
# <details><summary>一家医院有三万份带标注的报告，听说“10% 就够了”。你会问什么？</summary>
#
# 够达到多少分？TF-IDF 用 10% 能到多少？在类似的任务上，数据倍数是多少，区间多宽？差的那几个点，代价是什么？
# </details>

# %% [markdown] key="knob" lang="en"
# ## Predict, change a knob, explain
#
# The knob is the number of sentences from which the probe of section 2 learns. Before you run the cell with
# `SENTENCES = 60`, a tenth, write down for layers 0 and 1: which falls more, the accuracy or the control? Does
# selectivity rise or fall?

# %% [markdown] key="knob" lang="zh" follows="b70890d1"
# ## 先预测，再改一个量，然后解释
#
# 要改的量是第 2 节的探针从多少句里学习。把它改成十分之一，即 `SENTENCES = 60`，运行之前先对第 0 层和第 1 层写下预测：词性的准确率和对照任务的准确率，哪个下降得更多？选择性是升还是降？

# %% key="knob-run"
SENTENCES = sizes[0]  # try a tenth: 60

n = sum(len(s.tokens) for s in learn[:SENTENCES])
part = probes.Words(train.x[:, :n], train.words[:n], train.tags[:n])
print(t("test words met in training:", "测试词中训练时见过的："), f"{np.isin(test.words, part.words).mean():.0%}")
fewer = probes.accuracies(part, test, seed=8, steps=steps)
claims.show_table(
    t(("", "accuracy", "control", "selectivity"), ("", "准确率", "对照任务", "选择性")),
    [(LAYERS[k], *(f"{one[m]:.3f}" for m in ("accuracy", "control", "selectivity"))) for k, one in enumerate(fewer)],
)  # fmt: skip

# %% [markdown] key="knob-answer" lang="en"
# <details><summary>What comes out, and why</summary>
#
# With 600 sentences of the Penn Treebank 82 % of the test words were met in training, with 60 sentences 57 %. In
# layer 1 the accuracy falls from 0.944 to 0.914, the control from 0.645 to 0.558, so selectivity *rises* from
# 0.299 to 0.355. In layer 0 the accuracy falls nearly as much (0.890 to 0.826) as the control (0.677 to 0.603),
# and selectivity hardly changes, 0.213 and 0.224. A drawn tag can be known only for words that were met, and in
# layer 1, where context varies a word's vector, it takes more examples to learn it by heart; the part of speech
# of new words can be inferred from their neighbours. So compare selectivity only where probe *and* amount of
# training data are the same.
#
# </details>

# %% [markdown] key="knob-answer" lang="zh" follows="5813d2ed"
# <details><summary>结果和解释</summary>
#
# 用 UD 中文的 600 句训练时，76% 的测试词在训练时见过，用 60 句时是 48%。在第 1 层，准确率从 0.823 降到 0.753，对照任务从 0.620 降到 0.511，下降更多，所以选择性反而*上升*，从 0.203 升到 0.243。在第 0 层，准确率（0.746 降到 0.644）和对照任务（0.644 降到 0.563）下降得差不多，选择性变化不大，是 0.102 和 0.081。抽签的标签只有见过的词才可能知道；第 1 层里同一个词的向量随上下文而变，要更多的例子才记得住，而没见过的词，其词性还可以从邻词推断。可见只有探针相同、训练数据的*数量*也相同，选择性才可以比较。
#
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Peters et al. (2018), tables 4-6; then Peters, Neumann, Zettlemoyer
#   and Yih (2018), *Dissecting contextual word embeddings*.
# * Hewitt and Liang (2019), *Designing and interpreting probes with control tasks*. Belinkov (2022), *Probing
#   classifiers: promises,
#   shortcomings, and advances*.
# * Ethayarajh (2019), *How contextual are contextualized word representations?*
# * Zhao, Mudgal and Liang (2018), *Generalizing word embeddings using bag of subwords*.
# * Lesson 09: the language model behind ULMFiT. The exercises: `exercises/08_elmo_layers`.

# %% [markdown] key="reading" lang="zh" follows="11cae2b0"
# ## 接下来读什么
#
# * Peters 等（2018），表 4 至 6；再读 Peters、Neumann、Zettlemoyer、Yih（2018），*Dissecting contextual word embeddings*。
# * Hewitt 与 Liang（2019），*Designing and interpreting probes with control tasks*。Belinkov（2022），*Probing classifiers: promises, shortcomings, and advances*。
# * Ethayarajh（2019），*How contextual are contextualized word representations?*
# * Zhao、Mudgal、Liang（2018），*Generalizing word embeddings using bag of subwords*。
# * 第 09 课：ULMFiT 背后的语言模型。练习：`exercises/08_elmo_layers`。
