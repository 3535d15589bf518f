# %% [markdown] key="title" lang="en"
# # 14 · BERT: hide the answer, then look both ways
#
# After this lesson you can
#
# * show with a gradient why a two-sided stack needs a new objective, and why two one-sided stacks are not the same;
# * write BERT's three-part input, its masking and its sentence pairs, and test them with dice;
# * train a tiny BERT, and say what it has learned and what it has not;
# * attach the four heads of the paper, and read frozen layers instead;
# * read an ablation table without believing it too soon.
#
# Running time: two to three minutes of one core, a minute and a half of them for one training (quick profile: under one).
# The paper: Devlin, Chang, Lee and Toutanova, *BERT: Pre-training of Deep Bidirectional Transformers for Language
# Understanding* (arXiv October 2018, NAACL 2019).

# %% [markdown] key="title" lang="zh" follows="5d0a886e"
# # 14 · BERT：遮住答案，再看两侧
#
# 学完本课，你能够
#
# * 用梯度说明：网络两侧都看，就需要新的训练目标；而两个单向网络拼起来并不是一回事；
# * 写出 BERT 的三部分输入、掩码和句对，并用骰子检验；
# * 训练一个很小的 BERT，说清它学到了什么，没学到什么；
# * 接上论文里的四种输出头，或者只读冻结的各层；
# * 读消融实验的表，而不急着相信它。
#
# 运行时间：单核两到三分钟，其中一分半用于一次训练（精简规模不到一分钟）。论文：Devlin、Chang、Lee 与 Toutanova，*BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding*（2018 年 10 月上 arXiv，2019 年 NAACL）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import copy
import math
import sys
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_claims.experiments import bert as experiments
from course_claims.experiments import tiny_bert
from course_lib import data
from course_lib.models import bert
from course_lib.text.batches import IGNORE, read_text
from course_lib.text.pieces import CLS, MARKS, MASK, SEP, UNK, Pieces, PieceText

_ = torch.manual_seed(14)
FULL = course_lib.by_profile(full=True, quick=False)


# %% [markdown] key="leak" lang="en"
# ## 1 · Why not simply look both ways?
#
# *She sat on the bank of the river.* What decides the sense of *bank* stands to the right. GPT (lesson 13) reads from left
# to right, so that its vector of *bank* has not seen *river*. Its attention has a mask that hides the future. Take the mask
# away, and every word sees every word. Is that BERT?
#
# No. Remember lesson 06: a stacked bidirectional LSTM leaks. Here is the same test with a gradient. Row $t$, column $s$:
# does the state at $t$ depend on the word at $s$? The cross is where the answer stands: a language model asks the
# state at $t$ for word $t+1$.

# %% [markdown] key="leak" lang="zh" follows="34a30e44"
# ## 1 · 为什么不干脆两侧都看？
#
# “**苹果**发布了新手机”：决定义项的词在右边。GPT（第 13 课）从左往右读，它的“苹果”向量没见过“手机”。它的注意力带着一个掩码，把后面的词挡住。拿掉掩码，每个词就看得见所有的词。这样就是 BERT 了吗？
#
# 不是。想想第 06 课：几层双向 LSTM 摞起来会泄漏。这里用梯度再做一遍同样的检验。第 $t$ 行、第 $s$ 列：位置 $t$ 的状态依赖不依赖位置 $s$ 的词？打叉的地方是答案：语言模型要 $t$ 处的状态说出第 $t+1$ 个词。

# %% key="leak-run"
from course_lib.analysis.influence import influence
from course_lib.models.transformer import Transformer

T, D, HIDDEN = 7, 16, 3
x = torch.randn(1, T, D)
one_sided, two_sided = (Transformer(2, D, 2, causal=c).eval() for c in (True, False))


def masked(x):
    """Read with both sides, after something else was put in the place of one word."""
    hidden = x.clone()
    hidden[:, HIDDEN] = 1.0  # the vector of [MASK]: the same whatever stood there
    return two_sided(hidden)[0]


PANELS = {
    t("left to right", "从左到右"): (lambda x: one_sided(x)[0], range(T - 1)),
    t("both sides, nothing hidden", "两侧都看，什么也不遮"): (
        lambda x: two_sided(x)[0],
        range(T - 1),
    ),
    t(f"both sides, word {HIDDEN} masked", f"两侧都看，遮住第 {HIDDEN} 个词"): (
        masked,
        [],
    ),
}
figure, axes = plt.subplots(1, 3, figsize=(9.2, 3.3), sharey=True)
leaks = []
for axis, (title, (read, asked)) in zip(axes, PANELS.items(), strict=True):
    depends = influence(read, x)
    answers = [(s, s + 1) for s in asked] or [(HIDDEN, HIDDEN)]
    leaks.append(max(float(depends[a]) for a in answers))
    axis.imshow(depends > 0, cmap="Blues", vmin=0, vmax=1.6)
    axis.plot([s for _, s in answers], [r for r, _ in answers], "x", color="#D55E00", ms=8, mew=2)  # fmt: skip
    axis.set_title(title, fontsize=10)
    axis.set_xlabel(t("word s", "第 s 个词"))
axes[0].set_ylabel(t("state t", "第 t 个状态"))
course_lib.show(
    figure,
    alt=t(
        "Three squares of states by words. Left to right: a triangle, the crosses on empty cells. Both sides: all cells "
        "filled, the crosses too. Masked: one column is empty, the cross in it.",
        "三个“状态 × 词”的方格。从左到右：三角形，叉落在空格上。两侧都看：全部涂色，叉也在其中。遮住：有一列全空，叉就在这一列。",
    ),
)
print(t("largest influence of the answer:", "答案的影响最大为："), leaks)
assert leaks[0] == leaks[2] == 0 < leaks[1]

# %% [markdown] key="leak-seen" lang="en"
# **What to see.** In the middle the crosses lie on blue: the state that is asked for a word has read that word. On the right
# a whole *column* is white: the word is not in the input, nobody has read it, and all others see each other freely.
# That is BERT's step. Not the architecture was missing but something to ask: hide some words and ask for *them*. The paper calls
# it a **masked language model** (MLM). For a text $x$ with the masked positions $M$ and the masked text $\hat x$,
#
# $$\mathcal L_{MLM} = -\frac{1}{|M|}\sum_{i \in M} \log p(x_i \mid \hat x).$$
#
# What about ELMo's way, two one-sided stacks joined on top? Neither leaks. But until the top no vector has seen both sides:
# "strictly less powerful than a deep bidirectional model", says the paper (section 5.1). Lesson 15 has a small world in which
# that difference is everything.

# %% [markdown] key="leak-seen" lang="zh" follows="e91bb881"
# **看什么。** 中图的叉都落在蓝色上：负责答出某个词的那个状态，早已读过这个词。右图有一整*列*是白的：这个词根本不在输入里，谁也没读过，其余的词却可以随便互看。这就是 BERT 迈出的一步。先前缺的不是网络结构，而是一个问得成的问题：遮住几个词，就问*这几个*。论文称之为**掩码语言模型**（MLM）。设文本为 $x$，被遮的位置为 $M$，遮过之后的文本为 $\hat x$：
#
# $$\mathcal L_{MLM} = -\frac{1}{|M|}\sum_{i \in M} \log p(x_i \mid \hat x)$$
#
# 那么 ELMo 的办法呢，两个单向网络，到顶层拼起来？都不泄漏。可是在顶层之前，没有哪个向量看过两侧：论文说它“严格弱于深层双向模型”（5.1 节）。第 15 课造了一个小世界，在那里，成败全看这一点差别。

# %% [markdown] key="text" lang="en"
# ## 2 · The input has three parts
#
# The text of this lesson is Rivertown, the small town that ships with the course; its documents have borders, which section
# 4 needs. It is cut into word pieces, as in lesson 13: frequent words are one piece, rare ones several; `##` goes on with a word.

# %% [markdown] key="text" lang="zh" follows="72edec22"
# ## 2 · 输入由三部分相加
#
# 本课的文本是随课程提供的河湾镇（Rivertown）语料；它的文档有边界，第 4 节用得着。BERT 的中文版**按字切分**，这里也一样。为什么？汉语没有空格，分词会出错，而错的切分一旦进了输入就改不回来；词表也大得多，“苹果树”“苹果汁”“苹果公司”要各占一行，而常用字不过几千。代价是：“苹果”成了两个词片。英文版用的是上一课的词片：常用词是一片，少见的词是几片，以 `##` 接续。


