"""Released models are fetched from a local server that has the hub's layout.

It can also misbehave as networks do: send a log-in page, refuse, or cut a file off.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import torch

import course_lib
from course_lib.__main__ import main
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.models.elmo import ELMoBiLM
from course_released import catalogue, fetch
from course_released.catalogue import NOTE, Model

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PAGE = b"<!DOCTYPE html><html><body>Please log in</body></html>"


class Server:
    """What lies on the server, how it behaves, and what it was asked for.

    manner: "well", "page" (a log-in page instead of anything), "refuse" (403), or "cut"
    """

    def __init__(self):
        self.files: dict[str, bytes] = {}
        self.manner, self.asked = "well", []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            log_message = staticmethod(lambda *_: None)

        Handler.do_GET = Handler.do_HEAD = lambda handler: self.answer(handler)
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        Thread(target=self.http.serve_forever, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer as the hub does: a commit, a hash, parts of a file if asked."""
        part = request.headers.get("Range")
        if request.command == "GET":
            self.asked.append((request.path, part))
        content = self.files.get(request.path)
        if self.manner == "page":
            return self.send(request, 200, PAGE, {"Content-Type": "text/html"})
        if self.manner == "refuse":
            return self.send(request, 403, PAGE, {"Content-Type": "text/html"})
        if content is None:
            return self.send(request, 404, b"", {"X-Error-Code": "EntryNotFound"})
        if re.match("/somebody/.*safetensors", request.path):  # as the hub: elsewhere
            there = {"Location": f"/large{request.path}", "X-Repo-Commit": COMMIT}
            there |= {"X-Linked-Etag": f'"{sha256(content)}"'}
            there |= {"X-Linked-Size": str(len(content))}
            self.files[f"/large{request.path}"] = content
            return self.send(request, 302, b"", there)
        etag = sha256(content)
        headers = {"ETag": f'"{etag}"', "Accept-Ranges": "bytes"}
        headers["X-Repo-Commit"] = COMMIT
        start = int(re.match(r"bytes=(\d+)-", part)[1]) if part else 0
        if part:
            size = len(content)
            headers["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
        n = len(content)
        end = n // 2 if self.manner == "cut" and n > 10_000 else n
        self.send(request, 206 if part else 200, content[start:], headers, end - start)

    def send(
        self, request, code: int, content: bytes, headers: dict, n: int | None = None
    ) -> None:
        """Send an answer, or only the first n bytes of it."""
        request.send_response(code)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        if request.command == "GET":
            with suppress(OSError):
                request.wfile.write(content[:n])
            request.close_connection = n not in (None, len(content))


@pytest.fixture
def server(monkeypatch, tmp_path):
    """Return a server; what is fetched goes to a folder of this test alone."""
    made = Server()
    monkeypatch.setenv("HF_ENDPOINT", made.address)
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "data"))
    yield made
    made.http.shutdown()
    made.http.server_close()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def on_the_hub(server: Server, monkeypatch, folder: Path, kind: str) -> Model:
    """Put a tiny random model of `transformers` on the server and into the list."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    if kind == "bert":
        sizes = {"hidden_size": 24, "num_attention_heads": 4, "intermediate_size": 30}
        sizes |= {"num_hidden_layers": 2, "max_position_embeddings": 20}
        config = transformers.BertConfig(vocab_size=40, **sizes)
        model = transformers.BertForPreTraining(config)
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh"]
        pieces = {"vocab.txt": "\n".join(words)}
    else:
        sizes = {"n_embd": 24, "n_head": 4, "n_layer": 2, "n_positions": 20}
        model = transformers.GPT2LMHeadModel(
            transformers.GPT2Config(vocab_size=40, **sizes)
        )
        vocabulary = {
            piece: i for i, piece in enumerate(["<|endoftext|>", *"abcdefgh"])
        }
        pieces = {"vocab.json": json.dumps(vocabulary), "merges.txt": "#version: 0.2\n"}
    model.save_pretrained(folder)
    for name, text in pieces.items():
        (folder / name).write_text(text, encoding="utf-8")
    names = ["config.json", *pieces, "model.safetensors"]
    contents = {name: (folder / name).read_bytes() for name in names}
    home = f"somebody/{kind}"
    server.files |= {f"/{home}/resolve/{COMMIT}/{n}": c for n, c in contents.items()}
    hashes = {name: sha256(content) for name, content in contents.items()}
    made = Model("tiny", home, hashes, 1, "MIT", COMMIT)
    monkeypatch.setitem(catalogue.MODELS, f"tiny-{kind}", made)
    return made


def at_an_address(server: Server, monkeypatch, folder: Path) -> Model:
    """Put a tiny ELMo on the server, of which nobody says the hashes."""
    torch.manual_seed(0)
    sizes = {"cells": 16, "projection": 8, "filters": [[1, 16], [2, 32], [3, 32]]}
    names = ("elmo_tiny_options.json", "elmo_tiny_weights.hdf5")
    folder.mkdir()
    model = ELMoBiLM.from_bilm(BiLM(BiLMConfig(**sizes), 20))
    model.save_official(*(folder / name for name in names))
    server.files |= {f"/elmo/{n}": (folder / n).read_bytes() for n in names}
    made = Model("tiny", f"{server.address}/elmo", dict.fromkeys(names), 1, "MIT")
    monkeypatch.setitem(catalogue.MODELS, "tiny-elmo", made)
    return made


WAYS = {
    "tiny-bert": partial(on_the_hub, kind="bert"),
    "tiny-gpt2": partial(on_the_hub, kind="gpt2"),
    "tiny-elmo": at_an_address,
}


def run(monkeypatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["course_lib", "released", *words])
    main()


def test_the_server_is_a_hub_to_the_hubs_own_library(server, monkeypatch, tmp_path):
    hub = pytest.importorskip("huggingface_hub")
    model = on_the_hub(server, monkeypatch, tmp_path / "made", "bert")
    for name, known in model.files.items():
        found = hub.hf_hub_download(
            model.home,
            name,
            revision=COMMIT,
            local_dir=tmp_path / "there",
            endpoint=server.address,
        )
        assert sha256(Path(found).read_bytes()) == known


@pytest.mark.parametrize("name", WAYS)
def test_what_is_fetched_once_loads_without_a_network(
    name, server, monkeypatch, tmp_path, capsys
):
    with pytest.raises(KeyError):
        course_lib.load(name)
    model = WAYS[name](server, monkeypatch, tmp_path / "made")
    with pytest.raises(KeyError, match=f"course_lib released {name}` fetches it"):
        course_lib.load(name)
    run(monkeypatch, name)
    folder = tmp_path / "data" / "released" / name
    assert str(folder) in capsys.readouterr().out
    note = json.loads((folder / NOTE).read_text())
    assert note["revision"] == model.revision and set(note["sha256"]) == {*model.files}
    n = len(server.asked)
    server.http.shutdown()
    server.http.server_close()
    run(monkeypatch, name)  # only checks
    assert len(server.asked) == n
    found, expected = course_lib.load(name), course_lib.load(tmp_path / "made")
    one, other = (x[0] if isinstance(x, tuple) else x for x in (found, expected))
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


def test_the_list_says_what_is_at_hand(server, monkeypatch, tmp_path, capsys):
    on_the_hub(server, monkeypatch, tmp_path / "made", "bert")
    run(monkeypatch)
    assert "to fetch" in re.search("tiny-bert.*", capsys.readouterr().out)[0]
    fetch.fetch("tiny-bert")
    run(monkeypatch)
    line = re.search("tiny-bert.*", capsys.readouterr().out)[0]
    assert str(tmp_path / "data") in line


@pytest.mark.parametrize("name", ["tiny-bert", "tiny-elmo"])
@pytest.mark.parametrize(
    ("manner", "message"),
    [
        ("page", "a web page came instead .*log-in page.*same command again"),
        ("refuse", "answer was 403, refused: a firewall.*HF_ENDPOINT"),
        ("cut", "cut.*same command again: it goes on"),
        ("gone", "no connection.*same command again"),
    ],
)
def test_a_network_that_misbehaves_is_named_and_leaves_no_half_model(
    name, manner, message, server, monkeypatch, tmp_path
):
    WAYS[name](server, monkeypatch, tmp_path / "made")
    server.manner = manner
    if manner == "gone":
        server.http.shutdown()
        server.http.server_close()
    with pytest.raises(SystemExit, match=f"(?s)released: .*{message}"):
        run(monkeypatch, name)
    with pytest.raises(KeyError, match="is not on this machine"):
        course_lib.load(name)


@pytest.mark.parametrize("name", ["tiny-bert", "tiny-elmo"])
def test_a_cut_download_goes_on_where_it_stopped(name, server, monkeypatch, tmp_path):
    model = WAYS[name](server, monkeypatch, tmp_path / "made")
    server.manner = "cut"
    with pytest.raises(fetch.NotFetched):
        fetch.fetch(name)
    server.manner, server.asked = "well", []
    fetch.fetch(name)
    weights = [part for path, part in server.asked if path.endswith([*model.files][-1])]
    assert weights and all(re.fullmatch(r"bytes=[1-9]\d+-", w or "") for w in weights)
    assert not [*(tmp_path / "data" / "released" / name).glob("*.part")]


def test_another_file_under_the_same_name_is_refused(server, monkeypatch, tmp_path):
    """Once by the catalogue's hash, once by that of the first fetch."""
    on_the_hub(server, monkeypatch, tmp_path / "made", "bert")
    (path,) = (p for p in server.files if p.endswith("vocab.txt"))
    true, server.files[path] = server.files[path], b"[PAD]\n[UNK]\nother"
    with pytest.raises(ValueError, match="vocab.txt is not the file that is known"):
        fetch.fetch("tiny-bert")
    server.files[path] = true
    fetch.fetch("tiny-bert")
    at_an_address(server, monkeypatch, tmp_path / "elmo")
    folder = fetch.fetch("tiny-elmo")
    weights = folder / "elmo_tiny_weights.hdf5"
    content = bytearray(weights.read_bytes())
    content[len(content) // 2] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ValueError, match="hdf5 is not the file that is known.*again"):
        course_lib.load("tiny-elmo")
    fetch.fetch("tiny-elmo")
    assert isinstance(course_lib.load("tiny-elmo"), ELMoBiLM)


def test_models_are_pinned():
    """A commit has 40 hex digits, a SHA-256 has 64; all of a hub's model have one."""
    for model in catalogue.MODELS.values():
        if isinstance(model, Model) and model.revision:
            assert re.fullmatch("[0-9a-f]{40}", model.revision)
            assert all(re.fullmatch("[0-9a-f]{64}", h) for h in model.files.values())
