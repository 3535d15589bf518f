"""The pretended GPU refuses what CUDA refuses, and a model comes back from it."""

from __future__ import annotations

import pytest
import torch
from pretend_gpu import GPU

from course_lib.training import device, on_device

pytestmark = pytest.mark.usefixtures("gpu")


def test_what_is_put_there_says_so_and_so_does_what_comes_of_it():
    x = torch.ones(2, 3, device="cuda")
    assert device().type == "cuda"
    assert x.device == (x @ x.T).device == x[:, 1].device == torch.cat([x, x]).device
    assert x.device == torch.ones(2).to("cuda").device == torch.ones(2).to(x).device
    assert x.device == GPU != x.cpu().device == torch.ones(2).device


def test_who_wants_the_cpu_gets_it(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")
    assert device().type == "cpu"
    monkeypatch.setenv("COURSE_DEVICE", "gpu")
    with pytest.raises(RuntimeError, match="gpu"):
        device()


def test_two_places_must_not_meet():
    here, x = torch.ones(3), torch.ones(3, device="cuda")
    for meet in (torch.add, torch.dot, torch.equal, lambda a, b: torch.stack([a, b])):
        with pytest.raises(RuntimeError, match=r"\(3,\) cpu, \(3,\) cuda"):
            meet(here, x)
    with pytest.raises(TypeError, match="numpy"):
        x.numpy()
    with pytest.raises(RuntimeError, match="generator"):
        torch.rand(3, device="cuda", generator=torch.Generator())


def test_a_single_number_and_an_index_may_come_from_the_cpu():
    x = torch.ones(3, device="cuda")
    assert (x * torch.tensor(2.0)).device == GPU
    assert x[torch.tensor([0, 2])].device == GPU
    with pytest.raises(RuntimeError, match="cpu"):
        torch.ones(3)[torch.tensor([0, 2], device="cuda")]


def test_a_layer_learns_there():
    layer = torch.nn.Linear(3, 1).to("cuda")
    adam = torch.optim.Adam(layer.parameters())
    before = layer.weight.detach().clone()
    with pytest.raises(RuntimeError, match="cpu"):
        layer(torch.ones(2, 3))
    layer(torch.ones(2, 3, device="cuda")).sum().backward()
    assert layer.weight.grad.device == GPU
    adam.step()
    assert (layer.weight < before).all()  # the gradient is positive


def test_a_lent_model_comes_back_also_after_an_error():
    layer = torch.nn.Linear(3, 1)
    with pytest.raises(KeyError), on_device(layer) as where:
        assert layer(torch.ones(2, 3, device=where)).device == GPU
        raise KeyError
    assert layer(torch.ones(2, 3)).device.type == "cpu"


def test_a_model_that_was_put_there_stays_there():
    layer = torch.nn.Linear(3, 1).to("cuda")
    with on_device(layer):
        pass
    assert layer.weight.device == GPU
