import { type Random, randomFrom } from "../core/random.js";
import type { Estimate } from "../stats/estimate.js";
import { quantile } from "../stats/quantile.js";
import type { CorrelationConclusion, CorrelationMetric } from "./correlation.js";
import { type Measure, measured, measureRange, measures } from "./correlation-measures.js";
import { correlationWarnings } from "./correlation-warnings.js";
import { type IntervalMethod, intervalMethod, undefinedEstimate } from "./intervals.js";
import { promptClusters } from "./prompt-clusters.js";

export const countTargets = ["f1", "precision", "recall"] as const;
export type CountTarget = (typeof countTargets)[number];

/** What people found in one image, as counts, and each metric's score; null where nobody did. */
export interface GroupedRow {
  readonly id: string;
  readonly prompt?: string | undefined;
  /** True positives, false positives, false negatives: each at least 0. */
  readonly counts: readonly [tp: number, fp: number, fn: number] | null;
  /** In the order of the metrics. */
  readonly scores: readonly (number | null)[];
}

export interface GroupedOptions {
  readonly target: CountTarget;
  /** How many groups; their sizes differ by at most 1. */
  readonly groups: number;
  /** How many ways of grouping are averaged. */
  readonly seeds: number;
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
}

export interface GroupedConclusion extends CorrelationConclusion {
  readonly target: CountTarget;
  readonly groups: number;
  readonly seeds: number;
}

/**
 * How well metrics follow people where one image has too few judgements for a rate of its own:
 * images are shuffled and dealt into groups, people's counts are pooled in a group and give its
 * target (F1 = 2 tp / (2 tp + fp + fn), precision = tp / (tp + fp), recall = tp / (tp + fn)), a
 * metric's scores their mean, and these are correlated over groups. Each value is the mean over
 * `seeds` shuffles; a group whose target is 0 / 0 is left out. Few groups make a value that moves
 * with the shuffle. Intervals: a percentile bootstrap of whole prompts, dealt into groups anew, so
 * they hold that movement, too. There are no p-values.
 */
export function groupedCorrelation(
  {
    human,
    metrics,
    rows,
  }: {
    readonly human: string;
    readonly metrics: readonly string[];
    readonly rows: readonly GroupedRow[];
  },
  options: GroupedOptions,
): GroupedConclusion {
  const { target, groups, seeds } = options;
  const rated = rows.filter(({ counts }) => counts !== null);
  const method = intervalMethod(
    { ...options, interval: "percentile" },
    {
      clusters: promptClusters(rated).count,
      clusteredBy: rated.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row",
    },
  );
  const results = metrics.map((_, at) => summarise(rated, at, { options, method }));
  const n = results.reduce((sum, one) => sum + one.n, 0);
  return {
    human,
    metrics: Object.fromEntries(results.map((one, at) => [metrics[at] ?? "", one])),
    ...{ target, groups, seeds, n },
    unscored: rated.length * metrics.length - n,
    unrated: rows.length - rated.length,
    pairRule:
      "pairs of groups that people tie are left out; pairs that only the metric ties count half",
    warnings: correlationWarnings(
      { human, metrics, rows: rows.map((row) => ({ ...row, human: row.counts?.[0] ?? null })) },
      method,
    ),
    intervals: { ...method, text: `${method.text}, dealt into groups anew` },
  };
}

/**
 * A measure of `metric` minus that of `than`, on the images that both scored, dealt into the same
 * groups.
 */
