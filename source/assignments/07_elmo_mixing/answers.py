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


def torch_layer_norm(layers, mask):
    x = torch.tensor(layers)
    x = torch.nn.functional.layer_norm(x, x.shape[-1:], eps=0.0)
    return x.numpy() * mask[None, :, :, None]


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


def cut_at_zero(baseline, new, previous):
    return [max(0, x) for x in with_errors(baseline, new, previous)]


def both_evaluating(bilm, head, x, y, rate):
    return with_no_grad(bilm, head.eval(), x, y, rate)


def summed_over_outputs(bilm, head, x, y, rate):
    bilm.eval()
    loss = ((head(bilm(x).detach()) - y) ** 2).sum(dim=1).mean()
    loss.backward()
    for p in head.parameters():
        p.data -= rate * p.grad
    return _all(bilm, head)


RIGHT = {
    "07.scalar_mix": [with_a_loop, with_torch_softmax, with_tensordot],
    "07.layer_norm": [with_masked_arrays, with_sums, with_moments],
    "07.plug_in": [with_cases, with_empty_parts, with_torch_cat],
    "07.frozen_step": [with_no_grad, with_filter, with_autograd_grad],
    "07.gains": [with_errors, with_arrays, in_shares_first],
}

WRONG = {
    "07.scalar_mix": {
        "": [not_mixed],
    },
    "07.layer_norm": {
        "word_by_word": [torch_layer_norm],
        "": [words_alone],
    },
    "07.plug_in": {
        "": [added],
    },
    "07.frozen_step": {
        "head_evaluating": [both_evaluating],
        "": [summed_over_outputs],
    },
    "07.gains": {
        "": [cut_at_zero],
    },
}
