"""The inside: runs a student's cells and calls their functions when the judge asks.

This file and wire.py are all of the course that is there. Nothing here keeps a secret
or decides anything: code that takes this process over can only give other answers than
its functions would have given, and the judge, outside, compares answers.

    file      write a file that was handed out  -> nothing
    cell      run a cell                        -> its error, and what it printed
    call      call a function, an object or an object's method   -> its value
    callback  (to the judge) call a function that was given as an input
"""

from __future__ import annotations

import array
import builtins
import contextlib
import io
import linecache
import os
import re
import sys
import traceback
import types
from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import wire  # noqa: E402

wire.MOST_KEYS, wire.ARRAY_BYTES = 10**7, 1 << 40  # the judge sends no traps
SAID = 2000  # bytes kept of what a cell or call prints
OBJECTS = 1000
SEEDS = {"random": "seed", "numpy.random": "seed", "torch": "manual_seed"}


class OutputHead(io.RawIOBase):
    """Keep the beginning of what is printed; forget the rest, it costs nothing."""

    kept = b""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1  # for a program that is given the stream; it leads nowhere

    def write(self, data: Any) -> int:
        self.kept = (self.kept + bytes(data))[:SAID]
        return len(data)


class Agent:
    """One notebook: its names, and the objects that its functions returned."""

    def __init__(self, stream: tuple):
        self.inn, self.out = stream
        self.objects: dict[int, Any] = {}
        self.made = 0
        self.main = types.ModuleType("__main__")
        self.said = OutputHead()
        self.unseeded = dict(SEEDS)

    def serve(self) -> None:
        """Answer the judge's messages until it hangs up."""
        while True:
            try:
                message = wire.unpack(*wire.receive(self.inn), self.arrive)
            except EOFError:
                return
            self.said.kept = b""
            reply = self.obey(message)
            with contextlib.suppress(BaseException):  # the student's own, perhaps
                sys.stdout.flush()
            reply["said"] = self.said.kept.decode("utf-8", "replace")
            wire.send(self.out, self.packed(reply))

    def obey(self, message: dict) -> dict:
        try:
            self.seed(message.get("source", ""))
            if message["do"] == "file":
                return {"value": write_file(message["name"], message["data"])}
            if message["do"] == "cell":
                self.run(message["source"], message["name"])
                return {"value": None}
            return {"value": self.call(message)}
        except BaseException as error:  # also SystemExit and KeyboardInterrupt
            return {"error": described(error)}

    def seed(self, source: str) -> None:
        """Seed what has been imported: who draws without a seed has one mark, too.

        Only `default_rng()`, made without a seed, draws other numbers each time.
        """
        if re.search(r"(?m)^\s*(?:import|from)\s+torch\b", source):
            with contextlib.suppress(ImportError):
                import torch  # noqa: F401 (before the cell does, and draws)
        for library in self.unseeded.keys() & sys.modules.keys():
            getattr(sys.modules[library], self.unseeded.pop(library))(0)

    def packed(self, reply: dict) -> bytes:
        try:
            return wire.pack(reply, self.leave)
        except BaseException as error:
            return wire.pack({"error": described(error), "said": reply.get("said", "")})

    def run(self, source: str, name: str) -> None:
        """Run a cell as a notebook would; what is not plain Python, IPython runs."""
        try:
            code = compile(source, name, "exec", dont_inherit=True)
        except SyntaxError:
            if not any(sign in source for sign in ("%", "!", "?", "await")):
                raise
            shell().run_cell(source, silent=True).raise_error()
            return
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        exec(code, self.main.__dict__)

    def call(self, message: dict) -> Any:
        """Call a function by its name, or an object that stayed here by its number."""
        name, number, method = (message[key] for key in ("name", "number", "method"))
        if number is not None:
            what = self.objects[number]
        elif name in self.main.__dict__:
            what = self.main.__dict__[name]
        else:
            raise NameError(f"there is no {name} in your notebook")
        what = getattr(what, method) if method else what
        value = what(*message["inputs"], **message["options"])
        return list(value) if method and isinstance(value, Iterator) else value

    def leave(self, value: Any, inner: Callable) -> list:
        """Keep an object here and send its number; arrays of other kinds are arrays."""
        if isinstance(value, deque):
            return inner(list(value))
        if isinstance(value, Fraction):
            return inner(float(value))
        if hasattr(value, "__array__") or isinstance(value, range | array.array):
            import numpy

            numbers = numpy.asarray(value)
            if numbers.dtype.kind in "biuf":
                return inner(numbers)
        number, self.made = self.made, self.made + 1
        self.objects[number] = value
        self.objects.pop(number - OBJECTS, None)  # the oldest is let go
        return ["object", number, type(value).__name__[:50]]

    def arrive(self, kind: str, *rest: Any) -> Any:
        """Make what the judge means: a function, a module, or an object from here."""
        *what, inner = rest
        if kind == "function":
            return self.given(*what)
        if kind == "module":
            return module(*map(inner, what))
        return self.objects[what[0]]

    def ask(self, message: dict) -> Any:
        """Ask the judge to call a function that was given as an input."""
        wire.send(self.out, wire.pack(message, self.leave))
        reply = wire.unpack(*wire.receive(self.inn), self.arrive)
        if "error" in reply:
            kind, text = reply["error"]
            raise getattr(builtins, kind, RuntimeError)(text)
        return reply["value"]

    def given(self, number: int, name: str) -> Callable:
        """Return a function that asks the judge what its own function gives."""

        def ask(*inputs: Any, **options: Any) -> Any:
            message = {"callback": number, "inputs": inputs, "options": options}
            value = self.ask(message)
            if wire.is_tensor(value) and value.requires_grad:
                return connected(value, message, self.ask)
            return value

        ask.__name__ = ask.__qualname__ = name
        return ask


