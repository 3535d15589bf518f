"""What all tests have in common; read before anything imports torch."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from hypothesis import settings

COURSE = Path(__file__).resolve().parent.parent

# Two threads that wait busily for each other can be 20 times slower than one.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("MPLBACKEND", "Agg")

# nbgrader starts alembic by its bare name, also where nobody activated .venv.
os.environ["PATH"] = os.pathsep.join(
    [str(Path(sys.executable).parent), os.environ["PATH"]]
)

sys.path.insert(0, str(COURSE / "tools"))  # the tests of build.py, run_notebooks.py

# A busy machine is no mistake in the code: no deadline for a single example.
settings.register_profile("course", deadline=None, print_blob=True)
settings.load_profile("course")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported now stays: nobody need look through it for garbage, ever."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def gpu(monkeypatch):
    """Let a test believe that this machine has a GPU; one that has it is left alone."""
    import torch
    from pretend_gpu import pretended

    monkeypatch.delenv("COURSE_DEVICE", raising=False)
    with nullcontext() if torch.cuda.is_available() else pretended():
        yield


@pytest.fixture
def full_disk():
    """Return a context in which no file can grow beyond so many bytes.

    Only the number of the error differs from that of a full disk.
    """
    resource = pytest.importorskip("resource")  # not on Windows

    @contextmanager
    def limited(room: int):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    return limited


@pytest.fixture
def ctrl_c_in_step_3(monkeypatch):
    """Return a context in which Ctrl-C is pressed during a training, and ends it."""
    from course_lib.training.progress import Clock

    tick, steps = Clock.tick, []

    def watched(clock, *done) -> None:
        tick(clock, *done)
        steps.append(done)
        if len(steps) == 3:
            signal.raise_signal(signal.SIGINT)

    @contextmanager
    def pressed():
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Clock, "tick", watched)
            yield
        signal.signal(signal.SIGINT, before)

    return pressed


@pytest.fixture
def steps_of_optimisers():
    """Return a list that gets a copy of each parameter group, before every step."""
    from torch.optim.optimizer import register_optimizer_step_pre_hook

    seen: list[dict] = []

    def look(optimizer, *_) -> None:
        seen.extend(dict(group) for group in optimizer.param_groups)

    hook = register_optimizer_step_pre_hook(look)
    yield seen
    hook.remove()


@pytest.fixture(scope="session")
def course() -> Path:
    """Return the root of the repository."""
    return COURSE
