# %% [markdown] key="title" lang="en"
# # 09 · AWD-LSTM: the language model under ULMFiT
#
# After this lesson you can
#
# * show, on a text whose best possible perplexity is known, how an LSTM overfits;
# * tell three ways of dropping apart: by step, locked over time, and on the weights;
# * say what tying saves, what AR and TAR punish, and why windows vary in length;
# * read NT-ASGD as "begin to average when you are stuck", and watch it work;
# * let the shipped model write, and judge it by what it predicts;
# * say why a sampled softmax may train a model but never measure it.
#
# Running time, measured on two cores: about a minute and a half (quick profile: half of
# one).
# The paper: Merity, Keskar and Socher, *Regularizing and optimizing LSTM language
# models*, 2017 (ICLR 2018).

# %% [markdown] key="title" lang="zh" follows="aa9a6ca7"
# # 09 · AWD-LSTM：ULMFiT 底下的语言模型
#
# 学完本课，你能够
#
# * 在一份已知最低困惑度的文本上，看清 LSTM 是怎样过拟合的；
# * 分清三种 dropout：逐步的、沿时间锁定的、落在权重上的；
# * 说出共享权重省下了什么，AR 和 TAR 惩罚什么，窗口为什么要长短不一；
# * 把 NT-ASGD 理解为“不再进步就开始取平均”，并亲眼看它起作用；
# * 让随课程发布的模型写几句话，再凭它的预测来评判它；
# * 说明抽样的 softmax 为什么可以用来训练，却不能用来打分。
#
# 在双核电脑上实测：约一分半钟（精简规模约半分钟）。论文：Merity、Keskar、Socher，*Regularizing and optimizing LSTM language models*，2017（ICLR 2018）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import contextlib
import math
import sys
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, Markdown, display
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm

import course_claims as claims
from course_lib import checkpoints, data
from course_lib.models import awd_lstm
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from course_lib.text.batches import read_text
from course_lib.text.streams import BPTT, Streams, vocabulary_of, window_lengths
from course_lib.training import nt_asgd
from course_lib.training.loop import evaluate, train
from course_lib.training.schedules import constant
from course_lib.worlds import rivertown

_ = torch.manual_seed(9)


# %% [markdown] key="overfit" lang="en"
# ## 1 · An LSTM that learns its text by heart
#
# The **LSTM** (*long short-term memory*) is from 1997. Twenty years later the best language models were complicated
# networks with new kinds of cells. Then Merity and two colleagues took the plain LSTM, changed nothing in
# it, regularised everything around it, and had the lowest perplexities published so far:
# 57.3 on the Penn Treebank and 65.8 on WikiText-2.
#
# We begin with the problem that regularisation is for, **overfitting**. The text is a small one from Rivertown, because
# there the floor is known: no model can have a lower perplexity on *fresh* text. Two models of the same size, with the same
# optimiser and the same steps, read it again and again:
#
# * **no dropout** of any kind;
# * **with dropout**, all the kinds that sections 2 and 3 explain.
#
# <details><summary>How unknown words are counted here</summary>
#
# Words that the text has only once are `<unk>`, and so are those that it lacks. To this we add the cost of saying *which* of
# Rivertown's other words it is, as in lesson 01, because otherwise the floor would not be one. There are many such words, so all
# perplexities here are high.
#
# </details>

# %% [markdown] key="overfit" lang="zh" follows="9f423573"
# ## 1 · 把课文背下来的 LSTM
#
# **LSTM**（长短期记忆网络）是 1997 年提出的。二十年后，最好的语言模型用的都是新式单元和复杂的网络。这时 Merity 等三人拿来最普通的 LSTM，里面一点没动，只把周围能正则化的地方全都正则化，就得到了当时已发表的最低困惑度：Penn Treebank 上 57.3，WikiText-2 上 65.8。
#
# 先看正则化要对付的问题，即**过拟合**。我们用一小段河湾镇的文本，因为那里的下界是已知的，任何模型在*没见过*的文本上困惑度都不会更低。两个模型大小相同，优化器和步数也相同，把这段文本一遍又一遍地读：
#
# * **没有 dropout**，哪一种都不用；
# * **有 dropout**，第 2、3 节讲的几种全都用上。
#
# <details><summary>这里怎样计算未登录词</summary>
#
# 文本里只出现一次的词，还有根本没出现的词，都算**未登录词** `<unk>`。我们像第 01 课那样，再补上“到底是河湾镇哪一个别的词”的代价，否则下界就不成其为下界。这样的词很多，所以这里的困惑度都偏高。
#
# </details>

# %% key="overfit-data"
town = rivertown.world(t.language)
size, rows = course_lib.by_profile(full=(24_000, 16), quick=(6_000, 4))
sizes = course_lib.by_profile({"embedding": 64, "hidden": 128},
                              {"embedding": 32, "hidden": 64})  # fmt: skip


def town_text(tokens, seed):
    """Read some of Rivertown as one text."""
    documents = rivertown.text(t.language, tokens, seed=seed)
    return read_text(documents, window=sys.maxsize)


training, held_out = town_text(size, seed=1), town_text(6_000, seed=2)
twice = int((np.bincount(training.ids) > 1).sum())  # words that occur again
vocabulary = vocabulary_of(training, twice + 1)
lessons = Streams(training, vocabulary, rows)
known = Streams(town_text(5_000, seed=1), vocabulary, 16)  # where `training` begins
fresh = Streams(held_out, vocabulary, 16)
others = len(town.vocabulary()) - len(vocabulary) + 3  # that `<unk>` may stand for


def perplexity(reader, streams):
    """Return the perplexity per word; sentence marks are paid for by the words."""
    nats = float(evaluate(reader, streams)) * len(streams.text.ids)
    words = streams.text.n_tokens
    return math.exp(nats / words + streams.text.unknown(vocabulary) * math.log(others))


floor = math.exp(town.entropy_per_token())
print(f"{training.n_tokens:,}", t("words to learn from, V =", "词用来学，V ="), f"{len(vocabulary):,};",
      t("held out", "留出"), f"{held_out.n_tokens:,},", f"{held_out.unknown(vocabulary):.1%} <unk>;",
      t("floor", "下界"), f"{floor:.2f}")  # fmt: skip

# %% key="overfit-run"
NAMES = {
    "without": t("no dropout", "没有 dropout"),
    "with": t("with dropout", "有 dropout"),
}
readers, curves = {}, {}


def fit(name, epochs, **changes):
    """Train a model; measure both texts, without dropout, every second epoch."""
    torch.manual_seed(9)
    config = AWDConfig(layers=2, **sizes, **changes)
    reader = readers[name] = Remembering(AWDLSTM(config, len(vocabulary)))
    curve = curves[name] = []

    def look(epoch):
        if epoch % 2 == 0:
            curve.append((epoch, perplexity(reader, known), perplexity(reader, fresh)))

    adam = torch.optim.Adam(reader.parameters(), lr=5e-3)
    with contextlib.redirect_stderr(sys.stdout):
        train(reader, lessons, epochs, optimizer=adam, schedule=constant, at_epoch=look)
    look(epochs)


epochs = course_lib.by_profile(full=24, quick=12)
fit("without", epochs, dropped=0.0)
fit("with", epochs)
for name, curve in curves.items():
    best = min(curve, key=lambda point: point[2])
    print(f"{NAMES[name]}:", t("best held-out perplexity", "留出困惑度最好"), f"{best[2]:.0f}",
          t(f"after {best[0]} epochs;", f"（{best[0]} 轮之后）；"), t("at the end", "最后"),
          f"{curve[-1][2]:.0f};", t("training text", "训练文本"), f"{curve[-1][1]:.0f}")  # fmt: skip

# %% key="overfit-picture" fold=true
figure, axis = plt.subplots(figsize=(7.5, 3.8))
for (name, curve), color in zip(curves.items(), ("C1", "C0"), strict=True):
    epoch, seen, unseen = zip(*curve, strict=True)
    axis.plot(epoch[1:], seen[1:], "--", color=color,
              label=t(f"{NAMES[name]}: its training text", f"{NAMES[name]}：训练文本"))  # fmt: skip
    axis.plot(epoch[1:], unseen[1:], "o-", ms=4, color=color,
              label=t(f"{NAMES[name]}: held out", f"{NAMES[name]}：留出文本"))  # fmt: skip
axis.axhline(
    floor, color="black", ls=":", label=t("floor of fresh text", "新文本的下界")
)
axis.set(yscale="log", xlabel=t("epoch", "轮"), ylabel=t("perplexity", "困惑度"))
axis.legend(fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Perplexity by epoch, of the training text and of the held-out one. No dropout: held out "
        f"{curves['without'][-1][2]:.0f} at the end. With dropout: {curves['with'][-1][2]:.0f}. "
        f"A dotted line marks the floor, {floor:.1f}.",
        f"训练文本和留出文本各轮的困惑度。没有 dropout：留出文本最后是 {curves['without'][-1][2]:.0f}。"
        f"有 dropout：{curves['with'][-1][2]:.0f}。点线是下界 {floor:.1f}。",
    ),
)

# %% [markdown] key="overfit-seen" lang="en"
# The dashed lines are the text that a model reads again and again, the solid ones a text from the same town that it never
# reads; all are measured without dropout. Where the orange solid line turns upwards, that model has stopped learning the
# language and goes on learning *this text*. Its dashed line falls on, but what is gained there is of no use elsewhere. The fair rival of
# dropout is the other model at its *best* epoch, since one can stop there (**early stopping**). We measured, in English, 375 at best and
# 392 at the end without dropout, and 313, still falling, with it (one seed).

