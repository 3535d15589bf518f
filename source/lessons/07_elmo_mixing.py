# %% [markdown] key="title" lang="en"
# # 07 · Mixing ELMo's layers, and plugging the mix in
#
# After this lesson you can
#
# * compute ELMo's weighted sum of layers by hand, and say what each symbol is for;
# * explain why the learned weights of layers of different lengths mislead, and $\gamma$;
# * use the old AllenNLP interface, and know what it returns and what it does not;
# * freeze a biLM, compute its features once, and say how many seconds that saves;
# * plug ELMo into three kinds of task, and compare it with baselines that are fair;
# * read tables of ELMo's gains: points, relative errors, one layer or all of them.
#
# Running time, measured on two cores: under two minutes (quick profile: half of one).
# The paper: Peters et al., *Deep contextualized word representations*, NAACL 2018,
# sections 3.2 to 5.2.

# %% [markdown] key="title" lang="zh" follows="e7a70ee8"
# # 07 · ELMo 各层怎样混合，又怎样接进任务
#
# 学完本课，你能够
#
# * 手算 ELMo 的各层加权和，说清每个符号管什么；
# * 解释各层长短不一时，学出来的权重为什么会骗人，以及 $\gamma$ 的用处；
# * 使用当年 AllenNLP 的接口，知道它返回什么、不返回什么；
# * 冻结双向语言模型，特征只算一次，并说出省下多少秒；
# * 把 ELMo 接进几类任务，同公平的基线比较；
# * 读懂各种“ELMo 提升了多少”：百分点、相对错误率、一层还是所有层。
#
# 在双核电脑上实测不到两分钟（精简规模约半分钟）。论文：Peters 等，*Deep contextualized word representations*，NAACL 2018，第 3.2 至 5.2 节。

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
# The biLM of lesson 06 gives a word not one vector but a stack of them: layer 0 knows the
# spelling, layers 1 and 2 have read the sentence. A task's model wants *one* vector a word.
# Which layer? ELMo's answer: let the task decide, and let it take some of each.
#
# Say the three layers of a word are $(2, 0)$, $(0, 2)$ and $(4, 4)$, two numbers each. The
# task holds a weight for each layer, $w = (0, 1.1, 0.4)$. A softmax turns them into shares
# that are positive and add up to 1: about $(0.18, 0.55, 0.27)$. The mix is
# $0.18\,(2, 0) + 0.55\,(0, 2) + 0.27\,(4, 4) \approx (1.45, 2.18)$. One more number, $\gamma$,
# stretches the result: with $\gamma = 0.5$ the word's vector is $(0.72, 1.09)$. In the
# paper's symbols (equation 1), for word $k$ of a sentence:
#
# $$\mathrm{ELMo}_k^{task} = \gamma^{task} \sum_{j=0}^{L} s_j^{task}\, h_{k,j}^{LM},
#   \qquad s^{task} = \mathrm{softmax}(w^{task}).$$
#
# $h_{k,0}$ is the token layer, $x_k$ twice; it is *inside* the sum. What carries the index
# *task* is learned with the task: $L + 1$ weights and $\gamma$, four numbers here. The
# biLM below them stays as it is.
#
# ![On the left in grey the frozen biLM with its layers 0 to L = 2; each layer of a word is multiplied by its share s, the softmax of learned weights w, and their sum times γ is the ELMo vector, which is laid beside the word vector and read by the task’s model; the weights, γ and the task’s model are green, for they are learned.](drawing:scalar_mix)

# %% [markdown] key="by-hand" lang="zh" follows="a43ca597"
# ## 1 · 先手算一次混合
#
# 第 06 课的双向语言模型给每个词的不是一个向量，而是一摞：第 0 层只认得写法，第 1、2 层读过整句。可任务的模型，一个词只要*一个*向量。用哪一层？ELMo 的回答是：让任务自己定，而且每层都可以取一点。
#
# 假设某个词的三层分别是 $(2, 0)$、$(0, 2)$、$(4, 4)$，每层只有两个数。任务给每层存一个权重，$w = (0, 1.1, 0.4)$。经过 softmax，变成三个正的、加起来等于 1 的份额，约为 $(0.18, 0.55, 0.27)$。于是混合的结果是 $0.18\,(2, 0) + 0.55\,(0, 2) + 0.27\,(4, 4) \approx (1.45, 2.18)$。还有一个数 $\gamma$ 负责整体伸缩：若 $\gamma = 0.5$，这个词的向量就是 $(0.72, 1.09)$。写成论文的记号（式 1），对句中第 $k$ 个词：
#
# $$\mathrm{ELMo}_k^{task} = \gamma^{task} \sum_{j=0}^{L} s_j^{task}\, h_{k,j}^{LM},
#   \qquad s^{task} = \mathrm{softmax}(w^{task})$$
#
# $h_{k,0}$ 是词层，也就是并排的两个 $x_k$；它也在求和号*里面*。带上标 *task* 的量随任务一起学：$L + 1$ 个权重和一个 $\gamma$，在这里一共四个数。下面的双向语言模型原封不动。
#
# ![左边灰色的是冻结的双向语言模型，有第 0 到 L = 2 层；一个词的各层分别乘上份额 s（权重 w 的 softmax），加起来再乘 γ，就是 ELMo 向量，它和词向量摆在一起，交给任务的模型；权重、γ 和任务的模型是绿色的，都要学。](drawing:scalar_mix)

# %% key="by-hand-run"
mix = ScalarMix(3)
mix.w.data = torch.tensor([0.0, 1.1, 0.4])
mix.gamma.data = torch.tensor(0.5)
three = torch.tensor([[2.0, 0.0], [0.0, 2.0], [4.0, 4.0]])[:, None, None]  # (3, 1, 1, 2)
print("s =", mix.weights.detach().numpy().round(2))
print("ELMo =", mix(three).detach().numpy().round(2)[0, 0])
course_lib.source(ScalarMix)

# %% [markdown] key="corners" lang="en"
# Two things follow from the formula, and we check both on a real sentence. Before training
# $w = 0$, so that an untrained mix is the plain *mean* of the layers. And a large weight
# shuts the others out: the mix contains "last layer only" as a corner.

