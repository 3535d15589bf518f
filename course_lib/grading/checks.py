"""Check an answer at once and offline, and name the mistake if it is a known one.

A task is a list of checks and a list of known mistakes, all of them functions. When an
answer is wrong, each mistake is asked for its own output on the same inputs: the one
that gives what the answer gave explains it, in English and Chinese.

    check("06.char_ids", char_ids)                 fixed inputs, for the student
    check("06.char_ids", char_ids, hidden=True)    further checks, fresh random inputs

The checks run in one process with the answer. That serves people who want to learn; it
does not stop code that sets out to deceive (an answer that replaces this module, reads
the caller's variables or calls the solution). Only a judge in a process of its own can,
and it can use `run` as it is: all that a check knows of an answer is how to call it.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import os
import secrets
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from numpy import argwhere, array, errstate, float64, ndarray
from numpy.random import Generator, default_rng

from . import library
from .hints import LADDER


class WrongAnswer(AssertionError):
    """Say in English and Chinese what is wrong with an answer.

    mistake: the name of the known mistake, or ""; compared: whether the answer's
    output was compared with what is right, so that the known mistakes can be asked
    """

    def __init__(self, message: str, mistake: str = "", compared: bool = False):
        super().__init__(message)
        self.mistake, self.compared = mistake, compared

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows: the message, and where the answer's code broke.

        IPython asks for this instead of printing the frames of this module, which help
        nobody. The cell counts as failed all the same, for nbgrader too.
        """
        broke = frames(self.__cause__) if self.__cause__ else []
        return [*str(self).splitlines(), *broke]


class Failure(NamedTuple):
    """What an answer did instead of giving numbers."""

    kind: str
    en: str
    zh: str
    error: BaseException | None = None


class Mistake(NamedTuple):
    """A known mistake: a sentence in two languages and a function that makes it."""

    name: str
    en: str
    zh: str
    answer: Callable


class Check(NamedTuple):
    """A test of an answer: test(answer, rng) raises WrongAnswer or returns."""

    en: str
    zh: str
    test: Callable[[Callable, Generator], None]
    hidden: bool


Outcome = ndarray | Failure
MOST_SAID = 10_000  # bytes kept of what an answer prints
Case = tuple[tuple, Any]  # (inputs, expected output)


@dataclass
class Task:
    """One exercise: its checks, and the mistakes that people make in it.

    tolerance: numbers a and b are equal if |a - b| <= tolerance * (1 + |b|), roughly
    """

    name: str
    tolerance: float = 1e-6
    checks: list[Check] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)

    def check(self, en: str, zh: str, hidden: bool = False) -> Callable:
        """Register a check; a hidden one does not run in the student's notebook."""

        def register(test: Callable) -> Callable:
            self.checks.append(Check(en, zh, test, hidden))
            return test

        return register

    def mistake(self, en: str, zh: str) -> Callable:
        """Register a known mistake under its function's name."""

        def register(answer: Callable) -> Callable:
            self.mistakes.append(Mistake(answer.__name__, en, zh, answer))
            return answer

        return register

    def compare(self, answer: Callable, cases: Iterable[Case]) -> None:
        """Raise WrongAnswer unless the answer gives what each case expects."""
        triples = [(i, plain(right), outcome(answer, i)) for i, right in cases]
        if isinstance(answer, Spy):
            answer.seen += triples
        for inputs, right, got in triples:
            if not same(got, right, self.tolerance):
                call = ", ".join(describe(value) for value in inputs)
                lines = difference(got, right, self.tolerance)
                heading = f"{self.name.split('.')[-1]}({call})"
                error = WrongAnswer("\n".join([heading, *lines]), compared=True)
                raise error from (got.error if isinstance(got, Failure) else None)

    def diagnose(self, seen: list[tuple[tuple, ndarray, Outcome]]) -> Mistake | None:
        """Find the mistake that gives most of what an answer gave, right and wrong.

        It must explain more than half of the wrong outputs. A mistake is left as soon
        as it cannot be the best any more.
        """
        wrong, right = [], []
        for inputs, expected, got in seen:
            fine = same(got, expected, self.tolerance)
            (right if fine else wrong).append((inputs, got))
        if not wrong:  # nothing to explain: the failure was not one of numbers
            return None

        best, fewest = None, len(seen)
        for mistake in self.mistakes:
            missed = 0
            for number, (inputs, got) in enumerate(wrong + right):
                given = outcome(mistake.answer, inputs)
                missed += not same(given, got, self.tolerance)
                unexplained = number < len(wrong) and 2 * missed >= len(wrong)
                if unexplained or missed >= fewest:
                    break
            else:
                best, fewest = mistake, missed
        return best


