import type { Benchmark, ConcludeOptions } from "../../benchmarks/benchmark.js";
import type { ReportedRun } from "../../benchmarks/run-records.js";
import type { JsonObject } from "../../core/json.js";
import type { TextTable } from "../../views/text-table.js";
import type { Html } from "../pages/html.js";
import type { FurtherChapter } from "../pages/page.js";
import type { RunOverview } from "./overview.js";

/** Images of the run, and who is right about them: an example for any page about it. */
export interface PairExample {
  readonly example: Html;
  readonly isFromLab: boolean;
}

/** A conclusion as it is shown. */
export interface ShownConclusion {
  /** The verdict, in sentences, the most important first. */
  readonly verdict: readonly string[];
  /** The key of a score that the page shows. */
  readonly example?: string | undefined;
  /** Members of `report --json` beside the verdict. */
  readonly json: JsonObject;
  /** The pair of images of its first screen; undefined where it has none. */
  pair?(): Promise<PairExample | undefined>;
  /** The part of it that the run's page of the studio shows. */
  overview?(): Promise<RunOverview>;
  /** The report, one HTML file. */
  page(options?: PageOptions): Promise<string>;
}

export interface PageOptions {
  /** Reports that the page links to. */
  readonly further?: readonly FurtherChapter[];
  /** What models see and metrics read, where it was checked. */
  readonly sanity?: string | undefined;
}

/** Text that `build` prints of a run that it built. */
export interface BuiltText {
  readonly parts: readonly (string | Pick<TextTable, "columns" | "rows">)[];
  readonly json: JsonObject;
  /** The words after `touchstone` of the command that goes on. */
  readonly next: readonly string[];
}

export interface BuiltOptions {
  /** The run as its user named it, and its folder. */
  readonly name: string;
  readonly folder: string;
  readonly count: number | undefined;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly drawableBy: string | undefined;
}

/** How a benchmark is shown. */
export interface Showing<Conclusion> {
  /** Undefined for a benchmark whose runs have no report. */
  readonly show?: (conclusion: Conclusion) => ShownConclusion;
  /** Undefined for a benchmark that `build` doesn't build. */
  readonly built?: (run: ReportedRun, options: BuiltOptions) => Promise<BuiltText>;
}

/** A benchmark with how it is shown, the type of its conclusion forgotten. */
export interface ShownBenchmark extends Pick<Showing<never>, "built"> {
  readonly benchmark: Benchmark;
  /** Draws the conclusions from a run and shows them; undefined where its runs have no report. */
  readonly report?: (run: ReportedRun, options: ConcludeOptions) => Promise<ShownConclusion>;
}

/** Registers how a benchmark is shown. */
export const shown = <Conclusion>(
  benchmark: Benchmark<Conclusion>,
  { show, built }: Showing<Conclusion>,
): ShownBenchmark => ({
  benchmark,
  ...(built === undefined ? {} : { built }),
  ...(show === undefined
    ? {}
    : { report: async (run, options) => show(await benchmark.conclude(run, options)) }),
});
