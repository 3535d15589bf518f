"""Install the course: look at the machine first, then make .venv, then download.

    python tools/install.py           into .venv in this folder (make lab does it)
    python tools/install.py --test    with what the tests need (make test does it)
    python tools/install.py --here    into the Python that runs this: conda, Colab

On Linux pip would fetch PyTorch with the CUDA libraries, several GB. Without an NVIDIA
card the CPU build is taken instead, from PyTorch's own index or, where TORCH_INDEX is
set, from the one named there; where neither has it, pip decides. Needs nothing but
Python, and not even the right one: a 3.6 must be able to read this file and say so.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

from reader import say

COURSE = Path(__file__).resolve().parents[1]
VENV = COURSE / ".venv"
CPU_INDEX = os.environ.get("TORCH_INDEX") or "https://download.pytorch.org/whl/cpu"
PYTHONS = ((3, 11), (3, 14))  # from, to before: as pyproject.toml says
GLIBC, MACOS = (2, 28), (14, 0)  # the oldest that PyTorch's wheels run on

NO_PYTHON = (
    """\
This is Python {}; the course needs 3.11, 3.12 or 3.13. Name one that you have:
    make lab PYTHON=python3.12      (on Windows: py -3.12 tools/install.py)
If you have none, `uv venv --python 3.12` fetches it; then type the same command again.
""",
    """\
这里是 Python {}，课程需要 3.11、3.12 或 3.13。如果装了别的版本，请指定：
    make lab PYTHON=python3.12      （Windows 上是 py -3.12 tools/install.py）
如果没有装，`uv venv --python 3.12` 会下载一个，然后重新运行刚才的命令。
""",
)
NO_TORCH = (
    """\
PyTorch 2.13, which the course needs, has no build for {}. It has builds for
Linux (x86-64 or ARM, glibc 2.28 or newer), Windows (x64) and Macs with Apple silicon
(macOS 14 or newer). On this machine you can read the book; where else to run the
course is in docs/en/cloud.md.
""",
    """\
课程要用 PyTorch 2.13，它没有适合{}的安装包。有安装包的是 Linux（x86-64 或 ARM，
glibc 2.28 以上）、Windows（x64）和苹果芯片的 Mac（macOS 14 以上）。在这台机器上可以看
网页书；还能在哪里运行，见 docs/zh/cloud.md。
""",
)

Machine = namedtuple("Machine", "python bits system processor libc macos")


def this_machine():
    """Return what decides whether there are packages for this machine."""
    return Machine(
        sys.version_info[:2],
        64 if sys.maxsize > 2**32 else 32,
        platform.system(),
        platform.machine().lower(),
        platform.libc_ver(),
        platform.mac_ver()[0],
    )


def problems(machine):
    """Return why the course cannot run on a machine, and what to do: [(en, zh), …]."""
    found = []
    if not PYTHONS[0] <= tuple(machine.python) < PYTHONS[1]:
        version = ".".join(map(str, machine.python))
        found.append([text.format(version) for text in NO_PYTHON])
    without = without_torch(machine)
    if without:
        found.append([NO_TORCH[number].format(without[number]) for number in (0, 1)])
    return found


def without_torch(machine):
    """Return what there is no PyTorch for in both languages, or None."""
    _, bits, system, processor, libc, macos = machine
    known = {
        "Linux": ("x86_64", "amd64", "aarch64", "arm64"),
        "Darwin": ("arm64",),
        "Windows": ("amd64", "x86_64"),
    }
    if bits != 64:
        return "a 32-bit Python", " 32 位的 Python "
    if processor not in known.get(system, ()):
        if system == "Darwin":
            return "Macs with Intel processors", " Intel 处理器的 Mac "
        return f"{system} on {processor}", f" {processor} 上的 {system} "
    if system == "Linux" and libc[0] != "glibc":
        return "Linux without glibc, such as Alpine", "没有 glibc 的 Linux"
    if system == "Linux" and numbers(libc[1]) < GLIBC:
        return f"glibc {libc[1]}", f" glibc {libc[1]} "
    if system == "Darwin" and numbers(macos) < MACOS:
        return f"macOS {macos}", f" macOS {macos} "
    return None


def numbers(version):
    """Turn "2.28" into (2, 28)."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def has_nvidia():
    """Tell whether there is an NVIDIA card with its driver."""
    return bool(shutil.which("nvidia-smi")) or Path("/proc/driver/nvidia").exists()


