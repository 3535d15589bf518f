"""Hints for assignment 01; course_lib.grading.hints explains the form."""

HINTS = {
    "01.kneser_ney": """
Two kinds of counting occur: how often (c), and how many different ones (N). Which of
your numbers is which?

这里有两种数法：出现几次（c），有几种不同的（N）。你的每个数该用哪一种？

Make the list of all neighbouring pairs once, and the set of them once. c comes from
the list, N from the set. The lower order uses only the set: which share of the
different pairs ends in w? If no pair begins with u, return just that.

先列出全部相邻词对（列表），再取不同的词对（集合）。c 从列表里数，N 从集合里数。低一
阶只用集合：不同的词对里，有多大比例以 w 结尾？如果没有以 u 开头的词对，就直接返回
它。

Text: a b a b a c. Pairs: ab, ba, ab, ba, ac; different ones: ab, ba, ac. a is
followed by b twice and by c once: c(a ·) = 3, N(a ·) = 2. With D = 0.5: b keeps
(2 - 0.5)/3 = 0.5, c keeps 0.5/3. This frees 0.5 · 2/3 = 1/3. Each of b, a, c ends one
different pair of three, so each gets a third of that: P(b | a) = 0.5 + 1/9.

文本：a b a b a c。词对：ab、ba、ab、ba、ac；不同的是 ab、ba、ac。a 后面 b 两次、c
一次：c(a ·) = 3，N(a ·) = 2。取 D = 0.5：b 留下 (2 - 0.5)/3 = 0.5，c 留下 0.5/3，空
出 0.5 · 2/3 = 1/3。三种不同的词对里，以 b、a、c 结尾的各有一种，所以各分到其中三分
之一：P(b | a) = 0.5 + 1/9。
""",
    "01.fair_perplexity": """
A word that the model does not know costs twice: for <unk>, and for which of the
unknown words it is.

模型不认识的词要付两次：一次说 <unk>，一次说清是未知词里的哪一个。

How many words can stand behind <unk>? Those of the language that the model does not
know. Their logarithm is added, once for every occurrence of an unknown word, to the
sum of -log P. Divide by the number of all words of the text.

<unk> 背后可能有几个词？是语言里模型不认识的那些。未知词每出现一次，就在 -log P 的总
和里加上这个个数的对数。最后除以文本的全部词数。

The language has 10 words, the model knows 8, so 2 are behind <unk>. A text of two
words: a known one with probability 1/4, an unknown one whose <unk> has 1/2. The
unknown word itself has 1/2 · 1/2 = 1/4. Two words with 1/4 each: the perplexity is 4.
Without the rule it would be the square root of 8, about 2.83.

语言里有 10 个词，模型认识 8 个，<unk> 背后就有 2 个。文本有两个词：一个认识，概率
1/4；一个不认识，给 <unk> 的是 1/2，这个词本身就是 1/2 · 1/2 = 1/4。两个词都是 1/4，
困惑度是 4。没有这条规矩的话，是根号 8，约 2.83。
""",
    "01.nnlm": """
Follow the shapes: what shape does x have if every context has n-1 words with m
features each?

盯住形状：每个上下文有 n-1 个词，每个词 m 个特征，x 的形状是什么？

C[contexts] has shape (B, n-1, m); lay the features of a context side by side to (B,
(n-1)m). In a batch the vectors are rows: where the equation has Hx, the code has x @
H.T. Take the logarithm and the softmax in one step, which cannot overflow.

C[contexts] 的形状是 (B, n-1, m)，把一个上下文的特征接成一行，得 (B, (n-1)m)。在一批
里向量是行：公式写 Hx，代码里是 x @ H.T。取对数和 softmax 合成一步做，就不会溢出。

A context of words 2 and 0, with rows C[2] = (5, 6) and C[0] = (1, 2): x = (5, 6, 1,
2), in this order. Scores y = (1000, 1001): e to the 1000 is infinite. But only
differences matter: subtract the largest, (-1, 0), whose softmax is (0.269, 0.731),
logarithms (-1.313, -0.313). This is what a log-softmax does.

上下文是词 2 和词 0，C[2] = (5, 6)，C[0] = (1, 2)：x = (5, 6, 1, 2)，次序不变。假如
分数 y = (1000, 1001)，e 的 1000 次方是无穷大。可是要紧的只是差：都减去最大的，得
(-1, 0)，softmax 是 (0.269, 0.731)，对数是 (-1.313, -0.313)。log-softmax 做的就是这
件事。
""",
    "01.table_gradient": """
Each place in the batch sends its m numbers to one row of C. Which row, and what if
two places send to the same one?

批里的每个位置都把自己的 m 个数寄给 C 的某一行。寄给哪一行？两个位置寄到同一行怎么
办？

Reshape the gradient so that each place has a row of its own, m numbers long. Then add
every such row to the row of its word. Beware: result[words] += rows keeps only one of
two parcels for the same word; index_add_ or a one-hot product keeps both.

先把梯度改成每个位置一行，每行 m 个数，再把每一行加到对应词的那一行上。当心：
result[words] += rows 遇到同一个词只会留下一份；index_add_ 或者独热矩阵相乘才两份都
留。

V = 3, m = 1, one context of the words 1, 1, 2 and the gradient (10, 20, 5). Row 0
gets nothing, row 1 gets 10 + 20 = 30, row 2 gets 5. As one-hot rows: 0 1 0, 0 1 0, 0
0 1; their transpose times the column 10, 20, 5 is 0, 30, 5, the same.

V = 3，m = 1，一个上下文是词 1、1、2，梯度是 (10, 20, 5)。第 0 行什么也没有，第 1 行
得 10 + 20 = 30，第 2 行得 5。写成独热行：0 1 0、0 1 0、0 0 1；它的转置乘以列 10、
20、5，得 0、30、5，一样。
""",
    "01.best_weight": """
A weight is a mean of shares: of every word, how much belongs to the first model?

权重就是份额的平均：每个词有多少属于第一个模型？

Repeat: shares from the weight, then the weight as the mean of the shares, until it no
longer moves. A weight of exactly 0 or 1 as the start never moves again; begin between.
Some tens of rounds may be too few: stop by how far it still moves, or search for the
maximum of the log-probability directly.

反复做：由权重算份额，再取份额的平均作新权重，直到不再变。权重一开始就取 0 或 1，就
再也不动了，要从中间开始。几十轮也许不够：看它还动多少再决定停不停；也可以直接求对数概率
的最大值。

Two words, p = (0.5, 0.1), q = (0.1, 0.3), weight 0.5. Shares: 0.25/0.30 = 0.833 and
0.05/0.20 = 0.25. Their mean 0.542 is the new weight; the text has become likelier.
Next: 0.855 and 0.283, mean 0.569, and so on, in ever smaller steps, up to where the
mean of the shares is the weight itself.

两个词，p = (0.5, 0.1)，q = (0.1, 0.3)，权重 0.5。份额是 0.25/0.30 = 0.833 和
0.05/0.20 = 0.25，平均 0.542 就是新权重，文本也更可能了。下一轮：0.855 和 0.283，平
均 0.569。步子越来越小，一直走到份额的平均等于权重本身。
""",
}
