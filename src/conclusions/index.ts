/**
 * Conclusions from tables, as the verbs `analyze`, `compare`, `card` and `judge check` draw them.
 *
 * @module analysis
 */

export { agreement, type RatingRow } from "../analysis/agreement/agreement.js";
export { type CalibrationRow, calibration } from "../analysis/calibration/calibration.js";
export { type PredictionRow, significance } from "../analysis/calibration/significance.js";
export { comparison as compare } from "../analysis/comparison/comparison.js";
export type { ComparisonRow } from "../analysis/comparison/comparison-samples.js";
export type { AttributeRow } from "../analysis/confusion/attributed-images.js";
export { attributes } from "../analysis/confusion/attributes.js";
export { correlation } from "../analysis/correlation/correlation.js";
export type { CorrelationTable } from "../analysis/correlation/correlation-row.js";
export { ensemble } from "../analysis/ensemble/ensemble.js";
export type { EnsembleRow } from "../analysis/ensemble/ensemble-rows.js";
export type { IntervalOptions } from "../analysis/inference/intervals.js";
export { judgeCheck } from "../analysis/judge-check/judge-check.js";
export type { RatingRow as JudgeRatingRow, VoteRow } from "../analysis/judge-check/row-ratios.js";
export { type ContrastiveRow, contrastive } from "../analysis/pairs/contrastive.js";
export type { SwapRow } from "../analysis/pairs/swap.js";
export { swapTest as swap } from "../analysis/pairs/swap-test.js";
export type { PreferenceRow } from "../analysis/preferences/preference-cells.js";
export { preferences } from "../analysis/preferences/preferences.js";
export { type RaterRow, raters } from "../analysis/raters/raters.js";
export type { StereotypeRow } from "../analysis/stereotypes/stereotype-row.js";
export { stereotypes } from "../analysis/stereotypes/stereotypes.js";
export { trustCard } from "../analysis/trust-card/trust-card.js";
export type { CardRow } from "../analysis/trust-card/trust-card-rows.js";
export type { View } from "../views/view.js";
export { conclude } from "./conclusions.js";
export { guessTable } from "./guess-table.js";