# %% key="text-read"
class Characters(Pieces):
    """Each character a piece of its own, as in BERT's Chinese edition."""

    def pieces_of(self, words):
        """Return the numbers of each word's characters."""
        return [[self.ids.get(c, UNK) for c in word] for word in words]


corpus = data.load(
    f"rivertown-{t.language}", tokens=course_lib.by_profile(full=300_000, quick=30_000)
)
documents = [
    [[w.lower() for w in s] for s in d]
    for d in tqdm(corpus.documents(), unit=" texts", file=sys.stdout)
]
training, unseen = (
    read_text([d for n, d in enumerate(documents) if (n % 20 == 19) == out], window=sys.maxsize)
    for out in (False, True)
)  # fmt: skip
counts = tiny_bert.word_counts(training)
if t.language == "en":
    pieces = Pieces.learn(counts, course_lib.by_profile(full=1500, quick=600))
else:
    frequent = {}
    for word, n in counts.items():
        for c in word:
            frequent[c] = frequent.get(c, 0) + n
    pieces = Characters([*MARKS, *sorted(frequent, key=lambda c: (-frequent[c], c))])
text, held_out = (PieceText.of(part, pieces) for part in (training, unseen))
print(f"{len(text.ids):,}", t("pieces of text,", "个词片的文本，"), f"{len(pieces):,}", t("different ones; for example:", "种不同的词片；例如："))  # fmt: skip
print([pieces.words[i] for i in text.ids[text.sentences[5] : text.sentences[6]]])

# %% [markdown] key="three" lang="en"
# BERT reads one text or two. A pair, such as a question and an answer, is written in one row:
# `[CLS] A … [SEP] B … [SEP]`. Then each place $i$ gets the sum of three vectors, all of them learned:
#
# $$x_i = E_{piece}[w_i] + E_{segment}[s_i] + E_{position}[i], \qquad s_i = 0 \text{ up to the first } [SEP], \text{ then } 1.$$
#
# Some accounts call the second part a "sentence embedding". It is no vector of a sentence: there are two of them,
# one for "first segment" and one for "second", and a segment may be several sentences. `[CLS]` has no meaning of its own;
# what the network gathers at its place decides about the row.
#
# ![A pair of texts in one row of pieces, CLS where did she sit SEP she sat on the MASK SEP, and above each piece three learned vectors that are added: for the piece, for its segment (A up to the first SEP, then B) and for its position, counted from 0; the sum goes through a layer norm into the Transformer.](drawing:bert_input)

# %% [markdown] key="three" lang="zh" follows="5ef94e84"
# BERT 读一段文本，或者两段。两段（比如一问一答）写成一行：`[CLS] A … [SEP] B … [SEP]`。然后，每个位置 $i$ 得到三个向量之和，三个都是学来的：
#
# $$x_i = E_{词片}[w_i] + E_{段}[s_i] + E_{位置}[i], \qquad \text{第一个 } [SEP] \text{ 为止 } s_i = 0\text{，其后 } s_i = 1$$
#
# 有些文章把第二部分叫作“句子嵌入”。它可不是哪个句子的向量：一共只有两个，一个表示“第一段”，一个表示“第二段”；而一段可以有好几句话。`[CLS]` 本身没有意思，网络在它那个位置上汇集起来的东西，用来对整行下判断。
#
# ![一对文本写成一行词片：CLS 她吃了什么 SEP 她吃了 MASK 果 SEP，每个词片上面有三个学来的向量相加：词片的、段的（到第一个 SEP 为止是 A，其后是 B）、位置的（从 0 数起）；三者之和经过层归一化，进入 Transformer。](drawing:bert_input)

# %% key="three-run"
course_lib.source(bert.join, bert.segments, bert.BERT.embed)
PAIR = {
    "en": ["where did she sit ?", "she sat on the bank ."],
    "zh": ["她 吃 了 什么 ？", "她 吃 了 苹果 。"],
}[t.language]
row = bert.join(*(pieces.encode(part.split()) for part in PAIR))
numbers = bert.segments(torch.tensor([row]))[0].tolist()
figure, axis = plt.subplots(figsize=(9.6, 2.1))
colours = ["#9CC9E8", "#F2C572"]
NAMES = [t("position", "位置"), t("segment", "段"), t("piece", "词片")]
for place, (piece, segment) in enumerate(zip(row, numbers, strict=True)):
    cells = [str(place), "AB"[segment], pieces.words[piece]]
    shades = ["white", colours[segment], "#DDDDDD" if piece < len(MARKS) else "white"]
    for level, (cell, shade) in enumerate(zip(cells, shades, strict=True)):
        axis.add_patch(
            plt.Rectangle((place, level), 0.94, 0.8, facecolor=shade, edgecolor="0.4")
        )
        axis.text(place + 0.47, level + 0.4, cell, ha="center", va="center", fontsize=8)  # fmt: skip
for level, name in enumerate(NAMES):
    axis.text(-0.2, level + 0.4, name, ha="right", va="center", fontsize=9)
axis.set_xlim(-1.4, len(row))
axis.set_ylim(-0.1, 3)
axis.set_axis_off()
course_lib.show(
    figure,
    alt=t(
        "A row of boxes for a pair of texts: above the pieces with [CLS] and [SEP], below them the segment A or B, below that the position 0, 1, 2 and so on.",
        "一对文本排成一行格子：上面是词片，带 [CLS] 和 [SEP]；中间是段 A 或 B；下面是位置 0、1、2……",
    ),
)

# %% [markdown] key="three-seen" lang="en"
# **What to see.** The first `[SEP]` still belongs to A, the last one to B; positions go on counting. A piece with an unknown
# letter would be `[UNK]`.

# %% [markdown] key="three-seen" lang="zh" follows="74a0217c"
# **看什么。** 第一个 `[SEP]` 还属于 A，最后一个属于 B；位置一直往下数，不从头来。没见过的字是 `[UNK]`。

# %% [markdown] key="mask" lang="en"
# ## 3 · Masking, with dice
#
# Which pieces are hidden? Each is chosen with probability 15 %. (Of *pieces*, not of words: a rare word of four pieces is
# rarely hidden as a whole.) For a chosen piece a second die is thrown:
#
# * 80 %: `[MASK]` is put in its place;
# * 10 %: another piece, drawn at random;
# * 10 %: it stays as it is.
#
# All three are to be predicted. Why not always `[MASK]`? Because no task ever has a `[MASK]` in it: the network would only ever
# be asked at a place that it can recognise. With the 10 + 10 % it must have an answer ready at *every* place. Marks such as
# `[SEP]` are never chosen.

# %% [markdown] key="mask" lang="zh" follows="ee31aa41"
# ## 3 · 掷骰子，定掩码
#
# 遮哪些词片？每个词片以 15% 的概率被选中。（是*词片*的 15%，不是词的：由四个词片组成的词，很少会整个被遮住。）选中之后再掷一次骰子：
#
# * 80%：换成 `[MASK]`；
# * 10%：换成随机抽的另一个词片；
# * 10%：原样不动。
#
# 三种情况都要预测。为什么不总用 `[MASK]`？因为真正的任务里从来没有 `[MASK]`：那样的话，网络只在认得出来的位置上才被提问。有了这 10% + 10%，它在*每个*位置都得备好答案。`[SEP]` 之类的标记从不选中。
#
# 按字切分带来一个问题：“手”和“机”里只遮一个“机”，看着“手”就猜得出，用不着读句子。后来的**全词掩码**（whole word masking）把一个词的所有字一起遮住，正是为此（Cui 等，2019，把它用到了中文上）。原来的 BERT 没有这样做，这里也没有。

# %% key="mask-run"
course_lib.source(bert.mask_pieces)
rng = np.random.default_rng(14)
line = np.array([row])
for _ in range(4):
    read, targets = bert.mask_pieces(line, len(pieces), rng, bert.Masking(share=0.3))
    shown = [f"{pieces.words[a]}←{pieces.words[b]}" if b != IGNORE else pieces.words[a] for a, b in zip(read[0], targets[0], strict=True)]  # fmt: skip
    print(" ".join(shown))

# %% [markdown] key="mask-count" lang="en"
# (Here 30 %, so that there is something to see; `a←b`: `a` is read, `b` is to be predicted.) Now the dice in numbers: all the
# training text, once, at the usual 15 %.

