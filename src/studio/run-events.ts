import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Worker } from "../core/record-store.js";
import type { RunDetail } from "./api.js";
import type { RunView } from "./run-view.js";

/** Milliseconds between two looks at a run; the first is soon followed by another. */
const between = 700;
const afterFirst = 450;

/**
 * Tells a page whenever a run has grown or somebody began or ended work on it, as server-sent events
 * named `run`. Nothing is sent that the page could not ask for: it asks anew for what it shows.
 */
export const runEvents = (
  context: Context,
  view: RunView,
  signal: AbortSignal | undefined,
): Response =>
  streamSSE(context, async (stream) => {
    const { index } = view;
    let sent = "";
    while (!stream.aborted && !stream.closed && signal?.aborted !== true) {
      await index.refresh();
      const { version, steps } = index;
      const data = JSON.stringify({ version, ...atWork(await index.run.workers()), steps });
      if (data !== sent) await stream.writeSSE({ event: "run", data });
      // The page has what it asked for first, and its run stands still.
      else await view.prepare(setImmediate);
      await stream.sleep(sent === "" ? afterFirst : between);
      sent = data;
    }
  });

/** Who is at work on a run. `silent` is always empty: only a database knew whom it had not heard of. */
export const atWork = (workers: readonly Worker[]): Pick<RunDetail, "atWork" | "silent"> => ({
  atWork: workers.map(({ who }) => who),
  silent: [],
});
