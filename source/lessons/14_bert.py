# %% [markdown] key="title" lang="en"
# # 14 · BERT: hide the answer, then look both ways
#
# After this lesson you can
#
# * show with a gradient why a bidirectional network needs a new training objective, and why two one-sided networks are
#   not the same thing;
# * write BERT's three-part input, its masking and its sentence pairs, and check the masking against what is expected;
# * train a tiny BERT, and say what it has learned and what it has not;
# * put the paper's four fine-tuning heads on it, or read its layers frozen;
# * read an ablation table critically.
#
# Running time: two to three minutes of one core, a minute and a half of them for one training (quick profile: under one).
# The paper: Devlin, Chang, Lee and Toutanova, *BERT: Pre-training of Deep Bidirectional Transformers for Language
# Understanding* (arXiv October 2018, NAACL 2019).

# %% [markdown] key="title" lang="zh" follows="8f7b0f9a"
# # 14 · BERT：遮住答案，再看两侧
#
# 学完本课，你能够
#
# * 用梯度说明双向网络为什么需要新的训练目标，而两个单向网络拼接起来为什么不是一回事；
# * 写出 BERT 的三部分输入、掩码和句对，并核对掩码的比例是否符合预期；
# * 训练一个很小的 BERT，说清它学到了什么，没学到什么；
# * 接上论文里的四种微调输出头，或者只读冻结的各层；
# * 批判地阅读消融实验的表格。
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
BLUE, ORANGE = "#0072B2", "#D55E00"  # in all figures: 80/10/10, and what differs


# %% [markdown] key="leak" lang="en"
# ## 1 · Why not simply look both ways?
#
# *She sat on the bank of the river.* The word that decides the sense of *bank* stands to its right. GPT (lesson 13) reads
# from left to right: a causal mask in its **self-attention** hides the future, so its vector of *bank* has not seen
# *river*. Suppose we take the causal mask away, so that every word sees every word. Is that BERT?
#
# It is not. In lesson 06 a stacked bidirectional LSTM leaked its answer, and the same test works here. Row $t$,
# column $s$ of each square asks whether the state at $t$ depends on the word at $s$, that is, whether the gradient is
# other than 0. The crosses mark the answers: a language model has to predict word $t+1$ from the state at $t$.

# %% [markdown] key="leak" lang="zh" follows="1c9c0cee"
# ## 1 · 为什么不干脆两侧都看？
#
# 在“**苹果**发布了新手机”里，决定义项的词在右边。GPT（第 13 课）从左往右读，它的**自注意力**带着因果掩码，看不到后面的词，所以“苹果”的向量没见过“手机”。如果把因果掩码拿掉，让每个词都看得见所有的词，得到的就是 BERT 吗？
#
# 并不是。第 06 课里，堆叠的双向 LSTM 会泄漏答案，这里可以用梯度做同样的检验。方格图的第 $t$ 行、第 $s$ 列表示位置 $t$ 的状态是否依赖位置 $s$ 的词，也就是梯度是否不为 0。打叉的格子是答案所在，因为语言模型要根据 $t$ 处的状态预测第 $t+1$ 个词。

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
squares, leaks = [], []
for read, predicting in PANELS.values():
    depends = influence(read, x)  # (T, T): state by word
    answers = [(s, s + 1) for s in predicting] or [(HIDDEN, HIDDEN)]
    squares.append((depends, answers))
    leaks.append(max(float(depends[a]) for a in answers))
print(t("largest influence of the answer:", "答案的影响最大为："), leaks)
assert leaks[0] == leaks[2] == 0 < leaks[1]

# %% key="leak-picture" fold=true
figure, axes = plt.subplots(1, 3, figsize=(9.2, 3.3), sharey=True)
for axis, title, (depends, answers) in zip(axes, PANELS, squares, strict=True):
    axis.imshow(depends > 0, cmap="Blues", vmin=0, vmax=1.6)
    axis.plot([s for _, s in answers], [r for r, _ in answers], "x", color="black", ms=8, mew=2)  # fmt: skip
    axis.set_title(title, fontsize=10)
    axis.set_xlabel(t("word s", "第 s 个词"))
axes[0].set_ylabel(t("state t", "第 t 个状态"))
course_lib.show(
    figure,
    alt=t(
        "Three squares of states by words. Left to right: a triangle, the crosses on empty cells. Both sides: all cells "
        "filled, the crosses too. Masked: one column is empty, the cross in it.",
        "三个“状态 × 词”的方格。从左到右：涂色的是三角形，叉落在空白格上。两侧都看：全部涂色，叉也在其中。遮住：有一列全是空白，叉就在这一列。",
    ),
)

# %% [markdown] key="leak-seen" lang="en"
# In the middle square the crosses lie on blue: the state that must predict a word has already read it. In the right square
# a whole *column* is white: the word is not in the input, so no state has read it, and all the other words see each other
# freely. This is BERT's step. The architecture was there; what was missing was an objective that does not leak its answer:
# hide some words and predict only *those*. The paper calls this a **masked language model** (MLM). For a text $x$ with
# masked positions $M$ and the masked text $\hat x$ the loss is a cross-entropy,
#
# $$\mathcal L_{MLM} = -\frac{1}{|M|}\sum_{i \in M} \log p(x_i \mid \hat x).$$
#
# ELMo takes another way: two one-sided networks, concatenated at the top. Neither leaks, but below the top no
# vector has seen both sides. The paper calls this "strictly less powerful than a deep bidirectional model" (section 5.1).
# Lesson 15 has a small world in which that difference decides everything.

# %% [markdown] key="leak-seen" lang="zh" follows="94e52d9e"
# 中图的叉都落在蓝格上，说明负责预测某个词的状态早已读过这个词。右图有一整*列*是白的，因为这个词根本不在输入里，哪个状态都没读过它，而其余的词仍可互相看见。这正是 BERT 的关键一步。网络结构早就有了，缺的是不会泄漏答案的训练目标，于是 BERT 遮住几个词，只预测*这几个*。论文称之为**掩码语言模型**（masked language model，MLM）。设文本为 $x$，被遮的位置为 $M$，遮过之后的文本为 $\hat x$，损失就是交叉熵：
#
# $$\mathcal L_{MLM} = -\frac{1}{|M|}\sum_{i \in M} \log p(x_i \mid \hat x)$$
#
# ELMo 用的是另一种办法，把两个单向网络在顶层拼接起来。两个网络都不泄漏，可是在顶层之前，没有哪个向量看过两侧，论文因此说它“严格弱于深层双向模型”（5.1 节）。第 15 课造了一个小世界，在那里，这一点差别决定成败。

# %% [markdown] key="text" lang="en"
# ## 2 · The input has three parts
#
# The text of this lesson is Rivertown, the small town that ships with the course; its documents have borders, which section
# 4 needs. As in lesson 13 the text is a row of sub-word **tokens**: a frequent word is one piece, a rare one several, and
# `##` continues a word. BERT's own tokenizer is called **WordPiece** and has 30,000 pieces; ours also takes the longest
# piece that fits, from a smaller list.

