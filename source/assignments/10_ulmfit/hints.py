"""Hints for assignment 10; course_lib.grading.hints explains the form."""

HINTS = {
    "10.stlr": """
Three numbers tell what a step does: t, cut and p. Compute p for t = 0, t = cut and
the last step by hand.

一步怎么走，看三个数：t、cut 和 p。先手算 t = 0、t = cut 和最后一步的 p。

cut is a whole number, rounded down. Up: p = t / cut. Down: 1 minus the steps since
the peak over cut · (1/cut_frac - 1). p = 0 gives eta_max / ratio, p = 1 gives
eta_max. Leave p below 0 as the formula has it.

cut 是向下取整的整数。上升：p = t / cut。下降：1 减去离峰值的步数除以 cut ·
(1/cut_frac - 1)。p = 0 得 eta_max / ratio，p = 1 得 eta_max。公式算出负的 p 也照
用。

Ten steps, cut_frac 0.2, ratio 5, eta_max 1: cut = 2. p: 0, 1/2, then at the peak 1,
and down over 2 · (5 - 1) = 8 steps: 7/8, 6/8, …, 1/8. Rates (1 + 4p)/5: 0.2, 0.6, 1,
0.9, 0.8, …, 0.3. The triangle leans to the left: 2 steps up, 8 down.

十步，cut_frac 0.2，ratio 5，eta_max 1：cut = 2。p 依次是 0、1/2，到峰值 1，再用 2 ·
(5 - 1) = 8 步下降：7/8、6/8、……、1/8。学习率 (1 + 4p)/5：0.2、0.6、1、0.9、
0.8、……、0.3。三角形向左斜：升两步，降八步。
""",
    "10.rates": """
Give each name the number of its floor, from the head down. What is the floor of the
highest LSTM, and of the words?

给每个名字编个楼层，从分类头往下数。最高的 LSTM 在第几层？词向量呢？

The head is 0 floors down, the highest LSTM 1, the next one 2, the words one below the
lowest LSTM. The rate is eta divided by factor to the power of the floor. How many
LSTMs there are must be read from the names; compare their numbers as numbers, not as
text.

分类头低 0 层，最高的 LSTM 低 1 层，再下一个低 2 层，词向量在最低的 LSTM 之下。学习
率是 eta 除以 factor 的层数次方。有几个 LSTM 要从名字里看出来；编号要按数字比，不要
按文字比。

Names with lstms.0, lstms.1 and lstms.2, eta 8, factor 2: head 8, LSTM 2 4, LSTM 1 2,
LSTM 0 1, the words 0.5. encoder.bias belongs to the words: 0.5, too. With eleven
LSTMs, number 10 is the highest, although as a text "10" comes before "2".

名字里有 lstms.0、lstms.1、lstms.2，eta 是 8，factor 是 2：分类头 8，LSTM 2 是 4，
LSTM 1 是 2，LSTM 0 是 1，词向量 0.5。encoder.bias 也属于词向量，0.5。要是有十一个
LSTM，10 号最高，虽然按文字排 "10" 在 "2" 前面。
""",
    "10.unfreeze": """
Two lists must agree in every epoch: the layers that want gradients, and the
parameters that the optimiser knows.

每一轮有两份名单必须一致：哪些层要梯度，优化器认识哪些参数。

Keep a copy of all parameters first. Give the optimiser all of them from the start, or
add each layer when it thaws. In epoch e the highest e + 1 layers require gradients.
Clear old gradients before each step: otherwise a layer takes a step along leftovers.

先把所有参数复制一份。要么一开始就把全部参数交给优化器，要么解冻一层添一层。第 e
轮，最高的 e + 1 层要梯度。每步之前清掉旧梯度，否则会沿着残留的梯度走。

Three layers, four epochs. Learning are: epoch 0 layer 2; epoch 1 layers 1, 2; epoch 2
layers 0, 1, 2; epoch 3 the same. So layer 2 takes four steps, layer 0 two. A layer's
way: weights moved by (0.3, 0), the bias by 0.4: the root of 0.09 + 0.16 is 0.5,
measured from the copy, not from step to step.

三层，四轮。在学的：第 0 轮是层 2；第 1 轮是层 1、2；第 2 轮是层 0、1、2；第 3 轮一
样。所以层 2 走四步，层 0 走两步。一层的路程：权重动了 (0.3, 0)，偏置动了 0.4，0.09
+ 0.16 开方是 0.5；跟最初的副本比，不是一步步累加。
""",
    "10.pool": """
Three parts of E numbers each. Ask of each one: can the padding come into it?

三部分，每部分 E 个数。对每一部分都问：填充会不会混进来？

Make a mask: places < lengths. Last: the output at place lengths - 1 of each document.
Highest: put minus infinity where the padding is, then the maximum; 0 would win over
negative outputs. Mean: put 0 there, add up, and divide by the length, not by T.

先做掩码：位置 < 长度。最后：每个文档在 lengths - 1 处的输出。最大：填充处放负无穷再
取最大；放 0 会压过负的输出。平均：填充处放 0，求和，除以长度，不是除以 T。

A document of two words, outputs -3 and -1, and two places of padding, 7 and 0. Last
-1, highest -1, mean -2. Common slips: the last place of the row gives 0; the maximum
with the padding 7, with zeros 0; the mean over four places -1.

一个两词的文档，输出 -3 和 -1，后面两个填充 7 和 0。最后 -1，最大 -1，平均 -2。常见
的错：取整行最后一个，得 0；最大值带上填充得 7，填零得 0；除以四个位置，平均成了
-1。
""",
    "10.effects": """
Each of the six numbers is a mean of four runs minus a mean of four others. Which
four?

六个数都是“四次的平均减另外四次的平均”。是哪四次？

Main effect: index 1 minus index 0 along the technique's own axis, averaged over the
other two. Interaction of two: average over the third axis first; in the table of four
that is left, (both + neither - only one - only the other) / 2.

主效应：沿这种技术自己的轴，下标 1 减下标 0，对另外两个轴求平均。两种的交互作用：先
对第三个轴求平均；剩下的四格里，（都用 + 都不用 - 只用一种 - 只用另一种）/ 2。

A table of two techniques, already averaged over the third: neither 10, only A 12,
only B 13, both 19. Effect of A: (12 + 19)/2 - (10 + 13)/2 = 4. A alone brings 2,
beside B 6: interaction (6 - 2)/2 = 2. The same by the cells: (19 + 10 - 12 - 13)/2 =
2.

两种技术的表，已对第三种求过平均：都不用 10，只用 A 12，只用 B 13，都用 19。A 的效
应：(12 + 19)/2 - (10 + 13)/2 = 4。单用 A 提高 2，有 B 时提高 6：交互作用 (6 - 2)/2
= 2。按格子算也一样：(19 + 10 - 12 - 13)/2 = 2。
""",
}
