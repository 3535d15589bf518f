"""Hints for assignment 08; course_lib.grading.hints explains the form."""

HINTS = {
    "08.leaks": """
You ask two things of every test token. The training tokens serve only to be looked up
in.

对每个测试词问两个问题。训练词只用来查。

Make a set of the training's sentence numbers and a set of its words. Count the test
tokens, each place by itself, not the different ones; divide both counts by the number
of test tokens.

把训练集的句子编号做成一个集合，词做成一个集合。数的是测试集里的每个词次，不是不同的
词；两个计数都除以测试词次的总数。

Training: (1, 他) (1, 打) (2, 水). Test: (2, 打) (3, 打) (3, 球). Sentence 2 is in
training: 1 of 3. The word 打 is in training, and stands in the test twice: 2 of 3.
With different words instead of tokens it would be 1 of 2.

训练：(1, 他) (1, 打) (2, 水)。测试：(2, 打) (3, 打) (3, 球)。句子 2 在训练里有：3
个里 1 个。“打”在训练里有，在测试里出现两次：3 个里 2 个。要是数不同的词，就成了 2
个里 1 个。
""",
    "08.selectivity": """
Write the memory once as a function of train and test, and use it twice: with the true
tags and with the drawn ones.

把“只会背的探针”写成 train 和 test 的函数，用两次：一次用真标签，一次用抽签的标签。

Memory: for each word the commonest of its training tags; for a word not met, the
commonest tag of all training tokens. For the control replace the tag of every token,
in train and in test, by lot[word], and learn anew, also the answer for words not met.

背法：每个词记它在训练里最常见的标签；没见过的词，答全部训练词次里最常见的标签。对照
任务：把训练和测试里每个词的标签都换成 lot[词]，从头再学，没见过的词答什么也要重学。

Train: a X, a X, b Y; test: a X, b X, c X. Memory: a is X, b is Y, unknown X: 2 of 3.
Lot: a Y, b X, c X. Drawn training: a Y, a Y, b X: memory a Y, b X, unknown Y. Drawn
test: a Y, b X, c X: right, right, wrong: 2 of 3. Selectivity 0.

训练：a X、a X、b Y；测试：a X、b X、c X。背下来：a 是 X，b 是 Y，没见过的答 X：3 个
对 2 个。抽签：a Y、b X、c X。换签后的训练：a Y、a Y、b X，背下来 a 是 Y，b 是 X，没
见过的答 Y。换签后的测试：a Y、b X、c X：对、对、错，3 个对 2 个。选择性是 0。
""",
    "08.name_senses": """
For each asked vector, look at the labelled occurrences of the same word only.

对每个被问的向量，只看同一个词的标注。

No such occurrence: the dictionary's first sense. Else the cosine to each of them, and
the sense of the highest one. Divide by the labelled vectors' lengths: a product alone
favours long vectors.

一个标注也没有：用词典的第一义项。有的话，逐个求余弦，取最高的那个的义项。要除以标注
向量的长度：只用内积会偏向长的向量。

Asked: 打 with (1, 0). Labelled: 打 1 at (1, 1), 打 2 at (5, 9), 吃 1 at (2, 0). The
products are 1 and 5, so the product would say sense 2; the cosines are 0.71 and 0.49:
sense 1. 吃 has cosine 1, but is another word.

问的是“打”，向量 (1, 0)。标注：打 1 在 (1, 1)，打 2 在 (5, 9)，吃 1 在 (2, 0)。内积
是 1 和 5，按内积会答义项 2；余弦是 0.71 和 0.49，应答义项 1。“吃”的余弦是 1，可那是
另一个词。
""",
    "08.beyond": """
One table of all cosines, and two ways to choose cells of it.

先做一张全部余弦的表，再用两种办法从里面挑格子。

Self-similarity: for each word with two or more places the mean of its cells off the
diagonal; then the mean of these means. Anisotropy: the mean of all cells whose two
words differ, each pair counting once.

自相似度：出现两次以上的词，各自取对角线以外格子的平均，再对这些平均求平均。各向异
性：两个词不同的所有格子的平均，每一对一样重。

Words a a a b b c. Pairs of a: 3, say with mean 0.6; of b: 1, with 0.2; c has none.
Self-similarity (0.6 + 0.2)/2 = 0.4, not the mean over the four pairs, 0.5. Pairs of
different words: 3·2 + 3·1 + 2·1 = 11; their mean, say 0.3. Difference 0.1.

词是 a a a b b c。a 有 3 对，设平均 0.6；b 有 1 对，0.2；c 没有。自相似度是 (0.6 +
0.2)/2 = 0.4，不是四对的平均 0.5。不同词的对有 3·2 + 3·1 + 2·1 = 11 个，设平均 0.3。
差是 0.1。
""",
    "08.oov_report": """
First the set of misspellings of one word, then two questions to each member.

先求一个词的错拼集合，再对其中每个错拼问两件事。

At each place: leave the letter out, double it, exchange it with the next. Collect in
a set and take the word itself out (exchanging two equal letters gives it). Trigrams
are those of the string with < and > around it, as a set; the share is of the right
word's trigrams.

在每个位置：漏掉这个字母，重复它，和后一个对调。放进集合，再去掉原词（对调两个相同的
字母就是原词）。三元组取自加了 < 和 > 的字符串，也用集合；比例以正确的词的三元组为分
母。

The word oo: left out gives o (twice the same), doubled ooo (twice the same),
exchanged oo, the word itself: two misspellings. Trigrams of <oo>: <oo, oo>. Of <o>:
<o>, none in common: 0. Of <ooo>: <oo, ooo, oo>: both: 1. Mean 1/2.

单词 oo：漏字母得 o（两次一样），重复得 ooo（两次一样），对调还是 oo，即原词：错拼有
两个。<oo> 的三元组：<oo、oo>。<o> 的：<o>，没有相同的，0。<ooo> 的：<oo、ooo、oo>，
两个都在，1。平均 1/2。
""",
}
