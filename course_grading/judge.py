"""The judge: calls a student's functions through the wall and writes a verdict.

Plain data in, plain data out, nothing kept: a job can be done by any process on any
machine, and again, with the same result.

    job      {"cells": [{"name", "source"} or {"name", "task", "answer", "points",
             "seed"}, …], "limits": {…}, "trusted": bool, "hidden": bool,
             "private": folder or "", "files": {name: digest}, "release": folder}
    verdict  {"tests": [{"name", "task", "points", "score", "passed", "failed",
             "mistake", "text", "stopped", "error"}, …], "errors": […], "stops": […],
             …}; an error is that of the cell in which the answer should stand
"""

from __future__ import annotations

import builtins
import dataclasses
import hashlib
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from course_lib.grading import checks, library
from course_lib.grading.checks import Check, Task, WrongAnswer

from .proxy import Answer, Notebook
from .sandbox import Limits, Stopped
from .words import chinese

UNSEEN = (
    "The visible checks show what is meant: try inputs of your own.",
    "可见的检查说明了要求：请自己再试一些输入。",
)


def judge(job: dict) -> dict:
    """Run a notebook behind the wall and test its answers, in the notebook's order."""
    began = time.monotonic()
    tests, errors = [], []
    with tempfile.TemporaryDirectory() as scratch:
        limits = Limits(**job["limits"])
        notebook = Notebook(limits, job["trusted"], data(job), scratch)
        try:
            for cell in job["cells"]:
                if "task" in cell:
                    raised = broken(cell["answer"], errors, job["cells"])
                    test = mark(notebook, cell, job["private"], job["hidden"])
                    tests.append(test if not raised else with_error(test, *raised))
                elif error := notebook.run(cell["source"], cell["name"]):
                    errors.append([cell["name"], *error])
        finally:
            notebook.close()
    seconds = round(time.monotonic() - began, 2)
    wall = "none: trusted class" if job["trusted"] else "bubblewrap"
    return {
        "tests": tests,
        "errors": errors,
        "stops": notebook.stops,
        "sandbox": wall,
        "seconds": seconds,
    }


