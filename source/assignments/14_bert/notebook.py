# %% [markdown] key="title" lang="en"
# # Exercises 14 · BERT
#
# Six functions (18 points) and two written answers (8 points): the three-part input, masking at random, sentence pairs
# that respect documents, the likeliest span, a leak to be found, and a released layer to be loaded. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.
#
# The special tokens have the numbers `[CLS]` 2, `[SEP]` 3, `[MASK]` 4; all special tokens (`MARKS` in the code) are below 9, all
# word pieces are 9 or more. A target of -100 means that nothing is to be predicted here.

# %% [markdown] key="title" lang="zh" follows="1f6289b3"
# # 练习 14 · BERT
#
# 六个函数（18 分），两道笔答题（8 分）：三部分输入，随机掩码，尊重文档边界的句对，最可能的答案片段，一处要找出来的泄漏，还有一层公开发布的权重要你来载入。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。
#
# 特殊词元的编号：`[CLS]` 是 2，`[SEP]` 是 3，`[MASK]` 是 4；特殊词元（代码里的 `MARKS`）都小于 9，词片都不小于 9。目标为 -100，表示这里不用预测。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)
CLS, SEP, MASK, MARKS, NONE = 2, 3, 4, 9, -100

# %% [markdown] key="row-task" lang="en"
# ## 1. The input has three parts (3 points)
#
# Two texts in pieces, `[20, 21]` and `[30]`, become one row of six places:
#
# | piece | 2 `[CLS]` | 20 | 21 | 3 `[SEP]` | 30 | 3 `[SEP]` |
# |---|---|---|---|---|---|---|
# | segment | 0 | 0 | 0 | 0 | 1 | 1 |
# | position | 0 | 1 | 2 | 3 | 4 | 5 |
#
# Write `row(one, other)`. Both are lists of numbers; `other` may be empty: then the row is `[CLS] one [SEP]`. Return an array
# of shape `(3, T)`: pieces, segments, positions.

# %% [markdown] key="row-task" lang="zh" follows="e844f8a8"
# ## 1. 输入由三部分组成（3 分）
#
# 两段文本的词片 `[20, 21]` 和 `[30]`，写成一行，六个位置：
#
# | 词片 | 2 `[CLS]` | 20 | 21 | 3 `[SEP]` | 30 | 3 `[SEP]` |
# |---|---|---|---|---|---|---|
# | 片段 | 0 | 0 | 0 | 0 | 1 | 1 |
# | 位置 | 0 | 1 | 2 | 3 | 4 | 5 |
#
# 请写 `row(one, other)`。两个参数都是数的列表；`other` 可能是空的，这时一行是 `[CLS] one [SEP]`。返回形状为 `(3, T)` 的数组：词片、片段、位置。


# %% key="row" role="answer"
def row(one, other):
    """Return pieces, segments and positions / 返回词片、片段、位置."""
    ### BEGIN SOLUTION
    first = [CLS, *one, SEP]
    second = [*other, SEP] if len(other) else []
    segments = [0] * len(first) + [1] * len(second)
    return np.array([first + second, segments, np.arange(len(segments))])
    ### END SOLUTION


