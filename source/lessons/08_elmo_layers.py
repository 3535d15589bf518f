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
# Running time, measured on two cores: under two minutes (quick profile: half of
# one).
# The paper: Peters et al., *Deep contextualized word representations*, NAACL 2018,
# sections 5.3 and 5.4. The control task: Hewitt and Liang, *Designing and interpreting
# probes with control tasks*, EMNLP 2019.

# %% [markdown] key="title" lang="zh" follows="02e0882e"
# # 08 · 各层学到了什么？
#
# 学完本课，你能够
#
# * 训练一个探针，说清它的准确率证明了什么、没有证明什么；
# * 给探针配上对照：不泄漏的划分、未训练的网络、随机标签；
# * 从每一层读出词性、义项、拼写和话题，再作比较；
# * 在所有向量都朝一个方向偏的情况下，量出一个向量里有多少是上下文；
# * 用数字说明字符网络什么时候划算；
# * 用“数据倍数”来表达样本效率，而不是喊口号。
#
# 在双核电脑上实测：不到两分钟（精简规模约半分钟）。论文：Peters 等，*Deep contextualized word representations*，NAACL 2018，5.3 和 5.4 节。对照任务：Hewitt 与 Liang，*Designing and interpreting probes with control tasks*，EMNLP 2019。

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
from course_lib.analysis import baselines, geometry, probes, senses
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
# A **probe** is a small classifier on top of vectors that stay as they are. Ours is
# linear: the word at position $k$ has the vector $h_{k,j}$ in layer $j$, and the probe says
#
# $$\hat y_k = \arg\max\ \mathrm{softmax}(W h_{k,j} + b).$$
#
# Only $W$ and $b$ are learned, here from sentences with a part of speech for each word.
# Take layer 0, which has seen nothing but the spelling. The sentences to learn from and
# those to ask about have no sentence in common.

# %% [markdown] key="memory" lang="zh" follows="39ef207a"
# ## 1 · 一个几乎总是答对的探针
#
# **探针**是架在固定不动的向量上的一个小分类器。我们用线性的：位置 $k$ 的词在第 $j$ 层的向量是 $h_{k,j}$，探针回答
#
# $$\hat y_k = \arg\max\ \mathrm{softmax}(W h_{k,j} + b)$$
#
# 只有 $W$ 和 $b$ 要学，标注是句中每个词的词性。先看第 0 层，它只见过词的写法。用来学习的句子和用来提问的句子没有一句相同。

# %% key="memory-run"
name = shipped.tag_sets(t.language)[0]
learn, ask = probes.split_by_sentence(shipped.tagged(name), *sizes, seed=8)
train, test = (  # (L+1, N, D) each
    probes.read(encoder, part) for part in tqdm((learn, ask), file=sys.stdout)
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
# A good number for a layer without context. Does the layer *know* grammar? Try a task
# that nobody can know: give every different word a tag **by lot** (Hewitt and Liang's
# control task). *river* is always an adverb, *of* always a plural. The same probe, the
# same layer, the same sentences.

# %% [markdown] key="control" lang="zh" follows="a41b5dba"
# 对一个没有上下文的层来说，这个数不低。那么这一层*懂*语法吗？换一个谁也不可能懂的任务：给每个不同的词**抽签**定一个词性（Hewitt 与 Liang 的对照任务）。“河”一律是副词，“的”一律是数词，诸如此类。探针不变，层不变，句子也不变。

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
      ("词", "个数", "词性", "抽签", "总猜最常抽到的")),
    [(group, int(rows.sum()), f"{np.mean((said == test.tags)[rows]):.3f}",
      f"{np.mean((guess == right)[rows]):.3f}",
      f"{max(Counter(right[rows].tolist()).values()) / max(rows.sum(), 1):.3f}")
     for group, rows in groups.items()],
)  # fmt: skip

# %% [markdown] key="control-seen" lang="en"
# **What to see.** With labels from a lottery the probe is far above chance, on words that
# it has *met*. On new words it is at chance, as it must be. So a part of the first number,
# too, may be memory: layer 0 tells words apart, and a list word → tag does the rest. The
# third line is what the spelling itself reveals.
#
# Hence two numbers for every probe, and their difference:
#
# $$\text{selectivity} = \text{accuracy of the task} - \text{accuracy of the control}.$$
#
# It is a matter of splitting, too. Draw single *occurrences* for the test, and words of one
# sentence stand on both sides; their contextual vectors have seen each other, and the score is
# too high. Split by sentence, and that leak is closed. But frequent words still stand on both
# sides: for a claim about *new words*, keep those words out of training.
#
# And what no probe shows, however well controlled: that the model **uses** what the probe
# finds. It shows that the label can be read out, by such a reader, with so many labels.

# %% [markdown] key="control-seen" lang="zh" follows="f874b58f"
# **看什么。** 标签是抽签来的，探针照样远远高于瞎猜——只限于*见过*的词；没见过的词，就跟瞎猜差不多，本该如此。可见第一个数里，也可能有一部分只是记性：第 0 层能区分不同的词，再背一张“词 → 词性”的表就行了。第三行才是词的写法本身透露的。
#
# 所以每个探针要报两个数，以及它们的差：
#
# $$\text{选择性} = \text{任务准确率} - \text{对照任务准确率}$$
#
# 划分方式也有讲究。如果不管句子，一处一处地抽词，同一句的词会分到两边，而它们的上下文向量彼此“见过面”，分数就偏高。按句子划分，这个漏洞就堵上了。可是常用词仍然两边都有：要谈*没见过的词*，就得把那些词整个留出来，不放进训练。
#
# 还有一点，控制得再好的探针也说明不了：模型自己是否**用到**了探针读出的东西。它只说明，用这样的读法、这么多标注，读得出来。

