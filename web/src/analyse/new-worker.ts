/** Starts what analyses: one script that holds all, or, on the web site, the first of several. */
export const newWorker = () =>
  new Worker(new URL("./table-worker.ts", import.meta.url), { type: "module" });