# %% [markdown] key="text" lang="zh" follows="5e95dd91"
# ## 2 · 输入由三部分相加
#
# 本课的文本是随课程提供的河湾镇（Rivertown）语料，它的文档有边界，第 4 节用得着。英文 BERT 用 **WordPiece** 把文本切成**子词**（subword，本课叫词片），常用词是一个子词，少见的词是几个，以 `##` 接续；BERT 的中文版则**按字切分**，每个字是一个**词元**（token），这里也一样。汉语没有空格，分词会出错，而错误的切分一旦进了输入就改不回来；分词的词表也大得多，“苹果树”“苹果汁”“苹果公司”要各占一行，而常用字不过几千。代价是“苹果”成了两个词片。

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
    for d in tqdm(corpus.documents(), unit=t(" texts", " 篇"), file=sys.stdout)
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
# BERT reads one text or two. A pair, such as a question and an answer, is written in one row with **special tokens**:
# `[CLS]` (classification) begins it, and `[SEP]` (separator) ends each text: `[CLS] A … [SEP] B … [SEP]`. Each place $i$
# then gets the sum of three learned vectors, the **token embedding**, the **segment embedding** and the **positional
# embedding**:
#
# $$e_i = E_{token}[w_i] + E_{segment}[s_i] + E_{position}[i], \qquad s_i = 0 \text{ up to the first } [SEP], \text{ then } 1.$$
#
# Some accounts call the second part a "sentence embedding", but it is not a vector of any sentence. There are two segment
# embeddings in all, one for the first segment and one for the second, and a segment may hold several sentences. `[CLS]` has no
# meaning of its own; whatever the network gathers at its place is used to decide about the whole row.
#
# ![A pair of texts in one row of pieces, CLS where did she sit SEP she sat on the MASK SEP, and above each piece three learned vectors that are added: for the piece, for its segment (A up to the first SEP, then B) and for its position, counted from 0; the sum goes through a layer norm into the Transformer.](drawing:bert_input)

# %% [markdown] key="three" lang="zh" follows="789ea079"
# BERT 读一段文本，或者两段。两段文本（比如一问一答）写成一行，用**特殊词元**（special token）标出界限：`[CLS]`（classification）放在行首，`[SEP]`（separator）放在每段末尾，整行就是 `[CLS] A … [SEP] B … [SEP]`。每个位置 $i$ 的输入是三个学来的向量之和，即**词元嵌入**、**片段嵌入**（segment embedding）和**位置嵌入**（positional embedding）：
#
# $$e_i = E_{\text{词元}}[w_i] + E_{\text{片段}}[s_i] + E_{\text{位置}}[i], \qquad \text{第一个 } [SEP] \text{ 为止 } s_i = 0\text{，其后 } s_i = 1$$
#
# 有些文章把第二部分叫作“句子嵌入”，但它不是任何句子的向量。片段嵌入一共只有两个，一个表示“第一段”，一个表示“第二段”，而一段可以有好几句话。`[CLS]` 本身没有意思，网络在它那个位置上汇集到的信息，用来对整行作判断。
#
# ![一对文本写成一行词片：CLS 她吃了什么 SEP 她吃了 MASK 果 SEP，每个词片上面有三个学来的向量相加：词片的、片段的（到第一个 SEP 为止是 A，其后是 B）、位置的（从 0 数起）；三者之和经过层归一化，进入 Transformer。](drawing:bert_input)

# %% key="three-run"
course_lib.source(bert.join, bert.segments)
PAIR = {
    "en": ["where did she sit ?", "she sat on the bank ."],
    "zh": ["她 吃 了 什么 ？", "她 吃 了 苹果 。"],
}[t.language]
row = bert.join(*(pieces.encode(part.split()) for part in PAIR))
numbers = bert.segments(torch.tensor([row]))[0].tolist()
print([pieces.words[i] for i in row])
print(numbers)

# %% key="three-picture" fold=true
figure, axis = plt.subplots(figsize=(9.6, 2.1))
colours = ["#9CC9E8", "#F2C572"]
NAMES = [t("position", "位置"), t("segment", "片段"), t("token", "词元")]
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
        "一对文本排成一行格子：上面是词元，带 [CLS] 和 [SEP]；中间是片段 A 或 B；下面是位置 0、1、2……",
    ),
)

# %% [markdown] key="three-seen" lang="en"
# The first `[SEP]` still belongs to A and the last one to B, while the positions run on through both. A piece with an unknown
# letter would become the special token `[UNK]`.

# %% [markdown] key="three-seen" lang="zh" follows="cbede3ba"
# 第一个 `[SEP]` 还属于 A，最后一个属于 B，位置则一直往下数，到 B 也不重新开始。没见过的字会变成特殊词元 `[UNK]`。

# %% [markdown] key="mask" lang="en"
# ## 3 · Masking at random
#
# Which tokens are hidden? Each is chosen with probability 15 %. (These are 15 % of the *tokens*, not of the words: a
# rare word of four pieces is rarely hidden as a whole.) A second random draw decides what happens to a chosen token:
#
# * 80 %: the special token `[MASK]` takes its place;
# * 10 %: another token, drawn at random;
# * 10 %: it stays as it is.
#
# All three kinds are to be predicted. Why not always `[MASK]`? No task has a `[MASK]` in its input, so a network trained
# in that way would only ever predict at places that it can recognise. With the 10 + 10 % it must have an
# answer ready at *every* place. Special tokens such as `[SEP]` are never chosen.

# %% [markdown] key="mask" lang="zh" follows="dc32c4e3"
# ## 3 · 随机掩码
#
# 遮哪些词元呢？每个词元以 15% 的概率被选中。（是*词元*的 15%，不是词的 15%，所以由四个词片组成的词很少会整个被遮住。）选中之后，再随机决定怎样处理：
#
# * 80%：换成特殊词元 `[MASK]`；
# * 10%：换成随机抽的另一个词元；
# * 10%：原样不动。
#
# 三种情况都要预测。为什么不全换成 `[MASK]`？因为下游任务的输入里从来没有 `[MASK]`，那样训练出来的网络只需在看得见 `[MASK]` 的位置作预测。有了这 10% + 10%，它在*每个*位置都得备好答案。`[SEP]` 之类的特殊词元从不选中。
#
# 按字切分还带来一个问题：“手机”只遮一个“机”，看着“手”就猜得出，用不着读句子。后来的**全词掩码**（whole word masking）把一个词的所有字一起遮住，就是为了避免这种情况（Cui 等，2019，把它用到了中文上）。原来的 BERT 没有这样做，这里也没有。

# %% key="mask-run"
course_lib.source(bert.mask_pieces)
rng = np.random.default_rng(14)
line = np.array([row])
for _ in range(4):
    read, targets = bert.mask_pieces(line, len(pieces), rng, bert.Masking(share=0.3))
    shown = [f"{pieces.words[a]}←{pieces.words[b]}" if b != IGNORE else pieces.words[a] for a, b in zip(read[0], targets[0], strict=True)]  # fmt: skip
    print(" ".join(shown))

# %% [markdown] key="mask-count" lang="en"
# (The share here is 30 %, so that there is something to see; `a←b` means that `a` is read and `b` is to be predicted.) Now
# count what happens in all the training text at the usual 15 %.

# %% [markdown] key="mask-count" lang="zh" follows="f522aa88"
# （这里选 30%，好多看到几处；`a←b` 表示读到的是 `a`，要预测的是 `b`。）再按通常的 15% 把全部训练文本遮一遍，数一数各种情况各有多少。

