# %% [markdown] key="title" lang="en"
# # 13 · GPT: a Transformer that reads from left to right
#
# After this lesson you can
#
# * write self-attention, several heads of it, and a causal mask, and check them against torch;
# * find a leak from the future with a gradient;
# * cut text into subwords, and compare models that cut it differently;
# * write four kinds of tasks as one row of subwords;
# * fine-tune with an auxiliary language-model loss, and ask whether it helps;
# * say what attention costs when a text gets longer, and compare it fairly with an LSTM.
#
# Running time: about three minutes on one core (quick profile: under one).
# The paper is Radford, Narasimhan, Salimans and Sutskever, *Improving Language
# Understanding by Generative Pre-Training* (June 2018). Its model comes from Vaswani et al.,
# *Attention Is All You Need* (2017).

# %% [markdown] key="title" lang="zh" follows="4038925b"
# # 13 · GPT：从左往右读的 Transformer
#
# 学完本课，你能够
#
# * 写出自注意力、多头注意力和因果掩码，并与 torch 的实现核对；
# * 用梯度查出“偷看未来”的漏洞；
# * 把文本切成子词，并比较切法不同的模型；
# * 把四类任务都写成一行子词；
# * 微调时加上辅助的语言模型损失，并检验它到底有没有用；
# * 说明文本变长时注意力的代价，并公平地同 LSTM 比较。
#
# 运行时间：单核约三分钟（精简规模不到一分钟）。本课的论文是 Radford、Narasimhan、Salimans 与 Sutskever 的 *Improving Language Understanding by Generative Pre-Training*（2018 年 6 月），其中的模型出自 Vaswani 等，*Attention Is All You Need*（2017）。

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
from course_claims.experiments import gpt as experiments
from course_lib import checkpoints, data
from course_lib.analysis import baselines
from course_lib.data.held_out import hold_out, labelled
from course_lib.models import gpt, transformer
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.text import pieces as word_pieces
from course_lib.training import bf16_pays
from course_lib.training.fine_tune import as_document
from course_lib.training.loop import evaluate, train

_ = torch.manual_seed(13)
FULL = course_lib.by_profile(full=True, quick=False)


# %% [markdown] key="attention" lang="en"
# ## 1 · A word asks the others
#
# An LSTM reads *the river had flooded the bank* word by word. When it comes to *bank*, all that it
# still knows of *river* is what has survived four steps in one state. **Self-attention** has no such
# state: *bank* asks every word of its own text directly, and takes something from each.
#
# Each word has three vectors for this. They are made from the word's own vector $x$ by three matrices that
# are learned, as $x W^Q$, $x W^K$ and $x W^V$. The **query** says what the word looks for, the **key** what it
# has to offer, and the **value** what it hands over. Suppose that *bank* has the query $(2, 0)$, and that there are three
# words to look at:
#
# | word | key | value |
# |---|---|---|
# | river | (3, 0) | (1, 0) |
# | the | (0, 1) | (0, 0) |
# | bank | (1, 1) | (0, 1) |
#
# The products of the query with the keys are $6, 0, 2$. Divided by $\sqrt 2$ (the reason follows below) and put
# through a softmax they become $0.93$, $0.01$ and $0.06$. So *bank* becomes $0.93 \cdot (1, 0) + 0.06 \cdot (0, 1)$,
# which is mostly what *river* has handed over. The same for all words at once, with the queries, keys and values as
# the rows of three matrices and $d_k$ their dimension, is **scaled dot-product attention** (equation 1 of Vaswani et
# al.):
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right) V.$$

# %% [markdown] key="attention" lang="zh" follows="4843580f"
# ## 1 · 一个词向别的词打听
#
# LSTM 读“果园里挂满了苹果”，一个词一个词地读，读到“苹果”时，它对“果园”还记得什么，全看那一个状态经过几步之后还剩下什么。**自注意力**没有这样的状态，“苹果”直接向同一段文本里的每个词打听，从每个词那里各取一点。
#
# 为此，每个词有三个向量，由这个词自己的向量 $x$ 分别乘三个学出来的矩阵得到：$x W^Q$、$x W^K$、$x W^V$。**查询**（query）说它要找什么，**键**（key）说它能提供什么，**值**（value）是它交出来的东西。假设“苹果”的查询是 $(2, 0)$，可以看的有三个词：
#
# | 词 | 键 | 值 |
# |---|---|---|
# | 果园 | (3, 0) | (1, 0) |
# | 了 | (0, 1) | (0, 0) |
# | 苹果 | (1, 1) | (0, 1) |
#
# 查询与各个键的内积是 $6, 0, 2$，除以 $\sqrt 2$（原因见下文）再过 softmax，得到 $0.93$、$0.01$、$0.06$。于是“苹果”变成 $0.93 \cdot (1, 0) + 0.06 \cdot (0, 1)$，主要是“果园”交出来的东西。所有的词一起算，把查询、键、值分别排成三个矩阵的行，$d_k$ 是它们的维数，就是**缩放点积注意力**（Vaswani 等，式 1）：
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right) V$$

