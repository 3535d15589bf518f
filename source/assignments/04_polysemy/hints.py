"""Hints for assignment 04; course_lib.grading.hints explains the form."""

HINTS = {
    "04.mixing_weight": """
a·u + (1 - a)·v is a point on the straight line from v to u. Which point of a line is
nearest to p?

a·u + (1 - a)·v 是从 v 到 u 的直线上的一点。直线上哪一点离 p 最近？

Write it as v + a(u - v). The nearest point is the foot of the perpendicular: p - v -
a(u - v) stands at right angles to u - v, so their product is 0. Solve for a; do not
bring anything to length 1.

把它写成 v + a(u - v)。最近的点是垂足：p - v - a(u - v) 与 u - v 垂直，两者的内积为
0。由此解出 a；不要把任何向量化成单位长度。

v = (0, 0), u = (2, 0), p = (1, 7). The line is the first axis, the foot of p is (1,
0), half-way: a = 1/2. How far p lies beside the line, 7, does not matter. With p =
(-2, 7) the foot is (-2, 0), a = -1: outside 0 … 1, and right all the same.

v = (0, 0)，u = (2, 0)，p = (1, 7)。直线就是第一条坐标轴，p 的垂足是 (1, 0)，正好一
半：a = 1/2。p 离直线有多远（7）无关紧要。p = (-2, 7) 时垂足是 (-2, 0)，a = -1：在 0
… 1 之外，但没错。
""",
    "04.static_scores": """
Do one word at a time: sort its sentences by sense, and count.

一次只看一个词：把它的句子按义项分开，数一数。

Majority: the largest count. Neighbour: a sentence of a sense with n of the word's N
sentences finds n - 1 right ones among N - 1 others; there are n such sentences. Add
up over all words, and divide by the number of all sentences once, at the end.

多数义项：最大的那个个数。最近邻：某义项在这个词的 N 句里有 n 句，其中每一句在其余 N
- 1 句里有 n - 1 句是对的；这样的句子一共 n 句。所有词加起来，最后只除一次全部句数。

打 with the senses 1 1 1 2 2. Majority: 3 right of 5. Neighbour: each of the three has
a chance of 2/4, each of the two 1/4: 3 · 2/4 + 2 · 1/4 = 2 sentences expected. Were
there five sentences of another word, all of one sense, they would add 5 and 5: shares
8/10 and 7/10.

“打”的义项是 1 1 1 2 2。多数义项：5 句对 3 句。最近邻：三句各有 2/4 的机会，两句各有
1/4：3 · 2/4 + 2 · 1/4，期望对 2 句。要是另一个词还有五句，全是同一个义项，就各再加
5：比例是 8/10 和 7/10。
""",
    "04.own_example": """
Change few words, but exactly those that tell the sense. Read each refusal: it says
which of the rules is not met.

只换几个词，但要换得能点明意思。不通过时读一读理由：它会说是哪条要求没有满足。

Keep one frame for both sentences, at least four known words beside the target, and
put two or three telling words into each. The average of the context runs over all
other places that have a vector, also the repeated ones; the word itself stays out.

两句用同一个框架，除目标词外至少共用四个有向量的词，再各放两三个点明意思的词。上下文
的平均要取所有其他有向量的位置，重复的也算；目标词自己不算。

“小米 … 屏幕 系统 …” and “小米 … 煮 粥 …”: the frame may be the same, 屏幕 and 粥 make
the difference. For the two numbers take vectors a = (1, 0), b = (0, 1), c = (1, 1):
the context a, b of the first sentence averages to (0.5, 0.5), the context c, c of the
second to (1, 1). Their cosine is 1: lengths do not matter, directions do.

“小米 …… 屏幕 系统 ……”和“小米 …… 煮 粥 ……”：框架可以一样，差别在“屏幕”和“粥”。再看两
个数怎么算：设 a = (1, 0)，b = (0, 1)，c = (1, 1)。第一句的上下文是 a、b，平均 (0.5,
0.5)；第二句是 c、c，平均 (1, 1)。余弦是 1：只看方向，不看长短。
""",
    "04.train_step": """
Compute everything with the old tables first; change them only at the end.

先用旧的两张表把一切算好，最后才改表。

error = p, minus 1 at the label. W's gradient is the outer product of error and h. h's
gradient is error @ W, and each word of the sentence gets one n-th of it, since h is a
mean of n. A word that comes twice gets it twice: E[words] -= … would only do it once.

error 就是 p，在标签处减 1。W 的梯度是 error 与 h 的外积。h 的梯度是 error @ W；h 是
n 个词的平均，所以句中每个词分到 n 分之一。一个词来两次就分两次：写 E[words] -= … 只
会减一次。

One dimension, two classes, W = (1, -1), E = (2), the sentence is word 0 twice: h = 2.
Suppose p = (0.9, 0.1), label 1: error (0.9, -0.9). W changes by -rate · (1.8, -1.8).
h's gradient is 0.9 · 1 + (-0.9)(-1) = 1.8; the word gets 0.9 from each of its two
places, 1.8 in all.

一维，两类，W = (1, -1)，E = (2)，句子是词 0 出现两次：h = 2。设 p = (0.9, 0.1)，标
签 1：error 是 (0.9, -0.9)。W 变化 -rate · (1.8, -1.8)。h 的梯度是 0.9 · 1 +
(-0.9)(-1) = 1.8；这个词在两个位置各分到 0.9，一共 1.8。
""",
    "04.alone_and_inside": """
Each word is either the character itself or it is longer. Treat the two cases apart.

一个词要么就是这个字，要么比它长。两种情况分开处理。

Equal to the character: one more alone. Otherwise count how often the character occurs
in the word: it may be twice.

和这个字相等：单独成词加一。否则数一数这个字在词里出现几次：可能不止一次。

Character 意, words 意, 意思, 意意思思, 有: 意 alone once; inside once in 意思 and
twice in 意意思思: (1, 3). Whoever joins the sentence to one string finds four, and
cannot tell any more which stood alone.

字是“意”，词是“意”“意思”“意意思思”“有”：单独一次；在“意思”里一次，在“意意思思”里两
次，所以是 (1, 3)。要是先把句子连成一串，只数得出四个，再也分不清哪个是单独的。
""",
}
