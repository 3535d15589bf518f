"""Known answers to assignment 06, written as students write them.

RIGHT: {task: functions that must pass}; WRONG: {task: {known mistake: functions that
must fail and be told this mistake}}; "" stands for mistakes that have no sentence.
"""

from __future__ import annotations

import itertools
import math
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


def forgot_to_add_one(word):
    return _ids(word)


def added_one_to_bytes_only(word):
    if word in ("<S>", "</S>"):
        return [258, {"<S>": 257, "</S>": 258}[word], 259] + [260] * 47
    inside = [byte + 1 for byte in word.encode("utf-8", "ignore")[:48]]
    return [258, *inside, 259] + [260] * (48 - len(inside))


def used_ord(word):
    if word in ("<S>", "</S>"):
        return [i + 1 for i in _ids(word)]
    inside = [ord(letter) for letter in word][:48]
    return [i + 1 for i in [258] + inside + [259] + [260] * (48 - len(inside))]


def encoded_as_ascii(word):
    if word not in ("<S>", "</S>"):
        word = word.encode("ascii", errors="ignore").decode("ascii")
    return [i + 1 for i in _ids(word)]


def cut_the_string(word):
    if word in ("<S>", "</S>"):
        return [i + 1 for i in _ids(word)]
    found = [258] + list(word[:48].encode("utf-8", "ignore")) + [259]
    found += [260] * (50 - len(found))
    return [i + 1 for i in found][:50]


def kept_fifty_bytes(word):
    return [i + 1 for i in _ids(word, size=50)]


def cut_at_the_end(word):
    if word in ("<S>", "</S>"):
        return [i + 1 for i in _ids(word)]
    found = [258] + list(word.encode("utf-8", "ignore")) + [259]
    return [i + 1 for i in (found + [260] * 50)[:50]]


def swapped_the_marks(word):
    return [i + 1 for i in _ids(word, begin=259, end=258)]


def took_the_sentence_marks(word):
    return np.array(_ids(word, begin=256, end=257)) + 1


def zeros_behind_the_word(word):
    ids = np.array(_ids(word)) + 1
    ids[ids == 261] = 0
    return ids


def mark_in_the_last_place(word):
    ids = np.full(50, 261)
    row = _ids(word)
    row = row[: row.index(259)]
    ids[: len(row)] = np.array(row) + 1
    ids[49] = 260
    return ids


def filled_from_the_left(word):
    ids = [i + 1 for i in _ids(word) if i != 260]
    return [261] * (50 - len(ids)) + ids


def did_not_fill(word):
    return [i + 1 for i in _ids(word) if i != 260]


def spelled_the_sentence_marks(word):
    inside = list(word.encode("utf-8", "ignore")[:48])
    return [i + 1 for i in [258, *inside, 259] + [260] * (48 - len(inside))]


def exchanged_the_sentence_marks(word):
    if word == "<S>":
        return [i + 1 for i in _ids("</S>")]
    return [i + 1 for i in _ids("<S>" if word == "</S>" else word)]


def no_word_marks_at_sentence_marks(word):
    if word == "<S>":
        return [257] + [261] * 49
    if word == "</S>":
        return [258] + [261] * 49
    return [i + 1 for i in _ids(word)]


def lower_case(word):
    return [i + 1 for i in _ids(word if "S>" in word else word.lower())]


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
        rows.append([bool((f(x)[0, t] != f(zero)[0, t]).any()) for t in range(T)])
    return [list(column) for column in zip(*rows, strict=True)]


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


def asked_the_gradient(f, T, D):
    x = torch.randn(1, T, D, requires_grad=True)
    f(x)[0, 0].sum().backward()
    return x.grad[0].abs().sum(1) > 0


def rows_are_tokens(f, T, D):
    moved = _experiment(f, T, D, _fresh)
    return torch.stack([(moved[:, s].abs() > 1e-6).any(1) for s in range(T)])


def kept_the_changes(f, T, D):
    x = torch.randn(1, T, D)
    y = x.clone()
    seen = torch.zeros(T, T)
    for s in range(T):
        y[0, s] = torch.randn(D)
        seen[:, s] = (f(y) != f(x)).any(2)[0]
    return seen


