"""Hints for assignment 16; course_lib.grading.hints explains the form."""

HINTS = {
    "16.gap": """
Which rows belong to a side? Three columns decide. And which row of the other side
belongs to a row? One column decides.

一行属不属于某一侧，看三列；它和另一侧的哪一行是一对，看一列。

Make a dictionary from seed to value for each side. The differences are those of the
seeds that are in both. If old is a number, it stands for every seed of new. Then mean
and stats.sem; the quantile is stats.t.ppf(0.975, n - 1).

给每一侧做一个从种子到数值的字典。两边都有的种子，各求一个差。old 是一个数的话，new
的每个种子都同它比。然后是平均和 stats.sem；分位数是 stats.t.ppf(0.975, n - 1)。

New: {1: 5, 2: 9, 4: 8}, old: {2: 6, 1: 3, 3: 7}. Both have seeds 1 and 2: differences
2 and 3, mean 2.5, n = 2. s over the root of n is 0.5, the quantile 12.706: from -3.85
to 8.85. Pairing by place would give -1, 6 and 1.

new：{1: 5, 2: 9, 4: 8}，old：{2: 6, 1: 3, 3: 7}。两边都有种子 1 和 2：差是 2 和 3，平均
2.5，n = 2。s 除以根号 n 是 0.5，分位数 12.706：从 -3.85 到 8.85。要是按位置配对，
就成了 -1、6、1。
""",
    "16.outcome": """
Two questions are asked of each comparison, and each gives a p value. Which question is
about 0, and which about what would matter?

对每个比较问两个问题，每个问题得到一个 p 值。哪个问的是 0，哪个问的是“算数的效应”？

stats.ttest_1samp(d, 0).pvalue answers the first. The second is the larger one of two
one-sided tests: alternative="greater" against -of_interest, "less" against
of_interest. Correct each list of p values as a whole. Only then count.

第一个用 stats.ttest_1samp(d, 0).pvalue。第二个取两个单侧检验里较大的 p：
对 -of_interest 用 alternative="greater"，对 of_interest 用 "less"。两列 p 值各自作为
整体校正，然后再数个数。

Holm for p = 0.03, 0.01, 0.04: the smallest, 0.01, times 3 is 0.03; the next, 0.03,
times 2 is 0.06; the last, 0.04, times 1 would be 0.04, but may not be smaller than
0.06. So one is significant of three: with a mean above 0 that is “mixed”.

Holm：p = 0.03、0.01、0.04。最小的 0.01 乘 3 是 0.03；下一个 0.03 乘 2 是 0.06；
最后的 0.04 乘 1 是 0.04，但不能比 0.06 小，所以也是 0.06。三个里一个显著：平均大于
0 的话，就是 mixed。
""",
    "16.flips": """
What do you have to compare with what? The rule is called once with everything, and then
once for each seed.

拿什么同什么比？规则先用全部记录调用一次，再为每个种子各调用一次。

The different seeds come from the rows; sort them. For each one, make a list of the
rows of all *other* seeds and call rule with it. Keep the seed if the word is another.

从记录里取出不同的种子，排好。对每个种子，做一个列表，里面是*其余*种子的记录，拿去
调用 rule。返回的词不同，就留下这个种子。

Three seeds, differences 1.0, 1.1, -0.1; rule: the word "up" if the mean is above 0.5,
else "down". With all: mean 0.67, up. Without seed 1: 0.5, down; without seed 2: 0.45,
down; without seed 3: 1.05, up. Answer: [1, 2].

三个种子，差是 1.0、1.1、-0.1；规则：平均大于 0.5 就是 "up"，否则 "down"。全部：平均
0.67，up。去掉种子 1：0.5，down；去掉种子 2：0.45，down；去掉种子 3：1.05，up。答案
[1, 2]。
""",
    "16.ledger_check": """
Before any computing, write each claim down as a list of pairs (new, old). The rest is
the same for all six.

先不要算。把每个说法写成一列 (new, old)。剩下的事，六个说法都一样。

The table's third column tells which side is above which, its fourth what would matter;
the names of metrics, models and conditions stand in ledger[experiment]. Make the list
of differences of each pair, seed by seed, and call outcome once for all of them. The
rows to cite are those of the sides in your list of pairs.

表的第三列说了哪一侧高于哪一侧，第四列是算数的效应；指标、模型、条件的名字，看
ledger[experiment]。每一对逐个种子求差，得到一个列表；全部列表一起，调用一次 outcome。
要引的记录，就是这些对里各侧的记录。

A claim “the biLM is above the table in both texts”: pairs (biLM t1, table t1), (biLM
t2, table t2). Four sides: 4 times 10 rows are cited. A seed that one side lacks has
no difference.

假如说法是“biLM 在两份文本上都高于词表”：两对是 (biLM t1, 词表 t1)、(biLM t2, 词表 t2)。
一共四侧，引 4 乘 10 行。只有一侧有的种子，没有差。
""",
    "16.paper_check": """
Put the rows into a form in which you can ask: what is in this row, in this column?

先把这些行换一种样子，好让你能问：这一行、这一列是多少？

A dictionary with (paper, row, column) as keys does it. From table 1 make three lists in
the same order of tasks. Points are new - baseline; the share of errors divides them by
100 - baseline; the rise of the score divides them by the baseline.

用 (paper, row, column) 当键做一个字典就行。从表 1 取出三列数，任务的次序一致。点数是
new - baseline；错误减少的比例，要除以 100 - baseline；成绩涨了几成，要除以 baseline。

Baseline 80, with ELMo 85, best before 84. Points 5; share of errors 5/20 = 0.25; rise
5/80 = 0.0625. “Up to 25 %” is true of the errors and not of the score: imprecise. The
baseline is below the best before (80 < 84): it was not the best model.

基线 80，加 ELMo 后 85，此前最好 84。点数 5；错误减少的比例 5/20 = 0.25；成绩涨了 5/80
= 0.0625。“最高 25%”对错误成立，对成绩不成立：imprecise。基线低于此前最好的（80 <
84）：它并不是最好的模型。
""",
}
