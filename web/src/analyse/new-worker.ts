/** Starts what analyses; it holds all it needs, plots included. */
export const newWorker = () =>
  new Worker(new URL("./table-worker.ts", import.meta.url), { type: "module" });
