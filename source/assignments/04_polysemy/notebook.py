# %% [markdown] key="title" lang="en"
# # Exercises 04 · One word, several senses
#
# Five functions (11 points) and two written answers (8 points): what a single vector makes of
# two senses, an example of your own, one step of training with a frozen first layer, and
# what segmentation hides in Chinese. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="14a22b51"
# # 练习 04 · 一词多义
#
# 五个函数（11 分），两道笔答题（8 分）：一个向量怎样对待两个义项，自己造一个例子，第一层冻结时训练一步会怎样，还有中文分词藏起了什么。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="mixing_weight-task" lang="en"
# ## 1. What is in the vector of a pseudoword? (2 points)
#
# Merge two words into one, train vectors, and ask how much of each is in the mixture.
#
# Example: the parts have the vectors $u=(4, 0)$ and $v=(0, 2)$, the pseudoword has
# $p=(3.5,\ 1.5)$. With the weight $a=\frac34$ the mixture is
# $\frac34u+\frac14v=(3,\ 0.5)$. It misses $p$ by $(0.5,\ 1)$, and no other weight comes
# nearer.
#
# Write `mixing_weight(p, u, v)` for three different vectors of shape `(D,)`. It returns the
# number $a$ that minimises $\lVert p-(a\,u+(1-a)\,v)\rVert^2$. Set the derivative to zero on
# paper: the solution is one line. Take the vectors as they are. The best $a$ may lie outside
# 0 … 1. (The lesson fits two free weights and looks at their ratio; here they add up to 1.)

# %% [markdown] key="mixing_weight-task" lang="zh" follows="cdc67fe8"
# ## 1. 伪词的向量里有什么？（2 分）
#
# 把两个词合并成一个，训练词向量，再问：合并后的向量里，两个词各占多少？
#
# 例：两个成分的向量是 $u=(4, 0)$ 和 $v=(0, 2)$，伪词的向量是 $p=(3.5,\ 1.5)$。取权重 $a=\frac34$，混合得到 $\frac34u+\frac14v=(3,\ 0.5)$，与 $p$ 相差 $(0.5,\ 1)$；换别的权重都不会更近。
#
# 请写 `mixing_weight(p, u, v)`，输入是三个不同的向量，形状为 `(D,)`。返回使 $\lVert p-(a\,u+(1-a)\,v)\rVert^2$ 最小的数 $a$。先在纸上令导数为零：答案只有一行。向量按原样使用。最好的 $a$ 可能落在 0 到 1 之外。（课上拟合两个自由的权重，再看它们的比例；这里两个权重之和为 1。）


# %% key="mixing_weight" role="answer"
def mixing_weight(p, u, v):
    """Return the share of u in p by least squares / 用最小二乘求 u 在 p 中的权重."""
    ### BEGIN SOLUTION
    line = u - v
    return (p - v) @ line / (line @ line)
    ### END SOLUTION


# %% key="test_mixing_weight" role="test" points=2
from course_lib.grading import check  # in case your code has a `check` of its own

