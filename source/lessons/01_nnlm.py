# %% [markdown] key="title" lang="en"
# # 01 · The neural language model of 2003
#
# After this lesson you can
#
# * write the probability of a sentence as a product, and say what an n-gram leaves out;
# * explain why counting alone fails, and what Kneser-Ney smoothing does about it;
# * read the equation of the first neural language model, and train one;
# * compare models fairly: same words, same text, perplexity, and a floor where it is known;
# * say why the matrix of word vectors was a by-product, and what its authors found lacking.
#
# Running time, measured on two cores: four minutes (quick profile: under one).
# The paper: Bengio, Ducharme, Vincent, Jauvin, *A neural probabilistic language
# model*, JMLR 2003 (a first version was at NIPS 2000).

# %% [markdown] key="title" lang="zh" follows="6ddbbc87"
# # 01 · 2003 年的神经网络语言模型
#
# 学完本课，你能够
#
# * 把一句话的概率写成连乘，并说出 n 元模型丢掉了什么；
# * 解释为什么光靠计数不行，Kneser-Ney 平滑又是怎样补救的；
# * 读懂第一个神经网络语言模型的公式，并亲手训练一个；
# * 公平地比较模型：词表相同，文本相同，比困惑度；下界已知的，还要和下界比；
# * 说明词向量矩阵当年为什么只是个副产品，作者自己又觉得它缺了什么。
#
# 在双核电脑上实测约四分钟（精简规模不到一分钟）。论文：Bengio、Ducharme、Vincent、Jauvin，*A neural probabilistic language model*，JMLR 2003（初稿发表于 NIPS 2000）。

# %% key="start"
import course_lib  # first: it sets how threads wait, before torch is loaded

t = course_lib.start("en")

import math
import sys
from collections import Counter

import matplotlib.pyplot as plt
import torch
from IPython.display import HTML, display
from tqdm import tqdm

import course_claims as claims
from course_lib import data
from course_lib.analysis.neighbours import nearest
from course_lib.analysis.word_tests import keyed
from course_lib.models import ngram, nnlm
from course_lib.text.vocabulary import Vocabulary
from course_lib.widgets import ngram_nnlm
from course_lib.worlds import rivertown

_ = torch.manual_seed(1)

# %% [markdown] key="chain" lang="en"
# ## 1 · A sentence, one word at a time
#
# *The dog that barked all night belongs to my …* You expect *neighbour*, perhaps *aunt*;
# hardly *the*. A **language model** turns such expectations into numbers: the probability
# of each next word, given the words so far. That is enough to give every text a
# probability, because any joint probability is a product of conditional ones:
#
# $$P(w_1, \dots, w_T) = \prod_{t=1}^{T} P(w_t \mid w_1, \dots, w_{t-1}).$$
#
# This is the **chain rule**; nothing is assumed yet. The trouble is the condition: almost
# every history of ten words is new. An **n-gram model** keeps the last $n-1$ words and
# forgets the rest. With $n = 3$ the dog above is gone; *to my* is all that is left.

# %% [markdown] key="chain" lang="zh" follows="ebf34b41"
# ## 1 · 一句话，一个词一个词地说
#
# “昨晚叫了一夜的那条狗是我……”后面你会猜“邻居”“舅舅”，不大会猜“了”。**语言模型**就是把这种预期变成数：已知前面的词，词表里的每一个词，接在后面的概率各是多少。有了它，任何一段文本都有了概率，因为联合概率总能写成条件概率的连乘：
#
# $$P(w_1, \dots, w_T) = \prod_{t=1}^{T} P(w_t \mid w_1, \dots, w_{t-1})$$
#
# 这就是**链式法则**，到这里还没有作任何假设。麻烦出在条件上：前面的词只要有十个，这一串就几乎从来没有人说过。**n 元模型**只留最后 $n-1$ 个词，其余忘掉。$n = 3$ 时，上面那条狗已经没影了，只剩“是 我”。

# %% [markdown] key="text" lang="en"
# ## 2 · Why counting is not enough
#
# The obvious estimate of $P(w \mid u\,v)$ is the share of $w$ among all words that followed
# $u\,v$. We try it as the paper did: on the Brown **corpus** if it is at hand, split as there
# (the first 800,000 words for **training**, 200,000 for **validation**, that is, to choose
# with, and the rest as the **test set**). The most frequent words form the **vocabulary**, and
# every other word is replaced by one sign, `<unk>`, for **out-of-vocabulary** words. (The paper
# kept capital letters and about 16,000 words; we use small letters and 10,000 words, so that
# training takes minutes.)

# %% [markdown] key="text" lang="zh" follows="ce59c782"
# ## 2 · 为什么光靠计数不够
#
# 要估计 $P(w \mid u\,v)$，最直接的办法是看 $u\,v$ 后面出现过的词里，$w$ 占几成。我们照论文的做法试一试。**语料**的切分比例与论文对 Brown 语料的相同，前 68% 是**训练集**，接下来 17% 是用来挑选的**验证集**，其余是**测试集**。最常见的词组成**词表**，别的词都是**未登录词**，一律换成同一个记号 `<unk>`。（论文的词表约有一万六千个词；为了几分钟能练完，我们留一万个。）

# %% key="text-split"
brown = t.language == "en" and data.at_hand("brown")
corpus = data.load("brown") if brown else data.best(t.language)
limit = course_lib.by_profile(full=1_170_000, quick=150_000)
words = []
with tqdm(total=limit, unit=t(" words", " 词"), unit_scale=True, file=sys.stdout) as bar:
    for document in corpus.documents():
        words += [word.lower() for sentence in document for word in sentence]
        bar.update(min(len(words), limit) - bar.n)
        if len(words) >= limit:
            break
cuts = 0, int(0.685 * len(words)), int(0.856 * len(words)), len(words)
train, valid, test = (words[a:b] for a, b in zip(cuts, cuts[1:]))
vocabulary = Vocabulary.from_counts(Counter(train), size=10_000, min_count=4)
train, valid, test = (vocabulary.encode(part) for part in (train, valid, test))
print(corpus.name, [len(part) for part in (train, valid, test)], "V =", len(vocabulary))

