"""The wall: a student's notebook runs in a process that can reach nothing of value.

Bubblewrap gives it namespaces of its own: no network, no files but Python and a small
scratch folder, no sight of other processes; limits end what takes too much, and a
filter (seccomp.py) forbids memory that they cannot see. Where bubblewrap is missing,
`trusted=True` runs it as an ordinary process: the judge is still another process, so
that marks cannot be forged there, but files and the network can be reached. That is for
a class one trusts.
"""

from __future__ import annotations

import contextlib
import functools
import os
import random
import select
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from . import seccomp, wire

HERE = Path(__file__).parent
AGENT, HOME = "/agent/agent.py", "/home/student"
GB, MB = 1 << 30, 1 << 20
BUSY = 10


class Limits(NamedTuple):
    """What a notebook may take; what it takes beyond ends its process."""

    seconds: float = 10  # of processor time, for a cell or a call
    wall: float = 60  # of patience, for a cell or a call; more if it computes
    task: float = 240  # of patience, for all calls of a task
    notebook: float = 1800  # of patience, for all cells and calls together
    memory: float = 3 * GB  # of all its processes together; address space of each
    processes: int = 40  # and threads
    file: int = 32 * MB
    disk: int = 64 * MB


class Stopped(RuntimeError):
    """Say why a notebook's process was ended, or how it ended itself."""


class NoSandbox(RuntimeError):
    """Say that this machine has no sandbox and what to do about it."""


@functools.cache
def available() -> bool:
    """Tell whether bubblewrap is here and may do its work."""
    if not shutil.which("bwrap"):
        return False
    # Some systems forbid ordinary users to make namespaces.
    with seccomp.opened() as forbidden:
        command = [*bwrap_command(Limits(), forbidden), "true"]
        done = subprocess.run(command, capture_output=True, pass_fds=forbidden)
    return done.returncode == 0


