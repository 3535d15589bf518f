# %% [markdown] key="title" lang="en"
# # 12 · Two language models make a translator
#
# After this lesson you can
#
# * write attention over a source sentence, with padding that gets no weight;
# * build an encoder and a decoder *around* two language models, and copy them in by name;
# * say why a residual connection and a joint loss keep what was pre-trained;
# * score translations with BLEU, and name three ways to be fooled by it;
# * read an ablation, and say what its rows do not tell;
# * place two papers that fine-tuned language models years before GPT.
#
# Running time: about two minutes of one core (quick profile: under one).
# The papers: Ramachandran, Liu and Le, *Unsupervised Pretraining for Sequence to Sequence
# Learning* (EMNLP 2017), and before it Dai and Le, *Semi-supervised Sequence Learning* (NIPS 2015).

# %% [markdown] key="title" lang="zh" follows="52557175"
# # 12 · 两个语言模型拼成一个翻译器
#
# 学完本课，你能够
#
# * 写出对源句的注意力，填充的位置分不到一点权重；
# * *围着*两个语言模型搭起编码器和解码器，并按名字把参数复制进去；
# * 说清残差连接和联合损失怎样保住预训练学到的东西；
# * 用 BLEU 给译文打分，并说出它骗人的三种方式；
# * 读懂一张消融表，也说得出它没告诉你什么；
# * 说出比 GPT 早几年就微调语言模型的两篇论文。
#
# 运行时间：单核约两分钟（精简规模不到一分钟）。论文：Ramachandran、Liu 与 Le，*Unsupervised Pretraining for Sequence to Sequence Learning*（EMNLP 2017）；在它之前，Dai 与 Le，*Semi-supervised Sequence Learning*（NIPS 2015）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import math
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display

import course_claims as claims
from course_lib import data
from course_lib.models import seq2seq
from course_lib.text.characters import BOS, EOS
from course_lib.text.documents import PAD
from course_lib.text.pairs import Lines, PairBatch, lay_out
from course_lib.training import loop, translate

_ = torch.manual_seed(12)
sizes = course_lib.by_profile(
    full=translate.PairSizes(train=1000, dev=50, test=200, alone=6000, epochs=3.0),
    quick=translate.PairSizes(train=200, dev=20, test=30, alone=400, epochs=2.0),
)
PAIRS = course_lib.by_profile(full=1000, quick=100)
STEPS = course_lib.by_profile(full=500, quick=20)
task = translate.prepare("rivertown", sizes)
ENGLISH, CHINESE = task.vocabularies


def count_seeds(rows):
    """Say how many seeds there are."""
    n = len({row["seed"] for row in rows})
    print(t(f"{n} seed(s); intervals: 95 %", f"{n} 个种子；区间为 95%"))


# %% [markdown] key="pair" lang="en"
# ## 1 · One pair of sentences
#
# A pair from Rivertown, the small town whose two languages come from one grammar. In the picture
# somebody has marked by hand where each Chinese word comes from.

# %% [markdown] key="pair" lang="zh" follows="74e15b4d"
# ## 1 · 一对句子
#
# 这对句子出自河湾镇（Rivertown），那个小镇的两种语言由同一部语法生成。图里每个中文词对应哪个英文词，是人手工标出来的。

# %% key="pair-picture" fold=true
EN = "The star whose cat had damaged the cup apologised to our mayor .".split()
ZH = "家里 的 猫 弄坏 了 杯子 的 那位 明星 向 我们 镇长 道歉 了 。".split()
FROM = [2, 2, 3, 5, 4, 7, 2, 0, 1, 9, 10, 11, 8, 8, 12]  # by hand


def attention_map(ax, weights, columns, rows, title=""):
    """Draw weights (T, S): darker is more; the source runs along the top."""
    image = ax.imshow(weights, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(len(columns)), columns, rotation=60, ha="left", fontsize=9)
    ax.set_yticks(range(len(rows)), rows, fontsize=9)
    ax.xaxis.tick_top()
    ax.set_xlabel(title, fontsize=9)
    ax.set_ylabel(t("word written", "写出的词"), fontsize=9)
    return image


figure, ax = plt.subplots(figsize=(6.4, 4.6))
attention_map(
    ax,
    np.eye(len(EN))[FROM],
    EN,
    ZH,
    t("word read (marked by hand)", "读到的词（手工标注）"),
)
course_lib.show(
    figure,
    alt=t(
        "A table of English words against Chinese words; one cell in each row is dark. The dark "
        "cells do not lie on the diagonal.",
        "英文词对中文词的一张表，每行有一格是深色的；深色格不在对角线上。",
    ),
)

# %% [markdown] key="pair-seen" lang="en"
# **What to see.** The order is another: “whose cat had damaged the cup” comes *before* the star in
# Chinese. So a translator cannot walk along from left to right. To write 道歉 it has to look at
# *apologised*, and it must find the place by itself: nobody marks it by hand.

# %% [markdown] key="pair-seen" lang="zh" follows="39636cca"
# **看什么。** 语序不一样：“whose cat had damaged the cup”在中文里跑到了 star *前面*。所以翻译器不能从左到右顺着一路译下去。要写“道歉”，就得去看 *apologised*，而且得自己找到那个位置：没有人替它标。

# %% [markdown] key="attention" lang="en"
# ## 2 · Attention
#
# With numbers first. Three source words have the states $(1,0)$, $(0,1)$, $(1,1)$; the decoder asks
# with the query $q = (2, 0)$. Scalar products: 2, 0, 2. Softmax: 0.47, 0.06, 0.47. The answer is the
# mean of the states with these weights, $(0.94, 0.53)$.
#
# The encoder has two layers here, with states $h_i^1$ (first) and $h_i^N$ (last) at source word $i$.
# The paper computes the weights **once**, with the last layer, and looks with them at **both**:
#
# $$\alpha_i = \frac{\exp(q_t \cdot h_i^N)}{\sum_{j=1}^{T} \exp(q_t \cdot h_j^N)}, \qquad
#   c_t^1 = \sum_i \alpha_i h_i^1, \quad c_t^N = \sum_i \alpha_i h_i^N, \quad c_t = [c_t^1; c_t^N].$$
#
# The query $q_t$ comes from the decoder: a learned matrix times $s_t^N$, the state of its last layer at step $t$.
# (The number of source words, the paper's $T$, is $S$ in the code's shapes; $T$ there counts the words to be written.)
#
# Why both? The last layer knows best *where* to look. The first layer, nearer to the words, may know
# best *what* stands there.

# %% [markdown] key="attention" lang="zh" follows="48e5c13e"
# ## 2 · 注意力
#
# 先看数字。三个源词的状态是 $(1,0)$、$(0,1)$、$(1,1)$；解码器拿查询 $q = (2, 0)$ 来问。内积：2、0、2。softmax：0.47、0.06、0.47。答案是各状态按这组权重的平均，$(0.94, 0.53)$。
#
# 这里的编码器有两层，在源词 $i$ 处的状态是 $h_i^1$（第一层）和 $h_i^N$（最高层）。论文只用最高层算**一次**权重，再用它去看**两层**：
#
# $$\alpha_i = \frac{\exp(q_t \cdot h_i^N)}{\sum_{j=1}^{T} \exp(q_t \cdot h_j^N)}, \qquad
#   c_t^1 = \sum_i \alpha_i h_i^1, \quad c_t^N = \sum_i \alpha_i h_i^N, \quad c_t = [c_t^1; c_t^N]$$
#
# 查询 $q_t$ 来自解码器：第 $t$ 步最高层的状态 $s_t^N$，乘一个学出来的矩阵。（论文的 $T$ 是源词的个数，在代码的形状注释里写成 $S$；注释里的 $T$ 是要写的词数。）
#
# 为什么两层都看？最高层最清楚该看*哪儿*；第一层离词最近，也许最清楚那儿*有什么*。

# %% key="attention-code"
course_lib.source(seq2seq.attend)
states = torch.tensor([[[1.0, 0], [0, 1], [1, 1]]])  # (1, S, D)
query = torch.tensor([[[2.0, 0]]])  # (1, T, D)
here = torch.tensor([[True, True, True]])
context, weights = seq2seq.attend(query, [states], here)
print(weights[0, 0].numpy().round(2), context[0, 0].numpy().round(2))
here[0, 2] = False  # let the third place be padding
print(seq2seq.attend(query, [states], here)[1][0, 0].numpy().round(2))

# %% [markdown] key="attention-seen" lang="en"
# **What to see.** A place that is padding gets $-\infty$ before the softmax, so 0 after it, and the
# others share its weight. Setting the *weight* to 0 afterwards would leave a sum below 1.

# %% [markdown] key="attention-seen" lang="zh" follows="3a4b761f"
# **看什么。** 填充的位置在 softmax 之前得 $-\infty$，之后就是 0，它的份额由别的位置分掉。如果等 softmax 之后才把*权重*改成 0，加起来就不到 1 了。

