# %% [markdown] key="title" lang="en"
# # Exercises 08 · What do the layers know?
#
# Five functions (14 points) and two written answers (8 points): what stands on both sides of
# a split, what a probe merely remembers, senses by the nearest sentence, cosines in a layer
# that points one way, and what is left of a misspelt word. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="38a626f1"
# # 练习 08 · 各层学到了什么？
#
# 五个函数（14 分），两道笔答题（8 分）：划分的两边有什么重复，探针有多少只是背下来的，按最近的句子判断义项，在朝一个方向偏的层里比余弦，一个写错的词还剩下什么。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="leaks-task" lang="en"
# ## 1. Find the leak (2 points)
#
# A friend probes layer 2 for parts of speech: he shuffles all *tokens*, learns from most of
# them and asks about the rest. Example, with sentence numbers:
#
# ```
# train = [(1, "the"), (1, "river"), (2, "the"), (2, "bank")]
# test  = [(2, "bank"), (2, "closed"), (3, "the"), (3, "old"), (3, "river")]
# ```
#
# Two of the five test tokens come from sentence 2, of which training has tokens, too. In a
# contextual layer their vectors have read each other. And three of the five, *bank*, *the*
# and *river*, are words that training has: a probe may have memorised them.
#
# Write `leaks(train, test)` for two lists of (sentence number, word), neither empty. It
# returns two shares of the *test tokens*, each token counting once: of those whose sentence
# has a token in training, and of those whose word occurs in training, in whatever
# sentence. Here $\frac25$ and $\frac35$. A split by sentence makes the first one 0; only a
# split by word makes the second one 0.

# %% [markdown] key="leaks-task" lang="zh" follows="d7820966"
# ## 1. 找出泄漏（2 分）
#
# 有位朋友用探针测第 2 层的词性：他把所有*词次*打乱，大部分用来学，剩下的用来问。例（带句子编号）：
#
# ```
# train = [(1, "the"), (1, "river"), (2, "the"), (2, "bank")]
# test  = [(2, "bank"), (2, "closed"), (3, "the"), (3, "old"), (3, "river")]
# ```
#
# 测试的五个词次里，有两个来自第 2 句，而训练部分也有第 2 句的词次。在带上下文的层里，它们的向量互相“读过”对方。五个里还有三个（*bank*、*the*、*river*），词本身在训练部分出现过：探针可能已经背了下来。
#
# 请写 `leaks(train, test)`，输入是两个列表，元素是（句子编号，词），都不为空。返回两个占*测试词次*的比例，每个词次算一次：所在的句子在训练部分也有词次的；词在训练部分出现过的（不管在哪一句）。这里是 $\frac25$ 和 $\frac35$。按句子划分，第一个就是 0；只有按词划分，第二个才是 0。


# %% key="leaks" role="answer"
def leaks(train, test):
    """Return shares by sentence and by word / 返回按句子和按词泄漏的比例."""
    ### BEGIN SOLUTION
    sentences = {sentence for sentence, _ in train}
    words = {word for _, word in train}
    by_sentence = [sentence in sentences for sentence, _ in test]
    by_word = [word in words for _, word in test]
    return sum(by_sentence) / len(test), sum(by_word) / len(test)
    ### END SOLUTION


# %% key="test_leaks" role="test" points=2
from course_lib.grading import check  # in case your code has a `check` of its own

