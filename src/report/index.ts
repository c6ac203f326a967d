export type {
  BuiltOptions,
  BuiltText,
  PageOptions,
  PairExample,
  ShownBenchmark,
  ShownConclusion,
} from "./benchmarks/shown-benchmark.js";
export { shownBenchmark, shownBenchmarks } from "./benchmarks/shown-benchmarks.js";
export { pngOf } from "./drawing/png.js";
export { svgOf } from "./drawing/svg.js";
export type {
  OverviewColumn,
  OverviewFacet,
  OverviewRow,
  OverviewTable,
  RunOverview,
} from "./overviews/run-overview.js";
export type { Html } from "./pages/html.js";
export { renderAuditReport } from "./pages/render-audit-report.js";
export { renderConfusionReport } from "./pages/render-confusion-report.js";
export { renderPrototypicalityReport } from "./pages/render-prototypicality-report.js";
export type { FurtherChapter } from "./sections/further-chapters.js";