# %% [markdown] key="corners" lang="zh" follows="9852e658"
# 从公式立刻得出两点，拿真实的句子验证一下。训练之前 $w = 0$，所以没训练过的混合就是各层的*平均*；某个权重很大时，别的层就被挤掉了：“只用最后一层”不过是混合的一个极端情形。

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
# ## 2 · Layers of different lengths: why $\gamma$, and what the weights hide
#
# Is a share of one third a third of the *influence*? Only if the layers are equally long.
# Let us measure the length of the vectors, layer by layer, over real sentences.

# %% [markdown] key="lengths" lang="zh" follows="355f0664"
# ## 2 · 各层长短不一：$\gamma$ 的用处，权重的障眼法
#
# 份额三分之一，*影响*就是三分之一吗？各层向量一样长才行。拿真实的句子，一层一层量一量。

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
figure, axes = plt.subplots(1, 2, figsize=(8.2, 3.2), layout="constrained")
axes[0].boxplot(length.T, tick_labels=names, showfliers=False)
axes[0].set_ylabel(t("length of a word's vector", "词的向量长度"))
for row, amounts in enumerate(pull.values()):
    left = 0.0
    for k, part in enumerate(amounts / amounts.sum()):
        axes[1].barh(row, part, left=left, color=f"C{k}", label=names[k] if row == 0 else None)
        axes[1].text(left + part / 2, row, f"{part:.0%}", ha="center", va="center", color="white")
        left += part
axes[1].set_yticks([0, 1], list(pull))
axes[1].invert_yaxis()
axes[1].set_xlabel(t("share in the sum of lengths, all s = 1/3", "占长度之和的份额（s 都是 1/3）"))
axes[1].legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize=8)
course_lib.show(
    figure,
    alt=t(
        "Left: lengths of the vectors of the three layers. Right: each layer's share of the "
        "lengths with equal weights, unequal as they are, equal after layer norm.",
        "左：三层向量的长度分布。右：权重相等时各层占长度之和的份额，原样不等，层归一化之后相等。",
    ),
)
static = course_lib.load(f"static-{t.language}")
print(t("length of the static vectors, mean:", "静态词向量的平均长度："),
      f"{np.linalg.norm(static.vectors, axis=1).mean():.1f}")  # fmt: skip

# %% [markdown] key="lengths-seen" lang="en"
# **What to see.** With equal shares the longest layer has the largest part of the sum. So a
# small learned $s_0$ may only say that layer 0 is long. This is the **norm caveat**: read
# learned weights beside the lengths that they multiply. Two remedies:
#
# * **Layer norm** before the mix (`do_layer_norm`): each layer gets mean 0 and variance 1,
#   over *all* words of the batch together and without counting the padding. Then shares
#   can be compared. The price: a word's vector depends on its batch. The paper says that it
#   helped in some cases; it is off by default.
# * $\gamma$. It cannot tell layers apart, but it sets how long the mix is beside what it
#   is joined to. The biLM's layers were made to feed a softmax, not your task. Without
#   $\gamma$, the authors report in their supplement, the last layer alone fell *below* the
#   baseline on SNLI, and training failed altogether on SRL.

# %% [markdown] key="lengths-seen" lang="zh" follows="836e2c00"
# **看什么。** 份额相等时，最长的那一层在总和里占得最多。所以，学出来的 $s_0$ 小，也许只说明第 0 层长。这就是**长度问题**：看权重，一定要连同它所乘的向量有多长一起看。办法有两个：
#
# * 混合之前先做**层归一化**（`do_layer_norm`）：每层减去均值、除以标准差，均值和方差对这一批里*所有*的词一起算，填充不算。这样份额才可以互相比较。代价是，一个词的向量会随同批的句子而变。论文说它在有些情况下有帮助；默认是关着的。
# * $\gamma$。它对各层一视同仁，但决定混合之后的向量有多长，好同任务里别的输入相称。双向语言模型的各层是为 softmax 准备的，不是为你的任务准备的。作者说，不用 $\gamma$ 的话，只取最后一层在 SNLI 上还*不如*基线，SRL 则根本训练不起来（见论文的附录）。

# %% [markdown] key="penalty" lang="en"
# ## 3 · λ: how far may the weights go?
#
# The paper adds $\lambda \lVert w \rVert_2^2$ to the task's loss. The penalty is on $w$, not
# on $s$; it is smallest at $w = 0$, which is the mean of the layers. So a large $\lambda$
# means "average", a small one "decide for yourself". The paper used 1 and 0.001.
#
# A toy task shows it. Say that the loss falls by 0.3 for all of layer 0, by 1 for layer 1 and
# by 0.8 for layer 2: loss $= -(0.3\,s_0 + 1\,s_1 + 0.8\,s_2) + \lambda\lVert w\rVert^2$. We
# minimise it for many $\lambda$ at once.

# %% [markdown] key="penalty" lang="zh" follows="559a7f36"
# ## 3 · λ：权重可以走多远
#
# 论文在任务的损失上加了一项 $\lambda \lVert w \rVert_2^2$。罚的是 $w$，不是 $s$；$w = 0$ 时最小，也就是各层平均。所以 $\lambda$ 大等于说“平均吧”，$\lambda$ 小等于说“自己定”。论文用过 1 和 0.001。
#
# 看一个玩具任务。假设全用第 0 层，损失能降 0.3；全用第 1 层降 1；全用第 2 层降 0.8。损失就是 $-(0.3\,s_0 + 1\,s_1 + 0.8\,s_2) + \lambda\lVert w\rVert^2$。对许多个 $\lambda$ 同时求最小值。

# %% key="penalty-picture" fold=true
strengths = torch.logspace(-4, 1, 26)
w = torch.zeros(26, 3, requires_grad=True)
worth = torch.tensor([0.3, 1.0, 0.8])
optimizer = torch.optim.Adam([w], lr=0.05)
for _ in tqdm(range(800), file=sys.stdout):
    optimizer.zero_grad()
    loss = -(w.softmax(1) @ worth) + strengths * w.square().sum(1)
    loss.sum().backward()
    optimizer.step()
figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
for k, name in enumerate(names):
    ax.plot(strengths, w.softmax(1)[:, k].detach(), "o-", ms=3, label=name)
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
# **What to see.** On the right the three meet at one third; at the dashed line of 1 they
# are already close to it. On the left one layer wins. In a real task the weights stop short
# of that for another reason, too: training ends. With Adam a weight moves by about the
# learning rate a step, so what is "learned" in a few hundred steps depends on the rate.
# (Ours gives $w$ five times the rate of the other parameters. AllenNLP's `Elmo` itself
# has no $\lambda$: one asks for it in the configuration, as an L2 penalty on these parameters;
# its own tagger of names has 0.1, its semantic roles 0.001.)

# %% [markdown] key="penalty-seen" lang="zh" follows="7e4f0ead"
# **看什么。** 最右边三条线汇到三分之一；到虚线 1 处，已经差不多了。最左边由一层独占。真实的任务里，权重走不到那么远，还有一个原因：训练会停。用 Adam 时，一个参数每步大约挪一个学习率，只训几百步，“学到”多少就和学习率有关。（本课的代码让 $w$ 的学习率是其他参数的五倍。AllenNLP 的 `Elmo` 本身没有 $\lambda$，要在配置里给这几个参数加一项 L2：它自己的命名实体配置用 0.1，语义角色用 0.001。）

# %% [markdown] key="allennlp" lang="en"
# ## 4 · The interface that everybody used
#
# For two years "using ELMo" meant three lines of AllenNLP: `Elmo(options_file, weight_file,
# …)` and `batch_to_ids`. The library was archived in 2022; the course has the same names,
# arguments and returned keys, so that old code runs. It also reads and writes the released
# file format, an options JSON and an HDF5 file. We save our own biLM in it, and load it as
# if it were the released one.

# %% [markdown] key="allennlp" lang="zh" follows="543f7bf8"
# ## 4 · 当年人人都用的接口
#
# 有两年时间，“用 ELMo”就是 AllenNLP 的几行代码：`Elmo(options_file, weight_file, …)` 加上 `batch_to_ids`。这个库 2022 年封存了；课程里保留了同样的名字、参数和返回的键，旧代码照样能跑。官方的文件格式（一个 JSON 的选项文件，一个 HDF5 的权重文件）也能读能写。下面把我们自己的双向语言模型存成这种格式，再当作官方模型读进来。

# %% key="allennlp-run"
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
# **What to see**, because each line has cost somebody a day:
#
# * `elmo_representations` is *not* the list of layers. It is a list of mixes, one for
#   each place where you want to plug ELMo in. Untrained they are all the mean.
# * A new module is in training mode and has dropout 0.5: two calls differ until `eval()`.
# * `requires_grad=False` freezes the biLM, not the mix: $w$ and $\gamma$ are trained.
# * There is one thing more, which our version leaves out on purpose. AllenNLP's LSTMs
#   *remember* from batch to batch, so that the same sentence has different vectors the
#   second time. Ours begins each sentence from an empty state unless you ask for the
#   other (`stateful=True`).

# %% [markdown] key="allennlp-seen" lang="zh" follows="db705b08"
# **看什么。** 下面每一条都有人为它白耗过一天：
#
# * `elmo_representations` *不是*各层的列表，而是若干个混合，你想接进几处就有几个。没训练时，个个都是平均。
# * 模块刚建好时处于训练状态，带着 0.5 的 dropout：不调用 `eval()`，两次结果就不一样。
# * `requires_grad=False` 冻结的是双向语言模型，不是混合：$w$ 和 $\gamma$ 照样训练。
# * 还有一点，我们的版本有意改了。AllenNLP 的 LSTM 会把状态从一批*带到*下一批，同一句话第二次读，向量就变了。我们默认每句都从空状态读起，想要原来的行为就用 `stateful=True`。

# %% [markdown] key="frozen" lang="en"
# ## 5 · Frozen, and computed once
#
# A frozen biLM gives a sentence the same layers in every epoch. Then why compute them in
# every epoch? `features` computes them once, keeps them on the disk in half precision, and
# next time only opens the file (a *memory map*: numbers are read when they are used). The
# file's name is a hash of the weights and the words, so that another checkpoint or another
# sentence is never mistaken for this one.

# %% [markdown] key="frozen" lang="zh" follows="1804d2ba"
# ## 5 · 冻结，只算一次
#
# 双向语言模型冻结之后，同一句话每一轮得到的各层都一样，何必每轮重算？`features` 只算一次，以半精度存到磁盘，下次只打开文件（*内存映射*：用到哪个数才读哪个）。文件名是权重和词的哈希值，换了模型或者换了句子，绝不会张冠李戴。

# %% key="frozen-run"
from course_lib.training.features import features

course_lib.source(features)
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
    for _ in tqdm(range(2), file=sys.stdout):
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
# **What to see.** Reading costs a small part of computing, and every further epoch, seed
# and variant is free. What it costs is space: $(L+1) \cdot 2P$ half-precision numbers a
# word, here 1.5 kB. And it holds only as long as nothing below the mix is trained. Dropout
# *inside* the biLM, or one step of fine-tuning, and the file is worthless.

# %% [markdown] key="frozen-seen" lang="zh" follows="668bce97"
# **看什么。** 读回来比重算便宜得多，而且以后每多一轮、多一个随机种子、多一种做法，都不用再算。代价是空间：每个词 $(L+1) \cdot 2P$ 个半精度数，这里是 1.5 kB。前提是混合以下的部分一概不训练：在双向语言模型*里面*加 dropout，或者微调哪怕一步，这个文件就作废了。

