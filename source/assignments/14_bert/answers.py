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


def tails_means_next(documents, coins, draws):
    return _pairs(documents, coins, draws, heads=lambda coin: coin > 0.5)


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


def any_at_all(layers, hidden, predicts):
    return _leaks(_reach(layers), hidden, predicts).any()


# 6. parity


def block(mine, x, heads=2):
    """Run a post-norm BERT block on weights under our names. Shape: (T, D) to same."""

    def linear(name, x):
        return x @ mine[f"{name}.weight"].T + mine[f"{name}.bias"]

    def norm(name, x):
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
        return mine[f"{name}.weight"] * x + mine[f"{name}.bias"]

    T, D = x.shape
    parts = np.split(linear("attention.qkv", x), 3, axis=1)  # query, key, value: (T, D)
    q, k, v = (p.reshape(T, heads, -1).swapaxes(0, 1) for p in parts)  # (H, T, D/H)
    scores = q @ k.swapaxes(1, 2) / np.sqrt(D / heads)  # (H, T, T)
    scores = np.exp(scores - scores.max(axis=2, keepdims=True))
    looked = (scores / scores.sum(axis=2, keepdims=True)) @ v  # (H, T, D/H)
    looked = looked.swapaxes(0, 1).reshape(T, D)
    x = norm("after_looking", x + linear("attention.mix", looked))
    inner = linear("feed_forward.0", x)  # (T, inner)
    inner = inner / 2 * (1 + np.tanh(0.79788456 * (inner + 0.044715 * inner**3)))
    return norm("after_thinking", x + linear("feed_forward.2", inner))


TABLE = """attention.mix attention.output.dense
after_looking attention.output.LayerNorm
feed_forward.0 intermediate.dense
feed_forward.2 output.dense
after_thinking output.LayerNorm"""
OLD = {"weight": "gamma", "bias": "beta"}


def with_a_table(theirs, k, x):
    at, mine = f"encoder.layer.{k}.", {}
    for end in ("weight", "bias"):
        for line in TABLE.splitlines():
            ours, name = line.split()
            found = at + name + "." + end
            if found not in theirs:
                found = at + name + "." + OLD[end]
            mine[ours + "." + end] = theirs[found]
        parts = ("query", "key", "value")
        three = [theirs[f"{at}attention.self.{p}.{end}"] for p in parts]
        mine["attention.qkv." + end] = np.concatenate(three, axis=0)
    return block(mine, x)


def from_their_side(theirs, k, x):
    back = dict(reversed(line.split()) for line in TABLE.splitlines())
    at, mine, parts = f"encoder.layer.{k}.", {}, {}
    for name, w in theirs.items():
        if not name.startswith(at):
            continue
        middle, _, end = name[len(at) :].rpartition(".")
        end = {"gamma": "weight", "beta": "bias"}.get(end, end)
        if middle in back:
            mine[f"{back[middle]}.{end}"] = w
        else:
            parts[middle.split(".")[-1], end] = w
    for end, stack in (("weight", np.vstack), ("bias", np.hstack)):
        mine[f"attention.qkv.{end}"] = stack(
            [parts[p, end] for p in ("query", "key", "value")]
        )
    return block(mine, x)


def filled_in(theirs, k, x):
    D = x.shape[1]
    at = lambda name: theirs[f"encoder.layer.{k}.{name}"]  # noqa: E731
    W, b = np.zeros((3 * D, D)), np.zeros(3 * D)
    for i, p in enumerate(("query", "key", "value")):
        W[i * D : (i + 1) * D] = at(f"attention.self.{p}.weight")
        b[i * D : (i + 1) * D] = at(f"attention.self.{p}.bias")
    mine = {"attention.qkv.weight": W, "attention.qkv.bias": b}
    for line in TABLE.splitlines():
        ours, name = line.split()
        for end in OLD:
            try:
                mine[f"{ours}.{end}"] = at(f"{name}.{end}")
            except KeyError:
                mine[f"{ours}.{end}"] = at(f"{name}.{OLD[end]}")
    return torch.tensor(block(mine, x))


def new_names_only(theirs, k, x):
    mine = {}
    for end in ("weight", "bias"):
        for line in TABLE.splitlines():
            ours, name = line.split()
            mine[f"{ours}.{end}"] = theirs[f"encoder.layer.{k}.{name}.{end}"]
        mine[f"attention.qkv.{end}"] = np.concatenate(
            [theirs[f"encoder.layer.{k}.attention.self.{p}.{end}"]
             for p in ("query", "key", "value")]
        )  # fmt: skip
    return block(mine, x)


def query_last(theirs, k, x):
    other = {}
    for name, w in theirs.items():
        for one, two in (("query", "key"), ("key", "query")):
            if f".{one}." in name:
                name = name.replace(one, two)
                break
        other[name] = w
    return with_a_table(other, k, x)


RIGHT = {
    "14.row": [with_lists, by_counting_separators, in_torch],
    "14.hide": [place_by_place, with_indices, with_select],
    "14.pairs": [with_an_iterator, as_columns, with_pop],
    "14.span": [two_loops, with_bands, by_length],
    "14.leaks": [matrix_product, by_sets, downwards],
    "14.parity": [with_a_table, from_their_side, filled_in],
}

WRONG = {
    "14.row": {
        "": [mask_for_sep],
    },
    "14.hide": {
        "": [target_zero],
    },
    "14.pairs": {
        "coin_turned": [tails_means_next],
        "": [drawn_in_reverse],
    },
    "14.span": {
        "each_alone": [two_argmaxes],
        "": [begin_and_length],
    },
    "14.leaks": {
        "": [any_at_all],
    },
    "14.parity": {
        "query_key_swapped": [query_last],
        "": [new_names_only],
    },
}
