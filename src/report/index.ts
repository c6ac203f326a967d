export { renderConfusionReport } from "./benchmarks/attribute-confusion/page.js";
export type {
  OverviewColumn,
  OverviewFacet,
  OverviewRow,
  OverviewTable,
  RunOverview,
} from "./benchmarks/overview.js";
export { renderPrototypicalityReport } from "./benchmarks/prototypicality/page.js";
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
export type { Html } from "./pages/html.js";
export type { FurtherChapter } from "./pages/page.js";
export { renderAuditReport } from "./pages/render-audit-report.js";
