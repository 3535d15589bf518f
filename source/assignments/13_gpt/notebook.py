# %% [markdown] key="title" lang="en"
# # Exercises 13 · GPT
#
# Five functions (15 points) and two written answers (8 points): causal self-attention, multi-head
# attention, a test that finds a leak, four kinds of tasks as rows of special tokens and
# words, and the loss of fine-tuning. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="bb772910"
# # 练习 13 · GPT
#
# 五个函数（15 分），两道笔答题（8 分）：因果自注意力，多头注意力，查出泄漏的检查，把四类任务写成由特殊词元和词组成的行，以及微调的损失。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="attend-task" lang="en"
# ## 1. Causal self-attention (3 points)
#
# Two places, $d = 1$; queries 1 and 2, keys 0 and $\ln 3$, values 4 and 8. Place 0 sees only
# itself and finds 4. Place 1 has the scores $2 \cdot 0 = 0$ and $2 \ln 3 = \ln 9$, so the weights 0.1 and
# 0.9, and finds $0.1 \cdot 4 + 0.9 \cdot 8 = 7.6$. In general
#
# $$\mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d}} + M\right) V, \qquad
#   M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i. \end{cases}$$
#
# Write `attend(q, k, v)` for tensors of shape `(H, T, d)`; return the same shape. The H heads
# work independently of each other.

# %% [markdown] key="attend-task" lang="zh" follows="98064023"
# ## 1. 因果自注意力（3 分）
#
# 两个位置，$d = 1$；查询是 1 和 2，键是 0 和 $\ln 3$，值是 4 和 8。位置 0 只看得见自己：4。位置 1 的分数是 $2 \cdot 0 = 0$ 和 $2 \ln 3 = \ln 9$，权重就是 0.1 和 0.9，得到 $0.1 \cdot 4 + 0.9 \cdot 8 = 7.6$。一般地
#
# $$\mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d}} + M\right) V, \qquad
#   M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}$$
#
# 请写 `attend(q, k, v)`，三个张量的形状都是 `(H, T, d)`，返回同样的形状。H 个头互不相干。


# %% key="attend" role="answer"
def attend(q, k, v):
    """Return what each place finds / 返回每个位置得到的东西."""
    ### BEGIN SOLUTION
    scores = q @ k.transpose(1, 2) / q.shape[2] ** 0.5  # (H, T, T)
    later = torch.ones_like(scores).triu(1) > 0
    return scores.masked_fill(later, -torch.inf).softmax(dim=2) @ v
    ### END SOLUTION