# %% [markdown] key="overfit-seen" lang="zh" follows="0054c345"
# 虚线是模型反复读的那段文本，实线是同一个镇上它从没读过的文本，各条线都是关掉 dropout 测的。橙色实线掉头向上的地方，模型已经不再学语言，而是在背*这一段*；它的虚线还在下降，可是降下来的那些换个地方就用不上。与 dropout 比较的公平对手，是另一个模型*最好*的那一轮，因为训练可以停在那里（**早停**，early stopping）。英文版里我们测得，没有 dropout 时最好 375，最后 392；有 dropout 时最后 313，还在下降（一个种子）。

# %% [markdown] key="model" lang="en"
# ### The whole model
#
# The drawing shows what sections 2 to 5 take apart, and the code below it is the whole class.
#
# ![An AWD-LSTM from bottom to top: words are looked up in a table, go through three LSTM layers and are scored with the same table; white cells are dropped, namely a word's whole row, the same features at every step before, between and after the layers, and single recurrent weights; AR and TAR act on the last layer's outputs.](drawing:awd_lstm)

# %% [markdown] key="model" lang="zh" follows="ae4e064a"
# ### 整个模型
#
# 图中是第 2 至 5 节要逐一拆开来讲的各个部分，下面的代码就是整个类。
#
# ![AWD-LSTM，从下到上：词在一张表里查出向量，经过三层 LSTM，再用同一张表打分；白格是丢掉的，有一个词的整行，有各层之前、之间、之后每一步都相同的特征，还有循环矩阵里的个别权重；AR 和 TAR 作用在最后一层的输出上。](drawing:awd_lstm)

# %% key="model-code"
course_lib.source(AWDConfig, AWDLSTM)

# %% [markdown] key="weight-drop" lang="en"
# ## 2 · Weight-drop: the mask is on the weights
#
# The usual cure is **dropout**: erase each number with probability $p$, anew at every use. In a
# recurrent network this hurts. The state $h_{t-1}$ goes through the matrix $U$ into $h_t$, then
# again, and again. Suppose that one feature must be remembered for 20 steps, and at each step it
# is erased with probability 0.2: it arrives with probability $0.8^{20} \approx 0.012$.
#
# Merity and colleagues drop *weights* instead (**weight-drop**; the general method is called **DropConnect**). An LSTM (lesson 05, section 1)
# computes three gates $i$, $f$, $o$ and some new content, which the paper marks with a $c$. The matrix of each of these
# four, say $g$, has two parts: $W^g$ for the word $x_t$, and the recurrent $U^g$ for the last state
# $h_{t-1}$. With masks $m$ of zeros and ones,
#
# $$U'^{\,g} = \frac{m^g \odot U^g}{1-p}, \qquad g \in \{i, f, o, c\}, \qquad
#   i_t = \sigma(W^i x_t + U'^{\,i} h_{t-1}), \;\dots$$
#
# The masks are drawn once for a window (the few dozen words that are read and trained at once;
# section 6) and stay for all its steps. A missing weight is a connection that this window does
# without; the state itself is never erased. There is a practical advantage, too. Torch's fast LSTM
# computes all steps in one call and lets nobody in between. The thinned matrix is made *before* the
# call, so the fast LSTM still runs.

# %% [markdown] key="weight-drop" lang="zh" follows="209e4f6e"
# ## 2 · weight-drop：掩码落在权重上
#
# 常用的办法是 **dropout**，每个数以概率 $p$ 抹掉，每用一次重抽一次。用在循环网络上，它却有害。状态 $h_{t-1}$ 乘上矩阵 $U$ 进入 $h_t$，再乘，再乘。假如有一个特征要记住 20 步，每一步有 0.2 的概率被抹掉，它能到达的概率只有 $0.8^{20} \approx 0.012$。就像传话游戏，每个人都有两成可能当场忘掉。
#
# Merity 等人改成丢*权重*（**weight-drop**，这类方法统称 **DropConnect**）。LSTM（第 05 课第 1 节）要算三个门 $i$、$f$、$o$ 和一份新内容（论文记作 $c$）。用 $g$ 代表这四样中的任何一样，它的矩阵分成两块：$W^g$ 乘当前的词 $x_t$，循环矩阵 $U^g$ 乘上一步的状态 $h_{t-1}$。设 $m$ 是由 0 和 1 组成的掩码：
#
# $$U'^{\,g} = \frac{m^g \odot U^g}{1-p}, \qquad g \in \{i, f, o, c\}, \qquad
#   i_t = \sigma(W^i x_t + U'^{\,i} h_{t-1}), \;\dots$$
#
# 掩码在一个窗口（一次读进来、一起训练的几十个词，见第 6 节）里只抽一次，管住窗口里的每一步。丢了一个权重，就是这个窗口少用一条连接，而状态本身从不被抹掉。它还有一个实际的好处：torch 的快速 LSTM 一次调用算完所有步，中间不让人插手，而丢过权重的矩阵是在调用*之前*备好的，所以快速 LSTM 照样能用。

# %% key="weight-drop-code"
course_lib.source(awd_lstm.run_with_dropped_weights)

lstm, cell = nn.LSTM(128, 128, batch_first=True), nn.LSTMCell(128, 128)
x = torch.randn(16, BPTT, 128)


def step_by_step(x, p=0.2):
    """Run an LSTM with ordinary dropout on its state, which has to be a loop."""
    state = (x.new_zeros(len(x), 128),) * 2
    outputs = []
    for step in x.unbind(1):
        h, c = cell(step, (F.dropout(state[0], p), state[1]))
        state = (h, c)
        outputs.append(h)
    return torch.stack(outputs, dim=1)


def milliseconds(run):
    """Return the median time of one run forward and backward."""
    took = []
    for _ in range(7):
        began = time.perf_counter()
        run().sum().backward()
        took.append(1000 * (time.perf_counter() - began))
    return f"{np.median(took):.0f} ms"


claims.show_table(t(("one window of 70 steps", "forward and backward"), ("一个 70 步的窗口", "前向加反向")), [
    (t("torch's LSTM", "torch 的 LSTM"), milliseconds(lambda: lstm(x)[0])),
    (t("with weight-drop", "加 weight-drop"),
     milliseconds(lambda: awd_lstm.run_with_dropped_weights(lstm, x, None, 0.2)[0])),
    (t("ordinary dropout on the state, in a loop", "状态上用普通 dropout，写成循环"),
     milliseconds(lambda: step_by_step(x))),
])  # fmt: skip

# %% [markdown] key="masks" lang="en"
# Here are three kinds of masks, drawn by the functions that the model uses ($p = 0.3$; dark means
# dropped). The upper row shows what happens to 12 features during two windows of 20 steps, the lower row the matrix
# $U$ at four of these steps.

# %% [markdown] key="masks" lang="zh" follows="36c55db1"
# 下面是三种掩码，都用模型自己的函数抽取（$p = 0.3$，深色表示丢掉）。上排是 12 个特征在两个窗口（各 20 步）里的遭遇，下排是其中四步的矩阵 $U$。

# %% key="masks-picture" fold=true
torch.manual_seed(2)
p, D, T = 0.3, 12, 20
ordinary = F.dropout(torch.ones(D, 2 * T), p)  # (D, 2T)
locked = torch.cat([awd_lstm.locked_dropout(torch.ones(1, T, D), p)[0] for _ in "12"]).T
drawn = [F.dropout(torch.ones(D, D), p) for _ in "12"]  # one mask of U a window
figure = plt.figure(figsize=(9, 5.2), layout="constrained")
above, below = figure.subfigures(2, 1, height_ratios=(1, 1.15))
wide = above.subplots(1, 2, sharey=True)
colours = {"cmap": "Blues_r", "vmin": -0.6, "vmax": 1.6}
titles = t(("ordinary dropout", "locked dropout"), ("普通 dropout", "锁定 dropout"))
for axis, mask, title in zip(wide, (ordinary, locked), titles, strict=True):
    axis.imshow(mask, aspect="auto", **colours)
    axis.axvline(T - 0.5, color="C1", lw=2)
    axis.set(title=title, xlabel=t("step", "步"), yticks=[])
wide[0].set_ylabel(t("features", "特征"))
for axis, step in zip(below.subplots(1, 4, sharey=True), (1, 20, 21, 40), strict=True):
    axis.imshow(drawn[step > T], **colours)
    axis.set(title=t(f"weight-drop: U, step {step}", f"weight-drop：第 {step} 步的 U"),
             xticks=[], yticks=[], xlabel=t("from feature", "从特征"))  # fmt: skip
    axis.title.set_fontsize(9)
below.axes[0].set_ylabel(t("to feature", "到特征"))
course_lib.show(
    figure,
    alt=t(
        "Ordinary dropout: speckles that change at every step. Locked dropout: horizontal "
        "stripes that change only where a new window begins. Weight-drop: a speckled matrix, the "
        "same at steps 1 and 20, another one at 21 and 40.",
        "普通 dropout：每一步都变的斑点。锁定 dropout：横条纹，只在新窗口开始处变。"
        "weight-drop：带斑点的矩阵，第 1 步和第 20 步一样，第 21 步和第 40 步是另一个。",
    ),
)

# %% [markdown] key="masks-seen" lang="en"
# In the upper left picture every column is different, so that each step is another network. On the
# right there are stripes: a feature that is gone stays away until the orange line, where the next
# window begins. In the lower row the first two matrices are the same, and so are the last two, because there is one mask a
# window. What is dropped there is not the state but single connections from one feature to
# another, and every feature keeps most of its connections.

# %% [markdown] key="masks-seen" lang="zh" follows="1c6065de"
# 上排左图每一列都不同，每走一步就是另一个网络。右图是条纹，一个特征丢了，要到橙线（下一个窗口开始）才回来。下排前两个矩阵一样，后两个也一样，因为一个窗口只有一张掩码。那里丢掉的不是状态，而是从一个特征到另一个特征的单条连接，每个特征的连接大半都还在。

