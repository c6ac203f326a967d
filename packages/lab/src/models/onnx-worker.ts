import { parentPort, workerData } from "node:worker_threads";
import type * as OnnxRuntime from "onnxruntime-web/wasm";
import { KeptBytes } from "touchstone-t2i/internal/core/cache.js";
import type { WorkerCall, WorkerReply } from "touchstone-t2i/internal/runs/worker-pool.js";
import type { FloatTensor, GraphInput, GraphRun } from "./graph-run.js";
import { packageOf, type Runtime } from "./runtime.js";
import { pictureTensor } from "./tensors.js";

/** Request to a worker: runs of graphs, and the graphs that it has not been sent before. */
export interface GraphCall {
  readonly runs: readonly GraphRun[];
  readonly graphs: ReadonlyMap<string, Uint8Array>;
}

// Both runtimes have one interface. The name is a variable, since the native one is an optional peer.
const { runtime }: { readonly runtime: Runtime } = workerData;
const onnx: typeof OnnxRuntime = await import(packageOf[runtime]);
// One thread within a worker: sums are added in one order, and every machine gets the same numbers.
const alone = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const;
onnx.env.logLevel = "error";
if (runtime === "wasm") onnx.env.wasm.numThreads = 1;

const sessions = new Map<string, Promise<OnnxRuntime.InferenceSession>>();
/** Cache of what models saw of pictures: so many bytes in each worker. */
const seen = new KeptBytes<FloatTensor>(48_000_000);
let last: Promise<unknown> = Promise.resolve();

// A session does one thing at a time, so calls wait for one another.
parentPort?.on("message", (call: WorkerCall<GraphCall>) => {
  last = last.then(() => answer(call)).then((reply) => parentPort?.postMessage(reply));
});

async function answer({
  id,
  asked: { runs, graphs },
}: WorkerCall<GraphCall>): Promise<WorkerReply<FloatTensor[]>> {
  try {
    for (const [graph, bytes] of graphs) {
      const options = runtime === "native" ? alone : {};
      sessions.set(graph, onnx.InferenceSession.create(bytes, options));
    }
    const made: FloatTensor[] = [];
    for (const run of runs) made.push(await outputOf(run));
    return { id, made };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

async function outputOf(run: GraphRun): Promise<FloatTensor> {
  const { graph, output, keep } = run;
  const name = keep === undefined ? undefined : JSON.stringify([graph, output, keep]);
  const kept = name === undefined ? undefined : seen.get(name);
  if (kept !== undefined) return kept;
  const session = await sessions.get(graph);
  if (session === undefined) throw new RangeError(`Expected the bytes of ${graph} first`);
  const feeds: Record<string, OnnxRuntime.Tensor> = {};
  for (const [input, given] of Object.entries(run.inputs)) {
    const { type, data, dims } = await tensorOf(given);
    feeds[input] = new onnx.Tensor(type, data, dims);
  }
  const tensor = (await session.run(feeds, [output]))[output];
  if (!(tensor?.data instanceof Float32Array)) {
    throw new TypeError(`Expected 32-bit numbers for ${output} from ${graph}`);
  }
  const made: FloatTensor = { type: "float32", data: tensor.data, dims: tensor.dims };
  if (name !== undefined) seen.set(name, made, made.data.byteLength);
  return made;
}

async function tensorOf(input: GraphInput) {
  if ("pixels" in input) return pictureTensor(input.pixels, input.settings);
  return "graph" in input ? outputOf(input) : input;
}
