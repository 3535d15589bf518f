"""Lesson 06: the bidirectional language model inside ELMo."""

from __future__ import annotations

import functools

import torch
from torch import nn

from course_lib.analysis.influence import influence
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.text.batches import spell_sentences

from ..claim_card import Card, Pick, Rows
from ..experiments import mixing, spelling
from ..experiments.shipped import encoder
from ..outcome import Hypothesis
from ..rules import only

LESSON = "06_elmo_bilm"
SMALL = BiLMConfig(cells=8, projection=4, filters=[[1, 4], [3, 4]], char_size=4)
SPELLED = {
    ("characters", "forward"): (
        "16 numbers a character, forward",
        "每字 16 个数，前向",
    ),
    ("characters", "backward"): (
        "16 numbers a character, backward",
        "每字 16 个数，后向",
    ),
    ("characters, wide", "forward"): (
        "64 numbers a character, forward",
        "每字 64 个数，前向",
    ),
    ("characters, wide", "backward"): (
        "64 numbers a character, backward",
        "每字 64 个数，后向",
    ),
}
RIVALS = {
    ("en", "layer 0"): ("English: above layer 0", "英文：高于第 0 层"),
    ("en", "averaged static context"): (
        "English: above the average",
        "英文：高于静态上下文平均",
    ),
    ("zh", "layer 0"): ("Chinese: above layer 0", "中文：高于第 0 层"),
    ("zh", "averaged static context"): (
        "Chinese: above the average",
        "中文：高于静态上下文平均",
    ),
}


@functools.cache
def small(words: int = 100) -> BiLM:
    """Make a biLM that is too small to know anything; its wiring is the real one."""
    torch.manual_seed(6)
    return BiLM(SMALL, words).eval()


@functools.cache
def reach(T: int = 6) -> dict[str, torch.Tensor]:
    """Ask on which words the top state of either half depends. Shape: (T, T) each."""
    model, x = small(), torch.randn(1, T, SMALL.projection)

    def mirrored(x: torch.Tensor) -> torch.Tensor:
        return model.run(model.backward_stack, x.flip(1))[-1].flip(1)

    return {
        "forward": influence(lambda x: model.run(model.forward_stack, x)[-1], x),
        "backward": influence(mirrored, x),
    }


def halves(t: Pick) -> Rows:
    """Show what the words on either side do to each half."""
    heads = t(
        ("half of the state", "influence of earlier words", "of later words"),
        ("状态的一半", "前面的词的影响", "后面的词的影响"),
    )
    names = {"forward": t("forward", "前向"), "backward": t("backward", "后向")}
    return [
        dict(
            zip(
                heads,
                (
                    names[half],
                    *(f"{side.max():.1g}" for side in (of.tril(-1), of.triu(1))),
                ),
                strict=True,
            )
        )
        for half, of in reach().items()
    ]


def leaks(t: Pick) -> Rows:
    """Show what later words do to the forward half of torch's own two-sided LSTM."""
    torch.manual_seed(6)
    x, found = torch.randn(1, 6, 4), []
    heads = t(
        ("nn.LSTM(bidirectional=True)", "influence of later words on its forward half"),
        ("nn.LSTM(bidirectional=True)", "后面的词对前向一半的影响"),
    )
    for layers in (1, 2):
        model = nn.LSTM(4, 4, layers, bidirectional=True, batch_first=True)

        def forward(x: torch.Tensor, model: nn.LSTM = model) -> torch.Tensor:
            return model(x)[0][..., :4]

        leak = float(influence(forward, x).triu(1).max())
        found.append(
            dict(zip(heads, (f"num_layers={layers}", f"{leak:.1g}"), strict=True))
        )
    return found


