# %% [markdown] key="title" lang="en"
# # Exercises 11 · Why pre-training works
#
# Five functions (15 points) and one written answer (4 points): a control that destroys the
# order of words, a proof of what it keeps, a pull to the start, how far each layer has moved,
# and test loss at equal training loss. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="040d8bf2"
# # 练习 11 · 预训练为什么有用
#
# 五个函数（15 分），一道笔答题（4 分）：毁掉词序的对照，证明它保住了什么，往起点拉，每一层走了多远，以及训练损失相同处的测试损失。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="shuffle-task" lang="en"
# ## 1. Shuffle within sentences (3 points)
#
# A text of two sentences, the words as numbers: `7 8 9 | 5 6`. Each word draws a key by lot:
# `0.9 0.1 0.5 | 0.3 0.2`. Put the words of each sentence into the order of their keys, the smallest
# first: `8 9 7 | 6 5`. No word leaves its sentence: topics stay, syntax goes.
#
# Write `shuffle(words, lengths, keys)`. `words` and `keys` are arrays of shape `(N,)`, `lengths`
# has the numbers of words of the sentences, in order, each at least 1; they add up to N. All keys
# differ. Return the N words of the new text.

# %% [markdown] key="shuffle-task" lang="zh" follows="7028d9dc"
# ## 1. 句内打乱（3 分）
#
# 两句话的文本，词用编号表示：`7 8 9 | 5 6`。每个词抽一个随机的键：`0.9 0.1 0.5 | 0.3 0.2`。把每句话的词按键从小到大重排：`8 9 7 | 6 5`。词不离开自己的句子：话题还在，语法没了。
#
# 请写 `shuffle(words, lengths, keys)`。`words` 和 `keys` 是形状为 `(N,)` 的数组，`lengths` 依次是各句的词数，每个至少是 1，加起来等于 N。键互不相同。返回新文本的 N 个词。


# %% key="shuffle" role="answer"
def shuffle(words, lengths, keys):
    """Sort each sentence by its keys / 每句按键重排."""
    ### BEGIN SOLUTION
    sentence = np.repeat(np.arange(len(lengths)), lengths)  # (N,)
    return words[np.lexsort((keys, sentence))]
    ### END SOLUTION


