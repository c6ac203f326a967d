import { InputError, UnknownColumns } from "../core/errors.js";
import { shellWord } from "../core/shell-word.js";
import {
  answer,
  type ColumnKind,
  isNotAvailable,
  numeric,
  probability,
  text,
} from "../tables/columns.js";
import { isAnswerItem, listColumn } from "../tables/list-column.js";
import { knownAs } from "../tables/other-names.js";
import { raterColumns } from "../tables/rater-names.js";
import {
  conclusions,
  type SeenColumns,
  type TellingKind,
  type Tells,
  verbWords,
} from "./conclusions.js";
import { pairedColumns } from "./pair-columns.js";
import { preferredSide } from "./preferred-side.js";

/** One way to read a table. */
export interface TableGuess {
  /** The verb of `analyze` that reads it so, or `compare`. */
  readonly verb: string;
  /** Columns under other names than the verb's, as `--map correct=score_right` gives them. */
  readonly map: Readonly<Record<string, string>>;
  /** Further words of the command line that read it: `["--wide"]`. */
  readonly flags: readonly string[];
}

type Fits = (column: string, kind: TellingKind) => boolean;

/** How cells are read to see whether a column is of a kind. */
const kinds: Readonly<Record<TellingKind, Pick<ColumnKind<unknown>, "read">>> = {
  text,
  number: numeric,
  answer,
  probability,
  probabilities: listColumn({ isItem: isAnswerItem, expected: "" }),
  // A word that says a side by itself, as published tables have it.
  side: {
    read(cell, about) {
      const read = text.read(cell, about);
      const word = "value" in read && !isNotAvailable(read.value) ? read.value : "tie";
      return preferredSide(word, {}) === undefined ? { expected: "" } : read;
    },
  },
};

const columnCount = ({ columns = {} }: Tells) => Object.keys(columns).length;

/** Those that know the most columns come first. */
const known = conclusions
  .flatMap(({ name, tells }) => (tells === undefined ? [] : [[name, tells] as const]))
  .sort(([, a], [, b]) => columnCount(b) - columnCount(a));

/**
 * Guesses which conclusions a table holds from its columns and some rows, the likeliest first: long
 * tables under the verbs' own or other names, and wide ones (two columns a metric, a column a rater,
 * a column of ratings beside metrics). Of several the one that knows the most columns comes first. A person
 * corrects it: names alone prove nothing.
 *
 * @param rows some of the table's rows, by its own columns: what is no number is no score.
 * @example
 * (await guessTable(["id", "metric", "domain", "right", "wrong"], []))[0]
 * // { verb: "contrastive", map: { correct: "right", adversarial: "wrong" }, flags: [] }
 */
export async function guessTable(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<TableGuess[]> {
  const fits: Fits = (column, kind) =>
    rows.every((row) => {
      const cell = row[column] ?? "";
      return cell === "" || "value" in kinds[kind].read(cell, { isText: true });
    });
  const long = known.flatMap(([verb, tells]): TableGuess[] => {
    const map = mapped(columns, tells, fits);
    if (map === undefined) return [];
    const flags = tells.flags?.((column, kind) => fits(map[column] ?? column, kind)) ?? [];
    return [{ verb, map, flags }];
  });
  const seen = seenColumns(
    columns,
    columns.filter((column) => fits(column, "number")),
  );
  const wide = known.flatMap(([verb, { sideBySide }]): TableGuess[] => {
    const flags = sideBySide?.(seen);
    return flags === undefined ? [] : [{ verb, map: {}, flags }];
  });
  const isOwn = ({ map }: TableGuess) => Object.keys(map).length === 0;
  return [...long.filter(isOwn), ...wide, ...long.filter((one) => !isOwn(one))];
}

const seenColumns = (columns: readonly string[], numbers: readonly string[]): SeenColumns => ({
  columns,
  numbers,
  raters: raterColumns(numbers, []),
  arePaired: (...sides) =>
    [...pairedColumns(numbers, sides).values()].some((pair) =>
      pair.every(({ length }) => length > 0),
    ),
});

/** Which columns stand for the ones wanted, no column for two; undefined where one is missing. */
function mapped(
  columns: readonly string[],
  { columns: wanted }: Tells,
  fits: Fits,
): Record<string, string> | undefined {
  if (wanted === undefined) return undefined;
  const free = new Set(columns.filter((column) => !Object.hasOwn(wanted, column)));
  const map: Record<string, string> = {};
  for (const [target, kind] of Object.entries(wanted)) {
    if (columns.includes(target) && fits(target, kind)) continue;
    const found = knownAs(target, free).find((column) => fits(column, kind));
    if (found === undefined) return undefined;
    free.delete(found);
    map[target] = found;
  }
  return map;
}

/**
 * Adds to an error about columns that say nothing to a verb which command reads them, if one does.
 *
 * @param given the words of the command that failed: it is not named again.
 */
export async function withReader(error: unknown, given: readonly string[] = []): Promise<unknown> {
  if (!(error instanceof UnknownColumns)) return error;
  const [guess] = await guessTable(error.columns, []);
  const listed = conclusions.find(({ name }) => name === guess?.verb);
  if (guess === undefined || listed === undefined) return error;
  const isGiven = (word: string) => given.includes(word);
  if ([...verbWords(listed), ...guess.flags].every(isGiven)) return error;
  const words = [
    ...["touchstone", ...verbWords(listed), "FILE"],
    ...guess.flags,
    ...Object.entries(guess.map).flatMap(([to, from]) => ["--map", `${to}=${from}`]),
  ];
  const hint = `Such columns are read by: ${words.map(shellWord).join(" ")}`;
  return new InputError(error.message, { hint, cause: error });
}
