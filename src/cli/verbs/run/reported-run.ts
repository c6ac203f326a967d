import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type NamedFrom, openDocuments, runPlace } from "../../../files/open-store.js";
import { reportPage } from "../../../report/pages/report-page.js";
import { sanityOfRun } from "../../../runs/run-sanity.js";
import { worldOf } from "./benchmark-of.js";
import { type WrittenReport, writeReport } from "./written-report.js";

/** Draws the conclusions from a run of a benchmark and writes its report beside it. */
export async function reportRun(
  store: RecordStore,
  { run, environment }: { readonly run: string; readonly environment: NamedFrom },
): Promise<WrittenReport> {
  const { recipe } = store;
  const benchmark = benchmarkOf(recipe);
  const conclusion = await benchmark?.conclude(store, {
    name: run,
    world: await worldOf(recipe),
    documents: openDocuments(runPlace(run, environment)),
  });
  const found = await benchmark?.report?.(conclusion);
  if (found === undefined) throw new RangeError(`Expected a benchmark with a report in ${run}`);
  const sanity = (await sanityOfRun(store))?.verdict;
  const { verdict, overview, report } = found;
  const page = () => reportPage(report(), { sanity });
  return writeReport({ verdict, overview, page }, { run, environment });
}
