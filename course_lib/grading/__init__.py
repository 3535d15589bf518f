"""Checks that exercises, tests and graders share."""

from .checks import check

__all__ = ["check"]