# %% key="mask-table"
everything = text.ids[None]  # (1, N)
read, targets = bert.mask_pieces(everything, len(pieces), rng)
chosen = targets != IGNORE
N = everything.size
expected = {
    "[MASK]": ((chosen & (read == MASK)).sum(), 0.15 * 0.8),
    t("another token", "另一个词元"): (
        (chosen & (read != MASK) & (read != everything)).sum(),
        0.15 * 0.1 * (1 - 1 / (len(pieces) - len(MARKS))),
    ),
    t("not chosen", "未选中"): ((~chosen).sum(), 0.85),
}
claims.show_table(
    [t("token becomes", "词元变成"), t("times", "次数"), t("share, %", "占比（%）"), t("expected, %", "期望（%）"), t("differs by (standard errors)", "相差（标准误）")],
    [(name, f"{n:,}", f"{100 * n / N:.3f}", f"{100 * p:.3f}", f"{(n / N - p) / math.sqrt(p * (1 - p) / N):+.1f}") for name, (n, p) in expected.items()],
)  # fmt: skip
cut = pieces.pieces_of(training.words[2:])
several = [w for w, own in zip(training.words[2:], cut, strict=True) if len(own) > 1]
share = sum(counts[w] for w in several) / sum(counts.values())
print(t("words of several pieces:", "由几个词片组成的词："), f"{share:.0%}")

# %% [markdown] key="mask-seen" lang="en"
# A share that differs from its expectation by one or two standard errors is ordinary chance; ten would point to a mistake in
# the code. (The fourth case, a token that stays as it is, is the remainder.)
#
# Masking has a price: only 15 % of the tokens teach anything in a step, while a language model learns from every one. The
# paper finds that the masked model converges more slowly, but is more accurate than the left-to-right one almost from the
# start (appendix C.1).

# %% [markdown] key="mask-seen" lang="zh" follows="450e80f8"
# 实际占比与期望相差一两个标准误，属于正常的随机波动；要是相差十个，就是代码写错了。（第四种情况“原样不动”没有列出，就是剩下的那些。）
#
# 掩码的代价是每一步只有 15% 的词元提供训练信号，而语言模型从每个词元都学得到东西。论文测得，掩码模型收敛慢一些，但几乎从一开始就比从左到右的模型准确（附录 C.1）。

# %% [markdown] key="pairs" lang="en"
# ## 4 · Does B follow A?
#
# Tasks such as question answering are about the relation of two texts, and a hidden word teaches little about that. So
# the paper adds a second objective, **next sentence prediction** (NSP). In half of the pairs B is what really follows A
# in its document; in the other half B comes from another document. A classifier on the vector of `[CLS]` says which.
# The loss is the sum of both. The labels cost nothing, but the corpus must consist of documents: shuffled
# sentences would not do.

# %% [markdown] key="pairs" lang="zh" follows="5eee5927"
# ## 4 · B 接在 A 后面吗？
#
# 问答之类的任务考察两段文本之间的关系，而遮住一个词，这方面学不到多少。所以论文加了第二个训练目标，**下一句预测**（next sentence prediction，NSP）。一半的句对里，B 确实是文档里 A 的下文；另一半里，B 来自别的文档。由接在 `[CLS]` 向量上的分类器判断是哪一种，总损失是两项之和。标签不花钱，但语料得分成一篇篇文档，句子打乱了的语料不行。

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
# A and B meet at the border of a sentence, and neither reaches into another document. (What does not fit is
# cut at the far ends.) Because a wrong B comes from a *different* document, a network that recognises the topic or a name
# can answer without knowing anything about which sentence follows which. That is one reason why NSP is disputed; section 8
# has measurements.

# %% [markdown] key="pairs-seen" lang="zh" follows="d6453c38"
# A 和 B 在句子边界上相接，谁也不跨进另一个文档。（放不下的部分从离接缝远的一端剪掉。）由于错的 B 来自*另一个*文档，网络只要认出话题或者人名就能答对，用不着懂得哪句后面该接哪句。这是 NSP 有争议的一个原因，测量结果在第 8 节。

# %% [markdown] key="live" lang="en"
# ## 5 · Train a tiny one, live
#
# The whole model is the Transformer encoder of lesson 13 without the causal mask, the three embeddings below it, and the two
# objectives above it. Before the real training we watch the leak of section 1 once more: the same small network predicts
# 15 % of the tokens, once with nothing hidden, and once with BERT's masking.

# %% [markdown] key="live" lang="zh" follows="642b5b42"
# ## 5 · 现场训练一个小的
#
# 整个模型就是第 13 课的 Transformer 编码器去掉因果掩码，下面接三种嵌入，上面接两个训练目标。正式训练之前，先把第 1 节的泄漏再看一遍：同一个小网络，同样预测 15% 的词元，一次什么也不遮，一次照 BERT 的办法遮。

# %% key="live-copy"
from course_lib.training.loop import train

course_lib.source(bert.BERT)
V, CONTEXT = len(pieces), 48
POLICIES = {
    t("nothing hidden", "什么也不遮"): bert.Masking(mask=0.0, random=0.0),
    "80/10/10": bert.STANDARD,
}
steps = course_lib.by_profile(full=250, quick=60)
losses = {}
for name, policy in POLICIES.items():
    torch.manual_seed(0)
    small = bert.BERT(bert.BERTConfig(1, 48, 4, CONTEXT), V)
    rows = bert.MaskedPairs(text, V, CONTEXT, 16, 0, policy, next_sentence=False)
    run = train(small, rows, epochs=steps / len(rows), learning_rate=5e-3)
    losses[name] = run.losses

# %% key="live-copy-picture" fold=true
figure, axis = plt.subplots(figsize=(6.4, 3))
for (name, points), style in zip(losses.items(), ((ORANGE, "-"), (BLUE, "--")), strict=True):  # fmt: skip
    axis.plot(*zip(*points, strict=True), style[1], color=style[0], label=name)
axis.axhline(math.log(V), color="0.5", lw=1, ls=":")
axis.text(
    steps, math.log(V), t("uniform guess", "均匀猜测"), va="bottom", ha="right", fontsize=8
)  # fmt: skip
axis.set_xlabel(t("step", "步"))
axis.set_ylabel(t("loss, nats per token", "损失（奈特/词元）"))
axis.legend()
course_lib.show(
    figure,
    alt=t(
        "Loss against steps: with nothing hidden it falls far below that with masks.",
        "损失随步数的变化：什么也不遮时，降得远低于遮住的。",
    ),
)

# %% [markdown] key="live-copy-seen" lang="en"
# With nothing hidden the loss falls far below that of the masked model, and the result is worthless: the network has learned
# to copy its input to its output.

# %% [markdown] key="live-copy-seen" lang="zh" follows="65935444"
# 什么也不遮时，损失远低于遮住的一边，却毫无价值，因为网络只学会了把输入的词元照抄到输出。

# %% [markdown] key="live-train" lang="en"
# Now both objectives together, in two layers, for one to two minutes. Two baselines need no network: predicting each masked
# token from the token frequencies, and chance (50 %) for NSP. Predict before you run which of the two is beaten
# first. (The progress bar shows $e$ to the mean of both losses; the table below separates them.)

# %% [markdown] key="live-train" lang="zh" follows="d074c69a"
# 现在用两层的网络同时训练两个目标，大约一到两分钟。有两条基线用不着网络：按词元频率预测被遮的词元，以及 NSP 的随机水平（50%）。运行之前先猜一猜，哪条基线会先被超过？（进度条上的困惑度是两项损失平均之后取 $e$ 的幂，两项各自多少见下表。）

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
    [t("held-out text", "留出文本"), t("perplexity of masked tokens", "被遮词元的困惑度"), t("NSP, right", "NSP 正确")],
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
# How far below the first row is the perplexity, and is NSP beyond the ± that chance alone allows with so few pairs? In the
# run that we measured (English, 1,500 steps, one seed) the perplexity went from 495 by frequency to 325,
# while NSP was right in 51 % of the pairs. To solve NSP the network must *compare* two texts, and this takes longer to
# learn than which tokens are frequent. BERT's authors trained for 40 epochs over 3.3 billion words (four days on 4 to 16
# cloud TPUs); no laptop does that in a minute.

