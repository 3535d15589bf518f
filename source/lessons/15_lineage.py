# %% [markdown] key="title" lang="en"
# # 15 · Lineage: one gap, all readers; and your own study
#
# After this lesson you can
#
# * put CBOW, context2vec, a biLM and a masked language model on one ladder, with one question;
# * say which model sees which words, and prove it by changing one word at a time;
# * combine two one-sided models by Bayes' rule, and say when that is right;
# * build a world in which two one-sided models are at chance and a masked one is not, and say what that proves
#   about ELMo, and what it does not;
# * draw which model took what from which, with the years right;
# * do a study with 100 labels that a sceptic would accept.
#
# Running time: two to three minutes of one core (quick profile: under one). The papers: all of lessons 01 to 14.

# %% [markdown] key="title" lang="zh" follows="55723df5"
# # 15 · 传承：同一个空缺，各家来填；再做一项自己的研究
#
# 学完本课，你能够
#
# * 把 CBOW、context2vec、biLM 和掩码语言模型放到同一架梯子上，用同一个问题来比较；
# * 说出哪个模型看得见哪些词，并用每次只改一个词的办法来证明；
# * 用贝叶斯公式把两个单侧模型合起来，并说清这样做在什么条件下成立；
# * 造一个世界，让两个单侧模型停在随机水平，掩码模型却答得出；并说清这对 ELMo 证明了什么，没证明什么；
# * 画出哪个模型从哪个模型那里继承了什么，年份不出错；
# * 用一百条标注做一项经得起质疑的研究。
#
# 运行时间：单核两到三分钟（精简规模不到一分钟）。论文：第 01 至 14 课的全部。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import math
import sys
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_claims.experiments import lineage
from course_lib import data
from course_lib.analysis import statistics
from course_lib.models import cloze
from course_lib.worlds import worlds

FULL = course_lib.by_profile(full=True, quick=False)
NAMES = {
    "unigram": t("unigram", "一元模型"),
    "CBOW": "CBOW",
    "forward LM": t("forward LM", "前向语言模型"),
    "backward LM": t("backward LM", "后向语言模型"),
    "biLM product": t("biLM product", "biLM 乘积"),
    "context2vec": "context2vec",
    "masked LM": t("masked LM", "掩码语言模型"),
    "linear probe": t("linear probe on both states", "两侧状态上的线性探针"),
    "MLP probe": t("small network on both states", "两侧状态上的小网络"),
}
BLUE = "#0072B2"
TEXTS = {
    "brown": t("Brown", "Brown（英文）"), "msra": t("MSRA (zh)", "MSRA（中文）"),
    "rivertown-en": t("Rivertown (en)", "河湾镇（英文）"),
    "rivertown-zh": t("Rivertown (zh)", "河湾镇（中文）"),
}  # fmt: skip


# %% [markdown] key="gap" lang="en"
# ## 1 · One question
#
# *She put the* ＿＿ *on the stove .* In 1953 Taylor used such gaps to measure how
# readable a text is, and called the method the *cloze procedure*; a **cloze test** is a text with gaps. Most
# models of this course can take the same test, because they were trained to predict a word, but they differ in
# what they may look at:
#
# | model | sees | lesson |
# |---|---|---|
# | **unigram** model | nothing | 01 |
# | CBOW | the words near by, as a **bag of words** | 02 |
# | forward LM (**causal**) | everything before the gap | 06, 09, 13 |
# | biLM | before and after, each side on its own | 06 |
# | context2vec | before and after, joined at the end | 05 |
# | masked LM | everything but the gap, in every layer | 14 |
#
# ![The sentence “she put the … on the stove”, read by five models: CBOW takes the mean of the words in its window; a left-to-right LM sees only what stands before the gap; a biLM gives two one-sided answers that are multiplied; context2vec joins the states of both sides once, in a small network before the answer; in a masked LM all places see each other in every layer.](drawing:who_sees_what)

# %% [markdown] key="gap" lang="zh" follows="dde94262"
# ## 1 · 同一个问题
#
# *她把* ＿＿ *放在炉子上*。1953 年，Taylor 用这样的空缺来衡量一篇文章好不好读，称之为**完形填空**（cloze procedure）。课程里的模型大多可以做同一份完形填空，因为它们的训练目标就是预测一个词。它们的差别在于允许看到哪些词：
#
# | 模型 | 看得见 | 课 |
# |---|---|---|
# | **一元模型** | 什么也看不见 | 01 |
# | CBOW | 附近的词，不分次序（**词袋**） | 02 |
# | 前向语言模型（**因果模型**） | 空缺前面的全部 | 06、09、13 |
# | biLM | 前面和后面，两侧互不相通 | 06 |
# | context2vec | 前面和后面，最后合到一起 | 05 |
# | 掩码语言模型 | 空缺以外的一切，每一层都看得见 | 14 |
#
# ![同一句“她把……放在炉子上”，五个模型来读：CBOW 对窗口里的词取平均；从左到右的语言模型只看得见空缺前面；双向语言模型给出两个各看一侧的答案，再相乘；context2vec 在作答之前用一个小网络把两侧的状态合到一起，只有一次；掩码语言模型里，所有位置在每一层都互相看得见。](drawing:who_sees_what)

# %% [markdown] key="one-frame" lang="en"
# To be fair, all models here have word vectors of the same size below, a softmax over the same words above, and
# the same loss, cross-entropy. Only the *reader* between is exchanged: it must return one vector for the gap from
# the vectors of a sentence, without looking into the gap.

# %% [markdown] key="one-frame" lang="zh" follows="4f2d3bcd"
# 为了公平，这里各个模型的下面都是同样大小的词向量，上面都是对同一张词表的 softmax，损失也都是交叉熵。换的只有中间的*读取器*：它拿到一句话的各个词向量，要为空缺交出一个向量，而且不许看空缺里的词。

# %% key="frame-source"
course_lib.source(cloze.Cloze, cloze.Bag, cloze.Side, cloze.Around, cloze.Masked)

# %% [markdown] key="sees" lang="en"
# ## 2 · Which model sees which words
#
# Take a sentence of twelve words, put the gap at word 6, change *one* other word at a time, and look whether the
# answer changes. The models are untrained, because which words a model sees follows from its architecture and not
# from training.

# %% [markdown] key="sees" lang="zh" follows="b573e88f"
# ## 2 · 哪个模型看得见哪些词
#
# 取一句十二个词的话，把第 6 个词当作空缺，每次*只改*一个别的词，看回答变不变。模型都没有训练过，因为看得见哪些词由网络结构决定，与训练无关。

# %% key="sees-run"
N, GAP, V = 12, 6, 40
_ = torch.manual_seed(15)
rng = np.random.default_rng(15)
row = [1, *rng.integers(cloze.MARKS, V, N).tolist(), cloze.END]
untrained = {
    name: cloze.Cloze(lineage.reader(name, 16), np.ones(V), 16)
    for name in lineage.LEARNED
}


def say(model, row):
    """Return the probabilities that a model gives to the words in the gap."""
    return cloze.answers(model, [row], [GAP])[0].exp()


def changes(model):
    """Return by how much the answer moves when each word in turn is changed, (N,)."""
    before, moved = say(model, row), []
    for place in range(1, N + 1):
        other = list(row)
        other[place] = cloze.MARKS + (row[place] + 1 - cloze.MARKS) % (V - cloze.MARKS)
        moved.append(float((say(model, other) - before).abs().sum()))
    return moved


seen = np.array([changes(model) for model in untrained.values()])  # (5, N)

# %% key="sees-picture" fold=true
figure, ax = plt.subplots(figsize=(7.5, 2.4))
ax.imshow(seen > 0, cmap="Blues", vmin=0, vmax=1.6, aspect="auto")
for i, j in np.argwhere(seen > 0):
    ax.text(j, i, "•", ha="center", va="center", color="white", fontsize=14)
ax.add_patch(
    plt.Rectangle((GAP - 1.5, -0.5), 1, 5, fill=False, edgecolor="#D55E00", lw=2.5)
)
ax.set_yticks(range(5), [NAMES[name] for name in untrained])
ax.set_xticks(range(N), range(1, N + 1))
ax.set_xlabel(
    t("which word is changed (the gap: orange)", "改的是第几个词（橙框是空缺）")
)
ax.grid(False)
course_lib.show(
    figure,
    alt=t(
        "A table of five models by twelve words. CBOW reacts to five words on each side of the gap, "
        "the forward model to words 1 to 5, the backward one to 7 to 12, the last two to all but the gap.",
        "五个模型对十二个词的表。CBOW 对空缺两侧各五个词有反应，前向模型对第 1 至 5 个词，后向模型对第 7 至 12 个，"
        "最后两个对空缺以外的全部。",
    ),
)

# %% [markdown] key="sees-seen" lang="en"
# A dot means that the answer changes. No model reacts to the gap itself; that would be the leak of lesson 06.
# CBOW's window ends after five words, so word 12 is out of its reach. Each language model has one half.
# context2vec and the masked model see everything; they differ in *where* the sides meet: at the end, or in every
# layer.

# %% [markdown] key="sees-seen" lang="zh" follows="10856e7a"
# 有点的格子表示回答变了。没有哪个模型对空缺里的词有反应，否则就是第 06 课的泄漏。CBOW 的窗口到五个词为止，够不着第 12 个词；两个语言模型各占一半；context2vec 和掩码模型看得见全部，差别在于两侧*在哪里*汇合，前者到最后才汇合，后者每一层都汇合。

# %% [markdown] key="order" lang="en"
# ## 3 · A bag has no order
#
# One can read that "BERT is CBOW with a bigger network". CBOW takes the mean of its window, $c = \frac{1}{2m}
# \sum_i v_{w_i}$, and a sum does not depend on the order of its terms. So shuffle the ten words around the gap
# fifty times, and measure how far the answer moves.

# %% [markdown] key="order" lang="zh" follows="f55849e8"
# ## 3 · 词袋没有次序
#
# 常有人说“BERT 不过是网络更大的 CBOW”。CBOW 取窗口的平均，$c = \frac{1}{2m} \sum_i v_{w_i}$，而求和与次序无关。把空缺周围的十个词打乱五十次，量一量回答会变多少。

