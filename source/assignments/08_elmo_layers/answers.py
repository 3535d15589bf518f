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


def of_training_tokens(train, test):
    return token_by_token(test, train)


def of_different_ones(train, test):
    s, w = {s for s, _ in test}, {w for _, w in test}
    return (
        len(s & {s for s, _ in train}) / len(s),
        len(w & {w for _, w in train}) / len(w),
    )


def of_different_words(train, test):
    return token_by_token(train, test)[0], of_different_ones(train, test)[1]


def of_different_sentences(train, test):
    return of_different_ones(train, test)[0], token_by_token(train, test)[1]


def pairs_in_common(train, test):
    share = sum(pair in set(train) for pair in test) / len(test)
    return share, share


def word_first(train, test):
    return token_by_token(train, test)[::-1]


def what_is_clean(train, test):
    a, b = token_by_token(train, test)
    return 1 - a, 1 - b


def not_divided(train, test):
    a, b = token_by_token(train, test)
    return a * len(test), b * len(test)


def either(train, test):
    s, w = {s for s, _ in train}, {w for _, w in train}
    share = np.mean([a in s or b in w for a, b in test])
    return token_by_token(train, test)[0], share


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


def trained_on_everything(train, test, lot):
    return with_counters(train + test, test, lot)


def asked_the_old_memory(train, test, lot):
    a, c = _score(train, test), _score(train, _drawn(test, lot))
    return a, c, a - c


def drew_for_training_only(train, test, lot):
    a, c = _score(train, test), _score(_drawn(train, lot), test)
    return a, c, a - c


def unknown_never_right(train, test, lot):
    a = _score(train, test, other="?")
    c = _score(_drawn(train, lot), _drawn(test, lot), other="?")
    return a, c, a - c


def skipped_unknown(train, test, lot):
    met = {w for w, _ in train}
    return with_counters(train, [pair for pair in test if pair[0] in met], lot)


def a_plain_dictionary(train, test, lot):
    def score(learn, ask):
        memory = dict(learn)  # a later tag replaces an earlier one
        most = Counter(tag for _, tag in learn).most_common(1)[0][0]
        return np.mean([memory.get(w, most) == tag for w, tag in ask])

    a, c = score(train, test), score(_drawn(train, lot), _drawn(test, lot))
    return a, c, a - c


def kept_the_first(train, test, lot):
    return a_plain_dictionary_of_first(train, test, lot)


def a_plain_dictionary_of_first(train, test, lot):
    def score(learn, ask):
        memory = {}
        for word, tag in learn:
            memory.setdefault(word, tag)
        most = Counter(tag for _, tag in learn).most_common(1)[0][0]
        return np.mean([memory.get(w, most) == tag for w, tag in ask])

    a, c = score(train, test), score(_drawn(train, lot), _drawn(test, lot))
    return a, c, a - c


def control_minus_task(train, test, lot):
    a, c, difference = with_counters(train, test, lot)
    return a, c, -difference


def task_over_control(train, test, lot):
    a, c, _ = with_counters(train, test, lot)
    return a, c, a / c


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


def _named(x, labelled, asked, words, first, similar, only_mine=True):
    answers = []
    for vector, word in zip(asked, words, strict=True):
        rows = [i for i, (w, _) in enumerate(labelled) if w == word or not only_mine]
        scores = [similar(x[i], vector) for i in rows]
        answers.append(labelled[rows[np.argmax(scores)]][1] if rows else first[word])
    return answers


def _cosine(u, v):
    return u @ v / np.linalg.norm(u) / np.linalg.norm(v)


def all_words_together(x, labelled, asked, words, first):
    return _named(x, labelled, asked, words, first, _cosine, only_mine=False)


def plain_products(x, labelled, asked, words, first):
    return _named(x, labelled, asked, words, first, np.dot)


def euclidean(x, labelled, asked, words, first):
    def near(u, v):
        return -np.sum((u - v) ** 2)

    return _named(x, labelled, asked, words, first, near)


def asked_anybody(x, labelled, asked, words, first):
    mine = _named(x, labelled, asked, words, first, _cosine)
    anybody = all_words_together(x, labelled, asked, words, first)
    met = {w for w, _ in labelled}
    return [a if w in met else b for a, b, w in zip(mine, anybody, words, strict=True)]


def dictionary_only(x, labelled, asked, words, first):
    return [first[w] for w in words]


def smallest_cosine(x, labelled, asked, words, first):
    return _named(x, labelled, asked, words, first, lambda u, v: -_cosine(u, v))


def means_of_senses(x, labelled, asked, words, first):
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    kinds = sorted(set(labelled))
    rows = [[i for i, pair in enumerate(labelled) if pair == kind] for kind in kinds]
    means = np.array([x[of].mean(axis=0) for of in rows])
    return _named(means, kinds, asked, words, first, _cosine)


def commonest_of_all(x, labelled, asked, words, first):
    most = Counter(sense for _, sense in labelled).most_common(1)[0][0]
    return _named(x, labelled, asked, words, dict.fromkeys(words, most), _cosine)


def vote_of_the_word(x, labelled, asked, words, first):
    answers = []
    for word in words:
        senses = Counter(s for w, s in labelled if w == word)
        answers.append(senses.most_common(1)[0][0] if senses else first[word])
    return answers


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


def _blocks(x, words, cosines=None):
    if cosines is None:
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
        cosines = x @ x.T
    words = np.array(words)
    return cosines, {w: cosines[np.ix_(words == w, words == w)] for w in set(words)}


def _off(block):
    return block[~np.eye(len(block), dtype=bool)]


