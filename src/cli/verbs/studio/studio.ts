import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "../../../core/cache.js";
import { InputError } from "../../../core/errors.js";
import { refuseAddress } from "../../../files/open-store.js";
import { exists } from "../../../files/paths.js";
import type { Starts } from "../../../studio/jobs/job-api.js";
import { command } from "../../command-line/command.js";
import { configurationFile } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { toolFile } from "../../program.js";
import {
  isThisMachine,
  serveUntilInterrupted,
  servingArguments,
} from "../../serving/serve-until-interrupted.js";

const tokenVariable = "TOUCHSTONE_STUDIO_TOKEN";
const leastToken = 16;

export default command({
  description:
    "Opens a page in the browser over the runs in a folder and below it: each run's verdict, its " +
    "images as a gallery that filters and sorts, and every score; review queues of judge are " +
    "answered there, one key an answer. Whoever opens the printed link also starts verbs in the folder and " +
    "watches them; they go on when the studio is closed. It runs until it is interrupted. " +
    "It answers this machine only; another --host needs a token, which is part of the link that " +
    `is printed (${tokenVariable} sets one). Runs are read, never changed; answers are written to ` +
    "the review file, and small copies of images are kept in .studio/ of the folder.",
  examples: [
    "touchstone studio",
    "touchstone studio runs/demo",
    "touchstone studio review.jsonl",
    "touchstone studio runs --port 8123 --no-open",
    "touchstone studio runs --port 0 --no-open --json",
  ],
  arguments: {
    directory: {
      kind: "positional",
      optional: true,
      description:
        "the folder to work in, one run, or a file of judge or calibrate (default: runs, else .)",
    },
    ...servingArguments,
    "no-open": { kind: "switch", description: "don't open the browser" },
    "allow-outside": {
      kind: "switch",
      description: "also show images that a run refers to outside its folder and this one",
    },
  },
  async run({ given, environment, output }) {
    const { variables, workingDirectory, signal, stdout } = environment;
    const { host, port } = given;
    const directory = given.directory ?? (await usualFolder(workingDirectory));
    const { root, shown, page } = await placeOf(directory, workingDirectory);
    const token = tokenFor(host, variables[tokenVariable]);
    const startToken = token ?? newToken();
    // The words of a process, such as the browser's, can be read by other users of the machine.
    const openingToken = newToken();
    const starts = {
      ...(await startsIn(root, { environment, token: startToken })),
      openingToken,
    };
    const { studio } = await import("../../../studio/studio.js");
    const { fetch } = studio({
      root,
      shown,
      imageFolders: given["allow-outside"] ? "anywhere" : [workingDirectory],
      token,
      starts,
      signal,
      onFault: (error) =>
        output.warn(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    });
    await serveUntilInterrupted(fetch, {
      host,
      port,
      signal,
      onListening: ({ url }) => {
        const link = `${url}/${page}?token=${startToken}`;
        // Without a token this machine may read, and start nothing.
        const said =
          token === undefined ? { url: `${url}/${page}`, token: startToken } : { url: link };
        if (output.json) output.data(`${JSON.stringify(said)}\n`);
        output.result(`The studio shows ${directory} at ${link} until interrupted (Ctrl+C).`);
        if (!given["no-open"] && !output.json && stdout.isTerminal) {
          environment.open(`${url}/${page}?token=${openingToken}`);
        }
      },
    });
  },
});

const newToken = () => randomBytes(16).toString("base64url");

/** The folder runs; where there is none, the working folder. */
const usualFolder = (workingDirectory: string): Promise<string> =>
  stat(join(workingDirectory, "runs")).then(
    () => "runs",
    () => ".",
  );

/** How the studio starts verbs in a folder: by this very program, with the settings that hold where it was opened. */
async function startsIn(
  root: string,
  { environment, token }: { readonly environment: Environment; readonly token: string },
): Promise<Starts> {
  const { variables, workingDirectory } = environment;
  const isBeside =
    !variables.TOUCHSTONE_CONFIG &&
    !(await exists(join(root, configurationFile))) &&
    (await exists(join(workingDirectory, configurationFile)));
  const settings = isBeside
    ? { TOUCHSTONE_CONFIG: relative(root, join(workingDirectory, configurationFile)) }
    : {};
  const forms = once(async () => (await import("./start-forms.js")).startForms());
  return {
    token,
    forms,
    program: [process.execPath, fileURLToPath(toolFile("bin/touchstone"))],
    environment: { ...variables, ...settings },
    wordsOf: async (verb, filled) => (await import("./start-forms.js")).startWords(verb, filled),
    async named() {
      const { loadConfiguration } = await import("../../configuration/configuration.js");
      const { metricCatalogue } = await import("../../../metrics/catalogue.js");
      const found = { variables: { ...variables, ...settings }, workingDirectory: root };
      const { settings: read } = await loadConfiguration(found);
      return {
        models: Object.keys(read.models ?? {}),
        metrics: metricCatalogue.map(({ name }) => name),
      };
    },
  };
}

interface Place {
  readonly root: string;
  /** How the person who named it calls the folder. */
  readonly shown: string;
  /** Where the browser is led, without a slash before it. */
  readonly page: string;
}

/** @throws InputError where there is neither a folder nor a file that has a page. */
async function placeOf(named: string, workingDirectory: string): Promise<Place> {
  refuseAddress(named);
  const path = resolve(workingDirectory, named);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return { root: path, shown: named, page: "" };
  if (found?.isFile()) {
    const { FoundFiles, pageOfFile } = await import("../../../studio/found-files.js");
    const root = dirname(path);
    const shown = relative(workingDirectory, root) || ".";
    const files = await new FoundFiles({ root, shown }).look();
    const file = files.find((one) => one.path === path);
    if (file !== undefined) return { root, shown, page: pageOfFile(file) };
    throw new InputError(
      `Expected a folder with runs, a review queue of judge, a saved judge, or scores that score wrote as .jsonl, .json, .csv or .parquet, but received ${named}`,
    );
  }
  throw new InputError(`Expected a folder with runs but received ${named}`, {
    hint: "A run is made by, for example: touchstone demo --run runs/demo",
  });
}

/**
 * @returns what requests must carry; undefined where only this machine is answered
 * @throws InputError for a token that could be guessed.
 */
function tokenFor(host: string, set: string | undefined): string | undefined {
  if (set === undefined || set === "") {
    return isThisMachine(host) ? undefined : newToken();
  }
  if (/^[\w.~-]+$/.test(set) && set.length >= leastToken) return set;
  throw new InputError(
    `Expected at least ${leastToken} letters, digits, or any of . _ ~ - as the token in ${tokenVariable}`,
  );
}