# %% [markdown] key="live-seen" lang="zh" follows="1cff2cb4"
# 比一比困惑度比第一行低了多少，NSP 的正确率有没有超出 ± 所示的范围（句对不多，仅凭随机就会有这么大的波动）。我们测过一次（英文，1500 步，一个种子）：困惑度从按频率预测的 495 降到 325，NSP 却只对了 51%。NSP 要求网络*比较*两段文本，这比记住哪些词元常见难学得多。BERT 的作者用 33 亿词训练了 40 轮（4 到 16 块云 TPU，四天），没有哪台笔记本能在一分钟里做到。

# %% [markdown] key="widget" lang="en"
# ## 6 · Who sees whom
#
# Choose a word and a way of looking. The squares follow from the architecture and are exact. The predictions below them come
# from models that ship: the biLM of lesson 06, in two halves, and a BERT (`bert-en` where your copy has it, else the tiny one
# from above).

# %% [markdown] key="widget" lang="zh" follows="869509dc"
# ## 6 · 谁看得见谁
#
# 选一个词，再选一种看的方式。方格图由网络结构决定，是精确的；下面的预测一组出自第 06 课的 biLM（分成两半），一组出自随课程提供的中文 BERT（`bert-zh`；手头没有的话，用刚才训练的小模型）。它的词片多半是单个的字。

# %% key="widget-run"
from course_lib.widgets.who_sees_whom import by_bert, by_bilm, who_sees_whom

try:
    shipped = course_lib.load(f"bert-{t.language}")
except KeyError:
    shipped = None
    print(t("bert-en is not at hand: the tiny BERT stands in", "手头没有 bert-zh，用小 BERT 代替"))
reader = shipped or (tiny, pieces)
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
# How good is the checkpoint `bert-en` at filling gaps? Examples are easily chosen so that a model looks clever, so a rule
# chooses them here: of *bank*, *play* and *apple*, the first sentence of each sense in the file of sense sentences, with that
# word masked. Four gaps with a given answer are added, to test the agreement of subject and verb. The rank is the word's
# place among all 8,000 pieces.

# %% [markdown] key="gap" lang="zh" follows="87fd37f2"
# 检查点 `bert-zh` 填空的本事如何？挑几个好看的例子很容易，所以这里按规则来选：在义项例句文件里，取前三个词（苹果、打、包袱）每个义项的第一句，遮住这个词；另加四个给定答案的空缺，考察动词和宾语的搭配。“名次”是原词在全部 16,000 个词片中排第几；原词切成两个词片的没有名次。

# %% key="gap-run"
from course_lib import checkpoints

gaps = {}  # by (word, sense): the rule takes the first sentence that the file has
for s in data.senses(t.language):
    if s.word in t(("bank", "play", "apple"), ("苹果", "打", "包袱")):
        gaps.setdefault((s.word, s.sense), (list(s.tokens), s.target_index))
for one, other in t([("child", "was"), ("child", "were"), ("children", "was"), ("children", "were")],
                    [("喝", "茶"), ("吃", "茶"), ("喝", "饭"), ("吃", "饭")]):  # fmt: skip
    words = t(f"the {one} {other} playing in the garden .", f"他 {one} 了 一点 {other} 。")
    gaps[one, other] = (words.split(), t(2, 1))

if shipped:
    card_text = (checkpoints.folder_of(f"bert-{t.language}") / "README.md").read_text("utf-8")
    for line in card_text.splitlines():
        if line.startswith(("| Model", "| Tokens seen", "| Held-out")):
            print(line)
    ask, lines = by_bert(*shipped), []
    for words, place in gaps.values():
        found = ask(words)[place]
        near = [*words[max(0, place - 6) : place], "____", *words[place + 1 : place + 5]]
        best = ", ".join(w for w, _ in found["words"][:4])
        lines.append((" ".join(near), words[place], f"{found['p']:.2%}", found["rank"], best))  # fmt: skip
    claims.show_table([t("gap", "空缺"), t("word", "原词"), t("probability", "概率"), t("rank", "名次"), t("most likely", "最可能的词")], lines)  # fmt: skip
else:
    print(t("bert-en is not at hand in this copy", "这份课程里没有 bert-zh"))

# %% [markdown] key="gap-seen" lang="en"
# In none of the seven sense sentences does the very word come first. *Play*, after *Chess is easy to learn …*, is third, behind
# *work* and *do*; the other six words rank between 21st and 1,073rd. Some of what stands before them fits (*money* for *bank*,
# *film* for the *play* that an actor wept about). A *film* of which somebody ate what was left does not: a quarter of the text that the model has read consists of film reviews. The held-out perplexity of 14.4 averages over all tokens, and most of these are far
# easier than an ambiguous noun. In the last four rows compare *was* with *were*: the probability follows the number of the
# subject.

# %% [markdown] key="gap-seen" lang="zh" follows="4272843e"
# 九个义项例句，没有一个空缺的首选是原词：打电话、打水、打篮球的“打”分别排在第 6、第 8、第 13，苹果公司的“苹果”排第 27，其余的更靠后。“包袱”切成两个词片，两个空缺是*各自*填的，谁也不知道对方填了什么，所以拼出来的“蓝子”“奖赛”不成词。留出文本上 12.5 的困惑度是对所有词元的平均，而多数词元比有歧义的词好猜得多。最后四行请比较“吃”和“喝”：“茶”前面排第一的是“喝”，“饭”前面排第一的是“吃”，可见模型看得见右边的宾语；不过“茶”前面“喝”只比“吃”多出不到一个百分点（4.6% 对 3.7%）。

# %% [markdown] key="heads" lang="en"
# ## 7 · Four kinds of tasks, four small heads
#
# After pre-training comes the **downstream task**. The whole of BERT is kept, one small new layer (a **fine-tuning head**,
# or classification head) is put on top, and *everything* is trained on with a small learning rate. In the paper's figure 4:
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

# %% [markdown] key="heads" lang="zh" follows="688a4b42"
# ## 7 · 四类任务，四个小小的输出头
#
# 预训练之后就该做**下游任务**了。整个 BERT 都保留，上面只新加小小的一层，叫**微调输出头**（fine-tuning head，也叫分类头），然后以很小的学习率*全部*接着训练。按论文图 4：
#
# | 任务 | 行 | 输出头读哪里 | 输出 |
# |---|---|---|---|
# | 单个文本：话题、情感 | `[CLS] A [SEP]` | `[CLS]` | 类别 |
# | 一对：蕴含、同义、是不是答案 | `[CLS] A [SEP] B [SEP]` | `[CLS]` | 类别 |
# | 标注：人名地名、组块 | `[CLS] A [SEP]` | 每个词的第一个词片 | 标签 |
# | 片段抽取：A 的答案在 B 的哪里？ | `[CLS] A [SEP] B [SEP]` | B 的每个词片 | 起点和终点 |
#
# 片段抽取多了两个向量 $S$ 和 $E$。设顶层为 $T_i$：
#
# $$P^{\text{起}}_i = \frac{e^{S \cdot T_i}}{\sum_j e^{S \cdot T_j}}, \qquad
#   (\hat\imath, \hat\jmath) = \arg\max_{i \le j} \; S \cdot T_i + E \cdot T_j$$
#
# ![同一个编码器给一行里的每个词片一个向量，行里依次是 CLS、A、SEP、B、SEP；预训练时，掩码语言模型读被遮住的位置，下一句预测读 CLS；微调时新加一层：单句或句对的类别读 CLS，序列标注读每个词的第一个词片，片段抽取读 B 的所有词片，给出起点和终点。](drawing:bert_heads)

