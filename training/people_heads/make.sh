#!/bin/sh
# Paints the data, trains both heads and packs them into DIR/weights.
#   training/people_heads/make.sh DIR [small]
# Needs the built package and Python with training/lab_proto_score/requirements.txt. What is there is not made again.
# small tries every step in a minute or two, and its numbers mean nothing.
set -eu
out=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
python=${PYTHON:-python3}
if [ "${2:-whole}" = small ]; then
  train=120 dev=80
  set -- --steps 4
else
  train=20000 dev=1500
  set --
fi
types=statement,statement,statement,statement,statement,statement,group,group,group,group,sign,sign,sign,sign
types=$types,attribute,attribute,profession,age,gender,skin,hair,count,count,colour,side,depth
paint() { # name, scenes
  [ -e "$out/data/$1/data.json" ] || node "$root/training/make-data.mjs" --out "$out/data/$1" --scenes "$2" \
    --seed "people-heads-$1" --workers 1 --people 1 --mix 3,3,0,4 --ask "$types"
}
head() { # eyes, name, options of the training
  eyes=$root/packages/lab/weights/$1 name=$2
  shift 2
  $python "$here/features.py" "$eyes" --data "$out/data/dev" "$out/data/train" --cache "$out/cache"
  $python "$here/train.py" "$eyes" --as "$name" --data "$out/data/train" --dev "$out/data/dev" --cache "$out/cache" --out "$out/heads" "$@"
  $python "$here/export.py" "$out/heads/$name.pt" --cache "$out/cache" --data "$out/data/train" --dev "$out/data/dev" --out "$out/weights"
}
paint train $train
paint dev $dev
head vqa vqa-people "$@"
head vqa-small filter-people "$@"
