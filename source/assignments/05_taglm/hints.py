"""Hints for assignment 05; course_lib.grading.hints explains the form."""

HINTS = {
    "05.log_partition": """
You need not list the sequences: all that end in the same tag can be added up before
the next word.

不必列出所有序列：结尾标签相同的，可以先加在一起，再看下一个词。

Keep K numbers, the log of the sum over all sequences so far that end in tag j. For
the next word: for each j, the log-sum-exp over i of (number i + A[i, j]), plus
scores[t, j]. np.logaddexp.reduce does not overflow. start belongs to the beginning,
end once to the end.

保存 K 个数：到目前为止以标签 j 结尾的全部序列之和的对数。下一个词：对每个 j，把（第
i 个数 + A[i, j]）对 i 求 log-sum-exp，再加 scores[t, j]。np.logaddexp.reduce 不会溢
出。start 只加在开头，end 只加在末尾。

Without logarithms, two tags, all transitions worth 1 but from 0 to 1 worth 2. First
word (3, 1): 3 for sequences in tag 0, 1 in tag 1. Second word (1, 5): in tag 0 come 3
· 1 + 1 · 1 = 4, times 1; in tag 1 come 3 · 2 + 1 · 1 = 7, times 5 = 35. Z = 39. One
by one: 00 3, 10 1, 01 30, 11 5: 39.

先不取对数：两个标签，转移都值 1，只有从 0 到 1 值 2。第一个词 (3, 1)：停在标签 0 的
有 3，停在标签 1 的有 1。第二个词 (1, 5)：到标签 0 的是 3 · 1 + 1 · 1 = 4，乘 1；到
标签 1 的是 3 · 2 + 1 · 1 = 7，乘 5 得 35。Z = 39。逐条验算：00 是 3，10 是 1，01 是
30，11 是 5，合计 39。
""",
    "05.viterbi": """
The same table as in task 1, with a maximum in the place of the sum. But the maximum
alone does not tell the way.

和第 1 题的表一样，只是求和换成取最大。可是光有最大值，还不知道路是怎么走的。

For each word and each tag keep two things: the best score so far, and from which tag
it came. At the end choose the best last tag (with end), then follow the notes
backwards and turn the list round.

每个词的每个标签记两样：到此为止的最高分，以及它来自哪个标签。最后（算上 end）选出最
好的末标签，沿着记号往回走，再把列表倒过来。

Two tags, three words. Notes for word 1: both tags came from 0. For word 2: tag 0 from
1, tag 1 from 0. The best last tag is 1: it came from 0, which came from 0. Backwards
1, 0, 0; turned round 0, 0, 1. Choosing the best tag of each word by itself may use a
transition that is nearly forbidden.

两个标签，三个词。第 1 个词的记号：两个标签都来自 0。第 2 个词：标签 0 来自 1，标签
1 来自 0（词从 0 数起）。最好的末标签是 1，它来自 0，这个 0 又来自 0。往回念是 1、0、0，
倒过来是 0、0、1。要是每个词各选各的最好标签，可能会用到几乎被禁止的转移。
""",
    "05.tag_scores": """
Draw three boxes: layer, layer, output. At which arrow is g joined in each of the
three cases?

画三个方框：一层，又一层，输出。三种情况里，g 各在哪个箭头处接进来？

Exactly one of the three inputs is widened: x, the first layer's result or the
second's. Join along the features, g on the right: the rows, one a word, stay T.

三处输入里恰好有一处变宽：x、第一层的结果，或第二层的结果。沿特征方向拼接，g 在右
边；行数是词数 T，不变。

T = 1, x = (1, 2), g = (9). "input": the first layer reads (1, 2, 9). "after first":
it reads (1, 2); if it gives (5, 6), the second one reads (5, 6, 9). "after second":
the second reads (5, 6); if it gives (7), W3 multiplies (7, 9). If a matrix does not
fit, g stands in the wrong place.

T = 1，x = (1, 2)，g = (9)。"input"：第一层读 (1, 2, 9)。"after first"：第一层读 (1,
2)，若给出 (5, 6)，第二层就读 (5, 6, 9)。"after second"：第二层读 (5, 6)，若给出
(7)，W3 就乘 (7, 9)。矩阵对不上，就是 g 接错了地方。
""",
    "05.lm_features": """
One axis is the layers, one the words, one the numbers of a word. Which of them do you
cut, and where?

一个轴是层，一个轴是词，一个轴是词的各个数。该切哪几个，切在哪里？

Take the last layer. For "forward" keep the first half of each word's numbers; for
"both" all of them. The half is that of the last axis.

取最后一层。"forward" 只留每个词前一半的数，"both" 全留。一半指的是最后一个轴的一
半。

Shape (3, 10, 64): three layers with layer 0, ten words, 32 forward and 32 backward
numbers. The top has (10, 64); its forward part (10, 32). Cutting the words in half
instead would give (5, 64): five words have lost everything.

形状 (3, 10, 64)：连第 0 层共三层，十个词，前向和后向各 32 个数。顶层是 (10, 64)，前
向部分是 (10, 32)。要是把词切成两半，就成了 (5, 64)：有五个词什么都没了。
""",
    "05.later_words_seen": """
An experiment: change one word, read again, see which states have moved.

做实验：改一个词，再读一遍，看哪些状态动了。

For each word s: a copy of x in which all numbers of word s are others; compare the
states before and after, row by row; count one for every t < s whose row has changed
anywhere. Begin from random numbers: zeros or equal words can hide a dependence.

对每个词 s：复制 x，把第 s 个词的数全换掉；逐行比较前后的状态；凡是 t < s 且那一行有
任何变化，就给 t 记一次。从随机数出发：全零或者词都一样，可能看不出依赖。

A model with T = 3: state 0 reads words 0 and 2, state 1 word 1, state 2 all. Change
word 1: states 1 and 2 move, none of them is earlier. Change word 2: states 0 and 2
move, 0 is earlier. Result 1, 0, 0. Had only the first number of word 2 been changed,
and the model reads the second one, nothing would have moved.

T = 3 的模型：状态 0 读词 0 和 2，状态 1 读词 1，状态 2 全读。改词 1：状态 1、2 动
了，都不在它前面。改词 2：状态 0、2 动了，0 在它前面。结果是 1、0、0。要是只改词 2
的第一个数，而模型读的是第二个数，就什么也看不出来。
""",
}