# %% key="test_shuffle" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("11.shuffle", shuffle)
### BEGIN HIDDEN TESTS
check("11.shuffle", shuffle, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="kept-task" lang="en"
# ## 2. Prove what was kept (3 points)
#
# A control is only as good as the proof of what it leaves alone. Old text, new text:
#
# | | sentence 1 | sentence 2 |
# |---|---|---|
# | old | `1 2 3 1 2` | `4 5 6` |
# | new | `3 1 2 2 1` | `5 4 7` |
#
# *Sentences that keep their words*: sentence 1 has 1 and 2 twice and 3 once, before and after.
# Sentence 2 has lost its 6. So one half. *Pairs of neighbours that are kept*: the old text has six,
# (1,2), (2,3), (3,1), (1,2), (4,5), (5,6). The new one has (3,1), (1,2), (2,2), (2,1), (5,4), (4,7). In both:
# (3,1), and (1,2) once, although the old text has it twice. So 2/6. A pair across the border of two
# sentences does not count; one that now stands in another sentence is kept.
#
# Write `kept(words, new, lengths)`; all as in exercise 1, and at least one sentence has two words. Return
# the two shares.

# %% [markdown] key="kept-task" lang="zh" follows="e1540d32"
# ## 2. 证明保住了什么（3 分）
#
# 一个对照好不好，要看能不能证明它没动别的东西。旧文本和新文本：
#
# | | 第 1 句 | 第 2 句 |
# |---|---|---|
# | 旧 | `1 2 3 1 2` | `4 5 6` |
# | 新 | `3 1 2 2 1` | `5 4 7` |
#
# *保住了词的句子*：第 1 句前后都是两个 1、两个 2、一个 3；第 2 句丢了 6。所以是一半。*保住的相邻词对*：旧文本有六个，(1,2)、(2,3)、(3,1)、(1,2)、(4,5)、(5,6)；新文本有 (3,1)、(1,2)、(2,2)、(2,1)、(5,4)、(4,7)。两边都有的：(3,1)，还有 (1,2) 一次，虽然旧文本里它出现两次。所以是 2/6。跨句子的不算词对；词对换到了别的句子里，也算保住。
#
# 请写 `kept(words, new, lengths)`，各量同第 1 题，至少有一句不少于两个词。返回这两个份额。


# %% key="kept" role="answer"
def kept(words, new, lengths):
    """Return which shares were kept / 返回保住的份额."""
    ### BEGIN SOLUTION
    from collections import Counter

    ends = np.cumsum(lengths)[:-1]
    old, other = (np.split(np.asarray(x), ends) for x in (words, new))
    same = [sorted(a) == sorted(b) for a, b in zip(old, other)]
    before, after = (
        Counter(pair for s in text for pair in zip(s, s[1:])) for text in (old, other)
    )
    return np.mean(same), (before & after).total() / before.total()
    ### END SOLUTION


# %% key="test_kept" role="test" points=3
from course_lib.grading import check

check("11.kept", kept)
### BEGIN HIDDEN TESTS
check("11.kept", kept, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="descend-task" lang="en"
# ## 3. A pull to the start (3 points)
#
# A model of two weights; the task's loss is a bowl, $J(w) = \sum_i \frac{c_i}{2} (w_i - g_i)^2$ with $c = (1, 2)$ and its
# lowest point at $g = (3, 1)$. Fine-tuning begins at $w^0 = (1, 0)$. L2-SP adds
#
# $$\Omega(w) = \frac{\alpha}{2} \lVert w - w^0 \rVert^2, \qquad \alpha = 0.5.$$
#
# At the start the pull is nothing; the slope of $J$ is $c\,(w - g) = (-2, -2)$, and with $\eta = 0.1$ the first step
# leads to $(1.2, 0.2)$. There the slope is $(-1.8, -1.6)$, the pull $0.5 \cdot (0.2, 0.2)$, and the second step leads to
# $(1.37, 0.35)$. The penalty there is $0.25 \cdot (0.37^2 + 0.35^2) = 0.06485$.
#
# Write `descend(w0, c, goal, eta, alpha, steps)`: gradient descent from $w^0$ on $J + \Omega$, by hand or with
# PyTorch. `w0`, `c` and `goal` are arrays of shape `(D,)`. Return D + 1 numbers: the penalty $\Omega$ at the end, then the weights.

# %% [markdown] key="descend-task" lang="zh" follows="55035fd7"
# ## 3. 往起点拉（3 分）
#
# 模型有两个权重；任务的损失像一只碗，$J(w) = \sum_i \frac{c_i}{2} (w_i - g_i)^2$，$c = (1, 2)$，最低点在 $g = (3, 1)$。微调从 $w^0 = (1, 0)$ 开始。L2-SP 加上一项
#
# $$\Omega(w) = \frac{\alpha}{2} \lVert w - w^0 \rVert^2, \qquad \alpha = 0.5$$
#
# 起点上没有拉力；$J$ 的斜率是 $c\,(w - g) = (-2, -2)$，取 $\eta = 0.1$，第一步到 $(1.2, 0.2)$。那里的斜率是 $(-1.8, -1.6)$，拉力是 $0.5 \cdot (0.2, 0.2)$，第二步到 $(1.37, 0.35)$。那里的罚项是 $0.25 \cdot (0.37^2 + 0.35^2) = 0.06485$。
#
# 请写 `descend(w0, c, goal, eta, alpha, steps)`：从 $w^0$ 出发，对 $J + \Omega$ 做梯度下降，手算或用 PyTorch 都行。`w0`、`c`、`goal` 是形状为 `(D,)` 的数组。返回 D + 1 个数：先是最后的罚项 $\Omega$，再是各个权重。


# %% key="descend" role="answer"
def descend(w0, c, goal, eta, alpha, steps):
    """Return the penalty, then the weights / 返回罚项和权重."""
    ### BEGIN SOLUTION
    w = np.array(w0)
    for _ in range(steps):
        w = w - eta * (c * (w - goal) + alpha * (w - w0))
    return [alpha / 2 * ((w - w0) @ (w - w0)), *w]
    ### END SOLUTION


# %% key="test_descend" role="test" points=3
from course_lib.grading import check

check("11.descend", descend)
### BEGIN HIDDEN TESTS
check("11.descend", descend, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="distances-task" lang="en"
# ## 4. How far has each layer moved? (3 points)
#
# The words of a small model are `embedding.weight` $= (3, 0)$ and `bias` $= (4)$, together a vector of
# length 5. After fine-tuning they are $(3, 3)$ and $(0)$: the way is $\sqrt{3^2 + 4^2} = 5$. So the layer has moved
# by $\lVert\theta - \theta_0\rVert / \lVert\theta_0\rVert = 1$. Its one LSTM has a single number that goes from 2 to 1: moved by 0.5.
#
# Write `distances(before, after)`. Both are dictionaries of tensors by name, in the same order, which may be any:
# `embedding.weight` and `bias` (the words), `lstms.0.…`, `lstms.1.…` and so on, several parameters each. Return one
# number a layer: the words, then the LSTMs from the lowest up.

# %% [markdown] key="distances-task" lang="zh" follows="9a8b48b3"
# ## 4. 每一层走了多远？（3 分）
#
# 一个小模型的词向量层有 `embedding.weight` $= (3, 0)$ 和 `bias` $= (4)$，合起来是一个长度为 5 的向量。微调后变成 $(3, 3)$ 和 $(0)$，走了 $\sqrt{3^2 + 4^2} = 5$。所以这一层的移动是 $\lVert\theta - \theta_0\rVert / \lVert\theta_0\rVert = 1$。它唯一的 LSTM 只有一个数，从 2 到 1：移动 0.5。
#
# 请写 `distances(before, after)`。两个都是“名字 → 张量”的字典，次序相同，但是任意的：`embedding.weight` 和 `bias`（词向量层），`lstms.0.…`、`lstms.1.…` 等等，每层有几个参数。每层返回一个数：先是词向量层，再从最低的 LSTM 往上。


# %% key="distances" role="answer"
def distances(before, after):
    """Return how far each layer has moved / 返回每一层移动了多远."""
    ### BEGIN SOLUTION
    layers = {}
    for name in before:
        number = name.split(".")[1] if name.startswith("lstms") else ""
        layers.setdefault(number, []).append(name)
    found = []
    for number in sorted(layers, key=lambda text: (len(text), text)):  # "2" before "10"
        a, b = (
            torch.cat([of[name].flatten() for name in layers[number]])
            for of in (before, after)
        )
        found.append(float((b - a).norm() / a.norm()))
    return found
    ### END SOLUTION


# %% key="test_distances" role="test" points=3
from course_lib.grading import check

check("11.distances", distances)
### BEGIN HIDDEN TESTS
check("11.distances", distances, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="at_level-task" lang="en"
# ## 5. At equal training loss (3 points)
#
# A training run was checked four times. The loss on its training texts was 2.0, 0.6, 0.2, 0.1, that on
# other texts 2.1, 1.2, 1.0, 1.3. What was the second when the first was 0.5? Between looks two and three the training
# loss fell from 0.6 to 0.2; 0.5 is a quarter of that way. A quarter of the way from 1.2 to 1.0 is **1.15**. With this
# number one training can be compared with another that learned faster or slower.
#
# Write `at_level(seen, unseen, level)`. `seen` and `unseen` are arrays of shape `(K,)`, the losses at the K looks. The
# training loss begins above the level; it may rise above it again later. Return the test loss where the training loss
# *first* is as low as the level, on the straight line between two looks.

# %% [markdown] key="at_level-task" lang="zh" follows="52c67764"
# ## 5. 训练损失相同处（3 分）
#
# 一次训练被查看了四次。训练文本上的损失是 2.0、0.6、0.2、0.1，别的文本上是 2.1、1.2、1.0、1.3。前者是 0.5 时，后者是多少？第二、三次之间，训练损失从 0.6 降到 0.2；0.5 在这段路的四分之一处。从 1.2 到 1.0 的四分之一处是 **1.15**。有了这个数，学得快的和学得慢的才好比较。
#
# 请写 `at_level(seen, unseen, level)`。`seen` 和 `unseen` 是形状为 `(K,)` 的数组，是 K 次查看时的损失。训练损失一开始高于 level；后来也可能又升上去。返回训练损失*第一次*降到 level 时的测试损失，两次查看之间按直线算。


# %% key="at_level" role="answer"
def at_level(seen, unseen, level):
    """Return the test loss at a training loss / 返回某个训练损失处的测试损失."""
    ### BEGIN SOLUTION
    k = 1
    while seen[k] > level:  # until the first look that is as low
        k += 1
    part = (seen[k - 1] - level) / (seen[k - 1] - seen[k])
    return unseen[k - 1] + part * (unseen[k] - unseen[k - 1])
    ### END SOLUTION


# %% key="test_at_level" role="test" points=3
from course_lib.grading import check

check("11.at_level", at_level)
### BEGIN HIDDEN TESTS
check("11.at_level", at_level, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="one-question" lang="en"
# ## 6. Why one model for so many tasks, and when not? (written, 4 points)
#
# One language model, trained to guess the next word, helps to find topics, names, parts of speech and answers.
# Why can it, and when does the assumption fail? Answer in 120 to 200 words. Points:
#
# 1. **Why it can** (1): what guessing the next word needs, with two different kinds of knowledge and a control that
#    takes one of them away.
# 2. **What adapts** (1): what differs from task to task although the pre-trained model is the same.
# 3. **When it fails** (1): two kinds of failure with different causes, each with an example of your own.
# 4. **A test** (1): a statement that can turn out false; with what you compare, and which result would refute you.

# %% [markdown] key="one-question" lang="zh" follows="e50c639e"
# ## 6. 一个模型为什么能用于这么多任务，什么时候不行？（笔答，4 分）
#
# 一个只会猜下一个词的语言模型，能帮助判断话题、找人名、标词性、找答案。为什么它可以？这个假设什么时候不成立？250 到 400 字。评分点：
#
# 1. **为什么可以**（1 分）：猜下一个词需要什么；举出两种不同的知识，以及能拿掉其中一种的对照。
# 2. **什么在适应**（1 分）：预训练模型相同，各个任务之间有什么不同。
# 3. **什么时候不行**（1 分）：两种原因不同的失败，各举一个自己的例子。
# 4. **怎么检验**（1 分）：提出一个可能被证伪的说法；跟什么比，出现什么结果就算你错了。

# %% [markdown] key="one-answer" lang="en" role="written" points=4
# To guess the next word one needs what is going on, hence topic, and what may follow, hence syntax. Shuffling
# each sentence's words before pre-training takes away the second and leaves the first in the *text* (our small encoder did not learn it from there); if a tagger gains as much
# from such a model, syntax was not what helped it. The model is one, but the readers differ:
# a classifier pools over the document, a tagger reads every place, the layers are weighted by the task, or all weights are
# fine-tuned. The assumption fails where guessing words does not need what the task needs. First, information is
# discarded: which speaker began a long protocol. Fine-tuning may bring it back. Second, it never was in the input: whether a
# word rhymes, for a model of word numbers; or the words to the right, for a model that reads forwards. There
# fine-tuning only memorises labelled words. My statement: with 100 labels, frozen real vectors beat TF-IDF at sorting e-mails by
# department. I compare both, and permuted weights, on the same labels with ten seeds, paired. If the interval
# is below 0, I was wrong; if it holds 0, I cannot tell.

# %% [markdown] key="one-answer" lang="zh" follows="67c7b187"
# 要猜下一个词，得知道在讲什么，这是话题；还得知道后面能接什么，这是句法。预训练之前把每句话的词打乱，拿掉的是后者，前者还留在*文本*里（不过我们的小编码器没能从中学到）。如果词性标注器从这样的模型得到的好处和从真模型得到的一样多，那帮上忙的就不是句法。模型是同一个，读法各不相同：分类器对整篇池化，标注器逐个位置读，各层的权重由任务来定，或者所有参数都微调。猜词用不着、任务却要用的东西，假设就不成立。一种是丢掉了：一份很长的会议记录，第一个发言的是谁；微调也许能要回来。另一种是输入里从来没有：两个词押不押韵，模型只看见编号；或者只往前读的模型，看不见右边的词。这种，微调至多把标注里见过的词背下来。我的说法：给客户来信分部门，只有 100 条标注时，冻结的真向量胜过 TF-IDF。两者连同权重打乱的模型，用同样的标注，十个种子，成对比较。差值的区间若在 0 以下，我就错了；若跨零，就是分不出来。