def bwrap_command(limits: Limits, forbidden: Sequence[int]) -> list[str]:
    """Return the command that runs another one behind the wall.

    forbidden: what `seccomp.opened` gives
    """
    bound = [sys.base_prefix, sys.prefix]
    parents = {str(p) for path in bound for p in Path(path).parents if p != Path("/")}
    site = Path(sysconfig.get_path("purelib"))
    command = [
        *("bwrap", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--clearenv"),
        *("--ro-bind", "/usr", "/usr", "--ro-bind", "/etc/ld.so.cache"),
        *("/etc/ld.so.cache", "--proc", "/proc", "--dev", "/dev"),
    ]
    size = ("--size", str(limits.disk))
    for name in ("bin", "lib", "lib64"):
        command += ["--symlink", f"usr/{name}", f"/{name}"]
    for path in ("/tmp", HOME, "/dev/shm"):  # before the rest, which may lie in them
        command += ["--perms", "1777", *size, "--tmpfs", path]
    for path in sorted(parents | {"/agent"}):
        command += ["--dir", path]
    for path in bound:
        if not path.startswith("/usr"):
            command += ["--ro-bind", path, path]
    for installed in sorted(site.glob("course_*/")):  # with pip, solutions and all
        path = str(installed)
        command += [*size, "--tmpfs", path, "--remount-ro", path]
    for file in ("agent.py", "wire.py"):
        command += ["--ro-bind", str(HERE / file), f"/agent/{file}"]
    for name, value in environment().items():
        command += ["--setenv", name, value]
    # An ordinary user owns what bubblewrap makes: nothing else is to be written to.
    command += ["--remount-ro", "/dev", "--remount-ro", "/"]
    for descriptor in forbidden:
        command += ["--seccomp", str(descriptor)]
    return [*command, "--chdir", HOME, "--", *drop_privileges(), *rlimits(limits)]


def environment() -> dict[str, str]:
    """Return the environment of the inside."""
    return {
        "PATH": f"{sys.prefix}/bin:/usr/bin",
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "PYTHONHASHSEED": "0",  # a set has the same order in every run
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "GOMP_SPINCOUNT": "0",
    }


def drop_privileges() -> list[str]:
    """Give up the rights of root; for others bubblewrap makes a user namespace."""
    if os.getuid() != 0:
        return []
    user = str(random.SystemRandom().randrange(1 << 20, 1 << 30))  # its own limits
    return [
        *("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"),
    ]


def rlimits(limits: Limits) -> list[str]:
    """Return the command that sets the limits which the kernel keeps."""
    return [
        *("prlimit", f"--as={int(limits.memory)}", f"--nproc={limits.processes}"),
        *(f"--fsize={limits.file}", "--nofile=256", "--core=0"),
        *(f"--cpu={int(5 * limits.task)}", "--"),
    ]


def agent_command(
    limits: Limits, trusted: bool, forbidden: Sequence[int]
) -> tuple[list[str], dict[str, str]]:
    """Return the command that starts the inside, and its environment."""
    if not trusted:
        if not available():
            raise NoSandbox(
                "bubblewrap is missing or not allowed here (Debian, Ubuntu: "
                "apt install bubblewrap). If you trust every student of this class "
                "with your files, add --trust-everyone."
            )
        command = bwrap_command(limits, forbidden)
        # bubblewrap itself is a process that the inside can look at.
        path = {"PATH": os.environ.get("PATH", os.defpath)}
        return [*command, sys.executable, "-P", "-s", "-B", AGENT], path
    # A process like any other: the limits are kept by `watch` alone.
    command = [sys.executable, "-P", "-s", "-B", str(HERE / "agent.py")]
    return command, {**os.environ, **environment(), "HOME": os.path.expanduser("~")}


class Usage(NamedTuple):
    """What a process and its descendants take together."""

    seconds: float
    memory: int
    processes: int


def usage(pid: int) -> Usage:
    """Add up processor time, memory and number of a process and its descendants."""
    seconds, memory, count = 0.0, 0, 0
    try:
        first = psutil.Process(pid)
        family = [first, *first.children(recursive=True)]
    except psutil.Error:
        family = []
    for process in family:
        try:
            times = process.cpu_times()
            seconds += sum(times[:4])  # with those of children that have ended
            memory += process.memory_info().rss
            count += 1
        except psutil.Error:
            continue
    return Usage(seconds, memory, count)


class SandboxProcess:
    """A running agent: ask it, or find out why it cannot answer any more."""

    def __init__(
        self, limits: Limits, trusted: bool = False, folder: str | None = None
    ):
        self.limits = limits
        with seccomp.opened() as forbidden:
            command, environment = agent_command(limits, trusted, forbidden)
            self.process = subprocess.Popen(
                command,
                cwd=folder,  # behind the wall it is the scratch folder
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=forbidden,
            )
        os.set_blocking(self.process.stdout.fileno(), False)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.start_clock()
        self.greet()

    def greet(self) -> None:
        """Raise NoSandbox if the agent does not come up: no student's fault."""
        try:
            self.write(wire.pack({"do": "cell", "source": "", "name": "cell"}))
            self.receive(wire.nothing_else)
        except Stopped as error:
            self.close()
            raise NoSandbox(f"the sandbox does not start: {error}") from None

    def close(self) -> None:
        """End the process and everything that it started."""
        family: list = []
        with contextlib.suppress(psutil.Error):
            family = psutil.Process(self.process.pid).children(recursive=True)
        for process in [*family, self.process]:
            with contextlib.suppress(psutil.Error, OSError):
                process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def start_clock(self) -> None:
        """Begin to count the time of a cell or a call."""
        self.began = self.looked = time.monotonic()
        self.spent: float | None = None  # not known before it is needed

    def watch(self) -> None:
        """Raise Stopped if a limit is passed; look five times a second, not more."""
        now = time.monotonic()
        if now - self.looked < 0.2:
            return
        self.looked, taken = now, usage(self.process.pid)
        if self.spent is None:
            self.spent = taken.seconds
        used = taken.seconds - self.spent
        if used > self.limits.seconds:
            raise Stopped(f"more than {self.limits.seconds:g} s of computing")
        # Who computes, and gets little of a busy machine, has more time: so the same
        # loop is stopped for the same reason on every machine.
        patience = self.limits.wall * (BUSY if used > self.limits.seconds / 20 else 1)
        if now - self.began > patience:
            raise Stopped(f"no answer within {patience:g} s")
        if taken.memory > self.limits.memory:
            raise Stopped(f"more than {self.limits.memory / GB:.1f} GB of memory")
        if taken.processes > self.limits.processes:
            raise Stopped(f"more than {self.limits.processes} processes")

    def write(self, frame: bytes) -> None:
        """Send a frame; the other side may be too stuck to read."""
        pipe, rest = self.process.stdin.fileno(), memoryview(frame)
        while rest:
            self.watch()
            if select.select([], [pipe], [], 0.1)[1]:
                try:
                    rest = rest[os.write(pipe, rest[: 1 << 16]) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise Stopped(self.exit_reason()) from None

    def read(self, size: int) -> bytes:
        """Receive so many bytes."""
        pipe, parts, missing = self.process.stdout.fileno(), [], size
        while missing:
            self.watch()
            if select.select([pipe], [], [], 0.1)[0]:
                part = os.read(pipe, min(missing, MB))
                if not part:
                    raise Stopped(self.exit_reason())
                parts.append(part)
                missing -= len(part)
        return b"".join(parts)

    def receive(self, other: Callable) -> Any:
        """Return the next message; raise NotPlain if it is none or too large."""
        text, data = wire.HEADER.unpack(self.read(wire.HEADER.size))
        if text > wire.JSON_BYTES or data > wire.ARRAY_BYTES:
            raise Stopped(f"an answer of {(text + data) / MB:.0f} MB")
        message = wire.unpack(self.read(text), self.read(data), other)
        if not isinstance(message, dict):
            raise wire.NotPlain("a message that is no message")
        return message

    def exit_reason(self) -> str:
        """Say how the process ended."""
        try:
            code = self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "the connection was closed"
        signal = code - 128 if code > 128 else -code
        if signal == 9:
            return "the Python process was killed (out of memory?)"
        if signal in (6, 7, 8, 11):
            return "the Python process crashed"
        return "the Python process was ended (exit, or out of memory)"
