import { InputError, TouchstoneError } from "../core/errors.js";
import { UnreadableFile } from "./regular-file.js";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "the permission is missing",
  EPERM: "the operation is not permitted",
  EROFS: "the disk is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "a file of that name is in the way",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its links go round in a circle",
};

/** The code of a system error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/**
 * Handles the error of reading `path`: returns undefined where there is no such file or folder.
 *
 * @throws any other error, as `fileError` has it: a file that may not be read is not absent.
 * @example await readFile(path, "utf8").catch(absent(path))
 */
export const absent =
  (path: string) =>
  (error: unknown): undefined => {
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw fileError(error, "read", path);
  };

/**
 * Handles the error of reading or writing `path`.
 *
 * @throws it, as `fileError` has it.
 * @example await readTextFile(path).catch(failed("read", file))
 */
export const failed =
  (doing: "read" | "write", path: string) =>
  (error: unknown): never => {
    throw fileError(error, doing, path);
  };

/**
 * Turns a system error on `path` into one for a person: InputError where another path would do,
 * TouchstoneError (code "disk") where the disk is full or failing, the error itself otherwise.
 */
export function fileError(error: unknown, doing: "read" | "write", path: string): unknown {
  if (error instanceof UnreadableFile) {
    return new InputError(`Could not ${doing} ${path}: ${error.reason}`, { cause: error });
  }
  const code = systemCode(error);
  if (code === undefined || error instanceof TouchstoneError) return error;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new TouchstoneError("disk", `Could not write ${path}: the disk is full`, {
      hint: "Free some space, then run the same command again; no file is half-written.",
      cause: error,
    });
  }
  const reason = reasons[code];
  if (reason !== undefined) {
    return new InputError(`Could not ${doing} ${path}: ${reason}`, { cause: error });
  }
  return new TouchstoneError("disk", `Could not ${doing} ${path}: ${code}`, { cause: error });
}
