# %% [markdown] key="title" lang="en"
# # 07 · Mixing ELMo's layers, and plugging the mix in
#
# After this lesson you can
#
# * compute ELMo's weighted sum of layers by hand, and say what each symbol is for;
# * explain why learned weights mislead when the layers' vectors differ in norm, and what $\gamma$ does;
# * say what the penalty $\lambda$ does to the weights;
# * plug a frozen biLM into a task, at the input or at the output, beside baselines that are fair.
#
# Running time, measured on two cores: under three minutes (quick profile: half of one).
# The paper: Peters et al., *Deep contextualized word representations*, NAACL 2018,
# sections 3.2 to 5.2.

# %% [markdown] key="title" lang="zh" follows="a10fe543"
# # 07 · ELMo 各层怎样混合，又怎样接进任务
#
# 学完本课，你能够
#
# * 手算 ELMo 的各层加权和，说清每个符号的作用；
# * 解释各层向量模长不同时，学到的权重为何会误导人，以及 $\gamma$ 起什么作用；
# * 说明惩罚项 $\lambda$ 会把权重推向哪里；
# * 把冻结的双向语言模型接到任务的输入端或输出端，并与公平的基线比较。
#
# 在双核电脑上实测不到三分钟（精简规模约半分钟）。论文：Peters 等，*Deep contextualized word representations*，NAACL 2018，第 3.2 至 5.2 节。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import sys
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_claims.experiments import mixing
from course_lib import data
from course_lib.models.elmo import ScalarMix
from course_lib.training import plug_in

_ = torch.manual_seed(7)
encoder = course_lib.load(f"elmo-{t.language}")

# %% [markdown] key="by-hand" lang="en"
# ## 1 · One mix, worked by hand
#
# The biLM of lesson 06 gives a word not one vector but a stack of them: layer 0 sees
# nothing but the spelling, layers 1 and 2 have read the sentence. A task's model wants *one* vector per word.
# Which layer should it take? ELMo's answer is the **scalar mix**: the task learns how much of
# each layer it wants.
#
# Say the three layers of a word are $(2, 0)$, $(0, 2)$ and $(4, 4)$, two numbers each. The
# task holds one weight per layer, $w = (0, 1.1, 0.4)$. A softmax turns the weights into shares
# that are positive and add up to 1: about $(0.18, 0.55, 0.27)$. The mix is
# $0.18\,(2, 0) + 0.55\,(0, 2) + 0.27\,(4, 4) \approx (1.45, 2.18)$. One more number, $\gamma$,
# scales the result: with $\gamma = 0.5$ the word's vector is $(0.72, 1.09)$. In the
# paper's symbols (equation 1), for word $k$ of a sentence:
#
# $$\mathrm{ELMo}_k^{task} = \gamma^{task} \sum_{j=0}^{L} s_j^{task}\, h_{k,j}^{LM},
#   \qquad s^{task} = \mathrm{softmax}(w^{task}).$$
#
# Layer $h_{k,0}$ is the token layer, $x_k$ written twice, and it is *inside* the sum. Whatever carries
# the index *task* is learned with the task: $L + 1$ weights and $\gamma$, four numbers here. The
# biLM below is **frozen**: its parameters do not change, and it serves as a **feature extractor**.
#
# Can a mix be better than the top layer alone? Before a task has learned anything, all shares are a third. On the sentences of
# lesson 06, read with both cures, this plain mean names 0.917 of the English senses by the nearest centroid, and layer 2 alone 0.897,
# a gain of 2.0 points [0.9, 3.2]. In Chinese (0.860 and 0.862) the two cannot be told apart.
#
# ![Five steps, one after the other. On the left in grey the frozen biLM with its layers 0 to L = 2, which look at a word; each layer lays its forward and backward half end to end, 512 numbers; each is multiplied by its share s, the softmax of learned weights w; their sum times γ is the ELMo vector, which is laid beside the word vector and read by the task’s model. The weights, γ and the task’s model are green, for they are learned.](drawing:scalar_mix)

# %% [markdown] key="by-hand" lang="zh" follows="595c9754"
# ## 1 · 先手算一次混合
#
# 第 06 课的双向语言模型为每个词给出的不是一个向量，而是一组向量：第 0 层只看词的写法，第 1、2 层读过整句。任务的模型却只需要每个词*一个*向量，那么该取哪一层？ELMo 的做法叫**标量混合**（scalar mix）：让任务自己学习每一层各取多少。
#
# 假设某个词的三层分别是 $(2, 0)$、$(0, 2)$、$(4, 4)$，每层只有两个数。任务为每层存一个权重，$w = (0, 1.1, 0.4)$，softmax 把它们变成三个正的、总和为 1 的份额，约为 $(0.18, 0.55, 0.27)$。混合的结果就是 $0.18\,(2, 0) + 0.55\,(0, 2) + 0.27\,(4, 4) \approx (1.45, 2.18)$。另有一个数 $\gamma$ 负责整体缩放，若 $\gamma = 0.5$，这个词的向量就是 $(0.72, 1.09)$。用论文的记号写出来（式 1），对句中第 $k$ 个词有
#
# $$\mathrm{ELMo}_k^{task} = \gamma^{task} \sum_{j=0}^{L} s_j^{task}\, h_{k,j}^{LM},
#   \qquad s^{task} = \mathrm{softmax}(w^{task})$$
#
# 其中 $h_{k,0}$ 是词层，由两个并排的 $x_k$ 组成，它也在求和号*里面*。带上标 *task* 的量都随任务一起学习，即 $L + 1$ 个权重和一个 $\gamma$，在这里一共四个数。下面的双向语言模型则是**冻结**的，参数保持不变，只充当**特征提取器**。
#
# 混合真能胜过单用最高一层吗？任务还什么都没学的时候，各层份额都是三分之一。在第 06 课的例句上，两个办法都用上，这个简单平均用最近质心答对 0.860 的中文义项，单用第 2 层是 0.862，两者分不出高下；英文是 0.917 对 0.897，高 2.0 个点 [0.9, 3.2]。
#
# ![分五步依次出现。左边灰色的是冻结的双向语言模型，第 0 到 L = 2 层都来看一个词；每层把前向、后向两半首尾相接，共 512 个数；各层分别乘上份额 s（权重 w 的 softmax），加起来再乘 γ，就是 ELMo 向量，它和词向量摆在一起，交给任务的模型；权重、γ 和任务的模型是绿色的，都要学。](drawing:scalar_mix)

# %% key="by-hand-run"
mix = ScalarMix(3)
mix.w.data = torch.tensor([0.0, 1.1, 0.4])
mix.gamma.data = torch.tensor(0.5)
three = torch.tensor([[2.0, 0.0], [0.0, 2.0], [4.0, 4.0]])[:, None, None]  # (3, 1, 1, 2)
print("s =", mix.weights.detach().numpy().round(2))
print("ELMo =", mix(three).detach().numpy().round(2)[0, 0])
course_lib.source(ScalarMix)

# %% [markdown] key="corners" lang="en"
# Two things follow from the formula, and the next cell checks both on a real sentence. Before training
# $w = 0$, so an untrained mix is the plain *mean* of the layers. And one very large weight
# shuts the other layers out, so "last layer only" is a special case of the mix.

# %% [markdown] key="corners" lang="zh" follows="2105bac0"
# 从公式可以推出两点，下一格用真实的句子验证。训练之前 $w = 0$，所以未经训练的混合就是各层的*平均*；如果某个权重非常大，其他层就不起作用了，可见“只用最后一层”是混合的一个特例。

# %% key="corners-check"
sentence = t("She sat on the bank and watched the river .", "树上 的 苹果 又 红 又 甜 。").split()
[layers] = encoder.encode([sentence])  # (L+1, T, 2P)
batch = torch.from_numpy(layers)[:, None]  # (L+1, 1, T, 2P)
fresh, corner = ScalarMix(3), ScalarMix(3)
corner.w.data = torch.tensor([0.0, 0.0, 99.0])
with torch.no_grad():
    for name, made, wanted in (
        (t("untrained = mean of the layers:", "没训练过 = 各层平均："), fresh, batch.mean(0)),
        (t("one large weight = that layer: ", "一个权重很大 = 那一层："), corner, batch[2]),
    ):
        print(name, torch.allclose(made(batch), wanted, atol=1e-5))

# %% [markdown] key="lengths" lang="en"
# ## 2 · Layers of different norms: why $\gamma$, and what the weights hide
#
# If a layer's share is one third, does it contribute one third of the mix? Only if the vectors of all layers are
# equally long. The **norm** (length) of the vectors can be measured, layer by layer, over real sentences.

# %% [markdown] key="lengths" lang="zh" follows="08806241"
# ## 2 · 各层模长不同：$\gamma$ 的用处，以及权重掩盖了什么
#
# 一层的份额是三分之一，它在混合里的分量就是三分之一吗？只有各层向量的**模长**相同，这句话才成立。我们用真实的句子逐层测量模长。

# %% key="lengths-picture" fold=true
annotated = data.senses(t.language)
sample = [s.tokens for s in annotated[:: course_lib.by_profile(full=4, quick=20)]]
words = np.concatenate(encoder.encode(sample), axis=1)  # (L+1, N, 2P)
length = np.linalg.norm(words, axis=2)  # (L+1, N)
normed = words - words.mean(axis=(1, 2), keepdims=True)
normed /= words.std(axis=(1, 2), keepdims=True)
pull = {
    t("as they are", "原样"): length.mean(1),
    t("after layer norm", "层归一化之后"): np.linalg.norm(normed, axis=2).mean(1),
}
names = [t(f"layer {k}", f"第 {k} 层") for k in range(3)]
colours = [f"C{k}" for k in range(3)]  # of the layers, in all figures of this lesson
figure, axes = plt.subplots(1, 2, figsize=(8.2, 3.2), layout="constrained")
boxes = axes[0].boxplot(length.T, tick_labels=names, showfliers=False, patch_artist=True,
                        medianprops={"color": "black"})  # fmt: skip
for box, colour in zip(boxes["boxes"], colours, strict=True):
    box.set_facecolor(colour)
