"""Stand-ins, in the judge's process, for what lives behind the wall.

An Answer is called like the student's function; the call crosses the wall. What cannot
cross stays on its side and a stand-in takes its place: a Handle here for an object that
the answer returned (an nn.Module: only tensors cross), a function there for a function
that a task gives to the answer (its code and its seeds stay here).
"""

from __future__ import annotations

import inspect
import math
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from . import wire
from .sandbox import Limits, NoSandbox, SandboxProcess, Stopped

LARGEST = 4096  # numbers in an input of a task's own function, which runs in the judge
METHODS = (
    *("forward", "train", "eval", "zero_grad", "state_dict", "load_state_dict"),
    *("parameters", "encode", "decode", "generate", "attention"),
)
RESTARTS = 8
SAID = 2000  # characters kept of what an answer prints


class Notebook:
    """A student's notebook behind the wall: its cells run, its functions are called.

    files: the bytes of what was handed out with it; folder: where it runs if trusted.
    If the process ends or must be ended, another one takes its place, in which the
    cells run again, except the one that did it. fault: why none could be started;
    answer: the one that is being called.
    """

    def __init__(
        self,
        limits: Limits,
        trusted: bool = False,
        files: dict[str, np.ndarray] | None = None,
        folder: str | None = None,
    ):
        self.limits, self.trusted = limits, trusted
        self.files, self.folder = files or {}, folder
        self.inside: SandboxProcess | None = None
        self.fault: Exception | None = None
        self.answer: Answer | None = None
        self.ran: list[tuple[str, str]] = []
        self.stops: list[str] = []
        self.functions: list[Callable] = []
        self.deadline = float("inf")
        self.ends = time.monotonic() + limits.notebook
        self.said = ""

    def close(self) -> None:
        if self.inside:
            self.inside.close()
        self.inside = None

    def begin(self) -> SandboxProcess:
        """Return the running process, if need be a new one in which all cells ran."""
        self.require_time()
        while not self.inside:
            if len(self.stops) > RESTARTS:
                raise Stopped("stopped too often")
            self.start()
        return self.inside

    def require_time(self) -> None:
        """Raise Stopped if the time of the whole notebook is over."""
        if time.monotonic() > self.ends:
            raise Stopped(f"more than {self.limits.notebook:g} s for the notebook")

    def start(self) -> None:
        """Start a process and run the cells; one that is stopped now is left out."""
        try:
            self.inside = SandboxProcess(self.limits, self.trusted, self.folder)
        except (NoSandbox, OSError) as error:  # the machine's fault, no answer's
            self.fault = error
            raise
        for name, data in self.files.items():
            self.exchange({"do": "file", "name": name, "data": data})
        for cell in list(self.ran):
            try:
                self.exchange({"do": "cell", "source": cell[0], "name": cell[1]})
            except Stopped as error:
                self.ran.remove(cell)
                self.stop(cell[1], error)
                return

    def stop(self, name: str, error: Stopped) -> None:
        """Write down what was stopped, and end the process."""
        self.stops.append(f"{name}: {error}")
        self.close()

    def run(self, source: str, name: str) -> list[str] | None:
        """Run a cell; return its error, if any, as [kind, words, line]."""
        try:
            self.begin()
            reply = self.exchange({"do": "cell", "source": source, "name": name})
        except Stopped as error:
            self.stop(name, error)
            return ["Stopped", str(error), name]
        self.ran.append((source, name))
        return clean(reply["error"]) if "error" in reply else None

    def call(
        self, inputs: tuple, options: dict, name="", number=None, method=""
    ) -> Any:
        """Call the function `name`, or a method of the object with this number."""
        if time.monotonic() > self.deadline:
            raise Stopped(f"more than {self.limits.task:g} s for all calls")
        self.begin()
        message = {"do": "call", "name": name, "number": number, "method": method}
        reply = self.exchange({**message, "inputs": inputs, "options": options})
        self.said = (self.said + reply.get("said", ""))[:SAID]
        if "error" in reply:
            raise raised(*clean(reply["error"]))
        return reply.get("value")

    def exchange(self, message: dict) -> dict:
        """Send a message and return its reply; meanwhile call what the answer calls."""
        self.require_time()
        self.functions = []
        self.inside.start_clock()
        self.inside.write(wire.pack(message, self.leave))
        while True:
            try:
                reply = self.inside.receive(self.arrive)
            except wire.NotPlain as error:  # the agent sends no such thing
                raise Stopped(f"a forged answer ({error})") from None
            if "callback" not in reply:
                return checked(reply)
            self.inside.write(self.called_back(reply))

    def called_back(self, message: dict) -> bytes:
        """Call a task's own function for the inside; return the frame of its value."""
        try:
            inputs, options = message["inputs"], message["options"]
            if weight([*inputs, *options.values(), message.get("upstream")]) > LARGEST:
                raise ValueError(f"more than {LARGEST} numbers for a given function")
            value = self.functions[message["callback"]](*inputs, **options)
            if "upstream" in message:
                value = gradients(value, inputs, message["upstream"])
            return wire.pack({"value": value})
        except Exception as error:
            return wire.pack({"error": [type(error).__name__, str(error)[:500]]})

    def leave(self, value: Any, inner: Callable) -> list:
        """Send an object's number, a module's parts, or a function's number."""
        if isinstance(value, Handle):
            return ["object", value._number]
        torch = sys.modules.get("torch")
        if torch and isinstance(value, torch.nn.Module):
            return ["module", *map(inner, parts(value))]
        if not callable(value):
            raise TypeError(f"a task gives its answer a {type(value)}: it cannot cross")
        self.functions.append(value)
        name = getattr(value, "__name__", type(value).__name__)
        return ["function", len(self.functions) - 1, name]

    def arrive(self, kind: str, *rest: Any) -> Handle:
        number, name = int(rest[0]), str(rest[1])
        named = type(name if name.isidentifier() else "object", (Handle,), {})
        return named(self.answer, number)


