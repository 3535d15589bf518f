"""nbgrader's exchange: work is handed out, handed in and given back in one folder.

EXCHANGE/COURSE/outbound/A                      handed out; everybody reads
EXCHANGE/COURSE/inbound/STUDENT+A+TIME+RANDOM   handed in; whoever knows its name reads
EXCHANGE/COURSE/feedback/DIGEST.html            given back, to who knows the hand-in's
                                                secret

Students write into `inbound` themselves, so what lies there is whatever they like. Here
a hand-in counts for the account that owns it, whatever its name says, and only plain
files of that account are read: a link to a file of the instructor's is not followed.
(nbgrader's own `collect` warns of the first and does the second.)
"""

from __future__ import annotations

import contextlib
import errno
import os
import pwd
import shutil
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from nbgrader.utils import parse_utc

from . import gradebook, intake
from .classroom import Classroom, ClassroomError
from .record import nbgrader_api

MOST_FILES, MOST_BYTES, DEEPEST = 1000, 100_000_000, 5
APART = 300  # seconds from the time that a hand-in claims to its last change, at most
UNMARKED = """
SELECT DISTINCT student_id FROM grade
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN submitted_assignment
  ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
WHERE assignment.name = ?1 AND grade.needs_manual_grade
ORDER BY student_id
"""


class HandIn(NamedTuple):
    """A folder in `inbound`, as its name describes it."""

    student: str
    time: datetime  # as the student's program wrote it
    stamp: str
    path: Path


def settings(exchange: str) -> list[str]:
    """Return the arguments that tell nbgrader where the exchange is."""
    return [f"--Exchange.root={Path(exchange).resolve()}"] if exchange else []


def folder(room: Classroom, exchange: str) -> Path:
    """Return the course's folder in the exchange, "" meaning nbgrader's own setting."""
    with nbgrader_api(room.root) as api:
        root = exchange or api.config.Exchange.get("root", "")
        course = api.coursedir.course_id
    if not root:
        raise ClassroomError(
            "where is the exchange? Say --exchange FOLDER, or set c.Exchange.root in "
            "an nbgrader_config.py"
        )
    if not (Path(root) / course / "inbound").is_dir():
        raise ClassroomError(
            f"{root} has no course {course!r}: `grade release ASSIGNMENT --exchange`"
        )
    return Path(root).resolve() / course


def close_inbound(course: Path) -> None:
    """Let nobody rename or delete what somebody else has handed in."""
    inbound = course / "inbound"
    inbound.chmod(stat.S_IMODE(inbound.stat().st_mode) | stat.S_ISVTX)


# Taking in


def take_in(room: Classroom, assignment: str, course: Path) -> tuple[int, list[str]]:
    """Copy the newest hand-in of each student to raw/; return how many, and notes."""
    newest: dict[str, HandIn] = {}
    found, notes = handed_in(course / "inbound", assignment)
    for one in found:
        if one.student not in newest or one.time > newest[one.student].time:
            newest[one.student] = one
    new = 0
    for student, one in sorted(newest.items()):
        try:
            if is_new(room.root / "raw" / student / assignment, one):
                notes += [f"{student}: {note}" for note in take(room, assignment, one)]
                new += 1
        except (OSError, ClassroomError) as error:
            notes.append(f"{student}: not taken: {error}")
    return new, notes


def handed_in(inbound: Path, assignment: str) -> tuple[list[HandIn], list[str]]:
    """List what was handed in by the account that its name says, and what was not."""
    found, notes = [], []
    for path in sorted(inbound.iterdir()):
        parts = path.name.rsplit("+", 3)
        if len(parts) != 4 or parts[1] != assignment:
            continue
        student, _, stamp, _ = parts
        with contextlib.suppress(OSError, KeyError):
            if path.lstat().st_uid != pwd.getpwnam(student).pw_uid:
                owner = pwd.getpwuid(path.lstat().st_uid).pw_name
                notes.append(f"{student}: not taken: handed in by {owner}")
                continue
            try:
                found.append(HandIn(student, parse_utc(stamp), stamp, path))
            except (ValueError, OverflowError):
                notes.append(f"{student}: not taken: {stamp!r} is no time")
            continue
        notes.append(f"{path.name!r}: not taken: no account of this machine")
    return found, notes


