import { parentPort, workerData } from "node:worker_threads";
import type * as OnnxRuntime from "onnxruntime-web/wasm";
import { KeptBytes } from "touchstone-t2i/internal/core/cache.js";
import type { WorkerCall, WorkerReply } from "touchstone-t2i/internal/runs/worker-pool.js";
import { cutGraph } from "./cut-graph.js";
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

/** A graph or, of a half that reads texts about a picture, what it makes of the features alone, and the rest. */
interface Opened {
  readonly session: OnnxRuntime.InferenceSession;
  readonly ofFeatures?: OnnxRuntime.InferenceSession;
}

const sessions = new Map<string, Promise<Opened>>();
/** Cache of what models saw of pictures: so many bytes in each worker. */
const seen = new KeptBytes<FloatTensor>(48_000_000);
/** What reading halves made of features, which is six times as large: of the last pictures, for further texts. */
const remembered = new KeptBytes<OnnxRuntime.InferenceSession.OnnxValueMapType>(8_000_000);
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
      sessions.set(graph, opened(bytes));
    }
    const made: FloatTensor[] = [];
    for (const run of runs) made.push(await outputOf(run));
    return { id, made };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

async function opened(bytes: Uint8Array): Promise<Opened> {
  const options = runtime === "native" ? alone : {};
  const open = (file: Uint8Array) => onnx.InferenceSession.create(file, options);
  const cut = cutGraph(bytes, features);
  if (cut === undefined) return { session: await open(bytes) };
  return { session: await open(cut.rest), ofFeatures: await open(cut.first) };
}

/** The input of a reading half that its other half made of a picture. */
const features = "features";

async function outputOf(run: GraphRun): Promise<FloatTensor> {
  const { graph, output, keep } = run;
  const name = keep === undefined ? undefined : JSON.stringify([graph, output, keep]);
  const kept = name === undefined ? undefined : seen.get(name);
  if (kept !== undefined) return kept;
  const parts = await sessions.get(graph);
  if (parts === undefined) throw new RangeError(`Expected the bytes of ${graph} first`);
  const { session, ofFeatures } = parts;
  const feeds: Record<string, OnnxRuntime.OnnxValue> = {};
  for (const [input, given] of Object.entries(run.inputs)) {
    if (input === features && ofFeatures !== undefined) {
      Object.assign(feeds, await memoriesOf(given, { graph, ofFeatures }));
    } else {
      feeds[input] = await fedBy(given);
    }
  }
  const tensor = (await session.run(feeds, [output]))[output];
  if (!(tensor?.data instanceof Float32Array)) {
    throw new TypeError(`Expected 32-bit numbers for ${output} from ${graph}`);
  }
  const made: FloatTensor = { type: "float32", data: tensor.data, dims: tensor.dims };
  if (name !== undefined) seen.set(name, made, made.data.byteLength);
  return made;
}

async function memoriesOf(
  given: GraphInput,
  {
    graph,
    ofFeatures,
  }: { readonly graph: string; readonly ofFeatures: OnnxRuntime.InferenceSession },
) {
  const name = "keep" in given ? JSON.stringify([graph, given.keep]) : undefined;
  const kept = name === undefined ? undefined : remembered.get(name);
  if (kept !== undefined) return kept;
  const made = await ofFeatures.run({ [features]: await fedBy(given) });
  if (name !== undefined) {
    const bytes = Object.values(made).reduce((sum, { size }) => sum + 4 * size, 0);
    remembered.set(name, made, bytes);
  }
  return made;
}

async function fedBy(input: GraphInput): Promise<OnnxRuntime.Tensor> {
  const { type, data, dims } = await tensorOf(input);
  return new onnx.Tensor(type, data, dims);
}

/** Used for one picture after another, since a graph is shown one, and its run ends before the next. */
let room: Float32Array | undefined;

async function tensorOf(input: GraphInput) {
  if ("pixels" in input) {
    const tensor = pictureTensor(input, room);
    room = tensor.data;
    return tensor;
  }
  return "graph" in input ? outputOf(input) : input;
}
