"""The claims' commands: `python -m course_lib claims list|run|report`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import commands


def main(arguments: list[str]) -> None:
    """List the claim cards, run their experiments, or write the claims page."""
    parser = argparse.ArgumentParser(
        prog="python -m course_lib claims",
        description="the claim cards and their experiments",
    )
    parser.add_argument("action", choices=["list", "run", "report"])
    parser.add_argument("names", nargs="*", metavar="NAME", help="cards or experiments")
    parser.add_argument("--seeds", type=int, default=5, help="how many each shall have")
    parser.add_argument("--quick", action="store_true", help="only try: tiny, 1 seed")
    parser.add_argument("--again", action="store_true", help="run five other seeds")
    parser.add_argument("--chinese", action="store_true", help="on Chinese text")
    parser.add_argument("--jobs", type=int, default=2, help="experiments at a time")
    parser.add_argument("--out", default="build", help="folder of the report's pages")
    # The names may stand before and after options.
    options = vars(parser.parse_intermixed_args(arguments))
    action, out = options.pop("action"), options.pop("out")
    if action == "list":
        commands.list_cards()
    elif action == "report":
        commands.report(Path(out))
    else:
        commands.run(**options)


if __name__ == "__main__":
    main(sys.argv[1:])
