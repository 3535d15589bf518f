"""Hints for assignment 14; course_lib.grading.hints explains the form."""

HINTS = {
    "14.row": """
Write the pieces in one list first. The other two parts have the same length.

先把词片写成一个列表。另外两部分和它一样长。

[CLS], one, [SEP] are segment 0, also this [SEP]. If other is not empty: other and its
own [SEP] are segment 1. Positions count through from 0.

[CLS]、one、[SEP] 属于片段 0，这个 [SEP] 也是。other 不为空时，other 和它自己的 [SEP]
属于片段 1。位置从 0 一直数下去。

one = [40], other = []: 2 40 3; segments 0 0 0; positions 0 1 2. There is no second
[SEP]. one = [40], other = [50, 51]: 2 40 3 50 51 3; segments 0 0 0 1 1 1; positions 0
… 5: they do not begin anew with the second text.

one = [40]，other = []：2 40 3，片段 0 0 0，位置 0 1 2，没有第二个 [SEP]。one = [40]，
other = [50, 51]：2 40 3 50 51 3，片段 0 0 0 1 1 1，位置 0 … 5：到第二个文本并不重新
数。
""",
    "14.hide": """
Two decisions for each place, one after the other: is it chosen? and if so, what
becomes of it?

每个位置先后两个决定：选不选它？选了，把它变成什么？

Chosen: u below 0.15 and not a mark. Read: for chosen ones [MASK], other or itself, as
`dice` says; for the rest the piece. Target: for all chosen ones the original piece,
whatever is read; for the rest -100.

选中：u 小于 0.15，且不是标记。读到的：选中的按 `dice` 变成 [MASK]、别的词片或原样，其余
照旧。目标：凡选中的都是原来的词片，不管读到什么；其余是 -100。

Pieces 2 30 31 32, u .1 .1 .1 .5, dice .1 .95 .1 .1. The 2 is a mark: never chosen. 30
is chosen and kept: read 30, target 30. 31 is chosen and masked: read 4, target 31. 32
is not chosen: its `dice` does not matter, target -100. A kept piece must be predicted,
too: the model cannot know which ones were kept.

词片 2 30 31 32，u .1 .1 .1 .5，dice .1 .95 .1 .1。2 是标记，从不选中。30 选中但保
留：读 30，目标 30。31 选中并遮住：读 4，目标 31。32 没选中：`dice` 不起作用，目标
-100。保留原样的也要预测：模型不知道哪些是保留的。
""",
    "14.pairs": """
One coin and one draw for each pair of neighbours, used in order, whether needed or
not.

每一对邻句有一枚硬币和一个抽签数，依次使用，用不用得上都算过去。

Neighbours only within a document. For label 0 make the list of the sentences of all
other documents, in order, and take number floor(draw · n). The counter of coins goes
on over the documents.

邻句只在同一文档内取。标签 0：把其他所有文档的句子依次列出，取第 floor(draw · n)
个。硬币的计数跨文档继续。

Documents [1, 2], [3], [4, 5]. Neighbours: 1-2, 4-5; coins .6 .2, draws .5 .9. First:
coin .6, label 0; the others are 3, 4, 5; floor(.5 · 3) = 1: 4. So (1, 4, 0). Second:
coin .2, label 1: (4, 5, 1); its draw .9 is not used. A random sentence of the same
document could follow A after all.

文档 [1, 2]、[3]、[4, 5]。邻句：1-2、4-5；硬币 .6 .2，抽签 .5 .9。第一对：硬币 .6，
标签 0；其他句子是 3、4、5；floor(.5 · 3) = 1，即 4：(1, 4, 0)。第二对：硬币 .2，标
签 1：(4, 5, 1)，抽签 .9 用不上。要是在同一文档里抽，抽到的没准真是 A 的下一句。
""",
    "14.span": """
The best begin and the best end need not belong together. What must be compared are
pairs.

最好的起点和最好的终点不一定配得上。要比的是一对一对。

All pairs (i, j) with first ≤ i ≤ j and j - i + 1 ≤ longest; the largest begin[i] +
end[j] wins. Two loops will do, or a table of sums with minus infinity where it is not
allowed.

所有满足 first ≤ i ≤ j 且 j - i + 1 ≤ longest 的 (i, j)，begin[i] + end[j] 最大的胜
出。两重循环就行；或者做一张和的表，不允许的格子放负无穷。

begin 0 3 1, end 0 1 4, first 1. Allowed with longest 1: (1, 1) 4, (2, 2) 5: (2, 2).
With longest 2 there is (1, 2) as well: 7. The scores may all be negative; then a
start value of 0 for "best so far" would win over every span.

begin 0 3 1，end 0 1 4，first 1。longest 为 1 时允许 (1, 1) 得 4、(2, 2) 得 5：选
(2, 2)。longest 为 2 时还有 (1, 2)，得 7。分数可能全是负的，这时若把“目前最好”的初值
设成 0，就没有一个片段胜得过它。
""",
    "14.leaks": """
Keep a list for each place: of which places' words does it know something by now?

给每个位置记一份名单：到现在为止，它知道哪些位置的词？

At first each place knows its own. Layer by layer: the new list of i is its old one,
plus the old lists of all places that it reads in this layer. In the end a leak is:
predicts[i] is not -1, its word is in the list of i, and is not hidden.

起初每个位置只知道自己。一层一层来：i 的新名单是它的旧名单，加上这一层里它读的各位置
的旧名单。最后，泄漏就是：predicts[i] 不是 -1，那个词在 i 的名单里，并且没有遮住。

Three places; layer 0: place 1 reads 0; layer 1: place 2 reads 1. After layer 0 place
1 knows 0 and 1. After layer 1 place 2 knows 2, 1 and 0: 0 came by a detour. In
the other order of layers place 2 would know only 2 and 1: when it read, place 1 had
not read yet. So use the old lists within a layer.

三个位置；第 0 层：位置 1 读 0；第 1 层：位置 2 读 1。第 0 层之后，位置 1 知道 0 和
1。第 1 层之后，位置 2 知道 2、1、0，其中 0 是拐了个弯来的。两层对调的话，位置 2 只
知道 2 和 1：它读的时候，位置 1 还没读。所以同一层里要用旧名单。
""",
    "14.parity": """
Begin with one name and look at the shapes on both sides. Then make the whole
dictionary and compare the outputs.

先做一个名字，看看两边的形状。再做出整个字典，比较输出。

Go through the table with two ends, weight and bias: twelve entries. Only attention.qkv
is put together, from three arrays along the first axis. Rename gamma and beta before
you look anything up.

拿着表，对 weight 和 bias 两种结尾各走一遍，一共十二项。只有 attention.qkv 要由三个数
组沿第一维拼成。先把 gamma 和 beta 改名，再去取。

D = 2: query.weight [[1, 2], [3, 4]], key.weight [[5, 6], [7, 8]], value.weight [[9, 0],
[1, 2]] give attention.qkv.weight of shape (6, 2): 1 2, 3 4, 5 6, 7 8, 9 0, 1 2. Its
bias has the shape (6,). If only some outputs differ, copy the names one by one: with
k = 1 look for "encoder.layer.1.", with the dot, or layer 10 is found as well.

D = 2：query.weight [[1, 2], [3, 4]]，key.weight [[5, 6], [7, 8]]，value.weight [[9, 0],
[1, 2]]，得到形状 (6, 2) 的 attention.qkv.weight：1 2，3 4，5 6，7 8，9 0，1 2。它的
bias 形状是 (6,)。如果只有一部分输出不同，就一个一个地核对名字：k = 1 时要找带点的
"encoder.layer.1."，不然第 10 层也会被找到。
""",
}
