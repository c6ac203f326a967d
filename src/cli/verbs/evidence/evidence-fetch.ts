import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { IncompleteError } from "../../../core/errors.js";
import { sha256Of } from "../../../evidence/locate-files.js";
import type { EvidenceSet } from "../../../evidence/set-schema.js";
import { setsNamed } from "../../../evidence/sets.js";
import { pluralText, sizeText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";

/** Where files of a repository's commit are read. */
const publishedAt = "https://raw.githubusercontent.com";

export default command({
  description:
    "Downloads the files of published sets, each from the address of its commit, goes on with what an " +
    "earlier call left, and keeps a file only where its SHA-256 is right. Images are not downloaded.",
  examples: ["touchstone evidence fetch tifa160 --to data"],
  arguments: {
    name: {
      kind: "positional",
      repeated: true,
      optional: true,
      description: "names of sets (default: all)",
    },
    to: { kind: "text", value: "DIR", required: true, description: "the folder to write to" },
    address: {
      kind: "text",
      value: "URL",
      default: publishedAt,
      description: "where the files are, as a mirror has them: URL/OWNER/NAME/COMMIT/PATH",
    },
  },
  async run({ given, environment, output, words }) {
    const sets = setsNamed(given.name);
    const to = resolve(environment.workingDirectory, given.to);
    for (const { name, licence, isNonCommercial } of sets) {
      if (isNonCommercial) output.warn(`${name} is under ${licence}: no commercial use.`);
      else if (/none/.test(licence))
        output.warn(`${name} states no licence: ask its authors before other use than reading.`);
    }
    const fetched: { readonly name: string; readonly files: readonly FetchedFile[] }[] = [];
    for (const set of sets) {
      const bytes = set.files.reduce((sum, file) => sum + file.bytes, 0);
      output.note(
        `${set.name}: ${pluralText(set.files.length, "file")}, ${sizeText(bytes)}, ${set.licence}`,
      );
      const files: FetchedFile[] = [];
      const options = {
        to,
        from: given.address,
        fetch: globalThis.fetch,
        signal: environment.signal,
      };
      for await (const file of fetchSet(set, options)) {
        files.push(file);
        output.progress(`${set.name}: ${files.length} of ${set.files.length}`);
      }
      fetched.push({ name: set.name, files });
    }
    const failed = fetched.flatMap(({ name, files }) =>
      files.flatMap(({ path, state, reason }) =>
        state === "failed" ? [`${name}: ${path}: ${reason}`] : [],
      ),
    );
    const count = (state: FetchedFile["state"]) =>
      fetched.flatMap(({ files }) => files).filter((file) => file.state === state).length;
    if (failed.length > 0) {
      const shown = failed.slice(0, 5).join("\n");
      const more = failed.length > 5 ? `\nand ${failed.length - 5} more` : "";
      throw new IncompleteError(
        `Expected ${pluralText(failed.length + count("fetched"), "file")} but ${failed.length} did not arrive:\n${shown}${more}`,
        { hint: `Go on with: ${shellWords(["touchstone", ...words()])}` },
      );
    }
    output.resultJson({
      to: given.to,
      sets: fetched.map(({ name, files }) => ({
        name,
        files: files.map(({ path, state }) => ({ path, state })),
      })),
    });
    output.result(
      `${pluralText(count("fetched"), "file")} fetched, ${count("there")} were there already.`,
    );
    const [only, ...others] = sets;
    output.nextCommand([
      "evidence",
      "--from",
      given.to,
      ...(only !== undefined && others.length === 0 ? ["--only", only.name] : []),
    ]);
  },
});

/** What became of one file. */
export interface FetchedFile {
  readonly path: string;
  readonly state: "fetched" | "there" | "failed";
  /** Why it failed. */
  readonly reason?: string;
}

/** Longest silence of a server, in milliseconds. */
const patience = 30_000;

/**
 * Downloads the files of a set that are not in a folder yet, as REPOSITORY/PATH. What an earlier call left of
 * a file is gone on with. A file stands under its name only once its hash is right.
 *
 * @param from the address that repository, commit and path are added to.
 * @returns what became of each file, in the order of the set; a failure ends none of the others.
 */
export async function* fetchSet(
  { repository, commit, files }: Pick<EvidenceSet, "repository" | "commit" | "files">,
  {
    to,
    from,
    fetch,
    signal,
  }: {
    readonly to: string;
    readonly from: string;
    readonly fetch: typeof globalThis.fetch;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<FetchedFile> {
  for (const { path, sha256, bytes } of files) {
    const place = join(to, repository, path);
    if ((await sizeOf(place)) === bytes && (await sha256Of(place)) === sha256) {
      yield { path, state: "there" };
      continue;
    }
    const address = [from, repository, commit, ...path.split("/").map(encodeURIComponent)].join(
      "/",
    );
    signal.throwIfAborted();
    try {
      await mkdir(dirname(place), { recursive: true });
      await download(address, `${place}.part`, { bytes, fetch, signal });
      const received = await sha256Of(`${place}.part`);
      if (received !== sha256) {
        await rm(`${place}.part`);
        throw new Error(`its SHA-256 is ${received}, expected ${sha256}`);
      }
      await rename(`${place}.part`, place);
      yield { path, state: "fetched" };
    } catch (error) {
      signal.throwIfAborted();
      yield { path, state: "failed", reason: reasonOf(error) };
    }
  }
}

async function download(
  address: string,
  part: string,
  {
    bytes,
    fetch,
    signal,
  }: {
    readonly bytes: number;
    readonly fetch: typeof globalThis.fetch;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const held = (await sizeOf(part)) ?? 0;
  if (held === bytes) return;
  const isBegun = held > 0 && held < bytes;
  const reply = await fetch(address, {
    headers: isBegun ? { range: `bytes=${held}-` } : {},
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  });
  if (!reply.ok || reply.body === null) throw new Error(`the server answered ${reply.status}`);
  // A server that knows no ranges sends the whole file again.
  const flags = reply.status === 206 ? "a" : "w";
  await pipeline(reply.body, createWriteStream(part, { flags }));
  const now = (await sizeOf(part)) ?? 0;
  if (now < bytes) throw new Error(`${now} of ${bytes} bytes arrived`);
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );

/** The message of an error, with that of its cause: "fetch failed" alone says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
