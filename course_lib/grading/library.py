"""Where tasks and hints are: the course's own, and those of an instructor.

source/assignments/NN_slug/    of assignment NN: checks.py has TASKS, hints.py HINTS
visible_NN.py                  an instructor's, handed out beside the notebook: TASKS
                               with the visible checks, HINTS if there are any
"""

from __future__ import annotations

import builtins
import functools
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from .. import DATA

ASSIGNMENTS = DATA.parent / "source/assignments"


def table(kind: str, number: str) -> dict:
    """Return TASKS or HINTS of assignment `number`, kind "checks" or "hints"."""
    module = own(file_of(kind, number)) or own(Path.cwd() / f"visible_{number}.py")
    return getattr(module, {"checks": "TASKS", "hints": "HINTS"}[kind], {})


def file_of(kind: str, number: str) -> Path:
    """Return where the course would have a file of assignment `number`."""
    folders = ASSIGNMENTS.glob(f"{number}_*")
    return next(folders, ASSIGNMENTS / number) / f"{kind}.py"


def own(path: Path) -> ModuleType | None:
    """Import a file of tasks or hints, if it is there."""
    return load(path, path.stat().st_mtime_ns) if path.is_file() else None


@functools.lru_cache(maxsize=100)
def load(path: Path, changed: int) -> ModuleType:
    """Import a file, which may import others that lie beside it, such as visible_NN.

    Those are copies of its own: two folders may have files of one name, and the hidden
    checks that tasks_NN adds to the tasks of visible_NN must not be handed out.
    """
    copies: dict[str, ModuleType] = {}

    def imported(name: str, *rest) -> ModuleType:
        beside = path.with_name(f"{name}.py")
        if name not in copies and beside.is_file():
            execute(beside, f"{path}: {name}", copies, imported)
        return copies.get(name) or builtins.__import__(name, *rest)

    return execute(path, f"own {path}", copies, imported)


def execute(path: Path, name: str, copies: dict, imported) -> ModuleType:
    """Run a file as the module `name`, in which `import` is the function imported."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    module.__builtins__ = {**vars(builtins), "__import__": imported}
    sys.modules[name] = module  # where a dataclass looks for the names it mentions
    copies[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name], copies[path.stem]
        raise
    return module
