# %% [markdown] key="title" lang="en"
# # Exercises 01 · Counts, a network, and a by-product
#
# Five functions (12 points) and two written answers (8 points). Nothing is trained here,
# every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of these
# functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="4fe3917d"
# # 练习 01 · 计数、网络和副产品
#
# 五个函数（12 分），两道笔答题（8 分）。这里不训练任何模型，每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import itertools
import math

import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="kneser_ney-task" lang="en"
# ## 1. Kneser-Ney for pairs of words (3 points)
#
# Example: the text is *we saw San Francisco and San Francisco saw us*. In it *saw* is
# followed once by *San* and once by *us*. Take $D=0.75$ off each of these two counts: the share
# $2\cdot0.75/2=0.75$ of the probability is now free. A lower order hands it out, also to
# *Francisco*, which never stood there. It asks after how many *different* words a word
# stands. The text has 7 different pairs, and only one of them ends in *Francisco*:
# $P(\text{Francisco}\mid\text{saw})=0.75\cdot\frac17\approx0.107$. (*Francisco* is two
# of the nine words; but if it is seen, then after *San*.)
#
# $$P(w\mid u)=\frac{\max(c(u\,w)-D,\,0)}{c(u\,\cdot)}
#   +\frac{D\,N(u\,\cdot)}{c(u\,\cdot)}\cdot\frac{N(\cdot\,w)}{N(\cdot\,\cdot)}$$
#
# * $c(u\,w)$ says how often the pair $u\,w$ stands in the text, $c(u\,\cdot)$ how many
#   pairs begin with $u$.
# * $N$ counts *different* pairs: those that begin with $u$, those that end in $w$, all.
# * If no pair begins with $u$ (it is not in the text, or only as its last word), the
#   probability is that of the lower order, $N(\cdot\,w)/N(\cdot\,\cdot)$.
#
# Write `kneser_ney(text, u, w, D)`. `text` is a list of at least two words, `w` one of
# them, `u` any word. Return $P(w\mid u)$. (In this simple form a word that only begins
# the text gets 0. The course's class puts $1/V$ below the lowest order, so that none does.)

# %% [markdown] key="kneser_ney-task" lang="zh" follows="e297a691"
# ## 1. 两个词的 Kneser-Ney（3 分）
#
# 例（一个字算一个词）：文本是“爱 吃 葡 萄 就 买 葡 萄 吃”。“吃”后面只跟过一次“葡”（末尾的“吃”没有后文）。从这个计数里扣掉 $D=0.75$，就有 $0.75/1=0.75$ 的概率空了出来，由低一阶来分，从没跟在“吃”后面的“萄”也有份。低一阶问的是：一个词跟在多少种*不同*的词后面？文本里有 7 种不同的词对，以“萄”结尾的只有一种：$P(\text{萄}\mid\text{吃})=0.75\cdot\frac17\approx0.107$。（九个词里有两个是“萄”，可是它一出现，前面准是“葡”。）
#
# $$P(w\mid u)=\frac{\max(c(u\,w)-D,\,0)}{c(u\,\cdot)}
#   +\frac{D\,N(u\,\cdot)}{c(u\,\cdot)}\cdot\frac{N(\cdot\,w)}{N(\cdot\,\cdot)}$$
#
# * $c(u\,w)$ 是词对 $u\,w$ 在文本里出现的次数，$c(u\,\cdot)$ 是以 $u$ 开头的词对总数。
# * $N$ 数的是*不同*的词对：以 $u$ 开头的、以 $w$ 结尾的、全部的。
# * 如果没有以 $u$ 开头的词对（$u$ 不在文本里，或者只是最后一个词），就取低一阶的概率 $N(\cdot\,w)/N(\cdot\,\cdot)$。
#
# 请写 `kneser_ney(text, u, w, D)`。`text` 是至少两个词的列表，`w` 是其中的一个，`u` 可以是任何词。返回 $P(w\mid u)$。（在这个简化的形式里，只在文本开头出现过的词得 0。课程里的类在最低一阶下面还垫了 $1/V$，所以没有词得 0。）


