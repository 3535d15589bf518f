"""What is taken out of nbgrader's exchange, and what is not.

The folders are as nbgrader makes them, in this account's name; that others' hand-ins
are refused is tried with accounts of their own in tests/browser/test_classroom.py.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("nbgrader has no exchange on Windows", allow_module_level=True)

import pwd

from course_grading import exchange, intake
from course_grading.classroom import Classroom
from course_grading.words import chinese

ME = pwd.getpwuid(os.getuid()).pw_name
WORK = "03_glove"
COURSE = Path(__file__).parents[2]
SECRET = "ab" * 64


def stamp(shift: float = 0) -> str:
    """Return a time as nbgrader writes it."""
    then = datetime.fromtimestamp(time.time() + shift, UTC)
    return then.strftime("%Y-%m-%d %H:%M:%S.%f UTC")


@pytest.fixture
def room(tmp_path) -> Classroom:
    (tmp_path / "course/inbound").mkdir(parents=True)
    return Classroom(tmp_path / "class")


def hand_in(room: Classroom, text: str, when: str, student: str = ME) -> Path:
    """Make the folder that nbgrader's Submit makes."""
    inbound = room.root.parent / "course/inbound"
    made = inbound / f"{student}+{WORK}+{when}+{len(list(inbound.iterdir()))}"
    made.mkdir()
    (made / f"{WORK}.ipynb").write_text(text)
    (made / intake.SECRET).write_text(SECRET)
    (made / "timestamp.txt").write_text("whatever a student likes")
    return made


def take_in(room: Classroom) -> tuple[int, list[str]]:
    return exchange.take_in(room, WORK, room.root.parent / "course")


def taken(room: Classroom) -> dict[str, str]:
    folder = room.root / "raw" / ME / WORK
    return {path.name: path.read_text() for path in folder.iterdir()}


def came(made: Path) -> str:
    """Return when a folder or a file in it was changed last, as nbgrader writes it."""
    last = max(p.stat().st_ctime_ns for p in (made, *made.iterdir())) // 1000
    then = datetime(1970, 1, 1) + timedelta(microseconds=last)
    return then.strftime("%Y-%m-%d %H:%M:%S.%f UTC")


def test_the_newest_is_taken_with_the_time_when_it_came_and_its_secret(room):
    hand_in(room, "first", stamp(-30))
    second = hand_in(room, "second", stamp(-60))  # its name claims to be older
    assert take_in(room) == (1, [])
    assert taken(room) == {
        f"{WORK}.ipynb": "second",
        "timestamp.txt": came(second),
        intake.SECRET: SECRET,
    }


def test_nothing_is_taken_twice_and_a_newer_one_replaces_all_of_the_older(room):
    old = hand_in(room, "old", stamp(-60))
    (old / "only in the old one.txt").write_text("")
    assert take_in(room) == (1, [])
    assert take_in(room) == (0, [])
    hand_in(room, "new", stamp(-5))
    assert take_in(room) == (1, [])
    assert taken(room)[f"{WORK}.ipynb"] == "new"
    assert "only in the old one.txt" not in taken(room)


def test_what_was_put_into_raw_by_hand_stays(room):
    by_hand = room.root / "raw" / ME / WORK / "mine.ipynb"
    by_hand.parent.mkdir(parents=True)
    by_hand.write_text("by mail")
    hand_in(room, "through the exchange", stamp())
    new, notes = take_in(room)
    assert new == 0 and "put there by hand" in notes[0]
    assert taken(room) == {"mine.ipynb": "by mail"}


def test_links_pipes_and_what_is_beyond_the_limit_are_named_and_left(room, monkeypatch):
    monkeypatch.setattr(exchange, "MOST_BYTES", 1000)
    private = room.root.parent / "private"
    private.write_text("a secret")
    made = hand_in(room, "work", stamp())
    (made / "link.txt").symlink_to(private)
    (made / "folder").symlink_to(private.parent)
    os.mkfifo(made / "pipe")
    (made / "large").write_bytes(b"0" * 1001)
    new, notes = take_in(room)
    assert new == 1
    assert set(taken(room)) == {f"{WORK}.ipynb", "timestamp.txt", intake.SECRET}
    named = {name for name in ("link.txt", "pipe", "large")
             if any(name in note for note in notes)}  # fmt: skip
    assert named == {"link.txt", "pipe", "large"}


