const runtimes = ["wasm", "native"] as const;

/** What runs the lab's models: WebAssembly, or native code where the user installed it. */
export type Runtime = (typeof runtimes)[number];

/** The flag by which the lab's models are run by native code. */
export const runtimeArgument = {
  kind: "choice",
  choices: runtimes,
  default: "wasm",
  description:
    "what runs the lab's models: wasm, the same numbers on every machine; native, faster, needs " +
    "the package onnxruntime-node, and its last bits differ",
} as const;
