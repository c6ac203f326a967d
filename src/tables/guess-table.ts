import { answer, type ColumnKind, numeric, oneOf, probability, text } from "./columns.js";
import { isAnswerItem, listColumn } from "./list-column.js";
import { knownAs } from "./other-names.js";
import { raterColumns } from "./rater-names.js";

/** One way to read a table. */
export interface TableGuess {
  /** The verb of `analyze` that reads it so, or `compare`. */
  readonly verb: string;
  /** Columns under other names than the verb's, as `--map correct=score_right` gives them. */
  readonly map: Readonly<Record<string, string>>;
  /** Further words of the command line that read it: `["--wide"]`. */
  readonly flags: readonly string[];
}

type Kinds = Readonly<Record<string, ColumnKind<unknown>>>;

/** Columns that each verb must find, the most telling verb first. */
const shapes: Readonly<Record<string, Kinds>> = {
  stereotypes: {
    query: text,
    category: text,
    model: text,
    phase: text,
    imageSet: text,
    item: text,
    present: answer,
  },
  attributes: { image: text, entity: text, attribute: text, kind: text, probability },
  ensemble: {
    id: text,
    split: text,
    probabilities: listColumn({ isItem: isAnswerItem, expected: "", isRequired: true }),
  },
  significance: { id: text, method: text, label: answer, probability },
  contrastive: { id: text, metric: text, domain: text, correct: numeric, adversarial: numeric },
  swap: { id: text, metric: text, original: numeric, swapped: numeric },
  preferences: {
    a: text,
    b: text,
    preferred: oneOf(["a", "b", "A", "B", "tie", "Tie", "TIE", "NA"]),
  },
  calibration: { id: text, label: answer, probability },
  agreement: { item: text, annotator: text, value: text },
  compare: { model: text, prompt: text, score: numeric },
};

/** The columns that a verb must find, such as `["item", "annotator", "value"]`; none if it has no shape. */
export const columnsOf = (verb: string): readonly string[] => Object.keys(shapes[verb] ?? {});

/**
 * Guesses which conclusions a table holds from its columns and some rows, the likeliest first: long
 * tables under the verbs' own or other names, and wide ones (two columns a metric, a column a rater,
 * a column of ratings beside metrics). A person corrects it: names alone prove nothing.
 *
 * @param rows some of the table's rows, by its own columns: what is no number is no score.
 * @example
 * guessTable(["id", "metric", "domain", "right", "wrong"], [])[0]
 * // { verb: "contrastive", map: { correct: "right", adversarial: "wrong" }, flags: [] }
 */
export function guessTable(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): TableGuess[] {
  const fits = (column: string, kind: ColumnKind<unknown>) =>
    rows.every((row) => {
      const cell = row[column] ?? "";
      return cell === "" || "value" in kind.read(cell, { isText: true });
    });
  const needed = (verb: string, { value = "value" }: Readonly<Record<string, string>>) =>
    verb === "agreement" ? ["--scale", fits(value, numeric) ? "ordinal" : "nominal"] : [];
  const long = Object.entries(shapes).flatMap(([verb, kinds]) => {
    const map = mapped(columns, kinds, fits);
    return map === undefined ? [] : [{ verb, map, flags: needed(verb, map) }];
  });
  const isOwn = ({ map }: TableGuess) => Object.keys(map).length === 0;
  const numbers = columns.filter((column) => fits(column, numeric));
  return [...long.filter(isOwn), ...wide(columns, numbers), ...long.filter((one) => !isOwn(one))];
}

/** Which columns stand for the ones wanted, no column for two; undefined where one is missing. */
function mapped(
  columns: readonly string[],
  kinds: Kinds,
  fits: (column: string, kind: ColumnKind<unknown>) => boolean,
): Record<string, string> | undefined {
  const free = new Set(columns.filter((column) => !Object.hasOwn(kinds, column)));
  const map: Record<string, string> = {};
  for (const [target, kind] of Object.entries(kinds)) {
    if (columns.includes(target) && fits(target, kind)) continue;
    const found = knownAs(target, free).find((column) => fits(column, kind));
    if (found === undefined) return undefined;
    free.delete(found);
    map[target] = found;
  }
  return map;
}

function wide(columns: readonly string[], numbers: readonly string[]): TableGuess[] {
  const sided = (side: string) =>
    new Set(
      numbers.flatMap((column) => {
        const rest = column
          .toLowerCase()
          .replace(side, "")
          .replace(/^[-_. ]+|[-_. ]+$/g, "");
        return column.toLowerCase().includes(side) && rest !== "" ? [rest] : [];
      }),
    );
  const pairs = (one: string, other: string) =>
    [...sided(one)].some((metric) => sided(other).has(metric));
  const raters = raterColumns(numbers, []);
  const known = ["id", "prompt", ...raters];
  const guesses: TableGuess[] = [];
  const add = (verb: string, flags: string[]) => guesses.push({ verb, map: {}, flags });
  if (pairs("correct", "adversarial")) add("contrastive", ["--wide"]);
  if (pairs("original", "swapped")) add("swap", ["--wide"]);
  if (raters.length > 1) add("agreement", ["--scale", "ordinal", "--raters", raters.join(",")]);
  const metrics = numbers.filter((column) => !known.includes(column) && column !== "rating");
  const human = columns.includes("rating") ? "rating" : raters.join(",");
  if (human !== "" && metrics.length > 0) add("correlation", ["--human", human]);
  return guesses;
}
