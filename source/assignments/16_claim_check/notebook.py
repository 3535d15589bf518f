# %% [markdown] key="title" lang="en"
# # Exercises 16 · Claim check
#
# Popular accounts say a lot about the models of this course. In this sheet you are the one who
# checks: five functions (17 points) and a written answer (4 points). Three functions are your
# tools: a difference with its interval, a rule that was fixed beforehand, and a test whether one
# seed decides. With the other two you judge eleven claims and cite what decides them. It belongs
# to no lesson of its own; do it after lesson 15. Every cell runs within seconds.
#
# Below each function stands a check. Run it as often as you like: it prints what passed
# and, where it can, names the mistake. When your work is marked, further checks run on
# fresh random inputs, so that a function which only knows the examples fails.
# If you are stuck, run `hint()`: it gives a nudge, then tells you where to look, then the
# idea with a small example. Neither hints nor what your functions print cost any points.
# There is no course package where answers are marked, so none may import it.

# %% [markdown] key="title" lang="zh" follows="cd223768"
# # 练习 16 · 查证说法
#
# 关于这门课里的模型，流行文章说了很多。这一次由你来查：五个函数（17 分），一道笔答（4 分）。前三个函数是工具：带区间的差，事先定好的规则，以及“结论是不是系于一个种子”。后两个函数用来判断十一个说法，并指出凭什么这样判。它不属于哪一课，学完第 15 课再做。每个单元格几秒内就能跑完。
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
# sides had the same data and the same luck. So the question “is B above A?” is asked within each
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

# %% [markdown] key="gap-task" lang="zh" follows="200577d0"
# ## 1. 逐个种子求差（3 分）
#
# 本课程的账本里，每测一个数就有一行：`{"seed": 1, "model": "A", "condition": "en", "metric": "F1", "value": 0.50}`。比较的一*侧*是一个三元组 `(metric, model, condition)`，每个种子一行。种子相同，两侧用的数据就相同，运气也相同。所以“B 高于 A 吗”要在每个种子里面问：
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

# %% [markdown] key="verdict-task" lang="en"
# ## 2. A rule that was fixed beforehand (3 points)
#
# A claim is cut into comparisons, each of the form “this side is above that one”. Whoever looks at the
# numbers first and chooses the rule afterwards can have any verdict. So here is the rule, before the
# numbers. A comparison is *surely above* if its whole interval is above 0, *surely below* if the whole interval is below
# 0, and undecided otherwise. Then, in this order:
#
# * `"untested"` if any comparison has fewer than `enough` seeds;
# * `"supported"` if all comparisons are surely above;
# * `"overstated"` if some are, but not all;
# * `"wrong"` if none is surely above, and at least one is surely below;
# * `"untested"` if nothing is decided.
#
# Example with `enough` = 5: the interval (0.01, 0.05) with 5 seeds alone is `"supported"`. With
# (−0.02, 0.04) beside it: `"overstated"`. (−0.02, 0.04) and (−0.06, −0.02): `"wrong"`. (−0.02, 0.04)
# alone: `"untested"`; and so is (0.01, 0.05) with 4 seeds.
#
# Write `verdict(gaps, enough)`. `gaps` is a list of what `gap` returns, one or more, each
# `(mean, low, high, seeds)`. Return one of the four words.

# %% [markdown] key="verdict-task" lang="zh" follows="3bb59943"
# ## 2. 事先定好的规则（3 分）
#
# 把一个说法拆成几个比较，每个都是“这一侧高于那一侧”。先看数字、再选规则的人，想要什么结论都能得到。所以规则先放在这里，数字后面再看。整个区间大于 0 的比较，叫*肯定高于*；整个区间小于 0 的，叫*肯定低于*；其余的定不下来。然后依次：
#
# * 有比较的种子不到 `enough` 个：`"untested"`（未检验）；
# * 所有比较都肯定高于：`"supported"`（站得住）；
# * 有的是，但不是全部：`"overstated"`（夸大）；
# * 没有一个肯定高于，至少有一个肯定低于：`"wrong"`（错误）；
# * 一个也定不下来：`"untested"`。
#
# 例：`enough` = 5。只有区间 (0.01, 0.05)，5 个种子：`"supported"`。旁边再加一个 (−0.02, 0.04)：`"overstated"`。(−0.02, 0.04) 和 (−0.06, −0.02)：`"wrong"`。只有 (−0.02, 0.04)：`"untested"`；(0.01, 0.05) 但只有 4 个种子，也是。
#
# 请写 `verdict(gaps, enough)`。`gaps` 是一个或多个 `gap` 的返回值组成的列表，每个是 `(mean, low, high, seeds)`。返回四个英文词之一。


