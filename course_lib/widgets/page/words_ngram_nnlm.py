"""What the widget NgramNNLM says, in both languages."""

from __future__ import annotations

NGRAM_NNLM = {
    "en": {
        "context": "Context",
        "own": "Your own words:",
        "ask": "Ask",
        "no_kernel": "To type your own words, run this cell: that needs a kernel.",
        "asked": "Asked the kernel … (no answer? Run the cell again.)",
        "order": "Counts of n words:",
        "seen": "context seen {seen}×",
        "unseen": "context never seen",
        "strip": (
            "Context: {context}. The counts look at “{h}”, the network at “{read}”."
        ),
        "counts_see": "the counts look at {m}",
        "network_sees": "the network looks at {reads}, always",
        "unknown": "not among the {vocabulary} words: counted as <unk>",
        "ml": "Counting",
        "kn": "Counting, with Kneser-Ney",
        "network": "Neural network",
        "ml_how": "c(context, word) / c(context), c(context) = {seen}",
        "ml_zero": "never seen: 0 for each of {vocabulary} words",
        "kn_how": "a part of each count goes to shorter contexts",
        "kn_back": "goes back to “{back}”, which was seen",
        "kn_none": "no shorter context was seen either",
        "network_how": "scores every word, seen here or not",
        "marked": (
            "“{word}”: counting {ml}; Kneser-Ney {kn}, rank {kn_rank}; "
            "network {network}, rank {network_rank}"
        ),
        "rare": "all rarer words (<unk>)",
        "near": "Seen contexts that differ in one word (its nearest in C, by cosine):",
        "near_one": ": {seen}× (cosine {cosine})",
        "near_none": "none among the 50 nearest words of each",
        "note": (
            "Trained on {tokens} words. P is over all {vocabulary} words of the "
            "vocabulary; all bars have one scale. Click a word to find it in the other "
            "lists."
        ),
        "reset": "Reset",
        "try": "Try this:",
        "welcome": (
            "Which word comes next? Three models answer side by side, each with its "
            "first eight words."
        ),
        "enough": "1 · Where counting is enough",
        "enough_say": (
            "“{h}” was seen {seen}×, {counted}× of these before “{ml_word}”: "
            "counting says {ml_p}. First for Kneser-Ney: “{kn_word}” ({kn_p}); "
            "for the network: “{network_word}” ({network_p})."
        ),
        "starved_say": (
            "Even the two words that these contexts end in were never seen: counting "
            "says 0 throughout. Kneser-Ney puts “{kn_word}” first ({kn_p}), the "
            "network “{network_word}” ({network_p})."
        ),
        "never": "2 · Never seen",
        "never_say": (
            "“{h}” does not occur in the {tokens} words of training, so that counting "
            "gives each of {vocabulary} words 0. Kneser-Ney goes back to “{back}” and "
            "puts “{kn_word}” first ({kn_p}). The network turns all {reads} words into "
            "features; its first is “{network_word}” ({network_p}). Which list would "
            "you believe?"
        ),
        "rare_say": (
            "“{h}” was seen {seen}×, before {kinds} different words; all the "
            "others get 0. First for Kneser-Ney: “{kn_word}” ({kn_p}); for the "
            "network: “{network_word}” ({network_p})."
        ),
        "longer": "3 · A longer window",
        "longer_say": (
            "The last word was seen {seen2}×, the last two {seen3}×, three "
            "{seen4}×, four {seen5}×. A longer context says more but is rarer, and "
            "counting needs the very same words. The network has read {reads} words "
            "throughout: its list does not change with n."
        ),
        "title": "The word after “{context}”, n = {n}",
        "alt": (
            "Next word after “{context}”. “{h}” was seen {seen}× in {tokens} "
            "words of training. Counting: {ml}. Kneser-Ney: {kn}. Network, which "
            "reads {reads} words: {network}."
        ),
        "alt_never": (
            "Next word after “{context}”. “{h}” was never seen in {tokens} words of "
            "training: counting gives every word zero. Kneser-Ney goes back to "
            "“{back}”: {kn}. The network, which reads {reads} words, still ranks "
            "words: {network}."
        ),
        "quote": "“{word}” {p}",
        "list": ", ",
    },
    "zh": {
        "context": "上文",
        "own": "自己写：",
        "ask": "提问",
        "no_kernel": "想自己输入上文，请先运行这个单元格：这一步需要内核。",
        "asked": "已经问了内核……（没有回音？请重新运行这个单元格。）",
        "order": "数 n 个词连在一起的次数：",
        "seen": "上文见过 {seen} 次",
        "unseen": "上文从没见过",
        "strip": "上文：{context}。计数只看“{h}”，网络看“{read}”。",
        "counts_see": "计数只看 {m} 个词",
        "network_sees": "网络始终看 {reads} 个词",
        "unknown": "不在 {vocabulary} 个词的词表里，按 <unk> 计",
        "ml": "直接数",
        "kn": "Kneser-Ney 平滑",
        "network": "神经网络",
        "ml_how": "上文共 {seen} 次，其中接这个词的占几成",
        "ml_zero": "没见过：{vocabulary} 个词统统是 0",
        "kn_how": "每个计数扣一点，匀给更短的上文",
        "kn_back": "退回到见过的“{back}”",
        "kn_none": "更短的上文也没见过",
        "network_how": "见没见过，都给每个词打分",
        "marked": (
            "“{word}”：直接数 {ml}；Kneser-Ney {kn}，第 {kn_rank} 名；"
            "网络 {network}，第 {network_rank} 名"
        ),
        "rare": "所有生僻词（<unk>）",
        "near": "只差一个词、而且见过的上文（换成 C 里最近的词）：",
        "near_one": "：{seen} 次（余弦 {cosine}）",
        "near_none": "每个词最近的 50 个词里都没有",
        "note": (
            "训练文本 {tokens} 个词。概率是对词表里全部 {vocabulary} 个词算的，"
            "横条用同一比例。点一个词，看它在另外两列排在哪里。"
        ),
        "reset": "还原",
        "try": "试一试：",
        "welcome": "下一个词是什么？三个模型并排作答，各列前八名。",
        "enough": "1 · 数得够的时候",
        "enough_say": (
            "“{h}”见过 {seen} 次，其中 {counted} 次后面是“{ml_word}”：直接数给出 "
            "{ml_p}。Kneser-Ney 的第一名是“{kn_word}”（{kn_p}），"
            "网络的第一名是“{network_word}”（{network_p}）。"
        ),
        "starved_say": (
            "这些上文的最后两个词都没有连着出现过，直接数一律是 0。"
            "Kneser-Ney 的第一名是“{kn_word}”（{kn_p}），"
            "网络的第一名是“{network_word}”（{network_p}）。"
        ),
        "never": "2 · 从没见过",
        "never_say": (
            "{tokens} 个词的训练文本里没有“{h}”，直接数只好给 {vocabulary} 个词"
            "统统打 0。Kneser-Ney 退回到“{back}”，第一名是“{kn_word}”（{kn_p}）。"
            "网络把 {reads} 个词都变成特征，第一名是“{network_word}”"
            "（{network_p}）。你更信哪一列？"
        ),
        "rare_say": (
            "“{h}”见过 {seen} 次，后面有过 {kinds} 个不同的词，别的词都是 0。"
            "Kneser-Ney 的第一名是“{kn_word}”（{kn_p}），"
            "网络的第一名是“{network_word}”（{network_p}）。"
        ),
        "longer": "3 · 窗口再长些",
        "longer_say": (
            "最后一个词见过 {seen2} 次，最后两个词 {seen3} 次，三个词 {seen4} 次，"
            "四个词 {seen5} 次。上文越长，说得越准，却也越少见，"
            "而直接数非得一字不差才行。网络从头到尾看的都是 {reads} 个词，"
            "n 怎么变，它那一列都不变。"
        ),
        "title": "“{context}”后面是什么词（n = {n}）",
        "alt": (
            "“{context}”后面是什么词。训练文本 {tokens} 个词，“{h}”见过 {seen} 次。"
            "直接数：{ml}。Kneser-Ney：{kn}。看 {reads} 个词的网络：{network}。"
        ),
        "alt_never": (
            "“{context}”后面是什么词。训练文本 {tokens} 个词，“{h}”从没见过："
            "直接数给每个词都是零。Kneser-Ney 退回到“{back}”：{kn}。"
            "看 {reads} 个词的网络照样排得出名次：{network}。"
        ),
        "quote": "“{word}”{p}",
        "list": "、",
    },
}
