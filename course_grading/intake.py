"""Intake: what was handed in becomes a notebook that can be marked. Nothing is run.

Every notebook is built anew from the release; of what was handed in, only the answers
and the student's own cells are taken. So a deleted, copied, edited or renamed cell, an
odd encoding or a strange file name cannot stop the class, and the marks are those of
the released tests. Each repair is written down with its reason.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from dateutil import parser, tz
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from .plain import plain

MOST_BYTES, MOST_CELLS = 20_000_000, 500
LONGEST, MOST_TEXT = 200_000, 500_000  # characters: of a cell, of all cells
LONGEST_NAME = 150  # bytes; a file system takes 255, and an ending comes behind it
# nbgrader's exchange names a feedback page after what stands in it.
SECRET = "submission_secret.txt"
PICTURES = ("image/png", "image/jpeg")  # a browser runs nothing in these
OWN = "own-"  # begins the ids of a student's own cells


class Unreadable(ValueError):
    """Say why a file is no notebook."""


class Cell(NamedTuple):
    """A cell as it was handed in."""

    kind: str
    id: str
    name: str  # nbgrader's grade_id, or ""
    text: str
    pictures: dict


# Reading, whatever it is


def read(path: Path) -> tuple[list[Cell], list[str]]:
    """Return the cells of a notebook and what was odd; raise Unreadable."""
    if path.is_symlink() or not path.is_file():
        raise Unreadable("not a file")
    if path.stat().st_size > MOST_BYTES:
        raise Unreadable(f"larger than {MOST_BYTES // 1_000_000} MB")
    try:
        text, notes = decoded(path.read_bytes())
        found = json.loads(text)
    except json.JSONDecodeError as error:
        conflict = any(line.startswith("<<<<<<<") for line in text.splitlines())
        kind = "marks of a merge conflict" if conflict else "damaged JSON"
        raise Unreadable(f"{kind}, line {error.lineno}") from None
    except (ValueError, RecursionError, OSError) as error:
        raise Unreadable(f"{type(error).__name__}: {error}"[:200]) from None
    cells = listed(found)
    if len(cells) > MOST_CELLS:
        notes.append(f"only the first {MOST_CELLS} of {len(cells)} cells are read")
    found = [cell(c) for c in cells[:MOST_CELLS] if isinstance(c, dict)]
    if sum(len(one.text) for one in found) > MOST_TEXT:
        notes.append(f"only the first {MOST_TEXT} characters are read")
    return within(found), notes


def within(cells: list[Cell]) -> list[Cell]:
    """Cut what is beyond the limit of all cells together."""
    left, kept = MOST_TEXT, []
    for one in cells:
        kept.append(one._replace(text=one.text[:left]))
        left -= len(kept[-1].text)
    return kept


def decoded(data: bytes) -> tuple[str, list[str]]:
    """Return the text of a file and how it was encoded, if that is unusual."""
    if not data.strip():
        raise Unreadable("an empty file")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16"), ["encoded as UTF-16"]
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text, [f"encoded as {encoding}"] if encoding == "gb18030" else []
    raise Unreadable("neither UTF-8 nor another known encoding")


def listed(found: Any) -> list:
    """Return the cells of a notebook of any version."""
    if not isinstance(found, dict):
        raise Unreadable("JSON, but not a notebook")
    cells = found.get("cells")
    if cells is None and isinstance(sheets := found.get("worksheets"), list):
        within = [s.get("cells") for s in sheets if isinstance(s, dict)]
        cells = [c for part in within if isinstance(part, list) for c in part]
    if not isinstance(cells, list):
        raise Unreadable("JSON, but without cells")
    return cells


def cell(found: dict) -> Cell:
    """Return a cell with whatever of it is there and of the right kind."""
    text = found.get("source", found.get("input", ""))
    if isinstance(text, list):
        text = "".join(part for part in text if isinstance(part, str))
    text = text if isinstance(text, str) else ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.encode("utf-8", "replace").decode()  # without halves of characters
    metadata = found.get("metadata")
    mine = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = mine.get("grade_id") if isinstance(mine, dict) else None
    return Cell(
        "code" if found.get("cell_type") == "code" else "markdown",
        found.get("id") if isinstance(found.get("id"), str) else "",
        name if isinstance(name, str) else "",
        text,
        pictures(found.get("attachments")),
    )


def pictures(found: Any) -> dict:
    """Return the attached pictures, without formats that can hold a script."""
    kept = {}
    for name, forms in found.items() if isinstance(found, dict) else ():
        for form, data in forms.items() if isinstance(forms, dict) else ():
            if form in PICTURES and isinstance(data, str):
                kept[str(name)] = {form: data}
    return kept


# Which cell is which


def without_spaces(text: str) -> str:
    return "".join(text.split())


def name(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def is_answer(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def defined(text: str) -> str:
    """Return "def name" of the first function or class of a cell, or ""."""
    found = re.search(r"^(?:def|class)\s+\w+", text, re.MULTILINE)
    return " ".join(found[0].split()) if found else ""


def recognise(release: NotebookNode, cells: list[Cell]) -> dict[int, str]:
    """Return the id of the released cell that each cell is, or a copy of it."""
    by_name = {name(c): c.id for c in release.cells if name(c)}
    by_id = {c.id: c for c in release.cells}
    by_text = {
        without_spaces(c.source): c.id for c in release.cells if not is_answer(c)
    }
    known = {}
    for i, cell in enumerate(cells):
        if cell.name in by_name:
            known[i] = by_name[cell.name]
        elif not cell.name and without_spaces(cell.text) in by_text:
            known[i] = by_text[without_spaces(cell.text)]
        elif not cell.name and cell.id in by_id:
            known[i] = cell.id
    for made in release.cells:
        if is_answer(made) and made.id not in known.values():
            known |= search(release, made, cells, known)
    return known


def search(
    release: NotebookNode, made: NotebookNode, cells: list[Cell], known: dict[int, str]
) -> dict[int, str]:
    """Find an answer whose metadata is lost: by its first line, or by its place."""
    free = [i for i in range(len(cells)) if i not in known and cells[i].text.strip()]
    if made.cell_type == "code":
        wanted = defined(made.source)
        line = re.compile(rf"(?m)^{wanted}\b".replace(" ", r"\s+"))
        found = [i for i in free if wanted and line.search(cells[i].text)]
        return {i: made.id for i in found}
    before = release.cells[release.cells.index(made) - 1].id
    after = [i for i, id in known.items() if id == before]
    found = [i for i in free if after and i == after[-1] + 1]
    return {i: made.id for i in found if cells[i].kind == "markdown"}


def choose(made: NotebookNode, copies: list[int], cells: list[Cell]) -> int:
    """Return which of the copies of an answer counts: the last one that was changed."""
    changed = [
        i
        for i in copies
        if without_spaces(cells[i].text) != without_spaces(made.source)
    ]
    whole = [i for i in changed if defined(made.source) in cells[i].text]
    return (whole or changed or copies)[-1]


# Building anew


def rebuild(release: NotebookNode, cells: list[Cell]) -> tuple[NotebookNode, list[str]]:
    """Return the release with the answers in it, and the reasons for any repair.

    The student's own cells stay where they were: after the same released cell.
    """
    known, notes, chosen = recognise(release, cells), [], {}
    for made in release.cells:
        copies = [i for i, id in known.items() if id == made.id]
        if is_answer(made) and copies:
            chosen[made.id] = choose(made, copies, cells)
        notes += repairs(made, copies, cells)
    if not chosen:
        raise Unreadable("another notebook: none of the answers is in it")
    own: dict[str | None, list[int]] = {}
    place = None
    by_id = {c.id: c for c in release.cells}
    for i, cell in enumerate(cells):
        if i in known and (i in chosen.values() or not is_answer(by_id[known[i]])):
            place = known[i]
        if i not in chosen.values() and is_own(cell, by_id.get(known.get(i))):
            own.setdefault(place, []).append(i)
    made = [own_cell(cells[i], i) for i in own.get(None, [])]
    for original in release.cells:
        taken = cells[chosen[original.id]] if original.id in chosen else None
        made.append(filled(original, taken))
        made += [own_cell(cells[i], i) for i in own.get(original.id, [])]
    built = nbformat.from_dict({**release, "cells": made})
    return built, notes


def is_own(cell: Cell, made: NotebookNode | None) -> bool:
    """Tell whether a cell, perhaps changed from a released one, is to be kept."""
    if not cell.text.strip() or made is None:
        return bool(cell.text.strip())
    tested = made.metadata.get("nbgrader", {}).get("grade") and not is_answer(made)
    return (
        cell.kind == "code" == made.cell_type
        and not tested
        and without_spaces(cell.text) != without_spaces(made.source)
    )


def repairs(made: NotebookNode, copies: list[int], cells: list[Cell]) -> list[str]:
    """Say what was wrong with the copies of a released cell."""
    if not name(made):
        return []
    if not copies:
        return [f"{name(made)}: missing"]
    notes = []
    if len(copies) > 1:
        notes.append(f"{name(made)}: {len(copies)} copies, the last changed one counts")
    if any(cells[i].name != name(made) for i in copies):
        notes.append(f"{name(made)}: without its metadata, found all the same")
    if any(cells[i].kind != made.cell_type for i in copies):
        notes.append(f"{name(made)}: another type of cell")
    texts = {without_spaces(cells[i].text) for i in copies}
    if not is_answer(made) and texts != {without_spaces(made.source)}:
        notes.append(f"{name(made)}: changed, the released one is used")
    if any(len(cells[i].text) > LONGEST for i in copies):
        notes.append(f"{name(made)}: cut after {LONGEST} characters")
    return notes


def filled(original: NotebookNode, taken: Cell | None) -> NotebookNode:
    """Return a released cell, with the student's text if it is an answer."""
    made = nbformat.from_dict(dict(original))
    if taken and taken.text != made.source:  # an untouched one stays what it is
        if made.cell_type == "code":
            made.source = taken.text[:LONGEST]
        else:
            show(made, taken)
    return made


