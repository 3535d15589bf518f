"""NT-ASGD against a recalculation by hand, and on a loss whose minimum is known."""

from __future__ import annotations

import pytest
import torch

from course_lib.training.nt_asgd import NonMonotone, nt_asgd, use_average

pytestmark = pytest.mark.no_gpu


class Point(torch.nn.Module):
    """A point whose loss is its distance from the origin, felt with much noise."""

    def __init__(self, size: int = 50):
        super().__init__()
        self.w = torch.nn.Parameter(torch.full((size,), 3.0))

    def step(self, optimizer, generator) -> None:
        noise = torch.randn(self.w.shape, generator=generator)
        optimizer.zero_grad()
        (0.5 * (self.w - noise).pow(2).sum()).backward()
        optimizer.step()


def test_before_the_start_it_is_plain_gradient_descent():
    torch.manual_seed(0)
    ours, plain = Point(), Point()
    averaging = nt_asgd(ours, rate=0.1, weight_decay=0.0)
    descending = torch.optim.SGD(plain.parameters(), lr=0.1)
    for seed in range(20):
        for point, optimizer in ((ours, averaging), (plain, descending)):
            point.step(optimizer, torch.Generator().manual_seed(seed))
    torch.testing.assert_close(ours.w, plain.w)
    use_average(averaging)
    torch.testing.assert_close(ours.w, plain.w)


def test_after_the_start_the_average_is_that_of_all_later_weights():
    point = Point()
    optimizer = nt_asgd(point, rate=0.1, weight_decay=0.0)
    watch, generator = NonMonotone(optimizer, n=1), torch.Generator().manual_seed(0)
    for _ in range(10):
        point.step(optimizer, generator)
    assert [watch(loss) for loss in (3.0, 2.0, 2.5, 3.1)] == [False, False, False, True]
    assert watch.started == 10
    later = []
    for _ in range(30):
        point.step(optimizer, generator)
        later.append(point.w.detach().clone())
    use_average(optimizer)
    torch.testing.assert_close(point.w.detach(), torch.stack(later).mean(dim=0))


def test_the_average_lies_nearer_to_the_minimum_than_the_last_step():
    """Large: the noise of a hundred steps, averaged."""
    point = Point()
    optimizer = nt_asgd(point, rate=0.3, weight_decay=0.0)
    watch, generator = NonMonotone(optimizer, n=2), torch.Generator().manual_seed(1)
    for _ in range(300):
        point.step(optimizer, generator)
        watch(point.w.detach().norm().item())
    assert watch.started is not None
    before = point.w.detach().norm().item()
    use_average(optimizer)
    assert point.w.detach().norm().item() < before / 3


def test_it_starts_only_when_the_loss_is_no_better_than_n_checks_ago():
    optimizer = nt_asgd(Point(), rate=0.1)
    falling = NonMonotone(optimizer, n=3)
    assert not any(falling(1 / k) for k in range(1, 30))
    assert falling.started is None