axes[0].set_ylabel(t("norm of a word's vector", "词向量的模长"))
for row, amounts in enumerate(pull.values()):
    left = 0.0
    for k, part in enumerate(amounts / amounts.sum()):
        axes[1].barh(row, part, left=left, color=colours[k], label=names[k] if row == 0 else None)
        axes[1].text(left + part / 2, row, f"{part:.0%}", ha="center", va="center", color="white")
        left += part
axes[1].set_yticks([0, 1], list(pull))
axes[1].invert_yaxis()
axes[1].set_xlabel(t("part of the sum of norms, all s = 1/3", "占模长之和的比例（s 都是 1/3）"))
axes[1].legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Left: norms of the vectors of the three layers, layer 0 the largest. Right: each layer's "
        "part of the sum of norms with equal weights, unequal as they are, equal after layer norm.",
        "左：三层向量的模长分布，第 0 层最大。右：权重相等时各层占模长之和的比例，原样不等，层归一化之后相等。",
    ),
)
static = course_lib.load(f"static-{t.language}")
print(t("norm of the static vectors, mean:", "静态词向量的平均模长："),
      f"{np.linalg.norm(static.vectors, axis=1).mean():.1f}")  # fmt: skip

# %% [markdown] key="lengths-seen" lang="en"
# On average layer 0 has the longest vectors. With three equal shares it makes up more than half of the sum of norms, and
# layer 1 about a sixth. So a small learned $s_0$ may only say that layer 0 is long: read
# learned weights beside the norms that they multiply. There are two remedies.
#
# * **Layer normalisation** before the mix (`do_layer_norm`) gives each layer mean 0 and variance 1,
#   over *all* words of the batch together, padding left out. Then shares
#   can be compared. The price is that a word's vector depends on its batch. The paper says that it
#   helped in some cases; it is off by default.
# * $\gamma$ treats all layers alike, but it sets how long the mix is beside the vectors that it
#   is joined to. The biLM's layers were trained to predict words, not for your task. Without
#   $\gamma$, the authors report in their supplement, the last layer alone fell *below* the
#   baseline on SNLI, and training failed altogether on SRL.

# %% [markdown] key="lengths-seen" lang="zh" follows="8a3d4c19"
# 平均来看，第 0 层的向量最长。三层份额相等时，它占模长之和的一半以上，第 1 层只占六分之一左右。因此学到的 $s_0$ 较小，也许只说明第 0 层的向量长。看权重时，必须同时看它所乘向量的模长。补救的办法有两个。
#
# * 混合之前先做**层归一化**（`do_layer_norm`）：让每一层的均值为 0、方差为 1，统计时把这一批里*所有*的词放在一起，填充除外。这样份额之间才可比，代价是一个词的向量会随同批的句子而变。论文说它在有些情况下有帮助，默认则是关闭的。
# * $\gamma$ 对各层一视同仁，但它决定混合后向量的模长，使其量级与任务的其他输入相当。双向语言模型的各层是为预测词而训练的，并不是为你的任务。作者在附录里报告，不用 $\gamma$ 时，只取最后一层在 SNLI 上*低于*基线，在 SRL 上则完全训练不起来。

# %% [markdown] key="penalty" lang="en"
# ## 3 · λ: how far may the weights go?
#
# The paper adds $\lambda \lVert w \rVert_2^2$ to the task's loss, an **L2 penalty**. It acts on $w$, not
# on $s$, and it is smallest at $w = 0$, which is the mean of the layers. A large $\lambda$
# therefore keeps the mix near the average, and a small one leaves the weights free. The paper used 1 and 0.001.
#
# A toy task shows it. Suppose that the loss falls by 0.3 for all of layer 0, by 1 for layer 1 and
# by 0.8 for layer 2: loss $= -(0.3\,s_0 + 1\,s_1 + 0.8\,s_2) + \lambda\lVert w\rVert^2$. The cell
# minimises it for 26 values of $\lambda$ at once. Before you look: what are the shares at the far left and at the far right?

# %% [markdown] key="penalty" lang="zh" follows="75b2feaf"
# ## 3 · λ：权重可以走多远
#
# 论文在任务的损失上加了一项 $\lambda \lVert w \rVert_2^2$，即 **L2 惩罚项**。它作用于 $w$ 而不是 $s$，在 $w = 0$ 处最小，也就是各层平均的地方。因此 $\lambda$ 大，混合就被拉向平均；$\lambda$ 小，权重就比较自由。论文用过 1 和 0.001。
#
# 用一个玩具任务来看。假设全用第 0 层能使损失降低 0.3，全用第 1 层降低 1，全用第 2 层降低 0.8，那么损失等于 $-(0.3\,s_0 + 1\,s_1 + 0.8\,s_2) + \lambda\lVert w\rVert^2$。下一格对 26 个 $\lambda$ 同时求最小值。看图之前先猜一猜，最左端和最右端的份额各是多少。

# %% key="penalty-picture" fold=true
strengths = torch.logspace(-4, 1, 26)
w = torch.zeros(26, 3, requires_grad=True)
worth = torch.tensor([0.3, 1.0, 0.8])
optimizer = torch.optim.Adam([w], lr=0.05)
for _ in tqdm(range(800), unit=t(" steps", " 步"), file=sys.stdout):
    optimizer.zero_grad()
    loss = -(w.softmax(1) @ worth) + strengths * w.square().sum(1)
    loss.sum().backward()
    optimizer.step()
figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
for k, name in enumerate(names):
    ax.plot(strengths, w.softmax(1)[:, k].detach(), "o-", ms=3, color=colours[k], label=name)
ax.axhline(1 / 3, color="gray", lw=0.8, ls=":")
for strength in (0.001, 1):
    ax.axvline(strength, color="gray", lw=0.8, ls="--")
ax.set_xscale("log")
ax.set_xlabel("λ")
ax.set_ylabel(t("share $s_j$ at the minimum", "最小值处的份额 $s_j$"))
ax.legend(fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Shares of three layers against lambda: one layer takes nearly all at small lambda, "
        "all have a third at large lambda.",
        "三层的份额随 λ 的变化：λ 小时一层几乎独占，λ 大时各占三分之一。",
    ),
)

# %% [markdown] key="penalty-seen" lang="en"
# On the right the three curves meet at one third; at $\lambda = 1$ (dashed) they
# are already close to it. On the left layer 1 takes nearly everything. In a real task the weights stop short
# of that for another reason as well: training ends. With Adam a weight moves by about one
# learning rate per step, so what is "learned" in a few hundred steps depends on the rate.
# (Here $w$ has five times the learning rate of the other parameters.)
#
# <details><summary>In AllenNLP</summary>
#
# Its `Elmo` module has no $\lambda$. One asks for it in the configuration, as an L2 penalty on these
# parameters; its own named-entity tagger has 0.1, its semantic role labeller 0.001.
#
# </details>

# %% [markdown] key="penalty-seen" lang="zh" follows="f9464e2c"
# 最右端三条曲线汇合在三分之一处，在 $\lambda = 1$（虚线）处已经很接近；最左端几乎由第 1 层独占。真实任务里的权重走不到那么远，还有一个原因是训练会结束。使用 Adam 时，一个参数每步大约移动一个学习率，只训练几百步，“学到”多少就取决于学习率。（本课让 $w$ 的学习率为其他参数的五倍。）
#
# <details><summary>AllenNLP 里的做法</summary>
#
# 它的 `Elmo` 模块没有 $\lambda$，要在配置里给这几个参数加一项 L2 惩罚。它自己的命名实体配置用 0.1，语义角色标注用 0.001。
#
# </details>

# %% [markdown] key="frozen" lang="en"
# ## 4 · Plugging it in
#
# **Frozen, and computed once.** A frozen biLM gives a sentence the same layers in every epoch, so there is
# no need to compute them again in every epoch. `features` computes them once and keeps them on the disk in half precision;
# the file's name is a hash of the weights and the words, so that another checkpoint or another
# sentence is never mistaken for this one.

# %% [markdown] key="frozen" lang="zh" follows="15751f45"
# ## 4 · 接进任务
#
# **冻结的特征只算一次。** 双向语言模型冻结之后，同一句话在每一轮得到的各层都一样，不必每轮重算。`features` 只算一次，以半精度存到磁盘；文件名是权重和词的哈希值，换了模型或者换了句子，都不会误用旧文件。

# %% key="frozen-run"
from course_lib.training.features import features

full = course_lib.by_profile(full=True, quick=False)
tasks = [
    name if full and data.at_hand(name) else mixing.TOWN.get(name, name)
    for name in mixing.TASKS[t.language][:2]
]
sizes = course_lib.by_profile(full=plug_in.FULL, quick=plug_in.SMALL)
task = plug_in.prepare(tasks[0], sizes)
some = [texts[0].words for texts in task.readings["train"][:300]]
with tempfile.TemporaryDirectory() as folder:
    seconds = []
    for _ in tqdm(range(2), unit=t(" epochs", " 轮"), file=sys.stdout):
        began = time.perf_counter()
        stored = features(encoder, some, folder)
        total = sum(float(layers.sum(dtype=np.float32)) for layers in stored)  # read all
        seconds.append(time.perf_counter() - began)
    megabytes = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
n_words = sum(map(len, some))
print(task.name, len(some), t("sentences,", "句，"), n_words, t("words,", "词，"), f"{megabytes:.0f} MB")
print(t("computed:", "计算："), f"{seconds[0]:.2f} s", t("  read back:", "  读回："), f"{seconds[1]:.2f} s")
epochs = sizes.rounds
print(t(f"saved in {epochs} epochs:", f"训练 {epochs} 轮省下："),
      f"{epochs * seconds[0] - seconds[0] - (epochs - 1) * seconds[1]:.1f} s",
      t(f"of {epochs * seconds[0]:.1f} s", f"（原需 {epochs * seconds[0]:.1f} s）"))  # fmt: skip

# %% [markdown] key="frozen-seen" lang="en"
# Reading the file costs a small part of computing, and every further epoch, seed
# and variant is free. The price is space: $(L+1) \cdot 2P$ half-precision numbers per
# word, here 3 kB. It holds only as long as nothing below the mix is trained: one step of
# fine-tuning, or dropout *inside* the biLM, and the file is worthless.

