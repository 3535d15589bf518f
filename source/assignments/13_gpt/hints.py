"""Hints for assignment 13; course_lib.grading.hints explains the form."""

HINTS = {
    "13.attend": """
Before the softmax, which scores must be made impossible?

softmax 之前，哪些分数必须变成“不可能”？

Scores: q times k transposed, divided by the root of d, the last dimension of q. Above
the diagonal (column > row) minus infinity; then the softmax along the columns; then
times v. The same for each head: the first axis is only carried along.

分数：q 乘 k 的转置，除以 d 的平方根，d 是 q 的最后一维。对角线以上（列 > 行）设成负
无穷，再沿列做 softmax，再乘 v。每个头都一样：第一个轴只是带着走。

Three places with equal scores. Row 0 has the weights 1, 0, 0; row 1 has 1/2, 1/2, 0;
row 2 has 1/3, 1/3, 1/3. With the values 6, 0, 3 the places find 6, 3, 3. Zeros in
place of minus infinity would not forbid anything: e to the 0 is 1.

三个位置，分数都相等。第 0 行的权重是 1、0、0；第 1 行 1/2、1/2、0；第 2 行 1/3、
1/3、1/3。值是 6、0、3，各位置得到 6、3、3。用 0 代替负无穷等于没有禁止：e 的 0 次方
是 1。
""",
    "13.heads": """
Which axis is cut into heads: the places or the numbers of a place?

切成头的是哪个轴：位置，还是一个位置里的数？

Split the last axis: (T, D) to (T, H, D/H); then bring the heads to the front, (H, T,
D/H), by exchanging two axes, not by reshaping. After look go the same way back:
exchange first, then join.

切最后一个轴：(T, D) 变成 (T, H, D/H)；再把头换到最前面，(H, T, D/H)，要交换两个轴，
不能靠 reshape。look 之后原路返回：先换轴，再合并。

Rows 1 2 3 4 and 5 6 7 8, two heads. Head 0 has (1 2), (5 6), head 1 has (3 4), (7 8).
A reshape of (2, 4) straight to (2, 2, 2) gives head 0 (1 2), (3 4): two halves of one
place instead of two places. With look = identity both come back right, so that test
alone does not tell them apart.

两行 1 2 3 4 和 5 6 7 8，两个头。头 0 是 (1 2)、(5 6)，头 1 是 (3 4)、(7 8)。要是把
(2, 4) 直接 reshape 成 (2, 2, 2)，头 0 就成了 (1 2)、(3 4)：是一个位置的两半，不是两
个位置。look 是恒等函数时两种都能还原，光靠它区分不出来。
""",
    "13.sees": """
Ask each single number of the output for its own derivatives, before anything is added
up.

先问输出里每一个数各自的导数，再做任何求和。

The Jacobian of f at x has shape (T, D, T, D): output place, output number, input
place, input number. Is any entry other than 0 in the D by D block of (i, j)?
torch.autograd.functional.jacobian makes it.

f 在 x 处的雅可比矩阵形状是 (T, D, T, D)：输出位置、输出的数、输入位置、输入的数。
(i, j) 那一块 D × D 里有没有不为 0 的？torch.autograd.functional.jacobian 可以算出
来。

y_0 has two numbers, x_1's first number and minus x_1's first number. Their sum is
always 0, its derivative, too: the sum says "does not see". One by one the derivatives
are 1 and -1: it does see. The sign does not matter either, so look for "not 0", not
for "above 0".

y_0 有两个数：x_1 的第一个数，和它的相反数。和恒为 0，导数也是 0，看和会以为“没看
见”。逐个看，导数是 1 和 -1：看见了。正负也无所谓，所以要问“是否不为 0”，不是“是否大
于 0”。
""",
    "13.rows": """
Write the rows of each kind on paper first, without padding. How many rows has each
kind?

先在纸上写出每种任务的行，不填充。各有几行？

Classification has one row and no delimiter, entailment one with a delimiter,
similarity two (the second with the texts exchanged), choice one for each answer. Then
find the longest row, and pad the others behind.

分类一行，没有分隔标记；蕴含一行，有分隔；相似度两行（第二行两个文本对调）；选择题每
个答案一行。最后找出最长的行，其余在后面补 0。

Similarity of [10] and [20, 21]: 1 10 2 20 21 3 and 1 20 21 2 10 3; equal lengths.
Choice with the question [10] and answers [11], [12, 13, 14]: 1 10 2 11 3 0 0 and 1 10
2 12 13 14 3: the question is repeated, the answers never meet.

[10] 和 [20, 21] 的相似度：1 10 2 20 21 3 和 1 20 21 2 10 3，长度相等。选择题，问题
[10]，答案 [11]、[12, 13, 14]：1 10 2 11 3 0 0 和 1 10 2 12 13 14 3。问题重复写，答
案互不见面。
""",
    "13.objective": """
At place t stands a prediction. For which piece is it?

位置 t 上有一个预测。它预测的是哪个词片？

Predictions 0 … T-2 belong to the pieces 1 … T-1 of the same row; the prediction at
the last place belongs to nothing. Leave out the places whose piece is 0. One mean
over all remaining pieces of the batch, times λ, plus the mean over the classes.

第 0 … T-2 处的预测对应同一行第 1 … T-1 个词片；最后一处的预测没有对应。词片为 0 的
位置不算。对整批剩下的词片求一个平均，乘以 λ，再加类别损失的平均。

Rows 1 10 3 and 1 3 0. Predicted are 10 and 3 in the first, 3 in the second: three
pieces, not four, and the first 1 is never predicted. If they cost 1, 2 and 3 nats, L1
= 2; means of rows first, (1.5 + 3)/2 = 2.25, would weigh short rows more. Class
losses 0.5 and 1.5: L2 = 1. With λ = 0.5: 2.

两行 1 10 3 和 1 3 0。第一行预测 10 和 3，第二行预测 3：一共三个词片，不是四个；开头
的 1 从不预测。若代价是 1、2、3 奈特，L1 = 2；先按行平均会得 (1.5 + 3)/2 = 2.25，短
行就更重了。类别损失 0.5 和 1.5：L2 = 1。λ = 0.5 时合计 2。
""",
}
