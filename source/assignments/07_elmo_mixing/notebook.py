# %% [markdown] key="title" lang="en"
# # Exercises 07 · Mixing ELMo's layers
#
# Five functions (10 points) and one written answer (4 points): the weighted sum of layers,
# the layer norm that goes with it, where the mix is plugged in, a step of training with the
# biLM frozen, and how a gain is reported. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="464d6908"
# # 练习 07 · ELMo 各层的混合
#
# 五个函数（10 分），一道笔答题（4 分）：各层的加权和，与之配套的层归一化，混合接在哪里，双向语言模型冻结时训练一步，以及怎样报告提升。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="scalar_mix-task" lang="en"
# ## 1. The weighted sum (2 points)
#
# Example: one word, three layers, $(2, 0)$, $(0, 2)$ and $(4, 4)$. The raw weights are
# $w=(0, 0, \ln 2)$, so that the shares are $s=\mathrm{softmax}(w)=(\frac14, \frac14,
# \frac12)$. The sum is $\frac14(2, 0)+\frac14(0, 2)+\frac12(4, 4)=(2.5, 2.5)$, and with
# $\gamma=2$ the mix is $(5, 5)$.
#
# Write `scalar_mix(layers, w, gamma)` for `layers` of shape `(L+1, T, D)` (the token layer
# first, then L layers of the biLM, for a sentence of T words) and `w` of shape `(L+1,)`. It
# returns $\gamma\sum_j s_j h_{k,j}$ for every word $k$, of shape `(T, D)`. Arrays are NumPy's.

# %% [markdown] key="scalar_mix-task" lang="zh" follows="5989776c"
# ## 1. 加权和（2 分）
#
# 例：一个词，三层，分别是 $(2, 0)$、$(0, 2)$、$(4, 4)$。原始权重 $w=(0, 0, \ln 2)$，份额就是 $s=\mathrm{softmax}(w)=(\frac14, \frac14, \frac12)$。加权和是 $\frac14(2, 0)+\frac14(0, 2)+\frac12(4, 4)=(2.5, 2.5)$；若 $\gamma=2$，混合就是 $(5, 5)$。
#
# 请写 `scalar_mix(layers, w, gamma)`，`layers` 的形状为 `(L+1, T, D)`（先是词层，再是双向语言模型的 L 层，一句有 T 个词），`w` 的形状为 `(L+1,)`。对每个词 $k$ 返回 $\gamma\sum_j s_j h_{k,j}$，形状为 `(T, D)`。数组都是 NumPy 的。


# %% key="scalar_mix" role="answer"
def scalar_mix(layers, w, gamma):
    """Return the mix of the layers / 返回各层的混合."""
    ### BEGIN SOLUTION
    s = np.exp(w) / np.exp(w).sum()
    return gamma * np.einsum("l,ltd->td", s, layers)
    ### END SOLUTION


# %% key="test_scalar_mix" role="test" points=2
from course_lib.grading import check  # in case your code has a `check` of its own

