"""Hints for assignment 00; course_lib.grading.hints explains the form."""

HINTS = {
    "00.error_reduction": """
Count errors, not right answers: how many were there before, how many are left?

数错误，别数对的：原来有多少错误，现在还剩多少？

The denominator is what the old system got wrong, 100 - old. The numerator is how much
of that is gone. The result is a percentage.

分母是旧系统答错的部分，即 100 - old；分子是其中消失了多少。结果用百分数表示。

Of 100 questions 60 were right, now 70. There were 40 errors, 30 are left: 10 of 40
are gone, 25 %. From 90 to 95 only 5 are gone, but of 10: 50 %. If 60 becomes 50, the
errors grow from 40 to 50, and the result is -25 %.

一百道题，原来对 60 道，现在对 70 道。错误从 40 道变成 30 道，40 道里少了 10 道，即
25 %。从 90 到 95 只少了 5 道，但原来一共才 10 道：50 %。如果从 60 降到 50，错误从
40 涨到 50，结果就是 -25 %。
""",
    "00.majority_accuracy": """
Two lists, two jobs: one decides what to say, the other one decides whether it was
right.

两个列表各有分工：一个决定说什么，另一个决定说得对不对。

Find the most frequent label of train only. Then count how often exactly this label
stands in test, and divide by the length of test.

只在 train 里找最常见的标签，再数这个标签在 test 里出现了几次，除以 test 的长度。

Train: cat, cat, dog. So we always say cat. Test: dog, cat, dog, dog, dog: one in five
is right, 20 %. That dog is more frequent in the test does not help: whoever says cat
has not seen the test. Test without any cat: 0 %.

训练集：猫、猫、狗，于是一律说“猫”。测试集：狗、猫、狗、狗、狗，五次里对一次，20 %。
测试集里狗更多也没用：说“猫”的人没见过测试集。测试集里要是一只猫都没有，就是 0 %。
""",
    "00.paired_interval": """
In each round draw numbers of items, not scores: which item a has, b has, too.

每一轮抽的是题号，不是得分：a 取哪道题，b 也取哪道题。

rng.integers draws n item numbers with replacement. With them pick from both arrays,
take the difference of the two means, and keep it. In the end ask for the 2.5 % and
97.5 % quantiles of all the differences.

用 rng.integers 有放回地抽 n 个题号，在两个数组里都取这些题，求两个平均之差，记下
来。最后求所有差的 2.5 % 和 97.5 % 分位数。

Three items, a = 1 0 1, b = 1 1 0. A round draws the items 1, 1, 2 (counted from 0): a
has 0 0 1, b has 1 1 0, the difference is 2/3 - 1/3 = 1/3. Another one draws 0, 1, 2:
difference 0. After 10,000 rounds sort the differences: 250 lie below low, 250 above
high. If a and b were drawn separately, two equal systems would seem to differ.

三道题，a = 1 0 1，b = 1 1 0。某一轮抽到题号 1、1、2（从 0 数起）：a 得 0 0 1，b 得
1 1 0，差是 2/3 - 1/3 = 1/3。另一轮抽到 0、1、2：差是 0。一万轮之后把差排好序：有
250 个在 low 以下，250 个在 high 以上。如果 a 和 b 分开抽，两个完全相同的系统看上去
也会有差别。
""",
    "00.data_multiplier": """
Split the task: write first a function that says, for one curve, with how many labels
it reaches the score.

先拆开：写一个函数，只管一条曲线，问它用多少标注能达到这个分数。

Look for the first two neighbouring points between which the score lies. The place
between them is a straight line in the logarithm of the labels. What if the first
point is already above the score, or no point reaches it?

找出分数落在哪两个相邻点之间，取最先出现的那一段。段内按标注数的对数作直线插值。想一
想：第一个点就已经超过怎么办？哪个点都达不到怎么办？

A curve goes from 100 labels (50 points) to 10,000 (90 points). A score of 60 is a
quarter of the way up. A quarter of the way from log 100 to log 10,000 is, with
logarithms to base 10, 2 + 2/4 = 2.5, so 10 to the power of 2.5, about 316 labels. If
the other curve reaches 60 with 31.6 labels, the multiplier is 10.

一条曲线从 100 个标注（50 分）升到 10,000 个（90 分）。60 分在上升途中的四分之一处。
以 10 为底，从 log 100 到 log 10,000 的四分之一是 2 + 2/4 = 2.5，即 10 的 2.5 次方，
约 316 个标注。如果另一条曲线用 31.6 个就到 60 分，倍数就是 10。
""",
}
