"""Lesson 08: what the layers of a biLM know."""

from __future__ import annotations

from course_lib.analysis.statistics import Interval, t_interval

from .. import ledger, rules
from ..card_page import signed
from ..claim_card import Card, Pick, Rows, Text
from ..experiments import efficiency, layers, unknown_words
from ..outcome import CONVENTION, Hypothesis
from ..rules import only
from .polysemy import UPDATES

LESSON = "08_elmo_layers"
SETS = {
    "POS treebank": ("POS, Penn Treebank: 1 above 2", "词性，宾州树库：1 高于 2"),
    "POS en_ewt": ("POS, UD English: 1 above 2", "词性，UD 英文：1 高于 2"),
    "POS zh_gsdsimp": ("POS, UD Chinese: 1 above 2", "词性，UD 中文：1 高于 2"),
    "WSD senses-en": ("senses, English: 2 above 1", "义项，英文：2 高于 1"),
    "WSD senses-zh": ("senses, Chinese: 2 above 1", "义项，中文：2 高于 1"),
} | {
    f"WSD {word}": (
        f"senses of {word}, Senseval: 2 above 1",
        f"义项，Senseval 的 {word}：2 高于 1",
    )
    for word in layers.SENSEVAL
}
TASKS = {
    "senses-en": ("senses (en)", "义项（英文）"),
    "senses-zh": ("senses (zh)", "义项（中文）"),
    "treebank": ("part of speech (en)", "词性（英文）"),
    "zh_gsdsimp": ("part of speech (zh)", "词性（中文）"),
    "qc": ("TREC questions (en)", "TREC 问题类型（英文）"),
    "sentence_polarity": ("film reviews (en)", "影评褒贬（英文）"),
    "waimai": ("food delivery (zh)", "外卖评论（中文）"),
}
FEW = ("qc", "sentence_polarity", "waimai", "treebank", "zh_gsdsimp")
PLAIN = {
    "biLM": ("biLM", "biLM"),
    "TF-IDF": ("TF-IDF", "TF-IDF"),
    "window": ("hand-made features", "手工特征"),
}
MODELS = {
    "static": ("static vector", "静态向量"),
    "averaged static context": ("averaged static context", "静态上下文平均"),
    **{f"layer {k}": (f"layer {k}", f"第 {k} 层") for k in range(3)},
}
LANGUAGES = {
    "en": ("English", "英文"),
    "zh": ("Chinese", "中文"),
    "masc_tagged": ("English (MASC)", "英文（MASC）"),
    "zh_gsdsimp": ("Chinese (UD)", "中文（UD）"),
}
UNKNOWN = {
    f"{name}, {kind}, {rival}": (
        f"{en} {of[0]}, over the {rival}",
        f"{zh}{of[1]}，比{by}",
    )
    for name, en, zh in (
        ("treebank", "English:", "英文，"),
        ("zh_gsdsimp", "Chinese:", "中文，"),
        ("rivertown-en-pos", "Rivertown (en):", "河湾镇英文，"),
        ("rivertown-zh-pos", "Rivertown (zh):", "河湾镇中文，"),
    )
    for kind, of in (
        ("unknown words", ("unknown words", "词表没有的词")),
        ("misspelt words", ("misspelt words", "写错的词")),
    )
    for rival, by in (("word table", "词表"), ("hashed n-grams", "哈希 n-gram"))
}
WITHIN = {
    f"{language}, {model}": (f"{en}, {MODELS[model][0]}", f"{zh}，{MODELS[model][1]}")
    for language, (en, zh) in list(LANGUAGES.items())[:2]
    for model in ("layer 1", "layer 2", "averaged static context")
}
INPUT = {
    "random": ("random word vectors", "随机词向量"),
    "static": ("pre-trained word vectors", "预训练词向量"),
    "untrained biLM": ("untrained biLM, frozen", "未训练的 biLM，冻结"),
    "biLM": ("biLM, frozen", "biLM，冻结"),
}


def unknown(rows: Rows) -> dict[str, Interval]:
    """Return the char-CNN's lead by set, kind of words and rival, under one name."""
    return {
        ", ".join(place): gap
        for place, gap in unknown_words.unknown_gains(rows).items()
    }


def one_sense_nearer(rows: Rows) -> dict[str, Interval]:
    """Return by how much two occurrences in one sense are more alike, in layer 2."""
    found = ledger.over_seeds(rows, "one less two")
    return {place: of for (model, place), of in found.items() if model == "layer 2"}


