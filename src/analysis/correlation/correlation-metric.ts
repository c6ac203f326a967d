import type { Estimate } from "../../stats/estimate.js";
import type { AlsoEstimates } from "./also.js";
import type { Measure } from "./correlation-measures.js";
import type { WithinGroups } from "./grouping.js";
import type { TieCalibration } from "./tie-calibration.js";

export type CorrelationMetric = Readonly<Record<Measure, Estimate>> & {
  /** Rows with a rating and a score. */
  readonly n: number;
  /** Rows with a rating but no score. */
  readonly unscored: number;
  /** Two-sided, of no association, as if rows were independent; null where undefined. */
  readonly p: Readonly<Record<"spearman" | "kendallTauB" | "pearson", number | null>>;
  /** Tie calibration, if requested. */
  readonly tieCalibration?: TieCalibration;
  /** Average correlations within groups, if requested. */
  readonly grouped?: WithinGroups & AlsoEstimates;
} & AlsoEstimates;
