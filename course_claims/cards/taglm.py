"""Lesson 05: context2vec, the CRF, TagLM."""

from __future__ import annotations

import itertools

import torch

from course_lib.analysis.statistics import Interval
from course_lib.models.context2vec import Context2Vec
from course_lib.models.crf import CRF
from course_lib.text.vocabulary import Vocabulary

from ..claim_card import Card, Pick, Rows
from ..experiments import taglm
from ..experiments.shipped import encoder
from ..outcome import CONVENTION, Hypothesis
from ..rules import only

LESSON = "05_taglm"
TASKS = {
    "conll2000": ("chunks, English", "组块，英文"),
    "msra": ("entities, Chinese", "实体，中文"),
}
LABELS = {
    "none": ("no language model", "没有语言模型"),
    "forward": ("forward only", "只有前向"),
    "both": ("both, after first (TagLM)", "双向，第一层之后（TagLM）"),
    "input": ("both, at the input", "双向，输入处"),
    "after second": ("both, after second", "双向，第二层之后"),
    "alone": ("states alone", "只有状态"),
    "layer 0": ("layer 0, no context", "第 0 层，不看上下文"),
    "labelled text": ("model of the labelled text", "只读有标注文本的模型"),
}
PAIRS = {  # compared in one experiment: "new minus old"
    f"{new} minus {old}": tuple(
        f"{a}{sign}{b}"
        for a, sign, b in zip(LABELS[new], (" minus ", "减"), LABELS[old], strict=True)
    )
    for new, old in itertools.permutations(LABELS, 2)
}


def curve(new: str, old: str):
    """Make a function that returns the lead of one way over another, by condition."""
    return lambda rows: taglm.better_by(rows, new, old)


def compared(*pairs: tuple[str, str]):
    """Make a function that returns the lead in each of some pairs of ways."""

    def effects(rows: Rows) -> dict[str, Interval]:
        return {
            f"{new} minus {old}": gap
            for new, old in pairs
            for gap in taglm.better_by(rows, new, old).values()
        }

    return effects


def where(*numbers: tuple[str, int]) -> dict[str, tuple[str, str]]:
    """Name conditions such as "msra: 400" in two languages."""
    return {
        f"{task}: {n}": (
            f"{TASKS[task][0]}: {n:,} labelled",
            f"{TASKS[task][1]}：{n:,} 句标注",
        )
        for task, n in numbers
    }


CONDITIONS = where(*itertools.product(("conll2000",), (84, 844, 8436))) | where(
    *itertools.product(("msra",), (40, 400, 4000))
)


def stacks(t: Pick) -> Rows:
    """Count the LSTMs of a context2vec, and the directions of each."""
    model = Context2Vec(Vocabulary(["<unk>", "<S>", "</S>", "bank"]), D=8, hidden=8)
    heads = t(
        ("context2vec's LSTMs", "reads", "directions"),
        ("context2vec 的 LSTM", "读", "方向数"),
    )
    sides = {
        "left": t("from the left", "从左往右"),
        "right": t("from the right", "从右往左"),
    }
    return [
        dict(zip(heads, (name, sides[name], 1 + part.bidirectional), strict=True))
        for name, part in model.named_children()
        if isinstance(part, torch.nn.LSTM)
    ]


