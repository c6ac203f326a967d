import { atanh, tanh } from "../../stats/elementary/hyperbolic.js";
import type { Estimate } from "../../stats/estimate.js";
import { percentileInterval, quantile } from "../../stats/percentile-interval.js";
import {
  type GroupedOptions,
  type GroupedRow,
  type Sample,
  Samples,
} from "../inference/grouped-samples.js";
import { intervalMethod, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import type { CorrelationConclusion } from "./correlation.js";
import { type Measure, measureRange, measures } from "./correlation-measures.js";
import type { CorrelationMetric } from "./correlation-metric.js";
import { columnsOf } from "./correlation-row.js";
import { correlationWarnings } from "./correlation-warnings.js";
import type { CountTarget } from "./grouping.js";

export interface GroupedConclusion extends CorrelationConclusion {
  readonly target: CountTarget;
  readonly groups: number;
  readonly seeds: number;
}

/** A conclusion, and what compares two of its metrics from the same draws. */
export interface GroupedComparison {
  readonly conclusion: GroupedConclusion;
  /**
   * A measure of `metric` minus that of `than`, on the images that both scored, dealt into the same
   * groups.
   */
  difference(compared: {
    readonly metric: string;
    readonly than: string;
    readonly measure: Measure;
  }): Estimate;
}

/**
 * How well metrics follow people where one image has too few judgements for a rate of its own:
 * images are shuffled and dealt into groups, people's counts are pooled in a group and give its
 * target (F1 = 2 tp / (2 tp + fp + fn), precision = tp / (tp + fp), recall = tp / (tp + fn)), a
 * metric's scores their mean, and these are correlated over groups. Each value is the mean over
 * `seeds` shuffles; a group whose target is 0 / 0 is left out. Few groups make a value that moves
 * with the shuffle. Intervals: a bootstrap of whole prompts, dealt into groups anew, so that draws
 * spread as the value does, by which images there are and by how they were dealt; as draws lie
 * around the mean of all dealings and not around the value, their quantiles are moved to it
 * (`centredInterval`). There are no p-values.
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
): GroupedComparison {
  const { target, groups, seeds } = options;
  const rated = inOrder(rows.filter(({ counts }) => counts !== null));
  const method = intervalMethod(
    { ...options, interval: "percentile" },
    {
      clusters: promptClusters(rated).count,
      clusteredBy: rated.some(({ prompt }) => prompt !== undefined) ? "prompt" : "row",
    },
  );
  const samples = new Samples(rated, {
    ...options,
    resamples: method.resamples,
    seed: method.seed,
  });
  const results = samples.ofEach(metrics.map((_, at) => at)).map(
    (sample): CorrelationMetric => ({
      n: sample.n,
      unscored: rated.length - sample.n,
      ...estimatesOf(sample),
      p: { spearman: null, kendallTauB: null, pearson: null },
    }),
  );
  const n = results.reduce((sum, one) => sum + one.n, 0);
  const conclusion = {
    human,
    metrics: Object.fromEntries(results.map((one, at) => [metrics[at] ?? "", one])),
    target,
    groups,
    seeds,
    n,
    unscored: rated.length * metrics.length - n,
    unrated: rows.length - rated.length,
    pairRule:
      "pairs of groups that people tie are left out; pairs that only the metric ties count half",
    warnings: correlationWarnings(
      columnsOf({
        human,
        metrics,
        rows: rows.map((row) => ({ ...row, human: row.counts?.[0] ?? null })),
      }),
      method,
    ),
    intervals: { ...method, text: `${method.text}, dealt into groups anew, centred on the value` },
  };
  return {
    conclusion,
    difference({ metric, than, measure }) {
      const which = measures.indexOf(measure);
      const [one, other] = samples.ofBoth(metrics.indexOf(metric), metrics.indexOf(than));
      const value = (one.values[which] ?? Number.NaN) - (other.values[which] ?? Number.NaN);
      if (Number.isNaN(value)) return undefinedEstimate("undefined for one of the two");
      const others = other.resampled[which];
      const resampled = one.resampled[which]?.map(
        (each, at) => each - (others?.[at] ?? Number.NaN),
      );
      const interval = centredInterval(value, resampled ?? []);
      return withInterval(value, interval, { within: [-2, 2], whenNone: tooFewImages });
    },
  };
}

const tooFewImages = "no interval from so few images";

/** Orders rows, so that their order in the table changes no group. */
export const inOrder = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

function estimatesOf({ values, resampled }: Sample): Record<Measure, Estimate> {
  const estimates = measures.map((measure, which): [Measure, Estimate] => {
    const value = values[which] ?? Number.NaN;
    if (Number.isNaN(value)) {
      const reason = "there are too few groups, or all are alike to people or the metric";
      return [measure, undefinedEstimate(reason)];
    }
    const interval = centredInterval(value, resampled[which] ?? [], measureRange(measure));
    const within = measureRange(measure);
    return [measure, withInterval(value, interval, { within, whenNone: tooFewImages })];
  });
  // Made from the list of all of them.
  return Object.fromEntries(estimates) as Record<Measure, Estimate>;
}

/**
 * The 2.5 % and 97.5 % quantiles of resampled values, moved so that their median lies at `value`: for
 * a value that spreads as the resampled ones do, but does not lie in their middle, as when each is a
 * mean over a few random dealings of its own. Where bounds of the statistic are given, they are moved
 * on Fisher's scale, z = atanh((2 x - low - high) / (high - low)), so that they stay within; not where
 * value or median lie at a bound, where they are widened to hold the value.
 *
 * @param resampled NaN where undefined.
 * @returns undefined where no resample gave a value.
 * @example centredInterval(1, [0, 1, 2, 3, 4]) // [-0.9, 2.9]
 */
export function centredInterval(
  value: number,
  resampled: ArrayLike<number>,
  bounds?: readonly [low: number, high: number],
): [low: number, high: number] | undefined {
  const interval = percentileInterval(resampled);
  if (interval === undefined) return undefined;
  const defined = Float64Array.from(resampled)
    .filter((one) => !Number.isNaN(one))
    .sort();
  const median = quantile(defined, 0.5);
  const [low, high] = interval;
  if (bounds === undefined) return [value + (low - median), value + (high - median)];
  const [least, most] = bounds;
  const z = (x: number) => atanh((2 * x - least - most) / (most - least));
  const moved = z(value) - z(median);
  if (!Number.isFinite(moved)) return [Math.min(low, value), Math.max(high, value)];
  const back = (x: number) => ((most - least) * tanh(z(x) + moved) + least + most) / 2;
  return [back(low), back(high)];
}
