import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { failed } from "../files/file-error.js";
import type { EvidenceSet } from "./set-schema.js";

/** The files of a set on this machine, and those that are not there. */
export interface LocatedSet {
  readonly set: EvidenceSet;
  /** By the set's own path. */
  readonly paths: ReadonlyMap<string, string>;
  readonly missing: readonly string[];
}

/**
 * Finds files of sets by what is in them, whatever they are called: clones of repositories, folders that
 * `fetch` made, single files.
 *
 * @throws InputError where the folder can't be read.
 */
export async function locateFiles(
  directory: string,
  sets: readonly EvidenceSet[],
): Promise<readonly LocatedSet[]> {
  const wanted = new Set(sets.flatMap(({ files }) => files.map(({ bytes }) => bytes)));
  const found = new Map<string, string>();
  for await (const path of pathsBelow(directory)) {
    const { size } = await stat(path);
    if (!wanted.has(size)) continue;
    const hash = await sha256Of(path);
    if (!found.has(hash)) found.set(hash, path);
  }
  return sets.map((set) => {
    const paths = new Map<string, string>();
    const missing: string[] = [];
    for (const { path, sha256 } of set.files) {
      const here = found.get(sha256);
      if (here === undefined) missing.push(path);
      else paths.set(path, here);
    }
    return { set, paths, missing };
  });
}

async function* pathsBelow(directory: string): AsyncGenerator<string> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(
    failed("read", directory),
  );
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name === ".git" || entry.name === "node_modules") continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* pathsBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** SHA-256 of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}
