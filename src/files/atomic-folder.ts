import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "../core/errors.js";
import { fileError, systemCode } from "./file-error.js";
import { clearAfterKilled, nobody, temporaryPath } from "./leftovers.js";
import { makeFolder } from "./make-folder.js";

/**
 * Makes a folder with all that `fill` writes into it, or none: beside its place, then renamed. If anything
 * fails nothing is left over; what a killed process left is removed by whoever makes the folder again.
 *
 * @throws InputError where something stands at `path` that is no empty folder, or it can't be written.
 */
export async function writeFolderAtomically<Result>(
  path: string,
  fill: (folder: string) => Promise<Result>,
): Promise<Result> {
  await checkEmpty(path);
  try {
    await makeFolder(dirname(path), path);
    await clearAfterKilled(path);
    const beside = await temporaryPath(path, { owner: nobody });
    try {
      await mkdir(beside);
      const result = await fill(beside);
      await rename(beside, path);
      return result;
    } catch (error) {
      await rm(beside, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    throw fileError(error, "write", path);
  }
}

/** @throws InputError where something stands at `path` that is no empty folder. */
export async function checkEmpty(path: string): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw fileError(error, "write", path);
  });
  if (names.length === 0) return;
  throw new InputError(`Expected a new or empty folder but ${path} holds ${names.length} files`, {
    hint: "Name another one, or remove it first",
  });
}