def installer():
    """Return the start of the command that installs: pip's or, without pip, uv's."""
    pip, quiet = [sys.executable, "-m", "pip"], subprocess.DEVNULL
    missing = subprocess.call([*pip, "--version"], stdout=quiet, stderr=quiet)
    if missing and shutil.which("uv"):  # which made this environment
        uv = ["uv", "pip", "install", "--python", sys.executable]
        return [*uv, "--index-strategy", "unsafe-best-match"]  # as pip chooses
    if missing:
        subprocess.check_call([sys.executable, "-m", "ensurepip"])
    return [*pip, "install"]


def wanted_torch():
    """Return the version of PyTorch that pyproject.toml pins."""
    text = (COURSE / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(r'"torch==([\d.]+)"', text).group(1)


def installed_torch():
    """Return the version of PyTorch that is here, without "+cpu"; "" if none is."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("torch").partition("+")[0]
    except PackageNotFoundError:
        return ""


def install_cpu_torch(command):
    """Install PyTorch's CPU build, or say why several GB are about to come."""
    say(
        "No NVIDIA card: PyTorch comes in its CPU build, without CUDA.",
        "没有 NVIDIA 显卡，安装 CPU 版的 PyTorch，不带 CUDA。",
    )
    wheel = f"torch=={wanted_torch()}+cpu"
    # Alone: what it needs comes with the course, from the reader's usual index.
    ask = [*command, wheel, "--no-deps", "--extra-index-url", CPU_INDEX]
    if command[0] == sys.executable:  # pip would wait for a silent index for minutes
        ask += ["--timeout", "30", "--retries", "2"]
    if subprocess.call(ask):
        say(
            f"The CPU build could not be fetched from {CPU_INDEX}.\nWhat pip finds by "
            "itself comes instead, probably several GB. To choose another place,\n"
            "press Ctrl-C and type: make lab TORCH_INDEX=https://…",
            f"从 {CPU_INDEX} 取不到 CPU 版，\n改用 pip 自己找到的，可能要下载"
            "好几个 GB。想换一个下载的地方，\n就按 Ctrl-C，再运行 make lab "
            "TORCH_INDEX=https://…",
        )


def install(extras):
    """Install PyTorch for this machine, then the course; return the exit status."""
    command = installer()
    if platform.system() == "Linux" and installed_torch() != wanted_torch():
        if has_nvidia():
            say(
                "There is an NVIDIA card: PyTorch comes with CUDA, several GB.",
                "这台机器有 NVIDIA 显卡，安装带 CUDA 的 PyTorch，有好几个 GB。",
            )
        else:
            install_cpu_torch(command)
    return subprocess.call([*command, "--editable", f"{COURSE}{extras}"])


def in_venv(arguments):
    """Make .venv if it is not there; go on in its Python."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        try:
            import venv

            venv.create(str(VENV), with_pip=True)
        except (ImportError, subprocess.CalledProcessError) as error:
            shutil.rmtree(str(VENV), ignore_errors=True)
            say(
                f"Python cannot make an environment ({error}). On Debian and Ubuntu: "
                "sudo apt install python3-venv; then type the same command again.",
                f"Python 建不了虚拟环境（{error}）。在 Debian 和 Ubuntu 上，先运行 "
                "sudo apt install python3-venv，再重新运行刚才的命令。",
            )
            return 1
    return subprocess.call([str(python), __file__, "--here", *arguments])


def main(arguments):
    """Refuse what cannot work before anything is downloaded; then install."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--test", action="store_true", help="also what tests need")
    parser.add_argument("--here", action="store_true", help="into this Python")
    options = parser.parse_args(arguments)
    found = problems(this_machine()) if options.here or not VENV.exists() else []
    for sentences in found:
        say(*sentences)
    if found and Path(sys.prefix) == VENV:
        say("First delete the folder .venv.", "请先删掉 .venv 这个文件夹。")
    if found:
        return 1
    if not options.here:
        return in_venv(arguments)
    sys.path.insert(0, str(COURSE))  # for the notebook that has this as a %run cell
    return install("[test]" if options.test else "")


if __name__ == "__main__":
    status = main(sys.argv[1:])
    if status:
        sys.exit(status)
