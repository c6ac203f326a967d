import { command } from "touchstone-t2i/internal/cli/command-line/command.js";
import { asTyped } from "touchstone-t2i/internal/cli/program.js";
import {
  isThisMachine,
  serveUntilInterrupted,
  servingArguments,
} from "touchstone-t2i/internal/cli/serving/serve-until-interrupted.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";

const tokenVariable = "TOUCHSTONE_LAB_TOKEN";
const leastToken = 16;

export default command({
  description:
    "Serves the lab's models through an OpenAI-compatible API: chat/completions with " +
    "pictures and log-probabilities, images/generations and models, to try offline anything that " +
    "calls a hosted model. GET /v1/models lists their names. It runs until it is interrupted. It answers " +
    `this machine only, unless ${tokenVariable} is set and --host names another address.`,
  examples: [
    "touchstone lab serve",
    "touchstone lab serve --port 8123",
    `${tokenVariable}=… touchstone lab serve --host 0.0.0.0 --port 8123`,
  ],
  arguments: servingArguments,
  async run({ given: { port, host }, environment, output }) {
    const { signal, variables } = environment;
    const token = variables[tokenVariable] || undefined;
    refuseWithoutToken(host, token);
    const { labServer } = await import("../../serve/lab-server.js");
    await serveUntilInterrupted(labServer({ token }).fetch, {
      host,
      port,
      signal,
      onListening: ({ url, port: taken }) => {
        const baseUrl = `${url}/v1`;
        const key = token === undefined ? "" : "OPENAI_API_KEY=… ";
        const score = "touchstone score runs/demo --metric vqa-score --model openai-compatible:vqa";
        // Of use while the server runs: it can't wait for the end, as other verbs' next command does.
        const next = asTyped(`${key}OPENAI_BASE_URL=${baseUrl} ${score}`, environment);
        output.resultJson({ baseUrl, host, port: taken });
        output.result(`The lab's models answer at ${baseUrl} until interrupted (Ctrl+C).\n`);
        output.result(`${output.style.dim("Next, in another terminal:")} ${next}`);
      },
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
  if (token !== undefined || isThisMachine(host)) return;
  throw new InputError(
    `Expected an address of this machine (127.0.0.1, localhost, ::1) for --host but received "${host}"`,
    { hint: `To be reached from elsewhere it needs a token: ${tokenVariable}=…` },
  );
}