# %% key="test_row" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("14.row", row)
### BEGIN HIDDEN TESTS
check("14.row", row, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="hide-task" lang="en"
# ## 2. Masking at random (3 points)
#
# So that there is one right answer, the random numbers have been drawn already. A row of T pieces comes with three arrays:
# `u` and `dice`, numbers from 0 to 1, and `others`, a random piece for each place.
#
# A piece is **chosen** if its `u` is below 0.15 and it is not a special token. A chosen piece becomes `[MASK]` if its `dice` is below 0.8; the
# piece of `others` if it is below 0.9; else it stays as it is.
#
# | | place 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | piece | 2 | 20 | 21 | 22 | 23 | 3 |
# | u | .01 | .10 | .14 | .05 | .60 | .90 |
# | dice | .2 | .5 | .85 | .95 | .1 | .3 |
# | others | 50 | 51 | 52 | 53 | 54 | 55 |
# | **is read** | 2 | 4 | 52 | 22 | 23 | 3 |
# | **target** | -100 | 20 | 21 | 22 | -100 | -100 |
#
# Write `hide(tokens, u, dice, others)`; all are arrays of length T. Return shape `(2, T)`: what is read, and the targets.

# %% [markdown] key="hide-task" lang="zh" follows="d0734459"
# ## 2. 随机掩码（3 分）
#
# 为了让答案唯一，随机数已经替你抽好了。一行 T 个词片，配三个数组：`u` 和 `dice` 是 0 到 1 之间的数，`others` 是给每个位置随机抽的一个词片。
#
# `u` 小于 0.15、又不是特殊词元的词片，才算**选中**。选中的词片：`dice` 小于 0.8，换成 `[MASK]`；小于 0.9，换成 `others` 里的词片；否则原样不动。
#
# | | 位置 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | 词片 | 2 | 20 | 21 | 22 | 23 | 3 |
# | u | .01 | .10 | .14 | .05 | .60 | .90 |
# | dice | .2 | .5 | .85 | .95 | .1 | .3 |
# | others | 50 | 51 | 52 | 53 | 54 | 55 |
# | **读到的** | 2 | 4 | 52 | 22 | 23 | 3 |
# | **目标** | -100 | 20 | 21 | 22 | -100 | -100 |
#
# 请写 `hide(tokens, u, dice, others)`，四个都是长度为 T 的数组。返回形状为 `(2, T)`：读到的词片，和目标。


# %% key="hide" role="answer"
def hide(tokens, u, dice, others):
    """Return what is read, and the targets / 返回读到的词片和目标."""
    ### BEGIN SOLUTION
    chosen = (u < 0.15) & (tokens >= MARKS)
    new = np.where(dice < 0.8, MASK, np.where(dice < 0.9, others, tokens))
    return np.array([np.where(chosen, new, tokens), np.where(chosen, tokens, NONE)])
    ### END SOLUTION


# %% key="test_hide" role="test" points=3
from course_lib.grading import check

check("14.hide", hide)
### BEGIN HIDDEN TESTS
check("14.hide", hide, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="pairs-task" lang="en"
# ## 3. Does B follow A? (3 points)
#
# Three documents; a number stands for a sentence: `[[10, 11, 12], [20, 21], [30]]`. Neighbours within a document: 10-11, 11-12,
# 20-21. (12 and 20 are no neighbours: a border lies between them. A document of one sentence has none.) For each pair of
# neighbours, in this order, there is one coin and one draw, both from 0 to 1.
#
# * Coin below 0.5: A is the first, B the second of the two, label 1.
# * Else: A is the first one, label 0, and B a sentence of the *other* documents. List their n sentences in order and take
#   number $\lfloor \text{draw} \cdot n \rfloor$, counted from 0.
#
# With coins .3, .9, .5 and draws .1, .8, .6 that gives (10, 11, 1); then (11, 30, 0), for the others of the first document are
# 20, 21, 30 and $\lfloor .8 \cdot 3 \rfloor = 2$; and (20, 12, 0), number 2 of 10, 11, 12, 30.
#
# Write `pairs(documents, coins, draws)`. `coins` and `draws` are as long as there are neighbours. Return shape `(N, 3)`.

# %% [markdown] key="pairs-task" lang="zh" follows="0ab479b5"
# ## 3. B 接在 A 后面吗？（3 分）
#
# 三个文档，一个数代表一个句子：`[[10, 11, 12], [20, 21], [30]]`。文档内部相邻的：10-11、11-12、20-21。（12 和 20 不算相邻，中间隔着文档边界；只有一句的文档没有相邻的。）每一对相邻句子，按这个次序，各有一枚硬币 `coin` 和一个抽签数 `draw`，都在 0 到 1 之间。
#
# * 硬币小于 0.5：A 是前一句，B 是后一句，标签 1。
# * 否则：A 是前一句，标签 0，B 是*别的*文档里的一句：把别的文档的 n 个句子按次序排好，取第 $\lfloor \text{draw} \cdot n \rfloor$ 个，从 0 数起。
#
# 硬币是 .3、.9、.5，抽签数是 .1、.8、.6 时：先得 (10, 11, 1)；再得 (11, 30, 0)，因为对第一个文档来说，别的句子是 20、21、30，而 $\lfloor .8 \cdot 3 \rfloor = 2$；最后得 (20, 12, 0)，是 10、11、12、30 里的第 2 个。
#
# 请写 `pairs(documents, coins, draws)`。`coins` 和 `draws` 的长度等于相邻句子的对数。返回形状为 `(N, 3)`。


# %% key="pairs" role="answer"
def pairs(documents, coins, draws):
    """Return A, B and the label of each pair / 返回每一对的 A、B 和标签."""
    ### BEGIN SOLUTION
    found = []
    for d, document in enumerate(documents):
        others = [s for e, other in enumerate(documents) if e != d for s in other]
        for one, two in zip(document, document[1:]):
            n = len(found)
            if coins[n] < 0.5:
                found.append((one, two, 1))
            else:
                found.append((one, others[int(draws[n] * len(others))], 0))
    return np.array(found)
    ### END SOLUTION


# %% key="test_pairs" role="test" points=3
from course_lib.grading import check

check("14.pairs", pairs)
### BEGIN HIDDEN TESTS
check("14.pairs", pairs, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="span-task" lang="en"
# ## 4. Where is the answer? (3 points)
#
# A row holds a question and a paragraph; the paragraph begins at place `first`. A head has scored each place as the begin and as the
# end of the answer:
#
# | place | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | begin | 9 | 1 | 0 | 2 | 5 | 1 |
# | end | 9 | 0 | 6 | 1 | 2 | 3 |
#
# With `first` = 2 the best begin is place 4, the best end place 2: no span, the end stands before the begin. So look for the pair
# $(i, j)$ with the highest sum, `first` ≤ i ≤ j, of at most `longest` pieces. With `longest` = 3 it is (4, 5): $5 + 3 = 8$; with 1 it is
# (4, 4).
#
# Write `span(begin, end, first, longest)`. Return i and j, as places in the row. There are no ties.

# %% [markdown] key="span-task" lang="zh" follows="559516d4"
# ## 4. 答案在哪里？（3 分）
#
# 一行里有一个问题和一段文章，文章从位置 `first` 开始。输出头给每个位置打了两个分：作为答案起点的分，作为答案终点的分：
#
# | 位置 | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | 起点分 | 9 | 1 | 0 | 2 | 5 | 1 |
# | 终点分 | 9 | 0 | 6 | 1 | 2 | 3 |
#
# `first` = 2 时，最好的起点在 4，最好的终点在 2：终点在起点之前，不成一段。所以要找分数之和最高的一对 $(i, j)$，满足 `first` ≤ i ≤ j，而且不超过 `longest` 个词片。`longest` = 3 时是 (4, 5)：$5 + 3 = 8$；等于 1 时是 (4, 4)。
#
# 请写 `span(begin, end, first, longest)`，返回 i 和 j，按整行的位置来数。不会有并列。


# %% key="span" role="answer"
def span(begin, end, first, longest):
    """Return the places of begin and end / 返回起点和终点的位置."""
    ### BEGIN SOLUTION
    sums = begin[:, None] + end[None, :]
    i, j = np.indices(sums.shape)
    allowed = (i >= first) & (i <= j) & (j < i + longest)
    best = np.argmax(np.where(allowed, sums, -np.inf))
    return np.unravel_index(best, sums.shape)
    ### END SOLUTION


# %% key="test_span" role="test" points=3
from course_lib.grading import check

check("14.span", span)
### BEGIN HIDDEN TESTS
check("14.span", span, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="leaks-task" lang="en"
# ## 5. Find the leak (3 points)
#
# A stack over T places: `layers[l][i][j]` is 1 if in layer $l$ place $i$ reads place $j$; `layers[0]` is the lowest. In addition to what it
# reads, a place always keeps what it had (the residual connection). `hidden[j]` is 1 if the word at $j$ is not in the input: `[MASK]` stands
# there. `predicts[i]` says which place's word the top state at $i$ is asked for; -1: none.
#
# Example with T = 3. In the lower layer 1 reads 2; in the upper layer 0 reads 1, and 2 reads 0. Nothing is hidden;
# `predicts` = `[2, 2, 1]`. Place 0 is asked for word 2: in the upper layer it reads place 1, which below has read place 2. This is a leak by a
# detour. Place 1 has read 2 itself: a leak. Place 2 is asked for word 1: it reads 0 above, and 0 has read nothing
# below. No leak. Together `[1, 1, 0]`. If word 2 is hidden, `[0, 0, 0]`.
#
# Write `leaks(layers, hidden, predicts)`. `layers` is a list of arrays `(T, T)`, the others are arrays of length T. Return T numbers: 1
# where the state could know its answer, else 0.

# %% [markdown] key="leaks-task" lang="zh" follows="d8913b7a"
# ## 5. 找出泄漏（3 分）
#
# 一个多层网络，共有 T 个位置：`layers[l][i][j]` 为 1，表示第 $l$ 层里位置 $i$ 读位置 $j$；`layers[0]` 是最低层。除了读到的，一个位置总会保留自己原有的东西（残差连接）。`hidden[j]` 为 1，表示 $j$ 处的词不在输入里，放的是 `[MASK]`。`predicts[i]` 表示 $i$ 处的顶层状态要预测哪个位置的词；-1 表示不预测。
#
# 例：T = 3。低层里 1 读 2；高层里 0 读 1，2 读 0。什么也没遮；`predicts` = `[2, 2, 1]`。位置 0 要预测词 2：高层里它读位置 1，而位置 1 在低层读过位置 2，拐个弯泄漏了。位置 1 自己就读过 2：泄漏。位置 2 要预测词 1：它在高层读 0，而 0 在低层什么也没读。没有泄漏。合起来是 `[1, 1, 0]`。如果遮住词 2，就是 `[0, 0, 0]`。
#
# 请写 `leaks(layers, hidden, predicts)`。`layers` 是一列 `(T, T)` 的数组，另外两个是长度为 T 的数组。返回 T 个数：状态有可能知道答案的为 1，否则为 0。


# %% key="leaks" role="answer"
def leaks(layers, hidden, predicts):
    """Say for each place whether its answer leaks / 每个位置的答案是否泄漏."""
    ### BEGIN SOLUTION
    known = np.eye(len(hidden), dtype=bool)  # row i: what place i knows
    for layer in layers:
        reads = np.array(layer, dtype=bool)
        known = known | (reads[:, :, None] & known[None]).any(axis=1)
    leak = known[np.arange(len(hidden)), predicts] & (hidden[predicts] == 0)
    return leak & (predicts >= 0)
    ### END SOLUTION


# %% key="test_leaks" role="test" points=3
from course_lib.grading import check

check("14.leaks", leaks)
### BEGIN HIDDEN TESTS
check("14.leaks", leaks, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="parity-task" lang="en"
# ## 6. Load a released layer (3 points)
#
# A released BERT is a file of tensors with names. `block`, given below, is one layer in this course's form: it looks its weights up
# under the names on the left. On the right stands what they are called in the released files, in layer $k$:
#
# | ours | theirs, after `encoder.layer.k.` |
# |---|---|
# | `attention.qkv` | `attention.self.query`, `attention.self.key`, `attention.self.value`: the rows of the first above those of the second above those of the third |
# | `attention.mix` | `attention.output.dense` |
# | `after_looking` | `attention.output.LayerNorm` |
# | `feed_forward.0`, `feed_forward.2` | `intermediate.dense`, `output.dense` |
# | `after_thinking` | `output.LayerNorm` |
#
# Each name has a `.weight` and a `.bias`. In older files the `weight` and `bias` of a LayerNorm are called `gamma` and `beta`. A
# linear weight has the shape (outputs, inputs) on both sides.
#
# Write `parity(theirs, k, x)`: make the dictionary of our names from `theirs` (a dictionary of names and arrays, which also holds other layers
# and the embeddings), and return `block(mine, x)`. The check computes the layer from *their* names and compares: equal outputs, which is
# called **parity**, are the proof that a mapping is right. Shapes alone prove little: query, key and value all have the same.

# %% [markdown] key="parity-task" lang="zh" follows="3e841936"
# ## 6. 载入一层公开发布的权重（3 分）
#
# 公开发布的 BERT 就是一个文件，里面是带名字的张量。下面给出的 `block` 是本课程写法的一层，它按左边的名字取权重；右边是这些权重在公开的文件里第 $k$ 层的名字：
#
# | 我们的名字 | 文件里的名字，前面都有 `encoder.layer.k.` |
# |---|---|
# | `attention.qkv` | `attention.self.query`、`attention.self.key`、`attention.self.value`，三者的行依次上下叠放 |
# | `attention.mix` | `attention.output.dense` |
# | `after_looking` | `attention.output.LayerNorm` |
# | `feed_forward.0`、`feed_forward.2` | `intermediate.dense`、`output.dense` |
# | `after_thinking` | `output.LayerNorm` |
#
# 每个名字都有 `.weight` 和 `.bias`。在较早的文件里，LayerNorm 的 `weight` 和 `bias` 叫 `gamma` 和 `beta`。线性层的权重，两边的形状都是（输出，输入）。
#
# 请写 `parity(theirs, k, x)`：`theirs` 是名字到数组的字典，里面还有别的层和词嵌入；用它做出一个以我们的名字为键的字典 `mine`，返回 `block(mine, x)`。检查程序按*他们的*名字另算一遍这一层，再来比较。两边输出相等（英文叫 **parity**），才证明名字对得上。光看形状证明不了多少，query、key 和 value 的形状就是一样的。


# %% key="parity-block" role="given"
def block(mine, x, heads=2):
    """Run a post-norm BERT block on weights under our names. Shape: (T, D) to same."""

    def linear(name, x):
        return x @ mine[f"{name}.weight"].T + mine[f"{name}.bias"]

    def norm(name, x):
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
        return mine[f"{name}.weight"] * x + mine[f"{name}.bias"]

    T, D = x.shape
    parts = np.split(linear("attention.qkv", x), 3, axis=1)  # query, key, value: (T, D)
    q, k, v = (p.reshape(T, heads, -1).swapaxes(0, 1) for p in parts)  # (H, T, D/H)
    scores = q @ k.swapaxes(1, 2) / np.sqrt(D / heads)  # (H, T, T)
    scores = np.exp(scores - scores.max(axis=2, keepdims=True))
    looked = (scores / scores.sum(axis=2, keepdims=True)) @ v  # (H, T, D/H)
    looked = looked.swapaxes(0, 1).reshape(T, D)
    x = norm("after_looking", x + linear("attention.mix", looked))
    inner = linear("feed_forward.0", x)  # (T, inner)
    inner = inner / 2 * (1 + np.tanh(0.79788456 * (inner + 0.044715 * inner**3)))
    return norm("after_thinking", x + linear("feed_forward.2", inner))


# %% key="parity" role="answer"
def parity(theirs, k, x):
    """Run our block on their layer k / 用我们的 block 运行他们的第 k 层."""
    ### BEGIN SOLUTION
    names = {
        "attention.qkv": [f"attention.self.{part}" for part in ("query", "key", "value")],
        "attention.mix": ["attention.output.dense"],
        "after_looking": ["attention.output.LayerNorm"],
        "feed_forward.0": ["intermediate.dense"],
        "feed_forward.2": ["output.dense"],
        "after_thinking": ["output.LayerNorm"],
    }
    new = {n.replace("gamma", "weight").replace("beta", "bias"): w for n, w in theirs.items()}
    mine = {
        f"{ours}.{end}": np.concatenate([new[f"encoder.layer.{k}.{n}.{end}"] for n in found])
        for ours, found in names.items()
        for end in ("weight", "bias")
    }
    return block(mine, x)
    ### END SOLUTION


# %% key="test_parity" role="test" points=3
from course_lib.grading import check

check("14.parity", parity)
### BEGIN HIDDEN TESTS
check("14.parity", parity, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="ablation-question" lang="en"
# ## 7. What makes BERT good? (written, 4 points)
#
# From table 5 of the paper (development sets; all of BERT_BASE's size):
#
# | | MNLI | QNLI | MRPC | SST-2 | SQuAD |
# |---|---|---|---|---|---|
# | BERT | 84.4 | 88.4 | 86.7 | 92.7 | 88.5 |
# | no NSP | 83.9 | 84.9 | 86.5 | 92.6 | 87.9 |
# | left to right, no NSP | 82.1 | 84.3 | 77.5 | 92.1 | 77.8 |
#
# MNLI, QNLI and MRPC are pairs of texts (MRPC has 3,600 training pairs and some 400 development pairs), SST-2 is the sentiment of
# sentences, SQuAD asks for spans. Answer in 80 to 170 words. Points:
#
# 1. **Objective** (1): which comparison isolates the masked model, and where it matters most; why there.
# 2. **NSP** (1): what the table says of "NSP does not matter".
# 3. **Uncertainty** (1): what the table does not show; which difference you would not build on.
# 4. **Confounders** (1): what else distinguishes BERT from GPT and ELMo that this table cannot separate.

# %% [markdown] key="ablation-question" lang="zh" follows="d4255cd9"
# ## 7. BERT 好在哪里？（笔答，4 分）
#
# 论文表 5（开发集，大小都同 BERT_BASE）：
#
# | | MNLI | QNLI | MRPC | SST-2 | SQuAD |
# |---|---|---|---|---|---|
# | BERT | 84.4 | 88.4 | 86.7 | 92.7 | 88.5 |
# | 不要 NSP | 83.9 | 84.9 | 86.5 | 92.6 | 87.9 |
# | 从左到右，不要 NSP | 82.1 | 84.3 | 77.5 | 92.1 | 77.8 |
#
# MNLI、QNLI、MRPC 是句对（MRPC 有 3600 对训练数据，开发集四百来对），SST-2 是单句情感，SQuAD 是片段抽取。用 150 到 300 字回答。评分点：
#
# 1. **训练目标**（1 分）：哪一组比较单独说明了掩码模型的作用；在哪里最明显，为什么。
# 2. **NSP**（1 分）：对“NSP 无关紧要”，这张表怎么说。
# 3. **不确定**（1 分）：表里没有给出什么；哪个差别你不会当真。
# 4. **混杂因素**（1 分）：BERT 同 GPT、ELMo 还有哪些不同，是这张表分不开的。

# %% [markdown] key="ablation-answer" lang="en" role="written" points=4
# Rows two and three differ only in the objective and the direction: masked with both sides against left to right, both without NSP,
# on the same text. The gain is largest for SQuAD (10.1) and MRPC (9.0), smallest for SST-2 (0.5): a span needs, at each piece, what stands
# to its right; a sentence's sentiment can often be read off at its end. For QNLI the table speaks against "NSP does not matter" (3.5 points);
# for MRPC and SST-2 nothing can be concluded from 0.2 and 0.1; RoBERTa later did without, so it depends on the set-up. There are no seeds, no
# intervals. MRPC's development set has some 400 pairs, a point is four of them; I would not build on 0.2 there, nor on 0.5 for SST-2. The
# table holds text and size fixed; against GPT, BERT also has four times the words, segment embeddings in pre-training, and a larger
# variant, against ELMo a Transformer and fine-tuning.

# %% [markdown] key="ablation-answer" lang="zh" follows="e5d21181"
# 第二、三行只差训练目标和方向：一个是掩码语言模型，看得见两侧，一个从左到右，都不要 NSP，文本相同。差别最大的是 SQuAD（10.1）和 MRPC（9.0），最小的是 SST-2（0.5）：抽取片段时，每个词片都要知道右边有什么；一句话的褒贬，读到句末就行。“NSP 无关紧要”在 QNLI 上不成立，差 3.5 个点；MRPC、SST-2 只差 0.2 和 0.1，看不出来。后来 RoBERTa 不用它也行，可见要看怎么训练。表里没有种子，也没有区间。MRPC 的开发集只有四百来对，一个点就是四对；所以 0.2 的差别我不当真，SST-2 上的 0.5 也不当真。这张表固定了文本和大小；而同 GPT 比，BERT 的语料多了三倍，预训练时就有片段嵌入，还有更大的型号；同 ELMo 比，又换成了 Transformer，还做微调。

# %% [markdown] key="report-question" lang="en"
# ## 8. Referee a report (written, 4 points)
#
# The report is made up for this question:
#
# > We changed one thing in BERT's recipe: whole words are masked, not single pieces. Both models were pre-trained once, on the same
# > text for the same number of steps, then fine-tuned on RTE with 20 seeds each. Accuracy on RTE's 277 development pairs, mean and 95 %
# > interval over the seeds: 66.4 ± 0.3 with whole words, 64.6 ± 0.3 with pieces. The held-out perplexity at the masked places is 21
# > with whole words and 14 with pieces, so the model learned more from the harder task. Whole words are the better recipe.
#
# Write the referee's opinion in 80 to 200 words. Points:
#
# 1. **Seeds** (1): what differs between the 20 runs of a model and what does not; what ± 0.3 says nothing about.
# 2. **Test pairs** (1): how many pairs 1.8 points are, and which source of chance that number points to.
# 3. **Perplexity** (1): whether 21 and 14 can be compared, and what follows from them.
# 4. **A better experiment** (1): what you would do with eight pre-trainings, and which result would convince you.

# %% [markdown] key="report-question" lang="zh" follows="6b94e363"
# ## 8. 给一份报告审稿（笔答，4 分）
#
# 这份报告是为本题编的：
#
# > 我们只改了 BERT 配方里的一处：掩码时遮住整个词，不再遮单个词片。两个模型各预训练一次，文本相同，步数相同，再各用 20 个种子在 RTE 上微调。RTE 开发集 277 对，准确率（各种子的平均和 95% 区间）：遮整词 66.4 ± 0.3，遮词片 64.6 ± 0.3。留出文本上被遮位置的困惑度，遮整词是 21，遮词片是 14，可见任务更难，模型学到的也更多。结论：遮整词是更好的配方。
#
# 写一份审稿意见，150 到 350 字。评分点：
#
# 1. **种子**（1 分）：同一个模型的 20 次运行，哪些不同，哪些相同；± 0.3 说明不了什么。
# 2. **测试句对**（1 分）：1.8 个点是几对，这个数目提醒我们还有哪一种偶然。
# 3. **困惑度**（1 分）：21 和 14 能不能比，由此能推出什么。
# 4. **更好的实验**（1 分）：给你八次预训练，你怎么安排，什么结果能说服你。

# %% [markdown] key="report-answer" lang="en" role="written" points=4
# The 20 runs of a model differ in what fine-tuning draws: the new head, the order of the pairs, dropout. They share one pre-training. So ± 0.3
# tells this BERT from that one, and says nothing about how far two pre-trainings of the same recipe lie apart; 1.8 points may be no more than
# that, and the report has no twins to show it. On 277 pairs, 1.8 points are five. All runs answer the same 277, so the interval leaves out
# what other pairs would give. The perplexities answer different questions: when a whole word is hidden, its other pieces cannot help, so a higher
# number is to be expected from the masks alone. That a harder question teaches more does not follow. With eight pre-trainings I would make four of
# each recipe, each with its own seed for start and masks, take the mean of a few fine-tunings of each, and use a larger test set as well, with an untrained network as
# the lower bound. I would be convinced if the 95 % interval over pre-trainings excluded 0, by a difference that was fixed beforehand as worth having.

# %% [markdown] key="report-answer" lang="zh" follows="87cfbcc1"
# 同一个模型的 20 次运行，不同的只是微调时抽到的东西：新加的输出头、句对的次序、dropout；预训练却是同一次。所以 ± 0.3 分得出这一个 BERT 和那一个，至于同一种配方再预训练一次会差多少，它一点也没说。1.8 个点也许就是这种差别，报告里没有双胞胎可以对照。277 对里的 1.8 个点是五对，所有运行答的又是同样的 277 对，换一批句对会怎样，也不在区间之内。两个困惑度回答的不是同一个问题：整个词都遮住，就没有别的词片可以提示，单凭掩码不同就该更高；“更难，所以学得更多”推不出来。八次预训练，我会每种配方做四次，初始值和掩码各用各的种子，每次再微调几遍取平均；另加一个更大的测试集，用没有训练过的网络作下限。如果各次预训练之间算出来的 95% 区间不含 0，差别又达到事先定下的大小，我就信。
