#!/bin/sh
# Makes a virtual environment with everything pinned (6 GB of disk: PyPI's torch brings CUDA), runs the tests
# of the recipe in it, on the processor, and makes the lab's ProtoScore, its answerers of localised images and its
# heads for signs whole at a small size. All need the built package.
#   training/proto_score/test.sh [DIR of the environment]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:-${TMPDIR:-/tmp}/touchstone-proto-score}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --editable "$here[test]" --requirement "$here/../lab_proto_score/requirements.txt"
cd "$here"
"$venv/bin/python" -m pytest -q tests
lab=$(mktemp -d)
trap 'rm -rf "$lab"' EXIT
PYTHON="$venv/bin/python" sh "$here/../lab_proto_score/make.sh" "$lab" 1 small
PYTHON="$venv/bin/python" sh "$here/../localised/make.sh" "$lab/localised" 1 small
PYTHON="$venv/bin/python" sh "$here/../people_heads/make.sh" "$lab/people" small
