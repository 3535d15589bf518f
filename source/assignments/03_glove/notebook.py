# %% [markdown] key="title" lang="en"
# # Exercises 03 · GloVe
#
# Four functions (11 points) and one written answer (4 points): count which words stand near
# each other, look at ratios of the counts, write down what GloVe minimises, and derive its
# gradient. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of these
# functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="bd05a087"
# # 练习 03 · GloVe
#
# 四个函数（11 分），一道笔答题（4 分）：数一数哪些词常在一起，看看计数的比值，写出 GloVe 的损失，再推导它的梯度。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import math

import numpy as np

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

# %% [markdown] key="cooccurrences-task" lang="en"
# ## 1. Who stands near whom? (3 points)
#
# Example: two sentences, *ice melts slowly* and *steam*, words numbered 0, 1, 2 and 3, window
# 2. *ice* and *melts* are neighbours at distance 1, *ice* and *slowly* at distance 2. *steam*
# stands in a sentence of its own and has no neighbour:
#
# ```
# [[0,   1, 0.5, 0],
#  [1,   0, 1,   0],
#  [0.5, 1, 0,   0],
#  [0,   0, 0,   0]]
# ```
#
# Write `cooccurrences(sentences, V, window)`. `sentences` is a list of lists of word numbers
# from 0 to `V - 1`; a sentence may be empty. Go to every place of every sentence and look
# `window` places to the left and to the right, but never beyond the sentence. A neighbour at
# distance $d$ adds $1/d$. Return the array $X$ of shape `(V, V)`: $X_{ik}$ is all that word
# $k$ added where word $i$ stood.
#
# A word can stand near itself: *very very* adds 1 to $X_{ii}$ twice, once from each place.

# %% [markdown] key="cooccurrences-task" lang="zh" follows="870769ed"
# ## 1. 谁在谁旁边？（3 分）
#
# 例：有两个句子，“冰 融化 了”和“蒸汽”，四个词依次编号 0、1、2、3，窗口为 2。“冰”和“融化”相距 1，“冰”和“了”相距 2。“蒸汽”独自成句，没有邻词：
#
# ```
# [[0,   1, 0.5, 0],
#  [1,   0, 1,   0],
#  [0.5, 1, 0,   0],
#  [0,   0, 0,   0]]
# ```
#
# 请写 `cooccurrences(sentences, V, window)`。`sentences` 是由句子组成的列表，每个句子是一列词的编号（0 到 `V - 1`），也可能是空的。走到每个句子的每个位置，向左、向右各看 `window` 个位置，但不能越出这个句子。距离为 $d$ 的邻词加 $1/d$。返回形状为 `(V, V)` 的数组 $X$：$X_{ik}$ 是在词 $i$ 的各个位置上，词 $k$ 总共加了多少。
#
# 一个词也可以在自己旁边：“很 很”会给 $X_{ii}$ 加两次 1，两个位置各一次。


# %% key="cooccurrences" role="answer"
def cooccurrences(sentences, V, window):
    """Return who stands near whom, weighed by 1 / distance / 按距离加权的共现表."""
    ### BEGIN SOLUTION
    X = np.zeros((V, V))
    for sentence in sentences:
        for distance in range(1, window + 1):
            for i, k in zip(sentence, sentence[distance:], strict=False):
                X[i, k] += 1 / distance
                X[k, i] += 1 / distance
    return X
    ### END SOLUTION


