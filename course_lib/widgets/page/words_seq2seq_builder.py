"""What the widget Seq2SeqBuilder says, in both languages."""

from __future__ import annotations

SEQ2SEQ_BUILDER = {
    "en": {
        "encoder": "encoder",
        "decoder": "decoder",
        "source_lm": "source LM",
        "target_lm": "target LM",
        "source": "source LM",
        "target": "target LM",
        "random": "random",
        "embedding": "word vectors",
        "lstm": "first LSTM",
        "softmax": "softmax",
        "top": "second LSTM",
        "attention": "attention W_q",
        "output": "W_o",
        "loss_source": "LM loss",
        "loss_target": "translation loss + LM loss",
        "loss_pairs": "translation loss",
        "loss_none": "not used",
        "plan": "An encoder and a decoder between the two language models (LM)",
        "of": "{side}: {part}",
        "box": "{side}: {part}, {count} parameters, starts from: {origin}",
        "fixed": "{part}: {count} parameters, always random",
        "wiring": "Training and wiring",
        "joint": "joint LM loss",
        "residual": "residual connection",
        "both_layers": "attention to first + top layer",
        "counted": (
            "From the source LM: {source_n} of {all_n} tensors, {source_p} parameters "
            "({source_share}). From the target LM: {target_n} tensors, {target_p} "
            "({target_share}). Random: {random_n} tensors, {random_p} ({random_share})."
        ),
        "follows": "What follows from the drawing, before any training",
        "is_lm": (
            "Let W_o be 0, and the decoder is the target language model, exactly: "
            "the first LSTM goes straight to the softmax that it was trained with."
        ),
        "over_noise": (
            "Without the residual connection the copied softmax reads only what comes "
            "out of W_o, which is random."
        ),
        "cannot_read": (
            "The target LSTM is copied, its softmax is random: it has yet to learn "
            "what the LSTM's states mean."
        ),
        "nothing_to_read": (
            "The softmax is copied, but not the LSTM below it: its states are not "
            "those that the softmax was trained to read."
        ),
        "other_words": (
            "{side}: the LSTM is copied, its word vectors are random. It reads words "
            "it has never met."
        ),
        "never_used": (
            "The source softmax takes no part in translating. Without the joint loss "
            "it is never used: copied or not is all the same."
        ),
        "not_before": (
            "Nothing is copied, but the joint loss reads untranslated text during "
            "training. This is what the paper calls “no pretraining”."
        ),
        "no_text": "Nothing is copied, and no untranslated text is ever read.",
        "encoder_side": "Encoder's side",
        "decoder_side": "Decoder's side",
        "tensor": "tensor",
        "shape": "shape",
        "count": "parameters",
        "from": "starts from",
        "results": "Measured in this course (BLEU on test pairs)",
        "task": "Task",
        "rivertown": "Rivertown, {n} pairs",
        "vowels": "vowels, {n} pairs",
        "full": "everything",
        "only the decoder": "only the decoder pre-trained",
        "only the encoder": "only the encoder pre-trained",
        "without softmax": "all but the target softmax",
        "without LM loss": "everything, no joint loss",
        "without extras": "everything, no residual, top layer alone",
        "no pre-training": "no pre-training, joint loss",
        "neither": "neither",
        "no network": "no network at all",
        "not_yet": "not measured yet",
        "nothing": (
            "Not measured yet: there is no stored ablation here. The rows below set "
            "the drawing; they get numbers when it has been run."
        ),
        "measured": "This setting was measured: {found}.",
        "near": (
            "This setting was not measured. Nearest measured: {found}. What lies "
            "between is not known."
        ),
        "differs": "“{name}” (differs in: {what}): {value}",
        "value": "BLEU {value}{interval}, {seeds}",
        "gap": "; less “everything”: {value}{interval}",
        "interval": " [{low}, {high}]",
        "seed": "{n} seed, no interval",
        "seeds": "{n} seeds",
        "notes": (
            "Intervals: 95 % over seeds; differences are taken within a seed. A "
            "setting between two rows has no number."
        ),
        "paper": "The paper, on its own data: not to be compared with the rows above",
        "paper_about": (
            "Ramachandran, Liu and Le 2017, section 3.1: English → German, four "
            "million pairs, three layers; BLEU on the validation set, less their full "
            "model."
        ),
        "paper_row": "what was pre-trained",
        "paper_bleu": "BLEU",
        "paper_here": "set up like yours",
        "paper_full": "everything (their full model)",
        "paper_decoder": "only the decoder pre-trained",
        "paper_encoder": "only the encoder pre-trained",
        "paper_softmax": "all but the softmax pre-trained",
        "paper_none": "no pre-training",
        "paper_text": "language models from the pairs' own text",
        "paper_text_bleu": "as large a drop as no pre-training",
        "paper_joint": "everything pre-trained, no joint loss",
        "paper_joint_bleu": "as bad as no pre-training with the joint loss",
        "paper_extras": "residual, and attention to two layers",
        "paper_extras_bleu": "“minor but consistent”; no number",
        "paper_notes": (
            "In summaries, the paper's other task, the encoder's pre-training matters "
            "more than the decoder's."
        ),
        "try": "Try this:",
        "reset": "Reset",
        "whole": "1 · Everything",
        "whole_say": (
            "Two language models fill all that they can. What is left to chance: both "
            "second LSTMs, W_q and W_o, {random_share} of the parameters. Follow the "
            "residual connection from the first LSTM up: which softmax does it meet?"
        ),
        "blind": "2 · A softmax that cannot read",
        "blind_say": (
            "Pull out one plug, the target softmax. The LSTMs are as good as before. "
            "Look at the paper's row: of 2.0 BLEU of gain 1.6 are gone."
        ),
        "late": "3 · Nothing beforehand",
        "late_say": (
            "No plug at all, but the joint loss stays: the same text is read, only "
            "not beforehand. Then switch the joint loss off. Which comparison answers "
            "“is pre-training worth it”, which “is the text worth it”?"
        ),
        "welcome": (
            "Plug the parts of two language models into a translator: click a box of "
            "the encoder or the decoder (or Tab and space). A plugged part is copied, "
            "the others start at random. How much of the model is known before it has "
            "seen one pair?"
        ),
        "title": "Everything plugged in: where each part starts",
        "alt": (
            "An encoder and a decoder between two language models. From the source "
            "language model come the encoder's word vectors, first LSTM and softmax, "
            "{source_p} parameters ({source_share}); from the target language model "
            "those of the decoder, {target_p} ({target_share}); second LSTMs and "
            "attention start at random, {random_p} ({random_share}). {measured}"
        ),
        "alt_none": "Results: not measured yet.",
        "alt_measured": "Measured, {task}: {values}.",
        "list": ", ",
        "and": "; ",
    },
    "zh": {
        "encoder": "编码器",
        "decoder": "解码器",
        "source_lm": "源侧语言模型",
        "target_lm": "目标侧语言模型",
        "source": "源侧模型",
        "target": "目标侧模型",
        "random": "随机",
        "embedding": "词向量",
        "lstm": "第一层 LSTM",
        "softmax": "softmax",
        "top": "第二层 LSTM",
        "attention": "注意力 W_q",
        "output": "W_o",
        "loss_source": "语言模型损失",
        "loss_target": "翻译损失 + 语言模型损失",
        "loss_pairs": "翻译损失",
        "loss_none": "用不上",
        "plan": "夹在两个语言模型中间的编码器和解码器",
        "of": "{side} · {part}",
        "box": "{side}：{part}，{count} 个参数，起点：{origin}",
        "fixed": "{part}：{count} 个参数，总是随机",
        "wiring": "训练与接线",
        "joint": "联合语言模型损失",
        "residual": "残差连接",
        "both_layers": "注意力看首层和顶层",
        "counted": (
            "来自源侧语言模型：全部 {all_n} 个张量中的 {source_n} 个，{source_p} 个参数"
            "（{source_share}）。来自目标侧语言模型：{target_n} 个张量，{target_p}"
            "（{target_share}）。随机：{random_n} 个张量，{random_p}"
            "（{random_share}）。"
        ),
        "follows": "还没训练，从图上就能推出",
        "is_lm": (
            "只要把 W_o 设成 0，解码器就和目标侧语言模型分毫不差："
            "第一层 LSTM 直通当初一起训练的 softmax。"
        ),
        "over_noise": (
            "没有残差连接，复制来的 softmax 只读得到 W_o 的输出，而 W_o 是随机的。"
        ),
        "cannot_read": (
            "目标侧的 LSTM 是复制来的，softmax 却是随机的：那些状态是什么意思，"
            "它还得从头学。"
        ),
        "nothing_to_read": (
            "softmax 是复制来的，下面的 LSTM 却不是：送上来的状态，"
            "不是它当初学着读的那种。"
        ),
        "other_words": (
            "{side}的 LSTM 是复制来的，词向量却是随机的：它读到的词，一个也没见过。"
        ),
        "never_used": (
            "源侧的 softmax 不参与翻译。没有联合损失，它就根本用不上，"
            "复制不复制都一样。"
        ),
        "not_before": (
            "什么也没复制，但有联合损失，训练时照样读没有翻译的文本。"
            "论文说的“无预训练”就是这一种。"
        ),
        "no_text": "什么也没复制，没有翻译的文本也始终没读。",
        "encoder_side": "编码器一侧",
        "decoder_side": "解码器一侧",
        "tensor": "张量",
        "shape": "形状",
        "count": "参数个数",
        "from": "起点",
        "results": "本课程测得的结果（测试句对的 BLEU）",
        "task": "任务",
        "rivertown": "河湾镇（英译中），{n} 个句对",
        "vowels": "元音，{n} 个句对",
        "full": "全部",
        "only the decoder": "只预训练解码器",
        "only the encoder": "只预训练编码器",
        "without softmax": "除目标侧 softmax 外都预训练",
        "without LM loss": "全部预训练，无联合损失",
        "without extras": "全部预训练，无残差，只看顶层",
        "no pre-training": "无预训练，有联合损失",
        "neither": "两样都没有",
        "no network": "根本不用网络",
        "not_yet": "尚未测量",
        "nothing": (
            "尚未测量：这里没有存下的消融结果。下面各行可以用来设定上面的图，"
            "跑过之后才有数字。"
        ),
        "measured": "这种搭法测过：{found}。",
        "near": "这种搭法没测过。测过的里面最近的：{found}。两者之间会怎样，不知道。",
        "differs": "“{name}”（不同之处：{what}）：{value}",
        "value": "BLEU {value}{interval}，{seeds}",
        "gap": "；比“全部”：{value}{interval}",
        "interval": " [{low}, {high}]",
        "seed": "{n} 个种子，没有区间",
        "seeds": "{n} 个种子",
        "notes": (
            "区间是跨种子的 95% 区间，差值在同一个种子内部相减。"
            "两行之间的搭法没有数字可给。"
        ),
        "paper": "论文，用的是它自己的数据：不要和上面的数字比",
        "paper_about": (
            "Ramachandran、Liu 与 Le 2017，3.1 节：英译德，四百万句对，三层；"
            "验证集上的 BLEU，与他们的完整模型之差。"
        ),
        "paper_row": "预训练了什么",
        "paper_bleu": "BLEU",
        "paper_here": "与你现在的搭法相同",
        "paper_full": "全部（他们的完整模型）",
        "paper_decoder": "只预训练解码器",
        "paper_encoder": "只预训练编码器",
        "paper_softmax": "除 softmax 外都预训练",
        "paper_none": "无预训练",
        "paper_text": "语言模型只读句对自己的文本",
        "paper_text_bleu": "降得同无预训练一样多",
        "paper_joint": "全部预训练，无联合损失",
        "paper_joint_bleu": "同“无预训练、有联合损失”一样差",
        "paper_extras": "残差，以及看两层的注意力",
        "paper_extras_bleu": "“小而一致”，没有给数字",
        "paper_notes": "在论文的另一个任务（摘要）上，编码器的预训练比解码器的更要紧。",
        "try": "试一试：",
        "reset": "还原",
        "whole": "1 · 全都插上",
        "whole_say": (
            "两个语言模型能填的都填上了。剩下随机的：两个第二层 LSTM、W_q 和 W_o，"
            "占参数的 {random_share}。顺着残差连接从第一层 LSTM 往上走："
            "它碰到的是谁的 softmax？"
        ),
        "blind": "2 · 读不懂的 softmax",
        "blind_say": (
            "只拔掉一个插头：目标侧的 softmax。两边的 LSTM 还和刚才一样好。"
            "看看论文那一行：2.0 个 BLEU 的增益，去了 1.6。"
        ),
        "late": "3 · 事先什么也不读",
        "late_say": (
            "插头全拔掉，联合损失留着：同样的文本还是读了，只是没有提前读。"
            "再把联合损失也关掉。要问“预训练值不值”，该比哪两个？"
            "要问“那些文本值不值”呢？"
        ),
        "welcome": (
            "把两个语言模型的零件插进翻译器：点编码器或解码器的方块"
            "（也可以用 Tab 键和空格键）。插上的，参数照抄；没插的，从随机开始。"
            "一个句对都没看过的时候，这个模型已经知道多少？"
        ),
        "title": "全都插上：每个零件从哪里开始",
        "alt": (
            "夹在两个语言模型中间的编码器和解码器。编码器的词向量、第一层 LSTM 和 "
            "softmax 来自源侧语言模型，{source_p} 个参数（{source_share}）；解码器的"
            "来自目标侧语言模型，{target_p} 个（{target_share}）；两个第二层 LSTM "
            "和注意力从随机开始，{random_p} 个（{random_share}）。{measured}"
        ),
        "alt_none": "结果：尚未测量。",
        "alt_measured": "测得的结果，{task}：{values}。",
        "list": "、",
        "and": "；",
    },
}