# %% [markdown] key="frozen-seen" lang="zh" follows="9653f016"
# 读文件的时间只是重算的一小部分，以后每多一轮、多一个种子、多一种做法，都不用再算。代价是磁盘空间，每个词要存 $(L+1) \cdot 2P$ 个半精度数，这里是 3 kB。前提是混合以下的部分一概不训练：只要微调一步，或者在双向语言模型*内部*使用 dropout，这个文件就作废了。

# %% [markdown] key="plug" lang="en"
# **The task's model** is what was common in 2018: word vectors, a bidirectional LSTM, an
# output layer. A tagger scores each word; a text classifier takes the largest value of each dimension
# over the words (**max pooling**); for a pair of texts, both are read and compared as in lesson 04. ELMo's mix is
# **concatenated** with the word vectors, and nothing else changes.
#
# A comparison is only as good as its baselines. These are ours:
#
# * **baseline**: no ELMo, but static vectors, and learned *marks* of spelling:
#   the word, its last letters, its shape. Without them, part of ELMo's gain would be that it
#   can spell. The text of the static vectors has 16 million tokens, that of `elmo-en` 22 million (`elmo-zh`:
#   5.5 and 19.5), so a part of the gain may come from more text.
# * **token layer**: ELMo's layer 0 alone. It sees the spelling and no context. Pre-training has taught it to
#   spell skip-gram vectors of the biLM's text, so it can also bring what such vectors know.
# * **top layer**: what TagLM used (lesson 05).
# * **uniform mix**: the mean, with $\gamma$. **Learned mix**: all four numbers.
#
# All get the same 500 labelled examples, the same number of epochs and the same 200 examples to
# choose the best epoch with (the **development set**). One departure from the paper: $\gamma$ begins at 0.2, not at 1,
# because our layers are several times as long as the word vectors beside them (section 2).

# %% [markdown] key="plug" lang="zh" follows="a2d21de7"
# **任务的模型**是 2018 年常见的样子，由词向量、双向 LSTM 和输出层组成。标注任务为每个词打分；文本分类对每一维取全句的最大值（**最大池化**）；文本对任务把两段文本各读一遍，再按第 04 课的办法比较。ELMo 的混合与词向量**拼接**在一起，其余一概不变。
#
# 比较有没有价值，取决于基线是否公平。我们比较以下几种做法：
#
# * **基线**：没有 ELMo，但有静态词向量，还有从零学起的*写法特征*，即这个词（字）本身、末尾几个字、字母大小写和数字的式样，以及是不是词的开头。中文实体按字标注，一个字使用它所在的词的向量。静态词向量的语料有 550 万词，`elmo-zh` 的有 1950 万（`elmo-en` 是 1600 万和 2200 万），所以提升里可能有一部分来自更多的文本。
# * **词层**：只用 ELMo 的第 0 层。它只看写法，没有读过上下文。预训练时教过它由写法拼出 skip-gram 词向量（用的是双向语言模型的语料），所以它也可能带来这种词向量里的知识。
# * **顶层**：TagLM 的用法（第 05 课）。
# * **平均混合**：各层平均，再乘 $\gamma$。**学习混合**：四个数都学。
#
# 各种做法使用同样的 500 条标注、同样的训练轮数，并用同样的 200 条（**开发集**）挑选最好的一轮。MSRA 和外卖评论的文本，静态向量和双向语言模型在预训练时大都读过，测试部分也在内，只是没见过标签。有一处与论文不同：$\gamma$ 从 0.2 而不是 1 开始，因为我们这几层的模长是旁边词向量的好几倍（第 2 节）。

# %% key="plug-code"
from course_lib.models.plugged import Plugged

course_lib.source(Plugged)

# %% key="plug-live"
WAYS = {
    "baseline": t("baseline", "基线"),
    "token layer": t("token layer", "词层"),
    "top layer": t("top layer", "顶层"),
    "uniform mix": t("uniform mix", "平均混合"),
    "learned mix": t("learned mix", "学习混合"),
}
TITLES = {
    "conll2000": t("chunks, CoNLL-2000", "英文组块 CoNLL-2000"),
    "sentence_polarity": t("film reviews", "英文影评褒贬"),
    "rte": t("entailment, RTE", "英文文本蕴含 RTE"),
    "msra": t("entities, MSRA (zh)", "实体，MSRA"),
    "waimai": t("food delivery (zh)", "外卖评论褒贬"),
    "rivertown-zh-questions": t("questions, Rivertown (zh)", "问答，河湾镇"),
    "rivertown-en-chunks": t("chunks, Rivertown", "英文组块，河湾镇"),
    "rivertown-en-sentiment": t("reviews, Rivertown", "英文评论，河湾镇"),
    "rivertown-zh-entities": t("entities, Rivertown (zh)", "实体，河湾镇"),
    "rivertown-zh-sentiment": t("reviews, Rivertown (zh)", "评论褒贬，河湾镇"),
}
live, models, began = {}, {}, time.perf_counter()
for name in tasks:
    made = plug_in.loaded(name, sizes)
    ways = course_lib.by_profile(full=WAYS, quick=("baseline", "learned mix"))
    for way in tqdm(ways, desc=TITLES[name], unit=t(" ways", " 种"), file=sys.stdout):
        models[name, way], live[name, way] = plug_in.learn(made, plug_in.WAYS[way], 0, sizes)
    score = "F1" if made.task.kind == "tagging" else t("accuracy", "准确率")
    for way in ways:
        print(f"{TITLES[name]:24} {WAYS[way]:12} {score} {100 * live[name, way]:.1f}")
print(t("seconds:", "秒数："), round(time.perf_counter() - began))
for name in tasks:
    mix = models[name, "learned mix"].mixes["input"]
    print(TITLES[name], "s =", mix.weights.detach().numpy().round(2), "γ =", round(mix.gamma.item(), 2))

# %% [markdown] key="plug-seen" lang="en"
# This is one seed, so only large differences mean something. (In the quick profile there are too few examples to see
# anything.) Three steps are worth comparing: token layer minus baseline is what the word alone says, top layer minus token
# layer is context, and a mix minus the top layer is what the other layers add.
#
# Now with several seeds, on more tasks. A seed draws the 500 labelled examples, the initial
# parameters and the order of training, and differences are taken within a seed.

# %% [markdown] key="plug-seen" lang="zh" follows="08635ea2"
# 这只是一个种子的结果，差别很大才有意义。（精简规模下例子太少，看不出什么。）值得比较的有三步：词层减基线是词本身的作用，顶层减词层是上下文的作用，混合减顶层是其余各层的作用。
#
# 下面换成多个种子、更多任务。种子决定抽取哪 500 条标注、参数的初值和训练的次序，差值都在同一个种子内部计算。

# %% key="plug-stored" fold=true
def points(span, digits=1):
    """Write a difference in points, with its interval if there are seeds for one."""
    return claims.signed(type(span)(*(100 * x for x in span)), digits)


kept = claims.card("last-layer-gives-most").rows  # all seeds, both languages
means = claims.over_seeds(kept, "score")
n_seeds = claims.n_seeds(kept)
order = claims.conditions(kept, "score")
styles = {"token layer": ("^", colours[0]), "top layer": ("s", colours[2]),
          "uniform mix": ("o", "gray"), "learned mix": ("D", "black")}  # fmt: skip
figure, ax = plt.subplots(figsize=(7.6, 4.2), layout="constrained")
for i, (way, (mark, colour)) in enumerate(styles.items()):
    spans = [claims.gain_in(kept, "score", way, "baseline", name) for name in order]
    values = 100 * np.array(spans)  # (tasks, 3): estimate, low, high
    ax.errorbar(values[:, 0], np.arange(len(order)) + 0.17 * (i - 1.5),
                xerr=np.abs(values[:, 1:] - values[:, :1]).T, fmt=mark, color=colour,
                ms=5, lw=1, capsize=2, label=WAYS[way])  # fmt: skip
ax.axvline(0, color="gray", lw=0.8)
ax.set_yticks(range(len(order)),
              [f"{TITLES[name]} ({100 * means['baseline', name].estimate:.0f})" for name in order])  # fmt: skip
ax.invert_yaxis()
ax.set_xlabel(t("points above the baseline (its score in brackets)", "比基线高的百分点（括号里是基线的分数）"))
ax.legend(fontsize=8, ncols=4, loc="lower center", bbox_to_anchor=(0.4, 1.0))
course_lib.show(
    figure,
    alt=t(
        "For each of six tasks, the points by which token layer, top layer, uniform mix and learned "
        "mix are above the baseline, with 95 % intervals.",
        "六个任务上，词层、顶层、平均混合、学习混合各比基线高多少百分点，附 95% 区间。",
    ),
)
gains = [("top layer", "token layer"), ("learned mix", "top layer"), ("learned mix", "uniform mix")]
claims.show_table(
    [t("points", "相差（百分点）"), *(f"{WAYS[a]} − {WAYS[b]}" for a, b in gains)],
    [[TITLES[name], *(points(claims.gain_in(kept, "score", a, b, name)) for a, b in gains)] for name in order],
)  # fmt: skip
print(t(f"{n_seeds} seeds; span F1 for chunks and entities, else accuracy; 500 labels; 95 % intervals",
        f"{n_seeds} 个种子；组块和实体用 F1，其余用准确率；500 条标注；95% 区间"))  # fmt: skip

# %% [markdown] key="plug-stored-seen" lang="en"
# For chunks the order is clear: the layers that have read the context are far above the token layer (the top one by 6.5 points), which is
# 1.5 points [0.8, 2.3] above the baseline. Chinese entities point the same way: the top layer is 4.3 points [3.5, 5.1] above the
# baseline, 1.7 [0.3, 3.0] above the token layer. So does food delivery, with 2.9 [1.6, 4.1] and 3.5 [2.4, 4.6]. For film reviews, too,
# context is worth more than spelling alone, by 3.6 points [1.4, 5.8], but neither can be told from the baseline. For Rivertown's questions
# neither the top layer nor the token layer can be told from it. Entailment stands near chance, where 500 labels
# and a small model are too little to show anything about ELMo.
#
# *Learning* the weights beats the mean significantly for chunks only, by 2.2 points. All layers beat the top layer significantly in no
# task; for chunks they are 0.4 points behind it, for food delivery 1.3 [0.7, 1.9]. Where an interval contains zero, these seeds cannot tell; its
# upper end says how large a gain of all layers over the top one they could have missed: from 0.9 points (entities) to 2.7 (Rivertown's questions).

