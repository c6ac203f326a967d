import { nameCount } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import type { IntervalOptions } from "../inference/intervals.js";
import { type ComparedFailures, failureRateDifferenceOf } from "./failure-rate-difference.js";
import { type PairRule, type PairSums, pairSums } from "./pair-sums.js";
import type { PairTable } from "./pair-table.js";

/** One metric's sums; the domains are the groups, numbered by name. */
export interface DomainSums extends PairSums {
  /** In the order in which they are shown. */
  readonly domains: readonly { readonly name: string; readonly group: number }[];
}

/** What conclusions from pairs rest on: rows of pairs, or sums of them by cluster. */
export interface PairEvidence {
  /** In the order in which they are shown. */
  readonly metrics: readonly string[];
  /** Rows, scored or not. */
  readonly length: number;
  /** Rows that name a prompt. */
  readonly prompted: number;
  /** Whether rows stand for others, as `label plan` drew them. */
  readonly isWeighted: boolean;
  /** How many pairs (by id) have scores of a metric, and how many of every one. */
  scoredIds(): { readonly any: number; readonly every: number };
  /** @throws InputError where scores can't be scaled as is wanted. */
  sumsOf(metric: string, rule: PairRule): DomainSums;
  /** `failureRateDifference` on the pairs that both scored. */
  differenceOf(compared: IntervalOptions & ComparedFailures): Estimate & { readonly n: number };
}

export const evidenceOfRows = (pairs: PairTable): PairEvidence => ({
  metrics: pairs.columns.metric.names,
  length: pairs.length,
  prompted: pairs.prompted,
  isWeighted: pairs.columns.draws !== undefined,
  scoredIds: () => scoredIds(pairs),
  sumsOf(metric, rule) {
    const rows = pairs.rowsOf(metric);
    const { domains, group } = domainsOf(pairs, rows);
    return {
      domains,
      ...pairSums(pairs, { ...rule, metric, rows, group, groups: domains.length }),
    };
  },
  differenceOf: (compared) => failureRateDifferenceOf(pairs, compared),
});

/** The domains of some rows, in the order in which they first occur, and which one each row is of. */
function domainsOf({ columns: { domain: column } }: PairTable, rows: Int32Array) {
  const met = [...new Set(Array.from(rows, (row) => column.codes[row] ?? 0))];
  const named = met.map((code) => ({ code, name: column.names[code] ?? "" }));
  const sorted = named.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const groups = new Map(sorted.map(({ code }, at) => [code, at]));
  return {
    domains: named.map(({ code, name }) => ({ name, group: groups.get(code) ?? 0 })),
    group: rows.map((row) => groups.get(column.codes[row] ?? 0) ?? 0),
  };
}

function scoredIds(pairs: PairTable) {
  const { id, metric } = pairs.columns;
  const metrics = new Uint32Array(nameCount(id));
  for (let row = 0; row < pairs.length; row++) {
    const its = id.codes[row] ?? 0;
    if (pairs.isScored(row)) metrics[its] = (metrics[its] ?? 0) + 1;
  }
  return {
    any: metrics.filter((count) => count > 0).length,
    every: metrics.filter((count) => count > 0 && count === metric.names.length).length,
  };
}
