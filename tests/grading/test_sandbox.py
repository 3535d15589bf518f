"""The wall: values cross it unchanged, code and files do not."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_grading import wire
from course_grading.proxy import Answer, Handle, Notebook
from course_grading.sandbox import (
    Limits,
    SandboxProcess,
    Stopped,
    agent_command,
    available,
)

needs_bwrap = pytest.mark.skipif(
    not available(), reason="bubblewrap is not installed, or may not make namespaces"
)
SMALL = Limits(seconds=2, wall=30, task=40, memory=1 << 30)


def across(value):
    """Return what arrives of a value."""
    frame = wire.pack(value)
    first, second = wire.HEADER.unpack(frame[: wire.HEADER.size])
    body = frame[wire.HEADER.size :]
    assert len(body) == first + second
    return wire.unpack(body[:first], body[first:])


# Values


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters()),
    lambda inner: (
        st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner)
    ),
    max_leaves=8,
)


@given(plain)
def test_plain_data_arrive_as_they_were(value):
    assert across(value) == value
    assert type(across(value)) is type(value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3).T,
        np.float32([1, np.nan, np.inf]),
        np.zeros((0, 3), dtype=bool),
        np.array(5),
        np.array(["苹果", "a"]),
    ],
    ids=str,
)
def test_arrays_keep_values_shape_and_type(array):
    there = across({"x": [array]})["x"][0]
    np.testing.assert_array_equal(there, array)
    assert there.dtype == array.dtype and there.flags.writeable


def test_tensors_and_numbers_keep_their_kind():
    tensor = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    there = across(tensor)
    assert torch.equal(there, tensor) and there.requires_grad
    assert type(across(np.float32(2.5))) is np.float32
    assert across({1, "a"}) == {1, "a"}


def test_a_generator_goes_on_where_it_was():
    rng = np.random.default_rng(3)
    rng.normal(size=5)
    assert across(rng).normal() == rng.normal()


def test_many_equal_arrays_in_a_dictionary_travel_as_one():
    vectors = {f"w{i}": np.full(4, float(i)) for i in range(100)}
    there = across(vectors)
    assert list(there) == list(vectors)
    assert all((there[word] == vectors[word]).all() for word in vectors)
    assert len(wire.pack(vectors)) < 100 * (4 * 8 + 40)


@pytest.mark.parametrize(
    "value",
    [object(), print, b"bytes", 1j, [[object()]]],
    ids=["object", "function", "bytes", "complex", "nested"],
)
def test_what_is_no_plain_data_does_not_cross_by_itself(value):
    with pytest.raises(wire.NotPlain):
        wire.pack(value)


def npy(dtype: str, shape: str, data: bytes) -> bytes:
    """Return an .npy file whose header says what we like."""
    head = f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('["array", 0]', npy("'|O'", "(1,)", b"\x80\x04K\x01.")),  # a pickle
        ('["array", 0]', npy("'<f8'", "(10**12,)", b"")),
        ('["array", 0]', npy("'<f8'", "(1000000000000,)", b"12345678")),
        ('["array", 0]', npy("[('a', '<f8')]", "(1,)", b"12345678")),
        ('["array", 0]', npy("__import__('os').abort()", "(1,)", b"")),
        ('["array", 7]', b""),
        ('["generator", {"bit_generator": "test"}]', b""),
        ('["object", 0, "Handle"]', b""),
        ('["list", ' * 120 + "0" + "]" * 120, b""),
        ("[" * 100_000, b""),
        ("9" * 5000, b""),
        ('{"callback": 0}', b""),
        ('["dict", [[["list", []], 1]]]', b""),
        ('["set", [' + ",".join(map(str, range(10_001))) + "]]", b""),
        ("\ud800", b""),
    ],
    ids=range(15),
)
def test_a_forged_message_is_refused_and_runs_nothing(text, data):
    body = f"[{text}, [{len(data)}]]".encode("utf-8", "replace")
    with pytest.raises(wire.NotPlain):
        wire.unpack(body, data)


# Calls


@pytest.fixture(scope="module")
def notebook():
    made = Notebook(SMALL)
    yield made
    made.close()


def answer(notebook: Notebook, name: str, source: str) -> Answer:
    """Run a cell and return its function, to be called through the wall."""
    notebook.stops.clear()
    assert notebook.run(source, "cell 1") is None
    return Answer(notebook, name)


@needs_bwrap
def test_a_function_is_called_through_the_wall(notebook):
    double = answer(notebook, "double", "def double(x, times=2):\n    return times * x")
    np.testing.assert_array_equal(double(np.arange(3)), [0, 2, 4])
    assert double("ab", times=3) == "ababab"


@needs_bwrap
def test_a_given_function_stays_outside_and_is_called_back(notebook):
    seen = []

    def f(x):
        seen.append(x)
        return x + 1

    twice = answer(notebook, "twice", "def twice(f, x):\n    return f(f(x))")
    assert twice(f, 3) == 5 and seen == [3, 4]
    with pytest.raises(Exception, match="division by zero") as caught:
        twice(lambda x: 1 / x, 0)
    assert type(caught.value).__name__ == "ZeroDivisionError"


@needs_bwrap
def test_gradients_flow_back_through_a_given_function(notebook):
    source = (
        "import torch\n\ndef slope(f, x, y):\n    x = x.clone().requires_grad_()\n"
        "    (2 * f(x, y) ** 2).sum().backward()\n    return x.grad"
    )
    notebook.limits = SMALL._replace(seconds=20)
    notebook.close()
    slope = answer(notebook, "slope", source)
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    assert slope(lambda a, b: a * b, x, y).tolist() == [36.0, 128.0]  # 4 (x y) y
    with pytest.raises(Exception, match="does not require grad"):
        slope(lambda a, b: (a * b).detach(), x, y)


@needs_bwrap
def test_a_given_function_is_not_asked_for_millions_of_numbers(notebook):
    huge = answer(notebook, "huge", "def huge(f):\n    return f(10**12)")
    with pytest.raises(Exception, match="more than 4096 numbers"):
        huge(lambda n: np.zeros(n))


@needs_bwrap
def test_an_error_keeps_its_name_its_words_and_the_students_line(notebook):
    wrong = answer(notebook, "wrong", "def wrong(x):\n    return 1 / x")
    with pytest.raises(Exception, match="division by zero") as caught:
        wrong(0)
    assert type(caught.value).__name__ == "ZeroDivisionError"
    assert caught.value.where == "cell 1, line 2: return 1 / x"
    stub = answer(notebook, "stub", "def stub():\n    raise NotImplementedError")
    with pytest.raises(NotImplementedError):
        stub()


@needs_bwrap
def test_a_module_is_made_loaded_and_called_inside(notebook):
    source = (
        "import torch\n\nclass Net(torch.nn.Module):\n"
        "    def __init__(self, size):\n        super().__init__()\n"
        "        self.line = torch.nn.Linear(size, 2)\n\n"
        "    def forward(self, x):\n        return self.line(x).tanh()\n"
    )
    notebook.limits = SMALL._replace(seconds=20)
    notebook.close()
    make, x = answer(notebook, "Net", source), torch.randn(4, 3)
    net, own = make(3), torch.nn.Linear(3, 2)
    assert isinstance(net, Handle) and type(net).__name__ == "Net"
    net.load_state_dict({f"line.{k}": v for k, v in own.state_dict().items()})
    torch.testing.assert_close(net(x), own(x).tanh(), check_layout=False)
    assert set(net.state_dict()) == {"line.weight", "line.bias"}
    assert [p.shape for p in net.parameters()] == [(2, 3), (2,)]


@needs_bwrap
def test_of_many_objects_each_stays_itself(notebook):
    source = "def many(n):\n    return [lambda i=i: i for i in range(n)]"
    made = answer(notebook, "many", source)(1002)
    assert [made[i]() for i in (1001, 1000, 999)] == [1001, 1000, 999]
    with pytest.raises(Exception, match=r"^\d+$") as gone:
        made[0]()  # let go; no other takes its place
    assert type(gone.value).__name__ == "KeyError"


@needs_bwrap
def test_a_module_that_is_given_is_built_inside_with_its_weights(notebook):
    source = "def run(net, x):\n    net.eval()\n    return net(x)"
    notebook.limits = SMALL._replace(seconds=20)
    notebook.close()
    run, x = answer(notebook, "run", source), torch.randn(4, 3)
    net = torch.nn.Sequential(
        torch.nn.Linear(3, 5), torch.nn.Dropout(0.5), torch.nn.LayerNorm(5)
    )
    torch.testing.assert_close(run(net, x), net.eval()(x))


@needs_bwrap
def test_notebook_magic_and_the_checks_do_no_harm(notebook):
    source = "%matplotlib inline\nfrom course_lib.grading import check\ncheck(1, 2)\n"
    assert notebook.run(source + "!true\ndisplay(3)", "cell 2") is None


# What cannot be reached


def says(notebook: Notebook, source: str):
    """Run the lines of a function inside and return its value."""
    lines = "".join(f"    {line}\n" for line in source.splitlines())
    return answer(notebook, "f", f"def f():\n{lines}")()


@needs_bwrap
def test_there_are_no_files_but_python_and_scratch(notebook):
    here = Path(__file__)
    assert says(notebook, f"import os\nreturn os.path.exists({str(here)!r})") is False
    names = says(notebook, "import os\nreturn os.listdir('/home/student')")
    assert [name for name in names if not name.startswith(".")] == []
    for path in ("/usr/x", "/agent/x", "/x", f"{sys.prefix}/x", "/etc/x"):
        with pytest.raises(Exception, match="Read-only|Permission|No such"):
            says(notebook, f"open({path!r}, 'w')")
    assert says(notebook, "open('mine', 'w').write('abc')\nreturn open('mine').read()")


@needs_bwrap
def test_there_is_no_course_and_no_environment(notebook, monkeypatch):
    with pytest.raises(Exception, match="No module named"):
        says(notebook, "import course_lib.grading.checks")
    monkeypatch.setenv("A_SECRET", "1")
    fresh = Notebook(SMALL)
    try:
        assert "A_SECRET" not in says(fresh, "import os\nreturn dict(os.environ)")
    finally:
        fresh.close()


@needs_bwrap
def test_not_even_the_wall_itself_has_the_environment(monkeypatch):
    """An ordinary user's process can read that of bubblewrap, which is outside."""
    monkeypatch.setenv("A_SECRET", "1")
    assert "A_SECRET" not in agent_command(Limits(), False, [])[1]