# %% [markdown] key="plug-stored-seen" lang="zh" follows="106f1236"
# 组块任务上，次序很清楚：读过上下文的几种做法远远高于词层（顶层高 6.5 个百分点），词层又比基线高 1.5 个百分点 [0.8, 2.3]。中文实体的方向相同：顶层比基线高 4.3 个百分点 [3.5, 5.1]，比词层高 1.7 [0.3, 3.0]。外卖评论也是如此，分别高 2.9 [1.6, 4.1] 和 3.5 [2.4, 4.6]。影评同样是上下文胜过只看写法，高 3.6 个百分点 [1.4, 5.8]，但两者与基线都分不出高下。河湾镇问答上，顶层和词层也都与基线分不出高下。蕴含接近随机水平，500 条标注和这么小的模型不足以说明 ELMo 的好坏。
#
# 与取平均相比，*学习*权重只在组块上显著更好，高 2.2 个百分点。用所有层与只用顶层相比，没有一个任务显著更好，组块还低 0.4 个百分点，外卖评论低 1.3 [0.7, 1.9]。区间包含零时，这些种子分不出高下；用所有层即使真比只用顶层好，多大的好处还可能没查出来，要看区间的上端：从 0.9 个百分点（实体）到 2.7 个百分点（河湾镇问答）。

# %% [markdown] key="last" lang="en"
# ### Does one need all the layers?
#
# The paper's table 2, on development sets, answers what most accounts leave out: the *last
# layer alone* already gives most of the gain. The card asks the same of our runs. It shows the last layer's gain minus half
# of the learned mix's gain, for the tasks in which the mix helps significantly.

# %% [markdown] key="last" lang="zh" follows="470771bd"
# ### 真的需要所有的层吗？
#
# 论文的表 2（开发集）回答了多数文章没有提到的一点：*只用最后一层*已经得到大部分提升。卡片对我们的实验提出同样的问题：最后一层的提升，有没有超过学习混合提升的一半？卡片上的数是前者减后者，只计学习混合有显著提升的任务。

# %% key="last-card" fold=true
claims.card("last-layer-gives-most").show(t)

# %% [markdown] key="gamma" lang="en"
# ## 5 · γ and λ on real tasks
#
# **γ.** Without it, says the paper's supplement, the last layer alone fell below the baseline (section 2). Yet γ adds nothing to what
# the model can express: γ times the mix, followed by weights $W$, equals the mix followed by $\gamma W$. If
# γ matters, it matters for **optimisation**, and so does the learning rate. So each treatment of γ gets the best of
# three learning rates, chosen on the development set: γ fixed at 1; learned from 1, as in the paper; fixed at 0.2, which makes our mix
# about as long as the word vectors beside it; learned from 0.2, as in section 4.
#
# The card compares the first two. (Film reviews and the last treatment were added later, when the other two tasks were known.)

# %% [markdown] key="gamma" lang="zh" follows="2d63ecb2"
# ## 5 · 真实任务上的 γ 和 λ
#
# **γ。** 论文的附录说，去掉 γ，只用最后一层时低于基线（第 2 节）。可是 γ 并没有扩大模型的表达能力，因为混合乘以 γ 再乘权重 $W$，等于混合直接乘 $\gamma W$。如果 γ 有用，作用只能在**优化**过程中，而优化也取决于学习率。所以 γ 的每一种处理都试三个学习率，在开发集上挑最好的：固定为 1；像论文那样从 1 学起；固定为 0.2，使混合的模长与旁边的词向量相当；从 0.2 学起，即第 4 节的做法。
#
# 卡片比较的是前两种。（影评和最后一种处理，是另外两个任务测完之后加的。）

# %% key="gamma-table" fold=true
from course_claims.experiments import gamma

learnt = claims.card("gamma").rows
scores = claims.over_seeds(learnt, "score")
USED = {"top layer": t("last layer", "最后一层"), "learned mix": t("learned mix", "学习混合")}
KINDS = {
    "fixed at 1": t("γ = 1", "γ = 1"),
    "learned from 1": t("learned from 1", "从 1 学起"),
    "fixed at 0.2": t("γ = 0.2", "γ = 0.2"),
    "learned from 0.2": t("learned from 0.2", "从 0.2 学起"),
}
claims.show_table(
    [t("score", "分数"), *KINDS.values()],
    [[TITLES[task] + t(": ", "：") + USED[layers],
      *(f"{100 * span.estimate:.1f} ± {50 * (span.high - span.low):.1f}"
        for span in (scores[kind, f"{task}: {layers}"] for kind in KINDS))]
     for task in gamma.TASKS for layers in gamma.LAYERS if learnt],
)  # fmt: skip
claims.card("gamma").show(t)

# %% [markdown] key="gamma-seen" lang="en"
# We see no gain from *learning* γ. Chunks lose a little by it, 0.4 points [0.1, 0.7] with the last layer and 0.2 [0.0, 0.3] with the
# learned mix; elsewhere no difference is significant, and for film reviews the last layer's interval leaves room for a gain of 2 points. The
# starting value does matter. Fixed at 0.2 in place of 1, γ costs chunks 1.2 points
# [1.0, 1.5] with the last layer and 1.4 [1.2, 1.6] with the learned mix;
# nowhere is 0.2 significantly better. Learning makes up for part of it, 0.5 and 0.9 points for chunks, but does not forget the start: at
# learning rate 0.005, γ ends between 0.34 and 0.40 for chunks if it began at 0.2, and between 0.57 and 0.75 if it began at 1. For food delivery
# the start counts as well: learned from 0.2, γ is behind γ learned from 1 by 0.7 points [0.1, 1.2] with the last layer and 0.8 [0.3, 1.3] with the learned mix. So our start at 0.2, chosen because it
# makes the lengths equal, is not the best one. The paper speaks of larger networks and other tasks, in which training failed
# without γ, and a null result with small ones does not refute that.

# %% [markdown] key="gamma-seen" lang="zh" follows="41981146"
# *学习* γ 有什么好处，我们没有看到：组块反而低一点，只用最后一层低 0.4 个点 [0.1, 0.7]，用学习混合低 0.2 个点 [0.0, 0.3]；其余没有一处差异显著，影评只用最后一层时区间较宽，两个点的提升还在区间之内。起始值却有影响。固定为 0.2 而不是 1，组块只用最后一层低 1.2 个点 [1.0, 1.5]，用学习混合低 1.4 个点 [1.2, 1.6]；没有一处是 0.2 显著更好。让 γ 从 0.2 学起，能补回一部分，组块补回 0.5 和 0.9 个点，但起点的影响还在：学习率 0.005，组块上从 0.2 起步时 γ 停在 0.34 到 0.40，从 1 起步时停在 0.57 到 0.75。外卖评论也受起点影响：从 0.2 学起不如从 1 学起，只用最后一层低 0.7 个点 [0.1, 1.2]，用学习混合低 0.8 个点 [0.3, 1.3]。可见按模长相当选出来的起点 0.2，并不是最好的。论文说的是更大的网络和别的任务，没有 γ 就训练不起来；小网络上的零结果并不能反驳它。

# %% [markdown] key="penalty-real" lang="en"
# **λ.** The toy of section 3 says what to expect of the shares. The figure has the shares and, below each λ, the score.

# %% [markdown] key="penalty-real" lang="zh" follows="6670e988"
# **λ。** 第 3 节的玩具任务说明了份额会怎样变化。下图画出真实任务上学到的份额，每个 λ 下面写着分数。

# %% key="penalty-table" fold=true
heavy = [r for r in claims.card("layer-weights-by-task").rows
         if r["condition"].partition(":")[0] in mixing.TASKS[t.language]]  # fmt: skip
shares, lengths, scores = (claims.over_seeds(heavy, m) for m in ("weight", "norm", "score"))
order = claims.conditions(heavy, "score")
ways = [way for way in plug_in.PENALTIES if way.startswith("λ")]
figure, axes = plt.subplots(1, len(order), figsize=(9, 3.2), sharey=True, layout="constrained")
for ax, name in zip(axes, order, strict=True):
    for k in range(3):
        values = np.array([shares[way, f"{name}: layer {k}"] for way in ways])  # (ways, 3)
        ax.errorbar(range(len(ways)), values[:, 0], np.abs(values[:, 1:] - values[:, :1]).T,
                    fmt="o-", color=colours[k], ms=4, capsize=2, label=names[k])  # fmt: skip
    ax.axhline(1 / 3, color="gray", lw=0.8, ls=":")
    ax.set_xticks(range(len(ways)), [f"{way}\n{100 * scores[way, name].estimate:.1f}" for way in ways])
    ax.set_xlim(-0.4, 2.4)
    ax.set_title(TITLES[name], fontsize=10)
axes[0].set_ylabel(t("share $s_j$", "份额 $s_j$"))
axes[0].legend(fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Learned shares of the three layers for lambda 0, 0.001 and 1 on three tasks: different at 0, "
        "one third each at 1. Below each lambda stands the score.",
        "三个任务上 λ 取 0、0.001、1 时三层的份额：λ 为 0 时不等，λ 为 1 时各占三分之一；下面是分数。",
    ),
)
print(t(f"{claims.n_seeds(heavy)} seeds; 95 % intervals", f"{claims.n_seeds(heavy)} 个种子；95% 区间"))

# %% [markdown] key="penalty-real-seen" lang="en"
# As the toy promised, λ = 1 makes every share a third. Against λ = 0 that costs chunks 2.0 points [1.8, 2.3] and film reviews 1.4
# [0.3, 2.5]; RTE is near chance and says nothing.

