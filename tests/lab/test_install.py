"""Before anything is downloaded, the machine is looked at; then no CUDA by accident."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import install
import pytest
import reader

GOOD = install.Machine((3, 12), 64, "Linux", "x86_64", ("glibc", "2.36"), "")
MAC = GOOD._replace(system="Darwin", processor="arm64", libc=("", ""), macos="14.5")
WINDOWS = GOOD._replace(system="Windows", processor="amd64", libc=("", ""))
BAD = {
    "3.10": GOOD._replace(python=(3, 10)),
    "3.14": GOOD._replace(python=(3, 14)),
    "glibc 2.17": GOOD._replace(libc=("glibc", "2.17")),
    "without glibc": GOOD._replace(libc=("", "")),
    "riscv64": GOOD._replace(processor="riscv64"),
    "Intel": MAC._replace(processor="x86_64"),
    "macOS 13.7": MAC._replace(macos="13.7"),
    "Windows on arm64": WINDOWS._replace(processor="arm64"),
    "32-bit": WINDOWS._replace(bits=32),
    "FreeBSD": GOOD._replace(system="FreeBSD", libc=("", "")),
}


@pytest.mark.parametrize(
    "machine",
    [
        *[GOOD._replace(python=(3, minor)) for minor in (11, 12, 13)],
        *[GOOD._replace(processor=name) for name in ("aarch64", "amd64")],
        *[MAC, MAC._replace(macos="26.0"), WINDOWS],
        GOOD._replace(libc=("glibc", "2.28")),
    ],
)
def test_machines_that_pytorch_has_builds_for_are_let_through(machine):
    assert install.problems(machine) == []


@pytest.mark.parametrize("name", BAD)
def test_others_are_told_what_is_wrong_and_what_to_do_in_both_languages(name):
    ((en, zh),) = install.problems(BAD[name])
    assert name in en
    assert "make lab PYTHON=" in en or "docs/en/cloud.md" in en
    assert "make lab PYTHON=" in zh or "docs/zh/cloud.md" in zh
    assert re.search("[\u4e00-\u9fff]{4}", zh) and "{}" not in en + zh


def test_versions_are_those_of_the_project_file(course):
    project = tomllib.loads((course / "pyproject.toml").read_text(encoding="utf-8"))
    low, high = (f"{major}.{minor}" for major, minor in install.PYTHONS)
    assert project["project"]["requires-python"] == f">={low},<{high}"
    assert install.wanted_torch().startswith("2.13.")  # the sentences name it
    assert f"torch=={install.wanted_torch()}" in project["project"]["dependencies"]


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Return a place for packages; pip knows no other, and installs into a folder."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONSTRAINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "empty").as_uri())
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "target"))
    monkeypatch.setattr(install, "CPU_INDEX", (tmp_path / "index").as_uri())
    return tmp_path


def put_torch(folder: Path) -> None:
    """Put an empty package called torch, in its CPU build, where pip looks for it."""
    stem = f"torch-{install.wanted_torch()}+cpu"
    name, meta = f"{stem}-py3-none-any.whl", f"{stem}.dist-info"
    page = folder / "index/torch"
    page.mkdir(parents=True)
    (page / "index.html").write_text(f'<a href="{name.replace("+", "%2B")}">{name}</a>')
    version = f"Metadata-Version: 2.1\nName: torch\nVersion: {stem[6:]}\n"
    wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
    with zipfile.ZipFile(page / name, "w") as file:
        file.writestr("torch/__init__.py", "")
        file.writestr(f"{meta}/METADATA", version + "Requires-Dist: nowhere\n")
        file.writestr(f"{meta}/WHEEL", wheel + "Tag: py3-none-any\n")
        file.writestr(f"{meta}/RECORD", "")


def test_the_cpu_build_is_taken_from_the_place_that_is_named(shelf, capfd):
    put_torch(shelf)
    install.install_cpu_torch([sys.executable, "-m", "pip", "install"])
    assert (shelf / "target/torch/__init__.py").exists()
    assert "several GB" not in capfd.readouterr().out


def test_where_there_is_none_the_reader_hears_it_before_the_gigabytes(shelf, capfd):
    install.install_cpu_torch([sys.executable, "-m", "pip", "install"])
    said = capfd.readouterr().out
    assert "several GB" in said or "好几个 GB" in said
    assert "TORCH_INDEX" in said


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh"}, "zh"),
        ({"LANG": "C.UTF-8", "LC_ALL": "POSIX", "LANGUAGE": "zh_TW:en"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_reader(variables, expected):
    assert reader.language(variables) == expected


def test_a_copy_away_from_the_clone_is_refused_by_one_sentence(course, tmp_path):
    """As `pip install .` without --editable leaves it."""
    package = tmp_path / "course_lib"
    package.mkdir()
    package.joinpath("__init__.py").write_bytes(
        (course / "course_lib/__init__.py").read_bytes()
    )
    done = subprocess.run(
        [sys.executable, "-c", "import course_lib"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert "pip install --editable" in done.stderr.splitlines()[-1]