def forgot_to_clone(f, T, D):
    x = torch.randn(1, T, D)
    seen = torch.zeros(T, T, dtype=torch.bool)
    for s in range(T):
        y = x
        y[0, s] = torch.randn(D)
        seen[:, s] = ((f(y) - f(x)).abs() > 1e-6).any(2)[0]
    return seen


def changed_everything(f, T, D):
    x, y = torch.randn(1, T, D), torch.randn(1, T, D)
    moved = ((f(x) - f(y)).abs() > 1e-6).any(2)[0]
    return moved[:, None].repeat(1, T)


def looked_at_all_states(f, T, D):
    moved = (_experiment(f, T, D, _fresh).abs() > 1e-6).any(2)
    return moved.any(0).repeat(T, 1)


def compared_sums(f, T, D):
    return _experiment(f, T, D, _fresh).mean(2).abs() > 1e-6


def pushed_all_features(f, T, D):
    return (_experiment(f, T, D, lambda x: x + 0.5).abs() > 1e-6).any(2)


def flipped_the_sign(f, T, D):
    return (_experiment(f, T, D, lambda x: -x) != 0).any(2)


def wanted_strong_ones(f, T, D):
    return (_experiment(f, T, D, _fresh).abs() > 0.03).any(2)


def said_the_opposite(f, T, D):
    return (_experiment(f, T, D, _fresh) == 0).all(2)


def left_the_diagonal_out(f, T, D):
    seen = (_experiment(f, T, D, _fresh) != 0).any(2)
    return seen & (torch.arange(T)[:, None] != torch.arange(T))


def knew_it_already(f, T, D):
    return np.tri(T, dtype=bool)


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


def did_not_zero(forward, backward, x, lengths):
    return torch.cat([forward(x), _turn(backward(_turn(x, lengths)), lengths)], 2)


def flipped_whole_rows(forward, backward, x, lengths):
    back = torch.flip(backward(torch.flip(x, dims=[1])), dims=[1])
    return _zeroed(torch.cat([forward(x), back], 2), lengths)


def zeroed_then_flipped(forward, backward, x, lengths):
    x = _zeroed(x, lengths)
    back = backward(x.flip(1)).flip(1)
    return _zeroed(torch.cat([forward(x), back], 2), lengths)


def did_not_turn_back(forward, backward, x, lengths):
    return _zeroed(torch.cat([forward(x), backward(_turn(x, lengths))], 2), lengths)


def did_not_turn(forward, backward, x, lengths):
    return _zeroed(torch.cat([forward(x), backward(x)], 2), lengths)


def turned_the_output_only(forward, backward, x, lengths):
    both = torch.cat([forward(x), _turn(backward(x), lengths)], 2)
    return _zeroed(both, lengths)


def wrong_order(forward, backward, x, lengths):
    back = _turn(backward(_turn(x, lengths)), lengths)
    return _zeroed(torch.cat([back, forward(x)], 2), lengths)


def summed(forward, backward, x, lengths):
    return _zeroed(forward(x) + _turn(backward(_turn(x, lengths)), lengths), lengths)


def joined_along_time(forward, backward, x, lengths):
    back = _turn(backward(_turn(x, lengths)), lengths)
    return torch.cat([_zeroed(forward(x), lengths), _zeroed(back, lengths)], 1)


def forward_twice(forward, backward, x, lengths):
    back = _turn(forward(_turn(x, lengths)), lengths)
    return _zeroed(torch.cat([forward(x), back], 2), lengths)


def flipped_the_batch(forward, backward, x, lengths):
    both = torch.cat([forward(x), backward(x.flip(0)).flip(0)], 2)
    return _zeroed(both, lengths)


def flipped_the_features(forward, backward, x, lengths):
    both = torch.cat([forward(x), backward(x.flip(-1)).flip(-1)], 2)
    return _zeroed(both, lengths)


def one_step_off(forward, backward, x, lengths):
    back = _zeroed(_turn(backward(_turn(x, lengths)), lengths), lengths)
    back = torch.cat([back[:, -1:], back[:, :-1]], 1)
    return _zeroed(torch.cat([forward(x), back], 2), lengths)


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


def averaged_the_batches(batches):
    losses = [-lp[m].mean() for lp, m in batches]
    return torch.stack(losses).mean().exp()


