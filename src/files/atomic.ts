import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { InputError } from "../core/errors.js";
import { fileError, systemCode } from "./file-error.js";
import { isAlive, type ProcessName, processNamed } from "./job-life.js";
import { makeFolder, namesIn } from "./make-folder.js";

/** Content of a file: all at once, or piece by piece. */
export type FileContent = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * Writes a whole file or nothing: beside its place, to the disk, then renamed. Folders on the way
 * are made. If anything fails, what stood at `path` before still stands and nothing is left over.
 * What is left over where the process is killed carries `owner` in its name, and is removed by
 * whoever writes the file again where it belongs to no run. `mode` is who may read and write it. A device or a pipe
 * that belongs to no run is written to, as it can't be replaced. `beforeReplacing` is
 * awaited when the file is whole and not yet in its place. Unless it `lasts`, a power cut may lose or empty it.
 *
 * @throws InputError where the path can't be written, TouchstoneError where the disk is full.
 */
export async function writeFileAtomically(
  path: string,
  content: FileContent,
  {
    owner = nobody,
    mode = 0o666,
    beforeReplacing = async () => {},
    lasts = true,
  }: {
    owner?: string;
    mode?: number;
    beforeReplacing?: () => Promise<void>;
    lasts?: boolean;
  } = {},
): Promise<void> {
  const directory = dirname(path);
  try {
    if (owner === nobody) {
      if (await isStream(path)) return await writeInto(path, content);
      await makeFolder(directory, path);
      await clearAfterKilled(path);
    }
    const beside = await temporaryPath(path, { owner });
    try {
      const file = await open(beside, "wx", mode).catch(async (error: unknown) => {
        if (systemCode(error) !== "ENOENT") throw error;
        await makeFolder(directory, path);
        return open(beside, "wx", mode);
      });
      try {
        await writeContent(file, content);
        if (lasts) await file.sync();
      } finally {
        await file.close();
      }
      await beforeReplacing();
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    if (lasts) await syncDirectory(directory);
  } catch (error) {
    throw fileError(error, "write", path);
  }
}

/** Whether a device or a pipe stands there, such as /dev/stdout: it is written to, never replaced. */
async function isStream(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

async function writeInto(path: string, content: FileContent): Promise<void> {
  const stream = await open(path, "w");
  try {
    await writeContent(stream, content);
  } finally {
    await stream.close();
  }
}

async function writeContent(file: FileHandle, content: FileContent): Promise<void> {
  if (typeof content === "string" || content instanceof Uint8Array) {
    return file.writeFile(content);
  }
  let pending: string[] = [];
  let size = 0;
  for await (const piece of content) {
    if (typeof piece !== "string") {
      await file.writeFile(pending.join(""));
      pending = [];
      await file.writeFile(piece);
      continue;
    }
    pending.push(piece);
    size += piece.length;
    if (size < 262_144) continue;
    await file.writeFile(pending.join(""));
    pending = [];
    size = 0;
  }
  await file.writeFile(pending.join(""));
}

/** Makes a rename last through a power cut. Windows can't open folders and needs no such call. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP"].includes(systemCode(error) ?? "")) {
      throw error;
    }
  }
}

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

/** How the name of a file begins that is not whole yet; the owner follows, and a hyphen. */
export const temporaryStart = ".touchstone-";

/** The owner of what belongs to no run: who writes it is a process by itself. */
export const nobody = "nobody";

/** The process that left this half-written file; `undefined` where it is none. */
export function ownerOfLeftover(name: string): string | undefined {
  if (!name.startsWith(temporaryStart)) return undefined;
  return name.slice(temporaryStart.length).split("-", 1)[0];
}

/** So much of a file's name stands in that of what is to become it: names may not be of any length. */
const mostShown = 60;
const stemFor = (path: string, owner: string) =>
  `${temporaryStart}${owner}-${basename(path).slice(0, mostShown)}.`;

/** Tells machines apart that share a folder. */
const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** The path of what is to become the file at `path`: beside it, and nobody else's. */
export async function temporaryPath(
  path: string,
  { owner, by }: { readonly owner: string; readonly by?: ProcessName },
): Promise<string> {
  const { process, began = "" } = by ?? (await processNamed());
  const id = [machine, process, began, randomUUID().slice(0, 8)].join("-");
  return join(dirname(path), `${stemFor(path, owner)}${id}`);
}

/**
 * Removes what processes of this machine that were killed left of the file or folder at `path`, where it
 * belongs to no run. What a living process, or one of another machine, writes is left alone.
 */
export async function clearAfterKilled(path: string): Promise<void> {
  const stem = stemFor(path, nobody);
  for (const name of await namesIn(dirname(path))) {
    if (!name.startsWith(stem)) continue;
    const [host, process, began] = name.slice(stem.length).split("-");
    if (host !== machine || !/^\d+$/.test(process ?? "")) continue;
    const who = { process: Number(process), began: began === "" ? undefined : began };
    if (!(await isAlive(who)))
      await rm(join(dirname(path), name), { force: true, recursive: true });
  }
}