def kept_beyond(rows: Rows) -> dict[str, Interval]:
    """Return how much more neighbours in layer 2 keep the part of speech."""
    return {
        f"{text}, {old}": gain
        for old in ("static", "averaged static context")
        for text, gain in rules.gains(
            [r for r in rows if r["model"]], "same part of speech", "layer 2", old
        ).items()
    }


def beyond_eighty(rows: Rows) -> dict[str, Interval]:
    """Return which share of its own best a model has with a tenth of the labels, - 0.8.

    Beside the biLM what needs no pre-training.
    """
    found, k = {}, efficiency.SHARES.index(0.1)
    for name, task in efficiency.curves(rows).items():
        for model in ("biLM", efficiency.without(task)):
            scores = task.scores[model]  # (S, K)
            found[f"{name}, {model}"] = t_interval(scores[:, k] / scores[:, -1] - 0.8)
    return found


def updates_saved(rows: Rows) -> dict[str, Interval]:
    """Return how many updates less the biLM needs than what is not pre-trained."""
    turned = [{**r, "value": -r["value"]} for r in rows if r["metric"] == "updates"]
    return {
        f"{text}, {old}": gain
        for old in ("random", "untrained biLM")
        for text, gain in rules.gains(turned, "updates", "biLM", old).items()
    }


def beyond_half_of_variance(rows: Rows) -> dict[str, Interval]:
    """Return which share of a word's variance its senses explain, minus one half."""
    return rules.shifted(explained, 0.5)(rows)


def explained(rows: Rows) -> dict[str, Interval]:
    """Return which share of a word's variance its senses explain, by language."""
    found = ledger.over_seeds(rows, "explained by sense")
    return {f"{place}, {model}": share for (model, place), share in found.items()}


def hospital(t: Pick) -> Rows:
    """Divide the hospital's labels by the multipliers that papers report."""
    reports = 30_000
    multipliers = {
        t("ELMo, semantic roles", "ELMo，语义角色"): 10,
        t("ULMFiT, IMDb", "ULMFiT，IMDb"): 10,
        t("ULMFiT, AG", "ULMFiT，AG"): 20,
        t(
            "ULMFiT, IMDb, with all unlabelled text", "ULMFiT，IMDb，用上全部无标注文本"
        ): 100,
    }
    heads = t(
        ("if it were as in", "multiplier", "labels left of 30,000"),
        ("假如同这项任务一样", "数据倍数", "三万份还剩"),
    )
    return [
        dict(zip(heads, (task, f"{n} ×", f"{reports // n:,}"), strict=True))
        for task, n in multipliers.items()
    ]


def named(t: Pick, of: Text, place: str) -> str:
    """Name a model and the language or corpus that it read."""
    return t(", ", "，").join((t(*of), t(*LANGUAGES.get(place, (place, place)))))


def alike(rows: Rows, t: Pick) -> Rows:
    """Show which vectors are the same in all sentences, and tell senses apart."""
    same = ledger.over_seeds(rows, "identical")
    apart = ledger.over_seeds(rows, "one less two")
    return [
        {
            t("vector", "向量"): named(t, MODELS[model], language),
            t("identical pairs", "相同的句对"): f"{share.estimate:.0%}",
            t("cosine: one sense minus two", "余弦：同义减异义"): signed(
                apart[model, language], 2
            ),
        }
        for (model, language), share in same.items()
        if (model, language) in apart
    ]


def kept(rows: Rows, t: Pick) -> Rows:
    """Show how often the nearest other use has the same part of speech."""
    return [
        {
            t("nearest by", "按什么找近邻"): named(t, MODELS[model], place),
            t("same part of speech", "词性相同"): f"{share:.2f}",
        }
        for (model, place), share in ledger.over_seeds(
            rows, "same part of speech"
        ).items()
    ]


def shares(rows: Rows, t: Pick) -> Rows:
    """Show which share of its own best each way has with a tenth of the labels."""
    k, found = efficiency.SHARES.index(0.1), []
    for name, task in efficiency.curves(rows).items():
        plain = efficiency.without(task)
        cells = (efficiency.shares_of_best(task, way)[k] for way in (plain, "biLM"))
        without, model = (f"{share:.0%}" for share in cells)
        found.append(
            {
                t("with 10 % of the labels", "用 10% 的标注"): t(*TASKS[name]),
                t("without pre-training", "不用预训练"): (
                    f"{without} ({t(*PLAIN[plain])})"
                ),
                "biLM": model,
            }
        )
    return found


