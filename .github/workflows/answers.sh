#!/usr/bin/env bash
# Wait until a JupyterLab answers, two minutes at most.
for _ in $(seq 120); do
    curl --silent --fail --output /dev/null "$1/api" && echo "$1 answers" && exit 0
    sleep 1
done
echo "$1 does not answer" >&2
exit 1
