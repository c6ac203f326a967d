import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type NamedFrom, openDocuments, runPlace } from "../../../files/open-store.js";
import { shownBenchmark } from "../../../report/benchmarks/shown-benchmarks.js";
import { sanityOfRun } from "../../../runs/check-run.js";
import { worldOf } from "./benchmark-of.js";
import { type WrittenReport, writeReport } from "./written-report.js";

/** Draws the conclusions from a run of a benchmark and writes its report beside it. */
export async function reportRun(
  store: RecordStore,
  { run, environment }: { readonly run: string; readonly environment: NamedFrom },
): Promise<WrittenReport> {
  const { recipe } = store;
  const benchmark = benchmarkOf(recipe);
  const report = benchmark && shownBenchmark(benchmark)?.report;
  if (report === undefined) throw new RangeError(`Expected a benchmark with a report in ${run}`);
  const { verdict, overview, page } = await report(store, {
    name: run,
    world: await worldOf(recipe),
    documents: openDocuments(runPlace(run, environment)),
  });
  const sanity = (await sanityOfRun(store))?.verdict;
  return writeReport({ verdict, overview, page: () => page({ sanity }) }, { run, environment });
}
