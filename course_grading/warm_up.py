"""Run the lessons once: what they compute or download is there for everybody.

    COURSE_CACHE=/srv/cache COURSE_DATA=/srv/cache python -m course_lib warm-up

The files of the cache can be read by all accounts; who else writes is the folder's
affair. Run again, it takes less: what is there is not computed anew.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from course_lib import kept

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
LONGEST = 1800  # seconds for one cell


def lessons(wanted: list[str], languages: list[str]) -> list[Path]:
    """Return the notebooks of some lessons, by their numbers; of all, if none is given.

    Errors: ValueError, which lists the numbers that there are.
    """
    paths = [p for code in languages for p in sorted(NOTEBOOKS.glob(f"{code}/*.ipynb"))]
    there = {path.name[:2] for path in paths}
    if unknown := [number for number in wanted if number not in there]:
        raise ValueError(
            f"there is no lesson {', '.join(unknown)}; there are "
            f"{', '.join(sorted(there)) or f'none in {NOTEBOOKS}'}"
        )
    return [path for path in paths if not wanted or path.name[:2] in wanted]


def warm_up(wanted: list[str], languages: list[str]) -> int:
    """Execute lessons, say how long each took; return 1 if one of them failed."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import (
        CellExecutionError,
        CellTimeoutError,
        DeadKernelError,
    )

    paths = lessons(wanted, languages)
    os.umask(0o022)  # others read what is kept now
    failed = 0
    for path in paths:
        began = time.perf_counter()
        client = NotebookClient(
            nbformat.read(path, as_version=4),
            timeout=LONGEST,
            # Kernels warn that they talk over TCP; here they talk to this machine only.
            extra_arguments=["--IPKernelApp.log_level=40"],
            resources={"metadata": {"path": str(path.parent)}},
        )
        end = ""
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            failed, end = 1, f"  FAILED: {str(error).strip().splitlines()[-1]}"
        seconds = time.perf_counter() - began
        print(f"{path.parent.name}/{path.stem} {seconds:.0f} s{end}", flush=True)
    print(kept.report())
    return failed


def main(arguments: list[str]) -> int:
    """Run the command `warm-up`; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m course_lib warm-up")
    parser.add_argument("lessons", nargs="*", metavar="NN", help="all, if none")
    parser.add_argument(
        "--language", action="append", choices=("en", "zh"), help="both, if not given"
    )
    options = parser.parse_args(arguments)
    try:
        return warm_up(options.lessons, options.language or ["en", "zh"])
    except ValueError as error:
        raise SystemExit(f"warm-up: {error}") from None