# %% key="order-run"
near = [place for place in range(1, N) if place != GAP]
moved = {}
for name, model in untrained.items():
    distances, before = [], say(model, row)
    for order in [rng.permutation(near) for _ in range(50)]:
        other = np.array(row)
        other[near] = np.array(row)[order]
        distances.append(float((say(model, other.tolist()) - before).abs().max()))
    moved[NAMES[name]] = max(distances)
claims.show_table(
    [t("model", "模型"), t("largest change of a probability", "概率的最大变化")],
    [(name, f"{value:.0e}") for name, value in moved.items()],
)

# %% [markdown] key="order-seen" lang="en"
# CBOW's answer does not move beyond rounding: *dog bites man* and *man bites dog* get the same answer from it.
# All the others move. What BERT does share with CBOW is the question: its authors call the masked language model
# a *cloze task*, after Taylor.

# %% [markdown] key="order-seen" lang="zh" follows="ac1d1fb9"
# 除了舍入误差，CBOW 的回答一动不动，“狗咬人”和“人咬狗”在它那里答案都相同；其余模型的回答都会变。BERT 和 CBOW 共有的是那个问题，BERT 的作者也明说，掩码语言模型就是一种*完形填空*，引的正是 Taylor。

# %% [markdown] key="product" lang="en"
# ## 4 · Two sides make a third answer
#
# ELMo trains a forward and a backward model and never lets them answer together. Can they? Suppose the left side
# leaves *bank* or *shore*, with probability ½ each, and the right side *bank* or *office*. Only *bank* is
# possible for both. In general, with $l$ on the left and $r$ on the right, **Bayes' rule** says $p(w \mid l, r)
# \propto p(w)\, p(l, r \mid w)$. If $l$ and $r$ are **conditionally independent given
# $w$**, the last factor splits, and
#
# $$p(w \mid l, r) \;\propto\; \frac{p(w \mid l)\; p(w \mid r)}{p(w)}.$$
#
# The product is a vote in which each side has a veto. Section 6 breaks the condition.

# %% [markdown] key="product" lang="zh" follows="955f9316"
# ## 4 · 两侧合出第三个回答
#
# ELMo 训练一个前向模型和一个后向模型，却从不让它们一起作答。能不能一起答呢？假设左边的模型认为是“苹果”或“香蕉”，概率各一半，右边的模型认为是“苹果”或“小米”，那么两边都同意的只有“苹果”。一般地，设 $l$ 是左边的内容，$r$ 是右边的内容，由**贝叶斯公式**，$p(w \mid l, r) \propto p(w)\, p(l, r \mid w)$。如果给定 $w$ 之后 $l$ 和 $r$ **条件独立**，最后一项就能拆开：
#
# $$p(w \mid l, r) \;\propto\; \frac{p(w \mid l)\; p(w \mid r)}{p(w)}$$
#
# 乘积好比一次投票，每一侧都有否决权。第 6 节要打破那个条件。

# %% key="product-source"
course_lib.source(cloze.product)

# %% [markdown] key="ladder" lang="en"
# ## 5 · The ladder
#
# Now all models learn from the same text and answer the same gaps in other documents. One thing cannot be equal:
# a language model predicts *every* word it reads, a masked one hides 15 % and predicts only these. Here each
# answers equally many questions, so the masked model reads the text nearly seven times as often.

# %% [markdown] key="ladder" lang="zh" follows="0d5c30b2"
# ## 5 · 梯子
#
# 现在各个模型读同样的文本来学，再去填别的文档里同一批空缺。有一件事没法处处相等：语言模型读到的*每个*词都要预测，掩码模型只遮住 15%，只预测这些。这里让各个模型回答同样多的问题，于是掩码模型读文本的遍数将近别人的七倍。

# %% key="ladder-run"
real = t("brown", "msra")
NAME = real if FULL and data.at_hand(real) else f"rivertown-{t.language}"
gaps = lineage.corpus_task(
    NAME, *course_lib.by_profile(full=(40_000, 1), quick=(4000, 1)),
    size=2500, n=course_lib.by_profile(full=1500, quick=150),
)  # fmt: skip
print(t("text in this run:", "本次所用文本："), TEXTS[NAME], f"{sum(map(len, gaps.rows)):,}",
      t("words;", "词；"), len(gaps.asked), t("gaps", "个空缺"))  # fmt: skip
began = time.perf_counter()
models = lineage.train_ladder(gaps, seed=1, passes=course_lib.by_profile(full=2, quick=0.3))
print(t("seconds:", "秒数："), round(time.perf_counter() - began))


def measure(gaps):
    """Return, for each rung, the loss at each gap (N,) and where it is right (N,)."""
    here = torch.arange(len(gaps.asked))
    return {
        name: (-log_p[here, gaps.right], log_p.argmax(dim=1) == gaps.right)
        for name, log_p in lineage.log_probabilities(models, gaps).items()
    }


plain, mixed = measure(gaps), measure(lineage.shuffled(gaps, seed=1))
claims.show_table(
    [t("model", "模型"), t("perplexity", "困惑度"), t("right, %", "答对（%）"),
     t("perplexity, words around shuffled", "打乱周围的词之后的困惑度")],
    [(NAMES[name], f"{math.exp(plain[name][0].mean()):.0f}",
      f"{100 * plain[name][1].float().mean():.1f}", f"{math.exp(mixed[name][0].mean()):.0f}")
     for name in NAMES if name in plain],
)  # fmt: skip

# %% [markdown] key="ladder-look" lang="en"
# For six steps of the ladder the figure shows the loss of the first model minus that of the second, gap by gap,
# in nats, with a bootstrap interval over the gaps.

# %% [markdown] key="ladder-look" lang="zh" follows="86062b85"
# 下图对梯子上的六步，逐个空缺地算出前一个模型的损失减去后一个的（单位是奈特），区间由对空缺做自助法得到。

# %% key="ladder-steps" fold=true
STEPS = [("unigram", "CBOW"), ("unigram", "forward LM"), ("forward LM", "biLM product"),
         ("CBOW", "context2vec"), ("biLM product", "context2vec"), ("biLM product", "masked LM")]  # fmt: skip
spans = [
    statistics.paired_bootstrap(plain[b][0], plain[a][0], times=2000) for a, b in STEPS
]
figure, ax = plt.subplots(figsize=(7.5, 3))
middle = np.array([span.estimate for span in spans])
ends = np.abs(np.array([(span.low, span.high) for span in spans]).T - middle)
ax.errorbar(middle, range(len(STEPS)), xerr=ends, fmt="o", color=BLUE, capsize=4)
ax.axvline(0, color="0.4", lw=1)
ax.set_yticks(range(len(STEPS)), [f"{NAMES[a]} → {NAMES[b]}" for a, b in STEPS])
ax.invert_yaxis()
ax.set_xlabel(
    t(
        "nats gained per gap (right of 0: better)",
        "每个空缺少损失的奈特（0 的右边是变好）",
    )
)
course_lib.show(
    figure,
    alt=t(
        "Six steps between models, each a point with its interval, left or right of zero.",
        "模型之间的六步，每步一个点和它的区间，落在零的左边或右边。",
    ),
)

# %% [markdown] key="ladder-seen" lang="en"
# A step whose interval lies to the right of 0 lowers the loss significantly on this text. In our run (Brown,
# 44,000 words, one seed) the product of the two LSTMs won with perplexity 120; context2vec had 139, the masked
# Transformer 179. Shuffling (last column of the table above) raised every
# perplexity in which an LSTM had a part, and the masked model stayed at 179. Its architecture lets it use the
# order (section 3), but using it must be learned. The next table has more text (80,000 words) and ten seeds.
# There shuffling costs the masked model 0.026 nats [0.015, 0.037] in Brown and 0.020 [0.007, 0.032] in MSRA, so
# it has begun to learn the order; the product of the LSTMs loses about 50 times as much in Brown.

# %% [markdown] key="ladder-seen" lang="zh" follows="40a90f8f"
# 区间整个落在 0 右边的一步，在这份文本上显著降低了损失。我们跑的那次（Brown，四万四千词，一个种子）里，两个 LSTM 的乘积最好，困惑度 120，context2vec 是 139，掩码 Transformer 是 179。上面那张表的最后一列是打乱之后的困惑度：凡有 LSTM 参与的都升高了，掩码模型却停在 179。它的结构用得上次序（第 3 节），可是要学会才算数。下面这张表的文本更多（八万词），种子有十个，打乱使掩码模型在 Brown 上多损失 0.026 奈特 [0.015, 0.037]，在 MSRA 上多 0.020 [0.007, 0.032]，可见它已经开始学次序了；在 Brown 上，两个 LSTM 的乘积多损失的约为它的五十倍。

# %% key="ladder-stored" fold=true
stored = claims.card("each-rung-is-better").rows  # all seeds
if stored:
    nats = claims.over_seeds(stored, "log perplexity")
    texts = claims.beginnings(stored, ",")
    n = len({r["seed"] for r in stored})
    heads = [t(f"perplexity, {n} seeds", f"困惑度，{n} 个种子")]
    for name in texts:
        title = TEXTS[name]
        heads += [title, t(f"{title}, shuffled", f"{title}，打乱")]
    claims.show_table(heads, [
        (NAMES[m], *(f"{math.exp(nats[m, name + how].estimate):.0f}"
                     for name in texts for how in ("", ", shuffled")))
        for m in NAMES if (m, texts[0]) in nats
    ])  # fmt: skip

# %% [markdown] key="upper-rung" lang="en"
# ### Optional: a rung above
#
# BERT was trained to fill gaps, so it can take the same test. MiniLM (lesson 06) cannot: its softmax was not released with it. The cell asks
# `bert-base-uncased` for every third gap whose word is one of its pieces. All models choose among the words of the ladder's list
# that are one piece for BERT, and words outside that list are unknown to BERT here, as they are to the others. **Predict** two things: how far above the ladder does it stand, and does
# shuffling the words around the gap cost it anything, as it did the LSTMs? It has read far more text than the rungs below it, so the
# table compares models as they are, and not what masking is worth. We had these weights nowhere at hand and tried the cell with random ones, so there
# is no result of ours here.