# %% [markdown] key="mask-count" lang="zh" follows="6e4f8718"
# （这里用 30%，为的是多看到几处；`a←b` 表示读到的是 `a`，要预测的是 `b`。）再来数一数：全部训练文本掷一遍，用通常的 15%。

# %% key="mask-table"
everything = text.ids[None]  # (1, N)
read, targets = bert.mask_pieces(everything, len(pieces), rng)
chosen = targets != IGNORE
N = everything.size
expected = {
    t("[MASK]", "[MASK]"): ((chosen & (read == MASK)).sum(), 0.15 * 0.8),
    t("another piece", "另一个词片"): (
        (chosen & (read != MASK) & (read != everything)).sum(),
        0.15 * 0.1 * (1 - 1 / (len(pieces) - len(MARKS))),
    ),
    t("not chosen", "未选中"): ((~chosen).sum(), 0.85),
}
claims.show_table(
    [t("piece becomes", "词片变成"), t("times", "次数"), t("share, %", "占比（%）"), t("expected, %", "期望（%）"), t("differs by (standard errors)", "相差（标准误）")],
    [(name, f"{n:,}", f"{100 * n / N:.3f}", f"{100 * p:.3f}", f"{(n / N - p) / math.sqrt(p * (1 - p) / N):+.1f}") for name, (n, p) in expected.items()],
)  # fmt: skip
cut = pieces.pieces_of(training.words[2:])
several = [w for w, own in zip(training.words[2:], cut, strict=True) if len(own) > 1]
share = sum(counts[w] for w in several) / sum(counts.values())
print(t("words of several pieces:", "由几个词片组成的词："), f"{share:.0%}")

# %% [markdown] key="mask-seen" lang="en"
# **What to see.** Two standard errors more or less are nothing; ten would be a mistake in the code. (The missing row, a piece
# that stays as it is, is what is left; a random piece is the old one now and then.)
#
# A price: only 15 % of the pieces teach anything in a step, where a language model learns from every one. The paper
# measured that the masked model is slower to converge, and ahead of the left-to-right one almost at once (appendix C.1).

# %% [markdown] key="mask-seen" lang="zh" follows="0f5ac61d"
# **看什么。** 相差一两个标准误不算什么；相差十个，就是代码写错了。（没列出的一行是“原样不动”，就是剩下的那些；随机抽的词片偶尔正好是原来那个。）
#
# 代价是，每一步只有 15% 的词片教给它东西，而语言模型从每个词片都学得到。论文测得，掩码模型收敛慢一些，但几乎一开始就超过了从左到右的模型（附录 C.1）。

# %% [markdown] key="pairs" lang="en"
# ## 4 · Does B follow A?
#
# Tasks such as answering questions are about two texts, and a word that is hidden teaches little about that. So the paper has a
# second question, **next sentence prediction** (NSP): half of the time B is what really follows A in its document, half of the
# time it comes from another document. What `[CLS]` has gathered says which. The loss is the sum of both; labels cost
# nothing, but the text needs documents: shuffled sentences would not do.

# %% [markdown] key="pairs" lang="zh" follows="877c2ac8"
# ## 4 · B 接在 A 后面吗？
#
# 问答之类的任务讲的是两段文本之间的关系，遮住一个词，这方面学不到多少。所以论文还问第二个问题，**下一句预测**（NSP）：一半的句对里，B 确实是文档里 A 的下文；另一半里，B 来自别的文档。是哪一种，由 `[CLS]` 处汇集起来的东西来回答。损失是两项之和。标签不花钱，但语料得分成一篇篇文档：句子打乱了的不行。

# %% key="pairs-run"
course_lib.source(bert.draw_pairs)
pairs = bert.draw_pairs(text, 48, np.random.default_rng(1))
for wanted in (1, 0):
    example = next(r for r, follows in pairs if follows == wanted)
    print(wanted, t(" ", "").join(pieces.decode(example)))
follow = [label for _, label in pairs]
print(
    len(pairs), t("pairs; B follows in", "对；B 是下文的占"), f"{np.mean(follow):.1%}"
)

# %% [markdown] key="pairs-seen" lang="en"
# **What to see.** A and B meet at the border of a sentence, and neither reaches into another document. (What does not fit is
# cut at the far ends.) A wrong B comes from a *different* document: a network that recognises the topic, or a name, need not
# know anything about what follows what. That is one reason why NSP is disputed; section 8 has measurements.

# %% [markdown] key="pairs-seen" lang="zh" follows="9e286f16"
# **看什么。** A 和 B 在句子边界上相接，谁也不跨进另一个文档。（放不下的，从离接缝远的一端剪掉。）错的 B 来自*另一个*文档：网络只要认出话题，或者认出人名，就答得上来，用不着懂得哪句后面该接哪句。NSP 有争议，这是一个原因；测量结果在第 8 节。

# %% [markdown] key="live" lang="en"
# ## 5 · Train a tiny one, live
#
# First the leak once more, now as a training run: the same small network, asked for 15 % of the pieces, with nothing hidden, and
# with BERT's masking.

# %% [markdown] key="live" lang="zh" follows="fbcf581f"
# ## 5 · 现场训练一个小的
#
# 先把第 1 节的泄漏再看一遍，这回真的训练：同一个小网络，都问 15% 的词片，一个什么也不遮，一个照 BERT 的办法遮。

# %% key="live-copy"
from course_lib.training.loop import train

V, CONTEXT = len(pieces), 48
POLICIES = {
    t("nothing hidden", "什么也不遮"): bert.Masking(mask=0.0, random=0.0),
    t("80/10/10", "80/10/10"): bert.STANDARD,
}
steps = course_lib.by_profile(full=250, quick=60)
figure, axis = plt.subplots(figsize=(6.4, 3))
for (name, policy), style in zip(POLICIES.items(), ("-", "--"), strict=True):
    torch.manual_seed(0)
    small = bert.BERT(bert.BERTConfig(1, 48, 4, CONTEXT), V)
    rows = bert.MaskedPairs(text, V, CONTEXT, 16, 0, policy, next_sentence=False)
    run = train(small, rows, epochs=steps / len(rows), learning_rate=5e-3)
    axis.plot(*zip(*run.losses, strict=True), style, label=name)
axis.axhline(math.log(V), color="0.5", lw=1, ls=":")
axis.text(
    steps, math.log(V), t("a blind guess", "瞎猜"), va="bottom", ha="right", fontsize=8
)
axis.set_xlabel(t("step", "步"))
axis.set_ylabel(t("loss, nats a piece", "损失（奈特/词片）"))
axis.legend()
course_lib.show(
    figure,
    alt=t(
        "Loss against steps: with nothing hidden it falls far below that with masks.",
        "损失随步数的变化：什么也不遮时，降得远低于遮住的。",
    ),
)

# %% [markdown] key="live-copy-seen" lang="en"
# **What to see.** The solid line is the more beautiful one, and worthless: the network learns to hand the piece through.

# %% [markdown] key="live-copy-seen" lang="zh" follows="2d93e40d"
# **看什么。** 实线好看得多，却毫无价值：网络只学会了把词片原样递过去。

# %% [markdown] key="live-train" lang="en"
# Now both questions together, two layers, one to two minutes. To know what it has learned, compare with what needs no network:
# guessing each masked piece by its frequency, and tossing a coin for NSP. Predict before you run: which of the two will it
# beat first? (The bar while it trains shows $e$ to the mean of both losses; the table below tells them apart.)

# %% [markdown] key="live-train" lang="zh" follows="2078e4d3"
# 现在两个问题一起问，两层，一到两分钟。要知道它学到了什么，就同不需要网络的办法比：被遮的词片按频率猜，NSP 抛硬币。运行之前先猜：哪一样它会先超过？（训练时进度条报的困惑度，是先把两项损失平均，再取 $e$ 的幂；两项各自多少，看下面的表。）

# %% key="live-run"
torch.manual_seed(14)
tiny = bert.BERT(bert.BERTConfig(2, 96, 4, CONTEXT), V)
blank = copy.deepcopy(tiny)
rows = bert.MaskedPairs(text, V, CONTEXT, 16, seed=0)
began = time.perf_counter()
run = train(
    tiny,
    rows,
    epochs=course_lib.by_profile(full=6, quick=5),
    learning_rate=3e-3,
)
print(t("seconds:", "秒数："), round(time.perf_counter() - began), t("steps:", "步数："), run.step, t("epochs:", "轮数："), round(run.step / len(rows), 1))  # fmt: skip

