import type { Objective } from "../ensembles/weight-problem.js";
import type { Estimate } from "../stats/estimate.js";

export interface NoPreferenceDesign {
  readonly prompts: readonly number[];
  readonly labels: readonly number[];
  readonly clusters: number;
  readonly objectives: readonly Objective[];
  readonly lambda: number;
  readonly temperature: number;
  /** How many of each: of draws of prompts, and of labels. */
  readonly seeds: { readonly training: number; readonly labels: number };
  readonly folds: number;
  readonly supportPerCluster: number;
  readonly restarts: number;
  readonly iterations: number;
  readonly seed: number;
}

/** One method's answers on held-out pairs of an image and a copy that was degraded in one way. */
export interface CopyCell {
  readonly degradation: string;
  /** Such pairs. */
  readonly n: number;
  /** Share of right answers. By a bootstrap of captions, as the next. */
  readonly accuracy: Estimate;
  /** Mean max(p, 1 - p), whether the answer is right or not. */
  readonly confidence: Estimate;
}

/** One method at one setting. */
export interface NoPreferenceCell {
  readonly method: string;
  readonly prompts: number;
  readonly labels: number;
  /** Mean max(p, 1 - p) on pairs of which neither is better: 0.5 at best. By a bootstrap of captions. */
  readonly confidence: Estimate;
  /** Share of right answers on held-out pairs of an image and its degraded copy. */
  readonly accuracy: Estimate;
  /** The same copies by kind; none where no pair says how its copy was degraded. */
  readonly copies: readonly CopyCell[];
  /** The lowest confidence of its setting. */
  readonly isBest: boolean;
  /** Adjusted p-value of a paired test by caption against the lowest; null for the lowest. */
  readonly pAdjusted: number | null;
}
