"""Checks that exercises, tests and graders share."""

from .checks import check
from .hints import hint

__all__ = ["check", "hint"]
