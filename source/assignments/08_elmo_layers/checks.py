"""The checks of assignment 08, what the layers know, and the mistakes that people make.

What is right is computed the slow way, occurrence by occurrence and pair by pair; the
options of these functions make the mistakes.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np

from course_lib.grading.checks import Mistake, Task

LEAKS = Task("08.leaks")
SELECTIVITY = Task("08.selectivity")
SENSES = Task("08.name_senses")
BEYOND = Task("08.beyond")
REPORT = Task("08.oov_report")
TASKS = {task.name: task for task in (LEAKS, SELECTIVITY, SENSES, BEYOND, REPORT)}


# 1. What is on both sides of a split?


def overlap(train, test, of=lambda train, test: test, column=lambda tokens, k: tokens):
    """Return both shares; the options make mistakes. Shape: (2,)."""
    found = []
    for k in (0, 1):
        seen = {token[k] for token in train}
        asked = column(of(train, test), k)
        found.append(sum(token[k] in seen for token in asked) / len(asked))
    return np.array(found)


def one_of_each(tokens, k):
    return list({token[k]: token for token in tokens}.values())


def tokens_of(rng: np.random.Generator, sentences, words: int, length: int) -> list:
    """Write sentences of random words, as (sentence number, word)."""
    names = [f"w{i}" for i in range(words)]
    share = 1 / np.arange(1, words + 1)
    return [
        (int(s), str(rng.choice(names, p=share / share.sum())))
        for s in sentences
        for _ in range(rng.integers(2, length))
    ]


def halves(rng: np.random.Generator, by: str) -> tuple:
    """Split a text by token, by sentence or by word, or half of each."""
    text = tokens_of(rng, range(1, 9), words=12, length=9)
    side = {"token": range(len(text)), "sentence": [s for s, _ in text],
            "word": [w for _, w in text]}[by]  # fmt: skip
    train = {key: rng.random() < 0.6 for key in dict.fromkeys(side)}
    train[side[0]], train[side[-1]] = True, False
    both = list(zip(text, side, strict=True))
    parts = [[token for token, key in both if train[key] == keep] for keep in (1, 0)]
    return tuple(parts), overlap(*parts)


@LEAKS.check("the example", "题中的例子")
def example_leaks(answer: Callable, rng: np.random.Generator) -> None:
    train = [(1, "the"), (1, "river"), (2, "the"), (2, "bank")]
    test = [(2, "bank"), (2, "closed"), (3, "the"), (3, "old"), (3, "river")]
    LEAKS.compare(answer, [((train, test), (2 / 5, 3 / 5))])


@LEAKS.check("three ways to split", "三种划分")
def three_splits(answer: Callable, rng: np.random.Generator) -> None:
    ways = ("token", "sentence", "word", "token")
    LEAKS.compare(answer, [halves(rng, by) for by in ways])
    inside = [(1, "bank"), (1, "rivers")], [(2, "river"), (2, "ban")]  # parts of words
    LEAKS.compare(answer, [(inside, (0, 0))])


@LEAKS.check("random splits", "随机的划分", hidden=True)
def random_splits(answer: Callable, rng: np.random.Generator) -> None:
    LEAKS.compare(answer, [halves(rng, "token") for _ in range(6)])


LEAKS.mistakes += [
    Mistake(
        "of_the_training",
        "These are shares of the training tokens; we ask about those of the test.",
        "这是占训练部分的比例；要问的是测试部分。",
        lambda train, test: overlap(test, train),
    ),
    Mistake(
        "of_kinds",
        "You count different sentences and different words; count tokens, every one.",
        "你数的是不同的句子和不同的词；应当数每一个词次。",
        partial(overlap, column=one_of_each),
    ),
    Mistake(
        "of_kinds_of_words",
        "For the words you count different ones; count tokens, as for the sentences.",
        "数词的时候你只数了不同的词；应当和句子一样，数每一个词次。",
        partial(overlap, column=lambda of, k: one_of_each(of, k) if k else of),
    ),
    Mistake(
        "of_sentences",
        "The first share is one of sentences, long or short. Count tokens.",
        "第一个比例你按句子数了；长句子的词次更多，应当数词次。",
        partial(overlap, column=lambda of, k: of if k else one_of_each(of, k)),
    ),
    Mistake(
        "same_pairs",
        "You look for the same word *in the same sentence*. These are two questions: "
        "is the sentence in training, and is the word, wherever it stands?",
        "你找的是*同一句里*的同一个词。这是两个问题：句子在不在训练部分？"
        "词在不在（不管在哪一句）？",
        lambda train, test: [np.mean([token in train for token in test])] * 2,
    ),
    Mistake(
        "swapped_shares",
        "The two shares are swapped: first the sentences, then the words.",
        "两个比例的次序反了：先是句子，后是词。",
        lambda *case: overlap(*case)[::-1],
    ),
    Mistake(
        "clean_shares",
        "These are the shares that do *not* leak.",
        "这是*没有*泄漏的比例。",
        lambda *case: 1 - overlap(*case),
    ),
    Mistake(
        "how_many",
        "These are numbers of tokens; divide by the number of test tokens.",
        "这是个数；要除以测试部分的词次总数。",
        lambda train, test: overlap(train, test) * len(test),
    ),
    Mistake(
        "either_of_the_two",
        "The second share also has tokens of which only the *sentence* is in training; "
        "it is about the word alone.",
        "第二个比例把只有*句子*出现过的词次也算了进去；它只问词。",
        lambda train, test: [
            overlap(train, test)[0],
            np.mean([any(s == i or w == v for i, v in train) for s, w in test]),
        ],
    ),
]


# 2. A probe that only remembers


def commonest(labels):
    return Counter(labels).most_common(1)[0][0]


def remembered(
    learned, asked, best=commonest, unknown=lambda labels, kinds: commonest(labels)
):
    """Return the share of right answers of a memory; None as an answer is left out."""
    seen: dict = {}
    for word, label in learned:
        seen.setdefault(word, []).append(label)
    labels = [label for _, label in learned]
    other = unknown(labels, [best(of) for of in seen.values()])
    told = [(best(seen[w]) if w in seen else other, right) for w, right in asked]
    told = [(answer, right) for answer, right in told if answer is not None]
    return float(np.mean([answer == right for answer, right in told])) if told else 0.0


def both_tasks(
    train, test, lot, control=None, result=lambda a, c: (a, c, a - c), **options
):
    """Return accuracy, control and selectivity; the options make mistakes."""
    drawn = [[(word, lot[word]) for word, _ in part] for part in (train, test)]
    learned, asked = (control or (lambda *parts: parts[2:]))(train, test, *drawn)
    task = remembered(train, test, **options)
    return np.array(result(task, remembered(learned, asked, **options)))


def tagged_text(rng: np.random.Generator, words: int, tokens: int) -> tuple:
    """Return a case without ties: tags of each word, and tags drawn for each word."""
    tags, names = ["NOUN", "VERB", "ADJ"], [f"w{i}" for i in range(words)]
    while True:
        share = 1 / np.arange(1, words + 1)
        likely = {w: rng.random(3) ** 4 for w in names}
        drawn = rng.choice(names, size=tokens, p=share / share.sum()).tolist()
        text = [
            (w, str(rng.choice(tags, p=likely[w] / likely[w].sum()))) for w in drawn
        ]
        lot = {w: str(rng.choice(tags)) for w in names}
        train, test = text[: tokens // 2], text[tokens // 2 :]
        met = {w for w, _ in train}
        unknown = [w for w, _ in test if w not in met]
        groups = [[t for v, t in train if v == w] for w in met]
        groups += [[t for _, t in train], [lot[w] for w, _ in train]]
        ties = [c[0][1] == c[1][1] for of in groups
                if len(c := Counter(of).most_common(2)) > 1]  # fmt: skip
        if len(unknown) > 1 and not any(ties):
            return (train, test, lot), both_tasks(train, test, lot)


@SELECTIVITY.check("the example", "题中的例子")
def example_selectivity(answer: Callable, rng: np.random.Generator) -> None:
    train = [
        ("the", "DET"), ("play", "NOUN"), ("play", "VERB"), ("play", "NOUN"),
        ("they", "PRON"), ("run", "VERB"), ("a", "DET"), ("walk", "NOUN"),
    ]  # fmt: skip
    test = [("the", "DET"), ("play", "VERB"), ("they", "PRON"), ("dance", "NOUN")]
    lot = {"the": "VERB", "play": "DET", "they": "NOUN", "run": "VERB", "a": "NOUN",
           "walk": "PRON", "dance": "NOUN"}  # fmt: skip
    SELECTIVITY.compare(answer, [((train, test, lot), (3 / 4, 3 / 4, 0))])


@SELECTIVITY.check("other texts", "别的文本")
def other_tagged(answer: Callable, rng: np.random.Generator) -> None:
    SELECTIVITY.compare(answer, [tagged_text(rng, 12, n) for n in (30, 40, 50, 60)])


@SELECTIVITY.check("random texts", "随机的文本", hidden=True)
def random_tagged(answer: Callable, rng: np.random.Generator) -> None:
    SELECTIVITY.compare(answer, [tagged_text(rng, 15, 50) for _ in range(6)])


SELECTIVITY.mistakes += [
    Mistake(
        "read_the_test",
        "The memory has read the test, too. It learns from the training tokens alone.",
        "你的记忆连测试部分也读了。它只能从训练部分学。",
        lambda train, test, lot: both_tasks([*train, *test], test, lot),
    ),
    Mistake(
        "control_not_learned",
        "For the control you keep the memory of the true tags. The control is a task "
        "of its own: learn the drawn tags, then ask for the drawn tags.",
        "做对照任务时，你用的还是真词性的记忆。对照是另一个任务："
        "先学抽签的词性，再问抽签的词性。",
        partial(both_tasks, control=lambda train, test, a, b: (train, b)),
    ),
    Mistake(
        "control_asked_for_truth",
        "In the control the right answers are the drawn tags, in the test as well.",
        "在对照任务里，测试时的正确答案也是抽签的词性。",
        partial(both_tasks, control=lambda train, test, a, b: (a, test)),
    ),
    Mistake(
        "unknown_is_wrong",
        "A word that training lacks gets the commonest tag of all training tokens; "
        "that may be right.",
        "训练里没有的词，答全部训练词次中最常见的词性；这也可能答对。",
        partial(both_tasks, unknown=lambda labels, kinds: ""),
    ),
    Mistake(
        "unknown_left_out",
        "You leave out words that training lacks. All test tokens count.",
        "训练里没有的词被你略过了。测试里的每个词次都要算。",
        partial(both_tasks, unknown=lambda labels, kinds: None),
    ),
    Mistake(
        "last_tag",
        "You remember a word's last tag; it is its commonest one in training.",
        "你记的是一个词最后一次的词性；应当是它在训练里最常见的词性。",
        partial(both_tasks, best=lambda labels: labels[-1]),
    ),
    Mistake(
        "first_tag",
        "You remember a word's first tag; it is its commonest one in training.",
        "你记的是一个词第一次的词性；应当是它在训练里最常见的词性。",
        partial(both_tasks, best=lambda labels: labels[0]),
    ),
    Mistake(
        "reversed_difference",
        "Selectivity is the accuracy minus the control, not the reverse.",
        "选择性是准确率减去对照任务的准确率，不是反过来。",
        partial(both_tasks, result=lambda a, c: (a, c, c - a)),
    ),
    Mistake(
        "a_ratio",
        "Selectivity is a difference, not a ratio.",
        "选择性是差，不是比。",
        partial(both_tasks, result=lambda a, c: (a, c, a / c)),
    ),
]


# 3. The nearest labelled sentence, and the first sense


def cosines(rows, vector):
    return rows @ vector / np.linalg.norm(rows, axis=1)


def named(
    x, labelled, asked, words, first, alike=cosines,
    pool=lambda labelled, word: [i for i, (w, _) in enumerate(labelled) if w == word],
    back_off=lambda word, first, labelled: first[word],
    choose=lambda similar, senses, rows, alike, vector: senses[int(np.argmax(similar))],
):  # fmt: skip
    """Name senses one by one; the options make mistakes. Shape: (M,)."""
    found = []
    for vector, word in zip(asked, words, strict=True):
        here = pool(labelled, word)
        if not here:
            found.append(back_off(word, first, labelled))
            continue
        senses, rows = [labelled[i][1] for i in here], x[here]
        found.append(choose(alike(rows, vector), senses, rows, alike, vector))
    return np.array(found)


def by_mean(similar, senses, rows, alike, vector):
    names, label = sorted(set(senses)), np.array(senses)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    means = np.stack([unit[label == sense].mean(axis=0) for sense in names])
    return names[int(np.argmax(alike(means, vector)))]


def contexts(rng: np.random.Generator, N: int, M: int, D: int) -> tuple:
    """Return a case: vectors of different lengths, one word without a label."""
    names = ["bank", "play", "spring"]
    words = [str(w) for w in rng.choice(names, size=N)]
    labelled = [(w, int(rng.integers(1, 4))) for w in words]
    x, asked = (rng.normal(size=(n, D)) * rng.uniform(0.3, 4, (n, 1)) for n in (N, M))
    shift = rng.normal(size=D)  # all point a little the same way, as in a real layer
    chosen = [str(w) for w in rng.choice([*names, "star"], size=M)]
    chosen[0] = "star"
    first = {w: int(rng.integers(1, 4)) for w in (*names, "star")}
    case = x + shift, labelled, asked + shift, chosen, first
    return case, named(*case)


@SENSES.check("the example", "题中的例子")
def example_senses(answer: Callable, rng: np.random.Generator) -> None:
    x = np.array([[3.0, 1], [0, 1], [1, 1], [2, 5]])
    labelled = [("bank", 1), ("bank", 2), ("play", 3), ("bank", 2)]
    asked, words = np.array([[2.0, 1], [4, 4], [9, 9]]), ["bank", "play", "star"]
    first = {"bank": 1, "play": 1, "star": 2}
    away = -x  # all cosines are negative
    SENSES.compare(
        answer,
        [
            ((x, labelled, asked, words, first), (1, 3, 2)),
            ((away, labelled, asked, words, first), (2, 3, 2)),
        ],
    )


@SENSES.check("vectors of different lengths", "长短不一的向量")
def lengths_differ(answer: Callable, rng: np.random.Generator) -> None:
    SENSES.compare(answer, [contexts(rng, N, 12, 3) for N in (9, 15, 20, 25)])


@SENSES.check("random sentences", "随机的句子", hidden=True)
def random_contexts(answer: Callable, rng: np.random.Generator) -> None:
    SENSES.compare(answer, [contexts(rng, 20, 15, D) for D in (2, 3, 4, 5)])


def more_than_zero(x, labelled, asked, words, first):
    """Back off as well where no cosine is above 0."""
    found = named(x, labelled, asked, words, first)
    for m, (vector, word) in enumerate(zip(asked, words, strict=True)):
        here = [i for i, (w, _) in enumerate(labelled) if w == word]
        if here and cosines(x[here], vector).max() <= 0:
            found[m] = first[word]
    return found


SENSES.mistakes += [
    Mistake(
        "more_than_zero",
        "Your search for the largest cosine begins at 0, but all may be negative: "
        "begin at −∞. Only a word without a labelled sentence backs off.",
        "你找最大的余弦是从 0 开始的，可是它们可能全为负：要从 −∞ 开始。"
        "一句标注也没有的词才答第一义项。",
        more_than_zero,
    ),
    Mistake(
        "any_word",
        "You ask sentences of other words, too. Sense 1 of one word is not sense 1 of "
        "another: ask only sentences of the same word.",
        "你连别的词的句子也问了。这个词的义项 1 和那个词的义项 1 不是一回事："
        "只能问同一个词的句子。",
        partial(named, pool=lambda labelled, word: range(len(labelled))),
    ),
    Mistake(
        "dot_products",
        "You compare dot products; a long vector then wins. Compare cosines.",
        "你比的是点积，长的向量占便宜。应当比余弦。",
        partial(named, alike=lambda rows, v: rows @ v),
    ),
    Mistake(
        "distances",
        "You compare Euclidean distances. Vectors differ in length; compare cosines.",
        "你比的是欧氏距离。向量有长有短，应当比余弦。",
        partial(named, alike=lambda rows, v: -np.linalg.norm(rows - v, axis=1)),
    ),
    Mistake(
        "no_back_off",
        "A word without a labelled sentence gets its *first* sense, not that of the "
        "nearest sentence of another word.",
        "一句标注也没有的词，应当答它的*第一义项*，而不是去问别的词的句子。",
        partial(named, pool=lambda labelled, word: (
            [i for i, (w, _) in enumerate(labelled) if w == word]
            or range(len(labelled)))),
    ),
    Mistake(
        "always_first",
        "You always answer with the first sense. That is the way out only for words "
        "without a labelled sentence.",
        "你总答第一义项。只有一句标注也没有的词才这样答。",
        lambda x, labelled, asked, words, first: np.array([first[w] for w in words]),
    ),
    Mistake(
        "farthest",
        "This is the sense of the *farthest* sentence: a large cosine is near.",
        "这是*最远*的句子的义项：余弦越大越近。",
        partial(named, alike=lambda rows, v: -cosines(rows, v)),
    ),
    Mistake(
        "by_centroids",
        "You compare with the mean of each sense. That is the paper's way; here ask "
        "the single nearest sentence.",
        "你比的是各义项的平均。那是论文的做法；这里要问最近的那一句。",
        partial(named, choose=by_mean),
    ),
    Mistake(
        "back_off_to_commonest",
        "Without a labelled sentence you take the commonest label of all words; take "
        "the word's own first sense.",
        "没有标注时，你取了所有词里最常见的标签；应当取这个词自己的第一义项。",
        partial(named, back_off=lambda word, first, labelled: commonest(
            [sense for _, sense in labelled])),
    ),
    Mistake(
        "commonest_sense",
        "You take the word's commonest label and never look at the vectors.",
        "你取了这个词最常见的标签，根本没看向量。",
        partial(named, choose=lambda similar, senses, *rest: commonest(senses)),
    ),
]  # fmt: skip


# 4. Self-similarity beyond any two words


def pair_means(
    x, words, cosine=lambda u, v: u @ v / np.sqrt((u @ u) * (v @ v)),
    couples=itertools.combinations, least=2, pooled=False, others=lambda a, b: a != b,
    result=lambda s, a: (s, a, s - a),
):  # fmt: skip
    """Go through all pairs, the slow way; the options make mistakes. Shape: (3,)."""
    x = np.asarray(x, dtype=float)
    groups = []
    for word in dict.fromkeys(words):
        rows = [i for i, w in enumerate(words) if w == word]
        if len(rows) >= least:
            pairs = list(couples(rows, 2)) or [(rows[0], rows[0])]
            groups.append([cosine(x[i], x[j]) for i, j in pairs])
    alike = np.concatenate(groups) if pooled else [np.mean(of) for of in groups]
    pairs = itertools.combinations(range(len(words)), 2)
    any_two = [cosine(x[i], x[j]) for i, j in pairs if others(words[i], words[j])]
    return np.array(result(np.mean(alike), np.mean(any_two)))


def of_means(x, words):
    """Take the anisotropy of each word's mean vector instead of its occurrences."""
    names = list(dict.fromkeys(words))
    means = [x[[w == name for w in words]].mean(axis=0) for name in names]
    alike, anisotropy = pair_means(x, words)[0], pair_means(means, names, least=0)[1]
    return alike, anisotropy, alike - anisotropy


