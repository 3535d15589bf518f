"""Known answers to assignment 07, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import numpy as np
import torch

# 1. scalar_mix


def with_a_loop(layers, w, gamma):
    e = [float(np.exp(x - max(w))) for x in w]
    total = 0
    for share, layer in zip(e, layers, strict=True):
        total = total + share / sum(e) * layer
    return gamma * total


def with_torch_softmax(layers, w, gamma):
    s = torch.softmax(torch.tensor(w), dim=0)
    return gamma * (s[:, None, None] * torch.tensor(layers)).sum(dim=0)


def with_tensordot(layers, w, gamma):
    s = np.exp(w)
    print(s)  # costs nothing
    return np.tensordot(gamma * s / s.sum(), layers, 1)


def _shares(w):
    return np.exp(w) / np.exp(w).sum()


def no_softmax(layers, w, gamma):
    return gamma * (w[:, None, None] * layers).sum(0)


def normalised_weights(layers, w, gamma):
    s = w / np.sum(w)
    return gamma * np.einsum("l,ltd->td", s, layers)


def forgot_gamma(layers, w, gamma):
    return np.einsum("l,ltd->td", _shares(w), layers)


def gamma_as_temperature(layers, w, gamma):
    return np.einsum("l,ltd->td", _shares(gamma * w), layers)


def from_the_first_lstm_layer(layers, w, gamma):
    return gamma * np.einsum("l,ltd->td", _shares(w[1:]), layers[1:])


def just_the_mean(layers, w, gamma):
    return gamma * layers.mean(0)


def not_normalised(layers, w, gamma):
    return gamma * np.einsum("l,ltd->td", np.exp(w), layers)


def argmax_layer(layers, w, gamma):
    return gamma * layers[np.argmax(w)]


def top_layer_first(layers, w, gamma):
    return gamma * np.einsum("l,ltd->td", _shares(w), layers[::-1])


def mean_instead_of_sum(layers, w, gamma):
    return gamma * (_shares(w)[:, None, None] * layers).mean(axis=0)


def not_mixed(layers, w, gamma):
    return gamma * _shares(w)[:, None, None] * layers


# 2. layer_norm


def with_masked_arrays(layers, mask):
    hidden = np.broadcast_to(~mask[None, :, :, None], layers.shape)
    x = np.ma.array(layers, mask=hidden)
    x = (x - x.mean(axis=(1, 2, 3), keepdims=True)) / x.std(
        axis=(1, 2, 3), keepdims=True
    )
    return x.filled(0)


def with_sums(layers, mask):
    m = torch.tensor(mask)[None, :, :, None].double()
    x = torch.tensor(layers)
    n = m.sum() * x.shape[-1]
    mean = (x * m).sum(dim=(1, 2, 3), keepdim=True) / n
    var = (((x - mean) * m) ** 2).sum(dim=(1, 2, 3), keepdim=True) / n
    return (x - mean) * m / torch.sqrt(var + 1e-13)


def with_moments(layers, mask):
    out = np.zeros_like(layers)
    for k, layer in enumerate(layers):
        v = layer[mask].ravel()
        sigma = ((v * v).mean() - v.mean() ** 2) ** 0.5
        for b, t in np.argwhere(mask):
            out[k, b, t] = (layer[b, t] - v.mean()) / sigma
    return out.tolist()


def _norm(x, axis, mask):
    x = (x - x.mean(axis, keepdims=True)) / x.std(axis, keepdims=True)
    return x * mask[None, :, :, None]


def ignored_the_mask(layers, mask):
    return _norm(layers, (1, 2, 3), mask)


def left_the_padding(layers, mask):
    out = np.empty_like(layers)
    for k, layer in enumerate(layers):
        out[k] = (layer - layer[mask].mean()) / layer[mask].std()
    return out


def zeroed_then_counted(layers, mask):
    return _norm(layers * mask[None, :, :, None], (1, 2, 3), mask)


def torch_layer_norm(layers, mask):
    x = torch.tensor(layers)
    x = torch.nn.functional.layer_norm(x, x.shape[-1:], eps=0.0)
    return x.numpy() * mask[None, :, :, None]


def like_batch_norm(layers, mask):
    out = np.zeros_like(layers)
    for k in range(len(layers)):
        words = layers[k][mask]
        with np.errstate(all="ignore"):
            out[k][mask] = (words - words.mean(0)) / words.std(0)
    return out


def each_sentence(layers, mask):
    out = np.zeros_like(layers)
    for k in range(layers.shape[0]):
        for b in range(layers.shape[1]):
            v = layers[k, b][mask[b]]
            out[k, b][mask[b]] = (v - v.mean()) / v.std()
    return out


def one_for_all_layers(layers, mask):
    v = layers[:, mask]
    return (layers - v.mean()) / v.std() * mask[None, :, :, None]


def divided_by_the_variance(layers, mask):
    out = np.zeros_like(layers)
    for k, layer in enumerate(layers):
        out[k][mask] = (layer[mask] - layer[mask].mean()) / layer[mask].var()
    return out


def only_divided(layers, mask):
    out = np.zeros_like(layers)
    for k, layer in enumerate(layers):
        out[k][mask] = layer[mask] / layer[mask].std()
    return out


def torch_std(layers, mask):
    out = torch.zeros(layers.shape, dtype=torch.double)
    m = torch.tensor(mask)
    for k, layer in enumerate(torch.tensor(layers)):
        v = layer[m]
        out[k][m] = (v - v.mean()) / v.std()
    return out


def only_centred(layers, mask):
    out = np.zeros_like(layers)
    for k, layer in enumerate(layers):
        out[k][mask] = layer[mask] - layer[mask].mean()
    return out


def words_alone(layers, mask):
    return np.concatenate([layer[mask] for layer in layers])


# 3. plug_in


def with_cases(x, elmo_in, elmo_out, rnn, place):
    if place == "input":
        return rnn(np.hstack([x, elmo_in]))
    if place == "output":
        return np.hstack([rnn(x), elmo_out])
    return np.hstack([rnn(np.hstack([x, elmo_in])), elmo_out])


def with_empty_parts(x, elmo_in, elmo_out, rnn, place):
    below = elmo_in if place != "output" else elmo_in[:, :0]
    above = elmo_out if place != "input" else elmo_out[:, :0]
    return np.c_[rnn(np.c_[x, below]), above]


def with_torch_cat(x, elmo_in, elmo_out, rnn, place):
    x, a, b = (torch.tensor(v) for v in (x, elmo_in, elmo_out))
    if place != "output":
        x = torch.cat([x, a], 1)
    h = torch.tensor(rnn(x.numpy()))
    return torch.cat([h, b], 1) if place != "input" else h


def places_swapped(x, elmo_in, elmo_out, rnn, place):
    other = {"input": "output", "output": "input", "both": "both"}[place]
    return with_cases(x, elmo_in, elmo_out, rnn, other)


def on_the_left(x, elmo_in, elmo_out, rnn, place):
    if place != "output":
        x = np.hstack([elmo_in, x])
    h = rnn(x)
    return np.hstack([elmo_out, h]) if place != "input" else h


def one_mix(x, elmo_in, elmo_out, rnn, place):
    return with_cases(x, elmo_in, elmo_in, rnn, place)


def mixes_exchanged(x, elmo_in, elmo_out, rnn, place):
    return with_cases(x, elmo_out, elmo_in, rnn, place)


def both_is_input(x, elmo_in, elmo_out, rnn, place):
    if place == "output":
        return np.hstack([rnn(x), elmo_out])
    return rnn(np.hstack([x, elmo_in]))


def both_is_output(x, elmo_in, elmo_out, rnn, place):
    if place == "input":
        return rnn(np.hstack([x, elmo_in]))
    return np.hstack([rnn(x), elmo_out])


def replaced(x, elmo_in, elmo_out, rnn, place):
    h = rnn(x if place == "output" else elmo_in)
    return h if place == "input" else np.hstack([h, elmo_out])


def always_after(x, elmo_in, elmo_out, rnn, place):
    parts = {"input": [elmo_in], "output": [elmo_out], "both": [elmo_in, elmo_out]}
    return np.hstack([rnn(x), *parts[place]])


def always_before(x, elmo_in, elmo_out, rnn, place):
    parts = {"input": [elmo_in], "output": [elmo_out], "both": [elmo_in, elmo_out]}
    return rnn(np.hstack([x, *parts[place]]))


def stacked_words(x, elmo_in, elmo_out, rnn, place):
    if place != "output":
        x = np.vstack([x, elmo_in])
    h = rnn(x)
    return h if place == "input" else np.vstack([h, elmo_out])


def added(x, elmo_in, elmo_out, rnn, place):
    h = rnn(x + elmo_in if place != "output" else x)
    return h + elmo_out if place != "input" else h


# 4. frozen_step


def _all(bilm, head):
    return torch.nn.utils.parameters_to_vector([*bilm.parameters(), *head.parameters()])


def with_no_grad(bilm, head, x, y, rate):
    bilm.eval()
    with torch.no_grad():
        features = bilm(x)
    optimizer = torch.optim.SGD(head.parameters(), lr=rate)
    torch.nn.functional.mse_loss(head(features), y).backward()
    optimizer.step()
    return _all(bilm, head)


def with_filter(bilm, head, x, y, rate):
    bilm.train(False)
    for p in bilm.parameters():
        p.requires_grad = False
    both = torch.nn.Sequential(bilm, head)
    wanted = [p for p in both.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(wanted, lr=rate)
    loss = torch.mean((both(x) - y) ** 2)
    loss.backward()
    optimizer.step()
    return _all(bilm, head)


def with_autograd_grad(bilm, head, x, y, rate):
    bilm.eval()
    loss = ((head(bilm(x).detach()) - y) ** 2).mean()
    slopes = torch.autograd.grad(loss, list(head.parameters()))
    new = [p - rate * g for p, g in zip(head.parameters(), slopes, strict=True)]
    return torch.cat([p.reshape(-1) for p in (*bilm.parameters(), *new)])


def _step(bilm, head, loss, rate, parameters):
    loss.backward()
    torch.optim.SGD(parameters, lr=rate).step()
    return _all(bilm, head)


def _loss(bilm, head, x, y):
    return ((head(bilm(x)) - y) ** 2).mean()


def forgot_eval(bilm, head, x, y, rate):
    for p in bilm.parameters():
        p.requires_grad_(False)
    return _step(bilm, head, _loss(bilm, head, x, y), rate, head.parameters())


def no_grad_is_not_eval(bilm, head, x, y, rate):
    with torch.no_grad():
        h = bilm(x)
    return _step(bilm, head, ((head(h) - y) ** 2).mean(), rate, head.parameters())


def eval_does_not_freeze(bilm, head, x, y, rate):
    bilm.eval()
    both = [*bilm.parameters(), *head.parameters()]
    return _step(bilm, head, _loss(bilm, head, x, y), rate, both)


def trained_everything(bilm, head, x, y, rate):
    both = [*bilm.parameters(), *head.parameters()]
    return _step(bilm, head, _loss(bilm, head, x, y), rate, both)


def forgot_to_step(bilm, head, x, y, rate):
    bilm.eval()
    _loss(bilm, head, x, y).backward()
    return _all(bilm, head)


def trained_the_bilm(bilm, head, x, y, rate):
    bilm.eval()
    return _step(bilm, head, _loss(bilm, head, x, y), rate, bilm.parameters())


def sum_of_squares(bilm, head, x, y, rate):
    bilm.eval()
    loss = ((head(bilm(x)) - y) ** 2).sum()
    return _step(bilm, head, loss, rate, head.parameters())


def climbed(bilm, head, x, y, rate):
    bilm.eval()
    return _step(bilm, head, -_loss(bilm, head, x, y), rate, head.parameters())


def head_before_bilm(bilm, head, x, y, rate):
    with_no_grad(bilm, head, x, y, rate)
    return _all(head, bilm)


def rate_of_one(bilm, head, x, y, rate):
    bilm.eval()
    return _step(bilm, head, _loss(bilm, head, x, y), 1.0, head.parameters())


def only_the_head(bilm, head, x, y, rate):
    with_no_grad(bilm, head, x, y, rate)
    return torch.nn.utils.parameters_to_vector(head.parameters())


def with_adam(bilm, head, x, y, rate):
    bilm.eval()
    _loss(bilm, head, x, y).backward()
    torch.optim.Adam(head.parameters(), lr=rate).step()
    return _all(bilm, head)


# 5. gains


def with_errors(baseline, new, previous):
    error = 100 - new
    return [new - baseline, 1 - error / (100 - baseline), 1 - error / (100 - previous)]


def with_arrays(baseline, new, previous):
    old = np.array([baseline, previous])
    return np.array([new - baseline, *(new - old) / (100 - old)])


def in_shares_first(baseline, new, previous):
    b, n, p = baseline / 100, new / 100, previous / 100
    return torch.tensor([new - baseline, (n - b) / (1 - b), (n - p) / (1 - p)])


def relative_gain(baseline, new, previous):
    return new - baseline, new / baseline - 1, new / previous - 1


def over_what_is_left(baseline, new, previous):
    left = 100 - new
    return new - baseline, (new - baseline) / left, (new - previous) / left


def percentages(baseline, new, previous):
    one, two, three = with_errors(baseline, new, previous)
    return one, 100 * two, 100 * three


def best_is_one(baseline, new, previous):
    return (
        new - baseline,
        (new - baseline) / (1 - baseline),
        (new - previous) / (1 - previous),
    )


def same_gain_twice(baseline, new, previous):
    d = new - baseline
    return d, d / (100 - baseline), d / (100 - previous)


def same_errors_twice(baseline, new, previous):
    e = 100 - baseline
    return new - baseline, (new - baseline) / e, (new - previous) / e


def best_before_baseline(baseline, new, previous):
    d, one, other = with_errors(baseline, new, previous)
    return d, other, one


def absolute_values(baseline, new, previous):
    return np.abs(with_errors(baseline, new, previous))


def old_minus_new(baseline, new, previous):
    return -np.array(with_errors(baseline, new, previous))


def points_of_the_best(baseline, new, previous):
    return new - previous, *with_errors(baseline, new, previous)[1:]


def cut_at_zero(baseline, new, previous):
    return [max(0, x) for x in with_errors(baseline, new, previous)]


RIGHT = {
    "07.scalar_mix": [with_a_loop, with_torch_softmax, with_tensordot],
    "07.layer_norm": [with_masked_arrays, with_sums, with_moments],
    "07.plug_in": [with_cases, with_empty_parts, with_torch_cat],
    "07.frozen_step": [with_no_grad, with_filter, with_autograd_grad],
    "07.gains": [with_errors, with_arrays, in_shares_first],
}

WRONG = {
    "07.scalar_mix": {
        "raw_weights": [no_softmax],
        "divided_by_their_sum": [normalised_weights],
        "without_gamma": [forgot_gamma],
        "gamma_inside": [gamma_as_temperature],
        "no_token_layer": [from_the_first_lstm_layer],
        "plain_mean": [just_the_mean],
        "exponentials_alone": [not_normalised],
        "largest_only": [argmax_layer],
        "layers_reversed": [top_layer_first],
        "halved": [mean_instead_of_sum],
        "": [not_mixed],
    },
    "07.layer_norm": {
        "padding_counted": [ignored_the_mask],
        "padding_left": [left_the_padding],
        "padding_as_zeros": [zeroed_then_counted],
        "word_by_word": [torch_layer_norm],
        "dimension_by_dimension": [like_batch_norm],
        "sentence_by_sentence": [each_sentence],
        "layers_together": [one_for_all_layers],
        "not_the_root": [divided_by_the_variance],
        "not_centred": [only_divided],
        "one_less": [torch_std],
        "no_spread": [only_centred],
        "": [words_alone],
    },
    "07.plug_in": {
        "swapped_places": [places_swapped],
        "left_side": [on_the_left],
        "same_mix_twice": [one_mix],
        "mixes_swapped": [mixes_exchanged],
        "input_only_in_both": [both_is_input],
        "output_only_in_both": [both_is_output],
        "in_place_of_the_words": [replaced],
        "after_not_before": [always_after],
        "before_not_after": [always_before],
        "below_each_other": [stacked_words],
        "": [added],
    },
    "07.frozen_step": {
        "not_evaluating": [forgot_eval, no_grad_is_not_eval],
        "not_frozen": [eval_does_not_freeze],
        "neither": [trained_everything],
        "head_frozen_too": [forgot_to_step],
        "wrong_one_frozen": [trained_the_bilm],
        "summed_loss": [sum_of_squares],
        "uphill": [climbed],
        "head_first": [head_before_bilm],
        "without_rate": [rate_of_one],
        "head_alone": [only_the_head],
        "adam": [with_adam],
    },
    "07.gains": {
        "of_the_score": [relative_gain],
        "of_the_new_errors": [over_what_is_left],
        "in_per_cent": [percentages],
        "out_of_one": [best_is_one],
        "always_the_baseline": [same_gain_twice],
        "errors_of_the_baseline": [same_errors_twice],
        "shares_swapped": [best_before_baseline],
        "no_losses": [absolute_values],
        "signs_reversed": [old_minus_new],
        "points_over_the_best": [points_of_the_best],
        "": [cut_at_zero],
    },
}
