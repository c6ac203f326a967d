import { readFile } from "node:fs/promises";
import { runInPool } from "./onnx-pool.js";
import type { PlainTensor } from "./onnx-worker.js";

/** A tensor of 32-bit numbers or, for token ids, of 64-bit integers. */
export type Tensor = Omit<PlainTensor, "name">;

export interface FloatTensor extends Tensor {
  readonly type: "float32";
  readonly data: Float32Array;
}

export interface OnnxSession {
  /** Runs the graph and gives one output of 32-bit numbers. */
  run(inputs: Readonly<Record<string, Tensor>>, output: string): Promise<FloatTensor>;
}

/** Loads a graph into WebAssembly: no native code, so it runs wherever Node does. */
export async function openOnnxSession(file: URL): Promise<OnnxSession> {
  const bytes = new Uint8Array(await readFile(file));
  return {
    async run(inputs, output) {
      const { data, dims } = await runInPool({
        graph: file.href,
        bytes,
        inputs: Object.entries(inputs).map(([name, tensor]) => ({ name, ...tensor })),
        output,
      });
      return { type: "float32", data, dims };
    },
  };
}
