import type { PairCells } from "../../analysis/pairs/pair-cells.js";
import { defaultTieTolerance } from "../../analysis/pairs/score-ties.js";
import { numeric, optionalText } from "../../tables/columns.js";
import type { GivenTable, Inputs } from "../table-options.js";
import { rows, type SumsSpec, split } from "./sums-query.js";
import { lacking, readSums } from "./sums-table.js";

const outcomes = ["above", "ties", "below"] as const;
const scored = "outcome IS NOT NULL";

/** SQL of how one number stands to another, in the words of `outcomes`; NULL where either is none. */
export const outcomeSql = (one: string, other: string, tolerance: string): string =>
  `CASE WHEN ${one} IS NULL OR ${other} IS NULL THEN NULL
    WHEN ABS(${other} - ${one}) <= ${tolerance} * GREATEST(ABS(${other}), ABS(${one})) THEN 'ties'
    WHEN ${one} > ${other} THEN 'above' ELSE 'below' END`;

const kinds = {
  cluster_name: optionalText,
  prompted: numeric,
  metric: optionalText,
  domain: optionalText,
  other: optionalText,
  scored_by: numeric,
  above: numeric,
  ties: numeric,
  below: numeric,
  other_above: numeric,
  other_ties: numeric,
  other_below: numeric,
};

/**
 * Sums for a conclusion from two scores of each pair.
 *
 * @param pairs.sides the columns of the right and of the wrong score
 * @param pairs.domain the column by which pairs are reported apart
 * @param pairs.isDomainAlone whether pairs of another domain count for nothing, also beside another metric's
 */
export const pairSums = ({
  name,
  sides: [right, wrong],
  domain,
  isDomainAlone = false,
  only = {},
}: {
  readonly name: string;
  readonly sides: readonly [right: string, wrong: string];
  readonly domain: string;
  readonly isDomainAlone?: boolean;
  readonly only?: SumsSpec["only"];
}): SumsSpec<typeof kinds> => ({
  name,
  texts: { id: "id", prompt: "prompt", metric: "metric", domain },
  numbers: { correct: right, adversarial: wrong },
  unique: ["id", "metric"],
  derived: ({ number }) => [
    {
      prompted: "CASE WHEN prompt IS NULL THEN 0 ELSE 1 END",
      cluster_name: "CASE WHEN id IS NOT NULL THEN COALESCE(prompt, id) END",
      difference: "correct - adversarial",
      outcome: outcomeSql("correct", "adversarial", number(defaultTieTolerance)),
    },
  ],
  exact: {
    part: "cells",
    sums: [
      { name: "correct", of: "correct", where: scored },
      { name: "adversarial", of: "adversarial", where: scored },
      { name: "difference", of: "difference", where: scored },
      { name: "difference_above", of: "difference", where: "outcome = 'above'" },
      { name: "difference_below", of: "difference", where: "outcome = 'below'" },
    ],
  },
  parts({ count }) {
    const counts = (of: string, prefix = "") =>
      Object.fromEntries(
        outcomes.map((each) => [`${prefix}${each}`, count(`${of}outcome = '${each}'`)]),
      );
    const keys = ["cluster_name", "prompted", "metric", "domain"];
    const by = isDomainAlone ? ["id", "domain"] : ["id"];
    return {
      cells: {
        from: split,
        by: Object.fromEntries(keys.map((key) => [key, key])),
        of: counts(""),
      },
      others: {
        from: `${rows} one JOIN ${rows} two ON ${by.map((each) => `one.${each} = two.${each}`).join(" AND ")}`,
        where: "one.metric <> two.metric AND one.outcome IS NOT NULL AND two.outcome IS NOT NULL",
        by: {
          ...Object.fromEntries(keys.map((key) => [key, `one.${key}`])),
          other: "two.metric",
        },
        of: { ...counts("one."), ...counts("two.", "other_") },
      },
      ids: {
        from: `(SELECT ${by.join(", ")}, COUNT(outcome) AS scored_by FROM ${rows} GROUP BY ${by.join(", ")}) by_id`,
        by: { scored_by: "scored_by", ...(isDomainAlone && { domain: "domain" }) },
      },
    };
  },
  kinds,
  required: {
    cells: { cluster_name: "id", metric: "metric", ...(!isDomainAlone && { domain: "domain" }) },
  },
  only: { ...only, "tie-tolerance": defaultTieTolerance },
});

/** Reads sums of pairs. @throws InputError as `readSums` does. */
export async function readPairCells(
  spec: SumsSpec<typeof kinds>,
  read: readonly [GivenTable, Inputs],
): Promise<PairCells> {
  const { columns, count, part, sum } = await readSums(spec, read);
  const { above, ties, below, scored_by: by } = columns;
  const scored = (row: number) => (above[row] ?? 0) + (ties[row] ?? 0) + (below[row] ?? 0);
  const total = (name: string, of: (row: number) => number) =>
    part(name).reduce((all, row) => all + of(row), 0);
  const ofIds = (of: (metrics: number) => number) =>
    total("ids", (row) => (count[row] ?? 0) * of(by[row] ?? 0));
  const isWhole =
    total("cells", scored) === ofIds((metrics) => metrics) &&
    total("others", scored) === ofIds((metrics) => metrics * (metrics - 1));
  if (!isWhole) throw lacking(spec, read[0]);
  return {
    ...columns,
    cells: part("cells"),
    others: part("others"),
    ids: part("ids"),
    pairs: count,
    cluster: columns.cluster_name,
    scoredBy: columns.scored_by,
    otherAbove: columns.other_above,
    otherTies: columns.other_ties,
    otherBelow: columns.other_below,
    correct: sum("correct"),
    adversarial: sum("adversarial"),
    difference: sum("difference"),
    differenceAbove: sum("difference_above"),
    differenceBelow: sum("difference_below"),
  };
}
