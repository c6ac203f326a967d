import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { outsideProblem } from "../files/outside.js";

/** A folder with a recipe, found below the folder that the studio shows. */
export interface FoundRun {
  readonly id: string;
  readonly name: string;
  readonly directory: string;
}

/** A demo keeps its chapters beside its records, and those keep the answers of judges. */
const deepest = 5;
/** Of a run, folders that hold no runs of their own. */
const ownFolders = new Set(["records", "trace", "blobs", "truth", "seals", "work", "node_modules"]);

/**
 * The runs in a folder and below it, by name. Hidden folders are passed over, and links that lead out.
 */
export async function findRuns(root: string): Promise<readonly FoundRun[]> {
  const found: FoundRun[] = [];
  const seen = new Set<string>();
  const look = async (directory: string, depth: number): Promise<void> => {
    const real = await realpath(directory).catch(() => undefined);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    if (entries.some(({ name }) => name === "run.json")) found.push(foundRun(root, directory));
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
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function foundRun(root: string, directory: string): FoundRun {
  const name = relative(root, directory).split(sep).join("/");
  if (name === "") return { id: ".run", name: basename(root), directory };
  return { id: name.replaceAll("/", "~"), name, directory };
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
