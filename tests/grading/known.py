"""The known answers of all tasks, and how a check judges one of them.

RIGHT and WRONG answers are written by hand, in answers.py beside the checks. A known
mistake of checks.py is a wrong answer, too, so WRONG has only what is not one: another
form of it, or a mistake without a sentence. Small changes of the solution are made by
machine. The tests here and bar.py ask the same questions of all of them.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import sources
import torch

from course_lib.grading import checks, library

COURSE = Path(__file__).resolve().parents[2]
NUMBERS = sorted(folder.name[:2] for folder in library.ASSIGNMENTS.iterdir())
SEEDS = range(3)


def together(kind: str, name: str) -> dict:
    """Join TASKS, RIGHT or WRONG of all assignments."""
    modules = [library.own(library.file_of(kind, number)) for number in NUMBERS]
    return {task: found for m in modules for task, found in getattr(m, name).items()}


TASKS = together("checks", "TASKS")
RIGHT, WRONG = (together("answers", name) for name in ("RIGHT", "WRONG"))


def mistakes(task: str) -> list[tuple[str, Callable]]:
    """Return (name, function) of the known mistakes in a task: wrong answers, too."""
    return [(mistake.name, mistake.answer) for mistake in TASKS[task].mistakes]


def wrong(task: str) -> list[tuple[str, Callable]]:
    """Return (known mistake, answer) of the wrong answers written for a task."""
    return [(name, answer) for name, fs in WRONG.get(task, {}).items() for answer in fs]


@functools.cache
def cells(number: str) -> list[sources.Cell]:
    return sources.read(library.file_of("notebook", number))


def solution(name: str) -> str:
    """Return the code of the model solution of a task."""
    number, key = name.split(".")
    return next(c.text for c in cells(number) if (c.key, c.role) == (key, "answer"))


def load(code: str, name: str) -> Callable:
    """Run a task's answer below what the notebook gives; return its function."""
    given = [cell.text for cell in cells(name[:2]) if cell.role == "given"]
    namespace: dict = {}
    for text in [*given, code]:
        exec(text, namespace)
    return namespace[name[3:]]


def judge(name: str, answer: Callable, seed: int = 0, hidden: bool = True):
    """Return what is wrong with an answer, or None."""
    with checks.captured_output():
        return checks.run(TASKS[name], answer, seed, hidden)[2]


def accepted(name: str, answer: Callable, seed: int = 0, hidden: bool = True) -> bool:
    """Tell whether all checks pass; the first that does not is enough."""
    with checks.captured_output():
        for number, check in enumerate(TASKS[name].checks):
            if hidden or not check.hidden:
                try:
                    check.test(answer, np.random.default_rng([seed, number]))
                except checks.WrongAnswer:
                    return False
    return True


# Small changes of the solution are wrong answers, too


class Change(ast.NodeTransformer):
    """Make one small change, the n-th that is possible."""

    COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.Lt, ast.GtE: ast.Gt}
    OPERATIONS = {
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.Div,
        ast.Div: ast.Mult,
    }

    def __init__(self, n: int):
        self.left, self.done = n, False

    def change(self, node: ast.AST, new: Callable[[], ast.AST]) -> ast.AST:
        self.left -= 1
        if self.left != -1:
            return node
        self.done = True
        return ast.copy_location(new(), node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) not in (int, float):
            return node
        return self.change(node, lambda: ast.Constant(node.value + 1))

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        other = self.OPERATIONS.get(type(node.op))
        if not other:
            return node
        return self.change(node, lambda: ast.BinOp(node.left, other(), node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return self.change(node, lambda: node.operand)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        other = self.COMPARISONS.get(type(node.ops[0]))
        if not other:
            return node
        ops = [other(), *node.ops[1:]]
        return self.change(node, lambda: ast.Compare(node.left, ops, node.comparators))


def changes(code: str) -> Iterator[tuple[str, str]]:
    """Yield (the changed line, the changed code), one small change each."""
    before = ast.unparse(ast.parse(code)).splitlines()
    for n in itertools.count():
        change = Change(n)
        tree = change.visit(ast.parse(code))
        if not change.done:
            return
        after = ast.unparse(ast.fix_missing_locations(tree))
        yield next(x for x in after.splitlines() if x not in before).strip(), after


# Changed lines that make no difference: the function stays right.
HARMLESS = {
    "00.paired_interval": {"def paired_interval(a, b, rng, rounds=10001):"},
    "00.data_multiplier": {"if low <= score <= high:"},  # low == score came before
    # The mean share after a round lies between 0 and 1, wherever the round began.
    "01.best_weight": {"for _ in range(2001):", "weight = 1.5"},
    "06.sees": {"x = torch.randn(2, T, D)"},  # the second row is never looked at
    # No p value is 0.05 to the last digit.
    "16.outcome": {
        "up, down = (sum(above & (p <= 0.05)), sum(~above & (p < 0.05)))",
        "up, down = (sum(above & (p < 0.05)), sum(~above & (p <= 0.05)))",
        "return 'contradicted' if sum(small <= 0.05) > half else 'cannot tell'",
    },
    "16.ledger_check": {
        "n = (np.maximum.accumulate(steps) <= 0.05).sum()",
        "signs = sure / np.sign([test.statistic for test in tests])",  # 1 or -1
    },
    # Multiplying all cosines of a row by one positive number changes no order.
    "06.nearest_sense": {"cosines = vectors @ vectors[i] / lengths * lengths[i]"},
}


# For the tests of cheats


def first_output(name: str) -> object:
    """Return what is right for the first visible input."""
    right, outputs = load(solution(name), name), []

    def spy(*inputs):
        outputs.append(right(*inputs))
        return outputs[-1]

    judge(name, spy, hidden=False)
    return outputs[0]


def fingerprint(value: object) -> str:
    """Describe an input completely, a random generator by its state."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return str(value.tolist())
    if isinstance(value, np.random.Generator):
        return str(value.bit_generator.state)
    if isinstance(value, list | tuple):
        return str([fingerprint(item) for item in value])
    return repr(value)