# %% [markdown] key="inside" lang="en"
# ## 3 · Two language models inside
#
# Pairs are dear: somebody has to translate. Text in one language is cheap. What can be learned
# from it? The authors' observation: *without the encoder, a decoder is a language model* of the
# target language. And an encoder with a softmax on top is a language model of the source language.
# So train two language models first, each on its own text, and build the translator around them.
#
# ![An encoder with two LSTM layers reads English, a decoder with two LSTM layers writes Chinese; the decoder's upper layer asks the encoder's states by attention, what it finds is added to the decoder's lower layer, and a softmax chooses the next word; word vectors, lower LSTMs and the softmax come from two language models, the rest is new.](drawing:seq2seq_attention)

# %% [markdown] key="inside" lang="zh" follows="9929dd8a"
# ## 3 · 里面有两个语言模型
#
# 句对贵，要有人翻译；单一语言的文本便宜。从便宜的文本里能学到什么？作者的观察是：*去掉编码器，解码器就是目标语言的语言模型*；而编码器上面加一个 softmax，就是源语言的语言模型。所以先各用各的文本训练两个语言模型，再围着它们搭翻译器。
#
# ![编码器用两层 LSTM 读英文，解码器用两层 LSTM 写中文；解码器的上层用注意力询问编码器的状态，问到的内容加到解码器的下层输出上，由 softmax 选出下一个词；词向量、下层 LSTM 和 softmax 来自两个语言模型，其余是新的。](drawing:seq2seq_attention)

# %% key="inside-picture" fold=true
SHADE = {"source": "#F2C572", "target": "#9CC9E8", "random": "#EEEEEE"}
figure, ax = plt.subplots(figsize=(8.2, 4.2))


def box(x, y, text, origin, width=2.2):
    """Draw a labelled box, coloured by where its parameters come from."""
    ax.add_patch(
        plt.Rectangle((x, y), width, 0.7, facecolor=SHADE[origin], edgecolor="0.3")
    )
    ax.text(x + width / 2, y + 0.35, text, ha="center", va="center", fontsize=9)


def arrow(start, end, **style):
    ax.annotate(
        "", end, start, arrowprops={"arrowstyle": "->", "color": "0.2", **style}
    )


VECTORS, FIRST, SECOND = (
    t("word vectors", "词向量"),
    t("first LSTM", "第一层 LSTM"),
    t("second LSTM", "第二层 LSTM"),
)
for x, side in ((0, "source"), (6, "target")):
    box(x, 0, VECTORS, side)
    box(x, 1.3, FIRST, side)
    box(x, 2.6, SECOND, "random")
    arrow((x + 1.1, 0.7), (x + 1.1, 1.3))
    arrow((x + 1.1, 2.0), (x + 1.1, 2.6))
box(3, 2.6, t("attention", "注意力"), "random")
box(6, 3.8, "+", "random")
box(6, 4.9, "softmax", "target")
arrow((2.2, 1.7), (3.4, 2.6))
arrow((2.2, 2.95), (3.0, 2.95))
arrow((6.0, 2.95), (5.2, 2.95))
arrow((4.1, 3.3), (6.0, 4.1))
arrow((7.1, 3.3), (7.1, 3.8))
arrow((7.1, 4.5), (7.1, 4.9))
arrow((8.2, 1.65), (8.2, 4.15), connectionstyle="arc3,rad=0.5", color="#D55E00", lw=2)
ax.text(9.0, 2.9, t("residual", "残差"), color="#D55E00", fontsize=9)
ax.text(1.1, -0.45, t("encoder: reads English", "编码器：读英文"), ha="center")
ax.text(7.1, -0.45, t("decoder: writes Chinese", "解码器：写中文"), ha="center")
names = {
    "source": t("from the English language model", "来自英文语言模型"),
    "target": t("from the Chinese language model", "来自中文语言模型"),
    "random": t("random", "随机"),
}
ax.legend(
    [plt.Rectangle((0, 0), 1, 1, facecolor=SHADE[k], edgecolor="0.3") for k in names],
    names.values(),
    loc="upper left",
    fontsize=8,
)
ax.set_xlim(-0.2, 10.2)
ax.set_ylim(-0.8, 5.8)
ax.set_axis_off()
course_lib.show(
    figure,
    alt=t(
        "An encoder and a decoder of two LSTMs each, joined by attention. Word vectors, first LSTMs and "
        "the softmax come from language models; the second LSTMs and the attention are random. A residual "
        "arrow leads from the decoder's first LSTM past the second one to the softmax.",
        "编码器和解码器各有两层 LSTM，由注意力相连。词向量、第一层 LSTM 和 softmax 来自语言模型；第二层 "
        "LSTM 和注意力是随机的。一条残差箭头从解码器第一层绕过第二层通到 softmax。",
    ),
)

# %% [markdown] key="inside-seen" lang="en"
# **What to see.** Each language model has one LSTM, so it fills the *first* layer of its side; what
# lies above is new and random. The English softmax is not drawn: translating does not need it. It is kept
# all the same, for section 6. (The paper has three layers, the lowest from a language model of 4,096
# cells that was trained for a week on 32 GPUs. Ours has 128 cells.)
#
# In the code the language models keep their names, `source` and `target`. Then "initialise with
# pre-trained weights" is a loop over names, and it can say where every tensor came from.

# %% [markdown] key="inside-seen" lang="zh" follows="08a51cf1"
# **看什么。** 每个语言模型只有一层 LSTM，所以它占的是自己那一侧的*第一层*；再往上都是新的、随机的。英文的 softmax 没有画：翻译用不着它。但还是留着，第 6 节要用。（论文有三层，最低一层来自 4096 个单元的语言模型，在 32 块 GPU 上训练了一周。我们的是 128 个单元。）
#
# 代码里，两个语言模型保留各自的名字 `source` 和 `target`。于是“用预训练的权重初始化”就是对名字做一次循环，还能报出每个张量从哪儿来。

# %% key="inside-code"
course_lib.source(seq2seq.LanguageModel, seq2seq.initialise)

# %% [markdown] key="pretrain" lang="en"
# ## 4 · Pre-training, live
#
# Two texts that nobody has translated: English sentences, and *other* Chinese sentences. The pairs
# that will be used later, and the test sentences, are in neither.

# %% [markdown] key="pretrain" lang="zh" follows="9b88bb11"
# ## 4 · 现场预训练
#
# 两份没有人翻译过的文本：一些英文句子，和*另外*一些中文句子。后面要用的句对和测试句，都不在里面。

# %% key="pretrain-run"
began, models = time.perf_counter(), []
for side, vocabulary in enumerate(task.vocabularies):
    torch.manual_seed(12)
    lm = seq2seq.LanguageModel(len(vocabulary))
    before = translate.perplexity(lm, task.held_out[side], vocabulary)
    lines = Lines(task.text[side], vocabulary)
    loop.train(lm, lines, epochs=sizes.epochs, learning_rate=4e-3)
    after = translate.perplexity(lm, task.held_out[side], vocabulary)
    models.append(lm)
    print(t(("English", "Chinese"), ("英文", "中文"))[side], f"{len(task.text[side]):,}",
          t("sentences;", "句；"), t("words:", "词表："), f"{len(vocabulary):,};",
          t("perplexity on other sentences:", "别的句子上的困惑度："),
          f"{before:.0f} → {after:.1f}")  # fmt: skip
print(t("seconds:", "秒数："), round(time.perf_counter() - began))

# %% [markdown] key="pretrain-seen" lang="en"
# **What to see.** At first every word of the list is as likely as any other. How many choices are left at each word, after a
# few thousand sentences? All this without a single translation.
#
# Now a translator is made, and the two are copied into it.

# %% [markdown] key="pretrain-seen" lang="zh" follows="1e29ad6a"
# **看什么。** 一开始，词表里的词个个机会均等。读过几千句之后，每个位置上还剩几种选择？这一切没有用到一句译文。
#
# 现在造一个翻译器，把两个语言模型复制进去。

# %% key="copy-run"
FULL = translate.TranslatorSettings(steps=STEPS)  # all parts, joint loss, both layers
torch.manual_seed(12)
model = seq2seq.Seq2Seq(len(ENGLISH), len(CHINESE))
origin = seq2seq.initialise(model, *models)
FROM_WHERE = {
    "source": t("English LM", "英文语言模型"),
    "target": t("Chinese LM", "中文语言模型"),
    "random": t("random", "随机"),
}
claims.show_table(
    [t("tensor", "张量"), t("shape", "形状"), t("from", "来自")],
    [(name, tuple(p.shape), FROM_WHERE[origin[name]]) for name, p in model.named_parameters()
     if "bias" not in name],
)  # fmt: skip
shares = {
    k: sum(p.numel() for n, p in model.named_parameters() if origin[n] == k)
    for k in FROM_WHERE
}
total = sum(shares.values())
print(t(", ", "，").join(f"{FROM_WHERE[k]} {n / total:.0%}" for k, n in shares.items()))

