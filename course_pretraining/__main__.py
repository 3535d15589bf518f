"""The command that makes a checkpoint: `python -m course_lib pretrain --help`."""

from __future__ import annotations

import argparse
import math
import sys

import torch

from .pretrain import pretrain
from .processes import together


def main(arguments: list[str]) -> None:
    """Train a checkpoint; say in one line what is wrong, if something is."""
    options = vars(parser().parse_args(arguments))
    torch.set_num_threads(math.ceil(options.pop("threads")))
    try:
        with together():
            pretrain(**options)
    except KeyboardInterrupt:
        raise SystemExit("pretrain: stopped; the same command goes on") from None
    except (KeyError, ValueError, OSError) as error:
        # str() of a KeyError would put its message in quotes.
        message = error.args[0] if isinstance(error, KeyError) else error
        raise SystemExit(f"pretrain: {message}") from None


def parser() -> argparse.ArgumentParser:
    """Describe the options."""
    parser = argparse.ArgumentParser(
        prog="python -m course_lib pretrain",
        description="train a checkpoint of the course",
    )
    parser.add_argument("name", help="elmo-en, awdlstm-zh, static-en …")
    parser.add_argument("--out", required=True, help="folder for state and result")
    parser.add_argument("--minutes", type=above_0, default=90.0)
    parser.add_argument("--epochs", type=above_0, default=100.0)
    parser.add_argument("--threads", type=above_0, default=1)
    parser.add_argument("--seed", type=int, default=0)
    # Not "--start": torchrun would take it for an option of its own.
    parser.add_argument(
        "--weights",
        dest="start",
        help="a finished model of the same kind to go on from: elmo-en, or a folder",
    )
    return parser


def above_0(text: str) -> float:
    """Read a number above 0."""
    if not (number := float(text)) > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


if __name__ == "__main__":
    main(sys.argv[1:])
