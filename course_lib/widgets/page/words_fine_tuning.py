"""What the widget FineTuning says, in both languages."""

from __future__ import annotations

# Tasks by the names that papers call them; others keep the catalogue's.
TASKS = {
    "qc": "TREC-6",
    "imdb": "IMDb",
    "chnsenticorp": "ChnSentiCorp",
    "tnews": "TNEWS",
}

FINE_TUNING = {
    "en": {
        "layers": "words|LSTM 1|LSTM 2|LSTM 3|classifier",
        "schedule": "Schedule",
        "constant": "constant",
        "linear": "linear",
        "cosine": "cosine",
        "stlr": "STLR",
        "cut_frac": "cut_frac",
        "ratio": "ratio",
        "factor": "factor",
        "factor_long": "factor between the rates of neighbouring layers",
        "policy": "Layers that learn",
        "full": "full",
        "last": "last",
        "gradual": "gradual",
        "chain-thaw": "chain-thaw",
        "epochs": "epochs",
        "step": "step",
        "at": "{step} of {steps}, epoch {epoch}",
        "picture": (
            "Learning rates of {layers} layers over {steps} steps: {schedule}, "
            "{policy}, factor {factor}. The table below has the numbers."
        ),
        "curve": "share of its rate that a layer learns with",
        "epoch": "epoch",
        "rate": "rate:",
        "frozen": "frozen",
        "drawn": "Drawn with {per_epoch} steps an epoch. Highest rate: {rate}.",
        "layer": "layer",
        "now": "rate at this step",
        "whole": "all steps together",
        "whole_key": (
            "All steps together: the sum of a layer's rates, the classifier's being "
            "100%."
        ),
        "formula_constant": "share = 1, at every step",
        "formula_linear": "share = 1 − {t} = {share}",
        "formula_cosine": "share = (1 + cos(π · {t})) / 2 = {share}",
        "formula_stlr": (
            "p = {p}, share = (1 + {p} · ({ratio} − 1)) / {ratio} = {share}"
        ),
        "formula_rate": "rate = {rate} · {share} / {factor}ᵏ, k layers under the top",
        "task": "Task",
        "results": "What was measured",
        "ulmfit_policies": "Which layers learn (STLR, factor 2.6)",
        "ulmfit_schedules": "Schedule (gradual, factor 2.6)",
        "ulmfit_factor": "Factor (gradual, STLR)",
        "ulmfit_factorial": (
            "Every subset of discriminative rates, STLR and gradual unfreezing"
        ),
        "missing": "{name}: not measured yet.",
        "missing_task": "{name}: not measured with this task.",
        "none": "none of them",
        "join": " + ",
        "discr": "discr",
        "freez": "freez",
        "setting": "{policy}, {schedule}, factor {factor}",
        "measured": "This setting was measured: {found}.",
        "not_measured": (
            "This setting was not measured, and nothing is guessed in between. Nearest "
            "measured setting: {setting} (differs in {what}): {found}."
        ),
        "nothing": (
            "Not measured yet: the rates above follow from formulas, their "
            "consequences need runs."
        ),
        "accuracy": "accuracy {mean}{interval}",
        "perplexity": "perplexity {before} → {mean}{interval}",
        "interval": " [{low}, {high}]",
        "seeds": "{n} seeds",
        "seed": "1 seed, no interval",
        "and": "; ",
        "list": ", ",
        "accuracy_head": "Accuracy, {low} to {high}",
        "perplexity_head": (
            "Forgetting meter: perplexity on general text, {low} to {high}"
        ),
        "notes": (
            "Dot: mean over seeds; line: 95% interval (Student's t); n: seeds. Each "
            "row is a "
            "setting that was run; press it to compose it. All runs start from the "
            "language model that stage 2 has tuned, with a classifier on top; dashed: "
            "its perplexity then, on text that stage 1 did not read. The axis of the "
            "meter is logarithmic: further right, more forgotten."
        ),
        "rule": (
            "A setting counts as measured if schedule, factor and policy agree (with "
            "STLR: cut_frac 0.1 and ratio 32, too). Nearest: the fewest of them "
            "differ, then the nearest factor. Epochs are not compared: the runs have "
            "as many as their experiment says."
        ),
        "reset": "Reset",
        "try": "Try this:",
        "welcome": (
            "Fine-tuning can wash out what pre-training has learned. ULMFiT has three "
            "brakes: low layers learn more slowly, the rate rises and falls, and "
            "layers join from the top. Change one: which layers learn when, and what "
            "came of it in the saved runs?"
        ),
        "plain": "1 · No brakes",
        "plain_say": (
            "One constant rate for all layers from the first step. The classifier is "
            "still random then, and so are the gradients that it sends down; every "
            "layer follows them at {rate}. What does the forgetting meter say?"
        ),
        "ulmfit": "2 · All three brakes",
        "ulmfit_say": (
            "STLR, factor {factor}, gradual unfreezing. All {epochs} epochs together, "
            "the words learn {words} of what the classifier learns: they join last, "
            "when the rate has already fallen, and theirs is {power} times smaller."
        ),
        "odd": "3 · Off the map",
        "odd_say": (
            "Cosine, factor 4, one layer at a time, then all. The picture above is "
            "exact, for it follows from formulas. The runs below are another matter: "
            "nobody trained this combination, so there is no number for it."
        ),
        "title": "Learning rates of ULMFiT's fine-tuning",
        "title_measured": "Measured: {task}",
        "axis": "accuracy",
        "no_runs": "not measured yet",
        "alt": (
            "Learning rates of ULMFiT's fine-tuning in {epochs} epochs. The schedule "
            "rises for {cut} of the steps to {rate}, then falls in a straight line. "
            "One more layer learns in each epoch, from the classifier down; each layer "
            "has {factor} times the rate of the one below. {measured}"
        ),
        "alt_measured": "Accuracy on {task}: {values}.",
        "alt_none": "What it brings is not measured yet.",
    },
    "zh": {
        "layers": "词向量|LSTM 1|LSTM 2|LSTM 3|分类器",
        "schedule": "调度",
        "constant": "恒定",
        "linear": "线性下降",
        "cosine": "余弦下降",
        "stlr": "STLR",
        "cut_frac": "cut_frac",
        "ratio": "ratio",
        "factor": "倍数",
        "factor_long": "相邻两层学习率的倍数",
        "policy": "哪些层学习",
        "full": "全部（full）",
        "last": "只训顶层（last）",
        "gradual": "逐层解冻（gradual）",
        "chain-thaw": "轮流解冻（chain-thaw）",
        "epochs": "轮数",
        "step": "步",
        "at": "第 {step} 步，共 {steps} 步（第 {epoch} 轮）",
        "picture": (
            "{layers} 层在 {steps} 步中的学习率：{schedule}，{policy}，倍数 {factor}。"
            "数字见下面的表。"
        ),
        "curve": "这一步用到学习率的几分之几",
        "epoch": "轮",
        "rate": "学习率：",
        "frozen": "冻结",
        "drawn": "图中每轮画 {per_epoch} 步。最高学习率：{rate}。",
        "layer": "层",
        "now": "这一步的学习率",
        "whole": "全程合计",
        "whole_key": "全程合计：把一层每一步的学习率加起来，以分类器为 100%。",
        "formula_constant": "份额 = 1，每一步都一样",
        "formula_linear": "份额 = 1 − {t} = {share}",
        "formula_cosine": "份额 = (1 + cos(π · {t})) / 2 = {share}",
        "formula_stlr": "p = {p}，份额 = (1 + {p} · ({ratio} − 1)) / {ratio} = {share}",
        "formula_rate": "学习率 = {rate} · {share} / {factor}ᵏ，k 是离顶层的层数",
        "task": "任务",
        "results": "实测结果",
        "ulmfit_policies": "哪些层学习（STLR，倍数 2.6）",
        "ulmfit_schedules": "调度（逐层解冻，倍数 2.6）",
        "ulmfit_factor": "倍数（逐层解冻，STLR）",
        "ulmfit_factorial": "分层学习率、STLR、逐层解冻：三者的全部组合",
        "missing": "{name}：还没有测。",
        "missing_task": "{name}：这个任务上没有测。",
        "none": "一项也不用",
        "join": " + ",
        "discr": "分层学习率",
        "freez": "逐层解冻",
        "setting": "{policy}、{schedule}、倍数 {factor}",
        "measured": "这组设置测过：{found}。",
        "not_measured": (
            "这组设置没有测过，也不拿别的结果去推算。"
            "测过的设置里最接近的是：{setting}（不同之处：{what}）：{found}。"
        ),
        "nothing": "还没有测。上面的学习率由公式算出，效果如何要跑过才知道。",
        "accuracy": "准确率 {mean}{interval}",
        "perplexity": "困惑度 {before} → {mean}{interval}",
        "interval": " [{low}, {high}]",
        "seeds": "{n} 个种子",
        "seed": "1 个种子，没有区间",
        "and": "；",
        "list": "，",
        "accuracy_head": "准确率（{low} 到 {high}）",
        "perplexity_head": "遗忘计：通用文本上的困惑度（{low} 到 {high}）",
        "notes": (
            "圆点：各种子的平均；横线：95% 区间（学生 t）；n：种子数。"
            "每一行都是真正跑过的设置，"
            "按一下就换成它。起点都是第二阶段调好的语言模型，上面加一个分类器；"
            "虚线是这时的困惑度，所用文本第一阶段没有读过。"
            "遗忘计是对数坐标：越靠右，忘得越多。"
        ),
        "rule": (
            "调度、倍数、哪些层学习都一致，才算测过（用 STLR 时 cut_frac 还要是 0.1，"
            "ratio 还要是 32）。“最接近”指不同的项最少，再看倍数谁更近。"
            "轮数不比：各次实验自有规定。"
        ),
        "reset": "还原",
        "try": "试一试：",
        "welcome": (
            "微调可能把预训练学到的东西冲掉。ULMFiT 有三道刹车：下层学得慢；"
            "学习率先升后降；从顶层开始，一层一层地加入。"
            "改动其中一道：哪一层在什么时候学习？实际跑出来又怎样？"
        ),
        "plain": "1 · 不踩刹车",
        "plain_say": (
            "从第一步起，所有层都用同一个恒定的学习率。这时分类器还是随机的，"
            "传下去的梯度也就没有意义，而每一层都以 {rate} 跟着走。遗忘计怎么说？"
        ),
        "ulmfit": "2 · 三道刹车全踩",
        "ulmfit_say": (
            "STLR，倍数 {factor}，逐层解冻。{epochs} 轮合计，"
            "词向量的学习量只有分类器的 {words}：它最后才加入，"
            "那时学习率已经降了下来，而它自己的又只有顶层的 {power} 分之一。"
        ),
        "odd": "3 · 没人走过的路",
        "odd_say": (
            "余弦下降，倍数 4，先一次只训一层，最后全部。"
            "上面的图完全准确，因为它由公式算出。"
            "下面的结果就不同了：谁也没有跑过这种组合，所以没有数字。"
        ),
        "title": "ULMFiT 微调的学习率",
        "title_measured": "实测：{task}",
        "axis": "准确率",
        "no_runs": "还没有测",
        "alt": (
            "ULMFiT 微调 {epochs} 轮的学习率。前 {cut} 的步子升到 {rate}，"
            "然后直线下降。从分类器往下，每轮多一层学习；"
            "每层的学习率是下一层的 {factor} 倍。{measured}"
        ),
        "alt_measured": "{task} 的准确率：{values}。",
        "alt_none": "效果还没有测。",
    },
}
