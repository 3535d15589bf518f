"""What the widget VectorsTraining says, in both languages."""

from __future__ import annotations

VECTORS_TRAINING = {
    "en": {
        "method": "Method",
        "moment": "Training",
        "play": "▶ Play",
        "pause": "❚❚ Pause",
        "next": "▶ Next snapshot",
        "reset": "Reset",
        "at": "snapshot {number} of {last}: {read} words read",
        "between": (
            "between snapshots {low} and {high}: positions interpolated; "
            "all numbers: snapshot {number}, {read} words read"
        ),
        "map": (
            "Map of {n} words during training with {method}; "
            "arrow keys move from one to the next"
        ),
        "several": "words of several senses",
        "share": (
            "The map shows {share} of the variance of all snapshots together (one PCA; "
            "vectors scaled to length 1, each snapshot centred on its mean, none "
            "rotated). Nearest words and all numbers use all {dimension} dimensions."
        ),
        "order": "Order: nearest word is of the same group",
        "chance": "chance {chance}",
        "loss": "Loss",
        "read": "words read",
        "curve": "{label}: from {first} to {last}; now {now}",
        "no_value": "none yet",
        "word": "Word",
        "groups": "Mean cosine of “{word}” with the words of each group",
        "nearest": "Nearest words to “{word}” (of {vocabulary}), by cosine",
        "same": "“{word}”, {read} words read; nearest: {near}",
        "ties": "The others are equally near: no order among them.",
        "score": "{read} words read: order {order}, loss {loss}",
        "welcome": (
            "Each point is a word; colour and shape show its group, which training "
            "never sees. Drag the slider back, press ▶, or pick a word."
        ),
        "try": "Try this:",
        "start": "1 · Before training",
        "start_say": (
            "{read} words read. The nearest word is of the same group for {order} of "
            "the words; chance alone gives {chance}. The words nearest to “{word}” "
            "are accidents: {near}."
        ),
        "learn": "2 · Let it learn",
        "learn_say": (
            "Nobody told it about groups, and yet order went from {before} to {after}. "
            "Half of that rise was there at snapshot {half} of {last}. Drag the slider "
            "around it: which group comes apart first?"
        ),
        "stuck_say": (
            "Order went from {before} to {after}, chance is {chance}: this run has "
            "hardly learned. Does the loss still fall? More text, more epochs or a "
            "higher learning rate may help."
        ),
        "middle": "3 · Between its senses",
        "middle_say": (
            "“{word}” is met among “{one}” words and among “{two}” words, and has one "
            "vector for both. These are its two nearest groups, mean cosine {first} "
            "and {second}; the next is “{next}”, {third}."
        ),
        "pair": "3 · Between its senses",
        "pair_say": (
            "“{word}” is met among “{one}” words and among “{two}” words, and has one "
            "vector for both: mean cosine {first} and {second}."
        ),
        "leaning": "3 · Two senses, one vector",
        "leaning_say": (
            "“{word}” is met among “{one}” words (mean cosine {first}) and among "
            "“{two}” words ({second}). But “{next}” is at {third}: here the vector is "
            "not clearly between its two senses. Which one won?"
        ),
        "odd": "3 · A word out of place",
        "odd_say": (
            "“{word}” belongs to “{one}” (mean cosine {first}), but it stands "
            "nearest to “{next}” ({third}). What do its nearest words share?"
        ),
        "edge": "3 · The closest call",
        "edge_say": (
            "“{word}” belongs to “{one}” (mean cosine {first}); no other word has "
            "another group almost as near: “{next}” ({third})."
        ),
        "title": "{n} words during training with {method}",
        "panel": "{read} words read: order {order}",
        "alt": (
            "Map of {n} words in {groups} groups, before and after training with "
            "{method}. {orders} Chance: {chance}.{places}"
        ),
        "alt_order": (
            "{method}: the nearest word is of the same group for {before} of the words "
            "at the start, for {after} at the end."
        ),
        "alt_place": " “{word}”: mean cosine {first} with {one}, {second} with {two}.",
        "list": ", ",
    },
    "zh": {
        "method": "方法",
        "moment": "训练进度",
        "play": "▶ 播放",
        "pause": "❚❚ 暂停",
        "next": "▶ 下一个快照",
        "reset": "还原",
        "at": "第 {number} 个快照（共 {last} 个）：已读 {read} 个词",
        "between": (
            "介于第 {low} 与第 {high} 个快照之间：位置是插值；"
            "数字都取第 {number} 个快照（已读 {read} 个词）"
        ),
        "map": "用 {method} 训练时 {n} 个词的分布图，用方向键逐词移动",
        "several": "一词多义的词",
        "share": (
            "图中保留了全部快照合计方差的 {share}（只做一次 PCA；向量缩放到长度 1，"
            "每个快照减去各自的均值，不做旋转）。近邻和各项数字都用全部 "
            "{dimension} 维计算。"
        ),
        "order": "有序程度：最近的词属于同一组",
        "chance": "随机 {chance}",
        "loss": "损失",
        "read": "已读词数",
        "curve": "{label}：从 {first} 到 {last}；现在 {now}",
        "no_value": "还没有",
        "word": "词",
        "groups": "“{word}”与各组词的平均余弦",
        "nearest": "离“{word}”最近的词（共 {vocabulary} 个候选），按余弦排列",
        "same": "“{word}”，已读 {read} 个词；最近的词：{near}",
        "ties": "其余的词一样近，分不出先后。",
        "score": "已读 {read} 个词：有序程度 {order}，损失 {loss}",
        "welcome": (
            "每个点是一个词，颜色和形状表示它所在的组；训练时看不到分组。"
            "把滑块往回拖，点 ▶，或者选一个词。"
        ),
        "try": "试一试：",
        "start": "1 · 训练之前",
        "start_say": (
            "已读 {read} 个词。{order} 的词，离它最近的词恰好同组；"
            "纯属巧合也有 {chance}。这时离“{word}”最近的几个词全是偶然：{near}。"
        ),
        "learn": "2 · 让它学",
        "learn_say": (
            "没有人告诉它怎样分组，有序程度却从 {before} 变到了 {after}。"
            "变化的一半，到第 {half} 个快照（共 {last} 个）就有了。"
            "在它前后拖动滑块：哪一组最先分出来？"
        ),
        "stuck_say": (
            "有序程度从 {before} 变到 {after}，随机是 {chance}："
            "这次训练几乎没学到什么。损失还在下降吗？可以加语料、多训几轮，或者调高学习率。"
        ),
        "middle": "3 · 在两个义项之间",
        "middle_say": (
            "“{word}”时而与“{one}”类的词共现，时而与“{two}”类的词共现，"
            "向量却只有一个。离它最近的正是这两组，平均余弦 {first} 和 {second}；"
            "再往后是“{next}”，{third}。"
        ),
        "pair": "3 · 在两个义项之间",
        "pair_say": (
            "“{word}”时而与“{one}”类的词共现，时而与“{two}”类的词共现，"
            "向量却只有一个：平均余弦 {first} 和 {second}。"
        ),
        "leaning": "3 · 两个义项，一个向量",
        "leaning_say": (
            "“{word}”时而与“{one}”类的词共现（平均余弦 {first}），"
            "时而与“{two}”类的词共现（{second}）。可是“{next}”也有 {third}："
            "这里它并不明显地处在两个义项之间。是哪个义项占了上风？"
        ),
        "odd": "3 · 站错队的词",
        "odd_say": (
            "“{word}”属于“{one}”（平均余弦 {first}），离它最近的一组却是“{next}”"
            "（{third}）。看看离它最近的词：它们有什么共同之处？"
        ),
        "edge": "3 · 最悬的一个词",
        "edge_say": (
            "“{word}”属于“{one}”（平均余弦 {first}）；"
            "在所有词里，数它与另一组靠得最近：“{next}”（{third}）。"
        ),
        "title": "用 {method} 训练时的 {n} 个词",
        "panel": "已读 {read} 个词：有序程度 {order}",
        "alt": (
            "{n} 个词（{groups} 组）在用 {method} 训练前后的分布图。"
            "{orders}随机：{chance}。{places}"
        ),
        "alt_order": (
            "{method}：最近的词属于同一组的比例，开始时 {before}，结束时 {after}。"
        ),
        "alt_place": "“{word}”：与{one}的平均余弦 {first}，与{two} {second}。",
        "list": "、",
    },
}
