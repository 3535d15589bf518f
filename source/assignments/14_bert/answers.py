"""Known answers to assignment 14, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import numpy as np
import torch

CLS, SEP, MASK, MARKS, NONE = 2, 3, 4, 9, -100


# 1. row


def with_lists(one, other):
    pieces, segments = [CLS], [0]
    for piece in list(one) + [SEP]:
        pieces.append(piece)
        segments.append(0)
    if other:
        for piece in list(other) + [SEP]:
            pieces.append(piece)
            segments.append(1)
    print(pieces)  # costs nothing
    return [pieces, segments, list(range(len(pieces)))]


def by_counting_separators(one, other):
    pieces = [CLS] + one + [SEP] + (other + [SEP] if other else [])
    ends = np.cumsum(np.array(pieces) == SEP) - (np.array(pieces) == SEP)
    return np.stack([pieces, np.minimum(ends, 1), np.arange(len(pieces))])


def in_torch(one, other):
    second = torch.tensor([*other, SEP] if other else [], dtype=torch.long)
    pieces = torch.cat([torch.tensor([CLS, *one, SEP]), second])
    segments = (torch.arange(len(pieces)) >= len(one) + 2).long()
    return torch.stack([pieces, segments, torch.arange(len(pieces))])


def _row(one, other, cls=True, sep=True, last=True):
    first = [CLS] * cls + list(one) + [SEP] * sep
    second = list(other) + [SEP] * last if other else []
    n = len(first) + len(second)
    return np.array(
        [first + second, [0] * len(first) + [1] * len(second), list(range(n))]
    )


def b_begins_at_sep(one, other):
    found = _row(one, other)
    found[1] = [int(i >= len(one) + 1) for i in range(found.shape[1])]
    return found


def no_sep_at_the_end(one, other):
    return _row(one, other, last=False)


def no_sep_between(one, other):
    return _row(one, other, sep=False)


def without_cls(one, other):
    return _row(one, other, cls=False)


def sep_for_nothing(one, other):
    pieces = [CLS, *one, SEP, *other, SEP]
    cut = len(one) + 2
    return np.array(
        [pieces, [int(i >= cut) for i in range(len(pieces))], range(len(pieces))]
    )


def counts_again_in_b(one, other):
    found = _row(one, other)
    found[2, len(one) + 2 :] -= len(one) + 2
    return found


def counts_from_one(one, other):
    found = _row(one, other)
    found[2] += 1
    return found


def segments_a_and_b(one, other):
    found = _row(one, other)
    found[1] += 1
    return found


def forgot_segments(one, other):
    found = _row(one, other)
    found[1] = 0
    return found


def own_segment_for_cls(one, other):
    found = _row(one, other)
    found[1, 0] = -1
    return found


def mask_for_sep(one, other):
    found = _row(one, other)
    found[0][found[0] == SEP] = MASK
    return found


# 2. hide


def place_by_place(tokens, u, dice, others):
    read, targets = list(tokens), [NONE] * len(tokens)
    for i in range(len(tokens)):
        if tokens[i] < MARKS or u[i] >= 0.15:
            continue
        targets[i] = tokens[i]
        if dice[i] < 0.8:
            read[i] = MASK
        elif dice[i] < 0.9:
            read[i] = others[i]
    return read, targets


def with_indices(tokens, u, dice, others):
    read, targets = tokens.copy(), np.full(len(tokens), NONE)
    chosen = np.flatnonzero((u < 0.15) & (tokens > 8))
    targets[chosen] = tokens[chosen]
    read[chosen[dice[chosen] < 0.9]] = others[chosen[dice[chosen] < 0.9]]
    read[chosen[dice[chosen] < 0.8]] = MASK
    return np.vstack([read, targets])


def with_select(tokens, u, dice, others):
    asked = np.logical_and(u < 0.15, tokens >= MARKS)
    rules = [~asked, dice < 0.8, dice < 0.9]
    read = np.select(rules, [tokens, np.full_like(tokens, MASK), others], tokens)
    return torch.tensor(np.array([read, np.where(asked, tokens, NONE)]))


def _hide(tokens, u, dice, others, chosen=None, low=0.8, high=0.9):
    chosen = (u < 0.15) & (tokens >= MARKS) if chosen is None else chosen
    read = tokens.copy()
    read[chosen & (dice < low)] = MASK
    swap = chosen & (dice >= low) & (dice < high)
    read[swap] = others[swap]
    return np.array([read, np.where(chosen, tokens, NONE)])


def forgot_the_marks(tokens, u, dice, others):
    return _hide(tokens, u, dice, others, chosen=u < 0.15)


def asks_for_all(tokens, u, dice, others):
    return np.array([_hide(tokens, u, dice, others)[0], tokens])


def target_of_what_is_read(tokens, u, dice, others):
    read, targets = _hide(tokens, u, dice, others)
    return np.array([read, np.where(targets == NONE, NONE, read)])


def asks_only_what_changed(tokens, u, dice, others):
    read, targets = _hide(tokens, u, dice, others)
    return np.array([read, np.where(read == tokens, NONE, targets)])


def asks_only_masks(tokens, u, dice, others):
    read, targets = _hide(tokens, u, dice, others)
    return np.array([read, np.where(read == MASK, targets, NONE)])


def nothing_but_masks(tokens, u, dice, others):
    return _hide(tokens, u, dice, others, low=2, high=2)


def ten_and_ten_exchanged(tokens, u, dice, others):
    read, targets = _hide(tokens, u, dice, others, low=0.8, high=0.8)
    late = (targets != NONE) & (dice >= 0.9)
    return np.array([np.where(late, others, read), targets])


def eighty_twenty(tokens, u, dice, others):
    return _hide(tokens, u, dice, others, high=2)


def no_random_piece(tokens, u, dice, others):
    return _hide(tokens, u, dice, others, high=0.8)


def chooses_by_dice(tokens, u, dice, others):
    return _hide(tokens, u, dice, others, (dice < 0.15) & (tokens >= MARKS))


def single_die(tokens, u, dice, others):
    return _hide(tokens, u, u, others)


def too_many(tokens, u, dice, others):
    return _hide(tokens, u, dice, others, (u > 0.15) & (tokens >= MARKS))


def target_zero(tokens, u, dice, others):
    found = _hide(tokens, u, dice, others)
    found[found == NONE] = 0
    return found


# 3. pairs


def with_an_iterator(documents, coins, draws):
    luck, rows = iter(zip(coins, draws, strict=True)), []
    for k in range(len(documents)):
        rest = sum(documents[:k] + documents[k + 1 :], [])
        for i in range(len(documents[k]) - 1):
            coin, draw = next(luck)
            follows = coin < 0.5
            b = documents[k][i + 1] if follows else rest[int(draw * len(rest))]
            rows.append([documents[k][i], b, int(follows)])
    return rows


def as_columns(documents, coins, draws):
    of = [d for d, document in enumerate(documents) for _ in document]
    flat = np.concatenate([np.array(d) for d in documents])
    of = np.array(of)
    at = np.flatnonzero(of[:-1] == of[1:])
    b = flat[at + 1].copy()
    for n, i in enumerate(at):
        if coins[n] >= 0.5:
            others = flat[of != of[i]]
            b[n] = others[int(np.floor(draws[n] * len(others)))]
    return np.column_stack([flat[at], b, np.array(coins) < 0.5])


def with_pop(documents, coins, draws):
    coins, draws = list(coins), list(draws)
    found = torch.empty(len(coins), 3)
    n = 0
    for document in documents:
        others = [s for other in documents if other is not document for s in other]
        for a, b in zip(document[:-1], document[1:], strict=True):
            coin, draw = coins.pop(0), draws.pop(0)
            wrong = others[int(draw // (1 / len(others)))] if coin >= 0.5 else b
            found[n] = torch.tensor([a, wrong, coin < 0.5])
            n += 1
    return found


def _pairs(documents, coins, draws, others_of=None, number=int, heads=None):
    found, n = [], 0
    for k, document in enumerate(documents):
        rest = [s for j, d in enumerate(documents) if j != k for s in d]
        for a, b in zip(document, document[1:], strict=False):
            pool = others_of(documents, k, a, b) if others_of else rest
            if heads(coins[n]) if heads else coins[n] < 0.5:
                found.append((a, b, 1))
            else:
                i = min(number(draws[n] * len(pool)), len(pool) - 1)
                found.append((a, pool[i], 0))
            n += 1
    return np.array(found)


def over_the_border(documents, coins, draws):
    flat = [(k, s) for k, document in enumerate(documents) for s in document]
    found = []
    for n, ((k, a), (_, b)) in enumerate(zip(flat, flat[1:], strict=False)):
        if n == len(coins):
            break
        rest = [s for j, s in flat if j != k]
        follows = coins[n] < 0.5
        found.append((a, b if follows else rest[int(draws[n] * len(rest))], follows))
    return np.array(found)


def from_anywhere(documents, coins, draws):
    return _pairs(documents, coins, draws, lambda ds, k, a, b: sum(ds, []))


def from_the_same_document(documents, coins, draws):
    def others(ds, k, a, b):
        own = [s for s in ds[k] if s not in (a, b)]
        return own or [s for j, d in enumerate(ds) if j != k for s in d]

    return _pairs(documents, coins, draws, others)


def zero_means_next(documents, coins, draws):
    found = _pairs(documents, coins, draws)
    found[:, 2] = 1 - found[:, 2]
    return found


def tails_means_next(documents, coins, draws):
    return _pairs(documents, coins, draws, heads=lambda coin: coin > 0.5)


def tails_or_half(documents, coins, draws):
    return _pairs(documents, coins, draws, heads=lambda coin: coin >= 0.5)


def never_wrong(documents, coins, draws):
    return _pairs(documents, coins, draws, heads=lambda coin: True)


def forgot_the_wrong_ones(documents, coins, draws):
    found = _pairs(documents, coins, draws)
    return found[found[:, 2] == 1]


def one_too_far(documents, coins, draws):
    return _pairs(documents, coins, draws, number=lambda x: int(np.ceil(x)))


def nearest_number(documents, coins, draws):
    return _pairs(documents, coins, draws, number=lambda x: int(round(x)))


def no_label(documents, coins, draws):
    return _pairs(documents, coins, draws)[:, :2]


def drawn_in_reverse(documents, coins, draws):
    return _pairs(documents, coins, draws[::-1])


# 4. span


def two_loops(begin, end, first, longest):
    best, where = -float("inf"), None
    for i in range(first, len(begin)):
        for j in range(i, min(i + longest, len(end))):
            if begin[i] + end[j] > best:
                best, where = begin[i] + end[j], (i, j)
    return where


def with_bands(begin, end, first, longest):
    sums = torch.tensor(begin)[:, None] + torch.tensor(end)[None]
    allowed = torch.ones_like(sums).triu().tril(longest - 1).bool()
    allowed[:first] = False
    place = int(sums.masked_fill(~allowed, -torch.inf).argmax())
    return torch.tensor([place // len(end), place % len(end)])


def by_length(begin, end, first, longest):
    found = []
    for n in range(longest):
        sums = begin[first : len(begin) - n] + end[first + n :]
        if len(sums):
            k = int(np.argmax(sums))
            found.append((sums[k], first + k, first + k + n))
    return max(found)[1:]


def _span(begin, end, first, longest, ok=lambda i, j, n: 0 <= j - i < n):
    pairs = [
        (begin[i] + end[j], i, j)
        for i in range(first, len(begin))
        for j in range(first, len(end))
        if ok(i, j, longest)
    ]
    return np.array(max(pairs)[1:] if pairs else (0, 0))


def two_argmaxes(begin, end, first, longest):
    return first + begin[first:].argmax(), first + end[first:].argmax()


def greedy_begin(begin, end, first, longest):
    i = begin[first:].argmax() + first
    return i, i + end[i : i + longest].argmax()


def greedy_end(begin, end, first, longest):
    j = end[first:].argmax() + first
    start = max(first, j + 1 - longest)
    return start + begin[start : j + 1].argmax(), j


def backwards_too(begin, end, first, longest):
    return _span(begin, end, first, longest, lambda i, j, n: j - i < n)


def two_pieces_at_least(begin, end, first, longest):
    return _span(begin, end, first, longest, lambda i, j, n: 0 < j - i < n)


def off_by_one(begin, end, first, longest):
    return _span(begin, end, first, longest, lambda i, j, n: 0 <= j - i <= n)


def off_by_one_below(begin, end, first, longest):
    return _span(begin, end, first, longest, lambda i, j, n: 0 <= j - i < max(1, n - 1))


def no_limit(begin, end, first, longest):
    return _span(begin, end, first, longest, lambda i, j, n: j >= i)


def whole_row(begin, end, first, longest):
    return _span(begin, end, 0, longest)


def multiplied(begin, end, first, longest):
    best, where = -np.inf, (0, 0)
    for i in range(first, len(begin)):
        for j in range(i, min(len(end), i + longest)):
            if begin[i] * end[j] > best:
                best, where = begin[i] * end[j], (i, j)
    return where


def python_slice(begin, end, first, longest):
    i, j = _span(begin, end, first, longest)
    return i, j + 1


def place_in_paragraph(begin, end, first, longest):
    return _span(begin, end, first, longest) - first


def begin_and_length(begin, end, first, longest):
    i, j = _span(begin, end, first, longest)
    return i, j - i + 7


# 5. leaks


def matrix_product(layers, hidden, predicts):
    T = len(hidden)
    reach = np.eye(T)
    for layer in layers:
        reach = (np.array(layer) + np.eye(T)) @ reach
    return [
        int(p >= 0 and reach[i, p] > 0 and not hidden[p])
        for i, p in enumerate(predicts)
    ]


def by_sets(layers, hidden, predicts):
    known = [{i} for i in range(len(hidden))]
    for layer in layers:
        new = []
        for i, mine in enumerate(known):
            mine = set(mine)
            for j in range(len(hidden)):
                if layer[i][j]:
                    mine |= known[j]
            new.append(mine)
        known = new
    return np.array([
        p >= 0 and p in mine and hidden[p] == 0
        for mine, p in zip(known, predicts, strict=True)
    ])  # fmt: skip


def downwards(layers, hidden, predicts):
    # From the answer's state down to the words, one layer after the other.
    found = []
    for i, p in enumerate(predicts):
        frontier = {i}
        for layer in reversed(layers):
            frontier |= {j for k in frontier for j in range(len(hidden)) if layer[k][j]}
        found.append(float(p != -1 and p in frontier and not hidden[p]))
    return torch.tensor(found)


def _reach(layers, own=True):
    T = len(layers[0])
    reach = np.eye(T)
    for layer in layers:
        reach = (np.array(layer) + own * np.eye(T)) @ reach
    return reach > 0


def _leaks(reach, hidden, predicts):
    rows = np.arange(len(hidden))
    leak = reach[rows, predicts] & (np.array(hidden)[predicts] == 0)
    return leak & (np.array(predicts) >= 0)


def last_layer(layers, hidden, predicts):
    return _leaks(_reach(layers[-1:]), hidden, predicts)


def first_layer(layers, hidden, predicts):
    return _leaks(_reach(layers[:1]), hidden, predicts)


def in_some_layer(layers, hidden, predicts):
    some = np.eye(len(hidden), dtype=bool)
    for layer in layers:
        some |= np.array(layer) > 0
    return _leaks(some, hidden, predicts)


def forgets_itself(layers, hidden, predicts):
    return _leaks(_reach(layers, own=False), hidden, predicts)


def from_the_top(layers, hidden, predicts):
    return _leaks(_reach(layers[::-1]), hidden, predicts)


def columns_for_rows(layers, hidden, predicts):
    return _leaks(_reach([np.array(x).T for x in layers]), hidden, predicts)


def masks_ignored(layers, hidden, predicts):
    return _leaks(_reach(layers), np.zeros(len(hidden)), predicts)


def looks_at_its_own_mask(layers, hidden, predicts):
    leak = _leaks(_reach(layers), np.zeros(len(hidden)), predicts)
    return leak & (np.array(hidden) == 0)


def minus_one_is_last(layers, hidden, predicts):
    reach = _reach(layers)
    rows = np.arange(len(hidden))
    return reach[rows, predicts] & (np.array(hidden)[predicts] == 0)


def safe_instead(layers, hidden, predicts):
    return ~_leaks(_reach(layers), hidden, predicts)


def any_at_all(layers, hidden, predicts):
    return _leaks(_reach(layers), hidden, predicts).any()


RIGHT = {
    "14.row": [with_lists, by_counting_separators, in_torch],
    "14.hide": [place_by_place, with_indices, with_select],
    "14.pairs": [with_an_iterator, as_columns, with_pop],
    "14.span": [two_loops, with_bands, by_length],
    "14.leaks": [matrix_product, by_sets, downwards],
}

WRONG = {
    "14.row": {
        "sep_in_b": [b_begins_at_sep],
        "no_last_sep": [no_sep_at_the_end],
        "no_first_sep": [no_sep_between],
        "no_cls": [without_cls],
        "empty_b": [sep_for_nothing],
        "positions_restart": [counts_again_in_b],
        "positions_from_one": [counts_from_one],
        "segments_one_two": [segments_a_and_b],
        "one_segment": [forgot_segments],
        "cls_alone": [own_segment_for_cls],
        "": [mask_for_sep],
    },
    "14.hide": {
        "marks_too": [forgot_the_marks],
        "targets_everywhere": [asks_for_all],
        "target_after": [target_of_what_is_read],
        "kept_not_asked": [asks_only_what_changed],
        "only_masks_asked": [asks_only_masks],
        "always_mask": [nothing_but_masks, single_die],
        "swap_and_keep_swapped": [ten_and_ten_exchanged],
        "never_kept": [eighty_twenty],
        "never_swapped": [no_random_piece],
        "chosen_by_the_second_die": [chooses_by_dice],
        "eighty_five": [too_many],
        "": [target_zero],
    },
    "14.pairs": {
        "across_borders": [over_the_border],
        "own_document_too": [from_anywhere],
        "own_document_only": [from_the_same_document],
        "labels_turned": [zero_means_next],
        "coin_turned": [tails_means_next, tails_or_half],
        "always_follows": [never_wrong],
        "only_followers": [forgot_the_wrong_ones],
        "rounded_up": [one_too_far],
        "rounded": [nearest_number],
        "without_labels": [no_label],
        "": [drawn_in_reverse],
    },
    "14.span": {
        "each_alone": [two_argmaxes],
        "begin_first": [greedy_begin],
        "end_first": [greedy_end],
        "end_before_begin": [backwards_too],
        "no_single": [two_pieces_at_least],
        "one_too_long": [off_by_one],
        "one_too_short": [off_by_one_below],
        "any_length": [no_limit],
        "from_the_question": [whole_row],
        "product": [multiplied],
        "end_excluded": [python_slice],
        "counted_in_the_paragraph": [place_in_paragraph],
        "": [begin_and_length],
    },
    "14.leaks": {
        "top_layer_only": [last_layer],
        "lowest_layer_only": [first_layer],
        "any_layer": [in_some_layer],
        "no_residual": [forgets_itself],
        "upside_down": [from_the_top],
        "turned_round": [columns_for_rows],
        "hidden_forgotten": [masks_ignored],
        "own_place_hidden": [looks_at_its_own_mask],
        "nothing_asked": [minus_one_is_last],
        "upside_of_answer": [safe_instead],
        "": [any_at_all],
    },
}