seen = [set(zip(*(train[k:] for k in range(n)))) for n in (1, 2, 3, 4)]
for n, grams in enumerate(seen, start=1):
    new = [gram not in grams for gram in zip(*(test[k:] for k in range(n)))]
    print(t(f"{n}-grams of the test text never seen in training:",
            f"测试文本里训练时没见过的 {n} 元组："), f"{sum(new) / len(new):.1%}")  # fmt: skip

# %% [markdown] key="smoothing" lang="en"
# Most three-word runs of a fresh text were never seen, and counting gives them
# probability zero. **Smoothing** moves some probability from what was seen to what was
# not. The best of the classical methods is **Kneser-Ney smoothing**. It subtracts a small
# discount, $D$, from every count and gives what was saved to the model that looks at one word
# less. That shorter model does not count *how often* a word was seen but *after how many
# different words*: "Francisco" may be frequent, but it comes only after "San".
#
# ![Above, a window of n = 3 words slides over a sentence, and every run of three words is counted; below, the counts of three words give a part D of the probability to those of two words, these to those of one, and these to 1/V, where all words are alike.](drawing:ngram)

# %% [markdown] key="smoothing" lang="zh" follows="47612e71"
# 新文本里的三词串大半从没见过，光靠计数，它们的概率就是零。**平滑**就是从见过的词串那里匀出一些概率，分给没见过的。传统办法里最好的是 **Kneser-Ney 平滑**：每个计数都扣掉一点 $D$，扣下的概率交给少看一个词的模型去分。这个较短的模型数的不是一个词*出现了多少次*，而是它*跟在多少个不同的词后面*。按字来数最容易看清，“萄”字出现得再多，也总是跟在“葡”后面，换一个前文就不该指望它。
#
# ![上方，n = 3 的窗口在句子上滑动，每个三词串都计一次数；下方，三词串的计数把扣下的一份 D 让给两词串，两词串让给一个词，最后让给 1/V，在那里每个词都一样。](drawing:ngram)

# %% key="kneser-ney"
course_lib.source(ngram.KneserNey.probabilities)
N = 5  # the network will see four words; every model is tested from the fifth word on


def log_chances(model, ids):
    """Return log P of each word that has N - 1 words before it."""
    grams = list(zip(*(ids[k:] for k in range(model.order))))[N - model.order :]
    return torch.tensor(model.probabilities(grams)).log().float()


def perplexity(log_p):
    """Return exp of the mean loss in nats per word."""
    return math.exp(-log_p.mean())


counted = {}
for n in tqdm((1, 2, 3, 4), unit=t(" orders", " 种"), file=sys.stdout):
    # + 1: the end of the text may follow, too
    model = ngram.KneserNey([train], n, vocabulary=len(vocabulary) + 1)
    counted[n] = [log_chances(model, part) for part in (valid, test)]
for n, (_, on_test) in counted.items():
    print(f"n = {n}", t("perplexity", "困惑度"), f"{perplexity(on_test):.0f}")

# %% [markdown] key="idea" lang="en"
# The first word of context lowers the perplexity a great deal, the second far less, and the
# third hardly at all, because the counts run out. The number of possible word sequences grows
# exponentially with their length; the paper calls this the **curse of dimensionality**. Words
# further back would be useful if a model could use them without having seen exactly the same
# words before.
#
# ## 3 · The idea: similar words share what is learned
#
# Having read *The cat is walking in the bedroom*, a model should find *A dog was running in a
# room* more likely. The words differ, but the two sentences are of the same kind. An n-gram
# model cannot know this, because to it *cat* and *dog* are two unrelated numbers. Bengio and colleagues gave each word a row of
# **features**, today called its **word embedding**, and learned it with everything else. With
# $x$ the features of the last $n-1$ words written one after the other,
#
# $$x = \big(C(w_{t-n+1}), \dots, C(w_{t-1})\big), \qquad
#   y = b + W x + U \tanh(d + H x), \qquad
#   P(w_t = i \mid \dots) = \frac{e^{y_i}}{\sum_j e^{y_j}}.$$
#
# The matrix $C$ has a row of $m$ numbers for each word, $H$ is the **hidden layer** of $h$ units, $U$ the
# output layer, and $b$ and $d$ are **biases**. The last formula is the **softmax**. $W$ leads straight from the features to the output; it may be
# left out, and we leave it out. The network does *not* read the whole past: it sees a window of $n-1$ words, like an n-gram.
#
# ![From bottom to top, four words are looked up in one table C, their rows laid end to end give x, and a hidden layer tanh(d + Hx), an output layer U and a softmax over all V words follow; W, which may be left out, leads from x straight to the scores.](drawing:nnlm)

# %% [markdown] key="idea" lang="zh" follows="f2d7740c"
# 多看第一个词，困惑度大幅下降；多看第二个，降得就少多了；第三个几乎没用，因为计数不够分了。可能的词串数目随长度指数增长，论文把这叫作**维数灾难**。更早的词本来有用，只要模型不必见过一模一样的那几个词也能用上它们。
#
# ## 3 · 想法：相近的词，学到的东西应该共享
#
# 读过“小猫在卧室里走”，就该觉得“小狗在房间里跑”更有可能，因为词虽然不同，说的却是一类事。n 元模型不可能知道这一点，“猫”和“狗”在它眼里只是两个不相干的编号。Bengio 等人给每个词配了一行**特征**，也就是今天说的**词嵌入**，和别的参数一起学。把前 $n-1$ 个词的特征首尾相接，记作 $x$，
#
# $$x = \big(C(w_{t-n+1}), \dots, C(w_{t-1})\big), \qquad
#   y = b + W x + U \tanh(d + H x), \qquad
#   P(w_t = i \mid \dots) = \frac{e^{y_i}}{\sum_j e^{y_j}}$$
#
# 矩阵 $C$ 每个词一行，每行 $m$ 个数；$H$ 是**隐藏层**，有 $h$ 个单元；$U$ 是输出层；$b$、$d$ 是**偏置**；最后一个式子就是 **softmax**。$W$ 从特征直接通到输出，可有可无，我们不用。注意这个网络*并没有*读完前面所有的词，它和 n 元模型一样，只看一个 $n-1$ 个词的窗口。
#
# ![从下到上，四个词在同一张词向量表 C 里各查出一行，首尾相接成 x，再经过隐藏层 tanh(d + Hx)、输出层 U 和词表上全部 V 个词的 softmax；可有可无的 W 从 x 直接通到分数。](drawing:nnlm)

