"""The grader's commands: `python -m course_lib grade --help`."""

import sys

from .commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