def test_a_hand_in_that_is_itself_a_link_is_left(room):
    made = hand_in(room, "work", stamp(-100))
    made.with_name(f"{ME}+{WORK}+{stamp()}+link").symlink_to(made)
    new, [note] = take_in(room)
    assert new == 1 and note.startswith(f"{ME}: not taken: ")
    assert taken(room)[f"{WORK}.ipynb"] == "work"


@pytest.mark.parametrize("shift", [-3600, 3600])
def test_a_time_that_was_made_up_does_not_count_and_both_stand_in_the_row(room, shift):
    """A student can set the file system's other time, with touch: not this one."""
    made = hand_in(room, "work", stamp(shift))
    for path in (*made.iterdir(), made):
        os.utime(path, (time.time() + shift,) * 2)
    new, [note] = take_in(room)
    assert new == 1 and "UTC, which counts" in note
    assert taken(room)["timestamp.txt"] == came(made)
    (room.root / "exercises" / WORK).mkdir(parents=True)
    assert room.collect(WORK)[ME]["times"] == [note.removeprefix(f"{ME}: ")]
    assert re.fullmatch(
        "自称 .*（UTC）到，以后者为准", chinese(note.removeprefix(f"{ME}: "))
    )


def test_what_is_changed_while_it_is_taken_came_then(room, monkeypatch):
    """Students can watch their folders (inotify) and see when they are listed."""
    made = hand_in(room, "in time", stamp())
    listed = came(made)

    def meanwhile(raw, one):
        time.sleep(0.05)  # a tick of the file system's clock
        (made / f"{WORK}.ipynb").write_text("late")
        return True

    monkeypatch.setattr(exchange, "is_new", meanwhile)
    assert take_in(room) == (1, [])
    assert taken(room)[f"{WORK}.ipynb"] == "late"
    assert taken(room)["timestamp.txt"] == came(made) > listed


def test_an_honest_hand_in_after_it_takes_the_note_away(room):
    hand_in(room, "early", stamp(-3600))
    take_in(room)
    hand_in(room, "honest", stamp())
    assert take_in(room) == (1, [])
    (room.root / "exercises" / WORK).mkdir(parents=True)
    assert "counts" not in str(room.collect(WORK))


def test_a_name_that_is_no_account_and_a_time_that_is_none_are_named(room):
    hand_in(room, "work", stamp(), student="no-such-account-here")
    hand_in(room, "work", "yesterday")
    new, notes = take_in(room)
    assert new == 0
    assert any("no account" in note for note in notes)
    assert any("'yesterday' is no time" in note for note in notes)


def test_a_secret_of_another_form_is_dropped(tmp_path):
    """It would become a part of the name of a file in the exchange."""
    raw, target = tmp_path / "raw", tmp_path / "submitted"
    raw.mkdir(), target.mkdir()
    for text, kept in ((SECRET, True), ("../../x", False), ("ab" * 5000, False)):
        (raw / intake.SECRET).write_text(text)
        intake.keep_secret(raw, target)
        assert (target / intake.SECRET).exists() == kept


def test_nothing_that_gives_an_answer_away_lies_where_a_hubs_students_can_read():
    """Solutions, samples with full marks, known answers: install.sh leaves them out."""
    script = (COURSE / "docs/classroom/install.sh").read_text("utf-8")
    hidden = shlex.split(re.search(r"HIDDEN=\((.*?)\)", script, re.DOTALL)[1])
    command = ["git", "-C", str(COURSE), "ls-files", "-z", "--", ".", *hidden]
    listed = subprocess.run(command, capture_output=True, encoding="utf-8")
    if listed.returncode:
        pytest.skip("needs git and a clone")
    found = set(listed.stdout.split("\0"))
    for kind in ("notebook.py", "answers.py", "samples.toml"):
        assert not [path for path in found if path.endswith(f"/{kind}")]
    assert not [path for path in found if path.startswith(("solutions/", "tests/"))]
    for path in COURSE.glob("source/assignments/*/checks.py"):  # these must run there
        assert path.relative_to(COURSE).as_posix() in found
