import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ExperimentAnswers } from "../../../experiments/ensemble/answers.js";
import type { GridChunk, GridDesign } from "../../../experiments/ensemble/grid.js";
import type { GridWorkerData } from "./grid-worker.js";

/** Workers run compiled code, also when the rest is run from its sources by a test. */
const workerFile = new URL("../../../../dist/cli/verbs/experiment/grid-worker.js", import.meta.url);

/**
 * Does chunks of a grid in several workers. What comes out is the same at any number of them: a chunk
 * depends on nothing but the answers and the design. A worker keeps to one clustering while it has
 * chunks left.
 *
 * @param keep is told of each chunk when it is done, in any order.
 */
export async function runGrid({
  answers,
  design,
  chunks,
  workers,
  keep,
  signal,
}: {
  readonly answers: ExperimentAnswers;
  readonly design: GridDesign;
  readonly chunks: readonly GridChunk[];
  readonly workers: number;
  keep(chunk: GridChunk, results: Float64Array): Promise<void>;
  readonly signal: AbortSignal;
}): Promise<void> {
  const queue = byClustering(chunks);
  const workerData: GridWorkerData = { answers, design };
  const one = async () => {
    if (queue.length === 0) return;
    const worker = new Worker(workerFile, { workerData });
    try {
      for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
        for (const chunk of group) {
          worker.postMessage(chunk);
          const [results] = await once(worker, "message", { signal });
          await keep(chunk, results);
        }
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: workers }, one));
}

function byClustering(chunks: readonly GridChunk[]): GridChunk[][] {
  const groups = new Map<string, GridChunk[]>();
  for (const chunk of chunks) {
    const name = `${chunk.clusters} ${chunk.cluster}`;
    groups.set(name, [...(groups.get(name) ?? []), chunk]);
  }
  return [...groups.values()];
}
