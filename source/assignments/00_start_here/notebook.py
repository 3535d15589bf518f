# %% [markdown] key="title" lang="en"
# # Exercises 00 · How to read a claim
#
# Four functions (9 points) and one written answer (4 points). They are the tools with which
# the course examines claims: “gain of up to 25 %”, “significantly better”, “needs only a
# tenth of the labels”.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of these
# functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="139284d9"
# # 练习 00 · 怎样检验一个说法
#
# 四个函数（9 分），一道笔答题（4 分）。它们是本课用来检验各种说法的工具，比如“最多提升 25%”“显著更好”“只要十分之一的标注”。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import itertools
import math

import numpy as np

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

# %% [markdown] key="error_reduction-task" lang="en"
# ## 1. Relative error reduction (2 points)
#
# Example: with ELMo the accuracy on SNLI rose from 88.0 % to 88.7 %. That is 0.7 points. But
# of the 12.0 % errors that there were, 0.7 are gone, which is **5.8 %** of them. Popular
# articles call this gain the most impressive of ELMo's six; it is the smallest. On question
# answering (SQuAD, 81.1 to 85.8) 24.9 % of the errors are gone: that is the “gain of up to
# 25 %” which one reads about.
#
# Write `error_reduction(old, new)` for two accuracies in percent. It returns which
# percentage of the old system's errors the new one avoids. A system that became worse gets
# a negative number. Do not round.

# %% [markdown] key="error_reduction-task" lang="zh" follows="af12af2d"
# ## 1. 错误率的相对降幅（2 分）
#
# 例：用上 ELMo 以后，SNLI 的准确率从 88.0% 升到 88.7%，提高了 0.7 个百分点。可是原来有 12.0% 的错误，其中 0.7 消失了，占 **5.8%**。通俗文章说这是 ELMo 六项提升里最惊人的一项，其实它是最小的一项。在问答任务 SQuAD 上（81.1 到 85.8），错误少了 24.9%：常说的“最多提升 25%”指的就是它。
#
# 请写 `error_reduction(old, new)`，输入是两个百分数形式的准确率，返回旧系统的错误里有百分之几被新系统避免了。变差的系统得负数。不要四舍五入。


# %% key="error_reduction" role="answer"
def error_reduction(old, new):
    """Return which percentage of the errors is gone / 返回错误减少了百分之几."""
    ### BEGIN SOLUTION
    errors_before = 100 - old
    errors_after = 100 - new
    return 100 * (errors_before - errors_after) / errors_before
    ### END SOLUTION


# %% key="test_error_reduction" role="test" points=2
from course_lib.grading import check  # in case your code has a `check` of its own

