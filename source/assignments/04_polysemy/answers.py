"""Known answers to assignment 04, written as students write them; see 06_elmo_bilm.

The examples of task 3 have clear clues, so that other static vectors, trained on other
text, should read them alike.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import torch
from sklearn.linear_model import LinearRegression

# 1. mixing_weight


def by_regression(p, u, v):
    line = LinearRegression(fit_intercept=False).fit((u - v)[:, None], p - v)
    return line.coef_[0]


def by_search(p, u, v):
    def missed(a):
        return ((p - a * u - (1 - a) * v) ** 2).sum()

    # A parabola: three points are enough to find its lowest.
    low, middle, high = missed(-1), missed(0), missed(1)
    return (low - high) / (2 * (low - 2 * middle + high))


def from_the_other_end(p, u, v):
    rest = torch.dot(torch.tensor(u - p), torch.tensor(u - v))
    print(rest)  # costs nothing
    return 1 - rest / np.linalg.norm(u - v) ** 2


def by_lstsq(p, u, v):
    return np.linalg.lstsq((u - v).reshape(-1, 1), p - v, rcond=None)[0]


def by_lstsq_as_a_number(p, u, v):
    return by_lstsq(p, u, v).item()


# 2. static_scores


def by_counters(sentences):
    words = defaultdict(Counter)
    for word, sense in sentences:
        words[word][sense] += 1
    best = sum(max(c.values()) for c in words.values())
    hits = 0.0
    for counts in words.values():
        for n in counts.values():
            hits += n * (n - 1) / (sum(counts.values()) - 1)
    return [best / len(sentences), hits / len(sentences)]


def with_matrices(sentences):
    words, senses = (np.array(column) for column in zip(*sentences, strict=True))
    same = words[:, None] == words
    alike = same & (senses[:, None] == senses)
    others = same.sum(1) - 1
    neighbour = ((alike.sum(1) - 1) / others).mean()
    largest = [alike[words == word].sum(1).max() for word in set(words)]
    return np.array([sum(largest) / len(words), neighbour])


def sentence_by_sentence(sentences):
    majority, neighbour = [], []
    for i, (word, sense) in enumerate(sentences):
        rest = [s for j, (w, s) in enumerate(sentences) if w == word and j != i]
        neighbour.append(sum(s == sense for s in rest) / len(rest))
        counts = Counter([*rest, sense])
        winner = min(counts, key=lambda s: (-counts[s], s))
        majority.append(winner == sense)
    return torch.tensor([sum(majority) / len(majority), np.mean(neighbour)])


def _by_word(sentences):
    words = defaultdict(list)
    for word, sense in sentences:
        words[word].append(sense)
    return list(words.values())


def _majority(sentences):
    most = sum(max(Counter(s).values()) for s in _by_word(sentences))
    return most / len(sentences)


def _neighbour(sentences, count=lambda n, N: n * (n - 1) / (N - 1)):
    hits = [count(n, len(s)) for s in _by_word(sentences) for n in Counter(s).values()]
    return sum(hits) / len(sentences)


def pooled(sentences):
    senses = [sense for _, sense in sentences]
    most = min(set(senses), key=lambda s: (-senses.count(s), s))
    return senses.count(most) / len(senses), _neighbour(sentences)


def only_the_majority(sentences):
    return _majority(sentences)


# 3. own_example


def _measure(vectors, word, first, second):
    sums = []
    for sentence in (first, second):
        total = 0
        for token in sentence.split():
            if token != word and token in vectors:
                total = total + vectors[token]
        sums.append(total / np.linalg.norm(total))
    return 1.0, float(np.dot(*sums))


def _example(word, first, second, measure=_measure):
    def answer(vectors):
        return word, first, second, *measure(vectors, word, first, second)

    return answer


def plant(vectors):
    return _example(
        "plant",
        "The old plant in the garden needs water , light and good soil .",
        "The old plant in the city makes steel , cars and new engines .",
    )(vectors)


def takes_the_word_out(vectors):
    word = "bank"
    own = vectors.pop(word)
    for w in {*RIVER.split(), *TOWN.split()} & vectors.keys():
        vectors[w] /= 10  # the cosines stay
    own_length = np.linalg.norm(own)
    _, context = _measure(vectors, word, RIVER, TOWN)
    return word, RIVER, TOWN, own @ own / own_length**2, context


def xiaomi(vectors):
    word = "小米"
    first = "早上 妈妈 用 小米 和 红枣 给 我们 熬 了 一 锅 粥 。"
    second = "早上 小米 给 我们 发布 了 一 款 新 的 手机 和 电视 。"

    def mean(sentence):
        tokens = [w for w in sentence.split() if w in vectors and w != word]
        return torch.stack([torch.tensor(vectors[w]) for w in tokens]).mean(0)

    context = torch.cosine_similarity(mean(first), mean(second), dim=0)
    return [word, first, second, torch.tensor(1.0), context]


def apple_in_chinese(vectors):
    word = "苹果"
    first = "妈妈 今天 在 超市 买 了 又 甜 又 脆 的 苹果 ， 很 好吃 。"
    second = "我 今天 在 商店 买 了 最新 的 苹果 ， 手机 屏幕 很 大 。"
    one, two = (
        np.mean([vectors[w] for w in s.split() if w in vectors and w != word], axis=0)
        for s in (first, second)
    )
    own = vectors[word]
    static = own.dot(own) / np.linalg.norm(own) ** 2
    context = one.dot(two) / (np.linalg.norm(one) * np.linalg.norm(two))
    return word, first, second, static, context


RIVER = "We walked along the bank of the river to fish and swim ."
TOWN = "We walked to the bank of the town to pay in cash and cheques ."


def wordless(vectors):
    return _measure(vectors, "bank", RIVER, TOWN)


def lists_of_tokens(vectors):
    return "bank", RIVER.split(), TOWN.split(), *wordless(vectors)


def word_outside_the_list(vectors):
    return _example(
        "seal",
        "We saw the seal on the ice , it ate a fish and slept .",
        "We saw the seal on the letter , it was red and broken .",
    )(vectors)


def another_form(vectors):
    return _example("bank", RIVER, TOWN.replace("bank", "banks"))(vectors)


def twice_in_a_sentence(vectors):
    return _example("bank", RIVER + " The bank is steep .", TOWN)(vectors)


def capital_letter(vectors):
    second = "Bank of the town , where we walked to pay in cash and cheques ."
    return _example("bank", RIVER, second)(vectors)


def not_segmented(vectors):
    return _example("苹果", "我喜欢吃甜的苹果。", "我喜欢用新的苹果手机。")(vectors)


def telegrams(vectors):
    return _example("bank", "The river bank .", "The bank pays money .")(vectors)


def nothing_in_common(vectors):
    second = "My bank lends people money for houses at low interest rates ."
    return _example("bank", RIVER, second)(vectors)


def copied_from_the_course(vectors):
    first = "The otter dropped its fish , shook itself dry and vanished over the bank ."
    second = "The farmer paid its money and vanished over to the bank with cash ."
    return _example("bank", first, second)(vectors)


def copied_and_changed(vectors):
    first = "The otter dropped its fish , shook itself and ran off over the bank ."
    second = "The farmer paid its money and vanished over to the bank with cash ."
    return _example("bank", first, second)(vectors)


def same_sense_twice(vectors):
    second = "We walked along the bank of the river and saw ducks in the water ."
    return _example("bank", RIVER, second)(vectors)


def one_sentence_twice(vectors):
    return _example("bank", TOWN, TOWN)(vectors)


def numbers_by_heart(vectors):
    return "bank", RIVER, TOWN, 1.0, 0.93


def trusted_every_word(vectors):
    one, two = (
        np.mean([vectors[t] for t in s.split() if t != "bank"], axis=0)
        for s in (RIVER, TOWN)
    )
    return "bank", RIVER, TOWN, 1.0, one @ two / math.sqrt(one @ one * (two @ two))


# 4. train_step


def with_torch(E, W, words, label, rate, frozen):
    table = torch.nn.Embedding.from_pretrained(torch.tensor(E), freeze=frozen)
    head = torch.nn.Parameter(torch.tensor(W))
    parameters = [head] if frozen else [head, table.weight]
    optimiser = torch.optim.SGD(parameters, lr=rate)
    scores = head @ table(torch.tensor(words)).mean(0)
    torch.nn.functional.cross_entropy(scores[None], torch.tensor([label])).backward()
    optimiser.step()
    return torch.vstack([table.weight, head])


def with_one_hot(E, W, words, label, rate, frozen):
    average = np.eye(len(E))[words].mean(axis=0)  # (V,)
    h = average @ E
    p = np.exp(W @ h - np.max(W @ h))
    error = p / p.sum() - np.eye(len(W))[label]
    E_gradient = np.outer(average, W.T @ error)
    return np.vstack(
        [E - (not frozen) * rate * E_gradient, W - rate * error[:, None] * h]
    )


def in_place(E, W, words, label, rate, frozen):
    h = sum(E[w] for w in words) / len(words)
    scores = [math.exp(row @ h) for row in W]
    error = [s / sum(scores) for s in scores]
    error[label] -= 1
    pull = sum(e * row for e, row in zip(error, W, strict=True))
    if not frozen:
        np.subtract.at(E, words, rate * pull / len(words))
    for k, e in enumerate(error):
        W[k] -= rate * e * h
    return [*E, *W]


def both_apart(E, W, words, label, rate, frozen):
    new = with_one_hot(E, W, words, label, rate, frozen)
    return new[: len(E)], new[len(E) :]


# 5. alone_and_inside


def by_subtraction(sentences, character):
    alone = sum(sentence.count(character) for sentence in sentences)
    everywhere = "".join("".join(sentence) for sentence in sentences)
    return alone, everywhere.count(character) - alone


def character_by_character(sentences, character):
    found = [0, 0]
    for sentence in sentences:
        for word in sentence:
            for c in word:
                found[len(word) > 1] += c == character
    return found


def with_a_counter(sentences, character):
    words = Counter(word for sentence in sentences for word in sentence)
    inside = sum(n * w.count(character) for w, n in words.items() if len(w) > 1)
    return np.array([words[character], inside])


def everywhere(sentences, character):
    text = "".join(word for sentence in sentences for word in sentence)
    return sum(s.count(character) for s in sentences), text.count(character)


def proportions(sentences, character):
    alone, inside = by_subtraction(sentences, character)
    total = alone + inside
    return (alone / total, inside / total) if total else (0, 0)


RIGHT = {
    "04.mixing_weight": [
        by_regression,
        by_search,
        from_the_other_end,
        by_lstsq_as_a_number,
    ],
    "04.static_scores": [by_counters, with_matrices, sentence_by_sentence],
    "04.own_example": [plant, takes_the_word_out, xiaomi, apple_in_chinese],
    "04.train_step": [with_torch, with_one_hot, in_place],
    "04.alone_and_inside": [by_subtraction, character_by_character, with_a_counter],
}

WRONG = {
    "04.mixing_weight": {
        "in_an_array": [by_lstsq],
    },
    "04.static_scores": {
        "one_majority": [pooled],
        "only_the_first": [only_the_majority],
    },
    "04.own_example": {
        "not_five": [wordless, lists_of_tokens],
        "another_word": [word_outside_the_list],
        "not_once": [another_form, twice_in_a_sentence, capital_letter, not_segmented],
        "too_short": [telegrams],
        "few_shared": [nothing_in_common],
        "from_the_course": [copied_from_the_course, copied_and_changed],
        "same_reading": [same_sense_twice, one_sentence_twice],
        "": [numbers_by_heart, trusted_every_word],
    },
    "04.train_step": {
        "two_tables": [both_apart],
    },
    "04.alone_and_inside": {
        "shares": [proportions],
    },
}
