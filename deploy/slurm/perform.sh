#!/bin/sh
# One job of an array: performs the part in its line of PARTS. sbatch --array=0-N perform.sh PARTS PERFORMERS
set -eu
part=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$1")
exec touchstone run perform "$part" --performers "$2"
