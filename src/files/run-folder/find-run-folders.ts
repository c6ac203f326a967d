import { foldersBelow } from "./folders-below.js";
import { recipeName } from "./recipe-file.js";

/** The paths of the runs in a folder and below it, itself first where it is one. */
export async function findRunFolders(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { directory, entries } of foldersBelow(root)) {
    if (entries.some(({ name }) => name === recipeName)) found.push(directory);
  }
  return found;
}
