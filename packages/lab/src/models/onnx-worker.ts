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

type Session = OnnxRuntime.InferenceSession;

/** A graph or, of a half that reads texts about a picture, what it makes of either alone, by input, and the rest. */
interface Opened {
  readonly session: Session;
  readonly ofOne: ReadonlyMap<string, Session>;
}

const sessions = new Map<string, Promise<Opened>>();
/** Cache of what models saw of pictures: so many bytes in each worker; and of what is soon looked at no more. */
const seen = new KeptBytes<FloatTensor>(48_000_000);
const passing = new KeptBytes<FloatTensor>(8_000_000);
/** What reading halves made of features, which is six times as large, of the last pictures; and of texts. */
const cutInputs = ["features", "input_ids"];
const remembered = new Map(cutInputs.map((input) => [input, new KeptBytes<Values>(8_000_000)]));
type Values = OnnxRuntime.InferenceSession.OnnxValueMapType;
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
  const ofOne = new Map<string, Session>();
  let rest = bytes;
  for (const input of cutInputs) {
    const cut = cutGraph(rest, input);
    if (cut === undefined) continue;
    ofOne.set(input, await open(cut.first));
    rest = cut.rest;
  }
  return { session: await open(rest), ofOne };
}

async function outputOf(run: GraphRun): Promise<FloatTensor> {
  const { graph, output, keep } = run;
  const store = run.isPassing === true ? passing : seen;
  const name = keep === undefined ? undefined : JSON.stringify([graph, output, keep]);
  const kept = name === undefined ? undefined : store.get(name);
  if (kept !== undefined) return kept;
  const parts = await sessions.get(graph);
  if (parts === undefined) throw new RangeError(`Expected the bytes of ${graph} first`);
  const { session, ofOne } = parts;
  const feeds: Record<string, OnnxRuntime.OnnxValue> = {};
  for (const [input, given] of Object.entries(run.inputs)) {
    const first = ofOne.get(input);
    if (first === undefined) feeds[input] = await fedBy(given);
    else Object.assign(feeds, await memoriesOf(given, { graph, input, first }));
  }
  const tensor = (await session.run(feeds, [output]))[output];
  if (!(tensor?.data instanceof Float32Array)) {
    throw new TypeError(`Expected 32-bit numbers for ${output} from ${graph}`);
  }
  const made: FloatTensor = { type: "float32", data: tensor.data, dims: tensor.dims };
  if (name !== undefined) store.set(name, made, made.data.byteLength);
  return made;
}

async function memoriesOf(
  given: GraphInput,
  {
    graph,
    input,
    first,
  }: { readonly graph: string; readonly input: string; readonly first: Session },
): Promise<Values> {
  const key =
    "keep" in given ? given.keep : "data" in given ? `${given.dims}: ${given.data}` : undefined;
  const name = key === undefined ? undefined : JSON.stringify([graph, key]);
  const store = remembered.get(input);
  const kept = name === undefined ? undefined : store?.get(name);
  if (kept !== undefined) return kept;
  const made = await first.run({ [input]: await fedBy(given) });
  if (name !== undefined) {
    const bytes = Object.values(made).reduce((sum, { size }) => sum + 4 * size, 0);
    store?.set(name, made, bytes);
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
