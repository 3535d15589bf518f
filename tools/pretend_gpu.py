"""A GPU that is not there: tensors that remember where they were put.

A program that forgets a tensor on the CPU works on a machine without a GPU and fails on
one that has it. Here it fails without one. The numbers stay on the CPU; but each tensor
knows whether it was put on the GPU, says so (`x.device`), and refuses to meet one that
was not, apart from what CUDA allows, too. Speed and rounding are the CPU's.

    python tools/run_notebooks.py --profile quick --pretend-gpu
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

GPU = torch.device("cuda", 0)
# In these only the first tensor says where the work is done: they copy, or index.
FIRST = {
    torch._has_compatible_shallow_copy_type,
    torch._VF._pack_padded_sequence,
    Tensor.__setitem__,
    Tensor.copy_,
    Tensor.data.__set__,
}


@contextmanager
def pretended() -> Iterator[None]:
    """Let torch say that there is a GPU, and watch where tensors are."""
    with ExitStack() as stack:
        for name, value in (
            ("is_available", True),
            ("is_bf16_supported", True),
            ("synchronize", None),
        ):
            stack.enter_context(patch.object(torch.cuda, name, lambda *_, v=value: v))
        stack.enter_context(PretendGPU())
        yield


class PretendGPU(TorchFunctionMode):
    """Watch every function of torch that Python calls."""

    def __torch_function__(self, function, types, given=(), named=None):
        named = dict(named or {})
        if function == Tensor.device.__get__:
            return GPU if there(given[0]) else function(*given)
        if function in (Tensor.to, Tensor.cuda, Tensor.cpu):
            return moved(function, given, named)
        if function is Tensor.pin_memory:  # needs a real one
            return given[0]
        if function is Tensor.numpy and there(given[0]):
            raise TypeError("can't convert a tensor of the GPU to numpy; .cpu() first")
        if named.get("device") is not None:
            on_gpu = is_gpu(named["device"])
            if on_gpu and named.get("generator") is not None:
                raise RuntimeError("a generator of the CPU cannot draw on the GPU")
            named["device"] = "cpu"
        else:
            on_gpu = agreed(function, given, named)
        found = function(*given, **named)
        inputs = [*tensors([given, named])]
        for x in tensors(found):
            if not any(x is y for y in inputs):
                x.there = on_gpu
        if function == Tensor.data.__set__:
            given[0].there = there(given[1])
        return found


def there(x: Tensor) -> bool:
    """Tell whether a tensor was put on the GPU."""
    return getattr(x, "there", False)


def is_gpu(where: Any) -> bool:
    """Tell whether a device, or its name, is the GPU."""
    return torch.device(where).type == "cuda"


def tensors(found: Any) -> Iterator[Tensor]:
    """Find the tensors in what a function was given, or returns."""
    if isinstance(found, Tensor):
        yield found
    elif isinstance(found, dict):
        yield from tensors([*found.values()])
    elif isinstance(found, list | tuple):
        for part in found:
            yield from tensors(part)


def agreed(function: Any, given: tuple, named: dict) -> bool:
    """Say where a function does its work.

    Errors: RuntimeError if it was given tensors of both places; a single number may
    come from the CPU.
    """
    inputs = [*tensors([given, named])]
    if function is torch._VF._pack_padded_sequence and there(given[1]):
        raise RuntimeError("the lengths of a packed sequence must be on the CPU")
    if function in FIRST or (function is Tensor.__getitem__ and there(given[0])):
        return there(given[0])
    on_gpu = any(there(x) for x in inputs)
    if on_gpu and any(x.ndim and not there(x) for x in inputs):
        found = (f"{tuple(x.shape)} {'cuda' if there(x) else 'cpu'}" for x in inputs)
        raise RuntimeError(
            f"{getattr(function, '__name__', function)}: expected all tensors to be on "
            f"the same device, found {', '.join(found)}"
        )
    return on_gpu


def moved(function: Any, given: tuple, named: dict) -> Tensor:
    """Do what x.to(…), x.cuda() or x.cpu() does."""
    x, *others = given
    if function is not Tensor.to:
        return put(x, function is Tensor.cuda)
    where, dtype = named.get("device"), named.get("dtype")
    for other in others:
        if isinstance(other, Tensor):
            where, dtype = GPU if there(other) else "cpu", other.dtype
        elif isinstance(other, str | torch.device):
            where = other
        elif isinstance(other, torch.dtype):
            dtype = other
    found = x if dtype in (None, x.dtype) else x.type(dtype)
    found.there = there(x)
    return found if where is None else put(found, is_gpu(where))


def put(x: Tensor, on_gpu: bool) -> Tensor:
    """Return a tensor there or here: itself if it is already."""
    if there(x) == on_gpu:
        return x
    x = x.clone()
    x.there = on_gpu
    return x
