import type { CorrelationCells } from "../../analysis/correlation/correlation-cells.js";
import { InputError } from "../../core/errors.js";
import { textAt } from "../../core/text-column.js";
import type { PairCounts } from "../../stats/pair-counts.js";
import { numeric, optionalText } from "../../tables/columns.js";
import { pluralText } from "../../views/number-text.js";
import { rows, type SumsSpec } from "../sums/sums-query.js";
import { lacking, readSums } from "../sums/sums-table.js";
import { type GivenTable, type Inputs, tableName } from "../table-options.js";

const kinds = {
  of_metric: optionalText,
  of_group: optionalText,
  rated: numeric,
  scored_by: numeric,
  unlike: numeric,
  scored: numeric,
  score_levels: numeric,
  rating_levels: numeric,
  same_order: numeric,
  other_order: numeric,
  tied_scores: numeric,
  tied_ratings: numeric,
};

const both = (one: string, sign: string, other = sign) =>
  `${one}.score ${sign} two.score AND ${one}.rating ${other} two.rating`;
const known = ["one", "two"].map((of) => `${of}.score IS NOT NULL AND ${of}.rating IS NOT NULL`);

/** Pairs of one prompt's rows, counted by the order in which people and a metric put them. */
export const sums: SumsSpec<typeof kinds> = {
  name: "correlation",
  texts: { id: "id", prompt: "prompt", metric: "metric" },
  numbers: { score: "score", rating: "rating" },
  unique: ["id", "metric"],
  derived: () => [{ grouped: "COALESCE(prompt, '(empty)')" }],
  note: () =>
    "This query reads the columns id, prompt, metric, score and rating, a row for each metric, and its answer is for " +
    "analyze correlation --human rating --group prompt: tau and pairwise accuracy within prompts. Ranks of all rows together need all rows: " +
    "--share 0.01 draws whole prompts, whose figures are estimates with intervals that hold.",
  parts: ({ count }) => ({
    cells: {
      from: rows,
      by: { of_metric: "metric", of_group: "grouped" },
      of: {
        scored: count("score IS NOT NULL AND rating IS NOT NULL"),
        score_levels: "COUNT(DISTINCT CASE WHEN rating IS NOT NULL THEN score END)",
        rating_levels: "COUNT(DISTINCT CASE WHEN score IS NOT NULL THEN rating END)",
      },
    },
    pairs: {
      from: `${rows} one JOIN ${rows} two ON one.metric = two.metric AND one.grouped = two.grouped`,
      where: `one.id < two.id AND ${known.join(" AND ")}`,
      by: { of_metric: "one.metric", of_group: "one.grouped" },
      of: {
        same_order: count(`${both("one", "<")} OR ${both("one", ">")}`),
        other_order: count(`${both("one", "<", ">")} OR ${both("one", ">", "<")}`),
        tied_scores: count("one.score = two.score"),
        tied_ratings: count("one.rating = two.rating"),
      },
    },
    items: {
      from: `(SELECT id, grouped, COUNT(score) AS scored_by,
    MAX(CASE WHEN rating IS NULL THEN 0 ELSE 1 END) AS rated,
    CASE WHEN MIN(rating) < MAX(rating) OR COUNT(rating) NOT IN (0, COUNT(*)) THEN 1 ELSE 0 END AS unlike
  FROM ${rows} GROUP BY id, grouped) item`,
      by: {
        of_group: "grouped",
        rated: "rated",
        scored_by: "scored_by",
        unlike: "unlike",
      },
    },
    unnamed: { from: rows, where: "id IS NULL OR metric IS NULL", by: {} },
  }),
  kinds,
  required: {},
  only: {
    human: "rating",
    group: "prompt",
    metrics: "score",
    "tie-calibration": false,
    icc: false,
    plcc: false,
    williams: false,
    partial: null,
    values: null,
  },
};

/** @throws InputError as `readSums` does, without --group, and for rows without a name or of several ratings. */
export async function read(
  given: GivenTable & { readonly group?: string | undefined },
  inputs: Inputs,
): Promise<CorrelationCells> {
  const where = tableName(given);
  if (given.group === undefined) {
    throw new InputError(`Expected --group prompt for ${where}, which counts pairs within prompts`);
  }
  const { columns, count, part } = await readSums(sums, [given, inputs]);
  const { of_metric, of_group, rated, scored_by, unlike, scored } = columns;
  const unnamed = part("unnamed").reduce((sum, row) => sum + (count[row] ?? 0), 0);
  if (unnamed > 0) {
    throw new InputError(
      `Expected id and metric in each row but ${where} sums ${pluralText(unnamed, "row")} without them`,
    );
  }
  const items = [...part("items")];
  const total = (its: readonly number[]) => its.reduce((sum, row) => sum + (count[row] ?? 0), 0);
  const severally = total(items.filter((row) => unlike[row] === 1));
  if (severally > 0) {
    throw new InputError(
      `Expected one rating of each id but ${pluralText(severally, "id")} of ${where} had another beside another metric`,
    );
  }
  const ofPeople = items.filter((row) => rated[row] === 1);
  const groupAt = (row: number) => textAt(of_group, row) ?? "";
  const groups = [...new Set(ofPeople.map(groupAt))].sort();
  const names = of_metric.names.toSorted();
  const places = new Map(groups.map((name, at) => [name, at]));
  const cells = names.map(() => Array<PairCounts | undefined>(groups.length));
  const metricAt = (row: number) => names.indexOf(textAt(of_metric, row) ?? "");
  for (const row of part("cells")) {
    const n = scored[row] ?? 0;
    const levels = Math.min(columns.score_levels[row] ?? 0, columns.rating_levels[row] ?? 0);
    const group = places.get(groupAt(row));
    const its = { n, pairs: (n * (n - 1)) / 2, difference: 0, tiedX: 0, tiedY: 0, levels };
    if (group !== undefined) (cells[metricAt(row)] ?? [])[group] = its;
  }
  let left = cells.flat().reduce((sum, its) => sum + (its?.pairs ?? 0), 0);
  for (const row of part("pairs")) {
    const its = cells[metricAt(row)]?.[places.get(groupAt(row)) ?? -1];
    if (its === undefined) throw lacking(sums, given);
    left -= count[row] ?? 0;
    (cells[metricAt(row)] ?? [])[places.get(groupAt(row)) ?? -1] = {
      ...its,
      difference: (columns.same_order[row] ?? 0) - (columns.other_order[row] ?? 0),
      tiedX: columns.tied_scores[row] ?? 0,
      tiedY: columns.tied_ratings[row] ?? 0,
    };
  }
  const scoredBy = cells.map((its) => its.reduce((sum, each) => sum + (each?.n ?? 0), 0));
  const scores = ofPeople.reduce((sum, row) => sum + (count[row] ?? 0) * (scored_by[row] ?? 0), 0);
  const inCells = part("cells").reduce((sum, row) => sum + (scored[row] ?? 0), 0);
  if (left !== 0 || scores !== inCells) throw lacking(sums, given);
  return {
    // Of one metric rows are read by the column alone.
    metrics: names.length < 2 ? ["score"] : names,
    groups,
    pairs: cells,
    rows: total(items),
    rated: total(ofPeople),
    // Rows without a prompt are a group as others are.
    alone: 0,
    scoredBy,
    shared: total(ofPeople.filter((row) => scored_by[row] === names.length)),
  };
}
