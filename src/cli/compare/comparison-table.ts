import type { ComparisonRow } from "../../analysis/comparison-samples.js";
import type { Direction } from "../../analysis/pair-sums.js";
import type { ScoreMeasure } from "../../analysis/score-measure.js";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/list-text.js";
import { readTable } from "../../files/table.js";
import { type ColumnKind, numeric, optionalText, score, text } from "../../files/table-columns.js";
import { MetricNames } from "../analyze/metric-names.js";
import { type GivenTable, tableName, tableRequest } from "../analyze/table-arguments.js";
import type { Environment } from "../environment.js";
import { parseMap } from "../map-flag.js";
import { shellWords } from "../shell-words.js";

const rating: ColumnKind<number | null> = { ...numeric, isRequired: false };

/** The rows of one metric. */
export interface ComparisonTable {
  readonly rows: readonly ComparisonRow[];
  /** What the column metric says, else the column of the scores. */
  readonly metric: string;
  /** What the column direction says, where it says one thing. */
  readonly direction: Direction | undefined;
  /** What the scores are of, where `score` wrote the table. */
  readonly measure: ScoreMeasure;
}

/**
 * Reads a table of models, prompts and scores. A column metric, as `score` writes it, tells several
 * metrics apart, and so does the metric's own model where that file says which it was; of these one
 * must be named.
 *
 * @throws InputError as `readTable` does; where several metrics stand in it and none is named; and
 *   where the one that is named does not.
 */
export async function readComparisonTable(
  given: GivenTable & { readonly metric: string | undefined },
  environment: Environment,
): Promise<ComparisonTable> {
  const { metric } = given;
  const all = await metricRows(given, environment);
  const found = [...new Set(all.flatMap((row) => row.metric ?? []))];
  const called = parseMap(given.map).score ?? "score";
  const name = metric ?? (found.length === 0 ? called : found[0]) ?? called;
  const where = tableName(given);
  if (metric === undefined && found.length > 1) {
    throw new InputError(
      `Expected one metric in ${where} but its column metric has ${listText(found)}`,
      { hint: `Compare by one of them: ${shellWords(["--metric", found[0] ?? name])}` },
    );
  }
  if (metric !== undefined && !found.includes(metric)) {
    throw new InputError(`Expected a metric of ${where} for --metric but received "${metric}"`, {
      hint:
        found.length === 0
          ? "It has no column metric; the column of scores is named by --map score=my_column"
          : `It has ${listText(found)}`,
    });
  }
  const rows = all.filter((row) => found.length === 0 || row.metric === name);
  return {
    ...{ rows, metric: name, direction: directionOf(rows.map((row) => row.direction)) },
    measure: measureOf(rows.map((row) => row.result)),
  };
}

/** The rows, each with what its metric is called among all. */
async function metricRows(given: GivenTable, environment: Environment) {
  const columns = {
    ...{ model: text, prompt: text, score, human: rating },
    ...{ metric: optionalText, direction: optionalText },
  };
  const names = new MetricNames();
  const read = [];
  for await (const { row, all } of readTable({ ...tableRequest(given, environment), columns })) {
    // Elsewhere a column model names what made the images, and low and high may be anything.
    const result = Object.hasOwn(all, "metricVersion") ? all : undefined;
    read.push({ row: { ...row, result }, source: names.add({ ...all, metric: row.metric }) });
  }
  const called = names.names();
  return read.map(({ row, source }) => ({
    ...row,
    metric: source === undefined ? row.metric : called.get(source),
  }));
}

/** What all rows say alike. */
function measureOf(rows: readonly (Readonly<Record<string, unknown>> | undefined)[]): ScoreMeasure {
  const textIn = (name: string) =>
    onlyOne(rows.map((row) => (isSaid(row?.[name]) ? String(row?.[name]) : undefined)));
  const [low, high] = ["low", "high"].map((name) => Number(textIn(name) ?? Number.NaN));
  const hasRange = low !== undefined && high !== undefined && low < high;
  return {
    ...Object.fromEntries(
      textColumns.flatMap((name) => {
        const said = textIn(name);
        return said === undefined ? [] : [[name, said]];
      }),
    ),
    ...(hasRange ? { range: [low, high] } : {}),
  };
}

const textColumns = ["model", "convention", "template", "statistic", "metricVersion"] as const;

const isSaid = (cell: unknown) =>
  typeof cell === "number" || (typeof cell === "string" && cell !== "");

function onlyOne(said: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = new Set(said);
  return others.length === 0 ? first : undefined;
}

function directionOf(said: readonly (string | undefined)[]): Direction | undefined {
  const [first, ...others] = new Set(said);
  return others.length === 0 && (first === "higher" || first === "lower") ? first : undefined;
}
