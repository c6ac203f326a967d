import { isAbsolute, relative, sep } from "node:path";
import { realPath } from "./paths.js";

/**
 * Why a file that a table or a folder names is not opened: it lies in none of `folders`, wherever links
 * lead. A table that somebody else made could name any file of this machine, and models elsewhere would
 * be shown it. `undefined` where it lies in one, or is not there, which whoever opens it says.
 *
 * @param roots where links of `folders` led, kept for the next file
 */
export async function outsideProblem(
  path: string,
  folders: readonly string[],
  roots: Map<string, Promise<string | undefined>> = new Map(),
): Promise<string | undefined> {
  const target = await realPath(path);
  if (target === undefined) return undefined;
  for (const folder of folders) {
    const found = roots.get(folder) ?? realPath(folder);
    roots.set(folder, found);
    const root = await found;
    if (root === undefined) continue;
    const way = relative(root, target);
    if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return undefined;
  }
  return `it lies outside ${folders.join(" and ")}; if you trust who names it: --allow-outside`;
}
