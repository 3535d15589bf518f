# %% [markdown] key="title" lang="en"
# # Exercises 12 · Two language models make a translator
#
# Four functions (12 points) and two written answers (8 points): attention that does not see
# padding, copying parameters by name, three losses in one, and BLEU.
# Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# The course's package has relatives of some of
# these functions: read them if you are stuck, but write your own. There is no course
# package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="797a9130"
# # 练习 12 · 两个语言模型拼成一个翻译器
#
# 四个函数（12 分），两道笔答题（8 分）：看不见填充的注意力，按名字复制参数，三项损失合成一项，还有 BLEU。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。课程自带的包里有几个类似的函数：实在没有思路可以去读，但请自己动手写。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
import torch

from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

_ = torch.set_num_threads(1)

# %% [markdown] key="context-task" lang="en"
# ## 1. Attention to two layers (3 points)
#
# A source of two words, then one place of padding. The encoder's first layer has the states
# $h_1^1 = (1, 0)$, $h_2^1 = (0, 1)$, its last layer $h_1^N = (2, 0)$, $h_2^N = (0, 2)$; the padding
# may hold anything. The query is $q = (0.5, 0)$. The products with the *last* layer are 1 and 0,
# the weights $\alpha = (0.731, 0.269)$, and 0 for the padding. The same weights average both layers:
# $c^1 = (0.731, 0.269)$, $c^N = (1.462, 0.538)$, so $c = (0.731, 0.269, 1.462, 0.538)$:
#
# $$\alpha_i = \frac{\exp(q_t \cdot h_i^N)}{\sum_j \exp(q_t \cdot h_j^N)}, \qquad
#   c_t = \Big[\sum_i \alpha_i h_i^1; \sum_i \alpha_i h_i^N\Big].$$
#
# Write `context(q, first, top, lengths)`. `q` has the shape `(B, T, D)`, `first` and `top` `(B, S, D)`;
# `lengths` are the B numbers of real words, from 1 to S; padding stands behind. Return shape
# `(B, T, 2D)`.

# %% [markdown] key="context-task" lang="zh" follows="a808e9bb"
# ## 1. 看两层的注意力（3 分）
#
# 源句两个词，后面一个填充。编码器第一层的状态是 $h_1^1 = (1, 0)$、$h_2^1 = (0, 1)$，最高层是 $h_1^N = (2, 0)$、$h_2^N = (0, 2)$；填充处里面可以是任何东西。查询是 $q = (0.5, 0)$。它同*最高层*的点积是 1 和 0，权重 $\alpha = (0.731, 0.269)$，填充得 0。同一组权重去平均两层：$c^1 = (0.731, 0.269)$，$c^N = (1.462, 0.538)$，于是 $c = (0.731, 0.269, 1.462, 0.538)$：
#
# $$\alpha_i = \frac{\exp(q_t \cdot h_i^N)}{\sum_j \exp(q_t \cdot h_j^N)}, \qquad
#   c_t = \Big[\sum_i \alpha_i h_i^1; \sum_i \alpha_i h_i^N\Big]$$
#
# 请写 `context(q, first, top, lengths)`。`q` 的形状是 `(B, T, D)`，`first` 和 `top` 是 `(B, S, D)`；`lengths` 是 B 个句子真正的词数，从 1 到 S；填充在后面。返回形状为 `(B, T, 2D)`。


# %% key="context" role="answer"
def context(q, first, top, lengths):
    """Return the contexts of both layers / 返回两层的上下文向量."""
    ### BEGIN SOLUTION
    scores = q @ top.transpose(1, 2)  # (B, T, S)
    here = torch.arange(top.shape[1]) < lengths[:, None]  # (B, S)
    alpha = scores.masked_fill(~here[:, None], -torch.inf).softmax(dim=2)
    return torch.cat([alpha @ first, alpha @ top], dim=2)
    ### END SOLUTION


