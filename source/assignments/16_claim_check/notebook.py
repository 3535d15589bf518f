# %% [markdown] key="title" lang="en"
# # Exercises 16 · Claim check
#
# Popular accounts say a lot about the models of this course. In this sheet you are the one who
# checks: five functions (17 points) and a written answer (4 points). Three functions are your
# tools: a difference with its interval, one rule for all claims, and a test of whether one
# seed decides. With the other two you judge eleven claims and cite what decides them. It belongs
# to no lesson of its own; do it after lesson 15. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# There is no course package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="7712d0f3"
# # 练习 16 · 查证说法
#
# 关于这门课里的模型，流行文章说了很多。这一次由你来查：五个函数（17 分），一道笔答（4 分）。前三个函数是工具：带区间的差，管所有说法的一条规则，以及“结果是不是取决于一个种子”。后两个函数用来判断十一个说法，并指出凭什么这样判。它不属于哪一课，学完第 15 课再做。每个单元格几秒内就能跑完。
#
# 每个函数下面都有一段检查，可以随时反复运行：它会列出通过的项目，并尽可能指出错在哪里。评分时还会用新的随机输入做更多检查，只会背例子的函数是通不过的。没有思路时运行 `hint()`：先提醒一句，再说该看哪里，最后讲思路和一个小例子。看提示不扣分，函数里打印什么也不扣分。评分的地方没有课程的包，答案不能 import 它。

# %% key="setup" role="given"
import numpy as np
from scipy import stats

from course_claims.exhibits import evidence
from course_lib.grading import hint  # noqa: F401 (run hint() when you are stuck)

ledger, papers = evidence()  # what sections 4 and 5 are about; look into both

# %% [markdown] key="gap-task" lang="en"
# ## 1. A difference, seed by seed (3 points)
#
# The ledger of this course holds one row for each number that was measured:
# `{"seed": 1, "model": "A", "condition": "en", "metric": "F1", "value": 0.50}`. A *side* of a
# comparison is a triple `(metric, model, condition)`; it has one row for each seed. With equal seeds two
# sides had the same data and the same random draws. So the question “is B above A?” is asked within each
# seed:
#
# | seed | A | B | B − A |
# |---|---|---|---|
# | 1 | 0.50 | 0.52 | 0.02 |
# | 2 | 0.60 | 0.63 | 0.03 |
# | 3 | 0.66 | 0.70 | 0.04 |
#
# The mean of the differences is 0.03, and Student's 95 % interval around it
# $\bar d \pm t_{0.975,\,n-1}\, s / \sqrt n$ is $0.03 \pm 4.30 \cdot 0.01/\sqrt 3$: from 0.005 to 0.055. Taken
# alone, A has the interval from 0.39 to 0.79, and B from 0.39 to 0.84. They overlap nearly completely; and yet B
# is better with every seed.
#
# Write `gap(rows, new, old)`. `rows` is a list of such dictionaries in any order, with other metrics,
# models and conditions among them. `new` is a side; `old` is another one, or a number: a line with which
# `new` is compared. Return four numbers: the mean of new − old, the low end, the high end, and the number of
# seeds that both sides have. A seed that one side lacks does not count. (There are always two or more.)

# %% [markdown] key="gap-task" lang="zh" follows="9ce0d401"
# ## 1. 逐个种子求差（3 分）
#
# 本课程的账本里，每测一个数就有一行：`{"seed": 1, "model": "A", "condition": "en", "metric": "F1", "value": 0.50}`。比较的一*侧*是一个三元组 `(metric, model, condition)`，每个种子一行。种子相同，两侧用的数据和随机抽样就相同。所以“B 高于 A 吗”要在每个种子里面问：
#
# | 种子 | A | B | B − A |
# |---|---|---|---|
# | 1 | 0.50 | 0.52 | 0.02 |
# | 2 | 0.60 | 0.63 | 0.03 |
# | 3 | 0.66 | 0.70 | 0.04 |
#
# 差的平均是 0.03，它的 95% t 区间 $\bar d \pm t_{0.975,\,n-1}\, s / \sqrt n$ 是 $0.03 \pm 4.30 \cdot 0.01/\sqrt 3$：从 0.005 到 0.055。要是分开看，A 的区间是 0.39 到 0.79，B 的是 0.39 到 0.84，几乎完全重叠；可是每个种子都是 B 更好。
#
# 请写 `gap(rows, new, old)`。`rows` 是这样的字典组成的列表，次序随意，里面还夹着别的指标、模型和条件。`new` 是一侧；`old` 是另一侧，或者是一个数，也就是拿来和 `new` 比的一条线。返回四个数：new − old 的平均，区间的低端，高端，以及两侧都有的种子数。只有一侧有的种子不算。（总有两个以上。）


