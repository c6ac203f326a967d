import { clustersBehind } from "../stats/ratio-statistic.js";
import { shareAfterNone } from "../stats/share-after-none.js";
import type { ContrastiveTable } from "./contrastive.js";
import { fewClusters } from "./few-clusters.js";
import type { IntervalMethod } from "./intervals.js";
import { type PairRow, sumColumn } from "./pair-sums.js";

/** What a reader must know before believing the table, a sentence each. */
export function contrastiveWarnings(
  rows: readonly PairRow[],
  tables: readonly ContrastiveTable[],
  method: IntervalMethod,
): string[] {
  return [
    ...unscored(tables),
    ...differentRows(rows, tables),
    ...differentDomains(tables),
    ...withoutPrompt(rows, method),
    ...tables.flatMap((table) => [...few(table, method), ...withoutWidth(table, method)]),
  ];
}

function unscored(tables: readonly ContrastiveTable[]): string[] {
  return tables.flatMap(({ metric, counts }) => {
    const missing = counts.reduce((sum, { unscored }) => sum + unscored, 0);
    const all = counts.reduce((sum, { n }) => sum + n, missing);
    return missing === 0
      ? []
      : [
          `${metric}: ${missing} of ${all} rows ${missing === 1 ? "is" : "are"} unscored and in no rate; see the bounds`,
        ];
  });
}

function differentRows(rows: readonly PairRow[], tables: readonly ContrastiveTable[]): string[] {
  if (tables.length < 2) return [];
  const scoredBy = new Map<string, number>();
  for (const { id, correct, adversarial } of rows) {
    if (correct === null || adversarial === null) continue;
    scoredBy.set(id, (scoredBy.get(id) ?? 0) + 1);
  }
  const shared = [...scoredBy.values()].filter((metrics) => metrics === tables.length).length;
  return shared === scoredBy.size
    ? []
    : [
        `the metrics were not all scored on the same rows: ${shared} of ${scoredBy.size} rows ` +
          "have scores of every metric",
      ];
}

function differentDomains(tables: readonly ContrastiveTable[]): string[] {
  const all = new Set(tables.flatMap(({ domains }) => domains));
  return tables.flatMap(({ metric, domains }) => {
    const missing = [...all].filter((domain) => !domains.includes(domain));
    return missing.length === 0
      ? []
      : [`${metric}: no rows in ${missing.join(", ")}, so its macro average is over the others`];
  });
}

function withoutPrompt(rows: readonly PairRow[], { clusteredBy }: IntervalMethod): string[] {
  const alone = rows.filter(({ prompt }) => prompt === undefined).length;
  return clusteredBy === "row" || alone === 0
    ? []
    : [`${alone} of ${rows.length} rows name no prompt; in the intervals each stands for itself`];
}

function few({ metric, sums }: ContrastiveTable, { clusteredBy }: IntervalMethod): string[] {
  return fewClusters({ clusters: sums.clusters, clusteredBy }).map((text) => `${metric}: ${text}`);
}

/** Where all rows pass or all fail, every resample does, too, and the interval has no width. */
function withoutWidth(
  { metric, domains, counts, sums }: ContrastiveTable,
  { clusteredBy }: IntervalMethod,
): string[] {
  return domains.flatMap((domain, group) => {
    const { n = 0, failures = 0 } = counts[group] ?? {};
    if (n === 0 || (failures > 0 && failures < n)) return [];
    const term = { weight: 1, groups: [group], numerator: 0, denominator: sumColumn.n };
    const clusters = clustersBehind(term, sums);
    const rest = (shareAfterNone(clusters) * 100).toPrecision(2);
    return [
      `${metric}, ${domain}: ${failures === 0 ? "no row fails" : "every row fails"}, so the interval ` +
        `of the failure rate has no width; with ${clusters} ${clusteredBy}${clusters === 1 ? "" : "s"} up to ${rest} % may still ` +
        `${failures === 0 ? "fail" : "pass"}`,
    ];
  });
}