# %% [markdown] key="residual" lang="en"
# ## 5 · The residual connection
#
# Look at the picture again. Without the orange arrow the softmax would get the output of a *random*
# LSTM: a pre-trained softmax on top of noise. Its first gradients would be noise, too, and run down into
# what was learned. With the arrow the first layer $s_t^1$ goes straight up, as it did in the language model:
#
# $$o_t = s_t^1 + W_o\,[s_t^N; c_t], \qquad p(y_{t+1}) = \mathrm{softmax}(W o_t + b).$$
#
# (The paper fixes the residual; how the context enters it does not say. The $W_o$ is ours.) Set $W_o$ to 0, and the
# decoder must *be* the language model, to the last digit. A property like this is worth a test:

# %% [markdown] key="residual" lang="zh" follows="0cdc3a56"
# ## 5 · 残差连接
#
# 再看那张图。没有橙色箭头，softmax 拿到的就是一层*随机* LSTM 的输出：预训练好的 softmax 架在噪声上。它最初的梯度也是噪声，还会一路传下去，冲掉学到的东西。有了箭头，第一层的 $s_t^1$ 直接往上走，就像在语言模型里一样：
#
# $$o_t = s_t^1 + W_o\,[s_t^N; c_t], \qquad p(y_{t+1}) = \mathrm{softmax}(W o_t + b)$$
#
# （残差是论文规定的；上下文从哪儿进来，论文没说，$W_o$ 是我们加的。）把 $W_o$ 设成 0，解码器就必须*等于*语言模型，一位小数都不差。这样的性质值得写成测试：

# %% key="residual-run"
course_lib.source(seq2seq.Seq2Seq.decode)


@torch.no_grad()
def nothing_from_above(residual):
    """Compare a decoder without anything from above with its language model."""
    torch.manual_seed(12)
    decoder = seq2seq.Seq2Seq(len(ENGLISH), len(CHINESE), residual=residual).eval()
    seq2seq.initialise(decoder, *models)
    decoder.output.weight.zero_()  # W_o
    batch = PairBatch(
        lay_out([ENGLISH.encode([BOS, *EN])], PAD),
        lay_out([CHINESE.encode([BOS, *ZH])], PAD),
    )
    logits = models[1].eval()(batch.target)
    return float((decoder(batch).logits - logits).abs().max())


for residual in (True, False):
    print(t("residual" if residual else "no residual", "有残差" if residual else "无残差"),
          t("— largest difference from the language model:", "—— 与语言模型的最大差："),
          f"{nothing_from_above(residual):.3g}")  # fmt: skip

# %% [markdown] key="joint" lang="en"
# ## 6 · The joint loss
#
# Fine-tuning on a few hundred pairs pulls all parameters towards these pairs. What was read before is
# forgotten; lesson 10 measured it. The remedy here is simple: go on reading. Each step takes a batch of
# pairs *and* a batch of untranslated sentences of each language, and adds up three losses:
#
# $$L = L_{\text{pairs}} + L_{\text{English LM}} + L_{\text{Chinese LM}}.$$
#
# For example $4.1 + 2.6 + 2.5$ nats: none of the three weighs more than another ("weighted equally", says the paper).
# Only the boxes that came from a language model feel the last two.

# %% [markdown] key="joint" lang="zh" follows="a8a9e894"
# ## 6 · 联合损失
#
# 用几百个句对微调，会把所有参数都往这几百对上拉，从前读过的就忘了；第 10 课测过。这里的办法很简单：接着读。每一步取一批句对，*再*取两种语言各一批没有翻译的句子，三个损失加在一起：
#
# $$L = L_{\text{句对}} + L_{\text{英文语言模型}} + L_{\text{中文语言模型}}$$
#
# 比如 $4.1 + 2.6 + 2.5$ 奈特：三者不分轻重（论文的说法是“同等权重”）。只有来自语言模型的那些方块，才会感到后两项。

# %% key="joint-code"
course_lib.source(seq2seq.Seq2Seq.forward)

# %% [markdown] key="tune" lang="en"
# ## 7 · Fine-tuning, live
#
# The same pairs, the same number of steps, three beginnings: everything pre-trained and the joint loss;
# nothing pre-trained, but the joint loss (that is the paper's "no pretraining": it reads the untranslated text
# as well, only not beforehand); neither of the two.

# %% [markdown] key="tune" lang="zh" follows="386c6315"
# ## 7 · 现场微调
#
# 同样的句对，同样的步数，三种起点：全部预训练，加联合损失；什么都不预训练，但有联合损失（这就是论文里的“无预训练”：没有翻译的文本它也读，只是没有提前读）；两样都没有。

# %% key="tune-run"
WAYS = {
    "full": (t("pre-trained, joint loss", "预训练，联合损失"), FULL),
    "no pre-training": (
        t("no pre-training, joint loss", "无预训练，联合损失"),
        FULL._replace(parts=()),
    ),
    "neither": (t("neither", "都没有"), FULL._replace(parts=(), joint=False)),
}
translators, rows = {}, []
for key, (label, way) in WAYS.items():
    model = translate.begin(task, way, models, seed=12)
    run = translate.fine_tune(model, task, PAIRS, 12, way)
    translators[key] = model
    scores = translate.score(model, task)
    rows.append(
        (
            label,
            f"{scores['BLEU']:.1f}",
            f"{scores['accuracy']:.1f}",
            round(run.seconds),
        )
    )
claims.show_table(
    [t(f"{PAIRS} pairs, {STEPS} steps", f"{PAIRS} 个句对，{STEPS} 步"), "BLEU",
     t("words right, %", "词正确率（%）"), t("seconds", "秒")], rows)  # fmt: skip

# %% [markdown] key="tune-seen" lang="en"
# **What to see.** (*Words right*: the right word in the right place.) How far apart are the first row
# and the last? And how much of that does the second row get, which never pre-trained? This is one seed;
# section 9 has more. Read some translations as well: a score does not say *what* is wrong.

# %% [markdown] key="tune-seen" lang="zh" follows="92b30712"
# **看什么。**（*词正确率*：词对，位置也对。）第一行和最后一行差多少？从没预训练过的第二行，又补上了其中多少？这只是一个种子；第 9 节有更多。也读几句译文：分数不会告诉你错在*哪儿*。

# %% key="tune-read"
shortest = sorted(task.pairs["test"], key=lambda pair: len(pair[0]))[5:25:6]
for english, chinese in shortest:
    print(" ".join(english))
    print("   ", t("right:", "应为："), " ".join(chinese))
    for key, (label, _) in WAYS.items():
        [found] = translate.translate(translators[key], task, [english])
        print("   ", label + t(":", "："), " ".join(found))

# %% [markdown] key="look" lang="en"
# Where does it look? The weights $\alpha_i$ while it reads the right translation of a test sentence, word by
# word. (The first column is the begin mark `<S>`; the encoder reads it as every language model does.)

# %% [markdown] key="look" lang="zh" follows="4a97d473"
# 它在看哪儿？让它逐词读一个测试句的正确译文，看权重 $\alpha_i$。（第一列是句首标记 `<S>`；编码器同所有语言模型一样，先读它。）

# %% key="look-picture"
english, chinese = next(p for p in task.pairs["test"] if 9 <= len(p[0]) <= 12)
batch = PairBatch(
    lay_out([ENGLISH.encode([BOS, *english])], PAD),
    lay_out([CHINESE.encode([BOS, *chinese])], PAD),
)
figure, axes = plt.subplots(1, 2, figsize=(9, 4.4))
for ax, key in zip(axes, ("full", "neither"), strict=True):
    with torch.no_grad():
        found = translators[key].eval()(batch).weights[0]  # (T, S)
    image = attention_map(
        ax, found, [BOS, *english], [*chinese, EOS], f"{WAYS[key][0]}"
    )
figure.colorbar(image, ax=axes, label=t("weight", "权重"))
course_lib.show(
    figure,
    alt=t(
        "Two attention maps of one sentence pair, for the pre-trained model and the one with neither "
        "pre-training nor joint loss; source words along the top, target words down the side.",
        "同一句对的两张注意力图：预训练的模型，和既无预训练也无联合损失的模型；上方是源词，左侧是目标词。",
    ),
)

# %% [markdown] key="look-seen" lang="en"
# **What to see.** Each row adds up to 1. Is there a dark cell in the rows of names and things, as in the picture made by
# hand? Rows of 了 or 的 have no clear source. One caution: an LSTM carries words along, so that
# the *state* at a place also knows the words before it. A weight is where the model looks, not an explanation.

