"""Pictures that move: each an anywidget with one hand-written ES module.

All that a widget shows travels with it, so that it works in JupyterLab, in the book
and in a notebook that nobody has run. Only what a reader types needs a kernel.
"""

from __future__ import annotations

from .sense_map import SenseMap, sense_map, sense_maps

__all__ = ["SenseMap", "sense_map", "sense_maps"]
