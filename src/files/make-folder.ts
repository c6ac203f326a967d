import { mkdir, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { failed, fileError, systemCode } from "./file-error.js";
import { kindAt } from "./regular-file.js";

/**
 * Makes a folder, and those above it that are missing; one that stands is left as it is.
 *
 * Node's `recursive` never returns where a file system lets nobody make folders and says that the parent
 * is missing, as procfs does: here a parent is made once.
 *
 * @param wanted what is to be written there, which an error names; default: the folder itself.
 * @throws InputError where it can't be made, whose `cause` is the system's error.
 */
export async function makeFolder(path: string, wanted = path): Promise<void> {
  await makeAll(path).catch(failed("write", wanted));
}

async function makeAll(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if (systemCode(error) !== "ENOENT" || parent === path) throw error;
    await makeAll(parent);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // Somebody else may have made it meanwhile. The root of a disk says EPERM or EISDIR.
    if (systemCode(error) === "ENOENT" || !(await isFolder(path))) throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => (await kindAt(path)) === "folder";

/** The names in a folder, in code-unit order; none where there is no such folder. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileError(error, "read", directory);
  }
}

/**
 * A name for a file that none of `taken` has, which then has it. Names that differ by case alone are one on
 * some disks.
 *
 * @param ending such as ".png"
 * @example freeName(new Set(["cat.png"]), "cat", ".png") // "cat-2.png"
 */
export function freeName(taken: Set<string>, stem: string, ending: string): string {
  for (let count = 1; ; count++) {
    const name = `${stem}${count === 1 ? "" : `-${count}`}${ending}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