# %% [markdown] key="penalty-real-seen" lang="zh" follows="d637f573"
# 正如玩具任务所示，λ = 1 使各层都占三分之一。分数受的影响不大：λ = 0 减去 λ = 1，外卖评论是 0.4 个百分点 [−0.3, 1.1]，实体是 0.7 [−0.8, 2.2]，都看不出来；河湾镇问答是 −1.3 [−2.5, −0.1]，取平均反而好一点。

# %% [markdown] key="place" lang="en"
# ## 6 · Input, output, or both?
#
# If ELMo is laid beside the word vectors, below the task's LSTM, the LSTM can combine what ELMo says
# about neighbouring words. If it is laid beside the LSTM's output, it reaches the decision
# directly. The paper's table 3 has input / both / output: SQuAD 85.1 / 85.6 / 84.8, SNLI 88.9 /
# 89.5 / 88.7, SRL 84.7 / 84.3 / 80.9. One possible explanation, it says, is that the models for SQuAD and SNLI have
# **attention** layers (lesson 12) above the LSTM, which can use ELMo directly, whereas
# for SRL what the task's own network reads from the context is likely to matter more.
# These are our runs, on the English tasks:

# %% [markdown] key="place" lang="zh" follows="34a42b29"
# ## 6 · 接在输入端、输出端，还是两处都接？
#
# 接在词向量旁边，也就是任务的 LSTM 下面，LSTM 可以综合 ELMo 给出的相邻各词的信息。接在 LSTM 的输出旁边，ELMo 就直接影响最后的判断。论文的表 3 按输入 / 两处 / 输出列出：SQuAD 85.1 / 85.6 / 84.8，SNLI 88.9 / 89.5 / 88.7，SRL 84.7 / 84.3 / 80.9。论文给出一种可能的解释：SQuAD 和 SNLI 的模型在 LSTM 上面有**注意力**层（第 12 课），能直接利用 ELMo；对 SRL 来说，大概是任务自己的网络从上下文中读出的东西更重要。下面是我们在英文任务上的结果。

# %% key="place-card" fold=true
placed = claims.card("input-and-output").rows
PLACES = {"input": t("input", "输入"), "output": t("output", "输出"), "both": t("both", "两处")}
scores = claims.over_seeds(placed, "score")
claims.show_table(
    [t("task", "任务"), *PLACES.values()],
    [[TITLES[name], *(f"{100 * scores[place, name].estimate:.1f}" for place in PLACES)]
     for name in claims.conditions(placed, "score")],
)  # fmt: skip
claims.card("input-and-output").show(t)

# %% [markdown] key="place-seen" lang="en"
# The input is better than the output: by 2.8 points for chunks [2.5, 3.1], by 3.2 for film reviews [1.5, 4.9]. Whether both places
# together are better than the input alone cannot be told: 0.1 points [−0.1, 0.3] and −0.4 [−2.1, 1.4]. Entailment is near chance and
# says nothing. Our networks have no attention layer, so they behave as the paper's explanation of SRL would lead one to expect; without
# a network that has one, that explanation is not tested.

# %% [markdown] key="place-seen" lang="zh" follows="7230f9a7"
# 接在输入端比接在输出端好：组块高 2.8 个百分点 [2.5, 3.1]，影评高 3.2 [1.5, 4.9]。两处都接是不是又比只接输入端好，看不出来，差值分别是 0.1 [−0.1, 0.3] 和 −0.4 [−2.1, 1.4]。蕴含离随机水平不远，说明不了什么。这里的网络都没有注意力层，结果与论文对 SRL 的解释方向一致；但没有带注意力的网络作对照，这个解释还没有得到检验。

# %% [markdown] key="widget" lang="en"
# ## 7 · Move the weights yourself
#
# Drag the sliders for the shares and watch the score. It is not a task's score but that of the sense sentences (leave-one-out, nearest centroid), which
# needs no training and can follow your hand. The star
# is the mix that the first task of section 4 learned, live.

# %% [markdown] key="widget" lang="zh" follows="8c9ef5a8"
# ## 7 · 自己动手改变权重
#
# 拖动份额的滑块，看分数怎样变化。这里的分数不是某个任务的，而是义项例句的（留一法，最近质心），它不用训练，可以随手变化。星号是第 4 节第一个任务当场学到的混合。

# %% key="widget-run"
from course_lib.analysis.senses import target_vectors
from course_lib.widgets import scalar_mix

learned = models[tasks[0], "learned mix"].mixes["input"].weights.tolist()
parts = [annotated[i : i + 64] for i in range(0, len(annotated), 64)]
in_context = np.concatenate(
    [
        target_vectors(encoder, part)
        for part in tqdm(parts, unit=t(" parts", " 份"), file=sys.stdout)
    ],
    axis=1,
)  # (L+1, N, D)
scalar_mix(
    in_context, annotated, t.language, words=t(["play", "bank"], ["苹果", "花"]), learned=learned
)

# %% [markdown] key="six" lang="en"
# ## Optional sections
#
# Four topics for a second reading: how a gain is reported, what the learned weights say, AllenNLP's interface, and tuning the biLM to a domain. Open
# what you need; the outputs stand below the folded text.
#
# <details><summary>A · How a gain is reported</summary>
#
# The paper's table 1 has six tasks, and reports for each the **relative error reduction**: the
# share of the baseline's *errors* that is gone, (new − baseline) / (100 − baseline). From 88.0 to 88.7 it is 0.7 / 12.0 = 5.8 %.
# Popular accounts mix it up with points, and
# pick their favourite task. "Up to 25 %" is the share of SQuAD's errors that is gone, and a rise of 4.7 points; the
# gain on SNLI, praised as the most impressive one, is the smallest of the six by either measure. The first table has all
# six, recomputed from the paper's scores against the authors' *own* baseline; the second has ours.
#
# </details>

# %% [markdown] key="six" lang="zh" follows="773501bf"
# ## 选读
#
# 以下四个话题供第二遍阅读：提升怎样报告，学到的权重说明什么，AllenNLP 的接口，以及让双向语言模型适应领域。需要哪一段就展开哪一段，输出列在折叠的文字下面。
#
# <details><summary>甲 · 提升是怎样报告的</summary>
#
# 论文的表 1 有六个任务，每个都报告了**相对错误率下降**，也就是基线所犯的*错误*里消失了多大一部分，即（新 − 基线）/（100 − 基线）。从 88.0 到 88.7，就是 0.7 / 12.0 = 5.8%。流行的文章常把它和百分点混为一谈，又各挑各的任务来讲。“最多提高 25%”指的是 SQuAD 的错误少了这么多，分数涨的是 4.7 个点；被称作最惊人的 SNLI，无论论点数还是相对错误率，都是六个里最小的。第一张表用论文的分数把六个任务都重算一遍，比较对象是作者*自己的*基线；第二张表是我们的任务。
#
# </details>

# %% key="six-cards" fold=true
claims.show_table(
    t(["paper, table 1", "baseline", "with ELMo", "points", "relative error"],
      ["论文表 1", "基线", "加 ELMo", "点数", "相对错误率下降"]),
    [[task, old, new, f"{new - old:+.1f}", f"{claims.reductions()[task]:.1%}"]
     for task, (_, old, new) in claims.TABLE_1.items()],
)  # fmt: skip
ours = mixing.error_reductions(kept)
claims.show_table(
    t(("our task", "learned mix − baseline, points", "relative error, %"),
      ("我们的任务", "学习混合 − 基线（百分点）", "相对错误率下降（%）")),
    [[TITLES[name], points(claims.gain_in(kept, "score", "learned mix", "baseline", name)), points(ours[name], 0)]
     for name in ours],
)  # fmt: skip

# %% [markdown] key="weights" lang="en"
# <details><summary>B · What the weights learned</summary>
#
# It is tempting to read the learned shares as a message: *syntactic tasks take the lower layers,
# semantic tasks the higher ones.* The paper's figure 2 shows something else: at the input
# the *first* LSTM layer is favoured in all tasks, most of all in coreference and SQuAD; at
# the output the weights are nearly flat. The finding that layer 1 is better for
# part of speech and layer 2 for word senses comes from *probes* of one layer at a time
# (lesson 08). Below are our shares: as they are, with layer norm, and as they are times the layers'
# norms, measured on the task's own texts.
#
# </details>

# %% [markdown] key="weights" lang="zh" follows="7783d74b"
# <details><summary>乙 · 权重学到了什么</summary>
#
# 看到学出来的份额，很容易读出这样的结论：*句法任务用低层，语义任务用高层*。论文的图 2 显示的却是另一回事：接在输入端时，所有任务都偏爱*第一层* LSTM，共指和 SQuAD 尤其明显；接在输出端时，权重几乎是平的。“第 1 层词性好、第 2 层词义好”是*探针*的结果，一次只测一层（第 08 课），不是从学到的权重里读出来的。下图是我们学到的份额：原样，加层归一化，以及原样的份额乘以各层的模长（在各任务自己的文本上测量）。
#
# </details>

# %% key="weights-picture" fold=true
panels = t(("as they are", "with layer norm", "as they are, times norm"),
           ("原样", "加层归一化", "原样，乘以模长"))  # fmt: skip
figure, axes = plt.subplots(1, 3, figsize=(9, 3.4), sharey=True, layout="constrained")
for p, (ax, title) in enumerate(zip(axes, panels, strict=True)):
    way = "layer norm" if p == 1 else "λ = 0.001"
    for i, name in enumerate(order):
        spans = [shares[way, f"{name}: layer {k}"] for k in range(3)]
        values = np.array([s.estimate for s in spans])
        if p == 2:
            values = values * [lengths["biLM", f"{name}: layer {k}"].estimate for k in range(3)]
            values /= values.sum()
        places = np.arange(3) + 0.27 * (i - (len(order) - 1) / 2)
        ax.bar(places, values, width=0.25, color=f"C{3 + i}", label=TITLES[name])
        if p < 2:
            half = np.nan_to_num([s.high - s.estimate for s in spans])
            ax.errorbar(places, values, half, fmt="none", ecolor="black", capsize=2, lw=1)
    ax.axhline(1 / 3, color="gray", ls=":", lw=0.8)
    ax.set_xticks(range(3), names)
    ax.set_title(title, fontsize=10)
