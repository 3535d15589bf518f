# %% [markdown] key="title" lang="en"
# # Exercises 10 · ULMFiT
#
# Five functions (15 points) and two written answers (8 points): the slanted triangle, a rate
# for every layer, unfreezing that reaches the optimiser, pooling without padding, and a table
# of eight runs read properly. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="4b6ac26c"
# # 练习 10 · ULMFiT
#
# 五个函数（15 分），两道笔答题（8 分）：斜三角学习率，每层各有学习率，真正传到优化器的逐层解冻，不混入填充的池化，以及怎样读懂八次实验的一张表。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="stlr-task" lang="en"
# ## 1. Up fast, down slowly (3 points)
#
# Twenty steps; the rate may be 0.32 at most, and 32 times less at least: 0.01. A tenth of the
# steps, two of them, lead up: 0.01, 0.165, and with step 2 the peak, 0.32. From there on it is
# seventeen steps down: 0.303, 0.286, …, 0.027. As the paper has it (equation 3), for step
# $t$ of $T$:
#
# $$cut = \lfloor T \cdot cut\_frac \rfloor, \qquad
#   p = \begin{cases} t / cut & \text{if } t < cut \\
#   1 - \dfrac{t - cut}{cut \cdot (1 / cut\_frac - 1)} & \text{otherwise,} \end{cases} \qquad
#   \eta_t = \eta_{max} \cdot \frac{1 + p \cdot (ratio - 1)}{ratio}.$$
#
# Write `stlr(T, cut_frac, ratio, eta_max)`. It returns the T rates of the steps
# $t = 0, 1, \dots, T-1$. `T * cut_frac` is 1 or more, but not always whole. Then the fall of
# the formula is a little too steep, and the last rates end below $\eta_{max}/ratio$, some even
# below 0. Follow the formula to the letter, and do not correct that here.

# %% [markdown] key="stlr-task" lang="zh" follows="bf727665"
# ## 1. 快升慢降（3 分）
#
# 一共二十步；学习率最高 0.32，最低是它的三十二分之一，即 0.01。前十分之一，也就是两步，往上走：0.01、0.165，到第 2 步登顶，0.32。剩下十七步往下走：0.303、0.286、……、0.027。论文（式 3）的写法，对 $T$ 步中的第 $t$ 步：
#
# $$cut = \lfloor T \cdot cut\_frac \rfloor, \qquad
#   p = \begin{cases} t / cut & t < cut \\
#   1 - \dfrac{t - cut}{cut \cdot (1 / cut\_frac - 1)} & \text{否则} \end{cases} \qquad
#   \eta_t = \eta_{max} \cdot \frac{1 + p \cdot (ratio - 1)}{ratio}$$
#
# 请写 `stlr(T, cut_frac, ratio, eta_max)`，返回 $t = 0, 1, \dots, T-1$ 这 T 步的学习率。`T * cut_frac` 不小于 1，但不一定是整数。不是整数时，公式的下降段略陡，最后几步会低于 $\eta_{max}/ratio$，有的甚至低于 0。这里请一字不差地照公式算，不必修正。


# %% key="stlr" role="answer"
def stlr(T, cut_frac, ratio, eta_max):
    """Return the learning rates of T steps / 返回 T 步的学习率."""
    ### BEGIN SOLUTION
    t = np.arange(T)
    cut = int(T * cut_frac)
    p = np.minimum(t / cut, 1 - (t - cut) / (cut * (1 / cut_frac - 1)))
    return eta_max * (1 + p * (ratio - 1)) / ratio
    ### END SOLUTION


