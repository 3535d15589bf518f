"""Code that the notebooks lean on: small, real, meant to be read.

Rooms, each with one job, imports going down only: text, worlds, data, models,
checkpoints, analysis, training, widgets, grading; README.md leads from each lesson to
the file. Importing the package is cheap; torch is loaded only when something needs it.
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _keep_freed_memory() -> None:
    """Let the C library keep the memory of a tensor that is gone for the next one.

    glibc gives a block of over 32 MB back to the system as soon as it is freed. A
    training step frees dozens of them, and the system fills the next ones with zeros,
    page by page: 400,000 page faults in a step of the AWD-LSTM, a third of its CPU
    time. What is kept, at most 2 GB, makes the peak about a third higher. Elsewhere
    (macOS, Windows, musl) nothing happens.
    """
    if platform.libc_ver()[0] == "glibc":
        library = ctypes.CDLL(None)
        library.mallopt(-4, 0)  # M_MMAP_MAX: no block is a mapping of its own
        library.mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD, in bytes


# Threads that wait for each other should sleep, not spin: a spinning thread takes the
# core that it is waiting for. NumPy's linear algebra (OpenBLAS) has threads of its own:
# with one, scikit-learn's logistic regression took half the time on idle cores, a
# quarter on busy ones. All of it must be set before torch and NumPy are imported.
os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_keep_freed_memory()

DATA = Path(__file__).resolve().parents[1] / "data"

if not (DATA / "senses").is_dir():
    raise ImportError(
        "course_lib was installed as a copy, away from its texts and models: clone the "
        "repository, keep the clone, and install it with `pip install --editable "
        "FOLDER`. / 安装的只是 course_lib 的一份副本，课程的文本和模型不在旁边。"
        "请克隆仓库，保留克隆下来的目录，再用 `pip install --editable 目录` 安装。"
    )


def start(language: str) -> Callable[[str, str], str]:
    """Prepare a notebook: fonts, one quiet thread, and the language of its labels.

    Returns `t`, which picks the text of this edition: `t("layer", "层")`;
    `t.language` is "en" or "zh".
    """
    if language not in ("en", "zh"):
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    import torch

    from .figures import use_course_style

    torch.set_num_threads(1)  # two threads on a busy laptop can be slower than one
    use_course_style(language)

    def t(en: str, zh: str) -> str:
        return {"en": en, "zh": zh}[language]

    t.language = language
    return t


def show(figure: Any, alt: str) -> None:
    """Display a matplotlib figure as a picture with alternative text."""
    from .figures import show as show_figure

    show_figure(figure, alt)


def source(*objects: Any) -> None:
    """Show the code of functions or classes of this package, as it stands there."""
    import inspect

    from IPython.display import Code, display

    for thing in objects:
        display(Code(inspect.getsource(thing), language="python"))


def by_profile(full: Any, quick: Any) -> Any:
    """Choose `quick` when COURSE_PROFILE=quick (a check in a minute), else `full`."""
    profile = os.environ.get("COURSE_PROFILE", "full")
    if profile not in ("full", "quick"):
        raise ValueError(f"COURSE_PROFILE is {profile!r}; set it to 'full' or 'quick'")
    return quick if profile == "quick" else full


def load(name: str) -> Any:
    """Load a pre-trained model that ships with the course, by its name."""
    from .checkpoints import load as load_checkpoint

    return load_checkpoint(name)
