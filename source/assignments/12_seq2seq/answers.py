"""Known answers to assignment 12, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import torch
from torch.nn import functional as F

# 1. context


def one_query_at_a_time(q, first, top, lengths):
    out = torch.zeros(q.shape[0], q.shape[1], 2 * q.shape[2], dtype=q.dtype)
    for b in range(len(q)):
        n = int(lengths[b])
        for i in range(q.shape[1]):
            alpha = torch.softmax(top[b, :n] @ q[b, i], dim=0)
            seen = torch.cat([first[b, :n], top[b, :n]], dim=1)
            out[b, i] = alpha @ seen
    return out


def with_einsum(q, first, top, lengths):
    q, first, top = q.numpy(), first.numpy(), top.numpy()
    scores = np.einsum("btd,bsd->bts", q, top)
    behind = np.arange(top.shape[1])[None, None] >= lengths.numpy()[:, None, None]
    scores = np.where(behind, -1e30, scores)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    alpha = e / e.sum(-1, keepdims=True)
    return np.concatenate(
        [np.einsum("bts,bsd->btd", alpha, h) for h in (first, top)], 2
    )


def weights_then_renormalised(q, first, top, lengths):
    # Masking after the softmax is right if the rest is made to add up to 1 again.
    alpha = (q @ top.mT).softmax(-1)
    alpha = alpha * (torch.arange(top.shape[1]) < lengths[:, None])[:, None]
    alpha = alpha / alpha.sum(-1, keepdim=True)
    print(alpha.shape)  # costs nothing
    return torch.cat([torch.bmm(alpha, first), torch.bmm(alpha, top)], dim=-1)


def _attend(q, first, top, lengths, keys=None, mask=True, scale=1.0):
    scores = q @ (top if keys is None else keys).mT * scale
    here = (torch.arange(top.shape[1]) < lengths[:, None])[:, None]
    if mask:
        scores = scores.masked_fill(~here, -torch.inf)
    return scores, here


def forgot_lengths(q, first, top, lengths):
    alpha = _attend(q, first, top, lengths, mask=False)[0].softmax(2)
    return torch.cat([alpha @ first, alpha @ top], 2)


def zeroed_afterwards(q, first, top, lengths):
    scores, here = _attend(q, first, top, lengths, mask=False)
    alpha = scores.softmax(2) * here
    return torch.cat([alpha @ first, alpha @ top], 2)


def zeroed_scores(q, first, top, lengths):
    scores, here = _attend(q, first, top, lengths, mask=False)
    alpha = (scores * here).softmax(2)
    return torch.cat([alpha @ first, alpha @ top], 2)


def first_layer_asked(q, first, top, lengths):
    alpha = _attend(q, first, top, lengths, keys=first)[0].softmax(2)
    return torch.cat([alpha @ first, alpha @ top], 2)


def each_layer_its_own(q, first, top, lengths):
    found = [_attend(q, first, top, lengths, keys=h)[0].softmax(2) @ h
             for h in (first, top)]  # fmt: skip
    return torch.cat(found, dim=2)


def top_comes_first(q, first, top, lengths):
    alpha = _attend(q, first, top, lengths)[0].softmax(2)
    return torch.cat([alpha @ top, alpha @ first], 2)


def top_twice(q, first, top, lengths):
    alpha = _attend(q, first, top, lengths)[0].softmax(2)
    return (alpha @ top).repeat(1, 1, 2)


def as_in_transformers(q, first, top, lengths):
    D = q.shape[-1]
    alpha = _attend(q, first, top, lengths, scale=1 / math.sqrt(D))[0].softmax(2)
    return torch.cat([alpha @ first, alpha @ top], 2)


def raw_scores(q, first, top, lengths):
    scores, here = _attend(q, first, top, lengths, mask=False)
    scores = scores * here
    return torch.cat([scores @ first, scores @ top], 2)


def argmax_only(q, first, top, lengths):
    scores = _attend(q, first, top, lengths)[0]
    alpha = F.one_hot(scores.argmax(2), top.shape[1]).to(q.dtype)
    return torch.cat([alpha @ first, alpha @ top], 2)


def added(q, first, top, lengths):
    alpha = _attend(q, first, top, lengths)[0].softmax(2)
    return alpha @ first + alpha @ top


# 2. copied


def with_a_new_dictionary(model, source, target, parts):
    new = dict(model)
    for part in parts:
        side, _, rest = part.partition(".")
        lm = source if side == "source" else target
        for name, tensor in lm.items():
            if name == rest or name.startswith(f"{rest}."):
                new[f"{side}.{name}"] = tensor
    return [tensor.sum().item() for tensor in new.values()]


def with_pieces(model, source, target, parts):
    wanted = [part.split(".") for part in parts]
    out = []
    for name, value in model.items():
        pieces = name.split(".")
        if any(pieces[: len(w)] == w for w in wanted):
            lm = {"source": source, "target": target}[pieces[0]]
            value = lm[".".join(pieces[1:])]
        out.append(value.sum())
    return torch.stack(out)


def with_set_of_prefixes(model, source, target, parts):
    chosen, sums = set(parts), np.zeros(len(model))
    for i, (name, tensor) in enumerate(model.items()):
        pieces = name.split(".")
        prefixes = {".".join(pieces[: k + 1]) for k in range(len(pieces))}
        side = source if name.startswith("source.") else target
        sums[i] = (side[name[7:]] if prefixes & chosen else tensor).sum()
    return sums


def _copied(model, source, target, parts, wanted, choose=None, rename=None):
    sums = []
    for name, tensor in model.items():
        if any(wanted(name, part) for part in parts):
            lm = (choose or _side)(name, source, target)
            tensor = lm.get((rename or _short)(name), tensor)
        sums.append(float(tensor.sum()))
    return sums


def _side(name, source, target):
    return source if name.split(".")[0] == "source" else target


def _short(name):
    return name.split(".", 1)[-1]


def _belongs(name, part):
    return name == part or name.startswith(part + ".")


def any_beginning(model, source, target, parts):
    return _copied(model, source, target, parts, lambda n, p: n[: len(p)] == p)


def equal_names(model, source, target, parts):
    return _copied(model, source, target, parts, lambda n, p: n == p)


def dot_always(model, source, target, parts):
    return _copied(model, source, target, parts, lambda n, p: n.startswith(p + "."))


def wrong_way_round(model, source, target, parts):
    return _copied(model, target, source, parts, _belongs)


def source_for_all(model, source, target, parts):
    return _copied(model, source, source, parts, _belongs)


def kept_the_side(model, source, target, parts):
    return _copied(model, source, target, parts, _belongs, rename=lambda n: n)


def copied_everything(model, source, target, parts):
    every = [f"{side}.{name}" for side, of in (("source", source), ("target", target))
             for name in of]  # fmt: skip
    return _copied(model, source, target, every, _belongs)


def list_of_copied(model, source, target, parts):
    sums = _copied(model, source, target, parts, _belongs)
    return [s for s, n in zip(sums, model, strict=True)
            if any(_belongs(n, p) for p in parts)]  # fmt: skip


def alphabetical(model, source, target, parts):
    return _copied(dict(sorted(model.items())), source, target, parts, _belongs)


def mean_values(model, source, target, parts):
    sums = []
    for name, tensor in model.items():
        if any(_belongs(name, part) for part in parts):
            tensor = _side(name, source, target)[_short(name)]
        sums.append(tensor.mean())
    return torch.stack(sums)


# 3. joint


def with_cross_entropy(logits, targets):
    return sum(
        F.cross_entropy(x.flatten(0, 1), y.flatten(), ignore_index=-100)
        for x, y in zip(logits, targets, strict=True)
    )


def with_numpy(logits, targets):
    total = 0
    for x, y in zip(logits, targets, strict=True):
        x, y = x.numpy(), y.numpy()
        log_z = np.log(np.exp(x).sum(-1))
        own = np.take_along_axis(x, np.maximum(y, 0)[..., None], 2)[..., 0]
        total += (log_z - own)[y >= 0].mean()
    return total


def word_after_word(logits, targets):
    total = 0.0
    for x, y in zip(logits, targets, strict=True):
        costs = []
        for b in range(y.shape[0]):
            for i in range(y.shape[1]):
                if y[b, i] != -100:
                    costs.append(-x[b, i].softmax(0)[y[b, i]].log())
        total = total + torch.stack(costs).mean()
    return total


def _cost(x, y, **options):
    return F.cross_entropy(x.flatten(0, 1), y.flatten(), **options)


def over_everything(logits, targets):
    return sum(
        _cost(x, y, reduction="sum") / y.numel()
        for x, y in zip(logits, targets, strict=True)
    )


def summed(logits, targets):
    pairs = zip(logits, targets, strict=True)
    return sum(_cost(x, y, reduction="sum") for x, y in pairs)


def one_pot(logits, targets):
    sums = [_cost(x, y, reduction="sum") for x, y in zip(logits, targets, strict=True)]
    return sum(sums) / sum((y != -100).sum() for y in targets)


def divided_by_three(logits, targets):
    return with_cross_entropy(logits, targets) / 3


def pairs_only(logits, targets):
    return _cost(logits[0], targets[0])


def no_source(logits, targets):
    return with_cross_entropy(logits[::2], targets[::2])


def no_target(logits, targets):
    return with_cross_entropy(logits[:2], targets[:2])


def language_models_only(logits, targets):
    return with_cross_entropy(logits[1:], targets[1:])


def log_likelihood(logits, targets):
    return -with_cross_entropy(logits, targets)


def in_bits(logits, targets):
    return with_cross_entropy(logits, targets) / math.log(2)


def padding_is_word_zero(logits, targets):
    pairs = zip(logits, targets, strict=True)
    return sum(_cost(x, y.clamp(min=0)) for x, y in pairs)


def mean_by_sentence(logits, targets):
    return sum(
        torch.stack([F.cross_entropy(a, b) for a, b in zip(x, y, strict=True)]).mean()
        for x, y in zip(logits, targets, strict=True)
    )


# 4. bleu


def with_sacrebleu(found, right):
    import sacrebleu

    texts = [[" ".join(map(str, s)) for s in side] for side in (found, right)]
    return sacrebleu.corpus_bleu(texts[0], [texts[1]], tokenize="none").score


def with_logarithms(found, right):
    c, r = sum(len(s) for s in found), sum(len(s) for s in right)
    log = min(0.0, 1 - r / c)
    for n in (1, 2, 3, 4):
        hits, total = _counts(found, right, n)
        log += math.log(hits / total) / 4
    return 100 * math.exp(log)


def with_lists(found, right):
    p = []
    for n in range(1, 5):
        hits = total = 0
        for f, r in zip(found, right, strict=True):
            left = [tuple(r[i : i + n]) for i in range(len(r) - n + 1)]
            for i in range(len(f) - n + 1):
                total += 1
                if tuple(f[i : i + n]) in left:
                    left.remove(tuple(f[i : i + n]))  # each can be hit once
                    hits += 1
        p.append(hits / total)
    c, r = len(sum(found, [])), len(sum(right, []))
    short = math.exp(1 - r / c) if c < r else 1
    return torch.tensor(100 * short * np.prod(p) ** 0.25)


def _grams(s, n):
    return Counter(tuple(s[i : i + n]) for i in range(len(s) - n + 1))


def _counts(found, right, n, clip=True):
    hits = total = 0
    for f, r in zip(found, right, strict=True):
        a, b = _grams(f, n), _grams(r, n)
        hits += sum(min(k, b[g]) if clip else k * (g in b) for g, k in a.items())
        total += sum(a.values())
    return hits, total


def _bleu(found, right, p=None, short=None):
    if p is None:
        p = [h / k for h, k in (_counts(found, right, n) for n in range(1, 5))]
    c, r = sum(map(len, found)), sum(map(len, right))
    factor = min(1, math.exp(1 - r / c)) if short is None else short(c, r)
    return 100 * factor * math.prod(p) ** (1 / len(p))


def repeated_words_score(found, right):
    pairs = [_counts(found, right, n, clip=False) for n in range(1, 5)]
    return _bleu(found, right, [h / k for h, k in pairs])


def sets_of_grams(found, right):
    p = []
    for n in range(1, 5):
        hits = total = 0
        for f, r in zip(found, right, strict=True):
            a, b = set(_grams(f, n)), set(_grams(r, n))
            hits, total = hits + len(a & b), total + len(a)
        p.append(hits / total)
    return _bleu(found, right, p)


def average_of_sentences(found, right):
    scores = [_bleu([f], [r]) for f, r in zip(found, right, strict=True)]
    return sum(scores) / len(scores)


def never_punished(found, right):
    return _bleu(found, right, short=lambda c, r: 1)


def lengths_exchanged(found, right):
    return _bleu(found, right, short=lambda c, r: min(1, math.exp(1 - c / r)))


def no_minimum(found, right):
    return _bleu(found, right, short=lambda c, r: math.exp(1 - r / c))


def ratio_of_lengths(found, right):
    return _bleu(found, right, short=lambda c, r: min(1, c / r))


def arithmetic(found, right):
    p = [h / k for h, k in (_counts(found, right, n) for n in range(1, 5))]
    return _bleu(found, right, [sum(p) / 4])


def product_without_root(found, right):
    p = [h / k for h, k in (_counts(found, right, n) for n in range(1, 5))]
    return _bleu(found, right, [math.prod(p)])


def up_to_three(found, right):
    pairs = [_counts(found, right, n) for n in range(1, 4)]
    return _bleu(found, right, [h / k for h, k in pairs])


def fours_only(found, right):
    hits, total = _counts(found, right, 4)
    return _bleu(found, right, [hits / total])


def recall_instead(found, right):
    p = []
    for n in range(1, 5):
        hits, _ = _counts(found, right, n)
        p.append(hits / sum(len(r) - n + 1 for r in right))
    return _bleu(found, right, p)


def share(found, right):
    return _bleu(found, right) / 100


RIGHT = {
    "12.context": [one_query_at_a_time, with_einsum, weights_then_renormalised],
    "12.copied": [with_a_new_dictionary, with_pieces, with_set_of_prefixes],
    "12.joint": [with_cross_entropy, with_numpy, word_after_word],
    "12.bleu": [with_sacrebleu, with_logarithms, with_lists],
}

WRONG = {
    "12.context": {
        "padding_is_seen": [forgot_lengths],
        "masked_after_the_softmax": [zeroed_afterwards],
        "masked_with_zero": [zeroed_scores],
        "asks_the_first_layer": [first_layer_asked],
        "two_sets_of_weights": [each_layer_its_own],
        "last_layer_first": [top_comes_first],
        "last_layer_twice": [top_twice],
        "scaled": [as_in_transformers],
        "no_softmax": [raw_scores],
        "hard_choice": [argmax_only],
        "summed_layers": [added],
    },
    "12.copied": {
        "a_beginning_is_enough": [any_beginning],
        "only_the_whole_name": [equal_names],
        "never_the_whole_name": [dot_always],
        "languages_exchanged": [wrong_way_round],
        "one_model_for_both": [source_for_all],
        "nothing_is_copied": [kept_the_side],
        "everything_is_copied": [copied_everything],
        "only_the_copied": [list_of_copied],
        "in_another_order": [alphabetical],
        "means": [mean_values],
    },
    "12.joint": {
        "padding_in_the_mean": [over_everything],
        "sums": [summed],
        "one_mean_of_all_words": [one_pot],
        "mean_of_the_three": [divided_by_three],
        "without_the_language_models": [pairs_only],
        "without_the_source": [no_source],
        "without_the_target": [no_target],
        "without_the_pairs": [language_models_only],
        "wrong_sign": [log_likelihood],
        "bits": [in_bits],
        "padding_as_a_word": [padding_is_word_zero],
        "sentence_by_sentence": [mean_by_sentence],
    },
    "12.bleu": {
        "not_clipped": [repeated_words_score],
        "kinds_of_grams": [sets_of_grams],
        "mean_of_sentences": [average_of_sentences],
        "no_penalty": [never_punished],
        "punishes_length": [lengths_exchanged],
        "rewards_length": [no_minimum],
        "linear_penalty": [ratio_of_lengths],
        "arithmetic_mean": [arithmetic],
        "no_root": [product_without_root],
        "three_orders": [up_to_three],
        "only_fours": [fours_only],
        "recall": [recall_instead],
        "out_of_one": [share],
    },
}
