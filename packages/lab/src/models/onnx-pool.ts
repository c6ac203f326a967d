import { readFile } from "node:fs/promises";
import { type PoolWorker, WorkerPool } from "touchstone-t2i/internal/runs/worker-pool.js";
import { packageFile } from "../package-file.js";
import type { FloatTensor, GraphRun } from "./graph-run.js";
import type { GraphCall } from "./onnx-worker.js";
import type { Runtime } from "./runtime.js";

type GraphWorker = PoolWorker<GraphCall, FloatTensor[]>;

/** A graph's file, read once and sent to a worker with the first call that needs it. */
export interface Graph {
  /** The address of the file. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export async function openGraph(file: URL): Promise<Graph> {
  return { name: file.href, bytes: new Uint8Array(await readFile(file)) };
}

// Workers run compiled code, also when the rest is run from its sources by a test.
const workerFile = packageFile("dist/models/onnx-worker.js");
const poolOf = (runtime: Runtime) =>
  new WorkerPool<GraphCall, FloatTensor[]>(workerFile, { data: { runtime } });
/** Workers begin when they are first asked, so that a runtime which nobody asks costs nothing. */
const pools: Readonly<Record<Runtime, ReturnType<typeof poolOf>>> = {
  wasm: poolOf("wasm"),
  native: poolOf("native"),
};
const sent = new WeakMap<GraphWorker, Set<string>>();

/** Who saw which picture last. */
const lookers = new Map<string, GraphWorker>();
const mostRemembered = 2000;

/** So many more calls may wait for the worker that saw a picture than for another. */
const mostPatience = 2;

/**
 * Runs graphs in one worker, one after another, and gives the output of each. Which worker it is
 * changes nothing in the answer.
 *
 * @param options.graphs those that the runs name
 * @param options.runtime WebAssembly where not given
 * @param options.picture by what the worker keeps what it saw: who saw it is asked again, if not too busy
 */
export async function runInPool(
  runs: readonly GraphRun[],
  {
    graphs,
    picture,
    runtime = "wasm",
  }: {
    readonly graphs: readonly Graph[];
    readonly picture?: string;
    readonly runtime?: Runtime | undefined;
  },
): Promise<FloatTensor[]> {
  const worker = workerFor(pools[runtime], picture);
  const known = sent.get(worker) ?? new Set();
  sent.set(worker, known);
  const fresh = graphs.filter(({ name }) => !known.has(name));
  for (const { name } of fresh) known.add(name);
  return worker.ask({ runs, graphs: new Map(fresh.map(({ name, bytes }) => [name, bytes])) });
}

function workerFor(
  pool: WorkerPool<GraphCall, FloatTensor[]>,
  picture: string | undefined,
): GraphWorker {
  const least = pool.leastBusy();
  if (picture === undefined) return least;
  const before = lookers.get(picture);
  const isFit =
    before !== undefined && pool.has(before) && before.busy - least.busy <= mostPatience;
  const chosen = isFit ? before : least;
  lookers.delete(picture);
  lookers.set(picture, chosen);
  const [oldest] = lookers.keys();
  if (lookers.size > mostRemembered && oldest !== undefined) lookers.delete(oldest);
  return chosen;
}
