#!/bin/sh
# Collects a run by arrays of jobs: sh run.sh RUN EXCHANGE, on a node that may submit. EXCHANGE is a folder that all
# nodes mount. It submits the parts of what can be asked now as one array and, once all have ended well, itself again.
# PERFORMERS is how many parts are performed at once; each takes its share of calls a minute.
set -eu
run=$1
exchange=$2
here=${TOUCHSTONE_SLURM:-$(cd "$(dirname "$0")" && pwd)}
performers=${PERFORMERS:-8}
mkdir -p "$exchange"
if [ -e "$exchange/plan.json" ]; then touchstone run finish "$run" --exchange "$exchange"; fi
touchstone run plan "$run" --exchange "$exchange" --json >"$exchange/planned.json"
node -p 'JSON.parse(fs.readFileSync(0, "utf8")).parts.join("\n")' <"$exchange/planned.json" >"$exchange/parts.txt"
count=$(grep -c . "$exchange/parts.txt" || true)
if [ "$count" -eq 0 ]; then
  touchstone run resume "$run"
  exit
fi
array=$(sbatch --parsable --job-name=touchstone --array="0-$((count - 1))%$performers" --cpus-per-task=2 \
  "$here/perform.sh" "$exchange/parts.txt" "$performers")
TOUCHSTONE_SLURM=$here sbatch --job-name=touchstone-plan --dependency="afterok:$array" --export=ALL \
  "$here/run.sh" "$run" "$exchange"
