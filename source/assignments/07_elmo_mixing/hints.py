"""Hints for assignment 07; course_lib.grading.hints explains the form."""

HINTS = {
    "07.scalar_mix": """
Weights first: they must be shares that add up to 1. Then each layer times its share.

先处理权重：它们要变成加起来等于 1 的份额。再让每一层乘以自己的份额。

softmax over the layers: e to the w, divided by the sum. One share for a whole layer,
the same for all words and dimensions. γ multiplies the sum, once.

对层做 softmax：e 的 w 次方，除以总和。一整层共用一个份额，所有词、所有维都一样。γ
在最后乘一次。

Two layers, w = (0, ln 3): e to the w is 1 and 3, shares 1/4 and 3/4. A word with the
layers (8, 0) and (0, 4): 1/4 · (8, 0) + 3/4 · (0, 4) = (2, 3). γ = 10: (20, 30).
Adding 5 to both w changes nothing: only their difference counts.

两层，w = (0, ln 3)：e 的 w 次方是 1 和 3，份额 1/4 和 3/4。某个词在两层里是 (8, 0)
和 (0, 4)：1/4 · (8, 0) + 3/4 · (0, 4) = (2, 3)。γ = 10 时是 (20, 30)。两个 w 都加
5，结果不变：只有差才算数。
""",
    "07.layer_norm": """
How many means are there in the whole input? One for each what?

整个输入里一共有几个平均值？每个什么有一个？

One mean and one variance a layer, over all words and all dimensions together, without
padding. layers[k][mask] gives exactly the numbers that count. Padding becomes 0 at
the end.

每层一个平均值、一个方差，在全部词和全部维上一起算，不含填充。layers[k][mask] 取出的
正是要算的那些数。最后填充处为 0。

A layer with two words (0, 2) and (4, 6): mean 3, squared distances 9, 1, 1, 9,
variance 5, so (-1.34, -0.45) and (0.45, 1.34). The usual layer norm treats each word
alone and would give (-1, 1) twice: that word two is larger is lost. If a padding
(100, 100) took part, the mean would be about 35.

一层有两个词 (0, 2) 和 (4, 6)：平均 3，差的平方 9、1、1、9，方差 5，得 (-1.34,
-0.45) 和 (0.45, 1.34)。通常的层归一化对每个词单独做，会得到两个 (-1, 1)，“第二个词
更大”这件事就丢了。要是填充 (100, 100) 也算进去，平均会变成约 35。
""",
    "07.plug_in": """
Two places, two questions: is something laid beside x before the rnn, and beside the
states after it?

两个地方，两个问题：rnn 之前，x 旁边要不要接？rnn 之后，状态旁边要不要接？

elmo_in goes to the right of x and is then read by the rnn; elmo_out goes to the right
of what the rnn returns. "both" does both, each with its own mix. Join along the
features (axis 1).

elmo_in 接在 x 右边，再交给 rnn 读；elmo_out 接在 rnn 返回值的右边。"both" 两处都
接，各用各的混合。沿特征方向（axis 1）拼接。

One word, x = (1), elmo_in = (2), elmo_out = (3), and an rnn that doubles. "input":
rnn(1, 2) = (2, 4). "output": rnn(1) = (2), with the mix (2, 3): the 3 is not doubled.
"both": (2, 4, 3).

一个词，x = (1)，elmo_in = (2)，elmo_out = (3)，rnn 把数翻倍。"input"：rnn(1, 2) =
(2, 4)。"output"：rnn(1) = (2)，接上混合是 (2, 3)，这个 3 没有翻倍。"both"：(2, 4,
3)。
""",
    "07.frozen_step": """
Two switches: one for learning, one for dropout. The biLM needs both.

有两个开关：一个管学不学，一个管 dropout。双向语言模型两个都要拨。

requires_grad_(False) stops the learning and leaves dropout on; eval() stops dropout
and leaves the learning on. The head stays in training mode. Only its parameters take
the step, along the gradient of the mean squared error.

requires_grad_(False) 停了学习，dropout 还开着；eval() 停了 dropout，学习还开着。
head 保持训练模式。只有它的参数走一步，沿均方误差的负梯度。

biLM gives 3 for x, the head has weight 2 and no bias, y = 5: prediction 6, error 1,
gradient 2 · 1 · 3 = 6. With rate 0.1: 2 - 0.6 = 1.4. If dropout with p = 0.5 were on,
the biLM would give 0 or 6, and the step would be another one each time.

双向语言模型对 x 给出 3，head 的权重是 2、没有偏置，y = 5：预测 6，误差 1，梯度 2 ·
1 · 3 = 6。学习率 0.1：2 - 0.6 = 1.4。如果 p = 0.5 的 dropout 还开着，它会给出 0 或
6，每次走的步子都不一样。
""",
    "07.gains": """
The same gain is compared with three things: with nothing, with one system's errors,
with another's.

同一个提升，三种比法：不跟什么比，跟一个系统的错误比，跟另一个系统的错误比。

Points: new - baseline. Relative error reduction: points over the errors, 100 - score,
of the system that is compared with. For the previous best take its own points and its
own errors. Shares, not percentages.

点数：new - baseline。相对错误下降：提高的点数除以被比系统的错误（100 - 分数）。跟此
前最好的系统比，点数和错误都用它的。结果是份额，不是百分数。

Baseline 60, new 80, previous best 75. Points: 20. Of the baseline's 40 errors 20 are
gone: 0.5. Of the best's 25 errors 5 are gone: 0.2. Were the new one 70, the last
number would be -5/25 = -0.2.

基线 60，新的 80，此前最好 75。点数：20。基线的 40 个错误少了 20 个：0.5。此前最好的
25 个错误少了 5 个：0.2。要是新的只有 70，最后一个数就是 -5/25 = -0.2。
""",
}
