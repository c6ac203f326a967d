import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type Estimand,
  estimate,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "./intervals.js";
import { type PromptClusters, promptClusters } from "./prompt-clusters.js";

export interface MeanOptions extends IntervalOptions, Pick<Estimand, "within"> {
  /** Why there is no mean where there are no rows. */
  readonly whenEmpty: string;
}

/** Mean of the rows' values; a resample draws whole prompts, or rows where none names a prompt. */
export function meanByPrompt(
  rows: readonly {
    readonly id: string;
    readonly prompt?: string | undefined;
    readonly value: number;
  }[],
  options: MeanOptions,
): Estimate & { readonly n: number } {
  const isPrompted = rows.some(({ prompt }) => prompt !== undefined);
  const values = Float64Array.from(rows, ({ value }) => value);
  return clusteredMean(values, { ...promptClusters(rows), isPrompted }, options);
}

/** The same of values by column. */
export const clusteredMean = (
  values: Float64Array,
  {
    weights,
    ...clusters
  }: PromptClusters & {
    readonly isPrompted: boolean;
    /** How many rows each value stands for; default: its own. */
    readonly weights?: Float64Array | undefined;
  },
  options: MeanOptions,
): Estimate & { readonly n: number } => ({
  ...meanOfSums(
    {
      ...clusters,
      counts: weights ?? new Float64Array(values.length).fill(1),
      sums: weights === undefined ? values : values.map((value, at) => value * (weights[at] ?? 0)),
    },
    options,
  ),
  n: values.length,
});

/** The same of sums of values, each of so many. */
export function meanOfSums(
  {
    cluster,
    count,
    isPrompted,
    counts,
    sums,
  }: PromptClusters & {
    readonly isPrompted: boolean;
    readonly counts: Float64Array;
    readonly sums: Float64Array;
  },
  { whenEmpty, within, ...options }: MeanOptions,
): Estimate & { readonly n: number } {
  const method = intervalMethod(options, {
    clusters: count,
    clusteredBy: isPrompted ? "prompt" : "row",
  });
  const table = clusterSums({
    cluster,
    group: new Int32Array(sums.length),
    columns: [counts, sums],
    clusters: count,
    groups: 1,
  });
  const term = { weight: 1, groups: [0], numerator: 1, denominator: 0, whenEmpty };
  const estimand = { terms: [term], ...(within === undefined ? {} : { within }) };
  const [mean] = estimate(table, [estimand], method);
  return {
    ...(mean ?? undefinedEstimate(whenEmpty)),
    n: counts.reduce((all, its) => all + its, 0),
  };
}
