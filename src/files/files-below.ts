import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { outsideProblem } from "./outside.js";
import { kindAt } from "./regular-file.js";

/** A file, and what it is called from where it was looked for, with "/" between parts. */
export interface FileBelow {
  readonly name: string;
  readonly path: string;
}

/**
 * The files in a folder and below it that end in one of `endings` (".jsonl"), by name; none of a run's
 * own, none that is hidden, no link.
 */
export async function filesBelow(
  root: string,
  endings: readonly string[],
): Promise<readonly FileBelow[]> {
  const found: FileBelow[] = [];
  for await (const { directory, entries } of foldersBelow(root)) {
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.startsWith(".")) continue;
      if (!endings.includes(extname(entry.name).toLowerCase())) continue;
      const path = join(directory, entry.name);
      found.push({ name: relative(root, path).split(sep).join("/"), path });
    }
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A demo keeps its chapters beside its records, and those keep the answers of judges. */
const deepest = 5;
/** Folders within a run that hold no runs of their own, and what packages are installed in. */
const ownFolders = new Set(["records", "trace", "blobs", "truth", "seals", "work", "node_modules"]);

export interface FolderBelow {
  readonly directory: string;
  readonly entries: readonly Dirent[];
}

/**
 * A folder and those below it, itself first, each once. Hidden folders, those that a run keeps its
 * records in, and links that lead out are passed over.
 */
export async function* foldersBelow(root: string): AsyncGenerator<FolderBelow> {
  const seen = new Set<string>();
  async function* look(directory: string, depth: number): AsyncGenerator<FolderBelow> {
    const real = await realpath(directory).catch(() => undefined);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    yield { directory, entries };
    if (depth === deepest) return;
    for (const entry of entries) {
      if (entry.name.startsWith(".") || ownFolders.has(entry.name)) continue;
      const path = join(directory, entry.name);
      if (!entry.isDirectory() && !(entry.isSymbolicLink() && (await isFolder(path)))) continue;
      if (entry.isSymbolicLink() && (await outsideProblem(path, [root])) !== undefined) continue;
      yield* look(path, depth + 1);
    }
  }
  yield* look(root, 0);
}

const isFolder = async (path: string) => (await kindAt(path)) === "folder";
