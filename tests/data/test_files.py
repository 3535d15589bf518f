"""Files arrive whole or not at all, and every failure says what to do."""

import hashlib
import http.server
import io
import subprocess
import sys
import threading
import zipfile

import nltk.downloader
import pytest

from course_lib.data import files
from course_lib.data.files import (
    DamagedData,
    DataNotAtHand,
    File,
    Repository,
    fetch,
    find,
)

CONTENT = b"label,review\n1,\xe5\xa5\xbd\n" * 1000
SHA256 = "sha256:" + hashlib.sha256(CONTENT).hexdigest()


def repository() -> bytes:
    """Make a repository's zip as GitHub does: all inside a folder NAME-COMMIT."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for path in ("docs/1.md", "docs/1.png", "other/2.md"):
            archive.writestr(f"weekly-0a1b/{path}", CONTENT)
    return whole.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serve CONTENT; /cut stops half-way, /both waits for another, /login asks who."""

    meeting = threading.Barrier(2, timeout=60)

    def do_GET(self):
        if self.path == "/both":
            self.meeting.wait()
        content = repository() if "/zip/" in self.path else CONTENT
        if self.path.endswith("/login"):
            content = b"<!DOCTYPE html><html><meta charset=utf-8><p>Sign in<br></html>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        half = len(content) // 2 if self.path.endswith("/cut") else len(content)
        self.wfile.write(content[:half])

    def log_message(self, *message):
        pass


@pytest.fixture(scope="module")
def site():
    """Give the address of a server on this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make an empty folder the only place for data."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("NLTK_DATA", raising=False)
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def everything(folder):
    return sorted(p.name for p in folder.rglob("*") if p.is_file())


def test_a_file_is_downloaded_once_and_then_found(folder, site):
    file = File("deep/reviews.csv", f"{site}/whole", (SHA256,))
    assert find(file) is None
    assert fetch(file).read_bytes() == CONTENT
    # The second time no server is needed.
    assert fetch(file._replace(url="http://127.0.0.1:9/gone")) == find(file)
    assert everything(folder) == ["reviews.csv"]


def test_a_cut_download_leaves_nothing(folder, site):
    with pytest.raises(DataNotAtHand, match="reviews.csv"):
        fetch(File("reviews.csv", f"{site}/cut", (SHA256,)))
    assert everything(folder) == []


def test_a_wrong_hash_leaves_nothing(folder, site):
    with pytest.raises(DamagedData, match="Nothing was kept"):
        fetch(File("reviews.csv", f"{site}/whole", ("sha256:" + "0" * 64,)))
    assert everything(folder) == []


def test_an_error_page_instead_of_an_archive_leaves_nothing(folder, site):
    with pytest.raises(DamagedData, match="news.zip"):
        fetch(File("news.zip", f"{site}/whole", any_version=True))
    assert everything(folder) == []


def test_without_a_server_the_error_says_what_to_do(folder):
    with pytest.raises(DataNotAtHand) as raised:
        fetch(File("reviews.csv", "http://127.0.0.1:9/reviews.csv", (SHA256,)))
    for hint in ("reviews.csv", "curl -L", "COURSE_DATA"):
        assert hint in str(raised.value)


def test_without_a_network_nltk_corpora_say_what_to_do(folder, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # nobody listens there
    with pytest.raises(DataNotAtHand) as raised:
        fetch(File("corpora/brown.zip", None, any_version=True))
    for hint in ("brown.zip", "python -m nltk.downloader brown", "NLTK_DATA"):
        assert hint in str(raised.value)
    assert everything(folder) == []


def test_a_folder_that_cannot_be_written_is_named(folder, site, tmp_path, monkeypatch):
    # Below a regular file nobody can write, not even root.
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "file" / "data"))
    with pytest.raises(DataNotAtHand, match=r"cannot write to .*Set COURSE_DATA"):
        fetch(File("reviews.csv", f"{site}/whole", (SHA256,)))


def test_a_changed_file_on_disk_is_refused(folder):
    folder.mkdir()
    (folder / "reviews.csv").write_bytes(CONTENT[:-1])
    with pytest.raises(DamagedData, match=r"reviews\.csv .*Delete it"):
        fetch(File("reviews.csv", "http://127.0.0.1:9/", (SHA256,)))
    (folder / "reviews.csv").write_bytes(CONTENT)  # repaired in the same process
    assert fetch(File("reviews.csv", "http://127.0.0.1:9/", (SHA256,)))


def test_any_of_several_hashes_will_do(folder):
    folder.mkdir()
    (folder / "reviews.csv").write_bytes(CONTENT)
    md5 = "md5:" + hashlib.md5(CONTENT).hexdigest()
    for hashes in [(SHA256,), (md5,), ("md5:" + "0" * 32, SHA256), (md5, "sha256:0")]:
        assert fetch(File("reviews.csv", "http://127.0.0.1:9/", hashes))


def test_another_version_is_used_if_sound_and_refused_if_cut(folder):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("news/1.txt", "New text")
    (folder / "nltk_data" / "corpora").mkdir(parents=True)
    path = folder / "nltk_data" / "corpora" / "news.zip"
    file = File("corpora/news.zip", None, (SHA256,), any_version=True)
    path.write_bytes(whole.getvalue())
    assert fetch(file) == path
    path.write_bytes(whole.getvalue()[:-10])
    with pytest.raises(DamagedData, match="a cut download"):
        fetch(file)


def test_an_archive_with_one_damaged_text_is_not_sound(folder):
    """Its table of contents is whole, only the check sum of a text tells."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("news/1.txt", "New text")
    (folder / "nltk_data" / "corpora").mkdir(parents=True)
    path = folder / "nltk_data" / "corpora" / "news.zip"
    path.write_bytes(whole.getvalue().replace(b"New text", b"Mew text"))
    with pytest.raises(DamagedData, match="news/1.txt"):
        fetch(File("corpora/news.zip", None, (SHA256,), any_version=True))


