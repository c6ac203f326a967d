export { pngOf } from "./drawing/png.js";
export { svgOf } from "./drawing/svg.js";
export type {
  AuditCard,
  AuditDiversity,
  AuditPrice,
  AuditReport,
  CardFlag,
  CardPhase,
  RefineCounts,
} from "./pages/audit-report.js";
export type {
  ConfusionReport,
  GeneratorResults,
  LocalizedVariant,
  Strip,
  StripEntity,
  StripQuestion,
  Strips,
  SwapSelection,
} from "./pages/confusion-report.js";
export type { CardImage, Gallery, GalleryColumn, GalleryEntry } from "./pages/gallery.js";
export type {
  CardScore,
  MetricResults,
  PairCard,
  PrototypicalityReport,
  SelectionResults,
} from "./pages/prototypicality-report.js";
export { renderAuditReport } from "./pages/render-audit-report.js";
export { renderConfusionReport } from "./pages/render-confusion-report.js";
export { renderPrototypicalityReport } from "./pages/render-prototypicality-report.js";
export type { PairOutcome } from "./reading/choose-cards.js";
export type { ExchangedPart } from "./reading/localized-metrics.js";
export { readAuditReport } from "./reading/read-audit-report.js";
export { readConfusionReport } from "./reading/read-confusion-report.js";
export { readPrototypicalityReport } from "./reading/read-prototypicality-report.js";
export type { Provenance, UnscoredCount } from "./reading/read-provenance.js";
export { type ExplainedRun, type RecordLife, recordLife } from "./reading/record-life.js";
export type { ReportedRun } from "./reading/run-records.js";
export type { FurtherChapter } from "./sections/further-chapters.js";