# %% [markdown] key="locked" lang="en"
# ## 3 · Locked dropout, and words that vanish
#
# Between the layers numbers are dropped, but with a **locked** mask, the same for all steps of a window (Gal and Ghahramani call it
# **variational dropout**). The reason is that a recurrent network can average over
# time. Let a feature be 1 at all of $T$ steps. Under ordinary dropout its mean over the steps is
# still about 1: the noise has gone, and so has the lesson "do not rely on this feature". Under
# a locked mask it is 0 or $1/(1-p)$ at every step, and its mean as well.

# %% [markdown] key="locked" lang="zh" follows="bd7eccc3"
# ## 3 · 锁定 dropout，和整个消失的词
#
# 层与层之间丢的还是数，但掩码是**锁定**的，一个窗口的所有步共用一张（Gal 和 Ghahramani 称为**变分 dropout**，variational dropout）。这是因为循环网络会沿时间取平均。设某个特征在 $T$ 步里都是 1。用普通 dropout，它在各步上的平均仍是 1 左右，噪声平均没了，“别太依赖这个特征”的教训也跟着没了。掩码锁定之后，它在每一步不是 0 就是 $1/(1-p)$，平均也一样。

# %% key="locked-code"
course_lib.source(awd_lstm.locked_dropout, awd_lstm.embedding_dropout)

p = 0.25
rows_shown = []
for T in (1, 10, 70):
    ones = torch.ones(4000, T, 1)
    spread = [float(kind(ones, p).mean(dim=1).std())
              for kind in (F.dropout, awd_lstm.locked_dropout)]  # fmt: skip
    rows_shown.append((T, *(f"{value:.2f}" for value in spread)))
claims.show_table(
    t(
        ("steps", "spread of the mean: ordinary", "locked"),
        ("步数", "平均值的标准差：普通", "锁定"),
    ),
    rows_shown,
)

# %% [markdown] key="words-gone" lang="en"
# **Embedding dropout** goes one step further and erases rows of the word table. A word that is
# dropped is gone wherever it stands in the window, so that the model cannot look up at its second
# occurrence what it missed at the first. The rows that stay are scaled by $1/(1-p_e)$. Compare it with
# dropping places (here $p = 0.4$, far more than the model uses):

# %% [markdown] key="words-gone" lang="zh" follows="e662a910"
# **嵌入 dropout** 更进一步，抹掉的是词向量表里的整行。一个词要丢，窗口里凡是它出现的地方都丢，模型就无法在第二次出现时补上第一次漏看的东西。留下的行乘以 $1/(1-p_e)$。可以和按位置丢比一比（这里 $p = 0.4$，比模型实际用的大得多）：

# %% key="words-gone-run"
sentence = t("the play that they play when the play of the day is over",
             "他 打 完 电话 去 打 球 ， 回来 路上 打 着 伞 打 了 一 辆 车").split()  # fmt: skip
ids = torch.tensor([sorted(set(sentence)).index(word) for word in sentence])
torch.manual_seed(5)
places = [F.dropout(torch.ones(len(ids)), 0.4) for _ in range(3)]
types = [F.embedding(ids, awd_lstm.embedding_dropout(torch.ones(len(ids), 1), 0.4))[:, 0]
         for _ in range(3)]  # fmt: skip
for title, masks in ((t("places dropped:", "按位置丢："), places),
                     (t("words dropped (embedding dropout):", "按词丢（嵌入 dropout）："), types)):  # fmt: skip
    print(title)
    for mask in masks:
        pairs = zip(sentence, mask, strict=True)
        print(
            "   ", " ".join(word if kept else "·" * len(word) for word, kept in pairs)
        )

# %% [markdown] key="tied" lang="en"
# ## 4 · One table for reading and for writing
#
# A language model has two matrices with a row for each word: $C$, which turns a word into a
# vector, and the softmax's, which turns a vector into a score for each word. **Weight tying** makes them
# one (Inan et al. 2016; Press and Wolf 2016):
#
# $$p(w \mid \text{context}) = \mathrm{softmax}\big(C\,h + b\big)_w.$$
#
# That is why the last LSTM layer is only as wide as a word vector. What does it save? We count
# without building anything large (torch's `meta` device has shapes and no numbers).

# %% [markdown] key="tied" lang="zh" follows="07031bed"
# ## 4 · 读和写用同一张表
#
# 语言模型里有两个矩阵是每个词一行，$C$ 把词变成向量，softmax 的那个把向量变成每个词的得分。**共享权重**（weight tying）把两者合成一个（Inan 等，2016；Press 与 Wolf，2016）：
#
# $$p(w \mid \text{上文}) = \mathrm{softmax}\big(C\,h + b\big)_w$$
#
# 所以最后一层 LSTM 只有词向量那么宽。它省下多少参数？不必真造一个大模型也数得出来（torch 的 `meta` 设备只有形状，没有数）。

# %% key="tied-count"
shipped, words = course_lib.load(f"awdlstm-{t.language}")


def count(V, **options):
    """Count the parameters of an AWD-LSTM: in the LSTMs, and in all."""
    with torch.device("meta"):
        model = AWDLSTM(AWDConfig(**options), V)
    return model.lstms, model


def numbers(module):
    """Count the numbers in a module."""
    return sum(p.numel() for p in module.parameters())


c = shipped.config
models = {
    t("section 1", "第 1 节的模型"): (len(vocabulary), {"layers": 2, **sizes}),
    f"awdlstm-{t.language}": (len(words), {"embedding": c.embedding, "hidden": c.hidden}),
    t("the paper's sizes, V = 10,000", "论文的大小，V = 10,000"):
        (10_000, {"embedding": 400, "hidden": 1150}),
}  # fmt: skip
cells = []
for name, (V, options) in models.items():
    lstms, tied = count(V, **options)
    apart = numbers(count(V, tied=False, **options)[1])
    counts = numbers(lstms), numbers(tied), apart
    cells.append((name, *(f"{n:,}" for n in counts), f"{1 - counts[1] / apart:.0%}"))
claims.show_table(
    t(("parameters", "LSTMs", "all, tied", "all, untied", "saved"),
      ("参数", "LSTM", "全部，共享", "全部，不共享", "省下")), cells)  # fmt: skip

# %% [markdown] key="tied-seen" lang="en"
# The larger the vocabulary beside the LSTMs, the more tying saves. It may also help rare words: a rare word's row as an
# *input* is trained only where the word occurs, while as an *output* it gets a gradient at every step, because
# every step decides against it.

# %% [markdown] key="tied-seen" lang="zh" follows="5b33c455"
# 和 LSTM 相比，词表越大，共享省得越多。低频词也许还由此受益：它那一行作为*输入*，只有在词出现时才学得到；作为*输出*，则每一步都有梯度，因为每一步都在决定“不是它”。

# %% [markdown] key="activity" lang="en"
# ## 5 · AR and TAR: small outputs, slow outputs
#
# Two penalties join the loss. **Activation regularisation** (**AR**) wants the outputs of the last
# layer small, **temporal activation regularisation** (**TAR**) wants them to change slowly. With $m$ the dropout mask,
#
# $$\alpha\, L_2(m \odot h_t) + \beta\, L_2(h_t - h_{t+1}), \qquad \alpha = 2, \; \beta = 1.$$
#
# An example without dropout: two features, three steps, $h = (1, 2), (1, 4), (2, 4)$. The squares are
# 1 4 1 16 4 16, their mean is 7; the jumps are 0 2 and 1 0, and their mean square is 5/4. Together
# $2 \cdot 7 + 1.25 = 15.25$. (We take means of squares, where the formula has norms.)
#
# Both models of section 1 had these penalties. Now we train the one with dropout again for a few
# epochs, with $\alpha = \beta = 0$, and let all three read the same forty words.

# %% [markdown] key="activity" lang="zh" follows="3c3c2a16"
# ## 5 · AR 和 TAR：输出要小，变化要慢
#
# 损失里再加两项惩罚。**激活正则化**（activation regularisation，**AR**）要最后一层的输出小，**时间激活正则化**（temporal AR，**TAR**）要它变得慢。$m$ 是 dropout 的掩码：
#
# $$\alpha\, L_2(m \odot h_t) + \beta\, L_2(h_t - h_{t+1}), \qquad \alpha = 2, \; \beta = 1$$
#
# 举个不用 dropout 的例子，两个特征，三步，$h = (1, 2), (1, 4), (2, 4)$。平方是 1 4 1 16 4 16，平均 7；跳变是 0 2 和 1 0，平方的平均是 5/4。合起来 $2 \cdot 7 + 1.25 = 15.25$。（公式写的是范数，我们取平方的平均。）
#
# 第 1 节的两个模型都带着这两项。现在把有 dropout 的那个重新训练几轮，令 $\alpha = \beta = 0$，再让三个模型读同样的四十个词。

# %% key="activity-run"
course_lib.source(awd_lstm.activity)
h = torch.tensor([[[1.0, 2], [1, 4], [2, 4]]])
print(float(awd_lstm.activity(h, h)))

NAMES["free"] = t("with dropout, no AR or TAR", "有 dropout，没有 AR 和 TAR")
fit("free", course_lib.by_profile(full=6, quick=4), alpha=0.0, beta=0.0)
claims.show_table(
    (t("held-out perplexity after epochs", "几轮之后的留出困惑度"), *(point[0] for point in curves["free"])),
    [(NAMES[name], *(f"{point[2]:.0f}" for point in curves[name][: len(curves["free"])]))
     for name in ("with", "free")],
)  # fmt: skip
streams, _ = fresh.epoch(0)
with torch.no_grad():
    raws = {name: reader.model.eval()(torch.from_numpy(streams[:1, :40])).raw[-1]
            for name, reader in readers.items()}  # (1, 40, E)  # fmt: skip
