import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { InputError } from "../../core/errors.js";

type Fetch = (
  request: Request,
  bindings: HttpBindings | Http2Bindings,
) => Response | Promise<Response>;

/** Where a server listens. */
export interface Listening {
  /** Such as http://127.0.0.1:8123. */
  readonly url: string;
  readonly port: number;
}

/** The arguments of every verb that serves. */
export const servingArguments = {
  port: {
    kind: "number",
    integer: true,
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description: "the port to listen on; 0: any free port",
  },
  host: {
    kind: "text",
    value: "ADDRESS",
    default: "127.0.0.1",
    description: "the address to listen on",
  },
} as const;

const thisMachine = ["127.0.0.1", "localhost", "::1"];

/** Whether only this machine can reach an address. */
export const isThisMachine = (host: string): boolean => thisMachine.includes(host);

/**
 * Serves over HTTP until `signal` is aborted; what was asked before is answered. Resolves when the
 * server has ended.
 *
 * @param options.onListening is told the address, once; the server answers from then on
 * @throws InputError where it can't listen there.
 */
export async function serveUntilInterrupted(
  fetch: Fetch,
  {
    host,
    port,
    signal,
    onListening,
  }: {
    readonly host: string;
    readonly port: number;
    readonly signal: AbortSignal;
    readonly onListening: (listening: Listening) => void | Promise<void>;
  },
): Promise<void> {
  const { serve } = await import("@hono/node-server");
  await new Promise<void>((resolve, reject) => {
    const answer: Fetch = async (request, bindings) => {
      const response = await fetch(request, bindings);
      if (response.status === 413) await readToItsEnd(bindings.incoming);
      return response;
    };
    const server = serve({ fetch: answer, hostname: host, port }, (address) => {
      const listening = { url: addressOf(host, address), port: address.port };
      Promise.resolve(onListening(listening)).catch(reject);
    });
    server.on("error", (error) => reject(listeningError(error, { host, port })));
    server.on("close", resolve);
    const stop = () => {
      // What was asked is answered; connections that only wait are not waited for.
      server.close();
      if ("closeIdleConnections" in server) server.closeIdleConnections();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const mostPatience = 2000;

/**
 * Drops what is still to come of a refused body. A connection that ends with some of it unread is reset, and who
 * still sends is told of a broken pipe in place of the answer. Nobody is waited for longer than two seconds.
 */
async function readToItsEnd(incoming: (HttpBindings | Http2Bindings)["incoming"]): Promise<void> {
  if (incoming.readableEnded) return;
  // Whoever refused it reads no more, and a stream of theirs that is full would hold it up.
  incoming.removeAllListeners("data").resume();
  await once(incoming, "end", { signal: AbortSignal.timeout(mostPatience) }).catch(() => {});
}

function addressOf(host: string, { port, family }: AddressInfo): string {
  const name = family === "IPv6" && host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function listeningError(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: "something else listens there already",
    EACCES: "this user may not listen there",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "there is no such address",
  };
  const why = typeof code === "string" ? known[code] : undefined;
  if (why === undefined) return error;
  return new InputError(`Can't listen on ${host}, port ${port}: ${why}`, {
    hint: "Without --port a free one is taken.",
  });
}
