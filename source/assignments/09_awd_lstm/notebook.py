# %% [markdown] key="title" lang="en"
# # Exercises 09 · AWD-LSTM
#
# Five functions (14 points) and two written answers (8 points): a mask on weights, a mask
# that is locked over time, windows of varied lengths, AR and TAR, and an average that
# begins at the right moment. Nothing is trained here; every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="497ddfba"
# # 练习 09 · AWD-LSTM
#
# 五个函数（14 分），两道笔答题（8 分）：落在权重上的掩码，沿时间锁定的掩码，长短不一的窗口，AR 和 TAR，还有在恰当时刻开始的平均。这里不训练任何模型，每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="weight_drop-task" lang="en"
# ## 1. Thin out the recurrent matrix (3 points)
#
# A small recurrent network: $h_t = \tanh(W x_t + U h_{t-1})$, and $h_0 = 0$. Weight-drop
# removes single entries of $U$, each with probability $p$, for the whole window.
#
# So that your result can be checked, you do not draw random numbers yourself. You get
# `coins`, a function: `coins(shape)` tosses an array of that shape, 1 for *stays* and, with
# probability $p$, 0 for *is dropped*. Each call tosses anew. Example: $p = 0.5$, and
#
# $$U = \begin{pmatrix}0.4&0.3\\0.2&0.1\end{pmatrix},\quad
#   \text{coins}\begin{pmatrix}1&0\\1&1\end{pmatrix},\quad\text{so}\quad
#   U' = \begin{pmatrix}0.8&0\\0.4&0.2\end{pmatrix}.$$
#
# What stays is divided by $1-p$, so that the mean over many tosses is $U$. With
# $W = (0.5, -0.5)^\top$ and the inputs 1, 1, 1 the states are $(0.462, -0.462)$,
# $(0.701, -0.386)$ and $(0.786, -0.288)$.
#
# Write `weight_drop(x, W, U, coins, p, training)`: `x` has shape `(T, D)`, `W` `(H, D)`, `U`
# `(H, H)`. Return the states, shape `(T, H)`. Toss once, with the shape of $U$. If
# `training` is false, $U$ is used as it is.

# %% [markdown] key="weight_drop-task" lang="zh" follows="7a48228b"
# ## 1. 把循环矩阵稀疏化（3 分）
#
# 一个小小的循环网络：$h_t = \tanh(W x_t + U h_{t-1})$，$h_0 = 0$。weight-drop 以概率 $p$ 去掉 $U$ 的单个元素，在整个窗口里都去掉。
#
# 为了能核对结果，随机数不由你来抽。你会得到一个函数 `coins`：`coins(shape)` 抛出这个形状的一个数组，1 表示*留下*，0 表示*丢掉*（概率是 $p$）。每调用一次就重新抛一次。例：$p = 0.5$，
#
# $$U = \begin{pmatrix}0.4&0.3\\0.2&0.1\end{pmatrix},\quad
#   \text{硬币}\begin{pmatrix}1&0\\1&1\end{pmatrix},\quad\text{于是}\quad
#   U' = \begin{pmatrix}0.8&0\\0.4&0.2\end{pmatrix}$$
#
# 留下的要除以 $1-p$，这样抛很多次，平均起来仍是 $U$。取 $W = (0.5, -0.5)^\top$，输入是 1、1、1，状态依次是 $(0.462, -0.462)$、$(0.701, -0.386)$、$(0.786, -0.288)$。
#
# 请写 `weight_drop(x, W, U, coins, p, training)`：`x` 的形状是 `(T, D)`，`W` 是 `(H, D)`，`U` 是 `(H, H)`。返回各步的状态，形状 `(T, H)`。只抛一次，形状与 $U$ 相同。`training` 为假时，$U$ 原样使用。


