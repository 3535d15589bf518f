# %% [markdown] key="title" lang="en"
# # Exercises 06 · The bidirectional language model
#
# Five functions (12 points) and two written answers (8 points). Nothing is trained here,
# every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="d4d3248b"
# # 练习 06 · 双向语言模型
#
# 五个函数（12 分），两道笔答题（8 分）。这里不训练任何模型，每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import math

import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="char_ids-task" lang="en"
# ## 1. A word as character ids (2 points)
#
# Example: *bank* becomes `[259, 99, 98, 111, 108, 260, 261, 261, …, 261]`, 50 numbers.
# 花 has three bytes in UTF-8, `E8 8A B1`, and becomes
# `[259, 233, 139, 178, 260, 261, …, 261]`.
#
# ELMo spells every word as a row of 50 character ids:
#
# * A character is a *byte* of the word's UTF-8 encoding, a number from 0 to 255.
# * Five more numbers: 256 begins a sentence, 257 ends it; 258 begins a word, 259 ends it;
#   260 fills the row up behind the word's end mark.
# * A word is its begin mark, its bytes, its end mark. Both marks must find room: bytes
#   that do not fit are cut off, even in the middle of a character.
# * The sentence marks `<S>` and `</S>` are words with one character, 256 or 257.
# * Characters that UTF-8 cannot express are left out (`errors="ignore"`).
# * At the end 1 is added to *all* 50 numbers. So 0 is free, and means in a batch of
#   sentences that no word is there.
#
# Write `char_ids(word)`: a string in, 50 integers out (a list or an array).

# %% [markdown] key="char_ids-task" lang="zh" follows="bbc0f3d9"
# ## 1. 把一个词写成字符编号（2 分）
#
# 例：*bank* 变成 `[259, 99, 98, 111, 108, 260, 261, 261, …, 261]`，共 50 个数。“花”的 UTF-8 编码有三个字节 `E8 8A B1`，于是变成 `[259, 233, 139, 178, 260, 261, …, 261]`。
#
# ELMo 把每个词拼写成一行 50 个字符编号：
#
# * 这里的“字符”是该词 UTF-8 编码的一个*字节*，即 0 到 255 的数。
# * 另有五个数：256 是句首，257 是句尾；258 是词首，259 是词尾；260 填在词尾标记之后，把这一行补满。
# * 一个词依次是词首标记、各个字节、词尾标记。两个标记都必须放得下：放不下的字节要截掉，哪怕正好切在一个汉字中间。
# * 句子标记 `<S>` 和 `</S>` 各算一个只有一个字符的词，这个字符是 256 或 257。
# * UTF-8 无法表示的字符直接略去（`errors="ignore"`）。
# * 最后，50 个数*全部*加 1。这样 0 就空了出来，在一批句子里表示“这里没有词”。
#
# 请写 `char_ids(word)`：输入一个字符串，输出 50 个整数（列表或数组都行）。


# %% key="char_ids" role="answer"
def char_ids(word):
    """Return the 50 character ids of a word / 返回一个词的 50 个字符编号."""
    ### BEGIN SOLUTION
    special = {"<S>": [256], "</S>": [257]}
    inside = special.get(word, list(word.encode("utf-8", errors="ignore"))[:48])
    marked = [258, *inside, 259]
    return [i + 1 for i in marked + [260] * (50 - len(marked))]
    ### END SOLUTION


# %% key="test_char_ids" role="test" points=2
from course_lib.grading import check  # in case your code has a `check` of its own