def occurrences(rng: np.random.Generator, words: int, tokens: int, D: int) -> tuple:
    """Return a case: vectors that point one way, some words that occur once."""
    names = [f"w{i}" for i in range(words)]
    text = names + [str(w) for w in rng.choice(names[: words // 2], tokens - words)]
    text = [text[i] for i in rng.permutation(tokens)]
    own = {name: rng.normal(size=D) for name in names}
    shift = 1.5 * rng.normal(size=D)
    x = np.stack([shift + own[w] + rng.normal(size=D) for w in text])
    x *= rng.uniform(0.3, 3, size=(tokens, 1))
    return (x, text), pair_means(x, text)


@BEYOND.check("the example", "题中的例子")
def example_beyond(answer: Callable, rng: np.random.Generator) -> None:
    x = np.array([[1.0, 0], [0, 2], [3, 0], [0, 1]])
    words = ["of", "of", "river", "river"]
    cases = [((x, words), (0, 1 / 2, -1 / 2)), ((x[:3], words[:3]), (0, 1 / 2, -1 / 2))]
    BEYOND.compare(answer, cases)


@BEYOND.check("a layer that points one way", "朝一个方向偏的一层")
def one_way(answer: Callable, rng: np.random.Generator) -> None:
    sizes = (5, 11, 3), (6, 15, 4), (4, 12, 6)
    BEYOND.compare(answer, [occurrences(rng, *size) for size in sizes])


@BEYOND.check("random layers", "随机的层", hidden=True)
def random_layers(answer: Callable, rng: np.random.Generator) -> None:
    BEYOND.compare(answer, [occurrences(rng, 6, 20, D) for D in (3, 4, 5, 8)])


BEYOND.mistakes += [
    Mistake(
        "with_itself",
        "An occurrence is compared with itself, too: that is always 1.",
        "你把一次出现和它自己也比了：那总是 1。",
        partial(pair_means, couples=lambda rows, n: itertools.product(rows, rows)),
    ),
    Mistake(
        "pooled_pairs",
        "You average over all pairs at once, so that frequent words decide. Average "
        "within each word, then over words.",
        "你把所有的对放在一起平均，常用词说了算。应当先在每个词内平均，再对词平均。",
        partial(pair_means, pooled=True),
    ),
    Mistake(
        "single_is_one",
        "A word that occurs once has no pair; leave it out of the self-similarity.",
        "只出现一次的词没有对可比；算自相似度时应当略去。",
        partial(pair_means, least=1),
    ),
    Mistake(
        "same_word_in_anisotropy",
        "Pairs of the same word are among the pairs for the anisotropy; it is the "
        "cosine of two *different* words.",
        "算各向异性时混进了同一个词的对；应当是两个*不同*的词。",
        partial(pair_means, others=lambda a, b: True),
    ),
    Mistake(
        "no_lengths",
        "These are dot products: divide by both lengths.",
        "这是点积：要除以两个向量的长度。",
        partial(pair_means, cosine=lambda u, v: u @ v),
    ),
    Mistake(
        "centred",
        "You take off the mean vector first. Take the vectors as they are: the "
        "correction is the subtraction of the anisotropy.",
        "你先减去了平均向量。请按原样使用：校正就是减去各向异性。",
        lambda x, words: pair_means(x - x.mean(axis=0), words),
    ),
    Mistake(
        "divided",
        "The anisotropy is taken off, not divided by.",
        "应当减去各向异性，而不是除以它。",
        partial(pair_means, result=lambda s, a: (s, a, s / a)),
    ),
    Mistake(
        "sign_of_the_difference",
        "The difference has the wrong sign: self-similarity minus anisotropy.",
        "差的符号反了：应当是自相似度减去各向异性。",
        partial(pair_means, result=lambda s, a: (s, a, a - s)),
    ),
    Mistake(
        "of_means",
        "For the anisotropy you average each word first; compare single occurrences.",
        "算各向异性时，你先把每个词平均了；应当比较一次一次的出现。",
        of_means,
    ),
]


# 5. What is left of a misspelt word?


def exchanged(word):
    return [
        word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)
    ]


def left_out(word):
    return [word[:i] + word[i + 1 :] for i in range(len(word))]


def doubled(word):
    return [word[:i] + letter + word[i:] for i, letter in enumerate(word)]


KINDS = (exchanged, left_out, doubled)


def trigrams(word, marks="<>"):
    text = marks[:1] + word + marks[1:]
    return {text[i : i + 3] for i in range(len(text) - 2)}


def survey(
    words, table, kinds=KINDS, keep=lambda found, word: {*found} - {word},
    pieces=trigrams, survive=lambda own, new: len(own & new) / len(own),
    per_word=False, known=lambda slip, table, word: slip in table,
):  # fmt: skip
    """Look at all slips of all words; the options make mistakes. Shape: (2,)."""
    groups = []
    for word in words:
        slips = keep([slip for kind in kinds for slip in kind(word)], word)
        groups.append([
            (known(slip, table, word), survive(pieces(word), pieces(slip)))
            for slip in slips
        ])  # fmt: skip
    if per_word:
        return np.mean([np.mean(of, axis=0) for of in groups], axis=0)
    return np.mean(list(itertools.chain(*groups)), axis=0)


def dictionary(rng: np.random.Generator, words: list[str]) -> tuple:
    """Return a case; some slips are words of the table, and all words are."""
    slips = sorted({slip for w in words for kind in KINDS for slip in kind(w)})
    some = rng.choice(slips, size=len(slips) // 4, replace=False).tolist()
    table = {*words, *some, *(w[0] + w[1:-1] for w in words)}
    return (words, table), survey(words, table)


def invented(rng: np.random.Generator, length: int) -> str:
    """Make a word with a double letter in it; sometimes a longer run of the same."""
    letters = rng.choice(list("abcdeinorst"), size=length).tolist()
    i = int(rng.integers(length))
    return "".join(letters[: i + 1] + letters[i:])


@REPORT.check("the example", "题中的例子")
def example_report(answer: Callable, rng: np.random.Generator) -> None:
    REPORT.compare(answer, [((["bat"], {"bat", "at", "cat"}), (1 / 8, 1 / 3))])


@REPORT.check("double letters", "有叠字的词")
def double_letters(answer: Callable, rng: np.random.Generator) -> None:
    lists = ["book", "sea"], ["aaab", "letters"], ["committee", "see", "add"]
    lists += (["banana"],)  # a trigram of which comes twice
    REPORT.compare(answer, [dictionary(rng, words) for words in lists])
    # bt is a misspelling of two words, at one of bat and a word itself.
    shared = ["bat", "bet", "at"], {"bt", "at"}
    REPORT.compare(answer, [(shared, survey(*shared))])


@REPORT.check("random words", "随机的词", hidden=True)
def random_words(answer: Callable, rng: np.random.Generator) -> None:
    for lengths in ((2, 5, 9), (3, 4), (7, 2, 3, 5)):
        words = sorted({invented(rng, n) for n in lengths})
        REPORT.compare(answer, [dictionary(rng, words)])


def every_misspelling_once(words, table):
    """Count a misspelling that two words share only once."""
    slips = {slip for w in words for kind in KINDS for slip in kind(w) if slip != w}
    return np.mean([slip in table for slip in slips]), survey(words, table)[1]


REPORT.mistakes += [
    Mistake(
        "every_misspelling_once",
        "A misspelling that two words share counts for each of them.",
        "两个词共有的错拼，对每个词都要算。",
        every_misspelling_once,
    ),
    Mistake(
        "repeated_trigrams",
        "A trigram that a word has twice counts twice; take the *different* ones.",
        "词里出现两次的三元组被算了两次；要取*不同*的三元组。",
        partial(
            survey,
            pieces=lambda w: [f"<{w}>"[i : i + 3] for i in range(len(w))],
            survive=lambda own, new: np.mean([piece in new for piece in own]),
        ),
    ),
    Mistake(
        "nothing_exchanged",
        "The slips that exchange two neighbours are missing.",
        "少了前后颠倒的一类。",
        partial(survey, kinds=(left_out, doubled)),
    ),
    Mistake(
        "nothing_left_out",
        "The slips that leave out a letter are missing.",
        "少了漏一个字母的一类。",
        partial(survey, kinds=(exchanged, doubled)),
    ),
    Mistake(
        "nothing_doubled",
        "The slips that double a letter are missing.",
        "少了重复一个字母的一类。",
        partial(survey, kinds=(exchanged, left_out)),
    ),
    Mistake(
        "counted_twice",
        "The same string is counted several times: in *book* either o may be left out, "
        "and the result is one misspelling.",
        "同一个字符串算了好几次：book 漏掉哪个 o 都一样，只算一个错拼。",
        partial(survey, keep=lambda found, word: [s for s in found if s != word]),
    ),
    Mistake(
        "itself",
        "The word itself is among its misspellings: to exchange the o's of *book* "
        "changes nothing.",
        "词本身混进了错拼里：book 的两个 o 对调，什么也没变。",
        partial(survey, keep=lambda found, word: {*found}),
    ),
    Mistake(
        "no_marks",
        "The trigrams lack the marks: those of *bat* are <ba, bat and at>.",
        "三元组少了边界标记：bat 的三元组是 <ba、bat、at>。",
        partial(survey, pieces=partial(trigrams, marks="")),
    ),
    Mistake(
        "mean_of_words",
        "You average word by word; every misspelling counts the same, and long words "
        "have more of them.",
        "你先对每个词求了平均；应当每个错拼一样重，长词的错拼更多。",
        partial(survey, per_word=True),
    ),
    Mistake(
        "of_the_misspelling",
        "You divide by the trigrams of the misspelling; we ask how many of the "
        "*word's* are left.",
        "你除以了错拼的三元组个数；要问的是*原词*的三元组还剩多少。",
        partial(survey, survive=lambda own, new: len(own & new) / len(new)),
    ),
    Mistake(
        "share_of_unknown",
        "The first number is the share that is *not* in the table.",
        "第一个数是*不在*词表里的比例。",
        partial(survey, known=lambda slip, table, word: slip not in table),
    ),
    Mistake(
        "lost_trigrams",
        "The second number is the share of trigrams that are *lost*; return the rest.",
        "第二个数是丢掉的三元组；要的是剩下的。",
        partial(survey, survive=lambda own, new: len(own - new) / len(own)),
    ),
]
