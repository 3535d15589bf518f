"""JupyterHub for a class. install.sh copies it to etc/; yours are in etc/local.py.

    sudo /srv/classroom/env/bin/jupyterhub -f /srv/classroom/etc/jupyterhub_config.py

docs/en/classroom.md (docs/zh/classroom.md) is the whole way.
"""

from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub defines it)

ROOT = Path(__file__).resolve().parents[1]
INSTRUCTOR = (ROOT / "cache").owner()
MEMORY, CPUS = "4G", 2.0  # a student; lesson 08 takes most of all: 3 GB

# Who comes in: the accounts of this machine that are in the group "classroom".
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {"classroom"}
c.PAMAuthenticator.open_sessions = False
c.PAMAuthenticator.allowed_users = {INSTRUCTOR}

# Only this machine: put a web server with HTTPS before it.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.db_url = f"sqlite:///{ROOT}/state/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = f"{ROOT}/state/cookie_secret"
c.ConfigurableHTTPProxy.command = [f"{ROOT}/etc/proxy"]
c.ConfigurableHTTPProxy.pid_file = f"{ROOT}/state/proxy.pid"

# The limits hold for all that a student runs, where systemd runs this machine.
# Elsewhere (a container), start-server sets what a single process may take.
c.Spawner.cmd = [f"{ROOT}/etc/start-server"]
# Seconds; a whole class logs in at once, and a busy machine is slow.
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
c.Spawner.environment = {"CLASSROOM_INSTRUCTOR": INSTRUCTOR, "CLASSROOM_MEMORY": MEMORY}
if Path("/run/systemd/system").is_dir():
    c.JupyterHub.spawner_class = "systemd"
    c.SystemdSpawner.mem_limit = MEMORY
    c.SystemdSpawner.cpu_limit = CPUS
    c.SystemdSpawner.isolate_tmp = True
else:
    c.JupyterHub.spawner_class = "localprocess"

LANGUAGES = {"en": "English", "zh": "中文"}


def languages(spawner) -> str:
    """Ask for the language, with what was chosen before in the first place."""
    last = (spawner.user_options or {}).get("language", "en")
    checked = {last: "checked"}
    return "<p>Lessons in / 课程语言</p>" + "".join(
        f'<p><label><input type="radio" name="language" value="{code}" '
        f"{checked.get(code, '')}> {name}</label></p>"
        for code, name in LANGUAGES.items()
    )


def chosen(form: dict[str, list[str]]) -> dict[str, str]:
    """Return the language of the form that was sent."""
    found = form.get("language", ["en"])[0]
    return {"language": found if found in LANGUAGES else "en"}


def in_that_language(spawner, options: dict[str, str]) -> None:
    """Open the first lesson in the student's language."""
    language = options.get("language", "en")
    spawner.environment |= {"CLASSROOM_LANGUAGE": language}
    spawner.default_url = f"/lab/tree/course/notebooks/{language}/00_start_here.ipynb"


c.Spawner.options_form = languages
c.Spawner.options_from_form = chosen
c.Spawner.apply_user_options = in_that_language

if (LOCAL := ROOT / "etc/local.py").exists():
    LOCAL.chmod(0o600)  # an editor may have made it anew, for everyone to read
    load_subconfig(str(LOCAL))  # noqa: F821
