"""A GPU that is not there: tensors of the CPU that remember where they were put.

A program that forgets one tensor on the CPU works here and fails on a machine with a
GPU. In this mode it fails here as well: numbers stay on the CPU, but each tensor knows
whether it was put on the GPU, says so (`x.device`), and refuses to meet one that was
not, with the exceptions that CUDA makes, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

GPU = torch.device("cuda", 0)
# Both kinds may meet: what copies from one to the other, and what only looks.
MOVERS = {Tensor.copy_, Tensor.data.__set__, Tensor.grad.__set__, torch._has_compatible_shallow_copy_type}
INDEXED = {Tensor.__getitem__, Tensor.__setitem__}


def tensors(found) -> Iterator[Tensor]:
    """Find the tensors in what a function was given, or returns."""
    if isinstance(found, Tensor):
        yield found
    elif isinstance(found, dict):
        yield from tensors([*found.values()])
    elif isinstance(found, list | tuple):
        for part in found:
            yield from tensors(part)


def there(x: Tensor) -> bool:
    """Whether a tensor was put on the GPU."""
    return getattr(x, "pretends", False)


def put(x: Tensor, yes: bool = True) -> Tensor:
    """Return the tensor there (or here), itself if it is already."""
    if there(x) == yes:
        return x
    x = x.clone()
    x.pretends = yes
    return x


def is_gpu(where) -> bool:
    return where is not None and torch.device(where).type == "cuda"


class PretendGPU(TorchFunctionMode):
    """Watch every function of torch that Python calls."""

    def __torch_function__(self, function, types, given=(), named=None):
        named = dict(named or {})
        if function is Tensor.device.__get__:
            return GPU if there(given[0]) else function(*given)
        if function is Tensor.is_cuda.__get__:
            return there(given[0])
        if function in (Tensor.to, Tensor.cuda, Tensor.cpu):
            return self.moved(function, given, named)
        if function is Tensor.numpy and there(given[0]):
            raise TypeError("can't convert a tensor on the GPU to numpy")
        if function is Tensor.data.__set__:
            given[0].pretends = there(given[1])
            return function(*given)
        where = named.get("device")
        if where is not None:
            named["device"] = "cpu"
        generator = named.get("generator")
        if is_gpu(where) and generator is not None:
            raise RuntimeError("expected a 'cuda' generator, found one of the 'cpu'")
        inputs = [x for x in tensors([given, named]) if isinstance(x, Tensor)]
        on_gpu = is_gpu(where) if where is not None else self.agree(function, inputs, given)
        found = function(*given, **named)
        for x in tensors(found):
            if not any(x is y for y in inputs):
                x.pretends = on_gpu
        return found

    def agree(self, function, inputs: list[Tensor], given) -> bool:
        """Say where a function works; both kinds must not meet."""
        if function is torch._VF._pack_padded_sequence:
            if there(given[1]):
                raise RuntimeError("lengths of a packed sequence must be on the CPU")
            return there(given[0])
        if function is Tensor.__setitem__ or function in MOVERS:
            return there(given[0])
        if function is Tensor.__getitem__ and there(given[0]):
            return True
        if any(there(x) for x in inputs):
            stranger = [x for x in inputs if not there(x) and x.ndim]
            if stranger:
                shapes = ", ".join(f"{tuple(x.shape)} {'cuda' if there(x) else 'cpu'}" for x in inputs)
                name = getattr(function, "__name__", function)
                raise RuntimeError(f"{name}: expected all tensors to be on the same device: {shapes}")
            return any(there(x) and True for x in inputs)
        return False

    def moved(self, function, given, named):
        """Move a tensor, and change its type if that is asked, too."""
        x, *others = given
        where = named.pop("device", None)
        if function is not Tensor.to:
            return put(x, function is Tensor.cuda)
        if others and isinstance(others[0], Tensor):
            where, others[0] = GPU if there(others[0]) else "cpu", others[0].dtype
        elif others and isinstance(others[0], str | torch.device | int):
            where = others.pop(0)
        elif others and others[0] is None:
            others.pop(0)
        stays = there(x)
        found = function(x, *others, **named) if others or named else x
        if found is not x:
            found.pretends = stays
        return put(found, is_gpu(where)) if where is not None else found


@pytest.fixture
def gpu(monkeypatch):
    """Pretend for the length of a test that this machine has a GPU."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda *_, **__: True)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda *_: None)
    with PretendGPU():
        yield GPU
