"""The reader's copy: nothing that was written is lost, and what is new arrives."""

from __future__ import annotations

import json
from pathlib import Path

import own_copy
import pytest

OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["4\n"]}


def notebook(*texts: str, outputs=()) -> bytes:
    """Write a notebook of code cells, whose names are a, b, c …"""
    cells = [
        {
            "cell_type": "code",
            "id": name,
            "metadata": {},
            "execution_count": None,
            "outputs": list(outputs),
            "source": text,
        }
        for name, text in zip("abcdef", texts, strict=False)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode()


class Folders:
    """A small course and a reader's copy of it."""

    def __init__(self, root: Path):
        self.course, self.work = root / "notebooks", root / "work"

    def publish(self, content: bytes, name: str = "en/01.ipynb") -> None:
        own_copy.write(self.course / name, content)

    def update(self) -> list[tuple[str, str]]:
        done = own_copy.update(self.course, self.work)
        return [(d.target.relative_to(self.work).as_posix(), d.how) for d in done]

    def write(self, content: bytes, name: str = "en/01.ipynb") -> None:
        own_copy.write(self.work / name, content)

    def sources(self, name: str = "en/01.ipynb") -> list[str]:
        return [cell["source"] for cell in self.cells(name)]

    def cells(self, name: str = "en/01.ipynb") -> list[dict]:
        return json.loads((self.work / name).read_bytes())["cells"]


@pytest.fixture
def folders(tmp_path) -> Folders:
    found = Folders(tmp_path)
    found.publish(notebook("2 + 2", "old"))
    found.update()
    return found


def test_what_is_missing_is_copied_and_nothing_is_done_twice(folders):
    assert folders.sources() == ["2 + 2", "old"]
    assert folders.update() == []
    folders.publish(b"<svg/>", "drawings/map.svg")
    assert folders.update() == [("drawings/map.svg", "copied")]


def test_a_copy_that_was_thrown_away_comes_again(folders):
    (folders.work / "en/01.ipynb").unlink()
    assert folders.update() == [("en/01.ipynb", "copied")]


def test_what_the_reader_did_not_touch_is_replaced(folders):
    folders.publish(notebook("2 + 2", "new"))
    assert folders.update() == [("en/01.ipynb", "updated")]
    assert folders.sources() == ["2 + 2", "new"]


def test_running_is_not_writing_and_outputs_of_cells_that_stay_are_kept(folders):
    folders.write(notebook("2 + 2", "old", outputs=[OUTPUT]))
    assert folders.update() == []
    folders.publish(notebook("2 + 2", "new"))
    assert folders.update() == [("en/01.ipynb", "updated")]
    first, second = folders.cells()
    assert first["outputs"] == [OUTPUT] and second["outputs"] == []


def test_a_source_stored_as_lines_is_the_same_text(folders):
    folders.write(notebook(["2 ", "+ 2"], "old"))
    folders.publish(notebook("2 + 2", "new"))
    assert folders.update() == [("en/01.ipynb", "updated")]


def test_what_was_written_stays_and_the_new_version_is_put_beside_it_once(folders):
    folders.write(notebook("my answer", "old"))
    assert folders.update() == []
    folders.publish(notebook("2 + 2", "new"))
    assert folders.update() == [("en/01_new.ipynb", "beside")]
    assert folders.sources() == ["my answer", "old"]
    assert folders.sources("en/01_new.ipynb") == ["2 + 2", "new"]
    (folders.work / "en/01_new.ipynb").unlink()  # not wanted
    assert folders.update() == []


def test_a_third_version_takes_the_place_of_the_second_or_stands_beside_it(folders):
    folders.write(notebook("my answer", "old"))
    for text in ("new", "newer"):
        folders.publish(notebook("2 + 2", text))
        assert folders.update() == [("en/01_new.ipynb", "beside")]
    folders.write(notebook("my second answer", "newer"), "en/01_new.ipynb")
    folders.publish(notebook("2 + 2", "newest"))
    assert folders.update() == [("en/01_new2.ipynb", "beside")]
    assert folders.sources() == ["my answer", "old"]
    assert folders.sources("en/01_new.ipynb") == ["my second answer", "newer"]


def test_taking_over_the_new_version_by_its_name_ends_the_matter(folders):
    folders.write(notebook("my answer", "old"))
    folders.publish(notebook("2 + 2", "new"))
    folders.update()
    (folders.work / "en/01_new.ipynb").replace(folders.work / "en/01.ipynb")
    folders.publish(notebook("2 + 2", "newer"))
    assert folders.update() == [("en/01.ipynb", "updated")]


@pytest.mark.parametrize("record", [None, b"", b"[]", b"{cut off"])
def test_without_its_record_nothing_that_is_there_is_overwritten(record, folders):
    file = folders.work / own_copy.RECORD
    file.unlink() if record is None else file.write_bytes(record)
    folders.write(notebook("my answer", "old"))
    assert folders.update() == [("en/01_new.ipynb", "beside")]
    assert folders.sources() == ["my answer", "old"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"cells": 1}', b"\xff"])
def test_a_damaged_notebook_is_what_somebody_wrote(content, folders):
    folders.write(content)
    folders.publish(notebook("2 + 2", "new"))
    assert folders.update() == [("en/01_new.ipynb", "beside")]
    assert (folders.work / "en/01.ipynb").read_bytes() == content


def test_files_of_the_readers_own_are_left_alone(folders):
    folders.write(b"mine", "en/scratch.ipynb")
    folders.publish(b"hidden", "en/.ipynb_checkpoints/01-checkpoint.ipynb")
    assert folders.update() == []
    assert (folders.work / "en/scratch.ipynb").read_bytes() == b"mine"


def test_links_of_the_lessons_lead_to_files_from_the_copy_too(course, tmp_path):
    """work/en lies as deep as notebooks/en, and drawings/ is copied with them."""
    own_copy.update(course / "notebooks", tmp_path / "work")
    (tmp_path / "docs").symlink_to(course / "docs")
    for path in (tmp_path / "work").glob("*/[0-9]*.ipynb"):
        for cell in own_copy.cells_of(path.read_bytes()):
            for part in own_copy.text(cell).split("](")[1:]:
                target = part.partition(")")[0].partition("#")[0]
                if target.endswith((".md", ".ipynb", ".svg")) and "//" not in target:
                    assert (path.parent / target).exists(), (path.name, target)