# %% key="model"
course_lib.source(nnlm.NNLM)
model = nnlm.NNLM(len(vocabulary), N, m=60, h=100)
word = vocabulary.ids[t("the", "的")]
one_hot = torch.zeros(len(vocabulary))
one_hot[word] = 1.0
print(t("onehot @ C == C[i]:", "独热向量乘 C 就是取 C 的一行："),
      torch.equal(one_hot @ model.C.weight, model.C.weight[word]))  # fmt: skip
print(t("parameters:", "参数："), {k: v.numel() for k, v in model.named_parameters()})

# %% [markdown] key="train" lang="en"
# Looking up a row is the same as multiplying a **one-hot vector** by a matrix. So $C$
# is an ordinary first layer, trained by the same gradient as the rest. Most parameters,
# and most of the time, are in $U$: for every word the model scores the whole vocabulary.
#
# The training loop shuffles the windows, lowers the cross-entropy with Adam (the paper used
# plain stochastic gradient descent), and stops after a fixed number of steps, so that the numbers do not depend on
# how busy the machine is.

# %% [markdown] key="train" lang="zh" follows="d0419fbf"
# “查表取一行”和“**独热向量**乘矩阵”是一回事，所以 $C$ 就是一个普通的第一层，和其他层一样靠同一个损失的梯度来训练。参数大多在 $U$ 里，时间也大多花在那里，因为每预测一个词，都要给整个词表打一遍分。
#
# 训练循环把窗口打乱，用 Adam 降低交叉熵（论文当年用的是普通的随机梯度下降），走完定好的步数就停，所以结果与机器忙不忙无关。


# %% key="train-run"
def fit(model, ids, check, steps, batch=512):
    """Train for some steps; return (step, perplexity on `check`) on the way."""
    optimizer = torch.optim.Adam(model.parameters())
    contexts, targets = nnlm.windows(torch.tensor(ids), model.n)
    curve, order = [], torch.empty(0, dtype=torch.long)
    for step in tqdm(range(steps), unit=t(" steps", " 步"), file=sys.stdout):
        if not len(order):  # all windows have been used: shuffle them anew
            order = torch.randperm(len(targets))
        rows, order = order[:batch], order[batch:]
        for group in optimizer.param_groups:  # the rate falls to 0 at the end
            group["lr"] = 5e-3 * (1 - step / steps)
        optimizer.zero_grad()
        _, loss = model(contexts[rows], targets[rows])
        loss.backward()
        optimizer.step()
        if step + 1 >= steps * (len(curve) + 1) / 8:
            curve.append((step + 1, perplexity(nnlm.log_probabilities(model, check))))
    return curve


valid_ids, test_ids = torch.tensor(valid), torch.tensor(test)
curve = fit(model, train, valid_ids[:20_000], course_lib.by_profile(full=2000, quick=300))

# %% [markdown] key="mixture" lang="en"
# ## 4 · Together they are better
#
# The network and the trigram make different mistakes. The paper mixes them, taking a weighted
# mean of the two probabilities, half and half in its tables. We choose the weight on the
# validation text.

# %% [markdown] key="mixture" lang="zh" follows="e3c39bfd"
# ## 4 · 合起来更好
#
# 网络和三元模型犯的错误不同。论文把两者混合，取两个概率的加权平均，表里的结果是各占一半。我们的权重在验证文本上挑。

# %% key="mixture-table"
network = [
    nnlm.log_probabilities(model, part)
    for part in tqdm((valid_ids, test_ids), unit=t(" parts", " 份"), file=sys.stdout)
]
weight = nnlm.best_weight(network[0], counted[3][0])
result = {
    t("trigram, Kneser-Ney", "三元，Kneser-Ney"): perplexity(counted[3][1]),
    t("4-gram, Kneser-Ney", "四元，Kneser-Ney"): perplexity(counted[4][1]),
    t("network", "神经网络"): perplexity(network[1]),
    t(f"mixture ({weight:.2f} network)", f"混合（网络占 {weight:.2f}）"): perplexity(
        nnlm.mix(network[1], counted[3][1], weight)
    ),
}
head = t("model", "模型"), t("test perplexity", "测试困惑度")
rows = [dict(zip(head, (name, f"{value:.0f}"))) for name, value in result.items()]
display(HTML(claims.table(rows)))

# %% key="curve-picture" fold=true
figure, ax = plt.subplots(figsize=(7.0, 3.2))
ax.plot(*zip(*curve), marker="o", color="C0", label=t("network", "神经网络"))
trigram = perplexity(counted[3][0][: 20_000 - N + 1])
ax.axhline(trigram, color="C1", linestyle="--", label=t("trigram", "三元"))
ax.set_xlabel(t("steps of training", "训练步数"))
ax.set_ylabel(t("perplexity, validation", "验证困惑度"))
ax.set_ylim(0, 1.1 * max(p for _, p in curve))
ax.legend()
course_lib.show(
    figure,
    alt=t(
        "Validation perplexity of the network falling with the steps of training, "
        "towards or below the dashed line of the trigram.",
        "神经网络的验证困惑度随训练步数下降，逐渐接近或低于三元模型的虚线。",
    ),
)

