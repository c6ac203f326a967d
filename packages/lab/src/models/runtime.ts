import { InputError } from "touchstone-t2i/internal/core/errors.js";

/**
 * Runtimes of the lab's models: WebAssembly, which gives the same numbers on every machine and is the
 * reference, or native code, which is faster where the user installed it, and whose last bits differ.
 */
export const runtimes = ["wasm", "native"] as const;
export type Runtime = (typeof runtimes)[number];

const packageName = "onnxruntime-node";

/**
 * Import of each runtime: the files of onnxruntime-web that the build copies into dist, or
 * the package that a user installed.
 */
export const packageOf: Readonly<Record<Runtime, string>> = {
  wasm: "#onnxruntime",
  native: packageName,
};

/** @throws InputError that says what to install and why, where the runtime is not there. */
export async function checkRuntime(runtime: Runtime): Promise<void> {
  if (runtime === "wasm") return;
  try {
    await import(packageOf.native);
  } catch (cause) {
    throw new InputError(
      `Expected the package ${packageName} for --runtime native but found none`,
      {
        hint:
          "It runs the lab's models faster and is not installed with touchstone, since it takes some " +
          `290 MB: ONNXRUNTIME_NODE_INSTALL=skip npm install ${packageName}@1.30.0 ` +
          "(in a clone of this repository also --no-save); or leave --runtime out, which needs nothing",
        cause,
      },
    );
  }
}
