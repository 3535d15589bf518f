"""Known answers to assignment 06, written as students write them.

RIGHT: {task: functions that must pass}; WRONG: {task: {known mistake: functions that
must fail and be told this mistake}}; "" stands for mistakes that have no sentence.
"""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections import Counter

import numpy as np
import torch
from scipy.spatial.distance import cdist
from torch.nn.utils.rnn import pad_sequence

# 1. char_ids


def with_an_array(word):
    ids = np.full(50, 261)
    if word in ("<S>", "</S>"):
        inside = np.array([257 if word == "<S>" else 258])
    else:
        inside = np.frombuffer(word.encode("utf-8", "ignore")[:48], dtype=np.uint8)
        inside = inside.astype(int) + 1
    ids[0] = 259
    ids[1 : len(inside) + 1] = inside
    ids[len(inside) + 1] = 260
    return ids


def letter_by_letter(word):
    found = []
    if word == "<S>":
        found.append(256)
    elif word == "</S>":
        found.append(257)
    else:
        for letter in word:
            found.extend(letter.encode("utf-8", "ignore"))
    found = [258] + found[:48] + [259]
    while len(found) < 50:
        found.append(260)
    return torch.tensor(found) + 1


def by_iterators(word):
    print("encoding", repr(word))  # costs nothing
    mark = {"<S>": 256, "</S>": 257}.get(word)
    text = [mark] if mark else itertools.islice(word.encode(errors="ignore"), 48)
    endless = itertools.chain([258], text, [259], itertools.repeat(260))
    return tuple(i + 1 for i in itertools.islice(endless, 50))


def _ids(word, size=48, begin=258, end=259, pad=260):
    if word == "<S>":
        inside = [256]
    elif word == "</S>":
        inside = [257]
    else:
        inside = list(word.encode("utf-8", "ignore"))[:size]
    return [begin] + inside + [end] + [pad] * (48 - len(inside))


def composed(word):
    return [i + 1 for i in _ids(unicodedata.normalize("NFC", word))]


def upside_down_utf16(word):
    return [i + 1 for i in _ids(word.encode("utf-16-le", "ignore").decode("latin-1"))]


# 2. sees


def one_call_for_all_tokens(f, T, D):
    x = torch.randn(1, T, D)
    batch = x.repeat(T, 1, 1)
    batch[range(T), range(T)] = torch.randn(T, D)
    states = torch.cat([f(batch[s : s + 1]) for s in range(T)])  # (T, T, H)
    return ((states - f(x)).abs().amax(2) > 1e-6).T


def several_tries(f, T, D):
    found = np.zeros((T, T), dtype=bool)
    for _ in range(3):
        x = np.random.default_rng().normal(size=(1, T, D))
        before = f(torch.tensor(x)).numpy()
        for s in range(T):
            y = x.copy()
            y[0, s] *= 0.5
            after = f(torch.tensor(y)).numpy()
            for t in range(T):
                if not np.allclose(before[0, t], after[0, t]):
                    found[t, s] = True
    return found


def from_zero(f, T, D):
    zero = torch.zeros(1, T, D)
    rows = []
    for s in range(T):
        x = zero.clone()
        x[:, s] = torch.rand(D) + torch.arange(D)
        moved = abs(f(x) - f(zero))[0]
        rows.append([bool((moved[t] > 1e-6).any()) for t in range(T)])
    return [list(column) for column in zip(*rows, strict=True)]


def random_pairs_of_lists(f, T, D):
    found = [[False] * T for _ in range(T)]
    for trial in range(4):
        random = torch.Generator().manual_seed(trial)
        x, new = (torch.randn(1, T, D, generator=random) for _ in range(2))
        for s in range(T):
            y = torch.cat([x[:, :s], new[:, s : s + 1], x[:, s + 1 :]], dim=1)
            a, b = f(x)[0].tolist(), f(y)[0].tolist()
            for t in range(T):
                moved = [abs(p - q) for p, q in zip(a[t], b[t], strict=True)]
                found[t][s] |= max(moved) > 1e-6
    return found


def largest_of_six(f, T, D):
    rng, most = np.random.default_rng(0), np.zeros((T, T))
    for _ in range(6):
        x = 2 * rng.normal(size=(1, T, D)).astype("float32")
        before = f(torch.from_numpy(x)).numpy()[0]
        for s in range(T):
            y = x.copy()
            y[:, s] = 2 * rng.normal(size=D)
            moved = abs(f(torch.from_numpy(y)).numpy()[0] - before).max(axis=1)
            most[:, s] = np.maximum(most[:, s], moved)
    return (most > 1e-6).astype(int)