def test_there_is_no_network(notebook):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(Exception, match="refused|unreachable"):
            call = f"socket.create_connection(('127.0.0.1', {port}), 2)"
            says(notebook, f"import socket\n{call}")


@needs_bwrap
def test_other_processes_are_out_of_sight_and_there_are_no_rights(notebook):
    pids = "[int(p) for p in os.listdir('/proc') if p.isdigit()]"
    assert len(says(notebook, f"import os\nreturn {pids}")) <= 4
    status = says(notebook, "return open('/proc/self/status').read()")
    assert "CapEff:\t0000000000000000" in status and "Uid:\t0\t" not in status


# Limits


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("while True: pass", "2 s of computing"),
        ("sum(range(10**13))", "2 s of computing"),
        ("import os\nos._exit(0)", "was ended"),
        ("import ctypes\nctypes.string_at(0)", "crashed"),
        ("import numpy\nreturn numpy.zeros(10**7)", "an answer of 76 MB"),
    ],
)
@needs_bwrap
def test_what_takes_too_much_is_stopped_and_the_rest_goes_on(notebook, source, why):
    notebook.limits = SMALL
    notebook.close()
    notebook.ran.clear()
    kept = answer(notebook, "kept", "def kept():\n    return 7")
    with pytest.raises(Stopped, match=why):
        says(notebook, source)
    assert kept() == 7  # in a new process


def test_a_cell_that_is_stopped_when_it_runs_again_takes_no_other_along(tmp_path):
    notebook = Notebook(SMALL, trusted=True, folder=str(tmp_path))
    once = "import os\nif os.path.exists('n'): os._exit(1)\nopen('n', 'w').close()"
    try:
        assert notebook.run(once, "cell 1") is None
        notebook.close()  # as after a stop
        kept = answer(notebook, "kept", "def kept():\n    return 7")
        assert kept() == 7
    finally:
        notebook.close()
    assert [why.partition(":")[0] for why in notebook.stops] == ["cell 1"]


@needs_bwrap
def test_a_process_that_is_closed_leaves_none_behind():
    inside = SandboxProcess(SMALL)
    pid = inside.process.pid
    inside.close()
    assert not Path(f"/proc/{pid}").exists()
