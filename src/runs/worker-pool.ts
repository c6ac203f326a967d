import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Number of a request to a worker, so that replies find their way. */
interface Numbered {
  readonly id: number;
}

/** A worker's answer: what it made, or why it could not. */
export type WorkerReply<Made> = Numbered & ({ readonly made: Made } | { readonly error: string });

export type WorkerCall<Asked> = Numbered & { readonly asked: Asked };

type Settle<Made> = (reply: WorkerReply<Made> | Error) => void;

const mostWorkers = 8;

/** One worker of a pool. */
export class PoolWorker<Asked, Made> {
  readonly #pending = new Map<number, Settle<Made>>();
  readonly #thread: Worker;
  #calls = 0;

  constructor(file: URL, data: unknown, whenDead: (worker: PoolWorker<Asked, Made>) => void) {
    this.#thread = new Worker(file, { workerData: data });
    this.#thread.unref();
    this.#thread.on("message", (reply: WorkerReply<Made>) => this.#settle(reply.id, reply));
    this.#thread.on("error", (error) => {
      whenDead(this);
      for (const id of this.#pending.keys()) this.#settle(id, error);
    });
  }

  /** How many calls wait for its answer. */
  get busy(): number {
    return this.#pending.size;
  }

  async ask(asked: Asked): Promise<Made> {
    const reply = await new Promise<WorkerReply<Made> | Error>((settle) => {
      // An idle worker must not keep the process alive, one at work must.
      this.#thread.ref();
      const id = this.#calls++;
      this.#pending.set(id, settle);
      const call: WorkerCall<Asked> = { id, asked };
      this.#thread.postMessage(call);
    });
    if (reply instanceof Error) throw reply;
    if ("error" in reply) throw new Error(reply.error);
    return reply.made;
  }

  #settle(id: number, reply: WorkerReply<Made> | Error): void {
    this.#pending.get(id)?.(reply);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#thread.unref();
  }
}

/**
 * Workers that all run one file, one for each processor, up to eight; each begins when it is first
 * needed. Which of them answers must change nothing in the answer.
 *
 * @param file compiled code below `dist/`, also when the rest is run from its sources by a test
 * @param options.data what each worker begins with
 * @param options.most in the place of one for each processor
 */
export class WorkerPool<Asked, Made> {
  readonly #workers: PoolWorker<Asked, Made>[] = [];
  readonly #most: number;
  readonly #file: URL;
  readonly #data: unknown;

  constructor(
    file: URL,
    {
      data,
      most = availableParallelism(),
    }: { readonly data?: unknown; readonly most?: number } = {},
  ) {
    this.#file = file;
    this.#data = data;
    this.#most = Math.min(most, mostWorkers);
  }

  /** The worker that has least to do; an idle one before a new one. */
  leastBusy(): PoolWorker<Asked, Made> {
    const idle = this.#workers.find(({ busy }) => busy === 0);
    if (idle !== undefined) return idle;
    if (this.#workers.length < this.#most) {
      const fresh = new PoolWorker<Asked, Made>(this.#file, this.#data, (dead) => {
        // Whoever asks next gets another.
        this.#workers.splice(this.#workers.indexOf(dead), 1);
      });
      this.#workers.push(fresh);
      return fresh;
    }
    return this.#workers.reduce((least, worker) => (worker.busy < least.busy ? worker : least));
  }

  has(worker: PoolWorker<Asked, Made>): boolean {
    return this.#workers.includes(worker);
  }
}
