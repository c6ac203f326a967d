import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm } from "@resvg/resvg-wasm";

/** Settled once resvg can draw. It can be started only once in a process, so it is started here. */
export const resvgReady: Promise<void> = initWasm(
  readFileSync(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")),
);