axes[0].set_ylabel(t("share", "份额"))
axes[1].legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.12), ncols=3)
course_lib.show(
    figure,
    alt=t(
        "Bars of the learned shares of three layers for each task: raw, with layer norm, and "
        "raw times the layers' norms.",
        "每个任务三层权重的条形图：原样、层归一化、原样乘以各层模长。",
    ),
)
print(t(f"{claims.n_seeds(heavy)} seed(s); bars: 95 % intervals where there are several",
        f"{claims.n_seeds(heavy)} 个种子；有多个种子时，短线是 95% 区间"))  # fmt: skip

# %% [markdown] key="weights-seen" lang="en"
# <details><summary>What the figure shows</summary>
#
# A layer whose share is small may have a large part in the sum, because its vectors are long: compare the first
# panel with the third. Only the second panel compares like with like. There are three more reasons for caution: $w$ stops where training stops; neighbouring
# layers are similar, so weight can move between them at no cost; and the model above
# can undo much of what the mix does.
#
# The *mean layer*, $\sum_j j\,s_j$, puts a mix into one number. We take that of each sentence task minus that of the tagging
# task of the same language. In the stored runs three of the four differences of English film reviews and Rivertown's Chinese questions (each as it is and with layer norm) are significantly
# *below* 0, against the popular sentence; the two of food delivery are above it, by about a fifth of a layer.
#
# </details>

# %% [markdown] key="weights-seen" lang="zh" follows="dac84467"
# <details><summary>图中看到什么</summary>
#
# 先比较左右两幅：份额小的层，因为向量长，在总和里可能占很大一部分；只有中间一幅是在同样的尺度上比较。另外还有三个理由需要谨慎。训练停在哪里，$w$ 就停在哪里；相邻两层相似，权重在它们之间移动，损失几乎不变；混合所做的事，上面的模型多半还能改回来。
#
# 归结成一个数，先算*平均层位* $\sum_j j\,s_j$，再拿每个句子任务的减去同一种语言里标注任务的。存好的实验里，英文影评和河湾镇问答的四个差（每项任务用与不用层归一化各一个）里，有三个显著*小于* 0，与流行的说法相反；外卖评论的两个大于 0，约五分之一层。
#
# </details>

# %% [markdown] key="allennlp" lang="en"
# <details><summary>C · AllenNLP's interface</summary>
#
# For two years "using ELMo" meant three lines of AllenNLP: `Elmo(options_file, weight_file,
# …)` and `batch_to_ids`. The library was archived in 2022. The course has the same names,
# arguments and returned keys, so old code runs, and it reads and writes the released
# file format, an options JSON and an HDF5 file. The cell saves our own biLM in it, and loads it as
# if it were the released one.
#
# </details>

# %% [markdown] key="allennlp" lang="zh" follows="06d86440"
# <details><summary>丙 · AllenNLP 的接口</summary>
#
# 有两年时间，“用 ELMo”就是 AllenNLP 的几行代码：`Elmo(options_file, weight_file, …)` 加上 `batch_to_ids`。这个库 2022 年封存。课程保留了同样的名字、参数和返回的键，旧代码照样能跑；官方的文件格式（一个 JSON 选项文件，一个 HDF5 权重文件）也能读写。下面一格把我们自己的双向语言模型存成这种格式，再当作官方模型读进来。
#
# </details>

# %% key="allennlp-run" fold=true
from course_lib.models.elmo import Elmo, ELMoBiLM, batch_to_ids

with tempfile.TemporaryDirectory() as folder:
    options_file, weight_file = Path(folder, "options.json"), Path(folder, "weights.hdf5")
    ELMoBiLM.from_bilm(encoder.model).save_official(options_file, weight_file)
    print(t("files:", "文件："), {f.name: f"{f.stat().st_size / 1e6:.1f} MB" for f in Path(folder).iterdir()})
    elmo = Elmo(options_file, weight_file, num_output_representations=2, dropout=0.5)

two = [sentence, sentence[:4]]
ids = batch_to_ids(two)
found = elmo(ids)
first, second = found["elmo_representations"]
print(t("character ids:", "字符编号："), tuple(ids.shape))
print(t("returned:     ", "返回："), list(found), tuple(first.shape), tuple(found["mask"].shape))
again = elmo(ids)["elmo_representations"][0]
print(t("the same twice, as it is made:", "刚建好，两次结果相同："), torch.equal(first, again))
elmo.eval()
first, second = elmo(ids)["elmo_representations"]
again = elmo(ids)["elmo_representations"][0]
print(t("the same twice, after eval():  ", "eval() 之后，两次相同："), torch.equal(first, again))
print(t("the two representations are equal:", "两个表示相等："), torch.equal(first, second))
mean = layers.mean(axis=0)  # of the sentence above, (T, 2P)
print(t("and each is the mean of the layers:", "每个都是各层的平均："),
      np.allclose(first[0].detach(), mean, atol=1e-4))  # fmt: skip
trained = [name for name, p in elmo.named_parameters() if p.requires_grad]
print(t("trained with the task:", "随任务训练的参数："), ", ".join(trained))

# %% [markdown] key="allennlp-seen" lang="en"
# <details><summary>What each line of the output warns of</summary>
#
# * `elmo_representations` is *not* the list of layers. It is a list of mixes, one for
#   each place where you want to plug ELMo in. Untrained they are all the mean.
# * A new module is in training mode and has dropout 0.5, so two calls differ until `eval()`.
# * `requires_grad=False` freezes the biLM, not the mix: $w$ and $\gamma$ are trained.
# * One behaviour is left out on purpose. AllenNLP's LSTMs
#   carry their state from batch to batch, so that the same sentence has different vectors the
#   second time. Ours begins each sentence from an empty state unless you ask for the
#   other (`stateful=True`).
#
# </details>

# %% [markdown] key="allennlp-seen" lang="zh" follows="8265fa2f"
# <details><summary>输出的每一行各提醒什么</summary>
#
# * `elmo_representations` *不是*各层的列表，而是若干个混合，想接进几处就有几个。没有训练时，它们都是各层的平均。
# * 模块刚建好时处于训练状态，带着 0.5 的 dropout，不调用 `eval()`，两次结果就不一样。
# * `requires_grad=False` 冻结的是双向语言模型，不是混合，$w$ 和 $\gamma$ 照样训练。
# * 还有一点，我们的版本有意改了。AllenNLP 的 LSTM 会把状态从一批带到下一批，同一句话第二次读，向量就变了。我们默认每句都从空状态读起，想要原来的行为就用 `stateful=True`。
#
# </details>

# %% [markdown] key="tune" lang="en"
# <details><summary>D · Frozen, but first tuned to the domain</summary>
#
# "ELMo is used frozen" is half of the truth. In most cases the authors first went on training
# the biLM on the *text* of the task, without its labels, for one epoch, and then froze it: **domain-adaptive pre-training**, as
# it was called later, or *task-adaptive*, since it is the task's own text. So ELMo had a second stage, too, in the same year as ULMFiT (lesson 10). Our biLM has read
# textbooks, fiction, news and reviews. The first cell below lets it read some of the task's training text and takes the
# perplexity on its test text, which it does not read. The second has the larger, stored run: 3,000 sentences of CoNLL-2000's training text.
#
# </details>

# %% [markdown] key="tune" lang="zh" follows="dd206bb4"
# <details><summary>丁 · 冻结之前，先适应领域</summary>
#
# “ELMo 是冻结着用的”只说对了一半。多数情况下，作者先拿任务的*文本*（不用标注）把双向语言模型接着训练一轮，然后才冻结，后来的文献把这类做法统称**领域自适应预训练**，只读任务自己的文本时，又叫*任务自适应预训练*。可见 ELMo 也有第二阶段，和 ULMFiT（第 10 课）在同一年。下面第一格让手里的模型读一部分任务的训练文本，再测它在测试文本上的困惑度。这一轮不读测试文本；不过 `elmo-zh` 预训练的语料里有 MSRA 的句子，测试句也在内（没有标签），语言模型读过其中大约三分之二，所以困惑度一开始就偏低。第二格是存好的、更大的一次实验，用的是 CoNLL-2000 训练文本的 3000 句。
#
# </details>

# %% key="tune-run" fold=true
from course_lib.text.batches import Batches, read_text
from course_lib.training import domain
from course_lib.training.loop import evaluate

reading = [r.words for texts in task.readings["train"] for r in texts]
unread = [r.words for texts in task.readings["test"][:200] for r in texts]
held_out = Batches(read_text([unread]), encoder.vocabulary, rows=32)
tuned = course_lib.load(f"elmo-{t.language}")
before = evaluate(tuned.model, held_out).exp()  # forward, backward
steps = len(Batches(read_text([reading]), tuned.vocabulary, rows=32))
began = time.perf_counter()
with tqdm(total=steps, unit=t(" steps", " 步"), file=sys.stdout) as bar:

    def step_done(*_):
        bar.update()

    watch = tuned.model.register_forward_hook(step_done)
    domain.tune(tuned, reading, seed=0)
    watch.remove()
after = evaluate(tuned.model, held_out).exp()
print(task.name, sum(map(len, reading)), t("words read,", "个词，"), round(time.perf_counter() - began), t("seconds", "秒"))
for name, a, b in zip(t(("forward ", "backward"), ("前向", "后向")), before, after, strict=True):
    print(t("perplexity", "困惑度"), name, f"{a:.0f} → {b:.0f}")

# %% key="tune-stored" fold=true
adapted = claims.card("tuning-helps").rows
perplexity, f1 = (claims.over_seeds(adapted, metric) for metric in ("perplexity", "score"))
KINDS = {"as it ships": t("as it ships", "适应前"), "tuned": t("tuned", "适应后")}
claims.show_table(
    [t("CoNLL-2000 (English)", "CoNLL-2000（英文）"), t("perplexity, forward", "前向困惑度"),
     t("backward", "后向困惑度"), f"F1, {WAYS['top layer']}", f"F1, {WAYS['learned mix']}"],
    [[label, *(f"{perplexity[kind, way].estimate:.1f}" for way in ("forward", "backward")),
      *(f"{100 * f1[kind, way].estimate:.1f}" for way in ("top layer", "learned mix"))]
     for kind, label in KINDS.items()] +
    [[t("difference, points", "差（百分点）"), "", "",
      *(points(claims.gain_in(adapted, "score", "tuned", "as it ships", way)) for way in ("top layer", "learned mix"))]],
)  # fmt: skip