def close_in_torch(f, T, D):
    x = torch.randn(1, T, D)
    rows = []
    for s in range(T):
        y = x.clone()
        y[0, s] = torch.randn(D)
        rows.append(~torch.isclose(f(x)[0], f(y)[0]).all(dim=1))
    return torch.stack(rows, dim=1)


def _experiment(f, T, D, change):
    x = torch.randn(1, T, D)
    columns = []
    for s in range(T):
        y = x.clone()
        y[0, s] = change(x[0, s])
        columns.append((f(y) - f(x))[0])
    return torch.stack(columns, dim=1)  # (T, T, H)


def _fresh(token):
    return torch.randn_like(token)


def kept_the_changes(f, T, D):
    x = torch.randn(1, T, D)
    y = x.clone()
    seen = torch.zeros(T, T)
    for s in range(T):
        y[0, s] = torch.randn(D)
        seen[:, s] = (f(y) != f(x)).any(2)[0]
    return seen


def wanted_strong_ones(f, T, D):
    return (_experiment(f, T, D, _fresh).abs() > 0.03).any(2)


def overlooked_the_weakest(f, T, D):
    return (_experiment(f, T, D, _fresh).abs() > 1e-4).any(2)


def returned_how_much(f, T, D):
    return _experiment(f, T, D, _fresh).norm(dim=2)


def returned_a_string(f, T, D):
    return str((_experiment(f, T, D, _fresh) != 0).any(2).tolist())


# 3. two_directions


def _turn(x, lengths):
    found = x.clone()
    for b, n in enumerate(lengths):
        found[b, :n] = x[b, :n].flip(0)
    return found


def _zeroed(states, lengths):
    found = states.clone()
    for b, n in enumerate(lengths):
        found[b, n:] = 0
    return found


def row_by_row(forward, backward, x, lengths):
    rows = []
    for row, n in zip(x, lengths.tolist(), strict=True):
        words = row[None, :n]
        there = forward(words)[0]
        back = torch.flip(backward(torch.flip(words, [1])), [1])[0]
        rows.append(torch.cat([there, back], -1))
    return pad_sequence(rows, batch_first=True)


def row_by_row_into_zeros(forward, backward, x, lengths):
    B, T, P = x.shape
    found = np.zeros((B, T, 2 * P))
    for b, n in enumerate(lengths.tolist()):
        found[b, :n, :P] = forward(x[b : b + 1, :n])[0]
        found[b, :n, P:] = backward(x[b : b + 1, :n].flip(1))[0].flip(0)
    return found


def turned_in_a_loop(forward, backward, x, lengths):
    back = _turn(backward(_turn(x, lengths)), lengths)
    return _zeroed(torch.cat((forward(x), back), dim=-1), lengths)


def flip_and_roll(forward, backward, x, lengths):
    T = x.shape[1]
    rolled = [
        row.flip(0).roll(-(T - int(n)), 0) for row, n in zip(x, lengths, strict=True)
    ]
    states = backward(torch.stack(rolled))
    back = [
        row.roll(T - int(n), 0).flip(0) for row, n in zip(states, lengths, strict=True)
    ]
    both = torch.cat([forward(x), torch.stack(back)], 2)
    return both.masked_fill((torch.arange(T) >= lengths[:, None])[..., None], 0.0)


def by_sorting(forward, backward, x, lengths):
    steps = torch.arange(x.shape[1])
    words = steps < lengths[:, None]
    order = torch.where(words, -steps, steps).argsort(dim=1)[..., None].expand_as(x)
    back = torch.gather(backward(torch.gather(x, 1, order)), 1, order)
    return torch.where(words[..., None], torch.cat([forward(x), back], 2), 0)


def summed(forward, backward, x, lengths):
    return _zeroed(forward(x) + _turn(backward(_turn(x, lengths)), lengths), lengths)


def averaged(forward, backward, x, lengths):
    return summed(forward, backward, x, lengths) / 2


# 4. perplexity


def all_words_at_once(batches):
    logs = torch.cat([log_probs[mask] for log_probs, mask in batches])
    return torch.exp(-logs.mean())