# %% [markdown] key="mixture-seen" lang="en"
# The curve falls steeply at first and then levels off near the trigram's line. On Brown we
# measured 151 for the network after its 2,000 steps, against 178 for the best n-gram (one
# seed). The mixture of network and trigram has 138, which is 22 % below the n-gram. In the paper the best
# n-gram model (on classes of words) had 312 and the mixture 252, 19 % lower; networks alone had 268 and 276. (The quick profile reads an eighth of the text: there the
# network alone stays a little behind the trigram, and the mixture is ahead of both all the same.) Each model knows what
# the other does not: the trigram remembers exactly which words it has seen, and the network has a good
# guess where there is no count.
#
# The next picture shows it word by word. Choose a context, then how many words the counts may use. With a longer
# context the bars on the left first get sharper and then vanish, because the count is
# zero; the network's bars never vanish. Choose a context whose words you would not expect in
# this corpus, or type one of your own.

# %% [markdown] key="mixture-seen" lang="zh" follows="2a7e15e8"
# 曲线起初下降很快，到三元模型的虚线附近渐渐变平。在 MSRA 的新闻上，我们测得网络走完 2000 步后是 154，四元模型是 167（一个随机种子）。网络与三元模型混合，降到 129，比四元模型低 23%；论文里最好的 n 元模型（按词类）是 312，混合是 252，低 19%，单用网络是 268 和 276。（精简规模只读八分之一的文本，网络自己还略逊于三元模型，混合起来则同样胜过两者。）两种模型各有所长：三元模型见过的词串，记得一字不差；没见过的词串，网络多半也能猜出该是哪一类词。
#
# 下面这张图可以一个词一个词地看。先选一个前文，再选计数看几个词。前文越长，左边的条形越尖，后来干脆没有了，因为计数是零；神经网络的条形则始终都在。不妨挑一个这份语料里不大会有的前文，或者自己打一个。

# %% key="widget"
CONTEXTS = t(
    "members of the united | the president of the | he was one of the | "
    "a cup of very hot | she put the old green | three or four thousand | "
    "it would have been | the price of fresh bread",
    "在 这次 会议 上 | 他 在 接受 记者 | 在 中华人民共和国 境内 的 | "
    "昨天下午 在 北京 举行 | 一杯 很 热 的 | 我们 不能不 看到 ， | "
    "一只 绿色 的 小 | 两国人民 之间 的 友好",
)
ngram_nnlm(
    [vocabulary.words[i] for i in train],
    model,
    vocabulary,
    [line.split() for line in CONTEXTS.split("|")],
    language=t.language,
)

# %% [markdown] key="floor-intro" lang="en"
# ## 5 · How far from the best possible?
#
# The entropy of real text is unknown; Rivertown's is known (lesson 00). So we run the same comparison there.
# One precaution is needed. A model that may say `<unk>` for a rare word gets that word cheaply,
# and could seem to beat the floor. So a model that says `<unk>` must still say *which* word: we
# add the cost of choosing among all the other words that Rivertown could have used.

# %% [markdown] key="floor-intro" lang="zh" follows="d96b41d4"
# ## 5 · 离最好还有多远？
#
# 真实文本的熵无从知道，河湾镇的熵却是已知的（第 00 课），所以我们在那里再比一次。有一点要当心：遇到生僻词只说一声 `<unk>`，等于少答一半，分数甚至会显得比下界还低。因此说了 `<unk>` 的模型还得说清是*哪一个*词，也就是补上从河湾镇可能用到的所有其他词里挑一个的代价。

# %% key="floor"
town = rivertown.world(t.language)


def stream(tokens, seed):
    """Read Rivertown as one sequence: a newline after a sentence, END after a text."""
    out = []
    for document in town.documents(tokens, seed):
        out += [w for s in document.sentences for w in [*s.words, "\n"]] + [ngram.END]
    return out


everything = len(town.vocabulary()) + 2
lessons = stream(course_lib.by_profile(full=300_000, quick=60_000), seed=1)
fresh = stream(20_000, seed=2)
marks = {"\n", ngram.END}
spoken = sum(word not in marks for word in fresh[N - 1 :])
known = Vocabulary.from_counts(Counter(lessons), size=20_000, min_count=2)
which = math.log(everything - len(known) + 1)  # nats to say which unknown word
town_model = nnlm.NNLM(len(known), N)
ids = torch.tensor(known.encode(fresh))
steps = course_lib.by_profile(full=700, quick=240)
town_curve = fit(town_model, known.encode(lessons), ids, steps)
# Number 0 is <unk>.
network_town = nnlm.log_probabilities(town_model, ids) - which * (ids[N - 1 :] == 0)
trigram_town = log_chances(
    ngram.KneserNey([lessons], 3, vocabulary=everything), fresh
)
both = nnlm.mix(network_town, trigram_town, 0.5)
floor = town.entropy_per_token()
for name, nats in (
    (t("trigram", "三元"), -trigram_town.sum() / spoken),
    (t("network", "神经网络"), -network_town.sum() / spoken),
    (t("half and half", "各占一半"), -both.sum() / spoken),
    (t("floor", "下界"), floor),
):
    print(f"{name:14} {nats:5.2f} {t('nats', '奈特')}   {t('perplexity', '困惑度')} {math.exp(nats):6.1f}")

# %% [markdown] key="floor-seen" lang="en"
# Here the trigram is ahead, and all are far above the floor: we measured
# perplexities of 79 for the trigram, 113 for the network and 66 for the mixture, where 5 is possible. Neither better smoothing nor longer training of this network
# will close that gap, because both models look at only a few words. Who the hero is and what the text is about were said sentences ago. To use that, a model
# must read everything before; lesson 06 has one.
#
# ## 6 · The by-product
#
# Word vectors were not the aim; $C$ was there to predict the next word. Which rows
# of $C$ lie close together after this training?