# %% key="heads-shapes"
course_lib.source(bert.TokenClassifier, bert.best_span)
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
claims.show_table([t("head", "输出头"), t("rows", "输入"), t("scores", "输出"), t("new parameters", "新参数"), t("of", "共")], lines)  # fmt: skip
begin, end = bert.best_span(logits)[0].tolist()
print(t("an untrained head's answer:", "没训练过的输出头给的答案："), [pieces.words[i] for i in row[begin : end + 1]])  # fmt: skip

# %% [markdown] key="heads-live" lang="en"
# The heads add almost no parameters, so what they can do must come from the layers below. A small live test: chunks in
# Rivertown sentences, with the tiny BERT from above, and with the same network before it had read anything. There is one
# draw of labels and one seed.

# %% [markdown] key="heads-live" lang="zh" follows="ef88fed2"
# 输出头新加的参数少得可怜，它能做到什么，都得靠下面的网络。现场小规模试一次：给小镇的句子标组块，一边用刚才训练的小 BERT，一边用同样的、什么也没读过的网络。标注只抽一次，种子只有一个。

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
# After a minute of pre-training the two may well be close, in either order: a small encoder learns chunks from the labels
# alone quickly enough. For that reason section 8 asks of every ablation first whether pre-training brought
# anything at all.

# %% [markdown] key="heads-seen" lang="zh" follows="0a4ad1af"
# 只预训练了一分钟，两者很可能差不多，谁高谁低都不奇怪，因为小网络单靠标注就能较快地学会组块。所以第 8 节看每一项消融时，都先问预训练究竟有没有带来好处。

# %% [markdown] key="generate" lang="en"
# ### Why is generation not among the four?
#
# An **autoregressive** language model multiplies, $p(x) = \prod_t p(x_t \mid x_{<t})$, and so writes a whole text word by
# word. BERT has only $p(x_i \mid \hat x)$: the probability of one gap, with all the rest given. Two gaps are filled
# *independently* of each other, and the two words may not fit together. The next cell masks two neighbouring tokens.

# %% [markdown] key="generate" lang="zh" follows="7d6b31e7"
# ### 为什么四类里没有生成？
#
# **自回归**语言模型把条件概率连乘，$p(x) = \prod_t p(x_t \mid x_{<t})$，一个词接一个词，写得出整篇。BERT 只有 $p(x_i \mid \hat x)$，也就是其余全部给定时一个空缺的概率。两个空缺各自独立预测，合起来未必通顺。下面遮住两个相邻的词元来看看。

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
print(t("first gap: ", "第一个空缺："), first)
print(t("second gap:", "第二个空缺："), second)
filled = [*gap[: places[0]], one, *gap[places[0] + 1 :]]
third, _, after = best(filled, places[1])
print(t("second gap, when the first is filled:", "填好第一个之后，第二个空缺："), third)
print(t("how far its two distributions are apart (0 to 1):", "它前后两个分布的距离（0 到 1）："), f"{float((before - after).abs().sum() / 2):.2f}")  # fmt: skip

# %% [markdown] key="generate-seen" lang="en"
# The last number (the total variation distance) says how much the prediction for the second gap changes once the first one is
# filled; before that, neither knew of the other. In a model that has learned little the number is small. One can go on
# filling gaps from left to right, but the model does not say in which order, nor how many gaps there should be. Such weights
# can *initialise* an encoder and a decoder (lesson 12's idea), and later models were trained for generation.

# %% [markdown] key="generate-seen" lang="zh" follows="88b851c0"
# 最后一个数（全变差距离）表示填好第一个空缺之后，第二个空缺的预测变了多少；在那之前，两个空缺互不知情。学得少的模型，这个数也就小。当然可以从左到右一个一个地填，可是按什么次序填、一共该有几个空缺，模型都不会告诉你。这样的权重可以用来*初始化*编码器和解码器（第 12 课的想法），后来也有专为生成训练的模型。

# %% [markdown] key="measured" lang="en"
# ## 8 · What was measured
#
# The paper's **ablation** studies change one part of BERT at a time: other masking, no NSP, left to right. We repeat them with
# tiny BERTs (two layers, eighteen million tokens of Rivertown, minutes of training). Each variant was pre-trained
# *once*. The standard one was pre-trained twice, from different random initialisations: these **twins** show how far
# two pre-trainings with the same recipe can differ. First: what did each variant learn?

# %% [markdown] key="measured" lang="zh" follows="fe8e4f59"
# ## 8 · 测到了什么
#
# 论文做了**消融实验**，每次只改动 BERT 的一处：换掩码的办法，不要 NSP，从左到右。我们用很小的 BERT 重做（两层，读一千八百万个词元的小镇英文，训练几分钟）。每个变体只预训练了*一次*，唯有标准的那个预训练了两次，随机初始化不同，这对**双胞胎**让人看到配方相同的两次预训练会有多大差别。先看每个变体学到了什么。

# %% key="measured-learned" fold=true
masking, ablation = (
    claims.card(key).rows for key in ("robust-to-masking", "next-sentence")
)
WAYS = {
    "80/10/10": "80/10/10",
    "80/10/10 again": t("80/10/10, the twin", "80/10/10，双胞胎"),
    "100/0/0": t("always [MASK]", "总用 [MASK]"),
    "80/20/0": t("80 [MASK], 20 another", "80% [MASK]，20% 换成别的"),
    "0/100/0": t("always another token", "总换成别的词元"),
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
        [t("pre-trained with", "预训练的办法"), t("perplexity of what it predicts", "所预测词元的困惑度"), t("NSP, right", "NSP 正确")],
        [(name, *cells) for name, cells in (learned(masking) | learned(ablation)).items()],
    )  # fmt: skip

# %% [markdown] key="measured-learned-seen" lang="en"
# Each variant is tested with the masks that it was trained with, so the perplexities answer different questions: "always
# another token" must find out which tokens to doubt, and left to right predicts every token from one side only.
# They may not be ranked against each other. The twins can be compared: they differ only in their initialisation,
# fill gaps about equally well (16 and 17), and both are right on 72 % of the sentence pairs. "Always another token", at 234, has hardly
# begun to use the context. For a long time a masked model learns little but how frequent the tokens are, and only then what
# their neighbours say; when, may be partly luck. (The same recipe, run with an earlier version of the code, came to 69.)