# %% [markdown] key="upper-rung" lang="zh" follows="d746ffc3"
# ### 选做：再上一级
#
# BERT 就是靠填空训练出来的，所以也能做这个测试。MiniLM（第 06 课）不行，它的 softmax 没有一起公开。下面先选出答案恰好是 BERT 一个子词的空缺，再从中每三个取一个，去问公开发布的 BERT。中文版用 `bert-base-chinese`，它的子词是单个汉字，所以问到的只有单字词。各个模型都只在梯子的词表里、又恰好是 BERT 一个子词的那些词中选；词表以外的词，对 BERT 也当作未知，和别的模型一样。请先**预测**两件事：它比梯子高出多少？打乱空缺周围的词，LSTM 会吃亏，它会不会？它读过的文本比下面各级多得多，所以这张表比的是现成的模型，说明不了掩码本身值多少。这份权重我们手头没有，这一格只用随机权重试过，因此没有我们的结果可以对照。

# %% key="upper-rung-run" fold=true
from course_released import whole_words

if large := whole_words.reader(t, t("bert-base-uncased", "bert-base-chinese")):
    words = gaps.vocabulary.words[cloze.MARKS :]
    cut = large.pieces.pieces_of(words)  # the pieces of each word
    mask, unknown = ([large.pieces.ids[mark]] for mark in ("[MASK]", "[UNK]"))
    whole = [w for w, ids in enumerate(cut) if len(ids) == 1 and ids != unknown]  # K words
    chosen = [n for n, w in enumerate(gaps.right.tolist()) if w in set(whole)][::3]
    right = torch.tensor([whole.index(gaps.right[n]) for n in chosen])

    @torch.no_grad()
    def above(gaps):
        """Return BERT's logarithms of probabilities at the chosen gaps, (N, K)."""
        found = []
        for n in tqdm(chosen, unit=t(" gaps", " 空"), file=sys.stdout):
            row = [unknown if w < cloze.MARKS else cut[w - cloze.MARKS] for w in gaps.asked[n]]
            row[gaps.places[n]] = mask
            ids = torch.tensor([[*large.before, *sum(row[1:-1], []), *large.after]])
            here = ids[0] == mask[0]
            found.append(large.model.logits(large.model(ids)[:, here])[0, 0])
        return torch.stack(found)[:, [cut[w][0] for w in whole]].log_softmax(dim=1)

    columns = []
    for of in (gaps, lineage.shuffled(gaps, seed=1)):
        said = {name: x[chosen][:, whole].log_softmax(dim=1)
                for name, x in lineage.log_probabilities(models, of).items()}  # fmt: skip
        columns.append(said | {"BERT": above(of)})
    print(t("gaps:", "空缺："), len(chosen), t("· words to choose from:", "· 可选的词："), len(whole))
    claims.show_table(
        [t("model", "模型"), t("perplexity", "困惑度"), t("right, %", "答对（%）"), t("perplexity, shuffled", "打乱之后的困惑度")],
        [(NAMES.get(name, name), f"{math.exp(-x[range(len(right)), right].mean()):.0f}",
          f"{100 * (x.argmax(dim=1) == right).float().mean():.1f}",
          f"{math.exp(-columns[1][name][range(len(right)), right].mean()):.0f}")
         for name, x in columns[0].items()],
    )  # fmt: skip

# %% [markdown] key="xor" lang="en"
# ## 6 · A world that only both sides together explain
#
# In the following artificial world the truth is known; the word behind each arrow fills the gap:

# %% [markdown] key="xor" lang="zh" follows="ca6b5254"
# ## 6 · 只有两侧合起来才说得通的世界
#
# 下面是一个人造的世界，真相已知。箭头后面的词就是空缺里的词：

# %% key="xor-show"
xor = worlds.xor_world(t.language, distances=(1, 3))
for sentence in xor.sentences(60, seed=3)[:6]:
    i = sentence.target_index
    print(
        " ".join([*sentence.tokens[:i], "____", *sentence.tokens[i + 1 :]]),
        "→",
        sentence.sense,
    )

# %% [markdown] key="xor-idea" lang="en"
# In this world a cook bakes food and mends machines, and a mechanic does the reverse: he mends food and bakes
# machines. Whoever knows only the cook, or only the food, knows nothing, because both verbs are equally likely.
# The verb is the **exclusive or** (XOR) of the two cues. With $y$ for the verb:
#
# | $p(y = \text{bake} \mid \cdot)$ | food | machine |
# |---|---|---|
# | cook | 1 | 0 |
# | mechanic | 0 | 1 |
#
# Every row and every column has the mean ½. So the best forward model answers ½, the best backward model answers
# ½, and their product is ½ · ½ / ½ = ½, however large they are. This is arithmetic, not a measurement; `optimum`
# goes through all cases. (The condition of section 4 is broken: given the verb, the cook determines the thing.)

# %% [markdown] key="xor-idea" lang="zh" follows="3f1450a6"
# 在这个世界里，厨师“烤”吃的、“修”机器，这很自然，修理工却正相反，“烤”机器、“修”吃的。只知道是厨师，或者只知道是吃的，就等于什么也不知道，因为两个动词机会各半。空缺里的动词是两个线索的**异或**（XOR）。用 $y$ 表示动词：
#
# | $p(y = \text{烤} \mid \cdot)$ | 吃的 | 机器 |
# |---|---|---|
# | 厨师 | 1 | 0 |
# | 修理工 | 0 | 1 |
#
# 每一行、每一列的平均都是 ½。所以最好的前向模型答 ½，最好的后向模型答 ½，它们的乘积是 ½ · ½ / ½ = ½，模型再大也一样。这是算术，不是测量，`optimum` 把所有情形都走了一遍。（第 4 节的条件在这里不成立，因为给定动词之后，人就决定了东西。）

# %% key="xor-optimum"
for reader in ("left", "right", "both"):
    print({"left": t("the left side only:", "只看左侧："), "right": t("the right side only:", "只看右侧："), "both": t("both sides:", "两侧都看：")}[reader], worlds.optimum(xor, reader))  # fmt: skip

# %% [markdown] key="xor-train" lang="en"
# Now the models. They read sentences with the verb in place and must then say in new ones which verb is likelier.
# The language models learn from every word. The others predict only the verb: with 30 % random gaps our small
# masked model was still at chance after twelve epochs (one seed); an exclusive or gives hardly any gradient until
# it is nearly found. The interval says how far chance alone can move the score on so many sentences.

# %% [markdown] key="xor-train" lang="zh" follows="980c6191"
# 现在训练模型。它们读的句子里动词是写明的，然后在新句子里判断两个动词哪个更可能。语言模型照例从每一个词学习，其余的模型只预测动词，因为如果随机挖空 30%，我们的小掩码模型读了十二遍还停在随机水平（一个种子），异或在快要找到之前几乎不产生梯度。表中的区间说明，就这么多句子，仅凭随机，得分能偏离多远。

# %% key="xor-run"
sizes = course_lib.by_profile(full=(4000, 3000), quick=(800, 400))
epochs = course_lib.by_profile(full=12, quick=2)
town, slots = lineage.world_task(xor, 15, *sizes)
began = time.perf_counter()
learned = lineage.learn_world(town, slots, seed=15, epochs=epochs)
hits = {
    name: lineage.choices(log_p, town, xor)
    for name, log_p in lineage.log_probabilities(learned, town).items()
    if name != "unigram"
}
print(t("seconds:", "秒数："), round(time.perf_counter() - began))


def with_interval(hits):
    """Write a share of hits in per cent, with its 95 % interval (Wilson 1927)."""
    from scipy.stats import binomtest

    span = binomtest(int(hits.sum()), len(hits)).proportion_ci(method="wilson")
    return f"{100 * hits.mean():.1f} [{100 * span.low:.1f}, {100 * span.high:.1f}]"


BEST = {"forward LM": "left", "backward LM": "right"}  # what each may see
best = {name: worlds.optimum(xor, BEST.get(name, "both")) for name in hits}
best |= {"biLM product": 0.5, "CBOW": 0.75}  # by the arithmetic above and below
claims.show_table(
    [t("model", "模型"), t("right, %", "答对（%）"), t("best possible, %", "理论上限（%）")],
    [(NAMES[name], with_interval(right), f"{100 * best[name]:.0f}")
     for name, right in sorted(hits.items(), key=lambda of: [*NAMES].index(of[0]))],
)  # fmt: skip

# %% [markdown] key="xor-seen" lang="en"
# In the full profile the one-sided models and their product are at
# chance, as the arithmetic says. The masked model is at or near 100 %. *CBOW* has both cues in its window, but
# its scores are sums, $u \cdot (v_a + v_b)$. A sum can be right in three of the four cells at most, and the sum
# with the least loss answers ½ everywhere. *context2vec*, two years older than BERT, can solve the task: its two
# LSTMs never meet, but the small network on top makes *one* prediction from both states. In the stored runs it
# did with four of ten seeds, and stayed at chance with the others. So what counts is not the masking, but that a
# single prediction uses both sides.
#
# (The intervals count sentences. For a sum they are too narrow, because it is right or wrong in whole cells.)

# %% [markdown] key="xor-seen" lang="zh" follows="972b95fe"
# 在完整规模下，单侧的模型和它们的乘积停在随机水平，与算术相符；掩码模型达到或接近 100%。*CBOW* 的窗口里两个线索都有，可它的分数是相加得来的，$u \cdot (v_a + v_b)$，而加法在四格里最多对三格，损失最小的加法处处答 ½。*context2vec* 比 BERT 早两年，却做得出，因为它的两个 LSTM 虽然从不汇合，上面的小网络却根据两侧的状态作*同一个*预测。存好的十个种子里四个学会了，另外六个停在随机水平。可见关键不在掩码，而在于一次预测同时用上两侧。
#
# （区间是按句子数算的。对只会相加的模型来说太窄，因为它要么整格都对，要么整格都错。）

