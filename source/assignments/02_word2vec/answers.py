"""Known answers to assignment 02, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math

import numpy as np
import torch
from scipy import stats

# 1. pairs


def with_slices(sentence, sizes):
    found = []
    for i, (word, size) in enumerate(zip(sentence, sizes, strict=True)):
        before = sentence[max(0, i - size) : i]
        found += [(word, other) for other in before + sentence[i + 1 : i + 1 + size]]
    return found


def by_distance(sentence, sizes):
    places = np.arange(len(sentence))
    apart = np.abs(places[:, None] - places)
    near = (apart > 0) & (apart <= np.array(sizes)[:, None])
    centres, contexts = np.nonzero(near)
    words = np.array(sentence)
    return np.stack([words[centres], words[contexts]], axis=1)


def padded(sentence, sizes):
    most = max(sizes)
    row = [None] * most + sentence + [None] * most
    found = []
    for i, size in enumerate(sizes):
        for d in range(-size, size + 1):
            if d != 0 and row[most + i + d] is not None:
                found.append([sentence[i], row[most + i + d]])
    print(len(found), "pairs")  # costs nothing
    return found


def _pairs(sentence, sizes, offsets):
    found = []
    for i, size in enumerate(sizes):
        for d in offsets(size):
            if 0 <= i + d < len(sentence):
                found.append((sentence[i], sentence[i + d]))
    return found


def _both(size):
    return [d for d in range(-size, size + 1) if d]


def paired_with_itself(sentence, sizes):
    return _pairs(sentence, sizes, lambda size: range(-size, size + 1))


def compared_words(sentence, sizes):
    found = []
    for i, size in enumerate(sizes):
        for other in sentence[max(0, i - size) : i + size + 1]:
            if other != sentence[i]:
                found.append((sentence[i], other))
    return found


def forgot_plus_one(sentence, sizes):
    return _pairs(sentence, sizes, lambda size: [d for d in range(-size, size) if d])


def looked_ahead(sentence, sizes):
    return _pairs(sentence, sizes, lambda size: range(1, size + 1))


def window_of_the_context(sentence, sizes):
    n = len(sentence)
    places = [(i, j) for i in range(n) for j in range(n) if i != j]
    return [(sentence[i], sentence[j]) for i, j in places if abs(i - j) <= sizes[j]]


def largest_window(sentence, sizes):
    return _pairs(sentence, [max(sizes) for _ in sizes], _both)


def context_before_centre(sentence, sizes):
    return [(b, a) for a, b in _pairs(sentence, sizes, _both)]


def negative_places(sentence, sizes):
    found = []
    for i, size in enumerate(sizes):
        for d in _both(size):
            if i + d < len(sentence):
                found.append((sentence[i], sentence[i + d]))
    return found


def caught_the_error(sentence, sizes):
    found = []
    for i, size in enumerate(sizes):
        for j in range(i - size, i + size + 1):
            try:
                if j != i:
                    found.append((sentence[i], sentence[j]))
            except IndexError:
                pass
    return found


def as_a_set(sentence, sizes):
    return sorted(set(_pairs(sentence, sizes, _both)))


def whole_windows_only(sentence, sizes):
    found = []
    for i, size in enumerate(sizes):
        if size <= i < len(sentence) - size:
            found += [(sentence[i], sentence[i + d]) for d in _both(size)]
    return found


# 2. sampling


def word_by_word(counts, t, power):
    total, noise_total = sum(counts), sum(c**power for c in counts)
    keep = [1.0 if c / total <= t else (t * total / c) ** 0.5 for c in counts]
    return keep, [c**power / noise_total for c in counts]


def in_torch(counts, t, power):
    counts = torch.as_tensor(counts)
    keep = (t * counts.sum() / counts).sqrt().clamp(max=1)
    return torch.stack([keep, torch.softmax(power * counts.log(), 0)])


def power_of_shares(counts, t, power):
    f = np.asarray(counts) / np.sum(counts)
    noise = f**power
    noise /= noise.sum()
    keep = 1 - np.maximum(0, 1 - np.sqrt(t / f))
    return np.array([keep, noise])


def _keep(counts, t):
    return np.minimum(1, np.sqrt(t * counts.sum() / counts))


def _noise(counts, power):
    return counts**power / (counts**power).sum()


def equation_five(counts, t, power):
    f = counts / counts.sum()
    return np.clip(1 - np.sqrt(t / f), 0, None), _noise(counts, power)


def forgot_the_root(counts, t, power):
    return np.minimum(t * counts.sum() / counts, 1), _noise(counts, power)


def forgot_the_minimum(counts, t, power):
    return np.sqrt(t / (counts / counts.sum())), _noise(counts, power)


def root_of_t_over_count(counts, t, power):
    return np.minimum(np.sqrt(t / counts), 1.0), _noise(counts, power)


def as_in_the_program(counts, t, power):
    f = counts / counts.sum()
    return np.minimum((np.sqrt(f / t) + 1) * (t / f), 1), _noise(counts, power)


def shares_as_noise(counts, t, power):
    return _keep(counts, t), counts / counts.sum()


def power_at_the_end(counts, t, power):
    return _keep(counts, t), (counts / counts.sum()) ** power


def noise_after_subsampling(counts, t, power):
    return _keep(counts, t), _noise(counts * _keep(counts, t), power)


def noise_first(counts, t, power):
    return _noise(counts, power), _keep(counts, t)


def uniform_noise(counts, t, power):
    return _keep(counts, t), np.full(len(counts), 1 / len(counts))


# 3. sgns_gradient


def by_autograd(vectors, contexts, centre, context, negatives):
    V = torch.tensor(vectors, requires_grad=True)
    U = torch.tensor(contexts, requires_grad=True)
    scores = U[[context, *negatives]] @ V[centre]
    labels = torch.zeros_like(scores)
    labels[0] = 1
    loss = torch.nn.functional.binary_cross_entropy_with_logits(
        scores, labels, reduction="sum"
    )
    loss.backward()
    return V.grad, U.grad


def with_matrices(vectors, contexts, centre, context, negatives):
    words = np.array([context] + negatives)
    v, u = vectors[centre], contexts[words]  # (D,), (1+k, D)
    error = 1 / (1 + np.exp(-u @ v))
    error[0] -= 1
    gradient = np.zeros((2, *vectors.shape))
    gradient[0, centre] = error @ u
    np.add.at(gradient[1], words, np.outer(error, v))
    return gradient


def by_differences(vectors, contexts, centre, context, negatives):
    def loss(tables):
        scores = tables[1] @ tables[0][centre]
        found = np.logaddexp(0, -scores[context])
        return found + sum(np.logaddexp(0, scores[n]) for n in negatives)

    tables, step = np.stack([vectors, contexts]), 1e-5
    gradient = np.zeros_like(tables)
    for place in np.ndindex(*tables.shape):
        up, down = tables.copy(), tables.copy()
        up[place] += step
        down[place] -= step
        gradient[place] = (loss(up) - loss(down)) / (2 * step)
    return np.where(np.abs(gradient) < 1e-9, 0, gradient)


def _sigmoid(x):
    return 1 / (1 + math.exp(-x))


def _gradient(vectors, contexts, centre, terms, table=None):
    """Add up (word, label, weight) terms."""
    table = contexts if table is None else table
    v = vectors[centre]
    by_vectors, by_contexts = np.zeros(vectors.shape), np.zeros(contexts.shape)
    for word, label, weight in terms:
        error = weight * (_sigmoid(table[word] @ v) - label)
        by_vectors[centre] += error * table[word]
        by_contexts[word] += error * v
    return by_vectors, by_contexts


def _terms(context, negatives, weight=1.0):
    return [(context, 1, 1.0)] + [(word, 0, weight) for word in negatives]


def a_set_of_negatives(vectors, contexts, centre, context, negatives):
    return _gradient(vectors, contexts, centre, _terms(context, set(negatives)))


def plus_equals(vectors, contexts, centre, context, negatives):
    words = np.array([context, *negatives])
    error = 1 / (1 + np.exp(-contexts[words] @ vectors[centre]))
    error -= words == context
    by_vectors, by_contexts = np.zeros_like(vectors), np.zeros_like(contexts)
    by_vectors[centre] = error @ contexts[words]
    by_contexts[words] += error[:, None] * vectors[centre]
    return by_vectors, by_contexts


def assigned_rows(vectors, contexts, centre, context, negatives):
    v = vectors[centre]
    by_vectors, by_contexts = np.zeros_like(vectors), np.zeros_like(contexts)
    for word in [context, *negatives]:
        error = _sigmoid(contexts[word] @ v) - (word == context)
        by_vectors[centre] += error * contexts[word]
        by_contexts[word] = error * v
    return by_vectors, by_contexts


def ascended(vectors, contexts, centre, context, negatives):
    terms = [(word, label, -1) for word, label, _ in _terms(context, negatives)]
    return _gradient(vectors, contexts, centre, terms)


def averaged_the_negatives(vectors, contexts, centre, context, negatives):
    terms = _terms(context, negatives, weight=1 / len(negatives))
    return _gradient(vectors, contexts, centre, terms)


def pulled_them_all(vectors, contexts, centre, context, negatives):
    terms = [(word, 1, 1) for word in [context, *negatives]]
    return _gradient(vectors, contexts, centre, terms)


def forgot_the_negatives(vectors, contexts, centre, context, negatives):
    return _gradient(vectors, contexts, centre, [(context, 1, 1)])


def read_one_table(vectors, contexts, centre, context, negatives):
    terms = _terms(context, negatives)
    return _gradient(vectors, contexts, centre, terms, table=vectors)


def overwrote_the_centre(vectors, contexts, centre, context, negatives):
    by_vectors, by_contexts = np.zeros_like(vectors), np.zeros_like(contexts)
    for word, label, _ in _terms(context, negatives):
        error = _sigmoid(contexts[word] @ vectors[centre]) - label
        by_vectors[centre] = error * contexts[word]
        by_contexts[word] += error * vectors[centre]
    return by_vectors, by_contexts


def contexts_first(vectors, contexts, centre, context, negatives):
    terms = _terms(context, negatives)
    return _gradient(vectors, contexts, centre, terms)[::-1]


def swapped_labels(vectors, contexts, centre, context, negatives):
    terms = [(context, 0, 1)] + [(word, 1, 1) for word in negatives]
    return _gradient(vectors, contexts, centre, terms)


# 4. analogy


def three_sums(vectors, a, b, c, exclude):
    best, most = None, -math.inf
    for x, vector in enumerate(vectors):
        if exclude and x in (a, b, c):
            continue
        total = 0.0
        for sign, word in ((1, b), (-1, a), (1, c)):
            other = vectors[word]
            total += sign * (vector @ other) / math.hypot(*vector) / math.hypot(*other)
        if total > most:
            best, most = x, total
    return best


def by_ranking(vectors, a, b, c, exclude):
    unit = (vectors.T / np.sqrt((vectors**2).sum(1))).T
    order = np.argsort(-(unit @ (unit[b] + unit[c] - unit[a])))
    return [x for x in order if not exclude or x not in {a, b, c}][0]


def with_cosine_similarity(vectors, a, b, c, exclude):
    unit = torch.nn.functional.normalize(torch.tensor(vectors), dim=1)
    near = torch.cosine_similarity(unit, (unit[b] - unit[a] + unit[c])[None], dim=1)
    if exclude:
        near = near.index_fill(0, torch.tensor([a, b, c]), -2.0)
    return near.argmax()


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def _argmax(score, left_out, value=-9.0):
    score = np.array(score)
    score[list(left_out)] = value
    return int(np.argmax(score))


def excluded_nothing(vectors, a, b, c, exclude):
    x = _unit(vectors)
    return _argmax(x @ (x[b] - x[a] + x[c]), [])


def excluded_regardless(vectors, a, b, c, exclude):
    x = _unit(vectors)
    return _argmax(x @ (x[b] - x[a] + x[c]), [a, b, c])


def excluded_c(vectors, a, b, c, exclude):
    x = _unit(vectors)
    return _argmax(x @ (x[b] - x[a] + x[c]), [c] if exclude else [])


def excluded_with_zero(vectors, a, b, c, exclude):
    x = _unit(vectors)
    return _argmax(x @ (x[b] - x[a] + x[c]), [a, b, c] if exclude else [], 0)


def a_minus_b(vectors, a, b, c, exclude):
    x = _unit(vectors)
    return _argmax(x @ (x[a] - x[b] + x[c]), [a, b, c] if exclude else [])


def normalised_too_late(vectors, a, b, c, exclude):
    x = vectors[b] - vectors[a] + vectors[c]
    return _argmax(_unit(vectors) @ x, [a, b, c] if exclude else [])


def never_normalised(vectors, a, b, c, exclude):
    x = vectors[b] - vectors[a] + vectors[c]
    return _argmax(vectors @ x, [a, b, c] if exclude else [])


def inner_products(vectors, a, b, c, exclude):
    G = np.inner(vectors, vectors)
    return _argmax(G[b] - G[a] + G[c], [a, b, c] if exclude else [])


def always_four(vectors, a, b, c, exclude):
    return 4


def nearest_in_space(vectors, a, b, c, exclude):
    apart = np.linalg.norm(vectors - (vectors[b] - vectors[a] + vectors[c]), axis=1)
    return _argmax(-apart, [a, b, c] if exclude else [], -1e9)


def forgot_a(vectors, a, b, c, exclude):
    x = _unit(vectors)
    return _argmax(x @ (x[b] + x[c]), [a, b, c] if exclude else [])


# 5. similarity_test


def with_averaged_ranks(vectors, pairs):
    covered = [pair for pair in pairs if {*pair[:2]} <= vectors.keys()]
    rows = []
    for first, second, score in covered:
        x, y = vectors[first], vectors[second]
        rows.append((x @ y / math.sqrt((x @ x) * (y @ y)), score))
    ranks = stats.rankdata(rows, axis=0)
    return np.corrcoef(ranks.T)[0, 1], len(rows) / len(pairs)


def with_nan(vectors, pairs):
    nothing = np.full(4, np.nan)
    near = []
    for first, second, _ in pairs:
        x, y = (vectors.get(word, nothing) for word in (first, second))
        if len(x) != len(y):
            near.append(np.nan)
            continue
        near.append(x.dot(y) / np.linalg.norm(x) / np.linalg.norm(y))
    scores = [score for _, _, score in pairs]
    rho = stats.spearmanr(near, scores, nan_policy="omit").statistic
    return float(rho), float(np.mean(~np.isnan(near)))


def counted_by_hand(vectors, pairs):
    cosines, scores = [], []
    for first, second, score in pairs:
        try:
            x, y = torch.tensor(vectors[first]), torch.tensor(vectors[second])
        except KeyError:
            continue
        cosines.append(torch.cosine_similarity(x, y, dim=0).item())
        scores.append(score)

    def rank(values):
        found = [
            sum(b < a for b in values) + sum(b <= a for b in values) for a in values
        ]
        return np.array(found) - np.mean(found)

    a, b = rank(cosines), rank(scores)
    return a @ b / math.sqrt(a @ a * (b @ b)), len(scores) / len(pairs)


def _covered(vectors, pairs):
    return [p for p in pairs if p[0] in vectors and p[1] in vectors]


def _cosine(x, y):
    return float(np.dot(x, y) / np.linalg.norm(x) / np.linalg.norm(y))


def _lists(vectors, pairs, near=_cosine):
    covered = _covered(vectors, pairs)
    found = [near(vectors[a], vectors[b]) for a, b, _ in covered]
    return found, [s for _, _, s in covered], len(covered) / len(pairs)


def zero_for_unknown(vectors, pairs):
    near = []
    for a, b, _ in pairs:
        known = a in vectors and b in vectors
        near.append(_cosine(vectors[a], vectors[b]) if known else 0)
    rho = stats.spearmanr(near, [s for _, _, s in pairs]).statistic
    return rho, len(_covered(vectors, pairs)) / len(pairs)


def pearson(vectors, pairs):
    near, scores, share = _lists(vectors, pairs)
    return stats.pearsonr(near, scores).statistic, share


def corrcoef(vectors, pairs):
    near, scores, share = _lists(vectors, pairs)
    return np.corrcoef(near, scores)[1, 0], share


def sorted_places(vectors, pairs):
    near, scores, share = _lists(vectors, pairs)
    a, b = (np.array(x).argsort().argsort() for x in (near, scores))
    return np.corrcoef(a, b)[0, 1], share


def textbook(vectors, pairs):
    near, scores, share = _lists(vectors, pairs)
    n, d = len(near), stats.rankdata(near) - stats.rankdata(scores)
    return 1 - 6 * sum(d**2) / (n**3 - n), share


def dot_product(vectors, pairs):
    near, scores, share = _lists(vectors, pairs, np.dot)
    return stats.spearmanr(near, scores).statistic, share


def distance(vectors, pairs):
    near, scores, share = _lists(vectors, pairs, math.dist)
    return stats.spearmanr(near, scores).statistic, share


def how_many(vectors, pairs):
    near, scores, _ = _lists(vectors, pairs)
    return stats.spearmanr(near, scores).statistic, len(near)


def without_the_share(vectors, pairs):
    near, scores, _ = _lists(vectors, pairs)
    return stats.spearmanr(near, scores).statistic


def cosine_distance(vectors, pairs):
    near, scores, share = _lists(vectors, pairs, lambda x, y: 1 - _cosine(x, y))
    return stats.spearmanr(near, scores).statistic, share


def kendall(vectors, pairs):
    near, scores, share = _lists(vectors, pairs)
    return stats.kendalltau(near, scores).statistic, share


RIGHT = {
    "02.pairs": [with_slices, by_distance, padded],
    "02.sampling": [word_by_word, in_torch, power_of_shares],
    "02.sgns_gradient": [by_autograd, with_matrices, by_differences],
    "02.analogy": [three_sums, by_ranking, with_cosine_similarity],
    "02.similarity_test": [with_averaged_ranks, with_nan, counted_by_hand],
}

WRONG = {
    "02.pairs": {
        "with_itself": [paired_with_itself],
        "without_equal_words": [compared_words],
        "right_end_lost": [forgot_plus_one],
        "only_after": [looked_ahead],
        "size_of_context": [window_of_the_context],
        "one_size": [largest_window],
        "context_first": [context_before_centre],
        "wrapped": [negative_places, caught_the_error],
        "merged": [as_a_set],
        "only_whole_windows": [whole_windows_only],
    },
    "02.sampling": {
        "left_out": [equation_five],
        "no_root": [forgot_the_root],
        "above_one": [forgot_the_minimum],
        "count_for_share": [root_of_t_over_count],
        "of_the_program": [as_in_the_program],
        "no_power": [shares_as_noise],
        "sum_not_one": [power_at_the_end],
        "noise_of_the_kept": [noise_after_subsampling],
        "noise_in_front": [noise_first],
        "even_noise": [uniform_noise],
    },
    "02.sgns_gradient": {
        "without_repeats_drawn": [a_set_of_negatives],
        "row_written_once": [plus_equals, assigned_rows],
        "downhill": [ascended],
        "mean_of_negatives": [averaged_the_negatives],
        "all_positive": [pulled_them_all],
        "only_the_context": [forgot_the_negatives],
        "one_table": [read_one_table],
        "last_part_only": [overwrote_the_centre],
        "tables_swapped": [contexts_first],
        "labels_exchanged": [swapped_labels],
    },
    "02.analogy": {
        "never_excluded": [excluded_nothing],
        "always_excluded": [excluded_regardless],
        "only_c_excluded": [excluded_c],
        "excluded_as_zero": [excluded_with_zero],
        "reversed_offset": [a_minus_b],
        "raw_offset": [normalised_too_late],
        "dot_products": [never_normalised, inner_products],
        "smallest_distance": [nearest_in_space],
        "without_a": [forgot_a],
        "": [always_four],
    },
    "02.similarity_test": {
        "missing_as_zero": [zero_for_unknown],
        "pearson": [pearson, corrcoef],
        "ties_in_order": [sorted_places],
        "without_ties": [textbook],
        "dots": [dot_product],
        "distances": [distance],
        "cosine_distances": [cosine_distance],
        "kendalls_tau": [kendall],
        "number_covered": [how_many],
        "only_rho": [without_the_share],
    },
}