export function groupedDifference(
  { metrics, rows }: { readonly metrics: readonly string[]; readonly rows: readonly GroupedRow[] },
  {
    metric,
    than,
    measure,
    ...options
  }: GroupedOptions & {
    readonly metric: string;
    readonly than: string;
    readonly measure: Measure;
  },
): Estimate {
  const places = [metrics.indexOf(metric), metrics.indexOf(than)];
  const both = inOrder(
    rows.filter(
      ({ counts, scores }) =>
        counts !== null && places.every((at) => typeof scores[at] === "number"),
    ),
  );
  const [one, other] = places.map((at) => groupedValues(both, at, options));
  const which = measures.indexOf(measure);
  const valuesOf: ValuesOf = (drawn, randomOf) => [
    (one?.(drawn, randomOf)[which] ?? Number.NaN) - (other?.(drawn, randomOf)[which] ?? Number.NaN),
  ];
  const [value = Number.NaN] = valuesOf(Int32Array.from(both.keys()), shuffleOf);
  if (Number.isNaN(value)) return undefinedEstimate("undefined for one of the two");
  const { resamples = 2000, seed = 0 } = options;
  const [interval] = bootstrap(both, valuesOf, { resamples, seed });
  return { value, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

/** The shuffles of the values themselves, whatever the seed of the bootstrap. */
const shuffleOf = (shuffle: number) => randomFrom("groups", shuffle);

/** So that the order in which rows come changes no group. */
const inOrder = (rows: readonly GroupedRow[]) =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

interface Dealing {
  readonly options: GroupedOptions;
  readonly method: IntervalMethod;
}

function summarise(
  rated: readonly GroupedRow[],
  at: number,
  { options, method }: Dealing,
): CorrelationMetric {
  const scored = inOrder(rated.filter(({ scores }) => typeof scores[at] === "number"));
  const valuesOf = groupedValues(scored, at, options);
  const values = valuesOf(Int32Array.from(scored.keys()), shuffleOf);
  const intervals = bootstrap(scored, valuesOf, method);
  const estimates = measures.map((measure, which): [Measure, Estimate] => [
    measure,
    estimateOf(measure, values[which] ?? Number.NaN, intervals[which]),
  ]);
  return {
    n: scored.length,
    unscored: rated.length - scored.length,
    ...(Object.fromEntries(estimates) as Record<Measure, Estimate>),
    p: { spearman: null, kendallTauB: null, pearson: null },
  };
}

function estimateOf(
  measure: Measure,
  value: number,
  interval: readonly [low: number, high: number] | undefined,
): Estimate {
  if (Number.isNaN(value)) {
    return undefinedEstimate("there are too few groups, or all are alike to people or the metric");
  }
  if (interval === undefined) {
    return { value, low: null, high: null, reason: "no interval from so few images" };
  }
  const [least, most] = measureRange(measure);
  return { value, low: Math.max(least, interval[0]), high: Math.min(most, interval[1]) };
}

type ValuesOf = (drawn: Int32Array, randomOf: (shuffle: number) => Random) => number[];

/** All measures over groups of the images drawn, each the mean over shuffles; NaN where undefined. */
function groupedValues(
  scored: readonly GroupedRow[],
  at: number,
  { target, groups, seeds }: GroupedOptions,
): ValuesOf {
  const score = Float64Array.from(scored, ({ scores }) => scores[at] ?? 0);
  const [tp, fp, fn] = [0, 1, 2].map((which) =>
    Float64Array.from(scored, ({ counts }) => counts?.[which] ?? 0),
  );
  return (drawn, randomOf) => {
    if (drawn.length < groups) return measures.map(() => Number.NaN);
    const means = measures.map(() => 0);
    for (let shuffle = 0; shuffle < seeds; shuffle++) {
      const order = shuffled(drawn, randomOf(shuffle));
      const targets: number[] = [];
      const scores: number[] = [];
      for (let group = 0; group < groups; group++) {
        const start = Math.floor((group * order.length) / groups);
        const end = Math.floor(((group + 1) * order.length) / groups);
        const sum = { score: 0, tp: 0, fp: 0, fn: 0 };
        for (let at = start; at < end; at++) {
          const row = order[at] ?? 0;
          sum.score += score[row] ?? 0;
          sum.tp += tp?.[row] ?? 0;
          sum.fp += fp?.[row] ?? 0;
          sum.fn += fn?.[row] ?? 0;
        }
        const value = targetOf(target, sum);
        if (Number.isNaN(value)) continue;
        targets.push(value);
        scores.push(sum.score / (end - start));
      }
      const places = Int32Array.from(targets.keys());
      const found = measured(Float64Array.from(scores), Float64Array.from(targets), places);
      found.values().forEach((value, which) => {
        means[which] = (means[which] ?? 0) + value / seeds;
      });
    }
    return means;
  };
}

function targetOf(
  target: CountTarget,
  { tp, fp, fn }: { readonly tp: number; readonly fp: number; readonly fn: number },
): number {
  if (target === "precision") return tp / (tp + fp);
  return target === "recall" ? tp / (tp + fn) : (2 * tp) / (2 * tp + fp + fn);
}

/** A shuffled copy (Fisher and Yates). */
function shuffled(rows: Int32Array, random: Random): Int32Array {
  const order = rows.slice();
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    const held = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = held;
  }
  return order;
}

function bootstrap(
  scored: readonly GroupedRow[],
  valuesOf: ValuesOf,
  { resamples = 0, seed = 0 }: Pick<IntervalMethod, "resamples" | "seed">,
): ([low: number, high: number] | undefined)[] {
  const { cluster, count } = promptClusters(scored);
  if (count < 2) return [];
  const members = Array.from({ length: count }, (): number[] => []);
  cluster.forEach((one, row) => {
    members[one]?.push(row);
  });
  const random = randomFrom(seed, "grouped bootstrap");
  const drawnValues: number[][] = [];
  for (let resample = 0; resample < resamples; resample++) {
    const drawn = Int32Array.from(
      Array.from({ length: count }, () => members[random.integer(count)] ?? []).flat(),
    );
    valuesOf(drawn, (shuffle) => randomFrom(seed, "grouped bootstrap", resample, shuffle)).forEach(
      (value, which) => {
        drawnValues[which] ??= [];
        if (!Number.isNaN(value)) drawnValues[which].push(value);
      },
    );
  }
  return drawnValues.map((values) => {
    if (values.length === 0) return undefined;
    const sorted = Float64Array.from(values).sort();
    return [quantile(sorted, 0.025), quantile(sorted, 0.975)];
  });
}
