"""Hints for assignment 02; course_lib.grading.hints explains the form."""

HINTS = {
    "02.pairs": """
Which places does the window of word i reach? Write down the first and the last one,
then mind the ends of the sentence.

第 i 个词的窗口够到哪些位置？先写出最左和最右，再留心句子两头。

Work with places, not with words: j runs from i - size to i + size, no further than
the sentence, and j = i is left out. Comparing words instead would also leave out the
same word at another place.

用位置，不要用词：j 从 i - size 到 i + size，不越出句子，跳过 j = i。要是改成比较
词，别处的同一个词也会被跳掉。

Sentence 8, 8, 3, sizes 1, 1, 2. Place 0 reaches place 1: (8, 8). Place 1 reaches 0
and 2: (8, 8), (8, 3). Place 2 reaches 0 and 1 (4 is beyond the end): (3, 8), (3, 8).
A negative index would not fail in Python: it would fetch a word from the end. So cut
at 0 yourself.

句子是 8、8、3，窗口 1、1、2。位置 0 够到位置 1：(8, 8)。位置 1 够到 0 和 2：(8,
8)、(8, 3)。位置 2 够到 0 和 1（再往右就出界了）：(3, 8)、(3, 8)。负的下标在 Python
里不报错，而是取到末尾的词，所以要自己在 0 处截断。
""",
    "02.sampling": """
Two separate answers from the same counts: one is a probability for each word alone,
the other a distribution over all words.

同样的计数，两个互不相干的答案：一个是每个词各自的概率，另一个是全部词上的分布。

The first uses shares f (counts divided by their sum) and never exceeds 1; it need not
sum to anything. The second raises the counts to the power first, and divides by the
sum of the raised ones afterwards.

第一个用份额 f（计数除以总数），不超过 1，加起来是多少都行。第二个先把计数乘方，再除
以乘方之后的总和。

Counts 9 and 1, t = 0.1, power 0.5. Shares 0.9 and 0.1. Staying: the root of 0.1/0.9
is 1/3; the root of 0.1/0.1 is 1. Noise: the roots 3 and 1, together 4: 0.75 and 0.25.
The rare word is drawn more often than its share, 0.1, and less often than evenly,
0.5.

计数是 9 和 1，t = 0.1，指数 0.5。份额 0.9 和 0.1。留存概率：0.1/0.9 的平方根是
1/3；0.1/0.1 的平方根是 1。噪声：开方得 3 和 1，合计 4，于是 0.75 和 0.25。少见的词
比它的份额 0.1 抽得多，又比平均分的 0.5 少。
""",
    "02.sgns_gradient": """
Treat it as 1 + k questions with yes or no. How far is the answer to each from what it
should be?

把它当成 1 + k 道是非题：每道题的回答离该有的答案差多少？

The derivative of -log σ(x) is σ(x) - 1, that of -log σ(-x) is σ(x): in both cases
prediction minus truth (1 for the context, 0 for a negative). Times the other vector,
that is the gradient of each vector. v takes part in all questions, so its parts add
up; use the old vectors throughout.

-log σ(x) 的导数是 σ(x) - 1，-log σ(-x) 的导数是 σ(x)：都是“预测减真值”（上下文词的
真值是 1，负例是 0）。再乘以对方的向量，就是各自的梯度。v 参加每一道题，各部分要加起
来；始终用旧的向量。

One dimension: v = 1, u of the context 2, one negative with u = -1. σ(2) = 0.881,
minus 1 is -0.119; σ(-1) = 0.269, minus 0 is 0.269. By v: -0.119 · 2 + 0.269 · (-1) =
-0.507. By the context's u: -0.119 · 1; by the negative's: 0.269 · 1. Were the
negative drawn twice, its 0.269 would count twice.

一维：v = 1，上下文词的 u 是 2，一个负例的 u 是 -1。σ(2) = 0.881，减 1 得 -0.119；
σ(-1) = 0.269，减 0 得 0.269。对 v：-0.119 · 2 + 0.269 · (-1) = -0.507。对上下文词的
u：-0.119 · 1；对负例的 u：0.269 · 1。这个负例要是抽到两次，0.269 就算两次。
""",
    "02.analogy": """
All words must have length 1 before anything is added or subtracted.

在加减之前，所有的词都要先变成长度 1。

Compute unit vectors, then one product of the table with b - a + c: a score for each
word. To exclude a word, give it the score minus infinity, so that the numbers of the
others stay in place.

先算单位向量，再拿整张表同 b - a + c 做一次乘积，每个词得一个分数。要排除一个词，就
把它的分数设成负无穷，这样别的词编号不会错位。

Vectors (1, 0), (0, 5), (3, 3), (1, 2); a = 0, b = 1, c = 2. The unit vectors are (1,
0), (0, 1), (0.71, 0.71), (0.45, 0.89). b - a + c = (-0.29, 1.71). Scores: -0.29,
1.71, 1.00, 1.40. The best is b itself; without a, b and c it is word 3. With lengths
left as they are, b's 5 would drown everything.

向量 (1, 0)、(0, 5)、(3, 3)、(1, 2)；a = 0，b = 1，c = 2。单位向量是 (1, 0)、(0,
1)、(0.71, 0.71)、(0.45, 0.89)，b - a + c = (-0.29, 1.71)，分数 -0.29、1.71、1.00、
1.40。最高的是 b 自己；排除 a、b、c，就是词 3。要是不先变成单位长度，b 的那个 5 会盖
过一切。
""",
    "02.similarity_test": """
Which pairs can be judged at all? Decide that first, and keep count.

哪些词对根本判断得了？先定这个，并且记下个数。

Leave out pairs of which a word has no vector; the covered share is covered pairs over
all pairs. For the rest: cosines (vectors of length 1), and Spearman's correlation
with the scores of the people. scipy.stats is imported, and handles ties.

有一个词没有向量的词对要去掉；覆盖比例是覆盖到的对数除以全部对数。剩下的求余弦（向量
先化成单位长度），再同人的打分求斯皮尔曼相关。scipy.stats 已经导入，并列也会处理。

People 9, 5, 1, cosines 0.3, 0.2, -0.9. The numbers look different, but the order is
the same: ranks 3, 2, 1 and 3, 2, 1, correlation 1. If a fourth pair has no vector, it
stays 1, and the covered share is 0.75. Say people gave the missing pair 8: with
cosine 0 for it the correlation would be 0.8, though the vectors say nothing about it.

人打 9、5、1 分，余弦是 0.3、0.2、-0.9。数值不像，次序却一样：名次都是 3、2、1，相关
为 1。要是还有第四对没有向量，相关仍是 1，覆盖比例是 0.75。比如人给缺的那一
对打 8 分，填上余弦 0，相关就成了 0.8，其实词向量对它一无所知。
""",
}
