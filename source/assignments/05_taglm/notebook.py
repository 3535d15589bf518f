# %% [markdown] key="title" lang="en"
# # Exercises 05 · Tags that fit together, and an adviser
#
# Five functions (11 points) and a written answer (4 points): the two algorithms of a CRF, the
# three places of a language model's states, the numbers that TagLM takes from a biLM, and a
# detector of leaks. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="a2b44332"
# # 练习 05 · 接得上的标签，和一位顾问
#
# 五个函数（11 分），一道笔答题（4 分）：CRF 的两个算法，语言模型状态的三个接入位置，TagLM 从双向语言模型里取哪些数，还有一个泄漏检测器。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)


def layer(x, W):
    """Mix each word with both neighbours: a toy recurrent layer / 一个玩具循环层.

    x (T, I), W (I, H); returns (T, H)
    """
    zero = np.zeros((1, x.shape[1]))
    around = np.concatenate([zero, x[:-1]]) + np.concatenate([x[1:], zero])
    return np.tanh((x + 0.5 * around) @ W)


# %% [markdown] key="log_partition-task" lang="en"
# ## 1. Add up all tag sequences (3 points)
#
# A CRF scores a sequence of tags: `start` of the first tag, `scores[t, k]` of each word's
# tag, `A[i, j]` of going from tag i to tag j, `end` of the last tag. $Z$ is the sum of
# $e^{\text{score}}$ over all $K^T$ sequences.
#
# Example: two words, two tags. $e^{\text{scores}}$ is $(3, 1)$ for the first word and
# $(1, 1)$ for the second; $e^A$ is 4 from tag 1 to tag 1 and else 1; `start` and `end` are 0.
# The four sequences 00, 01, 10, 11 have $3, 3, 1, 4$, so that $\log Z=\log 11$.
#
# Write `log_partition(scores, A, start, end)` for arrays of shape `(T, K)`, `(K, K)`,
# `(K,)`, `(K,)`: the **forward algorithm**, with about $K^2T$ steps. Scores may be several
# hundred, where `np.exp` overflows: work with logarithms throughout.

# %% [markdown] key="log_partition-task" lang="zh" follows="c031cd55"
# ## 1. 把所有标签序列加起来（3 分）
#
# CRF 给一串标签打分：第一个标签的 `start`，每个词取该标签的 `scores[t, k]`，从标签 i 转到标签 j 的 `A[i, j]`，最后一个标签的 `end`，全部相加。$Z$ 是 $e^{\text{总分}}$ 对全部 $K^T$ 串的和。
#
# 例：两个词，两种标签。第一个词的 $e^{\text{scores}}$ 是 $(3, 1)$，第二个是 $(1, 1)$；$e^A$ 从标签 1 到标签 1 是 4，其余都是 1；`start` 和 `end` 都是 0。四串 00、01、10、11 分别得 $3, 3, 1, 4$，所以 $\log Z=\log 11$。
#
# 请写 `log_partition(scores, A, start, end)`，形状依次为 `(T, K)`、`(K, K)`、`(K,)`、`(K,)`：用**前向算法**，大约 $K^2T$ 步。分数可能有几百，`np.exp` 会溢出：请始终用对数计算。


# %% key="log_partition" role="answer"
def log_partition(scores, A, start, end):
    """Return log Z of a sentence / 返回一句话的 log Z."""
    ### BEGIN SOLUTION
    alpha = start + scores[0]  # (K,)
    for row in scores[1:]:
        alpha = np.logaddexp.reduce(alpha[:, None] + A, axis=0) + row
    return np.logaddexp.reduce(alpha + end)
    ### END SOLUTION


