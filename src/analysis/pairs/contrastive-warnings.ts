import { listText } from "../../core/list-text.js";
import { nameCount } from "../../core/text-column.js";
import { clustersBehind } from "../../stats/ratio-statistic.js";
import { shareAfterNone } from "../../stats/share-after-none.js";
import { fewClusters, rareOutcome } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import { type MetricWarning, metricWarnings } from "../inference/metric-warnings.js";
import type { ContrastiveTable } from "./contrastive-table.js";
import { sumColumn } from "./pair-sums.js";
import type { PairTable } from "./pair-table.js";

/** Caveats of a contrastive table, a sentence each. */
export function contrastiveWarnings(
  rows: PairTable,
  tables: readonly ContrastiveTable[],
  method: IntervalMethod,
): string[] {
  return [
    ...metricWarnings(unscored(tables)),
    ...differentRows(rows, tables),
    ...metricWarnings(differentDomains(tables)),
    ...withoutPrompt(rows, method),
    ...metricWarnings(tables.flatMap((table) => few(table, method))),
    ...metricWarnings(tables.flatMap((table) => withoutWidth(table, method))),
  ];
}

function unscored(tables: readonly ContrastiveTable[]): MetricWarning[] {
  return tables.flatMap(({ metric, counts }) => {
    const missing = counts.reduce((sum, { unscored }) => sum + unscored, 0);
    const all = counts.reduce((sum, { n }) => sum + n, missing);
    return missing === 0
      ? []
      : [
          {
            metric,
            text: `${missing} of ${all} rows ${missing === 1 ? "is" : "are"} unscored and excluded; see the bounds`,
          },
        ];
  });
}

function differentRows(rows: PairTable, tables: readonly ContrastiveTable[]): string[] {
  if (tables.length < 2) return [];
  const metrics = new Uint32Array(nameCount(rows.columns.id));
  for (let row = 0; row < rows.length; row++) {
    const id = rows.columns.id.codes[row] ?? 0;
    if (rows.isScored(row)) metrics[id] = (metrics[id] ?? 0) + 1;
  }
  const all = metrics.filter((count) => count > 0).length;
  const shared = metrics.filter((count) => count === tables.length).length;
  return shared === all
    ? []
    : [
        `the metrics were not all scored on the same rows: ${shared} of ${all} rows ` +
          "have scores of every metric",
      ];
}

function differentDomains(tables: readonly ContrastiveTable[]): MetricWarning[] {
  const all = new Set(tables.flatMap(({ domains }) => domains));
  return tables.flatMap(({ metric, domains }) => {
    const missing = [...all].filter((domain) => !domains.includes(domain));
    return missing.length === 0
      ? []
      : [
          {
            metric,
            text: `no rows in ${listText(missing)}, so the mean of domains is over the others`,
          },
        ];
  });
}

function withoutPrompt(rows: PairTable, { clusteredBy }: IntervalMethod): string[] {
  const alone = rows.length - rows.prompted;
  return clusteredBy === "row" || alone === 0
    ? []
    : [`${alone} of ${rows.length} rows name no prompt; intervals treat each as its own prompt`];
}

function few(
  { metric, domains, sums }: ContrastiveTable,
  { method, clusteredBy }: IntervalMethod,
): MetricWarning[] {
  const { clusters } = sums;
  const groups = domains.map((_, group) => group);
  const showing = (denominator: number) =>
    clustersBehind({ weight: 1, groups, numerator: 0, denominator }, sums);
  const of = { method, clusters, clusteredBy };
  return [
    ...fewClusters(of),
    ...rareOutcome({ showing: showing(sumColumn.failures), what: "fails", method: of }),
    ...rareOutcome({ showing: showing(sumColumn.passes), what: "passes", method: of }),
  ].map((text) => ({ metric, text }));
}

/** Warns where all rows pass or all fail: every resample does too, and the interval has no width. */
function withoutWidth(
  { metric, domains, counts, sums }: ContrastiveTable,
  { clusteredBy }: IntervalMethod,
): MetricWarning[] {
  const each = domains.map((domain, group) => ({ name: domain, groups: [group] }));
  const all = { name: "all domains", groups: domains.map((_, group) => group) };
  const places = domains.length > 1 ? [all, ...each] : each;
  const count = (groups: readonly number[], of: "n" | "failures") =>
    groups.reduce((sum, group) => sum + (counts[group]?.[of] ?? 0), 0);
  return (["fail", "pass"] as const).flatMap((other) => {
    const found = places.flatMap(({ name, groups }) => {
      const n = count(groups, "n");
      if (n === 0 || count(groups, "failures") !== (other === "fail" ? 0 : n)) return [];
      const term = { weight: 1, groups, numerator: 0, denominator: sumColumn.n };
      const clusters = clustersBehind(term, sums);
      const rest = (shareAfterNone(clusters) * 100).toFixed(1);
      return [
        `with ${clusters} ${clusteredBy}${clusters === 1 ? "" : "s"} up to ${rest} % may still ` +
          `${other} in ${name}`,
      ];
    });
    const what = other === "fail" ? "no row fails" : "every row fails";
    return found.length === 0
      ? []
      : [
          {
            metric,
            text: `where ${what}, the interval of the failure rate has no width: ${found.join(", ")}`,
          },
        ];
  });
}