check("04.mixing_weight", mixing_weight)
### BEGIN HIDDEN TESTS
check("04.mixing_weight", mixing_weight, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="static_scores-task" lang="en"
# ## 2. How well can a static vector do? (2 points)
#
# Example: six sentences, labelled with word and sense number.
#
# ```
# [("bank", 1), ("bank", 1), ("apple", 1), ("bank", 2), ("bank", 1), ("apple", 2)]
# ```
#
# A static model gives all four sentences of *bank* the same vector. A reader of this vector
# can at best always answer with the word's most frequent sense: right in 3 of 4 sentences of
# *bank* and in 1 of 2 of *apple*, together $4/6$. Another reader asks the nearest *other*
# sentence. But all sentences of the word are equally near, with cosine 1 (those of another
# word are farther away), so that one of them is drawn. A *bank* sentence of sense 1 is
# answered rightly with chance $2/3$, that of sense 2 never, and so for *apple*: together
# $(3\cdot\frac23)/6=2/6$.
#
# Write `static_scores(sentences)` for a list of such pairs. It returns two shares of all
# sentences, between 0 and 1: that of the most frequent sense of each word, and the expected
# one of the nearest neighbour. Every word has two sentences at least. The sense numbers are
# those of a dictionary: sense 1 of *bank* and sense 1 of *apple* have nothing in common.

# %% [markdown] key="static_scores-task" lang="zh" follows="a6343d07"
# ## 2. 静态向量最多能做到多好？（2 分）
#
# 例：六个句子，标着词和义项编号。
#
# ```
# [("bank", 1), ("bank", 1), ("apple", 1), ("bank", 2), ("bank", 1), ("apple", 2)]
# ```
#
# 静态模型给 *bank* 的四个句子同一个向量。只看这个向量，最好的办法是总答这个词最常见的义项：*bank* 四句对三句，*apple* 两句对一句，合起来是 $4/6$。另一种办法是去问最近的*另一个*句子。可是同一个词的句子都一样近，余弦都是 1（别的词要远一些），只能从中抽一个。*bank* 义项 1 的句子答对的机会是 $2/3$，义项 2 的那句永远答错，*apple* 的两句也是：合起来是 $(3\cdot\frac23)/6=2/6$。
#
# 请写 `static_scores(sentences)`，输入是这样的列表。返回两个占全部句子的比例，在 0 和 1 之间：每个词总答最常见义项的准确率，以及最近邻准确率的期望值。每个词至少有两个句子。义项编号是词典里的编号：*bank* 的义项 1 和 *apple* 的义项 1 毫无关系。


# %% key="static_scores" role="answer"
def static_scores(sentences):
    """Return the shares of majority and neighbour / 返回多数义项和最近邻的准确率."""
    ### BEGIN SOLUTION
    majority = neighbour = 0.0
    for word in {word for word, _ in sentences}:
        senses = [sense for w, sense in sentences if w == word]
        counts = [senses.count(sense) for sense in set(senses)]
        majority += max(counts)
        neighbour += sum(n * (n - 1) for n in counts) / (len(senses) - 1)
    return majority / len(sentences), neighbour / len(sentences)
    ### END SOLUTION


# %% key="test_static_scores" role="test" points=2
from course_lib.grading import check

check("04.static_scores", static_scores)
### BEGIN HIDDEN TESTS
check("04.static_scores", static_scores, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="own_example-task" lang="en"
# ## 3. An example of your own (3 points)
#
# Example, with invented vectors: “the crane lifted steel” and “the crane laid eggs”. The word
# *crane* has one vector, so its cosine with itself is 1, whatever it means. Around it stand
# *the* $(1, 1)$ and *steel* $(3, 1)$, on average $(2, 1)$; and *the* $(1, 1)$ and *eggs*
# $(-1, 3)$, on average $(0, 2)$. *lifted* and *laid* have no vector and are skipped. The
# cosine of the two averages is $2/(\sqrt5\cdot2)\approx0.447$: the context differs where the
# word does not.
#
# Invent two sentences, both English or both Chinese, with one word in two senses. Take a word
# of the course's sense sentences that has a vector (*bank*, *play*, *apple*, *match*, …,
# 苹果, 打, 小米, 意思, …; the check lists them all). Write `own_example(vectors)`. It returns
# five things:
#
# * `word`, and the sentences `first` and `second`: strings, with a space between any two
#   words, in Chinese too, and around punctuation;
# * `static`: the cosine of the word's vector in `first` with its vector in `second`;
# * `context`: the cosine of the average of the *other* words' vectors in `first` with that in
#   `second`.
#
# `vectors` is a dictionary from words to arrays of shape `(D,)`: the check tries several,
# real ones and random ones. It always holds your word; other words that it lacks are skipped.
# For the average every other token counts, written as in the sentence: punctuation that has a
# vector, too, and a word that comes twice counts twice.
# Your sentences must satisfy this:
#
# * The word stands exactly once in each, in the same form. Beside it stand at least 6
#   different words that have a vector in the course's static vectors.
# * At least 3 of them are in both sentences: a few other words should make the difference.
# * They are new: not sentences of the course, and no variations of them.
# * A simple reader of the context finds two different senses. It averages the course's static
#   vectors of the other words, frequent words counting less, and takes the sense whose
#   average over the course's sentences is nearest.
#
# The reader is no judge of style: whether your sentences are good and mean what you say, a
# person reads in question 6.

# %% [markdown] key="own_example-task" lang="zh" follows="e62556c3"
# ## 3. 自己造一个例子（3 分）
#
# 例（向量是编的）：“这 梨 水分 很 足”和“这 数字 水分 很 大”。“水分”只有一个向量，不管是什么意思，它和自己的余弦都是 1。第一句里，它旁边有“这” $(1, 1)$ 和“梨” $(3, 1)$，平均是 $(2, 1)$；第二句里有“这” $(1, 1)$ 和“数字” $(-1, 3)$，平均是 $(0, 2)$。“很”“足”“大”没有向量，跳过。两个平均的余弦是 $2/(\sqrt5\cdot2)\approx0.447$：词看不出差别，上下文看得出。
#
# 请造两个句子，都用中文或都用英文，里面同一个词表示两个义项。词要从课程的义项例句里选，而且要有词向量（苹果、打、小米、意思……，*bank*、*play*、*apple*、*match*……；检查程序会列出全部）。请写 `own_example(vectors)`，返回五样东西：
#
# * `word`，以及句子 `first` 和 `second`：都是字符串，词与词之间用空格隔开（中文也要自己分好词），标点前后也要有空格；
# * `static`：这个词在 `first` 里的向量和它在 `second` 里的向量的余弦；
# * `context`：`first` 里*其他*词的向量的平均，与 `second` 里其他词的平均的余弦。
#
# `vectors` 是一个字典，从词到形状为 `(D,)` 的数组：检查时会换好几个，有真的，也有随机的。你选的词一定在里面；别的词如果不在，就跳过。求平均时，其余每个记号都算，写法照句子原样：标点有向量的也算，出现两次的词算两次。句子要满足：
#
# * 这个词在每句里恰好出现一次，形式相同。它旁边至少有 6 个不同的词，在课程的静态词向量里有向量。
# * 其中至少 3 个词两句都有：差别应当只在少数几个词上。
# * 句子是新写的，不是课程里的例句，也不是它们的改写。
# * 一个简单的程序看上下文，认出两个不同的义项。它把其他词的静态词向量平均起来（常见的词分量轻一些），再看离哪个义项的例句的平均最近。
#
# 这个程序不会评判文笔：句子好不好，意思是不是你说的那样，由人在第 6 题里看。


# %% key="own_example" role="answer"
def own_example(vectors):
    """Return word, two sentences, two cosines / 返回词、两个句子和两个余弦."""
    ### BEGIN SOLUTION
    word = "bank"
    first = "In the evening she went to the bank to see the ducks swim in the stream ."
    second = "In the morning she went to the bank to ask for a loan on her house ."

    def average(sentence):
        others = [w for w in sentence.split() if w != word and w in vectors]
        return np.mean([vectors[w] for w in others], axis=0)

    def cosine(x, y):
        return x @ y / np.sqrt((x @ x) * (y @ y))

    static = cosine(vectors[word], vectors[word])
    context = cosine(average(first), average(second))
    return word, first, second, static, context
    ### END SOLUTION


# %% key="test_own_example" role="test" points=3
from course_lib.grading import check

check("04.own_example", own_example)
### BEGIN HIDDEN TESTS
check("04.own_example", own_example, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="train_step-task" lang="en"
# ## 4. Frozen or trained? (3 points)
#
# A classifier looks its words up in a table `E` of shape `(V, D)`, the pre-trained vectors.
# It averages them to $h$ and gives each of `K` classes a score, `W @ h`, with `W` of shape
# `(K, D)`. The loss is $-\log p_{\text{label}}$ with $p=\mathrm{softmax}(Wh)$.
#
# Example: rows $(2, 0)$, $(0, 2)$ and $(1, 1)$ in `E`, the identity as `W`, the sentence
# `[0, 1]`, label 0, rate 1. Then $h=(1, 1)$ and $p=(\frac12, \frac12)$. The gradient of the
# scores is $p$ minus 1 at the label, $(-\frac12, \frac12)$. After the step `W` is
#
# ```
# [[ 1.5, 0.5],
#  [-0.5, 0.5]]
# ```
#
# If `E` is frozen, it stays. If not, rows 0 and 1 become $(2.25, -0.25)$ and
# $(0.25, 1.75)$: each of the two words has half of $h$, and so half of its gradient. Row 2
# stays; a word that does not come does not learn.
#
# Write `train_step(E, W, words, label, rate, frozen)`: one step of gradient descent on one
# sentence. `words` is a list of row numbers; a word that comes twice learns twice. Both
# gradients belong to the *old* `E` and `W`. If `frozen` is True, `E` is no parameter; `W` is
# always trained. Return the new tables below each other, `np.vstack([E, W])`, of shape
# `(V + K, D)`. By hand or with torch: as you like.

# %% [markdown] key="train_step-task" lang="zh" follows="73a72526"
# ## 4. 冻结还是训练？（3 分）
#
# 一个分类器从形状为 `(V, D)` 的表 `E`（预训练的词向量）里查词，求平均得到 $h$，再用形状为 `(K, D)` 的 `W` 给 `K` 个类别打分：`W @ h`。损失是 $-\log p_{\text{label}}$，其中 $p=\mathrm{softmax}(Wh)$。
#
# 例：`E` 的三行是 $(2, 0)$、$(0, 2)$、$(1, 1)$，`W` 是单位矩阵，句子是 `[0, 1]`，标签是 0，学习率是 1。于是 $h=(1, 1)$，$p=(\frac12, \frac12)$。得分的梯度是 $p$ 在标签处减 1，即 $(-\frac12, \frac12)$。走一步之后，`W` 变成
#
# ```
# [[ 1.5, 0.5],
#  [-0.5, 0.5]]
# ```
#
# 如果 `E` 冻结，它就不变。如果不冻结，第 0 行和第 1 行变成 $(2.25, -0.25)$ 和 $(0.25, 1.75)$：两个词各占 $h$ 的一半，梯度也就各得一半。第 2 行不变：没出现的词什么也学不到。
#
# 请写 `train_step(E, W, words, label, rate, frozen)`：在一个句子上做一步梯度下降。`words` 是一列行号；出现两次的词要学两次。两个梯度都用*旧的* `E` 和 `W` 来算。`frozen` 为 True 时，`E` 不是参数；`W` 总要训练。把新的两张表上下叠在一起返回：`np.vstack([E, W])`，形状为 `(V + K, D)`。手算梯度或者用 torch 都可以。


# %% key="train_step" role="answer"
def train_step(E, W, words, label, rate, frozen):
    """Return E and W after one step / 返回走一步之后的 E 和 W."""
    ### BEGIN SOLUTION
    h = E[words].mean(axis=0)  # (D,)
    p = np.exp(W @ h)
    error = p / p.sum()  # (K,)
    error[label] -= 1
    new_E = E.copy()
    if not frozen:
        for word in words:
            new_E[word] -= rate * (error @ W) / len(words)
    return np.vstack([new_E, W - rate * np.outer(error, h)])
    ### END SOLUTION


# %% key="test_train_step" role="test" points=3
from course_lib.grading import check

check("04.train_step", train_step)
### BEGIN HIDDEN TESTS
check("04.train_step", train_step, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="alone_and_inside-task" lang="en"
# ## 5. What segmentation hides (1 point)
#
# Chinese is written without spaces; a program cuts it into words first. Example:
#
# ```
# [["他", "打", "水", "，", "护士", "打针", "。"], ["孩子", "们", "打打闹闹", "。"]]
# ```
#
# The character 打 (to hit, to fetch, to play, …) stands alone once, in “fetches water”. It
# stands inside longer words three times: in 打针, an injection, and twice in 打打闹闹, romping
# about. A model of words meets the ambiguity of 打 only where 打 stands alone; 打针 has a
# vector of its own.
#
# Write `alone_and_inside(sentences, character)` for a list of lists of words. It returns two
# numbers: how often the character is a word by itself, and how often it occurs inside longer
# words.

# %% [markdown] key="alone_and_inside-task" lang="zh" follows="618cc3c7"
# ## 5. 分词藏起了什么（1 分）
#
# 中文的词之间没有空格，要先由程序切分。例：
#
# ```
# [["他", "打", "水", "，", "护士", "打针", "。"], ["孩子", "们", "打打闹闹", "。"]]
# ```
#
# “打”单独成词一次，是“打水”的打；在更长的词里出现三次：“打针”一次，“打打闹闹”两次。以词为单位的模型，只有“打”单独成词时才会遇到它的多义；“打针”另有自己的向量。
#
# 请写 `alone_and_inside(sentences, character)`，`sentences` 是由词的列表组成的列表。返回两个数：这个字单独成词多少次，在更长的词里出现多少次。


# %% key="alone_and_inside" role="answer"
def alone_and_inside(sentences, character):
    """Return how often it is a word, and inside words / 返回单独成词和在词内的次数."""
    ### BEGIN SOLUTION
    alone = inside = 0
    for sentence in sentences:
        for word in sentence:
            if word == character:
                alone += 1
            else:
                inside += word.count(character)
    return alone, inside
    ### END SOLUTION


# %% key="test_alone_and_inside" role="test" points=1
from course_lib.grading import check

check("04.alone_and_inside", alone_and_inside)
### BEGIN HIDDEN TESTS
check("04.alone_and_inside", alone_and_inside, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="example-question" lang="en"
# ## 6. About your example (written, 4 points)
#
# Write about the two sentences of task 3, in 80 to 150 words. Points:
#
# 1. **Why static fails** (1): you explain how one vector for both senses comes about in
#    training, not only that it is one.
# 2. **What would be right** (1): you say which sense the word has in each sentence, which
#    words tell, and what a contextual model should do with its two vectors.
# 3. **Where the reader fails** (1): a sentence of the same word that the reader of task 3
#    takes for the wrong sense, or would, and the reason: what does an average not see?
# 4. **A word of your own** (1): a further pair of sentences for a word that is *not* in the
#    course's list, and the reason why no check of this notebook could have marked it.

# %% [markdown] key="example-question" lang="zh" follows="37e889f4"
# ## 6. 谈谈你的例子（笔答，4 分）
#
# 请就第 3 题的两个句子写 150 到 300 字。评分点：
#
# 1. **静态向量为什么失败**（1 分）：说明训练时怎么会让两个义项共用一个向量，而不只是说“只有一个向量”。
# 2. **怎样才算对**（1 分）：这个词在两句里各是哪个义项，哪些词说明了这一点，上下文模型应当怎样安排它的两个向量。
# 3. **程序什么时候看错**（1 分）：举一个含这个词的句子，第 3 题的程序会（或可能会）认错义项，并说明原因：平均看不到什么？
# 4. **你自己的词**（1 分）：再为一个*不在*课程词表里的词造一对句子，并说明为什么本练习的检查没法评判它。

# %% [markdown] key="example-answer" lang="en" role="written" points=4
# Training gives *bank* one row. Every sentence pulls this row towards its own neighbours,
# *loan* and *money* here, *stream* and *ducks* there; what remains is a compromise, nearer to
# the sense with more sentences. Nothing at test time can undo it. In my first sentence *bank*
# is the riverside, told by *ducks*, *swim* and *stream*; in the second it lends money, told by
# *loan*. A contextual model should put the first near other riversides and the second near
# other lenders. “We lay on the bank and talked about our house, our loan and our savings”:
# the reader says finance. An average sees which words are there, not that one *lies* on
# it, nor their order. My own word: *The seal slept on the ice* / *The seal on the letter was
# broken*. The check has no labelled sentences of *seal*, so it cannot know its senses.

# %% [markdown] key="example-answer" lang="zh" follows="6342874e"
# 训练时 *bank* 只有一行参数。每个句子都把这一行拉向自己的邻词，有时是 *loan*、*money*，有时是 *stream*、*ducks*；最后得到的是折中，离句子多的义项更近，使用时无法再分开。我的第一句里 *bank* 是河岸，*ducks*、*swim*、*stream* 说明了这一点；第二句里是贷款的银行，*loan* 说明了这一点。上下文模型应当让前者靠近其他的河岸，后者靠近其他的银行。“We lay on the bank and talked about our house, our loan and our savings”会被程序认成金融机构：平均只知道有哪些词，不知道人是*躺*在上面的，也不知道次序。我自己的词是“头”：“他 的 头 很 疼”和“这 头 牛 很 壮”。检查程序没有“头”的带标注的例句，不知道它有哪些义项，所以没法评判。

# %% [markdown] key="first_layer-question" lang="en"
# ## 7. Are word vectors pre-training? (written, 4 points)
#
# Vectors of words, trained on much text, become the first layer of a classifier that has few
# labels. Is this pre-training, and should the layer be frozen? Answer in 80 to 150 words.
# Points:
#
# 1. **What is transferred** (1): which parameters come from the text without labels, and
#    which start at random.
# 2. **Trained** (1): what happens to words that are in the few training sentences, and to
#    their neighbours that are not (task 4), and when that hurts.
# 3. **Frozen** (1): a case in which freezing is the worse choice, with the reason.
# 4. **A check** (1): a measurement that decides between the two for a given task, with what
#    must be equal in both, and the baseline.

# %% [markdown] key="first_layer-question" lang="zh" follows="8a94b4e8"
# ## 7. 词向量算预训练吗？（笔答，4 分）
#
# 用大量文本训练好的词向量，拿来做一个分类器的第一层，而标注很少。这算不算预训练？这一层要不要冻结？请用 150 到 300 字回答。评分点：
#
# 1. **迁移了什么**（1 分）：哪些参数来自无标注的文本，哪些从随机值开始。
# 2. **参与训练**（1 分）：在少量训练句子里出现过的词会怎样，没出现过的近义词会怎样（见第 4 题），什么时候会变差。
# 3. **冻结**（1 分）：举一个不该冻结的情形，并说明理由。
# 4. **检验**（1 分）：对一个具体任务，用什么测量来决定；两边哪些条件必须相同，和什么基线比较。

# %% [markdown] key="first_layer-answer" lang="en" role="written" points=4
# Yes, of the first layer only. The table of vectors comes from text without labels;
# everything above it, also how words are put together, starts at random and must be learned
# from the labels. If the table is trained, only rows of words in the training sentences
# move. *superb* moves to where the classifier wants it, *splendid*, its neighbour, stays
# behind if it did not come; with few labels a test sentence with *splendid* then meets a
# classifier fitted to other places. Freezing is worse when the vectors lack what the task
# needs: *good* and *bad* have much the same neighbours in text, so sentiment wants them
# moved apart, and with many labels most words are met. Check: same labelled sentences, same
# head, rate tuned on the same development set for both; accuracy at several numbers of
# labels, over several seeds; baseline: a table that starts at random.

# %% [markdown] key="first_layer-answer" lang="zh" follows="492e0a4c"
# 算，但只预训练了第一层。词向量表来自无标注的文本；上面的各层，包括怎样把词组合起来，都从随机值开始，要靠标注来学。如果这张表参与训练，只有训练句子里出现过的词会移动。“精彩”被移到分类器想要的地方，它的近义词“出色”没出现过，就留在原地；标注很少时，测试句里的“出色”遇到的是按别的位置调好的分类器。不该冻结的情形：向量里缺少任务需要的信息。“好”和“差”在文本里的邻词差不多，情感分类却需要把它们分开；标注多时，大部分词都能见到，就更应该训练。检验：同样的标注句子，同样的上层，两边的学习率都在同一个开发集上调；在几种标注数量下比较准确率，用多个随机种子；基线是从随机值开始的词表。
