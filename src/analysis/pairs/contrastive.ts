import { largestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import { inOrderOfRows, picked } from "../../core/row-codes.js";
import { nameCount } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
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
import { type ComparedFailures, failureRateDifferenceOf } from "./failure-rate-difference.js";
import { type PairSummary, pairSummaries } from "./pair-summary.js";
import {
  type Direction,
  type PairRow,
  type PairRule,
  type PairSums,
  PairTable,
  pairSums,
  sumColumn,
} from "./pair-sums.js";
import type { ScoreRange, ScoreScale } from "./score-scale.js";
import { defaultTieTolerance, type TieOptions, tieText } from "./score-ties.js";

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
 * change. The order of the rows changes nothing.
 *
 * `pairSums` counts and adds by prompt; `pairSummaries` makes ratios of the sums and asks `estimate`
 * (analysis/inference/intervals.ts) for intervals: a percentile bootstrap of prompts, above 10,000 of them the delta
 * method. The macro average has its own, from the resamples of its domains.
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
): ContrastiveConclusion => contrastiveOf(evidenceOfRows(PairTable.of(rows)), options);

/** The same of rows by column, or of their sums. */
export function contrastiveOf(
  pairs: PairEvidence,
  options: ContrastiveOptions = {},
): ContrastiveConclusion {
  const { direction = "higher", scale = "none", rangeOf = () => undefined } = options;
  const { tieTolerance = defaultTieTolerance } = options;
  const tables = pairs.metrics.map((metric): ContrastiveTable => {
    const rule = { direction, scale, range: rangeOf(metric), tieTolerance };
    return { metric, ...pairs.sumsOf(metric, rule) };
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
    ...(pairs.isWeighted && { weighted: weightedText }),
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

function summarise(table: ContrastiveTable, method: IntervalMethod): ContrastiveMetric {
  const parts = table.domains.map(({ name, group }) => ({ name, groups: [group] }));
  // Sums are added in the order of names, whatever the order of the rows.
  const groups = parts.map((_, group) => group);
  const inOrder = table.domains.toSorted((one, other) => one.group - other.group);
  const macro = inOrder.map(({ name, group }) => ({ name, groups: [group] }));
  const scopes = [[{ name: "overall", groups }], macro, ...parts.map((part) => [part])];
  const [overall, mean, ...domains] = pairSummaries(table, { scopes, method }).summaries;
  if (overall === undefined || mean === undefined) throw new RangeError("Expected two scopes");
  return {
    overall,
    macro: mean,
    domains: Object.fromEntries(
      domains.map((domain, at) => [table.domains[at]?.name ?? "", domain]),
    ),
  };
}

/** A metric's summaries under the names that tables give them. */
export function namedSummaries({
  overall,
  macro,
  domains,
}: ContrastiveMetric): (readonly [name: string, summary: ContrastiveSummary])[] {
  const each = Object.entries(domains);
  return each.length === 1 ? each : [["all domains", overall], ["mean of domains", macro], ...each];
}

interface ContrastiveTable extends DomainSums {
  readonly metric: string;
}

/** Caveats of a contrastive table, a sentence each. */
function contrastiveWarnings(
  pairs: PairEvidence,
  tables: readonly ContrastiveTable[],
  method: IntervalMethod,
): string[] {
  return [
    ...metricWarnings(unscored(tables)),
    ...differentRows(pairs),
    ...metricWarnings(differentDomains(tables)),
    ...withoutPrompt(pairs, method),
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
            text: `${missing} of ${all} rows ${missing === 1 ? "is" : "are"} unscored and excluded`,
          },
        ];
  });
}

function differentRows(pairs: PairEvidence): string[] {
  if (pairs.metrics.length < 2) return [];
  const { any, every } = pairs.scoredIds();
  return every === any
    ? []
    : [
        `the metrics were not all scored on the same rows: ${every} of ${any} rows ` +
          "have scores of every metric",
      ];
}

function differentDomains(tables: readonly ContrastiveTable[]): MetricWarning[] {
  const all = new Set(tables.flatMap(({ domains }) => domains.map(({ name }) => name)));
  return tables.flatMap(({ metric, domains }) => {
    const missing = [...all].filter((domain) => !domains.some(({ name }) => name === domain));
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

function withoutPrompt(
  { length, prompted }: PairEvidence,
  { clusteredBy }: IntervalMethod,
): string[] {
  const alone = length - prompted;
  return clusteredBy === "row" || alone === 0
    ? []
    : [`${alone} of ${length} rows name no prompt; intervals treat each as its own prompt`];
}

function few(
  { metric, domains, sums }: ContrastiveTable,
  { method, clusteredBy }: IntervalMethod,
): MetricWarning[] {
  const { clusters } = sums;
  const groups = domains.map(({ group }) => group);
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
  const each = domains.map(({ name, group }) => ({ name, groups: [group] }));
  const all = { name: "all domains", groups: domains.map(({ group }) => group) };
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

/** The domains of some rows, in the order in which they first occur, and which one each row is of. */
function domainsOf({ columns: { domain: column } }: PairTable, rows: Int32Array) {
  const its = picked(column.codes, rows);
  const { codes, count } = inOrderOfRows({ codes: its, count: nameCount(column) });
  const met = new Int32Array(count);
  for (let at = its.length - 1; at >= 0; at--) met[codes[at] ?? 0] = its[at] ?? 0;
  const named = Array.from(met, (code, at) => ({ at, name: column.names[code] ?? "" }));
  const groups = new Int32Array(count);
  const sorted = named.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const [group, { at }] of sorted.entries()) groups[at] = group;
  return {
    domains: named.map(({ at, name }) => ({ name, group: groups[at] ?? 0 })),
    group: picked(groups, codes),
  };
}

function scoredIds(pairs: PairTable) {
  const { id, metric } = pairs.columns;
  const metrics = new Uint32Array(nameCount(id));
  const all = metric.names.length;
  let [any, every] = [0, 0];
  for (let row = 0; row < pairs.length; row++) {
    if (!pairs.isScored(row)) continue;
    const its = id.codes[row] ?? 0;
    const count = (metrics[its] ?? 0) + 1;
    metrics[its] = count;
    if (count === 1) any += 1;
    if (count === all) every += 1;
  }
  return { any, every };
}
