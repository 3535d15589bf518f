"""The average of the weights: what it is, and that it survives a stop."""

import copy

import torch

from course_pretraining.averaging import hold, keep_average, take_average


def walk(steps: int, optimizer, p) -> list[float]:
    """Move a weight by noisy gradients; return where it has been."""
    generator = torch.Generator().manual_seed(1)
    path = []
    for _ in range(steps):
        p.grad = p.detach() - 3 + torch.randn(1, generator=generator)
        optimizer.step()
        path.append(p.item())
    return path


def averaging(horizon: int):
    p = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.Adam([p], lr=0.1)
    keep_average(optimizer, horizon)
    return p, optimizer


def test_the_average_is_that_of_the_last_steps():
    p, optimizer = averaging(horizon=50)
    path = walk(2000, optimizer, p)
    weights = [(1 - 1 / 50) ** age for age in range(1999, -1, -1)]
    expected = sum(w * x for w, x in zip(weights, path, strict=True)) / sum(weights)
    take_average(optimizer)
    torch.testing.assert_close(p.item(), expected, rtol=0, atol=1e-3)
    assert abs(p.item() - 3) < abs(max(path[-50:], key=lambda x: abs(x - 3)) - 3)


def test_the_average_goes_on_after_a_stop():
    p, optimizer = averaging(20)
    walk(60, optimizer, p)
    other, resumed = averaging(20)
    other.data.copy_(p.data)
    resumed.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    for weight, adam in ((p, optimizer), (other, resumed)):
        walk(30, adam, weight)
        take_average(adam)
    assert torch.equal(p, other)


def test_the_rate_rises_and_stays():
    assert [hold(x) for x in (0.005, 0.01, 0.5, 1.0)] == [0.5, 1.0, 1.0, 1.0]
