"""The command of released models: `python -m course_lib released --help`."""

from __future__ import annotations

import argparse
import sys

from .catalogue import EXTRA, MODELS, Package, at_hand, folder_of
from .fetch import fetch


def main(arguments: list[str]) -> None:
    """List released models, or fetch some; say in one line what is wrong, if it is."""
    parser = argparse.ArgumentParser(
        prog="python -m course_lib released",
        description="list the released models that the course knows by name, or fetch "
        "some; what is there already is checked",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to fetch")
    names = parser.parse_args(arguments).names
    if not names:
        print(listed())
    for name in names:
        try:
            print(f"{name}: {fetch(name)}")
        except KeyboardInterrupt:
            raise SystemExit("released: stopped; the same command goes on") from None
        except (KeyError, ValueError, OSError) as error:
            # str() of a KeyError would put its message in quotes.
            message = error.args[0] if isinstance(error, KeyError) else error
            raise SystemExit(f"released: {message}") from None


def listed() -> str:
    """Return a table: each model, its size and licence, and where it is."""
    lines = []
    for name, model in MODELS.items():
        there = "to fetch"
        if at_hand(name):
            there = str(folder_of(name))
        elif isinstance(model, Package):
            there = EXTRA
        lines.append(f"{name:18} {model.megabytes:4} MB  {model.licence:11} {there}")
        lines.append(f"    {model.about}")
    return "\n".join(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