# %% key="test_context" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("12.context", context)
### BEGIN HIDDEN TESTS
check("12.context", context, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="copied-task" lang="en"
# ## 2. Copy by name (3 points)
#
# A translator's parameters are in a dictionary, as `state_dict()` gives it; here each tensor is one
# number. The two language models have dictionaries of their own:
#
# | translator | | source LM | | target LM | |
# |---|---|---|---|---|---|
# | `source.lstm.weight` | 1 | `lstm.weight` | 10 | `lstm.weight` | 20 |
# | `target.lstm.weight` | 2 | `softmax.bias` | 11 | `softmax.bias` | 21 |
# | `target.softmax.bias` | 3 | | | | |
# | `top.lstm.weight` | 4 | | | | |
#
# With the parts `["source.lstm", "target.softmax"]` it becomes 10, 2, 21, 4: a name belongs to a part if it
# *is* the part or goes on after it with a dot. What the translator calls `source.x` the source model calls `x`.
#
# Write `copied(model, source, target, parts)`. The first three are dictionaries from names to tensors; every
# wanted name is in its language model. Return one number for each entry of `model`, in its order: the **sum** of the
# tensor that it has after the copying. (A part `source.lstm` does not mean `source.lstm2.weight`.)

# %% [markdown] key="copied-task" lang="zh" follows="d865ee7e"
# ## 2. 按名字复制（3 分）
#
# 翻译器的参数放在一个字典里，就是 `state_dict()` 给的那种；这里每个张量只有一个数。两个语言模型各有自己的字典：
#
# | 翻译器 | | 源语言模型 | | 目标语言模型 | |
# |---|---|---|---|---|---|
# | `source.lstm.weight` | 1 | `lstm.weight` | 10 | `lstm.weight` | 20 |
# | `target.lstm.weight` | 2 | `softmax.bias` | 11 | `softmax.bias` | 21 |
# | `target.softmax.bias` | 3 | | | | |
# | `top.lstm.weight` | 4 | | | | |
#
# 要复制的部分是 `["source.lstm", "target.softmax"]`，结果就成了 10、2、21、4：名字*就是*这个部分，或者在它后面接一个点再往下写，才算属于它。翻译器里叫 `source.x` 的，源语言模型里叫 `x`。
#
# 请写 `copied(model, source, target, parts)`。前三个都是从名字到张量的字典；要复制的名字，语言模型里都有。按 `model` 的次序，给每一项返回一个数：复制之后，那个张量所有元素的**和**。（`source.lstm` 这个部分，不包括 `source.lstm2.weight`。）


# %% key="copied" role="answer"
def copied(model, source, target, parts):
    """Return each tensor's sum after copying / 返回复制后各张量的和."""
    ### BEGIN SOLUTION
    models, sums = {"source": source, "target": target}, []
    for name, tensor in model.items():
        side, _, rest = name.partition(".")
        if any((name + ".").startswith(part + ".") for part in parts):
            tensor = models[side][rest]
        sums.append(float(tensor.sum()))
    return sums
    ### END SOLUTION


# %% key="test_copied" role="test" points=3
from course_lib.grading import check

check("12.copied", copied)
### BEGIN HIDDEN TESTS
check("12.copied", copied, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="joint-task" lang="en"
# ## 3. Three losses, weighted equally (3 points)
#
# A translator has two softmaxes, one for each language; the target language's serves the pairs and its language model alike. You get
# three pairs of logits and targets: of the translations, of untranslated source sentences, of untranslated target
# sentences. The places of a sentence that do not count have the target −100.
#
# Each loss is the mean of $-\log p(\text{target})$ over the places that count, in nats per word; the three *means* are
# added up, whatever the numbers of words behind them. Example with two words in the list and logits $(0, 0)$ everywhere: each
# word costs $\ln 2 = 0.693$ nats, each mean is 0.693, and the joint loss is 2.079.
#
# Write `joint(logits, targets)`. `logits` is a list of three tensors `(B, T, V)`, `targets` one of three tensors
# `(B, T)`; B, T and V may differ from one to the next. Return the joint loss.

# %% [markdown] key="joint-task" lang="zh" follows="90948384"
# ## 3. 三个损失，同等权重（3 分）
#
# 一个翻译器有两个 softmax，两种语言各一个；目标语言的那个，译句对时用，作语言模型时也用。现在有三份 logits 和目标：译文的，没有翻译的源语言句子的，没有翻译的目标语言句子的。句子里不计分的位置，目标是 −100。
#
# 每个损失都是计分位置上 $-\log p(\text{目标})$ 的平均，单位是每词奈特；三个*平均*相加，不管背后各有多少词。例：词表只有两个词，logits 处处是 $(0, 0)$：每个词值 $\ln 2 = 0.693$ 奈特，每个平均都是 0.693，联合损失是 2.079。
#
# 请写 `joint(logits, targets)`。`logits` 是三个 `(B, T, V)` 张量的列表，`targets` 是三个 `(B, T)` 张量的列表；B、T、V 可以各不相同。返回联合损失。


# %% key="joint" role="answer"
def joint(logits, targets):
    """Return the sum of three mean losses / 返回三个平均损失之和."""
    ### BEGIN SOLUTION
    total = 0.0
    for scores, right in zip(logits, targets):
        log_p = scores.log_softmax(dim=2)  # (B, T, V)
        here = right != -100
        total += -log_p[here].gather(1, right[here][:, None]).mean()
    return total
    ### END SOLUTION


# %% key="test_joint" role="test" points=3
from course_lib.grading import check

check("12.joint", joint)
### BEGIN HIDDEN TESTS
check("12.joint", joint, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="bleu-task" lang="en"
# ## 4. BLEU by hand (3 points)
#
# One translation, numbers for words: 1 2 3 4 5, the right one is 1 2 3 4 6 7. Of its words 4 of 5 are in the right one, of its
# pairs of neighbours 3 of 4, of its triples 2 of 3, of its fours 1 of 2. It is shorter ($c = 5$, $r = 6$), so the factor
# $e^{1 - 6/5} = 0.819$ punishes it:
#
# $$\mathrm{BLEU} = 100 \cdot \min(1, e^{1 - r/c}) \cdot \Big(\prod_{n=1}^4 p_n\Big)^{1/4}
#   = 100 \cdot 0.819 \cdot (0.8 \cdot 0.75 \cdot 0.667 \cdot 0.5)^{1/4} = 54.8.$$
#
# Two rules. An n-gram counts at most as often as it stands in the right translation (so “的 的 的” does not score three times).
# And over several sentences, matches and totals are **added up first** for each $n$, and so are $c$ and $r$; then the formula
# is used once.
#
# Write `bleu(found, right)`: two lists of sentences, which are lists of numbers, at least five words long each. At least
# one four of `found` is right. (Real work uses sacrebleu, which does the cutting into words as well.)

# %% [markdown] key="bleu-task" lang="zh" follows="1415407b"
# ## 4. 手算 BLEU（3 分）
#
# 一句译文，用数字代表词：1 2 3 4 5；正确的是 1 2 3 4 6 7。它的词有 4/5 在正确译文里，相邻两词 3/4，三词 2/3，四词 1/2。它短了些（$c = 5$，$r = 6$），要乘上惩罚 $e^{1 - 6/5} = 0.819$：
#
# $$\mathrm{BLEU} = 100 \cdot \min(1, e^{1 - r/c}) \cdot \Big(\prod_{n=1}^4 p_n\Big)^{1/4}
#   = 100 \cdot 0.819 \cdot (0.8 \cdot 0.75 \cdot 0.667 \cdot 0.5)^{1/4} = 54.8$$
#
# 两条规则。一个 n 元组最多只能算正确译文里出现的次数（所以“的 的 的”得不了三次分）。有好几句时，对每个 $n$，命中数和总数**先各自加起来**，$c$ 和 $r$ 也一样，最后只用一次公式。
#
# 请写 `bleu(found, right)`：两个句子列表，句子是数字的列表，每句至少五个词。`found` 里至少有一个四元组是对的。（真正做研究用 sacrebleu，它连切词一起管。）


# %% key="bleu" role="answer"
def bleu(found, right):
    """Return corpus BLEU in points / 返回语料 BLEU（百分制）."""
    ### BEGIN SOLUTION
    from collections import Counter

    product = 1.0
    for n in range(1, 5):
        hits = total = 0
        for f, r in zip(found, right):
            a, b = (
                Counter(zip(*(sentence[k:] for k in range(n)))) for sentence in (f, r)
            )
            hits += (a & b).total()
            total += a.total()
        product *= hits / total
    c, r = sum(map(len, found)), sum(map(len, right))
    return 100 * min(1.0, np.exp(1 - r / c)) * product**0.25
    ### END SOLUTION


# %% key="test_bleu" role="test" points=3
from course_lib.grading import check

check("12.bleu", bleu)
### BEGIN HIDDEN TESTS
check("12.bleu", bleu, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="residual-question" lang="en"
# ## 5. Why the arrow (written, 4 points)
#
# A friend initialises the decoder's first LSTM and the softmax from a language model, puts a fresh LSTM between them, and
# leaves the residual connection out: "the network will learn to use it". Explain in 80 to 150 words. Points:
#
# 1. **What the softmax sees** (1): what its input is at the first step, and what its perplexity will be about.
# 2. **What happens to the gradients** (1): where they go, and what they do to what was learned.
# 3. **A test** (1): a property that holds exactly with the residual connection, and how you would check it.
# 4. **How much to expect** (1): what the paper reports about its effect, and what it does not report.

# %% [markdown] key="residual-question" lang="zh" follows="31841a73"
# ## 5. 为什么要那条箭头（笔答，4 分）
#
# 你的朋友用语言模型初始化了解码器的第一层 LSTM 和 softmax，中间插一层全新的 LSTM，却不要残差连接：“网络自己会学着用的。”请解释，150 到 300 字。评分点：
#
# 1. **softmax 看到什么**（1 分）：第一步时它的输入是什么，困惑度大概会是多少。
# 2. **梯度会怎样**（1 分）：它们往哪儿走，对已经学到的东西做了什么。
# 3. **一个测试**（1 分）：有残差时严格成立的一条性质，你怎样检验。
# 4. **能指望多少**（1 分）：论文对它的效果报告了什么，没有报告什么。

# %% [markdown] key="residual-answer" lang="en" role="written" points=4
# At the first step the pre-trained softmax gets the output of a random LSTM: numbers near 0 that mean nothing to it. It
# will say little more than its bias, the frequencies of words, so the perplexity is far above the language model's. The
# gradients that correct this go to all parameters: through the random layer, as noise, down into the pre-trained LSTM and
# vectors, and into the softmax, which adapts to noise. With the residual $o_t = s_t^1 + W_o[\dots]$ the first layer reaches
# the softmax as before. Test: set $W_o$ to zero; the logits must equal the language model's on any sentence, also for a
# padded batch. The paper calls its two extras "minor but consistent improvements" in early experiments; it has no row of the
# ablation, no number and no interval for the residual alone, so I would measure it over several seeds.

# %% [markdown] key="residual-answer" lang="zh" follows="b5870056"
# 第一步时，预训练好的 softmax 拿到的是一层随机 LSTM 的输出：一些接近 0、对它毫无意义的数。它能说的差不多只剩偏置，也就是词频，困惑度远高于原来的语言模型。纠正这件事的梯度流向所有参数：穿过随机的那层，像噪声一样冲进预训练的 LSTM 和词向量；softmax 也跟着去适应噪声。有了残差 $o_t = s_t^1 + W_o[\dots]$，第一层照旧直达 softmax。测试：令 $W_o = 0$，任何句子上的 logits 都必须等于语言模型的，带填充的一批也一样。论文只说两项改进在早期实验里“小而一致”；残差单独的效果，消融里没有这一行，没有数字，也没有区间。所以我会跑几个种子自己测。

# %% [markdown] key="joint-question" lang="en"
# ## 6. Does a joint loss help? (written, 4 points)
#
# Ramachandran et al. found the joint loss essential; in Dai and Le's experiments joint training hurt (14.70 % error against
# 7.24 %); GPT's auxiliary loss brought nothing on average (74.7 with, 75.0 without). A colleague asks whether to use one for *a
# summariser with 800 examples*. Answer in 100 to 180 words. Points:
#
# 1. **What differs between the three** (1): task, data, when and what was trained jointly.
# 2. **A mechanism** (1): why it might help here, and why it might hurt.
# 3. **An experiment** (1): rows, what is held equal, seeds, which data decide.
# 4. **What you measure besides the task's score** (1): and what you conclude if the two measurements disagree.

# %% [markdown] key="joint-question" lang="zh" follows="313e5609"
# ## 6. 联合损失有用吗？（笔答，4 分）
#
# Ramachandran 等认为联合损失不可或缺；Dai 与 Le 的实验里，联合训练有害（错误率 14.70% 对 7.24%）；GPT 的辅助损失平均没有好处（用 74.7，不用 75.0）。一位同事要做*只有 800 个样本的摘要系统*，问要不要用。请回答，200 到 350 字。评分点：
#
# 1. **三者有何不同**（1 分）：任务、数据，以及什么时候、跟什么一起训练。
# 2. **一种机理**（1 分）：为什么这里可能有用，为什么可能有害。
# 3. **一个实验**（1 分）：有哪几行，什么保持相同，几个种子，用哪些数据来决定。
# 4. **除了任务得分还测什么**（1 分）：两种测量不一致时，你怎么下结论。

# %% [markdown] key="joint-answer" lang="en" role="written" points=4
# They differ in the task (translation and summaries are *writing*, sentiment is not), in the amount of data (millions of
# pairs, 25,000 reviews, tasks of very different size), and in what is joined: language models, on their own large text (Ramachandran); an
# autoencoder (Dai and Le); a language model on the task's own text (GPT). For 800 summaries it may help: the decoder must
# remain a language model, and 800 texts are soon learned by heart. It may hurt: parameters and steps are shared, and two losses pull at a small
# model. Experiment: four rows, pre-trained or not, joint or not; same steps, same rate search, five draws of the 800, a development set that
# decides, the test set once. Besides ROUGE I follow the language model's perplexity on held-out text. If it forgets without the joint loss, but
# the interval of the ROUGE difference leaves out every loss that would matter to us, forgetting does no harm here: then I leave
# it out. If the interval is wider than that, five draws cannot tell, and I say so.

# %% [markdown] key="joint-answer" lang="zh" follows="e9d6d12f"
# 三者的任务不同（翻译、摘要是*写*，情感分类不是），数据量不同（几百万句对，两万五千条评论，大小悬殊的各个任务），“联合”的意思也不同：Ramachandran 联合的是语言模型，读的是另外的大量文本；Dai 与 Le 联合的是自编码器；GPT 联合的是语言模型，读任务自己的文本。800 篇摘要，它可能有用：解码器必须还是语言模型，而 800 篇很快就会背下来。也可能有害：参数和步数是共用的，两个损失拉扯一个小模型。实验：四行，预训练与否、联合与否；步数相同，学习率同样地选，800 个样本抽五次，用验证集来决定，测试集只用一次。除了 ROUGE，我还跟踪语言模型在留出文本上的困惑度。如果不联合就忘了，而 ROUGE 之差的区间里没有一个值得在意的损失，说明遗忘在这里没有害处，那就不用它。区间要是比这宽，五次抽样就看不出来，我会照实说。