# %% key="kneser_ney" role="answer"
def kneser_ney(text, u, w, D):
    """Return P(w | u), interpolated with a lower order / 返回插值平滑后的 P(w | u)."""
    ### BEGIN SOLUTION
    pairs = list(itertools.pairwise(text))
    kinds = set(pairs)
    lower = sum(second == w for _, second in kinds) / len(kinds)
    after = [second for first, second in pairs if first == u]
    if not after:
        return lower
    kept = max(after.count(w) - D, 0) / len(after)
    freed = D * len(set(after)) / len(after)
    return kept + freed * lower
    ### END SOLUTION


# %% key="test_kneser_ney" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("01.kneser_ney", kneser_ney)
### BEGIN HIDDEN TESTS
check("01.kneser_ney", kneser_ney, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="fair_perplexity-task" lang="en"
# ## 2. Whoever says `<unk>` must still say which word (2 points)
#
# Example: a model knows the words *the*, *saw* and *cat*; any other word is `<unk>` to it.
# For *the ocelot saw the cat* it gives the probabilities 1/4, 1/2 (for `<unk>`), 1/4, 1/4
# and 1/8. This looks like a perplexity of $2^{(2+1+2+2+3)/5}=4$. But `<unk>` is not yet
# *ocelot*. The language has 67 words, so 64 are unknown to the model, and it has no idea
# which of them it is: probability 1/64, which is 6 bits more. The perplexity is
# $2^{(2+(1+6)+2+2+3)/5}\approx9.19$. Without this rule a model that knows no word at all
# would be perfect: it says `<unk>` every time, and is always right.
#
# Write `fair_perplexity(words, log_probs, known, all_words)` for
#
# * `words`: the words of a text, a list of strings; rare words stand there as they are;
# * `log_probs`: for each of them the natural logarithm of the probability that the model
#   gave to it, or to `<unk>` if it does not know the word;
# * `known`: the set of words that the model knows, without `<unk>`;
# * `all_words`: the set of all words of the language, the known ones included.
#
# Each unknown word of the language is equally likely behind `<unk>`. Return the perplexity,
# $\exp\bigl(-\frac1N\sum_i\log P(w_i)\bigr)$ over all $N$ words of the text.

# %% [markdown] key="fair_perplexity-task" lang="zh" follows="375866b4"
# ## 2. 说了 `<unk>`，还得说清是哪个词（2 分）
#
# 例：一个模型认识“小猫”“看见”“和”三个词，别的词在它眼里都是 `<unk>`。对“小猫 看见 穿山甲 和 小猫”，它给出的概率依次是 1/4、1/4、1/2（给 `<unk>` 的）、1/4、1/8。这样算，困惑度好像是 $2^{(2+2+1+2+3)/5}=4$。可是 `<unk>` 还不等于“穿山甲”。这个语言有 67 个词，模型不认识的有 64 个，到底是哪一个它毫无头绪：概率 1/64，还要多付 6 个比特。所以困惑度是 $2^{(2+2+(1+6)+2+3)/5}\approx9.19$。要是没有这条规矩，一个词都不认识的模型反而完美无缺：它每次都说 `<unk>`，每次都对。
#
# 请写 `fair_perplexity(words, log_probs, known, all_words)`：
#
# * `words`：文本的各个词，字符串列表；生僻词也照原样写在里面；
# * `log_probs`：模型给每个词的概率的自然对数；不认识的词，是给 `<unk>` 的概率的对数；
# * `known`：模型认识的词的集合，不含 `<unk>`；
# * `all_words`：这个语言全部词的集合，包括模型认识的。
#
# `<unk>` 背后，语言里每个未知词的机会都相等。返回困惑度 $\exp\bigl(-\frac1N\sum_i\log P(w_i)\bigr)$，其中 $N$ 是文本的全部词数。


# %% key="fair_perplexity" role="answer"
def fair_perplexity(words, log_probs, known, all_words):
    """Return the perplexity; <unk> pays for the word behind it / 返回公平的困惑度."""
    ### BEGIN SOLUTION
    others = len(all_words - known)
    which = sum(math.log(others) for word in words if word not in known)
    return math.exp((which - sum(log_probs)) / len(words))
    ### END SOLUTION


# %% key="test_fair_perplexity" role="test" points=2
from course_lib.grading import check

check("01.fair_perplexity", fair_perplexity)
### BEGIN HIDDEN TESTS
check("01.fair_perplexity", fair_perplexity, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="nnlm-task" lang="en"
# ## 3. The network of 2003 (3 points)
#
# Example: two words of context, one feature a word ($m=1$), one hidden unit ($h=1$), a
# vocabulary of two words ($V=2$), and
# $C=\begin{pmatrix}1\\-1\end{pmatrix}$, $H=(1\;\;2)$, $d=0$,
# $U=\begin{pmatrix}1\\0\end{pmatrix}$, $b=0$.
#
# The context is word 0, then word 1. So $x=(1,-1)$, $Hx=1-2=-1$,
# $y=(\tanh(-1),\,0)=(-0.762,\,0)$, and after the softmax
# $\log P=(-1.145,\,-0.383)$. For word 1, then word 0, it is the other way round.
#
# $$x=\bigl(C(w_{t-n+1}),\dots,C(w_{t-1})\bigr),\qquad y=b+Wx+U\tanh(d+Hx),\qquad
#   P(w_t=i\mid\dots)=\frac{e^{y_i}}{\sum_j e^{y_j}}$$
#
# Write `nnlm(contexts, C, H, d, U, b, W=None)`; all arguments are tensors.
#
# * `contexts`, shape `(B, n-1)`: the numbers of the words in each context, from the one
#   farthest back to the nearest; `x` has their features in the same order.
# * `C` `(V, m)`, `H` `(h, (n-1)*m)`, `d` `(h,)`, `U` `(V, h)`, `b` `(V,)`.
# * `W` `(V, (n-1)*m)`, straight from the features to the output; if it is None, $Wx$ is
#   left out.
#
# Return $\log P$ of every word, shape `(B, V)`. Scores may be in the hundreds, where $e^y$
# is infinite for a computer (with 32 bits); the logarithm of the probability is not.

# %% [markdown] key="nnlm-task" lang="zh" follows="95237d6e"
# ## 3. 2003 年的网络（3 分）
#
# 例：上下文两个词，每个词一个特征（$m=1$），一个隐藏单元（$h=1$），词表两个词（$V=2$），$C=\begin{pmatrix}1\\-1\end{pmatrix}$，$H=(1\;\;2)$，$d=0$，$U=\begin{pmatrix}1\\0\end{pmatrix}$，$b=0$。
#
# 上下文先是词 0，再是词 1。于是 $x=(1,-1)$，$Hx=1-2=-1$，$y=(\tanh(-1),\,0)=(-0.762,\,0)$，做完 softmax 得 $\log P=(-1.145,\,-0.383)$。如果先是词 1，再是词 0，结果正好对调。
#
# $$x=\bigl(C(w_{t-n+1}),\dots,C(w_{t-1})\bigr),\qquad y=b+Wx+U\tanh(d+Hx),\qquad
#   P(w_t=i\mid\dots)=\frac{e^{y_i}}{\sum_j e^{y_j}}$$
#
# 请写 `nnlm(contexts, C, H, d, U, b, W=None)`，参数都是张量。
#
# * `contexts`，形状 `(B, n-1)`：每个上下文里各词的编号，从最远的到最近的；`x` 按同样的次序放它们的特征。
# * `C` `(V, m)`，`H` `(h, (n-1)*m)`，`d` `(h,)`，`U` `(V, h)`，`b` `(V,)`。
# * `W` `(V, (n-1)*m)`，从特征直接通到输出；如果是 None，就没有 $Wx$ 这一项。
#
# 返回每个词的 $\log P$，形状 `(B, V)`。分数可能有几百，这时 $e^y$ 在计算机里（32 位）是无穷大，概率的对数却不是。


# %% key="nnlm" role="answer"
def nnlm(contexts, C, H, d, U, b, W=None):
    """Return log P of each next word, shape (B, V) / 返回每个词的 log P."""
    ### BEGIN SOLUTION
    x = C[contexts].flatten(1)  # (B, (n-1) m)
    y = b + torch.tanh(d + x @ H.T) @ U.T  # (B, V)
    if W is not None:
        y = y + x @ W.T
    return torch.log_softmax(y, dim=1)
    ### END SOLUTION


# %% key="test_nnlm" role="test" points=3
from course_lib.grading import check

check("01.nnlm", nnlm)
### BEGIN HIDDEN TESTS
check("01.nnlm", nnlm, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="table_gradient-task" lang="en"
# ## 4. Which rows of $C$ learn? (2 points)
#
# To look up row $i$ of $C$ is to multiply a one-hot vector by $C$. So $C$ is a layer like
# any other, and gets a gradient like any other. What does it look like?
#
# Example: $V=5$ words with $m=2$ features. A batch has the contexts (2, 0) and (3, 2), and
# the gradient of the loss by $x$, the features of each context in a row, is
#
# ```
# [[1, 2, 3, 4],        word 2: 1, 2    word 0: 3, 4
#  [5, 6, 7, 8]]        word 3: 5, 6    word 2: 7, 8
# ```
#
# The gradient by $C$ is
#
# ```
# [[3,  4],
#  [0,  0],             word 1 is not in the batch: it learns nothing
#  [8, 10],             word 2 is there twice: 1 + 7, 2 + 8
#  [5,  6],
#  [0,  0]]
# ```
#
# Write `table_gradient(contexts, gradient, V)` for tensors `contexts` of shape `(B, n-1)`
# and `gradient` of shape `(B, (n-1)*m)`. Return the gradient by $C$, shape `(V, m)`.

# %% [markdown] key="table_gradient-task" lang="zh" follows="5df7500c"
# ## 4. $C$ 的哪些行在学？（2 分）
#
# 从 $C$ 里取第 $i$ 行，就是用独热向量去乘 $C$。所以 $C$ 和别的层没有两样，也和别的层一样有梯度。它的梯度长什么样？
#
# 例：$V=5$ 个词，每个词 $m=2$ 个特征。一批里有两个上下文 (2, 0) 和 (3, 2)；损失对 $x$（每个上下文的特征连成一行）的梯度是
#
# ```
# [[1, 2, 3, 4],        词 2：1, 2    词 0：3, 4
#  [5, 6, 7, 8]]        词 3：5, 6    词 2：7, 8
# ```
#
# 那么损失对 $C$ 的梯度是
#
# ```
# [[3,  4],
#  [0,  0],             词 1 不在这一批里：什么也学不到
#  [8, 10],             词 2 出现两次：1 + 7，2 + 8
#  [5,  6],
#  [0,  0]]
# ```
#
# 请写 `table_gradient(contexts, gradient, V)`，其中张量 `contexts` 的形状是 `(B, n-1)`，`gradient` 的形状是 `(B, (n-1)*m)`。返回损失对 $C$ 的梯度，形状 `(V, m)`。


# %% key="table_gradient" role="answer"
def table_gradient(contexts, gradient, V):
    """Return the gradient by C, shape (V, m) / 返回损失对 C 的梯度."""
    ### BEGIN SOLUTION
    one_hot = torch.nn.functional.one_hot(contexts.flatten(), V)  # (B (n-1), V)
    parts = gradient.reshape(len(one_hot), -1)  # (B (n-1), m)
    return one_hot.T.to(parts.dtype) @ parts
    ### END SOLUTION


# %% key="test_table_gradient" role="test" points=2
from course_lib.grading import check

check("01.table_gradient", table_gradient)
### BEGIN HIDDEN TESTS
check("01.table_gradient", table_gradient, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="best_weight-task" lang="en"
# ## 5. How much of each model? (2 points)
#
# Example: to the four words of a text a network gives the probabilities 0.4, 0.4, 0.4, 0
# and a trigram 0, 0, 0, 0.1. The mixture $w\,p+(1-w)\,q$ gives the text the probability
# $(0.4\,w)^3\cdot0.1\,(1-w)$, and that is largest for $w=3/4$. Three of the four words
# belong to the network: how *sure* it is of them does not matter here.
#
# As a rule a word belongs to both. With the weight $w$ the network's share of word $i$ is
#
# $$s_i=\frac{w\,p_i}{w\,p_i+(1-w)\,q_i}.$$
#
# **Expectation-maximisation** begins with any weight between 0 and 1, computes the shares,
# takes their mean as the new weight, computes the shares anew, and so on. No step makes
# the text less likely.
#
# Write `best_weight(p, q)` for two arrays of shape `(T,)`, the probabilities of the same
# `T` words. Return the weight of `p`, from 0 to 1, with which the mixture gives the text
# the highest probability; it may be wrong by at most 0.001. At no word are both 0. You may
# find it in another way than this one.

# %% [markdown] key="best_weight-task" lang="zh" follows="7f9d6e82"
# ## 5. 两个模型各占多少？（2 分）
#
# 例：一段文本有四个词，网络给的概率是 0.4、0.4、0.4、0，三元模型给的是 0、0、0、0.1。混合模型 $w\,p+(1-w)\,q$ 给整段文本的概率是 $(0.4\,w)^3\cdot0.1\,(1-w)$，在 $w=3/4$ 时最大。四个词里有三个归网络：它对这三个词有*多大*把握，在这里并不要紧。
#
# 一般来说，一个词两边都有份。权重为 $w$ 时，第 $i$ 个词里网络的份额是
#
# $$s_i=\frac{w\,p_i}{w\,p_i+(1-w)\,q_i}$$
#
# **期望最大化**（EM）从 0 和 1 之间的任意一个权重出发，算出份额，以它们的平均作为新权重，再重新算份额，如此反复。每走一步，文本的概率都不会变小。
#
# 请写 `best_weight(p, q)`：两个形状为 `(T,)` 的数组，是两个模型给同样 `T` 个词的概率。返回使文本概率最大的 `p` 的权重，在 0 到 1 之间，误差不超过 0.001。不会有哪个词上两者都是 0。也可以用别的办法来求。


# %% key="best_weight" role="answer"
def best_weight(p, q):
    """Return the weight of p in the best mixture / 返回最佳混合中 p 的权重."""
    ### BEGIN SOLUTION
    weight = 0.5
    for _ in range(2000):  # where the models are much alike, each round moves it little
        share = weight * p / (weight * p + (1 - weight) * q)  # (T,)
        weight = np.mean(share)
    return weight
    ### END SOLUTION


# %% key="test_best_weight" role="test" points=2
from course_lib.grading import check

check("01.best_weight", best_weight)
### BEGIN HIDDEN TESTS
check("01.best_weight", best_weight, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="unseen-question" lang="en"
# ## 6. A context that was never seen (written, 4 points)
#
# An n-gram model that has never seen a context falls back on a shorter one. The network
# has never seen it either. Why can its guess be better? Answer in 80 to 170 words. Points:
#
# 1. **An example** (1): two contexts of your own, one from the training text and one new,
#    with hardly a word in common; you say what the counts know about the new one.
# 2. **The path** (1): you follow the new context through the network and say which
#    parameters bring what was learned from the old one; and why these rows of $C$ became
#    similar, although nobody asked for it.
# 3. **The limits** (1): a kind of context or word for which counting stays ahead, and why.
# 4. **A test** (1): a measurement on a test text that could prove your explanation wrong,
#    and the result that would.

# %% [markdown] key="unseen-question" lang="zh" follows="c745f41b"
# ## 6. 从没见过的上下文（笔答，4 分）
#
# n 元模型碰到没见过的上下文，只好退一步看更短的。网络也没有见过它，为什么反而可能猜得更准？请用 150 到 300 字回答。评分点：
#
# 1. **例子**（1 分）：自己想两个上下文，一个在训练文本里，一个是新的，几乎没有相同的词；说明计数对新的那个知道些什么。
# 2. **通路**（1 分）：跟着新的上下文走一遍网络，说清从旧的那里学到的东西由哪些参数带过来；还要说明：没有人要求，$C$ 的这几行为什么会变得相近。
# 3. **界限**（1 分）：举一类上下文或词，计数在那里仍然领先，并说明理由。
# 4. **检验**（1 分）：描述一个在测试文本上的测量，它有可能推翻你的解释；什么结果算推翻？

# %% [markdown] key="unseen-answer" lang="en" role="written" points=4
# Training has *she drank hot* followed by *tea*; the test has *he sips cold*. A 4-gram
# model never saw these three words in a row and backs off to what follows *cold*:
# *weather*, perhaps. The network looks up three rows of C. If *sips* lies near *drank*
# and *cold* near *hot*, x is near the x of the known context, and H, tanh and U, which
# change little when x does, give nearly the same scores. The rows are near because both
# words had to help to predict the same followers: the gradient pushed them the same way.
# Counting stays ahead with fixed phrases and names, and with rare words whose row has
# hardly moved. Test: split the test words by whether the trigram's context occurred in
# training, with several seeds. If the network gained significantly more on seen contexts
# than on unseen ones, sharing would not be the reason.

# %% [markdown] key="unseen-answer" lang="zh" follows="da1b50f6"
# 训练文本里有“她 喝 热”，后面是“茶”；测试时来了“他 抿 凉”。四元模型没见过这三个词连在一起，只好退回去看“凉”后面有什么，也许是“快”。网络则从 C 里取出三行接起来。要是“抿”挨着“喝”，“凉”挨着“热”，那么 x 就离旧上下文的 x 不远；H、tanh 和 U 在 x 变化不大时输出也变化不大，得到的分数就差不多。这几行之所以相近，是因为两个词都要帮着预测同样的后文，梯度把它们往同一个方向推。固定搭配和人名地名，还有出现太少、那一行几乎没动过的词，仍然是计数领先。检验：按三元模型的上下文在训练时有没有出现过，把测试词分成两组，多用几个随机种子，分别比较两个模型的损失。如果网络在见过的上下文上反而领先得显著更多，原因就不在共享。

# %% [markdown] key="window-question" lang="en"
# ## 7. “It reads all the previous words” (written, 4 points)
#
# Popular articles say that the neural language model of 2003 predicts a word from *all*
# the words before it. Answer in 80 to 170 words. Points:
#
# 1. **What it sees** (1): exactly which words the network sees for $n=5$, and which of its
#    matrices fixes that.
# 2. **An example** (1): a sentence of your own in which the word that decides lies outside
#    this window, and what the model sees instead.
# 3. **A larger window** (1): what grows with $n$ in the network, and what in a table of
#    counts; and what a word's features learned at one place do not tell about another place.
# 4. **A measurement** (1): how you would find out how much is lost by the window on some
#    text, and which result would say: nothing.

# %% [markdown] key="window-question" lang="zh" follows="c1d92d46"
# ## 7. “它读了前面所有的词”（笔答，4 分）
#
# 流行文章说，2003 年的神经网络语言模型根据前面*所有*的词来预测下一个词。请用 150 到 300 字回答。评分点：
#
# 1. **它看见什么**（1 分）：$n=5$ 时，网络看见的究竟是哪几个词？这由哪个矩阵决定？
# 2. **例子**（1 分）：自己造一个句子，起决定作用的词落在窗口之外；模型看见的又是什么？
# 3. **窗口更大**（1 分）：$n$ 变大时，网络里什么会变大，计数表里什么会变大？在一个位置上学到的东西，换个位置哪些用不上？
# 4. **测量**（1 分）：怎样查明在某种文本上窗口让模型损失了多少？什么结果说明没有损失？

# %% [markdown] key="window-answer" lang="en" role="written" points=4
# With n = 5 the network sees the four words before, no others: H (and W, if there is one)
# has exactly 4m columns. In *The keys that my sister left on the kitchen table …* the
# verb depends on *keys*, but the model sees *on the kitchen table* and leans towards
# *is*. With n the numbers in H grow linearly, (n-1) m h; the possible n-grams grow
# exponentially, and most are never seen. But each place has its own columns of H: what
# was learned about *not* three words back must be learned again for four. Measurement:
# train with n = 3, 5, 9, 17, all else equal, several seeds, and plot the loss on fresh
# text with intervals; compare with a model that has no window. If the intervals of what
# larger windows gain over n = 5, and of what that model gains, leave no room for a gain
# that matters (say 0.02 nats), the window loses next to nothing on this text.

# %% [markdown] key="window-answer" lang="zh" follows="59541910"
# n = 5 时，网络只看见紧挨着的前四个词：H（有 W 的话还有 W）正好只有 4m 列。例如“这 本 书 我 上 个 月 从 图书馆 借 回来 以后 就 一直 没有 …”，后面多半是“看”，决定它的是“书”，模型看见的却只有“以后 就 一直 没有”。n 变大时，H 的列数按比例增加，共 (n-1)mh 个数；可能的 n 元组却按指数增加，绝大多数永远见不到。不过，H 的每个位置各有自己的几列：“不”在倒数第三个位置上学到的作用，换到倒数第四个位置又得从头学。测量：n 取 3、5、9、17，其他都不变，多用几个随机种子，画出新文本上的损失和区间，再和一个没有窗口的模型比较。如果更大的窗口、没有窗口的模型，比 n = 5 好多少的区间都在 0.02 奈特（这里当作起码的改进）以下，那么在这种文本上，窗口几乎没有造成损失。
