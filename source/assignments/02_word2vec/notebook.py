# %% [markdown] key="title" lang="en"
# # Exercises 02 · word2vec, and how it is tested
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

# %% [markdown] key="title" lang="zh" follows="07311a11"
# # 练习 02 · word2vec 和它的测试
#
# 五个函数（12 分），两道笔答题（8 分）。这里不训练任何模型，每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch
from scipy import special, stats

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="pairs-task" lang="en"
# ## 1. The training pairs of a sentence (2 points)
#
# Example: the sentence has the word numbers 5, 2, 7, 5, and the windows have the sizes
# 1, 2, 1, 3. Then
#
# | centre | window | pairs (centre, context) |
# |---|---|---|
# | first 5 | 1 | (5, 2) |
# | 2 | 2 | (2, 5), (2, 7), (2, 5) |
# | 7 | 1 | (7, 2), (7, 5) |
# | last 5 | 3 | (5, 5), (5, 2), (5, 7) |
#
# Skip-gram learns from pairs: a word and a word near it. word2vec draws the size of the
# window anew for each centre, from 1 to the largest; so near words come more often than
# far ones. Here the sizes are given, so that your answer is the only right one.
#
# Write `pairs(sentence, sizes)` for two lists of the same length: word `i` of the sentence
# is the centre of a window that reaches `sizes[i]` words to either side, but not beyond
# the sentence. Return the list of pairs of word numbers, centres from left to right, and
# for each centre its contexts from left to right. A word is not its own context; the same
# word at another place is.

# %% [markdown] key="pairs-task" lang="zh" follows="7e19b1e9"
# ## 1. 一个句子的训练词对（2 分）
#
# 例：句子的词编号是 5、2、7、5，窗口大小是 1、2、1、3，那么
#
# | 中心词 | 窗口 | 词对（中心词，上下文词） |
# |---|---|---|
# | 第一个 5 | 1 | (5, 2) |
# | 2 | 2 | (2, 5), (2, 7), (2, 5) |
# | 7 | 1 | (7, 2), (7, 5) |
# | 最后的 5 | 3 | (5, 5), (5, 2), (5, 7) |
#
# skip-gram 从词对里学：一个词，和它附近的一个词。word2vec 给每个中心词重新抽一次窗口大小，从 1 到最大值都有可能，所以近处的词比远处的词出现得多。这里窗口大小是给定的，这样正确答案只有一个。
#
# 请写 `pairs(sentence, sizes)`，两个列表一样长：句子的第 `i` 个词是中心词，窗口向左右各伸出 `sizes[i]` 个词，但不超出句子。返回由词编号组成的词对列表，中心词从左到右，每个中心词的上下文词也从左到右。词不是它自己的上下文；别的位置上的同一个词是。


# %% key="pairs" role="answer"
def pairs(sentence, sizes):
    """Return the (centre, context) pairs of a sentence / 返回句子的训练词对."""
    ### BEGIN SOLUTION
    found = []
    for i, size in enumerate(sizes):
        for j in range(max(i - size, 0), min(i + size + 1, len(sentence))):
            if j != i:
                found.append((sentence[i], sentence[j]))
    return found
    ### END SOLUTION


# %% key="test_pairs" role="test" points=2
from course_lib.grading import check  # in case your code has a `check` of its own