# %% [markdown] key="measured-learned-seen" lang="zh" follows="78abf50a"
# 每个变体都用自己训练时的掩码来考，所以各个困惑度回答的不是同一个问题：“总换成别的词元”先得看出哪个词元可疑，“从左到右”要预测每个词元，而且只看一侧。因此这些困惑度不能互相排名。双胞胎可以互相比较：两者只有初始化不同，填空的本事差不多（16 和 17），句对也都答对 72%。“总换成别的词元”的困惑度是 234，几乎还没开始利用上下文。掩码模型有很长一段时间只学到词元的频率，然后才学会看左右邻居，什么时候学会，也许有一部分是运气。（同样的配方，用较早版本的代码训练过一次，那次降到了 69。）

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
            ax.errorbar(middle, y, xerr=np.nan_to_num([[middle - low], [high - middle]]), fmt="o", color=BLUE if way in tiny_bert.TWINS else ORANGE, capsize=3, ms=5)  # fmt: skip
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
# Read the last row of each panel first. Where no variant is above the untrained network, the panel cannot show what
# pre-training is worth. For sentiment all variants are below it (51 to 63 % against 72 %; we do not know why); on *same
# document?* all are within 2 points of chance; on *does it answer?* none is significantly above it. That leaves the chunks. Each
# line is a variant minus 80/10/10, in points of F1, with its 95 % interval over ten seeds. The columns *before* are from the
# earlier version of the code: the same recipes, sizes and text, pre-trained once more, ten seeds as well.
#
# | | fine-tuned | before | frozen | before |
# |---|---|---|---|---|
# | its twin | −0.2 [−0.7, 0.2] | 0.0 | −0.2 [−0.8, 0.4] | +1.6 |
# | always [MASK] | +0.5 [−0.1, 1.1] | −1.9 | +1.1 [0.6, 1.7] | −1.1 |
# | 80 [MASK], 20 another | −1.5 [−2.0, −1.0] | −0.1 | −0.3 [−0.9, 0.2] | +2.0 |
# | always another token | −16.9 [−17.7, −16.1] | −3.6 | −15.6 [−16.0, −15.2] | −1.0 |
# | no NSP | +0.4 [0.1, 0.8] | +0.2 | | |
# | left to right, no NSP | −2.1 [−2.8, −1.4] | −2.0 | | |
#
# The intervals are narrow, and yet nothing follows for the *recipes*. A seed draws labels, head and noise, while all ten
# seeds share one pre-training. Read frozen, "always [MASK]" is significantly better than 80/10/10, and it was significantly worse
# before. So ten seeds can tell this BERT from that one, but not one recipe from another. Nor do twins show how far two
# pre-trainings may differ: these two are alike, those before were 1.6 points apart. Only left to right is as far behind both times, and
# twice is still few. A test needs several pre-trainings of each recipe, with different seeds.

# %% [markdown] key="measured-seen" lang="zh" follows="f87c66ef"
# 每个小图请先看最后一行。如果没有哪个变体高于没训练过的网络，这个小图就显示不出预训练的作用。情感任务上，各个变体全都低于它（51% 到 63%，它是 72%，原因我们还不知道）；“同一文档吗”，全都在随机水平上下 2 个点之内；“是不是答案”，没有一个显著高于它。剩下的就是组块。下表每行是一个变体减去 80/10/10 的 F1 之差（点数），附十个种子的 95% 区间。“上次”两列来自较早版本的代码：配方、大小、文本都相同，另预训练了一次，也是十个种子。
#
# | | 微调 | 上次 | 冻结 | 上次 |
# |---|---|---|---|---|
# | 它的双胞胎 | −0.2 [−0.7, 0.2] | 0.0 | −0.2 [−0.8, 0.4] | +1.6 |
# | 总用 [MASK] | +0.5 [−0.1, 1.1] | −1.9 | +1.1 [0.6, 1.7] | −1.1 |
# | 80% [MASK]，20% 换成别的 | −1.5 [−2.0, −1.0] | −0.1 | −0.3 [−0.9, 0.2] | +2.0 |
# | 总换成别的词元 | −16.9 [−17.7, −16.1] | −3.6 | −15.6 [−16.0, −15.2] | −1.0 |
# | 不要 NSP | +0.4 [0.1, 0.8] | +0.2 | | |
# | 从左到右，不要 NSP | −2.1 [−2.8, −1.4] | −2.0 | | |
#
# 区间都很窄，可是关于*配方*，什么也推不出来。种子抽的是标注、输出头和噪声，而十个种子共用同一次预训练。冻结一列里，“总用 [MASK]”这次显著好过 80/10/10，上次却显著不如它。可见十个种子分得出的是这一个 BERT 和那一个，不是这种配方和那种配方。双胞胎也说明不了两次预训练最多能差多少：这一对几乎一样，上一对差 1.6 个点。只有从左到右两次都落后同样多，而两次也还是太少。真要检验，每种配方都得用不同的种子预训练好几次。

# %% [markdown] key="rules" lang="en"
# ## 9 · Claims
#
# Four of twelve cards. The two in the middle say *cannot tell*, for the reason given in section 8, although their intervals are
# narrow. The last card reads the layers of one BERT (`bert-en`) on real text: both sides of each difference come
# from the same pre-training, and the seeds draw the training sentences, so here they do bear on the claim.
#
# The other cards (what 80/10/10 is for, whether frozen features do as well, and what is too large for two cores) are on the
# book's claims page, and in `python -m course_lib claims list`.

# %% [markdown] key="rules" lang="zh" follows="c68ee2ed"
# ## 9 · 论断
#
# 这里是十二张卡片里的四张。中间两张的区间虽窄，也写着“看不出”，原因见第 8 节。最后一张读的是同一个 BERT（随课程提供的 `bert-en`）的各层，文本是真实的英文；相减的两边出自同一次预训练，种子抽的是训练用的句子，因此种子说明得了这个问题。
#
# 其余的卡片（80/10/10 的作用，冻结的特征是不是一样好，以及两核的电脑检验不了的说法）见书中的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="rules-run" fold=true
gradients = [
    {t("way", "怎样看"): name, t("influence of the answer", "答案的影响"): f"{leak:.2g}"}
    for name, leak in zip(PANELS, leaks)
]
claims.card("gpt-plus-two-directions").show(t, here=gradients)
for key in ("next-sentence", "both-sides", "not-the-last-layer"):
    claims.card(key).show(t)

# %% [markdown] key="released" lang="en"
# ## Optional: a released BERT, and a word that models overlook
#
# Ettinger (2020) found that BERT fills *A robin is a ____* and *A robin is not a ____* with the same words. Vectors can be asked as well: is a
# sentence nearer to its negation or to its paraphrase? The cell asks `bert-en` and MiniLM, a released BERT of 22 M parameters; with
# `bert-base-uncased` at hand it fills the gaps, too.

# %% [markdown] key="released" lang="zh" follows="639911e0"
# ## 选做：公开发布的 BERT，还有一个模型常忽略的词
#
# Ettinger（2020）发现，*A robin is a ____*（知更鸟是____）和 *A robin is not a ____*（知更鸟不是____），BERT 填的是同样的词。向量也可以拿来问：一句话离它的否定句近，还是离意思相同的另一句近？下面问的是 `bert-en` 和公开发布的 MiniLM（两千两百万个参数的 BERT）；手头有 `bert-base-uncased` 的话，还会让它填空。

# %% key="released-run" fold=true
from course_released import whole_words

TRIPLES = [("the film was good", "the film was not good", "the film was excellent"),
           ("she likes the book", "she does not like the book", "she enjoys the novel"),
           ("he is happy", "he is not happy", "he is glad"),
           ("the bank is open today", "the bank is not open today", "the bank opens today")]  # fmt: skip


def whole(encoder, sentence):
    """Return the mean of a sentence's vectors in the top layer, of length 1."""
    x = encoder.encode([sentence.split()])[0][-1].mean(axis=0)
    return x / np.linalg.norm(x)


if released := whole_words.reader(t, "minilm"):
    own = shipped if t.language == "en" else course_lib.load("bert-en")
    encoders = {"bert-en": whole_words.WholeWords(*own)} if own else {}
    for name, one in (encoders | {"MiniLM": released}).items():
        x = np.array([[whole(one, s) for s in three] for three in TRIPLES])  # (4, 3, D)
        near = np.einsum("nd,nkd->nk", x[:, 0], x[:, 1:])  # (4, 2)
        claims.show_table(
            [name, t("cosine to its negation", "与否定句的余弦"), t("to its paraphrase", "与同义句的余弦")],
            [(three[0], *(f"{c:.2f}" for c in row)) for three, row in zip(TRIPLES, near)],
        )  # fmt: skip
