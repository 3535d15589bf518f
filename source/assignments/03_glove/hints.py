"""Hints for assignment 03; course_lib.grading.hints explains the form."""

HINTS = {
    "03.cooccurrences": """
One sentence after the other, one place after the other: what does a pair at distance
d add, and to which two cells?

一句一句、一个位置一个位置地看：相距 d 的一对加多少，加到哪两个格子里？

Run over the places, not over the different words. For each place i and each distance
d up to the window, the place i + d of the same sentence adds 1/d to both X[a, b] and
X[b, a]. Add; do not set: a pair can come again.

要逐个位置走，不是逐个不同的词走。对每个位置 i 和窗口以内的每个距离 d，同一句的位置
i + d 给 X[a, b] 和 X[b, a] 各加 1/d。是“加上”，不是“设成”：同一对还会再来。

Sentence 0 1 0, window 2. Distance 1: places 0-1 (words 0, 1) and 1-2 (words 1, 0):
each adds 1 to X[0, 1] and to X[1, 0], so both are 2. Distance 2: places 0-2, word 0
and word 0: X[0, 0] gets 1/2 twice, so 1. With a window of 1 this last pair would not
count.

句子 0 1 0，窗口 2。距离 1：位置 0-1（词 0、1）和 1-2（词 1、0），各给 X[0, 1] 和
X[1, 0] 加 1，所以都是 2。距离 2：位置 0-2，词 0 和词 0，X[0, 0] 加两次 1/2，得 1。
窗口若是 1，最后这一对就不算。
""",
    "03.ratios": """
First two rows of probabilities, then one division. What must each row be divided by?

先求两行概率，再做一次除法。每一行各除以什么？

Row i divided by its own sum, row j divided by its own sum. NumPy's division already
gives inf for a number over 0 and nan for 0 over 0; with np.errstate it does so
without a warning.

第 i 行除以它自己的总和，第 j 行除以它自己的总和。NumPy 的除法遇到“数除以零”得 inf，
“零除以零”得 nan，正是所要的；用 np.errstate 可以让它不出警告。

Row i: 1, 1, 0, 2 (sum 4), row j: 1, 0, 0, 1 (sum 2). Probabilities 0.25, 0.25, 0, 0.5
and 0.5, 0, 0, 0.5. Ratios: 0.5, inf, nan, 1. The last counts were 2 and 1, and still
the ratio is 1: i is simply the more frequent word.

第 i 行是 1、1、0、2（和为 4），第 j 行是 1、0、0、1（和为 2）。概率是 0.25、0.25、
0、0.5 和 0.5、0、0、0.5，比值是 0.5、inf、nan、1。最后一格的计数是 2 和 1，比值却是
1：i 只不过更常见。
""",
    "03.glove_loss": """
Only cells with a count belong to the sum. Pick them first, and no logarithm of 0 can
come.

只有计数大于零的格子才进入求和。先把它们挑出来，就不会碰到零的对数。

For each such cell (i, k) three things: the weight f, capped at 1; the score, product
plus both biases; the error, score minus log X. Then add up f times the squared error.
np.nonzero gives the cells.

对每个这样的格子 (i, k) 求三样：权重 f（封顶为 1）；得分（乘积加两个偏置）；误差（得
分减 log X）。再把 f 乘以误差的平方加起来。np.nonzero 能给出这些格子。

One cell with X = 100, x_max = 10: it is beyond x_max, so f = 1. Score 1.5 · 2 + 0.5 +
1 = 4.5, log 100 = 4.605: the error is -0.105, its square 0.011, and that is what the
cell adds. A cell with X = 5 and α = 1 would weigh half. A cell with X = 0 adds
nothing at all, whatever its score.

一个格子 X = 100，x_max = 10：超过了 x_max，f = 1。得分 1.5 · 2 + 0.5 + 1 = 4.5，log
100 = 4.605：误差 -0.105，平方 0.011，这就是它贡献的损失。X = 5、α = 1 的格子权重是
一半。X = 0 的格子不管得分是多少，都没有贡献。
""",
    "03.pair_gradient": """
All parts of the gradient share one factor. Which one?

梯度的各个部分有一个共同的因子。是哪个？

The term is f · e² with e = w·w̃ + b + b̃ - log x. Chain rule: 2 f e, times the
derivative of e by what you ask for. f depends on x only, which is no parameter. By w
that derivative is w̃, by w̃ it is w, by each bias 1.

这一项是 f · e²，其中 e = w·w̃ + b + b̃ - log x。链式法则：2 f e，再乘以 e 对所求参
数的导数。f 只跟 x 有关，x 不是参数。e 对 w 的导数是 w̃，对 w̃ 的是 w，对每个偏置都
是 1。

One dimension: w = 2, w̃ = 3, biases 0, log x = 5, f = 0.5. e = 6 - 5 = 1, the shared
factor is 2 · 0.5 · 1 = 1. Gradient: by w 3, by w̃ 2, by the biases 1 and 1. The score
was too high, and every step against the gradient lowers it. Test: raise w by 0.001;
then the term rises by about 0.003.

一维：w = 2，w̃ = 3，偏置为 0，log x = 5，f = 0.5。e = 6 - 5 = 1，共同因子是 2 · 0.5
· 1 = 1。梯度：对 w 是 3，对 w̃ 是 2，对两个偏置都是 1。得分偏高，逆着梯度走都会让它
变小。验证：w 加 0.001，这一项大约增加 0.003。
""",
}
