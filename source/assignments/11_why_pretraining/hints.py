"""Hints for assignment 11; course_lib.grading.hints explains the form."""

HINTS = {
    "11.shuffle": """
Each sentence is put into order by itself. Where does it begin, where does it end?

每个句子各排各的。它从哪里开始，到哪里结束？

Go through the lengths and keep the place where the next sentence begins. Within a
sentence, argsort of its keys gives the order in which its words are to be taken. (Or
sort all at once, by sentence number first and key second.)

顺着 lengths 走，记住下一句从哪里开始。句内对 keys 做 argsort，就得到取词的次序。
（也可以一次排完：先按句子的编号，再按键。）

Words 4 5 6 7, lengths 3 1, keys 0.5 0.9 0.2 0.1. First sentence: the smallest key
belongs to 6, then 4, then 5: 6 4 5. Second: 7. Result 6 4 5 7. Sorting all four at
once would bring 7, whose key is the smallest, into the first sentence. And argsort
tells which word comes first, not where the first word goes.

词 4 5 6 7，长度 3 1，键 0.5 0.9 0.2 0.1。第一句：最小的键属于 6，然后是 4，再是 5：
6 4 5。第二句：7。结果 6 4 5 7。要是四个一起排，键最小的 7 就跑进第一句了。另外，
argsort 说的是谁排第一，不是第一个词排到哪里。
""",
    "11.kept": """
Compare bags, not sets: how often something stands there matters.

比的是“袋子”，不是集合：出现几次也要算。

Cut both texts into sentences. A sentence keeps its words if both, sorted, are equal.
Pairs of neighbours: count those of the whole old text and of the whole new one,
without any across a border; in common is the smaller of the two counts of each pair.
Divide by the number of the old pairs.

两个文本都切成句子。句子排序后相等，就是词没变。相邻词对：数出整个旧文本和整个新文本
的，不跨句子；每种词对共有的次数取两边的较小者。除以旧词对的总数。

Old 1 1 1 | 2 3, new 1 1 1 | 3 2. Both sentences keep their words: 1. Old pairs: 11
twice, 23 once. New ones: 11 twice, 32 once. In common: 11 twice: 2/3. As sets it
would be 1 of 2. The pair 1-2 across the border does not exist.

旧 1 1 1 | 2 3，新 1 1 1 | 3 2。两句的词都没变：1。旧词对：11 两次，23 一次；新词
对：11 两次，32 一次。共有 11 两次：2/3。要是用集合，就成了 2 个里 1 个。跨句的 1-2
不算词对。
""",
    "11.descend": """
The slope has two parts in every step: that of the task, and the pull. What is the
derivative of the pull?

每一步的斜率有两部分：任务的，和拉力的。拉力的导数是什么？

The derivative of α/2 · ‖w - w0‖² is α (w - w0): it pulls to w0, not to 0. Step: w
minus η times the sum of both slopes, each taken at the present w. w0 itself must stay
as it was. At the end, the penalty at the last w.

α/2 · ‖w - w0‖² 的导数是 α (w - w0)：拉向 w0，不是拉向 0。一步：w 减去 η 乘以两个斜
率之和，斜率都在当前的 w 处取。w0 本身不能变。最后算末尾 w 处的罚项。

One weight, w0 = 2, c = 1, goal 4, η = 0.5, α = 1. Step 1: slopes 2 - 4 = -2 and 0, w
= 3. Step 2: slopes -1 and 1, sum 0: w stays at 3, half-way between goal and start,
and will stay there. Penalty 1/2 · 1 = 0.5. A larger α ends nearer to w0.

一个权重，w0 = 2，c = 1，目标 4，η = 0.5，α = 1。第 1 步：斜率 2 - 4 = -2 和 0，w =
3。第 2 步：斜率 -1 和 1，和为 0，w 停在 3，正在目标和起点中间，以后也不动。罚项 1/2
· 1 = 0.5。α 越大，停得离 w0 越近。
""",
    "11.distances": """
All parameters of a layer together are one long vector. Which names belong to one
layer?

一层的全部参数连起来是一个长向量。哪些名字属于同一层？

Group the names: those that do not begin with lstms are the words; the others by the
number behind lstms, as a number. For each group, lay all its parameters end to end,
before and after; the length of the difference over the length of before.

把名字分组：不以 lstms 开头的是词向量；其余按 lstms 后面的编号，按数字比大小。每组把
所有参数首尾相接，之前、之后各一个向量；差的长度除以之前的长度。

A layer of two parameters: (0, 3) becomes (0, 0), (4) becomes (4). Before: the root of
9 + 16, 5. Way: 3. Moved by 0.6. The mean of the two parameters' own values, (1 +
0)/2, is something else. With eleven LSTMs, "lstms.10" comes after "lstms.9", not
after "lstms.1".

一层有两个参数：(0, 3) 变成 (0, 0)，(4) 还是 (4)。之前：9 + 16 开方，5。路程 3。移动
了 0.6。两个参数各算各的再平均，(1 + 0)/2，那是另一回事。要是有十一个 LSTM，
"lstms.10" 排在 "lstms.9" 后面，不是 "lstms.1" 后面。
""",
    "11.at_level": """
Find the two looks between which the training loss passes the level. Everything else
happens between these two.

找到训练损失在哪两次之间穿过这个水平。其余的事都发生在这两次之间。

The first look k at which seen is as low as the level or lower. Which part of the way
from seen[k-1] to seen[k] had been gone when the level was met? Go the same part of
the way from unseen[k-1] to unseen[k].

第一次 seen 不高于该水平的是第 k 次。从 seen[k-1] 到 seen[k] 的路，走到该水平时走了
几分之几？从 unseen[k-1] 到 unseen[k] 也走同样的几分之几。

seen 4, 2, 3, 1; unseen 5, 3, 4, 2; level 2.5. First at or below: look 1 (counted from
0), with 2. From 4 to 2 the level lies at 1.5 of 2, three quarters. From 5 to 3, three
quarters: 3.5. That seen rises again afterwards, and passes 2.5 a second time, does
not matter.

seen 是 4、2、3、1，unseen 是 5、3、4、2，水平 2.5。最先不高于它的是第 1 次（从 0
数），为 2。从 4 到 2 要走 2，到 2.5 走了 1.5，四分之三。从 5 到 3 走四分之三：3.5。
后来 seen 又升高，再次穿过 2.5，不用管。
""",
}
