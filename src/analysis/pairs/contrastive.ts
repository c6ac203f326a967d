import { largestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import { nameCount } from "../../core/text-column.js";
import { clustersBehind } from "../../stats/ratio-statistic.js";
import { shareAfterNone } from "../../stats/share-interval.js";
import { decidedByFew, fewClusters, rareOutcome } from "../inference/few-clusters.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
} from "../inference/intervals.js";
import { type MetricWarning, metricWarnings } from "../inference/metric-warnings.js";
import { weightedText } from "../inference/row-draws.js";
import { type PairSummary, pairSummaries } from "./pair-summary.js";
import { type Direction, type PairSums, pairSums, sumColumn } from "./pair-sums.js";
import { type PairRow, PairTable } from "./pair-table.js";
import type { ScoreRange, ScoreScale } from "./score-scale.js";
import { defaultTieTolerance, type TieOptions, tieText } from "./score-ties.js";

/** A triplet's pair of images: right but atypical, typical but wrong. */
export type ContrastiveRow = PairRow;
export type ContrastiveSummary = PairSummary;

export interface ContrastiveOptions extends IntervalOptions, TieOptions {
  /** Direction of the metric. Default "higher". */
  readonly direction?: Direction | undefined;
  /** For means and margins, never for comparing. Default "none". */
  readonly scale?: ScoreScale | undefined;
  /** The ends of a metric's range, for `scale: "range"`. */
  readonly rangeOf?: ((metric: string) => ScoreRange | undefined) | undefined;
}

export interface ContrastiveMetric {
  /** All rows pooled. */
  readonly overall: ContrastiveSummary;
  /** The plain average of the domains. */
  readonly macro: ContrastiveSummary;
  readonly domains: Readonly<Record<string, ContrastiveSummary>>;
}

export interface ContrastiveConclusion {
  readonly metrics: Readonly<Record<string, ContrastiveMetric>>;
  readonly tieRule: string;
  readonly tieTolerance: number;
  readonly direction: Direction;
  readonly scale: ScoreScale;
  /** Rows with both scores, over all metrics. */
  readonly n: number;
  readonly unscored: number;
  /** How rows were weighted, where `label plan` drew them. */
  readonly weighted?: string;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * How often, and by how much, each metric prefers a wrong but typical image to a right but
 * atypical one: ProtoBias Eq. 5 (failure: M(T, I_adv) >= M(T, I_corr), so a tie fails), Fig. 2
 * (failure rates), Fig. 3 and Table 2 (mean scores and their difference), Table 1 (margins, given
 * the ranking). Scores are compared as they are given, before any rounding or scaling; what differs
 * by no more than 32-bit arithmetic rounds is a tie (`isTie`; Eq. 5 as printed: tolerance 0). Rows
 * without both scores are counted as unscored and excluded from rates; `bounds` says what they could
 * change. The order of the rows changes nothing. Intervals: see `estimate`; the macro average has
 * its own, from the resamples of its domains.
 *
 * @throws InputError where `scale` is "range" and a metric's range is missing or too narrow.
 * @example
 * contrastive([
 *   { id: "1", metric: "m", domain: "animals", correct: 0.7, adversarial: 0.8 },
 *   { id: "2", metric: "m", domain: "animals", correct: 0.9, adversarial: 0.2 },
 * ]).metrics.m?.overall.failureRate.value // 0.5
 */
export const contrastive = (
  rows: readonly ContrastiveRow[],
  options: ContrastiveOptions = {},
): ContrastiveConclusion => contrastiveOf(PairTable.of(rows), options);

/** The same of rows by column. */
export function contrastiveOf(
  pairs: PairTable,
  options: ContrastiveOptions = {},
): ContrastiveConclusion {
  const { direction = "higher", scale = "none", rangeOf = () => undefined } = options;
  const { tieTolerance = defaultTieTolerance } = options;
  const tables = pairs.columns.metric.names.map((metric): ContrastiveTable => {
    const its = pairs.rowsOf(metric);
    const { domains, group } = domainsOf(pairs, its);
    const sums = pairSums(pairs, {
      rows: its,
      group,
      groups: domains.length,
      metric,
      direction,
      scale,
      range: rangeOf(metric),
      tieTolerance,
    });
    return { metric, domains, ...sums };
  });
  const method = intervalMethod(options, {
    clusters: Math.max(0, largestOf(tables.map(({ sums }) => sums.clusters))),
    clusteredBy: pairs.prompted > 0 ? "prompt" : "row",
  });
  const metrics = tables.map((table) => [table.metric, summarise(table, method)] as const);
  const n = metrics.reduce((sum, [, { overall }]) => sum + overall.n, 0);
  return {
    metrics: Object.fromEntries(metrics),
    tieRule:
      `a tie is a failure: adversarial ${direction === "higher" ? ">=" : "<="} correct; ` +
      tieText(tieTolerance),
    tieTolerance,
    direction,
    scale,
    n,
    unscored: pairs.length - n,
    ...(pairs.columns.draws && { weighted: weightedText }),
    warnings: [
      ...contrastiveWarnings(pairs, tables, method),
      ...decidedByFew(
        metrics.flatMap(([metric, { overall }]) => [
          { name: `the mean right score of ${metric}`, estimate: overall.meanCorrect },
          { name: `the mean wrong score of ${metric}`, estimate: overall.meanAdversarial },
          { name: `the mean difference by ${metric}`, estimate: overall.difference },
        ]),
        method,
      ),
    ],
    intervals: method,
  };
}

/** The domains of some rows, in the order in which they first occur, and which one each row is of. */
function domainsOf({ columns: { domain: column } }: PairTable, rows: Int32Array) {
  const numbers = new Int32Array(column.names.length).fill(-1);
  const domains: string[] = [];
  const group = rows.map((row) => {
    const domain = column.codes[row] ?? 0;
    if (numbers[domain] === -1) {
      numbers[domain] = domains.length;
      domains.push(column.names[domain] ?? "");
    }
    return numbers[domain] ?? 0;
  });
  return { domains, group };
}

function summarise(table: ContrastiveTable, method: IntervalMethod): ContrastiveMetric {
  const parts = table.domains.map((name, group) => ({ name, groups: [group] }));
  const everything = { name: "overall", groups: parts.flatMap(({ groups }) => groups) };
  const scopes = [[everything], parts, ...parts.map((part) => [part])];
  const [overall, macro, ...domains] = pairSummaries(table, { scopes, method }).summaries;
  if (overall === undefined || macro === undefined) throw new RangeError("Expected two scopes");
  return {
    overall,
    macro,
    domains: Object.fromEntries(domains.map((domain, at) => [table.domains[at] ?? "", domain])),
  };
}

/** One metric's sums; the domains are the groups. */
interface ContrastiveTable extends PairSums {
  readonly metric: string;
  readonly domains: readonly string[];
}

/** Caveats of a contrastive table, a sentence each. */
function contrastiveWarnings(
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
