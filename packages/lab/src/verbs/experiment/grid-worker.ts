import { parentPort, workerData } from "node:worker_threads";
import type { ExperimentAnswers } from "../../experiments/ensemble/answers.js";
import { type GridChunk, type GridDesign, gridWork } from "../../experiments/ensemble/grid.js";

/** Data to start a worker with; it is then sent chunks, and answers each with its results. */
export interface GridWorkerData {
  readonly answers: ExperimentAnswers;
  readonly design: GridDesign;
}

const { answers, design }: GridWorkerData = workerData;
const work = gridWork(answers, design);

parentPort?.on("message", (chunk: GridChunk) => {
  const results = work(chunk);
  parentPort?.postMessage(results, [results.buffer as ArrayBuffer]);
});