# %% [markdown] key="tune-told" lang="en"
# <details><summary>What the two cells show</summary>
#
# Some twenty thousand words already lower the perplexity: when we measured, from 115 to 108 forward and from 112 to 106 backward. In the Chinese edition, whose biLM has
# read most of the text before, the same learning rate, 0.0005, *raises* it, from 133 to 170 and from 116 to 149; with 0.0001 it falls, to 124 and 110. In the quick profile, with a thousand words, it rises in both editions. So going on can also do harm, and only unread text tells. In the paper, one epoch on SNLI's text, many short sentences of one kind,
# takes it from 72.1 to 16.8. In the stored run the perplexity falls by a tenth. F1 does not rise in return; it falls, too: by 0.4 points [0.1, 0.7] with the top layer and
# by 0.6 [0.3, 0.8] with the learned mix. A lower perplexity on the task's text is not yet a better feature for the task.
# The paper, too, says that what the task gains depends on the data set.
#
# </details>
#
# More claims about this lesson, among them that syntactic tasks take the lower layers, stand on the
# book's claims page, and in `python -m course_lib claims list`.

# %% [markdown] key="tune-told" lang="zh" follows="daaa2599"
# <details><summary>两格的结果</summary>
#
# 这里读了不到两万个词，我们测得困惑度不降反升，前向从 133 升到 170，后向从 116 升到 149。这些句子 `elmo-zh` 大半读过，再读一遍所得有限；而每步迈得多大，由学习率决定：把这里的 0.0005 改成 0.0001 另跑一次，困惑度就降了，前向 124，后向 110。可见接着训练也可能损害模型，要用没读过的文本检验。（英文版用同样的学习率读 CoNLL-2000，那是没有读过的文本，困惑度从 115 和 112 降到 108 和 106；精简规模只读一千来个词，两个版本都是升。）论文里，SNLI 的文本（大量同一类型的短句）读一轮，困惑度从 72.1 降到 16.8。在存好的实验里，困惑度降了一成。F1 却没有跟着升，反而下降：顶层低 0.4 个点 [0.1, 0.7]，学习混合低 0.6 个点 [0.3, 0.8]。任务文本上的困惑度低了，不等于给任务的特征就更好。论文也说，任务能提高多少因数据集而异。
#
# </details>
#
# 关于这一课还有别的说法，比如“句法任务用低层”，见书中的“论断”一页，或运行 `python -m course_lib claims list`。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The test of every lesson, now on the mix: the mean of the layers, and the weights that the
# live task learned. The baseline to beat is the averaged static context.

# %% [markdown] key="scoreboard" lang="zh" follows="a601f943"
# ## 记分牌
#
# 每课都做的那个测试，这次测混合，一行是各层平均，一行是上面当场学到的权重。要超过的基线仍是静态上下文平均。

# %% key="scoreboard-row"
from course_lib.analysis.senses import by_word, macro

rows = {
    t("ELMo, mean of the layers", "ELMo，各层平均"): in_context.mean(axis=0),
    t(f"ELMo, mixed for {TITLES[tasks[0]]}", f"ELMo，为“{TITLES[tasks[0]]}”学的混合"): np.tensordot(learned, in_context, 1),
}
board = {name: macro(by_word(vectors, annotated)) for name, vectors in rows.items()}
board[t("averaged static context", "静态上下文平均")] = claims.context_scores(static, t.language)
display(HTML(claims.sense_table(board, t)))

# %% [markdown] key="board" lang="en"
# **All models so far, the same questions** (lesson 01 explains the columns); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="d209654a"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "07")

# %% [markdown] key="board-seen" lang="en"
# The mean of the layers, ELMo's mix before its weights are learned, is as good as the best single layer for senses, parts of speech and
# chunks. For sentiment, where layer 2 alone is best, it is behind, by 1.7 points [0.1, 3.4] with 100 labels and by 1.2 [0.1, 2.2] with 1,000. The
# *learned mix* is told no layer either: with 100 labels it finds layer 2 and is level with it, with 1,000 it is behind, by 1.4 [0.1, 2.7].

# %% [markdown] key="board-seen" lang="zh" follows="bafc567c"
# 各层平均就是权重学习之前的 ELMo 混合。论词性，它比最好的单层还高 1.4 个点 [0.9, 1.9]；论义项，与最好的单层不相上下；论命名实体和情感，它不如只用第 2 层，命名实体低 1.3 个点 [0.0, 2.5]，情感用 100 条标注时低 2.2 个点 [1.5, 2.9]，1,000 条时低 0.6 个点 [0.2, 1.0]。“学出来的混合”同样不用人指定层：论情感和命名实体，它与只用第 2 层分不出高下；论词性，它比平均低 0.6 个点 [0.1, 1.2]。

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** The three layers of a word are (3, 0), (0, 3) and (6, 6). The mix is untrained,
# w = (0, 0, 0), and γ = 0.2. What is the word's vector?
#
# <details><summary>A. (0, 0): all weights are 0.</summary>
#
# Not quite: the softmax stands between w and the sum. Three equal weights give three
# equal shares.
#
# </details>
#
# <details><summary>B. (1.8, 1.8)</summary>
#
# Not quite: this is 0.2 times the *sum*. The shares add up to 1: each is a third.
#
# </details>
#
# <details><summary>C. (3, 3)</summary>
#
# Not quite: this is the mean of the layers. γ has been forgotten.
#
# </details>
#
# <details><summary>D. (0.6, 0.6)</summary>
#
# Right. Equal shares make the mean, (3, 3), and γ stretches it. An untrained mix is the
# mean of all layers, layer 0 among them.
#
# </details>
#
# ---
#
# **2.** A paper reports the shares s = (0.2, 0.5, 0.3). The vectors of layers 0, 1 and
# 2 are about 30, 10 and 12 long. Which layer has the largest part in the sum?
#
# <details><summary>A. Layer 1, it has the largest share.</summary>
#
# Not quite: shares are what is learned. What arrives above is share times vector.
#
# </details>
#
# <details><summary>B. Layer 2, the highest layer counts most.</summary>
#
# Not quite: nothing in the formula prefers the top. Its part is 3.6.
#
# </details>
#
# <details><summary>C. Layer 0</summary>
#
# Right. 0.2 × 30 = 6, against 5 and 3.6. A small share may only say that the layer is
# long; layer norm before the mix makes shares comparable.
#
# </details>
#
# ---
#
# **3.** A colleague computes the frozen biLM's layers once, stores them, and trains on them for ten
# epochs. But the biLM's own dropout was still on. What is wrong?
#
# <details><summary>A. Nothing: dropout only makes training more robust.</summary>
#
# Not quite: dropout helps because it is drawn anew each time. Here one draw was stored and
# is read ten times.
#
# </details>
#
# <details><summary>B. Every epoch reads the same damaged vectors, from one random draw.</summary>
#
# Right. Frozen means two things: no gradient, and the mode of test time. Call `eval()`
# before the layers are computed.
#
# </details>
#
# <details><summary>C. The weights and γ of the mix can no longer be learned.</summary>
#
# Not quite: they stand above what was stored, and learn as usual.
#
# </details>
#
# ---
#
# **4.** (Optional section D) Which of these did the authors of ELMo do in most cases?
#
# <details><summary>A. Train the biLM a little further on the text of the task, without
# labels, then freeze it.</summary>
#
# Right. So ELMo had a second stage, as ULMFiT has. On SNLI's text one epoch took the
# perplexity from 72.1 to 16.8.
#
# </details>
#
# <details><summary>B. Use the biLM exactly as it was pre-trained.</summary>
#
# Not quite: it is often told so, but they adapted the biLM first.
#
# </details>
#
# <details><summary>C. Train the biLM with the task's labels, together with the task's
# model.</summary>
#
# Not quite: that is fine-tuning, ULMFiT's and BERT's way. While the task learns, only w
# and γ of the mix learn with it.
#
# </details>
#
# ---
#
# **5.** Semantic role labelling in the paper's table 2: baseline 81.6, last layer only
# 84.1, all layers with learned weights 84.8. What follows?
#
# <details><summary>A. The last layer alone gives most of the gain.</summary>
#
# Right. 2.5 of 3.2 points, about 78 %. The other layers add 0.7, and a difference of
# that size asks for several seeds.
#
# </details>
#
# <details><summary>B. The top layer alone is nearly useless; it is the mixing that
# helps.</summary>
#
# Not quite: the top layer brought 2.5 of 3.2 points.
#
# </details>
#
# <details><summary>C. All layers are certainly better than one: 84.8 is more than
# 84.1.</summary>
#
# Not quite: the numbers come without intervals. The last digits of one development set
# do not settle it.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="758ef66c"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** 某个词的三层是 (6, 0)、(0, 3)、(3, 3)，混合还没训练过，w = (0, 0, 0)，γ = 0.5。这个词的向量是什么？
#
# <details><summary>A. (0, 0)，权重都是 0。</summary>
#
# 再想想：w 要先过 softmax 才去乘。三个 0 变成三个三分之一。
#
# </details>
#
# <details><summary>B. (1.5, 1)</summary>
#
# 对。份额相等就是取平均，得 (3, 2)，再乘 γ。没训练过的混合就是各层的平均，第 0 层也在里面。
#
# </details>
#
# <details><summary>C. (3, 2)</summary>
#
# 再想想：平均算对了，忘了乘 γ。
#
# </details>
#
# <details><summary>D. (4.5, 3)</summary>
#
# 再想想：这是加起来再乘 0.5。份额之和是 1，应该取平均。
#
# </details>
#
# ---
#
# **2.** 混合先乘 γ，再乘上面的权重 W，而 γ 本来可以并进 W。那么 γ 还可能有什么用？
#
# <details><summary>A. 它影响优化，决定训练从多大的量级起步。</summary>
#
# 对。能表达的函数没有增加，但从哪里起步、每一步走多远都变了，训练的结果就可能不同。
#
# </details>
#
# <details><summary>B. 它让模型能表达更多的函数。</summary>
#
# 再想想：γ 乘混合再乘 W，等于混合直接乘 γW，能表达的函数一个也没有多。
#
# </details>
#
# <details><summary>C. 它调节各层之间的份额。</summary>
#
# 再想想：调节份额的是 w，γ 对各层一视同仁。
#
# </details>
#
# ---
#
# **3.** 一篇文章报告 s = (0.2, 0.5, 0.3)，而第 0、1、2 层向量的模长大约是 30、10、12。总和里哪一层占得最多？
#
# <details><summary>A. 第 1 层，份额最大。</summary>
#
# 再想想：份额只是乘数，传到上面去的是份额乘以向量。
#
# </details>
#
# <details><summary>B. 第 0 层</summary>
#
# 对。0.2 × 30 = 6，超过 5 和 3.6。份额小，也许只因为这一层的模长大；混合前做层归一化，份额才可比。
#
# </details>
#
# <details><summary>C. 第 2 层，越高的层越重要。</summary>
#
# 再想想：公式里没有偏向高层的地方，它这里是 3.6。
#
# </details>
#
# ---
#
# **4.** 把 λ 调得非常大，混合会变成什么样？
#
# <details><summary>A. 零向量</summary>
#
# 再想想：被压到 0 的是 w，不是份额，也不是 γ。
#
# </details>
#
# <details><summary>B. 只剩最后一层</summary>
#
# 再想想：那要某个 w 特别大才行，正是 λ 不许的。
#
# </details>
#
# <details><summary>C. 各层平均</summary>
#
# 对。罚的是 w，w 被压到 0，softmax 之后份额相等。
#
# </details>
#
# ---
#
# **5.** （选读丁）ELMo 的作者在多数任务上是怎样用双向语言模型的？
#
# <details><summary>A. 预训练完原样冻结，直接拿来用。</summary>
#
# 再想想：这是流行的说法，只对了一半。
#
# </details>
#
# <details><summary>B. 先读一遍任务的文本，再冻结。</summary>
#
# 对。接着训练语言模型，不用标注。可见第二阶段并非 ULMFiT 独有。论文里，SNLI 的文本读一轮，困惑度从 72.1 降到 16.8。
#
# </details>
#
# <details><summary>C. 跟任务的模型一起，用标注训练。</summary>
#
# 再想想：那是微调，ULMFiT 和 BERT 的做法。ELMo 随任务学的只有 w 和 γ。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Check your understanding
#
# <details><summary>1. A paper reports s = (0.1, 0.6, 0.3) and concludes that layer 0 is hardly
# used. What do you ask?</summary>
#
# How long the layers' vectors are, whether there was layer norm, how many seeds there were, and how long
# the mix was trained. If layer 0 is three times as long as layer 1, its part in the sum is
# half of layer 1's.
# </details>
#
# <details><summary>2. You fine-tune the biLM together with the task. May you keep the
# features on the disk?</summary>
#
# No. After the first step the stored layers belong to another model. (The hash would
# notice.)
# </details>
#
# <details><summary>3. Baseline 90, with ELMo 92; another task 50 and 55. Which gain is
# larger?</summary>
#
# In points the second, 5 against 2. In relative error the first, 20 % against 10 %. Say which
# one you mean, and against which baseline.
# </details>
#
# <details><summary>4. λ = 1 and λ = 0.001 give the same score. Is the learning of the weights
# useless?</summary>
#
# For this task these seeds cannot tell them apart; ask first which difference they would have
# found. The layers may be similar, or the LSTM above may make up for it. It does not follow that
# one layer would do: compare with the last layer alone.
# </details>

