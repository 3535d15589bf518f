"""Where tasks and hints are: the course's own, and those of an instructor.

source/assignments/NN_slug/    of assignment NN: checks.py has TASKS, hints.py HINTS
visible_NN.py                  an instructor's, handed out beside the notebook: TASKS
                               with the visible checks, HINTS if there are any
"""

from __future__ import annotations

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


@functools.cache
def load(path: Path, changed: int) -> ModuleType:
    """Import a file, which may import what lies beside it, such as visible_NN."""
    for name in [name for name in sys.modules if name.startswith("visible_")]:
        del sys.modules[name]  # of another class
    name = f"own {path.with_suffix('')}"  # two classes may have files of one name
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where a dataclass looks for the names it mentions
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(path.parent))
    return module