check("00.error_reduction", error_reduction)
### BEGIN HIDDEN TESTS
check("00.error_reduction", error_reduction, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="majority_accuracy-task" lang="en"
# ## 2. The laziest baseline (1 point)
#
# Example: in the training set *bank* means money, river, money; in the test set river,
# money, river, river. Somebody who always says “money”, the most frequent sense *of the
# training set*, is right once in four: 25 %.
#
# Write `majority_accuracy(train, test)` for two lists of labels. It returns the accuracy in
# percent of always naming the most frequent training label. There is always exactly one
# most frequent label. It need not occur in the test set.

# %% [markdown] key="majority_accuracy-task" lang="zh" follows="39a268ec"
# ## 2. 最懒的基线（1 分）
#
# 例：训练集里 *bank* 的义项依次是银行、河岸、银行，测试集里是河岸、银行、河岸、河岸。如果一律猜*训练集里*最常见的义项“银行”，四次里对一次：25%。
#
# 请写 `majority_accuracy(train, test)`，输入是两个标签列表，返回一律猜训练集里最常见的标签所得的准确率（百分数）。最常见的标签总是只有一个，它不一定在测试集里出现。


# %% key="majority_accuracy" role="answer"
def majority_accuracy(train, test):
    """Return the accuracy of always naming the majority / 返回总猜多数类的准确率."""
    ### BEGIN SOLUTION
    most_frequent = max(set(train), key=train.count)
    return 100 * test.count(most_frequent) / len(test)
    ### END SOLUTION


# %% key="test_majority_accuracy" role="test" points=1
from course_lib.grading import check

check("00.majority_accuracy", majority_accuracy)
### BEGIN HIDDEN TESTS
check("00.majority_accuracy", majority_accuracy, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="paired_interval-task" lang="en"
# ## 3. How sure is a difference? (3 points)
#
# Example: two systems answer the same 500 questions, one gets 440 right, the other 443.
# How much of this difference would survive another 500 questions? We cannot ask them, but
# we can draw 500 items *with replacement* from the ones we have, again and again, and look
# how the difference varies. This is the bootstrap.
#
# A difficult question is difficult for both systems. So draw *items*, and take both scores
# of each item: the **paired** bootstrap. Two systems that give the same answers then have a
# difference of exactly 0 in every draw.
#
# Write `paired_interval(a, b, rng, rounds=10_000)`. `a` and `b` are arrays with the two
# systems' scores on the same `n` items (1 for right and 0 for wrong, or any other numbers).
# In each round draw `n` items and compute the mean of `b` minus the mean of `a`. Return the
# pair `(low, high)` between which the middle 95 % of the rounds lie. All random numbers
# come from `rng`, a `numpy.random.Generator`.

# %% [markdown] key="paired_interval-task" lang="zh" follows="aaf8c60b"
# ## 3. 一个差距有多可靠？（3 分）
#
# 例：两个系统回答同样的 500 道题，一个对 440 道，另一个对 443 道。换 500 道题，这个差距还剩多少？新题我们没有，但可以从手头的题里*有放回*地抽 500 道，抽很多轮，看差距怎样变化。这就是自助法（bootstrap）。
#
# 难题对两个系统都难。所以抽的是*题*，每道题的两个得分要一起取，这叫**配对**自助法。这样，答案完全相同的两个系统，每一轮的差距都恰好是 0。
#
# 请写 `paired_interval(a, b, rng, rounds=10_000)`。`a` 和 `b` 是两个系统在同样 `n` 道题上的得分（对为 1，错为 0，也可以是别的数）。每一轮抽 `n` 道题，计算 `b` 的平均减去 `a` 的平均。返回 `(low, high)`，使中间 95% 的轮次落在两者之间。所有随机数都取自 `rng`，它是一个 `numpy.random.Generator`。


# %% key="paired_interval" role="answer"
def paired_interval(a, b, rng, rounds=10_000):
    """Return (low, high), a 95 % interval of b - a / 返回 b - a 的 95 % 区间."""
    ### BEGIN SOLUTION
    n = len(a)
    differences = []
    for _ in range(rounds):
        items = rng.integers(n, size=n)
        differences.append(np.mean(b[items] - a[items]))
    low, high = np.quantile(differences, [0.025, 0.975])
    return low, high
    ### END SOLUTION


# %% key="test_paired_interval" role="test" points=3
from course_lib.grading import check

check("00.paired_interval", paired_interval)
### BEGIN HIDDEN TESTS
check("00.paired_interval", paired_interval, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="data_multiplier-task" lang="en"
# ## 4. The data multiplier (3 points)
#
# “With 10-20 % of the labels the model reaches 80-90 % of its full accuracy” sounds like
# praise of pre-training. But a simple classifier without any pre-training does that, too.
# A better question: to reach the *same score*, how many times as many labels does the
# baseline need as the pre-trained model? That is the **data multiplier**.
#
# Example, with invented numbers:
#
# | labels | 100 | 400 | 1,000 | 10,000 |
# |---|---|---|---|---|
# | baseline | 60 | | 70 | 80 |
# | pre-trained | 70 | 80 | | |
#
# For a score of 75 the baseline is half-way between 1,000 and 10,000 labels. On a
# *logarithmic* scale, on which learning curves are read, that is 3,162, not 5,500. The
# pre-trained model needs 200, half-way between 100 and 400. The multiplier is
# 3,162 / 200 ≈ 15.8.
#
# Write `data_multiplier(baseline, pretrained, score)`. A curve is a list of pairs
# `(labels, score)` with rising numbers of labels; the two curves need not be measured at
# the same places. Between two neighbouring points the score is a straight line over the
# logarithm of the labels. A curve may fall again: the first place at which it reaches the
# score counts. If a curve never reaches it, or is above it already at its first point, the
# place is not known: return `math.nan` rather than invent a number.

# %% [markdown] key="data_multiplier-task" lang="zh" follows="1238ff4b"
# ## 4. 数据倍数（3 分）
#
# “用 10%～20% 的标注就能达到全量效果的 80%～90%”，听起来像在夸预训练。可是没有任何预训练的简单分类器也做得到。更好的问法是：要达到*同样的分数*，基线需要的标注是预训练模型的几倍？这个倍数就叫**数据倍数**。
#
# 例（数字是编的）：
#
# | 标注数 | 100 | 400 | 1,000 | 10,000 |
# |---|---|---|---|---|
# | 基线 | 60 | | 70 | 80 |
# | 预训练 | 70 | 80 | | |
#
# 要达到 75 分，基线在 1,000 和 10,000 个标注的正中间。学习曲线要在*对数*尺度上读，所以是 3,162，不是 5,500。预训练模型需要 200 个，即 100 和 400 的正中间。数据倍数是 3,162 / 200 ≈ 15.8。
#
# 请写 `data_multiplier(baseline, pretrained, score)`。一条曲线是由 `(标注数, 分数)` 组成的列表，标注数递增；两条曲线不一定在同样的地方测量。相邻两点之间，分数是标注数的对数的直线。曲线可能回落：以第一次达到该分数的地方为准。如果一条曲线始终达不到，或者第一个点就已经超过，交点在哪里就不得而知：请返回 `math.nan`，不要编一个数。


# %% key="data_multiplier" role="answer"
def data_multiplier(baseline, pretrained, score):
    """Return how many times as many labels the baseline needs / 返回数据倍数."""

    ### BEGIN SOLUTION
    def needed(curve):
        """Return with how many labels a curve first reaches the score."""
        if curve[0][1] >= score:
            return curve[0][0] if curve[0][1] == score else math.nan
        for (n, low), (m, high) in itertools.pairwise(curve):
            if low < score <= high:
                part = (score - low) / (high - low)
                return math.exp(math.log(n) + part * (math.log(m) - math.log(n)))
        return math.nan

    return needed(baseline) / needed(pretrained)
    ### END SOLUTION


# %% key="test_data_multiplier" role="test" points=3
from course_lib.grading import check

check("00.data_multiplier", data_multiplier)
### BEGIN HIDDEN TESTS
check("00.data_multiplier", data_multiplier, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="claim-question" lang="en"
# ## 5. Examine a sentence (written, 4 points)
#
# Find a sentence in a popular article about word vectors, ELMo, ULMFiT, GPT or BERT that
# claims a gain, a cause or a “first”. Quote it and say where it stands. Then answer in 100
# to 200 words. Points:
#
# 1. **The claim** (1): you restate it so that it can be true or false: which quantity, on
#    which data, compared with what.
# 2. **The evidence needed** (1): an experiment or a source that could settle it, with a
#    baseline and a statement of uncertainty (an interval, several seeds).
# 3. **The refutation** (1): you say which result would show that the sentence is wrong.
# 4. **Two verdicts** (1), each with a reason. Is the sentence what its source says: right,
#    imprecise, false, or an opinion? And what did somebody measure: was it reproduced or
#    contradicted, is it mixed, can it not be told, or was it not tried? If you have looked
#    at the paper, name the table or section. “I could not find it” is a good answer if you
#    say where you looked.
#
# Do not use one of the examples on this page.

# %% [markdown] key="claim-question" lang="zh" follows="b2f7f31b"
# ## 5. 检验一句话（笔答，4 分）
#
# 找一篇介绍词向量、ELMo、ULMFiT、GPT 或 BERT 的通俗文章，从中选一句话：它声称有某种提升、某种原因，或者某个“首次”。写出原文和出处，然后用 200 到 400 字回答。评分点：
#
# 1. **说法**（1 分）：把它改写成可以判断真假的话：说的是哪个量，在什么数据上，和什么相比。
# 2. **需要的证据**（1 分）：什么样的实验或资料能定论，要有基线，也要交代不确定性（区间、多个随机种子）。
# 3. **怎样算被推翻**（1 分）：什么样的结果会说明这句话不对。
# 4. **两个结论**（1 分），都要说明理由。这句话和原文相符吗：属实、不够准确、不属实，还是见仁见智？有人测过吗：重现了、相反、不一致、看不出，还是没有测？如果查了论文，请写明第几张表或第几节。“没有找到”也是好答案，只要说清在哪里找过。
#
# 请不要用本页的例子。

# %% [markdown] key="claim-answer" lang="en" role="written" points=4
# Quoted from an introduction to pre-training: “ULMFiT is one-directional; only BERT made
# pre-training bidirectional.” Restated: none of the main results in the ULMFiT paper uses a
# model that reads from right to left. Evidence: the experimental section of the paper; to
# measure the effect, the error on the same test set of a forward model, a backward model
# and both together, each with several seeds and a paired interval. The sentence would be
# refuted by one main table whose entries combine both directions. As told: false. The paper
# reports that all main results combine a forward and a backward classifier (IMDb error 5.30
# with one direction, 4.58 with both). What remains true is that the two directions meet
# only at the very end, whereas in BERT every layer reads both. Measured: not tried; I have
# trained neither.

# %% [markdown] key="claim-answer" lang="zh" follows="ce6f61d5"
# 引自一篇预训练入门文章：“ULMFiT 是单向的，到 BERT 才有双向的预训练。”改写：ULMFiT 论文的主要结果里，没有用到任何从右往左读的模型。证据：论文的实验部分；若要测量效果，就在同一个测试集上比较前向模型、后向模型和两者合用的错误率，各用多个随机种子，并给出配对区间。只要有一张主要结果表合用了两个方向，这句话就被推翻。转述：不属实。论文写明主要结果都是前向和后向两个分类器合用得到的（IMDb 错误率：单向 5.30，双向 4.58）。仍然成立的是：它的两个方向到最后才相遇，而 BERT 每一层都同时读两边。实验：没有测，我两个都没训练过。
