import { append } from "../../core/arrays.js";
import {
  type Argument,
  type Arguments,
  type Given,
  looksLikeFlag,
  type Positional,
} from "../../core/options.js";

/**
 * The words of a command line that give what was given: those without a flag first, then flags in the
 * order of declaration, without what the default is anyway. `parseArguments` reads them back as the same.
 *
 * @param inFull flags that are said even where they are the default.
 * @example argumentWords(tieArguments, { "tie-tolerance": 0.1 }) // ["--tie-tolerance", "0.1"]
 */
export function argumentWords<Declared extends Arguments>(
  declared: Declared,
  given: Given<Declared>,
  inFull: readonly (keyof Declared)[] = [],
): string[] {
  const loose: string[] = [];
  const flagged: string[] = [];
  for (const [name, argument] of Object.entries(declared)) {
    const value = given[name];
    if (argument.kind === "positional") append(loose, valuesOf(value).map(String));
    else append(flagged, flagWords(name, argument, value, inFull.includes(name)));
  }
  // What would be taken for a flag can only stand behind --, and so at the end.
  return loose.some(looksLikeFlag) ? [...flagged, "--", ...loose] : [...loose, ...flagged];
}

function flagWords(
  name: string,
  flag: Exclude<Argument, Positional>,
  value: unknown,
  isInFull: boolean,
): string[] {
  if (flag.kind === "switch") return value === true ? [`--${name}`] : [];
  const values = valuesOf(value);
  if (!isInFull && values.length === 1 && values[0] === flag.default) return [];
  return values.flatMap((one) => {
    const word = String(one);
    return looksLikeFlag(word) ? [`--${name}=${word}`] : [`--${name}`, word];
  });
}

const valuesOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