@dataclass
class Spy:
    """An answer, and what it gave wherever that was compared with what is right."""

    answer: Callable
    seen: list[tuple[tuple, ndarray, Outcome]] = field(default_factory=list)

    def __call__(self, *inputs: Any) -> Any:
        return self.answer(*inputs)


def require(condition: bool, en: str, zh: str, mistake: str = "") -> None:
    """Raise WrongAnswer with this sentence unless the condition holds."""
    if not condition:
        raise WrongAnswer(f"{en}\n{zh}", mistake)


def numbers(answer: Callable, *inputs: Any) -> ndarray:
    """Call an answer that must give numbers; raise WrongAnswer if it does not."""
    got = outcome(answer, inputs)
    if isinstance(got, Failure):
        sentences = f"Your function {got.en}\n你的函数{got.zh}"
        error = WrongAnswer(sentences, compared=True)
        raise error from got.error
    return got


def outcome(answer: Callable, inputs: tuple) -> Outcome:
    """Call an answer on copies of the inputs and return what it did."""
    try:
        return plain(answer(*copy.deepcopy(inputs)))
    except KeyboardInterrupt:
        raise
    except NotImplementedError:
        return Failure("stub", "is not written yet.", "还没有写。")
    except BaseException as error:  # also SystemExit, which would end the checks
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next  # begin with the student's own code
        error.__traceback__ = trace
        kind = encodable(f"{type(error).__name__}: {error}")
        return Failure(kind, f"raised {kind}", f"抛出了异常 {kind}", error)


def frames(error: BaseException) -> list[str]:
    """Return an error as IPython shows it; that of the stub has nothing to say."""
    from IPython import get_ipython

    if isinstance(error, NotImplementedError):
        return []
    lines = get_ipython().InteractiveTB.structured_traceback(
        type(error), error, error.__traceback__
    )
    return ["", *map(encodable, lines)]


def encodable(text: str) -> str:
    """Write what UTF-8 has not (halves of characters) as escapes: a kernel sends it."""
    return text.encode("utf-8", "backslashreplace").decode()


