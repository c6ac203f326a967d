import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { outsideProblem } from "../outside.js";
import { recipeName } from "./recipe-file.js";

/** A demo keeps its chapters beside its records, and those keep the answers of judges. */
const deepest = 5;
/** Folders within a run that hold no runs of their own. */
const ownFolders = new Set(["records", "trace", "blobs", "truth", "seals", "work", "node_modules"]);

/**
 * The paths of the runs in a folder and below it, itself first where it is one. Hidden folders are
 * passed over, and links that lead out.
 */
export async function findRunFolders(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const seen = new Set<string>();
  const look = async (directory: string, depth: number): Promise<void> => {
    const real = await realpath(directory).catch(() => undefined);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    if (entries.some(({ name }) => name === recipeName)) found.push(directory);
    if (depth === deepest) return;
    for (const entry of entries) {
      if (entry.name.startsWith(".") || ownFolders.has(entry.name)) continue;
      const path = join(directory, entry.name);
      if (!entry.isDirectory() && !(entry.isSymbolicLink() && (await isFolder(path)))) continue;
      if (entry.isSymbolicLink() && (await outsideProblem(path, [root])) !== undefined) continue;
      await look(path, depth + 1);
    }
  };
  await look(root, 0);
  return found;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