# %% key="test_log_partition" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("05.log_partition", log_partition)
### BEGIN HIDDEN TESTS
check("05.log_partition", log_partition, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="viterbi-task" lang="en"
# ## 2. Find the best one (3 points)
#
# Example: in task 1 the sequence 11 has the most, 4, although the first word alone prefers
# tag 0.
#
# Write `viterbi(scores, A, start, end)`, inputs as in task 1. It returns the T tag numbers of
# the best sequence, first word first. (In the checks there is always exactly one.)

# %% [markdown] key="viterbi-task" lang="zh" follows="eabde356"
# ## 2. 找出最好的一串（3 分）
#
# 例：在第 1 题里，11 这一串最多，是 4，虽然单看第一个词会选标签 0。
#
# 请写 `viterbi(scores, A, start, end)`，输入同第 1 题。返回最好的一串的 T 个标签编号，从第一个词开始。（检查里最好的总是只有一串。）


# %% key="viterbi" role="answer"
def viterbi(scores, A, start, end):
    """Return the best tag sequence / 返回最好的标签序列."""
    ### BEGIN SOLUTION
    best, back = start + scores[0], []
    for row in scores[1:]:
        ways = best[:, None] + A  # (K from, K to)
        back.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    path = [int((best + end).argmax())]
    for source in reversed(back):
        path.append(int(source[path[-1]]))
    return path[::-1]
    ### END SOLUTION


# %% key="test_viterbi" role="test" points=3
from course_lib.grading import check

check("05.viterbi", viterbi)
### BEGIN HIDDEN TESTS
check("05.viterbi", viterbi, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="tag_scores-task" lang="en"
# ## 3. Three places for an adviser (2 points)
#
# A tagger with two layers scores tags by `layer(layer(x, W1), W2) @ W3`. (`layer` stands at
# the top of this notebook.) `x` of shape `(T, D)` has the words, `g` of shape `(T, F)` the
# states of a language model. They are joined to each word, *behind* what is there:
#
# * place `"input"`: to `x`;
# * `"after first"`: to what the first layer gives;
# * `"after second"`: to what the second layer gives.
#
# Example: with `D = 3` and `F = 2`, `W1` has 5 rows for the place `"input"` and else 3.
#
# Write `tag_scores(x, g, place, W1, W2, W3)`. It returns the scores, of shape `(T, K)`. The
# matrices have the right number of rows for the place.

# %% [markdown] key="tag_scores-task" lang="zh" follows="5128f2b2"
# ## 3. 顾问的三个座位（2 分）
#
# 一个两层的标注器这样打分：`layer(layer(x, W1), W2) @ W3`。（`layer` 在本练习开头。）`x` 的形状是 `(T, D)`，是各个词；`g` 的形状是 `(T, F)`，是语言模型的状态。把它拼到每个词上，放在原有的数*后面*：
#
# * 位置 `"input"`：拼到 `x` 上；
# * `"after first"`：拼到第一层的输出上；
# * `"after second"`：拼到第二层的输出上。
#
# 例：`D = 3`、`F = 2` 时，位置为 `"input"` 的 `W1` 有 5 行，否则有 3 行。
#
# 请写 `tag_scores(x, g, place, W1, W2, W3)`，返回形状为 `(T, K)` 的分数。矩阵的行数总是和位置相符。


# %% key="tag_scores" role="answer"
def tag_scores(x, g, place, W1, W2, W3):
    """Return the scores of the tags / 返回标签的分数."""
    ### BEGIN SOLUTION
    h = x
    for at, W in (("input", W1), ("after first", W2)):
        h = layer(np.hstack([h, g]) if place == at else h, W)
    return (np.hstack([h, g]) if place == "after second" else h) @ W3
    ### END SOLUTION


# %% key="test_tag_scores" role="test" points=2
from course_lib.grading import check

check("05.tag_scores", tag_scores)
### BEGIN HIDDEN TESTS
check("05.tag_scores", tag_scores, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="lm_features-task" lang="en"
# ## 4. What TagLM takes (1 point)
#
# `encoder.encode` gives the layers of a sentence as an array of shape `(L+1, T, 2P)`. Layer 0
# knows no context; layer L is the top. Of the `2P` numbers of a word the first `P` are the
# forward state, the last `P` the backward state. TagLM takes the top layer only.
#
# Example: two layers above layer 0, two words, `P = 1`:
#
# ```
# [[[1, 1], [2, 2]], [[3, 4], [5, 6]], [[7, 8], [9, 10]]]
# ```
#
# The forward features are `[[7], [9]]`, those of both directions `[[7, 8], [9, 10]]`.
#
# Write `lm_features(layers, way)`; `way` is `"forward"` or `"both"`.

# %% [markdown] key="lm_features-task" lang="zh" follows="df4f4785"
# ## 4. TagLM 取什么（1 分）
#
# `encoder.encode` 给出一句话的各层，形状为 `(L+1, T, 2P)`。第 0 层不看上下文，第 L 层是顶层。每个词的 `2P` 个数里，前 `P` 个是前向状态，后 `P` 个是后向状态。TagLM 只取顶层。
#
# 例：第 0 层之上有两层，两个词，`P = 1`：
#
# ```
# [[[1, 1], [2, 2]], [[3, 4], [5, 6]], [[7, 8], [9, 10]]]
# ```
#
# 前向特征是 `[[7], [9]]`，双向特征是 `[[7, 8], [9, 10]]`。
#
# 请写 `lm_features(layers, way)`，`way` 是 `"forward"` 或 `"both"`。


# %% key="lm_features" role="answer"
def lm_features(layers, way):
    """Return TagLM's features / 返回 TagLM 的特征."""
    ### BEGIN SOLUTION
    top = layers[-1]
    return top[:, : top.shape[1] // 2] if way == "forward" else top
    ### END SOLUTION


# %% key="test_lm_features" role="test" points=1
from course_lib.grading import check

check("05.lm_features", lm_features)
### BEGIN HIDDEN TESTS
check("05.lm_features", lm_features, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="later_words_seen-task" lang="en"
# ## 5. Find the leak (2 points)
#
# A forward language model predicts word t+1 from its state at t. If this state has already
# seen word t+1, or any word behind it, the model only copies. You get the model as a black
# box: `read(x)` takes word vectors of shape `(T, D)` and returns states of shape `(T, F)`.
#
# Example: T = 4. An honest forward model: `[0, 0, 0, 0]`. A stack whose second layer reads
# both directions of the first: position 0 sees three later words, position 1 two, position 2
# one: `[3, 2, 1, 0]`.
#
# Write `later_words_seen(read, T, D)`. It returns T numbers: for each position, how many
# words with a *larger* index change its state. Change one word after another and compare.
# Think about three things: where to begin, how to change a word, and how to compare two
# states. Small changes count, too: rounding stays below $10^{-8}$, and a word that is seen
# can move some number of the state by more than $10^{-6}$.

# %% [markdown] key="later_words_seen-task" lang="zh" follows="3e6a64bb"
# ## 5. 找出泄漏（2 分）
#
# 前向语言模型用位置 t 的状态预测第 t+1 个词。如果这个状态已经看过第 t+1 个词，或者更后面的词，模型就只是在抄。给你的模型是个黑盒子：`read(x)` 接收形状为 `(T, D)` 的词向量，返回形状为 `(T, F)` 的状态。
#
# 例：T = 4。老实的前向模型是 `[0, 0, 0, 0]`。如果一叠 LSTM 的第二层读了第一层的两个方向，位置 0 就看到后面三个词，位置 1 两个，位置 2 一个：`[3, 2, 1, 0]`。
#
# 请写 `later_words_seen(read, T, D)`，返回 T 个数：对每个位置，有多少个下标*更大*的词会改变它的状态。办法是一个一个地改词，再比较。有三件事要想一想：从什么样的输入出发，怎样改一个词，怎样比较两个状态。变化很小也算：舍入误差不到 $10^{-8}$，而看得到的词总能让状态里的某个数变化超过 $10^{-6}$。


# %% key="later_words_seen" role="answer"
def later_words_seen(read, T, D):
    """Return how many later words each state has seen / 返回每个状态看过几个后面的词."""
    ### BEGIN SOLUTION
    x = np.random.normal(size=(T, D))
    before = read(x)
    counts = np.zeros(T, dtype=int)
    for s in range(T):
        changed = x.copy()
        changed[s] = np.random.normal(size=D)
        differs = (np.abs(read(changed) - before) > 1e-7).any(axis=1)  # (T,)
        counts[:s] += differs[:s]
    return counts
    ### END SOLUTION


# %% key="test_later_words_seen" role="test" points=2
from course_lib.grading import check

check("05.later_words_seen", later_words_seen)
### BEGIN HIDDEN TESTS
check("05.later_words_seen", later_words_seen, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="adviser-question" lang="en"
# ## 6. Was it the language model? (written, 4 points)
#
# A colleague adds a language model's states to her tagger. With 100 labelled sentences F1
# rises from 60 to 72 in one run, and she writes: *the language model understands names*.
# Answer her in 100 to 200 words. Points:
#
# 1. **Chance** (1): what must be repeated, what must stay the same, and which number with
#    which interval she should report.
# 2. **Two controls** (1): two experiments that tell *what* helped, and what each outcome would
#    mean.
# 3. **The test text** (1): the language model has read the test sentences, without tags. Is
#    this a leak? What would you do?
# 4. **The sentence** (1): what the experiment may conclude, in words that it supports; and a
#    baseline without any pre-training that belongs in her table.

# %% [markdown] key="adviser-question" lang="zh" follows="d09659fa"
# ## 6. 是语言模型的功劳吗？（笔答，4 分）
#
# 一位同事把语言模型的状态加进她的标注器。标注 100 句，跑一次，F1 从 60 升到 72。她写道：*语言模型理解人名地名*。请用 200 到 400 字回答她。评分点：
#
# 1. **偶然**（1 分）：什么要重复，什么要保持不变，应当报告哪个数、带什么区间。
# 2. **两个对照**（1 分）：设计两个实验，说明*究竟是什么*起了作用；每种结果各意味着什么。
# 3. **测试文本**（1 分）：语言模型读过测试句子，只是没有标签。这算泄漏吗？你会怎么做？
# 4. **那句话**（1 分）：这个实验到底能支持怎样的说法；她的表里还应当有哪个不用预训练的基线。

# %% [markdown] key="adviser-answer" lang="en" role="written" points=4
# One run proves little: which 100 sentences were drawn and where the parameters began can
# move F1 by several points. Repeat with five seeds or more; within a seed both taggers get the
# same sentences, the same dev set and the same number of steps; report the mean difference
# with Student's interval. First control: a language model that has read the 100 sentences
# only. If it helps as much, it was the larger network; if it helps far less, the text. Second: layer 0 of
# the same model, which knows no context. If it helps as much, better word vectors would have
# done; if it helps far less, context did it. That the model read the test sentences is no leak of answers,
# for it saw no tags, but it may flatter: new names are then less new. Best is to train it
# without them, else to say so. What she may write: on this test set, with 100 labels, these
# states raise F1 by so much. “Understands” was not measured. A linear tagger with the word, its ends and
# its neighbours belongs in the table.

# %% [markdown] key="adviser-answer" lang="zh" follows="62acd7a9"
# 跑一次说明不了什么：抽到哪 100 句、参数从哪里开始，都能让 F1 差好几个点。至少用五个种子重复；同一个种子里，两个标注器用同样的标注句子、同样的开发集、同样的步数；报告差的平均值和它的 95% t 区间。第一个对照：语言模型只读那 100 句。如果一样有用，功劳在网络变大；如果用处小得多，功劳在无标注文本。第二个对照：取同一个语言模型的第 0 层，它不看上下文。如果一样有用，换一套更好的词向量就行；如果用处小得多，才是上下文的功劳。语言模型读过测试句子，不算泄漏答案，因为它没见过标签；但成绩可能偏高，新名字对它不那么新了。最好训练时留出这些句子，否则就要说明。她可以写：在这个测试集上，标注 100 句时，这些状态使 F1 提高了多少。“理解”并没有测过。表里还应当有一个线性标注器，只看这个词、它的首尾和左右邻居。
