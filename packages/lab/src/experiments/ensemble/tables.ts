import {
  undefinedEstimate,
  withInterval,
} from "touchstone-t2i/internal/analysis/inference/intervals.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { benjaminiYekutieliWhereTested } from "touchstone-t2i/internal/stats/adjusted-p-values.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { bootstrapInterval } from "touchstone-t2i/internal/stats/percentile-interval.js";
import { signFlipTest } from "touchstone-t2i/internal/stats/sign-flip-test.js";
import { baselineMethods, type GridDesign, mixtureMethods } from "./grid.js";
import { curvePoints, type ExperimentMetric, experimentMetrics, isMoreBetter } from "./metrics.js";
import type { CoverageError } from "./resampled.js";
import type { GridResults, Setting } from "./results.js";

/** One metric of one method at one setting. */
export interface GridCell extends Setting {
  readonly metric: ExperimentMetric;
  /** Mean over label seeds with a bootstrap over them: new labels, the same pairs. */
  readonly estimate: Estimate;
  /** True of the best method, or number of groups, of its comparison. */
  readonly isBest: boolean;
  /** Adjusted p-value of a paired test against the best; null for the best. */
  readonly pAdjusted: number | null;
}

/** Mean error among the surest answers. */
export interface GridCurve extends Setting {
  readonly points: readonly CoverageError[];
}

export interface GridTables {
  readonly design: GridDesign;
  /** The setting of tables 2 and 3 and of figure 3: of the grid's, the nearest to the paper's. */
  readonly reference: {
    readonly prompts: number;
    readonly labels: number;
    readonly clusters: number;
  };
  readonly methods: readonly string[];
  /** Table 1 and, at the reference, table 2: every metric of every method, prompts x labels. */
  readonly methodsTable: readonly GridCell[];
  /** Table 6 and, at the reference, table 3: mixtures by number of groups. */
  readonly clustersTable: readonly GridCell[];
  /** Figure 3. */
  readonly curves: readonly GridCurve[];
  readonly permutations: number;
  readonly resamples: number;
}

/**
 * Returns the tables of Slyman et al. (2025) from the results of a grid. Each method is compared with the
 * best of its setting by a sign-flip test over label seeds (`signFlipTest`); the p-values of one metric are
 * adjusted together (Benjamini and Yekutieli), as in the paper.
 */
export function gridTables(
  results: GridResults,
  {
    resamples = 1000,
    permutations = 10_000,
  }: { readonly resamples?: number; readonly permutations?: number } = {},
): GridTables {
  const { design } = results;
  const reference = {
    prompts: nearest(design.prompts, 10),
    labels: nearest(design.labels, 20),
    clusters: nearest(design.clusters, 16),
  };
  const methods = [...baselineMethods(design), ...mixtureMethods(design)];
  const { clusters } = reference;
  const settings = design.prompts.flatMap((prompts) =>
    design.labels.map((labels) => ({ prompts, labels })),
  );
  const options = { resamples, permutations };
  const compared = (groups: readonly (readonly Setting[])[]) =>
    experimentMetrics.flatMap((metric) => comparedCells(results, { groups, metric, ...options }));
  return {
    design,
    reference,
    methods,
    methodsTable: compared(
      settings.map((at) => methods.map((method) => ({ ...at, method, clusters }))),
    ),
    clustersTable: compared(
      mixtureMethods(design).flatMap((method) =>
        settings.map((at) => design.clusters.map((each) => ({ ...at, method, clusters: each }))),
      ),
    ),
    curves: design.labels.flatMap((labels) =>
      methods.map((method) =>
        curve(results, { method, labels, clusters, prompts: reference.prompts }, resamples),
      ),
    ),
    ...options,
  };
}

const nearest = (some: readonly number[], wanted: number) =>
  some.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best));

/** Returns one metric at all settings; each is compared with the best setting of its group. */
function comparedCells(
  results: GridResults,
  {
    groups,
    metric,
    resamples,
    permutations,
  }: {
    readonly groups: readonly (readonly Setting[])[];
    readonly metric: ExperimentMetric;
    readonly resamples: number;
    readonly permutations: number;
  },
): GridCell[] {
  const sign = isMoreBetter(metric) ? 1 : -1;
  const cells = groups.flatMap((group) => {
    const all = group.map((setting) => ({
      setting,
      values: results.perLabelSeed(setting, metric),
    }));
    const best = all.reduce((one, other) =>
      sign * mean(other.values) > sign * mean(one.values) ? other : one,
    );
    return all.map(({ setting, values }) => ({
      setting,
      estimate: meanEstimate(values, resamples, setting, metric),
      isBest: values === best.values,
      p:
        values === best.values || Number.isNaN(mean(values))
          ? null
          : signFlipTest(
              values.map((value, seed) => value - (best.values[seed] ?? 0)),
              {
                permutations,
                random: randomFrom(0, "grid test", metric, ...Object.values(setting)),
              },
            ).p,
    }));
  });
  const adjusted = benjaminiYekutieliWhereTested(cells.map(({ p }) => p));
  return cells.map(({ setting, estimate, isBest }, at) => ({
    ...setting,
    metric,
    estimate,
    isBest,
    pAdjusted: adjusted[at] ?? null,
  }));
}

function curve(results: GridResults, setting: Setting, resamples: number): GridCurve {
  return {
    ...setting,
    points: results.curves(setting).map((values, point) => ({
      coverage: (point + 1) / curvePoints,
      error: meanEstimate(values, resamples, setting, point),
    })),
  };
}

function meanEstimate(
  values: Float64Array,
  resamples: number,
  setting: Setting,
  of: string | number,
): Estimate {
  const value = mean(values);
  if (Number.isNaN(value)) return undefinedEstimate("it is undefined for a draw of labels");
  if (values.every((each) => each === values[0])) {
    return { value, low: null, high: null, reason: "other labels change nothing in it" };
  }
  const interval = bootstrapInterval({
    units: values.length,
    statistic(drawn) {
      let sum = 0;
      for (const seed of drawn) sum += values[seed] ?? 0;
      return sum / drawn.length;
    },
    resamples,
    random: randomFrom(0, "grid interval", of, ...Object.values(setting)),
  });
  return withInterval(value, interval, { whenNone: "no interval from one draw of labels" });
}

function mean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
