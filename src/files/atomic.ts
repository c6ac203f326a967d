import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileError, systemCode } from "./file-error.js";

/** What a file may be made of: all at once, or piece by piece. */
export type FileContent = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * Writes a whole file or nothing: beside its place, to the disk, then renamed. Folders on the way
 * are made. If anything fails, what stood at `path` before still stands and nothing is left over.
 * What is left over where the process is killed carries `owner` in its name. `beforeReplacing` is
 * awaited when the file is whole and not yet in its place.
 *
 * @throws InputError where the path can't be written, TouchstoneError where the disk is full.
 */
export async function writeFileAtomically(
  path: string,
  content: FileContent,
  {
    owner = "nobody",
    beforeReplacing = async () => {},
  }: { owner?: string; beforeReplacing?: () => Promise<void> } = {},
): Promise<void> {
  const directory = dirname(path);
  const beside = join(directory, `${temporaryStart}${owner}-${basename(path)}.${randomUUID()}`);
  try {
    await mkdir(directory, { recursive: true });
    try {
      const file = await open(beside, "wx");
      try {
        await writeContent(file, content);
        await file.sync();
      } finally {
        await file.close();
      }
      await beforeReplacing();
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    await syncDirectory(directory);
  } catch (error) {
    throw fileError(error, "write", path);
  }
}

/** How the name of a file begins that is not whole yet; the owner follows, and a hyphen. */
export const temporaryStart = ".touchstone-";

/** Whose half-written file this is; `undefined` where it is none. */
export function ownerOfLeftover(name: string): string | undefined {
  if (!name.startsWith(temporaryStart)) return undefined;
  return name.slice(temporaryStart.length).split("-", 1)[0];
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
    if (size < 65_536) continue;
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
