import type { Pixels } from "touchstone-t2i/internal/core/models.js";
import type { ImageSettings } from "./weights.js";

/** A tensor of 32-bit numbers or, for token ids, of 64-bit integers. */
export interface Tensor {
  readonly type: "float32" | "int64";
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
}

export interface FloatTensor extends Tensor {
  readonly type: "float32";
  readonly data: Float32Array;
}

/** A picture of the size that a model reads; what makes a tensor of it is work for the worker. */
export interface ShownPicture {
  readonly pixels: Pixels;
  readonly settings: ImageSettings;
}

/** One run of a graph for one of its outputs. */
export interface GraphRun {
  /** The address of its file. */
  readonly graph: string;
  readonly inputs: Readonly<Record<string, GraphInput>>;
  readonly output: string;
  /** By what the worker keeps the output for a while: what determines it, but for the graph. */
  readonly keep?: string;
  /** Whether it is soon asked for no more: it must not drive out what is asked for again. */
  readonly isPassing?: boolean;
}

/** Input of a graph: numbers, a picture, or what another graph made. */
export type GraphInput = Tensor | ShownPicture | GraphRun;
