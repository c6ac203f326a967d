#!/bin/sh
# Makes all that train.py reads, and trains and tries every variant. Needs the built package and Python with
# torch, onnx, onnxruntime, numpy, pillow and pyyaml. What is there is not made again.
#   training/lab_proto_score/make.sh DIR TEST_SEED
set -eu
out=$1
seed=$2
here=$(dirname "$0")
root=$here/../..
python=${PYTHON:-python3}
touchstone="node $root/bin/touchstone"

pairs() { # name, split, seed, prompts of each domain
  [ -e "$out/$1.pairs/export.json" ] && return
  $touchstone build --run "$out/$1" --domain "animals=$4" --domain "objects=$4" --split "$2" \
    --split-seed 21 --seed "$3" --drawable-by lab:painter
  $touchstone generate --run "$out/$1" --samples 1
  $touchstone export pairs "$out/$1" --split "$2" --out "$out/$1.pairs"
}
scenes() { # name, seed, scenes
  [ -e "$out/$1.scenes/types-000.u8" ] && return
  node "$root/training/make-data.mjs" --out "$out/$1.scenes" --scenes "$3" --seed "proto-score-$2" --people 0
}
mkdir -p "$out"
pairs train train 2101 1770
pairs dev human 2102 320
pairs test evaluation "$seed" 400
scenes train 2101 3000
scenes dev 2102 1000
scenes test "$seed" 1000
[ -e "$out/cache/encoder/projections.npz" ] ||
  $python "$here/cut_encoder.py" "$root/weights/dual-encoder-skewed" --out "$out/cache/encoder"
$python "$here/train.py" --train "$out/train.pairs" --train-scenes "$out/train.scenes" \
  --dev "$out/dev.pairs" --dev-scenes "$out/dev.scenes" --test "$out/test.pairs" --test-scenes "$out/test.scenes" \
  --cache "$out/cache" --out "$out/trained"