def own_cell(cell: Cell, number: int) -> NotebookNode:
    """Return a student's own cell, without metadata and outputs."""
    if cell.kind == "code":
        return new_code_cell(cell.text[:LONGEST], id=f"{OWN}{number}")
    made = new_markdown_cell(id=f"{OWN}{number}")
    show(made, cell)
    return made


def show(made: NotebookNode, cell: Cell) -> None:
    """Put a student's text into a Markdown cell, with its pictures beside it."""
    made.source = plain(cell.text[:LONGEST])
    if cell.pictures:
        made.attachments = nbformat.from_dict(cell.pictures)


def is_written(cell: NotebookNode) -> bool:
    """Tell whether a cell of a rebuilt notebook is a student's text."""
    own = cell.id.startswith(OWN)
    return cell.cell_type == "markdown" and (own or is_answer(cell))


# A folder of hand-ins


def folder_name(student: str) -> str:
    """Return an id that is safe as a folder's name, always the same for a student.

    Letters, marks and digits of any script stay; if anything else had to go, a digest
    tells apart what would look alike.
    """
    kept = "".join(c if is_plain(c) else "_" for c in student).strip("_.@-")
    short = kept.encode()[:LONGEST_NAME].decode("utf-8", "ignore")
    if short == student and not re.search("-[0-9a-f]{12}$", student):
        return student
    digest = hashlib.sha256(os.fsencode(student)).hexdigest()[:12]
    return f"{short or 'id'}-{digest}"


