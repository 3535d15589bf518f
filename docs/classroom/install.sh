#!/usr/bin/env bash
# Put the course where all accounts of a hub can read it; again after each update.
#
#     sudo docs/classroom/install.sh INSTRUCTOR [FOLDER]       FOLDER: /srv/classroom
#
# course/    the course without what students must not see (see HIDDEN)
# env/       its packages                                 everybody reads, root writes
# lessons/   what is copied into each home folder
# cache/     what lessons compute and download            … the instructor writes
# exchange/  nbgrader's: handed out, handed in, given back
#            root makes courses there, the instructor writes in this one
# etc/       settings; etc/local.py is yours and stays as it is: only root reads it
# state/     the hub's own secrets                        only root
#
# ENV=… and PROXY=… name an environment and a configurable-http-proxy that are there;
# PYTHON=… the Python to make an environment with.
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")" && pwd)
instructor=${1:?usage: install.sh INSTRUCTOR [FOLDER]}
root=${2:-/srv/classroom}
repository=$(git -C "$here" rev-parse --show-toplevel)
id "$instructor" >/dev/null  # an account of this machine
instructors_home=$(getent passwd "$instructor" | cut -d: -f6)
HIDDEN=(':!solutions' ':!source/assignments/*/notebook.py'
    ':!source/assignments/*/answers.py' ':!source/assignments/*/samples.toml' ':!tests')

# unpack FOLDER [PATHSPEC…]: git's files, in place of those that are there
unpack() {
    local target=$1; shift
    rm -rf "$target.new" && mkdir -p "$target.new"
    git -C "$repository" ls-files -z -- . "$@" |
        tar -c -C "$repository" --null --files-from=- | tar -x -C "$target.new"
    rm -rf "$target.old"
    if [ -e "$target" ]; then mv "$target" "$target.old"; fi
    mv "$target.new" "$target" && rm -rf "$target.old"
}

mkdir -p "$root/etc" "$root/state" "$root/exchange" "$root/cache"
chmod 700 "$root/state"
chmod 755 "$root/exchange"  # nobody makes a course of their own beside this one
mkdir -p "$root/exchange/text-representations"
chown -h "$instructor:" "$root/exchange/text-representations"  # not what a link names
[ -e "$root/etc/local.py" ] || (
    umask 077
    echo "# Yours, and read last: passwords may stand here; only root reads it." \
        >"$root/etc/local.py"
)
chmod 600 "$root/etc/local.py"
chown "$instructor:" "$root/cache"  # whose the cache is, is the instructor

echo "== the course, in $root/course"
unpack "$root/course" "${HIDDEN[@]}"
cp -r "$here/student" "$here/labconfig" "$here"/{jupyterhub_config,nbgrader_config,jupyter_server_config}.py \
    "$here/start-server" "$root/etc/"

echo "== the instructor's own copy, with the solutions, in $instructors_home/course"
unpack "$instructors_home/course"
chown -R "$instructor:" "$instructors_home/course"
chmod 700 "$instructors_home/course"

echo "== the packages, in ${ENV:-$root/env}"
if [ -z "${ENV:-}" ]; then
    [ -e "$root/env" ] || "${PYTHON:-python3}" -m venv "$root/env"
    runuser -u "$instructor" -- "$root/env/bin/python" -c "" || {
        echo "$(readlink -f "$root/env/bin/python") lies where only root can read." \
            "Delete $root/env and name another: PYTHON=/usr/bin/python3" >&2
        exit 1
    }
    # It looks at the machine first, and takes PyTorch without CUDA where no card is.
    "$root/env/bin/python" "$root/course/tools/install.py" --here
    "$root/env/bin/python" -m pip install --quiet --editable "$root/course[classroom]"
else
    ln -sfn "$ENV" "$root/env"
fi
"$root/env/bin/python" -m compileall -q "$root/course"/course_*  # nobody else can
if [ -z "${PROXY:-}" ]; then
    npm install --silent --prefix "$root/proxy" "configurable-http-proxy@^5"
    PROXY=$root/proxy/node_modules/.bin/configurable-http-proxy
fi
ln -sfn "$PROXY" "$root/etc/proxy"

echo "== the lessons, in $root/lessons"
[ -e "$root/lessons" ] || git init --quiet --initial-branch=main "$root/lessons"
(
    cd "$root/lessons"
    git ls-files -z | xargs -0 -r rm -f
    tar -c -C "$root/course" notebooks docs/en docs/zh | tar -x
    git add --all
    git diff --cached --quiet || git -c user.name=course -c user.email=course@localhost \
        commit --quiet --message "The course as of $(git -C "$repository" log -1 --format=%cs)"
    git bundle create --quiet "$root/lessons.bundle.new" main
    mv "$root/lessons.bundle.new" "$root/lessons.bundle"
)
