"""Hints for assignment 06; course_lib.grading.hints explains the form."""

HINTS = {
    "06.char_ids": """
Count to 50: begin mark, bytes, end mark, filling. How much room is left for bytes?

数到 50：开头标记、字节、结尾标记、填充。留给字节的还有多少位置？

At most 48 bytes between the two marks. The sentence marks are words with one
character, 256 or 257, in place of the bytes. The 1 is added at the very end, to all
fifty, also to the filling.

两个标记之间最多 48 个字节。句子标记是只有一个字符（256 或 257）的词，放在字节的位
置。加 1 是最后一步，五十个数都加，填充也加。

With only 6 places, the word "ab": 258, 97, 98, 259, 260, 260; plus 1: 259, 98, 99,
260, 261, 261. The word "abcdefgh": room for 4 bytes, 258, 97, 98, 99, 100, 259, then
plus 1. A character such as 花 has three bytes, of which perhaps only two find room:
they are cut all the same.

假如只有 6 个位置，“ab”是 258、97、98、259、260、260，加 1 得 259、98、99、260、
261、261。“abcdefgh”：只放得下 4 个字节，258、97、98、99、100、259，再加 1。“花”有三
个字节，可能只放得下两个，那也照样切断。
""",
    "06.sees": """
An experiment for each token: change it, and see which states move.

对每个词做一次实验：改动它，看哪些状态会动。

Run f on x and on a copy in which token s is different. Column s is True where some
number of the state has moved by more than 1e-6. A change in one dimension only, one
that is tiny, or one from zeros may leave a real dependence unseen: replace all
numbers of the token at random.

对 x 和改了第 s 个词的副本各算一次 f。状态里有任何一个数变化超过 1e-6，第 s 列就是
True。只改一维、改得极小、或者从全零出发，都可能看不出真实的依赖：请把这个词的数全部
随机换掉。

f adds up the second numbers of all tokens so far. T = 2: change token 0 in its first
number: nothing moves, and the answer would be wrong. Change both its numbers: states
0 and 1 move, so column 0 is True, True. Change token 1: only state 1 moves, column 1
is False, True. Put the columns side by side.

f 把到目前为止各词的第二个数加起来。T = 2：只改词 0 的第一个数，什么都不动，答案就错
了。两个数都改：状态 0 和 1 动了，第 0 列是 True、True。改词 1：只有状态 1 动，第 1
列是 False、True。把各列并排即可。
""",
    "06.two_directions": """
The backward stack, too, reads from left to right. So what must you do to the words
before, and to the states after?

后向网络也是从左往右读的。那么之前要把词怎样，之后要把状态怎样？

Turn round each sentence by itself: place t of a sentence of length n becomes n - 1 -
t, and padding stays behind. Run the stack, turn the states round in the same way, lay
them beside the forward ones, and put 0 where there is padding.

每个句子各自倒过来：长度为 n 的句子，位置 t 变成 n - 1 - t，填充仍在后面。网络读完，
把状态用同样的方式倒回来，放在前向状态旁边，再把填充处置为 0。

The row A B _ _ (length 2). Turned as a whole it is _ _ B A: the stack reads padding
first, and its state is spoilt. Turned by sentence it is B A _ _; the states are s(B),
s(BA), …; turned back: s(BA), s(B), …. So place 0 has read B and A, as it should. A
row without padding is simply reversed.

一行是 A B _ _（长度 2）。整行倒过来是 _ _ B A，网络先读到填充，状态就脏了。按句子倒
是 B A _ _，状态依次是 s(B)、s(BA)、……；再倒回来：s(BA)、s(B)、……。位置 0 读过 B 和
A，正该如此。没有填充的行，就是整行倒过来。
""",
    "06.perplexity": """
Add up over the whole text first; take the mean and the exponential once, at the end.

先在整个文本上求和；平均和取指数都只在最后做一次。

Two running totals: the sum of the log-probabilities at words, and the number of
words. Pick with the mask (log_probs[mask]); multiplying by the mask turns -inf · 0
into nan.

记两个累计：词的对数概率之和，词的个数。用掩码挑选（log_probs[mask]）；要是乘以掩
码，-inf · 0 会变成 nan。

Batch one has one word with probability 1/2; batch two has three with 1/4. In powers
of two: 1 + 2 + 2 + 2 = 7 bits for 4 words, so 2 to the power of 7/4, about 3.36. The
mean of the two batches' perplexities (2 and 4) is 3, and that of their means (1.5
bits) 2.83: a short batch would weigh as much as a long one.

第一批一个词，概率 1/2；第二批三个词，都是 1/4。以 2 为底：4 个词一共 1 + 2 + 2 + 2
= 7 比特，困惑度是 2 的 7/4 次方，约 3.36。两批困惑度（2 和 4）的平均是 3，先各批平
均（1.5 比特）是 2.83：这样短的一批就和长的一批一样重了。
""",
    "06.nearest_sense": """
For each vector three steps: cosines to all others, who shares the highest, which part
of those has its label.

每个向量做三步：和其他向量的余弦，哪些并列最高，其中有多大比例和它标签相同。

Leave the vector itself out, or it is always its own nearest neighbour. Tied is
everything within 1e-6 of the highest. Each vector adds a number between 0 and 1;
divide the sum by N.

要把它自己排除，否则最近的总是自己。离最高值不到 1e-6 的都算并列。每个向量贡献一个 0
到 1 之间的数，总和除以 N。

Vectors: two equal ones with labels A and B, a third one in the same direction, twice
as long, label A. All cosines are 1. The first A asks B and A: 1/2. B asks two As: 0.
The last A: 1/2. Together 1/3. Lengths do not matter; and whoever takes the first of
equals gets 0, 0, 1.

三个向量：两个相同的，标签 A 和 B；第三个同方向、长一倍，标签 A。余弦都是 1。第一个
A 问到 B 和 A：1/2。B 问到两个 A：0。最后的 A：1/2。合起来 1/3。长短无关紧要；要是并
列时总取第一个，就成了 0、0、1。
""",
}