frequency = np.bincount(text.ids, minlength=V) + 1.0
frequency[: len(MARKS)] = 0  # marks are never asked for
targets = held_out.ids[held_out.ids >= len(MARKS)]
by_frequency = -np.log((frequency / frequency.sum())[targets]).mean()
n_pairs = len(bert.draw_pairs(held_out, CONTEXT, np.random.default_rng((0, 0))))
coin = 1.96 * math.sqrt(0.25 / n_pairs)
claims.show_table(
    [t("held-out text", "留出文本"), t("perplexity of masked pieces", "被遮词片的困惑度"), t("NSP, right", "NSP 正确")],
    [
        (
            t("without a network", "不用网络"),
            f"{math.exp(by_frequency):.0f}",
            f"50.0% ± {coin:.1%}",
        ),
        *(
            (name, f"{of['perplexity']:.0f}", f"{of['NSP']:.1%}")
            for name, of in (
                (t("before training", "训练之前"), tiny_bert.measured_on(held_out, V, blank)),
                (t("after", "训练之后"), tiny_bert.measured_on(held_out, V, tiny)),
            )
        ),
    ],
)  # fmt: skip

# %% [markdown] key="live-seen" lang="en"
# **What to see.** How far below the first row is the perplexity? A part of that is only the frequencies. And NSP: is it
# more than a coin (± says how far a coin strays with so few pairs)? In the run that we measured (English,
# 1,500 steps, one seed) it was right for 51 %, while the perplexity went from 495 by frequency to 325. A pair must be *compared*, and that takes
# longer to learn than which pieces are frequent. BERT's authors trained for 40 epochs over 3.3 billion words (four days on 4 to 16 cloud
# TPUs); nobody's laptop does that in a minute.

# %% [markdown] key="live-seen" lang="zh" follows="2e6c9b88"
# **看什么。** 困惑度比第一行低多少？其中一部分只是学到了频率。NSP 呢，比抛硬币强吗（± 说的是：句对只有这么些，光是硬币自己就会偏多远）？我们测过一次（英文，1500 步，一个种子）：困惑度从按频率猜的 495 降到 325，NSP 却只对了 51%。一对文本要*互相比较*，这比“哪些字常见”难学得多。BERT 的作者用 33 亿词训练了 40 轮（4 到 16 块云 TPU，四天）；哪台笔记本也没法一分钟做到。

# %% [markdown] key="widget" lang="en"
# ## 6 · Who sees whom
#
# Choose a word and a way of looking. The squares are exact; the guesses below are those of models that ship: the biLM of
# lesson 06, in two halves, and a BERT (`bert-en` where your copy has it, else the tiny one from above).

# %% [markdown] key="widget" lang="zh" follows="b28ab571"
# ## 6 · 谁看得见谁
#
# 选一个词，再选一种看的方式。方格图是精确的；下面的猜测出自几个模型：第 06 课的 biLM，分成两半；和一个 BERT。随课程提供的 BERT（`bert-en`）是英文的，中文没有，所以这里用的是刚才训练的那个小模型，它只读过小镇的故事，别指望太多。

# %% key="widget-run"
from course_lib.widgets.who_sees_whom import by_bert, by_bilm, who_sees_whom

try:
    shipped = course_lib.load("bert-en")
except KeyError:
    shipped = None
    print(t("bert-en is not at hand: the tiny BERT stands in", "手头没有 bert-en"))
reader = shipped if shipped and t.language == "en" else (tiny, pieces)
SENTENCES = {
    "en": [
        ("they sat on the bank of the river".split(), 4),
        ("she went to the bank and asked for a loan".split(), 4),
        ("rain stopped play after an hour".split(), 2),
    ],
    "zh": [
        ("树上 的 苹果 又 红 又 甜".split(), 2),
        ("苹果 发布 了 新 手机".split(), 0),
        ("他 每天 给 妈妈 打 电话".split(), 4),
    ],
}[t.language]
who_sees_whom(
    SENTENCES,
    by_bert(*reader),
    by_bilm(course_lib.load(f"elmo-{t.language}")),
    t.language,
)

# %% [markdown] key="gap" lang="en"
# The checkpoint once more, without a picture. It has read a few million words of English; the cell says which, and how well it
# guesses. One word is masked at a time.

# %% [markdown] key="gap" lang="zh" follows="2af3f64d"
# 再单独看看随课程提供的检查点。它只懂英文，读过几百万词；下面会打印读的是什么，猜得多准。每次只遮一个词。

# %% key="gap-run"
from course_lib import checkpoints

if shipped:
    card_text = (checkpoints.folder_of("bert-en") / "README.md").read_text("utf-8")
    for line in card_text.splitlines():
        if line.startswith(("| Model", "| Tokens seen", "| Held-out")):
            print(line)
    GAPS = [
        ("the river overflowed its [MASK] after the rain .", "banks"),
        ("he put his money in the [MASK] .", "bank"),
        ("she ate an [MASK] from the tree .", "apple"),
        ("the children [MASK] playing in the garden .", "were"),
        ("the child [MASK] playing in the garden .", "was"),
    ]
    for sentence, word in GAPS:
        words = sentence.split()
        place = words.index("[MASK]")
        words[place] = word
        found = by_bert(*shipped)(words)[place]
        best = ", ".join(f"{w} {p:.0%}" for w, p in found["words"])
        print(f"{sentence}\n    {best};  {word}: {found['p']:.1%}")
else:
    print(t("bert-en is not at hand in this copy", "这份课程里没有 bert-en"))

# %% [markdown] key="gap-seen" lang="en"
# **What to see.** The last two lines: the ending of the subject stands on the left, the verb form must agree. In the first
# three look for the cue: *river* and *money* stand to the left of the gap, *tree* to the right of it. The probability of the
# word itself says more than the list.

# %% [markdown] key="gap-seen" lang="zh" follows="3fd5bdbb"
# **看什么。** 最后两行：主语是单数还是复数，动词要跟着变。前三行里找找线索：river 和 money 在空格左边，tree 在空格右边。比起前几名的单子，更该看那个词本身的概率。

# %% [markdown] key="heads" lang="en"
# ## 7 · Four kinds of tasks, four small heads
#
# Pre-training is over; now a task. All of BERT is kept, one small layer is new, and *everything* is trained on
# (fine-tuned), with a small rate. In the paper's figure 4:
#
# | task | row | head reads | output |
# |---|---|---|---|
# | one text: topic, sentiment | `[CLS] A [SEP]` | `[CLS]` | classes |
# | a pair: entailment, paraphrase, answer or not | `[CLS] A [SEP] B [SEP]` | `[CLS]` | classes |
# | tagging: names, chunks | `[CLS] A [SEP]` | each word's first piece | tags |
# | a span: where in B is the answer to A? | `[CLS] A [SEP] B [SEP]` | every piece of B | begin and end |
#
# For the span there are two new vectors, $S$ and $E$. With the top layer $T_i$,
#
# $$P^{begin}_i = \frac{e^{S \cdot T_i}}{\sum_j e^{S \cdot T_j}}, \qquad
#   (\hat\imath, \hat\jmath) = \arg\max_{i \le j} \; S \cdot T_i + E \cdot T_j.$$
#
# ![One encoder gives a vector for each piece of the row CLS, A, SEP, B, SEP; in pre-training the masked LM reads the masked place and next sentence prediction reads CLS; in fine-tuning a new layer reads CLS for the class of one text or a pair, each word's first piece for its tag, or all pieces of B for the begin and end of a span.](drawing:bert_heads)

# %% [markdown] key="heads" lang="zh" follows="6318c23c"
# ## 7 · 四类任务，四个小小的头
#
# 预训练到此为止，该做任务了。整个 BERT 都留着，只新加小小的一层，然后*全部*接着训练（微调），学习率很小。按论文图 4：
#
# | 任务 | 行 | 头读哪里 | 输出 |
# |---|---|---|---|
# | 单个文本：话题、情感 | `[CLS] A [SEP]` | `[CLS]` | 类别 |
# | 一对：蕴含、同义、是不是答案 | `[CLS] A [SEP] B [SEP]` | `[CLS]` | 类别 |
# | 标注：人名地名、组块 | `[CLS] A [SEP]` | 每个词的第一个词片 | 标签 |
# | 片段抽取：A 的答案在 B 的哪里？ | `[CLS] A [SEP] B [SEP]` | B 的每个词片 | 起点和终点 |
#
# 片段抽取多了两个向量 $S$ 和 $E$。设顶层为 $T_i$：
#
# $$P^{起}_i = \frac{e^{S \cdot T_i}}{\sum_j e^{S \cdot T_j}}, \qquad
#   (\hat\imath, \hat\jmath) = \arg\max_{i \le j} \; S \cdot T_i + E \cdot T_j$$
#
# ![同一个编码器给一行里的每个词片一个向量，行里依次是 CLS、A、SEP、B、SEP；预训练时，掩码语言模型读被遮住的位置，下一句预测读 CLS；微调时新加一层：单句或句对的类别读 CLS，序列标注读每个词的第一个词片，片段抽取读 B 的所有词片，给出起点和终点。](drawing:bert_heads)