# %% [markdown] key="plug" lang="en"
# ## 6 · Plugging it in
#
# The task's model is what a task's model was in 2018: word vectors, a bidirectional LSTM, an
# output layer. Tagging scores each word; a text is judged by the largest value of each number
# over its words; of two texts both are read and compared as in lesson 04. ELMo's mix is laid
# beside the word vectors, and nothing else changes.
#
# A comparison is worth what its baselines are worth. Ours:
#
# * **baseline**: no ELMo, but static vectors trained on the same text, and learned *marks*:
#   the word, its last letters, its shape. Without marks, part of ELMo's gain would be that it
#   can spell.
# * **token layer**: ELMo's layer 0 alone. It has read no context; what it adds is spelling.
# * **top layer**: what TagLM used (lesson 05).
# * **uniform mix**: the mean, with $\gamma$. **Learned mix**: all four numbers.
#
# One departure: $\gamma$ begins at 0.2, not at 1, because our layers are several times as
# long as the word vectors beside which they stand (section 2).
#
# All get the same 500 labelled examples, the same number of rounds and the same 200 examples to
# choose the best round with. (500 is few. With many labels a baseline gets nearer.)

# %% [markdown] key="plug" lang="zh" follows="efbd6297"
# ## 6 · 接进任务
#
# 任务的模型就是 2018 年常见的样子：词向量，双向 LSTM，输出层。标注任务给每个词打分；判断一段文本，就对每一维取全句的最大值；两段文本则各读一遍，再照第 04 课的办法比较。ELMo 的混合摆在词向量旁边，此外什么都不变。
#
# 比较有没有价值，要看基线硬不硬。我们的几种做法：
#
# * **基线**：没有 ELMo，但有在同样语料上训练的静态词向量，还有从零学起的*写法特征*：这个词（字）本身、末尾几个字、字母大小写和数字的式样（如 Xx、9-x），以及是不是词的开头。中文实体按字标注，一个字用的是它所在的词的向量。（MSRA 和外卖评论的文本，静态向量和双向语言模型预训练时大都读过，测试部分也在内，只是没见过标签。）
# * **词层**：只用 ELMo 的第 0 层。它没有读过上下文，带来的只是写法上的信息。
# * **顶层**：TagLM 的用法（第 05 课）。
# * **平均混合**：各层平均，再乘 $\gamma$。**学习混合**：四个数都学。
#
# 有一处和论文不同：$\gamma$ 从 0.2 开始，不从 1 开始，因为我们这几层比旁边的词向量长好几倍（第 2 节）。
#
# 大家用同样的 500 条标注，训练同样的轮数，用同样的 200 条来挑最好的一轮。（500 条不多；标注多了，基线会追上来一些。）

# %% key="plug-code"
from course_lib.models.plugged import Plugged

course_lib.source(Plugged.read, plug_in.PlugIn)
print(*(f"{name:12} {way}" for name, way in plug_in.WAYS.items()), sep="\n")

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
    for way in tqdm(ways, desc=TITLES[name], file=sys.stdout):
        models[name, way], live[name, way] = plug_in.learn(made, plug_in.WAYS[way], 0, sizes)
    score = "F1" if made.task.kind == "tagging" else t("accuracy", "准确率")
    for way in ways:
        print(f"{TITLES[name]:24} {WAYS[way]:12} {score} {100 * live[name, way]:.1f}")
print(t("seconds:", "秒数："), round(time.perf_counter() - began))
for name in tasks:
    mix = models[name, "learned mix"].mixes["input"]
    print(TITLES[name], "s =", mix.weights.detach().numpy().round(2), "γ =", round(mix.gamma.item(), 2))

# %% [markdown] key="plug-seen" lang="en"
# **What to see.** One seed, so only large differences mean something. Compare the token layer
# with the baseline (spelling), then the top layer with the token layer (context), then the
# mixes with the top layer. (In the quick profile there are too few examples to see
# anything.)
#
# Now with several seeds, on more tasks. A seed draws the 500 labelled examples, the first
# parameters, and the order. Differences are taken within a seed.

# %% [markdown] key="plug-seen" lang="zh" follows="1ae48854"
# **看什么。** 只有一个随机种子，差别很大才作数。先拿词层比基线（写法的功劳），再拿顶层比词层（上下文的功劳），最后拿两种混合比顶层。（精简规模下例子太少，看不出什么。）
#
# 下面换成多个随机种子、更多任务。种子决定抽哪 500 条标注、参数的初值和训练的次序；差值都在同一个种子内部相减。

# %% key="plug-stored" fold=true
def points(span, digits=1):
    """Write a difference in points, with its interval if there are seeds for one."""
    return claims.signed(type(span)(*(100 * x for x in span)), digits)


kept = claims.card("last-layer-gives-most").rows  # all seeds, both languages
means = claims.over_seeds(kept, "score")
n_seeds = claims.n_seeds(kept)
gains = [("top layer", "token layer"), ("learned mix", "top layer"), ("learned mix", "uniform mix")]
claims.show_table(
    [t("task", "任务"), *WAYS.values()],
    [
        [TITLES[name], *(f"{100 * means[way, name].estimate:.1f}" for way in WAYS)]
        for name in claims.conditions(kept, "score")
    ],
)
claims.show_table(
    [t("points", "相差（百分点）"), *(f"{WAYS[a]} − {WAYS[b]}" for a, b in gains)],
    [
        [TITLES[name], *(points(claims.gain_in(kept, "score", a, b, name)) for a, b in gains)]
        for name in claims.conditions(kept, "score")
    ],
)
print(t(f"{n_seeds} seed(s); span F1 for chunks and entities, else accuracy; 500 labels",
        f"{n_seeds} 个种子；组块和实体用 F1，其余用准确率；500 条标注"))  # fmt: skip

# %% [markdown] key="plug-stored-seen" lang="en"
# **What to see.** Read the second table from left to right: what context adds to spelling;
# what all layers add to the last; what *learning* the weights adds to the mean. Where an
# interval contains zero, these seeds cannot tell; its width says which difference they could
# have missed. Learned weights beat the mean in chunks and in food delivery, by less than a point; all layers beat the
# last one significantly nowhere, and in food delivery they are behind it. Then look at the baseline's own
# column. Where the baseline is at chance, the task is too hard for 500 labels and a small
# model, and a difference there says little about ELMo.