def taggings(t: Pick) -> Rows:
    """Work out the probability of each of the lesson's taggings of "in New York"."""
    tags = "OBI"
    model, P = CRF(3), torch.tensor([[[3.0, 0, 0], [0, 1, 1.5], [0, 1, 2]]])
    with torch.no_grad():
        model.transitions[0, 2], model.transitions[1, 2], model.start[2] = -4, 1, -4
        mask = torch.ones(1, 3, dtype=torch.bool)
        chance = {
            "".join(tags[k] for k in y): float(
                (-model(P, torch.tensor([y]), mask)).exp()
            )
            for y in itertools.product(range(3), repeat=3)
        }
    against = sum(p for y, p in chance.items() if y[0] == "I" or "OI" in y)
    heads = t(("in New York", "probability"), ("在 北 京", "概率"))
    lines = [(" ".join(y), f"{chance[y]:.3f}") for y in ("OBI", "OII")]
    lines.append(
        (
            t(
                "all taggings that begin a span with I",
                "凡是让实体以 I 开头的标签串，合计",
            ),
            f"{against:.3f}",
        )
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


def letters(t: Pick) -> Rows:
    """Spell out the name."""
    heads = t(("letters", "stand for"), ("字母", "代表"))
    lines = (("LM", "language-model-augmented"), ("Tag", "sequence tagger"))
    return [dict(zip(heads, line, strict=True)) for line in lines]


def differences(t: Pick) -> Rows:
    """Count in what TagLM's language model and ELMo's differ, at the size of the course."""
    model = encoder("en").model
    shared = sum(
        p.numel()
        for name, p in model.named_parameters()
        if name.startswith(("token_layer", "softmax"))
    )
    L = model.config.layers
    heads = t(("", "TagLM", "ELMo"), ("", "TagLM", "ELMo"))
    lines = (
        (
            t("layers of the language model that are used", "用到语言模型的几层"),
            1,
            L + 1,
        ),
        (
            t("weights of the mix, learned with the task", "随任务学的混合权重"),
            0,
            f"{L + 1} + γ",
        ),
        (
            t("parameters shared by the directions", "两个方向共享的参数"),
            0,
            f"{shared:,}",
        ),
        (t("tasks in the paper", "论文里的任务"), 2, 6),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


AUTHORS = ("Peters et al. 2017", "Peters 等（2017）")
CARDS = (
    Card(
        key="context2vec_beats_average",
        lesson=LESSON,
        as_told="right",
        systems=("context2vec", "polysemy"),
        claim=(
            "A context read by an LSTM beats an average of word vectors.",
            "用 LSTM 读出来的上下文，胜过词向量的平均。",
        ),
        source=("Melamud et al. 2016", "Melamud 等（2016）"),
        quoted=(
            "S4",
            (
                "To make better use of the context, context2vec encodes it from the left and from the "
                "right with LSTMs.",
                "说要把上下文用好，可以像 context2vec 那样，让 LSTM 去读左右两边。",
            ),
        ),
        paper=(
            "Better than averaged vectors on sentence completion, lexical substitution and word sense "
            "disambiguation, trained on a very large corpus of the web (abstract).",
            "在句子填空、词汇替换、词义消歧上都胜过词向量平均，用很大的网络语料训练（摘要）。",
        ),
        why=(
            "The senses of hidden words, by context2vec and by averaged skip-gram vectors that have read "
            "the same 200,000 words; the paper has a very large corpus, and other tasks as well. So "
            "this is about little text, of which an average need not learn the order of words; of "
            "context2vec at full size it says nothing.",
            "比的是被盖住的词的义项：一边是 context2vec，一边是 skip-gram 词向量的平均，读同样的二十万词；论文的"
            "语料大得多，还有别的任务。所以这里说的只是语料很少的情形，而平均不必学词序；全尺寸的 "
            "context2vec 怎样，这里说明不了。",
        ),
        experiments=("context2vec_or_average",),
        effects=taglm.context_gains,
        hypothesis=Hypothesis(1, CONVENTION),
        effect=("context2vec minus average, points", "context2vec 减平均（百分点）"),
        names={
            "en": ("senses, English", "义项，英文"),
            "zh": ("senses, Chinese", "义项，中文"),
        },
    ),
    Card(
        key="context2vec-two-bilstms",
        lesson=LESSON,
        as_told="false",
        systems=("context2vec",),
        claim=(
            "context2vec uses two bidirectional LSTMs.",
            "context2vec 用了两个双向 LSTM。",
        ),
        quoted=(
            "S4",
            (
                "Two bidirectional LSTMs are said to encode the left and the right context.",
                "说它用的是两个双向 LSTM，左右各一个。",
            ),
        ),
        paper=(
            "One bidirectional LSTM: two LSTMs of one direction each, with parameters of their own.",
            "一个双向 LSTM，也就是两个单向 LSTM，参数各是各的。",
        ),
        why=(
            "If either side read in both directions, it would also read past the gap, and the word to be "
            "guessed would be among its inputs.",
            "要是每一边都双向读，就会读过空缺，要猜的词也成了输入。",
        ),
        facts=stacks,
    ),
    Card(
        key="crf-forbids",
        lesson=LESSON,
        as_told="imprecise",
        systems=("CRF",),
        claim=(
            "A CRF layer guarantees that the tags fit together.",
            "加上 CRF 层，就能保证标签序列合法。",
        ),
        source=("common advice", "常见的经验之谈"),
        paper=(
            "Lafferty et al. 2001: a CRF gives every sequence a probability; none of them is 0 as long as "
            "all scores are finite.",
            "Lafferty 等（2001）：CRF 给每一串标签一个概率；只要分数都有限，哪一串都不会是 0。",
        ),
        why=(
            "The scores of the lesson's example make a wrong start unlikely, not impossible. A guarantee "
            "takes a score of minus infinity, set by hand.",
            "本课例子里的分数只是让错误的开头变得少见，并没有禁止。要保证，就得亲手把分数设成负无穷。",
        ),
        facts=taggings,
    ),
    Card(
        key="taglm-name",
        lesson=LESSON,
        as_told="false",
        systems=("TagLM",),
        claim=(
            "TagLM stands for Tagged Language Model.",
            "TagLM 是“带标签的语言模型”。",
        ),
        quoted=(
            "S0",
            (
                "The name is spelt out as Tagged Language Model.",
                "把全名写作 Tagged Language Model。",
            ),
        ),
        paper=(
            "“Language-model-augmented sequence tagger”: Peters et al. 2017.",
            "“用语言模型增强的序列标注器”：Peters 等（2017）。",
        ),
        why=(
            "Not a language model with tags, but a tagger with a language model. The language model "
            "never sees a tag.",
            "不是带标签的语言模型，而是请了语言模型的标注器。语言模型从没见过标签。",
        ),
        facts=letters,
    ),
    Card(
        key="taglm-is-elmo",
        lesson=LESSON,
        as_told="imprecise",
        systems=("TagLM", "feature-based"),
        claim=(
            "TagLM is ELMo, only a year earlier.",
            "TagLM 就是早一年的 ELMo，思路一样。",
        ),
        quoted=(
            "S3",
            (
                "TagLM goes by much the same steps as ELMo, which is why they are not explained again.",
                "说 TagLM 的步骤基本和 ELMo 一样，所以不再展开。",
            ),
        ),
        paper=(
            "TagLM: the top layer of two independent language models, joined to a tagger at one place; "
            "entities and chunks. ELMo: all layers of one biLM, mixed by the task; six tasks.",
            "TagLM：两个互相独立的语言模型，只取顶层，接在标注器的一处；做实体和组块。ELMo：一个双向语言模型的所有层，"
            "由任务决定怎么混合；六个任务。",
        ),
        why=(
            "The idea of a frozen adviser is the same. New in ELMo are the layers, their mix, the shared "
            "parts, and the proof on tasks of other kinds.",
            "请一位冻结的顾问，这个思路相同。ELMo 新增的是：各层都用、由任务混合、两个方向有共享的部分，还在别类任务上"
            "验证过。",
        ),
        facts=differences,
    ),
    Card(
        key="taglm_gain",
        lesson=LESSON,
        as_told="right",
        systems=("TagLM", "CRF"),
        claim=(
            "The states of a language model make a tagger better.",
            "语言模型的状态能让标注器变好。",
        ),
        source=AUTHORS,
        quoted=(
            "S0",
            (
                "TagLM is reported to have improved sequence tagging markedly: an adviser in matters of "
                "language.",
                "说 TagLM 在序列标注上提升显著，像是配了一位“语言顾问”。",
            ),
        ),
        paper=(
            "CoNLL-2003 entities: F1 91.93 ± 0.19 with both directions, as the ELMo paper quotes it; above "
            "the same tagger without, and more so the larger the language model is.",
            "CoNLL-2003 实体：用双向语言模型，F1 为 91.93 ± 0.19（引自 ELMo 论文）；高于没有语言模型的同一标注器，语言"
            "模型越大，高得越多。",
        ),
        why=(
            "The tagger with both directions of the course's frozen biLM minus the same tagger without, by "
            "whole spans: English chunks (CoNLL-2000) and Chinese entities (MSRA, at most 4,000 sentences), "
            "each with 1, 10 and 100 % of the labels. The paper has English entities and chunks, and far "
            "larger language models. What it is that helps, only the controls can say: see “What helps is the "
            "text without labels”.",
            "接上课程自带的冻结双向语言模型（两个方向）的标注器，减去没有它的同一标注器，按整个实体或组块算：英文组块"
            "（CoNLL-2000）和中文实体（MSRA，至多 4000 句），标注各取 1%、10%、100%。论文做的是英文的实体和组块，语言模型"
            "大得多。究竟是什么在起作用，要靠对照才能回答，见“有用的是无标注文本”那张卡片。",
        ),
        experiments=("taglm_chunks", "taglm_entities"),
        effects=curve("both", "none"),
        hypothesis=Hypothesis(
            0.5, ("about half of the paper's gain, 1.1", "约为论文增益 1.1 的一半")
        ),
        effect=("points of F1", "F1（百分点）"),
        scale=1.0,
        names=CONDITIONS,
    ),
    Card(
        key="taglm_directions",
        lesson=LESSON,
        as_told="right",
        systems=("TagLM", "biLM"),
        claim=("Two directions are better than one.", "双向比单向好。"),
        source=AUTHORS,
        quoted=(
            "S1",
            (
                "A deep language model of both directions is said to be better than a one-sided one.",
                "说双向的深层语言模型优于单向的。",
            ),
        ),
        paper=(
            "Adding the backward model improves on the forward one alone.",
            "在前向模型之外再加后向模型，还有提高。",
        ),
        why=(
            "The tagger itself reads in both directions already; the question is whether the adviser "
            "must, too: states of both directions minus those of the forward one, by the same tagger, in "
            "English chunks and Chinese entities. Both directions are also twice as many numbers a word.",
            "标注器自己本来就双向读；问题在于顾问是不是也得双向。同一个标注器，用两个方向的状态减去只用前向的，"
            "英文组块和中文实体各测一遍。两个方向的状态，每个词的数也多一倍。",
        ),
        experiments=("taglm_chunks", "taglm_entities"),
        effects=curve("both", "forward"),
        hypothesis=Hypothesis(0.2, CONVENTION),
        effect=("points of F1", "F1（百分点）"),
        scale=1.0,
        names=CONDITIONS,
    ),
    Card(
        key="taglm_own_text",
        lesson=LESSON,
        as_told="right",
        systems=("TagLM", "why"),
        claim=(
            "What helps is the text without labels, not a second network.",
            "有用的是无标注文本，而不是多出来的那个网络。",
        ),
        source=AUTHORS,
        paper=(
            "A language model trained on the labelled text alone does not help.",
            "只在有标注的文本上训练的语言模型没有帮助。",
        ),
        why=(
            "What counts is what further text adds to a language model of the labelled sentences alone "
            "(that model is also smaller: one layer, a quarter as many numbers a word; size and text are not "
            "separated). The second network by itself is shown, too: in English it adds 1.2 points, in Chinese "
            "it cannot be told. English: 844 sentences; Chinese: entities, MSRA, 400, which our Chinese "
            "biLM has read without their labels.",
            "计入的是：语言模型多读了无标注文本，比只读有标注句子的语言模型多给多少（后者也小一些：一层，每个词的数"
            "只有四分之一；大小和文本的作用没有分开）。多一个网络本身值多少，也画在图里：英文 1.2 个点，中文看不出来。"
            "英文：844 句；中文：MSRA 实体，400 句，中文双向语言模型读过这些句子，没看过标注。",
        ),
        experiments=("taglm_parts",),
        effects=compared(
            ("labelled text", "none"), ("both", "none"), ("both", "labelled text")
        ),
        hypothesis=Hypothesis(
            0.5,
            (
                "about half of the paper's whole gain, 1.1",
                "约为论文总增益 1.1 的一半",
            ),
            claimed=only("both minus labelled text"),
        ),
        effect=("points of F1", "F1（百分点）"),
        scale=1.0,
        names=PAIRS,
    ),
    Card(
        key="taglm_place",
        lesson=LESSON,
        as_told="right",
        systems=("TagLM", "placement"),
        claim=(
            "The states belong after the tagger's first layer.",
            "状态应当拼在标注器第一层之后。",
        ),
        source=AUTHORS,
        quoted=(
            "S0",
            (
                "Here the states are said to be joined to the input of the task's model.",
                "文中说的是拼接到下游任务的模型输入里。",
            ),
        ),
        paper=(
            "Best of the three places; the input and the top were tried.",
            "三个位置里最好；输入处和最上面都试过。",
        ),
        why=(
            "After the first layer minus each of the two other places, the same states and labels. The "
            "input, which the article names, is one of the places that lost in the paper. Our "
            "language model and tagger are far smaller. English: chunks, 844 sentences; Chinese: entities, MSRA, 400.",
            "状态和标注都相同，第一层之后分别减去另外两个位置。文章说的输入处，在论文里正是落选的位置之一；我们的语言"
            "模型和标注器小得多。英文：组块，844 句；中文：MSRA 实体，400 句。",
        ),
        experiments=("taglm_parts",),
        effects=compared(("both", "input"), ("both", "after second")),
        hypothesis=Hypothesis(0.2, CONVENTION),
        effect=("points of F1", "F1（百分点）"),
        scale=1.0,
        names=PAIRS,
    ),
    Card(
        key="taglm-states-alone",
        lesson=LESSON,
        systems=("TagLM", "feature-based"),
        claim=(
            "The language model's states are all that the tagger needs.",
            "有了语言模型的状态，标注器别的都可以不要。",
        ),
        source=("our question", "我们的追问"),
        paper=(
            "The authors tried it on entities and found the states alone worse even than the tagger without "
            "a language model (as far as we know: read in lecture notes, not in the paper).",
            "据我们所知（见于课程讲义，没有核对论文），作者在实体任务上试过，只用状态，连没有语言模型的标注器都不如。",
        ),
        why=(
            "The states, a dense layer and the CRF (no words, no characters, no LSTM) minus the whole "
            "tagger. Beside it, not counted, minus the tagger without a language model: the states alone "
            "beat that one here. English: chunks, 844 sentences; Chinese: entities, MSRA, 400.",
            "只用状态、一个全连接层和 CRF（没有词、没有字符、没有 LSTM），减去完整的标注器。旁边不计入的一行减去没有"
            "语言模型的标注器：在这里，只用状态就胜过了它。英文：组块，844 句；中文：MSRA 实体，400 句。",
        ),
        experiments=("taglm_parts",),
        effects=compared(("alone", "none"), ("alone", "both")),
        hypothesis=Hypothesis(0.5, CONVENTION, claimed=only("alone minus both")),
        effect=("points of F1", "F1（百分点）"),
        scale=1.0,
        names=PAIRS,
    ),
)