# %% key="heads-shapes"
course_lib.source(bert.TokenClassifier.forward, bert.best_span)
batch = torch.tensor([row, row])  # (2, T): the pair of section 2, twice
HEADS = {
    t("sentence or pair, 3 classes", "单句或句对，3 类"): bert.Classifier(copy.deepcopy(tiny), 3),
    t("tags, 5 kinds", "标注，5 种"): bert.TokenClassifier(copy.deepcopy(tiny), 5),
    t("span", "片段抽取"): bert.SpanFinder(copy.deepcopy(tiny)),
}  # fmt: skip
lines = []
for name, head in HEADS.items():
    with torch.no_grad():
        logits = head.eval()(batch)
    new = sum(p.numel() for p in head.head.parameters())
    whole = sum(p.numel() for p in head.parameters())
    lines.append((name, str(tuple(batch.shape)), str(tuple(logits.shape)), f"{new:,}", f"{whole:,}"))  # fmt: skip
claims.show_table([t("head", "头"), t("rows", "输入"), t("scores", "输出"), t("new parameters", "新参数"), t("of", "共")], lines)  # fmt: skip
begin, end = bert.best_span(logits)[0].tolist()
print(t("an untrained head's answer:", "没训练过的头给的答案："), [pieces.words[i] for i in row[begin : end + 1]])  # fmt: skip

# %% [markdown] key="heads-live" lang="en"
# **What to see.** Next to nothing is new: whatever the head can do must come from below. Live, on a small scale: chunks in
# Rivertown sentences, with the tiny BERT from above and with the same network before it had read anything. One draw of
# labels, one seed.

# %% [markdown] key="heads-live" lang="zh" follows="463b80fa"
# **看什么。** 新参数少得可怜：头能做到什么，都得靠下面的网络。现场小规模试一次：给小镇的句子标组块，一边是刚才训练的小 BERT，一边是同样的网络，但什么也没读过。标注只抽一次，一个种子。

# %% key="heads-train"
from course_lib.training.fine_tune_bert import Sequences, predicted, tagged_row
from course_lib.training.fine_tune_bert import layers as layers_of

chunks = data.load(f"rivertown-{t.language}-chunks")
n, asked = course_lib.by_profile(full=(200, 300), quick=(60, 60))
parts = [chunks.split("train")[:n], chunks.split("test")[:asked]]
tags = sorted({tag for part in parts for e in part for tag in e.tags})
(learn, wanted), (ask, right) = (
    zip(*(tagged_row(pieces, e, tags, CONTEXT) for e in part)) for part in parts
)
task = experiments.RowTask(
    "chunks", tags, list(learn), list(wanted), list(ask), list(right)
)
scores = {}
for name, encoder in (
    (t("tiny BERT", "小 BERT"), tiny),
    (t("untrained", "没训练过的"), blank),
):
    torch.manual_seed(0)
    model = bert.TokenClassifier(copy.deepcopy(encoder), len(tags))
    batches = Sequences(learn, wanted, 16, seed=0)
    epochs = course_lib.by_profile(full=100, quick=20) / len(batches)
    train(model, batches, epochs, learning_rate=1e-3)
    scores[name] = experiments.score(task, predicted(model, ask))
claims.show_table([t(f"chunks, F1, {n} sentences to learn from", f"组块 F1，{n} 个句子可学"), "%"],
           [(name, f"{100 * value:.1f}") for name, value in scores.items()])  # fmt: skip

# %% [markdown] key="heads-seen" lang="en"
# **What to see.** After a minute of pre-training the two may well be close, in either order. Small encoders learn chunks from labels alone
# quickly enough; that is why section 8 asks of every ablation first whether pre-training brought anything at all.

# %% [markdown] key="heads-seen" lang="zh" follows="3dc7ce5e"
# **看什么。** 只预训练了一分钟，两者很可能差不多，谁高谁低都不奇怪。小网络单靠标注，学组块也够快；所以第 8 节看每一项消融，都先问预训练到底带来了什么没有。

# %% [markdown] key="generate" lang="en"
# ### Why is generation not among the four?
#
# A language model multiplies: $p(x) = \prod_t p(x_t \mid x_{<t})$ gives a whole text, word by word. BERT has
# $p(x_i \mid \hat x)$ only: one gap, all the rest given. Two gaps are each filled *on their own*, and may not fit together.
# Look at two gaps in a row.

# %% [markdown] key="generate" lang="zh" follows="8b1249bf"
# ### 为什么四类里没有生成？
#
# 语言模型可以连乘：$p(x) = \prod_t p(x_t \mid x_{<t})$，一个词接一个词，写得出整篇。BERT 只有 $p(x_i \mid \hat x)$：一个空格，其余全给定。两个空格是*各填各的*，凑在一起未必通。看看连着的两个空格。

# %% key="generate-run"
start, ending = t(("he came from", "last year ."), ("她 在", "里 吃 饭 。"))
model, own = reader
start, ending = (own.encode(part.split()) for part in (start, ending))
gap = [CLS, *start, MASK, MASK, *ending, SEP]
places = [len(start) + 1, len(start) + 2]


@torch.no_grad()
def best(row, place, k=4):
    """Return the likeliest pieces at a place."""
    scores = model.logits(model.eval()(torch.tensor([row])))[0, place].softmax(dim=0)
    scores[: len(MARKS)] = 0
    p, i = scores.topk(k)
    listed = [f"{own.words[j]} {q:.0%}" for j, q in zip(i.tolist(), p.tolist())]
    return listed, int(i[0]), scores


(first, one, _), (second, _, before) = (best(gap, place) for place in places)
print(t("first gap: ", "第一个空："), first)
print(t("second gap:", "第二个空："), second)
filled = [*gap[: places[0]], one, *gap[places[0] + 1 :]]
third, _, after = best(filled, places[1])
print(t("second gap, when the first is filled:", "填好第一个之后，第二个空："), third)
print(t("how far its two distributions are apart (0 to 1):", "它前后两个分布的距离（0 到 1）："), f"{float((before - after).abs().sum() / 2):.2f}")  # fmt: skip

# %% [markdown] key="generate-seen" lang="en"
# **What to see.** The last number (the total variation distance) says how much the second gap depends on how the first one was
# filled; before, neither knew of the other. A model that has learned little is not moved. One can go on filling from left to
# right; but in what order, and how many gaps there are to be, the model does not say. Encoders and decoders can be *begun* from
# such weights (lesson 12's idea), and later models were trained for it.

# %% [markdown] key="generate-seen" lang="zh" follows="46005ad1"
# **看什么。** 最后一个数（全变差距离）说明第二个空格在多大程度上取决于第一个怎么填；在那之前，两个空格互不知情。学得少的模型，这个数也就小。当然可以从左到右一个一个填；可是按什么次序、一共该有几个空格，模型都不会告诉你。用这样的权重来*初始化*编码器和解码器是可以的（第 12 课的想法），后来也有专为生成训练的模型。

# %% [markdown] key="measured" lang="en"
# ## 8 · What was measured
#
# The paper takes BERT apart: other masking, no NSP, left to right. We repeat that with tiny BERTs (two layers,
# eighteen million pieces of Rivertown, minutes of training). Each way was pre-trained *once*. The standard one was pre-trained twice, with different starts: the **twins**
# show that two pre-trainings differ even if their recipe is the same. First: what did each way learn?

# %% [markdown] key="measured" lang="zh" follows="141db4ae"
# ## 8 · 测到了什么
#
# 论文把 BERT 一件件拆开看：换掩码的办法，不要 NSP，从左到右。我们用很小的 BERT 重做（两层，读一千八百万个词片的小镇英文，训练几分钟）。每种办法只预训练了*一次*。标准的那个预训练了两次，只是起点不同：看这对**双胞胎**就知道，配方一样，两次预训练也会有差别。先看每种办法学到了什么。

