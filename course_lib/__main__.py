"""The course's commands: `python -m course_lib --help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def main() -> None:
    """Read the command line and run the command."""
    if sys.argv[1:2] == ["grade"]:  # it has commands of its own
        from .grading.commands import main as grade

        raise SystemExit(grade(sys.argv[2:]))
    parser = argparse.ArgumentParser(prog="python -m course_lib")
    commands = parser.add_subparsers(dest="command", required=True)
    pretrain = commands.add_parser("pretrain", help="train a checkpoint of the course")
    pretrain.add_argument("name", help="elmo-en, awdlstm-zh, static-en …")
    pretrain.add_argument("--out", required=True, help="folder for state and result")
    pretrain.add_argument("--minutes", type=float, default=90.0)
    pretrain.add_argument("--epochs", type=float, default=100.0)
    pretrain.add_argument("--threads", type=int, default=1)
    pretrain.add_argument("--seed", type=int, default=0)
    # Not "--start": torchrun would take it for an option of its own.
    pretrain.add_argument(
        "--weights",
        dest="start",
        help="a finished model of the same kind to go on from: elmo-en, or a folder",
    )
    commands.add_parser("corpora", help="list the corpora and which are at hand")
    claims = commands.add_parser("claims", help="the claim cards and their experiments")
    claims.add_argument("action", choices=["list", "run", "report"])
    claims.add_argument("names", nargs="*", metavar="NAME", help="cards or experiments")
    claims.add_argument("--seeds", type=int, default=5, help="how many each shall have")
    claims.add_argument("--quick", action="store_true", help="only try: tiny, 1 seed")
    claims.add_argument("--again", action="store_true", help="run five other seeds")
    claims.add_argument("--chinese", action="store_true", help="on Chinese text")
    claims.add_argument("--jobs", type=int, default=2, help="experiments at a time")
    claims.add_argument("--out", default="build", help="folder of the report's pages")
    commands.add_parser("grade", help="mark a class: release, collect, judge, …")
    if sys.argv[1:2] == ["claims"]:  # its names may stand before and after options
        about_claims(**vars(claims.parse_intermixed_args(sys.argv[2:])))
        return
    options = vars(parser.parse_args())
    command, threads = options.pop("command"), options.pop("threads", 1)
    if command == "corpora":
        from . import data

        print(data.available())
        return
    import torch

    from .training.parallel import together
    from .training.pretrain import pretrain as run

    torch.set_num_threads(threads)
    try:
        with together():
            run(**options)
    except (KeyError, ValueError, OSError) as error:
        # str() of a KeyError would put its message in quotes.
        message = error.args[0] if isinstance(error, KeyError) else error
        raise SystemExit(f"pretrain: {message}") from None


def about_claims(action: str, names: list[str], out: str, **options) -> None:
    """List the claim cards, run their experiments, or write the claims page."""
    from .claims import commands

    if action == "list":
        commands.list_cards()
    elif action == "report":
        commands.report(Path(out))
    else:
        commands.run(names, **options)


if __name__ == "__main__":
    main()