claims.show_table(
    t(("outputs of the last layer", "mean square (AR)", "mean squared jump (TAR)"),
      ("最后一层的输出", "平方的平均（AR）", "跳变平方的平均（TAR）")),
    [(NAMES[name], *(f"{float(awd_lstm.activity(raw, raw, *which)):.4f}" for which in ((1, 0), (0, 1))))
     for name, raw in raws.items()],
)  # fmt: skip
figure, axes = plt.subplots(3, 1, figsize=(8, 6), sharex=True, layout="constrained")
for axis, (name, raw) in zip(axes, raws.items(), strict=True):
    picture = axis.imshow(raw[0].T[:24], aspect="auto", cmap="RdBu", vmin=-1, vmax=1)
    axis.set(title=NAMES[name], ylabel=t("features", "特征"), yticks=[])
axes[-1].set_xlabel(t("word of the held-out text", "留出文本的第几个词"))
figure.colorbar(picture, ax=axes, label=t("output", "输出"))
course_lib.show(
    figure,
    alt=t(
        "The outputs of 24 features over forty words, for three models; "
        "red is negative, blue positive, pale is near zero.",
        "三个模型各 24 个特征在四十个词上的输出；红为负，蓝为正，颜色浅表示接近零。",
    ),
)

# %% [markdown] key="activity-seen" lang="en"
# AR makes the colours paler, TAR makes them run on sideways for longer; the second table has the numbers. (The third
# model has trained for a few epochs only, which may make its picture pale as well.) Outputs near $-1$ and $1$ mean cells at their limits,
# where gradients are small. Such an output does not jump either, so a small TAR alone is no virtue. Without any dropout *and*
# without AR and TAR we saw this small model learn nothing but word frequencies in all 24 epochs (one seed, this learning rate; with a smaller
# rate it escaped after ten). So the penalties may also keep a training on its way. One short run does not measure what they are worth; section
# 9 does.

# %% [markdown] key="activity-seen" lang="zh" follows="b63d94b3"
# AR 使颜色变浅，TAR 使颜色横着连得更长，具体的数在第二张表里。（第三个模型只训练了几轮，颜色浅也可能有这个缘故。）输出接近 $-1$ 或 $1$，说明单元已到极限，梯度很小；这样的输出也不会跳变，所以光是 TAR 小还算不上优点。如果既不用 dropout，*又*不用 AR 和 TAR，我们看到这个小模型 24 轮下来只学会了词频（一个种子，就用这个学习率；学习率小一些，十轮以后才走出来），可见这两项惩罚也许还能避免训练停滞。跑一次、几轮，量不出它们值多少，第 9 节才会来量。

# %% [markdown] key="streams" lang="en"
# ## 6 · Streams, a carried state, and windows that vary
#
# Lesson 06 cut its text into windows and began each with an empty state. Here all documents are
# laid end to end and cut into $B$ long **streams**; a batch is a short window of each, and the next
# batch goes on where it stopped. The state is carried over, the gradient is not: it ends where the
# window begins (**truncated backpropagation through time**, truncated BPTT). A toy text in three streams:

# %% [markdown] key="streams" lang="zh" follows="90dce6ba"
# ## 6 · 文本流、带着走的状态、长短不一的窗口
#
# 第 06 课把文本切成窗口，每个窗口都从空白的状态开始。这里把所有文档首尾相接，切成 $B$ 条长长的**流**；一个批次从每条流里取一小段窗口，下一个批次从停下的地方接着读。状态带过去，梯度不带，到窗口开头为止（**截断的随时间反向传播**，truncated BPTT，下面简写为 BPTT）。一段小文本分成三条流：

# %% key="streams-toy"
toy_sentences = t(
    "she picked an apple . | he played the piano . | the bank was closed . | they walked to the river .",
    "她 摘 了 一个 苹果 。 | 他 打 了 一 下午 球 。 | 小米 可以 熬 粥 。 | 我们 走 到 河边 。",
)
toy = read_text([[s.split()] for s in toy_sentences.split(" | ")], window=sys.maxsize)
toy_words = vocabulary_of(toy, 100)
toy_streams, _ = Streams(toy, toy_words, rows=3).epoch(0)  # (3, steps + 1)
for number, stream in enumerate(toy_streams):
    line = [toy_words.words[i] for i in stream[:-1]]
    print(t("stream", "流"), number, " ".join(line[:4]), "│", " ".join(line[4:]))

# %% [markdown] key="carry" lang="en"
# What is the carried state worth? The model with dropout from section 1 reads the held-out streams
# in windows of 5, 20 and 70 tokens, once with the state carried and once with an empty state for each window.

# %% [markdown] key="carry" lang="zh" follows="5edbd85b"
# 带着走的状态值多少？让第 1 节有 dropout 的模型读留出的流，窗口取 5、20、70 个词，一次带着状态，一次每个窗口都从空白的状态开始。

# %% key="carry-run"
course_lib.source(Remembering.forward)


@torch.no_grad()
def loss_in_windows(model, streams, window, carry):
    """Return the loss of reading streams (B, steps + 1) in windows of one length."""
    state, total = None, 0.0
    streams = torch.from_numpy(streams)
    steps = streams.shape[1] - 1
    for a in range(0, steps, window):
        b = min(a + window, steps)
        reading, loss = model(streams[:, a:b], streams[:, a + 1 : b + 1], state)
        state = reading.state if carry else None
        total += float(loss) * (b - a)
    return total / steps


model = readers["with"].model.eval()
claims.show_table(
    t(("tokens in a window", "perplexity per token, state carried", "memory emptied"),
      ("窗口的词数", "困惑度（标记也算词），带着状态", "每次清空")),
    [(window, *(f"{math.exp(loss_in_windows(model, streams, window, carry)):.1f}" for carry in (True, False)))
     for window in (5, 20, 70)],
)  # fmt: skip

# %% [markdown] key="varied" lang="en"
# With the state carried, the length of the windows does not matter at all: the numbers are the same.
# With an empty state short windows cost a lot. (Marks and `<unk>` count as tokens here, without the
# surcharge of section 1.)
#
# In *training* windows do matter, because gradients end at their borders. With a fixed window of 70
# the words at positions 0, 70, 140, … are first in their window in every epoch, so their loss can
# never teach the model anything about the words before them. Therefore the paper draws each length anew (**variable-length BPTT**),
#
# $$\text{bptt} \sim \mathcal N(70, 5) \text{ with probability } 0.95, \quad \text{else } \mathcal N(35, 5).$$
#
# (The 5 is the standard deviation.) We draw 200 epochs of a text and count how often each position is
# the first of a window, and how many words back its gradient reaches on average.

# %% [markdown] key="varied" lang="zh" follows="5d885519"
# 带着状态时，窗口长短毫无影响，几个数一样；每次从空白开始，窗口越短越吃亏。（这里标记和 `<unk>` 都按一个词算，没有加上第 1 节说的那笔代价。）
#
# *训练*时窗口就有影响了，因为梯度到窗口边上为止。窗口固定为 70，位置 0、70、140……上的词每一轮都是窗口的第一个，它们的损失永远教不了模型怎样利用前面的词。所以论文每次重新抽取长度（**变长 BPTT**）：
#
# $$\text{bptt} \sim \mathcal N(70, 5)\ \text{（概率 } 0.95\text{）}, \quad \text{否则 } \mathcal N(35, 5)$$
#
# （5 是标准差。）我们给一段文本抽 200 轮，数每个位置有多少次是窗口的第一个，再看它的梯度平均能回溯多少个词。

