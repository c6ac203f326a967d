import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import type { Card } from "../../../views/report.js";

/** The pair of images of a run's report, and whether the lab drew it; empty where it has none. */
export async function runPair(
  run: ReportedRun,
  options: {
    readonly name: string;
    readonly unfiltered: boolean;
    readonly resamples: number;
  },
): Promise<{ readonly example?: Card; readonly isFromLab?: boolean }> {
  const benchmark = benchmarkOf(run.recipe);
  const report = await benchmark?.report?.(await benchmark.conclude(run, options));
  return report?.pair === undefined ? {} : { example: report.pair, isFromLab: report.isFromLab };
}