# %% [markdown] key="floor-seen" lang="zh" follows="d95a3d2a"
# 在这里三元模型领先，而且哪个模型都离下界很远：我们测得的困惑度，三元模型 84，网络 179，混合 76，而最好可以不到 5。平滑做得再巧，这个网络练得再久，也补不上这段差距，因为它们都只看最近几个词，而主人公是谁、文章讲什么，好几句之前就说过了。要用上这些，模型得读完前面的全部内容，第 06 课就有这样一个。
#
# ## 6 · 副产品
#
# 当初并没有人要词向量，$C$ 只是用来预测下一个词的。训练之后，$C$ 里哪些行靠在了一起？

# %% key="neighbours"
C = model.C.weight.detach().numpy()[:2000]  # frequent words only: rare ones moved little
for word in t("could three he day house", "可以 三 他 中国 问题").split():
    if word in vocabulary.ids and vocabulary.ids[word] < len(C):
        near = nearest(C, C[vocabulary.ids[word]], k=7)[1:]
        print(f"{word:8}", ", ".join(vocabulary.words[i] for i, _ in near))

# %% [markdown] key="neighbours-seen" lang="en"
# The clear rows group words that do the same job in a sentence: auxiliaries beside
# auxiliaries, numbers beside numbers. That is what helps to predict the next word from
# four words. What a noun *means* has hardly begun to show after so little
# training. Lesson 02 trains for the vectors themselves, and gets better ones in less time.
#
# **One point for each word.** The authors saw a limit of this table themselves. Among the directions for future work
# (Bengio et al. 2003, section 5.2) they write that polysemous words "are probably not well served" by a model that assigns to each
# word a single point, and that they are investigating models with several points
# a word, one for each of its senses. The static vectors of lessons 02 and 03 keep the single point;
# lesson 04 measures what it costs; and ELMo, in lesson 06, computes a point for each occurrence.
#
# ## 7 · Claims

# %% [markdown] key="neighbours-seen" lang="zh" follows="1ccabcfe"
# 看得明白的那几行，靠在一起的词在句子里作用相同，能愿动词挨着能愿动词，代词挨着代词。只看前面四个词来猜下一个词，用得上的正是这些。至于名词的*意思*，练这么一会儿，只有常见的词初见端倪。第 02 课会专门为词向量而训练，用时更少，效果更好。
#
# **每个词只有一个点。** 这张表的局限，作者自己就看到了。论文在展望后续工作时（Bengio 等，2003，5.2 节）写道，模型给每个词只安排连续语义空间里的一个点，多义词恐怕“没有得到很好的处理”（are probably not well served）；他们正在研究的扩展，是让一个词有几个点，各对应一个义项。第 02、03 课的静态向量仍然只有一个点，第 04 课会测量它的代价，到第 06 课的 ELMo，词每出现一次都会算出一个点。
#
# ## 7 · 几个论断


# %% [markdown] key="claims-rule" lang="en"
# Your run above is one seed on one text. For the first card such a network was trained ten times on each of two
# texts, Brown and the Chinese edition's news, for 1,500 steps instead of 2,000, so its perplexities are not those of section 4:
# on the Chinese news the network of section 4 had a lower perplexity than the n-gram, those of the card a higher one (`python -m course_lib claims run nnlm_beats_ngrams`; the
# ledger in `data/claims` keeps the numbers). The card compares the network **alone**, because the mixture
# has a trigram in it. Lesson 00, section 5, explains how to read a card.
#
# More claims about this lesson are on the book's claims page; `python -m course_lib claims list` prints them. (How old are word
# vectors?)

# %% [markdown] key="claims-rule" lang="zh" follows="ea602155"
# 你刚才跑的是一份文本、一个随机种子。为了第一张卡片，我们在 Brown 和中文版的新闻上各训练了十个这样的网络，每个只走 1,500 步（第 4 节是 2,000 步），所以困惑度和第 4 节的不同：在中文新闻上，第 4 节的网络低于 n 元模型，卡片上的网络则高于它（`python -m course_lib claims run nnlm_beats_ngrams`，数字记在 `data/claims` 里）。卡片比的是**单用**网络，因为混合模型里本来就有一个三元模型。卡片怎么读，见第 00 课第 5 节。
#
# 关于本课的其他论断（词向量究竟是哪一年有的？）见网页书的“论断”一页，或运行 `python -m course_lib claims list`。

# %% key="claims-cards" fold=true
heads = t("model", "模型"), t("test perplexity", "测试困惑度")
here = [dict(zip(heads, (name, f"{value:.0f}"))) for name, value in result.items()]
claims.card("nnlm-beats-ngrams").show(t, here)
for key in ("nnlm-reads-all", "product-like-speech"):
    claims.card(key).show(t)

# %% [markdown] key="scoreboard" lang="en"
# ## Scoreboard
#
# Every model of the course takes one test, and its table grows from lesson to lesson. The test has
# sentences with an ambiguous word whose sense is known. Can a model's vectors tell the
# senses apart (lesson 00, section 2)? The word's own row of $C$ is the
# same in every sentence and can at best always name the commonest sense; so the rows of the
# *other* words of the sentence are averaged.

# %% [markdown] key="scoreboard" lang="zh" follows="eda02495"
# ## 记分牌
#
# 本课程的所有模型都要做同一个测试，结果的表会一课一课地加长。测试用的是一批含有多义词的句子，义项已知，看模型的向量能不能把义项分开（办法见第 00 课第 2 节）。词自己在 $C$ 里的那一行，放到哪句话里都一样，最多只能每次都答最常见的义项，所以用来测的是句子里*其他*词的那些行的平均。

# %% key="scoreboard-row"
vectors = keyed(vocabulary.words[1:], model.C.weight.detach().numpy()[1:])
scores = {"NNLM, C": claims.context_scores(vectors, t.language)}
display(HTML(claims.sense_table(scores, t)))

