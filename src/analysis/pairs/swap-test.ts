import type { IntervalMethod, IntervalOptions } from "../inference/intervals.js";
import type { Direction } from "./pair-sums.js";
import type { TieOptions } from "./score-ties.js";
import { type SwapRow, type SwapSummary, swap } from "./swap.js";
import { swapWarnings } from "./swap-warnings.js";

export interface SwapTestOptions extends IntervalOptions, TieOptions {
  /** Direction of the metrics. Default "higher". */
  readonly direction?: Direction | undefined;
}

/** How often metrics prefer a description whose attributes are swapped. */
export interface SwapTestConclusion {
  readonly metrics: Readonly<Record<string, SwapSummary>>;
  readonly tieRule: string;
  readonly tieTolerance: number;
  readonly direction: Direction;
  /** Rows with both scores, over all metrics. */
  readonly n: number;
  readonly unscored: number;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * `swap` of a table: each metric over all its rows, with what a reader must know. Intervals draw whole
 * prompts, or rows where none is named.
 *
 * @example
 * swapTest([{ id: "1", metric: "m", original: 0.7, swapped: 0.8 }]).metrics.m?.failureRate.value // 1
 */
export function swapTest(
  rows: readonly SwapRow[],
  { direction = "higher", ...options }: SwapTestOptions = {},
): SwapTestConclusion {
  const { metrics, intervals, ...found } = swap(rows, {
    ...options,
    directionOf: () => direction,
  });
  const sign = direction === "higher" ? 1 : -1;
  const turned = (score: number | null) => (score === null ? null : sign * score);
  const { tieTolerance } = found;
  return {
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([name, { overall }]) => [name, overall]),
    ),
    ...found,
    direction,
    warnings: swapWarnings(
      rows.map(({ id, metric, prompt, original, swapped }) => ({
        id,
        metric,
        prompt,
        domain: "",
        correct: turned(original),
        adversarial: turned(swapped),
      })),
      { tieTolerance, method: intervals.method, clusteredBy: intervals.clusteredBy },
    ),
    intervals,
  };
}
