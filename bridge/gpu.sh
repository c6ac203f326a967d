#!/bin/sh
# The bridge beside an expert's loop and the network alone, in images a second, within four minutes on whatever card is
# there, or on processors (an idle machine has the time for all). Needs Python with the extra open-clip; downloads nothing.
#   bridge/gpu.sh [--architecture ViT-L-14] [--seconds 200]
set -eu
cd "$(dirname "$0")"
exec timeout 240 "${PYTHON:-python3}" -u measure.py "$@"