# %% [markdown] key="board" lang="en"
# **All models, the same questions.** The board that ends every lesson is measured once, for
# all (`course_claims/experiments/scoreboard.py`). Vectors are frozen; there are several draws of sentences and labels, and ± gives half of
# the 95 % interval. It shows the models that the course has reached.
#
# | column | what is measured |
# |---|---|
# | senses | the test above |
# | POS | a linear classifier names the part of speech |
# | chunks | the same for phrases; F1 of whole spans (lesson 05) |
# | sentiment | from the mean vector of a text, with 100 and with 1,000 labels |
# | cloze | which of ten words of similar frequency stood in a gap; chance is 10 % |
# | × floor | perplexity over the lowest one possible |
#
# The models on the board predict words of different lists, so their perplexities cannot be compared. The last
# column is therefore measured on small models, one of each kind, that read the same half a million words of a small
# Rivertown, where the floor is known (`course_claims/experiments/floor.py`); 1 would be the grammar itself. “Majority” knows
# the commonest sense, each word's commonest tag, the commonest label; “random” has a random vector for each word.
#
# The models differ in size and in how much they have read (*tokens read*). So the board compares
# models as they are, not methods. Our NNLM reads little because it is slow.

# %% [markdown] key="board" lang="zh" follows="7845e080"
# **所有模型，同样的问题。** 每一课结尾都有这张榜，各课共用，不在课上测（`course_claims/experiments/scoreboard.py`）。向量一律冻结，句子和标注抽若干次，± 后面是 95% 区间的一半。榜上只列课程已经讲到的模型。
#
# | 栏目 | 测的是什么 |
# |---|---|
# | 义项 | 上面的测试 |
# | 词性 | 由一个线性分类器判断词性 |
# | 命名实体 | 同样的办法，判断人名、地名等，按整个片段算 F1（第 05 课） |
# | 情感 | 用文本的平均向量判断褒贬，标注 100 条和 1,000 条 |
# | 完形填空 | 空缺处原来是词频相近的十个词里的哪一个，随机水平是 10% |
# | 下界的几倍 | 困惑度除以可能的最低值，即下界 |
#
# 榜上的模型各用各的词表，困惑度没法放在一起比。所以最后一栏另训小模型，每种一个，读同样的五十万词，文本来自一个缩小了的河湾镇，那里的下界是已知的（`course_claims/experiments/floor.py`），把语法完全学会就是 1。“总猜最常见的”猜最常见的义项、每个词最常见的标签、最常见的褒贬；“随机向量”给每个词一个随机的向量。
#
# 这些模型大小不同，读过的文本也不同（看“读过的词元数”），所以榜上比的是现成的模型，而不是方法。我们的 NNLM 读得少，因为它慢。

# %% key="board-show"
claims.show_scoreboard(t, "01")

# %% [markdown] key="board-seen" lang="en"
# Random vectors are above chance for senses, because the mean of the other words' vectors still tells
# which words stand around. After so few training steps our NNLM gains on them for parts of speech and for chunks only,
# and for parts of speech it is still below “each word's commonest tag”. For sentiment, word counts (TF-IDF) are
# a baseline that later models will have to beat. In the last column, a model that knows only word frequencies
# (“majority”) has about two hundred times the floor's perplexity, and a small NNLM about fourteen times. Four words of context are
# worth a lot, and much is left for the other models.

# %% [markdown] key="board-seen" lang="zh" follows="e977ec39"
# 论义项，随机向量也高于随机水平，因为其他词的向量取平均，仍然透露了周围有哪些词。我们的 NNLM 训练步数这么少，比随机向量强的主要是词性，而且还不如“每个词最常见的标签”；论情感，数词频的 TF-IDF 是后面的模型要超过的基线。再看最后一栏：只知道词频的模型（“总猜最常见的”），困惑度是下界的两百多倍，小小的 NNLM 看四个词，就降到二十几倍。四个词的上下文很值钱，留给后来者的余地也还很大。

# %% [markdown] key="knob" lang="en"
# ## Predict, change, explain
#
# Section 6 looked for neighbours among the 2,000 most frequent words only. What happens if all
# 10,000 may be chosen, or only 300? Write down what you expect for a frequent
# word such as *could* and for a rarer one such as *river*. Then run the cell with 300, 2,000 and 10,000.

# %% [markdown] key="knob" lang="zh" follows="36910bb4"
# ## 先预测，再改动，后解释
#
# 第 6 节只在最常见的 2,000 个词里找近邻。如果一万个词都可以选，或者只许选最常见的 300 个，会怎样？先写下你的预测，一个常见词（比如“可以”）、一个少见些的词（比如“河”）各会怎么样，再用 300、2,000、10,000 依次运行下面这格。

# %% key="knob-run"
TOP = 10_000  # the knob: among how many of the most frequent words neighbours are sought

C = model.C.weight.detach().numpy()  # (V, m)
for word in t("could three house river", "可以 三 问题 河").split():
    i = vocabulary.ids.get(word, 0)  # number 0 is <unk>
    if i:
        among = [*range(1, min(TOP, len(C))), i]
        found = [among[k] for k, _ in nearest(C[among], C[i], k=9)]
        near = list(dict.fromkeys(j for j in found if j != i))[:7]
        places = sum(near) // len(near)
        print(f"{word} ({i}):", ", ".join(vocabulary.words[j] for j in near))
        print("   ", t("mean rank of the neighbours:", "近邻的平均频率名次："), places)

# %% [markdown] key="knob-answer" lang="en"
# <details><summary>What comes out, and why</summary>
#
# When we ran it on Brown, *could* had auxiliaries as neighbours with every setting (*can*, *should*, *might*). *Three* kept
# its numbers, but with 10,000 rarer ones came in (*thirty-five*, *eighteen*), and the mean rank of its
# neighbours rose from about 300 to about 3,400. *River* had no sensible neighbours with any setting, and with 10,000
# hardly a frequent one. A row of $C$ starts at random and moves only when its word is in a window, so
# after so little training the rows of rare words are still close to their random start, and who lies
# near them is chance. The filter on frequency hides this; it does not cure it.
#
# </details>

