"""The checks of the exercises are themselves tested: with answers known to be right,
answers known to be wrong, mechanical variations of the solution, and cheats.
"""

from __future__ import annotations

import ast
import builtins
import copy
import importlib
import itertools
import logging
import math
import runpy
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import sources
import torch

from course_lib.grading import check, checks

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
    files = [Path(__file__).with_name(f"answers_{number}.py") for number in ASSIGNMENTS]
    return {
        task: found
        for file in files
        for task, found in runpy.run_path(str(file))[kind].items()
    }


def cells(number: str) -> list[sources.Cell]:
    return sources.read(COURSE / f"source/assignments/{ASSIGNMENTS[number]}.py")


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
MODULES = [
    importlib.import_module(f"course_lib.grading.tasks_{n}") for n in ASSIGNMENTS
]
TASKS = {name: task for module in MODULES for name, task in module.TASKS.items()}


def judge(name: str, answer: Callable, seed: int = 0, hidden: bool = True):
    """Return what is wrong with an answer, or None."""
    with checks.overheard():
        return checks.run(TASKS[name], answer, seed, hidden)[2]


def each(table: dict) -> list:
    """Return pytest parameters, one for each answer of a table."""
    return [
        pytest.param(name, *row, id=f"{name}-{row[-1].__name__}")
        for name, rows in table.items()
        for row in rows
    ]


# Right answers pass, however they are written


@pytest.mark.parametrize("name", TASKS)
def test_the_model_solution_passes(name):
    answer = load(solution(name), name)
    assert [judge(name, answer, seed) for seed in SEEDS] == [None] * len(SEEDS)


@pytest.mark.parametrize(
    ("name", "answer"), each({name: [(f,) for f in fs] for name, fs in RIGHT.items()})
)
def test_another_right_answer_passes(name, answer):
    assert [judge(name, answer, seed) for seed in SEEDS] == [None] * len(SEEDS)


# Wrong answers fail, and are told why


@pytest.mark.parametrize(
    ("name", "mistake", "answer"),
    each({n: [(m, f) for m, fs in w.items() for f in fs] for n, w in WRONG.items()}),
)
def test_a_wrong_answer_fails_and_its_mistake_is_named(name, mistake, answer):
    for seed in SEEDS[:2]:
        problem = judge(name, answer, seed)
        assert problem is not None
        # "" stands for mistakes that have no sentence: there any explanation may come.
        assert problem.mistake == mistake or mistake == ""


@pytest.mark.parametrize(
    ("name", "mistake"), [(n, m) for n, task in TASKS.items() for m in task.mistakes]
)
def test_a_known_mistake_is_recognised_and_explained(name, mistake):
    problem = judge(name, mistake.answer, seed=11)
    assert problem is not None
    assert problem.mistake == mistake.name
    assert mistake.en in str(problem) and mistake.zh in str(problem)


def test_there_are_enough_known_answers():
    for name in TASKS:
        assert len(RIGHT[name]) >= 3
        assert sum(map(len, WRONG[name].values())) >= 8
        assert sum(map(len, WRONG[name].values())) - len(WRONG[name].get("", [])) >= 8


def test_every_sentence_is_there_in_both_languages():
    for task in TASKS.values():
        for text in [*task.checks, *task.mistakes]:
            assert text.en.isprintable() and text.zh.isprintable()
            assert any("\u4e00" <= letter <= "\u9fff" for letter in text.zh), text.zh
            assert text.en.count(" ") >= 1
        names = [mistake.name for mistake in task.mistakes]
        assert len(set(names)) == len(names)


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


