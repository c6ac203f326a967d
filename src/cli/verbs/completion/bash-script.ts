import type { CompletionPlace } from "./completion-places.js";
import { quoted } from "./quoted.js";

/** Completion for bash 3.2 and later. Where nothing is offered, bash completes file names itself. */
export function bashScript(places: readonly CompletionPlace[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quoted(path)]));
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ word, values }) =>
      values === undefined
        ? []
        : [`    ${quoted(`${path} ${word}`)}) offer ${quoted(values.join(" "))}; return ;;`],
    ),
  );
  const words = places.map(({ path, verbs, flags, takesFiles }) => {
    const [named, flagged] = [verbs, flags].map((each) => each.map(({ word }) => word).join(" "));
    // Where no file is wanted, flags are offered before a dash is typed.
    const first = takesFiles ? "" : named !== "" ? named : flagged;
    return `    ${quoted(path)}) verbs=${quoted(first ?? "")} flags=${quoted(flagged ?? "")} ;;`;
  });
  return `# Completion of touchstone for bash. Made by: touchstone completion bash
_touchstone() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at="" next i verbs flags
  offer() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in
      ${paths.join("|")}) at="$next" ;;
    esac
  done
  COMPREPLY=()
  case "$at $before" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  if [[ "$word" == -* ]]; then offer "$flags"; else offer "$verbs"; fi
}
complete -o default -F _touchstone touchstone
`;
}