def averaged_perplexities(batches):
    return np.mean([math.exp(-lp[m].mean()) for lp, m in batches])


def averaged_sentences(batches):
    losses = []
    for log_probs, mask in batches:
        for row, real in zip(log_probs, mask, strict=True):
            losses.append(-row[real].mean())
    return torch.exp(torch.stack(losses).mean())


def ignored_the_mask(batches):
    total = sum(lp.sum() for lp, _ in batches)
    return torch.exp(-total / sum(lp.numel() for lp, _ in batches))


def divided_by_too_much(batches):
    total = sum(lp[m].sum() for lp, m in batches)
    return torch.exp(-total / sum(lp.numel() for lp, _ in batches))


def multiplied_the_mask(batches):
    total = sum((lp * m.float()).sum() for lp, m in batches)
    return torch.exp(-total / sum(m.sum() for _, m in batches))


def two_to_the_nats(batches):
    return 2 ** (-math.log(all_words_at_once(batches)) * -1)


def ten_to_the_nats(batches):
    return 10 ** math.log(all_words_at_once(batches))


def cross_entropy(batches):
    return torch.log(all_words_at_once(batches))


def lost_the_minus(batches):
    return 1 / all_words_at_once(batches)


def average_of_one_over_p(batches):
    return torch.cat([torch.exp(-lp[m]) for lp, m in batches]).mean()


def average_probability(batches):
    return 1 / torch.cat([torch.exp(lp[m]) for lp, m in batches]).mean()


def multiplied_probabilities(batches):
    p = torch.cat([torch.exp(lp[m]) for lp, m in batches])
    return torch.prod(p) ** (-1 / len(p))


def did_not_divide(batches):
    return torch.exp(-sum(lp[m].sum() for lp, m in batches))


def negated_the_mask(batches):
    return all_words_at_once([(lp, ~m) for lp, m in batches])


def weighted_the_means(batches):
    total = sum(lp[m].mean() * m.sum() for lp, m in batches)
    return torch.exp(-total / sum(m.sum() for _, m in batches))


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


def _nearest(vectors, senses, own=-9.0, choose=None, slack=1e-6, score=None):
    units = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    score = units @ units.T if score is None else score
    score[np.arange(len(score)), np.arange(len(score))] = own
    shares = []
    for i, row in enumerate(score):
        tied = [j for j, s in enumerate(row) if s >= row.max() - slack]
        right = [senses[j] == senses[i] for j in tied]
        shares.append(choose(right) if choose else sum(right) / len(right))
    return sum(shares) / len(shares)


def found_itself(vectors, senses):
    return _nearest(vectors, senses, own=1.5)


def counted_itself(vectors, senses):
    return _nearest(vectors, senses, own=1.0)


def masked_with_zero(vectors, senses):
    return _nearest(vectors, senses, own=0.0)


def argmax(vectors, senses):
    return _nearest(vectors, senses, choose=lambda right: right[0])


def last_argmax(vectors, senses):
    return _nearest(vectors, senses, choose=lambda right: right[-1])


def compared_exactly(vectors, senses):
    return _nearest(vectors, senses, slack=0.0)


def one_is_enough(vectors, senses):
    return _nearest(vectors, senses, choose=any)


def all_must_be_right(vectors, senses):
    return _nearest(vectors, senses, choose=all)


def let_them_vote(vectors, senses):
    return _nearest(vectors, senses, choose=lambda right: sum(right) > len(right) / 2)


def took_dot_products(vectors, senses):
    return _nearest(vectors, senses, own=-np.inf, score=vectors @ vectors.T)


def took_distances(vectors, senses):
    return _nearest(vectors, senses, own=-np.inf, score=-cdist(vectors, vectors))


def took_the_farthest(vectors, senses):
    units = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    return _nearest(vectors, senses, score=-(units @ units.T))


def counted_hits(vectors, senses):
    return len(senses) * _nearest(vectors, senses)


def second_of_the_sorted(vectors, senses):
    units = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    order = np.argsort(-(units @ units.T), axis=1)
    return np.mean([senses[j] == senses[i] for i, j in enumerate(order[:, 1])])