# %% [markdown] key="probe" lang="en"
# ### And ELMo's concatenation?
#
# ELMo **concatenates** both *states*, $[\overrightarrow{h}; \overleftarrow{h}]$, for the task. BERT's paper calls
# that "strictly less powerful" (section 5.1; an argument, without an experiment). We freeze our two language
# models, concatenate their states, and train two **probes** to read the verb from them: a linear model and a
# small network.

# %% [markdown] key="probe" lang="zh" follows="8a98a818"
# ### ELMo 的拼接呢？
#
# ELMo 是把两侧的*状态***拼接**成 $[\overrightarrow{h}; \overleftarrow{h}]$ 交给任务。BERT 的论文说这样“严格弱于”深层双向模型（5.1 节，那里只有论证，没有实验）。我们冻结两个语言模型，把两侧的状态拼接起来，训练两个**探针**从中读出动词，一个是线性模型，一个是小网络。

# %% key="probe-run"
x, unseen = (
    lineage.sides(learned, *of)
    for of in ((town.rows, slots), (town.asked, town.places))
)
TARGETS = {
    t("the verb", "动词"): (lineage.words_at(town.rows, slots), lineage.words_at(town.asked, town.places)),
    t("the left cue", "左线索"): tuple(lineage.kinds_at(of, 2, town, xor) for of in (town.rows, town.asked)),
    t("the right cue", "右线索"): tuple(lineage.kinds_at(of, -3, town, xor) for of in (town.rows, town.asked)),
}  # fmt: skip
found = {
    what: {
        name: guess == right for name, guess in lineage.probes(x, y, unseen, 15).items()
    }
    for what, (y, right) in tqdm(TARGETS.items(), unit=t(" targets", " 项"), file=sys.stdout)
}
claims.show_table(
    [t("what is read from the two states, %", "从两侧状态读出什么（%）"), NAMES["linear probe"], NAMES["MLP probe"]],
    [(what, *map(with_interval, by_probe.values())) for what, by_probe in found.items()],
)  # fmt: skip

# %% [markdown] key="probe-seen" lang="en"
# The linear probe adds a number from the left to a number from the right. That is a sum again, and near chance
# for the verb, however much the states hold. The small network may get above chance, so concatenation as such
# destroys nothing that a *later, non-linear* layer could not use. But such a layer can only use what is there.
# The two lower rows say how well each cue can be read: if they are known with probabilities $a$ and $b$, their
# exclusive or cannot be much better than $ab + (1-a)(1-b)$. In the stored runs (ten seeds) the
# network reads the verb in 64 % [59, 69], 36 points [31, 41] below the masked model. The language models dropped
# what was of no use for their own predictions; their objective never *rewards* combining the two sides, a masked
# model's does.

# %% [markdown] key="probe-seen" lang="zh" follows="e74499b3"
# 线性探针把左边来的一个数和右边来的一个数相加，又是加法，所以不管状态里有多少信息，读动词都接近随机水平。小网络有可能超过随机水平，可见拼接本身并不妨碍后面*非线性*的层去利用这些信息。但状态里没有的东西，谁也用不上。下面两行是每个线索本身能读出几成，如果左、右线索各以概率 $a$ 和 $b$ 读对，它们的异或就不会比 $ab + (1-a)(1-b)$ 好多少。存好的实验里（十个种子），小网络读对动词 64% [59, 69]，比掩码模型低 36 个点 [31, 41]。语言模型丢掉了对自己的预测没有用的东西，它们的训练目标从来不*奖赏*把两侧合起来，掩码模型的目标却奖赏。

# %% [markdown] key="cue" lang="en"
# ## 7 · The cue on the right
#
# A simpler case: only one side decides, either the left (*The cook … ＿＿ … things*) or the right (*The neighbour …
# ＿＿ … loaves*).

# %% [markdown] key="cue" lang="zh" follows="846e70f8"
# ## 7 · 线索在右边
#
# 再看一种简单些的情形，决定答案的只有一侧，要么是左边（“这位厨师……＿＿……东西”），要么是右边（“这位邻居……＿＿……面包”）。

# %% key="cue-run"
epochs, table = course_lib.by_profile(full=4, quick=2), {}
for side in ("left", "right"):
    world = worlds.cue_world(side, t.language)
    town, slots = lineage.world_task(world, 15, *sizes)
    of = lineage.learn_world(
        town, slots, 15, epochs, names=("forward LM", "backward LM", "masked LM")
    )
    for name, log_p in lineage.log_probabilities(of, town).items():
        if name != "unigram":
            table.setdefault(name, []).append(
                with_interval(lineage.choices(log_p, town, world))
            )
claims.show_table(
    [t("right, %", "答对（%）"), t("cue on the left", "线索在左"), t("cue on the right", "线索在右")],
    [(NAMES[name], *table[name]) for name in NAMES if name in table],
)  # fmt: skip

# %% [markdown] key="cue-seen" lang="en"
# In the full profile a causal model is perfect with the cue on the left and at chance with the cue on the right,
# which it has not read yet. Here the *product* is as good as the masked model, for the condition of section 4
# holds. So there are three kinds of gaps: those that need one side (a model of that side will do), those that
# need both sides one by one (a biLM will do), and those that need both sides together (one prediction must use
# both).

# %% [markdown] key="cue-seen" lang="zh" follows="7b7ebb26"
# 在完整规模下，因果模型在线索居左时全对，居右时停在随机水平，因为预测的那一刻线索还没读到。这里*乘积*和掩码模型一样好，因为第 4 节的条件成立。于是空缺有三种：只需要一侧的（看那一侧的模型就够），两侧各取所需的（biLM 够），两侧必须合起来的（一次预测要同时用上两侧）。

# %% [markdown] key="tree" lang="en"
# ## 8 · Which model took what from which
#
# The years are those of the first public version, and in 2018 months matter: ULMFiT appeared in January and
# ELMo in February, after an anonymous submission in autumn 2017; at their conferences ELMo (June) came before
# ULMFiT (July). The table below the picture explains the numbered arrows.

# %% [markdown] key="tree" lang="zh" follows="8feacd33"
# ## 8 · 谁从谁那里学了什么
#
# 年份按第一次公开算，2018 年还要论月份。ULMFiT 一月公开，ELMo 是二月，不过 ELMo 2017 年秋天就匿名投过稿；在会议上，ELMo（六月）又早于 ULMFiT（七月）。箭头上的编号在图下的表里说明。

# %% key="tree-picture" fold=true
PAPERS = {  # name: (place from left to right, height, first public version)
    "cloze": (0.0, -0.4, "1953"), "NNLM": (0.9, 2, "2003"), "word2vec": (1.8, 1, "2013-01"),
    "GloVe": (2.9, 0.4, "2014-10"), "Dai & Le": (3.6, 3.2, "2015-11"), "context2vec": (4.4, 1, "2016-08"),
    "Ramachandran": (5.2, 4.4, "2016-11"), "TagLM": (6.0, 2, "2017-04"), "AWD-LSTM": (6.6, 2.7, "2017-08"),
    "CoVe": (6.7, 0.7, "2017-08"), "Transformer": (7.4, 4.6, "2017-06"), "ULMFiT": (8.0, 3.2, "2018-01"),
    "ELMo": (8.2, 1.5, "2018-02"), "GPT": (9.4, 4.1, "2018-06"), "BERT": (10.3, 2, "2018-10"),
}  # fmt: skip
EDGES = [
    (
        "NNLM",
        "word2vec",
        t("word vectors, without the hidden layer", "词向量，去掉了隐藏层"),
    ),
    ("word2vec", "GloVe", t("word vectors, now from counts", "词向量，改由计数得到")),
    (
        "word2vec",
        "context2vec",
        t("CBOW's question; two LSTMs for the sum", "CBOW 的问题；求和换成两个 LSTM"),
    ),
    ("NNLM", "Dai & Le", t("a language model as the teacher", "拿语言模型当老师")),
    (
        "Dai & Le",
        "Ramachandran",
        t(
            "begin with a language model; here on both sides",
            "从语言模型开始；这里两头都是",
        ),
    ),
    ("Dai & Le", "ULMFiT", t("fine-tune a language model", "微调语言模型")),
    ("AWD-LSTM", "ULMFiT", t("the network", "网络")),
    ("context2vec", "ELMo", t("vectors of a context", "上下文的向量")),
    ("TagLM", "ELMo", t("language-model states as features", "语言模型的状态当特征")),
    (
        "CoVe",
        "ELMo",
        t(
            "contextual vectors for any task: the rival",
            "给任何任务用的上下文向量：比较对象",
        ),
    ),
    ("Transformer", "GPT", t("the decoder's blocks", "解码器的块")),
    ("Dai & Le", "GPT", t("fine-tuning, again", "微调，同样来自这里")),
    (
        "ULMFiT",
        "GPT",
        t(
            "pre-train on running text, then fine-tune: cited as the closest work",
            "在成篇文本上预训练，再微调：GPT 引为最接近的工作",
        ),
    ),
    ("Transformer", "BERT", t("the encoder's blocks", "编码器的块")),
    (
        "GPT",
        "BERT",
        t(
            "a fine-tuned Transformer; one input format",
            "微调 Transformer；统一的输入格式",
        ),
    ),
    ("ELMo", "BERT", t("both directions", "两个方向")),
    ("cloze", "BERT", t("the question", "问题本身")),
]
SHOWN = {"cloze": t("cloze", "完形填空"), "Dai & Le": t("Dai & Le", "Dai 与 Le")}
figure, ax = plt.subplots(figsize=(9, 4.4))
boxes = {}
for name, (x, y, when) in PAPERS.items():
    text = ax.text(x, y, f"{SHOWN.get(name, name)}\n{when}", ha="center", va="center", fontsize=8.5,
                   bbox={"boxstyle": "round,pad=0.25", "facecolor": "#FFF3D6", "edgecolor": "0.4"})  # fmt: skip
    boxes[name] = text.get_bbox_patch()
