import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { RunView } from "./run-view.js";

const between = 700;

/**
 * Tells a page whenever a run has grown or somebody began or ended work on it, as server-sent events
 * named `run`. Nothing is sent that the page could not ask for: it asks anew for what it shows.
 */
export const runEvents = (
  context: Context,
  { index }: RunView,
  signal: AbortSignal | undefined,
): Response =>
  streamSSE(context, async (stream) => {
    let sent = "";
    while (!stream.aborted && !stream.closed && signal?.aborted !== true) {
      await index.refresh();
      const atWork = (await index.run.workers()).map(({ who }) => who);
      const data = JSON.stringify({ version: index.version, atWork, steps: index.steps });
      if (data !== sent) await stream.writeSSE({ event: "run", data });
      sent = data;
      await stream.sleep(between);
    }
  });
