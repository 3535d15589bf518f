"""Intake: whatever happened to a file, the honest answers are found; nothing runs."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.utils import parse_utc

from course_grading import commands, intake
from course_grading.plain import typed

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import tiny_class as tiny  # noqa: E402

ANSWERS = tiny.RIGHT
RELEASE = tiny.notebook(tiny.STUB)


def handed_in(**answers: str) -> dict:
    """Return a hand-in as JSON, with the right answers unless others are given."""
    return json.loads(json.dumps(tiny.notebook({**ANSWERS, **answers})))


def cell(content: dict, name: str) -> dict:
    """Return the cell of this name."""
    named = [c for c in content["cells"] if "nbgrader" in c["metadata"]]
    return next(c for c in named if c["metadata"]["nbgrader"]["grade_id"] == name)


def place(content: dict, name: str) -> int:
    return content["cells"].index(cell(content, name))


def rebuilt(content: dict | bytes, tmp_path: Path) -> tuple[dict[str, str], list[str]]:
    """Return {name of an answer: its text} after intake, and the repairs."""
    path = tmp_path / "x.ipynb"
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(data)
    cells, notes = intake.read(path)
    built, repairs = intake.rebuild(RELEASE, cells)
    nbformat.validate(built)
    sources = {intake.name(c): c.source for c in built.cells if intake.name(c)}
    tests = {n: s for n, s in sources.items() if n.startswith("test_")}
    made = {intake.name(c): c.source for c in RELEASE.cells if intake.name(c)}
    assert all(made[name] == text for name, text in tests.items())  # the released ones
    return {name: typed(sources[name]) for name in ANSWERS}, notes + repairs


def test_an_ordinary_hand_in_is_taken_as_it_is(tmp_path):
    assert rebuilt(handed_in(), tmp_path) == (ANSWERS, [])


def test_a_helper_may_stand_before_an_answer_without_metadata(tmp_path):
    content = handed_in(softmax="def helper():\n    pass\n" + ANSWERS["softmax"])
    cell(content, "softmax")["metadata"] = {}
    answers, notes = rebuilt(content, tmp_path)
    assert answers["softmax"].startswith("def helper") and "found all" in notes[0]


@pytest.mark.parametrize("sheets", [[{"cells": None}], [{"cells": 5}], [None]])
def test_a_worksheet_without_cells_is_no_notebook_but_no_error(sheets, tmp_path):
    (tmp_path / "x.ipynb").write_text(json.dumps({"worksheets": sheets}))
    assert intake.read(tmp_path / "x.ipynb") == ([], [])


def drop_metadata(content):
    for one in content["cells"]:
        one["metadata"] = {}


def pasted(content):
    """A new notebook, into which the cells were pasted."""
    drop_metadata(content)
    for i, one in enumerate(content["cells"]):
        one["id"] = f"new-{i}"


def delete_tests(content):
    content["cells"] = [
        c
        for c in content["cells"]
        if not c["metadata"].get("nbgrader", {}).get("grade_id", "").startswith("test")
    ]


def edit_a_test(content):
    cell(content, "test_softmax")["source"] = "assert True"


def more_points(content):
    cell(content, "test_softmax")["metadata"]["nbgrader"]["points"] = 1000


def disguise_a_test(content):
    cell(content, "test_softmax")["metadata"]["nbgrader"]["solution"] = True


def copy_a_test(content):
    content["cells"].append(cell(content, "test_softmax"))


def another_schema(content):
    cell(content, "softmax")["metadata"]["nbgrader"]["schema_version"] = 1
    cell(content, "running")["metadata"]["nbgrader"]["schema_version"] = 99


def answer_in_prose(content):
    cell(content, "softmax")["cell_type"] = "markdown"


def version_3(content):
    cells = [{**c, "input": c.pop("source")} for c in content.pop("cells")]
    content["worksheets"], content["nbformat"] = [{"cells": cells}], 3


def version_5(content):
    content["nbformat"], content["nbformat_minor"] = 5, 99


def lines_as_list(content):
    for one in content["cells"]:
        one["source"] = one["source"].splitlines(keepends=True)


def carriage_returns(content):
    for one in content["cells"]:
        one["source"] = one["source"].replace("\n", "\r\n")


def same_ids(content):
    for one in content["cells"]:
        one["id"] = "a"


def no_ids(content):
    for one in content["cells"]:
        one.pop("id", None)


def strange_outputs(content):
    for one in content["cells"]:
        one["outputs"] = {"execution_count": []}
        one["execution_count"] = "x"


def rubbish_between(content):
    content["cells"] = [x for c in content["cells"] for x in (c, None, 3, "cell", [])]


@pytest.mark.parametrize(
    "damage",
    [
        pasted,
        drop_metadata,
        delete_tests,
        edit_a_test,
        more_points,
        disguise_a_test,
        copy_a_test,
        another_schema,
        answer_in_prose,
        version_3,
        version_5,
        lines_as_list,
        carriage_returns,
        same_ids,
        no_ids,
        strange_outputs,
        rubbish_between,
    ],
)
def test_all_answers_are_found_in_a_damaged_notebook(damage, tmp_path):
    content = handed_in()
    damage(content)
    answers, _ = rebuilt(content, tmp_path)
    assert answers == ANSWERS


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_all_answers_are_found_in_another_encoding(encoding, tmp_path):
    text = json.dumps(handed_in(running="# 苹果"), ensure_ascii=False)
    answers, notes = rebuilt(text.encode(encoding), tmp_path)
    assert answers["running"] == "# 苹果"
    assert (notes == []) == (encoding == "utf-8-sig")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "empty file"),
        (b"  \n", "empty file"),
        (json.dumps(handed_in())[:500].encode(), "damaged JSON, line 1"),
        (b'{"cells": [\n<<<<<<< HEAD\n', "merge conflict, line 2"),
        (b"[1, 2]", "not a notebook"),
        (b'{"cells": 3}', "without cells"),
        (b'{"a": ' * 5000, "RecursionError|damaged JSON"),
        (b"\xff\xfe\x00", "truncated"),
        (b"\x89PNG\r\n\x1a\n\xff\xff", "encoding|JSON"),
        (b'{"cells": []}', "none of the answers"),
        (b" " * (intake.MOST_BYTES + 1), "larger than 20 MB"),
    ],
    ids=range(11),
)
def test_an_unreadable_file_is_named_with_its_reason(content, why, tmp_path):
    with pytest.raises(intake.Unreadable, match=why):
        rebuilt(content, tmp_path)


def test_of_several_copies_the_last_changed_one_counts_and_all_run(tmp_path):
    content = handed_in(softmax="def softmax(x):\n    return helper(x)")
    copy = json.loads(json.dumps(cell(content, "softmax")))
    helper = {**copy, "source": "def helper(x):\n    return x"}
    untouched = {**copy, "source": tiny.STUB["softmax"]}
    at = place(content, "softmax")
    content["cells"][at:at] = [helper]
    content["cells"].append(untouched)
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps(content))
    built, notes = intake.rebuild(RELEASE, intake.read(path)[0])
    code = [c.source for c in built.cells if c.cell_type == "code"]
    assert code.index(helper["source"]) < code.index(copy["source"])
    assert tiny.STUB["softmax"] not in code
    assert "softmax: 3 copies, the last changed one counts" in notes


def test_the_students_own_cells_stay_where_they_were(tmp_path):
    content = handed_in()
    own = {"cell_type": "code", "metadata": {}, "source": "import math", "id": "m"}
    for name in ("running", "setup"):
        content["cells"].insert(place(content, name) + 1, {**own, "source": f"#{name}"})
    content["cells"].insert(0, own)
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps(content))
    built, notes = intake.rebuild(RELEASE, intake.read(path)[0])
    code = [c.source for c in built.cells if c.cell_type == "code"]
    assert code[0] == "import math" and notes == []
    assert code[code.index("#setup") - 1] == "import numpy as np"
    assert code[code.index("#running") - 1] == ANSWERS["running"]


def test_a_changed_setup_cell_runs_after_the_released_one(tmp_path):
    content = handed_in()
    cell(content, "setup")["source"] += "\nimport math"
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps(content))
    built, notes = intake.rebuild(RELEASE, intake.read(path)[0])
    code = [c.source for c in built.cells if c.cell_type == "code"]
    assert code[:2] == ["import numpy as np", "import numpy as np\nimport math"]
    assert notes == ["setup: changed, the released one is used"]


# Folders


@pytest.fixture
def room(tmp_path):
    return tiny.make(tmp_path / "class")


def status(room, student: str) -> tuple[str, str]:
    """Collect; return a submission's status and its notes."""
    found = room.collect(tiny.NAME)[intake.folder_name(student)]
    assert found["student"] == student
    about = found["notebooks"][tiny.NAME]
    return about["status"], "; ".join(about["notes"] + found["files"])


