"""Hints for assignment 12; course_lib.grading.hints explains the form."""

HINTS = {
    "12.context": """
One set of weights, two averages. From which layer do the weights come?

一组权重，两个平均。权重来自哪一层？

Scores: q times the top layer's states. At padding set the score to minus infinity
before the softmax; weights set to 0 afterwards no longer add up to 1. The same
weights average first and top; lay both side by side, first in front.

分数：q 乘以顶层的状态。softmax 之前把填充处的分数设成负无穷；之后再置零，权重就加不
到 1 了。同一组权重对 first 和 top 各求平均，再并排，first 在前。

One query, two words, top-layer products 0 and ln 3, padding behind with product 50.
With minus infinity there: weights 1/4, 3/4, 0. First layer 8 and 4: 1/4 · 8 + 3/4 · 4
= 5. Top 0 and 12: 9. Result (5, 9). Without the mask the padding would take nearly
everything.

一个查询，两个词，与顶层的内积是 0 和 ln 3，后面的填充是 50。填充设成负无穷：权重
1/4、3/4、0。第一层是 8 和 4：1/4 · 8 + 3/4 · 4 = 5。顶层是 0 和 12：9。结果 (5,
9)。没有掩码，填充几乎会占去全部权重。
""",
    "12.copied": """
For each name two questions: does it belong to a part, and what is it called in its
language model?

对每个名字问两件事：它属不属于某个部分？在语言模型里它叫什么？

It belongs to a part if it is equal to it or begins with the part and a dot. The word
before the first dot says which language model, the rest is the name there. Go through
model in its own order, and take the sum of the copied or of the old tensor.

名字等于该部分，或者以“该部分加一个点”开头，才属于它。第一个点之前是哪个语言模型，之
后是在那里的名字。按 model 自己的次序走，取复制来的或原来的张量的和。

Part "target.lstm". target.lstm.bias belongs to it, and is called lstm.bias in the
target's model. target.lstm itself would belong to it, too. target.lstm2.bias does
not, nor does top.lstm.bias. A part "source" means everything whose name begins with
"source.".

部分是 "target.lstm"。target.lstm.bias 属于它，在目标语言模型里叫 lstm.bias。
target.lstm 本身也属于它。target.lstm2.bias 不属于，top.lstm.bias 也不属于。部分
"source" 则是名字以 "source." 开头的全部。
""",
    "12.joint": """
Three means, then one sum. Over what is each mean taken?

三个平均，再求一次和。每个平均是对什么取的？

For each of the three: log-softmax over the vocabulary, the entry of the target, minus
sign, mean over the places whose target is not -100. Then add the three. Pooling
all words in one mean would let the longest text decide.

三项各自：在词表上取 log-softmax，取目标词那一个，取负，对目标不是 -100 的位置求平
均。然后三项相加。要是把所有词混在一起求平均，就由最长的文本说了算。

First: 100 words, each 1 nat; second: 1 word with 4 nats and nine places with -100;
third: 2 words with 2 and 4. Means 1, 4, 3; sum 8. With -100 counted as places, the
second mean would be 0.4. Pooled: (100 + 4 + 6)/103, about 1.07.

第一项：100 个词，每个 1 奈特；第二项：1 个词 4 奈特，另有九处 -100；第三项：2 个
词，2 和 4。平均是 1、4、3，和为 8。把 -100 也算作位置，第二个平均就成了 0.4。混在一
起：(100 + 4 + 6)/103，约 1.07。
""",
    "12.bleu": """
Matches and totals are collected over all sentences first. Only then are four
fractions made.

先在所有句子上累计命中数和总数，然后才做四个分数。

For each n: count the n-grams of the translation and of the right one as bags; a hit
counts at most as often as the right one has it; add hits and totals over the
sentences. p_n = hits / total. c and r are sums of lengths; the factor is never above
1.

对每个 n：把译文和参考译文的 n 元组各数成“袋子”，命中数不超过参考里的次数；在句子上
累加命中数和总数。p_n = 命中数 / 总数。c 和 r 是长度之和；长度因子不超过 1。

Single words, two sentences. 1 1 1 against 1 2 3: one hit of three (1 stands there
once). 4 5 against 4 5 6: two of two. Together p1 = 3/5, not the mean of 1/3 and 1. c
= 5, r = 6: factor e to the 1 - 6/5. Were the translations longer than r, the factor
would be 1.

只看单词，两句。1 1 1 对 1 2 3：三个里命中一个（1 在参考里只有一次）。4 5 对 4 5 6：
两个都中。合起来 p1 = 3/5，不是 1/3 和 1 的平均。c = 5，r = 6：因子是 e 的 1 - 6/5
次方。译文要是比参考长，因子就是 1。
""",
}