# %% [markdown] key="plug-stored-seen" lang="zh" follows="1b9edff3"
# **看什么。** 第二张表从左往右看：上下文比写法多给了多少；所有层比最后一层多给了多少；*学*权重比取平均又多给了多少。区间跨过零的，这些种子分不出高下；区间有多宽，就可能漏掉多大的差别。学权重比取平均，在组块和外卖评论上显著高，都不到一个点；所有层比最后一层，哪个任务都没有显著领先，外卖评论上还落后。再回头看基线那一列：如果基线跟瞎猜差不多，说明 500 条标注和这么小的模型对付不了这个任务，那里的差别也就说明不了 ELMo 什么。

# %% [markdown] key="six" lang="en"
# ### How a gain is reported
#
# The paper's table 1 has six tasks, and reports for each the relative error reduction: the
# share of the baseline's *errors* that is gone,
#
# $$\frac{\text{new} - \text{baseline}}{100 - \text{baseline}}.$$
#
# From 88.0 to 88.7 it is $0.7 / 12.0 = 5.8\,\%$. Popular accounts mix it up with points, and
# pick their favourite task: "up to 25 %" is the share of SQuAD's errors that is gone, and a rise of 4.7 points; the
# gain on SNLI, praised as the most impressive one, is the smallest of the six by either measure. Here are all
# six, from the paper's scores, recomputed, against the authors' *own* baseline; and below, in a table of their own, ours.

# %% [markdown] key="six" lang="zh" follows="27ec506e"
# ### 提升是怎么报告的
#
# 论文的表 1 有六个任务，每个都报告了相对错误率下降，也就是基线犯的*错*里消失了多大一部分：
#
# $$\frac{\text{新} - \text{基线}}{100 - \text{基线}}$$
#
# 从 88.0 到 88.7，就是 $0.7 / 12.0 = 5.8\%$。流行的文章常把它和百分点混为一谈，又各挑各的任务来讲：“最多提高 25%”，指的是 SQuAD 的错误少了这么多，分数涨的是 4.7 个点；被称作最惊人的 SNLI，无论论点数还是相对错误率，都是六个里最小的。下面用论文的分数把六个任务都重算一遍，比的是作者*自己的*基线；我们的另列一表。

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

# %% [markdown] key="last" lang="en"
# ### Does one need all the layers?
#
# The paper's table 2, on development sets, answers what most accounts leave out: the *last
# layer alone* already gives most of the gain. The card asks the same of our runs: it shows the last layer's gain minus half
# of the learned mix's, and counts tasks in which the mix helps significantly.

# %% [markdown] key="last" lang="zh" follows="55a6e2ce"
# ### 真的需要所有的层吗？
#
# 论文的表 2（开发集）回答了多数文章没提的一点：*只用最后一层*，就已经拿到大部分提升。卡片拿同样的问题问我们的实验：用最后一层的提升减去学习混合的提升的一半；只有学习混合显著有用的任务才计入。

# %% key="last-card" fold=true
claims.card("last-layer-gives-most").show(t)

# %% [markdown] key="weights" lang="en"
# ## 7 · What the weights learned
#
# It is tempting to read the learned $s$ as a message: *syntactic tasks take the lower layers,
# semantic tasks the higher ones.* The paper's figure 2 shows something else: at the input
# the *first* LSTM layer is favoured, in all tasks, most of all in coreference and SQuAD; at
# the output the weights are nearly flat. What it does find, that layer 1 is better for
# part-of-speech and layer 2 for word senses, comes from *probes*, one layer at a time
# (lesson 08). Here are ours: as they are, with layer norm, and as they are times the layers'
# lengths, measured as in section 2, on the task's own texts.

# %% [markdown] key="weights" lang="zh" follows="263bbc26"
# ## 7 · 权重学到了什么
#
# 看到学出来的 $s$，很容易读出这样一条结论：*句法任务用低层，语义任务用高层*。论文的图 2 说的却是另一回事：接在输入端时，所有任务都偏爱*第一层* LSTM，共指和 SQuAD 尤其明显；接在输出端时，权重几乎是平的。“第 1 层词性好、第 2 层词义好”是*探针*的结果，一次只测一层（第 08 课），和这里的权重是两码事。下面是我们的：原样学的，加了层归一化学的，以及原样的权重乘上各层的长度（量法同第 2 节，量的是各任务自己的文本）。

# %% key="weights-picture" fold=true
mine = mixing.TASKS[t.language]
heavy = [r for r in claims.card("layer-weights-by-task").rows
         if r["condition"].partition(":")[0] in mine]  # fmt: skip
shares, lengths = (claims.over_seeds(heavy, metric) for metric in ("weight", "norm"))
order = claims.conditions(heavy, "score")
panels = t(("as they are", "with layer norm", "as they are, times length"),
           ("原样", "加层归一化", "原样，乘上长度"))  # fmt: skip
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
        ax.bar(places, values, width=0.25, color=f"C{i}", label=TITLES[name])
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
        "raw times the layers' lengths.",
        "每个任务三层权重的条形图：原样、层归一化、原样乘以各层长度。",
    ),
)
print(t(f"{claims.n_seeds(heavy)} seed(s); bars: 95 % intervals where there are several",
        f"{claims.n_seeds(heavy)} 个种子；有多个种子时，短线是 95% 区间"))  # fmt: skip

# %% [markdown] key="weights-seen" lang="en"
# **What to see.** Compare the first panel with the third: a layer whose share is small may
# have a large part in the sum, because its vectors are long. Only the second panel compares
# like with like. Then look across the tasks: is their order the one that the popular
# sentence says? Three more reasons for caution: $w$ stops where training stops; a layer and
# the next are alike, so that weight can move between them at no cost; and the model above
# can undo much of what the mix does.
#
# The card puts it in one number: the *mean layer*, $\sum_j j\,s_j$, of each sentence task minus that of the tagging
# task of the same language. Of the four differences with English film reviews and Rivertown's Chinese questions all are *below* 0, against the
# popular sentence; food delivery's two are above it, by less than a tenth of a layer.

