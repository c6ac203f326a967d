import type { Environment } from "touchstone-t2i/internal/cli/environment.js";
import { reportRun } from "touchstone-t2i/internal/cli/verbs/run/written-report.js";
import type { RecordStore } from "touchstone-t2i/internal/core/record-store.js";
import { WorkerPool } from "touchstone-t2i/internal/runs/worker-pool.js";

/** Run in a folder that a worker reports on. */
export interface AskedReport {
  readonly run: string;
  readonly workingDirectory: string;
}

/** Only compiled code runs in a worker; sources, which tests run, do it here. */
const isCompiled = import.meta.url.endsWith(".js");
const pool = new WorkerPool<AskedReport, readonly string[]>(
  new URL("./report-worker.js", import.meta.url),
  { most: 1 },
);

/**
 * Writes the report of a run and gives its verdict, as `reportRun` does, beside whatever else is done: drawing
 * conclusions takes one processor long, while models take the others. A run whose worker failed is concluded here:
 * what it failed with is then told as it should be.
 */
export async function reportBeside(
  store: RecordStore,
  { run, environment }: { readonly run: string; readonly environment: Environment },
): Promise<readonly string[]> {
  const { workingDirectory } = environment;
  const here = async () => (await reportRun(store, { run, environment })).verdict;
  if (!isCompiled) return here();
  return pool.leastBusy().ask({ run, workingDirectory }).catch(here);
}
