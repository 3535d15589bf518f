"""Calls that the wall forbids: they make memory that no limit of a process counts.

A file in memory and a shared segment belong to no process, and in a namespace of one's
own anybody may mount a folder in memory, of any size. The kernel reads the filter as a
small program (classic BPF; linux/filter.h and linux/seccomp.h).
"""

from __future__ import annotations

import contextlib
import platform
import struct
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE = 0, 4  # where the kernel shows what is called, and by what code
ALLOW, NO_SUCH_CALL = 0x7FFF0000, 0x00050000 | 38  # the error ENOSYS
OTHER_CODE = 1 << 30  # numbers from here on are the same calls once more (x32)


class Machine(NamedTuple):
    """How a processor's calls are numbered."""

    code: int
    calls: dict[str, int]


EVERYWHERE = {"fsopen": 430, "memfd_secret": 447}
MACHINES = {
    "x86_64": Machine(
        0xC000003E,
        {"shmget": 29, "msgget": 68, "mount": 165, "memfd_create": 319},
    ),
    "aarch64": Machine(
        0xC00000B7,
        {"shmget": 194, "msgget": 186, "mount": 40, "memfd_create": 279},
    ),
}


def program(machine: Machine) -> bytes:
    """Return the filter: a forbidden call is answered as if the kernel had none."""
    forbidden = sorted((machine.calls | EVERYWHERE).values())
    last = len(forbidden) + 5
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 0, last - 2, machine.code),  # how many steps to leap over, if not
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, last - 4, 0, OTHER_CODE),
        *((EQUAL, last - 5 - k, 0, number) for k, number in enumerate(forbidden)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, NO_SUCH_CALL),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


@contextlib.contextmanager
def opened() -> Iterator[list[int]]:
    """Give a descriptor from which the filter can be read once; none if it is unknown.

    A processor whose numbers are not listed above has no filter.
    """
    machine = MACHINES.get(platform.machine())
    if machine is None:
        yield []
        return
    with tempfile.TemporaryFile() as file:
        file.write(program(machine))
        file.seek(0)
        yield [file.fileno()]