def is_plain(character: str) -> bool:
    """Tell whether a character means nothing but itself in a path or an address."""
    return character in "_.@-" or unicodedata.category(character)[0] in "LMN"


def rebuild_submission(
    raw: Path, release: Path, target: Path
) -> tuple[dict[str, dict], list[str]]:
    """Rebuild a submission; return status and repairs by notebook, and other files."""
    wanted = {path.stem: path for path in sorted(release.glob("*.ipynb"))}
    there = {p.name: p for p in entries(raw) if p.suffix.lower() == ".ipynb"}
    found: dict[str, dict] = {}
    taken = {"timestamp.txt", SECRET}
    target.mkdir(parents=True, exist_ok=True)
    for stem, path in wanted.items():
        made = nbformat.read(path, as_version=4)
        status, notes = "unreadable", []
        try:
            source, notes = pick(stem, made, there, wanted)
            taken.add(source.name)
            cells, odd = read(source)
            made, mended = rebuild(made, cells)
            notes += odd + mended
            status = "repaired" if notes else "graded"
        except Unreadable as error:
            notes.append(str(error))  # the unsolved release takes its place
        write_whole(target / f"{stem}.ipynb", nbformat.writes(made) + "\n")
        found[stem] = {"status": status, "notes": notes}
    keep_time(raw, target)
    keep_secret(raw, target)
    return found, list(others(raw, taken, target))