ax.set_xlim(-0.6, 10.9)
ax.set_ylim(-1.3, 5)
figure.canvas.draw()  # now the boxes know how large they are
for i, (old, new, _) in enumerate(EDGES, start=1):
    (x0, y0, _), (x1, y1, _) = PAPERS[old], PAPERS[new]
    far = old == "cloze"
    style = {"arrowstyle": "->", "color": "#0072B2", "lw": 1.1, "patchA": boxes[old], "patchB": boxes[new],
             "shrinkA": 1, "shrinkB": 2, "connectionstyle": f"arc3,rad={0.2 if far else 0}"}  # fmt: skip
    ax.annotate("", (x1, y1), (x0, y0), arrowprops=style)
    part = {2: 0.45, 12: 0.42, 14: 0.62}.get(i, 0.52)
    ax.text(x0 + part * (x1 - x0), y0 + part * (y1 - y0) - 1.15 * far, str(i), fontsize=8, ha="center", va="center",
            bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "#0072B2", "lw": 0.6})  # fmt: skip
ax.set_axis_off()
course_lib.show(
    figure,
    alt=t(
        "Fifteen papers from 1953 to October 2018, from left to right, joined by seventeen numbered arrows "
        "that lead to ELMo, ULMFiT, GPT and BERT.",
        "从 1953 年到 2018 年 10 月的十五篇论文，自左向右，由十七个带编号的箭头连起来，通向 ELMo、ULMFiT、GPT 和 BERT。",
    ),
)
claims.show_table(
    ["", t("from", "来自"), t("to", "去向"), t("what", "学了什么")],
    [
        (i, SHOWN.get(old, old), SHOWN.get(new, new), what)
        for i, (old, new, what) in enumerate(EDGES, start=1)
    ],
)

# %% [markdown] key="tree-seen" lang="en"
# No straight line leads from word2vec to BERT. BERT took its question from one branch (the cloze test), its
# network from machine translation, and fine-tuning from a third. GPT did not pioneer fine-tuning: arrow 12 begins
# in 2015, ULMFiT is five months older, and GPT's paper cites both (arrows 12 and 13). And "ELMo with a
# Transformer" would not be BERT: the arrow from ELMo (16) brings both directions, but not one prediction that
# uses both.

# %% [markdown] key="tree-seen" lang="zh" follows="7e3f6939"
# 从 word2vec 到 BERT 并没有一条直线可走。BERT 的问题来自一支（完形填空），网络来自机器翻译，微调的用法来自第三支。开创微调的不是 GPT，第 12 号箭头起于 2015 年，ULMFiT 也比 GPT 早五个月，GPT 的论文把两项都引了（第 12、13 号）。“把 ELMo 的 LSTM 换成 Transformer”也成不了 BERT，因为 ELMo 来的箭头（16）带来的是两个方向，不是一次同时用上两侧的预测。

# %% [markdown] key="capstone" lang="en"
# ## 9 · Capstone: 100 labels, one decision
#
# A customer has 100 labelled texts. Should one use features of a pre-trained model, train something from scratch,
# or take the linear model that costs nothing? Claims of this kind fail in the same few ways: one lucky draw, a
# baseline that was not tuned, a test set looked at twenty times, two groups compared where pairs were needed. So
# an object keeps the labels, hands out what the protocol allows, and logs who asked:
#
# 1. each seed draws 100 labelled texts; the **development set** (dev) is cut out of them, because a label for dev
# is a label, too;
# 2. on dev you may try what you like; a method gets texts and labels to learn from, and the texts to be labelled,
# but never *their* labels;
# 3. you **choose** one method;
# 4. then the test set is opened, once, for your choice and for TF-IDF, on at least five seeds;
# 5. no run may take more processor time than the budget;
# 6. you report the **paired** gain with its confidence interval, and decide.

# %% [markdown] key="capstone" lang="zh" follows="acb9d8fa"
# ## 9 · 综合大作业：一百条标注，一个决定
#
# 客户手里有一百条标注过的文本。该用预训练模型的特征，还是从零训练一个，或者用那个几乎不花钱的线性模型？这类问题的答案多半错在同样几处：碰巧抽到一次好的；基线没有认真调；测试集看了二十遍；该成对比较的，当成两组来比。所以标注由一个对象保管，规矩允许的它才给，还会记下谁要过什么：
#
# 1. 每个种子抽一百条标注文本；**开发集**（dev）从这一百条里切出来，因为给开发集的标注也是标注；
# 2. 在开发集上随便试；方法拿到用来学习的文本和标签，以及要回答的文本，但拿不到*它们的*标签；
# 3. **选定**一种方法；
# 4. 然后测试集才打开，只开一次，比较你选的方法和 TF-IDF，至少五个种子；
# 5. 每次运行的处理器时间不得超出预算；
# 6. 报告**成对的**优势及其置信区间，做出决定。

# %% key="capstone-study"
from course_lib.analysis import protocol
from course_lib.text.tokenise import TOKENISERS
from course_lib.training import stages

TASK = t("sentence_polarity", "waimai")
TASK = TASK if data.at_hand(TASK) else f"rivertown-{t.language}-sentiment"
many = course_lib.by_profile(full=stages.StageSizes(train=2000, test=400, words=1000),
                             quick=stages.StageSizes(train=400, test=80, words=1000))  # fmt: skip
splits = stages.prepare(TASK, many).splits
study = protocol.Study(
    splits["train"], splits["test"], t.language, labels=100, seconds=60
)
SEEDS = range(course_lib.by_profile(full=8, quick=5))
TASK_NAME = {
    "sentence_polarity": t("film reviews (sentence polarity)", "影评褒贬"),
    "waimai": t("reviews of meals (waimai)", "外卖评论（waimai）"),
}.get(TASK, t("Rivertown reviews", "河湾镇评论"))
LABELS = {"pos": t("positive", "好评"), "neg": t("negative", "差评")}
print(t("task:", "任务："), TASK_NAME, "|", len(splits["train"]), t("to draw from,", "条可抽，"),
      len(splits["test"]), t("in the test set", "条测试"))  # fmt: skip
print(splits["train"][0].text[:80], "→", LABELS.get(splits["train"][0].label, splits["train"][0].label))

# %% [markdown] key="capstone-methods" lang="en"
# A method is a function of `labelled`, examples with `.text` and `.label`; `loose`, more texts, without labels;
# `texts`, which it is to label; and a `seed`. Here are three: TF-IDF; a **logistic regression** on the mean of a
# text's static vectors (`averaged` makes the vector, `features_of` the method); and `from_scratch`, which learns
# the word vectors, too. Exchange them for yours: ELMo's layers (lesson 07), ULMFiT (lesson 10), a BERT (lesson
# 14).

# %% [markdown] key="capstone-methods" lang="zh" follows="caf7ed09"
# 一个方法就是一个函数，拿到四样东西：`labelled` 是带 `.text` 和 `.label` 的例子，`loose` 是另一些没有标注的文本，`texts` 是要它回答的文本，`seed` 是种子。先给三种方法。第一种是 TF-IDF；第二种把一条文本的静态向量取平均（`averaged`），再做**逻辑回归**（`features_of`）；第三种 `from_scratch` 连词向量也从随机数开始，一起学出来。把它们换成你自己的吧，例如 ELMo 各层（第 07 课）、ULMFiT（第 10 课）、BERT（第 14 课）。

# %% key="capstone-write"
from sklearn.linear_model import LogisticRegression
from torch import nn

static = course_lib.load(f"static-{t.language}")
cut = TOKENISERS[t.language]


def averaged(text):
    """Return the mean of a text's static vectors, (D,)."""
    known = [static[w] for w in map(str.lower, cut(text)) if w in static]
    return np.mean(known, axis=0) if known else np.zeros(static.vector_size)


def features_of(vector):
    """Make a method: frozen features and logistic regression."""

    def method(labelled, loose, texts, seed):
        x, asked = (np.stack([vector(s) for s in of])
                    for of in ([e.text for e in labelled], texts))  # fmt: skip
        model = LogisticRegression(C=1.0, max_iter=2000)
        return model.fit(x, [e.label for e in labelled]).predict(asked)

    return method


def from_scratch(labelled, loose, texts, seed):
    """Learn word vectors and a linear layer on their mean, from the labels alone."""
    torch.manual_seed(seed)
    classes = sorted({e.label for e in labelled})
    number = {
        w: i + 1 for i, w in enumerate({w: 0 for e in labelled for w in cut(e.text)})
    }
    bags = [torch.tensor([number.get(w, 0) for w in cut(s)] or [0])
            for s in [*(e.text for e in labelled), *texts]]  # fmt: skip
    sizes = torch.tensor([0, *map(len, bags)]).cumsum(0)[:-1]
    model = nn.Sequential(
        nn.EmbeddingBag(len(number) + 1, 50), nn.Linear(50, len(classes))
    )
    adam = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-4)
    y = torch.tensor([classes.index(e.label) for e in labelled])
    for _ in range(60):
        scores = model[1](model[0](torch.cat(bags), sizes))
        adam.zero_grad()
        nn.functional.cross_entropy(scores[: len(y)], y).backward()
        adam.step()
    return [classes[i] for i in scores[len(y) :].argmax(dim=1)]


METHODS = {
    "TF-IDF": protocol.tf_idf(t.language),
    t("mean of static vectors", "静态向量平均"): features_of(averaged),
    t("from scratch", "从零训练"): from_scratch,
}
for name, method in METHODS.items():
    for seed in tqdm(SEEDS, desc=name, unit=t(" runs", " 次"), file=sys.stdout):
        study.dev(name, method, seed)
claims.show_table(
    [t("method", "方法"), t("dev, %", "开发集（%）"), t("from … to, over the seeds", "各种子的最低到最高"), t("seconds a run", "每次秒数")],
    [(name, f"{100 * np.mean([*of.values()]):.0f}", f"{100 * min(of.values()):.0f} … {100 * max(of.values()):.0f}",
      f"{np.mean([e.seconds for e in study.log if e.method == name]):.2f}")
     for name, of in study.scores.items()],
)  # fmt: skip

# %% [markdown] key="capstone-dev" lang="en"
# One method's dev scores lie far apart from seed to seed: in a dev set of 20 texts one text is worth five points.
# Whoever has only *one* draw picks mostly luck. Here the choice is made by the mean on dev.

