"""Which code a result came from: the functions that an experiment can reach.

A stored result belongs to the code that measured it. So the ledger keeps, beside every
seed, a fingerprint of the experiment: of its source and that of every function, class
and constant of this package that it names, and that those name, and so on. Comments,
docstrings and layout do not count. What is reached only through a name in a string, or
imported inside a function, is not seen. Corpora and checkpoints are files: the search
stops where they are loaded, and the ledger keeps their names (files.USED) instead, with
the hash of a checkpoint's weights.

Code that only moves to another file stays the same code: MOVED tells under which name
the stored results know it, WRITTEN how its callers wrote that name.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from os.path import commonprefix  # of any sequences
from typing import Any

PACKAGES = (  # whose code counts
    "course_lib",
    "course_released",
    "course_pretraining",
    "course_claims",
)
OUTSIDE = (  # what is kept as files, and this file, which measures nothing
    "course_lib.data.catalogue.",
    "course_lib.checkpoints.",
    "course_lib.data.files.USED",
    "course_lib.kept.",
    "course_claims.fingerprint.",
)
# A module or a name in one, now: as the stored results know it.
MOVED = {
    "course_claims.digits": "course_lib.models.digits",
    "course_claims.labelled_rows": "course_lib.text.pieces",
    "course_claims.stages": "course_lib.training.stages",
    "course_pretraining.pretrain.tokens_seen": "course_lib.checkpoints.tokens_seen",
    "course_pretraining.recipes": "course_lib.training.recipes",
    "course_released": "course_lib.checkpoints",  # the loaders, so outside as before
    "course_released.pieces": "course_lib.text.released",
}
# What stands beside its only caller now, and where it stood.
BESIDE = {
    "bert.word_layers": "training.fine_tune_bert.word_layers",
    "lineage.reveal": "worlds.worlds.reveal",
    "seq2seq.LastState": "models.seq2seq.LastState",
    "unknown_words.with_slips": "analysis.probes.with_slips",
}
MOVED |= {
    f"course_claims.experiments.{a}": f"course_lib.{b}" for a, b in BESIDE.items()
}
# What such a caller wrote with the name of its module, and writes without it now.
WRITTEN = {
    "course_claims.experiments.lineage": {"reveal": "worlds.reveal"},
    "course_claims.experiments.unknown_words": {"with_slips": "probes.with_slips"},
}


def fingerprint(experiment: Callable) -> str:
    """Return 12 letters and digits that change when code that is reached changes."""
    parts = reached(experiment)
    text = "\n".join(f"{name}={parts[name]}" for name in sorted(parts))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def reached(experiment: Callable) -> dict[str, str]:
    """Return the bare code of everything of this package that a function can reach."""
    found: dict[str, str] = {}
    waiting = [*seen("experiment", experiment)]
    while waiting:
        name, thing = waiting.pop()
        name = once(name)
        if name in found or name.startswith(OUTSIDE):
            continue
        found[name] = bare(thing) if ours(thing) else repr(thing)
        waiting += named_by(thing)
    return found


def once(name: str) -> str:
    """Return the name under which the stored results know a module or what is in it."""
    at = name
    while at not in MOVED and "." in at:
        at = at.rpartition(".")[0]
    return MOVED.get(at, at) + name[len(at) :]


def full_name(thing: Any) -> str:
    """Name a function or a class by where it stands."""
    return f"{thing.__module__}.{thing.__qualname__}"


def ours(thing: Any) -> bool:
    """Tell whether a function or a class was written in this package."""
    module = getattr(thing, "__module__", None) or ""
    callable_ = inspect.isfunction(thing) or inspect.isclass(thing)
    return callable_ and module.partition(".")[0] in PACKAGES


@functools.cache
def bare(thing: Any) -> str:
    """Return the syntax of a function or class: no docstrings, comments, layout."""
    source = textwrap.dedent(inspect.getsource(thing))
    if thing.__name__ == "<lambda>":  # a piece of a line
        return "".join(source.split())
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            del node.body[0]
        if isinstance(node, ast.ImportFrom):
            as_it_stood(node, thing.__module__)
    text = written(tree)
    for now, before in WRITTEN.get(thing.__module__, {}).items():
        new, old = (written(ast.parse(x, mode="eval").body) for x in (now, before))
        text = text.replace(new, old)
    return text


def as_it_stood(node: ast.ImportFrom, module: str) -> None:
    """Write an import of ours as it was before a move: by the old names, from there."""
    home = module.split(".")[: -node.level] if node.level else []
    source = ".".join([*home, *filter(None, [node.module])])
    if source.partition(".")[0] not in PACKAGES:
        return
    full = [once(f"{source}.{alias.name}") for alias in node.names]
    there, here = full[0].split(".")[:-1], once(module).split(".")
    if node.level or source.partition(".")[0] != module.partition(".")[0]:  # relative
        shared = len(commonprefix([here[:-1], there]))
        node.level, there = len(here) - shared, there[shared:]
    node.module = ".".join(there) or None
    for alias, name in zip(node.names, full, strict=True):
        alias.name = name.rpartition(".")[2]


def written(node: Any) -> str:
    """Write a syntax tree in one line, the same with every version of Python."""
    if isinstance(node, list):
        return f"[{', '.join(map(written, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [x for x in ast.iter_fields(node) if x[1] is not None and x[1] != []]
    inner = ", ".join(f"{name}={written(value)}" for name, value in fields)
    return f"{type(node).__name__}({inner})"


def named_by(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a function, a class or a table of them names, each with its name."""
    if inspect.isclass(thing) and ours(thing):
        for base in thing.__mro__[1:]:
            if ours(base):
                yield full_name(base), base
        for member in vars(thing).values():
            member = getattr(member, "__func__", getattr(member, "fget", member))
            member = inspect.unwrap(member) if callable(member) else member
            if inspect.isfunction(member) and ours(member):
                yield from names_of(member)
    elif inspect.isfunction(thing):
        yield from names_of(thing)


def names_of(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the things of this package that a function's code speaks of."""
    names, known = set(words(function.__code__)), once(full_name(function))
    home = known.removesuffix(f".{function.__qualname__}")
    for name in names & function.__globals__.keys():
        thing = function.__globals__[name]
        yield from seen(f"{home}.{name}", thing)
        if inspect.ismodule(thing) and thing.__name__.partition(".")[0] in PACKAGES:
            for inner in names & vars(thing).keys():
                yield from seen(f"{thing.__name__}.{inner}", vars(thing)[inner])
    defaults = [function.__defaults__ or (), function.__kwdefaults__ or {}]
    yield from seen(f"{known}()", defaults)


def seen(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield a thing if it counts: ours, or a plain constant; look inside tables."""
    if isinstance(thing, functools.partial):
        yield from seen(name, [thing.func, *thing.args, thing.keywords])
        return
    thing = inspect.unwrap(thing)  # from functools.cache
    if ours(thing):
        yield full_name(thing), thing
    elif isinstance(thing, str | int | float | range):
        yield name, thing
    elif isinstance(thing, tuple | list | dict):
        entries = [*thing, *thing.values()] if isinstance(thing, dict) else thing
        for i, value in enumerate(entries):
            yield from seen(f"{name}[{i}]", value)
    elif isinstance(thing, set | frozenset):
        yield name, ", ".join(sorted(map(repr, thing)))
    elif ours(type(thing)):
        yield full_name(type(thing)), type(thing)
        state = getattr(thing, "__dict__", {})
        yield from seen(name, {k: state[k] for k in sorted(state)})


def words(code: types.CodeType) -> Iterator[str]:
    """Yield the names that code uses, those of the functions inside it as well."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from words(constant)
