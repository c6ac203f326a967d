import { access, constants, stat } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { fileError, systemCode } from "../../files/file-error.js";
import { realPath } from "../../files/paths.js";

/** @throws InputError where a file for --out, or another `flag`, has none of the endings. */
export function checkEnding(file: string, endings: readonly string[], flag = "out"): void {
  if (endings.includes(extname(file).toLowerCase())) return;
  throw new InputError(
    `Expected a file that ends in ${listText(endings, "or")} for --${flag} but received "${file}"`,
  );
}

/** What stands under a file's ending. @throws InputError as `checkEnding`. */
export function byEnding<Known>(
  known: Readonly<Record<string, Known>>,
  file: string,
  flag?: string,
): Known {
  checkEnding(file, Object.keys(known), flag);
  return known[extname(file).toLowerCase()] as Known;
}

/**
 * Looks whether what is given for --out, or another `flag`, is one of the command's own inputs, under whatever name.
 * Inputs that do not exist are left to whoever reads them; "-" is standard input.
 *
 * @throws InputError where it is: what is concluded must not replace what it is concluded from.
 */
export async function checkOut(
  out: string | undefined,
  {
    inputs,
    workingDirectory,
    flag = "out",
  }: {
    readonly inputs: readonly (string | undefined)[];
    readonly workingDirectory: string;
    readonly flag?: string;
  },
): Promise<void> {
  if (out === undefined) return;
  const target = await realPath(resolve(workingDirectory, out));
  if (target === undefined) return;
  for (const input of inputs) {
    if (input === undefined || input === "-") continue;
    if ((await realPath(resolve(workingDirectory, input))) === target) {
      throw new InputError(
        `Expected another file than the input for --${flag} but received "${out}"`,
      );
    }
  }
}

/** The name beside a file for what must not replace it. @example besideName("judge.json", 2) // "judge-2.json" */
export function besideName(file: string, number: number): string {
  if (number === 1) return file;
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}-${number}${ending}`;
}

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
