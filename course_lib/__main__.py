"""The course's commands: `python -m course_lib --help`."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from . import kept

ELSEWHERE = {  # commands of other packages, which course_lib itself does not need
    "claims": ("course_claims", "the claim cards and their experiments"),
    "pretrain": ("course_pretraining", "train a checkpoint of the course"),
    "released": ("course_released", "list and fetch models that others have released"),
    "grade": ("course_grading", "mark a class: release, collect, judge, …"),
}


def main() -> int | None:
    """Read the command line and run the command; return its exit status."""
    if sys.argv[1:2] and sys.argv[1] in ELSEWHERE:
        package, _ = ELSEWHERE[sys.argv[1]]
        return import_module(f"{package}.__main__").main(sys.argv[2:])
    options = vars(parser().parse_args())
    command = options.pop("command")
    if command == "corpora":
        from . import data

        print(data.available())
    elif command == "cache":
        if options["clear"]:
            kept.clear()
        print(kept.report())
    else:
        from .warm_up import warm_up

        try:
            return warm_up(options["lessons"], options["language"] or ["en", "zh"])
        except ValueError as error:
            raise SystemExit(f"warm-up: {error}") from None
    return None


def parser() -> argparse.ArgumentParser:
    """Describe the commands and their options."""
    parser = argparse.ArgumentParser(prog="python -m course_lib")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("corpora", help="list the corpora and which are at hand")
    cache = commands.add_parser("cache", help="say where the cache is, and how large")
    cache.add_argument("--clear", action="store_true", help="delete what was computed")
    warm = commands.add_parser("warm-up", help="run lessons, so that the cache is full")
    warm.add_argument("lessons", nargs="*", metavar="NN", help="all, if none is given")
    warm.add_argument(
        "--language", action="append", choices=("en", "zh"), help="both, if not given"
    )
    for name, (_, about) in ELSEWHERE.items():
        commands.add_parser(name, help=about)
    return parser


if __name__ == "__main__":
    sys.exit(main())