# %% [markdown] key="look-seen" lang="zh" follows="547ae86d"
# **看什么。** 每一行加起来都是 1。人名、物品那几行，有没有像手工标注那样的一个深色格？“了”“的”这些行，本来就没有明确的来源。提醒一句：LSTM 会把前面的词带着走，某个位置的*状态*里也有它前面的词。权重说的是模型往哪儿看，不是对结果的解释。

# %% [markdown] key="bleu" lang="en"
# ## 8 · BLEU, and how to be fooled by it
#
# The right translation: 她 打 了 电话 。 A system writes 她 打 电话 了 。 Of its words, all five occur in the
# right one. Of its four pairs of neighbours only one does (她 打). No three, no four in a row; so by the formula below
# this sentence alone would have 0. That is one reason to count over *all* test sentences together. BLEU takes
# the geometric mean of these shares $p_1 \dots p_4$, and punishes short output:
#
# $$\mathrm{BLEU} = \min\!\big(1,\, e^{1 - r/c}\big) \cdot \Big(\prod_{n=1}^{4} p_n\Big)^{1/4},$$
#
# with $c$ and $r$ the lengths of the output and of the right translations. Use `sacrebleu`, never your own, and say how
# the text was cut. Here is why:

# %% [markdown] key="bleu" lang="zh" follows="43a67c05"
# ## 8 · BLEU，以及它怎样骗人
#
# 正确译文：她 打 了 电话 。系统写的是：她 打 电话 了 。它的五个词全都在正确译文里。相邻的两个词共四对，只有一对（她 打）在。连续三个、四个的，一个也没有，所以照下面的公式，单看这一句就是 0。要在*整个*测试集上一起数，这是理由之一。BLEU 把这几个比例 $p_1 \dots p_4$ 做几何平均，并惩罚过短的输出：
#
# $$\mathrm{BLEU} = \min\!\big(1,\, e^{1 - r/c}\big) \cdot \Big(\prod_{n=1}^{4} p_n\Big)^{1/4}$$
#
# $c$ 和 $r$ 是输出和正确译文的总长。请用 `sacrebleu`，不要自己写，并且说明文本是怎么切的。原因如下：

# %% key="bleu-run"
right = [chinese for _, chinese in task.pairs["test"]]
found = translate.translate(
    translators["full"], task, [english for english, _ in task.pairs["test"]]
)
one_by_one = [
    translate.bleu([f], [r], characters=True) for f, r in zip(found, right, strict=True)
]
claims.show_table(
    [t("the same translations", "同样的译文"), "BLEU"],
    [
        (
            t("cut into characters", "按字切"),
            f"{translate.bleu(found, right, True):.1f}",
        ),
        (t("cut into words", "按词切"), f"{translate.bleu(found, right, False):.1f}"),
        (
            t("characters, mean over sentences", "按字切，逐句算再平均"),
            f"{np.mean(one_by_one):.1f}",
        ),
    ],
)

# %% [markdown] key="bleu-seen" lang="en"
# **What to see.** Three numbers for the same translations. Characters give more partial credit than words. And
# the mean of sentences' BLEUs is not the corpus' BLEU. So never compare a BLEU with one from another paper unless the
# cutting is the same. The third trap: 杜鹃 for *cuckoo* and 杜鹃 for *azalea* are the same characters; BLEU cannot see
# a wrong sense that is spelt alike, and it counts a good paraphrase as wrong.

# %% [markdown] key="bleu-seen" lang="zh" follows="0ee8c230"
# **看什么。** 同样的译文，三个数。按字切，对一半也给分，比按词切宽松。逐句 BLEU 的平均，也不等于整个语料的 BLEU。所以切法不同，就不要拿自己的 BLEU 同别的论文比。第三个陷阱：布谷鸟叫“杜鹃”，映山红也叫“杜鹃”，写出来一模一样，义项错了 BLEU 看不见；换一种说法译对了，它却当成错。

# %% [markdown] key="ablation" lang="en"
# ## 9 · Which part brings what?
#
# The paper's ablation, English → German (validation BLEU, difference from the full model; its section 3.1):
#
# | paper: what was done | BLEU |
# |---|---|
# | only the decoder pre-trained | −1.0 |
# | only the encoder pre-trained | −1.6 |
# | all but the softmax pre-trained | −1.6 |
# | no pre-training | −2.0 |
# | language models from the pairs' own text | as large a drop as no pre-training |
# | everything pre-trained, no joint loss | as bad as no pre-training with the joint loss |
#
# There were four million pairs. Ours are a thousand or less, on two tasks: Rivertown, and *vowels*. The second one is real
# English: from `th ct st n th mt` write *the cat sat on the mat*. (A restoration task is artificial: pairs can be made
# from any text at no cost, and we pretend that they are dear. In exchange the truth is exact, each word can be counted,
# and `ct` can only be resolved by knowing English: *cat*, *cut*, *cute*, *act*.)

# %% [markdown] key="ablation" lang="zh" follows="d86a444f"
# ## 9 · 哪一部分带来什么？
#
# 论文的消融，英译德（验证集 BLEU，与完整模型之差；论文 3.1 节）：
#
# | 论文里的做法 | BLEU |
# |---|---|
# | 只预训练解码器 | −1.0 |
# | 只预训练编码器 | −1.6 |
# | 除 softmax 外都预训练 | −1.6 |
# | 无预训练 | −2.0 |
# | 语言模型只读句对自己的文本 | 降得同无预训练一样多 |
# | 全部预训练，无联合损失 | 同“无预训练、有联合损失”一样差 |
#
# 论文有四百万句对。我们至多一千对，任务有两个：河湾镇，和*元音*。后者用真实的英文：由 `th ct st n th mt` 写出 *the cat sat on the mat*。（还原类的任务是人造的：随便什么文本都能不花钱变出句对，我们只是假装句对很贵。好处是答案确切，可以逐词计分；而且 `ct` 究竟是 *cat*、*cut*、*cute* 还是 *act*，只有懂英文才分得清。）

# %% key="ablation-table" fold=true
ROWS = {
    "full": t("everything", "全部"),
    "only the decoder": t("only the decoder pre-trained", "只预训练解码器"),
    "only the encoder": t("only the encoder pre-trained", "只预训练编码器"),
    "without softmax": t("all but the softmax", "除 softmax 外都预训练"),
    "without LM loss": t("no joint loss", "无联合损失"),
    "without extras": t("no residual, one layer seen", "无残差，只看一层"),
    "no pre-training": t("no pre-training", "无预训练"),
    "neither": t("neither pre-training nor joint loss", "无预训练，也无联合损失"),
    "no network": t("no network at all", "根本不用网络"),
}
TASKS = {
    "rivertown": t("Rivertown", "河湾镇（英译中）"),
    "vowels": t("vowels (English)", "元音（英文）"),
}


def called(condition):
    """Name a task and its number of pairs."""
    name, _, pairs = condition.partition(", ")
    return TASKS[name] + t(", ", "，") + pairs.replace("pairs", t("pairs", "个句对"))


def shown(span):
    """Write a difference with its interval, if there are seeds for one."""
    if math.isnan(span.low):
        return f"{span.estimate:+.1f}" + t(" (one seed)", "（一个种子）")
    return f"{span.estimate:+.1f} [{span.low:+.1f}, {span.high:+.1f}]"


ablation = claims.card("encoder-and-decoder").rows  # all seeds
if ablation:
    spans, places = (
        claims.over_seeds(ablation, "BLEU"),
        claims.conditions(ablation),
    )
    lines = []
    for key, label in ROWS.items():
        cells = [f"{spans[key, place].estimate:.1f}" for place in places]
        behind = [
            shown(claims.gains(ablation, "BLEU", key, "full")[place]) for place in places
        ]
        lines.append((label, *cells, *behind))
    claims.show_table(
        [
            "BLEU",
            *map(called, places),
            *(t("minus full: ", "减去“全部”：") + called(place) for place in places),
        ],
        lines,
    )
    count_seeds(ablation)

