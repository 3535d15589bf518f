"""What the widget WhoSeesWhom says, in both languages."""

from __future__ import annotations

WHO_SEES_WHOM = {
    "en": {
        "sentence": "Sentence",
        "slot": "Word to be predicted",
        "way": "Who sees whom",
        "left": "left to right",
        "halves": "two halves, joined on top",
        "open": "both sides, nothing hidden",
        "masked": "both sides, masked",
        "forward": "forward half",
        "backward": "backward half",
        "one": "every layer from the first on",
        "rows": "vector at …",
        "columns": "… has read",
        "key_seen": "read",
        "key_used": "the vector that predicts",
        "key_answer": "the answer",
        "grid": (
            "{title}: {size} vectors by {size} words. The vector that predicts, at "
            "“{row}”, has read: {read}."
        ),
        "nothing": "nothing",
        "left_say": (
            "The vector at “{row}” must guess “{word}”. It has read {before} of the "
            "{others} other words, and none on the right."
        ),
        "halves_say": (
            "Two vectors must guess “{word}”: one has read the {before} words on its "
            "left, the other the {after} on its right. They meet only on top; no "
            "vector below has read from both sides."
        ),
        "open_say": (
            "The vector at “{row}” is asked for “{word}”, and “{word}” is among what "
            "it has read: it need only copy. The answer leaks."
        ),
        "masked_say": (
            "[MASK] stands in the place of “{word}”. The vector there has read all "
            "{others} other words, in every layer, but not the answer."
        ),
        "guesses": "What models say in the place of “{word}”",
        "by_forward": "forward half (biLM)",
        "by_backward": "backward half (biLM)",
        "by_product": "the halves' product",
        "by_masked": "masked model (BERT)",
        "p": "“{word}” itself: {p}, place {rank}",
        "p_only": "“{word}” itself: {p}",
        "p_none": "“{word}” is not in this model's list",
        "copy": "Nothing to show: a model that may copy is right always.",
        "absent": "No model for this way is at hand here.",
        "notes": (
            "Probabilities over each model's whole list. The models differ in size, "
            "text and list of words: compare what they can see, not who is better. "
            "A word of several pieces has as many [MASK], each guessed on its own."
        ),
        "try": "Try this:",
        "reset": "Reset",
        "leak": "1 · The leak",
        "leak_tour": (
            "Let a stack look both ways and ask for the next word, as a language "
            "model does: the cell of the answer is filled. Training would only teach "
            "it to copy."
        ),
        "half": "2 · Two halves",
        "half_tour": (
            "ELMo's way out: two stacks, neither of which ever sees the answer. But "
            "count the vectors that know words from both sides: below the top there "
            "are none."
        ),
        "mask": "3 · Hide it",
        "mask_tour": (
            "BERT's way out: take the answer away from the input. Now everybody may "
            "look everywhere, in every layer, and still there is something to guess."
        ),
        "welcome": (
            "Rows are vectors, columns are words; a filled cell says that the vector "
            "has read the word. Choose a word to be predicted and a way of looking. "
            "Who has read the answer?"
        ),
        "title": "Who has read what when “{word}” is to be predicted",
        "alt": (
            "Four squares of vectors by words, for “{word}” in “{sentence}”. Left to "
            "right: the predicting vector has read {before} of {others} other words. "
            "Two halves: {before} and {after}, in separate vectors. Both sides with "
            "nothing hidden: all of them, and the answer. Masked: all {others}, and "
            "not the answer."
        ),
        "list": ", ",
        "gap": " ",
    },
    "zh": {
        "sentence": "句子",
        "slot": "要预测的词",
        "way": "谁看得见谁",
        "left": "从左到右",
        "halves": "左右两半，到顶才拼",
        "open": "两侧都看，什么也不遮",
        "masked": "两侧都看，遮住答案",
        "forward": "前向的一半",
        "backward": "后向的一半",
        "one": "第一层起，层层如此",
        "rows": "这个位置的向量……",
        "columns": "……读过哪些词",
        "key_seen": "读过",
        "key_used": "负责预测的向量",
        "key_answer": "答案",
        "grid": (
            "{title}：{size} 个向量对 {size} 个词。负责预测的向量在“{row}”处，"
            "读过：{read}。"
        ),
        "nothing": "什么也没有",
        "left_say": (
            "由“{row}”处的向量来猜“{word}”。另外 {others} 个词里，它读过 {before} 个，"
            "右边的一个也没读过。"
        ),
        "halves_say": (
            "两个向量一起猜“{word}”：一个读过左边的 {before} 个词，"
            "一个读过右边的 {after} 个。"
            "它们到顶层才碰头；在这之下，没有哪个向量两侧都读过。"
        ),
        "open_say": (
            "问的是“{word}”，由“{row}”处的向量来答，而它读过的词里就有“{word}”："
            "照抄就行。答案泄漏了。"
        ),
        "masked_say": (
            "“{word}”的位置上放的是 [MASK]。这里的向量每一层都读得到其余全部 "
            "{others} 个词，唯独读不到答案。"
        ),
        "guesses": "“{word}”的位置上，各个模型猜什么",
        "by_forward": "前向的一半（biLM）",
        "by_backward": "后向的一半（biLM）",
        "by_product": "两半相乘",
        "by_masked": "掩码模型（BERT）",
        "p": "“{word}”本身：{p}，第 {rank} 位",
        "p_only": "“{word}”本身：{p}",
        "p_none": "这个模型的词表里没有“{word}”",
        "copy": "没什么可看的：能照抄的模型，次次都对。",
        "absent": "这种看法，手头没有相应的模型。",
        "notes": (
            "概率都是对各自的整张词表算的。几个模型的大小、语料、词表都不同："
            "该比的是谁看得见什么，不是谁更强。"
            "一个词若由几个词片组成，就放几个 [MASK]，各猜各的。"
        ),
        "try": "试一试：",
        "reset": "还原",
        "leak": "1 · 泄漏",
        "leak_tour": (
            "让一个网络两侧都看，再像语言模型那样问它下一个词：答案那一格是涂色的。"
            "这样训练，只会教它照抄。"
        ),
        "half": "2 · 左右两半",
        "half_tour": (
            "ELMo 的办法：两个网络，谁也看不见答案。可是数一数，"
            "有几个向量两侧的词都知道？顶层之下，一个也没有。"
        ),
        "mask": "3 · 把答案遮住",
        "mask_tour": (
            "BERT 的办法：把答案从输入里拿掉。这样，谁都可以到处看，层层都看，"
            "还是有东西要猜。"
        ),
        "welcome": (
            "一行是一个向量，一列是一个词；格子涂了色，就表示这个向量读过这个词。"
            "选一个要预测的词，再选一种看法：谁读到了答案？"
        ),
        "title": "预测“{word}”时，谁读过什么",
        "alt": (
            "“{sentence}”里的“{word}”：四个“向量 × 词”的方格图。从左到右：负责预测的"
            "向量读过其余 {others} 个词中的 {before} 个。左右两半：分别读过 {before} 个"
            "和 {after} 个，在不同的向量里。两侧都看、什么也不遮：全部读过，"
            "连答案也在内。遮住答案：其余 {others} 个全部读过，答案没有。"
        ),
        "list": "、",
        "gap": "",
    },
}
