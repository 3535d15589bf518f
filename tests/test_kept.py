"""What is kept is whole or not there, whatever happens while it is made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from course_lib import __main__, kept


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path / "cache"))
    kept.say_once.cache_clear()
    return tmp_path / "cache"


def as_it_is(content: bytes) -> bytes:
    return content


def never() -> bytes:
    pytest.fail("it was made again")


# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, ValueError])
def test_an_error_leaves_what_was_there_and_nothing_else(error, tmp_path):
    path = tmp_path / "words.txt"
    kept.write({path: b"whole"})
    with pytest.raises(error), kept.whole(path) as file:
        file.write(b"hal")
        raise error
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"whole"]


def test_nobody_reads_half_a_file(tmp_path):
    path = tmp_path / "words.txt"
    with kept.whole(path) as file:
        file.write(b"hal")
        file.flush()
        assert not path.exists()
        file.write(b"f")
    assert path.read_bytes() == b"half"


def test_two_processes_may_write_the_same_file(tmp_path):
    """The other one begins later and is done before; both have a whole file."""
    path = tmp_path / "words.txt"
    other = "import sys, pathlib; from course_lib import kept\n"
    other += "kept.write({pathlib.Path(sys.argv[1]): b'the other one'})"
    with kept.whole(path) as file:
        file.write(b"this ")
        subprocess.run([sys.executable, "-c", other, path], check=True)
        assert path.read_bytes() == b"the other one"
        file.write(b"one")
    assert path.read_bytes() == b"this one"
    assert [*tmp_path.iterdir()] == [path]


def test_who_writes_at_the_same_time_has_a_file_of_his_own(tmp_path):
    """Kernels in two containers may have the same process number."""
    path = tmp_path / "x"
    with kept.whole(path) as first:
        first.write(b"A" * 9)
        with kept.whole(path) as second:
            second.write(b"B")
        assert path.read_bytes() == b"B"
    assert path.read_bytes() == b"A" * 9


@pytest.mark.parametrize("room", [0, 30])
def test_of_several_files_all_are_written_or_none(room, tmp_path, full_disk):
    files = {tmp_path / "a": b"a" * 10, tmp_path / "b": b"b" * 100}
    with full_disk(room), pytest.raises(OSError, match="No space"):
        kept.write(files)
    assert not list(tmp_path.iterdir())
    kept.write(files)
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == files


def test_a_full_disk_says_where_how_much_and_what_to_do(tmp_path, full_disk):
    with full_disk(10), pytest.raises(OSError) as caught:
        kept.write({tmp_path / "large": b"x" * 12345})
    assert str(tmp_path) in str(caught.value)
    for part in (
        "large takes 12,345 bytes",
        "COURSE_CACHE",
        "python -m course_lib cache",
    ):
        assert part in str(caught.value)


def test_a_disk_without_room_is_noticed_before_the_work(tmp_path):
    with pytest.raises(OSError, match="No space"), kept.whole(tmp_path / "x", 2**60):
        pytest.fail("hours of work begin")


# -- the cache -------------------------------------------------------------------------


def test_what_was_made_once_is_not_made_again(cache):
    path = cache / "features" / "one"
    assert kept.recall(path, lambda: b"made", as_it_is) == b"made"
    assert kept.recall(path, never, as_it_is) == b"made"


def test_what_was_interrupted_is_not_kept(cache):
    def interrupted() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept.recall(cache / "one", interrupted, as_it_is)
    assert kept.recall(cache / "one", lambda: b"made", as_it_is) == b"made"


def test_any_damage_is_said_and_made_good(cache, capsys):
    path = cache / "one"
    kept.recall(path, lambda: b"made", as_it_is)
    whole = path.read_bytes()
    other_letters = [
        whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :] for i in (0, 3, 20)
    ]
    for broken in (b"", b"no", whole[:-1], whole + b"!", *other_letters):
        path.write_bytes(broken)
        assert kept.recall(path, lambda: b"made", as_it_is) == b"made"
        assert f"{path} is damaged: what it kept is com" in capsys.readouterr().out
        assert path.read_bytes() == whole


@pytest.mark.skipif(os.name == "nt", reason="Windows has no /dev/null")
def test_without_a_folder_that_takes_files_it_is_made_each_time(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_CACHE", "/dev/null/cache")
    kept.say_once.cache_clear()
    for made in (b"first", b"second"):
        path = kept.place("why") / "one"
        assert kept.recall(path, lambda made=made: made, as_it_is) == made
    said = capsys.readouterr().out
    assert said.count("/dev/null/cache/why takes no files") == 1
    assert "COURSE_CACHE" in said


def test_a_cache_that_is_only_read_is_used(cache):
    path = cache / "why" / "one"
    kept.recall(path, lambda: b"made", as_it_is)
    path.parent.chmod(0o555)
    try:
        if os.access(path.parent, os.W_OK):
            pytest.skip("this user may write everywhere")
        assert kept.recall(path, never, as_it_is) == b"made"
        other = path.with_name("two")
        assert kept.recall(other, lambda: b"more", as_it_is) == b"more"
    finally:
        path.parent.chmod(0o755)


def test_what_follows_is_the_same_whether_it_was_trained_now_or_long_ago(cache):
    """A training with dropout draws random numbers; those after it must not differ."""
    found = []
    for _ in range(2):
        torch.manual_seed(1)
        model = torch.nn.Linear(3, 2)

        def train(model=model):
            model.weight.data += torch.rand(2, 3)

        kept.trained(model, kept.place("why") / "model.pt", train)
        found.append((model.weight.tolist(), torch.rand(3).tolist()))
    assert found[0] == found[1]


def test_the_command_shows_the_cache_and_clears_what_was_computed(
    cache, capsys, monkeypatch
):
    def said(*options: str) -> str:
        monkeypatch.setattr(sys, "argv", ["course_lib", "cache", *options])
        __main__.main()
        return capsys.readouterr().out

    assert f"{cache}   (" in said()
    kept.write({kept.place("features") / "x.npy": bytes(3 * 2**20)})
    kept.write({cache / "imdb" / "reviews.tar": bytes(2**21)})
    assert "3.0 MB  features" in said()
    assert "0.0 MB  features" in said("--clear")
    assert (cache / "imdb" / "reviews.tar").exists(), "that was downloaded"


def test_a_kind_that_the_command_would_not_clear_has_no_place():
    with pytest.raises(KeyError, match="there are bert, features"):
        kept.place("nonsense")