# %% [markdown] key="ablation-seen" lang="en"
# **What to see.** First the last row: the simplest thing that can be done with the pairs alone. For Rivertown it is the translation
# that stands beside the most similar source sentence; for the vowels, the commonest word for each string of consonants. Two
# networks that both stay below it have learned too little for their difference to say anything of translators. Then the intervals, then three comparisons. *no pre-training* against *neither*: what the joint loss brings
# by itself. *only the decoder* and *only the encoder*: do their two drops in BLEU add up to the drop of *no pre-training*? In the
# paper they do not: "the benefits compound". And the row *without softmax*: what are good LSTM states worth to a softmax that cannot
# read them yet?
#
# What no row tells: whether more *steps* would close a gap. All rows had the same number of steps; a model from
# scratch may need more. And a BLEU of Rivertown is not a BLEU of German.
#
# And the *learning rate*? At first all rows had one. Which one that is decides who wins (development pairs, one seed; BLEU, all
# pre-trained / none):
#
# | rate | Rivertown | vowels |
# |---|---|---|
# | 0.004 | 26.6 / 3.8 | 12.2 / 0.6 |
# | 0.008 | 30.0 / 18.8 | 18.6 / 5.5 |
# | 0.016 | 33.2 / 33.1 | 18.2 / 11.7 |
# | 0.032 | 28.0 / 26.7 | 12.9 / 9.2 |
#
# At 0.008 the gap on Rivertown is 11 BLEU; when the rival gets its own rate, 0.016, it shrinks to 0.1. On the vowels half of it stays.
# One seed each, so this is a warning and no result: before you believe a gain, ask who chose the rival's rate. In the table above
# therefore each row tries 0.004, 0.008 and 0.016, anew with every seed; what counts is the rate with the highest BLEU on the
# development pairs, and the test pairs have no say in it.
#
# **What came out** (ten seeds). On the vowels no network comes near the dictionary of commonest words: the best one has half of
# its BLEU. On Rivertown two ways are significantly above the last row, and both do without the joint loss. So the paper's first questions, whether
# pre-training helps, which half of it, whether the softmax must come along, get no answer here: between *full* and *no pre-training*
# stand −1.1 [−2.6, 0.3] BLEU on Rivertown and +9.5 [8.0, 11.0] on the vowels, but those are differences among translators
# that a look-up beats. It would take one that is above the last row, with more pairs and larger networks. Two things can be said, of
# Rivertown alone. The joint loss costs a pre-trained translator 6.7 BLEU [5.9, 7.5]. And where neither side has that loss, pre-training
# (*no joint loss* minus *neither*) brings 2.7 [1.0, 4.3]; that comparison is ours, made after a look at the table, so it is a hint for the
# next study.

# %% [markdown] key="ablation-seen" lang="zh" follows="c7f0dfad"
# **看什么。** 先看最后一行：只靠句对能做的最简单的事。在河湾镇，是找出最相似的源句，照抄它的译文；在元音任务上，是给每串辅音填上它最常见的词。两个网络要是都不如它，就都没学到多少，它们之间的差也说明不了翻译器怎样。再看区间，然后做三个比较。*无预训练*对*两样都没有*：联合损失单独带来多少。*只预训练解码器*和*只预训练编码器*：两边各少掉的 BLEU 加起来，等于*无预训练*少掉的吗？论文里不等于，它说“好处会叠加放大”。再看*除 softmax 外*：LSTM 的状态再好，softmax 还读不懂，值多少？
#
# 哪一行都没说的是：多训练几*步*，差距会不会补上。所有行的步数相同；从零开始的模型也许需要更多步。另外，河湾镇的 BLEU 不是德语的 BLEU，不能相比。
#
# 那*学习率*呢？起初所有行用同一个。用哪一个，决定谁赢（开发集句对，一个种子；BLEU，全部预训练 / 无预训练）：
#
# | 学习率 | 河湾镇 | 元音 |
# |---|---|---|
# | 0.004 | 26.6 / 3.8 | 12.2 / 0.6 |
# | 0.008 | 30.0 / 18.8 | 18.6 / 5.5 |
# | 0.016 | 33.2 / 33.1 | 18.2 / 11.7 |
# | 0.032 | 28.0 / 26.7 | 12.9 / 9.2 |
#
# 学习率取 0.008，河湾镇上差 11 个 BLEU；让对手用适合它自己的 0.016，差距缩到 0.1。在元音任务上，差距还剩一半。每格只有一个种子，这是提醒，算不上结果：相信一项提升之前，先问一句，对手的学习率是谁选的？所以上面的表里，每一行、每个种子都把 0.004、0.008、0.016 各试一遍，取开发集句对上 BLEU 最高的那个；测试集句对不参与挑选。
#
# **结果**（十个种子）：元音任务上，没有一个网络接近“最常见的词”这本词典，最好的也只有它一半的 BLEU。河湾镇上显著超过最后一行的只有两种做法，都不用联合损失。所以论文的头几个问题，预训练有没有用、哪一半更要紧、softmax 要不要一起，在这里都没有答案：“全部”减去“无预训练”，河湾镇是 −1.1 [−2.6, 0.3]，元音是 +9.5 [8.0, 11.0]，可那是几个连查表都不如的翻译器之间的差。要回答，得有超过最后一行的翻译器：更多的句对，更大的网络。能说的有两点，都只限于河湾镇。联合损失让预训练过的翻译器少 6.7 个 BLEU [5.9, 7.5]。两边都不用联合损失时，预训练（“无联合损失”减去“两样都没有”）带来 2.7 [1.0, 4.3]；这个比较是我们看过表以后才做的，只能给下一次研究提个醒。

# %% [markdown] key="builder" lang="en"
# ### Build one yourself
#
# Plug the parts in, one by one. The table says where every tensor of the model above starts, by name; the same loop over names
# as in `initialise`. Below stand our rows, if they have been measured, and apart from them the paper's.
#
# Before you click, guess: which *one* plug would you pull to lose as much as possible?

# %% [markdown] key="builder" lang="zh" follows="18e8b0be"
# ### 自己动手搭一个
#
# 把零件一个一个插上去。表里列出上面那个模型的每个张量从哪里开始，查的是名字，和 `initialise` 里的循环一样。再往下是我们测过的各行（测过才有数字），论文的数字另放一处。
#
# 点之前先猜：只许拔*一个*插头，拔哪个丢分最多？

# %% key="builder-run"
from course_claims.experiments import seq2seq as experiment
from course_lib.widgets import seq2seq_builder

stored = {
    "seq2seq_ablation": ablation,
    "seq2seq_pairs": claims.card("fewer-pairs").rows,
}
seq2seq_builder(translators["full"], stored, experiment.ABLATION, t.language)

# %% [markdown] key="builder-seen" lang="en"
# **What to see.** With everything plugged in, how many parameters are still random, and where are they? Pull the
# target softmax: it holds a sixth of them, no more than each table of word vectors; now look at the paper's row.
# A count of parameters does not say what a part is worth. A setting between two rows has no number here: nobody
# has trained it.

# %% [markdown] key="builder-seen" lang="zh" follows="75137b11"
# **看什么。** 全都插上以后，还有多少参数是随机的，在哪儿？再拔掉目标侧的 softmax：它占六分之一，和每一张词向量表差不多；再看看论文那一行。参数有多少，说明不了一个零件值多少。落在两行之间的搭法，这里给不出数字：没人训练过。

# %% [markdown] key="pairs" lang="en"
# ### The fewer pairs, the larger the gain?
#
# In the paper the gap between pre-training and none was 2.0 BLEU with all pairs, and 3.8 with a fifth of them.

# %% [markdown] key="pairs" lang="zh" follows="5dbbcbb1"
# ### 句对越少，增益越大？
#
# 论文里，有无预训练的差距，用全部句对时是 2.0 BLEU，只用五分之一时是 3.8。

# %% key="pairs-picture" fold=true
fewer_and_more = claims.card("fewer-pairs").rows
amounts = [
    *fewer_and_more,
    *(r for r in ablation if r["model"] in ("full", "no pre-training")),
]
if amounts:
    spans = claims.over_seeds(amounts, "BLEU")
    by_task = {}
    for condition in claims.conditions(amounts):
        name, _, pairs = condition.partition(", ")
        by_task.setdefault(name, []).append(int(pairs.split()[0]))
    figure, axes = plt.subplots(1, len(by_task), figsize=(8.4, 3.4), squeeze=False)
    for ax, (name, counts) in zip(axes[0], by_task.items(), strict=True):
        counts = sorted(counts)
        for key, style in zip(("full", "no pre-training"), ("o-", "s--"), strict=True):
            y = np.array([spans[key, f"{name}, {n} pairs"] for n in counts])
            bars = np.nan_to_num([y[:, 0] - y[:, 1], y[:, 2] - y[:, 0]])
            ax.errorbar(counts, y[:, 0], bars, fmt=style, capsize=3, label=ROWS[key])
        ax.set_xscale("log")
        ax.set_xticks(counts, counts)
        ax.minorticks_off()
        ax.set_title(TASKS[name], fontsize=10)
        ax.set_xlabel(t("pairs", "句对数"))
    axes[0, 0].set_ylabel("BLEU")
    axes[0, 0].legend(fontsize=8)
    course_lib.show(
        figure,
        alt=t(
            "BLEU against the number of pairs, on a logarithmic axis, with and without pre-training; one "
            "panel for each task.",
            "BLEU 随句对数的变化，横轴为对数，有无预训练各一条；每个任务一张。",
        ),
    )
    count_seeds(amounts)

