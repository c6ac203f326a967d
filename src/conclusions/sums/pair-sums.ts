import type { PairCells } from "../../analysis/pairs/pair-cells.js";
import { defaultTieTolerance } from "../../analysis/pairs/score-ties.js";
import { InputError } from "../../core/errors.js";
import { textAt } from "../../core/text-column.js";
import { numeric, optionalText, text } from "../../tables/columns.js";
import { pluralText } from "../../views/number-text.js";
import { type GivenTable, type Inputs, sumsColumn, tableName } from "../table-options.js";
import type { Dialect } from "./dialects.js";
import {
  checkRows,
  type ExactSum,
  exactSumColumns,
  exactSumKinds,
  exactSums,
  isInexact,
  lacksSum,
  splitting,
} from "./exact-sums.js";
import { readSums } from "./sums-table.js";

/** A conclusion from two scores of each pair. */
export interface SummedPairs {
  readonly name: string;
  /** The columns of the right and of the wrong score. */
  readonly sides: readonly [right: string, wrong: string];
  /** The column by which pairs are reported apart. */
  readonly domain: string;
  /** Whether pairs of another domain count for nothing, also beside another metric's. */
  readonly isDomainAlone?: boolean;
}

const outcomes = ["above", "ties", "below"] as const;
const scored = "outcome IS NOT NULL";
const sums: readonly ExactSum[] = [
  { name: "correct", of: "correct", where: scored },
  { name: "adversarial", of: "adversarial", where: scored },
  { name: "difference", of: "difference", where: scored },
  { name: "difference_above", of: "difference", where: "outcome = 'above'" },
  { name: "difference_below", of: "difference", where: "outcome = 'below'" },
];

// No cell has them where there is one metric.
const optional = { ...numeric, isRequired: false };

/** The columns of the table of sums. */
const kinds = {
  [sumsColumn]: text,
  tie_tolerance: numeric,
  cluster_name: optionalText,
  prompted: numeric,
  metric: optionalText,
  domain: optionalText,
  other: optionalText,
  pairs: numeric,
  ids: numeric,
  scored_by: numeric,
  above: numeric,
  ties: numeric,
  below: numeric,
  other_above: optional,
  other_ties: optional,
  other_below: optional,
  inexact: numeric,
  ...exactSumKinds(sums.map(({ name }) => name)),
};

/** The query that sums pairs by prompt, metric and domain. */
export function pairSumsQuery(
  { name, sides: [right, wrong], domain, isDomainAlone = false }: SummedPairs,
  from: string,
  dialect: Dialect,
): string {
  const { number, text, anew } = dialect;
  const asText = (column: string) => `CAST(${column} AS ${text})`;
  const asNumber = (column: string) => dialect.nullForNaN(`CAST(${column} AS ${number})`);
  const count = (of: string) => `SUM(CASE WHEN ${of} THEN 1 ELSE 0 END)`;
  const counts = (of: string, prefix = "") =>
    Object.fromEntries(
      outcomes.map((each) => [`${prefix}${each}`, count(`${of}outcome = '${each}'`)]),
    );
  const split = splitting(["correct", "adversarial", "difference"], { from: "judged", dialect });
  const isRounded = split.columns.map((each) => isInexact(each, dialect)).join(" OR ");
  // Elsewhere an id may name another domain with each metric.
  const by = isDomainAlone ? ["id", "domain"] : ["id"];
  const hasPrompt = `TRIM(${asText("prompt")}) <> ''`;
  // What a part of the union lacks is nothing, of the column's kind.
  const select = (columns: Readonly<Record<string, string>>) =>
    `SELECT ${Object.entries(kinds)
      .map(([column, kind]) => {
        const none = `CAST(NULL AS ${kind.holds === "text" ? text : number})`;
        return `${columns[column] ?? none} AS ${dialect.name(column)}`;
      })
      .join(",\n  ")}`;
  const head = {
    [sumsColumn]: `'${name}'`,
    tie_tolerance: `CAST(${defaultTieTolerance} AS ${number})`,
    pairs: "COUNT(*)",
  };
  return `WITH source AS ${anew}(SELECT
  CASE WHEN ${hasPrompt} THEN 1 ELSE 0 END AS prompted,
  CASE WHEN ${hasPrompt} THEN ${asText("prompt")} ELSE ${asText("id")} END AS cluster_name,
  ${asText("id")} AS id, ${asText("metric")} AS metric, ${asText(domain)} AS domain,
  ${asNumber(right)} AS correct, ${asNumber(wrong)} AS adversarial
FROM ${from}),
judged AS ${anew}(SELECT source.*, correct - adversarial AS difference,
  CASE WHEN correct IS NULL OR adversarial IS NULL THEN NULL
    WHEN ABS(adversarial - correct) <= CAST(${defaultTieTolerance} AS ${number}) * GREATEST(ABS(adversarial), ABS(correct)) THEN 'ties'
    WHEN correct > adversarial THEN 'above' ELSE 'below' END AS outcome
FROM source),
${split.text}
${select({
  ...head,
  cluster_name: "cluster_name",
  prompted: "prompted",
  metric: "metric",
  domain: "domain",
  ids: "COUNT(DISTINCT id)",
  inexact: count(`${scored} AND (${isRounded})`),
  ...counts(""),
  ...Object.assign({}, ...sums.map((each) => exactSumColumns(each, dialect))),
})}
FROM ${split.name}
GROUP BY cluster_name, prompted, metric, domain
UNION ALL
${select({
  ...head,
  cluster_name: "one.cluster_name",
  prompted: "one.prompted",
  metric: "one.metric",
  domain: "one.domain",
  other: "two.metric",
  ...counts("one."),
  ...counts("two.", "other_"),
})}
FROM judged one JOIN judged two ON one.id = two.id${isDomainAlone ? " AND one.domain = two.domain" : ""}
WHERE one.metric <> two.metric AND one.outcome IS NOT NULL AND two.outcome IS NOT NULL
GROUP BY one.cluster_name, one.prompted, one.metric, one.domain, two.metric
UNION ALL
${select({
  ...head,
  ids: "SUM(CASE WHEN own_rows > own_metrics THEN 0 ELSE 1 END)",
  ...(isDomainAlone && { domain: "domain" }),
  scored_by: "scored_by",
})}
FROM (SELECT ${by.join(", ")}, COUNT(outcome) AS scored_by, COUNT(*) AS own_rows, COUNT(DISTINCT metric) AS own_metrics
  FROM judged GROUP BY ${by.join(", ")}) by_id
GROUP BY ${isDomainAlone ? "domain, " : ""}scored_by`;
}