if large := whole_words.reader(t, "bert-base-uncased"):
    for sentence in ("a robin is a [MASK] .", "a robin is not a [MASK] ."):
        ids = torch.tensor([large.pieces.row(sentence)])
        here = ids[0] == large.pieces.ids["[MASK]"]
        with torch.no_grad():
            said = large.model.logits(large.model(ids))[0, here].topk(5).indices[0]
        print(sentence, [large.pieces.words[i] for i in said])

# %% [markdown] key="released-seen" lang="en"
# In our run `bert-en` gives all pairs cosines of 0.93 to 0.99: its vectors point one way, and nothing can be read from that. MiniLM
# spreads its sentences, and in three of the four rows the paraphrase is nearer. Still *he is not happy* (0.79) is nearer to *he is happy*
# than *he is glad* (0.71). MiniLM is larger, has read more,
# and was trained on pairs of sentences; four rows do not say which of these did it. A single *not* remains a small part of the mean.

# %% [markdown] key="released-seen" lang="zh" follows="1bcf49f1"
# 我们跑的那次，`bert-en` 给各对句子的余弦都在 0.93 到 0.99 之间，它的向量偏向一个方向，看不出什么名堂。MiniLM 把句子拉开了，四行里有三行是同义句更近，可是 *he is not happy*（0.79）离 *he is happy* 仍比 *he is glad*（0.71）近。MiniLM 更大，读得更多，还用句对训练过，究竟是哪一样起了作用，这四行说明不了；而在平均向量里，一个 *not* 的分量还是很小。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The probe of every lesson: do the vectors of an ambiguous word, each in its own sentence, keep the senses apart? A word's
# vector is the mean of its pieces' vectors.

# %% [markdown] key="scoreboard" lang="zh" follows="556b2262"
# ## 记分牌
#
# 每课都做这个测试：一个多义词在各个句子里的向量能不能把义项分开？词的向量取它各个词片的平均。

# %% key="scoreboard-row"
from course_lib.analysis import senses

annotated = data.senses(t.language)


def at_target(model, own, room, sentences):
    """Return each layer's vector of the ambiguous word: (L+1, N, D)."""
    found = []
    for s in tqdm(sentences, unit=t(" sentences", " 句"), file=sys.stdout):
        cut = own.pieces_of(s.tokens)
        ends = np.cumsum([len(word) for word in cut])
        a, b = int(ends[s.target_index] - len(cut[s.target_index])), int(ends[s.target_index])  # fmt: skip
        begin = max(0, min(a - room // 2, int(ends[-1]) - room + 2))
        whole = [i for word in cut for i in word][begin : begin + room - 2]
        states = layers_of(model, torch.tensor([bert.join(whole)]))[:, 0]  # (L+1, T, D)
        found.append(states[:, a - begin + 1 : b - begin + 1].mean(dim=1).numpy())
    return np.stack(found, axis=1)


board = {}
own_name = f"bert-{t.language}" if reader[0] is not tiny else t("tiny BERT", "小 BERT")
torch.manual_seed(14)
unread = bert.BERT(reader[0].config, len(reader[1]))
for name, model in {own_name: reader[0], t("the same sizes, untrained", "同样大小，没训练过"): unread}.items():  # fmt: skip
    own = reader[1]
    by_layer = [senses.macro(senses.by_word(x, annotated)) for x in at_target(model, own, model.config.context, annotated)]  # fmt: skip
    best_layer = max(
        range(1, len(by_layer)), key=lambda k: by_layer[k]["nearest_centroid"]
    )
    board[name + t(f", layer {best_layer}", f"，第 {best_layer} 层")] = by_layer[best_layer]  # fmt: skip
static = course_lib.load(f"static-{t.language}")
board[t("averaged static context", "静态上下文平均")] = claims.context_scores(static, t.language)  # fmt: skip
display(HTML(claims.sense_table(board, t)))
print(t("parameters:", "参数："), f"{sum(p.numel() for p in reader[0].parameters()):,}")

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 explains the columns); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="d209654a"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "14")

# %% [markdown] key="board-seen" lang="en"
# For senses BERT's last block has the highest score, 86 %. That is significantly more than the averaged static context has in the small table (by 3.3
# points [0.3, 6.2]), but not than the biLM's layer 2 (by 2.2 [−0.1, 4.6]). For chunks and sentiment the two cannot be told apart; for parts of speech and
# in the cloze test the biLM is ahead. Both have read the same text, BERT about four times as much of it, counted in words, with a sixth of the parameters. So this does
# not say which change made a difference: objective, network, size and tokens all differ at once.

# %% [markdown] key="board-seen" lang="zh" follows="51189fab"
# 上面那张小表里，`bert-zh` 最后一层分义项的准确率是 0.832，同样大小、没训练过的网络是 0.428；第 06 课的 biLM（第 2 层）是 0.711，低 0.122 [0.092, 0.152]；静态上下文平均也是 0.832，分不出高下。各课共用的榜上，义项和词性都是 BERT 最高，命名实体它与 GPT 不相上下，情感和完形填空它不如 biLM。差别该归于什么，这张榜说不清，因为训练目标、网络、大小和读过的词元数全都不同。

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
# Not quite: a well-known formula, and wrong. With both sides in view the old objective
# leaks its answer; BERT needed a new one.
#
# </details>
#
# <details><summary>B. The loss falls towards 0, and it learns to hand the next piece
# through.</summary>
#
# Right. Every place can see the token that it must predict. Hide some tokens and predict
# these: that is the masked language model.
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
# **4.** In BERT's own ablation leaving out next sentence prediction costs 3.5 points on
# QNLI (does this sentence answer the question?). RoBERTa later left it out and did as
# well. What about "NSP does not matter"?
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
# **5.** In the paper, fine-tuned on MNLI (does one sentence follow from the other?),
# 80/10/10 scores 84.2 and "always `[MASK]`" 84.3. Read as frozen features for names,
# they score 94.9 and 94.0. Where do the two times 10 % pay?
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

# %% [markdown] key="checkpoint" lang="zh" follows="26636326"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 把 GPT 的因果掩码拿掉，照旧训练它预测下一个词片。会怎样？
#
# <details><summary>A. 就成了 BERT，“GPT 加双向”嘛。</summary>
#
# 再想想：这个公式流传很广，却不对。两侧都看得见，原来的训练目标就泄漏了答案；BERT 靠的是换了一个目标。
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
# 再想想：15% 说的是*词片*，每个词片是独立选中的。
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
# **3.** 一对文本写成 `[CLS] 吃 了 吗 [SEP] 吃 了 [SEP]`。片段编号是什么？
#
# <details><summary>A. 0 0 0 0 1 1 1 1</summary>
#
# 再想想：第一个 `[SEP]` 归错了边。
#
# </details>
#
# <details><summary>B. 每句一个向量，由句中的词算出来</summary>
#
# 再想想：“句子嵌入”这个叫法会让人这么想。片段嵌入只表示“第一段”“第二段”，一段可以有好几句。
#
# </details>
#
# <details><summary>C. 0 0 0 0 0 1 1 1</summary>
#
# 对。第一个 `[SEP]` 还属于第一段。片段嵌入一共两个，所有文本共用。
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
#
# The other words are never predicted. With a new draw in each epoch every word is predicted sooner or later, in many different
# masked contexts.
# </details>
#
# <details><summary>2. With 0/0/100 (chosen, but kept as it is) the loss goes to 0. With 80/0/20 a fifth of the chosen tokens can be
# copied. Why does the network not simply copy there, too?</summary>
#
# It does, at those places, but cannot know which they are: an unmasked token is a target in 3 of 88 cases, and there copying is
# right. The other four fifths still have to be worked out.
# </details>
#
# <details><summary>3. Can the perplexity of a masked model be compared with GPT's?</summary>
#
# No. One is given both sides and predicts single gaps; the other multiplies to a probability of the whole text.
# </details>
#
# <details><summary>4. NSP draws a wrong B from another document. Draw it from the same document instead: harder or easier? What would it
# teach?</summary>
#
# Harder: topic and names no longer give it away, and what remains is the order of events. ALBERT (2020) predicts the order of two
# neighbouring segments instead.
# </details>
#
# <details><summary>5. An ablation with one pre-training for each variant shows 1.2 points with a narrow interval over ten fine-tunings. What
# is missing?</summary>
#
# Other pre-trainings. The interval says how much the fine-tunings scatter; two pre-trainings with the same recipe may differ by 1.2,
# too. That is why this lesson has twins.
# </details>