def test_two_processes_that_download_at_once_both_get_the_file(folder, site):
    code = (
        "from course_lib.data.files import File, fetch\n"
        f"path = fetch(File('reviews.csv', '{site}/both', ('{SHA256}',)))\n"
        "print(path.stat().st_size)"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in both:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert output.split()[-1] == str(len(CONTENT)).encode()
    assert everything(folder) == ["reviews.csv"]


def test_a_zip_is_put_together_from_the_texts_of_repositories(folder, site):
    archive = site + "/{name}/zip/{commit}"
    parts = [Repository(f"a/{n}", "0a1b", r"docs/.*\.md", archive) for n in ("x", "y")]
    file = File("texts.zip", any_version=True, parts=tuple(parts))
    with zipfile.ZipFile(fetch(file)) as found:
        assert found.namelist() == ["x/docs/1.md", "y/docs/1.md"]
        assert found.read("y/docs/1.md") == CONTENT
    assert everything(folder) == ["texts.zip"]


@pytest.mark.parametrize(
    ("commit", "error"),
    [("cut", DataNotAtHand), ("gone", DataNotAtHand), ("login", DataNotAtHand)],
)
def test_a_repository_that_cannot_be_had_leaves_nothing(commit, error, folder, site):
    server = "http://127.0.0.1:9" if commit == "gone" else site
    parts = [
        Repository("a/x", "0a1b", r".*\.md", site + "/{name}/zip/{commit}"),
        Repository("a/y", commit, r".*\.md", server + "/{name}/zip/{commit}"),
    ]
    with pytest.raises(error, match=r"texts\.zip.*COURSE_DATA.*a/x, a/y"):
        fetch(File("texts.zip", any_version=True, parts=tuple(parts)))
    assert everything(folder) == []


def test_a_log_in_page_in_place_of_an_index_is_no_network(folder, site, monkeypatch):
    """As hotels and stations answer, with success, whatever one asks for."""
    monkeypatch.setattr(files, "NLTK_INDEX", f"{site}/login")
    monkeypatch.setattr(nltk.downloader._downloader, "_url", f"{site}/login")
    monkeypatch.setattr(nltk.downloader._downloader, "_index", None)
    with pytest.raises(DataNotAtHand, match="python -m nltk.downloader brown"):
        fetch(File("corpora/brown.zip", None, any_version=True))
    assert everything(folder) == []