# %% [markdown] key="weights-seen" lang="zh" follows="78a97820"
# **看什么。** 先比左右两幅：份额小的层，因为向量长，在总和里可能占了很大一块。只有中间那幅是在同样的尺度上比。再横着比各个任务：次序是不是流行说法里的那样？还有三条理由要小心：训练停在哪里，$w$ 就停在哪里；相邻两层本来就像，权重在它们之间挪来挪去，损失几乎不变；混合所做的事，上面的模型多半还能改回来。
#
# 卡片把它归成一个数：先算*平均层位* $\sum_j j\,s_j$，它越小，取的层越低；再拿每个句子任务的减去同一种语言里标注任务的。英文影评和河湾镇问答的四个差都*小于* 0，和流行的说法相反；外卖评论的两个大于 0，但不到十分之一层。

# %% key="weights-card" fold=true
claims.card("layer-weights-by-task").show(t)

# %% [markdown] key="gamma" lang="en"
# ### And γ?
#
# Without γ, says the paper's supplement, the last layer alone came out below the baseline (section 2). Yet γ lets
# the model say nothing more: γ times the mix, and weights $W$ above it, is the mix with weights $\gamma W$. If
# γ matters, it matters on the way there, and so does the rate of learning. So each kind of γ gets the best of
# three rates, chosen on dev: γ fixed at 1; learned from 1, as in the paper; fixed at 0.2, which makes our mix
# about as long as the word vectors beside it; learned from 0.2, as in section 6.
#
# The card compares the first two. (Film reviews and the last kind were added later, when the other two tasks were known.)

# %% [markdown] key="gamma" lang="zh" follows="4bff9736"
# ### 那么 γ 呢？
#
# 论文的附录说，去掉 γ，只用最后一层还不如基线（第 2 节）。可是 γ 并不让模型多表达什么：混合先乘 γ，再过上面的权重 $W$，等于混合直接过 $\gamma W$。γ 要是有用，只能是让训练更容易走到那个解；而训练走得顺不顺，也取决于学习率。所以 γ 的每一种处理都试三个学习率，在开发集上挑最好的：固定为 1；像论文那样从 1 学起；固定为 0.2，这样混合就和旁边的词向量差不多长；从 0.2 学起，也就是第 6 节的做法。
#
# 卡片比的是前两种。（影评和最后一种处理，是另外两个任务测完之后加的。）

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
# **What to see.** Whether *learning* γ helps cannot be told: no difference is significant, and the two widest intervals, of
# film reviews, leave room for a gain of nearly 2 and of nearly 3 points. But the length counts: for film reviews 0.2 beats 1, by 2.4 points with the
# last layer and by 3.0 with the learned mix, while the learned mix loses 1.3 points of chunks by it and 1.6 of food delivery. Where γ begins decides, and
# training does not make up for it: for film reviews (rate 0.005) γ ends below 0.1 if it began at 0.2, and near 0.5 if it began
# at 1. So our start at 0.2 suits one task of three. The paper speaks of larger networks and other tasks, in which training failed
# without γ; a null result in small ones says nothing against that.

# %% [markdown] key="gamma-seen" lang="zh" follows="257f26e1"
# **看什么。** *学* γ 有没有用，看不出来：没有一处差别显著，影评的两个区间又宽，高近 2 个点和近 3 个点都还在里面。长短却要紧：影评上，0.2 比 1 高，只用最后一层高 2.4 个点，学习混合高 3.0 个点；换到组块和外卖评论，学习混合用 0.2 分别少 1.3 和 1.6 个点。关键是从哪里起步，训练补不回来：同是影评，学习率 0.005，从 0.2 起步，γ 停在 0.1 以下；从 1 起步，停在 0.5 上下。我们从 0.2 起步，三个任务里只合适一个。论文说的是更大的网络、别的任务，没有 γ 就训练不起来；小网络上看不出差别，并不能反驳它。

# %% [markdown] key="penalty-real" lang="en"
# And λ, on real tasks? The toy of section 3 says what to expect of the weights; the table
# says what it is worth.

# %% [markdown] key="penalty-real" lang="zh" follows="6cb38ad9"
# 那么 λ 在真实任务上呢？第 3 节的玩具任务说明了权重会怎样变；值多少分，看这张表。

# %% key="penalty-table" fold=true
scores = claims.over_seeds(heavy, "score")
claims.show_table(
    [t("score; s", "分数；s"), *plug_in.PENALTIES],
    [
        [TITLES[name], *(
            f"{100 * scores[way, name].estimate:.1f};  "
            + " ".join(f"{shares[way, f'{name}: layer {k}'].estimate:.2f}" for k in range(3))
            for way in plug_in.PENALTIES
        )]
        for name in order
    ],
)  # fmt: skip

# %% [markdown] key="widget" lang="en"
# **What to see.** λ = 1 does what the toy promised: every share is a third. In the English
# edition that costs chunks 0.6 points [0.4, 0.8] against λ = 0; what it costs film reviews cannot be told, 0.6 [−0.4, 1.6];
# RTE is near chance and says nothing. (The last column has λ = 0.001, with layer norm.)
#
# Move the weights yourself. The score is not a task's but that of the sense sentences, which
# needs no training and can follow your hand: leave-one-out, nearest centroid. The star
# is the mix that the first task above learned, live.

# %% [markdown] key="widget" lang="zh" follows="aadbed85"
# **看什么。** λ = 1 正如玩具任务所示，各层都占三分之一。值多少分却看不出来：中文版里，λ = 0.001 减去 λ = 1，实体的 F1 是 −0.22 [−1.06, 0.62]，外卖评论是 0.27 [−0.03, 0.57]；河湾镇问答离瞎猜不远，说明不了什么。（最后一列是 λ = 0.001，加了层归一化。）
#
# 自己动手拖一拖权重。这里的分数不是某个任务的，而是义项例句的（留一法，最近质心）：它不用训练，可以随手变化。星号是上面第一个任务当场学到的混合。

# %% key="widget-run"
from course_lib.analysis.senses import target_vectors
from course_lib.widgets import scalar_mix

learned = models[tasks[0], "learned mix"].mixes["input"].weights.tolist()
parts = [annotated[i : i + 64] for i in range(0, len(annotated), 64)]
in_context = np.concatenate(
    [target_vectors(encoder, part) for part in tqdm(parts, file=sys.stdout)], axis=1
)  # (L+1, N, D)
scalar_mix(
    in_context, annotated, t.language, words=t(["play", "bank"], ["苹果", "花"]), learned=learned
)