def test_hand_ins_are_never_changed(room):
    for student in ("ann", "bob"):
        tiny.hand_in(room, student, ANSWERS)
    tiny.save(room, "eve", b"{")
    before = tiny.tree_hash(room.root / "raw", room.root / "exercises")
    room.collect(tiny.NAME)
    assert tiny.tree_hash(room.root / "raw", room.root / "exercises") == before


def test_collecting_again_changes_nothing(room):
    tiny.hand_in(room, "ann", ANSWERS)
    tiny.save(room, "eve", b"{")
    room.collect(tiny.NAME)
    before = tiny.tree_hash(room.root)
    room.collect(tiny.NAME)
    assert tiny.tree_hash(room.root) == before


@pytest.mark.parametrize(
    "student",
    ["ann", "smith[2]", "a b", "名字", "o'neil", "-rf", "x" * 200, "..x", "🍎"],
)
def test_every_student_has_a_row_and_a_safe_folder(room, student):
    tiny.hand_in(room, student, ANSWERS)
    assert status(room, student) == ("graded", "")
    [folder] = os.listdir(room.root / "submitted")
    assert folder == intake.folder_name(student)
    assert all(map(intake.is_plain, folder)) and folder[0] not in ".-"


@pytest.mark.parametrize(
    ("student", "readable"),
    [
        ("李雷", "李雷"),
        ("नमस्ते", "नमस्ते"),
        ("Zoë.Müller@x", "Zoë.Müller@x"),
        ("Smith, Ann [2]", "Smith__Ann__2"),
        ("/\u202e", "id"),
        ("李" * 90, "李" * 50),
    ],
)
def test_a_name_stays_readable_in_any_script(student, readable):
    """It names feedback folders, rows of grades.csv and lines of the form grader."""
    folder = intake.folder_name(student)
    assert folder == student or folder[:-13] == readable
    assert (folder == student) == (readable == student)


