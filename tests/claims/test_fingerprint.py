"""A fingerprint changes with the code that an experiment reaches, and only then."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import textwrap

import pytest

from course_claims import fingerprint as fingerprints
from course_claims import ledger
from course_lib.data import files
from course_lib.data.senses import senses

CODE = '''
"""A toy room."""
import functools

from toys import helper


def wrapped(method):
    @functools.wraps(method)
    def call(*given):
        return method(*given)

    return call


RATES = (0.1, 0.2)
STOPS = {"a", "b"}
SHORT = 5
WAYS = {"one": lambda x: x + 1}
UNUSED = 3


class Model:
    """A model."""

    @wrapped
    def forward(self, x):
        return inner(x)


def inner(x, least=SHORT):
    for stop in STOPS:
        x = stop.join("- -")
    return x * RATES[0]


def other(x):
    return x


@functools.cache
def cached(x):
    return Model().forward(x)


def experiment(seed, quick=False):
    """Run it."""
    return [cached(WAYS["one"](seed)), helper.shift(seed)]
'''
HELPER = "def shift(x):\n    return x - 1\n"


@pytest.fixture
def print_of(tmp_path, monkeypatch):
    """Return a function: the fingerprint of `experiment` in the toy room as edited."""
    monkeypatch.setattr(fingerprints, "PACKAGES", ("toys", "games"))
    monkeypatch.syspath_prepend(str(tmp_path))
    folder, versions = tmp_path / "toys", iter(range(100))
    folder.mkdir()
    (folder / "__init__.py").write_text("")

    def edit(old: str = "", new: str = "", helper: str = HELPER) -> str:
        assert old in CODE
        name = f"room{next(versions)}"
        (folder / "helper.py").write_text(helper)
        (folder / f"{name}.py").write_text(textwrap.dedent(CODE.replace(old, new)))
        for known in [m for m in sys.modules if m.partition(".")[0] == "toys"]:
            del sys.modules[known]
        importlib.invalidate_caches()
        room = importlib.import_module(f"toys.{name}")
        parts = fingerprints.reached(room.experiment)
        return str(sorted((k.replace(name, "room"), v) for k, v in parts.items()))

    return edit


def test_comments_docstrings_and_layout_do_not_count(print_of):
    same = print_of()
    assert print_of('"""Run it."""', '"""Run it twice."""') == same
    assert print_of("return x * RATES[0]", "return x * RATES[0]  # slow") == same
    assert print_of("RATES[0]", "RATES[ 0 ]") == same
    assert print_of("return x * RATES[0]", "return (\n        x * RATES[0])") == same


def test_what_is_not_reached_does_not_count(print_of):
    same = print_of()
    assert print_of("UNUSED = 3", "UNUSED = 4") == same
    assert print_of("def other(x):\n    return x", "def other(x):\n    pass") == same


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seed)]", "seed + 1)]"),  # the experiment
        ("x * RATES[0]", "x / RATES[0]"),  # behind a decorated method behind a cache
        ('"- -"', '"--"'),  # a blank in a string
        ("    return x * RATES", "        return x * RATES"),  # where a loop ends
        ('{"a", "b"}', '{"a", "c"}'),  # a set
        ("SHORT = 5", "SHORT = 6"),  # what a parameter is if it is not given
        ("(0.1, 0.2)", "(0.1, 0.3)"),  # a constant
        ("lambda x: x + 1", "lambda x: x + 2"),  # a function in a table
    ],
)
def test_what_is_reached_counts(print_of, old, new):
    assert print_of(old, new) != print_of()


def test_another_module_counts(print_of):
    assert print_of(helper=HELPER.replace("- 1", "- 2")) != print_of()


MOVER = """
from {tables} import START
from {steps} import step


def shift(x):
    from {steps} import step as late  # its name counts, its code is not seen
    return step(x) - START