# %% [markdown] key="questions" lang="zh" follows="e482ec10"
# ## 检查一下自己
#
# <details><summary>1. 一篇论文报告 s = (0.1, 0.6, 0.3)，结论是第 0 层几乎没用上。你会问什么？</summary>
#
# 各层向量的模长是多少，有没有做层归一化，跑了几个种子，混合训练了多久。如果第 0 层的模长是第 1 层的三倍，它在总和里的分量就有第 1 层的一半。
# </details>
#
# <details><summary>2. 双向语言模型跟着任务一起微调，特征还能存在磁盘上吗？</summary>
#
# 不能。走完第一步，存下来的各层就属于另一个模型了。（哈希值会变，不会误用。）
# </details>
#
# <details><summary>3. 基线 90，加 ELMo 92；另一个任务从 50 到 55。哪个提升大？</summary>
#
# 论百分点，后者大，5 比 2；论相对错误率，前者大，20% 比 10%。要说清楚指哪一种，又是跟哪个基线比。
# </details>
#
# <details><summary>4. λ = 1 和 λ = 0.001 分数一样，是不是说明学习权重没有用？</summary>
#
# 只能说，在这个任务上，这几个种子看不出差异；先要问，多大的差异它们查得出来。可能各层本来就相似，也可能上面的 LSTM 作了补偿。但不能由此推出只用一层就够，那要和“只用最后一层”比较。
# </details>

# %% [markdown] key="knob" lang="en"
# ## Predict, change a knob, explain
#
# Real vectors again: the target words of all sense sentences. The cell stretches the three layers by the factors in `STRETCH`, takes the
# *untrained* mix, and measures how well it separates senses. Before each run, write down two predictions: each layer's part in the sum, and whether the
# accuracy goes up, down or stays. Try `(4, 1, 1)`, then `(1, 4, 1)`, then set `LAYER_NORM = True` and repeat.

# %% [markdown] key="knob" lang="zh" follows="41677067"
# ## 先预测，再改一个量，然后解释
#
# 再用一次真实的向量，即全部义项例句里的目标词。下一格把三层分别放大 `STRETCH` 里的倍数，取*未训练*的混合，再测它区分义项的准确率。每次运行之前先写下两个预测：各层在总和里各占多少，准确率是升、是降还是不变。依次试 `(4, 1, 1)` 和 `(1, 4, 1)`，然后令 `LAYER_NORM = True`，重复一遍。

# %% key="knob-run"
STRETCH = (1, 1, 1)  # try (4, 1, 1), then (1, 4, 1)
LAYER_NORM = False

stretched = torch.from_numpy(in_context) * torch.tensor(STRETCH)[:, None, None]  # (L+1, N, 2P)
part = stretched.norm(dim=2).mean(1)
untrained = ScalarMix(3, do_layer_norm=LAYER_NORM)
with torch.no_grad():
    v = untrained(stretched[:, None])[0].numpy()  # (N, 2P)
if not LAYER_NORM:
    print(t("part of the sum of norms:", "占模长之和的比例："),
          "  ".join(f"{name} {p:.0%}" for name, p in zip(names, part / part.sum(), strict=True)))  # fmt: skip
print(t("accuracy, nearest centroid:", "准确率，最近质心："), f"{macro(by_word(v, annotated))['nearest_centroid']:.3f}")

# %% [markdown] key="knob-answer" lang="en"
# <details><summary>What comes out, and why</summary>
#
# With `(1, 1, 1)` layer 0 has 57 % of the sum, and the accuracy is 0.838. With `(4, 1, 1)` layer 0 has 84 %, yet the accuracy hardly moves, 0.842. For one word,
# layer 0 is the *same* vector in every sentence. Adding more of a constant changes nothing about which sentences lie nearer to each other, at least for
# distances, and very little for cosines. With `(1, 4, 1)` layer 1 takes over, with 47 %, and the accuracy moves little either, 0.824, but for another reason: by the nearest centroid
# layer 1 alone tells senses apart nearly as well (0.820) as layer 2 alone (0.836), while layer 0 alone (0.431) is no better than always giving the commonest sense (0.436). With layer norm all settings give
# the same number, 0.832, because the norm divides each factor away again. So a large part in the sum is not the
# same as a large influence: what also counts is what a layer says about the question, and whether another layer says it, too.
#
# </details>

# %% [markdown] key="knob-answer" lang="zh" follows="ff348dc0"
# <details><summary>结果和解释</summary>
#
# `(1, 1, 1)` 时第 0 层占总和的 57%，准确率 0.706。`(4, 1, 1)` 时第 0 层占到 84%，准确率却没有变化，还是 0.706。对同一个词来说，第 0 层在每句里都是*同一个*向量，多加一些常量，用距离来衡量时不改变哪些句子彼此更近，用余弦来衡量时改变也很小。`(1, 4, 1)` 时第 1 层占到 47%，准确率变得也不多，是 0.691，原因却不同：用最近质心来判断，单用第 1 层（0.676）比单用第 2 层（0.711）差得不多，而单用第 0 层只有 0.424，并不比恒答最常见的义项（0.427）强。加上层归一化之后，各种设置都得到同一个数 0.705，因为归一化把放大的倍数又除掉了。可见在总和里占得多不等于影响大，还要看这一层对所问的问题说了什么，以及别的层是不是也说了同样的话。
#
# </details>

# %% [markdown] key="next" lang="en"
# ## What to read next
#
# * Peters et al. (2018), NAACL: sections 3.2 to 3.4, 4 and 5.1, 5.2; the supplement on tuning and
#   $\gamma$.
# * Peters, Neumann, Zettlemoyer, Yih (2018), EMNLP: *Dissecting contextual word embeddings*,
#   with LSTM, Transformer and convolutional biLMs.
# * Peters, Ruder, Smith (2019): *To tune or not to tune?* Frozen features against fine-tuning.
# * Lesson 08 asks each layer on its own what it knows. The exercises:
#   `exercises/07_elmo_mixing`.

# %% [markdown] key="next" lang="zh" follows="114e2980"
# ## 接下来读什么
#
# * Peters 等（2018），NAACL：3.2 至 3.4 节、第 4 节和 5.1、5.2 节；附录讲领域适应和 $\gamma$。
# * Peters、Neumann、Zettlemoyer、Yih（2018），EMNLP：*Dissecting contextual word embeddings*，比较了 LSTM、Transformer 和卷积三种双向语言模型。
# * Peters、Ruder、Smith（2019）：*To tune or not to tune?* 冻结特征还是微调。
# * 第 08 课一层一层地问：它究竟知道什么？练习：`exercises/07_elmo_mixing`。
