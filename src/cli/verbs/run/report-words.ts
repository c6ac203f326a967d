import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import type { RecordStore } from "../../../core/record-store.js";

/** The command that reports on a run: on all of it where its filter or its reference leaves nothing to conclude from. */
export async function reportWords(run: string, store: RecordStore): Promise<readonly string[]> {
  const isEmptied = await benchmarkOf(store.recipe)?.isEmptied?.(store);
  return ["report", run, ...(isEmptied === true ? ["--unfiltered"] : [])];
}
