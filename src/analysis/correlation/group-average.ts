import { randomFrom } from "../../core/random.js";
import { tanh } from "../../stats/elementary/hyperbolic.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { fisherZ } from "../../stats/fisher-z.js";
import { influenceMargin, spreadOf } from "../../stats/influence-error.js";
import {
  type Interval,
  type IntervalMethod,
  isByInfluence,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { tooFewDecide } from "../inference/prompt-clusters.js";
import { sampledInterval, weightedSamples } from "../inference/weighted-samples.js";

export const groupAverages = ["fisher", "mean"] as const;
/** "fisher": tanh of the mean of Fisher's z; "mean": that of the coefficients themselves. */
export type GroupAverage = (typeof groupAverages)[number];

/** A coefficient of each group, and how much the group counts. */
export interface WeightedGroups {
  readonly coefficients: readonly number[];
  readonly weights: readonly number[];
}

export interface AverageOptions {
  readonly average: GroupAverage;
  readonly method: IntervalMethod;
  /** Range of a coefficient; default: -1 to 1. */
  readonly range?: readonly [low: number, high: number];
}

/**
 * The weighted average of groups' coefficients. The interval draws whole groups; by the delta method it
 * is made on Fisher's z where that is averaged, so that it stays within -1 and 1.
 */
export function groupAverage(groups: WeightedGroups, options: AverageOptions): Estimate {
  const one = averaged(groups, options);
  return estimateOf([one], options, (_, method) => {
    const margin = influenceMargin(method, spreadOf(one.influence()));
    return [one.back(one.mean() - margin), one.back(one.mean() + margin)];
  });
}

/** The same of one metric minus that of another, over the same groups in the same order. */
export function groupAverageDifference(
  first: WeightedGroups,
  second: WeightedGroups,
  options: AverageOptions,
): Estimate {
  const [one, other] = [averaged(first, options), averaged(second, options)];
  return estimateOf([one, other], options, (difference, method) => {
    const others = other.influence();
    const influence = one
      .influence()
      .map((moves, at) => one.slope() * moves - other.slope() * (others[at] ?? 0));
    const margin = influenceMargin(method, spreadOf(influence));
    return [difference - margin, difference + margin];
  });
}

interface Averaged {
  /** 0, 1, … for the groups. */
  readonly places: Int32Array;
  /** Mean of what is averaged, z or r. */
  mean(times?: Float64Array): number;
  /** From there to a coefficient, and by how much it moves there. */
  back(mean: number): number;
  slope(): number;
  /** Derivative of the mean by the weight of each group. */
  influence(): Float64Array;
}

function averaged(
  { coefficients, weights }: WeightedGroups,
  { average }: AverageOptions,
): Averaged {
  const isFisher = average === "fisher";
  const values = Float64Array.from(coefficients, isFisher ? fisherZ : (r) => r);
  const mean = (times?: Float64Array) => {
    let sum = 0;
    let total = 0;
    for (let group = 0; group < values.length; group++) {
      const weight = (weights[group] ?? 0) * (times?.[group] ?? 1);
      sum += weight * (values[group] ?? 0);
      total += weight;
    }
    return sum / total;
  };
  return {
    places: Int32Array.from(values.keys()),
    mean,
    back: isFisher ? tanh : (r) => r,
    slope: () => (isFisher ? 1 - square(tanh(mean())) : 1),
    influence() {
      const [centre, total] = [mean(), weights.reduce((sum, weight) => sum + weight, 0)];
      return values.map((value, group) => ((weights[group] ?? 0) * (value - centre)) / total);
    },
  };
}

function estimateOf(
  sides: readonly [Averaged] | readonly [Averaged, Averaged],
  { method, range: [low, high] = [-1, 1] }: AverageOptions,
  byInfluence: (value: number, method: "delta" | "t") => Exclude<Interval, undefined>,
): Estimate {
  const [one, other] = sides;
  const { length } = one.places;
  if (length === 0) return undefinedEstimate("no group has a coefficient");
  const averageWith = (times?: Float64Array) =>
    one.back(one.mean(times)) - (other?.back(other.mean(times)) ?? 0);
  const value = averageWith();
  const interval =
    length < 2
      ? undefined
      : isByInfluence(method.method)
        ? byInfluence(value, method.method)
        : sampledInterval(
            value,
            weightedSamples((times) => [averageWith(times)], {
              count: 1,
              cluster: one.places,
              clusters: length,
              method,
              random: randomFrom(method.seed ?? 0, "bootstrap of groups"),
            }),
            0,
          );
  const within = other === undefined ? ([low, high] as const) : ([low - high, high - low] as const);
  return {
    ...withInterval(value, interval, { within, whenNone: "no interval from one group" }),
    ...(other === undefined ? tooFewDecide(spreadOf(one.influence())) : {}),
  };
}
