import { parentPort } from "node:worker_threads";
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";

/** What a worker is asked: to run one graph on some tensors and give one output. */
export interface WorkerCall {
  readonly id: number;
  readonly graph: string;
  readonly bytes?: Uint8Array;
  readonly inputs: readonly PlainTensor[];
  readonly output: string;
}

export interface PlainTensor {
  readonly name: string;
  readonly type: "float32" | "int64";
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
}

export type WorkerReply =
  | { readonly id: number; readonly data: Float32Array; readonly dims: readonly number[] }
  | { readonly id: number; readonly error: string };

// One thread within a worker: sums are added in one order, and every machine gets the same numbers.
env.wasm.numThreads = 1;
env.logLevel = "error";

const sessions = new Map<string, Promise<InferenceSession>>();
let last: Promise<unknown> = Promise.resolve();

// A session does one thing at a time, so calls wait for one another.
parentPort?.on("message", (call: WorkerCall) => {
  last = last.then(() => answer(call)).then((reply) => parentPort?.postMessage(reply));
});

async function answer({ id, graph, bytes, inputs, output }: WorkerCall): Promise<WorkerReply> {
  try {
    if (bytes !== undefined) sessions.set(graph, InferenceSession.create(bytes));
    const session = await sessions.get(graph);
    if (session === undefined) throw new RangeError(`Expected the bytes of ${graph} first`);
    const feeds = Object.fromEntries(
      inputs.map(({ name, type, data, dims }) => [name, new Tensor(type, data, dims)]),
    );
    const tensor = (await session.run(feeds, [output]))[output];
    if (!(tensor?.data instanceof Float32Array)) {
      throw new TypeError(`Expected 32-bit numbers for ${output} from ${graph}`);
    }
    return { id, data: tensor.data, dims: tensor.dims };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
