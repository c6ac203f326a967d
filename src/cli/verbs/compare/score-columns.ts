import { InputError } from "../../../core/errors.js";
import { shellWord } from "../../../core/shell-word.js";
import { knownAs } from "../../../tables/other-names.js";
import { isIdentifier, raterColumns } from "../../../tables/rater-names.js";

/** A model and the column that holds its scores. */
export interface ModelColumn {
  readonly model: string;
  readonly column: string;
}

/**
 * Reads what was given for --scores or --humans: `MODEL=COLUMN,…`, or a column that is called as its
 * model.
 *
 * @throws InputError for another form, and for a model or a column given twice.
 * @example parseModelColumns("A=score_a,b", "scores")
 *   // [{ model: "A", column: "score_a" }, { model: "b", column: "b" }]
 */
export function parseModelColumns(text: string, flag: string): ModelColumn[] {
  const found = text.split(",").map((part): ModelColumn => {
    const [, model = "", column = ""] = /^([^=]+)=(.+)$/.exec(part) ?? ["", part, part];
    return { model: model.trim(), column: column.trim() };
  });
  const isTwice = (of: keyof ModelColumn) =>
    new Set(found.map((one) => one[of])).size < found.length;
  if (found.some(({ model }) => model === "") || isTwice("model") || isTwice("column")) {
    throw new InputError(`Expected MODEL=COLUMN,… for --${flag} but received "${text}"`, {
      hint: `Each model and column once, such as --${flag} A=score_a,B=score_b`,
    });
  }
  return found;
}

/** Says which flag reads a table with a column of scores for each model, where this may be one. */
export function modelColumnsShape(
  columns: readonly string[],
  areNamed: boolean,
): string | undefined {
  const known = [
    "prompt",
    "human",
    "metric",
    "direction",
    "model",
    "score",
    "text",
    "image",
    "set",
  ];
  if (columns.includes("model")) return undefined;
  const others = columns.filter(
    (name) => !known.includes(name) && !isIdentifier(name) && !filed.test(name),
  );
  const raters = raterColumns(others, []);
  const pairs = others
    .filter((name) => !raters.includes(name))
    .map((column) => ({ column, model: column.replace(/^scores?[-_. ]+|[-_. ]+scores?$/i, "") }));
  const marked = pairs.filter(({ column, model }) => model !== column);
  // A second column of scores is no column of models, even where no other is left to be one.
  if (areNamed && (marked.length < 2 || knownAs("model", columns).length > 0)) return undefined;
  const found =
    [marked, sameMetric(others), pairs].find(({ length }) => length > 1)?.slice(0, 3) ?? [];
  if (found.length === 0) return undefined;
  return `With a column of scores for each model: --scores ${shellWord(found.map(shortPair).join(","))}`;
}

/** Where an image lies, and how it was made. */
const filed = /^(file|path|image|img|url|seed)(s|[-_. ]?name)?([-_. ]|$)/i;

/** The first columns that differ by a last letter or digit alone: clip_a and clip_b. */
function sameMetric(columns: readonly string[]): ModelColumn[] {
  const ended = columns.flatMap((column) => {
    const [, metric, model] = /^(.+)[-_. ]([a-z]|\d)$/i.exec(column) ?? [];
    return metric === undefined || model === undefined ? [] : [{ metric, model, column }];
  });
  const first = ended.find(({ metric, column }) =>
    ended.some((other) => other.metric === metric && other.column !== column),
  );
  return ended.filter(({ metric }) => metric === first?.metric);
}

const shortPair = ({ model, column }: ModelColumn) =>
  model === column ? column : `${model}=${column}`;