# %% key="verdict" role="answer"
def verdict(gaps, enough):
    """Return one of the four words / 返回四个词之一."""
    ### BEGIN SOLUTION
    above = [low > 0 for _, low, _, _ in gaps]
    if any(seeds < enough for *_, seeds in gaps):
        return "untested"
    if any(above):
        return "supported" if all(above) else "overstated"
    return "wrong" if any(high < 0 for _, _, high, _ in gaps) else "untested"
    ### END SOLUTION


# %% key="test_verdict" role="test" points=3
from course_lib.grading import check

check("16.verdict", verdict)
### BEGIN HIDDEN TESTS
check("16.verdict", verdict, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="flips-task" lang="en"
# ## 3. Does one seed decide? (3 points)
#
# Five seeds gave a verdict. Had one of them not been drawn, would it be the same? If not, the verdict is
# *unstable*, and its card must say so.
#
# Example: with seeds 4, 9, 2, 7, 5 B is ahead by 0.02, 0.03, 0.03, 0.02, −0.01. The interval of all five
# contains 0. Without seed 5 it is from 0.016 to 0.034, above 0; without any other it still contains 0.
# So the answer is `[5]`. (It is no reason to throw seed 5 away! It is a reason to measure more.)
#
# Write `flips(rows, rule)`. `rows` are rows as in section 1. `rule` is a function that takes such rows and returns a
# word; it asks for no smallest number of seeds. Return the list of the seeds without which `rule` returns
# another word than with all of them, in ascending order; it may be empty.

# %% [markdown] key="flips-task" lang="zh" follows="c94b8c1a"
# ## 3. 一个种子就能定吗？（3 分）
#
# 五个种子得出一个结论。假如其中一个没有抽到，结论还一样吗？要是不一样，这个结论就*不稳*，卡片上必须写明。
#
# 例：种子 4、9、2、7、5，B 领先 0.02、0.03、0.03、0.02、−0.01。五个一起，区间包含 0。去掉种子 5，区间是 0.016 到 0.034，大于 0；去掉别的任何一个，区间仍包含 0。所以答案是 `[5]`。（这可不是扔掉种子 5 的理由！而是多测一些的理由。）
#
# 请写 `flips(rows, rule)`。`rows` 和第 1 节的一样。`rule` 是一个函数，给它记录，它返回一个词；它不管种子够不够。返回一个列表：去掉哪些种子，`rule` 返回的词就和用全部种子时不同，从小到大排；列表可以是空的。


# %% key="flips" role="answer"
def flips(rows, rule):
    """Return the seeds that decide alone / 返回能左右结论的种子."""
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
# All six are told in our words. Behind each stands what it says as comparisons; the rule is that of
# section 2, with `enough` = 5.
#
# | key | the claim | in comparisons |
# |---|---|---|
# | `similar-words` | Turn words into vectors, and words of similar meaning are found easily. | For CBOW and for skip-gram: the agreement with SimLex-999 (is it *alike*?) is above 0, and above that with WordSim-353 (is it *related*?). Experiment `cbow_or_skip_gram`. |
# | `sgns-language-model` | Word2vec learns its vectors with a language model. | Then it should predict the next word: the *bigram*'s perplexity is above skip-gram's, in both ways to make probabilities of its scores. `glove_is_a_language_model`. |
# | `pos-kept` | What ELMo finds near *play* in a sentence keeps its part of speech. | In both texts layer 2 keeps the part of speech more often than a static vector, and more often than the averaged static context. `pos_kept`. |
# | `grammar-meaning-common-sense` | Who wants to predict the next word well must come to know grammar, meaning and the world. | Both language models have more than 0.75 of the pairs right, in each of the three. `minimal_pairs`. |
# | `masked-lm-is-cbow` | BERT's masked language model is CBOW over again. | Then CBOW can do what the masked model can: in the XOR world its accuracy is above 0.9. `xor_world`. |
# | `causal-loses` | GPT leaves out what follows the word, and so loses where that decides. | With the cue on the right, the masked LM is more accurate than the forward LM. `cue_worlds`. |
#
# `ledger` (first cell) is a dictionary from experiment to rows. Look: which metrics, models, conditions are
# there? `{(r["metric"], r["model"], r["condition"]) for r in ledger["xor_world"]}`.
#
# Write `ledger_check(claim, ledger)`. Return two things: the verdict, and the list of *all rows that it rests on,
# and no others*, as they stand in the ledger. When your work is marked, further ledgers come from other
# laboratories: the same columns, other numbers. So let your function judge by the rows. It may call your
# `gap` and `verdict`.

# %% [markdown] key="ledger_check-task" lang="zh" follows="627f826d"
# ## 4. 六个测过的说法（4 分）
#
# 六个说法都是用我们自己的话转述的。每个后面写明：拆成比较，它说的是什么。规则就是第 2 节的，`enough` = 5。
#
# | 键 | 说法 | 拆成比较 |
# |---|---|---|
# | `similar-words` | 词一旦变成向量，找意思相近的词就很容易。 | CBOW 和 skip-gram 都是：与 SimLex-999（有多*相近*）的一致程度高于 0，也高于与 WordSim-353（有多*相关*）的。实验 `cbow_or_skip_gram`。 |
# | `sgns-language-model` | word2vec 是用语言模型来学词向量的。 | 那它就该会猜下一个词：*二元模型*的困惑度高于 skip-gram 的，把分数变成概率的两种办法都要成立。`glove_is_a_language_model`。 |
# | `pos-kept` | ELMo 给句子里的 play 找到的近邻，词性相同。 | 两份文本里，第 2 层保住词性的比例都高于静态向量，也高于静态上下文平均。`pos_kept`。 |
# | `grammar-meaning-common-sense` | 要猜好下一个词，就非得懂语法、懂语义、懂常识不可。 | 两个语言模型在三类题上，答对的比例都高于 0.75。`minimal_pairs`。 |
# | `masked-lm-is-cbow` | BERT 的掩码语言模型，就是 CBOW 的翻版。 | 那么掩码模型能做到的，CBOW 也能：在异或世界里，CBOW 的准确率高于 0.9。`xor_world`。 |
# | `causal-loses` | GPT 不看下文，后文说了算的时候就吃亏。 | 线索在右边时，掩码语言模型的准确率高于前向语言模型。`cue_worlds`。 |
#
# `ledger`（第一个单元格）是一个字典，从实验名到记录。先看看里面有哪些指标、模型、条件：`{(r["metric"], r["model"], r["condition"]) for r in ledger["xor_world"]}`。
#
# 请写 `ledger_check(claim, ledger)`，返回两样东西：结论，以及*它所依据的全部记录，不多也不少*，原样照引。评分时还会换上别的实验室的账本：列相同，数字不同。所以要让函数根据记录来判。可以调用你写的 `gap` 和 `verdict`。


# %% key="ledger_check" role="answer"
def ledger_check(claim, ledger):
    """Return a verdict and the rows behind it / 返回结论和它所依据的记录."""
    ### BEGIN SOLUTION
    same, texts = "same part of speech", ("masc_tagged", "zh_gsdsimp")
    loss, hits, share = "perplexity", "accuracy", 0.75
    alike = [("SimLex-999", model, "") for model in ("CBOW", "skip-gram")]
    related = [("WordSim-353", model, "") for _, model, _ in alike]
    experiment, comparisons = {
        "similar-words": (
            "cbow_or_skip_gram",
            [(a, 0) for a in alike] + list(zip(alike, related, strict=True)),
        ),
        "sgns-language-model": (
            "glove_is_a_language_model",
            [
                ((loss, "bigram", ""), (loss, "skip-gram", how))
                for how in ("softmax", "softmax and noise")
            ],
        ),
        "pos-kept": (
            "pos_kept",
            [
                ((same, "layer 2", text), (same, rival, text))
                for text in texts
                for rival in ("static", "averaged static context")
            ],
        ),
        "grammar-meaning-common-sense": (
            "minimal_pairs",
            [
                (("right", f"awdlstm-{language}", ability), share)
                for language in ("en", "zh")
                for ability in ("grammar", "meaning", "common sense")
            ],
        ),
        "masked-lm-is-cbow": ("xor_world", [((hits, "CBOW", "xor"), 0.9)]),
        "causal-loses": (
            "cue_worlds",
            [((hits, "masked LM", "cue right"), (hits, "forward LM", "cue right"))],
        ),
    }[claim]
    by_side = {}
    for row in ledger[experiment]:
        side = row["metric"], row["model"], row["condition"]
        by_side.setdefault(side, {})[row["seed"]] = row
    found, cited = [], {}
    for new, old in comparisons:
        a, b = by_side[new], by_side.get(old)
        seeds = [seed for seed in a if b is None or seed in b]
        d = [a[s]["value"] - (old if b is None else b[s]["value"]) for s in seeds]
        test = stats.ttest_1samp(d, np.mean(d))  # 95 %; the same for any other mean
        ends = sum(np.sign(test.confidence_interval()))
        place = {2: "above", -2: "below"}.get(ends, "around")
        found.append("few" if len(d) < 5 else place)
        cited |= {new: a} if b is None else {new: a, old: b}
    rows = [row for side in cited.values() for row in side.values()]
    if "few" in found or set(found) == {"around"}:
        return "untested", rows
    if "above" in found:
        return ("supported" if set(found) == {"above"} else "overstated"), rows
    return "wrong", rows
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
# | `snli-most-impressive` | Of ELMo's six gains the one on SNLI is the most impressive. | No other task gained more points, and none got rid of a larger share of errors: supported. One of the two holds: overstated. Else wrong. | how many other tasks got rid of a larger share of errors |
# | `up-to-25-percent` | ELMo raises results by up to 25 %. | On some task the *score* rose by more than 24.5 % of what it was: supported. If not, but the *errors* fell by more than 24.5 %: overstated. Else wrong. | the largest share of errors gone |
# | `over-the-best` | Simply adding ELMo gave the best models of the day a marked gain on all six tasks. | No baseline is below the best before: supported. Some are, but with ELMo all six are above the best before: overstated. Else wrong. | how many baselines are below the best before |
# | `naacl-march` | ELMo appeared in March 2018, at the NAACL conference. | The month of the conference is 201803: supported, else wrong. | that month |
# | `gpt-pioneered` | The pioneer of fine-tuning a pre-trained language model is GPT. | No other of the fine-tuned language models is earlier: supported, else wrong. | the month of the earliest |
#
# Write `paper_check(claim, papers)`. Return two things: the verdict, and the number that decides. Further
# checks bring other tables and dates (invented ones), again with the same names.

# %% [markdown] key="paper_check-task" lang="zh" follows="3f747e52"
# ## 5. 五个翻书就能查的说法（4 分）
#
# 有些说法用不着做实验，只要有人去查。`papers`（第一个单元格）里是 ELMo 论文表 1 的数字和一些日期，一行一个，例如 `{"paper": "ELMo, table 1", "row": "SQuAD", "column": "baseline", "value": 81.1}`；日期写成一个数，年和月：201802。ELMo 加在作者自己的 `baseline` 上；`best before` 是别人此前最好的系统。*错误减少的比例*是 (with ELMo − baseline) / (100 − baseline)。
#
# | 键 | 说法 | 规则 | 起决定作用的数 |
# |---|---|---|---|
# | `snli-most-impressive` | 六个任务里，ELMo 在 SNLI 上的提升最出彩。 | 没有别的任务点数涨得更多，也没有别的任务错误减少的比例更大：supported。两条只成立一条：overstated。否则 wrong。 | 错误减少的比例更大的任务有几个 |
# | `up-to-25-percent` | ELMo 把成绩最多提高了 25%。 | 有任务的*成绩*涨了不止原来的 24.5%：supported。没有，但有任务的*错误*降了不止 24.5%：overstated。否则 wrong。 | 错误减少的最大比例 |
# | `over-the-best` | 不用改别的，加上 ELMo，六个任务的顶尖模型就都上了一个台阶。 | 没有基线低于此前最好的：supported。有，但加上 ELMo 之后六个都高于此前最好的：overstated。否则 wrong。 | 低于此前最好的基线有几个 |
# | `naacl-march` | ELMo 是 2018 年 3 月在 NAACL 会议上发表的。 | 会议的年月是 201803：supported，否则 wrong。 | 会议的年月 |
# | `gpt-pioneered` | 微调预训练语言模型，开创者是 GPT。 | 在微调过的语言模型里，没有比它更早的：supported，否则 wrong。 | 最早的年月 |
#
# 请写 `paper_check(claim, papers)`，返回两样东西：结论，和起决定作用的数。评分时会换上别的表和日期（都是编的），名字不变。


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
        return ["wrong", "overstated", "supported"][sum(first)], larger
    if claim == "up-to-25-percent":
        lesser = "overstated" if max(gone) > 0.245 else "wrong"
        return ("supported" if max(points / old) > 0.245 else lesser), max(gone)
    if claim == "over-the-best":
        lesser = "overstated" if all(new > best) else "wrong"
        return (lesser if any(old < best) else "supported"), sum(old < best)
    if claim == "naacl-march":
        month = of["dates, ELMo", "NAACL", "month"]
        return ("supported" if month == 201803 else "wrong"), month
    public = {row: v for (p, row, _), v in of.items() if p.endswith("language models")}
    first = min(public.values())
    return ("supported" if public["GPT"] == first else "wrong"), first
    ### END SOLUTION


# %% key="test_paper_check" role="test" points=4
from course_lib.grading import check

check("16.paper_check", paper_check)
### BEGIN HIDDEN TESTS
check("16.paper_check", paper_check, hidden=True)
### END HIDDEN TESTS

# %% [markdown] key="overturn-question" lang="en"
# ## 6. Which verdict would you overturn? (written, 4 points)
#
# A verdict holds for what was measured: our models, our texts, our sizes. Choose one of the six measured
# claims whose verdict you believe to be another one elsewhere, and plan the experiment that would show
# it. 100 to 180 words. Points:
#
# 1. **Verdict and evidence** (1): the claim, its verdict here, and the comparison that decides it, with its interval and the number of seeds.
# 2. **Doubt** (1): a reason why the verdict may depend on something that the experiment kept fixed (size, text, language, rule, reader …).
# 3. **Experiment** (1): one that changes this and nothing else; models, data, metric, seeds, and what it would cost.
# 4. **Rule** (1): written before the run: which interval would overturn the verdict, which would confirm it, and what would leave it open.

# %% [markdown] key="overturn-question" lang="zh" follows="044c5bc7"
# ## 6. 你想推翻哪一个结论？（笔答，4 分）
#
# 结论只对测过的东西成立：我们的模型、我们的文本、我们的规模。请从六个测过的说法里选一个，你相信换个地方结论就会不同，并设计能说明这一点的实验。200 到 350 字。评分点：
#
# 1. **结论与证据**（1 分）：是哪个说法，这里的结论是什么，由哪个比较决定，区间多大，几个种子。
# 2. **疑点**（1 分）：说出一条理由，为什么结论可能取决于实验里固定不变的某样东西（规模、文本、语言、规则、读出方式……）。
# 3. **实验**（1 分）：只改变这一样，别的不动；模型、数据、指标、种子数，要花多少代价。
# 4. **规则**（1 分）：运行之前写好：什么样的区间算推翻，什么样的算证实，什么样的仍然悬而未决。

# %% [markdown] key="overturn-answer" lang="en" role="written" points=4
# *(A model of the form; take the numbers from your own `gap`.)* I choose `masked-lm-is-cbow`. In the XOR
# world CBOW's accuracy less 0.9 lies wholly below 0 (5 seeds; here stands the interval that `gap` gives); so
# the claim is refuted: a sum of vectors makes no exclusive or. My doubt: the world was built so that only
# the *pair* of cues decides. In ordinary text single words may fill most gaps, and CBOW may do nearly
# what a masked model does; the world is an extreme one. Experiment: the same two models
# on gaps of newspaper text, equally many questions answered, at 10,000, 100,000 and a million words; the metric is the
# accuracy at 2,000 unseen gaps; ten seeds, some hours on two cores. Only the text and its size change. Rule, before
# the run: the verdict is overturned where the masked model's lead over CBOW is wholly below 1 point; it is
# confirmed where the lead is wholly above 1 point at every size; else it stays open. In lesson 15's
# ladder (80,000 words) it leads by 5.9 points: if it turns at all, then with less text.

# %% [markdown] key="overturn-answer" lang="zh" follows="adc22804"
# （这是写法的示范；数字请用你自己的 `gap` 算。）我选 `masked-lm-is-cbow`。在异或世界里，CBOW 的准确率减去 0.9，整个区间都小于 0（5 个种子；这里写上 `gap` 给出的区间），所以这个说法被推翻了：向量相加做不出异或。我的疑点：这个世界是特意造的，只有*两个*线索合起来才定得下来。普通文本里，大多数空格靠单个的词也许就能填上，那时 CBOW 可能和掩码模型差不多；实验里固定不变的正是这个世界，而它很极端。实验：同样两个模型，改用报纸文本的空格，回答同样多的问题，文本量取一万、十万、一百万词；指标是两千个没见过的空格上的准确率；十个种子，两个核几个小时。变的只有文本和它的大小。规则，运行前写好：掩码模型比 CBOW 领先的幅度，整个区间小于 1 个点，原结论就算推翻；各种大小上整个区间都大于 1 个点，就算证实；其余情况，仍然悬而未决。第 15 课的梯子（Brown，八万词）上它领先 5.9 个点，所以就算会翻转，也得文本更少才行。
