"""How long `import course_lib` takes, and that it does not load torch."""

from __future__ import annotations

import os
import subprocess
import sys

from harness import Race, main

LAZY = "import course_lib, sys; assert 'torch' not in sys.modules"


def python(code: str) -> None:
    """Run some code in a Python of its own."""
    subprocess.run([sys.executable, "-c", code], check=True)


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare the two imports; Python's own start is part of both."""
    if os.name == "nt":
        return [Race("import course_lib", skip="Windows hides a child's CPU time")]
    return [
        Race("import course_lib, without torch", lambda: python(LAZY), goal=0.3,
             kind="seconds", note="Python's own start is in it."),
        Race("import course_lib against import torch", lambda: python(LAZY),
             lambda: python("import torch"), 5, tolerance=None,
             note="Not the same work: it is what the lazy import saves."),
    ]  # fmt: skip


if __name__ == "__main__":
    main(races)
