# %% [markdown] key="title" lang="en"
# # Exercises 15 · Lineage and capstone
#
# Five functions (15 points), the report on your capstone and an essay (9 points). The functions
# are the tools of the capstone: a bag of neighbours, two sides multiplied, the best that any reader
# can do, a gain with its interval, and a check whether a study was done properly. Every cell
# runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="d12974d9"
# # 练习 15 · 传承与综合大作业
#
# 五个函数（15 分），一份大作业报告和一篇短文（9 分）。五个函数就是做大作业的工具：一袋邻居，两侧相乘，任何读取器的上限，带置信区间的优势，以及检查一项研究有没有守规矩。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
from scipy import stats

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

# %% [markdown] key="cbow-task" lang="en"
# ## 1. A bag of neighbours (3 points)
#
# Which word stands in the gap? CBOW answers with two tables of vectors: `words` for the words
# around the gap, `answers` for the words that may fill it. It takes the mean of the neighbours'
# vectors, multiplies it with each answer's vector, and a softmax makes probabilities of that:
#
# $$c = \frac{1}{n} \sum_{i=1}^{n} v_{w_i}, \qquad
#   p(w) = \frac{e^{u_w \cdot c}}{\sum_{w'} e^{u_{w'} \cdot c}}.$$
#
# Example: the vectors of words 0 and 1 are $(1, 0)$ and $(0, 1)$. The window is 0, 1: the mean is
# $(\frac12, \frac12)$. So it is for the window 1, 0. Answers $(0,0), (2,0), (0,2), (2,2)$ score
# 0, 1, 1, 2, and the last one gets $e^2 / (1 + 2e + e^2) = 0.53$.
#
# Write `cbow(words, answers, context)`. The tables have shape `(V, D)`; `context` is a list of
# word numbers, in which one may occur several times. Return the V probabilities.

# %% [markdown] key="cbow-task" lang="zh" follows="97a834d9"
# ## 1. 一袋邻居（3 分）
#
# 空缺里是哪个词？CBOW 用两张向量表来回答：`words` 管空缺周围的词，`answers` 管可能填进去的词。它取邻居向量的平均，和每个答案的向量求内积，再用 softmax 变成概率：
#
# $$c = \frac{1}{n} \sum_{i=1}^{n} v_{w_i}, \qquad
#   p(w) = \frac{e^{u_w \cdot c}}{\sum_{w'} e^{u_{w'} \cdot c}}$$
#
# 例：词 0 和词 1 的向量是 $(1, 0)$ 和 $(0, 1)$。窗口是 0, 1，平均是 $(\frac12, \frac12)$；窗口换成 1, 0，还是它。答案 $(0,0), (2,0), (0,2), (2,2)$ 的内积是 0、1、1、2，最后一个得到 $e^2 / (1 + 2e + e^2) = 0.53$。
#
# 请写 `cbow(words, answers, context)`。两张表的形状都是 `(V, D)`；`context` 是词的编号组成的列表，同一个编号可以出现几次。返回 V 个概率。


# %% key="cbow" role="answer"
def cbow(words, answers, context):
    """Return the probability of each word / 返回每个词的概率."""
    ### BEGIN SOLUTION
    raised = np.exp(answers @ words[context].mean(axis=0))
    return raised / raised.sum()
    ### END SOLUTION