# %% key="varied-picture"
course_lib.source(window_lengths, Streams.pace)
ROUNDS, STEPS = 200, 2100
rng = np.random.default_rng(9)
fixed = [[BPTT] * (STEPS // BPTT)] * ROUNDS
varied = [window_lengths(STEPS, rng) for _ in range(ROUNDS)]


def borders(epochs):
    """Return how often each position is first, and its mean reach. Shape: (STEPS,) twice."""
    first, reach = np.zeros(STEPS), np.zeros(STEPS)
    for lengths in epochs:
        begins = np.repeat(np.cumsum(lengths) - lengths, lengths)  # (STEPS,)
        places = np.arange(STEPS)
        first += begins == places
        reach += (places - begins) / ROUNDS
    return first, reach


figure, axes = plt.subplots(2, 1, figsize=(8, 4.6), sharex=True, layout="constrained")
labels = t(("fixed windows", "varied windows"), ("固定窗口", "长短不一的窗口"))
for drawn, label, color in zip((fixed, varied), labels, ("C1", "C0"), strict=True):
    first, reach = borders(drawn)
    never = np.mean(first == 0)
    print(f"{label}:", t("positions never first", "从不在窗口之首的位置"), f"{never:.0%};",
          t("mean reach of the worst position after the first 70", "前 70 个之后，最差位置的平均回溯"),
          f"{reach[BPTT:].min():.1f}")  # fmt: skip
    axes[0].plot(first + 0.5, color=color, lw=1, label=label)
    axes[1].plot(reach, color=color, lw=1, label=label)
axes[0].set(yscale="log", ylabel=t("times first (+ ½)", "居首次数（+½）"))
axes[1].set(xlabel=t("position in the stream", "流中的位置"), ylim=(0, 75))
axes[1].set_ylabel(t("words back", "回溯词数"))
axes[1].legend(loc="lower right", fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Above: with fixed windows every 70th position is first 200 times and no other ever; with "
        "varied ones the counts spread out, more evenly the farther one goes. Below: the reach of "
        "the gradient is a sawtooth from 0 to 69 for fixed windows, and settles near a level line "
        "for varied ones.",
        "上图：固定窗口时，每隔 70 个位置就有一个居首 200 次，其余从不居首；长短不一时，次数散开，越往后越均匀。"
        "下图：固定窗口的回溯词数是从 0 到 69 的锯齿，长短不一的渐渐变成一条平线。",
    ),
)

# %% [markdown] key="varied-seen" lang="en"
# The orange saw never changes: the same words are cut off from their past in every epoch. The blue line
# has waves near the beginning of the text, where few random lengths have been added up, and becomes level
# after some windows: every word gets its turn.
#
# The loss is a *mean* over the window, so one word in a window of 35 weighs
# twice as much in its step as one in a window of 70. Therefore the learning rate is **rescaled** by
# the length, $\eta \cdot T/70$ (`pace`): a window half as long takes a step half as long, and each word weighs the same.

# %% [markdown] key="varied-seen" lang="zh" follows="94a52b83"
# 橙色的锯齿永远不变，每一轮都是同样那些词看不到前文。蓝线在文本开头还有波浪，因为加起来的随机长度还少；过几个窗口就平了，每个词都有机会。
#
# 由此还要改一处。损失是窗口里的*平均*，所以同样一个词，在 35 个词的窗口里的分量是在 70 个词的窗口里的两倍。于是学习率也按长度**缩放**，$\eta \cdot T/70$（即 `pace`），窗口短一半，步子就小一半，每个词的分量都一样。

# %% [markdown] key="average" lang="en"
# ## 7 · NT-ASGD: average, once you are stuck
#
# Plain gradient descent has one weakness near a minimum: each batch is a little different, so with a
# constant rate $\gamma$ the weights keep jumping around it. Their *average* lies in the middle. **Averaged stochastic gradient descent** (**ASGD**) uses it:
#
# $$w_{k+1} = w_k - \gamma\, \hat\nabla f(w_k), \qquad
#   \bar w = \frac{1}{K-T+1} \sum_{i=T}^{K} w_i.$$
#
# ($K$ steps have been taken, and those from step $T$ on are averaged. The letters are the paper's:
# $T$ is no longer the length of a window.)
#
# When should it begin ($T$)? If it begins too early, the long way to the valley is averaged in. **NT** stands for
# *non-monotonically triggered*: begin when the held-out loss is worse than the best of those measured
# more than $n$ checks ago (we keep the paper's $n = 5$). One bad check may be chance.
#
# A problem that fits on paper has a narrow valley of two weights, and gradients with noise.

# %% [markdown] key="average" lang="zh" follows="b24abf80"
# ## 7 · NT-ASGD：不再进步了，就取平均
#
# 普通的梯度下降在最低点附近有个毛病：每个批次都有点不同，学习率 $\gamma$ 又不变，权重就绕着最低点跳个不停。它们的*平均*却在中间，**平均随机梯度下降**（averaged SGD，**ASGD**）用的就是它：
#
# $$w_{k+1} = w_k - \gamma\, \hat\nabla f(w_k), \qquad
#   \bar w = \frac{1}{K-T+1} \sum_{i=T}^{K} w_i$$
#
# （一共走了 $K$ 步，从第 $T$ 步起取平均。记号照论文，$T$ 在这里不再是窗口的长度。）
#
# 什么时候开始（$T$）？太早的话，下山的长路也会平均进去。**NT** 是 *non-monotonically triggered*，意思是留出损失如果比 $n$ 次检查以前的最好成绩还差，就开始（$n$ 照论文取 5）。单单一次变差，可能是碰巧。
#
# 用一个画得出来的问题来看：两个权重，一条窄谷，带噪声的梯度。

# %% key="average-run"
course_lib.source(nt_asgd.NonMonotone.__call__)
valley = torch.tensor([1.0, 8.0])  # one direction is eight times as steep


class Point(nn.Module):
    """Two weights; the minimum is at (0, 0)."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([-4.0, 1.5]))

    def loss(self, noise):
        """A valley that each batch shifts a little."""
        return 0.5 * (valley * (self.w - noise) ** 2).sum()


torch.manual_seed(9)
point = Point()
optimizer = nt_asgd.nt_asgd(point, rate=0.06, weight_decay=0.0)
watch = nt_asgd.NonMonotone(optimizer, n=5)
path, average = [point.w.detach().clone()], [point.w.detach().clone()]
for step in range(1, 401):
    optimizer.zero_grad()
    point.loss(torch.randn(2)).backward()
    optimizer.step()
    path.append(point.w.detach().clone())
    average.append(optimizer.state[point.w]["ax"].clone())
    if step % 10 == 0:
        watch(point.loss(torch.zeros(2)).item())
path, average = torch.stack(path), torch.stack(average)  # (401, 2)
losses = [0.5 * (valley * way**2).sum(dim=1) for way in (path, average)]
print(t("averaging began after step", "开始平均：第"), watch.started, t("", "步之后"))
print(t("loss over the last 50 steps: of the weights", "最后 50 步的损失：权重"), f"{losses[0][-50:].mean():.3f},",
      t("of their average", "它们的平均"), f"{losses[1][-50:].mean():.4f}")  # fmt: skip

# %% key="average-picture" fold=true
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
a, b = np.meshgrid(np.linspace(-4.5, 2, 100), np.linspace(-1.8, 1.8, 100))
left.contour(
    a, b, 0.5 * (a**2 + 8 * b**2), levels=12, colors="lightgray", linewidths=0.8
)
left.plot(*path.T, color="C1", lw=0.8, label=t("weights", "权重"))
began = watch.started or len(path)
left.plot(
    *average[began:].T, color="C0", lw=2.5, label=t("their average", "它们的平均")
)
left.plot(0, 0, "k+", ms=14, mew=2, label=t("minimum", "最低点"))
left.set(xlabel="$w_1$", ylabel="$w_2$")
left.legend(fontsize=8)
right.plot(losses[0], color="C1", lw=0.8)
right.plot(range(began, len(path)), losses[1][began:], color="C0", lw=2)
right.axvline(began, color="gray", ls=":")
right.set(yscale="log", xlabel=t("step", "步"), ylabel=t("loss", "损失"))
course_lib.show(
    figure,
    alt=t(
        "Left: the path of the weights runs down a valley and then jumps around the minimum; the "
        "average stays close to it. Right: the loss of the weights stops falling; that of the "
        "average is far lower, from the dotted line on, where averaging begins.",
        "左：权重沿山谷而下，然后绕着最低点乱跳；平均一直离得很近。"
        "右：权重的损失不再下降，平均的损失从点线（开始平均处）起低得多。",
    ),
)

# %% [markdown] key="average-seen" lang="en"
# On the left the orange path does not come to rest, while the blue one, its average, hardly
# moves. On the right the loss of the weights stays at the level that the noise allows; that of the
# average is soon far below it, from the dotted line on. Our own checkpoints, though, were trained with
# Adam and a rate that falls to zero, which also ends the jumping. fastai does the same: the
# paper's model without its optimiser.

# %% [markdown] key="average-seen" lang="zh" follows="a65c9265"
# 左图里橙色的路线停不下来，蓝色的是它的平均，几乎不动。右图里，权重的损失停在噪声允许的水平上，平均的损失过了点线很快就低得多。不过，我们自己发布的模型是用 Adam 训练的，学习率最后降到零，这样也能让跳动停下来。fastai 也是这么做的，用的是论文的模型，而不是论文的优化器。

# %% [markdown] key="shipped" lang="en"
# ## 8 · The model that ships
#
# `awdlstm-en` has read general text only, none of the reviews and questions that lesson 10 classifies. Its
# card says how much, and how well it predicts:

# %% [markdown] key="shipped" lang="zh" follows="8a168638"
# ## 8 · 随课程发布的模型
#
# `awdlstm-zh` 读的是新闻、书面语，还有网购和外卖的评价；第 10 课的任务文本不在其中（购物评论的一千条测试文本里，只有三条客套话碰巧一样）。模型卡（英文）写明了读过多少、预测得怎样：

# %% key="shipped-card"
card = checkpoints.folder_of(f"awdlstm-{t.language}") / "README.md"
display(Markdown(card.read_text(encoding="utf-8")))

# %% [markdown] key="prefix" lang="en"
# A perplexity is one number, so let us look at predictions as well. The openings are chosen by a rule: for each sense of the first word in the course's
# sense data, the first three sentences in which something follows that word, cut behind it. The table has the five likeliest next words, and the
# chance of the word that did follow.

# %% [markdown] key="prefix" lang="zh" follows="667c395f"
# 困惑度只是一个数，还得看看具体的预测。开头按一条规则选取：课程义项例句里的第一个多义词，每个义项取最先出现的三个后面还有词的句子，在这个词后面截断。表里是最可能的五个后续词，以及实际后续词的概率。

# %% key="prefix-run"
word = data.senses(t.language)[0].word
openings = {}
for s in data.senses(t.language):
    if s.word == word and s.target_index + 1 < len(s.tokens):
        openings.setdefault(s.sense, []).append(s)
cells = []
for s in (s for found in openings.values() for s in found[:3]):
    *head, follows = [token.lower() for token in s.tokens[: s.target_index + 2]]
    with torch.no_grad():
        top = shipped(torch.tensor([words.encode(["<S>", *head])])).top[0, -1]  # (E,)
        chances = shipped.logits(top).softmax(dim=0)  # (V,)
    told = [f"{words.words[i]} {chances[i]:.0%}" for i in chances.topk(5).indices]
    real = f"{follows} {chances[words.encode([follows])[0]]:.1%}"
    shown = ("… " if len(head) > 9 else "") + t(" ", "").join(head[-9:]) + " …"
    cells.append((shown, t(", ", "、").join(told), real))
claims.show_table(
    t(("beginning", "likeliest next words", "what did follow"), ("开头", "最可能的后续词", "实际的后续词")), cells
)

# %% [markdown] key="prefix-seen" lang="en"
# What the model offers is mostly grammar: *of*, a full stop, a comma or the sentence's end, whether the bank is of a river or of
# money. Six openings show what predictions look like and cannot show how well the *sense* is kept apart inside; the scoreboard measures that
# on all sentences. (`<unk>` stands for all words outside the vocabulary; a high place for it says that a rare word is likely.)

# %% [markdown] key="prefix-seen" lang="zh" follows="8549d82b"
# 模型给出的多是标点和助词，不管说的是水果还是公司。句首孤零零的“苹果”前面没有线索，两个义项得到的预测完全一样，前五个里都有手机、耳机、电池，因为模型读过许多购物评价。六个开头只能说明预测是什么样子，说明不了义项在模型内部分得开多少，那要看记分牌上对全部例句的测量。（`<unk>` 代表所有不在词表里的词，它排得靠前，说明这里多半是个低频词。）

# %% [markdown] key="write" lang="en"
# Now the model writes. Each word is drawn from the softmax with a **temperature** $\tau$,
# $p \propto \exp(\text{score}/\tau)$; below 1 the likely words get likelier. There is one draw for each temperature; run the
# cell again for others.

# %% [markdown] key="write" lang="zh" follows="d88672e8"
# 再让模型写几句。每个词从 softmax 里抽，带一个**温度** $\tau$，即 $p \propto \exp(\text{得分}/\tau)$，$\tau$ 小于 1 时，本来就可能的词更可能。每种温度抽一次，再运行一遍这格代码会写出别的。

# %% key="write-run"
course_lib.source(awd_lstm.generate)
beginning = t("the old man looked at the river and", "昨天 下午 ， 我 和 朋友").split()
ids = words.encode(["<S>", *beginning])
for temperature in (0.5, 0.8, 1.0):
    drawn = awd_lstm.generate(shipped, ids, 40, temperature)
    text = t(" ", "").join([*beginning, *words.decode(drawn)])
    text = text.replace("</S>", " ⏎ ").replace("<S>", "¶ ")
    print(f"τ = {temperature}: {text}\n")

# %% [markdown] key="sampled" lang="en"
# At 0.5 the model plays safe and repeats itself; at 1 it says more and errs more. The marks
# ⏎ (a sentence ends) and ¶ (a text begins) are words to it. Fluent text can be empty, so this proves no
# quality; but it would show at once that a model is broken.
#
# ### A softmax from a sample
#
# For each word the softmax divides by $Z = \sum_v \exp(s_v)$, a sum over all 20,000 words; in training that
# is most of the work. So our pre-training uses a **sampled softmax**. It draws a sample $S$ of the words, each in it with probability $q_v$ (the
# frequent ones always), and lets a drawn word stand for $1/q_v$ words (**importance sampling**):
#
# $$\hat Z = e^{s_w} + \sum_{v \in S,\, v \neq w} \frac{e^{s_v}}{q_v}, \qquad \mathbb E[\hat Z] = Z.$$
#
# We try it on one position of a real sentence, with many samples of 200 and of 2,000.

# %% [markdown] key="sampled" lang="zh" follows="6a476be2"
# 温度 0.5 时模型求稳，翻来覆去就那几句；到 1，话多了，错也多了。⏎（句子结束）和 ¶（文章开始）对它来说也是词。话可以通顺而空洞，所以这不能证明模型好；但模型如果坏了，一眼就看得出来。
#
# ### 抽样算 softmax
#
# 每预测一个词，softmax 都要除以 $Z = \sum_v \exp(s_v)$，对全部两万个词求和，训练时大半功夫花在这上面。所以我们的预训练用**抽样 softmax**，只抽一部分词 $S$，词 $v$ 抽中的概率是 $q_v$（最常用的词每次都在），抽中的一个词顶 $1/q_v$ 个（**重要性采样**）：
#
# $$\hat Z = e^{s_w} + \sum_{v \in S,\, v \neq w} \frac{e^{s_v}}{q_v}, \qquad \mathbb E[\hat Z] = Z$$
#
# 拿一个真实句子里的一个位置试试，每次抽 200 个词，抽很多次；再改成每次抽 2000 个词。

# %% key="sampled-run"
from course_lib.models import sampled_softmax

course_lib.source(sampled_softmax.draw, sampled_softmax.sampled_loss)
annotated = data.senses(t.language)
tokens = [w.lower() for w in max(annotated[:50], key=lambda s: len(s.tokens)).tokens]
ids = torch.tensor([words.encode(["<S>", *tokens])])
draws = course_lib.by_profile(full=1500, quick=300)
with torch.no_grad():
    top = shipped(ids[:, :-1]).top[0]  # (N, E)
    targets = ids[0, 1:]
    here = len(targets) // 2
    scores = shipped.logits(top[here])  # (V,)
    exact = float(scores.logsumexp(0) - scores[targets[here]])
    ratios = {
        samples: np.exp([
            float(sampled_softmax.sampled_loss(top[here : here + 1], targets[here : here + 1],
                                               shipped.softmax, shipped.bias, samples)) - exact
            for _ in range(draws)
        ])
        for samples in tqdm((200, 2000), unit=t(" sizes", " 种"), file=sys.stdout)
    }  # fmt: skip
claims.show_table(
    t(("words in the sample", "mean of Ẑ / Z", "its standard error", "mean of log(Ẑ / Z)"),
      ("抽样词数", "Ẑ / Z 的平均", "标准误", "log(Ẑ / Z) 的平均")),
    [(samples, f"{ratio.mean():.3f}", f"{ratio.std(ddof=1) / draws**0.5:.3f}", f"{np.log(ratio).mean():+.3f}")
     for samples, ratio in ratios.items()],
)  # fmt: skip
figure, axis = plt.subplots(figsize=(7, 3))
for (samples, ratio), style in zip(
    ratios.items(), ({"color": "C1"}, {"color": "C0"}), strict=True
):
    axis.hist(ratio.clip(0.5, 1.5), bins=np.linspace(0.5, 1.5, 60), alpha=0.6, density=True, **style,
              label=t(f"{samples} words", f"{samples} 个词"))  # fmt: skip
axis.axvline(1, color="black", lw=1)
axis.set(
    xlabel=t("estimated sum / true sum", "估计的和 / 真正的和"),
    ylabel=t("density", "密度"),
)
axis.legend()
course_lib.show(
    figure,
    alt=t(
        "Histograms of the estimated sum divided by the true one: both lie around 1, the one with "
        "2,000 words is much narrower.",
        "估计的和除以真正的和，两个直方图都围着 1，抽 2000 个词的窄得多。",
    ),
)

# %% [markdown] key="sampled-seen" lang="en"
# The mean of the ratios is 1 within a few standard errors: the *sum* is right on average, for any size of sample.
# But the loss has the *logarithm* of the sum, and the mean of a logarithm lies below the logarithm of the mean, the more so the more the
# estimates scatter (**Jensen's inequality**). So a perplexity from a sampled softmax looks too good. Hence the rule: train with the sample
# if you must, and **measure with the full softmax, always**. Our library does (`loss` looks at `self.training`).
#
# ## 9 · Claims

# %% [markdown] key="sampled-seen" lang="zh" follows="256c8de0"
# 比值的平均在几个标准误之内就是 1，可见*和*平均起来是对的，样本多大都如此。可是损失里用的是和的*对数*，而对数的平均比平均的对数小，估计值越分散，差得越多（**琴生不等式**）。所以用抽样的 softmax 算出的困惑度偏低，看上去比实际好。由此得出一条规矩：训练时不得已可以抽样，**打分一律用完整的 softmax**。我们的代码就是这样（`loss` 会看 `self.training`）。
#
# ## 9 · 论断卡

# %% [markdown] key="claims-rule" lang="en"
# "It is the regularisers." Section 1 switched all kinds of dropout off at once, in one run, and kept the rest. The claim needs an **ablation**, with each taken away by
# itself, everything else equal, and several seeds: a small model reads 50,000 words of the Brown corpus 48
# times, by plain gradient descent (`python -m course_lib claims run awd_regularisers`). What counts is the lowest
# perplexity on the way, so a model that overfits may stop early. Above 0, it is worse without.
#
# The second card asks what such a model has learned. *The keys near the door are old* and *the key near the doors is
# old*: exchange *is* and *are*, and both sentences become wrong. Taken together, the two right sentences have the
# same words as the two wrong ones, so the right pair gains nothing from words that are frequent. Is its probability
# higher? The same is asked with nouns that fit a verb, and with *a mouse is smaller than a horse*.
#
# Each card has two verdicts. *As told*: is it what the source says? *In our runs*: what came out here, by one rule
# for all cards. More claims about this lesson are on the book's claims page, or in `python -m course_lib claims list`.

# %% [markdown] key="claims-rule" lang="zh" follows="3b969230"
# “功劳在正则化。”第 1 节是一次把各种 dropout 全关掉，其余的都留着，而且只跑了一次。要检验这句话，得作**消融**实验，一样一样地去掉，别的都不变，用好几个种子。一个小模型用普通的梯度下降把 Brown 语料的五万词读 48 遍（`python -m course_lib claims run awd_regularisers`），记下一路上最低的困惑度，过拟合的模型等于可以提前停。卡片上的数是去掉之后的困惑度减去样样都有时的，大于 0 就是变差了。
#
# 第二张卡片问的是这样的模型学会了什么。“前面有一条河”“前面有一本书”，把两个量词对调，两句就都不通了。对的两句和错的两句，用的词合起来完全一样，所以对的那一对占不到高频词的便宜。它的概率更高吗？再拿搭配得上的宾语、“蚂蚁比马小”这样的比较，照样问一遍。
#
# 每张卡片有两个结论，“转述”说的是这句话是不是出处的原意，“我们的实验”说的是这里做出来怎样，所有卡片用同一条规则。关于本课的更多论断，见本书的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="claims-cards" fold=true
for key in (
    "awd-regularisers",
    "grammar-meaning-common-sense",
    "sampled-softmax-scores",
):
    claims.card(key).show(t)

# %% [markdown] key="claims-seen" lang="en"
# First card. With all of them taken away, the perplexity is higher with every seed, by 13 to 21 in nine of ten. The tenth network never
# learned more than how frequent each word is (245 against 109), and this one run makes the interval so wide that after the correction for seven
# questions the line is not significant. Two parts carry the difference: tied weights (9.7 [8.3, 11.1]) and locked dropout (6.2 [4.0, 8.5]). Whether
# weight-drop, which gave the model its name, embedding dropout, AR/TAR and the varied windows bring anything here cannot be told; a
# rise of some 3 to 5 would have been found. In a large model each may do more, and two taken away together were not
# tried.
#
# Second card. Grammar and meaning are far above chance in both languages; for common sense nothing can be told,
# though 6 points above chance would have been found.
#
# <details><summary>A warning from our own work</summary>
#
# With Adam instead of plain gradient descent the same network, without AR and TAR, never learned more than word frequencies (a
# perplexity of 249). Had we stored that, the card would have praised AR and TAR for what was the optimiser's failure.
#
# </details>

# %% [markdown] key="claims-seen" lang="zh" follows="2eb67cb6"
# 先看第一张卡片。全部去掉之后，每个种子的困惑度都更高，十个里有九个高出 13 到 21。剩下的一个始终只学会每个词有多常见（245 对 109），单是这一次就让区间变得很宽，再按七个问题校正，这一行就不显著了。撑起差距的主要是两样，共享权重（9.7 [8.3, 11.1]）和锁定 dropout（6.2 [4.0, 8.5]）。让模型得名的 weight-drop，还有嵌入 dropout、AR/TAR、变长的窗口，在这里有没有用分辨不出；如果困惑度上升 3 到 5，本来是查得出来的。换成大模型，它们也许更有用；两样一起去掉会怎样，没有试。
#
# 再看第二张卡片。语法和语义在两种语言里都远高于随机水平；常识则分辨不出，如果比随机水平高出 6 个百分点，本来是查得出来的。
#
# <details><summary>我们自己的一个教训</summary>
#
# 如果不用普通的梯度下降而用 Adam，同一个网络去掉 AR 和 TAR 之后就只学会了词频（困惑度 249）。要是把那次的结果存下来，卡片就会把优化器的失败算成 AR 和 TAR 的功劳。
#
# </details>

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The same probe for every model of the course; the board grows lesson by lesson. This model reads from left
# to right only, so a word that gives the sense away *after* the target cannot help it. We take the layer that
# is best here.

# %% [markdown] key="scoreboard" lang="zh" follows="30ba8ee0"
# ## 记分牌
#
# 课程里的每个模型都做同一个测试，表会一课一课地长下去。这个模型只从左往右读，目标词*后面*的线索它看不见。表里取这里最好的一层。

# %% key="scoreboard-row"
from course_lib.analysis import senses


@torch.no_grad()
def vectors_of(sentences, batch=64):
    """Return each layer's output at the ambiguous words. Shape of each: (N, H_l)."""
    found = []
    for i in range(0, len(sentences), batch):
        part = sentences[i : i + batch]
        heads = ([w.lower() for w in s.tokens[: s.target_index + 1]] for s in part)
        read = [words.encode(["<S>", *head]) for head in heads]
        ids = torch.zeros(len(read), max(map(len, read)), dtype=torch.long)  # (B, T)
        for row, numbered in zip(ids, read, strict=True):
            row[: len(numbered)] = torch.tensor(numbered)
        last = [len(numbered) - 1 for numbered in read]
        raws = shipped(ids).raw  # what is padded comes later, and is not seen
        found.append([raw[range(len(read)), last].numpy() for raw in raws])
    return [np.concatenate(layer) for layer in zip(*found, strict=True)]


began = time.perf_counter()
layers = vectors_of(annotated)
per_token = (time.perf_counter() - began) / sum(s.target_index + 2 for s in annotated)
scores = [senses.macro(senses.by_word(x, annotated)) for x in layers]
best = max(range(len(scores)), key=lambda k: scores[k]["nearest_centroid"])
static = course_lib.load(f"static-{t.language}")
display(HTML(claims.sense_table({
    t(f"AWD-LSTM, layer {best + 1}", f"AWD-LSTM，第 {best + 1} 层"): scores[best],
    t("averaged static context", "静态上下文平均"): claims.context_scores(static, t.language),
}, t)))  # fmt: skip
print(t("parameters:", "参数："), f"{numbers(shipped):,};",
      t("milliseconds per token:", "每个词的毫秒数："), f"{1000 * per_token:.2f}")  # fmt: skip

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 explains the columns); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="d209654a"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "09")