# %% [markdown] key="capstone-dev" lang="zh" follows="a3354067"
# 同一种方法，不同种子的开发集分数相差很大，因为开发集只有二十条文本，一条就是五个点。只抽*一次*就来挑，挑中的多半是运气。这里按开发集上的平均来选。

# %% key="capstone-test"
challengers = [name for name in METHODS if name != protocol.BASELINE]
choice = max(challengers, key=lambda name: np.mean([*study.scores[name].values()]))
study.choose(choice)
right = study.open_test()  # (seeds, texts) each
accuracy = {name: hits.mean(axis=1) for name, hits in right.items()}
gain = statistics.t_interval(accuracy[choice] - accuracy[protocol.BASELINE])
report = protocol.Report(choice, gain, protocol.decide(gain))
texts_too = statistics.paired_bootstrap(
    right[protocol.BASELINE].mean(axis=0), right[choice].mean(axis=0), times=2000
)
print(t("rules broken:", "违反的规则："), study.report(report) or t("none", "无"))
try:
    study.open_test()
except protocol.ProtocolBroken as problem:
    print(
        t("a second look:", "想再看一次："),
        str(problem).split("\n")[t.language == "zh"],
    )

# %% [markdown] key="capstone-report" lang="en"
# A template for the report. The numbers come from the study; the reasons must come from you.

# %% [markdown] key="capstone-report" lang="zh" follows="13413f51"
# 报告的模板。数字来自这项研究；理由得由你来写。

# %% key="capstone-template"
DECISIONS = {
    "adopt": t("adopt it", "采用它"),
    "keep": t("keep TF-IDF", "留用 TF-IDF"),
    "undecided": t(
        "undecided: keep what is cheaper, or measure more",
        "无法定夺：留用便宜的，或者再测",
    ),
}
slowest = max(event.seconds for event in study.log)
points = [100 * x for x in gain]
lines = [
    (t("task, budget", "任务，预算"),
     t(f"{TASK_NAME}; {study.labels} labels a draw, {len(SEEDS)} draws; slowest run {slowest:.1f} of {study.seconds:g} s",
       f"{TASK_NAME}；每次 {study.labels} 条标注，抽 {len(SEEDS)} 次；最慢一次 {slowest:.1f} 秒，预算 {study.seconds:g} 秒")),
    (t("tried on dev", "在开发集上试过"), t(", ", "，").join(study.scores)),
    (t("chosen before the test, because", "测试前选定，因为"), choice + t(" — …", "——……")),
    (t("accuracy, %", "准确率（%）"), t(", ", "，").join(f"{name} {100 * a.mean():.1f}" for name, a in accuracy.items())),
    (t("gain over TF-IDF, points, over draws", "比 TF-IDF 高多少（百分点），区间按抽样算"), f"{points[0]:.1f} [{points[1]:.1f}, {points[2]:.1f}]"),
    (t("the same, over test texts", "同上，区间按测试文本算"), f"[{100 * texts_too.low:.1f}, {100 * texts_too.high:.1f}]"),
    (t("decision", "决定"), DECISIONS[report.decision]),
    (t("what would show me wrong", "什么能说明我错了"), t("…", "……")),
]  # fmt: skip
claims.show_table([t("line", "项"), t("content", "内容")], lines)

# %% [markdown] key="capstone-seen" lang="en"
# The report has two intervals: the first asks what happens with *another hundred labels* and the same test texts,
# the second with *other test texts* and the same draws. A customer will have other labels and other texts, so the
# real uncertainty is larger than either shows. The decision follows from the interval and from what a mistake
# costs. "Undecided" is a result: it says what to spend the next money on.

# %% [markdown] key="capstone-seen" lang="zh" follows="f9e8b6c5"
# 报告里有两个区间。前一个回答的是换*另外一百条标注*、测试文本不变时会怎样，后一个回答的是换*别的测试文本*、抽样不变时会怎样。客户那里标注和文本都不一样，所以实际的不确定性比哪个区间都大。怎样决定，既看区间，也看选错的代价。“无法定夺”也是结果，它告诉你下一笔钱该花在哪里。

# %% [markdown] key="capstone-rules" lang="en"
# The rules by which `study.report` judges:

# %% [markdown] key="capstone-rules" lang="zh" follows="ff32c3a9"
# `study.report` 按这些规则判定：

# %% key="capstone-rules-show"
claims.show_table(
    [t("name in the code", "代码里的名字"), t("rule", "规则")],
    [(name, t(*texts)) for name, texts in protocol.RULES.items()],
)

# %% [markdown] key="survived" lang="en"
# ## 10 · What survived
#
# *Still in use*: predicting words as **self-supervised** training; a vector for each occurrence; sub-word tokens;
# further pre-training on the task's own text; warm-up and small learning rates. *Replaced*: recurrence, by
# attention; two separate directions, by one prediction that uses both; a frozen model as the only use. *Given up
# and come back*: one direction. It looked like GPT's weakness in 2018 (section 7); the large models that write
# text
# are one-directional again, because text still to be written has no right-hand side. Which of these statements
# are opinions, and which were measured? Exercise 15 (task 7) asks.

# %% [markdown] key="survived" lang="zh" follows="c0e11c40"
# ## 10 · 什么留了下来
#
# *还在使用的*有：以预测词为目标的**自监督**训练，每次出现一个向量，子词，在任务自己的文本上继续预训练，预热和小学习率。*被取代的*有：循环网络换成了注意力，两个分开的方向换成了同时用上两侧的一次预测，只能冻结着用的模型换成了也可以微调的模型。*放弃了又回来的*是单向：2018 年它像是 GPT 的弱点（见第 7 节），可如今写文章的大模型又都是单向的，因为还没写出来的文本本来就没有右边。这里面哪些只是看法，哪些有人测过？练习 15 的第 7 题就问这个。

# %% [markdown] key="cards" lang="en"
# ## Claim cards
#
# The first two ask what a masked model *can* do, where the truth is known, and what it *has learned* from 80,000
# words. The last two are about two sides that meet late, as answers and as states. All but the second come from
# an artificial world, which shows what is possible, and not how often text asks for it.

# %% [markdown] key="cards" lang="zh" follows="8f138d3a"
# ## 论断卡
#
# 这四张卡片里，头两张一张问真相已知时掩码模型*能*做到什么，一张问它读了八万词*学会了*什么。后两张问的是两侧到最后才汇合会怎样，一张看回答，一张看状态。除第二张外，用的都是人造世界，它说明什么是可能的，不说明真实文本里多常用到。

# %% key="cards-run" fold=true
for key in (
    "masked-lm-is-cbow", "masked-lm-is-cbow-on-little-text", "two-sides-together",
    "concatenation-loses",
):  # fmt: skip
    claims.card(key).show(t)

# %% [markdown] key="again" lang="en"
# ## Our own effects, again
#
# *With five other seeds, would you find the same?* Nearly all experiments behind a card were run with five seeds
# and with five others; here the halves are compared. Was each difference that counts
# on a card significant (95 %, Holm) as claimed, significant in the other direction, or neither? Only a
# significant difference can be **replicated**, with its sign; two halves that can tell nothing do not confirm
# each other.

# %% [markdown] key="again" lang="zh" follows="c430feae"
# ## 我们自己的效应，再来一遍
#
# *换五个种子，还能看到同样的结果吗？* 卡片背后的实验几乎全部跑了两遍，先五个种子，再换五个，这里把两半拆开来比较。卡片上算数的每一个差，是显著的（95%，Holm 校正）且方向同说法一致，还是显著但方向相反，还是两样都不是？能**重复验证**的只有显著的差，连同它的正负号；两半都看不出什么，并不能互相印证。

# %% key="again-run" fold=true
from collections import Counter

halves = {(card.key, place): both for card in claims.all_cards().values() if card.experiments
          for place, both in card.halves.items()}  # fmt: skip
counts = Counter(halves.values())
signs = (1, 0, -1)
seen = np.array([[counts[first, other] for other in signs] for first in signs])
titles = [t("as claimed", "同说法一致"), t("cannot tell", "看不出"), t("the other way", "相反")]
figure, ax = plt.subplots(figsize=(5, 3.6))
ax.imshow(seen, cmap="Blues", vmax=1.5 * seen.max())
for (row, column), n in np.ndenumerate(seen):
    ax.text(column, row, n, ha="center", va="center")
ax.set_xticks(range(3), titles)
ax.set_yticks(range(3), titles)
ax.set_xlabel(t("five other seeds", "另外五个种子"))
ax.set_ylabel(t("the first five seeds", "头五个种子"))
ax.grid(visible=False)
course_lib.show(
    figure,
    alt=t(
        "A square of numbers: what the first five seeds found of each difference, against what five "
        "others found. The corners hold what came again with its sign.",
        "一个数字方阵：行是头五个种子对每个差的判断，列是另外五个的。四角里是显著的，正负号相同的再现了。",
    ),
)
once = sum(counts[pair] for pair in counts if 0 in pair and pair != (0, 0))
print(t("came again, with the same sign:", "再现了，正负号相同："), counts[1, 1] + counts[-1, -1])
print(t("significant in one half only:", "只在一半里显著："), once)
print(t("significant in both, with opposite signs:", "两半都显著，正负号相反："), counts[1, -1] + counts[-1, 1])
print(t("told in neither:", "两半都看不出："), counts[0, 0])
chinese = [card for card in claims.all_cards().values() if card.in_chinese]
print(t("cards also measured on Chinese text:", "还用中文测过的卡片："), len(chinese))
for card in chinese:
    was, now = (t(word, claims.IN_OUR_RUNS[word]) for word in (card.outcome, card.in_chinese))
    print(f"  {was} · {now}: {t(*card.claim)}")

# %% [markdown] key="again-seen" lang="en"
# Most differences that were significant with the first five seeds were significant again, in the same direction,
# with the other five. In the middle of the square neither half could tell: five seeds were too few, or there is next to
# nothing to find. Next to it stand those that are significant in one half only. So report the effect with its interval, and say
# which effect your seeds would have found.