# %% [markdown] key="questions" lang="zh" follows="84986f9a"
# ## 检查一下自己
#
# <details><summary>1. 有人每一轮都遮同样的位置：每隔七个字遮一个。损失了什么？</summary>
#
# 其余的字从来不用预测。每轮重新抽，每个字迟早都会被预测到，而且是在各种不同的遮法之下。
# </details>
#
# <details><summary>2. 用 0/0/100（选中了，但原样不动），损失会降到 0。用 80/0/20，有五分之一的选中词元可以照抄。网络为什么不干脆都照抄？</summary>
#
# 在那些位置它确实照抄，只是不知道是哪些位置：一个没被遮的词元，88 次里有 3 次是要预测的，这时照抄就对。另外五分之四，还得自己推断。
# </details>
#
# <details><summary>3. 掩码模型的困惑度能同 GPT 的比吗？</summary>
#
# 不能。一个给了两侧，只预测单个的空缺；另一个把条件概率连乘起来，是整篇文本的概率。
# </details>
#
# <details><summary>4. NSP 的错误 B 取自另一个文档。改成取自同一个文档：更难还是更容易？会教给网络什么？</summary>
#
# 更难，因为话题和人名不再泄底，剩下的线索是事情的先后。ALBERT（2020）预测的就是相邻两段的次序。
# </details>
#
# <details><summary>5. 一项消融实验，每个变体只预训练一次，十次微调的区间很窄，相差 1.2 个点。缺了什么？</summary>
#
# 缺别的预训练。区间只说明微调之间的波动有多大，配方相同的两次预训练也可能差 1.2，所以本课才有双胞胎。
# </details>

# %% [markdown] key="knob" lang="en"
# ## Predict, change a knob, explain
#
# Each sense sentence says where its cue stands: on the left of the ambiguous word, on its right, or on both sides. The next cell
# gives `bert-en` only a *part* of each sentence and measures how often the word's vector in the top layer is nearest to the
# centroid of the right sense. With `SEES = "left"` the network reads the sentence up to the ambiguous word and nothing
# behind it, as GPT would.
#
# **Predict** four rows of three numbers: for `"both"`, `"left"`, `"right"` and `"neither"` (the word alone), which cue
# suffers, and what remains when only the word itself is read? **Change** the knob and run the cell again; the table grows.
# **Explain** what you did not expect.

# %% [markdown] key="knob" lang="zh" follows="4ae93d7c"
# ## 预测，改一处，再解释
#
# 每个义项例句都注明了线索在哪里：在多义词的左边、右边，或者两边都有。下面的单元格只把句子的*一部分*交给 `bert-zh`，再测量这个词的顶层向量有多少次离正确义项的质心最近。`SEES = "left"` 表示网络只读到多义词为止，后面的一概不读，和 GPT 一样。
#
# 请先**预测**：旋钮取 `"both"`（两侧）、`"left"`（左侧）、`"right"`（右侧）、`"neither"`（只有这个词）时，哪种线索的句子会吃亏？只读这个词本身，还剩多少？然后**改**旋钮的值，重新运行，表格会一行行增加。最后**解释**出乎你意料的地方。

# %% key="knob-run"
SEES = "left"  # the knob: "both", "left", "right" or "neither"

tried = globals().get("tried", {})  # what earlier runs of this cell found
asked = data.senses(t.language)[:: course_lib.by_profile(full=1, quick=6)]
partial = []
for s in asked:
    begin = s.target_index if SEES in ("right", "neither") else 0
    end = s.target_index + 1 if SEES in ("left", "neither") else len(s.tokens)
    partial.append(s._replace(tokens=s.tokens[begin:end], target_index=s.target_index - begin))  # fmt: skip
if shipped:
    tops = at_target(*shipped, shipped[0].config.context, partial)[-1]  # (N, D)
    hits = np.zeros(len(asked))
    for word in {s.word for s in asked}:
        same = [i for i, s in enumerate(asked) if s.word == word]
        hits[same] = senses.centroid_hits(tops[same], [asked[i].sense for i in same])
    cues = np.array([s.cue for s in asked])
    tried[SEES] = [f"{100 * hits[cues == cue].mean():.1f}" for cue in ("left", "right", "both")]  # fmt: skip
    claims.show_table(
        [t("BERT reads", "BERT 读到"), t("cue on the left, %", "线索在左（%）"), t("cue on the right, %", "线索在右（%）"), t("on both sides, %", "两边都有（%）")],
        [({"both": t("both", "两侧"), "left": t("left", "左侧"), "right": t("right", "右侧"), "neither": t("neither", "只有这个词")}[sees], *cells) for sees, cells in tried.items()],
    )  # fmt: skip

# %% [markdown] key="knob-answer" lang="en"
# <details><summary>What comes out, and why</summary>
#
# | reads | cue on the left | on the right | on both sides |
# |---|---|---|---|
# | both | 88.0 | 81.7 | 85.5 |
# | left | 86.0 | 60.0 | 77.7 |
# | right | 31.8 | 72.8 | 72.0 |
# | neither | 41.2 | 41.4 | 41.3 |
#
# (Full profile, one checkpoint, 871 sentences.) What is cut off is missed where the cue stood there: without the right side the
# cue-right sentences lose 22 points, and the cue-left ones 2. A left-to-right model is in that position at every word. With
# *neither* all vectors of a word are the same but for its form, and the accuracy is near that of the most frequent sense (41.8). Two things
# may surprise. The cue-right sentences keep 60 % without their cue: the labels say where the *deciding* words are, and other words
# carry a little information, too. And the cue-left sentences fall to 32 %, below the 41 % of *neither*, when only the right side is
# read: what is left there is often a full stop, which says something of the sentence's form and nothing of the sense.
#
# </details>

# %% [markdown] key="knob-answer" lang="zh" follows="9e51e88a"
# <details><summary>结果与解释</summary>
#
# | 读到 | 线索在左 | 线索在右 | 两边都有 |
# |---|---|---|---|
# | 两侧 | 79.2 | 74.7 | 91.7 |
# | 左侧 | 73.7 | 42.7 | 81.7 |
# | 右侧 | 25.0 | 71.2 | 73.2 |
# | 只有这个词 | 40.0 | 39.7 | 40.1 |
#
# （完整规模，一个检查点，924 个句子。）线索在哪一侧，去掉哪一侧就吃亏：不读右侧，线索在右的句子掉了 32 个点，只比只读这个词本身略高。从左到右的模型在每个词上都处于这种境地。只读这个词本身时，同一个词的向量全都相同，准确率接近总猜最常见义项的 40.4。也许出乎意料的是，线索在左的句子只读右侧时降到 25%，比只读这个词本身的 40% 还低：右侧剩下的往往只是一个句号，它反映的是句子的样子，与义项无关；留一法又把所问的句子从自己义项的质心里去掉，那个质心就略微远了一点。
#
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
