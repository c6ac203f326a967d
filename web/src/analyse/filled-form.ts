import type { TableGuess } from "../../../src/conclusions/guess-table.js";
import type { Filled } from "../../../src/core/options.js";
import { verbs } from "./verbs.js";

/** How a table is read: by which verb, its columns under which names, and its other flags. */
export interface FilledForm {
  readonly verb: string;
  /** Where a column has another name in the table. */
  readonly map: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, string | boolean>>;
}

/** The form as a guess fills it; a flag that must be given has its first choice. */
export function formOf(guess: TableGuess): FilledForm {
  const verb = verbs.find(({ name }) => name === guess.verb);
  const flags: Record<string, string | boolean> = {};
  for (const [name, flag] of Object.entries(verb?.flags ?? {})) {
    if (flag.kind === "choice" && flag.required === true) flags[name] = flag.choices[0] ?? "";
  }
  guess.flags.forEach((word, at) => {
    if (!word.startsWith("--")) return;
    const value = guess.flags[at + 1];
    flags[word.slice(2)] = value === undefined || value.startsWith("--") ? true : value;
  });
  return { verb: guess.verb, map: guess.map, flags };
}

/** Arguments of the verb. */
export const filledOf = ({ map, flags }: FilledForm): Filled => ({
  ...flags,
  map: Object.entries(map).flatMap(([name, column]) =>
    column === "" || column === name ? [] : [`${name}=${column}`],
  ),
});