def _three(a, b):
    return a, b, a - b


def whole_blocks(x, words):
    _, blocks = _blocks(x, words)
    alike = np.mean([b.mean() for b in blocks.values() if len(b) > 1])
    return _three(alike, pair_by_pair(x, words)[1])


def all_pairs_at_once(x, words):
    _, blocks = _blocks(x, words)
    alike = np.concatenate([_off(b) for b in blocks.values()]).mean()
    return _three(alike, pair_by_pair(x, words)[1])


def lonely_words_too(x, words):
    _, blocks = _blocks(x, words)
    alike = np.mean([_off(b).mean() if len(b) > 1 else 1.0 for b in blocks.values()])
    return _three(alike, pair_by_pair(x, words)[1])


def every_pair(x, words):
    cosines, _ = _blocks(x, words)
    return _three(pair_by_pair(x, words)[0], _off(cosines).mean())


def products(x, words):
    own, others = defaultdict(list), []
    for i, j in itertools.combinations(range(len(words)), 2):
        (own[words[i]] if words[i] == words[j] else others).append(x[i] @ x[j])
    return _three(np.mean([np.mean(of) for of in own.values()]), np.mean(others))


def minus_the_mean(x, words):
    return pair_by_pair(x - np.mean(x, axis=0), words)


def a_quotient(x, words):
    a, b, _ = pair_by_pair(x, words)
    return a, b, a / b


def anisotropy_first(x, words):
    a, b, _ = pair_by_pair(x, words)
    return a, b, b - a


def averaged_words(x, words):
    names = sorted(set(words))
    means = [np.mean([v for v, w in zip(x, words, strict=True) if w == n], 0)
             for n in names]  # fmt: skip
    others = [_cosine(u, v) for u, v in itertools.combinations(means, 2)]
    return _three(pair_by_pair(x, words)[0], np.mean(others))


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


def forgot_to_exchange(words, table):
    return _report(words, table, kinds=(1, 2))


def forgot_to_leave_out(words, table):
    return _report(words, table, kinds=(0, 2))


def forgot_to_double(words, table):
    return _report(words, table, kinds=(0, 1))


def list_not_set(words, table):
    return _report(words, table, once=False)


def word_is_no_slip(words, table):
    return _report(words, table, itself=True)


def bare_trigrams(words, table):
    def grams(word):
        return {word[i : i + 3] for i in range(len(word) - 2)}

    return _report(words, table, grams=grams)


def word_after_word(words, table):
    return np.mean([_report([word], table) for word in words], axis=0)


def over_the_new(words, table):
    return _report(words, table, over=lambda own, new: new)


def jaccard(words, table):
    return _report(words, table, over=lambda own, new: own | new)


def unknown_share(words, table):
    return _report(words, table, missing=True)


def what_is_lost(words, table):
    return _report(words, table, lost=True)


RIGHT = {
    "08.leaks": [with_arrays, token_by_token, counting],
    "08.selectivity": [with_counters, with_numpy, control_is_simple],
    "08.name_senses": [with_a_matrix, with_torch, by_sorting],
    "08.beyond": [pair_by_pair, from_torch, from_sums],
    "08.oov_report": [in_lists, letter_lists, weighted_by_word],
}

WRONG = {
    "08.leaks": {
        "of_the_training": [of_training_tokens],
        "of_kinds": [of_different_ones],
        "of_kinds_of_words": [of_different_words],
        "of_sentences": [of_different_sentences],
        "same_pairs": [pairs_in_common],
        "swapped_shares": [word_first],
        "clean_shares": [what_is_clean],
        "how_many": [not_divided],
        "either_of_the_two": [either],
    },
    "08.selectivity": {
        "read_the_test": [trained_on_everything],
        "control_not_learned": [asked_the_old_memory],
        "control_asked_for_truth": [drew_for_training_only],
        "unknown_is_wrong": [unknown_never_right],
        "unknown_left_out": [skipped_unknown],
        "last_tag": [a_plain_dictionary],
        "first_tag": [kept_the_first],
        "reversed_difference": [control_minus_task],
        "a_ratio": [task_over_control],
        "": [two_numbers],
    },
    "08.name_senses": {
        "any_word": [all_words_together],
        "dot_products": [plain_products],
        "distances": [euclidean],
        "no_back_off": [asked_anybody],
        "always_first": [dictionary_only],
        "farthest": [smallest_cosine],
        "by_centroids": [means_of_senses],
        "back_off_to_commonest": [commonest_of_all],
        "commonest_sense": [vote_of_the_word],
        "": [numbers_of_rows],
    },
    "08.beyond": {
        "with_itself": [whole_blocks],
        "pooled_pairs": [all_pairs_at_once],
        "single_is_one": [lonely_words_too],
        "same_word_in_anisotropy": [every_pair],
        "no_lengths": [products],
        "centred": [minus_the_mean],
        "divided": [a_quotient],
        "sign_of_the_difference": [anisotropy_first],
        "of_means": [averaged_words],
        "": [only_the_difference],
    },
    "08.oov_report": {
        "nothing_exchanged": [forgot_to_exchange],
        "nothing_left_out": [forgot_to_leave_out],
        "nothing_doubled": [forgot_to_double],
        "counted_twice": [list_not_set],
        "itself": [word_is_no_slip],
        "no_marks": [bare_trigrams],
        "mean_of_words": [word_after_word],
        "of_the_misspelling": [over_the_new],
        "share_of_unknown": [unknown_share],
        "lost_trigrams": [what_is_lost],
        "": [jaccard],
    },
}