check("06.char_ids", char_ids)
### BEGIN HIDDEN TESTS
check("06.char_ids", char_ids, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="sees-task" lang="en"
# ## 2. Find the leak (3 points)
#
# Example: for a forward LSTM and $T=3$ the answer is
#
# ```
# [[True, False, False],
#  [True, True,  False],
#  [True, True,  True ]]
# ```
#
# because state 0 depends on token 0 alone, and state 2 on all three.
#
# You are given a network `f` as a black box: it maps tokens of shape `(1, T, D)` to states
# of shape `(1, T, H)`, always in the same way, and it gives **no gradients**. Lesson 06 used
# the gradient; here you find out by experiment.
#
# Write `sees(f, T, D)`. It returns a matrix of shape `(T, T)` of True and False: row `t`,
# column `s` is True if state `t` depends on token `s`. A weak dependence counts, too.
# Rounding stays below `1e-6`; a real dependence moves some component of the state by more,
# if the tokens from which you begin and the change of one of them are good ones. Which are
# not?

# %% [markdown] key="sees-task" lang="zh" follows="38d19da5"
# ## 2. 找出泄漏（3 分）
#
# 例：前向 LSTM，$T=3$，答案是
#
# ```
# [[True, False, False],
#  [True, True,  False],
#  [True, True,  True ]]
# ```
#
# 因为状态 0 只依赖词 0，而状态 2 依赖全部三个词。
#
# 给你的网络 `f` 是一个黑箱：输入形状为 `(1, T, D)` 的词向量，输出形状为 `(1, T, H)` 的状态；同样的输入总是得到同样的输出，但它**不提供梯度**。第 06 课用的是梯度，这里要靠做实验来判断。
#
# 请写 `sees(f, T, D)`，返回形状为 `(T, T)` 的布尔矩阵：第 `t` 行第 `s` 列为 True，表示状态 `t` 依赖于词 `s`。依赖很弱也算。舍入误差不超过 `1e-6`；只要起点和改动词的方式选得好，真正的依赖会让状态的某个分量变化得比这更多。想一想：哪些起点、哪些改动方式不好？


# %% key="sees" role="answer"
def sees(f, T, D):
    """Return which state (row) depends on which token (column) / 状态依赖哪些词."""
    ### BEGIN SOLUTION
    x = torch.randn(1, T, D)
    seen = torch.zeros(T, T, dtype=torch.bool)
    for s in range(T):
        changed = x.clone()
        changed[0, s] = torch.randn(D)
        moved = (f(changed) - f(x)).abs()[0]  # (T, H)
        seen[:, s] = moved.amax(dim=1) > 1e-6
    return seen
    ### END SOLUTION


# %% key="test_sees" role="test" points=3
from course_lib.grading import check

check("06.sees", sees)
### BEGIN HIDDEN TESTS
check("06.sees", sees, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="two_directions-task" lang="en"
# ## 3. Two stacks, two directions (3 points)
#
# Example: a batch holds *We saw it .* (4 words) and *Yes .* (2 words, then 2 steps of
# padding). The backward stack must read the second sentence as *. Yes*, without having
# seen the padding first; and its state after reading *Yes* belongs to position 0.
#
# Both stacks are functions that read **from left to right**, from `(B, T, P)` to
# `(B, T, P)`. The padding holds arbitrary numbers, and a stack changes its state on any
# number, on zeros as well.
#
# Write `two_directions(forward, backward, x, lengths)` for `x` of shape `(B, T, P)` and
# the tensor `lengths` of shape `(B,)`. It returns states of shape `(B, T, 2P)`: at position
# `t` the forward state, which has read words 0 to `t`, beside the backward state, which has
# read the words from the last one to `t`. Where a row is padded, all numbers are 0; even
# the longest row may be padded.

# %% [markdown] key="two_directions-task" lang="zh" follows="28fb18ba"
# ## 3. 两个网络，两个方向（3 分）
#
# 例：一批里有两句话，*We saw it .*（4 个词）和 *Yes .*（2 个词，后面是 2 步填充）。后向的网络读第二句时，顺序应当是 *. Yes*，之前不能先读到填充；它读完 *Yes* 之后的状态属于位置 0。
#
# 两个网络都是**从左往右读**的函数，把 `(B, T, P)` 变成 `(B, T, P)`。填充处是任意的数，而网络读到什么数都会改变状态，读到零也一样。
#
# 请写 `two_directions(forward, backward, x, lengths)`，其中 `x` 的形状是 `(B, T, P)`，张量 `lengths` 的形状是 `(B,)`。返回形状为 `(B, T, 2P)` 的状态：位置 `t` 上，先是读过词 0 到词 `t` 的前向状态，再是从最后一个词读到词 `t` 的后向状态。填充的位置上全部为 0；最长的一行后面也可能有填充。


# %% key="two_directions" role="answer"
def two_directions(forward, backward, x, lengths):
    """Return forward and backward states side by side / 并排返回前向和后向状态."""
    ### BEGIN SOLUTION
    steps = torch.arange(x.shape[1])  # (T,)
    is_word = steps < lengths[:, None]  # (B, T)
    mirror = torch.where(is_word, lengths[:, None] - 1 - steps, steps)  # (B, T)
    rows = torch.arange(len(x))[:, None]  # (B, 1)
    right_to_left = backward(x[rows, mirror])[rows, mirror]
    both = torch.cat([forward(x), right_to_left], dim=2)  # (B, T, 2P)
    return both * is_word[:, :, None]
    ### END SOLUTION


# %% key="test_two_directions" role="test" points=3
from course_lib.grading import check

check("06.two_directions", two_directions)
### BEGIN HIDDEN TESTS
check("06.two_directions", two_directions, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="perplexity-task" lang="en"
# ## 4. Perplexity (2 points)
#
# Example: a text in two batches. The first has three words, with probabilities 1/2, 1/2 and
# 1/2, the second one word with probability 1/8. The model was as unsure as if it had chosen
# among $2^{(1+1+1+3)/4} = 2^{1.5} \approx 2.83$ equally likely words. Averaging the two
# batches first would give $2^{(1+3)/2} = 4$, which is wrong.
#
# $$\mathrm{PPL} = \exp\Bigl(-\frac{1}{N}\sum_{i=1}^{N} \log p(w_i)\Bigr)$$
#
# with the natural logarithm and $N$ words in the *whole* text.
#
# Write `perplexity(batches)`. `batches` is a list of pairs of tensors, `(log_probs, mask)`,
# both of shape `(B, T)`, the shape differing from pair to pair. `log_probs` holds
# $\log p$ where `mask` is True. Where it is False there is padding: `log_probs` may hold
# anything there, `-inf` included. A batch may be all padding. Return one number.

# %% [markdown] key="perplexity-task" lang="zh" follows="61c00a89"
# ## 4. 困惑度（2 分）
#
# 例：一段文本分成两批。第一批有三个词，概率是 1/2、1/2、1/2；第二批只有一个词，概率是 1/8。模型的犹豫程度，相当于在 $2^{(1+1+1+3)/4} = 2^{1.5} \approx 2.83$ 个同样可能的词里选一个。如果先对两批各自求平均，就会得到 $2^{(1+3)/2} = 4$，这是错的。
#
# $$\mathrm{PPL} = \exp\Bigl(-\frac{1}{N}\sum_{i=1}^{N} \log p(w_i)\Bigr)$$
#
# 这里用自然对数，$N$ 是*整段*文本的词数。
#
# 请写 `perplexity(batches)`。`batches` 是一个列表，每一项是一对张量 `(log_probs, mask)`，形状都是 `(B, T)`，各对的形状可以不同。`mask` 为 True 的地方，`log_probs` 里是 $\log p$；为 False 的地方是填充，`log_probs` 里可以是任何数，包括 `-inf`。也可能整批都是填充。返回一个数。


# %% key="perplexity" role="answer"
def perplexity(batches):
    """Return the perplexity of a text given in batches / 返回分批文本的困惑度."""
    ### BEGIN SOLUTION
    total, n_words = 0.0, 0
    for log_probs, mask in batches:
        chosen = log_probs[mask].double()
        total += chosen.sum().item()
        n_words += len(chosen)
    return math.exp(-total / n_words)
    ### END SOLUTION


# %% key="test_perplexity" role="test" points=2
from course_lib.grading import check

check("06.perplexity", perplexity)
### BEGIN HIDDEN TESTS
check("06.perplexity", perplexity, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="nearest_sense-task" lang="en"
# ## 5. The sense of the nearest neighbour, fairly counted (2 points)
#
# Example: the six vectors of *bank* in layer 0 are all alike; four sentences mean money,
# two the river. For a money sentence 3 of the 5 others are right, for a river sentence
# 1 of 5. The expected accuracy is $(4\cdot\frac35+2\cdot\frac15)/6 \approx 0.467$.
# A program that always takes the *first* of equally near neighbours prints another number,
# and it changes when the sentences are put in another order.
#
# Write `nearest_sense(vectors, senses)` for an array `vectors` of shape `(N, D)` and a list
# of `N` labels. Each vector asks the *other* vector with the largest cosine for its label.
# Cosines that differ by less than `1e-6` are tied, and each tied neighbour is asked with
# the same chance. Return the expected share of right answers, between 0 and 1. No vector
# is zero, and the labels come in any order.

# %% [markdown] key="nearest_sense-task" lang="zh" follows="adfff0db"
# ## 5. 最近邻的义项，公平地计数（2 分）
#
# 例：*bank* 在第 0 层的六个向量完全一样；四句指银行，两句指河岸。对指银行的句子，另外 5 个里有 3 个答对；对指河岸的句子，5 个里有 1 个。期望准确率是 $(4\cdot\frac35+2\cdot\frac15)/6 \approx 0.467$。如果程序在同样近的邻居里总取*第一个*，打印出来的就是另一个数，而且句子换个次序它就变。
#
# 请写 `nearest_sense(vectors, senses)`：`vectors` 是形状为 `(N, D)` 的数组，`senses` 是 `N` 个标签的列表。每个向量去问*别的*向量中余弦最大的那一个是什么标签。余弦相差不到 `1e-6` 算并列，并列的邻居以同样的机会被问到。返回答对比例的期望值，在 0 和 1 之间。没有零向量，标签的次序是任意的。


# %% key="nearest_sense" role="answer"
def nearest_sense(vectors, senses):
    """Return the expected 1-NN accuracy, ties shared / 返回分摊并列后的最近邻准确率."""
    ### BEGIN SOLUTION
    lengths = np.linalg.norm(vectors, axis=1)
    expected = 0.0
    for i, label in enumerate(senses):
        cosines = vectors @ vectors[i] / lengths / lengths[i]
        cosines[i] = -np.inf
        tied = np.flatnonzero(cosines > cosines.max() - 1e-6)
        expected += np.mean([senses[j] == label for j in tied])
    return expected / len(senses)
    ### END SOLUTION


# %% key="test_nearest_sense" role="test" points=2
from course_lib.grading import check

check("06.nearest_sense", nearest_sense)
### BEGIN HIDDEN TESTS
check("06.nearest_sense", nearest_sense, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="leak-question" lang="en"
# ## 6. Why not one stacked bidirectional LSTM? (written, 4 points)
#
# `nn.LSTM(bidirectional=True, num_layers=2)` looks like a shorter way to write a biLM.
# Why can it not be trained as a language model? Answer in 80 to 150 words. Points:
#
# 1. **The path** (1): you name the layers and the direction on which information about the
#    word to be predicted reaches the state that predicts it.
# 2. **The consequence** (1): you say what the training loss does, and why that loss says
#    nothing about the model.
# 3. **The limits** (1): you say for which number of layers, or for which use of such an
#    LSTM, there is no problem, and why.
# 4. **The test** (1): you describe an experiment that would show the leak, and its result
#    for a right and for a wrong model.

# %% [markdown] key="leak-question" lang="zh" follows="9051056b"
# ## 6. 为什么不能用一个多层双向 LSTM？（笔答，4 分）
#
# `nn.LSTM(bidirectional=True, num_layers=2)` 看起来是双向语言模型的简便写法。为什么不能把它当作语言模型来训练？请用 150 到 300 字回答。评分点：
#
# 1. **通路**（1 分）：说清楚待预测的词的信息经过哪几层、沿哪个方向，传到了预测它的那个状态。
# 2. **后果**（1 分）：训练损失会怎样，为什么这样的损失说明不了模型的好坏。
# 3. **界限**（1 分）：这样的 LSTM 在几层时没有这个问题，或用在什么地方没有问题，为什么。
# 4. **检验**（1 分）：描述一个能揭示泄漏的实验，并说明正确的模型和错误的模型各会得到什么结果。

# %% [markdown] key="leak-answer" lang="en" role="written" points=4
# In layer 1 the backward LSTM has, at position k, read all words from the last one down to
# k. Layer 2 reads both directions of layer 1. So the forward LSTM of layer 2 at position k
# receives a vector that contains word k+1, the word that the softmax above it must
# predict. Training finds this path: the loss falls towards zero because the model copies,
# and perplexity no longer measures knowledge of language; without the answer in its input
# the model is useless. With a single layer the two halves never meet, so each half is an
# honest language model. Nor is there a leak in a tagger, where the words are given and
# something else is predicted. Test: change word k+1 and compare the forward state at k. In
# a right model the difference is exactly zero for every later word, in a leaking one
# not.

# %% [markdown] key="leak-answer" lang="zh" follows="2c99b79c"
# 第 1 层的后向 LSTM 在位置 k 已经读过从句尾到 k 的所有词。第 2 层同时读第 1 层的两个方向，于是第 2 层前向 LSTM 在位置 k 收到的向量里已经含有词 k+1，而这正是上面的 softmax 要预测的词。训练会找到这条捷径：模型照抄答案，损失趋近于零，困惑度不再反映它懂多少语言；一旦输入里没有答案，模型就毫无用处。只有一层时两个方向从不相遇，各自都是合格的语言模型。用作标注模型也没有问题，因为词本来就是已知的，要预测的是别的东西。检验：改动词 k+1，比较位置 k 的前向状态。正确的模型对后面任何一个词都恰好毫无变化，有泄漏的模型则会变化。

# %% [markdown] key="characters-question" lang="en"
# ## 7. When does the character CNN pay? (written, 4 points)
#
# ELMo computes each word's first vector from its characters instead of looking it up in a
# table. When is this worth its price, and when not? Answer in 80 to 150 words. Points:
#
# 1. **Two benefits with an example each** (1): for instance unknown words, typing errors,
#    endings, the number of parameters; each with a word of your own.
# 2. **Conditions** (1): on what kind of text or language the benefit is large, and where
#    it is small.
# 3. **The price** (1): computing time (and what reduces it), or what spelling cannot tell:
#    two words that look alike and mean different things.
# 4. **A check** (1): you describe a measurement that could prove you wrong, with the
#    baseline that it needs.

# %% [markdown] key="characters-question" lang="zh" follows="b5e5ee9f"
# ## 7. 字符卷积什么时候划算？（笔答，4 分）
#
# ELMo 每个词的第一个向量不是查表得来的，而是由字符算出来的。这样做什么时候值得，什么时候不值得？请用 150 到 300 字回答。评分点：
#
# 1. **两个好处，各举一例**（1 分）：例如未登录词、错别字、词尾变化、参数量；每个都要用自己想的词。
# 2. **条件**（1 分）：在什么样的文本或语言上好处大，在什么样的上面好处小。
# 3. **代价**（1 分）：计算时间（以及怎样减少），或者拼写说明不了的事：字形相近而意思无关的两个词。
# 4. **检验**（1 分）：描述一个有可能推翻你看法的测量，并说明要和什么基线比较。

# %% [markdown] key="characters-answer" lang="en" role="written" points=4
# A word such as *unfollowable*, which no table holds, still gets a vector made of *un-*,
# *follow* and *-able*; and the misspelt *goverment* lands near the right spelling. The benefit
# grows with the share of words that a table of the same budget would call unknown: rich
# inflection, names, chemistry, social media. It is small in edited text with a large table.
# In Chinese, where words are short and few share endings, hashed n-grams do better on unknown ones. The price:
# the network costs more time than the LSTM stack, unless it runs once per distinct word;
# and *bank* and *blank* look alike without having anything in common. Check: tag parts of
# speech, score unknown words apart from known ones, and compare with a table that has
# vectors for hashed character n-grams. If the interval of the gain (five seeds) ends below one point, I was wrong.

# %% [markdown] key="characters-answer" lang="zh" follows="8a7b6aa8"
# 词表里没有的词，例如 *unfollowable*，照样能由 *un-*、*follow*、*-able* 拼出一个向量；拼错的 *goverment* 也会落在正确拼写附近。同等规模的词表里未登录词越多，好处越大：词形变化丰富的语言、人名地名、化学名称、社交媒体。词表很大的规范文本上好处就小；中文词大多只有一两个字，少有可以共享的词尾；在生词上，哈希 n-gram 反而更好。代价是：它比 LSTM 还费时间，除非每个不同的词只算一次；而且 *bank* 和 *blank* 字形相近，意思却毫不相干。检验：做词性标注，把未登录词和已知词分开计分，与一张由哈希 n-gram 得到向量的表比较。用五个随机种子；如果未登录词上差距的区间，上端不到一个百分点，我的看法就错了。
