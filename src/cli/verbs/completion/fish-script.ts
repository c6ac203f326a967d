import type { CompletionPlace } from "./completion-places.js";

/** Completion for fish 3 and later. */
export function fishScript(places: readonly CompletionPlace[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quotedForFish(path)]));
  const lines = places.flatMap(({ path, verbs, flags, takesFiles }) => {
    const start = `complete -c touchstone -n ${quotedForFish(`__touchstone_at ${quotedForFish(path)}`)}`;
    return [
      ...(takesFiles ? [] : [`${start} -f`]),
      ...verbs.map(({ word, about }) => `${start} -f -a ${word} -d ${quotedForFish(about)}`),
      ...flags.map(({ word, about, values }) => {
        const takes =
          values === undefined
            ? ""
            : values.length === 0
              ? " -r -F"
              : ` -x -a ${quotedForFish(values.join(" "))}`;
        return `${start} -l ${word.slice(2)}${takes} -d ${quotedForFish(about)}`;
      }),
    ];
  });
  return `# Completion of touchstone for fish. Made by: touchstone completion fish
function __touchstone_at
    set -l paths ${paths.join(" ")}
    set -l at
    for word in (commandline -opc)[2..]
        set -l next (string join ' ' -- $at $word)
        if contains -- $next $paths
            set at $next
        end
    end
    test "$at" = "$argv"
end
${lines.join("\n")}
`;
}

const quotedForFish = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