# %% [markdown] key="again-seen" lang="zh" follows="9897ade4"
# 用头五个种子显著的差，换另外五个种子大多又显著，方向也一样。方阵正中间的，两半都看不出来：要么五个种子不够，要么差本来就几乎没有。它旁边是只在一半里显著的差。所以要报告效应和它的区间，还要说明你的种子能查出多大的效应。

# %% [markdown] key="released" lang="en"
# ## Optional: the band above the board
#
# One row of a released model, for the board below: how far above the course's own models does it stand for senses, and
# with 100 labels? Your capstone may choose it: add `METHODS["released"] = features_of(sentence_vector)` before you open the test set.

# %% [markdown] key="released" lang="zh" follows="cdba9f03"
# ## 选做：记分牌之上再加一行
#
# 给下面的记分牌再添一行，测的是一个公开发布的模型。论义项，论一百条标注时的分类，它比课程自己的模型高出多少？大作业里也可以选它：打开测试集之前，加上一行 `METHODS["released"] = features_of(sentence_vector)`。（中文版用的是 `bert-base-chinese`。）

# %% key="released-run" fold=true
from course_lib.analysis import senses
from course_released.whole_words import reader

if released := reader(t, t("minilm", "bert-base-chinese")):

    def sentence_vector(text):
        """Return the mean of a text's vectors in the top layer, (D,)."""
        return released.encode([cut(text)[:100]])[0][-1].mean(axis=0)

    use = data.senses(t.language)[:: course_lib.by_profile(full=1, quick=6)]
    top = senses.target_vectors(released, use)[-1]  # (N, D)
    band = {t("released: top layer", "公开发布的模型，顶层"): senses.macro(senses.by_word(top, use))}
    display(HTML(claims.sense_table(band, t)))
    few, ask = splits["train"][:100], splits["test"][:200]
    for name, vector in ((t("static", "静态向量"), averaged), ("released", sentence_vector)):
        said = features_of(vector)(few, [], [e.text for e in ask], 0)
        print(f"{name}{t(': ', '：')}{np.mean([s == e.label for s, e in zip(said, ask)]):.2f}")

# %% [markdown] key="released-seen" lang="en"
# In our run MiniLM has 0.954 and 0.938 for senses, more than any row of the board. With 100 labels of film reviews and the mean of a
# review's vectors it got 0.65 of 200 texts right, the static vectors 0.67: with so few texts a difference of several points
# cannot be told from chance. So scale does not spare you the protocol.

# %% [markdown] key="released-seen" lang="zh" follows="62f9d560"
# 我们在英文版里跑过：论义项，MiniLM 的两个分数是 0.954 和 0.938，比榜上任何一行都高；用一百条影评标注，把一条影评的向量取平均来分类，200 条里它答对 0.65，静态向量 0.67，样本这么少，差几个百分点说明不了什么。可见模型再大，评测的规矩也省不掉。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The two rungs of section 5 that see everything: do their vectors *of the gap* keep the senses of an ambiguous
# word apart? They never see the word itself and have learned from one small text; the static average below them
# has read far more.

# %% [markdown] key="scoreboard" lang="zh" follows="a1db4a33"
# ## 记分牌
#
# 这次测第 5 节里看得见全部的那两级：它们*为空缺算出的*向量能不能把多义词的义项分开？请注意，它们根本看不到这个词本身，学的又只是一份小文本，而表中的静态平均读过的文本多得多。

# %% key="scoreboard-row"
from course_lib.analysis import senses
from course_lib.text.characters import BOS, EOS

annotated = [s for s in data.senses(t.language) if len(s.tokens) <= 60]
rows = [
    gaps.vocabulary.encode([BOS, *(w.lower() for w in s.tokens), EOS])
    for s in annotated
]


@torch.no_grad()
def at_gap(model):
    """Return the vector of each sentence's gap, (N, D)."""
    found = []
    pairs = zip(rows, annotated, strict=True)
    for row, s in tqdm(pairs, total=len(rows), unit=t(" sentences", " 句"), file=sys.stdout):
        hole = torch.zeros(1, len(row), dtype=torch.bool)
        hole[0, s.target_index + 1] = True
        x = model.words(torch.tensor([row]))  # (1, T, D)
        found.append(model.reader(x, torch.tensor([len(row)]), hole)[0])
    return torch.stack(found).numpy()


board = {
    NAMES[name]: senses.macro(senses.by_word(at_gap(models[name]), annotated))
    for name in ("context2vec", "masked LM")
}
board[t("averaged static context", "静态上下文平均")] = claims.context_scores(
    static, t.language
)
display(HTML(claims.sense_table(board, t)))
for name in ("context2vec", "masked LM"):
    n = sum(p.numel() for p in models[name].parameters())
    print(NAMES[name], t("parameters:", "参数："), f"{n:,}")

# %% [markdown] key="board" lang="en"
# **All models, the same questions** (lesson 01 explains the columns), measured once for all lessons.

# %% [markdown] key="board" lang="zh" follows="898869cd"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "15")

# %% [markdown] key="board-seen" lang="en"
# In English no model leads in every column. For parts of speech and in the cloze test it is the biLM; for chunks the AWD-LSTM's layer 1, the biLM and BERT cannot be told apart, for sentiment the biLM and BERT; for senses BERT has the highest score, not significantly above the biLM's. With 1,000 labels for sentiment these two and GPT are ahead of
# counting words (TF-IDF), by 6.0 points [3.8, 8.3], 4.8 [3.4, 6.2] and 3.0 [1.3, 4.7]. So newer does not simply mean higher. The three have read the same
# text; the AWD-LSTM has read less, and no film reviews. (In Chinese BERT leads for senses and parts of speech, the biLM for
# sentiment and in the cloze test.) No column separates a method from its size and from the computing time that went into it.

# %% [markdown] key="board-seen" lang="zh" follows="8a7ab1ae"
# 没有哪个模型在每一列都领先：义项和词性是 BERT 最高，命名实体 BERT 与 GPT 不相上下，情感分类和完形填空是 biLM；情感的标注有 1,000 条时，只有 biLM 高过数词频的 TF-IDF，第 2 层高 1.8 个点 [0.5, 3.1]。（英文版的榜上，词性和完形填空是 biLM 领先，组块上 AWD-LSTM 的第 1 层、biLM 和 BERT 分不出高下，情感上 biLM 与 BERT 分不出高下，义项是 BERT 最高，但比 biLM 高得不显著；那里 GPT、biLM 和 BERT 读的是同一份文本。）越新的模型并不就越高，也没有哪一列分得清高出来的分数该归于方法，还是归于模型的大小、读过的文本和花掉的计算时间。

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** In the XOR world a forward and a backward language model are at chance, and so
# is their product. You make both a hundred times as large and train them on a hundred
# times the text. What happens?
#
# <details><summary>A. They reach 100 %: both cues are in the text.</summary>
#
# Not quite: each model sees one cue only. Given that cue, the two verbs are equally
# likely; no size changes that.
#
# </details>
#
# <details><summary>B. They stay at chance.</summary>
#
# Right. The best possible forward answer is ½, the best backward answer is ½, and ½ · ½
# / ½ = ½. This is arithmetic, not a matter of training.
#
# </details>
#
# <details><summary>C. The product improves, the single models do not.</summary>
#
# Not quite: a product of two constants is a constant. It works where each side knows
# something by itself.
#
# </details>
#
# ---
#
# **2.** context2vec can solve the XOR world, though its two LSTMs never meet. Why?
#
# <details><summary>A. Because it masks words of the input, as BERT does.</summary>
#
# Not quite: it has a gap, but no masking in the input. And the masking is not the
# point.
#
# </details>
#
# <details><summary>B. Because each of its LSTMs reads both ways.</summary>
#
# Not quite: one reads from the left, the other from the right, as in a biLM.
#
# </details>
#
# <details><summary>C. Because a network makes <em>one</em> answer of both
# states.</summary>
#
# Right. And a network can do more than add. The biLM has two answers, each from one
# state. What counts is that a single prediction has both sides.
#
# </details>
#
# ---
#
# **3.** Our masked model on 44,000 words of Brown: perplexity 179, and still 179 when
# the words around the gap are shuffled. The LSTM models got worse. What follows?
#
# <details><summary>A. A masked language model cannot use word order.</summary>
#
# Not quite: it has positional embeddings, and in section 3 its answer moved with the order.
#
# </details>
#
# <details><summary>B. Word order is of no use in this text.</summary>
#
# Not quite: the LSTM models used it, and lost by the shuffling.
#
# </details>
#
# <details><summary>C. It <em>could</em> use it, but has not learned to.</summary>
#
# Right. Not on so little text. Whether it *can* follows from the architecture, whether it
# *does* from training. CBOW's architecture cannot: shuffling never changes its answer.
#
# </details>
#
# ---
#
# **4.** Only the cue on the right decides. Compare the product of two one-sided models
# with a masked model.
#
# <details><summary>A. Both are near perfect.</summary>
#
# Right. The backward model knows the answer, the forward one knows nothing, and the
# product takes the vote that counts. The condition of section 4 holds.
#
# </details>
#
# <details><summary>B. The masked model is far better, since it sees both sides at
# once.</summary>
#
# Not quite: it sees more than is needed here. Only one side carries anything.
#
# </details>
#
# <details><summary>C. Both are at chance, as in the XOR world.</summary>
#
# Not quite: there the answer needs both cues *together*. A forward model alone would be
# at chance here.
#
# </details>
#
# ---
#
# **5.** A study with 100 labels: dev has 20 texts, one draw. Method A has 75 % on dev,
# B 70 %. What do you do?
#
# <details><summary>A. Choose A: on dev it is five points better.</summary>
#
# Not quite: five points are one text. Another draw may turn them round.
#
# </details>
#
# <details><summary>B. Try both on the test set, then choose.</summary>
#
# Not quite: then the test set has become a dev set, and no number from it is honest any
# more.
#
# </details>
#
# <details><summary>C. Draw again, several times, before you choose.</summary>
#
# Right. Dev is a coarse scale. Choose by its mean over the draws, then open the test
# once. The gain is reported with its interval, in pairs, against TF-IDF.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="b3fa1375"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 空缺里只可能是“苹果”或“梨”，词频 p(苹果) = 0.8，p(梨) = 0.2。左边的模型说各一半，右边的模型也说各一半。按第 4 节的公式合起来，该是什么？
#
# <details><summary>A. 各一半，两边都这么说。</summary>
#
# 再想想：忘了除以 p(w)。两边的“一半”里都已经带着词频，算了两遍。
#
# </details>
#
# <details><summary>B. “梨”，八成。</summary>
#
# 对。0.25 / 0.8 对 0.25 / 0.2，也就是 0.31 对 1.25。两边各自把“梨”抬高了一截，合起来就抬得更高。
#
# </details>
#
# <details><summary>C. “苹果”，它常见。</summary>
#
# 再想想：方向反了。两边都把“苹果”从 0.8 降到了 0.5，证据都指向“梨”。
#
# </details>
#
# ---
#
# **2.** 异或世界里，前向和后向语言模型都停在随机水平，乘积也一样。把它们放大一百倍，文本也多一百倍，会怎样？
#
# <details><summary>A. 还是随机水平。</summary>
#
# 对。最好的前向回答是 ½，最好的后向回答是 ½，½ · ½ / ½ = ½。这是算术，和训练无关。
#
# </details>
#
# <details><summary>B. 都能到 100%，线索都在文本里。</summary>
#
# 再想想：每个模型只看得见一个线索。只知道是厨师，“烤”和“修”就是各一半，再大也没用。
#
# </details>
#
# <details><summary>C. 乘积会好起来，单个的不会。</summary>
#
# 再想想：两个常数相乘还是常数。乘积只在每一侧自己知道一点的时候才管用。
#
# </details>
#
# ---
#
# **3.** context2vec 的两个 LSTM 从不汇合，却有本事做出异或世界。为什么？
#
# <details><summary>A. 因为它像 BERT 一样用了掩码。</summary>
#
# 再想想：它有空缺，输入里却没有掩码；何况关键也不在掩码。
#
# </details>
#
# <details><summary>B. 因为它的 LSTM 是双向读的。</summary>
#
# 再想想：一个从左读，一个从右读，和 biLM 一样。
#
# </details>
#
# <details><summary>C. 因为小网络拿两侧作出<em>一个</em>回答。</summary>
#
# 对。小网络不只会相加。biLM 是两个回答，各用一侧。要紧的是一次预测同时用上两侧。
#
# </details>
#
# ---
#
# **4.** 我们的掩码模型读了四万四千词的 Brown，困惑度 179；把空缺周围的词打乱，还是 179。有 LSTM 的几个都变差了。说明什么？
#
# <details><summary>A. 它用得上，只是还没学会。</summary>
#
# 对。文本太少。*能不能*取决于结构，*会不会*取决于训练。CBOW 的结构就用不上语序，怎么打乱都不变。
#
# </details>
#
# <details><summary>B. 掩码语言模型用不了语序。</summary>
#
# 再想想：它有位置嵌入，第 3 节里词序一变，回答就跟着变。
#
# </details>
#
# <details><summary>C. 这份文本里语序没有用。</summary>
#
# 再想想：有 LSTM 的几个用上了，一打乱就吃亏。
#
# </details>
#
# ---
#
# **5.** 一百条标注的研究，开发集只有二十条，只抽了一次。甲方法 75%，乙方法 70%。怎么办？
#
# <details><summary>A. 选甲，开发集上高五个点。</summary>
#
# 再想想：五个点就是一条文本，换一次抽样也许就反过来。
#
# </details>
#
# <details><summary>B. 多抽几个种子再选。</summary>
#
# 对。开发集太小，一条就是五个点，要按多次的平均选定，然后测试集只开一次。最后报告的是同 TF-IDF 成对比较的增益和区间。
#
# </details>
#
# <details><summary>C. 两种都到测试集上试试，再选。</summary>
#
# 再想想：那样测试集就成了开发集，从它得来的数就不可信了。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>Your study had five seeds and the interval holds 0. You run five more and now it does not. May
# you report it?</summary>
#
# Say so if you do. Whoever goes on until it is significant will be some day. Fix the number of seeds first; or
# begin a new study.
# </details>

