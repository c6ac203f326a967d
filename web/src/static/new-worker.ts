import type { ExportedGlobals } from "../../../src/studio/export/exported-page.js";

/** Starts what analyses from a text that a script of the page holds: a file may start no worker. */
export function newWorker(): Worker {
  const { touchstoneWorker = "" }: ExportedGlobals = globalThis as ExportedGlobals;
  const script = new Blob([touchstoneWorker], { type: "text/javascript" });
  return new Worker(URL.createObjectURL(script));
}