# %% key="weight_drop" role="answer"
def weight_drop(x, W, U, coins, p, training):
    """Return the states, shape (T, H) / 返回各步的状态."""
    ### BEGIN SOLUTION
    if training:
        U = U * coins(U.shape) / (1 - p)
    h, states = np.zeros(len(U)), []
    for vector in x:
        h = np.tanh(W @ vector + U @ h)
        states.append(h)
    return np.array(states)
    ### END SOLUTION


# %% key="test_weight_drop" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("09.weight_drop", weight_drop)
### BEGIN HIDDEN TESTS
check("09.weight_drop", weight_drop, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="locked-task" lang="en"
# ## 2. A mask that is locked over time (2 points)
#
# Two texts of two steps with three features:
#
# ```
# x = [[[1, 2, 3], [4, 5, 6]],      coins for the first text:   1 0 1
#      [[7, 8, 9], [10, 11, 12]]]   coins for the second text:  0 1 1
# ```
#
# With $p = 0.5$ locked dropout gives
#
# ```
# [[[2, 0, 6], [8, 0, 12]],
#  [[0, 16, 18], [0, 22, 24]]]
# ```
#
# A feature that is dropped is dropped at every step of its text; another text has coins of its
# own. What stays is divided by $1-p$.
#
# Write `locked(x, coins, p, training)` for `x` of shape `(B, T, D)`, with `coins` as in task 1.
# Toss once, for all texts together: B times D coins, those of the first text first. If
# `training` is false, return `x`.

# %% [markdown] key="locked-task" lang="zh" follows="b4124d86"
# ## 2. 沿时间锁定的掩码（2 分）
#
# 两段文本，各两步，每步三个特征：
#
# ```
# x = [[[1, 2, 3], [4, 5, 6]],      第一段的硬币：  1 0 1
#      [[7, 8, 9], [10, 11, 12]]]   第二段的硬币：  0 1 1
# ```
#
# $p = 0.5$ 时，锁定 dropout 的结果是
#
# ```
# [[[2, 0, 6], [8, 0, 12]],
#  [[0, 16, 18], [0, 22, 24]]]
# ```
#
# 一个特征要丢，就在这段文本的每一步都丢；另一段文本重新抽取。留下的除以 $1-p$。
#
# 请写 `locked(x, coins, p, training)`，`x` 的形状是 `(B, T, D)`，`coins` 同第 1 题。只抛一次，所有文本一起抛：一共 B 乘 D 枚硬币，第一段文本的在前。`training` 为假时，返回 `x`。


# %% key="locked" role="answer"
def locked(x, coins, p, training):
    """Return x with features dropped for good / 返回沿时间锁定丢弃后的 x."""
    ### BEGIN SOLUTION
    if not training:
        return x
    B, T, D = x.shape
    return x * coins((B, 1, D)) / (1 - p)
    ### END SOLUTION


# %% key="test_locked" role="test" points=2
from course_lib.grading import check

check("09.locked", locked)
### BEGIN HIDDEN TESTS
check("09.locked", locked, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="windows-task" lang="en"
# ## 3. Windows of varied lengths (3 points)
#
# A stream of 200 tokens is cut into windows of about 70. For each window there are a number
# `u`, uniform between 0 and 1, and a number `z` from a standard normal distribution. Example:
#
# ```
# u = [0.3, 0.97, 0.5, 0.6, 0.2]      z = [0.74, -0.64, -1.16, 0.1, 0.0]
# ```
#
# * First window: 70 + 5 · 0.74 = 73.7, rounded 74.
# * Second one: `u` is above 0.95, so it is a short one: 35 + 5 · (−0.64) = 31.8, rounded 32.
# * Third one: 70 + 5 · (−1.16) = 64.2, rounded 64.
# * Now 170 tokens are gone and 30 are left: the fourth window has 30. The rest of `u` and `z`
#   is not needed.
#
# A step on 32 tokens should not weigh as much as one on 74: each window is trained with a
# *share* of the usual learning rate, its length divided by 70. The result:
#
# ```
# [(74, 1.057), (32, 0.457), (64, 0.914), (30, 0.429)]
# ```
#
# Write `windows(total, u, z, bptt)`; above `bptt` was 70. The length is
# $\text{round}(m + 5z)$ with $m =$ `bptt`, or `bptt / 2` where `u` is above 0.95; but at least
# 5; but no more than what is left. Return the rows (length, share of the rate), in order. There
# are always enough numbers in `u` and `z`. In the checks no length lies half-way between two
# whole numbers.

# %% [markdown] key="windows-task" lang="zh" follows="3e4cdd9f"
# ## 3. 长短不一的窗口（3 分）
#
# 一条 200 个词的文本流，要切成大约 70 个词的窗口。每个窗口配两个数：`u` 在 0 到 1 之间均匀分布，`z` 服从标准正态分布。例：
#
# ```
# u = [0.3, 0.97, 0.5, 0.6, 0.2]      z = [0.74, -0.64, -1.16, 0.1, 0.0]
# ```
#
# * 第一个窗口：70 + 5 · 0.74 = 73.7，取整得 74。
# * 第二个：`u` 大于 0.95，是短窗口：35 + 5 · (−0.64) = 31.8，取整得 32。
# * 第三个：70 + 5 · (−1.16) = 64.2，取整得 64。
# * 这时用掉了 170 个词，还剩 30 个：第四个窗口就是 30。`u`、`z` 余下的数用不着。
#
# 在 32 个词上走的一步，不该和在 74 个词上走的一步一样重：每个窗口的学习率按长度缩放，等于平常学习率乘上一个*倍数*，即窗口长度除以 70。结果是
#
# ```
# [(74, 1.057), (32, 0.457), (64, 0.914), (30, 0.429)]
# ```
#
# 请写 `windows(total, u, z, bptt)`，上面的 `bptt` 是 70。长度是 $\text{round}(m + 5z)$，其中 $m$ 是 `bptt`，`u` 大于 0.95 时是 `bptt / 2`；不足 5 的取 5，再不得超过剩下的词数。按次序返回各行（长度，学习率的倍数）。`u` 和 `z` 里的数总是够用的。检查用的长度不会正好落在两个整数中间。


# %% key="windows" role="answer"
def windows(total, u, z, bptt):
    """Return rows (length, share of the rate) / 返回各行（长度，学习率的倍数）."""
    ### BEGIN SOLUTION
    rows, left, k = [], total, 0
    while left > 0:
        mean = bptt / 2 if u[k] > 0.95 else bptt
        length = min(left, max(5, round(mean + 5 * z[k])))
        rows.append((length, length / bptt))
        left -= length
        k += 1
    return rows
    ### END SOLUTION


# %% key="test_windows" role="test" points=3
from course_lib.grading import check

check("09.windows", windows)
### BEGIN HIDDEN TESTS
check("09.windows", windows, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="penalty-task" lang="en"
# ## 4. Small outputs, slow outputs (3 points)
#
# The last layer has given three outputs of two features for one text, and the dropout mask
# behind it is $m$:
#
# ```
# h = [[[1, 2], [1, 4], [2, 4]]]      m = [[[2, 0]]]
# ```
#
# * **AR** (activation regularisation) punishes large outputs, after dropout: $m \odot h$ has the
#   numbers 2 0, 2 0, 4 0; the mean of their squares is $24/6 = 4$.
# * **TAR** (temporal AR) punishes jumps, before dropout: from step to step $h$ moves by
#   0 2 and by 1 0; the mean of the squares is $5/4$.
#
# With $\alpha = 2$ and $\beta = 1$ the penalty is $2 \cdot 4 + 1 \cdot 1.25 = 9.25$.
#
# Write `penalty(h, m, alpha, beta)` for `h` of shape `(B, T, D)` and `m` of shape `(B, 1, D)`,
# whose numbers are 0 and $1/(1-p)$. It returns one number. A window of a single step has no
# jump, and TAR is 0.

# %% [markdown] key="penalty-task" lang="zh" follows="c410a247"
# ## 4. 输出要小，变化要慢（3 分）
#
# 对一段文本，最后一层给出了三步输出，每步两个特征；它后面的 dropout 掩码是 $m$：
#
# ```
# h = [[[1, 2], [1, 4], [2, 4]]]      m = [[[2, 0]]]
# ```
#
# * **AR**（activation regularisation）罚大的输出，看的是 dropout 之后：$m \odot h$ 是 2 0、2 0、4 0，平方的平均是 $24/6 = 4$。
# * **TAR**（temporal AR）罚跳变，看的是 dropout 之前：$h$ 从一步到下一步变了 0 2，再变 1 0，平方的平均是 $5/4$。
#
# 取 $\alpha = 2$、$\beta = 1$，惩罚是 $2 \cdot 4 + 1 \cdot 1.25 = 9.25$。
#
# 请写 `penalty(h, m, alpha, beta)`，`h` 的形状是 `(B, T, D)`，`m` 是 `(B, 1, D)`，其中的数是 0 和 $1/(1-p)$。返回一个数。只有一步的窗口没有跳变，TAR 是 0。


# %% key="penalty" role="answer"
def penalty(h, m, alpha, beta):
    """Return alpha AR + beta TAR / 返回 alpha AR + beta TAR."""
    ### BEGIN SOLUTION
    jumps = h[:, 1:] - h[:, :-1]
    tar = np.mean(jumps**2) if jumps.size else 0.0
    return alpha * np.mean((m * h) ** 2) + beta * tar
    ### END SOLUTION


# %% key="test_penalty" role="test" points=3
from course_lib.grading import check

check("09.penalty", penalty)
### BEGIN HIDDEN TESTS
check("09.penalty", penalty, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="nt_average-task" lang="en"
# ## 5. When to begin averaging (3 points)
#
# A training run of twelve steps; after each step its single weight was
#
# ```
# 0 2 3 5 4 7 5 9 6 8 7 5
# ```
#
# After every second step the held-out loss was measured: `5.0 4.0 3.0 3.5 4.2 4.1`. NT-ASGD
# begins to average once a loss is **worse than the best of the checks that are more than n
# checks back**. Here $n = 2$:
#
# * 3.5, the fourth check: more than two back there is only 5.0. It is better; go on.
# * 4.2, the fifth one: more than two back there are 5.0 and 4.0. It is worse than 4.0: begin.
#
# The fifth check came after the tenth step. The average goes from the weights after that step,
# 8, to the last: $(8+7+5)/3 = 6.667$. What the losses do later does not matter.
#
# Write `nt_average(weights, losses, every, n)`. `weights` has shape `(K, D)`: row $k$ is what
# the weights were after step $k+1$. `losses` is the list of the checks; the first one comes
# after `every` steps, and $K$ is `every` times their number. Return the average, shape `(D,)`;
# the last weights if no check makes it begin.

# %% [markdown] key="nt_average-task" lang="zh" follows="3cecde6f"
# ## 5. 什么时候开始平均（3 分）
#
# 一次十二步的训练，只有一个权重，每一步之后它是
#
# ```
# 0 2 3 5 4 7 5 9 6 8 7 5
# ```
#
# 每两步测一次留出损失：`5.0 4.0 3.0 3.5 4.2 4.1`。NT-ASGD 的规则：某次损失如果**比 n 次以前的那些检查里最好的还差**，就开始平均。“n 次以前”的意思是，紧挨着的前 $n$ 次不算。这里 $n = 2$：
#
# * 第四次，3.5：略过前两次，只剩 5.0，还比它好，继续。
# * 第五次，4.2：略过前两次，剩下 5.0 和 4.0，比 4.0 差，开始。
#
# 第五次检查在第十步之后。从这一步之后的权重 8 起，一直平均到最后：$(8+7+5)/3 = 6.667$。此后的损失不再起作用。
#
# 请写 `nt_average(weights, losses, every, n)`。`weights` 的形状是 `(K, D)`，第 $k$ 行是第 $k+1$ 步之后的权重。`losses` 是各次检查的列表；第一次在 `every` 步之后，$K$ 等于 `every` 乘检查的次数。返回平均，形状 `(D,)`；如果始终没有开始平均，就返回最后的权重。


# %% key="nt_average" role="answer"
def nt_average(weights, losses, every, n):
    """Return the average, shape (D,) / 返回平均后的权重."""
    ### BEGIN SOLUTION
    for t, loss in enumerate(losses):
        if t > n and loss > min(losses[: t - n]):
            start = every * (t + 1) - 1
            return weights[start:].mean(axis=0)
    return weights[-1]
    ### END SOLUTION


# %% key="test_nt_average" role="test" points=3
from course_lib.grading import check

check("09.nt_average", nt_average)
### BEGIN HIDDEN TESTS
check("09.nt_average", nt_average, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="loop-question" lang="en"
# ## 6. A colleague adds dropout (written, 4 points)
#
# A colleague's LSTM language model overfits. She puts ordinary dropout, $p = 0.5$, on the whole
# state that goes from each step to the next, $h$ and the memory cell. Now the model learns, but remembers nothing beyond a
# few words, and training takes several times as long. Explain and advise, in 80 to 150 words.
# Points:
#
# 1. **The memory** (1): what fresh masks at each step do to something that must be carried over
#    20 steps; with a number.
# 2. **The time** (1): why her training has become slow, and why weight-drop's has not.
# 3. **What to do instead** (1): which dropout for the recurrence, which for the inputs and
#    between the layers, and for how long each mask stays.
# 4. **How to know** (1): a comparison that would show whether it helps, and what has to be equal
#    in it.

# %% [markdown] key="loop-question" lang="zh" follows="33ec9353"
# ## 6. 同事加了 dropout（笔答，4 分）
#
# 一位同事的 LSTM 语言模型过拟合了。她在每一步传给下一步的整个状态（$h$ 和记忆单元）上加了普通的 dropout，$p = 0.5$。现在模型能学，却只记得住几个词以内的事，训练也慢了好几倍。请用 150 到 300 字解释原因、提出建议。评分点：
#
# 1. **记忆**（1 分）：要传 20 步的信息，每一步换一张新掩码会把它怎么样；给出一个数。
# 2. **时间**（1 分）：她的训练为什么变慢，weight-drop 为什么不慢。
# 3. **该怎么做**（1 分）：循环连接用哪种 dropout，输入和层与层之间用哪种，每张掩码管多久。
# 4. **怎样知道有没有用**（1 分）：设计一个比较，说明哪些条件必须相同。

# %% [markdown] key="loop-answer" lang="en" role="written" points=4
# With a fresh mask at each step a feature survives 20 steps with probability $0.5^{20}$, one in a
# million: whatever must be carried is lost, and training can only learn not to rely on it.
# It is slow because torch's fast LSTM runs all steps in one call and has no place for a mask in
# between, so her loop is written in Python. Weight-drop thins out the matrix $U$ *before* the
# call, once per window; the fast LSTM runs as ever, and nothing is erased from the state itself.
# So: weight-drop on the hidden-to-hidden matrices, locked dropout (one mask per text and window)
# on the embedded input, between the layers and before the softmax; all off in evaluation. To
# know: train with and without, the same text, held-out documents, vocabulary, sizes, and number
# of steps, each at its best learning rate; compare held-out perplexities over five seeds.

# %% [markdown] key="loop-answer" lang="zh" follows="3b89f17d"
# 每一步换一张新掩码，一个特征熬过 20 步的概率是 $0.5^{20}$，百万分之一：靠状态传递的信息都丢了，模型只能学会不指望它。慢，是因为 torch 的快速 LSTM 一次调用算完所有步，中间插不进掩码，她只好用 Python 一步一步循环。weight-drop 是在调用*之前*把矩阵 $U$ 稀疏化，每个窗口一次，快速 LSTM 照常运行，状态本身也没有被抹掉。所以：循环矩阵用 weight-drop；词向量输入、层与层之间、softmax 之前用锁定 dropout，每段文本每个窗口一张掩码；评估时全部关掉。要知道有没有用：加和不加各训练一次，语料、留出文档、词表、模型大小、步数都相同，学习率各取最好的，用五个随机种子比较留出困惑度。

# %% [markdown] key="record-question" lang="en"
# ## 7. A record (written, 4 points)
#
# A report says: "Our AWD-LSTM has a perplexity of 41 on our company's e-mails. Merity et al. had
# 57.3 on the Penn Treebank, so ours is the better model. The regularisers are the reason: a
# plain LSTM had 66." Criticise it, in 80 to 170 words. Points:
#
# 1. **Two texts** (1): why perplexities on different texts say nothing about the models.
# 2. **What is counted** (1): at least two details of the evaluation that move a perplexity.
# 3. **"The regularisers are the reason"** (1): what else may differ between the two models of the
#    report, and which experiment tells them apart.
# 4. **What would convince you** (1): a table that you would ask for, with seeds and a baseline.

# %% [markdown] key="record-question" lang="zh" follows="30c32468"
# ## 7. 一项纪录（笔答，4 分）
#
# 一份报告写道：“我们的 AWD-LSTM 在本公司的邮件上困惑度是 41。Merity 等人在 Penn Treebank 上是 57.3，所以我们的模型更好。功劳在于正则化：普通的 LSTM 是 66。”请用 150 到 300 字批评这份报告。评分点：
#
# 1. **两份文本**（1 分）：不同文本上的困惑度，为什么说明不了模型的好坏。
# 2. **算的是什么**（1 分）：至少两个会左右困惑度的评估细节。
# 3. **“功劳在于正则化”**（1 分）：报告里的两个模型还可能差在哪里，什么实验能把它们分开。
# 4. **什么能说服你**（1 分）：你会要求看一张怎样的表，包括随机种子和基线。

# %% [markdown] key="record-answer" lang="en" role="written" points=4
# E-mails repeat greetings and signatures; another text, another floor. Only models on the same
# held-out text can be compared. And a perplexity depends on the vocabulary and on how `<unk>` is
# counted (many unknown words make it low), on marks such as the end of a sentence being
# predicted or not, on the state being carried from window to window, and on a softmax over *all*
# words: the sampled one is an estimate for training. Are copies of held-out mails in the
# training text? The plain LSTM may have had another size, untied weights, fewer epochs, another
# optimiser, or a rate that was never tuned. Remove one regulariser at a time from the full
# model, all else equal, and all of them together. I would ask for: the same split of whole
# conversations, one vocabulary with its share of `<unk>`; rows n-gram, plain LSTM of the same
# size with early stopping, full model, full model without each part; means over five seeds
# with intervals.

# %% [markdown] key="record-answer" lang="zh" follows="26a87dcf"
# 邮件里的问候和落款翻来覆去，换一份文本，下界就变了；只有在同一份留出文本上，模型才能比。困惑度还取决于词表，以及 `<unk>` 怎么算（未知词越多，数字越好看），句末标记算不算预测，状态是否从一个窗口带到下一个，softmax 是不是在*全部*词上算的（采样的只是训练用的估计）。留出的邮件会不会在训练文本里也有副本？普通 LSTM 也许大小不同，没有共享权重，轮数更少，优化器不同，学习率没有调过。应当从完整的模型里每次去掉一种正则化，其余不变，再把它们全部去掉。我会要求：按整段往来邮件划分；同一个词表，注明 `<unk>` 的比例；各行是 n 元模型、同样大小并且提前停止的普通 LSTM、完整模型、逐一去掉各部分的模型；五个种子的平均和区间。