# %% [markdown] key="questions" lang="zh" follows="0fd02d36"
# ## 检查一下自己
#
# <details><summary>你用了五个种子，区间跨零。又加了五个，不跨了。可以报告吗？</summary>
#
# 要报告，就得说明是怎么来的。一直加到显著为止，总有一天会显著。种子数要事先定好；或者重新做一项研究。
# </details>

# %% [markdown] key="knob" lang="en"
# ## Predict, change a knob, explain
#
# Bayes' rule divides the product of the two LSTMs by $p(w)$. What if one divides by $p(w)^{\delta}$ instead? The
# cell uses the models and gaps of section 5, and counts how often the answer is one of the ten most
# frequent words.
#
# **Predict**: where is the perplexity lowest, for $\delta$ = 0 (no division), 0.5, 1 or 1.5? How does the share
# of frequent words change? **Change** `DELTA` and run the cell again; the table grows. **Explain** the optimum.

# %% [markdown] key="knob" lang="zh" follows="669e24aa"
# ## 预测，改一处，再解释
#
# 贝叶斯公式把两个 LSTM 的乘积除以 $p(w)$。如果改成除以 $p(w)^{\delta}$，会怎样？下面的单元格用第 5 节的模型和空缺来试，同时数一数回答里有多少是最常见的十个词之一。
#
# 请先**预测**：$\delta$ 取 0（不除）、0.5、1、1.5 时，哪个的困惑度最低？回答里常见词的比例怎样变？然后**改** `DELTA` 的值，重新运行，表格会一行行增加。最后**解释**你找到的最佳值。

# %% key="knob-run"
DELTA = 0.0  # the knob: 1 is Bayes' rule

tried = globals().get("tried", {})  # what earlier runs of this cell found
said = lineage.log_probabilities(models, gaps)
log_p = cloze.product(
    said["forward LM"], said["backward LM"], DELTA * said["unigram"]
)  # (N, V - 3)
answer, common = log_p.argmax(dim=1), said["unigram"][0].topk(10).indices
loss = -log_p[torch.arange(len(answer)), gaps.right].mean()
tried[DELTA] = (
    f"{math.exp(loss):.0f}",
    f"{100 * (answer == gaps.right).float().mean():.1f}",
    f"{100 * torch.isin(answer, common).float().mean():.0f}",
)
claims.show_table(
    ["δ", t("perplexity", "困惑度"), t("right, %", "答对（%）"), t("answers among the ten most frequent words, %", "回答是最常见十词之一（%）")],
    [(delta, *cells) for delta, cells in sorted(tried.items())],
)  # fmt: skip
print(t("such words are right in", "正确答案是这十个词的占"), f"{100 * torch.isin(gaps.right, common).float().mean():.0f}%")  # fmt: skip

# %% [markdown] key="knob-answer" lang="en"
# <details><summary>What comes out, and why</summary>
#
# | δ | perplexity | right, % | answers among the ten most frequent words, % |
# |---|---|---|---|
# | 0 | 462 | 20.0 | 99 |
# | 0.5 | 186 | 21.5 | 96 |
# | 1 | 120 | 21.9 | 91 |
# | 1.5 | 184 | 21.6 | 78 |
# | 2 | 623 | 8.4 | 19 |
#
# (Full profile, Brown, one seed; the ten words are the right answer in 37 % of the gaps.) Of these five values
# Bayes' rule has the lowest perplexity. Without the division the frequency of a word counts twice, once from each
# side, and the product trusts frequent words far too much; with $\delta$ = 2 it is divided out entirely, and rare
# words get too much. The accuracy, which depends on the likeliest word alone, hardly changes between 0.5 and 1.5.
# That $\delta$ = 1 is best here does not show that the two sides are conditionally independent, only that none of
# these powers makes up better for what is missing.
#
# </details>

# %% [markdown] key="knob-answer" lang="zh" follows="4a083179"
# <details><summary>结果与解释</summary>
#
# | δ | 困惑度 | 答对（%） | 回答是最常见十词之一（%） |
# |---|---|---|---|
# | 0 | 876 | 21.3 | 99 |
# | 0.5 | 298 | 21.8 | 97 |
# | 1 | 184 | 23.0 | 89 |
# | 1.5 | 270 | 22.4 | 75 |
# | 2 | 773 | 17.6 | 40 |
#
# （完整规模，MSRA，一个种子。正确答案是这十个词的空缺占 35%。）五个值里，贝叶斯公式的困惑度最低。不除以 $p(w)$，词频就从两侧各算了一遍，乘积过于偏向常见词；$\delta$ = 2 时词频被完全除掉，少见的词得到的概率又太高。从 0.5 到 1.5，准确率几乎不变，因为它只看最可能的那个词。这里 $\delta$ = 1 最好，并不证明两侧条件独立，只说明在这几个值里，没有哪个更能弥补条件不成立造成的偏差。
#
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Taylor (1953), *Cloze procedure: a new tool for measuring readability*.
# * Melamud, Goldberger and Dagan (2016), *context2vec*.
# * Devlin et al. (2018), section 5.1; Peters et al. (2018b), *Dissecting contextual word embeddings*.
# * Yang et al. (2019), *XLNet*: both sides without a mask.
# * Dodge et al. (2019), *Show your work*. Card et al. (2020), *With little power comes great responsibility*.
# * The exercises: `exercises/15_lineage`, which end with your own study, and `exercises/16_claim_check`, where
#   you check eleven popular claims.

# %% [markdown] key="reading" lang="zh" follows="e55b4412"
# ## 接下来读什么
#
# * Taylor（1953），*Cloze procedure: a new tool for measuring readability*。
# * Melamud、Goldberger、Dagan（2016），*context2vec*。
# * Devlin 等（2018），5.1 节；Peters 等（2018b），*Dissecting contextual word embeddings*。
# * Yang 等（2019），*XLNet*：不用掩码也能看两侧。
# * Dodge 等（2019），*Show your work*。Card 等（2020），*With little power comes great responsibility*。
# * 练习：`exercises/15_lineage`，最后一题就是你自己的研究；还有 `exercises/16_claim_check`，流行文章的十一个说法由你自己来查。