# %% [markdown] key="knob-answer" lang="zh" follows="1002b3a7"
# <details><summary>会出现什么，为什么</summary>
#
# 我们在 MSRA 上运行时，“可以”无论怎么设，近邻都是能愿动词一类的词（要、必须、应该）。“问题”在 2,000 个词里还能找到“市场”“事件”“观念”，一万个词都可以选时，近邻的平均名次从六百左右变成四千多，换成了“配对”“实质”“头脑”这类少见的词。“河”怎么设都找不到像样的近邻，它自己就排在四千名以外。$C$ 的每一行都从随机数开始，只有窗口里出现了这个词才会移动，练得这么少，生僻词的行还停在随机的起点附近，和谁靠近多半是碰巧。按词频筛选只是把这一点遮住，并没有解决它。
#
# </details>

# %% [markdown] key="checkpoint" lang="en"
# ## Checkpoint
#
# Choose first, then click on your choice: it says whether it is right, and why. The
# other options deserve a click as well: each is a mistake that people make.
#
# **1.** *The dog that barked all night belongs to my …* A network with n = 5 predicts
# the next word. You change *dog* into *cow*. What happens to the prediction?
#
# <details><summary>A. It shifts towards <em>farmer</em>, for the network reads the
# sentence.</summary>
#
# Not quite: this network is often described so, but it reads a window of n − 1 = 4
# words, *night belongs to my*, and nothing before.
#
# </details>
#
# <details><summary>B. It hardly changes, because <em>dog</em> and <em>cow</em> have
# similar rows in C.</summary>
#
# Not quite: the rows may well be similar, but neither word is in the window. The
# prediction does not change at all.
#
# </details>
#
# <details><summary>C. The probability becomes zero if this was never seen with
# <em>cow</em>.</summary>
#
# Not quite: that is counting without smoothing. The network gives no word probability
# zero.
#
# </details>
#
# <details><summary>D. Nothing: <em>dog</em> is not among the last four words.</summary>
#
# Right. Like an n-gram the network forgets what lies before its window. What it adds is
# that similar words *inside* the window share what was learned.
#
# </details>
#
# ---
#
# **2.** V = 10,000 words, n = 5, m = 60 features, h = 100 hidden units, no direct
# connections W. Where are most of the parameters?
#
# <details><summary>A. In C, the word vectors.</summary>
#
# Not quite: C has V × m = 600,000. Many, but not most.
#
# </details>
#
# <details><summary>B. In H, the hidden layer.</summary>
#
# Not quite: H reads x, which has 4 × 60 = 240 numbers: 100 × 240 = 24,000. The "brain"
# of the network is its smallest matrix.
#
# </details>
#
# <details><summary>C. In U, the output layer.</summary>
#
# Right. From the hidden layer to the scores: V × h = 1,000,000. To predict one word the
# network scores all V words; that is where the time goes as well, and where lesson 02
# begins.
#
# </details>
#
# ---
#
# **3.** *Francisco* occurs 500 times, always after *San*. *Harbour* occurs 100 times,
# after 60 different words. Which gets more probability from Kneser-Ney's shortest
# model, which is asked when the context was never seen?
#
# <details><summary>A. <em>Harbour</em>.</summary>
#
# Right. That model counts after how many different words a word was seen: 60 against 1.
# A word that follows almost anything is the better guess in a new place.
#
# </details>
#
# <details><summary>B. <em>Francisco</em>, five times as much.</summary>
#
# Not quite: this is the share of the text. It would expect *Francisco* everywhere.
#
# </details>
#
# <details><summary>C. Both the same, since neither was seen there.</summary>
#
# Not quite: that is what adding a little to every count does. Kneser-Ney falls back on a
# model that still knows something about each word.
#
# </details>
#
# ---
#
# **4.** On Brown the network had perplexity 151, the n-gram 178, and the mixture of
# network and trigram 138. How can a mean be better than both?
#
# <details><summary>A. Probabilities are averaged word by word, and the two fail on
# different words.</summary>
#
# Right. Where one of them gives a word almost nothing, half of the other's probability
# rescues it, and the logarithm makes that count. Averaging the two *perplexities* would
# give something between.
#
# </details>
#
# <details><summary>B. The mixture has more parameters, so it fits the text
# better.</summary>
#
# Not quite: nothing was fitted but one weight, and that on the validation text.
#
# </details>
#
# <details><summary>C. It cannot: the weight must have been chosen on the test
# text.</summary>
#
# Not quite: it was chosen on the validation text. And one number could hardly make such a
# difference.
#
# </details>
#
# ---
#
# **5.** Your friend's network has a lower perplexity than yours on Rivertown, lower
# even than the floor. It keeps 1,000 words, yours keeps 5,000. What must be added to it?
#
# <details><summary>A. Nothing, that network is better.</summary>
#
# Not quite: a model that says `<unk>` more often is rewarded for saying less.
#
# </details>
#
# <details><summary>B. A softmax over its 1,000 words.</summary>
#
# Not quite: the network has one already, and its probabilities add up to 1, but over 1,000
# signs, one of which stands for all the other words.
#
# </details>
#
# <details><summary>C. The cost of saying <em>which</em> word it was.</summary>
#
# Right. It is due for each `<unk>`. Then both models answer the same question, and on
# average neither can be below the floor.
#
# </details>

