import { readFile } from "node:fs/promises";
import { env, InferenceSession, type Tensor } from "onnxruntime-web/wasm";

// One thread: sums are then added in one order, and every machine gets the same numbers.
env.wasm.numThreads = 1;
env.logLevel = "error";

export interface OnnxSession {
  /**
   * Runs the graph and gives one output of 32-bit numbers. Calls wait for one another, since a
   * session does one thing at a time.
   */
  run(inputs: Readonly<Record<string, Tensor>>, output: string): Promise<FloatTensor>;
}

export interface FloatTensor extends Tensor {
  readonly data: Float32Array;
}

/** Loads a graph into WebAssembly: no native code, so it runs wherever Node does. */
export async function openOnnxSession(file: URL): Promise<OnnxSession> {
  const session = await InferenceSession.create(new Uint8Array(await readFile(file)));
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(inputs, output) {
      const result = last.then(async () => {
        const tensor = (await session.run(inputs, [output]))[output];
        if (tensor === undefined || !holdsFloats(tensor)) {
          throw new TypeError(`Expected 32-bit numbers for ${output} from ${file.pathname}`);
        }
        return tensor;
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}

const holdsFloats = (tensor: Tensor): tensor is FloatTensor => tensor.data instanceof Float32Array;
