"""What the first line of every notebook relies on."""

import os
import platform
import subprocess
import sys
import textwrap

import pytest

import course_lib
from course_claims import commands, ledger
from course_lib.__main__ import main


def test_importing_the_course_does_not_load_torch():
    """Torch takes seconds to load; a list of corpora does not need it."""
    code = "import sys, course_lib, course_lib.data; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def test_threads_are_told_not_to_spin_before_torch_and_numpy_are_loaded():
    """Also where nobody has said so yet: conftest.py has, for this process."""
    names = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY", "OPENBLAS_NUM_THREADS")
    code = "import course_lib, os, sys; print('torch' in sys.modules, "
    code += f"'numpy' in sys.modules, *map(os.environ.get, {names}))"
    bare = {key: value for key, value in os.environ.items() if key not in names}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=bare, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False", "0", "PASSIVE", "1"], done.stderr


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told")
def test_the_memory_of_tensors_that_are_gone_is_kept_for_the_next():
    """A tensor of 40 MB has 9,800 pages; after a few rounds they are all in place."""
    code = """
        import course_lib, resource, torch
        for number in range(20):
            if number == 16:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            torch.ones(10_000_000)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert int(done.stdout) < 1000, done.stderr


def test_start_returns_a_chooser_of_the_editions_texts():
    import torch

    for language, expected in (("en", "layer"), ("zh", "层")):
        torch.set_num_threads(2)  # conftest.py has said 1 already
        t = course_lib.start(language)
        assert t("layer", "层") == expected
        assert t.language == language
        assert torch.get_num_threads() == 1
    with pytest.raises(ValueError, match="'en' and 'zh'"):
        course_lib.start("de")


def test_the_profile_chooses_and_a_wrong_one_is_named(monkeypatch):
    monkeypatch.delenv("COURSE_PROFILE", raising=False)
    assert course_lib.by_profile(full=3, quick=1) == 3
    monkeypatch.setenv("COURSE_PROFILE", "quick")
    assert course_lib.by_profile(full=3, quick=1) == 1
    monkeypatch.setenv("COURSE_PROFILE", "fast")
    with pytest.raises(ValueError, match="'fast'"):
        course_lib.by_profile(full=3, quick=1)


def test_source_shows_the_code_as_it_stands_in_the_package(capsys):
    from course_lib.text.characters import char_ids

    course_lib.source(char_ids)
    assert "def char_ids(word: str, width: int = WIDTH)" in capsys.readouterr().out


def test_a_wrong_name_on_the_command_line_is_answered_with_the_right_ones(tmp_path):
    command = [sys.executable, "-m", "course_lib", "pretrain", "elmo", "--out"]
    done = subprocess.run([*command, tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert "elmo-en" in done.stderr and "Traceback" not in done.stderr


def test_the_command_line_lists_the_corpora():
    done = subprocess.run(
        [sys.executable, "-m", "course_lib", "corpora"], capture_output=True, text=True
    )
    assert "rivertown-en" in done.stdout, done.stderr


@pytest.mark.parametrize("given", ["--quick a b", "a --quick b", "a b --quick"])
def test_names_may_stand_before_and_after_options(given, monkeypatch):
    asked = []

    def run(names, **options):
        asked.append((names, options["quick"]))

    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setattr("sys.argv", ["course_lib", "claims", "run", *given.split()])
    main()
    assert asked == [(["a", "b"], True)]


@pytest.mark.whole
def test_an_experiment_that_fails_is_named_and_does_not_stop_the_others(tmp_path):
    results, nltk = tmp_path / "build/claims-quick", tmp_path / "nltk_data"
    damaged = nltk / "corpora/brown.zip"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"no archive")
    command = ["claims", "run", "--quick", "awd_regularisers", "minimal_pairs"]
    done = subprocess.run(
        [sys.executable, "-m", "course_lib", *command],
        cwd=tmp_path,
        env={**os.environ, "NLTK_DATA": str(nltk)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.strip().endswith("no result of awd_regularisers; see above")
    assert ledger.measured("minimal_pairs", results)
