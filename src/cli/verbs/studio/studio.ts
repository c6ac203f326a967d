import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { refuseAddress } from "../../../files/open-store.js";
import { command } from "../../command-line/command.js";
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
    "answered there, one key an answer. It runs until it is interrupted. " +
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
        "the folder with the runs, one run, or a file of judge or calibrate (default: runs)",
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
    const { directory = "runs" } = given;
    const { root, shown, page } = await placeOf(directory, workingDirectory);
    const token = tokenFor(host, variables[tokenVariable]);
    const { studio } = await import("../../../studio/studio.js");
    const { fetch } = studio({
      root,
      shown,
      imageFolders: given["allow-outside"] ? "anywhere" : [workingDirectory],
      token,
      signal,
      onFault: (error) =>
        output.warn(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    });
    await serveUntilInterrupted(fetch, {
      host,
      port,
      signal,
      onListening: ({ url }) => {
        const link = `${url}/${page}${token === undefined ? "" : `?token=${token}`}`;
        if (output.json) output.data(`${JSON.stringify({ url: link })}\n`);
        output.result(`The studio shows ${directory} at ${link} until interrupted (Ctrl+C).`);
        if (!given["no-open"] && !output.json && stdout.isTerminal) environment.open(link);
      },
    });
  },
});

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
    return isThisMachine(host) ? undefined : randomBytes(16).toString("base64url");
  }
  if (/^[\w.~-]+$/.test(set) && set.length >= leastToken) return set;
  throw new InputError(
    `Expected at least ${leastToken} letters, digits, or any of . _ ~ - as the token in ${tokenVariable}`,
  );
}