def plain(value: Any) -> Outcome:
    """Turn numbers of any library into a float64 array that nothing else refers to."""
    if isinstance(value, Failure):
        return value
    if value is None:
        return Failure(
            "None",
            "returned None: is there a `return`?",
            "返回了 None：是不是漏了 return？",
        )
    value = without_gradients(value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries think of each other
        try:
            found = array(value)
        except ValueError as error:
            if "inhomogeneous" not in str(error):
                raise
            return Failure(
                "ragged",
                "returned parts of different lengths; they make no table of numbers.",
                "返回的各部分长短不一，排不成一张数表。",
            )
    if found.dtype.kind not in "biuf":
        kind = type(value).__name__
        en = f"returned a {kind}; numbers are expected."
        return Failure(kind, en, f"返回了 {kind}，这里应当是数。")
    return found.astype(float64)


def without_gradients(value: Any) -> Any:
    """Return a torch tensor, also one in a list, as an array, a fraction as a float."""
    if hasattr(value, "detach"):
        return value.detach().cpu().double().numpy()
    if isinstance(value, list | tuple | deque):
        return [without_gradients(part) for part in value]
    return float(value) if isinstance(value, Fraction) else value


def equal(a: ndarray, b: ndarray, tolerance: float) -> ndarray:
    """Compare arrays of one shape, number by number; NaN equals NaN here.

    Written with operators alone: an answer can replace np.allclose and its relatives,
    operators between arrays it cannot.
    """
    with errstate(all="ignore"):
        finite = (a - a == 0) & (b - b == 0)
        close = (a - b) ** 2 <= tolerance**2 * (1 + b * b)
        return (a == b) | (finite & close) | ((a != a) & (b != b))


def same(a: Outcome, b: Outcome, tolerance: float) -> bool:
    """Tell whether two outcomes are equal; failures are if they are of one kind."""
    if isinstance(a, Failure) or isinstance(b, Failure):
        return isinstance(a, Failure) and isinstance(b, Failure) and a.kind == b.kind
    return a.shape == b.shape and bool(equal(a, b, tolerance).all())


def difference(got: Outcome, expected: ndarray, tolerance: float) -> list[str]:
    """Say in which respect an outcome is not the expected one."""
    if isinstance(got, Failure):
        return [f"  {got.en}", f"  {got.zh}"]
    if got.shape != expected.shape:
        return [f"  shape / 形状: {got.shape}; expected / 应为: {expected.shape}"]
    if not expected.shape:
        return [f"  returned / 返回: {got:.8g}; expected / 应为: {expected:.8g}"]
    at = tuple(map(int, argwhere(~equal(got, expected, tolerance))[0]))
    place = "".join(f"[{i}]" for i in at)
    return [f"  {place}: {got[at]:.8g}; expected / 应为: {expected[at]:.8g}"]


def describe(value: Any) -> str:
    """Write an input so that it fits on a line."""
    if getattr(value, "ndim", 0) > 0:
        return f"{type(value).__name__} of shape {tuple(value.shape)}"
    text = repr(value)
    return text if len(text) <= 70 else text[:69] + "…"


@contextlib.contextmanager
def captured_output() -> Iterator[Callable[[], str]]:
    """Keep what an answer prints, warns or logs: nbgrader fails a cell for stderr.

    Also what it writes to a stream that it kept from before, and what a program that
    it starts or a library in C writes. Yields a function that returns the text so far.
    """
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # a handler may have kept the old stderr
    with tempfile.TemporaryFile(buffering=0) as file, contextlib.ExitStack() as stack:
        stack.callback(logging.disable, level)
        # Of its own: what an answer closes, is closed.
        spoken = stack.enter_context(
            open(os.dup(file.fileno()), "w", 1, "utf-8", "backslashreplace")
        )
        stack.callback(quietly, spoken.close)
        for stream in {sys.stdout, sys.stderr}:
            stack.enter_context(redirected(stream, spoken.write))
        for number in (1, 2):
            stack.enter_context(descriptor_to(file.fileno(), number))
        stack.enter_context(contextlib.redirect_stdout(spoken))
        stack.enter_context(contextlib.redirect_stderr(spoken))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("default")

        def said() -> str:
            quietly(spoken.flush)
            size = file.seek(0, os.SEEK_CUR)
            file.seek(0)
            text = file.read(min(size, MOST_SAID)).decode("utf-8", "replace")
            file.seek(size)
            return text

        yield said


def quietly(action: Callable) -> None:
    """Do something with a stream that may be closed already."""
    with contextlib.suppress(ValueError, OSError):
        action()


@contextlib.contextmanager
def redirected(stream: Any, write: Callable) -> Iterator[None]:
    """Let a stream that somebody may have kept write elsewhere."""
    try:
        stream.write = write
    except AttributeError:  # there is none, or it is of another kind
        yield
        return
    try:
        yield
    finally:
        del stream.write


@contextlib.contextmanager
def descriptor_to(target: int, number: int) -> Iterator[None]:
    """Let the descriptor 1 or 2 of this process lead to a file."""
    try:
        kept = os.dup(number)
    except OSError:  # it is closed
        yield
        return
    os.dup2(target, number)
    try:
        yield
    finally:
        os.dup2(kept, number)
        os.close(kept)


def find(name: str) -> Task:
    """Return the task called `NN.name`."""
    tasks = library.table("checks", name[:2])
    if name not in tasks:
        raise ValueError(f"there is no task {name!r} in source/assignments")
    return tasks[name]


def run(
    task: Task, answer: Callable, seed: int, hidden: bool
) -> tuple[list[Check], list[Check], WrongAnswer | None]:
    """Return the checks that passed, those that failed, and the first failure.

    All checks run, because the more outputs there are, the surer is the diagnosis.
    """
    passed: list[Check] = []
    failed: list[Check] = []
    first, spy = None, Spy(answer)
    for number, check in enumerate(task.checks):
        if check.hidden and not hidden:
            continue
        try:
            check.test(spy, default_rng([seed, number]))
            passed.append(check)
        except WrongAnswer as error:
            failed.append(check)
            first = first or error
    if first:
        hint = task.diagnose(spy.seen) if first.compared else None
        first.mistake = hint.name if hint else first.mistake
        title = f"{failed[0].en} / {failed[0].zh}" + (
            f" (seed={seed})" if hidden else ""
        )
        sentences = [f"{hint.en}\n{hint.zh}"] if hint else []
        first.args = ("\n\n".join([title, *sentences, str(first)]),)
    return passed, failed, first


def check(
    name: str, answer: Callable, hidden: bool = False, seed: int | None = None
) -> None:
    """Check an answer; print what passed, and raise WrongAnswer at what did not.

    hidden: also run the hidden checks, and all of them on fresh random inputs; a
    failure names the `seed` with which it can be repeated.
    """
    task = find(name)
    if seed is None:
        seed = secrets.randbits(32) if hidden else 0
    with captured_output() as spoken:
        passed, failed, problem = run(task, answer, seed, hidden)
        text = spoken().strip()
    for mark, checks in (("✓", passed), ("✗", failed)):
        for done in checks:
            print(f"{mark} {done.en} / {done.zh}")
    if text:
        cut = " …" if len(text) > 1000 else ""
        print(f"\nYour function printed / 你的函数打印了：\n{text[:1000]}{cut}")
    if problem:
        begun = "is not written yet" not in str(problem)
        print(f"\n{LADDER.failed(name, bool(problem.mistake), begun)}".rstrip())
        raise problem.with_traceback(None)