# %% [markdown] key="pairs-seen" lang="en"
# **What to see.** The distance between the two curves, at both ends. A gain can also be small with very few
# pairs, when nothing has learned to translate yet: knowing Chinese is of no use to somebody who cannot read the source.
#
# | gain of pre-training, BLEU | fewest pairs | most pairs | fewest minus most |
# |---|---|---|---|
# | Rivertown, 300 and 2,000 | 2.1 [1.2, 2.9] | 0.5 [−1.6, 2.5] | 1.6 [−0.8, 4.0] |
# | vowels, 100 and 1,000 | 2.2 [1.6, 2.8] | 21.8 [18.5, 25.1] | −19.6 [−23.0, −16.2] |
#
# On the vowels the gain *grows* with the pairs; on Rivertown it cannot be told. But *no network*, which writes for each word what stood
# in its place most often in the pairs (for Rivertown it copies the most similar pair), is nowhere below the two curves (vowels, 1,000 pairs: 53 against 37 and 15), so the
# paper's claim was not tried: its two points lie far to the right of ours, where even the untrained model translates well.

# %% [markdown] key="pairs-seen" lang="zh" follows="f80b42e7"
# **看什么。** 看两条曲线在两端的距离。句对极少的时候，增益也可能很小：谁都还没学会翻译，而读不懂原文的人，中文再好也没用。
#
# | 预训练的增益，BLEU | 句对最少 | 句对最多 | 最少减最多 |
# |---|---|---|---|
# | 河湾镇，300 和 2000 对 | 2.1 [1.2, 2.9] | 0.5 [−1.6, 2.5] | 1.6 [−0.8, 4.0] |
# | 元音，100 和 1000 对 | 2.2 [1.6, 2.8] | 21.8 [18.5, 25.1] | −19.6 [−23.0, −16.2] |
#
# 在元音任务上，句对越多，增益反而*越大*；河湾镇看不出来。可是“不用网络”（元音：每个词照抄它在句对里最常对应的那一个；河湾镇：照抄最相似的一对）哪里都不低于两条曲线（元音，1000 对：53，对 37 和 15），所以论文的说法在这里没有测到：它那两个点远在我们右边，那里没有预训练的模型也已经译得不错了。

# %% [markdown] key="forgetting" lang="en"
# ## 10 · The forgetting curve
#
# Now the language models *inside* the translator are asked for their perplexity, on sentences that nobody has trained on, while
# the fine-tuning goes on: with the joint loss, and without.

# %% [markdown] key="forgetting" lang="zh" follows="f718948f"
# ## 10 · 遗忘曲线
#
# 一边微调，一边去问翻译器*里面*的两个语言模型：在谁都没拿来训练过的句子上，困惑度是多少？有联合损失的、没有的，各问一遍。

# %% key="forgetting-picture" fold=true
forgotten = claims.card("pairs-make-forget").rows
SIDES = {"source": t("source language", "源语言"), "target": t("target language", "目标语言")}  # fmt: skip
if forgotten:
    names = list(
        dict.fromkeys(c.partition(", ")[0] for c in claims.conditions(forgotten))
    )
    figure, axes = plt.subplots(1, len(names), figsize=(8.4, 3.4), squeeze=False)
    for ax, name in zip(axes[0], names, strict=True):
        for (title, label), style in zip(
            {"full": t("joint loss", "有联合损失"), "without LM loss": t("none", "无联合损失")}.items(),
            ("-", "--"), strict=True,
        ):  # fmt: skip
            for side, colour in zip(SIDES, ("#0072B2", "#E69F00"), strict=True):
                rows = [r for r in forgotten if r["model"] == title
                        and r["condition"].startswith(name)]  # fmt: skip
                curve = {
                    int(condition.rpartition(" ")[2]): span.estimate
                    for (condition,), span in claims.over_seeds(
                        rows, side, by=("condition",)
                    ).items()
                }
                steps = sorted(curve)
                ax.plot(steps, [curve[s] for s in steps], style, color=colour,
                        label=SIDES[side] + t(", ", "，") + label)  # fmt: skip
        ax.set_yscale("log")
        ax.set_title(TASKS[name], fontsize=10)
        ax.set_xlabel(t("steps of fine-tuning", "微调的步数"))
    axes[0, 0].set_ylabel(t("perplexity", "困惑度"))
    axes[0, 0].legend(fontsize=8)
    course_lib.show(
        figure,
        alt=t(
            "Perplexity of the two language models inside the translator against fine-tuning steps, with "
            "and without the joint loss; logarithmic axis.",
            "翻译器里两个语言模型的困惑度随微调步数的变化，有无联合损失各两条；纵轴为对数。",
        ),
    )
    count_seeds(forgotten)
else:
    for side, name in enumerate(SIDES):
        print(
            SIDES[name],
            t("before fine-tuning and after (this run):", "微调前后（本次）："),
            *(
                f"{translate.perplexity(lm, task.held_out[side], task.vocabularies[side]):.1f}"
                for lm in (models[side], getattr(translators["full"], name))
            ),
        )

# %% [markdown] key="forgetting-seen" lang="en"
# **What to see.** Does the dashed line leave the solid one, and on which side more? Then the question of lesson 10 again: is a
# model that forgot also a worse *translator*? Perplexity and BLEU are two measurements. The papers disagree about it:
#
# * Ramachandran et al.: without the joint loss the gain of pre-training was gone.
# * Dai and Le 2015, with a classifier and an autoencoder (section 11): training both jointly *hurt*, 14.70 % error on IMDb against
#   7.24 % for the autoencoder's initialisation alone; no pre-training had 13.50 %.
# * GPT 2018 (lesson 13), with an auxiliary language model loss: 74.7 on average over tasks with it, 75.0 without.
#
# A joint loss is an idea, not a law. One would expect it to help most where fine-tuning data are few and the task
# is itself *writing*: a decoder has to remain a language model, a classifier has not. Our own ablation (section
# 9) is such a case: on Rivertown the joint loss keeps both language models, as the picture shows, and costs 6.7 BLEU.

# %% [markdown] key="forgetting-seen" lang="zh" follows="27285f2c"
# **看什么。** 虚线离开实线了吗，哪一侧离得更远？还有第 10 课的老问题：忘得多的模型，*翻译*得就差吗？困惑度和 BLEU 是两回事。几篇论文说法不一：
#
# * Ramachandran 等：没有联合损失，预训练的好处就没了。
# * Dai 与 Le（2015），做分类，配的是自编码器（第 11 节）：两者联合训练反而*有害*，IMDb 错误率 14.70%，而只用自编码器初始化是 7.24%；不预训练是 13.50%。
# * GPT（2018，第 13 课），辅助的语言模型损失：各任务平均，用了 74.7，不用 75.0。
#
# 联合损失是个想法，不是定律。按道理，微调数据少、任务本身又是*写*的时候，它最有用：解码器必须还是个语言模型，分类器不必。可是第 9 节我们自己的消融正是这种情形：在河湾镇上，联合损失保住了两个语言模型（看图），BLEU 却少了 6.7。

# %% [markdown] key="dai" lang="en"
# ## 11 · Two years earlier: Dai and Le
#
# Some accounts say that GPT invented fine-tuning a language model. Dai and Le did it in 2015, for classifiers: an LSTM reads
# a text, its last state decides. Two ways to begin:
#
# * **LM-LSTM**: as a language model;
# * **SA-LSTM**: as a *sequence autoencoder*: read the text, then say it again from memory, with the same LSTM.
#
# The second looks like a new network. It is the language model, on the text written twice, where only the second time counts:
#
# | read | `<S>` | 她 | 打 | 球 | `<S>` | 她 | 打 | 球 |
# |---|---|---|---|---|---|---|---|---|
# | say | · | · | · | · | 她 | 打 | 球 | `</S>` |

# %% [markdown] key="dai" lang="zh" follows="82a500cc"
# ## 11 · 早两年：Dai 与 Le
#
# 有的文章说微调语言模型是 GPT 首创。其实 Dai 与 Le 在 2015 年就这样做了，用在分类上：LSTM 读完一篇文本，由最后的状态做判断。起点有两种：
#
# * **LM-LSTM**：从语言模型开始；
# * **SA-LSTM**：从*序列自编码器*开始：先读一遍，再凭记忆用同一个 LSTM 说一遍。
#
# 第二种看上去是个新网络，其实就是语言模型，只不过把文本写两遍，只算第二遍的损失：
#
# | 读 | `<S>` | 她 | 打 | 球 | `<S>` | 她 | 打 | 球 |
# |---|---|---|---|---|---|---|---|---|
# | 说 | · | · | · | · | 她 | 打 | 球 | `</S>` |