def updates(rows: Rows, t: Pick) -> Rows:
    """Show after how many updates a tagger is as good as with random vectors."""
    return [
        {
            t("task, input of the tagger", "任务，标注器的输入"): ", ".join(
                (t(*TASKS.get(place, (place, place))), t(*INPUT[model]))
            ),
            t("updates", "更新次数"): f"{span:.0f}",
        }
        for (model, place), span in ledger.over_seeds(rows, "updates").items()
    ]


CARDS = (
    Card(
        key="layers-pos-wsd",
        lesson=LESSON,
        as_told="right",
        systems=("layers", "biLM"),
        claim=(
            "Layer 1 knows syntax, layer 2 knows meaning.",
            "第 1 层学的是句法，第 2 层学的是语义。",
        ),
        quoted=(
            "S3",
            (
                "Of ELMo's two LSTM layers the first holds more of the syntax, the second more of the meaning.",
                "ELMo 的两层 LSTM，第一层偏句法，第二层偏语义。",
            ),
        ),
        paper=(
            "POS (table 6): layer 1 97.3, layer 2 96.8. Senses (table 5), F1: layer 1 "
            "67.4, layer 2 69.0. So by 0.5 and by 1.6 points. Which layer a task prefers "
            "is another question: in figure 2 every task, at the input, puts the largest "
            "weight on layer 1.",
            "词性（表 6）：第 1 层 97.3，第 2 层 96.8。义项 F1（表 5）：第 1 层 67.4，第 2 层 "
            "69.0。也就是差 0.5 和 1.6 个点。至于一个任务偏爱哪一层，是另一个问题：图 2 里"
            "所有任务在输入处都给第 1 层最大的权重。",
        ),
        why=(
            "For part of speech a probe on layer 1 beside one on layer 2, for senses layer 2 beside layer 1: one biLM a language, 19.6 million "
            "parameters, that read 22 million words ten times (Chinese: 19 million, nine times) where the paper's read about 800 million ten times. Part of speech is not all of syntax. On the course's own "
            "sentences each seed asks about a fifth; ten seeds ask about each sentence twice, so these two intervals are too narrow, and of other words, or of another biLM, they say nothing.",
            "词性：第 1 层上的探针减第 2 层上的；义项：第 2 层减第 1 层。每种语言一个双向语言模型，1960 万参数，把 2200 万词读了十遍（中文 1900 万词，九遍）；论文的模型读的是约 8 亿词，也读了十遍。"
            "词性也不就是句法的全部。课程自己的例句，每个种子考五分之一；十个种子把每一句考了两遍，所以这两个区间偏窄，而且换一批词，或者换一个模型会怎样，它们没有说。",
        ),
        experiments=("layers_pos_wsd",),
        effects=layers.layer_gains,
        hypothesis=Hypothesis(
            0.25,
            (
                "half of the 0.5 of part of speech, table 6, the smaller of the two",
                "表 6 里词性相差 0.5，是两项中较小的，取一半",
            ),
        ),
        effect=("ahead by, points", "领先（百分点）"),
        names=SETS,
    ),
    Card(
        key="static-identical",
        lesson=LESSON,
        as_told="right",
        systems=("polysemy", "layers"),
        claim=(
            "A static vector is the same in every sentence; a contextual vector differs.",
            "静态向量在哪句话里都一样，上下文向量则各不相同。",
        ),
        quoted=(
            "S1",
            (
                "The apple that one buys by weight and the Apple telephone share one vector; a word should have another one in another context.",
                "论斤买的苹果和苹果手机共用一个向量，不合理；上下文变了，向量也应该变。",
            ),
        ),
        paper=(
            "By construction. The lowest of ELMo's layers is context-free, and it is part "
            "of the weighted sum (section 3.3).",
            "由构造决定。ELMo 最底下的一层与上下文无关，而它也在加权和里（3.3 节）。",
        ),
        why=(
            "The table is exact: the static vector and layer 0 are the same in every pair of sentences, layers 1 and 2 in none. "
            "That vectors differ says little: numbering the sentences would do it. So the measured part asks more: are two uses in "
            "one sense more alike, in layer 2, than two uses in two senses?",
            "表里的是严格成立的：每一对句子里，静态向量和第 0 层都相同，第 1、2 层都不同。光是“不同”说明不了什么，给每句编个号也能做到。"
            "所以实测的部分问得更多：在第 2 层，同一义项的两句是不是比不同义项的两句更像？",
        ),
        experiments=("static_identical",),
        shown=alike,
        effects=one_sense_nearer,
        hypothesis=Hypothesis(
            0.01,
            ("a hundredth of a cosine: our convention", "余弦的 0.01，本课的约定"),
            claimed=only("en", "zh"),
        ),
        effect=("cosine: one sense minus two", "余弦：同一义项减不同义项"),
        scale=1.0,
        digits=2,
        names=LANGUAGES,
    ),
    Card(
        key="pos-kept",
        lesson=LESSON,
        as_told="imprecise",
        systems=("layers", "analogies"),
        claim=(
            "The neighbours of an occurrence keep its part of speech.",
            "一个词在句中的近邻，词性与它相同。",
        ),
        quoted=(
            "S3",
            (
                "Beyond expectation: what ELMo finds for play has not only the same sense, but also the same part of speech.",
                "没想到的是：ELMo 给 play 找到的近邻，不光义项相同，词性也相同。",
            ),
        ),
        paper=(
            "Two occurrences of play with one neighbour each (table 4); no count.",
            "play 的两次出现，各列出一个近邻（表 4）；没有统计。",
        ),
        why=(
            "How often the nearest other occurrence of the same word, by layer 2, has the same part of speech: beside a static vector, which "
            "is chance, and beside the average of the other words' static vectors. The 20 commonest words of two parts of speech in each "
            "language; the paper's table shows neighbours among all words. Four times in five is often, not always.",
            "按第 2 层找同一个词最近的另一次出现，词性相同的有多少；和静态向量（等于随机水平）比，也和其他词的静态向量取平均比。每种语言取最常见的 20 个兼类词；"
            "论文的表是在所有词里找近邻。五次里约有四次相同，是常常，不是总是。",
        ),
        experiments=("pos_kept",),
        shown=kept,
        effects=kept_beyond,
        hypothesis=Hypothesis(1, CONVENTION),
        effect=(
            "neighbours with the same part of speech, more by, points",
            "近邻词性相同的多出（百分点）",
        ),
        names={
            f"{text}, {old}": (
                f"{LANGUAGES[text][0]}: over the {MODELS[old][0]}",
                f"{LANGUAGES[text][1]}：比{MODELS[old][1]}",
            )
            for text in ("masc_tagged", "zh_gsdsimp")
            for old in ("static", "averaged static context")
        },
    ),
    Card(
        key="char-cnn-oov",
        lesson=LESSON,
        as_told="right",
        systems=("char-CNN",),
        claim=(
            "Because of its character CNN, ELMo handles words that it has never seen.",
            "有了字符 CNN，ELMo 就能处理从没见过的词。",
        ),
        quoted=(
            "S0",
            (
                "Spelling a word with a character CNN gives a sensible vector even to a word that was never seen.",
                "用字符卷积拼出词向量，没见过的词也能得到合理的表示。",
            ),
        ),
        paper=(
            "Stated as a property of the purely character-based input (section 3.4 and "
            "the related work); no experiment on unknown words.",
            "作为纯字符输入的性质提到（3.4 节和相关工作）；没有关于未登录词的实验。",
        ),
        why=(
            "The same probe for part of speech on the character CNN (layer 0) and on a table of words with one row for all unknown ones; hashed "
            "n-grams, which spell words without a network, stand beside them and are not counted: but for unknown English words they are ahead. “Has never seen” is "
            "generous: the network read rare words in pre-training, the table kept only the commonest, fewer than 30,000.",
            "同样的词性探针，分别架在字符 CNN（第 0 层）和词表上，词表里所有生词共用一行；哈希 n-gram 不用网络也看写法，列在旁边，不计入；除了英文的生词，处处是它领先。"
            "“从没见过”说得宽了：字符网络预训练时连罕见词也读过，词表只留下最常见的约三万个。",
        ),
        experiments=("char_cnn_oov",),
        effects=unknown,
        hypothesis=Hypothesis(
            1, CONVENTION, claimed=lambda place: place.endswith("word table")
        ),
        effect=("char-CNN ahead by, points", "char-CNN 领先（百分点）"),
        names=UNKNOWN,
    ),
    Card(
        key="few-labels",
        lesson=LESSON,
        as_told="false",
        systems=("few labels", "ELMo"),
        claim=(
            "Thanks to pre-training, 10-20 % of the labels reach 80-90 % of the full "
            "performance.",
            "有了预训练，10% 到 20% 的标注就能达到全量数据 80% 到 90% 的性能。",
        ),
        quoted=(
            "S0",
            (
                "With ELMo or ULMFiT a tenth or a fifth of the labels brings 80-90 % of what all of them brought before.",
                "用了 ELMo 或 ULMFiT，一两成标注就能做到原先全部标注的八九成。",
            ),
        ),
        paper=(
            "In neither paper. ELMo, semantic roles: 1 % of the labels ≈ the baseline's "
            "10 %. ULMFiT: 100 labels ≈ 10 times as many from scratch on IMDb, 20 times "
            "on AG.",
            "两篇论文都没有。ELMo，语义角色：1% 的标注 ≈ 基线的 10%。ULMFiT：100 条标注，在 "
            "IMDb 上 ≈ 从零训练的 10 倍，在 AG 上 ≈ 20 倍。",
        ),
        why=(
            "The score of a linear model on frozen biLM vectors with a tenth of the labels, as a share of its own score with all, minus 80 %. Lesson 00 "
            "calls the sentence false, for no paper says it; here the figure itself comes out, and it says little: with a fifth of the labels all five tasks "
            "reach 80 % without any pre-training, too (the rows that do not count have a tenth). Ask for the data multiplier.",
            "冻结的 biLM 向量上接一个线性模型，用一成标注的成绩占用全部标注时的几成，再减 80%。第 00 课说这句话不属实，因为没有哪篇论文这么说过；"
            "这里数倒是对上了，却说明不了什么：标注有两成时，不用任何预训练，五项任务也全都到了八成（不计入的几行是一成）。该问的是数据倍数。",
        ),
        experiments=("few_labels",),
        shown=shares,
        effects=beyond_eighty,
        hypothesis=Hypothesis(1, CONVENTION, claimed=lambda place: "biLM" in place),
        effect=(
            "share of its own best with 10 % of the labels, minus 80 %, points",
            "用 10% 标注达到自身最好成绩的几成，再减 80%（百分点）",
        ),
        names={
            f"{task}, {model}": (
                f"{TASKS[task][0]}: {by[0]}",
                f"{TASKS[task][1]}：{by[1]}",
            )
            for task in FEW
            for model, by in PLAIN.items()
        },
    ),
    Card(
        key="convergence",
        lesson=LESSON,
        as_told="right",
        systems=("ELMo", "why"),
        claim=("Pre-training speeds up convergence.", "预训练加快收敛。"),
        quoted=(
            "S0",
            (
                "Beginning near the goal, the search converges much sooner.",
                "从离目标近的地方出发，收敛快得多。",
            ),
        ),
        paper=(
            "Semantic roles (section 5.4): the baseline's best development score, after "
            "486 epochs, is passed at epoch 10.",
            "语义角色（5.4 节）：基线在第 486 轮达到的最好开发集成绩，用 ELMo 在第 10 轮就超过。",
        ),
        why=(
            "Updates of the same small tagger until it is as good as random word vectors ever get, on frozen biLM layers beside random vectors and "
            "beside the same network untrained; each input at the better of two rates, "
            f"{efficiency.UPDATES + efficiency.EVERY} means never, and the updates of the pre-training are left out. Sooner is not "
            "further: in lesson 11 a whole network, fine-tuned on topics, is ahead by 14 to 20 points at step 40 if it was pre-trained, and at step 120 no longer.",
            "同一个小标注器，更新多少次才达到随机词向量的最好成绩：输入是冻结的 biLM 各层，和随机词向量、未训练的同一网络比；每种输入取两个学习率中较好的，"
            f"{efficiency.UPDATES + efficiency.EVERY} 表示始终没达到，预训练本身的更新没有算进去。更快不等于更远：第 11 课在话题任务上微调整个网络，第 40 步时，预训练过的领先 14 到 20 个点，到第 120 步就不再领先了。",
        ),
        experiments=("convergence",),
        shown=updates,
        effects=updates_saved,
        **UPDATES,
        names={
            f"{task}, {old}": (
                f"{TASKS[task][0]}: over {INPUT[old][0]}",
                f"{TASKS[task][1]}：比{INPUT[old][1]}",
            )
            for task in ("treebank", "zh_gsdsimp")
            for old in ("random", "untrained biLM")
        },
    ),
    Card(
        key="one-vector-per-sense",
        lesson=LESSON,
        as_told="false",
        systems=("ELMo", "sense vectors", "layers"),
        claim=(
            "A contextual model gives each sense of a word its own vector.",
            "上下文模型给一个词的每个义项各配一个向量。",
        ),
        paper=(
            "Ethayarajh (2019): one direction explains on average less than 5 % of the variance of a word's contextual vectors. "
            "There is no list of senses inside; every use is different.",
            "Ethayarajh（2019）：一个词的上下文向量，单独一个方向平均只能解释不到 5% 的方差。模型里并没有一张义项表，每次出现都不同。",
        ),
        why=(
            "How much of the variance of a word's vectors lies between its senses? If each sense had one vector, all of it; we ask for half. "
            "The rest is everything else in the sentence. The course's example sentences, and a biLM of 19.6 million parameters; a larger one "
            "may keep senses farther apart, but the larger ones of Ethayarajh's paper give no sense a vector of its own either.",
            "一个词的各个向量之间的方差，有多少在义项之间？如果一个义项一个向量，就该是全部；我们只要求一半。剩下的，是句子里的其他一切。"
            "用的是课程的例句和 1960 万参数的小模型；更大的模型也许把义项分得更开，但 Ethayarajh 的几个模型同样没有一义一向量。",
        ),
        experiments=("sense_variance",),
        effects=beyond_half_of_variance,
        hypothesis=Hypothesis(
            5, CONVENTION, claimed=lambda place: 0 if "average" in place else 1
        ),
        effect=(
            "variance that the senses explain, minus 50 %, points",
            "义项解释的方差减 50%（百分点）",
        ),
        names=WITHIN,
    ),
    Card(
        key="gains-shrink",
        lesson=LESSON,
        as_told="right",
        systems=("few labels", "ELMo", "why"),
        claim=(
            "The fewer the labels, the more pre-training gains.",
            "标注越少，预训练的增益越大。",
        ),
        quoted=(
            "S3",
            (
                "Where labels are few, many facts of language do not occur in them; then what pre-training knows adds most.",
                "标注有限的时候，很多语言现象根本碰不到，预训练的知识补得最多。",
            ),
        ),
        paper=(
            "ELMo, figure 1: the gap is widest with the smallest share of the labels, in semantic roles and in entailment.",
            "ELMo 论文图 1：语义角色和文本蕴含，都是标注最少时差距最大。",
        ),
        why=(
            "The biLM's gain over the method without pre-training (the one that is best with all labels), with 3 % of the labels minus with all; linear "
            "models on frozen vectors, 1,500 labelled texts or 500 sentences at most. With all labels it is 0.7 to 3.3 points, which for questions and film reviews cannot be told from 0. In pre-training the biLM had "
            "read nearly all the food-delivery reviews, without their labels.",
            "biLM 比不用预训练的方法（取用全部标注时最好的）高多少：用 3% 标注时的减去用全部时的；都是冻结向量上的线性模型，标注至多 1500 条文本或 500 句。"
            "用全部标注时，增益是 0.7 到 3.3 个点，其中问题分类和影评两项分不出是否大于 0。外卖评论的文本，双向语言模型预训练时几乎都读过（没有标签）。",
        ),
        experiments=("few_labels",),
        effects=efficiency.more_with_few,
        hypothesis=Hypothesis(1, CONVENTION),
        effect=(
            "gain with 3 % minus gain with all, points",
            "3% 时的增益减全部时的（百分点）",
        ),
        names=TASKS,
    ),
    Card(
        key="hospital",
        lesson=LESSON,
        as_told="opinion",
        systems=("few labels",),
        claim=(
            "A hospital that needs tens of thousands of labelled reports would, with pre-training, need only thousands, or hundreds.",
            "一家医院本来要标注几万份病历，有了预训练，几千份甚至几百份就够了。",
        ),
        quoted=(
            "S0",
            (
                "A system for medical records that took tens of thousands of labels may now take thousands, perhaps hundreds.",
                "病历分析系统原来要标几万份，现在也许几千份、几百份就行。",
            ),
        ),
        paper=(
            "No paper has a hospital. The multipliers beside are the papers', each on one task, with one rival: the same network from scratch.",
            "没有哪篇论文做过医院。旁边的倍数是论文里的，各只有一个任务，对手也只有一个：同样的网络从零训练。",
        ),
        why=(
            "The division is easy; whether a multiplier carries over to other texts, other labels and another rival, nobody has measured. "
            "The same story with TF-IDF as the rival may end otherwise.",
            "除法容易做；倍数能不能搬到别的文本、别的标注、别的对手上，没有人测过。换成 TF-IDF 当对手，故事可能是另一个结局。",
        ),
        facts=hospital,
    ),
)