def is_new(raw: Path, one: HandIn) -> bool:
    """Tell whether a hand-in is newer than what is in raw/."""
    if not raw.exists():
        return True
    try:
        before = parse_utc((raw / "timestamp.txt").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise ClassroomError(
            f"{raw} was put there by hand; delete it to take what is in the exchange"
        ) from None
    return one.time > before


def take(room: Classroom, assignment: str, one: HandIn) -> list[str]:
    """Put a hand-in into raw/ in place of the one before, whole; return notes."""
    raw = room.root / "raw" / one.student / assignment
    new = room.root / "intake" / f"{one.student}.part"
    old = new.with_suffix(".old")
    for rest in (new, old):
        shutil.rmtree(rest, ignore_errors=True)
    new.mkdir(parents=True, mode=0o700)
    handle = os.open(one.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        notes = [*copied(handle, new, os.fstat(handle).st_uid)]
        notes += claims(handle, one)
    finally:
        os.close(handle)
    (new / "timestamp.txt").write_text(one.stamp, encoding="utf-8")
    raw.parent.mkdir(parents=True, exist_ok=True)
    if raw.exists():
        raw.rename(old)
    new.rename(raw)
    shutil.rmtree(old, ignore_errors=True)
    return notes


def copied(handle: int, target: Path, owner: int) -> Iterator[str]:
    """Copy an account's own plain files out of an open folder; yield what was left."""
    files = size = 0
    for here, folders, names, at in os.fwalk(".", dir_fd=handle):
        if here.count("/") >= DEEPEST:
            folders.clear()
        for name in names:
            shown = repr(os.path.normpath(f"{here}/{name}"))
            files += 1
            if files > MOST_FILES:
                yield f"only the first {MOST_FILES} files are taken"
                return
            try:
                data = content(name, at, owner, MOST_BYTES - size)
            except (OSError, ClassroomError) as error:
                yield f"{shown} is not taken: {error}"
                continue
            size += len(data)
            path = target / here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def content(name: str, at: int, owner: int, most: int) -> bytes:
    """Read a plain file of an account; links, pipes and others' files are errors."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
    except OSError as error:
        why = "a link" if error.errno == errno.ELOOP else error.strerror
        raise ClassroomError(why) from None
    with open(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != owner:
            raise ClassroomError("no plain file of this student's")
        data = file.read(most + 1)
        if len(data) > most:
            raise ClassroomError(f"more than {MOST_BYTES // 1_000_000} MB together")
        return data


def claims(handle: int, one: HandIn) -> Iterator[str]:
    """Say whether a hand-in was changed at another time than the one that it claims.

    A student's program writes that time; of the file system's, students can only make
    it later.
    """
    paths = [os.stat(name, dir_fd=handle, follow_symlinks=False)
             for name in os.listdir(handle)]  # fmt: skip
    last = max(about.st_ctime for about in [os.fstat(handle), *paths])
    claimed = one.time.replace(tzinfo=UTC).timestamp()
    if abs(last - claimed) > APART:
        changed = datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%d %H:%M UTC")
        yield f"says {one.stamp}, but was last changed {changed}"


# Giving back


def waiting(room: Classroom, assignment: str) -> list[str]:
    """List the students of whom an answer waits for a person's mark."""
    return [student for (student,) in gradebook.rows(room.root, UNMARKED, assignment)]


def without_secret(room: Classroom, assignment: str) -> list[str]:
    """List the students with feedback who have not handed in through the exchange."""
    pages = room.root.glob(f"feedback/*/{assignment}/*.html")
    found = sorted({page.parent for page in pages})
    return [f.parent.name for f in found if not (f / intake.SECRET).exists()]
