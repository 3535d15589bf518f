"""What the widget SentenceProbe says, in both languages."""

from __future__ import annotations

SENTENCE_PROBE = {
    "en": {
        "sentences": "Sentence",
        "own": "Your own sentence with “{word}”:",
        "ask": "Read it",
        "asked": "Asked the kernel … (no answer? Run the cell again.)",
        "no_kernel": "To type your own sentence, run this cell: that needs a kernel.",
        "no_kernel_drop": (
            "Without a kernel only one word can be dropped; run this cell for more."
        ),
        "empty": "There is no word yet. Type a sentence with “{word}”.",
        "long": "That is {n} words; at most {limit} fit. The sentence shown stays.",
        "missing": "The word “{word}” is not in it. It was read as: {cut}.",
        "glued": (
            "“{word}” is not a word of its own in it, only a part of “{inside}”. "
            "A space before and after it cuts it out. It was read as: {cut}."
        ),
        "layer": "Layer",
        "chips": (
            "Words of the sentence; a press drops a word or brings it back. The bar "
            "under each: how far “{word}” moves without it"
        ),
        "chip": "{word}: without it “{target}” moves by {pull}",
        "chip_key": (
            "Press a word to drop it. Bar: how far “{word}” moves without it "
            "(1 − cosine, layer {layer}; longest bar {longest})."
        ),
        "whole": "Whole sentence, layer {layer}: nearest sense “{now}” ({cosine}).",
        "without": (
            "Without {drop}, layer {layer}: “{word}” moved by {pull}; its forward half "
            "(left to right) by {forward}, its backward half by {backward}. "
            "Nearest sense “{now}” ({cosine}); before “{was}”."
        ),
        "quote": "“{word}”",
        "list": ", ",
        "map": (
            "Map of {n} examples of “{word}” and your sentence's “{word}” as a star; "
            "arrow keys move from one example to the next"
        ),
        "you": "“{word}” in this sentence",
        "ghost": "before",
        "share": (
            "The map shows {share} of the examples' variance (one PCA for all layers); "
            "the star is laid onto it. All numbers are of all {dimension} dimensions. "
            "Layer {layer} alone names the sense for {score} of the examples (nearest "
            "mean, leave one out; commonest sense: {majority})."
        ),
        "to_senses": "Cosine with each sense's mean (thin mark: before)",
        "near": "Nearest examples, layer {layer}",
        "tied": "All {n} examples are equally near: layer {layer} reads only the word.",
        "cosine": "cosine",
        "sense": "sense",
        "example": "example",
        "chosen": "Chosen example:",
        "reset": "Reset",
        "try": "Try this:",
        "welcome": (
            "The star is “{word}” in the sentence below, among examples whose sense is "
            "known. Press a word to drop it, and see where the star goes."
        ),
        "pull": "1 · The strongest word",
        "flip_say": (
            "Without “{drop}” the vector of “{word}” moves by {pull}, and the nearest "
            "sense is “{now}” instead of “{was}”. Bring the word back: does the arrow "
            "point home?"
        ),
        "pull_say": (
            "Of the {others} other words “{drop}” moves “{word}” most: by {pull}. Yet "
            "the nearest sense stays “{was}”: the rest of the sentence says it too."
        ),
        "side": "2 · Who sees it?",
        "after_say": (
            "“{drop}” stands after “{word}”. The forward half reads left to right and "
            "has not met it yet: moved by {forward}. The backward half has: "
            "{backward}. Try a word before it."
        ),
        "before_say": (
            "“{drop}” stands before “{word}”. The backward half reads right to left "
            "and has not met it yet: moved by {backward}. The forward half has: "
            "{forward}. Try a word after it."
        ),
        "zero": "3 · Layer 0",
        "zero_say": (
            "The same word dropped, but layer 0, which reads only the characters of "
            "“{word}”: moved by {zero}. Drop what you like, the star stays."
        ),
        "title": "“{word}” without “{drop}” (layer {layer})",
        "pulls": "How far each word moves it (layer {layer})",
        "alt": (
            "“{sentence}” Without “{drop}” the vector of “{word}” moves by {pull} "
            "(1 − cosine, layer {layer}). Nearest sense with the whole sentence "
            "“{was}”, without “{drop}” “{now}”."
        ),
    },
    "zh": {
        "sentences": "句子",
        "own": "自己写一句带“{word}”的话：",
        "ask": "读一读",
        "asked": "已经问了内核……（没有回音？请重新运行这个单元格。）",
        "no_kernel": "想自己写句子，请先运行这个单元格：这一步需要内核。",
        "no_kernel_drop": ("没有内核时只能去掉一个词；想多去几个，请运行这个单元格。"),
        "empty": "还没有写字。请写一句带“{word}”的话。",
        "long": "这句有 {n} 个词，最多 {limit} 个。图上仍是原来那句。",
        "missing": "句子里没有“{word}”。读到的是：{cut}。",
        "glued": (
            "“{word}”没有单独成词，它被分进了“{inside}”。在它前后各加一个空格，"
            "就能切开。读到的是：{cut}。"
        ),
        "layer": "层",
        "chips": (
            "句中的词：按一下去掉，再按一下放回。"
            "词下的横条表示去掉它以后“{word}”移动多远"
        ),
        "chip": "{word}：去掉它，“{target}”移动 {pull}",
        "chip_key": (
            "按一个词就把它去掉。横条：去掉它以后“{word}”移动多远"
            "（1 − 余弦，第 {layer} 层；最长的是 {longest}）。"
        ),
        "whole": "整句，第 {layer} 层：离它最近的义项是“{now}”（{cosine}）。",
        "without": (
            "去掉{drop}，第 {layer} 层：“{word}”移动了 {pull}，其中前向的一半"
            "（从左往右读）{forward}，后向的一半 {backward}。"
            "最近的义项“{now}”（{cosine}），原来是“{was}”。"
        ),
        "quote": "“{word}”",
        "list": "、",
        "map": (
            "“{word}”的 {n} 个例句的分布图，星号是你这一句里的“{word}”；"
            "用方向键逐句移动"
        ),
        "you": "这一句里的“{word}”",
        "ghost": "原来的位置",
        "share": (
            "图中保留了例句方差的 {share}（各层共用一次 PCA），星号投影到同一平面。"
            "其余数字都用全部 {dimension} 维计算。单看第 {layer} 层，"
            "例句的义项能认对 {score}（最近的平均向量，留一法；"
            "一律猜最常见的义项：{majority}）。"
        ),
        "to_senses": "与各义项平均向量的余弦（细线：原来的值）",
        "near": "最近的例句（第 {layer} 层）",
        "tied": "{n} 个例句一样近：第 {layer} 层只看词本身。",
        "cosine": "余弦",
        "sense": "义项",
        "example": "例句",
        "chosen": "选中的例句：",
        "reset": "还原",
        "try": "试一试：",
        "welcome": (
            "星号是下面这句话里的“{word}”，周围是已知义项的例句。"
            "按一个词把它去掉，看星号往哪里走。"
        ),
        "pull": "1 · 最要紧的词",
        "flip_say": (
            "去掉“{drop}”，“{word}”的向量移动 {pull}，"
            "最近的义项从“{was}”变成“{now}”。再把它放回去：箭头指回原处吗？"
        ),
        "pull_say": (
            "其余 {others} 个词里，“{drop}”对“{word}”影响最大：去掉它移动 {pull}。"
            "可是最近的义项仍是“{was}”，因为句中别的词也说明了这一点。"
        ),
        "side": "2 · 谁看得见它？",
        "after_say": (
            "“{drop}”在“{word}”后面。前向的一半从左往右读，还没读到它：移动 {forward}。"
            "后向的一半读到了：{backward}。再试一个前面的词。"
        ),
        "before_say": (
            "“{drop}”在“{word}”前面。后向的一半从右往左读，还没读到它："
            "移动 {backward}。前向的一半读到了：{forward}。再试一个后面的词。"
        ),
        "zero": "3 · 第 0 层",
        "zero_say": (
            "去掉同一个词，但看第 0 层。这一层只看“{word}”的写法：移动 {zero}。"
            "随便去掉什么，星号都不动。"
        ),
        "title": "去掉“{drop}”以后的“{word}”（第 {layer} 层）",
        "pulls": "去掉每个词，移动多远（第 {layer} 层）",
        "alt": (
            "“{sentence}”去掉“{drop}”，“{word}”的向量移动 {pull}"
            "（1 − 余弦，第 {layer} 层）。"
            "整句时最近的义项是“{was}”，去掉“{drop}”以后是“{now}”。"
        ),
    },
}