# %% key="measured-learned" fold=true
masking, ablation = (
    claims.card(key).rows for key in ("robust-to-masking", "next-sentence")
)
WAYS = {
    "80/10/10": "80/10/10",
    "80/10/10 again": t("80/10/10, the twin", "80/10/10，双胞胎"),
    "100/0/0": t("always [MASK]", "总用 [MASK]"),
    "80/20/0": t("80 [MASK], 20 another", "80% [MASK]，20% 换成别的"),
    "0/100/0": t("always another piece", "总换成别的词片"),
    "no NSP": t("no NSP", "不要 NSP"),
    "left to right, no NSP": t("left to right, no NSP", "从左到右，不要 NSP"),
    "untrained": t("untrained", "没训练过"),
}
TASKS = {
    "chunks, fine-tuned": t("chunks, fine-tuned", "组块，微调"),
    "chunks, frozen": t("chunks, frozen", "组块，冻结"),
    "sentiment, fine-tuned": t("sentiment, fine-tuned", "情感，微调"),
    "questions, fine-tuned": t("does it answer? fine-tuned", "是不是答案，微调"),
    "same document, fine-tuned": t("same document? fine-tuned", "同一文档吗，微调"),
}


def learned(rows):
    """Return what each way of pre-training had learned of held-out text, by name."""
    of = {(r["model"], r["metric"]): r["value"] for r in rows if r["condition"] == "held out"}  # fmt: skip
    return {
        name: (f"{of[way, 'perplexity']:.0f}", f"{of[way, 'NSP']:.1%}" if (way, "NSP") in of else "–")
        for way, name in WAYS.items()
        if (way, "perplexity") in of
    }  # fmt: skip


if masking or ablation:
    claims.show_table(
        [t("pre-trained with", "预训练的办法"), t("perplexity of what it predicts", "要猜的词片的困惑度"), t("NSP, right", "NSP 正确")],
        [(name, *cells) for name, cells in (learned(masking) | learned(ablation)).items()],
    )  # fmt: skip

# %% [markdown] key="measured-learned-seen" lang="en"
# **What to see.** Each way is asked with the masks that it learned with, so the perplexities answer different
# questions: “always another piece” must find out which pieces to doubt, left to right is asked for every piece,
# with one side only. Compare each with what no network knows (section 5), the twins with each other, and look
# whether NSP was learned: 50 % is a coin. The twins differ in nothing but their start, and have learned to fill
# gaps about equally well; but one knows 71 % of the pairs, the other has learned nothing about them.

# %% [markdown] key="measured-learned-seen" lang="zh" follows="97f21b63"
# **看什么。** 每种办法都用自己训练时的掩码来考，所以各个困惑度答的不是同一道题：“总换成别的词片”先得看出哪个词片可疑，从左到右每个词片都要猜，而且只给一侧。该比的是：每一种同“不用网络”的（第 5 节）比，双胞胎互相比；再看 NSP 学会了没有：50% 就是抛硬币。双胞胎只有起点不同，填空的本事差不多；可是句对一个答对 71%，另一个什么也没学到。

# %% key="measured-picture" fold=true


def dots(rows, title):
    """Draw each way's scores with intervals, a panel for each task."""
    names = claims.conditions(rows, "score")
    spans = claims.over_seeds(rows, "score")
    ways = [way for way in WAYS if (way, names[0]) in spans]
    figure, axes = plt.subplots(1, len(names), figsize=(2.7 * len(names) + 1.6, 2.9), sharey=True, squeeze=False)  # fmt: skip
    for ax, name in zip(axes[0], names, strict=True):
        for y, way in enumerate(ways):
            middle, low, high = (100 * x for x in spans[way, name])
            ax.errorbar(middle, y, xerr=np.nan_to_num([[middle - low], [high - middle]]), fmt="o", color="C0" if way in tiny_bert.TWINS else "C1", capsize=3, ms=5)  # fmt: skip
        ax.set_title(TASKS.get(name, name), fontsize=9)
        ax.set_xlabel(t("%", "得分（%）"))
        ax.grid(axis="x", alpha=0.3)
    axes[0, 0].set_yticks(range(len(ways)), [WAYS[way] for way in ways])
    axes[0, 0].invert_yaxis()
    seeds = len({row["seed"] for row in rows})
    course_lib.show(figure, alt=title)
    print(t(f"{seeds} seed(s); bars: 95 % intervals; blue: the twins", f"{seeds} 个种子；短线为 95% 区间；蓝色是双胞胎"))  # fmt: skip


if masking:
    dots(masking, t("Scores of each masking policy on three tasks, with intervals.", "各种掩码办法在三项任务上的得分，带区间。"))  # fmt: skip
if ablation:
    dots(ablation, t("Scores without NSP, and left to right, on four tasks, with intervals.", "不要 NSP、从左到右，在四项任务上的得分，带区间。"))  # fmt: skip

# %% [markdown] key="measured-seen" lang="en"
# **What to see.** In each panel first the last row: where nothing is above the untrained network, the panel says
# nothing of pre-training. At telling good reviews from bad ones all are even worse than it (52 to 64 % against 73 %; we do not know why), at
# *same document?* all are within 2 points of a coin, and at *does it answer?* only left to right is above it. Left are the chunks:
#
# | chunks, minus 80/10/10, points of F1 | fine-tuned | frozen |
# |---|---|---|
# | its twin | 0.0 [−0.5, 0.5] | +1.6 [0.8, 2.4] |
# | always [MASK] | −1.9 [−2.4, −1.5] | −1.1 [−2.0, −0.3] |
# | 80 [MASK], 20 another | −0.1 [−0.5, 0.2] | +2.0 [1.3, 2.6] |
# | always another piece | −3.6 [−4.2, −3.1] | −1.0 [−1.7, −0.3] |
# | no NSP | +0.2 [−0.1, 0.6] | |
# | left to right, no NSP | −2.0 [−2.6, −1.3] | |
#
# The intervals are tight, and yet nothing follows for the *ways*. A seed draws labels, heads and noise; the pre-training
# below is the same for all ten. In the last column the twin is “significantly” better than its equal, and further away than always [MASK]. So ten seeds tell this BERT from
# that one, not one recipe from another. And one pair of twins shows that pre-trainings differ, not how far they may: 2.0 is more
# than theirs in the first column, but that is no test. It would take several pre-trainings of each way, with seeds of
# their own.

# %% [markdown] key="measured-seen" lang="zh" follows="1a0ddb03"
# **看什么。** 每个小图先看最后一行：谁都不比没训练过的网络好，这个小图就说明不了预训练有什么用。分好评差评，全都不如它（52% 到 64%，对 73%；原因我们还不知道）；“同一文档吗”，全都离抛硬币不到 2 个点；“是不是答案”，只有从左到右的超过它。剩下的是组块：
#
# | 组块，减去 80/10/10，F1 的点数 | 微调 | 冻结 |
# |---|---|---|
# | 它的双胞胎 | 0.0 [−0.5, 0.5] | +1.6 [0.8, 2.4] |
# | 总用 [MASK] | −1.9 [−2.4, −1.5] | −1.1 [−2.0, −0.3] |
# | 80% [MASK]，20% 换成别的 | −0.1 [−0.5, 0.2] | +2.0 [1.3, 2.6] |
# | 总换成别的词片 | −3.6 [−4.2, −3.1] | −1.0 [−1.7, −0.3] |
# | 不要 NSP | +0.2 [−0.1, 0.6] | |
# | 从左到右，不要 NSP | −2.0 [−2.6, −1.3] | |
#
# 区间都很窄，可是关于*办法*，什么也推不出来。种子抽的是标注、分类头和噪声；下面的预训练，十个种子用的是同一次。最后一列里，双胞胎“显著”好过和它一样的那个，差得比总用 [MASK] 还多。所以十个种子分得出的是这一个 BERT 和那一个，不是这种配方和那种配方。而且一对双胞胎只说明预训练之间会有差别，没说明最多能差多少：第一列的 2.0 固然比它们之差大，但这不算检验。要检验，每种办法都得用不同的种子预训练好几次。

