#!/bin/sh
# Makes the data, trains every variant of design.yaml and measures them on a test of a seed.
#   training/localised/make.sh DIR TEST_SEED [small]
# Needs the built package and Python with training/lab_proto_score/requirements.txt. What is there is not made
# again. small tries every step in a minute or two, and its numbers mean nothing.
set -eu
out=$1
seed=$2
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
if [ "${3:-whole}" = small ]; then
  train=60 dev=40
  few="--descriptions 4 --painters a,e"
  set -- --steps 4 --seeds 1
else
  train=4000 dev=300
  few=
  set --
fi
mkdir -p "$out"
[ -e "$out/train/data.json" ] || node "$here/looks.mjs" --out "$out/train" --scenes $train --seed localised-train
[ -e "$out/dev/data.json" ] || node "$here/looks.mjs" --out "$out/dev" --scenes $dev --seed localised-dev
$python "$here/train_answerer.py" --data "$out/train" --dev "$out/dev" --cache "$out/cache" --out "$out/trained" "$@"
# shellcheck disable=SC2086
node "$here/measure.mjs" --weights "$out/trained" --run "$out/test-$seed" --seed "$seed" $few