# %% key="test_cbow" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("15.cbow", cbow)
### BEGIN HIDDEN TESTS
check("15.cbow", cbow, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="product-task" lang="en"
# ## 2. Two sides, multiplied (3 points)
#
# A forward language model knows what stands to the left of a gap, a backward one what stands to the
# right. Suppose that left and right are **conditionally independent** given the word. Then, by Bayes' rule,
#
# $$p(w \mid l, r) \propto p(w)\, p(l \mid w)\, p(r \mid w) \propto
#   \frac{p(w \mid l)\; p(w \mid r)}{p(w)}.$$
#
# Both sides know how frequent a word is; the division sees to it that this counts only once.
#
# Example with three words: $p(w \mid l) = (0.5, 0.3, 0.2)$, $p(w \mid r) = (0.2, 0.3, 0.5)$,
# $p(w) = (0.5, 0.25, 0.25)$. The fractions are 0.2, 0.36, 0.4; their sum is 0.96; the answer is
# $(0.208, 0.375, 0.417)$.
#
# Write `product(left, right, alone)`: arrays of shape `(V,)` that add up to 1, all above 0. Return
# the V probabilities.

# %% [markdown] key="product-task" lang="zh" follows="2459687e"
# ## 2. 两侧相乘（3 分）
#
# 前向语言模型知道空缺左边有什么，后向语言模型知道右边有什么。假设给定空缺里的词之后，左右两侧**条件独立**。那么由贝叶斯公式，
#
# $$p(w \mid l, r) \propto p(w)\, p(l \mid w)\, p(r \mid w) \propto
#   \frac{p(w \mid l)\; p(w \mid r)}{p(w)}$$
#
# 一个词常见不常见，两侧都知道；除以 $p(w)$，是为了只算一遍。
#
# 例：三个词，$p(w \mid l) = (0.5, 0.3, 0.2)$，$p(w \mid r) = (0.2, 0.3, 0.5)$，$p(w) = (0.5, 0.25, 0.25)$。三个分数是 0.2、0.36、0.4，和为 0.96，答案是 $(0.208, 0.375, 0.417)$。
#
# 请写 `product(left, right, alone)`：三个数组，形状 `(V,)`，都大于 0，各自的和为 1。返回 V 个概率。


# %% key="product" role="answer"
def product(left, right, alone):
    """Return what both sides say together / 返回两侧合起来的回答."""
    ### BEGIN SOLUTION
    found = left * right / alone
    return found / found.sum()
    ### END SOLUTION


# %% key="test_product" role="test" points=3
from course_lib.grading import check

check("15.product", product)
### BEGIN HIDDEN TESTS
check("15.product", product, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="optimum-task" lang="en"
# ## 3. The best that any reader can do (3 points)
#
# A small world: a class, a cue on the left, a cue on the right, and a table with the probability of
# each combination. In the XOR world cues of the same kind mean class 0, different ones class 1:
#
# | | right 0 | right 1 |
# |---|---|---|
# | **left 0** | class 0: 0.25 | class 1: 0.25 |
# | **left 1** | class 1: 0.25 | class 0: 0.25 |
#
# The best reader bets on the likelier class each time. One that sees only the left cue finds, with
# cue 0, both classes with 0.25: whatever it says, it is right with probability 0.25; the same with
# cue 1; together 0.5. So for the right cue. One that sees both is right in all four cells: 1.
#
# Write `optimum(joint)`. `joint` has shape `(K, L, R)`: class, left cue, right cue; it adds up to 1.
# Return the best accuracy of three readers: the one of the left cue, of the right cue, and of both.
# No model of any size can do better: this is how the lesson computes what "chance" is.

# %% [markdown] key="optimum-task" lang="zh" follows="7048b0ee"
# ## 3. 任何读取器的上限（3 分）
#
# 一个小世界：一个类别，左边一个线索，右边一个线索，还有一张表，写着每种组合的概率。在异或世界里，两个线索同类，类别是 0；不同类，类别是 1：
#
# | | 右 0 | 右 1 |
# |---|---|---|
# | **左 0** | 类别 0：0.25 | 类别 1：0.25 |
# | **左 1** | 类别 1：0.25 | 类别 0：0.25 |
#
# 最好的读取器每次都押更可能的类别。只看左线索的读取器，遇到线索 0，两个类别各有 0.25：押哪个都只对 0.25；遇到线索 1 也一样；合计 0.5。只看右线索也是如此。两侧都看的读取器，四格全对：1。
#
# 请写 `optimum(joint)`。`joint` 的形状是 `(K, L, R)`：类别、左线索、右线索，总和为 1。返回三个读取器的最高准确率：只看左的、只看右的、两侧都看的。再大的模型也超不过这个数：课文里的“随机水平”就是这样算出来的。


# %% key="optimum" role="answer"
def optimum(joint):
    """Return the best accuracies: left, right, both / 返回三个最高准确率."""
    ### BEGIN SOLUTION
    classes, left_cue, right_cue = 0, 1, 2  # the axes
    left = joint.sum(axis=right_cue).max(axis=classes).sum()
    right = joint.sum(axis=left_cue).max(axis=classes).sum()
    return left, right, joint.max(axis=classes).sum()
    ### END SOLUTION


# %% key="test_optimum" role="test" points=3
from course_lib.grading import check

check("15.optimum", optimum)
### BEGIN HIDDEN TESTS
check("15.optimum", optimum, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="gain-task" lang="en"
# ## 4. How much better, with what confidence interval (3 points)
#
# Five times 100 labelled texts were drawn; each time your method and TF-IDF learned from the *same*
# hundred. Invented accuracies: yours 0.74, 0.71, 0.80, 0.68, 0.77; TF-IDF 0.70, 0.69, 0.77, 0.68,
# 0.73. Some draws are easier than others, for both. So take the differences first: 0.04, 0.02,
# 0.03, 0, 0.04. Their mean is 0.026, and Student's 95 % interval around it
#
# $$\bar d \pm t_{0.975,\,n-1} \frac{s}{\sqrt n}, \qquad s^2 = \frac{1}{n-1} \sum_i (d_i - \bar d)^2:$$
#
# here $0.026 \pm 2.776 \cdot 0.0167 / \sqrt 5$, from 0.005 to 0.047. Had you compared two groups of
# five, the variation between draws would have hidden the difference.
#
# Write `gain(mine, theirs)`: two arrays of n accuracies, in the same order. Return the mean
# difference and the two ends of its interval. `stats.t` is there.

# %% [markdown] key="gain-task" lang="zh" follows="04a45b00"
# ## 4. 高多少，置信区间多大（3 分）
#
# 抽了五次，每次一百条标注文本；每次你的方法和 TF-IDF 都用*同样的*一百条来学。编造的准确率：你的 0.74、0.71、0.80、0.68、0.77；TF-IDF 的 0.70、0.69、0.77、0.68、0.73。有的一百条容易些，对两者都容易。所以先求差：0.04、0.02、0.03、0、0.04。差的平均是 0.026，它的 95% t 区间是
#
# $$\bar d \pm t_{0.975,\,n-1} \frac{s}{\sqrt n}, \qquad s^2 = \frac{1}{n-1} \sum_i (d_i - \bar d)^2:$$
#
# 这里是 $0.026 \pm 2.776 \cdot 0.0167 / \sqrt 5$，从 0.005 到 0.047。如果当成两组各五个来比，这点差别就会淹没在抽样的起伏里。
#
# 请写 `gain(mine, theirs)`：两个数组，各有 n 个准确率，次序一致。返回差的平均和区间的两个端点。可以用 `stats.t`。


# %% key="gain" role="answer"
def gain(mine, theirs):
    """Return the mean difference, low end, high end / 返回平均差和两个端点."""
    ### BEGIN SOLUTION
    difference = mine - theirs
    quantile = stats.t.ppf(0.975, len(difference) - 1)
    half = quantile * stats.sem(difference)
    return difference.mean(), difference.mean() - half, difference.mean() + half
    ### END SOLUTION


# %% key="test_gain" role="test" points=3
from course_lib.grading import check

check("15.gain", gain)
### BEGIN HIDDEN TESTS
check("15.gain", gain, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="audit-task" lang="en"
# ## 5. Was the protocol kept? (3 points)
#
# A study leaves a log: one tuple for each thing that was done, in this order,
# `(what, method, seed, labels, seconds)`. `what` is one of
#
# * `"dev"`: a method was trained and tried out on the development set;
# * `"choose"`: the method was named that will meet TF-IDF (once in each log; seed −1, labels 0);
# * `"test"`: a method, the chosen one or `"TF-IDF"`, was trained and scored on the test set.
#
# `labels` is a number that names the set of labelled texts: equal numbers, equal sets. `seconds` is
# what the run took.
#
# Write `audit(log, budget)`. Return five numbers, 1 where a rule is broken and 0 where it is kept:
#
# 1. **seeds**: the chosen method and TF-IDF are each tested with at least five different seeds;
# 2. **paired**: both are tested with the same seeds, and for each seed from the same labelled set;
# 3. **choice first**: the choice stands before the first test;
# 4. **once**: no method is tested twice with the same seed, and nothing is tried on dev after the
#    first test;
# 5. **budget**: no run takes more seconds than `budget`.
#
# Example: a log that keeps everything gives 0, 0, 0, 0, 0. Add one more run on dev at its end that
# takes 12 seconds where 10 are allowed: 0, 0, 0, 1, 1. (Every log has a choice, a run on dev and a
# test of each of the two methods. The choice is not TF-IDF.)

# %% [markdown] key="audit-task" lang="zh" follows="2ec52b1f"
# ## 5. 守规矩了吗？（3 分）
#
# 一项研究会留下记录：每做一件事记一个元组，按先后排列，`(what, method, seed, labels, seconds)`。`what` 有三种：
#
# * `"dev"`：训练一种方法，在开发集上试一试；
# * `"choose"`：说定哪种方法同 TF-IDF 比（每份记录恰有一次；seed 是 −1，labels 是 0）；
# * `"test"`：训练一种方法（选中的那种，或 `"TF-IDF"`），在测试集上打分。
#
# `labels` 是一个数，代表用了哪一批标注文本：数相同，就是同一批。`seconds` 是这次运行花的秒数。
#
# 请写 `audit(log, budget)`，返回五个数，违反规则是 1，遵守是 0：
#
# 1. **seeds**：选中的方法和 TF-IDF 都至少用五个不同的种子测过；
# 2. **paired**：两者测的是同样的种子，每个种子用同一批标注文本；
# 3. **choice first**：选择在第一次测试之前；
# 4. **once**：同一方法同一种子不测两遍，第一次测试之后也不再在开发集上试；
# 5. **budget**：没有一次运行的秒数超过 `budget`。
#
# 例：完全守规矩的记录，返回 0, 0, 0, 0, 0。在末尾添一次 dev 运行，花了 12 秒，而预算是 10 秒：0, 0, 0, 1, 1。（每份记录里都有一次选择，有 dev 运行，两种方法都测过。选中的不会是 TF-IDF。）


# %% key="audit" role="answer"
def audit(log, budget):
    """Return 1 for each rule that is broken, else 0 / 违反的规则为 1，否则为 0."""
    ### BEGIN SOLUTION
    chosen = next(method for what, method, *_ in log if what == "choose")
    kinds = [what for what, *_ in log]
    first = kinds.index("test")
    sets, again = {chosen: {}, "TF-IDF": {}}, "dev" in kinds[first:]
    for what, method, seed, labels, _ in log:
        if what == "test":
            again = again or seed in sets[method]
            sets[method][seed] = labels
    few = min(len(of) for of in sets.values()) < 5
    late = "choose" in kinds[first:]
    slow = max(seconds for *_, seconds in log) > budget
    broken = [few, sets[chosen] != sets["TF-IDF"], late, again, slow]
    return [int(rule) for rule in broken]
    ### END SOLUTION


# %% key="test_audit" role="test" points=3
from course_lib.grading import check

check("15.audit", audit)
### BEGIN HIDDEN TESTS
check("15.audit", audit, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="report-question" lang="en"
# ## 6. Capstone: 100 labels, one decision (written, 5 points)
#
# Somebody has 100 labelled texts and asks you: features of a pre-trained model, or a model from
# scratch, or neither? Do the study of lesson 15, section 9, on a task of your choice (any
# classification set of `data.available()`; Rivertown if you have nothing else), with at least one
# method of your own beside TF-IDF. Add cells below for it. Then report in 120 to 220 words, in
# the order of the template: *task and budget; what I tried on dev; what I chose, and why, before the
# test; the gain over TF-IDF with its interval; the decision; how one would know better.* Points:
#
# 1. **Protocol** (1): `study.report(…)` returns an empty list, and the report says how many seeds,
#    labels and seconds.
# 2. **Candidates** (1): at least one method with pre-training and one without, and a reason why each
#    could win with 100 labels.
# 3. **Gain** (1): the paired difference with its interval, and the number of draws; no claim that
#    the interval does not allow.
# 4. **Decision** (1): it follows from the interval *and* from what a mistake would cost; also
#    "undecided" earns the point.
# 5. **How to know** (1): what the study cannot tell (other texts, one test set, labels spent on
#    dev), and which further measurement would settle it.

# %% [markdown] key="report-question" lang="zh" follows="3a2bd355"
# ## 6. 大作业：一百条标注，一个决定（笔答，5 分）
#
# 有人手里有一百条标注文本，来问你：用预训练模型的特征，还是从零训练一个，还是都不用？请按第 15 课第 9 节做一项研究，任务自选（`data.available()` 里的任何分类数据；什么都没有就用河湾镇），除 TF-IDF 之外至少有一种你自己的方法。代码写在下面新加的单元格里。然后照模板写一份 200 到 400 字的报告：*任务和预算；在开发集上试了什么；测试之前选了什么，为什么；比 TF-IDF 高多少，区间是多少；决定；怎样才能知道得更清楚*。评分点：
#
# 1. **规矩**（1 分）：`study.report(…)` 返回空列表；报告写明种子数、标注数和秒数。
# 2. **候选**（1 分）：至少一种用了预训练，一种没有；各说一条它在一百条标注下可能取胜的理由。
# 3. **优势**（1 分）：成对的差、区间、抽了几次；不说区间不允许说的话。
# 4. **决定**（1 分）：既根据区间，*也*考虑选错的代价；答“无法定夺”同样给分。
# 5. **怎样知道**（1 分）：这项研究说明不了什么（别的文本、只有一个测试集、开发集用掉的标注），再测什么才能定。

# %% [markdown] key="report-answer" lang="en" role="written" points=5
# *(A model of the form; the numbers are invented. Yours come from your study.)* Task: film reviews,
# two classes; 100 labels a draw, 6 draws, 60 seconds a run; `study.report` is empty. On dev (20 of
# the 100) I tried the mean of static vectors (few parameters to learn, knows synonyms that 100
# texts do not show), ELMo's mean layer (the same, and knows the context), and a small network from scratch
# (could win if a few words decide). The development set is small: one text is 5 points. I chose ELMo's features
# before the test: best on dev in 4 of 6 draws. On the test set it is 2.1 points above TF-IDF,
# [−0.4, 4.6] over 6 draws: undecided. From scratch was near chance on dev and was not tested. I would
# keep TF-IDF for now: it is a thousand times cheaper, and nobody is harmed if two points are lost.
# If a point were worth much I would label 100 more texts first. What I do not know: other kinds of
# review; the test set is one sample, so its own error is not in the interval; one draw is
# what the customer has, and single draws differ by more than the gain. Ten more draws would
# halve the interval.

# %% [markdown] key="report-answer" lang="zh" follows="e1c54787"
# （这是写法的示范，数字是编的；你的数字来自你的研究。）任务：影评，两类；每次抽 100 条标注，抽 6 次，每次运行限 60 秒；`study.report` 为空。在开发集（100 条里的 20 条）上试了：静态词向量的平均（要学的参数少，知道一百条文本里看不到的近义词）、ELMo 各层平均（同上，还知道上下文）、从零训练的小网络（如果只有几个词说了算，它可能赢）。开发集很小，一条就是 5 个点。测试之前选定 ELMo 特征，因为 6 次里有 4 次在开发集上最好。测试集上它比 TF-IDF 高 2.1 个点，6 次抽样的区间是 [−0.4, 4.6]：无法定夺。从零训练在开发集上接近随机水平，没有拿去测。眼下我会留用 TF-IDF：便宜上千倍，差两个点也不伤人。要是一个点就很值钱，我会先再标一百条。不知道的事：别类评论会怎样；测试集只是一个样本，它自己的误差不在区间里；客户手里只有一次抽样，而单次之间的差别比这点优势还大。再抽十次，区间能缩小一半左右。

# %% [markdown] key="ideas-question" lang="en"
# ## 7. Which ideas survived? (written, 4 points)
#
# From word vectors to BERT this course has met some dozen ideas: learned word vectors; predicting a
# word from its neighbours; language models as a source of supervision; characters and pieces of words; one vector
# for each *occurrence*; mixing layers; frozen features; fine-tuning everything; discriminative learning
# rates and warm-up; more training on the task's own text; recurrence; two concatenated directions;
# attention; masks. Which of them are still at work in today's models, which were replaced, and by
# what? 100 to 210 words. Points:
#
# 1. **Survived** (1): three ideas, each with the lesson or the measurement that speaks for it.
# 2. **Replaced** (1): two ideas, with what came instead and why.
# 3. **A correction** (1): one thing that the usual story gets wrong (who fine-tuned first, what
#    concatenation can do, one direction, …), with its evidence.
# 4. **A limit** (1): one idea that was given up and came back, or that is given up only at large
#    scale.

# %% [markdown] key="ideas-question" lang="zh" follows="b3b19796"
# ## 7. 哪些想法留了下来？（笔答，4 分）
#
# 从词向量到 BERT，这门课见过十来个想法：学出来的词向量；用邻居预测一个词；用语言模型作自监督训练；字符和词片；每*一次出现*一个向量；混合各层；冻结的特征；全部微调；判别式学习率和预热；在任务自己的文本上继续训练；循环网络；两个方向拼接；注意力；掩码。哪些还在今天的模型里起作用，哪些被替换了，换成了什么？200 到 350 字。评分点：
#
# 1. **留下来的**（1 分）：三个想法，各举一课或一项测量为证。
# 2. **被替换的**（1 分）：两个想法，换成了什么，为什么。
# 3. **一处纠正**（1 分）：通常的说法错在哪里（谁先做微调，拼接能做什么，单向……），有什么证据。
# 4. **一个限度**（1 分）：举一个被放弃又回来的想法，或只在大规模时才被放弃的想法。

# %% [markdown] key="ideas-answer" lang="en" role="written" points=4
# Survived: predicting words as self-supervised training (lessons 05 to 14 are all built on
# it); one vector for each occurrence (lesson 04: a static vector cannot tell two senses apart, by
# construction); characters and pieces of words, so that nothing is unknown (lesson 08's typos, for characters); more training on the
# task's text (stage 2 in lesson 10) is today called domain adaptation. Replaced: recurrence, by
# attention, because all positions can be computed at once; two concatenated directions, by masks:
# in the XOR world neither direction nor their product is above chance, and a masked model finds the
# word. A correction: GPT was not the first to fine-tune a language model; Dai and Le did in 2015,
# Ramachandran et al. and ULMFiT before GPT, too. And concatenation as such does not destroy what the
# sides mean together: a non-linear layer on top, as in context2vec of 2016, can use it. It is the biLM that drops it:
#  from its concatenated states a network reads the verb in 64 % only. A limit: BERT made
# one direction look obsolete; the large generators since are one-directional language models again.
# LSTMs were given up where there is much text; with little, lesson 13 lets both run.

# %% [markdown] key="ideas-answer" lang="zh" follows="266bb05f"
# 留下来的：以预测词为目标的自监督训练（第 05 到 14 课都建在它上面）；每次出现一个向量（第 04 课：静态向量按构造就分不开两个义项）；字符和词片，于是没有不认识的词（字符有第 08 课的错别字实验为证）；在任务文本上继续训练（第 10 课的第二阶段），今天叫领域适应。被替换的：循环网络换成了注意力，因为所有位置可以同时计算；两个方向拼接换成了掩码：在异或世界里，单个方向和两者的乘积都停在随机水平，掩码模型却能找到那个词。一处纠正：先做微调的不是 GPT；Dai 和 Le 在 2015 年就做了，Ramachandran 等人和 ULMFiT 也在 GPT 之前。还有，拼接本身并没有毁掉两侧合起来的意思：上面加一个非线性层就有可能用上，2016 年的 context2vec 就是这样（第 15 课里十个种子有四个做到）；是 biLM 自己把它丢了，从它拼接起来的状态里，小网络只读得出 64%。一个限度：BERT 让单向显得过时，此后的大型生成模型却又都是单向语言模型。LSTM 是在文本很多的时候被放弃的；文本少时如何，第 13 课让两者都跑一跑。