# %% key="attention-run"
course_lib.source(transformer.attention)
q = torch.tensor([[2.0, 0.0]])  # (1, d)
k = torch.tensor([[3.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # (3, d)
v = torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
nothing = torch.zeros(1, 3, dtype=torch.bool)  # nothing is hidden
found, weights = transformer.attention(q, k, v, nothing)
print(t("weights:", "权重："), [round(w, 2) for w in weights[0].tolist()],
      t("found:", "得到："), [round(x, 2) for x in found[0].tolist()])  # fmt: skip

# %% [markdown] key="scale" lang="en"
# Why is it divided by $\sqrt{d_k}$? The product of two vectors is a sum of $d_k$ terms; if these are independent with
# variance 1, the sum has variance $d_k$. With many dimensions the scores lie far apart, and the
# softmax gives nearly everything to one word. Its gradient is then close to zero, and it cannot learn to look
# elsewhere. The table shows the largest weight on average, for eight words with random queries and keys:

# %% [markdown] key="scale" lang="zh" follows="8a4d27af"
# 为什么要除以 $\sqrt{d_k}$？两个向量的内积是 $d_k$ 项之和，各项若独立、方差为 1，和的方差就是 $d_k$。维数一多，分数就拉得很开，softmax 几乎把一切都给了一个词；这时梯度接近于零，想学着看别处也学不了。下表取八个词、随机的查询和键，列出最大权重的平均：

# %% key="scale-run"
largest = []
for d in (4, 64, 1024):
    queries, keys = torch.randn(2, 500, 8, d)
    scores = queries @ keys.transpose(1, 2)  # (500, 8, 8)
    largest.append(
        (d, *(f"{(scores / by).softmax(2).amax(2).mean():.2f}" for by in (1, d**0.5)))
    )
claims.show_table(
    [t("dimension d", "维数 d"), t("not divided", "不除"), t("divided by √d", "除以 √d")], largest
)  # fmt: skip

# %% [markdown] key="heads" lang="en"
# ## 2 · Several heads
#
# One softmax can hardly look at two words for two reasons. In **multi-head attention** the $D$ dimensions are
# therefore split among $H$ **heads**. Each head has queries, keys and values of its own in $D/H$ dimensions, and
# looks where it likes. Their results are laid side by side and mixed by one more matrix. This costs no more than one
# head of $D$ dimensions. The cell below compares ours with torch's, using the same weights.

# %% [markdown] key="heads" lang="zh" follows="28fe967c"
# ## 2 · 多个头
#
# 一个词往往要看两个词，看的理由还各不相同，只有一个 softmax 很难兼顾。**多头注意力**把 $D$ 维分给 $H$ 个**头**，每个头在自己的 $D/H$ 维里有自己的查询、键和值，各看各的。各头的结果并排放好，再用一个矩阵混合，代价并不比一个 $D$ 维的头更高。下面用同样的权重，把我们的实现同 torch 的比一比。

# %% key="heads-run"
course_lib.source(transformer.SelfAttention)
torch.manual_seed(0)
ours = transformer.SelfAttention(D=24, heads=4)
torchs = torch.nn.MultiheadAttention(24, 4, batch_first=True)
torchs.load_state_dict(
    {
        "in_proj_weight": ours.qkv.weight,
        "in_proj_bias": ours.qkv.bias,
        "out_proj.weight": ours.mix.weight,
        "out_proj.bias": ours.mix.bias,
    }
)
x = torch.randn(2, 10, 24)  # (B, T, D)
ahead = transformer.future(10)  # section 4
gaps = [
    float((one - other).detach().abs().max())
    for one, other in zip(
        ours(x, ahead),
        torchs(x, x, x, attn_mask=ahead, average_attn_weights=False),
        strict=True,
    )
]
print(t("largest difference from torch's, outputs and weights:", "与 torch 的最大差别（输出、权重）："),
      [f"{gap:.0e}" for gap in gaps])  # fmt: skip

# %% [markdown] key="order" lang="en"
# ## 3 · Order has to be told
#
# An LSTM cannot help knowing what came first. Attention cannot know it, because a sum over all words does not
# change when the words change places: permute the inputs, and the same outputs come out,
# permuted. So a vector for the position is added to each word's vector. GPT has **learned positional embeddings**
# (also called position embeddings), one for each of 512 positions; ours has 128. There is no embedding for position
# 129, so that no text can be longer. The check below uses a Transformer without them:

# %% [markdown] key="order" lang="zh" follows="41eb0e12"
# ## 3 · 顺序要另外告诉它
#
# LSTM 想不知道先后都不行，注意力却无从知道，因为对所有词求和，词换了位置，和不变：输入打乱，输出还是那些输出，只是跟着打乱。所以要在每个词的向量上加一个表示位置的向量。GPT 用的是**学出来的位置嵌入**，512 个位置各有一个，我们的有 128 个。第 129 个位置没有嵌入，文本也就不能更长。下面的检查用一个没有位置嵌入的 Transformer：

# %% key="order-run"
blind = transformer.Transformer(layers=2, D=24, heads=4, dropout=0.0, causal=False)
shuffled = torch.randperm(10)
with torch.no_grad():
    gap = blind(x[:, shuffled])[0] - blind(x)[0][:, shuffled]
print(t("permuted inputs, largest difference:", "打乱输入，最大差别："), f"{float(gap.abs().max()):.0e}")  # fmt: skip

# %% [markdown] key="causal" lang="en"
# ## 4 · No looking ahead
#
# A language model is asked for the next word. If a word may look at the next one, the answer is already in the
# input. A **causal mask** therefore sets the scores of all later words to $-\infty$ before the softmax, so that their
# weights are exactly 0. All positions of a text can then be trained at once, each as if the text ended
# there. This is the advantage over an LSTM, which has to go step by step.
#
# A forgotten mask raises no error; it only gives a perplexity that is too good to be true. So test it: the vector at
# position $t$ must have no gradient from positions after $t$. Below are two models with the same weights, one with
# the mask and one without.

# %% [markdown] key="causal" lang="zh" follows="be77b520"
# ## 4 · 不许偷看后文
#
# 语言模型要回答的是下一个词。如果一个词能看见下一个词，答案就已经在输入里了。所以**因果掩码**在 softmax 之前把后面所有词的分数设成 $-\infty$，让它们的权重恰好是 0。这样，一段文本的所有位置可以同时训练，每个位置都好像文本到它为止。这正是它胜过 LSTM 的地方，LSTM 只能一步一步来。
#
# 忘了掩码不会报错，只会得到好得不真实的困惑度，所以要检查：位置 $t$ 的向量，不能从 $t$ 之后的位置得到梯度。下面是权重完全相同的两个模型，一个有掩码，一个没有。

# %% key="causal-run"
course_lib.source(transformer.future)


def who_is_seen(model):
    """Return the size of the gradient at each position (columns) of each output (rows)."""
    inputs = torch.randn(1, 10, 24, requires_grad=True)
    some = torch.randn(24)
    rows = [
        torch.autograd.grad(model(inputs)[0][0, place] @ some, inputs)[0][0]
        for place in range(10)
    ]  # 10 of (10, D)
    return torch.stack(rows).norm(dim=2)  # (10, 10)


with torch.no_grad():
    for weight in blind.parameters():
        if weight.dim() == 2:
            weight.normal_(std=0.3)  # larger than at the beginning, so that one sees it
masked = copy.deepcopy(blind)
masked.causal = True
figure, axes = plt.subplots(1, 2, figsize=(7.6, 3.4), sharey=True)
for ax, model, title in zip(axes, (masked, blind),
                            (t("with the mask", "有掩码"), t("without: it leaks", "没有：漏了")), strict=True):  # fmt: skip
    seen = who_is_seen(model)
    later = float(seen[transformer.future(10)].abs().max())
    print(
        title,
        "·",
        t("largest gradient from the future:", "来自未来的最大梯度："),
        f"{later:.2g}",
    )
    ax.imshow(torch.where(seen > 0, seen.clamp(min=1e-4).log10(), torch.nan), cmap="Blues", vmin=-3.5, vmax=0.5)  # fmt: skip
    ax.set_title(title, fontsize=10)
    ax.set_xlabel(t("position of the input", "输入的位置"))
axes[0].set_ylabel(t("position of the output", "输出的位置"))
course_lib.show(
    figure,
    alt=t(
        "Two squares: which inputs have a gradient at which output. With the mask only the lower left "
        "triangle is filled; without it everything is.",
        "两个方阵：哪个输出对哪个输入有梯度。有掩码时只有左下三角有颜色，没有掩码时处处都有。",
    ),
)

# %% [markdown] key="causal-seen" lang="en"
# White cells are exactly 0. With the mask everything above the diagonal is white; without it every output has a
# gradient from every input. This test serves every language model (lesson 06 used it on a biLM).

# %% [markdown] key="causal-seen" lang="zh" follows="2bc7d5d3"
# 白色的格子恰好是 0。有掩码时，对角线上方全是白的；没有掩码时，每个输出都能从每个输入得到梯度。任何语言模型都可以这样检查（第 06 课用它查过 biLM）。

# %% [markdown] key="block" lang="en"
# ## 5 · A block, and a stack of them
#
# A **Transformer block** has two sublayers: multi-head self-attention, and then a **position-wise feed-forward
# network**, two linear layers that change each word's vector by itself. Around each runs a **residual connection**:
# what the sublayer computes is *added* to what was there, so that a word's vector goes up through the stack and each
# block changes it a little. Before each sublayer stands a **layer normalisation** (lesson 07; here each word's vector
# by itself gets mean 0 and variance 1). In 2018 it stood after the sublayer ("post-norm"); before it ("pre-norm")
# small models train better. GPT has 12 blocks of 768 dimensions with 12 heads; ours has 4 of 192 with 4. (In the code
# below, `before_looking` and `before_thinking` are the two layer normalisations.)
#
# ![One of four blocks from bottom to top: layer norm, masked multi-head self-attention, layer norm, feed-forward network, and two residual connections that go round them and are added; beside it one of the four heads: queries and keys give a table of weights whose upper right half is 0, the values are averaged with these weights, and the four heads are laid side by side and mixed.](drawing:transformer_block)

# %% [markdown] key="block" lang="zh" follows="11fd2c5a"
# ## 5 · 一个块，一摞块
#
# 一个 **Transformer 块**有两个子层：先是多头自注意力，再是**逐位置前馈网络**，也就是对每个词的向量各自做变换的两层线性网络。两个子层外面各有一条**残差连接**，子层算出的结果*加*到原来的向量上，所以词的向量穿过一整摞块往上走，每经过一块只改动一点。两个子层之前各有一个**层归一化**（见第 07 课；这里每个词的向量各自变成均值 0、方差 1）。2018 年它放在子层之后（post-norm）；放在之前（pre-norm），小模型更好训练。GPT 有 12 个块、768 维、12 个头；我们的是 4 个块、192 维、4 个头。（下面代码里的 `before_looking` 和 `before_thinking` 就是这两个层归一化。）
#
# ![四个块之一，从下到上：层归一化、带掩码的多头自注意力、层归一化、前馈网络，两条残差连接绕过它们再加上；旁边是四个头之一：查询和键给出一张权重表，右上半全是 0，用这些权重对值求加权平均，四个头的结果并排放好再混合。](drawing:transformer_block)

# %% key="block-run"
course_lib.source(transformer.Block, transformer.Transformer, gpt.GPT)
D, V = 192, 8000
shares = {
    t("embedding = softmax, V·D", "词向量 = softmax，V·D"): V * D,
    t("self-attention, 4 blocks of 4·D²", "自注意力，4 块 × 4·D²"): 4 * 4 * D * D,
    t("feed-forward networks, 4 blocks of 8·D²", "前馈网络，4 块 × 8·D²"): 4 * 8 * D * D,
    t("positional embeddings, 128·D", "位置嵌入，128·D"): 128 * D,
}  # fmt: skip
total = sum(p.numel() for p in gpt.GPT(gpt.GPTConfig(), V).parameters())
claims.show_table([t("parameters of our GPT", "我们的 GPT 的参数"), t("number", "个数"), t("share", "占比")],
           [(name, f"{n:,}", f"{n / total:.0%}") for name, n in shares.items()])  # fmt: skip

# %% [markdown] key="pieces" lang="en"
# ## 6 · Subwords
#
# A list of 20,000 words leaves one word in twenty unknown (lesson 09). The characters of lesson 06 leave none
# unknown, but make rows long. GPT and BERT take a middle way, **subwords** (word pieces, here *pieces* for short).
# The list is learned by **byte pair encoding** (BPE). Start with single characters. Find the two neighbours that
# stand together most often, *t* and *h* for example; add *th* to the list; count again. After a few thousand rounds
# frequent words are one piece, and rare ones several. We write the pieces as BERT's **WordPiece** does: `##` marks a
# piece that continues a word.

# %% [markdown] key="pieces" lang="zh" follows="e35cd727"
# ## 6 · 子词
#
# 两万词的词表，十二个词里约有一个不认识（第 09 课）。第 06 课用字符，没有不认识的，可是一行会很长。GPT 和 BERT 走中间的路，用**子词**（subword，也叫词片）。子词表由**字节对编码**（BPE）学出来：从单个字符开始，找出最常相邻的两个，比如“公”和“司”，把“公司”加进表里，重新数，再合。几千轮以后，常见的词是一个子词，少见的词是几个。写法跟 BERT 的 **WordPiece** 一样，`##` 表示接着同一个词往下写。英文也是如此，t 和 h 合成 th，再和 e 合成 the。

# %% key="pieces-run"
amount = course_lib.by_profile(full=250_000, quick=15_000)
size = t(2000, 9000) if FULL else t(800, 5000)  # Chinese has more characters
town = experiments.corpus(amount, size, t.language)
cutter = town.pieces
claims.show_table(
    [t("words read", "读过的词数"), t("pieces in the list", "子词表大小"), t("pieces a word", "每词几个子词")],
    [(f"{town.training.n_words:,}", f"{len(cutter):,}", f"{len(town.training.ids) / town.training.n_words:.2f}")],
)  # fmt: skip
for word in t(
    "the playing mortgages unbelievable", "我们 苹果 图书馆 打电话 莫名其妙"
).split():
    print(word, "→", " ".join(cutter.words[i] for i in cutter.encode([word])))

# %% [markdown] key="pieces-seen" lang="en"
# *the* and *playing* are one piece each, and the rarer words are several. Nobody has told the counting what a stem
# is, and its cuts need not fall where a grammar would put them.
#
# ### Perplexities over different lists
#
# A model of pieces predicts more items than a model of words, and easier ones, so their perplexities per item
# cannot be compared. But a text has one probability, however it is cut. So take all nats of the held-out text,
# and divide them by something that both models share, its words or its characters. Below we use **bits per
# character**. (A bit is $\ln 2 \approx 0.69$ nats.)

# %% [markdown] key="pieces-seen" lang="zh" follows="54357a2b"
# 单个的汉字都在表里，每个字还有带 `##` 的一份，剩下的名额给了最常见的词和片段，少见的词就一字一片地拼。“我们”已经是一个子词，“莫名其妙”还要拼。计数的时候，并没有人告诉它什么是词、什么是字。
#
# ### 切法不同，困惑度怎么比
#
# 按子词预测的模型，要预测的东西更多，每一个也更容易，所以逐项的困惑度不能跟按词的模型比。但一段文本只有一个概率，怎么切都一样。所以取整段留出文本的总损失，平摊到双方共有的东西上，比如词，或者字符。下面用**每字符比特数**。（1 比特是 $\ln 2 \approx 0.69$ 奈特。）

# %% [markdown] key="live" lang="en"
# ## 7 · A small GPT, live
#
# This one has three blocks of 128 dimensions and reads windows of 64 pieces. Documents are laid end to end, and a
# window may begin anywhere. The loss is that of every language model of this course (equation 1 of the paper), $-\log
# p$ of the next piece given the $k$ before it:
#
# $$L_1(\mathcal U) = \sum_i \log P(u_i \mid u_{i-k}, \dots, u_{i-1}; \Theta).$$
#
# (The paper maximises this sum; we minimise its negative, averaged over the pieces.)

# %% [markdown] key="live" lang="zh" follows="0ea3ccd3"
# ## 7 · 现场训练一个小 GPT
#
# 这个 GPT 有三个块，128 维，每次读 64 个子词的一个窗口。文档首尾相接，窗口可以从任何地方开始。损失跟本课程所有语言模型一样（论文式 1），给定前面 $k$ 个子词，算下一个子词的 $-\log p$：
#
# $$L_1(\mathcal U) = \sum_i \log P(u_i \mid u_{i-k}, \dots, u_{i-1}; \Theta)$$
#
# （论文让这个和尽量大；我们取负号、求平均，让它尽量小。）

# %% key="live-run"
course_lib.source(gpt.GPT.forward, gpt.GPT.loss)
live, windows = experiments.readers("GPT", town, seed=13)
c = live.config


def bits_per_character(model):
    """Share out the bits of the held-out text over its characters."""
    unseen = word_pieces.Windows(town.held_out, c.context, 16, overlap=c.context // 2)
    nats = evaluate(model, unseen).item() * (len(town.held_out.marked()[0]) - 1)
    return nats / math.log(2) / town.characters


before = bits_per_character(live)
run = train(
    live,
    windows,
    epochs=course_lib.by_profile(full=2, quick=1),
    learning_rate=experiments.RATES["GPT"],
    bf16=bf16_pays(),
)
print(t("bits per character, untrained and trained:", "每字符比特数，训练前后："),
      f"{before:.2f}, {bits_per_character(live):.2f};",
      t("seconds:", "秒数："), round(run.seconds))  # fmt: skip

# %% key="live-write"
course_lib.source(gpt.generate)


def written(model, pieces, words, n=40, temperature=0.8):
    """Let a GPT go on with some words."""
    torch.manual_seed(13)
    start = [word_pieces.START, *pieces.encode(words)]
    found = gpt.generate(model, start, n, temperature)
    return " ".join(pieces.decode([*start[1:], *found]))


PROMPT = t("the bank of the", "他 打").split()
print(written(live, cutter, PROMPT))

# %% [markdown] key="shipped" lang="en"
# The continuation above sounds like the text that the model has read, and makes no sense. The same code with four
# blocks of 192 dimensions and nine minutes of a GPU instead of a minute of one core gives the checkpoint `gpt-en`, which has read 22
# million words thirty times. Its card says what these are and how well it predicts. The rest of this lesson uses this larger model.

# %% [markdown] key="shipped" lang="zh" follows="c06bac50"
# 上面续写的文字像它读过的文本，却没有什么意思。同样的模型换成四个块、192 维，不是在一个核上训练一两分钟，而是在 GPU 上训练九分钟，就是英文版所用的 `gpt-en` 和中文的 `gpt-zh`：前者把两千两百万词读了三十遍，后者词表大一倍，把一千六百万词读了十一遍。`gpt-zh` 的说明卡里写着读过什么、预测得怎样，本课后面都用它。

# %% key="shipped-run"
NAME = f"gpt-{t.language}"
if NAME in checkpoints.names():
    reader, its_pieces = course_lib.load(NAME)
    card = checkpoints.CHECKPOINTS / NAME / "README.md"
    lines = card.read_text(encoding="utf-8").split("\n")
    print("\n".join(x for x in lines if x.startswith(("| Tokens", "| Held-out"))))
    print(written(reader, its_pieces, PROMPT))
else:  # no larger model of this language is at hand
    reader, its_pieces = live, cutter
print(t("parameters:", "参数："), f"{sum(p.numel() for p in reader.parameters()):,}")

# %% [markdown] key="who" lang="en"
# ## 8 · Who looks where
#
# The weights of section 1 can be drawn. Each row belongs to one piece's query and shows how much of its attention goes to
# which earlier piece's key. The figure has the heads of one block, side by side.

# %% [markdown] key="who" lang="zh" follows="31c3464b"
# ## 8 · 谁在看谁
#
# 第 1 节的权重可以画出来：每一行是一个子词的查询，行里是它把多少注意力给了前面哪个子词的键。图中把同一块的几个头并排放着。

# %% key="who-picture"
sentence = t(
    "she sat on the bank of the river . the bank was closed",
    "他 打开 手机 看 了 看 ， 苹果 公司 的 股票 又 涨 了",
).split()
row = [word_pieces.START, *its_pieces.encode(sentence)]
with torch.no_grad():
    patterns = reader.read(torch.tensor([row]))[1]  # of each block (1, H, T, T)
BLOCK = len(patterns) // 2
names = [its_pieces.words[i] for i in row]
heads = patterns[BLOCK][0]  # (H, T, T)
figure, axes = plt.subplots(1, len(heads), figsize=(2.9 * len(heads), 3.9), sharey=True)
for number, (ax, weights) in enumerate(zip(np.atleast_1d(axes), heads, strict=True)):
    ax.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    ax.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
    ax.set_title(t(f"head {number}", f"头 {number}"), fontsize=9)
    ax.set_xlabel(t("key of", "键"))
np.atleast_1d(axes)[0].set_yticks(range(len(names)), names, fontsize=7)
np.atleast_1d(axes)[0].set_ylabel(t("query of", "查询"))
course_lib.show(
    figure,
    alt=t(
        f"Attention weights of the {len(heads)} heads of block {BLOCK + 1}, one square each, a row for each piece; "
        "everything above the diagonal is empty.",
        f"第 {BLOCK + 1} 块 {len(heads)} 个头的注意力权重，各一个方阵，每个子词一行；对角线上方全空。",
    ),
)
previous = [float(head.diagonal(-1).mean()) for head in heads]
first = [float(head[1:, 0].mean()) for head in heads]
claims.show_table([t("head", "头"), t("to the piece before", "给前一个子词"), t(f"to {names[0]}", f"给 {names[0]}")],
           [(n, f"{p:.2f}", f"{f:.2f}") for n, (p, f) in enumerate(zip(previous, first, strict=True))])  # fmt: skip

# %% [markdown] key="who-seen" lang="en"
# The heads differ. The table says how much goes, on average, to the piece just before, and to
# the mark at the beginning, where a head that has found nothing can put its weight. Change `BLOCK` to see
# another block. A weight is not an explanation, however: it says from where something was taken and not what was done
# with it, and the piece at that position already carries what *it* has taken from others.

# %% [markdown] key="who-seen" lang="zh" follows="bfef86a1"
# 各个头看的地方不一样。表里是平均有多少权重给了紧挨着的前一个子词，又有多少给了开头的标记，没找到东西的头可以把权重放在那里。改一改 `BLOCK`，就能看到别的块。不过，权重不是解释：它说的是从哪里取了东西，没有说拿去做了什么；而且那个位置上的子词，早已带着*它*从别处取来的东西。

# %% [markdown] key="tasks" lang="en"
# ## 9 · Four tasks, one kind of input
#
# The language model has read plain rows of pieces. A task may have one text, two, or a question with four
# answers. Users of ELMo built a network for each. GPT changes the *input* instead (figure 1 of the
# paper): the texts are written in one row with a few **special tokens** between them, and the vector at the last one
# decides.
#
# * **Classification**: `<S> text <EXTRACT>`.
# * **Entailment**, an ordered pair: `<S> premise <DELIM> hypothesis <EXTRACT>`.
# * **Similarity**, a pair without an order: both orders are written, and their two vectors are added.
# * **Multiple choice**: a row for each answer; each gets one score, and a softmax chooses.
#
# In our GPT the special tokens `<DELIM>` and `<EXTRACT>` are all that is new, besides the head: `<S>` stood
# before every document already. (In the paper the token at the start is new as well.)
#
# ![Four kinds of tasks as rows for one Transformer: classification has one text between a start mark and the extract mark, entailment two with a delimiter between; similarity writes both orders and adds the two vectors at the extract mark, multiple choice writes a row for each answer; new, and dashed, are the delimiter, the extract mark and a linear layer on the vector there; in multiple choice a softmax compares the rows' scores.](drawing:gpt_inputs)

# %% [markdown] key="tasks" lang="zh" follows="1d0d6e81"
# ## 9 · 四类任务，一种输入
#
# 语言模型读惯了普通的一行子词，任务却可能有一段文本、两段文本，或者一个问题带四个答案。用 ELMo 的人给每种任务各搭一个网络，GPT 改的则是*输入*（论文图 1）：把几段文本写成一行，中间加几个**特殊标记**，由最后那个标记处的向量来决定。
#
# * **分类**：`<S> 文本 <EXTRACT>`。
# * **蕴含**，有次序的一对：`<S> 前提 <DELIM> 假设 <EXTRACT>`。
# * **相似**，没有次序的一对：两种次序各写一行，两个向量相加。
# * **多项选择**：每个答案一行，各得一个分数，用 softmax 选。
#
# 在我们的 GPT 里，除了分类头，新东西只有 `<DELIM>` 和 `<EXTRACT>` 这两个特殊标记；`<S>` 在预训练时就站在每篇开头。（论文里，开头的标记也是新的。）
#
# ![四类任务都写成行，交给同一个 Transformer：分类是开始标记和提取标记之间的一段文本，蕴含是两段，中间隔着分隔标记；相似把两种次序各写一行，提取标记处的两个向量相加；多项选择每个答案写一行；新的是分隔标记、提取标记和那里的向量上面的线性层，都画成虚线框；多项选择再用 softmax 比较各行的得分。](drawing:gpt_inputs)

# %% key="tasks-run"
course_lib.source(
    gpt.classification, gpt.entailment, gpt.similarity, gpt.multiple_choice
)
one, other = (
    its_pieces.encode(text.split())
    for text in t(("the bank opened", "a bank is open"), ("银行 开 了", "银行 在 营业"))
)
answers = [its_pieces.encode([word]) for word in t(("money", "water"), ("钱", "水"))]
kinds = {
    t("classification", "分类"): gpt.classification(one),
    t("entailment", "蕴含"): gpt.entailment(one, other),
    t("similarity", "相似"): gpt.similarity(one, other),
    t("multiple choice", "多项选择"): gpt.multiple_choice(one, answers),
}
claims.show_table([t("task", "任务"), t("rows", "行")],
           [(name, "   |   ".join(" ".join(its_pieces.words[i] for i in row) for row in rows))
            for name, rows in kinds.items()])  # fmt: skip

# %% [markdown] key="symmetry" lang="en"
# Similarity must not depend on which text comes first. With both orders written it cannot, whatever the weights are.
# We check this on a head that has learned nothing, with its scores of the pair and of the pair turned round. Only the
# two numbers of *similarity* agree.

# %% [markdown] key="symmetry" lang="zh" follows="ae0ac3f0"
# 相似不相似，不该取决于谁写在前面。两种次序都写上，那么不管权重是什么，结果都与次序无关。用一个什么也没学过的分类头检查，比较这一对的分数和颠倒过来的分数，只有“相似”的两个数相等。

# %% key="symmetry-run"
torch.manual_seed(0)
untaught = gpt.GPTClassifier(copy.deepcopy(reader)).eval()
with torch.no_grad():
    for name, write in ((t("entailment", "蕴含"), gpt.entailment), (t("similarity", "相似"), gpt.similarity)):  # fmt: skip
        scores = [untaught(word_pieces.pad([write(*pair)]))[0, 0].item() for pair in ((one, other), (other, one))]  # fmt: skip
        print(name, [f"{score:.5f}" for score in scores])

# %% [markdown] key="auxiliary" lang="en"
# ## 10 · Fine-tuning with an auxiliary loss
#
# As in lesson 12 there are two losses: the task's own, on the label $y$ of the pieces $x^1 \dots x^m$ (equations 3
# and 4, $h_l^m$ being the last block's vector at `<EXTRACT>`), and as an **auxiliary loss** the language model's on
# the very same row:
#
# $$P(y \mid x^1, \dots, x^m) = \mathrm{softmax}(h_l^m W_y), \qquad
#   L_2(\mathcal C) = \sum_{(x, y)} \log P(y \mid x^1, \dots, x^m),$$
# $$L_3(\mathcal C) = L_2(\mathcal C) + \lambda \cdot L_1(\mathcal C), \qquad \lambda = 0.5.$$
#
# ULMFiT had a whole stage for a language model of the task's own text (lesson 10). Here it goes on beside the labels,
# and costs no second training. We fine-tune on 500 labelled questions (TREC, six classes; without that corpus, on
# reviews from Rivertown) in three ways, with one seed.

# %% [markdown] key="auxiliary" lang="zh" follows="881801d2"
# ## 10 · 微调，加上辅助损失
#
# 跟第 12 课一样有两个损失。一个是任务自己的，针对子词 $x^1 \dots x^m$ 的标签 $y$（式 3、4，$h_l^m$ 是最后一块在 `<EXTRACT>` 处的向量）；另一个作为**辅助损失**，是语言模型在同一行上的：
#
# $$P(y \mid x^1, \dots, x^m) = \mathrm{softmax}(h_l^m W_y), \qquad
#   L_2(\mathcal C) = \sum_{(x, y)} \log P(y \mid x^1, \dots, x^m),$$
# $$L_3(\mathcal C) = L_2(\mathcal C) + \lambda \cdot L_1(\mathcal C), \qquad \lambda = 0.5$$
#
# 在任务自己的文本上训练语言模型，ULMFiT 专门有一个阶段做这件事（第 10 课）；这里它跟分类一起学，不用另训一次。我们把 `gpt-zh` 拿到新闻标题上微调（TNEWS，十五类；没有这份语料时，用河湾镇的中文评论），500 条标注，做法三种，种子一个。

# %% key="auxiliary-run"
course_lib.source(gpt.GPTClassifier)
CORPUS, LABELS, TEST = (
    t(("qc", 500, 500), ("tnews", 500, 500)) if FULL else ("", 40, 60)
)
if not (CORPUS and data.at_hand(CORPUS)):
    CORPUS = f"rivertown-{t.language}-sentiment"


def in_pieces(name):
    """Write a task's texts as rows of the reader's pieces, with their labels."""
    splits = hold_out(labelled(data.load(name)), {"test": TEST})
    splits = {"train": splits["train"][:4000], "test": splits["test"][:TEST]}
    classes = sorted({example.label for example in splits["train"]})
    rows, labels = {}, {}
    for split, examples in splits.items():
        rows[split] = []
        for example in examples:
            document = as_document(example.text, t.language)
            text = its_pieces.encode(word for s in document for word in s)
            text = gpt.shortened([text], reader.config.context - 2)
            rows[split].append(gpt.classification(*text))
        labels[split] = np.array([classes.index(e.label) for e in examples])
    return experiments.PieceTask(name, classes, splits, rows, labels)


task = in_pieces(CORPUS)
print(t("labels:", "标签数："), LABELS, t("· classes:", "· 类别数："), len(task.classes),
      t("· the first text:", "· 第一条："), task.splits["train"][0].text)  # fmt: skip

chosen = experiments.drawn(task.labels["train"], LABELS, seed=1)
table = baselines.classify(
    [task.splits["train"][i] for i in chosen], task.splits["test"], t.language
)
for name, way in experiments.WAYS.items():
    way = way._replace(
        **course_lib.by_profile(full={}, quick={"steps": 3, "epochs": 1})
    )
    scratch = name == "without pre-training"
    encoder = experiments.scratch(reader, seed=1) if scratch else reader
    table[name] = experiments.score(
        task, experiments.learn(encoder, task, LABELS, 1, way)
    )
TITLES = {
    "majority": t("the commonest class", "总猜最多的类"),
    "TF-IDF": t("TF-IDF, logistic regression", "TF-IDF 加逻辑回归"),
    "whole": t("GPT, fine-tuned with λ = 0.5", "GPT，微调，λ = 0.5"),
    "without the auxiliary loss": t("GPT, fine-tuned with λ = 0", "GPT，微调，λ = 0"),
    "without pre-training": t("GPT from scratch, λ = 0", "GPT，从零训练，λ = 0"),
}
claims.show_table(
    [t("one seed", "一个种子"), t("accuracy", "准确率")],
    [(TITLES[k], f"{v:.1%}") for k, v in table.items()],
)

# %% [markdown] key="auxiliary-seen" lang="en"
# Read the table from the top. TF-IDF has seen no other text and takes a second, so it is the baseline that a GPT has to
# beat before a difference between two GPTs means anything. In our run both fine-tuned rows are above it, and the GPT
# from scratch, at a learning rate chosen for it, is below. Between λ = 0.5 and λ = 0 one seed cannot decide; the cards of section 12 have several.

# %% [markdown] key="auxiliary-seen" lang="zh" follows="a0aac222"
# 这张表从上往下读。TF-IDF 没有读过别的文本，一秒就够，它是基线：GPT 先要超过它，两个 GPT 之间的差才有意义。在我们这次运行里，微调过的两行（42.0% 和 39.6%）与 TF-IDF（39.0%）不相上下，从零训练的只有 21.0%：同样的网络、同样的 500 条标注，学习率也是替它另挑的，差的是预训练。测试只有 500 题，种子只有一个，一两个百分点的高下说明不了什么，差十几个点才算得上大；λ = 0.5 和 λ = 0 哪个好，一个种子也定不了，第 12 节的卡片有好几个种子（那里是英文任务）。

# %% [markdown] key="price" lang="en"
# ## 11 · The price of looking at everything
#
# A row of $T$ pieces has $T^2$ pairs. For each piece and block, attention costs about $2TD$ multiplications, and
# everything else $12D^2$, whatever the length. So for $T$ far below $6D$ the length hardly matters, and far above it
# a text of twice the length costs four times as much: the cost is **quadratic** in the length. An LSTM pays the same
# for each piece, but must take the pieces one after the other. The figure shows one text, no training, and the
# processor's time for each piece:

# %% [markdown] key="price" lang="zh" follows="c63d812a"
# ## 11 · 什么都看的代价
#
# $T$ 个子词的一行，有 $T^2$ 对。平均到每个子词、每个块，注意力大约要 $2TD$ 次乘法，其余的要 $12D^2$ 次，与长度无关。所以 $T$ 远小于 $6D$ 时，长短几乎无所谓；远大于时，文本长一倍，代价变四倍，也就是**平方级**的。LSTM 在每个子词上的代价都一样，可是必须一个接一个地来。图中是一段文本，不训练，每个子词所用的处理器时间：

# %% key="price-run"
LENGTHS = course_lib.by_profile(
    full=(16, 32, 64, 128, 256, 512, 1024, 2048), quick=(16, 64, 256)
)
long = gpt.GPT(gpt.GPTConfig(**{**experiments.SIZES, "context": max(LENGTHS)}), 100)
lstm = AWDLSTM(AWDConfig(128, 256, layers=2), 100)


@torch.no_grad()
def ms_per_piece(model, T, times=7):
    """Return the processor's milliseconds for a piece of a text of T, best of some."""
    tokens = torch.randint(0, 100, (1, T))
    model.eval()
    model(tokens)
    found = []
    for _ in range(times):
        began = time.process_time()
        model(tokens)
        found.append(time.process_time() - began)
    return 1000 * min(found) / T


curves = {
    name: [ms_per_piece(model, T) for T in tqdm(LENGTHS, desc=name, unit=t(" lengths", " 个长度"), file=sys.stdout)]
    for name, model in (("Transformer", long), ("LSTM", lstm))
}
figure, ax = plt.subplots(figsize=(6.4, 3.4))
for (name, y), style in zip(curves.items(), ("o-", "s--"), strict=True):
    ax.plot(LENGTHS, y, style, label=name)
ax.axvline(6 * 128, color="0.6", lw=1, ls=":")
ax.text(6 * 128 * 0.95, ax.get_ylim()[1] * 0.9, "T = 6D", ha="right", fontsize=8, color="0.4")  # fmt: skip
ax.set_xscale("log", base=2)
ax.set_yscale("log")
ax.set_xticks(LENGTHS, LENGTHS)
ax.set_xlabel(t("pieces in the text, T", "文本的子词数 T"))
ax.set_ylabel(t("ms for a piece", "每个子词的毫秒数"))
ax.legend(fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Milliseconds for a piece against the length of the text, both axes logarithmic: an LSTM and a "
        "Transformer of about as many parameters, the positional embeddings not counted.",
        "每个子词的毫秒数随文本长度的变化，两轴都是对数：位置嵌入不算，参数差不多一样多的 LSTM 和 Transformer。",
    ),
)

# %% [markdown] key="price-seen" lang="en"
# Both curves fall at first, because a short text does not keep the processor busy. The LSTM's then lies flat, while
# the Transformer's turns up. (At the dotted line attention needs as many multiplications as the rest; moving the $T
# \times T$ tables through memory comes on top.) On a GPU the LSTM fares worse by comparison: its steps wait
# for each other there as well, and most of the GPU's many units stand idle meanwhile.

# %% [markdown] key="price-seen" lang="zh" follows="7140ac8a"
# 起初两条线都往下走，因为文本太短，处理器吃不饱。之后 LSTM 的线是平的，Transformer 的线则翘了起来。（在点线处，注意力的乘法次数等于其余部分；把 $T \times T$ 的表搬进搬出内存，还要另算。）换到 GPU 上，LSTM 相对更吃亏：一段文本的各步照样要互相等，这时 GPU 的众多计算单元大多闲着。

# %% [markdown] key="claims" lang="en"
# ## 12 · Claims
#
# Below are four of this lesson's seven cards. Our model has three million parameters (on the first card 0.86 million), the paper's had 117
# million, so read the two columns apart. The first card answers a different question from the one that its claim
# asks: it compares language models, and the claim is about features. It therefore says *not tried*, and its numbers
# are grey; between an LSTM and a Transformer of this size, on this much text, the LSTM needs fewer bits. On the other
# cards, leave out the tasks in which nothing is significantly above TF-IDF; two of four remain.
#
# The other claims of this lesson (whether the Transformer is faster, whether four kinds of tasks need no new network, who
# pioneered fine-tuning) are on the book's claims page and in `python -m course_lib claims list`.

# %% [markdown] key="claims" lang="zh" follows="00b216b3"
# ## 12 · 论断
#
# 下面是七张卡片里的四张。我们的模型有三百万参数（第一张卡片上是八十六万），论文的有一亿一千七百万，所以左右两栏要分开读。第一张卡片测的不是论断所问的事，它比的是语言模型，论断讲的却是特征，所以写着“没有测”，数字是灰的；这样大小的 LSTM 和 Transformer，读这么多文本，LSTM 用的比特更少。看其余的卡片时，去掉那些谁也没有显著超过 TF-IDF 的任务，四个里剩两个。
#
# 这一课的其他论断（Transformer 是不是更快，四类任务是不是都不用改网络，微调是谁开创的）见书中“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="claims-cards"
for key in ("gpt-lstm", "gpt-pretraining", "gpt-auxiliary"):
    claims.card(key).show(t)
whole_text = [
    {t("pieces", "子词"): T,
     **{t(f"{m}, ms for the whole text", f"{m}，整段毫秒数"): f"{ms[i] * T:.1f}" for m, ms in curves.items()}}
    for i, T in enumerate(LENGTHS)
]  # fmt: skip
claims.card("gpt-long").show(t, here=whole_text)

# %% [markdown] key="released" lang="en"
# ## Optional: GPT-2 goes on with our prompts
#
# GPT-2 (Radford et al. 2019) is built as our GPT is, with the layer normalisation before each sublayer, but it has 12 blocks of
# 768 dimensions, 1,024 positions, and has read 40 GB of web pages. Its pieces are made of bytes, so that nothing is unknown to it, and a
# space belongs to the piece behind it (there it is written Ġ). The same `generate` lets `gpt-en` and GPT-2 go on with three prompts, at the same temperature and seed; the
# cell also prints what each holds likeliest next. **Predict** first: the prompts need grammar, an earlier word of the same sentence, and a
# fact about the world. For which of them does size help most? Is what GPT-2 goes on to say true, or does it only sound so?
#
# The table below them compares the two in bits per character (section 6), because their pieces differ. Both read the same sentences, written for this
# course, in small letters and with a space before each full stop. That is how ours learned to read, and not how GPT-2 did.
# We had GPT-2's weights nowhere at hand and tried the cell with random ones, so here you look without a result of ours to look for.

# %% [markdown] key="released" lang="zh" follows="0f7ffd7f"
# ## 选做：让 GPT-2 来续写
#
# GPT-2（Radford 等，2019）的结构和我们的 GPT 一样，层归一化也放在子层之前，只是有 12 个块、768 维、1024 个位置，读过 40 GB 的网页。它的子词由字节拼成，所以没有不认识的东西；空格算在后面那个子词里（写作 Ġ）。GPT-2 读的主要是英文，所以这里用英文，请 `gpt-en` 和 GPT-2 用同一个 `generate`、同样的温度和种子续写三个开头，并打印两者认为最可能的下一个子词。请先**预测**：三个开头依次要靠语法、靠同一句里前面的词、靠关于世界的知识，模型变大，对哪一个帮助最大？GPT-2 写出来的话是真的，还是只是听着像真的？
#
# 后面的表用每字符比特数比较两者（第 6 节），因为它们的子词不同。两者读的是同样的句子，都是为本课程写的，一律小写，句号前面也有空格；我们的模型就是这样学的，GPT-2 却不是。GPT-2 的权重我们手头没有，这一格只用随机权重试过，所以没有我们的结果可以对照，看到什么由你来说。

# %% key="released-run" fold=true
from course_released.optional import loaded

PROMPTS = ("the bank of the", "she had lost her key , so she could not open the", "the capital of france is")

if released := loaded(t, "gpt2"):
    ours = (reader, its_pieces) if t.language == "en" else course_lib.load("gpt-en")
    gpt2, byte_pieces = released
    between = byte_pieces.ids["<|endoftext|>"]  # stands between its documents
    begun = {
        "gpt-en": (*ours, lambda text: [word_pieces.START, *ours[1].encode(text.split())]),
        "GPT-2": (gpt2, byte_pieces, lambda text: [between, *byte_pieces.row(text)]),
    }
    for prompt in PROMPTS:
        print(f"\n{prompt} …")
        for name, (model, cutting, begin) in begun.items():
            text = prompt if name == "gpt-en" else prompt.replace(" ,", ",")
            torch.manual_seed(13)
            said = gpt.generate(model, begin(text), 20, temperature=0.8)
            with torch.no_grad():
                p = model.logits(model(torch.tensor([begin(text)]))[0, -1]).softmax(dim=0)
            likely = [f"{cutting.words[i]} {p[i]:.2f}" for i in p.topk(3).indices.tolist()]
            said = cutting.text(said) if name == "GPT-2" else " ".join(cutting.decode(said))
            print(f"  {name}: {said!r}\n    {t('likeliest next:', '最可能的下一个：')} {', '.join(likely)}")

    texts = [" ".join(s.tokens).lower() for s in data.senses("en")][:: course_lib.by_profile(full=3, quick=60)]
    texts = [text for text in texts if all(len(begin(text)) <= model.config.context for model, _, begin in begun.values())]
    rows = []
    for name, (model, _, begin) in begun.items():
        nats = n = 0
        for text in texts:
            row = torch.tensor([begin(text)])
            with torch.no_grad():
                nats += (row.shape[1] - 1) * model(row[:, :-1], row[:, 1:])[1].item()
            n += row.shape[1] - 1
        size = sum(p.numel() for p in model.parameters())
        bits = nats / math.log(2) / sum(map(len, texts))
        rows.append((name, f"{size:,}", f"{n:,}", f"{bits:.2f}"))
    claims.show_table([t(f"{len(texts)} sentences", f"{len(texts)} 句"), t("parameters", "参数"),
                       t("pieces", "子词"), t("bits per character", "每字符比特数")], rows)  # fmt: skip

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The probe is the same for every model of the course: do the vectors of an ambiguous word in its sentences keep the
# senses apart? A word of several pieces has the vector of its last one, which has seen the others. GPT reads
# from left to right, so a word that comes later cannot help. The best block is shown.

# %% [markdown] key="scoreboard" lang="zh" follows="05004fe9"
# ## 记分牌
#
# 课程里每个模型都做同样的测试：一个多义词在各个句子里的向量，能不能把义项分开？切成几个子词的词，取最后一个子词的向量，因为它看过前面几个。GPT 从左往右读，后面的词帮不上忙。表里是最好的一块。

# %% key="scoreboard-row"
from course_lib.analysis import senses

annotated = data.senses(t.language)


@torch.no_grad()
def at_target(model, pieces):
    """Return each block's output at the ambiguous word: arrays (N, D)."""
    outputs = []
    hooks = [
        block.register_forward_hook(lambda _, __, found: outputs.append(found[0]))
        for block in model.eval().transformer.blocks
    ]
    found = []
    for sentence in tqdm(annotated, unit=t(" sentences", " 句"), file=sys.stdout):
        cut = pieces.pieces_of(sentence.tokens[: sentence.target_index + 1])
        row = [word_pieces.START, *(i for word in cut for i in word)]
        outputs.clear()
        model(torch.tensor([row[-model.config.context :]]))
        found.append(torch.cat([x[0, -1:] for x in outputs]))  # (L, D)
    for hook in hooks:
        hook.remove()
    return torch.stack(found, dim=1).numpy()  # (L, N, D)


blocks = [
    senses.macro(senses.by_word(x, annotated)) for x in at_target(reader, its_pieces)
]
best = max(range(len(blocks)), key=lambda b: blocks[b]["nearest_centroid"])
static = course_lib.load(f"static-{t.language}")
board = {
    t(f"GPT, block {best + 1}", f"GPT，第 {best + 1} 块"): blocks[best],
    t("averaged static context", "静态上下文平均"): claims.context_scores(
        static, t.language
    ),
}
display(HTML(claims.sense_table(board, t)))
print(t("parameters:", "参数："), f"{sum(p.numel() for p in reader.parameters()):,}")

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 explains the columns); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="d209654a"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "13")

# %% [markdown] key="board-seen" lang="en"
# In every score that both have, our GPT is behind the biLM. Both have read the same text, the GPT about three times as much of it (its tokens are pieces, 1.2 to a word);
# but the biLM has six times as many parameters and sees both sides. The board compares models that ship; section 12 compares an LSTM and a Transformer of
# equal size, as language models. In the column *× floor*, where every model reads half a million words once, the
# small GPT is behind the LSTM and the NNLM. (In Chinese, where the GPT has read about four fifths as many words, it is ahead for parts of
# speech and names, and behind for sentiment; but the biLM's text has more reviews in it.)

# %% [markdown] key="board-seen" lang="zh" follows="9427d26c"
# 折合成词，`gpt-zh` 读过的约是 biLM 的八成（它的词元是子词，要按三分之四个子词算一个词来折合）；另外 biLM 的文本里评论更多。论词性和命名实体，它高过 biLM；论义项，两者不相上下；论情感和完形填空，它不如看得见两侧的 biLM。英文版的榜上，两者读的是同一份文本，折合成词，GPT 读过的约是 biLM 的三倍，却没有一项得分超过它；不过 biLM 的参数是 GPT 的六倍，又看得见两侧。可见榜上比的是现成的模型；LSTM 与 Transformer 同样大小、作为语言模型的比较，见第 12 节。“下界的几倍”一栏里是另训的小模型，五十万词只读一遍，GPT 落在 LSTM 和 NNLM 后面。

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** A causal Transformer reads ten pieces. How many of the attention weights in the
# row of the third piece can differ from 0?
#
# <details><summary>A. 2: what stands before it</summary>
#
# Not quite: a piece may look at itself, too. For the first one there would be nothing
# else.
#
# </details>
#
# <details><summary>B. 7: what is still to come</summary>
#
# Not quite: these are hidden. The third piece is asked to *predict* the fourth.
#
# </details>
#
# <details><summary>C. 3: the two before it and itself</summary>
#
# Right. All later scores were set to −∞ before the softmax, so their weights are
# exactly 0.
#
# </details>
#
# <details><summary>D. 10: it decides by itself where to look</summary>
#
# Not quite: only among the positions that the mask leaves open. Otherwise the answer would
# be in the input.
#
# </details>
#
# ---
#
# **2.** A batch of 2 rows of 10 pieces goes through a block with D = 192 and 4 heads.
# What is the shape of the attention weights?
#
# <details><summary>A. (2, 10, 192)</summary>
#
# Not quite: this is the shape of what comes in and goes out. Weights are numbers
# between *pairs* of pieces.
#
# </details>
#
# <details><summary>B. (2, 4, 10, 10)</summary>
#
# Right. For each row and head a square. The 192 dimensions were split among the heads,
# 48 for each.
#
# </details>
#
# <details><summary>C. (2, 10, 10)</summary>
#
# Not quite: this would be one head. Each head has a softmax of its own.
#
# </details>
#
# ---
#
# **3.** A Transformer without a causal mask and without positional embeddings reads *dog bites
# man*, then *man bites dog*. How do its two vectors of *dog* compare?
#
# <details><summary>A. They differ: in one <em>dog</em> is first, in the other
# last.</summary>
#
# Not quite: nobody has told it. The position enters only through the positional embeddings.
#
# </details>
#
# <details><summary>B. They are the same.</summary>
#
# Right. Each word asks the same three words, and a sum does not know the order of its
# terms. Order has to be told.
#
# </details>
#
# <details><summary>C. They differ: attention looks at the neighbours.</summary>
#
# Not quite: it looks at all words alike. "Neighbour" is a matter of positions.
#
# </details>
#
# ---
#
# **4.** A text has 1,200 pieces; GPT has learned 512 positional embeddings. What happens?
#
# <details><summary>A. It takes about five times as long, for the cost is
# quadratic.</summary>
#
# Not quite: the cost does grow, but it does not come to that.
#
# </details>
#
# <details><summary>B. It reads the text and gradually forgets the beginning.</summary>
#
# Not quite: this is how an LSTM fares. Here everything inside the window is one step
# away.
#
# </details>
#
# <details><summary>C. It cannot read it in one piece: there is no position 513.</summary>
#
# Right. The text has to be cut. "The Transformer solved long text" holds inside the
# window only.
#
# </details>
#
# ---
#
# **5.** On average over the paper's tasks GPT had 74.7 with the auxiliary
# language-model loss and 75.0 without. What follows?
#
# <details><summary>A. Little: one must look task by task.</summary>
#
# Right. In the paper's table 5 it helped on QQP and the NLI tasks, the small RTE among them,
# and not on the other four. An average of 0.3 the other way is no argument for either rule.
#
# </details>
#
# <details><summary>B. The auxiliary loss helps: it belongs to the method.</summary>
#
# Not quite: what belongs to a method may still be useless. Look at the ablation.
#
# </details>
#
# <details><summary>C. The auxiliary loss hurts, and should be left out.</summary>
#
# Not quite: an average hides two groups: on four of the eight tasks it helped.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="270867c4"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 第 1 节的例子里，把“苹果”的查询从 (2, 0) 改成 (0, 2)，键和值都不变。它现在主要从谁那里取？
#
# <details><summary>A. 还是“果园”，因为“果园”最有用。</summary>
#
# 再想想：有没有用，要看查询和键的内积。(0, 2) 和“果园”的键 (3, 0) 内积是 0。
#
# </details>
#
# <details><summary>B. “果园”“了”“苹果”各三分之一。</summary>
#
# 再想想：三个内积是 0、2、2，并不相等。
#
# </details>
#
# <details><summary>C. “了”和“苹果”各四成多，“果园”只有一成。</summary>
#
# 对。除以 √2 之后是 0、1.41、1.41，softmax 得 0.11、0.45、0.45。查询变了，看的地方就变了。
#
# </details>
#
# ---
#
# **2.** 没有因果掩码、也没有位置嵌入的 Transformer，先读“狗 咬 人”，再读“人 咬 狗”。两次的“狗”，向量一样吗？
#
# <details><summary>A. 不一样，一次在句首，一次在句末。</summary>
#
# 再想想：没有人告诉它在哪儿，位置只能靠位置嵌入知道。
#
# </details>
#
# <details><summary>B. 一样。</summary>
#
# 对。打听的是同样三个词，求和又不分先后。次序必须另外告诉它。
#
# </details>
#
# <details><summary>C. 不一样，旁边的词不同。</summary>
#
# 再想想：它对所有的词一视同仁。“旁边”也是一种位置。
#
# </details>
#
# ---
#
# **3.** 因果 Transformer 读十个子词。第三个子词那一行注意力权重里，可以不为 0 的有几个？
#
# <details><summary>A. 3 个，前面两个和它自己</summary>
#
# 对。后面的分数在 softmax 之前就成了 −∞，权重恰好为 0。
#
# </details>
#
# <details><summary>B. 2 个，它前面的</summary>
#
# 再想想：自己也可以看。不然第一个子词就没有可看的了。
#
# </details>
#
# <details><summary>C. 10 个，看哪里由它自己定</summary>
#
# 再想想：只能在掩码放开的位置里定，不然答案就摆在输入里了。
#
# </details>
#
# ---
#
# **4.** 一篇文章有 1200 个子词，GPT 学了 512 个位置嵌入。会怎样？
#
# <details><summary>A. 一次读不了，没有第 513 个位置。</summary>
#
# 对。只能截断。“Transformer 解决了长文本”这话，只在窗口之内成立。
#
# </details>
#
# <details><summary>B. 能读，只是慢四五倍，因为代价是平方级的。</summary>
#
# 再想想：代价确实涨得快，可还没轮到它。
#
# </details>
#
# <details><summary>C. 能读，只是越早的忘得越多。</summary>
#
# 再想想：那是 LSTM。在窗口之内，再远的词也只有一步。
#
# </details>
#
# ---
#
# **5.** 论文各任务的平均分：加辅助的语言模型损失 74.7，不加 75.0。由此可见？
#
# <details><summary>A. 说明不了什么，要看各个任务。</summary>
#
# 对。论文表 5 里，QQP 和几项 NLI（小小的 RTE 也在内）有帮助，另外四项没有。平均只差 0.3，不论主张加还是主张不加，都不足为据。
#
# </details>
#
# <details><summary>B. 有用，它本来就是方法的一部分。</summary>
#
# 再想想：写进方法里的，也可能没用，要看消融。
#
# </details>
#
# <details><summary>C. 有害，应该去掉。</summary>
#
# 再想想：平均数盖住了两种情况，八项任务里有四项它是有帮助的。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>1. Why does a softmax over scores that are all −∞ give no numbers, and why does that never happen
# here?</summary>
#
# It divides 0 by 0. Under a causal mask every position still sees itself; and padding stands behind a row, so that
# no row is hidden as a whole.
# </details>
#
# <details><summary>2. A colleague's GPT has a training perplexity of 1.3 after an hour. What do you look at first?</summary>
#
# The mask, and the targets: is the target the next piece, or the same one? A gradient test finds both.
# </details>
#
# <details><summary>3. Model A: 40 a piece, 1.2 pieces a word. Model B: 75 a word. Which is better?</summary>
#
# 40 to the power of 1.2 is about 84 a word: B, if both predict the same words, and B does not hide the difficult ones
# behind an unknown-word mark.
# </details>
#
# <details><summary>4. Why are the two orders of a similarity added, rather than the better one taken?</summary>
#
# The sum is symmetric and has a gradient into both. A maximum would be symmetric as well, but only the chosen order
# would learn.
# </details>
#
# <details><summary>5. Your texts have 400 pieces, D is 768. Does the quadratic cost matter?</summary>
#
# Hardly: 6D = 4,608. It is the 512 positions that will stop you first.
# </details>

# %% [markdown] key="questions" lang="zh" follows="f7338197"
# ## 检查一下自己
#
# <details><summary>1. 如果一行分数全是 −∞，softmax 为什么得不出数？这里为什么不会发生？</summary>
#
# 那是 0 除以 0。有因果掩码时，每个位置至少还看得见自己；填充放在行尾，没有哪一行会全被遮住。
# </details>
#
# <details><summary>2. 同事的 GPT 训练一小时，训练困惑度 1.3。你先查什么？</summary>
#
# 查掩码，再查目标：目标是下一个子词，还是当前这个？两种错，梯度检查都能查出来。
# </details>
#
# <details><summary>3. 模型甲：每个子词 40，每词 1.2 片。模型乙：每个词 75。谁好？</summary>
#
# 40 的 1.2 次方约为 84（每词）：乙好，前提是两者预测的词相同，而且乙没有把难词都藏在“未知词”里。
# </details>
#
# <details><summary>4. 相似任务的两种次序，为什么相加，而不是取较好的一个？</summary>
#
# 和是对称的，而且两边都有梯度。取最大值也对称，但只有选中的次序学得到东西。
# </details>
#
# <details><summary>5. 你的文本有 400 个子词，D 是 768。平方级的代价要紧吗？</summary>
#
# 几乎不要紧：6D = 4608。先拦住你的是那 512 个位置。
# </details>

# %% [markdown] key="knob" lang="en"
# ## Predict, change a knob, explain
#
# The cell below takes `gpt-en`, multiplies what self-attention adds in each block by `ATTENTION` and the positional
# embeddings by `POSITIONS`, and measures its perplexity for each piece of 300 sentences of the scoreboard, which it has
# not read. Nothing is trained. **Predict**: which of the two costs more when you set it to 0? Then change one number at a
# time, run the cell, and **explain** what you see.

# %% [markdown] key="knob" lang="zh" follows="76a1c92a"
# ## 预测、拧旋钮、解释
#
# 下面的格子取 `gpt-zh`，把每一块里自注意力加上去的东西乘以 `ATTENTION`，把位置嵌入乘以 `POSITIONS`，再用记分牌的 300 句（它没有读过）测每个子词的困惑度，不做任何训练。先**预测**：两个数分别取 0，哪一个损失更大？然后每次只改一个数，运行，并**解释**看到的结果。

# %% key="knob-run"
ATTENTION, POSITIONS = 1, 1  # change them: 0


@torch.no_grad()
def perplexity(model):
    """Return a GPT's perplexity a piece on sentences that it has not read."""
    nats = pieces = 0
    for sentence in annotated[:300]:
        row = torch.tensor([[word_pieces.START, *its_pieces.encode(sentence.tokens)]])
        row = row[:, : model.config.context]
        n = row.shape[1] - 1
        nats += n * model.eval()(row[:, :-1], row[:, 1:])[1].item()
        pieces += n
    return math.exp(nats / pieces)


turned = copy.deepcopy(reader)
with torch.no_grad():
    turned.position.weight *= POSITIONS
    for block in turned.transformer.blocks:
        block.attention.mix.weight *= ATTENTION
        block.attention.mix.bias *= ATTENTION
print(t("perplexity a piece:", "每个子词的困惑度："), f"{perplexity(turned):.0f}",
      t("· as trained:", "· 原样："), f"{perplexity(reader):.0f}")  # fmt: skip

# %% [markdown] key="knob-seen" lang="en"
# <details><summary>What comes out</summary>
#
# In our run (full profile):
#
# | `ATTENTION`, `POSITIONS` | 1, 1 | 1, 0 | 0, 1 | 0, 0 |
# |---|---|---|---|---|
# | perplexity a piece | 116 | 728 | 5,176 | 12,256 |
#
# Without attention no piece sees any other, and that costs most. Without positional embeddings attention still finds the words
# before, but it cannot tell which of them came last. Yet what a cut costs is not what the part is worth. A network *trained* without
# attention could learn to predict the next piece from the last one, as a bigram model does (lesson 01). This one was
# trained with it, and what comes after relies on what attention adds: with both gone it is worse than guessing among all 8,000 pieces.
#
# </details>

# %% [markdown] key="knob-seen" lang="zh" follows="bee56042"
# <details><summary>结果如何</summary>
#
# 我们运行的结果（完整规模）：
#
# | `ATTENTION`、`POSITIONS` | 1、1 | 1、0 | 0、1 | 0、0 |
# |---|---|---|---|---|
# | 每个子词的困惑度 | 240 | 543 | 2308 | 2327 |
#
# 没有注意力，每个子词都看不见别的子词，损失最大。没有位置嵌入，注意力仍然找得到前面的词，只是分不清哪个离得最近。不过，去掉一个部件损失多少，并不等于它值多少。*训练时*就没有注意力的网络，可以学会由上一个子词预测下一个，像二元模型那样（第 01 课）；这个网络却是带着注意力训练的，后面的部分都指望着注意力加进来的东西。注意力去掉以后，在 `gpt-zh` 里有没有位置嵌入几乎一样（2308 对 2327），在英文的 `gpt-en` 里却差得多（5176 对 12,256），可见单凭一个模型下不了结论。
#
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Radford et al. (2018): section 3 and table 5; figure 2 has what each transferred block brings.
# * Vaswani et al. (2017), section 3. Sennrich, Haddow and Birch (2016): byte-pair encoding.
# * Karpathy's minGPT, and *The Annotated Transformer*: the same model, told by others.
# * Jain and Wallace (2019), *Attention is not explanation*; Wiegreffe and Pinter (2019) answer it.
# * Lesson 14 takes the causal mask away, and has to invent another task: BERT. The exercises: `exercises/13_gpt`.

# %% [markdown] key="reading" lang="zh" follows="6ae96826"
# ## 接下来读什么
#
# * Radford 等（2018）：第 3 节和表 5；图 2 画出每多迁移一块带来多少。
# * Vaswani 等（2017），第 3 节。Sennrich、Haddow、Birch（2016）：字节对编码。
# * Karpathy 的 minGPT，以及 *The Annotated Transformer*：同一个模型，别人的讲法。
# * Jain 与 Wallace（2019），*Attention is not explanation*，以及 Wiegreffe 与 Pinter（2019）的回应。
# * 第 14 课拿掉因果掩码，于是只好另想一个任务：BERT。练习：`exercises/13_gpt`。
