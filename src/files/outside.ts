import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/**
 * Why a file that a table or a folder names is not opened: it lies in none of `folders`, wherever links
 * lead. A table that somebody else made could name any file of this machine, and models elsewhere would
 * be shown it. `undefined` where it lies in one, or is not there, which whoever opens it says.
 */
export async function outsideProblem(
  path: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const target = await realPath(path);
  if (target === undefined) return undefined;
  for (const folder of folders) {
    const root = await realPath(folder);
    if (root === undefined) continue;
    const way = relative(root, target);
    if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return undefined;
  }
  return `it lies outside ${folders.join(" and ")}; if you trust who names it: --allow-outside`;
}

const realPath = (path: string) => realpath(path).catch(() => undefined);