# %% key="test_cooccurrences" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("03.cooccurrences", cooccurrences)
### BEGIN HIDDEN TESTS
check("03.cooccurrences", cooccurrences, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="ratios-task" lang="en"
# ## 2. Ratios tell more than counts (2 points)
#
# Example, with invented counts, in the manner of the paper's table 1:
#
# | near | solid | gas | water | fashion |
# |---|---|---|---|---|
# | *ice* | 5 | 0 | 3 | 0 |
# | *steam* | 0 | 3 | 1 | 0 |
#
# Around *ice* 8 words were counted, around *steam* 4. So
# $P(\text{water}\mid\text{ice})=3/8$ and $P(\text{water}\mid\text{steam})=1/4$: the ratio
# is 1.5, and *water* hardly tells ice from steam. *solid* does, it never stands near steam:
# its ratio is infinite. *gas* has ratio 0. *fashion* stands near neither, and its ratio is
# not a number.
#
# Write `ratios(X, i, j)` for a symmetric table `X` of shape `(V, V)`. It returns, for every
# word $k$, the ratio $P(k\mid i)/P(k\mid j)$ with $P(k\mid i)=X_{ik}/\sum_m X_{im}$, an
# array of shape `(V,)`:
#
# * `math.inf` where $k$ stands near $i$ and never near $j$,
# * `math.nan` where $k$ stands near neither.
#
# Words `i` and `j` always have neighbours. Invent no small numbers to get rid of zeros.

# %% [markdown] key="ratios-task" lang="zh" follows="6d31765c"
# ## 2. 比值比计数更能说明问题（2 分）
#
# 例（计数是编的，仿照论文的表 1）：
#
# | 旁边的词 | 固体 | 气体 | 水 | 时装 |
# |---|---|---|---|---|
# | 冰 | 5 | 0 | 3 | 0 |
# | 蒸汽 | 0 | 3 | 1 | 0 |
#
# “冰”旁边一共数到 8，“蒸汽”旁边一共数到 4。所以 $P(\text{水}\mid\text{冰})=3/8$，$P(\text{水}\mid\text{蒸汽})=1/4$：比值是 1.5，“水”不大能区分冰和蒸汽。“固体”能，它从不出现在“蒸汽”旁边，比值是无穷大。“气体”的比值是 0。“时装”在两者旁边都没出现过，比值无意义。
#
# 请写 `ratios(X, i, j)`，其中 `X` 是形状为 `(V, V)` 的对称的表。对每个词 $k$ 求比值 $P(k\mid i)/P(k\mid j)$，这里 $P(k\mid i)=X_{ik}/\sum_m X_{im}$，返回形状为 `(V,)` 的数组：
#
# * $k$ 只出现在 $i$ 旁边、从不出现在 $j$ 旁边时，填 `math.inf`；
# * $k$ 在两者旁边都没出现过时，填 `math.nan`。
#
# 词 `i` 和 `j` 总是有邻词的。不要为了躲开零而编造小数。


# %% key="ratios" role="answer"
def ratios(X, i, j):
    """Return P(k|i) / P(k|j) for every word k / 对每个词 k 返回 P(k|i) / P(k|j)."""
    ### BEGIN SOLUTION
    near_i = X[i] / X[i].sum()
    near_j = X[j] / X[j].sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        return near_i / near_j
    ### END SOLUTION


# %% key="test_ratios" role="test" points=2
from course_lib.grading import check

check("03.ratios", ratios)
### BEGIN HIDDEN TESTS
check("03.ratios", ratios, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="glove_loss-task" lang="en"
# ## 3. What GloVe minimises (3 points)
#
# Example: a table with a single count, $X_{01}=16$, and vectors and biases that are all 0.
# The score of the pair is 0 and should be $\log 16$. With $x_{\max}=81$ and $\alpha=3/4$ the
# pair weighs $f(16)=(16/81)^{3/4}=8/27$. The loss is
# $\frac{8}{27}\,(0-\log 16)^2\approx 2.28$. The empty cells cost nothing.
#
# $$J=\sum_{X_{ik}>0} f(X_{ik})\,\bigl(w_i^\top\tilde w_k+b_i+\tilde b_k-\log X_{ik}\bigr)^2
# \qquad f(x)=\begin{cases}(x/x_{\max})^{\alpha}&\text{if } x<x_{\max}\\1&\text{otherwise}\end{cases}$$
#
# These are equations 8 and 9 of the paper. (The course's program minimises half of $J$;
# here we want all of it.)
#
# Write `glove_loss(X, w, w_tilde, b, b_tilde, x_max, alpha)`. `X` is a table of counts of
# shape `(V, V)`, which need not be symmetric here; `w` and `w_tilde` are the vectors of the
# words and of the contexts, shape `(V, D)`; `b` and `b_tilde` their biases, shape `(V,)`.
# Return one number, with the natural logarithm.

# %% [markdown] key="glove_loss-task" lang="zh" follows="04b238db"
# ## 3. GloVe 的损失（3 分）
#
# 例：表里只有一个计数 $X_{01}=16$，所有向量和偏置都是 0。这一对的得分是 0，而它应当是 $\log 16$。取 $x_{\max}=81$、$\alpha=3/4$，这一对的权重是 $f(16)=(16/81)^{3/4}=8/27$。损失是 $\frac{8}{27}\,(0-\log 16)^2\approx 2.28$。空的格子不计损失。
#
# $$J=\sum_{X_{ik}>0} f(X_{ik})\,\bigl(w_i^\top\tilde w_k+b_i+\tilde b_k-\log X_{ik}\bigr)^2
# \qquad f(x)=\begin{cases}(x/x_{\max})^{\alpha}&\text{若 } x<x_{\max}\\1&\text{其他}\end{cases}$$
#
# 这就是论文的式 (8) 和式 (9)。（课程的程序优化的是 $J$ 的一半，这里要的是整个 $J$。）
#
# 请写 `glove_loss(X, w, w_tilde, b, b_tilde, x_max, alpha)`。`X` 是形状为 `(V, V)` 的计数表，在这里不一定对称；`w` 和 `w_tilde` 是词和上下文的向量，形状为 `(V, D)`；`b` 和 `b_tilde` 是它们的偏置，形状为 `(V,)`。用自然对数，返回一个数。


# %% key="glove_loss" role="answer"
def glove_loss(X, w, w_tilde, b, b_tilde, x_max, alpha):
    """Return the loss of equation 8 / 返回式 (8) 的损失."""
    ### BEGIN SOLUTION
    i, k = np.nonzero(X)
    x = X[i, k]  # (pairs,)
    f = np.minimum(x / x_max, 1.0) ** alpha
    score = (w[i] * w_tilde[k]).sum(axis=1) + b[i] + b_tilde[k]
    return (f * np.square(score - np.log(x))).sum()
    ### END SOLUTION


# %% key="test_glove_loss" role="test" points=3
from course_lib.grading import check

check("03.glove_loss", glove_loss)
### BEGIN HIDDEN TESTS
check("03.glove_loss", glove_loss, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="pair_gradient-task" lang="en"
# ## 4. Which way is downhill? (3 points)
#
# Example: the pair of task 3, now with $w=(1, 0)$, $\tilde w=(2, 1)$ and biases 0. Its score is
# 2, too low by $\log 16-2\approx 0.77$. With $g=2\cdot\frac{8}{27}\,(2-\log 16)\approx-0.458$
# the gradient is
#
# | with respect to | $w$ | $\tilde w$ | $b$ | $\tilde b$ |
# |---|---|---|---|---|
# | | $(2g,\ g)$ | $(g,\ 0)$ | $g$ | $g$ |
#
# All steps against it raise the score.
#
# Write `pair_gradient(w, w_tilde, b, b_tilde, x, x_max, alpha)` for *one* pair: its count `x`
# above 0, the vectors `w` and `w_tilde` of shape `(D,)`, two numbers `b` and `b_tilde`.
# Return the gradient of the pair's term of $J$ as one array of shape `(2D + 2,)`, in the
# order $w$, $\tilde w$, $b$, $\tilde b$. Derive it on paper first; to join arrays there is
# `np.concatenate`.

# %% [markdown] key="pair_gradient-task" lang="zh" follows="64c9f387"
# ## 4. 往哪边走是下坡？（3 分）
#
# 例：还是第 3 题的那一对，但 $w=(1, 0)$，$\tilde w=(2, 1)$，偏置为 0。得分是 2，低了 $\log 16-2\approx 0.77$。记 $g=2\cdot\frac{8}{27}\,(2-\log 16)\approx-0.458$，梯度是
#
# | 对谁求导 | $w$ | $\tilde w$ | $b$ | $\tilde b$ |
# |---|---|---|---|---|
# | | $(2g,\ g)$ | $(g,\ 0)$ | $g$ | $g$ |
#
# 逆着它走，得分都会升高。
#
# 请写 `pair_gradient(w, w_tilde, b, b_tilde, x, x_max, alpha)`，只算*一*对词：计数 `x` 大于 0，向量 `w` 和 `w_tilde` 的形状是 `(D,)`，`b` 和 `b_tilde` 是两个数。返回 $J$ 中这一对那一项的梯度，一个形状为 `(2D + 2,)` 的数组，次序是 $w$、$\tilde w$、$b$、$\tilde b$。先在纸上推导；拼接数组可以用 `np.concatenate`。


# %% key="pair_gradient" role="answer"
def pair_gradient(w, w_tilde, b, b_tilde, x, x_max, alpha):
    """Return the gradient for one pair / 返回一对词的梯度."""
    ### BEGIN SOLUTION
    f = min(x / x_max, 1.0) ** alpha
    error = w @ w_tilde + b + b_tilde - math.log(x)
    g = 2 * f * error
    return np.concatenate([g * w_tilde, g * w, [g, g]])
    ### END SOLUTION


# %% key="test_pair_gradient" role="test" points=3
from course_lib.grading import check

check("03.pair_gradient", pair_gradient)
### BEGIN HIDDEN TESTS
check("03.pair_gradient", pair_gradient, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="regression-question" lang="en"
# ## 5. Is GloVe a language model? (written, 4 points)
#
# A popular article writes that GloVe “is trained on a language-model task”. Contradict it,
# in 80 to 150 words. Points:
#
# 1. **What it is** (1): you name the quantity that is predicted, from what, and how an
#    error is counted.
# 2. **What is missing** (1): you say which property of a language model GloVe does not
#    have, and why the exponential of its score is no such thing.
# 3. **What you would add** (1): you describe the changes that would make a language model
#    of it: what is counted or predicted, and what is normalised.
# 4. **A test** (1): a change of the training text that GloVe cannot notice and a language
#    model must, with the result that you expect of each.

# %% [markdown] key="regression-question" lang="zh" follows="83f44ae2"
# ## 5. GloVe 是语言模型吗？（笔答，4 分）
#
# 有文章说 GloVe “是用语言模型任务训练的”。请用 150 到 300 字反驳。评分点：
#
# 1. **它是什么**（1 分）：说清楚预测的是哪个量，由什么来预测，误差怎样计算。
# 2. **缺了什么**（1 分）：语言模型的哪个性质是 GloVe 没有的；把它的得分取指数，为什么也不行。
# 3. **要加什么**（1 分）：怎样改才能得到一个语言模型：数什么、预测什么，对什么做归一化。
# 4. **检验**（1 分）：对训练文本做一种改动，GloVe 察觉不到，语言模型却一定会受影响；说明两者各会得到什么结果。

# %% [markdown] key="regression-answer" lang="en" role="written" points=4
# GloVe is a weighted regression. From the vectors and biases of two words it predicts one
# number, the logarithm of how often they stood near each other; the error is squared, and
# weighed by f of the count. A language model gives each possible next word a probability,
# given the words before it, and these sum to one. GloVe's scores obey no such law: their
# exponentials estimate counts, of neighbours on both sides and anywhere in the
# window. To get a language model I would count only the word that follows directly, score
# it from the word before, and divide by the sum over the vocabulary (softmax), fitted by
# maximum likelihood. That log-bilinear bigram model has a perplexity.
# Test: write every sentence backwards. X stays the same, so GloVe finds the same minimum. A
# model that must predict the next word now learns another language, and finds ordinary
# sentences surprising.

# %% [markdown] key="regression-answer" lang="zh" follows="05b9bcbb"
# GloVe 是一个加权回归。它由两个词的向量和偏置预测一个数，即这两个词共现次数的对数；误差取平方，再按计数的 f 加权。语言模型则是在给定前文时，给每个可能的下一个词一个概率，这些概率之和为 1。GloVe 的得分不受这种约束：取指数得到的是对共现计数的估计，窗口内两边、各种距离的邻词都混在一起。要把它变成语言模型，我会只数紧跟在后面的那个词，由前一个词给它打分，再除以整个词表上的总和（softmax），用最大似然来拟合。这就是一个对数双线性的二元模型，它有困惑度。检验：把每个句子倒过来写。X 完全不变，所以 GloVe 的最优解也不变；而要预测下一个词的模型学到的是另一种语言，再读正常的句子就会觉得处处意外。