def write_file(name: str, data: Any) -> None:
    """Write a data file where the notebook looks for it."""
    os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
    with open(name, "wb") as file:
        file.write(data.tobytes())


def connected(value: Any, message: dict, ask: Callable) -> Any:
    """Join a value to its inputs, so that gradients flow back through the judge."""
    import torch

    tensors = [x for x in message["inputs"] if wire.is_tensor(x)]
    kept = [
        x.detach().clone().requires_grad_(x.requires_grad) if wire.is_tensor(x) else x
        for x in message["inputs"]
    ]

    class Outside(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            return value.detach()

        @staticmethod
        def backward(ctx: Any, upstream: Any) -> tuple:
            return tuple(ask({**message, "inputs": kept, "upstream": upstream}))

    return Outside.apply(*tensors)


def module(source, path, attributes, parameters, buffers, children) -> Any:
    """Build a torch module from its class, its settings, weights and parts."""
    import torch

    if source:
        space = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}
        exec(source, space)
        kind = space[path]
    else:
        kind = getattr(torch.nn, path)
    made = kind.__new__(kind)
    torch.nn.Module.__init__(made)
    made.__dict__.update(attributes)
    for name, value in parameters.items():
        gradient = value is not None and value.requires_grad
        made.register_parameter(
            name,
            None if value is None else torch.nn.Parameter(value.detach(), gradient),
        )
    for name, value in buffers.items():
        made.register_buffer(name, value)
    for name, value in children.items():
        made.add_module(name, value)
    return made


def described(error: BaseException) -> list[str]:
    """Return an error's kind, its words, and the student's line where it happened."""
    try:
        words = str(error)[:500]
    except BaseException:
        words = ""
    where = ""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith("cell "):
            where = f"{frame.filename}, line {frame.lineno}: {frame.line}"[:200]
            break
    return [type(error).__name__[:50], words, where]


def shell() -> Any:
    """Return an IPython for magics and shell lines, made when first needed."""
    from IPython.core.interactiveshell import InteractiveShell

    names = sys.modules["__main__"].__dict__
    made = InteractiveShell.instance(user_ns=names)
    made.showtraceback = made.showsyntaxerror = lambda *_, **__: None
    made.enable_gui = lambda *_: None  # %matplotlib inline asks for one
    return made


class NoCourse:
    """Say that the course is not here, also where it is installed and there is no wall.

    An answer that imports the course's own solution would pass on one machine only.
    """

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        if name.startswith("course_"):  # course_lib, course_claims and what is beside
            why = "an answer may not import the course; write your own"
            raise ModuleNotFoundError(f"No module named {name!r} ({why})", name=name)


def stub_module(name: str, **contents: Any) -> None:
    """Put a module into the place of one that is not here."""
    sys.modules[name] = made = types.ModuleType(name)
    made.__path__ = []
    made.__dict__.update(contents)


def main() -> None:
    """Take the two pipes for the judge's use, and give the student none of them."""
    stream = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        os.dup2(os.open(os.devnull, mode), number)
    agent = Agent(stream)
    sys.modules["__main__"] = agent.main
    sys.stdin = io.StringIO()
    sys.stdout = sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(agent.said), "utf-8", "replace", line_buffering=True
    )
    sys.meta_path.insert(0, NoCourse)
    # A student's own cells may import the checks; here they check nothing.
    stub_module("course_lib")
    nothing = lambda *_, **__: None  # noqa: E731
    stub_module("course_lib.grading", check=nothing, hint=nothing)
    # Assignment 16 shows its evidence; here it comes with each call.
    stub_module("course_claims.exhibits", evidence=lambda: ({}, []))
    builtins.get_ipython, builtins.display = shell, print
    agent.serve()


if __name__ == "__main__":
    main()
