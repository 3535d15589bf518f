"""What persons put into nbgrader's gradebook: points, comments, and due dates.

It is read as a table, and never changed: opening it through nbgrader takes a second.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

OF = """
JOIN base_cell ON base_cell.id = {0}.cell_id
JOIN submitted_notebook ON submitted_notebook.id = {0}.notebook_id
JOIN submitted_assignment
  ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
WHERE assignment.name = ?1
"""
BY_HAND = f"""
SELECT student_id, base_cell.name AS cell,
  coalesce(manual_score, auto_score, 0) - coalesce(auto_score, 0)
    + coalesce(extra_credit, 0), ''
FROM grade {OF.format("grade")}
  AND (manual_score IS NOT NULL OR coalesce(extra_credit, 0) <> 0)
UNION ALL
SELECT student_id, base_cell.name AS cell, NULL, manual_comment
FROM comment {OF.format("comment")} AND manual_comment IS NOT NULL
ORDER BY student_id, cell
"""
NOTHING = (None, None, False)


def by_hand(root: Path, assignment: str) -> dict[str, list[list]]:
    """Return what persons gave, by student: [cell, points or None, comment], …

    The points are those beyond the judge's, or below them: a person's mark takes the
    place of the judge's.
    """
    found: dict[str, list[list]] = {}
    for student, *mark in rows(root, BY_HAND, assignment):
        found.setdefault(student, []).append(mark)
    return found


LATE = """
SELECT student_id,
  24 * (julianday(timestamp) - julianday(duedate)
    - coalesce(julianday(extension) - julianday('1970-01-01'), 0)),
  (SELECT coalesce(sum(late_submission_penalty), 0) FROM submitted_notebook
    WHERE submitted_notebook.assignment_id = submitted_assignment.id)
FROM submitted_assignment
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
WHERE assignment.name = ?1
"""
MARKS = f"""
SELECT student_id, base_cell.name AS cell, auto_score, manual_score, needs_manual_grade
FROM grade {OF.format("grade")}
"""

SUBMISSIONS = """
SELECT submitted_notebook.id, student_id, notebook.name
FROM submitted_notebook
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment
  ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
WHERE assignment.name = ?1
"""


def submissions(root: Path, assignment: str) -> dict[str, tuple[str, str]]:
    """Return (student, notebook) by the id that the form grader has for it."""
    found = rows(root, SUBMISSIONS, assignment)
    return {identity: (student, name) for identity, student, name in found}


def lateness(root: Path, assignment: str) -> dict[str, tuple[float, float]]:
    """Return, by student, the hours of lateness and the points that they cost."""
    found = rows(root, LATE, assignment)
    return {name: (max(0, hours or 0), cost) for name, hours, cost in found}


def recorded(root: Path, assignment: str) -> dict[tuple[str, str], tuple]:
    """Return what is recorded by student and cell: (judged, given, waits).

    The judge's mark, a person's, each None if there is none, and whether nbgrader waits
    for a person to look at it.
    """
    found = rows(root, MARKS, assignment)
    return {(student, cell): tuple(mark) for student, cell, *mark in found}


def due(root: Path, assignment: str) -> str:
    """Return when an assignment is due, or "" if the gradebook has no date."""
    found = rows(root, "SELECT duedate FROM assignment WHERE name = ?1", assignment)
    return found[0][0] or "" if found else ""


def rows(root: Path, query: str, assignment: str) -> list[tuple]:
    """Return the rows of a query; none before the first command that makes a table."""
    path = root / "gradebook.db"
    if not path.exists():
        return []
    with contextlib.closing(
        sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    ) as db:
        return db.execute(query, [assignment]).fetchall()