# %% [markdown] key="place" lang="en"
# ## 8 · Input, output, or both?
#
# Beside the word vectors, below the task's LSTM: then the LSTM can combine what ELMo says
# about neighbouring words. Beside the LSTM's output: then ELMo reaches the decision
# directly. The paper's table 3 has input / both / output: SQuAD 85.1 / 85.6 / 84.8, SNLI 88.9 /
# 89.5 / 88.7, SRL 84.7 / 84.3 / 80.9. One possible explanation, it says: SQuAD and SNLI have
# attention (lesson 12: a word asks all the others) above the LSTM, which can use ELMo directly;
# for SRL what the task itself reads from the context is likely to matter more.
# Ours, on the English tasks:

# %% [markdown] key="place" lang="zh" follows="adb75331"
# ## 8 · 接在输入、输出，还是两处都接？
#
# 接在词向量旁边，也就是任务的 LSTM 下面：LSTM 能把 ELMo 对相邻各词的说法综合起来。接在 LSTM 的输出旁边：ELMo 直达最后的判断。论文表 3 的次序是输入 / 两处 / 输出：SQuAD 85.1 / 85.6 / 84.8，SNLI 88.9 / 89.5 / 88.7，SRL 84.7 / 84.3 / 80.9。论文给了一种可能的解释：SQuAD 和 SNLI 的模型在 LSTM 上面有注意力层（第 12 课：一个词去问所有别的词），能直接用上 ELMo；至于 SRL，大概是任务自己从上下文里读出的东西更要紧。我们在英文任务上测的：

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

# %% [markdown] key="tune" lang="en"
# ## 9 · Frozen, but first tuned to the domain
#
# "ELMo is used frozen" is half of the truth. In most cases the authors first went on training
# the biLM on the *text* of the task, without its labels, for one epoch; then they froze it.
# So ELMo had a second stage, too; ULMFiT (lesson 10) did not invent it. Our biLM has read
# news, fiction and reviews. We let it read some of the task's training text and look at the
# perplexity on its test text, which it does not read. The loss is the language model's own.

# %% [markdown] key="tune" lang="zh" follows="a8551628"
# ## 9 · 冻结之前，先适应领域
#
# “ELMo 是冻结着用的”只说对了一半。多数情况下，作者先拿任务的*文本*（不用标注）把双向语言模型接着训练一轮，然后才冻结。可见 ELMo 也有第二阶段，并不是 ULMFiT（第 10 课）才有。我们让手里的模型读一部分任务的训练文本，再看它在测试文本上的困惑度。这一轮不读测试文本；不过要说明白：MSRA 的句子，`elmo-zh` 预训练时几乎都读过，测试句也在内（没有标签），所以困惑度一开始就偏低。用的就是语言模型自己的损失。

# %% key="tune-run"
from course_lib.text.batches import Batches, read_text
from course_lib.training import domain
from course_lib.training.loop import evaluate

course_lib.source(domain.tune)
reading = [r.words for texts in task.readings["train"] for r in texts]
unread = [r.words for texts in task.readings["test"][:200] for r in texts]
held_out = Batches(read_text([unread]), encoder.vocabulary, rows=32)
tuned = course_lib.load(f"elmo-{t.language}")
before = evaluate(tuned.model, held_out).exp()  # forward, backward
steps = len(Batches(read_text([reading]), tuned.vocabulary, rows=32))
began = time.perf_counter()
with tqdm(total=steps, file=sys.stdout) as bar:

    def step_done(*_):
        bar.update()

    watch = tuned.model.register_forward_hook(step_done)
    domain.tune(tuned, reading, seed=0)
    watch.remove()
after = evaluate(tuned.model, held_out).exp()
print(task.name, sum(map(len, reading)), t("words read,", "个词，"), round(time.perf_counter() - began), t("seconds", "秒"))
for name, a, b in zip(t(("forward ", "backward"), ("前向", "后向")), before, after, strict=True):
    print(t("perplexity", "困惑度"), name, f"{a:.0f} → {b:.0f}")

# %% [markdown] key="tune-seen" lang="en"
# **What to see.** Some twenty thousand words (a thousand in the quick profile) move the perplexity. The paper: SNLI from 72.1 to
# 16.8 after one epoch on its text, which is many short sentences of one kind. Does the
# task gain, too? A lower perplexity alone does not promise it. The larger run, with
# the biLM frozen after tuning on 3,000 sentences of CoNLL-2000's training text:

# %% [markdown] key="tune-seen" lang="zh" follows="ff3f6109"
# **看什么。** 两万来个词（精简规模只有一千来个），困惑度就动了。论文里，SNLI 的文本读一轮，困惑度从 72.1 降到 16.8；那是大量同一类型的短句。任务的成绩也跟着涨吗？单凭困惑度下降，不能打包票。更大的一次实验：在 CoNLL-2000 训练文本的 3000 句上适应，然后冻结：

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
# **What to see.** The perplexity falls by a sixth and more. Whether F1 rises cannot be told: with the top layer the difference is
# within 0.3 points of 0, with the learned mix within 0.4; effects of 0.4 and 0.6 would have been found four times out of five.
# The paper, too, says that what the task gains depends on the data set.
#
# More claims about this lesson, such as what it costs that the two directions share the token layer and the softmax: the
# book's claims page, and `python -m course_lib claims list`.

# %% [markdown] key="tune-told" lang="zh" follows="091b0025"
# **看什么。** 困惑度降了六分之一还多。F1 涨没涨，看不出来：用顶层，差的区间离 0 不超过 0.3 个点，用学习混合不超过 0.4；真有 0.4 和 0.6 个点的效应，五次里能查出四次。论文也说，任务能涨多少因数据集而异。
#
# 这一课还有别的说法，比如两个方向共享词层和 softmax 要付什么代价：见书中的“论断”一页，或运行 `python -m course_lib claims list`。

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# The test of every lesson, on the mix: the mean of the layers, and the weights that the
# live task learned. The averaged static context is the line to beat.