def test_no_two_students_share_a_folder():
    names = ["a b", "a_b", "a  b", intake.folder_name("a b"), "李 雷", "李_雷"]
    assert len({intake.folder_name(name) for name in names}) == len(names)


def test_a_renamed_notebook_is_found_by_its_content(room):
    path = tiny.save(room, "ann", handed_in())
    path.rename(path.with_name("final (2).ipynb"))
    tiny.save(room, "bob", handed_in()).rename(path.with_name("b.ipynb").parent / "z")
    assert status(room, "ann")[0] == "repaired"
    assert "no such notebook" in status(room, "bob")[1]


def test_a_name_in_capitals_is_no_other_file(room):
    path = tiny.save(room, "ann", handed_in())
    path.rename(path.with_name(f"{tiny.NAME}.IPYNB"))
    assert status(room, "ann") == ("graded", "")


def test_links_folders_and_other_files_are_not_taken(room, tmp_path):
    outside = tmp_path / "outside.ipynb"
    outside.write_text(json.dumps(handed_in()))
    for student in ("ann", "bob", "eve"):
        tiny.save(room, student, b"x").unlink()
    raw = room.root / "raw"
    (raw / "ann" / tiny.NAME / f"{tiny.NAME}.ipynb").symlink_to(outside)
    (raw / "bob" / tiny.NAME / f"{tiny.NAME}.ipynb").mkdir()
    os.mkfifo(raw / "eve" / tiny.NAME / f"{tiny.NAME}.ipynb")
    tiny.save(room, "dan", handed_in()).with_name("numpy.py").write_text("evil = 1")
    for student in ("ann", "bob", "eve"):
        assert status(room, student) == ("unreadable", "not a file")
    assert status(room, "dan") == ("graded", "'numpy.py': not taken")
    assert not list((room.root / "submitted").rglob("*.py"))