def data(job: dict) -> dict[str, np.ndarray]:
    """Return the bytes of the files that were handed out with a notebook."""
    found = {}
    for name, digest in job["files"].items():
        content = (Path(job["release"]) / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise ValueError(f"{name} has changed meanwhile: `grade judge` again")
        found[name] = np.frombuffer(content, np.uint8)
    return found


def mark(notebook: Notebook, cell: dict, private: str, hidden: bool) -> dict:
    """Run all checks of a task; it earns its points if all of them pass.

    Errors: whatever kept the machine from starting a sandbox.
    """
    task = quiet(find_task(cell["task"], private), notebook)
    notebook.deadline = time.monotonic() + notebook.limits.task
    notebook.said = ""
    answer = Answer(notebook, cell["answer"])
    with checks.captured_output():
        passed, failed, problem = tried(task, answer, cell["seed"], hidden)
    if notebook.fault:
        raise notebook.fault
    text = feedback(passed, failed, problem, task)
    if notebook.said and failed:
        text += f"\nYour function printed / 你的函数打印了：\n{notebook.said[:1000]}\n"
    return {
        "name": cell["name"],
        "task": cell["task"],
        "points": cell["points"],
        "score": 0 if failed else cell["points"],
        "passed": [check.en for check in passed],
        "failed": [check.en for check in failed],
        "mistake": problem.mistake if problem else "",
        "stopped": answer.stopped,
        "error": "",
        "text": text,
    }


def tried(task: Task, answer: Answer, seed: int, hidden: bool) -> tuple:
    """Run a task's checks; an answer that gives too much for the judge is stopped."""
    try:
        return checks.run(task, answer, seed, hidden)
    except MemoryError:
        answer.stopped = "more memory than the judge has"
    answer.notebook.stop(answer.name, Stopped(answer.stopped))
    said = f"  raised Stopped: {answer.stopped}\n  抛出了异常 Stopped: {answer.stopped}"
    asked = [check for check in task.checks if hidden or not check.hidden]
    return [], asked, WrongAnswer(f"\n\n{said}")


def broken(answer: str, errors: list[list[str]], cells: list[dict]) -> list[str] | None:
    """Return the error of the last cell that should have defined an answer."""
    named = re.compile(
        rf"(?m)^[ \t]*(?:(?:def|class)[ \t]+{answer}\b|{answer}[ \t]*="
        rf"|(?:from|import)\b.*\b{answer}\b)"
    )
    sources = {cell["name"]: cell.get("source", "") for cell in cells}
    found = [error for error in errors if named.search(sources[error[0]])]
    return found[-1] if found else None


def with_error(test: dict, name: str, kind: str, words: str, where: str) -> dict:
    """Return a test that failed with the error of its answer's cell; others as is."""
    if not test["failed"]:
        return test
    en, zh = f"raised {kind}: {words}", f"出错：{kind}: {words}"
    if kind == "Stopped":
        en, zh = f"was stopped: {words}", f"被中断了：{chinese(words)}"
    line = "" if where in ("", name) else f"{where}\n"
    said = f"Your cell did not run to its end: {name} {en}\n"
    said += f"你的单元格没有运行完：{name} {zh}\n{line}"
    head, _, rest = test["text"].partition("\n\n")
    return {**test, "text": f"{head}\n\n{said}{rest}", "error": f"{name} {en}"}


def find_task(name: str, private: str) -> Task:
    """Return a task: the instructor's own, if their folder has it, or the course's."""
    module = library.own(Path(private) / f"tasks_{name[:2]}.py")
    own = module.TASKS if module else {}
    return guarded(own[name] if name in own else checks.find(name))


def guarded(task: Task) -> Task:
    """Return the task with checks that fail, and do not break, at strange outputs."""

    def guard(check: Check) -> Callable:
        def run(answer: Callable, rng) -> None:
            try:
                check.test(answer, rng)
            except (WrongAnswer, MemoryError):
                raise
            except Exception as error:
                if "can't allocate memory" in str(error):  # torch says it in words
                    raise MemoryError from error
                kind = named(error, check.hidden)
                raise WrongAnswer(
                    f"What your function gave could not be checked ({kind}).\n"
                    f"你的函数给出的结果无法检查（{kind}）。"
                ) from error

        return run

    tests = [check._replace(test=guard(check)) for check in task.checks]
    return dataclasses.replace(task, checks=tests)


def named(error: Exception, hidden: bool) -> str:
    """Name an error; after a hidden check without words, which may hold its input."""
    kind = type(error).__name__
    if not hidden or isinstance(error, Stopped):
        return f"{kind}: {error}"[:300]
    return kind if hasattr(builtins, kind) else "an error"


def quiet(task: Task, notebook: Notebook) -> Task:
    """Return the task; what its hidden checks make an answer print is forgotten."""

    def mute(test: Callable) -> Callable:
        def run(answer: Callable, rng) -> None:
            said = notebook.said
            try:
                test(answer, rng)
            finally:
                notebook.said = said

        return run

    tests = [c._replace(test=mute(c.test)) if c.hidden else c for c in task.checks]
    return dataclasses.replace(task, checks=tests)


def feedback(
    passed: list[Check], failed: list[Check], problem: WrongAnswer | None, task: Task
) -> str:
    """Write what a student reads: each check, the mistake, and no hidden input."""
    lines = [f"✓ {c.en} / {c.zh}" for c in passed]
    lines += [f"✗ {c.en} / {c.zh}" for c in failed]
    if not problem:
        return "\n".join(lines) + "\n"
    _, _, rest = str(problem).partition("\n\n")  # the title has the class's secret seed
    if failed[0].hidden and problem.compared:
        known = [m for m in task.mistakes if m.name == problem.mistake]
        rest = "\n".join([known[0].en, known[0].zh] if known else UNSEEN)
    rest = re.sub(r" at 0x[0-9a-f]+", "", rest)  # another one in every run
    rest = rest.replace("raised Stopped: ", "was stopped: ")
    rest = re.sub(
        "抛出了异常 Stopped: (.*)", lambda m: f"被中断了：{chinese(m[1])}", rest
    )
    where = getattr(problem.__cause__, "where", "")
    if failed[0].hidden:  # without the line, which can be made to say anything
        where = "".join(re.findall(r"^cell \d{1,4}, line \d{1,4}(?=:)", where))
    return "\n".join([*lines, "", rest, *([where] if where else [])]) + "\n"