# %% [markdown] key="scoreboard" lang="zh" follows="58b71025"
# ## 记分牌
#
# 每课都做的那个测试，这次测混合：各层平均，以及上面当场学到的权重。要跨过的杆仍是静态上下文平均。

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
# **All models so far, the same questions** (lesson 01 says which); the board is
# measured once, for all lessons.

# %% [markdown] key="board" lang="zh" follows="a6d4e81f"
# **到这一课为止的所有模型，同样的问题**（各列的含义见第 01 课）；这张榜各课共用，不在课上测。

# %% key="board-show"
claims.show_scoreboard(t, "07")

# %% [markdown] key="board-seen" lang="en"
# **What to see.** The mean of the layers, ELMo's mix before its weights are learned, is nowhere far from the best single layer, and
# hardly anywhere above it. Whoever does not know which layer a task needs loses little with it. The *learned mix*
# finds that layer without being told: for chunks it is significantly ahead of the mean, by 1.8 points. Whether it beats the best
# single layer cannot be told in any column.

# %% [markdown] key="board-seen" lang="zh" follows="bb23e1e0"
# **看什么。** 各层平均就是权重还没学之前的 ELMo 混合：哪一列都离最好的那一层不远，也几乎没有哪一列超过它。不知道任务要哪一层的时候，用它吃不了多少亏。“学出来的混合”不用人说，自己就找到了那一层：情感只有 100 条标注时，它显著高于平均，高 2.6 个百分点。它和最好的单层谁高，哪一列都看不出来。

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
# **3.** You call `Elmo(..., num_output_representations=2)` on a batch. What are the two
# tensors in `elmo_representations`?
#
# <details><summary>A. Layers 1 and 2.</summary>
#
# Not quite: the most frequent misreading. The single layers are not in the list at all.
#
# </details>
#
# <details><summary>B. Two mixes of all the layers.</summary>
#
# Right. They are for two places in your model; each has its own w and γ. Before
# training, and after `eval()`, they are the same: the mean.
#
# </details>
#
# <details><summary>C. The forward and the backward half.</summary>
#
# Not quite: both halves are in every vector, side by side.
#
# </details>
#
# ---
#
# **4.** Which of these did the authors of ELMo do in most cases?
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
# Not quite: a common account. They adapted it first.
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

# %% [markdown] key="checkpoint" lang="zh" follows="10e549a5"
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
# **2.** 刚建好 `Elmo(…, dropout=0.5)`，同一句话连读两次，结果不一样。为什么？
#
# <details><summary>A. dropout 每次随机丢掉一半的数。</summary>
#
# 对。模块刚建好，处于训练状态。先调用 `eval()`，再读多少次都一样。不少人为这一条白耗过一天。
#
# </details>
#
# <details><summary>B. LSTM 记住了上一次的状态。</summary>
#
# 再想想：原来的 AllenNLP 确有这个毛病，本课的版本默认每句从空状态读起。这里另有原因。
#
# </details>
#
# <details><summary>C. 双向语言模型还在训练，权重变了。</summary>
#
# 再想想：光读不训练，权重不会变；何况它是冻结的。
#
# </details>
#
# ---
#
# **3.** 一篇文章报告 s = (0.2, 0.5, 0.3)。量一量，第 0、1、2 层的向量大约长 30、10、12。总和里谁占得最多？
#
# <details><summary>A. 第 1 层，份额最大。</summary>
#
# 再想想：份额只是乘数，到上面去的是份额乘向量。
#
# </details>
#
# <details><summary>B. 第 0 层</summary>
#
# 对。0.2 × 30 = 6，超过 5 和 3.6。份额小，也许只因为这一层长；混合前做层归一化，份额才好互相比。
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
# **5.** ELMo 的作者在多数任务上是怎样用双向语言模型的？
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
# How long the layers' vectors are, whether there was layer norm, how many seeds, and how long
# the mix was trained. If layer 0 is three times as long as layer 1, its part in the sum is
# half of layer 1's.
# </details>
#
# <details><summary>2. You fine-tune the biLM together with the task. May you keep the
# features on the disk?</summary>
# No. After the first step the stored layers belong to another model. (The hash would
# notice.)
# </details>
#
# <details><summary>3. Baseline 90, with ELMo 92; another task 50 and 55. Which gain is
# larger?</summary>
# In points the second, 5 against 2. In relative error the first, 20 % against 10 %. Say which
# one you mean, and against which baseline.
# </details>
#
# <details><summary>4. λ = 1 and λ = 0.001 give the same score. Is the learning of the weights
# useless?</summary>
# For this task these seeds cannot tell them apart; ask first which difference they would have
# found. The layers may be alike, or the LSTM above may make up for it. It does not follow that
# one layer would do: compare with the last layer alone.
# </details>

# %% [markdown] key="questions" lang="zh" follows="21d05b1f"
# ## 检查一下自己
#
# <details><summary>1. 一篇论文报告 s = (0.1, 0.6, 0.3)，结论是第 0 层几乎没用上。你会问什么？</summary>
# 各层向量有多长，有没有做层归一化，跑了几个种子，混合训练了多久。如果第 0 层的长度是第 1 层的三倍，它在总和里的分量就有第 1 层的一半。
# </details>
#
# <details><summary>2. 双向语言模型跟着任务一起微调，特征还能存在磁盘上吗？</summary>
# 不能。走完第一步，存下来的各层就属于另一个模型了。（哈希值会变，不会误用。）
# </details>
#
# <details><summary>3. 基线 90，加 ELMo 92；另一个任务从 50 到 55。哪个提升大？</summary>
# 论点数，后者大，5 比 2；论相对错误率，前者大，20% 比 10%。要说清楚指哪一种，又是跟哪个基线比。
# </details>
#
# <details><summary>4. λ = 1 和 λ = 0.001 分数一样，学权重是不是白学了？</summary>
# 只能说，在这个任务上，这几个种子看不出差别；先要问，多大的差别它们查得出来。可能各层本来就像，也可能上面的 LSTM 补回来了。但不能由此推出只用一层就够：要和“只用最后一层”比。
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