# %% key="dai-table"
tokens, targets = Lines([["她", "打", "球"]], CHINESE, twice=True).batch([0])
print(tokens.tolist(), targets.tolist())
BEGINS = {
    "TF-IDF": "TF-IDF",
    "no pre-training": t("LSTM, no pre-training", "LSTM，无预训练"),
    "language model": t("LSTM, from a language model", "LSTM，从语言模型开始"),
    "autoencoder": t("LSTM, from an autoencoder", "LSTM，从自编码器开始"),
    "language model, joint loss": t(
        "LSTM, from a language model, joint loss", "LSTM，从语言模型开始，联合损失"
    ),
}
dai_le = claims.card("dai-le").rows
if dai_le:
    spans = claims.over_seeds(dai_le, "accuracy", by=("model",))
    claims.show_table(
        [
            t("film review sentences, 500 labels", "影评单句（英文），500 条标注"),
            t("accuracy, %", "准确率（%）"),
        ],
        [
            (
                label,
                f"{100 * spans[(key,)].estimate:.1f} [{100 * spans[(key,)].low:.1f}, {100 * spans[(key,)].high:.1f}]",
            )
            for key, label in BEGINS.items()
        ],
    )
    count_seeds(dai_le)

# %% [markdown] key="dai-seen" lang="en"
# **What to see.** The paper (IMDb, error): no pre-training 13.50 %, language model 7.64 %, autoencoder 7.24 %. Our table has
# accuracies, on short sentences, with 500 labels; compare its rows with each other only. And look at TF-IDF.
#
# Here no LSTM is above TF-IDF (60.7 %), so that the table does not decide whether the paper is right; it would take what the paper had,
# 75,000 long reviews to read, where ours has read 5,000 sentences. Against no pre-training (60.7 %) the start from a language model is
# 2.2 points lower [0.1, 4.2], for the autoencoder (−1.4 [−3.2, 0.4]) it cannot be told, and the joint loss takes away
# another 5.5 [3.7, 7.2]. In the paper the joint loss was an autoencoder's (14.70 % error with it, 7.24 % without).

# %% [markdown] key="dai-seen" lang="zh" follows="6cc2ff6e"
# **看什么。** 论文（IMDb，错误率）：无预训练 13.50%，语言模型 7.64%，自编码器 7.24%。我们的表是准确率，短句，500 条标注；只能在表内互相比。也看看 TF-IDF。
#
# 在我们这里，没有一个 LSTM 超过 TF-IDF（60.7%），所以这张表判断不了论文对不对；要判断，得像论文那样读 75,000 篇长影评，我们的只读过 5,000 个句子。同无预训练（60.7%）比，从语言模型开始低 2.2 个百分点 [0.1, 4.2]，从自编码器开始（−1.4 [−3.2, 0.4]）看不出来；再加联合损失，又少 5.5 个 [3.7, 7.2]。论文加的是自编码器的损失（错误率 14.70%，不用它是 7.24%）。

# %% [markdown] key="rules" lang="en"
# ## 12 · Claims
#
# Four cards of thirteen. Read first which lines count: a grey line is a difference among translators of which neither is above what needs no
# network, and a claim that has only such lines was not tried. That is no verdict on the paper.
#
# More claims about this lesson, such as what the softmax and the residual connection are worth, whether fewer pairs mean a larger gain, and
# what Dai and Le found: the book's claims page, and `python -m course_lib claims list`.

# %% [markdown] key="rules" lang="zh" follows="179f8820"
# ## 12 · 几种说法
#
# 十三张卡片里的四张。先看哪几行算数：灰色的一行，是两个翻译器之差，而两个都没有超过不用网络的办法；一个说法要是只有这样的行，就等于没有测，这不是对论文的判断。
#
# 这一课还有别的说法，比如 softmax 和残差连接值多少，句对越少增益是不是越大，Dai 与 Le 的发现：见书中的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="cards-run" fold=true
for key in ("encoder-and-decoder", "joint-loss", "joint-loss-prevents", "beat-all"):
    claims.card(key).show(t)

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The probe of every lesson: does the vector of an ambiguous word in its sentence tell the sense? Here: the encoder's layers, after
# learning to translate. It has read a few thousand sentences of one small town in English, so many words of the probe
# are `<unk>` to it; the share is printed. Expect little. Translation as a teacher of senses at full size is CoVe
# (McCann et al. 2017), which ELMo was compared with.

# %% [markdown] key="scoreboard" lang="zh" follows="082cf3c4"
# ## 记分牌
#
# 每课都做的那个测试：多义词在句子里的向量，说得出义项吗？这里看学会翻译之后的编码器各层。它只读过一个小镇的几千句英文，测试句里有许多词对它都是 `<unk>`，比例印在下面。别抱多大指望。（编码器读的是英文，所以中文版这里也用英文测试句。）把翻译当作义项的老师、规模做足，就是 CoVe（McCann 等，2017），ELMo 曾拿它来比。

# %% key="scoreboard-row"
from course_lib.analysis import senses

annotated = data.senses("en")


@torch.no_grad()
def at_target(model):
    """Return each encoder layer's output at the ambiguous word: arrays (N, D)."""
    source = lay_out([ENGLISH.encode([BOS, *s.tokens]) for s in annotated], PAD)
    layers = model.eval().encode(source).layers
    place = torch.tensor([s.target_index + 1 for s in annotated])
    return [h[torch.arange(len(h)), place].numpy() for h in layers]


board = {}
for depth, vectors in enumerate(at_target(translators["full"])):
    name = t(
        f"translator's encoder, LSTM {depth + 1}", f"翻译器的编码器，LSTM {depth + 1}"
    )
    board[name] = senses.macro(senses.by_word(vectors, annotated))
