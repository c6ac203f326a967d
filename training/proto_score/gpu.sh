#!/bin/sh
# Measures a step, memory and the eye's share within four minutes on the machine that it finds: random weights of
# the 7B model's shape on a GPU (20 GB of its memory and more), a tiny model without one. Nothing is downloaded but by pip.
#   training/proto_score/gpu.sh [FILE for what it finds] [seconds]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PYTHONPATH="$here" exec timeout 240 "${PYTHON:-python3}" -u -m proto_score.command measure --out "${1:-measured.json}" --seconds "${2:-220}"