# %% [markdown] key="layers" lang="en"
# ## 2 · Part of speech, layer by layer
#
# Now all layers, with everything that a number needs beside it: the commonest tag; each
# word's commonest tag (what a good dictionary does); a linear tagger with hand-made
# features of the word and its neighbours; and the **same network untrained**. The last
# one matters: a random LSTM also mixes the neighbours in.

# %% [markdown] key="layers" lang="zh" follows="9c7b5845"
# ## 2 · 逐层看词性
#
# 现在看所有的层，旁边摆上一个数该有的全部参照：总猜最常见的词性；每个词猜它自己最常见的词性（一本好词典的水平）；用手工特征（词本身和左右邻词）的线性标注器；还有**同样结构、未经训练的网络**。最后这个很要紧：随机的 LSTM 也会把邻词混进来。

# %% key="layers-run"
found = baselines.tag(learn, ask, t.language)
fresh = probes.untrained(encoder, seed=8)
parts = probes.read(fresh, learn), probes.read(fresh, ask)
scores, random_scores = (
    probes.accuracies(*read, seed=8, steps=steps)
    for read in tqdm(((train, test), parts), file=sys.stdout)
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
# **What to see.** From layer 0 to layer 1 context comes in: compare this step with the same step of the untrained
# network. Then compare layers 1 and 2 with each other, and with the hand-made features, which cost no
# pre-training.
#
# One set of sentences, one seed. The picture has the measurements that are kept with the
# course: part of speech on several sets in both languages, and senses.

# %% [markdown] key="layers-seen" lang="zh" follows="3d5e5c47"
# **看什么。** 从第 0 层到第 1 层，上下文进来了：把这一步的提高和未训练网络的那一步对比。再比较第 1 层和第 2 层，并和不需要预训练的手工特征比。
#
# 这只是一批句子、一个种子。下图是随课程保存的测量：两种语言、几批句子上的词性，还有义项。

# %% key="layers-picture" fold=true
kept = claims.card("layers-pos-wsd").rows  # all seeds
n_seeds = len({row["seed"] for row in kept})
spans = claims.over_seeds(kept, "accuracy")
sets = claims.conditions(kept, "accuracy")
SETS = t({}, {
    "treebank": "宾州树库（英文）", "en_ewt": "UD（英文）", "zh_gsdsimp": "UD（中文）",
    "senses-en": "课程例句（英文）", "senses-zh": "课程例句（中文）",
    **{word: f"{word}（Senseval）" for word in layers.SENSEVAL},
})  # fmt: skip
figure, axes = plt.subplots(1, 2, figsize=(9, 4.4))
for axis, kind in zip(axes, ("POS", "WSD"), strict=True):
    mine = [name for name in sets if name.startswith(kind)]
    for i, name in enumerate(mine):
        y = np.array([spans[f"layer {k}", name] for k in range(3)])  # (3, 3)
        bars = np.nan_to_num([y[:, 0] - y[:, 1], y[:, 2] - y[:, 0]])
        style = "o--" if "zh" in name else "o-"
        own = name.removeprefix(kind + " ")
        axis.errorbar(range(3), y[:, 0], bars, fmt=style, color=f"C{i % 7}", capsize=3,
                      label=SETS.get(own, own))  # fmt: skip
        other = {"POS": "window", "WSD": "averaged static context"}[kind]
        axis.plot([2.25], [spans[other, name].estimate], "s", color=f"C{i % 7}", ms=6)
        axis.plot([-0.25], [spans["majority", name].estimate], "x", color=f"C{i % 7}")
    axis.set_xticks([-0.25, 0, 1, 2, 2.25], ["×", "0", "1", "2", "■"])
    axis.set_xlabel(
        t("layer (× majority, ■ without a biLM)", "层（× 多数类，■ 不用双向语言模型）")
    )
    axis.set_ylabel(t("accuracy", "准确率"))
    axis.legend(fontsize=8)
axes[0].set_title(t("part of speech", "词性"))
axes[1].set_title(t("sense of the word", "词的义项"))
course_lib.show(
    figure,
    alt=t(
        "Accuracy of layers 0, 1 and 2 for part of speech and for senses on several sets, with the "
        "majority on the left and a baseline without a biLM on the right of each panel.",
        "第 0、1、2 层在几批数据上的词性和义项准确率；每幅图左边是多数类，右边是不用双向语言模型的基线。",
    ),
)
print(
    t(
        f"mean over {n_seeds} seed(s), bars: 95 % interval",
        f"{n_seeds} 个种子的平均，误差线为 95% 区间",
    )
)

# %% [markdown] key="layers-picture-seen" lang="en"
# **What to see.** Left: compare the step from 0 to 1 with the step from 1 to 2, and the end of
# each line with its square. Right: in the course's sentences (`senses`) layer 0 stands at
# chance, near the cross. In Senseval the word comes in several forms, *line* and *lines*, and
# layer 0 sees just these. The nearest mean ignores how *frequent* a sense is; where one sense
# has most of the sentences, it can end below the cross. And the square, the averaged
# static vectors of the other words, is the rival to watch. Solid lines are English, dashed
# ones Chinese.

# %% [markdown] key="layers-picture-seen" lang="zh" follows="b9d99cb5"
# **看什么。** 左图：比较从 0 到 1 和从 1 到 2 的两步，再拿每条线的末端和它的方块比。右图：课程的例句里，第 0 层就是瞎猜的水平，在叉号附近。Senseval 里同一个词有好几种词形（line 和 lines），第 0 层看到的只有词形。最近质心这种判法不管哪个义项更*常见*；如果某个义项占了大多数句子，准确率就可能落到叉号下面。方块是句中其他词的静态向量的平均，这是最该盯住的对手。实线是英文，虚线是中文。

# %% [markdown] key="wsd" lang="en"
# ## 3 · Senses, with few labelled sentences
#
# The paper's method for senses needs no training at all. For each sense, average
# the word's vectors in its labelled sentences; name the sense whose mean is nearest. And if a word has *no*
# labelled sentence? Then **back off** to its first sense, the one a dictionary lists first:
#
# $$\hat s_k = \begin{cases} \arg\max_{s}\ \cos(h_{k,j},\ \bar h_{s,j}) & \text{if the word has labelled sentences} \\ \text{first sense} & \text{else.}\end{cases}$$
#
# First senses are a hard baseline in ordinary text, where one sense is often much the
# commonest. In the paper the first sense in WordNet, a dictionary of senses, had F1 65.9,
# layer 1 67.4, layer 2 69.0 (table 5). Here 250 of the course's sentences are asked, and 6 to
# 500 others are labelled. These are drawn from the sentences of all words together: with few
# of them, most words have none and back off. (The senses are equally frequent, so that a first
# sense helps little. It is taken from sentences that are not asked.)

# %% [markdown] key="wsd" lang="zh" follows="3faec30c"
# ## 3 · 标注很少时的义项
#
# 论文判断义项的办法根本不用训练。对每个义项，把这个词在有标注的例句里的向量取平均；新句子里的向量离哪个平均最近，就判作哪个义项。如果一个词*一句*标注也没有呢？那就**退回**第一义项，也就是词典里排在最前面的那个：
#
# $$\hat s_k = \begin{cases} \arg\max_{s}\ \cos(h_{k,j},\ \bar h_{s,j}) & \text{该词有带标注的句子} \\ \text{第一义项} & \text{否则}\end{cases}$$
#
# 在普通文本里，往往有一个义项占绝大多数，所以第一义项是个很强的基线。论文里，义项词典 WordNet 的第一义项，F1 是 65.9，第 1 层 67.4，第 2 层 69.0（表 5）。这里用课程的例句来测：250 句用来提问，另取 6 到 500 句有标注。有标注的句子是从所有词的例句里一起抽的，所以数目少的时候，大多数词一句也没有，只好退回。（这些例句里各义项一样多，第一义项帮不上多少忙；它取自不参加测试的句子。）

# %% key="wsd-run"
course_lib.source(probes.name_senses)
annotated = data.senses(t.language)
at_target = senses.target_vectors(encoder, annotated)  # (L+1, N, D)
context = senses.context_average(known, annotated, known.vector_size)  # (N, D)
vectors = dict(zip(LAYERS, at_target, strict=True))
vectors[t("averaged static context", "静态上下文平均")] = context

rng, draws = np.random.default_rng(8), course_lib.by_profile(full=5, quick=1)
counts, hits = (6, 20, 60, 200, 500), {}
for _ in tqdm(range(draws), file=sys.stdout):
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
print(t("always the first sense:", "总答第一义项："),
      f"{np.mean([first[annotated[i].word] for i in asked] == right):.3f}")  # fmt: skip

# %% [markdown] key="wsd-seen" lang="en"
# **What to see.** At the top most answers are first senses, whatever the layer. As labels
# come, the columns part. Layer 0 stays where it was: it cannot tell one *bank* from
# another, and ties go to the first sense.

# %% [markdown] key="wsd-seen" lang="zh" follows="65056ce2"
# **看什么。** 最上面几行，大多数答案都是第一义项，哪一层都一样。标注多起来，各列就分开了。第 0 层原地不动：它分不出这个“苹果”和那个“苹果”，平局都判给第一义项。

# %% [markdown] key="senseval" lang="en"
# In real text senses are not equally frequent. Senseval has four words with thousands of
# contexts; the stored runs label 150 of each. There the choice between the nearest *mean*
# and the nearest *single* sentence matters: a mean gives a rare sense as much room as a
# common one; among single sentences the common sense has more chances to be near.

# %% [markdown] key="senseval" lang="zh" follows="4c2a44fc"
# 真实文本里，各义项的多少差得很远。Senseval 有四个英语词，每个有几千条上下文；保存的结果里每个词标注 150 条。这时，用最近的*平均*还是最近的*一句*就有讲究：取平均，罕见义项和常见义项平起平坐；一句一句地找，常见义项的句子多，碰巧离得近的机会也多。

# %% key="senseval-table" fold=true
ways = {"accuracy": t("mean", "平均"), "nearest sentence": t("single", "一句")}
kept_ways = {metric: claims.over_seeds(kept, metric) for metric in ways}
models = [*(f"layer {k}" for k in range(3)), "averaged static context"]
titles = [*LAYERS, t("averaged static context", "静态上下文平均")]
claims.show_table(
    [t("word", "词"), t("majority", "多数义项"), *(f"{m}: {w}" for m in titles for w in ways.values())],
    [(word, f"{spans['majority', f'WSD {word}'].estimate:.2f}",
      *(f"{kept_ways[metric][model, f'WSD {word}'].estimate:.2f}" for model in models for metric in ways))
     for word in layers.SENSEVAL if ("majority", f"WSD {word}") in spans],
)  # fmt: skip

# %% [markdown] key="every-context" lang="en"
# What do more labels bring? Ask each context of *line* for its nearest single neighbour among the labelled ones, and label more
# and more. One trap: two contexts cut from the same passage share a piece of text, and then they are near for a reason that is
# no reading. So nobody may ask a context with which it has six words in a row in common, nor itself.

# %% [markdown] key="every-context" lang="zh" follows="0534b453"
# 标注再多些，会怎样？拿 *line* 的每一条上下文，去问已标注的上下文里离它最近的一条，标注则越来越多。这里有个陷阱：两条上下文如果截自同一段文章，就会有一截文字相同，它们离得近，但这与读懂没有关系。所以，凡是有连续六个词相同的，彼此不许问，当然也不许问自己。

# %% key="every-context-run"
hits = {}
if data.at_hand("senseval"):
    every = data.load("senseval").split("line")
    some = np.random.default_rng(8).permutation(len(every))
    some = some[: course_lib.by_profile(full=len(every), quick=200)]
    every = [layers.near(every[i]) for i in some]  # 20 words to either side
    read = shipped.encoder("en").stream([s.tokens for s in every])
    read = tqdm(read, total=len(every), file=sys.stdout)
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
    for style, title in zip(("o:", "o--", "o-", "s-"), x, strict=True):
        y = np.array([hits[title, n] for n in counts])  # (counts, draws)
        axis.errorbar(counts, y.mean(axis=1), [y.mean(axis=1) - y.min(axis=1),
                      y.max(axis=1) - y.mean(axis=1)], fmt=style, capsize=3, label=title)  # fmt: skip
    top = senses.majority(labels)
    axis.axhline(top, color="grey", ls="--", label=t("majority", "多数义项"))
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
# **What to see.** (Bars: the best and the worst of five draws of the labelled contexts.) With 50 labels hardly
# anything is above always saying the commonest sense. With all of them layer 2 was 19 points above it when we
# measured, layer 1 and the averaged context 17: a biLM reads a little more than a bag of words does, not a
# different world. Compare the table above, where the *mean* of each sense is made with 150 labels: for layer 2 it
# was hardly better than the majority, for layer 1 worse; only the averaged context was well above it. And layer 0
# sees only *line* or *lines*: all contexts of one form are equally near, so its answer is a draw from them.

# %% [markdown] key="every-context-seen" lang="zh" follows="cc81b992"
# **看什么。**（误差线：抽五次标注，最好的一次和最差的一次。）只标 50 条时，谁都比“总答最常见的义项”好不了多少。全部标上，我们测得第 2 层高出它 19 个百分点，第 1 层和静态上下文平均都是 17：双向语言模型读出的东西，比一袋词多一点，谈不上天差地别。再看上面那张表：标注 150 条，取每个义项的*平均*：第 2 层和总答多数义项差不多，第 1 层还不如；只有静态上下文平均明显高出一截。第 0 层只看得见词形是 *line* 还是 *lines*：词形相同的上下文离得一样近，它的答案等于从里面抽签。

# %% key="layers-card" fold=true
claims.card("layers-pos-wsd").show(t)

# %% [markdown] key="four" lang="en"
# ## 4 · Four questions to each layer
#
# Two more probes, one at each end of a scale from spelling to topic. The **ending** of a
# word is pure spelling; here the words asked about are *different words* from those
# learned, or the control of section 1 would be the whole story. The **topic** of a whole
# sentence (from the mean of its words' vectors) is as far from spelling as it gets.
# Rivertown has the topics.

# %% [markdown] key="four" lang="zh" follows="b838a4eb"
# ## 4 · 向每一层提四个问题
#
# 再加两个探针，正好是两个极端。一个词的**词尾字**纯属写法（中文取词的最后一个字，英文取末三个字母）；被提问的词和学过的词必须是*不同的词*，否则就成了第 1 节那种背诵。整句话的**话题**（取句中各词向量的平均）离写法最远，题目来自河湾镇。

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
    for part in tqdm((learned, questions), file=sys.stdout)
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
# **What to see.** In brackets: what always giving the commonest answer would score. The
# darker a cell, the farther above that. Follow each line from left to right. Where is
# spelling best, and what becomes of it as context is mixed in? Which questions need context
# at all? The "hierarchy" that one can see here goes by what is *still* there and what is
# *already* there, not by boxes labelled syntax and semantics. For the topic, compare layer
# 0 with the others: averaged over a sentence, layer 0 has seen every word, too. And compare
# with TF-IDF below the picture: it keeps *which* words there were, and an average of so few
# numbers blurs that.

# %% [markdown] key="four-seen" lang="zh" follows="2204e73d"
# **看什么。** 括号里是总猜最常见的答案能得的分；格子越深，高出它越多。一行一行从左往右看。写法在哪一层最清楚，混进上下文之后怎样了？哪些问题离不开上下文？这里看得到的“层次”，说的是什么东西*还*在、什么东西*已经*有了，而不是贴着“句法”“语义”标签的盒子。看话题那一行，拿第 0 层和上面两层比：对整句取平均，第 0 层也看到了全部的词。再和图下面的 TF-IDF 比：它记得句中有*哪些*词；把各词平均成区区几百个数，这一点就糊了。

# %% [markdown] key="neighbours" lang="en"
# ## 5 · The neighbours of *play*
#
# Table 4 of the paper: GloVe's neighbours of *play* are *playing, game, games, played,
# players …*, in several parts of speech but nearly all of sport. The biLM is given an
# occurrence, and finds occurrences with the same sense, and the same part of speech. Ours:
# one occurrence as a verb, one as a noun, and the nearest *other* words among the tagged
# sentences above.

# %% [markdown] key="neighbours" lang="zh" follows="0cc8cb26"
# ## 5 · “打”的近邻
#
# 论文的表 4 查的是 play：在 GloVe 里，它的近邻是 playing、game、games、played、players……词性好几种，却几乎都和体育有关。双向语言模型查的是句子里的某一次出现，找到的近邻义项相同，词性也相同。我们来查“花”：一次是动词（花钱），一次是名词（花草），在上面标了词性的句子里找最近的*别的*词。再看“打”。


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
        print(f"[{speech}]", " ".join(annotated[rows[0]].tokens))
        for k in (1, 2):
            pool = x[k][others]
            near = [others[i] for i, _ in nearest(pool, at_target[k][rows[0]], k=10)]
            same = np.mean(tags[near] == speech)
            print(f"   {LAYERS[k]}:", " ".join(f"{words[i]}" for i in near[:8]),
                  t(f"  same part of speech: {same:.0%}", f"  词性相同：{same:.0%}"))  # fmt: skip
        print()

# %% [markdown] key="neighbours-share" lang="en"
# Two occurrences are an anecdote. So ask every sentence of the course for its nearest
# *other* sentence with the same word, and count how often that has the same sense, and,
# for words whose senses differ in part of speech, the same part of speech. The word's own
# static vector is the same everywhere: all its neighbours are equally near, and one is
# drawn.

# %% [markdown] key="neighbours-share" lang="zh" follows="27b9b77c"
# 两次出现只能当例子。所以让课程里的每一句都去找含同一个词、离它最近的*另一*句，数一数有多少次义项相同；对于义项之间词性不同的词，再数有多少次词性相同。词自己的静态向量处处一样：所有近邻都一样近，只好抽一个。

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
# **What to see.** The static vector and layer 0 are the same in every sentence, so their shares are chance. In running text
# (stored runs, 20 words of two parts of speech in each language) layer 2's nearest use has the same part of speech in 82 % of English
# and 74 % of Chinese uses, the averaged context's in 61 and 62 %, chance in 55 and 51 %. That is often, not always; the
# paper's table shows two picked occurrences.

# %% [markdown] key="neighbours-seen" lang="zh" follows="3121a01e"
# **看什么。** 静态向量和第 0 层在每句里都一样，所以它们的比例就是瞎猜。换成真实文本（存好的实验，每种语言 20 个兼类词），按第 2 层找到的最近一次出现，词性相同的英文占 82%，中文占 74%；按静态上下文平均是 61% 和 62%，瞎猜是 55% 和 51%。这是常常，不是总是；论文的表里只是挑出来的两次出现。

# %% [markdown] key="geometry" lang="en"
# ## 6 · How much of a vector is context?
#
# Take ten occurrences of *of*. If a layer gives them vectors with a mean cosine of 0.7, is
# that alike? It depends on how alike *any* two vectors of this layer are. If *of* and
# *river* have a cosine of 0.6, the layer points mostly one way, and 0.7 is little more than
# nothing. So Ethayarajh (2019) takes the mean cosine between random words, the layer's
# **anisotropy**, off:
#
# $$\text{beyond}(w) = \underset{i \ne j}{\mathrm{mean}}\ \cos(h_i^w, h_j^w) \;-\; \underset{w' \ne w''}{\mathrm{mean}}\ \cos(h^{w'}, h^{w''}).$$
#
# The first mean is the **self-similarity** of a word: 1 if context does nothing. The same
# correction goes for the cosine of a sentence's words with their mean.

# %% [markdown] key="geometry" lang="zh" follows="955db70a"
# ## 6 · 一个向量里有多少是上下文？
#
# 拿“的”的十次出现来看。某一层给它们的向量，平均余弦是 0.7，算不算像？要看这一层里*随便*两个向量有多像。如果“的”和“河”的余弦也有 0.6，说明整层都朝一个方向偏，0.7 就算不得什么。所以 Ethayarajh（2019）把随机两个词之间的平均余弦，也就是这一层的**各向异性**，减掉：
#
# $$\text{净值}(w) = \underset{i \ne j}{\mathrm{mean}}\ \cos(h_i^w, h_j^w) \;-\; \underset{w' \ne w''}{\mathrm{mean}}\ \cos(h^{w'}, h^{w''})$$
#
# 前一项是这个词的**自相似度**：上下文毫无作用时等于 1。句中各词与全句平均的余弦，也这样校正。

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
    for measure, style in (("self-similarity", "o-"), ("within a sentence", "s-")):
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
# **What to see.** The line of *the same word* falls from 1: the higher the layer, the more
# of the vector is context. Does it fall to the dotted line? No: between "one vector a word"
# and "one vector a sense" lies a continuum, and a layer that keeps 0.3 or 0.5 beyond chance
# still knows its word. There are no compartments for senses in it. Compare with the
# untrained network: what of this is learned, and what does any LSTM do?

# %% [markdown] key="geometry-seen" lang="zh" follows="703f6573"
# **看什么。** “同一个词”那条线从 1 往下走：层越高，向量里上下文占得越多。它会一直掉到虚线上吗？不会。“一词一个向量”和“一个义项一个向量”之间是连续的，净值还有 0.3 或 0.5 的一层，当然还认得出那是哪个词；里面并没有给义项准备的格子。再和未训练的网络比一比：哪些是学来的，哪些是随便一个 LSTM 都会的？

# %% key="geometry-card" fold=true
claims.card("one-vector-per-sense").show(t)

# %% [markdown] key="oov" lang="en"
# ## 7 · Words that nobody has seen
#
# A table has a row for *river* and none for *rievr*; all unknown words share
# `<unk>`. A character network has a vector for both. But so has a cheaper idea, which must
# stand beside it: a table of **hashed n-grams** (fastText), where a word is the sum of its
# pieces. Ours is fitted to the same static vectors, so that table and n-grams have read the
# same text.

# %% [markdown] key="oov" lang="zh" follows="5b928620"
# ## 7 · 谁也没见过的词
#
# 词表里有“高兴”这一行，没有“高幸”；所有不认识的词共用一个 `<unk>`。字符网络两个都有向量。不过还有一个更便宜的办法也做得到，必须摆在旁边比：**哈希 n-gram** 表（fastText 的想法），一个词等于它各个片段之和。我们的 n-gram 是照着同一份静态向量拟合出来的，所以它和词表读过的文本一样多。

# %% key="oov-words"
course_lib.source(probes.misspell, probes.HashedGrams)
common = [w for w in known.index_to_key[:8000] if len(w) > t(3, 1) and w.isalpha()]
with tqdm(total=3, file=sys.stdout) as bar:
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
        print(
            f"   {title:9}", " ".join(common[i] for i, _ in nearest(pool, query, k=6))
        )

# %% [markdown] key="oov-rule" lang="en"
# Neighbours of three words prove nothing. The test that is fair to all: train the probe of
# section 1 on clean sentences, and ask it about sentences in which 0 to 30 % of the longer
# words have a slip (two letters exchanged, one left out, doubled or replaced). Four
# representations see the word alone; two also see its context.

# %% [markdown] key="oov-rule" lang="zh" follows="aaccd58b"
# 三个词的近邻证明不了什么。对大家都公平的测法是：用干净的句子训练第 1 节的探针，再拿 0 到 30% 的词写错了的句子来问它（中文是两个字以上的词：前后颠倒、漏一个字、重复一个字、换成别的字）。四种表示只看词本身，两种还看上下文。

# %% key="oov-picture" fold=true
noise = claims.card("char-cnn-oov").rows
WAYS = {
    "word table": t("word table", "词表"),
    "hashed n-grams": t("hashed n-grams", "哈希 n-gram"),
    "table, else n-grams": t("table, else n-grams", "词表，查不到用 n-gram"),
    "char-CNN": "char-CNN",
    "table and neighbours": t("table and neighbours", "词表加左右邻词"),
    "biLM layer 1": t("biLM layer 1", "双向语言模型第 1 层"),
}
found_sets = claims.conditions(noise, "unknown words")
levels = claims.over_seeds(noise, "accuracy")
figure, axes = plt.subplots(1, len(found_sets), figsize=(8.6, 4), squeeze=False)
for axis, name in zip(axes[0], found_sets, strict=True):
    for (way, label), style in zip(
        WAYS.items(), ("o-", "s-", "^-", "D-", "o--", "D--"), strict=True
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
# **What to see.** Every line falls; the question is how steeply, and from where. Compare three things. The word
# table with the char-CNN: that is the popular claim. The char-CNN with the n-grams: that is the question whether
# it takes a *network*. And the solid lines with the dashed ones: context repairs what spelling cannot, but it
# does not replace the spelling. With a slip in 30 % of the longer words, the table and the neighbours give 32 % of the
# misspelt words their tag (hardly any of these is in the table, so the neighbours do it), the char-CNN 56 %, and layer 1
# of the biLM, which has both spelling and context, 65 %.
#
# In English the last letter survives eight slips in ten, the last two six, and they tell
# much of the part of speech. A Chinese word has one or two characters; change one, and half of the word is gone. There is
# little left to convolve over, and the advantage has to come from elsewhere: a new word
# made of known characters.

# %% [markdown] key="oov-seen" lang="zh" follows="b5c12d7a"
# **看什么。** 每条线都往下走，要看的是从哪儿开始、掉得多陡。比三样东西：词表和 char-CNN，这是流行的说法；char-CNN 和 n-gram，问的是非用*网络*不可吗；实线和虚线，写法救不了的，上下文能补，但代替不了写法：长一点的词错了三成时，词表加左右邻词能认出 46% 的错词的词性（错词约有四分之一碰巧是词表里别的词），char-CNN 是 50%，写法和上下文都看的 biLM 第 1 层是 56%。
#
# 英语里，十个笔误有八个不碰最后一个字母，六个不碰最后两个，而词尾正好透露词性。中文一个词只有一两个字，换掉一个，半个词就没了，卷积也没什么可卷的；好处只能来自别处：用认识的字组成的新词。

# %% key="oov-card" fold=true
claims.card("char-cnn-oov").show(t)

# %% [markdown] key="few" lang="en"
# ## 8 · Fewer labels, fewer steps
#
# "With 10-20 % of the labels, pre-trained models reach 80-90 % of the full performance."
# The sentence is often given as ELMo's result. It is not in ELMo's paper, nor in ULMFiT's
# (lesson 10). What ELMo's paper measured (section 5.4, semantic role labelling): with 1 % of
# the labels as good as the baseline with 10 %; and the baseline's best score after 10 epochs
# instead of 486.
#
# There is worse: the statistic says little, because it is high *without* any pre-training, too. Suppose a baseline has
# 60 % with a tenth of its labels and 70 % with all: it reaches 86 % of its full performance. (In the stored runs
# of this section a tenth gives 73 to 94 % without pre-training, 78 to 97 % with it.)
#
# A better question is that of lesson 00: how many labels is it **worth**? Let the baseline reach
# a score with $n_\text{baseline}$ labels, and the model the same score with $n_\text{pre-trained}$:
#
# $$\text{data multiplier} = n_\text{baseline} \,/\, n_\text{pre-trained}.$$

# %% [markdown] key="few" lang="zh" follows="20d7dd1c"
# ## 8 · 更少的标注，更少的步数
#
# “只用 10% 到 20% 的标注，预训练模型就能达到全量数据 80% 到 90% 的性能。”这句话常被当成 ELMo 的结果，其实 ELMo 的论文里没有，ULMFiT（第 10 课）的论文里也没有。ELMo 论文测的是（5.4 节，语义角色标注）：用 1% 的标注，与基线用 10% 相当；10 轮就达到基线 486 轮的最好成绩。
#
# 更糟的是，这个统计量说明不了多少：*不*预训练，它也很高。设想一个基线，用十分之一的标注得 60 分，用全部标注得 70 分，那它就已经达到了全量性能的 86%。（在本节存好的实验里，用十分之一的标注，不预训练是 73% 到 94%，预训练是 78% 到 97%。）
#
# 还是第 00 课的问法好：它**值**多少标注？设基线用 $n_\text{基线}$ 条标注达到某个分数，模型用 $n_\text{预训练}$ 条达到同样的分数：
#
# $$\text{数据倍数} = n_\text{基线} \,/\, n_\text{预训练}$$

# %% key="few-picture" fold=true
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
    for (model, label), style in zip(shown.items(), ("D-", "ks-", "o--"), strict=True):
        if model in task.scores:
            axis.plot(
                task.labels,
                100 * task.scores[model].mean(axis=0),
                style,
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
# **What to see.** The two columns in the middle: are they different? A slogan that fits the
# rival as well explains nothing. With 20 % of the labels the rival has its 80 % in all five tasks,
# with 10 % in three. Then the multipliers: how many labels of the other method
# one label of the biLM replaces, to reach what the other has with a tenth of its labels, and
# with all. Above 1 the biLM's labels are worth more, below 1 less. "At least" means that the
# biLM was there with its fewest labels, "at most" that it did not get there with all it had.
# The intervals are Student's, over the seeds: they hold every multiplier at which the biLM is
# neither significantly below the other's score nor significantly above it. An end of 0.0 or ∞ says that
# nothing we measured bounds it on that side. Ten seeds fix some multipliers within a factor
# of two, others hardly at all.
# The numbers differ from task to task, and from target to target: where curves cross, a
# multiplier above 1 with few labels goes with one below 1 with many. So no single number
# could be *the* sample efficiency of pre-training. In the pictures look at the dashed line,
# too: averaged static vectors are pre-trained as well.
#
# What the five curves share: the fewer the labels, the larger the gain. From all labels down to 3 % of them the biLM's lead over the
# other method grows by 6 to 20 points.

# %% [markdown] key="few-seen" lang="zh" follows="5ffd7ec7"
# **看什么。** 先看中间两列：有区别吗？一句口号套在对手身上也合适，就什么都没解释。用 20% 的标注，对手在五项任务上全都达到自身的八成；用 10% 时是三项。再看两个倍数：要达到对方用十分之一标注的成绩，或者用全部标注的成绩，biLM 的一条标注抵对方几条。大于 1，biLM 的标注更值钱；小于 1，更不值钱。“至少”表示 biLM 用最少的标注就已经达到，“至多”表示它用完手里的标注也没达到。区间是学生氏区间，按种子算：凡是 biLM 既不显著低于、也不显著高于对方那个分数的倍数，都在里面。一端是 0.0 或 ∞，表示我们测过的标注数在这一边定不下界限。十个种子，有的倍数上下差不到一倍，有的几乎定不下来。倍数随任务变，也随目标变：两条曲线若是相交，标注少时大于 1，标注多时就小于 1。所以没有哪一个数可以叫作预训练的“样本效率”。图里的虚线也要看：静态向量的平均同样是预训练来的。
#
# 五条曲线有一点相同：标注越少，增益越大。标注从全部减到 3%，biLM 比对方多出的优势增加 6 到 20 个点。

# %% key="few-cards" fold=true
claims.card("few-labels").show(t)

# %% [markdown] key="fewer-steps" lang="en"
# And fewer steps? The same small tagger on four inputs, trained until it is as good as it ever gets on random word vectors:

# %% [markdown] key="fewer-steps" lang="zh" follows="557bd12a"
# 那么步数呢？同一个小标注器，四种输入，一直训练到它用随机词向量能得的最好成绩：

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
# **What to see.** The biLM needs the fewest updates, but pre-trained word vectors save most of them already. The updates of the
# pre-training are not counted. And sooner is not further: lesson 11 fine-tunes whole networks on topics, and there the
# pre-trained start is ahead early and at the end no longer.
#
# More claims about this lesson: the book's claims page, and `python -m course_lib claims list`.

# %% [markdown] key="fewer-steps-seen" lang="zh" follows="0c8eff03"
# **看什么。** biLM 要的更新次数最少，不过预训练词向量已经省下了大半。预训练本身的更新没有算进去。而且，更快不等于更远：第 11 课在话题任务上微调整个网络，预训练的起点开头领先，到最后就不再领先。
#
# 这一课还有别的说法，见书中的“论断”一页，或运行 `python -m course_lib claims list`。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The same probe for every model of the course; the board grows lesson by lesson. The row
# of this lesson: the layer that is better here.

# %% [markdown] key="scoreboard" lang="zh" follows="4a5d7889"
# ## 记分牌
#
# 课程里的每个模型都做同一个测试，表会一课一课地长下去。本课的一行取表现较好的那一层。

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
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
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
# <details><summary>B. 都不能信，对照任务居然高过瞎猜。</summary>
#
# 再想想：训练时见过的词，对照任务本来就该高过瞎猜。量的就是这个。
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
# 再想想：权重受各层向量的长短、层与层有多相似、上面接的模型左右，说明不了哪一层里有什么。
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
# 对。“他 今天 很 ____”，空着也多半猜得出是形容词；没写错的那个“高”再帮一把。存好的实验里，两样都看的 biLM 第 1 层显著胜过字符 CNN，词表加左右邻词的反而不如字符 CNN。
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
# <details><summary>1. A probe on layer 2 finds the part of speech with 95 %. May one say
# that layer 2 uses it?</summary>
# No. It can be read out by a linear reader with so many labels. Whether the model uses it
# for its predictions is another experiment: change it there, and see what the model says.
# </details>
#
# <details><summary>2. The control task has accuracy 0.55. Where does that come from?</summary>
# From words that occur in training and in the test: the probe has learned word by word. On
# words it has never met it is at chance, because the tags were drawn.
# </details>
#
# <details><summary>3. Why may a topic classifier be happy with layer 0?</summary>
# Topics lie in *which* words there are. The average of context-free vectors keeps that, and
# the order and the neighbours add little.
# </details>
#
# <details><summary>4. A layer has self-similarity 0.9. Is it nearly static?</summary>
# That depends on its anisotropy. If any two words have cosine 0.88, hardly anything of the
# word is left.
# </details>
#
# <details><summary>5. A hospital has 30,000 labelled reports and hears that "10 % are
# enough". What do you ask?</summary>
# Enough for which score? What does TF-IDF reach with 10 %? What is the data multiplier on a
# task like theirs, with its interval? And what do the missing points cost?
# </details>

# %% [markdown] key="questions" lang="zh" follows="59ec8b0a"
# ## 检查一下自己
#
# <details><summary>1. 第 2 层上的探针判断词性有 95% 准。能说第 2 层用到了词性吗？</summary>
# 不能。只能说，用线性的读法和这么多标注，读得出来。模型预测时用没用，要做另一种实验：把它改掉，看模型的输出变不变。
# </details>
#
# <details><summary>2. 对照任务的准确率是 0.55。这是哪儿来的？</summary>
# 来自训练和测试里都出现的词：探针是一个词一个词背下来的。没见过的词就跟瞎猜一样，因为标签是抽签抽的。
# </details>
#
# <details><summary>3. 话题分类为什么用第 0 层也行？</summary>
# 话题就看有*哪些*词。把与上下文无关的向量平均起来，这一点已经保住；次序和邻词增加不了多少。
# </details>
#
# <details><summary>4. 某一层的自相似度是 0.9。它差不多是静态的吗？</summary>
# 要看各向异性。如果任意两个词的余弦就有 0.88，那么属于这个词自己的东西几乎没剩下。
# </details>
#
# <details><summary>5. 一家医院有三万份带标注的报告，听说“10% 就够了”。你会问什么？</summary>
# 够达到多少分？TF-IDF 用 10% 能到多少？在类似的任务上，数据倍数是多少，区间多宽？差的那几个点，代价是什么？
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Peters et al. (2018), sections 5.3 and 5.4, tables 4-6; then Peters, Neumann, Zettlemoyer
#   and Yih (2018), *Dissecting contextual word embeddings*: the same with three architectures.
# * Hewitt and Liang (2019): control tasks. Belinkov (2022), *Probing classifiers: promises,
#   shortcomings, and advances*.
# * Ethayarajh (2019), *How contextual are contextualized word representations?*
# * Zhao, Mudgal and Liang (2018), *Generalizing word embeddings using bag of subwords*.
# * Lesson 09: the language model behind ULMFiT. The exercises: `exercises/08_elmo_layers`.

# %% [markdown] key="reading" lang="zh" follows="8909ca75"
# ## 接下来读什么
#
# * Peters 等（2018），5.3、5.4 节和表 4 至 6；再读 Peters、Neumann、Zettlemoyer、Yih（2018），*Dissecting contextual word embeddings*：三种结构上的同类分析。
# * Hewitt 与 Liang（2019）：对照任务。Belinkov（2022），*Probing classifiers: promises, shortcomings, and advances*。
# * Ethayarajh（2019），*How contextual are contextualized word representations?*
# * Zhao、Mudgal、Liang（2018），*Generalizing word embeddings using bag of subwords*。
# * 第 09 课：ULMFiT 背后的语言模型。练习：`exercises/08_elmo_layers`。