# %% [markdown] key="board-seen" lang="en"
# The AWD-LSTM reads from left to right only, and in the cloze task it is below the biLM, which sees both sides. Its parts of speech get worse
# from layer to layer (the board does not show why); for chunks, layer 1 is close to the biLM. In *× floor* the model that
# carries its state on is nearest, but after half a million words not by much: four words of context (NNLM) are nearly as good.

# %% [markdown] key="board-seen" lang="zh" follows="6444160f"
# AWD-LSTM 只从左往右读，填空不如看得见两侧的 biLM。它的词性成绩一层不如一层（原因这张表看不出来）；命名实体上，第 1 层离 biLM 不远。“下界的几倍”一栏里，一路带着状态往下读的它最近，可是只读了五十万词，领先不多，只看四个词的 NNLM 也差不了多少。

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** Weight-drop with p = 0.2 is at work in a window of 70 steps. What happens to
# the features of the state at one step?
#
# <details><summary>A. A fifth of them is erased, others at the next step.</summary>
#
# Not quite: that is ordinary dropout on the state. A feature that must last 20 steps
# would arrive with probability 0.012.
#
# </details>
#
# <details><summary>B. None is erased; a fifth of the ways between them is.</summary>
#
# Right. And that for the whole window. Every feature keeps most of its ways. And as the
# thinned matrix is made before the call, torch's fast LSTM still runs.
#
# </details>
#
# <details><summary>C. A fifth of them is erased, the same ones at all steps.</summary>
#
# Not quite: that is a locked mask on the state. Weight-drop puts its mask on the matrix
# U.
#
# </details>
#
# ---
#
# **2.** Section 1, measured once in English: without dropout the held-out perplexity
# was 375 at best and 392 at the end, with dropout 313 at the end. Which comparison is
# fair?
#
# <details><summary>A. 392 with 313: both at the end.</summary>
#
# Not quite: nobody has to train to the end. Whoever watches the held-out text stops at
# the best point.
#
# </details>
#
# <details><summary>B. 375 with 313: each at its best.</summary>
#
# Right. Stopping early is a remedy, too, and it is free. Dropout has to be better than
# that.
#
# </details>
#
# <details><summary>C. The training perplexities: there no text was held back.</summary>
#
# Not quite: they measure learning by heart. The model without dropout would win.
#
# </details>
#
# ---
#
# **3.** A language model has V = 20,000 words and word vectors of 300 numbers. How many
# parameters does tying save?
#
# <details><summary>A. 6 million</summary>
#
# Right. One table of 20,000 × 300 instead of two. What is left beside the LSTMs is that
# table and a bias for each word.
#
# </details>
#
# <details><summary>B. 12 million</summary>
#
# Not quite: one of the two tables stays: it is used twice, for reading and for writing.
#
# </details>
#
# <details><summary>C. 300 × 300</summary>
#
# Not quite: it is not a matrix between vectors that goes, but a whole table with a row
# for each word.
#
# </details>
#
# <details><summary>D. None, it only trains faster</summary>
#
# Not quite: the two tables become one in memory, too. (Rare words also get more
# gradient.)
#
# </details>
#
# ---
#
# **4.** A perplexity was computed with a sampled softmax; the estimate of the sum Z is
# right on average. What about the perplexity?
#
# <details><summary>A. Right on average, too.</summary>
#
# Not quite: the loss has the *logarithm* of the sum. The mean of a logarithm is not the
# logarithm of the mean.
#
# </details>
#
# <details><summary>B. Too high: fewer words could be guessed.</summary>
#
# Not quite: with fewer rivals in the sum a word rather looks *likelier*.
#
# </details>
#
# <details><summary>C. Too low.</summary>
#
# Right. The mean of log Ẑ lies below log Z, the more so the more the estimates scatter.
# Train with a sample if you must, measure with the full softmax.
#
# </details>
#
# ---
#
# **5.** The paper reports a perplexity of 57.3 on the Penn Treebank and 65.8 on
# WikiText-2. Is the model better on the Penn Treebank?
#
# <details><summary>A. Yes: a lower perplexity is a better prediction.</summary>
#
# Not quite: only on the same text with the same vocabulary. These are two texts and two
# vocabularies.
#
# </details>
#
# <details><summary>B. No: WikiText-2 is larger, so 65.8 is the greater feat.</summary>
#
# Not quite: the argument may be true or not; nothing here shows it.
#
# </details>
#
# <details><summary>C. The two numbers cannot be compared.</summary>
#
# Right. Each can be compared with other models on *its* text. What the floor of either
# text is nobody knows; in Rivertown we do.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="cfb9357c"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 某个特征在 70 步里都是 1，丢弃概率 0.25，留下的按 1/(1 − p) 放大。对 70 步取平均，普通 dropout 和锁定 dropout 各得多少？
#
# <details><summary>A. 都是 0.75 左右。</summary>
#
# 再想想：忘了放大。留下的数除以 0.75，就是为了让平均不变。
#
# </details>
#
# <details><summary>B. 都在 1 左右，只是锁定的省时间。</summary>
#
# 再想想：期望都是 1，可锁定的那张掩码一抽定终身：这个窗口里要么全有，要么全没有。
#
# </details>
#
# <details><summary>C. 普通的约 1；锁定的 0 或 1.33。</summary>
#
# 对。普通 dropout 的噪声沿时间一平均就没了，“别太指望这个特征”的教训也没了。锁定的怎么看都一样，躲不掉。
#
# </details>
#
# ---
#
# **2.** “他 打 完 电话 去 打 球”，嵌入 dropout 抽中了“打”。模型读到什么？
#
# <details><summary>A. 两个“打”都没有了。</summary>
#
# 对。丢的是词向量表里的一整行，凡是查到这一行的地方都是零。
#
# </details>
#
# <details><summary>B. 两个“打”里随机丢一个。</summary>
#
# 再想想：那是按位置丢。这样一来，第一次漏看的，第二次还能补上。
#
# </details>
#
# <details><summary>C. “打”还在，只是“打”的向量里丢了几维。</summary>
#
# 再想想：那是对数字做的 dropout。嵌入 dropout 以词为单位。
#
# </details>
#
# ---
#
# **3.** 第 1 节的英文版测过一次：没有 dropout，留出困惑度最好 375，最后 392；有 dropout，最后 313。怎样比才公平？
#
# <details><summary>A. 拿 392 和 313 比，都是最后的。</summary>
#
# 再想想：谁也没规定非训练到最后不可。盯着留出文本，到最好的时候停下就是了。
#
# </details>
#
# <details><summary>B. 拿 375 和 313 比，各取最好的一轮。</summary>
#
# 对。提前停止也是一味药，还不要钱。dropout 得比它更管用才行。
#
# </details>
#
# <details><summary>C. 比训练文本上的困惑度。</summary>
#
# 再想想：那比的是谁更会背，没有 dropout 的一定赢。
#
# </details>
#
# ---
#
# **4.** 语言模型的词表有 20,000 个词，词向量 300 维。读和写共用一张表，省下多少参数？
#
# <details><summary>A. 1200 万</summary>
#
# 再想想：两张表里留下了一张，它两头都用。
#
# </details>
#
# <details><summary>B. 600 万</summary>
#
# 对。20,000 × 300 的表，两张变一张。词表相对 LSTM 越大，省得越多。
#
# </details>
#
# <details><summary>C. 9 万</summary>
#
# 再想想：去掉的不是向量之间的 300 × 300 矩阵，而是每个词一行的整张表。
#
# </details>
#
# ---
#
# **5.** 用抽样的 softmax 算困惑度，分母 Z 的估计平均起来是对的。困惑度呢？
#
# <details><summary>A. 偏低，好看得不真实。</summary>
#
# 对。损失里是分母的对数，对数的平均小于平均的对数，估计越散，差得越多。打分一律用完整的 softmax。
#
# </details>
#
# <details><summary>B. 平均起来也是对的。</summary>
#
# 再想想：分母平均对，不等于它的对数平均对。
#
# </details>
#
# <details><summary>C. 偏高，因为有的词抽不到。</summary>
#
# 再想想：分母里少了对手，正确的词反倒显得更可能。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>1. Weight-drop and locked dropout on the state: are they the same?</summary>
#
# No. A locked mask on h takes away a feature with all its ways, which is a whole column of U. Weight-drop takes
# away single ways; every feature stays.
# </details>
#
# <details><summary>2. Why is the training perplexity of a model with dropout often worse than its held-out
# one?</summary>
#
# The first is measured while numbers are being dropped, the second without. To compare them, measure both
# in evaluation mode, as section 1 does.
# </details>
#
# <details><summary>3. Does carrying the state make gradients flow over the border of a window?</summary>
#
# No. The numbers are carried, their history is not. The model can use what it remembers, but cannot learn
# there what would have been worth remembering: that is why borders should move.
# </details>
#
# <details><summary>4. A window of 35 tokens gets half the learning rate. What would happen without that?</summary>
#
# Its loss is a mean over half as many words, so each of its words would pull twice as hard.
# </details>
#
# <details><summary>5. Somebody reports a perplexity of 52.0 on WikiText-2 with AWD-LSTM. Is that regularisation alone?</summary>
#
# No: that is with a neural cache, which at test time raises the words that were used recently. Without it the
# paper has 65.8. Ask what a perplexity includes.
# </details>

