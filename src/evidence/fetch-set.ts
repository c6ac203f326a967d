import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sha256Of } from "./locate-files.js";
import type { EvidenceSet } from "./set-schema.js";

/** Where files of a repository's commit are read. */
export const publishedAt = "https://raw.githubusercontent.com";

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
