"""Execute the lessons from top to bottom, as a student would (make notebooks).

    python tools/run_notebooks.py                                 all, full profile
    python tools/run_notebooks.py --profile quick                 as CI runs them
    python tools/run_notebooks.py notebooks/zh/06_elmo_bilm.ipynb only this one
    python tools/run_notebooks.py --keep build/executed           keep the outputs
    python tools/run_notebooks.py --jobs 2                        two at a time; the
                                                                  seconds get longer
    python tools/run_notebooks.py --pretend-gpu                   would they run on a
                                                                  machine with a GPU?

Each runs in its own folder. One that raises, stops, or writes a single line to
stderr (a warning in class is a question in class) fails, and so does the command.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

COURSE = Path(__file__).resolve().parent.parent
# Kernels warn that they talk over TCP; here they talk to this machine only.
QUIET = "--IPKernelApp.log_level=40"
# The first line of a kernel that is to believe that it has a GPU.
PRETEND = (
    f"import sys; sys.path.append({str(COURSE / 'tools')!r}); "
    "import pretend_gpu; _gpu = pretend_gpu.pretended(); _gpu.__enter__()"
)


class Run(NamedTuple):
    """How the execution of one notebook ended."""

    name: str
    seconds: float
    complaint: str  # empty if all went well


def execute(
    path: Path, timeout: int, keep: Path | None, dots: bool = True, gpu: bool = False
) -> Run:
    """Execute one notebook, a dot per cell; keep the executed copy if asked.

    dots: False where several run at a time, whose dots would mix
    gpu: let the notebook believe that the machine has one
    """
    name = f"{path.parent.name}/{path.stem}"
    if dots:
        print(f"{name} ", end="", flush=True)
    content = nbformat.read(path, as_version=4)
    began = time.perf_counter()
    complaint = attempt(content, path.parent, timeout, dots, gpu)
    seconds = time.perf_counter() - began
    # The book must not take the outputs of a quick run for those of a full one.
    profile = os.environ.get("COURSE_PROFILE", "full")
    content.metadata["course"] = {"profile": profile, "seconds": round(seconds)}
    end = f"{seconds:.0f} s" + (" FAILED" if complaint else "")
    print(f" {end}" if dots else f"{name} {end}", flush=True)
    if keep:
        copy = keep / path.parent.name / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        part = copy.with_suffix(".part")  # stopped now, it must not be half a notebook
        nbformat.write(content, part)
        part.replace(copy)
    return Run(name, seconds, complaint)


def attempt(
    content: nbformat.NotebookNode,
    folder: Path,
    timeout: int,
    dots: bool = True,
    gpu: bool = False,
) -> str:
    """Execute the cells in place; return what went wrong, or an empty string."""
    started = ["(none yet)"]

    def tick(**_) -> None:
        if dots:
            print(".", end="", flush=True)

    client = NotebookClient(
        content,
        timeout=timeout,
        extra_arguments=[QUIET, *[f"--IPKernelApp.exec_lines={PRETEND}"] * gpu],
        resources={"metadata": {"path": str(folder)}},
        on_cell_execute=lambda cell, **_: started.append(cell.id),
        on_cell_executed=tick,
    )
    try:
        client.execute()
    except CellExecutionError:
        pass  # the traceback stands among the outputs
    except CellTimeoutError:
        return f"cell '{started[-1]}' did not finish within {timeout} s"
    except DeadKernelError:
        return f"cell '{started[-1]}' ended the Python process (out of memory?)"
    return next(complaints(content), "")


def complaints(content: nbformat.NotebookNode) -> Iterator[str]:
    """Yield what went wrong in each cell that raised or wrote to stderr."""
    for cell in content.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                trace = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.traceback))
                yield f"cell '{cell.id}' raised:\n{cell.source}\n\n{trace}"
            elif output.get("name") == "stderr":
                yield f"cell '{cell.id}' wrote to stderr:\n{output.text}"


def summary(runs: list[Run]) -> str:
    """Return the table of seconds."""
    width = max(len(run.name) for run in runs)
    rows = [
        (run.name, run.seconds, "FAILED" if run.complaint else "ok") for run in runs
    ]
    rows.append(("together", sum(run.seconds for run in runs), ""))
    return "\n".join(f"{name:<{width}} {s:7.1f} s  {end}" for name, s, end in rows)


def main(arguments: list[str] | None = None) -> int:
    """Execute the notebooks and report; return 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all lessons")
    parser.add_argument("--profile", choices=("full", "quick"), default="full")
    parser.add_argument("--keep", type=Path, help="folder for the executed copies")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for one cell")
    parser.add_argument("--jobs", type=int, default=1, help="notebooks at a time")
    parser.add_argument(
        "--pretend-gpu", action="store_true", help="let them believe there is a GPU"
    )
    options = parser.parse_args(arguments)
    os.environ["COURSE_PROFILE"] = options.profile
    # Two threads that wait busily for each other can be 20 times slower than one.
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    paths = options.notebooks or sorted(COURSE.glob("notebooks/*/*.ipynb"))
    if not paths:
        print("there are no notebooks; run `make build`")
        return 1
    if missing := [str(path) for path in paths if not path.is_file()]:
        print(f"{', '.join(missing)} is not there", file=sys.stderr)
        return 1
    how = {"timeout": options.timeout, "keep": options.keep, "dots": options.jobs == 1}
    how["gpu"] = options.pretend_gpu
    with ThreadPoolExecutor(options.jobs) as pool:
        work = functools.partial(execute, **how)
        runs = list(pool.map(work, [path.resolve() for path in paths]))
    for run in runs:
        if run.complaint:
            print(f"\n{run.name}: {run.complaint}", file=sys.stderr)
    print(f"\nProfile {options.profile}\n{summary(runs)}")
    return int(any(run.complaint for run in runs))


if __name__ == "__main__":
    sys.exit(main())
