import { parentPort } from "node:worker_threads";
import { reportRun } from "touchstone-t2i/internal/cli/verbs/run/written-report.js";
import { openStore, runPlace } from "touchstone-t2i/internal/files/open-store.js";
import type { WorkerCall, WorkerReply } from "touchstone-t2i/internal/runs/worker-pool.js";
import type { AskedReport } from "./report-beside.js";

async function verdictOf({ run, workingDirectory }: AskedReport): Promise<readonly string[]> {
  const environment = { workingDirectory };
  const store = await openStore(runPlace(run, environment));
  return (await reportRun(store, { run, environment })).verdict;
}

parentPort?.on("message", async ({ id, asked }: WorkerCall<AskedReport>) => {
  const said = await verdictOf(asked).then(
    (made) => ({ made }),
    (error: unknown) => ({ error: String(error) }),
  );
  const reply: WorkerReply<readonly string[]> = { id, ...said };
  parentPort?.postMessage(reply);
});
