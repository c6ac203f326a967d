import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { once } from "../core/cache.js";

/** Draws SVG. Loaded when it is first used, and once: it can be started only once in a process. */
export const loadResvg = once(async () => {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  const wasm = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  await initWasm(await readFile(wasm));
  return Resvg;
});