# %% [markdown] key="questions" lang="zh" follows="fd4b39e7"
# ## 检查一下自己
#
# <details><summary>1. weight-drop 和在状态上锁定 dropout，是一回事吗？</summary>
#
# 不是。在 h 上锁定一张掩码，是把一个特征连同它的全部通路去掉，相当于去掉 U 的一整列；weight-drop 去掉的是单条通路，每个特征都还在。
# </details>
#
# <details><summary>2. 用了 dropout 的模型，训练时的困惑度为什么常常比留出的还差？</summary>
#
# 前者是一边丢一边测的，后者没有丢。要比，就都在评估模式下测，第 1 节就是这样。
# </details>
#
# <details><summary>3. 状态带过去，梯度也就能越过窗口的边界吗？</summary>
#
# 不能。带过去的是数，不是来历。模型可以用它记住的东西，却没法在那里学会什么值得记：所以边界要挪动。
# </details>
#
# <details><summary>4. 35 个词的窗口学习率减半。不减会怎样？</summary>
#
# 它的损失是一半的词的平均，每个词的拉力就大了一倍。
# </details>
#
# <details><summary>5. 有人报告 AWD-LSTM 在 WikiText-2 上困惑度 52.0。光靠正则化吗？</summary>
#
# 不是：那是加了 neural cache 的，测试时会抬高最近用过的词。不加，论文是 65.8。看到困惑度，要问它包含了什么。
# </details>

