"""A classroom for tests: docs/classroom installed in a folder, accounts, a hub.

All of it is real: accounts of this machine (removed afterwards), PAM and passwords,
JupyterHub and its proxy, nbgrader's exchange, the grader's sandbox.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

COURSE = Path(__file__).resolve().parents[2]
INSTRUCTOR = "trc-ada"
STUDENTS = ("trc-ann", "trc-bo", "trc-cui")
GROUP, PASSWORD = "trc-class", "only for this test 9"
PROXY = "configurable-http-proxy"
# Python's own folder may be closed to others (/root); the hub sees it opened.
OPENED = """
set -e; closed=$1 store=$2; shift 2
while [ "$1" != -- ]; do
    mkdir -p "$store$1"; mount --bind "$1" "$store$1"; all="$all $1"; shift
done; shift
[ -z "$closed" ] || mount -t tmpfs -o mode=755 none "$closed"
for one in $all; do mkdir -p "$one"; mount --bind "$store$one" "$one"; done
exec "$@"
"""


def proxy() -> str | None:
    """Return where the hub's proxy is, if it is anywhere."""
    places = [str(COURSE / "build/proxy/node_modules/.bin"), os.environ["PATH"]]
    return shutil.which(PROXY, path=os.pathsep.join(places))


def closed(path: Path) -> Path | None:
    """Return the first folder above a path into which not everybody may go."""
    above = [*reversed(path.parents), path]
    return next((one for one in above if not one.stat().st_mode & 0o001), None)


def as_root(*command: str, **options) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", **options)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Hub:
    """A running hub; `folder` is what the page calls /srv/classroom."""

    def __init__(self, folder: Path):
        self.folder, self.homes = folder / "classroom", folder / "home"
        with contextlib.ExitStack() as open_now:
            sockets = [open_now.enter_context(socket.socket()) for _ in range(3)]
            for one in sockets:
                one.bind(("127.0.0.1", 0))
            self.port, api, hub = (one.getsockname()[1] for one in sockets)
        self.address = f"http://127.0.0.1:{self.port}"
        self.local = (
            f"c.JupyterHub.bind_url = {self.address!r}\n"
            f"c.JupyterHub.hub_port = {hub}\n"
            f"c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{api}'\n"
            f"c.PAMAuthenticator.allowed_groups = {{{GROUP!r}}}\n"
            "c.Spawner.start_timeout = c.Spawner.http_timeout = 900\n"
        )

    def install(self) -> None:
        """Make accounts; follow the page."""
        self.homes.mkdir(parents=True)
        as_root("groupadd", GROUP)
        for name in (INSTRUCTOR, *STUDENTS):
            home = self.homes / name
            as_root("useradd", "-m", "-d", str(home), "-s", "/bin/bash", name)
            as_root("usermod", "-aG", GROUP, name)
            as_root("chpasswd", input=f"{name}:{PASSWORD}\n")
        as_root(
            str(COURSE / "docs/classroom/install.sh"), INSTRUCTOR, str(self.folder),
            env={**os.environ, "ENV": sys.prefix, "PROXY": proxy()},
        )  # fmt: skip
        (self.folder / "etc/local.py").write_text(self.local)
        # All cells are on the page, also those that nobody has scrolled to.
        path = self.folder / "etc/labconfig/default_setting_overrides.json"
        settings = json.loads(path.read_text())
        tracker = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}
        path.write_text(json.dumps(settings | tracker))

    def start(self) -> None:
        """Start the hub and wait until it answers."""
        prefixes = {sys.base_prefix, sys.prefix}
        shut = {closed(Path(prefix)) for prefix in prefixes} - {None}
        inside = [p for p in prefixes if any(Path(p).is_relative_to(s) for s in shut)]
        assert len(shut) < 2, shut
        store = str(self.folder.parent / "opened")
        wall = ["unshare", "--mount", "--propagation", "private", "sh", "-c", OPENED]
        wall += ["sh", *(map(str, shut or [""])), store, *inside, "--"]
        config = self.folder / "etc/jupyterhub_config.py"
        self.log = self.folder.parent / "hub.log"
        own = ("COURSE_", "NLTK_", "PYTEST", "PYTHONPATH")  # the hub sets its own
        env = {k: v for k, v in os.environ.items() if not k.startswith(own)}
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [*wall, sys.executable, "-m", "jupyterhub", "-f", str(config)],
                stdout=log, stderr=log, env=env,
                cwd=self.folder / "state", start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + 300
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.address}/hub/login").read()
                return
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.3)

    def said(self) -> str:
        return self.log.read_text()[-4000:]

    def home(self, name: str) -> Path:
        return self.homes / name

    def run(self, name: str, command: str, folder: Path | None = None):
        """Run a shell command as an account, where the hub runs; return the process."""
        lines = (
            f"cd {folder or self.home(name)}; umask 077; "
            f"export PATH={self.folder}/env/bin:$PATH PYTHONPATH=~/course "
            f"JUPYTER_CONFIG_PATH={self.folder}/etc OMP_NUM_THREADS=1; {command}"
        )
        return subprocess.run(
            ["nsenter", f"--mount=/proc/{self.process.pid}/ns/mnt",
             "runuser", "-u", name, "--", "env", "-i", f"HOME={self.home(name)}",
             f"USER={name}", "LANG=C.UTF-8", f"PATH={os.environ['PATH']}",
             "bash", "-c", lines],
            capture_output=True, encoding="utf-8",
        )  # fmt: skip

    def stop(self) -> None:
        """End the hub, all that runs in the accounts, and the accounts."""
        if hasattr(self, "process"):
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
            self.process.kill()
        for name in (INSTRUCTOR, *STUDENTS):
            subprocess.run(["pkill", "-KILL", "-u", name], capture_output=True)
            subprocess.run(["userdel", "-r", "-f", name], capture_output=True)
        subprocess.run(["groupdel", GROUP], capture_output=True)


@contextlib.contextmanager
def running():
    """Install and start a hub in a folder of its own; leave nothing behind."""
    folder = Path(tempfile.mkdtemp(prefix="classroom-"))
    folder.chmod(0o755)
    hub = Hub(folder)
    hub.stop()  # what a test that was killed left behind
    try:
        hub.install()
        hub.start()
        yield hub
    finally:
        hub.stop()
        shutil.rmtree(folder, ignore_errors=True)
