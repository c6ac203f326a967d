#!/usr/bin/env bash
# Compares image models with a baseline: writes a comment, the step's summary and a report, and exits as
# touchstone compare does: 0 passed, 4 a gate missed. Works in any pipeline; docs/gate.md says how.
set -euo pipefail

folder="${GATE_FOLDER:-touchstone-gate}"
comment="$folder/comment.md"
mkdir -p "$folder"
if [[ -n "${GITHUB_ACTIONS:-}" ]]; then
  # Names of models stand in what is printed: until the end no line of it is a command to the workflow.
  word="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  echo "::stop-commands::$word"
  trap 'echo "::$word::"' EXIT
fi
# Words of a command are parted at spaces, as one would type them; nothing in them is run.
read -r -a touchstone <<<"${GATE_COMMAND:-npx --yes touchstone-t2i@0.3.0}"
read -r -a more <<<"${GATE_ARGUMENTS:-}"
read -r -a score_more <<<"${GATE_SCORE_ARGUMENTS:-}"
read -r -a self <<<"${GATE_SELF:-}"

finish() { # OUTCOME EXIT_CODE
  if [[ -n "${GITHUB_OUTPUT:-}" ]]; then
    printf 'outcome=%s\ncomment=%s\nreport=%s\n' "$1" "$comment" "$folder" >>"$GITHUB_OUTPUT"
  fi
  if [[ -n "${GITHUB_STEP_SUMMARY:-}" && -f "$comment" ]]; then cat "$comment" >>"$GITHUB_STEP_SUMMARY"; fi
  exit "$2"
}

table="${GATE_TABLE:-}"
has_defect=no
if [[ -n "${GATE_FAIL_ON:-}" ]]; then
  if [[ -z "${GATE_IMAGES:-}" ]]; then
    echo "Expected images for GATE_FAIL_ON (input fail-on) but received a table, whose metrics nobody checked" >&2
    finish failed 2
  fi
  score_more+=("--fail-on=$GATE_FAIL_ON")
fi
if [[ -n "${GATE_IMAGES:-}" ]]; then
  table="$folder/scores.jsonl"
  code=0
  "${touchstone[@]}" score "$GATE_IMAGES" --out "$table" ${score_more[@]+"${score_more[@]}"} || code=$?
  # A defect misses the gate; what was scored is compared all the same.
  if [[ $code -eq 4 ]]; then has_defect=yes; elif [[ $code -ne 0 ]]; then finish failed "$code"; fi
fi
if [[ -z "$table" ]]; then
  echo "Expected a table or images but received neither: set GATE_TABLE (input table) or GATE_IMAGES (images)" >&2
  finish failed 2
fi

baseline="${GATE_BASELINE:-}"
gate=()
if [[ -n "$baseline" && ! -f "$baseline" ]]; then
  # Without a baseline no change can be judged: nothing is gated.
  is_missing=yes
else
  is_missing=no
  if [[ -n "$baseline" ]]; then gate+=(--baseline "$baseline"); fi
  if [[ -n "${GATE_NOT_WORSE:-}" ]]; then gate+=("--not-worse=$GATE_NOT_WORSE"); fi
  for file in ${self[@]+"${self[@]}"}; do gate+=(--self "$file"); done
  if [[ -n "${GATE_GATE:-}" ]]; then gate+=("--gate=$GATE_GATE"); fi
  if [[ -n "${GATE_IMAGES_AT:-}" ]]; then gate+=("--images-at=$GATE_IMAGES_AT"); fi
  if [[ -n "${GATE_FAIL_UNDER:-}" ]]; then gate+=("--fail-under=$GATE_FAIL_UNDER"); fi
fi

compare() { "${touchstone[@]}" compare "$table" ${gate[@]+"${gate[@]}"} ${more[@]+"${more[@]}"} "$@"; }

code=0
compare --out "$comment" || code=$?
if [[ $code -ne 0 && $code -ne 4 ]]; then finish failed "$code"; fi
# The same conclusion as a page, and as the next baseline; a missed gate was said already.
compare --out "$folder/report.html" >/dev/null 2>&1 || [[ $? -eq 4 ]] || finish failed 1
compare --out "$folder/accepted.json" >/dev/null 2>&1 || [[ $? -eq 4 ]] || finish failed 1

if [[ $has_defect == yes ]]; then
  printf '\n**Gate missed**: a model is blind, a metric has a defect, or nothing was checked. The output of this step says which.\n' |
    tee -a "$comment" >&2
  finish missed 4
fi
if [[ $is_missing == yes ]]; then
  printf '\n**No baseline**: there is no file `%s`, so nothing was gated. Keep accepted.json of this report as it.\n' \
    "$baseline" | tee -a "$comment" >&2
  if [[ "${GATE_MISSING_BASELINE:-warn}" == fail ]]; then finish no-baseline 2; fi
  finish no-baseline 0
fi
if [[ $code -eq 4 ]]; then finish missed 4; fi
finish passed 0