def parts(t: Pick) -> Rows:
    """Count the parameters that the directions share, and those of each."""
    named = dict(encoder("en").model.named_parameters())
    heads = t(("part", "parameters"), ("部分", "参数"))
    titles = {
        ("token_layer", "softmax"): t("shared", "共享"),
        ("forward_stack",): t("forward only", "仅前向"),
        ("backward_stack",): t("backward only", "仅后向"),
    }
    return [
        dict(
            zip(
                heads,
                (
                    title,
                    f"{sum(p.numel() for n, p in named.items() if n.startswith(of)):,}",
                ),
                strict=True,
            )
        )
        for of, title in titles.items()
    ]


@torch.no_grad()
def token_layer(t: Pick) -> Rows:
    """Show what layer 0 depends on, and that it has no row for a word."""
    model = small()
    layers = model(
        spell_sentences([["the", "bank"], ["river", "bank"]])
    )  # (3, 2, 2, 2P)
    first, second = layers[0, :, 1]
    P = SMALL.projection
    sizes = [
        sum(p.numel() for p in small(n).token_layer.parameters()) for n in (100, 200)
    ]
    heads = t(("layer 0", ""), ("第 0 层", ""))
    lines = (
        (
            t("changes with the sentence by, at most", "换一句话，至多变动"),
            f"{(first - second).abs().max():.1g}",
        ),
        (
            t("its halves differ by, at most", "前后两半至多相差"),
            f"{(first[:P] - first[P:]).abs().max():.1g}",
        ),
        (
            t(
                "parameters for another 100 words in the vocabulary",
                "词表再加 100 个词，参数多出",
            ),
            sizes[1] - sizes[0],
        ),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


def read_by(t: Pick) -> Rows:
    """Count the words of a sentence that either half of its last word has read."""
    words = ["deposit", "money", "to", "the", "bank"]
    heads = t(("bank in “deposit money to the bank”", "words read besides bank"),
              ("“deposit money to the bank”里的 bank", "除 bank 外读过几个词"))  # fmt: skip
    names = {
        "forward": t("forward half", "前向的一半"),
        "backward": t("backward half", "后向的一半"),
    }
    return [
        dict(zip(heads, (names[half], int((of[-1] > 0).sum()) - 1), strict=True))
        for half, of in reach(len(words)).items()
    ]


def dates(t: Pick) -> Rows:
    """List when ELMo appeared, and where."""
    heads = t(("ELMo", "when"), ("ELMo", "时间"))
    lines = (
        (
            t("anonymous, submitted to ICLR 2018", "匿名投稿 ICLR 2018"),
            t("autumn 2017", "2017 年秋"),
        ),
        ("arXiv", t("February 2018", "2018 年 2 月")),
        (
            t("arXiv, second version", "arXiv 第二版"),
            t("22 March 2018", "2018 年 3 月 22 日"),
        ),
        ("NAACL", t("June 2018", "2018 年 6 月")),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


def before_elmo(t: Pick) -> Rows:
    """List contextual representations before ELMo, and what each was taken from."""
    heads = t(("year", "representation", "states of"), ("年份", "表示", "取自"))
    lines = (
        (2016, "context2vec", t("two LSTMs, for a gap", "两个 LSTM，算空缺的向量")),
        (2017, "TagLM", t("two language models", "两个语言模型")),
        (2017, "CoVe", t("a translation encoder", "机器翻译的编码器")),
        (2018, "ELMo", t("one biLM, all layers", "一个双向语言模型，所有层")),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


CARDS = (
    Card(
        key="two_sided",
        lesson=LESSON,
        as_told="false",
        systems=("biLM", "ELMo"),
        claim=(
            "ELMo predicts a word from its left and its right context.",
            "ELMo 同时用左右两侧的上下文预测一个词。",
        ),
        quoted=(
            "S3",
            (
                "The task of the language model is given as predicting a word from its context, before "
                "and after; ELMo is said to use both at once, unlike GPT.",
                "说训练目标是根据上文和下文去预测一个词；又说 ELMo 预测时两边都用了，而 GPT 只用上文。",
            ),
        ),
        paper=(
            "Two one-sided models, their log-likelihoods added (section 3.1).",
            "两个单向模型，对数似然相加（3.1 节）。",
        ),
        why=(
            "The forward half depends on no later word, the backward half on no earlier one: exactly 0. "
            "Both sides meet after the training, when the halves are joined.",
            "前向的一半不依赖任何后面的词，后向的一半不依赖任何前面的词，恰好是 0。左右两边训练完才拼到一起。",
        ),
        facts=halves,
    ),
    Card(
        key="stacked-lstm",
        lesson=LESSON,
        as_told="false",
        systems=("biLM",),
        claim=(
            "nn.LSTM(bidirectional=True, num_layers=2) is a simplified biLM.",
            "nn.LSTM(bidirectional=True, num_layers=2) 就是简化版的双向语言模型。",
        ),
        source=("tutorials", "常见教程"),
        paper=(
            "Two stacks that never meet inside the model (section 3.1).",
            "两套 LSTM，在模型里互不相见（3.1 节）。",
        ),
        why=(
            "With one layer nothing leaks. With two, layer 2 of the forward half reads layer 1 of the "
            "backward half, which has seen the word to be predicted; a language model trained on it "
            "learns to copy.",
            "一层时没有泄漏。两层时，前向的第 2 层读了后向的第 1 层，而后者已经见过要预测的词；拿它训练语言模型，学会的"
            "是抄答案。",
        ),
        facts=leaks,
    ),
    Card(
        key="independent",
        lesson=LESSON,
        as_told="false",
        systems=("tying", "biLM"),
        claim=(
            "The forward and the backward model have no parameters in common.",
            "前向模型和后向模型的参数完全独立。",
        ),
        quoted=(
            "S0",
            (
                "The parameters of the two LSTMs are said to be independent, with no weight shared: more "
                "parameters, but simpler to train.",
                "说两个方向各用各的参数，一点也不共享：代价是参数多，好处是训练省事。",
            ),
        ),
        paper=(
            "Token layer and softmax are tied, the LSTMs are separate (section 3.1).",
            "词层和 softmax 共享，只有 LSTM 各自独立（3.1 节）。",
        ),
        why=(
            "Counted for the course's model with 30,000 words. Complete independence is TagLM, the year "
            "before.",
            "按本课程的模型、三万词的词表计。完全独立的是前一年的 TagLM。",
        ),
        facts=parts,
    ),
    Card(
        key="layer-0",
        lesson=LESSON,
        as_told="imprecise",
        systems=("char-CNN", "ELMo"),
        claim=(
            "ELMo's lowest layer is the word embedding.",
            "ELMo 最底层就是单词的词向量。",
        ),
        quoted=(
            "S3",
            (
                "A word gets three embeddings; the one at the bottom is called its word embedding.",
                "每个词得到三个向量，最底下那个被叫作 Word Embedding。",
            ),
        ),
        paper=(
            "A character network's output, free of context: 512 numbers (section 3.4); the released "
            "code repeats them, so that the layer is as wide as the others.",
            "字符网络的输出，与上下文无关：512 个数（3.4 节）；公开的代码把它重复两次，好和别的层一样宽。",
        ),
        why=(
            "Static it is. But there is no table with a row for each word: it is computed from the "
            "spelling, and so exists for words that were never seen.",
            "它确实是静态的。但并没有一张一词一行的表：它由写法算出，没见过的词也有。",
        ),
        facts=token_layer,
    ),
    Card(
        key="bank-account",
        lesson=LESSON,
        as_told="false",
        systems=("biLM", "polysemy"),
        claim=(
            "In “deposit money to the bank” the vector of bank is shaped from both sides.",
            "在“deposit money to the bank”里，bank 的向量同时受左右两边的影响。",
        ),
        quoted=(
            "S0",
            (
                "There bank is said to feel both deposit money to and account; account is not in the "
                "sentence.",
                "说这个 bank 会同时受到“deposit money to”和“account”的影响，可句子里并没有 account。",
            ),
        ),
        paper=(
            "The backward model reads the words after the word (section 3.1).",
            "后向模型读的是这个词后面的词（3.1 节）。",
        ),
        why=(
            "Bank is the last word: its backward half has read nothing else of the sentence, and is the "
            "same after any beginning. An example for both sides needs a word after bank.",
            "bank 是最后一个词：后向的一半没有读到别的词，前面换成什么它都一样。要说明两边都起作用，例句里 bank 后面得"
            "有词。",
        ),
        facts=read_by,
    ),
    Card(
        key="separated",
        lesson=LESSON,
        as_told="right",
        systems=("ELMo", "polysemy"),
        claim=(
            "A contextual vector tells the senses of a word apart; a static one cannot.",
            "上下文向量能分清一个词的义项，静态向量做不到。",
        ),
        quoted=(
            "S3",
            (
                "Did ELMo solve polysemy? Yes, says the article, and better than one had hoped.",
                "文中认为 ELMo 解决了多义词问题，效果甚至超出预期。",
            ),
        ),
        paper=(
            "Word sense disambiguation, F1: WordNet's first sense 65.9, biLM layer 1 67.4, layer 2 69.0 "
            "(table 5).",
            "词义消歧 F1：WordNet 第一义项 65.9，biLM 第 1 层 67.4，第 2 层 69.0（表 5）。",
        ),
        why=(
            "The better of layers 1 and 2 beside layer 0, which is static, on the course's example sentences; the biLM read "
            "22 million words ten times (Chinese: 19 million, nine times), the paper's about 800 million, ten times. Beside them, not counted, the average "
            "of the other words' static vectors, which have no network to read the context with: in English no difference from the layer can be seen, in Chinese this average is 11.8 points ahead. "
            "Each seed asks about a fifth of the sentences; ten seeds ask about each twice, so the interval is too narrow, and of other words, or of another biLM, it says nothing.",
            "用课程的例句，拿第 1、2 层中较好的一层和静态的第 0 层比；我们的模型把 2200 万词读了十遍（中文 1900 万词，九遍），论文的是约 8 亿词，读了十遍。"
            "“其他词的静态向量取平均”列在旁边，不计入：它没有网络来读上下文，英文和这一层分不出高下，中文却高 11.8 个点。每个种子考五分之一的例句，十个种子把每一句考了两遍，所以区间偏窄；换一批词，或者换一个模型会怎样，它也没有说。",
        ),
        experiments=("layers_pos_wsd",),
        effects=mixing.sense_gains,
        hypothesis=Hypothesis(
            1.5,
            (
                "half of the 3.1 of layer 2 over WordNet's first sense, table 5",
                "论文表 5 里，第 2 层比 WordNet 第一义项高 3.1，取一半",
            ),
            claimed=only(("en", "layer 0"), ("zh", "layer 0")),
        ),
        effect=("better of layers 1 and 2, points", "第 1、2 层中较好的（百分点）"),
        names=RIVALS,
    ),
    Card(
        key="bytes-in-chinese",
        lesson=LESSON,
        systems=("char-CNN",),
        claim=(
            "In Chinese, a biLM predicts worse if it reads a word as UTF-8 bytes rather than as characters.",
            "中文词按 UTF-8 字节来读，不如按汉字来读准。",
        ),
        source=("a question of this course", "本课自己提的问题"),
        paper=(
            "The released ELMo reads UTF-8 bytes; it is English. Chinese was not tried.",
            "公开发布的 ELMo 读的是 UTF-8 字节，它只读英文；中文没有试过。",
        ),
        why=(
            "Small biLMs on 239,000 Chinese words, alike but for the spelling: bytes, or characters with 16 or 64 numbers each. "
            "A character is three bytes, and which three belong together must be learned; but of the 4,267 characters 38 % occur at "
            "most five times, and such rows learn little. With much more text it may come out otherwise.",
            "在 23.9 万词的中文上训练小模型，只有读法不同：按字节，或按汉字（每字 16 或 64 个数）。"
            "一个汉字是三个字节，哪三个字节连在一起要靠学；可是 4267 个不同的字符里，38% 最多出现五次，学不到什么。文本多得多时，结果也许不同。",
        ),
        experiments=("bytes_or_characters",),
        effects=spelling.cheaper,
        hypothesis=Hypothesis(
            1,
            (
                "a hundredth of the perplexity: our convention",
                "困惑度的百分之一，本课的约定",
            ),
        ),
        effect=(
            "how much lower the log perplexity is in characters, 0.01 nats",
            "按汉字读，困惑度的对数低多少（0.01 奈特）",
        ),
        names=SPELLED,
    ),
    Card(
        key="naacl-march",
        lesson=LESSON,
        as_told="false",
        systems=("ELMo",),
        claim=(
            "ELMo was presented at NAACL in March 2018.",
            "ELMo 是 2018 年 3 月在 NAACL 上发表的。",
        ),
        quoted=(
            "S0",
            (
                "The paper is dated March 2018, at the NAACL conference; ULMFiT some months earlier.",
                "说论文 2018 年 3 月发表于 NAACL，又说 ULMFiT 早了几个月。",
            ),
        ),
        paper=(
            "The preprint's second version is of 22 March 2018; the conference was in June.",
            "预印本第二版是 2018 年 3 月 22 日的；会议在 6 月。",
        ),
        why=(
            "March is the preprint. It matters for who was first: as an anonymous submission ELMo was "
            "there before ULMFiT's preprint of January 2018.",
            "3 月的是预印本。这关系到谁先谁后：匿名投稿时的 ELMo，早于 ULMFiT 2018 年 1 月的预印本。",
        ),
        facts=dates,
    ),
    Card(
        key="first-contextual",
        lesson=LESSON,
        as_told="imprecise",
        systems=("CoVe", "ELMo", "context2vec"),
        claim=(
            "ELMo was the first to show that contextual vectors help in nearly all tasks.",
            "ELMo 首次系统地证明了上下文词表示对几乎所有任务都有用。",
        ),
        quoted=(
            "S0",
            (
                "It is credited with the first systematic proof that representations in context bring "
                "marked gains on almost all tasks.",
                "说按上下文来表示词，几乎什么任务都能受益，这一点由它头一个系统地证明。",
            ),
        ),
        paper=(
            "Six tasks. Its own comparison is CoVe (2017): word senses, F1, CoVe's second layer 64.7, "
            "the biLM's 69.0, always the first sense 65.9 (table 5).",
            "六个任务。论文自己拿来比的就是 CoVe（2017）：词义消歧 F1，CoVe 第二层 64.7，biLM 第二层 69.0，总猜第一义项 "
            "65.9（表 5）。",
        ),
        why=(
            "Not the first, and six are not nearly all. What it did show is that a language model's "
            "states serve better than a translator's, and without parallel text.",
            "不是头一个，六个任务也谈不上“几乎所有”。它确实表明的是：语言模型的状态比翻译模型的更管用，而且不需要平行语料。",
        ),
        facts=before_elmo,
    ),
    Card(
        key="morphology",
        lesson=LESSON,
        as_told="opinion",
        systems=("char-CNN",),
        claim=(
            "The character CNN helps most in languages rich in forms, such as German or Turkish.",
            "字符 CNN 对德语、土耳其语这类形态丰富的语言特别有用。",
        ),
        quoted=(
            "S0",
            (
                "Composing a word from characters is called especially useful for German and Turkish, for "
                "variants and for new words.",
                "说有了字符，德语、土耳其语这类词形变化多的语言，还有异体拼写和新词，都好办得多。",
            ),
        ),
        paper=(
            "All of ELMo's experiments are in English.",
            "ELMo 的实验全是英文的。",
        ),
        why=(
            "It would take biLMs of several languages, trained alike, and a task set for each; ours read "
            "English and Chinese. Lesson 08 tests unknown words in these two.",
            "要检验，得有几种语言、同样训练的模型，还要各有任务；我们只有英文和中文的。这两种语言里的生词，第 08 课会测。",
        ),
    ),
)