display(HTML(claims.sense_table(board, t)))
words = [word for sentence in annotated for word in sentence.tokens]
print(t("words it does not know:", "它不认识的词："),
      f"{np.mean([word not in ENGLISH for word in words]):.0%}")  # fmt: skip

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "12")

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** Three source words have the states (1, 0), (0, 1), (1, 1); the query is (2, 0).
# The third place turns out to be padding. What are the weights?
#
# <details><summary>A. 0.47, 0.06, 0</summary>
#
# Not quite: the weight was set to 0 after the softmax. The rest adds up to 0.53, and
# the context shrinks with it.
#
# </details>
#
# <details><summary>B. 0.88, 0.12, 0</summary>
#
# Right. The score of the padding is −∞ before the softmax; the other two share
# everything: e² against e⁰.
#
# </details>
#
# <details><summary>C. 0.50, 0.50, 0</summary>
#
# Not quite: the weight is not shared out evenly. The scores are still 2 and 0.
#
# </details>
#
# ---
#
# **2.** In a decoder with the residual connection W_o is set to 0. What does it
# predict?
#
# <details><summary>A. Every word alike: nothing is left for the softmax.</summary>
#
# Not quite: that is the decoder *without* the residual.
#
# </details>
#
# <details><summary>B. Something random: the second LSTM has not been trained.</summary>
#
# Not quite: its output, and the context, go through W_o. Nothing of them arrives.
#
# </details>
#
# <details><summary>C. Exactly what the target language model predicts.</summary>
#
# Right. The first layer goes straight up to the softmax that it was trained with. So
# training begins from a language model that can write, instead of from noise.
#
# </details>
#
# ---
#
# **3.** The paper's ablation: only the decoder pre-trained −1.0 BLEU, only the encoder
# −1.6, neither −2.0, measured from the full model. What do these rows say?
#
# <details><summary>A. The encoder matters more: it has the larger number.</summary>
#
# Not quite: the −1.6 is what is lost when only the encoder *has* been pre-trained, that
# is, when the decoder is missing.
#
# </details>
#
# <details><summary>B. They contradict each other: 1.0 and 1.6 add up to more than
# 2.0.</summary>
#
# Not quite: losses from the top need not add up. Start from below.
#
# </details>
#
# <details><summary>C. From the bottom up: decoder 1.0, encoder 0.4, both 2.0.</summary>
#
# Right. More than the sum. The parts help each other, so no one number is "the effect
# of the encoder".
#
# </details>
#
# ---
#
# **4.** "Ramachandran et al. beat the strongest systems in translation and in
# summarisation." What is true?
#
# <details><summary>A. In translation; in summarisation it was a draw.</summary>
#
# Right. By 1.3 BLEU in translation. In summarisation ROUGE was 32.56 / 11.89 / 29.44
# against 32.49 / 11.84 / 29.47. People preferred its summaries, which is another
# measurement.
#
# </details>
#
# <details><summary>B. Both: 32.56 is more than 32.49.</summary>
#
# Not quite: by 0.07 ROUGE, without an interval. That is a draw.
#
# </details>
#
# <details><summary>C. Neither: they compared only with their own baseline.</summary>
#
# Not quite: in translation they also name the best earlier result, and are above it.
#
# </details>
#
# ---
#
# **5.** Without the joint loss the language models inside the translator get worse
# while it learns to translate. What does that show?
#
# <details><summary>A. That the translator gets worse, too.</summary>
#
# Not quite: perhaps. But perplexity and BLEU are two measurements, and the papers
# disagree: for Dai and Le the joint training hurt.
#
# </details>
#
# <details><summary>B. That they forget, and no more.</summary>
#
# Right. Whether it costs BLEU has to be measured. In our ablation, without the joint
# loss BLEU is 7 points *higher* on Rivertown.
#
# </details>
#
# <details><summary>C. That the joint loss should always be used.</summary>
#
# Not quite: GPT's auxiliary loss did not help on average. It is an idea, not a law.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="3424ccd7"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 三个源词的状态是 (1, 0)、(0, 1)、(1, 1)，查询是 (2, 0)。第三个位置其实是填充。权重应该是多少？
#
# <details><summary>A. 0.88、0.12、0</summary>
#
# 对。填充的分数在 softmax 之前设成 −∞，剩下两个分掉全部：e² 对 e⁰。
#
# </details>
#
# <details><summary>B. 0.47、0.06、0</summary>
#
# 再想想：这是等 softmax 之后才把权重改成 0。加起来只有 0.53，上下文向量也跟着缩水。
#
# </details>
#
# <details><summary>C. 0.50、0.50、0</summary>
#
# 再想想：份额不是平分的，另外两个的分数仍是 2 和 0。
#
# </details>
#
# ---
#
# **2.** 带残差连接的解码器，把 $W_o$ 设成 0，它会预测什么？
#
# <details><summary>A. 和目标语言的语言模型分毫不差。</summary>
#
# 对。第一层直接接到当初一起训练的 softmax 上。训练从一个会写句子的语言模型起步，而不是从噪声起步。
#
# </details>
#
# <details><summary>B. 所有词一样可能，因为什么也没传上去。</summary>
#
# 再想想：那是*没有*残差的情形。
#
# </details>
#
# <details><summary>C. 乱猜，因为第二层 LSTM 没训练过。</summary>
#
# 再想想：第二层的输出和上下文都要经过 $W_o$，一点也传不过来。
#
# </details>
#
# ---
#
# **3.** 正确译文是“她打了电话。”，系统写的是“她打电话了。”。按*字*切，系统的五对相邻字里，有几对在正确译文里？
#
# <details><summary>A. 1 对</summary>
#
# 再想想：这是按词切的算法：“她 打 电话 了 。”只有“她 打”对得上。
#
# </details>
#
# <details><summary>B. 2 对</summary>
#
# 对。“她打”和“电话”。同一句译文，按字比按词得分高，所以切法不同的 BLEU 不能比。
#
# </details>
#
# <details><summary>C. 5 对</summary>
#
# 再想想：单个的字确实都在。相邻的两个字就看得出次序错了。
#
# </details>
#
# ---
#
# **4.** 论文的消融（与完整模型之差）：只预训练解码器 −1.0，只预训练编码器 −1.6，都不预训练 −2.0。怎么读？
#
# <details><summary>A. 编码器更要紧，它的数字大。</summary>
#
# 再想想：−1.6 是*只有*编码器预训练过时少的分，缺的是解码器。
#
# </details>
#
# <details><summary>B. 解码器带来 1.0，编码器 0.4，一起 2.0。</summary>
#
# 对。从“都不预训练”往上数。比相加还多，两边互相帮忙。所以没有哪一个数能叫作“编码器的作用”。
#
# </details>
#
# <details><summary>C. 自相矛盾，1.0 加 1.6 超过了 2.0。</summary>
#
# 再想想：从完整模型往下减，本来就不必刚好加得起来。换个方向，从底下往上数。
#
# </details>
#
# ---
#
# **5.** “Ramachandran 等在翻译和摘要上都胜过当时最强的系统。”实际情形是？
#
# <details><summary>A. 都胜过了，摘要的 ROUGE 是 32.56，高于 32.49。</summary>
#
# 再想想：差 0.07，又没有区间，只能算打平。
#
# </details>
#
# <details><summary>B. 都没胜过，他们只跟自己的基线比。</summary>
#
# 再想想：翻译上也跟此前最好的结果比了，并且超过了。
#
# </details>
#
# <details><summary>C. 翻译高出 1.3 BLEU；摘要的 ROUGE 只是打平。</summary>
#
# 对。32.56 / 11.89 / 29.44 对 32.49 / 11.84 / 29.47。人工评价更好，那是另一种测量。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>1. Somebody multiplies the attention weights by the mask after the softmax. What goes wrong?</summary>
# The weights of a short sentence no longer add up to 1, and how much is missing depends on the other sentences of the
# batch: the same pair gives another result in another batch.
# </details>
#
# <details><summary>2. You copy the decoder's LSTM, but not its softmax. Is half of the gain left?</summary>
# Not necessarily. The states mean what the old softmax could read. A random softmax has to learn to read them, and sends them random
# gradients meanwhile. In the paper four fifths of the gain were gone (1.6 of 2.0 BLEU).
# </details>
#
# <details><summary>3. "No pre-training" reads the untranslated text as well. Why is it still a fair row?</summary>
# It answers one question: does it matter to read it *beforehand*? For the question "what is untranslated text
# worth?" the right row is "neither".
# </details>
#
# <details><summary>4. A system's BLEU is 35 by word and 42 by character. Which one do you report?</summary>
# The one that those use with whom you compare, with the version and the cutting that sacrebleu prints. For Chinese, characters:
# they do not depend on a segmenter.
# </details>
#
# <details><summary>5. Back-translation (Sennrich et al. 2016) uses untranslated text as well. How is it different?</summary>
# It makes pairs: a backward translator writes sources for untranslated targets, and the translator is trained on them. It needs no
# language model, but a translator; the two can be combined.
# </details>

# %% [markdown] key="questions" lang="zh" follows="ba65def6"
# ## 检查一下自己
#
# <details><summary>1. 有人在 softmax 之后才用掩码去乘注意力权重。会出什么问题？</summary>
# 短句的权重加起来不到 1，缺多少还要看同一批里别的句子：同一对句子，换一批就是另一个结果。
# </details>
#
# <details><summary>2. 只复制解码器的 LSTM，不复制它的 softmax。增益还剩一半吗？</summary>
# 不一定。状态的含义，是原来的 softmax 才读得懂的。随机的 softmax 得重新学着读，这期间还不断传下随机的梯度。论文里，增益去掉了五分之四（2.0 个 BLEU 里的 1.6 个）。
# </details>
#
# <details><summary>3. “无预训练”也读了没有翻译的文本。它为什么还算公平的一行？</summary>
# 因为它回答了一个问题：*提前*读要不要紧？要问“没有翻译的文本值多少”，该看“两样都没有”那一行。
# </details>
#
# <details><summary>4. 一个系统按词算 BLEU 是 35，按字算是 42。报哪一个？</summary>
# 跟谁比，就用谁的切法，并写上 sacrebleu 印出的版本和切法。中文应当按字：不依赖分词器。
# </details>
#
# <details><summary>5. 回译（Sennrich 等，2016）也用没有翻译的文本。有什么不同？</summary>
# 它*造出*句对：让一个反方向的翻译器给没有翻译的目标句写出源句，再拿这些句对来训练。它要的不是语言模型，而是一个翻译器；两种办法可以合用。
# </details>

# %% [markdown] key="reading" lang="en"
# ## What to read next
#
# * Ramachandran, Liu and Le (2017): sections 2 and 3; the ablation pictures, and the human evaluation of summaries.
# * Dai and Le (2015): section 2 and table 2.
# * Bahdanau, Cho and Bengio (2015): attention; Luong, Pham and Manning (2015): the scalar product.
# * Post (2018), *A call for clarity in reporting BLEU scores*: why there is sacrebleu.
# * Sennrich, Haddow and Birch (2016): back-translation. McCann et al. (2017): CoVe, the other direction.
# * Lesson 13 throws the encoder away: GPT. The exercises: `exercises/12_seq2seq`.

# %% [markdown] key="reading" lang="zh" follows="dbb19eeb"
# ## 接下来读什么
#
# * Ramachandran、Liu 与 Le（2017）：第 2、3 节；消融图，以及摘要的人工评价。
# * Dai 与 Le（2015）：第 2 节和表 2。
# * Bahdanau、Cho 与 Bengio（2015）：注意力；Luong、Pham 与 Manning（2015）：内积。
# * Post（2018），*A call for clarity in reporting BLEU scores*：为什么会有 sacrebleu。
# * Sennrich、Haddow 与 Birch（2016）：回译。McCann 等（2017）：CoVe，反过来用翻译做预训练。
# * 第 13 课干脆不要编码器：GPT。练习：`exercises/12_seq2seq`。