check("08.leaks", leaks)
### BEGIN HIDDEN TESTS
check("08.leaks", leaks, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="selectivity-task" lang="en"
# ## 2. A probe that only remembers (3 points)
#
# What would a probe reach that understands nothing and forgets nothing? It remembers each
# training word's commonest tag, and gives a word that it has not met the commonest tag of
# all training tokens. Example:
#
# ```
# train = [("the", "DET"), ("play", "NOUN"), ("play", "VERB"), ("play", "NOUN"),
#          ("they", "PRON"), ("run", "VERB"), ("a", "DET"), ("walk", "NOUN")]
# test  = [("the", "DET"), ("play", "VERB"), ("they", "PRON"), ("dance", "NOUN")]
# ```
#
# It is right about *the* and *they*, wrong about *play*, and right about *dance* by luck: it
# answers `NOUN`, the tag of 3 of the 8 training tokens. Accuracy $\frac34$. Now the control
# task. `lot` gives every word a tag drawn by lot, here
#
# ```
# {"the": "VERB", "play": "DET", "they": "NOUN", "run": "VERB", "a": "NOUN",
#  "walk": "PRON", "dance": "NOUN"}
# ```
#
# The same memory learns the *drawn* tags of the training tokens from the beginning, and is
# asked for the drawn tags of the test tokens. It is right about *the*, *play* and *they*;
# *dance* gets `DET` (3 of 8 drawn tags) and is wrong. Control $\frac34$, selectivity
# $\frac34-\frac34=0$: all of it was memory.
#
# Write `selectivity(train, test, lot)`. It returns accuracy, control and selectivity. In the
# checks no two tags are equally common where it matters.

# %% [markdown] key="selectivity-task" lang="zh" follows="3a555fc9"
# ## 2. 只会背的探针（3 分）
#
# 一个什么也不懂、但什么也不忘的探针，能得多少分？它记住每个训练词最常见的词性；没见过的词，就答全部训练词次里最常见的词性。例：
#
# ```
# train = [("the", "DET"), ("play", "NOUN"), ("play", "VERB"), ("play", "NOUN"),
#          ("they", "PRON"), ("run", "VERB"), ("a", "DET"), ("walk", "NOUN")]
# test  = [("the", "DET"), ("play", "VERB"), ("they", "PRON"), ("dance", "NOUN")]
# ```
#
# *the* 和 *they* 答对，*play* 答错，*dance* 碰巧答对：它答 `NOUN`，那是 8 个训练词次里 3 个的词性。准确率 $\frac34$。再做对照任务。`lot` 给每个词抽签定一个词性，这里是
#
# ```
# {"the": "VERB", "play": "DET", "they": "NOUN", "run": "VERB", "a": "NOUN",
#  "walk": "PRON", "dance": "NOUN"}
# ```
#
# 同样的记忆从头学训练词次的*抽签*词性，再被问测试词次的抽签词性。*the*、*play*、*they* 都答对；*dance* 它答 `DET`（8 个抽签词性里占 3 个），错了。对照 $\frac34$，选择性 $\frac34-\frac34=0$：全是背下来的。
#
# 请写 `selectivity(train, test, lot)`，返回准确率、对照任务的准确率和选择性。检查用的数据里，需要比较多少的地方不会有并列。


# %% key="selectivity" role="answer"
def selectivity(train, test, lot):
    """Return accuracy, control, difference / 返回准确率、对照和两者之差."""

    ### BEGIN SOLUTION
    def most(tags):
        return max(sorted(set(tags)), key=tags.count)

    def accuracy(train, test):
        tags = {}
        for word, tag in train:
            tags.setdefault(word, []).append(tag)
        unknown = most([tag for _, tag in train])
        told = [most(tags[word]) if word in tags else unknown for word, _ in test]
        return np.mean([t == tag for t, (_, tag) in zip(told, test)])

    task = accuracy(train, test)
    drawn = [[(word, lot[word]) for word, _ in part] for part in (train, test)]
    control = accuracy(*drawn)
    return task, control, task - control
    ### END SOLUTION


# %% key="test_selectivity" role="test" points=3
from course_lib.grading import check

check("08.selectivity", selectivity)
### BEGIN HIDDEN TESTS
check("08.selectivity", selectivity, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="name_senses-task" lang="en"
# ## 3. The nearest sentence, or the first sense (3 points)
#
# Four labelled occurrences, as (word, sense), with their vectors in a layer:
#
# ```
# bank 1: (3, 1)    bank 2: (0, 1)    play 3: (1, 1)    bank 2: (2, 5)
# ```
#
# A *bank* with the vector $(2, 1)$ has the cosines 0.990, 0.447 and 0.747 to the three labelled
# *banks*: sense 1. (To the *play* it has 0.949; that is another word, whose numbers mean
# something else.) A *play* has one labelled sentence only, so it gets sense 3. For a *star*
# there is none: **back off** to the first sense of *star* in the dictionary.
#
# Write `name_senses(x, labelled, asked, words, first)`. `x` has shape `(N, D)`, `labelled` is
# the list of its (word, sense), `asked` has shape `(M, D)`, `words` are its M words, and
# `first` is a dictionary from each word to its first sense. Return M senses: that of the
# single nearest labelled occurrence of the same word by the cosine, or the first one.

# %% [markdown] key="name_senses-task" lang="zh" follows="22b5c82d"
# ## 3. 最近的句子，或者第一义项（3 分）
#
# 四次带标注的出现，写成（词，义项），和它们在某一层的向量：
#
# ```
# bank 1: (3, 1)    bank 2: (0, 1)    play 3: (1, 1)    bank 2: (2, 5)
# ```
#
# 一个向量为 $(2, 1)$ 的 *bank*，与三个带标注的 *bank* 的余弦是 0.990、0.447、0.747：义项 1。（与那个 *play* 的余弦是 0.949，但那是别的词，编号的意思不同。）*play* 只有一句标注，所以答义项 3。*star* 一句也没有：**退回**词典里 *star* 的第一义项。
#
# 请写 `name_senses(x, labelled, asked, words, first)`。`x` 的形状是 `(N, D)`，`labelled` 是对应的（词，义项）列表，`asked` 的形状是 `(M, D)`，`words` 是对应的 M 个词，`first` 是从词到第一义项的字典。返回 M 个义项：同一个词里余弦最大的那一次出现的义项，没有就用第一义项。


# %% key="name_senses" role="answer"
def name_senses(x, labelled, asked, words, first):
    """Return a sense for each asked vector / 给每个被问的向量返回一个义项."""
    ### BEGIN SOLUTION
    senses = []
    for vector, word in zip(asked, words):
        cosines = {
            i: x[i] @ vector / np.sqrt(x[i] @ x[i])
            for i, (other, _) in enumerate(labelled)
            if other == word
        }
        if cosines:
            senses.append(labelled[max(cosines, key=cosines.get)][1])
        else:
            senses.append(first[word])
    return senses
    ### END SOLUTION


# %% key="test_name_senses" role="test" points=3
from course_lib.grading import check

check("08.name_senses", name_senses)
### BEGIN HIDDEN TESTS
check("08.name_senses", name_senses, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="beyond-task" lang="en"
# ## 4. Alike, beyond any two words (3 points)
#
# Example: *of* has the vectors $(1, 0)$ and $(0, 2)$ in two sentences, *river* has $(3, 0)$ and
# $(0, 1)$. The two of *of* have cosine 0, so have those of *river*: the **self-similarity** is 0
# on average. But take one *of* and one *river*: four pairs, with cosines 1, 0, 0, 1. So two
# different words have $\frac12$ on average, the **anisotropy**. A word is less like itself
# here than like any other: the difference is $-\frac12$.
#
# Write `beyond(x, words)` for vectors of shape `(N, D)` and the list of their N words. Return
# three numbers:
#
# * the self-similarity: for each word that occurs at least twice, the mean cosine over all
#   pairs of its occurrences; then the mean over these words;
# * the anisotropy: the mean cosine over all pairs of occurrences of two *different* words;
# * their difference.
#
# Take the vectors as they are. There are always at least two words, one of which occurs
# twice.

# %% [markdown] key="beyond-task" lang="zh" follows="9e7acd41"
# ## 4. 像，是比随便两个词更像（3 分）
#
# 例：*of* 在两句里的向量是 $(1, 0)$ 和 $(0, 2)$，*river* 是 $(3, 0)$ 和 $(0, 1)$。*of* 的两个向量余弦是 0，*river* 的也是：**自相似度**平均是 0。再拿一个 *of* 和一个 *river* 来比：四对，余弦是 1、0、0、1，所以两个不同的词平均是 $\frac12$，这就是**各向异性**。在这里，一个词和自己还不如和别的词像：差是 $-\frac12$。
#
# 请写 `beyond(x, words)`，输入是形状为 `(N, D)` 的向量和对应的 N 个词。返回三个数：
#
# * 自相似度：对每个至少出现两次的词，求它各次出现两两余弦的平均；再对这些词求平均；
# * 各向异性：两个*不同*的词的所有成对出现的余弦的平均；
# * 两者之差。
#
# 向量按原样使用。词至少有两个，其中至少一个出现过两次。


# %% key="beyond" role="answer"
def beyond(x, words):
    """Return self-similarity, anisotropy, difference / 返回自相似度、各向异性、差."""
    ### BEGIN SOLUTION
    x = x / np.sqrt((x * x).sum(axis=1, keepdims=True))
    cosines = x @ x.T
    words = np.array(words)
    same = words[:, None] == words
    own = []
    for word in set(words):
        rows = cosines[words == word][:, words == word]
        n = len(rows)
        if n > 1:
            own.append((rows.sum() - n) / (n * n - n))
    alike, anisotropy = np.mean(own), cosines[~same].mean()
    return alike, anisotropy, alike - anisotropy
    ### END SOLUTION


# %% key="test_beyond" role="test" points=3
from course_lib.grading import check

check("08.beyond", beyond)
### BEGIN HIDDEN TESTS
check("08.beyond", beyond, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="oov_report-task" lang="en"
# ## 5. What is left of a misspelt word? (3 points)
#
# Three kinds of slips: two neighbours **exchanged**, one letter **left out**, one letter
# **doubled**. For *bat*: `abt`, `bta`; `at`, `bt`, `ba`; `bbat`, `baat`, `batt`. Eight
# misspellings.
#
# A word table with the rows *bat*, *at* and *cat* knows one of the eight, *at*, and takes it
# for another word: the worst of mistakes, because nobody notices. The other seven are all
# `<unk>`. A table of n-grams looks at the pieces of `<bat>`, its trigrams `<ba`, `bat` and
# `at>`. Of these three `at` has one left, `at>`, `batt` has `<ba` and `bat`, `abt` none. Over
# the eight misspellings a third is left on average.
#
# Write `oov_report(words, table)`. For each word make all misspellings by *one* slip: the
# different strings (with `book`, either *o* left out gives the same one) that are not the word
# itself. Return two numbers, over all misspellings of all words, each with the same weight
# (one that two words share counts for each of them): the share that stands in `table`, a set
# of strings; and the mean share of the word's different trigrams that the misspelling has,
# too. Words have two letters or more; the marks `<` and `>` stand around the word and around
# the misspelling.

# %% [markdown] key="oov_report-task" lang="zh" follows="99dd2e84"
# ## 5. 一个写错的词还剩下什么？（3 分）
#
# 三类笔误：相邻两个字母**颠倒**，**漏**一个字母，**重复**一个字母。以 *bat* 为例：`abt`、`bta`；`at`、`bt`、`ba`；`bbat`、`baat`、`batt`。一共八个错拼。
#
# 一张有 *bat*、*at*、*cat* 三行的词表，认得八个中的一个 *at*，并把它当成别的词：这是最糟的错，因为没人察觉。其余七个都是 `<unk>`。n-gram 表看的是 `<bat>` 的片段，也就是三元组 `<ba`、`bat`、`at>`。这三个里，`at` 还剩一个 `at>`，`batt` 剩 `<ba` 和 `bat`，`abt` 一个也不剩。八个错拼平均剩三分之一。
#
# 请写 `oov_report(words, table)`。对每个词，列出*一次*笔误得到的所有错拼：不同的字符串（`book` 漏掉哪个 *o* 结果都一样，只算一个），并且不是原词本身。返回两个数，在所有词的所有错拼上计算，每个错拼一样重（两个词共有的错拼，对每个词各算一次）：在 `table`（字符串的集合）里的比例；原词的不同三元组中，错拼也有的比例的平均。词至少两个字母；原词和错拼两边都加上标记 `<` 和 `>`。


# %% key="oov_report" role="answer"
def oov_report(words, table):
    """Return shares known, and of trigrams left / 返回在词表里的和三元组剩下的比例."""

    ### BEGIN SOLUTION
    def trigrams(word):
        return set(zip("<" + word, word + ">", (word + ">")[1:]))

    known, left = [], []
    for word in words:
        slips = set()
        for i, letter in enumerate(word):
            before, after = word[:i], word[i:][1:]
            slips |= {before + after, before + letter + letter + after}
            if after:
                slips.add(before + after[0] + letter + after[1:])
        for slip in slips - {word}:
            known.append(slip in table)
            own = trigrams(word)
            left.append(len(own & trigrams(slip)) / len(own))
    return np.mean(known), np.mean(left)
    ### END SOLUTION


# %% key="test_oov_report" role="test" points=3
from course_lib.grading import check

check("08.oov_report", oov_report)
### BEGIN HIDDEN TESTS
check("08.oov_report", oov_report, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="characters-question" lang="en"
# ## 6. When does a character network pay? (written, 4 points)
#
# You may choose between a table of words, a table of hashed n-grams and a character CNN as
# the first layer. Answer in 80 to 170 words. Points:
#
# 1. **Where it helps** (1): at least two kinds of input in which characters carry what the
#    table lacks, with an example each.
# 2. **Where it does not** (1): a case in which spelling misleads or says nothing, or what it
#    costs.
# 3. **Chinese** (1): what is different there, and what may still help.
# 4. **A fair test** (1): which measurement decides for a given task; which rivals stand
#    beside it and what must be equal.

# %% [markdown] key="characters-question" lang="zh" follows="827196d1"
# ## 6. 字符网络什么时候划算？（笔答，4 分）
#
# 第一层可以用词表、哈希 n-gram 表或字符 CNN。请用 150 到 300 字回答。评分点：
#
# 1. **什么时候有用**（1 分）：至少两类输入，其中字符带有词表没有的信息，各举一例。
# 2. **什么时候没用**（1 分）：举一个写法会误导人、或者什么也没说的情形，或者说明它的代价。
# 3. **中文**（1 分）：有什么不同，还有什么能帮上忙。
# 4. **公平的检验**（1 分）：对一个具体任务，用什么测量来决定；旁边放哪些对手，哪些条件必须相同。

# %% [markdown] key="characters-answer" lang="en" role="written" points=4
# Characters help where new words are made of known parts: *unwatchable* in a review, an
# inflected form of a rare verb, a name like *Thompsonville*; and with typing errors, where
# *definately* keeps its ending while a table says `<unk>`. They do not help where form and
# meaning part: *bank* and *blank* look alike, *big* and *large* do not; and the network costs
# more time than looking up a row. Most Chinese words have one or two characters; a wrong one spoils
# half of the word, and UTF-8 bytes say nothing about the strokes; new compounds of known
# characters can still profit. Test: the same probe, the same training sentences, the same
# pre-training text; accuracy on words that the table lacks and on sentences with 0 to 30 %
# misspelt words, over several seeds. Beside the CNN: the table with `<unk>`, hashed n-grams, and
# a model that sees the context.

# %% [markdown] key="characters-answer" lang="zh" follows="f0e2adea"
# 新词由熟悉的部件组成时，字符有用：评论里的 *unwatchable*，冷僻动词的变形，*Thompsonville* 这样的地名；有错别字时也有用，*definately* 的词尾还在，词表却只有 `<unk>`。形和义脱节时没用：*bank* 和 *blank* 长得像，意思不相干；*big* 和 *large* 长得不像，意思相近。而且它比查一行表费时间。中文词大多只有一两个字，错一个字就毁掉半个词，UTF-8 字节也不反映笔画；由常用字组成的新复合词仍可能受益。检验：同样的探针、同样的训练句子、同样的预训练语料，比较词表没有的词的准确率，以及 0 到 30% 的词写错时的准确率，用多个随机种子。旁边放上带 `<unk>` 的词表、哈希 n-gram，还有看上下文的模型。

# %% [markdown] key="lower-question" lang="en"
# ## 7. Why do lower layers suit syntax? (written, 4 points)
#
# "Lower layers know syntax, higher layers meaning." Explain and criticise, in 80 to 170
# words. Points:
#
# 1. **A mechanism** (1): why the distance to the input or to the softmax could have this
#    effect.
# 2. **The size** (1): how large the differences are, in the paper or in your run, and beside
#    which baseline.
# 3. **What a probe does not show** (1): probe accuracy is not what the model uses, nor which
#    layer a task's learned weights prefer.
# 4. **What follows** (1): a consequence for using the model, and a test of it.

# %% [markdown] key="lower-question" lang="zh" follows="6e837610"
# ## 7. 为什么低层适合句法？（笔答，4 分）
#
# “低层懂句法，高层懂语义。”请用 150 到 300 字解释并评论。评分点：
#
# 1. **机制**（1 分）：离输入或离 softmax 的远近，为什么可能造成这种差别。
# 2. **大小**（1 分）：论文里或你自己的实验里，差别有多大，和什么基线相比。
# 3. **探针没有说明什么**（1 分）：探针的准确率不等于模型用到了它，也不等于任务学出的权重偏爱哪一层。
# 4. **推论**（1 分）：对使用这个模型有什么影响，怎样检验。

# %% [markdown] key="lower-answer" lang="en" role="written" points=4
# Part of speech depends on the word's form and its close neighbours, which the first layer
# has at once. The top layer must help the softmax to name the *next* word; it keeps topic and
# meaning that serve this, and may drop details of the word itself. But the paper's
# differences are 0.5 points for POS (97.3 and 96.8) and 1.6 for senses (67.4 and 69.0), beside
# a first sense of 65.9; both layers know both, and in our runs the step from layer 0 is mostly far larger. A
# probe says that a linear reader finds the label, with so many examples; a control task says
# how much is memory. It does not say that the model uses it, and learned weights answer
# another question: at the input all tasks of the paper prefer layer 1. So give the task all layers and a learned
# mix; test it against the top layer and a uniform mix, over several seeds.

# %% [markdown] key="lower-answer" lang="zh" follows="11e0a3c0"
# 词性取决于词形和紧邻的词，第一层立刻就有。最高层要帮 softmax 猜出*下一个*词，会保留对此有用的话题和意义，词本身的细节可能丢掉一些。但论文里的差别是：词性 0.5 个点（97.3 和 96.8），义项 1.6 个点（67.4 和 69.0），而第一义项的基线是 65.9；两层都含两种信息；在本课的实验里，从第 0 层到第 1 层的一步多半大得多。探针只说明，用线性读法和这么多标注，读得出来；对照任务说明其中多少是背的。它没有说明模型自己用到了，学出来的层权重回答的又是另一个问题：论文里，接在输入端时所有任务都偏爱第 1 层。所以应当把各层都交给任务，让它学混合的权重，再和只用最高层、平均混合作比较，用多个随机种子来检验。