# %% [markdown] key="near" lang="en"
# ## Try it: predict, change a knob, explain
#
# How far back must the model read to tell the senses of a word apart? In this cell it reads only the last `BACK` words before the ambiguous
# word, and the vectors are the last layer's. **Predict** the score for 0, 1, 3 and 100 words. Then **change** `BACK`, run the cell again, and **explain** the curve.

# %% [markdown] key="near" lang="zh" follows="5a57ede6"
# ## 动手：先预测，再调旋钮，然后解释
#
# 要分开一个词的义项，模型得往前读多少个词？下面的代码让它只读多义词前面的 `BACK` 个词，向量取自最后一层。请先**预测** 0、1、3、100 个词时的得分，再**改动** `BACK` 重新运行，然后**解释**得分怎样变化。

# %% key="near-run"
BACK = 1  # the knob: how many words before the ambiguous one are read

cut = []
for s in annotated:
    begin = max(0, s.target_index - BACK)
    cut.append(s._replace(tokens=s.tokens[begin:], target_index=s.target_index - begin))
row = senses.macro(senses.by_word(vectors_of(cut)[-1], annotated))
display(HTML(claims.sense_table({t(f"{BACK} words before", f"前面 {BACK} 个词"): row}, t)))

# %% [markdown] key="near-answer" lang="en"
# <details><summary>What comes out</summary>
#
# Nearest centroid: 0 words 0.431, 1 word 0.649, 2 0.676, 3 0.690, 5 0.722, 10 0.747, 100 (all) 0.751. With no word before it, all vectors of an ambiguous
# word are the same, and the score is that of always answering the commonest sense (0.436). The word next to it alone brings more than two thirds of the
# way, and after ten words there is hardly anything to gain: these are single sentences, and clues stand close by. (In the Chinese edition one word brings
# 0.649 and the whole sentence 0.623.) A long memory, which training in streams is for, is not what this test rewards.
#
# </details>

# %% [markdown] key="near-answer" lang="zh" follows="0f404a8d"
# <details><summary>结果是这样</summary>
#
# 最近质心一栏，0 个词 0.424，1 个 0.649，2 个 0.627，3 个 0.612，5 个 0.599，10 个 0.623，100 个（全部）0.623。前面一个词也不读，同一个多义词的向量就全都一样，得分和永远回答最常见的义项差不多（0.427）。紧挨着的一个词就带来了几乎全部的进步，再多读反而没有更好。这些都是单句，能分辨义项的词往往就在旁边；多读为什么略低，只凭一个模型说不出究竟。（英文版里，从 1 个词到整句，得分由 0.649 逐步升到 0.751。）文本流训练出来的长记忆，在这个测试里用不上多少。
#
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Merity, Keskar and Socher (2017), sections 2 to 5: short, and every part of it is in this lesson.
# * Gal and Ghahramani (2016), *A theoretically grounded application of dropout in recurrent neural networks*.
# * Inan, Khosravi and Socher (2016); Press and Wolf (2016): tied weights, found twice.
# * Polyak and Juditsky (1992), *Acceleration of stochastic approximation by averaging*.
# * Melis, Dyer and Blunsom (2017), *On the state of the art of evaluation in neural language models*: what
#   tuning alone does for a plain LSTM.
# * Lesson 10: this model, fine-tuned. The exercises: `exercises/09_awd_lstm`.

# %% [markdown] key="reading" lang="zh" follows="853d8a41"
# ## 接下来读什么
#
# * Merity、Keskar、Socher（2017），第 2 至 5 节：很短，每一部分都在本课里。
# * Gal 与 Ghahramani（2016），*A theoretically grounded application of dropout in recurrent neural networks*。
# * Inan、Khosravi、Socher（2016）；Press 与 Wolf（2016）：共享权重，两家同时想到。
# * Polyak 与 Juditsky（1992），*Acceleration of stochastic approximation by averaging*。
# * Melis、Dyer、Blunsom（2017），*On the state of the art of evaluation in neural language models*：只靠调参，普通 LSTM 能走多远。
# * 第 10 课：微调这个模型。练习：`exercises/09_awd_lstm`。
