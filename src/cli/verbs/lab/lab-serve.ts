import type { AddressInfo } from "node:net";
import { InputError } from "../../../core/errors.js";
import { command } from "../../command-line/command.js";
import { asTyped } from "../../program.js";

const tokenVariable = "TOUCHSTONE_LAB_TOKEN";
const thisMachine = ["127.0.0.1", "localhost", "::1"];
const leastToken = 16;

export default command({
  description:
    "Serves the lab's models through an OpenAI-compatible API: chat/completions with " +
    "pictures and log-probabilities (vqa, vqa-small, filter-vqa, rater, judge), " +
    "images/generations (painter, painter-a to -e) and models, to try offline anything that " +
    "calls a hosted model. It runs until it is interrupted. It answers this machine only, " +
    "unless TOUCHSTONE_LAB_TOKEN is set and --host names another address." +
    `interrupted. Only this machine is answered, unless ${tokenVariable} is set and --host says more.`,
  examples: [
    "touchstone lab serve",
    "touchstone lab serve --port 8123",
    `${tokenVariable}=… touchstone lab serve --host 0.0.0.0 --port 8123`,
  ],
  arguments: {
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
  },
  async run({ given: { port, host }, environment, output }) {
    const { signal, variables } = environment;
    const token = variables[tokenVariable] || undefined;
    refuseWithoutToken(host, token);
    const [{ labServer }, { serve }] = await Promise.all([
      import("../../../lab/serve/lab-server.js"),
      import("@hono/node-server"),
    ]);
    const { fetch } = labServer({ token });
    await new Promise<void>((resolve, reject) => {
      const server = serve({ fetch, hostname: host, port }, (address) => {
        const baseUrl = `${addressOf(host, address)}/v1`;
        const key = token === undefined ? "" : "OPENAI_API_KEY=… ";
        const score = "touchstone score runs/demo --metric vqa-score --model openai-compatible:vqa";
        // Of use while the server runs: it can't wait for the end, as other verbs' next command does.
        const next = asTyped(`${key}OPENAI_BASE_URL=${baseUrl} ${score}`, environment);
        output.resultJson({ baseUrl, host, port: address.port });
        output.result(`The lab's models answer at ${baseUrl} until interrupted (Ctrl+C).\n`);
        output.result(`${output.style.dim("Next, in another terminal:")} ${next}`);
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
  },
});

function refuseWithoutToken(host: string, token: string | undefined): void {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new InputError(`Expected a token of letters, digits and signs in ${tokenVariable}`);
  }
  if (token !== undefined && token.length < leastToken) {
    throw new InputError(
      `Expected a token of at least ${leastToken} characters in ${tokenVariable} but received ${token.length}`,
    );
  }
  if (token !== undefined || thisMachine.includes(host)) return;
  throw new InputError(
    `Expected an address of this machine (${thisMachine.join(", ")}) for --host but received "${host}"`,
    { hint: `To be reached from elsewhere it needs a token: ${tokenVariable}=…` },
  );
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
