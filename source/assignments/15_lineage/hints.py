"""Hints for assignment 15; course_lib.grading.hints explains the form."""

HINTS = {
    "15.cbow": """
From words one table, for answers the other one. Which step makes the order of the
window disappear?

查邻居用一张表，查答案用另一张。是哪一步让窗口里的次序消失的？

Take the rows of the context words from words, a repeated word repeatedly; their mean
is c. Scores: answers times c. Softmax over all V scores.

从 words 里取上下文各词的行，重复的词重复取；平均就是 c。分数是 answers 乘 c。对全部
V 个分数做 softmax。

One dimension: words 1, 4, answers 0, ln 2 / 3. Context 0, 1, 1: c = (1 + 4 + 4)/3 =
3. Scores 0 and ln 2; e to them: 1 and 2; probabilities 1/3 and 2/3. As a set the
context would be 0, 1, and c = 2.5. The sum instead of the mean would give 9.

一维：words 是 1、4，answers 是 0、ln 2 / 3。上下文 0、1、1：c = (1 + 4 + 4)/3 = 3。
分数 0 和 ln 2，取指数得 1 和 2，概率 1/3 和 2/3。要是去掉重复，上下文成了 0、1，c =
2.5。要是求和不求平均，就成了 9。
""",
    "15.product": """
Three arrays of the same length: what is done word by word, and what once, for all?

三个等长的数组：哪些事逐词做，哪一件最后对全体做？

Word by word: left times right, divided by alone. What comes out does not add up to 1
yet; divide by its sum.

逐词：left 乘 right，除以 alone。得到的数加起来还不是 1，要除以它们的和。

Two words, alone 0.8 and 0.2; left 0.8, 0.2, right 0.8, 0.2: neither side knows more
than the frequency. Fractions 0.8 and 0.2: the answer is the frequency, as it should
be. Without the division it would be 0.64 to 0.04, 0.94 and 0.06: the frequent word
counted twice.

两个词，alone 是 0.8 和 0.2；left 和 right 也都是 0.8、0.2：两侧知道的都不比词频多。
分数是 0.8 和 0.2，答案就是词频，正该如此。不除的话是 0.64 比 0.04，即 0.94 和
0.06：常见的词算了两遍。
""",
    "15.optimum": """
What does a reader who sees only the left cue add up, before it bets?

只看左线索的读取器，在下注之前把什么加在一起？

Add up the axis that it does not see; then, for each cue that it does see, take the
likelier class; then add up over the cues. Adding up comes before the maximum for what
is not seen, after it for what is.

先把它看不见的轴加掉；再对它看得见的每种线索取更可能的类别；最后对线索求和。看不见
的，先加后取最大；看得见的，先取最大后加。

Class 0: 0.4 with (left 0, right 0), 0.1 with (0, 1). Class 1: 0.3 with (0, 1), 0.2
with (1, 0). Left reader: left 0: class 0 has 0.5, class 1 has 0.3; left 1: 0 and 0.2:
0.7. Right reader: right 0: 0.4 or 0.2; right 1: 0.1 or 0.3: 0.7. Both: 0.4 + 0.3 +
0.2 = 0.9.

类别 0：（左 0，右 0）0.4，(0, 1) 0.1。类别 1：(0, 1) 0.3，(1, 0) 0.2。只看左：左 0
时类别 0 有 0.5，类别 1 有 0.3；左 1 时是 0 和 0.2：合计 0.7。只看右：右 0 时 0.4 或
0.2，右 1 时 0.1 或 0.3：0.7。都看：0.4 + 0.3 + 0.2 = 0.9。
""",
    "15.gain": """
Two numbers of the same draw belong together. Make one list of n numbers out of two.

同一次抽取的两个数是一对。先把两个列表变成一个。

Differences, their mean, and their standard deviation with n - 1 below. Half the
interval is the 0.975 quantile of t with n - 1 degrees of freedom, times s over the
root of n. stats.sem gives s over the root of n.

求差、差的平均，以及分母为 n - 1 的标准差。区间的一半是自由度 n - 1 的 t 分布的
0.975 分位数，乘以 s 除以根号 n。stats.sem 给出的就是 s 除以根号 n。

Differences 1, 2, 3: mean 2, s² = (1 + 0 + 1)/2 = 1, s over the root of 3 is 0.577.
The quantile with 2 degrees of freedom is 4.303: 2 ± 2.48, from -0.48 to 4.48. Three
draws are few: with 1.96 (a normal distribution) it would seem to lie above 0, 2 ±
1.13.

差是 1、2、3：平均 2，s² = (1 + 0 + 1)/2 = 1，s 除以根号 3 是 0.577。自由度 2 的分位
数是 4.303：2 ± 2.48，从 -0.48 到 4.48。三次太少：要是用 1.96（正态分布），2 ±
1.13，看上去就大于 0 了。
""",
    "15.audit": """
Read the log once and write down for each of the two tested methods: which seeds, with
which labelled set, in which order.

把日志读一遍，给两个被测的方法各记下：用了哪些种子、哪个标注集、什么次序。

Which method is the chosen one, the entry "choose" says; where the first test stands,
its index. Seeds are counted as different ones. Rule 2 compares two tables {seed:
labels}. Each rule is judged for itself, and 1 means broken.

哪个方法被选中，看 "choose" 那一条；第一次测试在哪里，看它的下标。种子数的是不同的种
子。第 2 条比较两张表 {种子: 标注集}。每条规则各判各的，1 表示违反。

Tests of mine: seeds 0 1 2 3 3, of TF-IDF: 0 1 2 3 4. Seeds: mine has four different
ones: broken. Paired: the sets of seeds differ: broken. Once: mine with seed 3 twice:
broken. The choice stood before the first test, and no run was too slow: kept. 1, 1,
0, 1, 0.

我的方法测了种子 0 1 2 3 3，TF-IDF 测了 0 1 2 3 4。种子：我的只有四个不同的，违反。
配对：两边种子不同，违反。一次：我的种子 3 测了两次，违反。选定在第一次测试之前，也
没有一次超时：守住了。结果 1、1、0、1、0。
""",
}