def refused(
    raw: Path, release: Path, target: Path, why: str
) -> tuple[dict[str, dict], list[str]]:
    """Put the unsolved release in the place of a hand-in that cannot be read at all."""
    found = {}
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(release.glob("*.ipynb")):
        write_whole(target / path.name, path.read_text(encoding="utf-8"))
        found[path.stem] = {"status": "unreadable", "notes": [why]}
    keep_time(raw, target)
    keep_secret(raw, target)
    return found, []


def entries(folder: Path) -> list[Path]:
    """List a folder that may be a link or not be readable."""
    try:
        return [] if folder.is_symlink() else sorted(folder.iterdir())
    except OSError:
        return []


def pick(
    stem: str, made: NotebookNode, there: dict[str, Path], wanted: dict
) -> tuple[Path, list[str]]:
    """Return the file that holds a notebook: by its name, or by what is in it."""
    named = [path for path in there.values() if path.stem == stem]
    if named:  # NAME.ipynb, else NAME.IPYNB
        return max(named, key=lambda path: path.suffix == ".ipynb"), []
    names = {name(c) for c in made.cells if name(c)}

    def common(path: Path) -> int:
        try:
            return len(names & {cell.name for cell in read(path)[0]})
        except Unreadable:
            return 0

    rest = [p for p in there.values() if p.stem not in wanted]
    best = max(rest, key=common, default=None)
    if best is None or (not common(best) and len(rest) + len(wanted) > 2):
        raise Unreadable("no such notebook was handed in")
    return best, [f"taken from {repr(best.name)}"]


def keep_time(raw: Path, target: Path) -> None:
    """Keep the time of the hand-in, if there is one."""
    (target / "timestamp.txt").unlink(missing_ok=True)  # of the hand-in before
    path = raw / "timestamp.txt"
    if path.is_file() and not path.is_symlink():
        with contextlib.suppress(ValueError, OverflowError, OSError):
            text = path.read_text(encoding="utf-8-sig")[:80]
            when = parser.parse(text, tzinfos=zone)
            when = when.astimezone(UTC) if when.tzinfo else when
            write_whole(target / path.name, f"{when:%Y-%m-%d %H:%M:%S.%f} UTC")


def zone(name: str | None, seconds: int | None) -> tz.tzfile | tz.tzoffset | None:
    """Return a time zone, as dateutil asks for it; None, taken for UTC, if unknown."""
    return tz.gettz(name) if seconds is None else tz.tzoffset(name, seconds)


def keep_secret(raw: Path, target: Path) -> None:
    """Keep the exchange's secret, with which its owner finds the feedback."""
    (target / SECRET).unlink(missing_ok=True)
    path = raw / SECRET
    if path.is_file() and not path.is_symlink():
        with contextlib.suppress(ValueError, OSError), open(path, "rb") as file:
            text = file.read(300).decode("ascii")
            if re.fullmatch("[0-9a-f]{32,256}", text):
                write_whole(target / SECRET, text)


def others(raw: Path, taken: set[str], target: Path) -> Iterator[str]:
    """Say which files are not taken; of a folder, which notebooks are in it."""
    for path in entries(raw):
        if path.name == "timestamp.txt" and not (target / path.name).exists():
            yield "timestamp.txt: no date, ignored"
        elif path.name not in taken:
            yield f"{repr(path.name)}: not taken"
            yield from (
                f"{repr(str(inner.relative_to(raw)))}: not taken (in a folder)"
                for inner in notebooks_below(path)
                if inner != path
            )


def notebooks_below(folder: Path) -> list[Path]:
    """List the files that are, or are called, notebooks, in a folder and below it."""
    paths = [folder, *folder.rglob("*")] if not folder.is_symlink() else [folder]
    return sorted(path for path in paths if holds_notebook(path))


def holds_notebook(path: Path) -> bool:
    """Tell whether a file is called a notebook, or is one under another name."""
    if ".ipynb" in path.name.lower():
        return not path.is_dir()
    if path.suffix not in (".json", ".txt", ""):
        return False
    try:
        return bool(read(path)[0])
    except Unreadable:
        return False


def write_whole(path: Path, text: str) -> None:
    """Write a file at once or not at all, and only if it is another one."""
    data = text.encode("utf-8", "replace")
    if path.is_file() and path.read_bytes() == data:
        return
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)
