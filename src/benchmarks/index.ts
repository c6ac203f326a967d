export { attributeConfusion } from "./attribute-confusion/benchmark.js";
export type { BuildDescriptionsOptions } from "./attribute-confusion/build-descriptions.js";
export type {
  ConfusionReport,
  GeneratorResults,
  LocalizedVariant,
  Strip,
  StripEntity,
  StripQuestion,
  Strips,
  SwapCard,
  SwapSelection,
} from "./attribute-confusion/conclusion.js";
export type { Description, DescriptionWording } from "./attribute-confusion/descriptions.js";
export * from "./attribute-confusion/index.js";
export type { ExchangedPart } from "./attribute-confusion/localized-metrics.js";
export type { OwnDescriptions } from "./attribute-confusion/own-descriptions.js";
export type * from "./benchmark.js";
export { benchmarkOf, benchmarks } from "./benchmarks.js";
export type {
  CardImage,
  Gallery,
  GalleryColumn,
  GalleryEntry,
} from "./disagreement-gallery.js";
export { preference } from "./preference/benchmark.js";
export type { BuildPairsOptions } from "./preference/build-pairs.js";
export * from "./preference/index.js";
export type { KnownPair } from "./preference/no-preference-pairs.js";
export type { PreferencePairs } from "./preference/preference-rows.js";
export { prototypicality } from "./prototypicality/benchmark.js";
export type { BuildPromptsOptions } from "./prototypicality/build-prompts.js";
export type { PairOutcome } from "./prototypicality/choose-cards.js";
export type {
  CardScore,
  MetricResults,
  PairCard,
  PrototypicalityReport,
  SelectionResults,
} from "./prototypicality/conclusion.js";
export * from "./prototypicality/index.js";
export type { PaintImagesOptions } from "./prototypicality/paint-images.js";
export type { CanDraw } from "./prototypicality/plan-prompts.js";
export type { RunFilter } from "./prototypicality/run-filter.js";
export type { ScoreTime } from "./prototypicality/score-times.js";
export type { Attribute, Domain, Member } from "./prototypicality/taxonomy.js";
export type {
  RefusedTriplet,
  Triplet,
  TripletRequest,
  TripletWriter,
  WriteOptions,
} from "./prototypicality/triplet.js";
export type { Provenance, UnscoredCount } from "./provenance.js";
export type { ReportedRun } from "./run-records.js";
export type { AuditOptions } from "./stereotypes/audit-steps.js";
export { stereotypes } from "./stereotypes/benchmark.js";
export type {
  AuditCard,
  AuditDiversity,
  AuditExperts,
  AuditPrice,
  AuditReport,
  CardFlag,
  CardPhase,
  RefineCounts,
} from "./stereotypes/conclusion.js";
export * from "./stereotypes/index.js";
export type { DataSource } from "./stereotypes/packaged.js";
export type { World } from "./world.js";
