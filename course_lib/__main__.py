"""The course's commands: `python -m course_lib --help`."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from . import kept

ELSEWHERE = {  # commands of other packages, which course_lib itself does not need
    "claims": ("course_claims.__main__", "the claim cards and their experiments"),
    "pretrain": ("course_pretraining.__main__", "train a checkpoint of the course"),
    "released": ("course_released.__main__", "list and fetch released models"),
    "grade": ("course_grading.__main__", "mark a class: release, collect, judge, …"),
    "warm-up": ("course_grading.warm_up", "run lessons, so that the cache is full"),
}


def main() -> int | None:
    """Read the command line and run the command; return its exit status."""
    if sys.argv[1:2] and sys.argv[1] in ELSEWHERE:
        module, _ = ELSEWHERE[sys.argv[1]]
        return import_module(module).main(sys.argv[2:])
    options = vars(parser().parse_args())
    command = options.pop("command")
    if command == "corpora":
        from . import data

        print(data.available())
    else:
        if options["clear"]:
            kept.clear()
        print(kept.report())
    return None


def parser() -> argparse.ArgumentParser:
    """Describe the commands and their options."""
    parser = argparse.ArgumentParser(prog="python -m course_lib")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("corpora", help="list the corpora and which are at hand")
    cache = commands.add_parser("cache", help="say where the cache is, and how large")
    cache.add_argument("--clear", action="store_true", help="delete what was computed")
    for name, (_, about) in ELSEWHERE.items():
        commands.add_parser(name, help=about)
    return parser


if __name__ == "__main__":
    sys.exit(main())
