"""A process in which a hand-in is read and rendered, with a limit of time and memory.

Some texts cost their reader much more than their writer: 199,000 times "[" keep a
Markdown parser busy for a minute and a half. What passes a limit here ends this
process, not the instructor's, and the next hand-in gets a new one.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

SECONDS = 10  # of processor time, for a call
PATIENCE = 300  # seconds; a process that only waits uses no processor
MEMORY = 2 << 30  # address space


class TooMuch(RuntimeError):
    """Say that a call took more than its limit of time or memory."""


class Apart:
    """A process that makes one call after the other; begun when it is needed."""

    def __init__(self):
        self.process: multiprocessing.process.BaseProcess | None = None

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def call(self, function: Callable, *arguments: Any) -> Any:
        """Return what a function gives there; both must be plain data or a name.

        Errors: TooMuch, and those of the function itself.
        """
        if self.process is None:
            self.begin()
        with contextlib.suppress(EOFError, OSError):
            self.line.send((function, arguments))
            if self.line.poll(PATIENCE):
                fine, result = self.line.recv()
                if fine:
                    return result
                raise result
        self.end()
        raise TooMuch("it takes too long, or too much memory, to be read")

    def begin(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.line, there = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(there, SECONDS, MEMORY))
        self.process.start()
        there.close()  # so that its end is noticed here

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.line.close()
            self.process = None


def serve(line: Connection, seconds: int, memory: int) -> None:
    """Make the calls that come in, each within the limits."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    while True:
        try:
            function, arguments = line.recv()
        except EOFError:
            return
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = int(used.ru_utime + used.ru_stime) + 1 + seconds
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (until, most))  # past it: SIGXCPU
        try:
            result = True, function(*arguments)
        except MemoryError:
            return
        except Exception as error:
            result = False, error
        line.send(result)
