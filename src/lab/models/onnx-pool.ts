import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { PlainTensor, WorkerCall, WorkerReply } from "./onnx-worker.js";

/** Workers run compiled code, also when the rest is run from its sources by a test. */
const workerFile = new URL("../../../dist/lab/models/onnx-worker.js", import.meta.url);
const mostWorkers = 8;

type Settle = (reply: WorkerReply | Error) => void;

class PoolWorker {
  readonly pending = new Map<number, Settle>();
  readonly #loaded = new Set<string>();
  readonly #thread = new Worker(workerFile);

  constructor() {
    this.#thread.unref();
    this.#thread.on("message", (reply: WorkerReply) => this.#settle(reply.id, reply));
    this.#thread.on("error", (error) => {
      // It is dead; whoever asks next gets another.
      workers.splice(workers.indexOf(this), 1);
      for (const id of this.pending.keys()) this.#settle(id, error);
    });
  }

  /** Graphs are sent once, with the first call that needs them. */
  ask(call: Omit<WorkerCall, "bytes">, bytes: Uint8Array, settle: Settle): void {
    // An idle worker must not keep the process alive, one at work must.
    this.#thread.ref();
    this.pending.set(call.id, settle);
    this.#thread.postMessage(this.#loaded.has(call.graph) ? call : { ...call, bytes });
    this.#loaded.add(call.graph);
  }

  #settle(id: number, reply: WorkerReply | Error): void {
    this.pending.get(id)?.(reply);
    this.pending.delete(id);
    if (this.pending.size === 0) this.#thread.unref();
  }
}

const workers: PoolWorker[] = [];
let calls = 0;

/**
 * Runs a graph in whichever worker has least to do; there is one worker for each processor, up to
 * eight. Which worker answers changes nothing in the answer.
 */
export async function runInPool(call: {
  readonly graph: string;
  readonly bytes: Uint8Array;
  readonly inputs: readonly PlainTensor[];
  readonly output: string;
}): Promise<{ readonly data: Float32Array; readonly dims: readonly number[] }> {
  const { bytes, ...rest } = call;
  const reply = await new Promise<WorkerReply | Error>((settle) => {
    leastBusy().ask({ ...rest, id: calls++ }, bytes, settle);
  });
  if (reply instanceof Error) throw reply;
  if ("error" in reply) throw new Error(reply.error);
  return reply;
}

function leastBusy(): PoolWorker {
  const idle = workers.find((worker) => worker.pending.size === 0);
  if (idle !== undefined) return idle;
  if (workers.length < Math.min(availableParallelism(), mostWorkers)) {
    const fresh = new PoolWorker();
    workers.push(fresh);
    return fresh;
  }
  return workers.reduce((least, worker) =>
    worker.pending.size < least.pending.size ? worker : least,
  );
}
