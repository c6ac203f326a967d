export {
  type AgreementConclusion,
  type AgreementOptions,
  agreement,
  type RatingRow,
} from "./agreement/agreement.js";
export {
  type AnsweredByBoth,
  type ItemAgreement,
  itemAgreement,
  type JudgeAgreement,
  judgeAgreement,
} from "./agreement/judge-agreement.js";
export type { PairwiseAgreement } from "./agreement/pairwise-agreement.js";
export {
  type CalibrationConclusion,
  type CalibrationOptions,
  type CalibrationRow,
  calibration,
} from "./calibration/calibration.js";
export {
  type BinOptions,
  type CalibrationStatistic,
  calibrationStatistics,
} from "./calibration/calibration-measures.js";
export {
  type PlaceBias,
  type PositionBiasConclusion,
  positionBias,
} from "./calibration/position-bias.js";
export {
  type RatedRow,
  type RatingCalibrationConclusion,
  type RatingStatistic,
  ratingCalibration,
  ratingStatistics,
} from "./calibration/rating-calibration.js";
export {
  type MethodScore,
  type PredictionRow,
  type SignificanceConclusion,
  type SignificanceOptions,
  type SignificanceTest,
  type SwapUnit,
  significance,
  swapUnits,
} from "./calibration/significance.js";
export type { ComparedPair } from "./comparison/compared-pair.js";
export {
  type ComparedModel,
  type ComparisonConclusion,
  type ComparisonOptions,
  comparison as compare,
} from "./comparison/comparison.js";
export {
  type Baseline,
  type ComparisonGate,
  comparisonGate,
  type GatedModel,
  type GateOptions,
} from "./comparison/comparison-gate.js";
export {
  type CorrectedEstimate,
  type CorrectedPair,
  type CountedPair,
  type HumanCorrected,
  type LabelSampling,
  labelSamplings,
} from "./comparison/comparison-labels.js";
export type { ComparisonColumns, ComparisonRow } from "./comparison/comparison-samples.js";
export type { PairedPrompts } from "./comparison/model-change.js";
export type { PromptScores } from "./comparison/prompt-scores.js";
export type { ScoreMeasure } from "./comparison/score-measure.js";
export type { AttributedImage, AttributeRow } from "./confusion/attributed-images.js";
export {
  type AttributeConclusion,
  type AttributeOptions,
  attributes,
  type Estimates,
  type ImageAttributes,
} from "./confusion/attributes.js";
export {
  type DecompositionConclusion,
  type DecompositionRow,
  decomposition,
  type PrecisionAndRecall,
} from "./confusion/decomposition.js";
export {
  type Also,
  type AlsoEstimates,
  type AlsoMeasure,
  alsoMeasures,
  type WilliamsResult,
} from "./correlation/also.js";
export {
  type CorrelationComparison,
  type CorrelationConclusion,
  type CorrelationOptions,
  correlation,
  correlationComparison,
} from "./correlation/correlation.js";
export { type Measure, measures } from "./correlation/correlation-measures.js";
export type { CorrelationMetric } from "./correlation/correlation-metric.js";
export type { CorrelationRow, CorrelationTable } from "./correlation/correlation-row.js";
export {
  type GroupedComparison,
  type GroupedConclusion,
  groupedCorrelation,
} from "./correlation/grouped-correlation.js";
export {
  type GroupCoefficients,
  type GroupedMethod,
  type GroupingOptions,
  type GroupMeasure,
  type GroupWeight,
  groupMeasures,
  groupWeights,
  type UndefinedGroupRule,
  undefinedGroupRules,
  type WithinGroups,
} from "./correlation/grouping.js";
export { type TieCalibration, tieCalibrations } from "./correlation/tie-calibration.js";
export type { GroupedCorrelations } from "./correlation/within-groups.js";
export {
  type EnsembleConclusion,
  type EnsembleGroup,
  type EnsembleOptions,
  type EnsembleResult,
  ensemble,
} from "./ensemble/ensemble.js";
export { type EnsembleMethod, ensembleMethods } from "./ensemble/ensemble-methods.js";
export { type EnsembleRow, type EnsembleSplit, ensembleSplits } from "./ensemble/ensemble-rows.js";
export type { EnsembleTest } from "./ensemble/ensemble-tests.js";
export type { ClaimOutcome, ClaimScale, TestedFinding } from "./inference/claims.js";
export type { TestUnit } from "./inference/exact-tests.js";
export type { GroupedOptions, GroupedRow } from "./inference/grouped-samples.js";
export {
  type ClusterUnit,
  type Interval,
  type IntervalKind,
  type IntervalMethod,
  type IntervalOptions,
  intervalKinds,
} from "./inference/intervals.js";
export {
  type ContrastiveConclusion,
  type ContrastiveMetric,
  type ContrastiveOptions,
  type ContrastiveRow,
  type ContrastiveSummary,
  contrastive,
} from "./pairs/contrastive.js";
export { type ComparedFailures, failureRateDifference } from "./pairs/failure-rate-difference.js";
export type { Selection } from "./pairs/image-pairs.js";
export type { PairSummary } from "./pairs/pair-summary.js";
export type { Direction } from "./pairs/pair-sums.js";
export type { PairRow } from "./pairs/pair-table.js";
export {
  type Comparison,
  type ControlledSummary,
  type EffectConclusion,
  type EffectMetric,
  type EffectOptions,
  type EffectRow,
  prototypicalityEffect,
} from "./pairs/prototypicality-effect.js";
export type { LeftOutPrompts, Retention, RetentionCount } from "./pairs/retention.js";
export { type ScoreRange, type ScoreScale, scoreScales } from "./pairs/score-scale.js";
export { type ScoreRow, type ScoreSummary, scoreSummary } from "./pairs/score-summary.js";
export { defaultTieTolerance, type TieOptions } from "./pairs/score-ties.js";
export {
  type ConfusionSwapRow,
  type SwapConclusion,
  type SwapMetric,
  type SwapOptions,
  type SwapRow,
  type SwapSummary,
  swap,
} from "./pairs/swap.js";
export { type SwapTestConclusion, type SwapTestOptions, swapTest } from "./pairs/swap-test.js";
export type { EvaluatedMetric } from "./pairs/triplets.js";
export {
  type PreferenceRow,
  type PreferenceUnit,
  preferenceUnits,
} from "./preferences/preference-cells.js";
export type { PreferenceShares } from "./preferences/preference-shares.js";
export {
  type PreferenceConclusion,
  type PreferenceOptions,
  type PreferredModel,
  type PreferredPair,
  preferences,
} from "./preferences/preferences.js";
export type { IndexBounds, ScopeBounds } from "./stereotypes/audit-bounds.js";
export type {
  CorrectedFall,
  CorrectedShareOf,
  CorrectionConclusion,
} from "./stereotypes/audit-correction.js";
export type { InitialIndex } from "./stereotypes/audit-initial.js";
export type { ItemEstimate } from "./stereotypes/audit-items.js";
export type {
  AuditedQueries,
  AuditedQuery,
  IndexChange as QueryIndexChange,
} from "./stereotypes/audit-queries.js";
export type { SelfAgreement } from "./stereotypes/audit-self-agreement.js";
export type { AuditTruth } from "./stereotypes/audit-truth.js";
export type { ValueChange, ValueConclusion } from "./stereotypes/audit-values.js";
export type { IndexChange } from "./stereotypes/index-change.js";
export type { StereotypeRow } from "./stereotypes/stereotype-row.js";
export {
  type ItemRates,
  type StereotypeConclusion,
  type StereotypeSummary,
  stereotypes,
} from "./stereotypes/stereotypes.js";
export { type TrustCard, type TrustCardOptions, trustCard } from "./trust-card/trust-card.js";
export {
  type Behind,
  type CardFigure,
  type CardSubject,
  type Expectation,
  type FigureEstimate,
  type FigureId,
  type FigureStatus,
  type FigureUnit,
  figureIds,
} from "./trust-card/trust-card-figure.js";
export type {
  AnsweredCardRow,
  CardRow,
  PairCardRow,
  ScoreCardRow,
} from "./trust-card/trust-card-rows.js";
