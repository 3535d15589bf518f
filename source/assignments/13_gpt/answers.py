"""Known answers to assignment 13, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch.nn import functional as F

# 1. attend


def torchs_own(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def head_by_head(q, k, v):
    found = torch.zeros_like(v)
    for h in range(len(q)):
        for i in range(q.shape[1]):
            scores = torch.stack([q[h, i] @ k[h, j] for j in range(i + 1)])
            weights = torch.softmax(scores / math.sqrt(q.shape[-1]), dim=0)
            found[h, i] = weights @ v[h, : i + 1]
    return found


def with_numpy(q, k, v):
    q, k, v = (x.numpy() for x in (q, k, v))
    scores = np.einsum("hid,hjd->hij", q, k) / np.sqrt(q.shape[2])
    scores = np.exp(scores - scores.max()) * np.tri(q.shape[1])
    print(scores.shape)  # costs nothing
    return scores / scores.sum(axis=2, keepdims=True) @ v


def _attend(q, k, v, mask=None, scale=None, dim=-1):
    scores = q @ k.mT / (math.sqrt(q.shape[-1]) if scale is None else scale)
    T = q.shape[1]
    if mask is None:
        mask = torch.ones(T, T).tril() == 0
    return scores.masked_fill(mask, float("-inf")).softmax(dim) @ v


def no_mask(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


def strict(q, k, v):
    return _attend(q, k, v, mask=torch.ones(q.shape[1], q.shape[1]).triu().bool())


def only_the_future(q, k, v):
    return _attend(q, k, v, mask=torch.ones(q.shape[1], q.shape[1]).tril(-1).bool())


def unscaled(q, k, v):
    return _attend(q, k, v, scale=1)


def by_d(q, k, v):
    return _attend(q, k, v, scale=q.size(-1))


def times_root(q, k, v):
    return _attend(q, k, v, scale=1 / q.size(-1) ** 0.5)


def by_places(q, k, v):
    return _attend(q, k, v, scale=q.size(1) ** 0.5)


def whole_dimension(q, k, v):
    return _attend(q, k, v, scale=(q.size(0) * q.size(2)) ** 0.5)


def filled_with_zeros(q, k, v):
    scores = torch.tril(q @ k.mT / q.size(-1) ** 0.5)
    return scores.softmax(-1) @ v


def zeroed_after(q, k, v):
    return (q @ k.mT / q.size(-1) ** 0.5).softmax(-1).tril() @ v


def wrong_axis(q, k, v):
    return _attend(q, k, v, dim=1)


def keys_ask(q, k, v):
    return _attend(k, q, v)


def returns_the_pattern(q, k, v):
    return _attend(q, k, torch.eye(q.shape[1]).double().expand(len(q), -1, -1))


def quite_soft(q, k, v):
    return _attend(q, k, v, scale=3 * q.size(-1) ** 0.5)


# 2. heads


def with_chunks(x, H, look):
    found = look(torch.stack(x.chunk(H, dim=1)))
    return torch.cat([*found], dim=1)


def with_permutes(x, H, look):
    T, D = x.shape
    parts = x.reshape(T, H, -1).permute(1, 0, 2)
    return look(parts).permute(1, 0, 2).contiguous().view(T, D)


def with_einsum(x, H, look):
    d = x.shape[1] // H
    found = look(torch.stack([x[:, i : i + d] for i in range(0, x.shape[1], d)]))
    out = torch.empty_like(x)
    for h in range(H):
        out[:, h * d : (h + 1) * d] = found[h]
    return out


def viewed(x, H, look):
    return look(x.view(H, len(x), -1)).view(len(x), -1)


def way_back_viewed(x, H, look):
    T, D = x.shape
    return look(x.view(T, H, D // H).transpose(0, 1)).reshape(T, D)


def way_there_viewed(x, H, look):
    found = look(x.reshape(H, len(x), x.shape[1] // H))
    return found.transpose(0, 1).reshape(x.shape)


def every_other(x, H, look):
    found = look(torch.stack([x[:, h::H] for h in range(H)]))
    out = torch.empty_like(x)
    for h in range(H):
        out[:, h::H] = found[h]
    return out


def stacked_last(x, H, look):
    found = look(torch.stack(x.chunk(H, dim=1)))
    return torch.stack([*found], dim=-1).reshape(x.shape)


def last_head_first(x, H, look):
    return torch.cat([*look(torch.stack(x.chunk(H, dim=1)))][::-1], dim=1)


def summed(x, H, look):
    return sum(look(torch.stack(x.chunk(H, dim=1))))


def mean_of_heads(x, H, look):
    return look(torch.stack(x.chunk(H, dim=1))).mean(0)


def a_loop_over_heads(x, H, look):
    return torch.cat([look(part[None])[0] for part in x.chunk(H, dim=1)], dim=1)


def no_heads(x, H, look):
    return look(x.unsqueeze(0)).squeeze(0)


def repeated(x, H, look):
    return look(torch.stack(x.chunk(H, dim=1)))[0].repeat(1, H)


def without_transpose(x, H, look):
    T, D = x.shape
    return look(x.view(T, H, D // H)).reshape(T, D)


def with_residual(x, H, look):
    return x + with_chunks(x, H, look)


def reversed_split(x, H, look):
    return with_chunks(x.flip(1), H, look)


# 3. sees


def by_backward(f, x):
    x = x.clone().requires_grad_()
    T, D = x.shape
    found = torch.zeros(T, T)
    for i in range(T):
        for a in range(D):
            x.grad = None
            f(x)[i, a].backward()
            found[i] += (x.grad != 0).any(dim=1)
    return found.clamp(max=1)


def with_random_weights(f, x):
    # A random sum of the outputs does not cancel.
    x = x.detach().requires_grad_(True)
    rows = []
    for i in range(len(x)):
        some = torch.rand(x.shape[1], dtype=x.dtype) + 0.5
        (slope,) = torch.autograd.grad((f(x)[i] * some).sum(), x)
        rows.append(slope.abs().sum(dim=1) > 0)
    return torch.stack(rows).int()


def by_numpy(f, x):
    slopes = torch.func.jacrev(f)(x).detach().numpy()
    return (np.abs(slopes).max(axis=(1, 3)) > 0).astype(int)


def _slopes(f, x):
    return torch.func.jacrev(f)(x)


def columns_first(f, x):
    return (_slopes(f, x) != 0).any(3).any(1).T


def sum_of_each_output(f, x):
    x = x.clone().requires_grad_()
    rows = [torch.autograd.grad(f(x)[i].sum(), x)[0] for i in range(len(x))]
    return (torch.stack(rows) != 0).any(dim=2).float()


def feature_zero(f, x):
    x = x.clone().requires_grad_()
    rows = [torch.autograd.grad(f(x)[i, 0], x)[0] for i in range(len(x))]
    return (torch.stack(rows) != 0).any(dim=2).float()


def input_feature_zero(f, x):
    return (_slopes(f, x)[:, :, :, 0] != 0).any(1)


def positive_only(f, x):
    return (_slopes(f, x) > 0).any(3).any(1)


def with_a_threshold(f, x):
    return (_slopes(f, x).abs().amax(dim=(1, 3)) > 1e-4).int()


def norms(f, x):
    return _slopes(f, x).norm(dim=(1, 3))


def total_slopes(f, x):
    return _slopes(f, x).sum(3).sum(1)


def together(f, x):
    seen = (_slopes(f, x) != 0).any(3).any(1).any(0)
    return torch.stack([seen] * len(x)).int()


def grad_piles_up(f, x):
    x = x.clone().requires_grad_()
    found = []
    for i in range(len(x)):
        for a in range(x.shape[1]):
            f(x)[i, a].backward()
        found.append((x.grad.abs().sum(dim=1) > 0).int())
    return torch.stack(found)


def never_itself(f, x):
    return (_slopes(f, x) != 0).any(3).any(1) & (torch.eye(len(x)) == 0)


def as_it_should_be(f, x):
    return np.tri(len(x))


def output_not_zero(f, x):
    return (f(x) != 0).any(1)[:, None].repeat(1, len(x)).int()


def only_neighbours(f, x):
    return by_numpy(f, x) * (np.tri(len(x), k=1) - np.tri(len(x), k=-2))


# 4. rows


def case_by_case(kind, texts):
    if kind == "classification":
        return [[1] + texts[0] + [3]]
    if kind == "entailment":
        return [[1] + texts[0] + [2] + texts[1] + [3]]
    if kind == "similarity":
        a, b = texts
        return [[1] + a + [2] + b + [3], [1] + b + [2] + a + [3]]
    found = [[1] + texts[0] + [2] + answer + [3] for answer in texts[1:]]
    while len({len(row) for row in found}) > 1:
        min(found, key=len).append(0)
    return found


def with_a_table(kind, texts):
    pairs = {
        "classification": [texts],
        "entailment": [texts],
        "similarity": [texts, texts[::-1]],
        "choice": [[texts[0], answer] for answer in texts[1:]],
    }[kind]
    found = [[1, *sum(([2, *part] for part in pair), [])[1:], 3] for pair in pairs]
    table = np.zeros((len(found), max(map(len, found))), dtype=int)
    for line, row in zip(table, found, strict=True):
        line[: len(row)] = row
    return table


def with_torch(kind, texts):
    orders = [texts] if len(texts) < 3 else [[texts[0], a] for a in texts[1:]]
    if kind == "similarity":
        orders.append([texts[1], texts[0]])
    found = []
    for texts in orders:
        row = [1]
        for text in texts:
            row += [*text, 2]
        found.append(torch.tensor(row[:-1] + [3]))
    return torch.nn.utils.rnn.pad_sequence(found, batch_first=True)


def _rows(kind, texts, start=(1,), between=(2,), end=(3,), orders=None, back=None):
    pairs = {
        "classification": [texts],
        "entailment": [texts],
        "similarity": [texts, texts[::-1]],
        "choice": [[texts[0], answer] for answer in texts[1:]],
    } | (orders or {})
    found = []
    for pair in pairs[kind]:
        row = [*start, *pair[0]]
        for other in pair[1:]:
            row += [*between, *other]
        found.append([*row, *end])
    back = back or (lambda row, zeros: row + zeros)
    longest = max(len(row) for row in found)
    return [back(row, [0] * (longest - len(row))) for row in found]


def start_forgotten(kind, texts):
    return _rows(kind, texts, start=())


def end_forgotten(kind, texts):
    return _rows(kind, texts, end=())


def nothing_between(kind, texts):
    return _rows(kind, texts, between=())


def marks_exchanged(kind, texts):
    return _rows(kind, texts, start=(3,), end=(1,))


def extract_twice(kind, texts):
    return _rows(kind, texts, between=(3,))


def two_starts(kind, texts):
    return _rows(kind, texts, between=(2, 1))


def zeros_first(kind, texts):
    return _rows(kind, texts, back=lambda row, zeros: zeros + row)


def extract_last(kind, texts):
    return _rows(kind, texts, back=lambda row, zeros: row[:-1] + zeros + [3])


def as_an_entailment(kind, texts):
    return _rows(kind, texts, orders={"similarity": [texts]})


def reversed_first(kind, texts):
    return _rows(kind, texts, orders={"similarity": [texts[::-1], texts]})


def twice_the_same(kind, texts):
    return _rows(kind, texts, orders={"similarity": [texts, texts]})


def everything_in_a_row(kind, texts):
    return _rows(kind, texts, orders={"choice": [texts]})


def answer_before(kind, texts):
    return _rows(kind, texts, orders={"choice": [[a, texts[0]] for a in texts[1:]]})


def answers_alone(kind, texts):
    return _rows(kind, texts, orders={"choice": [[a] for a in texts[1:]]})


def padded_with_extract(kind, texts):
    return _rows(kind, texts, back=lambda row, zeros: row + [3] * len(zeros))


# 5. objective


def with_a_mask(scores, classes, predicted, rows, weight):
    task = F.cross_entropy(scores, classes)
    logs = predicted[:, :-1].log_softmax(dim=2)
    targets = rows[:, 1:]
    chosen = logs.gather(2, targets[:, :, None])[:, :, 0]
    real = (targets != 0).double()
    return task - weight * (chosen * real).sum() / real.sum()


def with_loops(scores, classes, predicted, rows, weight):
    task = 0.0
    for line, right in zip(scores, classes, strict=True):
        task -= torch.log(torch.exp(line[right]) / torch.exp(line).sum()) / len(classes)
    losses = []
    for b in range(len(rows)):
        for t in range(1, rows.shape[1]):
            if rows[b, t] > 0:
                line = predicted[b, t - 1]
                losses.append(torch.logsumexp(line, 0) - line[rows[b, t]])
    return task + weight * sum(losses) / len(losses)


def with_ignored_targets(scores, classes, predicted, rows, weight):
    targets = rows.roll(-1, dims=1)
    targets[:, -1] = 0
    targets[targets == 0] = -100
    model = F.cross_entropy(predicted.transpose(1, 2), targets)
    return (F.cross_entropy(scores, classes) + weight * model).item()


def _objective(scores, classes, predicted, rows, weight, **changes):
    task = F.cross_entropy(scores, classes)
    logs = F.cross_entropy(
        predicted[:, :-1].mT, rows[:, 1:], ignore_index=0, reduction="none"
    )  # (B, T-1)
    real = rows[:, 1:] != 0
    return task, logs, real


def same_place(scores, classes, predicted, rows, weight):
    model = F.cross_entropy(predicted.mT, rows, ignore_index=0)
    return F.cross_entropy(scores, classes) + weight * model


def shifted_back(scores, classes, predicted, rows, weight):
    model = F.cross_entropy(predicted[:, 1:].mT, rows[:, :-1], ignore_index=0)
    return F.cross_entropy(scores, classes) + weight * model


def padding_too(scores, classes, predicted, rows, weight):
    model = F.cross_entropy(predicted[:, :-1].mT, rows[:, 1:])
    return F.cross_entropy(scores, classes) + weight * model


def mask_of_the_inputs(scores, classes, predicted, rows, weight):
    here = rows[:, :-1] != 0
    model = F.cross_entropy(predicted[:, :-1][here], rows[:, 1:][here])
    return F.cross_entropy(scores, classes) + weight * model


def summed_up(*inputs):
    task, logs, real = _objective(*inputs)
    return task + inputs[-1] * logs.sum()


def a_mean_over_texts(*inputs):
    task, logs, real = _objective(*inputs)
    return task + inputs[-1] * logs.sum() / len(logs)


def row_means(*inputs):
    task, logs, real = _objective(*inputs)
    return task + inputs[-1] * (logs.sum(1) / real.sum(1)).mean()


def lambda_on_the_task(*inputs):
    task, logs, real = _objective(*inputs)
    return inputs[-1] * task + logs.sum() / real.sum()


def a_mixture(*inputs):
    task, logs, real = _objective(*inputs)
    return (1 - inputs[-1]) * task + inputs[-1] * logs.sum() / real.sum()


def without_lambda(*inputs):
    task, logs, real = _objective(*inputs)
    return task + logs.sum() / real.sum()


def task_alone(*inputs):
    return _objective(*inputs)[0]


def model_alone(*inputs):
    task, logs, real = _objective(*inputs)
    return inputs[-1] * logs.sum() / real.sum()


def as_a_likelihood(*inputs):
    task, logs, real = _objective(*inputs)
    return -task - inputs[-1] * logs.sum() / real.sum()


def raw_scores(scores, classes, predicted, rows, weight):
    task = F.nll_loss(scores, classes)
    model = F.nll_loss(predicted[:, :-1].mT, rows[:, 1:], ignore_index=0)
    return task + weight * model


def zeros_count_in_the_mean(*inputs):
    task, logs, real = _objective(*inputs)
    return task + inputs[-1] * logs.mean()


RIGHT = {
    "13.attend": [torchs_own, head_by_head, with_numpy],
    "13.heads": [with_chunks, with_permutes, with_einsum],
    "13.sees": [by_backward, with_random_weights, by_numpy],
    "13.rows": [case_by_case, with_a_table, with_torch],
    "13.objective": [with_a_mask, with_loops, with_ignored_targets],
}

WRONG = {
    "13.attend": {
        "looks_ahead": [no_mask],
        "blind_to_itself": [strict],
        "hides_the_past": [only_the_future],
        "not_scaled": [unscaled],
        "scaled_by_d": [by_d],
        "multiplied": [times_root],
        "scaled_by_time": [by_places],
        "scaled_by_all_heads": [whole_dimension],
        "zero_is_not_nothing": [filled_with_zeros],
        "hidden_too_late": [zeroed_after],
        "softmax_over_queries": [wrong_axis],
        "exchanged": [keys_ask],
        "only_weights": [returns_the_pattern],
        "": [quite_soft],
    },
    "13.heads": {
        "cut_anyhow": [viewed],
        "glued_anyhow": [way_back_viewed],
        "cut_anyhow_only": [way_there_viewed],
        "in_turns": [every_other],
        "joined_in_turns": [stacked_last],
        "backwards": [last_head_first],
        "added_up": [summed],
        "averaged": [mean_of_heads],
        "one_head_at_a_time": [a_loop_over_heads],
        "not_split": [no_heads],
        "only_the_first": [repeated],
        "places_first": [without_transpose],
        "residual": [with_residual],
        "": [reversed_split],
    },
    "13.sees": {
        "turned_round": [columns_first],
        "cancelled": [sum_of_each_output],
        "first_output": [feature_zero],
        "first_input": [input_feature_zero],
        "only_upwards": [positive_only],
        "too_coarse": [with_a_threshold],
        "sizes": [norms],
        "sums": [total_slopes],
        "all_at_once": [together],
        "never_reset": [grad_piles_up],
        "not_itself": [never_itself],
        "without_looking": [as_it_should_be],
        "values": [output_not_zero],
        "": [only_neighbours],
    },
    "13.rows": {
        "no_start": [start_forgotten],
        "no_extract": [end_forgotten],
        "no_delimiter": [nothing_between],
        "swapped_marks": [marks_exchanged],
        "extract_between": [extract_twice],
        "starts_again": [two_starts],
        "padded_in_front": [zeros_first],
        "padded_inside": [extract_last],
        "one_order": [as_an_entailment],
        "other_order_first": [reversed_first],
        "same_order_twice": [twice_the_same],
        "answers_in_one_row": [everything_in_a_row],
        "answer_first": [answer_before],
        "question_forgotten": [answers_alone],
        "": [padded_with_extract],
    },
    "13.objective": {
        "predicts_itself": [same_place],
        "predicts_the_past": [shifted_back],
        "padding_counts": [padding_too],
        "one_padding_too_many": [mask_of_the_inputs],
        "sum_of_pieces": [summed_up],
        "over_rows": [a_mean_over_texts],
        "mean_of_means": [row_means],
        "weight_on_the_task": [lambda_on_the_task],
        "shared_out": [a_mixture],
        "not_weighted": [without_lambda],
        "only_the_task": [task_alone],
        "only_the_model": [model_alone],
        "no_minus": [as_a_likelihood],
        "scores_are_no_chances": [raw_scores],
        "": [zeros_count_in_the_mean],
    },
}
