import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { WorkerPool } from "touchstone-t2i/internal/runs/worker-pool.js";
import { packageFile } from "../package-file.js";
import type { PaintReply } from "./paint-worker.js";
import type { PaintedPrompt, PaintingTask } from "./painter.js";

// Workers run compiled code, also when the rest is run from its sources by a test.
const workerFile = packageFile("dist/painter/paint-worker.js");
const pool = new WorkerPool<PaintingTask, PaintReply>(workerFile);

/** So many are painted sooner here than a worker has loaded its drawings. */
const fewForWorkers = 40;
/** One that is painted, and the next ones: whoever asks is busy with the disk now and then. */
const enoughForWorker = 4;
let begun = 0;

/**
 * Paints a prompt: in a worker where many are painted and one has time, else here. Who paints changes nothing
 * in the picture.
 *
 * @throws NoAnswer as `paintPrompt` does.
 */
export async function paintAnywhere(task: PaintingTask): Promise<PaintedPrompt> {
  const worker = begun++ < fewForWorkers ? undefined : pool.leastBusy();
  if (worker === undefined || worker.busy >= enoughForWorker) {
    const { paintPrompt } = await import("./painter.js");
    return paintPrompt(task);
  }
  const reply = await worker.ask(task);
  if ("reason" in reply) throw new NoAnswer(reply.reason, reply.detail);
  return reply;
}