# %% key="test_attend" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("13.attend", attend)
### BEGIN HIDDEN TESTS
check("13.attend", attend, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="heads-task" lang="en"
# ## 2. Multi-head attention: heads side by side (3 points)
#
# A row of $D = 4$ numbers, $(a, b, c, d)$, is split among two heads: the first gets $(a, b)$, the
# second $(c, d)$. After attention each head has an output of two numbers for every place; they are
# laid side by side again, in the same order.
#
# Write `heads(x, H, look)`. `x` is a tensor of shape `(T, D)`, and `D` is a multiple of `H`. `look` is a
# function that takes a tensor of shape `(H, T, D/H)`, what each head has, and returns the same
# shape, what each head has found. Return what was found, side by side, of shape `(T, D)`. For
# `look = lambda h: h` that is `x` itself; but the right shape alone is not enough.

# %% [markdown] key="heads-task" lang="zh" follows="1d8185a4"
# ## 2. 多头注意力：各头并排（3 分）
#
# 一行 $D = 4$ 个数 $(a, b, c, d)$ 分给两个头：第一个头拿 $(a, b)$，第二个头拿 $(c, d)$。注意力之后，每个头在每个位置上有两个数的输出；再按原来的次序并排放好。
#
# 请写 `heads(x, H, look)`。`x` 是形状为 `(T, D)` 的张量，`D` 是 `H` 的倍数。`look` 是一个函数，接受形状为 `(H, T, D/H)` 的张量（每个头手里的东西），返回同样形状的张量（每个头的所得）。返回并排放好的所得，形状 `(T, D)`。如果 `look = lambda h: h`，结果就是 `x` 本身；但只是形状凑巧对上，是不够的。


# %% key="heads" role="answer"
def heads(x, H, look):
    """Let H heads look, each in its own dimensions / 让 H 个头各看各的维."""
    ### BEGIN SOLUTION
    T, D = x.shape
    found = look(x.view(T, H, D // H).transpose(0, 1))  # (H, T, D/H)
    return found.transpose(0, 1).reshape(T, D)
    ### END SOLUTION


# %% key="test_heads" role="test" points=3
from course_lib.grading import check

check("13.heads", heads)
### BEGIN HIDDEN TESTS
check("13.heads", heads, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="sees-task" lang="en"
# ## 3. Who sees whom? (3 points)
#
# Somebody hands you a function that turns a text's vectors $x_0 \dots x_{T-1}$ into vectors
# $y_0 \dots y_{T-1}$. Is it causal? You cannot look inside. But the derivative of $y_i$ with respect to
# $x_j$ is 0 everywhere if $y_i$ does not see $x_j$. If $y_0 = x_0$, $y_1 = x_0 + x_1$ and
# $y_2 = 3 x_2$, the answer is
#
# $$S = \begin{pmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 0 & 0 & 1 \end{pmatrix}.$$
#
# Write `sees(f, x)`. `x` is a tensor of shape `(T, D)` and `f(x)` is one of shape `(T, D)`, too. Where answers are
# marked `f` takes plain tensors only: `torch.autograd` works, `torch.func` and `vectorize=True` do not.
# Return the `(T, T)` matrix with a 1 in row $i$ and column $j$ where some number of $y_i$ has a
# derivative other than 0 with respect to some number of $x_j$, and 0 elsewhere. Careful: derivatives
# of several outputs can cancel each other if they are added up first. (A layer norm without a learned scale does that: its
# outputs always have the same sum.)

# %% [markdown] key="sees-task" lang="zh" follows="d048fdf0"
# ## 3. 谁看得见谁？（3 分）
#
# 有人给你一个函数，把一段文本的向量 $x_0 \dots x_{T-1}$ 变成 $y_0 \dots y_{T-1}$。它有没有往后看？你看不到里面。但如果 $y_i$ 看不见 $x_j$，$y_i$ 对 $x_j$ 的导数就处处是 0。假设 $y_0 = x_0$，$y_1 = x_0 + x_1$，$y_2 = 3 x_2$，答案就是
#
# $$S = \begin{pmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 0 & 0 & 1 \end{pmatrix}$$
#
# 请写 `sees(f, x)`。`x` 是形状为 `(T, D)` 的张量，`f(x)` 的形状也是 `(T, D)`。评分时 `f` 只收普通的张量：`torch.autograd` 可以用，`torch.func` 和 `vectorize=True` 不行。返回 `(T, T)` 的矩阵：如果 $y_i$ 的某个数对 $x_j$ 的某个数的导数不为 0，第 $i$ 行第 $j$ 列就是 1，否则是 0。当心：几个输出先加起来再求导，导数可能互相抵消。（没有可学缩放的层归一化就会这样：它的输出之和永远不变。）


# %% key="sees" role="answer"
def sees(f, x):
    """Return which output depends on which input / 返回哪个输出依赖哪个输入."""
    ### BEGIN SOLUTION
    slopes = torch.autograd.functional.jacobian(f, x)  # (T, D, T, D)
    return (slopes != 0).any(dim=3).any(dim=1).int()
    ### END SOLUTION


# %% key="test_sees" role="test" points=3
from course_lib.grading import check

check("13.sees", sees)
### BEGIN HIDDEN TESTS
check("13.sees", sees, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="rows-task" lang="en"
# ## 4. Four tasks as rows (3 points)
#
# Words are numbers from 10 up. The special tokens: 1 begins a row (start), 2 stands between two texts
# (delimiter), 3 ends a row (extract), 0 is padding. GPT's four kinds of inputs:
#
# | kind | texts | rows |
# |---|---|---|
# | `"classification"` | one | 1 text 3 |
# | `"entailment"` | premise, hypothesis | 1 premise 2 hypothesis 3 |
# | `"similarity"` | two, without an order | both orders, the given one first |
# | `"choice"` | a question, then its answers | for each answer: 1 question 2 answer 3 |
#
# Write `rows(kind, texts)`. `texts` is a list of lists of numbers. Return the rows as a table
# of numbers, one row below the other, shorter ones padded *behind* with 0. Example:
# `rows("choice", [[10, 11], [12], [13, 14]])` is
#
# $$\begin{pmatrix} 1 & 10 & 11 & 2 & 12 & 3 & 0 \\ 1 & 10 & 11 & 2 & 13 & 14 & 3 \end{pmatrix}.$$

# %% [markdown] key="rows-task" lang="zh" follows="d29ce6c9"
# ## 4. 四类任务写成行（3 分）
#
# 词是从 10 起的数。特殊词元：1 开始一行（start），2 隔开两段文本（delimiter），3 结束一行（extract），0 是填充。GPT 的四类输入：
#
# | 类别 | 文本 | 行 |
# |---|---|---|
# | `"classification"` 分类 | 一段 | 1 文本 3 |
# | `"entailment"` 蕴含 | 前提、假设 | 1 前提 2 假设 3 |
# | `"similarity"` 相似 | 两段，不分先后 | 两种次序，给定的次序在前 |
# | `"choice"` 多项选择 | 问题，再是各个答案 | 每个答案一行：1 问题 2 答案 3 |
#
# 请写 `rows(kind, texts)`。`texts` 是列表，每项是一个数的列表。返回一张数表，一行接一行，短的在*后面*补 0。例如 `rows("choice", [[10, 11], [12], [13, 14]])` 是
#
# $$\begin{pmatrix} 1 & 10 & 11 & 2 & 12 & 3 & 0 \\ 1 & 10 & 11 & 2 & 13 & 14 & 3 \end{pmatrix}$$


# %% key="rows" role="answer"
def rows(kind, texts):
    """Write an example as rows of equal length / 把一个例子写成等长的行."""
    ### BEGIN SOLUTION
    first, *others = texts
    if kind == "classification":
        found = [[1, *first, 3]]
    else:
        found = [[1, *first, 2, *other, 3] for other in others]
    if kind == "similarity":
        found.append([1, *others[0], 2, *first, 3])
    longest = max(len(row) for row in found)
    return [row + [0] * (longest - len(row)) for row in found]
    ### END SOLUTION


# %% key="test_rows" role="test" points=3
from course_lib.grading import check

check("13.rows", rows)
### BEGIN HIDDEN TESTS
check("13.rows", rows, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="objective-task" lang="en"
# ## 5. The loss of fine-tuning (3 points)
#
# One row, $(1, 10, 3)$. The classifier gives the right class
# the probability 0.5: a loss of $\ln 2$. Beside it the language model predicted 10 after 1 with
# probability 0.25, and 3 after 10 with 0.5: a mean loss of $(2 \ln 2 + \ln 2)/2 = 1.5 \ln 2$. With
# $\lambda = 0.5$ the whole is $\ln 2 + 0.75 \ln 2 = 1.213$.
#
# Write `objective(scores, classes, predicted, rows, weight)`.
#
# * `scores`: tensor `(B, K)`, the classes' scores before the softmax; `classes`: the B right ones;
# * `predicted`: tensor `(B, T, V)`; at `[b, t]` stand the V scores, before the softmax, for the piece
#   that *follows* place $t$ of row $b$;
# * `rows`: tensor `(B, T)` of piece numbers, padded behind with 0; padding is never predicted;
# * `weight`: $\lambda$.
#
# Return $L_2 + \lambda L_1$ as losses: the mean of $-\ln p$ over the B classes, plus $\lambda$ times the mean of
# $-\ln p$ over all pieces of the batch that are predicted.

# %% [markdown] key="objective-task" lang="zh" follows="dedfa18e"
# ## 5. 微调的损失（3 分）
#
# 一行 $(1, 10, 3)$。分类器给正确类别的概率是 0.5：损失 $\ln 2$。同时，语言模型在 1 之后以概率 0.25 预测到 10，在 10 之后以概率 0.5 预测到 3：平均损失 $(2 \ln 2 + \ln 2)/2 = 1.5 \ln 2$。$\lambda = 0.5$ 时，总损失是 $\ln 2 + 0.75 \ln 2 = 1.213$。
#
# 请写 `objective(scores, classes, predicted, rows, weight)`。
#
# * `scores`：张量 `(B, K)`，各类别在 softmax 之前的分数；`classes`：B 个正确类别；
# * `predicted`：张量 `(B, T, V)`；`[b, t]` 处是 V 个 softmax 之前的分数，预测的是第 $b$ 行位置 $t$ *之后*的那个词片；
# * `rows`：张量 `(B, T)`，词片的编号，后面补 0；填充不算预测目标；
# * `weight`：$\lambda$。
#
# 返回 $L_2 + \lambda L_1$（写成损失）：B 个类别的 $-\ln p$ 的平均，加上 $\lambda$ 乘以这一批里所有被预测词片的 $-\ln p$ 的平均。


# %% key="objective" role="answer"
def objective(scores, classes, predicted, rows, weight):
    """Return the loss of a batch / 返回一批的损失."""
    ### BEGIN SOLUTION
    cross_entropy = torch.nn.functional.cross_entropy
    following = rows[:, 1:].flatten()
    guesses = predicted[:, :-1].flatten(0, 1)  # (B (T-1), V)
    auxiliary = cross_entropy(guesses, following, ignore_index=0)
    return cross_entropy(scores, classes) + weight * auxiliary
    ### END SOLUTION


# %% key="test_objective" role="test" points=3
from course_lib.grading import check

check("13.objective", objective)
### BEGIN HIDDEN TESTS
check("13.objective", objective, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="fifth-question" lang="en"
# ## 6. A fifth kind of task (written, 4 points)
#
# The paper writes four kinds of tasks as rows. Take two others: (a) which of two film reviews is the
# more favourable one; (b) which words of a sentence are names of places. For each say how you would write
# it for GPT, or why that is impossible. 100 to 200 words. Points:
#
# 1. **Rows of (a)** (1): which texts and special tokens stand in which order, and how many rows there are.
# 2. **What must hold in (a)** (1): what happens to the answer when the two reviews are exchanged, and how your
#    rows or your head ensure that.
# 3. **Where (b) reads its answer** (1): which vectors decide, and what one of them has not seen.
# 4. **What that costs (b)** (1): an example of a sentence in which it matters, and a remedy.

# %% [markdown] key="fifth-question" lang="zh" follows="1460ccb5"
# ## 6. 第五类任务（笔答，4 分）
#
# 论文把四类任务写成了行。再看两个任务：（a）两条影评，哪一条评价更高；（b）一句话里，哪些词是地名。分别说明你怎样为 GPT 写输入，或者为什么不能这样写。200 到 350 字。评分点：
#
# 1. **（a）的行**（1 分）：哪些文本和特殊词元，什么次序，一共几行。
# 2. **（a）必须满足什么**（1 分）：两条影评对调，答案应当怎样变；你的行或分类头怎样保证这一点。
# 3. **（b）从哪里读答案**（1 分）：由哪些向量决定，其中一个没有看过什么。
# 4. **（b）因此吃什么亏**（1 分）：举一句有影响的话，并提出一个补救办法。

# %% [markdown] key="fifth-answer" lang="en" role="written" points=4
# (a) Two rows, as for multiple choice: start, review A, delimiter, review B, extract; and the same with B
# first. When the reviews are exchanged the answer must be reversed: the probability that A is better becomes one
# minus itself. So I do not add the two vectors, as for similarity, which would make both orders equal, but
# give each row one score and take a softmax over the two: exchanging the reviews exchanges the scores. Simpler
# still: one row for each review alone, one score each, and a softmax. (b) Every word needs an answer, so a small
# layer sits on each piece's vector, at a word's last piece, and not on extract alone. But that vector has seen
# only what stands to the left. In “Jordan signed the contract” and “Jordan lies between two seas” the word comes first, and both
# have the same vector: place and person cannot be told apart. Remedies: write the sentence twice in a row, and read the answers
# in the second copy, which has seen everything; or use a model that looks both ways, as in lesson 14.

# %% [markdown] key="fifth-answer" lang="zh" follows="8d5a2c0e"
# （a）像多项选择那样写两行：开始、影评甲、分隔、影评乙、提取；再把乙放在前面写一行。两条对调，答案必须反过来：“甲更好”的概率变成一减原来的概率。所以不能像相似任务那样把两个向量相加，那样两种次序就没有区别了；应当每行给一个分数，两个分数做 softmax，影评对调，分数也就对调。更简单：每条影评单独一行，各得一个分数，再做 softmax。（b）每个词都要一个答案，所以在每个词最后一片的向量上各接一个小分类层，不只在提取标记上。但这个向量只看过左边。“长春是吉林省会”和“长春今天没来上课”，“长春”都在句首，两处的向量完全一样，分不出地名和人名。补救：把句子在一行里写两遍，到第二遍的位置上读答案，那时整句都已看过；或者换一个两边都看的模型，见第 14 课。

# %% [markdown] key="which-question" lang="en"
# ## 7. LSTM or Transformer? (written, 4 points)
#
# A small firm wants a language model that suggests the next word on a cheap phone. It has ten million words
# of text, and training may take one night on one processor. Which of the two would you try first, and how would
# you find out whether you were right? Use what you measured in lesson 13. 100 to 200 words. Points:
#
# 1. **A measure that both share** (1): in which unit the two are compared, and on which text.
# 2. **Equal what?** (1): parameters, text, or time; which of these matters to the firm, and why.
# 3. **The use** (1): what differs between predicting one word at a time on a phone and training in parallel; what
#    the length of the text does.
# 4. **A decision with its limits** (1): your choice, the number that would change your mind, and the seeds.

# %% [markdown] key="which-question" lang="zh" follows="0d065f07"
# ## 7. 用 LSTM 还是 Transformer？（笔答，4 分）
#
# 一家小公司想在便宜的手机上做“下一个词”的输入提示。他们有一千万词的文本，训练只能用一个处理器跑一夜。两种模型你先试哪一种？怎样知道自己选对了？请用第 13 课测得的东西来说明。200 到 350 字。评分点：
#
# 1. **共同的度量**（1 分）：用什么单位比，在什么文本上比。
# 2. **什么相等？**（1 分）：参数、文本还是时间；公司在乎哪一个，为什么。
# 3. **用起来怎样**（1 分）：手机上一次预测一个词，与并行训练有什么不同；文本长短有什么影响。
# 4. **有限度的决定**（1 分）：你的选择；什么样的数字会让你改主意；几个种子。

# %% [markdown] key="which-answer" lang="en" role="written" points=4
# The unit is bits per character on held-out messages of the firm's own users, so that it does not matter how
# either model cuts its words. Equal text says who learns more from a word; but text is not what is scarce here. The night is:
# I compare after equal hours of that processor, and, because the phone has little memory, at equal parameters. In
# training the Transformer computes all places of a window at once, and the LSTM must go step by step. On the
# phone that gain is gone: both produce one word at a time. The LSTM then needs one step from a
# state of fixed size; the Transformer looks at all earlier words, or at stored keys and values that grow with the
# text. Messages are short, far below 6D, so that this cost is small. I would begin with the LSTM: after
# equal time it had 0.09 bits fewer in lesson 13 (ten seeds), the nearest case. If five seeds on the firm's
# text give a difference whose interval contains 0, or the better one takes more than 50 ms a word on the phone, I take the
# faster one.

# %% [markdown] key="which-answer" lang="zh" follows="3849acaf"
# 比较的单位是每字符比特数，在公司自己用户的留出消息上测量，这样两个模型怎么切词都不影响比较。文本相等，比的是谁从每个词里学得多；可这里缺的不是文本，是那一夜时间。所以按同一处理器上相等的小时数来比；手机内存小，参数也要相等。训练时，Transformer 一窗的所有位置一起算，LSTM 只能一步一步来。到了手机上，这个好处没有了：两者都是一次出一个词。LSTM 从固定大小的状态走一步就行；Transformer 要看前面所有的词，或者存下随文本变长的键和值。消息很短，远小于 6D，这笔代价不大。我先试 LSTM：第 13 课里同样时间之后，它每字符少 0.09 比特（十个种子），那里最接近这里的情形。如果在公司的文本上跑五个种子，差值的区间跨零，或者较好的那个在手机上每词超过 50 毫秒，我就选快的那个。
