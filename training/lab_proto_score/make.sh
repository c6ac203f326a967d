#!/bin/sh
# Makes all that train.py reads, trains and tries every variant, packs those that ship into DIR/weights, and
# writes the tables of docs/research/proto-score into DIR/tables.
# Needs the built package and Python with requirements.txt. What is there is not made again.
#   training/lab_proto_score/make.sh DIR TEST_SEED [small]
# small tries every step in a minute or two, and its numbers mean nothing.
set -eu
out=$1
seed=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
python=${PYTHON:-python3}
touchstone="node $root/bin/touchstone"
if [ "${3:-whole}" = small ]; then
  train=12 dev=6 test=6 train_scenes=20 scenes=10
  set -- --steps 4 --seeds 1
else
  train=1770 dev=320 test=400 train_scenes=3000 scenes=1000
  set --
fi

pairs() { # name, split, seed, prompts of each domain
  [ -e "$out/$1.pairs/export.json" ] && return
  $touchstone build --run "$out/$1" --domain "animals=$4" --domain "objects=$4" --split "$2" \
    --split-seed 21 --seed "$3" --drawable-by lab:painter
  $touchstone generate --run "$out/$1" --samples 1
  $touchstone export pairs "$out/$1" --split "$2" --out "$out/$1.pairs"
}
scenes() { # name, seed, scenes
  [ -e "$out/$1.scenes/data.json" ] && return
  node "$root/training/make-data.mjs" --out "$out/$1.scenes" --scenes "$3" --seed "proto-score-$2" --people 0
}
packed() { # variant, name of the weights, options
  variant=$1 name=$2
  shift 2
  $python "$here/export.py" "$out/trained/$variant-1.pt" --cache "$out/cache" --out "$out/weights" --as "$name" "$@"
}
mkdir -p "$out"
pairs train train 2101 "$train"
pairs dev human 2102 "$dev"
pairs test evaluation "$seed" "$test"
scenes train 2101 "$train_scenes"
scenes dev 2102 "$scenes"
scenes test "$seed" "$scenes"
[ -e "$out/cache/encoder/projections.npz" ] ||
  $python "$here/cut_encoder.py" "$root/packages/lab/weights/dual-encoder-skewed" --out "$out/cache/encoder"
$python "$here/train.py" --train "$out/train.pairs" --train-scenes "$out/train.scenes" \
  --dev "$out/dev.pairs" --dev-scenes "$out/dev.scenes" --test "$out/test.pairs" --test-scenes "$out/test.scenes" \
  --cache "$out/cache" --out "$out/trained" "$@"
packed grpo proto-score
for variant in triplets without-margin without-penalty logistic margin-loss; do
  packed $variant proto-score-$variant --shares proto-score
done
$python "$here/table.py" "$out/trained" "$seed" "$out/tables"
