"""Keep the reader's own copy of the notebooks, work/, up to date with the course.

    python tools/own_copy.py

The notebooks in notebooks/ are never opened for work: git tracks them, and each run
would change them. In work/, which git ignores, a notebook

* that is not there is copied;
* in which nothing was written (running it is not writing) is replaced by the new
  version; outputs below cells that stayed the same are kept;
* in which something was written stays as it is; a new version is put beside it, as
  01_nnlm_new.ipynb, once.

work/copied.json remembers, for each file, which version was put there last.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

from reader import say

COURSE = Path(__file__).resolve().parents[1]
RECORD = "copied.json"


class Delivered(NamedTuple):
    """What was done with one file of the course."""

    target: Path
    how: str  # "copied", "updated" or "beside"


def update(source: Path, work: Path) -> list[Delivered]:
    """Bring every file below `source` to `work`; return what changed there."""
    record_file = work / RECORD
    record = read_record(record_file)
    done = []
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if path.is_file() and not any(part.startswith(".") for part in inside.parts):
            done += deliver(path, work, inside, record)
    write(record_file, json.dumps(record, indent=0, sort_keys=True).encode())
    return done


def deliver(
    source: Path, work: Path, inside: Path, record: dict[str, str]
) -> list[Delivered]:
    """Bring one file to its place in `work`, or beside what was written there."""
    content = source.read_bytes()
    new = version(content)
    if (work / inside).exists() and record.get(inside.as_posix()) == new:
        return []
    for number in range(1, 100):
        place = inside if number == 1 else beside(inside, number - 1)
        target, known = work / place, record.get(place.as_posix())
        there = version(target.read_bytes()) if target.exists() else None
        if there in (None, known, new):
            break
    record[inside.as_posix()] = record[place.as_posix()] = new
    if there == new:
        return []
    how = "beside" if place != inside else "copied" if there is None else "updated"
    write(target, content if there is None else with_outputs(content, target))
    return [Delivered(target, how)]


def beside(path: Path, number: int) -> Path:
    """Return where a new version goes: 01_nnlm_new.ipynb, then 01_nnlm_new2.ipynb."""
    return path.with_stem(f"{path.stem}_new{number if number > 1 else ''}")


def version(content: bytes) -> str:
    """Return 16 letters and digits that change when what is written changes.

    In a notebook that is the text of its cells; outputs, numbers and settings are not.
    """
    with_cells = cells_of(content)
    if with_cells is not None:
        written = [[c.get("cell_type"), text(c)] for c in with_cells]
        content = json.dumps(written).encode()
    return hashlib.sha256(content).hexdigest()[:16]


def cells_of(content: bytes) -> list[dict] | None:
    """Return the cells of a notebook; None if this is none."""
    try:
        cells = json.loads(content)["cells"]
        return cells if all(isinstance(cell, dict) for cell in cells) else None
    except (ValueError, KeyError, TypeError):
        return None


def text(cell: dict) -> str:
    """Return what is written in a cell, in whichever way it is stored."""
    return "".join(cell.get("source", ""))


def with_outputs(content: bytes, old: Path) -> bytes:
    """Give the cells of a new version what stood below the same cells before."""
    before = {cell.get("id"): cell for cell in cells_of(old.read_bytes()) or []}
    notebook = json.loads(content) if before and cells_of(content) else None
    if notebook is None:
        return content
    for cell in notebook["cells"]:
        was = before.get(cell.get("id"))
        if was and cell["cell_type"] == "code" and text(was) == text(cell):
            cell["outputs"] = was.get("outputs", [])
            cell["execution_count"] = was.get("execution_count")
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode() + b"\n"


def read_record(path: Path) -> dict[str, str]:
    """Return which version was put where; nothing is known if it cannot be read."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    os.replace(part, path)


def report(done: list[Delivered]) -> None:
    """Say what is new in work/."""
    copied, updated = (sum(d.how == how for d in done) for how in ("copied", "updated"))
    if copied or updated:
        say(
            f"work/, your own copy: {copied} files copied, {updated} updated.",
            f"work/ 是你自己的一份：新复制 {copied} 个文件，更新 {updated} 个。",
        )
    for target in (d.target for d in done if d.how == "beside"):
        name = target.relative_to(COURSE).as_posix()
        say(
            f"{name} is new; the older version, in which you wrote, stays beside it.",
            f"{name} 是新版；旧版里有你写的东西，原样留在旁边。",
        )


def main() -> int:
    """Update work/ from notebooks/ and report."""
    report(update(COURSE / "notebooks", COURSE / "work"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