# %% [markdown] key="rules" lang="en"
# ## 9 · Claims
#
# Four cards of twelve. The two in the middle say *cannot tell*, however tight their intervals: section 8 says why. The last card reads the layers of
# one BERT, the checkpoint that ships (`bert-en`), on real text: there both sides of each difference come from the same pre-training, and the
# seeds, which draw the sentences to learn from, say something about it.
#
# More claims about this lesson, such as what 80/10/10 is for, whether frozen features do as well, and what is too large for two
# cores: the book's claims page, and `python -m course_lib claims list`.

# %% [markdown] key="rules" lang="zh" follows="ca869f45"
# ## 9 · 论断
#
# 十二张卡片里的四张。中间两张的区间再窄，也写着“看不出”，原因见第 8 节。最后一张读的是同一个 BERT 的各层，就是随课程提供的检查点（`bert-en`），文本是真实的（英文）：相减的两边出自同一次预训练，种子抽的是用来学的句子，所以关于它，种子说得出话来。
#
# 这一课还有别的说法，比如 80/10/10 是为了什么，冻结的特征是不是一样好，以及两核的电脑检验不了的那些：见书中的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="rules-run" fold=true
gradients = [
    {t("way", "怎样看"): name, t("influence of the answer", "答案的影响"): f"{leak:.2g}"}
    for name, leak in zip(PANELS, leaks)
]
claims.card("gpt-plus-two-directions").show(t, here=gradients)
for key in ("next-sentence", "both-sides", "not-the-last-layer"):
    claims.card(key).show(t)

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The probe of every lesson: do the vectors of an ambiguous word in its sentences keep the senses apart? A word's vector is the
# mean of its pieces'.

# %% [markdown] key="scoreboard" lang="zh" follows="f328c5ee"
# ## 记分牌
#
# 每课都做的那个测试：一个多义词在各个句子里的向量，能不能把义项分开？词的向量取它各个字的平均。这里用的是刚才训练的小模型，它只读过小镇的故事，例句里有许多字没见过。

# %% key="scoreboard-row"
from course_lib.analysis import senses

annotated = data.senses(t.language)


