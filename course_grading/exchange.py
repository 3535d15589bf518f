"""nbgrader's exchange: work is handed out, handed in and given back in one folder.

EXCHANGE/COURSE/outbound/A                      handed out; everybody reads
EXCHANGE/COURSE/inbound/STUDENT+A+TIME+RANDOM   handed in; whoever knows its name reads
EXCHANGE/COURSE/feedback/DIGEST.html            given back, to who knows the hand-in's
                                                secret

Students write into `inbound` themselves, so what lies there is whatever they like. Here
a hand-in counts for the account that owns it, whatever its name says; it came when the
file system says that it was last changed, whatever time its name claims; and only plain
files of that account are read: a link to a file of the instructor's is not followed.
(nbgrader's own `collect` warns of the first, believes the name and follows the link.)
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import pwd
import shutil
import stat
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from nbgrader.utils import parse_utc

from . import gradebook, intake
from .classroom import Classroom, ClassroomError
from .record import nbgrader_api

MOST_FILES, MOST_BYTES, DEEPEST = 1000, 100_000_000, 5
APART = 300  # seconds from the time that a hand-in claims to that when it came
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
    claimed: datetime  # as the student's program wrote it
    came: datetime  # as the file system keeps it
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
        if one.student not in newest or one.came > newest[one.student].came:
            newest[one.student] = one
    new, apart = 0, times_apart(room, assignment)
    for student, one in sorted(newest.items()):
        try:
            if is_new(room.root / "raw" / student / assignment, one):
                one, said = take(room, assignment, one)
                apart[intake.folder_name(student)] = [*disputed(one)]
                notes += [f"{student}: {note}" for note in [*said, *disputed(one)]]
                new += 1
        except (OSError, ClassroomError) as error:
            notes.append(f"{student}: not taken: {error}")
    path = room.times(assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    intake.write_whole(path, json.dumps(apart, indent=1, sort_keys=True))
    return new, notes


def times_apart(room: Classroom, assignment: str) -> dict[str, list[str]]:
    """Return what was said before of the times of hand-ins, by student."""
    path = room.times(assignment)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


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
                found.append(HandIn(student, parse_utc(stamp), last_change(path), path))
            except (ValueError, OverflowError):
                notes.append(f"{student}: not taken: {stamp!r} is no time")
            except OSError as error:  # a link, or closed to the instructor
                notes.append(f"{student}: not taken: {error.strerror}")
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
    return one.came > before


def take(room: Classroom, assignment: str, one: HandIn) -> tuple[HandIn, list[str]]:
    """Put a hand-in, whole, into raw/; return it as it was then, and notes."""
    raw = room.root / "raw" / one.student / assignment
    new = room.root / "intake" / f"{one.student}.part"
    old = new.with_suffix(".old")
    for rest in (new, old):
        shutil.rmtree(rest, ignore_errors=True)
    new.mkdir(parents=True, mode=0o700)
    handle = os.open(one.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        notes = [*copied(handle, new, os.fstat(handle).st_uid)]
        # Its owner may have changed it since it was listed: what is taken came then.
        one = one._replace(came=last_change(".", handle))
    finally:
        os.close(handle)
    text = f"{one.came:%Y-%m-%d %H:%M:%S.%f} UTC"
    (new / "timestamp.txt").write_text(text, encoding="utf-8")
    raw.parent.mkdir(parents=True, exist_ok=True)
    if raw.exists():
        raw.rename(old)
    new.rename(raw)
    shutil.rmtree(old, ignore_errors=True)
    return one, notes


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


def last_change(folder: Path | str, at: int | None = None) -> datetime:
    """Return when a hand-in, or a file in it, was changed last, in UTC.

    Of the file system's times, st_ctime is the one that an account cannot set; it can
    make it later, by changing something. Errors: OSError
    """
    kind = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    handle = os.open(folder, kind, dir_fd=at)
    try:
        found = [os.fstat(handle)]
        for name in os.listdir(handle):
            found.append(os.stat(name, dir_fd=handle, follow_symlinks=False))
    finally:
        os.close(handle)
    last = max(about.st_ctime_ns for about in found) // 1000
    return datetime(1970, 1, 1) + timedelta(microseconds=last)


def disputed(one: HandIn) -> Iterator[str]:
    """Say that a hand-in claims another time than the one when it came."""
    if abs((one.came - one.claimed).total_seconds()) > APART:
        said = f"says {one.claimed:%Y-%m-%d %H:%M} UTC, came {one.came:%Y-%m-%d %H:%M}"
        yield f"{said} UTC, which counts"


# Giving back


def waiting(room: Classroom, assignment: str) -> list[str]:
    """List the students of whom an answer waits for a person's mark."""
    return [student for (student,) in gradebook.rows(room.root, UNMARKED, assignment)]


def without_secret(room: Classroom, assignment: str) -> list[str]:
    """List the students with feedback who have not handed in through the exchange."""
    pages = room.root.glob(f"feedback/*/{assignment}/*.html")
    found = sorted({page.parent for page in pages})
    return [f.parent.name for f in found if not (f / intake.SECRET).exists()]