check("02.pairs", pairs)
### BEGIN HIDDEN TESTS
check("02.pairs", pairs, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="sampling-task" lang="en"
# ## 2. What is left out, and what noise is drawn (2 points)
#
# Example: in a text of 100 words the five words of the vocabulary occur 81, 16, 1, 1 and 1
# times; $t=0.01$. The first word has the share $f=0.81$ and stays with the probability
# $\sqrt{0.01/0.81}=1/9$; the second with $1/4$; the rare ones always. For the noise,
# $81^{0.75}=27$, $16^{0.75}=8$ and $1^{0.75}=1$, together 38: the first word is drawn
# with the probability $27/38\approx0.71$, although it makes up 0.81 of the text.
#
# * **Subsampling**: an occurrence of word $i$ is left out with the probability
#   $1-\sqrt{t/f_i}$ (eq. 5 of Mikolov et al. 2013b), so it *stays* with
#   $\min\bigl(1,\sqrt{t/f_i}\bigr)$; $f_i$ is the word's share of all words of the text.
# * **Noise**: negative examples are drawn with probabilities proportional to the counts
#   of the whole text, nothing left out, raised to a power.
#
# Write `sampling(counts, t, power)` for an array of counts, shape `(V,)`, all at least 1.
# Return two arrays of shape `(V,)`: the probabilities to stay, and those of the noise.
#
# (The program published with the paper computes the first one in another way,
# $\sqrt{t/f_i}+t/f_i$. Here the paper counts.)

# %% [markdown] key="sampling-task" lang="zh" follows="9d366f89"
# ## 2. 丢掉什么，抽什么作噪声（2 分）
#
# 例：一段 100 个词的文本里，词表的五个词分别出现 81、16、1、1、1 次；$t=0.01$。第一个词所占的比例 $f=0.81$，留下来的概率是 $\sqrt{0.01/0.81}=1/9$；第二个是 $1/4$；少见的词总是留下。至于噪声，$81^{0.75}=27$，$16^{0.75}=8$，$1^{0.75}=1$，加起来是 38：抽到第一个词的概率是 $27/38\approx0.71$，虽然它在文本里占了 0.81。
#
# * **下采样**：词 $i$ 的每次出现以 $1-\sqrt{t/f_i}$ 的概率被丢掉（Mikolov 等 2013b 的式 5），所以*留下*的概率是 $\min\bigl(1,\sqrt{t/f_i}\bigr)$；$f_i$ 是这个词在文本全部词里所占的比例。
# * **噪声**：抽负例的概率，与整段文本（什么也没丢）里的计数的某次幂成正比。
#
# 请写 `sampling(counts, t, power)`，`counts` 是形状为 `(V,)` 的计数数组，每个至少是 1。返回两个形状为 `(V,)` 的数组：留下的概率，和作噪声被抽到的概率。
#
# （和论文一起公开的程序，前一个是另一种算法：$\sqrt{t/f_i}+t/f_i$。这里以论文为准。）


# %% key="sampling" role="answer"
def sampling(counts, t, power):
    """Return the probabilities to stay, and of the noise / 返回留存概率和噪声分布."""
    ### BEGIN SOLUTION
    f = counts / counts.sum()  # (V,)
    weights = counts**power  # (V,)
    return np.minimum(1, np.sqrt(t / f)), weights / weights.sum()
    ### END SOLUTION


# %% key="test_sampling" role="test" points=2
from course_lib.grading import check

check("02.sampling", sampling)
### BEGIN HIDDEN TESTS
check("02.sampling", sampling, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="sgns_gradient-task" lang="en"
# ## 3. The gradient of skip-gram with negative sampling (4 points)
#
# Each word has two vectors: $v$, a row of `vectors`, for when it is the centre, and $u$, a
# row of `contexts`, for when it stands beside a centre. For one pair (centre, context)
# and $k$ negatives $n_1,\dots,n_k$ the loss is minus equation 4 of Mikolov et al. 2013b:
#
# $$E=-\log\sigma(u_\mathrm{context}\cdot v)-\sum_{i=1}^{k}\log\sigma(-u_{n_i}\cdot v),
#   \qquad \sigma(x)=\frac1{1+e^{-x}}.$$
#
# These are $1+k$ separate questions with the answer yes or no, “does this word really
# stand here?”. No probabilities of words come out that would sum to 1 over the vocabulary:
# it is not a language model.
#
# Example: `vectors = [[2, 0], [1, 1], [0, 1]]`, `contexts = [[1, 2], [0, 1], [0, 3]]`; centre
# 0, context 1, negatives [2, 2]. Here $v=(2,0)$ is at right angles to $u_1$ and $u_2$.
# So each $\sigma$ is 1/2, the loss is $3\log2\approx2.08$, and the gradients are
#
# ```
# by vectors  [[0, 2.5], [0, 0], [0, 0]]      by contexts  [[0, 0], [-1, 0], [2, 0]]
# ```
#
# A step *against* the gradient brings $u_1$ nearer to $v$ and pushes $u_2$ away; word 2 was
# drawn twice, and is pushed twice.
#
# Write `sgns_gradient(vectors, contexts, centre, context, negatives)` for two arrays of
# shape `(V, D)`, two word numbers and a list of word numbers, in which a word may stand more
# than once, but not the context word. Return the gradients of $E$ by `vectors` and by
# `contexts`, two arrays of shape `(V, D)`. (What is the derivative of $\log\sigma(x)$? It can
# be written with $\sigma$ alone.)

# %% [markdown] key="sgns_gradient-task" lang="zh" follows="e75fd829"
# ## 3. skip-gram 负采样的梯度（4 分）
#
# 每个词有两个向量：作中心词时用 $v$，是 `vectors` 的一行；在别的中心词旁边时用 $u$，是 `contexts` 的一行。对一个词对（中心词，上下文词）和 $k$ 个负例 $n_1,\dots,n_k$，损失是 Mikolov 等 2013b 的式 4 取负：
#
# $$E=-\log\sigma(u_\mathrm{context}\cdot v)-\sum_{i=1}^{k}\log\sigma(-u_{n_i}\cdot v),
#   \qquad \sigma(x)=\frac1{1+e^{-x}}$$
#
# 这是 $1+k$ 道各自独立的判断题：“这个词真的出现在这里吗？”它给不出在整个词表上加起来等于 1 的概率，所以不是语言模型。
#
# 例：`vectors = [[2, 0], [1, 1], [0, 1]]`，`contexts = [[1, 2], [0, 1], [0, 3]]`；中心词 0，上下文词 1，负例 [2, 2]。这里 $v=(2,0)$ 和 $u_1$、$u_2$ 都垂直，所以每个 $\sigma$ 都是 1/2，损失是 $3\log2\approx2.08$，梯度是
#
# ```
# 对 vectors  [[0, 2.5], [0, 0], [0, 0]]      对 contexts  [[0, 0], [-1, 0], [2, 0]]
# ```
#
# *逆着*梯度走一步，$u_1$ 就向 $v$ 靠近，$u_2$ 被推开；词 2 抽到了两次，也就推了两次。
#
# 请写 `sgns_gradient(vectors, contexts, centre, context, negatives)`：两个形状为 `(V, D)` 的数组，两个词编号，一个词编号的列表。列表里同一个词可以出现几次，但不会有上下文词。返回 $E$ 对 `vectors` 和对 `contexts` 的梯度，两个形状为 `(V, D)` 的数组。（$\log\sigma(x)$ 的导数是什么？只用 $\sigma$ 就能写出来。）


# %% key="sgns_gradient" role="answer"
def sgns_gradient(vectors, contexts, centre, context, negatives):
    """Return the gradients by vectors and by contexts / 返回对两张表的梯度."""
    ### BEGIN SOLUTION
    by_vectors, by_contexts = np.zeros_like(vectors), np.zeros_like(contexts)
    for word in [context, *negatives]:
        error = special.expit(contexts[word] @ vectors[centre]) - (word == context)
        by_vectors[centre] += error * contexts[word]
        by_contexts[word] += error * vectors[centre]
    return by_vectors, by_contexts
    ### END SOLUTION


# %% key="test_sgns_gradient" role="test" points=4
from course_lib.grading import check

check("02.sgns_gradient", sgns_gradient)
### BEGIN HIDDEN TESTS
check("02.sgns_gradient", sgns_gradient, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="analogy-task" lang="en"
# ## 4. Analogies, with and without excluding (2 points)
#
# Example, with vectors made up for it: *man* (4, 1, 0), *woman* (4, -1, 0), *king* (3, 1, 2),
# *queen* (2, -1, 4), *apple* (0, 1, 3). “*man* is to *king* as *woman* is to …?” First bring
# every vector to length 1. Then ask of each word $x$ how near it is to $b-a+c$, with
# $a$ = *man*, $b$ = *king*, $c$ = *woman*:
#
# $$\cos(x,b)-\cos(x,a)+\cos(x,c)$$
#
# | man | woman | king | queen | apple |
# |---|---|---|---|---|
# | 0.725 | 0.831 | **0.870** | 0.864 | 0.438 |
#
# The winner is *king*, a word of the question! Test programs leave the three words of the
# question out, and then it is *queen*. (This rule is called 3CosAdd.)
#
# Write `analogy(vectors, a, b, c, exclude)` for an array `vectors` of shape `(V, D)` without
# zero vectors, three different word numbers and True or False. Return the number of the
# word with the largest sum; if `exclude` is true, of those other than `a`, `b` and `c`.

# %% [markdown] key="analogy-task" lang="zh" follows="464907c4"
# ## 4. 类比：排除题目里的词，和不排除（2 分）
#
# 例（向量是编的）：“男人”(4, 1, 0)，“女人”(4, -1, 0)，“国王”(3, 1, 2)，“王后”(2, -1, 4)，“苹果”(0, 1, 3)。“男人”对“国王”，好比“女人”对什么？先把每个向量变成长度 1，再问每个词 $x$ 离 $b-a+c$ 有多近，其中 $a$ 是“男人”，$b$ 是“国王”，$c$ 是“女人”：
#
# $$\cos(x,b)-\cos(x,a)+\cos(x,c)$$
#
# | 男人 | 女人 | 国王 | 王后 | 苹果 |
# |---|---|---|---|---|
# | 0.725 | 0.831 | **0.870** | 0.864 | 0.438 |
#
# 胜出的是“国王”，题目里的词！测试程序会把题目里的三个词排除掉，这才轮到“王后”。（这个规则叫 3CosAdd。）
#
# 请写 `analogy(vectors, a, b, c, exclude)`：`vectors` 是形状为 `(V, D)` 的数组，没有零向量；三个不同的词编号；`exclude` 为 True 或 False。返回上面的和最大的那个词的编号；如果 `exclude` 为真，只在 `a`、`b`、`c` 以外的词里选。


# %% key="analogy" role="answer"
def analogy(vectors, a, b, c, exclude):
    """Return the word that is to c as b is to a / 返回类比的答案."""
    ### BEGIN SOLUTION
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    score = units @ (units[b] - units[a] + units[c])  # (V,)
    if exclude:
        score[[a, b, c]] = -np.inf
    return score.argmax()
    ### END SOLUTION


# %% key="test_analogy" role="test" points=2
from course_lib.grading import check

check("02.analogy", analogy)
### BEGIN HIDDEN TESTS
check("02.analogy", analogy, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="similarity_test-task" lang="en"
# ## 5. A word similarity test, and what it covers (2 points)
#
# Example, with numbers made up for it. People judged how similar *cup* is to four words:
#
# | | mug | coffee | bowl | goblet |
# |---|---|---|---|---|
# | people | 9.0 | 2.0 | 6.0 | 8.5 |
# | cosine | 0.949 | 0.8 | 0.6 | no vector |
# | rank, people | 3 | 1 | 2 | |
# | rank, cosine | 3 | 2 | 1 | |
#
# *goblet* has no vector, so its pair is left out: 3 of 4 pairs are covered, 0.75. For
# these three, **Spearman's correlation** is the ordinary correlation of the *ranks*: 0.5.
# Equal numbers share the mean of the ranks that they take up.
#
# A pair without a vector must not count as 0: that would measure the vocabulary. Nor must
# its absence be kept quiet: two models that cover different pairs sat different tests.
#
# Write `similarity_test(vectors, pairs)`. `vectors` maps words to arrays, none of them
# zero; `pairs` is a list of `(word, word, score)`. Return two numbers: Spearman's
# correlation of scores and cosines over the covered pairs (at least three), and the
# covered share of all pairs.

# %% [markdown] key="similarity_test-task" lang="zh" follows="a3c47999"
# ## 5. 词语相似度测试，以及它覆盖了多少（2 分）
#
# 例（数字是编的）：请人打分，看“杯子”和四个词有多相似。
#
# | | 茶杯 | 咖啡 | 碗 | 觥 |
# |---|---|---|---|---|
# | 人的打分 | 9.0 | 2.0 | 6.0 | 8.5 |
# | 余弦 | 0.949 | 0.8 | 0.6 | 没有向量 |
# | 打分的名次 | 3 | 1 | 2 | |
# | 余弦的名次 | 3 | 2 | 1 | |
#
# “觥”没有向量，这一对就去掉：4 对里覆盖了 3 对，即 0.75。在这三对上，**斯皮尔曼相关**就是*名次*的普通相关系数：0.5。相等的数取它们所占名次的平均。
#
# 没有向量的词对不能当成 0 分，否则测的就是词表大小；也不能悄悄略过不提：覆盖的词对不同，两个模型考的就不是同一张卷子。
#
# 请写 `similarity_test(vectors, pairs)`。`vectors` 把词对应到数组，没有零向量；`pairs` 是 `(词, 词, 分数)` 的列表。返回两个数：在覆盖到的词对（至少三对）上，分数与余弦的斯皮尔曼相关；以及覆盖到的词对占全部词对的比例。


# %% key="similarity_test" role="answer"
def similarity_test(vectors, pairs):
    """Return (Spearman's rho, covered share) / 返回（斯皮尔曼相关，覆盖比例）."""
    ### BEGIN SOLUTION
    units = {word: v / np.linalg.norm(v) for word, v in vectors.items()}
    covered = [p for p in pairs if p[0] in units and p[1] in units]
    cosines = [units[first] @ units[second] for first, second, _ in covered]
    rho = stats.spearmanr(cosines, [score for *_, score in covered]).statistic
    return rho, len(covered) / len(pairs)
    ### END SOLUTION


# %% key="test_similarity_test" role="test" points=2
from course_lib.grading import check

check("02.similarity_test", similarity_test)
### BEGIN HIDDEN TESTS
check("02.similarity_test", similarity_test, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="relatedness-question" lang="en"
# ## 6. Similar, or related? (written, 4 points)
#
# Out of 10, the people who were asked for WordSim-353 gave *closet* and *clothes* 8.0, those
# who were asked for SimLex-999 gave them 3.3; for *coast* and *shore* it was 9.1 and 8.8. What
# do vectors learned from windows measure? Answer in 80 to 170 words. Points:
#
# 1. **The difference** (1): a pair of your own that is similar, one that is only related,
#    and one of opposites; you say what a person would answer to each of the two questions.
# 2. **The cause** (1): why a window makes these vectors near, also those of opposites; and
#    what a narrow and a wide window change.
# 3. **The use** (1): a task that needs similarity and one that needs relatedness.
# 4. **A measurement** (1): how you would test your statement about the window, with what is
#    held equal, how often it is repeated, and which result would prove it wrong.

# %% [markdown] key="relatedness-question" lang="zh" follows="e376ae7a"
# ## 6. 相似，还是相关？（笔答，4 分）
#
# 满分 10 分，WordSim-353 请来的人给 *closet*（衣柜）和 *clothes*（衣服）打了 8.0 分，SimLex-999 请来的人只打了 3.3 分；*coast* 和 *shore*（都是海岸）则是 9.1 分和 8.8 分。从窗口里学来的词向量，量的是哪一样？请用 150 到 300 字回答。评分点：
#
# 1. **区别**（1 分）：自己想三对词：一对相似，一对只是相关，一对意思相反；说明问“有多相似”和问“有多相关”时，人会各怎样回答。
# 2. **原因**（1 分）：窗口为什么会让这些词的向量靠近，连反义词也不例外；窗口窄一些、宽一些，会有什么变化。
# 3. **用处**（1 分）：举一个需要相似的任务，一个需要相关的任务。
# 4. **测量**（1 分）：怎样检验你关于窗口的说法：哪些条件保持不变，重复几次，什么结果说明你错了。

# %% [markdown] key="relatedness-answer" lang="en" role="written" points=4
# *Lorry* and *van* are similar: one can stand in for the other. *Lorry* and *motorway* are
# related, not similar. *Early* and *late* are opposites: a person calls them related, but
# not similar. A window only sees which words stand nearby. *Early* and *late* stand in the
# same places (*an … train*), so their vectors come close, as those of *lorry* and *van* do.
# A narrow window sees what can replace a word; a wide one sees the topic, and draws
# *motorway* nearer to *lorry*. To propose synonyms one needs similarity, to sort news by
# topic relatedness. Measurement: the same corpus, vocabulary, dimension and number of
# epochs, windows of 2 and of 10, five seeds each; WordSim and SimLex on the pairs that both
# cover, with intervals. If the wide window is significantly worse on WordSim relative to
# SimLex, I was wrong; if the interval holds 0, I cannot tell yet.

# %% [markdown] key="relatedness-answer" lang="zh" follows="7eb22547"
# “卡车”和“货车”相似，可以互相替换；“卡车”和“高速公路”相关，但不相似；“早”和“晚”意思相反：问有多相关，人会给高分，问有多相似，就给低分。窗口只看得见旁边有哪些词。“早”和“晚”出现的地方差不多（“来 得 太 …”），所以向量也靠近，和“卡车”“货车”是一个道理。窄窗口看到的是谁能替换谁；宽窗口看到的是话题，会把“高速公路”拉到“卡车”旁边。推荐同义词需要相似，按话题给新闻归类需要相关。测量：语料、词表、维数、训练轮数都不变，窗口取 2 和 10，各用五个随机种子；在两边都覆盖到的词对上测 WordSim 和 SimLex，给出区间。如果换成宽窗口以后，WordSim 相对于 SimLex 显著吃亏，我就错了；如果区间跨零，那还看不出来。

# %% [markdown] key="exclusion-question" lang="en"
# ## 7. King minus man plus woman (written, 4 points)
#
# “*king* - *man* + *woman* = *queen*: the vectors have understood gender.” Answer in 80 to 170
# words. Points:
#
# 1. **What comes first** (1): which words often have the largest sum if nothing is excluded,
#    and why, in terms of the three cosines.
# 2. **What the exclusion hides** (1): how a right answer can come about although $b-a$
#    contributes nothing; and a simpler rule that must be reported beside it as a baseline.
# 3. **What it forbids** (1): a question of your own whose right, or most natural, answer is
#    one of its own words, and what the test then prints.
# 4. **A fair report** (1): the numbers that you would put into a table to support the
#    sentence, and the result that would refute it.

# %% [markdown] key="exclusion-question" lang="zh" follows="2f3013fe"
# ## 7. 国王减男人加女人（笔答，4 分）
#
# “‘国王’减‘男人’加‘女人’等于‘王后’：词向量懂得什么是性别。”请用 150 到 300 字回答。评分点：
#
# 1. **谁排第一**（1 分）：什么也不排除时，和最大的常常是哪些词？请从三个余弦说明理由。
# 2. **排除掩盖了什么**（1 分）：$b-a$ 毫无贡献，为什么也可能答对？还有哪种更简单的规则，必须作为基线一起报告？
# 3. **排除禁止了什么**（1 分）：自己想一道题，它正确的或者最自然的答案就是题目里的一个词；这时测试会打印出什么？
# 4. **公平的报告**（1 分）：要支持这句话，你会在表里列出哪些数？什么结果会推翻它？

# %% [markdown] key="exclusion-answer" lang="en" role="written" points=4
# If nothing is excluded, b or c itself often wins: one of its cosines is 1, that with
# itself, and any other word has to make do with less. If *man* and *king* are near each other,
# the other two terms of c, cos(c, b) - cos(c, a), nearly cancel. With the three words
# excluded, *queen* may win merely as the nearest neighbour of *woman* or *king*. The
# baselines are therefore “nearest to c” and “nearest to b” among the words left. *Lamb*
# is to *lambs* as *sheep* is to …? The answer, *sheep*, is forbidden; the test prints
# some other word, which says nothing about the vectors. Table: accuracy with exclusion,
# without it, and of both baselines, on the same covered questions, by kind of question,
# with intervals. If on questions about gender the offset is significantly worse than the
# better baseline, or the interval leaves no room for a gain of 2 points, the sentence is
# refuted.

# %% [markdown] key="exclusion-answer" lang="zh" follows="b8d51f78"
# 什么也不排除时，胜出的常常就是 b 或 c：它和自己的余弦是 1，别的词都到不了。“男人”和“国王”要是本来就近，c 的另外两项 cos(c, b) - cos(c, a) 就几乎抵消。排除三个词以后，“王后”可能只因为是“女人”或“国王”的最近邻就胜出。因此要报告两条基线：在剩下的词里“离 c 最近的”和“离 b 最近的”。“哥哥 之于 父亲，好比 姐姐 之于 …”，最自然的答案还是“父亲”，偏偏不许答；测试只好打印别的词，要是打印出“母亲”，看着像那么回事，其实说明不了什么。表里应当列出：排除时、不排除时的准确率，以及两条基线的准确率，都在同样覆盖到的题上，按题目类型分开，带区间。如果在关于性别的题上，位移显著地不如较好的那条基线，或者区间表明最多好不到 2 个点，这句话就被推翻了。
