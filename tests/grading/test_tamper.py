"""Bad and odd submissions: no mark beyond honest content, nothing outside changed.

The fast suite has one or two kinds of each sort; GRADING_BAR=1 (make grading-bar) all.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sys
import time
from pathlib import Path

import pytest

from course_grading import report, workers
from course_grading.classroom import COURSE, Classroom
from course_grading.sandbox import available

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import corpus  # noqa: E402
import tiny_class as tiny  # noqa: E402

pytestmark = pytest.mark.skipif(
    not available(), reason="bubblewrap is not installed, or may not make namespaces"
)
CHOSEN = list(corpus.KINDS) if os.environ.get("GRADING_BAR") else corpus.QUICK


def outside(room: Classroom) -> dict[str, str]:
    """Return digests of what no submission may change, and the names there are."""
    kept = ("raw", "exercises", "private", "submitted", "intake")
    inside = [COURSE / f"course_grading/{name}.py" for name in ("agent", "wire")]
    files = [path for path in room.root.iterdir() if path.is_file()]
    found = {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in files + inside}
    found |= {name: tiny.tree_hash(room.root / name) for name in kept}
    return found | {"names": str(sorted(path.name for path in room.root.iterdir()))}


@pytest.fixture(scope="module")
def no_bytecode():
    """Let Python keep nothing of what it compiles: a file more is an attacker's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        patch.setattr(sys, "dont_write_bytecode", True)
        yield


@pytest.fixture(scope="module")
def judged(tmp_path_factory, no_bytecode):
    """Hand in one of each kind, collect and judge; return the rows and both digests."""
    room = tiny.make(tmp_path_factory.mktemp("tamper") / "class")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        for name in CHOSEN:
            corpus.KINDS[name].make(room, name)
        set_port(room, server.getsockname()[1])
        room.collect(tiny.NAME)
        (room.root / "verdicts").mkdir()
        before = outside(room)
        for key, verdict in workers.verdicts(room.jobs([tiny.NAME]), "local", 2):
            assert isinstance(verdict, dict), verdict
            tiny.write_verdict(room, key, verdict)
        time.sleep(2)  # what was left behind would write now
        after = outside(room)
        with pytest.raises(TimeoutError):
            server.accept()  # nobody called
    rows, tests = report.rows(room, tiny.NAME)
    return {row["student"]: row for row in rows}, tests, before, after


def set_port(room: Classroom, port: int) -> None:
    """Tell the attacks on the network where somebody listens."""
    for path in (room.root / "raw").glob(f"*/{tiny.NAME}/*.ipynb"):
        if path.is_file() and not path.is_symlink() and b"{port}" in path.read_bytes():
            path.write_bytes(path.read_bytes().replace(b"{port}", str(port).encode()))


@pytest.mark.parametrize("kind", CHOSEN)
def test_a_submission_gets_what_its_honest_content_is_worth(judged, kind):
    row, expected = judged[0][kind], corpus.KINDS[kind]
    least = expected.score if expected.least is None else expected.least
    if expected.score is None:
        assert row["score"] == "", row
    else:
        assert least <= float(row["score"]) <= expected.score, row
    assert row["status"] in expected.status, row
    assert row["why"] or row["status"] == "graded"


def test_every_submission_has_a_row(judged):
    assert sorted(judged[0]) == sorted(CHOSEN)


def test_nothing_outside_the_wall_is_changed(judged):
    assert judged[2] == judged[3]


def test_there_are_many_kinds():
    assert len(corpus.KINDS) >= 60
    assert set(corpus.QUICK) <= set(corpus.KINDS)