def with_numpy(batches):
    total = sum(
        np.where(m, np.asarray(lp), 0).sum(dtype="float64") for lp, m in batches
    )
    return np.exp(-total / sum(int(m.sum()) for _, m in batches))


def word_by_word(batches):
    logs = []
    for log_probs, mask in batches:
        for row, real in zip(log_probs.tolist(), mask.tolist(), strict=True):
            logs += [log for log, word in zip(row, real, strict=True) if word]
    return math.prod(math.exp(-log / len(logs)) for log in logs)


def in_bits(batches):
    total = sum(lp.masked_fill(~m, 0).sum() for lp, m in batches)
    bits = -total / math.log(2) / sum(m.sum() for _, m in batches)
    return torch.tensor([2.0])[0] ** bits


def did_not_divide(batches):
    return torch.exp(-sum(lp[m].sum() for lp, m in batches))


def stopped_at_an_empty_batch(batches):
    logs = []
    for log_probs, mask in batches:
        if not mask.any():
            break
        logs.append(log_probs[mask])
    return torch.exp(-torch.cat(logs).mean())


def divided_by_sentences(batches):
    total = sum(lp[m].sum() for lp, m in batches)
    return torch.exp(-total / sum(len(lp) for lp, _ in batches) / 100)


# 5. nearest_sense


def with_a_matrix(vectors, senses):
    x = np.asarray(vectors) / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = x @ x.T - 10 * np.eye(len(x))
    best = similarity > similarity.max(axis=1, keepdims=True) - 1e-6
    right = np.equal.outer(np.array(senses), np.array(senses))
    return (best * right / best.sum(1, keepdims=True)).sum() / len(x)


def in_torch(vectors, senses):
    x = torch.nn.functional.normalize(torch.tensor(vectors), dim=1)
    shares = []
    for i in range(len(x)):
        others = [j for j in range(len(x)) if j != i]
        cosines = {j: torch.dot(x[i], x[j]).item() for j in others}
        tied = [j for j in others if max(cosines.values()) - cosines[j] < 1e-6]
        votes = Counter(senses[j] for j in tied)
        shares.append(votes[senses[i]] / len(tied))
    return torch.tensor(shares).mean()


def by_cosine_distance(vectors, senses):
    apart = cdist(vectors, vectors, metric="cosine")
    np.fill_diagonal(apart, 9)
    total = 0
    for row, sense in zip(apart, senses, strict=True):
        nearest = [s for d, s in zip(row, senses, strict=True) if d < row.min() + 1e-6]
        total += nearest.count(sense) / len(nearest)
    return total / len(senses)


def close_in_numpy(vectors, senses):
    units = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    found = units @ units.T - 5 * np.eye(len(units))
    right = np.equal.outer(np.array(senses), np.array(senses))
    tied = [np.isclose(row, row.max()) for row in found]
    return np.mean([r[t].mean() for r, t in zip(right, tied, strict=True)])


def second_of_the_sorted(vectors, senses):
    units = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    order = np.argsort(-(units @ units.T), axis=1)
    return np.mean([senses[j] == senses[i] for i, j in enumerate(order[:, 1])])


RIGHT = {
    "06.char_ids": [with_an_array, letter_by_letter, by_iterators],
    "06.sees": [one_call_for_all_tokens, random_pairs_of_lists, largest_of_six],
    "06.two_directions": [
        row_by_row_into_zeros,
        turned_in_a_loop,
        flip_and_roll,
        by_sorting,
    ],
    "06.perplexity": [all_words_at_once, with_numpy, word_by_word, in_bits],
    "06.nearest_sense": [with_a_matrix, in_torch, by_cosine_distance],
}

WRONG = {
    "06.char_ids": {
        "normalised": [composed],
        "": [upside_down_utf16],
    },
    "06.sees": {
        "not_restored": [kept_the_changes],
        "threshold": [
            wanted_strong_ones,
            overlooked_the_weakest,
            several_tries,
            close_in_torch,
        ],
        "from_zeros": [from_zero],
        "sizes": [returned_how_much],
        "": [returned_a_string],
    },
    "06.two_directions": {
        "cut_to_the_longest": [row_by_row],
        "": [averaged],
    },
    "06.perplexity": {
        "not_divided": [did_not_divide],
        "": [divided_by_sentences, stopped_at_an_empty_batch],
    },
    "06.nearest_sense": {
        "loose_ties": [close_in_numpy],
        "": [second_of_the_sorted],
    },
}
