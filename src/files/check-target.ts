import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "../core/errors.js";
import { fileError, systemCode } from "./file-error.js";

/**
 * Whether a file could be written at `path`, as far as can be told without writing: for who writes
 * several files and wants all or none.
 *
 * @throws InputError where it is a folder, or where the folder that it, or its folders, would be made
 *   in is a file or may not be written to.
 */
export async function checkTarget(path: string): Promise<void> {
  try {
    if ((await stat(path).catch(orNothing))?.isDirectory() === true) {
      throw new InputError(`Could not write ${path}: it is a folder`);
    }
    let folder = dirname(path);
    let found = await stat(folder).catch(orNothing);
    while (found === undefined && folder !== dirname(folder)) {
      folder = dirname(folder);
      found = await stat(folder).catch(orNothing);
    }
    if (found?.isDirectory() === false) {
      throw new InputError(`Could not write ${path}: a part of its path is a file, not a folder`);
    }
    await access(folder, constants.W_OK);
  } catch (error) {
    throw fileError(error, "write", path);
  }
}

function orNothing(error: unknown): undefined {
  const code = systemCode(error);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}