# %% [markdown] key="checkpoint" lang="zh" follows="e7dac5c4"
# ## 小测验
#
# 先在心里选定一个，再点开它：对不对、为什么，里面都写着。其余的选项也值得点开看看，每一个都是常有人犯的错。
#
# **1.** “昨晚 叫 了 一夜 的 那条 狗 是 我 ……”，一个 n = 5 的网络要猜下一个词。把“昨晚”换成“前晚”，预测会怎样？
#
# <details><summary>A. 会变，因为网络读了前面所有的词。</summary>
#
# 再想想：流行的说法，但不对。输入层只装得下四个词，再早的进不来；后来的循环网络语言模型才去掉了窗口。
#
# </details>
#
# <details><summary>B. 变化很小，因为“昨晚”和“前晚”的行相近。</summary>
#
# 再想想：行相近只对窗口里的词有用。这两个词都在窗口外，所以预测不是变化小，而是根本不变。
#
# </details>
#
# <details><summary>C. 一点不变：“昨晚”不在最后四个词里。</summary>
#
# 对。网络只看 n − 1 = 4 个词的窗口，和 n 元模型一样。它的长处是窗口*里面*的词相近时，学到的东西能共享。
#
# </details>
#
# ---
#
# **2.** 按字来建模。在新闻里，“萄”出现 300 次，次次跟在“葡”后面；“城”出现 80 次，跟在 50 个不同的字后面。碰上从没见过的前文，Kneser-Ney 会退回最短的那个模型。它更看好哪个字？
#
# <details><summary>A. “城”。</summary>
#
# 对。最短的模型数的是跟在多少个不同的字后面：50 比 1。到处都能跟的字，换个新前文也更可能出现。
#
# </details>
#
# <details><summary>B. “萄”，它常见得多。</summary>
#
# 再想想：这是按出现次数分。照这样，到处都该盼着“萄”。
#
# </details>
#
# <details><summary>C. 一样，反正都没见过。</summary>
#
# 再想想：那是给每个计数都加一点的办法。Kneser-Ney 退回去问的那个模型，对每个字仍然有所了解。
#
# </details>
#
# ---
#
# **3.** 词表 10,000，n = 5，每词 60 个特征，隐藏层 100 个单元，不用直连的 W。参数大半在哪里？
#
# <details><summary>A. 在 C，词向量。</summary>
#
# 再想想：C 有 10,000 × 60 = 60 万个，不少，但还不是最多。
#
# </details>
#
# <details><summary>B. 在 H，隐藏层。</summary>
#
# 再想想：输入 x 有 4 × 60 = 240 个数，H 只有 100 × 240 = 24,000 个。看着最像“大脑”的一层，其实最小。
#
# </details>
#
# <details><summary>C. 在 U，输出层。</summary>
#
# 对。从隐藏层到每个词的得分，10,000 × 100 = 100 万个。每猜一个词都要给整个词表打分，时间也花在这里；第 02 课就从这里下手。
#
# </details>
#
# ---
#
# **4.** 在 MSRA 的新闻上，我们测得网络的困惑度是 154，四元模型 167，网络与三元模型混合之后是 129。取个平均，怎么会比两边都好？
#
# <details><summary>A. 混合模型参数更多，自然拟合得更好。</summary>
#
# 再想想：混合时只挑了一个权重，而且是在验证文本上挑的。
#
# </details>
#
# <details><summary>B. 平均的是每个词的概率，而两边猜不中的词不一样。</summary>
#
# 对。一边几乎给零的地方，另一边的一半概率就能救回来；取了对数，这种挽救特别值钱。要是把两个*困惑度*平均，那才会落在中间。
#
# </details>
#
# <details><summary>C. 不可能，一定是在测试文本上挑了权重。</summary>
#
# 再想想：权重是在验证文本上挑的。何况单靠一个数，也换不来这么多。
#
# </details>

# %% [markdown] key="questions" lang="en"
# ## Do you understand it?
#
# <details><summary>1. A trigram model gives every sentence that was never said
# probability zero. True?</summary>
#
# Without smoothing, if one of its three-word runs is new. With Kneser-Ney no sentence
# has probability zero.
# </details>
#
# <details><summary>2. Model A has perplexity 120 with a vocabulary of 10,000 words, model
# B 150 with 20,000, on the same text. Which is better?</summary>
#
# One cannot tell, because A says `<unk>` more often and is rewarded for it. Add the cost of
# saying which word it was (section 5), or use one vocabulary for both.
# </details>
#
# <details><summary>3. Why do *could* and *would* get similar rows in C, though they hardly
# ever stand side by side?</summary>
#
# Because swapping them hardly changes what comes next. The gradient that reaches a row
# depends on the words that follow, and these are the same kind.
# </details>
#
# ## What to read next
#
# * Bengio, Ducharme, Vincent, Jauvin (2003), *A neural probabilistic language model*, JMLR
#   3, 1137-1155. Sections 1.1 and 2; compare table 1 with section 4 of this lesson.
# * Chen and Goodman (1999), *An empirical study of smoothing techniques for language
#   modeling*: why Kneser-Ney wins.
# * Jurafsky and Martin, *Speech and Language Processing*, 3rd edition, chapter 3.

# %% [markdown] key="questions" lang="zh" follows="426b35e6"
# ## 检查一下自己
#
# <details><summary>1. 三元模型给从没人说过的句子一律打零分，对吗？</summary>
#
# 不加平滑、又碰上没见过的三词串时才是零。用了 Kneser-Ney，没有哪句话的概率是零。
# </details>
#
# <details><summary>2. 同一份文本，模型甲词表一万，困惑度 120；模型乙词表两万，困惑度 150。哪个好？</summary>
#
# 说不准：甲更常说 `<unk>`，占了便宜。要么像第 5 节那样补上“说清是哪个词”的代价，要么两边用同一个词表。
# </details>
#
# <details><summary>3. “可以”和“能够”几乎从不挨在一起，为什么它们在 C 里的行会相近？</summary>
#
# 因为把一个换成另一个，后面该出现什么几乎不变。传到一行的梯度取决于后面跟着什么词，而它们后面跟的是同一类词。
# </details>
#
# ## 接下来读什么
#
# * Bengio、Ducharme、Vincent、Jauvin（2003），*A neural probabilistic language model*，JMLR 3，1137-1155：读 1.1 节和第 2 节，拿表 1 和本课第 4 节对照。
# * Chen、Goodman（1999），*An empirical study of smoothing techniques for language modeling*：Kneser-Ney 好在哪里。
# * Jurafsky、Martin，*Speech and Language Processing*，第三版，第 3 章。