def test_every_notebook_has_a_row_or_a_line_that_says_why_not(room, capsys):
    raw = room.root / "raw"
    places = {
        f"ann/{tiny.NAME}/{tiny.NAME}.ipynb": "",  # the right one
        f"ann/{tiny.NAME}/draft.ipynb": "not taken",
        f"ann/{tiny.NAME}/old/x.ipynb": "not taken (in a folder)",
        f"bob/{tiny.NAME}.ipynb": "not in a folder STUDENT/ASSIGNMENT",
        "lost.ipynb": "not in a folder STUDENT/ASSIGNMENT",
        f"cai/{tiny.NAME.upper()}/x.ipynb": f"should be called '{tiny.NAME}'",
        "dan/91_other/x.ipynb": "no assignment '91_other' was released",
        "李雷/deep/er/x.json": "no assignment 'deep' was released",
        "eve/homework.ipynb.txt": "not in a folder STUDENT/ASSIGNMENT",
    }
    for place in places:
        (raw / place).parent.mkdir(parents=True, exist_ok=True)
        (raw / place).write_text(json.dumps(handed_in()), encoding="utf-8")
    (raw / "fay").symlink_to(raw / "ann")
    assert commands.main(["collect", tiny.NAME, "--class", str(room.root)]) == 0
    said = capsys.readouterr().out
    said += "\n".join(room.collected(tiny.NAME)["ann"]["files"])
    for place, why in places.items():
        shown = place.removeprefix(f"ann/{tiny.NAME}/")
        assert (f"'{shown}': " in said and why in said) == bool(why), place
    assert "'fay': a link" in said and "fay/" not in said


@pytest.mark.parametrize(
    ("date", "hour"),
    [
        ("2026-11-01 12:00:00 UTC", 12),
        ("2026-11-01 12:00:00 +0800", 4),
        ("2026-11-01T12:00:00-05:00", 17),
        ("2026-11-01 12:00:00 CET", 11),
        ("\ufeff2026-11-01 12:00:00", 12),
        ("soon", None),
        ("9" * 99, None),
    ],
)
def test_a_time_is_kept_if_it_is_one_and_in_utc_for_nbgrader(room, date, hour):
    path = tiny.save(room, "ann", handed_in()).with_name("timestamp.txt")
    path.write_text(date, encoding="utf-8")
    assert ("no date" in status(room, "ann")[1]) == (hour is None)
    kept = [p.read_text() for p in (room.root / "submitted").rglob("timestamp.txt")]
    assert [parse_utc(text).hour for text in kept] == [hour] * (hour is not None)


def test_a_hand_in_without_a_time_does_not_keep_that_of_the_last(room):
    path = tiny.save(room, "ann", handed_in()).with_name("timestamp.txt")
    path.write_text("2026-11-01 12:00:00 UTC")
    assert status(room, "ann") == ("graded", "")
    path.unlink()
    assert status(room, "ann") == ("graded", "")
    assert not list((room.root / "submitted").rglob("timestamp.txt"))
