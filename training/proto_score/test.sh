#!/bin/sh
# Makes a virtual environment with everything pinned (6 GB of disk: PyPI's torch brings CUDA), and runs the tests
# of the recipe in it, on the processor. They need the built package, for `touchstone score`.
#   training/proto_score/test.sh [DIR of the environment]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:-${TMPDIR:-/tmp}/touchstone-proto-score}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --editable "$here[test]"
cd "$here"
"$venv/bin/python" -m pytest -q tests