def at_target(model, own, room):
    """Return each layer's vector of the ambiguous word: (L+1, N, D)."""
    found = []
    for s in tqdm(annotated, file=sys.stdout):
        cut = own.pieces_of(s.tokens)
        ends = np.cumsum([len(word) for word in cut])
        a, b = int(ends[s.target_index] - len(cut[s.target_index])), int(ends[s.target_index])  # fmt: skip
        begin = max(0, min(a - room // 2, int(ends[-1]) - room + 2))
        whole = [i for word in cut for i in word][begin : begin + room - 2]
        states = layers_of(model, torch.tensor([bert.join(whole)]))[:, 0]  # (L+1, T, D)
        found.append(states[:, a - begin + 1 : b - begin + 1].mean(dim=1).numpy())
    return np.stack(found, axis=1)


board = {}
own_name = "bert-en" if reader[0] is not tiny else t("tiny BERT", "小 BERT")
torch.manual_seed(14)
unread = bert.BERT(reader[0].config, len(reader[1]))
for name, model in {own_name: reader[0], t("the same sizes, untrained", "同样大小，没训练过"): unread}.items():  # fmt: skip
    own = reader[1]
    by_layer = [senses.macro(senses.by_word(x, annotated)) for x in at_target(model, own, model.config.context)]  # fmt: skip
    best_layer = max(
        range(1, len(by_layer)), key=lambda k: by_layer[k]["nearest_centroid"]
    )
    board[name + t(f", layer {best_layer}", f"，第 {best_layer} 层")] = by_layer[best_layer]  # fmt: skip
static = course_lib.load(f"static-{t.language}")
board[t("averaged static context", "静态上下文平均")] = claims.context_scores(static, t.language)  # fmt: skip
display(HTML(claims.sense_table(board, t)))
print(t("parameters:", "参数："), f"{sum(p.numel() for p in reader[0].parameters()):,}")

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "14")

# %% [markdown] key="board-seen" lang="en"
# **What to see.** For senses BERT's last block is the best line of the board, and at the gap it is the best or cannot be told from the biLM; for parts
# of speech and chunks the biLM stays ahead. BERT has read its text 27 times: an objective, a network, the amount read, all differ at
# once.

# %% [markdown] key="board-seen" lang="zh" follows="11c56731"
# **看什么。** BERT 只发布了英文的，中文榜上没有。英文版的榜上，BERT 最后一块的义项全榜最好，填空最好，或与 biLM 分不出高下；词性和组块仍是 biLM 领先。BERT 把它的文本读了 27 遍：目标、网络、读的量，样样都不同。

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** You take away GPT's causal mask and go on training it to predict the next
# piece. What happens?
#
# <details><summary>A. It becomes BERT: GPT with two directions.</summary>
#
# Not quite: a well-known formula, and wrong. With both sides in view the old question
# answers itself; BERT needed a new question.
#
# </details>
#
# <details><summary>B. The loss falls towards 0, and it learns to hand the next piece
# through.</summary>
#
# Right. Every place can see the piece that it is asked for. Hide some pieces, and ask
# for these: that is the masked language model.
#
# </details>
#
# <details><summary>C. It becomes a better language model, for it now sees the
# right-hand side, too.</summary>
#
# Not quite: it sees the *answer*. No text that it has to write will have one.
#
# </details>
#
# ---
#
# **2.** A rare word is cut into four pieces. How often are all four chosen to be
# predicted at the same time?
#
# <details><summary>A. About once in 2,000 occurrences.</summary>
#
# Right. 0.15 to the power of 4. Mostly the rest of the word is there and gives the
# missing piece away; whole-word masking was invented against that.
#
# </details>
#
# <details><summary>B. In 15 % of its occurrences.</summary>
#
# Not quite: 15 % of the *pieces* are chosen, each on its own, not of the words.
#
# </details>
#
# <details><summary>C. In 60 %: four times 15 %.</summary>
#
# Not quite: that is (roughly) how often *at least one* would be chosen, and for that,
# too, the sum is wrong: it is 48 %.
#
# </details>
#
# ---
#
# **3.** A pair is written `[CLS] a b [SEP] c d e [SEP]`. What are its segment numbers?
#
# <details><summary>A. 0 0 0 0 1 1 1 1</summary>
#
# Right. Two learned vectors, one for each number. A segment may hold several sentences.
#
# </details>
#
# <details><summary>B. 0 0 0 1 1 1 1 1</summary>
#
# Not quite: the first `[SEP]` still belongs to A.
#
# </details>
#
# <details><summary>C. One vector for the first sentence, one for the second, computed
# from their words.</summary>
#
# Not quite: the name "sentence embedding" suggests that. Segment vectors are the same
# for all texts.
#
# </details>
#
# ---
#
# **4.** BERT's own ablation: without next sentence prediction 3.5 points less on QNLI
# (does this sentence answer the question?). RoBERTa later left it out and did as well.
# What about "NSP does not matter"?
#
# <details><summary>A. True: RoBERTa is the later and larger study.</summary>
#
# Not quite: its comparison, with the same text and as many steps, also wrote the rows
# differently: one run of sentences instead of a pair. It shows that one can do without,
# *then*.
#
# </details>
#
# <details><summary>B. Wrong: 3.5 points are a proof.</summary>
#
# Not quite: for QNLI and for BERT's set-up they speak against it. They say nothing
# about other tasks.
#
# </details>
#
# <details><summary>C. It depends on set-up and task.</summary>
#
# Right. In one set-up it mattered on one task, in another it did not. The BERT of this
# lesson is too small to decide it.
#
# </details>
#
# ---
#
# **5.** The paper: fine-tuned on MNLI (does one sentence follow from the other?),
# 80/10/10 has 84.2 and "always `[MASK]`" 84.3. Read as frozen features for names, 94.9
# and 94.0. Where do the two times 10 % pay?
#
# <details><summary>A. Where the layers are read frozen.</summary>
#
# Right. Nobody adapts them any more, so they must have an answer ready at every place,
# masked or not.
#
# </details>
#
# <details><summary>B. Nowhere: the differences are below one point.</summary>
#
# Not quite: 84.2 against 84.3 says nothing. 94.0 to 94.9 is 15 % of the errors.
#
# </details>
#
# <details><summary>C. In fine-tuning, where no <code>[MASK]</code> occurs.</summary>
#
# Not quite: there the network can still adapt to inputs without `[MASK]`, and the
# scores are alike.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="9328d73c"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 把 GPT 的因果掩码拿掉，照旧训练它预测下一个词片。会怎样？
#
# <details><summary>A. 就成了 BERT，“GPT 加双向”嘛。</summary>
#
# 再想想：这个公式流传很广，却不对。两侧都看得见，老问题就自己回答了自己；BERT 靠的是换了一个问题。
#
# </details>
#
# <details><summary>B. 成了更好的语言模型，因为右边也看得见了。</summary>
#
# 再想想：它看见的是*答案*。真要它写文章的时候，右边什么也没有。
#
# </details>
#
# <details><summary>C. 损失一路降到接近 0，它只学会把下一个词片递过去。</summary>
#
# 对。每个位置都看得见要猜的那个词片。遮住几个，就问这几个，才逼得它去读上下文。
#
# </details>
#
# ---
#
# **2.** 按字切分，“图书馆”是三个词片。三个字同时被选中要预测，有多大可能？
#
# <details><summary>A. 约千分之三</summary>
#
# 对。0.15 的三次方。多半只遮掉一个字，看着“图书”就猜得出“馆”，用不着读句子。全词掩码就是为此而来。
#
# </details>
#
# <details><summary>B. 15%，一个词被遮的可能性</summary>
#
# 再想想：15% 说的是*词片*，每个词片各掷各的骰子。
#
# </details>
#
# <details><summary>C. 45%，三个 15%</summary>
#
# 再想想：同时发生应当相乘，不是相加。
#
# </details>
#
# ---
#
# **3.** 一对文本写成 `[CLS] 吃 了 吗 [SEP] 吃 了 [SEP]`。段编号是什么？
#
# <details><summary>A. 0 0 0 0 1 1 1 1</summary>
#
# 再想想：第一个 `[SEP]` 归错了边。
#
# </details>
#
# <details><summary>B. 每句一个向量，由句中的词算出来</summary>
#
# 再想想：“句子嵌入”这个叫法会让人这么想。段向量只表示“第一段”“第二段”，一段可以有好几句。
#
# </details>
#
# <details><summary>C. 0 0 0 0 0 1 1 1</summary>
#
# 对。第一个 `[SEP]` 还属于第一段。段向量一共两个，所有文本共用。
#
# </details>
#
# ---
#
# **4.** BERT 自己的消融：不要 NSP，QNLI（这句话回答了问题没有？）少 3.5 个点。后来 RoBERTa 不要它也一样好。“NSP 没有用”这话对吗？
#
# <details><summary>A. 要看怎么训练、什么任务，一句话说不死。</summary>
#
# 对。在一种做法下，它对一个任务很要紧；在另一种做法下，可以不要。本课的 BERT 太小，判不了这件事。
#
# </details>
#
# <details><summary>B. 对，RoBERTa 更晚、规模更大。</summary>
#
# 再想想：RoBERTa 做这项比较时，文本和步数都一样，可是输入也换了写法：不再是一对段落，而是连着的一串句子。它说明*那样*训练可以不要。
#
# </details>
#
# <details><summary>C. 错，3.5 个点就是证明。</summary>
#
# 再想想：那是 BERT 的做法、QNLI 一个任务。别的任务怎样，它没有说。
#
# </details>
#
# ---
#
# **5.** 论文：在 MNLI（一句话能不能由另一句推出？）上微调，80/10/10 得 84.2，“一律 `[MASK]`”得 84.3；冻结各层读特征做命名实体，分别是 94.9 和 94.0。那两个 10% 在哪里值钱？
#
# <details><summary>A. 哪里都不值，差别不到一个点。</summary>
#
# 再想想：84.2 和 84.3 确实说明不了什么；94.0 到 94.9，错误少了 15%。
#
# </details>
#
# <details><summary>B. 在冻结各层、只读特征的时候。</summary>
#
# 对。冻结以后没有人再来调它，所以每个位置遮没遮，它都得备好答案。
#
# </details>
#
# <details><summary>C. 在微调的时候，因为任务里没有 <code>[MASK]</code>。</summary>
#
# 再想想：微调时网络还能自己适应没有 `[MASK]` 的输入，两种成绩差不多。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>1. Somebody masks every seventh word, always the same ones, in every epoch. What is lost?</summary>
# The other words are never asked. With new dice in each epoch every word is asked sooner or later, in many different masked
# surroundings.
# </details>
#
# <details><summary>2. With 0/0/100 (chosen, but kept as it is) the loss goes to 0. With 80/0/20 a fifth of the chosen pieces can be
# copied. Why does the network not simply copy there, too?</summary>
# It does, at those places, and cannot know which they are: an unmasked piece is a target in 3 of 88 cases, and there copying is
# right. The other four fifths still have to be worked out.
# </details>
#
# <details><summary>3. Can the perplexity of a masked model be compared with GPT's?</summary>
# No. One is given both sides and asked for single gaps; the other multiplies to a probability of the whole text.
# </details>
#
# <details><summary>4. NSP draws a wrong B from another document. Draw it from the same document instead: harder or easier? What would it
# teach?</summary>
# Harder: topic and names no longer give it away; what remains is the order of events. ALBERT (2020) asks for the order of two
# neighbouring segments instead.
# </details>
#
# <details><summary>5. An ablation with one pre-training for each way shows 1.2 points with a tight interval over ten fine-tunings. What is
# missing?</summary>
# Other pre-trainings. The interval says how much the fine-tunings scatter; two identical ways may differ by 1.2, too. Hence the twins.
# </details>

# %% [markdown] key="questions" lang="zh" follows="23b236f9"
# ## 检查一下自己
#
# <details><summary>1. 有人每一轮都遮同样的位置：每隔七个字遮一个。损失了什么？</summary>
# 其余的字从来没被问到。每轮重掷骰子，每个字迟早都会被问到，而且是在各种不同的遮法之下。
# </details>
#
# <details><summary>2. 用 0/0/100（选中了，但原样不动），损失会降到 0。用 80/0/20，有五分之一的选中词片可以照抄。网络为什么不干脆都照抄？</summary>
# 在那些位置它确实照抄，只是不知道是哪些位置：一个没被遮的词片，88 次里有 3 次是要预测的，这时照抄就对。另外五分之四，还得自己推断。
# </details>
#
# <details><summary>3. 掩码模型的困惑度能同 GPT 的比吗？</summary>
# 不能。一个给了两侧，只问单个的空；一个连乘起来，是整篇文本的概率。
# </details>
#
# <details><summary>4. NSP 的错误 B 取自另一个文档。改成取自同一个文档：更难还是更容易？会教给网络什么？</summary>
# 更难：话题和人名不再泄底，剩下的是事情的先后。ALBERT（2020）问的就是相邻两段的次序。
# </details>
#
# <details><summary>5. 一项消融，每种办法只预训练一次，十次微调的区间很窄，相差 1.2 个点。缺了什么？</summary>
# 缺别的预训练。区间只说明微调之间散布多大；什么都没改的两次预训练，也可能差 1.2。所以要有双胞胎。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Devlin et al. (2019): sections 3 and 5; read table 5 again after section 8 of this lesson.
# * Taylor (1953), *Cloze procedure*: gaps as a measure of how readable a text is. The paper cites it.
# * Liu et al. (2019), *RoBERTa*: the same model trained longer, without NSP, with new masks all the time.
# * Lan et al. (2020), *ALBERT*: the order of sentences instead of NSP. Joshi et al. (2020), *SpanBERT*: mask spans.
# * Wang and Cho (2019), *BERT has a mouth, and it must speak*: what generating from it would mean.
# * Lesson 15 lines up what the course has built, on one cloze test. The exercises: `exercises/14_bert`.

# %% [markdown] key="reading" lang="zh" follows="6d9cbd05"
# ## 接下来读什么
#
# * Devlin 等（2019）：第 3、5 节；学完本课第 8 节，再回头看表 5。
# * Taylor（1953），*Cloze procedure*：用填空来测一篇文章好不好读。论文引了它。
# * Liu 等（2019），*RoBERTa*：同样的模型，训练更久，不要 NSP，掩码时时更新。
# * Cui 等（2019），*Pre-Training with Whole Word Masking for Chinese BERT*：中文的全词掩码。
# * Lan 等（2020），*ALBERT*：用句序代替 NSP。Joshi 等（2020），*SpanBERT*：一次遮住连着的一串词片。
# * 第 15 课把整门课的模型排到同一份填空题上。练习：`exercises/14_bert`。