# %% key="gap" role="answer"
def gap(rows, new, old):
    """Return mean, low end, high end, seeds / 返回平均、低端、高端、种子数."""
    ### BEGIN SOLUTION

    def values(side):  # by seed
        return {
            row["seed"]: row["value"]
            for row in rows
            if (row["metric"], row["model"], row["condition"]) == tuple(side)
        }

    above = values(new)
    below = values(old) if isinstance(old, tuple | list) else dict.fromkeys(above, old)
    d = np.array([above[seed] - below[seed] for seed in above if seed in below])
    half = stats.t.ppf(0.975, len(d) - 1) * stats.sem(d)
    return d.mean(), d.mean() - half, d.mean() + half, len(d)
    ### END SOLUTION


# %% key="test_gap" role="test" points=3
from course_lib.grading import check  # in case your code has a `check` of its own

check("16.gap", gap)
### BEGIN HIDDEN TESTS
check("16.gap", gap, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="outcome-task" lang="en"
# ## 2. One rule for all claims (3 points)
#
# A claim is cut into comparisons, each of the form “this side is above that one”; each has a list of
# differences, new minus old, one a seed. Whoever looks at the numbers first and chooses the rule afterwards can
# have any outcome. So here is the rule, before the numbers; it is the one of the claim cards, but for those that claim that two things are alike.
#
# 1. *Is the mean different from 0?* For each comparison the p value of Student's t test, two-sided:
#    `stats.ttest_1samp(d, 0).pvalue`.
# 2. *Is it too small to matter?* A number `of_interest` says which effect would matter. For each comparison two one-sided
#    t tests: is the mean above `-of_interest`, and is it below `of_interest`? The p value is the **larger** one.
# 3. *You asked several times*, so correct each of the two lists of p values as Holm (1979) does: sort them; the smallest of m
#    is multiplied by m, the next by m − 1, …, the last by 1; none may be smaller than the one before it. A comparison is
#    **significantly above 0** if its corrected p of step 1 is below 0.05 and its mean above 0, **significantly below 0** accordingly, and
#    **too small** if its corrected p of step 2 is below 0.05.
# 4. Then:
#
# | word | when |
# |---|---|
# | `"reproduced"` | more than half of the comparisons are significantly above 0, and none is below |
# | `"contradicted"` | more than half are significantly below 0, and none is above; or none is either, and more than half are too small |
# | `"mixed"` | some are significantly above or below 0, but neither line before fits |
# | `"cannot tell"` | nothing of this: more seeds might show either |
#
# Example, `of_interest` = 0.5. $a$ = (1.2, 0.9, 1.4, 1.1, 0.8) has p = 0.0005, $b$ = (1.2, −0.7, 0.9, −1.1, 0.6) has
# p = 0.71, $c$ = (0.03, −0.05, 0.04, 0.01, −0.02) has p = 0.91, and in step 2 p = 0.000004. So $a$ alone is `"reproduced"`, $a$ and $b$ are
# `"mixed"` (one of two is not more than half), $b$ alone is `"cannot tell"`, and $c$ alone `"contradicted"`: a null result refutes
# nothing, whereas an effect that is *shown* to be too small does.
#
# Write `outcome(differences, of_interest)`. `differences` is a list of one or more lists of numbers, each with three or
# more. Return one of the four words.

# %% [markdown] key="outcome-task" lang="zh" follows="1d330b28"
# ## 2. 管所有说法的一条规则（3 分）
#
# 把一个说法拆成几个比较，每个都是“这一侧高于那一侧”；每个比较有一列差（new − old），一个种子一个。先看数字、再选规则的人，想要什么结果都能得到。所以规则先放在这里，数字后面再看。论断卡片用的也是这一条（说“两者相同”的卡片除外）。
#
# 1. *平均和 0 有差别吗？* 每个比较做一次双侧 t 检验，取 p 值：`stats.ttest_1samp(d, 0).pvalue`。
# 2. *是不是小得不算数？* `of_interest` 说的是多大的效应才算数。每个比较做两次单侧 t 检验：平均高于 `-of_interest` 吗？低于 `of_interest` 吗？取**较大**的那个 p。
# 3. *问了不止一次*，所以两列 p 值都要照 Holm（1979）的办法校正：从小到大排，m 个里最小的乘 m，下一个乘 m − 1，……，最后一个乘 1；后一个不能比前一个小。第 1 步校正后的 p 小于 0.05、平均大于 0，叫**显著大于 0**；平均小于 0，叫**显著小于 0**；第 2 步校正后的 p 小于 0.05，叫**小得不算数**。
# 4. 然后：
#
# | 词 | 什么时候 |
# |---|---|
# | `"reproduced"`（重现了） | 过半的比较显著大于 0，没有一个显著小于 0 |
# | `"contradicted"`（相反） | 过半显著小于 0，没有一个显著大于 0；或者两种都没有，而过半小得不算数 |
# | `"mixed"`（不一致） | 有显著大于或小于 0 的，但上面两行都不合 |
# | `"cannot tell"`（看不出） | 都不是：多几个种子，往哪边都有可能 |
#
# 例：`of_interest` = 0.5。$a$ = (1.2, 0.9, 1.4, 1.1, 0.8)，p = 0.0005；$b$ = (1.2, −0.7, 0.9, −1.1, 0.6)，p = 0.71；$c$ = (0.03, −0.05, 0.04, 0.01, −0.02)，p = 0.91，第 2 步的 p = 0.000004。所以只有 $a$ 是 `"reproduced"`；$a$ 加 $b$ 是 `"mixed"`（两个里一个，不算过半）；只有 $b$ 是 `"cannot tell"`；只有 $c$ 是 `"contradicted"`：*没看到*效应，推翻不了什么；*证明*了效应很小，才算推翻。
#
# 请写 `outcome(differences, of_interest)`。`differences` 是一个或多个数列组成的列表，每列至少三个数。返回四个英文词之一。


# %% key="outcome" role="answer"
def outcome(differences, of_interest):
    """Return one of the four words / 返回四个词之一."""
    ### BEGIN SOLUTION

    def corrected(p):  # Holm
        found, highest = np.empty(len(p)), 0.0
        for rank, k in enumerate(np.argsort(p)):
            highest = max(highest, (len(p) - rank) * p[k])
            found[k] = highest
        return found

    def p_value(d, border, side):
        return stats.ttest_1samp(d, border, alternative=side).pvalue

    p = corrected([p_value(d, 0, "two-sided") for d in differences])
    small = corrected(
        [
            max(p_value(d, -of_interest, "greater"), p_value(d, of_interest, "less"))
            for d in differences
        ]
    )
    above = np.array([np.mean(d) > 0 for d in differences])
    up, down = sum(above & (p < 0.05)), sum(~above & (p < 0.05))
    half = len(p) / 2
    if up:
        return "reproduced" if up > half and not down else "mixed"
    if down:
        return "contradicted" if down > half else "mixed"
    return "contradicted" if sum(small < 0.05) > half else "cannot tell"
    ### END SOLUTION


# %% key="test_outcome" role="test" points=3
from course_lib.grading import check

check("16.outcome", outcome)
### BEGIN HIDDEN TESTS
check("16.outcome", outcome, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="flips-task" lang="en"
# ## 3. Does one seed decide? (3 points)
#
# Some seeds gave an outcome. Had one of them not been drawn, would it be the same? If not, it is
# *unstable*, and its card must say so.
#
# Example: with seeds 4, 9, 2, 7, 5 B is ahead by 0.02, 0.03, 0.03, 0.02, −0.01. The interval of all five
# contains 0. Without seed 5 it is from 0.016 to 0.034, above 0; without any other it still contains 0.
# So the answer is `[5]`. (It is no reason to throw seed 5 away! It is a reason to measure more.)
#
# Write `flips(rows, rule)`. `rows` are rows as in section 1. `rule` is a function that takes such rows and returns a
# word; it asks for no smallest number of seeds. Return the list of the seeds without which `rule` returns
# another word than with all of them, in ascending order; it may be empty.

# %% [markdown] key="flips-task" lang="zh" follows="da179550"
# ## 3. 结果取决于一个种子吗？（3 分）
#
# 几个种子得出一个结果。假如其中一个没有抽到，结果还一样吗？要是不一样，它就*不稳*，卡片上必须写明。
#
# 例：种子 4、9、2、7、5，B 领先 0.02、0.03、0.03、0.02、−0.01。五个一起，区间包含 0。去掉种子 5，区间是 0.016 到 0.034，大于 0；去掉别的任何一个，区间仍包含 0。所以答案是 `[5]`。（这可不是扔掉种子 5 的理由！而是多测一些的理由。）
#
# 请写 `flips(rows, rule)`。`rows` 和第 1 节的一样。`rule` 是一个函数，给它记录，它返回一个词；它不管种子够不够。返回一个列表：去掉哪些种子，`rule` 返回的词就和用全部种子时不同，从小到大排；列表可以是空的。


# %% key="flips" role="answer"
def flips(rows, rule):
    """Return the seeds that decide alone / 返回能左右结果的种子."""
    ### BEGIN SOLUTION
    with_all = rule(rows)
    return [
        seed
        for seed in sorted({row["seed"] for row in rows})
        if rule([row for row in rows if row["seed"] != seed]) != with_all
    ]
    ### END SOLUTION


# %% key="test_flips" role="test" points=3
from course_lib.grading import check

check("16.flips", flips)
### BEGIN HIDDEN TESTS
check("16.flips", flips, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="ledger_check-task" lang="en"
# ## 4. Six claims that were measured (4 points)
#
# All six are told in our words. Behind each stands what it says as comparisons, and the smallest difference that would
# matter, in the unit of the rows; the rule is that of section 2.
#
# | key | the claim | in comparisons | matters from |
# |---|---|---|---|
# | `similar-words` | Turn words into vectors, and words of similar meaning are found easily. | For CBOW and for skip-gram: the agreement with SimLex-999 (is it *alike*?) is above that with WordSim-353 (is it *related*?). Experiment `cbow_or_skip_gram`. | 0.05 |
# | `vision-layers` | The low layers of an image network are general, the high ones specific. | One frozen layer is more accurate than four frozen layers, and than one *untrained* layer, each with 90 labelled images of a digit. `vision_layers`. | 0.01 |
# | `pos-kept` | What ELMo finds near *play* in a sentence keeps its part of speech. | In both texts layer 2 keeps the part of speech more often than a static vector, and more often than the averaged static context. `pos_kept`. | 0.01 |
# | `stlr` | The slanted triangle is the best way to lower the learning rate. | On the questions (`qc`) the accuracy with `stlr` is above that with `constant`, with `linear` and with `cosine`. `ulmfit_schedules`. (On the headlines a bag of words does better than ULMFiT by ten points: a comparison there would mean nothing.) | 0.002 |
# | `masked-lm-is-cbow` | BERT's masked language model is CBOW over again. | Then CBOW does not fall behind in the XOR world. The rule of section 2 asks only whether one side is *above*, so ask that of CBOW's accuracy; it is more than the claim says (two equals come out as `contradicted`, although they would fit the claim: for “alike” the claim cards have another rule). `xor_world`. | 0.05 |
# | `causal-loses` | GPT leaves out what follows the word, and so loses where that decides. | With the cue on the right the masked LM is more accurate than the forward LM, with the cue on the left more accurate than the backward LM. `cue_worlds`. | 0.05 |
#
# `ledger` (first cell) is a dictionary from experiment to rows. Look: which metrics, models, conditions are
# there? `{(r["metric"], r["model"], r["condition"]) for r in ledger["xor_world"]}`.
#
# Write `ledger_check(claim, ledger)`. Return two things: the outcome, and the list of *all rows that it rests on,
# and no others*, as they stand in the ledger. When your work is marked, further ledgers come from other
# laboratories: the same columns, other numbers. So let your function judge by the rows. It may call your
# `outcome`.

# %% [markdown] key="ledger_check-task" lang="zh" follows="ed9b7e66"
# ## 4. 六个测过的说法（4 分）
#
# 六个说法都是用我们自己的话转述的。每个后面写明：拆成比较，它说的是什么；还有多大的差才算数，单位同记录里的一样。规则就是第 2 节的。
#
# | 键 | 说法 | 拆成比较 | 算数的差 |
# |---|---|---|---|
# | `similar-words` | 词一旦变成向量，找意思相近的词就很容易。 | CBOW 和 skip-gram 都是：与 SimLex-999（有多*相近*）的一致程度，高于与 WordSim-353（有多*相关*）的。实验 `cbow_or_skip_gram`。 | 0.05 |
# | `vision-layers` | 图像网络的低层通用，高层专门。 | 每个数字标注 90 张图时，冻结一层的准确率高于冻结四层的，也高于一层*未经训练*的。`vision_layers`。 | 0.01 |
# | `pos-kept` | ELMo 给句子里的 play 找到的近邻，词性相同。 | 两份文本里，第 2 层保住词性的比例都高于静态向量，也高于静态上下文平均。`pos_kept`。 | 0.01 |
# | `stlr` | 要降学习率，斜三角是最好的办法。 | 在问题分类（`qc`）上，用 `stlr` 的准确率高于 `constant`、`linear` 和 `cosine`。`ulmfit_schedules`。（新闻标题那一份，词袋比 ULMFiT 还高十个点，比了也没有意义。） | 0.002 |
# | `masked-lm-is-cbow` | BERT 的掩码语言模型，就是 CBOW 的翻版。 | 那么在异或世界里，CBOW 的准确率不会低于掩码模型。第 2 节的规则只会问“是不是更高”，这里就问 CBOW 是不是更高；这比说法本身要求得多（两者一样高也会判为 `contradicted`，其实那正合这个说法；“两者相同”一类的论断，卡片上另有规则）。`xor_world`。 | 0.05 |
# | `causal-loses` | GPT 不看下文，后文说了算的时候就吃亏。 | 线索在右边时，掩码语言模型的准确率高于前向语言模型；在左边时，高于后向语言模型。`cue_worlds`。 | 0.05 |
#
# `ledger`（第一个单元格）是一个字典，从实验名到记录。先看看里面有哪些指标、模型、条件：`{(r["metric"], r["model"], r["condition"]) for r in ledger["xor_world"]}`。
#
# 请写 `ledger_check(claim, ledger)`，返回两样东西：结果，以及*它所依据的全部记录，不多也不少*，原样照引。评分时还会换上别的实验室的账本：列相同，数字不同。所以要让函数根据记录来判。可以调用你写的 `outcome`。


# %% key="ledger_check" role="answer"
def ledger_check(claim, ledger):
    """Return an outcome and the rows behind it / 返回结果和它所依据的记录."""
    ### BEGIN SOLUTION
    same, hits = "same part of speech", "accuracy"
    one, four = "1 layers, 90 labels", "4 layers, 90 labels"
    experiment, of_interest, comparisons = {
        "similar-words": ("cbow_or_skip_gram", 0.05, [
            (("SimLex-999", model, ""), ("WordSim-353", model, ""))
            for model in ("CBOW", "skip-gram")]),
        "vision-layers": ("vision_layers", 0.01, [
            ((hits, "frozen", one), (hits, "frozen", four)),
            ((hits, "frozen", one), (hits, "untrained", one))]),
        "pos-kept": ("pos_kept", 0.01, [
            ((same, "layer 2", text), (same, rival, text))
            for text in ("masc_tagged", "zh_gsdsimp")
            for rival in ("static", "averaged static context")]),
        "stlr": ("ulmfit_schedules", 0.002, [
            ((hits, "ULMFiT", "qc: stlr"), (hits, "ULMFiT", f"qc: {other}"))
            for other in ("constant", "linear", "cosine")]),
        "masked-lm-is-cbow": ("xor_world", 0.05, [
            ((hits, "CBOW", "xor"), (hits, "masked LM", "xor"))]),
        "causal-loses": ("cue_worlds", 0.05, [
            ((hits, "masked LM", f"cue {side}"), (hits, f"{blind} LM", f"cue {side}"))
            for side, blind in (("right", "forward"), ("left", "backward"))]),
    }[claim]  # fmt: skip
    by_side = {}
    for row in ledger[experiment]:
        side = row["metric"], row["model"], row["condition"]
        by_side.setdefault(side, {})[row["seed"]] = row
    differences = [
        [
            by_side[new][seed]["value"] - by_side[old][seed]["value"]
            for seed in by_side[new]
            if seed in by_side[old]
        ]
        for new, old in comparisons
    ]
    sides = dict.fromkeys(side for pair in comparisons for side in pair)
    rows = [row for side in sides for row in by_side[side].values()]

    def significant(p):  # Holm: the k-th smallest of m is compared with 0.05 / (m - k)
        steps = np.sort(p) * np.arange(len(p), 0, -1)
        n = (np.maximum.accumulate(steps) < 0.05).sum()
        return np.argsort(np.argsort(p)) < n

    tests = [stats.ttest_1samp(d, 0) for d in differences]
    sure = significant([test.pvalue for test in tests])
    signs = sure * np.sign([test.statistic for test in tests])
    most = 2 * sure.sum() > len(sure)
    if sure.any():
        one_way = "contradicted" if -1 in signs else "reproduced"
        return (one_way if most and abs(signs.sum()) == sure.sum() else "mixed"), rows
    borders = [
        [stats.ttest_1samp(np.multiply(sign, d), of_interest, alternative="less")
         for sign in (1, -1)]
        for d in differences
    ]  # fmt: skip
    small = significant([max(test.pvalue for test in pair) for pair in borders])
    return ("contradicted" if 2 * small.sum() > len(small) else "cannot tell"), rows
    ### END SOLUTION


# %% key="test_ledger_check" role="test" points=4
from course_lib.grading import check

check("16.ledger_check", ledger_check)
### BEGIN HIDDEN TESTS
check("16.ledger_check", ledger_check, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="paper_check-task" lang="en"
# ## 5. Five claims about what is printed (4 points)
#
# Some claims need no experiment, only somebody who looks them up. `papers` (first cell) has the numbers of
# the ELMo paper's table 1 and some dates, as rows like
# `{"paper": "ELMo, table 1", "row": "SQuAD", "column": "baseline", "value": 81.1}`; a date is a number,
# year and month: 201802. ELMo was added to the authors' own `baseline`; `best before` is the best system
# of others. The *share of errors gone* is (with ELMo − baseline) / (100 − baseline).
#
# | key | the claim | rule | the number that decides |
# |---|---|---|---|
# | `snli-most-impressive` | Of ELMo's six gains the one on SNLI is the most impressive. | No other task gained more points, and none got rid of a larger share of errors: right. One of the two holds: imprecise. Else false. | how many other tasks got rid of a larger share of errors |
# | `up-to-25-percent` | ELMo raises results by up to 25 %. | On some task the *score* rose by more than 24.5 % of what it was: right. If not, but the *errors* fell by more than 24.5 %: imprecise. Else false. | the largest share of errors gone |
# | `over-the-best` | Simply adding ELMo gave the best models of the day a marked gain on all six tasks. | No baseline is below the best before: right. Some are, but with ELMo all six are above the best before: imprecise. Else false. | how many baselines are below the best before |
# | `naacl-march` | ELMo appeared in March 2018, at the NAACL conference. | The month of the conference is 201803: right, else false. | that month |
# | `gpt-pioneered` | The pioneer of fine-tuning a pre-trained language model is GPT. | No other of the fine-tuned language models is earlier: right, else false. | the month of the earliest |
#
# Write `paper_check(claim, papers)`. Return two things: is the claim, as it is told, right, imprecise or false; and the number that decides. Further
# checks bring other tables and dates (invented ones), again with the same names.

# %% [markdown] key="paper_check-task" lang="zh" follows="626c0c12"
# ## 5. 五个翻书就能查的说法（4 分）
#
# 有些说法用不着做实验，只要有人去查。`papers`（第一个单元格）里是 ELMo 论文表 1 的数字和一些日期，一行一个，例如 `{"paper": "ELMo, table 1", "row": "SQuAD", "column": "baseline", "value": 81.1}`；日期写成一个数，年和月：201802。ELMo 加在作者自己的 `baseline` 上；`best before` 是别人此前最好的系统。*错误减少的比例*是 (with ELMo − baseline) / (100 − baseline)。
#
# | 键 | 说法 | 规则 | 起决定作用的数 |
# |---|---|---|---|
# | `snli-most-impressive` | 六个任务里，ELMo 在 SNLI 上的提升最出彩。 | 没有别的任务点数涨得更多，也没有别的任务错误减少的比例更大：right。两条只成立一条：imprecise。否则 false。 | 错误减少的比例更大的任务有几个 |
# | `up-to-25-percent` | ELMo 把成绩最多提高了 25%。 | 有任务的*成绩*涨了不止原来的 24.5%：right。没有，但有任务的*错误*降了不止 24.5%：imprecise。否则 false。 | 错误减少的最大比例 |
# | `over-the-best` | 不用改别的，加上 ELMo，六个任务的顶尖模型就都上了一个台阶。 | 没有基线低于此前最好的：right。有，但加上 ELMo 之后六个都高于此前最好的：imprecise。否则 false。 | 低于此前最好的基线有几个 |
# | `naacl-march` | ELMo 是 2018 年 3 月在 NAACL 会议上发表的。 | 会议的年月是 201803：right，否则 false。 | 会议的年月 |
# | `gpt-pioneered` | 微调预训练语言模型，开创者是 GPT。 | 在微调过的语言模型里，没有比它更早的：right，否则 false。 | 最早的年月 |
#
# 请写 `paper_check(claim, papers)`，返回两样东西：这个说法照这样讲，是 right（属实）、imprecise（不够准确）还是 false（不属实）；以及起决定作用的数。评分时会换上别的表和日期（都是编的），名字不变。


# %% key="paper_check" role="answer"
def paper_check(claim, papers):
    """Return a verdict and the number behind it / 返回结论和起决定作用的数."""
    ### BEGIN SOLUTION
    of = {(p["paper"], p["row"], p["column"]): p["value"] for p in papers}
    tasks = [task for paper, task, column in of if column == "baseline"]
    best, old, new = (
        np.array([of["ELMo, table 1", task, column] for task in tasks])
        for column in ("best before", "baseline", "with ELMo")
    )
    points, gone, snli = new - old, (new - old) / (100 - old), tasks.index("SNLI")
    if claim == "snli-most-impressive":
        larger = sum(gone > gone[snli])
        first = [points[snli] == max(points), not larger]
        return ["false", "imprecise", "right"][sum(first)], larger
    if claim == "up-to-25-percent":
        lesser = "imprecise" if max(gone) > 0.245 else "false"
        return ("right" if max(points / old) > 0.245 else lesser), max(gone)
    if claim == "over-the-best":
        lesser = "imprecise" if all(new > best) else "false"
        return (lesser if any(old < best) else "right"), sum(old < best)
    if claim == "naacl-march":
        month = of["dates, ELMo", "NAACL", "month"]
        return ("right" if month == 201803 else "false"), month
    public = {row: v for (p, row, _), v in of.items() if p.endswith("language models")}
    first = min(public.values())
    return ("right" if public["GPT"] == first else "false"), first
    ### END SOLUTION


# %% key="test_paper_check" role="test" points=4
from course_lib.grading import check

check("16.paper_check", paper_check)
### BEGIN HIDDEN TESTS
check("16.paper_check", paper_check, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="overturn-question" lang="en"
# ## 6. Which outcome would you overturn? (written, 4 points)
#
# An outcome holds for what was measured: our models, our texts, our sizes. Choose one of the six measured
# claims whose outcome you believe to be another one elsewhere, and plan the experiment that would show
# it. 100 to 200 words. Points:
#
# 1. **Outcome and evidence** (1): the claim, its outcome here, and the comparison that decides it, with its interval and the number of seeds.
# 2. **Doubt** (1): a reason why the outcome may depend on something that the experiment kept fixed (size, text, language, rule, reader …).
# 3. **Experiment** (1): one that changes this and nothing else; models, data, metric, seeds, and what it would cost.
# 4. **Rule** (1): written before the run: which effect would matter, what would overturn the outcome, what would confirm it, and what would leave it open.

# %% [markdown] key="overturn-question" lang="zh" follows="92f3db8a"
# ## 6. 你想推翻哪一个结果？（笔答，4 分）
#
# 结果只对测过的东西成立：我们的模型、我们的文本、我们的规模。请从六个测过的说法里选一个，你相信换个地方结果就会不同，并设计能说明这一点的实验。200 到 350 字。评分点：
#
# 1. **结果与证据**（1 分）：是哪个说法，这里的结果是什么，由哪个比较决定，区间多大，几个种子。
# 2. **疑点**（1 分）：说出一条理由，为什么结果可能取决于实验里固定不变的某样东西（规模、文本、语言、规则、读出方式……）。
# 3. **实验**（1 分）：只改变这一样，别的不动；模型、数据、指标、种子数，要花多少代价。
# 4. **规则**（1 分）：运行之前写好：多大的效应才算数，什么算推翻，什么算证实，什么仍然悬而未决。

# %% [markdown] key="overturn-answer" lang="en" role="written" points=4
# *(A model of the form; take the numbers from your own `gap`.)* I choose `masked-lm-is-cbow`. In the XOR
# world CBOW's accuracy minus the masked model's lies wholly below 0 (ten seeds; here stands the interval that `gap` gives); so
# the claim is contradicted: a sum of vectors makes no exclusive or. My doubt: the world was built so that only
# the *pair* of cues decides. In ordinary text single words may fill most gaps, and CBOW may do nearly
# what a masked model does; the world is an extreme one. Experiment: the same two models
# on gaps of newspaper text, equally many questions answered, at 10,000, 100,000 and a million words; the metric is the
# accuracy at 2,000 unseen gaps; ten seeds, some hours on two cores. Only the text changes; its size is a second factor. Rule, before
# the run: a lead of 1 point would matter. The outcome is overturned where the masked model's lead is significantly
# below 1 point; it is confirmed where the lead is significantly above 1 point at every size; else it stays open. In lesson 15's
# ladder (80,000 words) it leads by 5.7 points: if it turns at all, then with less text.

# %% [markdown] key="overturn-answer" lang="zh" follows="7d614770"
# （这是写法的示范；数字请用你自己的 `gap` 算。）我选 `masked-lm-is-cbow`。在异或世界里，CBOW 的准确率减去掩码模型的，整个区间都小于 0（十个种子；这里写上 `gap` 给出的区间），所以结果是“相反”：向量相加做不出异或。我的疑点：这个世界是特意造的，只有*两个*线索合起来才定得下来。普通文本里，大多数空缺靠单个的词也许就能填上，那时 CBOW 可能和掩码模型差不多；实验里固定不变的正是这个世界，而它很极端。实验：同样两个模型，改用报纸文本的空缺，回答同样多的问题，文本量取一万、十万、一百万词；指标是两千个没见过的空缺上的准确率；十个种子，两个核几个小时。变的只有文本；文本量是第二个因素，分开报告。规则，运行前写好：领先 1 个点才算数。掩码模型的领先显著小于 1 个点，原结果就算推翻；各种大小上都显著大于 1 个点，就算证实；其余情况，仍然悬而未决。第 15 课的梯子（Brown，八万词）上它领先 5.7 个点，所以就算会翻转，也得文本更少才行。