class Answer:
    """A student's function, called by its name."""

    def __init__(self, notebook: Notebook, name: str):
        self.notebook, self.name = notebook, name
        self.stopped = ""

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return self.call(inputs, options, name=self.name)

    def call(self, inputs: tuple, options: dict, **what: Any) -> Any:
        """Call it, or an object that it returned; once stopped, it stays so."""
        if self.stopped:
            raise Stopped(self.stopped)
        self.notebook.answer = self
        try:
            return self.notebook.call(inputs, options, **what)
        except Stopped as error:
            self.stopped = str(error)
            self.notebook.stop(self.name, error)
            raise


class Handle:
    """An object that an answer returned; it stays inside and is called from here."""

    def __init__(self, answer: Answer, number: int):
        self._answer, self._number = answer, number

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return self._answer.call(inputs, options, number=self._number)

    def __getattr__(self, name: str) -> Callable:
        if name not in METHODS:
            raise AttributeError(name)
        return lambda *inputs, **options: self._answer.call(
            inputs, options, number=self._number, method=name
        )

    def __deepcopy__(self, memory: dict) -> Handle:
        return self  # there is one, inside


def gradients(value: Any, inputs: Any, upstream: Any) -> list:
    """Return the gradient at each tensor among the inputs, or None."""
    import torch

    tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
    asked = [x for x in tensors if x.requires_grad]
    found = iter(torch.autograd.grad(value, asked, upstream, allow_unused=True))
    return [next(found) if x.requires_grad else None for x in tensors]


def checked(reply: dict) -> dict:
    """Return a reply that is as the agent sends them; raise Stopped if it is forged."""
    error = reply.get("error", [])
    if not isinstance(error, list) or not all(isinstance(part, str) for part in error):
        raise Stopped("a forged answer (an error that is none)")
    if not isinstance(reply.get("said", ""), str):
        raise Stopped("a forged answer (printed what is no text)")
    return reply


def clean(error: list[str]) -> list[str]:
    """Return [kind, words, line] of what the inside says an error was."""
    kind, words, where = [*error, "", "", ""][:3]
    return [kind[:50] if kind.isidentifier() else "Error", words[:500], where[:200]]


def raised(kind: str, words: str, where: str) -> Exception:
    """Return an exception of that name; only the stub's is a class of Python's own."""
    base = NotImplementedError if kind == "NotImplementedError" else Exception
    error = type(kind, (base,), {})(words)
    error.where = where
    return error


def weight(value: Any) -> int:
    """Count the numbers in plain data; a whole number may be a size, and counts."""
    if isinstance(value, str):
        return max(1, len(value) // 100)
    if isinstance(value, list | tuple | set):
        return max(1, sum(map(weight, value)))
    if isinstance(value, dict):
        return weight([*value, *value.values()])
    if isinstance(value, int):
        return max(1, abs(value))
    return array_weight(value) if hasattr(value, "dtype") else 1


def array_weight(array: Any) -> int:
    """Count the numbers of an array or tensor; its largest whole number may be a size.

    An axis of length 0 hides no other: a sum over (0, 1, N) gives N numbers.
    """
    size = math.prod(max(1, length) for length in array.shape)
    if size > LARGEST or "int" not in str(array.dtype):
        return size
    return max([size, *map(abs, array.reshape(-1).tolist())])


def parts(module: Any) -> tuple:
    """Take a torch module apart: class, settings, weights and the modules in it.

    A class that is not torch's own is sent as its source; it may use torch, nn and F.
    """
    kind = type(module)
    of_torch = kind.__module__.startswith("torch.nn.modules")
    source = None if of_torch else textwrap.dedent(inspect.getsource(kind))
    settings = {
        name: value
        for name, value in vars(module).items()
        if name == "training" or not name.startswith("_")
        if isinstance(value, bool | int | float | str | tuple | None)
    }
    weights = {
        name: None
        if value is None
        else value.detach().requires_grad_(value.requires_grad)
        for name, value in module._parameters.items()
    }
    return (
        *(source, kind.__name__, settings, weights),
        *(dict(module._buffers), dict(module._modules)),
    )