# %% key="test_stlr" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("10.stlr", stlr)
### BEGIN HIDDEN TESTS
check("10.stlr", stlr, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="rates-task" lang="en"
# ## 2. Each layer its rate (3 points)
#
# A classifier's layers, from the lowest to the highest: the words
# (`encoder.embedding.weight` and `encoder.bias`); the LSTMs (`encoder.lstms.0.…`,
# `encoder.lstms.1.…` and so on, as many as there are); the head (`head.…`). The head learns
# with the rate $\eta$, and each layer with the rate of the layer above it divided by a
# factor: $\eta^{l-1} = \eta^l / \text{factor}$.
#
# Example with two LSTMs, $\eta = 1$ and factor 5: head 1, LSTM 1 has 0.2, LSTM 0 has 0.04, the
# words 0.008. All parameters of a layer share its rate.
#
# Write `rates(names, eta, factor)`. `names` are the parameters' names as
# `model.named_parameters()` has them, in any order; the words, the head and every LSTM occur.
# Return one rate for each name. (What is left to do for an optimiser is to make a group
# `{"params": …, "lr": …}` of each layer.)

# %% [markdown] key="rates-task" lang="zh" follows="0f522129"
# ## 2. 每层各有学习率（3 分）
#
# 分类器的层，从低到高：词向量（`encoder.embedding.weight` 和 `encoder.bias`）；各个 LSTM（`encoder.lstms.0.…`、`encoder.lstms.1.…`，有几个算几个）；分类头（`head.…`）。分类头的学习率是 $\eta$，往下每一层都是上一层的学习率除以 factor：$\eta^{l-1} = \eta^l / \text{factor}$。
#
# 例：两个 LSTM，$\eta = 1$，factor 是 5：分类头 1，LSTM 1 是 0.2，LSTM 0 是 0.04，词向量 0.008。同一层的所有参数共用一个学习率。
#
# 请写 `rates(names, eta, factor)`。`names` 是参数的名字，写法同 `model.named_parameters()`，次序不定；词向量、分类头和每个 LSTM 都会出现。给每个名字返回一个学习率。（真要交给优化器，只差把每一层写成一个参数组 `{"params": …, "lr": …}`。）


# %% key="rates" role="answer"
def rates(names, eta, factor):
    """Return a rate for each parameter's name / 给每个参数名返回学习率."""
    ### BEGIN SOLUTION
    numbers = [int(name.split(".")[2]) for name in names if "lstms" in name]

    def below_the_head(name):
        if "head" in name:
            return 0
        lstm = int(name.split(".")[2]) if "lstms" in name else -1
        return max(numbers) - lstm + 1

    return [eta / factor ** below_the_head(name) for name in names]
    ### END SOLUTION


# %% key="test_rates" role="test" points=3
from course_lib.grading import check

check("10.rates", rates)
### BEGIN HIDDEN TESTS
check("10.rates", rates, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="unfreeze-task" lang="en"
# ## 3. Unfreezing that reaches the optimiser (3 points)
#
# Two layers of one number each, $h = w_1 x + b_1$ and $\hat y = w_2 h + b_2$, with $w = 1$ and
# $b = 0$; $x = 1$, the target 3, rate 0.1, two epochs of one step each. In epoch 0 only the
# higher layer learns: $\hat y = 1$, the derivative of the squared error is $2(1-3) = -4$, so
# $w_2 = 1.4$ and $b_2 = 0.4$. In epoch 1 both learn: $\hat y = 1.8$, the derivative is $-2.4$,
# and $w_2 = 1.64$, $b_2 = 0.64$, $w_1 = 1 + 0.1 \cdot 2.4 \cdot 1.4 = 1.336$, $b_1 = 0.336$. The
# higher layer has moved by $\sqrt{0.64^2 + 0.64^2} = 0.905$, the lower one by 0.475.
#
# Write `unfreeze(model, x, y, eta, epochs)`. `model` is an `nn.Sequential`; each of its members
# is a layer, the first one the lowest. In epoch $e = 0, 1, \dots$ the $e+1$ highest layers
# learn, and all of them once there are no more. An epoch is one step of plain gradient descent
# (`torch.optim.SGD`, rate `eta`) on the mean squared error of `model(x)` and `y`. Return how far
# each layer has moved in the end, the lowest first: the root of the sum of the squared changes
# of its parameters.
#
# The trap: `requires_grad = True` alone does not make anything learn. Which parameters does your
# optimiser know?

# %% [markdown] key="unfreeze-task" lang="zh" follows="61d3a2b5"
# ## 3. 真正传到优化器的解冻（3 分）
#
# 两层，每层只有一个数：$h = w_1 x + b_1$，$\hat y = w_2 h + b_2$，开始时 $w = 1$、$b = 0$；$x = 1$，目标是 3，学习率 0.1，两轮，每轮一步。第 0 轮只有高层学：$\hat y = 1$，平方误差的导数是 $2(1-3) = -4$，于是 $w_2 = 1.4$，$b_2 = 0.4$。第 1 轮两层都学：$\hat y = 1.8$，导数是 $-2.4$，于是 $w_2 = 1.64$，$b_2 = 0.64$，$w_1 = 1 + 0.1 \cdot 2.4 \cdot 1.4 = 1.336$，$b_1 = 0.336$。高层移动了 $\sqrt{0.64^2 + 0.64^2} = 0.905$，低层移动了 0.475。
#
# 请写 `unfreeze(model, x, y, eta, epochs)`。`model` 是一个 `nn.Sequential`，每个成员是一层，第一个最低。第 $e = 0, 1, \dots$ 轮由最高的 $e+1$ 层学习；层数用完之后就全部学。每一轮是一步普通的梯度下降（`torch.optim.SGD`，学习率 `eta`），损失是 `model(x)` 与 `y` 的均方误差。返回每一层最后移动了多远，最低层在前：该层所有参数变化量的平方和，再开方。
#
# 陷阱：光有 `requires_grad = True`，什么也学不了。你的优化器认识哪些参数？


# %% key="unfreeze" role="answer"
def unfreeze(model, x, y, eta, epochs):
    """Return how far each layer has moved / 返回每一层移动了多远."""

    ### BEGIN SOLUTION
    def flat(layer):
        return torch.cat([p.detach().flatten() for p in layer.parameters()])

    before = [flat(layer) for layer in model]
    optimizer = torch.optim.SGD(model.parameters(), lr=eta)  # all of them, at once
    frozen = list(model)
    for _ in range(epochs):
        frozen = frozen[:-1]
        model.requires_grad_(True)
        for layer in frozen:
            layer.requires_grad_(False)
        optimizer.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
    return [float((flat(m) - start).norm()) for m, start in zip(model, before)]
    ### END SOLUTION


# %% key="test_unfreeze" role="test" points=3
from course_lib.grading import check

check("10.unfreeze", unfreeze)
### BEGIN HIDDEN TESTS
check("10.unfreeze", unfreeze, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="pool-task" lang="en"
# ## 4. Pooling without padding (3 points)
#
# A language model has read a document of three words and gave the outputs $(1, -5)$,
# $(3, -7)$, $(2, -6)$. In a batch a fourth place follows, padding, in which stands anything, say
# $(9, 9)$. ULMFiT's classifier gets
#
# $$h_c = [\,h_T,\ \text{maxpool}(H),\ \text{meanpool}(H)\,],$$
#
# the output of the last word, then the largest value of each feature, then the mean of each:
# $(2, -6, \; 3, -5, \; 2, -6)$. Nothing of the padding is in it.
#
# Write `pool(outputs, lengths)`. `outputs` is a tensor of shape `(B, T, E)`, `lengths` has the B
# documents' lengths, each from 1 to T; padding stands behind. Return shape `(B, 3E)`.

# %% [markdown] key="pool-task" lang="zh" follows="eabac833"
# ## 4. 不混入填充的池化（3 分）
#
# 语言模型读完一个三词的文档，输出是 $(1, -5)$、$(3, -7)$、$(2, -6)$。在一批里，后面还有第四个位置，是填充，里面可以是任何东西，比如 $(9, 9)$。ULMFiT 的分类器拿到的是
#
# $$h_c = [\,h_T,\ \text{maxpool}(H),\ \text{meanpool}(H)\,],$$
#
# 先是最后一个词的输出，再是每个特征的最大值，再是每个特征的平均值：$(2, -6, \; 3, -5, \; 2, -6)$。其中没有一点填充。
#
# 请写 `pool(outputs, lengths)`。`outputs` 是形状为 `(B, T, E)` 的张量，`lengths` 是 B 个文档的长度，每个在 1 到 T 之间；填充在后面。返回形状为 `(B, 3E)`。


# %% key="pool" role="answer"
def pool(outputs, lengths):
    """Return last, highest and mean outputs / 返回最后、最大、平均的输出."""
    ### BEGIN SOLUTION
    places = torch.arange(outputs.shape[1])
    here = (places < lengths[:, None])[:, :, None]  # (B, T, 1)
    last = outputs[torch.arange(len(outputs)), lengths - 1]  # (B, E)
    high = outputs.masked_fill(~here, -torch.inf).amax(dim=1)
    mean = torch.where(here, outputs, 0).sum(dim=1) / lengths[:, None]
    return torch.cat([last, high, mean], dim=1)
    ### END SOLUTION


# %% key="test_pool" role="test" points=3
from course_lib.grading import check

check("10.pool", pool)
### BEGIN HIDDEN TESTS
check("10.pool", pool, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="effects-task" lang="en"
# ## 5. Read a table of eight (3 points)
#
# Three techniques, each used (1) or not (0): eight runs. Invented accuracies, in per cent:
#
# | | no discr, no stlr | no discr, stlr | discr, no stlr | discr, stlr |
# |---|---|---|---|---|
# | no freez | 70 | 74 | 72 | 80 |
# | freez | 70 | 78 | 74 | 86 |
#
# The **main effect** of a technique is the mean of the four runs with it minus the mean of the
# four without. For *discr*: $(72+80+74+86)/4 - (70+74+70+78)/4 = 78 - 73 = 5$.
#
# The **interaction** of two techniques is half of this difference: the effect of the one where
# the other is used, minus its effect where it is not; both averaged over the third. For *discr*
# and *stlr*: with *stlr* the effect of *discr* is $83 - 76 = 7$, without it is $73 - 70 = 3$; the
# interaction is $(7 - 3)/2 = 2$. Above 0 the two are worth more together than apart.
#
# Write `effects(y)`. `y` is an array of shape `(2, 2, 2)`; `y[d, s, f]` is the accuracy with
# *discr* (d), *stlr* (s) and *freez* (f) used or not. Return six numbers: the main effects of
# discr, stlr, freez, then the interactions discr × stlr, discr × freez, stlr × freez. Here
# 5, 8, 3, 2, 1, 2. (Look at *freez*: on its own it brings 70 − 70 = 0, beside the other two
# 86 − 80 = 6.)

# %% [markdown] key="effects-task" lang="zh" follows="57b8b96c"
# ## 5. 读懂八次实验的一张表（3 分）
#
# 三种技术，每种用（1）或不用（0），一共八次实验。编造的准确率（%）：
#
# | | 无 discr，无 stlr | 无 discr，有 stlr | 有 discr，无 stlr | 有 discr，有 stlr |
# |---|---|---|---|---|
# | 无 freez | 70 | 74 | 72 | 80 |
# | 有 freez | 70 | 78 | 74 | 86 |
#
# 一种技术的**主效应**，是用了它的四次的平均，减去没用它的四次的平均。*discr* 的主效应：$(72+80+74+86)/4 - (70+74+70+78)/4 = 78 - 73 = 5$。
#
# 两种技术的**交互作用**，是下面这个差的一半：另一种用了时这一种的效应，减去另一种没用时这一种的效应；两者都对第三种求平均。*discr* 与 *stlr*：有 *stlr* 时，*discr* 的效应是 $83 - 76 = 7$；没有时是 $73 - 70 = 3$；交互作用是 $(7 - 3)/2 = 2$。大于 0，说明两种合用比各用各的更划算。
#
# 请写 `effects(y)`。`y` 是形状为 `(2, 2, 2)` 的数组；`y[d, s, f]` 是 *discr*（d）、*stlr*（s）、*freez*（f）用或不用时的准确率。返回六个数：discr、stlr、freez 的主效应，再是交互作用 discr × stlr、discr × freez、stlr × freez。这里是 5、8、3、2、1、2。（看看 *freez*：单独用，70 − 70 = 0；同另两种合用，86 − 80 = 6。）


# %% key="effects" role="answer"
def effects(y):
    """Return main effects and interactions / 返回主效应和交互作用."""
    ### BEGIN SOLUTION
    found = [y[1].mean() - y[0].mean(), y[:, 1].mean() - y[:, 0].mean()]
    found.append(y[:, :, 1].mean() - y[:, :, 0].mean())
    for third in (2, 1, 0):
        of = y.mean(axis=third)  # (2, 2): the other two
        found.append((of[1, 1] - of[0, 1] - of[1, 0] + of[0, 0]) / 2)
    return found
    ### END SOLUTION


# %% key="test_effects" role="test" points=3
from course_lib.grading import check

check("10.effects", effects)
### BEGIN HIDDEN TESTS
check("10.effects", effects, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="legal-question" lang="en"
# ## 6. A plan for a new domain (written, 4 points)
#
# A law firm has 40,000 contracts and judgments without labels, 200 clauses that a lawyer has
# sorted into five kinds, and a general language model as in lesson 10. Plan how you would build
# the classifier. Answer in 100 to 180 words. Points:
#
# 1. **The stages** (1): what you train on which text, and what happens to the words that the
#    general model does not know.
# 2. **Stage 3 and the layers** (1): rates, schedule and unfreezing with 200 labels, and one
#    problem of this domain (long documents, rare kinds, …) with its remedy.
# 3. **What to compare with** (1): baselines, and what must be equal.
# 4. **How to decide** (1): which data decide, how many seeds or repetitions, what you would
#    leave out if it brings nothing.

# %% [markdown] key="legal-question" lang="zh" follows="4d0746b7"
# ## 6. 一个新领域的方案（笔答，4 分）
#
# 一家律师事务所有四万份没有标注的合同和判决书，有两百条由律师分成五类的条款，还有第 10 课那样的通用语言模型。请拟一个建立分类器的方案，200 到 350 字。评分点：
#
# 1. **三个阶段**（1 分）：在什么文本上训练什么；通用模型不认识的词怎么办。
# 2. **第三阶段和各层**（1 分）：只有两百条标注，学习率、调度、解冻怎么定；说出这个领域的一个难点（文档长、有的类别很少……）和对策。
# 3. **跟什么比**（1 分）：基线有哪些，哪些条件必须相同。
# 4. **怎么定夺**（1 分）：用哪些数据来决定，跑几个种子或重复几次，没有用处的部分怎么取舍。

# %% [markdown] key="legal-answer" lang="en" role="written" points=4
# Stage 1 exists. Stage 2: go on training it as a language model on the 40,000 documents, with
# their vocabulary: known words keep their vectors, new ones such as *estoppel* begin at the mean.
# Perplexity on held-out contracts says when to stop. Stage 3: a head on [last; max; mean],
# rates divided by 2.6 from layer to layer, a slanted triangle, one more layer each epoch; all
# groups are the optimiser's from the start. Judgments are long, so gradients stop some hundred
# words before the end (BPT3C); the clause itself must lie within. Rare kinds: draw them into
# every fold, and report the score of each kind. Rivals, with the same 200 clauses and the same
# folds: the commonest kind, TF-IDF with logistic regression, the same network from scratch and
# without stage 2. Decide by repeated cross-validation, at least five seeds, differences paired
# and with intervals; the untouched last 50 clauses are used once. A technique whose interval
# holds 0 may still help; as nobody can tell, it is left out: simpler is easier to keep running.

# %% [markdown] key="legal-answer" lang="zh" follows="ec4dc0b7"
# 第一阶段现成。第二阶段：在四万份文书上继续训练语言模型，换用它们的词表：认识的词保留向量，“抵销权”之类的新词从平均向量开始；用留出的合同的困惑度决定何时停。第三阶段：在 [最后; 最大; 平均] 上接分类头，学习率逐层除以 2.6，斜三角调度，每轮多解冻一层；所有参数组一开始就交给优化器。判决书很长，梯度只回传到结尾前几百个词（BPT3C），要判断的条款必须落在这一段里。类别少的，分折时保证每折都有，并逐类报告成绩。对手用同样的两百条、同样的分折：总猜最常见的类，TF-IDF 加逻辑回归，同样的网络从零训练，去掉第二阶段。用重复的交叉验证来定，至少五个种子，差值成对相减并给出区间；留出五十条，最后只用一次。区间跨零，不等于没用，只是看不出来；这样的技术先去掉：越简单，越容易维护。

# %% [markdown] key="most-question" lang="en"
# ## 7. Which technique matters most? (written, 4 points)
#
# Discriminative rates, the slanted triangle, gradual unfreezing: which of them matters most?
# Argue from the factorial of lesson 10 (or from the
# paper's table 7: IMDb / TREC-6 / AG validation error, Full 6.87 / 6.86 / 5.81, Full + discr 5.57 / 6.21 / 5.62,
# Freez 6.37 / 6.86 / 5.81, Freez + discr 5.39 / 5.86 / 6.04, Freez + stlr 5.04 / 6.02 / 5.35, all three 5.00 /
# 5.69 / 5.38; without discr it used a rate of 0.001 for all layers, with discr 0.01 for the head).
# 80 to 180 words. Points:
#
# 1. **Numbers** (1): main effects, not one corner of the table, or a clear statement that only
#    some corners are known.
# 2. **Interactions** (1): a pair that is worth more, or less, together than apart.
# 3. **Uncertainty** (1): tasks, seeds, intervals; which order cannot be told.
# 4. **A conclusion with its limits** (1): what you would switch off first, and when this answer
#    might turn round.

# %% [markdown] key="most-question" lang="zh" follows="d8b7acbd"
# ## 7. 哪种技术最要紧？（笔答，4 分）
#
# 判别式学习率、斜三角调度、逐层解冻：三者之中哪个最要紧？请用第 10 课的析因表来论证（也可以用论文的表 7：IMDb / TREC-6 / AG 的验证错误率，Full 6.87 / 6.86 / 5.81，Full + discr 5.57 / 6.21 / 5.62，Freez 6.37 / 6.86 / 5.81，Freez + discr 5.39 / 5.86 / 6.04，Freez + stlr 5.04 / 6.02 / 5.35，三种全用 5.00 / 5.69 / 5.38；不用 discr 时各层学习率是 0.001，用 discr 时分类头是 0.01）。150 到 300 字。评分点：
#
# 1. **数字**（1 分）：主效应，而不是表的一角；如果只知道几个角，要说明。
# 2. **交互作用**（1 分）：举出一对合用比各用各的更划算（或更不划算）的技术。
# 3. **不确定**（1 分）：任务、种子、区间；哪些先后分不出来。
# 4. **有限度的结论**（1 分）：你会先去掉哪个，什么情况下答案可能反过来。

# %% [markdown] key="most-answer" lang="en" role="written" points=4
# From the paper's table only some of the eight corners are known, and no intervals. On top of
# Freez, the slanted triangle takes IMDb from 6.37 to 5.04 and AG from 5.81 to 5.35, the largest
# single steps; discriminative rates take TREC-6 from 6.86 to 5.86, a little more than the
# triangle does. Freez by itself leaves TREC-6 and AG as they are, and takes 0.5 off IMDb. There is an
# interaction: discr helps AG under Full (5.81 to 5.62) and hurts under Freez (6.04). With all
# three IMDb is hardly better than with Freez + stlr (5.00 against 5.04): the gains do not add.
# The differences on TREC-6 are a few questions out of a small set, so the order of discr and
# stlr cannot be told there; and with discr the rate was another, too. I would switch off
# unfreezing first, and keep the triangle. With other sizes, few labels, or a rate tuned for each
# schedule, this may turn round; five seeds of the eight runs on my own task would decide.

# %% [markdown] key="most-answer" lang="zh" follows="1126c6ea"
# 论文的表只给了八个角中的几个，也没有区间。在 Freez 之上，斜三角把 IMDb 从 6.37 降到 5.04，AG 从 5.81 降到 5.35，是最大的单步；判别式学习率把 TREC-6 从 6.86 降到 5.86，比斜三角略多。Freez 单独用，TREC-6 和 AG 的数字没有变，IMDb 降了 0.5。有交互作用：discr 在 Full 之下对 AG 有利（5.81 到 5.62），在 Freez 之下反而有害（6.04）。三种全用，IMDb 比 Freez + stlr 几乎没有再好（5.00 对 5.04）：各自的好处不能相加。TREC-6 的验证集小，零点几个点只是几道题，discr 和 stlr 谁先谁后分不出来；何况用 discr 时学习率也变了。我会先去掉逐层解冻，保留斜三角。换了数据量、标注更少，或者给每种调度单独调过学习率，答案都可能反过来；在自己的任务上把八种组合各跑五个种子，才能定。
