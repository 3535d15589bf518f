"""Known answers to assignment 08, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np
import torch

# 1. leaks


def with_arrays(train, test):
    found = []
    for column in zip(zip(*train, strict=True), zip(*test, strict=True), strict=True):
        found.append(np.isin(column[1], column[0]).mean())
    return np.array(found)


def token_by_token(train, test):
    a = b = 0
    for sentence, word in test:
        a += any(s == sentence for s, _ in train)
        b += any(w == word for _, w in train)
    return [a / len(test), b / len(test)]


def counting(train, test):
    sentences, words = Counter(s for s, _ in test), Counter(w for _, w in test)
    a = sum(sentences[s] for s in {s for s, _ in train})
    b = sum(words[w] for w in {w for _, w in train})
    print(a, b)  # costs nothing
    return torch.tensor([a, b], dtype=torch.float64) / len(test)


def of_different_ones(train, test):
    s, w = {s for s, _ in test}, {w for _, w in test}
    return (
        len(s & {s for s, _ in train}) / len(s),
        len(w & {w for _, w in train}) / len(w),
    )


# 2. selectivity


def with_counters(train, test, lot):
    def score(learn, ask):
        memory = defaultdict(Counter)
        for word, tag in learn:
            memory[word][tag] += 1
        total = sum(memory.values(), Counter())
        right = 0
        for word, tag in ask:
            counts = memory.get(word, total)
            right += counts.most_common(1)[0][0] == tag
        return right / len(ask)

    a = score(train, test)
    c = score([(w, lot[w]) for w, _ in train], [(w, lot[w]) for w, _ in test])
    return [a, c, a - c]


def with_numpy(train, test, lot):
    def commonest(tags):
        names, counts = np.unique(tags, return_counts=True)
        return names[counts.argmax()]

    words, tags = map(np.array, zip(*train, strict=True))
    asked, right = map(np.array, zip(*test, strict=True))
    found = []
    for learned, gold in (
        (tags, right),
        (np.array([lot[w] for w in words]), np.array([lot[w] for w in asked])),
    ):
        told = [
            commonest(learned[words == w] if w in words else learned) for w in asked
        ]
        found.append(np.mean(np.array(told) == gold))
    return np.array([*found, found[0] - found[1]])


def control_is_simple(train, test, lot):
    # A drawn tag is always the same for a word: whoever met it knows it.
    accuracy, *_ = with_counters(train, test, lot)
    most = Counter(lot[w] for w, _ in train).most_common(1)[0][0]
    met = {w for w, _ in train}
    control = (
        torch.tensor([w in met or lot[w] == most for w, _ in test]).double().mean()
    )
    return torch.stack([torch.tensor(accuracy), control, accuracy - control])


def _score(learn, ask, pick=lambda c: c.most_common(1)[0][0], other=None):
    memory = defaultdict(list)
    for word, tag in learn:
        memory[word].append(tag)
    most = Counter(tag for _, tag in learn).most_common(1)[0][0]
    most = most if other is None else other
    told = [pick(Counter(memory[w])) if w in memory else most for w, _ in ask]
    return np.mean([t == tag for t, (_, tag) in zip(told, ask, strict=True)])


def _drawn(part, lot):
    return [(word, lot[word]) for word, _ in part]


def asked_the_old_memory(train, test, lot):
    a, c = _score(train, test), _score(train, _drawn(test, lot))
    return a, c, a - c


def control_minus_task(train, test, lot):
    a, c, difference = with_counters(train, test, lot)
    return a, c, -difference


def two_numbers(train, test, lot):
    return with_counters(train, test, lot)[:2]


# 3. name_senses


def with_a_matrix(x, labelled, asked, words, first):
    names = np.array([w for w, _ in labelled])
    senses = np.array([s for _, s in labelled])
    lengths = np.outer(np.linalg.norm(asked, axis=1), np.linalg.norm(x, axis=1))
    cosines = asked @ x.T / lengths
    cosines[np.array(words)[:, None] != names] = -np.inf
    best = senses[cosines.argmax(axis=1)]
    known = np.isin(words, names)
    return np.where(known, best, [first[w] for w in words])


def with_torch(x, labelled, asked, words, first):
    found = []
    for vector, word in zip(torch.tensor(asked), words, strict=True):
        rows = [i for i, (w, _) in enumerate(labelled) if w == word]
        if not rows:
            found.append(first[word])
            continue
        similar = torch.cosine_similarity(torch.tensor(x[rows]), vector, dim=1)
        found.append(labelled[rows[similar.argmax()]][1])
    return torch.tensor(found)


def by_sorting(x, labelled, asked, words, first):
    x = x / np.linalg.norm(x, axis=1)[:, None]
    answers = []
    for vector, word in zip(asked, words, strict=True):
        order = np.argsort(-(x @ vector))
        mine = [labelled[i][1] for i in order if labelled[i][0] == word]
        answers.append((mine + [first[word]])[0])
    return answers


def _cosine(u, v):
    return u @ v / np.linalg.norm(u) / np.linalg.norm(v)


def numbers_of_rows(x, labelled, asked, words, first):
    return [int(np.argmax([_cosine(u, v) for u in x])) for v in asked]


# 4. beyond


def pair_by_pair(x, words):
    own, others = defaultdict(list), []
    for i, j in itertools.combinations(range(len(words)), 2):
        cosine = _cosine(x[i], x[j])
        if words[i] == words[j]:
            own[words[i]].append(cosine)
        else:
            others.append(cosine)
    alike = np.mean([np.mean(of) for of in own.values()])
    return [alike, np.mean(others), alike - np.mean(others)]


def from_torch(x, words):
    x = torch.nn.functional.normalize(torch.tensor(x), dim=1)
    cosines, names = x @ x.T, sorted(set(words))
    label = torch.tensor([names.index(w) for w in words])
    same = label[:, None] == label
    own = []
    for k in range(len(names)):
        rows = (label == k).nonzero()[:, 0]
        if len(rows) > 1:
            block = cosines[rows][:, rows]
            own.append(block[~torch.eye(len(rows), dtype=bool)].mean())
    a, b = torch.stack(own).mean(), cosines[~same].mean()
    return torch.stack([a, b, a - b])


def from_sums(x, words):
    x = np.array([v / np.linalg.norm(v) for v in x])
    sums, counts = {}, Counter(words)
    for v, w in zip(x, words, strict=True):
        sums[w] = sums.get(w, 0) + v
    twice = {w: sums[w] @ sums[w] - n for w, n in counts.items()}
    alike = np.mean([twice[w] / (n * (n - 1)) for w, n in counts.items() if n > 1])
    total, N = x.sum(axis=0), len(x)
    rest = total @ total - N - sum(twice.values())
    pairs = N * (N - 1) - sum(n * (n - 1) for n in counts.values())
    return alike, rest / pairs, alike - rest / pairs


def only_the_difference(x, words):
    return pair_by_pair(x, words)[2]


# 5. oov_report


def _slips(word):
    n = range(len(word))
    swaps = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in n[:-1]]
    drops = [word[:i] + word[i + 1 :] for i in n]
    doubles = [word[:i] + word[i] * 2 + word[i + 1 :] for i in n]
    return swaps, drops, doubles


def _grams(word):
    marked = f"<{word}>"
    return {marked[i : i + 3] for i in range(len(marked) - 2)}


def in_lists(words, table):
    rows = []
    for word in words:
        for slip in sorted(set(sum(_slips(word), [])) - {word}):
            kept = [g in f"<{slip}>" for g in _grams(word)]
            rows.append((slip in table, np.mean(kept)))
    return np.mean(rows, axis=0)


def letter_lists(words, table):
    known, left = 0, []
    for word in words:
        made = set()
        for i in range(len(word)):
            letters = list(word)
            del letters[i]
            made.add("".join(letters))
            letters = list(word)
            letters.insert(i, word[i])
            made.add("".join(letters))
            if i:
                letters = list(word)
                letters[i], letters[i - 1] = letters[i - 1], letters[i]
                made.add("".join(letters))
        made.discard(word)
        known += len(made & set(table))
        left += [len(_grams(word) & _grams(m)) / len(_grams(word)) for m in made]
    return known / len(left), sum(left) / len(left)


def weighted_by_word(words, table):
    # The mean over all misspellings is the mean of words, each by its number of them.
    numbers, scores = [], []
    for word in words:
        numbers.append(len(set(itertools.chain(*_slips(word))) - {word}))
        scores.append(in_lists([word], table))
    return torch.tensor(np.average(scores, axis=0, weights=numbers))


def _report(words, table, kinds=(0, 1, 2), once=True, itself=False, grams=_grams,
            over=None, missing=False, lost=False):  # fmt: skip
    rows = []
    for word in words:
        slips = [s for k in kinds for s in _slips(word)[k] if itself or s != word]
        for slip in set(slips) if once else slips:
            own, new = grams(word), grams(slip)
            share = len(own & new) / len(over(own, new) if over else own)
            rows.append(((slip in table) != missing, 1 - share if lost else share))
    return np.mean(rows, axis=0)


def jaccard(words, table):
    return _report(words, table, over=lambda own, new: own | new)


def inside_other_words(train, test):
    text, sentences = " ".join(word for _, word in train), {n for n, _ in train}
    hits = [(n in sentences, word in text) for n, word in test]
    return np.mean(hits, axis=0)


RIGHT = {
    "08.leaks": [with_arrays, token_by_token, counting],
    "08.selectivity": [with_counters, with_numpy, control_is_simple],
    "08.name_senses": [with_a_matrix, with_torch, by_sorting],
    "08.beyond": [pair_by_pair, from_torch, from_sums],
    "08.oov_report": [in_lists, letter_lists, weighted_by_word],
}

WRONG = {
    "08.leaks": {
        "of_kinds": [of_different_ones],
        "": [inside_other_words],
    },
    "08.selectivity": {
        "control_not_learned": [asked_the_old_memory],
        "reversed_difference": [control_minus_task],
        "": [two_numbers],
    },
    "08.name_senses": {
        "": [numbers_of_rows],
    },
    "08.beyond": {
        "": [only_the_difference],
    },
    "08.oov_report": {
        "": [jaccard],
    },
}