"""


def laid_out(folder, files: dict[str, str], name: str, monkeypatch) -> str:
    """Write files below a folder of its own; return the fingerprint of a function."""
    for path, text in files.items():
        path = folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    for known in [m for m in sys.modules if m.partition(".")[0] in ("toys", "games")]:
        del sys.modules[known]
    with monkeypatch.context() as patch:
        patch.syspath_prepend(str(folder))
        importlib.invalidate_caches()
        return fingerprints.fingerprint(importlib.import_module(name).shift)


def test_a_pure_move_changes_no_fingerprint(tmp_path, monkeypatch):
    """Files go to other rooms and another package; a constant goes by itself."""
    monkeypatch.setattr(fingerprints, "PACKAGES", ("toys", "games"))
    step = "def step(x):\n    return x + LONG\n"
    before = {
        "toys/tables.py": "START = 5\n",
        "toys/paces/steps.py": f"LONG = 2\n{step}",
        "toys/moving/mover.py": MOVER.format(tables="..tables", steps="..paces.steps"),
    }
    after = {
        "toys/tables.py": "START = 5\nLONG = 2\n",
        "toys/walks/steps.py": f"from toys.tables import LONG\n{step}",
        "games/mover.py": MOVER.format(tables="toys.tables", steps="toys.walks.steps"),
    }
    then = laid_out(tmp_path / "then", before, "toys.moving.mover", monkeypatch)

    def now(folder: str) -> str:
        return laid_out(tmp_path / folder, after, "games.mover", monkeypatch)

    assert now("without a table") != then
    table = {"games": "toys.moving", "toys.walks": "toys.paces"}
    monkeypatch.setattr(fingerprints, "MOVED", table)
    assert now("moved") == then
    after["toys/walks/steps.py"] = after["toys/walks/steps.py"].replace("+", "*")
    assert now("moved and changed") != then


PACE = """
STEP = 3


def pace(x, times=2):
    return x + STEP * times
"""


@pytest.mark.parametrize("written", ["pace", "paces.pace"])
def test_a_function_may_move_beside_its_only_caller(tmp_path, monkeypatch, written):
    """It speaks of a constant, and its caller may have said where it stands."""
    monkeypatch.setattr(fingerprints, "PACKAGES", ("toys",))
    shift = "def shift(x):\n    return {}(x) - 1\n"
    before = {
        "toys/paces.py": PACE,
        "toys/mover.py": f"from toys import paces\nfrom toys.paces import pace\n"
        f"{shift.format(written)}",
    }
    after = {"toys/mover.py": PACE + shift.format("pace")}
    then = laid_out(tmp_path / "then", before, "toys.mover", monkeypatch)

    def now(folder: str) -> str:
        return laid_out(tmp_path / folder, after, "toys.mover", monkeypatch)

    assert now("without a table") != then
    monkeypatch.setattr(fingerprints, "MOVED", {"toys.mover.pace": "toys.paces.pace"})
    monkeypatch.setattr(fingerprints, "WRITTEN", {"toys.mover": {"pace": written}})
    assert now("moved") == then
    after["toys/mover.py"] = after["toys/mover.py"].replace("STEP = 3", "STEP = 4")
    assert now("moved and changed") != then


def test_no_room_of_experiments_imports_inside_a_function_what_is_not_a_file():
    """Such an import is not seen; checkpoints are files, kept with their hashes."""
    for name in ledger.ROOMS:
        room = importlib.import_module(name)
        for function in ast.walk(ast.parse(inspect.getsource(room))):
            if isinstance(function, ast.FunctionDef):
                imports = [
                    n for n in ast.walk(function) if isinstance(n, ast.ImportFrom)
                ]
                found = {n.module for n in imports if n.level}
                assert found <= {"checkpoints"}, (name, function.name)


def test_every_experiment_has_a_fingerprint_that_does_not_depend_on_the_process():
    for key, experiment in ledger.experiments().items():
        parts = fingerprints.reached(experiment)
        assert parts, key
        addresses = [name for name, text in parts.items() if " at 0x" in text]
        assert not addresses, key


def test_what_the_process_has_loaded_so_far_is_not_code(monkeypatch):
    experiment = ledger.experiments()["context2vec_or_average"]
    monkeypatch.setattr(files, "USED", {})
    before = fingerprints.fingerprint(experiment)
    senses("en")
    assert files.USED  # the ledger keeps these names beside the fingerprint
    assert fingerprints.fingerprint(experiment) == before
