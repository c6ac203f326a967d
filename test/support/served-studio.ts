import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { onTestFinished } from "vitest";
import { type StudioOptions, studio } from "../../src/studio/studio.js";

/**
 * Serves a studio on a free port of this machine until the test ends, which then fails for each fault.
 *
 * @returns the address, without a slash at its end.
 */
export const servedStudio = async (options: StudioOptions): Promise<string> =>
  (await studioServer(options)).address;

/** The same with what ends it before the test does. */
export async function studioServer(
  options: StudioOptions,
): Promise<{ readonly address: string; readonly end: () => void }> {
  const ending = new AbortController();
  const faults: unknown[] = [];
  const { fetch } = studio({
    ...options,
    signal: ending.signal,
    onFault: (error) => faults.push(error),
  });
  let end = () => {};
  const { port } = await new Promise<AddressInfo>((resolve) => {
    const server = serve({ fetch, hostname: "127.0.0.1", port: 0 }, resolve);
    end = () => {
      ending.abort();
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
    };
  });
  onTestFinished(() => {
    end();
    if (faults.length > 0) throw faults[0];
  });
  return { address: `http://127.0.0.1:${port}`, end };
}
