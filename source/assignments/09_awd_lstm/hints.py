"""Hints for assignment 09; course_lib.grading.hints explains the form."""

HINTS = {
    "09.weight_drop": """
What is thinned out, and how often are the coins tossed?

稀疏的是什么？硬币抛几次？

Before the loop: U times the coins of U's shape, divided by 1 - p. This same matrix
serves at every step. Without training there is no toss and no division. States and
inputs stay whole.

在循环之前：U 乘以同样形状的硬币，再除以 1 - p。每一步都用这同一个矩阵。不训练时不抛
也不除。状态和输入不动。

One unit, U = 0.6, p = 0.25. Coin 1: U' = 0.8; coin 0: U' = 0. With probability 3/4
the first: the mean is 0.75 · 0.8 = 0.6, U itself. With coin 0 the unit forgets its
past for the whole window, not only for one step.

一个单元，U = 0.6，p = 0.25。硬币为 1：U' = 0.8；为 0：U' = 0。前者概率 3/4，平均
0.75 · 0.8 = 0.6，正是 U。硬币为 0 时，这个单元在整个窗口里都记不得过去，不只是一
步。
""",
    "09.locked": """
Which of the three axes shares its coins?

三个轴里，哪个轴共用硬币？

Toss coins of shape (B, 1, D): the axis of length 1 is stretched over all steps by
broadcasting. Divide what stays by 1 - p. If training is false, nothing is changed.

抛形状为 (B, 1, D) 的硬币：长度为 1 的轴会自动铺到所有时间步上。留下的除以 1 - p。不
训练时原样返回。

One text, steps (1, 1), (2, 2), (3, 3), coins 0 1, p = 0.5: (0, 2), (0, 4), (0, 6).
The first feature is gone at every step. With a toss for each step, the network could
read it one step later: much less would be dropped.

一段文本，三步 (1, 1)、(2, 2)、(3, 3)，硬币 0 1，p = 0.5：(0, 2)、(0, 4)、(0, 6)。第
一个特征每一步都没有。要是每步另抛一次，网络晚一步就读到了，丢得其实很少。
""",
    "09.windows": """
Keep one number in mind while you go: how many tokens are left.

一边走一边记住一个数：还剩多少个词。

For window k: m is bptt, or half of it if u[k] is above 0.95; round(m + 5 z[k]); then
at least 5; then at most what is left, in this order. The share of the rate is the
length over bptt, also for a short window. Stop when nothing is left.

第 k 个窗口：m 是 bptt，u[k] 大于 0.95 时取一半；算 round(m + 5 z[k])；先保证不小于
5，再不超过剩下的，次序不能换。学习率的倍数是长度除以 bptt，短窗口也一样。没有剩余就
停。

12 tokens, bptt 10, z = -0.6, -2, …, no u above 0.95. First: 10 - 3 = 7, 5 are left.
Second: 10 - 10 = 0, at least 5, at most 5: 5. Rows (7, 0.7), (5, 0.5). Had there been
11 tokens, the last window would have 4: what is left wins over the least of 5.

12 个词，bptt 是 10，z = -0.6、-2、……，u 都不超过 0.95。第一个：10 - 3 = 7，剩 5。第
二个：10 - 10 = 0，至少 5，至多 5：5。各行是 (7, 0.7)、(5, 0.5)。要是一共 11 个词，
最后一个窗口就只有 4：先保证 5，再受剩余限制。
""",
    "09.penalty": """
Two means of squares: one of outputs after dropout, one of differences before dropout.

两个平方的平均：一个是 dropout 之后的输出，一个是 dropout 之前的差。

AR: the mean of (m · h)², dropped zeros counting in the mean. TAR: the mean of (h at
t+1 minus h at t)², one step fewer than h has; if there is no difference at all, 0.
Each times its factor.

AR：(m · h)² 的平均，被丢的零也算在个数里。TAR：(t+1 步的 h 减 t 步的 h)² 的平均，比
h 少一步；一个差都没有时为 0。各乘各的系数。

h: (1, 3), (2, 3); mask (0, 2). m · h: 0 6, 0 6: squares 0, 36, 0, 36, mean 18.
Differences (1, 0): squares 1, 0, mean 0.5. With α = 1, β = 2: 18 + 1 = 19. TAR of the
masked outputs would be 0: the mask would hide the jump.

h 是 (1, 3)、(2, 3)；掩码 (0, 2)。m · h：0 6、0 6，平方 0、36、0、36，平均 18。差是
(1, 0)，平方 1、0，平均 0.5。α = 1，β = 2：18 + 1 = 19。要是对掩码后的输出求 TAR，会
得 0：掩码把跳变遮住了。
""",
    "09.nt_average": """
Which losses may check t look back at? Write down the list for n = 2 and t = 0, 1, 2,
3, 4.

第 t 次检查可以回头看哪些损失？取 n = 2，写出 t = 0、1、2、3、4 时的列表。

With checks counted from 0, those before t - n: losses[:t - n], nothing as long as t
is n or less. At the first t whose loss is above the best of them, average from row
every · (t + 1) - 1 to the end. No such t: the last row.

检查从 0 数起，是 t - n 之前的：losses[:t - n]，t 不超过 n 时一个也没有。第一个损失
高于其中最好值的 t，就从第 every · (t + 1) - 1 行平均到最后。没有这样的 t：返回最后
一行。

n = 1, every = 1, losses 3, 5, 4, 2, weights 10, 20, 30, 40. t = 0 and 1: nothing to
look back at. t = 2: 4 against [3]: worse, begin: rows 2 to 3, (30 + 40)/2 = 35. That
5 was worse than 3 did not count: too near. The last loss, the best of all, changes
nothing any more.

n = 1，every = 1，损失 3、5、4、2，权重 10、20、30、40。t = 0 和 1：没有可回头看的。
t = 2：4 对 [3]，更差，开始：第 2 到 3 行，(30 + 40)/2 = 35。5 比 3 差不算：离得太
近。最后那个损失虽然最好，也不再改变什么。
""",
}
