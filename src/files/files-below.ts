import { extname, join, relative, sep } from "node:path";
import { foldersBelow } from "./run-folder/folders-below.js";

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
