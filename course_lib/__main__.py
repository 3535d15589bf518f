"""The course's commands: `python -m course_lib --help`."""

from __future__ import annotations

import argparse
import math
import sys
from importlib import import_module

from . import kept

ELSEWHERE = {  # commands of other packages, which course_lib itself does not need
    "claims": ("course_claims", "the claim cards and their experiments"),
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
    elif command == "warm-up":
        from .warm_up import warm_up

        try:
            return warm_up(options["lessons"], options["language"] or ["en", "zh"])
        except ValueError as error:
            raise SystemExit(f"warm-up: {error}") from None
    else:
        pretrain(options.pop("threads"), options)
    return None


def parser() -> argparse.ArgumentParser:
    """Describe the commands and their options."""
    parser = argparse.ArgumentParser(prog="python -m course_lib")
    commands = parser.add_subparsers(dest="command", required=True)
    pretrain = commands.add_parser("pretrain", help="train a checkpoint of the course")
    pretrain.add_argument("name", help="elmo-en, awdlstm-zh, static-en …")
    pretrain.add_argument("--out", required=True, help="folder for state and result")
    pretrain.add_argument("--minutes", type=above_0, default=90.0)
    pretrain.add_argument("--epochs", type=above_0, default=100.0)
    pretrain.add_argument("--threads", type=above_0, default=1)
    pretrain.add_argument("--seed", type=int, default=0)
    # Not "--start": torchrun would take it for an option of its own.
    pretrain.add_argument(
        "--weights",
        dest="start",
        help="a finished model of the same kind to go on from: elmo-en, or a folder",
    )
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


def above_0(text: str) -> float:
    """Read a number above 0."""
    if not (number := float(text)) > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def pretrain(threads: float, options: dict) -> None:
    """Train a checkpoint; say in one line what is wrong, if something is."""
    import torch

    from course_pretraining.pretrain import pretrain as run

    from .training.parallel import together

    torch.set_num_threads(math.ceil(threads))
    try:
        with together():
            run(**options)
    except KeyboardInterrupt:
        raise SystemExit("pretrain: stopped; the same command goes on") from None
    except (KeyError, ValueError, OSError) as error:
        # str() of a KeyError would put its message in quotes.
        message = error.args[0] if isinstance(error, KeyError) else error
        raise SystemExit(f"pretrain: {message}") from None


if __name__ == "__main__":
    sys.exit(main())
