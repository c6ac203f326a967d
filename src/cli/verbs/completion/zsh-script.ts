import type { CompletionPlace, CompletionWord } from "./completion-places.js";
import { quoted } from "./quoted.js";

/** Completion for zsh, as a file _touchstone in a folder of $fpath or read by `source`. */
export function zshScript(places: readonly CompletionPlace[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quoted(path)]));
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ word, values }) => {
      if (values === undefined) return [];
      const offer = values.length === 0 ? "_files" : `compadd -- ${values.map(quoted).join(" ")}`;
      return [`    ${quoted(`${path} ${word}`)}) ${offer}; return ;;`];
    }),
  );
  const words = places.map(({ path, verbs, flags, takesFiles }) =>
    [
      `    ${quoted(path)})`,
      `      verbs=(${described(verbs)})`,
      `      flags=(${described(flags)})`,
      `      files=${takesFiles ? 1 : 0} ;;`,
    ].join("\n"),
  );
  return `#compdef touchstone
# Completion of touchstone for zsh. Made by: touchstone completion zsh
_touchstone() {
  local at="" next i files=0
  local -a verbs flags
  for ((i = 2; i < CURRENT; i++)); do
    next="\${at:+$at }\${words[i]}"
    case "$next" in
      ${paths.join("|")}) at="$next" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" != -* && \${#verbs} -gt 0 ]]; then
    _describe verb verbs
  elif [[ "\${words[CURRENT]}" != -* && $files -eq 1 ]]; then
    _files
  else
    _describe -o flag flags
  fi
}
if [[ "\${funcstack[1]}" == _touchstone ]]; then _touchstone "$@"; else compdef _touchstone touchstone; fi
`;
}

/** A colon parts a word from what it is. */
const described = (words: readonly CompletionWord[]): string =>
  words.map(({ word, about }) => quoted(`${word}:${about}`)).join(" ");