@pytest.mark.parametrize("name", TASKS)
def test_no_small_change_of_the_solution_passes(name):
    survivors = set()
    for what, code in changes(solution(name)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if judge(name, load(code, name), seed=5) is None:
                survivors.add(what)
    assert survivors == HARMLESS.get(name, set())


# Cheats that a check in the same process can refuse


def first_output(name: str) -> object:
    """Return what is right for the first visible input."""
    outputs = []

    def spy(*inputs):
        outputs.append(load(solution(name), name)(*inputs))
        return outputs[-1]

    judge(name, spy, hidden=False)
    return outputs[0]


@pytest.mark.parametrize("name", TASKS)
def test_a_constant_fails_visibly(name):
    constant = first_output(name)
    assert judge(name, lambda *inputs: constant, hidden=False) is not None


def fingerprint(value: object) -> str:
    """Describe an input completely, a random generator by its state."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return str(value.tolist())
    if isinstance(value, np.random.Generator):
        return str(value.bit_generator.state)
    if isinstance(value, list | tuple):
        return str([fingerprint(item) for item in value])
    return repr(value)


@pytest.mark.parametrize("name", TASKS)
def test_a_table_of_all_visible_inputs_passes_these_and_nothing_else(name):
    table: dict[str, object] = {}
    right = load(solution(name), name)

    def record(*inputs):
        key = fingerprint(inputs)
        table[key] = right(*inputs)
        return table[key]

    def look_up(*inputs):
        return table.get(fingerprint(inputs), 0)

    assert judge(name, record, hidden=False) is None
    assert judge(name, look_up, hidden=False) is None
    assert all(judge(name, look_up, seed) is not None for seed in range(1, 4))


class AlwaysEqual:
    """An object that agrees with whatever it is compared with."""

    dtype, shape, ndim, size = np.dtype(float), (), 0, 1

    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = None

    def __torch_function__(self, *_):
        return torch.tensor(True)


@pytest.mark.parametrize("name", TASKS)
def test_an_object_that_equals_everything_fails(name):
    assert judge(name, lambda *inputs: AlwaysEqual(), hidden=False) is not None


@pytest.mark.parametrize("name", TASKS)
def test_replaced_comparisons_and_asserts_do_not_help(name, monkeypatch):
    constant = first_output(name)
    yes = lambda *_, **__: True  # noqa: E731
    for library, functions in {
        np: ["allclose", "isclose", "array_equal", "all", "any"],
        np.testing: ["assert_allclose", "assert_array_equal", "assert_equal"],
        torch: ["allclose", "equal", "isclose", "all"],
        torch.testing: ["assert_close"],
        math: ["isclose"],
    }.items():
        for function in functions:
            monkeypatch.setattr(library, function, yes)
    monkeypatch.setattr(builtins, "AssertionError", type("Mild", (Exception,), {}))
    with checks.overheard(), pytest.raises(checks.WrongAnswer):
        check(name, lambda *inputs: constant)


def test_an_answer_that_leaves_python_fails_and_the_checks_go_on():
    problem = judge("06.char_ids", lambda word: sys.exit())
    assert "SystemExit" in str(problem)


def test_a_variable_called_check_does_no_harm():
    # The student's code may use the name; each test cell imports its own.
    for number in ASSIGNMENTS:
        for cell in cells(number):
            if cell.role == "test":
                assert cell.text.startswith("from course_lib.grading import check")


# What a student sees


def test_the_stub_is_not_an_error_but_unfinished_work():
    def char_ids(word):
        raise NotImplementedError

    with pytest.raises(checks.WrongAnswer, match="not written yet"):
        check("06.char_ids", char_ids)
    assert "还没有写" in str(judge("06.char_ids", char_ids))


def test_a_message_has_the_hint_in_both_languages_the_call_and_the_difference(capsys):
    with pytest.raises(AssertionError) as caught:
        check("00.error_reduction", lambda old, new: new - old)
    message = str(caught.value)
    assert "difference in points" in message and "百分点" in message
    assert "error_reduction(88.0, 88.7)" in message
    assert "returned / 返回: 0.7; expected / 应为: 5.8333333" in message
    shown = capsys.readouterr().out
    assert "✗ the example" in shown


def test_an_exception_keeps_its_place_in_the_students_code():
    with pytest.raises(checks.WrongAnswer, match="ZeroDivisionError") as caught:
        check("00.error_reduction", lambda old, new: 1 / 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "is there a `return`"),
        ("5.8", "numbers are expected"),
        ({"a": 1}, "numbers are expected"),
        ([5.8], r"shape / 形状: \(1,\); expected / 应为: \(\)"),
    ],
)
def test_an_output_of_the_wrong_kind_is_described(value, message):
    with pytest.raises(checks.WrongAnswer, match=message):
        check("00.error_reduction", lambda old, new: value)


def test_prints_warnings_and_logs_cost_nothing(capfd):
    right = load(solution("06.perplexity"), "06.perplexity")
    old_stderr = logging.StreamHandler(sys.stderr)
    logging.getLogger("student").addHandler(old_stderr)

    def talkative(batches):
        print("batches:", len(batches))
        print("progress", file=sys.stderr)
        warnings.warn("deprecated", stacklevel=1)
        logging.getLogger("student").warning("strange")
        return right(batches)

    check("06.perplexity", talkative, hidden=True)
    logging.getLogger("student").removeHandler(old_stderr)
    spoken = capfd.readouterr()
    assert spoken.err == ""  # nbgrader gives 0 points for a line on stderr
    assert "batches: 2" in spoken.out and "progress" in spoken.out


def test_settings_of_the_student_do_not_disturb_the_checks():
    before = torch.get_default_dtype(), torch.random.get_rng_state()
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        torch.set_default_dtype(torch.float64)
        try:
            for name in ("06.two_directions", "06.perplexity", "06.nearest_sense"):
                assert judge(name, load(solution(name), name)) is None
        finally:
            torch.set_default_dtype(before[0])
    judge("06.two_directions", RIGHT["06.two_directions"][0])
    assert torch.equal(torch.random.get_rng_state(), before[1])  # nor the reverse


def test_an_answer_may_change_its_inputs():
    right = load(solution("06.nearest_sense"), "06.nearest_sense")

    def untidy(vectors, senses):
        found = right(vectors, senses)
        vectors[:] = 0
        senses.clear()
        return found

    assert judge("06.nearest_sense", untidy) is None


# Fixed inputs for students, fresh ones for marks


def inputs_seen(name: str, **options) -> list[str]:
    right, seen = load(solution(name), name), []

    def spy(*inputs):
        seen.append(fingerprint(copy.deepcopy(inputs)))
        return right(*inputs)

    with checks.overheard():
        check(name, spy, **options)
    return seen


def test_visible_inputs_are_fixed_and_hidden_ones_fresh(capsys):
    name = "06.perplexity"
    visible = inputs_seen(name)
    assert visible == inputs_seen(name)
    hidden = inputs_seen(name, hidden=True)
    assert hidden != inputs_seen(name, hidden=True)
    assert inputs_seen(name, hidden=True, seed=7) == inputs_seen(
        name, hidden=True, seed=7
    )
    assert len(hidden) > len(visible)


def test_a_hidden_failure_names_the_seed_that_repeats_it():
    name = "06.perplexity"
    with pytest.raises(checks.WrongAnswer) as caught:
        check(name, lambda batches: 1.0, hidden=True)
    seed = int(str(caught.value).split("seed=")[1].split(")")[0])
    with pytest.raises(checks.WrongAnswer) as again:
        check(name, lambda batches: 1.0, hidden=True, seed=seed)
    assert str(again.value) == str(caught.value)


def test_an_unknown_task_is_named():
    for name in ("06.charids", "99.none", ""):
        with pytest.raises(ValueError, match=f"no task '{name}'"):
            check(name, print)


# The assignments and the tasks belong together


@pytest.mark.parametrize("number", ASSIGNMENTS)
def test_every_task_has_its_cells(number):
    by_key = {cell.key: cell for cell in cells(number) if cell.kind == "code"}
    names = [name for name in TASKS if name.startswith(number)]
    tests = {key for key, cell in by_key.items() if cell.role == "test"}
    assert tests == {f"test_{name[3:]}" for name in names}
    for name in names:
        call = f'check("{name}", {name[3:]}'
        text = by_key[f"test_{name[3:]}"].text
        assert text.count(call) == 2 and text.count("hidden=True") == 1
        assert by_key[name[3:]].role == "answer"


@pytest.mark.parametrize("number", ASSIGNMENTS)
def test_a_written_answer_has_a_rubric_that_adds_up(number):
    prose = {(c.key, c.language): c for c in cells(number) if c.kind == "markdown"}
    written = [c for c in prose.values() if c.role == "written" and c.language == "en"]
    assert written
    for cell in written:
        topic = cell.key.removesuffix("-answer")
        for language, point in (("en", "** (1)"), ("zh", "**（1 分）")):
            question = prose[f"{topic}-question", language].text
            assert question.count(point) == cell.options["points"]
