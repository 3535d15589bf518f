"""Late work: what it costs, by nbgrader's own rules.

nbgrader takes off a penalty when a submission is recorded, as a share of the points
that it has then. Points that a person gives later belong to the same late work: so the
penalty is worked out anew before each feedback page.
"""

from __future__ import annotations

import math
from pathlib import Path

from nbformat.v4 import new_notebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float


class PerDay(LateSubmissionPlugin):
    """Take off a share of the points for each day, or part of a day, of lateness."""

    percent = Float(10, help="of the points, for each day begun").tag(config=True)
    most = Float(100, help="percent of the points, at most").tag(config=True)
    grace = Float(0, help="minutes that cost nothing").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        seconds = total_seconds_late - 60 * self.grace
        if seconds <= 0:
            return None
        days = math.ceil(seconds / 86400)
        return score * min(self.most, self.percent * days) / 100


def rules(api: NbGraderAPI) -> dict:
    """Return all that is set about late work, by the names of nbgrader's classes."""
    chosen = api.config.get("AssignLatePenalties", {}).get("plugin_class", "")
    plugin = getattr(chosen, "__name__", str(chosen).rpartition(".")[2])
    names = ("LateSubmissionPlugin", "AssignLatePenalties", plugin)
    return {name: dict(api.config.get(name, {})) for name in names if name}


def take_off(
    api: NbGraderAPI, assignment: str, student: str, paths: list[Path]
) -> None:
    """Work out the penalty of a submission from the points that it has now."""
    for path in paths:
        about = {"notebook": path.stem, "assignment": assignment, "student": student}
        about["db_url"] = api.coursedir.db_url
        AssignLatePenalties(config=api.config).preprocess(
            new_notebook(), {"nbgrader": about}
        )
