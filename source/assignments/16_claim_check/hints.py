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
    "16.verdict": """
The means are not asked for. Which three things does the rule want to know of each
comparison?

规则用不着平均值。每个比较，它要知道的是哪三件事？

Is the low end above 0; is the high end below 0; are there fewer seeds than enough? Then
go down the list in its order: it matters that untested comes first.

低端大于 0 吗？高端小于 0 吗？种子不到 enough 吗？然后照列出的次序往下走：untested 排在
第一，这很要紧。

enough = 5. Intervals (0.1, 0.3), (-0.2, 0.4), 6 seeds each: one above, one undecided:
overstated. The same with 6 and 4 seeds: untested, although one is above and 6 + 4 = 10.
(-0.2, 0.4) and (-0.5, 0.1): nothing is decided: untested, not wrong.

enough = 5。区间 (0.1, 0.3) 和 (-0.2, 0.4)，各 6 个种子：一个高于，一个未定，
overstated。同样的区间，种子是 6 个和 4 个：untested，尽管有一个高于，6 + 4 = 10。
(-0.2, 0.4) 和 (-0.5, 0.1)：什么也定不下来，是 untested，不是 wrong。
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

The table's third column tells which side is above which; the names of metrics, models
and conditions stand in ledger[experiment]. A line is a number in place of a side. Call
gap for each pair and verdict for all. The rows to cite are those of the sides in your
list of pairs.

表的第三列说了哪一侧高于哪一侧；指标、模型、条件的名字，看 ledger[experiment]。一条
线，就是在该写一侧的地方写一个数。每一对调用 gap，最后一起调用 verdict。要引的记录，
就是这些对里各侧的记录。

A claim “the biLM is above 0.6 in both texts, and above the table in one”: pairs (biLM
t1, 0.6), (biLM t2, 0.6), (biLM t1, table t1). Three sides: 3 times 5 rows are cited.
Lower is better? Then “A is better than B” is the pair (B, A), not (A, B).

假如说法是“biLM 在两份文本上都高于 0.6，在第一份上还高于词表”：三对是 (biLM t1, 0.6)、
(biLM t2, 0.6)、(biLM t1, 词表 t1)。一共三侧，引 3 乘 5 行。指标越低越好呢？那么“A 比
B 好”要写成 (B, A)，不是 (A, B)。
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
5/80 = 0.0625. “Up to 25 %” is true of the errors and not of the score: overstated. The
baseline is below the best before (80 < 84): it was not the best model.

基线 80，加 ELMo 后 85，此前最好 84。点数 5；错误减少的比例 5/20 = 0.25；成绩涨了 5/80
= 0.0625。“最高 25%”对错误成立，对成绩不成立：overstated。基线低于此前最好的（80 <
84）：它并不是最好的模型。
""",
}
