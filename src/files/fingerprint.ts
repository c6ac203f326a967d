import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { someAtATime } from "../core/all-ended.js";
import { fileError, systemCode } from "./file-error.js";

/**
 * Fingerprint that changes where a file of some folders was changed, added or removed: a hash of names, sizes and
 * times of change. Bytes are not read, so a disk that spoils them in silence goes unnoticed. Folders that
 * are not there count as empty.
 *
 * @param options.without names of files and folders, directly in one of `folders`, that don't count
 */
export async function fingerprintOf(
  folders: readonly string[],
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of folders) {
    const paths = await filesIn(folder, without);
    const lineOf = async (path: string) => {
      const { size, mtimeMs } = await stat(path);
      return `${JSON.stringify(relative(folder, path))} ${size} ${mtimeMs}\n`;
    };
    const lines = await someAtATime(paths, lineOf, { atATime: 32 });
    hash.update(`${lines.join("")}\n`);
  }
  return hash.digest("hex");
}

async function filesIn(folder: string, without: readonly string[]): Promise<string[]> {
  try {
    const top = await readdir(folder, { withFileTypes: true });
    const below = await Promise.all(
      top
        .filter(({ name }) => !without.includes(name))
        .map(async (entry) => {
          const path = join(folder, entry.name);
          if (!entry.isDirectory()) return [path];
          const all = await readdir(path, { recursive: true, withFileTypes: true });
          return all
            .filter((one) => !one.isDirectory())
            .map((one) => join(one.parentPath, one.name));
        }),
    );
    return below.flat().sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileError(error, "read", folder);
  }
}
