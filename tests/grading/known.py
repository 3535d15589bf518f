"""The known answers of all tasks, and how a check judges one of them.

RIGHT and WRONG answers are written by hand, in answers.py beside the checks; small
changes of the solution are made by machine. The tests here and bar.py ask the same
questions of them.
"""

from __future__ import annotations

import ast
import itertools
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import sources
import torch

from course_lib.grading import checks, library

ASSIGNMENTS = {
    "00": "00_start_here",
    "01": "01_nnlm",
    "02": "02_word2vec",
    "03": "03_glove",
    "04": "04_polysemy",
    "05": "05_taglm",
    "06": "06_elmo_bilm",
    "07": "07_elmo_mixing",
    "08": "08_elmo_layers",
    "09": "09_awd_lstm",
    "10": "10_ulmfit",
    "11": "11_why_pretraining",
    "12": "12_seq2seq",
    "13": "13_gpt",
    "14": "14_bert",
    "15": "15_lineage",
    "16": "16_claim_check",
}
COURSE = Path(__file__).resolve().parents[2]
SEEDS = range(3)


def answers(kind: str) -> dict:
    """Return RIGHT or WRONG of all assignments."""
    files = [library.file_of("answers", number) for number in ASSIGNMENTS]
    return {
        task: found
        for file in files
        for task, found in runpy.run_path(str(file))[kind].items()
    }


def cells(number: str) -> list[sources.Cell]:
    return sources.read(library.file_of("notebook", number))


def given(number: str) -> dict:
    """Run the code that a student finds at the top of the notebook."""
    namespace: dict = {}
    for cell in cells(number):
        if cell.role == "given":
            exec(cell.text, namespace)
    return namespace


def solution(name: str) -> str:
    """Return the code of the model solution of a task."""
    number, key = name.split(".")
    return next(c.text for c in cells(number) if (c.key, c.role) == (key, "answer"))


def load(code: str, name: str) -> Callable:
    namespace = given(name[:2])
    exec(code, namespace)
    return namespace[name[3:]]


RIGHT, WRONG = answers("RIGHT"), answers("WRONG")
MODULES = [library.own(library.file_of("checks", n)) for n in ASSIGNMENTS]
TASKS = {name: task for module in MODULES for name, task in module.TASKS.items()}


def judge(name: str, answer: Callable, seed: int = 0, hidden: bool = True):
    """Return what is wrong with an answer, or None."""
    with checks.overheard():
        return checks.run(TASKS[name], answer, seed, hidden)[2]


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
    "06.sees": {"x = torch.randn(2, T, D)"},  # the second row is never looked at
    # Multiplying all cosines of a row by one positive number changes no order.
    "06.nearest_sense": {"cosines = vectors @ vectors[i] / lengths * lengths[i]"},
}


# For the tests of cheats


def first_output(name: str) -> object:
    """Return what is right for the first visible input."""
    outputs = []

    def spy(*inputs):
        outputs.append(load(solution(name), name)(*inputs))
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
