import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import { shownBenchmark } from "../../../report/benchmarks/shown-benchmarks.js";
import type { Html } from "../../../report/pages/html.js";
import { artCredit, labNotice } from "../../../report/pages/notices.js";

/** The run's part of a page of cards, beside its figures. */
interface RunPair {
  readonly example?: Html;
  readonly notice?: Html;
  readonly credit?: Html;
}

/** The pair of images of a run's report, as far as it has one. */
export async function runPair(
  run: ReportedRun,
  options: {
    readonly name: string;
    readonly unfiltered: boolean;
    readonly resamples: number;
  },
): Promise<RunPair> {
  const benchmark = benchmarkOf(run.recipe);
  const shown = await (benchmark && shownBenchmark(benchmark))?.report?.(run, options);
  const pair = await shown?.pair?.();
  if (pair === undefined) return {};
  const { example, isFromLab } = pair;
  return { example, ...(isFromLab ? { notice: labNotice, credit: artCredit } : {}) };
}