check("07.scalar_mix", scalar_mix)
### BEGIN HIDDEN TESTS
check("07.scalar_mix", scalar_mix, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="layer_norm-task" lang="en"
# ## 2. Layer norm with a mask (3 points)
#
# Before they are mixed, layers can be brought to one scale. This is not the usual layer norm:
# a *layer* has one mean and one variance, over all words of the batch and all dimensions. Only
# padding does not count.
#
# Example: one layer, one sentence of two words and one place of padding, two dimensions:
# $(1, 3)$, $(5, 7)$ and, at the padding, $(9, 9)$. The four numbers that count have the mean 4
# and the variance $(9+1+1+9)/4=5$. The result is $(-3, -1)/\sqrt5$, $(1, 3)/\sqrt5$ and, at the
# padding, $(0, 0)$.
#
# Write `layer_norm(layers, mask)` for `layers` of shape `(L+1, B, T, D)` and `mask` of shape
# `(B, T)`, True at words. Return the same shape. The variance divides by the number of
# values. (The library adds $10^{-13}$ to it, against division by zero; here you may
# leave that out.)

# %% [markdown] key="layer_norm-task" lang="zh" follows="eb11197d"
# ## 2. 带掩码的层归一化（3 分）
#
# 混合之前，可以先把各层统一到一个尺度。这不是通常的层归一化：*一层*只有一个均值和一个方差，对整批所有的词、所有的维一起算。只有填充不算在内。
#
# 例：一层，一个句子，两个词加一个填充位，两维：$(1, 3)$、$(5, 7)$，填充位上是 $(9, 9)$。算数的四个数均值是 4，方差是 $(9+1+1+9)/4=5$。结果是 $(-3, -1)/\sqrt5$、$(1, 3)/\sqrt5$，填充位上是 $(0, 0)$。
#
# 请写 `layer_norm(layers, mask)`，`layers` 的形状为 `(L+1, B, T, D)`，`mask` 的形状为 `(B, T)`，有词的地方为 True。返回同样的形状。方差除以数的个数。（程序库会给方差加上 $10^{-13}$，以免除以零；这里可以不加。）


# %% key="layer_norm" role="answer"
def layer_norm(layers, mask):
    """Return the layers with mean 0 and variance 1 / 返回均值 0、方差 1 的各层."""
    ### BEGIN SOLUTION
    result = np.zeros(layers.shape)
    for k, layer in enumerate(layers):
        words = layer[mask]  # (N, D)
        result[k][mask] = (words - words.mean()) / words.std()
    return result
    ### END SOLUTION


# %% key="test_layer_norm" role="test" points=3
from course_lib.grading import check

check("07.layer_norm", layer_norm)
### BEGIN HIDDEN TESTS
check("07.layer_norm", layer_norm, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="plug_in-task" lang="en"
# ## 3. In the right place (2 points)
#
# A tagger reads word vectors `x` of shape `(T, D)` with a function `rnn`, which takes any
# `(T, width)` and returns its states, one row a word. Its output layer then reads these
# states. ELMo can be laid beside what the `rnn` reads (`"input"`), beside what it returns
# (`"output"`), or both (`"both"`).
#
# Example: $x$ has the rows $(1)$ and $(2)$, and `rnn` adds up what came so far. ELMo's mix for
# the input has the rows $(10)$ and $(20)$, that for the output $(5)$ and $(6)$. Then the output
# layer gets
#
# ```
# "input":  [[1, 10], [3, 30]]
# "output": [[1, 5], [3, 6]]
# "both":   [[1, 10, 5], [3, 30, 6]]
# ```
#
# Write `plug_in(x, elmo_in, elmo_out, rnn, place)`. What is laid beside something stands on
# its right. Each place has a mix of its own.

# %% [markdown] key="plug_in-task" lang="zh" follows="72edb2c8"
# ## 3. 接对地方（2 分）
#
# 一个标注器用函数 `rnn` 读词向量 `x`（形状 `(T, D)`）；`rnn` 接受任何 `(T, 宽度)` 的数组，返回各步的状态，每个词一行。输出层再读这些状态。ELMo 可以摆在 `rnn` 读的东西旁边（`"input"`），摆在它返回的东西旁边（`"output"`），或者两处都摆（`"both"`）。
#
# 例：$x$ 的两行是 $(1)$ 和 $(2)$，`rnn` 把到目前为止的数加起来。给输入端的混合，两行是 $(10)$ 和 $(20)$；给输出端的是 $(5)$ 和 $(6)$。于是输出层得到
#
# ```
# "input":  [[1, 10], [3, 30]]
# "output": [[1, 5], [3, 6]]
# "both":   [[1, 10, 5], [3, 30, 6]]
# ```
#
# 请写 `plug_in(x, elmo_in, elmo_out, rnn, place)`。摆在旁边的放在右边。每一处用各自的混合。


# %% key="plug_in" role="answer"
def plug_in(x, elmo_in, elmo_out, rnn, place):
    """Return what the output layer reads / 返回输出层读到的东西."""
    ### BEGIN SOLUTION
    if place in ("input", "both"):
        x = np.concatenate([x, elmo_in], axis=1)
    states = rnn(x)
    if place in ("output", "both"):
        states = np.concatenate([states, elmo_out], axis=1)
    return states
    ### END SOLUTION


# %% key="test_plug_in" role="test" points=2
from course_lib.grading import check

check("07.plug_in", plug_in)
### BEGIN HIDDEN TESTS
check("07.plug_in", plug_in, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="frozen_step-task" lang="en"
# ## 4. Frozen means two things (2 points)
#
# `bilm` and `head` are torch modules. Both are new: in training mode, with parameters that
# want gradients. Both have dropout inside. You are to take one step with the biLM
# *frozen*: its parameters stay, **and** it reads as it does at test time. The head trains
# as usual.
#
# Example without dropout: `bilm` multiplies by 2, `head` by 3, $x=1$ and $y=4$. The head
# predicts $3\cdot2\cdot1=6$, the loss is $(6-4)^2=4$. Its gradient by the head's weight is
# $2\,(6-4)\cdot2=8$. With rate 0.1 the head's weight becomes $3-0.8=2.2$, the biLM's 2 stays:
# return $(2, 2.2)$.
#
# Write `frozen_step(bilm, head, x, y, rate)`: one step of gradient descent,
# $\theta \leftarrow \theta - \text{rate}\cdot\partial\,\text{loss}/\partial\theta$, on the *mean*
# of $(\text{head}(\text{bilm}(x)) - y)^2$. Return all parameters after the step in one
# vector: the biLM's, then the head's, in the order of `parameters()`, each flattened. `x` and
# `y` are tensors.

# %% [markdown] key="frozen_step-task" lang="zh" follows="13b3a3e3"
# ## 4. 冻结有两层意思（2 分）
#
# `bilm` 和 `head` 是 torch 的模块，都刚建好：处于训练状态，参数都要求梯度。两个里面都有 dropout。请在 `bilm` *冻结*的情况下训练一步：它的参数不动，**并且**它读句子的方式和测试时一样；`head` 照常训练。
#
# 例（没有 dropout）：`bilm` 是乘以 2，`head` 是乘以 3，$x=1$，$y=4$。预测是 $3\cdot2\cdot1=6$，损失是 $(6-4)^2=4$，对 `head` 权重的梯度是 $2\,(6-4)\cdot2=8$。学习率 0.1，`head` 的权重变成 $3-0.8=2.2$，`bilm` 的 2 不变：返回 $(2, 2.2)$。
#
# 请写 `frozen_step(bilm, head, x, y, rate)`：对 $(\text{head}(\text{bilm}(x)) - y)^2$ 的*平均*做一步梯度下降，$\theta \leftarrow \theta - \text{rate}\cdot\partial\,\text{loss}/\partial\theta$。把走完这一步之后的全部参数拼成一个向量返回：先是 `bilm` 的，后是 `head` 的，按 `parameters()` 的次序，各自展平。`x` 和 `y` 是张量。


# %% key="frozen_step" role="answer"
def frozen_step(bilm, head, x, y, rate):
    """Return all parameters after one step / 返回走一步之后的全部参数."""
    ### BEGIN SOLUTION
    bilm.requires_grad_(False).eval()
    loss = ((head(bilm(x)) - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in head.parameters():
            p -= rate * p.grad
    return torch.cat([p.flatten() for m in (bilm, head) for p in m.parameters()])
    ### END SOLUTION


# %% key="test_frozen_step" role="test" points=2
from course_lib.grading import check

check("07.frozen_step", frozen_step)
### BEGIN HIDDEN TESTS
check("07.frozen_step", frozen_step, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="gains-task" lang="en"
# ## 5. Three ways to report one gain (1 point)
#
# ELMo's SQuAD: the authors' baseline scores 81.1, with ELMo 85.8; the best published system
# before had 84.4. So the gain is 4.7 *points*. Of the baseline's errors, $100-81.1=18.9$, the
# share $4.7/18.9=0.249$ is gone: this is “25 %”. Of the errors of the best system before,
# $1.4/15.6=0.090$ is gone.
#
# Write `gains(baseline, new, previous)` for three scores between 0 and 100. Return three
# numbers: the points over the baseline, the relative error reduction over the baseline, and
# that over the previous best, both as shares (0.249, not 24.9). A loss is negative.

# %% [markdown] key="gains-task" lang="zh" follows="9bd3413e"
# ## 5. 一个提升，三种报法（1 分）
#
# ELMo 在 SQuAD 上：作者的基线 81.1，加上 ELMo 85.8；此前最好的系统是 84.4。提升是 4.7 个*点*。基线的错误是 $100-81.1=18.9$，其中 $4.7/18.9=0.249$ 消失了：这就是所谓“25%”。而此前最好的系统的错误里，消失的是 $1.4/15.6=0.090$。
#
# 请写 `gains(baseline, new, previous)`，输入是三个 0 到 100 之间的分数。返回三个数：比基线高多少点，相对基线的错误率下降，相对此前最好系统的错误率下降；后两个写成比例（0.249，不是 24.9）。变差则为负。


# %% key="gains" role="answer"
def gains(baseline, new, previous):
    """Return points and two relative error reductions / 返回点数和两个相对错误率下降."""
    ### BEGIN SOLUTION
    over_baseline = (new - baseline) / (100 - baseline)
    return new - baseline, over_baseline, (new - previous) / (100 - previous)
    ### END SOLUTION


# %% key="test_gains" role="test" points=1
from course_lib.grading import check

check("07.gains", gains)
### BEGIN HIDDEN TESTS
check("07.gains", gains, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="weights-question" lang="en"
# ## 6. What do the learned weights tell? (written, 4 points)
#
# Somebody trains a tagger and a sentiment classifier with ELMo at the input, one run each. The
# shares come out as $(0.1, 0.6, 0.3)$ and $(0.1, 0.3, 0.6)$. The conclusion: “The token layer
# is hardly used; syntax is in layer 1 and meaning in layer 2.” Answer in 80 to 170 words.
# Points:
#
# 1. **Length** (1): why the share of a layer is not its influence, with a number, and what
#    one can do about it.
# 2. **One run** (1): two reasons why these shares could come out otherwise in another run
#    of the same experiment.
# 3. **Two questions** (1): what shares in a mix can tell and a probe of one layer cannot,
#    or the reverse; which of the two the conclusion needs.
# 4. **A better experiment** (1): what you would measure instead, with the baseline and the
#    intervals that would make you believe the conclusion.

# %% [markdown] key="weights-question" lang="zh" follows="2aab4d4a"
# ## 6. 学到的权重说明了什么？（笔答，4 分）
#
# 有人把 ELMo 接在输入端，训练了一个标注器和一个情感分类器，各跑一次。份额分别是 $(0.1, 0.6, 0.3)$ 和 $(0.1, 0.3, 0.6)$。他的结论是：“词层几乎没用；句法在第 1 层，语义在第 2 层。”请用 150 到 300 字评论。评分点：
#
# 1. **长度**（1 分）：为什么一层的份额不等于它的影响，举出数字，并说明怎么办。
# 2. **只跑一次**（1 分）：举出两个理由，说明同样的实验再跑一次，份额可能不一样。
# 3. **两个问题**（1 分）：混合里的份额能说明什么、单层探针说明不了，或者反过来；这个结论需要的是哪一种。
# 4. **更好的实验**（1 分）：你会改测什么，要有怎样的基线和区间，你才相信这个结论。

# %% [markdown] key="weights-answer" lang="en" role="written" points=4
# A share multiplies a vector. If the token layer's vectors are three times as long as layer
# 1's, the contributions of $0.1$ and $0.6$ are as 0.3 to 0.6: half, not a sixth. Layer norm
# before mixing makes shares comparable, or multiply each by its layer's mean length. Another
# seed has other labels and another order, and training stops at another moment, before the
# weights have settled; neighbouring layers are alike, so that share can move between them
# without changing the loss. Shares tell what this model took in company of the other layers;
# a probe tells what is *in* one layer, whether or not a task uses it. “Syntax is in layer 1”
# needs the probe. I would train a linear probe for part of speech and one for word sense on
# each layer, split by sentence, beside the majority and a random biLM, over at least five
# seeds, and believe it if the interval of the difference between layers excludes 0 in
# opposite directions for the two.

# %% [markdown] key="weights-answer" lang="zh" follows="6fd05128"
# 份额要乘在向量上。如果词层的向量有第 1 层的三倍长，$0.1$ 和 $0.6$ 的实际分量就是 0.3 比 0.6，是一半，不是六分之一。可以在混合之前做层归一化，份额才好比较；或者把份额乘上各层的平均长度。换一个种子，标注和次序都变了，训练停下的时刻也变了，权重可能还没稳定；相邻两层又很像，份额在它们之间挪动，损失几乎不变。份额说的是：有别的层在场时，这个模型取了多少；探针说的是：某一层*里面*有什么，不管任务用不用。“句法在第 1 层”需要的是探针。我会在每一层上训练线性探针，一个测词性，一个测词义，按句子划分，旁边放上多数类和随机的双向语言模型，至少五个种子；如果两层之差的区间不含 0，而且两个任务方向相反，我才相信。