RIGHT = {
    "06.char_ids": [with_an_array, letter_by_letter, by_iterators],
    "06.sees": [one_call_for_all_tokens, several_tries, from_zero],
    "06.two_directions": [row_by_row, turned_in_a_loop, flip_and_roll, by_sorting],
    "06.perplexity": [all_words_at_once, with_numpy, word_by_word, in_bits],
    "06.nearest_sense": [with_a_matrix, in_torch, by_cosine_distance],
}

WRONG = {
    "06.char_ids": {
        "unshifted": [forgot_to_add_one],
        "half_shifted": [added_one_to_bytes_only],
        "characters": [used_ord],
        "ascii_only": [encoded_as_ascii],
        "cut_by_characters": [cut_the_string],
        "fifty_bytes": [kept_fifty_bytes],
        "end_mark_lost": [cut_at_the_end],
        "marks_swapped": [swapped_the_marks],
        "sentence_marks_around": [took_the_sentence_marks],
        "padded_with_zero": [zeros_behind_the_word],
        "end_mark_last": [mark_in_the_last_place],
        "padded_on_the_left": [filled_from_the_left],
        "not_padded": [did_not_fill],
        "marks_spelled": [spelled_the_sentence_marks],
        "sentence_marks_swapped": [exchanged_the_sentence_marks],
        "bare_sentence_marks": [no_word_marks_at_sentence_marks],
        "lower_cased": [lower_case],
        "": [upside_down_utf16],
    },
    "06.sees": {
        "by_gradient": [asked_the_gradient],
        "transposed": [rows_are_tokens],
        "not_restored": [kept_the_changes],
        "same_tensor": [forgot_to_clone],
        "all_tokens_at_once": [changed_everything],
        "any_state": [looked_at_all_states],
        "components_cancel": [compared_sums],
        "constant_push": [pushed_all_features],
        "negative_push": [flipped_the_sign],
        "threshold": [wanted_strong_ones],
        "negated": [said_the_opposite],
        "without_diagonal": [left_the_diagonal_out],
        "always_causal": [knew_it_already],
        "sizes": [returned_how_much],
        "": [returned_a_string],
    },
    "06.two_directions": {
        "padding_left": [did_not_zero],
        "whole_row": [flipped_whole_rows],
        "zeros_first": [zeroed_then_flipped],
        "not_turned_back": [did_not_turn_back],
        "same_direction": [did_not_turn, flipped_the_batch],
        "only_output_turned": [turned_the_output_only],
        "backward_first": [wrong_order],
        "added": [summed],
        "joined_in_time": [joined_along_time],
        "one_stack": [forward_twice],
        "features_turned": [flipped_the_features],
        "shifted_by_one": [one_step_off],
        "": [averaged],
    },
    "06.perplexity": {
        "mean_of_batch_means": [averaged_the_batches],
        "mean_of_perplexities": [averaged_perplexities],
        "mean_of_sentences": [averaged_sentences],
        "padding_counted": [ignored_the_mask],
        "divided_by_all": [divided_by_too_much],
        "multiplied_by_mask": [multiplied_the_mask],
        "power_of_two": [two_to_the_nats],
        "power_of_ten": [ten_to_the_nats],
        "no_exp": [cross_entropy],
        "no_minus": [lost_the_minus],
        "mean_of_inverses": [average_of_one_over_p],
        "mean_of_probabilities": [average_probability],
        "product": [multiplied_probabilities],
        "not_divided": [did_not_divide],
        "mask_inverted": [negated_the_mask],
        "weighted_batch_means": [weighted_the_means],
        "": [divided_by_sentences],
    },
    "06.nearest_sense": {
        "finds_itself": [found_itself],
        "among_its_neighbours": [counted_itself],
        "own_is_zero": [masked_with_zero],
        "first_of_ties": [argmax],
        "last_of_ties": [last_argmax],
        "exact_ties": [compared_exactly],
        "any_of_ties": [one_is_enough],
        "all_of_ties": [all_must_be_right],
        "ties_vote": [let_them_vote],
        "dot_product": [took_dot_products],
        "euclidean": [took_distances],
        "farthest": [took_the_farthest],
        "not_a_share": [counted_hits],
        "": [second_of_the_sorted],
    },
}
