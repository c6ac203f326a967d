import { runtimes } from "../../lab/models/runtime.js";

/** The flag by which the lab's models are run by native code. */
export const runtimeArgument = {
  kind: "choice",
  choices: runtimes,
  default: "wasm",
  description:
    "what runs the lab's models: wasm, the same numbers on every machine; native, faster, needs " +
    "the package onnxruntime-node, and its last bits differ",
} as const;