/**
 * Reads sums of pairs.
 *
 * @throws InputError as `readTable` does, where an id stands twice in a metric, where a row has no metric or domain,
 *   and where digits were lost.
 */
export async function readPairCells(
  { name, isDomainAlone = false }: Pick<SummedPairs, "name" | "isDomainAlone">,
  read: readonly [GivenTable, Inputs],
): Promise<PairCells> {
  const { columns } = await readSums(kinds, name, read);
  const { metric, domain, other, pairs, ids, inexact, scored_by, above, ties, below } = columns;
  const where = tableName(read[0]);
  pairs.forEach((count, row) => {
    const its = textAt(metric, row);
    const isOfPairs = Number.isNaN(scored_by[row]);
    const lacking = its === undefined ? "metric" : "domain";
    if (isOfPairs && (its === undefined || (!isDomainAlone && textAt(domain, row) === undefined))) {
      throw new InputError(
        `Expected a ${lacking} of each row but ${where} sums ${pluralText(count, "row")} without one`,
      );
    }
    const different = ids[row] ?? Number.NaN;
    if (!Number.isNaN(different) && different !== count) {
      throw new InputError(
        `Expected each id once for ${its ?? "each metric"} but ${count - different} of ${count} repeat in ${where}`,
      );
    }
    if (!isOfPairs || textAt(other, row) !== undefined) return;
    checkRows(count);
    const scored = (above[row] ?? 0) + (ties[row] ?? 0) + (below[row] ?? 0);
    const isLost = scored > 0 && sums.some((each) => lacksSum(columns, each.name, row));
    if (isLost || (inexact[row] ?? 0) > 0) {
      throw new InputError(
        `Expected sums without rounding but ${where} has scores of ${its} too near to 0 or too large to be summed`,
        {
          hint: "Read the rows themselves, or round scores to 15 decimals before they are summed.",
        },
      );
    }
  });
  return {
    ...columns,
    tieTolerance: columns.tie_tolerance[0] ?? defaultTieTolerance,
    cluster: columns.cluster_name,
    scoredBy: columns.scored_by,
    otherAbove: columns.other_above,
    otherTies: columns.other_ties,
    otherBelow: columns.other_below,
    correct: exactSums(columns, "correct"),
    adversarial: exactSums(columns, "adversarial"),
    difference: exactSums(columns, "difference"),
    differenceAbove: exactSums(columns, "difference_above"),
    differenceBelow: exactSums(columns, "difference_below"),
  };
}
